//! Where a body could stand: flat enough, with room above. Independent of any walk.
//!
//! One sample for each cell of the grid and floor, at the cell's center. Flat enough means walkable for the
//! character. Room means that the body fits there, at most a step above the floor. Cost: one to five contact
//! queries for each sample, in parallel.

pub(crate) mod spawn;

use std::cmp::Ordering;
use std::collections::BTreeSet;

use carom::num::ops;
use carom::shape::Mover;
use carom_formats::TileEntry;
use glam::DVec3;
use rayon::prelude::*;

use crate::error::ExploreError;
use crate::flood::places::{Hold, Place, Places, column};
use crate::ground::{Facet, Ground};
use crate::level::{Level, TOGETHER};
use crate::rules::Rules;
use crate::stop::Stop;

/// A piece of floor as large as a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Which column of the grid: x and z by the cell.
    pub column: [i32; 2],
    /// The height of the floor at the column's middle, in meters.
    pub height: f64,
    /// Whether the flood reached it.
    pub is_reached: bool,
}

/// All samples, by column and height.
#[derive(Debug, Default)]
pub(crate) struct Floor {
    pub(crate) samples: Vec<Sample>,
    cell: f64,
    /// Floors of neighboring columns that differ by no more are one floor.
    pub(crate) rise: f64,
    /// Whether most of where bodies stood is none of it.
    pub(crate) is_elsewhere: bool,
}

/// Which sides of triangles are floor. Bodies are held by both, but modelers mean one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Facing {
    Up,
    Either,
}

/// No more samples than this, before room is asked for.
const MOST: f64 = 2e8;
/// Numbers of columns stay within what f32 vertices can distinguish.
pub(crate) const FARTHEST: f64 = 1e9;
/// Floor is as wide as the body if it reaches so far, as a share of its radius: what an f32 has rounded off
/// does not count.
const WIDE: f64 = 0.95;
/// A ray passes through no more sheets with two sides than this.
const MOST_THROUGH: usize = 16;
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
        let (low, high) = level.movers().bounds(level.bounds());
        let farthest = low.abs().max(high.abs()).max_element();
        let walkable = walkable(level, rules, facing);
        let is_floor = |facet: &Facet| !stop.is_set() && walkable(facet);
        let area = area(level, &walkable);
        if area / (cell * cell) > MOST {
            let cells = area / (cell * cell);
            return Err(ExploreError::TooLarge { floor: area, cells, cell, most: MOST });
        }
        if farthest / cell > FARTHEST {
            return Err(ExploreError::TooFar(farthest, cell));
        }
        let grown = rules.grown()?;
        let has_room =
            |sample: &Sample| !stop.is_set() && stand(level, rules, &grown, feet(sample, cell)).is_some();
        let close = rules.settings.step_height.min(0.5 * rules.radii.y);
        let mut samples = match level.ground() {
            Ground::Whole { soup, .. } => {
                let facets = (0..soup.triangles.len())
                    .into_par_iter()
                    .map(|triangle| soup.facet(triangle, triangle as u32));
                let raw =
                    facets.filter(is_floor).flat_map_iter(|facet| raster(facet.corners, cell, EVERYWHERE));
                let mut samples = highest(raw.collect(), close);
                let kept: Vec<bool> = samples.par_iter().map(has_room).collect();
                let mut kept = kept.into_iter();
                samples.retain(|_| kept.next() == Some(true));
                samples
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
                        let at = feet(sample, cell);
                        grid.square(at.x, at.z) == entry.at
                    };
                    let numbers = tile.numbers.iter().enumerate();
                    let facets = numbers.map(|(triangle, number)| tile.soup.facet(triangle, *number));
                    let raw = facets.filter(is_floor).flat_map(|facet| raster(facet.corners, cell, columns));
                    let mut samples = highest(raw.filter(is_own).collect(), close);
                    samples.retain(has_room);
                    samples
                };
                let tiles: Vec<Vec<Sample>> = tiled.folder().tiles().par_iter().map(of_tile).collect();
                let mut samples = Vec::with_capacity(tiles.iter().map(Vec::len).sum());
                tiles.into_iter().for_each(|tile| samples.extend(tile));
                samples.par_sort_unstable_by(by_column);
                samples
            }
        };
        samples.shrink_to_fit();
        if stop.is_set() {
            samples.clear();
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
        samples.iter_mut().for_each(|sample| sample.is_reached = false);
        let (mut on_floor, mut all) = (0usize, 0usize);
        let holds = |place: &&Place| place.hold.stands() && !matches!(place.hold, Hold::On(_));
        // A cell is narrower than the body: no wall has room for it on both sides within one.
        for is_own in [true, false] {
            for place in places.list.iter().filter(holds) {
                let [x, z] = column(place.position, places.cell());
                let feet = place.position.y - half.y;
                let mut is_on_floor = false;
                for i in x - 1..=x + 1 {
                    let first = samples.partition_point(|sample| sample.column < [i, z - 1]);
                    let around = samples[first..].iter_mut().take_while(|sample| sample.column <= [i, z + 1]);
                    for sample in around.filter(|sample| (feet - sample.height).abs() <= *rise) {
                        is_on_floor = true;
                        let way = self::feet(sample, *cell) + half - place.position;
                        sample.is_reached |= match is_own {
                            true => sample.column == [x, z],
                            false => !sample.is_reached && level.ray(place.position, way).is_none(),
                        };
                    }
                }
                on_floor += usize::from(is_own && is_on_floor);
                all += usize::from(is_own);
            }
        }
        *is_elsewhere = 2 * on_floor < all;
    }

    /// Whether bodies got to no more than a hundredth of it.
    pub(crate) fn is_hardly_reached(&self) -> bool {
        100 * self.samples.iter().filter(|sample| sample.is_reached).count() <= self.samples.len()
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
        let drops: Vec<bool> = self
            .samples
            .par_iter()
            .map(|sample| !sample.is_reached && !stop.is_set() && is_impossible(sample))
            .collect();
        self.drop_all(&drops);
    }

    /// Leaves out what was not reached and is nowhere as wide as the body: tops of walls and rails.
    pub(crate) fn drop_narrow(&mut self, level: &Level, rules: &Rules, stop: &Stop) {
        let mut drops = vec![false; self.samples.len()];
        let parts = self.parts(stop, |sample| !sample.is_reached);
        let narrow = parts.par_iter().filter(|part| {
            // Regions too small to report need no second look.
            self.area(part.len()) >= rules.min_area && !stop.is_set() && !self.is_wide(level, rules, part)
        });
        for part in narrow.collect::<Vec<_>>() {
            part.iter().for_each(|at| drops[*at as usize] = true);
        }
        self.drop_all(&drops);
    }

    fn drop_all(&mut self, drops: &[bool]) {
        let mut drops = drops.iter();
        self.samples.retain(|_| drops.next() == Some(&false));
    }

    /// Whether there is floor all around some point of a part, as far as the body is wide.
    fn is_wide(&self, level: &Level, rules: &Rules, part: &[u32]) -> bool {
        let columns: BTreeSet<[i32; 2]> = part.iter().map(|at| self.samples[*at as usize].column).collect();
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
            let middle = self.point(&self.samples[*at as usize]);
            let mut points = shifts.iter().flat_map(|x| shifts.map(|z| middle + DVec3::new(*x, 0.0, z)));
            points.any(|point| ring.iter().all(|around| holds(point + *around)))
        })
    }

    /// The middle of a sample, in meters.
    pub(crate) fn point(&self, sample: &Sample) -> DVec3 {
        feet(sample, self.cell)
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        self.samples.capacity() * size_of::<Sample>()
    }

    /// Connected parts of the samples that are wanted: numbers of samples, in order; parts in the order of
    /// their first. After a stop there are fewer.
    pub(crate) fn parts(&self, stop: &Stop, wanted: impl Fn(&Sample) -> bool) -> Vec<Vec<u32>> {
        let mut seen = vec![false; self.samples.len()];
        let mut parts = Vec::new();
        for first in 0..self.samples.len() {
            if seen[first] || !wanted(&self.samples[first]) {
                continue;
            }
            seen[first] = true;
            let mut part = vec![first as u32];
            let mut next = 0;
            while let Some(&at) = part.get(next) {
                next += 1;
                if next.is_multiple_of(1024) && stop.is_set() {
                    return parts;
                }
                self.around(at, |other| {
                    if !seen[other as usize] && wanted(&self.samples[other as usize]) {
                        seen[other as usize] = true;
                        part.push(other);
                    }
                });
            }
            part.sort_unstable();
            parts.push(part);
        }
        parts
    }

    /// The samples beside one, on the same floor.
    pub(crate) fn around(&self, at: u32, mut visit: impl FnMut(u32)) {
        let Sample { column: [x, z], height, .. } = self.samples[at as usize];
        for beside in [[x - 1, z], [x + 1, z], [x, z - 1], [x, z + 1]] {
            let first = self.samples.partition_point(|sample| sample.column < beside);
            for (i, sample) in self.samples.iter().enumerate().skip(first) {
                if sample.column != beside {
                    break;
                }
                if (sample.height - height).abs() <= self.rise {
                    visit(i as u32);
                }
            }
        }
    }

    /// The samples in the columns up to `cells` away, at any height, but for its own column.
    pub(crate) fn near(&self, at: u32, cells: i32, mut visit: impl FnMut(u32)) {
        let [x, z] = self.samples[at as usize].column;
        for i in x - cells..=x + cells {
            let first = self.samples.partition_point(|sample| sample.column < [i, z - cells]);
            let beside = self.samples[first..].iter().take_while(|sample| sample.column <= [i, z + cells]);
            for (number, sample) in (first as u32..).zip(beside) {
                if sample.column != [x, z] {
                    visit(number);
                }
            }
        }
    }

    /// The sample in the column `[i, j]` away that is nearest in height, if that is no more than `rise`.
    pub(crate) fn at(&self, sample: u32, [i, j]: [i32; 2], rise: f64) -> Option<u32> {
        let Sample { column: [x, z], height, .. } = self.samples[sample as usize];
        let there = [x + i, z + j];
        let first = self.samples.partition_point(|sample| sample.column < there);
        let column = self.samples[first..].iter().take_while(|sample| sample.column == there);
        let away = |sample: &Sample| (sample.height - height).abs();
        let nearest = (first as u32..).zip(column).min_by(|a, b| away(a.1).total_cmp(&away(b.1)));
        nearest.filter(|(_, sample)| away(sample) <= rise).map(|(number, _)| number)
    }

    /// Whether reached floor is at this point, but for a step.
    pub(crate) fn is_reached_at(&self, point: DVec3) -> bool {
        let there = column(point, self.cell);
        let first = self.samples.partition_point(|sample| sample.column < there);
        let mut here = self.samples[first..].iter().take_while(|sample| sample.column == there);
        here.any(|sample| sample.is_reached && (sample.height - point.y).abs() <= self.rise)
    }

    /// The next sample above one, in its column.
    pub(crate) fn over(&self, sample: u32) -> Option<u32> {
        let next = self.samples.get(sample as usize + 1)?;
        (next.column == self.samples[sample as usize].column).then_some(sample + 1)
    }

    /// The next sample below one, in its column.
    pub(crate) fn below(&self, sample: u32) -> Option<u32> {
        let before = sample.checked_sub(1)?;
        let same = self.samples[before as usize].column == self.samples[sample as usize].column;
        same.then_some(before)
    }

    /// Whether there is a sample where a center is, about as high as its feet.
    pub(crate) fn holds(&self, center: DVec3, rules: &Rules) -> bool {
        let here = column(center, self.cell);
        let first = self.samples.partition_point(|sample| sample.column < here);
        let mut samples = self.samples[first..].iter().take_while(|sample| sample.column == here);
        let feet = center.y - rules.radii.y;
        samples.any(|sample| (sample.height - feet).abs() <= 0.15 * rules.radii.y)
    }

    /// On how many of its four sides the floor continues.
    pub(crate) fn sides(&self, at: u32) -> usize {
        let mut columns = [[i32::MAX; 2]; 4];
        let mut count = 0;
        self.around(at, |other| {
            let column = self.samples[other as usize].column;
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

/// Whether triangles are flat enough to walk on.
fn walkable<'a>(level: &'a Level, rules: &Rules, facing: Facing) -> impl Fn(&Facet) -> bool + Sync + use<'a> {
    let least_upright = ops::cos(rules.settings.max_slope) - 1e-6;
    move |facet| {
        let [a, b, c] = facet.corners;
        let normal = (b - a).cross(c - a);
        let length = ops::sqrt(normal.length_squared());
        let upright = if facing == Facing::Up { normal.y } else { normal.y.abs() };
        length > 0.0
            && length.is_finite()
            && upright >= least_upright * length
            && !level.is_sky(facet.surface_id)
    }
}

/// About how many places a flood may find: the area of all that is flat enough, by that of a cell. Room and
/// what can be reached are not asked for, so it is known before everything that takes long. `None` for a
/// level in tiles, which would have to be read.
pub fn about_places(level: &Level, rules: &Rules) -> Option<f64> {
    let cell = rules.cell();
    level.tiles().is_none().then(|| area(level, walkable(level, rules, Facing::Up)) / (cell * cell))
}

/// Whether a point just above the floor lies within a solid: what is above it and around it is seen from
/// behind. A roof alone may be modelled as it is seen from outside only. A sheet with two sides says nothing,
/// and neither does one solid where it touches the next: what is beyond them counts.
pub(crate) fn is_inside(level: &Level, rules: &Rules, feet: DVec3) -> bool {
    let (low, high) = level.bounds();
    let from = feet + DVec3::Y * (0.5 * rules.radii.y);
    let far = (high - low).max_element() + 1.0;
    let is_behind = |heading: DVec3| {
        let mut at = from;
        // Through sheets with two sides, and out of one solid into another that touches it.
        for _ in 0..MOST_THROUGH {
            match level.sides(at, heading * far) {
                Some((fraction, sides)) if sides.are_both() => {
                    at += heading * (far * fraction + 2.0 * TOGETHER);
                }
                other => return other.is_some_and(|(_, sides)| sides.back),
            }
        }
        false
    };
    let around = [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z];
    is_behind(DVec3::Y) && around.into_iter().filter(|heading| is_behind(*heading)).count() >= 2
}

/// All columns and rows of the grid.
const EVERYWHERE: [[i32; 2]; 2] = [[i32::MIN, i32::MAX]; 2];

fn by_column(a: &Sample, b: &Sample) -> Ordering {
    a.column.cmp(&b.column).then(a.height.total_cmp(&b.height))
}

/// The samples in order, and of floors closer than a body can distinguish the highest.
fn highest(mut raw: Vec<Sample>, close: f64) -> Vec<Sample> {
    raw.par_sort_unstable_by(by_column);
    let is_highest = |(i, sample): (usize, &Sample)| {
        let above = raw.get(i + 1).filter(|above| above.column == sample.column);
        above.is_none_or(|above| above.height - sample.height > close)
    };
    let kept: Vec<bool> = raw.iter().enumerate().map(is_highest).collect();
    let mut kept = kept.into_iter();
    raw.retain(|_| kept.next() == Some(true));
    raw
}

/// The area of triangles seen from above; of those in several tiles once.
fn area(level: &Level, is_floor: impl Fn(&Facet) -> bool + Sync) -> f64 {
    let seen = |Facet { corners: [a, b, c], .. }: Facet| 0.5 * (b - a).cross(c - a).y.abs();
    match level.ground() {
        Ground::Whole { soup, .. } => {
            let facets = (0..soup.triangles.len()).map(|triangle| soup.facet(triangle, triangle as u32));
            facets.filter(is_floor).map(seen).sum()
        }
        Ground::Tiled(tiled) => {
            let entries = tiled.folder().tiles().par_iter();
            let of_tiles: Vec<f64> = entries
                .map(|entry| {
                    let mut sum = 0.0;
                    tiled.each_own(entry, |facet| {
                        sum += if is_floor(&facet) { seen(facet) } else { 0.0 };
                    });
                    sum
                })
                .collect();
            of_tiles.iter().sum()
        }
    }
}

fn feet(sample: &Sample, cell: f64) -> DVec3 {
    DVec3::new(middle(sample.column[0], cell), sample.height, middle(sample.column[1], cell))
}

fn middle(index: i32, cell: f64) -> f64 {
    (f64::from(index) + 0.5) * cell
}

/// Where the center of a body is that stands with its feet there, or up to a step above: where it first fits.
pub(crate) fn stand(level: &Level, rules: &Rules, grown: &Mover, feet: DVec3) -> Option<DVec3> {
    let half = grown.bounds().half_extents().y;
    let room = rules.settings.step_height.max(0.25 * rules.radii.y);
    // On a slope a round body's lowest point is not where it stands: it is tried from lower to higher.
    [1e-3, 0.1, 0.25, 0.5, 1.0].into_iter().find_map(|share| {
        let center = feet + DVec3::Y * (half + share * room);
        level.ground().has_room(grown, center, rules.settings.collides_with).then_some(center)
    })
}

/// The cells, from a first to a last along x and z, whose middle lies in a triangle seen from above, edges
/// included.
fn raster([a, b, c]: [DVec3; 3], cell: f64, [columns, rows]: [[i32; 2]; 2]) -> Vec<Sample> {
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let first = |x: f64| (x / cell - 0.5).ceil() as i32;
    let last = |x: f64| (x / cell - 0.5).floor() as i32;
    let double = (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
    // Where the edges cross a column's middle, with a row to spare: the box of a long thin triangle that lies
    // askew has far more cells than it.
    let across = |x: f64| {
        let mut span = [f64::INFINITY, f64::NEG_INFINITY];
        for (p, q) in [(a, b), (b, c), (c, a)] {
            if (p.x - x) * (q.x - x) <= 0.0 && p.x != q.x {
                let z = p.z + (q.z - p.z) * ((x - p.x) / (q.x - p.x)).clamp(0.0, 1.0);
                span = [span[0].min(z - cell), span[1].max(z + cell)];
            }
        }
        span
    };
    let mut samples = Vec::new();
    for i in first(low.x).max(columns[0])..=last(high.x).min(columns[1]) {
        let [near, far] = across(middle(i, cell));
        let (near, far) = (near.max(low.z), far.min(high.z));
        for j in first(near).max(rows[0])..=last(far).min(rows[1]) {
            let (x, z) = (middle(i, cell), middle(j, cell));
            let side = |p: DVec3, q: DVec3| ((q.x - p.x) * (z - p.z) - (q.z - p.z) * (x - p.x)) / double;
            let (u, v, w) = (side(b, c), side(c, a), side(a, b));
            if u >= 0.0 && v >= 0.0 && w >= 0.0 {
                let height = (u * a.y + v * b.y + w * c.y).clamp(low.y, high.y);
                samples.push(Sample { column: [i, j], height, is_reached: false });
            }
        }
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_has_a_sample_for_each_cell_and_their_heights_are_its_plane() {
        let corner = |x: f64, z: f64| DVec3::new(x, 0.5 * x + 1.0, z);
        let [a, b, c, d] = [corner(0.0, 0.0), corner(4.0, 0.0), corner(4.0, 4.0), corner(0.0, 4.0)];
        let mut samples = raster([a, b, c], 0.5, EVERYWHERE);
        samples.extend(raster([a, c, d], 0.5, EVERYWHERE));
        samples.sort_by_key(|sample| sample.column);
        samples.dedup_by_key(|sample| sample.column);
        assert_eq!(samples.len(), 64);
        for sample in samples {
            assert!((sample.height - (0.5 * middle(sample.column[0], 0.5) + 1.0)).abs() < 1e-12);
        }
    }

    #[test]
    fn the_samples_of_a_triangle_that_lies_askew_are_those_of_its_box_that_it_holds() {
        let mut seed = 7u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f64 / f64::from(1 << 24) * 40.0 - 20.0
        };
        for turn in 0..400 {
            let mut corners = [0; 3].map(|_| DVec3::new(random(), random(), random()));
            match turn % 4 {
                // Thin and long, a side along a column's middle, a corner on one.
                0 => corners[2] = corners[1] + DVec3::new(0.3, 0.0, -0.2),
                1 => corners[1].x = corners[0].x.floor() + 0.25,
                2 => {
                    corners[0].x = corners[0].x.floor() + 0.25;
                    corners[1].x = corners[0].x;
                }
                _ => {}
            }
            let [a, b, c] = corners;
            let double = (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
            let mut wanted = Vec::new();
            for i in -60..60 {
                for j in -60..60 {
                    let (x, z) = (middle(i, 0.5), middle(j, 0.5));
                    let side =
                        |p: DVec3, q: DVec3| ((q.x - p.x) * (z - p.z) - (q.z - p.z) * (x - p.x)) / double;
                    if side(b, c) >= 0.0 && side(c, a) >= 0.0 && side(a, b) >= 0.0 {
                        wanted.push([i, j]);
                    }
                }
            }
            let found: Vec<[i32; 2]> =
                raster(corners, 0.5, EVERYWHERE).into_iter().map(|sample| sample.column).collect();
            assert_eq!(found, wanted, "{corners:?}");
        }
    }

    #[test]
    fn a_strip_across_a_wide_level_costs_what_it_covers() {
        let far = 2e5;
        let strip = [DVec3::new(-far, 0.0, -far), DVec3::new(far, 0.0, far), DVec3::new(far, 0.0, far + 0.2)];
        assert!(raster(strip, 0.5, EVERYWHERE).len() < 1_000_000);
    }
}
