//! One place, left in all directions: the events there, and the places where bodies came to rest.
//!
//! It depends on the place alone, so places can be left in any order, by any thread, on any machine.

use glam::DVec3;

use crate::flood::event::{Event, EventKind};
use crate::flood::places::{Hold, NONE, Place, column};
use crate::rules::limits::MOST_TICKS;
use crate::walk::Walker;
use crate::walk::action::{Action, DIRECTIONS, FEW, USUAL};
use crate::walk::state::{Saved, WalkState};
use crate::walk::trip::{End, Trip};

/// All moments of a place beside something that moves cost no more ticks than this.
const MOST_WAITING: u64 = 60_000;

/// An agent is at a place if their heights differ by at most this, in meters.
pub(crate) const SAME: f64 = 0.05;

/// The result of an action at a place.
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
pub(crate) enum Effort {
    /// In the few directions, and unless all of these walks are free in the usual ones; jumps only where a
    /// walk is hindered or leads over an edge.
    Usual,
    /// In all directions.
    All,
}

/// The result of leaving a place.
pub(crate) struct Left {
    /// The events there.
    pub(crate) events: Vec<Event>,
    /// Where bodies came to stand, in the order of what they did: its number here is a move's number.
    pub(crate) places: Vec<Place>,
    pub(crate) ticks: u64,
}

/// A place and its number.
#[derive(Clone, Copy)]
pub(crate) struct NumberedPlace<'a> {
    pub(crate) id: u32,
    pub(crate) place: &'a Place,
}

/// Leaves a place in all directions. Beside what moves it is left at many moments.
/// `None` after a stop.
pub(crate) fn leave(
    walker: &Walker<'_>,
    state: &mut WalkState,
    from: NumberedPlace<'_>,
    effort: Effort,
) -> Option<Left> {
    let NumberedPlace { id, place } = from;
    let moves = Vec::with_capacity(usize::from(USUAL));
    let mut leaving = Leaving { walker, place, effort, moves, ticks: 0, gave_up: false };
    walker.put_at(state, place);
    walker.find_ground(state);
    leaving.all_ways(state, 0)?;
    if effort == Effort::Usual && walker.is_beside_movers(place.position) {
        leaving.later(state)?;
    }
    let Leaving { moves, ticks, gave_up, .. } = leaving;
    let mut left = outcome(from, &moves, walker.rules.cell());
    left.ticks = ticks;
    if gave_up && effort == Effort::Usual {
        let (kind, position) = (EventKind::GaveUp, place.position);
        left.events.insert(0, Event { place: id, action: 0, kind, position, exit: position, ticks: 0 });
    }
    Some(left)
}

/// The events and new places that these moves make.
fn outcome(NumberedPlace { id, place }: NumberedPlace<'_>, moves: &[Move], cell: f64) -> Left {
    let mut left = Left { events: Vec::new(), places: Vec::with_capacity(moves.len()), ticks: 0 };
    // Falls through the same cell are one; a place between two holes has two.
    let mut falls: Vec<[i32; 2]> = Vec::new();
    let (mut snagged, mut died) = (false, false);
    for made in moves {
        let action = made.action;
        let ticks = place.ticks.saturating_add(made.ticks);
        let mut tell = |kind, position, exit| {
            left.events.push(Event { place: id, action, kind, position, exit, ticks });
        };
        // Once is enough.
        if made.is_snag && !std::mem::replace(&mut snagged, true) {
            tell(EventKind::Snag, made.position, place.position);
        }
        match made.end {
            End::At(hold) => {
                let position = made.position;
                left.places.push(Place { position, parent: id, ticks, next: NONE, action, hold });
            }
            End::FellOut => {
                let through = column(made.exit, cell);
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
    left
}

/// A place that is being left.
struct Leaving<'a, 'b> {
    walker: &'a Walker<'b>,
    place: &'a Place,
    effort: Effort,
    moves: Vec<Move>,
    ticks: u64,
    /// Whether it cost too much: not all directions were tried, or not all moments.
    gave_up: bool,
}

/// When and how a body leaves a place.
struct Moment {
    saved: Saved,
    number: u16,
    /// No direction is begun after this many ticks.
    most: u64,
}

impl Leaving<'_, '_> {
    /// In all directions from where the body is now, as it is.
    fn all_ways(&mut self, state: &mut WalkState, moment: u16) -> Option<()> {
        let from = Moment { saved: state.save(), number: moment, most: self.ticks + MOST_TICKS };
        let every = |step: u16, first: u16| (first..DIRECTIONS).step_by(usize::from(step));
        if self.effort == Effort::All {
            self.ways(state, &from, every(1, 0))?;
        } else if !self.ways(state, &from, every(DIRECTIONS / FEW, 0))? {
            self.ways(state, &from, every(DIRECTIONS / FEW, DIRECTIONS / USUAL))?;
        }
        Some(())
    }

    /// In some directions; whether the body stands and walks freely in each of them.
    fn ways(
        &mut self,
        state: &mut WalkState,
        from: &Moment,
        directions: impl Iterator<Item = u16>,
    ) -> Option<bool> {
        let Self { walker, place, .. } = *self;
        let Saved { hero, now } = from.saved;
        let at = hero.position();
        let stands = place.hold.stands();
        let jumps = walker.rules.jump > 0.0 && stands;
        let is_wet = walker.level.volumes.is_in_water(&hero);
        let mut is_open = stands;
        for direction in directions {
            if self.ticks > from.most {
                self.gave_up = true;
                break;
            }
            if walker.stop.is_set() {
                return None;
            }
            let mut edge = None;
            let mut act = |action: Action| {
                let gone_on = edge.as_ref().and_then(|edge| walker.go_on(state, edge, action));
                let trip = gone_on.unwrap_or_else(|| {
                    state.restore(from.saved);
                    walker.go(state, action, &mut |_| ())
                });
                edge = edge.or(state.edge.take());
                self.ticks += u64::from(trip.ticks);
                // Stopped on the ground, or off it and on again without getting on.
                let is_walk = action == Action::Walk(direction) && stands;
                let is_thrown_back = trip.leaves_ground && walker.gets_nowhere(at, &trip, direction);
                let hindered = is_walk && (trip.is_stopped || is_thrown_back);
                let hangs = if is_thrown_back { at } else { trip.position };
                let is_snag = hindered && walker.is_snag(state, hangs, direction);
                let Trip { end, position, supported, exit, ticks, .. } = trip;
                let ticks = now.saturating_sub(place.ticks) + ticks;
                let action = action.code_at(from.number);
                self.moves.push(Move { action, end, position, supported, exit, ticks, is_snag });
                trip
            };
            let walk = act(Action::Walk(direction));
            is_open &= walk.is_free() || is_wet && walker.swims_freely(at, &walk, direction);
            if walk.leaves_ground {
                act(Action::Drop(direction));
            }
            let hindered = walk.progress < 0.5 && !walk.leaves_ground;
            if jumps && walk.leaves_ground {
                // A body that swims rises without a jump.
                if !is_wet {
                    act(Action::Leap(direction));
                }
            } else if is_wet || jumps && hindered && walker.may_jump_over(walk.position, direction) {
                act(Action::Jump(direction));
            }
        }
        Some(is_open)
    }

    /// Waits, and leaves whenever something near has moved; until it is carried off, killed or crushed, or
    /// all has been seen.
    fn later(&mut self, state: &mut WalkState) -> Option<()> {
        let Self { walker, place, .. } = *self;
        walker.put_at(state, place);
        let mut last = state.now;
        for moment in 1..=walker.level.movers().moments(walker.rules.dt) {
            let before = state.now;
            if !walker.wait(state, 1, &mut |_| ()) {
                break;
            }
            self.ticks += u64::from(state.now - before);
            let waited = state.save();
            if !self.is_there(state) {
                // Carried off: where it comes to stand is another place.
                let trip = walker.go(state, Action::Settle, &mut |_| ());
                let Trip { end, position, supported, exit, .. } = trip;
                let ticks = waited.now - place.ticks + trip.ticks;
                let action = Action::Settle.code_at(moment);
                self.moves.push(Move { action, end, position, supported, exit, ticks, is_snag: false });
                break;
            }
            if self.ticks > MOST_WAITING {
                self.gave_up = true;
                break;
            }
            if walker.differs(place.position, [last, state.now]) {
                last = state.now;
                self.all_ways(state, moment)?;
                state.restore(waited);
            }
        }
        Some(())
    }

    /// Whether the body is still where it began, or rides on what it began on.
    fn is_there(&self, state: &WalkState) -> bool {
        let (walker, place) = (self.walker, self.place);
        let at = state.hero.position();
        match place.hold {
            Hold::Caught => (at - place.position).length_squared() < SAME * SAME,
            Hold::On(_) if walker.ground(state) != place.hold => false,
            _ if state.hero.ground().is_none() => false,
            Hold::On(number) => {
                let (then, now) =
                    (walker.on(number, place.position, place.ticks), walker.on(number, at, state.now));
                (now - then).length_squared() < walker.rules.cell() * walker.rules.cell()
            }
            Hold::Ground | Hold::Edge => (at - place.position).length_squared() < SAME * SAME,
        }
    }
}
