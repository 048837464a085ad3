//! The distance of a mover from a patch where no gap of its own is one: ellipsoids and cuboids.
//!
//! Source: branch and bound with the convex distance of the triangles of each piece. Error: the tolerance of
//! the search, and that of [`convex_distance`]. Cost: about hundred distances.

use glam::DVec3;

use super::search::{Question, Settled, least};
use super::sub_rectangle::SubRectangle;
use crate::shape::patch::grid::Grid;
use crate::shape::{Mover, Triangle, convex_distance};

/// The distance of a mover at the origin from a patch, and the point of the patch.
pub(super) fn apart<const N: usize>(mover: &Mover, grid: &Grid<N>, flat: f64) -> Option<(f64, DVec3)> {
    let found = least(&Apart { mover }, grid, f64::INFINITY, flat)?;
    Some((found.distance, found.point))
}

struct Apart<'a> {
    mover: &'a Mover,
}

#[derive(Clone, Copy)]
struct Nearest {
    distance: f64,
    point: DVec3,
}

impl Apart<'_> {
    fn nearest<const N: usize>(&self, grid: &Grid<N>) -> Nearest {
        let [a, b, c, d] = grid.corners();
        let mut nearest = Nearest { distance: f64::INFINITY, point: a };
        for [a, b, c] in [[a, b, c], [d, c, b]] {
            let Ok(triangle) = Triangle::new(a, b, c) else { continue };
            let found = convex_distance(self.mover, &triangle, DVec3::ZERO);
            if found.distance < nearest.distance {
                nearest = Nearest { distance: found.distance, point: found.other_point };
            }
        }
        nearest
    }
}

impl<const N: usize> Question<N> for Apart<'_> {
    type Answer = Nearest;

    fn bound(&self, grid: &Grid<N>, flatness: f64, _: f64) -> f64 {
        let distance = self.nearest(grid).distance - flatness;
        if distance > 0.0 { distance } else { 0.0 }
    }

    fn number(answer: &Nearest) -> f64 {
        answer.distance
    }

    fn settle(&self, _: &Grid<N>, _: f64, _: Option<Nearest>) -> Settled<Nearest> {
        Settled::Unknown(None)
    }

    fn stop(&self, grid: &Grid<N>, _: f64) -> Nearest {
        self.nearest(grid)
    }

    fn placed(answer: Nearest, _: &SubRectangle) -> Nearest {
        answer
    }
}
