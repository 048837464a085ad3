//! Random yards: crates, balls and barrels that players push, among walls, ramps, one-way platforms, lifts
//! and doors that turn, and what no tick of theirs may do.
//!
//! The players walk, jump, crouch and rise, fly without gravity and are launched, at 20 to 240 ticks a
//! second. After each tick every player and every pushed body is compared with everything else by
//! [`overlap`](crate::machines::overlap), which knows nothing of what is tested: a player is in nothing, or
//! the report says crushed; a pushed body is in nothing, or [`PushedBodies::pressed`] names what it is in,
//! and that moves. Nothing goes faster than something may make it, and nothing leaves the yard. A seed names
//! the same run on every machine.

use carom::character::{Character, Crowd, Input, Settings};
use carom::num::ops;
use carom::pushed::PushedBodies;
use carom::world::{Body, BodyId, Collider, Layers, Pose, World};
use carom::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use glam::{DQuat, DVec3, dvec3};

use crate::Random;
use crate::machines::overlap::{Solid, depth};

/// Half the side of the yard, in meters, and how high its walls are.
const HALF: f64 = 8.0;
const HIGH: f64 = 12.0;
/// An overlap that is deeper than this is a fault, in meters.
const DEEP: f64 = 1e-7;
/// A lift or a door moves at most so fast, in m/s, and a door turns at most so fast, in rad/s.
const FASTEST: f64 = 2.0;
const SPIN: f64 = 4.0;
/// Half the length of a door, in meters.
const DOOR: f64 = 1.3;
/// Twice as fast as the end of a door, with a body there, and a fall from the highest place: in m/s.
const MOST_SPEED: f64 = 2.0 * (FASTEST + SPIN * 2.0 * DOOR) + 16.0;
/// A key is held for so long, in seconds.
const KEY: f64 = 0.5;
/// The layer of the one-way platforms.
const ONE_WAY: Layers = Layers::one(5);

/// Counts of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Ticks, one for each player.
    pub ticks: u64,
    /// Ticks, one for each pushed body.
    pub pushed: u64,
    /// Ticks of a pushed body that had no room, and was named.
    pub pressed: u64,
    /// Ticks that ended inside something, without a word: a fault.
    pub inside: u64,
    /// Ticks that moved something faster than anything may: a fault.
    pub leaps: u64,
    /// Things that left the yard: a fault.
    pub out: u64,
}

impl Counts {
    /// Adds those of another run.
    pub fn add(&mut self, other: &Self) {
        self.ticks += other.ticks;
        self.pushed += other.pushed;
        self.pressed += other.pressed;
        self.inside += other.inside;
        self.leaps += other.leaps;
        self.out += other.out;
    }

    /// The number of events that must not happen.
    pub fn faults(&self) -> u64 {
        self.inside + self.leaps + self.out
    }
}

/// A body of the yard.
#[derive(Clone, Copy)]
struct Thing {
    id: BodyId,
    solid: Solid,
    is_one_way: bool,
}

impl Thing {
    /// Half the sides of its bounds, in its own frame.
    fn half(&self) -> DVec3 {
        match self.solid {
            Solid::Box(half) => half,
            Solid::Ball(radius) => DVec3::splat(radius),
            Solid::Capsule(radius, length) => dvec3(radius, radius + length, radius),
        }
    }
}

/// A body that goes to and fro, and may turn.
#[derive(Clone, Copy)]
struct Driven {
    id: BodyId,
    linear: DVec3,
    spin: f64,
    /// Seconds there, and seconds back.
    beat: f64,
}

/// A pushed body.
#[derive(Clone, Copy)]
struct Pushed {
    id: BodyId,
    mover: Mover,
}

/// A player.
struct Player {
    tall: Mover,
    input: Input,
}

struct Yard {
    world: World,
    pushed: PushedBodies,
    things: Vec<Thing>,
    driven: Vec<Driven>,
    crates: Vec<Pushed>,
    cast: Vec<Character>,
    players: Vec<Player>,
}

/// Plays the yard of a seed for some seconds, and tells what went wrong.
pub fn play(seed: u64, seconds: f64) -> (Counts, Vec<String>) {
    let mut random = Random::scattered(seed);
    let rate = [20.0, 30.0, 60.0, 144.0, 240.0][random.below(5)];
    let mut yard = Yard::new(&mut random);
    let mut crowd = Crowd::new();
    let (mut counts, mut lines) = (Counts::default(), Vec::new());
    let ticks_of_a_key = (KEY * rate) as u64;
    for tick in 0..(seconds * rate) as u64 {
        if tick % ticks_of_a_key == 0 {
            yard.press_keys(&mut random);
        }
        let before = yard.places();
        let (time, dt) = (tick as f64 / rate, 1.0 / rate);
        let Yard { world, pushed, driven, .. } = &mut yard;
        pushed.advance(world, dt, |moves| {
            for Driven { id, linear, spin, beat } in driven.iter() {
                let forth = if ((time / beat) as u64).is_multiple_of(2) { 1.0 } else { -1.0 };
                moves.drive(*id, *linear * forth, DVec3::Y * *spin).expect("it is kinematic");
            }
        });
        yard.open_platforms();
        let inputs: Vec<Input> = yard.players.iter().map(|player| player.input).collect();
        let reports = crowd.step_all(&yard.world, &mut yard.cast, &inputs, dt);
        for report in reports {
            yard.pushed.push_all(&yard.world, report.pushes());
        }
        let crushed: Vec<bool> = reports.iter().map(carom::character::Report::crushed).collect();
        let mut tell = |what: &str| lines.push(format!("seed {seed} tick {tick} of {rate} Hz: {what}"));
        yard.judge(&crushed, &before, dt, &mut counts, &mut tell);
        for player in &mut yard.players {
            // A jump is one tick long.
            player.input.jump = None;
        }
        // A fault goes on for many ticks.
        if !lines.is_empty() {
            break;
        }
    }
    (counts, lines)
}

impl Yard {
    fn new(random: &mut Random) -> Self {
        let gravity = Settings::default().gravity;
        let friction = [0.0, 0.1, 0.4, 0.8][random.below(4)];
        let pushed = PushedBodies::new(gravity).and_then(|pushed| pushed.with_friction(friction));
        let mut yard = Self {
            world: World::new(),
            pushed: pushed.expect("is at least 0"),
            things: Vec::new(),
            driven: Vec::new(),
            crates: Vec::new(),
            cast: Vec::new(),
            players: Vec::new(),
        };
        yard.add_box(dvec3(HALF, 1.0, HALF), dvec3(0.0, -1.0, 0.0), DQuat::IDENTITY);
        for (x, z) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
            let half =
                dvec3(if x == 0.0 { HALF + 2.0 } else { 1.0 }, HIGH / 2.0, if z == 0.0 { HALF } else { 1.0 });
            let at = dvec3(x, 0.0, z) * (HALF + 1.0) + DVec3::Y * (HIGH / 2.0 - 0.5);
            yard.add_box(half, at, DQuat::IDENTITY);
        }
        for _ in 0..random.below(4) {
            yard.add_block(random);
        }
        for _ in 0..random.below(3) {
            yard.add_platform(random);
        }
        for _ in 0..random.below(3) {
            yard.add_driven(random);
        }
        for _ in 0..1 + random.below(7) {
            yard.add_crate(random);
        }
        for place in 0..1 + random.below(3) {
            yard.add_player(random, place);
        }
        yard
    }

    fn add(&mut self, body: Body, solid: Solid, is_one_way: bool) -> BodyId {
        let id = self.world.add(body);
        self.things.push(Thing { id, solid, is_one_way });
        id
    }

    fn add_box(&mut self, half: DVec3, at: DVec3, turn: DQuat) {
        self.add(Body::fixed(cuboid(half)).at((at, turn)), Solid::Box(half), false);
    }

    /// A block that a player walks around or over, or a ramp.
    fn add_block(&mut self, random: &mut Random) {
        let half = dvec3(random.between(0.2, 3.0), random.between(0.05, 1.0), random.between(0.2, 3.0));
        let at = dvec3(random.between(-7.0, 7.0), half.y, random.between(-7.0, 7.0));
        let turn = any_yaw(random);
        let tilt = if random.below(3) == 0 { random.between(0.1, 0.6) } else { 0.0 };
        self.add_box(half, at, turn * ops::rotation_about(DVec3::X, tilt));
    }

    fn add_platform(&mut self, random: &mut Random) {
        let half = dvec3(random.between(0.5, 2.0), 0.05, random.between(0.5, 2.0));
        let at = dvec3(random.between(-6.0, 6.0), random.between(0.8, 2.5), random.between(-6.0, 6.0));
        self.add(Body::fixed(cuboid(half)).at(at).on(ONE_WAY), Solid::Box(half), true);
    }

    /// A lift, a plate that slides, or a door that also turns.
    fn add_driven(&mut self, random: &mut Random) {
        let is_door = random.below(2) == 0;
        let half = if is_door { dvec3(DOOR, 0.8, 0.1) } else { dvec3(1.0, 0.1, 1.0) };
        let at = dvec3(random.between(-6.0, 6.0), 0.05, random.between(-6.0, 6.0));
        let id = self.add(Body::kinematic(cuboid(half)).at(at), Solid::Box(half), false);
        let heading = if random.below(2) == 0 { DVec3::Y } else { random.heading() };
        let spin = if is_door { random.between(-SPIN, SPIN) } else { 0.0 };
        let linear = heading * random.between(0.2, FASTEST);
        self.driven.push(Driven { id, linear, spin, beat: random.between(0.5, 3.0) });
    }

    fn add_crate(&mut self, random: &mut Random) {
        let half = dvec3(random.between(0.15, 0.8), random.between(0.15, 0.8), random.between(0.15, 0.8));
        let (collider, mover, solid, turn): (Collider, Mover, Solid, DQuat) = match random.below(4) {
            0 => {
                let ball = Sphere::new(half.x).expect("is above 0");
                (ball.into(), ball.into(), Solid::Ball(half.x), DQuat::IDENTITY)
            }
            1 => {
                let barrel = Capsule::new(half.x, half.y).expect("is above 0");
                (barrel.into(), barrel.into(), Solid::Capsule(half.x, half.y), DQuat::IDENTITY)
            }
            _ => (cuboid(half).into(), cuboid(half).into(), Solid::Box(half), any_yaw(random)),
        };
        let mover = mover.turned(turn).expect("is of length one");
        let at = dvec3(random.between(-4.0, 4.0), random.between(1.0, 5.0), random.between(-4.0, 4.0));
        let mass = [5.0, 20.0, 80.0, 400.0][random.below(4)];
        if !self.world.overlaps(mover, at, Layers::ALL).expect("is finite").is_empty() {
            return;
        }
        let body = Body::dynamic(collider, mass).expect("is above 0").at((at, turn));
        let id = self.add(body, solid, false);
        self.pushed.add(&self.world, id).expect("it is new");
        self.crates.push(Pushed { id, mover });
    }

    fn add_player(&mut self, random: &mut Random, place: usize) {
        let tall: Mover = match random.below(4) {
            0 => Capsule::new(0.3, 0.6).expect("is above 0").into(),
            1 => Sphere::new(0.5).expect("is above 0").into(),
            2 => Ellipsoid::new(dvec3(0.4, 0.9, 0.4)).expect("is above 0").into(),
            _ => cuboid(dvec3(0.35, 0.9, 0.35)).into(),
        };
        let at = dvec3(-7.0 + 5.0 * place as f64, 1.5, -7.2);
        if !self.world.overlaps(tall, at, Layers::ALL).expect("is finite").is_empty() {
            return;
        }
        let hero = Character::new(tall, Settings::default()).and_then(|hero| hero.at(at));
        self.cast.push(hero.expect("is finite"));
        self.players.push(Player { tall, input: Input::IDLE });
    }

    /// Each player presses another key, and may crouch, rise, begin or stop to fly, or be launched.
    fn press_keys(&mut self, random: &mut Random) {
        for i in 0..self.cast.len() {
            let has_room = self.can_rise(i);
            let (hero, player) = (&mut self.cast[i], &mut self.players[i]);
            let (sin, cos) = ops::sin_cos(core::f64::consts::FRAC_PI_4 * f64::from(random.below(8) as u32));
            let desired = dvec3(cos, 0.0, sin) * [2.0, 4.0, 6.0][random.below(3)];
            player.input = Input::walk(desired);
            if random.below(4) == 0 {
                player.input = player.input.jump(4.0);
            }
            let settings = *hero.settings();
            let gravity = match random.below(10) {
                0 | 1 => {
                    // It may have no room, and stays as it is.
                    let _ = hero.resize(&self.world, crouched(player.tall));
                    settings.gravity
                }
                2..=4 => {
                    if has_room {
                        let _ = hero.resize(&self.world, player.tall);
                    }
                    settings.gravity
                }
                5 => {
                    player.input = Input::walk(desired * 0.5 + DVec3::Y * random.between(-3.0, 3.0));
                    DVec3::ZERO
                }
                6 | 7 => Settings::default().gravity,
                8 => {
                    hero.launch(random.direction() * random.between(1.0, 9.0)).expect("is finite");
                    settings.gravity
                }
                _ => settings.gravity,
            };
            hero.set_settings(Settings { gravity, ..settings }).expect("are in their ranges");
        }
    }

    /// Whether no other player is where this one would be if it rose: [`Character::resize`] looks for room in
    /// the world only.
    fn can_rise(&self, i: usize) -> bool {
        let (hero, tall) = (&self.cast[i], self.players[i].tall);
        let top = |mover: &Mover| mover.support_point(DVec3::Y).y;
        let at = hero.position() + DVec3::Y * (top(&tall) - top(hero.shape()));
        let grown = tall.grown(0.01).expect("is larger");
        let is_in = |other: &Character| grown.overlaps(other.shape(), other.position() - at);
        self.cast.iter().enumerate().all(|(j, other)| j == i || !is_in(other))
    }

    /// A platform is met only by players whose feet are above it, as in the cookbook.
    fn open_platforms(&mut self) {
        let tops: Vec<(DVec3, DVec3)> = self
            .things
            .iter()
            .filter(|thing| thing.is_one_way)
            .filter_map(|thing| match thing.solid {
                Solid::Box(half) => Some((self.pose(thing.id).position(), half)),
                _ => None,
            })
            .collect();
        for hero in &mut self.cast {
            let feet = hero.position().y + hero.shape().support_point(DVec3::NEG_Y).y;
            let is_below = tops.iter().any(|(at, half)| {
                let apart = (hero.position() - *at).abs();
                apart.x < half.x + 1.0 && apart.z < half.z + 1.0 && feet < at.y + half.y
            });
            let collides_with = if is_below { !ONE_WAY } else { Layers::ALL };
            let settings = Settings { collides_with, ..*hero.settings() };
            hero.set_settings(settings).expect("are in their ranges");
        }
    }

    fn pose(&self, id: BodyId) -> &Pose {
        self.world.body(id).expect("nothing is removed").pose()
    }

    /// The places of the players, then those of the pushed bodies.
    fn places(&self) -> Vec<DVec3> {
        let crates = self.crates.iter().map(|one| self.pose(one.id).position());
        self.cast.iter().map(Character::position).chain(crates).collect()
    }

    /// The deepest overlap of a shape, and with what.
    fn deepest(&self, shape: &Mover, at: DVec3, counts: impl Fn(&Thing) -> bool) -> Option<(f64, BodyId)> {
        let half = shape.bounds().half_extents();
        let depth_in = |thing: &Thing| {
            let pose = self.pose(thing.id);
            let apart = pose.rotation().conjugate() * (at - pose.position());
            // The search for the depth of an ellipsoid is long.
            let is_far = (apart.abs() - thing.half()).max_element() > half.length();
            let depth = || depth(shape, at, thing.solid, pose.position(), pose.rotation());
            (if is_far { 0.0 } else { depth() }, thing.id)
        };
        let all = self.things.iter().filter(|thing| counts(thing)).map(depth_in);
        all.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(depth, _)| *depth > DEEP)
    }

    fn judge(
        &self,
        crushed: &[bool],
        before: &[DVec3],
        dt: f64,
        counts: &mut Counts,
        tell: &mut impl FnMut(&str),
    ) {
        for (i, place) in self.places().into_iter().enumerate() {
            let way = (place - before[i]).with_y(0.0).length();
            if way > MOST_SPEED * dt {
                counts.leaps += 1;
                tell(&format!("{i} leaps {way} m from {}", before[i]));
            }
            if place.abs().max_element() > HIGH || place.y < -0.5 {
                counts.out += 1;
                tell(&format!("{i} is out, at {place}"));
            }
        }
        for (i, hero) in self.cast.iter().enumerate() {
            counts.ticks += 1;
            let meets_platforms = hero.settings().collides_with == Layers::ALL;
            let met = |thing: &Thing| meets_platforms || !thing.is_one_way;
            if let Some((depth, id)) =
                self.deepest(hero.shape(), hero.position(), met).filter(|_| !crushed[i])
            {
                counts.inside += 1;
                tell(&format!("player {i} {:?} at {} {depth} m in {id:?}", hero.shape(), hero.position()));
            }
        }
        for Pushed { id, mover } in &self.crates {
            counts.pushed += 1;
            let at = self.pose(*id).position();
            let named: Vec<BodyId> = self
                .pushed
                .pressed()
                .filter(|pressed| pressed.body == *id)
                .map(|pressed| pressed.by)
                .collect();
            counts.pressed += named.len() as u64;
            let may_be_in = |thing: &Thing| {
                thing.id == *id || !named.is_empty() && self.driven.iter().any(|driven| driven.id == thing.id)
            };
            if let Some((depth, by)) = self.deepest(mover, at, |thing| !may_be_in(thing)) {
                counts.inside += 1;
                tell(&format!("{id:?} {mover:?} at {at} {depth} m in {by:?}, named {named:?}"));
            }
        }
    }
}

fn cuboid(half: DVec3) -> Cuboid {
    Cuboid::new(half).expect("lengths are above 0")
}

/// Half of them none.
fn any_yaw(random: &mut Random) -> DQuat {
    let angle = if random.below(2) == 0 { 0.0 } else { random.between(0.0, 3.0) };
    ops::rotation_about(DVec3::Y, angle)
}

/// The same at half its height; a ball stays as it is.
fn crouched(tall: Mover) -> Mover {
    let half = dvec3(1.0, 0.5, 1.0);
    match tall {
        Mover::Capsule(capsule) => {
            Capsule::new(capsule.radius(), 0.5 * capsule.half_height()).expect("is above 0").into()
        }
        Mover::Cuboid(tall) => cuboid(tall.half_extents() * half).into(),
        Mover::Ellipsoid(ellipsoid) => Ellipsoid::new(ellipsoid.radii() * half).expect("is above 0").into(),
        other => other,
    }
}
