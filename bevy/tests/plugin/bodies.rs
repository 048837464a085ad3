use bevy::prelude::*;
use bevy_carom::prelude::*;

use crate::{TICK, app, app_with_frames, at, floor, ground, hero, run, want};

#[test]
fn a_level_that_is_despawned_is_gone() {
    let mut app = app();
    let floor = floor(&mut app);
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    run(&mut app, 10);
    assert_eq!(ground(&app, hero), Some(floor));
    app.world_mut().despawn(floor);
    run(&mut app, 64);
    assert!(at(&app, hero).y < -2.0);
    assert!(app.world().resource::<CaromWorld>().world().is_empty());
}

#[test]
fn a_character_that_is_despawned_is_gone_and_the_others_go_on() {
    let mut app = app();
    floor(&mut app);
    let heroes: Vec<Entity> = (0..5).map(|i| hero(&mut app, 0.0, 0.95, 2.0 * i as f32)).collect();
    for hero in &heroes {
        want(&mut app, *hero, Vec3::X * 2.0);
    }
    run(&mut app, 32);
    app.world_mut().despawn(heroes[1]);
    app.world_mut().entity_mut(heroes[3]).remove::<CharacterController>();
    run(&mut app, 32);
    let carom = app.world().resource::<CaromWorld>();
    assert!(carom.character(heroes[1]).is_none() && carom.character(heroes[3]).is_none());
    assert!(carom.body(heroes[3]).is_some(), "a collider without a controller is a body");
    for (place, z) in [(0, 0.0), (2, 4.0), (4, 8.0)] {
        let place = at(&app, heroes[place]);
        assert!((place.x - 2.0).abs() < 0.05 && place.z == z, "{place}");
    }
}

#[test]
fn another_collider_is_another_shape_of_the_same_body() {
    let mut app = app();
    let floor = floor(&mut app);
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    run(&mut app, 10);
    *app.world_mut().get_mut::<Collider>(floor).unwrap() = Collider::cuboid(20.0, 0.25, 20.0);
    run(&mut app, 64);
    assert!((at(&app, hero).y - 0.65).abs() < 0.01, "{}", at(&app, hero));
    app.world_mut().entity_mut(floor).remove::<Collider>();
    run(&mut app, 32);
    assert!(at(&app, hero).y < 0.0);
}

/// The highest hit of a vertical ray at an x.
fn top(app: &App, x: f32, z: f32) -> Option<(Entity, f32)> {
    let carom = app.world().resource::<CaromWorld>();
    let (from, way) = (Vec3::new(x, 20.0, z), Vec3::NEG_Y * 40.0);
    let hit = carom.raycast(from, way, &CastFilter::default()).unwrap()?;
    Some((hit.entity, hit.point.y))
}

#[test]
fn cylinders_cones_and_compounds_are_met_at_their_scale() {
    let mut app = app();
    let at = |x| Transform::from_xyz(x, 0.0, 0.0).with_scale(Vec3::new(2.0, 3.0, 2.0));
    let drum = app.world_mut().spawn((Collider::cylinder(0.5, 1.0), at(0.0))).id();
    let cone = app.world_mut().spawn((Collider::cone(0.5, 1.0), at(10.0))).id();
    let point_down = at(20.0).with_rotation(Quat::from_rotation_x(core::f32::consts::PI));
    let funnel = app.world_mut().spawn((Collider::cone(0.5, 1.0), point_down)).id();
    // A table, twice as large, turned by a right angle: its legs are along z.
    let leg = |x| (Transform::from_xyz(x, 0.35, 0.0), Collider::cylinder(0.05, 0.35));
    let board = Transform::from_xyz(0.0, 0.5, 0.0).with_scale(Vec3::new(1.0, 0.1, 0.25));
    let table =
        Collider::compound(vec![leg(-0.9), leg(0.9), (board, Collider::cuboid(0.5, 0.5, 0.5))]).unwrap();
    let turned = Quat::from_rotation_y(core::f32::consts::FRAC_PI_2);
    let place = Transform::from_xyz(30.0, 0.0, 0.0).with_rotation(turned).with_scale(Vec3::splat(2.0));
    let table = app.world_mut().spawn((table, place)).id();
    run(&mut app, 1);
    let is_at = |x, z, entity, height: f32| {
        let (met, y) = top(&app, x, z).unwrap();
        assert!(met == entity && (y - height).abs() < 1e-4, "at {x}, {z}: {y}, not {height}");
    };
    is_at(0.9, 0.0, drum, 3.0);
    is_at(10.5, 0.0, cone, 0.0);
    is_at(20.5, 0.0, funnel, 3.0);
    is_at(30.0, 0.5, table, 1.1);
    is_at(30.0, 1.8, table, 1.4);
    assert!(top(&app, 31.0, 0.0).is_none() && top(&app, 1.1, 0.0).is_none());
    // A hero stands on the drum.
    let hero = hero(&mut app, 0.0, 4.0, 0.0);
    run(&mut app, 64);
    assert_eq!(ground(&app, hero), Some(drum));
}

#[test]
fn scale_counts_as_the_mesh_would_be_drawn() {
    let mut app = app();
    let corners = vec![[-1.0, 0.0, -1.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, -1.0]];
    let quad = Collider::mesh(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let scaled = |x, scale| Transform::from_xyz(x, 0.0, 0.0).with_scale(scale);
    let even = app.world_mut().spawn((quad.clone(), scaled(0.0, Vec3::splat(3.0)))).id();
    let uneven = app.world_mut().spawn((quad, scaled(100.0, Vec3::new(1.0, 1.0, 5.0)))).id();
    let ball = app.world_mut().spawn((Collider::sphere(1.0), scaled(200.0, Vec3::new(1.0, 2.0, 1.0)))).id();
    run(&mut app, 2);
    let carom = app.world().resource::<CaromWorld>();
    let down = |x: f32, z: f32| {
        let from = Vec3::new(x, 5.0, z);
        carom.raycast(from, Vec3::NEG_Y * 9.0, &CastFilter::default()).unwrap()
    };
    assert_eq!(down(2.5, -2.5).map(|hit| hit.entity), Some(even));
    assert_eq!(down(3.5, 0.0), None);
    assert_eq!(down(100.5, 4.5).map(|hit| hit.entity), Some(uneven));
    assert_eq!(down(101.5, 0.0), None);
    let hit = down(200.0, 0.0).unwrap();
    assert!(hit.entity == ball && (hit.point.y - 2.0).abs() < 1e-6);
}

#[test]
fn a_child_is_where_its_parent_puts_it() {
    let mut app = app();
    let turned = Transform::from_xyz(4.0, 0.0, 0.0)
        .with_rotation(Quat::from_rotation_y(std::f32::consts::FRAC_PI_2))
        .with_scale(Vec3::splat(2.0));
    let parent = app.world_mut().spawn(turned).id();
    let child = (Collider::cuboid(0.5, 0.5, 0.5), Transform::from_xyz(1.0, 0.0, 0.0), ChildOf(parent));
    let child = app.world_mut().spawn(child).id();
    run(&mut app, 1);
    let place = |app: &App| {
        let position = app.world().resource::<CaromWorld>().body(child).unwrap().pose().position();
        Vec3::from_array(position.to_array().map(|x| x as f32))
    };
    assert!((place(&app) - Vec3::new(4.0, 0.0, -2.0)).length() < 1e-6, "{}", place(&app));
    app.world_mut().get_mut::<Transform>(parent).unwrap().translation.y = 7.0;
    run(&mut app, 1);
    assert!((place(&app) - Vec3::new(4.0, 7.0, -2.0)).length() < 1e-6, "{}", place(&app));
}

#[test]
fn a_door_that_follows_pushes_a_character_in_its_way() {
    let mut app = app();
    floor(&mut app);
    let door = Transform::from_xyz(-2.0, 1.0, 0.0);
    let door = app.world_mut().spawn((Collider::cuboid(0.1, 1.0, 1.0), RigidMotion::Follow, door)).id();
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    app.add_systems(
        FixedUpdate,
        (move |mut doors: Query<&mut Transform, With<RigidMotion>>| {
            doors.get_mut(door).unwrap().translation.x += 2.0 / 64.0;
        })
        .before(CaromSystems::Prepare),
    );
    run(&mut app, 128);
    let (door, hero) = (at(&app, door).x, at(&app, hero).x);
    assert!((door - 2.0).abs() < 1e-4, "{door}");
    assert!((hero - door - 0.45).abs() < 0.01, "{hero} {door}");
}

#[test]
fn crates_fall_are_pushed_and_stop_at_walls() {
    let mut app = app();
    floor(&mut app);
    let wall = Transform::from_xyz(4.0, 1.0, 0.0);
    app.world_mut().spawn((Collider::cuboid(0.1, 1.0, 5.0), wall));
    let crate_ = Transform::from_xyz(1.0, 2.0, 0.0);
    let crate_ =
        app.world_mut().spawn((Collider::cuboid(0.4, 0.4, 0.4), RigidMotion::pushed(10.0), crate_)).id();
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    run(&mut app, 64);
    assert!((at(&app, crate_).y - 0.4).abs() < 0.01);
    want(&mut app, hero, Vec3::X * 2.0);
    run(&mut app, 256);
    let x = at(&app, crate_).x;
    assert!((3.3..=3.501).contains(&x), "{x}");
    // Another mass goes on at the same speed and in the same place.
    app.world_mut().resource_mut::<CaromWorld>().push(crate_, Vec3::Y * 30.0);
    run(&mut app, 1);
    *app.world_mut().get_mut::<RigidMotion>(crate_).unwrap() = RigidMotion::pushed(20.0);
    run(&mut app, 1);
    let velocity = app.world().resource::<CaromWorld>().pushed_velocity(crate_).unwrap();
    assert!(velocity.y > 2.0, "{velocity}");
}

#[test]
fn a_crate_without_room_is_told_and_is_free_when_the_press_rises() {
    let mut app = app();
    floor(&mut app);
    let press = (
        Collider::cuboid(2.0, 0.5, 2.0),
        RigidMotion::linear(Vec3::NEG_Y),
        Transform::from_xyz(0.0, 1.6, 0.0),
    );
    let press = app.world_mut().spawn(press).id();
    let pushed =
        (Collider::cuboid(0.4, 0.4, 0.4), RigidMotion::pushed(10.0), Transform::from_xyz(0.0, 0.4, 0.0));
    let pushed = app.world_mut().spawn(pushed).id();
    let mut told: Vec<BodyPressed> = Vec::new();
    for _ in 0..48 {
        app.update();
        told.extend(crate::messages::<BodyPressed>(&app));
    }
    assert!(told.iter().all(|one| *one == BodyPressed { body: pushed, by: press }) && told.len() > 10);
    *app.world_mut().get_mut::<RigidMotion>(press).unwrap() = RigidMotion::linear(Vec3::Y);
    run(&mut app, 64);
    told.clear();
    for _ in 0..8 {
        app.update();
        told.extend(crate::messages::<BodyPressed>(&app));
    }
    assert!(told.is_empty() && (at(&app, pushed).y - 0.4).abs() < 0.01);
}

#[test]
fn casts_find_bodies_and_characters_but_not_the_excluded() {
    let mut app = app();
    let wall = Transform::from_xyz(5.0, 1.0, 0.0);
    let wall = app.world_mut().spawn((Collider::cuboid(0.5, 1.0, 5.0), wall)).id();
    floor(&mut app);
    let (shooter, target) = (hero(&mut app, 0.0, 0.95, 0.0), hero(&mut app, 2.0, 0.95, 0.0));
    run(&mut app, 2);
    let carom = app.world().resource::<CaromWorld>();
    let from = Vec3::new(0.0, 1.0, 0.0);
    let filter = CastFilter::without(shooter);
    let hit = carom.raycast(from, Vec3::X * 10.0, &filter).unwrap().unwrap();
    assert!(hit.entity == target && (hit.point.x - 1.65).abs() < 1e-5);
    let side = Vec3::new(0.0, 1.0, 2.0);
    let hit = carom.cast(&Collider::sphere(0.25), side, Vec3::X * 10.0, &filter).unwrap().unwrap();
    assert!(hit.entity == wall && (hit.fraction - 0.425).abs() < 1e-9);
    assert!(carom.raycast(Vec3::NAN, Vec3::X, &filter).is_err());
    assert!(carom.cast(&Collider::HalfSpace { normal: Vec3::Y }, from, Vec3::X, &filter).is_err());
}

#[test]
fn what_is_taken_away_between_ticks_is_seen_however_many_frames_there_are() {
    let mut app = app_with_frames(TICK / 16);
    floor(&mut app);
    let belt = Surface { velocity: Vec3::X, ..default() };
    let wall = (Collider::cuboid(0.1, 1.0, 5.0), Sensor, belt, Transform::from_xyz(1.5, 1.0, 0.0));
    let wall = app.world_mut().spawn(wall).id();
    let crate_ = (Collider::cuboid(0.4, 0.4, 0.4), RigidMotion::pushed(10.0));
    let crate_ = app.world_mut().spawn((crate_, Transform::from_xyz(0.0, 9.0, 0.0))).id();
    run(&mut app, 17);
    app.world_mut().entity_mut(wall).remove::<(Sensor, Surface)>();
    app.world_mut().entity_mut(crate_).remove::<RigidMotion>();
    run(&mut app, 17);
    let carom = app.world().resource::<CaromWorld>();
    let body = carom.body(wall).unwrap();
    assert!(!body.is_sensor() && body.surface_velocity().to_array() == [0.0; 3]);
    assert_eq!(carom.body(crate_).unwrap().mass(), None);
}
