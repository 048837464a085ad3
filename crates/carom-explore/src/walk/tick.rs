//! One tick of a character in its level: volumes before, the character's own step, volumes after.

use std::sync::Arc;

use carom::character::{Input, Report, TickInput};
use carom::world::Neighborhood;
use carom::{Character, World};
use glam::DVec3;

use crate::flood::places::Hold;
use crate::ground::{Ground, LoadedTile};
use crate::walk::Walker;
use crate::walk::state::WalkState;

impl Walker<'_> {
    /// How far from its center, seen from above, a body may touch anything in a tick: as far as it goes and
    /// looks, twice, and as far as it may be pushed out of what it is in.
    pub(crate) fn tick_reach(&self, hero: &Character) -> f64 {
        let settings = &self.rules.settings;
        let fastest = hero.velocity().length() + self.rules.speed + self.rules.jump;
        let way = (fastest + settings.gravity.length() * self.rules.dt) * self.rules.dt;
        let half = self.grown.bounds().half_extents();
        2.0 * (way + 4.0 * hero.skin()) + 8.0 * half.x.max(half.z)
    }

    pub(crate) fn tick(
        &self,
        state: &mut WalkState,
        mut input: Input,
        record: &mut impl FnMut(Input),
    ) -> Report {
        record(input);
        let volumes = &self.level.volumes;
        volumes.before(&mut state.hero, &mut input, self.rules.speed);
        let from = state.hero.position();
        state.now = state.now.saturating_add(1);
        let dt = self.rules.dt;
        let movers = self.level.movers();
        let mut report = match &mut state.moving {
            Some(moving) if movers.is_near(from, self.reach) => {
                if moving.now.saturating_add(1) != state.now {
                    movers.put(&mut moving.world, f64::from(state.now - 1) * dt);
                }
                movers.advance(&mut moving.world, f64::from(state.now) * dt, dt);
                moving.now = state.now;
                state.hero.step_with(&moving.world, TickInput::new(input, dt), &mut moving.near, &mut ())
            }
            _ => {
                let WalkState { hero, near, tile, .. } = state;
                let world = self.still_world(hero, near, tile);
                hero.step_with(world, TickInput::new(input, dt), near, &mut ())
            }
        };
        state.is_on_edge = !report.touched().any(|touched| touched.normal.y >= self.least_upright);
        let entered = volumes.after(&mut state.hero, from);
        if entered.is_elsewhere || entered.is_pushed {
            report.position = state.hero.position();
            report.ground = None;
        }
        state.is_over |= entered.over.is_some();
        state.is_pushed = entered.is_pushed;
        state.is_on_sky = report.ground.as_ref().is_some_and(|ground| self.level.is_ground_sky(ground));
        report
    }

    /// The bodies at rest around a character.
    fn still_world<'b>(
        &'b self,
        hero: &Character,
        near: &mut Neighborhood,
        tile: &'b mut Option<Arc<LoadedTile>>,
    ) -> &'b World {
        match self.level.ground() {
            Ground::Whole { world, .. } => world,
            Ground::Tiled(tiled) => {
                let (from, reach) = (hero.position(), self.tick_reach(hero));
                if tile.as_ref().is_none_or(|tile| !tile.knows(from, reach)) {
                    // The gathered data is of the tile that it leaves.
                    *near = self.nothing_near();
                    *tile = None;
                }
                &tile.get_or_insert_with(|| tiled.around(from, reach)).world
            }
        }
    }

    /// Finds what a body stands on where it was put: many ways begin there. Not where something moves or
    /// volumes push: those come first.
    pub(crate) fn find_ground(&self, state: &mut WalkState) {
        if state.moving.is_none() && self.level.volumes.is_empty() {
            let WalkState { hero, near, tile, .. } = state;
            let world = self.still_world(hero, near, tile);
            hero.find_ground(world, self.rules.dt, near);
        }
    }

    /// Waits for a number of moments without moving; `false` if something has killed or crushed the body.
    pub(crate) fn wait(&self, state: &mut WalkState, moments: u16, record: &mut impl FnMut(Input)) -> bool {
        let ticks = u32::from(moments) * self.level.movers().stride(self.rules.dt);
        (0..ticks).all(|_| {
            let report = self.tick(state, Input::walk(DVec3::ZERO), record);
            !report.crushed() && !state.is_over && report.position.y >= self.beneath
        })
    }

    /// On which body that moves it stands.
    pub(crate) fn ride(&self, state: &WalkState) -> Option<u8> {
        state.moving.as_ref()?;
        self.level.movers().number(state.hero.ground().and_then(|ground| ground.obstacle.body()))
    }

    /// The support of a body on the ground.
    pub(crate) fn ground(&self, state: &WalkState) -> Hold {
        let still = if state.is_on_edge { Hold::Edge } else { Hold::Ground };
        self.ride(state).map_or(still, Hold::On)
    }
}
