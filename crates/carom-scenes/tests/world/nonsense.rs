//! Numbers that mean nothing: refused by name or answered soundly, never a panic and never a hang.

use carom::mesh::Mesh;
use carom::respond::{Slide, WorldObstacles, collide_and_slide};
use carom::shape::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use carom::world::{Body, Cast, Layers, Pose, World};
use carom_scenes::SceneMesh;
use carom_scenes::golden::{floor, needle, triangles_without_area, tunnel};
use glam::{DQuat, DVec3, dvec3};
use proptest::prelude::*;

/// Any f64: the everyday, the huge, the tiny, the denormal, infinities and NaN.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -3.0..3.0f64,
        2 => prop::sample::select(vec![
            0.0, -0.0, 1.0, 1e30, -1e30, 1e300, -1e300, f64::MAX, f64::MIN, 5e-324, -1e-310, 1e-300, 1e-30, 1e154, 1e-154,
        ]),
        1 => any::<f64>(),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY]),
    ]
}

fn vector() -> impl Strategy<Value = DVec3> {
    (number(), number(), number()).prop_map(|(x, y, z)| dvec3(x, y, z))
}

fn mover() -> impl Strategy<Value = Option<Mover>> {
    (0..5, number(), vector(), any::<bool>()).prop_map(|(kind, a, v, turned)| {
        let rotation = if turned { DQuat::from_xyzw(0.1, 0.7, -0.2, 0.4) } else { DQuat::IDENTITY };
        match kind {
            0 => Some(Mover::Point),
            1 => Sphere::new(a).ok().map(Mover::from),
            2 => Ellipsoid::new(v).and_then(|e| e.with_rotation(rotation)).ok().map(Mover::from),
            3 => Cuboid::new(v).and_then(|c| c.with_rotation(rotation)).ok().map(Mover::from),
            _ => Capsule::new(v.x, v.y).and_then(|c| c.with_rotation(rotation)).ok().map(Mover::from),
        }
    })
}

fn worlds() -> Vec<World> {
    let of = |bodies: Vec<Body>| {
        let mut world = World::new();
        for body in bodies {
            world.add(body);
        }
        world
    };
    let mesh = |scene: SceneMesh| Body::fixed(scene.into_mesh().unwrap());
    let huge = f32::MAX;
    let wide = SceneMesh {
        vertices: vec![[-huge, 0.0, -huge], [0.0, 0.0, huge], [huge, 0.0, -huge], [1e-45, 1e-45, 0.0]],
        triangles: vec![[0, 1, 2], [0, 3, 2], [3, 3, 3]],
        sections: Vec::new(),
    };
    let far = Pose::at(DVec3::splat(1e300)).unwrap().with_scale(1e-300).unwrap();
    vec![
        World::new(),
        of(vec![Body::fixed(Mesh::from_triangles(Vec::new(), Vec::new()).unwrap())]),
        of(vec![mesh(floor(2.0))]),
        of(vec![mesh(tunnel()), mesh(needle()), mesh(triangles_without_area())]),
        of(vec![mesh(wide.clone())]),
        of(vec![
            mesh(floor(2.0)).at(far),
            mesh(wide).at(Pose::IDENTITY.with_scale(1e250).unwrap()),
            Body::fixed(Sphere::new(1e300).unwrap()),
            Body::fixed(Ellipsoid::new(dvec3(1.0, 1e-3, 1e3)).unwrap())
                .at(Pose::at(dvec3(0.0, -1e30, 0.0)).unwrap()),
            Body::fixed(Capsule::new(1e-300, 1.0).unwrap()),
            Body::fixed(Cuboid::new(dvec3(1e-30, 1.0, 1e30)).unwrap()),
        ]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nonsense_is_refused_or_answered(mover in mover(), from in vector(), translation in vector(), distance in number()) {
        let Some(mover) = mover else { return Ok(()) };
        for (number, world) in worlds().iter().enumerate() {
            let cast = Cast::new(mover, from, translation);
            prop_assert_eq!(cast.is_ok(), from.is_finite() && translation.is_finite());
            let mut visited = 0;
            world.contacts(&mover, from, distance, Layers::ALL, |_| visited += 1);
            prop_assert!(visited == 0 || from.is_finite());
            prop_assert_eq!(world.overlaps(mover, from, Layers::ALL).is_ok(), from.is_finite());
            prop_assert_eq!(world.closest(mover, from, distance, Layers::ALL).is_ok(), from.is_finite());
            let around = WorldObstacles::new(world, mover, Layers::ALL);
            let slide = Slide::new(from, translation)
                .with_contact_distance(distance)
                .with_friction(0.5)
                .with_bounce_above(distance);
            let slid = collide_and_slide(&around, &slide);
            prop_assert!(slid.sweeps <= Slide::SWEEPS);
            prop_assert!(!slid.position.is_nan() || cast.is_err(), "world {}: {:?}", number, slid);
            let Ok(cast) = cast else { continue };
            let hits = world.cast_all(&cast);
            // Where numbers are lost the mover is stopped at its start, wherever the body is: what is hit
            // before that body's bounds is all that one cast looks at.
            let first = world.cast(&cast);
            prop_assert_eq!(first.is_some(), !hits.is_empty());
            prop_assert!(first.is_none_or(|first| first.fraction >= hits[0].fraction), "{:?} {:?}", first, hits);
            let hits = hits.into_iter().chain(first);
            for hit in hits {
                prop_assert!((0.0..=1.0).contains(&hit.fraction), "world {}: {:?}", number, hit);
                prop_assert!((hit.normal.length() - 1.0).abs() < 1e-6, "world {}: {:?}", number, hit);
                prop_assert!(!hit.point.is_nan(), "world {}: {:?}", number, hit);
            }
        }
    }
}

#[test]
fn a_world_of_nothing_is_free() {
    let cast = Cast::new(Sphere::new(1.0).unwrap(), DVec3::ZERO, DVec3::X).unwrap();
    for world in &worlds()[..2] {
        assert_eq!(world.cast(&cast), None);
        assert!(world.cast_all(&cast).is_empty());
        assert!(world.overlaps(Sphere::new(1.0).unwrap(), DVec3::ZERO, Layers::ALL).unwrap().is_empty());
        assert_eq!(world.closest(Mover::Point, DVec3::ZERO, f64::INFINITY, Layers::ALL).unwrap(), None);
    }
}
