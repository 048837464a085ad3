//! Queries among gathered bodies give the same answers as among all bodies, and bodies elsewhere change no
//! bit.

use carom::character::{Character, Input, Settings};
use carom::num::ops;
use carom::respond::{Obstacles, SurfaceContact, WorldObstacles};
use carom::shape::{Aabb, ConvexPolygon};
use carom::world::{BodyId, Layers, Neighborhood, Part};
use carom::{Body, Capsule, Cuboid, Ellipsoid, Mesh, Mover, Pose, Sphere, World};
use glam::{DVec3, dvec3};

use crate::DT;

/// xorshift64*.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.number()
    }

    fn below(&mut self, count: usize) -> usize {
        (self.number() * count as f64) as usize
    }

    fn vector(&mut self, size: f64) -> DVec3 {
        dvec3(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }

    fn half_extents(&mut self) -> DVec3 {
        dvec3(self.between(0.2, 1.5), self.between(0.1, 1.0), self.between(0.2, 1.5))
    }

    fn mover(&mut self) -> Mover {
        let (wide, high) = (self.between(0.2, 0.5), self.between(0.5, 1.0));
        match self.below(4) {
            0 => Sphere::new(wide).unwrap().into(),
            1 => Ellipsoid::new(dvec3(wide, high, wide)).unwrap().into(),
            2 => Capsule::new(wide, high - 0.3).unwrap().into(),
            _ => Cuboid::new(dvec3(wide, high, wide)).unwrap().into(),
        }
    }

    fn pose(&mut self, size: f64) -> Pose {
        let pose = Pose::at(self.vector(size)).unwrap();
        match self.below(3) {
            0 => pose,
            1 => pose.with_rotation(ops::rotation_about(DVec3::Y, self.between(-3.0, 3.0))).unwrap(),
            _ => {
                let axis = (self.vector(1.0) + DVec3::X * 2.0).normalize();
                pose.with_rotation(ops::rotation_about(axis, self.between(-3.0, 3.0))).unwrap()
            }
        }
    }
}

/// A slope of two triangles with a wall on one edge.
fn slope() -> Mesh {
    let vertices = [[-1.0, 0.0, -1.0], [1.0, 0.3, -1.0], [1.0, 0.3, 1.0], [-1.0, 0.0, 1.0], [1.0, 1.5, 1.0]];
    Mesh::from_triangles(vertices.to_vec(), vec![[0, 2, 1], [0, 3, 2], [1, 2, 4]]).unwrap()
}

fn plates() -> Vec<ConvexPolygon> {
    let plate =
        |y: f64| [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)].map(|(x, z)| dvec3(x, y + 0.1 * x, z));
    [0.0, 0.4].map(|y| ConvexPolygon::new(plate(y).to_vec()).unwrap()).to_vec()
}

fn body(random: &mut Random, size: f64) -> Body {
    let half = random.half_extents();
    let pose = random.pose(size);
    let movable = random.below(2) == 0;
    macro_rules! of {
        ($collider:expr) => {
            if movable { Body::kinematic($collider) } else { Body::fixed($collider) }
        };
    }
    let body = match random.below(7) {
        0 => of!(Sphere::new(half.x).unwrap()),
        1 => of!(Ellipsoid::new(half).unwrap()),
        2 => of!(Capsule::new(half.y, half.x).unwrap()),
        3 => of!(slope()),
        4 => of!(plates()),
        _ => of!(Cuboid::new(half).unwrap()),
    };
    body.at(pose)
}

type Bits = Vec<u64>;

fn bits_of(v: DVec3) -> [u64; 3] {
    v.to_array().map(f64::to_bits)
}

fn touched(touch: &SurfaceContact<Part>) -> Bits {
    let SurfaceContact { key, contact, motion, .. } = touch;
    let mut bits = vec![u64::from(key.body.index()), u64::from(key.part), contact.gap.to_bits()];
    for v in [contact.normal, contact.point, *motion] {
        bits.extend(bits_of(v));
    }
    bits
}

#[test]
fn what_was_gathered_answers_as_all_bodies_do() {
    let mut random = Random(0x9A7E);
    let (mut hits, mut contacts) = (0, 0);
    for _ in 0..1500 {
        let mut world = World::new();
        let bodies: Vec<BodyId> =
            (0..3 + random.below(40)).map(|_| world.add(body(&mut random, 6.0))).collect();
        world.advance(DT, |moves| {
            for id in &bodies {
                if random.below(3) == 0 {
                    let turn = random.vector(4.0) * f64::from(random.below(2) as u8);
                    // One that is fixed stays.
                    let _ = moves.drive(*id, random.vector(3.0), turn);
                }
            }
        });
        let mover = random.mover();
        let place = random.vector(4.0);
        let centers = Aabb::new(place - DVec3::ONE, place + DVec3::ONE).unwrap();
        let mut near = Neighborhood::new();
        world.gather(&mover, &centers, Layers::ALL, &mut near);
        for _ in 0..8 {
            let span = [[0.0, 1.0], [0.25, 0.5], [1.0, 1.0]][random.below(3)];
            let all = WorldObstacles::new(&world, mover, Layers::ALL).during(span, DT * (span[1] - span[0]));
            let gathered = all.within(&near);
            let (from, to) = (place + random.vector(0.99), place + random.vector(0.99));
            let swept = |around: &WorldObstacles<'_>| {
                let met = around.sweep(from, to - from, [0.0, 1.0]);
                met.map(|hit| (hit.fraction.to_bits(), hit.key))
            };
            let (one, other) = (swept(&gathered), swept(&all));
            assert_eq!(one, other, "{mover:?} from {from} to {to} in {span:?}");
            hits += u32::from(one.is_some());
            let at = from * 0.9 + place * 0.1;
            let around = |around: &WorldObstacles<'_>| {
                let mut found = Vec::new();
                around.contacts(at, 0.5, 0.05, &mut |touch| found.push(touch));
                found.sort_by_key(touched);
                found
            };
            let (one, other) = (around(&gathered), around(&all));
            let bits = |found: &[SurfaceContact<Part>]| found.iter().map(touched).collect::<Vec<_>>();
            assert_eq!(bits(&one), bits(&other), "{mover:?} at {at} in {span:?}");
            contacts += one.len();
            for touch in &one {
                let single =
                    |around: &WorldObstacles<'_>| around.contact(touch.key, at, 0.5).as_ref().map(touched);
                assert_eq!(single(&gathered), single(&all));
            }
        }
    }
    assert!(hits > 1500 && contacts > 1500, "{hits} hits, {contacts} contacts");
}

/// The state of a hero after a few ticks among bodies of which some move, and others far away.
fn played(seed: u64, elsewhere: bool) -> Bits {
    let mut random = Random(seed);
    let mut other = Random(seed ^ 0x5EED);
    let mut world = World::new();
    let mut far = Vec::new();
    let stray = |world: &mut World, other: &mut Random, far: &mut Vec<BodyId>| {
        for _ in 0..if elsewhere { other.below(4) } else { 0 } {
            let distance = [15.0, 40.0, 500.0][other.below(3)];
            let at = Pose::at(dvec3(distance, other.between(-2.0, 2.0), other.between(-1.0, 1.0))).unwrap();
            match other.below(4) {
                0 if !far.is_empty() => {
                    world.remove(far.swap_remove(other.below(far.len())));
                }
                1 => far.push(world.add(Body::fixed(Sphere::new(0.5).unwrap()).at(at))),
                _ => far.push(world.add(Body::kinematic(Cuboid::new(DVec3::ONE).unwrap()).at(at))),
            }
        }
    };
    if elsewhere {
        (0..other.below(60)).for_each(|_| stray(&mut world, &mut other, &mut far));
    }
    let floor = Body::fixed(Cuboid::new(dvec3(9.0, 0.5, 9.0)).unwrap());
    world.add(floor.at(Pose::at(dvec3(0.0, -0.5, 0.0)).unwrap()));
    let mut movers = Vec::new();
    for _ in 0..2 + random.below(5) {
        let half = random.half_extents();
        let offset =
            dvec3(random.between(-3.0, 3.0), half.y * random.between(0.6, 1.5), random.between(-3.0, 3.0));
        let at = Pose::at(offset).unwrap();
        stray(&mut world, &mut other, &mut far);
        let (linear, angular) = (random.vector(1.5), DVec3::Y * random.between(-3.0, 3.0));
        let id = world.add(Body::kinematic(Cuboid::new(half).unwrap()).at(at));
        movers.push((id, linear, angular * f64::from(random.below(2) as u8)));
    }
    let shape = random.mover();
    let start = dvec3(random.between(-2.0, 2.0), random.between(1.0, 2.5), random.between(-2.0, 2.0));
    let mut hero = Character::new(shape, Settings::default()).unwrap().at(start).unwrap();
    let heading = random.between(0.0, 6.0);
    let desired_velocity = dvec3(ops::cos(heading), 0.0, ops::sin(heading)) * random.between(0.0, 5.0);
    let mut bits = Vec::new();
    for tick in 0..10 {
        let is_driven = random.below(4) > 0;
        world.advance(DT, |moves| {
            let mut order: Vec<usize> = (0..movers.len()).collect();
            if elsewhere {
                order.rotate_left(tick % movers.len());
                for id in &far {
                    if other.below(2) == 0 {
                        let _ = moves.drive(*id, other.vector(3.0), other.vector(1.0));
                    }
                }
            }
            for i in order.into_iter().filter(|_| is_driven) {
                let (id, linear, angular) = movers[i];
                moves.drive(id, linear, angular).unwrap();
            }
        });
        stray(&mut world, &mut other, &mut far);
        let report = hero.step(&world, Input::walk(desired_velocity), DT);
        bits.extend(bits_of(report.position).into_iter().chain(bits_of(report.velocity)));
        bits.extend([hero.yaw().to_bits(), u64::from(report.sweeps), u64::from(report.neighbors)]);
    }
    bits
}

#[test]
fn what_lies_elsewhere_changes_no_bit() {
    for seed in 1..=10_000u64 {
        let seed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        assert_eq!(played(seed, false), played(seed, true), "scene {seed:#x}");
    }
}
