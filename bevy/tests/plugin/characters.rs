use bevy::prelude::*;
use bevy_carom::prelude::*;

use crate::{app, at, floor, ground, hero, messages, report, run, want};

#[test]
fn walks_as_fast_as_it_wants() {
    let mut app = app();
    let floor = floor(&mut app);
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    want(&mut app, hero, Vec3::X * 4.0);
    run(&mut app, 128);
    // The first tick finds the ground.
    assert!((at(&app, hero).x - 8.0).abs() < 0.07, "{}", at(&app, hero));
    assert_eq!(ground(&app, hero), Some(floor));
    assert!((report(&app, hero).velocity - Vec3::X * 4.0).length() < 1e-5);
}

#[test]
fn climbs_stairs_and_reports_each_step() {
    let mut app = app();
    floor(&mut app);
    for step in 1..=6 {
        let height = 0.25 * step as f32;
        let tread = Transform::from_xyz(1.5 + 0.5 * step as f32, 0.5 * height, 0.0);
        app.world_mut().spawn((Collider::cuboid(0.25, 0.5 * height, 2.0), tread));
    }
    let top = Transform::from_xyz(7.75, 0.75, 0.0);
    app.world_mut().spawn((Collider::cuboid(3.0, 0.75, 2.0), top));
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    want(&mut app, hero, Vec3::X * 3.0);
    let mut climbed = 0.0;
    for _ in 0..128 {
        app.update();
        climbed += report(&app, hero).stepped;
    }
    let feet = at(&app, hero).y - 0.9;
    assert!((feet - 1.5).abs() < 0.01, "{feet}");
    assert!(climbed > 0.5 && climbed < 1.6, "{climbed}");
}

#[test]
fn a_jump_is_done_once_and_only_from_the_ground() {
    let mut app = app();
    floor(&mut app);
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    run(&mut app, 10);
    app.world_mut().get_mut::<CharacterInput>(hero).unwrap().jump = Some(4.0);
    run(&mut app, 1);
    assert_eq!(app.world().get::<CharacterInput>(hero).unwrap().jump, None, "the tick takes it");
    assert!(!report(&app, hero).is_grounded());
    let mut highest = 0.0f32;
    for _ in 0..80 {
        app.update();
        highest = highest.max(at(&app, hero).y);
    }
    assert!((highest - 0.9 - 16.0 / (2.0 * 9.81)).abs() < 0.05, "{highest}");
    assert!(report(&app, hero).is_grounded());
}

#[test]
fn a_lift_carries_and_is_what_it_stands_on() {
    let mut app = app();
    floor(&mut app);
    let lift = app
        .world_mut()
        .spawn((
            Collider::cuboid(1.0, 0.1, 1.0),
            RigidMotion::shuttle(Vec3::new(0.0, 0.1, 0.0), Vec3::new(0.0, 3.1, 0.0), 3.0, 1.0),
            Transform::from_xyz(0.0, 0.1, 0.0),
        ))
        .id();
    let hero = hero(&mut app, 0.0, 1.2, 0.0);
    run(&mut app, 64 * 4 + 32);
    assert!((at(&app, lift).y - 3.1).abs() < 1e-5);
    assert!((at(&app, hero).y - 4.1).abs() < 0.01, "{}", at(&app, hero));
    assert_eq!(ground(&app, hero), Some(lift));
}

#[test]
fn a_turntable_turns_it_and_a_belt_carries_it() {
    let mut app = app();
    let table = RigidMotion::Velocity { linear: Vec3::ZERO, angular: Vec3::Y };
    let disk = Transform::from_xyz(0.0, -0.5, 0.0);
    app.world_mut().spawn((Collider::cuboid(5.0, 0.5, 5.0), table, disk));
    let belt = Surface { velocity: Vec3::X * 2.0, ..default() };
    app.world_mut().spawn((Collider::cuboid(10.0, 0.5, 2.0), belt, Transform::from_xyz(0.0, -0.5, 30.0)));
    let (rider, parcel) = (hero(&mut app, 2.0, 0.95, 0.0), hero(&mut app, 0.0, 0.95, 30.0));
    run(&mut app, 10);
    let mut turned = 0.0;
    for _ in 0..64 {
        app.update();
        turned += report(&app, rider).turned;
    }
    assert!((turned - 1.0).abs() < 1e-3, "{turned}");
    assert!((at(&app, rider).with_y(0.0).length() - 2.0).abs() < 1e-2);
    let start = at(&app, parcel).x;
    run(&mut app, 64);
    assert!((at(&app, parcel).x - start - 2.0).abs() < 1e-3, "{}", at(&app, parcel));
}

#[test]
fn touches_begin_and_end_once() {
    let mut app = app();
    let floor = floor(&mut app);
    let wall = Transform::from_xyz(2.0, 1.0, 0.0);
    let wall = app.world_mut().spawn((Collider::cuboid(0.1, 1.0, 5.0), wall)).id();
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    want(&mut app, hero, Vec3::X * 3.0);
    let mut seen = Vec::new();
    for tick in 0..128 {
        if tick == 64 {
            want(&mut app, hero, Vec3::NEG_X * 3.0);
        }
        app.update();
        let touches: Vec<CharacterTouch> = messages(&app);
        seen.extend(touches.iter().map(|touch| (touch.other, touch.phase)));
    }
    let of = |other| seen.iter().filter(|seen| seen.0 == other).map(|seen| seen.1).collect::<Vec<_>>();
    assert_eq!(of(wall), [TouchPhase::Started, TouchPhase::Ended]);
    assert_eq!(of(floor), [TouchPhase::Started]);
}

#[test]
fn a_press_crushes_and_names_itself() {
    let mut app = app();
    let floor = floor(&mut app);
    let press = app
        .world_mut()
        .spawn((
            Collider::cuboid(2.0, 0.5, 2.0),
            RigidMotion::linear(Vec3::NEG_Y),
            Transform::from_xyz(0.0, 3.0, 0.0),
        ))
        .id();
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    let mut crushed: Vec<CharacterCrushed> = Vec::new();
    for _ in 0..96 {
        app.update();
        crushed.extend(messages(&app));
    }
    let first = crushed.first().expect("the press comes down to 1 m");
    assert_eq!(first.character, hero);
    assert!(first.by.contains(&press) && first.by.iter().all(|by| [press, floor].contains(by)));
    assert!(report(&app, hero).is_crushed);
}

#[test]
fn crouches_and_rises_as_soon_as_there_is_room() {
    let mut app = app();
    floor(&mut app);
    // A tunnel of 1.2 m until x = 3.
    app.world_mut().spawn((Collider::cuboid(2.0, 0.5, 2.0), Transform::from_xyz(1.0, 1.7, 0.0)));
    let hero = hero(&mut app, -2.0, 0.95, 0.0);
    run(&mut app, 30);
    *app.world_mut().get_mut::<Collider>(hero).unwrap() = Collider::capsule(0.35, 0.15);
    run(&mut app, 1);
    assert!((at(&app, hero).y - 0.5).abs() < 0.01, "the feet stay: {}", at(&app, hero));
    want(&mut app, hero, Vec3::X * 3.0);
    run(&mut app, 64);
    *app.world_mut().get_mut::<Collider>(hero).unwrap() = Collider::capsule(0.35, 0.55);
    run(&mut app, 2);
    assert!((at(&app, hero).y - 0.5).abs() < 0.01, "no room: {}", at(&app, hero));
    run(&mut app, 64);
    assert!((at(&app, hero).y - 0.9).abs() < 0.01, "room again: {}", at(&app, hero));
}

#[test]
fn a_transform_that_the_game_writes_teleports() {
    let mut app = app();
    floor(&mut app);
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    want(&mut app, hero, Vec3::X);
    run(&mut app, 20);
    app.world_mut().get_mut::<Transform>(hero).unwrap().translation = Vec3::new(-9.0, 2.0, 3.0);
    run(&mut app, 1);
    assert!((at(&app, hero) - Vec3::new(-9.0, 2.0, 3.0)).length() < 0.1, "{}", at(&app, hero));
    run(&mut app, 64);
    assert!(report(&app, hero).is_grounded() && at(&app, hero).z == 3.0);
}

#[test]
fn layers_say_what_stops_it() {
    let mut app = app();
    floor(&mut app);
    let wall = Transform::from_xyz(1.0, 1.0, 0.0);
    app.world_mut().spawn((Collider::cuboid(0.1, 1.0, 5.0), CollisionLayers::new(2, u32::MAX), wall));
    let ghost = hero(&mut app, 0.0, 0.95, 0.0);
    app.world_mut().entity_mut(ghost).insert(CollisionLayers::new(1, !2));
    let person = hero(&mut app, 0.0, 0.95, 2.0);
    for hero in [ghost, person] {
        want(&mut app, hero, Vec3::X * 3.0);
    }
    run(&mut app, 64);
    assert!(at(&app, ghost).x > 2.5 && at(&app, person).x < 0.6);
}
