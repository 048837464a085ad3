//! Spheres, ellipsoids, capsules and points against a patch.
//!
//! Source, error, cost: as `search`. A mover that touches at the start is stopped if its path leads deeper
//! there; if not it continues with the radius that it has there, a rounding less, so that it comes no nearer
//! to any of the patch: a curved surface may rise in front of what slides along it.

use glam::DVec3;

use super::approach::When;
use super::polish::Polished;
use super::probe::{Probe, Stand};
use super::search::{PatchFoot, PatchHit, Question, Settled, least, least_from, side_that_bends};
use super::sub_rectangle::SubRectangle;
use crate::num::bound::STANDOFF;
use crate::num::ops::sqrt;
use crate::shape::patch::grid::{Bends, Grid};
use crate::sweep::parts::nearest::{towards, upwards};

impl Probe {
    /// The first contact with a patch; `flat` is how far its triangles may be from it.
    pub(crate) fn patch<const N: usize>(&self, grid: &Grid<N>, within: f64, flat: f64) -> Option<PatchHit> {
        let touch = self.ball.radius + STANDOFF * self.rounding;
        let entry = self.hull_entry(grid, touch);
        if entry > within {
            return None;
        }
        // At no larger radius, so it does not come earlier.
        let first = |radius: f64, start: Option<DVec3>| {
            let hit =
                least_from(&FirstHit { probe: self, radius, start }, grid, entry, within.min(1.0), flat)?;
            Some(PatchHit { normal: self.ball.opposing(hit.normal), ..hit })
        };
        let may_touch = self.hull_gap(grid) <= touch + 4.0 * flat;
        let start = Here { probe: self, about: touch };
        let near = if may_touch { self.foot_of(&start, grid, touch + 4.0 * flat, flat) } else { None };
        let Some(start) = near else { return first(touch, None) };
        // The normal is accurate to the rounding of its foot.
        let length = sqrt(self.ball.translation.length_squared());
        let blur = if start.distance > 0.0 { 32.0 * self.rounding / start.distance } else { 0.0 };
        let speed = start.normal.dot(self.ball.translation);
        let approaches = speed < -self.ball.threshold - blur.min(1e-6) * length;
        // A touch at the start is found to within a rounding.
        let touches = start.distance <= touch + self.rounding;
        if touches && approaches {
            return Some(PatchHit {
                fraction: 0.0,
                foot: start.foot,
                normal: start.normal,
                place: start.place,
                start_overlap: start.distance < self.ball.radius - self.rounding,
                certified: true,
            });
        }
        // Never nearer than here, where that is less than contact.
        let radius = if touches { start.distance - 2.0 * self.rounding } else { touch };
        if !(radius > 8.0 * self.rounding) {
            // A center on the patch has no side of its own: nearly flat as this is, it is left for good.
            return if touches { None } else { first(radius, None) };
        }
        match first(radius, Some(start.normal)) {
            // So near that bounds cannot tell going on from going deeper: by no more than they are off.
            Some(hit) if hit.fraction <= 0.0 && !hit.certified => {
                let goes_on = touches || !approaches || speed > -4.0 * flat;
                let least = if goes_on { 0.0 } else { self.ball.radius };
                first((start.distance - 4.0 * flat).min(radius).max(least), Some(start.normal))
            }
            hit => hit,
        }
    }

    /// The nearest point of a patch at the start of the path, if it is no farther than `within`.
    pub(crate) fn patch_foot<const N: usize>(
        &self,
        grid: &Grid<N>,
        within: f64,
        flat: f64,
    ) -> Option<PatchFoot> {
        self.foot_of(&Here { probe: self, about: 0.0 }, grid, within, flat)
    }

    fn foot_of<const N: usize>(
        &self,
        question: &Here<'_>,
        grid: &Grid<N>,
        within: f64,
        flat: f64,
    ) -> Option<PatchFoot> {
        let foot = least(question, grid, within, flat)?;
        if self.half_axis == DVec3::ZERO || foot.distance > 8.0 * self.rounding {
            return Some(foot);
        }
        // The axis pierces the patch: the way out is along the normal there, to the side of the center.
        let depth = foot.normal.dot(self.half_axis).abs() + foot.normal.dot(foot.foot);
        Some(PatchFoot { distance: -depth.max(0.0), ..foot })
    }
}

/// Of a start that overlaps no more than this share of the depth counts.
const COARSE: f64 = 1.0 / 1024.0;

/// If what is seen of the bends of a piece is no more than this share of them, all of them count.
const UNSEEN: f64 = 1.0 / (1u64 << 20) as f64;

/// So many roundings may be lost to what is certified; two are left of the standoff.
const CLEAR: f64 = 2.0;

/// Which piece is hit first.
struct FirstHit<'a> {
    probe: &'a Probe,
    radius: f64,
    /// The normal where the mover is nearest at the start, if it touches or nearly touches there.
    start: Option<DVec3>,
}

impl FirstHit<'_> {
    /// Whether a plane parts the mover from a piece on all of its way.
    fn stays_above<const N: usize>(&self, grid: &Grid<N>, normal: DVec3) -> bool {
        let Probe { ball, .. } = self.probe;
        let height = self.probe.height(grid, DVec3::ZERO, normal);
        height + normal.dot(ball.translation).min(0.0) >= self.clear()
    }

    /// The same as [`Question::settle`] for a mover that starts near a piece and hardly approaches it, where
    /// Newton's method on u, v and the time loses its way: from the nearest places at the start and at the
    /// end, and from the time between them at which the distance, taken for a parabola, is the radius.
    fn settle_near<const N: usize>(&self, grid: &Grid<N>, [u, v]: [f64; 2]) -> Settled<PatchHit> {
        let Self { probe, radius, .. } = *self;
        let translation = probe.ball.translation;
        let clear = |stand: &Stand, when| stand.is_clear(grid, probe, self.clear(), when);
        let Some(start) = probe.polish_at(grid, [u, v, 0.0]) else { return Settled::Unknown(None) };
        if clear(&start, When::After) {
            return Settled::Nothing;
        }
        let Some(end) = probe.polish_at(grid, [start.u, start.v, 1.0]) else { return Settled::Unknown(None) };
        let gaps = [&start, &end].map(|stand| stand.distance() - radius);
        if gaps[1] > 0.0 {
            return if clear(&end, When::Before) { Settled::Nothing } else { Settled::Unknown(None) };
        }
        let speed = start.arm.dot(translation) / start.distance();
        let bend = gaps[0] + speed - gaps[1];
        let time = if bend > 0.0 {
            (speed + sqrt((speed * speed + 4.0 * bend * gaps[0]).max(0.0))) / (2.0 * bend)
        } else {
            gaps[0] / (gaps[0] - gaps[1])
        };
        let between = |from: f64, to: f64| from + (to - from) * time;
        let place = [between(start.u, end.u), between(start.v, end.v), time.clamp(0.0, 1.0)];
        match probe.newton_from(grid, place, radius) {
            Ok(Polished::Touch(stand)) => self.settle_touch(&stand, clear(&stand, When::Before)),
            _ => Settled::Unknown(None),
        }
    }

    /// How near the mover may come to what is not hit.
    fn clear(&self) -> f64 {
        self.radius - CLEAR * self.probe.rounding
    }

    fn settle_touch(&self, stand: &Stand, is_first: bool) -> Settled<PatchHit> {
        let hit = self.touch(stand);
        if is_first { Settled::Found(hit) } else { Settled::Unknown(Some(hit)) }
    }

    /// The hit at a place that touches.
    fn touch(&self, stand: &Stand) -> PatchHit {
        let probe = self.probe;
        let distance = stand.distance();
        let normal = match stand.normal() {
            // A point has no side of its own.
            Some(normal) if distance <= 16.0 * probe.rounding => towards(normal, -probe.ball.translation),
            _ if distance > 0.0 => stand.arm / distance,
            _ => probe.ball.backwards(),
        };
        PatchHit {
            fraction: stand.time,
            foot: stand.jet.point,
            normal,
            place: [stand.u, stand.v],
            start_overlap: false,
            certified: true,
        }
    }
}

impl<const N: usize> Question<N> for FirstHit<'_> {
    type Answer = PatchHit;

    fn quick_bound(&self, grid: &Grid<N>) -> f64 {
        self.probe.hull_entry(grid, self.radius)
    }

    fn bound(&self, grid: &Grid<N>, flatness: f64, quick: f64) -> f64 {
        self.probe.facets_entry(grid, self.radius, flatness).max(quick)
    }

    fn number(answer: &PatchHit) -> f64 {
        answer.fraction
    }

    fn is_behind(&self, grid: &Grid<N>, hit: &PatchHit) -> bool {
        let Probe { ball, .. } = self.probe;
        // Less far in front of the plane at all times before the hit, as it comes nearer.
        let comes_nearer = hit.normal.dot(ball.translation) < 0.0;
        let height = self.probe.height(grid, ball.translation * hit.fraction, hit.normal);
        comes_nearer && height >= self.clear()
    }

    /// Of a mover that is near at the start, where the piece bends more out of its plane and along the way:
    /// other bends do not matter to the certificate, and those of the parameters alone are many.
    fn side(&self, grid: &Grid<N>, bends: &Bends) -> usize {
        let Probe { ball, half_axis, .. } = *self.probe;
        if self.start.is_none() {
            return side_that_bends(grid, bends);
        }
        let [a, b, c, d] = grid.corners();
        let square = half_axis.length_squared();
        let along_axis = if square > 0.0 { ball.translation.dot(half_axis) / square } else { 0.0 };
        let directions = [(d - a).cross(b - c), ball.translation - half_axis * along_axis];
        let [out, along] = directions.map(|direction| {
            let length = sqrt(direction.length_squared());
            let direction = if length > 0.0 { direction / length } else { DVec3::ZERO };
            grid.bends_along(direction)
        });
        let seen = Bends { uu: out.uu + along.uu, uv: out.uv + along.uv, vv: out.vv + along.vv };
        side_that_bends(grid, if seen.flatness() > UNSEEN * bends.flatness() { &seen } else { bends })
    }

    fn settle(&self, grid: &Grid<N>, bound: f64, best: Option<PatchHit>) -> Settled<PatchHit> {
        let (probe, is_point) = (self.probe, self.probe.is_point());
        if self.start.is_some_and(|normal| self.stays_above(grid, normal)) {
            return Settled::Nothing;
        }
        let guess = match best {
            Some(PatchHit { place: [u, v], fraction, .. }) => [u, v, fraction],
            None => {
                let time = if is_point { probe.plane_crossing(grid, bound) } else { bound };
                let [u, v] = probe.plane_foot(grid, time);
                [u, v, time]
            }
        };
        let crossing = if is_point { probe.crossing(grid, guess, self.radius) } else { None };
        let polished = match crossing {
            Some(stand) => Polished::Touch(stand),
            None if is_point && probe.passes(grid) => return Settled::Nothing,
            None => probe.polish(grid, guess, self.radius),
        };
        let clear = |stand: &Stand, when| stand.is_clear(grid, probe, self.clear(), when);
        match polished {
            Polished::Touch(stand) => self.settle_touch(&stand, clear(&stand, When::Before)),
            Polished::Nearest(stand, when) if clear(&stand, when) => Settled::Nothing,
            _ if self.start.is_some() => self.settle_near(grid, [guess[0], guess[1]]),
            _ => Settled::Unknown(None),
        }
    }

    fn stop(&self, grid: &Grid<N>, bound: f64) -> PatchHit {
        let probe = self.probe;
        let near = probe.facets_foot(grid, bound);
        let is_point = near.distance <= 16.0 * probe.rounding || near.normal == DVec3::ZERO;
        let normal = if is_point { probe.ball.face_normal(near.face) } else { near.normal };
        PatchHit {
            fraction: bound,
            foot: near.foot,
            normal,
            place: [near.u, near.v],
            start_overlap: false,
            certified: false,
        }
    }

    fn placed(answer: PatchHit, part: &SubRectangle) -> PatchHit {
        PatchHit { place: part.place(answer.place), ..answer }
    }

    fn placed_on(answer: &PatchHit, part: &SubRectangle) -> Option<PatchHit> {
        Some(PatchHit { place: part.place_on(answer.place)?, ..*answer })
    }
}

/// Which piece is nearest at the start.
struct Here<'a> {
    probe: &'a Probe,
    /// The distance that the answer is compared with: the farther below, the less exact it need be.
    about: f64,
}

impl<const N: usize> Question<N> for Here<'_> {
    type Answer = PatchFoot;

    fn quick_bound(&self, grid: &Grid<N>) -> f64 {
        self.probe.hull_gap(grid)
    }

    fn bound(&self, grid: &Grid<N>, flatness: f64, _: f64) -> f64 {
        let distance = self.probe.facets_foot(grid, 0.0).distance - flatness - self.probe.rounding;
        if distance > 0.0 { distance } else { 0.0 }
    }

    fn number(answer: &PatchFoot) -> f64 {
        answer.distance
    }

    fn is_flat(&self, flatness: f64, bound: f64, flat: f64) -> bool {
        flatness <= flat.max((self.about - bound) * COARSE)
    }

    fn coarsest(&self, flat: f64) -> f64 {
        flat.max(self.about * COARSE)
    }

    fn is_behind(&self, grid: &Grid<N>, foot: &PatchFoot) -> bool {
        self.probe.height(grid, DVec3::ZERO, foot.normal) >= foot.distance
    }

    fn settle(&self, grid: &Grid<N>, _: f64, best: Option<PatchFoot>) -> Settled<PatchFoot> {
        let probe = self.probe;
        let [u, v] = best.map_or_else(|| probe.plane_foot(grid, 0.0), |best| best.place);
        let Some(stand) = probe.polish_at(grid, [u, v, 0.0]) else { return Settled::Unknown(None) };
        let distance = stand.distance();
        let clear = (distance - probe.rounding).max(0.0);
        let normal = match stand.normal() {
            // So near, the arm is rounding.
            Some(normal) if distance <= 8.0 * probe.rounding => {
                let center = -stand.jet.point;
                if normal.dot(center).abs() > 8.0 * probe.rounding {
                    towards(normal, center)
                } else {
                    upwards(normal)
                }
            }
            _ if distance > 0.0 => stand.arm / distance,
            _ => DVec3::Y,
        };
        let foot = PatchFoot { distance, foot: stand.jet.point, normal, place: [stand.u, stand.v] };
        // No place is nearer than one that is touched.
        if clear == 0.0 || stand.is_clear(grid, probe, clear, When::Now) {
            Settled::Found(foot)
        } else {
            Settled::Unknown(Some(foot))
        }
    }

    fn stop(&self, grid: &Grid<N>, bound: f64) -> PatchFoot {
        let near = self.probe.facets_foot(grid, 0.0);
        let normal = match near.face {
            Some(face) if near.normal == DVec3::ZERO => upwards(face),
            None if near.normal == DVec3::ZERO => DVec3::Y,
            _ => near.normal,
        };
        PatchFoot { distance: bound, foot: near.foot, normal, place: [near.u, near.v] }
    }

    fn placed(answer: PatchFoot, part: &SubRectangle) -> PatchFoot {
        PatchFoot { place: part.place(answer.place), ..answer }
    }

    fn placed_on(answer: &PatchFoot, part: &SubRectangle) -> Option<PatchFoot> {
        Some(PatchFoot { place: part.place_on(answer.place)?, ..*answer })
    }
}
