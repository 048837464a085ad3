//! How many collisions a second a table works through, on one thread: hard spheres in a box that comes round.
//!
//! Counts processor time where the system tells it (Linux), so that other work on the machine is not counted;
//! what it does to the caches is.
#![allow(missing_docs)]

use std::time::Instant;

use carom::balls::{Ball, EventKind, Rules, Setup, Table};
use glam::{DVec3, dvec3};

fn unit(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1u64 << 53) as f64
}

/// `x` by `y` by `z` balls on a lattice, at this packing.
fn gas([x, y, z]: [usize; 3], packing: f64) -> Setup {
    let mut spacing = 1.0f64;
    for _ in 0..100 {
        // Newton for the cube root.
        spacing -=
            (spacing * spacing * spacing - core::f64::consts::PI / 6.0 / packing) / (3.0 * spacing * spacing);
    }
    let mut state = 1;
    let balls = (0..x * y * z)
        .map(|i| {
            let place = dvec3((i % x) as f64, (i / x % y) as f64, (i / x / y) as f64) + 0.5;
            let mut random = || unit(&mut state) + unit(&mut state) - 1.0;
            let velocity = dvec3(random(), random(), random());
            Ball { position: place * spacing, velocity, radius: 0.5, mass: 1.0 }
        })
        .collect();
    let periodic = dvec3(x as f64, y as f64, z as f64) * spacing;
    Setup { balls, rules: Rules { periodic, ..Rules::default() }, ..Setup::default() }
}

/// Nanoseconds that this thread has had a processor; `None` where the system does not say.
fn processor_time() -> Option<u64> {
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
}

fn measure(name: &str, sides: [usize; 3], packing: f64, melt: u64, count: u64) {
    let setup = gas(sides, packing);
    let balls = setup.balls.len();
    let mut table = Table::new(setup).expect("a lattice has no overlaps");
    let run = |table: &mut Table, wanted: u64| {
        let mut collisions = 0;
        while collisions < wanted {
            match table.next_event(f64::INFINITY) {
                Some(event) => collisions += u64::from(matches!(event.kind, EventKind::Balls(_))),
                None => break,
            }
        }
    };
    run(&mut table, melt);
    let (wall, processor, work) = (Instant::now(), processor_time(), table.work());
    run(&mut table, count);
    let elapsed = wall.elapsed().as_secs_f64();
    let used = processor.zip(processor_time()).map_or(elapsed, |(a, b)| (b - a) as f64 * 1e-9);
    let [outdated, crossings] = [0, 1].map(|i| (table.work()[i] - work[i]) as f64 / count as f64);
    println!(
        "{name:<32} {balls:>8} balls {:>9.0} collisions/s of processor time, {:>9.0} by the clock; a collision: {outdated:.2} outdated, {crossings:.2} cells",
        count as f64 / used,
        count as f64 / elapsed,
    );
    assert!(table.momentum().is_finite() && table.energy() > 0.0 && DVec3::ZERO != table.ball(0).position);
}

fn main() {
    // `cargo test --benches` and filters come with arguments that mean nothing here.
    let quick = std::env::args().any(|argument| argument == "--test");
    let scale = if quick { 1000 } else { 1 };
    measure("packing 0.49", [16, 16, 16], 0.49, 200_000 / scale, 2_000_000 / scale);
    if quick {
        return;
    }
    measure("packing 0.25", [48, 48, 47], 0.25, 300_000, 1_500_000);
    for side in [10, 22, 46, 100] {
        measure("packing 0.25, growing", [side; 3], 0.25, 4 * (side * side * side) as u64, 1_000_000);
    }
}
