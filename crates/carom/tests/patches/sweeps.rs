//! Sweeps beside the yardstick.

use carom::glam::{DQuat, DVec3};
use carom::shape::{BezierPatch, Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use carom::sweep::{Path, cuboid_patch};

use crate::dice::Dice;
use crate::judge::{Tally, judge};

fn mover(dice: &mut Dice) -> Mover {
    let r = [0.02, 0.1, 0.3, 1.0][dice.one_of(4)] * dice.between(0.5, 1.5);
    match dice.one_of(4) {
        0 => Sphere::new(r).unwrap().into(),
        1 => {
            let radii = DVec3::new(r, r * dice.between(0.3, 3.0), r * dice.between(0.3, 3.0));
            Ellipsoid::new(radii).unwrap().with_rotation(dice.rotation()).unwrap().into()
        }
        2 => {
            let half = DVec3::new(r, r * dice.between(0.3, 3.0), r * dice.between(0.3, 3.0));
            let rotation = if dice.signed() > 0.0 { dice.rotation() } else { DQuat::IDENTITY };
            Cuboid::new(half).unwrap().with_rotation(rotation).unwrap().into()
        }
        _ => {
            let capsule = Capsule::new(r, r * dice.between(0.0, 2.0)).unwrap();
            capsule.with_rotation(dice.rotation()).unwrap().into()
        }
    }
}

fn casts(seed: u64, count: usize) -> Tally {
    casts_at(seed, count, Dice::patch)
}

fn casts_at(seed: u64, count: usize, patch: fn(&mut Dice) -> BezierPatch) -> Tally {
    let mut dice = Dice::new(seed);
    let mut tally = Tally::default();
    while tally.casts < count {
        let patch = patch(&mut dice);
        let mover = mover(&mut dice);
        let bounds = patch.bounds();
        let (center, half) = (bounds.center(), bounds.half_extents());
        let aim = center + (half + DVec3::splat(0.5)) * dice.vector();
        let from = center + (half + DVec3::splat(2.0)) * dice.vector() * 1.5;
        let way = (aim - from) * dice.between(0.5, 2.0);
        judge(&mut tally, &mover, &Path::new(from, way).unwrap(), &patch);
    }
    tally
}

#[test]
fn a_sweep_is_never_late_and_early_by_no_more_than_the_tolerance() {
    let tally = casts(1, 300);
    println!("{tally:?}");
    assert!(tally.hits > 100 && tally.late == 0 && tally.early == 0, "{tally:?}");
}

/// Caps as editors of levels make them, moved by any affine map: hollow ones, folded to the corner across,
/// and those of half a pipe, folded to a point of their outline. And surfaces of lines that u runs along
/// unevenly.
fn cap(dice: &mut Dice) -> BezierPatch {
    let (x, y, origin) = (dice.vector(), dice.vector(), dice.vector());
    let at = |u: f64, v: f64| origin + x * u + y * v;
    let corner = at(0.0, 0.0);
    match dice.one_of(4) {
        0 => {
            let ends = [at(1.0, 0.0), corner, at(0.0, 1.0)];
            BezierPatch::quadratic(ends.map(|end| [end, corner, corner])).unwrap()
        }
        1 => {
            let ends = [at(1.0, 0.0), at(0.4, 0.1), at(0.1, 0.4), at(0.0, 1.0)];
            BezierPatch::cubic([ends, [corner; 4], [corner; 4], [corner; 4]]).unwrap()
        }
        2 => {
            let row = |v: f64| [at(-1.0, v), at(0.0, v), at(1.0, v)];
            BezierPatch::quadratic([[corner; 3], row(0.0), row(1.0)]).unwrap()
        }
        _ => {
            let mut lines = || (dice.vector(), dice.vector());
            let lines = [lines(), lines(), lines()];
            BezierPatch::quadratic(lines.map(|(from, to)| [from, from, to])).unwrap()
        }
    }
}

#[test]
fn a_sweep_meets_caps_neither_late_nor_early() {
    let tally = casts_at(3, 300, cap);
    println!("{tally:?}");
    assert!(tally.hits > 60 && tally.late == 0 && tally.early == 0, "{tally:?}");
}

#[test]
#[ignore = "100,000 casts: some minutes"]
fn a_hundred_thousand_sweeps() {
    let tally = casts(2, 100_000);
    println!("{tally:?}");
    assert!(tally.hits > 20_000 && tally.late == 0 && tally.early == 0, "{tally:?}");
}

#[test]
fn a_cuboid_leaves_what_it_was_stopped_at_and_goes_no_deeper() {
    let mut dice = Dice::new(7);
    let column = |z: f64| [DVec3::new(4.0, 0.0, z), DVec3::new(-4.0, 2.0, z), DVec3::new(4.0, 4.0, z)];
    let hollow = BezierPatch::quadratic([column(-2.0), column(0.0), column(2.0)]).unwrap();
    let mut met = 0;
    for _ in 0..60 {
        let cuboid = Cuboid::new(DVec3::splat(0.2) + dice.vector() * 0.1).unwrap();
        let from = DVec3::new(1.8, 2.0, 0.0) + dice.vector() * 0.6;
        let path = Path::new(from, DVec3::new(0.0, -3.0, 0.0) + dice.vector() * 0.5).unwrap();
        let Some(hit) = cuboid_patch(&cuboid, &path, &hollow).filter(|hit| hit.fraction > 0.0) else {
            continue;
        };
        met += 1;
        let at = path.at(hit.fraction);
        let go = |way: DVec3| cuboid_patch(&cuboid, &Path::new(at, way).unwrap(), &hollow);
        assert!(go(hit.normal * 0.05).is_none(), "{hit:?}");
        assert!(go(hit.normal * -0.05).is_some_and(|hit| hit.fraction <= 1e-6), "{hit:?}");
    }
    assert!(met > 40, "{met}");
}
