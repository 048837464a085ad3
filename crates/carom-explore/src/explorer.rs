//! One exploration from the spawns to the findings, a batch at a time.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::io::{self, Read, Write};

use glam::DVec3;

use crate::error::ExploreError;
use crate::findings::agents::{AGENTS, try_to_leave};
use crate::findings::analysis::{Trap, traps};
use crate::findings::evidence::Evidence;
use crate::findings::finding::{Code, Confirmed, Finding};
use crate::findings::findings;
use crate::findings::warnings::{Warning, warnings};
use crate::flood::Flood;
use crate::flood::checkpoint;
use crate::flood::event::EventKind;
use crate::flood::places::{NONE, Place};
use crate::floor::spawn::{Spawn, spawns};
use crate::floor::{Floor, Sample, Samples};
use crate::ground::TiledGround;
use crate::level::Level;
use crate::rules::Rules;
use crate::spill::Spill;
use crate::stop::Stop;
use crate::walk::Walker;

/// A second look is made at no more places than this.
const MOST_DOUBTS: usize = 20_000;
/// So many second looks are made, as long as each finds something; in all directions at first, by agents
/// then.
const LOOKS: usize = 12;
const FIRST_LOOKS: usize = 4;

/// A spawn this far above the level, in meters, is a mistake.
const FAR_ABOVE: f64 = 10.0;

/// An overlap of less than this share of the body only touches.
const TOUCHING: f64 = 0.01;

/// How far an exploration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Places are left to be left.
    Flooding,
    /// It was stopped before that.
    Stopped,
    /// As many as there may be were found: the rest is left out.
    Full,
    /// Every place that was found has been left in all directions.
    Done,
}

/// How far it is, in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Places found.
    pub places: usize,
    /// Of those, left in all directions.
    pub done: usize,
    /// How many places there are to be found, about: as many as pieces of floor with room.
    pub expected: usize,
    /// Floor of the places that are done, in m².
    pub area: f64,
    /// Ticks that characters made.
    pub ticks: u64,
    /// Bytes held for places, ways, floor and tiles, by their capacity.
    pub memory: usize,
}

/// Something seen while exploring that is likely to become a finding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alarm {
    /// The likely code: `FallOut` or `Snag`.
    pub code: Code,
    /// The last center that stood, or where the body was stopped.
    pub position: DVec3,
}

/// An exploration of one level.
#[derive(Debug)]
pub struct Explorer<'a> {
    pub(crate) walker: Walker<'a>,
    floor: Floor,
    spawns: Vec<Spawn>,
    blocked: Vec<Spawn>,
    pub(crate) flood: Flood,
    pub(crate) stop: Stop,
    warnings: Vec<Warning>,
    /// Whether a stop came before everything was judged.
    is_cut_off: bool,
}

impl<'a> Explorer<'a> {
    /// Looks for the floor and for spawns, unless some are given (the centers of bodies), and lets a body
    /// down at each.
    ///
    /// # Errors
    /// Rules that are none; a level without floor, or too large for the grid; spawns that are not finite.
    pub fn new(level: &'a Level, rules: &'a Rules, given: &[DVec3]) -> Result<Self, ExploreError> {
        Self::stoppable(level, rules, given, Stop::new())
    }

    /// The same, which ends every phase soon after a stop.
    ///
    /// # Errors
    /// Like [`Self::new`].
    pub fn stoppable(
        level: &'a Level,
        rules: &'a Rules,
        given: &[DVec3],
        stop: Stop,
    ) -> Result<Self, ExploreError> {
        let mut explorer = Self::prepared(level, rules, given, stop)?;
        let free = explorer.spawns.iter().filter(|spawn| !explorer.blocked.contains(spawn));
        for spawn in free.cloned().collect::<Vec<_>>() {
            explorer.flood.settle(&explorer.walker, spawn.position);
        }
        explorer.warn_of_spawns();
        Ok(explorer)
    }

    /// Goes on where [`Self::checkpoint`] was made, with the same level, rules and spawns.
    ///
    /// # Errors
    /// Like [`Self::new`]; a checkpoint that was cut off, or made with something else.
    pub fn resume(
        level: &'a Level,
        rules: &'a Rules,
        given: &[DVec3],
        from: impl Read,
    ) -> Result<Self, ExploreError> {
        Self::resume_stoppable(level, rules, given, from, Stop::new())
    }

    /// The same, which ends every phase soon after a stop.
    ///
    /// # Errors
    /// Like [`Self::resume`].
    pub fn resume_stoppable(
        level: &'a Level,
        rules: &'a Rules,
        given: &[DVec3],
        from: impl Read,
        stop: Stop,
    ) -> Result<Self, ExploreError> {
        let mut explorer = Self::prepared(level, rules, given, stop)?;
        let stamp = explorer.stamp();
        match checkpoint::read(from, stamp, &explorer.walker) {
            Ok(flood) => explorer.flood = flood,
            // The spawns were not found yet: what they were cannot be compared.
            Err(_) if explorer.stop.is_set() => {}
            Err(error) => return Err(error),
        }
        explorer.warn_of_spawns();
        Ok(explorer)
    }

    fn prepared(
        level: &'a Level,
        rules: &'a Rules,
        given: &[DVec3],
        stop: Stop,
    ) -> Result<Self, ExploreError> {
        rules.check()?;
        level.stop_at_fault(&stop);
        let walker = Walker::new(level, rules, stop.clone())?;
        // Before what takes long: a stop there may be because of them.
        let warnings = warnings(level, rules, &stop);
        let floor = Floor::of(level, rules, &stop)?;
        // After a stop there may be no floor to look for spawns on.
        let spawns = match spawns(level, rules, &floor, &stop, given) {
            Err(ExploreError::NoFloor(..)) if stop.is_set() => Vec::new(),
            other => other?,
        };
        // Feet that touch the floor do not overlap it, even where f32 has rounded it up.
        let body = rules.smaller_body(1.0 - TOUCHING)?;
        let mut blocked = Vec::new();
        for spawn in &spawns {
            if level.is_blocked(body, spawn.position, rules)? {
                blocked.push(spawn.clone());
            }
        }
        let flood = Flood::new(level, rules);
        Ok(Self { walker, floor, spawns, blocked, flood, warnings, stop, is_cut_off: false })
    }

    /// A body that falls out of the world as soon as it spawns is not in the level, and neither is one that
    /// is let down far above it.
    fn warn_of_spawns(&mut self) {
        let rules = self.walker.rules;
        let highest = self.walker.level.bounds().high.y;
        for spawn in self.spawns.iter().map(|spawn| spawn.position) {
            let above = spawn.y - rules.radii.y - highest;
            // Moving bodies may be above it.
            if above > FAR_ABOVE && self.walker.level.movers().is_empty() {
                let message = format!(
                    "the spawn at {:.2}, {:.2}, {:.2} is {above:.0} m above the highest point of the level, and the body \
                     falls for at least {:.1} s: pass another --spawn x,y,z",
                    spawn.x,
                    spawn.y,
                    spawn.z,
                    rules.fall(above)
                );
                self.warnings.push(Warning { code: "SPAWN_OUTSIDE", message });
            }
        }
        for event in self.flood.events.iter().filter(|event| event.place == NONE) {
            let message = format!(
                "the spawn at {:.2}, {:.2}, {:.2} is over nothing, and the body falls out of the world: pass another \
                 --spawn x,y,z",
                event.position.x, event.position.y, event.position.z
            );
            self.warnings.push(Warning { code: "SPAWN_OUTSIDE", message });
        }
    }

    /// A level whose surfaces face away from where the body walked is inside out.
    fn warn_of_winding(&mut self) {
        if self.warnings.iter().all(|warning| warning.code != "WINDING") {
            let message = "the body walked on surfaces that face down, as if the level were inside out: flip the \
                           normals when you export it, or its outside is taken for floor that was not reached";
            self.warnings.push(Warning { code: "WINDING", message: message.to_owned() });
        }
    }

    /// Works on the next places.
    pub fn advance(&mut self) -> Stage {
        if self.flood.places.len() >= self.walker.rules.most_places as usize {
            return Stage::Full;
        }
        if !self.flood.is_done() {
            if self.stop.is_set() {
                return Stage::Stopped;
            }
            self.flood.advance(&self.walker);
        }
        if self.flood.is_done() { Stage::Done } else { Stage::Flooding }
    }

    /// Writes everything so far, to continue from later: about 100 bytes per place, in small pieces.
    ///
    /// # Errors
    /// Those of `out`, and a fault of a temporary file: then what was written is no checkpoint.
    pub fn checkpoint(&self, out: &mut impl Write) -> io::Result<()> {
        checkpoint::write(&self.flood, self.stamp(), out)?;
        let fault = self.walker.level.spill().and_then(Spill::fault);
        fault.map_or(Ok(()), |fault| Err(io::Error::other(fault)))
    }

    /// The data that identifies an exploration.
    fn stamp(&self) -> [u64; 2] {
        stamp(self.walker.level, self.walker.rules, &self.spawns)
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress {
            places: self.flood.places.len(),
            done: self.flood.done(),
            expected: self.floor.samples.len(),
            area: self.floor.area(self.flood.done()),
            ticks: self.flood.ticks,
            memory: self.flood.memory()
                + self.floor.memory()
                + self.walker.level.tiles().map_or(0, TiledGround::memory),
        }
    }

    /// The alarms so far, from event number `first` on, in order; and the number of the next event. The
    /// findings are settled by [`Self::finish`] alone: until then this shows where to look.
    pub fn alarms(&self, first: usize) -> (impl Iterator<Item = Alarm> + '_, usize) {
        let events = &self.flood.events;
        let new = events.iter().skip(first).filter_map(|event| {
            let code = match event.kind {
                EventKind::FellOut => Code::FallOut,
                EventKind::Snag => Code::Snag,
                EventKind::GaveUp | EventKind::Died => return None,
            };
            Some(Alarm { code, position: event.position })
        });
        (new, events.len())
    }

    /// Looks once more where there is doubt, and says what is wrong. After a stop it says so of what was
    /// found until then: regions without a way back only where every way was tried.
    pub fn finish(&mut self) -> Vec<Finding> {
        let (level, rules) = (self.walker.level, self.walker.rules);
        self.floor.mark(level, &self.flood.places, rules);
        if self.flood.is_done() {
            self.floor.drop_impossible(level, rules, &self.stop);
            self.floor.drop_narrow(level, rules, &self.stop);
        }
        let mut confirmed = None;
        let mut traps = traps(&self.flood, &self.stop);
        let mut looked_at = BTreeSet::new();
        for look in 0..LOOKS {
            if !self.flood.is_done() || self.stop.is_set() {
                break;
            }
            let mut learned = false;
            if look < FIRST_LOOKS {
                let mut doubtful = self.evidence(&traps, None).doubtful(MOST_DOUBTS);
                // The same place would tell the same again.
                doubtful.retain(|id| looked_at.insert(*id));
                learned |= self.flood.look_again(&self.walker, &doubtful);
            }
            if !learned && !traps.is_empty() {
                let attempt = try_to_leave(&self.walker, &self.flood, &traps);
                confirmed = Some(Confirmed { agents: u32::from(AGENTS), ticks: attempt.each });
                learned = self.flood.learn(&attempt.links, attempt.spent);
            }
            if !learned {
                break;
            }
            while self.advance() == Stage::Flooding {}
            self.floor.mark(level, &self.flood.places, rules);
            self.floor.drop_narrow(level, rules, &self.stop);
            traps = crate::findings::analysis::traps(&self.flood, &self.stop);
        }
        let left: Vec<DVec3> = self.flood.given_up().collect();
        if let Some(first) = left.first() {
            let message = format!(
                "leaving a place cost too much at {} places, the first at {:.2}, {:.2}, {:.2}: not every direction was \
                 tried there",
                left.len(),
                first.x,
                first.y,
                first.z
            );
            self.warnings.push(Warning { code: "GAVE_UP", message });
        }
        let hardly_reached = self.flood.is_done() && !self.stop.is_set() && self.floor.is_hardly_reached();
        if hardly_reached && self.floor.is_elsewhere {
            self.warn_of_winding();
        } else if hardly_reached {
            let [reached, walkable] = self.coverage();
            let message = format!(
                "from the spawns the body reached {reached:.0} of {walkable:.0} m² of floor, as if they were outside the \
                 level: pass another --spawn x,y,z"
            );
            self.warnings.push(Warning { code: "SPAWN_OUTSIDE", message });
        }
        let before = self.stop.is_set();
        let mut found = findings(&self.evidence(&traps, confirmed));
        self.is_cut_off = self.stop.is_set();
        if self.is_cut_off && !before {
            // Some were judged before the stop and some after: all as after it.
            found = findings(&self.evidence(&traps, confirmed));
        }
        found
    }

    fn evidence<'b>(&'b self, traps: &'b [Trap], confirmed: Option<Confirmed>) -> Evidence<'b> {
        Evidence {
            walker: &self.walker,
            flood: &self.flood,
            floor: &self.floor,
            traps,
            blocked: &self.blocked,
            confirmed,
            stop: &self.stop,
        }
    }

    /// Oddities of the level as a whole.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The spawns, and why there.
    pub fn spawns(&self) -> &[Spawn] {
        &self.spawns
    }

    /// Where a body could stand, and whether one got there; known after [`Self::finish`].
    pub fn floor(&self) -> &Samples {
        &self.floor.samples
    }

    /// The time from a spawn to a sample of the floor, in seconds; `None` if it was not reached.
    pub fn time_to(&self, sample: &Sample) -> Option<f64> {
        if !sample.is_reached {
            return None;
        }
        let (places, rules) = (&self.flood.places, self.walker.rules);
        let [x, z] = sample.column;
        let around = [-1, 0, 1].into_iter().flat_map(|i| [-1, 0, 1].map(|j| [x + i, z + j]));
        let is_near = |place: &Place| {
            let feet = place.position.y - rules.radii.y;
            (feet - sample.height).abs() <= self.floor.rise
        };
        let here = around.flat_map(|column| places.in_column(column)).map(|(_, place)| place);
        let ticks = here.filter(is_near).map(|place| place.ticks).min()?;
        Some(f64::from(ticks) * rules.dt)
    }

    /// Floors of neighboring columns that differ by no more are one floor.
    pub(crate) fn rise(&self) -> f64 {
        self.floor.rise
    }

    /// Whether every place that was found was left in all directions, and all of it was judged.
    pub fn is_complete(&self) -> bool {
        self.flood.is_done() && !self.is_cut_off
    }

    /// The places from a number on, in the order in which they were found.
    pub fn places(&self, first: usize) -> impl ExactSizeIterator<Item = Place> + '_ {
        let count = self.flood.places.len();
        self.flood.places.list.range(first.min(count)..count)
    }

    /// Floor that was reached and all floor with room, in m².
    pub fn coverage(&self) -> [f64; 2] {
        [self.floor.area(self.floor.samples.reached()), self.floor.area(self.floor.samples.len())]
    }

    /// The level that is explored.
    pub fn level(&self) -> &Level {
        self.walker.level
    }

    /// By which rules.
    pub fn rules(&self) -> &Rules {
        self.walker.rules
    }
}

/// Identifies a flood: the level, the rules and the spawns, in two numbers that differ for another flood. The
/// first is the level's [`Level::checksum`].
pub fn fingerprint(level: &Level, rules: &Rules, given: &[DVec3]) -> [u64; 2] {
    stamp(level, rules, given)
}

fn stamp(level: &Level, rules: &Rules, spawns: &(impl Debug + ?Sized)) -> [u64; 2] {
    let said = format!("{rules:?} {spawns:?} {:?}", level.volumes.list());
    let moving = level.moving().iter().map(|moving| moving.scene.to_string());
    let said = moving.fold(said, |said, scene| said + &scene);
    let hash = said.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    [level.checksum(), hash]
}
