//! Separating axes with velocity: the common part of the cuboid kernels.
//!
//! Source: Gottschalk, Lin and Manocha, “OBB trees” (1996); with velocities: Bobic, *Advanced collision
//! detection techniques* (2000), and Levine's note on moving convex polytopes in Eberly, *Method of
//! separating axes*. Idea: on one axis both shapes are intervals, and the mover's has a speed. They meet from
//! an enter to a leave; the shapes meet when all intervals do: from the largest enter, unless a leave comes
//! first. The last axis to enter is the normal.
//!
//! Error: every axis is tested with the mover grown by δ (see `moving_cuboid`) and faster by κ, which
//! outweighs all rounding. So an answer of "free" is proved by one axis, or by two that take turns, and a hit
//! is never late. Where it stops, no gap is larger than 3δ + κ·way, 7δ where enters that rounding cannot
//! distinguish are settled by rank: every axis is compared with every other for that, not only with the best
//! before it, or one that hardly moves would hide the rest. No axis is too short to be used: the error of a
//! projection shrinks with the length of its axis, and any direction that separates, separates. Only an axis
//! of no length at all is left out, by the caller. Cost: two divisions an axis, three where the shapes are
//! apart. Never gives up; a NaN stops the mover.

use glam::DVec3;

use crate::num::ops;

/// Half an ulp of one: what one rounding can lose, relative to its result.
pub(in crate::sweep) const ROUNDING: f64 = 0.5 * f64::EPSILON;

/// κ: slower than this share of its own speed along a unit axis, a mover does not approach on it. The speed
/// on an axis is known to 60 roundings, the place at which it is for some time included (see
/// `moving_cuboid`).
pub(in crate::sweep) const APPROACH: f64 = 64.0 * ROUNDING;

/// Which axis gives the normal when two axes are entered, or overlap equally, to within rounding: the other's
/// face before all, then the mover's own axes, then the edge pairs; of one rank the last to enter, of equals
/// the one visited first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::sweep) enum Rank {
    OtherFace,
    MoverFace,
    EdgePair,
}

/// One axis, and the intervals of both shapes on it, in multiples of the axis' length.
#[derive(Clone, Copy, Debug)]
pub(in crate::sweep) struct Axis {
    pub(in crate::sweep) rank: Rank,
    /// The axis or edge of the other that it comes from.
    pub(in crate::sweep) index: usize,
    /// In the mover's frame. Any length but zero.
    pub(in crate::sweep) direction: DVec3,
    /// The sum of the direction's absolute components: at least its length, at most √3 of it.
    pub(in crate::sweep) span: f64,
    /// The extent of the mover to both sides of its center, which starts at 0.
    pub(in crate::sweep) radius: f64,
    /// The other's lower end.
    pub(in crate::sweep) low: f64,
    /// The other's upper end.
    pub(in crate::sweep) high: f64,
    /// The mover's speed.
    pub(in crate::sweep) speed: f64,
}

impl Axis {
    /// Whether a speed towards the other is more than rounding. `slow` is κ times the mover's whole speed.
    #[inline(always)]
    fn approaches(&self, speed: f64, slow: f64) -> bool {
        // The span is at least the length, so this decides nearly always; neither comparison holds for a NaN.
        if speed <= 0.0 {
            return false;
        }
        if speed > slow * self.span {
            return true;
        }
        self.approaches_slowly(speed, slow)
    }

    #[cold]
    fn approaches_slowly(&self, speed: f64, slow: f64) -> bool {
        let per_span = speed / self.span;
        let free = per_span <= slow * self.length_per_span();
        !free
    }

    /// 1/√3 … 1. Divided first, so that no square underflows.
    fn length_per_span(&self) -> f64 {
        ops::sqrt((self.direction / self.span).length_squared())
    }
}

/// A visitor of the axes of a pair.
pub(in crate::sweep) trait Visitor {
    /// Takes one more axis into account. `None` ends the walk: nothing that follows can matter.
    fn visit(&mut self, axis: Axis) -> Option<()>;
}

/// Two shapes, one of them moving, and the axes on which they have to be compared.
pub(in crate::sweep) trait Pair {
    /// Shows all axes, the cheap ones first.
    fn walk(&self, visitor: &mut impl Visitor) -> Option<()>;

    /// The lower and the upper end of the resting shape on an axis of the mover's frame, given by the product
    /// with it.
    fn ends(&self, along: impl Fn(DVec3) -> f64) -> (f64, f64);
}

/// The motion of the mover, as far as the axes need it.
#[derive(Clone, Copy, Debug)]
pub(in crate::sweep) struct Pace {
    /// The length of the velocity.
    pub(in crate::sweep) speed: f64,
    /// The time at which the translation ends.
    pub(in crate::sweep) end: f64,
}

/// A contact on one axis.
#[derive(Clone, Copy, Debug)]
pub(in crate::sweep) struct Touch {
    pub(in crate::sweep) rank: Rank,
    pub(in crate::sweep) index: usize,
    /// The axis in the mover's frame, pointing towards the other: the normal runs against it.
    pub(in crate::sweep) direction: DVec3,
    /// 1 if the axis had that direction, −1 if it has been turned round.
    pub(in crate::sweep) sign: f64,
    /// In the units of the mover's velocity; 0 if they touch or overlap already.
    pub(in crate::sweep) time: f64,
    /// How far apart the two are along the axis then, in units: negative in an overlap, 0 for other hits.
    pub(in crate::sweep) gap: f64,
    /// δ on this axis.
    pub(in crate::sweep) tolerance: f64,
    pub(in crate::sweep) start_overlap: bool,
}

impl Touch {
    fn new(axis: &Axis, sign: f64, tolerance: f64) -> Self {
        Self {
            rank: axis.rank,
            index: axis.index,
            direction: axis.direction * sign,
            sign,
            time: 0.0,
            gap: 0.0,
            tolerance,
            start_overlap: false,
        }
    }
}

/// The first contact of a pair, both grown by `delta`; `None` if the path is free.
#[inline(always)]
pub(in crate::sweep) fn first_contact(pair: &impl Pair, pace: Pace, delta: f64) -> Option<Touch> {
    let slow = APPROACH * pace.speed;
    let mut passage = Passage {
        delta,
        slow,
        enter: f64::NEG_INFINITY,
        near: f64::NEG_INFINITY,
        leave: pace.end,
        other_face: None,
        mover_face: None,
        edge_pair: None,
    };
    pair.walk(&mut passage)?;
    let touches = [passage.other_face, passage.mover_face, passage.edge_pair];
    if touches.iter().all(Option::is_none) {
        return overlap(pair, slow, delta);
    }
    // The latest of all axes is near enough in any case (a NaN would leave none: then any of them stops the
    // mover).
    touches
        .into_iter()
        .flatten()
        .find(|touch| touch.time >= passage.near)
        .or(touches.into_iter().flatten().next())
}

/// The axis on which a pair is farthest apart, or overlaps least. May be `None` if it is more than `within`
/// apart there, in units.
#[inline(always)]
pub(in crate::sweep) fn least_depth(pair: &impl Pair, delta: f64, within: f64) -> Option<Touch> {
    let mut least = LeastDepth { delta, beyond: within + 4.0 * delta, depth: f64::INFINITY, best: None };
    pair.walk(&mut least)?;
    let (axis, sign) = least.best?;
    let (gap, start_overlap) = (-least.depth, least.depth > delta);
    Some(Touch { gap, start_overlap, ..Touch::new(&axis, sign, delta * axis.span) })
}

/// The contact of a pair that overlaps on every axis: on the axis of least depth, if the mover moves deeper
/// on it.
#[cold]
fn overlap(pair: &impl Pair, slow: f64, delta: f64) -> Option<Touch> {
    let mut least = LeastDepth { delta, beyond: f64::INFINITY, depth: f64::INFINITY, best: None };
    pair.walk(&mut least)?;
    let (axis, sign) = least.best?;
    let gap = -least.depth;
    let touch = Touch { gap, start_overlap: true, ..Touch::new(&axis, sign, delta * axis.span) };
    axis.approaches(sign * axis.speed, slow).then_some(touch)
}

/// Keeps the last axis to enter, and the first to leave.
struct Passage {
    delta: f64,
    slow: f64,
    /// May be before the start.
    enter: f64,
    /// From here on no gap is larger than rounding.
    near: f64,
    /// No later than the end of the translation.
    leave: f64,
    /// The last axis to enter, for each rank.
    other_face: Option<Touch>,
    mover_face: Option<Touch>,
    edge_pair: Option<Touch>,
}

impl Visitor for Passage {
    #[inline(always)]
    fn visit(&mut self, axis: Axis) -> Option<()> {
        let tolerance = self.delta * axis.span;
        // Mirrored so that the mover moves up, without branches, which would be mispredicted half of the
        // time.
        let sign = 1f64.copysign(axis.speed);
        let (one, another, speed) = (sign * axis.low, sign * axis.high, axis.speed.abs());
        let (low, high) = (lesser(one, another), greater(one, another));
        let (ahead, behind) = (low - axis.radius, -high - axis.radius);
        // Separated or touching, and no nearer later: by convexity no contact at all.
        if behind >= -tolerance && behind > ahead {
            return None;
        }
        let slack = self.slow * axis.span;
        if speed <= slack && ahead >= -tolerance && !axis.approaches(speed, self.slow) {
            return None;
        }
        // The most that rounding adds to the speed; not part of δ, because it is nothing for a short path.
        let (fast, slow) = (speed + slack, greater(speed - slack, 0.0));
        let way = ahead - tolerance;
        let time = way / fast;
        self.enter = greater(self.enter, time);
        // On an axis on which the mover stands still it never leaves: 1/0.
        self.leave = lesser(self.leave, (high + axis.radius + tolerance) / slow);
        if self.enter > self.leave {
            return None;
        }
        if ahead >= -tolerance {
            self.near = greater(self.near, (way - 2.0 * tolerance) / fast);
            let time = greater(0.0, time);
            let best = match axis.rank {
                Rank::OtherFace => &mut self.other_face,
                Rank::MoverFace => &mut self.mover_face,
                Rank::EdgePair => &mut self.edge_pair,
            };
            if best.is_none_or(|best| time > best.time) {
                *best = Some(Touch { time, ..Touch::new(&axis, sign, tolerance) });
            }
        }
        Some(())
    }
}

/// More than the relative rounding error of a depth, and of the bounds that it is compared with.
const NOISE: f64 = 32.0 * ROUNDING;
/// 2⁻⁹⁰⁰. Squares above it are not affected by underflow.
const SQUARES: f64 = {
    let square = 1.0 / (1u128 << 100) as f64;
    let cube = square * square * square;
    cube * cube * cube
};

/// Keeps the axis on which a pair overlaps least, and the side on which the other lies.
struct LeastDepth {
    delta: f64,
    /// A pair farther apart than this on any axis has no contact that counts. The depth at the end is larger
    /// than that of any axis by at most two δ, because only axes of a lower rank may raise it, by one δ each.
    beyond: f64,
    depth: f64,
    best: Option<(Axis, f64)>,
}

impl LeastDepth {
    /// Whether an axis surely overlaps by no less than the best: without a root or a division.
    ///
    /// The relative error of a depth is 8 roundoffs. Where the shapes overlap on the axis, it is at least the
    /// overlap by the span, which is the larger of the two lengths. Where they are apart it may be half of δ
    /// below the best: squares that left the range say nothing.
    #[inline(always)]
    fn is_passed(&self, axis: &Axis, gap: f64) -> bool {
        if gap <= 0.0 {
            return -gap >= self.depth * axis.span * (1.0 + NOISE);
        }
        let most = (0.5 * self.delta - self.depth) * (1.0 - NOISE);
        let length_squared = axis.direction.length_squared();
        let bound = most * most * length_squared;
        most > 0.0 && length_squared >= SQUARES && bound >= SQUARES && gap * gap <= bound && bound < f64::MAX
    }

    /// Whether the shapes are surely too far apart on an axis: without a root or a division, as above.
    #[inline(always)]
    fn is_beyond(&self, axis: &Axis, gap: f64) -> bool {
        let length_squared = axis.direction.length_squared();
        let bound = self.beyond * self.beyond * length_squared * (1.0 + NOISE);
        let is_in_range = length_squared >= SQUARES && (SQUARES..f64::MAX).contains(&bound);
        gap > 0.0 && self.beyond > 0.0 && is_in_range && gap * gap > bound
    }

    /// Takes an axis into account that may be the best.
    #[inline(never)]
    fn compare(&mut self, axis: &Axis, sign: f64, gap: f64) {
        let depth = -gap / axis.span / axis.length_per_span();
        let decides = match &self.best {
            None => true,
            Some((best, _)) if axis.rank < best.rank => depth <= self.depth + self.delta,
            Some(_) => depth < self.depth - self.delta,
        };
        if decides {
            self.depth = depth;
            self.best = Some((*axis, sign));
        }
    }
}

impl Visitor for LeastDepth {
    #[inline(always)]
    fn visit(&mut self, axis: Axis) -> Option<()> {
        let (above, below) = (axis.low - axis.radius, -axis.high - axis.radius);
        // The other lies where the overlap is less; if that does not decide, where the mover moves to.
        let is_above = above > below || (above == below && axis.speed > 0.0);
        let (sign, gap) = if is_above { (1.0, above) } else { (-1.0, below) };
        if self.is_beyond(&axis, gap) {
            return None;
        }
        let is_lower = self.best.as_ref().is_none_or(|(best, _)| axis.rank < best.rank);
        if is_lower || !self.is_passed(&axis, gap) {
            self.compare(&axis, sign, gap);
        }
        Some(())
    }
}

// Plain comparisons: f64::min and max need more instructions for NaN. A NaN in second place is ignored.
#[inline(always)]
pub(in crate::sweep) fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

#[inline(always)]
pub(in crate::sweep) fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}
