//! Shapes against exact rational arithmetic: every bound that their documentation states is measured here.
#![expect(clippy::unwrap_used, reason = "a test")]

use carom::num::bound::UNIT_ROUNDOFF;
use carom::num::ops::{rotation_about, sqrt};
use carom::shape::{Aabb, Capsule, ConvexPolygon, Cuboid, Ellipsoid, Segment, Triangle};
use dashu_ratio::RBig;
use glam::{DQuat, DVec3, dvec3};

/// A vector of rationals.
#[derive(Clone, Debug, PartialEq)]
struct Exact([RBig; 3]);

fn r(x: f64) -> RBig {
    RBig::try_from(x).unwrap()
}

fn f(x: &RBig) -> f64 {
    x.to_f64().value()
}

impl From<DVec3> for Exact {
    fn from(v: DVec3) -> Self {
        Self(v.to_array().map(r))
    }
}

impl Exact {
    fn minus(&self, o: &Self) -> Self {
        Self(std::array::from_fn(|i| &self.0[i] - &o.0[i]))
    }
    fn plus(&self, o: &Self) -> Self {
        Self(std::array::from_fn(|i| &self.0[i] + &o.0[i]))
    }
    fn times(&self, t: &RBig) -> Self {
        Self(std::array::from_fn(|i| &self.0[i] * t))
    }
    fn dot(&self, o: &Self) -> RBig {
        &self.0[0] * &o.0[0] + &self.0[1] * &o.0[1] + &self.0[2] * &o.0[2]
    }
    fn cross(&self, o: &Self) -> Self {
        let [a, b] = [&self.0, &o.0];
        Self([&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]])
    }
    fn squared(&self) -> RBig {
        self.dot(self)
    }
    fn is_zero(&self) -> bool {
        self.0.iter().all(RBig::is_zero)
    }
}

/// The exact turn of a quaternion of any length: its matrix over its squared length, as columns.
fn turn(q: DQuat) -> [Exact; 3] {
    let [x, y, z, w] = q.to_array().map(r);
    let squared = &x * &x + &y * &y + &z * &z + &w * &w;
    let two = r(2.0);
    let e = |a: &RBig, b: &RBig, c: &RBig, d: &RBig| &two * (a * b + c * d) / &squared;
    let m = |a: &RBig, b: &RBig, c: &RBig, d: &RBig| &two * (a * b - c * d) / &squared;
    let d = |a: &RBig, b: &RBig| r(1.0) - &two * (a * a + b * b) / &squared;
    [
        Exact([d(&y, &z), e(&x, &y, &w, &z), m(&x, &z, &w, &y)]),
        Exact([m(&x, &y, &w, &z), d(&x, &z), e(&y, &z, &w, &x)]),
        Exact([e(&x, &z, &w, &y), m(&y, &z, &w, &x), d(&x, &y)]),
    ]
}

/// The difference of the roots of two exact squares, without cancellation.
fn root_difference(a: &RBig, b: &RBig) -> f64 {
    let sum = sqrt(f(a)) + sqrt(f(b));
    if sum == 0.0 { 0.0 } else { f(&(a - b)) / sum }
}

/// The squared distance of a point from a segment.
fn to_segment(p: &Exact, a: &Exact, b: &Exact) -> RBig {
    let edge = b.minus(a);
    let squared = edge.squared();
    let along = p.minus(a).dot(&edge);
    if along <= r(0.0) {
        return p.minus(a).squared();
    }
    if along >= squared {
        return p.minus(b).squared();
    }
    p.minus(&a.plus(&edge.times(&(along / squared)))).squared()
}

/// The squared distance of a point from a flat convex outline, its normal any that is not zero.
fn to_outline(p: &Exact, corners: &[Exact]) -> RBig {
    let n = corners.len();
    let mut least = to_segment(p, &corners[n - 1], &corners[0]);
    for i in 1..n {
        least = least.min(to_segment(p, &corners[i - 1], &corners[i]));
    }
    let normal = (2..n).fold(Exact::from(DVec3::ZERO), |sum, i| {
        sum.plus(&corners[i - 1].minus(&corners[0]).cross(&corners[i].minus(&corners[0])))
    });
    if normal.is_zero() {
        return least;
    }
    let inside = (0..n).all(|i| {
        let (a, b) = (&corners[i], &corners[(i + 1) % n]);
        b.minus(a).cross(&p.minus(a)).dot(&normal) >= r(0.0)
    });
    if inside {
        let height = p.minus(&corners[0]).dot(&normal);
        least = least.min(&height * &height / normal.squared());
    }
    least
}

/// The squared distance of two segments.
fn between_segments(a: &Exact, b: &Exact, p: &Exact, q: &Exact) -> RBig {
    let least = [to_segment(a, p, q), to_segment(b, p, q), to_segment(p, a, b), to_segment(q, a, b)]
        .into_iter()
        .min()
        .unwrap();
    let (d1, d2, apart) = (b.minus(a), q.minus(p), p.minus(a));
    let across = d1.cross(&d2);
    let squared = across.squared();
    if squared.is_zero() {
        return least;
    }
    let s = apart.cross(&d2).dot(&across) / &squared;
    let t = apart.cross(&d1).dot(&across) / &squared;
    let unit = r(0.0)..=r(1.0);
    if unit.contains(&s) && unit.contains(&t) {
        let height = apart.dot(&across);
        return least.min(&height * &height / squared);
    }
    least
}

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
    fn rotation(&mut self) -> DQuat {
        let axis = self.vector();
        rotation_about(axis, 3.0 * self.signed())
    }
    /// 10 to the −`digits` … 1.
    fn small(&mut self, digits: u32) -> f64 {
        let tenths = (0..(self.unit() * f64::from(digits)) as u32).fold(1.0, |x, _| x * 0.1);
        tenths * (0.1 + 0.9 * self.unit())
    }
    /// A triangle of any kind: fair, a needle, a cap, without area.
    fn triangle(&mut self) -> [DVec3; 3] {
        let (a, b) = (self.vector(), self.vector());
        match (self.unit() * 5.0) as u32 {
            0 => [a, b, self.vector()],
            1 => [a, b, a + self.vector() * self.small(14)],
            2 => [a, b, a + (b - a) * self.unit() + self.vector() * self.small(16)],
            3 => [a, b, a + (b - a) * (self.unit() * 3.0 - 1.0)],
            _ => [a, b, a],
        }
    }
}

fn reach(corners: &[DVec3]) -> f64 {
    corners.iter().map(|v| v.abs().element_sum()).fold(0.0, f64::max)
}

#[test]
fn nearest_points_of_segments_are_nearest_to_rounding() {
    let mut random = Random(1);
    let mut worst = 0.0f64;
    for i in 0..4000 {
        let a = random.vector();
        let s = Segment::new(a, a + random.vector() * random.small(12)).unwrap();
        let far = if i % 3 == 0 { 1e3 } else { 1.0 };
        let p = s.a() + (s.b() - s.a()) * (random.unit() * 1.5) + random.vector() * (far * random.small(10));
        let exact = to_segment(&p.into(), &s.a().into(), &s.b().into());
        let found = Exact::from(s.closest_point(p).point).minus(&p.into()).squared();
        let size = reach(&[s.a(), s.b()]) + sqrt(f(&exact));
        worst = worst.max(root_difference(&found, &exact).abs() / size);
    }
    println!("segment: {:.2} unit roundoffs", worst / UNIT_ROUNDOFF);
    assert!(worst <= 4.0 * UNIT_ROUNDOFF);
}

#[test]
fn nearest_points_of_two_segments_are_nearest_to_rounding_at_any_angle() {
    let mut random = Random(2);
    let mut worst = 0.0f64;
    for i in 0..4000 {
        let (a, edge) = (random.vector(), random.vector());
        let mut other = if i % 2 == 0 {
            random.vector()
        } else {
            edge * random.signed() + random.vector() * random.small(16)
        };
        if i % 7 == 0 {
            other = edge * random.signed();
        }
        let p = a + edge * random.unit() - other * random.unit() + random.vector() * random.small(16);
        let (first, second) = (Segment::new(a, a + edge).unwrap(), Segment::new(p, p + other).unwrap());
        let exact =
            between_segments(&first.a().into(), &first.b().into(), &second.a().into(), &second.b().into());
        let (on_first, on_second) = first.closest_points(&second);
        let found = Exact::from(on_first.point).minus(&on_second.point.into()).squared();
        let size = reach(&[first.a(), first.b()]) + reach(&[second.a(), second.b()]);
        worst = worst.max(root_difference(&found, &exact).abs() / size);
    }
    println!("segments: {:.2} unit roundoffs", worst / UNIT_ROUNDOFF);
    assert!(worst <= 4.0 * UNIT_ROUNDOFF);
}

#[test]
fn nearest_points_of_triangles_are_nearest_and_on_them_to_rounding_slivers_included() {
    let mut random = Random(3);
    let (mut worst, mut off) = (0.0f64, 0.0f64);
    for i in 0..4000 {
        let corners = random.triangle();
        let triangle = Triangle::new(corners[0], corners[1], corners[2]).unwrap();
        let [u, v] = [random.unit(), random.unit()];
        let on = corners[0] + (corners[1] - corners[0]) * u + (corners[2] - corners[0]) * (v * (1.0 - u));
        let far = if i % 5 == 0 { 100.0 } else { 1.0 };
        let p = on + random.vector() * (far * random.small(16));
        let exact_corners = corners.map(Exact::from);
        let exact = to_outline(&p.into(), &exact_corners);
        let found = triangle.closest_point(p).point;
        let size =
            sqrt(f(&exact)) + triangle.edges().iter().map(Segment::length).fold(0.0, f64::max) + reach(&[p]);
        let distance = Exact::from(found).minus(&p.into()).squared();
        worst = worst.max(root_difference(&distance, &exact).abs() / size);
        off = off.max(sqrt(f(&to_outline(&found.into(), &exact_corners))) / size);
    }
    println!("triangle: {:.2} unit roundoffs, off by {:.2}", worst / UNIT_ROUNDOFF, off / UNIT_ROUNDOFF);
    assert!(worst <= 4.0 * UNIT_ROUNDOFF && off <= 4.0 * UNIT_ROUNDOFF);
}

/// The corners of a polygon in a plane where they are exact: a turn by a Pythagorean triple, scaled by 5.
fn polygon(random: &mut Random) -> ConvexPolygon {
    loop {
        let n = 3 + (random.unit() * 9.0) as usize;
        let mut angles: Vec<f64> = (0..n).map(|_| random.unit() * std::f64::consts::TAU).collect();
        angles.sort_by(f64::total_cmp);
        let corners = angles.into_iter().map(|angle| {
            let (y, x) = carom::num::ops::sin_cos(angle);
            // A grid of 2⁻²⁰ leaves room for the products with 3, 4 and 5.
            let grid = (1u64 << 20) as f64;
            let (x, y) = ((x * grid * 10.0).round() / grid, (y * grid * 10.0).round() / grid);
            dvec3(3.0 * x, 5.0 * y, 4.0 * x)
        });
        if let Ok(polygon) = ConvexPolygon::new(corners.collect()) {
            return polygon;
        }
    }
}

#[test]
fn nearest_points_of_polygons_are_nearest_to_rounding() {
    let mut random = Random(4);
    let mut worst = 0.0f64;
    for _ in 0..1500 {
        let polygon = polygon(&mut random);
        let p = random.vector() * 60.0;
        let corners: Vec<Exact> = polygon.vertices().iter().map(|&v| v.into()).collect();
        let exact = to_outline(&p.into(), &corners);
        let found = Exact::from(polygon.closest_point(p).point).minus(&p.into()).squared();
        worst = worst.max(root_difference(&found, &exact).abs() / (reach(polygon.vertices()) + reach(&[p])));
    }
    println!("polygon: {:.2} unit roundoffs", worst / UNIT_ROUNDOFF);
    assert!(worst <= 4.0 * UNIT_ROUNDOFF);
}

#[test]
fn bounds_cover_the_exactly_turned_shape_and_little_more() {
    let mut random = Random(5);
    let mut slack = 0.0f64;
    for _ in 0..1000 {
        let rotation = random.rotation();
        let size = random.vector().abs() + 0.01;
        let cuboid = Cuboid::new(size).unwrap().with_rotation(rotation).unwrap();
        let ellipsoid = Ellipsoid::new(size).unwrap().with_rotation(rotation).unwrap();
        let capsule = Capsule::new(size.x, size.y).unwrap().with_rotation(rotation).unwrap();
        let columns = turn(cuboid.rotation());
        let abs = |x: &RBig| if *x < r(0.0) { r(0.0) - x } else { x.clone() };
        for axis in 0..3 {
            let parts: [RBig; 3] = std::array::from_fn(|j| abs(&columns[j].0[axis]) * r(size[j]));
            let exact = &parts[0] + &parts[1] + &parts[2];
            let bound = r(cuboid.bounds().max()[axis]);
            assert!(bound >= exact);
            slack = slack.max(f(&(bound - exact)) / size.element_sum());

            let squared = &parts[0] * &parts[0] + &parts[1] * &parts[1] + &parts[2] * &parts[2];
            let bound = r(ellipsoid.bounds().max()[axis]);
            assert!(&bound * &bound >= squared);
            slack = slack.max(root_difference(&(&bound * &bound), &squared) / size.element_sum());

            let exact = &parts[1] + r(size.x);
            let bound = r(capsule.bounds().max()[axis]);
            assert!(bound >= exact);
            slack = slack.max(f(&(bound - exact)) / (size.x + size.y));
        }
    }
    println!("bounds: {:.2} unit roundoffs too large at most", slack / UNIT_ROUNDOFF);
    assert!(slack <= 128.0 * UNIT_ROUNDOFF);
}

#[test]
fn a_translated_box_covers_the_exact_one_by_less_than_an_ulp() {
    let mut random = Random(6);
    for _ in 0..2000 {
        let min = random.vector() * random.small(20);
        let aabb = Aabb::new(min, min + random.vector().abs()).unwrap();
        let offset = random.vector() * random.small(10);
        let moved = aabb.translated(offset);
        for axis in 0..3 {
            let (low, high) = (r(aabb.min()[axis]) + r(offset[axis]), r(aabb.max()[axis]) + r(offset[axis]));
            assert!(r(moved.min()[axis]) <= low && r(moved.min()[axis].next_up()) > low);
            assert!(r(moved.max()[axis]) >= high && r(moved.max()[axis].next_down()) < high);
        }
    }
}

#[test]
fn the_nearest_point_of_an_ellipsoid_is_nearest_to_rounding() {
    // The root by halving in rationals, to 120 bits; the distance from it is exact to far beyond f64.
    let mut random = Random(7);
    let (mut worst, mut off) = (0.0f64, 0.0f64);
    for i in 0..200 {
        let radii = DVec3::from_array([0, 1, 2].map(|_| random.small(3)));
        let mut p = random.vector() * radii * 2.5 * random.unit();
        if i % 4 == 0 {
            p[i / 4 % 3] *= random.small(16);
        }
        let ellipsoid = Ellipsoid::new(radii).unwrap();
        let found = ellipsoid.closest_surface_point(p);

        let (e, y): (Vec<RBig>, Vec<RBig>) = (0..3).map(|i| (r(radii[i]), r(p[i].abs()))).unzip();
        let squares: Vec<RBig> = e.iter().map(|e| e * e).collect();
        let least = squares.iter().min().unwrap().clone();
        // t is Eberly's: the nearest point is e² y / (t + e²).
        let (mut low, mut high) = (r(0.0) - &least, r(0.0));
        let outside = |t: &RBig| {
            let sum = (0..3).fold(r(0.0), |sum, i| {
                let ratio = &e[i] * &y[i] / (t + &squares[i]);
                sum + &ratio * &ratio
            });
            sum > r(1.0)
        };
        high += r(4.0 * radii.max_element() * (radii.max_element() + p.length()));
        for _ in 0..120 {
            let middle = (&low + &high) * r(0.5);
            if outside(&middle) { low = middle } else { high = middle }
        }
        let exact = (0..3).fold(r(0.0), |sum, i| {
            let gap = &y[i] - &squares[i] * &y[i] / (&high + &squares[i]);
            sum + &gap * &gap
        });
        let distance = Exact::from(found).minus(&p.into()).squared();
        let size = radii.max_element().max(p.length());
        worst = worst.max(root_difference(&distance, &exact).abs() / size);
        let on = (0..3).fold(r(0.0), |sum, i| sum + r(found[i]) * r(found[i]) / &squares[i]);
        off = off.max(f(&(on - r(1.0))).abs());
    }
    println!(
        "ellipsoid: {:.2} unit roundoffs, off the surface by {:.2}",
        worst / UNIT_ROUNDOFF,
        off / UNIT_ROUNDOFF
    );
    assert!(worst <= 16.0 * UNIT_ROUNDOFF && off <= 16.0 * UNIT_ROUNDOFF);
}

/// The widest exact gap between two point sets along some axes, per length of the axis; negative if they
/// overlap on all.
fn widest_gap(first: &[Exact], second: &[Exact], axes: &[Exact]) -> f64 {
    let mut widest = f64::NEG_INFINITY;
    for axis in axes.iter().filter(|axis| !axis.is_zero()) {
        let project = |points: &[Exact]| {
            let along: Vec<RBig> = points.iter().map(|p| p.dot(axis)).collect();
            (along.iter().min().unwrap().clone(), along.iter().max().unwrap().clone())
        };
        let ((low, high), (other_low, other_high)) = (project(first), project(second));
        let gap = (&other_low - &high).max(&low - &other_high);
        widest = widest.max(f(&gap) / sqrt(f(&axis.squared())));
    }
    widest
}

fn box_corners(half: DVec3, columns: &[Exact; 3], center: &Exact) -> Vec<Exact> {
    (0..8)
        .map(|i| {
            (0..3).fold(center.clone(), |sum, axis| {
                let side = if i >> axis & 1 == 1 { half[axis] } else { -half[axis] };
                sum.plus(&columns[axis].times(&r(side)))
            })
        })
        .collect()
}

fn crossed(first: &[Exact], second: &[Exact]) -> Vec<Exact> {
    first.iter().flat_map(|a| second.iter().map(|b| a.cross(b))).collect()
}

#[test]
fn two_cuboids_are_apart_only_if_they_exactly_are_and_touch_only_if_nearly() {
    let mut random = Random(8);
    let (mut apart, mut false_touch) = (0, 0.0f64);
    for i in 0..300 {
        let a = Cuboid::new(random.vector().abs() + 0.1).unwrap().with_rotation(random.rotation()).unwrap();
        let b = Cuboid::new(random.vector().abs() + 0.1).unwrap();
        let b = b.with_rotation(if i % 5 == 0 { a.rotation() } else { random.rotation() }).unwrap();
        // Near to touching along a random direction, by the support points.
        let direction = if i % 3 == 0 { a.axes().x_axis } else { random.vector() };
        let nudge = direction * (random.signed() * random.small(16));
        let offset = a.support_point(direction) - b.support_point(-direction) + nudge;
        let (columns, others) = (turn(a.rotation()), turn(b.rotation()));
        let mut axes: Vec<Exact> = columns.iter().chain(&others).cloned().collect();
        axes.extend(crossed(&columns, &others));
        let first = box_corners(a.half_extents(), &columns, &DVec3::ZERO.into());
        let second = box_corners(b.half_extents(), &others, &offset.into());
        let gap = widest_gap(&first, &second, &axes);
        if a.overlaps_cuboid(&b, offset) {
            let size = reach(&[offset]) + reach(&[a.half_extents()]) + reach(&[b.half_extents()]);
            false_touch = false_touch.max(gap / size);
        } else {
            apart += 1;
            assert!(gap > 0.0, "{a:?} {b:?} {offset}");
        }
    }
    println!(
        "cuboids: {apart} apart; a gap of {:.1} unit roundoffs still touches",
        false_touch / UNIT_ROUNDOFF
    );
    assert!(apart > 80 && false_touch <= 512.0 * UNIT_ROUNDOFF);
}

#[test]
fn a_box_and_a_triangle_are_apart_only_if_they_exactly_are_and_touch_only_if_nearly() {
    let mut random = Random(9);
    let (mut apart, mut false_touch) = (0, 0.0f64);
    let unit = [DVec3::X, DVec3::Y, DVec3::Z].map(Exact::from);
    for i in 0..1500 {
        let half = random.vector().abs() + 0.1;
        let corners = random.triangle().map(|v| v * 2.0);
        // Push the triangle out along a random direction until it nearly touches.
        let triangle = Triangle::new(corners[0], corners[1], corners[2]).unwrap();
        let direction = match i % 3 {
            0 => DVec3::AXES[i % 9 / 3],
            1 => triangle.normal().unwrap_or(DVec3::ONE),
            _ => random.vector(),
        };
        let cuboid = Cuboid::new(half).unwrap();
        let center = triangle.support_point(direction) - cuboid.support_point(-direction);
        let center = center + direction * (random.signed() * random.small(16));
        let aabb = Aabb::new(center - half, center + half).unwrap();
        let exact_corners = corners.map(Exact::from);
        let edges: [Exact; 3] = std::array::from_fn(|i| exact_corners[(i + 1) % 3].minus(&exact_corners[i]));
        let mut axes = unit.to_vec();
        axes.push(edges[0].cross(&edges[1]));
        axes.extend(crossed(&unit, &edges));
        let gap = widest_gap(&aabb.corners().map(Exact::from), &exact_corners, &axes);
        let size = reach(&corners) + reach(&[center]) + reach(&[half]);
        if aabb.overlaps_triangle(&triangle) {
            false_touch = false_touch.max(gap / size);
        } else {
            apart += 1;
            assert!(gap > 0.0, "{aabb:?} {triangle:?}");
        }
    }
    println!(
        "box and triangle: {apart} apart; a gap of {:.1} unit roundoffs still touches",
        false_touch / UNIT_ROUNDOFF
    );
    assert!(apart > 100 && false_touch <= 32.0 * UNIT_ROUNDOFF);
}

#[test]
fn a_turned_cuboid_and_a_polygon_are_apart_only_if_they_exactly_are() {
    let mut random = Random(10);
    let mut apart = 0;
    for _ in 0..200 {
        let cuboid = Cuboid::new(random.vector().abs() * 20.0 + 1.0)
            .unwrap()
            .with_rotation(random.rotation())
            .unwrap();
        let polygon = polygon(&mut random);
        let direction = random.vector();
        let nudge = direction * (random.signed() * random.small(14));
        let offset = cuboid.support_point(direction) - polygon.support_point(-direction) + nudge;
        let columns = turn(cuboid.rotation());
        let corners: Vec<Exact> =
            polygon.vertices().iter().map(|&v| Exact::from(v).plus(&offset.into())).collect();
        let edges: Vec<Exact> =
            (0..corners.len()).map(|i| corners[(i + 1) % corners.len()].minus(&corners[i])).collect();
        let mut axes = columns.to_vec();
        axes.push(edges[0].cross(&edges[1]));
        axes.extend(crossed(&columns, &edges));
        let gap =
            widest_gap(&box_corners(cuboid.half_extents(), &columns, &DVec3::ZERO.into()), &corners, &axes);
        if cuboid.overlaps_polygon(&polygon, offset) {
            assert!(gap <= 256.0 * UNIT_ROUNDOFF * (reach(&[offset]) + 200.0), "{gap}");
        } else {
            apart += 1;
            assert!(gap > 0.0);
        }
    }
    assert!(apart > 50);
}

#[test]
fn no_ray_slips_between_two_triangles_that_share_an_edge() {
    let mut random = Random(11);
    for _ in 0..20_000 {
        let (a, b) = (random.vector(), random.vector());
        let (c, d) = (random.vector() + 2.0 * (a - b).any_orthonormal_vector(), random.vector());
        let d = d - 2.0 * (a - b).any_orthonormal_vector();
        let (left, right) = (Triangle::new(a, b, c).unwrap(), Triangle::new(b, a, d).unwrap());
        let through = a + (b - a) * random.unit();
        let translation = random.vector() * 4.0;
        let from = through - translation * 0.5;
        // Seen along the path the two must lie on either side of the edge: a way past a fold may miss both.
        let side = |p: DVec3| (b - a).cross(p - a).dot(translation);
        if side(c) * side(d) < 0.0 && side(c).abs().min(side(d).abs()) > 0.1 {
            assert!(left.ray(from, translation).is_some() || right.ray(from, translation).is_some());
        }
    }
}
