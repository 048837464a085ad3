//! Worlds as obstacles.

use carom::balls::{Ball, BallMotion, EventKind, Rules, Setup, Table, Wall};
use carom::num::ops::rotation_about;
use carom::{Body, Capsule, Cast, Cuboid, Mesh, Pose, Sphere, World};
use glam::{DVec3, dvec3};

use super::Dice;

/// Hills over 8 m by 8 m.
fn hills() -> Mesh {
    let side = 17u32;
    let mut dice = Dice(4);
    let mut vertices = Vec::new();
    for j in 0..side {
        for i in 0..side {
            vertices.push([i as f32 * 0.5, dice.unit() as f32 * 0.6, j as f32 * 0.5]);
        }
    }
    let mut triangles = Vec::new();
    for j in 0..side - 1 {
        for i in 0..side - 1 {
            let a = j * side + i;
            triangles.push([a, a + side, a + side + 1]);
            triangles.push([a, a + side + 1, a + 1]);
        }
    }
    Mesh::from_triangles(vertices, triangles).unwrap()
}

fn everything() -> World {
    let mut world = World::new();
    world.add(Body::fixed(hills()));
    let at = |x: f64, y: f64, z: f64| Pose::at(dvec3(x, y, z)).unwrap();
    world.add(Body::fixed(Sphere::new(0.7).unwrap()).at(at(2.0, 1.5, 2.0)));
    let turned = at(5.0, 1.6, 3.0).with_rotation(rotation_about(dvec3(1.0, 2.0, 3.0), 0.8)).unwrap();
    world.add(Body::fixed(Cuboid::new(dvec3(0.8, 0.3, 0.5)).unwrap()).at(turned));
    world.add(
        Body::fixed(Capsule::new(0.3, 0.6).unwrap())
            .at(turned.with_scale(1.5).unwrap())
            .at(at(3.0, 1.8, 6.0)),
    );
    world
}

#[test]
fn without_gravity_a_ball_meets_what_a_cast_meets() {
    let world = everything();
    let mut dice = Dice(8);
    let mut hits = 0;
    for _ in 0..1500 {
        let from = dvec3(8.0 * dice.unit(), 3.0 + dice.unit(), 8.0 * dice.unit());
        let to = dvec3(8.0 * dice.unit(), -1.0, 8.0 * dice.unit());
        let radius = 0.05 + 0.3 * dice.unit();
        let cast = world.cast(&Cast::new(Sphere::new(radius).unwrap(), from, to - from).unwrap());
        let balls = vec![Ball::new(from, to - from, radius, 1.0).unwrap()];
        let mut table = Table::new(Setup { balls, obstacles: world.clone(), ..Setup::default() }).unwrap();
        match (table.next_event(1.0), cast) {
            (Some(event), Some(hit)) => {
                assert!((event.time - hit.fraction).abs() < 1e-11, "{event:?} {hit:?}");
                assert!(matches!(event.kind, EventKind::Obstacle { .. }));
                hits += 1;
            }
            (None, None) => (),
            other => panic!("{other:?}"),
        }
    }
    assert!(hits > 1000, "{hits}");
}

#[test]
fn under_gravity_no_ball_goes_through_the_hills_or_into_a_solid() {
    let mut dice = Dice(6);
    let balls: Vec<Ball> = (0..60)
        .map(|i| {
            let place =
                dvec3(f64::from(i % 8) + 0.5, 3.0 + f64::from(i / 8) * 0.5, 0.5 + f64::from(i * 3 % 8) * 0.9);
            Ball::new(place, dice.vector(), 0.1 + 0.05 * dice.unit(), 1.0).unwrap()
        })
        .collect();
    let world = everything();
    let rules = Rules {
        gravity: dvec3(0.0, -9.81, 0.0),
        restitution: 0.6,
        wall_restitution: 0.6,
        ..Rules::default()
    };
    let mut table = Table::new(Setup { balls, obstacles: world.clone(), rules, ..Setup::default() }).unwrap();
    let mut inside = 0;
    for tick in 1..=120 {
        table.advance(1.0 / 30.0, |_, _| ());
        for i in 0..table.len() {
            let p = table.ball(i).position;
            if (0.5..7.5).contains(&p.x) && (0.5..7.5).contains(&p.z) {
                inside += 1;
                assert!(p.y > -0.01, "tick {tick}: ball {i} is below the ground at {p}");
                let sphere = Sphere::new(table.radius(i)).unwrap();
                world.contacts(&sphere.into(), p, 0.0, carom::Layers::ALL, |near| {
                    assert!(
                        near.contact.gap > -1e-9,
                        "tick {tick}: ball {i} at {p} is {:e} in",
                        near.contact.gap
                    );
                });
            }
        }
    }
    assert!(inside > 3000, "{inside}");
}

#[test]
fn a_ball_in_a_bowl_of_triangles_comes_to_rest_in_it() {
    let vertices =
        vec![[-2.0, 1.0, -2.0], [2.0, 1.0, -2.0], [2.0, 1.0, 2.0], [-2.0, 1.0, 2.0], [0.0, 0.0, 0.0]];
    let triangles = vec![[0, 4, 1], [1, 4, 2], [2, 4, 3], [3, 4, 0]];
    let mut obstacles = World::new();
    obstacles.add(Body::fixed(Mesh::from_triangles(vertices, triangles).unwrap()));
    let balls = vec![Ball::new(dvec3(0.7, 2.0, 0.4), DVec3::ZERO, 0.1, 1.0).unwrap()];
    let rules = Rules { gravity: dvec3(0.0, -9.81, 0.0), wall_restitution: 0.5, ..Rules::default() };
    let mut table = Table::new(Setup { balls, obstacles, rules, ..Setup::default() }).unwrap();
    let mut count = 0;
    while table.next_event(300.0).is_some() {
        count += 1;
        assert!(count < 200_000, "{:?}", table.ball(0));
    }
    assert_eq!(table.ball(0).motion, BallMotion::Resting, "{:?} after {count}", table.ball(0));
    assert!((table.ball(0).position - dvec3(0.0, 0.1118, 0.0)).length() < 0.01, "{:?}", table.ball(0));
}

#[test]
fn a_ball_that_goes_along_a_tiled_floor_does_not_feel_its_seams() {
    let vertices: Vec<[f32; 3]> =
        (0..42).map(|i| [(i / 2) as f32, 0.0, if i % 2 == 0 { -1.0 } else { 1.0 }]).collect();
    let triangles =
        (0..20).flat_map(|i| [[2 * i, 2 * i + 1, 2 * i + 3], [2 * i, 2 * i + 3, 2 * i + 2]]).collect();
    let mut obstacles = World::new();
    obstacles.add(Body::fixed(Mesh::from_triangles(vertices, triangles).unwrap()));
    let ball = Ball::new(dvec3(1.0, 0.1, 0.0), dvec3(3.0, 0.0, 0.1), 0.1, 1.0).unwrap();
    let rules = Rules { gravity: dvec3(0.0, -9.81, 0.0), wall_restitution: 0.5, ..Rules::default() };
    let setup = Setup { balls: vec![ball], rules, ..Setup::default() };
    let ground = Wall::Plane { point: DVec3::ZERO, normal: DVec3::Y };
    let [tiled, plain] =
        [Setup { obstacles, ..setup.clone() }, Setup { walls: vec![ground], ..setup }].map(|setup| {
            let mut table = Table::new(setup).unwrap();
            table.advance(5.0, |_, _| ());
            table.ball(0).velocity
        });
    assert!((tiled - plain).with_y(0.0).length() < 1e-9, "{tiled}, {plain} without seams");
    // All that it has lost is what lifts it for its lowest bounce.
    let lowest_bounce = 2.0 * 9.81 * 0.1 / 1024.0;
    let lost = ball.velocity.length_squared() - plain.with_y(0.0).length_squared();
    assert!((lost - lowest_bounce).abs() < 1e-9, "{lost}");
}
