//! Compounds: several colliders that are one body. At rest they answer as their pieces do as bodies of their
//! own, to the bit; in motion nothing gets into them.

#![allow(clippy::unwrap_used, reason = "tests")]

use carom::balls::{Ball, EventKind, Rules, Setup, Table};
use carom::character::{Character, Input, Outcome, Settings};
use carom::glam::{DQuat, DVec3, dvec3};
use carom::mesh::{HeightField, Heights, Surface};
use carom::num::ops::rotation_about;
use carom::sensor::{SensorEventKind, Sensors, Visitor};
use carom::shape::{Cone, ConvexHull, ConvexPolygon, Cylinder, Plane};
use carom::world::{CastHit, Collider, Compound, CompoundError, CompoundPiece, HalfSpace, Part};
use carom::{
    Body, Capsule, Cast, Cuboid, Ellipsoid, Layers, Mesh, Mover, Pose, Sphere, World, world::BodyId,
};

/// Numbers that look random, the same everywhere.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn vector(&mut self, most: f64) -> DVec3 {
        let mut next = || self.between(-most, most);
        dvec3(next(), next(), next())
    }

    fn rotation(&mut self) -> DQuat {
        let axis = self.vector(1.0);
        DQuat::from_xyzw(axis.x, axis.y, axis.z, self.between(0.2, 1.0)).normalize()
    }

    fn pose(&mut self, most: f64) -> Pose {
        // A quarter of them not turned, a quarter in their own size.
        let kind = (self.unit() * 4.0) as u32;
        let mut pose = Pose::at(self.vector(most)).unwrap();
        if kind != 0 {
            pose = pose.with_rotation(self.rotation()).unwrap();
        }
        if kind != 1 { pose.with_scale(self.between(0.5, 2.0)).unwrap() } else { pose }
    }

    fn mover(&mut self) -> Mover {
        let size = self.between(0.1, 0.8);
        let radii = (self.vector(0.3) + DVec3::splat(0.6)) * size;
        let rotation = self.rotation();
        match (self.unit() * 5.0) as u32 {
            0 => Mover::Point,
            1 => Sphere::new(size).unwrap().into(),
            2 => Ellipsoid::new(radii).unwrap().with_rotation(rotation).unwrap().into(),
            3 => Capsule::new(radii.x, radii.y).unwrap().with_rotation(rotation).unwrap().into(),
            _ => Cuboid::new(radii).unwrap().with_rotation(rotation).unwrap().into(),
        }
    }

    fn collider(&mut self) -> Collider {
        let size = self.vector(0.4) + DVec3::splat(0.7);
        match (self.unit() * 11.0) as u32 {
            0 => Sphere::new(size.x).unwrap().into(),
            1 => Ellipsoid::new(size).unwrap().with_rotation(self.rotation()).unwrap().into(),
            2 => Capsule::new(size.x, size.y).unwrap().with_rotation(self.rotation()).unwrap().into(),
            3 => Cuboid::new(size).unwrap().with_rotation(self.rotation()).unwrap().into(),
            4 => Cylinder::new(size.x, size.y).unwrap().into(),
            5 => Cone::new(size.x, size.y).unwrap().into(),
            6 | 7 => {
                let points: Vec<DVec3> = (0..12).map(|_| self.vector(1.0)).collect();
                ConvexHull::new(&points).unwrap().into()
            }
            8 => {
                let heights = (0..16).map(|_| self.between(-0.5, 0.5) as f32).collect();
                HeightField::new([4, 4], [0.5, 0.6], Heights::F32(heights)).unwrap().into()
            }
            9 => {
                let corners = [dvec3(-1.0, 0.0, -1.0), dvec3(-1.0, 0.0, 1.0), dvec3(1.0, 0.0, 1.0)];
                vec![ConvexPolygon::new(corners.map(|corner| corner * size).to_vec()).unwrap()].into()
            }
            _ => {
                let vertex = |random: &mut Self| random.vector(1.0).as_vec3().to_array();
                let vertices = (0..8).map(|_| vertex(self)).collect();
                let triangles = (0..6u32).map(|i| [i, i + 1, i + 2]).collect();
                Mesh::from_triangles(vertices, triangles).unwrap().into()
            }
        }
    }
}

/// A compound in a world, and its pieces as bodies in another.
struct Both {
    whole: World,
    parts: World,
    compound: BodyId,
    /// The first part of each piece.
    firsts: Vec<u32>,
    pieces: Vec<BodyId>,
}

impl Both {
    fn random(random: &mut Random) -> Self {
        let count = 1 + (random.unit() * 6.0) as usize;
        let pose = if random.unit() < 0.25 { Pose::IDENTITY } else { random.pose(3.0) };
        let made: Vec<(Collider, Pose)> = (0..count).map(|_| (random.collider(), random.pose(2.0))).collect();
        let pieces = made.iter().map(|(collider, own)| CompoundPiece::new(collider.clone()).at(*own));
        let compound = Compound::new(pieces.collect()).unwrap();
        let firsts = (0..count)
            .map(|piece| {
                let is_its = |part: &u32| compound.piece(*part).is_some_and(|(of, _)| of == piece);
                (0..compound.part_count()).find(is_its).unwrap()
            })
            .collect();
        let (mut whole, mut parts) = (World::new(), World::new());
        let compound = whole.add(Body::fixed(compound).at(pose).with_user_data(9));
        let placed = made
            .into_iter()
            .map(|(collider, own)| parts.add(Body::fixed(collider).at(pose.compose(&own)).with_user_data(9)));
        let pieces = placed.collect();
        Self { whole, parts, compound, firsts, pieces }
    }

    /// The number that a part of a piece has in the compound.
    fn named(&self, part: Part) -> Part {
        let piece = self.pieces.iter().position(|piece| *piece == part.body).unwrap();
        Part { body: self.compound, part: self.firsts[piece] + part.part }
    }

    fn named_hit(&self, hit: &CastHit) -> CastHit {
        let Part { body, part } = self.named(Part { body: hit.body, part: hit.part });
        CastHit { body, part, ..*hit }
    }
}

#[test]
fn at_rest_it_answers_as_its_pieces_to_the_bit() {
    let mut random = Random(1);
    let mut met = 0;
    for _ in 0..800 {
        let both = Both::random(&mut random);
        for _ in 0..25 {
            let (mover, from, way) = (random.mover(), random.vector(3.5), random.vector(6.0));
            let cast = Cast::new(mover, from, way).unwrap();
            let parts = both.parts.cast_all(&cast);
            let named: Vec<CastHit> = parts.iter().map(|hit| both.named_hit(hit)).collect();
            assert_eq!(both.whole.cast_all(&cast), named);
            assert_eq!(both.whole.cast(&cast), named.first().copied());
            let all = |_| 0..both.whole.body(both.compound).map_or(0, |_| 400);
            assert_eq!(both.whole.cast_among(&cast, all), named.first().copied());
            met += named.len();

            let exits = |world: &World| world.ray_exits(from, way, Layers::ALL).unwrap();
            let named: Vec<CastHit> = exits(&both.parts).iter().map(|hit| both.named_hit(hit)).collect();
            assert_eq!(exits(&both.whole), named);

            let distance = random.between(0.0, 1.0);
            let contacts = |world: &World| {
                let mut all = Vec::new();
                world.contacts(&mover, from, distance, Layers::ALL, |near| all.push(near));
                all
            };
            let mut named: Vec<_> = contacts(&both.parts);
            named.iter_mut().for_each(|near| near.part = both.named(near.part));
            let mut whole = contacts(&both.whole);
            named.sort_by_key(|near| near.part);
            whole.sort_by_key(|near| near.part);
            assert_eq!(whole, named);
            met += named.len();

            let closest = |world: &World| world.closest(mover, from, 9.0, Layers::ALL).unwrap();
            let named = closest(&both.parts).map(|mut found| {
                found.part = both.named(found.part);
                found
            });
            let found = closest(&both.whole);
            let among = both.whole.closest_among_all(mover, from, 9.0, Layers::ALL).unwrap();
            assert_eq!(found, named);
            assert_eq!(found, among);

            for hit in both.parts.cast_all(&cast) {
                let named = both.named_hit(&hit);
                assert_eq!(both.whole.surface_normals(&named), both.parts.surface_normals(&hit));
                assert_eq!(
                    both.whole.surface(named.body, named.part),
                    both.parts.surface(hit.body, hit.part)
                );
            }
        }
    }
    assert!(met > 10_000, "{met}");
}

#[test]
fn heroes_go_among_its_pieces_as_among_bodies_to_the_bit() {
    let mut random = Random(2);
    let (mut ground, mut touched) = (0, 0);
    for round in 0..40 {
        let mut both = Both::random(&mut random);
        let floor = || Body::fixed(Cuboid::new(dvec3(20.0, 1.0, 20.0)).unwrap()).at(dvec3(0.0, -4.0, 0.0));
        both.whole.add(floor());
        both.parts.add(floor());
        let start = random.vector(3.0).with_y(5.0);
        let shape: Mover = match round % 3 {
            0 => Capsule::new(0.3, 0.5).unwrap().into(),
            1 => Ellipsoid::new(dvec3(0.4, 0.8, 0.4)).unwrap().into(),
            _ => Cuboid::new(dvec3(0.3, 0.7, 0.3)).unwrap().into(),
        };
        let hero = Character::new(shape, Settings::default()).unwrap().at(start).unwrap();
        let (mut one, mut other) = (hero, hero);
        for tick in 0..240 {
            let input = Input::walk(random.vector(6.0).with_y(0.0));
            let input = if tick % 40 == 0 { input.jump(5.0) } else { input };
            let first = one.step(&both.whole, input, 1.0 / 60.0);
            let second = other.step(&both.parts, input, 1.0 / 60.0);
            assert_eq!(one.position(), other.position(), "round {round}, tick {tick}");
            assert_eq!(one.velocity(), other.velocity(), "round {round}, tick {tick}");
            assert_eq!(first.outcome, second.outcome);
            let stands = |hero: &Character| hero.ground().is_some();
            assert_eq!(stands(&one), stands(&other));
            ground += u32::from(stands(&one));
            touched += first.touched().count();
        }
    }
    assert!(ground > 1000 && touched > 1000, "{ground} {touched}");
}

/// A hero near a body that goes and turns, in as many ticks.
fn driven(body: Body, hero: Character, speeds: [DVec3; 2], seed: u64) -> Vec<(DVec3, DVec3, Outcome)> {
    let mut world = World::new();
    world.add(Body::fixed(Cuboid::new(dvec3(30.0, 1.0, 30.0)).unwrap()).at(dvec3(0.0, -1.0, 0.0)));
    let body = world.add(body);
    let (mut hero, mut random) = (hero, Random(seed));
    (0..180)
        .map(|_| {
            world.advance(1.0 / 60.0, |moves| moves.drive(body, speeds[0], speeds[1])).unwrap();
            let report = hero.step(&world, Input::walk(random.vector(3.0).with_y(0.0)), 1.0 / 60.0);
            (hero.position(), hero.velocity(), report.outcome)
        })
        .collect()
}

#[test]
fn a_compound_of_one_piece_moves_as_that_to_the_bit() {
    let mut random = Random(3);
    for round in 0..60 {
        let collider = random.collider();
        let compound = Compound::new(vec![CompoundPiece::new(collider.clone())]).unwrap();
        let pose = random.pose(2.0);
        let at = random.vector(2.5).with_y(1.0);
        let hero = Character::new(Capsule::new(0.3, 0.6).unwrap(), Settings::default()).unwrap();
        let hero = hero.at(at).unwrap();
        let speeds = [random.vector(1.0), random.vector(2.0)];
        let plain = driven(Body::kinematic(collider).at(pose), hero, speeds, round);
        let whole = driven(Body::kinematic(compound).at(pose), hero, speeds, round);
        assert_eq!(plain, whole, "round {round}");
    }
}

#[test]
fn manifolds_of_one_piece_are_those_of_the_body() {
    let mut random = Random(4);
    let mut found = 0;
    for _ in 0..1500 {
        let (collider, pose) = (random.collider(), random.pose(1.0));
        let compound = Compound::new(vec![CompoundPiece::new(collider.clone())]).unwrap();
        let (mut plain, mut whole) = (World::new(), World::new());
        let (one, other) =
            (plain.add(Body::fixed(collider).at(pose)), whole.add(Body::fixed(compound).at(pose)));
        let (mover, at) = (random.mover(), random.vector(1.2));
        let of = |world: &World| world.manifolds(mover, at, 0.1, Layers::ALL).unwrap();
        let mut expected = of(&plain);
        expected.iter_mut().for_each(|manifold| {
            assert_eq!(manifold.body, one);
            manifold.body = other;
        });
        assert_eq!(of(&whole), expected);
        found += expected.len();
    }
    assert!(found > 100, "{found}");
}

#[test]
fn nothing_gets_into_a_compound_that_goes_and_turns() {
    let mut random = Random(5);
    let mut pushed = 0;
    for round in 0..80 {
        // Arms about a hub, some of them long, in a hall: a hero cannot outrun them.
        let arms = 2 + (random.unit() * 4.0) as u32;
        let mut pieces = vec![CompoundPiece::new(Cylinder::new(0.4, 1.5).unwrap())];
        for arm in 0..arms {
            let turn = carom::num::ops::rotation_about(
                DVec3::Y,
                f64::from(arm) / f64::from(arms) * core::f64::consts::TAU,
            );
            let half = dvec3(random.between(0.8, 1.6), random.between(0.1, 0.6), 0.15);
            let at = turn * dvec3(half.x, random.between(-0.5, 0.5), 0.0);
            let collider: Collider = match arm % 3 {
                0 => Cuboid::new(half).unwrap().into(),
                1 => {
                    Capsule::new(0.2, half.x - 0.2).unwrap().with_rotation(random.rotation()).unwrap().into()
                }
                _ => Ellipsoid::new(half).unwrap().into(),
            };
            pieces.push(CompoundPiece::new(collider).at((at, turn)));
        }
        let mut world = World::new();
        world.add(Body::fixed(Cuboid::new(dvec3(30.0, 1.0, 30.0)).unwrap()).at(dvec3(0.0, -1.0, 0.0)));
        let mill = Body::kinematic(Compound::new(pieces).unwrap()).at(dvec3(0.0, 1.6, 0.0));
        let mill = world.add(mill);
        let spin = dvec3(0.0, random.between(-4.0, 4.0), 0.0);
        let go = random.vector(1.0).with_y(0.0);
        let shape: Mover = match round % 3 {
            0 => Capsule::new(0.3, 0.5).unwrap().into(),
            1 => Ellipsoid::new(dvec3(0.35, 0.8, 0.35)).unwrap().into(),
            _ => Sphere::new(0.5).unwrap().into(),
        };
        let at = random.rotation() * dvec3(3.5, 0.0, 0.0);
        let mut hero = Character::new(shape, Settings::default()).unwrap().at(at.with_y(1.0)).unwrap();
        for tick in 0..240 {
            world.advance(1.0 / 60.0, |moves| moves.drive(mill, go, spin)).unwrap();
            let center = world.body(mill).unwrap().pose().position();
            let to = (center - hero.position()).with_y(0.0);
            let before = hero.position();
            let report = hero.step(&world, Input::walk(to.clamp_length_max(3.0)), 1.0 / 60.0);
            if report.outcome == Outcome::Crushed {
                break;
            }
            let deepest = world.deepest(*hero.shape(), hero.position(), Layers::ALL).unwrap();
            let depth = deepest.iter().map(|near| -near.contact.gap).fold(0.0, f64::max);
            assert!(depth < 1e-6, "round {round}, tick {tick}: {depth} m in it, from {before}");
            pushed += usize::from(report.touched().count() > 0);
        }
    }
    assert!(pushed > 2000, "{pushed}");
}

#[test]
fn a_sensor_of_several_pieces_is_entered_and_left_once() {
    // Two gates and what is between them: one sensor. A character in its gap does not leave it.
    let gate = |x: f64| CompoundPiece::new(Cuboid::new(dvec3(0.2, 2.0, 2.0)).unwrap()).at(dvec3(x, 0.0, 0.0));
    let sensor = Compound::new(vec![gate(0.0), gate(0.35), gate(5.0)]).unwrap();
    let mut world = World::new();
    world.add(Body::fixed(Cuboid::new(dvec3(30.0, 1.0, 30.0)).unwrap()).at(dvec3(0.0, -1.0, 0.0)));
    let sensor = world.add(Body::fixed(sensor).at(dvec3(0.0, 1.0, 0.0)).sensor().with_user_data(3));
    let hero = Character::new(Sphere::new(0.3).unwrap(), Settings::default()).unwrap();
    let mut heroes = [hero.at(dvec3(-3.0, 0.4, 0.0)).unwrap()];
    let mut sensors = Sensors::new();
    let mut events = Vec::new();
    for tick in 0..240 {
        heroes[0].step(&world, Input::walk(dvec3(3.0, 0.0, 0.0)), 1.0 / 60.0);
        for event in sensors.update(&world, &heroes, &[]) {
            assert_eq!((event.sensor, event.sensor_user_data), (sensor, 3));
            assert_eq!(event.visitor, Visitor::Character(0));
            if event.kind != SensorEventKind::Stayed {
                events.push((event.kind, tick));
            }
        }
    }
    let kinds: Vec<SensorEventKind> = events.iter().map(|(kind, _)| *kind).collect();
    use SensorEventKind::{Entered, Left};
    assert_eq!(kinds, [Entered, Left, Entered, Left], "{events:?}");
}

#[test]
fn a_compound_that_moves_is_seen_by_every_sensor_as_its_pieces_are() {
    let mut random = Random(7);
    let (mut entered, mut left) = (0, 0);
    for round in 0..60 {
        let solid = |random: &mut Random| -> Collider {
            let size = random.vector(0.2) + DVec3::splat(0.5);
            match (random.unit() * 3.0) as u32 {
                0 => Sphere::new(size.x).unwrap().into(),
                1 => Capsule::new(size.x, size.y).unwrap().into(),
                _ => Cuboid::new(size).unwrap().into(),
            }
        };
        let pieces = |random: &mut Random| -> Vec<(Collider, Pose)> {
            (0..3).map(|_| (solid(random), random.pose(1.0))).collect()
        };
        let compound = |pieces: &[(Collider, Pose)]| {
            let piece = |(collider, pose): &(Collider, Pose)| CompoundPiece::new(collider.clone()).at(*pose);
            Compound::new(pieces.iter().map(piece).collect()).unwrap()
        };
        let gate = pieces(&mut random);
        let mut own = pieces(&mut random);
        if round % 3 == 0 {
            // Whatever cannot be swept itself is met by what can.
            own.push((Cylinder::new(0.4, 0.6).unwrap().into(), random.pose(0.5)));
        }
        let from = dvec3(-6.0, 0.0, 0.0) + random.vector(0.5);
        let (axis, rate) = (random.vector(1.0).normalize(), random.between(0.0, 0.1));
        // Once as one body and one sensor, once as bodies that are a piece each.
        let mut whole = World::new();
        let sensor = whole.add(Body::fixed(compound(&gate)).sensor());
        let mover = whole.add(Body::kinematic(compound(&own)).at(from));
        let mut parts = World::new();
        let gates: Vec<BodyId> = gate
            .into_iter()
            .map(|(collider, pose)| parts.add(Body::fixed(collider).at(pose).sensor()))
            .collect();
        let at = Pose::at(from).unwrap();
        let movers: Vec<(BodyId, Pose)> = own
            .into_iter()
            .map(|(collider, pose)| (parts.add(Body::kinematic(collider).at(at.compose(&pose))), pose))
            .collect();
        let (mut sensors, mut parts_sensors) = (Sensors::new(), Sensors::new());
        for tick in 0..120 {
            let turn = rotation_about(axis, f64::from(tick + 1) * rate);
            let at = from + dvec3(0.1, 0.0, 0.0) * f64::from(tick + 1);
            let next = Pose::at(at).unwrap().with_rotation(turn).unwrap();
            whole.advance(1.0 / 60.0, |moves| moves.move_to(mover, next)).unwrap();
            parts.advance(1.0 / 60.0, |moves| {
                movers.iter().for_each(|(id, place)| moves.move_to(*id, next.compose(place)).unwrap());
            });
            for event in sensors.update(&whole, &[], &[]) {
                assert_eq!((event.sensor, event.visitor), (sensor, Visitor::Body(mover)));
                entered += usize::from(event.kind == SensorEventKind::Entered);
                left += usize::from(event.kind == SensorEventKind::Left);
            }
            parts_sensors.update(&parts, &[], &[]);
            let is_in = sensors.inside(sensor).next().is_some();
            let is_any_in = gates.iter().any(|gate| parts_sensors.inside(*gate).next().is_some());
            assert_eq!(is_in, is_any_in, "round {round}, tick {tick}");
        }
        assert!(sensors.inside(sensor).next().is_none(), "round {round}");
    }
    assert!(entered >= 60 && left == entered, "{entered} {left}");
}

#[test]
fn balls_bounce_off_it_as_off_its_pieces() {
    let mut random = Random(6);
    let mut bounces = 0;
    for _ in 0..20 {
        let solids: Vec<(Collider, Pose)> = (0..5)
            .map(|i| {
                let size = random.vector(0.3) + DVec3::splat(0.6);
                let collider: Collider = match i % 3 {
                    0 => Sphere::new(size.x).unwrap().into(),
                    1 => Capsule::new(size.x, size.y).unwrap().into(),
                    _ => Cuboid::new(size).unwrap().into(),
                };
                (collider, random.pose(2.5))
            })
            .collect();
        let pose = Pose::at(random.vector(1.0)).unwrap().with_rotation(random.rotation()).unwrap();
        let pieces = solids.iter().map(|(collider, own)| CompoundPiece::new(collider.clone()).at(*own));
        let (mut whole, mut parts) = (World::new(), World::new());
        whole.add(Body::fixed(Compound::new(pieces.collect()).unwrap()).at(pose));
        for (collider, own) in solids {
            parts.add(Body::fixed(collider).at(pose.compose(&own)));
        }
        let ball = |random: &mut Random, i: u32| {
            let at = dvec3(f64::from(i % 10) * 0.5 - 2.5, 6.0 + f64::from(i / 10), random.between(-2.0, 2.0));
            Ball::new(at, random.vector(1.0), 0.2, 1.0).unwrap()
        };
        let balls: Vec<Ball> = (0..20).map(|i| ball(&mut random, i)).collect();
        let rules = Rules { gravity: dvec3(0.0, -9.81, 0.0), wall_restitution: 0.8, ..Rules::default() };
        let events = |obstacles: World| {
            let setup = Setup { balls: balls.clone(), obstacles, rules, ..Setup::default() };
            let mut table = Table::new(setup).unwrap();
            let mut events = Vec::new();
            while let Some(event) = table.next_event(3.0) {
                // The part that they meet has another name.
                let kind = match event.kind {
                    EventKind::Obstacle { ball, .. } => (0, ball, 0),
                    EventKind::Balls([ball, other]) => (1, ball, other),
                    EventKind::Rest { ball, .. } => (2, ball, 0),
                    other => panic!("{other:?}"),
                };
                events.push((event.time.to_bits(), kind));
            }
            events
        };
        let expected = events(parts);
        assert_eq!(events(whole), expected);
        bounces += expected.len();
    }
    assert!(bounces > 200, "{bounces}");
}

#[test]
fn pieces_have_their_own_material_and_number_their_parts() {
    let ice = Surface { friction: Some(0.0), tag: 7, ..Surface::default() };
    let mud = Surface { friction: Some(2.0), tag: 8, ..Surface::default() };
    let ball = || Sphere::new(1.0).unwrap();
    let square = vec![[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]];
    let mesh = Mesh::from_triangles(square, vec![[0, 2, 1], [1, 2, 3]]).unwrap();
    let compound = Compound::new(vec![
        CompoundPiece::new(ball()),
        CompoundPiece::new(mesh).at(dvec3(5.0, 0.0, 0.0)).with_surface(mud),
        CompoundPiece::new(ball()).at(dvec3(9.0, 0.0, 0.0)).with_surface(mud),
    ])
    .unwrap();
    assert_eq!((compound.len(), compound.part_count(), compound.is_empty()), (3, 4, false));
    let pieces: Vec<_> = (0..5).map(|part| compound.piece(part)).collect();
    assert_eq!(pieces, [Some((0, 0)), Some((1, 0)), Some((1, 1)), Some((2, 0)), None]);
    assert_eq!(compound.collider(2).unwrap().1.position(), dvec3(9.0, 0.0, 0.0));
    assert!(compound.collider(3).is_none());
    let body = Body::fixed(compound).with_surface(ice);
    let tags: Vec<u32> = (0..5).map(|part| body.surface(part).tag).collect();
    assert_eq!(tags, [7, 0, 0, 8, 7], "a mesh keeps its own, and what is not there is of the body");
}

#[test]
fn what_makes_no_compound_is_refused() {
    let ball = || CompoundPiece::new(Sphere::new(1.0).unwrap());
    let refused = |pieces| Compound::new(pieces).unwrap_err();
    assert_eq!(refused(Vec::new()), CompoundError::NoPieces);
    assert_eq!(refused(vec![ball(); 1025]), CompoundError::TooManyPieces(1025));
    assert!(Compound::new(vec![ball(); 1024]).is_ok());
    let inner = Compound::new(vec![ball()]).unwrap();
    assert_eq!(refused(vec![ball(), CompoundPiece::new(inner)]), CompoundError::Nested(1));
    let nowhere = ball().at(dvec3(f64::NAN, 0.0, 0.0));
    assert_eq!(refused(vec![ball(), ball(), nowhere]), CompoundError::Pose(2));
    let rough = Surface { friction: Some(-1.0), ..Surface::default() };
    assert_eq!(refused(vec![ball().with_surface(rough)]), CompoundError::Surface(0));
}

#[test]
fn a_piece_without_an_end_has_none_in_a_compound() {
    let ground = HalfSpace::behind(Plane::new(DVec3::ZERO, DVec3::Y).unwrap());
    let post = CompoundPiece::new(Cylinder::new(0.5, 2.0).unwrap()).at(dvec3(0.0, 2.0, 0.0));
    let compound = Compound::new(vec![CompoundPiece::new(ground), post]).unwrap();
    let mut world = World::new();
    let body = world.add(Body::fixed(compound).at(dvec3(0.0, 1.0, 0.0)));
    for (x, height, part) in [(0.0, 5.0, 1), (300.0, 1.0, 0), (-1e6, 1.0, 0)] {
        let hit = world.raycast(dvec3(x, 9.0, 0.0), dvec3(0.0, -20.0, 0.0)).unwrap().unwrap();
        assert_eq!((hit.body, hit.part), (body, part));
        assert!((hit.point.y - height).abs() < 1e-9, "{hit:?}");
    }
}
