//! A mover as curved pieces see it: a ball, thickened along an axis if it is a capsule, from the origin.
//!
//! Source: `docs/patches.md`. A piece lies within its flatness δ of the two triangles between its corners, so
//! a mover grown by δ meets these no later than the mover meets the piece. Error: never late; early by 2δ.
//! Cost: one pass over two triangles.

use glam::DVec3;

use crate::num::bound::reach;
use crate::num::contact::{ContactRoot, contact_root};
use crate::num::ops::{larger, sqrt};
use crate::shape::patch::grid::{Grid, Jet};
use crate::sweep::parts::ball::{Ball, Limits};
use crate::sweep::parts::nearest::closest;
use crate::sweep::parts::outline::{Shifted, triangle_normal};
use crate::sweep::parts::prism::Prism;

/// A moving round mover, from the origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    pub(crate) ball: Ball,
    /// From the center to the upper cap; zero for what is no capsule.
    pub(crate) half_axis: DVec3,
    /// The error of all lengths.
    pub(crate) rounding: f64,
}

/// A place on a piece and at a time, and how the mover stands to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand {
    pub(super) u: f64,
    pub(super) v: f64,
    pub(super) time: f64,
    pub(super) jet: Jet,
    /// From the surface to the nearest point of the mover's axis: to its center, if it has none.
    pub(super) arm: DVec3,
    pub(super) metric: Metric,
}

/// Lengths across the axis of a capsule: along it the mover is free to shift its nearest point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Metric {
    axis: DVec3,
    /// 1/(axis² + pull); 0 without an axis.
    inverse: f64,
    /// The same where the nearest point is at a cap, and stays there.
    local: f64,
}

impl Metric {
    /// For the certificate: all shifts of the nearest point allowed for.
    pub(super) fn of(&self, a: DVec3, b: DVec3) -> f64 {
        if self.inverse == 0.0 {
            return a.dot(b);
        }
        a.dot(b) - a.dot(self.axis) * b.dot(self.axis) * self.inverse
    }

    /// For the steps of Newton: the nearest point at a cap stays there.
    pub(super) fn near(&self, a: DVec3, b: DVec3) -> f64 {
        if self.local == 0.0 {
            return a.dot(b);
        }
        a.dot(b) - a.dot(self.axis) * b.dot(self.axis) * self.local
    }
}

impl Stand {
    #[inline(always)]
    pub(super) fn new<const N: usize>(probe: &Probe, grid: &Grid<N>, u: f64, v: f64, time: f64) -> Self {
        Self::with_jet(probe, grid.jet(u, v), u, v, time)
    }

    /// Without second derivatives. The arm of a point that touches is zero, so they do not count.
    #[inline(always)]
    pub(super) fn of_rates<const N: usize>(probe: &Probe, grid: &Grid<N>, u: f64, v: f64, time: f64) -> Self {
        Self::with_jet(probe, grid.jet_of_rates(u, v), u, v, time)
    }

    #[inline(always)]
    fn with_jet(probe: &Probe, jet: Jet, u: f64, v: f64, time: f64) -> Self {
        let from_center = probe.ball.translation * time - jet.point;
        let axis = probe.half_axis;
        let squared = axis.length_squared();
        if squared == 0.0 {
            let metric = Metric { axis, inverse: 0.0, local: 0.0 };
            return Self { u, v, time, jet, arm: from_center, metric };
        }
        let along = -from_center.dot(axis) / squared;
        let inner = along > -1.0 && along < 1.0;
        let arm = from_center + axis * along.clamp(-1.0, 1.0);
        let pull = if inner { 0.0 } else { arm.dot(axis).abs() };
        let metric =
            Metric { axis, inverse: 1.0 / (squared + pull), local: if inner { 1.0 / squared } else { 0.0 } };
        Self { u, v, time, jet, arm, metric }
    }

    /// Half the squared distance, derived along u and v.
    pub(super) fn slopes(&self) -> [f64; 2] {
        [-self.arm.dot(self.jet.du), -self.arm.dot(self.jet.dv)]
    }

    pub(super) fn distance(&self) -> f64 {
        sqrt(self.arm.length_squared())
    }

    /// The unit normal of the surface; `None` where it has no area.
    pub(super) fn normal(&self) -> Option<DVec3> {
        triangle_normal(self.jet.du, self.jet.dv)
    }
}

/// The nearest point of a piece's two triangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct FacetFoot {
    pub(super) distance: f64,
    pub(super) foot: DVec3,
    /// From there to the mover; zero where it lies on the foot.
    pub(super) normal: DVec3,
    /// Of the triangle, if that has area.
    pub(super) face: Option<DVec3>,
    pub(super) u: f64,
    pub(super) v: f64,
}

/// A little more than 1, for what was rounded a few times.
const NEARLY: f64 = 1.0 + 1e-12;

/// The two triangles of a piece, and where in (u, v) a share of their edges leads.
fn halves([a, b, c, d]: [DVec3; 4]) -> [([DVec3; 3], bool); 2] {
    [([a, b, c], false), ([d, c, b], true)]
}

impl Probe {
    /// The share of the way before which the mover of this radius does not come within `grown` of the two
    /// triangles of a piece; infinite if it never does.
    pub(super) fn facets_entry<const N: usize>(&self, grid: &Grid<N>, radius: f64, grown: f64) -> f64 {
        let corners = grid.corners();
        let touch = radius + grown;
        // A ball around all of it: most pieces are far from the way.
        let center = (corners[0] + corners[1] + corners[2] + corners[3]) * 0.25;
        let around =
            corners.iter().fold(0.0f64, |most, corner| most.max((*corner - center).length_squared()));
        let reach =
            (touch + sqrt(around) + sqrt(self.half_axis.length_squared())) * (1.0 + 1e-12) + self.rounding;
        if contact_root(-center, self.ball.translation, reach, 0.0) == ContactRoot::None {
            return f64::INFINITY;
        }
        let mut first = f64::INFINITY;
        for (triangle, _) in halves(corners) {
            let entry = self.triangle_entry(&triangle, touch);
            if !(entry >= first) {
                first = entry;
            }
        }
        first
    }

    /// The same of one triangle. A NaN counts as now.
    fn triangle_entry(&self, triangle: &[DVec3; 3], touch: f64) -> f64 {
        let [a, b, c] = *triangle;
        let normal = triangle_normal(b - a, c - a);
        let rounding = self.rounding;
        let graze = (touch - 5.0 * rounding).max(rounding);
        let limits = Limits { rounding, touch, graze, within: f64::INFINITY };
        let fraction = if self.half_axis == DVec3::ZERO {
            let candidate = self.ball.roots(triangle, normal, limits);
            match candidate {
                _ if !candidate.found => return f64::INFINITY,
                _ if candidate.touching => 0.0,
                _ => candidate.fraction,
            }
        } else {
            let prism = Prism { outline: triangle, normal, half_axis: self.half_axis, flat: 0 };
            // Mostly the start is far: by a ball around the triangle.
            let around =
                (b - a).length_squared().max((c - a).length_squared()) + self.half_axis.length_squared();
            let is_far = a.length_squared() > 4.0 * around + 2.0 * touch * touch;
            if !is_far && !(prism.nearest().closest.distance > touch) {
                return 0.0;
            }
            match prism.sweep(&self.ball.with_radius(touch), limits) {
                Some(hit) => hit.fraction,
                None => return f64::INFINITY,
            }
        };
        if fraction > 0.0 { fraction } else { 0.0 }
    }

    /// The share of the way before which the mover of this radius touches no point of a piece: by the ball
    /// around its control points and by the slab that they lie in; infinite if it never does.
    pub(super) fn hull_entry<const N: usize>(&self, grid: &Grid<N>, radius: f64) -> f64 {
        let translation = self.ball.translation;
        if translation == DVec3::ZERO {
            return f64::INFINITY;
        }
        let squared = translation.length_squared();
        // The rounding of heights and places along the way is below this bound.
        let touch = radius + self.rounding;
        let (center, around) = around(grid);
        let reach = (touch + around + sqrt(self.half_axis.length_squared())) * NEARLY;
        let middle = translation.dot(center) / squared;
        let apart = center - translation * middle;
        let left = reach * reach - apart.length_squared();
        if left < 0.0 {
            return f64::INFINITY;
        }
        let half = sqrt(left / squared) * NEARLY;
        let (mut from, mut to) = (middle - half, middle + half);
        let [a, b, c, d] = grid.corners();
        if let Some(normal) = triangle_normal(d - a, b - c) {
            let [low, high] = grid.heights(normal);
            let support = (touch + normal.dot(self.half_axis).abs()) * NEARLY;
            let rate = normal.dot(translation);
            let (low, high) = ((low - support) / rate, (high + support) / rate);
            // A NaN excludes nothing.
            from = from.max(low.min(high));
            to = to.min(low.max(high));
        }
        if from > to || from > 1.0 || to < 0.0 { f64::INFINITY } else { from.max(0.0) }
    }

    pub(super) fn is_point(&self) -> bool {
        self.ball.radius == 0.0 && self.half_axis == DVec3::ZERO
    }

    /// Whether a plane along the way and along a side of a piece shows that a point passes it.
    pub(super) fn passes<const N: usize>(&self, grid: &Grid<N>) -> bool {
        let [a, b, c, d] = grid.corners();
        [(b, a), (d, b), (c, d), (a, c)].into_iter().any(|(to, from)| {
            let across = (to - from).cross(self.ball.translation);
            let [low, high] = grid.heights(across);
            // A point touches from four roundings off, and heights have roundings of their own.
            let far = 8.0 * self.rounding * reach(across);
            low > far || high < -far
        })
    }

    /// How far the mover's axis, its center at a place, is in front of all control points of a piece along a
    /// normal: no point of the piece is nearer.
    pub(super) fn height<const N: usize>(&self, grid: &Grid<N>, center: DVec3, normal: DVec3) -> f64 {
        let mut highest = f64::NEG_INFINITY;
        grid.visit(|p| highest = larger(highest, normal.dot(p)));
        normal.dot(center) - normal.dot(self.half_axis).abs() - highest
    }

    /// No point of a piece is nearer to the mover's axis at the start: by the box around its control points.
    pub(super) fn hull_gap<const N: usize>(&self, grid: &Grid<N>) -> f64 {
        let [low, high] = grid.bounds();
        let axis = self.half_axis.abs();
        let apart = (low - axis).max(-axis - high).max(DVec3::ZERO);
        (sqrt(apart.length_squared()) - self.rounding).max(0.0)
    }

    /// When the mover's center crosses the plane that [`Self::plane_foot`] looks at, roughly; at `first`
    /// unless that is later.
    pub(super) fn plane_crossing<const N: usize>(&self, grid: &Grid<N>, first: f64) -> f64 {
        let (from, across, down) = plane(grid);
        let normal = across.cross(down);
        let time = normal.dot(from) / normal.dot(self.ball.translation);
        // A NaN is not later.
        if time > first { time.min(1.0) } else { first }
    }

    /// Where in (u, v) the mover is over a piece at a share of the way, roughly: on the plane of three
    /// corners, or, where an edge is a point, on the tangent plane in the middle.
    pub(super) fn plane_foot<const N: usize>(&self, grid: &Grid<N>, time: f64) -> [f64; 2] {
        let (from, across, down) = plane(grid);
        let mut at = self.ball.translation * time - from;
        if self.half_axis != DVec3::ZERO {
            // Of a capsule the end of the axis that is nearer to the plane, or where that crosses it.
            let normal = across.cross(down);
            let (height, tilt) = (normal.dot(at), normal.dot(self.half_axis));
            if tilt != 0.0 {
                at -= self.half_axis * (height / tilt).clamp(-1.0, 1.0);
            }
        }
        shares(across, down, at)
    }

    /// The nearest point of a piece's two triangles at a share of the way.
    pub(super) fn facets_foot<const N: usize>(&self, grid: &Grid<N>, time: f64) -> FacetFoot {
        let center = self.ball.translation * time;
        let mut best: Option<FacetFoot> = None;
        for (triangle, is_upper) in halves(grid.corners()) {
            let [a, b, c] = triangle;
            let face = triangle_normal(b - a, c - a);
            let shifted = Shifted { outline: &triangle, by: -center };
            let (found, on_face) = if self.half_axis == DVec3::ZERO {
                let found = closest(&shifted, face);
                (found, found.foot)
            } else {
                let prism = Prism { outline: &shifted, normal: face, half_axis: self.half_axis, flat: 0 };
                let nearest = prism.nearest();
                (nearest.closest, nearest.on_polygon)
            };
            if best.is_some_and(|best| best.distance <= found.distance) {
                continue;
            }
            let foot = on_face + center;
            let [s, t] = shares(b - a, c - a, foot - a);
            let (u, v) = if is_upper { (1.0 - s, 1.0 - t) } else { (s, t) };
            best = Some(FacetFoot { distance: found.distance, foot, normal: found.normal, face, u, v });
        }
        best.unwrap_or(FacetFoot {
            distance: 0.0,
            foot: grid.corners()[0],
            normal: DVec3::ZERO,
            face: None,
            u: 0.5,
            v: 0.5,
        })
    }
}

/// A ball around the control points: its center and radius.
fn around<const N: usize>(grid: &Grid<N>) -> (DVec3, f64) {
    let [a, b, c, d] = grid.corners();
    let center = (a + b + c + d) * 0.25;
    let mut squared = 0.0f64;
    grid.visit(|p| squared = larger(squared, (p - center).length_squared()));
    (center, sqrt(squared))
}

/// A plane near a piece: its origin, and the ways from there to (1, 0) and (0, 1). That of three corners, or,
/// where an edge is a point, the tangent plane in the middle.
fn plane<const N: usize>(grid: &Grid<N>) -> (DVec3, DVec3, DVec3) {
    let [a, b, c, d] = grid.corners();
    if a == b || c == d || a == c || b == d {
        let middle = grid.jet_of_rates(0.5, 0.5);
        (middle.point - (middle.du + middle.dv) * 0.5, middle.du, middle.dv)
    } else {
        (a, b - a, c - a)
    }
}

/// How far along two edges a place is, from 0 to 1.
fn shares(p: DVec3, q: DVec3, place: DVec3) -> [f64; 2] {
    let (pp, pq, qq) = (p.length_squared(), p.dot(q), q.length_squared());
    let (a, b) = (p.dot(place), q.dot(place));
    let determinant = pp * qq - pq * pq;
    if !(determinant > pp * qq * 1e-24) {
        return [0.5; 2];
    }
    let inside = |x: f64| if x > 0.0 { x.min(1.0) } else { 0.0 };
    [inside((a * qq - b * pq) / determinant), inside((b * pp - a * pq) / determinant)]
}
