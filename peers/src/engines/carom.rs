//! Carom itself: `World::cast`, `Character::step_with`, `MeshPair`, `MeshTree`.

use std::hint::black_box;

use carom::character::{Character, Input, Settings, TickInput};
use carom::mesh::Mesh;
use carom::mesh_pair::{MeshPair, TriangleTree};
use carom::shape::{Capsule, Mover, Sphere};
use carom::tree::Obb;
use carom::world::{self, Body, Cast, MeshTree, Neighborhood, World};
use carom::{Layers, Pose};
use carom_scenes::workload::{BlobPose, CAST_RADIUS, WALKER_HALF_HEIGHT, WALKER_RADIUS, Walker};
use carom_scenes::{SceneMesh, SphereCast};
use glam::DVec3;

use super::{Batch, Builder, CAPSULE_HALF_HEIGHT, CastShape, Caster, Crowd, FREE, Pair};
use crate::memory;
use crate::rounds::timed;

fn mesh_of(mesh: &SceneMesh) -> Mesh {
    mesh.clone().into_mesh().expect("generated meshes are finite")
}

fn world(mesh: &SceneMesh) -> World {
    let mut world = World::new();
    world.add(Body::fixed(mesh_of(mesh)));
    world
}

/// A world of one mesh.
pub struct Level(World);

impl Level {
    pub fn new(mesh: &SceneMesh) -> Self {
        Self(world(mesh))
    }

    /// By how many meters a thing is free of the mesh with its center at `at`; negative inside, down to
    /// `-radius`.
    ///
    /// The distance is that of the thing's axis, so that the whole radius is there to say how deep it is.
    pub fn clearance(&self, shape: CastShape, at: DVec3) -> f64 {
        // A thousandth of the radius: a capsule without one is none.
        let thin = CAST_RADIUS / 1024.0;
        let (mover, radius) = match shape {
            CastShape::Sphere | CastShape::Ray => (Mover::Point, CAST_RADIUS),
            CastShape::Capsule => (capsule(thin, CAPSULE_HALF_HEIGHT).into(), CAST_RADIUS - thin),
        };
        self.distance(mover, at) - radius
    }

    /// The same for the body of a walker.
    pub fn walker_clearance(&self, at: DVec3) -> f64 {
        let thin = WALKER_RADIUS / 1024.0;
        self.distance(capsule(thin, WALKER_HALF_HEIGHT).into(), at) - (WALKER_RADIUS - thin)
    }

    fn distance(&self, mover: Mover, at: DVec3) -> f64 {
        let closest = self.0.closest(mover, at, f64::INFINITY, Layers::ALL).expect("places are finite");
        closest.map_or(f64::INFINITY, |closest| closest.distance)
    }
}

fn capsule(radius: f64, half_height: f64) -> Capsule {
    Capsule::new(radius, half_height).expect("of positive size")
}

impl Caster for Level {
    fn engine(&self) -> &'static str {
        "carom"
    }

    fn batch<'a>(&'a self, shape: CastShape, casts: &[SphereCast]) -> Option<Batch<'a>> {
        let casts = questions(shape, casts);
        Some(Box::new(move |fractions| {
            for (cast, fraction) in casts.iter().zip(fractions) {
                *fraction = self.0.cast(black_box(cast)).map_or(FREE, |hit| hit.fraction);
            }
        }))
    }
}

impl Level {
    /// The same batch by `World::cast_many`, which sorts it: that is timed.
    pub fn together<'a>(&'a self, shape: CastShape, casts: &[SphereCast]) -> Batch<'a> {
        let casts = questions(shape, casts);
        let mut batch = world::Batch::new();
        Box::new(move |fractions| {
            let answers = self.0.cast_many(black_box(&casts), &mut batch);
            for (answer, fraction) in answers.iter().zip(fractions) {
                *fraction = answer.map_or(FREE, |hit| hit.fraction);
            }
        })
    }
}

pub(super) fn questions(shape: CastShape, casts: &[SphereCast]) -> Vec<Cast> {
    let mover: Mover = match shape {
        CastShape::Sphere => Sphere::new(CAST_RADIUS).expect("of positive size").into(),
        CastShape::Capsule => capsule(CAST_RADIUS, CAPSULE_HALF_HEIGHT).into(),
        CastShape::Ray => Mover::Point,
    };
    let question = |cast: &SphereCast| Cast::new(mover, cast.from, cast.translation);
    casts.iter().map(|cast| question(cast).expect("generated casts are finite")).collect()
}

/// The margin of a gather around a character for later ticks, in meters beyond the reach of one tick.
const ROOM: f64 = 0.5;

/// Characters by the default settings: ground, steps of 0.4 m, snap.
pub struct Characters {
    world: World,
    characters: Vec<Character>,
    /// One for each character, as in a crowd, which notices changes near it; or one that assumes that nothing
    /// changes.
    near: Vec<Neighborhood>,
    setup: &'static str,
}

impl Characters {
    /// In a world in which anything may move between two ticks.
    pub fn new(mesh: &SceneMesh, walkers: &[Walker]) -> Self {
        Self::with(mesh, walkers, vec![Neighborhood::new(); walkers.len()], "ground, steps, snap")
    }

    /// In a world that is known to be still: what is near is kept, as PhysX's controllers keep it.
    pub fn in_still_world(mesh: &SceneMesh, walkers: &[Walker]) -> Self {
        let near = vec![Neighborhood::in_still_world(ROOM); walkers.len()];
        Self::with(mesh, walkers, near, "ground, steps, snap, still world")
    }

    fn with(mesh: &SceneMesh, walkers: &[Walker], near: Vec<Neighborhood>, setup: &'static str) -> Self {
        let one = Character::new(capsule(WALKER_RADIUS, WALKER_HALF_HEIGHT), Settings::default())
            .expect("the default settings are in range");
        let characters =
            walkers.iter().map(|walker| one.at(walker.start).expect("starts are finite")).collect();
        Self { world: world(mesh), characters, near, setup }
    }
}

impl Crowd for Characters {
    fn engine(&self) -> &'static str {
        "carom"
    }

    fn setup(&self) -> &'static str {
        self.setup
    }

    fn tick(&mut self, desired_velocities: &[DVec3]) {
        for ((character, near), desired_velocity) in
            self.characters.iter_mut().zip(&mut self.near).zip(desired_velocities)
        {
            let input = TickInput::new(Input::walk(*desired_velocity), 1.0 / 60.0);
            black_box(character.step_with(&self.world, input, near, &mut ()));
        }
    }

    fn positions(&self) -> Vec<DVec3> {
        self.characters.iter().map(Character::position).collect()
    }
}

/// Two meshes under oriented boxes.
pub struct Meshes([TriangleTree<Obb>; 2]);

impl Meshes {
    pub fn new(meshes: [&SceneMesh; 2]) -> Self {
        Self(meshes.map(|mesh| TriangleTree::new(mesh_of(mesh))))
    }

    fn pair(&self, pose: &BlobPose) -> MeshPair<'_, Obb> {
        let pose = Pose::at(pose.translation).and_then(|at| at.with_rotation(pose.rotation));
        MeshPair::new(&self.0[0], Pose::IDENTITY, &self.0[1], pose.expect("generated poses are finite"))
    }
}

impl Pair for Meshes {
    fn engine(&self) -> &'static str {
        "carom"
    }

    fn overlaps(&self, poses: &[BlobPose]) -> Vec<bool> {
        poses.iter().map(|pose| self.pair(pose).overlaps()).collect()
    }

    fn pairs(&self, poses: &[BlobPose]) -> Option<Vec<usize>> {
        Some(poses.iter().map(|pose| self.pair(pose).pairs().len()).collect())
    }
}

pub fn builders() -> [Builder; 2] {
    [
        Builder {
            engine: "carom",
            setup: "tree, of a mesh",
            time: |mesh| {
                let mesh = mesh_of(mesh);
                timed(|| MeshTree::new(mesh))
            },
            weigh: |mesh| memory::kept(|| MeshTree::new(mesh_of(mesh))),
        },
        Builder {
            engine: "carom",
            setup: "mesh and tree",
            time: |mesh| {
                let mesh = mesh.clone();
                timed(|| MeshTree::new(mesh.into_mesh().expect("generated meshes are finite")))
            },
            weigh: |mesh| memory::kept(|| MeshTree::new(mesh_of(mesh))),
        },
    ]
}
