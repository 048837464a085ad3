//! Laws of hulls, height fields and half-spaces.

#![allow(clippy::unwrap_used, reason = "tests")]

use carom::character::{Character, Input, Settings};
use carom::mesh::{HeightField, Heights, Surface};
use carom::num::ops::{self, rotation_about};
use carom::shape::{
    Aabb, Capsule, ConvexHull, Cuboid, Ellipsoid, Mover, Plane, Sphere, convex_distance, convex_overlap,
};
use carom::world::{Body, BodyId, Cast, CastHit, Collider, HalfSpace, Layers, Pose, World};
use glam::{DVec3, dvec3};

use dice::Dice;

mod dice;

impl Dice {
    fn pose(&mut self) -> Pose {
        let turn = rotation_about(self.point(1.0).normalize(), self.between(0.0, 3.0));
        let pose = Pose::from((self.point(3.0), turn));
        if self.unit() < 0.3 { Pose::IDENTITY } else { pose.with_scale(self.between(0.5, 2.0)).unwrap() }
    }

    fn mover(&mut self) -> Mover {
        let size = self.between(0.1, 0.6);
        match (self.unit() * 5.0) as u32 {
            0 => Mover::Point,
            1 => Sphere::new(size).unwrap().into(),
            2 => Capsule::new(0.5 * size, size).unwrap().into(),
            3 => Ellipsoid::new(dvec3(size, 1.4 * size, 0.8 * size)).unwrap().into(),
            _ => Cuboid::new(dvec3(size, 0.5 * size, 1.2 * size)).unwrap().into(),
        }
    }
}

fn cloud(dice: &mut Dice) -> Vec<DVec3> {
    (0..4 + (dice.unit() * 20.0) as usize).map(|_| dice.point(1.0)).collect()
}

/// Before the first contact the mover is apart from the hull, at it they touch, and where there is none
/// they are apart all the way: by the convex distance, which knows nothing of kernels.
#[test]
fn a_mover_stops_where_the_distance_to_the_hull_becomes_nothing() {
    let mut dice = Dice(3);
    let (mut hits, mut misses, mut inside) = (0, 0, 0);
    for round in 0..4000 {
        let Ok(hull) = ConvexHull::new(&cloud(&mut dice)) else { continue };
        let (pose, mover) = (dice.pose(), dice.mover());
        let mut world = World::new();
        let id = world.add(Body::fixed(hull.clone()).at(pose));
        let (from, way) = (dice.point(4.0), dice.point(8.0));
        // Every other one is aimed.
        let way = if round % 2 == 0 { (pose.position() + dice.point(0.8) - from) * 1.5 } else { way };
        let from = if round % 5 == 0 { pose.position() + from * 0.1 } else { from };
        // In the frame of the hull, in its lengths.
        let seen = |at: DVec3| {
            let local = pose.rotation().conjugate() * (at - pose.position()) / pose.scale();
            let mover = mover.turned(pose.rotation().conjugate()).unwrap();
            (mover.scaled(1.0 / pose.scale()).unwrap(), -local)
        };
        let distance = |at: DVec3| {
            let (mover, offset) = seen(at);
            convex_distance(&mover, &hull, offset).distance * pose.scale()
        };
        let overlaps = |at: DVec3| {
            let (mover, offset) = seen(at);
            convex_overlap(&mover, &hull, offset)
        };
        let listed = world.overlaps(mover, from, Layers::ALL).unwrap();
        if overlaps(from) {
            assert!(!listed.is_empty(), "round {round}: {mover:?} at {from:?} overlaps");
            inside += 1;
            continue;
        }
        if distance(from) < 1e-6 {
            continue;
        }
        assert!(listed.is_empty(), "round {round}: {mover:?} at {from:?}");
        let cast = Cast::new(mover, from, way).unwrap();
        let hit = world.cast(&cast);
        let free = hit.as_ref().map_or(1.0, |hit| hit.hit.fraction);
        for i in 0..=40 {
            let at = from + way * (free * f64::from(i) / 40.0);
            assert!(distance(at) > 0.0 || i == 40, "round {round}: {mover:?} passes at {i}");
        }
        match hit {
            Some(hit) => {
                assert_eq!(hit.body, id);
                let at = from + way * free;
                assert!(distance(at) < 1e-9, "round {round}: {mover:?} stops {} early", distance(at));
                assert!(hit.hit.normal.dot(way) < 0.0);
                hits += 1;
            }
            None => misses += 1,
        }
        let all = world.cast_among(&cast, |_| 0..1000);
        assert_eq!(all, world.cast(&cast), "round {round}");
    }
    assert!(hits > 300 && misses > 300 && inside > 100, "{hits} {misses} {inside}");
}

/// The hull of the corners of a box is that box.
#[test]
fn the_hull_of_a_box_answers_as_the_box_does() {
    let mut dice = Dice(11);
    let half = dvec3(1.0, 0.5, 0.75);
    let corners = Aabb::new(-half, half).unwrap().corners();
    let (mut solid, mut hulls) = (World::new(), World::new());
    let pose = Pose::from((dvec3(0.5, -1.0, 0.25), rotation_about(DVec3::Y, 0.6)));
    solid.add(Body::fixed(Cuboid::new(half).unwrap()).at(pose));
    hulls.add(Body::fixed(ConvexHull::new(&corners).unwrap()).at(pose));
    let mut compared = 0;
    for _ in 0..4000 {
        let (mover, from, way) = (dice.mover(), dice.point(2.5), dice.point(5.0));
        let [a, b] =
            [&solid, &hulls].map(|world| !world.overlaps(mover, from, Layers::ALL).unwrap().is_empty());
        let [p, q] =
            [&solid, &hulls].map(|world| world.closest(mover, from, 9.0, Layers::ALL).unwrap().unwrap());
        assert!((p.distance - q.distance).abs() < 1e-7, "{mover:?} {from:?}: {p:?} {q:?}");
        if p.distance > 1e-7 || p.distance == 0.0 && convex_depth(&solid, &mover, from) < -1e-7 {
            assert_eq!(a, b, "{mover:?} at {from:?}");
        }
        if p.distance < 1e-7 {
            continue;
        }
        let cast = Cast::new(mover, from, way).unwrap();
        let [a, b] = [&solid, &hulls].map(|world| world.cast(&cast).map_or(2.0, |hit| hit.hit.fraction));
        if (a - b).abs() > 1e-9 {
            // One that grazes an edge may be stopped by the one and not by the other.
            assert!(a.max(b) == 2.0, "{mover:?} from {from:?} by {way:?}: {a} {b}");
        } else {
            compared += 1;
        }
    }
    assert!(compared > 3000, "{compared}");
}

fn convex_depth(world: &World, mover: &Mover, at: DVec3) -> f64 {
    let mut least = 0.0f64;
    world.contacts(mover, at, 0.0, Layers::ALL, |near| least = least.min(near.contact.gap));
    least
}

#[test]
fn inside_a_hull_the_way_out_is_free_and_the_way_in_is_not() {
    let mut world = World::new();
    let corners = Aabb::new(-DVec3::ONE * 2.0, DVec3::ONE * 2.0).unwrap().corners();
    world.add(Body::fixed(ConvexHull::new(&corners).unwrap()).at(dvec3(0.0, 0.0, 10.0)));
    let ball = Sphere::new(0.25).unwrap();
    let at = dvec3(1.5, 0.2, 10.0);
    let go = |way: DVec3| world.cast(&Cast::new(ball, at, way).unwrap());
    assert!(go(DVec3::X * 9.0).is_none());
    let stop = go(-DVec3::X).unwrap();
    assert!(stop.hit.start_overlap && stop.hit.fraction == 0.0 && stop.hit.normal == DVec3::X);
    let mut gaps = Vec::new();
    world.contacts(&ball.into(), at, 0.0, Layers::ALL, |near| gaps.push(near.contact.gap));
    assert!(gaps.len() == 1 && (gaps[0] + 0.75).abs() < 1e-12, "{gaps:?}");
    assert_eq!(world.closest(ball, at, 1.0, Layers::ALL).unwrap().unwrap().distance, 0.0);
}

/// A field, and a mesh of its triangles: parts of the one, triangles of the other.
struct Twins {
    field: World,
    mesh: World,
    ids: [BodyId; 2],
    parts: Vec<u32>,
}

fn twins(dice: &mut Dice, pose: Pose, holes: bool) -> Twins {
    let [columns, rows] = [2 + (dice.unit() * 9.0) as u32, 2 + (dice.unit() * 9.0) as u32];
    let samples = (columns * rows) as usize;
    // Many are level or on a slope, as terrain is.
    let slope = (dice.unit() * 3.0) as u32;
    let height = |dice: &mut Dice, i: usize| {
        let level = (i as u32 % columns * slope) as f32 * 0.25;
        if dice.unit() < 0.6 { level } else { level + dice.between(-0.7, 0.7) as f32 }
    };
    let heights: Vec<f32> = (0..samples).map(|i| height(dice, i)).collect();
    let heights = if dice.unit() < 0.5 {
        Heights::F32(heights)
    } else {
        let samples = heights.iter().map(|h| ((h + 2.0) * 1000.0) as u16).collect();
        Heights::U16 { samples, lowest: -2.0, step: 0.001 }
    };
    let mut field = HeightField::new([columns, rows], [0.7, 1.1], heights).unwrap();
    if holes {
        let cells: Vec<[u32; 2]> = (0..(rows - 1) * (columns - 1))
            .filter(|_| dice.unit() < 0.15)
            .map(|cell| [cell % (columns - 1), cell / (columns - 1)])
            .collect();
        field = field.with_holes(&cells).unwrap();
        let ids = (0..(rows - 1) * (columns - 1)).map(|_| (dice.unit() * 3.0) as u8).collect();
        let surface = |tag: u32| Surface { tag, one_sided: tag == 2, ..Surface::default() };
        field = field.with_surfaces((0..3).map(surface).collect(), ids).unwrap();
    }
    let parts = (0..field.triangle_count()).filter(|part| field.has_triangle(*part)).collect();
    let (mut a, mut b) = (World::new(), World::new());
    let twin = b.add(Body::fixed(field.to_mesh().unwrap()).at(pose));
    let id = a.add(Body::fixed(field).at(pose));
    Twins { field: a, mesh: b, ids: [id, twin], parts }
}

fn bits(hit: &CastHit) -> (Vec<u64>, carom::sweep::Feature, bool) {
    let hit = &hit.hit;
    let numbers =
        [vec![hit.fraction], hit.point.to_array().to_vec(), hit.normal.to_array().to_vec()].concat();
    (numbers.into_iter().map(f64::to_bits).collect(), hit.feature, hit.start_overlap)
}

#[test]
fn a_height_field_has_the_bits_of_the_mesh_of_its_triangles() {
    let mut dice = Dice(5);
    let (mut hits, mut near, mut features) = (0, 0, [0; 3]);
    for round in 0..250 {
        let pose = dice.pose();
        let Twins { field, mesh, ids, parts } = twins(&mut dice, pose, round % 2 == 0);
        for _ in 0..24 {
            let mover = dice.mover();
            let place = |dice: &mut Dice| {
                let local = dvec3(dice.between(-2.0, 8.0), dice.between(-3.0, 4.0), dice.between(-2.0, 12.0));
                pose.position() + pose.rotation() * (local * pose.scale())
            };
            let from = place(&mut dice);
            let way = (place(&mut dice) - from) * if dice.unit() < 0.2 { 0.05 } else { 1.0 };
            let way = if dice.unit() < 0.2 { DVec3::Y * -5.0 } else { way };
            let cast = Cast::new(mover, from, way).unwrap();
            let [a, b] = [field.cast_all(&cast), mesh.cast_all(&cast)];
            assert_eq!(a.len(), b.len(), "round {round}: {mover:?}");
            for (a, b) in a.iter().zip(&b) {
                assert_eq!((bits(a), a.part), (bits(b), parts[b.part as usize]), "round {round}: {mover:?}");
                assert_eq!(field.surface_normals(a), mesh.surface_normals(b));
                let surface = |world: &World, id: BodyId, part: u32| *world.surface(id, part).unwrap();
                assert_eq!(surface(&field, ids[0], a.part), surface(&mesh, ids[1], b.part));
                match a.hit.feature {
                    carom::sweep::Feature::Face => features[0] += 1,
                    carom::sweep::Feature::Edge(_) => features[1] += 1,
                    carom::sweep::Feature::Vertex(_) => features[2] += 1,
                }
            }
            hits += a.len();
            let first = |world: &World| world.cast(&cast);
            assert_eq!(first(&field).map(|hit| bits(&hit)), first(&mesh).map(|hit| bits(&hit)));
            assert_eq!(first(&field), field.cast_among(&cast, |_| 0..1000));
            let contacts = |world: &World, part: &dyn Fn(u32) -> u32| {
                let mut found = Vec::new();
                world.contacts(&mover, from, 0.3, Layers::ALL, |near| {
                    let contact = near.contact;
                    let numbers = [contact.gap, contact.point.x, contact.point.y, contact.normal.y];
                    found.push((part(near.part.part), numbers.map(f64::to_bits), contact.feature));
                });
                found.sort_unstable();
                found
            };
            let same = contacts(&mesh, &|part| parts[part as usize]);
            near += same.len();
            assert_eq!(contacts(&field, &|part| part), same, "round {round}: {mover:?}");
            let closest = |world: &World| world.closest(mover, from, 50.0, Layers::ALL).unwrap();
            let [a, b] = [closest(&field), closest(&mesh)];
            assert_eq!(
                a.map(|a| (a.distance, a.part.part)),
                b.map(|b| (b.distance, parts[b.part.part as usize]))
            );
            let all = field.closest_among_all(mover, from, 50.0, Layers::ALL).unwrap();
            assert_eq!(a, all);
        }
    }
    assert!(
        hits > 4000 && near > 500 && features.iter().all(|count| *count > 50),
        "{hits} {near} {features:?}"
    );
}

/// From up to 512 m away along each axis: beside, above and below it, and off its corners.
#[test]
fn the_closest_part_of_a_height_field_is_that_of_the_mesh_from_any_distance() {
    let mut dice = Dice(6);
    let mut beside = 0;
    for round in 0..250 {
        let pose = dice.pose();
        let Twins { field, mesh, parts, .. } = twins(&mut dice, pose, round % 2 == 0);
        for _ in 0..24 {
            let mover = dice.mover();
            let far = [1.0, 8.0, 64.0, 512.0][(dice.unit() * 4.0) as usize];
            let local = DVec3::from_array(std::array::from_fn(|_| {
                // Straight above, below or beside it, too.
                if dice.unit() < 0.3 { dice.between(0.0, 4.0) } else { dice.between(-far, far) }
            }));
            beside += usize::from(local.x < 0.0 && local.z < 0.0);
            let from = pose.position() + pose.rotation() * (local * pose.scale());
            let closest = |world: &World| world.closest(mover, from, f64::INFINITY, Layers::ALL).unwrap();
            let [a, b] = [closest(&field), closest(&mesh)];
            assert_eq!(
                a.map(|a| (a.distance, a.part.part)),
                b.map(|b| (b.distance, parts[b.part.part as usize])),
                "round {round}: {mover:?} at {local}"
            );
        }
    }
    assert!(beside > 500, "{beside}");
}

/// Heroes run about on both, tick by tick, with the same bits: no seam is felt in the one that is not felt in
/// the other.
#[test]
fn a_character_walks_on_a_height_field_as_on_its_mesh() {
    let mut dice = Dice(21);
    for round in 0..12 {
        let columns = 80u32;
        let heights = (0..columns * columns).map(|i| {
            let [x, z] = [f64::from(i % columns), f64::from(i / columns)];
            let hill = if round % 3 == 0 { 0.0 } else { 0.3 * ops::sin(0.4 * x) + 0.2 * ops::cos(0.7 * z) };
            hill as f32
        });
        let field = HeightField::new([columns; 2], [0.5, 0.5], Heights::F32(heights.collect())).unwrap();
        let (mut a, mut b) = (World::new(), World::new());
        let pose = dvec3(-20.0, 0.25, -20.0);
        b.add(Body::fixed(field.to_mesh().unwrap()).at(pose));
        a.add(Body::fixed(field).at(pose));
        let shape: Mover = if round % 2 == 0 {
            Capsule::new(0.3, 0.6).unwrap().into()
        } else {
            Ellipsoid::new(dvec3(0.4, 0.9, 0.4)).unwrap().into()
        };
        let start = dvec3(dice.between(-3.0, 3.0), 2.0, dice.between(-3.0, 3.0));
        let mut heroes = [Character::new(shape, Settings::default()).unwrap().at(start).unwrap(); 2];
        let mut grounded = 0;
        for tick in 0..240 {
            let angle = f64::from(tick) * 0.02 + f64::from(round);
            let mut input = Input::walk(dvec3(ops::cos(angle), 0.0, ops::sin(angle)) * 5.0);
            if tick % 60 == 59 {
                input = input.jump(4.0);
            }
            heroes[0].step(&a, input, 1.0 / 60.0);
            heroes[1].step(&b, input, 1.0 / 60.0);
            let [p, q] = heroes.map(|hero| (hero.position(), hero.velocity()));
            assert_eq!(p, q, "round {round}, tick {tick}");
            grounded += usize::from(heroes[0].ground().is_some());
            if round % 3 == 0 && tick > 40 && tick % 60 < 50 && heroes[0].ground().is_some() {
                // On a level field nothing rises or slows it.
                let level = heroes[0].velocity();
                assert!((level.length() - 5.0).abs() < 1e-6 && level.y.abs() < 1e-9, "{level:?} at {tick}");
            }
        }
        assert!(grounded > 60, "{grounded}");
    }
}

#[test]
fn a_field_that_is_none_is_refused_by_name() {
    let flat = |count: usize| Heights::F32(vec![0.0; count]);
    let says = |field: Result<HeightField, carom::mesh::HeightFieldError>| field.unwrap_err().to_string();
    assert!(says(HeightField::new([1, 5], [1.0, 1.0], flat(5))).contains("at least 2"));
    assert!(says(HeightField::new([3, 3], [1.0, 1.0], flat(8))).contains("9 samples"));
    assert!(says(HeightField::new([2, 2], [1.0, 0.0], flat(4))).contains("spacing"));
    assert!(says(HeightField::new([2, 2], [1e39, 1.0], flat(4))).contains("spacing"));
    assert!(says(HeightField::new([2, 2], [1.0, f64::NAN], flat(4))).contains("spacing"));
    let nan = Heights::F32(vec![0.0, 1.0, f32::NAN, 0.0]);
    assert!(says(HeightField::new([2, 2], [1.0, 1.0], nan)).contains("sample 2"));
    let field = HeightField::new([3, 2], [1.0, 1.0], flat(6)).unwrap();
    assert!(says(field.clone().with_holes(&[[2, 0]])).contains("no cell 2, 0"));
    assert!(says(field.clone().with_surfaces(vec![], vec![])).contains("at least one"));
    assert!(says(field.clone().with_surfaces(vec![Surface::default()], vec![0])).contains("each cell"));
    assert!(says(field.clone().with_surfaces(vec![Surface::default()], vec![0, 1])).contains("beyond"));
    assert!(field.memory() <= 4 * 6);
}

/// A half-space is the box of which only one side is near.
#[test]
fn a_half_space_answers_as_a_box_without_other_sides() {
    let mut dice = Dice(31);
    let (mut hits, mut inside) = (0, 0);
    for round in 0..3000 {
        let pose = dice.pose();
        let (normal, offset) = (dice.point(1.0).normalize(), dice.between(-1.0, 1.0));
        let plane = Plane::at_distance(normal, offset).unwrap();
        let mut world = World::new();
        let id = world.add(Body::fixed(HalfSpace::behind(plane)).at(pose));
        world.add(Body::fixed(Sphere::new(0.1).unwrap()).at(dvec3(500.0, 0.0, 0.0)));
        world.add(Body::fixed(Sphere::new(0.1).unwrap()).at(dvec3(-500.0, 0.0, 0.0)));
        let (mover, from, way) = (dice.mover(), dice.point(4.0), dice.point(6.0));
        let up = pose.rotation() * normal;
        let height = |at: DVec3| {
            let lowest = match mover {
                Mover::Point => 0.0,
                Mover::Sphere(it) => it.radius(),
                Mover::Capsule(it) => it.radius() + up.dot(it.half_axis()).abs(),
                Mover::Ellipsoid(it) => -up.dot(it.support_point(-up)),
                Mover::Cuboid(it) => -up.dot(it.support_point(-up)),
            };
            up.dot(at - pose.position()) - offset * pose.scale() - lowest
        };
        let hit = world.cast(&Cast::new(mover, from, way).unwrap());
        let (start, end) = (height(from), height(from + way));
        if start.abs() < 1e-9 || end.abs() < 1e-9 {
            continue;
        }
        let listed = world.overlaps(mover, from, Layers::ALL).unwrap();
        assert_eq!(!listed.is_empty(), start < 0.0, "round {round}: {mover:?} {start}");
        let closest = world.closest(mover, from, 100.0, Layers::ALL).unwrap().unwrap();
        assert!((closest.distance - start.max(0.0)).abs() < 1e-9, "{closest:?} {start}");
        if start > 0.0 {
            assert_eq!(hit.is_some(), end < 0.0, "round {round}: {mover:?} from {start} to {end}");
            if let Some(hit) = hit {
                assert_eq!(hit.body, id);
                assert!((hit.hit.fraction - start / (start - end)).abs() < 1e-9);
                assert!((hit.hit.normal - up).length() < 1e-9);
                hits += 1;
            }
        } else {
            assert_eq!(hit.is_some(), end < start, "round {round}: {mover:?} from {start} to {end}");
            inside += 1;
        }
    }
    assert!(hits > 300 && inside > 300, "{hits} {inside}");
}

#[test]
fn a_character_stands_on_a_half_space_and_runs_into_a_hull() {
    let mut world = World::new();
    let ground = world.add(Body::fixed(HalfSpace::behind(Plane::at_distance(DVec3::Y, 0.0).unwrap())));
    let rock: Vec<DVec3> =
        Aabb::new(dvec3(3.0, -1.0, -2.0), dvec3(4.0, 3.0, 2.0)).unwrap().corners().to_vec();
    let rock = world.add(Body::fixed(ConvexHull::new(&rock).unwrap()));
    let mut hero = Character::new(Capsule::new(0.3, 0.6).unwrap(), Settings::default())
        .unwrap()
        .at(dvec3(0.0, 1.5, 0.0))
        .unwrap();
    for _ in 0..120 {
        hero.step(&world, Input::walk(dvec3(4.0, 0.0, 0.0)), 1.0 / 60.0);
    }
    assert_eq!(hero.ground().unwrap().obstacle.body(), Some(ground));
    assert!((hero.position().y - 0.9).abs() < 1e-2, "{:?}", hero.position());
    assert!((hero.position().x - 2.7).abs() < 1e-2, "{:?}", hero.position());
    let report = hero.step(&world, Input::walk(dvec3(4.0, 0.0, 0.0)), 1.0 / 60.0);
    assert!(report.touched().any(|touched| touched.obstacle.body() == Some(rock)));
}

#[test]
fn a_stretched_mesh_is_the_mesh_of_stretched_vertices() {
    let corners = Aabb::new(-DVec3::ONE, DVec3::ONE).unwrap().corners();
    let hull = ConvexHull::new(&corners).unwrap();
    let mesh = carom::Mesh::from_triangles(
        corners.map(|corner| corner.as_vec3().to_array()).to_vec(),
        carom::shape::convex_hull(&corners).unwrap(),
    )
    .unwrap();
    for factors in [dvec3(2.0, 0.5, 3.0), dvec3(-2.0, 0.5, 3.0)] {
        let (mut a, mut b) = (World::new(), World::new());
        a.add(Body::fixed(mesh.scaled(factors).unwrap()));
        b.add(Body::fixed(Collider::from(hull.scaled(factors).unwrap())));
        let cast = Cast::new(Sphere::new(0.5).unwrap(), dvec3(0.2, 5.0, 0.3), dvec3(0.0, -9.0, 0.0)).unwrap();
        let [p, q] = [&a, &b].map(|world| world.cast(&cast).unwrap().hit);
        // 4 m above the lid, less the radius.
        for hit in [p, q] {
            assert!((hit.fraction * 9.0 - 4.0).abs() < 1e-12 && hit.normal == DVec3::Y, "{hit:?}");
        }
    }
    assert!(mesh.scaled(DVec3::ZERO).is_err() && mesh.scaled(DVec3::splat(1e39)).is_err());
}

/// The point of a contact is on the body, and its gap is that of the two along its normal: of a box beside an
/// ellipsoid it was once a point in the air, where the mirrored contact has its own.
#[test]
fn a_contact_names_a_point_of_the_solid() {
    let mut dice = Dice(77);
    let mut apart = 0;
    for _ in 0..20_000 {
        let mut turned = || {
            let turn = rotation_about(dice.point(1.0).normalize(), dice.between(0.0, 3.0));
            let mover = dice.mover();
            if dice.unit() < 0.3 { mover } else { mover.turned(turn).unwrap() }
        };
        let (mover, solid) = (turned(), turned());
        let collider: Collider = match solid {
            Mover::Point => continue,
            Mover::Sphere(sphere) => sphere.into(),
            Mover::Ellipsoid(ellipsoid) => ellipsoid.into(),
            Mover::Capsule(capsule) => capsule.into(),
            Mover::Cuboid(cuboid) => cuboid.into(),
        };
        let (center, at) = (dice.point(1.0), dice.point(2.0));
        let mut world = World::new();
        world.add(Body::fixed(collider).at(center));
        world.contacts(&mover, at, 9.0, Layers::ALL, |near| {
            let contact = near.contact;
            if contact.gap <= 0.0 {
                return;
            }
            apart += 1;
            let off = solid.signed_distance(contact.point - center);
            assert!(off.abs() < 1e-12, "{off:e} off {solid:?}: {mover:?} {contact:?}");
            let toward = center + solid.support_point(contact.normal);
            let gap = (at + mover.support_point(-contact.normal) - toward).dot(contact.normal);
            assert!((gap - contact.gap).abs() < 1e-12, "{gap} {solid:?}: {mover:?} {contact:?}");
        });
    }
    assert!(apart > 10_000, "{apart}");
}
