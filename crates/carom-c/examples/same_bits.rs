//! The same bits through C as from Rust: this prints the hash of the answers of a generated scene,
//! `tests/c/same_bits.c` that of the same scene through carom.h; `.ci/c` compares the two.

#![allow(clippy::unwrap_used, reason = "nothing here is refused")]

use carom::character::{Character, Crowd, Input, Settings};
use carom::glam::{DQuat, DVec3, dvec3};
use carom::sweep::Feature;
use carom::world::CastHit;
use carom::{Body, Capsule, Cast, Cuboid, Ellipsoid, Layers, Mesh, Mover, Pose, Sphere, World};

/// Knuth's generator: whole numbers only, so that C has the same.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / 16_777_216.0
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn vector(&mut self, low: f64, high: f64) -> DVec3 {
        let (x, y, z) = (self.between(low, high), self.between(low, high), self.between(low, high));
        dvec3(x, y, z)
    }

    fn rotation(&mut self) -> DQuat {
        let axis = self.vector(-1.0, 1.0);
        DQuat::from_xyzw(axis.x, axis.y, axis.z, self.between(0.5, 1.0))
    }

    fn mover(&mut self, kind: usize, size: f64) -> Mover {
        let radii = self.vector(0.4, 1.0) * size;
        let rotation = self.rotation();
        match kind % 5 {
            0 => Mover::Point,
            1 => Sphere::new(size).unwrap().into(),
            2 => Ellipsoid::new(radii).unwrap().with_rotation(rotation).unwrap().into(),
            3 => Capsule::new(radii.x * 0.5, radii.y).unwrap().with_rotation(rotation).unwrap().into(),
            _ => Cuboid::new(radii).unwrap().with_rotation(rotation).unwrap().into(),
        }
    }
}

/// FNV-1a.
struct Hash(u64);

impl Hash {
    fn bits(&mut self, bits: u64) {
        for byte in bits.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    fn vector(&mut self, v: DVec3) {
        v.to_array().iter().for_each(|x| self.bits(x.to_bits()));
    }

    fn hit(&mut self, hit: Option<&CastHit>) {
        self.bits(u64::from(hit.is_some()));
        let Some(hit) = hit else { return };
        self.bits(hit.fraction.to_bits());
        self.vector(hit.point);
        self.vector(hit.normal);
        let (feature, index) = match hit.feature {
            Feature::Face => (0, 0),
            Feature::Edge(i) => (1, i),
            Feature::Vertex(i) => (2, i),
        };
        for number in [feature, index, hit.part, u32::from(hit.start_overlap)] {
            self.bits(number.into());
        }
    }
}

/// So many squares a side, of 1 m.
const SIDE: u32 = 32;

fn terrain(random: &mut Random) -> Mesh {
    let mut vertices = Vec::new();
    for z in 0..=SIDE {
        for x in 0..=SIDE {
            vertices.push([x as f32, random.between(-0.5, 0.5) as f32, z as f32]);
        }
    }
    let mut triangles = Vec::new();
    for z in 0..SIDE {
        for x in 0..SIDE {
            let corner = z * (SIDE + 1) + x;
            triangles.push([corner, corner + SIDE + 1, corner + 1]);
            triangles.push([corner + 1, corner + SIDE + 1, corner + SIDE + 2]);
        }
    }
    Mesh::from_triangles(vertices, triangles).unwrap()
}

fn answers() -> u64 {
    let (mut hash, mut random) = (Hash(0xCBF2_9CE4_8422_2325), Random(24));
    let mut world = World::new();
    world.add(Body::fixed(terrain(&mut random)));
    for kind in 0..200 {
        let collider: carom::world::Collider = match random.mover(kind, 0.8) {
            Mover::Point => continue,
            Mover::Sphere(it) => it.into(),
            Mover::Ellipsoid(it) => it.into(),
            Mover::Capsule(it) => it.into(),
            Mover::Cuboid(it) => it.into(),
        };
        let at = dvec3(random.between(0.0, 32.0), random.between(-1.0, 4.0), random.between(0.0, 32.0));
        let pose = Pose::at(at).unwrap().with_rotation(random.rotation()).unwrap();
        let pose = pose.with_scale(random.between(0.5, 1.5)).unwrap();
        world.add(Body::fixed(collider).at(pose));
    }
    let mut casts = Vec::new();
    for kind in 0..4000 {
        let mover = random.mover(kind, 0.5);
        let from = dvec3(random.between(0.0, 32.0), random.between(0.0, 5.0), random.between(0.0, 32.0));
        casts.push(Cast::new(mover, from, random.vector(-6.0, 6.0)).unwrap());
    }
    for cast in &casts {
        hash.hit(world.cast(cast).as_ref());
        let hits = world.cast_all(cast);
        hash.bits(hits.len() as u64);
        hits.iter().for_each(|hit| hash.hit(Some(hit)));
        let closest = world.closest(*cast.mover(), cast.path().from(), 2.0, Layers::ALL).unwrap();
        hash.bits(closest.map_or(0, |closest| closest.distance.to_bits()));
    }
    for hit in world.cast_many(&casts, &mut carom::world::Batch::new()) {
        hash.hit(hit.as_ref());
    }

    // Heroes on the terrain, with a lift and a plate that turns.
    let block = |half: DVec3| Body::kinematic(Cuboid::new(half).unwrap());
    let lift = world.add(block(dvec3(2.0, 0.2, 2.0)).at(dvec3(16.0, 0.0, 16.0)));
    let plate = world.add(block(dvec3(3.0, 0.1, 0.5)).at(dvec3(11.0, 0.8, 16.0)));
    let shapes: [Mover; 3] = [
        Capsule::new(0.3, 0.6).unwrap().into(),
        Ellipsoid::new(dvec3(0.4, 0.9, 0.4)).unwrap().into(),
        Cuboid::new(dvec3(0.3, 0.8, 0.3)).unwrap().into(),
    ];
    let mut heroes: Vec<Character> = (0..12)
        .map(|number| {
            let settings = Settings { step_height: 0.3, ..Settings::default() };
            let at = dvec3(random.between(8.0, 24.0), 4.0, random.between(8.0, 24.0));
            Character::new(shapes[number % 3], settings).unwrap().at(at).unwrap()
        })
        .collect();
    let mut crowd = Crowd::new();
    for tick in 0..240 {
        let rise = if tick / 60 % 2 == 0 { 1.5 } else { -1.5 };
        world
            .advance(1.0 / 60.0, |moves| {
                moves.drive(lift, dvec3(0.0, rise, 0.0), DVec3::ZERO)?;
                moves.drive(plate, DVec3::ZERO, dvec3(0.0, 1.25, 0.25))
            })
            .unwrap();
        let inputs: Vec<Input> = heroes
            .iter()
            .map(|_| {
                let wanted = dvec3(random.between(-4.0, 4.0), 0.0, random.between(-4.0, 4.0));
                let jumps = random.unit() < 0.1;
                if jumps { Input::walk(wanted).jump(5.0) } else { Input::walk(wanted) }
            })
            .collect();
        // The first half alone, the second as a crowd.
        let (alone, together) = heroes.split_at_mut(6);
        for (hero, input) in alone.iter_mut().zip(&inputs) {
            hero.step(&world, *input, 1.0 / 60.0);
        }
        crowd.step_all(&world, together, &inputs[6..], 1.0 / 60.0);
        for hero in &heroes {
            hash.vector(hero.position());
            hash.vector(hero.velocity());
            hash.bits(hero.yaw().to_bits());
            hash.bits(u64::from(hero.ground().is_some()));
        }
    }
    hash.0
}

fn main() {
    println!("{:016x}", answers());
}
