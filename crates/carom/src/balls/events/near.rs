//! The neighbors that a ball may hit: two at a time, without a branch.
//!
//! Source: `docs/balls.md`, "When two balls meet": the three cheap tests. Half of all neighbors move apart
//! and most others pass by, so a branch would be mispredicted every other time. Here all three tests are
//! computed for all neighbors, and the result moves the end of a list. A neighbor that is dismissed here
//! would also be dismissed by [`straight_meeting`](crate::balls::flight::straight_meeting): the same sums in
//! the same order. Cost: about 35 instructions per neighbor. It never gives up: a NaN stays.

use alloc::vec::Vec;

use glam::DVec3;
use wide::f64x2;

use crate::balls::flight::SLACK;
use crate::balls::grid::neighbor_list::{IMAGES, NeighborList};
use crate::balls::state::{BallHot, Measure};

/// Buffers, reused for each ball.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    pub(crate) list: NeighborList,
    shifts: [DVec3; IMAGES],
    maybe: Vec<Maybe>,
}

/// A neighbor that the ball may meet.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Maybe {
    /// The earliest time from now at which they can meet.
    pub(crate) bound: f64,
    /// Its place in the list of neighbors.
    pub(crate) at: u32,
}

/// The ball whose neighbors are sifted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asking {
    pub(crate) position: DVec3,
    pub(crate) velocity: DVec3,
    pub(crate) radius: f64,
    pub(crate) now: f64,
    /// Meetings later than this from now do not matter.
    pub(crate) horizon: f64,
}

impl Near {
    /// With the shifts of positions, by image.
    pub(crate) fn new(shifts: &[DVec3; IMAGES]) -> Self {
        Self { list: NeighborList::default(), shifts: *shifts, maybe: Vec::new() }
    }

    pub(crate) fn count(&self) -> usize {
        self.list.count
    }

    /// The ball at a place in the list, and the shift of its position.
    #[inline(always)]
    pub(crate) fn get(&self, at: usize) -> (usize, DVec3) {
        let NeighborList { balls, images, round, .. } = &self.list;
        let shift = if *round { self.shifts[images[at] as usize] } else { DVec3::ZERO };
        (balls[at] as usize, shift)
    }

    /// Finds the neighbors that the ball may meet within the horizon, if none is accelerated, and returns how
    /// many: the one with the earliest bound in front, the others in the order of the list.
    #[inline]
    pub(crate) fn sift(&mut self, hot: &[BallHot], radii: &Measure, asking: &Asking) -> usize {
        if self.maybe.len() < self.list.balls.len() {
            self.maybe.resize(self.list.balls.len(), Maybe::default());
        }
        let count = match (self.list.round, radii.same()) {
            (false, Some(radius)) => self.sift_from::<false>(hot, |_| radius, asking),
            (true, Some(radius)) => self.sift_from::<true>(hot, |_| radius, asking),
            (false, None) => self.sift_from::<false>(hot, |ball| radii.of(ball), asking),
            (true, None) => self.sift_from::<true>(hot, |ball| radii.of(ball), asking),
        };
        let maybe = &mut self.maybe[..count];
        let mut first = 0;
        for k in 1..count {
            if maybe[k].bound < maybe[first].bound {
                first = k;
            }
        }
        if first > 0 {
            maybe[..=first].rotate_right(1);
        }
        count
    }

    /// A neighbor that was found.
    #[inline(always)]
    pub(crate) fn maybe(&self, k: usize) -> Maybe {
        self.maybe[k]
    }

    #[inline(always)]
    fn sift_from<const ROUND: bool>(
        &mut self,
        hot: &[BallHot],
        radius_of: impl Fn(usize) -> f64,
        asking: &Asking,
    ) -> usize {
        let Asking { position, velocity, radius, now, horizon } = *asking;
        let position = position.to_array().map(f64x2::splat);
        let velocity = velocity.to_array().map(f64x2::splat);
        let (radius, now) = (f64x2::splat(radius), f64x2::splat(now));
        let latest = f64x2::splat(-2.0 * horizon * (1.0 + SLACK));
        let (slack, twice) = (f64x2::splat(SLACK), f64x2::splat(-2.0 * (1.0 + 2.0 * SLACK)));
        let zero = f64x2::splat(0.0);
        let mut found = 0;
        let Self { list: NeighborList { balls, images, count, .. }, shifts, maybe } = self;
        if *count == 0 {
            return 0;
        }
        // An odd one out is computed twice, and counts once.
        balls[*count] = balls[*count - 1];
        images[*count] = images[*count - 1];
        let mut at = 0;
        for (pair, images) in balls.chunks_exact(2).zip(images.chunks_exact(2)) {
            if at >= *count {
                break;
            }
            let (a, b) = (&hot[pair[0] as usize], &hot[pair[1] as usize]);
            let both = |a: f64, b: f64| f64x2::new([a, b]);
            let passed = now - both(a.time, b.time);
            let mut offset = [
                position[0] - (both(a.position.x, b.position.x) + both(a.velocity.x, b.velocity.x) * passed),
                position[1] - (both(a.position.y, b.position.y) + both(a.velocity.y, b.velocity.y) * passed),
                position[2] - (both(a.position.z, b.position.z) + both(a.velocity.z, b.velocity.z) * passed),
            ];
            if ROUND {
                let (a, b) = (shifts[images[0] as usize], shifts[images[1] as usize]);
                offset = [offset[0] - both(a.x, b.x), offset[1] - both(a.y, b.y), offset[2] - both(a.z, b.z)];
            }
            let velocity = [
                velocity[0] - both(a.velocity.x, b.velocity.x),
                velocity[1] - both(a.velocity.y, b.velocity.y),
                velocity[2] - both(a.velocity.z, b.velocity.z),
            ];
            let sum = radius + both(radius_of(pair[0] as usize), radius_of(pair[1] as usize));
            let nearing = dot(offset, velocity);
            let (squared, speed) = (dot(offset, offset), dot(velocity, velocity));
            let surely_beyond = squared - sum * sum - squared * slack;
            let parts = nearing.simd_ge(zero);
            let passes_by = (nearing * nearing).simd_lt(speed * surely_beyond);
            let too_late = surely_beyond.simd_gt(nearing * latest);
            let stays = !(parts | passes_by | too_late).to_bitmask();
            let bound = (surely_beyond / (nearing * twice)).to_array();
            maybe[found] = Maybe { bound: bound[0], at: at as u32 };
            found += (stays & 1) as usize;
            maybe[found] = Maybe { bound: bound[1], at: at as u32 + 1 };
            found += (stays >> 1 & 1) as usize & usize::from(at + 1 < *count);
            at += 2;
        }
        found
    }
}

/// Sums in the order of `DVec3::dot`.
#[inline(always)]
fn dot(a: [f64x2; 3], b: [f64x2; 3]) -> f64x2 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
