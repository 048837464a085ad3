//! Random machines: characters among bodies that translate, turn and swing, and what no tick of theirs may
//! do.
//!
//! Doors, blades, plates, drums, rollers, pistons and tumbling boxes, solids and meshes, about their middle
//! or hinged at an end, up to 20 m/s and 20 rad/s, at 30 to 240 ticks a second, several at once; heroes of
//! every shape, alone and in crowds, with any desired velocity. After each tick every hero without its skin
//! is compared with every solid by [`overlap`], which knows nothing of what is tested: it is in none, or the
//! report says crushed and names that one; and its center has crossed none. Nor has it come to be in another
//! hero, unless one of the two reports names the other. A seed names the same run on every machine.

use core::f64::consts::TAU;

use carom::character::{Character, Crowd, CrowdInput, Input, Obstacle, Report, Settings};
use carom::num::ops;
use carom::trace::{Event, Trace};
use carom::world::{Body, Pose, World};
use carom::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use glam::{DQuat, DVec3};

use crate::{MeshBuilder, Random};
use body::{FLOOR, Machine};
use judge::judge;
use overlap::{Solid, depth};

mod body;
mod judge;
pub mod overlap;

/// Counts of events, in ticks of a hero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Ticks, one for each hero.
    pub ticks: u64,
    /// Ticks in which a hero was crushed, and said so.
    pub crushed: u64,
    /// Ticks that ended inside what the report named.
    pub reported: u64,
    /// Ticks that ended inside something that the report did not name: a fault.
    pub inside: u64,
    /// Ticks that crossed a solid or the floor: a fault.
    pub through: u64,
    /// Ticks that brought a hero into another that no report named: a fault, counted once for the two.
    pub in_another: u64,
    /// Pairs of heroes that were compared with each other, each tick.
    pub pairs: u64,
    /// Those that came to be in each other, and said so.
    pub pairs_reported: u64,
    /// Sweeps.
    pub sweeps: u64,
}

impl Counts {
    /// Adds those of another run.
    pub fn add(&mut self, other: &Self) {
        self.ticks += other.ticks;
        self.crushed += other.crushed;
        self.reported += other.reported;
        self.inside += other.inside;
        self.through += other.through;
        self.in_another += other.in_another;
        self.pairs += other.pairs;
        self.pairs_reported += other.pairs_reported;
        self.sweeps += other.sweeps;
    }

    /// The number of events that must not happen.
    pub fn faults(&self) -> u64 {
        self.inside + self.through + self.in_another
    }
}

/// The name of a run.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Everything else follows from it.
    pub seed: u64,
    /// How many ticks of the world.
    pub ticks: u64,
    /// Whether there are 4 to 16 heroes, close together, rather than mostly one.
    pub is_crowd: bool,
}

/// A hero that is crushed for this many ticks is put elsewhere.
const PATIENCE: u32 = 30;

impl Run {
    /// Plays, and tells what went wrong.
    pub fn play(&self) -> (Counts, Vec<String>) {
        self.play_traced(&|_| ())
    }

    /// The same with a trace for every hero of every tick, made from the number of the tick.
    pub fn play_traced<T: Trace<Obstacle> + Send>(&self, trace: &impl Fn(u64) -> T) -> (Counts, Vec<String>) {
        let mut random = Random::scattered(self.seed);
        let mut world = World::new();
        let floor = world.add(fixed(FLOOR, DVec3::NEG_Y * FLOOR.y));
        let still = |id, half| Machine {
            id,
            solid: Solid::Box(half),
            offset: DVec3::ZERO,
            linear: DVec3::ZERO,
            angular: DVec3::ZERO,
            beat: 0.0,
        };
        let mut machines = vec![still(floor, FLOOR)];
        for _ in 0..random.below(3) {
            let half =
                DVec3::new(random.between(0.1, 1.0), random.between(0.1, 1.5), random.between(0.1, 1.0));
            let at = random.heading() * random.between(0.5, 3.0) + DVec3::Y * random.between(0.0, 1.5);
            machines.push(still(world.add(fixed(half, at)), half));
        }
        // Every other world is a narrow one, where some hero is pressed most of the time.
        let is_narrow = self.seed % 2 == 1;
        for _ in 0..1 + random.below(4) {
            machines.push(machine(&mut world, &mut random, if is_narrow { 0.8 } else { 2.5 }));
        }
        let leash = if is_narrow || self.is_crowd { 3.0 } else { 12.0 };
        let dt = [1.0 / 30.0, 1.0 / 60.0, 1.0 / 60.0, 1.0 / 120.0, 1.0 / 144.0, 1.0 / 240.0][random.below(6)];
        let heroes = match (self.is_crowd, random.below(3)) {
            (true, _) => 4 + random.below(13),
            (false, 0) => 2 + random.below(5),
            _ => 1,
        };
        let mut cast: Vec<Character> = (0..heroes).map(|_| hero(&mut random)).collect();
        for i in 0..cast.len() {
            place(&world, &machines, &mut cast, i, &mut random);
        }
        let mut inputs = vec![Input::IDLE; heroes];
        let mut patience = vec![0u32; heroes];
        let mut pairs = Pairs::of(&cast);
        let mut crowd = Crowd::new();
        let (mut counts, mut lines) = (Counts::default(), Vec::new());
        for tick in 0..self.ticks {
            for input in &mut inputs {
                if random.below(30) == 0 {
                    *input = mood(&mut random);
                }
            }
            let time = tick as f64 * dt;
            world.advance(dt, |moves| {
                for machine in &machines {
                    let (linear, angular) = machine.rates(time);
                    if linear != DVec3::ZERO || angular != DVec3::ZERO {
                        moves.drive(machine.id, linear, angular).expect("every machine can move");
                    }
                }
            });
            let before: Vec<DVec3> = cast.iter().map(Character::position).collect();
            let path = || TickPath { places: Vec::new(), trace: trace(tick) };
            let mut traces: Vec<TickPath<T>> = cast.iter().map(|_| path()).collect();
            let reports = crowd
                .step_all_traced(&world, &mut cast, CrowdInput { inputs: &inputs, dt }, &mut traces)
                .to_vec();
            for (i, report) in reports.iter().enumerate() {
                counts.ticks += 1;
                counts.sweeps += u64::from(report.sweeps);
                counts.crushed += u64::from(report.crushed());
                let places = &mut traces[i].places;
                places.insert(0, before[i]);
                places.push(report.position);
                let judged = judge(&world, &machines, &cast[i], places, report);
                if judged.is_reported {
                    counts.reported += 1;
                }
                for (counted, what) in
                    [(&mut counts.inside, judged.inside), (&mut counts.through, judged.through)]
                {
                    if let Some(what) = what {
                        *counted += 1;
                        lines.push(format!(
                            "--seed {} tick {tick} dt {dt:.5} hero {i} {:?} {:?}: {what}; from {} to {}, {:?}",
                            self.seed,
                            cast[i].shape(),
                            inputs[i],
                            before[i],
                            report.position,
                            report.outcome
                        ));
                    }
                }
                patience[i] = if judged.is_reported { patience[i] + 1 } else { 0 };
            }
            pairs.judge(&cast, &reports, &mut counts, |what| {
                lines.push(format!("--seed {} tick {tick} dt {dt:.5}: {what}", self.seed));
            });
            for i in 0..cast.len() {
                let far = cast[i].position().length() > leash;
                if far || patience[i] > PATIENCE {
                    patience[i] = 0;
                    place(&world, &machines, &mut cast, i, &mut random);
                    pairs = Pairs::of(&cast);
                }
            }
        }
        (counts, lines)
    }
}

/// Where a hero has been in a tick, as its sweeps tell; and any other listener.
struct TickPath<T> {
    places: Vec<DVec3>,
    trace: T,
}

impl<T: Trace<Obstacle>> Trace<Obstacle> for TickPath<T> {
    fn event(&mut self, event: &Event<'_, Obstacle>) {
        if let Event::Sweep { from, translation, hit } = event {
            let share = hit.map_or(1.0, |hit| hit.fraction);
            self.places.extend([*from, *from + *translation * share]);
        }
        self.trace.event(event);
    }
}

/// Which heroes are in each other.
struct Pairs(Vec<[usize; 2]>);

impl Pairs {
    fn of(cast: &[Character]) -> Self {
        let all = (0..cast.len()).flat_map(|j| (0..j).map(move |i| [i, j]));
        Self(all.filter(|[i, j]| are_in_each_other(&cast[*i], &cast[*j])).collect())
    }

    /// Pairs of characters that a tick brought into each other and that no report names.
    fn judge(
        &mut self,
        cast: &[Character],
        reports: &[Report],
        counts: &mut Counts,
        mut tell: impl FnMut(String),
    ) {
        let now = Self::of(cast);
        counts.pairs += (cast.len() * (cast.len() - 1) / 2) as u64;
        let names = |i: usize, j: usize| {
            reports[i]
                .crushed_by()
                .any(|by| matches!(by.obstacle, Obstacle::Character(number) if number == j as u32))
        };
        for [i, j] in now.0.iter().filter(|pair| !self.0.contains(pair)).copied() {
            if names(i, j) || names(j, i) {
                counts.pairs_reported += 1;
            } else {
                counts.in_another += 1;
                let of = |i: usize| {
                    let (hero, report) = (&cast[i], &reports[i]);
                    format!("{i} {:?} at {}, {:?}", hero.shape(), hero.position(), report.outcome)
                };
                tell(format!("in each other: {} and {}", of(i), of(j)));
            }
        }
        *self = now;
    }
}

/// Whether two heroes without their skins overlap, by more than a millionth of their sizes.
fn are_in_each_other(one: &Character, other: &Character) -> bool {
    const LESS: f64 = 1.0 - 1e-6;
    let offset = other.position() - one.position();
    let least = |hero: &Character| hero.shape().bounds().half_extents().length();
    offset.length() < least(one) + least(other) && {
        let smaller = |hero: &Character| hero.shape().scaled(LESS).expect("is above 0");
        smaller(one).overlaps(&smaller(other), offset)
    }
}

fn fixed(half: DVec3, at: DVec3) -> Body {
    let cuboid = Cuboid::new(half).expect("lengths are above 0");
    Body::fixed(cuboid).at(Pose::at(at).expect("is finite"))
}

/// To a thousandth: f32 holds it and sums of it exactly.
fn coarse(v: DVec3) -> DVec3 {
    ((v * 1024.0).round() / 1024.0).max(DVec3::splat(1.0 / 64.0))
}

fn machine(world: &mut World, random: &mut Random, reach: f64) -> Machine {
    let half = coarse(match random.below(5) {
        0 => DVec3::new(random.between(0.3, 2.0), random.between(0.5, 1.5), random.between(0.03, 0.2)),
        1 => DVec3::splat(random.between(0.2, 0.8)),
        2 => DVec3::new(random.between(0.5, 3.0), random.between(0.05, 0.2), random.between(0.05, 0.2)),
        3 => DVec3::new(random.between(1.0, 3.0), random.between(0.03, 0.2), random.between(1.0, 3.0)),
        _ => DVec3::new(random.between(0.2, 1.5), random.between(0.1, 1.0), random.between(0.2, 1.5)),
    });
    let hinged = random.below(2) == 0;
    let (body, solid, offset) = match random.below(6) {
        0 => {
            let ball = Sphere::new(half.x).expect("is above 0");
            (Body::kinematic(ball), Solid::Ball(half.x), DVec3::ZERO)
        }
        1 => {
            let (radius, length) = (half.y.min(0.6), half.x);
            let roller = Capsule::new(radius, length).expect("lengths are above 0");
            (Body::kinematic(roller), Solid::Capsule(radius, length), DVec3::ZERO)
        }
        2 | 3 => {
            let offset = if hinged { DVec3::X * half.x } else { DVec3::ZERO };
            let mesh = MeshBuilder::cuboid(half).posed(DQuat::IDENTITY, offset).rounded();
            let mesh = mesh.into_mesh().expect("twelve triangles");
            (Body::kinematic(mesh), Solid::Box(half), offset)
        }
        _ => (Body::kinematic(Cuboid::new(half).expect("is above 0")), Solid::Box(half), DVec3::ZERO),
    };
    let start = random.heading() * random.between(0.3, reach) + DVec3::Y * random.between(0.0, 2.0);
    let turn = match random.below(3) {
        0 => DQuat::IDENTITY,
        1 => ops::rotation_about(DVec3::Y, TAU * random.unit()),
        _ => random.rotation(),
    };
    let id =
        world.add(body.at(Pose::at(start).and_then(|pose| pose.with_rotation(turn)).expect("is a pose")));
    // As many slow ones as fast ones.
    let mut rate = |most: f64| most * 1.0 / f64::from(1u32 << random.below(8)) * random.between(0.5, 1.0);
    let (speed, spin) = (rate(20.0), rate(20.0));
    let axis = if random.below(2) == 0 { DVec3::Y } else { random.direction() };
    let heading = if random.below(3) == 0 { DVec3::Y } else { random.direction() };
    let (linear, angular) = match random.below(4) {
        0 => (heading * speed, DVec3::ZERO),
        1 | 2 => (DVec3::ZERO, axis * spin),
        _ => (heading * speed, axis * spin),
    };
    // A beat so quick that it stays within some meters.
    let beat = if linear == DVec3::ZERO && random.below(2) == 0 { 0.0 } else { (speed / 1.5).max(0.5) };
    Machine { id, solid, offset, linear, angular, beat }
}

fn hero(random: &mut Random) -> Character {
    let (radius, height) = (random.between(0.15, 0.5), random.between(0.1, 0.9));
    let turn = if random.below(3) == 0 { random.rotation() } else { DQuat::IDENTITY };
    let shape: Mover = match random.below(4) {
        0 => Ellipsoid::new(DVec3::new(radius, radius + height, random.between(0.15, 0.5)))
            .and_then(|shape| shape.with_rotation(turn))
            .expect("lengths are above 0")
            .into(),
        1 => Capsule::new(radius, height)
            .and_then(|shape| shape.with_rotation(turn))
            .expect("lengths are above 0")
            .into(),
        2 => Sphere::new(radius).expect("is above 0").into(),
        _ => Cuboid::new(DVec3::new(radius, height.max(0.2), random.between(0.15, 0.5)))
            .and_then(|shape| shape.with_rotation(turn))
            .expect("lengths are above 0")
            .into(),
    };
    let pick = |random: &mut Random, of: &[f64]| of[random.below(of.len())];
    let settings = Settings {
        gravity: DVec3::NEG_Y * pick(random, &[9.81, 9.81, 9.81, 0.0]),
        step_height: pick(random, &[0.4, 0.4, 0.0]),
        // About half of them; without a number of their own the worlds of all seeds stay as they are.
        air_steps: radius > 0.325,
        ..Settings::default()
    };
    Character::new(shape, settings).expect("the settings are in their ranges")
}

/// Puts a hero somewhere where it is in nothing.
fn place(world: &World, machines: &[Machine], cast: &mut [Character], number: usize, random: &mut Random) {
    for attempt in 0..400 {
        let far = 0.01 * f64::from(attempt);
        let half = cast[number].shape().bounds().half_extents();
        let at = random.heading() * random.between(0.2, 2.5 + far)
            + DVec3::Y * (half.y + random.between(0.002, 0.5 + far));
        let grown = cast[number].shape().grown(0.02).expect("is larger");
        let is_free = || {
            machines.iter().all(|machine| {
                let pose = world.body(machine.id).expect("nothing is removed").pose();
                depth(&grown, at, machine.solid, machine.middle(pose), pose.rotation()) == 0.0
            })
        };
        let apart = cast.iter().enumerate().all(|(other, hero)| {
            other == number
                || (hero.position() - at).length()
                    > half.length() + hero.shape().bounds().half_extents().length()
        });
        if apart && is_free() {
            cast[number].teleport(at).expect("is finite");
            return;
        }
    }
    cast[number].teleport(DVec3::new(0.0, 4.0 + 3.0 * number as f64, 0.0)).expect("is finite");
}

fn mood(random: &mut Random) -> Input {
    let speed = random.between(0.5, 8.0);
    let desired_velocity = match random.below(8) {
        0..=2 => None,
        3 => Some(random.direction() * speed),
        _ => Some(random.heading() * speed),
    };
    Input { desired_velocity, jump: (random.below(4) == 0).then(|| random.between(1.0, 6.0)) }
}
