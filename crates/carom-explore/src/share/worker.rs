//! One worker, step by step.

use std::ops::Range;

use super::lead::Lead;
use super::message::{End, Message, Watch};
use super::wire::Reader;
use super::worker_places::WorkerPlaces;
use crate::error::ExploreError;
use crate::explorer::Explorer;
use crate::stop::Stop;
use crate::task::{Task, WorkerNumber};

const ORDER: u8 = 0;
const FOUND: u8 = 1;
const EVENTS: u8 = 2;
const LINKS: u8 = 3;
const NEW: u8 = 4;
const FAULT: u8 = 5;

/// The next step of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Begin,
    Leave,
    Resolve,
    Number,
    Close,
}

/// One of the workers that flood a level together. They are numbered from 0; worker 0 leads.
///
/// All take the same steps: each gives messages, and takes all those for it that the others gave in the step
/// before.
pub struct Worker<'e, 'a> {
    places: WorkerPlaces<'a>,
    lead: Option<Lead<'e, 'a>>,
    number: usize,
    phase: Phase,
    /// Whether it has its first places.
    has_begun: bool,
    batch: Range<u32>,
    end: Option<End>,
}

impl<'e, 'a> Worker<'e, 'a> {
    /// The first of all workers, which leads an exploration and looks at it after each batch.
    ///
    /// # Errors
    /// Like [`Explorer::new`].
    pub fn first(
        explorer: &'e mut Explorer<'a>,
        count: usize,
        watch: Watch<'e, 'a>,
    ) -> Result<Self, ExploreError> {
        let task = Task { level: explorer.walker.level, rules: explorer.walker.rules };
        let mut worker = Self::other(task, WorkerNumber { number: 0, count }, explorer.stop.clone())?;
        worker.lead = Some(Lead::new(explorer, watch, count));
        Ok(worker)
    }

    /// Another worker: its number, from 1 on, of how many.
    ///
    /// # Errors
    /// Rules that are none.
    pub fn other(task: Task<'a>, worker: WorkerNumber, stop: Stop) -> Result<Self, ExploreError> {
        task.rules.check()?;
        let places = WorkerPlaces::new(task, worker, stop)?;
        let (number, phase) = (worker.number, Phase::Begin);
        Ok(Self { places, lead: None, number, phase, has_begun: false, batch: 0..0, end: None })
    }

    /// How the flood ended, if it did: then there are no more steps.
    pub fn end(&self) -> Option<&End> {
        if self.phase == Phase::Close { self.end.as_ref() } else { None }
    }

    /// Works on what comes later, while others are waited for: for about a millisecond. Whether there was
    /// something.
    pub fn work_ahead(&mut self) -> bool {
        self.places.ahead()
    }

    /// Places that belong to it.
    pub fn places(&self) -> usize {
        self.places.len()
    }

    /// Bytes that a worker holds beside the exploration and the tiles.
    pub fn memory(&self) -> usize {
        self.places.memory()
    }

    /// The next step: with all messages for this worker from the step before, in any order.
    ///
    /// # Errors
    /// A message that makes no sense: the other side is not what it says to be.
    pub fn step(&mut self, mut inbox: Vec<Message>) -> Result<Vec<Message>, ExploreError> {
        inbox.sort_by_key(|message| (message.topic, message.from));
        let of = |topic: u8| inbox.iter().filter(move |message| message.topic == topic);
        let bytes = |topic: u8| of(topic).map(|message| message.bytes.as_slice()).collect::<Vec<_>>();
        let mut outbox = Outbox { from: self.number, messages: Vec::new() };
        match self.phase {
            Phase::Begin => {
                if let Some(lead) = &mut self.lead {
                    outbox.put_each(ORDER, lead.begin());
                }
                self.phase = Phase::Leave;
            }
            Phase::Leave => {
                let [order] = bytes(ORDER)[..] else { return Err(ExploreError::Message) };
                self.obey(order, &mut outbox)?;
            }
            Phase::Resolve => {
                if let Some(lead) = &mut self.lead {
                    lead.take(&bytes(LINKS))?;
                    of(FAULT).for_each(|said| lead.fail(String::from_utf8_lossy(&said.bytes).into_owned()));
                    for said in bytes(EVENTS) {
                        lead.hear(self.batch.clone(), said)?;
                    }
                }
                if self.end.is_some() {
                    self.phase = Phase::Close;
                    return Ok(Vec::new());
                }
                let new = self.places.resolve(&bytes(FOUND))?;
                outbox.put(0, NEW, new);
                self.phase = Phase::Number;
            }
            Phase::Number => {
                if let Some(lead) = &mut self.lead {
                    let new: Vec<(usize, &[u8])> =
                        of(NEW).map(|message| (message.from, message.bytes.as_slice())).collect();
                    outbox.put_each(ORDER, lead.number(&new)?);
                }
                self.phase = Phase::Leave;
            }
            Phase::Close => {}
        }
        Ok(outbox.messages)
    }

    /// Takes in places, or numbers of places, and does what comes with them.
    fn obey(&mut self, message: &[u8], outbox: &mut Outbox) -> Result<(), ExploreError> {
        let mut reader = Reader { bytes: message };
        let order = reader.part()?.to_vec();
        let mut order = Reader { bytes: &order };
        let code = order.byte()?;
        let is_taken = code == 0 || order.byte()? != 0;
        if !std::mem::replace(&mut self.has_begun, true) {
            let done = reader.u32()?;
            self.places.begin(reader.bytes, done)?;
        } else if is_taken {
            self.places.number(reader.bytes)?;
        }
        if is_taken {
            outbox.put(0, LINKS, self.places.links());
        }
        self.end = match code {
            0 => None,
            1 => Some(End::Done),
            2 => Some(End::Full),
            3 => Some(End::Stopped),
            _ => Some(End::Failed(String::from_utf8_lossy(order.bytes).into_owned())),
        };
        self.phase = Phase::Resolve;
        if self.end.is_some() {
            return Ok(());
        }
        self.batch = order.u32()?..order.u32()?;
        let batch = self.places.leave(self.batch.end);
        for (to, found) in batch.found.into_iter().enumerate().filter(|(_, found)| !found.is_empty()) {
            outbox.put(to, FOUND, found);
        }
        let mut events = vec![u8::from(batch.is_cut_off)];
        events.extend(batch.events);
        outbox.put(0, EVENTS, events);
        if let Some(fault) = self.places.fault() {
            outbox.put(0, FAULT, fault.to_string().into_bytes());
        }
        Ok(())
    }
}

/// Messages of one worker.
struct Outbox {
    from: usize,
    messages: Vec<Message>,
}

impl Outbox {
    fn put(&mut self, to: usize, topic: u8, bytes: Vec<u8>) {
        self.messages.push(Message { from: self.from, to, topic, bytes });
    }

    fn put_each(&mut self, topic: u8, bytes: Vec<Vec<u8>>) {
        bytes.into_iter().enumerate().for_each(|(to, bytes)| self.put(to, topic, bytes));
    }
}
