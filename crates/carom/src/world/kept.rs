//! Triangles that were gathered around a mover, kept to be asked again and again.
//!
//! Their boxes stand apart from them, by side and axis, so that four are looked at with one comparison a side: of what is near a mover a
//! question concerns a few. Numbers are small here, as everything lies about one place: what f32 may be wrong by is a share of how far
//! that reaches, not of the whole level.

use alloc::vec::Vec;
use core::ops::Range;

use glam::Vec3;
use wide::f32x4;

use super::leaves::{Fetched, lanes};
use super::screen::{Four, Lanes};
use crate::num::bound::{f32_above, f32_below};
use crate::shape::Aabb;
use crate::tree::{Course, WIDTH};

/// Triangles of any number of bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    triangles: Vec<Fetched>,
    fours: Vec<Boxes>,
    /// By number, those of the fours that a tick mostly asks.
    active: Vec<u32>,
}

/// The boxes around four triangles: lower and upper sides, by axis.
#[derive(Clone, Copy, Debug)]
struct Boxes {
    lower: [[f32; WIDTH]; 3],
    upper: [[f32; WIDTH]; 3],
}

impl Boxes {
    /// Those of nothing: they share no point with anything.
    const NOTHING: Self = Self { lower: [[f32::INFINITY; WIDTH]; 3], upper: [[f32::NEG_INFINITY; WIDTH]; 3] };
}

/// Where the triangles of one body stand.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    triangles: Range<usize>,
    fours: Range<usize>,
    /// The box around all of them.
    bounds: [Vec3; 2],
    /// Where the fours stand that share a point with a box, and that box; none: all of them are asked.
    active: Option<(Range<usize>, [Vec3; 2])>,
}

/// The triangles of one body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangles<'a> {
    pub(crate) triangles: &'a [Fetched],
    fours: &'a [Boxes],
    /// The box around all of them.
    pub(crate) bounds: [Vec3; 2],
    /// The fours that share a point with a box, and that box.
    active: Option<(&'a [u32], [Vec3; 2])>,
}

impl Kept {
    pub(crate) fn clear(&mut self) {
        self.triangles.clear();
        self.fours.clear();
        self.active.clear();
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Keeps what `gather` adds. Where that stands; none if it is nothing.
    pub(crate) fn add(&mut self, gather: impl FnOnce(&mut dyn FnMut(&Fetched))) -> Option<Stretch> {
        let Self { triangles, fours, .. } = self;
        let (first, first_four) = (triangles.len(), fours.len());
        let mut bounds = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        gather(&mut |fetched| {
            let lane = (triangles.len() - first) % WIDTH;
            if lane == 0 {
                fours.push(Boxes::NOTHING);
            }
            let [lower, upper] = fetched.bounds();
            if let Some(boxes) = fours.last_mut() {
                for axis in 0..3 {
                    boxes.lower[axis][lane] = lower[axis];
                    boxes.upper[axis][lane] = upper[axis];
                }
            }
            bounds = [bounds[0].min(lower), bounds[1].max(upper)];
            triangles.push(*fetched);
        });
        let (triangles, fours) = (first..triangles.len(), first_four..fours.len());
        (!triangles.is_empty()).then_some(Stretch { triangles, fours, bounds, active: None })
    }

    /// What stands there.
    pub(crate) fn stretch(&self, stretch: &Stretch) -> Triangles<'_> {
        Triangles {
            triangles: &self.triangles[stretch.triangles.clone()],
            fours: &self.fours[stretch.fours.clone()],
            bounds: stretch.bounds,
            active: stretch.active.as_ref().map(|(active, area)| (&self.active[active.clone()], *area)),
        }
    }

    /// Forgets what is mostly asked, of all stretches, to be narrowed anew.
    pub(crate) fn widen(&mut self) {
        self.active.clear();
    }

    /// Counts those of a stretch whose boxes share a point with an area, and marks those of another as the ones that are mostly asked. Without
    /// an area it is all of them.
    pub(crate) fn narrow(&mut self, stretch: &mut Stretch, all: Option<Aabb>, most: Option<Aabb>) -> usize {
        let Self { fours, active, .. } = self;
        let bounds = |area: Aabb| [f32_above(area.min()), f32_below(area.max())];
        let all = all.map(bounds);
        // What is outside of the one area is not looked at for the other.
        let most = most.map(bounds).map(|[lower, upper]| {
            all.map_or([lower, upper], |[low, high]| [lower.max(low), upper.min(high)])
        });
        let (near, nearest) = (all.map(Area::new), most.map(Area::new));
        let first = active.len();
        let mut count = 0;
        for (number, boxes) in (0..).zip(&fours[stretch.fours.clone()]) {
            let met = near.as_ref().map_or(1, |near| boxes.meeting(near));
            if met == 0 {
                continue;
            }
            count += ONES[met as usize % ONES.len()];
            if nearest.as_ref().is_some_and(|nearest| boxes.meeting(nearest) != 0) {
                active.push(number);
            }
        }
        stretch.active = most.map(|most| (first..active.len(), most));
        if near.is_some() { count } else { stretch.triangles.len() }
    }
}

/// How many bits are set in four.
const ONES: [usize; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

/// A box, four times.
struct Area {
    lower: [f32x4; 3],
    upper: [f32x4; 3],
}

impl Area {
    #[inline(always)]
    fn new([lower, upper]: [Vec3; 2]) -> Self {
        Self { lower: lower.to_array().map(f32x4::splat), upper: upper.to_array().map(f32x4::splat) }
    }
}

impl Boxes {
    /// A bit for each that shares a point with an area.
    #[inline(always)]
    fn meeting(&self, area: &Area) -> u32 {
        let sides = |axis: usize| {
            f32x4::new(self.lower[axis]).simd_le(area.upper[axis])
                & f32x4::new(self.upper[axis]).simd_ge(area.lower[axis])
        };
        (sides(0) & sides(1) & sides(2)).to_bitmask()
    }
}

impl<'a> Triangles<'a> {
    /// Visits those whose boxes share a point with one.
    #[inline(always)]
    fn meeting(&self, bounds: [Vec3; 2], mut visit: impl FnMut(&'a Fetched)) {
        let area = Area::new(bounds);
        let mut look = |number: usize| {
            let Some(boxes) = self.fours.get(number) else { return };
            let mut met = boxes.meeting(&area);
            while met != 0 {
                // Where there is no triangle there is nothing to be met.
                if let Some(fetched) = self.triangles.get(WIDTH * number + met.trailing_zeros() as usize) {
                    visit(fetched);
                }
                met &= met - 1;
            }
        };
        match &self.active {
            Some((active, [lower, upper]))
                if lower.cmple(bounds[0]).all() && upper.cmpge(bounds[1]).all() =>
            {
                active.iter().for_each(|number| look(*number as usize));
            }
            _ => (0..self.fours.len()).for_each(look),
        }
    }

    /// Hands over, four at a time, those whose boxes meet the box around a course: most do not, and of four that happen to stand
    /// together one often does.
    #[inline(always)]
    pub(crate) fn in_fours(&self, course: &Course, mut visit: impl FnMut(&AtHand<'a>)) {
        let Some(first) = self.triangles.first() else { return };
        let mut four = AtHand { triangles: [first; WIDTH], count: 0 };
        let (lower, upper) = course.bounds();
        self.meeting([lower, upper], |fetched| {
            four.triangles[four.count] = fetched;
            four.count += 1;
            if four.count == WIDTH {
                visit(&four);
                four.count = 0;
            }
        });
        if four.count > 0 {
            let last = four.triangles[four.count - 1];
            four.triangles[four.count..].fill(last);
            visit(&four);
        }
    }
}

/// One to four of them.
pub(crate) struct AtHand<'a> {
    /// The last of them again for those that are missing.
    pub(crate) triangles: [&'a Fetched; WIDTH],
    pub(crate) count: usize,
}

impl Four for AtHand<'_> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    fn fetch(&self, lane: usize) -> Fetched {
        *self.triangles[lane]
    }

    #[inline(always)]
    fn corners(&self) -> [Lanes; 3] {
        let [p, q, r, s] = self.triangles.map(Fetched::rows);
        [lanes([p[0], q[0], r[0], s[0]]), lanes([p[1], q[1], r[1], s[1]]), lanes([p[2], q[2], r[2], s[2]])]
    }
}
