//! Solids near a mover. Those at rest are placed once, when they are gathered.

use alloc::vec::Vec;

use glam::DVec3;

use crate::shape::{Aabb, Mover};
use crate::sweep::Path;
use crate::world::BodyId;
use crate::world::body::Body;
use crate::world::body::solid::placed;
use crate::world::gather::place_boxes::PlaceBoxes;
use crate::world::index::IndexedBounds;

/// Solids in the order of their bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct GatheredSolids {
    solids: Vec<GatheredSolid>,
    boxes: PlaceBoxes,
}

/// One solid.
#[derive(Clone, Debug)]
pub(crate) struct GatheredSolid {
    pub(crate) body: BodyId,
    /// Its shape and its center; `None` if it moves in this tick, and for hulls, height fields and
    /// half-spaces, which have kernels of their own.
    pub(crate) at_rest: Option<(Mover, DVec3)>,
    /// Whether it moves in this tick.
    pub(crate) moves: bool,
}

impl GatheredSolids {
    pub(crate) fn clear(&mut self) {
        self.solids.clear();
        self.boxes.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.solids.len()
    }

    /// Their bodies, in order.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.solids.iter().map(|solid| solid.body)
    }

    /// Adds a body that is a solid, and its bounds during the whole tick.
    pub(crate) fn add(&mut self, id: BodyId, body: &Body, place: &IndexedBounds) {
        if matches!(place, IndexedBounds::Nowhere) {
            return;
        }
        self.boxes.add(id, place);
        let at_rest = (!body.is_moving())
            .then(|| placed(&body.collider, body.pose()).map(|shape| (shape, body.pose().position())));
        self.solids.push(GatheredSolid { body: id, at_rest: at_rest.flatten(), moves: body.is_moving() });
    }

    /// Sorts them by body, after the last was added.
    pub(crate) fn finish(&mut self) {
        self.solids.sort_unstable_by_key(|solid| solid.body);
        self.boxes.finish();
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &GatheredSolid> {
        self.solids.iter()
    }

    /// Visits those whose boxes in f32 overlap an area.
    pub(crate) fn within(&self, area: &Aabb, mut visit: impl FnMut(&GatheredSolid)) {
        self.boxes.within(area, |number| visit(&self.solids[number]));
    }

    /// The solid of a body.
    pub(crate) fn of(&self, body: BodyId) -> Option<&GatheredSolid> {
        let place = self.solids.binary_search_by_key(&body, |solid| solid.body).ok()?;
        self.solids.get(place)
    }

    /// Visits those that a mover may hit on its path, in the order of their earliest possible hits. `visit`
    /// gets the best fraction so far and returns the new one.
    pub(crate) fn sweep(
        &self,
        mover: &Mover,
        path: &Path,
        best: f64,
        mut visit: impl FnMut(&GatheredSolid, f64) -> f64,
    ) -> f64 {
        let moves = |number: usize| self.solids[number].moves;
        self.boxes.sweep(mover, path, best, moves, |number, best| visit(&self.solids[number], best))
    }

    /// Visits those that may be within a distance along each axis of a mover at the start of `at`.
    pub(crate) fn around(
        &self,
        mover: &Mover,
        at: &Path,
        distance: DVec3,
        mut visit: impl FnMut(&GatheredSolid),
    ) {
        self.boxes.around(mover, at, distance, |number| visit(&self.solids[number]));
    }
}
