//! Bodies made of surfaces, many to a body: triangles of a mesh, polygons of a set. The same questions serve both.

use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use super::body::PolygonTree;
use super::local::Local;
use super::rival::Rival;
use crate::num::bound::{f32_above, f32_below};
use crate::shape::Aabb;
use crate::sweep::mover::{SurfaceSweep, WithSweep};
use crate::sweep::{Contact, Hit};
use crate::tree::{PackedAabb, Volume};

/// Surfaces by number, with a tree over them.
pub(crate) trait Surfaces {
    /// What the tree keeps around them.
    type Bounds: Volume;
    /// What is kept of those that were gathered, to be asked again and again.
    type Kept<'a>: Copy;

    fn count(&self) -> u32;

    /// The largest absolute coordinate.
    fn largest(&self) -> f64;

    fn hit(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Hit>;

    fn contact(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Contact>;

    /// The same as [`Surfaces::contact`]; what was gathered is at hand.
    fn contact_at_hand(
        &self,
        kept: Self::Kept<'_>,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        part: u32,
    ) -> Option<Contact>;

    /// Every hit that may be at a fraction of at most `best`, some of the nearer ones first; at the fraction 0 perhaps without those that
    /// the rival is preferred to. `take` gets the best fraction so far, too, and answers with the best from then on.
    fn hits(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        rival: Option<Rival<'_>>,
        best: f64,
        take: impl FnMut(Hit, u32, f64) -> f64,
    );

    /// The same of those that were gathered, and of no others.
    fn hits_among(
        &self,
        kept: Self::Kept<'_>,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
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

    /// The same with those that were gathered, and with no others.
    fn contacts_among(
        &self,
        kept: Self::Kept<'_>,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        distance: f64,
        take: impl FnMut(Contact, u32),
    );

    /// Visits the parts in the order of a number that none in a volume is below, until that is above the best. `visit` gets the
    /// best so far and answers with the best from then on.
    fn in_order(&self, bound: impl Fn(&Self::Bounds) -> f64, best: f64, visit: impl FnMut(u32, f64) -> f64);
}

/// A polygon that was gathered, and the box around it in f32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxed {
    part: u32,
    bounds: PackedAabb,
}

impl PolygonTree {
    /// Keeps those whose boxes share a point with an area; without one, all. Where they stand; none if there are none.
    pub(super) fn gather(&self, area: Option<&Aabb>, into: &mut Vec<Boxed>) -> Option<Range<usize>> {
        let from = into.len();
        let mut add = |part: u32| {
            if let Some(bounds) = packed(&self.polygons()[part as usize].bounds()) {
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
    type Bounds = Aabb;
    type Kept<'a> = &'a [Boxed];

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

    fn contact_at_hand(
        &self,
        _: &[Boxed],
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        part: u32,
    ) -> Option<Contact> {
        self.contact(sweep, local, part)
    }

    fn hits(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        _: Option<Rival<'_>>,
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

    fn hits_among(
        &self,
        kept: &[Boxed],
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        mut best: f64,
        mut take: impl FnMut(Hit, u32, f64) -> f64,
    ) {
        let swept = local.swept_box(self.largest());
        for &Boxed { part, bounds } in kept {
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
        let mut ask = |part: u32| {
            if let Some(contact) = self.contact(sweep, local, part) {
                take(contact, part);
            }
        };
        match local.area(self.largest(), distance) {
            Some(area) => {
                let _ = self.tree().overlaps(&area, |part| {
                    ask(part);
                    ControlFlow::<()>::Continue(())
                });
            }
            None => (0..self.count()).for_each(ask),
        }
    }

    fn contacts_among(
        &self,
        kept: &[Boxed],
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        distance: f64,
        mut take: impl FnMut(Contact, u32),
    ) {
        let area = local.area(self.largest(), distance);
        for &Boxed { part, bounds } in kept {
            if area.as_ref().is_some_and(|area| !bounds.overlaps(area)) {
                continue;
            }
            if let Some(contact) = self.contact(sweep, local, part) {
                take(contact, part);
            }
        }
    }

    fn in_order(&self, bound: impl Fn(&Aabb) -> f64, best: f64, visit: impl FnMut(u32, f64) -> f64) {
        self.tree().in_order(bound, best, visit);
    }
}

/// Every first contact at a fraction of at most `best`. `take` answers with the fraction beyond which it wants no more.
pub(crate) struct Hits<'a, S, F> {
    pub(crate) surfaces: &'a S,
    pub(crate) local: &'a Local<'a>,
    pub(crate) rival: Option<Rival<'a>>,
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

/// Every first contact with what was gathered at a fraction of at most `best`.
pub(crate) struct HitsWithin<'a, 'k, S: Surfaces, F> {
    pub(crate) surfaces: &'a S,
    pub(crate) local: &'a Local<'a>,
    pub(crate) kept: S::Kept<'k>,
    pub(crate) best: f64,
    pub(crate) take: F,
}

impl<S: Surfaces, F: FnMut(Hit, u32) -> f64> WithSweep for HitsWithin<'_, '_, S, F> {
    type Output = ();

    fn run(self, sweep: &impl SurfaceSweep) {
        let Self { surfaces, local, kept, best, mut take } = self;
        surfaces.hits_among(kept, sweep, local, best, |hit, part, best| {
            let hit = local.hit(hit);
            if hit.fraction <= best { take(hit, part) } else { best }
        });
    }
}

/// Every contact with what was gathered within a distance (in the body's lengths), and perhaps some beyond.
pub(crate) struct ContactsAmong<'a, 'k, S: Surfaces, F> {
    pub(crate) surfaces: &'a S,
    pub(crate) local: &'a Local<'a>,
    pub(crate) kept: S::Kept<'k>,
    pub(crate) distance: f64,
    pub(crate) take: F,
}

impl<S: Surfaces, F: FnMut(Contact, u32)> WithSweep for ContactsAmong<'_, '_, S, F> {
    type Output = ();

    fn run(self, sweep: &impl SurfaceSweep) {
        let Self { surfaces, local, kept, distance, mut take } = self;
        surfaces.contacts_among(kept, sweep, local, distance, |contact, part| {
            take(local.contact(contact), part);
        });
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

/// One contact.
pub(crate) struct OneContact<'a, 'k, S: Surfaces> {
    pub(crate) surfaces: &'a S,
    pub(crate) local: &'a Local<'a>,
    /// What was gathered, if anything was: the part need not be among it.
    pub(crate) kept: Option<S::Kept<'k>>,
    pub(crate) part: u32,
}

impl<S: Surfaces> WithSweep for OneContact<'_, '_, S> {
    type Output = Option<Contact>;

    fn run(self, sweep: &impl SurfaceSweep) -> Option<Contact> {
        let Self { surfaces, local, kept, part } = self;
        if part >= surfaces.count() {
            return None;
        }
        let contact = match kept {
            Some(kept) => surfaces.contact_at_hand(kept, sweep, local, part),
            None => surfaces.contact(sweep, local, part),
        };
        contact.map(|contact| local.contact(contact))
    }
}

/// The box in f32, rounded outward.
fn packed(bounds: &Aabb) -> Option<PackedAabb> {
    PackedAabb::new(f32_below(bounds.min()), f32_above(bounds.max())).ok()
}
