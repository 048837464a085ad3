//! The flood: every place that is reached is left again in all directions.
//!
//! Places are worked on in the order of their numbers, a batch at a time, in parallel; results are taken in
//! one by one in that order. So the numbers of places, and all that follows, are those of a flood by one
//! thread. Cost: for each place some seventy ticks on open floor, more along walls and edges. Memory:
//! [`Flood::memory`].

use glam::DVec3;
use rayon::prelude::*;

use crate::action::{Action, DIRECTIONS, USUAL};
use crate::places::{Hold, NONE, Place, Places, grow};
use crate::walk::{End, Legs, Trip, Walker};

/// Places worked on between two reports of progress.
pub(crate) const BATCH: usize = 2048;

/// The same in a level in tiles.
const TILED_BATCH: usize = 16_384;

/// Leaving a place at one moment costs no more ticks than this and one direction: what is left then is given
/// up, and said.
const MOST_TICKS: u64 = 6_000;

/// The same with all moments of a place beside something that moves.
const MOST_WAITING: u64 = 60_000;

/// An agent is at a place if it is as high as that, but for so much, in meters.
pub(crate) const SAME: f64 = 0.05;

/// Something that happened at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Event {
    pub(crate) place: u32,
    pub(crate) action: u16,
    pub(crate) kind: EventKind,
    /// Where: the last center that stood, or where the body was stopped.
    pub(crate) position: DVec3,
    /// Of a fall, the first center below which there was nothing any more; of a snag, where it began.
    pub(crate) exit: DVec3,
    pub(crate) ticks: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum EventKind {
    FellOut,
    Snag,
    /// Not all directions were tried: it cost too much.
    GaveUp,
    /// A volume killed the body: the player begins again at a spawn.
    Died,
}

/// What an action at a place came to.
#[derive(Clone, Copy, Debug)]
struct Move {
    /// Its code, with the moment until which the body waited.
    action: u16,
    end: End,
    position: DVec3,
    supported: DVec3,
    exit: DVec3,
    ticks: u32,
    is_snag: bool,
}

/// How thoroughly a place is left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// In sixteen directions; jumps only where a walk is hindered or leads over an edge.
    Usual,
    /// In all directions.
    All,
}

/// A way that an agent found: where it came to stand, and when.
pub(crate) struct Way {
    pub(crate) from: u32,
    pub(crate) action: u16,
    pub(crate) position: DVec3,
    pub(crate) ticks: u32,
}

/// Places, ways between them, and what happened.
#[derive(Debug)]
pub(crate) struct Flood {
    pub(crate) places: Places,
    /// Of place i, `targets[starts[i]..starts[i + 1]]` can be reached in one action; for those that have been
    /// worked on.
    pub(crate) starts: Vec<u32>,
    pub(crate) targets: Vec<u32>,
    /// Ways found later, by a second look.
    pub(crate) extra: Vec<[u32; 2]>,
    pub(crate) events: Vec<Event>,
    pub(crate) ticks: u64,
    /// The places that spawns led to, and those spawns.
    pub(crate) roots: Vec<u32>,
    pub(crate) spawns: Vec<DVec3>,
}

impl Flood {
    pub(crate) fn new(places: Places) -> Self {
        Self {
            places,
            starts: vec![0],
            targets: Vec::new(),
            extra: Vec::new(),
            events: Vec::new(),
            ticks: 0,
            roots: Vec::new(),
            spawns: Vec::new(),
        }
    }

    /// How many places have been left in all directions.
    pub(crate) fn done(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn is_done(&self) -> bool {
        self.done() == self.places.len()
    }

    /// Lets a body down at a spawn.
    pub(crate) fn settle(&mut self, walker: &Walker<'_>, spawn: DVec3) {
        let mut legs = walker.legs();
        walker.put(&mut legs, spawn);
        let trip = walker.go(&mut legs, Action::Settle, &mut |_| ());
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
                let (root, _) = self.enter(walker, place);
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

    /// A place, where it is new: in the level, or on what moves.
    fn enter(&mut self, walker: &Walker<'_>, place: Place) -> (u32, bool) {
        match place.hold {
            Hold::On(number) => {
                self.places.ride(number, walker.on(number, place.position, place.ticks), place)
            }
            _ => self.places.enter(place),
        }
    }

    /// Works on the next batch of places; after a stop on those of it that were done before.
    pub(crate) fn advance(&mut self, walker: &Walker<'_>) {
        let first = self.done();
        // Many at a time, so that those of a tile are done together.
        let batch = if walker.level.tiles().is_some() { TILED_BATCH } else { BATCH };
        let last = self.places.len().min(first + batch);
        let ids: Vec<u32> = (first as u32..last as u32).collect();
        let moves = self.leave(walker, &ids, Effort::Usual);
        if walker.level.fault().is_some() {
            return;
        }
        let mut targets = Vec::new();
        // Places are done in order: what comes after one that was cut off is left, too.
        for (id, left) in ids.into_iter().zip(moves) {
            let Some(Left { moves, ticks, gave_up }) = left else { break };
            targets.clear();
            self.ticks += ticks;
            if gave_up {
                let (kind, position) = (EventKind::GaveUp, self.places.list[id as usize].position);
                self.events.push(Event { place: id, action: 0, kind, position, exit: position, ticks: 0 });
            }
            self.take(walker, id, &moves, &mut targets);
            targets.sort_unstable();
            targets.dedup();
            targets.retain(|target| *target != id);
            grow(&mut self.targets, targets.len());
            self.targets.extend_from_slice(&targets);
            self.starts.push(self.targets.len() as u32);
        }
    }

    /// Looks at places once more, in all directions. Whether a way was found that was not known.
    pub(crate) fn look_again(&mut self, walker: &Walker<'_>, ids: &[u32]) -> bool {
        let before = (self.extra.len(), self.places.len());
        for ids in ids.chunks(BATCH / 8) {
            if walker.stop.is_set() {
                break;
            }
            let moves = self.leave(walker, ids, Effort::All);
            if walker.level.fault().is_some() {
                break;
            }
            let mut targets = Vec::new();
            for (id, left) in ids.iter().zip(moves) {
                let Some(Left { moves, ticks, .. }) = left else { continue };
                targets.clear();
                self.ticks += ticks;
                self.take(walker, *id, &moves, &mut targets);
                targets.sort_unstable();
                targets.dedup();
                let known = self.targets_of(*id);
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

    /// Takes in the ways that agents found. Whether one of them was not known.
    pub(crate) fn learn(&mut self, ways: &[Way], ticks: u64) -> bool {
        let before = (self.extra.len(), self.places.len());
        self.ticks += ticks;
        for way in ways {
            let began = self.places.list[way.from as usize].ticks;
            let place = Place {
                position: way.position,
                parent: way.from,
                ticks: began.saturating_add(way.ticks),
                next: NONE,
                action: way.action,
                hold: Hold::Ground,
            };
            // Only what is as high is the same: an agent beside a ledge is not on it.
            let known = self.places.find(way.position, Hold::Ground).filter(|id| {
                let there = self.places.list[*id as usize].position;
                (there.y - way.position.y).abs() <= SAME
            });
            let to = known.unwrap_or_else(|| self.places.add(place));
            if to != way.from && !self.targets_of(way.from).contains(&to) {
                self.extra.push([way.from, to]);
            }
        }
        self.extra.sort_unstable();
        self.extra.dedup();
        before != (self.extra.len(), self.places.len())
    }

    pub(crate) fn targets_of(&self, id: u32) -> &[u32] {
        let i = id as usize;
        if i + 1 >= self.starts.len() {
            return &[];
        }
        &self.targets[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// What comes of leaving each place, and the ticks; `None` where a stop came first.
    fn leave(&self, walker: &Walker<'_>, ids: &[u32], effort: Effort) -> Vec<Option<Left>> {
        let place = |id: &u32| self.places.list[*id as usize];
        let Some(tiled) = walker.level.tiles() else {
            let ids = ids.par_iter();
            return ids
                .map_init(|| walker.legs(), |legs, id| leave(walker, legs, &place(id), effort))
                .collect();
        };
        // Tile by tile, so that each is read once for all of its places.
        let grid = tiled.folder().level().grid;
        let mut order: Vec<(u32, u32)> = ids.iter().copied().zip(0..).collect();
        order.sort_by_cached_key(|(id, number)| {
            let at = place(id).position;
            (grid.square(at.x, at.z), *number)
        });
        let each = order.par_iter().map_init(
            || walker.legs(),
            |legs, (id, number)| (*number, leave(walker, legs, &place(id), effort)),
        );
        let mut left: Vec<(u32, Option<Left>)> = each.collect();
        left.sort_unstable_by_key(|(number, _)| *number);
        left.into_iter().map(|(_, left)| left).collect()
    }

    fn take(&mut self, walker: &Walker<'_>, id: u32, moves: &[Move], targets: &mut Vec<u32>) {
        let ticks = self.places.list[id as usize].ticks;
        let cell = self.places.cell();
        // Falls through the same cell are one; a place between two holes has two.
        let mut falls: Vec<[i32; 2]> = Vec::new();
        let (mut snagged, mut died) = (false, false);
        for made in moves {
            let action = made.action;
            let ticks = ticks.saturating_add(made.ticks);
            let mut tell = |kind, position, exit| {
                self.events.push(Event { place: id, action, kind, position, exit, ticks });
            };
            // Once is enough.
            if made.is_snag && !std::mem::replace(&mut snagged, true) {
                tell(EventKind::Snag, made.position, self.places.list[id as usize].position);
            }
            match made.end {
                End::At(hold) => {
                    let place =
                        Place { position: made.position, parent: id, ticks, next: NONE, action, hold };
                    targets.push(self.enter(walker, place).0);
                }
                End::FellOut => {
                    let through = crate::places::column(made.exit, cell);
                    if !falls.contains(&through) {
                        falls.push(through);
                        tell(EventKind::FellOut, made.supported, made.exit);
                    }
                }
                // A body that dies has no place; once is enough.
                End::Killed if !std::mem::replace(&mut died, true) => {
                    tell(EventKind::Died, made.supported, made.position);
                }
                End::Killed => {}
            }
        }
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        self.places.memory()
            + 4 * (self.starts.capacity() + self.targets.capacity() + 2 * self.extra.capacity())
            + self.events.capacity() * size_of::<Event>()
    }
}

/// Leaves a place in all directions; with the ticks that it took. Beside what moves it is left at many
/// moments. `None` after a stop.
fn leave(walker: &Walker<'_>, legs: &mut Legs, place: &Place, effort: Effort) -> Option<Left> {
    let left = Left { moves: Vec::with_capacity(usize::from(USUAL)), ticks: 0, gave_up: false };
    let mut leaving = Leaving { walker, place, effort, left };
    walker.put_at(legs, place);
    leaving.all_ways(legs, 0)?;
    if effort == Effort::Usual && walker.is_beside_movers(place.position) {
        leaving.later(legs)?;
    }
    Some(leaving.left)
}

/// A place that is being left.
struct Leaving<'a, 'b> {
    walker: &'a Walker<'b>,
    place: &'a Place,
    effort: Effort,
    left: Left,
}

/// What came of leaving a place.
struct Left {
    moves: Vec<Move>,
    ticks: u64,
    /// Whether it cost too much: not all directions were tried, or not all moments.
    gave_up: bool,
}

impl Leaving<'_, '_> {
    /// In all directions from where the body is now, as it is.
    fn all_ways(&mut self, legs: &mut Legs, moment: u16) -> Option<()> {
        let Self { walker, place, effort, .. } = *self;
        let start = (legs.hero, legs.now);
        let at = legs.hero.position();
        let stands = place.hold.stands();
        let jumps = walker.rules.jump > 0.0 && stands;
        let is_wet = walker.level.volumes.is_in_water(&legs.hero);
        let stride = if effort == Effort::All { 1 } else { usize::from(DIRECTIONS / USUAL) };
        let before = self.left.ticks;
        for direction in (0..DIRECTIONS).step_by(stride) {
            if self.left.ticks - before > MOST_TICKS {
                self.left.gave_up = true;
                break;
            }
            if walker.stop.is_set() {
                return None;
            }
            let mut act = |action: Action| {
                walker.set(legs, start);
                let trip = walker.go(legs, action, &mut |_| ());
                self.left.ticks += u64::from(trip.ticks);
                // Stopped on the ground, or off it and on again without getting on.
                let is_walk = action == Action::Walk(direction) && stands;
                let is_thrown_back = trip.leaves_ground && walker.gets_nowhere(at, &trip, direction);
                let hindered = is_walk && (trip.is_stopped || is_thrown_back);
                let hangs = if is_thrown_back { at } else { trip.position };
                let is_snag = hindered && walker.is_snag(legs, hangs, direction);
                let Trip { end, position, supported, exit, ticks, .. } = trip;
                let ticks = start.1.saturating_sub(place.ticks) + ticks;
                let action = action.code_at(moment);
                self.left.moves.push(Move { action, end, position, supported, exit, ticks, is_snag });
                trip
            };
            let walk = act(Action::Walk(direction));
            if walk.leaves_ground {
                act(Action::Drop(direction));
            }
            let hindered = walk.progress < 0.5 && !walk.leaves_ground;
            if jumps && walk.leaves_ground {
                act(Action::Leap(direction));
            } else if is_wet || jumps && hindered && walker.may_jump_over(walk.position, direction) {
                act(Action::Jump(direction));
            }
        }
        Some(())
    }

    /// Waits, and leaves whenever something near has moved; until it is carried off, killed or crushed, or
    /// all has been seen.
    fn later(&mut self, legs: &mut Legs) -> Option<()> {
        let Self { walker, place, .. } = *self;
        walker.put_at(legs, place);
        let mut last = legs.now;
        for moment in 1..=walker.level.movers().moments(walker.rules.dt) {
            let before = legs.now;
            if !walker.wait(legs, 1, &mut |_| ()) {
                break;
            }
            self.left.ticks += u64::from(legs.now - before);
            let waited = (legs.hero, legs.now);
            if !self.is_there(legs) {
                // Carried off: where it comes to stand is another place.
                let trip = walker.go(legs, Action::Settle, &mut |_| ());
                let Trip { end, position, supported, exit, .. } = trip;
                let ticks = waited.1 - place.ticks + trip.ticks;
                let action = Action::Settle.code_at(moment);
                self.left.moves.push(Move { action, end, position, supported, exit, ticks, is_snag: false });
                break;
            }
            if self.left.ticks > MOST_WAITING {
                self.left.gave_up = true;
                break;
            }
            if walker.differs(place.position, [last, legs.now]) {
                last = legs.now;
                self.all_ways(legs, moment)?;
                walker.set(legs, waited);
            }
        }
        Some(())
    }

    /// Whether the body is still where it began, or rides on what it began on.
    fn is_there(&self, legs: &Legs) -> bool {
        let (walker, place) = (self.walker, self.place);
        let at = legs.hero.position();
        match place.hold {
            Hold::Caught => (at - place.position).length_squared() < SAME * SAME,
            hold if legs.hero.ground().is_none() || walker.ground(legs) != hold => false,
            Hold::On(number) => {
                let (then, now) =
                    (walker.on(number, place.position, place.ticks), walker.on(number, at, legs.now));
                (now - then).length_squared() < walker.rules.cell() * walker.rules.cell()
            }
            Hold::Ground => (at - place.position).length_squared() < SAME * SAME,
        }
    }
}
