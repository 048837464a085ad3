//! Cuboids against a patch, by certified triangles.
//!
//! Source, error, cost: as `search`, with no polish: a cuboid grown by the flatness of a piece meets its
//! triangles no later than the cuboid meets the piece. Early by at most the tolerance. Cost: about hundred
//! pieces where a corner meets a bend, one where the patch is flat.

use glam::DVec3;

use super::search::{PatchFoot, PatchHit, Question, Settled, least};
use super::sub_rectangle::SubRectangle;
use crate::num::bound::{APPROACH, UNIT_ROUNDOFF, reach};
use crate::num::ops::{larger, sqrt};
use crate::shape::Cuboid;
use crate::shape::patch::grid::Grid;
use crate::sweep::cuboid::moving_cuboid::MovingCuboid;
use crate::sweep::{Contact, Path};

/// A cuboid as curved pieces see it.
pub(crate) struct CuboidProbe<'a> {
    pub(crate) cuboid: &'a Cuboid,
    pub(crate) path: &'a Path,
    pub(crate) rounding: f64,
}

/// The two triangles of a piece.
fn halves<const N: usize>(grid: &Grid<N>) -> [[DVec3; 3]; 2] {
    let [a, b, c, d] = grid.corners();
    [[a, b, c], [d, c, b]]
}

impl CuboidProbe<'_> {
    fn grown(&self, by: f64) -> Option<Cuboid> {
        let half = self.cuboid.half_extents() + DVec3::splat(by);
        Cuboid::new(half).and_then(|cuboid| cuboid.with_rotation(self.cuboid.rotation())).ok()
    }

    /// The first contact with a patch.
    pub(crate) fn patch<const N: usize>(&self, grid: &Grid<N>, within: f64, flat: f64) -> Option<PatchHit> {
        let translation = self.path.translation();
        let mut shrunk = 0.0;
        // As near as a sweep stops it counts as touching: or what it was stopped at could not be left.
        if let Some(start) = self.patch_foot(grid, 4.0 * flat, flat) {
            let approaches = start.normal.dot(translation) < -APPROACH * sqrt(translation.length_squared());
            if approaches && start.distance <= 0.0 {
                return Some(PatchHit {
                    fraction: 0.0,
                    foot: start.foot,
                    normal: start.normal,
                    place: start.place,
                    start_overlap: -start.distance > 4.0 * flat,
                    certified: false,
                });
            }
            // Never deeper than here. A corner moves in by more than the sides do: by that much less they
            // move, or each sweep would sink by a share of the depth at its start.
            if !approaches {
                let normal = self.cuboid.rotation().conjugate() * start.normal;
                shrunk = start.distance / normal.abs().element_sum() - 4.0 * flat;
            }
        }
        // The remaining box has a middle.
        let least_half = 0.25 * self.cuboid.half_extents().min_element();
        let cuboid = self.grown(shrunk.max(-3.0 * least_half))?;
        let first_hit = FirstHit { probe: &CuboidProbe { cuboid: &cuboid, ..*self } };
        least(&first_hit, grid, within.min(1.0), flat)
    }

    /// How the cuboid stands to a patch at the start, if the gap is at most `within`.
    pub(crate) fn patch_foot<const N: usize>(
        &self,
        grid: &Grid<N>,
        within: f64,
        flat: f64,
    ) -> Option<PatchFoot> {
        least(&Here { probe: self }, grid, within, flat)
    }

    fn contact(&self, triangle: &[DVec3; 3]) -> Option<Contact> {
        MovingCuboid::standing(self.cuboid, self.path, self.rounding)
            .triangle_contact(triangle, f64::INFINITY)
    }

    fn nearest<const N: usize>(&self, grid: &Grid<N>) -> Option<Contact> {
        let [first, second] = halves(grid).map(|triangle| self.contact(&triangle));
        match (first, second) {
            (Some(first), Some(second)) => Some(if second.gap < first.gap { second } else { first }),
            (first, second) => first.or(second),
        }
    }

    /// How far the cuboid, its center at a place, is in front of all control points of a piece along a
    /// normal. Inside, going that far out along the normal leaves the piece.
    fn height<const N: usize>(&self, grid: &Grid<N>, center: DVec3, normal: DVec3) -> f64 {
        let mut highest = f64::NEG_INFINITY;
        grid.visit(|p| highest = larger(highest, normal.dot(p - center)));
        let turned = self.cuboid.rotation().conjugate() * normal;
        -turned.abs().dot(self.cuboid.half_extents()) - highest
    }

    /// The error of the bounds here.
    fn slack<const N: usize>(&self, grid: &Grid<N>) -> f64 {
        let far = grid.map(|p| p - self.path.from()).reach();
        256.0 * UNIT_ROUNDOFF * (far + reach(self.cuboid.half_extents()) + reach(self.path.from()))
            + self.rounding
    }
}

struct FirstHit<'a> {
    probe: &'a CuboidProbe<'a>,
}

impl<const N: usize> Question<N> for FirstHit<'_> {
    type Answer = PatchHit;

    fn bound(&self, grid: &Grid<N>, flatness: f64, _: f64) -> f64 {
        // A path of no length hits nothing; numbers beyond the range of f64 stop.
        if self.probe.path.translation() == DVec3::ZERO {
            return f64::INFINITY;
        }
        let Some(grown) = self.probe.grown(flatness) else { return 0.0 };
        let grown = CuboidProbe { cuboid: &grown, ..*self.probe };
        let Some(swept) = MovingCuboid::new(grown.cuboid, grown.path, grown.rounding) else { return 0.0 };
        halves(grid).iter().fold(f64::INFINITY, |first, triangle| {
            if let Some(hit) = swept.triangle(triangle) {
                return if hit.fraction < first { hit.fraction } else { first };
            }
            // A mover that touches at the start and does not go deeper does not hit the triangle. The piece
            // may be hit all the same, unless it is as flat as that.
            let touches = flatness > 0.0
                && grown.contact(triangle).is_none_or(|contact| !(contact.gap > self.probe.slack(grid)));
            if touches { 0.0 } else { first }
        })
    }

    fn number(answer: &PatchHit) -> f64 {
        answer.fraction
    }

    fn is_behind(&self, grid: &Grid<N>, hit: &PatchHit) -> bool {
        let Self { probe } = self;
        let comes_nearer = hit.normal.dot(probe.path.translation()) <= 0.0;
        comes_nearer && probe.height(grid, probe.path.at(hit.fraction), hit.normal) >= 0.0
    }

    fn settle(&self, _: &Grid<N>, _: f64, _: Option<PatchHit>) -> Settled<PatchHit> {
        Settled::Unknown(None)
    }

    fn stop(&self, grid: &Grid<N>, bound: f64) -> PatchHit {
        let path = self.probe.path;
        let there = Path::new(path.at(bound), DVec3::ZERO).unwrap_or(*path);
        let probe = CuboidProbe { path: &there, ..*self.probe };
        let contact = probe.nearest(grid);
        let (foot, normal) = match contact {
            Some(contact) => (contact.point, contact.normal),
            None => (grid.corners()[0], DVec3::Y),
        };
        // A rounding may turn what is slid along into what is left.
        let speed = normal.dot(path.translation());
        let normal = if speed > 0.0 {
            let across = normal - path.translation() * (speed / path.translation().length_squared());
            let squared = across.length_squared();
            if squared > 0.25 { across / sqrt(squared) } else { normal }
        } else {
            normal
        };
        PatchHit { fraction: bound, foot, normal, place: [0.5; 2], start_overlap: false, certified: false }
    }

    fn placed(answer: PatchHit, part: &SubRectangle) -> PatchHit {
        PatchHit { place: part.place(answer.place), ..answer }
    }
}

struct Here<'a> {
    probe: &'a CuboidProbe<'a>,
}

impl<const N: usize> Question<N> for Here<'_> {
    type Answer = PatchFoot;

    fn bound(&self, grid: &Grid<N>, flatness: f64, _: f64) -> f64 {
        let gap = self.probe.nearest(grid).map_or(f64::NEG_INFINITY, |contact| contact.gap);
        gap - flatness - self.probe.slack(grid)
    }

    fn number(answer: &PatchFoot) -> f64 {
        answer.distance
    }

    fn is_behind(&self, grid: &Grid<N>, foot: &PatchFoot) -> bool {
        self.probe.height(grid, self.probe.path.from(), foot.normal) >= foot.distance
    }

    fn settle(&self, _: &Grid<N>, _: f64, _: Option<PatchFoot>) -> Settled<PatchFoot> {
        Settled::Unknown(None)
    }

    fn stop(&self, grid: &Grid<N>, _: f64) -> PatchFoot {
        match self.probe.nearest(grid) {
            Some(Contact { gap, normal, point, .. }) => {
                PatchFoot { distance: gap, foot: point, normal, place: [0.5; 2] }
            }
            None => PatchFoot { distance: 0.0, foot: grid.corners()[0], normal: DVec3::Y, place: [0.5; 2] },
        }
    }

    fn placed(answer: PatchFoot, part: &SubRectangle) -> PatchFoot {
        PatchFoot { place: part.place(answer.place), ..answer }
    }
}
