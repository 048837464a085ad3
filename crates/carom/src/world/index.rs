//! Finds the bodies that may be on a path: trees over their bounds, one for fixed bodies and one for movable
//! bodies.
//!
//! The trees only skip what cannot matter, so answers do not depend on their shape or history. The bounds of
//! a body are grown once, when it is placed, by the rounding of its own lengths ([`GROWTH`]). So a distant
//! body does not widen the bounds of near ones. Cost: a change takes logarithmic time in the number of
//! bodies.

use alloc::vec::Vec;

use glam::DVec3;

use crate::num::bound::{f32_above, f32_below};
use crate::shape::{Aabb, Mover};
use crate::sweep::Path;
use crate::sweep::mover::margin;
use crate::tree::{DynamicTree, Root, SweptBounds};

/// By what share of its lengths the bounds of a body are grown: more than 2¹⁸ times what a kernel's rounding
/// bound counts in these lengths ([`margin`]), so that it holds for ellipsoids, too, that are up to
/// [`FLATTEST`] times as long as they are thick.
pub(crate) const GROWTH: f64 = 1.0 / (1u32 << 24) as f64;
const FLATTEST: f64 = (1u32 << 17) as f64;

/// Bodies by where they are. They are known by their numbers 0, 1, 2 …
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    tree: DynamicTree,
    /// Bodies without bounds: always offered.
    anywhere: Vec<u32>,
    /// How many numbers there are.
    count: u32,
}

/// Where a body is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// It is gone.
    Nowhere,
    /// In a box, which is grown already.
    Within(Aabb),
    /// Beyond the range of f64, or NaN: always offered.
    Anywhere,
}

impl Index {
    /// Says where a body is now: a known number or the next one.
    pub(crate) fn place(&mut self, root: Root, number: u32, place: Place) {
        self.place_stale(root, number, place);
        self.settle();
    }

    /// The same of one of many bodies that may move: until [`settle`](Self::settle) is called the index
    /// answers nothing.
    pub(crate) fn place_stale(&mut self, root: Root, number: u32, place: Place) {
        self.count = self.count.max(number + 1);
        if let Place::Within(bounds) = place {
            let bounds = [f32_below(bounds.min()), f32_above(bounds.max())];
            if !self.anywhere.is_empty() {
                self.anywhere.retain(|other| *other != number);
            }
            return self.tree.place_stale(root, number, bounds);
        }
        self.tree.remove(number);
        self.anywhere.retain(|other| *other != number);
        if matches!(place, Place::Anywhere) {
            self.anywhere.push(number);
        }
    }

    /// Puts the trees in order after some changes.
    pub(crate) fn settle(&mut self) {
        self.tree.settle();
    }

    /// So few are as quickly asked as their bounds would be.
    const FEW: u32 = 2;

    /// Whether all bodies are offered, whatever their bounds.
    #[inline]
    fn asks_all(&self, mover: &Mover) -> bool {
        self.count <= Self::FEW || is_flat(mover)
    }

    /// Offers every body that the mover may meet on its path, mostly nearer ones first. `visit` answers with
    /// the fraction beyond which it wants no more.
    #[inline]
    pub(crate) fn sweep(&self, mover: &Mover, path: &Path, visit: impl FnMut(u32, f64) -> f64) {
        self.sweep_expecting(mover, path, |_| (), visit);
    }

    /// The same; `expect` gets those that may be offered soon.
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

    /// Offers every body whose bounds come within `distance` of a mover at the start of `at`; `expect` gets
    /// those that are offered soon.
    #[inline]
    pub(crate) fn around(
        &self,
        mover: &Mover,
        at: &Path,
        distance: f64,
        expect: impl Fn(u32),
        visit: impl FnMut(u32),
    ) {
        if self.asks_all(mover) {
            return (0..self.count).for_each(visit);
        }
        let half_extents = mover.half_extents() + DVec3::splat(margin(mover, at, 0.0, 0.0) + distance);
        let Ok(area) = Aabb::new(at.from() - half_extents, at.from() + half_extents) else {
            return (0..self.count).for_each(visit);
        };
        self.within_expecting(&area, expect, visit);
    }

    /// Offers every body whose bounds share a point with a box.
    #[inline]
    pub(crate) fn within(&self, area: &Aabb, visit: impl FnMut(u32)) {
        self.within_expecting(area, |_| (), visit);
    }

    #[inline]
    fn within_expecting(&self, area: &Aabb, expect: impl Fn(u32), mut visit: impl FnMut(u32)) {
        self.anywhere.iter().for_each(|&number| visit(number));
        self.tree.overlaps([f32_below(area.min()), f32_above(area.max())], expect, visit);
    }

    /// Offers bodies by how far they are from a place, the nearer ones mostly first: all whose bounds come
    /// within a distance of it. `visit` answers with the distance within which it wants more; `expect` gets
    /// those that may be offered soon.
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

    /// The bytes of what the trees hold, without what they hold ready.
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
