//! Distances by farthest points against closed forms, where they are hardest: slivers, parallel faces, curved
//! shapes that all but touch, shapes far apart. The bounds must hold, be as close as promised, and be reached
//! within the steps there are.
#![expect(clippy::unwrap_used, reason = "a test")]

use carom::num::bound::UNIT_ROUNDOFF;
use carom::num::ops::{rotation_about, sqrt};
use carom::shape::{
    Capsule, Convex, ConvexDistance, Cuboid, DEFAULT_TOLERANCE, Ellipsoid, Mover, Segment, Sphere, Triangle,
    convex_distance, convex_distance_within,
};
use glam::{DQuat, DVec3, dvec3};

/// Numbers that look random and are the same on every machine.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let x = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        ((x ^ (x >> 33)) >> 11) as f64 / (1u64 << 53) as f64
    }
    fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }
    fn vector(&mut self) -> DVec3 {
        dvec3(self.signed(), self.signed(), self.signed())
    }
    fn direction(&mut self) -> DVec3 {
        self.vector().normalize()
    }
    fn rotation(&mut self) -> DQuat {
        let axis = self.vector();
        rotation_about(axis, 3.1 * self.signed())
    }
    /// Between 1/`ratio` and `ratio`, as many small as large.
    fn factor(&mut self, ratio: f64) -> f64 {
        let x = 1.0 + (ratio - 1.0) * self.unit();
        if self.unit() < 0.5 { x } else { 1.0 / x }
    }
    fn lengths(&mut self, ratio: f64) -> DVec3 {
        dvec3(self.factor(ratio), self.factor(ratio), self.factor(ratio))
    }
    fn ellipsoid(&mut self, ratio: f64) -> Ellipsoid {
        Ellipsoid::new(self.lengths(ratio)).unwrap().with_rotation(self.rotation()).unwrap()
    }
    fn cuboid(&mut self, ratio: f64) -> Cuboid {
        Cuboid::new(self.lengths(ratio)).unwrap().with_rotation(self.rotation()).unwrap()
    }
}

const GAPS: [f64; 6] = [10.0, 1.0, 1e-3, 1e-6, 1e-9, 1e-12];

/// Counts for a family of pairs.
#[derive(Default)]
struct Seen {
    pairs: u32,
    steps: u32,
    most: u32,
}

impl Seen {
    /// Checks everything that is promised of an answer; `exact` is the distance, known to within `error`.
    fn check(&mut self, gap: &ConvexDistance, exact: f64, error: f64, size: f64) {
        self.pairs += 1;
        self.steps += gap.steps;
        self.most = self.most.max(gap.steps);
        assert!(gap.converged, "{gap:?}");
        assert!(gap.lower <= gap.distance && gap.distance <= gap.upper, "{gap:?}");
        assert!(gap.lower <= exact + error && exact - error <= gap.upper, "{gap:?} is not {exact}");
        let close = DEFAULT_TOLERANCE * gap.upper + 128.0 * UNIT_ROUNDOFF * size;
        assert!(gap.upper - gap.lower <= close, "{gap:?}: {} times", (gap.upper - gap.lower) / close);
        let between = sqrt((gap.point - gap.other_point).length_squared());
        assert!((between - gap.distance).abs() <= 32.0 * UNIT_ROUNDOFF * size, "{gap:?}");
        if gap.distance > 0.0 {
            assert!((gap.normal.length_squared() - 1.0).abs() < 8.0 * UNIT_ROUNDOFF);
        }
    }

    fn say(&self, name: &str) {
        println!(
            "{name}: {} pairs, {:.1} steps, {} at most",
            self.pairs,
            f64::from(self.steps) / f64::from(self.pairs),
            self.most
        );
    }
}

fn size(a: &impl Convex, b: &impl Convex, offset: DVec3) -> f64 {
    a.reach() + a.margin() + b.reach() + b.margin() + offset.abs().element_sum()
}

#[test]
fn spheres_and_capsules_are_found_in_a_few_steps() {
    let mut random = Random(1);
    let mut seen = Seen::default();
    for _ in 0..3000 {
        let (a, b) = (Sphere::new(random.factor(5.0)).unwrap(), Sphere::new(random.factor(5.0)).unwrap());
        let offset = random.direction() * (a.radius() + b.radius()) * random.factor(3.0);
        let exact = (sqrt(offset.length_squared()) - a.radius() - b.radius()).max(0.0);
        let size = size(&a, &b, offset);
        seen.check(&convex_distance(&a, &b, offset), exact, UNIT_ROUNDOFF * size, size);

        let capsule = |r: &mut Random| {
            Capsule::new(r.factor(3.0), r.factor(3.0)).unwrap().with_rotation(r.rotation()).unwrap()
        };
        let (a, b) = (capsule(&mut random), capsule(&mut random));
        let offset = random.direction() * 6.0 * random.unit();
        let half = b.half_axis();
        let (p, q) = a.axis().closest_points(&Segment::new(offset - half, offset + half).unwrap());
        let exact = (sqrt((p.point - q.point).length_squared()) - a.radius() - b.radius()).max(0.0);
        let size = self::size(&a, &b, offset);
        seen.check(&convex_distance(&a, &b, offset), exact, 4.0 * UNIT_ROUNDOFF * size, size);
    }
    seen.say("spheres and capsules");
    assert!(seen.most <= 8);
}

#[test]
fn segments_and_slivers_agree_with_their_closed_forms() {
    let mut random = Random(2);
    let mut seen = Seen::default();
    for i in 0..6000 {
        let thin = [1.0, 1e-4, 1e-8, 1e-12, 0.0][i % 5];
        let (a, b) = (random.vector(), random.vector());
        let c = a + (b - a) * (1.5 * random.unit()) + random.vector() * thin;
        let triangle = Triangle::new(a, b, c).unwrap();
        let from = random.vector();
        let along = if i % 3 == 0 { (b - a) * random.signed() } else { random.vector() };
        let segment = Segment::new(from, from + along).unwrap();
        let offset = random.vector() * [0.001, 1.0, 100.0][i / 5 % 3];
        let shifted = Segment::new(segment.a() + offset, segment.b() + offset).unwrap();
        let (p, q) = triangle.closest_points_to_segment(&shifted);
        let exact = sqrt((p.point - q.point).length_squared());
        let size = size(&triangle, &segment, offset);
        seen.check(&convex_distance(&triangle, &segment, offset), exact, 8.0 * UNIT_ROUNDOFF * size, size);
    }
    seen.say("triangles and segments");
    assert!(seen.most <= 16);
}

#[test]
fn parallel_faces_stay_as_far_apart_as_they_are() {
    let mut random = Random(3);
    for gap in GAPS {
        let mut seen = Seen::default();
        for _ in 0..1000 {
            let a = random.cuboid(10.0);
            let b = Cuboid::new(random.lengths(10.0)).unwrap().with_rotation(a.rotation()).unwrap();
            let axes = a.axes();
            let across = a.half_extents().x + b.half_extents().x + gap;
            let beside = (a.half_extents().y + b.half_extents().y) * 0.99 * random.signed();
            let offset = axes.x_axis * across + axes.y_axis * beside;
            let size = size(&a, &b, offset);
            seen.check(&convex_distance(&a, &b, offset), gap, 8.0 * UNIT_ROUNDOFF * size, size);
        }
        seen.say(&format!("parallel faces {gap} apart"));
        assert!(seen.most <= 8);
    }
}

#[test]
fn a_corner_exactly_above_a_corner_is_as_far_as_it_is() {
    // The nearest points are corners, and the direction between them lies on the rim of both normal cones:
    // where a direction from rounded points is off most. Once these stopped with a lower bound short by a
    // thousandth of the gap.
    let mut random = Random(4);
    for gap in GAPS {
        let mut seen = Seen::default();
        for i in 0..2000 {
            let (a, b) = (random.cuboid(10.0), random.cuboid(10.0));
            let normal = match i % 3 {
                0 => a.axes().x_axis,
                1 => a.axes().x_axis.cross(b.axes().y_axis).normalize(),
                _ => random.direction(),
            };
            let offset = a.support_point(normal) + normal * gap - b.support_point(-normal);
            let size = size(&a, &b, offset);
            seen.check(&convex_distance(&a, &b, offset), gap, 16.0 * UNIT_ROUNDOFF * size, size);
        }
        seen.say(&format!("corners {gap} apart"));
        assert!(seen.most <= 24);
    }
}

#[test]
fn curved_shapes_that_all_but_touch_keep_their_gap() {
    let mut random = Random(5);
    for ratio in [2.0, 30.0] {
        for gap in GAPS {
            let mut seen = Seen::default();
            for i in 0..600 {
                let a = random.ellipsoid(ratio);
                let normal = a.normal_at(a.support_point(random.vector())).unwrap();
                let b: Mover = match i % 4 {
                    0 => Mover::Point,
                    1 => random.ellipsoid(ratio).into(),
                    2 => random.cuboid(5.0).into(),
                    _ => Capsule::new(random.factor(3.0), 2.0)
                        .unwrap()
                        .with_rotation(random.rotation())
                        .unwrap()
                        .into(),
                };
                let offset = a.support_point(normal) + normal * gap - b.support_point(-normal);
                let size = size(&a, &b, offset);
                let found = convex_distance(&a, &b, offset);
                seen.check(&found, gap, 16.0 * UNIT_ROUNDOFF * size, size);
                if let Mover::Point = b {
                    let exact = a.signed_distance(offset);
                    assert!(
                        found.lower <= exact + 128.0 * UNIT_ROUNDOFF * size
                            && exact <= found.upper + 128.0 * UNIT_ROUNDOFF * size
                    );
                }
            }
            seen.say(&format!("curved (radii within {ratio}) {gap} apart"));
            assert!(seen.most <= 128);
        }
    }
}

#[test]
fn what_overlaps_has_no_distance_and_a_point_in_common() {
    let mut random = Random(6);
    for depth in [1e-9, 1e-6, 1e-3, 0.1] {
        let mut seen = Seen::default();
        for i in 0..1000 {
            let a: Mover = if i % 2 == 0 { random.ellipsoid(3.0).into() } else { random.cuboid(3.0).into() };
            let b: Mover = if i % 3 == 0 { random.ellipsoid(3.0).into() } else { random.cuboid(3.0).into() };
            let normal = random.direction();
            let offset = a.support_point(normal) - normal * depth - b.support_point(-normal);
            let found = convex_distance(&a, &b, offset);
            let size = size(&a, &b, offset);
            seen.check(&found, 0.0, 0.0, size);
            assert_eq!((found.distance, found.point), (0.0, found.other_point));
            assert!(a.signed_distance(found.point) <= 128.0 * UNIT_ROUNDOFF * size);
            assert!(b.signed_distance(found.point - offset) <= 128.0 * UNIT_ROUNDOFF * size);
        }
        seen.say(&format!("{depth} deep"));
    }
}

#[test]
fn far_apart_the_direction_is_soon_known() {
    let mut random = Random(7);
    for far in [1e2, 1e4, 1e8, 1e12] {
        let mut seen = Seen::default();
        for _ in 0..1000 {
            let (a, b) = (random.ellipsoid(10.0), random.cuboid(10.0));
            let offset = random.direction() * far;
            let found = convex_distance(&a, &b, offset);
            let size = size(&a, &b, offset);
            seen.check(&found, found.distance, 0.0, size);
            // No sample of either is nearer than the lower bound.
            for _ in 0..8 {
                let (p, q) = (a.support_point(random.vector()), b.support_point(random.vector()) + offset);
                assert!(sqrt((p - q).length_squared()) >= found.lower);
            }
        }
        seen.say(&format!("{far} apart"));
    }
}

#[test]
fn a_looser_tolerance_takes_fewer_steps_and_still_holds() {
    let mut random = Random(8);
    let (mut loose, mut tight) = (0, 0);
    for _ in 0..1000 {
        let (a, b) = (random.ellipsoid(5.0), random.ellipsoid(5.0));
        let normal = random.direction();
        let offset = a.support_point(normal) + normal - b.support_point(-normal);
        let rough = convex_distance_within(&a, &b, offset, 0.01);
        assert!(rough.converged && rough.lower <= 1.0 + 1e-13 && rough.upper >= 1.0 - 1e-13);
        assert!(rough.upper - rough.lower <= 0.01 * rough.upper + 1e-12);
        loose += rough.steps;
        tight += convex_distance(&a, &b, offset).steps;
    }
    println!("{:.1} steps for 1 %, {:.1} for 2⁻⁴⁰", f64::from(loose) / 1e3, f64::from(tight) / 1e3);
    assert!(loose * 2 < tight);
}

#[test]
fn a_tolerance_of_nothing_ends_with_bounds_that_hold() {
    // Rounding allows no more; what was reached is reported.
    let mut random = Random(9);
    for _ in 0..300 {
        let (a, b) = (random.ellipsoid(30.0), random.ellipsoid(30.0));
        let normal = random.direction();
        let offset = a.support_point(normal) + normal * 100.0 - b.support_point(-normal);
        let found = convex_distance_within(&a, &b, offset, 0.0);
        assert!(found.lower <= 100.0 + 1e-11 && found.upper >= 100.0 - 1e-11 && found.steps <= 258);
        assert!(found.upper - found.lower < 1e-9);
    }
}
