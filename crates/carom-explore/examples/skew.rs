//! Simulates a flood by many workers on one core, to see what limits it: how evenly a level is shared, and
//! how much the first worker does alone.
//!
//! `cargo run --release -p carom-explore --example skew -- LEVEL [most places] [workers,…]`
//!
//! LEVEL is a folder of `carom tile`, a file, or `terrain:METERS`, whose corner is that of a worker's square
//! of 64 cells. All workers take their steps one after the other, and each step is timed. A round takes as
//! long as its slowest step. Those that are done sooner work ahead until then, as they do when they run side
//! by side. Messages take no time here: their number and bytes are printed.
#![allow(clippy::unwrap_used, reason = "an example that cannot go on says so by panicking")]

use std::path::Path;
use std::time::{Duration, Instant};

use carom::mesh::MeshData;
use carom_explore::{Explorer, Level, Message, Rules, Stop, Task, Worker, WorkerNumber};
use carom_formats::{LoadOptions, TileFolder};
use carom_scenes::workload::Terrain;

/// For tiles in memory.
const MEMORY: usize = 1 << 30;

fn open(name: &str) -> Level {
    if Path::new(name).is_dir() {
        return Level::tiled(name, TileFolder::open(Path::new(name)).unwrap(), MEMORY).unwrap();
    }
    let data = match name.strip_prefix("terrain:") {
        Some(meters) => {
            let mesh = Terrain::new(meters.parse().unwrap()).mesh().clone();
            let low = |axis: usize| mesh.vertices.iter().map(|at| at[axis]).fold(f32::INFINITY, f32::min);
            let [x, z] = [low(0), low(2)];
            let vertices = mesh.vertices.iter().map(|at| [at[0] - x, at[1], at[2] - z]).collect();
            MeshData { vertices, triangles: mesh.triangles, ..MeshData::default() }
        }
        None => carom_formats::load(name, &LoadOptions::default()).unwrap().into_mesh_data(),
    };
    Level::new(name, data).unwrap()
}

/// The cost of a flood.
#[derive(Default)]
struct Cost {
    /// Of all workers together.
    work: Duration,
    /// Of the slowest in each round.
    rounds: Duration,
    /// Of the first worker, in rounds in which it was the slowest.
    by_first: Duration,
    count: usize,
    bytes: usize,
    /// The most places that belong to one worker.
    most_places: usize,
}

fn simulate(task: Task<'_>, count: usize) -> Cost {
    let mut explorer = Explorer::new(task.level, task.rules, &[]).unwrap();
    let mut workers = vec![Worker::first(&mut explorer, count, Box::new(|_| Ok(()))).unwrap()];
    for number in 1..count {
        workers.push(Worker::other(task, WorkerNumber { number, count }, Stop::new()).unwrap());
    }
    let mut cost = Cost::default();
    let mut messages: Vec<Message> = Vec::new();
    while workers[0].end().is_none() {
        let mut inboxes = vec![Vec::new(); count];
        let sent = messages.iter().filter(|message| message.from != message.to);
        cost.bytes += sent.map(|message| message.bytes.len()).sum::<usize>();
        messages.drain(..).for_each(|message| inboxes[message.to].push(message));
        let mut took = Vec::new();
        for (worker, inbox) in workers.iter_mut().zip(inboxes) {
            let started = Instant::now();
            messages.extend(worker.step(inbox).unwrap());
            took.push(started.elapsed());
        }
        let slowest = took.iter().max().copied().unwrap_or_default();
        cost.rounds += slowest;
        cost.by_first += if took[0] == slowest { slowest } else { Duration::ZERO };
        cost.count += 1;
        for (worker, mut took) in workers.iter_mut().zip(took) {
            cost.work += took;
            while took < slowest {
                let started = Instant::now();
                if !worker.work_ahead() {
                    break;
                }
                took += started.elapsed();
                cost.work += started.elapsed();
            }
        }
    }
    cost.most_places = workers.iter().map(Worker::places).max().unwrap_or(0);
    cost
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "terrain:300".to_owned());
    let most_places = arguments.next().map_or(20_000_000, |count| count.parse().unwrap());
    let counts = arguments.next().unwrap_or_else(|| "1,2,10,100".to_owned());
    let (level, rules) = (open(&name), Rules { most_places, ..Rules::default() });
    println!("workers     work   busiest  speed-up  of it first  most places    rounds  bytes sent");
    for count in counts.split(',').map(|count| count.parse().unwrap()) {
        let cost = simulate(Task { level: &level, rules: &rules }, count);
        let [work, rounds, first] = [cost.work, cost.rounds, cost.by_first].map(|time| time.as_secs_f64());
        println!(
            "{count:7} {work:7.1}s {rounds:8.2}s {:9.2} {:11.0}% {:12} {:9} {:11}",
            work / rounds,
            100.0 * first / rounds,
            cost.most_places,
            cost.count,
            cost.bytes
        );
    }
}
