//! When a corner of a cloth meets a triangle of it, and when two edges meet, all four points going straight
//! at paces of their own.
//!
//! Source: Snyder, *Interval analysis for computer graphics* (1992), with the boxes of Wang, Ferguson,
//! Schneider, Jiang, Attene, Panozzo, *A large-scale benchmark and an inclusion-based algorithm for
//! continuous collision detection* (2021): the difference of the two points with parameters (t, u, v) is
//! linear in each of these, so over a box of them it stays within the box around its values at the eight
//! corners. Where that box leaves out 0 nothing meets; else the box of parameters is halved along the
//! parameter that the difference changes most with. Error: every box is grown by what rounding may do to its
//! corners, so no contact is missed and the fraction is never late. What passes within 2⁻⁴⁰ of the size of
//! the problem, in each coordinate, may be called a contact. Cost: some dozens of boxes; more the nearer and
//! the more parallel. After 2¹⁶ boxes the earliest one that is left is the answer: early, and perhaps no
//! contact, never the other way round. No allocation.

use glam::DVec3;

use crate::num::bound::{UNIT_ROUNDOFF, reach};

/// Where two deforming parts meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The share of their ways until then, 0 … 1.
    pub fraction: f64,
    /// Where on the parts, both 0 … 1: on a triangle the weights of its second and third corner, of two edges
    /// the places along the first and the second.
    pub parameters: [f64; 2],
    /// Whether the parts are known to come as near as that (see the module); if not, the search was given up
    /// here.
    pub converged: bool,
}

/// When a point first meets a triangle. Points go straight from where they are in `start` to where they are
/// in `end`: the point first, then the corners, in meters. Meeting at the start counts.
///
/// None only if they do not meet in exact arithmetic. NaN and infinities meet at once.
///
/// ```
/// use carom::sweep::deforming::vertex_triangle;
/// use glam::{DVec3, dvec3};
/// let corners = [DVec3::ZERO, dvec3(4.0, 0.0, 0.0), dvec3(0.0, 4.0, 0.0)];
/// let rising = corners.map(|corner| corner + DVec3::Z);
/// let with = |point: DVec3, [a, b, c]: [DVec3; 3]| [point, a, b, c];
/// let meeting = vertex_triangle(&with(dvec3(1.0, 1.0, 2.0), corners), &with(dvec3(1.0, 1.0, -1.0), rising)).unwrap();
/// assert!((meeting.fraction - 0.5).abs() < 1e-9);
/// assert!(vertex_triangle(&with(dvec3(3.0, 3.0, 2.0), corners), &with(dvec3(3.0, 3.0, -1.0), rising)).is_none());
/// ```
pub fn vertex_triangle(start: &[DVec3; 4], end: &[DVec3; 4]) -> Option<Meeting> {
    if passes_by(start, end, &[0], &[1, 2, 3]) {
        return None;
    }
    // u + v is at most 1, besides.
    search(start, end, |[p, a, b, c], u, v| (p - a) - ((b - a) * u + (c - a) * v), |u, v| u + v <= 1.0)
}

/// When two edges first meet: the ends of the first, then those of the second. All else as for
/// [`vertex_triangle`].
///
/// ```
/// use carom::sweep::deforming::edge_edge;
/// use glam::{DVec3, dvec3};
/// let start = [-DVec3::X, DVec3::X, dvec3(0.5, -1.0, 1.0), dvec3(0.5, 1.0, 1.0)];
/// let end = [-DVec3::X, DVec3::X, dvec3(0.5, -1.0, -3.0), dvec3(0.5, 1.0, -3.0)];
/// let meeting = edge_edge(&start, &end).unwrap();
/// assert!((meeting.fraction - 0.25).abs() < 1e-9 && (meeting.parameters[0] - 0.75).abs() < 1e-9);
/// ```
pub fn edge_edge(start: &[DVec3; 4], end: &[DVec3; 4]) -> Option<Meeting> {
    if passes_by(start, end, &[0, 1], &[2, 3]) {
        return None;
    }
    search(start, end, |[a, b, c, d], u, v| (a - c) + ((b - a) * u - (d - c) * v), |_, _| true)
}

/// Whether the points of one part are beyond those of the other along an axis all the way. Comparisons only:
/// exact, and what keeps two that are one rounding apart from being called a meeting.
fn passes_by(start: &[DVec3; 4], end: &[DVec3; 4], one: &[usize], other: &[usize]) -> bool {
    // An order that holds at both ends of straight ways holds between.
    let beyond = |axis: usize, above: &[usize], below: &[usize]| {
        above
            .iter()
            .all(|&a| below.iter().all(|&b| start[a][axis] > start[b][axis] && end[a][axis] > end[b][axis]))
    };
    (0..3).any(|axis| beyond(axis, one, other) || beyond(axis, other, one))
}

/// The most boxes.
const BOXES: u32 = 1 << 16;

/// 2⁻⁴⁰: the share of the size of the problem within which two points are one.
const NEAR: f64 = 1.0 / (1u64 << 40) as f64;

/// Each halving puts one half by; a parameter is halved 52 times at most.
const STACK: usize = 3 * 52 + 1;

/// A box of parameters: t, u, v.
#[derive(Clone, Copy)]
struct Parameters {
    low: [f64; 3],
    width: [f64; 3],
}

fn search(
    start: &[DVec3; 4],
    end: &[DVec3; 4],
    difference: impl Fn([DVec3; 4], f64, f64) -> DVec3,
    allowed: impl Fn(f64, f64) -> bool,
) -> Option<Meeting> {
    // Relative to one of the points, so that what is far from the origin loses no more than its own digits.
    let origin = start[1];
    let size = |v: DVec3| reach(v - origin);
    let largest =
        start.iter().chain(end).fold(0.0, |most: f64, &p| if size(p) <= most { most } else { size(p) });
    let far =
        start.iter().chain(end).fold(0.0, |most: f64, &p| if reach(p) <= most { most } else { reach(p) });
    if !(largest.is_finite() && far.is_finite()) {
        return Some(Meeting { fraction: 0.0, parameters: [0.0; 2], converged: false });
    }
    // A difference to the origin is off by u; a point on its way by four more, the difference of two points
    // on their edges by a dozen of what it is made of, each of which is at most four times the largest.
    let rounding = 128.0 * UNIT_ROUNDOFF * largest + f64::MIN_POSITIVE;
    let near = NEAR * largest + rounding;
    let (start, ways) = (start.map(|p| p - origin), [0, 1, 2, 3].map(|i| end[i] - start[i]));
    let at = |t: f64, u: f64, v: f64| difference([0, 1, 2, 3].map(|i| start[i] + ways[i] * t), u, v);

    let whole = Parameters { low: [0.0; 3], width: [1.0; 3] };
    let mut stack = [whole; STACK];
    let mut height = 1;
    let mut best: Option<Meeting> = None;
    let mut boxes = 0;
    while height > 0 {
        height -= 1;
        let now = stack[height];
        let [t, u, v] = now.low;
        if best.is_some_and(|best| t >= best.fraction) || !allowed(u, v) {
            continue;
        }
        if boxes == BOXES {
            // The contact may begin as early as the earliest box that is left.
            let left = stack[..=height].iter().min_by(|a, b| a.low[0].total_cmp(&b.low[0])).unwrap_or(&now);
            return Some(Meeting {
                fraction: left.low[0],
                parameters: [left.low[1], left.low[2]],
                converged: false,
            });
        }
        boxes += 1;
        let corner = |i: usize| {
            let along = |k: usize| now.low[k] + if i >> k & 1 == 1 { now.width[k] } else { 0.0 };
            at(along(0), along(1), along(2))
        };
        let values = [0, 1, 2, 3, 4, 5, 6, 7].map(corner);
        let low = values.iter().copied().reduce(DVec3::min).unwrap_or(DVec3::ZERO);
        let high = values.iter().copied().reduce(DVec3::max).unwrap_or(DVec3::ZERO);
        if low.cmpgt(DVec3::splat(rounding)).any() || high.cmplt(DVec3::splat(-rounding)).any() {
            continue;
        }
        // The change of the difference along each parameter.
        let change = |k: usize| {
            let step = 1 << k;
            let pairs = (0..8).filter(|i| i & step == 0);
            pairs.fold(0.0, |most: f64, i| most.max((values[i + step] - values[i]).abs().max_element()))
        };
        let changes = [change(0), change(1), change(2)];
        let splittable = |k: usize| now.width[k] > 4.0 * UNIT_ROUNDOFF;
        let widest = (0..3).filter(|&k| splittable(k)).max_by(|&a, &b| changes[a].total_cmp(&changes[b]));
        let small = (high - low).max_element() <= near;
        let (false, Some(k)) = (small, widest) else {
            best = Some(Meeting { fraction: t, parameters: [u, v], converged: true });
            continue;
        };
        let mut halves = [now; 2];
        halves[0].width[k] *= 0.5;
        halves[1].width[k] *= 0.5;
        halves[1].low[k] += halves[1].width[k];
        // The earlier half is taken first.
        stack[height] = halves[1];
        stack[height + 1] = halves[0];
        height += 2;
    }
    best
}
