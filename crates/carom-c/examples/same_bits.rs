//! The same bits through C as from Rust: this prints the hash of the answers of a generated scene,
//! `tests/c/same_bits.c` that of the same scene through carom.h; `.ci/c` compares the two. With a number it
//! asks the casts this many times and nothing else: `.ci/c overhead` measures what a cast through C costs.

#![allow(clippy::unwrap_used, reason = "nothing here is refused")]

use carom::balls::{Ball, EventKind, Rules, Setup, Table, Wall};
use carom::character::{Character, Crowd, CrowdInput, Input, Settings, Targets, TickInput};
use carom::glam::{DQuat, DVec3, dvec3};
use carom::mesh::{HeightField, Heights};
use carom::pushed::PushedBodies;
use carom::sensor::{SensorEventKind, Sensors, TickPath, Visitor};
use carom::shape::{Cone, ConvexHull, Cylinder, Plane};
use carom::sweep::Feature;
use carom::world::{BodyId, CastHit, Collider, Compound, CompoundPiece, HalfSpace, Neighborhood};
use carom::{Body, Capsule, Cast, Cuboid, Ellipsoid, Layers, Mesh, Mover, Pose, Sphere, World};

/// Knuth's generator: integers only, so that C has the same.
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

fn world_and_casts(random: &mut Random) -> (World, Vec<Cast>) {
    let mut world = World::new();
    world.add(Body::fixed(terrain(random)));
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
    (world, casts)
}

fn answers() -> u64 {
    let (mut hash, mut random) = (Hash(0xCBF2_9CE4_8422_2325), Random(24));
    let (mut world, casts) = world_and_casts(&mut random);
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

    // Hulls, cylinders, cones, a height field, a half-space and compounds.
    for kind in 0..60 {
        let collider: Collider = if kind % 3 == 0 {
            let points: Vec<DVec3> = (0..24).map(|_| random.vector(-1.0, 1.0)).collect();
            ConvexHull::new(&points).unwrap().into()
        } else {
            let (radius, half_height) = (random.between(0.2, 1.0), random.between(0.2, 1.0));
            match kind % 3 {
                1 => Cylinder::new(radius, half_height).unwrap().into(),
                _ => Cone::new(radius, half_height).unwrap().into(),
            }
        };
        let at = dvec3(random.between(0.0, 32.0), random.between(0.0, 4.0), random.between(0.0, 32.0));
        world.add(Body::fixed(collider).at(Pose::at(at).unwrap().with_rotation(random.rotation()).unwrap()));
    }
    let heights = (0..144).map(|_| random.between(0.0, 2.0) as f32).collect();
    let field = HeightField::new([12, 12], [1.5, 0.75], Heights::F32(heights)).unwrap();
    let field = field.with_holes(&[[3, 4], [7, 1]]).unwrap();
    world.add(Body::fixed(field).at(dvec3(4.0, 1.0, 4.0)));
    let plane = Plane::new(dvec3(0.0, -3.0, 0.0), dvec3(0.1, 2.0, 0.0)).unwrap();
    world.add(Body::fixed(HalfSpace::behind(plane)));
    for _ in 0..12 {
        let piece = |collider: Collider, random: &mut Random| {
            let pose = Pose::at(random.vector(-1.0, 1.0)).unwrap().with_rotation(random.rotation()).unwrap();
            CompoundPiece::new(collider).at(pose)
        };
        let ball = piece(Sphere::new(random.between(0.2, 1.0)).unwrap().into(), &mut random);
        let cuboid = piece(Cuboid::new(random.vector(0.2, 1.0)).unwrap().into(), &mut random);
        let cone = piece(Cone::new(random.between(0.2, 1.0), 0.5).unwrap().into(), &mut random);
        let at = dvec3(random.between(0.0, 32.0), random.between(0.0, 4.0), random.between(0.0, 32.0));
        let pose = Pose::at(at).unwrap().with_rotation(random.rotation()).unwrap();
        world.add(Body::fixed(Compound::new(vec![ball, cuboid, cone]).unwrap()).at(pose));
    }
    for cast in &casts {
        hash.hit(world.cast(cast).as_ref());
    }
    for gate in 0..8 {
        let at = dvec3(8.0 + 2.0 * f64::from(gate), 1.0, 16.0);
        world.add(Body::fixed(Cuboid::new(dvec3(0.05, 3.0, 8.0)).unwrap()).at(at).sensor());
    }
    let mut sensors = Sensors::new();
    let mut paths: Vec<TickPath> = vec![TickPath::new(); 12];

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
    let mut pushed = PushedBodies::new(dvec3(0.0, -9.81, 0.0)).unwrap().with_friction(0.3).unwrap();
    let crates: Vec<BodyId> = (0..8)
        .map(|_| {
            let at = dvec3(random.between(10.0, 22.0), random.between(4.0, 9.0), random.between(10.0, 22.0));
            let body = Body::dynamic(Cuboid::new(DVec3::splat(0.4)).unwrap(), 20.0).unwrap();
            let id = world.add(body.at(at));
            pushed.add(&world, id).unwrap();
            id
        })
        .collect();
    let mut targets = Targets::new();
    let mut crowd = Crowd::new();
    for tick in 0..240 {
        let rise = if tick / 60 % 2 == 0 { 1.5 } else { -1.5 };
        pushed
            .advance(&mut world, 1.0 / 60.0, |moves| {
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
        paths.iter_mut().for_each(TickPath::clear);
        for ((hero, input), path) in alone.iter_mut().zip(&inputs).zip(&mut paths) {
            let tick = TickInput::new(*input, 1.0 / 60.0);
            let report = hero.step_with(&world, tick, &mut Neighborhood::new(), path);
            pushed.push_all(&world, report.pushes());
        }
        let wanted = CrowdInput { inputs: &inputs[6..], dt: 1.0 / 60.0 };
        for report in crowd.step_all_traced(&world, together, wanted, &mut paths[6..]) {
            pushed.push_all(&world, report.pushes());
        }
        for hero in &heroes {
            hash.vector(hero.position());
            hash.vector(hero.velocity());
            hash.bits(hero.yaw().to_bits());
            hash.bits(u64::from(hero.ground().is_some()));
        }
        for event in sensors.update(&world, &heroes, &paths) {
            hash.bits(match event.kind {
                SensorEventKind::Entered => 0,
                SensorEventKind::Stayed => 1,
                SensorEventKind::Left => 2,
            });
            hash.bits(match event.visitor {
                Visitor::Body(_) => u64::from(u32::MAX),
                Visitor::Character(number) => u64::from(number),
            });
            hash.bits(event.time.to_bits());
        }
        for id in &crates {
            hash.vector(world.body(*id).unwrap().pose().position());
            hash.vector(pushed.velocity(*id).unwrap());
        }
        targets.update(&heroes);
        for cast in casts.iter().skip(tick * 16).take(16) {
            hash_targets(&targets, cast, &mut hash);
            hash_answers(&world, cast, &mut hash);
        }
    }
    hash_table(&mut random, &mut hash);
    hash.0
}

/// Characters as a cast sees them.
fn hash_targets(targets: &Targets, cast: &Cast, hash: &mut Hash) {
    let hits = targets.cast_all(cast);
    hash.bits(hits.len() as u64);
    for hit in &hits {
        hash.bits(hit.character.into());
        hash.bits(hit.fraction.to_bits());
        hash.vector(hit.normal);
    }
    let first = targets.cast_past(cast, 3);
    hash.bits(first.map_or(0, |hit| hit.fraction.to_bits()));
    let (mover, at) = (*cast.mover(), cast.path().from());
    let near = targets.closest(mover, at, 9.0, Layers::ALL).unwrap();
    hash.bits(near.map_or(0, |near| near.distance.to_bits()));
    for near in targets.contacts(mover, at, 3.0, Layers::ALL).unwrap() {
        hash.bits(near.character.into());
        hash.bits(near.contact.gap.to_bits());
    }
    for overlap in targets.overlaps(mover, at, Layers::ALL).unwrap() {
        hash.bits(overlap.character.into());
        hash.bits(overlap.user_data);
    }
}

/// One hit a body, exits, the deepest first, and where a mover rests.
fn hash_answers(world: &World, cast: &Cast, hash: &mut Hash) {
    world.cast_bodies(cast).iter().for_each(|hit| hash.hit(Some(hit)));
    let (mover, at, translation) = (*cast.mover(), cast.path().from(), cast.path().translation());
    world.ray_exits(at, translation, Layers::ALL).unwrap().iter().for_each(|hit| hash.hit(Some(hit)));
    for near in world.deepest(mover, at, Layers::ALL).unwrap() {
        hash.bits(near.part.part.into());
        hash.bits(near.contact.gap.to_bits());
    }
    for manifold in world.manifolds(mover, at, 0.05, Layers::ALL).unwrap() {
        hash.vector(manifold.normal);
        for point in manifold.points() {
            hash.vector(point.point);
            hash.bits(point.gap.to_bits());
            hash.bits(point.part.into());
        }
    }
}

/// Balls that fall on a floor, some of them on a plate that turns.
fn hash_table(random: &mut Random, hash: &mut Hash) {
    let balls = (0..60)
        .map(|i| {
            let at = dvec3(f64::from(i % 8) * 1.1, 2.0 + f64::from(i / 8) * 1.1, random.between(-0.01, 0.01));
            let velocity = random.vector(-1.0, 1.0);
            Ball::new(at, velocity, 0.5, random.between(0.5, 2.0)).unwrap()
        })
        .collect();
    let mut obstacles = World::new();
    let plate = Body::kinematic(Cuboid::new(dvec3(2.0, 0.1, 2.0)).unwrap());
    let plate = obstacles.add(plate.at(dvec3(4.0, 0.5, 0.0)));
    let rules = Rules {
        gravity: dvec3(0.0, -9.81, 0.0),
        restitution: 0.8,
        wall_restitution: 0.6,
        ..Rules::default()
    };
    let walls = vec![Wall::Plane { point: DVec3::ZERO, normal: DVec3::Y }];
    let mut table = Table::new(Setup { balls, walls, obstacles, rules, ..Setup::default() }).unwrap();
    assert!(table.drive(plate, DVec3::ZERO, dvec3(0.0, 0.5, 0.25)));
    while let Some(event) = table.next_event(2.0) {
        let (kind, ball, other) = match event.kind {
            EventKind::Balls([ball, other]) => (1, ball, other),
            EventKind::Wall { ball, wall } => (2, ball, wall),
            EventKind::Obstacle { ball, part, .. } => (3, ball, part as usize),
            EventKind::Crushed { ball, .. } => (4, ball, 0),
            EventKind::Pocket { ball, pocket } => (5, ball, pocket),
            EventKind::Rest { ball, .. } => (6, ball, 0),
        };
        [kind, ball as u64, other as u64, event.time.to_bits()].into_iter().for_each(|bits| hash.bits(bits));
    }
    for ball in 0..table.len() {
        hash.vector(table.ball(ball).position);
        hash.vector(table.ball(ball).velocity);
    }
}

fn main() {
    if let Some(rounds) = std::env::args().nth(1) {
        let (world, casts) = world_and_casts(&mut Random(24));
        let rounds = (0..rounds.parse::<usize>().unwrap()).flat_map(|_| &casts);
        println!("{}", rounds.filter(|cast| world.cast(cast).is_some()).count());
        return;
    }
    println!("{:016x}", answers());
}
