//! The laws of a tick.

use carom::character::{Character, Input, Obstacle};
use carom::trace::{Event, Trace};
use carom::world::{Cast, World};
use carom::{Layers, Mover};
use glam::DVec3;

/// The ways that a tick swept, from where to where.
#[derive(Default)]
pub(crate) struct Ways(Vec<(DVec3, DVec3)>);

impl Trace<Obstacle> for Ways {
    fn event(&mut self, event: &Event<'_, Obstacle>) {
        if let Event::Sweep { from, translation, hit } = *event {
            let share = hit.map_or(1.0, |hit| hit.fraction);
            self.0.push((from, from + translation * share));
        }
    }
}

/// How far apart two places may be and be the same: what a few sums of numbers of this size round to.
fn rounding(a: DVec3) -> f64 {
    256.0 * f64::EPSILON * (1.0 + a.abs().max_element())
}

impl Ways {
    /// The way through a triangle by which the center came from one place to another, if there is one. Parts
    /// that it tried and took back count too: they had to be free as well. A place that no free path led to
    /// is reached through the air, in a straight line.
    pub(crate) fn crossing(&self, world: &World, from: DVec3, to: DVec3) -> Option<String> {
        let mut reached = vec![from];
        for &(start, end) in &self.0 {
            if !reached.iter().any(|at| (*at - start).length() <= rounding(start)) {
                // Moved without a sweep, as where it is pushed out of what it overlaps.
                let before = reached[reached.len() - 1];
                if let Some(triangle) = crosses(world, before, start) {
                    return Some(format!("triangle {triangle} from {before} to {start}, not swept"));
                }
                reached.push(start);
            }
            if let Some(triangle) = crosses(world, start, end) {
                return Some(format!("triangle {triangle} from {start} to {end}"));
            }
            reached.push(end);
        }
        if reached.iter().any(|at| (*at - to).length() <= rounding(to)) {
            return None;
        }
        let last = reached[reached.len() - 1];
        crosses(world, last, to).map(|triangle| format!("triangle {triangle} from {last} to {to}, not swept"))
    }
}

/// The triangle that the straight path of a point crosses.
fn crosses(world: &World, from: DVec3, to: DVec3) -> Option<u32> {
    let way = to - from;
    if way == DVec3::ZERO {
        return None;
    }
    world.cast(&Cast::new(Mover::Point, from, way).ok()?).map(|hit| hit.part)
}

/// How deep the shape with its skin is in the level, beyond rounding: 0 where it is free.
pub(crate) fn depth(world: &World, character: &Character, at: DVec3) -> f64 {
    let Ok(grown) = character.shape().grown(character.skin()) else { return 0.0 };
    let mut deepest = 0.0f64;
    world.contacts(&grown, at, 0.0, Layers::ALL, |near| {
        let size = at.abs().max_element() + near.contact.point.abs().max_element();
        if -near.contact.gap > 64.0 * f64::EPSILON * size {
            deepest = deepest.max(-near.contact.gap);
        }
    });
    deepest
}

/// Ticks that are tried in each direction.
const TRIES: u32 = 30;
const DT: f64 = 1.0 / 60.0;

/// How far a character gets in the best of eight directions, as a share of the ideal.
fn best_way(world: &World, character: &Character) -> f64 {
    let speed = 3.0;
    (0..8).fold(0.0, |best: f64, direction| {
        let angle = f64::from(direction) * core::f64::consts::FRAC_PI_4;
        let (sin, cos) = carom::num::ops::sin_cos(angle);
        let mut walker = *character;
        for _ in 0..TRIES {
            walker.step(world, Input::walk(DVec3::new(cos, 0.0, sin) * speed), DT);
        }
        let way = walker.position() - character.position();
        best.max(way.length() / (speed * DT * f64::from(TRIES)))
    })
}

/// Why a character does not get on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// It does, in another direction.
    None,
    /// By its state: a fresh one gets on. A fault.
    Stuck,
    /// By its place alone: a fresh one a skin higher or aside gets on.
    Snag,
    /// By walls.
    Pit,
}

/// Whether a character that does not get on is held by more than walls.
pub(crate) fn hold(world: &World, character: &Character) -> Hold {
    /// Less than this share of the way is none.
    const NONE: f64 = 0.05;
    /// More than this is one.
    const SOME: f64 = 0.3;
    if best_way(world, character) > NONE {
        return Hold::None;
    }
    let fresh = |at: DVec3| {
        let mut fresh = *character;
        fresh.teleport(at).is_ok() && depth(world, &fresh, at) == 0.0 && best_way(world, &fresh) > SOME
    };
    let at = character.position();
    if fresh(at) {
        return Hold::Stuck;
    }
    let skin = character.skin();
    let beside = [DVec3::Y, DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z];
    if beside.iter().any(|way| fresh(at + *way * skin)) { Hold::Snag } else { Hold::Pit }
}
