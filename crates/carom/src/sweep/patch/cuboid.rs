//! Cuboids against a patch, in the frame of the cuboid at the start of its path.
//!
//! Source, error, cost: as `search`. The place where the six sides meet a piece is polished and certified
//! (`meeting`, `tilts`); bounds of what has to be cut are those of a cuboid grown by the flatness, which
//! meets the triangles of a piece no later than the cuboid meets the piece. A cuboid that touches at the
//! start is stopped if its path leads deeper there; if not, its sides move in by how deep they are, and by a
//! rounding.

use glam::DVec3;

use super::meeting::Lost;
use super::search::{PatchFoot, PatchHit, Question, Settled, least, least_from};
use super::sides::{Meeting, Sides};
use super::sub_rectangle::SubRectangle;
use super::tilts::Leeway;
use crate::num::bound::{APPROACH, UNIT_ROUNDOFF, reach};
use crate::num::ops::{larger, sqrt};
use crate::shape::Cuboid;
use crate::shape::patch::grid::Grid;
use crate::sweep::cuboid::moving_cuboid::{MovingCuboid, turned_into};
use crate::sweep::{Contact, Path};

/// How many roundings ahead of contact a cuboid is stopped.
const STANDOFF: f64 = 2.0;
/// Of these so many may be lost to what is certified.
const CLEAR: f64 = 0.25;

/// A cuboid as curved pieces see it.
pub(crate) struct CuboidProbe<'a> {
    pub(crate) cuboid: &'a Cuboid,
    pub(crate) path: &'a Path,
    pub(crate) rounding: f64,
}

impl CuboidProbe<'_> {
    /// The first contact with a patch.
    pub(crate) fn patch<const N: usize>(&self, grid: &Grid<N>, within: f64, flat: f64) -> Option<PatchHit> {
        let (local, seen) = self.local(grid);
        let hit = local.patch(&seen, within, flat)?;
        Some(PatchHit { foot: self.world(hit.foot), normal: self.cuboid.axes() * hit.normal, ..hit })
    }

    /// How the cuboid stands to a patch at the start, if the gap is at most `within`.
    pub(crate) fn patch_foot<const N: usize>(
        &self,
        grid: &Grid<N>,
        within: f64,
        flat: f64,
    ) -> Option<PatchFoot> {
        let (local, seen) = self.local(grid);
        let foot = least(&Here { probe: &local }, &seen, within, flat)?;
        Some(PatchFoot { foot: self.world(foot.foot), normal: self.cuboid.axes() * foot.normal, ..foot })
    }

    /// The cuboid and a patch in the cuboid's frame.
    fn local<const N: usize>(&self, grid: &Grid<N>) -> (LocalCuboid, Grid<N>) {
        let axes = self.cuboid.axes();
        let from = self.path.from();
        let seen = grid.map(|p| turned_into(&axes, p - from));
        let translation = turned_into(&axes, self.path.translation());
        let lengths = seen.reach() + reach(self.cuboid.half_extents()) + reach(translation);
        let rounding = UNIT_ROUNDOFF * (128.0 * lengths + 4.0 * reach(from)) + self.rounding;
        (LocalCuboid { half: self.cuboid.half_extents(), translation, rounding }, seen)
    }

    fn world(&self, place: DVec3) -> DVec3 {
        self.path.from() + self.cuboid.axes() * place
    }
}

/// A cuboid that moves from the origin, along the axes.
#[derive(Clone, Copy)]
struct LocalCuboid {
    half: DVec3,
    translation: DVec3,
    /// The error of all lengths.
    rounding: f64,
}

/// The two triangles of a piece.
fn halves<const N: usize>(grid: &Grid<N>) -> [[DVec3; 3]; 2] {
    let [a, b, c, d] = grid.corners();
    [[a, b, c], [d, c, b]]
}

impl LocalCuboid {
    fn patch<const N: usize>(&self, grid: &Grid<N>, within: f64, flat: f64) -> Option<PatchHit> {
        // A path of no length hits nothing.
        if self.translation == DVec3::ZERO {
            return None;
        }
        let touch = STANDOFF * self.rounding;
        let within = within.min(1.0);
        let first = |grown: f64| {
            // The remaining box has a middle.
            let grown = grown.max(-0.75 * self.half.min_element());
            let probe = &self.grown(grown);
            let question = FirstHit { probe };
            let entry = question.quick_bound(grid);
            least_from(&question, grid, entry, within, flat)
        };
        let here = Here { probe: self };
        let gap = here.quick_bound(grid);
        let near = if gap <= touch + 4.0 * flat {
            least_from(&here, grid, gap, touch + 4.0 * flat, flat)
        } else {
            None
        };
        let Some(start) = near else { return first(touch) };
        let speed = start.normal.dot(self.translation);
        let approaches = speed < -APPROACH * sqrt(self.translation.length_squared());
        let out = start.outset();
        let touches = out <= touch + self.rounding;
        if touches && approaches {
            return Some(PatchHit {
                fraction: 0.0,
                foot: start.foot,
                normal: start.normal,
                place: start.place,
                start_overlap: -start.distance > 4.0 * flat,
                certified: false,
            });
        }
        // Never deeper than here. A corner moves in by more than the sides do: by that much less they move,
        // or each sweep would sink by a share of the depth at its start.
        let grown = if touches { out - STANDOFF * self.rounding } else { touch };
        match first(grown) {
            // So near that bounds cannot tell going on from going deeper: by no more than they are off.
            Some(hit) if hit.fraction <= 0.0 && !hit.certified => {
                let goes_on = touches || !approaches || speed > -4.0 * flat;
                let least = if goes_on { f64::NEG_INFINITY } else { 0.0 };
                first((out - 4.0 * flat).min(grown).max(least))
            }
            hit => hit,
        }
    }

    /// The same with every side farther out.
    fn grown(&self, by: f64) -> Self {
        Self { half: self.half + DVec3::splat(by), ..*self }
    }

    /// Its sides as it goes its way.
    fn going(&self) -> Sides {
        Sides { half: self.half, shift: self.translation, growth: 0.0, rounding: self.rounding }
    }

    /// Its sides at a place as they move out.
    fn growing(&self) -> Sides {
        Sides { half: self.half, shift: DVec3::ZERO, growth: 1.0, rounding: self.rounding }
    }

    /// Ready for triangles, its center at a place and its way from there; `None` beyond the range of f64.
    fn moving(&self, from: DVec3, way: DVec3) -> Option<MovingCuboid> {
        let cuboid = Cuboid::new(self.half).ok()?;
        let path = Path::new(from, way).ok()?;
        Some(MovingCuboid::standing(&cuboid, &path, self.rounding))
    }

    /// The nearer of the two triangles' contacts, the center at a place.
    fn nearest<const N: usize>(&self, grid: &Grid<N>, center: DVec3) -> Option<Contact> {
        let standing = self.moving(center, DVec3::ZERO)?;
        let contact = |triangle| standing.triangle_contact(&triangle, f64::INFINITY);
        let [first, second] = halves(grid).map(contact);
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
        -normal.abs().dot(self.half) - highest
    }
}

/// Which piece is hit first.
struct FirstHit<'a> {
    probe: &'a LocalCuboid,
}

impl FirstHit<'_> {
    /// The hit at a place that stops the cuboid.
    fn touch(&self, meeting: &Meeting) -> PatchHit {
        PatchHit {
            fraction: meeting.number.max(0.0),
            foot: meeting.jet.point,
            normal: unit(-meeting.normal()),
            place: [meeting.u, meeting.v],
            start_overlap: false,
            certified: true,
        }
    }

    /// Whether the cuboid leaves a piece from the start on, or only comes nearer to it up to the end, and
    /// meets none of it.
    fn misses<const N: usize>(&self, grid: &Grid<N>) -> bool {
        let LocalCuboid { translation, rounding, .. } = *self.probe;
        let sides = self.probe.growing();
        let is_free = |grid: &Grid<N>, nearest: &Meeting, way: DVec3| {
            let spare = nearest.number - CLEAR * rounding;
            spare > 0.0 && nearest.is_clear(grid, &sides, Leeway { spare, way })
        };
        let Ok(start) = sides.polish(grid, [0.5, 0.5, 0.0]) else { return false };
        if start.normal().dot(translation) <= 0.0 {
            return is_free(grid, &start, translation);
        }
        let seen = grid.map(|p| p - translation);
        sides.polish(&seen, [start.u, start.v, 0.0]).is_ok_and(|end| is_free(&seen, &end, -translation))
    }

    /// Whether a direction shows that the cuboid passes a piece.
    fn passes<const N: usize>(&self, grid: &Grid<N>, across: DVec3) -> bool {
        let LocalCuboid { translation, rounding, .. } = *self.probe;
        let end = across.dot(translation).max(0.0);
        self.probe.height(grid, DVec3::ZERO, -across) > end + rounding * reach(across)
    }
}

impl<const N: usize> Question<N> for FirstHit<'_> {
    type Answer = PatchHit;

    fn quick_bound(&self, grid: &Grid<N>) -> f64 {
        self.probe.going().entry(grid, [0.0, 1.0])
    }

    fn bound(&self, grid: &Grid<N>, flatness: f64, quick: f64) -> f64 {
        let LocalCuboid { translation, rounding, .. } = *self.probe;
        let Some(grown) = self.probe.grown(flatness).moving(DVec3::ZERO, translation) else { return 0.0 };
        let first = halves(grid).iter().fold(f64::INFINITY, |first, triangle| {
            if let Some(hit) = grown.triangle(triangle) {
                return if hit.fraction < first { hit.fraction } else { first };
            }
            // A mover that touches at the start and does not go deeper does not hit the triangle. The piece
            // may be hit all the same, unless it is as flat as that.
            let touches = flatness > 0.0
                && grown
                    .triangle_contact(triangle, f64::INFINITY)
                    .is_none_or(|contact| !(contact.gap > rounding));
            if touches { 0.0 } else { first }
        });
        first.max(quick)
    }

    fn number(answer: &PatchHit) -> f64 {
        answer.fraction
    }

    fn is_behind(&self, grid: &Grid<N>, hit: &PatchHit) -> bool {
        let LocalCuboid { translation, rounding, .. } = *self.probe;
        let comes_nearer = hit.normal.dot(translation) <= 0.0;
        comes_nearer && self.probe.height(grid, translation * hit.fraction, hit.normal) >= -CLEAR * rounding
    }

    fn settle(&self, grid: &Grid<N>, bound: f64, best: Option<PatchHit>) -> Settled<PatchHit> {
        let guess = match best {
            Some(PatchHit { place: [u, v], fraction, .. }) => [u, v, fraction],
            None => [0.5, 0.5, bound],
        };
        let sides = self.probe.going();
        let meeting = match sides.polish(grid, guess) {
            Ok(meeting) if meeting.number >= 0.0 => meeting,
            Err(Lost { across }) if self.passes(grid, across) => return Settled::Nothing,
            _ if self.misses(grid) => return Settled::Nothing,
            _ => return Settled::Unknown(None),
        };
        let hit = self.touch(&meeting);
        if meeting.is_clear(grid, &sides, Leeway { spare: CLEAR * sides.rounding, way: DVec3::ZERO }) {
            Settled::Found(hit)
        } else {
            Settled::Unknown(Some(hit))
        }
    }

    fn stop(&self, grid: &Grid<N>, bound: f64) -> PatchHit {
        let way = self.probe.translation;
        let contact = self.probe.nearest(grid, way * bound);
        let (foot, normal) = match contact {
            Some(contact) => (contact.point, contact.normal),
            None => (grid.corners()[0], DVec3::Y),
        };
        // A rounding may turn what is slid along into what is left.
        let speed = normal.dot(way);
        let normal = if speed > 0.0 {
            let across = normal - way * (speed / way.length_squared());
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

    fn placed_on(answer: &PatchHit, part: &SubRectangle) -> Option<PatchHit> {
        Some(PatchHit { place: part.place_on(answer.place)?, ..*answer })
    }
}

/// By how far out the sides have to move to come to a piece at the start.
struct Here<'a> {
    probe: &'a LocalCuboid,
}

impl PatchFoot {
    /// How far out each side of a cuboid has to move to come to the foot.
    fn outset(&self) -> f64 {
        self.distance / reach(self.normal)
    }

    /// The same the other way: the gap along the normal.
    fn of_outset(outset: f64, normal: DVec3, foot: DVec3, place: [f64; 2]) -> Self {
        Self { distance: outset * reach(normal), foot, normal, place }
    }
}

impl<const N: usize> Question<N> for Here<'_> {
    type Answer = PatchFoot;

    fn quick_bound(&self, grid: &Grid<N>) -> f64 {
        self.probe.growing().entry(grid, [f64::NEG_INFINITY, f64::INFINITY]) - self.probe.rounding
    }

    fn bound(&self, grid: &Grid<N>, flatness: f64, quick: f64) -> f64 {
        let Some(contact) = self.probe.nearest(grid, DVec3::ZERO) else { return quick };
        ((contact.gap - flatness - self.probe.rounding) / reach(contact.normal)).max(quick)
    }

    fn number(answer: &PatchFoot) -> f64 {
        answer.outset()
    }

    fn is_behind(&self, grid: &Grid<N>, foot: &PatchFoot) -> bool {
        self.probe.height(grid, DVec3::ZERO, foot.normal) >= foot.distance
    }

    fn settle(&self, grid: &Grid<N>, bound: f64, best: Option<PatchFoot>) -> Settled<PatchFoot> {
        let [u, v] = best.map_or([0.5; 2], |best| best.place);
        let sides = self.probe.growing();
        let Ok(meeting) = sides.polish(grid, [u, v, bound]) else { return Settled::Unknown(None) };
        let normal = unit(-meeting.normal());
        let foot = PatchFoot::of_outset(meeting.number, normal, meeting.jet.point, [meeting.u, meeting.v]);
        if meeting.is_clear(grid, &sides, Leeway { spare: CLEAR * sides.rounding, way: DVec3::ZERO }) {
            Settled::Found(foot)
        } else {
            Settled::Unknown(Some(foot))
        }
    }

    fn stop(&self, grid: &Grid<N>, bound: f64) -> PatchFoot {
        let (normal, point) = match self.probe.nearest(grid, DVec3::ZERO) {
            Some(contact) => (contact.normal, contact.point),
            None => (DVec3::Y, grid.corners()[0]),
        };
        PatchFoot::of_outset(bound, normal, point, [0.5; 2])
    }

    fn placed(answer: PatchFoot, part: &SubRectangle) -> PatchFoot {
        PatchFoot { place: part.place(answer.place), ..answer }
    }

    fn placed_on(answer: &PatchFoot, part: &SubRectangle) -> Option<PatchFoot> {
        Some(PatchFoot { place: part.place_on(answer.place)?, ..*answer })
    }
}

/// A direction of length one.
fn unit(direction: DVec3) -> DVec3 {
    direction / sqrt(direction.length_squared())
}
