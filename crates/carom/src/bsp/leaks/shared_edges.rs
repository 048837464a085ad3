//! Which portals form one opening.
//!
//! Two portals with a common edge are one opening if some of the edge is in the open. Along the corner of two
//! walls, with a hole in each, the solid is all along it. Which corners lie in which polygon is exact; the
//! share of the edge along walls is measured. Cost: pairs of portals whose boxes touch, and the walls of
//! their cells. It never gives up.

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec3;

use super::super::cells::Cells;
use super::super::plane::{Corner, Side};
use super::super::polygon::Polygon;
use super::super::tree::Bsp;
use crate::num::ops::sqrt;

/// An edge with no more than this share of it in the open is all along walls: their ends are rounded.
const ROUNDED: f64 = 1e-9;

/// Portals with their exact polygons.
pub(super) struct SharedEdges<'a> {
    bsp: &'a Bsp,
    cells: &'a Cells,
}

impl<'a> SharedEdges<'a> {
    pub(super) fn new(bsp: &'a Bsp, cells: &'a Cells) -> Self {
        Self { bsp, cells }
    }

    /// Portals in groups, each an opening.
    pub(super) fn groups(&self, portals: &[u32]) -> Vec<Vec<u32>> {
        let polygon = |portal: &u32| self.cells.polygon(self.bsp, &self.cells.portals()[*portal as usize]);
        let polygons: Vec<Option<Polygon>> = portals.iter().map(polygon).collect();
        let bounds: Vec<_> = polygons.iter().map(|polygon| polygon.as_ref().map(Polygon::bounds)).collect();
        let mut group: Vec<usize> = (0..portals.len()).collect();
        let root = |group: &[usize], mut of: usize| {
            while group[of] != of {
                of = group[of];
            }
            of
        };
        for i in 0..portals.len() {
            for j in 0..i {
                let (Some([a, b]), Some([c, d])) = (bounds[i], bounds[j]) else { continue };
                if !(a.cmple(d).all() && c.cmple(b).all()) {
                    continue;
                }
                let (one, other) = (root(&group, i), root(&group, j));
                if one != other
                    && let (Some(p), Some(q)) = (&polygons[i], &polygons[j])
                    && self.is_one_opening([portals[i], portals[j]], [p, q])
                {
                    group[one.max(other)] = one.min(other);
                }
            }
        }
        let mut groups: Vec<Vec<u32>> = vec![Vec::new(); portals.len()];
        for (i, portal) in portals.iter().enumerate() {
            groups[root(&group, i)].push(*portal);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    fn is_one_opening(&self, portals: [u32; 2], [p, q]: [&Polygon; 2]) -> bool {
        let Some((start, end)) = self.shared(&[p, q]) else { return false };
        let along = (end - start) / (end - start).length_squared();
        let mut taken: Vec<[f64; 2]> = Vec::new();
        let leaves = portals.map(|portal| self.cells.portals()[portal as usize].leaves());
        for wall in leaves.as_flattened().iter().flat_map(|leaf| self.cells.walls_of(*leaf)) {
            let Some(wall) = self.cells.polygon(self.bsp, &self.cells.walls()[*wall as usize]) else {
                continue;
            };
            if let Some((a, b)) = self.shared(&[p, q, &wall]) {
                let [a, b] = [a, b].map(|point| (point - start).dot(along));
                taken.push([a.min(b), a.max(b)]);
            }
        }
        taken.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let reached =
            taken.iter().fold(
                0.0f64,
                |reached, [from, to]| {
                    if *from <= reached + ROUNDED { reached.max(*to) } else { reached }
                },
            );
        reached < 1.0 - ROUNDED
    }

    /// The ends of the segment that polygons share; `None` if they share a point at most.
    fn shared(&self, polygons: &[&Polygon]) -> Option<(DVec3, DVec3)> {
        let is_in = |corner: &Corner, polygon: &Polygon| {
            self.bsp.planes().side(corner, polygon.plane()) == Side::On
                && polygon.edges().iter().all(|edge| self.bsp.planes().side(corner, *edge) != Side::Front)
        };
        let corners = polygons.iter().flat_map(|polygon| polygon.corners());
        let mut shared = corners
            .filter(|corner| polygons.iter().all(|polygon| is_in(corner, polygon)))
            .map(Corner::position);
        let start = shared.next()?;
        let end = shared.max_by(|a, b| {
            let distance = |point: &DVec3| sqrt(point.distance_squared(start));
            distance(a).total_cmp(&distance(b))
        })?;
        (start != end).then_some((start, end))
    }
}
