//! One run: a character, its moods, and its end.

use core::fmt;

use carom::character::{Character, GravityPass, Input, Outcome, Settings, TickInput};
use carom::world::{Body, Neighborhood, Pose, World};
use carom::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use carom_scenes::Random;
use glam::DVec3;

use crate::judge::{Hold, Ways, depth, hold};
use crate::levels::Level;

/// Counts of events, in ticks or places.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) ticks: u64,
    /// Out of the level, over an edge or through a hole.
    pub(crate) falls: u64,
    /// Ticks that said that they were crushed, or had to go back.
    pub(crate) crushed: u64,
    /// Places between walls that have no way out.
    pub(crate) pits: u64,
    /// Places where a character a skin aside gets on.
    pub(crate) snags: u64,
    /// Places where a fresh character gets on: a fault.
    pub(crate) stuck: u64,
    /// Ticks that end inside the level and do not say so: a fault.
    pub(crate) inside: u64,
    /// Ticks that crossed a triangle: a fault.
    pub(crate) through: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Self) {
        self.ticks += other.ticks;
        self.falls += other.falls;
        self.crushed += other.crushed;
        self.pits += other.pits;
        self.snags += other.snags;
        self.stuck += other.stuck;
        self.inside += other.inside;
        self.through += other.through;
    }

    pub(crate) fn faults(&self) -> u64 {
        self.stuck + self.inside + self.through
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ticks, falls, crushed, pits, snags, stuck, inside, through } = self;
        write!(
            f,
            "{ticks:>9} {falls:>6} {crushed:>8} {pits:>6} {snags:>6} {stuck:>6} {inside:>6} {through:>6}"
        )
    }
}

/// The name of a run: the same level, seed and length give the same run.
pub(crate) struct Run<'a> {
    pub(crate) level: &'a Level,
    pub(crate) seed: u64,
    pub(crate) ticks: u64,
    pub(crate) verbose: bool,
}

/// A run ends after so many faults.
const MOST_FAULTS: u64 = 3;

/// A hero that makes no progress for this many ticks is traced.
const PATIENCE: u32 = 40;

struct Mood {
    input: Input,
    until: u64,
    dt: f64,
}

impl Run<'_> {
    /// Plays, and tells what went wrong.
    pub(crate) fn play(&self) -> (Counts, Vec<String>) {
        let mut random = Random::scattered(self.seed);
        let (mut counts, mut lines) = (Counts::default(), Vec::new());
        let pose = self.pose(&mut random);
        let mut world = World::new();
        world.add(Body::fixed(self.level.mesh.clone()).at(pose));
        let lowest = pose.position().y + self.level.lowest - 10.0;
        let mut near = Neighborhood::new();
        while counts.ticks < self.ticks && counts.faults() < MOST_FAULTS {
            let Some(mut character) = self.spawn(&world, &pose, &mut random) else { break };
            let mut mood = Mood { input: Input::IDLE, until: 0, dt: 1.0 / 60.0 };
            let mut held = 0;
            while counts.ticks < self.ticks && counts.faults() < MOST_FAULTS {
                if counts.ticks >= mood.until {
                    mood = new_mood(&mut random, counts.ticks);
                }
                let input = Input { jump: mood.input.jump.filter(|_| random.unit() < 0.05), ..mood.input };
                let from = character.position();
                let mut ways = Ways::default();
                let report =
                    character.step_with(&world, TickInput::new(input, mood.dt), &mut near, &mut ways);
                counts.ticks += 1;
                let tick = counts.ticks;
                let say = |what: &str| {
                    format!(
                        "{what}: --level {} --seed {} --run {}, tick {tick}, at {} from {from}, {:?}, {input:?}, dt {}",
                        self.level.name,
                        self.seed,
                        self.ticks,
                        report.position,
                        character.shape(),
                        mood.dt
                    )
                };
                if self.verbose {
                    println!("{tick} {input:?} {}", format!("{report:?}").replace("None, ", ""));
                }
                let reported =
                    report.crushed() || matches!(report.outcome, Outcome::Crushed | Outcome::Recovered);
                counts.crushed += u64::from(reported);
                let deep = depth(&world, &character, report.position);
                if deep > 0.0 && !reported {
                    counts.inside += 1;
                    lines.push(say(&format!("inside by {deep:e}")));
                }
                if report.outcome != Outcome::Recovered
                    && let Some(crossing) = ways.crossing(&world, from, report.position)
                {
                    counts.through += 1;
                    lines.push(say(&format!("through {crossing}")));
                }
                if report.position.y < lowest {
                    counts.falls += 1;
                    break;
                }
                let desired_velocity = input.desired_velocity.map_or(0.0, DVec3::length) * mood.dt;
                let went = (report.position - from).length();
                held = if desired_velocity > 0.0 && went < 0.01 * desired_velocity { held + 1 } else { 0 };
                if held >= PATIENCE {
                    held = 0;
                    match hold(&world, &character) {
                        Hold::None => continue,
                        Hold::Stuck => {
                            counts.stuck += 1;
                            lines.push(say("stuck"));
                        }
                        Hold::Snag => {
                            counts.snags += 1;
                            lines.push(say("snag"));
                        }
                        Hold::Pit => counts.pits += 1,
                    }
                    // Somewhere else.
                    break;
                }
            }
        }
        (counts, lines)
    }

    /// One run of two in the level as it is, one turned, one turned and far off.
    fn pose(&self, random: &mut Random) -> Pose {
        let turn = carom::num::ops::rotation_about(DVec3::Y, core::f64::consts::TAU * random.unit());
        let at = |position: DVec3| Pose::at(position).expect("is finite");
        match self.seed % 4 {
            2 => at(DVec3::ZERO).with_rotation(turn).expect("is a rotation"),
            3 => at(DVec3::splat(1e4)).with_rotation(turn).expect("is a rotation"),
            _ => Pose::IDENTITY,
        }
    }

    /// A character somewhere on the ground where it fits; `None` if it fits nowhere.
    fn spawn(&self, world: &World, pose: &Pose, random: &mut Random) -> Option<Character> {
        for _ in 0..200 {
            let shape = new_shape(random);
            let character =
                Character::new(shape, new_settings(random)).expect("the settings are in their ranges");
            let ground = self.level.ground(random.unit(), [random.unit(), random.unit()])?;
            let ground = pose.position() + pose.rotation() * ground;
            let half = shape.bounds().half_extents();
            // On the ground, and in the air: on slopes a shape that touches the point of the ground is inside
            // it.
            let above = half.y + character.skin() + random.unit() * half.x;
            let at = ground + DVec3::Y * above;
            if depth(world, &character, at) == 0.0 {
                return character.at(at).ok();
            }
        }
        None
    }
}

fn new_shape(random: &mut Random) -> Mover {
    let (radius, height) = (random.between(0.15, 0.5), random.between(0.1, 0.9));
    let shape: Option<Mover> = match random.below(4) {
        0 => Ellipsoid::new(DVec3::new(radius, radius + height, random.between(0.15, 0.5)))
            .ok()
            .map(Into::into),
        1 => Capsule::new(radius, height).ok().map(Into::into),
        2 => Sphere::new(radius).ok().map(Into::into),
        _ => {
            let half = DVec3::new(radius, height.max(0.2), random.between(0.15, 0.5));
            let turn = carom::num::ops::rotation_about(DVec3::Y, core::f64::consts::TAU * random.unit());
            Cuboid::new(half).and_then(|cuboid| cuboid.with_rotation(turn)).ok().map(Into::into)
        }
    };
    shape.expect("lengths are above 0")
}

fn new_settings(random: &mut Random) -> Settings {
    let mut pick = |of: &[f64]| of[random.below(of.len())];
    Settings {
        gravity: DVec3::NEG_Y * pick(&[9.81, 9.81, 9.81, 9.81, 9.81, 30.0, 1.6, 0.0]),
        step_height: pick(&[0.4, 0.4, 0.25, 0.6, 0.0]),
        max_slope: pick(&[45f64, 45.0, 30.0, 60.0, 89.0]).to_radians(),
        snap_distance: match pick(&[-1.0, -1.0, 0.0, 0.5]) {
            distance if distance < 0.0 => None,
            distance => Some(distance),
        },
        air_control: pick(&[1.0, 1.0, 0.3, 0.0]),
        air_steps: pick(&[0.0, 0.0, 1.0]) > 0.0,
        friction: pick(&[0.5, 0.5, 0.0, 1.0]),
        gravity_pass: if pick(&[0.0, 0.0, 0.0, 1.0]) > 0.0 {
            GravityPass::Combined
        } else {
            GravityPass::Separate
        },
        ..Settings::default()
    }
}

fn new_mood(random: &mut Random, now: u64) -> Mood {
    let speed = match random.below(20) {
        0 => 50.0,
        1 => 0.01,
        _ => random.between(0.5, 10.0),
    };
    let desired_velocity = match random.below(10) {
        0 => None,
        1 => Some(random.direction() * speed),
        _ => Some(random.heading() * speed),
    };
    let jump = (random.below(3) == 0).then(|| random.between(1.0, 9.0));
    let dt = match random.below(8) {
        0 => 1.0 / 240.0,
        1 => 1.0 / 30.0,
        2 => 1.0 / 10.0,
        3 => random.between(1e-4, 0.05),
        _ => 1.0 / 60.0,
    };
    Mood { input: Input { desired_velocity, jump }, until: now + 20 + random.below(100) as u64, dt }
}
