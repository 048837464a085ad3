//! Exact separating axes of a cuboid and another convex shape. The cuboid is the one that its f64 axes span.

use core::cmp::Ordering;

use carom::shape::Cuboid;
use glam::DVec3;

use crate::dyadic::{Dyadic, Vector};

/// A convex shape: its corners, the normals of its faces, and the directions of its edges.
pub(crate) struct Solid {
    pub(crate) corners: Vec<Vector>,
    pub(crate) normals: Vec<Vector>,
    pub(crate) edges: Vec<Vector>,
}

impl Solid {
    /// A flat convex outline, degenerate or not.
    pub(crate) fn outline(corners: &[DVec3]) -> Self {
        let exact: Vec<Vector> = corners.iter().map(|&corner| corner.into()).collect();
        let count = exact.len();
        let edges: Vec<Vector> = (0..count)
            .map(|k| exact[(k + 1) % count].minus(&exact[k]))
            .filter(|edge| !edge.is_zero())
            .collect();
        let normal = (1..count)
            .flat_map(|k| (1..k).map(move |j| (j, k)))
            .map(|(j, k)| exact[j].minus(&exact[0]).cross(&exact[k].minus(&exact[0])))
            .find(|normal| !normal.is_zero());
        if let Some(normal) = &normal {
            for corner in &exact {
                assert_eq!(
                    corner.minus(&exact[0]).dot(normal).sign(),
                    Ordering::Equal,
                    "the outline must be flat"
                );
            }
        }
        Self { corners: exact, normals: normal.into_iter().collect(), edges }
    }

    pub(crate) fn point(place: DVec3) -> Self {
        Self { corners: vec![place.into()], normals: Vec::new(), edges: Vec::new() }
    }

    pub(crate) fn cuboid(cuboid: &Cuboid, center: DVec3) -> Self {
        let axes = columns(cuboid);
        let half = cuboid.half_extents().to_array().map(Dyadic::from);
        let corners = (0..8)
            .map(|bits: usize| {
                (0..3).fold(Vector::from(center), |corner, k| {
                    let reach = if bits >> k & 1 == 1 { half[k].clone() } else { -&half[k] };
                    corner.plus_times(&axes[k], &reach)
                })
            })
            .collect();
        Self { corners, normals: face_normals(&axes), edges: axes.to_vec() }
    }
}

fn columns(cuboid: &Cuboid) -> [Vector; 3] {
    let axes = cuboid.axes();
    [axes.x_axis, axes.y_axis, axes.z_axis].map(Vector::from)
}

fn face_normals(axes: &[Vector; 3]) -> Vec<Vector> {
    vec![axes[1].cross(&axes[2]), axes[2].cross(&axes[0]), axes[0].cross(&axes[1])]
}

/// One axis: the place of the mover's center at which it touches the other from below, and from above.
pub(crate) struct Slab {
    pub(crate) axis: Vector,
    pub(crate) length: f64,
    pub(crate) below: Dyadic,
    pub(crate) above: Dyadic,
}

impl Slab {
    pub(crate) fn along(mover: &Cuboid, other: &Solid, axis: Vector) -> Self {
        let axes = columns(mover);
        let half = mover.half_extents().to_array().map(Dyadic::from);
        let radius =
            (0..3).fold(Dyadic::zero(), |radius, k| &radius + &(&half[k] * &axes[k].dot(&axis).abs()));
        let places: Vec<Dyadic> = other.corners.iter().map(|corner| corner.dot(&axis)).collect();
        let low = places.iter().fold(&places[0], |low, x| if x < low { x } else { low });
        let high = places.iter().fold(&places[0], |high, x| if x > high { x } else { high });
        Self { length: axis.length(), below: low - &radius, above: high + &radius, axis }
    }

    /// The gap at a place of the mover's center, in multiples of the axis' length; negative if they overlap.
    pub(crate) fn gap(&self, center: &Vector) -> Dyadic {
        let place = center.dot(&self.axis);
        let (below, above) = (&self.below - &place, &place - &self.above);
        if below > above { below } else { above }
    }
}

/// All axes that decide whether two convex shapes, one of them with volume, have inner points in common.
pub(crate) fn slabs(mover: &Cuboid, other: &Solid) -> Vec<Slab> {
    let axes = columns(mover);
    let pairs = axes.iter().flat_map(|axis| other.edges.iter().map(move |edge| axis.cross(edge)));
    face_normals(&axes)
        .into_iter()
        .chain(other.normals.iter().cloned())
        .chain(pairs)
        .filter(|axis| !axis.is_zero())
        .map(|axis| Slab::along(mover, other, axis))
        .collect()
}

/// The largest gap over all axes in meters (rounded), and its exact sign.
pub(crate) fn separation(slabs: &[Slab], center: &Vector) -> (f64, Ordering) {
    let mut most = f64::NEG_INFINITY;
    let mut sign = Ordering::Less;
    for slab in slabs {
        let gap = slab.gap(center);
        sign = sign.max(gap.sign());
        most = most.max(gap.to_f64() / slab.length);
    }
    (most, sign)
}

/// The times between which inner points are in common, as exact fractions with positive denominators; None:
/// never.
pub(crate) fn encounter(slabs: &[Slab], from: &Vector, translation: &Vector) -> Option<(Time, Time)> {
    let mut enter = Time { over: Dyadic::from(-1.0), under: Dyadic::zero() };
    let mut leave = Time { over: Dyadic::from(1.0), under: Dyadic::zero() };
    for slab in slabs {
        let place = from.dot(&slab.axis);
        let speed = translation.dot(&slab.axis);
        let (below, above) = (&slab.below - &place, &slab.above - &place);
        let (first, last) = match speed.sign() {
            Ordering::Greater => (below, above),
            Ordering::Less => (-&above, -&below),
            Ordering::Equal => {
                if below.sign() != Ordering::Less || above.sign() != Ordering::Greater {
                    return None;
                }
                continue;
            }
        };
        let first = Time { over: first, under: speed.abs() };
        let last = Time { over: last, under: speed.abs() };
        if enter.is_before(&first) {
            enter = first;
        }
        if last.is_before(&leave) {
            leave = last;
        }
    }
    enter.is_before(&leave).then_some((enter, leave))
}

/// over / under; a denominator of zero is an infinity.
#[derive(Clone, Debug)]
pub(crate) struct Time {
    over: Dyadic,
    under: Dyadic,
}

impl Time {
    pub(crate) fn is_before(&self, other: &Self) -> bool {
        &self.over * &other.under < &other.over * &self.under
    }

    pub(crate) fn at(fraction: f64) -> Self {
        Self { over: fraction.into(), under: Dyadic::from(1.0) }
    }

    pub(crate) fn to_f64(&self) -> f64 {
        self.over.to_f64() / self.under.to_f64()
    }
}
