//! Solids near a mover, looked at four at a time before any kernel is asked.
//!
//! Each has a box around it in f32, rounded outward, that it does not leave in the tick. What a question
//! cannot concern by these is not asked: the kernels alone decide the rest, so answers are those of asking
//! every solid. Solids at rest are placed once, when they are gathered. Cost: six comparisons for four
//! solids.

use alloc::vec::Vec;

use arrayvec::ArrayVec;
use glam::{DVec3, Vec3};

use crate::num::bound::{f32_above, f32_below};
use crate::shape::{Aabb, Mover};
use crate::sweep::Path;
use crate::sweep::mover::margin;
use crate::tree::{Area, Boxes, SweptBox, WIDTH, lanes_of};
use crate::world::BodyId;
use crate::world::body::Body;
use crate::world::body::solid::placed;
use crate::world::index::Place;

/// Solids in the order of their bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct GatheredSolids {
    solids: Vec<GatheredSolid>,
    fours: Vec<Boxes>,
    /// No absolute coordinate of any box is larger.
    largest: f64,
}

/// One solid.
#[derive(Clone, Debug)]
pub(crate) struct GatheredSolid {
    pub(crate) body: BodyId,
    /// Its shape and its center; `None` of one that moves in this tick, and of hulls, height fields and
    /// half-spaces, which are asked themselves.
    pub(crate) at_rest: Option<(Mover, DVec3)>,
    /// Whether it moves in this tick.
    pub(crate) moves: bool,
    bounds: [Vec3; 2],
}

/// At most this many candidates wait, sorted by entry, before the kernel sees the first.
const WAITING: usize = 16;

impl GatheredSolids {
    pub(crate) fn clear(&mut self) {
        self.solids.clear();
        self.fours.clear();
        self.largest = 0.0;
    }

    pub(crate) fn len(&self) -> usize {
        self.solids.len()
    }

    /// Their bodies, in order.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.solids.iter().map(|solid| solid.body)
    }

    /// Adds a body that is a solid, and where it is in the whole of the tick.
    pub(crate) fn add(&mut self, id: BodyId, body: &Body, place: Place) {
        let bounds = match place {
            Place::Nowhere => return,
            Place::Anywhere => [Vec3::NEG_INFINITY, Vec3::INFINITY],
            Place::Within(bounds) => {
                self.largest = self.largest.max(largest(&bounds));
                [f32_below(bounds.min()), f32_above(bounds.max())]
            }
        };
        let at_rest = (!body.is_moving())
            .then(|| placed(&body.collider, body.pose()).map(|shape| (shape, body.pose().position())));
        self.solids.push(GatheredSolid {
            body: id,
            at_rest: at_rest.flatten(),
            moves: body.is_moving(),
            bounds,
        });
    }

    /// Puts them in the order of their bodies, after the last was added.
    pub(crate) fn finish(&mut self) {
        self.solids.sort_unstable_by_key(|solid| solid.body);
        for four in self.solids.chunks(WIDTH) {
            let mut boxes = Boxes::NOTHING;
            for (lane, solid) in four.iter().enumerate() {
                boxes.put(lane, solid.bounds);
            }
            self.fours.push(boxes);
        }
    }

    /// That of a body.
    pub(crate) fn of(&self, body: BodyId) -> Option<&GatheredSolid> {
        let place = self.solids.binary_search_by_key(&body, |solid| solid.body).ok()?;
        self.solids.get(place)
    }

    /// Visits those that a mover may meet on its way, the ones that it may meet earlier first. `visit` gets
    /// the best fraction so far and answers with the best from then on.
    pub(crate) fn sweep(
        &self,
        mover: &Mover,
        path: &Path,
        mut best: f64,
        mut visit: impl FnMut(&GatheredSolid, f64) -> f64,
    ) -> f64 {
        if self.solids.is_empty() {
            return best;
        }
        let half_extents = mover.half_extents() + DVec3::splat(self.reach(mover, path));
        let Ok(swept) = SweptBox::new(path, half_extents) else {
            // Bounds beyond the range of f64 exclude nothing.
            return self.solids.iter().fold(best, |best, solid| visit(solid, best));
        };
        let (from, to) = (path.from(), path.from() + path.translation());
        let (low, high) = (from.min(to) - half_extents, from.max(to) + half_extents);
        let mut waiting = ArrayVec::<(f64, &GatheredSolid), WAITING>::new();
        self.meeting(low, high, |solid| {
            // One that moves is met in a frame of its own.
            let [lower, upper] = solid.bounds.map(Vec3::as_dvec3);
            let entry = if !solid.moves { swept.entry(lower, upper) } else { 0.0 };
            if entry > best {
                return;
            }
            if waiting.is_full() {
                best = visit(solid, best);
            } else {
                let place = waiting.iter().take_while(|(other, _)| *other <= entry).count();
                waiting.insert(place, (entry, solid));
            }
        });
        for (entry, solid) in waiting {
            let is_late = entry > best;
            if !is_late {
                best = visit(solid, best);
            }
        }
        best
    }

    /// Visits those that may be within a distance of a mover at the start of `at`.
    pub(crate) fn around(&self, mover: &Mover, at: &Path, distance: f64, visit: impl FnMut(&GatheredSolid)) {
        if self.solids.is_empty() {
            return;
        }
        let reach = mover.half_extents() + DVec3::splat(self.reach(mover, at) + distance);
        self.meeting(at.from() - reach, at.from() + reach, visit);
    }

    /// How many share a point with an area, by their boxes in f32.
    pub(crate) fn count(&self, area: &Aabb) -> usize {
        let mut count = 0;
        self.meeting(area.min(), area.max(), |_| count += 1);
        count
    }

    #[inline]
    fn meeting<'a>(&'a self, low: DVec3, high: DVec3, mut visit: impl FnMut(&'a GatheredSolid)) {
        let area = Area::new([f32_below(low), f32_above(high)]);
        for (solids, boxes) in self.solids.chunks(WIDTH).zip(&self.fours) {
            for lane in lanes_of(boxes.meeting(&area)) {
                visit(&solids[lane]);
            }
        }
    }

    /// How far ahead of the mover a contact may be reported: of one that moves, the way is off by the
    /// roundings of its own way as well.
    fn reach(&self, mover: &Mover, path: &Path) -> f64 {
        margin(mover, path, 4.0 * self.largest, 0.0)
    }
}

fn largest(bounds: &Aabb) -> f64 {
    bounds.min().abs().max(bounds.max().abs()).max_element()
}
