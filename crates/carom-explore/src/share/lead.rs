//! The additional work of one worker: it numbers the places that are found, gathers the messages of all, and
//! orders the next batch.

use std::ops::Range;

use super::message::{End, Watch};
use super::wire::{Reader, Writer};
use super::worker_places::{add, owner};

use crate::error::ExploreError;
use crate::explorer::Explorer;
use crate::flood::event::Event;
use crate::flood::places::Place;

/// The exploration that is led.
pub(crate) struct Lead<'e, 'a> {
    pub(crate) explorer: &'e mut Explorer<'a>,
    watch: Watch<'e, 'a>,
    count: usize,
    /// The batch that is worked on, or whose links are on their way.
    batch: Range<u32>,
    events: Vec<Event>,
    ticks: u64,
    /// New places of the batch, in the order of their numbers.
    new: Vec<Place>,
    is_cut_off: bool,
    fault: Option<String>,
}

impl<'e, 'a> Lead<'e, 'a> {
    pub(crate) fn new(explorer: &'e mut Explorer<'a>, watch: Watch<'e, 'a>, count: usize) -> Self {
        let batch = 0..0;
        let (events, new) = (Vec::new(), Vec::new());
        Self { explorer, watch, count, batch, events, ticks: 0, new, is_cut_off: false, fault: None }
    }

    /// The first order to each worker: its places, how many were left, and the first batch.
    pub(crate) fn begin(&mut self) -> Vec<Vec<u8>> {
        let flood = &self.explorer.flood;
        let mut known: Vec<Writer> = (0..self.count).map(|_| Writer::default()).collect();
        let mut last = vec![0; self.count];
        for (number, place) in (0..).zip(flood.places.list.iter()) {
            let to = owner(&self.explorer.walker, &place, self.count);
            known[to].near(number, last[to]);
            known[to].near(place.parent, number);
            known[to].place(&place);
            last[to] = number;
        }
        let done = flood.done() as u32;
        let order = self.order();
        let first = |known: Writer| {
            let mut out = Writer::default();
            out.number(u64::from(done));
            out.bytes.extend(known.bytes);
            message(&order, &out.bytes)
        };
        known.into_iter().map(first).collect()
    }

    /// The next message to a worker: a batch, or the end.
    fn order(&mut self) -> Vec<u8> {
        let explorer = &*self.explorer;
        let places = explorer.flood.places.len() + self.new.len();
        // The batch that is under way is as good as done.
        let done = explorer.flood.done() + self.batch.len();
        let end = if let Some(fault) = self.fault.take() {
            Some((End::Failed(fault), false))
        } else if self.is_cut_off {
            Some((End::Stopped, false))
        } else if places >= explorer.walker.rules.most_places as usize {
            Some((End::Full, true))
        } else if done == places {
            Some((End::Done, true))
        } else if explorer.stop.is_set() {
            Some((End::Stopped, true))
        } else {
            None
        };
        let mut out = Writer::default();
        match end {
            Some((end, is_taken)) => {
                if end == End::Stopped {
                    explorer.stop.set();
                }
                if !is_taken {
                    self.batch = 0..0;
                    self.events.clear();
                    self.new.clear();
                    self.ticks = 0;
                }
                out.bytes.extend([end.code(), u8::from(is_taken)]);
                if let End::Failed(text) = end {
                    out.bytes.extend(text.into_bytes());
                }
            }
            None => {
                let first = done as u32;
                let last = places.min(done + explorer.flood.batch(&explorer.walker)) as u32;
                out.bytes.push(0);
                out.number(u64::from(first));
                out.number(u64::from(last));
            }
        }
        out.bytes
    }

    /// Takes in what happened in a batch.
    pub(crate) fn hear(&mut self, batch: Range<u32>, events: &[u8]) -> Result<(), ExploreError> {
        let mut reader = Reader { bytes: events };
        self.batch = batch;
        self.is_cut_off |= reader.byte()? != 0;
        self.ticks += reader.number()?;
        while !reader.is_empty() {
            let event = reader.event()?;
            if !self.batch.contains(&event.place) {
                return Err(ExploreError::Message);
            }
            self.events.push(event);
        }
        Ok(())
    }

    /// A worker that cannot continue.
    pub(crate) fn fail(&mut self, text: String) {
        self.fault.get_or_insert(text);
    }

    /// Numbers the new places of all workers: for each of them the order with its numbers.
    pub(crate) fn number(&mut self, new: &[(usize, &[u8])]) -> Result<Vec<Vec<u8>>, ExploreError> {
        let mut found = Vec::new();
        for (from, bytes) in new {
            let mut reader = Reader { bytes };
            let mut parent = 0;
            while !reader.is_empty() {
                parent = reader.near(parent)?;
                let made = reader.u32()?;
                if !self.batch.contains(&parent) || *from >= self.count {
                    return Err(ExploreError::Message);
                }
                found.push(((parent, made), *from, reader.place(parent)?));
            }
        }
        found.sort_by_key(|(key, ..)| *key);
        let first = self.explorer.flood.places.len() as u32;
        let mut numbers: Vec<Writer> = (0..self.count).map(|_| Writer::default()).collect();
        let mut last = vec![0; self.count];
        for (number, (_, from, _)) in (first..).zip(&found) {
            numbers[*from].near(number, last[*from]);
            last[*from] = number;
        }
        self.new = found.into_iter().map(|(_, _, place)| place).collect();
        let order = self.order();
        Ok(numbers.into_iter().map(|numbers| message(&order, &numbers.bytes)).collect())
    }

    /// Takes in the links of a batch, and with them all of it: the flood is what it is after a batch by one
    /// process.
    pub(crate) fn take(&mut self, said: &[&[u8]]) -> Result<(), ExploreError> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let flood = &mut self.explorer.flood;
        for place in self.new.drain(..) {
            add(&mut flood.places, &self.explorer.walker, place);
        }
        let mut links: Vec<(u32, u32)> = Vec::new();
        for bytes in said {
            let mut reader = Reader { bytes };
            let (mut from, mut to) = (0, 0);
            while !reader.is_empty() {
                from = reader.near(from)?;
                for _ in 0..reader.number()? {
                    to = reader.near(to)?;
                    if !self.batch.contains(&from) || to as usize >= flood.places.len() {
                        return Err(ExploreError::Message);
                    }
                    links.push((from, to));
                }
            }
        }
        // Runs that are sorted already: those of each worker.
        links.sort();
        let mut rest = links.as_slice();
        let mut targets = Vec::new();
        for id in self.batch.clone() {
            let count = rest.iter().take_while(|(from, _)| *from == id).count();
            targets.clear();
            targets.extend(rest[..count].iter().map(|(_, to)| *to));
            flood.links.push(&targets);
            rest = &rest[count..];
        }
        self.events.sort_by_key(|event| event.place);
        flood.events.append(&mut self.events);
        flood.ticks += std::mem::take(&mut self.ticks);
        self.batch = 0..0;
        if let Err(text) = (self.watch)(self.explorer) {
            self.fail(text);
        }
        Ok(())
    }
}

/// An order, and what goes with it.
fn message(order: &[u8], more: &[u8]) -> Vec<u8> {
    let mut out = Writer::default();
    out.number(order.len() as u64);
    out.bytes.extend(order);
    out.bytes.extend(more);
    out.bytes
}
