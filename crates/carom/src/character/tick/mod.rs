//! One tick of a character.
//!
//! Source: `docs/steps.md`, `docs/movers.md`. This file has the start and the end of a tick. `walk` and
//! `climb` move on the ground, `air` moves in the air and `steep` down steep faces, `look` queries the
//! surroundings, `neighbors` finds the other characters, and `context` gathers what is near. The order is:
//! ground, carry, depenetrate, walk, step, snap or fall, report. The walk takes place while the bodies around
//! move; everything after it takes place among bodies at their final poses. Gravity uses the trapezoid rule,
//! which is exact for a parabola: a jump is equally high at any tick rate. Cost: usually one to three sweeps.
//! It never gives up: the report says what could not be done.

mod air;
mod clear;
mod climb;
mod context;
mod crowded;
mod crush;
mod look;
mod neighbors;
mod open_air;
mod press;
mod steep;
mod walk;
mod wanted;

use arrayvec::ArrayVec;
use glam::DVec3;

pub(super) use self::context::{Outputs, TickWorld};
use self::context::{TickContext, contact_distance, is_in_range, snap_distance};
pub(super) use self::wanted::{expected, wanted};
use super::character_obstacles::SeparatingPlane;
use super::report::{Ground, Obstacle, Outcome, Report, Touched};
use super::stack::{Below, Flags};
use super::support::{Contacts, GroundRules, feet};
use super::{Character, Input, Settings, State, TickInput};
use crate::num::bound::{APPROACH, reach};
use crate::respond::WorldObstacles;
use crate::shape::{Aabb, Mover};
use crate::trace::{Decision, Event, Stage, Trace};
use crate::world::{Body, BodyId, Neighborhood, SweepExtent, World};

/// The most characters that it keeps clear of; the nearest count.
const SIDES: usize = 24;

/// Computes the tick, and writes the report in place, because it is too large to be moved.
pub(super) fn step(
    character: &mut Character,
    place: TickWorld<'_>,
    given: TickInput<'_>,
    outputs: Outputs<'_, impl Trace<Obstacle>>,
) {
    let Outputs { trace, report } = outputs;
    let TickWorld { world, near } = place;
    let start = character.state;
    let user_data = character.user_data;
    let Character { state, settings, .. } = character;
    let settings = &*settings;
    let sane = given.dt.is_finite()
        && given.dt > 0.0
        && given.input.desired_velocity.is_none_or(DVec3::is_finite)
        && given.input.jump.is_none_or(f64::is_finite)
        && is_in_range(state, settings, &given);
    // Too large to be moved about.
    let grown = state.shape.grown(settings.skin_of(&state.shape));
    let done = grown.as_ref().is_ok_and(|mover| {
        if !sane {
            return false;
        }
        let mut context = TickContext { world, settings, mover, given, near: &mut *near, stay: None };
        context.gather(state);
        let check = (cfg!(debug_assertions) && is_checked(state)).then_some(*state);
        let is_done = clear::step(state, &mut context, trace, report)
            || open_air::step(state, &mut context, trace, report);
        if is_done {
            if let Some(mut checked) = check {
                let mut whole_report = *report;
                let done = whole(&mut checked, context, &mut (), &mut whole_report);
                debug_assert!(done && (checked, whole_report) == (*state, *report), "not the whole tick");
            }
            return true;
        }
        whole(state, context, trace, report)
    });
    if !done {
        // The last place is the best that is known.
        trace.event(&Event::Decided(Decision::Refuses));
        let velocity = if sane { DVec3::ZERO } else { start.velocity };
        *state = State { previous: start.position, velocity, ..start };
        report.begin(start.position, velocity);
        report.ground = start.ground;
        report.ground_user_data = match start.ground.map(|ground| ground.obstacle) {
            Some(Obstacle::Body(part)) => world.body(part.body).map_or(0, Body::user_data),
            Some(Obstacle::Character(_)) | None => 0,
        };
        report.outcome = Outcome::Refused;
    }
    report.user_data = user_data;
}

/// Whether a debug build also computes a shorter tick in full, to compare the two. The bits of the position
/// choose one in eight, the same ones in every run.
fn is_checked(state: &State) -> bool {
    let bits = state.position.to_array().map(f64::to_bits);
    (bits[0] ^ bits[1] ^ bits[2]).count_ones().is_multiple_of(8)
}

/// Computes the full tick. False if its numbers leave the range of f64.
fn whole(
    state: &mut State,
    mut context: TickContext<'_>,
    trace: &mut impl Trace<Obstacle>,
    report: &mut Report,
) -> bool {
    let mut tables = Tables::new();
    let mut tick = Tick::new(state, &mut context, &mut tables, Outputs { trace, report });
    tick.run();
    let (ended, distance) = (tick.at, tick.ground_rules.contact_distance);
    tick.finish();
    let finite = state.position.is_finite() && state.velocity.is_finite() && state.inherited.is_finite();
    if !finite {
        return false;
    }
    // 0 and −0 are the same place, but the bits of contacts may differ.
    let bits = |v: DVec3| v.to_array().map(f64::to_bits);
    if tables.seen.is_whole() && bits(ended) == bits(state.position) {
        let query = context.contacts_around(state.position, distance);
        context.near.remember(context.world, &query, tables.seen.of_bodies());
    }
    true
}

/// Finds the ground of a character that was just placed, as its next tick would, and keeps the contacts there
/// for the ticks that begin there.
pub(super) fn find_ground(character: &mut Character, place: TickWorld<'_>, dt: f64) {
    let TickWorld { world, near } = place;
    let Character { state, settings, .. } = character;
    let skin = settings.skin_of(&state.shape);
    let Ok(mover) = state.shape.grown(skin) else { return };
    let given = TickInput::new(Input::IDLE, dt);
    let mut context = TickContext { world, settings, mover: &mover, given, near, stay: None };
    context.gather(state);
    if state.is_ground_known || context.stay.is_none() {
        return;
    }
    let mut report = Report::new(state.position, state.velocity);
    let mut tables = Tables::new();
    let outputs = Outputs { trace: &mut (), report: &mut report };
    let mut tick = Tick::new(state, &mut context, &mut tables, outputs);
    tick.probe();
    let ground = tick.ground;
    state.ground = ground;
    if tables.seen.is_whole() {
        let query = context.contacts_around(state.position, contact_distance(skin));
        context.near.keep_place(world, &query, tables.seen.of_bodies());
    }
}

/// Data that is too large to be moved with a tick.
struct Tables {
    seen: Contacts,
    sides: ArrayVec<SeparatingPlane, SIDES>,
    passed: ArrayVec<SeparatingPlane, SIDES>,
}

impl Tables {
    fn new() -> Self {
        Self { seen: Contacts::new(), sides: ArrayVec::new(), passed: ArrayVec::new() }
    }
}

/// The input of a contact query.
#[derive(Clone, Copy)]
struct Seen {
    at: DVec3,
    time: f64,
    carrier: Option<BodyId>,
}

pub(super) struct Tick<'a, T> {
    state: &'a mut State,
    settings: &'a Settings,
    /// The state at the end of the tick.
    around: WorldObstacles<'a>,
    pub(super) ground_rules: GroundRules,
    world: &'a World,
    near: &'a Neighborhood,
    /// The region that most queries are about; `None` beyond the range of f64.
    mostly: Option<Aabb>,
    sides: &'a mut ArrayVec<SeparatingPlane, SIDES>,
    /// The sides against characters that it overlaps and passes through in this tick.
    passed: &'a mut ArrayVec<SeparatingPlane, SIDES>,
    input: Input,
    dt: f64,
    trace: &'a mut T,
    report: &'a mut Report,
    pub(super) at: DVec3,
    /// The contacts of the last query, and the query.
    seen: &'a mut Contacts,
    seen_at: Option<Seen>,
    /// Whether a slide of this tick has touched a body that moves. Bodies that move and touch nothing change
    /// nothing.
    has_met: bool,
    /// How much of it moving bodies hit: more while a motion is tried that must not meet any.
    extent: SweepExtent,
    ground: Option<Ground>,
    /// The ground that an unfinished step leads to, at the end of the tick, if it is half way up.
    pub(super) ahead: Option<Ground>,
    /// Whether a step is tried: then characters on its head are ignored.
    is_stepping: bool,
    /// The velocity of the ground in this tick.
    carried: DVec3,
    below: Below,
    /// The further translation by which those push it.
    pushed: DVec3,
    /// The limit of its own motion: infinite, except out of a crush.
    most: f64,
    /// The share of its own motion that is left when it has escaped from a crush.
    rest: f64,
    /// The distance that it has escaped.
    escaped: f64,
}

impl<'a, T: Trace<Obstacle>> Tick<'a, T> {
    fn new(
        state: &'a mut State,
        context: &'a mut TickContext<'_>,
        tables: &'a mut Tables,
        outputs: Outputs<'a, T>,
    ) -> Self {
        let TickContext { world, settings, mover, ref mut near, ref stay, given } = *context;
        let TickInput { neighbors, input, dt, number } = given;
        let Tables { seen, sides, passed } = tables;
        let Outputs { trace, report } = outputs;
        let skin = settings.skin_of(&state.shape);
        let (at, feet) = (state.position, feet(mover, settings.up));
        let ground_rules = GroundRules {
            up: settings.up,
            least_upright: settings.least_upright(),
            feet,
            // A capsule whose radius is the height of a step touches walls exactly there.
            highest: settings.step_height + skin + APPROACH * (reach(at) + feet),
            friction: settings.friction,
            contact_distance: contact_distance(skin),
        };
        let near: &'a Neighborhood = near;
        report.begin(at, state.velocity);
        let mut tick = Self {
            report,
            ground: state.ground,
            ahead: None,
            is_stepping: false,
            carried: DVec3::ZERO,
            below: Below::NOTHING,
            pushed: DVec3::ZERO,
            most: f64::INFINITY,
            rest: 1.0,
            escaped: 0.0,
            sides,
            passed,
            state,
            settings,
            around: WorldObstacles::new(world, *mover, settings.collides_with).within(near),
            ground_rules,
            world,
            near,
            mostly: stay.as_ref().map(|stay| stay.mostly),
            input,
            dt,
            trace,
            at,
            seen,
            seen_at: None,
            has_met: false,
            extent: SweepExtent::Usual,
        };
        tick.keep_sides(number, neighbors);
        tick
    }

    fn run(&mut self) {
        self.state.previous = self.at;
        self.state.flags.set(Flags::STOPPED, false);
        if !self.state.is_ground_known {
            self.probe();
        }
        let is_launched = core::mem::take(&mut self.state.is_launched);
        let flies = self.settings.gravity == DVec3::ZERO;
        if is_launched || flies {
            self.ground = None;
        }
        if !self.free() {
            self.meet_passed();
            return self.stay();
        }
        self.carried = self.ground_velocity();
        if self.ground.is_some() && (self.jumps() || self.ground_falls_away()) {
            self.ground = None;
        }
        match self.ground {
            Some(ground) => self.walk(ground),
            None => self.fly(),
        }
        self.meet_passed();
        self.report_overlaps();
    }

    /// Is there ground at its new place?
    fn probe(&mut self) {
        self.trace.event(&Event::Stage(Stage::Probe));
        self.state.is_ground_known = true;
        // A character that was placed here, and not thrown, moves with its ground.
        let velocity = Some(self.state.velocity).filter(|velocity| *velocity != DVec3::ZERO);
        self.ground = self.support_for(self.at, 0.0, velocity).map(|support| support.ground);
        // Its ground carries it from the first tick on.
        self.state.inherited = DVec3::ZERO;
    }

    /// The velocity of the ground in this tick at the character, in m/s: of the body, and along its surface.
    fn ground_velocity(&self) -> DVec3 {
        let Some(ground) = self.ground else { return DVec3::ZERO };
        let borne = self.borne() / self.dt;
        let Some(body) = self.ground_body() else { return borne };
        if ground.obstacle.body().is_none() {
            return body.displacement(self.at, [0.0, 1.0]) / self.dt + borne;
        }
        let run = body.surface_velocity();
        let along = run - ground.normal * ground.normal.dot(run);
        body.displacement(self.at, [0.0, 1.0]) / self.dt + along
    }

    fn ground_body(&self) -> Option<&'a Body> {
        self.carrier().or(self.ridden().body).and_then(|id| self.world.body(id))
    }

    fn snap_distance(&self) -> f64 {
        snap_distance(self.settings, self.skin())
    }

    pub(super) fn skin(&self) -> f64 {
        self.settings.skin_of(&self.state.shape)
    }

    pub(super) fn step_height(&self) -> f64 {
        self.settings.step_height
    }

    pub(super) fn mover(&self) -> &Mover {
        self.around.mover()
    }

    fn finish(mut self) {
        self.look(self.at, 1.0);
        let Self { state, report, seen, ground_rules, sides, input, world, ahead, .. } = self;
        state.flags.set(Flags::CLIMBS, ahead.is_some());
        state.flags.set(Flags::CRUSHED, report.crushed());
        if let Some(desired_velocity) = input.desired_velocity {
            // A character on its head does not stop it.
            let stops = |side: &&SeparatingPlane| !side.bears && side.stops(state.position, desired_velocity);
            let is_stopped = state.flags.has(Flags::STOPPED) && sides.iter().any(|side| stops(&side));
            state.flags.set(Flags::STOPPED, is_stopped);
        }
        let rests = seen.iter().any(|touch| {
            let is_upright = touch.contact.normal.dot(ground_rules.up) >= ground_rules.least_upright;
            touch.key.body().is_none() && is_upright
        });
        state.flags.set(Flags::RESTS, rests);
        state.position = self.at + DVec3::ZERO;
        state.velocity += DVec3::ZERO;
        state.ground = self.ground;
        report.position = state.position;
        report.velocity = state.velocity;
        report.ground = self.ground;
        let user_data = |obstacle: Obstacle| match obstacle {
            Obstacle::Body(part) => world.body(part.body).map_or(0, Body::user_data),
            Obstacle::Character(number) => {
                sides.iter().find(|side| side.character == number).map_or(0, |side| side.user_data)
            }
        };
        report.ground_user_data = self.ground.map_or(0, |ground| user_data(ground.obstacle));
        report.number_crushing(user_data);
        seen.distinct(|touch| {
            report.add_touched(Touched::new(touch.key, &touch.contact, user_data(touch.key)));
        });
    }
}
