//! The laws that answers keep.

use carom::character::Outcome;
use carom::respond::Slide;
use carom::sweep::TOLERANCE;
use carom::world::{Collider, World};
use carom::{Layers, Mover};
use glam::DVec3;

use super::answer::Answer;
use super::problem::{Problem, Question};

/// A sweep may sink into a curved surface by no more than this many tolerances (`docs/patches.md`).
const SINKS: f64 = 3.5;

/// The depth of a mover up to which it is free after so many sweeps, in meters.
fn slack(world: &World, sweeps: u32) -> f64 {
    let sizes = world.bodies().filter(|(_, body)| matches!(body.collider(), Collider::Patches(_)));
    let size = sizes.filter_map(|(_, body)| body.bounds()).map(|bounds| 2.0 * bounds.half_extents().length());
    // One more, because the contact that tells the depth has a tolerance of its own.
    SINKS * f64::from(sweeps + 1) * TOLERANCE * size.fold(0.0, f64::max)
}

/// How deep a mover is in the world, beyond the rounding of a way to there; 0 where it is free.
fn depth(world: &World, mover: &Mover, at: DVec3, way: f64) -> f64 {
    let mut deepest = 0.0f64;
    world.contacts(mover, at, 0.0, Layers::ALL, |near| {
        let point = near.contact.point;
        let size = at.abs().max_element() + point.abs().max_element() + way;
        let rounding = 64.0 * f64::EPSILON * size + 2.0 * near.contact.rounding;
        if -near.contact.gap > rounding {
            deepest = deepest.max(-near.contact.gap);
        }
    });
    deepest
}

fn is_unit(normal: DVec3) -> bool {
    (normal.length_squared() - 1.0).abs() < 1e-9
}

/// A fault where a condition does not hold.
fn ensure(holds: bool, fault: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(fault()) }
}

impl Problem {
    /// Whether an answer is finite, ends inside nothing, and lists what it should.
    ///
    /// # Errors
    /// A law that is broken, in words.
    pub fn judge(&self, answer: &Answer) -> Result<(), String> {
        let world = &self.world;
        match (&self.question, answer) {
            (Question::Tick { character, .. }, Answer::Tick(report)) => {
                ensure(report.position.is_finite() && report.velocity.is_finite(), || "not finite".into())?;
                ensure(report.touched().all(|touched| is_unit(touched.normal)), || {
                    "a normal that is no unit vector".into()
                })?;
                let is_reported = report.crushed()
                    || matches!(report.outcome, Outcome::Crushed | Outcome::Recovered | Outcome::Refused);
                // Where there is no room for the skin a tick may leave half of it inside. Among bodies that
                // turn, sweeps are those of a smaller mover, and the skin is what is left.
                let is_moving = world.bodies().any(|(_, body)| body.is_moving());
                let skin = if is_moving { 0.0 } else { 0.5 * character.skin() };
                let grown = character.shape().grown(skin).map_err(|error| error.to_string())?;
                let deep = depth(world, &grown, report.position, 0.0);
                let slack = if is_moving { 1e-8 } else { slack(world, report.sweeps) };
                ensure(is_reported || deep <= slack, || format!("inside by {deep:e}, {:?}", report.outcome))
            }
            (Question::Cast(cast), Answer::Cast(Some(hit))) => {
                ensure((0.0..=1.0).contains(&hit.fraction), || format!("fraction {}", hit.fraction))?;
                ensure(hit.point.is_finite() && is_unit(hit.normal), || "point or normal".into())?;
                self.ends_free(cast.mover(), cast.path().from(), cast.path().at(hit.fraction), 1)
            }
            (Question::Cast(cast), Answer::Cast(None)) => {
                self.ends_free(cast.mover(), cast.path().from(), cast.path().at(1.0), 1)
            }
            (Question::Slide { mover, slide }, Answer::Slide(slid)) => {
                ensure(slid.position.is_finite() && slid.motion.is_finite(), || "not finite".into())?;
                ensure(slid.sweeps <= Slide::SWEEPS, || format!("{} sweeps", slid.sweeps))?;
                self.ends_free(mover, slide.from, slid.position, slid.sweeps)
            }
            (Question::Contacts { distance, .. }, Answer::Contacts(found)) => {
                for near in found {
                    let contact = near.contact;
                    let within = *distance + 1e-9 * (1.0 + contact.point.abs().max_element());
                    ensure(contact.gap <= within && is_unit(contact.normal), || format!("{contact:?}"))?;
                }
                Ok(())
            }
            (Question::Overlaps { mover, at }, Answer::Overlaps(found)) => {
                let mut overlapped = 0;
                world.contacts(mover, *at, 0.0, Layers::ALL, |near| {
                    overlapped += usize::from(near.contact.gap < 0.0);
                });
                ensure(overlapped == found.len(), || format!("{} of {overlapped}", found.len()))
            }
            (Question::Closest { mover, at, distance }, Answer::Closest(found)) => {
                ensure(
                    found.is_none_or(|found| {
                        (0.0..=*distance).contains(&found.distance) && found.point.is_finite()
                    }),
                    || format!("{found:?}"),
                )?;
                if !self.is_small {
                    return Ok(());
                }
                let all = world.closest_among_all(*mover, *at, *distance, Layers::ALL);
                let all = all.map_err(|error| error.to_string())?;
                ensure(all == *found, || format!("{found:?}, among all {all:?}"))
            }
            _ => Err("an answer to another question".into()),
        }
    }

    /// A path that starts free ends free after so many sweeps.
    fn ends_free(&self, mover: &Mover, from: DVec3, to: DVec3, sweeps: u32) -> Result<(), String> {
        let way = (to - from).abs().max_element();
        if depth(&self.world, mover, from, 0.0) > 0.0 {
            return Ok(());
        }
        let deep = depth(&self.world, mover, to, way);
        ensure(deep <= slack(&self.world, sweeps), || format!("inside by {deep:e}"))
    }
}
