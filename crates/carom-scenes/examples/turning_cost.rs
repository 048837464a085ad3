//! The cost of a small box that turns slowly beside a hero, against the same box at rest.
//!
//! ```text
//! cargo run --release -p carom-scenes --example turning_cost
//! valgrind --tool=callgrind --callgrind-out-file=/dev/null target/release/examples/turning_cost --shape 3 --rate 0.5 --ticks 20000
//! ```
//!
//! For each shape and rate, idle and walking: sweeps a tick and the ratio of times, rest and turn one after
//! the other in each of many rounds, the least of each. With a shape and a rate it only plays, for a counter
//! of instructions.
#![forbid(unsafe_code)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use carom::character::{Character, Input, Settings, TickInput};
use carom::num::ops;
use carom::shape::ShapeError;
use carom::world::{Body, BodyId, Neighborhood, World};
use carom::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use clap::Parser;
use glam::{DVec3, dvec3};

#[derive(Parser)]
#[command(about = "Measures a hero beside a small box that turns slowly")]
struct Arguments {
    /// Only this shape, 0 to 4, and nothing is timed.
    #[arg(long)]
    shape: Option<usize>,
    /// The rate of the box, in rad/s, with --shape.
    #[arg(long, default_value_t = 0.0)]
    rate: f64,
    /// The hero walks, with --shape.
    #[arg(long)]
    walks: bool,
    /// Between the hero and the face of the box as it starts, in meters. Its corners reach 0.15 farther.
    #[arg(long, default_value_t = 0.2)]
    gap: f64,
    /// Ticks of a round.
    #[arg(long, default_value_t = 600)]
    ticks: u32,
}

fn shapes() -> Result<[(&'static str, Mover); 5], ShapeError> {
    let quarter = ops::rotation_about(DVec3::X, 0.5 * core::f64::consts::PI);
    Ok([
        ("sphere", Sphere::new(0.5)?.into()),
        ("upright capsule", Capsule::new(0.3, 0.6)?.into()),
        ("lying capsule", Capsule::new(0.3, 0.6)?.with_rotation(quarter)?.into()),
        ("cuboid", Cuboid::new(dvec3(0.3, 0.9, 0.3))?.into()),
        ("ellipsoid", Ellipsoid::new(dvec3(0.3, 0.9, 0.4))?.into()),
    ])
}

/// A hero on a floor, and a small box beside it.
struct Play {
    world: World,
    hero: Character,
    small: BodyId,
    rate: f64,
    near: Neighborhood,
    tick: u32,
}

impl Play {
    fn new(shape: Mover, rate: f64, gap: f64) -> Result<Self, Box<dyn std::error::Error>> {
        let mut world = World::new();
        world.add(Body::fixed(Cuboid::new(dvec3(20.0, 1.0, 20.0))?).at(dvec3(0.0, -1.0, 0.0)));
        let extents = shape.bounds().half_extents();
        let beside = dvec3(extents.x + gap + 0.2, extents.y, 0.0);
        let small = world.add(Body::kinematic(Cuboid::new(DVec3::splat(0.2))?).at(beside));
        let hero = Character::new(shape, Settings::default())?.at(DVec3::Y * (extents.y + 1e-3))?;
        Ok(Self { world, hero, small, rate, near: Neighborhood::new(), tick: 0 })
    }

    /// Some ticks: how long those of the hero took, and its sweeps.
    fn run(&mut self, ticks: u32, walks: bool) -> (Duration, u32) {
        let (mut took, mut sweeps) = (Duration::ZERO, 0);
        for _ in 0..ticks {
            let turn = dvec3(0.3, 0.9, 0.2) * self.rate;
            let (small, moves) = (self.small, self.rate != 0.0);
            self.world.advance(1.0 / 60.0, |all| {
                if moves {
                    all.drive(small, DVec3::ZERO, turn).expect("is kinematic");
                }
            });
            let way = if (self.tick / 20).is_multiple_of(2) { DVec3::Z } else { DVec3::NEG_Z };
            let input = if walks { Input::walk(way) } else { Input::IDLE };
            let begin = Instant::now();
            let report =
                self.hero.step_with(&self.world, TickInput::new(input, 1.0 / 60.0), &mut self.near, &mut ());
            took += begin.elapsed();
            sweeps += black_box(report).sweeps;
            self.tick += 1;
        }
        (took, sweeps)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    if let Some(number) = arguments.shape {
        let (_, shape) = *shapes()?.get(number).ok_or("there are five shapes")?;
        let (_, sweeps) =
            Play::new(shape, arguments.rate, arguments.gap)?.run(arguments.ticks, arguments.walks);
        println!("{sweeps} sweeps in {} ticks", arguments.ticks);
        return Ok(());
    }
    println!(
        "{:16} {:>8} {:>6} {:>12} {:>12} {:>8}",
        "shape", "", "rad/s", "sweeps rest", "sweeps turn", "times"
    );
    for (name, shape) in shapes()? {
        for walks in [false, true] {
            for rate in [0.1, 0.5, 1.0, 2.0] {
                let (mut rest, mut turn) =
                    (Play::new(shape, 0.0, arguments.gap)?, Play::new(shape, rate, arguments.gap)?);
                let mut least = [Duration::MAX; 2];
                let mut sweeps = [0; 2];
                for _ in 0..30 {
                    for (which, play) in [&mut rest, &mut turn].into_iter().enumerate() {
                        let (took, swept) = play.run(arguments.ticks / 10, walks);
                        least[which] = least[which].min(took);
                        sweeps[which] += swept;
                    }
                }
                let ticks = f64::from(30 * (arguments.ticks / 10));
                println!(
                    "{name:16} {:>8} {rate:>6} {:>12.2} {:>12.2} {:>8.2}",
                    if walks { "walks" } else { "idle" },
                    f64::from(sweeps[0]) / ticks,
                    f64::from(sweeps[1]) / ticks,
                    least[1].as_secs_f64() / least[0].as_secs_f64()
                );
            }
        }
    }
    Ok(())
}
