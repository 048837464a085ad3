//! Worked by hand.

use carom::balls::{Ball, BallMotion, Cloth, Dimensions, EventKind, Pocket, Rules, Setup, Table, Wall};
use glam::{DVec3, dvec3};

fn ball(position: [f64; 3], velocity: [f64; 3]) -> Ball {
    Ball::new(DVec3::from_array(position), DVec3::from_array(velocity), 0.5, 1.0).unwrap()
}

fn flat(balls: Vec<Ball>) -> Setup {
    Setup { balls, rules: Rules { dimensions: Dimensions::Two, ..Rules::default() }, ..Setup::default() }
}

#[test]
fn head_on_equal_balls_change_velocities() {
    let setup = flat(vec![ball([0.0; 3], [2.0, 0.0, 0.0]), ball([4.0, 0.0, 0.0], [-1.0, 0.0, 0.0])]);
    let mut table = Table::new(setup).unwrap();
    let event = table.next_event(f64::INFINITY).unwrap();
    assert_eq!((event.time, event.kind), (1.0, EventKind::Balls([0, 1])));
    assert_eq!(table.ball(0).position, dvec3(2.0, 0.0, 0.0));
    assert_eq!(
        (table.ball(0).velocity, table.ball(1).velocity),
        (dvec3(-1.0, 0.0, 0.0), dvec3(2.0, 0.0, 0.0))
    );
    assert_eq!(table.next_event(f64::INFINITY), None);
}

#[test]
fn a_glancing_hit_parts_them_at_a_right_angle() {
    // Touching when the offset is (0.6, 0.8): the moving one has gone 1.4 of the 2 to where it would be
    // level.
    let setup = flat(vec![ball([0.0; 3], [2.0, 0.0, 0.0]), ball([2.0, 0.8, 0.0], [0.0; 3])]);
    let mut table = Table::new(setup).unwrap();
    let event = table.next_event(9.0).unwrap();
    assert!((event.time - 0.7).abs() < 1e-15);
    let (a, b) = (table.ball(0).velocity, table.ball(1).velocity);
    assert!((b - dvec3(0.72, 0.96, 0.0)).length() < 1e-14 && (a - dvec3(1.28, -0.96, 0.0)).length() < 1e-14);
}

#[test]
fn of_three_in_line_only_the_last_goes_on() {
    let setup = flat(vec![
        ball([0.0; 3], [1.0, 0.0, 0.0]),
        ball([2.0, 0.0, 0.0], [0.0; 3]),
        ball([4.0, 0.0, 0.0], [0.0; 3]),
    ]);
    let mut table = Table::new(setup).unwrap();
    let mut events = Vec::new();
    table.advance(10.0, |_, event| events.push((event.time, event.kind)));
    assert_eq!(events, [(1.0, EventKind::Balls([0, 1])), (2.0, EventKind::Balls([1, 2]))]);
    let at = |i: usize| (table.ball(i).position.x, table.ball(i).velocity.x);
    assert_eq!([at(0), at(1), at(2)], [(1.0, 0.0), (3.0, 0.0), (12.0, 1.0)]);
}

#[test]
fn out_of_a_corner_a_ball_goes_back_as_it_came() {
    let mut setup = flat(vec![ball([3.0, 4.0, 0.0], [-2.0, -3.0, 0.0])]);
    setup.walls = vec![
        Wall::Segment { a: dvec3(0.0, 0.0, 0.0), b: dvec3(9.0, 0.0, 0.0) },
        Wall::Segment { a: dvec3(0.0, 9.0, 0.0), b: dvec3(0.0, 0.0, 0.0) },
    ];
    let mut table = Table::new(setup).unwrap();
    let mut walls = Vec::new();
    table.advance(4.0, |_, event| {
        let EventKind::Wall { wall, .. } = event.kind else { panic!("{event:?}") };
        walls.push((wall, event.time));
    });
    assert_eq!(walls.len(), 2);
    assert!(walls[0].0 == 0 && (walls[0].1 - 3.5 / 3.0).abs() < 1e-15);
    assert!(walls[1].0 == 1 && (walls[1].1 - 1.25).abs() < 1e-15);
    assert_eq!(table.ball(0).velocity, dvec3(2.0, 3.0, 0.0));
}

#[test]
fn a_cradle_of_touching_balls_hands_the_impact_on_at_once() {
    for moving in 1..=4 {
        let mut balls: Vec<Ball> = (0..5).map(|i| ball([f64::from(i), 0.0, 0.0], [0.0; 3])).collect();
        for (i, ball) in balls.iter_mut().enumerate().take(moving) {
            ball.position.x -= 2.0;
            ball.velocity.x = 1.0;
            assert!(i < 5);
        }
        let mut table = Table::new(flat(balls)).unwrap();
        table.advance(5.0, |_, _| ());
        let speeds: Vec<f64> = (0..5).map(|i| table.ball(i).velocity.x).collect();
        let wanted: Vec<f64> = (0..5).map(|i| if i >= 5 - moving { 1.0 } else { 0.0 }).collect();
        assert_eq!(speeds, wanted, "{moving} moving");
    }
}

#[test]
fn unequal_masses_part_by_the_textbook() {
    let mut setup = flat(vec![ball([0.0; 3], [3.0, 0.0, 0.0]), ball([4.0, 0.0, 0.0], [0.0; 3])]);
    setup.balls[1].mass = 2.0;
    let mut table = Table::new(setup).unwrap();
    table.advance(3.0, |_, _| ());
    assert_eq!((table.ball(0).velocity.x, table.ball(1).velocity.x), (-1.0, 2.0));
}

#[test]
fn a_fall_takes_as_long_as_newton_says_and_comes_up_as_high() {
    let mut setup = Setup { balls: vec![ball([0.0, 2.5, 0.0], [1.0, 0.0, 0.0])], ..Setup::default() };
    setup.rules.gravity = dvec3(0.0, -4.0, 0.0);
    setup.walls = vec![Wall::Plane { point: DVec3::ZERO, normal: DVec3::Y }];
    let mut table = Table::new(setup).unwrap();
    // 2 m at 4 m/s²: one second, and two from bounce to bounce.
    for bounce in 0..50 {
        let event = table.next_event(f64::INFINITY).unwrap();
        assert!((event.time - (1.0 + 2.0 * f64::from(bounce))).abs() < 1e-11);
        assert!((table.ball(0).position.y - 0.5).abs() < 1e-13);
    }
    assert!((table.ball(0).position.x - 99.0).abs() < 1e-10);
}

#[test]
fn two_that_fly_under_gravity_meet_as_if_there_were_none() {
    let mut setup = Setup {
        balls: vec![ball([0.0, 0.0, 0.0], [3.0, 5.0, 0.0]), ball([7.0, 0.0, 0.0], [-3.0, 5.0, 0.0])],
        ..Setup::default()
    };
    setup.rules.gravity = dvec3(0.0, -10.0, 0.0);
    let mut table = Table::new(setup).unwrap();
    let event = table.next_event(9.0).unwrap();
    assert!((event.time - 1.0).abs() < 1e-15 && event.kind == EventKind::Balls([0, 1]));
    assert!((table.ball(0).position - dvec3(3.0, 0.0, 0.0)).length() < 1e-15);
}

#[test]
fn a_ball_falls_into_the_pocket_when_its_center_does() {
    let mut setup = flat(vec![ball([0.0; 3], [1.0, 0.0, 0.0]), ball([9.0, 0.0, 0.0], [0.0; 3])]);
    setup.pockets = vec![Pocket { position: dvec3(4.0, 0.0, 0.0), radius: 1.0 }];
    let mut table = Table::new(setup).unwrap();
    let event = table.next_event(99.0).unwrap();
    assert_eq!((event.time, event.kind), (3.0, EventKind::Pocket { ball: 0, pocket: 0 }));
    assert_eq!(table.ball(0).motion, BallMotion::Pocketed);
    assert_eq!((table.next_event(99.0), table.energy()), (None, 0.0));
}

#[test]
fn on_cloth_a_struck_ball_slides_rolls_and_rests_where_it_should() {
    let mut setup = flat(vec![ball([0.0; 3], [0.0; 3])]);
    setup.rules.cloth = Some(Cloth { sliding: 0.2, rolling: 0.01, weight: 10.0 });
    let mut table = Table::new(setup).unwrap();
    assert!(table.strike(0, dvec3(7.0, 0.0, 0.0)));
    // Slides for 1 s over 6 m, rolls from 5 m/s at 0.1 m/s² for 50 s over 125 m.
    let event = table.next_event(99.0).unwrap();
    assert!((event.time - 51.0).abs() < 1e-10 && event.kind == EventKind::Rest { ball: 0, body: None });
    assert!((table.ball(0).position.x - 131.0).abs() < 1e-9);
    assert_eq!(table.ball(0).velocity, DVec3::ZERO);
}

#[test]
fn on_cloth_a_rolling_ball_follows_the_one_it_has_struck() {
    let mut setup = flat(vec![ball([0.0; 3], [0.0; 3]), ball([40.0, 0.0, 0.0], [0.0; 3])]);
    setup.rules.cloth = Some(Cloth { sliding: 0.2, rolling: 0.0, weight: 10.0 });
    let mut table = Table::new(setup).unwrap();
    table.strike(0, dvec3(7.0, 0.0, 0.0));
    let event = table.next_event(99.0).unwrap();
    assert_eq!(event.kind, EventKind::Balls([0, 1]));
    assert!((event.time - (1.0 + 33.0 / 5.0)).abs() < 1e-10);
    // It stops, still turning at 5 m/s; 2/7 of that it continues with. The other slides from 5 to 5/7 of 5.
    assert!(table.ball(0).velocity.x.abs() < 1e-12 && table.ball(0).motion == BallMotion::Sliding);
    table.advance(5.0, |_, _| ());
    assert!((table.ball(0).velocity.x - 10.0 / 7.0).abs() < 1e-9, "{:?}", table.ball(0));
    assert!((table.ball(1).velocity.x - 25.0 / 7.0).abs() < 1e-9);
}

#[test]
fn in_a_side_hardly_longer_than_two_balls_they_meet_on_both_sides_in_turn() {
    // Gaps of 0.25 and 0.25: the one that moves meets the other's one side, then that comes round to its
    // back.
    let mut setup = flat(vec![ball([0.5, 0.5, 0.0], [1.0, 0.0, 0.0]), ball([1.75, 0.5, 0.0], [0.0; 3])]);
    setup.rules.periodic = dvec3(2.5, 1.25, 0.0);
    let mut table = Table::new(setup).unwrap();
    for meeting in 1..=40 {
        let event = table.next_event(f64::INFINITY).unwrap();
        assert_eq!(event.kind, EventKind::Balls([0, 1]));
        let time = 0.25 + 0.5 * f64::from(meeting - 1);
        assert!((event.time - time).abs() < 1e-12, "{meeting}: {}", event.time);
        let moving = if meeting % 2 == 1 { 1 } else { 0 };
        assert_eq!(table.ball(moving).velocity, DVec3::X);
    }
    // So tight that there is no room at all: no ball is stuck.
    let mut tight = flat(vec![ball([0.5, 0.5, 0.0], [1.0, 0.5, 0.0]), ball([1.5, 0.5, 0.0], [0.0; 3])]);
    tight.rules.periodic = dvec3(2.0, 4.0, 0.0);
    let mut table = Table::new(tight).unwrap();
    let mut count = 0;
    while table.next_event(100.0).is_some() {
        count += 1;
        assert!(count < 100_000, "{:?}", table.ball(0));
    }
    assert_eq!(table.time(), 100.0);
    assert!((table.momentum() - dvec3(1.0, 0.5, 0.0)).length() < 1e-12);
}

#[test]
fn a_ball_that_fits_between_two_walls_exactly_does_not_bounce_for_ever() {
    let mut setup = flat(vec![ball([0.0, 0.5, 0.0], [1.0, 1.0, 0.0])]);
    setup.walls =
        [0.0, 1.0].map(|y| Wall::Segment { a: dvec3(-9.0, y, 0.0), b: dvec3(9.0, y, 0.0) }).to_vec();
    let mut table = Table::new(setup).unwrap();
    let mut count = 0;
    while table.next_event(5.0).is_some() {
        count += 1;
        assert!(count < 10_000, "{:?}", table.ball(0));
    }
    assert_eq!((table.time(), table.ball(0).position.y), (5.0, 0.5));
}

#[test]
fn a_ball_that_runs_along_the_inside_of_an_arc_goes_on_running() {
    for restitution in [0.3, 1.0] {
        let mut setup = flat(vec![ball([0.0, -3.5, 0.0], [2.0, 0.0, 0.0])]);
        setup.walls = vec![Wall::Arc { center: DVec3::ZERO, radius: 4.0, from: 0.0, to: 7.0 }];
        setup.rules.wall_restitution = restitution;
        let mut table = Table::new(setup).unwrap();
        let mut count = 0;
        while table.next_event(20.0).is_some() {
            count += 1;
            assert!(count < 1_000_000, "{restitution}: {:?} at {}", table.ball(0), table.time());
        }
        println!("{restitution}: {count} {}", table.energy());
        assert!(table.energy() > 1.9, "{restitution}: {:?}", table.ball(0));
    }
}
