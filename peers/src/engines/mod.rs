//! The libraries, each in a file of its own, behind the queries that are put to all of them.

pub mod bodies;
#[cfg(feature = "bullet")]
mod bullet;
mod bvh;
pub mod carom;
#[cfg(feature = "embree")]
mod embree;
#[cfg(feature = "fcl")]
mod fcl;
mod obvhs;
mod parry;
#[cfg(feature = "physx")]
mod physx;
mod rapier;

use std::time::Duration;

use carom_scenes::workload::{BlobPose, CAST_RADIUS, Walker};
use carom_scenes::{SceneMesh, SphereCast};
use glam::DVec3;

/// The shape that is cast. All are two-sided against triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastShape {
    /// A ball of [`CAST_RADIUS`].
    Sphere,
    /// An upright capsule of [`CAST_RADIUS`], with [`CAPSULE_HALF_HEIGHT`] more on each side of its center.
    Capsule,
    /// The center alone.
    Ray,
}

/// Half the height of the cylinder of the capsules that are cast, in meters.
pub const CAPSULE_HALF_HEIGHT: f64 = CAST_RADIUS;

/// The answer of a cast that meets nothing; any other is a fraction of the path.
pub const FREE: f64 = f64::INFINITY;

/// Answers a batch of casts that it has in its own words already: one fraction each.
pub type Batch<'a> = Box<dyn FnMut(&mut [f64]) + 'a>;

/// A mesh as a library holds it, asked for what is hit first on the path.
pub trait Caster {
    /// The library.
    fn engine(&self) -> &'static str;
    /// How it was set up, where there is more than one setup; else empty.
    fn setup(&self) -> &'static str {
        ""
    }
    /// Whether it also gets casts that were put in order beforehand.
    fn is_tried_sorted(&self) -> bool {
        false
    }
    /// The batch, ready to be run and timed; `None` if the library has no such cast.
    fn batch<'a>(&'a self, shape: CastShape, casts: &[SphereCast]) -> Option<Batch<'a>>;
}

/// The libraries with casts, Carom first.
pub fn casters(mesh: &SceneMesh) -> Vec<Box<dyn Caster>> {
    let mut all: Vec<Box<dyn Caster>> = vec![
        Box::new(carom::Level::new(mesh)),
        Box::new(parry::Level::new(mesh)),
        Box::new(obvhs::Wide::new(mesh)),
        Box::new(obvhs::Binary::new(mesh)),
        Box::new(bvh::Level::new(mesh)),
    ];
    #[cfg(feature = "physx")]
    all.push(Box::new(physx::Level::new(mesh)));
    #[cfg(feature = "bullet")]
    all.push(Box::new(bullet::Level::new(mesh)));
    #[cfg(feature = "embree")]
    all.extend(embree::Level::both(mesh).map(|level| Box::new(level) as Box<dyn Caster>));
    all.shrink_to_fit();
    all
}

/// Characters in a level: upright capsules of the size of the walkers.
pub trait Crowd {
    /// The library.
    fn engine(&self) -> &'static str;
    /// How it was set up.
    fn setup(&self) -> &'static str;
    /// One tick of a sixtieth of a second for everyone; each wants to go with its velocity in m/s.
    fn tick(&mut self, desired_velocities: &[DVec3]);
    /// Where the centers are, in meters.
    fn positions(&self) -> Vec<DVec3>;
}

/// The libraries with characters, Carom first.
pub fn crowds<'a>(mesh: &'a SceneMesh, walkers: &'a [Walker]) -> Vec<Box<dyn Crowd + 'a>> {
    let mut all: Vec<Box<dyn Crowd + 'a>> = vec![
        Box::new(carom::Characters::new(mesh, walkers)),
        Box::new(carom::Characters::in_still_world(mesh, walkers)),
        Box::new(rapier::Characters::without_steps(mesh, walkers)),
        Box::new(rapier::Characters::with_steps(mesh, walkers)),
    ];
    #[cfg(feature = "physx")]
    {
        all.push(Box::new(physx::Characters::without_steps(mesh, walkers)));
        all.push(Box::new(physx::Characters::with_steps(mesh, walkers)));
    }
    all.shrink_to_fit();
    all
}

/// Two meshes, one of which is put in many poses.
pub trait Pair {
    /// The library.
    fn engine(&self) -> &'static str;
    /// How it was set up, where there is more than one setup; else empty.
    fn setup(&self) -> &'static str {
        ""
    }
    /// Whether they overlap, for each of the poses.
    fn overlaps(&self, poses: &[BlobPose]) -> Vec<bool>;
    /// How many pairs of triangles overlap, for each of the poses; `None` if the library tells no such thing.
    fn pairs(&self, poses: &[BlobPose]) -> Option<Vec<usize>>;
}

/// The libraries that compare meshes, Carom first.
pub fn pairs(meshes: [&SceneMesh; 2]) -> Vec<Box<dyn Pair>> {
    let mut all: Vec<Box<dyn Pair>> = vec![
        Box::new(carom::Meshes::new(meshes)),
        Box::new(parry::Meshes::new(meshes)),
        Box::new(parry::LeafPairs::new(meshes)),
    ];
    #[cfg(feature = "fcl")]
    all.push(Box::new(fcl::Meshes::new(meshes)));
    all.shrink_to_fit();
    all
}

/// Makes a level, throws it away, and says how long making it took.
pub type MeasureTime = fn(&SceneMesh) -> Duration;
/// Makes a level, and says how many bytes stay on the heap for it.
pub type MeasureBytes = fn(&SceneMesh) -> usize;

/// A library with one setup, as a builder of levels.
pub struct Builder {
    /// The library.
    pub engine: &'static str,
    /// How it is set up.
    pub setup: &'static str,
    /// How long it takes.
    pub time: MeasureTime,
    /// How many bytes it takes.
    pub weigh: MeasureBytes,
}

/// The libraries that build trees, Carom first.
pub fn builders() -> Vec<Builder> {
    let mut all = Vec::new();
    all.extend(carom::builders());
    all.extend(parry::builders());
    all.extend(obvhs::builders());
    all.extend(bvh::builders());
    #[cfg(feature = "physx")]
    all.extend(physx::builders());
    #[cfg(feature = "bullet")]
    all.extend(bullet::builders());
    all
}

/// A vector in single precision, as the others take it.
pub fn single(v: DVec3) -> [f32; 3] {
    v.to_array().map(|x| x as f32)
}
