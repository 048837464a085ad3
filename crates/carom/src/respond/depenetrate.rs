//! The shortest way out of overlaps.
//!
//! Source: `docs/slide.md`. The same solver as for sliding, with the missing part of each gap as its bound:
//! the least motion that opens all gaps at once. Planes approximate curved contacts, so this is repeated at
//! the new position. Error: gaps are opened to within rounding. Cost: a gather per round. Gives up after
//! [`ROUNDS`], or if no motion opens all gaps, and says so.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::contact_list::{ContactList, ROOM};
use super::obstacles::Obstacles;
use super::planes::{ContactPlane, NearestMotion, nearest_feasible_up_to};
use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::trace::SweepHit;
use crate::world::Moment;

/// Two or three are usual; a corner of many curved contacts takes more.
const ROUNDS: usize = 8;

/// A way longer than the first multiple of the depth is refused, as for any motion. If none is left, the
/// second one is the limit: out of a wedge of two slabs the way is the depth over the sine of half their
/// angle.
const FLING: f64 = 4.0;
const FAR: f64 = 16.0;

/// The result of [`depenetrate`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depenetrated<K> {
    /// The center, in meters: unchanged if nothing overlapped.
    pub position: DVec3,
    /// Whether it overlaps nothing there by more than rounding.
    pub free: bool,
    /// The depth of its deepest overlap in meters; 0 if it is free.
    pub depth: f64,
    pressing: [Option<K>; 4],
}

impl<K: Copy> Depenetrated<K> {
    /// The obstacles that leave no way out, if they contradict each other.
    pub fn pressing(&self) -> impl Iterator<Item = K> + '_ {
        self.pressing.iter().filter_map(|key| *key)
    }
}

/// Moves a mover out of its overlaps by the least motion that the planes of its contacts allow. If there is
/// no way out, it goes where it overlaps least, never deeper than it was.
pub fn depenetrate<O: Obstacles>(obstacles: &O, from: DVec3) -> Depenetrated<O::Key> {
    depenetrate_across(obstacles, Moment { at: from, time: 0.0 }, None)
}

/// The same at a time, without any motion along an axis, if there is one.
pub(crate) fn depenetrate_across<O: Obstacles>(
    obstacles: &O,
    start: Moment,
    axis: Option<DVec3>,
) -> Depenetrated<O::Key> {
    let mut best = Depth::at(obstacles, start);
    let mut here = best;
    let mut pressing = [None; 4];
    for _ in 0..ROUNDS {
        if here.is_free() {
            return Depenetrated { position: here.start.at, free: true, depth: 0.0, pressing: [None; 4] };
        }
        // First with all nearby planes, so that the way enters nothing else; if that leaves no way, only with
        // those of the overlaps, round by round.
        let way = way_out(obstacles, &here, axis, Search::WIDE).or_else(|by| {
            pressing = by;
            let way = way_out(obstacles, &here, axis, Search::FAR)?;
            if leads_into_another(obstacles, &here, way) { Err(by) } else { Ok(way) }
        });
        let Ok(way) = way else { break };
        here = Depth::at(obstacles, Moment { at: here.start.at + way, ..start });
        if here.deepest < best.deepest {
            best = here;
        }
    }
    Depenetrated { position: best.start.at, free: best.is_free(), depth: best.deepest, pressing }
}

/// Whether the way out hits a part that the mover does not overlap yet: it must not pass through that.
fn leads_into_another<O: Obstacles>(obstacles: &O, here: &Depth, way: DVec3) -> bool {
    let Moment { at: from, time } = here.start;
    let Some(SweepHit { key, .. }) = obstacles.sweep(from, way, [time, time]) else { return false };
    let mut is_in = false;
    obstacles.contacts(from, time, 0.0, &mut |touch| is_in |= touch.key == key && touch.contact.gap < 0.0);
    !is_in
}

/// The depth of the deepest overlap of a mover.
#[derive(Clone, Copy)]
struct Depth {
    start: Moment,
    deepest: f64,
}

impl Depth {
    fn at<O: Obstacles>(obstacles: &O, start: Moment) -> Self {
        Self { start, deepest: depth(obstacles, start) }
    }

    fn is_free(&self) -> bool {
        self.deepest <= 0.0
    }
}

/// The largest depth beyond the errors of the position and the contacts; 0 if there is none.
fn depth<O: Obstacles>(obstacles: &O, Moment { at, time }: Moment) -> f64 {
    let mut deepest = 0.0f64;
    obstacles.contacts(at, time, 0.0, &mut |touch| {
        let contact = touch.contact;
        let rounding = 64.0 * UNIT_ROUNDOFF * (reach(at) + reach(contact.point) + contact.gap.abs());
        if -contact.gap > rounding {
            deepest = deepest.max(-contact.gap);
        }
    });
    deepest
}

/// The limits of the search for a way out, in multiples of the depth.
#[derive(Clone, Copy)]
struct Search {
    /// Contacts within this distance count.
    distance: f64,
    /// A longer way is refused.
    fling: f64,
}

impl Search {
    /// With the planes of nearby parts, so that the way enters nothing else.
    const WIDE: Self = Self { distance: FLING, fling: FLING };
    /// With the planes of overlapped parts only.
    const FAR: Self = Self { distance: 0.0, fling: FAR };
}

/// The least motion that opens all gaps, and closes no other within a distance; or the contacts that
/// contradict each other.
fn way_out<O: Obstacles>(
    obstacles: &O,
    here: &Depth,
    axis: Option<DVec3>,
    Search { distance, fling }: Search,
) -> Result<DVec3, [Option<O::Key>; 4]> {
    let mut contacts = ContactList::new();
    contacts.gather(obstacles, here.start.at, here.start.time, distance * here.deepest);
    let mut planes = ArrayVec::<ContactPlane, { ROOM + 2 }>::new();
    for touch in contacts.iter() {
        planes.push(ContactPlane { normal: touch.contact.normal, bound: -touch.contact.gap });
    }
    for normal in axis.into_iter().flat_map(|axis| [axis, -axis]) {
        planes.push(ContactPlane { normal, bound: 0.0 });
    }
    match nearest_feasible_up_to(DVec3::ZERO, &planes, fling) {
        Ok(NearestMotion::Feasible { velocity, .. }) => Ok(velocity),
        Ok(NearestMotion::Crushed { planes, .. }) => {
            let mut pressing = [None; 4];
            for (pressing, plane) in pressing.iter_mut().zip(planes.as_slice()) {
                *pressing = contacts.get(*plane).map(|touch| touch.key);
            }
            Err(pressing)
        }
        Err(_) => Err([None; 4]),
    }
}
