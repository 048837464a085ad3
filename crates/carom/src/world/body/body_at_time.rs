//! A body as a mover sees it: at rest at some pose.
//!
//! Source: `docs/movers.md`. In its own frame a body that turns from R₀ to R₁ sees the mover go from `R₀ᵀ(x −
//! p₀)` by `R₁ᵀ(d − w) + (R₁ᵀ − R₀ᵀ)(x − p₀)`. This path is treated as straight, with an error of at most
//! [`Body::bend`]. The mover is shrunk by some of that, so that a sweep stops it only where it really
//! approaches; the caller of a sweep checks the end position. For a body that does not turn this is exact.

use alloc::borrow::Cow;
use core::cell::Cell;

use glam::DVec3;

use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::shape::Mover;
use crate::sweep::{Contact, Hit, Path, Placed};
use crate::world::body::Body;
use crate::world::body::collider::Collider;
use crate::world::body::extent::bounds_at;
use crate::world::body::near::Near;
use crate::world::body::pose::Frame;
use crate::world::body::rigid_motion::RigidMotion;
use crate::world::body::solid::{PosedCollider, near_contact, placed, placed_hit, solid_contact, solid_hit};
use crate::world::body::sweep_segment::{SweepExtent, SweepSegment};
use crate::world::index::IndexedBounds;
use crate::world::query::tie_bound::TieBound;
use crate::world::surface::local::Local;
use crate::world::surface::{Contacts, Hits, HitsAmong, OneContact, Surfaces};
use crate::world::{BodyId, CastHit, Pose};

/// A body that stands still at a pose, for one query.
#[derive(Clone, Debug)]
pub(crate) struct BodyAtTime<'a> {
    pub(crate) id: BodyId,
    pub(crate) collider: &'a Collider,
    /// The user number.
    pub(crate) user_data: u64,
    pub(crate) frame: Frame,
}

/// Which contacts are wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
    /// Only contacts up to this fraction.
    pub(crate) best: f64,
    /// For a query that needs only the preferred hit: the lowest x of its corners, in the world, while the
    /// hit is at the fraction 0.
    pub(crate) lowest: Option<&'a Cell<f64>>,
}

impl Wanted<'_> {
    /// All up to a fraction.
    pub(crate) fn until(best: f64) -> Self {
        Self { best, lowest: None }
    }
}

impl Body {
    /// Every contact with the body at the end of the tick, as [`BodyAtTime::sweep`] has it. A solid needs no
    /// frame.
    #[inline]
    pub(crate) fn sweep(
        &self,
        id: BodyId,
        mover: &Mover,
        path: &Path,
        wanted: Wanted<'_>,
        take: &mut dyn FnMut(CastHit) -> f64,
    ) {
        match self.placed_solid() {
            Some(solid) => {
                let solid = Placed { shape: &solid, center: self.pose().position() };
                if let Some(hit) = placed_hit(mover, path, solid, wanted.best) {
                    take(CastHit { hit, body: id, part: 0, user_data: self.user_data });
                }
            }
            None => BodyAtTime::now(id, self).sweep(mover, path, wanted, take),
        }
    }

    /// Every part of the body at the end of the tick within a distance, as [`BodyAtTime::contacts`] has it.
    #[inline]
    pub(crate) fn contacts(
        &self,
        id: BodyId,
        mover: &Mover,
        at: &Path,
        distance: f64,
        visit: &mut dyn FnMut(Contact, u32),
    ) {
        match self.placed_solid() {
            Some(solid) => {
                if let Some(contact) = near_contact(mover, at, distance, &solid, self.pose().position()) {
                    visit(contact, 0);
                }
            }
            None => BodyAtTime::now(id, self).contacts(mover, at, distance, visit),
        }
    }
}

/// Dispatches a query by the kind of the collider: surfaces, pieces, or one solid.
macro_rules! by_collider {
    (
        $collider:expr,
        $surfaces:ident => $ask:expr,
        $compound:ident => $ask_pieces:expr,
        $solid:ident => $ask_solid:expr $(,)?
    ) => {
        match $collider {
            Collider::Mesh(mesh) => {
                let $surfaces = &**mesh;
                $ask
            }
            Collider::Polygons(set) => {
                let $surfaces = &set.as_parts();
                $ask
            }
            Collider::Patches(set) => {
                let $surfaces = &set.as_parts();
                $ask
            }
            Collider::Hull(hull) => {
                let $surfaces = &**hull;
                $ask
            }
            Collider::HeightField(field) => {
                let $surfaces = &**field;
                $ask
            }
            Collider::HalfSpace(half) => {
                let $surfaces = half;
                $ask
            }
            Collider::Cylinder(cylinder) => {
                let $surfaces = &cylinder.frustum();
                $ask
            }
            Collider::Cone(cone) => {
                let $surfaces = &cone.frustum();
                $ask
            }
            Collider::Compound($compound) => $ask_pieces,
            $solid => $ask_solid,
        }
    };
}

impl<'a> BodyAtTime<'a> {
    /// The body at the end of the tick.
    #[inline]
    pub(crate) fn now(id: BodyId, body: &'a Body) -> Self {
        Self { id, collider: &body.collider, user_data: body.user_data, frame: body.frame() }
    }

    /// The body after a share of the tick.
    pub(crate) fn at(id: BodyId, body: &'a Body, time: f64) -> Self {
        Self { id, collider: &body.collider, user_data: body.user_data, frame: body.frame_after(time) }
    }

    /// The mover and its path in the frame of the body; `None` if that leaves the range of f64.
    #[inline]
    pub(crate) fn seen_from<'m>(
        id: BodyId,
        body: &'a Body,
        segment: &SweepSegment<'m>,
    ) -> Option<(Self, Cow<'m, Mover>, Path)> {
        let same = Cow::Borrowed(segment.mover);
        match &body.motion {
            None => Some((Self::now(id, body), same, Path::new(segment.from, segment.translation).ok()?)),
            Some(motion) => Self::seen_on_its_way(id, body, motion, segment),
        }
    }

    /// The same for a body that moves.
    fn seen_on_its_way<'m>(
        id: BodyId,
        body: &'a Body,
        motion: &RigidMotion,
        segment: &SweepSegment<'m>,
    ) -> Option<(Self, Cow<'m, Mover>, Path)> {
        let same = Cow::Borrowed(segment.mover);
        let [from, until] = segment.times;
        let start = motion.at(from);
        if from == until {
            return Some((
                Self::at(id, body, from),
                same,
                Path::new(segment.from, segment.translation).ok()?,
            ));
        }
        let moved = motion.moved(segment.times);
        let own = segment.translation - moved;
        let is_core = segment.extent == SweepExtent::Core;
        if motion.angle() == 0.0 {
            let error = 4.0 * UNIT_ROUNDOFF * (reach(segment.translation) + reach(moved));
            let core = || Some(Cow::Owned(segment.mover.drawn_in(f64::INFINITY).ok()?));
            let mover = if is_core { core()? } else { same };
            return Some((Self::off(id, body, &start, error), mover, Path::new(segment.from, own).ok()?));
        }
        let to_own = start.rotation().conjugate();
        let arm = segment.from - start.position();
        let (turn, back) = (motion.turn(), from - until);
        let relative = own + turn.displacement(own, back) + turn.displacement(arm, back);
        let path = Path::new(to_own * arm, to_own * relative).ok()?;
        let lengths = reach(segment.from)
            + reach(start.position())
            + reach(segment.translation)
            + reach(moved)
            + reach(arm);
        let middle = motion.at(0.5 * (from + until)).rotation();
        let bend = if segment.carrier == Some(id) {
            0.0
        } else {
            motion.bend(segment.mover, arm, own, until - from)
        };
        let mover = segment.mover.turned(middle.conjugate()).ok()?;
        let mover = match segment.extent {
            SweepExtent::Usual => mover.drawn_in(bend),
            SweepExtent::Core => mover.drawn_in(f64::INFINITY),
            SweepExtent::Wide => mover.grown(bend),
        };
        let mover = mover.ok()?;
        let pose = Pose::IDENTITY.with_scale(start.scale()).ok()?;
        Some((Self::off(id, body, &pose, 8.0 * UNIT_ROUNDOFF * lengths), Cow::Owned(mover), path))
    }

    /// The body at a pose, where the path of the mover is off by this many meters beyond the rounding of its
    /// own coordinates.
    fn off(id: BodyId, body: &'a Body, pose: &Pose, error: f64) -> Self {
        let frame = body.frame_at(pose).off_by(error);
        Self { id, collider: &body.collider, user_data: body.user_data, frame }
    }

    /// A hit in the world, with its body.
    pub(super) fn hit(&self, hit: Hit, part: u32) -> CastHit {
        CastHit { hit, body: self.id, part, user_data: self.user_data }
    }

    /// Every contact on the path that `take` may need. `take` returns the fraction beyond which it needs no
    /// more.
    pub(crate) fn sweep(
        &self,
        mover: &Mover,
        path: &Path,
        wanted: Wanted<'_>,
        take: &mut dyn FnMut(CastHit) -> f64,
    ) {
        by_collider!(
            self.collider,
            surfaces => self.sweep_surfaces(surfaces, mover, path, wanted, take),
            compound => self.sweep_pieces(compound, mover, path, wanted, take),
            solid => {
                let solid = PosedCollider { collider: solid, pose: &self.frame.pose() };
                if let Some(hit) = solid_hit(mover, path, solid, wanted.best) {
                    take(self.hit(hit, 0));
                }
            },
        );
    }

    /// The same with these surfaces, the body's own or those of them that are near the mover.
    pub(crate) fn sweep_surfaces<S: Surfaces>(
        &self,
        surfaces: &S,
        mover: &Mover,
        path: &Path,
        wanted: Wanted<'_>,
        take: &mut dyn FnMut(CastHit) -> f64,
    ) {
        if let Some(near) = self.near(surfaces, mover, path)
            && self.sweep_near(surfaces, &near, take)
        {
            return;
        }
        self.sweep_part(surfaces, mover, path, wanted, take);
    }

    /// The same for the part of the query that is near the body. Returns whether the query is finished.
    #[cold]
    fn sweep_near<S: Surfaces>(
        &self,
        surfaces: &S,
        near: &Near,
        take: &mut dyn FnMut(CastHit) -> f64,
    ) -> bool {
        let mut is_met = false;
        let mut take_near = |found: CastHit| {
            is_met = true;
            take(CastHit { hit: near.hit(found.hit), ..found });
            // Fractions of the part and of the whole cannot be compared.
            f64::INFINITY
        };
        let all = Wanted::until(f64::INFINITY);
        let asked = self.sweep_part(surfaces, &near.mover, &near.path, all, &mut take_near);
        asked.is_none() || is_met || near.is_all
    }

    /// The same for the part of the query that is near the body, or for all of it; `None` if its numbers
    /// leave the range of f64. One function for both, because its callees are compiled once for each kind of
    /// mover and surface.
    #[inline(always)]
    fn sweep_part<S: Surfaces>(
        &self,
        surfaces: &S,
        mover: &Mover,
        path: &Path,
        wanted: Wanted<'_>,
        take: &mut dyn FnMut(CastHit) -> f64,
    ) -> Option<()> {
        let frame = &self.frame;
        let local = Local::new(frame, mover, path, surfaces.largest())?;
        let take = |hit: Hit, part: u32| take(self.hit(hit_to_world(frame, path, hit), part));
        let tie_bound = wanted.lowest.map(|lowest| TieBound { lowest, frame });
        local.sweep(Hits { surfaces, local: &local, tie_bound, best: wanted.best, take });
        Some(())
    }

    /// The part of a query that is near these surfaces, if that is not the whole.
    #[inline]
    fn near(&self, surfaces: &impl Surfaces, mover: &Mover, path: &Path) -> Option<Near> {
        let reach = || 2.0 * self.frame.scale() * surfaces.reach();
        Near::of(mover, path, self.frame.pose().position(), reach)
    }

    /// The first contact with each of these parts, tested one by one.
    pub(crate) fn sweep_among(
        &self,
        mover: &Mover,
        path: &Path,
        mut parts: impl Iterator<Item = u32>,
        hits: &mut alloc::vec::Vec<CastHit>,
    ) {
        by_collider!(
            self.collider,
            surfaces => self.surfaces_among(surfaces, mover, path, parts, hits),
            compound => self.pieces_among(compound, mover, path, parts, hits),
            solid => {
                let solid = PosedCollider { collider: solid, pose: &self.frame.pose() };
                let hit = || solid_hit(mover, path, solid, f64::INFINITY);
                let hit = parts.any(|part| part == 0).then(hit);
                hits.extend(hit.flatten().map(|hit| self.hit(hit, 0)));
            },
        );
    }

    fn surfaces_among<S: Surfaces>(
        &self,
        surfaces: &S,
        mover: &Mover,
        path: &Path,
        parts: impl Iterator<Item = u32>,
        hits: &mut alloc::vec::Vec<CastHit>,
    ) {
        let parts: alloc::vec::Vec<u32> = parts.collect();
        let before = hits.len();
        let near = self.near(surfaces, mover, path);
        if let Some(near) = &near
            && (self.part_among(surfaces, &near.mover, &near.path, Some(near), &parts, hits).is_none()
                || hits.len() > before
                || near.is_all)
        {
            return;
        }
        self.part_among(surfaces, mover, path, None, &parts, hits);
    }

    /// The same for the part of the query that is near the body, or for all of it; `None` if its numbers
    /// leave the range of f64.
    fn part_among<S: Surfaces>(
        &self,
        surfaces: &S,
        mover: &Mover,
        path: &Path,
        near: Option<&Near>,
        parts: &[u32],
        hits: &mut alloc::vec::Vec<CastHit>,
    ) -> Option<()> {
        let frame = &self.frame;
        let local = Local::new(frame, mover, path, surfaces.largest())?;
        let take = |hit: Hit, part: u32| {
            let hit = hit_to_world(frame, path, hit);
            hits.push(self.hit(near.map_or(hit, |near| near.hit(hit)), part));
        };
        local.sweep(HitsAmong { surfaces, local: &local, parts: parts.iter().copied(), take });
        Some(())
    }

    /// Every part within a distance of the mover at the start of `at`.
    pub(crate) fn contacts(
        &self,
        mover: &Mover,
        at: &Path,
        distance: f64,
        visit: &mut dyn FnMut(Contact, u32),
    ) {
        by_collider!(
            self.collider,
            surfaces => self.surface_contacts(surfaces, mover, at, distance, visit),
            compound => self.piece_contacts(compound, mover, at, distance, visit),
            solid => {
                let pose = self.frame.pose();
                let contact = placed(solid, &pose)
                    .and_then(|placed| near_contact(mover, at, distance, &placed, pose.position()));
                if let Some(contact) = contact {
                    visit(contact, 0);
                }
            },
        );
    }

    /// The same with these surfaces, the body's own or those of them that are near the mover.
    pub(crate) fn surface_contacts<S: Surfaces>(
        &self,
        surfaces: &S,
        mover: &Mover,
        at: &Path,
        distance: f64,
        visit: &mut dyn FnMut(Contact, u32),
    ) {
        let frame = &self.frame;
        // Some gaps are not the Euclidean distance and may be less than it: then the box around the body
        // decides as well, as in the index. A body at the origin that is not turned has no larger box than
        // its parts have.
        if !mover.is_thick_segment() && !frame.is_at_rest() && !self.is_within(mover, at, distance) {
            return;
        }
        let Some(local) = Local::new(frame, mover, at, surfaces.largest()) else { return };
        let take = |contact: Contact, part: u32| {
            let contact = contact_to_world(&contact, frame);
            if contact.gap <= distance {
                visit(contact, part);
            }
        };
        let distance = distance / frame.scale();
        local.sweep(Contacts { surfaces, local: &local, distance, take });
    }

    /// Whether the box around the body comes within a distance of that around a mover.
    fn is_within(&self, mover: &Mover, at: &Path, distance: f64) -> bool {
        let place = bounds_at(self.collider, &self.frame.pose())
            .map_or(IndexedBounds::Anywhere, IndexedBounds::Within);
        let distance = DVec3::splat(distance);
        place.is_within_reach(mover, at, [at.from() - distance, at.from() + distance])
    }

    /// How the mover at the start of `at` stands to one part, however far away.
    pub(crate) fn contact(&self, mover: &Mover, at: &Path, part: u32) -> Option<Contact> {
        by_collider!(
            self.collider,
            surfaces => self.surface_contact(surfaces, mover, at, part),
            compound => self.piece_contact(compound, mover, at, part),
            solid => solid_contact(mover, at, solid, &self.frame.pose()),
        )
    }

    /// The same of these surfaces, the body's own or those of them that are near the mover.
    pub(crate) fn surface_contact<S: Surfaces>(
        &self,
        surfaces: &S,
        mover: &Mover,
        at: &Path,
        part: u32,
    ) -> Option<Contact> {
        let frame = &self.frame;
        let local = Local::new(frame, mover, at, surfaces.largest())?;
        let contact = local.sweep(OneContact { surfaces, local: &local, part })?;
        Some(contact_to_world(&contact, frame))
    }
}

/// A hit in the world; a stop where its point is beyond the range of f64.
#[inline]
fn hit_to_world(frame: &Frame, path: &Path, hit: Hit) -> Hit {
    let hit =
        Hit { point: frame.point_to_world(hit.point), normal: frame.normal_to_world(hit.normal), ..hit };
    hit.or_stop(path)
}

fn contact_to_world(contact: &Contact, frame: &Frame) -> Contact {
    Contact {
        gap: contact.gap * frame.scale(),
        normal: frame.normal_to_world(contact.normal),
        point: frame.point_to_world(contact.point),
        feature: contact.feature,
        rounding: contact.rounding * frame.scale(),
    }
}
