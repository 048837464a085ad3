//! Characters among each other: each keeps to its side of a plane.
//!
//! Source: `docs/crowds.md`. Two convex bodies that are apart have a plane between them. At the start of a
//! tick both know where the other is and where it wants to go, so both find the same plane and the same share
//! of the gap for each: as much as it approaches. A character that stays on its own side touches nobody,
//! whatever the other does; so all can move at once, in any order, and the answer is the same. Error: none
//! beyond rounding, but a plane is more than the other's body: a character that passes another closely and
//! fast may be slowed for a tick. Cost: one contact per neighbor and tick.

use glam::DVec3;

use super::report::Obstacle;
use super::support::Contacts;
use crate::num::bound::{APPROACH, STANDOFF, UNIT_ROUNDOFF, reach};
use crate::respond::{Obstacles, SurfaceContact, WorldObstacles};
use crate::shape::Mover;
use crate::sweep::{Contact, Feature, Path};
use crate::world::{BodyId, solids_contact};

/// Another character at the start of a tick, and what it wants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor {
    /// Its number: reports name it by that.
    pub number: u32,
    pub(super) mover: Mover,
    pub(super) position: DVec3,
    /// How far it wants to go in this tick, apart from what carries it.
    pub(super) translation: DVec3,
    /// How far what it stands on carries it.
    pub(super) carried: DVec3,
    pub(super) carrier: Option<BodyId>,
}

impl Neighbor {
    /// Where its center is, in meters.
    pub fn position(&self) -> DVec3 {
        self.position
    }

    /// How far it can be from its center in this tick, at most.
    pub(super) fn extent(&self) -> f64 {
        reach(self.mover.half_extents()) + reach(self.translation) + reach(self.carried)
    }
}

/// The side of a plane that a character keeps to: `normal · x ≥ offset + speed · time`.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeparatingPlane {
    character: u32,
    normal: DVec3,
    offset: f64,
    /// How far the plane goes along its normal in the tick: with the body that carries both.
    speed: f64,
    /// The touched point of the other, for reports.
    point: DVec3,
    rounding: f64,
}

impl SeparatingPlane {
    /// How far a character at a place is from leaving its side at the start of the tick.
    pub(super) fn gap(&self, at: DVec3) -> f64 {
        self.contact(at, 0.0).gap
    }

    /// The side of `own` against `other`; `None` if they are too far apart to matter, or the numbers are
    /// lost.
    pub(super) fn between(own: &Neighbor, other: &Neighbor) -> Option<Self> {
        let apart = reach(own.position - other.position);
        if apart > 2.0 * (own.extent() + other.extent()) {
            return None;
        }
        let at = Path::new(own.position, DVec3::ZERO).ok()?;
        let contact = solids_contact(&own.mover, &at, &other.mover, other.position)?;
        let Contact { gap, normal, point, rounding, .. } = contact;
        // What recedes may be stopped yet: only what approaches counts.
        let same = own.carrier.is_some() && own.carrier == other.carrier;
        let way = |one: &Neighbor| if same { one.translation } else { one.translation + one.carried };
        let (mine, theirs) = (-normal.dot(way(own)), normal.dot(way(other)));
        let (mine, theirs) = (mine.max(0.0), theirs.max(0.0));
        let gap = gap - 2.0 * STANDOFF * rounding;
        let share = if gap <= 0.0 || mine + theirs == 0.0 {
            0.5 * gap
        } else if mine + theirs <= gap {
            mine + 0.5 * (gap - mine - theirs)
        } else {
            gap * (mine / (mine + theirs))
        };
        Some(Self {
            character: other.number,
            normal,
            offset: normal.dot(own.position) - share,
            speed: if same { normal.dot(own.carried) } else { 0.0 },
            point,
            rounding: rounding + 4.0 * UNIT_ROUNDOFF * reach(own.position),
        })
    }

    fn contact(&self, at: DVec3, time: f64) -> Contact {
        Contact {
            gap: self.normal.dot(at) - self.offset - self.speed * time,
            normal: self.normal,
            point: self.point,
            feature: Feature::Face,
            rounding: self.rounding,
        }
    }

    fn touch(&self, at: DVec3, time: f64) -> SurfaceContact<Obstacle> {
        SurfaceContact {
            key: Obstacle::Character(self.character),
            contact: self.contact(at, time),
            motion: self.normal * self.speed,
            run: DVec3::ZERO,
            friction: None,
            restitution: 0.0,
        }
    }

    fn sweep(&self, from: DVec3, translation: DVec3, [start, end]: [f64; 2]) -> Option<f64> {
        let gap = self.contact(from, start).gap;
        let approach = self.speed * (end - start) - self.normal.dot(translation);
        let least = APPROACH * (reach(translation) + self.speed.abs());
        let stop = STANDOFF * self.rounding;
        (approach > least && gap - approach < stop).then(|| ((gap - stop) / approach).clamp(0.0, 1.0))
    }
}

/// The bodies and the characters around one character.
#[derive(Clone, Copy)]
pub(super) struct CharacterObstacles<'a> {
    pub(super) around: WorldObstacles<'a>,
    pub(super) sides: &'a [SeparatingPlane],
    /// When in the tick the motion begins and ends.
    pub(super) span: [f64; 2],
    /// Contacts that need not be looked for once more.
    pub(super) known: Option<Known<'a>>,
}

/// All contacts at a place and a time of the same motion.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) contacts: &'a Contacts,
    pub(super) at: DVec3,
    pub(super) time: f64,
    pub(super) distance: f64,
}

impl CharacterObstacles<'_> {
    fn in_tick(&self, time: f64) -> f64 {
        self.span[0] + (self.span[1] - self.span[0]) * time
    }
}

impl Obstacles for CharacterObstacles<'_> {
    type Key = Obstacle;

    fn sweep(&self, from: DVec3, translation: DVec3, times: [f64; 2]) -> Option<(f64, Obstacle)> {
        let met = self
            .around
            .sweep(from, translation, times)
            .map(|(fraction, part)| (fraction, Obstacle::Body(part)));
        let times = times.map(|time| self.in_tick(time));
        self.sides.iter().fold(met, |best, side| match side.sweep(from, translation, times) {
            Some(fraction) if best.is_none_or(|(first, _)| fraction < first) => {
                Some((fraction, Obstacle::Character(side.character)))
            }
            _ => best,
        })
    }

    fn contacts(&self, at: DVec3, time: f64, distance: f64, visit: &mut dyn FnMut(SurfaceContact<Obstacle>)) {
        let known = self.known.filter(|known| (known.at, known.time, known.distance) == (at, time, distance));
        if let Some(known) = known {
            return known.contacts.iter().copied().for_each(visit);
        }
        self.around.contacts(at, time, distance, &mut |touch| visit(touch.named(Obstacle::Body)));
        for side in self.sides {
            let touch = side.touch(at, self.in_tick(time));
            if touch.contact.gap <= distance {
                visit(touch);
            }
        }
    }

    fn contact(&self, key: Obstacle, at: DVec3, time: f64) -> Option<SurfaceContact<Obstacle>> {
        match key {
            Obstacle::Body(part) => Some(self.around.contact(part, at, time)?.named(Obstacle::Body)),
            Obstacle::Character(number) => {
                let side = self.sides.iter().find(|side| side.character == number)?;
                Some(side.touch(at, self.in_tick(time)))
            }
        }
    }

    fn is_curved(&self, key: Obstacle) -> bool {
        match key {
            Obstacle::Body(part) => self.around.is_curved(part),
            Obstacle::Character(_) => false,
        }
    }

    fn may_move(&self) -> bool {
        self.around.may_move() || self.sides.iter().any(|side| side.speed != 0.0)
    }
}
