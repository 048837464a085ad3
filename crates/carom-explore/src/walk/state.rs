//! The character that a worker moves, and the world around it. It is used again for every action.

use std::sync::Arc;

use carom::world::Neighborhood;
use carom::{Character, World};
use glam::DVec3;

use crate::flood::places::Place;
use crate::ground::LoadedTile;
use crate::walk::Walker;
use crate::walk::trip::Trip;

/// Cells around that are gathered with each place: enough for a walk out of it.
const ROOM: f64 = 1.0;

/// A character in its level.
pub(crate) struct WalkState {
    pub(crate) hero: Character,
    /// The gathered surroundings of it in a world at rest.
    pub(crate) near: Neighborhood,
    /// Whether a volume has killed it.
    pub(crate) is_over: bool,
    /// Whether it stands by an edge at its side.
    pub(crate) is_on_edge: bool,
    /// Whether it stands on the sky.
    pub(crate) is_on_sky: bool,
    /// Whether a volume pushed it in the last tick.
    pub(crate) is_pushed: bool,
    /// The centers of a flight.
    pub(crate) flight: Vec<DVec3>,
    /// The tick that has ended, counted from the start of the scene.
    pub(crate) now: u32,
    /// The moving bodies, in a level that has any.
    pub(crate) moving: Option<Box<MovingWorld>>,
    /// Where it is in a level in tiles.
    pub(crate) tile: Option<Arc<LoadedTile>>,
    /// Where the last walk left the ground, if it did.
    pub(crate) edge: Option<Edge>,
}

/// The world of a level in which something moves.
pub(crate) struct MovingWorld {
    pub(crate) world: World,
    pub(crate) near: Neighborhood,
    /// The tick whose end it shows.
    pub(crate) now: u32,
}

/// The character at the end of a tick, to go on from there again.
#[derive(Clone, Copy)]
pub(crate) struct Saved {
    pub(crate) hero: Character,
    pub(crate) now: u32,
}

/// Where a walk leaves the ground.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) heading: DVec3,
    /// Before the step that leaves it.
    pub(crate) before: Midway,
    /// After that step.
    pub(crate) after: Midway,
}

/// A character in the middle of an action, and how the action has gone until then.
#[derive(Clone, Copy)]
pub(crate) struct Midway {
    pub(crate) saved: Saved,
    pub(crate) trip: Trip,
}

impl WalkState {
    pub(crate) fn save(&self) -> Saved {
        Saved { hero: self.hero, now: self.now }
    }

    pub(crate) fn restore(&mut self, saved: Saved) {
        (self.hero, self.now, self.is_over) = (saved.hero, saved.now, false);
    }
}

impl Walker<'_> {
    /// A character at rest at the origin, to be put somewhere.
    pub(crate) fn state(&self) -> WalkState {
        WalkState {
            hero: self.hero,
            near: self.nothing_near(),
            is_over: false,
            is_on_edge: false,
            is_on_sky: false,
            is_pushed: false,
            flight: Vec::new(),
            now: 0,
            moving: (!self.level.movers().is_empty()).then(|| {
                let world = self.level.movers().world().clone();
                Box::new(MovingWorld { world, near: Neighborhood::new(), now: 0 })
            }),
            tile: None,
            edge: None,
        }
    }

    /// A neighborhood that has nothing in it yet.
    pub(crate) fn nothing_near(&self) -> Neighborhood {
        Neighborhood::in_still_world(ROOM * self.cell)
    }

    /// Puts a body at a place, at rest, at the time at which that was found.
    pub(crate) fn put_at(&self, state: &mut WalkState, place: &Place) {
        state.now = place.ticks;
        self.put(state, place.position);
    }

    /// Puts a body somewhere, at rest.
    pub(crate) fn put(&self, state: &mut WalkState, position: DVec3) {
        state.hero = self.hero;
        state.is_over = false;
        // Places are finite: the character has been there.
        let _ = state.hero.teleport(position);
    }
}
