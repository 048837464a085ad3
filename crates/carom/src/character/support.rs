//! The ground and the contacts of a character.
//!
//! Source: `docs/steps.md`. There are two queries with two normals. Whether it can *stand* depends on the
//! surfaces that meet at the touched feature. Whether it may *walk* on depends on the contact's own normal.
//! Resting on the edge of a tread is standing on the tread.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::report::{Ground, Obstacle};
use crate::num::bound::{STANDOFF, UNIT_ROUNDOFF, reach};
use crate::num::ops;
use crate::respond::{
    ContactList, ContactPlane, NearestMotion, Obstacles, Slide, SurfaceContact, WorldObstacles, friction,
    nearest_feasible,
};
use crate::shape::Mover;
use crate::sweep::{Contact, Feature};
use crate::world::{Layers, Moment, PartContact, World};

/// The rules for ground that follow from the settings and the shape of a character.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundRules {
    pub(super) up: DVec3,
    pub(super) least_upright: f64,
    /// From the center down to the lowest point of the shape with its skin.
    pub(super) feet: f64,
    /// A contact this high above the feet may support: a step, the skin, and the rounding of both heights.
    pub(super) highest: f64,
    /// The friction of surfaces that have none of their own.
    pub(super) friction: f64,
    pub(super) contact_distance: f64,
}

/// A contact whose normal has no larger part along `up` than this is a wall, which supports nothing: a
/// millionth is the error of an upright wall with f32 corners.
pub(super) const LEVEL: f64 = 1e-6;

/// From the center of a shape down to its lowest point.
pub(super) fn feet(mover: &Mover, up: DVec3) -> f64 {
    -mover.support_point(-up).dot(up)
}

/// Whether a shape overlaps any body at the end of the tick by more than rounding.
pub(super) fn overlaps(world: &World, mover: &Mover, at: DVec3, layers: Layers) -> bool {
    let mut deep = false;
    WorldObstacles::new(world, *mover, layers)
        .contacts(at, 1.0, 0.0, &mut |touch| deep |= is_overlap(&touch, at));
    deep
}

/// Whether a contact is deeper than rounding explains.
pub(super) fn is_overlap<K>(touch: &SurfaceContact<K>, at: DVec3) -> bool {
    -touch.contact.gap > blur(touch.contact.point, at)
}

/// The error of the gap of a contact, from all operations of a tick.
pub(super) fn blur(point: DVec3, at: DVec3) -> f64 {
    64.0 * UNIT_ROUNDOFF * (reach(at) + reach(point))
}

/// A support of a character.
#[derive(Clone, Copy, Debug)]
pub(super) struct Support {
    pub(super) ground: Ground,
    pub(super) contact: Contact,
}

/// Whether a contact of a character at `at` is farther away than rounding explains: that of the tick, and
/// that by which sweeps stop early.
pub(super) fn is_apart(Contact { gap, point, rounding, .. }: &Contact, at: DVec3) -> bool {
    *gap > blur(*point, at) + 2.0 * STANDOFF * rounding
}

/// The contacts within reach of a place, nearest first.
pub(super) struct Contacts {
    touches: ContactList<Obstacle>,
}

impl Contacts {
    pub(super) fn new() -> Self {
        Self { touches: ContactList::new() }
    }

    /// Looks again, in place.
    pub(super) fn look<O: Obstacles<Key = Obstacle>>(
        &mut self,
        obstacles: &O,
        at: DVec3,
        time: f64,
        distance: f64,
    ) {
        self.touches.gather(obstacles, at, time, distance);
    }

    /// Whether no contact was left out because the list was full.
    pub(super) fn is_whole(&self) -> bool {
        !self.touches.is_full()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &SurfaceContact<Obstacle>> {
        self.touches.iter()
    }

    /// The contacts with bodies.
    pub(super) fn of_bodies(&self) -> impl Iterator<Item = PartContact> {
        self.touches.iter().filter_map(|touch| match touch.key {
            Obstacle::Body(part) => Some(PartContact { contact: touch.contact, part }),
            Obstacle::Character(_) => None,
        })
    }

    /// One contact for each direction and body, and none that lies behind the tangent plane of a nearer one,
    /// as the edges of the next tiles of a floor do.
    pub(super) fn distinct(&self, mut visit: impl FnMut(&SurfaceContact<Obstacle>)) {
        let kept = self.distinct_set();
        self.iter().enumerate().filter(|(at, _)| kept & (1 << at) != 0).for_each(|(_, touch)| visit(touch));
    }

    /// The same, and the faces behind that plane: a box touches a wall with an edge or a corner that may lie
    /// in the tangent plane of a nearer edge.
    pub(super) fn distinct_and_faces(&self, mut visit: impl FnMut(&SurfaceContact<Obstacle>)) {
        let kept = self.kept(|nearer, touch| {
            let is_face = touch.contact.feature == Feature::Face;
            hides(nearer, touch) && (!is_face || touch.is_along(nearer))
        });
        self.iter().enumerate().filter(|(at, _)| kept & (1 << at) != 0).for_each(|(_, touch)| visit(touch));
    }

    /// A bit for each that is distinct.
    fn distinct_set(&self) -> u64 {
        self.kept(hides)
    }

    /// A bit for each that no nearer one with a bit hides.
    fn kept(&self, hides: impl Fn(&SurfaceContact<Obstacle>, &SurfaceContact<Obstacle>) -> bool) -> u64 {
        const { assert!(Slide::TOUCHES <= 64) };
        let mut kept = 0u64;
        for (at, touch) in self.iter().enumerate() {
            let is_kept = |other: &usize| kept & (1 << other) != 0;
            if !(0..at).filter(is_kept).any(|nearer| hides(&self.touches[nearer], touch)) {
                kept |= 1 << at;
            }
        }
        kept
    }
}

/// Whether a contact adds nothing to a nearer one.
fn hides(nearer: &SurfaceContact<Obstacle>, touch: &SurfaceContact<Obstacle>) -> bool {
    if touch.is_along(nearer) {
        return nearer.key.body() == touch.key.body();
    }
    touch.is_behind(nearer)
}

/// The tag of the surface that is touched; 0 for a character.
fn tag_of(around: &WorldObstacles<'_>, touch: &SurfaceContact<Obstacle>) -> u32 {
    match touch.key {
        Obstacle::Body(part) => around.world().surface(part.body, part.part).map_or(0, |surface| surface.tag),
        Obstacle::Character(_) => 0,
    }
}

impl GroundRules {
    /// The height of a point above the feet of a character at `at`.
    pub(super) fn height(&self, at: DVec3, point: DVec3) -> f64 {
        (point - at).dot(self.up) + self.feet
    }

    /// The most upright normal of the surfaces that meet at a contact, if a character can stand on them.
    fn upright(
        &self,
        around: &WorldObstacles<'_>,
        touch: &SurfaceContact<Obstacle>,
        moment: Moment,
    ) -> Option<DVec3> {
        let contact = &touch.contact;
        if contact.normal.dot(self.up) <= LEVEL {
            return None;
        }
        let mut most = contact.normal;
        if self.height(moment.at, contact.point) <= self.highest
            && let Obstacle::Body(part) = touch.key
        {
            around.surface_normals_at(part, contact, moment, &mut |normal| {
                // For a surface that is seen edge-on, rounding decides which side is up: it supports nothing.
                let is_before = normal.dot(contact.normal) > LEVEL;
                if is_before && normal.dot(self.up) > most.dot(self.up) {
                    most = normal;
                }
            });
        }
        (most.dot(self.up) >= self.least_upright).then_some(most)
    }

    /// The normal that a walk follows on a contact, if a character can stand on it: the contact's own if it
    /// is not too steep, else that of the surface.
    pub(super) fn walked(
        &self,
        around: &WorldObstacles<'_>,
        touch: &SurfaceContact<Obstacle>,
        moment: Moment,
    ) -> Option<DVec3> {
        let own = touch.contact.normal;
        if own.dot(self.up) >= self.least_upright { Some(own) } else { self.upright(around, touch, moment) }
    }

    /// The most upright of the supports that hold; of equal ones the nearest.
    pub(super) fn best_support(
        &self,
        around: &WorldObstacles<'_>,
        contacts: &Contacts,
        moment: Moment,
        holds: impl Fn(&SurfaceContact<Obstacle>) -> bool,
    ) -> Option<Support> {
        let mut distinct = None;
        let mut best: Option<(&SurfaceContact<Obstacle>, DVec3)> = None;
        for (at, touch) in contacts.iter().enumerate().filter(|(_, touch)| holds(touch)) {
            let Some(normal) = self.upright(around, touch, moment) else { continue };
            if best.is_some_and(|(_, best)| normal.dot(self.up) <= best.dot(self.up)) {
                continue;
            }
            // A contact behind a nearer one supports nothing at the angle at which it would be touched: the
            // rim of a triangle of a steep face is less steep than the face. A face has one angle: a box
            // touches a slope with an edge that lies in the plane of the wall before it.
            let is_own = (normal - touch.contact.normal).length_squared() <= LEVEL * LEVEL;
            let is_face = touch.contact.feature == Feature::Face;
            if is_own
                && !is_face
                && at > 0
                && *distinct.get_or_insert_with(|| contacts.distinct_set()) & (1 << at) == 0
            {
                continue;
            }
            if self.is_lip(around, contacts, touch, moment) {
                continue;
            }
            // Nor does an edge that is flush with a wall, such as that of a block on which the wall stands.
            let mut others = contacts.iter().enumerate();
            let is_before = |(i, other): (usize, &SurfaceContact<Obstacle>)| {
                let is_wall = other.contact.normal.dot(self.up) <= LEVEL;
                (i < at || is_wall) && self.is_flush(touch, other)
            };
            if !is_own && others.any(is_before) {
                continue;
            }
            best = Some((touch, normal));
        }
        best.map(|(touch, normal)| self.supported_by(around, touch, normal))
    }

    /// Whether a box meets nothing of a part but what stands out of a wall beside it by rounding.
    pub(super) fn is_lip(
        &self,
        around: &WorldObstacles<'_>,
        contacts: &Contacts,
        touch: &SurfaceContact<Obstacle>,
        moment: Moment,
    ) -> bool {
        let aside = around.aside(moment.at, &touch.contact, self.contact_distance);
        let is_beside = |away: &DVec3| {
            let is_wall = |other: &&SurfaceContact<Obstacle>| other.contact.normal.dot(*away) > 1.0 - LEVEL;
            contacts.iter().filter(is_wall).any(|wall| self.is_flush(touch, wall))
        };
        // A floor that rises to the wall by rounding is touched there, but lies below the whole box.
        let goes_on = |away: DVec3| {
            let at = moment.at + away * (2.0 * self.contact_distance);
            let Obstacle::Body(part) = touch.key else { return false };
            let there = around.contact(part, at, moment.time);
            there.is_some_and(|there| there.contact.normal.dot(touch.contact.normal) > 1.0 - LEVEL)
        };
        aside.filter(is_beside).is_some_and(|away| !goes_on(away))
    }

    /// Whether the touched point stands out from the plane of another contact by no more than the contact
    /// distance.
    fn is_flush(&self, touch: &SurfaceContact<Obstacle>, other: &SurfaceContact<Obstacle>) -> bool {
        let out = other.contact.normal.dot(touch.contact.point - other.contact.point);
        out <= self.contact_distance && !touch.is_along(other)
    }

    /// The support of a character although no contact alone is ground: several contacts together (a pit of
    /// steep faces, a wedge), if the motion that they leave of a fall descends no more steeply than walkable
    /// ground; and contacts whose friction leaves nothing of a fall. The normal is the direction of their
    /// combined push. For a single face without friction it is the normal of the face.
    pub(super) fn joint_support(
        &self,
        around: &WorldObstacles<'_>,
        contacts: &Contacts,
        moment: Moment,
        holds: impl Fn(&SurfaceContact<Obstacle>) -> bool,
    ) -> Option<Support> {
        let rise = |touch: &SurfaceContact<Obstacle>| touch.contact.normal.dot(self.up);
        // Walls alone hold nothing.
        if !contacts.iter().any(|touch| rise(touch) > LEVEL) {
            return None;
        }
        let distinct = contacts.distinct_set();
        let touches: ArrayVec<&SurfaceContact<Obstacle>, { Slide::TOUCHES }> = contacts
            .iter()
            .enumerate()
            .filter(|(at, touch)| distinct & (1 << at) != 0 && holds(touch))
            .map(|(_, touch)| touch)
            .filter(|touch| !self.is_lip(around, contacts, touch, moment))
            .collect();
        let planes: ArrayVec<ContactPlane, { Slide::TOUCHES }> =
            touches.iter().map(|touch| ContactPlane { normal: touch.contact.normal, bound: 0.0 }).collect();
        let Ok(NearestMotion::Feasible { velocity: fall, planes: held }) =
            nearest_feasible(-self.up, &planes)
        else {
            return None;
        };
        let held = held.as_slice().iter().map(|plane| touches[*plane]);
        let best = held.clone().reduce(|best, other| if rise(other) > rise(best) { other } else { best })?;
        let reaction = fall + self.up;
        let normal = reaction / ops::sqrt(reaction.length_squared());
        // Not if nothing pushes back: then the normal is NaN.
        let holds_up = held.clone().count() > 1 && normal.dot(self.up) >= self.least_upright;
        let rough = held.map(|touch| touch.friction.unwrap_or(self.friction)).fold(0.0, f64::max);
        if holds_up {
            return Some(self.supported_by(around, best, normal));
        }
        (friction(-self.up, fall, rough) == DVec3::ZERO).then(|| self.supported_by(around, best, self.up))
    }

    /// The support of a character whose fall makes no progress: the most upright contact, ground or not.
    pub(super) fn last_support(&self, around: &WorldObstacles<'_>, contacts: &Contacts) -> Option<Support> {
        let rise = |touch: &SurfaceContact<Obstacle>| touch.contact.normal.dot(self.up);
        let best = contacts
            .iter()
            .filter(|touch| rise(touch) > 0.0)
            .reduce(|best, other| if rise(other) > rise(best) { other } else { best })?;
        Some(self.supported_by(around, best, self.up))
    }

    fn supported_by(
        &self,
        around: &WorldObstacles<'_>,
        touch: &SurfaceContact<Obstacle>,
        normal: DVec3,
    ) -> Support {
        let ground = Ground { obstacle: touch.key, normal, tag: tag_of(around, touch) };
        Support { ground, contact: touch.contact }
    }

    /// The rise of a desired velocity across `up` that follows the ground; `None` without ground.
    pub(super) fn rise(
        &self,
        around: &WorldObstacles<'_>,
        touch: &SurfaceContact<Obstacle>,
        moment: Moment,
        level: DVec3,
    ) -> Option<f64> {
        let walked = self.walked(around, touch, moment)?;
        Some(-walked.dot(level) / walked.dot(self.up))
    }

    /// [`along_ground`] of this character.
    pub(super) fn along_ground(&self, level: DVec3, rise: f64) -> DVec3 {
        along_ground(self.up, level, rise)
    }
}

/// A desired velocity along the ground: the same heading and the same length, tilted along `up`.
pub(super) fn along_ground(up: DVec3, level: DVec3, rise: f64) -> DVec3 {
    let tilted = level + up * rise;
    let (wanted, length) = (level.length_squared(), tilted.length_squared());
    if rise == 0.0 || length == 0.0 {
        return level;
    }
    tilted * ops::sqrt(wanted / length)
}

/// The largest rise that any support requires.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Steepest(Option<f64>);

impl Steepest {
    pub(super) fn add(&mut self, rise: Option<f64>) {
        if let Some(rise) = rise {
            self.0 = Some(self.0.map_or(rise, |most| most.max(rise)));
        }
    }

    /// 0 if there was none.
    pub(super) fn rise(&self) -> f64 {
        self.0.unwrap_or(0.0)
    }
}
