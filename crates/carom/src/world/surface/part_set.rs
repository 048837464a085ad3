//! Sets of surfaces with a binary tree over their boxes: polygons, and cells of curved patches.
//!
//! A set is asked through `dyn PartSet`, and it holds the function that makes one of it. So the walks are
//! compiled once for all sets, and the methods of a type are in a program only where sets of it are made.

use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use glam::DVec3;

use crate::num::bound::{f32_above, f32_below};
use crate::shape::{Aabb, Mover};
use crate::sweep::mover::{AnySweep, SurfaceSweep};
use crate::sweep::{Contact, Hit};
use crate::tree::{PackedAabb, SweptBox, Tree, Volume};
use crate::world::query::tie_bound::TieBound;
use crate::world::surface::Surfaces;
use crate::world::surface::local::Local;

/// The function by which a set becomes one of any type.
pub(crate) type AsParts<S> = fn(&S) -> &dyn PartSet;

/// Parts by number, each with a box.
pub(crate) trait PartSet {
    /// How many there are.
    fn parts(&self) -> u32;

    /// The largest absolute coordinate.
    fn largest_of_all(&self) -> f64;

    /// The tree over the boxes.
    fn boxes(&self) -> &Tree<Aabb>;

    /// The box of a part, grown by the distance at which a mover may be stopped early.
    fn box_of(&self, part: u32) -> Aabb;

    /// The first contact with a part; one after the fraction `within` may be left out.
    fn hit_part(&self, sweep: AnySweep<'_>, local: &Local<'_>, part: u32, within: f64) -> Option<Hit>;

    /// The contact of the mover with a part; a gap larger than `within` may be left out.
    fn contact_part(&self, sweep: AnySweep<'_>, local: &Local<'_>, part: u32, within: f64)
    -> Option<Contact>;

    /// The unit normal of a part at its point nearest to a place; `None` where it has no area, or if there is
    /// no such part.
    fn normal_near(&self, part: u32, place: DVec3) -> Option<DVec3>;

    /// The distance of a part from a mover with its center at `center`, and the nearest point of the part
    /// relative to that.
    fn nearest_to(&self, part: u32, mover: &Mover, center: DVec3) -> Option<(f64, DVec3)>;

    /// Like [`Surfaces::hits`].
    fn hits_of_parts(
        &self,
        sweep: AnySweep<'_>,
        local: &Local<'_>,
        best: f64,
        take: &mut dyn FnMut(Hit, u32, f64) -> f64,
    ) {
        let mut ask =
            |part: u32, best: f64| match self.hit_part(sweep, local, part, local.fraction_asked(best)) {
                Some(hit) => take(hit, part, best),
                None => best,
            };
        match local.swept_box(self.largest_of_all()) {
            Some(swept) => {
                // The nearest box first: a hit there may exclude the others.
                self.boxes().sweep(&swept, best, |part, best| {
                    if enters(&swept, &self.box_of(part)) > best { best } else { ask(part, best) }
                });
            }
            // Bounds beyond the range of f64 exclude nothing.
            None => {
                (0..self.parts()).fold(best, |best, part| ask(part, best));
            }
        }
    }

    /// Like [`Surfaces::contacts`].
    fn contacts_of_parts(
        &self,
        sweep: AnySweep<'_>,
        local: &Local<'_>,
        distance: f64,
        take: &mut dyn FnMut(Contact, u32),
    ) {
        let mut ask = |part: u32| {
            if let Some(contact) = self.contact_part(sweep, local, part, local.gap_asked(distance)) {
                take(contact, part);
            }
        };
        match local.area(self.largest_of_all(), distance) {
            Some(area) => {
                let _ = self.boxes().overlaps(&area, |part| {
                    // Not the others in their leaves: the result does not depend on the tree.
                    if self.box_of(part).overlaps_aabb(&area) {
                        ask(part);
                    }
                    ControlFlow::<()>::Continue(())
                });
            }
            None => (0..self.parts()).for_each(ask),
        }
    }

    /// Keeps those whose boxes overlap an area, or all without one. Returns their range; `None` if there are
    /// none.
    fn gather(&self, area: Option<&Aabb>, into: &mut Vec<Boxed>) -> Option<Range<usize>> {
        let from = into.len();
        let mut add = |part: u32| {
            let own = self.box_of(part);
            if let Some(bounds) = packed(&own).filter(|_| area.is_none_or(|area| own.overlaps_aabb(area))) {
                into.push(Boxed { part, bounds });
            }
        };
        match area {
            Some(area) => {
                let _ = self.boxes().overlaps(area, |part| {
                    add(part);
                    ControlFlow::<()>::Continue(())
                });
            }
            None => (0..self.parts()).for_each(add),
        }
        (into.len() > from).then_some(from..into.len())
    }
}

/// A part that was gathered, and the box around it in f32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxed {
    part: u32,
    bounds: PackedAabb,
}

impl Boxed {
    /// Whether its box overlaps an area.
    pub(in crate::world) fn meets(&self, area: &Aabb) -> bool {
        self.bounds.overlaps(area)
    }
}

impl Surfaces for &dyn PartSet {
    fn count(&self) -> u32 {
        self.parts()
    }

    fn largest(&self) -> f64 {
        self.largest_of_all()
    }

    fn hit(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Hit> {
        self.hit_part(sweep.as_any(), local, part, f64::INFINITY)
    }

    fn contact(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Contact> {
        self.contact_part(sweep.as_any(), local, part, f64::INFINITY)
    }

    fn hits(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        _: Option<TieBound<'_>>,
        best: f64,
        mut take: impl FnMut(Hit, u32, f64) -> f64,
    ) {
        self.hits_of_parts(sweep.as_any(), local, best, &mut take);
    }

    fn contacts(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        distance: f64,
        mut take: impl FnMut(Contact, u32),
    ) {
        self.contacts_of_parts(sweep.as_any(), local, distance, &mut take);
    }
}

fn enters(swept: &SweptBox, bounds: &Aabb) -> f64 {
    swept.entry(bounds.min(), bounds.max())
}

/// A set, and its parts that are near a mover. Queries give the same answers, to the bit, as on the whole
/// set.
pub(crate) struct GatheredParts<'a> {
    pub(crate) set: &'a dyn PartSet,
    pub(crate) parts: &'a [Boxed],
}

impl GatheredParts<'_> {
    /// Whether the box of one of them overlaps an area.
    pub(in crate::world) fn any_in(&self, area: &Aabb) -> bool {
        self.parts.iter().any(|boxed| self.set.box_of(boxed.part).overlaps_aabb(area))
    }
}

/// Numbers, boxes and answers are those of the set; only the walks are over fewer parts.
impl PartSet for GatheredParts<'_> {
    fn parts(&self) -> u32 {
        self.set.parts()
    }

    fn largest_of_all(&self) -> f64 {
        self.set.largest_of_all()
    }

    fn boxes(&self) -> &Tree<Aabb> {
        self.set.boxes()
    }

    fn box_of(&self, part: u32) -> Aabb {
        self.set.box_of(part)
    }

    fn hit_part(&self, sweep: AnySweep<'_>, local: &Local<'_>, part: u32, within: f64) -> Option<Hit> {
        self.set.hit_part(sweep, local, part, within)
    }

    fn contact_part(
        &self,
        sweep: AnySweep<'_>,
        local: &Local<'_>,
        part: u32,
        within: f64,
    ) -> Option<Contact> {
        self.set.contact_part(sweep, local, part, within)
    }

    fn normal_near(&self, part: u32, place: DVec3) -> Option<DVec3> {
        self.set.normal_near(part, place)
    }

    fn nearest_to(&self, part: u32, mover: &Mover, center: DVec3) -> Option<(f64, DVec3)> {
        self.set.nearest_to(part, mover, center)
    }

    fn hits_of_parts(
        &self,
        sweep: AnySweep<'_>,
        local: &Local<'_>,
        mut best: f64,
        take: &mut dyn FnMut(Hit, u32, f64) -> f64,
    ) {
        let swept = local.swept_box(self.set.largest_of_all());
        for &Boxed { part, bounds } in self.parts {
            // Bounds beyond the range of f64 exclude nothing.
            if swept.as_ref().is_some_and(|swept| bounds.entry(swept) > best) {
                continue;
            }
            if let Some(hit) = self.set.hit_part(sweep, local, part, local.fraction_asked(best)) {
                best = take(hit, part, best);
            }
        }
    }

    fn contacts_of_parts(
        &self,
        sweep: AnySweep<'_>,
        local: &Local<'_>,
        distance: f64,
        take: &mut dyn FnMut(Contact, u32),
    ) {
        let area = local.area(self.set.largest_of_all(), distance);
        for &Boxed { part, bounds } in self.parts {
            let is_apart = |area: &Aabb| !bounds.overlaps(area) || !self.set.box_of(part).overlaps_aabb(area);
            if area.as_ref().is_some_and(is_apart) {
                continue;
            }
            if let Some(contact) = self.set.contact_part(sweep, local, part, local.gap_asked(distance)) {
                take(contact, part);
            }
        }
    }
}

/// The box in f32, rounded outward.
fn packed(bounds: &Aabb) -> Option<PackedAabb> {
    PackedAabb::new(f32_below(bounds.min()), f32_above(bounds.max())).ok()
}
