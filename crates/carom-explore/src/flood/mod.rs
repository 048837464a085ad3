//! The flood: every place that is reached is left again in all directions.
//!
//! Places are processed in the order of their numbers, a batch at a time, in parallel. Results are merged one
//! by one in that order. So the numbers of places, and everything that follows, are those of a flood by one
//! thread. Cost: for each place about seventy ticks on open floor, more along walls and edges. Memory:
//! [`Flood::memory`].

pub(crate) mod checkpoint;
mod columns;
pub(crate) mod event;
pub(crate) mod leave;
mod links;
pub(crate) mod places;
pub(crate) mod stopped;

use glam::DVec3;
use rayon::prelude::*;

use crate::flood::event::{Event, EventKind};
use crate::flood::leave::{Effort, Left, NumberedPlace, SAME, leave};
use crate::flood::links::Links;
use crate::flood::places::{Hold, NONE, Place, Places};
use crate::level::Level;
use crate::rules::Rules;
use crate::walk::Walker;
use crate::walk::action::Action;
use crate::walk::state::WalkState;
use crate::walk::trip::End;

/// Places worked on between two reports of progress.
pub(crate) const BATCH: usize = 2048;

/// The same in a level in tiles.
const TILED_BATCH: usize = 16_384;

/// A link that an agent found: where it came to stand, and when.
pub(crate) struct FoundLink {
    pub(crate) from: u32,
    pub(crate) action: u16,
    pub(crate) position: DVec3,
    pub(crate) hold: Hold,
    pub(crate) ticks: u32,
}

/// Places, the links between them, and what happened.
#[derive(Debug)]
pub(crate) struct Flood {
    pub(crate) places: Places,
    /// The links from the places that have been left.
    pub(crate) links: Links,
    /// Links found later, by a second look.
    pub(crate) extra: Vec<[u32; 2]>,
    pub(crate) events: Vec<Event>,
    pub(crate) ticks: u64,
    /// The places that spawns led to, and those spawns.
    pub(crate) roots: Vec<u32>,
    pub(crate) spawns: Vec<DVec3>,
}

impl Flood {
    /// Nothing yet. Its lists go where those of the level go if they outgrow memory.
    pub(crate) fn new(level: &Level, rules: &Rules) -> Self {
        Self {
            places: Places::new(level, rules),
            links: Links::new(level.spill()),
            extra: Vec::new(),
            events: Vec::new(),
            ticks: 0,
            roots: Vec::new(),
            spawns: Vec::new(),
        }
    }

    /// How many places have been left in all directions.
    pub(crate) fn done(&self) -> usize {
        self.links.len()
    }

    pub(crate) fn is_done(&self) -> bool {
        self.done() == self.places.len()
    }

    /// Lets a body down at a spawn.
    pub(crate) fn settle(&mut self, walker: &Walker<'_>, spawn: DVec3) {
        let mut state = walker.state();
        walker.put(&mut state, spawn);
        let trip = walker.go(&mut state, Action::Settle, &mut |_| ());
        self.ticks += u64::from(trip.ticks);
        match trip.end {
            End::At(hold) => {
                let place = Place {
                    position: trip.position,
                    parent: NONE,
                    ticks: trip.ticks,
                    next: NONE,
                    action: Action::Settle.code(),
                    hold,
                };
                let (root, _) = enter(&mut self.places, walker, place);
                self.roots.push(root);
                self.spawns.push(spawn);
            }
            // A spawn in a volume that kills leads nowhere.
            End::Killed => {}
            End::FellOut => {
                let (kind, position, ticks) = (EventKind::FellOut, spawn, trip.ticks);
                let exit = trip.exit;
                self.events.push(Event { place: NONE, action: 0, kind, position, exit, ticks });
            }
        }
    }

    /// How many places are left together.
    pub(crate) fn batch(&self, walker: &Walker<'_>) -> usize {
        // Many at a time, so that those of a tile are done together.
        if walker.level.tiles().is_some() { TILED_BATCH } else { BATCH }
    }

    /// Works on the next batch of places; after a stop on those of it that were done before.
    pub(crate) fn advance(&mut self, walker: &Walker<'_>) {
        let first = self.done();
        let last = self.places.len().min(first + self.batch(walker));
        let ids: Vec<u32> = (first as u32..last as u32).collect();
        let left = self.leave(walker, &ids, Effort::Usual);
        if walker.level.fault().is_some() {
            return;
        }
        let mut targets = Vec::new();
        // Places are done in order: what comes after one that was cut off is left, too.
        for (id, left) in ids.into_iter().zip(left) {
            let Some(left) = left else { break };
            targets.clear();
            self.take(walker, left, &mut targets);
            targets.sort_unstable();
            targets.dedup();
            targets.retain(|target| *target != id);
            self.links.push(&targets);
        }
    }

    /// Takes in what happened at a place, and enters the places that it leads to.
    fn take(&mut self, walker: &Walker<'_>, left: Left, targets: &mut Vec<u32>) {
        self.ticks += left.ticks;
        self.events.extend(left.events);
        targets.extend(left.places.into_iter().map(|place| enter(&mut self.places, walker, place).0));
    }

    /// Looks at places once more, in all directions. Whether a way was found that was not known.
    pub(crate) fn look_again(&mut self, walker: &Walker<'_>, ids: &[u32]) -> bool {
        let before = (self.extra.len(), self.places.len());
        for ids in ids.chunks(BATCH / 8) {
            if walker.stop.is_set() {
                break;
            }
            let left = self.leave(walker, ids, Effort::All);
            if walker.level.fault().is_some() {
                break;
            }
            let mut targets = Vec::new();
            for (id, left) in ids.iter().zip(left) {
                let Some(left) = left else { continue };
                targets.clear();
                self.take(walker, left, &mut targets);
                targets.sort_unstable();
                targets.dedup();
                let known = self.links.from(*id);
                targets.retain(|target| target != id && !known.contains(target));
                self.extra.extend(targets.iter().map(|target| [*id, *target]));
            }
        }
        self.extra.sort_unstable();
        self.extra.dedup();
        before != (self.extra.len(), self.places.len())
    }

    /// Where not all directions were tried.
    pub(crate) fn given_up(&self) -> impl Iterator<Item = DVec3> + '_ {
        let events = self.events.iter().filter(|event| event.kind == EventKind::GaveUp);
        events.map(|event| event.position)
    }

    /// Takes in the links that agents found. Whether one of them was not known.
    pub(crate) fn learn(&mut self, links: &[FoundLink], ticks: u64) -> bool {
        let before = (self.extra.len(), self.places.len());
        self.ticks += ticks;
        for link in links {
            let began = self.places.get(link.from).ticks;
            let place = Place {
                position: link.position,
                parent: link.from,
                ticks: began.saturating_add(link.ticks),
                next: NONE,
                action: link.action,
                hold: link.hold,
            };
            // Only what is as high is the same: an agent beside a ledge is not on it.
            let known = self.places.find(link.position, link.hold).filter(|id| {
                let there = self.places.get(*id).position;
                (there.y - link.position.y).abs() <= SAME
            });
            let to = known.unwrap_or_else(|| self.places.add(place));
            if to != link.from && !self.links.from(link.from).contains(&to) {
                self.extra.push([link.from, to]);
            }
        }
        self.extra.sort_unstable();
        self.extra.dedup();
        before != (self.extra.len(), self.places.len())
    }

    /// The results of leaving each place, and the ticks; `None` where a stop came first.
    fn leave(&self, walker: &Walker<'_>, ids: &[u32], effort: Effort) -> Vec<Option<Left>> {
        let one = |state: &mut WalkState, id: &u32| {
            let place = &self.places.get(*id);
            leave(walker, state, NumberedPlace { id: *id, place }, effort)
        };
        let Some(tiled) = walker.level.tiles() else {
            // Beside what moves a place takes up to a thousand times as long as elsewhere: the threads
            // share these places out one by one.
            let most = if walker.level.movers().is_empty() { usize::MAX } else { 1 };
            let ids = ids.par_iter().with_max_len(most);
            return ids.map_init(|| walker.state(), one).collect();
        };
        // Tile by tile, so that each is read once for all of its places.
        let grid = tiled.folder().level().grid;
        let mut order: Vec<(u32, u32)> = ids.iter().copied().zip(0..).collect();
        order.sort_by_cached_key(|(id, number)| {
            let at = self.places.get(*id).position;
            (grid.square(at.x, at.z), *number)
        });
        let each =
            order.par_iter().map_init(|| walker.state(), |state, (id, number)| (*number, one(state, id)));
        let mut left: Vec<(u32, Option<Left>)> = each.collect();
        left.sort_unstable_by_key(|(number, _)| *number);
        left.into_iter().map(|(_, left)| left).collect()
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        self.places.memory()
            + self.links.memory()
            + 8 * self.extra.capacity()
            + self.events.capacity() * size_of::<Event>()
    }
}

/// Enters a place, in the level or on what moves: its number, and whether it is new.
pub(crate) fn enter(places: &mut Places, walker: &Walker<'_>, place: Place) -> (u32, bool) {
    match place.hold {
        Hold::On(number) => places.ride(number, walker.on(number, place.position, place.ticks), place),
        _ => places.enter(place),
    }
}
