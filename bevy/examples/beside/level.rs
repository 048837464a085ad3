//! A town on hills: walls, stairs, boxes at angles and acute corners, in one mesh.

use bevy::prelude::*;
use bevy_carom::carom::glam::{DQuat, DVec3};
use bevy_carom::carom::num::ops;
use carom_scenes::{PlacedBox, Random, SceneMesh};

/// How far the ground reaches along x and z, in meters.
pub(crate) const REACH: f32 = 100.0;
/// The cells of the ground along a side.
const CELLS: u32 = 240;

pub(crate) struct Level {
    /// All triangles.
    pub(crate) mesh: SceneMesh,
    pub(crate) boxes: Vec<PlacedBox>,
    ground: SceneMesh,
}

/// A piece of the level: a collider of its own.
pub(crate) enum Piece {
    Mesh(Vec<Vec3>, Vec<[u32; 3]>),
    /// Its half extents.
    Cuboid(Vec3),
}

pub(crate) fn narrow(v: DVec3) -> Vec3 {
    Vec3::from_array(v.to_array().map(|x| x as f32))
}

/// The height of the ground in meters. Nowhere steeper than 22°.
pub(crate) fn height(x: f64, z: f64) -> f64 {
    1.5 * ops::sin(0.13 * x) * ops::cos(0.11 * z) + 0.4 * ops::sin(0.5 * x + 0.3 * z)
}

fn place(random: &mut Random) -> DVec3 {
    let reach = 0.92 * f64::from(REACH);
    let (x, z) = (random.between(-reach, reach), random.between(-reach, reach));
    DVec3::new(x, height(x, z), z)
}

fn yaw(random: &mut Random) -> DQuat {
    ops::rotation_about(DVec3::Y, random.between(0.0, core::f64::consts::TAU))
}

impl Level {
    /// The same each time.
    pub(crate) fn new() -> Self {
        let mut random = Random::new(0xBE51DE);
        let mut boxes = Vec::new();
        let mut put = |half: DVec3, position: DVec3, rotation: DQuat| {
            boxes.push(PlacedBox { half_extents: half, position, rotation });
        };
        for _ in 0..200 {
            let half = DVec3::new(random.between(0.1, 4.0), 3.0, random.between(0.1, 4.0));
            put(half, place(&mut random), yaw(&mut random));
        }
        for _ in 0..60 {
            // Steps of 25 cm, 40 cm deep, up to a platform.
            let (at, turn) = (place(&mut random), yaw(&mut random));
            for step in 1..=8 {
                let top = 0.25 * f64::from(step);
                let depth = if step == 8 { 1.5 } else { 0.2 };
                let ahead = 0.4 * f64::from(step) + depth - 0.2;
                let half = DVec3::new(1.2, 0.5 * (top + 2.0), depth);
                put(half, at + turn * DVec3::new(0.0, top - half.y, ahead), turn);
            }
        }
        for _ in 0..300 {
            let mut half = || random.between(0.2, 1.2);
            let half = DVec3::new(half(), half(), half());
            put(half, place(&mut random) + DVec3::Y * 0.3, random.rotation());
        }
        for _ in 0..100 {
            // Two thin walls that meet.
            let (at, turn) = (place(&mut random), yaw(&mut random));
            let angle = random.between(0.3, 0.9);
            for side in [-0.5, 0.5] {
                let own = turn * ops::rotation_about(DVec3::Y, side * angle);
                put(DVec3::new(0.05, 3.0, 2.0), at + own * DVec3::Z * 2.0, own);
            }
        }
        let ground = ground();
        let mut mesh = ground.clone();
        boxes.iter().for_each(|placed| mesh.append(&placed.mesh()));
        Self { mesh, boxes, ground }
    }

    /// One mesh, or the ground and each box as a solid.
    pub(crate) fn pieces(&self, has_solids: bool) -> Vec<(Piece, Transform)> {
        let whole = if has_solids { &self.ground } else { &self.mesh };
        let vertices = whole.vertices.iter().copied().map(Vec3::from_array).collect();
        let mut pieces = vec![(Piece::Mesh(vertices, whole.triangles.clone()), Transform::default())];
        if has_solids {
            pieces.extend(self.boxes.iter().map(|placed| {
                let rotation = Quat::from_array(placed.rotation.to_array().map(|x| x as f32));
                let place = Transform::from_translation(narrow(placed.position)).with_rotation(rotation);
                (Piece::Cuboid(narrow(placed.half_extents)), place)
            }));
        }
        pieces
    }
}

fn ground() -> SceneMesh {
    let spacing = 2.0 * f64::from(REACH) / f64::from(CELLS);
    let line = CELLS + 1;
    let mut mesh = SceneMesh::new();
    for sample in 0..line * line {
        let along = |number: u32| f64::from(number) * spacing - f64::from(REACH);
        let (x, z) = (along(sample % line), along(sample / line));
        mesh.vertices.push([x as f32, height(x, z) as f32, z as f32]);
    }
    for cell in 0..CELLS * CELLS {
        let corner = cell / CELLS * line + cell % CELLS;
        let [a, b, c, d] = [corner, corner + line, corner + line + 1, corner + 1];
        mesh.triangles.extend([[a, b, c], [a, c, d]]);
    }
    mesh
}
