//! Hill climbing over the cases of one query and family.

use std::time::Instant;

use carom_scenes::Random;
use carom_scenes::worst::{Case, Family, Levels, Query};

use crate::measure::{Measured, measure};

/// Random cases of which the median is taken.
const SAMPLE: usize = 200;
/// As many are taken even if there is no time left.
const LEAST_SAMPLE: usize = 25;
/// A climb ends after this many changes that make nothing slower.
const PATIENCE: u32 = 150;
/// Random cases of which the slowest starts a climb.
const START: u32 = 20;
/// A case is slower if it takes this many times as long: less is noise.
const SLOWER: f64 = 1.02;
/// Runs of a case, and of one that seems to be the slowest.
const RUNS: u32 = 3;
const MORE_RUNS: u32 = 8;
/// Slowest cases of climbs that lend their genes to others.
const KEPT: usize = 6;

/// A search.
pub(crate) struct Search<'a> {
    levels: &'a Levels,
    query: Query,
    family: Family,
    random: Random,
    best: Option<Measured>,
    /// The ends of climbs.
    ends: Vec<Measured>,
    /// Times of random cases.
    times: Vec<f64>,
    count: u64,
    faults: Vec<String>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(levels: &'a Levels, query: Query, family: Family, random: Random) -> Self {
        let (ends, times, faults) = (Vec::new(), Vec::new(), Vec::new());
        Self { levels, query, family, random, best: None, ends, times, count: 0, faults }
    }

    /// Takes the random cases that the median is of, fewer after a deadline.
    pub(crate) fn sample(&mut self, deadline: Instant) {
        while self.times.len() < LEAST_SAMPLE || self.times.len() < SAMPLE && Instant::now() < deadline {
            let one = self.any();
            self.times.push(one.least);
            self.keep(&one);
        }
    }

    /// Searches until the deadline.
    pub(crate) fn run(&mut self, deadline: Instant) {
        self.sample(deadline);
        let mut here = self.best();
        while Instant::now() < deadline {
            here = self.climb(here, deadline);
            self.end_climb(here);
            here = self.start();
        }
    }

    /// Climbs from a case to one that no change makes slower.
    fn climb(&mut self, mut here: Measured, deadline: Instant) -> Measured {
        let mut idle = 0;
        while idle < PATIENCE && Instant::now() < deadline {
            let other = (!self.ends.is_empty() && self.random.below(8) == 0)
                .then(|| self.ends[self.random.below(self.ends.len())].case);
            let case = match other {
                Some(other) => here.case.crossed(&other, &mut self.random),
                None => here.case.mutated(&mut self.random),
            };
            let next = self.measured(&case, RUNS);
            idle += 1;
            if next.least <= SLOWER * here.least {
                continue;
            }
            // Both again: what was only noise falls back.
            let (next, before) = (self.measured(&case, MORE_RUNS), self.measured(&here.case, MORE_RUNS));
            if next.least > SLOWER * before.least {
                here = next;
                self.keep(&here);
                idle = 0;
            }
        }
        here
    }

    /// The slowest of a few random cases.
    fn start(&mut self) -> Measured {
        let mut slowest = self.any();
        for _ in 1..START {
            let one = self.any();
            if one.least > slowest.least {
                slowest = one;
            }
        }
        slowest
    }

    fn end_climb(&mut self, end: Measured) {
        self.ends.push(end);
        self.ends.sort_by(|a, b| b.least.total_cmp(&a.least));
        self.ends.truncate(KEPT);
    }

    fn any(&mut self) -> Measured {
        let case = Case::random(self.query, self.family, &mut self.random);
        self.measured(&case, RUNS)
    }

    fn measured(&mut self, case: &Case, runs: u32) -> Measured {
        let measured = measure(self.levels, case, runs);
        self.count += 1;
        if let Some(fault) = &measured.fault {
            self.faults.push(format!("{fault}: --replay \"{case}\""));
        }
        measured
    }

    fn keep(&mut self, one: &Measured) {
        if self.best.as_ref().is_none_or(|best| one.least > best.least) {
            self.best = Some(one.clone());
        }
    }

    /// The slowest case.
    pub(crate) fn best(&self) -> Measured {
        self.best.clone().expect("a search begins with random cases")
    }

    /// The median of the times of random cases, in seconds.
    pub(crate) fn median(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
    }

    /// How many cases were measured.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The laws that answers broke, with the cases.
    pub(crate) fn faults(&self) -> &[String] {
        &self.faults
    }
}
