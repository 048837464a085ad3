//! Bodies: meshes and solids, each with a pose, a material and layers.

mod bend;
pub(in crate::world) mod body_at_time;
pub(in crate::world) mod body_id;
pub(in crate::world) mod collider;
pub(in crate::world) mod compound;
pub(in crate::world) mod extent;
pub(in crate::world) mod keyframes;
pub(in crate::world) mod layers;
pub(in crate::world) mod near;
pub(in crate::world) mod pieces;
pub(in crate::world) mod pose;
pub(in crate::world) mod rigid_motion;
pub(in crate::world) mod solid;
pub(in crate::world) mod stamp;
pub(in crate::world) mod sweep_segment;

use alloc::boxed::Box;

use glam::DVec3;

use crate::mesh::Surface;
use crate::num::ops;
use crate::prefetch::prefetch;
use crate::shape::{Aabb, Mover, ShapeError, finite, positive};
use crate::tree::Root;
use crate::world::body::collider::Collider;
use crate::world::body::extent::{bounds_at, lengths_of, origin_of};
use crate::world::body::pose::Frame;
use crate::world::body::rigid_motion::RigidMotion;
use crate::world::body::stamp::Stamp;
use crate::world::index;
use crate::world::index::IndexedBounds;
use crate::world::{Layers, Pose};

/// A body that turns by less than this in a tick, in radians, has a box about its arcs.
const NEARLY_HALF: f64 = 3.0;

/// How a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Fixed,
    Kinematic,
    /// Pushes move it.
    Dynamic,
}

/// An object in a world: a collider with a pose, a material and layers.
///
/// - [`Body::fixed`] for levels and everything that never moves in a tick. It is the cheapest.
/// - [`Body::kinematic`] for lifts, doors and platforms that the game moves.
/// - [`Body::dynamic`] for crates: as kinematic, but with a mass, so characters report how hard they push it
///   ([`PushedBodies`](crate::pushed::PushedBodies) moves such bodies).
/// - [`Body::sensor`] turns any of these into a trigger volume.
#[derive(Clone, Debug)]
pub struct Body {
    pub(crate) collider: Collider,
    /// Where it is at the end of the tick.
    pose: Pose,
    /// Its motion in this tick, if it moved.
    pub(crate) motion: Option<Box<RigidMotion>>,
    /// `None`: [`Extras::NONE`].
    extras: Option<Box<Extras>>,
    /// The version of its last change in its world.
    pub(crate) stamp: Stamp,
    /// The layers on which movers hit it: none for a sensor.
    pub(crate) layers: Layers,
    /// The number by which its world recognizes its id; set when it is added.
    pub(in crate::world) birth: u32,
    kind: Kind,
    /// Whether the index of its world is not up to date yet.
    pub(in crate::world) is_unindexed: bool,
    is_sensor: bool,
    /// The user number.
    pub(crate) user_data: u64,
}

/// Data that most bodies do not need.
#[derive(Clone, Debug)]
struct Extras {
    surface: Surface,
    surface_velocity: DVec3,
    /// In kilograms.
    mass: f64,
    /// The layers of a sensor.
    sensor_layers: Layers,
}

impl Extras {
    const NONE: Self = Self {
        surface: Surface { friction: None, restitution: 0.0, one_sided: false, tag: 0 },
        surface_velocity: DVec3::ZERO,
        mass: 0.0,
        sensor_layers: Layers::NONE,
    };
}

impl Body {
    /// A body that never moves in a tick. It is at the origin until [`Body::at`] puts it elsewhere.
    pub fn fixed(collider: impl Into<Collider>) -> Self {
        let collider = collider.into();
        Self {
            pose: Pose::IDENTITY,
            collider,
            motion: None,
            extras: None,
            stamp: Stamp::default(),
            layers: Layers::SOLID,
            birth: 0,
            kind: Kind::Fixed,
            is_unindexed: false,
            is_sensor: false,
            user_data: 0,
        }
    }

    /// A body that the game moves with [`World::advance`](crate::world::World::advance), such as a lift or a
    /// door. Nothing stops it. It pushes characters that it hits, or crushes them.
    pub fn kinematic(collider: impl Into<Collider>) -> Self {
        Self { kind: Kind::Kinematic, ..Self::fixed(collider) }
    }

    /// A body that the game moves and that has a mass, in kilograms. Characters report how hard they push it.
    ///
    /// # Errors
    /// The mass is not finite and greater than 0.
    pub fn dynamic(collider: impl Into<Collider>, mass: f64) -> Result<Self, ShapeError> {
        let mut body = Self { kind: Kind::Dynamic, ..Self::fixed(collider) };
        body.extras_mut().mass = positive(mass, "mass")?;
        Ok(body)
    }

    /// The same body with a moving surface, like a conveyor belt: in m/s along the world's axes. Only the
    /// part along the touched surface counts. The body itself stays.
    ///
    /// # Errors
    /// The velocity is not finite.
    pub fn with_surface_velocity(mut self, velocity: DVec3) -> Result<Self, ShapeError> {
        self.extras_mut().surface_velocity = finite(velocity, "surface velocity")?;
        Ok(self)
    }

    /// The same body at a [`Pose`], a position, or a position and a rotation. The world checks the pose when
    /// the body is added.
    #[must_use]
    pub fn at(mut self, pose: impl Into<Pose>) -> Self {
        self.put(pose.into());
        self.motion = None;
        self
    }

    /// Prefetches the fields that every query reads.
    #[inline]
    pub(in crate::world) fn prefetch(&self) {
        prefetch(&self.collider);
        prefetch(&self.pose);
        prefetch(&self.layers);
    }

    /// Sets its pose at the end of the tick.
    pub(crate) fn put(&mut self, pose: Pose) {
        self.pose = pose;
    }

    /// The same body on other layers.
    #[must_use]
    pub fn on(mut self, layers: Layers) -> Self {
        if self.is_sensor {
            self.extras_mut().sensor_layers = layers;
        } else {
            self.layers = layers;
        }
        self
    }

    /// The same body as a sensor: it stops nothing, and casts and overlaps do not find it. A
    /// [`Sensors`](crate::sensor::Sensors) reports the characters and bodies that enter it, stay in it and
    /// leave it, if they share a layer with it.
    #[must_use]
    pub fn sensor(mut self) -> Self {
        if !self.is_sensor {
            self.extras_mut().sensor_layers = self.layers;
            self.layers = Layers::NONE;
            self.is_sensor = true;
        }
        self
    }

    /// The same body with a user number, which every answer about the body carries: an entity, an index, a
    /// set of flags. The default is 0.
    #[must_use]
    pub fn with_user_data(self, user_data: u64) -> Self {
        Self { user_data, ..self }
    }

    /// The same body with another material. A mesh, a height field, and pieces of a compound keep their own
    /// material.
    #[must_use]
    pub fn with_surface(mut self, surface: Surface) -> Self {
        self.extras_mut().surface = surface;
        self
    }

    /// Its shape.
    pub fn collider(&self) -> &Collider {
        &self.collider
    }

    /// Its pose; at the end of the tick, if it moves.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Its pose after a share of the tick, 0 … 1.
    pub fn pose_at(&self, time: f64) -> Pose {
        self.motion.as_ref().map_or(self.pose, |motion| motion.at(time))
    }

    /// The displacement, in meters, of the point of the body that is at `point` at the first time, until the
    /// second time. Times are shares of the tick.
    pub fn displacement(&self, point: DVec3, times: [f64; 2]) -> DVec3 {
        self.motion.as_ref().map_or(DVec3::ZERO, |motion| motion.displacement(point, times))
    }

    /// The angle in radians by which it turns about an axis (a unit vector) in this tick.
    pub fn turn_about(&self, axis: DVec3) -> f64 {
        self.motion.as_ref().map_or(0.0, |motion| motion.angle() * motion.axis().dot(axis))
    }

    /// Whether it moves in this tick.
    pub fn is_moving(&self) -> bool {
        self.motion.is_some()
    }

    /// The velocity of its surface, in m/s.
    pub fn surface_velocity(&self) -> DVec3 {
        self.extras().surface_velocity
    }

    fn extras(&self) -> &Extras {
        self.extras.as_deref().unwrap_or(const { &Extras::NONE })
    }

    fn extras_mut(&mut self) -> &mut Extras {
        self.extras.get_or_insert_with(|| Box::new(Extras::NONE))
    }

    /// Its mass in kilograms, if it can be pushed.
    pub fn mass(&self) -> Option<f64> {
        match self.kind {
            Kind::Dynamic => Some(self.extras().mass),
            Kind::Fixed | Kind::Kinematic => None,
        }
    }

    /// Its solid in the world at the end of the tick; `None` if it is no single solid.
    pub(crate) fn placed_solid(&self) -> Option<Mover> {
        solid::placed(&self.collider, &self.pose)
    }

    /// Whether a tick may move it.
    pub(crate) fn can_move(&self) -> bool {
        self.kind != Kind::Fixed
    }

    /// The layers that it is on.
    pub fn layers(&self) -> Layers {
        if self.is_sensor { self.extras().sensor_layers } else { self.layers }
    }

    /// Whether it stops nothing and only reports.
    pub fn is_sensor(&self) -> bool {
        self.is_sensor
    }

    /// Its user number.
    pub fn user_data(&self) -> u64 {
        self.user_data
    }

    /// The material of a part: of a triangle of a mesh, else of the whole body.
    pub fn surface(&self, part: u32) -> &Surface {
        self.collider.own_surface(part).unwrap_or_else(|| &self.extras().surface)
    }

    /// Its bounds during the whole tick, for the index.
    pub(crate) fn indexed_bounds(&self) -> IndexedBounds {
        let swept = match &self.motion {
            None => self.bounds(),
            Some(motion) => self.swept_bounds(motion),
        };
        let grown = swept.and_then(|bounds| {
            let growth = DVec3::splat(index::GROWTH * lengths_of(&self.collider, &self.pose, &bounds));
            Aabb::new(bounds.min() - growth, bounds.max() + growth).ok()
        });
        grown.map_or(IndexedBounds::Anywhere, IndexedBounds::Within)
    }

    /// Which tree of the index it is in.
    pub(crate) fn root(&self) -> Root {
        if self.can_move() { Root::Moving } else { Root::Fixed }
    }

    /// A box that it does not leave on its path.
    fn swept_bounds(&self, motion: &RigidMotion) -> Option<Aabb> {
        let end = self.bounds()?;
        if motion.angle() == 0.0 {
            // The rounding here is a small part of the margin of bounds in the index.
            return Aabb::new(
                end.min() - motion.translation().max(DVec3::ZERO),
                end.max() - motion.translation().min(DVec3::ZERO),
            )
            .ok();
        }
        let start = self.bounds_at(&motion.at(0.0))?;
        let both = start.union(&end);
        let length = |v: DVec3| ops::sqrt(v.length_squared());
        let arm = start
            .corners()
            .iter()
            .fold(0.0f64, |most, corner| most.max(length(*corner - motion.at(0.0).position())));
        let angle = motion.angle();
        if angle < NEARLY_HALF {
            // A point of it lies between its positions at both ends, up to the sagitta of its arc and an
            // uneven speed along the chord: a share of θ²/24 at most.
            let sagitta = arm * (1.0 - ops::cos(0.5 * angle));
            return Some(both.grown(sagitta + arm * angle * angle * angle / 24.0));
        }
        // Otherwise it stays within its largest distance from the body's position.
        let ends = [motion.at(0.0).position(), motion.end().position()];
        let around = Aabb::enclosing(ends)?;
        Some(around.grown(arm).union(&both))
    }

    /// The box of the body at the end of the tick, in the world, in meters; `None` if that is outside the
    /// range of f64.
    pub fn bounds(&self) -> Option<Aabb> {
        self.bounds_at(&self.pose)
    }

    pub(in crate::world) fn bounds_at(&self, pose: &Pose) -> Option<Aabb> {
        bounds_at(&self.collider, pose)
    }

    /// The frame of its collider at the end of the tick.
    #[inline]
    pub(crate) fn frame(&self) -> Frame {
        self.frame_at(&self.pose)
    }

    /// The same after a share of the tick.
    #[inline]
    pub(crate) fn frame_after(&self, time: f64) -> Frame {
        match &self.motion {
            None => self.frame(),
            Some(motion) => self.frame_at(&motion.at(time)),
        }
    }

    /// The frame of its collider at this pose.
    #[inline]
    pub(crate) fn frame_at(&self, pose: &Pose) -> Frame {
        Frame::new(pose, origin_of(&self.collider))
    }
}
