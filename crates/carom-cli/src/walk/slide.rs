//! One tick of a body that collides and slides: the rule `slide`.
//!
//! Source: `docs/slide.md`, and gravity by the trapezoid rule: half of a tick's gravity bends the way, the other half the velocity
//! afterwards. So a jump is as high at any tick rate, and a body at rest has velocity 0, exactly.

use anyhow::{Context, Result, ensure};
use carom::num::ops;
use carom::respond::{
    ContactPlane, Motion, Slide, SlideEnd, Surroundings, Touch, collide_and_slide, depenetrate, friction,
    nearest_feasible,
};
use carom::shape::Mover;
use carom::world::{Layers, Part, World};
use glam::DVec3;

use super::touching::{most_upright, touching};

/// What all characters of a scene share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// A unit vector.
    pub(crate) up: DVec3,
    /// In m/s².
    pub(crate) gravity: DVec3,
    /// The length of a tick, in seconds.
    pub(crate) dt: f64,
}

/// Whether a tick is one motion, or one along the ground and one of falling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GravityPass {
    Combined,
    Separate,
}

/// What a walker is made from.
pub(crate) struct WalkerSpec {
    pub(crate) name: String,
    pub(crate) shape: Mover,
    /// In metres; a thousandth of the smallest radius unless given, and no less than 0.1 mm.
    pub(crate) skin: Option<f64>,
    pub(crate) layers: Layers,
    pub(crate) max_slope_degrees: f64,
    pub(crate) gravity_pass: GravityPass,
    pub(crate) position: DVec3,
    pub(crate) velocity: DVec3,
}

/// A body that collides and slides.
pub(crate) struct Walker {
    pub(crate) name: String,
    pub(crate) position: DVec3,
    pub(crate) velocity: DVec3,
    /// How the last tick went.
    pub(crate) trace: Trace,
    /// What it touches where it is, one contact for each direction and body, nearest first.
    pub(crate) touched: Vec<Touch<Part>>,
    ground: Option<Touch<Part>>,
    /// The shape, grown by the skin.
    mover: Mover,
    skin: f64,
    layers: Layers,
    /// The least cosine between `up` and the normal of ground.
    walkable: f64,
    gravity_pass: GravityPass,
}

/// How a tick went.
pub(crate) struct Trace {
    pub(crate) sweeps: u32,
    pub(crate) end: SlideEnd,
    /// Everything touched on the way.
    pub(crate) touched: Vec<Touch<Part>>,
}

impl Walker {
    pub(crate) fn new(spec: WalkerSpec, place: &Place, world: &World) -> Result<Self> {
        let skin = spec.skin.unwrap_or_else(|| (1e-3 * spec.shape.smallest_radius()).max(1e-4));
        ensure!(
            spec.velocity.is_finite() && spec.position.is_finite(),
            "position and velocity must be finite"
        );
        let walkable = ops::cos(spec.max_slope_degrees.to_radians()) - 1e-6;
        let mut walker = Self {
            name: spec.name,
            position: spec.position + DVec3::ZERO,
            velocity: spec.velocity + DVec3::ZERO,
            trace: Trace { sweeps: 0, end: SlideEnd::Done, touched: Vec::new() },
            touched: Vec::new(),
            ground: None,
            mover: spec.shape.grown(skin).context("the shape with its skin")?,
            skin,
            layers: spec.layers,
            walkable,
            gravity_pass: spec.gravity_pass,
        };
        walker.look(place, world);
        Ok(walker)
    }

    /// The most upright surface that is touched, if it can be stood on.
    pub(crate) fn ground(&self) -> Option<&Touch<Part>> {
        self.ground.as_ref()
    }

    /// One tick: `wish` replaces the velocity across `up` (all of it without gravity), `jump` the speed along `up`.
    pub(crate) fn step(&mut self, place: &Place, world: &World, wish: Option<DVec3>, jump: Option<f64>) {
        let Place { up, gravity, dt } = *place;
        self.trace = Trace { sweeps: 0, end: SlideEnd::Done, touched: Vec::new() };
        let across = |v: DVec3| v - up * v.dot(up);
        if let Some(wish) = wish {
            self.velocity =
                if gravity == DVec3::ZERO { wish } else { across(wish) + up * self.velocity.dot(up) };
        }
        if let Some(speed) = jump {
            self.velocity = across(self.velocity) + up * speed;
        }
        let around = Surroundings::new(world, self.mover, self.layers);
        let (from, velocity) = (self.position, self.velocity);
        self.position = depenetrate(&around, from).position;
        let mean = velocity + gravity * (0.5 * dt);
        let carried = match self.gravity_pass {
            GravityPass::Combined => self.slide(&around, mean * dt, place) / dt,
            GravityPass::Separate => {
                // What one motion does in the other's direction is no speed: a walker who climbs a step does not take off.
                let walked = self.slide(&around, across(mean) * dt, place) / dt;
                let fallen = self.slide(&around, up * (mean.dot(up) * dt), place) / dt;
                across(walked) + up * fallen.dot(up)
            }
        };
        self.look(place, world);
        self.velocity = self.with_second_half(carried, gravity * (0.5 * dt)) + DVec3::ZERO;
        self.position += DVec3::ZERO;
        // Beyond the range of f64 the walker stays where it was.
        if !self.position.is_finite() || !self.velocity.is_finite() {
            self.position = from;
            self.velocity = DVec3::ZERO;
            self.look(place, world);
        }
    }

    /// Moves, and gives the motion that was left of the wish.
    fn slide(&mut self, around: &Surroundings, translation: DVec3, place: &Place) -> DVec3 {
        if translation == DVec3::ZERO {
            return DVec3::ZERO;
        }
        let slid = collide_and_slide(
            around,
            &Slide {
                from: self.position,
                translation,
                contact_distance: self.contact_distance(),
                friction: 0.0,
                // Twice what one tick of gravity moves a body: what it does to one at rest is no impact.
                bounce_above: 2.0 * ops::sqrt(place.gravity.length_squared()) * place.dt * place.dt,
            },
        );
        self.position = slid.position;
        self.trace.sweeps += slid.sweeps;
        self.trace.end = slid.end;
        self.trace.touched.extend(slid.touches());
        slid.motion
    }

    /// The velocity after the second half of the tick's gravity, as far as what is touched allows it: support takes up the rest,
    /// and its friction acts on the whole velocity.
    fn with_second_half(&self, carried: DVec3, half: DVec3) -> DVec3 {
        let planes: Vec<ContactPlane> = self
            .touched
            .iter()
            .map(|touch| ContactPlane { normal: touch.contact.normal, bound: 0.0 })
            .collect();
        let Ok(Motion::Feasible { velocity, planes }) = nearest_feasible(half, &planes) else {
            return carried;
        };
        let coefficient = planes
            .as_slice()
            .iter()
            .fold(0.0f64, |most, &plane| most.max(self.touched[plane].friction.unwrap_or(0.0)));
        let after = carried + velocity;
        if coefficient > 0.0 { friction(carried + half, after, coefficient) } else { after }
    }

    /// Looks around at the end of a tick.
    fn look(&mut self, place: &Place, world: &World) {
        let around = Surroundings::new(world, self.mover, self.layers);
        self.touched = touching(&around, self.position, self.contact_distance());
        self.ground = most_upright(&self.touched, place.up)
            .filter(|touch| touch.contact.normal.dot(place.up) >= self.walkable)
            .copied();
    }

    fn contact_distance(&self) -> f64 {
        0.25 * self.skin
    }
}
