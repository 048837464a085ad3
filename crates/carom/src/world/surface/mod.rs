//! Bodies made of many surfaces: triangles of a mesh, polygons, or curved cells of a set. The same queries
//! serve all of them.

pub(in crate::world) mod bsp_index;
pub(in crate::world) mod half_space;
pub(in crate::world) mod height_walk;
pub(in crate::world) mod hull_tree;
pub(in crate::world) mod lanes;
pub(in crate::world) mod local;
pub(in crate::world) mod mesh_tree;
pub(in crate::world) mod nearest_triangles;
pub(in crate::world) mod packed_triangle;
pub(in crate::world) mod part_set;
pub(in crate::world) mod patch_tree;
pub(in crate::world) mod polygon_tree;
pub(in crate::world) mod revolved;
pub(in crate::world) mod triangle_batch;
pub(in crate::world) mod triangle_culler;
pub(in crate::world) mod triangle_store;

use crate::sweep::mover::{SurfaceSweep, WithSweep};
use crate::sweep::{Contact, Hit};
use crate::world::query::tie_bound::TieBound;
use crate::world::surface::local::Local;

/// Surfaces by number, with a tree over them.
pub(crate) trait Surfaces {
    fn count(&self) -> u32;

    /// The largest absolute coordinate.
    fn largest(&self) -> f64;

    /// The largest absolute coordinate of their points along an axis: [`largest`](Self::largest), unless they
    /// are unbounded.
    fn reach(&self) -> f64 {
        self.largest()
    }

    fn hit(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Hit>;

    fn contact(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Contact>;

    /// Every hit that may be at a fraction of at most `best`, some of the nearer ones first; at the fraction
    /// 0 possibly without those that lose the tie. `take` also gets the best fraction so far, and returns the
    /// new one.
    fn hits(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        tie_bound: Option<TieBound<'_>>,
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

/// Every first contact at a fraction of at most `best`. `take` returns the fraction beyond which it needs no
/// more.
pub(crate) struct Hits<'a, S, F> {
    pub(crate) surfaces: &'a S,
    pub(crate) local: &'a Local<'a>,
    pub(crate) tie_bound: Option<TieBound<'a>>,
    pub(crate) best: f64,
    pub(crate) take: F,
}

impl<S: Surfaces, F: FnMut(Hit, u32) -> f64> WithSweep for Hits<'_, S, F> {
    type Output = ();

    fn run(self, sweep: &impl SurfaceSweep) {
        let Self { surfaces, local, tie_bound, best, mut take } = self;
        surfaces.hits(sweep, local, tie_bound, best, |hit, part, best| {
            let hit = local.hit(hit);
            if hit.fraction <= best { take(hit, part) } else { best }
        });
    }
}

/// The first contact with each of these parts, tested one by one.
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

/// The contact of the mover with one part.
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
