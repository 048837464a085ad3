//! Rays beside all places where their lines cross a patch, each found by Newton's method from the cells of a
//! fine grid.

use carom::glam::{DMat3, DVec3};
use carom::shape::BezierPatch;
use carom::sweep::{Path, TOLERANCE, point_patch};

use crate::dice::Dice;

/// So many cells of the grid a side.
const SIDE: usize = 48;

/// The fractions at which a ray crosses a patch.
fn crossings(path: &Path, patch: &BezierPatch) -> Vec<f64> {
    let at = |i: usize| i as f64 / SIDE as f64;
    let points: Vec<Vec<DVec3>> =
        (0..=SIDE).map(|j| (0..=SIDE).map(|i| patch.point(at(i), at(j))).collect()).collect();
    let (from, way) = (path.from(), path.translation());
    let mut found = Vec::new();
    for j in 0..SIDE {
        for i in 0..SIDE {
            let [a, b, c, d] = [points[j][i], points[j][i + 1], points[j + 1][i], points[j + 1][i + 1]];
            // A ball around the cell, a little larger than its corners ask for.
            let middle = (a + b + c + d) * 0.25;
            let around = [a, b, c, d].iter().map(|p| p.distance(middle)).fold(0.0, f64::max) * 1.5;
            if (middle - from).cross(way).length() > around * way.length() {
                continue;
            }
            let (mut u, mut v) = (at(i) + 0.5 / SIDE as f64, at(j) + 0.5 / SIDE as f64);
            let mut time = (middle - from).dot(way) / way.length_squared();
            for _ in 0..30 {
                let step = 1e-6;
                let here = patch.point(u, v);
                let (du, dv) =
                    ((patch.point(u + step, v) - here) / step, (patch.point(u, v + step) - here) / step);
                let matrix = DMat3::from_cols(du, dv, -way);
                if matrix.determinant().abs() < 1e-12 {
                    break;
                }
                let by = matrix.inverse() * (from + way * time - here);
                (u, v, time) = (u + by.x, v + by.y, time + by.z);
                if !(u.abs() < 2.0 && v.abs() < 2.0) {
                    break;
                }
                if by.length() < 1e-14 {
                    break;
                }
            }
            let is_on = (0.0..=1.0).contains(&u) && (0.0..=1.0).contains(&v) && (0.0..=1.0).contains(&time);
            if is_on && patch.point(u, v).distance(from + way * time) < 1e-12 * patch.size() {
                found.push(time);
            }
        }
    }
    found
}

fn soak(seed: u64, count: usize) {
    let mut dice = Dice::new(seed);
    let (mut hits, mut early) = (0, 0);
    for number in 0..count {
        let patch = dice.patch();
        let bounds = patch.bounds();
        let (center, half) = (bounds.center(), bounds.half_extents());
        let aim = center + half * dice.vector();
        let from = center + (half + DVec3::splat(2.0)) * dice.vector() * 1.5;
        let path = Path::new(from, (aim - from) * dice.between(0.5, 2.0)).unwrap();
        let first = crossings(&path, &patch).into_iter().fold(f64::INFINITY, f64::min);
        let hit = point_patch(&path, &patch).map_or(f64::INFINITY, |hit| hit.fraction);
        hits += usize::from(hit.is_finite());
        assert!(hit <= first + 1e-12, "cast {number} is late: {hit} after {first}, {path:?} {patch:?}");
        // A ray that only grazes may be stopped where the grid finds no crossing.
        let gap = |fraction: f64| patch.closest_point(path.at(fraction)).unwrap().distance(path.at(fraction));
        if hit < first - 1e-12 {
            early += 1;
            assert!(
                gap(hit) <= TOLERANCE * patch.size(),
                "cast {number} is early: {hit}, {path:?} {patch:?}"
            );
        }
    }
    println!("{count} rays, {hits} hits, {early} where the grid finds no crossing or a later one");
    assert!(hits * 5 > count && early * 50 < count);
}

#[test]
fn a_ray_meets_its_first_crossing() {
    soak(3, 300);
}

#[test]
#[ignore = "20,000 rays: a minute"]
fn twenty_thousand_rays_meet_their_first_crossings() {
    soak(4, 20_000);
}
