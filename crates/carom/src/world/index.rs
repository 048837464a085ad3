//! Finds the bodies that may be on a path: trees over their bounds, one for fixed bodies and one for movable
//! bodies.
//!
//! The trees only skip bodies that cannot matter, so answers do not depend on their shape or history. The
//! bounds of a body are grown once, when it is placed, by the rounding of its own lengths ([`GROWTH`]). So a
//! distant body does not widen the bounds of near ones. Cost: a change takes logarithmic time in the number
//! of bodies.

use alloc::vec::Vec;

use glam::DVec3;

use crate::num::bound::{f32_above, f32_below};
use crate::shape::{Aabb, Mover};
use crate::sweep::Path;
use crate::sweep::mover::margin;
use crate::tree::{DynamicTree, Root, SweptBounds};

/// The share of its lengths by which the bounds of a body are grown: more than 2¹⁸ times the share of these
/// lengths in a kernel's rounding bound ([`margin`]), so that it also holds for ellipsoids up to [`FLATTEST`]
/// times as long as they are thick.
pub(crate) const GROWTH: f64 = 1.0 / (1u32 << 24) as f64;
const FLATTEST: f64 = (1u32 << 17) as f64;

/// Bodies, by their bounds. They are known by their numbers 0, 1, 2 …
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    tree: DynamicTree,
    /// Bodies without bounds, which every query visits.
    anywhere: Vec<u32>,
    /// The number of bodies, gone ones included.
    count: u32,
}

/// The bounds of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) enum IndexedBounds {
    /// It is gone.
    Nowhere,
    /// A box, which is already grown.
    Within(Aabb),
    /// Beyond the range of f64, or NaN: every query visits it.
    Anywhere,
}

impl Index {
    /// Sets the bounds of a body: a known number or the next one.
    pub(crate) fn place(&mut self, root: Root, number: u32, place: IndexedBounds) {
        self.place_stale(root, number, place);
        self.settle();
    }

    /// The same for one of many movable bodies: no query may run until [`settle`](Self::settle) is called.
    pub(crate) fn place_stale(&mut self, root: Root, number: u32, place: IndexedBounds) {
        self.count = self.count.max(number + 1);
        if let IndexedBounds::Within(bounds) = place {
            let bounds = [f32_below(bounds.min()), f32_above(bounds.max())];
            if !self.anywhere.is_empty() {
                self.anywhere.retain(|other| *other != number);
            }
            return self.tree.place_stale(root, number, bounds);
        }
        self.tree.remove(number);
        self.anywhere.retain(|other| *other != number);
        if matches!(place, IndexedBounds::Anywhere) {
            self.anywhere.push(number);
        }
    }

    /// Updates the trees after some changes.
    pub(crate) fn settle(&mut self) {
        self.tree.settle();
    }

    /// For this few bodies, testing their bounds first would not be faster.
    const FEW: u32 = 2;

    /// Whether all bodies are visited, whatever their bounds.
    #[inline]
    fn asks_all(&self, mover: &Mover) -> bool {
        self.count <= Self::FEW || is_flat(mover)
    }

    /// Visits every body that the mover may hit on its path, mostly nearer ones first. `visit` returns the
    /// fraction beyond which it needs no more.
    #[inline]
    pub(crate) fn sweep(&self, mover: &Mover, path: &Path, visit: impl FnMut(u32, f64) -> f64) {
        self.sweep_expecting(mover, path, |_| (), visit);
    }

    /// The same; `expect` gets those that may be visited soon.
    #[inline]
    pub(crate) fn sweep_expecting(
        &self,
        mover: &Mover,
        path: &Path,
        expect: impl Fn(u32),
        mut visit: impl FnMut(u32, f64) -> f64,
    ) {
        if self.asks_all(mover) {
            (0..self.count).fold(1.0, |best, number| visit(number, best));
            return;
        }
        let half_extents = mover.half_extents() + DVec3::splat(margin(mover, path, 0.0, 0.0));
        let Some(swept) = SweptBounds::new(path.from(), path.translation(), half_extents) else {
            (0..self.count).fold(1.0, |best, number| visit(number, best));
            return;
        };
        let best = self.anywhere.iter().fold(1.0, |best, &number| visit(number, best));
        self.tree.sweep(&swept, best, expect, visit);
    }

    /// Visits every body whose bounds come within a distance along each axis of a mover at the start of `at`;
    /// `expect` gets those that are visited soon.
    #[inline]
    pub(crate) fn around(
        &self,
        mover: &Mover,
        at: &Path,
        distance: DVec3,
        expect: impl Fn(u32),
        visit: impl FnMut(u32),
    ) {
        if self.asks_all(mover) {
            return (0..self.count).for_each(visit);
        }
        let half_extents = mover.half_extents() + DVec3::splat(margin(mover, at, 0.0, 0.0)) + distance;
        let Ok(area) = Aabb::new(at.from() - half_extents, at.from() + half_extents) else {
            return (0..self.count).for_each(visit);
        };
        self.within_expecting(&area, expect, visit);
    }

    /// Visits every body whose bounds overlap a box.
    #[inline]
    pub(crate) fn within(&self, area: &Aabb, visit: impl FnMut(u32)) {
        self.within_expecting(area, |_| (), visit);
    }

    #[inline]
    fn within_expecting(&self, area: &Aabb, expect: impl Fn(u32), mut visit: impl FnMut(u32)) {
        self.anywhere.iter().for_each(|&number| visit(number));
        self.tree.overlaps([f32_below(area.min()), f32_above(area.max())], expect, visit);
    }

    /// Visits all bodies whose bounds come within a distance of a place, mostly nearer ones first. `visit`
    /// returns the distance within which it needs more; `expect` gets those that may be visited soon.
    #[inline]
    pub(crate) fn nearest(
        &self,
        place: DVec3,
        distance: f64,
        expect: impl Fn(u32),
        mut visit: impl FnMut(u32, f64) -> f64,
    ) {
        let best = self.anywhere.iter().fold(distance, |best, &number| visit(number, best));
        self.tree.nearest(place, best, expect, visit);
    }

    /// The bytes of the contents of the trees, without spare capacity.
    #[cfg(test)]
    pub(crate) fn memory(&self) -> usize {
        self.tree.memory()
    }
}

/// Whether a mover's rounding bounds are too large a share of lengths.
pub(in crate::world) fn is_flat(mover: &Mover) -> bool {
    match mover {
        Mover::Ellipsoid(ellipsoid) => {
            let radii = ellipsoid.radii();
            radii.max_element() > FLATTEST * radii.min_element()
        }
        _ => false,
    }
}
