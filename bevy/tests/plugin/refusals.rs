//! Bad input: what is refused says why, and takes no part until it is changed.

use bevy::prelude::*;
use bevy_carom::prelude::*;

use crate::{app, at, floor, hero, messages, run, want};

/// The reason why an entity of these components is refused.
fn refusal(parts: impl Bundle) -> String {
    let mut app = app();
    floor(&mut app);
    let entity = app.world_mut().spawn(parts).id();
    run(&mut app, 1);
    let refused: Vec<EntityRefused> = messages(&app);
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert_eq!(refused[0].entity, entity);
    for _ in 0..10 {
        run(&mut app, 1);
        assert!(messages::<EntityRefused>(&app).is_empty(), "once is enough");
    }
    assert_eq!(app.world().resource::<CaromWorld>().world().len(), 1);
    refused[0].reason.clone()
}

#[test]
fn numbers_out_of_range_are_named() {
    let radius = refusal((Collider::sphere(-1.0), Transform::default()));
    assert_eq!(radius, "its collider: radius must be finite and greater than 0");
    let place = refusal((Collider::sphere(1.0), Transform::from_xyz(f32::NAN, 0.0, 0.0)));
    assert!(place.contains("its transform") && place.contains("must be finite"), "{place}");
    let scale = refusal((Collider::sphere(1.0), Transform::from_scale(Vec3::new(1.0, 0.0, 1.0))));
    assert!(scale.contains("the scale must be finite and not 0"), "{scale}");
    let surface = Surface { friction: Some(f32::NAN), ..default() };
    assert!(refusal((Collider::sphere(1.0), surface)).contains("friction"));
    let mass = refusal((Collider::sphere(1.0), RigidMotion::pushed(0.0)));
    assert!(mass.contains("mass must be"), "{mass}");
    let path = refusal((Collider::sphere(1.0), RigidMotion::Path(MotionPath::default())));
    assert!(path.contains("at least one keyframe"), "{path}");
    let steps = CharacterController { step_height: -1.0, ..default() };
    let steps = refusal((Collider::sphere(1.0), steps));
    assert!(steps.contains("step_height"), "{steps}");
}

#[test]
fn shapes_that_cannot_be_swept_are_no_characters_and_no_crates() {
    let plane = Collider::HalfSpace { normal: Vec3::Y };
    assert!(refusal((plane.clone(), CharacterController::default())).contains("can be swept"));
    assert!(refusal((plane, RigidMotion::pushed(1.0))).contains("can be pushed"));
    let drum = Collider::cylinder(1.0, 1.0);
    assert!(refusal((drum.clone(), CharacterController::default())).contains("can be swept"));
    assert!(refusal((drum, RigidMotion::pushed(1.0))).contains("can be pushed"));
}

#[test]
fn cylinders_cones_and_compounds_are_refused_by_name() {
    let stretched = Transform::from_scale(Vec3::new(1.0, 2.0, 3.0));
    assert!(refusal((Collider::cylinder(1.0, 1.0), stretched)).contains("a cylinder, across its axis"));
    assert!(refusal((Collider::cone(1.0, 1.0), stretched)).contains("a cone, across its axis"));
    assert!(refusal((Collider::cone(1.0, -1.0), Transform::default())).contains("half_height"));
    let mirrored = Transform::from_scale(Vec3::new(1.0, -1.0, 1.0));
    assert!(
        refusal((Collider::cone(1.0, 1.0), mirrored)).contains("a cone, along its axis, cannot be mirrored")
    );
    let ball = || (Transform::default(), Collider::sphere(1.0));
    let pair = Collider::compound(vec![ball(), ball()]).unwrap();
    assert!(refusal((pair.clone(), stretched)).contains("a compound"));
    let text = |pieces| Collider::compound(pieces).unwrap_err().to_string();
    assert!(text(vec![]).contains("at least one piece"));
    assert!(text(vec![ball(), (Transform::default(), pair)]).contains("piece 1 is a compound"));
    assert!(text(vec![ball(), (stretched, Collider::cone(1.0, 1.0))]).starts_with("piece 1: a cone"));
    assert!(text(vec![(Transform::default(), Collider::sphere(-1.0))]).starts_with("piece 0: radius"));
}

#[test]
fn what_moves_by_itself_has_no_parent() {
    let mut app = app();
    let parent = app.world_mut().spawn(Transform::default()).id();
    app.world_mut().spawn((Collider::sphere(1.0), CharacterController::default(), ChildOf(parent)));
    app.world_mut().spawn((Collider::sphere(1.0), RigidMotion::linear(Vec3::X), ChildOf(parent)));
    run(&mut app, 1);
    let refused: Vec<EntityRefused> = messages(&app);
    assert_eq!(refused.len(), 2);
    assert!(refused.iter().all(|refused| refused.reason.contains("must have no parent")));
}

#[test]
fn a_change_mends_what_was_refused() {
    let mut app = app();
    floor(&mut app);
    let (hero, wall) = (hero(&mut app, 0.0, 0.95, 0.0), Transform::from_xyz(2.0, 1.0, 0.0));
    let wall = app.world_mut().spawn((Collider::cuboid(-0.1, 1.0, 5.0), wall)).id();
    let giant = Transform::from_xyz(0.0, 3.0, 9.0);
    let giant = (Collider::capsule(-0.5, 0.5), CharacterController::default(), giant);
    let giant = app.world_mut().spawn(giant).id();
    run(&mut app, 4);
    *app.world_mut().get_mut::<Collider>(wall).unwrap() = Collider::cuboid(0.1, 1.0, 5.0);
    *app.world_mut().get_mut::<Collider>(giant).unwrap() = Collider::capsule(0.5, 0.5);
    want(&mut app, hero, Vec3::X * 4.0);
    run(&mut app, 96);
    assert!(at(&app, hero).x < 1.6);
    assert!((at(&app, giant).y - 1.0).abs() < 0.01);
}

#[test]
fn nan_never_moves_a_character() {
    let mut app = app();
    floor(&mut app);
    let hero = hero(&mut app, 1.0, 0.95, 0.0);
    run(&mut app, 30);
    let before = at(&app, hero);
    want(&mut app, hero, Vec3::NAN);
    run(&mut app, 4);
    assert_eq!(at(&app, hero), before);
    app.world_mut().get_mut::<CharacterInput>(hero).unwrap().launch = Some(Vec3::INFINITY);
    app.world_mut().get_mut::<Transform>(hero).unwrap().translation = Vec3::NAN;
    run(&mut app, 1);
    assert_eq!(at(&app, hero), before);
    assert!(!messages::<EntityRefused>(&app).is_empty());
}
