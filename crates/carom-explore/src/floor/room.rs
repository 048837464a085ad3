//! Room for a body: where it fits on the floor, and whether that is within a solid.

use carom::shape::Mover;
use glam::DVec3;

use crate::level::{Level, TOGETHER};
use crate::rules::Rules;

/// A ray passes through no more sheets with two sides than this.
const MOST_THROUGH: usize = 16;

/// Where the center of a body is that stands with its feet there, or up to a step above: where it first fits.
pub(crate) fn stand(level: &Level, rules: &Rules, grown: &Mover, feet: DVec3) -> Option<DVec3> {
    let half = grown.bounds().half_extents().y;
    let room = rules.settings.step_height.max(0.25 * rules.radii.y);
    // On a slope a round body's lowest point is not where it stands: it is tried from lower to higher.
    [1e-3, 0.1, 0.25, 0.5, 1.0].into_iter().find_map(|share| {
        let center = feet + DVec3::Y * (half + share * room);
        level.ground().has_room(grown, center, rules.settings.collides_with).then_some(center)
    })
}

/// Whether a body stands there with nothing between its feet and the floor. Above a lid it stands on the lid.
pub(super) fn stands_on(level: &Level, rules: &Rules, grown: &Mover, floor: DVec3) -> bool {
    stand(level, rules, grown, floor).is_some_and(|center| {
        let half = grown.bounds().half_extents().y;
        let from = floor + DVec3::Y * TOGETHER;
        let way = DVec3::Y * (center.y - half - from.y);
        way.y <= 0.0 || level.ray(from, way).is_none()
    })
}

/// Whether a point just above the floor lies within a solid: what is above it and around it is seen from
/// behind. A roof alone may be modelled as it is seen from outside only. A sheet with two sides says nothing,
/// and neither does one solid where it touches the next: what is beyond them counts.
pub(crate) fn is_inside(level: &Level, rules: &Rules, feet: DVec3) -> bool {
    let from = feet + DVec3::Y * (0.5 * rules.radii.y);
    let far = level.bounds().size().max_element() + 1.0;
    let is_behind = |heading: DVec3| {
        let mut at = from;
        // Through sheets with two sides, and out of one solid into another that touches it.
        for _ in 0..MOST_THROUGH {
            match level.sides(at, heading * far) {
                Some((fraction, sides)) if sides.are_both() => {
                    at += heading * (far * fraction + 2.0 * TOGETHER);
                }
                other => return other.is_some_and(|(_, sides)| sides.back),
            }
        }
        false
    };
    let around = [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z];
    is_behind(DVec3::Y) && around.into_iter().filter(|heading| is_behind(*heading)).count() >= 2
}
