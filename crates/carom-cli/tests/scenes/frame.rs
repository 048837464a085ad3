//! The same scene elsewhere: mirrored, turned, far away.
//!
//! A scene is carried into another frame by its bodies' `position` and `rotation` and by its characters'
//! numbers, in f64. Measurements are brought back, and judged in the frame in which the scene was written.

use carom::num::ops;
use glam::{DQuat, DVec3};
use serde_json::{Value, json};

/// A rigid motion, or one and a reflection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    /// In the plane x = z: it takes f32 numbers to f32 numbers, so a mesh may be mirrored before it is posed.
    is_mirrored: bool,
    turn: DQuat,
    shift: DVec3,
}

impl Frame {
    pub(crate) const PLAIN: Self = Self { is_mirrored: false, turn: DQuat::IDENTITY, shift: DVec3::ZERO };

    /// All frames in which every scene must show the same, with their names.
    pub(crate) fn all() -> [(&'static str, Self); 4] {
        [
            ("plain", Self::PLAIN),
            ("mirrored", Self { is_mirrored: true, ..Self::PLAIN }),
            ("turned", Self { turn: ops::rotation_about(DVec3::Y, 37f64.to_radians()), ..Self::PLAIN }),
            ("moved", Self { shift: DVec3::splat(1e4), ..Self::PLAIN }),
        ]
    }

    fn mirrored(&self, v: DVec3) -> DVec3 {
        if self.is_mirrored { DVec3::new(v.z, v.y, v.x) } else { v }
    }

    pub(crate) fn vector(&self, v: DVec3) -> DVec3 {
        let v = self.mirrored(v);
        if self.turn == DQuat::IDENTITY { v } else { self.turn * v }
    }

    pub(crate) fn point(&self, p: DVec3) -> DVec3 {
        self.vector(p) + self.shift
    }

    pub(crate) fn vector_back(&self, v: DVec3) -> DVec3 {
        let v = if self.turn == DQuat::IDENTITY { v } else { self.turn.inverse() * v };
        self.mirrored(v)
    }

    pub(crate) fn point_back(&self, p: DVec3) -> DVec3 {
        self.vector_back(p - self.shift)
    }

    /// +1, or −1 where turns are seen the other way round.
    pub(crate) fn handedness(&self) -> f64 {
        if self.is_mirrored { -1.0 } else { 1.0 }
    }

    /// An angular velocity: its axis is turned by a reflection, and its sense is reversed.
    fn spin(&self, w: DVec3) -> DVec3 {
        self.vector(w) * self.handedness()
    }

    /// The rotation of a body whose own numbers are mirrored too.
    pub(crate) fn rotation(&self, q: DQuat) -> DQuat {
        let axis = self.mirrored(q.xyz()) * self.handedness();
        let q = DQuat::from_xyzw(axis.x, axis.y, axis.z, q.w);
        if self.turn == DQuat::IDENTITY { q } else { self.turn * q }
    }

    /// The scene in this frame.
    pub(crate) fn carry(&self, scene: &Value) -> Value {
        let mut scene = scene.clone();
        self.change(&mut scene, "up", Self::vector);
        self.change(&mut scene, "gravity", Self::vector);
        for body in list(&mut scene, "bodies") {
            self.carry_body(body);
        }
        for character in list(&mut scene, "characters") {
            self.change(character, "position", Self::point);
            self.change(character, "velocity", Self::vector);
            self.carry_shape(&mut character["shape"]);
            for input in list(character, "input") {
                self.change(input, "move", Self::vector);
            }
        }
        scene
    }

    fn carry_body(&self, body: &mut Value) {
        self.carry_shape(body);
        if self.is_mirrored && body.get("mesh").is_some() {
            for vertex in list(&mut body["mesh"], "vertices") {
                *vertex = numbers(self.mirrored(vector(vertex)));
            }
            for triangle in list(&mut body["mesh"], "triangles") {
                let corners = triangle.as_array_mut().unwrap();
                corners.swap(1, 2);
            }
        }
        self.change(body, "linear", Self::vector);
        self.change(body, "surface_velocity", Self::vector);
        self.change(body, "angular", Self::spin);
        if body.get("keyframes").is_some() {
            for keyframe in list(body, "keyframes") {
                self.pose(keyframe);
            }
        } else {
            self.pose(body);
        }
    }

    fn pose(&self, owner: &mut Value) {
        let position = owner.get("position").map_or(DVec3::ZERO, vector);
        owner["position"] = numbers(self.point(position));
        let rotation = owner.get("rotation").map_or(DQuat::IDENTITY, quaternion);
        owner["rotation"] = json!(self.rotation(rotation).to_array());
    }

    /// The own axes of shapes are mirrored as meshes are. Characters are round or upright: a turn changes
    /// only boxes.
    fn carry_shape(&self, owner: &mut Value) {
        for (shape, lengths) in [("box", "half_extents"), ("cuboid", "half_extents"), ("ellipsoid", "radii")]
        {
            if let Some(shape) = owner.get_mut(shape) {
                shape[lengths] = numbers(self.mirrored(vector(&shape[lengths])));
            }
        }
    }

    fn change(&self, owner: &mut Value, key: &str, by: impl Fn(&Self, DVec3) -> DVec3) {
        if let Some(value) = owner.get_mut(key) {
            *value = numbers(by(self, vector(value)));
        }
    }
}

/// The elements of a list; `None` where there is no such key.
pub(crate) fn list<'a>(owner: &'a mut Value, key: &str) -> impl Iterator<Item = &'a mut Value> {
    owner.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten()
}

pub(crate) fn numbers(v: DVec3) -> Value {
    json!(v.to_array())
}

pub(crate) fn vector(value: &Value) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|axis| value[axis].as_f64().unwrap()))
}

pub(crate) fn quaternion(value: &Value) -> DQuat {
    DQuat::from_array([0, 1, 2, 3].map(|axis| value[axis].as_f64().unwrap()))
}

#[test]
fn a_scene_carried_there_is_the_same_seen_from_there() {
    let q = ops::rotation_about(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.7);
    let (own, at) = (DVec3::new(0.3, -0.7, 2.0), DVec3::new(4.0, 5.0, -6.0));
    for (name, frame) in Frame::all() {
        let there = frame.point(at) + frame.rotation(q) * frame.mirrored(own);
        assert!((frame.point_back(there) - (at + q * own)).length() < 1e-11, "{name}");
        let (w, arm) = (DVec3::new(0.1, 2.0, -0.4), DVec3::new(1.0, 0.5, 0.25));
        let turned = frame.spin(w).cross(frame.vector(arm));
        assert!((turned - frame.vector(w.cross(arm))).length() < 1e-14, "{name}");
    }
}
