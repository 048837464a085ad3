//! Cylinders and cones as colliders.

use crate::shape::Frustum;
use crate::sweep::mover::SurfaceSweep;
use crate::sweep::pairs::mover_frustum;
use crate::sweep::{Contact, Hit};
use crate::world::query::tie_bound::TieBound;
use crate::world::surface::Surfaces;
use crate::world::surface::local::Local;

impl Surfaces for Frustum {
    fn count(&self) -> u32 {
        1
    }

    fn largest(&self) -> f64 {
        Frustum::largest(self)
    }

    fn hit(&self, _: &impl SurfaceSweep, local: &Local<'_>, _: u32) -> Option<Hit> {
        let (mover, path, rounding) = local.in_range();
        mover_frustum::sweep(&mover, &path, &self.scaled_by(local.factor()), glam::DVec3::ZERO, rounding)
    }

    fn contact(&self, _: &impl SurfaceSweep, local: &Local<'_>, _: u32) -> Option<Contact> {
        let (mover, path, rounding) = local.in_range();
        Some(mover_frustum::contact(&mover, &path, &self.scaled_by(local.factor()), rounding))
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

    fn contacts(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        distance: f64,
        mut take: impl FnMut(Contact, u32),
    ) {
        // The distance of its center bounds that of the mover, at a fraction of the cost.
        let apart = self.standing(local.path().from()).distance;
        let reach = crate::num::bound::reach(local.half_extents());
        let is_beyond = apart > (reach + distance + local.margin(Frustum::largest(self))) * 1.0625;
        if !is_beyond && let Some(contact) = self.contact(sweep, local, 0) {
            take(contact, 0);
        }
    }
}
