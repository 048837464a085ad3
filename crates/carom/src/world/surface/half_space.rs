//! Half-spaces as colliders: everything behind a plane is solid.
//!
//! Error: that of the kernels of planes. Cost: two products.

use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::shape::{Convex, Plane};
use crate::sweep::mover::SurfaceSweep;
use crate::sweep::{Contact, Feature, Hit};
use crate::world::query::tie_bound::TieBound;
use crate::world::surface::Surfaces;
use crate::world::surface::hull_tree::{as_asked, extent, stop_of};
use crate::world::surface::local::Local;

/// Everything behind a plane: endless ground or water, the walls of a hall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    plane: Plane,
}

impl HalfSpace {
    /// The space behind a plane, away from its normal.
    pub fn behind(plane: Plane) -> Self {
        Self { plane }
    }

    /// The plane that bounds it.
    pub fn plane(&self) -> &Plane {
        &self.plane
    }

    /// The contact of a mover with it, in the lengths of the body.
    pub(in crate::world) fn stands(&self, local: &Local<'_>) -> Contact {
        let (normal, distance) = (self.plane.normal(), self.plane.distance());
        let center = local.path().from();
        let lowest = center + local.mover().support(-normal);
        let size = reach(center) + distance.abs() + reach(local.half_extents());
        Contact {
            gap: self.plane.signed_distance(center) - extent(local.mover(), normal),
            normal,
            point: self.plane.closest_point(lowest),
            feature: Feature::Face,
            rounding: 8.0 * UNIT_ROUNDOFF * size + local.rounding(),
        }
    }
}

impl Surfaces for HalfSpace {
    fn count(&self) -> u32 {
        1
    }

    fn largest(&self) -> f64 {
        self.plane.distance().abs()
    }

    fn reach(&self) -> f64 {
        f64::INFINITY
    }

    fn hit(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, _: u32) -> Option<Hit> {
        if self.plane.signed_distance(local.path().from()) > 0.0 {
            let hit = sweep.plane(&self.plane.scaled_by(local.factor()))?;
            if hit.fraction > 0.0 || hit.start_overlap {
                return Some(hit);
            }
            // The kernel's bound includes the path, which does not matter at the start.
            let stands = self.stands(local);
            return if stands.gap < -stands.rounding { stop_of(&stands, local) } else { Some(hit) };
        }
        stop_of(&self.stands(local), local)
    }

    fn contact(&self, _: &impl SurfaceSweep, local: &Local<'_>, _: u32) -> Option<Contact> {
        Some(as_asked(&self.stands(local), local))
    }

    fn hits(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        _: Option<TieBound<'_>>,
        best: f64,
        mut take: impl FnMut(Hit, u32, f64) -> f64,
    ) {
        if let Some(hit) = self.hit(sweep, local, 0) {
            take(hit, 0, best);
        }
    }

    fn contacts(&self, _: &impl SurfaceSweep, local: &Local<'_>, _: f64, mut take: impl FnMut(Contact, u32)) {
        take(as_asked(&self.stands(local), local), 0);
    }
}
