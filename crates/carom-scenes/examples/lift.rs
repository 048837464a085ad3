//! A rider on a lift that follows keyframes: up with a jump on the path, a sudden stop, a rest, and down
//! faster than anything falls. Without snap it keeps its own way at both ends. Prints a chart, height to the
//! right: the lift `=`, the feet `o`, in the air `*`.
//!
//! ```text
//! cargo run --release -p carom-scenes --example lift
//! ```

use anyhow::Result;
use carom::character::{Character, Input, Settings};
use carom::world::{AfterLast, Body, Keyframe, Keyframes, World};
use carom::{Capsule, Cuboid};
use glam::{DQuat, DVec3, dvec3};

const HZ: u32 = 120;
const DT: f64 = 1.0 / HZ as f64;
const FEET: f64 = 0.975;
/// Half the thickness of the lift, in meters.
const HALF: f64 = 0.1;
const JUMP: f64 = 4.0;

fn main() -> Result<()> {
    let frame = |time, y| Keyframe { time, position: DVec3::Y * (y - HALF), rotation: DQuat::IDENTITY };
    // Meters a second: 1.5 up, 0, 12 down, 0.
    let stops = [frame(0.0, 0.0), frame(2.0, 3.0), frame(2.5, 3.0), frame(2.75, 0.0), frame(4.0, 0.0)];
    let plan = Keyframes::new(&stops, AfterLast::Stay)?;
    let mut world = World::new();
    let lift = world.add(Body::kinematic(Cuboid::new(dvec3(2.0, HALF, 2.0))?).at(plan.pose_at(0.0)));
    // No snapping: it leaves the lift as soon as that falls faster than it would.
    let settings = Settings { snap_distance: Some(0.0), ..Settings::default() };
    let body = Capsule::new(0.3, FEET - 0.3)?;
    let mut rider = Character::new(body, settings)?;
    rider.teleport(DVec3::Y * (FEET + rider.skin()))?;

    let (mut worst, mut deepest, mut highest) = (0.0f64, 0.0f64, 0.0f64);
    println!("   s   lift  rider  m/s");
    for tick in 1..=4 * HZ {
        let seconds = f64::from(tick) * DT;
        world.advance(DT, |moves| {
            moves.move_to(lift, plan.pose_at(seconds)).expect("the lift is kinematic");
        });
        let jumps = tick == HZ / 2;
        let report = rider.step(&world, if jumps { Input::IDLE.jump(JUMP) } else { Input::IDLE }, DT);
        let top = world.body(lift).map_or(0.0, |body| body.pose().position().y) + HALF;
        let feet = report.position.y - FEET - rider.skin();
        deepest = deepest.max(top - feet);
        if report.ground.is_some() {
            worst = worst.max((feet - top).abs());
        }
        if seconds < 2.0 {
            highest = highest.max(feet - top);
        }
        if jumps || tick % (HZ / 12) == 0 {
            let mut chart = [b' '; 56];
            let column = |y: f64| ((y * 16.0 + 2.0).round() as usize).min(55);
            chart[column(top)] = b'=';
            chart[column(feet)] = if report.ground.is_some() { b'o' } else { b'*' };
            let note = if jumps { "  jumps" } else { "" };
            let line = String::from_utf8_lossy(&chart);
            println!(
                "{seconds:4.2} {top:6.3} {feet:6.3} {:+5.1} {}{note}",
                report.velocity.y,
                line.trim_end()
            );
        }
    }
    println!(
        "standing, its feet were {worst:.1e} m off the lift at most; inside of it {deepest:.1e} m at most"
    );
    println!("a jump at {JUMP} m/s: {highest:.4} m above the lift; v²/2g is {:.4} m", JUMP * JUMP / 19.62);
    Ok(())
}
