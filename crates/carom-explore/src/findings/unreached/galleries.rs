//! Galleries, boxes and balconies in a hall: who puts a railing around a floor above the heads of others
//! means players to look down from it. And lofts: floor between the walls of a hall, above reached floor.

use glam::DVec3;

use crate::findings::barrier::EYE;
use crate::findings::unreached::decks::Railing;
use crate::findings::unreached::judge::Judge;

/// A gallery has at least this much floor, in m²: shelves with crates on them have less between the crates.
const SPACIOUS: f64 = 2.0;
/// Its railing is at least this long, in meters.
const LONG: f64 = 1.5;
/// Reached floor in sight below is no lower than this, in meters.
const HIGH: f64 = 10.0;
/// A loft looks down on reached floor along at least this much of its rim, in meters,
const RIM: f64 = 3.0;
/// and is at least this deep.
const DEEP: f64 = 2.5;

impl Judge<'_, '_> {
    /// Whether a level floor under a ceiling has a railing over reached floor, which is lower by a body at
    /// least.
    pub(super) fn is_gallery(&self, part: &[u32], few: &[u32]) -> bool {
        self.floor.area(part.len()) >= SPACIOUS
            && self.is_shut(few)
            && self.railing(part, LONG).is_some_and(|Railing { railed, .. }| {
                2 * railed.iter().filter(|(at, way)| self.looks_down(*at, *way)).count() >= railed.len()
            })
    }

    /// Whether a floor in a closed hall is wide, and much of its rim is right above reached floor.
    pub(super) fn is_loft(&self, part: &[u32]) -> bool {
        let cell = self.floor.cell();
        let [wide, long] = self.floor.size(part.iter());
        wide.min(long) >= DEEP
            && self.ends(part).iter().filter(|(at, way)| self.looks_down(*at, *way)).count() as f64 * cell
                >= RIM
    }

    /// Whether eyes above a sample see reached floor below them beyond this side.
    fn looks_down(&self, at: u32, way: [i32; 2]) -> bool {
        // Past the railing.
        let (eyes, out) = (self.above(at, EYE), 1.5 * self.evidence.way(way));
        self.ray(eyes, out).is_none()
            && self.ray(eyes + out, DVec3::NEG_Y * HIGH).is_some_and(|(far, _)| {
                let foot = eyes + out - DVec3::Y * far;
                self.height(at) - foot.y >= 2.0 * self.evidence.walker.rules.radii.y
                    && self.floor.is_reached_at(foot)
            })
    }
}
