//! The cuboid kernels against exact arithmetic: no miss, no phantom, never past contact, near where they
//! stop.

use core::cmp::Ordering;

use crate::dyadic::{Dyadic, Vector};
use crate::scenes::{Random, Scene};
use crate::solids::{self, Slab, Solid, encounter, separation, slabs};
use carom::num::ops::sqrt;
use carom::shape::{ConvexPolygon, Cuboid, Triangle};
use carom::sweep::{Hit, Path, cuboid_cuboid, cuboid_plane, cuboid_polygon, cuboid_triangle};
use glam::{DQuat, DVec3};

const U: f64 = f64::EPSILON / 2.0;
/// The promise of the kernels: gaps of 3δ, of 7δ where rounding cannot separate two axes.
const NEAR: f64 = 7.0;
/// κ of the kernels, twice: what they call slow may be this fast.
const SLOW: f64 = 128.0 * U;

/// How often each answer came, and the worst of it.
#[derive(Debug, Default)]
struct Tally {
    hits: u32,
    touching: u32,
    overlaps: u32,
    free: u32,
    free_inside: u32,
    grazing: u32,
    /// In δ.
    worst_gap: f64,
    /// Of the point from either shape, in δ.
    worst_point: f64,
    /// Of a free path, in δ + κ·translation.
    worst_depth: f64,
}

struct Case<'a> {
    scene: &'a Scene,
    slabs: Vec<Slab>,
    other: Solid,
    delta: f64,
}

fn sum(v: DVec3) -> f64 {
    v.abs().element_sum()
}

impl<'a> Case<'a> {
    fn new(scene: &'a Scene, other: Solid, farthest: f64) -> Self {
        let path = &scene.path;
        let own = farthest * sqrt(3.0) + sum(scene.cuboid.half_extents());
        let delta = 64.0 * U * own + 2.0 * U * sum(path.from());
        Self { slabs: slabs(&scene.cuboid, &other), scene, other, delta }
    }

    /// The gap along a direction of unit length, in meters.
    fn gap_along(&self, direction: DVec3, center: &Vector) -> f64 {
        if self.other.edges.is_empty() && self.slabs.len() == 1 {
            return separation(&self.slabs, center).0;
        }
        let slab = Slab::along(&self.scene.cuboid, &self.other, direction.into());
        slab.gap(center).to_f64() / slab.length
    }

    fn check(&self, hit: Option<Hit>, tally: &mut Tally) {
        let path = &self.scene.path;
        let way_to_hit = path.translation().length() * hit.map_or(0.0, |hit| hit.fraction);
        let delta = self.delta + 64.0 * U * way_to_hit;
        let (from, translation) = (Vector::from(path.from()), Vector::from(path.translation()));
        let way = path.translation().length();
        let exact = encounter(&self.slabs, &from, &translation);
        let (start_gap, start_sign) = separation(&self.slabs, &from);
        let what = || {
            let corners: Vec<_> =
                self.other.corners.iter().map(|v| v.0.each_ref().map(Dyadic::to_f64)).collect();
            let scene = self.scene;
            format!(
                "{scene:?}\nagainst {corners:?}\nkernel: {hit:?}\nδ {delta:e}, gap at the start {start_gap:e}"
            )
        };

        let Some(hit) = hit else {
            tally.free += 1;
            let Some((enter, leave)) = exact else { return };
            let (enter, leave) = (enter.to_f64().max(0.0), leave.to_f64().min(1.0));
            if enter >= leave {
                return;
            }
            if start_gap < -2.0 * delta {
                tally.free_inside += 1;
                let allowed = self.least_depth(&from, 4.0 * delta);
                let stays = allowed.iter().any(|n| n.dot(path.translation()) >= -SLOW * way);
                assert!(stays, "moves deeper and is not stopped: {}", what());
                return;
            }
            tally.grazing += 1;
            for share in [0.25, 0.5, 0.75] {
                let t = enter + (leave - enter) * share;
                let (gap, _) = separation(&self.slabs, &from.plus_times(&translation, &Dyadic::from(t)));
                let depth = -gap / (delta + SLOW * way);
                tally.worst_depth = tally.worst_depth.max(depth);
                assert!(depth <= 3.0, "missed by {depth} of δ + κ·way at {t}: {}", what());
            }
            return;
        };

        assert!((hit.normal.length() - 1.0).abs() < 1e-15, "normal of no unit length: {}", what());
        assert!(hit.normal.dot(path.translation()) < 0.0, "does not approach: {}", what());
        if hit.start_overlap {
            tally.overlaps += 1;
            assert_eq!(hit.fraction, 0.0);
            assert!(start_gap < 0.0, "no overlap: {}", what());
            let depth = -self.gap_along(hit.normal, &from);
            let deepest = -start_gap;
            assert!(depth <= deepest + 4.0 * delta, "least depth {deepest:e}, not {depth:e}: {}", what());
        } else if hit.fraction == 0.0 {
            tally.touching += 1;
            assert!(start_gap.abs() <= NEAR * delta, "does not touch: {}", what());
        } else {
            tally.hits += 1;
            assert!(hit.fraction <= 1.0);
            let center = Vector::from(path.at(hit.fraction));
            let (gap, sign) = separation(&self.slabs, &center);
            assert_ne!(sign, Ordering::Less, "past contact by {:e}: {}", -gap, what());
            tally.worst_gap = tally.worst_gap.max(gap / delta);
            assert!(gap <= NEAR * delta, "phantom: {gap:e} away: {}", what());
            let along = self.gap_along(hit.normal, &center);
            assert!((-delta..=NEAR * delta).contains(&along), "normal's gap {along:e}: {}", what());
            if let Some((enter, _)) = exact {
                assert!(!enter.is_before(&solids::Time::at(hit.fraction)), "late: {}", what());
            }
        }
        if start_sign == Ordering::Less && !hit.start_overlap {
            assert_eq!(hit.fraction, 0.0, "starts inside: {}", what());
        }
        // The point, on the mover where it stops.
        let local = self.scene.cuboid.axes().transpose() * (hit.point - path.at(hit.fraction));
        let outside = (local.abs() - self.scene.cuboid.half_extents()).max_element();
        if !hit.start_overlap {
            tally.worst_point = tally.worst_point.max(outside / delta);
            assert!(outside <= 20.0 * delta, "the point is {outside:e} off the mover: {}", what());
        }
    }

    /// The outward normals, towards the mover, of all axes on which it is at most `slack` deeper than on the
    /// best.
    fn least_depth(&self, center: &Vector, slack: f64) -> Vec<DVec3> {
        let (gap, _) = separation(&self.slabs, center);
        let mut normals = Vec::new();
        for slab in &self.slabs {
            let place = center.dot(&slab.axis);
            let unit = DVec3::from_array(slab.axis.0.each_ref().map(|x| x.to_f64() / slab.length));
            let below = (&place - &slab.below).to_f64() / slab.length;
            let above = (&slab.above - &place).to_f64() / slab.length;
            if below <= -gap + slack {
                normals.push(-unit);
            }
            if above <= -gap + slack {
                normals.push(unit);
            }
        }
        normals
    }
}

/// The distance of a point from a convex outline, for the sizes and shapes of these scenes.
fn distance_from_outline(point: DVec3, corners: &[DVec3]) -> f64 {
    let mut nearest = f64::INFINITY;
    let count = corners.len();
    for k in 0..count {
        let (a, b) = (corners[k], corners[(k + 1) % count]);
        let edge = b - a;
        let along =
            if edge == DVec3::ZERO { 0.0 } else { ((point - a).dot(edge) / edge.dot(edge)).clamp(0.0, 1.0) };
        nearest = nearest.min((a + edge * along - point).length());
    }
    let exact = |v: DVec3| Vector::from(v);
    for k in 2..count {
        let (a, b, c) = (corners[0], corners[k - 1], corners[k]);
        let normal = exact(b).minus(&exact(a)).cross(&exact(c).minus(&exact(a)));
        let beside = |(p, q): (DVec3, DVec3)| {
            let inward = normal.cross(&exact(q).minus(&exact(p)));
            inward.dot(&exact(point).minus(&exact(p))).sign() == Ordering::Less
        };
        if normal.is_zero() || [(a, b), (b, c), (c, a)].into_iter().any(beside) {
            continue;
        }
        let height = normal.dot(&exact(point).minus(&exact(a))).to_f64() / normal.length();
        nearest = nearest.min(height.abs());
    }
    nearest
}

fn farthest(corners: &[DVec3], from: DVec3) -> f64 {
    corners.iter().map(|&corner| (corner - from).length()).fold(0.0, f64::max)
}

#[test]
fn a_triangle_is_met_as_in_exact_arithmetic() {
    let mut random = Random::new(1);
    let mut tally = Tally::default();
    for round in 0..6000 {
        let (scene, corners) = Scene::against_triangle(&mut random, round);
        let [a, b, c] = corners;
        let triangle = Triangle::new(a, b, c).unwrap();
        let hit = cuboid_triangle(&scene.cuboid, &scene.path, &triangle);
        let case = Case::new(&scene, Solid::outline(&corners), farthest(&corners, scene.path.from()));
        case.check(hit, &mut tally);
        if let Some(hit) = hit {
            let off = distance_from_outline(hit.point, &corners);
            assert!(off <= 3.0 * case.delta, "the point is {off:e} off: {scene:?} {corners:?} {hit:?}");
        }
    }
    println!("{tally:#?}");
    assert!(tally.hits > 500 && tally.touching > 100 && tally.overlaps > 100 && tally.free_inside > 50);
    assert!(tally.free > 500 && tally.grazing > 20);
}

#[test]
fn a_polygon_is_met_as_in_exact_arithmetic() {
    let mut random = Random::new(2);
    let mut tally = Tally::default();
    for round in 0..1500 {
        let (scene, corners) = Scene::against_polygon(&mut random, round);
        let polygon = ConvexPolygon::new(corners.clone()).unwrap();
        let hit = cuboid_polygon(&scene.cuboid, &scene.path, &polygon);
        let case = Case::new(&scene, Solid::outline(&corners), farthest(&corners, scene.path.from()));
        case.check(hit, &mut tally);
    }
    println!("{tally:#?}");
    assert!(tally.hits > 100 && tally.touching > 20 && tally.overlaps > 20 && tally.free > 100);
}

#[test]
fn a_cuboid_is_met_as_in_exact_arithmetic() {
    let mut random = Random::new(3);
    let mut tally = Tally::default();
    for round in 0..2500 {
        let (scene, other, center) = Scene::against_cuboid(&mut random, round);
        let hit = cuboid_cuboid(&scene.cuboid, &scene.path, &other, center);
        let far = (center - scene.path.from()).length() + other.half_extents().length();
        let case = Case::new(&scene, Solid::cuboid(&other, center), far);
        case.check(hit, &mut tally);
        if let Some(hit) = hit {
            let local = other.axes().transpose() * (hit.point - center);
            let outside = (local.abs() - other.half_extents()).max_element();
            assert!(outside <= 3.0 * case.delta, "the point is {outside:e} off: {scene:?} {other:?} {hit:?}");
        }
    }
    println!("{tally:#?}");
    assert!(tally.hits > 200 && tally.touching > 20 && tally.overlaps > 50 && tally.free > 200);
}

#[test]
fn a_plane_is_met_as_in_exact_arithmetic() {
    let mut random = Random::new(4);
    let mut tally = Tally::default();
    for round in 0..1500 {
        let (scene, plane) = Scene::against_plane(&mut random, round);
        let hit = cuboid_plane(&scene.cuboid, &scene.path, &plane);
        let (cuboid, from) = (&scene.cuboid, scene.path.from());
        // The plane as its numbers say it: its side of the center only, which is all that a plane can stop.
        let base = Slab::along(cuboid, &Solid::point(DVec3::ZERO), plane.normal().into());
        let distance = Dyadic::from(plane.distance());
        let slab = Slab { below: &base.below + &distance, above: &base.above + &distance, ..base };
        let height = plane.normal().dot(from) - plane.distance();
        let delta = 64.0 * U * (height.abs() + sum(cuboid.half_extents()))
            + 8.0 * U * (sum(from) + plane.distance().abs());
        let case = Case { scene: &scene, slabs: vec![slab], other: Solid::point(DVec3::ZERO), delta };
        case.check(hit, &mut tally);
        if let Some(hit) = hit {
            let off = (plane.normal().dot(hit.point) - plane.distance()).abs();
            assert!(off <= 2.0 * delta, "the point is {off:e} off: {scene:?} {plane:?} {hit:?}");
        }
    }
    println!("{tally:#?}");
    assert!(tally.hits > 100 && tally.touching > 20 && tally.overlaps > 20 && tally.free > 100);
}

#[test]
fn the_reference_itself_tells_touching_from_overlapping() {
    let cuboid = Cuboid::new(DVec3::ONE).unwrap().with_rotation(DQuat::IDENTITY).unwrap();
    let floor =
        Solid::outline(&[DVec3::new(-9.0, 0.0, -9.0), DVec3::new(0.0, 0.0, 9.0), DVec3::new(9.0, 0.0, -9.0)]);
    let slabs = slabs(&cuboid, &floor);
    let at = |y: f64| separation(&slabs, &Vector::from(DVec3::new(0.0, y, 0.0))).1;
    assert_eq!(at(1.0), Ordering::Equal);
    assert_eq!(at(1.0 - U), Ordering::Less);
    assert_eq!(at(1.0 + 2.0 * U), Ordering::Greater);
    let (enter, leave) =
        encounter(&slabs, &DVec3::new(0.0, 3.0, 0.0).into(), &DVec3::new(0.0, -8.0, 0.0).into()).unwrap();
    assert_eq!((enter.to_f64(), leave.to_f64()), (0.25, 0.5));
    let path = Path::new(DVec3::Y, DVec3::X).unwrap();
    assert!(encounter(&slabs, &path.from().into(), &path.translation().into()).is_none());
}
