//! Bodies of an engine among characters: what moves, comes, goes and is left alone.

use bevy_carom::carom::Capsule;
use bevy_carom::carom::glam::{DQuat, DVec3};
use bevy_transform_interpolation::prelude::*;
use carom_scenes::machines::overlap::{Solid, depth};

use super::*;
use crate::{TICK, app_beside, hero, report, want};

with_each_engine! {
    a_character_rides_a_lift_without_lag_if_the_engine_goes_first
    a_character_rides_a_lift_one_tick_behind_by_default
    a_lift_that_is_interpolated_is_drawn_below_the_feet
    the_origin_moves_beside_an_engine
    a_box_that_slides_never_has_a_character_in_it
    a_ball_that_rolls_never_has_a_character_in_it
    a_crate_that_falls_never_has_a_character_in_it
    dynamic_bodies_are_not_met_if_they_are_not_followed
    what_is_removed_or_disabled_vanishes_and_comes_back
    a_body_that_changes_its_kind_moves_or_rests
    sensors_and_layers_are_those_of_the_engine
    what_has_a_collider_or_is_a_character_is_left_alone
    the_engine_moves_its_bodies_as_without_carom
    what_rests_costs_nothing
}

/// A lift of the engine's with its top at 0, and a hero on it.
fn lift<E: Engine>(when: When) -> (App, Entity, Entity) {
    let mut app = beside::<E>(when);
    let half = Vec3::new(2.0, 0.25, 2.0);
    let place = Transform::from_xyz(0.0, -0.25, 0.0);
    let lift = spawn::<E>(&mut app, Kind::Kinematic(Vec3::Y), &Shape::Cuboid(half), place);
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    run(&mut app, 64);
    (app, lift, hero)
}

/// How far the feet are above the lift as it is drawn, in each of 64 ticks.
fn gaps(app: &mut App, lift: Entity, hero: Entity) -> Vec<f32> {
    let gap = |app: &mut App| {
        app.update();
        assert_eq!(crate::ground(app, hero), Some(lift));
        assert!((report(app, hero).velocity.y - 1.0).abs() < 1e-3);
        at(app, hero).y - 0.9 - at(app, lift).y - 0.25
    };
    (0..64).map(|_| gap(app)).collect()
}

fn a_character_rides_a_lift_without_lag_if_the_engine_goes_first<E: Engine>() {
    let (mut app, lift, hero) = lift::<E>(When::Before);
    for gap in gaps(&mut app, lift, hero) {
        assert!((-1e-5..2e-3).contains(&gap), "{gap}");
    }
    assert!(at(&app, lift).y > 1.7);
}

fn a_character_rides_a_lift_one_tick_behind_by_default<E: Engine>() {
    let (mut app, lift, hero) = lift::<E>(When::After);
    // The way of the lift in one tick.
    let way = 1.0 / 64.0;
    for gap in gaps(&mut app, lift, hero) {
        assert!((-1e-5..2e-3).contains(&(gap + way)), "{gap}");
    }
}

/// With frames between ticks, lift and hero are drawn as of the same time.
fn a_lift_that_is_interpolated_is_drawn_below_the_feet<E: Engine>() {
    let mut app = crate::app_with_frames_beside(TICK / 4, |app| {
        E::add(app, When::Before);
        E::follow(app, true);
        if !app.is_plugin_added::<TransformInterpolationPlugin>() {
            app.add_plugins(TransformInterpolationPlugin::default());
        }
    });
    let half = Vec3::new(2.0, 0.25, 2.0);
    let place = Transform::from_xyz(0.0, -0.25, 0.0);
    let lift = spawn::<E>(&mut app, Kind::Kinematic(Vec3::Y), &Shape::Cuboid(half), place);
    app.world_mut().entity_mut(lift).insert(TransformInterpolation);
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    run(&mut app, 128);
    let mut before = at(&app, lift).y;
    for _ in 0..64 {
        app.update();
        let drawn = at(&app, lift).y;
        assert!((drawn - before - 1.0 / 256.0).abs() < 1e-5, "{drawn} after {before}");
        before = drawn;
        let gap = at(&app, hero).y - 0.9 - drawn - 0.25;
        assert!((-1e-5..2e-3).contains(&gap), "{gap}");
    }
}

fn the_origin_moves_beside_an_engine<E: Engine>() {
    for when in [When::Before, When::After] {
        let (mut app, lift, hero) = lift::<E>(when);
        let floor = spawn::<E>(&mut app, Kind::Static, &Shape::Ball(0.5), Transform::from_xyz(8.0, 0.0, 0.0));
        run(&mut app, 2);
        let (rode, lifted) = (at(&app, hero), at(&app, lift));
        app.world_mut().resource_mut::<WorldOrigin>().0.x = 64.0;
        run(&mut app, 32);
        let shift = Vec3::new(-64.0, 0.5, 0.0);
        for (entity, place) in [(hero, rode + shift), (lift, lifted + shift), (floor, Vec3::X * -56.0)] {
            assert!((at(&app, entity) - place).length() < 1e-3, "{when:?}: {} not {place}", at(&app, entity));
        }
        assert_eq!(crate::ground(&app, hero), Some(lift));
        let body = app.world().resource::<CaromWorld>().body(floor).unwrap();
        assert!((body.pose().position() - DVec3::X * 8.0).length() < 1e-6);
    }
}

/// How deep the hero is in a solid of the engine's, as it is drawn.
fn inside(app: &App, hero: Entity, solid: Solid, body: Entity) -> f64 {
    let place = app.world().get::<Transform>(body).unwrap();
    let wide = |v: Vec3| DVec3::from_array(v.to_array().map(f64::from));
    let turn = DQuat::from_array(place.rotation.to_array().map(f64::from)).normalize();
    let shape = Capsule::new(0.35, 0.55).unwrap().into();
    depth(&shape, wide(at(app, hero)), solid, wide(place.translation), turn)
}

fn a_box_that_slides_never_has_a_character_in_it<E: Engine>() {
    let mut app = beside::<E>(When::Before);
    // A chute that is steep enough for the box to slide, and a hero at its end.
    let tilt = Quat::from_rotation_z(-0.9);
    let chute = Transform::from_xyz(0.0, 2.0, 0.0).with_rotation(tilt);
    spawn::<E>(&mut app, Kind::Static, &Shape::Cuboid(Vec3::new(4.0, 0.25, 2.0)), chute);
    ground::<E>(&mut app);
    let start = chute.transform_point(Vec3::new(-3.0, 0.8, 0.0));
    let place = Transform::from_translation(start).with_rotation(tilt);
    let slider = spawn::<E>(&mut app, Kind::Dynamic, &Shape::Cuboid(Vec3::splat(0.5)), place);
    let hero = hero(&mut app, 3.5, 0.95, 0.1);
    let half = DVec3::splat(0.5);
    for tick in 0..256 {
        app.update();
        let deep = inside(&app, hero, Solid::Box(half), slider);
        assert!(deep < 1e-3, "{deep} in tick {tick}, crushed: {}", report(&app, hero).is_crushed);
    }
    assert!(at(&app, slider).y < 0.8 && at(&app, hero).x > 3.8, "{} {}", at(&app, slider), at(&app, hero));
}

fn a_ball_that_rolls_never_has_a_character_in_it<E: Engine>() {
    let mut app = beside::<E>(When::Before);
    let tilt = Quat::from_rotation_z(-0.5);
    let chute = Transform::from_xyz(0.0, 1.5, 0.0).with_rotation(tilt);
    spawn::<E>(&mut app, Kind::Static, &Shape::Cuboid(Vec3::new(4.0, 0.25, 2.0)), chute);
    ground::<E>(&mut app);
    let start = chute.transform_point(Vec3::new(-2.0, 1.3, 0.0));
    let place = Transform::from_translation(start);
    let ball = spawn::<E>(&mut app, Kind::Dynamic, &Shape::Ball(1.0), place);
    let hero = hero(&mut app, 6.0, 0.95, 0.0);
    want(&mut app, hero, Vec3::NEG_X);
    for tick in 0..256 {
        app.update();
        let deep = inside(&app, hero, Solid::Ball(1.0), ball);
        assert!(deep < 1e-3, "{deep} in tick {tick}");
    }
    assert!(at(&app, hero).x > 6.5, "{}", at(&app, hero));
}

/// The hero is a kinematic body of the engine too, so that the crate rests on its head and falls off it.
fn a_crate_that_falls_never_has_a_character_in_it<E: Engine>() {
    let mut app = beside::<E>(When::Before);
    ground::<E>(&mut app);
    let place = Transform::from_xyz(0.2, 4.0, 0.0).with_rotation(Quat::from_rotation_z(0.3));
    let falling = spawn::<E>(&mut app, Kind::Dynamic, &Shape::Cuboid(Vec3::splat(0.5)), place);
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    let mut parts = app.world_mut().entity_mut(hero);
    parts.insert(E::collider(&Shape::Capsule(Vec3::NEG_Y * 0.55, Vec3::Y * 0.55, 0.35)));
    E::body(Kind::Kinematic(Vec3::ZERO), &mut parts);
    let mut deepest: f64 = 0.0;
    for _ in 0..256 {
        app.update();
        deepest = deepest.max(inside(&app, hero, Solid::Box(DVec3::splat(0.5)), falling));
    }
    // The engine itself lets what lands sink in by some millimeters.
    assert!(deepest < 0.01, "{deepest}");
    assert!(at(&app, falling).y < 0.8, "{}", at(&app, falling));
    assert!((at(&app, hero).y - 0.9).abs() < 0.01, "{}", at(&app, hero));
}

fn dynamic_bodies_are_not_met_if_they_are_not_followed<E: Engine>() {
    for follows in [false, true] {
        let mut app = app_beside(|app| {
            E::add(app, When::Before);
            E::follow(app, follows);
        });
        let floor = ground::<E>(&mut app);
        let half = Vec3::new(1.0, 0.5, 1.0);
        let block = Transform::from_xyz(0.0, 0.5, 0.0);
        let block = spawn::<E>(&mut app, Kind::Dynamic, &Shape::Cuboid(half), block);
        let hero = hero(&mut app, 0.0, 3.0, 0.0);
        run(&mut app, 96);
        assert_eq!(crate::ground(&app, hero), Some(if follows { block } else { floor }));
    }
}

fn is_body(app: &App, entity: Entity) -> bool {
    app.world().resource::<CaromWorld>().body(entity).is_some()
}

fn what_is_removed_or_disabled_vanishes_and_comes_back<E: Engine>() {
    let mut app = beside::<E>(When::After);
    let collider = E::collider(&Shape::Ball(0.5));
    let parent = app.world_mut().spawn(Transform::default()).id();
    E::body(Kind::Kinematic(Vec3::X), &mut app.world_mut().entity_mut(parent));
    let child = app.world_mut().spawn((collider.clone(), Transform::default(), ChildOf(parent))).id();
    let alone = app.world_mut().spawn((collider.clone(), Transform::from_xyz(9.0, 0.0, 0.0))).id();
    let changes = |app: &mut App, entity: Entity, change: &dyn Fn(&mut EntityWorldMut)| {
        change(&mut app.world_mut().entity_mut(entity));
        run(app, 2);
    };
    run(&mut app, 2);
    assert!(is_body(&app, child) && is_body(&app, alone));
    assert_eq!(app.world().get::<RigidMotion>(child), Some(&RigidMotion::Follow));
    changes(&mut app, child, &|entity| E::disable_collider(entity));
    assert!(!is_body(&app, child) && app.world().get::<RigidMotion>(child).is_none());
    changes(&mut app, child, &|entity| E::enable_collider(entity));
    assert!(is_body(&app, child));
    changes(&mut app, parent, &|entity| E::disable_body(entity));
    assert!(!is_body(&app, child) && is_body(&app, alone));
    changes(&mut app, parent, &|entity| E::enable_body(entity));
    assert!(is_body(&app, child));
    changes(&mut app, child, &|entity| {
        entity.remove::<E::Collider>();
    });
    assert!(!is_body(&app, child));
    assert!(app.world().get::<Collider>(child).is_none() && app.world().get::<RigidMotion>(child).is_none());
    changes(&mut app, child, &|entity| {
        entity.insert(collider.clone());
    });
    assert!(is_body(&app, child));
    // Its layers are still those of the engine.
    changes(&mut app, child, &|entity| E::set_layers(entity, 4));
    assert_eq!(app.world().get::<CollisionLayers>(child), Some(&CollisionLayers::new(4, u32::MAX)));
    app.world_mut().despawn(parent);
    app.world_mut().despawn(alone);
    run(&mut app, 2);
    assert!(app.world().resource::<CaromWorld>().world().is_empty());
}

fn a_body_that_changes_its_kind_moves_or_rests<E: Engine>() {
    let mut app = beside::<E>(When::After);
    let parent = app.world_mut().spawn(Transform::default()).id();
    let child =
        app.world_mut().spawn((E::collider(&Shape::Ball(0.5)), Transform::default(), ChildOf(parent))).id();
    let motion = |app: &App| app.world().get::<RigidMotion>(child).cloned();
    run(&mut app, 2);
    assert!(is_body(&app, child) && motion(&app).is_none());
    E::body(Kind::Kinematic(Vec3::X), &mut app.world_mut().entity_mut(parent));
    run(&mut app, 2);
    assert_eq!(motion(&app), Some(RigidMotion::Follow));
    E::body(Kind::Static, &mut app.world_mut().entity_mut(parent));
    run(&mut app, 2);
    assert!(is_body(&app, child) && motion(&app).is_none());
    // A motion of the game's own stays.
    let own = RigidMotion::linear(Vec3::Z);
    let ball = spawn::<E>(
        &mut app,
        Kind::Kinematic(Vec3::ZERO),
        &Shape::Ball(0.5),
        Transform::from_xyz(5.0, 0.0, 0.0),
    );
    app.world_mut().entity_mut(ball).insert(own.clone());
    run(&mut app, 2);
    assert!(is_body(&app, ball) && app.world().get::<RigidMotion>(ball) == Some(&own));
}

fn sensors_and_layers_are_those_of_the_engine<E: Engine>() {
    let mut app = beside::<E>(When::After);
    ground::<E>(&mut app);
    let wall = Shape::Cuboid(Vec3::new(0.1, 1.0, 3.0));
    let wall = spawn::<E>(&mut app, Kind::Static, &wall, Transform::from_xyz(1.5, 1.0, 0.0));
    E::make_sensor(&mut app.world_mut().entity_mut(wall));
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    want(&mut app, hero, Vec3::X * 2.0);
    run(&mut app, 48);
    let visitors = app.world().get::<SensorVisitors>(wall).unwrap();
    assert_eq!(visitors.0, [hero]);
    run(&mut app, 48);
    assert!(at(&app, hero).x > 2.0);
    // Solid again, it stops the hero on its way back, but for a hero that does not meet its layer.
    E::unmake_sensor(&mut app.world_mut().entity_mut(wall));
    E::set_layers(&mut app.world_mut().entity_mut(wall), 4);
    want(&mut app, hero, Vec3::NEG_X * 2.0);
    run(&mut app, 96);
    assert!((at(&app, hero).x - 1.95).abs() < 0.01, "{}", at(&app, hero));
    app.world_mut().entity_mut(hero).insert(CollisionLayers::new(1, !4));
    run(&mut app, 64);
    assert!(at(&app, hero).x < 1.0, "{}", at(&app, hero));
}

fn what_has_a_collider_or_is_a_character_is_left_alone<E: Engine>() {
    let mut app = beside::<E>(When::Before);
    ground::<E>(&mut app);
    let own = (
        Collider::cuboid(0.5, 0.25, 0.5),
        E::collider(&Shape::Ball(2.0)),
        Transform::from_xyz(5.0, 0.0, 0.0),
    );
    let own = app.world_mut().spawn(own).id();
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    E::body(Kind::Kinematic(Vec3::ZERO), &mut app.world_mut().entity_mut(hero));
    // The engine sees a child of the hero.
    let capsule = E::collider(&Shape::Capsule(Vec3::NEG_Y * 0.55, Vec3::Y * 0.55, 0.35));
    let child = app.world_mut().spawn((capsule, Transform::default(), ChildOf(hero))).id();
    want(&mut app, hero, Vec3::Z);
    run(&mut app, 64);
    assert!(matches!(app.world().get::<Collider>(own), Some(Collider::Cuboid { .. })));
    assert!(!is_body(&app, child) && !is_body(&app, hero));
    assert!((at(&app, hero).z - 1.0).abs() < 0.05 && !report(&app, hero).is_crushed, "{}", at(&app, hero));
    // One that becomes a character keeps its shape.
    let ball = spawn::<E>(
        &mut app,
        Kind::Kinematic(Vec3::ZERO),
        &Shape::Ball(0.5),
        Transform::from_xyz(-5.0, 0.6, 0.0),
    );
    run(&mut app, 2);
    assert!(is_body(&app, ball));
    app.world_mut().entity_mut(ball).insert(CharacterController::default());
    run(&mut app, 2);
    assert!(app.world().resource::<CaromWorld>().character(ball).is_some() && !is_body(&app, ball));
    assert!(app.world().get::<RigidMotion>(ball).is_none());
}

/// With Carom beside it, and frames between its ticks, an engine comes to the same places.
fn the_engine_moves_its_bodies_as_without_carom<E: Engine>() {
    let places = |when: When, follows: bool| {
        let mut app = crate::app_with_frames_beside(TICK / 4, |app| {
            E::add(app, when);
            if follows {
                E::follow(app, true);
            }
        });
        ground::<E>(&mut app);
        // They do not meet, so that differences in the last digit stay small.
        let tilted =
            |x: f32| Transform::from_xyz(x, 2.0 + 0.2 * x, 0.0).with_rotation(Quat::from_rotation_z(0.4 + x));
        let boxes = [0.0, 5.0, 10.0]
            .map(|x| spawn::<E>(&mut app, Kind::Dynamic, &Shape::Cuboid(Vec3::splat(0.5)), tilted(x)));
        let lift = spawn::<E>(
            &mut app,
            Kind::Kinematic(Vec3::X),
            &Shape::Ball(0.5),
            Transform::from_xyz(-4.0, 0.6, 0.0),
        );
        let mut seen = Vec::new();
        for _ in 0..600 {
            app.update();
            seen.extend(
                boxes.iter().chain([&lift]).map(|entity| *app.world().get::<Transform>(*entity).unwrap()),
            );
        }
        (seen, app.world().resource::<CaromWorld>().world().len())
    };
    for when in [When::After, When::Before] {
        let (alone, none) = places(when, false);
        let (beside, bodies) = places(when, true);
        assert!((none, bodies) == (0, 5));
        // Rapier's last digits depend on the order of archetypes, which any component changes.
        let apart = |(one, other): (&Transform, &Transform)| {
            one.translation.distance(other.translation) + one.rotation.angle_between(other.rotation)
        };
        let apart = alone.iter().zip(&beside).map(apart).fold(0.0, f32::max);
        assert!(apart < 0.01, "{when:?}: {apart}");
        assert!(alone[alone.len() - 4].translation.y < 1.0, "{}", alone[alone.len() - 4].translation);
    }
}

fn what_rests_costs_nothing<E: Engine>() {
    let mut app = beside::<E>(When::After);
    ground::<E>(&mut app);
    let turned = Transform::from_xyz(2.0, 1.0, 0.0).with_scale(Vec3::new(2.0, 0.5, 1.0));
    let parent = spawn::<E>(&mut app, Kind::Static, &Shape::Ball(0.5), turned);
    app.world_mut().spawn((E::collider(&Shape::Cone(0.5, 0.5)), Transform::default(), ChildOf(parent)));
    spawn::<E>(&mut app, Kind::Kinematic(Vec3::ZERO), &Shape::Ball(0.5), Transform::from_xyz(0.0, 5.0, 0.0));
    run(&mut app, 8);
    assert_eq!(app.world().resource::<CaromWorld>().world().len(), 4);
    for _ in 0..8 {
        app.update();
        assert_eq!(app.world().resource::<CaromWorld>().synced(), 0);
    }
}
