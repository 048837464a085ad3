//! Where a body could stand: flat enough, with room above. Independent of any walk.
//!
//! One sample for each cell of the grid and floor, at the cell's center. Flat enough means walkable for the
//! character. Room means that the body fits there, at most a step above the floor. Cost: one to five contact
//! queries for each sample, in parallel.

mod broad;
mod depth;
mod parts;
mod raster;
mod room;
mod rows;
mod sample;
mod samples;
pub(crate) mod spawn;
#[cfg(test)]
mod test_floor;
mod walkable;

use std::collections::BTreeSet;

use carom::num::ops;
use carom_formats::{Extents, TileEntry};
use glam::DVec3;
use rayon::prelude::*;

use crate::error::ExploreError;
use crate::flood::places::{Hold, Place, Places, column};
use crate::floor::raster::{ALL_ROWS, highest, meets, raster, strips};
use crate::floor::room::stands_on;
use crate::floor::walkable::{Facing, area, walkable};
use crate::ground::{Facet, Ground};
use crate::level::Level;
use crate::rules::Rules;
use crate::spill::Bits;
use crate::stop::Stop;

pub(crate) use parts::Part;
pub(crate) use room::{is_inside, stand};
pub use sample::Sample;
pub use samples::Samples;
pub use walkable::about_places;

/// All samples, by column and height.
#[derive(Debug, Default)]
pub(crate) struct Floor {
    pub(crate) samples: Samples,
    cell: f64,
    /// Floors of neighboring columns that differ by no more are one floor.
    pub(crate) rise: f64,
    /// Whether most of where bodies stood is none of it.
    pub(crate) is_elsewhere: bool,
}

/// No more samples than this, before room is asked for: of a level in memory,
const MOST: f64 = 2e8;
/// and of one in tiles, where they are looked for tile by tile.
const MOST_TILED: f64 = 1e9;
/// Samples of a level in memory are looked for in strips of about this many.
const AT_ONCE: f64 = (1 << 18) as f64;
/// Numbers of columns stay within what f32 vertices can distinguish.
pub(crate) const FARTHEST: f64 = 1e9;
/// Floor is as wide as the body if it reaches this far, as a share of its radius: rounding to f32 does not
/// count.
const WIDE: f64 = 0.95;
/// Whether a region is wide is asked at no more of its samples than this.
const LOOKED_AT: usize = 4096;

impl Floor {
    /// The floor of the faces that look up; where none does, of all that are flat enough.
    /// `None` after a stop.
    pub(crate) fn of(level: &Level, rules: &Rules, stop: &Stop) -> Result<Self, ExploreError> {
        match Self::facing(level, rules, Facing::Up, stop) {
            Err(ExploreError::NoFloor(..)) => Self::facing(level, rules, Facing::Either, stop),
            other => other,
        }
    }

    fn facing(level: &Level, rules: &Rules, facing: Facing, stop: &Stop) -> Result<Self, ExploreError> {
        let cell = rules.cell();
        let Extents { low, high } = level.movers().bounds(level.bounds());
        let farthest = low.abs().max(high.abs()).max_element();
        let walkable = walkable(level, rules, facing);
        let is_floor = |facet: &Facet| !stop.is_set() && walkable(facet);
        let area = area(level, &walkable);
        let (cells, most) = (area / (cell * cell), if level.tiles().is_some() { MOST_TILED } else { MOST });
        if cells > most {
            return Err(ExploreError::TooLarge { floor: area, cells, cell, most });
        }
        if farthest / cell > FARTHEST {
            return Err(ExploreError::TooFar(farthest, cell));
        }
        let grown = rules.grown()?;
        let has_room =
            |sample: &Sample| !stop.is_set() && stands_on(level, rules, &grown, sample.point(cell));
        let close = rules.settings.step_height.min(0.5 * rules.radii.y);
        let mut samples = Samples::new(level.spill());
        match level.ground() {
            Ground::Whole { soup, .. } => {
                // A large level in strips, one after the other: samples are in order of x.
                let all = [(low.x / cell) as i32 - 1, (high.x / cell) as i32 + 1];
                for columns in strips(all, cells / AT_ONCE) {
                    let is_beside = |facet: &Facet| meets(facet.corners, cell, columns);
                    let facets = (0..soup.triangles.len())
                        .into_par_iter()
                        .map(|triangle| soup.facet(triangle, triangle as u32));
                    let facets = facets.filter(|facet| is_beside(facet) && is_floor(facet));
                    let raw = facets.flat_map_iter(|facet| raster(facet.corners, cell, [columns, ALL_ROWS]));
                    let raw = highest(raw.collect(), close);
                    let kept: Vec<bool> = raw.par_iter().map(has_room).collect();
                    let kept = raw.iter().zip(kept).filter(|(_, is_kept)| *is_kept);
                    kept.for_each(|(sample, _)| samples.push(sample));
                }
            }
            Ground::Tiled(tiled) => {
                // A column is of one tile, which has all that touches it: floors are found tile by tile.
                let of_tile = |entry: &TileEntry| {
                    let grid = tiled.folder().level().grid;
                    let columns = entry.at.map(|at| {
                        let low = f64::from(at) * grid.size;
                        [
                            ((low / cell) as i32).saturating_sub(2),
                            (((low + grid.size) / cell) as i32).saturating_add(2),
                        ]
                    });
                    let tile = tiled.get(entry.at);
                    let is_own = |sample: &Sample| {
                        let at = sample.point(cell);
                        grid.square(at.x, at.z) == entry.at
                    };
                    let numbers = tile.numbers.iter().enumerate();
                    let facets = numbers.map(|(triangle, number)| tile.soup.facet(triangle, *number));
                    let raw = facets.filter(is_floor).flat_map(|facet| raster(facet.corners, cell, columns));
                    let mut samples = highest(raw.filter(is_own).collect(), close);
                    samples.retain(has_room);
                    samples
                };
                // Tiles that are beside each other along z have the same columns.
                for strip in tiled.folder().tiles().chunk_by(|a, b| a.at[0] == b.at[0]) {
                    let tiles: Vec<Vec<Sample>> = strip.par_iter().map(of_tile).collect();
                    let mut rest: Vec<&[Sample]> = tiles.iter().map(Vec::as_slice).collect();
                    while let Some(x) = rest.iter().filter_map(|tile| Some(tile.first()?.column[0])).min() {
                        for tile in &mut rest {
                            let (row, later) = tile.split_at(tile.partition_point(|at| at.column[0] == x));
                            row.iter().for_each(|sample| samples.push(sample));
                            *tile = later;
                        }
                    }
                }
            }
        }
        if stop.is_set() {
            samples = Samples::new(level.spill());
        } else if samples.is_empty() {
            let size = 2.0 * rules.radii;
            return Err(ExploreError::NoFloor(size.x, size.y, size.z));
        }
        let rise = rules.settings.step_height
            + cell * {
                let (sin, cos) = ops::sin_cos(rules.settings.max_slope.min(1.4));
                sin / cos
            };
        Ok(Self { samples, cell, rise, is_elsewhere: false })
    }

    /// Marks what is in the column of a place, and what is within a cell of one with nothing between: a place
    /// beside a thin wall is on one side of it. Places on bodies that move do not count. Cost: six searches a
    /// place, and a ray for each place beside a sample without one.
    pub(crate) fn mark(&mut self, level: &Level, places: &Places, rules: &Rules) {
        let Self { samples, rise, is_elsewhere, cell } = self;
        let half = DVec3::Y * rules.radii.y;
        samples.forget_reached();
        let mut found = Vec::new();
        let (mut on_floor, mut all) = (0usize, 0usize);
        let holds = |place: &Place| place.hold.stands() && !matches!(place.hold, Hold::On(_));
        // A cell is narrower than the body: no wall has room for it on both sides within one.
        for is_own in [true, false] {
            for place in places.list.iter().filter(&holds) {
                let [x, z] = column(place.position, places.cell());
                let feet = place.position.y - half.y;
                let mut is_on_floor = false;
                for i in x - 1..=x + 1 {
                    let around = samples.in_row([i, z - 1], z + 1);
                    for (number, sample) in around.filter(|(_, at)| (feet - at.height).abs() <= *rise) {
                        is_on_floor = true;
                        let way = sample.point(*cell) + half - place.position;
                        let is_reached = match is_own {
                            true => sample.column == [x, z],
                            false => !sample.is_reached && level.ray(place.position, way).is_none(),
                        };
                        found.extend(is_reached.then_some(number));
                    }
                }
                found.drain(..).for_each(|number| samples.reach(number));
                on_floor += usize::from(is_own && is_on_floor);
                all += usize::from(is_own);
            }
        }
        *is_elsewhere = 2 * on_floor < all;
    }

    /// Whether bodies got to no more than a hundredth of it.
    pub(crate) fn is_hardly_reached(&self) -> bool {
        100 * self.samples.reached() <= self.samples.len()
    }

    /// Leaves out what was not reached and is nowhere to be: within a solid, outside of a closed level, or
    /// where a volume kills, throws or teleports all that stands there.
    pub(crate) fn drop_impossible(&mut self, level: &Level, rules: &Rules, stop: &Stop) {
        let half = DVec3::Y * rules.radii.y;
        let stays = |feet| rules.body().is_ok_and(|body| level.volumes.lets_stay(&body, feet + half));
        let is_impossible = |sample: &Sample| {
            let feet = self.point(sample);
            !stays(feet) || level.is_shut_out(feet + half) || is_inside(level, rules, feet)
        };
        let is_dropped = |at: &u32| {
            !self.samples.is_reached(*at) && !stop.is_set() && is_impossible(&self.samples.get(*at))
        };
        let drops: Vec<u32> = (0..self.samples.len() as u32).into_par_iter().filter(is_dropped).collect();
        self.drop_all(&drops, level);
    }

    /// Leaves out what was not reached and is nowhere as wide as the body: tops of walls and rails.
    pub(crate) fn drop_narrow(&mut self, level: &Level, rules: &Rules, stop: &Stop) {
        let parts = self.parts(stop, |at| !self.samples.is_reached(at));
        let narrow = parts.par_iter().filter(|part| {
            // Regions too small to report need no second look.
            self.area(part.len()) >= rules.min_area
                && !stop.is_set()
                && !self.is_wide(level, rules, &part.to_vec())
        });
        let drops: Vec<u32> = narrow.flat_map_iter(Part::iter).collect();
        self.drop_all(&drops, level);
    }

    fn drop_all(&mut self, numbers: &[u32], level: &Level) {
        let mut drops = Bits::new(self.samples.len());
        numbers.iter().for_each(|number| drops.set(*number as usize));
        if !numbers.is_empty() {
            self.samples = self.samples.filtered(level.spill(), |number| !drops.get(number as usize));
        }
    }

    /// Whether there is floor all around some point of a part, as far as the body is wide.
    pub(crate) fn is_wide(&self, level: &Level, rules: &Rules, part: &[u32]) -> bool {
        let columns: BTreeSet<[i32; 2]> = part.iter().map(|at| self.samples.get(*at).column).collect();
        // Three cells and more are wider than the body: their middles are two cells apart.
        let reach = (rules.radii.x.max(rules.radii.z) / self.cell).ceil().clamp(1.0, 64.0) as i32;
        let is_middle = |[x, z]: [i32; 2]| {
            (-reach..=reach).all(|i| (-reach..=reach).all(|j| columns.contains(&[x + i, z + j])))
        };
        if columns.iter().any(|column| is_middle(*column)) {
            return true;
        }
        let upright = ops::cos(rules.settings.max_slope) - 1e-6;
        let holds = |at: DVec3| {
            let (from, way) = (at + DVec3::Y * self.rise, DVec3::Y * (-2.0 * self.rise));
            level.ray(from, way).is_some_and(|met| met.hit.normal.y >= upright)
        };
        let ring: Vec<DVec3> = (0..8)
            .map(|i| {
                let (sin, cos) = ops::sin_cos(core::f64::consts::FRAC_PI_4 * f64::from(i));
                DVec3::new(rules.radii.x * cos, 0.0, rules.radii.z * sin) * WIDE
            })
            .collect();
        let shifts = [0.0, -0.25, 0.25, -0.5, 0.5].map(|share| share * self.cell);
        part.iter().step_by(part.len().div_ceil(LOOKED_AT)).any(|at| {
            let middle = self.point(&self.samples.get(*at));
            let mut points = shifts.iter().flat_map(|x| shifts.map(|z| middle + DVec3::new(*x, 0.0, z)));
            points.any(|point| ring.iter().all(|around| holds(point + *around)))
        })
    }

    /// The middle of a sample, in meters.
    pub(crate) fn point(&self, sample: &Sample) -> DVec3 {
        sample.point(self.cell)
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        self.samples.memory()
    }

    /// The samples beside one, on the same floor.
    pub(crate) fn around(&self, at: u32, mut visit: impl FnMut(u32)) {
        let Sample { column: [x, z], height, .. } = self.samples.get(at);
        for beside in [[x - 1, z], [x + 1, z], [x, z - 1], [x, z + 1]] {
            for (number, sample) in self.samples.in_column(beside) {
                if (sample.height - height).abs() <= self.rise {
                    visit(number);
                }
            }
        }
    }

    /// The samples in the columns up to `cells` away, at any height, but for its own column.
    pub(crate) fn near(&self, at: u32, cells: i32, mut visit: impl FnMut(u32)) {
        let [x, z] = self.samples.get(at).column;
        for i in x - cells..=x + cells {
            for (number, sample) in self.samples.in_row([i, z - cells], z + cells) {
                if sample.column != [x, z] {
                    visit(number);
                }
            }
        }
    }

    /// The sample in the column `[i, j]` away that is nearest in height, if that is no more than `rise`.
    pub(crate) fn at(&self, sample: u32, [i, j]: [i32; 2], rise: f64) -> Option<u32> {
        let Sample { column: [x, z], height, .. } = self.samples.get(sample);
        let there = [x + i, z + j];
        let away = |(_, sample): &(u32, Sample)| (sample.height - height).abs();
        let nearest = self.samples.in_column(there).min_by(|a, b| away(a).total_cmp(&away(b)));
        nearest.filter(|nearest| away(nearest) <= rise).map(|(number, _)| number)
    }

    /// Whether reached floor is at this point, but for a step.
    pub(crate) fn is_reached_at(&self, point: DVec3) -> bool {
        let mut here = self.samples.in_column(column(point, self.cell));
        here.any(|(_, sample)| sample.is_reached && (sample.height - point.y).abs() <= self.rise)
    }

    /// How far these samples extend along x and z, in meters.
    pub(crate) fn size<'a>(&self, samples: impl Iterator<Item = &'a u32>) -> [f64; 2] {
        let columns = samples.map(|at| self.samples.get(*at).column);
        let none = [i32::MAX, i32::MAX, i32::MIN, i32::MIN];
        let [left, near, right, far] = columns.fold(none, |[left, near, right, far], [x, z]| {
            [left.min(x), near.min(z), right.max(x), far.max(z)]
        });
        [right.saturating_sub(left), far.saturating_sub(near)]
            .map(|cells| (f64::from(cells) + 1.0) * self.cell)
    }

    /// The next sample above one, in its column.
    pub(crate) fn over(&self, sample: u32) -> Option<u32> {
        let next = (sample + 1 < self.samples.len() as u32).then(|| self.samples.get(sample + 1))?;
        (next.column == self.samples.get(sample).column).then_some(sample + 1)
    }

    /// The next sample below one, in its column.
    pub(crate) fn below(&self, sample: u32) -> Option<u32> {
        let before = sample.checked_sub(1)?;
        let same = self.samples.get(before).column == self.samples.get(sample).column;
        same.then_some(before)
    }

    /// Whether there is a sample where a center is, about as high as its feet.
    pub(crate) fn holds(&self, center: DVec3, rules: &Rules) -> bool {
        let feet = center.y - rules.radii.y;
        let mut samples = self.samples.in_column(column(center, self.cell));
        samples.any(|(_, sample)| (sample.height - feet).abs() <= 0.15 * rules.radii.y)
    }

    /// On how many of its four sides the floor continues.
    pub(crate) fn sides(&self, at: u32) -> usize {
        let mut columns = [[i32::MAX; 2]; 4];
        let mut count = 0;
        self.around(at, |other| {
            let column = self.samples.get(other).column;
            if !columns[..count].contains(&column) {
                columns[count] = column;
                count += 1;
            }
        });
        count
    }

    pub(crate) fn cell(&self) -> f64 {
        self.cell
    }

    pub(crate) fn area(&self, count: usize) -> f64 {
        count as f64 * self.cell * self.cell
    }
}
