//! The order in which pushed bodies move in a tick: from the lowest up, but first those in which a body that
//! has moved would end.
//!
//! Cost: a query of the index for each body that moves, and a contact query for each body near its path.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use crate::world::{Body, BodyId, World};

/// The turns of a tick.
pub(super) struct Turns {
    /// The bodies from the lowest up.
    list: Vec<Turn>,
    /// The turn of each body, by its index in the world.
    of: BTreeMap<u32, usize>,
    /// The turns of waiting bodies in which others that have moved would end.
    overrun: BTreeSet<usize>,
    /// No turn before this one is left.
    first: usize,
}

struct Turn {
    body: BodyId,
    place: usize,
    is_over: bool,
}

impl Turns {
    /// Of these bodies, with their places in the caller's list, from the lowest up.
    pub(super) fn new(bodies: impl Iterator<Item = (BodyId, usize)>) -> Self {
        let list: Vec<Turn> = bodies.map(|(body, place)| Turn { body, place, is_over: false }).collect();
        let of = list.iter().enumerate().map(|(turn, one)| (one.body.index(), turn)).collect();
        Self { list, of, overrun: BTreeSet::new(), first: 0 }
    }

    /// The place of the body that moves next.
    pub(super) fn take_next(&mut self) -> Option<usize> {
        while self.list.get(self.first).is_some_and(|turn| turn.is_over) {
            self.first += 1;
        }
        let number = self.overrun.pop_first().unwrap_or(self.first);
        let turn = self.list.get_mut(number)?;
        turn.is_over = true;
        Some(turn.place)
    }

    /// The place of a body in the caller's list, if it is in that.
    pub(super) fn place_of(&self, id: BodyId) -> Option<usize> {
        let turn = &self.list[*self.of.get(&id.index())?];
        turn.body.is(id).then_some(turn.place)
    }

    /// The bodies that have not moved yet.
    pub(super) fn waiting(&self) -> impl Iterator<Item = BodyId> {
        self.list.iter().skip(self.first).filter(|turn| !turn.is_over).map(|turn| turn.body)
    }

    /// Whether any have not moved yet.
    pub(super) fn is_any_left(&self) -> bool {
        self.waiting().next().is_some()
    }

    /// Marks those waiting bodies near the path of one that has moved in which it would end.
    pub(super) fn mark_overrun(
        &mut self,
        world: &World,
        moved: &Body,
        would_end_in: impl Fn(BodyId) -> bool,
    ) {
        world.visit_near_path(moved, |near| {
            if let Some(number) = self.of.get(&near)
                && !self.list[*number].is_over
                && !self.overrun.contains(number)
                && would_end_in(self.list[*number].body)
            {
                self.overrun.insert(*number);
            }
        });
    }
}
