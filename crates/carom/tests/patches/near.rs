//! Sweeps of movers that touch a patch at the start, or nearly do, along it: it stops them only where they
//! touch it, and keeps them from going deeper.

use carom::glam::DVec3;
use carom::shape::{BezierPatch, Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use carom::sweep::{Path, TOLERANCE};

use crate::dice::Dice;
use crate::judge::sweep;

/// A wall that is straight upward, hollow or not, and is not divided evenly; at times it leans, or has the
/// noise of numbers that were printed.
fn wall(dice: &mut Dice) -> BezierPatch {
    let mut profile = || [dice.between(-1.0, 1.0), dice.between(-1.0, 1.0)];
    let [a, b, c] = [profile(), profile(), profile()];
    let heights = [-1.0, dice.between(-0.5, 0.5), 1.0 + dice.between(0.0, 1.0)];
    let lean = DVec3::new(dice.signed(), 0.0, dice.signed()) * [0.0, 0.0, 0.4][dice.one_of(3)];
    let noise = [0.0, 1e-6][dice.one_of(2)];
    let rows = heights
        .map(|y| [a, b, c].map(|[x, z]| DVec3::new(x, y + 0.1 * x, z) + lean * y + dice.vector() * noise));
    BezierPatch::quadratic(rows).unwrap()
}

fn mover(dice: &mut Dice) -> Mover {
    let r = dice.between(0.05, 0.4);
    match dice.one_of(5) {
        0 => Sphere::new(r).unwrap().into(),
        1 => Ellipsoid::new(DVec3::new(r, 2.0 * r, r)).unwrap().into(),
        2 => Cuboid::new(DVec3::new(r, 2.0 * r, 1.5 * r))
            .unwrap()
            .with_rotation(dice.rotation())
            .unwrap()
            .into(),
        3 => Capsule::new(r, r * dice.between(0.2, 2.0))
            .unwrap()
            .with_rotation(dice.rotation())
            .unwrap()
            .into(),
        _ => Capsule::new(r, r * dice.between(0.2, 2.0)).unwrap().into(),
    }
}

#[derive(Default, Debug)]
struct Counts {
    casts: usize,
    hits: usize,
    at_once: usize,
    /// In tolerances of the size.
    deepest: f64,
    /// Stopped elsewhere than at the surface: the search gave up.
    given_up: usize,
}

/// The way of a mover that touches, or nearly: along the surface, a chord to another contact, or into it or
/// off it by an angle of any size.
fn cast(dice: &mut Dice, patch: &BezierPatch, mover: &Mover, counts: &mut Counts) {
    let contact = |at: DVec3| patch.contact(mover, at).unwrap().unwrap();
    let size = patch.size();
    let aim = patch.point(dice.between(0.1, 0.9), dice.between(0.1, 0.9));
    let from = aim + (dice.vector() + DVec3::splat(1e-3)).normalize() * 3.0 * size;
    let to_it = Path::new(from, aim - from).unwrap();
    let Some(hit) = sweep(mover, &to_it, patch).filter(|hit| hit.fraction > 0.0) else { return };
    let off = [0.0, 0.0, 1e-12, 1e-10, 5e-10, 2e-9, 1e-6][dice.one_of(7)] * size;
    let at = to_it.at(hit.fraction) + hit.normal * off;
    let start = contact(at);
    if (start.gap - off).abs() > TOLERANCE * size {
        return;
    }
    let any = dice.vector();
    let along = (any - start.normal * any.dot(start.normal)).normalize();
    let length = [1e-3, 0.06, 0.3][dice.one_of(3)] * size;
    let mut to = at + along * length;
    if dice.one_of(2) == 0 {
        for _ in 0..3 {
            let there = contact(to);
            to -= there.normal * (there.gap - start.gap);
        }
    }
    let angle = [0.0, 1e-15, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3][dice.one_of(7)] * dice.signed();
    let path = Path::new(at, to - at + start.normal * (length * angle)).unwrap();
    let hit = sweep(mover, &path, patch);
    let end = hit.map_or(1.0, |hit| hit.fraction);
    counts.casts += 1;
    counts.hits += usize::from(hit.is_some());
    counts.at_once += usize::from(end == 0.0);
    let rounding = 1e-12;
    let context = || format!("{mover:?} {path:?} {patch:?} off {off:e} angle {angle:e} {hit:?}");
    for part in 0..=32 {
        let gap = contact(path.at(end * f64::from(part) / 32.0)).gap;
        let deep = (start.gap.min(0.0) - gap - rounding) / (TOLERANCE * size);
        counts.deepest = counts.deepest.max(deep);
        assert!(deep <= 4.0, "{deep} tolerances deep: {}", context());
    }
    let far = (contact(path.at(end)).gap - rounding) / (TOLERANCE * size);
    if hit.is_some() && far > 4.0 {
        counts.given_up += 1;
        println!("stopped {far} tolerances off: {}", context());
    }
}

fn casts(seed: u64, count: usize) -> Counts {
    let (mut dice, mut counts) = (Dice::new(seed), Counts::default());
    while counts.casts < count {
        let patch = if dice.one_of(2) == 0 { wall(&mut dice) } else { dice.patch() };
        let mover = mover(&mut dice);
        for _ in 0..4 {
            cast(&mut dice, &patch, &mover, &mut counts);
        }
    }
    counts
}

#[test]
fn a_mover_at_a_patch_is_stopped_only_there_and_goes_no_deeper() {
    let counts = casts(11, 400);
    println!("{counts:?}");
    assert!(counts.hits > 100 && counts.casts - counts.hits > 100 && counts.given_up == 0, "{counts:?}");
}

#[test]
#[ignore = "100,000 casts: some minutes"]
fn a_hundred_thousand_movers_at_patches() {
    let counts = casts(12, 100_000);
    println!("{counts:?}");
    assert!(counts.given_up <= 30, "{counts:?}");
}
