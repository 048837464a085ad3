//! Shortest routes from cell to cell through the middles of portals.
//!
//! Source: E. Dijkstra, *A note on two problems in connexion with graphs*, 1959.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::{Ordering, Reverse};

use glam::DVec3;

use super::super::cells::Cells;
use crate::num::ops::sqrt;

/// How a leaf was reached: how far it was, where its last portal is, and which one that is.
#[derive(Clone, Copy)]
struct Arrival {
    length: f64,
    at: DVec3,
    through: Option<u32>,
}

/// The shortest routes from some leaves to all others.
pub(super) struct Distances {
    arrivals: Vec<Arrival>,
}

impl Distances {
    /// Through the middles of portals. Of an outside leaf the position is NaN: all of it is outside.
    pub(super) fn new(
        cells: &Cells,
        leaf_count: usize,
        from: impl Iterator<Item = (u32, DVec3)>,
        is_open: impl Fn(u32) -> bool,
    ) -> Self {
        let none = Arrival { length: f64::INFINITY, at: DVec3::ZERO, through: None };
        let mut found = Self { arrivals: vec![none; leaf_count] };
        let mut queue = BinaryHeap::new();
        for (leaf, at) in from {
            found.arrivals[leaf as usize] = Arrival { length: 0.0, at, through: None };
            queue.push(Reverse(Step { length: 0.0, leaf }));
        }
        while let Some(Reverse(Step { length, leaf })) = queue.pop() {
            if length > found.arrivals[leaf as usize].length {
                continue;
            }
            for portal in cells.portals_of(leaf).iter().copied().filter(|portal| is_open(*portal)) {
                let next = cells.across(portal, leaf);
                let at = cells.center(&cells.portals()[portal as usize]);
                let length = found.length_to(leaf, at);
                if length < found.arrivals[next as usize].length {
                    found.arrivals[next as usize] = Arrival { length, at, through: Some(portal) };
                    queue.push(Reverse(Step { length, leaf: next }));
                }
            }
        }
        found
    }

    /// How far it is to a point on the boundary of a leaf.
    pub(super) fn length_to(&self, leaf: u32, point: DVec3) -> f64 {
        let Arrival { length, at, .. } = self.arrivals[leaf as usize];
        // All of an outside cell is outside.
        if at.is_nan() { length } else { length + sqrt(at.distance_squared(point)) }
    }

    /// The portals from a leaf back to the leaf where its route begins, and that leaf.
    pub(super) fn route(&self, cells: &Cells, mut leaf: u32) -> (Vec<u32>, u32) {
        let mut route = Vec::new();
        while let Some(portal) = self.arrivals[leaf as usize].through {
            route.push(portal);
            leaf = cells.across(portal, leaf);
        }
        (route, leaf)
    }
}

/// The nearest first.
#[derive(PartialEq)]
struct Step {
    length: f64,
    leaf: u32,
}

impl Eq for Step {}

impl PartialOrd for Step {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Step {
    fn cmp(&self, other: &Self) -> Ordering {
        self.length.total_cmp(&other.length).then(self.leaf.cmp(&other.leaf))
    }
}
