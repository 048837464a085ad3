//! Characters of Carom, avian and rapier in one app: the same level, the same keys, judged by the same rules.
//!
//! ```sh
//! cd bevy
//! RAYON_NUM_THREADS=1 cargo run --release --features avian,rapier --example beside
//! ```
//!
//! Arguments: how many characters of each (64), how many ticks (2000), `solids` if each box is to be a
//! collider of its own (without it the level is one mesh), and `rapier-narrow` or `rapier-defaults` for other
//! settings of rapier's.
#![allow(missing_docs)]

mod avian;
mod contest;
mod judge;
mod level;
mod rapier;

use bevy::app::TaskPoolPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_carom::prelude::*;
use carom_scenes::Random;

use contest::{CONTROLLERS, Clock, Controller, HALF_HEIGHT, RADIUS, TICK, Walker};
use judge::{Judge, Tally};
use level::{Level, Piece};

/// The speed that characters want, in m/s.
const SPEED: f32 = 4.0;

#[derive(Resource, Default)]
struct Ticks(u64);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| arguments.iter().any(|text| text == word);
    let has_solids = has("solids");
    let settings = match (has("rapier-narrow"), has("rapier-defaults")) {
        (true, _) => rapier::Settings::Narrow,
        (_, true) => rapier::Settings::Defaults,
        _ => rapier::Settings::Example,
    };
    let mut numbers = arguments.iter().filter_map(|text| text.parse().ok());
    let (count, ticks) = (numbers.next().unwrap_or(64), numbers.next().unwrap_or(2000));
    let level = Level::new();
    let judge = Judge::new(&level);
    let starts = judge.starts(&level, count);
    let made = if has_solids { "a mesh and solid boxes" } else { "one mesh" };
    println!(
        "{made}, {settings:?} of rapier, {} triangles, {count} characters of each, {ticks} ticks of 1/64 s",
        level.mesh.triangles.len()
    );
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins.set(TaskPoolPlugin { task_pool_options: TaskPoolOptions::with_num_threads(1) }),
        TransformPlugin,
        CaromPlugin { interpolates: false, ..default() },
    ));
    app.insert_resource(Time::<Fixed>::from_duration(TICK))
        .insert_resource(TimeUpdateStrategy::ManualDuration(TICK))
        .init_resource::<Clock>()
        .init_resource::<Ticks>()
        .insert_resource(judge)
        .add_systems(FixedFirst, steer)
        .add_systems(FixedUpdate, begin.before(CaromSystems::Prepare))
        .add_systems(FixedUpdate, end.after(CaromSystems::Report))
        .add_systems(FixedLast, look);
    // Avian's controller runs in `FixedPreUpdate`, Carom's in `FixedUpdate`, avian in `FixedPostUpdate`, and
    // rapier with its controller in `FixedUpdateOfRapier`, which is run after the others.
    avian::add(&mut app);
    rapier::add(&mut app);
    app.finish();
    app.cleanup();
    spawn_level(app.world_mut(), &level, has_solids);
    spawn_walkers(app.world_mut(), &starts, settings);
    // The first update has no tick, and the first ticks find the ground.
    for _ in 0..65 {
        app.update();
    }
    app.insert_resource(Clock::default());
    app.world_mut().resource_mut::<Judge>().tallies = default();
    for _ in 0..ticks {
        app.update();
    }
    let world = app.world();
    let spent = world.resource::<Clock>().spent;
    println!(
        "{:<8} {:>10} {:>9} {:>9} {:>8} {:>8} {:>9} {:>13} {:>13}",
        "", "us a tick", "walked m", "most mm", "> 1 mm", "> 1 cm", "lost", "stuck, 5 cm", "stuck, 40 cm"
    );
    for controller in CONTROLLERS {
        let each = spent[controller as usize].as_secs_f64() * 1e6 / (ticks as f64 * count as f64);
        let tally = &world.resource::<Judge>().tallies[controller as usize];
        print(controller, each, tally);
    }
}

fn print(controller: Controller, each: f64, tally: &Tally) {
    let share = |[stuck, free]: [u64; 2]| format!("{stuck}/{free}");
    println!(
        "{:<8} {each:>10.2} {:>9.0} {:>9.2} {:>8} {:>8} {:>9} {:>13} {:>13}",
        format!("{controller:?}"),
        tally.walked,
        1e3 * tally.deepest,
        tally.deep_ticks[0],
        tally.deep_ticks[1],
        tally.lost,
        share(tally.stuck[0]),
        share(tally.stuck[1]),
    );
}

fn spawn_level(world: &mut World, level: &Level, has_solids: bool) {
    for (piece, place) in level.pieces(has_solids) {
        let collider = match &piece {
            Piece::Mesh(vertices, triangles) => {
                let vertices = vertices.iter().map(Vec3::to_array).collect();
                Collider::mesh(vertices, triangles.clone()).expect("a mesh")
            }
            Piece::Cuboid(half_extents) => Collider::Cuboid { half_extents: *half_extents },
        };
        world.spawn((collider, place));
        world.spawn((avian::level_body(&piece), place));
        world.spawn((rapier::level_body(&piece), place));
    }
}

fn spawn_walkers(world: &mut World, starts: &[Vec3], settings: rapier::Settings) {
    for (number, start) in starts.iter().enumerate() {
        for controller in CONTROLLERS {
            let walker = Walker { number, start: *start, before: *start, wish: Vec3::ZERO };
            let parts = (walker, controller, Transform::from_translation(*start));
            match controller {
                Controller::Carom => {
                    let shape = Collider::capsule(RADIUS, HALF_HEIGHT);
                    world.spawn((parts, shape, CharacterController::default()));
                }
                Controller::Avian => {
                    world.spawn((parts, avian::character()));
                }
                Controller::Rapier => {
                    world.spawn((parts, rapier::character(settings)));
                }
            }
        }
    }
}

/// The keys of a character: a heading for a while, then another one, and none now and then. Near the rim of
/// the level all go inward.
fn heading(number: usize, tick: u64, at: Vec3) -> Vec3 {
    let inward = Vec3::new(-at.x, 0.0, -at.z);
    if inward.abs().max_element() > 0.9 * level::REACH {
        return inward.normalize();
    }
    let mut random = Random::scattered(1_000 * number as u64 + (tick + 37 * number as u64) / 90);
    let way = random.heading();
    if random.unit() < 0.1 { Vec3::ZERO } else { Vec3::new(way.x as f32, 0.0, way.z as f32) }
}

fn steer(
    mut ticks: ResMut<Ticks>,
    mut walkers: Query<(&mut Walker, &mut Transform, Option<&mut CharacterInput>)>,
    judge: Res<Judge>,
) {
    ticks.0 += 1;
    for (mut walker, mut transform, input) in &mut walkers {
        if judge.is_lost(transform.translation) {
            transform.translation = walker.start;
        }
        walker.before = transform.translation;
        walker.wish = SPEED * heading(walker.number, ticks.0, walker.before);
        if let Some(mut input) = input {
            input.desired_velocity = Some(walker.wish);
        }
    }
}

fn begin(mut clock: ResMut<Clock>) {
    clock.begin();
}

fn end(mut clock: ResMut<Clock>) {
    clock.end(Controller::Carom);
}

/// Judges where each has come to.
fn look(world: &mut World) {
    world.run_schedule(rapier::FixedUpdateOfRapier);
    let mut walkers = world.query::<(&Walker, &Controller, &Transform)>();
    let seen: Vec<_> = walkers
        .iter(world)
        .map(|(walker, controller, transform)| {
            (*controller, walker.before, transform.translation, walker.wish)
        })
        .collect();
    world.resource_mut::<Judge>().look(&seen);
}
