//! A sweep against a patch, judged by the yardstick.

use carom::glam::{DMat3, DVec3};
use carom::shape::{BezierPatch, Mover};
use carom::sweep::{Hit, Path, TOLERANCE, capsule_patch, cuboid_patch, ellipsoid_patch, sphere_patch};

use crate::brackets::{Grown, bracket};

/// The results of many casts.
#[derive(Default, Debug)]
pub(crate) struct Tally {
    pub(crate) casts: usize,
    /// Of which the yardstick cannot tell.
    pub(crate) undecided: usize,
    pub(crate) hits: usize,
    pub(crate) late: usize,
    pub(crate) early: usize,
    pub(crate) worst: f64,
}

pub(crate) fn sweep(mover: &Mover, path: &Path, patch: &BezierPatch) -> Option<Hit> {
    match mover {
        Mover::Sphere(sphere) => sphere_patch(sphere, path, patch),
        Mover::Ellipsoid(ellipsoid) => ellipsoid_patch(ellipsoid, path, patch),
        Mover::Capsule(capsule) => capsule_patch(capsule, path, patch),
        Mover::Cuboid(cuboid) => cuboid_patch(cuboid, path, patch),
        _ => unreachable!("not thrown"),
    }
}

/// The same question for a mover with a radius: an ellipsoid is a ball in its own space.
fn seen(mover: &Mover, path: &Path, patch: &BezierPatch) -> (Grown, Path, BezierPatch, f64) {
    match mover {
        Mover::Sphere(sphere) => (Grown::Sphere(sphere.radius()), *path, *patch, 1.0),
        Mover::Capsule(capsule) => (Grown::Capsule(*capsule), *path, *patch, 1.0),
        Mover::Cuboid(cuboid) => (Grown::Cuboid(*cuboid), *path, *patch, 1.0),
        Mover::Ellipsoid(ellipsoid) => {
            let (axes, radii) = (ellipsoid.axes(), ellipsoid.radii());
            let rows = DMat3::from_cols(axes.x_axis / radii.x, axes.y_axis / radii.y, axes.z_axis / radii.z);
            let map = rows.transpose();
            let points: Vec<DVec3> =
                patch.control_points().iter().map(|p| map * (*p - path.from())).collect();
            let patch = BezierPatch::new([patch.degree(); 2], &points).unwrap();
            let path = Path::new(DVec3::ZERO, map * path.translation()).unwrap();
            (Grown::Sphere(1.0), path, patch, radii.max_element())
        }
        _ => unreachable!("not thrown"),
    }
}

/// Adds a cast to the tally.
pub(crate) fn judge(tally: &mut Tally, mover: &Mover, path: &Path, patch: &BezierPatch) {
    let (grown, own_path, own_patch, longest) = seen(mover, path, patch);
    let tolerance = 0.25 * TOLERANCE * patch.size() / longest;
    let Some(truth) = bracket(&grown, &own_path, &own_patch, tolerance) else {
        tally.undecided += 1;
        return;
    };
    tally.casts += 1;
    let hit = sweep(mover, path, patch);
    let fraction = hit.as_ref().map_or(f64::INFINITY, |hit| hit.fraction);
    let context = || format!("{mover:?} {path:?} {patch:?}\n{truth:?} {hit:?}");
    tally.hits += usize::from(hit.is_some());
    // A rounding of the yardstick itself.
    let slack = 1e-12;
    if truth.high <= 1.0 && (fraction > truth.high + slack || fraction.is_nan()) {
        tally.late += 1;
        if tally.late < 3 {
            println!("late {}", context());
        }
    }
    // The yardstick's own low is early by as much as twice its tolerance.
    if fraction < truth.low - slack {
        let early = (truth.low - fraction) * path.translation().length() / patch.size();
        // Where the way leads along the surface a small gap is a long way: the gap counts.
        let gap = patch.contact(mover, path.at(fraction)).unwrap().unwrap().gap / patch.size();
        tally.worst = tally.worst.max(early.min(gap));
        if early.min(gap) > TOLERANCE {
            tally.early += 1;
            if tally.early < 3 {
                println!("early by {early:e}, gap {gap:e} {}", context());
            }
        }
    }
}
