//! Code that runs every tick does not allocate, once its lists are fully grown.
//!
//! A program of its own, with one test: the counter counts all threads.
#![allow(clippy::unwrap_used, reason = "a scene that cannot be set up is a failure")]

use carom::character::{Character, Crowd, Input, Settings, TickInput};
use carom::num::ops;
use carom::respond::{Slide, WorldObstacles, collide_and_slide};
use carom::world::{Batch, Cast, Neighborhood};
use carom::{Body, Capsule, Cuboid, Ellipsoid, Layers, Mesh, Mover, Pose, Sphere, World};
use glam::{DVec3, dvec3};

#[global_allocator]
static HEAP: dhat::Alloc = dhat::Alloc;

/// Rolling ground of 32 × 32 quads, 1 m each, and a few blocks on it, one of which goes to and fro.
fn world() -> (World, carom::world::BodyId) {
    let side = 33u32;
    let height = |i: u32, j: u32| 0.4 * ops::sin(f64::from(i)) * ops::cos(0.7 * f64::from(j));
    let corner =
        |k: u32| [(k % side) as f32 - 16.0, height(k % side, k / side) as f32, (k / side) as f32 - 16.0];
    let quads = (0..side - 1).flat_map(|j| (0..side - 1).map(move |i| j * side + i));
    let triangles = quads.flat_map(|a| [[a, a + side, a + side + 1], [a, a + side + 1, a + 1]]).collect();
    let mut world = World::new();
    world.add(Body::fixed(Mesh::from_triangles((0..side * side).map(corner).collect(), triangles).unwrap()));
    for i in 0..12 {
        let (sin, cos) = ops::sin_cos(f64::from(i) * 2.4);
        let at = Pose::at(dvec3(6.0 * cos, 0.5, 6.0 * sin)).unwrap();
        world.add(Body::fixed(Cuboid::new(dvec3(0.5, 0.3, 0.8)).unwrap()).at(at));
    }
    let lift = Body::kinematic(Cuboid::new(dvec3(1.0, 0.2, 1.0)).unwrap());
    let lift = world.add(lift.at(Pose::at(dvec3(0.0, 0.3, 0.0)).unwrap()));
    (world, lift)
}

/// Blocks taken from the heap since the start, by all threads.
fn taken() -> u64 {
    dhat::HeapStats::get().total_blocks
}

/// The fewest blocks that one of several runs takes. The threads of the pool take some when they start,
/// whenever that is; what the run itself takes it takes every time.
fn least_taken(mut run: impl FnMut()) -> Option<u64> {
    (0..8)
        .map(|_| {
            let before = taken();
            run();
            taken() - before
        })
        .min()
}

#[test]
fn casts_slides_and_ticks_take_nothing_from_the_heap() {
    let profiler = dhat::Profiler::builder().testing().build();
    let (mut world, lift) = world();
    let movers: [Mover; 5] = [
        Mover::Point,
        Sphere::new(0.4).unwrap().into(),
        Ellipsoid::new(dvec3(0.4, 0.9, 0.4)).unwrap().into(),
        Capsule::new(0.3, 0.6).unwrap().into(),
        Cuboid::new(dvec3(0.3, 0.9, 0.3)).unwrap().into(),
    ];
    let casts: Vec<Cast> = (0..500)
        .map(|i| {
            let (sin, cos) = ops::sin_cos(f64::from(i));
            let mover = movers[i as usize % movers.len()];
            Cast::new(mover, dvec3(8.0 * cos, 2.5, 8.0 * sin), dvec3(3.0 * sin, -3.0, 3.0 * cos)).unwrap()
        })
        .collect();
    let mut hits = 0;
    let mut cast = |world: &World| hits += casts.iter().filter(|cast| world.cast(cast).is_some()).count();
    cast(&world);
    assert_eq!(least_taken(|| cast(&world)), Some(0), "casts");
    assert!(hits > 500, "{hits}");

    let slide = |world: &World| {
        for cast in &casts {
            let Ok(grown) = cast.mover().grown(1e-3) else { continue };
            let around = WorldObstacles::new(world, grown, Layers::ALL);
            let slid = collide_and_slide(
                &around,
                &Slide::new(cast.path().from(), cast.path().at(1.0) - cast.path().from())
                    .with_contact_distance(1e-4)
                    .with_friction(0.3)
                    .with_bounce_above(1.0),
            );
            assert!(slid.position.is_finite());
        }
    };
    slide(&world);
    assert_eq!(least_taken(|| slide(&world)), Some(0), "slides");

    let mut near = Neighborhood::new();
    let mut heroes: Vec<Character> = movers[1..]
        .iter()
        .map(|mover| Character::new(*mover, Settings::default()).unwrap().at(dvec3(0.0, 2.0, 0.0)).unwrap())
        .collect();
    let mut tick = |number: u32, world: &mut World, heroes: &mut [Character]| {
        let speed = if (number / 40).is_multiple_of(2) { 1.0 } else { -1.0 };
        world.advance(1.0 / 60.0, |moves| {
            moves.drive(lift, DVec3::X * speed, DVec3::Y * 0.5).unwrap();
        });
        let (sin, cos) = ops::sin_cos(f64::from(number / 50));
        for hero in heroes {
            let input = TickInput::new(Input::walk(dvec3(4.0 * cos, 0.0, 4.0 * sin)), 1.0 / 60.0);
            hero.step_with(world, input, &mut near, &mut ());
        }
    };
    // The way to and fro and back once: then the lists are fully grown.
    let start = heroes.clone();
    for number in 0..400 {
        tick(number, &mut world, &mut heroes);
    }
    let ticks = least_taken(|| {
        heroes.clone_from_slice(&start);
        for number in 0..400 {
            tick(number, &mut world, &mut heroes);
        }
    });
    assert_eq!(ticks, Some(0), "ticks");

    // A crowd on as many threads as there are, and what it takes to put them to work from outside.
    let start: Vec<Character> = (0..48)
        .map(|i| {
            let place = dvec3(f64::from(i % 8) - 4.0, 1.6, f64::from(i / 8) - 3.0);
            Character::new(movers[1 + i as usize % 4], Settings::default()).unwrap().at(place).unwrap()
        })
        .collect();
    let (mut all, mut heroes) = (Crowd::new(), start.clone());
    let mut inputs = vec![Input::IDLE; heroes.len()];
    const TICKS: u32 = 48;
    let mut run = || {
        heroes.clone_from_slice(&start);
        for number in 0..TICKS {
            world.advance(1.0 / 60.0, |moves| {
                moves
                    .drive(lift, DVec3::X * if number < TICKS / 2 { 1.0 } else { -1.0 }, DVec3::ZERO)
                    .unwrap();
            });
            for (i, input) in (0..).zip(&mut inputs) {
                let (sin, cos) = ops::sin_cos(f64::from(number / 30 + i));
                *input = Input::walk(dvec3(3.0 * cos, 0.0, 3.0 * sin));
            }
            all.step_all(&world, &mut heroes, &inputs, 1.0 / 60.0);
        }
        heroes.iter().filter(|hero| hero.ground().is_some()).count()
    };
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let inside = pool.install(|| {
            // Twice: the lift is back where it began, but for rounding.
            assert!(run() > 40 && run() > 40);
            least_taken(|| assert!(run() > 40))
        });
        assert_eq!(inside, Some(0), "a crowd on {threads} threads");
    }
    assert!(run() > 40);
    let outside = least_taken(|| assert!(run() > 40));
    // The pool is handed a piece of work for each tick, in blocks of 63.
    let most = u64::from(TICKS / 63 + 1);
    assert!(outside.is_some_and(|blocks| blocks <= most), "{outside:?} blocks for {TICKS} ticks");

    // On one thread or many: what the threads need to share the work is not counted per cast.
    let mut batch = Batch::new();
    let many: Vec<Cast> = casts.iter().cycle().take(20_000).copied().collect();
    world.cast_many(&many, &mut batch);
    let blocks = least_taken(|| assert_eq!(world.cast_many(&many, &mut batch).len(), many.len()));
    assert!(blocks.is_some_and(|blocks| blocks <= 2), "{blocks:?} blocks for 20,000 casts");
    for (cast, answer) in many.iter().zip(batch.answers()) {
        assert_eq!(world.cast(cast), *answer);
    }
    drop(profiler);
}
