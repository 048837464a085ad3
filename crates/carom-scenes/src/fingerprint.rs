//! One number for all the bits of thousands of answers: the same on every machine, in debug and in release.
//!
//! Source: FNV-1a (Fowler, Noll, Vo) over the bits of what generated worlds answer: 4,500 casts and twice as
//! many questions for contacts, of every kind of mover, on a terrain, in a city that is turned and scaled,
//! and among solids of every kind; and 6,240 ticks of slides and 12,480 of characters, on the terrain and in
//! creases. Cost: seconds, most of them for characters among boxes that turn. `docs/numbers.md` says where it
//! was compared.

use carom::character::{Character, CharacterError, Input, Settings};
use carom::respond::{Slide, WorldObstacles, collide_and_slide, depenetrate};
use carom::shape::{Capsule, Cuboid, Ellipsoid, Mover, ShapeError, Sphere};
use carom::world::{Body, Cast, Layers, Pose, World};
use glam::{DVec3, dvec3};

use crate::golden::crease_world;
use crate::workload::{City, Terrain};
use crate::{Random, SceneMesh};

/// What [`fingerprint`] is. A change that is meant to change answers changes it, and says so here.
pub const FINGERPRINT: u64 = 0x148B_523C_CEE9_178A;

/// FNV-1a of 64 bits.
struct Hash(u64);

impl Hash {
    fn bits(&mut self, bits: u64) {
        for byte in bits.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    fn number(&mut self, number: f64) {
        self.bits(number.to_bits());
    }

    fn vector(&mut self, v: DVec3) {
        v.to_array().into_iter().for_each(|x| self.number(x));
    }

    fn text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.bits(byte.into()));
    }
}

/// A mover of about this size, of the kind that is due.
fn mover(random: &mut Random, kind: usize, size: f64) -> Result<Mover, ShapeError> {
    let rotation = random.rotation();
    let radii = dvec3(random.between(0.4, 1.0), random.between(0.4, 1.0), random.between(0.4, 1.0)) * size;
    Ok(match kind % 5 {
        0 => Mover::Point,
        1 => Sphere::new(size)?.into(),
        2 => Ellipsoid::new(radii)?.with_rotation(rotation)?.into(),
        3 => Capsule::new(radii.x * 0.5, radii.y)?.with_rotation(rotation)?.into(),
        _ => Cuboid::new(radii)?.with_rotation(rotation)?.into(),
    })
}

/// Casts from near the corners of a mesh that is posed, and how the mover stands where it starts and where it
/// is stopped.
fn asked(hash: &mut Hash, world: &World, near: &SceneMesh, pose: &Pose, seed: u64) -> Result<(), ShapeError> {
    let mut random = Random::scattered(seed);
    for kind in 0..1500 {
        let size = random.between(0.05, 1.5);
        let mover = mover(&mut random, kind, size)?;
        let corner = near.vertices[random.below(near.vertices.len())].map(f64::from);
        let corner = pose.position() + pose.rotation() * (DVec3::from_array(corner) * pose.scale());
        let from = corner + random.direction() * (size * random.between(0.0, 3.0));
        let translation = random.direction() * (size * random.between(0.0, 8.0));
        let cast = Cast::new(mover, from, translation)?;
        let hits = world.cast_all(&cast);
        hash.bits(hits.len() as u64);
        for hit in world.cast(&cast).iter().chain(&hits) {
            hash.number(hit.fraction);
            hash.vector(hit.point);
            hash.vector(hit.normal);
            hash.text(&std::format!("{:?} {} {}", hit.feature, hit.start_overlap, hit.part));
        }
        let end = hits.first().map_or(from, |hit| cast.path().at(hit.fraction));
        for place in [from, end] {
            // They come in the order of the trees, which is nobody's business.
            let mut contacts = Vec::new();
            world.contacts(&mover, place, 0.1 * size, Layers::ALL, |near| {
                let (contact, [a, b, c]) = (near.contact, near.contact.point.to_array());
                let [d, e, f] = contact.normal.to_array();
                contacts.push([contact.gap, a, b, c, d, e, f].map(f64::to_bits));
            });
            contacts.sort_unstable();
            contacts.into_iter().flatten().for_each(|bits| hash.bits(bits));
        }
    }
    Ok(())
}

/// Movers pushed about under gravity for two seconds each.
fn slid(hash: &mut Hash, world: &World, start: DVec3, seed: u64) -> Result<(), ShapeError> {
    let mut random = Random::scattered(seed);
    for kind in 1..5 {
        let mover = mover(&mut random, kind, 0.4)?;
        let around = WorldObstacles::new(world, mover, Layers::ALL);
        let (mut at, mut velocity) = (depenetrate(&around, start).position, DVec3::ZERO);
        let mut push = DVec3::ZERO;
        for tick in 0..120 {
            if tick % 30 == 0 {
                push = random.heading() * random.between(0.5, 6.0);
            }
            velocity = dvec3(push.x, velocity.y - 9.81 / 60.0, push.z);
            let slide = Slide {
                from: at,
                translation: velocity / 60.0,
                contact_distance: 1e-4,
                friction: 0.2,
                bounce_above: 0.0,
                climbing: None,
            };
            let slid = collide_and_slide(&around, &slide);
            (at, velocity) = (slid.position, slid.motion * 60.0);
            hash.vector(at);
            hash.vector(slid.motion);
            hash.text(&std::format!("{:?} {} {}", slid.end, slid.sweeps, slid.touches().count()));
        }
    }
    Ok(())
}

/// Characters that walk, jump, ride and are pushed about for four seconds each, on ground with a lift, a
/// plate that turns and a belt.
fn walked(hash: &mut Hash, ground: &World, start: DVec3, seed: u64) -> Result<(), CharacterError> {
    let mut random = Random::scattered(seed);
    for kind in 1..5 {
        let mut world = ground.clone();
        let block = |half: DVec3| Cuboid::new(half).map(Body::kinematic);
        let at = |offset: DVec3| Pose::at(start + offset);
        let lift = world.add(block(dvec3(1.5, 0.2, 1.5))?.at(at(dvec3(1.0, -1.2, 0.0))?));
        let plate = world.add(block(dvec3(2.0, 0.1, 0.5))?.at(at(dvec3(-2.0, -0.8, 0.0))?));
        let belt = block(dvec3(1.0, 0.1, 3.0))?.at(at(dvec3(0.0, -1.0, 4.0))?);
        world.add(belt.with_surface_velocity(dvec3(0.0, 0.0, -1.5))?);
        let upright = match mover(&mut random, kind, 0.6)? {
            Mover::Ellipsoid(ellipsoid) => Ellipsoid::new(ellipsoid.radii())?.into(),
            Mover::Capsule(capsule) => Capsule::new(capsule.radius(), capsule.half_height())?.into(),
            other => other,
        };
        let mut character = Character::new(upright, Settings::default())?.at(start)?;
        let mut input = Input::IDLE;
        for tick in 0..240u32 {
            if tick % 20 == 0 {
                input = Input::walk(random.heading() * random.between(0.0, 6.0));
                if random.below(3) == 0 {
                    input = input.jump(random.between(2.0, 6.0));
                }
            }
            let speed = if (tick / 40).is_multiple_of(2) { 1.5 } else { -1.5 };
            world
                .advance(1.0 / 60.0, |moves| {
                    moves.drive(lift, DVec3::Y * speed, DVec3::ZERO)?;
                    moves.drive(plate, DVec3::ZERO, dvec3(0.0, 1.5, 0.4))
                })
                .expect("both are kinematic, and stay within a few meters");
            let report = character.step(&world, input, 1.0 / 60.0);
            hash.vector(report.position);
            hash.vector(report.velocity);
            hash.number(character.yaw());
            hash.text(&std::format!("{:?} {} {}", report.outcome, report.ground.is_some(), report.sweeps));
        }
    }
    Ok(())
}

/// Asks it all.
///
/// # Errors
/// None: no number here is refused. But the constructors that could refuse one say so.
pub fn fingerprint() -> Result<u64, CharacterError> {
    let mut hash = Hash(0xCBF2_9CE4_8422_2325);

    let terrain = Terrain::new(48);
    let mut ground = World::new();
    ground.add(Body::fixed(mesh(terrain.mesh())));
    asked(&mut hash, &ground, terrain.mesh(), &Pose::IDENTITY, 1)?;
    let start = dvec3(24.0, terrain.surface(24.0, 24.0) + 1.0, 24.0);
    slid(&mut hash, &ground, start, 2)?;
    walked(&mut hash, &ground, start + DVec3::Y, 19)?;

    let city = City::new(200);
    let mut random = Random::scattered(3);
    let pose = Pose::at(dvec3(-812.7, 91.3, 4_410.9))?.with_rotation(random.rotation())?.with_scale(1.37)?;
    let mut turned = World::new();
    turned.add(Body::fixed(mesh(city.mesh())).at(pose));
    asked(&mut hash, &turned, city.mesh(), &pose, 4)?;

    // Solids of every kind about the places of the boxes.
    let mut solids = World::new();
    for (kind, placed) in city.boxes().iter().enumerate() {
        let corner = placed.mesh().vertices[0].map(f64::from);
        let size = random.between(0.5, 2.0);
        let body = match mover(&mut random, kind, size)? {
            Mover::Point => continue,
            Mover::Sphere(sphere) => Body::fixed(sphere),
            Mover::Ellipsoid(ellipsoid) => Body::fixed(ellipsoid),
            Mover::Capsule(capsule) => Body::fixed(capsule),
            Mover::Cuboid(cuboid) => Body::fixed(cuboid),
        };
        solids.add(body.at(Pose::at(DVec3::from_array(corner))?.with_rotation(random.rotation())?));
    }
    asked(&mut hash, &solids, city.mesh(), &Pose::IDENTITY, 5)?;

    for seed in 6..18 {
        let scene = crease_world(seed);
        let mut creases = World::new();
        creases.add(Body::fixed(mesh(&scene.mesh)));
        slid(&mut hash, &creases, scene.start, seed)?;
        walked(&mut hash, &creases, scene.start, seed)?;
    }
    Ok(hash.0)
}

fn mesh(scene: &SceneMesh) -> carom::mesh::Mesh {
    scene.clone().into_mesh().expect("generated meshes are finite")
}
