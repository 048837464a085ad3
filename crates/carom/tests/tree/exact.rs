//! No walk skips what touches in exact arithmetic.

use carom::shape::Aabb;
use carom::sweep::Path;
use carom::tree::{SweptBox, Volume};
use dashu_ratio::RBig;
use glam::{DVec3, dvec3};

use crate::scenes::{Random, power};

fn exact(x: f64) -> RBig {
    RBig::try_from(x).unwrap()
}

/// A moving box, exactly: its corners may be no floating-point numbers.
pub(crate) struct Moving {
    lower: [RBig; 3],
    upper: [RBig; 3],
    translation: DVec3,
}

impl Moving {
    pub(crate) fn new(path: &Path, half: DVec3) -> Self {
        let corner = |sign: f64| {
            let axis = |axis: usize| exact(path.from()[axis]) + exact(sign) * exact(half[axis]);
            [axis(0), axis(1), axis(2)]
        };
        Self { lower: corner(-1.0), upper: corner(1.0), translation: path.translation() }
    }

    /// The first fraction of the way at which the boxes touch, if they do, and the last; from 0 to 1.
    pub(crate) fn touch(&self, resting: &Aabb) -> Option<(RBig, RBig)> {
        let (mut first, mut last) = (RBig::ZERO, RBig::ONE);
        for axis in 0..3 {
            let a = exact(resting.min()[axis]) - &self.upper[axis];
            let b = exact(resting.max()[axis]) - &self.lower[axis];
            let d = exact(self.translation[axis]);
            if d == RBig::ZERO {
                if a > RBig::ZERO || b < RBig::ZERO {
                    return None;
                }
                continue;
            }
            let (a, b) = (a / &d, b / &d);
            let (near, far) = if d > RBig::ZERO { (a, b) } else { (b, a) };
            first = first.max(near);
            last = last.min(far);
        }
        (first <= last).then_some((first, last))
    }
}

/// Whether they touch; the test proper.
fn check(path: &Path, half: DVec3, resting: &Aabb) -> bool {
    let touch = Moving::new(path, half).touch(resting);
    let swept = SweptBox::new(path, half).unwrap();
    let entry = resting.entry(&swept);
    assert!(entry >= 0.0);
    if let Some((first, _)) = &touch {
        assert!(entry <= 1.0, "{path:?} {half:?} touches {resting:?} at {first}");
        assert!(exact(entry) <= *first, "{path:?} {half:?} touches {resting:?} before {entry}");
    }
    touch.is_some()
}

/// Two boxes that touch in one point at one moment: as one comes to an end on one axis it begins on another.
pub(crate) fn grazing(random: &mut Random) -> (Path, DVec3, Aabb) {
    let unit = 1.0 / 256.0;
    let mut whole = |most: i64| random.whole(most) as f64 * unit;
    let from = dvec3(whole(1 << 18), whole(1 << 18), whole(1 << 18));
    let half = dvec3(whole(900).abs(), whole(900).abs(), whole(900).abs());
    let translation = dvec3(whole(1 << 16), whole(1 << 16), whole(1 << 10));
    let fraction = (whole(64) / unit).abs() / 64.0;
    let (mut min, mut max) = (DVec3::ZERO, DVec3::ZERO);
    for axis in 0..3 {
        let d = translation[axis];
        let size = whole(3000).abs();
        // Ahead of it on the first axis, behind it on the second, either on the third.
        let ahead = if axis == 2 { size < 4.0 } else { axis == 0 };
        if ahead == (d > 0.0) {
            min[axis] = from[axis] + half[axis] + fraction * d;
            max[axis] = min[axis] + size;
        } else {
            max[axis] = from[axis] - half[axis] + fraction * d;
            min[axis] = max[axis] - size;
        }
    }
    (Path::new(from, translation).unwrap(), half, Aabb::new(min, max).unwrap())
}

#[test]
fn boxes_that_graze_are_met_in_time() {
    let mut random = Random::new(0x64A2E);
    for round in 0..4000 {
        let (path, half, resting) = grazing(&mut random);
        assert!(check(&path, half, &resting), "made to touch");
        // The same a power of two larger or smaller, down to where reciprocals are subnormal or infinite.
        let exponent = [-1030, -1015, -1000, -500, -149, 128, 500, 980, 1005][round % 9];
        let scale = f64::from_bits(((1023 + exponent.max(-1022)) as u64) << 52)
            * if exponent < -1022 { power(0.5, (-1022 - exponent) as u32) } else { 1.0 };
        let Ok(path) = Path::new(path.from() * scale, path.translation() * scale) else { continue };
        let Ok(resting) = Aabb::new(resting.min() * scale, resting.max() * scale) else { continue };
        check(&path, half * scale, &resting);
    }
}

/// Numbers of full length, placed to graze: rounding decides, one way or the other, whether they touch.
#[test]
fn boxes_that_graze_but_for_rounding_are_met_in_time() {
    let mut random = Random::new(0x62AF);
    let mut touched = 0;
    let rounds = 4000;
    for _ in 0..rounds {
        let (from, half) = (random.vector(-1e3, 1e3), random.vector(0.0, 3.0));
        let mut translation = random.vector(-200.0, 200.0);
        // Now and then as good as at rest on an axis.
        match random.bits() % 8 {
            0 => translation.x *= 1e-17,
            1 => translation.y *= 1e-300,
            2 => translation.z = 0.0,
            _ => {}
        }
        let fraction = random.unit();
        let (mut min, mut max) = (DVec3::ZERO, DVec3::ZERO);
        for axis in 0..3 {
            let size = random.between(0.0, 9.0);
            if random.coin() == (translation[axis] > 0.0) {
                min[axis] = from[axis] + half[axis] + fraction * translation[axis];
                max[axis] = min[axis] + size;
            } else {
                max[axis] = from[axis] - half[axis] + fraction * translation[axis];
                min[axis] = max[axis] - size;
            }
        }
        let path = Path::new(from, translation).unwrap();
        touched += u32::from(check(&path, half, &Aabb::new(min, max).unwrap()));
    }
    assert!(touched > rounds / 10 && touched < rounds * 9 / 10, "{touched} of {rounds}");
}

#[test]
fn numbers_of_every_size_are_met_in_time() {
    let mut random = Random::new(0xA11);
    let mut touched = 0;
    for _ in 0..20_000 {
        let mut number = || {
            let special =
                [0.0, 5e-324, 1e-310, f64::MIN_POSITIVE, 1.0, 3.0, 1e-200, 1e200, f64::MAX / 2.0, f64::MAX];
            let size = special[random.bits() as usize % special.len()];
            if random.coin() { size } else { -size }
        };
        let mut vector = || dvec3(number(), number(), number());
        let path = Path::new(vector(), vector()).unwrap();
        let (half, a, b) = (vector().abs(), vector(), vector());
        touched += u32::from(check(&path, half, &Aabb::new(a.min(b), a.max(b)).unwrap()));
    }
    assert!(touched > 2000, "{touched}");
}

/// The other side: what passes at a distance is skipped, and what is hit is not met much too early.
#[test]
fn what_is_clearly_missed_is_skipped() {
    let mut random = Random::new(0x0FF);
    let slack = exact(1.0 / (1u64 << 30) as f64);
    let (mut met, mut missed) = (0, 0);
    for _ in 0..4000 {
        let path = Path::new(random.vector(-10.0, 10.0), random.vector(-20.0, 20.0)).unwrap();
        let (half, center, size) =
            (random.vector(0.0, 3.0), random.vector(-10.0, 10.0), random.vector(0.0, 5.0));
        let resting = Aabb::new(center - size, center + size).unwrap();
        let entry = resting.entry(&SweptBox::new(&path, half).unwrap());
        match Moving::new(&path, half).touch(&resting) {
            Some((first, _)) => {
                assert!(exact(entry) >= first - &slack);
                met += 1;
            }
            None => {
                // Larger by a billionth it still does not touch.
                if Moving::new(&path, half + 1e-9).touch(&resting).is_none() {
                    assert!(entry > 1.0, "{path:?} {half:?} does not touch {resting:?} at {entry}");
                    missed += 1;
                }
            }
        }
    }
    assert!(met > 300 && missed > 1000, "{met} {missed}");
}

/// The squared distance of a point to a box is never above the exact one.
#[test]
fn distances_are_never_too_long() {
    let mut random = Random::new(0xD15);
    for _ in 0..20_000 {
        let scale = [1.0, 1.0, 1.0, 1e-170, 1e-161, 1e-154, 1e100, 1e153][random.bits() as usize % 8];
        let (point, a, b) = (
            random.vector(-9.0, 9.0) * scale,
            random.vector(-9.0, 9.0) * scale,
            random.vector(-9.0, 9.0) * scale,
        );
        let aabb = Aabb::new(a.min(b), a.max(b)).unwrap();
        let squared = (0..3)
            .map(|axis| {
                let below = exact(aabb.min()[axis]) - exact(point[axis]);
                let above = exact(point[axis]) - exact(aabb.max()[axis]);
                let gap = below.max(above).max(RBig::ZERO);
                &gap * &gap
            })
            .fold(RBig::ZERO, |sum, square| sum + square);
        let bound = aabb.distance_squared(point);
        assert!(exact(bound) <= squared, "{aabb:?} {point:?}");
        if scale == 1.0 {
            assert!(exact(bound) * exact(1.0 + 1e-14) >= squared, "{aabb:?} {point:?}");
        }
    }
}
