//! Law: whatever the index looks like and however it came about, each answer is the same as testing every
//! part of every body, bit for bit.

use std::sync::Arc;

use carom::glam::{DQuat, DVec3, dvec3};
use carom::mesh::Mesh;
use carom::num::ops;
use carom::shape::{Capsule, ConvexPolygon, Cuboid, Ellipsoid, Mover, Sphere};
use carom::world::{Body, BodyContact, BodyId, Cast, Collider, Layers, MeshTree, Pose, World};

/// xorshift64*, 0 … 1.
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn number(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.number() * count as f64) as usize % count
    }

    pub(crate) fn vector(&mut self, size: f64) -> DVec3 {
        (dvec3(self.number(), self.number(), self.number()) - 0.5) * (2.0 * size)
    }

    pub(crate) fn rotation(&mut self) -> DQuat {
        if self.number() < 0.3 {
            return DQuat::IDENTITY;
        }
        let v = self.vector(1.0);
        DQuat::from_xyzw(v.x, v.y, v.z, self.number() + 0.1).normalize()
    }

    fn half_extents(&mut self, size: f64) -> DVec3 {
        dvec3(self.number(), self.number(), self.number()) * size + size * 0.1
    }
}

/// A mover of any kind.
pub(crate) fn any_mover(random: &mut Random, size: f64) -> Mover {
    let turned = |random: &mut Random| (random.half_extents(size), random.rotation());
    match random.below(5) {
        0 => Mover::Point,
        1 => Sphere::new(size).unwrap().into(),
        2 => Capsule::new(0.6 * size, size).unwrap().into(),
        3 => {
            let (radii, rotation) = turned(random);
            Ellipsoid::new(radii).unwrap().with_rotation(rotation).unwrap().into()
        }
        _ => {
            let (half, rotation) = turned(random);
            Cuboid::new(half).unwrap().with_rotation(rotation).unwrap().into()
        }
    }
}

fn blob(random: &mut Random) -> Arc<MeshTree> {
    const RING: u32 = 8;
    let mut vertices = vec![[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]];
    for i in 0..RING {
        let angle = f64::from(i) / f64::from(RING) * core::f64::consts::TAU;
        let radius = 0.6 + 0.8 * random.number();
        vertices.push([
            (ops::cos(angle) * radius) as f32,
            random.number() as f32 - 0.5,
            (ops::sin(angle) * radius) as f32,
        ]);
    }
    let triangles = (0..RING).flat_map(|i| {
        let (a, b) = (2 + i, 2 + (i + 1) % RING);
        [[0, b, a], [1, a, b]]
    });
    Arc::new(MeshTree::new(Mesh::from_triangles(vertices, triangles.collect()).unwrap()))
}

fn plates() -> Collider {
    let square = |y: f64| {
        ConvexPolygon::new(vec![
            dvec3(-1.0, y, -1.0),
            dvec3(1.0, y, -1.0),
            dvec3(1.0, y, 1.0),
            dvec3(-1.0, y, 1.0),
        ])
        .unwrap()
    };
    Collider::from(vec![square(0.0), square(0.5)])
}

struct Play {
    random: Random,
    world: World,
    bodies: Vec<BodyId>,
    /// Each body in a world of its own, where there is nothing to be skipped.
    alone: Vec<(BodyId, World)>,
    meshes: Vec<Arc<MeshTree>>,
    span: f64,
}

impl Play {
    fn new(seed: u64, span: f64) -> Self {
        let mut random = Random(seed);
        let meshes = (0..3).map(|_| blob(&mut random)).collect();
        Self { random, world: World::new(), bodies: Vec::new(), alone: Vec::new(), meshes, span }
    }

    fn pose(&mut self) -> Pose {
        let random = &mut self.random;
        let place = match random.below(50) {
            0 => random.vector(1e9),
            1 => random.vector(1e30),
            _ => random.vector(self.span),
        };
        let pose = Pose::at(place).unwrap().with_rotation(random.rotation()).unwrap();
        pose.with_scale(if random.number() < 0.5 { 1.0 } else { 0.3 + 2.0 * random.number() }).unwrap()
    }

    fn add(&mut self) {
        let pose = self.pose();
        let random = &mut self.random;
        let size = if random.below(20) == 0 { self.span * 0.5 } else { 1.0 };
        let collider = match random.below(8) {
            0 => Collider::from(Sphere::new(size).unwrap()),
            1 => Collider::from(Ellipsoid::new(random.half_extents(size)).unwrap()),
            2 => Collider::from(Capsule::new(0.4 * size, 0.5).unwrap()),
            3 => plates(),
            4 | 5 => Collider::from(self.meshes[random.below(3)].clone()),
            _ => Collider::from(Cuboid::new(random.half_extents(size)).unwrap()),
        };
        let body = if random.number() < 0.5 { Body::fixed(collider) } else { Body::kinematic(collider) };
        let body = body.at(pose).on(Layers::one(random.below(2) as u32));
        self.bodies.push(self.world.add(body));
    }

    fn change(&mut self) {
        for _ in 0..3 {
            match self.random.below(6) {
                0 | 1 => self.add(),
                2 | 3 if !self.bodies.is_empty() => {
                    let i = self.random.below(self.bodies.len());
                    let id = self.bodies.swap_remove(i);
                    self.world.remove(id).unwrap();
                }
                4 if !self.bodies.is_empty() => {
                    let (i, pose) = (self.random.below(self.bodies.len()), self.pose());
                    self.world.set_pose(self.bodies[i], pose).unwrap();
                }
                _ => {}
            }
        }
        if self.random.number() < 0.5 {
            let Self { random, world, bodies, .. } = self;
            world.advance(0.1, |moves| {
                for id in bodies.iter() {
                    if random.number() < 0.3 {
                        continue;
                    }
                    let turn = if random.number() < 0.5 { DVec3::ZERO } else { random.vector(8.0) };
                    // Fixed ones stay.
                    let _ = moves.drive(*id, random.vector(10.0), turn);
                }
            });
        }
        self.alone.clear();
        for (id, body) in self.world.bodies() {
            let mut alone = World::new();
            alone.add(body.clone());
            self.alone.push((id, alone));
        }
    }

    fn mover(&mut self) -> Mover {
        let size = if self.random.below(10) == 0 { self.span * 0.3 } else { 0.5 };
        any_mover(&mut self.random, size)
    }

    /// How many of the queries had an answer.
    fn ask(&mut self) -> usize {
        let (mover, layers) =
            (self.mover(), if self.random.number() < 0.7 { Layers::ALL } else { Layers::one(1) });
        let at = self.random.vector(self.span * 1.1);
        let way = match self.random.below(4) {
            0 => self.random.vector(0.2),
            1 => self.random.vector(self.span),
            _ => self.random.vector(5.0),
        };
        match self.random.below(5) {
            0 | 1 => {
                let cast = Cast::new(mover, at, way).unwrap().filter(layers);
                let every = |id| 0..parts(self.world.body(id).unwrap());
                let (found, expected) = (self.world.cast(&cast), self.world.cast_among(&cast, every));
                assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{cast:?}");
                usize::from(found.is_some())
            }
            2 => {
                let cast = Cast::new(mover, at, way).unwrap().filter(layers);
                let every = |id| 0..parts(self.world.body(id).unwrap());
                let (found, expected) = (self.world.cast_all(&cast), self.world.cast_all_among(&cast, every));
                assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{cast:?}");
                usize::from(!found.is_empty())
            }
            3 => {
                let distance =
                    if self.random.below(5) == 0 { f64::INFINITY } else { self.random.number() * 5.0 };
                let found = self.world.closest(mover, at, distance, layers).unwrap();
                let expected = self.world.closest_among_all(mover, at, distance, layers).unwrap();
                assert_eq!(
                    format!("{found:?}"),
                    format!("{expected:?}"),
                    "{mover:?} at {at} within {distance}"
                );
                usize::from(found.is_some())
            }
            _ => {
                // Of boxes and ellipsoids the gap may be less than the way between the two: there the bounds
                // influence which bodies are near.
                let is_straight = matches!(mover, Mover::Point | Mover::Sphere(_) | Mover::Capsule(_));
                let distance = if is_straight { self.random.number() * 0.5 } else { 0.0 };
                let mut found: Vec<BodyContact> = Vec::new();
                self.world.contacts(&mover, at, distance, layers, |near| found.push(near));
                let mut expected: Vec<BodyContact> = Vec::new();
                for (id, alone) in &self.alone {
                    alone.contacts(&mover, at, distance, layers, |mut near| {
                        near.part.body = *id;
                        expected.push(near);
                    });
                }
                if !is_straight {
                    found.retain(|near| near.contact.gap < 0.0);
                    expected.retain(|near| near.contact.gap < 0.0);
                }
                found.sort_by_key(|near| near.part);
                expected.sort_by_key(|near| near.part);
                assert_eq!(
                    format!("{found:?}"),
                    format!("{expected:?}"),
                    "{mover:?} at {at} within {distance}"
                );
                let overlapping = self.world.overlaps(mover, at, layers).unwrap();
                let gaps = expected.iter().filter(|near| near.contact.gap < 0.0).map(|near| near.part);
                assert!(overlapping.iter().map(|overlap| overlap.part).eq(gaps));
                usize::from(!found.is_empty())
            }
        }
    }
}

fn parts(body: &Body) -> u32 {
    match body.collider() {
        Collider::Mesh(mesh) => mesh.mesh().triangle_count(),
        Collider::Polygons(set) => set.polygons().len() as u32,
        _ => 1,
    }
}

fn play(questions: usize, seeds: u64) {
    let (mut asked, mut answered, mut most) = (0, 0, 0);
    let mut seed = 0;
    while asked < questions {
        seed = seed % seeds + 1;
        let mut play = Play::new(seed * 7919 + asked as u64, [4.0, 8.0, 20.0][seed as usize % 3]);
        for _ in 0..10 + play.random.below(90) {
            play.add();
        }
        for _ in 0..60 {
            play.change();
            most = most.max(play.bodies.len());
            for _ in 0..25 {
                answered += play.ask();
                asked += 1;
            }
        }
    }
    println!("{asked} questions, {answered} with an answer, up to {most} bodies");
    assert!(answered > asked / 4, "{answered} of {asked}");
}

#[test]
fn every_answer_is_that_of_asking_every_body() {
    play(15_000, 100);
}

#[test]
#[ignore = "minutes: a million questions"]
fn every_answer_of_a_million_is_that_of_asking_every_body() {
    play(1_000_000, 1_000_000);
}
