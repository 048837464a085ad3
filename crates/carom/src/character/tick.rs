//! One tick of a character.
//!
//! Source: `docs/steps.md`, `docs/movers.md`. Ground, carry, depenetrate, walk, step, snap or fall, report. The walk takes place while
//! the bodies around move; what comes after it, among bodies at their ends. Gravity is by the trapezoid rule, which is exact for a
//! parabola: a jump is as high at any tick rate. Cost: usually one to three sweeps. Gives up: never; what cannot be done is reported.

use glam::DVec3;

use super::company::{Company, Known, Neighbor, Side};
use super::report::{Ground, Obstacle, Outcome, Push, Report, Touched};
use super::settings::{GravityPass, PlatformVelocity};
use super::support::{Contacts, Stance, Steepest, Support, feet, is_overlap};
use super::{Character, Input, Settings, State};
use crate::num::bound::{APPROACH, reach};
use crate::num::ops;
use crate::respond::{
    Climbing, ContactPlane, Motion, Obstacles, Slid, Slide, SlideEnd, Surroundings, collide_and_slide_traced,
    depenetrate, friction, nearest_feasible,
};
use crate::shape::{Aabb, Mover};
use crate::trace::{Decision, Event, Stage, Trace};
use crate::world::{Body, BodyId, Neighbourhood, World};

/// What a tick is given.
pub(super) struct Given<'a> {
    pub(super) world: &'a World,
    pub(super) neighbors: &'a [Neighbor],
    pub(super) input: Input,
    pub(super) dt: f64,
    pub(super) near: &'a mut Neighbourhood,
}

/// No more characters than this are kept clear of; the nearest are.
const SIDES: usize = 24;

/// No tick is cut into more parts than this; beyond, a turning body is kept clear of by more than its bend.
const PARTS: u32 = 64;

/// Makes the tick.
pub(super) fn step(character: &mut Character, given: Given<'_>, trace: &mut impl Trace<Obstacle>) -> Report {
    let start = character.state;
    let Character { state, settings } = character;
    let sane = given.dt.is_finite()
        && given.dt > 0.0
        && given.input.wish.is_none_or(DVec3::is_finite)
        && given.input.jump.is_none_or(f64::is_finite);
    let grown = state.shape.grown(settings.skin_of(&state.shape)).ok().filter(|_| sane);
    let mut tables = Tables { seen: Contacts::NONE, sides: [Side::NONE; SIDES] };
    let report = grown.and_then(|mover| {
        let mut tick = Tick::new(state, settings, (mover, &mut tables), given, trace);
        tick.run();
        let report = tick.finish();
        let finite = state.position.is_finite() && state.velocity.is_finite() && state.inherited.is_finite();
        finite.then_some(report)
    });
    report.unwrap_or_else(|| {
        // The last place is as good as any, and better than none.
        trace.event(&Event::Decided(Decision::Refuses));
        let velocity = if sane { DVec3::ZERO } else { start.velocity };
        *state = State { previous: start.position, velocity, ..start };
        let mut report = Report::new(start.position, velocity);
        report.ground = start.ground;
        report.outcome = Outcome::Refused;
        report
    })
}

/// How far a character wants to go in a tick, apart from what carries it.
pub(super) fn wanted(character: &Character, input: Input, dt: f64) -> DVec3 {
    let Character { state, settings } = character;
    let up = settings.up;
    let half = settings.gravity * (0.5 * dt * dt);
    let wish = input.wish.unwrap_or(DVec3::ZERO);
    let wanted = if state.ground.is_some() && input.jump.is_none() && !state.is_launched {
        (wish - up * wish.dot(up)) * dt
    } else {
        let jump = if state.ground.is_some() { input.jump } else { None };
        let velocity = flight(state, settings, input) + up * jump.unwrap_or(0.0);
        velocity * dt + half
    };
    if wanted.is_finite() { wanted } else { DVec3::ZERO }
}

/// The velocity in the air that a wish makes of the one there is.
fn flight(state: &State, settings: &Settings, input: Input) -> DVec3 {
    let (up, velocity) = (settings.up, state.velocity);
    let Some(wish) = input.wish else { return velocity };
    if settings.gravity == DVec3::ZERO {
        return velocity + (wish - velocity) * settings.air_control;
    }
    let level = |v: DVec3| v - up * v.dot(up);
    let (now, goal) = (level(velocity), level(wish) + level(state.inherited));
    let level = if settings.air_control == 1.0 { goal } else { now + (goal - now) * settings.air_control };
    level + up * velocity.dot(up)
}

/// What is too large to be moved with a tick.
struct Tables {
    seen: Contacts,
    sides: [Side; SIDES],
}

/// What a look at contacts depends on.
#[derive(Clone, Copy)]
struct Seen {
    at: DVec3,
    time: f64,
    carrier: Option<BodyId>,
}

pub(super) struct Tick<'a, T> {
    state: &'a mut State,
    settings: &'a Settings,
    mover: Mover,
    pub(super) stance: Stance,
    world: &'a World,
    near: &'a Neighbourhood,
    sides: &'a mut [Side; SIDES],
    side_count: usize,
    input: Input,
    dt: f64,
    trace: &'a mut T,
    report: Report,
    pub(super) at: DVec3,
    /// The contacts that were last looked at, and where, when and how.
    seen: &'a mut Contacts,
    seen_at: Option<Seen>,
    ground: Option<Ground>,
    /// What a step that is not done yet leads to.
    pub(super) ahead: Option<Ground>,
    /// The velocity of the ground in this tick.
    carried: DVec3,
}

impl<'a, T: Trace<Obstacle>> Tick<'a, T> {
    fn new(
        state: &'a mut State,
        settings: &'a Settings,
        (mover, tables): (Mover, &'a mut Tables),
        given: Given<'a>,
        trace: &'a mut T,
    ) -> Self {
        let Given { world, neighbors, input, dt, near } = given;
        let Tables { seen, sides } = tables;
        let skin = settings.skin_of(&state.shape);
        let stance = Stance {
            up: settings.up,
            least_upright: settings.least_upright(),
            feet: feet(&mover, settings.up),
            highest: settings.step_height + skin,
            contact_distance: 0.25 * skin,
        };
        let at = state.position;
        let carrier = state.ground.and_then(|ground| ground.obstacle.body()).and_then(|id| world.body(id));
        let carry = carrier.map_or(DVec3::ZERO, |body| body.displacement(at, [0.0, 1.0]));
        // As far as it can get by itself, and up and down steps: what is pushed farther asks the world anew.
        let length = |v: DVec3| ops::sqrt(v.length_squared());
        let speed = length(state.velocity)
            + input.wish.map_or(0.0, length)
            + input.jump.map_or(0.0, f64::abs)
            + length(settings.gravity) * dt;
        let snap = snap_distance(settings, skin);
        let room = speed * dt + length(carry) + settings.step_height + snap + stance.feet * 0.5 + 4.0 * skin;
        if let Ok(point) = Aabb::new(at, at) {
            near.prepare(world, &mover, &point.grown(room), settings.collides_with);
        }
        let near: &'a Neighbourhood = near;
        let mut tick = Self {
            report: Report::new(at, state.velocity),
            ground: state.ground,
            ahead: None,
            carried: DVec3::ZERO,
            sides,
            side_count: 0,
            state,
            settings,
            mover,
            stance,
            world,
            near,
            input,
            dt,
            trace,
            at,
            seen,
            seen_at: None,
        };
        tick.report.candidates = near.part_count() as u32;
        tick.keep_sides(neighbors, carry);
        tick
    }

    /// Finds the sides to keep to; of too many, those of the nearest.
    fn keep_sides(&mut self, neighbors: &[Neighbor], carry: DVec3) {
        if neighbors.is_empty() {
            return;
        }
        let own = Neighbor {
            number: u32::MAX,
            mover: self.mover,
            position: self.at,
            translation: self.intended(),
            carried: carry,
            carrier: self.state.ground.and_then(|ground| ground.obstacle.body()),
        };
        let mut count = 0;
        let mut gaps = [f64::INFINITY; SIDES];
        for side in neighbors.iter().filter_map(|other| Side::between(&own, other)) {
            let gap = side.gap(self.at);
            let at = gaps[..count].partition_point(|other| *other <= gap);
            if at < SIDES {
                count = (count + 1).min(SIDES);
                gaps.copy_within(at..count - 1, at + 1);
                self.sides.copy_within(at..count - 1, at + 1);
                gaps[at] = gap;
                self.sides[at] = side;
            }
        }
        self.side_count = count;
        self.report.candidates += count as u32;
    }

    fn intended(&self) -> DVec3 {
        let character = Character { state: *self.state, settings: *self.settings };
        wanted(&character, self.input, self.dt)
    }

    fn run(&mut self) {
        self.state.previous = self.at;
        if !self.state.is_ground_known {
            self.probe();
        }
        let is_launched = core::mem::take(&mut self.state.is_launched);
        let flies = self.settings.gravity == DVec3::ZERO;
        if is_launched || flies {
            self.ground = None;
        }
        self.free();
        self.carried = self.ground_velocity();
        if self.ground.is_some() && (self.jumps() || self.ground_falls_away()) {
            self.ground = None;
        }
        match self.ground {
            Some(ground) => self.walk(ground),
            None => self.fly(),
        }
    }

    /// Is there ground where it was put?
    fn probe(&mut self) {
        self.trace.event(&Event::Stage(Stage::Probe));
        self.state.is_ground_known = true;
        // What was put here, and not thrown, goes with whatever it stands on.
        let velocity = Some(self.state.velocity).filter(|velocity| *velocity != DVec3::ZERO);
        self.ground = self.support_for(self.at, 0.0, velocity).map(|support| support.ground);
        // What it stands on carries it from the first tick on.
        self.state.inherited = DVec3::ZERO;
    }

    /// Out of what is overlapped at the start; back to where it was free, if there is no way out.
    fn free(&mut self) {
        self.trace.event(&Event::Stage(Stage::Depenetrate));
        let from = self.at;
        if self.is_free_at(from, 0.0) {
            return;
        }
        let out = self.place([0.0, 0.0], |place| depenetrate(place, from));
        self.at = out.position;
        if out.free {
            return;
        }
        for by in out.pressing() {
            self.report.add_crushing(by);
        }
        if self.report.crushed() {
            self.report.outcome = Outcome::Crushed;
            self.trace.event(&Event::Decided(Decision::IsCrushed));
        }
        let Some(safe) = self.state.last_safe else { return };
        if !self.is_free_at(safe, 0.0) {
            return;
        }
        self.at = safe;
        self.report.outcome = Outcome::Recovered;
        self.trace.event(&Event::Decided(Decision::Recovers));
    }

    /// How the ground goes in this tick where the character stands, in m/s: with the body, and along its surface.
    fn ground_velocity(&self) -> DVec3 {
        let Some(ground) = self.ground else { return DVec3::ZERO };
        let Some(body) = self.ground_body() else { return DVec3::ZERO };
        let run = body.surface_velocity();
        let along = run - ground.normal * ground.normal.dot(run);
        body.displacement(self.at, [0.0, 1.0]) / self.dt + along
    }

    fn ground_body(&self) -> Option<&'a Body> {
        self.carrier().and_then(|id| self.world.body(id))
    }

    /// Takes off, if that is wanted.
    fn jumps(&mut self) -> bool {
        let Some(speed) = self.input.jump else { return false };
        let up = self.settings.up;
        let own = match self.input.wish {
            Some(wish) => wish - up * wish.dot(up),
            None => {
                let own = self.state.velocity - self.state.inherited;
                own - up * own.dot(up)
            }
        };
        self.leave_with(own + up * speed);
        self.trace.event(&Event::Decided(Decision::Jumps(speed)));
        true
    }

    /// Leaves the ground at a velocity relative to it.
    fn leave_with(&mut self, own: DVec3) {
        let kept = match self.settings.platform_velocity {
            PlatformVelocity::Inherit => self.carried,
            PlatformVelocity::Drop => DVec3::ZERO,
        };
        self.state.velocity = own + kept;
        self.state.inherited = kept;
    }

    /// Whether the ground falls away faster than the character falls, by more than it snaps.
    fn ground_falls_away(&mut self) -> bool {
        let up = self.settings.up;
        let ballistic = self.state.inherited + self.settings.gravity * (0.5 * self.dt);
        let (free, ground) = (up.dot(ballistic) * self.dt, up.dot(self.carried) * self.dt);
        let rounding = APPROACH * (free.abs() + ground.abs());
        if free - ground <= self.snap_distance() + rounding {
            return false;
        }
        self.carried = self.state.inherited;
        let own = self.state.velocity - self.state.inherited;
        self.leave_with(own);
        self.trace.event(&Event::Decided(Decision::LeavesGround));
        true
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
        &self.mover
    }

    /// On the ground: the ground carries, the wish walks, both while the bodies around move; then steps and snap.
    fn walk(&mut self, ground: Ground) {
        let up = self.settings.up;
        let wish = self.input.wish.map_or(DVec3::ZERO, |wish| wish - up * wish.dot(up));
        let friction = self.ground_friction(ground);
        let idle = wish == DVec3::ZERO;
        let slips = idle && friction == 0.0;
        let own = if slips {
            let own = self.state.velocity - self.state.inherited;
            (own + self.settings.gravity * (0.5 * self.dt)) * self.dt
        } else if idle {
            DVec3::ZERO
        } else {
            let (world, stance, at) = (self.world, self.stance, self.at);
            let mut steepest = Steepest::default();
            self.look(at, 0.0).distinct(|touch| {
                steepest
                    .add(stance.support(world, touch, at, 0.0).map(|support| stance.rise(wish, &support)));
            });
            stance.along_ground(wish, steepest.rise()) * self.dt
        };
        let mut velocity = own / self.dt;
        let start = self.at;
        let mut walked = Gone::NOWHERE;
        if !idle || slips || self.carried != DVec3::ZERO || self.near.has_moving_bodies() || self.is_crowded()
        {
            self.trace.event(&Event::Stage(Stage::Walk));
            let Some(gone) = self.go(own, true) else { return };
            velocity = gone.velocity;
            walked = gone;
        } else {
            self.trace.event(&Event::Decided(Decision::Holds));
        }
        if slips {
            let with_rest = velocity + self.settings.gravity * (0.5 * self.dt);
            velocity = self.constrained(with_rest, 0.0);
        }
        if !idle && self.step_height() > 0.0 && !self.report.crushed() {
            let climbed = self.climb(own, &walked);
            if climbed > 0.0 {
                self.report.stepped = climbed;
                velocity = wish;
            }
        }
        self.turn(ground);
        let moved = self.at != start;
        self.stand_or_leave(velocity, moved);
    }

    fn is_crowded(&self) -> bool {
        self.sides().first().is_some_and(|side| side.gap(self.at) < 0.0)
    }

    fn ground_friction(&self, ground: Ground) -> f64 {
        let of_surface = match ground.obstacle {
            Obstacle::Body(part) => {
                self.world.surface(part.body, part.part).and_then(|surface| surface.friction)
            }
            Obstacle::Character(_) => None,
        };
        of_surface.unwrap_or(self.settings.friction)
    }

    /// The platform's turn about `up`.
    fn turn(&mut self, ground: Ground) {
        if let Some(body) = ground.obstacle.body().and_then(|id| self.world.body(id)) {
            self.state.yaw += body.turn_about(self.settings.up);
        }
    }

    /// At the end of a walk: down to the ground if it is near, else into the air.
    fn stand_or_leave(&mut self, velocity: DVec3, moved: bool) {
        if self.support_at(self.at, 1.0).is_none()
            && let Some(ahead) = self.ahead
        {
            // Half way up a step whose nose is no ground: that is still climbing.
            self.ground = Some(ahead);
            return self.stand(velocity);
        }
        if moved && self.snaps() {
            return self.stand(velocity);
        }
        if let Some(support) = self.support_at(self.at, 1.0) {
            self.ground = Some(support.ground);
            return self.stand(velocity);
        }
        if !moved && self.snaps() {
            return self.stand(velocity);
        }
        self.trace.event(&Event::Decided(Decision::LeavesGround));
        self.ground = None;
        self.leave_with(velocity);
        // The walk has used up the motion that there was; what is left is that nothing held against gravity.
        let fall = self.settings.gravity * (0.5 * self.dt * self.dt);
        self.fall(fall);
        let velocity = self.state.velocity + self.settings.gravity * self.dt;
        self.land(velocity);
    }

    /// Goes down to ground that is within the snap distance.
    fn snaps(&mut self) -> bool {
        let (up, distance) = (self.settings.up, self.snap_distance());
        self.trace.event(&Event::Stage(Stage::Snap));
        let from = self.at;
        let Some((fraction, _)) = self.sweep_at_end(from, up * -distance) else { return false };
        let to = from - up * (distance * fraction);
        let Some(support) = self.support_at(to, 1.0) else { return false };
        self.at = to;
        self.ground = Some(support.ground);
        self.trace.event(&Event::Decided(Decision::Snaps(distance * fraction)));
        true
    }

    /// Stands at the end of the tick, having walked at a velocity relative to the ground.
    fn stand(&mut self, velocity: DVec3) {
        if let Some(ground) = self.ground {
            self.trace.event(&Event::Decided(Decision::Stands(ground.normal)));
        }
        self.state.inherited = self.carried;
        self.state.velocity = velocity + self.carried;
        if !self.report.crushed() && self.is_free_at(self.at, 1.0) {
            self.state.last_safe = Some(self.at);
        }
    }

    /// In the air: across `up` while the bodies around move, then along it.
    fn fly(&mut self) {
        let up = self.settings.up;
        self.state.velocity = flight(self.state, self.settings, self.input);
        let velocity = self.state.velocity;
        let way = velocity * self.dt + self.settings.gravity * (0.5 * self.dt * self.dt);
        let flies = self.settings.gravity == DVec3::ZERO;
        self.trace.event(&Event::Stage(Stage::Walk));
        if flies || self.settings.gravity_pass == GravityPass::Combined {
            let Some(walked) = self.go(way, false) else { return };
            let slid = if flies { walked.velocity } else { velocity };
            return self.land(slid + self.settings.gravity * self.dt);
        }
        let start = self.at;
        let Some(walked) = self.go(way - up * way.dot(up), true) else { return };
        // What bodies on their way have lifted it by is part of its own rise.
        let lifted = if self.near.has_moving_bodies() { (self.at - start).dot(up) } else { 0.0 };
        self.fall(up * (way.dot(up) - lifted));
        let wanted = velocity - up * velocity.dot(up);
        // What stopped the first motion stopped it in its own directions only.
        let level = if walked.is_bent { walked.velocity - up * walked.velocity.dot(up) } else { wanted };
        self.land(level + up * velocity.dot(up) + self.settings.gravity * self.dt);
    }

    /// Falls or rises, among bodies at their ends.
    fn fall(&mut self, way: DVec3) {
        if way == DVec3::ZERO {
            return;
        }
        self.trace.event(&Event::Stage(Stage::Fall));
        let slide = self.slide(way, None, self.settings.friction);
        let slid = self.slide_in([1.0, 1.0], &slide);
        self.at = slid.position;
    }

    /// The end of a tick in the air: the velocity that contacts leave, and whether it stands.
    fn land(&mut self, velocity: DVec3) {
        let velocity = self.constrained(velocity, self.settings.friction);
        let flies = self.settings.gravity == DVec3::ZERO;
        let support = if flies { None } else { self.support_for(self.at, 1.0, Some(velocity)) };
        self.state.velocity = velocity;
        self.ground = support.map(|support| support.ground);
        if let Some(support) = support {
            self.trace.event(&Event::Decided(Decision::Stands(support.ground.normal)));
            self.state.inherited = self.ground_velocity();
            if !self.report.crushed() && self.is_free_at(self.at, 1.0) {
                self.state.last_safe = Some(self.at);
            }
        }
    }

    /// The velocity nearest to one that what is touched at the end allows, slowed by friction.
    fn constrained(&mut self, velocity: DVec3, default_friction: f64) -> DVec3 {
        let (up, least_upright, dt) = (self.settings.up, self.stance.least_upright, self.dt);
        let contacts = self.look(self.at, 1.0);
        let mut planes = [ContactPlane { normal: DVec3::Y, bound: 0.0 }; Slide::TOUCHES];
        let mut count = 0;
        // The ends of bodies are at rest: their rates are those of the whole tick.
        for touch in contacts.iter() {
            let normal = touch.contact.normal;
            planes[count] = ContactPlane { normal, bound: normal.dot(touch.motion) / dt };
            count += 1;
        }
        let Ok(Motion::Feasible { velocity: found, planes: held }) =
            nearest_feasible(velocity, &planes[..count])
        else {
            return DVec3::ZERO;
        };
        let rough = held.as_slice().iter().filter_map(|plane| contacts.iter().nth(*plane)).fold(
            None,
            |most: Option<(f64, DVec3)>, touch| {
                let coefficient = touch.friction.unwrap_or(default_friction);
                // Ground that can be walked on does not brake: whoever lands runs on.
                let walkable = touch.contact.normal.dot(up) >= least_upright;
                let more = !walkable && coefficient > most.map_or(0.0, |(most, _)| most);
                if more { Some((coefficient, touch.surface_motion() / dt)) } else { most }
            },
        );
        match rough {
            Some((coefficient, surface)) => {
                friction(velocity - surface, found - surface, coefficient) + surface
            }
            None => found,
        }
    }

    /// Goes `own` further than it is carried, while the bodies around move. None if it was crushed.
    fn go(&mut self, own: DVec3, walks: bool) -> Option<Gone> {
        let climbing =
            walks.then_some(Climbing { up: self.settings.up, least_upright: self.stance.least_upright });
        let parts = self.parts();
        let share = 1.0 / f64::from(parts);
        let body = self.ground_body();
        let mut gone = Gone { velocity: own / self.dt, ..Gone::NOWHERE };
        for part in 0..parts {
            let span =
                [f64::from(part) * share, if part + 1 == parts { 1.0 } else { f64::from(part + 1) * share }];
            let seconds = self.dt * share;
            let rigid = body.map_or(DVec3::ZERO, |body| body.displacement(self.at, span));
            let run = match (body, self.ground) {
                (Some(body), Some(ground)) => {
                    let run = body.surface_velocity();
                    (run - ground.normal * ground.normal.dot(run)) * seconds
                }
                _ => DVec3::ZERO,
            };
            let carried = rigid + run;
            let wanted = own * share + carried;
            let slide = self.slide(wanted, climbing, 0.0);
            let from = self.at;
            let slid = self.slide_in(span, &slide);
            self.at = slid.position;
            gone.own += slid.position - from - carried;
            gone.is_bent |= slid.bent.is_some();
            // Among bodies that move, a place is free only when it is passed.
            if parts == 1 && !self.near.has_moving_bodies() {
                gone.bent = slid.bent;
            }
            gone.velocity = (slid.motion - carried) / seconds;
            self.push(&slid, own, seconds);
            if slid.end == SlideEnd::Crushed {
                self.crush(&slid);
                return None;
            }
            if slid.end == SlideEnd::Blocked {
                self.report.outcome = Outcome::Blocked;
            }
        }
        if !gone.is_bent {
            gone.velocity = own / self.dt;
            gone.own = own;
        }
        Some(gone)
    }

    fn crush(&mut self, slid: &Slid<Obstacle>) {
        for by in slid.pressing() {
            self.report.add_crushing(by);
        }
        self.report.outcome = Outcome::Crushed;
        self.state.velocity = DVec3::ZERO;
        self.state.inherited = DVec3::ZERO;
        let support = self.support_at(self.at, 1.0);
        self.ground = support.map(|support| support.ground);
        self.trace.event(&Event::Decided(Decision::IsCrushed));
    }

    /// Into how many parts the tick is cut so that what turning bodies do beyond straight motion is small against the skin.
    fn parts(&self) -> u32 {
        if !self.near.has_moving_bodies() {
            return 1;
        }
        let carrier = self.carrier();
        let others = self.near.bodies().any(|id| Some(id) != carrier);
        let small = 0.25 * self.skin();
        let mut parts = 1;
        while parts < PARTS {
            let span = [0.0, 1.0 / f64::from(parts)];
            let worst = self
                .near
                .bodies()
                .filter(|id| others || Some(*id) != carrier)
                .filter_map(|id| self.world.body(id))
                .map(|body| body.bend(&self.mover, self.at, DVec3::ZERO, span))
                .fold(0.0, f64::max);
            if worst <= small {
                break;
            }
            parts *= 2;
        }
        parts
    }

    /// Reports what was pushed against and can be pushed.
    fn push(&mut self, slid: &Slid<Obstacle>, own: DVec3, seconds: f64) {
        for touch in slid.touches() {
            let Obstacle::Body(part) = touch.key else { continue };
            let Some(mass) = self.world.body(part.body).and_then(Body::mass) else { continue };
            let normal = touch.contact.normal;
            let is_wall = normal.dot(self.settings.up) < self.stance.least_upright;
            let approach = -normal.dot(own / self.dt - touch.motion / seconds);
            if is_wall && approach > 0.0 && touch.contact.gap <= self.stance.contact_distance {
                let impulse = (mass * approach).min(self.settings.push_force * seconds);
                self.report.add_push(Push {
                    body: part.body,
                    point: touch.contact.point,
                    impulse: normal * -impulse,
                });
            }
        }
    }

    fn slide(&self, translation: DVec3, climbing: Option<Climbing>, friction: f64) -> Slide {
        Slide {
            from: self.at,
            translation,
            contact_distance: self.stance.contact_distance,
            friction,
            bounce_above: f64::INFINITY,
            climbing,
        }
    }

    pub(super) fn slide_at_end(&mut self, from: DVec3, translation: DVec3) -> Slid<Obstacle> {
        let climbing = Climbing { up: self.settings.up, least_upright: self.stance.least_upright };
        let slide = Slide { from, ..self.slide(translation, Some(climbing), 0.0) };
        self.slide_in([1.0, 1.0], &slide)
    }

    fn slide_in(&mut self, span: [f64; 2], slide: &Slide) -> Slid<Obstacle> {
        // What was looked at last is often where a slide begins.
        let known = self
            .seen_at
            .filter(|seen| self.seen.is_whole() && span == [0.0, 1.0] && seen.carrier == self.carrier());
        let known = known.map(|Seen { at, time, .. }| Known {
            contacts: &*self.seen,
            at,
            time,
            distance: self.stance.contact_distance,
        });
        let sides = &self.sides[..self.side_count];
        let place = Company { around: self.around(span), sides, span, known };
        let slid = collide_and_slide_traced(&place, slide, self.trace);
        self.report.sweeps += slid.sweeps;
        slid
    }

    pub(super) fn sweep_at_end(&mut self, from: DVec3, translation: DVec3) -> Option<(f64, Obstacle)> {
        self.report.sweeps += 1;
        let met = self.place([1.0, 1.0], |place| place.sweep(from, translation, [0.0, 1.0]));
        self.trace.event(&Event::Sweep { from, translation, met });
        met
    }

    /// The contacts at a place and a share of the tick. What was looked at last is not looked at again.
    pub(super) fn look(&mut self, at: DVec3, time: f64) -> &Contacts {
        let carrier = self.carrier();
        let is_known = self.seen_at.is_some_and(|seen| {
            seen.at == at && seen.carrier == carrier && (seen.time == time || self.is_still_at(at))
        });
        if !is_known {
            let span = [0.0, 1.0];
            let sides = &self.sides[..self.side_count];
            let place = Company { around: self.around(span), sides, span, known: None };
            self.seen.look(&place, at, time, self.stance.contact_distance);
            self.seen_at = Some(Seen { at, time, carrier });
        }
        self.seen
    }

    /// Whether what touches at a place is the same all through the tick.
    fn is_still_at(&self, at: DVec3) -> bool {
        let distance = self.stance.contact_distance;
        self.side_count == 0 && self.near.is_still_at(&self.mover, self.settings.collides_with, at, distance)
    }

    /// What a character at a place would stand on.
    pub(super) fn support_at(&mut self, at: DVec3, time: f64) -> Option<Support> {
        self.support_for(at, time, None)
    }

    /// The same for one that has a velocity: what it rises from doesn't hold it. Of the tiles of a floor that is not quite flat it may
    /// rise from one while it lies on the next.
    fn support_for(&mut self, at: DVec3, time: f64, velocity: Option<DVec3>) -> Option<Support> {
        let (world, stance, dt) = (self.world, self.stance, self.dt);
        stance.best_support(world, self.look(at, time), (at, time), |touch| {
            let Some(velocity) = velocity else { return true };
            let motion = touch.surface_motion() / dt;
            touch.contact.normal.dot(velocity - motion) <= APPROACH * (reach(velocity) + reach(motion))
        })
    }

    fn is_free_at(&mut self, at: DVec3, time: f64) -> bool {
        !self.look(at, time).iter().any(|touch| is_overlap(touch, at))
    }

    pub(super) fn tell(&mut self, event: &Event<'_, Obstacle>) {
        self.trace.event(event);
    }

    /// What carries the character: contacts with it go along.
    fn carrier(&self) -> Option<BodyId> {
        self.ground.and_then(|ground| ground.obstacle.body())
    }

    fn around(&self, span: [f64; 2]) -> Surroundings<'a> {
        Surroundings::new(self.world, self.mover, self.settings.collides_with)
            .within(self.near)
            .during(span, self.dt * (span[1] - span[0]))
            .carried_by(self.carrier())
    }

    fn sides(&self) -> &[Side] {
        &self.sides[..self.side_count]
    }

    fn place<R>(&self, span: [f64; 2], ask: impl FnOnce(&Company<'_>) -> R) -> R {
        ask(&Company { around: self.around(span), sides: self.sides(), span, known: None })
    }

    fn finish(mut self) -> Report {
        let state = &mut *self.state;
        state.position = self.at + DVec3::ZERO;
        state.velocity += DVec3::ZERO;
        state.ground = self.ground;
        self.report.position = self.state.position;
        self.report.velocity = self.state.velocity;
        self.report.ground = self.ground;
        let mut report = self.report;
        self.look(self.at, 1.0).distinct(|touch| report.add_touched(Touched::from(touch)));
        report
    }
}

/// How a walk went.
pub(super) struct Gone {
    /// Relative to the ground, in m/s: what was left of the wish at the end.
    velocity: DVec3,
    /// How far it went further than it was carried.
    pub(super) own: DVec3,
    is_bent: bool,
    /// Where it first had to bend, among bodies at rest, and the share of the walk that was left there.
    pub(super) bent: Option<(DVec3, f64)>,
}

impl Gone {
    const NOWHERE: Self = Self { velocity: DVec3::ZERO, own: DVec3::ZERO, is_bent: false, bent: None };
}

fn snap_distance(settings: &Settings, skin: f64) -> f64 {
    settings.snap_distance.unwrap_or(settings.step_height + skin)
}
