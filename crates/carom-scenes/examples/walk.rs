//! A character climbs the courtyard's stairs, and the trace says why it goes where it goes: first each
//! sweep, motion and decision of two ticks, then one line for every step.
//!
//! ```text
//! cargo run --release -p carom-scenes --example walk
//! ```

use anyhow::{Context, Result, ensure};
use carom::character::{Character, Input, Obstacle, Settings, TickInput};
use carom::trace::{Decision, Event, Trace};
use carom::world::{Body, Neighborhood, World};
use carom::{Ellipsoid, glam::DVec3};
use carom_scenes::courtyard::{BODY, courtyard};

const DT: f64 = 1.0 / 60.0;
const SPEED: f64 = 3.0;

/// Writes down what happens in a tick.
struct Log<'a> {
    lines: Vec<String>,
    climbs: bool,
    name: &'a dyn Fn(Obstacle) -> String,
}

impl Trace<Obstacle> for Log<'_> {
    fn event(&mut self, event: &Event<'_, Obstacle>) {
        let line = match event {
            Event::Stage(stage) => format!("{stage:?}"),
            Event::Sweep { translation, hit: None, .. } => format!("    sweep {translation:+.4}: free"),
            Event::Sweep { translation, hit: Some(hit), .. } => {
                format!(
                    "    sweep {translation:+.4}: meets {} at {:.1} %",
                    (self.name)(hit.key),
                    100.0 * hit.fraction
                )
            }
            Event::Solved { motion, held: [], .. } => format!("    may go {motion:+.4}"),
            Event::Solved { wanted, motion, held } => {
                let hold = |hold: &Option<_>| {
                    hold.map(|hold: carom::trace::Holding<_>| format!("{:+.2}", hold.normal))
                };
                let by = held.iter().filter_map(hold).collect::<Vec<_>>().join(" and ");
                format!("    may go {motion:+.4} of {wanted:+.4}, held along {by}")
            }
            Event::Crushed => "    crushed".to_owned(),
            Event::Decided(decision) => {
                self.climbs |= matches!(decision, Decision::Steps(_));
                format!("    it {decision:.4?}")
            }
        };
        self.lines.push(line);
    }
}

fn main() -> Result<()> {
    let courtyard = courtyard();
    let sections = courtyard.mesh.sections.clone();
    let name = |what: Obstacle| match what {
        Obstacle::Body(touched) => {
            let part = sections.iter().find(|part| part.triangles.contains(&(touched.part as usize)));
            format!("{} #{}", part.map_or("?", |part| part.name), touched.part)
        }
        Obstacle::Character(number) => format!("character {number}"),
    };
    let (foot, head) = (courtyard.tour[0].position, courtyard.tour[1].position);
    let mut world = World::new();
    world.add(Body::fixed(courtyard.mesh.into_mesh()?));
    let mut hero = Character::new(Ellipsoid::new(BODY)?, Settings::default())?.at(foot)?;
    let mut near = Neighborhood::new();
    let (mut shown, mut sweeps, mut ticks) = (0, 0, 0);
    while (head - hero.position()).with_y(0.0).length() > SPEED * DT {
        ensure!(ticks < 600, "it does not arrive: {}", hero.position());
        let desired_velocity = (head - hero.position()).with_y(0.0).normalize() * SPEED;
        let mut log = Log { lines: Vec::new(), climbs: false, name: &name };
        let report =
            hero.step_with(&world, TickInput::new(Input::walk(desired_velocity), DT), &mut near, &mut log);
        (ticks, sweeps) = (ticks + 1, sweeps + report.sweeps);
        if ticks == 1 || (log.climbs && shown < 2) {
            shown += 1;
            println!("tick {ticks}, of {} triangles near\n  {}", near.part_count(), log.lines.join("\n  "));
        }
        if log.climbs {
            let ground = report.ground.context("a climber stands")?;
            let DVec3 { y, z, .. } = report.position;
            let (rise, what) = (100.0 * report.stepped, name(ground.obstacle));
            println!(
                "tick {ticks:3}: up {rise:4.1} cm to y {y:.3}, z {z:+.3} on {what}, {} sweeps",
                report.sweeps
            );
        }
    }
    println!(
        "{:.2} m up in {ticks} ticks, {:.2} sweeps a tick",
        hero.position().y - foot.y,
        f64::from(sweeps) / f64::from(ticks)
    );
    Ok(())
}
