//! The same bits in every run, whatever the order of spawning, the frames, the origin; and nothing for what
//! does not change.

use std::time::Duration;

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_carom::prelude::*;

use crate::{TICK, app, app_at, app_with_frames, at, floor, hero, run, want};

/// The moving entities of the courtyard of these tests.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Number(usize);

const COUNT: usize = 60;

/// Spawns the scene in an order of its things.
fn spawn(app: &mut App, order: impl Iterator<Item = usize>) {
    for number in order {
        let mut entity = app.world_mut().spawn(Number(number));
        let (x, z) = ((number % 10) as f32 - 4.5, (number / 10) as f32 * 1.3);
        match number {
            0 => entity.insert((Collider::cuboid(20.0, 0.5, 20.0), Transform::from_xyz(0.0, -0.5, 0.0))),
            1 => entity.insert((
                Collider::cuboid(1.5, 0.1, 1.5),
                RigidMotion::shuttle(Vec3::new(0.0, 0.1, 4.0), Vec3::new(1.0, 2.1, 4.0), 1.5, 0.25),
                Transform::from_xyz(0.0, 0.1, 4.0),
            )),
            2 => entity.insert((
                Collider::cuboid(3.0, 0.1, 0.2),
                RigidMotion::Velocity { linear: Vec3::ZERO, angular: Vec3::Y * 0.7 },
                Transform::from_xyz(-5.0, 0.4, -5.0),
            )),
            3 => entity.insert((Collider::cuboid(1.0, 1.0, 9.0), Sensor, Transform::from_xyz(2.0, 1.0, 0.0))),
            4..=9 => entity.insert((
                Collider::cuboid(0.3, 0.3, 0.3),
                RigidMotion::pushed(15.0),
                Transform::from_xyz(x, 1.0, 0.5 * z - 3.0),
            )),
            _ => entity.insert((
                Collider::capsule(0.3, 0.5),
                CharacterController::default(),
                Transform::from_xyz(x, 1.5, z - 3.0),
            )),
        };
    }
}

/// The input of every character in a tick: to and fro, with a jump now and then. A function of the number and
/// the tick.
fn steer(carom: Res<CaromWorld>, mut heroes: Query<(&Number, &mut CharacterInput)>) {
    for (Number(number), mut input) in &mut heroes {
        let turn = carom.ticks() as usize / 40 + number;
        let way = [Vec3::X, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Z][turn % 4];
        input.desired_velocity = Some(way * (1.0 + (number % 5) as f32));
        input.jump = (carom.ticks() as usize % 37 == number % 37).then_some(4.0);
    }
}

fn scene(order: impl Iterator<Item = usize>, frame: Duration) -> App {
    let mut app = app_with_frames(frame);
    app.add_systems(FixedUpdate, steer.before(CaromSystems::Prepare));
    spawn(&mut app, order);
    app
}

/// The bits of everything that moves, in Carom's world, by number.
fn bits(app: &mut App) -> Vec<(usize, [u64; 6])> {
    let mut numbers = app.world_mut().query::<(Entity, &Number)>();
    let entities: Vec<_> = numbers.iter(app.world()).map(|(entity, number)| (number.0, entity)).collect();
    let carom = app.world().resource::<CaromWorld>();
    let mut all: Vec<_> = entities
        .into_iter()
        .map(|(number, entity)| {
            let body = carom.body(entity).map(|body| (body.pose().position(), body.pose().rotation().xyz()));
            let character = || carom.character(entity).map(|hero| (hero.position(), hero.velocity()));
            let (a, b) = body.or_else(character).unwrap();
            (number, [a.x, a.y, a.z, b.x, b.y, b.z].map(f64::to_bits))
        })
        .collect();
    all.sort_unstable();
    all
}

#[test]
fn two_runs_give_the_same_bits() {
    let [mut one, mut two] = [0, 1].map(|_| scene(0..COUNT, TICK));
    run(&mut one, 1);
    run(&mut two, 1);
    let start = bits(&mut one);
    for _ in 0..200 {
        one.update();
        two.update();
    }
    assert_eq!(bits(&mut one), bits(&mut two));
    assert_ne!(bits(&mut one), start, "all of it moves");
}

#[test]
fn the_order_of_spawning_changes_nothing() {
    let mut one = scene(0..COUNT, TICK);
    // Every 37th, round and round; and backwards.
    let mut two = scene((0..COUNT).map(|i| i * 37 % COUNT), TICK);
    let mut three = scene((0..COUNT).rev(), TICK);
    for tick in 0..200 {
        one.update();
        two.update();
        three.update();
        let bits = [&mut one, &mut two, &mut three].map(bits);
        assert!(bits[0] == bits[1] && bits[0] == bits[2], "tick {tick}");
    }
}

#[test]
fn frames_between_ticks_change_nothing() {
    let mut one = scene(0..COUNT, TICK);
    let mut two = scene(0..COUNT, TICK / 5);
    let ticks = |app: &App| app.world().resource::<CaromWorld>().ticks();
    run(&mut one, 100);
    while ticks(&two) < ticks(&one) {
        two.update();
    }
    assert_eq!(bits(&mut one), bits(&mut two));
}

#[test]
fn rolls_back_and_replays_to_the_bit() {
    let mut app = scene(0..COUNT, TICK);
    run(&mut app, 60);
    let saved = CaromState::save(app.world());
    let at_save = bits(&mut app);
    let drawn = |app: &mut App| {
        let mut all = app.world_mut().query::<(&Number, &Transform)>();
        let mut all: Vec<_> = all.iter(app.world()).map(|(number, it)| (*number, *it)).collect();
        all.sort_by_key(|(number, _)| *number);
        all
    };
    let mut first: Vec<_> = Vec::new();
    for _ in 0..90 {
        app.update();
        let sensed: Vec<SensorTouch> = crate::messages(&app);
        let touched: Vec<CharacterTouch> = crate::messages(&app);
        first.push((bits(&mut app), drawn(&mut app), sensed, touched));
    }
    assert!(first.iter().any(|(_, _, sensed, touched)| !sensed.is_empty() && !touched.is_empty()));
    for again in 0..2 {
        saved.load(app.world_mut());
        assert_eq!(bits(&mut app), at_save);
        for (tick, before) in first.iter().enumerate() {
            app.update();
            let sensed: Vec<SensorTouch> = crate::messages(&app);
            let touched: Vec<CharacterTouch> = crate::messages(&app);
            let now = (bits(&mut app), drawn(&mut app), sensed, touched);
            assert!(now == *before, "replay {again}, tick {tick}");
        }
    }
}

#[test]
fn what_does_not_change_costs_nothing() {
    let mut app = app_with_frames(TICK);
    floor(&mut app);
    for i in 0..400 {
        let place = Transform::from_xyz((i % 20) as f32 - 10.0, 4.0, (i / 20) as f32 - 10.0);
        app.world_mut().spawn((Collider::sphere(0.2), place));
    }
    let crate_ = Transform::from_xyz(5.0, 0.45, 0.0);
    app.world_mut().spawn((Collider::cuboid(0.4, 0.4, 0.4), RigidMotion::pushed(9.0), crate_));
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    run(&mut app, 1);
    let synced = |app: &App| app.world().resource::<CaromWorld>().synced();
    assert_eq!(synced(&app), 403);
    run(&mut app, 60);
    // A change filter looks at what happened since it last looked.
    let mut changed = app.world_mut().query_filtered::<(), Or<(
        Changed<Transform>,
        Changed<GlobalTransform>,
        Changed<CharacterReport>,
        Changed<CharacterInput>,
    )>>();
    for _ in 0..10 {
        app.world_mut().clear_trackers();
        run(&mut app, 1);
        assert_eq!(synced(&app), 0);
        assert_eq!(changed.iter(app.world()).count(), 0, "all rest");
    }
    want(&mut app, hero, Vec3::X);
    run(&mut app, 1);
    assert_eq!(synced(&app), 0, "a character that walks is no change of components");
    // Messages report changes alone.
    let mut spheres = app.world_mut().query_filtered::<&mut Transform, Without<CharacterController>>();
    for mut transform in spheres.iter_mut(app.world_mut()).filter(|it| it.translation.y == 4.0).take(7) {
        transform.translation.y = 6.0;
    }
    // Written, but to the same value.
    for mut transform in spheres.iter_mut(app.world_mut()) {
        transform.set_changed();
    }
    run(&mut app, 1);
    assert_eq!(synced(&app), 7);
}

#[test]
fn frames_see_what_is_between_ticks_and_systems_of_the_tick_see_the_tick() {
    let mut app = app_with_frames(TICK / 4);
    floor(&mut app);
    let hero = hero(&mut app, 0.0, 0.95, 0.0);
    want(&mut app, hero, Vec3::X * 6.4);
    app.add_systems(
        FixedUpdate,
        (move |carom: Res<CaromWorld>, places: Query<&Transform>| {
            if let Some(character) = carom.character(hero) {
                assert_eq!(places.get(hero).unwrap().translation.x, character.position().x as f32);
            }
        })
        .before(CaromSystems::Prepare),
    );
    run(&mut app, 80);
    let mut last = (at(&app, hero).x, app.world().get::<GlobalTransform>(hero).unwrap().translation().x);
    for _ in 0..40 {
        run(&mut app, 1);
        let now = (at(&app, hero).x, app.world().get::<GlobalTransform>(hero).unwrap().translation().x);
        // 0.1 m a tick, a quarter of it in each frame.
        assert!((now.0 - last.0 - 0.025).abs() < 1e-4, "{} after {}", now.0, last.0);
        assert!((now.1 - last.1 - 0.025).abs() < 1e-4, "{} after {}", now.1, last.1);
        last = now;
    }
    want(&mut app, hero, Vec3::ZERO);
    run(&mut app, 12);
    let carom = app.world().resource::<CaromWorld>();
    let place = carom.character(hero).unwrap().position().x as f32;
    assert_eq!(at(&app, hero).x, place);
    assert_eq!(app.world().get::<GlobalTransform>(hero).unwrap().translation().x, place);
}

/// The same level about an origin: what it came to, in Bevy's coordinates.
fn far(origin: DVec3, shift: Option<(usize, DVec3)>) -> (App, Entity) {
    let mut app = app_at(WorldOrigin(origin));
    spawn(&mut app, 0..4);
    let hero = hero(&mut app, -3.0, 0.95, 0.3);
    want(&mut app, hero, Vec3::X * 2.0);
    for tick in 0..120 {
        if let Some((_, to)) = shift.filter(|(when, _)| *when == tick) {
            app.world_mut().resource_mut::<WorldOrigin>().0 = to;
        }
        app.update();
    }
    (app, hero)
}

#[test]
fn a_level_far_from_the_origin_is_as_one_near_it() {
    let (near, hero) = far(DVec3::ZERO, None);
    let (out, same) = far(DVec3::new(4_000_000.0, 100.0, -7_000_000.0), None);
    let (near, out) = (at(&near, hero), at(&out, same));
    assert!((near - out).length() < 1e-5, "{near} {out}");
}

#[test]
fn the_origin_may_move_while_nothing_else_does() {
    let start = DVec3::new(1_000.0, 0.0, 0.0);
    let (still, hero) = far(start, None);
    let by = DVec3::new(16.0, 0.0, -8.0);
    let (shifted, same) = far(start, Some((60, start + by)));
    let place = |app: &App, hero| app.world().resource::<CaromWorld>().character(hero).unwrap().position();
    assert_eq!(
        place(&still, hero).to_array().map(f64::to_bits),
        place(&shifted, same).to_array().map(f64::to_bits)
    );
    let moved = at(&still, hero) - at(&shifted, same);
    assert!((moved - Vec3::new(16.0, 0.0, -8.0)).length() < 1e-5, "{moved}");
}

#[test]
fn a_moved_origin_takes_along_what_carom_does_not_know() {
    let mut app = app();
    let tree = app.world_mut().spawn(Transform::from_xyz(1.0, 2.0, 3.0)).id();
    let parent = app.world_mut().spawn(Transform::from_xyz(5.0, 0.0, 0.0)).id();
    let child = (Collider::sphere(1.0), Transform::from_xyz(0.0, 1.0, 0.0), ChildOf(parent));
    let child = app.world_mut().spawn(child).id();
    run(&mut app, 2);
    app.world_mut().resource_mut::<WorldOrigin>().0 = DVec3::new(1.0, 0.0, 0.0);
    run(&mut app, 2);
    assert_eq!(at(&app, tree), Vec3::new(0.0, 2.0, 3.0));
    assert_eq!((at(&app, parent), at(&app, child)), (Vec3::new(4.0, 0.0, 0.0), Vec3::Y));
    let carom = app.world().resource::<CaromWorld>();
    assert_eq!(carom.body(child).unwrap().pose().position().to_array(), [5.0, 1.0, 0.0]);
    app.world_mut().get_mut::<Transform>(child).unwrap().translation.y = 2.0;
    run(&mut app, 1);
    let carom = app.world().resource::<CaromWorld>();
    assert_eq!(carom.body(child).unwrap().pose().position().to_array(), [5.0, 2.0, 0.0]);
}
