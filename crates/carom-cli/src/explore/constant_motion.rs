//! The motion of a body with a constant velocity, as keyframes: for the explorer and for its witnesses.

use std::f64::consts::TAU;

use anyhow::Result;
use carom::num::ops;
use carom::world::{AfterLast, Body, Keyframe, Keyframes};
use glam::{DQuat, DVec3};
use serde_json::{Value, json};

/// A body that leaves the level goes this much farther, in meters, and stays there.
const BEYOND: f64 = 20.0;
/// The longest motion, in seconds.
const LONGEST: f64 = 3_600.0;
/// The most keyframes of a turning motion.
const MOST: f64 = 10_000.0;

/// A motion, and whether it repeats.
#[derive(Debug)]
pub(crate) struct ConstantMotion {
    keyframes: Vec<Keyframe>,
    repeats: bool,
}

impl ConstantMotion {
    /// The motion of a body at these speeds, in m/s and rad/s in world axes about its position, until it has
    /// left the box of the level. A body that only turns repeats after each turn.
    pub(crate) fn of(body: &Body, [linear, angular]: [DVec3; 2], [low, high]: [DVec3; 2]) -> Self {
        let pose = body.pose();
        let rate = angular.length();
        // Rotations between keyframes go the short way round, so a turn needs at least three.
        let third = TAU / 3.0 / rate;
        let end = if linear == DVec3::ZERO {
            3.0 * third
        } else {
            let size = body.bounds().map_or(0.0, |bounds| (bounds.max() - bounds.min()).length());
            let until = leaves(pose.position(), linear, [low - size - BEYOND, high + size + BEYOND]);
            if rate > 0.0 { until.min(MOST * third) } else { until }
        };
        let at = |time: f64| {
            let (sin, cos) = ops::sin_cos(0.5 * rate * time);
            let axis = if rate > 0.0 { angular / rate } else { DVec3::ZERO } * sin;
            let turn = DQuat::from_xyzw(axis.x, axis.y, axis.z, cos);
            let position = pose.position() + linear * time;
            Keyframe { time, position, rotation: (turn * pose.rotation()).normalize() }
        };
        let between = (1..).map(|i| third * f64::from(i)).take_while(|time| *time < end * (1.0 - 1e-9));
        let turns: Vec<f64> = if rate > 0.0 { between.collect() } else { Vec::new() };
        let times = [0.0].into_iter().chain(turns).chain([end]);
        Self { keyframes: times.map(at).collect(), repeats: linear == DVec3::ZERO }
    }

    /// The same for the explorer.
    pub(crate) fn plan(&self) -> Result<Keyframes> {
        let after = if self.repeats { AfterLast::Repeat } else { AfterLast::Stay };
        Ok(Keyframes::new(&self.keyframes, after)?)
    }

    /// Replaces the speeds of a body of a scene by this motion.
    pub(crate) fn replace_speeds(&self, body: &mut Value) {
        if let Some(body) = body.as_object_mut() {
            for key in ["linear", "angular", "position", "rotation"] {
                body.remove(key);
            }
        }
        let frame = |frame: &Keyframe| {
            json!({
                "time": frame.time,
                "position": frame.position.to_array(),
                "rotation": frame.rotation.to_array(),
            })
        };
        body["keyframes"] = self.keyframes.iter().map(frame).collect();
        body["loop"] = self.repeats.into();
    }
}

/// The time at which a moving point leaves a box, in seconds.
fn leaves(from: DVec3, velocity: DVec3, [low, high]: [DVec3; 2]) -> f64 {
    let seconds = (0..3).filter(|axis| velocity[*axis] != 0.0).map(|axis| {
        let edge = if velocity[axis] > 0.0 { high[axis] } else { low[axis] };
        (edge - from[axis]) / velocity[axis]
    });
    let first = seconds.fold(LONGEST, f64::min);
    if first > 0.0 { first } else { LONGEST.min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::Cuboid;
    use carom::world::Pose;

    const BOX: [DVec3; 2] = [DVec3::splat(-10.0), DVec3::splat(10.0)];

    fn slab() -> Body {
        let pose = Pose::at(DVec3::new(1.0, 2.0, 3.0)).unwrap();
        Body::kinematic(Cuboid::new(DVec3::new(1.0, 0.1, 1.0)).unwrap()).at(pose)
    }

    #[test]
    fn a_body_that_turns_is_where_its_speed_has_turned_it() {
        let angular = DVec3::new(0.3, -1.1, 0.4);
        for linear in [DVec3::ZERO, DVec3::new(0.5, 0.0, -0.25)] {
            let plan = ConstantMotion::of(&slab(), [linear, angular], BOX).plan().unwrap();
            let last = if linear == DVec3::ZERO { 200.0 } else { plan.seconds() };
            for i in 0..1000 {
                let time = last * f64::from(i) / 1000.0;
                let pose = plan.pose_at(time);
                let (sin, cos) = ops::sin_cos(0.5 * angular.length() * time);
                let axis = angular.normalize() * sin;
                let turned = DQuat::from_xyzw(axis.x, axis.y, axis.z, cos);
                assert!(turned.dot(pose.rotation()).abs() > 1.0 - 1e-9, "{time}");
                let went = pose.position() - DVec3::new(1.0, 2.0, 3.0) - linear * time;
                assert!(went.length() < 1e-9, "{time}: {went}");
            }
        }
    }

    #[test]
    fn a_body_that_leaves_the_level_stays_beyond_it() {
        let plan = ConstantMotion::of(&slab(), [DVec3::new(0.0, 2.0, 0.0), DVec3::ZERO], BOX).plan().unwrap();
        let end = plan.pose_at(1e6).position();
        assert!(end.y > 30.0 && end.y < 40.0, "{end}");
        assert!((plan.seconds() - (end.y - 2.0) / 2.0).abs() < 1e-9);
    }

    #[test]
    fn a_scene_gets_keyframes_in_place_of_speeds() {
        let mut body = json!({ "name": "fan", "position": [1, 2, 3], "angular": [0, 1, 0] });
        ConstantMotion::of(&slab(), [DVec3::ZERO, DVec3::Y], BOX).replace_speeds(&mut body);
        assert!(body["angular"].is_null() && body["position"].is_null() && body["loop"] == true);
        assert_eq!(body["keyframes"].as_array().unwrap().len(), 4);
    }
}
