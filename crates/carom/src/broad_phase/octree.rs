//! A loose octree: space is cut in eight repeatedly, into cells that extend beyond themselves.
//!
//! Source: Ulrich, *Loose octrees*, Game Programming Gems (2000). A cell holds boxes whose center is in it
//! and that are no larger than it. So it extends half its size farther on every side. The cell of a box
//! follows from its center and size alone: nothing is compared and nothing balanced. Error: none in the
//! cells. All centers and sizes are multiples of one power of two within 53 bits, so f64 represents them
//! exactly. A box too far away for that is kept in a separate list. Cost: a change goes down as many levels
//! as the box is smaller than the world. A query visits up to eight cells of a level where a tree would visit
//! one: see the measurement in `docs/trees.md`.

use alloc::vec;
use alloc::vec::Vec;

use glam::{DVec3, Vec3};

use super::BoxIndex;
use super::index::meet;
use crate::tree::PackedAabb;

/// A loose octree of boxes. The first box sets the unit. The octree grows eightfold whenever a box lies
/// outside.
#[derive(Clone, Debug)]
pub struct Octree {
    cells: Vec<Cell>,
    /// Half the side of the first root, a power of two.
    unit: f64,
    /// The middle of the root, and half its side.
    middle: DVec3,
    half: f64,
    boxes: Vec<PackedAabb>,
    /// The cell of each number and its index there; [`NOWHERE`] if it is in none.
    places: Vec<[u32; 2]>,
    /// Boxes that are too large or too far for any cell.
    beyond: Vec<u32>,
    count: usize,
}

#[derive(Clone, Debug, Default)]
struct Cell {
    /// 0 means none: no cell is above the root.
    children: [u32; 8],
    numbers: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;
/// The number that stands for the list of boxes beyond all cells.
const BEYOND: u32 = u32::MAX - 1;

/// In units, half the side of the largest root and of the smallest cell: 2²⁶ and 2⁻²⁶. A middle has 53 bits
/// then.
const LARGEST: f64 = (1u64 << 26) as f64;
const SMALLEST: f64 = 1.0 / LARGEST;

impl Default for Octree {
    fn default() -> Self {
        Self {
            cells: vec![Cell::default()],
            unit: 1.0,
            middle: DVec3::ZERO,
            half: 1.0,
            boxes: Vec::new(),
            places: Vec::new(),
            beyond: Vec::new(),
            count: 0,
        }
    }
}

fn center(bounds: &PackedAabb) -> DVec3 {
    (bounds.min().as_dvec3() + bounds.max().as_dvec3()) * 0.5
}

fn size(bounds: &PackedAabb) -> f64 {
    (bounds.max().as_dvec3() - bounds.min().as_dvec3()).max_element()
}

/// A power of two of at least half the size of the box, or of its distance from the origin if it is a point;
/// 1 for the origin.
fn unit_for(bounds: &PackedAabb) -> f64 {
    const EXPONENT: u64 = 0x7FF << 52;
    let length = if size(bounds) > 0.0 { size(bounds) } else { center(bounds).abs().max_element() };
    // Every finite f32 is normal in f64.
    if length > 0.0 && length.is_finite() { f64::from_bits(length.to_bits() & EXPONENT) } else { 1.0 }
}

impl Octree {
    fn fits(&self, bounds: &PackedAabb) -> bool {
        size(bounds) <= 2.0 * self.half && (center(bounds) - self.middle).abs().max_element() <= self.half
    }

    /// Starts again, with a unit that fits a box.
    fn start_with(&mut self, bounds: &PackedAabb) {
        self.unit = unit_for(bounds);
        (self.middle, self.half) = (DVec3::ZERO, self.unit);
        self.cells.clear();
        self.cells.push(Cell::default());
    }

    /// Makes the root twice as wide until the box fits: the old root becomes a corner of the new one. False
    /// if it never would.
    fn grow_for(&mut self, bounds: &PackedAabb) -> bool {
        let largest = LARGEST * self.unit;
        // A root twice as wide as the box is far holds it, however it grew before.
        let reach = center(bounds).abs().max_element() + size(bounds);
        // NaN and infinity are too far.
        let within = reach <= 0.25 * largest;
        if !within {
            return false;
        }
        while !self.fits(bounds) {
            if self.half >= largest {
                return false;
            }
            let towards = center(bounds).cmpge(self.middle);
            let old = core::mem::take(&mut self.cells[0]);
            let moved = self.cells.len() as u32;
            for &number in &old.numbers {
                self.places[number as usize][0] = moved;
            }
            self.cells.push(old);
            // The old middle lies on the low side of the new one where the box is on the high side.
            let corner = (0..3).map(|axis| usize::from(!towards.test(axis)) << axis).sum::<usize>();
            self.cells[0].children[corner] = moved;
            self.middle += DVec3::select(towards, DVec3::splat(self.half), DVec3::splat(-self.half));
            self.half *= 2.0;
        }
        true
    }

    fn take_out(&mut self, number: u32) {
        let [cell, at] = core::mem::replace(&mut self.places[number as usize], [NOWHERE; 2]);
        let list = if cell == BEYOND { &mut self.beyond } else { &mut self.cells[cell as usize].numbers };
        list.swap_remove(at as usize);
        if let Some(&moved) = list.get(at as usize) {
            self.places[moved as usize] = [cell, at];
        }
    }

    /// The cell that a box belongs in; creates it if needed.
    fn cell_for(&mut self, bounds: &PackedAabb) -> u32 {
        let (place, size) = (center(bounds), size(bounds));
        let (mut cell, mut middle, mut half) = (0u32, self.middle, self.half);
        // A child is as wide as `half`: a wider box stays here.
        while size <= half && half > SMALLEST * self.unit {
            half *= 0.5;
            let side = place.cmpge(middle);
            middle += DVec3::select(side, DVec3::splat(half), DVec3::splat(-half));
            let corner = (0..3).map(|axis| usize::from(side.test(axis)) << axis).sum::<usize>();
            let child = self.cells[cell as usize].children[corner];
            cell = if child == 0 {
                let new = self.cells.len() as u32;
                self.cells.push(Cell::default());
                self.cells[cell as usize].children[corner] = new;
                new
            } else {
                child
            };
        }
        cell
    }
}

impl BoxIndex for Octree {
    fn place(&mut self, number: u32, bounds: &PackedAabb) {
        if number as usize >= self.places.len() {
            let nothing = PackedAabb::new(Vec3::ZERO, Vec3::ZERO).expect("zero is finite and in order");
            self.places.resize(number as usize + 1, [NOWHERE; 2]);
            self.boxes.resize(number as usize + 1, nothing);
        }
        if self.places[number as usize][0] == NOWHERE {
            if self.count == 0 {
                self.start_with(bounds);
            }
            self.count += 1;
        } else {
            self.take_out(number);
        }
        self.boxes[number as usize] = *bounds;
        let cell = if self.grow_for(bounds) { self.cell_for(bounds) } else { BEYOND };
        let list = if cell == BEYOND { &mut self.beyond } else { &mut self.cells[cell as usize].numbers };
        self.places[number as usize] = [cell, list.len() as u32];
        list.push(number);
    }

    fn remove(&mut self, number: u32) {
        if self.places.get(number as usize).is_some_and(|place| place[0] != NOWHERE) {
            self.count -= 1;
            self.take_out(number);
        }
    }

    fn bounds(&self, number: u32) -> Option<PackedAabb> {
        let place = self.places.get(number as usize)?;
        (place[0] != NOWHERE).then(|| self.boxes[number as usize])
    }

    fn overlaps(&self, area: &PackedAabb, mut visit: impl FnMut(u32)) {
        let mut offer = |numbers: &[u32]| {
            for &number in numbers {
                if meet(&self.boxes[number as usize], area) {
                    visit(number);
                }
            }
        };
        offer(&self.beyond);
        let (low, high) = (area.min().as_dvec3(), area.max().as_dvec3());
        let mut stack = vec![(0u32, self.middle, self.half)];
        while let Some((cell, middle, half)) = stack.pop() {
            let cell = &self.cells[cell as usize];
            offer(&cell.numbers);
            let quarter = half * 0.5;
            for (corner, &child) in cell.children.iter().enumerate() {
                if child == 0 {
                    continue;
                }
                let side = |axis: usize| if corner >> axis & 1 == 1 { quarter } else { -quarter };
                let middle = middle + DVec3::new(side(0), side(1), side(2));
                // Twice the half side: a cell reaches half its side beyond itself. And a little for the
                // rounding of the centers of boxes.
                let reach =
                    DVec3::splat(half * (1.0 + 8.0 * f64::EPSILON)) + middle.abs() * (4.0 * f64::EPSILON);
                if (middle - reach).cmple(high).all() && (middle + reach).cmpge(low).all() {
                    stack.push((child, middle, quarter));
                }
            }
        }
    }

    fn len(&self) -> usize {
        self.count
    }
}
