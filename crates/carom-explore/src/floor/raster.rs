//! The samples of triangles seen from above: one for each cell whose middle lies in one.

use glam::DVec3;
use rayon::prelude::*;

use crate::floor::sample::{Sample, middle};

/// All rows of the grid.
pub(super) const ALL_ROWS: [i32; 2] = [i32::MIN, i32::MAX];

/// The samples in order, and of floors closer than a body can distinguish the highest.
pub(super) fn highest(mut raw: Vec<Sample>, close: f64) -> Vec<Sample> {
    raw.par_sort_unstable_by(Sample::by_column);
    let is_highest = |(i, sample): (usize, &Sample)| {
        let above = raw.get(i + 1).filter(|above| above.column == sample.column);
        above.is_none_or(|above| above.height - sample.height > close)
    };
    let kept: Vec<bool> = raw.iter().enumerate().map(is_highest).collect();
    let mut kept = kept.into_iter();
    raw.retain(|_| kept.next() == Some(true));
    raw
}

/// Columns from a first to a last in this many strips, about as wide as each other.
pub(super) fn strips([first, last]: [i32; 2], count: f64) -> impl Iterator<Item = [i32; 2]> {
    let wide = (f64::from(last - first + 1) / count.max(1.0)).ceil().max(1.0) as i32;
    (first..=last).step_by(wide as usize).map(move |from| [from, last.min(from + wide - 1)])
}

/// Whether a triangle may have samples in these columns.
pub(super) fn meets(corners: [DVec3; 3], cell: f64, [from, to]: [i32; 2]) -> bool {
    let [a, b, c] = corners.map(|corner| corner.x / cell);
    a.min(b).min(c) <= f64::from(to) + 1.0 && a.max(b).max(c) >= f64::from(from)
}

/// The cells, from a first to a last along x and z, whose middle lies in a triangle seen from above, edges
/// included.
pub(super) fn raster([a, b, c]: [DVec3; 3], cell: f64, [columns, rows]: [[i32; 2]; 2]) -> Vec<Sample> {
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let first = |x: f64| (x / cell - 0.5).ceil() as i32;
    let last = |x: f64| (x / cell - 0.5).floor() as i32;
    let double = (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
    // Where the edges cross a column's middle, with a row to spare: the box of a long thin triangle that lies
    // askew has far more cells than it.
    let across = |x: f64| {
        let mut span = [f64::INFINITY, f64::NEG_INFINITY];
        for (p, q) in [(a, b), (b, c), (c, a)] {
            if (p.x - x) * (q.x - x) <= 0.0 && p.x != q.x {
                let z = p.z + (q.z - p.z) * ((x - p.x) / (q.x - p.x)).clamp(0.0, 1.0);
                span = [span[0].min(z - cell), span[1].max(z + cell)];
            }
        }
        span
    };
    let mut samples = Vec::new();
    for i in first(low.x).max(columns[0])..=last(high.x).min(columns[1]) {
        let [near, far] = across(middle(i, cell));
        let (near, far) = (near.max(low.z), far.min(high.z));
        for j in first(near).max(rows[0])..=last(far).min(rows[1]) {
            let (x, z) = (middle(i, cell), middle(j, cell));
            let side = |p: DVec3, q: DVec3| ((q.x - p.x) * (z - p.z) - (q.z - p.z) * (x - p.x)) / double;
            let (u, v, w) = (side(b, c), side(c, a), side(a, b));
            if u >= 0.0 && v >= 0.0 && w >= 0.0 {
                let height = (u * a.y + v * b.y + w * c.y).clamp(low.y, high.y);
                samples.push(Sample { column: [i, j], height, is_reached: false });
            }
        }
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_has_a_sample_for_each_cell_and_their_heights_are_its_plane() {
        let corner = |x: f64, z: f64| DVec3::new(x, 0.5 * x + 1.0, z);
        let [a, b, c, d] = [corner(0.0, 0.0), corner(4.0, 0.0), corner(4.0, 4.0), corner(0.0, 4.0)];
        let mut samples = raster([a, b, c], 0.5, [ALL_ROWS; 2]);
        samples.extend(raster([a, c, d], 0.5, [ALL_ROWS; 2]));
        samples.sort_by_key(|sample| sample.column);
        samples.dedup_by_key(|sample| sample.column);
        assert_eq!(samples.len(), 64);
        for sample in samples {
            assert!((sample.height - (0.5 * middle(sample.column[0], 0.5) + 1.0)).abs() < 1e-12);
        }
    }

    #[test]
    fn the_samples_of_a_triangle_that_lies_askew_are_those_of_its_box_that_it_holds() {
        let mut seed = 7u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f64 / f64::from(1 << 24) * 40.0 - 20.0
        };
        for turn in 0..400 {
            let mut corners = [0; 3].map(|_| DVec3::new(random(), random(), random()));
            match turn % 4 {
                // Thin and long, a side along a column's middle, a corner on one.
                0 => corners[2] = corners[1] + DVec3::new(0.3, 0.0, -0.2),
                1 => corners[1].x = corners[0].x.floor() + 0.25,
                2 => {
                    corners[0].x = corners[0].x.floor() + 0.25;
                    corners[1].x = corners[0].x;
                }
                _ => {}
            }
            let [a, b, c] = corners;
            let double = (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
            let mut wanted = Vec::new();
            for i in -60..60 {
                for j in -60..60 {
                    let (x, z) = (middle(i, 0.5), middle(j, 0.5));
                    let side =
                        |p: DVec3, q: DVec3| ((q.x - p.x) * (z - p.z) - (q.z - p.z) * (x - p.x)) / double;
                    if side(b, c) >= 0.0 && side(c, a) >= 0.0 && side(a, b) >= 0.0 {
                        wanted.push([i, j]);
                    }
                }
            }
            let found: Vec<[i32; 2]> =
                raster(corners, 0.5, [ALL_ROWS; 2]).into_iter().map(|sample| sample.column).collect();
            assert_eq!(found, wanted, "{corners:?}");
            // And strip by strip.
            let of_strip = |columns: [i32; 2]| {
                let samples = raster(corners, 0.5, [columns, ALL_ROWS]);
                assert!(samples.is_empty() || meets(corners, 0.5, columns), "{corners:?} {columns:?}");
                samples.into_iter().map(|sample| sample.column)
            };
            let found: Vec<[i32; 2]> = strips([-60, 60], 7.3).flat_map(of_strip).collect();
            assert_eq!(found, wanted, "{corners:?}");
        }
    }

    #[test]
    fn a_strip_across_a_wide_level_costs_what_it_covers() {
        let far = 2e5;
        let strip = [DVec3::new(-far, 0.0, -far), DVec3::new(far, 0.0, far), DVec3::new(far, 0.0, far + 0.2)];
        assert!(raster(strip, 0.5, [ALL_ROWS; 2]).len() < 1_000_000);
    }
}
