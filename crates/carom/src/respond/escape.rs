//! The nearest place where a mover fits, along some directions: for a mover that the planes of its overlaps
//! do not free, or only by a long distance.
//!
//! Source: `docs/movers.md`, deep starts. The distance of a mover from a convex part is a convex function of
//! its path. Past the point where the tangent says that it leaves the part, it has left the part. So each
//! part is stepped over at once, and the rest is bisected. Error: the shortest distance along a direction to
//! 2⁻²⁴ of it, if the free space is not split in two. Cost: about thirty questions for each direction; most
//! ask one part alone, and the others gather. Gives up if nothing fits within reach.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::obstacles::{Obstacles, SurfaceContact};
use crate::num::bound::{UNIT_ROUNDOFF, reach};

/// The most steps along one direction, and then as many halvings.
const LOOKS: usize = 32;
const HALVINGS: usize = 24;

/// Parts that were in the way before, the last one first. One that still is answers alone: no other part
/// changes the answer.
pub(crate) struct Blockers<K>(ArrayVec<K, 3>);

impl<K: Copy + Ord> Blockers<K> {
    /// None yet.
    pub(crate) fn new() -> Self {
        Self(ArrayVec::new())
    }

    /// Whether one of them is in the way so that `answers` is true of its contact.
    fn answer<O: Obstacles<Key = K>>(
        &mut self,
        obstacles: &O,
        at: DVec3,
        answers: impl Fn(&SurfaceContact<K>) -> bool,
    ) -> bool {
        let is_one = |key: &K| obstacles.contact(*key, at, 0.0).is_some_and(|touch| answers(&touch));
        let found = self.0.iter().position(is_one);
        found.inspect(|found| self.0[..=*found].rotate_right(1)).is_some()
    }

    fn add(&mut self, key: K) {
        if self.0.is_full() {
            self.0.pop();
        }
        self.0.insert(0, key);
    }
}

/// A search along one direction.
struct Search<'a, O: Obstacles> {
    obstacles: &'a O,
    from: DVec3,
    direction: DVec3,
    stride: f64,
    blockers: &'a mut Blockers<O::Key>,
}

/// The distance along a unit direction to a place where the mover overlaps nothing, up to `most` meters.
/// `stride` is the step where an overlap has no computed end. `None` if there is no such place.
pub(crate) fn way_along<O: Obstacles>(
    obstacles: &O,
    Way { from, direction, most, stride }: Way,
    blockers: &mut Blockers<O::Key>,
) -> Option<f64> {
    let mut search = Search { obstacles, from, direction, stride, blockers };
    let (mut before, mut here) = (0.0, 0.0);
    for _ in 0..LOOKS {
        let Some(step) = search.step_on(here) else {
            return Some(search.halve([before, here]));
        };
        before = here;
        here += step;
        // A NaN ends the search.
        if !(here > before && here <= most) {
            return None;
        }
    }
    None
}

/// The input of [`way_along`]. Lengths in meters.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    pub(crate) from: DVec3,
    /// Of length 1.
    pub(crate) direction: DVec3,
    pub(crate) most: f64,
    pub(crate) stride: f64,
}

impl<O: Obstacles> Search<'_, O> {
    /// Bisects between a distance that does not fit and one that does.
    fn halve(&mut self, [mut low, mut high]: [f64; 2]) -> f64 {
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if self.overlaps(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    fn overlaps(&mut self, distance: f64) -> bool {
        let at = self.from + self.direction * distance;
        self.blockers.answer(self.obstacles, at, |touch| rounding_in_overlap(touch, at).is_some())
            || self.gathered_step(at).is_some()
    }

    /// The step out of the overlaps at a distance; `None` if there are none.
    fn step_on(&mut self, distance: f64) -> Option<f64> {
        let at = self.from + self.direction * distance;
        let (direction, stride) = (self.direction, self.stride);
        // No other step is longer.
        let is_longest =
            |touch: &SurfaceContact<O::Key>| step_out(touch, at, direction, stride) == Some(stride);
        if self.blockers.answer(self.obstacles, at, is_longest) {
            return Some(stride);
        }
        self.gathered_step(at)
    }

    /// The same, of all parts.
    fn gathered_step(&mut self, at: DVec3) -> Option<f64> {
        // Of equal steps that of the part farthest ahead is kept: it stays in the way for longest.
        let mut farthest: Option<((f64, f64), O::Key)> = None;
        self.obstacles.contacts(at, 0.0, 0.0, &mut |touch| {
            if let Some(step) = step_out(&touch, at, self.direction, self.stride) {
                let ahead = (step, touch.contact.point.dot(self.direction));
                if farthest.is_none_or(|(most, _)| ahead > most) {
                    farthest = Some((ahead, touch.key));
                }
            }
        });
        let ((step, _), key) = farthest?;
        self.blockers.add(key);
        Some(step)
    }
}

/// The rounding of the gap of an overlap; `None` for a contact that is no overlap by more than that.
fn rounding_in_overlap<K>(touch: &SurfaceContact<K>, at: DVec3) -> Option<f64> {
    let contact = touch.contact;
    let rounding = 64.0 * UNIT_ROUNDOFF * (reach(at) + reach(contact.point) + contact.gap.abs());
    // A NaN counts as an overlap.
    if -contact.gap <= rounding { None } else { Some(rounding) }
}

/// The step out of one overlap, at most `stride`.
fn step_out<K>(touch: &SurfaceContact<K>, at: DVec3, direction: DVec3, stride: f64) -> Option<f64> {
    let rounding = rounding_in_overlap(touch, at)?;
    let along = touch.contact.normal.dot(direction);
    // A little more than the tangent gives: rounding must not leave it inside.
    let step = if along > 0.0 { (2.0 * rounding - touch.contact.gap) / along } else { stride };
    Some(step.min(stride))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops::sqrt;
    use crate::sweep::{Contact, Feature};
    use crate::trace::SweepHit;
    use glam::dvec3;

    /// A point among balls.
    struct Balls(Vec<(DVec3, f64)>);

    impl Obstacles for Balls {
        type Key = usize;

        fn sweep(&self, _: DVec3, _: DVec3, _: [f64; 2]) -> Option<SweepHit<usize>> {
            None
        }

        fn contacts(&self, at: DVec3, time: f64, _: f64, visit: &mut dyn FnMut(SurfaceContact<usize>)) {
            let all = (0..self.0.len()).filter_map(|key| self.contact(key, at, time));
            all.filter(|touch| touch.contact.gap <= 0.0).for_each(visit);
        }

        fn contact(&self, key: usize, at: DVec3, _: f64) -> Option<SurfaceContact<usize>> {
            let (center, radius) = self.0[key];
            let distance = sqrt((at - center).length_squared());
            let normal = (at - center) / distance;
            let point = center + normal * radius;
            let contact =
                Contact { gap: distance - radius, normal, point, feature: Feature::Face, rounding: 0.0 };
            let motion = DVec3::ZERO;
            Some(SurfaceContact { key, contact, motion, run: motion, friction: None, restitution: 0.0 })
        }
    }

    /// The same search, where all parts are always asked.
    fn way_of_all(balls: &Balls, Way { from, direction, most, stride }: Way) -> Option<f64> {
        let step_on = |distance: f64| {
            let at = from + direction * distance;
            let mut farthest: Option<f64> = None;
            balls.contacts(at, 0.0, 0.0, &mut |touch| {
                let step = step_out(&touch, at, direction, stride);
                farthest = farthest.into_iter().chain(step).reduce(f64::max);
            });
            farthest
        };
        let (mut low, mut high) = (0.0, 0.0);
        let mut looks = 0;
        while let Some(step) = step_on(high) {
            (low, high, looks) = (high, high + step, looks + 1);
            if looks == LOOKS || !(high > low && high <= most) {
                return None;
            }
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if step_on(middle).is_some() { low = middle } else { high = middle }
        }
        Some(high)
    }

    #[test]
    fn asking_the_last_blocker_first_changes_no_bit() {
        let mut state = 7u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1u32 << 23) - 1.0
        };
        let (mut found, mut none) = (0, 0);
        for count in 1..200 {
            let mut point = || dvec3(next(), next(), next());
            let ball = |_| (point() * 2.0, 0.2 + 1.5 * point().x.abs());
            let balls = Balls((0..count % 40).map(ball).collect());
            let mut blockers = Blockers::new();
            for _ in 0..20 {
                let direction = dvec3(next(), next(), next()).normalize_or(DVec3::Y);
                let way = Way { from: DVec3::ZERO, direction, most: 1.5, stride: 0.3 };
                let length = way_along(&balls, way, &mut blockers);
                assert_eq!(length.map(f64::to_bits), way_of_all(&balls, way).map(f64::to_bits));
                (found, none) = (found + usize::from(length.is_some()), none + usize::from(length.is_none()));
            }
        }
        assert!(found > 300 && none > 300, "{found} found, {none} not");
    }
}
