//! The six sides of a box, and when they first close around a point of a piece.
//!
//! Idea: in the frame of a box, a point is inside when it is behind all six sides, and each side is a plane
//! that moves as a number grows: with the box along its way (the number is the share of it), or outward (the
//! number is the gap, less than zero inside). Both are one problem: the least number for which some point of
//! the piece is behind all sides. Corners, edges and faces need no cases: as many sides as meet there are
//! active. Source: `docs/patches.md`, cuboids. Error: none but rounding. Cost: a pass over control points.

use glam::DVec3;

use crate::num::bound::reach;
use crate::num::ops::{larger, smaller};
use crate::shape::patch::grid::{Grid, Jet};
use crate::sweep::parts::outline::triangle_normal;

/// The sides of a box around the origin, in its own frame: at a number x a point p is behind a side of
/// normal n if n·(p − x·shift) ≤ n·half + x·growth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    pub(super) half: DVec3,
    pub(super) shift: DVec3,
    pub(super) growth: f64,
    /// The error of all lengths.
    pub(super) rounding: f64,
}

/// Of a box: two for each axis.
pub(super) const SIDES: usize = 6;

/// A place of a piece that all sides have reached, at a number before which none near it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) u: f64,
    pub(super) v: f64,
    pub(super) number: f64,
    pub(super) jet: Jet,
    /// The weights of the sides: not negative, and 0 of those that do not touch the place.
    pub(super) weights: [f64; SIDES],
}

/// The outward normal of a side.
pub(super) fn side_normal(side: usize) -> DVec3 {
    if side.is_multiple_of(2) { DVec3::AXES[side / 2] } else { -DVec3::AXES[side / 2] }
}

impl Sides {
    /// How fast a side moves along its normal.
    pub(super) fn rate(&self, side: usize) -> f64 {
        side_normal(side).dot(self.shift) + self.growth
    }

    /// No point of the piece is behind all sides at a lower number: by the box's own axes and the direction
    /// across the piece; infinite if none is in that range of numbers.
    pub(super) fn entry<const N: usize>(&self, grid: &Grid<N>, [from, to]: [f64; 2]) -> f64 {
        let mut open = Open { from, to };
        let [low, high] = grid.bounds();
        for axis in 0..3 {
            let ends = [low[axis], high[axis]];
            open.narrow(ends, self.half[axis], self.shift[axis], self.growth);
        }
        let [a, b, c, d] = grid.corners();
        if let Some(normal) = triangle_normal(d - a, b - c) {
            let support = normal.abs().dot(self.half) + self.rounding;
            open.narrow(grid.heights(normal), support, normal.dot(self.shift), self.growth * reach(normal));
        }
        if open.from > open.to { f64::INFINITY } else { open.from }
    }
}

/// The numbers that directions have not ruled out.
struct Open {
    from: f64,
    to: f64,
}

impl Open {
    /// Without those at which the box and the piece are apart along a direction: the piece between two ends,
    /// the box of that support, moving and growing.
    fn narrow(&mut self, [low, high]: [f64; 2], support: f64, speed: f64, growth: f64) {
        // The side ahead has to come to the near end, and the side behind may not have passed the far one.
        for (rate, way) in [(growth + speed, low - support), (growth - speed, -high - support)] {
            if rate > 0.0 {
                self.from = larger(self.from, way / rate);
            } else if rate < 0.0 {
                self.to = smaller(self.to, way / rate);
            } else if way > 0.0 {
                self.to = f64::NEG_INFINITY;
            }
        }
    }
}

impl Meeting {
    /// The sum of the weighted normals: perpendicular to the surface, away from the box; of any length.
    pub(super) fn normal(&self) -> DVec3 {
        let [a, b, c, d, e, f] = self.weights;
        DVec3::new(a - b, c - d, e - f)
    }

    /// The sum of the weights: at least the length of the normal.
    pub(super) fn weight(&self) -> f64 {
        self.weights.iter().sum()
    }
}
