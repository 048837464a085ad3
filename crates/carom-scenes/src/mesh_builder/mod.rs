//! Geometry in the making: f64 points that are posed, joined and then rounded once.

mod extrude;
mod lathe;
mod outline;
mod terraces;

use glam::{DQuat, DVec3};

use crate::SceneMesh;
use crate::scene_mesh::rounded;

pub(crate) use terraces::{Cell, Terraces};

/// Triangles with f64 corners, before they are rounded to a [`SceneMesh`]. Lengths in meters, y up,
/// counter-clockwise as seen from the front.
///
/// A scene that is mirrored, turned or moved far away before rounding is as good as one that is not; turning
/// the rounded one would round twice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshBuilder {
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

impl MeshBuilder {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// One triangle.
    pub fn triangle(corners: [DVec3; 3]) -> Self {
        Self { points: corners.to_vec(), triangles: vec![[0, 1, 2]] }
    }

    /// Four corners in order around a flat face: triangles (0, 1, 2) and (0, 2, 3).
    pub fn quad(corners: [DVec3; 4]) -> Self {
        Self { points: corners.to_vec(), triangles: vec![[0, 1, 2], [0, 2, 3]] }
    }

    /// A flat face of `across` × `along` equal quads. `corner` and the two sides span it; it faces
    /// `across_side × along_side`.
    ///
    /// # Panics
    /// More than 2³² corners.
    pub fn grid(corner: DVec3, [across_side, along_side]: [DVec3; 2], [across, along]: [u32; 2]) -> Self {
        let mut builder = Self::new();
        for j in 0..=along {
            for i in 0..=across {
                // Shares of the whole side, not sums of steps: the far edge lies where the side ends.
                let (u, v) = (f64::from(i) / f64::from(across), f64::from(j) / f64::from(along));
                builder.point(corner + across_side * u + along_side * v);
            }
        }
        let row = across + 1;
        for j in 0..along {
            for i in 0..across {
                let a = j * row + i;
                builder.triangles.push([a, a + 1, a + row + 1]);
                builder.triangles.push([a, a + row + 1, a + row]);
            }
        }
        builder
    }

    /// A closed box about the origin that faces outward: eight corners, twelve triangles.
    ///
    /// Corner i has +x where bit 0 of i is set, +y for bit 1, +z for bit 2; the faces come −x +x −y +y −z +z.
    pub fn cuboid(half_extents: DVec3) -> Self {
        let corner = |i: u32| {
            let sign = |bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
            half_extents * DVec3::new(sign(0), sign(1), sign(2))
        };
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles = faces.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Self { points: (0..8).map(corner).collect(), triangles }
    }

    /// The closed box between two opposite corners, `low` less than `high` on every axis.
    pub fn cuboid_between(low: DVec3, high: DVec3) -> Self {
        let mut builder = Self::cuboid(DVec3::ONE);
        // Chosen, not computed: the corners are the numbers given, to the bit.
        builder.points.iter_mut().for_each(|p| *p = DVec3::select(p.cmpgt(DVec3::ZERO), high, low));
        builder
    }

    /// Takes in the triangles of `other`. Points are not shared between the two.
    pub fn append(&mut self, other: &Self) {
        let offset = self.points.len() as u32;
        self.points.extend_from_slice(&other.points);
        self.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|i| i + offset)));
    }

    /// Both.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.append(other);
        self
    }

    /// The same, turned about the origin (unit quaternion) and then moved.
    #[must_use]
    pub fn posed(mut self, rotation: DQuat, translation: DVec3) -> Self {
        // Not turned at all, not even by a product: a scene that is only moved keeps its bits.
        let turned = rotation != DQuat::IDENTITY;
        for p in &mut self.points {
            *p = if turned { rotation * *p } else { *p } + translation;
        }
        self
    }

    /// The same, moved.
    #[must_use]
    pub fn moved(self, translation: DVec3) -> Self {
        self.posed(DQuat::IDENTITY, translation)
    }

    /// The same, turned by `turns` right angles about +y, right-handed: one takes +z to +x. No bit of a
    /// coordinate changes but its sign.
    #[must_use]
    pub fn quarter_turned(mut self, turns: i32) -> Self {
        for p in &mut self.points {
            *p = match turns.rem_euclid(4) {
                0 => *p,
                1 => DVec3::new(p.z, p.y, -p.x),
                2 => DVec3::new(-p.x, p.y, -p.z),
                _ => DVec3::new(-p.z, p.y, p.x),
            };
        }
        self
    }

    /// The mirror image in the plane x = 0, facing the way the mirror shows it: outward stays outward.
    #[must_use]
    pub fn mirrored(mut self) -> Self {
        self.points.iter_mut().for_each(|p| p.x = -p.x);
        self.flipped()
    }

    /// The same surface facing the other way.
    #[must_use]
    pub fn flipped(mut self) -> Self {
        self.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        self
    }

    /// The points, in meters.
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// Three indices into [`points`](Self::points) each.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Every coordinate to the nearest f32, once.
    pub fn rounded(&self) -> SceneMesh {
        SceneMesh {
            vertices: self.points.iter().copied().map(rounded).collect(),
            triangles: self.triangles.clone(),
            sections: Vec::new(),
        }
    }

    fn point(&mut self, point: DVec3) -> u32 {
        let index = self.points.len();
        assert!(index < u32::MAX as usize, "indices are 32 bits");
        self.points.push(point);
        index as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::Census;
    use carom::num::ops;

    #[test]
    fn a_box_is_closed_and_faces_outward() {
        for builder in [
            MeshBuilder::cuboid(DVec3::new(1.0, 2.0, 3.0)),
            MeshBuilder::cuboid_between(DVec3::new(-1.0, 0.5, 2.0), DVec3::new(3.0, 0.75, 9.0)),
            MeshBuilder::cuboid(DVec3::ONE).mirrored(),
        ] {
            let census = Census::of(&builder.rounded());
            assert!(census.is_closed());
            assert!(census.volume > 0.0);
        }
        assert_eq!(Census::of(&MeshBuilder::cuboid(DVec3::new(1.0, 2.0, 3.0)).rounded()).volume, 48.0);
        assert!(Census::of(&MeshBuilder::cuboid(DVec3::ONE).flipped().rounded()).volume < 0.0);
    }

    #[test]
    fn a_pose_rounds_once() {
        // 2²⁴ + 1 is no f32: the box must be moved before it is rounded, or the corner at −1 is lost.
        let far = MeshBuilder::cuboid(DVec3::ONE).moved(DVec3::splat(16_777_217.0)).rounded();
        assert_eq!(far.extents(), Some((DVec3::splat(16_777_216.0), DVec3::splat(16_777_218.0))));
    }

    #[test]
    fn mirroring_twice_changes_no_bit() {
        let turned = MeshBuilder::cuboid(DVec3::new(0.1, 0.2, 0.3))
            .posed(ops::rotation_about(DVec3::Y, 37f64.to_radians()), DVec3::splat(10_000.0));
        assert_eq!(turned.clone().mirrored().mirrored().rounded(), turned.rounded());
    }

    #[test]
    fn a_quarter_turn_is_the_rotation_and_four_are_none() {
        let builder = MeshBuilder::cuboid_between(DVec3::new(0.1, 0.2, 0.3), DVec3::new(1.1, 2.2, 3.3));
        let turned = builder.clone().quarter_turned(1);
        let rotation = ops::rotation_about(DVec3::Y, core::f64::consts::FRAC_PI_2);
        for (quarter, rotated) in
            turned.points().iter().zip(builder.clone().posed(rotation, DVec3::ZERO).points())
        {
            assert!((quarter - rotated).length() < 1e-15 * 4.0);
        }
        assert_eq!(turned.clone().quarter_turned(3), builder);
        assert_eq!(turned.quarter_turned(-5), builder.clone().quarter_turned(2).quarter_turned(2));
        assert_eq!(builder.clone().mirrored().quarter_turned(2).mirrored(), builder.quarter_turned(-2));
    }

    #[test]
    fn a_grid_is_flat_and_faces_across_times_along() {
        let grid = MeshBuilder::grid(DVec3::ZERO, [DVec3::Z * 4.0, DVec3::X * 2.0], [4, 2]).rounded();
        assert_eq!(grid.triangles.len(), 16);
        for [a, b, c] in grid.iter_corners() {
            assert_eq!((b - a).cross(c - a), DVec3::Y);
        }
        assert_eq!(Census::of(&grid).open_edges, 12);
    }
}
