//! The contacts of a mover at one place: a list of bounded length, nearest first.
//!
//! Source: our own. A list on the stack, sorted as it is filled. If it is full, a contact that repeats a
//! nearer one is dropped, or else the farthest: many triangles of one wall leave room for the floor. Equal
//! gaps are sorted by normal and key, so the order in which contacts are visited changes nothing, unless more
//! than [`ContactList::ROOM`] of them differ. Cost: a binary search and a move of the later contacts; if it
//! is full, a comparison with each, and of all pairs until none is known to repeat another.

use core::ops::Deref;

use arrayvec::ArrayVec;
use glam::DVec3;

use super::constraint::COINCIDENT;
use super::obstacles::{Obstacles, SurfaceContact};
use crate::num::bound::{UNIT_ROUNDOFF, reach};

/// Contacts at one place. Dereferences to a slice of them.
#[derive(Clone, Debug)]
pub(crate) struct ContactList<K> {
    contacts: ArrayVec<SurfaceContact<K>, { ROOM }>,
    /// Whether it is known that none repeats another.
    is_distinct: bool,
}

/// No more contacts than this are kept.
pub(crate) const ROOM: usize = 48;

impl<K> Deref for ContactList<K> {
    type Target = [SurfaceContact<K>];

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.contacts
    }
}

impl<K: Copy + Ord> ContactList<K> {
    /// An empty list.
    pub(crate) fn new() -> Self {
        Self { contacts: ArrayVec::new_const(), is_distinct: false }
    }

    /// Removes all contacts.
    pub(crate) fn clear(&mut self) {
        self.contacts.clear();
        self.is_distinct = false;
    }

    /// Whether contacts may have been left out because the list was full.
    pub(crate) fn is_full(&self) -> bool {
        self.contacts.is_full()
    }

    /// Replaces the contents by all contacts within a distance of a place at a time. In place, because the
    /// list is too large to be copied at every query.
    pub(crate) fn gather<O: Obstacles<Key = K>>(
        &mut self,
        obstacles: &O,
        at: DVec3,
        time: f64,
        distance: f64,
    ) {
        self.clear();
        obstacles.contacts(at, time, distance, &mut |touch| self.insert(touch));
    }

    /// Adds a contact at its place in the order of gaps.
    fn insert(&mut self, touch: SurfaceContact<K>) {
        let key = |touch: &SurfaceContact<K>| (touch.contact.gap, touch.contact.normal.to_array(), touch.key);
        let mut at = self.partition_point(|other| key(other) <= key(&touch));
        if self.is_full() {
            if self[..at].iter().any(|nearer| touch.repeats(nearer)) {
                return;
            }
            // Thousands may come after the list is full: all pairs are compared only as long as some repeat.
            let given_up = if self.is_distinct { None } else { self.surplus() };
            self.is_distinct = given_up.is_none();
            match given_up {
                Some(given_up) => {
                    self.contacts.remove(given_up);
                    at -= usize::from(given_up < at);
                }
                None if at < ROOM => {
                    self.contacts.pop();
                    self.is_distinct = !self[at..].iter().any(|farther| farther.repeats(&touch));
                }
                None => return,
            }
        }
        // Mostly nearer ones come first.
        if at == self.len() {
            self.contacts.push(touch);
        } else {
            self.contacts.insert(at, touch);
        }
    }

    /// Adds a contact behind all others, which need not be sorted, unless its key is there already.
    pub(crate) fn push(&mut self, touch: SurfaceContact<K>) {
        self.is_distinct = false;
        if self.iter().any(|known| known.key == touch.key) || self.contacts.try_push(touch).is_ok() {
            return;
        }
        let gap = |at: usize| self[at].contact.gap;
        let farthest = (1..ROOM).fold(0, |far, at| if gap(at) > gap(far) { at } else { far });
        match self.surplus() {
            Some(given_up) => self.contacts[given_up] = touch,
            None if gap(farthest) > touch.contact.gap => self.contacts[farthest] = touch,
            None => {}
        }
    }

    /// Updates each contact by its key, and removes those that no longer exist.
    pub(crate) fn renew(&mut self, mut look: impl FnMut(K) -> Option<SurfaceContact<K>>) {
        self.is_distinct = false;
        self.contacts.retain(|touch| match look(touch.key) {
            Some(now) => {
                *touch = now;
                true
            }
            None => false,
        });
    }

    /// The last contact that repeats another that is no farther.
    fn surplus(&self) -> Option<usize> {
        let is_repeated = |at: &usize| {
            let touch = &self[*at];
            self.iter().enumerate().any(|(other, nearer)| {
                let is_nearer = (nearer.contact.gap, other) < (touch.contact.gap, *at);
                is_nearer && touch.repeats(nearer)
            })
        };
        (0..self.len()).rev().find(is_repeated)
    }
}

impl<K> SurfaceContact<K> {
    /// Whether it requires no more than another that is no farther: a single triangle represents a whole
    /// wall.
    fn repeats(&self, nearer: &Self) -> bool {
        self.is_along(nearer)
            && (self.motion, self.run) == (nearer.motion, nearer.run)
            && (self.friction, self.restitution) == (nearer.friction, nearer.restitution)
    }

    /// Whether both normals count as one direction.
    pub(crate) fn is_along(&self, other: &Self) -> bool {
        (self.contact.normal - other.contact.normal).length_squared() <= COINCIDENT * COINCIDENT
    }

    /// Whether it lies on or behind the tangent plane of a nearer one, as the edges of the next tiles of a
    /// floor do: a motion that would meet it first meets the nearer surface.
    pub(crate) fn is_behind(&self, nearer: &Self) -> bool {
        let (a, b) = (&nearer.contact, &self.contact);
        // The error of the two points and the normal.
        let rounding = 32.0 * UNIT_ROUNDOFF * (reach(a.point) + reach(b.point));
        a.normal.dot(b.point - a.point) <= rounding
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::{Contact, Feature};
    use glam::dvec3;

    fn touch(key: u32, gap: f64, normal: DVec3) -> SurfaceContact<u32> {
        let contact = Contact { gap, normal, point: DVec3::ZERO, feature: Feature::Face, rounding: 0.0 };
        SurfaceContact {
            key,
            contact,
            motion: DVec3::ZERO,
            run: DVec3::ZERO,
            friction: None,
            restitution: 0.0,
        }
    }

    /// Normals that all differ.
    fn differing(count: u32) -> impl DoubleEndedIterator<Item = SurfaceContact<u32>> {
        (0..count).map(|key| touch(key, f64::from(key), dvec3(1.0, f64::from(key), 0.0)))
    }

    fn keys(list: &ContactList<u32>) -> Vec<u32> {
        list.iter().map(|touch| touch.key).collect()
    }

    fn filled(touches: impl Iterator<Item = SurfaceContact<u32>>) -> ContactList<u32> {
        let mut list = ContactList::new();
        touches.for_each(|touch| list.insert(touch));
        list
    }

    #[test]
    fn the_order_of_visiting_changes_nothing() {
        let alike = [touch(7, 0.5, DVec3::Y), touch(3, 0.5, DVec3::Y), touch(5, 0.5, DVec3::X)];
        let forward = filled(differing(9).chain(alike));
        let back = filled(alike.into_iter().rev().chain(differing(9).rev()));
        assert_eq!(keys(&forward), keys(&back));
        assert_eq!(keys(&forward)[..4], [0, 3, 7, 5]);
    }

    #[test]
    fn of_too_many_the_farthest_are_left_out() {
        let count = ROOM as u32 + 9;
        assert_eq!(keys(&filled(differing(count).rev())), (0..ROOM as u32).collect::<Vec<_>>());
        assert_eq!(keys(&filled(differing(count))), (0..ROOM as u32).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_known_of_a_full_list_changes_nothing() {
        // Few normals and gaps, so that many repeat others.
        let mut state = 1u32;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for normals in [3, 30, 50, 60, 300] {
            let mut list = ContactList::new();
            for key in 0..1000 {
                let normal = dvec3(1.0, f64::from(next(normals)), 0.0);
                let touch = touch(key, f64::from(next(200)), normal);
                let mut asked = list.clone();
                asked.is_distinct = false;
                asked.insert(touch);
                list.insert(touch);
                assert_eq!(keys(&list), keys(&asked), "{normals} normals, contact {key}");
                assert!(!list.is_distinct || list.surplus().is_none());
            }
        }
    }

    #[test]
    fn many_triangles_of_one_wall_leave_room_for_the_floor() {
        let wall = |key: u32| touch(key, 0.0, DVec3::X);
        let floor = touch(1000, 9.0, DVec3::Y);
        assert_eq!(keys(&filled((0..200).map(wall).chain([floor]))).last(), Some(&1000));
        let mut pushed = ContactList::new();
        (0..200).map(wall).chain([floor]).for_each(|touch| pushed.push(touch));
        assert!(keys(&pushed).contains(&1000));
    }

    #[test]
    fn a_key_is_pushed_once() {
        let mut list = ContactList::new();
        [touch(1, 1.0, DVec3::X), touch(0, 0.0, DVec3::Y), touch(1, 0.0, DVec3::Z)]
            .into_iter()
            .for_each(|touch| list.push(touch));
        assert_eq!(keys(&list), [1, 0]);
    }
}
