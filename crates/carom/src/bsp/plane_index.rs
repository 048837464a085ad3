//! Finds planes by their numbers.
//!
//! Idea: a table of numbers of planes, at the place that a hash of the plane's integers gives, or after it.
//! Cost: 6 to 12 bytes a plane while planes are added; a finished tree has no table. It never gives up.

use alloc::vec;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

use super::whole::{Whole, WholePlane};

/// An empty place.
const NONE: u32 = u32::MAX;

/// The numbers of planes in a list.
#[derive(Clone, Debug, Default)]
pub(super) struct PlaneIndex {
    /// Empty, or a power of two.
    places: Vec<u32>,
}

impl PlaneIndex {
    /// The number of the plane in the list.
    pub(super) fn find(&mut self, planes: &[WholePlane], whole: &Whole) -> Option<u32> {
        self.make_room(planes);
        let number = self.places[self.place(planes, whole)];
        (number != NONE).then_some(number)
    }

    /// The number of the plane in the list; that of the next if it is not there.
    pub(super) fn find_or_insert(&mut self, planes: &[WholePlane], whole: &Whole) -> u32 {
        self.make_room(planes);
        let place = self.place(planes, whole);
        let number = &mut self.places[place];
        if *number == NONE {
            *number = planes.len() as u32;
        }
        *number
    }

    /// Where the plane is, or the empty place where it belongs.
    fn place(&self, planes: &[WholePlane], whole: &Whole) -> usize {
        let last = self.places.len() - 1;
        let mut place = hash(whole) as usize & last;
        while self.places[place] != NONE && planes[self.places[place] as usize].whole != *whole {
            place = (place + 1) & last;
        }
        place
    }

    /// Keeps a third of the places empty.
    fn make_room(&mut self, planes: &[WholePlane]) {
        if 3 * planes.len() < 2 * self.places.len() {
            return;
        }
        self.places = vec![NONE; (3 * planes.len() / 2 + 1).next_power_of_two().max(16)];
        for (number, plane) in (0..).zip(planes) {
            let place = self.place(planes, &plane.whole);
            self.places[place] = number;
        }
    }

    /// The bytes that it holds on the heap.
    pub(super) fn memory(&self) -> usize {
        self.places.capacity() * size_of::<u32>()
    }
}

/// Source: the multiplication and fold of `wyhash`, word by word.
struct Folded(u64);

impl Hasher for Folded {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let word = chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
            self.write_u64(word);
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0xA076_1D64_78BD_642F;
        self.0 = product as u64 ^ (product >> 64) as u64 ^ 0xE703_7ED1_A0B4_28DB;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

fn hash(whole: &Whole) -> u64 {
    let mut hasher = Folded(0);
    whole.hash(&mut hasher);
    hasher.finish()
}
