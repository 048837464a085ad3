//! Numbers of any size, and gaps and speeds that are nothing but rounding.

use carom::shape::{ConvexPolygon, Cuboid, Plane};
use carom::sweep::{cuboid_cuboid, cuboid_plane, cuboid_polygon};
use glam::{DQuat, DVec3, dvec3};

use crate::scenes::Random;
use crate::setup::{FLOOR, NEAR, U, cuboid, path, sweep, turned};

#[test]
fn a_translation_of_any_length_reaches_what_it_reaches() {
    // The same contact asked for with ever longer and shorter ways: far below and above what squares can
    // hold.
    let cuboid = cuboid(0.5, 0.5, 0.5);
    for exponent in -300..=300 {
        let length = 10f64.exp_scale(exponent);
        let hit = sweep(&cuboid, &path(dvec3(0.1, 0.5, 0.2), dvec3(0.0, -length, 0.0)), FLOOR);
        let hit = hit.unwrap_or_else(|| panic!("touching and moving deeper by {length:e}"));
        assert_eq!((hit.fraction, hit.normal, hit.start_overlap), (0.0, DVec3::Y, false));
        assert_eq!(sweep(&cuboid, &path(dvec3(0.1, 0.5, 0.2), dvec3(0.0, length, 0.0)), FLOOR), None);
        let hit = sweep(&cuboid, &path(dvec3(0.1, 2.5, 0.2), dvec3(0.0, -length, 0.0)), FLOOR);
        if length < 1.0 {
            assert_eq!(hit, None, "{length:e}");
        } else if length > 2.0 {
            let way = hit.unwrap().fraction * length;
            // From afar, 64u of the translation early.
            assert!(way <= 2.0 && way >= 2.0 - 300.0 * U * (length + 40.0), "{way} of {length:e}");
        }
    }
}

trait ExpScale {
    fn exp_scale(self, exponent: i32) -> f64;
}

impl ExpScale for f64 {
    fn exp_scale(self, exponent: i32) -> f64 {
        let factor = if exponent < 0 { 1.0 / self } else { self };
        (0..exponent.abs()).fold(1.0, |product, _| product * factor)
    }
}

#[test]
fn any_finite_numbers_give_a_sound_answer() {
    let mut random = Random::new(22);
    let mut answers = 0;
    for _ in 0..20_000 {
        let spread = [0, 10, 300, 1000][random.below(4)];
        let mut number = || random.signed() * random.power(-spread, spread);
        let mut vector = || dvec3(number(), number(), number());
        let corners = [vector(), vector(), vector()];
        let (from, way, half, center, normal) = (vector(), vector(), vector().abs(), vector(), vector());
        let positive = |v: DVec3| v.max(DVec3::splat(f64::from_bits(1)));
        let cuboid = turned(Cuboid::new(positive(half)).unwrap(), random.rotation());
        let other = turned(Cuboid::new(positive(center.abs())).unwrap(), random.rotation());
        let way = path(from, way);
        let hits = [
            sweep(&cuboid, &way, corners),
            cuboid_cuboid(&cuboid, &way, &other, center),
            Plane::new(center, normal).ok().and_then(|plane| {
                let sound = plane.distance().is_finite() && plane.normal().is_finite();
                sound.then(|| cuboid_plane(&cuboid, &way, &plane)).flatten()
            }),
        ];
        for hit in hits.into_iter().flatten() {
            answers += 1;
            assert!((0.0..=1.0).contains(&hit.fraction), "{hit:?}");
            assert!((hit.normal.length() - 1.0).abs() < 1e-14, "{hit:?}");
        }
    }
    assert!(answers > 2000);
}

/// Shapes so much larger than the mover that its own unit of length does not hold them.
#[test]
fn what_is_larger_than_a_mover_by_any_factor_is_met_where_it_is() {
    let mut random = Random::new(23);
    for _ in 0..2000 {
        let size = random.power(-80, -50);
        let large = random.power(60, 90);
        let cuboid = turned(cuboid(size, 2.0 * size, size), random.rotation());
        let height = large * (0.25 + 0.25 * random.signed().abs());
        let way = path(DVec3::ZERO, dvec3(0.0, -large, 0.0));
        let corners = FLOOR.map(|corner| (corner - DVec3::Y * height / large) * large);
        let block = turned(Cuboid::new(DVec3::splat(large)).unwrap(), DQuat::IDENTITY);
        for hit in [
            sweep(&cuboid, &way, corners),
            cuboid_polygon(&cuboid, &way, &ConvexPolygon::new(corners.to_vec()).unwrap()),
            cuboid_cuboid(&cuboid, &way, &block, dvec3(0.0, -height - large, 0.0)),
        ] {
            let hit = hit.unwrap();
            let early = height / large - hit.fraction;
            assert!((0.0..64.0 * NEAR).contains(&early) && hit.normal == DVec3::Y, "{early:e} {hit:?}");
        }
    }
}

/// Once the winner was compared with the winner before it only: an axis with a gap of a few roundings and
/// hardly any speed tied with all times, let the floor at .4 take over, and hid the wall at .45. The box
/// stopped in mid-air.
#[test]
fn an_axis_on_which_nothing_moves_does_not_hide_a_later_one() {
    let cube = cuboid(0.5, 0.5, 0.5);
    for gap in 1..60 {
        let gap = f64::from(gap) * 4e-15;
        let wedge = [dvec3(0.5 + gap, 0.0, -0.95), dvec3(3.1, 0.0, -5.0), dvec3(3.0, 0.0, -2.9)];
        for slow in 1..40 {
            let slow = f64::from(slow) * 1e-14;
            let Some(hit) = sweep(&cube, &path(dvec3(0.0, 0.9, 0.0), dvec3(slow, -1.0, -1.0)), wedge) else {
                continue;
            };
            assert!(hit.fraction >= 0.45 - NEAR, "{gap:e} {slow:e} {hit:?}");
        }
    }
}
