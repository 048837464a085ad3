use bevy::prelude::*;
use bevy_carom::prelude::*;

use crate::{app, floor, hero, messages, run, want};

fn gate(app: &mut App, x: f32, half: f32) -> Entity {
    let place = Transform::from_xyz(x, 1.0, 0.0);
    app.world_mut().spawn((Collider::cuboid(half, 1.0, 2.0), Sensor, place)).id()
}

fn visitors(app: &App, sensor: Entity) -> Vec<Entity> {
    app.world().get::<SensorVisitors>(sensor).unwrap().0.clone()
}

#[test]
fn reports_what_enters_and_leaves() {
    let mut app = app();
    floor(&mut app);
    let gate = gate(&mut app, 2.0, 0.5);
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    want(&mut app, hero, Vec3::X * 2.0);
    let (mut seen, mut inside) = (Vec::new(), 0);
    for _ in 0..160 {
        app.update();
        let touches: Vec<SensorTouch> = messages(&app);
        seen.extend(touches.iter().map(|touch| (touch.sensor, touch.visitor, touch.phase)));
        inside += visitors(&app, gate).len();
    }
    assert_eq!(seen, [(gate, hero, TouchPhase::Started), (gate, hero, TouchPhase::Ended)]);
    // 1 m and the diameter at 2 m/s.
    assert!((inside as f32 - 64.0 * 1.7 / 2.0).abs() < 3.0, "{inside}");
}

#[test]
fn nobody_is_too_fast_and_no_gate_too_thin() {
    let mut app = app();
    floor(&mut app);
    let gate = gate(&mut app, 5.0, 0.001);
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    want(&mut app, hero, Vec3::X * 180.0);
    let mut phases = Vec::new();
    for _ in 0..6 {
        app.update();
        let touches: Vec<SensorTouch> = messages(&app);
        phases.extend(touches.iter().map(|touch| touch.phase));
    }
    assert_eq!(phases, [TouchPhase::Started, TouchPhase::Ended]);
    assert!(visitors(&app, gate).is_empty());
}

#[test]
fn a_despawned_visitor_has_left() {
    let mut app = app();
    floor(&mut app);
    let gate = gate(&mut app, 0.0, 1.0);
    let (first, second) = (hero(&mut app, 0.0, 0.95, -1.0), hero(&mut app, 0.0, 0.95, 1.0));
    run(&mut app, 4);
    let mut both = vec![first, second];
    both.sort();
    assert_eq!(visitors(&app, gate), both);
    app.world_mut().despawn(first);
    run(&mut app, 1);
    let touches: Vec<SensorTouch> = messages(&app);
    assert_eq!(touches.len(), 1, "{touches:?}");
    assert_eq!((touches[0].visitor, touches[0].phase), (first, TouchPhase::Ended));
    assert_eq!(visitors(&app, gate), [second]);
    app.world_mut().despawn(gate);
    run(&mut app, 1);
    let touches: Vec<SensorTouch> = messages(&app);
    assert_eq!((touches[0].visitor, touches[0].phase), (second, TouchPhase::Ended));
}

#[test]
fn a_sensor_of_another_size_keeps_its_visitors() {
    let mut app = app();
    floor(&mut app);
    let gate = gate(&mut app, 0.0, 1.0);
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    run(&mut app, 4);
    for size in 1..5 {
        *app.world_mut().get_mut::<Collider>(gate).unwrap() = Collider::cuboid(1.0 + size as f32, 1.0, 2.0);
        run(&mut app, 1);
        assert!(messages::<SensorTouch>(&app).is_empty());
        assert_eq!(visitors(&app, gate), [hero]);
    }
    app.world_mut().entity_mut(gate).remove::<Sensor>();
    run(&mut app, 1);
    assert_eq!(messages::<SensorTouch>(&app).len(), 1, "it is a wall now");
}

#[test]
fn layers_decide_what_it_sees() {
    let mut app = app();
    floor(&mut app);
    let gate = gate(&mut app, 0.0, 1.0);
    app.world_mut().entity_mut(gate).insert(CollisionLayers::new(1, 0b100));
    let (red, blue) = (hero(&mut app, 0.0, 0.95, -1.0), hero(&mut app, 0.0, 0.95, 1.0));
    app.world_mut().entity_mut(red).insert(CollisionLayers::new(0b100, u32::MAX));
    app.world_mut().entity_mut(blue).insert(CollisionLayers::new(0b010, u32::MAX));
    run(&mut app, 4);
    assert_eq!(visitors(&app, gate), [red]);
}

#[test]
fn crates_are_visitors_too() {
    let mut app = app();
    floor(&mut app);
    let gate = gate(&mut app, 0.0, 1.0);
    let crate_ = Transform::from_xyz(0.0, 5.0, 0.0);
    let crate_ =
        app.world_mut().spawn((Collider::cuboid(0.4, 0.4, 0.4), RigidMotion::pushed(10.0), crate_)).id();
    run(&mut app, 10);
    assert!(visitors(&app, gate).is_empty());
    run(&mut app, 80);
    assert_eq!(visitors(&app, gate), [crate_]);
}
