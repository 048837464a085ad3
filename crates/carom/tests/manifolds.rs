//! Laws of contact manifolds: corners, edges and faces hold up as many points as they have, every point is on
//! both surfaces, and no order changes a bit.

#![allow(clippy::unwrap_used, reason = "tests")]

use carom::Mesh;
use carom::mesh::{HeightField, Heights};
use carom::num::ops::{self, rotation_about};
use carom::shape::{
    Aabb, Capsule, Cone, ConvexHull, ConvexPolygon, Cuboid, Cylinder, Ellipsoid, Mover, Plane, ShapeError,
    Sphere,
};
use carom::world::{Body, Collider, ContactManifold, HalfSpace, Layers, Pose, World};
use glam::{DQuat, DVec3, dvec3};

use dice::Dice;

mod dice;

const MARGIN: f64 = 0.01;

/// Floors 20 m wide with their tops at y = 0, of everything that a body can be made of and is flat.
fn floors() -> Vec<(&'static str, Collider)> {
    let slab = Aabb::new(dvec3(-10.0, -1.0, -10.0), dvec3(10.0, 0.0, 10.0)).unwrap();
    let samples: Vec<f32> = vec![0.0; 21 * 21];
    let field = HeightField::new([21, 21], [1.0, 1.0], Heights::F32(samples)).unwrap();
    let plane = Plane::new(DVec3::ZERO, DVec3::Y).unwrap();
    let square = [(-10.0, -10.0), (-10.0, 10.0), (10.0, 10.0), (10.0, -10.0)].map(|(x, z)| dvec3(x, 0.0, z));
    let tiles = (0..20).flat_map(|i| (0..20).map(move |j| (f64::from(i) - 10.0, f64::from(j) - 10.0)));
    let tile = |(x, z): (f64, f64)| {
        let corners = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)];
        ConvexPolygon::new(corners.map(|(i, j)| dvec3(x + i, 0.0, z + j)).to_vec()).unwrap()
    };
    vec![
        ("hull", ConvexHull::new(&slab.corners()).unwrap().into()),
        ("field", field.into()),
        ("half-space", HalfSpace::behind(plane).into()),
        ("polygon", vec![ConvexPolygon::new(square.to_vec()).unwrap()].into()),
        ("tiles", tiles.map(tile).collect::<Vec<_>>().into()),
        ("mesh", grid(20).into()),
        ("cylinder", Cylinder::new(14.0, 1.0).unwrap().into()),
    ]
}

/// A floor of many triangles.
fn grid(count: u32) -> Mesh {
    let place = |i: u32| (f64::from(i) / f64::from(count) - 0.5) as f32 * 20.0;
    let corners = (0..=count).flat_map(|i| (0..=count).map(move |j| [place(i), 0.0, place(j)])).collect();
    let number = |i: u32, j: u32| i * (count + 1) + j;
    let cells = (0..count).flat_map(|i| (0..count).map(move |j| (i, j)));
    let triangles = cells.flat_map(|(i, j)| {
        let [a, b, c, d] = [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)].map(|(i, j)| number(i, j));
        [[a, b, c], [a, c, d]]
    });
    Mesh::from_triangles(corners, triangles.collect()).unwrap()
}

fn manifolds(world: &World, mover: impl Into<Mover>, at: DVec3) -> Vec<ContactManifold> {
    world.manifolds(mover, at, MARGIN, Layers::ALL).unwrap()
}

/// Flat, on an edge, on a corner, wherever and however the floor is turned.
#[test]
fn a_box_rests_on_four_corners_on_the_two_of_an_edge_or_on_one() {
    let mut dice = Dice(5);
    for (name, floor) in floors() {
        for round in 0..60 {
            let turn = rotation_about(dice.point(1.0).normalize(), dice.between(0.0, 3.0));
            let frame = if round % 3 == 0 { DQuat::IDENTITY } else { turn };
            let place = if round % 3 == 0 { DVec3::ZERO } else { dice.point(50.0) };
            let offset = match name {
                "field" => dvec3(-10.0, 0.0, -10.0),
                "cylinder" => -DVec3::Y,
                _ => DVec3::ZERO,
            };
            let mut world = World::new();
            let id = world.add(Body::fixed(floor.clone()).at((place + frame * offset, frame)));
            let half = dvec3(dice.between(0.3, 2.0), dice.between(0.3, 2.0), dice.between(0.3, 2.0));
            let yaw = rotation_about(DVec3::Y, dice.between(0.0, 6.0));
            let quarter = core::f64::consts::FRAC_PI_4;
            let leans = [
                (4, DQuat::IDENTITY),
                (2, rotation_about(DVec3::X, dice.between(0.1, 1.4))),
                (2, rotation_about(DVec3::Z, quarter)),
                (1, rotation_about(DVec3::X, 0.7) * rotation_about(DVec3::Z, dice.between(0.2, 0.9))),
            ];
            for (count, lean) in leans {
                let rotation = frame * yaw * lean;
                let crate_ = Cuboid::new(half).unwrap().with_rotation(rotation).unwrap();
                let up = frame * DVec3::Y;
                // One that is in a floor on its corner leaves each triangle by a way of its own.
                let least = if count == 4 { -0.009 } else { 0.0 };
                let height = up.dot(crate_.support_point(up)) + dice.between(least, 0.009);
                let across = frame * dvec3(dice.between(-6.0, 6.0), 0.0, dice.between(-6.0, 6.0));
                let at = place + across + up * height;
                let found = manifolds(&world, crate_, at);
                assert_eq!(found.len(), 1, "{name} {round}: {found:#?}");
                let manifold = &found[0];
                assert_eq!(manifold.body, id);
                assert!((manifold.normal - up).length() < 1e-6, "{name} {round}: {}", manifold.normal);
                let mut lowest: Vec<DVec3> = crate_.corners().into_iter().collect();
                lowest.sort_by(|a, b| a.dot(up).total_cmp(&b.dot(up)));
                let points = manifold.points();
                assert_eq!(points.len(), count, "{name} {round} {lean}: {points:#?}");
                for point in points {
                    let seen = point.point + manifold.normal * point.gap - at;
                    let nearest = lowest[..count].iter().map(|corner| (*corner - seen).length());
                    let nearest = nearest.fold(f64::INFINITY, f64::min);
                    assert!(nearest < 1e-5, "{name} {round}: {nearest} from a corner: {points:#?}");
                }
            }
        }
    }
}

/// In a corner of a room there are three planes; balls have one point for each, capsules one or two.
#[test]
fn each_plane_of_a_room_has_a_manifold_of_its_own() {
    let corners = Aabb::new(DVec3::ZERO, DVec3::splat(4.0)).unwrap().corners();
    let room = Mesh::from_triangles(
        corners.map(|corner| corner.as_vec3().to_array()).to_vec(),
        // The hull of the room, seen from inside.
        carom::shape::convex_hull(&corners).unwrap().into_iter().map(|[a, b, c]| [a, c, b]).collect(),
    )
    .unwrap();
    let mut world = World::new();
    world.add(Body::fixed(room));
    let counts = |found: &[ContactManifold]| -> Vec<usize> {
        let mut counts: Vec<usize> = found.iter().map(|manifold| manifold.points().len()).collect();
        counts.sort_unstable();
        counts
    };
    let cube = Cuboid::new(DVec3::splat(0.5)).unwrap();
    assert_eq!(counts(&manifolds(&world, cube, DVec3::splat(0.505))), [4, 4, 4]);
    assert_eq!(counts(&manifolds(&world, cube, dvec3(2.0, 0.505, 0.505))), [4, 4]);
    let ball = Sphere::new(0.5).unwrap();
    assert_eq!(counts(&manifolds(&world, ball, DVec3::splat(0.505))), [1, 1, 1]);
    assert_eq!(counts(&manifolds(&world, ball, dvec3(2.0, 0.495, 2.0))), [1]);
    let capsule = Capsule::new(0.5, 1.0).unwrap();
    assert_eq!(counts(&manifolds(&world, capsule, dvec3(0.505, 1.505, 0.505))), [1, 2, 2]);
    assert_eq!(counts(&manifolds(&world, capsule, dvec3(2.0, 1.5, 2.0))), [1]);
    let lying = capsule.with_rotation(rotation_about(DVec3::X, core::f64::consts::FRAC_PI_2)).unwrap();
    assert_eq!(counts(&manifolds(&world, lying, dvec3(2.0, 0.5, 2.0))), [2]);
}

/// A plank across a beam, a crate that hangs over an edge, capsules on each other.
#[test]
fn what_two_faces_share_holds_up() {
    let mut world = World::new();
    let cube = Cuboid::new(DVec3::splat(0.5)).unwrap();
    world.add(Body::fixed(cube));
    let plank = Cuboid::new(dvec3(4.0, 0.1, 0.2)).unwrap();
    let found = manifolds(&world, plank, dvec3(0.3, 0.6, 0.0));
    assert_eq!(found.len(), 1);
    let tidy = |x: f64| (x * 1e9).round() / 1e9;
    let mut places: Vec<[f64; 3]> =
        found[0].points().iter().map(|point| point.point.to_array().map(tidy)).collect();
    places.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let expected = [[-0.5, 0.5, -0.2], [-0.5, 0.5, 0.2], [0.5, 0.5, -0.2], [0.5, 0.5, 0.2]];
    assert_eq!(places, expected);
    // Half over the edge.
    let found = manifolds(&world, cube, dvec3(0.6, 1.005, 0.0));
    let mut along: Vec<f64> = found[0].points().iter().map(|point| point.point.x).collect();
    along.sort_by(f64::total_cmp);
    assert_eq!((found.len(), along.len()), (1, 4));
    assert!((along[0] - 0.1).abs() < 1e-12 && along[3] == 0.5, "{along:?}");
    // Edges that cross touch at one point, which no face has as a corner.
    let on_edge = rotation_about(DVec3::Z, core::f64::consts::FRAC_PI_4);
    let mut world = World::new();
    world.add(Body::fixed(cube).at((DVec3::ZERO, on_edge)));
    let across =
        cube.with_rotation(rotation_about(DVec3::Y, core::f64::consts::FRAC_PI_2) * on_edge).unwrap();
    let found = manifolds(&world, across, DVec3::Y * (2.0 * ops::sqrt(0.5) + 0.001));
    assert_eq!((found.len(), found[0].points().len()), (1, 1));
    assert!((found[0].points()[0].point - DVec3::Y * ops::sqrt(0.5)).length() < 1e-12);
    // Two capsules that lie on each other share the shorter one's length.
    let lying = rotation_about(DVec3::X, core::f64::consts::FRAC_PI_2);
    let mut world = World::new();
    world.add(Body::fixed(Capsule::new(0.5, 3.0).unwrap()).at((DVec3::ZERO, lying)));
    let short = Capsule::new(0.5, 1.0).unwrap().with_rotation(lying).unwrap();
    let found = manifolds(&world, short, dvec3(0.0, 1.0, 0.5));
    assert_eq!((found.len(), found[0].points().len()), (1, 2));
    let mut along: Vec<f64> = found[0].points().iter().map(|point| point.point.z).collect();
    along.sort_by(f64::total_cmp);
    assert!((along[0] + 0.5).abs() < 1e-9 && (along[1] - 1.5).abs() < 1e-9, "{along:?}");
}

fn solid(dice: &mut Dice) -> Mover {
    let size = dice.between(0.2, 1.0);
    let turn = rotation_about(dice.point(1.0).normalize(), dice.between(0.0, 3.0));
    match (dice.unit() * 5.0) as u32 {
        0 => Sphere::new(size).unwrap().into(),
        1 => Capsule::new(0.5 * size, size).unwrap().with_rotation(turn).unwrap().into(),
        2 => Ellipsoid::new(dvec3(size, 1.5 * size, 0.7 * size)).unwrap().with_rotation(turn).unwrap().into(),
        _ => {
            let cuboid = Cuboid::new(dvec3(size, 0.4 * size, 1.2 * size)).unwrap();
            (if dice.unit() < 0.5 { cuboid } else { cuboid.with_rotation(turn).unwrap() }).into()
        }
    }
}

fn collider(dice: &mut Dice) -> Collider {
    match (dice.unit() * 10.0) as u32 {
        8 => Cylinder::new(dice.between(0.2, 1.0), dice.between(0.2, 1.0)).unwrap().into(),
        9 => Cone::new(dice.between(0.2, 1.0), dice.between(0.2, 1.0)).unwrap().into(),
        0 => ConvexHull::new(&core::array::from_fn::<_, 12, _>(|_| dice.point(1.0))).unwrap().into(),
        1 => {
            let corners: Vec<DVec3> = (0..12).map(|_| dice.point(1.0)).collect();
            let faces = carom::shape::convex_hull(&corners).unwrap();
            let vertices = corners.iter().map(|corner| corner.as_vec3().to_array()).collect();
            Mesh::from_triangles(vertices, faces).unwrap().into()
        }
        2 => HalfSpace::behind(Plane::new(dice.point(0.5), dice.point(1.0)).unwrap()).into(),
        3 => {
            let samples = (0..25).map(|_| dice.between(-0.3, 0.3) as f32).collect();
            HeightField::new([5, 5], [0.5, 0.5], Heights::F32(samples)).unwrap().into()
        }
        _ => match solid(dice) {
            Mover::Sphere(shape) => shape.into(),
            Mover::Capsule(shape) => shape.into(),
            Mover::Ellipsoid(shape) => shape.into(),
            Mover::Cuboid(shape) => shape.into(),
            Mover::Point => unreachable!("not thrown"),
        },
    }
}

/// Whatever meets whatever: points are on both surfaces, the deepest is first, normals are those of contacts,
/// and no order of bodies changes a bit.
#[test]
fn every_point_is_on_both_surfaces_and_no_order_changes_a_bit() {
    let mut dice = Dice(77);
    let (mut points, mut several) = (0, 0);
    for round in 0..6000 {
        let bodies: Vec<(Collider, Pose)> = (0..3)
            .map(|_| {
                let turn = rotation_about(dice.point(1.0).normalize(), dice.between(0.0, 3.0));
                (collider(&mut dice), Pose::from((dice.point(1.5), turn)))
            })
            .collect();
        let world = |order: [usize; 3]| {
            let mut world = World::new();
            for i in order {
                let (collider, pose) = &bodies[i];
                world.add(Body::fixed(collider.clone()).at(*pose).with_user_data(i as u64));
            }
            world
        };
        let (mover, at) = (solid(&mut dice), dice.point(1.5));
        let distance = dice.between(0.0, 0.1);
        let ask = |world: &World| world.manifolds(mover, at, distance, Layers::ALL).unwrap();
        let first = world([0, 1, 2]);
        let found = ask(&first);
        let bare = |found: &[ContactManifold]| {
            let mut bare: Vec<String> =
                found.iter().map(|m| format!("{} {:?} {:?}", m.user_data, m.normal, m.points())).collect();
            bare.sort();
            bare
        };
        for order in [[2, 1, 0], [1, 2, 0]] {
            assert_eq!(bare(&found), bare(&ask(&world(order))), "round {round}");
        }
        let world = first;
        let mut contacts = Vec::new();
        world.contacts(&mover, at, distance, Layers::ALL, |contact| contacts.push(contact));
        for (id, _) in world.bodies() {
            let mut alone = World::new();
            alone.add(world.body(id).unwrap().clone());
            let near = alone.closest(mover, at, 0.5 * distance, Layers::ALL).unwrap();
            let is_held = found.iter().any(|manifold| manifold.body == id);
            assert!(near.is_none() || is_held, "round {round}: {mover:?} at {at}: {:?}", world.body(id));
            let has_contact = contacts.iter().any(|contact| contact.part.body == id);
            assert!(has_contact || !is_held, "round {round}");
        }
        for manifold in &found {
            let of_body = || contacts.iter().filter(|contact| contact.part.body == manifold.body);
            // Where a gap holds at no point of either, the nearest points are the contact.
            let [point, ..] = manifold.points() else { panic!("no point") };
            let seen = point.point + manifold.normal * point.gap;
            let is_nearest = manifold.points().len() == 1 && point.gap > 0.0 && {
                (mover.closest_point(point.point - at) + at - seen).length() < 1e-9
            };
            assert!(is_nearest || of_body().any(|contact| contact.contact.normal == manifold.normal));
            let least = of_body().map(|near| near.contact.gap).fold(f64::INFINITY, f64::min);
            several += usize::from(manifold.points().len() > 1);
            assert!(manifold.points().windows(2).all(|pair| pair[0].gap <= pair[1].gap));
            for point in manifold.points() {
                let what = || format!("round {round} {mover:?} at {at}: {manifold:#?}");
                assert!(point.gap <= distance && point.gap >= least - 1e-9, "{}", what());
                let body = world.body(manifold.body).unwrap();
                let own = (body.pose().rotation().conjugate()) * (point.point - body.pose().position());
                let apart = match body.collider() {
                    Collider::Sphere(shape) => shape.signed_distance(own).abs(),
                    Collider::Capsule(shape) => shape.signed_distance(own).abs(),
                    Collider::Ellipsoid(shape) => shape.signed_distance(own).abs(),
                    Collider::Cuboid(shape) => shape.signed_distance(own).abs(),
                    Collider::Cylinder(shape) => shape.signed_distance(own).abs(),
                    Collider::Cone(shape) => shape.signed_distance(own).abs(),
                    Collider::HalfSpace(half) => half.plane().signed_distance(own).abs(),
                    _ => {
                        let only = |id| id == manifold.body;
                        let near = world.bodies().filter(|(id, _)| only(*id));
                        let mut alone = World::new();
                        for (_, body) in near {
                            alone.add(body.clone());
                        }
                        alone.closest(Mover::Point, point.point, 9.0, Layers::ALL).unwrap().unwrap().distance
                    }
                };
                // Pierced ones have the point of the contact.
                let is_revolved = matches!(body.collider(), Collider::Cylinder(_) | Collider::Cone(_));
                // Of the ways out of these one of the least is as good.
                let is_shallow = point.gap > if is_revolved { -1e-9 } else { -0.05 };
                assert!(!is_shallow || apart <= distance + 1e-7, "{apart} from the body: {}", what());
                let seen = point.point + manifold.normal * point.gap - at;
                let apart = mover.signed_distance(seen).abs();
                assert!(!is_shallow || apart <= distance + 1e-7, "{apart} from the mover: {}", what());
                points += 1;
            }
        }
    }
    assert!(points > 8000 && several > 500, "{points} {several}");
}

#[test]
fn numbers_that_are_no_lengths_are_refused() {
    let world = World::new();
    let ask = |at, distance| world.manifolds(Sphere::new(1.0).unwrap(), at, distance, Layers::ALL);
    assert_eq!(ask(DVec3::NAN, 0.0), Err(ShapeError::NotFinite("at")));
    assert_eq!(ask(DVec3::ZERO, f64::INFINITY), Err(ShapeError::NotFinite("distance")));
    assert_eq!(ask(DVec3::ZERO, -1.0), Err(ShapeError::Negative("distance")));
    assert_eq!(ask(DVec3::ZERO, 0.0), Ok(Vec::new()));
}
