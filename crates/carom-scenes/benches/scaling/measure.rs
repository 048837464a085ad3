//! One level: how long it takes to build, how large it is, how quick casts and ticks are in it.

use std::hint::black_box;
use std::sync::Arc;

use anyhow::Result;
use carom::character::{Character, Crowd, Input, Settings};
use carom::glam::{DVec3, dvec3};
use carom::world::{Batch, Body, Cast, Collider, MeshTree, World};
use carom::{Capsule, Sphere};
use carom_scenes::workload::Terrain;
use carom_scenes::{Random, SceneMesh};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::Figure;
use crate::time::{fastest, on_processor, on_wall};

const CASTS: usize = 20_000;
/// Ticks until all stand, and ticks that are measured.
const SETTLE: usize = 20;
const TICKS: usize = 40;
const DT: f64 = 1.0 / 60.0;
/// Each character has at least so many square meters.
const ROOM: f64 = 4.0;
const CROWDS: [usize; 5] = [1, 10, 100, 1_000, 10_000];

/// Measures everything on hills of about so many triangles.
pub(crate) fn level(about: usize, figures: &mut Vec<Figure>) -> Result<()> {
    let one = ThreadPoolBuilder::new().num_threads(1).build()?;
    let all = ThreadPoolBuilder::new().build()?;
    let terrain = Terrain::new(carom::num::ops::sqrt(about as f64 / 2.0) as usize);
    let triangles = terrain.mesh().triangles.len();
    let mut tell = |what, characters, threads, value: f64, unit| {
        let many = if characters > 0 { format!(", {characters} characters") } else { String::new() };
        let on = if threads > 0 { format!(", {threads} threads") } else { String::new() };
        println!("{triangles} triangles{many}{on}: {what} {value:.4e} {unit}");
        figures.push(Figure { what, triangles, characters, threads, value, unit });
    };
    let world = {
        let (tree, seconds) = build(&one, &all, terrain.mesh());
        let [connect, one_thread, all_threads] = seconds;
        tell("connect", 0, 1, connect, "s");
        tell("build", 0, 1, one_thread, "s");
        tell("build", 0, all.current_num_threads(), all_threads, "s");
        let bytes = tree.memory() + tree.mesh().memory();
        tell("memory", 0, 0, bytes as f64 / triangles as f64, "bytes per triangle");
        let mut world = World::new();
        world.add(Body::fixed(Collider::Mesh(Arc::new(tree))));
        world
    };

    let casts = casts(&terrain)?;
    let seconds = fastest(|| {
        one.install(|| {
            on_processor(|| {
                black_box(casts.iter().filter(|cast| world.cast(black_box(cast)).is_some()).count());
            })
        })
    });
    tell("cast", 0, 1, casts.len() as f64 / seconds, "per second");
    let mut batch = Batch::new();
    let together = |batch: &mut Batch| {
        black_box(world.cast_many(&casts, batch));
    };
    let seconds = fastest(|| one.install(|| on_processor(|| together(&mut batch))));
    tell("batch", 0, 1, casts.len() as f64 / seconds, "per second");
    let seconds = fastest(|| on_wall(|| all.install(|| together(&mut batch))));
    tell("batch", 0, all.current_num_threads(), casts.len() as f64 / seconds, "per second");

    let side = terrain.quads() as f64 - 2.0;
    for count in CROWDS.into_iter().filter(|count| *count as f64 * ROOM <= side * side) {
        let seconds = tick(&one, &world, &terrain, count, |run| on_processor(run))?;
        tell("tick", count, 1, seconds, "s");
        let seconds = tick(&all, &world, &terrain, count, |run| on_wall(run))?;
        tell("tick", count, all.current_num_threads(), seconds, "s");
    }
    Ok(())
}

/// The level, and seconds to connect its triangles and to build the tree on one thread and on all.
fn build(one: &ThreadPool, all: &ThreadPool, mesh: &SceneMesh) -> (MeshTree, [f64; 3]) {
    let finite = |mesh: SceneMesh| mesh.into_mesh().expect("generated meshes are finite");
    let mut connected = None;
    let connect = fastest(|| {
        let mesh = mesh.clone();
        on_processor(|| connected = Some(finite(mesh)))
    });
    let connected = connected.expect("it ran");
    let mut built = None;
    let one_thread = fastest(|| {
        built = None;
        let mesh = connected.clone();
        one.install(|| on_processor(|| built = Some(MeshTree::new(mesh))))
    });
    let all_threads = fastest(|| {
        built = None;
        let mesh = connected.clone();
        all.install(|| on_wall(|| built = Some(MeshTree::new(mesh))))
    });
    (built.expect("it ran"), [connect, one_thread, all_threads])
}

/// Balls of half a meter from 2 m above the hills, a little downward, 1 to 10 m, all over the level.
fn casts(terrain: &Terrain) -> Result<Vec<Cast>> {
    let mut random = Random::new(0x5_CA1E);
    let (side, ball) = (terrain.quads() as f64, Sphere::new(0.5)?);
    (0..CASTS)
        .map(|_| {
            let (x, z) = (random.between(0.0, side), random.between(0.0, side));
            let way = (random.direction() - DVec3::Y * 0.3) * random.between(1.0, 10.0);
            Ok(Cast::new(ball, dvec3(x, terrain.surface(x, z) + 2.0, z), way)?)
        })
        .collect()
}

/// The median of the seconds that a tick of so many characters takes: capsules of W5, strewn all over the
/// level, each with a new heading every second, and back towards the middle where the level ends.
fn tick(
    pool: &ThreadPool,
    world: &World,
    terrain: &Terrain,
    count: usize,
    clock: impl Fn(&mut (dyn FnMut() + Send)) -> f64 + Sync,
) -> Result<f64> {
    let mut random = Random::new(0x71C5);
    let side = terrain.quads() as f64;
    let capsule = Capsule::new(0.3, 0.6)?;
    let mut characters = Vec::with_capacity(count);
    for _ in 0..count {
        let (x, z) = (random.between(1.0, side - 1.0), random.between(1.0, side - 1.0));
        let start = dvec3(x, terrain.surface(x, z) + 1.0, z);
        characters.push(Character::new(capsule, Settings::default())?.at(start)?);
    }
    let mut headings = vec![DVec3::ZERO; count];
    let mut inputs = vec![Input::IDLE; count];
    let mut crowd = Crowd::new();
    let mut seconds = Vec::with_capacity(TICKS);
    for tick in 0..SETTLE + TICKS {
        for ((character, heading), input) in characters.iter().zip(&mut headings).zip(&mut inputs) {
            if tick % 60 == 0 {
                *heading = random.heading();
            }
            let at = character.position();
            let inside = |x: f64| (1.0..side - 1.0).contains(&x);
            if !(inside(at.x) && inside(at.z)) {
                let middle = dvec3(0.5 * side, at.y, 0.5 * side);
                *heading = (middle - at).normalize_or_zero();
            }
            *input = Input::walk(*heading * 5.0);
        }
        let spent = pool.install(|| {
            clock(&mut || {
                black_box(crowd.step_all(world, &mut characters, &inputs, DT));
            })
        });
        if tick >= SETTLE {
            seconds.push(spent);
        }
    }
    seconds.sort_by(f64::total_cmp);
    Ok(seconds[seconds.len() / 2])
}
