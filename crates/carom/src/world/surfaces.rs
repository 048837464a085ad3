//! Bodies made of surfaces, many to a body: triangles of a mesh, polygons of a set. One walk serves both.

use core::ops::ControlFlow;

use super::body::{MeshTree, PolygonTree};
use super::local::Local;
use crate::shape::Aabb;
use crate::sweep::mover::{SurfaceSweep, WithSweep};
use crate::sweep::{Contact, Hit};
use crate::tree::{Tree, Volume};

/// Surfaces by number, with a tree over them.
pub(crate) trait Surfaces {
    type Bounds: Volume;
    fn count(&self) -> u32;
    fn bounds(&self) -> &Tree<Self::Bounds>;
    /// The largest absolute coordinate.
    fn largest(&self) -> f64;
    fn hit(&self, sweep: &impl SurfaceSweep, local: &Local, part: u32) -> Option<Hit>;
    fn contact(&self, sweep: &impl SurfaceSweep, local: &Local, part: u32) -> Option<Contact>;
}

impl Surfaces for MeshTree {
    type Bounds = crate::tree::PackedAabb;

    fn count(&self) -> u32 {
        self.mesh().triangle_count()
    }

    fn bounds(&self) -> &Tree<Self::Bounds> {
        self.tree()
    }

    fn largest(&self) -> f64 {
        self.mesh().largest_coordinate()
    }

    #[inline(always)]
    fn hit(&self, sweep: &impl SurfaceSweep, local: &Local, part: u32) -> Option<Hit> {
        sweep.triangle(&local.facet(self.mesh(), part))
    }

    #[inline(always)]
    fn contact(&self, sweep: &impl SurfaceSweep, local: &Local, part: u32) -> Option<Contact> {
        sweep.triangle_contact(&local.facet(self.mesh(), part))
    }
}

impl Surfaces for PolygonTree {
    type Bounds = Aabb;

    fn count(&self) -> u32 {
        self.polygons().len() as u32
    }

    fn bounds(&self) -> &Tree<Self::Bounds> {
        self.tree()
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
}

/// Every first contact at a fraction of at most `best`. `take` answers with the fraction beyond which it wants no more.
pub(crate) struct Hits<'a, S, F> {
    pub(crate) surfaces: &'a S,
    pub(crate) local: &'a Local,
    pub(crate) best: f64,
    pub(crate) take: F,
}

impl<S: Surfaces, F: FnMut(Hit, u32) -> f64> WithSweep for Hits<'_, S, F> {
    type Output = ();

    fn run(self, sweep: &impl SurfaceSweep) {
        let Self { surfaces, local, best, mut take } = self;
        let mut visit =
            |part: u32, best: f64| match surfaces.hit(sweep, local, part).map(|hit| local.hit(hit)) {
                Some(hit) if hit.fraction <= best => take(hit, part),
                _ => best,
            };
        match local.swept_box(surfaces.largest()) {
            Some(swept) => surfaces.bounds().sweep(&swept, best, visit),
            // Bounds beyond the range of f64 exclude nothing.
            None => (0..surfaces.count()).fold(best, |best, part| visit(part, best)),
        };
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
        let mut visit = |part: u32| {
            if let Some(contact) = surfaces.contact(sweep, local, part) {
                take(local.contact(contact), part);
            }
        };
        match local.area(surfaces.largest(), distance) {
            Some(area) => {
                let _ = surfaces.bounds().overlaps(&area, |part| {
                    visit(part);
                    ControlFlow::<()>::Continue(())
                });
            }
            None => (0..surfaces.count()).for_each(visit),
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
