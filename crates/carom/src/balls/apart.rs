//! Spheres that keep moving bodies apart for one tick: characters that do not walk through each other.
//!
//! Source: the second use of "Pool hall lessons" (2000), with the contacts in the order of time: a ball that
//! touches stops there for the rest of the tick. A ball can only stop once, so simultaneous contacts may be
//! handled in any order, and the answer does not depend on the order of the bodies. Error: spheres are never
//! nearer than touching by more than the bound of the contact root. Cost: n²/2 pairs, and again for each time
//! at which a body stops. It never gives up.

use alloc::vec::Vec;

use glam::DVec3;

use crate::num::contact::{ContactRoot, contact_root};

/// A body that moves in one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker {
    /// Its center at the start.
    pub from: DVec3,
    /// Its desired displacement in the tick.
    pub translation: DVec3,
    /// The radius of the sphere around it.
    pub radius: f64,
}

/// For each body the share of its motion, 0 … 1, that keeps it apart from all others. Bodies that touch
/// already may separate, or slide along each other.
///
/// ```
/// use carom::balls::{Walker, keep_apart};
/// use glam::dvec3;
/// // Two walk towards each other; a third runs into the back of the first, and the second has farther to go.
/// let walker = |x: f64, by: f64| Walker { from: dvec3(x, 0.0, 0.0), translation: dvec3(by, 0.0, 0.0), radius: 0.5 };
/// let shares = keep_apart(&[walker(0.0, 4.0), walker(5.0, -4.0), walker(-2.0, 8.0)]);
/// assert_eq!(shares, [0.25, 0.75, 0.25]);
/// ```
pub fn keep_apart(walkers: &[Walker]) -> Vec<f64> {
    let mut shares = alloc::vec![1.0; walkers.len()];
    let mut stopped = alloc::vec![false; walkers.len()];
    let mut now = 0.0;
    loop {
        let mut first = 1.0;
        let mut touching = Vec::new();
        for (i, walker) in walkers.iter().enumerate() {
            for (j, other) in walkers.iter().enumerate().skip(i + 1) {
                if stopped[i] && stopped[j] {
                    continue;
                }
                let state = |k: usize, walker| Walking { walker, is_stopped: stopped[k], share: shares[k] };
                let Some(time) = meeting(&state(i, walker), &state(j, other), now) else { continue };
                if time < first {
                    first = time;
                    touching.clear();
                }
                if time == first && time < 1.0 {
                    touching.push((i, j));
                }
            }
        }
        if touching.is_empty() {
            return shares;
        }
        now = first;
        for (i, j) in touching {
            for k in [i, j] {
                if !stopped[k] {
                    stopped[k] = true;
                    shares[k] = now;
                }
            }
        }
    }
}

/// A walker during the search.
struct Walking<'a> {
    walker: &'a Walker,
    is_stopped: bool,
    /// The share of its motion, if it has stopped.
    share: f64,
}

/// The share of the tick when the two touch, from `now` on.
fn meeting(a: &Walking<'_>, b: &Walking<'_>, now: f64) -> Option<f64> {
    let rest = 1.0 - now;
    let at = |it: &Walking<'_>| {
        let way = if it.is_stopped { DVec3::ZERO } else { it.walker.translation };
        (it.walker.from + it.walker.translation * if it.is_stopped { it.share } else { now }, way)
    };
    let ((p, v), (q, w)) = (at(a), at(b));
    match contact_root(p - q, (v - w) * rest, a.walker.radius + b.walker.radius, 0.0) {
        ContactRoot::None => None,
        ContactRoot::Touching => ((p - q).dot(v - w) < 0.0).then_some(now),
        ContactRoot::At { fraction, .. } => Some(now + rest * fraction),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    fn crowd(seed: u64, count: usize) -> Vec<Walker> {
        let mut state = seed;
        let mut unit = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        (0..count)
            .map(|i| Walker {
                from: dvec3((i % 6) as f64 * 1.5, 0.0, (i / 6) as f64 * 1.5),
                translation: dvec3(unit() - 0.5, 0.0, unit() - 0.5) * 4.0,
                radius: 0.3 + 0.3 * unit(),
            })
            .collect()
    }

    #[test]
    fn nobody_ends_in_another_and_nobody_is_passed_through() {
        for seed in 1..20 {
            let walkers = crowd(seed, 30);
            let shares = keep_apart(&walkers);
            for step in 0..=32 {
                let time = f64::from(step) / 32.0;
                let at = |k: usize| walkers[k].from + walkers[k].translation * shares[k].min(time);
                for i in 0..30 {
                    for j in 0..i {
                        let gap = at(i).distance(at(j)) - walkers[i].radius - walkers[j].radius;
                        assert!(gap > -1e-14, "{seed}: {i} and {j} at {time}: {gap:e}");
                    }
                }
            }
            assert!(shares.contains(&1.0) && shares.iter().any(|&share| share < 1.0));
        }
    }

    #[test]
    fn the_order_of_the_bodies_changes_no_bit() {
        let walkers = crowd(5, 30);
        let shares = keep_apart(&walkers);
        let order: Vec<usize> = (0..30).map(|i| (i * 7 + 3) % 30).collect();
        let shuffled = keep_apart(&order.iter().map(|&i| walkers[i]).collect::<Vec<_>>());
        assert_eq!(shuffled, order.iter().map(|&i| shares[i]).collect::<Vec<_>>());
    }

    #[test]
    fn one_that_was_stopped_is_an_obstacle_to_those_behind() {
        // The second would have been out of the third's way.
        let walker = |x: f64, by: f64| Walker {
            from: dvec3(x, 0.0, 0.0),
            translation: dvec3(by, 0.0, 0.0),
            radius: 0.5,
        };
        let shares = keep_apart(&[walker(2.0, 0.0), walker(0.0, 4.0), walker(-2.0, 4.0)]);
        assert_eq!(shares, [0.25, 0.25, 0.5]);
    }

    #[test]
    fn a_touching_character_may_leave() {
        let walker = |x: f64, by: f64| Walker {
            from: dvec3(x, 0.0, 0.0),
            translation: dvec3(by, 0.0, 0.0),
            radius: 0.5,
        };
        assert_eq!(keep_apart(&[walker(0.0, -3.0), walker(1.0, 3.0)]), [1.0, 1.0]);
        assert_eq!(keep_apart(&[walker(0.0, 3.0), walker(1.0, 3.0)]), [1.0, 1.0]);
    }
}
