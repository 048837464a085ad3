//! Random tables of balls, and a judge: gases, cloth, arcs, rooms, hills and driven bodies, struck from time
//! to time.
//!
//! The judge knows the formulas of spheres, planes, segments and arcs, and asks a [`World`] about bodies; it
//! shares nothing with what moves the balls. Nothing overlaps by more than 10⁻⁹ of a radius and what a ball
//! goes in a rounding of the clock. Without driven bodies no energy is gained, and without loss none is lost.
//! Time goes on, and a copy plays on to the same bits. A seed names the same run on every machine.
//!
//! [`World`]: carom::world::World

mod draw;
mod judge;

use carom::balls::{EventKind, Table};
use glam::DVec3;

use self::draw::Drawn;
use self::judge::Judge;
use crate::Random;

/// The judge looks after so many events.
const BATCH: u64 = 256;
/// A ball has at most so many events at one time.
const AT_ONCE: u64 = 256;
/// How long a table plays by itself, at most, before something is struck or driven otherwise, in seconds.
const PAUSE: f64 = 1.0;
/// A copy plays this many events.
const COPIED: usize = 128;

/// Counts of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tables.
    pub tables: u64,
    /// Events of all kinds.
    pub events: u64,
    /// Balls that came to rest.
    pub rests: u64,
    /// Balls that a driven body pressed against something that does not give way.
    pub crushed: u64,
    /// Strikes, and changes of what drives.
    pub commands: u64,
    /// Two things that overlap, when the judge looked: a fault.
    pub overlaps: u64,
    /// Energy that came or went: a fault.
    pub energy: u64,
    /// Tables whose time stood still: a fault.
    pub stalls: u64,
    /// Copies that played otherwise: a fault.
    pub copies: u64,
}

impl Counts {
    /// Adds those of another run.
    pub fn add(&mut self, other: &Self) {
        self.tables += other.tables;
        self.events += other.events;
        self.rests += other.rests;
        self.crushed += other.crushed;
        self.commands += other.commands;
        self.overlaps += other.overlaps;
        self.energy += other.energy;
        self.stalls += other.stalls;
        self.copies += other.copies;
    }

    /// The number of events that must not happen.
    pub fn faults(&self) -> u64 {
        self.overlaps + self.energy + self.stalls + self.copies
    }
}

/// Plays the table of a seed for about so many events. Returns the counts, and the faults in words.
pub fn play(seed: u64, events: u64) -> (Counts, Vec<String>) {
    let mut random = Random::scattered(seed);
    let drawn = draw::table(&mut random);
    let name = format!("seed {seed}: {}", drawn.name);
    let mut run = Run::new(drawn, random);
    run.play(events);
    let Run { counts, faults, .. } = run;
    (counts, faults.into_iter().map(|fault| format!("{name}: {fault}")).collect())
}

struct Run {
    table: Table,
    random: Random,
    drawn: Drawn,
    judge: Judge,
    /// The time of the last event, and the number of events at that time.
    last: f64,
    at_once: u64,
    counts: Counts,
    faults: Vec<String>,
}

impl Run {
    fn new(mut drawn: Drawn, random: Random) -> Self {
        let setup = core::mem::take(&mut drawn.setup);
        let judge = Judge::new(&setup, drawn.driven);
        let table = Table::new(setup).expect("what is drawn is a table: nothing overlaps, and all is finite");
        let counts = Counts { tables: 1, ..Counts::default() };
        Self { table, random, drawn, judge, last: 0.0, at_once: 0, counts, faults: vec![] }
    }

    fn play(&mut self, events: u64) {
        // Tables at rest are struck again, but not without end.
        let most_commands = 8 + events / 64;
        while self.counts.events < events && self.counts.commands < most_commands && self.faults.len() < 4 {
            if !self.command() {
                break;
            }
            let until = self.table.time() + PAUSE;
            while self.batch(until) && self.counts.events < events {}
        }
    }

    /// Strikes a ball, and drives the body otherwise. Returns whether a ball is left on the table.
    fn command(&mut self) -> bool {
        self.counts.commands += 1;
        let on_table: Vec<usize> = judge::balls(&self.table).collect();
        let Some(&ball) = on_table.get(self.random.below(on_table.len().max(1))) else { return false };
        let velocity = self.random.direction() * self.random.between(0.0, self.drawn.fastest);
        let flat = if self.drawn.is_flat { DVec3::new(1.0, 1.0, 0.0) } else { DVec3::ONE };
        self.table.strike(ball, velocity * flat);
        if let Some(body) = self.drawn.driven {
            let (at, _) = self.table.body_pose(body).expect("the body is kinematic");
            let target = self.random.direction() * self.random.between(0.0, self.drawn.range);
            let turn = self.random.direction() * self.random.between(0.0, self.drawn.spin);
            assert!(self.table.drive(body, (target - at) / PAUSE, turn), "the body is kinematic");
        }
        self.judge.begin(&self.table);
        if self.random.below(16) == 0 {
            self.compare_copy();
        }
        true
    }

    /// Plays some events and looks. Returns whether there may be more before a time.
    fn batch(&mut self, until: f64) -> bool {
        let mut own = 0;
        let goes_on = loop {
            let Some(event) = self.table.next_event(until) else { break false };
            own += 1;
            self.at_once = if event.time > self.last { 1 } else { self.at_once + 1 };
            self.last = event.time;
            match event.kind {
                EventKind::Rest { .. } => self.counts.rests += 1,
                EventKind::Crushed { ball, .. } => {
                    self.counts.crushed += 1;
                    self.judge.crush(ball);
                }
                _ => {}
            }
            if own == BATCH {
                break true;
            }
        };
        self.counts.events += own;
        let time = self.table.time();
        if self.at_once > AT_ONCE * self.table.len() as u64 {
            self.counts.stalls += 1;
            self.faults.push(format!("{} events at {time} s", self.at_once));
            return false;
        }
        if let Some(overlap) = self.judge.overlap(&self.table) {
            self.counts.overlaps += 1;
            self.faults.push(format!("{overlap} at {time} s, after {} events", self.counts.events));
        }
        if self.drawn.driven.is_none()
            && let Some(change) = self.judge.energy(&self.table, self.drawn.is_elastic)
        {
            self.counts.energy += 1;
            self.faults.push(format!("{change} at {time} s, after {} events", self.counts.events));
        }
        goes_on && self.faults.len() < 4
    }

    /// A copy has the same events, and then the same balls, to the bit.
    fn compare_copy(&mut self) {
        let until = self.table.time() + PAUSE;
        let [one, other] = [self.table.clone(), self.table.clone()].map(|mut copy| {
            let events: Vec<String> = core::iter::from_fn(|| copy.next_event(until))
                .take(COPIED)
                .map(|e| format!("{e:?}"))
                .collect();
            (events, (0..copy.len()).map(|ball| format!("{:?}", copy.ball(ball))).collect::<Vec<_>>())
        });
        if one != other {
            self.counts.copies += 1;
            self.faults.push(format!("two copies differ after {} s", self.table.time()));
        }
    }
}
