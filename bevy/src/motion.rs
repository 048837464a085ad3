//! How bodies move.

use bevy::prelude::*;
#[cfg(feature = "serde")]
use bevy::reflect::{ReflectDeserialize, ReflectSerialize};
use carom::glam::DVec3;
use carom::world::{AfterLast, Keyframe, Keyframes, KeyframesError};

use crate::convert::{wide, wide_rotation};

/// How a body moves. Without it a body is fixed: its `Transform` may move it elsewhere at once, but then it
/// carries and pushes nothing.
///
/// A moving body must be a root: an entity without a parent.
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub enum RigidMotion {
    /// It moves to where the game puts its `Transform` before [`CaromSystems::Prepare`](crate::CaromSystems),
    /// straight and during the whole tick: animated doors.
    Follow,
    /// It moves with these velocities, in m/s and rad/s about the world's axes. Nothing stops it.
    Velocity {
        /// In m/s.
        linear: Vec3,
        /// In rad/s about the world's axes.
        angular: Vec3,
    },
    /// It moves from point to point. Nothing stops it: lifts, trains.
    Path(MotionPath),
    /// Gravity, its support, and characters move it. It does not turn: crates. Only spheres, ellipsoids,
    /// capsules and boxes.
    Pushed {
        /// In kilograms, above 0.
        mass: f32,
    },
}

impl RigidMotion {
    /// At this velocity, in m/s, without turning.
    pub fn linear(velocity: Vec3) -> Self {
        Self::Velocity { linear: velocity, angular: Vec3::ZERO }
    }

    /// A crate of this mass, in kilograms.
    pub fn pushed(mass: f32) -> Self {
        Self::Pushed { mass }
    }

    /// Back and forth between two positions, in meters, each way in this many seconds, with a stop of `stay`
    /// seconds at both ends.
    pub fn shuttle(from: Vec3, to: Vec3, seconds: f32, stay: f32) -> Self {
        let at = |time: f32, position: Vec3| PathPoint { time, position, rotation: Quat::IDENTITY };
        let mut points = vec![
            at(0.0, from),
            at(stay, from),
            at(stay + seconds, to),
            at(2.0 * stay + seconds, to),
            at(2.0 * (stay + seconds), from),
        ];
        // Without a stay two points are one.
        points.dedup_by_key(|point| point.time);
        Self::Path(MotionPath { points, repeats: true })
    }
}

/// A point of a [`MotionPath`].
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PathPoint {
    /// The time in seconds since the body was added.
    pub time: f32,
    /// The position in Bevy's coordinates at the time when the body was added.
    pub position: Vec3,
    /// The rotation from the body's axes to the world's.
    pub rotation: Quat,
}

/// Points on the path of a body: straight from each to the next, turning the short way.
#[derive(Clone, Debug, Default, PartialEq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MotionPath {
    /// The points, with increasing times.
    pub points: Vec<PathPoint>,
    /// Whether it starts again after the last point; otherwise it stays there.
    pub repeats: bool,
}

impl MotionPath {
    /// As Carom has it, about an origin.
    pub(crate) fn keyframes(&self, origin: DVec3) -> Result<Keyframes, KeyframesError> {
        let keyframe = |point: &PathPoint| Keyframe {
            time: f64::from(point.time),
            position: origin + wide(point.position),
            rotation: wide_rotation(point.rotation),
        };
        let keyframes: Vec<_> = self.points.iter().map(keyframe).collect();
        Keyframes::new(&keyframes, if self.repeats { AfterLast::Repeat } else { AfterLast::Stay })
    }
}
