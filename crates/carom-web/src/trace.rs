//! The events of a tick and their reasons, as numbers: `why.js` makes words of them.

use carom::character::Obstacle;
use carom::glam::DVec3;
use carom::trace::{Decision, Event, Holding, Stage, Trace};

/// Notes one after the other, each a code and its numbers:
///
/// - 0, a stage: which of probe, depenetrate, walk, step, snap, fall.
/// - 1, a sweep: from, translation, the free share, body and part of what was met; nothing: −1, −1.
/// - 2, a motion was solved for: the motion wanted, the motion found, how many planes hold it, and of each
///   body, part, normal, bound.
/// - 3: crushed.
/// - 4, a decision: which of stands, holds, jumps, leaves the ground, steps, cannot step, snaps, recovers,
///   is crushed, refuses; a number or 0; a normal or 0, 0, 0.
///
/// Another character is the body −2 − its number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    pub(crate) numbers: Vec<f64>,
    pub(crate) are_wanted: bool,
}

impl Notes {
    fn vector(&mut self, v: DVec3) {
        self.numbers.extend(v.to_array());
    }

    fn obstacle(&mut self, obstacle: Obstacle) {
        self.numbers.extend(pair(obstacle));
    }
}

/// Body and part.
pub(crate) fn pair(obstacle: Obstacle) -> [f64; 2] {
    match obstacle {
        Obstacle::Body(part) => [part.body.index().into(), part.part.into()],
        Obstacle::Character(number) => [-2.0 - f64::from(number), 0.0],
    }
}

impl Trace<Obstacle> for Notes {
    fn event(&mut self, event: &Event<'_, Obstacle>) {
        if !self.are_wanted {
            return;
        }
        match *event {
            Event::Stage(stage) => {
                let number = match stage {
                    Stage::Probe => 0.0,
                    Stage::Depenetrate => 1.0,
                    Stage::Walk => 2.0,
                    Stage::Step => 3.0,
                    Stage::Snap => 4.0,
                    Stage::Fall => 5.0,
                };
                self.numbers.extend([0.0, number]);
            }
            Event::Sweep { from, translation, hit } => {
                self.numbers.push(1.0);
                self.vector(from);
                self.vector(translation);
                self.numbers.push(hit.map_or(1.0, |hit| hit.fraction));
                self.numbers.extend(hit.map_or([-1.0, -1.0], |hit| pair(hit.key)));
            }
            Event::Solved { wanted, motion, held } => {
                self.numbers.push(2.0);
                self.vector(wanted);
                self.vector(motion);
                self.numbers.push(held.iter().flatten().count() as f64);
                for &Holding { key, normal, bound } in held.iter().flatten() {
                    self.obstacle(key);
                    self.vector(normal);
                    self.numbers.push(bound);
                }
            }
            Event::Crushed => self.numbers.push(3.0),
            Event::Decided(decision) => {
                let (number, amount, normal) = match decision {
                    Decision::Stands(normal) => (0.0, 0.0, normal),
                    Decision::Holds => (1.0, 0.0, DVec3::ZERO),
                    Decision::Jumps(speed) => (2.0, speed, DVec3::ZERO),
                    Decision::LeavesGround => (3.0, 0.0, DVec3::ZERO),
                    Decision::Steps(height) => (4.0, height, DVec3::ZERO),
                    Decision::CannotStep => (5.0, 0.0, DVec3::ZERO),
                    Decision::Snaps(height) => (6.0, height, DVec3::ZERO),
                    Decision::Recovers => (7.0, 0.0, DVec3::ZERO),
                    Decision::IsCrushed => (8.0, 0.0, DVec3::ZERO),
                    Decision::Refuses => (9.0, 0.0, DVec3::ZERO),
                };
                self.numbers.extend([4.0, number, amount]);
                self.vector(normal);
            }
        }
    }
}
