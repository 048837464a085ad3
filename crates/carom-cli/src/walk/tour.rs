//! `carom walk` without a scene: an ellipsoid tours the built-in courtyard, and the command reports on it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use carom::character::{Character, Input, Obstacle, Report, Settings, TickInput};
use carom::num::ops;
use carom::shape::{Cuboid, Ellipsoid, Sphere};
use carom::world::{Body, Cast, Neighborhood, Pose, World};
use carom_scenes::courtyard::{BODY, MovingBox, WayPoint, courtyard};
use carom_scenes::{MeshSection, Random};
use glam::DVec3;

use super::lines::{self, CharacterLine, Final, TickLine};
use super::motion::{self, BodyMotion, Moving};
use super::names::Names;
use super::trace::{Detail, Listener};
use crate::output;

/// The length of a tick, in seconds.
const DT: f64 = 1.0 / 60.0;
/// Meters per second.
const SPEED: f64 = 4.0;
/// A way-point is reached this near to it, in meters.
const LEVEL_REACH: f64 = 0.3;
const HEIGHT_REACH: f64 = 1.0;

/// The result of the tour.
#[derive(Default)]
struct Tally {
    reached: usize,
    stuck_before: Option<&'static str>,
    ticks: u64,
    meters: f64,
    /// In how many ticks it climbed steps, and how high in all.
    steps: u64,
    stepped: f64,
    sweeps: u64,
    most_sweeps: u32,
    /// Of the ticks, those in which it waited for something that moves.
    waited: u64,
    /// For how many ticks each part and each body that moves was touched.
    touched: BTreeMap<&'static str, u64>,
    working: Duration,
}

pub(crate) fn run(out: Option<&Path>, detail: Detail) -> Result<()> {
    let courtyard = courtyard();
    let (parts, triangles) = (courtyard.mesh.sections.clone(), courtyard.mesh.triangles.len());
    let extents = courtyard.mesh.extents().unwrap_or_default();
    let started = Instant::now();
    let mut world = World::new();
    world.add(Body::fixed(courtyard.mesh.into_mesh().context("cannot build the courtyard")?));
    let built = started.elapsed();
    let (casts, casting) = measure_casts(&world, extents.into())?;
    let moving = courtyard.movers.iter().map(|mover| add(&mut world, mover)).collect::<Result<_>>()?;

    let visitor = Character::new(Ellipsoid::new(BODY)?, Settings::default())?.at(courtyard.spawn)?;
    let home = WayPoint { name: "back where it began", position: courtyard.spawn, waits: None };
    let stops = [courtyard.tour, vec![home], courtyard.ride, vec![home]].concat();
    let level = "courtyard".to_owned();
    let mut file = out.map(|path| output::open(Some(path), &[])).transpose()?;
    let mut visit = Visit {
        world,
        moving,
        visitor,
        parts: &parts,
        bodies: [level]
            .into_iter()
            .chain(courtyard.movers.iter().map(|mover| mover.name.to_owned()))
            .collect(),
        meshes: [true].into_iter().chain(courtyard.movers.iter().map(|_| false)).collect(),
        movers: &courtyard.movers,
        tally: Tally::default(),
        near: Neighborhood::new(),
        heard: Listener::new(detail),
    };
    visit.make(&stops, &mut file)?;
    let Tally {
        reached,
        stuck_before,
        ticks,
        meters,
        steps,
        stepped,
        sweeps,
        most_sweeps,
        waited,
        touched,
        working,
    } = visit.tally;

    let size = extents.1 - extents.0;
    let mut text = String::new();
    writeln!(text, "A walk through the built-in courtyard.\n")?;
    writeln!(
        text,
        "  level       {triangles} triangles, {:.0} × {:.0} × {:.1} m, ready in {:.1} ms",
        size.x,
        size.z,
        size.y,
        milliseconds(built)
    )?;
    writeln!(
        text,
        "  body        ellipsoid, radii {} × {} × {} m, {SPEED} m/s, climbs steps of {} m",
        BODY.x,
        BODY.y,
        BODY.z,
        Settings::default().step_height
    )?;
    write!(text, "  way-points  {reached} of {} reached", stops.len())?;
    match stuck_before {
        Some(name) => writeln!(text, "; stuck on the way to {name:?}")?,
        None => writeln!(text)?,
    }
    writeln!(
        text,
        "  walked      {meters:.0} m in {:.0} s ({ticks} ticks), including {:.0} s of waiting for the door and the lift",
        ticks as f64 * DT,
        waited as f64 * DT
    )?;
    writeln!(text, "  stepped     {steps} times, {stepped:.1} m up in total")?;
    let mut by_time: Vec<_> = touched.into_iter().collect();
    by_time.sort_by_key(|&(name, ticks)| (std::cmp::Reverse(ticks), name));
    let names: Vec<&str> = by_time.iter().map(|&(name, _)| name).collect();
    writeln!(text, "  touched     {}", names.join(", "))?;
    writeln!(
        text,
        "  sweeps      {:.2} per tick, at most {most_sweeps}",
        sweeps as f64 / ticks.max(1) as f64
    )?;
    writeln!(
        text,
        "  speed       {} ticks/s, {} sphere casts/s on one thread",
        output::per_second(rate(ticks, working)),
        output::per_second(rate(casts, casting))
    )?;
    writeln!(text)?;
    match out {
        Some(path) => writeln!(text, "Every tick is in {}.", path.display())?,
        None => writeln!(
            text,
            "Next: carom walk --out ticks.jsonl, carom walk SCENE.json, carom inspect LEVEL, carom --help"
        )?,
    }
    let mut out = output::open(None, &[])?;
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Puts a box that moves into the world.
fn add(world: &mut World, mover: &MovingBox) -> Result<Moving> {
    let body = Body::kinematic(Cuboid::new(mover.half_extents)?).at(Pose::at(mover.at_start().position)?);
    Ok(Moving { id: world.add(body), motion: BodyMotion::Planned { plan: mover.plan()?, scale: 1.0 } })
}

struct Visit<'a> {
    world: World,
    moving: Vec<Moving>,
    visitor: Character,
    parts: &'a [MeshSection],
    /// In the order of `moving`.
    movers: &'a [MovingBox],
    /// The names of bodies, and which of them are made of triangles.
    bodies: Vec<String>,
    meshes: Vec<bool>,
    tally: Tally,
    near: Neighborhood,
    heard: Listener,
}

impl Visit<'_> {
    fn make(&mut self, stops: &[WayPoint], out: &mut Option<Box<dyn Write>>) -> Result<()> {
        for stop in stops {
            // Three times as long as it should take, and two seconds.
            let patience = (length(self.away(stop)) / SPEED / DT) as u64 * 3 + 120;
            let last = self.tally.ticks + patience;
            while !self.is_at(stop) {
                if self.tally.ticks == last {
                    self.tally.stuck_before = Some(stop.name);
                    return self.finish(out);
                }
                let away = self.away(stop);
                self.step(Input::walk(away * (SPEED / length(away).max(SPEED * DT))), out)?;
            }
            self.tally.reached += 1;
            self.wait(stop, out)?;
        }
        self.finish(out)
    }

    /// Stands until what the stop waits for has come to rest there.
    fn wait(&mut self, stop: &WayPoint, out: &mut Option<Box<dyn Write>>) -> Result<()> {
        let Some(wait) = stop.waits else { return Ok(()) };
        let mut was_away = false;
        // It comes round in twelve seconds.
        for _ in 0..(30.0 / DT) as u64 {
            let place = self.world.body(self.moving[wait.mover].id).map(|body| body.pose().position());
            let is_there = place == Some(wait.place);
            if is_there && was_away {
                break;
            }
            was_away |= !is_there;
            self.step(Input::walk(DVec3::ZERO), out)?;
            self.tally.waited += 1;
        }
        Ok(())
    }

    fn finish(&self, out: &mut Option<Box<dyn Write>>) -> Result<()> {
        if let Some(out) = out {
            let mut state = Final::default();
            state.add_character(self.visitor.position(), self.visitor.velocity(), self.visitor.yaw());
            lines::write_summary(out, self.tally.ticks, &state)?;
            out.flush()?;
        }
        Ok(())
    }

    fn away(&self, stop: &WayPoint) -> DVec3 {
        (stop.position - self.visitor.position()).with_y(0.0)
    }

    fn is_at(&self, stop: &WayPoint) -> bool {
        let rise = (stop.position.y - self.visitor.position().y).abs();
        length(self.away(stop)) <= LEVEL_REACH && rise <= HEIGHT_REACH
    }

    /// One tick of everything.
    fn step(&mut self, input: Input, out: &mut Option<Box<dyn Write>>) -> Result<()> {
        let from = self.visitor.position();
        self.heard.clear();
        let time = (self.tally.ticks + 1) as f64 * DT;
        self.world.advance(DT, |moves| motion::send(moves, &self.moving, time));
        let started = Instant::now();
        let report =
            self.visitor.step_with(&self.world, TickInput::new(input, DT), &mut self.near, &mut self.heard);
        let tally = &mut self.tally;
        tally.working += started.elapsed();
        self.heard.end(&report);
        tally.ticks += 1;
        tally.meters += length(report.position - from);
        tally.steps += u64::from(report.stepped > 0.0);
        tally.stepped += report.stepped;
        tally.sweeps += u64::from(report.sweeps);
        tally.most_sweeps = tally.most_sweeps.max(report.sweeps);
        self.note_touched(&report);
        if let Some(out) = out {
            let names = Names { bodies: &self.bodies, characters: &[], meshes: &self.meshes };
            let line = CharacterLine::of_character(&names, "visitor", &self.visitor, &report, &self.heard);
            let (tick, sensors) = (self.tally.ticks, Vec::new());
            lines::write_tick(out, &TickLine { tick, time, characters: vec![line], sensors })?;
        }
        Ok(())
    }

    /// Counts each part of the courtyard and each thing that moves once, however often it is touched in a
    /// tick.
    fn note_touched(&mut self, report: &Report) {
        let mut here: Vec<&str> = Vec::new();
        for touched in report.touched() {
            let Obstacle::Body(part) = touched.obstacle else { continue };
            // A surface's tag is the number of its part and one.
            let tag = self.world.surface(part.body, part.part).map_or(0, |surface| surface.tag);
            let moves = self.moving.iter().position(|moving| moving.id == part.body);
            let name = match moves {
                Some(mover) => Some(self.movers[mover].name),
                None => {
                    (tag as usize).checked_sub(1).and_then(|part| self.parts.get(part)).map(|part| part.name)
                }
            };
            let Some(name) = name.filter(|name| !here.contains(name)) else { continue };
            here.push(name);
            *self.tally.touched.entry(name).or_default() += 1;
        }
    }
}

/// Casts spheres through the level for a moment: how many, in what time.
fn measure_casts(world: &World, [low, high]: [DVec3; 2]) -> Result<(u64, Duration)> {
    const MOMENT: Duration = Duration::from_millis(300);
    let ball = Sphere::new(0.3)?;
    let mut random = Random::scattered(1);
    let casts: Vec<Cast> = (0..1024)
        .map(|_| {
            let mut within = |low: f64, high: f64| random.between(low, high);
            let from = DVec3::new(within(low.x, high.x), within(0.0, high.y), within(low.z, high.z));
            Cast::new(ball, from, random.direction() * 10.0)
        })
        .collect::<Result<_, _>>()?;
    let mut count = 0;
    let started = Instant::now();
    while started.elapsed() < MOMENT {
        for cast in &casts {
            std::hint::black_box(world.cast(cast));
        }
        count += casts.len() as u64;
    }
    Ok((count, started.elapsed()))
}

fn length(v: DVec3) -> f64 {
    ops::sqrt(v.length_squared())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn rate(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64().max(1e-9)
}
