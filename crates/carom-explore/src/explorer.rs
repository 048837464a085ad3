//! One exploration from the spawns to the findings, a batch at a time.

use glam::DVec3;
use rayon::prelude::*;

use crate::analysis::{Trap, traps};
use crate::checkpoint;
use crate::error::ExploreError;
use crate::findings::{Evidence, Finding, findings};
use crate::flood::Flood;
use crate::floor::{Floor, Sample};
use crate::level::Level;
use crate::places::{Place, Places};
use crate::rules::Rules;
use crate::spawn::{Spawn, spawns};
use crate::stop::Stop;
use crate::walk::Walker;
use crate::warnings::Warning;

/// A second look is made at no more places than this.
const MOST_DOUBTS: usize = 20_000;
/// So many second looks are made, as long as each finds something.
const LOOKS: usize = 4;

/// What overlaps by less than this share of the body only touches.
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
    /// Bytes held for places, ways and floor, by their capacity.
    pub memory: usize,
}

/// An exploration of one level.
#[derive(Debug)]
pub struct Explorer<'a> {
    walker: Walker<'a>,
    floor: Floor,
    spawns: Vec<Spawn>,
    blocked: Vec<Spawn>,
    flood: Flood,
    stop: Stop,
    warnings: Vec<Warning>,
}

impl<'a> Explorer<'a> {
    /// Looks for the floor and for spawns, unless some are given (the centres of bodies), and lets a body down at each.
    ///
    /// # Errors
    /// Rules that are none; a level without floor, or too large for the grid; spawns that are not finite.
    pub fn new(level: &'a Level, rules: &'a Rules, given: &[DVec3]) -> Result<Self, ExploreError> {
        Self::stoppable(level, rules, given, Stop::new())
    }

    /// The same, which ends every phase soon after a stop.
    ///
    /// # Errors
    /// As [`Self::new`].
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
        Ok(explorer)
    }

    /// Goes on where [`Self::checkpoint`] was made, with the same level, rules and spawns.
    ///
    /// # Errors
    /// As [`Self::new`]; a checkpoint that was cut off, or made with something else.
    pub fn resume(
        level: &'a Level,
        rules: &'a Rules,
        given: &[DVec3],
        bytes: &[u8],
    ) -> Result<Self, ExploreError> {
        Self::resume_stoppable(level, rules, given, bytes, Stop::new())
    }

    /// The same, which ends every phase soon after a stop.
    ///
    /// # Errors
    /// As [`Self::resume`].
    pub fn resume_stoppable(
        level: &'a Level,
        rules: &'a Rules,
        given: &[DVec3],
        bytes: &[u8],
        stop: Stop,
    ) -> Result<Self, ExploreError> {
        let mut explorer = Self::prepared(level, rules, given, stop)?;
        let stamp = explorer.stamp();
        explorer.flood = checkpoint::read(bytes, stamp, explorer.flood.places)?;
        Ok(explorer)
    }

    fn prepared(
        level: &'a Level,
        rules: &'a Rules,
        given: &[DVec3],
        stop: Stop,
    ) -> Result<Self, ExploreError> {
        rules.check()?;
        let walker = Walker::new(level, rules)?;
        let floor = Floor::of(level, rules)?;
        let spawns = spawns(level, rules, &floor, given)?;
        // Feet that touch the floor do not overlap it, even where f32 has rounded it up.
        let body = rules.smaller_body(1.0 - TOUCHING)?;
        let mut blocked = Vec::new();
        for spawn in &spawns {
            if !level.world().overlaps(body, spawn.position, rules.settings.collides_with)?.is_empty() {
                blocked.push(spawn.clone());
            }
        }
        let flood = Flood::new(Places::new(rules.cell(), rules.same_height()));
        Ok(Self { walker, floor, spawns, blocked, flood, stop, warnings: Vec::new() })
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

    /// Everything so far, to go on from later.
    pub fn checkpoint(&self) -> Vec<u8> {
        checkpoint::write(&self.flood, self.stamp())
    }

    /// What makes two explorations the same.
    fn stamp(&self) -> [u64; 2] {
        let said =
            format!("{:?} {:?} {:?}", self.walker.rules, self.spawns, self.walker.level.volumes.list());
        let hash = said.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        [self.walker.level.checksum(), hash]
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress {
            places: self.flood.places.len(),
            done: self.flood.done(),
            expected: self.floor.samples.len(),
            area: self.floor.area(self.flood.done()),
            ticks: self.flood.ticks,
            memory: self.flood.memory() + self.floor.memory(),
        }
    }

    /// Looks once more where there is doubt, and says what is wrong. After a stop it says so of what was found until then: regions
    /// without a way back only where every way was tried.
    pub fn finish(&mut self) -> Vec<Finding> {
        let (level, rules) = (self.walker.level, self.walker.rules);
        self.floor.mark(&self.flood.places, rules);
        if self.flood.is_done() {
            self.floor.drop_inside(level, rules);
            self.floor.drop_narrow(level, rules);
        }
        let mut traps = traps(&self.flood);
        let is_whole = self.flood.is_done();
        for _ in 0..LOOKS {
            if !is_whole {
                break;
            }
            let doubtful = self.evidence(&traps).doubtful(MOST_DOUBTS);
            if doubtful.is_empty() || !self.flood.look_again(&self.walker, &doubtful) {
                break;
            }
            while self.advance() == Stage::Flooding {}
            self.floor.mark(&self.flood.places, rules);
            self.floor.drop_narrow(level, rules);
            traps = crate::analysis::traps(&self.flood);
        }
        findings(&self.evidence(&traps))
    }

    fn evidence<'b>(&'b self, traps: &'b [Trap]) -> Evidence<'b> {
        Evidence {
            walker: &self.walker,
            flood: &self.flood,
            floor: &self.floor,
            traps,
            blocked: &self.blocked,
        }
    }

    /// What is odd about the level as a whole.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The spawns, and why there.
    pub fn spawns(&self) -> &[Spawn] {
        &self.spawns
    }

    /// Where a body could stand, and whether one got there; known after [`Self::finish`].
    pub fn floor(&self) -> &[Sample] {
        &self.floor.samples
    }

    /// How long it takes from a spawn to each sample of the floor, in seconds; `None` where nobody got.
    pub fn times(&self) -> Vec<Option<f64>> {
        let (places, rules) = (&self.flood.places, self.walker.rules);
        let time = |sample: &Sample| {
            let [x, z] = sample.column;
            let around = [-1, 0, 1].into_iter().flat_map(|i| [-1, 0, 1].map(|j| [x + i, z + j]));
            let near = |id: &u32| {
                let feet = places.list[*id as usize].position.y - rules.radii.y;
                (feet - sample.height).abs() <= self.floor.rise
            };
            let ids = around.flat_map(|column| places.in_column(column)).filter(near);
            let ticks = ids.map(|id| places.list[id as usize].ticks).min()?;
            Some(f64::from(ticks) * rules.dt)
        };
        let samples = self.floor.samples.par_iter();
        samples.map(|sample| sample.is_reached.then(|| time(sample)).flatten()).collect()
    }

    /// The numbers of the samples beside one, on the same floor.
    pub(crate) fn around(&self, sample: u32, visit: impl FnMut(u32)) {
        self.floor.around(sample, visit);
    }

    /// Floors of neighbouring columns that differ by no more are one floor.
    pub(crate) fn rise(&self) -> f64 {
        self.floor.rise
    }

    /// Whether every place that was found was left in all directions.
    pub fn is_complete(&self) -> bool {
        self.flood.is_done()
    }

    /// The places, in the order in which they were found.
    pub fn places(&self) -> &[Place] {
        &self.flood.places.list
    }

    /// Floor that was reached and all floor with room, in m².
    pub fn coverage(&self) -> [f64; 2] {
        let reached = self.floor.samples.iter().filter(|sample| sample.is_reached).count();
        [self.floor.area(reached), self.floor.area(self.floor.samples.len())]
    }

    /// What is walked in.
    pub fn level(&self) -> &Level {
        self.walker.level
    }

    /// By which rules.
    pub fn rules(&self) -> &Rules {
        self.walker.rules
    }
}
