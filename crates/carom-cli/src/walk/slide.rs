//! One tick of a body that collides and slides: the rule `slide`.
//!
//! Source: `docs/slide.md`, and gravity by the trapezoid rule: half of a tick's gravity bends the path, the
//! other half changes the velocity afterwards. So a jump is equally high at any tick rate, and a body at rest
//! has velocity 0, exactly.

use anyhow::{Context, Result, ensure};
use carom::character::{GravityPass, Input, Obstacle, Settings, Touched};
use carom::num::ops;
use carom::respond::{
    ContactPlane, NearestMotion, Slide, SlideEnd, SurfaceContact, WorldObstacles, collide_and_slide_traced,
    depenetrate, friction, nearest_feasible,
};
use carom::shape::{Aabb, Mover};
use carom::trace::{Decision, Event, Trace};
use carom::world::{Neighborhood, Part, World};
use glam::DVec3;

use super::touching::{most_upright, touching};
use super::trace::Listener;

/// Up, gravity and the length of a tick: common to all characters of a scene.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Environment {
    /// A unit vector.
    pub(crate) up: DVec3,
    /// In m/s².
    pub(crate) gravity: DVec3,
    /// The length of a tick, in seconds.
    pub(crate) dt: f64,
}

/// Everything that a walker is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WalkerSpec {
    pub(crate) shape: Mover,
    /// Skin, slope, layers and gravity pass; the rest is for characters.
    pub(crate) settings: Settings,
    pub(crate) position: DVec3,
    pub(crate) velocity: DVec3,
}

/// A body that collides and slides.
pub(crate) struct Walker {
    pub(crate) position: DVec3,
    pub(crate) velocity: DVec3,
    /// The contacts at its position, one for each direction and body, nearest first.
    pub(crate) touched: Vec<SurfaceContact<Part>>,
    /// The parts that left it no motion in the last tick.
    pub(crate) crushed_by: Vec<Part>,
    ground: Option<SurfaceContact<Part>>,
    /// The shape, grown by the skin.
    mover: Mover,
    skin: f64,
    /// The least cosine between `up` and the normal of ground.
    walkable: f64,
    settings: Settings,
    near: Neighborhood,
}

/// A walker's tick under way.
struct Tick<'a> {
    environment: &'a Environment,
    world: &'a World,
    near: &'a Neighborhood,
    heard: &'a mut Listener,
    sweeps: u32,
    end: SlideEnd,
    touched: Vec<SurfaceContact<Part>>,
}

impl Walker {
    pub(crate) fn new(spec: WalkerSpec, environment: &Environment, world: &World) -> Result<Self> {
        let WalkerSpec { shape, settings, position, velocity } = spec;
        let skin = settings.skin.unwrap_or_else(|| (1e-3 * shape.smallest_radius()).max(1e-4));
        ensure!(velocity.is_finite() && position.is_finite(), "position and velocity must be finite");
        let mut walker = Self {
            position: position + DVec3::ZERO,
            velocity: velocity + DVec3::ZERO,
            touched: Vec::new(),
            crushed_by: Vec::new(),
            ground: None,
            mover: shape.grown(skin).context("the shape with its skin")?,
            skin,
            walkable: ops::cos(settings.max_slope) - 1e-6,
            settings,
            near: Neighborhood::new(),
        };
        walker.look(environment, world, &Neighborhood::new());
        Ok(walker)
    }

    /// The shape, grown by the skin.
    pub(crate) fn mover(&self) -> &Mover {
        &self.mover
    }

    /// The most upright surface that is touched, if it can be stood on.
    pub(crate) fn ground(&self) -> Option<&SurfaceContact<Part>> {
        self.ground.as_ref()
    }

    /// One tick: the desired velocity replaces the velocity across `up` (all of it without gravity), the jump
    /// the speed along `up`, from the ground.
    pub(crate) fn step(
        &mut self,
        environment: &Environment,
        world: &World,
        input: Input,
        heard: &mut Listener,
    ) {
        let Environment { up, gravity, dt } = *environment;
        let across = |v: DVec3| v - up * v.dot(up);
        if let Some(desired_velocity) = input.desired_velocity {
            self.velocity = if gravity == DVec3::ZERO {
                desired_velocity
            } else {
                across(desired_velocity) + up * self.velocity.dot(up)
            };
        }
        if let (Some(speed), Some(_)) = (input.jump, self.ground()) {
            let event: Event<'_, Part> = Event::Decided(Decision::Jumps(speed));
            heard.event(&event);
            self.velocity = across(self.velocity) + up * speed;
        }
        let (from, velocity) = (self.position, self.velocity);
        let mut near = std::mem::take(&mut self.near);
        let speed = ops::sqrt(velocity.length_squared()) + dt * ops::sqrt(gravity.length_squared());
        if let Ok(point) = Aabb::new(from, from) {
            // A character pushed farther than it can go by itself asks the world again.
            let room = speed * dt + 4.0 * self.skin + 0.1 * self.mover.smallest_radius();
            world.gather(&self.mover, &point.grown(room), self.settings.collides_with, &mut near);
        }
        let mut tick = Tick {
            environment,
            world,
            near: &near,
            heard,
            sweeps: 0,
            end: SlideEnd::Done,
            touched: Vec::new(),
        };
        self.crushed_by.clear();
        let out = depenetrate(&self.around(&tick, [0.0, 0.0]), from);
        self.position = out.position;
        if !out.free {
            self.add_crushing(out.pressing());
        }
        let mean = velocity + gravity * (0.5 * dt);
        let carried = match self.settings.gravity_pass {
            GravityPass::Combined => self.slide(&mut tick, [0.0, 1.0], mean * dt) / dt,
            GravityPass::Separate => {
                // Motion in the other's direction is not speed: a walker that climbs a step does not take
                // off.
                let walked = self.slide(&mut tick, [0.0, 1.0], across(mean) * dt) / dt;
                let fallen = self.slide(&mut tick, [1.0, 1.0], up * (mean.dot(up) * dt)) / dt;
                across(walked) + up * fallen.dot(up)
            }
        };
        let Tick { sweeps, end, touched, .. } = tick;
        self.look(environment, world, &near);
        self.velocity = self.at_the_end(carried, gravity * (0.5 * dt), dt) + DVec3::ZERO;
        self.position += DVec3::ZERO;
        // Beyond the range of f64 the walker stays where it was.
        if !self.position.is_finite() || !self.velocity.is_finite() {
            self.position = from;
            self.velocity = DVec3::ZERO;
            self.look(environment, world, &near);
        }
        self.near = near;
        heard.end_slide(end, sweeps, touched.iter().map(touched_at));
    }

    fn around<'a>(&self, tick: &Tick<'a>, span: [f64; 2]) -> WorldObstacles<'a> {
        WorldObstacles::new(tick.world, self.mover, self.settings.collides_with)
            .within(tick.near)
            .during(span, tick.environment.dt * (span[1] - span[0]))
    }

    /// Moves in a part of the tick. Returns the rest of the desired motion.
    fn slide(&mut self, tick: &mut Tick, span: [f64; 2], translation: DVec3) -> DVec3 {
        let around = self.around(tick, span);
        if translation == DVec3::ZERO && !carom::respond::Obstacles::may_move(&around) {
            return DVec3::ZERO;
        }
        let Environment { gravity, dt, .. } = *tick.environment;
        let slide = Slide::new(self.position, translation)
            .with_contact_distance(self.contact_distance())
            // Twice the distance that one tick of gravity moves a body: so gravity on a body at rest is no
            // impact.
            .with_bounce_above(2.0 * ops::sqrt(gravity.length_squared()) * dt * dt);
        let slid = collide_and_slide_traced(&around, &slide, tick.heard);
        self.position = slid.position;
        self.add_crushing(slid.pressing());
        tick.sweeps += slid.sweeps;
        tick.end = slid.end;
        tick.touched.extend(slid.touches());
        // A crushed character stays: nothing is left of its motion.
        if slid.end == SlideEnd::Crushed { DVec3::ZERO } else { slid.motion }
    }

    /// Each body counts once, whatever number of its triangles press.
    fn add_crushing(&mut self, pressing: impl Iterator<Item = Part>) {
        for part in pressing {
            if self.crushed_by.iter().all(|other| other.body != part.body) {
                self.crushed_by.push(part);
            }
        }
    }

    /// The velocity after the second half of the tick's gravity, as far as what is touched allows it: support
    /// takes up the rest, and its friction acts on the whole velocity, against that of the surface.
    fn at_the_end(&self, carried: DVec3, half: DVec3, dt: f64) -> DVec3 {
        let planes = |bound: fn(&SurfaceContact<Part>, f64) -> f64| -> Vec<ContactPlane> {
            let plane = |touch: &SurfaceContact<Part>| ContactPlane {
                normal: touch.contact.normal,
                bound: bound(touch, dt),
            };
            self.touched.iter().map(plane).collect()
        };
        let Ok(NearestMotion::Feasible { velocity, planes: held }) =
            nearest_feasible(half, &planes(|_, _| 0.0))
        else {
            return carried;
        };
        let roughest = held.as_slice().iter().map(|&plane| &self.touched[plane]).fold(
            (0.0, DVec3::ZERO),
            |(most, motion), touch| match touch.friction {
                Some(coefficient) if coefficient > most => (coefficient, touch.surface_motion() / dt),
                _ => (most, motion),
            },
        );
        let after = carried + velocity;
        let after = match roughest {
            (coefficient, surface) if coefficient > 0.0 => {
                friction(carried + half - surface, after - surface, coefficient) + surface
            }
            _ => after,
        };
        // Moving bodies take pushed movers along.
        if self.touched.iter().all(|touch| touch.motion == DVec3::ZERO) {
            return after;
        }
        match nearest_feasible(after, &planes(|touch, dt| touch.contact.normal.dot(touch.motion) / dt)) {
            Ok(NearestMotion::Feasible { velocity, .. }) => velocity,
            _ => DVec3::ZERO,
        }
    }

    /// Looks around at the end of a tick.
    fn look(&mut self, environment: &Environment, world: &World, near: &Neighborhood) {
        let around = WorldObstacles::new(world, self.mover, self.settings.collides_with)
            .within(near)
            .during([0.0, 1.0], environment.dt);
        self.touched = touching(&around, self.position, self.contact_distance());
        self.ground = most_upright(&self.touched, environment.up)
            .filter(|touch| touch.contact.normal.dot(environment.up) >= self.walkable)
            .copied();
    }

    fn contact_distance(&self) -> f64 {
        0.25 * self.skin
    }
}

fn touched_at(touch: &SurfaceContact<Part>) -> Touched {
    let contact = touch.contact;
    Touched {
        obstacle: Obstacle::Body(touch.key),
        point: contact.point,
        normal: contact.normal,
        gap: contact.gap,
        // No line of a walk shows it.
        user_data: 0,
    }
}
