//! Makes an action with a body at a place, and reports how it ended. Only the character moves the body, tick
//! by tick.
//!
//! A walk ends when the body stands in another cell, when it gets nowhere, or when it lands after leaving the
//! ground. In the air it keeps its desired velocity for [`AIR`] ticks, then has none. A drop has none as soon
//! as it is in the air. A body that a volume pushes while it does not steer flies on as it was thrown. One
//! that comes down where it was thrown up bounces there until it steers: its place is the top of the bounce,
//! where it is nearly at rest.

use std::sync::Arc;

use carom::character::{Input, Report, TickInput};
use carom::num::ops;
use carom::shape::Mover;
use carom::world::Neighborhood;
use carom::{Character, World};
use glam::DVec3;

use crate::action::{Action, DIRECTIONS};
use crate::error::ExploreError;
use crate::ground::{Ground, LoadedTile, TiledGround};
use crate::level::Level;
use crate::mind::Mind;
use crate::places::{Hold, Place, column};
use crate::rules::Rules;
use crate::stop::Stop;

/// Ticks for which a body in the air keeps its desired velocity.
const AIR: u32 = 120;
/// A body that has not landed after this many ticks, two minutes, never will.
const LONGEST: u32 = 3_600;
/// The same in a level with volumes.
const THROWN: u32 = 600;
/// A body in the air that has hardly moved for this many ticks hangs.
const REST: u32 = 30;
/// Less than this share of a wanted way is none.
const HARDLY: f64 = 0.02;

/// More than this share of a wanted way is all of it, on a slope.
const FREE: f64 = 0.7;

/// The error of a normal from f32 corners.
const ROUNDING: f64 = 1e-6;

/// Cells around that are gathered with each place: enough for a walk out of it.
const ROOM: f64 = 1.0;

/// How an action ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    /// Somewhere, perhaps where it began.
    At(Hold),
    /// Below the level, where it falls forever; or on the sky.
    FellOut,
    /// In a volume that kills, or outside of the bounds.
    Killed,
}

/// The result of an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Trip {
    pub(crate) end: End,
    /// The center at the end.
    pub(crate) position: DVec3,
    /// The last center that stood.
    pub(crate) supported: DVec3,
    /// Where a volume pushed the body last.
    pushed: Option<DVec3>,
    /// Of a fall out of the world, the first center below which there was nothing any more.
    pub(crate) exit: DVec3,
    pub(crate) ticks: u32,
    pub(crate) leaves_ground: bool,
    /// Whether a walk was stopped before it left its cell.
    pub(crate) is_stopped: bool,
    /// How far it came in its direction, as a share of how far it wanted.
    pub(crate) progress: f64,
}

impl Trip {
    /// Whether it led to another cell on the ground, past nothing.
    pub(crate) fn is_free(&self) -> bool {
        !self.leaves_ground && !self.is_stopped && matches!(self.end, End::At(_)) && self.progress > FREE
    }
}

/// Moves bodies through a level: the level, the rules, and what follows from the two.
#[derive(Debug)]
pub(crate) struct Walker<'a> {
    pub(crate) level: &'a Level,
    pub(crate) rules: &'a Rules,
    pub(crate) stop: Stop,
    hero: Character,
    pub(crate) grown: Mover,
    pub(crate) cell: f64,
    /// A center below this falls out of the world, whatever it wants.
    beneath: f64,
    /// How far a body reaches, with what it goes in a tick.
    pub(crate) reach: DVec3,
    /// A contact whose normal has a smaller upward part is an edge, or too steep.
    least_upright: f64,
    /// A walk that has not left its cell by then is stopped.
    pub(crate) patience: u32,
    pub(crate) headings: Vec<DVec3>,
}

/// A character that is used again and again.
pub(crate) struct Legs {
    pub(crate) hero: Character,
    near: Neighborhood,
    /// Whether a volume has killed it.
    is_over: bool,
    /// Whether it stands by an edge at its side.
    is_on_edge: bool,
    /// Whether it stands on the sky.
    pub(crate) is_on_sky: bool,
    /// Whether a volume pushed it in the last tick.
    is_pushed: bool,
    /// The centers of a flight.
    flight: Vec<DVec3>,
    /// The tick that has ended, counted from the start of the scene.
    pub(crate) now: u32,
    /// The moving bodies.
    stage: Option<Box<Moved>>,
    /// Where it is in a level in tiles.
    tile: Option<Arc<LoadedTile>>,
    /// Where the last walk left the ground, if it did.
    pub(crate) edge: Option<Edge>,
}

/// Where a walk leaves the ground.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    heading: DVec3,
    /// The body before the step that leaves it, and what came of the walk until then.
    before: (Character, u32, Trip),
    /// The same after that.
    after: (Character, u32, Trip),
}

/// The world of a level in which something moves.
struct Moved {
    world: World,
    near: Neighborhood,
    /// The tick at the end of which it is as it is.
    now: u32,
}

impl<'a> Walker<'a> {
    pub(crate) fn new(level: &'a Level, rules: &'a Rules, stop: Stop) -> Result<Self, ExploreError> {
        let cell = rules.cell();
        let hero = rules.character()?;
        let heading = |i: u16| {
            let (sin, cos) = ops::sin_cos(core::f64::consts::TAU * f64::from(i) / f64::from(DIRECTIONS));
            DVec3::new(cos, 0.0, sin)
        };
        let walker = Self {
            level,
            rules,
            stop,
            hero,
            grown: rules.grown()?,
            cell,
            beneath: level.beneath(rules.radii.y),
            reach: rules.radii + DVec3::splat(rules.cell() + rules.speed * rules.dt),
            least_upright: ops::cos(rules.settings.max_slope) - ROUNDING,
            patience: (2.0 * cell / (rules.speed * rules.dt)).ceil().clamp(2.0, 10_000.0) as u32,
            headings: (0..DIRECTIONS).map(heading).collect(),
        };
        let reach = walker.tick_reach(&hero);
        match level.tiles().map(TiledGround::margin).filter(|margin| reach > *margin) {
            Some(margin) => Err(ExploreError::Margin { reach, margin }),
            None => Ok(walker),
        }
    }

    pub(crate) fn legs(&self) -> Legs {
        Legs {
            hero: self.hero,
            near: Neighborhood::in_still_world(ROOM * self.cell),
            is_over: false,
            is_on_edge: false,
            is_on_sky: false,
            is_pushed: false,
            flight: Vec::new(),
            now: 0,
            stage: (!self.level.movers().is_empty()).then(|| {
                let world = self.level.movers().world().clone();
                Box::new(Moved { world, near: Neighborhood::new(), now: 0 })
            }),
            tile: None,
            edge: None,
        }
    }

    /// Puts a body at a place, at rest, at the time at which that was found.
    pub(crate) fn put_at(&self, legs: &mut Legs, place: &Place) {
        legs.now = place.ticks;
        self.put(legs, place.position);
    }

    /// Puts a body back as it was at the end of a tick.
    pub(crate) fn set(&self, legs: &mut Legs, (hero, now): (Character, u32)) {
        (legs.hero, legs.now, legs.is_over) = (hero, now, false);
    }

    /// Puts a body somewhere, at rest.
    pub(crate) fn put(&self, legs: &mut Legs, position: DVec3) {
        legs.hero = self.hero;
        legs.is_over = false;
        // Places are finite: the character has been there.
        let _ = legs.hero.teleport(position);
    }

    /// The center after every tick of these inputs, the start first. A body that is below
    /// the level at the end falls on with its last input until it has left the world: those inputs are added.
    pub(crate) fn play(&self, (start, now): (DVec3, u32), inputs: &mut Vec<Input>) -> Vec<DVec3> {
        let mut legs = self.legs();
        legs.now = now;
        self.put(&mut legs, start);
        let mut path = vec![start];
        let mut at = start;
        for input in inputs.iter() {
            at = self.tick(&mut legs, *input, &mut |_| ()).position;
            path.push(at);
        }
        let last = inputs.last().map_or(Input::IDLE, |input| Input { jump: None, ..*input });
        let until = path.len() + LONGEST as usize;
        while !legs.is_over && at.y < self.beneath && at.y >= self.level.abyss() && path.len() < until {
            at = self.tick(&mut legs, last, &mut |input| inputs.push(input)).position;
            path.push(at);
        }
        path
    }

    /// How far from its center, seen from above, a body may touch anything in a tick: as far as it goes and
    /// looks, twice, and as far as it may be pushed out of what it is in.
    fn tick_reach(&self, hero: &Character) -> f64 {
        let settings = &self.rules.settings;
        let fastest = hero.velocity().length() + self.rules.speed + self.rules.jump;
        let way = (fastest + settings.gravity.length() * self.rules.dt) * self.rules.dt;
        let half = self.grown.bounds().half_extents();
        2.0 * (way + 4.0 * hero.skin()) + 8.0 * half.x.max(half.z)
    }

    pub(crate) fn tick(&self, legs: &mut Legs, mut input: Input, record: &mut impl FnMut(Input)) -> Report {
        record(input);
        let volumes = &self.level.volumes;
        volumes.before(&mut legs.hero, &mut input, self.rules.speed);
        let from = legs.hero.position();
        legs.now = legs.now.saturating_add(1);
        let dt = self.rules.dt;
        let movers = self.level.movers();
        let mut report = match &mut legs.stage {
            Some(stage) if movers.is_near(from, self.reach) => {
                if stage.now.saturating_add(1) != legs.now {
                    movers.put(&mut stage.world, f64::from(legs.now - 1) * dt);
                }
                movers.advance(&mut stage.world, f64::from(legs.now) * dt, dt);
                stage.now = legs.now;
                legs.hero.step_with(&stage.world, TickInput::new(input, dt), &mut stage.near, &mut ())
            }
            _ => {
                let Legs { hero, near, tile, .. } = legs;
                let world = self.still_world(hero, near, tile);
                hero.step_with(world, TickInput::new(input, dt), near, &mut ())
            }
        };
        legs.is_on_edge = !report.touched().any(|touched| touched.normal.y >= self.least_upright);
        let entered = volumes.after(&mut legs.hero, from);
        if entered.is_elsewhere || entered.is_pushed {
            report.position = legs.hero.position();
            report.ground = None;
        }
        legs.is_over |= entered.over.is_some();
        legs.is_pushed = entered.is_pushed;
        legs.is_on_sky = report.ground.as_ref().is_some_and(|ground| self.level.is_ground_sky(ground));
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
                    *near = Neighborhood::in_still_world(ROOM * self.cell);
                    *tile = None;
                }
                &tile.get_or_insert_with(|| tiled.around(from, reach)).world
            }
        }
    }

    /// Finds what a body stands on where it was put: many ways begin there. Not where something moves or
    /// volumes push: those come first.
    pub(crate) fn find_ground(&self, legs: &mut Legs) {
        if legs.stage.is_none() && self.level.volumes.is_empty() {
            let Legs { hero, near, tile, .. } = legs;
            let world = self.still_world(hero, near, tile);
            hero.find_ground(world, self.rules.dt, near);
        }
    }

    /// A point at the end of a tick as a body that moves has it.
    pub(crate) fn on(&self, number: u8, point: DVec3, ticks: u32) -> DVec3 {
        self.level.movers().local(number, point, f64::from(ticks) * self.rules.dt)
    }

    /// On which body that moves it stands.
    fn ride(&self, legs: &Legs) -> Option<u8> {
        legs.stage.as_ref()?;
        self.level.movers().number(legs.hero.ground().and_then(|ground| ground.obstacle.body()))
    }

    /// The support of a body on the ground.
    pub(crate) fn ground(&self, legs: &Legs) -> Hold {
        let still = if legs.is_on_edge { Hold::Edge } else { Hold::Ground };
        self.ride(legs).map_or(still, Hold::On)
    }

    /// Waits for a number of moments without moving; `false` if something has killed or crushed the body.
    pub(crate) fn wait(&self, legs: &mut Legs, moments: u16, record: &mut impl FnMut(Input)) -> bool {
        let ticks = u32::from(moments) * self.level.movers().stride(self.rules.dt);
        (0..ticks).all(|_| {
            let report = self.tick(legs, Input::walk(DVec3::ZERO), record);
            !report.crushed() && !legs.is_over && report.position.y >= self.beneath
        })
    }

    /// The drop or the leap in the direction of a walk that left the ground: as [`Self::go`] does it from
    /// where that began, but gone on with from the edge. `None` for other actions, and where something moves:
    /// there the world is as it is at the end of the walk.
    pub(crate) fn go_on(&self, legs: &mut Legs, edge: &Edge, action: Action) -> Option<Trip> {
        let (leaps, (hero, now, trip)) = match action {
            _ if legs.stage.is_some() => return None,
            Action::Leap(_) => (true, edge.before),
            Action::Drop(_) => (false, edge.after),
            _ => return None,
        };
        self.set(legs, (hero, now));
        let mut trip = if leaps {
            self.take_off(legs, edge.heading * self.rules.speed, trip, &mut |_| ())
        } else {
            self.fly(legs, (Some(DVec3::ZERO), Some(DVec3::ZERO)), trip, &mut |_| ())
        };
        self.settle_end(legs, &mut trip);
        Some(trip)
    }

    /// Does an action with the body as it is, and hands over the input of every tick.
    pub(crate) fn go(&self, legs: &mut Legs, action: Action, record: &mut impl FnMut(Input)) -> Trip {
        let mut trip = self.act(legs, action, record);
        self.settle_end(legs, &mut trip);
        trip
    }

    /// The ground of a body at the end.
    fn settle_end(&self, legs: &Legs, trip: &mut Trip) {
        if trip.end == End::At(Hold::Ground) {
            trip.end = End::At(self.ground(legs));
        }
    }

    /// The column that a body is in: of what it rides on, if it does.
    fn place_of(&self, legs: &Legs, ride: Option<u8>) -> [i32; 2] {
        let at = legs.hero.position();
        column(ride.map_or(at, |number| self.on(number, at, legs.now)), self.cell)
    }

    fn act(&self, legs: &mut Legs, action: Action, record: &mut impl FnMut(Input)) -> Trip {
        legs.edge = None;
        let start = legs.hero.position();
        let mut trip = Trip {
            end: End::At(Hold::Ground),
            position: start,
            supported: start,
            pushed: None,
            exit: start,
            ticks: 0,
            leaves_ground: false,
            is_stopped: false,
            progress: 0.0,
        };
        let direction = match action {
            Action::Settle => return self.fly(legs, (None, None), trip, record),
            // How long is not known here: see `wander`.
            Action::Wander(_) => return trip,
            Action::Walk(direction)
            | Action::Drop(direction)
            | Action::Jump(direction)
            | Action::Leap(direction) => direction,
        };
        let heading = self.headings[usize::from(direction % DIRECTIONS)];
        let desired_velocity = heading * self.rules.speed;
        let stride = self.rules.speed * self.rules.dt;
        if let Action::Jump(_) = action {
            return self.take_off(legs, desired_velocity, trip, record);
        }
        // Known where it has stood already; else the first tick says.
        let mut ride = self.ride(legs);
        let mut home = self.place_of(legs, ride);
        let mut idle = 0;
        while trip.ticks < self.patience {
            let from = trip.position;
            let before = (legs.hero, legs.now, trip);
            let input = Input::walk(desired_velocity);
            let report = self.tick(legs, input, &mut |_| ());
            if report.ground.is_none() && matches!(action, Action::Leap(_)) {
                // Not that step: the same with a jump.
                (legs.hero, legs.now, legs.is_over) = (before.0, before.1, false);
                return self.take_off(legs, desired_velocity, trip, record);
            }
            record(input);
            trip.ticks += 1;
            trip.position = report.position;
            if legs.is_over {
                trip.end = End::Killed;
                return trip;
            }
            if legs.is_on_sky {
                (trip.end, trip.exit) = (End::FellOut, trip.position);
                return trip;
            }
            let wanted = stride * f64::from(trip.ticks);
            trip.progress = (trip.position - start).dot(heading) / wanted;
            if report.ground.is_none() {
                trip.leaves_ground = true;
                trip.pushed = legs.is_pushed.then_some(trip.position);
                legs.edge = Some(Edge { heading, before, after: (legs.hero, legs.now, trip) });
                let first = if let Action::Drop(_) = action { DVec3::ZERO } else { desired_velocity };
                return self.fly(legs, (Some(first), Some(DVec3::ZERO)), trip, record);
            }
            trip.supported = trip.position;
            let rides = self.ride(legs);
            if trip.ticks == 1 && rides != ride {
                let at = rides.map_or(start, |number| self.on(number, start, legs.now - 1));
                (ride, home) = (rides, column(at, self.cell));
            }
            if rides != ride || self.place_of(legs, rides) != home {
                return trip;
            }
            idle = if (trip.position - from).length() < HARDLY * stride { idle + 1 } else { 0 };
            if idle == 2 {
                break;
            }
        }
        trip.is_stopped = true;
        trip
    }

    /// Jumps and flies on.
    fn take_off(
        &self,
        legs: &mut Legs,
        desired_velocity: DVec3,
        mut trip: Trip,
        record: &mut impl FnMut(Input),
    ) -> Trip {
        let report = self.tick(legs, Input::walk(desired_velocity).jump(self.rules.jump), record);
        trip.ticks += 1;
        trip.position = report.position;
        trip.leaves_ground = true;
        if legs.is_over {
            trip.end = End::Killed;
            return trip;
        }
        if legs.is_on_sky {
            (trip.end, trip.exit) = (End::FellOut, trip.position);
            return trip;
        }
        if report.ground.is_some() {
            trip.supported = report.position;
            trip.is_stopped = true;
            return trip;
        }
        self.fly(legs, (Some(desired_velocity), Some(DVec3::ZERO)), trip, record)
    }

    /// In the air, wanting one thing for a while and then another; nothing once it is pushed after that.
    fn fly(
        &self,
        legs: &mut Legs,
        (first, then): (Option<DVec3>, Option<DVec3>),
        mut trip: Trip,
        record: &mut impl FnMut(Input),
    ) -> Trip {
        // Volumes may throw a body up for ever.
        let until = trip.ticks + if self.level.volumes.is_empty() { LONGEST } else { THROWN };
        legs.flight.clear();
        legs.flight.push(trip.position);
        let (mut steers, mut held, mut mark) = (first != then, 0, trip.position);
        // Where it was pushed since it does not steer.
        let mut pushes: Vec<DVec3> = trip.pushed.filter(|_| !steers).into_iter().collect();
        let mut bounces = false;
        while trip.ticks < until {
            let desired_velocity = if steers { first } else { then.filter(|_| pushes.is_empty()) };
            let from = trip.position;
            let report = self.tick(legs, Input { desired_velocity, jump: None }, record);
            trip.ticks += 1;
            trip.position = report.position;
            if legs.is_over {
                trip.end = End::Killed;
                return trip;
            }
            if legs.is_on_sky {
                trip.end = End::FellOut;
                trip.exit = self.exit(&legs.flight);
                return trip;
            }
            if report.ground.is_some() {
                trip.supported = trip.position;
                trip.end = End::At(Hold::Ground);
                return trip;
            }
            legs.flight.push(trip.position);
            if bounces && trip.position.y <= from.y {
                trip.end = End::At(Hold::Caught);
                return trip;
            }
            if legs.is_pushed {
                trip.pushed = Some(trip.position);
                if !steers {
                    bounces |=
                        pushes.iter().any(|at| at.distance_squared(trip.position) < self.cell * self.cell);
                    pushes.push(trip.position);
                }
            }
            let volumes = &self.level.volumes;
            // A volume below the level may still catch it.
            let lowest = if volumes.is_empty() { self.beneath } else { self.level.abyss() };
            if trip.position.y < lowest && volumes.kill_below(&legs.hero) {
                trip.end = End::Killed;
                return trip;
            }
            if trip.position.y < lowest {
                trip.end = End::FellOut;
                trip.exit = self.exit(&legs.flight);
                return trip;
            }
            held += 1;
            if held % REST == 0 {
                let rests = (trip.position - mark).length() < HARDLY * self.cell;
                mark = trip.position;
                if rests && !steers {
                    trip.end = End::At(Hold::Caught);
                    return trip;
                }
                if rests || held >= AIR {
                    steers = false;
                }
            }
        }
        trip.end = End::At(Hold::Caught);
        trip
    }

    /// The first center of a fall below which there is nothing, or the sky, from then on.
    fn exit(&self, flight: &[DVec3]) -> DVec3 {
        let is_over_nothing = |from: &&DVec3| {
            let depth = from.y - self.level.abyss();
            depth <= 0.0 || depth.is_finite() && self.level.is_over_nothing(**from)
        };
        let last = flight.last().copied().unwrap_or_default();
        flight.iter().rev().take_while(is_over_nothing).last().copied().unwrap_or(last)
    }

    /// Moves a body for a number of ticks as the agent with this seed does.
    pub(crate) fn wander(&self, legs: &mut Legs, seed: u16, ticks: u32, record: &mut impl FnMut(Input)) {
        let mut mind = Mind::new(seed, self.rules.dt);
        for _ in 0..ticks {
            self.tick(legs, mind.next(self.rules.speed, self.rules.jump, self.rules.dt), record);
        }
    }

    /// Whether anything that moves may be hit at a place.
    pub(crate) fn is_beside_movers(&self, at: DVec3) -> bool {
        self.level.movers().is_near(at, self.reach)
    }

    /// Whether what moves near a place is elsewhere at the second of two ticks.
    pub(crate) fn differs(&self, at: DVec3, ticks: [u32; 2]) -> bool {
        self.level.movers().differ(at, self.reach, ticks.map(|tick| f64::from(tick) * self.rules.dt))
    }

    /// A center below this falls out of the world.
    pub(crate) fn beneath(&self) -> f64 {
        self.beneath
    }
}
