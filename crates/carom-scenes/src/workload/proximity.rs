//! How near the nearest triangle is, by a uniform grid.
//!
//! Only what generating needs: to refuse a place that is too close to a surface. Exact to rounding: every
//! triangle of every cell within reach is measured. Cost: the cells within reach; choose cells of about the
//! reach.

use carom::num::ops;
use glam::DVec3;

use crate::SceneMesh;

/// The triangles of a mesh, sorted into cubes.
#[derive(Clone, Debug)]
pub struct Proximity {
    corners: Vec<[DVec3; 3]>,
    low: DVec3,
    cell: f64,
    counts: [usize; 3],
    /// Where each cell's triangles start in `entries`, and one more.
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl Proximity {
    /// Sorts the triangles into cubes of `cell` meters (greater than 0).
    ///
    /// # Panics
    /// More than 2³² entries.
    pub fn new(mesh: &SceneMesh, cell: f64) -> Self {
        let (low, high) = mesh.extents().unwrap_or_default();
        let counts = ((high - low) / cell).to_array().map(|x| x as usize + 1);
        let mut grid = Self {
            corners: mesh.iter_corners().collect(),
            low,
            cell,
            counts,
            starts: vec![0; counts.iter().product::<usize>() + 1],
            entries: Vec::new(),
        };
        // Twice over the same triangles: count, then fill. `starts` holds each cell's end after the sum, its
        // start at last.
        let mut total = 0u32;
        for triangle in 0..grid.corners.len() {
            for cell in grid.cells_of(triangle) {
                grid.starts[cell] += 1;
            }
        }
        for start in &mut grid.starts {
            total = total.checked_add(*start).expect("entries are counted in 32 bits: larger cells");
            *start = total;
        }
        grid.entries = vec![0; total as usize];
        for triangle in 0..grid.corners.len() {
            for cell in grid.cells_of(triangle) {
                grid.starts[cell] -= 1;
                grid.entries[grid.starts[cell] as usize] = triangle as u32;
            }
        }
        grid
    }

    fn cells_of(&self, triangle: usize) -> impl Iterator<Item = usize> + use<> {
        let [a, b, c] = self.corners[triangle];
        self.cells(a.min(b).min(c), a.max(b).max(c))
    }

    fn cells(&self, low: DVec3, high: DVec3) -> impl Iterator<Item = usize> + use<> {
        let counts = self.counts;
        // The cast takes what is below 0 to 0.
        let cell =
            |p: DVec3, axis: usize| (((p[axis] - self.low[axis]) / self.cell) as usize).min(counts[axis] - 1);
        let [x, y, z] = [0, 1, 2].map(|axis| cell(low, axis)..=cell(high, axis));
        z.flat_map(move |z| {
            let x = x.clone();
            y.clone().flat_map(move |y| x.clone().map(move |x| (z * counts[1] + y) * counts[0] + x))
        })
    }

    /// The distance in meters from a place to the nearest triangle, if that is at most `reach`.
    pub fn within(&self, place: DVec3, reach: f64) -> Option<f64> {
        let mut nearest_squared = f64::INFINITY;
        for cell in self.cells(place - reach, place + reach) {
            let entries = &self.entries[self.starts[cell] as usize..self.starts[cell + 1] as usize];
            for &triangle in entries {
                let squared = distance_squared(place, self.corners[triangle as usize]);
                nearest_squared = nearest_squared.min(squared);
            }
        }
        let nearest = ops::sqrt(nearest_squared);
        (nearest <= reach).then_some(nearest)
    }

    /// The distance in meters from a place to the nearest triangle, but at most `reach`: what the queries
    /// ask.
    pub fn up_to(&self, reach: f64) -> impl Fn(DVec3) -> f64 + '_ {
        move |place| self.within(place, reach).unwrap_or(reach)
    }
}

/// The least of the distances to the three sides and, where the foot is inside, to the face.
pub(crate) fn distance_squared(place: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    let sides = [(a, b), (b, c), (c, a)];
    let mut least = f64::INFINITY;
    for (from, to) in sides {
        let side = to - from;
        let length_squared = side.length_squared();
        let share = if length_squared > 0.0 { (place - from).dot(side) / length_squared } else { 0.0 };
        least = least.min(place.distance_squared(from + side * share.clamp(0.0, 1.0)));
    }
    let normal = (b - a).cross(c - a);
    let normal_squared = normal.length_squared();
    if normal_squared > 0.0
        && sides.iter().all(|&(from, to)| normal.dot((to - from).cross(place - from)) >= 0.0)
    {
        let height = normal.dot(place - a);
        least = least.min(height * height / normal_squared);
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use crate::workload::city::within;
    use crate::workload::{City, Terrain};

    #[test]
    fn agrees_with_looking_at_every_triangle() {
        for (mesh, low, high) in [
            (Terrain::new(12).mesh().clone(), DVec3::new(-2.0, -3.0, -2.0), DVec3::new(14.0, 9.0, 14.0)),
            (City::new(300).mesh().clone(), DVec3::splat(-5.0), City::EXTENT + 5.0),
        ] {
            let grid = Proximity::new(&mesh, 3.0);
            let mut random = Random::new(11);
            let mut found = 0;
            for _ in 0..300 {
                let place = within(&mut random, low, high);
                let all =
                    mesh.iter_corners().map(|t| distance_squared(place, t)).fold(f64::INFINITY, f64::min);
                let expected = Some(ops::sqrt(all)).filter(|&d| d <= 2.5);
                assert_eq!(grid.within(place, 2.5), expected);
                found += usize::from(expected.is_some());
            }
            assert!(found > 10, "{found}");
        }
    }

    #[test]
    fn knows_face_side_and_corner() {
        let triangle = [DVec3::ZERO, DVec3::X * 4.0, DVec3::Z * 4.0];
        assert_eq!(distance_squared(DVec3::new(1.0, -3.0, 1.0), triangle), 9.0);
        assert_eq!(distance_squared(DVec3::new(1.0, 3.0, -4.0), triangle), 25.0);
        assert_eq!(distance_squared(DVec3::new(-1.0, 2.0, -2.0), triangle), 9.0);
        assert_eq!(distance_squared(DVec3::Y, [DVec3::ZERO; 3]), 1.0);
    }

    #[test]
    fn an_empty_mesh_is_near_nothing() {
        assert_eq!(Proximity::new(&SceneMesh::new(), 1.0).within(DVec3::ZERO, 10.0), None);
    }
}
