//! Spheres and ellipsoids on the curved patches of real levels and of the teapot, beside subdivision from
//! both sides. The folder is that of `CAROM_DATA`; `CAROM_CASTS` says how many casts (300 by default).
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../../carom/tests/patches/brackets.rs"]
mod brackets;
#[path = "../../carom/tests/patches/judge.rs"]
mod judge;
mod random;

use carom::shape::BezierPatch;
use carom::sweep::Path;
use carom::{Ellipsoid, Mover, Sphere};
use carom_formats::{Format, LoadOptions, Patches, load};
use carom_scenes::real;
use glam::{DVec3, dvec3};
use judge::{Tally, judge};
use random::Random;

/// The patches of the teapot: a count, then for each its degrees and rows of points.
fn teapot(text: &str) -> Vec<BezierPatch> {
    let mut numbers = text.split_whitespace().map(|word| word.parse::<f64>().unwrap());
    let count = numbers.next().unwrap() as usize;
    (0..count)
        .map(|_| {
            let degrees = [numbers.next().unwrap() as usize, numbers.next().unwrap() as usize];
            let points = (degrees[0] + 1) * (degrees[1] + 1);
            let mut next = || numbers.next().unwrap();
            let points: Vec<DVec3> = (0..points).map(|_| dvec3(next(), next(), next())).collect();
            BezierPatch::new(degrees, &points).unwrap()
        })
        .collect()
}

#[test]
fn balls_and_ellipsoids_meet_real_patches_neither_late_nor_early() {
    let Some(data) = real::folder() else { return };
    let casts = std::env::var("CAROM_CASTS").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    let is_level =
        |path: &std::path::Path| matches!(Format::from_path(path), Some(Format::Bsp | Format::Map));
    let options = LoadOptions { patches: Patches::Curved, ..LoadOptions::default() };
    let mut sets = vec![teapot(&std::fs::read_to_string(data.join("teapot_bezier/teapot.bpt")).unwrap())];
    for path in real::files_below(&data, is_level).unwrap() {
        let level = load(&path, &options).unwrap();
        if !level.patches.is_empty() {
            sets.push(level.patches);
        }
    }
    let patches: usize = sets.iter().map(Vec::len).sum();
    let mut random = Random(22);
    let mut tally = Tally::default();
    while tally.casts < casts {
        let set = &sets[random.bits() as usize % sets.len()];
        let patch = &set[random.bits() as usize % set.len()];
        let size = patch.size();
        let mut radius =
            || size * [0.02, 0.1, 0.3, 1.0][random.bits() as usize % 4] * (1.0 + 0.5 * random.unit());
        let radii = dvec3(radius(), radius(), radius());
        let mover: Mover = match random.bits() % 2 {
            0 => Sphere::new(radii.x).unwrap().into(),
            _ => Ellipsoid::new(radii).unwrap().into(),
        };
        let bounds = patch.bounds();
        let aim = bounds.center() + bounds.half_extents() * random.vector();
        let from = aim + random.vector() * (3.0 * size + radii.max_element());
        let way = (aim - from) * (1.25 + 0.75 * random.unit());
        judge(&mut tally, &mover, &Path::new(from, way).unwrap(), patch);
    }
    println!("{patches} patches of {} files, {tally:?}", sets.len());
    assert!(sets.len() >= 4 && tally.hits * 5 > casts && tally.late == 0 && tally.early == 0, "{tally:?}");
}
