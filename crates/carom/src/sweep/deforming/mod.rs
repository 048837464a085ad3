//! When a corner of a cloth meets a triangle of it, and when two edges meet, with all four points on straight
//! paths at constant speeds.
//!
//! Source: Provot, *Collision and self-collision handling in cloth model dedicated to design garments*
//! (1997): parts that meet are in one plane at that time, which is a root of a cubic. Idea: the positions of
//! four points in their plane are signs of quadratics at that root; f64 decides them where rounding cannot
//! change them (`filter`), else integers (`exact`). Error: none, whether they meet; the time is rounded down
//! to a multiple of 2⁻⁴⁰, so it does not depend on the order of corners or edges, on the side from which they
//! come, or on the unit of length. Cost: a tenth of a microsecond to one, about ten microseconds where parts
//! touch within roundings. It never gives up. Integers allocate.

mod exact;
mod filter;
mod points;

use glam::DVec3;

use crate::num::bound::{reach, rescale};
use crate::shape::{Segment, Triangle};
use filter::Answer;
use points::{BITS, Points};

/// Where two deforming parts meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The share of their ways until then, 0 … 1, rounded down to a multiple of 2⁻⁴⁰.
    pub fraction: f64,
    /// Where on the parts, both 0 … 1: the weights of a triangle's second and third corner, or the places
    /// along the first and the second edge. They name the points that are nearest each other at `fraction`.
    pub parameters: [f64; 2],
}

/// When a point first meets a triangle. Points go straight from where they are in `start` to where they are
/// in `end`: the point first, then the corners, in meters. Meeting at the start counts, and touching does.
///
/// `None` if and only if they do not meet in exact arithmetic. NaN and infinities meet at once.
///
/// ```
/// use carom::sweep::deforming::vertex_triangle;
/// use glam::{DVec3, dvec3};
/// let corners = [DVec3::ZERO, dvec3(4.0, 0.0, 0.0), dvec3(0.0, 4.0, 0.0)];
/// let rising = corners.map(|corner| corner + DVec3::Z);
/// let with = |point: DVec3, [a, b, c]: [DVec3; 3]| [point, a, b, c];
/// let falls_at = |place: DVec3| {
///     let (start, end) = (place + 2.0 * DVec3::Z, place - DVec3::Z);
///     vertex_triangle(&with(start, corners), &with(end, rising))
/// };
/// let meeting = falls_at(dvec3(1.0, 1.0, 0.0)).unwrap();
/// assert_eq!((meeting.fraction, meeting.parameters), (0.5, [0.25, 0.25]));
/// assert!(falls_at(dvec3(3.0, 3.0, 0.0)).is_none());
/// ```
pub fn vertex_triangle(start: &[DVec3; 4], end: &[DVec3; 4]) -> Option<Meeting> {
    let parts: [&[usize]; 2] = [&[0], &[1, 2, 3]];
    let fraction = first(start, end, parts, filter::vertex_triangle, exact::vertex_triangle)?;
    let [p, a, b, c] = places(start, end, fraction);
    let parameters = Triangle::new(a, b, c).map_or([0.0; 2], |triangle| weights(&triangle, p));
    Some(Meeting { fraction, parameters })
}

/// The weights of the second and third corner at the place that is nearest to a point.
fn weights(triangle: &Triangle, p: DVec3) -> [f64; 2] {
    if let Some(weights) = triangle.barycentric(triangle.closest_point(p).point) {
        return [weights.y, weights.z].map(|weight| weight.clamp(0.0, 1.0));
    }
    // A triangle without area is its edges, from corner to corner.
    let near = |edge: &Segment| (edge.closest_point(p).point - p).length_squared();
    let edges = triangle.edges();
    let nearest = (0..3).min_by(|&i, &j| near(&edges[i]).total_cmp(&near(&edges[j]))).unwrap_or(0);
    let along = edges[nearest].closest_point(p).along;
    match nearest {
        0 => [along, 0.0],
        1 => [1.0 - along, along],
        _ => [0.0, 1.0 - along],
    }
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
/// assert_eq!((meeting.fraction, meeting.parameters), (0.25, [0.75, 0.5]));
/// ```
pub fn edge_edge(start: &[DVec3; 4], end: &[DVec3; 4]) -> Option<Meeting> {
    let parts: [&[usize]; 2] = [&[0, 1], &[2, 3]];
    let fraction = first(start, end, parts, filter::edge_edge, exact::edge_edge)?;
    let [a, b, c, d] = places(start, end, fraction);
    let parameters = match (Segment::new(a, b), Segment::new(c, d)) {
        (Ok(one), Ok(other)) => {
            let (one, other) = one.closest_points(&other);
            [one.along, other.along]
        }
        _ => [0.0; 2],
    };
    Some(Meeting { fraction, parameters })
}

fn first(
    start: &Points,
    end: &Points,
    [one, other]: [&[usize]; 2],
    filter: fn(&Points, &Points) -> Answer,
    exact: fn(&Points, &Points) -> Option<u64>,
) -> Option<f64> {
    if !start.iter().chain(end).all(|p| p.is_finite()) {
        return Some(0.0);
    }
    if passes_by(start, end, one, other) {
        return None;
    }
    let steps = match filter(start, end) {
        Answer::Apart => return None,
        Answer::Meet(steps) => steps,
        Answer::Unsure => exact(start, end)?,
    };
    // Both are exact.
    Some(steps as f64 / (1u64 << BITS) as f64)
}

/// Whether the points of one part are always beyond those of the other along an axis. Comparisons only.
fn passes_by(start: &Points, end: &Points, one: &[usize], other: &[usize]) -> bool {
    // An order that holds at both ends of straight paths holds between.
    let beyond = |axis: usize, above: &[usize], below: &[usize]| {
        above
            .iter()
            .all(|&a| below.iter().all(|&b| start[a][axis] > start[b][axis] && end[a][axis] > end[b][axis]))
    };
    (0..3).any(|axis| beyond(axis, one, other) || beyond(axis, other, one))
}

/// The points at that time, relative to the start of the first, so that points far from the origin keep their
/// digits; in a unit in which squares of squares neither overflow nor vanish.
fn places(start: &Points, end: &Points, fraction: f64) -> Points {
    let largest = start.iter().chain(end).fold(0.0, |most: f64, p| most.max(reach(*p - start[0])));
    let unit = rescale(largest);
    let seen = |p: DVec3| p * unit - start[0] * unit;
    [0, 1, 2, 3].map(|i| seen(start[i]).lerp(seen(end[i]), fraction))
}
