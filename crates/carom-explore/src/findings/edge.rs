//! The edge of the level: where reached floor ends and nothing is beyond, and how much of it is open.

use std::collections::BTreeSet;

use glam::DVec3;
use rayon::prelude::*;

use crate::findings::barrier::Barrier;
use crate::findings::evidence::Evidence;
use crate::findings::skyline::Skyline;
use crate::flood::places::column;

/// About how many samples of a level's edge are asked whether it is closed there.
const EDGE: usize = 20_000;
/// The edge of a level lies no farther beyond its floor than this, in meters: a wall's thickness.
const WALL: f64 = 2.0;
/// A fall opens the edge within this many columns.
const OPEN: i32 = 2;
/// Railings and walls on both sides of an opening are within this distance of it, in meters.
const BESIDE: f64 = 2.0;
/// The directions in which the floor may end.
const WAYS: [[i32; 2]; 4] = [[1, 0], [-1, 0], [0, 1], [0, -1]];

/// The edge of a level, with openings where bodies fall.
pub(crate) struct Edge<'a> {
    evidence: &'a Evidence<'a>,
    /// The columns from which bodies fall.
    open: BTreeSet<[i32; 2]>,
}

impl<'a> Edge<'a> {
    /// Open where bodies fall from these positions.
    pub(crate) fn new(evidence: &'a Evidence<'a>, falls: impl Iterator<Item = DVec3>) -> Self {
        let cell = evidence.walker.rules.cell();
        Self { evidence, open: falls.map(|p| column(p, cell)).collect() }
    }

    /// Whether bodies reach a sample and do not fall near it.
    fn is_kept(&self, at: u32) -> bool {
        let floor = self.evidence.floor;
        let is_open = |[x, z]: [i32; 2]| {
            (-OPEN..=OPEN).any(|i| (-OPEN..=OPEN).any(|j| self.open.contains(&[x + i, z + j])))
        };
        floor.samples.is_reached(at) && !is_open(floor.samples.get(at).column)
    }

    /// Whether nothing is beyond the floor in this direction.
    fn leads_outside(&self, at: u32, way: [i32; 2], skylines: &mut [Skyline<'_>]) -> bool {
        let beyond = DVec3::new(f64::from(way[0]), 0.0, f64::from(way[1])) * WALL;
        let center = self.evidence.above(at, 0.5);
        skylines.iter_mut().any(|skyline| skyline.leads_outside(center + beyond, way))
    }

    /// The share of the reached edge of the level that is open: where a body falls out, of that and of where
    /// it is held back.
    pub(crate) fn open_share(&self, skylines: &mut [Skyline<'_>]) -> f64 {
        let floor = self.evidence.floor;
        let is_rim = |at: &u32| self.is_kept(*at) && floor.sides(*at) < 4;
        let rim: Vec<u32> = (0..floor.samples.len() as u32).into_par_iter().filter(is_rim).collect();
        let stride = rim.len().div_ceil(EDGE).max(1);
        let mut closed = 0usize;
        for at in rim.iter().step_by(stride) {
            if self.evidence.stop.is_over() {
                break;
            }
            let is_closed = WAYS.into_iter().any(|way| self.leads_outside(*at, way, skylines));
            closed += usize::from(is_closed) * stride;
        }
        let open = self.open.len() as f64;
        open / (open + closed as f64).max(1.0)
    }

    /// Whether an opening is one in a railing, and not in a wall, as a doorway is: a railing stands along at
    /// least as much of the edge beside it as walls do.
    pub(crate) fn is_in_a_railing(&self, opening: &[DVec3], skylines: &mut [Skyline<'_>]) -> bool {
        let (floor, cell) = (self.evidence.floor, self.evidence.walker.rules.cell());
        let far = (BESIDE / cell).ceil() as i32;
        let half = self.evidence.walker.rules.radii.y;
        let mut beside = BTreeSet::new();
        for p in opening {
            let [x, z] = column(*p, cell);
            for i in -far..=far {
                let row = floor.samples.in_row([x + i, z - far], z + far);
                let is_as_high = |height: f64| (p.y - half - height).abs() <= half;
                beside.extend(row.filter(|(_, sample)| is_as_high(sample.height)).map(|(at, _)| at));
            }
        }
        let (mut railings, mut walls) = (0, 0);
        for at in beside.into_iter().filter(|at| self.is_kept(*at)) {
            for way in WAYS {
                if self.leads_outside(at, way, skylines) {
                    match self.evidence.barrier(at, way) {
                        Barrier::Wall => walls += 1,
                        Barrier::Railing => railings += 1,
                        Barrier::Nothing => {}
                    }
                }
            }
        }
        railings > 0 && railings >= walls
    }
}
