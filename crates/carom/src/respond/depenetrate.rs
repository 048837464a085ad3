//! The shortest way out of what a mover overlaps.
//!
//! Source: `docs/slide.md`. The same solver as for sliding, with what is missing of each gap as its bound: the least motion that opens all
//! gaps at once. Planes stand for curved contacts, so it is done again where the first answer leads. Error: gaps are opened to
//! within rounding. Cost: a gather per round. Gives up after [`ROUNDS`], or where no motion opens all gaps, and says so.

use glam::DVec3;

use super::obstacles::{Obstacles, Touch};
use super::planes::{ContactPlane, Motion, nearest_feasible};
use super::slide::Slide;
use crate::num::bound::{UNIT_ROUNDOFF, reach};

/// Two or three are usual; a corner of many curved contacts takes more.
const ROUNDS: usize = 8;

/// Where a mover is free, and whether it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depenetrated {
    /// The centre, in metres: where it was if nothing was overlapped.
    pub position: DVec3,
    /// Whether it overlaps nothing there by more than rounding.
    pub free: bool,
}

/// Moves a mover out of what it overlaps by the least motion that the planes of its contacts allow.
pub fn depenetrate<O: Obstacles>(obstacles: &O, from: DVec3) -> Depenetrated {
    let mut position = from;
    for _ in 0..ROUNDS {
        let mut planes = [ContactPlane { normal: DVec3::Y, bound: 0.0 }; Slide::TOUCHES];
        let mut count = 0;
        let mut deepest = 0.0f64;
        let mut size = 0.0f64;
        obstacles.contacts(position, 0.0, &mut |touch: Touch<O::Key>| {
            let contact = touch.contact;
            size = size.max(reach(contact.point)).max(contact.gap.abs());
            deepest = deepest.max(-contact.gap);
            let plane = ContactPlane { normal: contact.normal, bound: -contact.gap };
            if count < planes.len() {
                planes[count] = plane;
                count += 1;
            } else if let Some(least) = planes.iter_mut().min_by(|a, b| a.bound.total_cmp(&b.bound))
                && plane.bound > least.bound
            {
                *least = plane;
            }
        });
        // What the place and the contacts are off by.
        if deepest <= 64.0 * UNIT_ROUNDOFF * (reach(position) + size) {
            return Depenetrated { position, free: true };
        }
        match nearest_feasible(DVec3::ZERO, &planes[..count]) {
            Ok(Motion::Feasible { velocity, .. }) => position += velocity,
            Ok(Motion::Crushed { .. }) | Err(_) => return Depenetrated { position, free: false },
        }
    }
    let mut free = true;
    obstacles.contacts(position, 0.0, &mut |touch| {
        let contact = touch.contact;
        free &= -contact.gap <= 64.0 * UNIT_ROUNDOFF * (reach(position) + reach(contact.point));
    });
    Depenetrated { position, free }
}
