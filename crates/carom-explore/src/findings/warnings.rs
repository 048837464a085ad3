//! Warnings about a level as a whole, printed before the flood, with the flags to pass.

use carom::mesh::{UpAxis, inspect};
use carom_formats::Extents;
use glam::DVec3;

use crate::level::Level;
use crate::rules::Rules;
use crate::stop::Stop;

/// Something odd about the whole level, or about how it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// `WINDING`, `SCALE`, `UP_AXIS`, `FAR`, `SPAWN_OUTSIDE` or `GAVE_UP`.
    pub code: &'static str,
    /// The oddity and its remedy, in one sentence.
    pub message: String,
}

/// Of more triangles unit and axis are not guessed.
const MOST: usize = 2_000_000;
/// Vertices that are rounded by more than this share of the body's smallest radius are not where they were
/// drawn.
const ROUNDED: f64 = 0.1;
/// No more shells of sky than this are looked through.
const SHELLS: usize = 4;
/// Rays along each side, to see which way surfaces face.
const RAYS: i32 = 48;

/// Warnings that need only the triangles, before anything moves.
pub(crate) fn warnings(level: &Level, rules: &Rules, stop: &Stop) -> Vec<Warning> {
    let mut found = Vec::new();
    if stop.is_set() {
        return found;
    }
    if is_wound_backward(level, rules) {
        let message = "nearly all surfaces that are seen from above face down: flip the normals when you export \
                       the level, or floor that was not reached is judged by its under sides";
        found.push(Warning { code: "WINDING", message: message.to_owned() });
    }
    let Extents { low, high } = level.bounds();
    let farthest = low.abs().max(high.abs()).max_element();
    // The gap between neighboring f32 numbers there.
    let gap = farthest * f64::from(f32::EPSILON);
    if gap > ROUNDED * rules.radii.min_element() {
        let message = format!(
            "the level reaches {farthest:.3e} m from the origin, where vertices are up to {gap:.1e} m apart or the same: \
             move it to the origin before you export it, or check --scale"
        );
        found.push(Warning { code: "FAR", message });
    }
    if level.triangle_count() > MOST || level.frame.is_of_quake() {
        return found;
    }
    let soup = level.soup();
    let seen = 0..soup.triangles.len();
    let triangles: Vec<[u32; 3]> =
        seen.filter(|i| !level.is_sky(soup.surface_id(*i))).map(|i| soup.triangles[i]).collect();
    let Ok(guess) = inspect(&soup.vertices, &triangles, Some(0.0)) else { return found };
    let meters = guess.unit.meters();
    if meters != 1.0 {
        let message = format!(
            "the level is {:.0} m high, as if its unit were the {}: pass --scale {meters} (times the scale that it was \
             read with)",
            guess.bounds.map_or(0.0, |bounds| (bounds.max() - bounds.min()).y),
            guess.unit
        );
        found.push(Warning { code: "SCALE", message });
    }
    if guess.up == UpAxis::Z {
        let message = "more of its area faces sideways than up, as if it lay on its side: pass --up z, or --up y if \
                       it was read with z";
        found.push(Warning { code: "UP_AXIS", message: message.to_owned() });
    }
    found
}

/// Whether most of what is seen from above is seen from behind, and is no shell that was made to be seen from
/// within.
fn is_wound_backward(level: &Level, rules: &Rules) -> bool {
    let bounds = level.bounds();
    let (low, size) = (bounds.low, bounds.size());
    let below = |from: DVec3| {
        let translation = DVec3::Y * (low.y - 1.0 - from.y);
        let met = level.ray(from, translation)?;
        Some((from + translation * met.hit.fraction, met))
    };
    let seen = |from: DVec3| {
        let mut found = below(from)?;
        // Through the sky.
        for _ in 0..SHELLS {
            if level.is_sky(found.1.surface_id) {
                found = below(found.0 - DVec3::Y * 1e-3 * rules.radii.y)?;
            }
        }
        Some((found.0, found.1.normal().y >= 0.0))
    };
    let (mut right, mut wrong, mut shells) = (0, 0, 0);
    for i in 0..RAYS {
        for j in 0..RAYS {
            let [x, z] = [i, j].map(|k| (f64::from(k) + 0.5) / f64::from(RAYS));
            let from = DVec3::new(low.x + x * size.x, bounds.high.y + 1.0, low.z + z * size.z);
            let Some((at, is_front)) = seen(from) else { continue };
            if is_front {
                right += 1;
                continue;
            }
            // A ceiling seen from outside has room below; the top of a solid has its under side, or nothing.
            let next = seen(at - DVec3::Y * 1e-3 * rules.radii.y);
            let is_shell =
                next.is_some_and(|(next, is_front)| is_front && at.y - next.y > 2.0 * rules.radii.y);
            if is_shell { shells += 1 } else { wrong += 1 }
        }
    }
    wrong >= 16 && wrong > 4 * right && wrong > shells
}
