//! A box somewhere, for the worlds that are made of bodies.

use glam::{DQuat, DVec3};

use crate::{MeshBuilder, SceneMesh};

/// A box as a body of its own would have it: its size apart from its pose. Lengths in meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedBox {
    /// Half its sides.
    pub half_extents: DVec3,
    /// Its center.
    pub position: DVec3,
    /// From its own axes to the world's, of length one.
    pub rotation: DQuat,
}

impl PlacedBox {
    /// An axis-aligned box.
    pub fn upright(half_extents: DVec3, position: DVec3) -> Self {
        Self { half_extents, position, rotation: DQuat::IDENTITY }
    }

    /// The same, turned about its center (unit quaternion).
    #[must_use]
    pub fn turned(self, rotation: DQuat) -> Self {
        Self { rotation: rotation * self.rotation, ..self }
    }

    /// Its twelve triangles in place, before rounding.
    pub fn builder(&self) -> MeshBuilder {
        MeshBuilder::cuboid(self.half_extents).posed(self.rotation, self.position)
    }

    /// Its twelve triangles in place.
    pub fn mesh(&self) -> SceneMesh {
        self.builder().rounded()
    }

    /// Whether a place is inside, or on the surface.
    pub fn contains(&self, place: DVec3) -> bool {
        let local = self.rotation.conjugate() * (place - self.position);
        local.abs().cmple(self.half_extents).all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::num::ops;

    #[test]
    fn contains_its_corners_drawn_in_and_not_drawn_out() {
        let turned = PlacedBox::upright(DVec3::new(1.0, 2.0, 3.0), DVec3::new(5.0, 6.0, 7.0))
            .turned(ops::rotation_about(DVec3::new(1.0, 2.0, -1.0), 1.0));
        for corner in turned.builder().points() {
            let out = *corner - turned.position;
            assert!(turned.contains(turned.position + out * 0.999));
            assert!(!turned.contains(turned.position + out * 1.001));
        }
    }
}
