//! The laws that every shape keeps: scaled by a power of two to the bit, turned and moved to within rounding,
//! mirrored, asked with its corners in another order.
#![expect(clippy::unwrap_used, reason = "a test")]

use std::f64::consts::TAU;

use carom::num::ops::{rotation_about, sqrt};
use carom::shape::{
    Capsule, Convex, ConvexPolygon, Cuboid, Ellipsoid, Mover, Plane, Region, Segment, Sphere, Triangle,
    convex_distance, convex_overlap,
};
use glam::{DMat3, DQuat, DVec3, dvec3};
use proptest::prelude::*;

fn vector() -> impl Strategy<Value = DVec3> {
    // Coordinates that coincide now and then: ties, parallels and corners in line.
    let coordinate = prop_oneof![4 => -4.0..4.0, 1 => (-3..=3i32).prop_map(f64::from)];
    [coordinate.clone(), coordinate.clone(), coordinate].prop_map(DVec3::from_array)
}

fn size() -> impl Strategy<Value = DVec3> {
    [0.05..3.0, 0.05..3.0, 0.05..3.0].prop_map(DVec3::from_array)
}

fn rotation() -> impl Strategy<Value = DQuat> {
    prop_oneof![1 => Just(DQuat::IDENTITY), 4 => (vector(), -3.0..3.0).prop_map(|(axis, angle)| rotation_about(axis, angle))]
}

fn mover() -> impl Strategy<Value = Mover> {
    (size(), rotation(), 0..4usize).prop_map(|(s, q, kind)| match kind {
        0 => Sphere::new(s.x).unwrap().into(),
        1 => Ellipsoid::new(s).unwrap().with_rotation(q).unwrap().into(),
        2 => Capsule::new(s.x, s.y).unwrap().with_rotation(q).unwrap().into(),
        _ => Mover::from(Cuboid::new(s).unwrap().with_rotation(q).unwrap()),
    })
}

fn triangle() -> impl Strategy<Value = Triangle> {
    (vector(), vector(), vector()).prop_map(|(a, b, c)| Triangle::new(a, b, c).unwrap())
}

/// A convex polygon: corners on an ellipse in a turned plane.
fn polygon() -> impl Strategy<Value = ConvexPolygon> {
    (prop::collection::vec(0.0..TAU, 3..9), size(), rotation(), vector()).prop_filter_map(
        "no area",
        |(mut angles, s, q, at)| {
            angles.sort_by(f64::total_cmp);
            let corner = |angle: &f64| {
                let (y, x) = carom::num::ops::sin_cos(*angle);
                q * dvec3(s.x * x, s.y * y, 0.0) + at
            };
            // Far from where rounding decides whether there is an area: turned and mirrored it must still be
            // one.
            ConvexPolygon::new(angles.iter().map(corner).collect())
                .ok()
                .filter(|polygon| polygon.area() > 1e-6)
        },
    )
}

fn scaled(mover: &Mover, k: f64) -> Mover {
    match mover {
        Mover::Point => Mover::Point,
        Mover::Sphere(s) => Sphere::new(s.radius() * k).unwrap().into(),
        Mover::Ellipsoid(e) => {
            Ellipsoid::new(e.radii() * k).unwrap().with_rotation(e.rotation()).unwrap().into()
        }
        Mover::Capsule(c) => Capsule::new(c.radius() * k, c.half_height() * k)
            .unwrap()
            .with_rotation(c.rotation())
            .unwrap()
            .into(),
        Mover::Cuboid(c) => {
            Cuboid::new(c.half_extents() * k).unwrap().with_rotation(c.rotation()).unwrap().into()
        }
    }
}

fn turned(mover: &Mover, turn: DQuat) -> Mover {
    match mover {
        Mover::Point | Mover::Sphere(_) => *mover,
        Mover::Ellipsoid(e) => e.with_rotation(turn * e.rotation()).unwrap().into(),
        Mover::Capsule(c) => c.with_rotation(turn * c.rotation()).unwrap().into(),
        Mover::Cuboid(c) => c.with_rotation(turn * c.rotation()).unwrap().into(),
    }
}

fn map(triangle: &Triangle, f: impl Fn(DVec3) -> DVec3) -> Triangle {
    let [a, b, c] = triangle.corners().map(f);
    Triangle::new(a, b, c).unwrap()
}

fn map_polygon(polygon: &ConvexPolygon, f: impl Fn(DVec3) -> DVec3) -> ConvexPolygon {
    ConvexPolygon::new(polygon.vertices().iter().map(|&v| f(v)).collect()).unwrap()
}

/// Far more than the rounding of numbers of a few meters, and far less than anything that matters.
const NEAR: f64 = 1e-12;

fn near(a: DVec3, b: DVec3) -> bool {
    sqrt((a - b).length_squared()) < NEAR
}

/// A surface sample: deterministic directions through the support points, and the faces' middles between
/// them.
fn samples(mover: &Mover) -> Vec<DVec3> {
    let mut points = Vec::new();
    for i in -2..=2i32 {
        for j in -2..=2i32 {
            for k in -2..=2i32 {
                points.push(mover.support_point(dvec3(f64::from(i), f64::from(j) + 0.3, f64::from(k) - 0.1)));
            }
        }
    }
    let middles: Vec<DVec3> = points.windows(2).map(|pair| (pair[0] + pair[1]) * 0.5).collect();
    points.extend(middles);
    points
}

/// Everything a mover answers on its own and with flat shapes, as numbers that scale: points and lengths.
fn lengths(mover: &Mover, p: DVec3, d: DVec3, t: &Triangle, g: &ConvexPolygon, other: &Mover) -> Vec<DVec3> {
    let splat = DVec3::splat;
    let gap = convex_distance(mover, other, p);
    let (on_axis, on_triangle) = t.closest_points_to_segment(&Segment::new(p, p + d).unwrap());
    vec![
        mover.closest_point(p),
        splat(mover.signed_distance(p)),
        mover.support_point(d),
        mover.bounds().max(),
        mover.bounds().min(),
        t.closest_point(p).point,
        t.bounds().min(),
        g.closest_point(p).point,
        g.closest_perimeter_point(p).point,
        splat(g.plane().distance()),
        on_axis.point,
        on_triangle.point,
        gap.point,
        gap.other_point,
        dvec3(gap.distance, gap.lower, gap.upper),
        mover.bounds().translated(p).swept(d).max(),
        splat(mover.bounds().signed_distance(p)),
    ]
}

/// Everything that does not scale: fractions, directions, answers of yes and no.
fn shares(mover: &Mover, p: DVec3, d: DVec3, t: &Triangle, g: &ConvexPolygon, other: &Mover) -> Vec<f64> {
    let fraction = |f: Option<f64>| f.unwrap_or(-1.0);
    let yes = |b: bool| f64::from(u8::from(b));
    let plane = g.plane();
    let aabb = t.bounds();
    let gap = convex_distance(mover, other, p);
    vec![
        fraction(mover.ray(p, d)),
        fraction(t.ray(p, d)),
        fraction(g.ray(p, d)),
        fraction(plane.ray(p, d)),
        fraction(aabb.ray(p, d)),
        yes(mover.contains(p)),
        yes(mover.overlaps(other, p)),
        yes(mover.overlaps_triangle(t, p)),
        yes(mover.overlaps_polygon(g, p)),
        yes(mover.overlaps_plane(&plane, p)),
        yes(mover.overlaps_aabb(&aabb, p)),
        yes(aabb.overlaps_triangle(t)),
        yes(aabb.translated(p).overlaps_polygon(g)),
        yes(t.contains_point(p)),
        yes(g.contains_point(p)),
        t.normal().map_or(0.0, |n| n.x + 3.0 * n.y),
        t.barycentric(p).map_or(0.0, |b| b.x + 3.0 * b.y),
        gap.normal.x + 3.0 * gap.normal.y,
        f64::from(gap.steps),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_answer_scales_with_the_scene_bit_for_bit(
        (m, other) in (mover(), mover()), p in vector(), d in vector(), t in triangle(), g in polygon(), exponent in -60..60i32,
    ) {
        let k = f64::from_bits(((1023 + exponent) as u64) << 52);
        let (large, other_large) = (scaled(&m, k), scaled(&other, k));
        let (tk, gk) = (map(&t, |v| v * k), map_polygon(&g, |v| v * k));
        let one: Vec<DVec3> = lengths(&m, p, d, &t, &g, &other).into_iter().map(|v| v * k).collect();
        prop_assert_eq!(one, lengths(&large, p * k, d * k, &tk, &gk, &other_large));
        prop_assert_eq!(shares(&m, p, d, &t, &g, &other), shares(&large, p * k, d * k, &tk, &gk, &other_large));
    }

    #[test]
    fn turning_the_whole_scene_turns_the_answers(
        m in mover(), p in vector(), d in vector(), t in triangle(), g in polygon(), turn in rotation(),
    ) {
        let other = turned(&m, turn);
        prop_assert!((other.signed_distance(turn * p) - m.signed_distance(p)).abs() < NEAR);
        prop_assert!((other.support_point(turn * d).dot(turn * d) - m.support_point(d).dot(d)).abs() < 16.0 * NEAR);
        let tt = map(&t, |v| turn * v);
        prop_assert!((tt.distance(turn * p) - t.distance(p)).abs() < NEAR);
        let gg = map_polygon(&g, |v| turn * v);
        prop_assert!(near(gg.closest_perimeter_point(turn * p).point, turn * g.closest_perimeter_point(p).point)
            || (gg.closest_perimeter_point(turn * p).point.distance(turn * p)
                - g.closest_perimeter_point(p).point.distance(p)).abs() < NEAR);
        prop_assert!((gg.distance(turn * p) - g.distance(p)).abs() < NEAR);
        // A thin one may roll about its length by rounding over its height.
        prop_assert!(gg.normal().distance(turn * g.normal()) < NEAR / g.area().min(1.0));
    }

    #[test]
    fn a_mirrored_scene_has_mirrored_answers(m in mover(), p in vector(), t in triangle(), g in polygon()) {
        let mirror = |v: DVec3| dvec3(-v.x, v.y, v.z);
        // A mirrored rotation turns the other way about the mirrored axis.
        let flip = |q: DQuat| DQuat::from_xyzw(q.x, -q.y, -q.z, q.w);
        let image: Mover = match m {
            Mover::Point | Mover::Sphere(_) => m,
            Mover::Ellipsoid(e) => e.with_rotation(flip(e.rotation())).unwrap().into(),
            Mover::Capsule(c) => c.with_rotation(flip(c.rotation())).unwrap().into(),
            Mover::Cuboid(c) => c.with_rotation(flip(c.rotation())).unwrap().into(),
        };
        prop_assert!((image.signed_distance(mirror(p)) - m.signed_distance(p)).abs() < NEAR);
        prop_assert_eq!(image.bounds(), m.bounds());
        prop_assert_eq!(map(&t, mirror).closest_point(mirror(p)).point.distance(mirror(p)), t.distance(p));
        prop_assert!((map_polygon(&g, mirror).distance(mirror(p)) - g.distance(p)).abs() < NEAR);
    }

    #[test]
    fn the_order_of_the_corners_changes_no_bit(t in triangle(), p in vector(), d in vector()) {
        let c = t.corners();
        let point = t.closest_point(p);
        for [i, j, k] in [[1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
            let other = Triangle::new(c[i], c[j], c[k]).unwrap();
            let found = other.closest_point(p);
            prop_assert_eq!(found.point, point.point);
            prop_assert_eq!(other.contains_point(p), t.contains_point(p));
            prop_assert_eq!(other.support_point(d), t.support_point(d));
            prop_assert_eq!(other.area(), t.area());
            let sign = if [[1, 2, 0], [2, 0, 1]].contains(&[i, j, k]) { 1.0 } else { -1.0 };
            prop_assert_eq!(other.normal().map(|n| n * sign), t.normal());
            // The same part in the other's numbering, unless corners coincide.
            if let (Region::Vertex(a), Region::Vertex(b)) = (point.region, found.region) {
                prop_assert_eq!(c[a as usize], other.corners()[b as usize]);
            }
        }
    }

    #[test]
    fn the_order_of_the_ends_changes_no_bit(a in vector(), b in vector(), p in vector(), q in vector()) {
        let (s, back) = (Segment::new(a, b).unwrap(), Segment::new(b, a).unwrap());
        prop_assert_eq!(s.closest_point(p).point, back.closest_point(p).point);
        let (t, turned) = (Segment::new(p, q).unwrap(), Segment::new(q, p).unwrap());
        let (on_s, on_t) = s.closest_points(&t);
        for (first, second) in [(s, turned), (back, t), (back, turned)] {
            let (x, y) = first.closest_points(&second);
            prop_assert_eq!((x.point, y.point), (on_s.point, on_t.point));
        }
        let (y, x) = t.closest_points(&s);
        prop_assert_eq!((x, y), (on_s, on_t));
    }

    #[test]
    fn nothing_of_a_shape_is_nearer_than_its_nearest_point(m in mover(), p in vector()) {
        let nearest = m.closest_point(p);
        let distance = sqrt((nearest - p).length_squared());
        prop_assert!(m.signed_distance(nearest) < NEAR);
        prop_assert!((m.signed_distance(p).max(0.0) - distance).abs() < NEAR);
        for sample in samples(&m) {
            prop_assert!(m.signed_distance(sample) < NEAR);
            prop_assert!((sample - p).length() > distance - NEAR);
            // Inside, the signed distance is the radius of a ball that no surface point enters.
            if m.signed_distance(p) < 0.0 && m.signed_distance(sample).abs() < NEAR {
                prop_assert!((sample - p).length() > -m.signed_distance(p) - NEAR);
            }
        }
    }

    #[test]
    fn nothing_of_a_shape_is_farther_than_its_support_point_or_outside_its_bounds(m in mover(), d in vector()) {
        let farthest = m.support_point(d).dot(d);
        let bounds = m.bounds();
        for sample in samples(&m) {
            prop_assert!(sample.dot(d) <= farthest + 16.0 * NEAR);
            prop_assert!(bounds.grown(NEAR).contains(sample));
        }
        for axis in DVec3::AXES {
            prop_assert!(bounds.max().dot(axis) <= m.support_point(axis).dot(axis) + NEAR);
        }
    }

    #[test]
    fn a_ray_stops_at_the_surface_and_is_outside_before(m in mover(), p in vector(), d in vector()) {
        match m.ray(p, d) {
            Some(0.0) => prop_assert!(m.signed_distance(p) < NEAR),
            Some(fraction) => {
                prop_assert!(fraction > 0.0 && fraction <= 1.0);
                prop_assert!(m.signed_distance(p + d * fraction).abs() < 1e-7);
                for i in 0..16 {
                    let before = fraction * f64::from(i) / 16.0;
                    prop_assert!(m.signed_distance(p + d * before) > -1e-7);
                }
            }
            None => for i in 0..=64 {
                prop_assert!(m.signed_distance(p + d * (f64::from(i) / 64.0)) > -1e-7);
            },
        }
    }

    #[test]
    fn overlap_agrees_with_distance(m in mover(), other in mover(), offset in vector()) {
        let gap = convex_distance(&m, &other, offset);
        prop_assert!(gap.converged);
        prop_assert!(gap.lower <= gap.distance && gap.distance <= gap.upper);
        let overlaps = m.overlaps(&other, offset);
        prop_assert!(overlaps || gap.upper > 0.0);
        prop_assert!(!overlaps || gap.lower < NEAR);
        prop_assert_eq!(convex_overlap(&m, &other, offset), gap.lower == 0.0 || gap.distance == 0.0);
        let back = convex_distance(&other, &m, -offset);
        prop_assert!(back.lower <= gap.upper && gap.lower <= back.upper);
    }

    #[test]
    fn overlap_with_flat_shapes_agrees_with_distance(
        m in mover(), t in triangle(), g in polygon(), offset in vector(),
    ) {
        let gap = convex_distance(&m, &t, offset);
        let overlaps = m.overlaps_triangle(&t, offset);
        prop_assert!(overlaps || gap.upper > 0.0);
        prop_assert!(!overlaps || gap.lower < NEAR);
        let gap = convex_distance(&m, &g, offset);
        let overlaps = m.overlaps_polygon(&g, offset);
        prop_assert!(overlaps || gap.upper > 0.0);
        prop_assert!(!overlaps || gap.lower < NEAR);
        let aabb = t.bounds();
        let gap = convex_distance(&m, &aabb, offset);
        let overlaps = m.overlaps_aabb(&aabb, offset);
        prop_assert!(overlaps || gap.upper > 0.0);
        prop_assert!(!overlaps || gap.lower < NEAR);
        let plane = g.plane();
        let (below, above) = (m.support_point(-plane.normal()), m.support_point(plane.normal()));
        let (low, high) = (plane.signed_distance(below - offset), plane.signed_distance(above - offset));
        prop_assert!(m.overlaps_plane(&plane, offset) || low > 0.0 || high < 0.0);
        prop_assert!(!m.overlaps_plane(&plane, offset) || (low < NEAR && high > -NEAR));
        prop_assert!(g.overlaps_plane(&plane));
        let heights = t.corners().map(|corner| plane.signed_distance(corner));
        let cut = heights.iter().any(|h| *h <= 0.0) && heights.iter().any(|h| *h >= 0.0);
        let nearly = heights.iter().any(|h| *h <= NEAR) && heights.iter().any(|h| *h >= -NEAR);
        prop_assert!(!cut || t.overlaps_plane(&plane));
        prop_assert!(nearly || !t.overlaps_plane(&plane));
        prop_assert_eq!(t.overlaps_plane(&plane), t.edges().iter().any(|edge| edge.overlaps_plane(&plane)));
    }

    #[test]
    fn the_unit_ball_and_back_keeps_points_normals_and_planes(
        s in size(), q in rotation(), d in vector().prop_filter("a direction", |d| d.length_squared() > 1e-3),
    ) {
        let e = Ellipsoid::new(s).unwrap().with_rotation(q).unwrap();
        let p = e.support_point(d);
        prop_assert!(((e.to_unit() * p).length() - 1.0).abs() < 1e-13);
        prop_assert!(near(e.from_unit() * (e.to_unit() * p), p));
        let normal = e.normal_at(p).unwrap();
        prop_assert!((normal.cross(d)).length() < 1e-9 * d.length());
        let by_inverse_transpose = (e.to_unit().transpose() * (e.to_unit() * p)).normalize();
        prop_assert!(near(normal, by_inverse_transpose));
        let plane = e.tangent_plane_at(p).unwrap();
        prop_assert!(plane.signed_distance(p).abs() < NEAR && near(plane.normal(), normal));
        let line = e.line(p + normal, -normal * 2.0).unwrap();
        prop_assert!((line[0] - 0.5).abs() < 1e-9);
    }

    #[test]
    fn no_finite_number_makes_anything_panic(bits in prop::array::uniform16(any::<u64>())) {
        let number = |i: usize| {
            let x = f64::from_bits(bits[i]);
            if x.is_finite() { x } else { 1e308 }
        };
        let at = |i: usize| dvec3(number(i), number(i + 1), number(i + 2));
        let t = Triangle::new(at(0), at(3), at(6)).unwrap();
        let aabb = t.bounds();
        let plane = Plane::new(at(9), at(12)).unwrap_or(Plane::new(DVec3::ZERO, DVec3::Y).unwrap());
        let q = DQuat::from_xyzw(number(9), number(10), number(11), number(12));
        let positive = at(13).abs().max(DVec3::splat(f64::MIN_POSITIVE));
        let polygons: Vec<ConvexPolygon> =
            [vec![at(0), at(3), at(6)], vec![at(0), at(0), at(3), at(6)]].into_iter().filter_map(|v| ConvexPolygon::new(v).ok()).collect();
        let turn = |c: Cuboid| c.with_rotation(q).unwrap_or(c);
        let cuboid = turn(Cuboid::new(positive).unwrap());
        let movers: [Mover; 5] = [
            Mover::Point,
            Sphere::new(positive.x).unwrap().into(),
            Ellipsoid::new(positive).unwrap().with_rotation(cuboid.rotation()).unwrap().into(),
            Capsule::new(positive.x, positive.y).unwrap().with_rotation(cuboid.rotation()).unwrap().into(),
            cuboid.into(),
        ];
        let (p, d) = (at(2), at(5));
        for m in &movers {
            let _ = (m.bounds().translated(p).grown(number(1)), m.signed_distance(p), m.closest_point(p), m.support_point(d));
            let _ = (m.ray(p, d), m.volume(), m.overlaps_triangle(&t, p), m.overlaps_aabb(&aabb, p), m.overlaps_plane(&plane, p));
            let _ = (convex_distance(m, &t, p), m.reach(), m.margin());
            for other in &movers {
                let _ = (m.overlaps(other, p), convex_distance(m, other, p));
            }
            for g in &polygons {
                let _ = (m.overlaps_polygon(g, p), g.closest_point(p), g.plane(), g.contains_point(p), g.ray(p, d));
            }
        }
        let _ = (t.closest_point(p), t.normal(), t.plane(), t.barycentric(p), t.ray(p, d), t.contains_point(p));
        let _ = (aabb.overlaps_triangle(&t), aabb.half_extents(), aabb.overlaps_plane(&plane), aabb.ray(p, d));
        let _ = (t.edges()[0].closest_points(&t.edges()[1]), DMat3::IDENTITY);
    }
}
