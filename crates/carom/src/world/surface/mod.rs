//! Bodies made of surfaces, many to a body: triangles of a mesh, polygons of a set. The same questions serve
//! both.

pub(in crate::world) mod lanes;
pub(in crate::world) mod local;
pub(in crate::world) mod mesh_tree;
pub(in crate::world) mod packed_triangle;
pub(in crate::world) mod polygon_tree;
pub(in crate::world) mod triangle_batch;
pub(in crate::world) mod triangle_culler;
pub(in crate::world) mod triangle_store;

use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use crate::num::bound::{f32_above, f32_below};
use crate::shape::Aabb;
use crate::sweep::mover::{SurfaceSweep, WithSweep};
use crate::sweep::{Contact, Hit};
use crate::tree::{PackedAabb, Volume};
use crate::world::query::tie_bound::TieBound;
use crate::world::surface::local::Local;
use crate::world::surface::polygon_tree::PolygonTree;

/// Surfaces by number, with a tree over them.
pub(crate) trait Surfaces {
    fn count(&self) -> u32;

    /// The largest absolute coordinate.
    fn largest(&self) -> f64;

    fn hit(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Hit>;

    fn contact(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Contact>;

    /// Every hit that may be at a fraction of at most `best`, some of the nearer ones first; at the fraction
    /// 0 perhaps without those that the rival is preferred to. `take` gets the best fraction so far, too, and
    /// answers with the best from then on.
    fn hits(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        rival: Option<TieBound<'_>>,
        best: f64,
        take: impl FnMut(Hit, u32, f64) -> f64,
    );

    /// Every contact within a distance (in the body's lengths), and perhaps some beyond.
    fn contacts(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        distance: f64,
        take: impl FnMut(Contact, u32),
    );
}

/// Surfaces that can be visited in an order.
pub(crate) trait SurfacesInOrder: Surfaces {
    /// What the tree keeps around them.
    type Bounds: Volume;

    /// Visits the parts in the order of a number that none in a volume is below, until that is above the
    /// best. `visit` gets the best so far and answers with the best from then on.
    fn in_order(&self, bound: impl Fn(&Self::Bounds) -> f64, best: f64, visit: impl FnMut(u32, f64) -> f64);
}

/// A polygon that was gathered, and the box around it in f32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxed {
    part: u32,
    bounds: PackedAabb,
}

impl Boxed {
    /// Whether its box shares a point with an area.
    pub(in crate::world) fn meets(&self, area: &Aabb) -> bool {
        self.bounds.overlaps(area)
    }
}

impl PolygonTree {
    /// Keeps those whose boxes share a point with an area; without one, all. Where they stand; `None` if
    /// there are none.
    pub(in crate::world) fn gather(
        &self,
        area: Option<&Aabb>,
        into: &mut Vec<Boxed>,
    ) -> Option<Range<usize>> {
        let from = into.len();
        let mut add = |part: u32| {
            let own = self.polygons()[part as usize].bounds();
            if let Some(bounds) = packed(&own).filter(|_| area.is_none_or(|area| own.overlaps_aabb(area))) {
                into.push(Boxed { part, bounds });
            }
        };
        match area {
            Some(area) => {
                let _ = self.tree().overlaps(area, |part| {
                    add(part);
                    ControlFlow::<()>::Continue(())
                });
            }
            None => (0..self.count()).for_each(add),
        }
        (into.len() > from).then_some(from..into.len())
    }
}

impl Surfaces for PolygonTree {
    fn count(&self) -> u32 {
        self.polygons().len() as u32
    }

    fn largest(&self) -> f64 {
        self.largest_coordinate()
    }

    fn hit(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Hit> {
        local.polygon(&self.polygons()[part as usize], |polygon| sweep.polygon(polygon))
    }

    fn contact(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Contact> {
        local.polygon(&self.polygons()[part as usize], |polygon| sweep.polygon_contact(polygon))
    }

    fn hits(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        _: Option<TieBound<'_>>,
        best: f64,
        mut take: impl FnMut(Hit, u32, f64) -> f64,
    ) {
        let mut ask = |part: u32, best: f64| match self.hit(sweep, local, part) {
            Some(hit) => take(hit, part, best),
            None => best,
        };
        match local.swept_box(self.largest()) {
            Some(swept) => self.tree().sweep(&swept, best, ask),
            // Bounds beyond the range of f64 exclude nothing.
            None => (0..self.count()).fold(best, |best, part| ask(part, best)),
        };
    }

    fn contacts(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        distance: f64,
        mut take: impl FnMut(Contact, u32),
    ) {
        let mut ask = |part: u32| {
            if let Some(contact) = self.contact(sweep, local, part) {
                take(contact, part);
            }
        };
        match local.area(self.largest(), distance) {
            Some(area) => {
                let _ = self.tree().overlaps(&area, |part| {
                    // Not those that the tree has put together with them: what is found does not depend on
                    // it.
                    if self.polygons()[part as usize].bounds().overlaps_aabb(&area) {
                        ask(part);
                    }
                    ControlFlow::<()>::Continue(())
                });
            }
            None => (0..self.count()).for_each(ask),
        }
    }
}

impl SurfacesInOrder for PolygonTree {
    type Bounds = Aabb;

    fn in_order(&self, bound: impl Fn(&Aabb) -> f64, best: f64, visit: impl FnMut(u32, f64) -> f64) {
        self.tree().in_order(bound, best, visit);
    }
}

/// A set of polygons, and those of them that are near a mover: asked as the whole set is, they answer the
/// same to the bit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GatheredPolygons<'a> {
    pub(crate) set: &'a PolygonTree,
    pub(crate) polygons: &'a [Boxed],
}

impl GatheredPolygons<'_> {
    /// Whether the box of one of them shares a point with an area.
    pub(in crate::world) fn any_in(&self, area: &Aabb) -> bool {
        self.polygons
            .iter()
            .any(|boxed| self.set.polygons()[boxed.part as usize].bounds().overlaps_aabb(area))
    }
}

impl Surfaces for GatheredPolygons<'_> {
    fn count(&self) -> u32 {
        self.set.count()
    }

    fn largest(&self) -> f64 {
        self.set.largest()
    }

    fn hit(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Hit> {
        self.set.hit(sweep, local, part)
    }

    fn contact(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Contact> {
        self.set.contact(sweep, local, part)
    }

    fn hits(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        _: Option<TieBound<'_>>,
        mut best: f64,
        mut take: impl FnMut(Hit, u32, f64) -> f64,
    ) {
        let swept = local.swept_box(self.set.largest());
        for &Boxed { part, bounds } in self.polygons {
            // Bounds beyond the range of f64 exclude nothing.
            if swept.as_ref().is_some_and(|swept| bounds.entry(swept) > best) {
                continue;
            }
            if let Some(hit) = self.hit(sweep, local, part) {
                best = take(hit, part, best);
            }
        }
    }

    fn contacts(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        distance: f64,
        mut take: impl FnMut(Contact, u32),
    ) {
        let area = local.area(self.set.largest(), distance);
        for &Boxed { part, bounds } in self.polygons {
            let is_apart = |area: &Aabb| {
                !bounds.overlaps(area) || !self.set.polygons()[part as usize].bounds().overlaps_aabb(area)
            };
            if area.as_ref().is_some_and(is_apart) {
                continue;
            }
            if let Some(contact) = self.contact(sweep, local, part) {
                take(contact, part);
            }
        }
    }
}

/// Every first contact at a fraction of at most `best`. `take` answers with the fraction beyond which it
/// wants no more.
pub(crate) struct Hits<'a, S, F> {
    pub(crate) surfaces: &'a S,
    pub(crate) local: &'a Local<'a>,
    pub(crate) rival: Option<TieBound<'a>>,
    pub(crate) best: f64,
    pub(crate) take: F,
}

impl<S: Surfaces, F: FnMut(Hit, u32) -> f64> WithSweep for Hits<'_, S, F> {
    type Output = ();

    fn run(self, sweep: &impl SurfaceSweep) {
        let Self { surfaces, local, rival, best, mut take } = self;
        surfaces.hits(sweep, local, rival, best, |hit, part, best| {
            let hit = local.hit(hit);
            if hit.fraction <= best { take(hit, part) } else { best }
        });
    }
}

/// The first contact with each of these parts, asked one by one.
pub(crate) struct HitsAmong<'a, S, P, F> {
    pub(crate) surfaces: &'a S,
    pub(crate) local: &'a Local<'a>,
    pub(crate) parts: P,
    pub(crate) take: F,
}

impl<S: Surfaces, P: Iterator<Item = u32>, F: FnMut(Hit, u32)> WithSweep for HitsAmong<'_, S, P, F> {
    type Output = ();

    fn run(self, sweep: &impl SurfaceSweep) {
        let Self { surfaces, local, parts, mut take } = self;
        for part in parts.filter(|part| *part < surfaces.count()) {
            if let Some(hit) = surfaces.hit(sweep, local, part) {
                take(local.hit(hit), part);
            }
        }
    }
}

/// Every contact within a distance (in the body's lengths), and perhaps some beyond.
pub(crate) struct Contacts<'a, S, F> {
    pub(crate) surfaces: &'a S,
    pub(crate) local: &'a Local<'a>,
    pub(crate) distance: f64,
    pub(crate) take: F,
}

impl<S: Surfaces, F: FnMut(Contact, u32)> WithSweep for Contacts<'_, S, F> {
    type Output = ();

    fn run(self, sweep: &impl SurfaceSweep) {
        let Self { surfaces, local, distance, mut take } = self;
        surfaces.contacts(sweep, local, distance, |contact, part| take(local.contact(contact), part));
    }
}

/// How the mover stands to one part.
pub(crate) struct OneContact<'a, S> {
    pub(crate) surfaces: &'a S,
    pub(crate) local: &'a Local<'a>,
    pub(crate) part: u32,
}

impl<S: Surfaces> WithSweep for OneContact<'_, S> {
    type Output = Option<Contact>;

    fn run(self, sweep: &impl SurfaceSweep) -> Option<Contact> {
        let Self { surfaces, local, part } = self;
        if part >= surfaces.count() {
            return None;
        }
        surfaces.contact(sweep, local, part).map(|contact| local.contact(contact))
    }
}

/// The box in f32, rounded outward.
fn packed(bounds: &Aabb) -> Option<PackedAabb> {
    PackedAabb::new(f32_below(bounds.min()), f32_above(bounds.max())).ok()
}
