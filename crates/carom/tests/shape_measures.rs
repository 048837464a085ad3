//! Volumes, areas and nearest points of shapes beside points that are counted, and sweeps against planes
//! beside their closed form.
#![expect(clippy::unwrap_used, reason = "a test")]

mod dice;

use carom::num::ops::{rotation_about, sqrt};
use carom::shape::{Aabb, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Mover, Plane, Sphere};
use carom::sweep::{Feature, Path, ellipsoid_plane, point_cuboid, point_plane, sphere_plane};
use dice::Dice;
use glam::{DQuat, DVec3, dvec3};

fn size(dice: &mut Dice) -> f64 {
    dice.between(0.1, 2.1)
}

fn sizes(dice: &mut Dice) -> DVec3 {
    dvec3(size(dice), size(dice), size(dice))
}

fn rotation(dice: &mut Dice) -> DQuat {
    rotation_about(dice.point(1.0), 6.0 * dice.unit())
}

/// A solid by its queries.
struct Solid {
    name: &'static str,
    volume: f64,
    bounds: Aabb,
    contains: Box<dyn Fn(DVec3) -> bool>,
    closest_point: Box<dyn Fn(DVec3) -> DVec3>,
    closest_surface_point: Box<dyn Fn(DVec3) -> DVec3>,
    support_point: Box<dyn Fn(DVec3) -> DVec3>,
}

macro_rules! solid {
    ($shape:expr) => {{
        let shape = $shape;
        Solid {
            name: stringify!($shape),
            volume: shape.volume(),
            bounds: shape.bounds(),
            contains: Box::new(move |p| shape.contains(p)),
            closest_point: Box::new(move |p| shape.closest_point(p)),
            closest_surface_point: Box::new(move |p| shape.closest_surface_point(p)),
            support_point: Box::new(move |direction| shape.support_point(direction)),
        }
    }};
}

fn solids(dice: &mut Dice) -> Vec<Solid> {
    let (q, mut size) = (rotation(dice), || size(dice));
    vec![
        solid!(Sphere::new(size()).unwrap()),
        solid!(Capsule::new(size(), size()).unwrap().with_rotation(q).unwrap()),
        solid!(Ellipsoid::new(dvec3(size(), size(), size())).unwrap().with_rotation(q).unwrap()),
        solid!(Cuboid::new(dvec3(size(), size(), size())).unwrap().with_rotation(q).unwrap()),
        solid!(Cylinder::new(size(), size()).unwrap().with_rotation(q).unwrap()),
        solid!(Cone::new(size(), size()).unwrap().with_rotation(q).unwrap()),
    ]
}

/// A point of a box.
fn point_in(dice: &mut Dice, bounds: &Aabb) -> DVec3 {
    bounds.center() + bounds.half_extents() * dice.point(1.0)
}

#[test]
fn volumes_are_the_share_of_points_that_are_inside() {
    const POINTS: usize = 20_000;
    let mut dice = Dice(5);
    for _ in 0..4 {
        for solid in solids(&mut dice) {
            let inside = (0..POINTS).filter(|_| (solid.contains)(point_in(&mut dice, &solid.bounds))).count();
            let share = inside as f64 / POINTS as f64;
            let deviation = sqrt(share * (1.0 - share) / POINTS as f64);
            let expected = solid.volume / solid.bounds.volume();
            assert!((share - expected).abs() <= 5.0 * deviation, "{}: {share}, {expected}", solid.name);
        }
    }
}

/// The area is the rate at which the volume grows when every side moves out.
#[test]
fn areas_are_the_growth_of_volumes() {
    let mut dice = Dice(6);
    for _ in 0..100 {
        let (r, h, sizes) = (size(&mut dice), size(&mut dice), sizes(&mut dice));
        let sphere = |by: f64| Sphere::new(r + by).unwrap();
        let capsule = |by: f64| Capsule::new(r + by, h).unwrap();
        let cuboid = |by: f64| Cuboid::new(sizes + DVec3::splat(by)).unwrap();
        let aabb = |by: f64| Aabb::new(-sizes - DVec3::splat(by), sizes + DVec3::splat(by)).unwrap();
        let step = 1e-3;
        let growth = |volume: &dyn Fn(f64) -> f64| (volume(step) - volume(-step)) / (2.0 * step);
        for (area, growth) in [
            (sphere(0.0).surface_area(), growth(&|by| sphere(by).volume())),
            (capsule(0.0).surface_area(), growth(&|by| capsule(by).volume())),
            (cuboid(0.0).surface_area(), growth(&|by| cuboid(by).volume())),
            (aabb(0.0).surface_area(), growth(&|by| aabb(by).volume())),
        ] {
            // The volumes are cubic: the third derivative is at most 48.
            assert!((area - growth).abs() <= 8.0 * step * step + 1e-9 * area, "{area}, {growth}");
        }
    }
}

#[test]
fn no_point_inside_is_nearer_or_farther_than_the_shape_says() {
    let mut dice = Dice(7);
    for _ in 0..20 {
        for solid in solids(&mut dice) {
            let inside: Vec<DVec3> = (0..400)
                .map(|_| point_in(&mut dice, &solid.bounds))
                .filter(|p| (solid.contains)(*p))
                .collect();
            for _ in 0..20 {
                let (from, direction) = (dice.point(4.0), dice.point(1.0));
                let nearest = (solid.closest_point)(from);
                let on_surface = (solid.closest_surface_point)(from);
                let farthest = (solid.support_point)(direction).dot(direction);
                let rounding = 1e-12 * (1.0 + farthest.abs() + from.length());
                assert_eq!((solid.contains)(from), nearest == from, "{}", solid.name);
                if nearest != from {
                    assert!(nearest.distance(on_surface) <= rounding, "{}", solid.name);
                }
                // A little outward from the surface nothing is inside.
                let out = (on_surface - from) * if nearest == from { 1.0 } else { -1.0 };
                let out = on_surface + out.normalize_or_zero() * 1e-9;
                assert!(!(solid.contains)(out), "{}", solid.name);
                for p in &inside {
                    assert!(p.distance(from) >= nearest.distance(from) - rounding, "{}", solid.name);
                    assert!(p.dot(direction) <= farthest + rounding, "{}", solid.name);
                }
            }
        }
    }
}

#[test]
fn planes_are_met_where_the_lowest_point_is() {
    let mut dice = Dice(8);
    let mut hits = 0;
    for _ in 0..20_000 {
        let plane = Plane::new(dice.point(1.0), dice.point(1.0)).unwrap();
        let radii = sizes(&mut dice) * 0.2;
        let ellipsoid = Ellipsoid::new(radii).unwrap().with_rotation(rotation(&mut dice)).unwrap();
        let sphere = Sphere::new(radii.x).unwrap();
        let path = Path::new(dice.point(3.0), dice.point(3.0)).unwrap();
        let reach = |mover: &Mover| mover.support_point(-plane.normal()).dot(-plane.normal());
        let found = [
            (0.0, point_plane(&path, &plane)),
            (reach(&sphere.into()), sphere_plane(&sphere, &path, &plane)),
            (reach(&ellipsoid.into()), ellipsoid_plane(&ellipsoid, &path, &plane)),
        ];
        for (reach, hit) in found {
            // A plane has two sides: that of the center counts.
            let plane = if plane.signed_distance(path.from()) < 0.0 { plane.flipped() } else { plane };
            let height = plane.signed_distance(path.from()) - reach;
            let sinks = -plane.normal().dot(path.translation());
            // Rounding decides about contacts that near the start or the end.
            if height.abs() < 1e-9 || (height - sinks).abs() < 1e-9 {
                continue;
            }
            let expected = (sinks > 0.0 && height < sinks).then_some((height / sinks).max(0.0));
            assert_eq!(hit.is_some(), expected.is_some(), "{plane:?} {path:?} {reach}: {hit:?}");
            if let (Some(hit), Some(fraction)) = (hit, expected) {
                let early = (fraction - hit.fraction) * sinks;
                // At most 8ρ: of an ellipsoid in its own space, where lengths are up to 500 radii.
                assert!((-1e-15..2e-12).contains(&early), "{early}");
                assert!(hit.normal.distance(plane.normal()) < 1e-14 && hit.feature == Feature::Face);
                assert_eq!(hit.start_overlap, height < 0.0);
                assert!(plane.signed_distance(hit.point).abs() < 1e-12);
                hits += 1;
            }
        }
    }
    assert!(hits > 10_000, "{hits}");
}

#[test]
fn a_point_meets_a_cuboid_where_its_line_enters() {
    let mut dice = Dice(9);
    let mut hits = 0;
    for _ in 0..20_000 {
        let half = sizes(&mut dice);
        let cuboid = Cuboid::new(half).unwrap().with_rotation(rotation(&mut dice)).unwrap();
        let (center, path) = (dice.point(1.0), Path::new(dice.point(4.0), dice.point(6.0)).unwrap());
        if cuboid.contains(path.from() - center) {
            continue;
        }
        let found = point_cuboid(&path, &cuboid, center);
        let line = cuboid.ray(path.from() - center, path.translation());
        match (found, line) {
            (Some(hit), Some(fraction)) => {
                let early = (fraction - hit.fraction) * -hit.normal.dot(path.translation());
                assert!((-1e-14..1e-12).contains(&early), "{early}");
                hits += 1;
            }
            (found, line) => {
                assert!(found.is_none() && line.is_none(), "{found:?} {line:?}");
            }
        }
    }
    assert!(hits > 1000, "{hits}");
}
