//! 50,000 boxes, a tenth of which move in each step: how long the pairs take, by a tree and by a loose
//! octree.
//!
//! ```text
//! cargo run --release -p carom-scenes --example broad_phase -- [--boxes 50000] [--steps 200]
//! ```

use std::time::{Duration, Instant};

use anyhow::Result;
use carom::broad_phase::{BoxIndex, BoxTree, BroadPhase, LayerMatrix, Octree};
use carom_scenes::workload::Crowd;
use clap::Parser;

#[derive(Parser)]
#[command(about = "Tells the pairs of many moving boxes, step by step")]
struct Arguments {
    /// How many boxes.
    #[arg(long, default_value_t = 50_000, value_parser = clap::value_parser!(u32).range(10..=2_000_000))]
    boxes: u32,
    /// How many steps.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    println!("{} boxes, a tenth moves in each of {} steps", arguments.boxes, arguments.steps);
    let tree = run::<BoxTree>("tree", &arguments);
    let octree = run::<Octree>("loose octree", &arguments);
    assert_eq!(tree, octree, "both tell the same");
    Ok(())
}

/// The sums of what entered, stayed and left.
fn run<I: BoxIndex>(name: &str, arguments: &Arguments) -> [usize; 3] {
    let mut crowd = Crowd::new(arguments.boxes as usize);
    // Bullets, on layer 3, ignore bullets.
    let mut matrix = LayerMatrix::default();
    matrix.ignore(3, 3);
    let started = Instant::now();
    let mut phase = BroadPhase::<I>::indexed(0.2).with_matrix(matrix);
    let keys: Vec<_> = crowd.entries().map(|entry| phase.add(entry)).collect();
    let first = phase.update();
    println!("{name}: {} pairs at first, in {:?}", first.entered.len(), started.elapsed());
    let mut sums = [0; 3];
    let mut took = Duration::ZERO;
    for step in 0..arguments.steps {
        let moved = crowd.step(step as usize);
        let started = Instant::now();
        for (number, bounds) in moved {
            phase.set_bounds(keys[number], bounds);
        }
        let events = phase.update();
        took += started.elapsed();
        for (sum, list) in sums.iter_mut().zip([&events.entered, &events.stayed, &events.left]) {
            *sum += list.len();
        }
    }
    let [entered, stayed, left] = sums;
    println!("{name}: {:?} a step; {entered} entered, {stayed} stayed, {left} left", took / arguments.steps);
    sums
}
