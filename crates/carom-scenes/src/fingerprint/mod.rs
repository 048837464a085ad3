//! One number for all the bits of thousands of answers: the same on every machine, in debug and in release.
//!
//! Source: FNV-1a (Fowler, Noll, Vo) over the bits of what generated worlds answer: 4,500 casts and twice as
//! many queries for contacts, of every kind of mover, on a terrain, in a city that is turned and scaled, and
//! among solids of every kind; 6,240 ticks of slides and 12,480 of characters, on the terrain and in creases,
//! among bodies that move and turn; a crowd of 64; five tables of balls, one with a body that turns; curved
//! patches; a BSP tree with its cells. Cost: seconds. `docs/numbers.md` says where it was compared.

mod casts;
mod hash;
mod levels;
mod motion;
mod tables;

use std::error::Error;

use carom::world::{Body, Collider, Pose, World};
use glam::{DVec3, dvec3};

use self::casts::{asked, mover};
use self::hash::Hash;
use self::motion::{crowded, slid, walked};
use crate::golden::crease_world;
use crate::workload::{City, Terrain};
use crate::{Random, SceneMesh};
use carom::shape::{Cone, ConvexHull, Cylinder, Mover};

/// The value of [`Fingerprint::all`]. A change that is meant to change answers changes it, and says so here.
pub const FINGERPRINT: u64 = 0xA4AB_A819_2F75_AE33;

/// The numbers of all parts of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// A part and the hash of its answers.
    pub parts: Vec<(&'static str, u64)>,
}

impl Fingerprint {
    /// One number for all parts.
    pub fn all(&self) -> u64 {
        let mut hash = Hash::new();
        self.parts.iter().for_each(|(_, part)| hash.bits(*part));
        hash.value()
    }

    fn add(
        &mut self,
        part: &'static str,
        answer: impl FnOnce(&mut Hash) -> Result<(), Box<dyn Error>>,
    ) -> Result<(), Box<dyn Error>> {
        let mut hash = Hash::new();
        answer(&mut hash)?;
        self.parts.push((part, hash.value()));
        Ok(())
    }
}

/// Answers everything, part by part.
///
/// # Errors
/// None: no number here is refused. But the constructors that could refuse one return errors.
pub fn fingerprint() -> Result<Fingerprint, Box<dyn Error>> {
    let mut found = Fingerprint { parts: Vec::new() };
    let terrain = Terrain::new(48);
    let mut ground = World::new();
    ground.add(Body::fixed(mesh(terrain.mesh())));
    let start = dvec3(24.0, terrain.surface(24.0, 24.0) + 1.0, 24.0);
    let creases: Vec<(World, DVec3, u64)> = (6..18)
        .map(|seed| {
            let scene = crease_world(seed);
            let mut world = World::new();
            world.add(Body::fixed(mesh(&scene.mesh)));
            (world, scene.start, seed)
        })
        .collect();

    found.add("casts", |hash| {
        asked(hash, &ground, terrain.mesh(), &Pose::IDENTITY, 1)?;
        let city = City::new(200);
        let mut random = Random::scattered(3);
        let pose =
            Pose::at(dvec3(-812.7, 91.3, 4_410.9))?.with_rotation(random.rotation())?.with_scale(1.37)?;
        let mut turned = World::new();
        turned.add(Body::fixed(mesh(city.mesh())).at(pose));
        asked(hash, &turned, city.mesh(), &pose, 4)?;
        Ok(asked(hash, &solids(&city, &mut random)?, city.mesh(), &Pose::IDENTITY, 5)?)
    })?;
    found.add("colliders", |hash| {
        let city = City::new(200);
        let colliders = colliders(&city, &mut Random::scattered(6))?;
        Ok(asked(hash, &colliders, city.mesh(), &Pose::IDENTITY, 7)?)
    })?;
    found.add("slides", |hash| {
        slid(hash, &ground, start, 2)?;
        creases.iter().try_for_each(|(world, start, seed)| Ok(slid(hash, world, *start, *seed)?))
    })?;
    found.add("characters", |hash| {
        walked(hash, &ground, start + DVec3::Y, 19)?;
        creases.iter().try_for_each(|(world, start, seed)| Ok(walked(hash, world, *start, *seed)?))
    })?;
    found.add("crowd", |hash| Ok(crowded(hash, &ground, start + DVec3::Y * 2.0, 20)?))?;
    found.add("balls", |hash| Ok(tables::bounced(hash)?))?;
    found.add("patches", |hash| Ok(levels::curved(hash, 21)?))?;
    found.add("bsp", |hash| Ok(levels::divided(hash, 22)?))?;
    Ok(found)
}

/// Solids of every kind about the places of the boxes of a city.
fn solids(city: &City, random: &mut Random) -> Result<World, Box<dyn Error>> {
    let mut solids = World::new();
    for (kind, placed) in city.boxes().iter().enumerate() {
        let corner = placed.mesh().vertices[0].map(f64::from);
        let size = random.between(0.5, 2.0);
        let body = match mover(random, kind, size)? {
            Mover::Point => continue,
            Mover::Sphere(sphere) => Body::fixed(sphere),
            Mover::Ellipsoid(ellipsoid) => Body::fixed(ellipsoid),
            Mover::Capsule(capsule) => Body::fixed(capsule),
            Mover::Cuboid(cuboid) => Body::fixed(cuboid),
        };
        solids.add(body.at(Pose::at(DVec3::from_array(corner))?.with_rotation(random.rotation())?));
    }
    Ok(solids)
}

/// Cylinders, cones and hulls about the places of the boxes of a city.
fn colliders(city: &City, random: &mut Random) -> Result<World, Box<dyn Error>> {
    let mut world = World::new();
    for (kind, placed) in city.boxes().iter().enumerate() {
        let corner = placed.mesh().vertices[0].map(f64::from);
        let (radius, half_height) = (random.between(0.5, 2.0), random.between(0.5, 2.0));
        let collider: Collider = match kind % 3 {
            0 => Cylinder::new(radius, half_height)?.into(),
            1 => Cone::new(radius, half_height)?.into(),
            _ => {
                let corners: Vec<DVec3> = (0..20).map(|_| random.direction() * radius).collect();
                ConvexHull::new(&corners)?.into()
            }
        };
        let pose = Pose::at(DVec3::from_array(corner))?.with_rotation(random.rotation())?;
        world.add(Body::fixed(collider).at(pose));
    }
    Ok(world)
}

fn mesh(scene: &SceneMesh) -> carom::mesh::Mesh {
    scene.clone().into_mesh().expect("generated meshes are finite")
}
