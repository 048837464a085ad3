//! Boxes that bodies do not leave in a tick, tested four at a time before the bodies themselves.
//!
//! They are in f32, rounded outward. They only exclude bodies, and the kernels alone decide the rest, so
//! answers are the same as testing every body. Cost: six comparisons for four boxes.

use alloc::vec::Vec;

use arrayvec::ArrayVec;
use glam::{DVec3, Vec3};

use crate::num::bound::{f32_above, f32_below};
use crate::shape::{Aabb, Mover};
use crate::sweep::Path;
use crate::sweep::mover::margin;
use crate::tree::{Area, Boxes, SweptBox, WIDTH, lanes_of};
use crate::world::BodyId;
use crate::world::index::IndexedBounds;

/// Boxes in the order of their bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlaceBoxes {
    bounds: Vec<(BodyId, [Vec3; 2])>,
    batches: Vec<Boxes>,
    /// No absolute coordinate of any box is larger.
    largest: f64,
}

/// At most this many candidates wait, sorted by entry, before the first is tested.
const WAITING: usize = 16;

impl PlaceBoxes {
    pub(crate) fn clear(&mut self) {
        self.bounds.clear();
        self.batches.clear();
        self.largest = 0.0;
    }

    /// Adds the box of a body.
    pub(crate) fn add(&mut self, body: BodyId, place: &IndexedBounds) {
        let bounds = match place {
            IndexedBounds::Within(bounds) => {
                self.largest = self.largest.max(bounds.min().abs().max(bounds.max().abs()).max_element());
                [f32_below(bounds.min()), f32_above(bounds.max())]
            }
            IndexedBounds::Anywhere | IndexedBounds::Nowhere => [Vec3::NEG_INFINITY, Vec3::INFINITY],
        };
        self.bounds.push((body, bounds));
    }

    /// Sorts them by body, after the last was added.
    pub(crate) fn finish(&mut self) {
        self.bounds.sort_unstable_by_key(|(body, _)| *body);
        for batch in self.bounds.chunks(WIDTH) {
            let mut boxes = Boxes::NOTHING;
            for (lane, (_, bounds)) in batch.iter().enumerate() {
                boxes.put(lane, *bounds);
            }
            self.batches.push(boxes);
        }
    }

    /// Visits the numbers of those that a mover may hit on its path, in the order of their earliest possible
    /// hits. `visit` gets the best fraction so far and returns the new one.
    pub(crate) fn sweep(
        &self,
        mover: &Mover,
        path: &Path,
        mut best: f64,
        moves: impl Fn(usize) -> bool,
        mut visit: impl FnMut(usize, f64) -> f64,
    ) -> f64 {
        if self.bounds.is_empty() {
            return best;
        }
        let half_extents = mover.half_extents() + DVec3::splat(self.reach(mover, path));
        let Ok(swept) = SweptBox::new(path, half_extents) else {
            // Bounds beyond the range of f64 exclude nothing.
            return (0..self.bounds.len()).fold(best, |best, number| visit(number, best));
        };
        let (from, to) = (path.from(), path.from() + path.translation());
        let (low, high) = (from.min(to) - half_extents, from.max(to) + half_extents);
        let mut waiting = ArrayVec::<(f64, usize), WAITING>::new();
        self.meeting(low, high, |number| {
            // A moving body is hit in its own frame.
            let [lower, upper] = self.bounds[number].1.map(Vec3::as_dvec3);
            let entry = if !moves(number) { swept.entry(lower, upper) } else { 0.0 };
            if entry > best {
                return;
            }
            if waiting.is_full() {
                best = visit(number, best);
            } else {
                let place = waiting.iter().take_while(|(other, _)| *other <= entry).count();
                waiting.insert(place, (entry, number));
            }
        });
        for (entry, number) in waiting {
            let is_late = entry > best;
            if !is_late {
                best = visit(number, best);
            }
        }
        best
    }

    /// Visits the numbers of those that may be within a distance along each axis of a mover at the start of
    /// `at`.
    pub(crate) fn around(&self, mover: &Mover, at: &Path, distance: DVec3, visit: impl FnMut(usize)) {
        if !self.bounds.is_empty() {
            let reach = mover.half_extents() + DVec3::splat(self.reach(mover, at)) + distance;
            self.meeting(at.from() - reach, at.from() + reach, visit);
        }
    }

    /// Visits the numbers of those that overlap an area.
    pub(crate) fn within(&self, area: &Aabb, visit: impl FnMut(usize)) {
        if !self.bounds.is_empty() {
            self.meeting(area.min(), area.max(), visit);
        }
    }

    #[inline]
    fn meeting(&self, low: DVec3, high: DVec3, mut visit: impl FnMut(usize)) {
        let area = Area::new([f32_below(low), f32_above(high)]);
        for (batch, boxes) in self.batches.iter().enumerate() {
            for lane in lanes_of(boxes.meeting(&area)) {
                visit(batch * WIDTH + lane);
            }
        }
    }

    /// How far ahead of the mover a contact may be reported. For a moving body the path is off by the
    /// rounding of the body's own path as well.
    fn reach(&self, mover: &Mover, path: &Path) -> f64 {
        margin(mover, path, 4.0 * self.largest, 0.0)
    }
}
