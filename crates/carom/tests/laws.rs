//! Laws of the sweep kernels: what an answer must have in common with the answer to the same question put
//! another way.
#![allow(clippy::unwrap_used, reason = "a case that cannot be set up is a failure")]

use carom::num::bound::{UNIT_ROUNDOFF, reach};
use carom::num::ops;
use carom::shape::{Capsule, ConvexPolygon, Ellipsoid, Sphere, Triangle};
use carom::sweep::{
    Feature, Hit, Path, capsule_polygon, capsule_triangle, ellipsoid_polygon, ellipsoid_triangle,
    point_triangle, sphere_polygon, sphere_triangle,
};
use glam::{DQuat, DVec3, dvec3};
use proptest::prelude::*;

type Sweep<'a> = &'a dyn Fn(&Path) -> Option<Hit>;

/// A ball, its way and a triangle.
#[derive(Clone, Copy, Debug)]
struct Question {
    radius: f64,
    from: DVec3,
    translation: DVec3,
    corners: [DVec3; 3],
}

impl Question {
    fn path(&self) -> Path {
        Path::new(self.from, self.translation).unwrap()
    }

    fn triangle(&self) -> Triangle {
        let [a, b, c] = self.corners;
        Triangle::new(a, b, c).unwrap()
    }

    fn sphere(&self) -> Sphere {
        Sphere::new(self.radius).unwrap()
    }

    fn sweep(&self) -> Option<Hit> {
        sphere_triangle(&self.sphere(), &self.path(), &self.triangle())
    }

    fn map(&self, place: impl Fn(DVec3) -> DVec3, way: impl Fn(DVec3) -> DVec3) -> Self {
        Self {
            radius: self.radius,
            from: place(self.from),
            translation: way(self.translation),
            corners: self.corners.map(place),
        }
    }

    /// The kernels' rounding bound (`carom::num::bound`), in meters.
    fn rounding(&self) -> f64 {
        let extent = self.corners.iter().map(|&c| reach(c - self.from)).fold(0.0, f64::max);
        UNIT_ROUNDOFF * (reach(self.from) + 10.0 * reach(self.translation) + 8.0 * (self.radius + extent))
    }

    /// How far the ball is from the triangle after a fraction, to within the rounding bound.
    fn gap(&self, fraction: f64) -> f64 {
        distance(self.path().at(fraction), &self.corners) - self.radius
    }

    /// The least gap of the whole path: the gap is convex, so thirds close in on it.
    fn least_gap(&self) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..100 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if self.gap(a) <= self.gap(b) { high = b } else { low = a }
        }
        self.gap(low).min(self.gap(1.0)).min(self.gap(0.0))
    }

    /// Whether two answers to this question say the same: stopped at places with the same gap, or one stopped
    /// where the other found the way to be only just free.
    fn agree(&self, one: Option<Hit>, other: Option<Hit>, bound: f64) -> Result<(), String> {
        let same = match (one, other) {
            (None, None) => true,
            (Some(a), Some(b)) => (self.gap(a.fraction) - self.gap(b.fraction)).abs() <= bound,
            (Some(hit), None) | (None, Some(hit)) => {
                self.least_gap() >= self.gap(hit.fraction).min(0.0) - bound
            }
        };
        if same { Ok(()) } else { Err(format!("{one:?}\n{other:?}")) }
    }
}

/// The distance of a point from a triangle: the least over its edges and, where the foot lies inside, its
/// face.
fn distance(p: DVec3, corners: &[DVec3; 3]) -> f64 {
    let [a, b, c] = *corners;
    let to_edge = |a: DVec3, b: DVec3| {
        let edge = b - a;
        let along = if edge == DVec3::ZERO { 0.0 } else { (p - a).dot(edge) / edge.length_squared() };
        (p - a - edge * along.clamp(0.0, 1.0)).length()
    };
    let least = to_edge(a, b).min(to_edge(b, c)).min(to_edge(c, a));
    let area = (b - a).cross(c - a);
    let inside = [(a, b), (b, c), (c, a)].iter().all(|(a, b)| (*b - *a).cross(p - *a).dot(area) >= 0.0);
    let flat = area.length() <= 1e-6 * (b - a).length() * (c - a).length();
    if inside && !flat { least.min((p - a).dot(area.normalize()).abs()) } else { least }
}

fn lattice(size: i32) -> impl Strategy<Value = DVec3> {
    [-size..=size, -size..=size, -size..=size].prop_map(|v| DVec3::from_array(v.map(f64::from)))
}

fn within(size: f64) -> impl Strategy<Value = DVec3> {
    [-size..size, -size..size, -size..size].prop_map(DVec3::from_array)
}

/// Half of them on a small lattice, where everything coincides with everything; half anywhere, aimed at the
/// triangle.
fn questions() -> impl Strategy<Value = Question> {
    let whole = (
        prop::sample::select(vec![0.5, 1.0, 2.0, 3.0]),
        lattice(6),
        lattice(9),
        [lattice(3), lattice(3), lattice(3)],
    )
        .prop_map(|(radius, from, translation, corners)| Question { radius, from, translation, corners });
    let any = (0.01..2.0, within(1.5), within(8.0), [within(3.0), within(3.0), within(3.0)], 0.0..1.5)
        .prop_map(|(radius, aside, translation, corners, before)| {
            let center = (corners[0] + corners[1] + corners[2]) / 3.0;
            let from = center + aside - translation * before;
            Question { radius, from, translation, corners }
        });
    prop_oneof![whole, any]
}

fn rotations() -> impl Strategy<Value = DQuat> {
    (within(1.0), 0.0..3.1).prop_map(|(axis, angle)| ops::rotation_about(axis, angle))
}

/// The corners that make up the named part, in a fixed order.
fn part(feature: Feature, corners: &[DVec3]) -> Vec<[u64; 3]> {
    let n = corners.len();
    let bits = |i: usize| corners[i % n].to_array().map(f64::to_bits);
    let mut part = match feature {
        Feature::Face => Vec::new(),
        Feature::Edge(i) => vec![bits(i as usize), bits(i as usize + 1)],
        Feature::Vertex(i) => vec![bits(i as usize)],
    };
    part.sort_unstable();
    part
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

const PERMUTATIONS: [[usize; 3]; 5] = [[1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_scene_twice_as_large_has_the_same_answer_to_the_bit(
        q in questions(), exponent in -300i32..300, rotation in rotations(), half_height in 0.0..2.0,
        stretch in [0.2..5.0, 0.2..5.0, 0.2..5.0],
    ) {
        let k = power_of_two(exponent);
        let large = Question { radius: q.radius * k, ..q.map(|p| p * k, |d| d * k) };
        let answers = |q: &Question, k: f64| {
            let capsule = Capsule::new(q.radius, half_height * k).unwrap().with_rotation(rotation).unwrap();
            let radii = DVec3::from_array(stretch) * q.radius;
            let ellipsoid = Ellipsoid::new(radii).unwrap().with_rotation(rotation).unwrap();
            [
                q.sweep(),
                point_triangle(&q.path(), &q.triangle()),
                capsule_triangle(&capsule, &q.path(), &q.triangle()),
                ellipsoid_triangle(&ellipsoid, &q.path(), &q.triangle()),
            ]
        };
        for (small, large) in answers(&q, 1.0).into_iter().zip(answers(&large, k)) {
            prop_assert_eq!(small.map(|hit| Hit { point: hit.point * k, ..hit }), large);
        }
    }

    #[test]
    fn the_order_of_the_corners_changes_no_bit(
        q in questions(), rotation in rotations(), half_height in 0.0..2.0,
    ) {
        let capsule = Capsule::new(q.radius, half_height).unwrap().with_rotation(rotation).unwrap();
        let radii = dvec3(q.radius, 2.0 * q.radius, 0.5 * q.radius);
        let ellipsoid = Ellipsoid::new(radii).unwrap().with_rotation(rotation).unwrap();
        let answers = |q: &Question| {
            [
                q.sweep(),
                point_triangle(&q.path(), &q.triangle()),
                capsule_triangle(&capsule, &q.path(), &q.triangle()),
                ellipsoid_triangle(&ellipsoid, &q.path(), &q.triangle()),
            ]
        };
        for order in PERMUTATIONS {
            let turned = Question { corners: order.map(|i| q.corners[i]), ..q };
            for (one, other) in answers(&q).into_iter().zip(answers(&turned)) {
                prop_assert_eq!(one.is_some(), other.is_some());
                let (Some(one), Some(other)) = (one, other) else { continue };
                prop_assert_eq!(one.fraction.to_bits(), other.fraction.to_bits());
                prop_assert_eq!(one.normal, other.normal);
                prop_assert_eq!(one.point, other.point);
                prop_assert_eq!(one.start_overlap, other.start_overlap);
                prop_assert_eq!(part(one.feature, &q.corners), part(other.feature, &turned.corners));
            }
        }
    }

    #[test]
    fn a_mirrored_scene_has_the_mirrored_answer(q in questions()) {
        let mirror = |v: DVec3| dvec3(-v.x, v.y, v.z);
        let mirrored = q.map(mirror, mirror);
        q.agree(q.sweep(), mirrored.sweep(), 4.0 * q.rounding()).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn a_moved_and_turned_scene_has_the_same_answer(q in questions(), rotation in rotations(), by in within(1e4)) {
        let moved = q.map(|p| rotation * p + by, |d| rotation * d);
        // The standoff is of the bound there, which is larger by the coordinates.
        q.agree(q.sweep(), moved.sweep(), 8.0 * moved.rounding()).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn the_way_back_from_a_hit_is_free(q in questions(), rotation in rotations(), half_height in 0.0..2.0) {
        let capsule = Capsule::new(q.radius, half_height).unwrap().with_rotation(rotation).unwrap();
        let ellipsoid = Ellipsoid::new(dvec3(q.radius, 2.0 * q.radius, 0.5 * q.radius)).unwrap();
        let ellipsoid = ellipsoid.with_rotation(rotation).unwrap();
        let (path, triangle) = (q.path(), q.triangle());
        let sweeps: [Sweep; 4] = [
            &|path| sphere_triangle(&q.sphere(), path, &triangle),
            &|path| point_triangle(path, &triangle),
            &|path| capsule_triangle(&capsule, path, &triangle),
            &|path| ellipsoid_triangle(&ellipsoid, path, &triangle),
        ];
        for sweep in sweeps {
            let Some(hit) = sweep(&path) else { continue };
            let back = Path::new(path.at(hit.fraction), -path.translation() * hit.fraction).unwrap();
            prop_assert_eq!(sweep(&back), None, "{:?}", hit);
        }
    }

    #[test]
    fn a_way_in_two_parts_stops_where_the_whole_does(q in questions(), share in 0.0..1.0) {
        let whole = q.sweep();
        let first = Question { translation: q.translation * share, ..q };
        let second = Question { from: q.path().at(share), translation: q.translation * (1.0 - share), ..q };
        let parts = match first.sweep() {
            Some(hit) => Some(Hit { fraction: hit.fraction * share, ..hit }),
            None => second.sweep().map(|hit| Hit { fraction: share + hit.fraction * (1.0 - share), ..hit }),
        };
        q.agree(whole, parts, 8.0 * q.rounding()).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn an_ellipsoid_with_equal_radii_is_a_ball(q in questions(), rotation in rotations()) {
        let round = Ellipsoid::new(DVec3::splat(q.radius)).unwrap().with_rotation(rotation).unwrap();
        let answer = ellipsoid_triangle(&round, &q.path(), &q.triangle());
        q.agree(q.sweep(), answer, 8.0 * q.rounding()).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn a_capsule_without_height_is_a_ball(q in questions(), rotation in rotations()) {
        let round = Capsule::new(q.radius, 0.0).unwrap().with_rotation(rotation).unwrap();
        prop_assert_eq!(q.sweep(), capsule_triangle(&round, &q.path(), &q.triangle()));
    }

    #[test]
    fn a_larger_ball_is_not_stopped_later(q in questions(), more in 1.0..2.0) {
        // But for a start that touches: what leaves or slides along is free at any size.
        if q.gap(0.0) <= (more - 1.0) * q.radius + 8.0 * q.rounding() {
            return Ok(());
        }
        let large = Question { radius: q.radius * more, ..q };
        if let Some(small) = q.sweep() {
            let large = large.sweep();
            let bound = 8.0 * q.rounding();
            let place = large.map_or(f64::INFINITY, |hit| hit.fraction);
            prop_assert!(place <= small.fraction || q.gap(place.min(1.0)) >= q.gap(small.fraction) - bound);
        }
    }

    #[test]
    fn a_triangle_in_two_parts_stops_what_the_whole_does(q in questions(), corner in 0usize..3) {
        // Within the whole at the start a way may lead from one part deeper into the other.
        if q.gap(0.0) <= 8.0 * q.rounding() {
            return Ok(());
        }
        let [a, b, c] = [0, 1, 2].map(|i| q.corners[(i + corner) % 3]);
        // Half of the sum of lattice or 53-bit corners may round: the parts are then off the plane by an ulp.
        let middle = (a + b) * 0.5;
        let halves = [[a, middle, c], [middle, b, c]].map(|corners| Question { corners, ..q }.sweep());
        let first = match halves {
            [Some(a), Some(b)] => Some(if b.fraction < a.fraction { b } else { a }),
            [a, b] => a.or(b),
        };
        q.agree(q.sweep(), first, 8.0 * q.rounding()).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn a_ray_passes_no_seam(
        from in within(9.0), middle in lattice(3), ring in prop::collection::vec(within(1.0), 3..8),
        weights in [0u8..3, 0u8..4],
    ) {
        // A fan of triangles round `middle` that closes up, seen from above; rays at its spokes and its hub.
        let n = ring.len();
        let spoke = |i: usize| {
            let angle = core::f64::consts::TAU * (i % n) as f64 / n as f64;
            let (sin, cos) = ops::sin_cos(angle);
            middle + dvec3(cos, 0.1 * ring[i % n].y, sin) * 2.0
        };
        let target = middle + (spoke(usize::from(weights[0])) - middle) * (f64::from(weights[1]) * 0.25);
        let from = dvec3(from.x, middle.y + 5.0 + from.y.abs(), from.z);
        let path = Path::new(from, (target - from) * 2.0).unwrap();
        let stopped = (0..n).any(|i| {
            point_triangle(&path, &Triangle::new(middle, spoke(i), spoke(i + 1)).unwrap()).is_some()
        });
        prop_assert!(stopped);
    }

    #[test]
    fn a_triangle_is_a_polygon_of_three_corners(q in questions(), rotation in rotations(), half_height in 0.0..2.0) {
        let Ok(polygon) = ConvexPolygon::new(q.corners.to_vec()) else { return Ok(()) };
        let bound = 8.0 * q.rounding();
        let (path, triangle) = (q.path(), q.triangle());
        q.agree(q.sweep(), sphere_polygon(&q.sphere(), &path, &polygon), bound).map_err(TestCaseError::fail)?;
        let round = Ellipsoid::new(DVec3::splat(q.radius)).unwrap().with_rotation(rotation).unwrap();
        q.agree(q.sweep(), ellipsoid_polygon(&round, &path, &polygon), bound).map_err(TestCaseError::fail)?;
        let capsule = Capsule::new(q.radius, half_height).unwrap().with_rotation(rotation).unwrap();
        let (one, other) =
            (capsule_triangle(&capsule, &path, &triangle), capsule_polygon(&capsule, &path, &polygon));
        if let (Some(one), Some(other)) = (one, other) {
            let slow = (one.normal.dot(q.translation).abs()).min(other.normal.dot(q.translation).abs());
            prop_assert!((one.fraction - other.fraction).abs() * slow <= bound);
        }
    }

    #[test]
    fn a_polygon_in_triangles_stops_what_the_whole_does(
        q in questions(), ring in prop::collection::vec(0.05..0.95, 3..9),
    ) {
        // Corners of an ellipse in the plane of the first triangle.
        let [a, b, c] = q.corners;
        let n = ring.len();
        let corners: Vec<DVec3> = (0..n)
            .map(|i| {
                let (sin, cos) = ops::sin_cos(core::f64::consts::TAU * (i as f64 + ring[i]) / n as f64);
                a + (b - a) * cos + (c - a) * sin
            })
            .collect();
        let Ok(polygon) = ConvexPolygon::new(corners.clone()) else { return Ok(()) };
        let whole = sphere_polygon(&q.sphere(), &q.path(), &polygon);
        let parts = (1..n - 1).filter_map(|i| {
            Question { corners: [corners[0], corners[i], corners[i + 1]], ..q }.sweep()
        });
        let first = parts.min_by(|a, b| a.fraction.total_cmp(&b.fraction));
        let bound = 16.0 * q.rounding();
        let gap = |fraction: f64| {
            let p = q.path().at(fraction);
            (1..n - 1).map(|i| distance(p, &[corners[0], corners[i], corners[i + 1]])).fold(f64::INFINITY, f64::min)
        };
        if gap(0.0) <= q.radius + bound {
            return Ok(());
        }
        match (whole, first) {
            (Some(a), Some(b)) => {
                prop_assert!((gap(a.fraction) - gap(b.fraction)).abs() <= bound, "{a:?}\n{b:?}");
            }
            // One grazes where the other passes: the gap there is the radius to within the bound.
            (Some(hit), None) | (None, Some(hit)) => {
                prop_assert!((gap(hit.fraction) - q.radius).abs() <= bound, "{whole:?}\n{first:?}");
                let on = (gap((hit.fraction + 1e-3).min(1.0)), gap(1.0));
                prop_assert!(on.0.max(on.1) >= q.radius - bound, "{whole:?}\n{first:?}");
            }
            (None, None) => {}
        }
    }
}
