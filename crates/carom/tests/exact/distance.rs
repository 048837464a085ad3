//! Exact squared distances between points, segments and triangles, any of which may be degenerate.
//!
//! Two convex sets have one shortest offset between them, however many pairs of points show it. It is found
//! as the least of the candidates that the features give: each candidate is the true offset of some pair of
//! points, so none is too short.

use dashu_int::IBig;

use super::numbers::{Ratio, Vector, is_negative};

/// The shortest offset between two convex sets: its squared length, and its direction, from the second set to
/// the first. The direction is an integer vector of no particular length, zero where the sets meet.
#[derive(Clone, Debug)]
pub(crate) struct Nearest {
    pub(crate) squared: Ratio,
    pub(crate) direction: Vector,
}

impl Nearest {
    fn flipped(self) -> Self {
        Self { direction: -&self.direction, ..self }
    }

    fn or(self, other: Self) -> Self {
        if other.squared < self.squared { other } else { self }
    }

    fn meeting() -> Self {
        Self { squared: Ratio::whole(IBig::ZERO), direction: Vector([IBig::ZERO, IBig::ZERO, IBig::ZERO]) }
    }
}

pub(crate) type Corners = [Vector; 3];

fn edges(t: &Corners) -> [(&Vector, &Vector); 3] {
    [(&t[0], &t[1]), (&t[1], &t[2]), (&t[2], &t[0])]
}

/// Twice the area of the triangle, along its normal; zero if it has no area.
pub(crate) fn area_vector(t: &Corners) -> Vector {
    (&t[1] - &t[0]).cross(&(&t[2] - &t[0]))
}

pub(crate) fn point_point(p: &Vector, a: &Vector) -> Nearest {
    let direction = p - a;
    Nearest { squared: Ratio::whole(direction.length_squared()), direction }
}

pub(crate) fn point_segment(p: &Vector, a: &Vector, b: &Vector) -> Nearest {
    let edge = b - a;
    let from_a = p - a;
    let reach = from_a.dot(&edge);
    let length_squared = edge.length_squared();
    if reach <= IBig::ZERO {
        return Nearest { squared: Ratio::whole(from_a.length_squared()), direction: from_a };
    }
    if reach >= length_squared {
        return point_point(p, b);
    }
    let moment = edge.cross(&from_a);
    Nearest {
        squared: Ratio::new(moment.length_squared(), length_squared),
        // (a × b) × a is the part of b across a, times |a|².
        direction: moment.cross(&edge),
    }
}

/// Whether the foot of `p` on the plane of the triangle lies in it, edges included. The triangle has area.
fn foot_inside(p: &Vector, t: &Corners, normal: &Vector) -> bool {
    edges(t).iter().all(|(a, b)| !is_negative(&(*b - *a).cross(&(p - *a)).dot(normal)))
}

pub(crate) fn point_triangle(p: &Vector, t: &Corners) -> Nearest {
    let normal = area_vector(t);
    if !normal.is_zero() && foot_inside(p, t, &normal) {
        let height = normal.dot(&(p - &t[0]));
        let squared = Ratio::new(&height * &height, normal.length_squared());
        let direction = if is_negative(&height) { -&normal } else { normal };
        return if height.is_zero() { Nearest::meeting() } else { Nearest { squared, direction } };
    }
    let [e0, e1, e2] = edges(t).map(|(a, b)| point_segment(p, a, b));
    e0.or(e1).or(e2)
}

/// From segment (c, e) to segment (a, b).
pub(crate) fn segment_segment(a: &Vector, b: &Vector, c: &Vector, e: &Vector) -> Nearest {
    let mut nearest = point_segment(a, c, e)
        .or(point_segment(b, c, e))
        .or(point_segment(c, a, b).flipped())
        .or(point_segment(e, a, b).flipped());
    let (u, v) = (b - a, e - c);
    let normal = u.cross(&v);
    if !normal.is_zero() {
        // a + s u and c + t v are nearest where the offset is along the normal; s and t over |normal|².
        let between = c - a;
        let length_squared = normal.length_squared();
        let s = between.cross(&v).dot(&normal);
        let t = between.cross(&u).dot(&normal);
        let within = |x: &IBig| !is_negative(x) && *x <= length_squared;
        if within(&s) && within(&t) {
            let height = -between.dot(&normal);
            if height.is_zero() {
                return Nearest::meeting();
            }
            let direction = if is_negative(&height) { -&normal } else { normal };
            nearest =
                nearest.or(Nearest { squared: Ratio::new(&height * &height, length_squared), direction });
        }
    }
    nearest
}

/// Whether the segment passes through the triangle from one side to the other. Touching in the plane is left
/// to the edges.
fn pierces(a: &Vector, b: &Vector, t: &Corners) -> bool {
    let normal = area_vector(t);
    if normal.is_zero() {
        return false;
    }
    let (above, below) = (normal.dot(&(a - &t[0])), normal.dot(&(b - &t[0])));
    if above.is_zero() || below.is_zero() || is_negative(&above) == is_negative(&below) {
        return false;
    }
    // The sign of the volume that the segment spans with each edge says on which side of the edge it passes.
    let along = b - a;
    let turns = edges(t).map(|(c, e)| (c - a).cross(&(e - a)).dot(&along));
    turns.iter().all(|x| !is_negative(x)) || turns.iter().all(|x| *x <= IBig::ZERO)
}

/// From the triangle to the segment (a, b).
pub(crate) fn segment_triangle(a: &Vector, b: &Vector, t: &Corners) -> Nearest {
    if pierces(a, b, t) {
        return Nearest::meeting();
    }
    let mut nearest = point_triangle(a, t).or(point_triangle(b, t));
    for (c, e) in edges(t) {
        nearest = nearest.or(segment_segment(a, b, c, e));
    }
    nearest
}

/// From triangle `t` to triangle `s`.
pub(crate) fn triangle_triangle(s: &Corners, t: &Corners) -> Nearest {
    let mut nearest = segment_triangle(&s[0], &s[1], t);
    for (a, b) in &edges(s)[1..] {
        nearest = nearest.or(segment_triangle(a, b, t));
    }
    for (a, b) in edges(t) {
        nearest = nearest.or(segment_triangle(a, b, s).flipped());
    }
    nearest
}

/// One face of a prism as seen from a point in it: how deep the point lies under it, and its outward normal.
#[derive(Clone, Debug)]
pub(crate) struct Depth {
    pub(crate) squared: Ratio,
    pub(crate) outward: Vector,
}

/// How deep `p` lies under each face of the solid sum of a flat convex polygon and the segment from
/// −`half_axis` to `half_axis`, the least first; empty if it lies outside, or if the sum has no volume.
pub(crate) fn depths_in_prism(p: &Vector, half_axis: &Vector, corners: &[Vector]) -> Vec<Depth> {
    let fan =
        (1..corners.len() - 1).map(|i| [corners[0].clone(), corners[i].clone(), corners[i + 1].clone()]);
    let normal = fan.map(|t| area_vector(&t)).reduce(|a, b| &a + &b).expect("at least three corners");
    let rise = normal.dot(half_axis);
    if rise.is_zero() {
        return Vec::new();
    }
    let up = if is_negative(&rise) { -half_axis } else { half_axis.clone() };
    let mut faces = vec![(normal.clone(), &corners[0] + &up), (-&normal, &corners[0] - &up)];
    for (i, a) in corners.iter().enumerate() {
        // The edges turn left around the normal, and `up` is on its side: this points out.
        let outward = (&corners[(i + 1) % corners.len()] - a).cross(&up);
        if !outward.is_zero() {
            faces.push((outward, a.clone()));
        }
    }
    let mut depths = Vec::new();
    for (outward, on) in faces {
        let height = outward.dot(&(p - &on));
        if height > IBig::ZERO {
            return Vec::new();
        }
        depths.push(Depth { squared: Ratio::new(&height * &height, outward.length_squared()), outward });
    }
    depths.sort_by(|a, b| a.squared.cmp(&b.squared));
    depths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(x: i64, y: i64, z: i64) -> Vector {
        Vector([x, y, z].map(IBig::from))
    }

    fn ratio(n: i64, d: i64) -> Ratio {
        Ratio::new(IBig::from(n), IBig::from(d))
    }

    fn parallel(a: &Vector, b: &Vector) -> bool {
        a.cross(b).is_zero() && a.dot(b) > IBig::ZERO
    }

    #[test]
    fn points_are_measured_to_every_feature_of_a_triangle() {
        let t = [v(0, 0, 0), v(6, 0, 0), v(0, 6, 0)];
        for (p, squared, direction) in [
            (v(1, 1, 5), ratio(25, 1), v(0, 0, 1)),
            (v(1, 1, -5), ratio(25, 1), v(0, 0, -1)),
            (v(3, 3, 2), ratio(4, 1), v(0, 0, 1)),
            (v(3, -2, 0), ratio(4, 1), v(0, -1, 0)),
            (v(3, -3, 4), ratio(25, 1), v(0, -3, 4)),
            (v(5, 5, 0), ratio(8, 1), v(1, 1, 0)),
            (v(4, 5, 1), ratio(9 + 2, 2), v(3, 3, 2)),
            (v(-1, -2, 2), ratio(9, 1), v(-1, -2, 2)),
            (v(9, -4, 0), ratio(25, 1), v(3, -4, 0)),
        ] {
            let nearest = point_triangle(&p, &t);
            assert_eq!(nearest.squared, squared, "{p:?}");
            assert!(parallel(&nearest.direction, &direction), "{p:?}: {:?}", nearest.direction);
        }
        assert!(point_triangle(&v(2, 2, 0), &t).squared.is_zero());
    }

    #[test]
    fn triangles_without_area_are_their_segment_or_point() {
        let line = [v(0, 0, 0), v(4, 4, 0), v(2, 2, 0)];
        assert_eq!(point_triangle(&v(4, 0, 0), &line).squared, ratio(8, 1));
        assert_eq!(point_triangle(&v(7, 8, 0), &line).squared, ratio(25, 1));
        let dot = [v(1, 2, 3), v(1, 2, 3), v(1, 2, 3)];
        assert_eq!(point_triangle(&v(1, 5, 7), &dot).squared, ratio(25, 1));
        assert_eq!(segment_triangle(&v(-9, 5, 7), &v(9, 5, 7), &dot).squared, ratio(25, 1));
    }

    #[test]
    fn segments_cross_meet_and_miss() {
        // Crossing at a height of 3; crossing in a point; parallel; end to end; a fraction by hand.
        let n = segment_segment(&v(-5, 0, 3), &v(5, 0, 3), &v(0, -5, 0), &v(0, 5, 0));
        assert_eq!(n.squared, ratio(9, 1));
        assert!(parallel(&n.direction, &v(0, 0, 1)));
        assert!(segment_segment(&v(-5, 0, 0), &v(5, 0, 0), &v(0, -5, 0), &v(0, 5, 0)).squared.is_zero());
        assert_eq!(segment_segment(&v(0, 0, 0), &v(9, 0, 0), &v(4, 2, 0), &v(20, 2, 0)).squared, ratio(4, 1));
        assert_eq!(segment_segment(&v(0, 0, 0), &v(1, 0, 0), &v(4, 4, 0), &v(9, 9, 0)).squared, ratio(25, 1));
        // Lines (t, 0, 0) and (0, s, s) + (0, 1, 0): normal (0, −1, 1)/√2, offset 1/√2.
        let n = segment_segment(&v(-5, 0, 0), &v(5, 0, 0), &v(0, -4, -5), &v(0, 6, 5));
        assert_eq!(n.squared, ratio(1, 2));
        assert!(parallel(&n.direction, &v(0, -1, 1)), "{:?}", n.direction);
    }

    #[test]
    fn segments_pierce_touch_and_hover_over_triangles() {
        let t = [v(0, 0, 0), v(6, 0, 0), v(0, 6, 0)];
        assert!(segment_triangle(&v(1, 1, 4), &v(2, 1, -4), &t).squared.is_zero());
        assert!(segment_triangle(&v(3, 3, 4), &v(3, 3, -4), &t).squared.is_zero(), "through an edge");
        assert!(segment_triangle(&v(0, 0, 4), &v(0, 0, -4), &t).squared.is_zero(), "through a corner");
        assert!(segment_triangle(&v(-5, 1, 0), &v(5, 1, 0), &t).squared.is_zero(), "in the plane");
        assert!(segment_triangle(&v(1, 1, 0), &v(1, 1, 7), &t).squared.is_zero(), "standing on it");
        assert_eq!(segment_triangle(&v(1, 1, 2), &v(2, 2, 7), &t).squared, ratio(4, 1));
        assert_eq!(segment_triangle(&v(-5, 1, 3), &v(5, 1, 3), &t).squared, ratio(9, 1));
        assert_eq!(segment_triangle(&v(-3, -9, -9), &v(-3, 9, 9), &t).squared, ratio(9, 1));
        // Passes the slanted edge x + y = 6 at (4, 4, 0), straight down.
        assert_eq!(segment_triangle(&v(4, 4, 9), &v(4, 4, -9), &t).squared, ratio(2, 1));
    }

    #[test]
    fn triangles_cross_and_miss() {
        let t = [v(0, 0, 0), v(6, 0, 0), v(0, 6, 0)];
        assert!(triangle_triangle(&[v(1, 1, -1), v(1, 1, 1), v(9, 9, 0)], &t).squared.is_zero());
        // `t` pokes through the middle of a much larger one: only its own edges cross.
        assert!(triangle_triangle(&[v(1, -90, -90), v(1, 90, -90), v(1, 0, 90)], &t).squared.is_zero());
        let n = triangle_triangle(&[v(-90, -90, 3), v(90, -90, 3), v(0, 90, 3)], &t);
        assert_eq!(n.squared, ratio(9, 1));
        assert!(parallel(&n.direction, &v(0, 0, 1)));
        // Flat, and as a segment and a point.
        assert_eq!(triangle_triangle(&[v(-3, -4, 0), v(-9, -4, 0), v(-3, -9, 0)], &t).squared, ratio(25, 1));
        assert_eq!(triangle_triangle(&[v(1, 1, 2), v(1, 1, 2), v(1, 1, 9)], &t).squared, ratio(4, 1));
        assert_eq!(triangle_triangle(&[v(1, 1, 2), v(1, 1, 2), v(1, 1, 2)], &t).squared, ratio(4, 1));
    }

    #[test]
    fn points_in_a_prism_know_the_nearest_face() {
        let t = [v(0, 0, 0), v(60, 0, 0), v(0, 60, 0)];
        let depths = depths_in_prism(&v(20, 20, 3), &v(0, 0, 5), &t);
        assert_eq!(depths.len(), 5);
        assert_eq!(depths[0].squared, ratio(4, 1));
        assert!(parallel(&depths[0].outward, &v(0, 0, 1)));
        assert_eq!(depths[1].squared, ratio(64, 1));
        let depths = depths_in_prism(&v(1, 20, 3), &v(0, 0, -5), &t);
        assert_eq!(depths[0].squared, ratio(1, 1));
        assert!(parallel(&depths[0].outward, &v(-1, 0, 0)));
        // A leaning axis leans the sides: under x = −z/2 the depth is 2/√5 of the way along x.
        let depths = depths_in_prism(&v(1, 20, 0), &v(4, 0, 8), &t);
        assert_eq!(depths[0].squared, ratio(4, 5));
        assert!(parallel(&depths[0].outward, &v(-2, 0, 1)));
        let on_the_lid = depths_in_prism(&v(20, 20, 5), &v(0, 0, 5), &t);
        assert!(on_the_lid[0].squared.is_zero() && parallel(&on_the_lid[0].outward, &v(0, 0, 1)));
        assert!(depths_in_prism(&v(20, 20, 6), &v(0, 0, 5), &t).is_empty(), "above it");
        assert!(depths_in_prism(&v(40, 40, 0), &v(0, 0, 5), &t).is_empty(), "beside it");
        assert!(
            depths_in_prism(&v(20, 20, 0), &v(5, 0, 0), &t).is_empty(),
            "an axis in the plane spans nothing"
        );
    }
}
