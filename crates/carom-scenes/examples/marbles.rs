//! 100,000 balls, event by event: a gas in a box that comes round, with one ball in a hundred heavy and hot.
//!
//! Prints how the heat spreads, how many collisions there were a second, and what is left of energy and
//! momentum.
//!
//! ```sh
//! cargo run --release -p carom-scenes --example marbles
//! ```

use std::time::Instant;

use carom::balls::{EventKind, Table};
use carom_scenes::balls::gas;
use glam::DVec3;

fn main() -> anyhow::Result<()> {
    let mut setup = gas([50, 50, 40], 0.25, 1);
    // The hot ones: every hundredth is ten times as heavy and three times as fast.
    for ball in setup.balls.iter_mut().step_by(100) {
        ball.mass *= 10.0;
        ball.velocity *= 3.0;
    }
    let started = Instant::now();
    let mut table = Table::new(setup)?;
    let (energy, momentum) = (table.energy(), table.momentum());
    let moving: f64 = (0..table.len()).map(|i| table.mass(i) * length(table.ball(i).velocity)).sum();
    println!("{} balls, ready in {:.2} s", table.len(), started.elapsed().as_secs_f64());
    println!("\n   time   collisions   energy of a heavy ball / of a light one");
    let started = Instant::now();
    let mut collisions = 0u64;
    for _ in 0..10 {
        table.advance(0.5, |_, event| collisions += u64::from(matches!(event.kind, EventKind::Balls(_))));
        let mean = |heavy: bool| {
            let (sum, count) = (0..table.len())
                .filter(|i| (i % 100 == 0) == heavy)
                .map(|i| 0.5 * table.mass(i) * table.ball(i).velocity.length_squared())
                .fold((0.0, 0.0), |(sum, count), energy| (sum + energy, count + 1.0));
            sum / count
        };
        println!("{:>7.1} {collisions:>12}   {:.2}", table.time(), mean(true) / mean(false));
    }
    let seconds = started.elapsed().as_secs_f64();
    println!("\n{:.0} collisions a second", collisions as f64 / seconds);
    println!(
        "energy off by {:.1e}, momentum by {:.1e}",
        ((table.energy() - energy) / energy).abs(),
        length(table.momentum() - momentum) / moving
    );
    Ok(())
}

fn length(v: DVec3) -> f64 {
    carom::num::ops::sqrt(v.length_squared())
}
