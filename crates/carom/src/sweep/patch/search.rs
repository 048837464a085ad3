//! The first contact with a curved piece, and the nearest point of one: cut, bound, polish, certify.
//!
//! Source: branch and bound over halves; `docs/patches.md`. A piece is done with when its triangles, grown by
//! its flatness, are hit no earlier than what was found, when Newton's place on it is certified, or when it
//! is so flat that its triangles stand for it. Error: certified places are exact to rounding; the rest is
//! early by at most the tolerance, never late. Cost: mostly one piece. Gives up: after [`PIECES`] the bounds
//! of what is left are the answer.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::sub_rectangle::SubRectangle;
use crate::shape::patch::grid::{Bends, Grid};

/// Pieces that one query may look at.
const PIECES: usize = 4096;
/// A share of 2⁻³⁰ is as small as any tolerance needs; one more piece waits on each level of either side.
const WAITING: usize = 72;

/// The first contact with a patch, in the space of the mover.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PatchHit {
    pub(crate) fraction: f64,
    pub(crate) foot: DVec3,
    pub(crate) normal: DVec3,
    /// Where on the patch.
    pub(crate) place: [f64; 2],
    pub(crate) start_overlap: bool,
    /// Whether it is exact but for rounding; else it is a bound.
    pub(crate) certified: bool,
}

/// The nearest point of a patch, in the space of the mover.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PatchFoot {
    /// From the mover's center or axis, or, for a cuboid, from the mover itself; negative inside.
    pub(crate) distance: f64,
    pub(crate) foot: DVec3,
    pub(crate) normal: DVec3,
    pub(crate) place: [f64; 2],
}

/// The state of a piece.
pub(super) enum Settled<T> {
    /// This is the answer for all of it.
    Found(T),
    /// Nothing of it counts.
    Nothing,
    /// It has to be cut. The answer of one of its places, if one is known: others may have a lower number.
    Unknown(Option<T>),
}

/// A question whose answer is the piece with the least of some number: a fraction, or a distance.
pub(super) trait Question<const N: usize> {
    type Answer: Copy;

    /// No point of the piece has a lower number, by what is quick; infinite if it is of no interest.
    fn quick_bound(&self, grid: &Grid<N>) -> f64 {
        let _ = grid;
        f64::NEG_INFINITY
    }
    /// The same by the triangles of a piece, which is asked of those that are cut; not below the quick one.
    fn bound(&self, grid: &Grid<N>, flatness: f64, quick: f64) -> f64;
    /// The number of an answer.
    fn number(answer: &Self::Answer) -> f64;
    /// Whether a piece is so flat that its triangles stand for it.
    fn is_flat(&self, flatness: f64, bound: f64, flat: f64) -> bool {
        let _ = bound;
        flatness <= flat
    }
    /// No piece less flat than this is flat by [`Self::is_flat`].
    fn coarsest(&self, flat: f64) -> f64 {
        flat
    }
    /// Whether the plane of an answer shows that no point of the piece has a lower number.
    fn is_behind(&self, grid: &Grid<N>, answer: &Self::Answer) -> bool {
        let _ = (grid, answer);
        false
    }
    /// Along which side it is cut, u (0) or v (1).
    fn side(&self, grid: &Grid<N>, bends: &Bends) -> usize {
        side_that_bends(grid, bends)
    }
    /// Its exact answer, if that can be certified. The best answer so far may be a place of the piece, given
    /// in its own (u, v).
    fn settle(&self, grid: &Grid<N>, bound: f64, best: Option<Self::Answer>) -> Settled<Self::Answer>;
    /// Its answer by the bound alone.
    fn stop(&self, grid: &Grid<N>, bound: f64) -> Self::Answer;
    /// The answer of a part, on the whole.
    fn placed(answer: Self::Answer, part: &SubRectangle) -> Self::Answer;
    /// An answer of the whole, on a part; `None` if its place is not there, or if it is no place.
    fn placed_on(answer: &Self::Answer, part: &SubRectangle) -> Option<Self::Answer> {
        let _ = (answer, part);
        None
    }
}

struct Piece<const N: usize> {
    grid: Grid<N>,
    part: SubRectangle,
    bends: Bends,
    bound: f64,
    /// Whether the bound is only the quick one.
    is_quick: bool,
}

impl<const N: usize> Piece<N> {
    /// With the quick bound.
    fn new<Q: Question<N>>(question: &Q, grid: Grid<N>, part: SubRectangle) -> Self {
        let bound = question.quick_bound(&grid);
        Self { grid, part, bends: grid.bends(), bound, is_quick: true }
    }

    /// With the bound by its triangles, if it may count.
    fn bounded<Q: Question<N>>(mut self, question: &Q, limit: f64) -> Self {
        if self.is_quick && !(self.bound > limit) {
            self.bound = question.bound(&self.grid, self.bends.flatness(), self.bound);
            self.is_quick = false;
        }
        self
    }
}

/// The answer with the least number that is at most `within`. `flat` is how flat a piece must be for its
/// triangles to stand for it.
pub(super) fn least<const N: usize, Q: Question<N>>(
    question: &Q,
    root: &Grid<N>,
    within: f64,
    flat: f64,
) -> Option<Q::Answer> {
    least_from(question, root, question.quick_bound(root), within, flat)
}

/// The same where a bound of the whole is known.
pub(super) fn least_from<const N: usize, Q: Question<N>>(
    question: &Q,
    root: &Grid<N>,
    bound: f64,
    within: f64,
    flat: f64,
) -> Option<Q::Answer> {
    // Mostly the whole is all that there is to look at.
    if bound > within || bound == f64::INFINITY {
        return None;
    }
    match question.settle(root, bound, None) {
        Settled::Found(answer) => (Q::number(&answer) <= within).then_some(answer),
        Settled::Nothing => None,
        Settled::Unknown(place) => {
            let whole =
                Piece { grid: *root, part: SubRectangle::WHOLE, bends: root.bends(), bound, is_quick: true };
            least_of_parts(question, whole, place, within, flat)
        }
    }
}

/// The same where the whole has to be cut, and the answer of one of its places may be known.
#[inline(never)]
fn least_of_parts<const N: usize, Q: Question<N>>(
    question: &Q,
    whole: Piece<N>,
    place: Option<Q::Answer>,
    within: f64,
    flat: f64,
) -> Option<Q::Answer> {
    let mut best = place.filter(|place| Q::number(place) <= within);
    let mut limit = best.as_ref().map_or(within, Q::number);
    let mut waiting = ArrayVec::<Piece<N>, WAITING>::new();
    let mut next = Some(whole);
    let mut count = 0;
    while let Some(piece) = next.take().or_else(|| waiting.pop()) {
        if best.as_ref().is_some_and(|best| question.is_behind(&piece.grid, best)) {
            continue;
        }
        // The triangles of the whole tell nothing that those of its halves do not.
        let is_cut = count == 0 && piece.bends.flatness() > question.coarsest(flat);
        let Piece { grid, part, bends, bound, .. } =
            if is_cut { piece } else { piece.bounded(question, limit) };
        // Written so that a NaN continues.
        if bound > limit || bound == f64::INFINITY {
            continue;
        }
        count += 1;
        let stops = !(bends.flatness() > 0.0)
            || question.is_flat(bends.flatness(), bound, flat)
            || count > PIECES
            || waiting.is_full();
        // The whole is known to be unknown.
        let settled = if count == 1 {
            Settled::Unknown(None)
        } else {
            let here = best.as_ref().and_then(|best| Q::placed_on(best, &part));
            question.settle(&grid, bound, here)
        };
        let mut keep = |found: Q::Answer| {
            let number = Q::number(&found);
            if number <= limit && best.as_ref().is_none_or(|best| number < Q::number(best)) {
                limit = number;
                best = Some(Q::placed(found, &part));
            }
        };
        match settled {
            Settled::Found(answer) => keep(answer),
            Settled::Nothing => {}
            Settled::Unknown(_) if stops => keep(question.stop(&grid, bound)),
            Settled::Unknown(place) => {
                if let Some(place) = place {
                    keep(place);
                }
                let axis = question.side(&grid, &bends);
                let (low, high) = if axis == 0 { grid.split_u(0.5) } else { grid.split_v(0.5) };
                let [low_part, high_part] = part.halves(axis);
                let low = Piece::new(question, low, low_part);
                let high = Piece::new(question, high, high_part);
                let (near, far) = in_order(question, low, high, limit);
                waiting.push(far);
                next = Some(near);
            }
        }
    }
    best
}

/// The piece with the lower bound first. The triangles of the other are not asked where its quick bound
/// tells.
fn in_order<const N: usize, Q: Question<N>>(
    question: &Q,
    low: Piece<N>,
    high: Piece<N>,
    limit: f64,
) -> (Piece<N>, Piece<N>) {
    let (near, far) = if high.bound < low.bound { (high, low) } else { (low, high) };
    let near = near.bounded(question, limit);
    if near.bound < far.bound {
        return (near, far);
    }
    let far = far.bounded(question, limit);
    if far.bound < near.bound { (far, near) } else { (near, far) }
}

/// Along which side a piece is cut by these bends, in any unit: where it bends more; where it only twists,
/// the longer.
pub(super) fn side_that_bends<const N: usize>(grid: &Grid<N>, bends: &Bends) -> usize {
    if bends.uu.max(bends.vv) > 0.25 * bends.uv {
        return usize::from(bends.vv > bends.uu);
    }
    let [a, b, c, d] = grid.corners();
    let across = (b - a).length_squared().max((d - c).length_squared());
    let down = (c - a).length_squared().max((d - b).length_squared());
    usize::from(down > across)
}
