//! Bodies that move: walls that push, turn and crush.

use carom::balls::{Ball, BallMotion, EventKind, Rules, Setup, Table};
use carom::world::BodyId;
use carom::{Body, Cuboid, Mesh, Pose, World};
use glam::{DVec3, dvec3};

fn ball(position: DVec3, velocity: DVec3) -> Ball {
    Ball::new(position, velocity, 0.5, 1.0).unwrap()
}

fn block(half: DVec3, at: DVec3) -> (World, BodyId) {
    let mut world = World::new();
    let body = Body::kinematic(Cuboid::new(half).unwrap()).at(Pose::at(at).unwrap());
    let id = world.add(body);
    (world, id)
}

fn heavy(restitution: f64) -> Rules {
    Rules { gravity: dvec3(0.0, -10.0, 0.0), restitution, wall_restitution: restitution, ..Rules::default() }
}

#[test]
fn a_wall_that_comes_gives_twice_its_speed_and_one_that_goes_takes_it() {
    for (speed, met, after) in [(1.0, 2.0, 3.0), (-0.5, 8.0, 0.0)] {
        let (obstacles, wall) = block(dvec3(0.5, 2.0, 2.0), dvec3(-5.0, 0.0, 0.0));
        let balls = vec![ball(DVec3::ZERO, dvec3(-1.0, 0.0, 0.0))];
        let mut table = Table::new(Setup { balls, obstacles, ..Setup::default() }).unwrap();
        assert!(table.drive(wall, dvec3(speed, 0.0, 0.0), DVec3::ZERO));
        let event = table.next_event(99.0).unwrap();
        // The front is 4 m from the ball's surface.
        assert!((event.time - 4.0 / (1.0 + speed)).abs() < 1e-12 && (event.time - met).abs() < 1e-12);
        assert!((table.ball(0).velocity.x - after).abs() < 1e-12, "{:?}", table.ball(0));
    }
}

#[test]
fn a_ball_that_a_turning_body_cannot_reach_is_not_looked_at_again() {
    for (from, speed) in [(0.0, 1e9), (-1e9, 1e9), (-3.0, -1e-3), (5.0, 1e300)] {
        let (obstacles, body) = block(dvec3(0.5, 2.0, 2.0), dvec3(0.0, -50.0, 0.0));
        let balls = vec![ball(dvec3(from, 0.0, 0.0), dvec3(speed, 0.0, 0.0))];
        let mut table = Table::new(Setup { balls, obstacles, ..Setup::default() }).unwrap();
        assert!(table.drive(body, DVec3::ZERO, dvec3(0.0, 0.0, 100.0)));
        // Every radius of its way would be 20 billion times.
        assert_eq!(table.next_event(10.0), None);
    }
}

#[test]
fn a_ball_meets_a_turning_body_at_the_same_time_from_near_and_from_afar() {
    let mut met = 0;
    for i in 0..200 {
        let height = f64::from(i) * 0.025 - 2.5;
        let meets = |ahead: f64, gravity: f64| {
            let (obstacles, body) = block(dvec3(0.5, 2.0, 2.0), DVec3::ZERO);
            let fallen = 0.5 * gravity * ahead * ahead;
            let start = dvec3(-4.0 - 2.0 * ahead, height + fallen, 0.0);
            let balls = vec![ball(start, dvec3(2.0, 0.0, 0.0))];
            let rules = Rules { gravity: dvec3(0.0, -gravity, 0.0), ..Rules::default() };
            let mut table = Table::new(Setup { balls, obstacles, rules, ..Setup::default() }).unwrap();
            table.advance(ahead, |_, _| panic!("nothing is near yet"));
            assert!(table.drive(body, DVec3::ZERO, dvec3(0.0, 0.0, 3.0)));
            table.next_event(ahead + 9.0).map(|event| event.time - ahead)
        };
        // Without gravity the flights are the same; the root of the far one is that much less exact.
        let (near, far) = (meets(0.0, 0.0), meets(1000.0, 0.0));
        assert_eq!(near.is_some(), far.is_some(), "{i}");
        if let (Some(near), Some(far)) = (near, far) {
            assert!((near - far).abs() < 1e-8, "{i}: {near} {far}");
            met += 1;
        }
    }
    assert!(met > 100, "{met}");
}

#[test]
fn a_lift_carries_a_ball_up_and_it_rests_when_the_lift_does() {
    let (obstacles, lift) = block(dvec3(2.0, 0.5, 2.0), dvec3(0.0, -0.5, 0.0));
    let balls = vec![ball(dvec3(0.0, 0.5, 0.0), DVec3::ZERO)];
    let setup = Setup { balls, obstacles, rules: heavy(0.3), ..Setup::default() };
    let mut table = Table::new(setup).unwrap();
    table.advance(1.0, |_, _| ());
    assert_eq!(table.ball(0).motion, BallMotion::Resting);
    assert!(table.drive(lift, dvec3(0.0, 2.0, 0.0), DVec3::ZERO));
    let events = table.advance(3.0, |_, _| ());
    assert!(events < 5000, "{events}");
    let up = table.ball(0).position.y;
    assert!((6.5 - 1e-9..6.52).contains(&up), "{up}");
    assert!(table.drive(lift, DVec3::ZERO, DVec3::ZERO));
    table.advance(5.0, |_, _| ());
    assert_eq!(table.ball(0).motion, BallMotion::Resting, "{:?}", table.ball(0));
    assert!((table.ball(0).position.y - 6.5).abs() < 1e-3);
    assert_eq!(table.body_pose(lift).unwrap().0.y, 5.5);
}

/// Against many small steps of the same: a paddle that turns in the plane and ball after ball in its way.
#[test]
fn a_paddle_that_turns_meets_a_ball_when_small_steps_say_and_is_never_gone_through() {
    let mut met = 0;
    for round in 0..200 {
        let r = f64::from(round);
        let (obstacles, paddle) = block(dvec3(2.0, 1.0, 0.1), DVec3::ZERO);
        let from = dvec3(3.0 * carom::num::ops::cos(r), 0.2, 3.0 * carom::num::ops::sin(r));
        let velocity = dvec3(carom::num::ops::sin(3.0 * r), 0.0, carom::num::ops::cos(2.0 * r)) * 2.0;
        let balls = vec![Ball::new(from, velocity, 0.3, 1.0).unwrap()];
        let mut table =
            Table::new(Setup { balls, obstacles: obstacles.clone(), ..Setup::default() }).unwrap();
        let rate = 1.0 + 0.05 * r;
        assert!(table.drive(paddle, DVec3::ZERO, dvec3(0.0, rate, 0.0)));
        let event = table.next_event(3.0);
        // The gap to the box, in its own axes.
        let gap = |time: f64| {
            let p = carom::num::ops::rotation_about(DVec3::Y, -rate * time) * (from + velocity * time);
            let out = (p.abs() - dvec3(2.0, 1.0, 0.1)).max(DVec3::ZERO);
            carom::num::ops::sqrt(out.length_squared()) - 0.3
        };
        let first = (0..30_000).map(|k| f64::from(k) * 1e-4).find(|&t| gap(t) <= 0.0);
        match (event, first) {
            (Some(event), Some(first)) => {
                assert!((-2e-4..=1e-9).contains(&(event.time - first)), "{round}: {} {first}", event.time);
                assert!(gap(event.time).abs() < 1e-8, "{round}: {:e}", gap(event.time));
                assert!(matches!(event.kind, EventKind::Obstacle { .. }));
                met += 1;
            }
            (None, None) => (),
            // A graze between two of the small steps.
            (Some(event), None) => assert!(gap(event.time) < 1e-8, "{round}: {event:?}"),
            (None, Some(first)) => panic!("{round}: missed at {first}, gap {:e}", gap(first)),
        }
    }
    assert!(met > 40, "{met}");
}

#[test]
fn what_lies_on_a_turntable_without_friction_stays_and_ends() {
    let (obstacles, table_top) = block(dvec3(3.0, 0.5, 3.0), dvec3(0.0, -0.5, 0.0));
    let balls = vec![ball(dvec3(1.0, 0.5, 0.0), DVec3::ZERO)];
    let mut table = Table::new(Setup { balls, obstacles, rules: heavy(0.5), ..Setup::default() }).unwrap();
    assert!(table.drive(table_top, DVec3::ZERO, dvec3(0.0, 2.0, 0.0)));
    let events = table.advance(5.0, |_, _| ());
    assert!(events < 5000, "{events}");
    assert!((table.ball(0).position - dvec3(1.0, 0.5, 0.0)).length() < 2e-3, "{:?}", table.ball(0));
}

#[test]
fn a_press_that_comes_down_on_a_ball_goes_through_it_and_time_goes_on() {
    for restitution in [0.0, 0.5, 1.0] {
        let (mut obstacles, press) = block(dvec3(2.0, 0.5, 2.0), dvec3(0.0, 3.0, 0.0));
        let floor = vec![[-5.0, 0.0, -5.0], [-5.0, 0.0, 5.0], [5.0, 0.0, 5.0], [5.0, 0.0, -5.0]];
        let floor = Mesh::from_triangles(floor, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
        obstacles.add(Body::fixed(floor));
        let balls = vec![ball(dvec3(0.3, 0.5, 0.1), DVec3::ZERO)];
        let setup = Setup { balls, obstacles, rules: heavy(restitution), ..Setup::default() };
        let mut table = Table::new(setup).unwrap();
        assert!(table.drive(press, dvec3(0.0, -1.0, 0.0), DVec3::ZERO));
        let mut count = 0;
        while table.next_event(6.0).is_some() {
            count += 1;
            assert!(count < 200_000, "{restitution}: {:?} at {}", table.ball(0), table.time());
        }
        assert_eq!(table.time(), 6.0);
        assert!(table.ball(0).position.y > 0.49, "through the floor: {:?}", table.ball(0));
    }
}

#[test]
fn what_cannot_be_driven_is_not() {
    let mut obstacles = World::new();
    let fixed = obstacles.add(Body::fixed(Cuboid::new(DVec3::ONE).unwrap()));
    let lift = obstacles
        .add(Body::kinematic(Cuboid::new(DVec3::ONE).unwrap()).at(Pose::at(DVec3::X * 9.0).unwrap()));
    let mut table = Table::new(Setup { obstacles, ..Setup::default() }).unwrap();
    assert!(!table.drive(fixed, DVec3::X, DVec3::ZERO) && table.body_pose(fixed).is_none());
    assert!(!table.drive(lift, DVec3::NAN, DVec3::ZERO) && !table.drive(lift, DVec3::X, DVec3::INFINITY));
    assert!(table.drive(lift, DVec3::X, DVec3::ZERO));
}

/// A circle is the sphere about it: what a mesh does out of the plane is not its affair.
#[test]
fn circles_meet_a_mesh_in_their_plane() {
    // A slope that leans over the plane, and a floor just under the circle.
    let vertices = vec![
        [4.0, -9.0, -3.0],
        [4.0, 9.0, -3.0],
        [7.0, 0.0, 3.0],
        [-9.0, -9.0, -0.5],
        [9.0, -9.0, -0.5],
        [0.0, 9.0, -0.5],
    ];
    let mut obstacles = World::new();
    obstacles.add(Body::fixed(Mesh::from_triangles(vertices, vec![[0, 1, 2], [3, 4, 5]]).unwrap()));
    let rules = Rules { dimensions: carom::balls::Dimensions::Two, ..Rules::default() };
    let balls = vec![ball(DVec3::ZERO, dvec3(1.0, 0.0, 0.0))];
    let mut table = Table::new(Setup { balls, obstacles, rules, ..Setup::default() }).unwrap();
    let event = table.next_event(20.0).unwrap();
    // The slope's plane passes z = 0 at x = 5.5 and leans by 1 in 2: 0.5 · √5/2 before it.
    assert!((event.time - (5.5 - 0.25 * carom::num::ops::sqrt(5.0))).abs() < 1e-9, "{event:?}");
    assert!((table.ball(0).velocity - dvec3(-1.0, 0.0, 0.0)).length() < 1e-12, "{:?}", table.ball(0));
    assert_eq!(table.next_event(20.0), None);
}
