//! Two thousand characters through one gate, all moved at once; prints what a tick costs and how far two of
//! them ever overlap.
//!
//! ```text
//! cargo run --release -p carom-scenes --example crowd
//! cargo run --release -p carom-scenes --example crowd -- 500 900     (characters, ticks)
//! ```

use std::time::Instant;

use anyhow::Result;
use carom::character::{Character, Crowd, Input, Settings};
use carom::world::{Body, Pose, World};
use carom::{Capsule, Cuboid};
use glam::{DVec3, dvec3};

const DT: f64 = 1.0 / 60.0;
const RADIUS: f64 = 0.3;
const FEET: f64 = 0.9;
/// Half the width of the gate, in meters.
const GATE: f64 = 3.0;

fn main() -> Result<()> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let count = numbers.next().transpose()?.unwrap_or(2000);
    let ticks = numbers.next().transpose()?.unwrap_or(300);
    let mut world = World::new();
    let mut add = |half: DVec3, center: DVec3| -> Result<()> {
        world.add(Body::fixed(Cuboid::new(half)?).at(Pose::at(center)?));
        Ok(())
    };
    add(dvec3(200.0, 1.0, 200.0), dvec3(0.0, -1.0, 0.0))?;
    for side in [-1.0, 1.0] {
        add(dvec3(0.5, 2.0, 50.0), dvec3(0.0, 2.0, side * (50.0 + GATE)))?;
    }

    // In rows before the gate, an arm's length apart.
    let rows = carom::num::ops::sqrt(count as f64).ceil() as usize;
    let mut crowd = Vec::with_capacity(count);
    for i in 0..count {
        let (row, place) = (i / rows, i % rows);
        let body = Capsule::new(RADIUS, FEET - RADIUS)?;
        let center = dvec3(-3.0 - 0.8 * row as f64, FEET + 1e-3, 0.8 * (place as f64 - 0.5 * rows as f64));
        crowd.push(Character::new(body, Settings::default())?.at(center)?);
    }
    let reach = 2.0 * (RADIUS + crowd.first().map_or(0.0, Character::skin));

    let mut all = Crowd::new();
    let (mut deepest, mut sweeps, mut seconds) = (f64::NEG_INFINITY, 0, 0.0);
    println!("tick  through  sweeps each  ms");
    for tick in 1..=ticks {
        // To the middle of the gate, and straight on behind it.
        let inputs: Vec<Input> = crowd
            .iter()
            .map(|one| {
                let at = one.position();
                let goal = if at.x > 1.0 {
                    dvec3(9.0, 0.0, 0.0)
                } else {
                    dvec3(2.0, 0.0, 0.9 * at.z.clamp(-GATE, GATE)) - at
                };
                Input::walk(goal.with_y(0.0).normalize_or_zero() * 3.0)
            })
            .collect();
        let start = Instant::now();
        let reports = all.step_all(&world, &mut crowd, &inputs, DT);
        let spent = start.elapsed().as_secs_f64();
        let now: u32 = reports.iter().map(|report| report.sweeps).sum();
        (seconds, sweeps) = (seconds + spent, sweeps + u64::from(now));
        deepest = deepest.max(overlap(&crowd, reach));
        if tick % (ticks / 12).max(1) == 0 {
            let through = crowd.iter().filter(|one| one.position().x > 1.0).count();
            println!("{tick:4}  {through:7}  {:11.2}  {:.1}", f64::from(now) / count as f64, 1e3 * spent);
        }
    }
    let each = (count * ticks) as f64;
    println!(
        "{:.0} ticks/s, {:.2} µs and {:.2} sweeps a character and tick",
        ticks as f64 / seconds,
        1e6 * seconds / each,
        sweeps as f64 / each
    );
    println!("deepest overlap of two, skins included: {deepest:.1e} m (less than 0: never)");
    Ok(())
}

/// How deep the deepest pair of upright capsules of one size overlaps, sorted along x.
fn overlap(crowd: &[Character], reach: f64) -> f64 {
    let mut at: Vec<DVec3> = crowd.iter().map(|one| one.position().with_y(0.0)).collect();
    at.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut deepest = f64::NEG_INFINITY;
    for (i, a) in at.iter().enumerate() {
        for b in at[i + 1..].iter().take_while(|b| b.x - a.x < 2.0 * reach) {
            deepest = deepest.max(reach - (*b - *a).length());
        }
    }
    deepest
}
