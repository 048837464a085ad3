//! Curved patches as triangles: nets of biquadratic Bézier patches.
//!
//! Source: D. Filip, R. Magedson and R. Markot, *Surface algorithms using bounds on derivatives*, 1986: a
//! surface over a cell of 1/n by 1/m is no farther from its two triangles than (M₁/n² + 2 M₂/(n m) +
//! M₃/m²)/8, with bounds of the second derivatives. Error: every point of the surface is within the tolerance
//! of the triangles. Gives up: [`FINEST`] cells a side.

use glam::DVec3;

/// The most cells along a side of one patch.
const FINEST: usize = 64;
/// The most control points along a side of a net, as in the engine.
pub(super) const LONGEST_SIDE: usize = 129;

/// A net of control points, row by row: both sides are odd and at least 3.
#[derive(Clone, Debug)]
pub(super) struct Net {
    width: usize,
    points: Vec<DVec3>,
}

impl Net {
    /// `None` if the numbers of points do not make patches of 3 × 3.
    pub(super) fn new(width: usize, height: usize, points: Vec<DVec3>) -> Option<Self> {
        let fits = |side: usize| side % 2 == 1 && (3..=LONGEST_SIDE).contains(&side);
        (fits(width) && fits(height) && points.len() == width * height).then_some(Self { width, points })
    }

    fn height(&self) -> usize {
        self.points.len() / self.width
    }

    fn point(&self, column: usize, row: usize) -> DVec3 {
        self.points[row * self.width + column]
    }

    /// Vertices in rows of the number that is returned first: neighbors make cells. No point of the surface
    /// is farther from the triangles of the cells than the tolerance, up to [`FINEST`] cells a patch.
    pub(super) fn tessellated(&self, tolerance: f64) -> (usize, Vec<DVec3>) {
        let (across, down) = (self.width / 2, self.height() / 2);
        let mut columns = vec![1; across];
        let mut rows = vec![1; down];
        for (row, most_down) in rows.iter_mut().enumerate() {
            for (column, most_across) in columns.iter_mut().enumerate() {
                let (n, m) = self.cells(column, row, tolerance);
                *most_across = n.max(*most_across);
                *most_down = m.max(*most_down);
            }
        }
        let stations = |cells: &[usize]| {
            let inner = cells.iter().enumerate();
            let mut all: Vec<(usize, f64)> =
                inner.flat_map(|(patch, n)| (0..*n).map(move |i| (patch, i as f64 / *n as f64))).collect();
            all.push((cells.len() - 1, 1.0));
            all
        };
        let (us, vs) = (stations(&columns), stations(&rows));
        let vertices = vs.iter().flat_map(|&v| us.iter().map(move |&u| self.at(u, v))).collect();
        (us.len(), vertices)
    }

    /// How many cells one patch needs each way.
    fn cells(&self, column: usize, row: usize, tolerance: f64) -> (usize, usize) {
        let p = |i: usize, j: usize| self.point(2 * column + i, 2 * row + j);
        let (mut along, mut twist, mut down) = (0.0f64, 0.0f64, 0.0f64);
        for k in 0..3 {
            along = along.max(2.0 * (p(0, k) - 2.0 * p(1, k) + p(2, k)).length());
            down = down.max(2.0 * (p(k, 0) - 2.0 * p(k, 1) + p(k, 2)).length());
        }
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            twist = twist.max(4.0 * (p(i + 1, j + 1) - p(i + 1, j) - p(i, j + 1) + p(i, j)).length());
        }
        let (mut n, mut m) = (1, 1);
        loop {
            let (x, y) = (n as f64, m as f64);
            let error = (along / (x * x) + 2.0 * twist / (x * y) + down / (y * y)) / 8.0;
            // Not finite: no number of cells helps.
            if error.is_nan() || error <= tolerance || (n >= FINEST && m >= FINEST) {
                return (n, m);
            }
            let grows_along = along / (x * x) >= down / (y * y);
            if (grows_along && n < FINEST) || m >= FINEST { n *= 2 } else { m *= 2 }
        }
    }

    fn at(&self, (column, u): (usize, f64), (row, v): (usize, f64)) -> DVec3 {
        let blend = |t: f64| [(1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t];
        let (across, down) = (blend(u), blend(v));
        let mut sum = DVec3::ZERO;
        for (j, weight) in down.iter().enumerate() {
            for (i, part) in across.iter().enumerate() {
                sum += self.point(2 * column + i, 2 * row + j) * (part * weight);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quarter of a tube of radius 100, by one patch: its middle control points are at the corner.
    fn quarter() -> Net {
        let points = [0.0, 50.0, 100.0]
            .iter()
            .flat_map(|z| [(100.0, 0.0), (100.0, 100.0), (0.0, 100.0)].map(|(x, y)| DVec3::new(x, y, *z)));
        Net::new(3, 3, points.collect()).unwrap()
    }

    #[test]
    fn no_point_of_the_surface_is_farther_than_the_tolerance() {
        let net = quarter();
        for tolerance in [10.0, 1.0, 0.1, 0.01] {
            let (width, vertices) = net.tessellated(tolerance);
            let height = vertices.len() / width;
            let mut worst = 0.0f64;
            for step in 0..1000 {
                let point = net.at((0, f64::from(step) / 999.0), (0, 0.3));
                let chords = (0..width - 1).map(|i| {
                    let (a, b) = (vertices[i].truncate(), vertices[i + 1].truncate());
                    let (way, to) = (b - a, point.truncate() - a);
                    let t = (to.dot(way) / way.length_squared()).clamp(0.0, 1.0);
                    (to - way * t).length()
                });
                worst = worst.max(chords.fold(f64::INFINITY, f64::min));
            }
            assert!(worst <= tolerance, "{tolerance}: {worst}");
            // Straight along its axis: one cell.
            assert_eq!(height, 2);
        }
        assert!(net.tessellated(0.01).0 > net.tessellated(10.0).0);
    }

    #[test]
    fn a_net_has_odd_sides() {
        let points = |n: usize| vec![DVec3::ZERO; n];
        assert!(Net::new(3, 5, points(15)).is_some());
        for (width, height, count) in [(2, 3, 6), (3, 4, 12), (1, 3, 3), (3, 3, 8), (131, 3, 393)] {
            assert!(Net::new(width, height, points(count)).is_none());
        }
        let far = Net::new(3, 3, [points(8), vec![DVec3::splat(1e30)]].concat()).unwrap();
        assert_eq!(far.tessellated(1e-9).0, FINEST + 1);
    }
}
