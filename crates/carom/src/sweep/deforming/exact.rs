//! The queries of this module in integers, for cases that rounding could decide.
//!
//! Idea: f64 are integers times one power of two, so only signs of polynomials in t with integer coefficients
//! are needed: a cubic is 0 where four points are in one plane, and quadratics at that root tell how they lie
//! in the plane (`num::polynomial`). Four points that stay in one plane begin to meet where a point reaches a
//! segment: quadratics only. Error: none. Cost: about ten microseconds, more for coordinates of very
//! different sizes. It never gives up. Allocates.

use core::cmp::Ordering;

use dashu_int::IBig;

use glam::DVec3;

use super::points::{BITS, Points};
use crate::num::polynomial::{Polynomial, Root, first_root};

/// One position relative to another: linear in t, by axis.
type Moving = [Polynomial; 3];

/// The points are finite. The time in units of 2⁻ᵇ, rounded down.
pub(super) fn vertex_triangle(start: &Points, end: &Points) -> Option<u64> {
    let [p, a, b, c] = ways(start, end);
    let [a, b, c] = [minus(&a, &p), minus(&b, &p), minus(&c, &p)];
    // In the common plane, along its normal: the areas of the point with each edge, and the whole area.
    let areas = [cross(&b, &c), cross(&c, &a), cross(&a, &b)];
    let whole = plus(&plus(&areas[0], &areas[1]), &areas[2]);
    let edges = [(&b, &c), (&c, &a), (&a, &b)];
    first(&dot(&a, &areas[0]), &whole, &areas, &edges)
}

/// The same for two edges.
pub(super) fn edge_edge(start: &Points, end: &Points) -> Option<u64> {
    let [a, b, c, d] = ways(start, end);
    let (first_edge, second_edge, between) = (minus(&b, &a), minus(&d, &c), minus(&c, &a));
    // The lines meet at these shares of the whole along the first and along the second.
    let whole = cross(&first_edge, &second_edge);
    let shares = [cross(&between, &second_edge), cross(&between, &first_edge)];
    let [along_first, along_second] = &shares;
    let sides =
        [along_first.clone(), along_second.clone(), minus(&whole, along_first), minus(&whole, along_second)];
    let [ca, da, cb, db] = [minus(&c, &a), minus(&d, &a), minus(&c, &b), minus(&d, &b)];
    let [ac, bc, ad, bd] = [negated(&ca), negated(&cb), negated(&da), negated(&db)];
    let ends = [(&ca, &da), (&cb, &db), (&ac, &bc), (&ad, &bd)];
    first(&dot(&between, &whole), &whole, &sides, &ends)
}

/// The first meeting of two parts, which are in one plane where `volume` is 0. There they meet if all `sides`
/// point the same way as `whole` or are 0; if `whole` is 0, they meet if a point is on a segment. `ends` has
/// the ends of each of these segments relative to the point.
fn first(volume: &Polynomial, whole: &Moving, sides: &[Moving], ends: &[(&Moving, &Moving)]) -> Option<u64> {
    let meet = |at: &Root| {
        for (axis, whole) in whole.iter().enumerate() {
            let way = at.sign(whole);
            if way != Ordering::Equal {
                return sides.iter().all(|side| at.sign(&side[axis]) != way.reverse());
            }
        }
        ends.iter().any(|(a, b)| is_between(at, a, b))
    };
    if !volume.is_zero() {
        return first_root(volume, meet).map(|at| at.floor(BITS as usize));
    }
    if meet(&Root::zero()) {
        return Some(0);
    }
    ends.iter().filter_map(|(a, b)| first_between(a, b)).min()
}

/// Whether the point from which both are seen is on the segment between them.
fn is_between(at: &Root, a: &Moving, b: &Moving) -> bool {
    cross(a, b).iter().all(|area| at.sign(area) == Ordering::Equal)
        && at.sign(&dot(a, b)) != Ordering::Greater
}

/// The first time of that.
fn first_between(a: &Moving, b: &Moving) -> Option<u64> {
    let areas = cross(a, b);
    let along = dot(a, b);
    // Always on the line: it reaches an end.
    let roots = areas.iter().find(|area| !area.is_zero()).unwrap_or(&along);
    if roots.is_zero() {
        return Some(0);
    }
    first_root(roots, |at| is_between(at, a, b)).map(|at| at.floor(BITS as usize))
}

fn plus(a: &Moving, b: &Moving) -> Moving {
    [0, 1, 2].map(|k| a[k].plus(&b[k]))
}

fn minus(a: &Moving, b: &Moving) -> Moving {
    [0, 1, 2].map(|k| a[k].minus(&b[k]))
}

fn negated(a: &Moving) -> Moving {
    [0, 1, 2].map(|k| a[k].negated())
}

fn cross(a: &Moving, b: &Moving) -> Moving {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i].times(&b[j]).minus(&a[j].times(&b[i])))
}

fn dot(a: &Moving, b: &Moving) -> Polynomial {
    a[0].times(&b[0]).plus(&a[1].times(&b[1])).plus(&a[2].times(&b[2]))
}

/// The path of each point, in a unit that makes all coordinates integers.
fn ways(start: &Points, end: &Points) -> [Moving; 4] {
    let coordinates = start.iter().chain(end).flat_map(DVec3::to_array);
    let finest = coordinates.filter(|x| *x != 0.0).map(|x| parts(x).1).min().unwrap_or(0);
    let whole = |x: f64| {
        let (digits, exponent) = parts(x);
        if digits == 0 { IBig::ZERO } else { IBig::from(digits) << (exponent - finest) as usize }
    };
    [0, 1, 2, 3].map(|i| {
        [0, 1, 2].map(|k| {
            let from = whole(start[i][k]);
            let way = whole(end[i][k]) - &from;
            Polynomial::new([from, way])
        })
    })
}

/// The odd integer and the power of two whose product is a finite number other than 0.
fn parts(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    // Below the normal numbers the leading one is missing, and the exponent is that of the least.
    let digits = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    let zeros = digits.trailing_zeros() as i32 & 63;
    let digits = digits >> zeros;
    (if x < 0.0 { -digits } else { digits }, exponent.max(1) - 1075 + zeros)
}
