//! The nearest place where a mover fits, along some directions: for a mover that the planes of its overlaps
//! do not free, or only by a long distance.
//!
//! Source: `docs/movers.md`, deep starts. The distance of a mover from a convex part is a convex function of
//! its path. Past the point where the tangent says that it leaves the part, it has left the part. So each
//! part is stepped over at once. Seen from beyond, its tangent shows where it was left, never too near. The
//! rest is bisected. Error: the shortest distance along a direction to 2⁻²⁴ of the last step, if the free
//! space is not split in two. Cost: a few questions for each direction; most ask one part alone, and the
//! others gather. Gives up if nothing fits within reach.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::obstacles::{Obstacles, SurfaceContact};
use crate::num::bound::{UNIT_ROUNDOFF, reach};

/// The most steps along one direction.
const LOOKS: usize = 32;

/// The error of a way, as a share of its last step.
const PRECISION: f64 = 1.0 / 16_777_216.0;

/// Enough to bisect to that: one turn in three does.
const TURNS: usize = 3 * 24;

/// Most searches end within this many steps: before, nothing is asked that may save only a few.
const SHORT: usize = 2;

/// More contacts at the start are gathered again for each direction.
const STARTS: usize = 32;

/// Memory of the searches from one place.
pub(crate) struct Blockers<K> {
    /// Parts that were in the way before, the last one first. One that still is answers alone: no other part
    /// changes the answer.
    last: ArrayVec<K, 2>,
    /// The overlaps at the place; `None` if they are not known, or too many.
    start: Option<ArrayVec<SurfaceContact<K>, STARTS>>,
}

impl<K: Copy + Ord> Blockers<K> {
    /// For searches from a place.
    pub(crate) fn of<O: Obstacles<Key = K>>(obstacles: &O, from: DVec3) -> Self {
        let (mut start, mut is_all) = (ArrayVec::new(), true);
        obstacles.contacts(from, 0.0, 0.0, &mut |touch| is_all &= start.try_push(touch).is_ok());
        Self { last: ArrayVec::new(), start: Some(start).filter(|_| is_all) }
    }

    /// Whether one of them is in the way so that `answers` is true of its contact, as it is if that is deeper
    /// than the smallest radius.
    fn answer<O: Obstacles<Key = K>>(
        &mut self,
        obstacles: &O,
        at: DVec3,
        answers: impl Fn(&SurfaceContact<K>) -> bool,
    ) -> bool {
        let is_one = |key: &K| {
            obstacles.holds_center(*key, at, 0.0)
                || obstacles.contact(*key, at, 0.0).is_some_and(|touch| answers(&touch))
        };
        let found = self.last.iter().position(is_one);
        found.inspect(|found| self.last[..=*found].rotate_right(1)).is_some()
    }

    fn add(&mut self, key: K) {
        if let Some(place) = self.last.iter().position(|other| *other == key) {
            self.last.remove(place);
        } else if self.last.is_full() {
            self.last.pop();
        }
        self.last.insert(0, key);
    }
}

/// The choice of the next distance.
enum Turn {
    /// Where the part in the way ends, by its tangent.
    Exit,
    /// Just before the nearest free place.
    Before,
    Middle,
}

/// A search along one direction.
struct Search<'a, O: Obstacles> {
    obstacles: &'a O,
    from: DVec3,
    direction: DVec3,
    most: f64,
    stride: f64,
    blockers: &'a mut Blockers<O::Key>,
}

/// The distance along a unit direction to a place where the mover overlaps nothing, up to `most` meters.
/// `stride` is the step where an overlap has no computed end. `None` if there is no such place, and mostly if
/// the caller would refuse it: `useless` gets a distance to look at along the direction, and returns the one
/// from which on every way is refused. It is asked at most once, if the search gets long.
pub(crate) fn way_along<O: Obstacles>(
    obstacles: &O,
    way: Way,
    blockers: &mut Blockers<O::Key>,
    useless: impl FnOnce(f64) -> f64,
) -> Option<f64> {
    let Way { from, direction, most, stride } = way;
    let mut search = Search { obstacles, from, direction, most, stride, blockers };
    let (mut before, mut here) = (0.0, 0.0);
    let (mut useless, mut end) = (Some(useless), f64::INFINITY);
    for look in 0..LOOKS {
        if look == SHORT
            && let Some(useless) = useless.take()
        {
            end = useless(most);
        }
        // A way ends beyond the last overlap.
        if before >= end {
            return None;
        }
        let Some(step) = search.step_on(here) else {
            if before < here
                && let Some(useless) = useless.take()
            {
                end = useless(here);
            }
            return search.narrow([before, here], end);
        };
        before = here;
        here += step;
        // A NaN ends the search.
        if !(here > before && here <= most) {
            return None;
        }
    }
    None
}

/// The input of [`way_along`]. Lengths in meters.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    pub(crate) from: DVec3,
    /// Of length 1.
    pub(crate) direction: DVec3,
    pub(crate) most: f64,
    /// At most the smallest radius of the mover.
    pub(crate) stride: f64,
}

impl<O: Obstacles> Search<'_, O> {
    /// Narrows between a distance that does not fit and one that does, to [`PRECISION`] of their difference.
    /// `None` if it must end beyond `end`.
    fn narrow(&mut self, [mut low, mut high]: [f64; 2], end: f64) -> Option<f64> {
        let least = PRECISION * (high - low);
        let mut turn = Turn::Exit;
        for _ in 0..TURNS {
            if low >= end {
                return None;
            }
            if high - low <= least {
                break;
            }
            let tried = match turn {
                Turn::Exit => self.exit_before(high),
                Turn::Before => high - least,
                Turn::Middle => f64::NAN,
            };
            let tried = if tried > low && tried < high { tried } else { 0.5 * (low + high) };
            let overlaps = match turn {
                // The part that was in the way is left there.
                Turn::Exit => self.gathered_step(self.from + self.direction * tried).is_some(),
                Turn::Before | Turn::Middle => self.overlaps(tried),
            };
            *(if overlaps { &mut low } else { &mut high }) = tried;
            turn = match turn {
                Turn::Exit if !overlaps => Turn::Before,
                Turn::Exit | Turn::Before => Turn::Middle,
                Turn::Middle => Turn::Exit,
            };
        }
        Some(high)
    }

    /// Where the mover leaves the part that was in the way last, by the tangent at a distance beyond; NaN or
    /// no shorter distance if it does not move away from that part there.
    fn exit_before(&self, distance: f64) -> f64 {
        let at = self.from + self.direction * distance;
        let touch = self.blockers.last.first().and_then(|key| self.obstacles.contact(*key, at, 0.0));
        touch
            .map_or(f64::NAN, |touch| distance - touch.contact.gap / touch.contact.normal.dot(self.direction))
    }

    fn overlaps(&mut self, distance: f64) -> bool {
        let at = self.from + self.direction * distance;
        self.blockers.answer(self.obstacles, at, |touch| is_overlap(touch, at))
            || self.gathered_step(at).is_some()
    }

    /// The step out of the overlaps at a distance; `None` if there are none.
    fn step_on(&mut self, distance: f64) -> Option<f64> {
        if distance == 0.0 && self.blockers.start.is_some() {
            return self.first_step();
        }
        let at = self.from + self.direction * distance;
        let Self { direction, most, stride, .. } = *self;
        // No other step is longer, or all lead too far.
        let is_longest = |touch: &SurfaceContact<O::Key>| {
            step_out(touch, at, direction, stride)
                .is_some_and(|step| step == stride || distance + step > most)
        };
        if self.blockers.answer(self.obstacles, at, is_longest) {
            return Some(stride);
        }
        self.gathered_step(at)
    }

    /// The same at the start.
    fn first_step(&mut self) -> Option<f64> {
        let mut longest =
            Longest { at: self.from, direction: self.direction, stride: self.stride, found: None };
        self.blockers.start.iter().flatten().for_each(|touch| longest.offer(touch));
        let ([step, _], key) = longest.found?;
        // A solid that holds the center is large, and cheap to ask: it goes on being asked first.
        let holds = |key: &O::Key| self.obstacles.holds_center(*key, self.from, 0.0);
        if !self.blockers.last.first().is_some_and(holds) {
            self.blockers.add(key);
        }
        Some(step)
    }

    /// The same, of all parts.
    fn gathered_step(&mut self, at: DVec3) -> Option<f64> {
        let mut longest = Longest { at, direction: self.direction, stride: self.stride, found: None };
        self.obstacles.contacts(at, 0.0, 0.0, &mut |touch| longest.offer(&touch));
        let ([step, _], key) = longest.found?;
        self.blockers.add(key);
        Some(step)
    }
}

/// The longest step out of some overlaps, and their part. Of equal steps that of the part farthest ahead is
/// kept: it stays in the way for longest.
struct Longest<K> {
    at: DVec3,
    direction: DVec3,
    stride: f64,
    /// The step, how far ahead its part is, and the part.
    found: Option<([f64; 2], K)>,
}

impl<K: Copy> Longest<K> {
    fn offer(&mut self, touch: &SurfaceContact<K>) {
        let Some(step) = step_out(touch, self.at, self.direction, self.stride) else { return };
        let ahead = [step, touch.contact.point.dot(self.direction)];
        if self.found.is_none_or(|(most, _)| ahead > most) {
            self.found = Some((ahead, touch.key));
        }
    }
}

fn is_overlap<K>(touch: &SurfaceContact<K>, at: DVec3) -> bool {
    rounding_in_overlap(touch, at).is_some()
}

/// The rounding of the gap of an overlap; `None` for a contact that is no overlap by more than that.
fn rounding_in_overlap<K>(touch: &SurfaceContact<K>, at: DVec3) -> Option<f64> {
    let contact = touch.contact;
    let rounding = 64.0 * UNIT_ROUNDOFF * (reach(at) + reach(contact.point) + contact.gap.abs());
    // A NaN counts as an overlap.
    if -contact.gap <= rounding { None } else { Some(rounding) }
}

/// The step out of one overlap, at most `stride`.
fn step_out<K>(touch: &SurfaceContact<K>, at: DVec3, direction: DVec3, stride: f64) -> Option<f64> {
    let rounding = rounding_in_overlap(touch, at)?;
    let along = touch.contact.normal.dot(direction);
    // A little more than the tangent gives: rounding must not leave it inside.
    let step = if along > 0.0 { (2.0 * rounding - touch.contact.gap) / along } else { stride };
    Some(step.min(stride))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops::sqrt;
    use crate::sweep::{Contact, Feature};
    use crate::trace::SweepHit;
    use glam::dvec3;

    /// A point among balls.
    struct Balls(Vec<(DVec3, f64)>);

    impl Obstacles for Balls {
        type Key = usize;

        fn sweep(&self, _: DVec3, _: DVec3, _: [f64; 2]) -> Option<SweepHit<usize>> {
            None
        }

        fn contacts(&self, at: DVec3, time: f64, _: f64, visit: &mut dyn FnMut(SurfaceContact<usize>)) {
            let all = (0..self.0.len()).filter_map(|key| self.contact(key, at, time));
            all.filter(|touch| touch.contact.gap <= 0.0).for_each(visit);
        }

        fn contact(&self, key: usize, at: DVec3, _: f64) -> Option<SurfaceContact<usize>> {
            let (center, radius) = self.0[key];
            let distance = sqrt((at - center).length_squared());
            let normal = (at - center) / distance;
            let point = center + normal * radius;
            let contact =
                Contact { gap: distance - radius, normal, point, feature: Feature::Face, rounding: 0.0 };
            let motion = DVec3::ZERO;
            Some(SurfaceContact { key, contact, motion, run: motion, friction: None, restitution: 0.0 })
        }
    }

    /// The last step of the same search, from a place that does not fit to one that does, where all parts are
    /// always asked.
    fn last_step_of_all(balls: &Balls, Way { from, direction, most, stride }: Way) -> Option<[f64; 2]> {
        let (mut before, mut here) = (0.0, 0.0);
        for _ in 0..LOOKS {
            let at = from + direction * here;
            let mut farthest: Option<f64> = None;
            balls.contacts(at, 0.0, 0.0, &mut |touch| {
                let step = step_out(&touch, at, direction, stride);
                farthest = farthest.into_iter().chain(step).reduce(f64::max);
            });
            let Some(step) = farthest else { return Some([before, here]) };
            (before, here) = (here, here + step);
            if !(here > before && here <= most) {
                return None;
            }
        }
        None
    }

    fn fits(balls: &Balls, at: DVec3) -> bool {
        let mut overlaps = false;
        balls.contacts(at, 0.0, 0.0, &mut |touch| overlaps |= is_overlap(&touch, at));
        !overlaps
    }

    #[test]
    fn ways_are_the_shortest_of_their_last_step() {
        let mut state = 7u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1u32 << 23) - 1.0
        };
        let (mut found, mut none, mut refused) = (0, 0, 0);
        for count in 1..200 {
            let mut point = || dvec3(next(), next(), next());
            let ball = |_| (point() * 2.0, 0.2 + 1.5 * point().x.abs());
            let balls = Balls((0..count % 40).map(ball).collect());
            let mut blockers = Blockers::of(&balls, DVec3::ZERO);
            for _ in 0..20 {
                let direction = dvec3(next(), next(), next()).normalize_or(DVec3::Y);
                let way = Way { from: DVec3::ZERO, direction, most: 1.5, stride: 0.3 };
                let length = way_along(&balls, way, &mut blockers, |_| f64::INFINITY);
                let step = last_step_of_all(&balls, way);
                assert_eq!(length.is_some(), step.is_some());
                if let (Some(length), Some([before, here])) = (length, step) {
                    let at = |length: f64| way.from + direction * length;
                    assert!(fits(&balls, at(length)) && length <= here);
                    let shorter = length - PRECISION * (here - before);
                    assert!(here == 0.0 || !fits(&balls, at(shorter)), "{shorter} fits, {length} is taken");
                }
                // Ways that are refused need not be found.
                let end = 0.5 + next();
                let below = way_along(&balls, way, &mut blockers, |_| end);
                assert!(below == length || below.is_none() && length.is_none_or(|length| length >= end));
                refused += usize::from(below != length);
                (found, none) = (found + usize::from(length.is_some()), none + usize::from(length.is_none()));
            }
        }
        assert!(found > 300 && none > 300 && refused > 100, "{found} found, {none} not, {refused} refused");
    }
}
