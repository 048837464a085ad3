//! The work of each worker: it leaves the places of its squares, and reports which of the places found by
//! others are new.

use std::collections::VecDeque;

use super::wire::{Reader, Writer};
use crate::error::ExploreError;
use crate::flood::enter;
use crate::flood::leave::{Effort, Left, NumberedPlace, leave};
use crate::flood::places::{Hold, Place, Places, column};
use crate::spill::Records;
use crate::stop::Stop;
use crate::task::{Task, WorkerNumber};
use crate::walk::Walker;
use crate::walk::state::WalkState;

/// Places belong to workers by squares of this many cells: most links end in the square that they begin in,
/// and a front is spread over many squares.
const SQUARE: i32 = 64;

/// No more places than this are left before their turn.
const MOST_AHEAD: usize = 2048;

/// A place that was found: by which move of which place.
type Found = ((u32, u32), Place);

/// The places of one worker.
pub(crate) struct WorkerPlaces<'a> {
    walker: Walker<'a>,
    state: WalkState,
    number: usize,
    count: usize,
    /// Those in its squares, in the order of their numbers.
    places: Places,
    /// Their numbers in the flood: of all but the latest.
    numbers: Records<u32>,
    /// How many of them have been left, and taken in.
    done: usize,
    /// The result of leaving those after them.
    ahead: VecDeque<Left>,
    /// Found by places of this worker, in its own squares.
    found: Vec<Found>,
    /// From which place, by its number, to which of these.
    links: Vec<(u32, u32)>,
}

/// The result of a batch, for this worker.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// For each worker what was found in its squares.
    pub(crate) found: Vec<Vec<u8>>,
    /// Events and ticks.
    pub(crate) events: Vec<u8>,
    /// Whether a stop came before all of it was done.
    pub(crate) is_cut_off: bool,
}

impl<'a> WorkerPlaces<'a> {
    /// # Errors
    /// Like [`Walker::new`].
    pub(crate) fn new(
        Task { level, rules }: Task<'a>,
        WorkerNumber { number, count }: WorkerNumber,
        stop: Stop,
    ) -> Result<Self, ExploreError> {
        let walker = Walker::new(level, rules, stop)?;
        Ok(Self {
            state: walker.state(),
            places: Places::new(level, rules),
            walker,
            number,
            count,
            numbers: Records::new(level.spill()),
            done: 0,
            ahead: VecDeque::new(),
            found: Vec::new(),
            links: Vec::new(),
        })
    }

    /// Takes in places of its own that are known already; the first `done` places of all were left.
    pub(crate) fn begin(&mut self, known: &[u8], done: u32) -> Result<(), ExploreError> {
        let mut reader = Reader { bytes: known };
        let mut last = 0;
        while !reader.is_empty() {
            last = reader.near(last)?;
            let parent = reader.near(last)?;
            let place = reader.place(parent)?;
            add(&mut self.places, &self.walker, place);
            self.numbers.push(&last);
        }
        self.done = self.numbers.iter().take_while(|number| *number < done).count();
        Ok(())
    }

    fn leave_one(&mut self, local: usize) -> Option<Left> {
        let (id, place) = (self.numbers.get(local), &self.places.get(local as u32));
        leave(&self.walker, &mut self.state, NumberedPlace { id, place }, Effort::Usual)
    }

    /// Leaves a place before its turn, while others are waited for. Whether there was one.
    pub(crate) fn ahead(&mut self) -> bool {
        let local = self.done + self.ahead.len();
        if local >= self.numbers.len() || self.ahead.len() >= MOST_AHEAD {
            return false;
        }
        self.leave_one(local).map(|left| self.ahead.push_back(left)).is_some()
    }

    /// Leaves its places up to a number.
    pub(crate) fn leave(&mut self, last: u32) -> Batch {
        let mut found: Vec<Writer> = (0..self.count).map(|_| Writer::default()).collect();
        let mut parents = vec![0; self.count];
        let mut events = Writer::default();
        let mut ticks = 0;
        let mut is_cut_off = false;
        while self.done < self.numbers.len() && self.numbers.get(self.done) < last {
            let left = self.ahead.pop_front().or_else(|| self.leave_one(self.done));
            let Some(left) = left else {
                is_cut_off = true;
                break;
            };
            self.done += 1;
            ticks += left.ticks;
            left.events.iter().for_each(|event| events.event(event));
            for (made, place) in (0..).zip(left.places) {
                let to = owner(&self.walker, &place, self.count);
                if to == self.number {
                    self.found.push(((place.parent, made), place));
                } else {
                    let writer = &mut found[to];
                    writer.near(place.parent, parents[to]);
                    writer.number(u64::from(made));
                    writer.place(&place);
                    parents[to] = place.parent;
                }
            }
        }
        let mut out = Writer::default();
        out.number(ticks);
        out.bytes.extend(events.bytes);
        Batch {
            found: found.into_iter().map(|writer| writer.bytes).collect(),
            events: out.bytes,
            // Where a tile is lost, what was found is worth nothing.
            is_cut_off: is_cut_off || self.walker.stop.is_set() || self.walker.level.fault().is_some(),
        }
    }

    /// Says which of the places that were found are new, and what they are.
    pub(crate) fn resolve(&mut self, foreign: &[&[u8]]) -> Result<Vec<u8>, ExploreError> {
        let mut found = std::mem::take(&mut self.found);
        for bytes in foreign {
            let mut reader = Reader { bytes };
            let mut parent = 0;
            while !reader.is_empty() {
                parent = reader.near(parent)?;
                let made = reader.u32()?;
                found.push(((parent, made), reader.place(parent)?));
            }
        }
        // In the order in which one thread would come to them: the first in a cell is its place.
        found.sort_unstable_by_key(|(key, _)| *key);
        let mut new = Writer::default();
        let mut last = 0;
        for ((parent, made), place) in found {
            let (local, is_new) = enter(&mut self.places, &self.walker, place);
            self.links.push((parent, local));
            if is_new {
                new.near(parent, last);
                new.number(u64::from(made));
                new.place(&place);
                last = parent;
            }
        }
        Ok(new.bytes)
    }

    /// Takes in the numbers of the new places.
    pub(crate) fn number(&mut self, numbers: &[u8]) -> Result<(), ExploreError> {
        let mut reader = Reader { bytes: numbers };
        let mut last = 0;
        while !reader.is_empty() {
            last = reader.near(last)?;
            self.numbers.push(&last);
        }
        if self.numbers.len() == self.places.len() { Ok(()) } else { Err(ExploreError::Message) }
    }

    /// The links of the batch that end at places of its own, by their first place.
    pub(crate) fn links(&mut self) -> Vec<u8> {
        let mut links: Vec<(u32, u32)> =
            self.links.drain(..).map(|(from, local)| (from, self.numbers.get(local as usize))).collect();
        links.retain(|(from, to)| from != to);
        links.sort_unstable();
        links.dedup();
        let mut out = Writer::default();
        let (mut last, mut near) = (0, 0);
        for of_one in links.chunk_by(|a, b| a.0 == b.0) {
            out.near(of_one[0].0, last);
            out.number(of_one.len() as u64);
            last = of_one[0].0;
            for (_, to) in of_one {
                out.near(*to, near);
                near = *to;
            }
        }
        out.bytes
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        self.places.memory() + self.numbers.memory()
    }

    pub(crate) fn fault(&self) -> Option<ExploreError> {
        self.walker.level.fault()
    }
}

/// Enters a place that is known to be one.
pub(crate) fn add(places: &mut Places, walker: &Walker<'_>, place: Place) {
    match place.hold {
        Hold::On(number) => {
            places.ride(number, walker.on(number, place.position, place.ticks), place);
        }
        _ => {
            places.add(place);
        }
    }
}

/// The worker to which a place belongs. All that could be the same place belong to one.
pub(crate) fn owner(walker: &Walker<'_>, place: &Place, count: usize) -> usize {
    let (frame, at) = match place.hold {
        Hold::On(number) => (1 + i64::from(number), walker.on(number, place.position, place.ticks)),
        _ => (0, place.position),
    };
    let [x, z] = column(at, walker.rules.cell()).map(|cells| i64::from(cells.div_euclid(SQUARE)));
    // As on a chessboard: every worker has as many squares of any large part of a level.
    let count = count as i64;
    let rank = (count * 5 + 4) / 8;
    (frame + x + rank.max(1) * z).rem_euclid(count) as usize
}
