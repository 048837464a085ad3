//! Bodies made of surfaces, many to a body: triangles of a mesh, polygons of a set. The same questions serve both.

use core::ops::ControlFlow;

use super::body::PolygonTree;
use super::local::Local;
use super::rival::Rival;
use crate::shape::Aabb;
use crate::sweep::mover::{SurfaceSweep, WithSweep};
use crate::sweep::{Contact, Hit};
use crate::tree::{PackedAabb, Volume};

/// Surfaces by number, with a tree over them.
pub(crate) trait Surfaces {
    /// What the tree keeps around them.
    type Bounds: Volume;

    fn count(&self) -> u32;

    /// The largest absolute coordinate.
    fn largest(&self) -> f64;

    fn hit(&self, sweep: &impl SurfaceSweep, local: &Local, part: u32) -> Option<Hit>;

    fn contact(&self, sweep: &impl SurfaceSweep, local: &Local, part: u32) -> Option<Contact>;

    /// Every hit that may be at a fraction of at most `best`, some of the nearer ones first; at the fraction 0 perhaps without those that
    /// the rival is preferred to. `take` gets the best fraction so far, too, and answers with the best from then on.
    fn hits(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local,
        rival: Option<Rival<'_>>,
        best: f64,
        take: impl FnMut(Hit, u32, f64) -> f64,
    );

    /// Visits all that are in an area, and perhaps others.
    fn around(&self, area: &Aabb, visit: impl FnMut(u32));

    /// Every contact with what is in an area, and perhaps others.
    fn contacts(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local,
        area: &Aabb,
        mut take: impl FnMut(Contact, u32),
    ) {
        self.around(area, |part| {
            if let Some(contact) = self.contact(sweep, local, part) {
                take(contact, part);
            }
        });
    }

    /// Visits the parts in the order of a number that none in a volume is below, until that is above the best. `visit` gets the
    /// best so far and answers with the best from then on.
    fn in_order(&self, bound: impl Fn(&Self::Bounds) -> f64, best: f64, visit: impl FnMut(u32, f64) -> f64);
}

impl Surfaces for PolygonTree {
    type Bounds = Aabb;

    fn count(&self) -> u32 {
        self.polygons().len() as u32
    }

    fn largest(&self) -> f64 {
        self.largest_coordinate()
    }

    fn hit(&self, sweep: &impl SurfaceSweep, local: &Local, part: u32) -> Option<Hit> {
        local.polygon(&self.polygons()[part as usize], |polygon| sweep.polygon(polygon))
    }

    fn contact(&self, sweep: &impl SurfaceSweep, local: &Local, part: u32) -> Option<Contact> {
        local.polygon(&self.polygons()[part as usize], |polygon| sweep.polygon_contact(polygon))
    }

    fn hits(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local,
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

    fn around(&self, area: &Aabb, mut visit: impl FnMut(u32)) {
        let _ = self.tree().overlaps(area, |part| {
            visit(part);
            ControlFlow::<()>::Continue(())
        });
    }

    fn in_order(&self, bound: impl Fn(&Aabb) -> f64, best: f64, visit: impl FnMut(u32, f64) -> f64) {
        self.tree().in_order(bound, best, visit);
    }
}

/// Every first contact at a fraction of at most `best`. `take` answers with the fraction beyond which it wants no more.
pub(crate) struct Hits<'a, S, F> {
    pub(crate) surfaces: &'a S,
    pub(crate) local: &'a Local,
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
    pub(crate) local: &'a Local,
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

/// Every first contact with these parts at a fraction of at most `best`, unless their bounds exclude it.
pub(crate) struct HitsWithin<'a, S, F> {
    pub(crate) surfaces: &'a S,
    pub(crate) local: &'a Local,
    pub(crate) parts: &'a [u32],
    pub(crate) bounds: &'a [PackedAabb],
    pub(crate) best: f64,
    pub(crate) take: F,
}

impl<S: Surfaces, F: FnMut(Hit, u32) -> f64> WithSweep for HitsWithin<'_, S, F> {
    type Output = ();

    fn run(self, sweep: &impl SurfaceSweep) {
        let Self { surfaces, local, parts, bounds, mut best, mut take } = self;
        let swept = local.swept_box(surfaces.largest());
        for (&part, bounds) in parts.iter().zip(bounds) {
            // Bounds beyond the range of f64 exclude nothing.
            if swept.as_ref().is_some_and(|swept| bounds.entry(swept) > best) {
                continue;
            }
            if let Some(hit) = surfaces.hit(sweep, local, part).map(|hit| local.hit(hit))
                && hit.fraction <= best
            {
                best = take(hit, part);
            }
        }
    }
}

/// Every contact with these parts within a distance (in the body's lengths), and perhaps some beyond.
pub(crate) struct ContactsAmong<'a, S, F> {
    pub(crate) surfaces: &'a S,
    pub(crate) local: &'a Local,
    pub(crate) distance: f64,
    pub(crate) parts: &'a [u32],
    pub(crate) bounds: &'a [PackedAabb],
    pub(crate) take: F,
}

impl<S: Surfaces, F: FnMut(Contact, u32)> WithSweep for ContactsAmong<'_, S, F> {
    type Output = ();

    fn run(self, sweep: &impl SurfaceSweep) {
        let Self { surfaces, local, distance, parts, bounds, mut take } = self;
        let area = local.area(surfaces.largest(), distance);
        for (&part, bounds) in parts.iter().zip(bounds) {
            if area.as_ref().is_some_and(|area| !bounds.overlaps(area)) {
                continue;
            }
            if let Some(contact) = surfaces.contact(sweep, local, part) {
                take(local.contact(contact), part);
            }
        }
    }
}

/// Every contact within a distance (in the body's lengths), and perhaps some beyond.
pub(crate) struct Contacts<'a, S, F> {
    pub(crate) surfaces: &'a S,
    pub(crate) local: &'a Local,
    pub(crate) distance: f64,
    pub(crate) take: F,
}

impl<S: Surfaces, F: FnMut(Contact, u32)> WithSweep for Contacts<'_, S, F> {
    type Output = ();

    fn run(self, sweep: &impl SurfaceSweep) {
        let Self { surfaces, local, distance, mut take } = self;
        let mut take = |contact: Contact, part: u32| take(local.contact(contact), part);
        match local.area(surfaces.largest(), distance) {
            Some(area) => surfaces.contacts(sweep, local, &area, take),
            None => (0..surfaces.count()).for_each(|part| {
                if let Some(contact) = surfaces.contact(sweep, local, part) {
                    take(contact, part);
                }
            }),
        }
    }
}

/// One contact.
pub(crate) struct OneContact<'a, S> {
    pub(crate) surfaces: &'a S,
    pub(crate) local: &'a Local,
    pub(crate) part: u32,
}

impl<S: Surfaces> WithSweep for OneContact<'_, S> {
    type Output = Option<Contact>;

    fn run(self, sweep: &impl SurfaceSweep) -> Option<Contact> {
        if self.part >= self.surfaces.count() {
            return None;
        }
        self.surfaces.contact(sweep, self.local, self.part).map(|contact| self.local.contact(contact))
    }
}
