//! Worlds that are made of bodies: W9 to W13.

use core::f64::consts::TAU;

use carom::num::ops;
use glam::{DQuat, DVec3};

use super::blob::blob_of_level;
use super::city::within;
use super::{BLOB_SEEDS, City, Terrain};
use crate::scene_mesh::{point, rounded};
use crate::{MeshBuilder, Random, SceneMesh};

/// The form of a body of a [`BodyScene`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// A box, by half its sides, in meters.
    Cuboid(DVec3),
    /// One of the meshes of the scene, scaled by this factor.
    Instance {
        /// Which of [`BodyScene::meshes`].
        mesh: usize,
        /// Along all axes.
        scale: f64,
    },
}

/// A body: its form apart from its pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedBody {
    /// Its shape.
    pub form: Form,
    /// Its center, in meters.
    pub position: DVec3,
    /// From its own axes to the world's, of length one.
    pub rotation: DQuat,
}

/// Bodies, and the meshes that they share. All lengths are representable in f32; rotations are in f64.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyScene {
    /// The mesh of instances.
    pub meshes: Vec<SceneMesh>,
    /// All bodies, none of them moving.
    pub bodies: Vec<PlacedBody>,
}

/// Half the side of the boxes that are driven, in meters (W11).
pub const DRIVEN_HALF: f64 = 0.4;
/// How far apart they start along both axes, in meters.
pub const DRIVEN_SPACING: f64 = 3.0;
/// Side of the floor of unit boxes, in boxes (W10).
const FLOOR: i32 = 80;
/// How many instances of the blob there are (W12).
const INSTANCES: usize = 2000;

impl BodyScene {
    /// W9: each box of the city as a body.
    pub fn city(city: &City) -> Self {
        let bodies = city.boxes().iter().map(|placed| PlacedBody {
            form: Form::Cuboid(nearest(placed.half_extents)),
            position: nearest(placed.position),
            rotation: placed.rotation,
        });
        Self { meshes: Vec::new(), bodies: bodies.collect() }
    }

    /// W10 (a): a floor of 80 × 80 unit boxes, its top at y = 0, about the origin.
    pub fn floor() -> Self {
        Self { meshes: Vec::new(), bodies: floor(Form::Cuboid(DVec3::splat(0.5))) }
    }

    /// W9, W10: the same as instances of one mesh of twelve triangles.
    pub fn floor_of_instances() -> Self {
        let cube = MeshBuilder::cuboid(DVec3::splat(0.5)).rounded();
        Self { meshes: vec![cube], bodies: floor(Form::Instance { mesh: 0, scale: 1.0 }) }
    }

    /// W12: 2,000 poses of the first blob, cut four times (5,120 triangles).
    ///
    /// Draws per body, those of a box of the city but for the size: x, y, z; axis; angle; scale in [0.5, 2).
    pub fn blobs() -> Self {
        let mut random = Random::new(0x00C1_7C17);
        let mut draw = || {
            let position = nearest(within(&mut random, DVec3::ZERO, City::EXTENT));
            let axis = random.direction();
            let rotation = ops::rotation_about(axis, random.between(0.0, TAU));
            let scale = f64::from(random.between(0.5, 2.0) as f32);
            PlacedBody { form: Form::Instance { mesh: 0, scale }, position, rotation }
        };
        let bodies = (0..INSTANCES).map(|_| draw()).collect();
        Self { meshes: vec![blob_of_level(BLOB_SEEDS[0], 4)], bodies }
    }

    /// W13: the terrain as one body.
    pub fn terrain(terrain: &Terrain) -> Self {
        Self::of_mesh(terrain.mesh().clone())
    }

    /// One mesh at rest at the origin.
    pub fn of_mesh(mesh: SceneMesh) -> Self {
        let form = Form::Instance { mesh: 0, scale: 1.0 };
        let body = PlacedBody { form, position: DVec3::ZERO, rotation: DQuat::IDENTITY };
        Self { meshes: vec![mesh], bodies: vec![body] }
    }

    /// W10 (b), W11, W12: with a box for the ground, its top at y = 0, as wide as [`City::ground`].
    #[must_use]
    pub fn with_ground(mut self) -> Self {
        let form = Form::Cuboid(DVec3::new(250.0, 0.5, 250.0));
        let position = DVec3::new(200.0, -0.5, 200.0);
        self.bodies.push(PlacedBody { form, position, rotation: DQuat::IDENTITY });
        self
    }

    /// W11: boxes to be driven, on a square grid from the origin on.
    pub fn driven(count: usize) -> Self {
        let mut side = 1;
        while side * side < count {
            side += 1;
        }
        let body = |i: usize| PlacedBody {
            form: Form::Cuboid(nearest(DVec3::splat(DRIVEN_HALF))),
            position: DVec3::new((i % side) as f64, 0.0, (i / side) as f64) * DRIVEN_SPACING + DVec3::Y * 0.5,
            rotation: DQuat::IDENTITY,
        };
        Self { meshes: Vec::new(), bodies: (0..count).map(body).collect() }
    }

    /// All bodies in place as one mesh, rounded once.
    pub fn mesh(&self) -> SceneMesh {
        let mut all = SceneMesh::new();
        for body in &self.bodies {
            all.append(&match body.form {
                Form::Cuboid(half) => MeshBuilder::cuboid(half).posed(body.rotation, body.position).rounded(),
                Form::Instance { mesh, scale } => {
                    let mut placed = self.meshes[mesh].clone();
                    for vertex in &mut placed.vertices {
                        *vertex = rounded(body.rotation * (point(*vertex) * scale) + body.position);
                    }
                    placed
                }
            });
        }
        all
    }
}

fn floor(form: Form) -> Vec<PlacedBody> {
    let place = |i: i32| f64::from(i - FLOOR / 2);
    let body = |i: i32| PlacedBody {
        form,
        position: DVec3::new(place(i % FLOOR), -0.5, place(i / FLOOR)),
        rotation: DQuat::IDENTITY,
    };
    (0..FLOOR * FLOOR).map(body).collect()
}

fn nearest(v: DVec3) -> DVec3 {
    point(rounded(v))
}

/// W13: places over a terrain of at least 512 quads, up to 3 m above it. 4,000 are compared.
///
/// Draws: x, z in [16, 496); height in [0, 3).
pub fn places_over_terrain(terrain: &Terrain, count: usize) -> Vec<DVec3> {
    let mut random = Random::new(0x0D_13EE);
    let mut draw = || {
        let (x, z) = (random.between(16.0, 496.0), random.between(16.0, 496.0));
        nearest(DVec3::new(x, terrain.surface(x, z) + random.between(0.0, 3.0), z))
    };
    (0..count).map(|_| draw()).collect()
}

/// W13: places in the city. 4,000 are compared. Draws: x, y, z over [`City::EXTENT`].
pub fn places_in_city(count: usize) -> Vec<DVec3> {
    let mut random = Random::new(0x0D_13EF);
    (0..count).map(|_| nearest(within(&mut random, DVec3::ZERO, City::EXTENT))).collect()
}

/// W10 (a): where a hero on the floor wants to go, in m/s: 5 m/s, with a new heading every 60 ticks.
pub fn hero_velocity(tick: usize) -> DVec3 {
    let angle = 2.4 * (tick / 60) as f64;
    DVec3::new(ops::cos(angle), 0.0, ops::sin(angle)) * 5.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_where_their_mesh_is() {
        let city = City::new(50);
        let mesh = BodyScene::city(&city).mesh();
        assert_eq!(mesh.triangles, city.mesh().triangles);
        for (a, b) in mesh.vertices.iter().zip(&city.mesh().vertices) {
            assert!((point(*a) - point(*b)).abs().max_element() < 1e-4);
        }
        assert_eq!(BodyScene::floor().mesh(), BodyScene::floor_of_instances().mesh());
    }

    #[test]
    fn scenes_have_the_sizes_that_are_compared() {
        let blobs = BodyScene::blobs();
        assert_eq!((blobs.bodies.len(), blobs.meshes[0].triangles.len()), (2000, 5120));
        assert_eq!(BodyScene::floor().bodies.len(), 6400);
        let driven = BodyScene::driven(10_000);
        assert_eq!(driven.bodies.last().map(|body| body.position), Some(DVec3::new(297.0, 0.5, 297.0)));
        let with_ground = driven.with_ground();
        let (low, high) = BodyScene { bodies: with_ground.bodies[10_000..].to_vec(), ..with_ground }
            .mesh()
            .extents()
            .expect("a box");
        assert_eq!((low, high), (DVec3::new(-50.0, -1.0, -50.0), DVec3::new(450.0, 0.0, 450.0)));
    }
}
