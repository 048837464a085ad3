//! Triangles that are flat enough to walk on, and their area.

use carom::num::ops;
use rayon::prelude::*;

use crate::ground::{Facet, Ground};
use crate::level::Level;
use crate::rules::Rules;

/// Which sides of triangles are floor. Bodies are held by both, but modelers mean one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Facing {
    Up,
    Either,
}

/// Whether triangles are flat enough to walk on.
pub(super) fn walkable<'a>(
    level: &'a Level,
    rules: &Rules,
    facing: Facing,
) -> impl Fn(&Facet) -> bool + Sync + use<'a> {
    let least_upright = ops::cos(rules.settings.max_slope) - 1e-6;
    move |facet| {
        let [a, b, c] = facet.corners;
        let normal = (b - a).cross(c - a);
        let length = ops::sqrt(normal.length_squared());
        let upright = if facing == Facing::Up { normal.y } else { normal.y.abs() };
        length > 0.0
            && length.is_finite()
            && upright >= least_upright * length
            && !level.is_sky(facet.surface_id)
    }
}

/// About how many places a flood may find: the area of all that is flat enough, by that of a cell. Room and
/// what can be reached are not asked for, so it is known before everything that takes long. `None` for a
/// level in tiles, which would have to be read.
pub fn about_places(level: &Level, rules: &Rules) -> Option<f64> {
    let cell = rules.cell();
    level.tiles().is_none().then(|| area(level, walkable(level, rules, Facing::Up)) / (cell * cell))
}

/// The area of triangles seen from above; of those in several tiles once.
pub(super) fn area(level: &Level, is_floor: impl Fn(&Facet) -> bool + Sync) -> f64 {
    let seen = |Facet { corners: [a, b, c], .. }: Facet| 0.5 * (b - a).cross(c - a).y.abs();
    match level.ground() {
        Ground::Whole { soup, .. } => {
            let facets = (0..soup.triangles.len()).map(|triangle| soup.facet(triangle, triangle as u32));
            facets.filter(is_floor).map(seen).sum()
        }
        Ground::Tiled(tiled) => {
            let entries = tiled.folder().tiles().par_iter();
            let of_tiles: Vec<f64> = entries
                .map(|entry| {
                    let mut sum = 0.0;
                    tiled.each_own(entry, |facet| {
                        sum += if is_floor(&facet) { seen(facet) } else { 0.0 };
                    });
                    sum
                })
                .collect();
            of_tiles.iter().sum()
        }
    }
}
