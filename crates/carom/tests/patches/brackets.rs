//! The yardstick: a sweep against the triangles of ever smaller pieces, grown and drawn in by how far the
//! surface can be from them. The truth lies between the two.

use carom::glam::DVec3;
use carom::shape::{BezierPatch, Capsule, Cuboid, Sphere, Triangle};
use carom::sweep::{Path, capsule_triangle, cuboid_triangle, sphere_triangle};

/// A mover whose radius can be changed, or how far out its sides are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Grown {
    Sphere(f64),
    Capsule(Capsule),
    Cuboid(Cuboid),
}

fn grown(cuboid: &Cuboid, by: f64) -> Option<Cuboid> {
    let grown = Cuboid::new(cuboid.half_extents() + DVec3::splat(by)).ok()?;
    grown.with_rotation(cuboid.rotation()).ok()
}

impl Grown {
    fn sweep(&self, by: f64, path: &Path, triangle: &Triangle) -> Option<f64> {
        match self {
            Self::Sphere(radius) => sphere_triangle(&Sphere::new(radius + by).ok()?, path, triangle),
            Self::Capsule(capsule) => {
                let grown = Capsule::new(capsule.radius() + by, capsule.half_height()).ok()?;
                capsule_triangle(&grown.with_rotation(capsule.rotation()).unwrap(), path, triangle)
            }
            Self::Cuboid(cuboid) => cuboid_triangle(&grown(cuboid, by)?, path, triangle),
        }
        .map(|hit| hit.fraction)
    }

    fn overlaps(&self, by: f64, at: DVec3, triangle: &Triangle) -> bool {
        match self {
            Self::Sphere(radius) => triangle.distance(at) <= radius + by,
            Self::Capsule(capsule) => {
                let grown = Capsule::new(capsule.radius() + by, capsule.half_height()).unwrap();
                grown.with_rotation(capsule.rotation()).unwrap().overlaps_triangle(triangle, -at)
            }
            Self::Cuboid(cuboid) => grown(cuboid, by).unwrap().overlaps_triangle(triangle, -at),
        }
    }
}

/// No contact before `low`, and one at `high` or before; infinite where there is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bracket {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// The first time of contact, to within the contact of a mover grown by `tolerance`. `None` if the mover may
/// overlap at the start, or fits the surface so well that no number of pieces tells.
pub(crate) fn bracket(mover: &Grown, path: &Path, patch: &BezierPatch, tolerance: f64) -> Option<Bracket> {
    let mut high = f64::INFINITY;
    let mut low = f64::INFINITY;
    let mut waiting = vec![(0.0, *patch)];
    let mut count = 0;
    while let Some((entry, piece)) = waiting.pop() {
        if entry > high {
            continue;
        }
        count += 1;
        // A ball that fits a hollow of its own radius touches all of it.
        if count > 3_000 {
            return None;
        }
        let flatness = piece.flatness() + 1e-15;
        let [a, b, c, d] = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(|(u, v)| piece.point(u, v));
        let triangles = [[a, b, c], [d, c, b]].map(|[a, b, c]| Triangle::new(a, b, c).unwrap());
        if flatness <= tolerance {
            low = f64::min(low, entry);
            continue;
        }
        for triangle in &triangles {
            // For every point of a triangle there is one of the surface, no farther than the flatness.
            if let Some(sure) = mover.sweep(-flatness, path, triangle) {
                high = high.min(sure);
            }
        }
        // The longer side, or the one that bends.
        let halves = {
            let (low, high) = piece.split_u(0.5);
            let (below, above) = piece.split_v(0.5);
            if low.flatness().max(high.flatness()) < below.flatness().max(above.flatness()) {
                [low, high]
            } else {
                [below, above]
            }
        };
        let mut parts: Vec<(f64, BezierPatch)> = Vec::new();
        for half in halves {
            let flatness = half.flatness() + 1e-15;
            let [a, b, c, d] =
                [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(|(u, v)| half.point(u, v));
            let mut entry = f64::INFINITY;
            for [a, b, c] in [[a, b, c], [d, c, b]] {
                let triangle = Triangle::new(a, b, c).unwrap();
                if mover.overlaps(flatness, path.from(), &triangle) {
                    entry = 0.0;
                } else if let Some(fraction) = mover.sweep(flatness, path, &triangle) {
                    entry = entry.min(fraction);
                }
            }
            // Nothing of what the way does not reach is tested.
            if entry <= high.min(1.0) {
                parts.push((entry, half));
            }
        }
        parts.sort_by(|a, b| b.0.total_cmp(&a.0));
        waiting.extend(parts);
    }
    if low == 0.0 { None } else { Some(Bracket { low, high }) }
}
