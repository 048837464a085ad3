//! Heroes that are held: a player presses a key, the path is free, and nothing happens.
//!
//! A seeded player presses one of the eight directions of a keyboard for half a second, then another, and
//! jumps now and then. Counted are the keys that moved it by less than a tenth of what was wished although
//! the body swept by itself, raised by up to a step, has the whole path free. Where it could step to is found
//! by casts and contacts alone, which know nothing of the character. A seed names the same run on every
//! machine.

use core::f64::consts::FRAC_PI_4;
use core::fmt;

use carom::character::{Character, Crowd, Input, Obstacle, Report};
use carom::num::ops;
use carom::world::{Cast, World};
use carom::{Layers, Mover};
use glam::DVec3;

use crate::Random;

pub mod solids;
pub mod worlds;

/// Ticks in a second of the runs.
pub const RATES: [f64; 6] = [20.0, 30.0, 60.0, 144.0, 240.0, 1000.0];

/// How long a key is pressed, in seconds.
const KEY: f64 = 0.5;

/// Less than this share of what was wished is nothing.
const NOTHING: f64 = 0.1;

/// The share of the skin with which ways are tried.
const BODY: f64 = 1.0 - 1.0 / 1024.0;

/// The raised ways are tried at this many heights from 0 to a step.
const HEIGHTS: u32 = 8;

/// Places along a free path at which it is looked whether one may stand.
const PLACES: u32 = 32;

/// A contact with less of up than this is a wall.
const LEVEL: f64 = 1e-6;

/// Why a desired motion whose way is free led nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// The way is free without being raised.
    Free,
    /// Within the body's smallest radius there is a surface to step on.
    Step,
    /// It hangs in the air, and does not fall.
    Air,
    /// A surface to step on is farther away than the body's smallest radius, and before it there is no
    /// ground.
    Over,
    /// On the free path there is nothing to stand on that is higher than where it is: by the law of walls.
    Nothing,
}

impl Class {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Free, Self::Step, Self::Air, Self::Over, Self::Nothing];

    /// Whether the laws of the character allow it.
    pub fn is_lawful(self) -> bool {
        matches!(self, Self::Over | Self::Nothing)
    }
}

/// Counts of the events of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Ticks, one for each hero.
    pub ticks: u64,
    /// Keys that were judged.
    pub keys: u64,
    /// Keys that did nothing although the way was free, by class.
    pub held: [u64; Class::ALL.len()],
}

impl Counts {
    /// Adds those of another run.
    pub fn add(&mut self, other: &Self) {
        self.ticks += other.ticks;
        self.keys += other.keys;
        self.held.iter_mut().zip(other.held).for_each(|(sum, more)| *sum += more);
    }

    /// Keys that did nothing and that no law allows.
    pub fn faults(&self) -> u64 {
        let faults = Class::ALL.iter().filter(|class| !class.is_lawful());
        faults.map(|class| self.held[*class as usize]).sum()
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>10} {:>8}", self.ticks, self.keys)?;
        self.held.iter().try_for_each(|held| write!(f, " {held:>8}"))
    }
}

/// A key that did nothing although the way was free.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Why.
    pub class: Class,
    /// Where, and how to play it again.
    pub tell: String,
    /// The hero at the end of the key.
    pub hero: Character,
    /// The input of the key.
    pub input: Input,
    /// The length of a tick, in seconds.
    pub dt: f64,
}

/// The name of a run in a given world.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Everything else follows from it.
    pub seed: u64,
    /// How many ticks of the world.
    pub ticks: u64,
    /// Below this height, in meters, a hero has fallen out and begins elsewhere.
    pub lowest: f64,
}

/// The input of a hero, and since when and where it is held.
#[derive(Clone, Copy)]
struct Key {
    input: Input,
    from: DVec3,
    /// Whether nothing happened since that explains a halt: a crush, a jump, another hero in the way.
    is_plain: bool,
    was_in_air: bool,
}

impl Run {
    /// Plays in a world with heroes that `spawn` puts somewhere, and returns those that were held.
    pub fn play(
        &self,
        world: &World,
        heroes: usize,
        spawn: &mut dyn FnMut(&mut Random) -> Option<Character>,
    ) -> (Counts, Vec<Finding>) {
        let mut random = Random::scattered(self.seed);
        let (mut counts, mut findings) = (Counts::default(), Vec::new());
        let rate = RATES[random.below(RATES.len())];
        let ticks_of_a_key = (KEY * rate) as u64;
        let mut cast: Vec<Character> = (0..heroes).filter_map(|_| spawn(&mut random)).collect();
        let mut inputs = vec![Input::IDLE; cast.len()];
        let mut keys: Vec<Key> = cast.iter().map(|hero| Key::new(hero, Input::IDLE)).collect();
        let mut crowd = Crowd::new();
        for tick in 0..self.ticks {
            if cast.is_empty() {
                break;
            }
            if tick % ticks_of_a_key == 0 {
                for i in 0..cast.len() {
                    if tick > 0 {
                        counts.keys += 1;
                        if let Some((class, tell)) = judge(world, &cast, i, &keys[i]) {
                            counts.held[class as usize] += 1;
                            let tell = format!(
                                "{class:?}: --seed {} tick {tick} of {rate} Hz, hero {i}: {tell}",
                                self.seed
                            );
                            let (input, dt) = (keys[i].input, 1.0 / rate);
                            findings.push(Finding { class, tell, hero: cast[i], input, dt });
                        }
                    }
                    keys[i] = Key::new(&cast[i], press(&mut random));
                    inputs[i] = keys[i].input;
                }
            }
            let reports = crowd.step_all(world, &mut cast, &inputs, 1.0 / rate).to_vec();
            for (i, report) in reports.iter().enumerate() {
                counts.ticks += 1;
                keys[i].see(report, &cast, i);
                // A jump is one tick long.
                inputs[i].jump = None;
                if report.position.y < self.lowest
                    && let Some(hero) = spawn(&mut random)
                {
                    cast[i] = hero;
                    keys[i].is_plain = false;
                }
            }
        }
        (counts, findings)
    }
}

fn press(random: &mut Random) -> Input {
    let (sin, cos) = ops::sin_cos(f64::from(random.below(8) as u32) * FRAC_PI_4);
    let speed = [2.0, 4.0, 6.0][random.below(3)];
    let walk = Input::walk(DVec3::new(cos, 0.0, sin) * speed);
    if random.below(4) == 0 { walk.jump(random.between(2.0, 5.0)) } else { walk }
}

impl Key {
    fn new(hero: &Character, input: Input) -> Self {
        let was_in_air = hero.ground().is_none();
        Self { input, from: hero.position(), is_plain: input.jump.is_none(), was_in_air }
    }

    /// Another that was in the way may be gone when the key is judged.
    fn see(&mut self, report: &Report, cast: &[Character], i: usize) {
        let translation = self.input.desired_velocity.unwrap_or(DVec3::ZERO) * KEY;
        self.is_plain = self.is_plain && !report.crushed() && is_clear_of_others(cast, i, translation);
    }
}

/// Whether a hero is held at the end of a key, and how.
fn judge(world: &World, cast: &[Character], i: usize, key: &Key) -> Option<(Class, String)> {
    let hero = &cast[i];
    let desired = key.input.desired_velocity.filter(|_| key.is_plain)? * KEY;
    let (at, moved) = (hero.position(), hero.position() - key.from);
    if moved.with_y(0.0).length() >= NOTHING * desired.length() {
        return None;
    }
    let tell = |what: &str| {
        format!(
            "{what} at {at:?} from {:?} desired {:?} {:?} on {:?}",
            key.from,
            desired / KEY,
            hero.shape(),
            hero.ground().map(|ground| ground.normal)
        )
    };
    if hero.ground().is_none() {
        let hangs = key.was_in_air && moved.length() < NOTHING * hero.skin();
        return hangs.then(|| (Class::Air, tell("")));
    }
    // A way is free for the body with its skin, but for what rounding makes of that.
    let mover = hero.shape().grown(BODY * hero.skin()).ok()?;
    let step = hero.settings().step_height;
    // The whole body, raised by a step, passes whatever the smaller one passes at this height.
    let highest = step - (1.0 - BODY) * hero.skin();
    let free = |from: DVec3, translation: DVec3| {
        translation == DVec3::ZERO
            || Cast::new(mover, from, translation).is_ok_and(|cast| world.cast(&cast).is_none())
    };
    let height = (0..=HEIGHTS)
        .map(|share| DVec3::Y * (highest * f64::from(share) / f64::from(HEIGHTS)))
        .take_while(|height| free(at, *height))
        .find(|height| free(at + *height, desired))?;
    if height == DVec3::ZERO {
        return Some((Class::Free, tell("")));
    }
    let stands_at = lowest_support(world, hero, at)?;
    let beyond =
        (1..=PLACES).map(|share| desired * (f64::from(share) / f64::from(PLACES))).find(|translation| {
            let raised = at + height + *translation;
            let drop = DVec3::NEG_Y * height.y;
            let fraction = Cast::new(grown(hero), raised, drop).ok().and_then(|cast| world.cast(&cast));
            let to = raised + drop * fraction.map_or(1.0, |hit| hit.fraction);
            to.y > at.y + hero.skin()
                && lowest_support(world, hero, to).is_some_and(|support| support <= stands_at + step)
        });
    let class = match beyond {
        None => Class::Nothing,
        Some(translation) if translation.length() <= hero.shape().smallest_radius() => Class::Step,
        Some(_) => Class::Over,
    };
    Some((class, tell(&format!("raised by {:.3}, beyond {:.3?}", height.y, beyond.map(DVec3::length)))))
}

fn grown(hero: &Character) -> Mover {
    hero.shape().grown(hero.skin()).unwrap_or(*hero.shape())
}

/// How high the lowest contact is that holds a hero at a place by itself: by its own normal, or by a face
/// that meets there.
fn lowest_support(world: &World, hero: &Character, at: DVec3) -> Option<f64> {
    let least = ops::cos(hero.settings().max_slope) - LEVEL;
    let mut lowest: Option<f64> = None;
    let mut contacts = Vec::new();
    world.contacts(&grown(hero), at, 0.25 * hero.skin(), Layers::ALL, |near| contacts.push(near));
    for near in contacts {
        let mut most = near.contact.normal.y;
        if most <= LEVEL {
            continue;
        }
        world.surface_normals_at(near.part, &near.contact, 1.0, &mut |normal| most = most.max(normal.y));
        if most >= least {
            lowest = Some(lowest.map_or(near.contact.point.y, |lowest| lowest.min(near.contact.point.y)));
        }
    }
    lowest
}

/// Whether no other hero is near the way of one, but those that stand on its head.
fn is_clear_of_others(cast: &[Character], i: usize, translation: DVec3) -> bool {
    let hero = &cast[i];
    let half = grown(hero).bounds().half_extents();
    let (from, to) = (hero.position(), hero.position() + translation);
    let (low, high) = (from.min(to) - half, from.max(to) + half + DVec3::Y * hero.settings().step_height);
    cast.iter().enumerate().filter(|(other, _)| *other != i).all(|(_, other)| {
        let (center, size) = (other.position(), grown(other).bounds().half_extents());
        let is_on_head =
            other.ground().is_some_and(|ground| ground.obstacle == Obstacle::Character(i as u32));
        let is_apart = (center - size).cmpgt(high).any() || (center + size).cmplt(low).any();
        is_on_head || is_apart
    })
}
