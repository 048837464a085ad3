//! Blocks of numbers that change, in memory up to a limit, and beyond it in a file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

use super::Spill;

/// Numbers in a block.
pub(crate) const OF_BLOCK: usize = 64;

/// Bytes of a block in a file.
const BYTES: usize = 4 * OF_BLOCK;

/// No number.
pub(crate) const NONE: u32 = u32::MAX;

/// Numbers that change together.
pub(crate) type Block = [u32; OF_BLOCK];

/// Blocks by number. Unlike a page, a block may change: it goes to the file when another one takes its slot.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    spill: Option<Spill>,
    /// Block `n` is in slot `n` modulo their number, if it is in memory.
    slots: Vec<Mutex<Slot>>,
    count: usize,
    /// The other blocks, once there are more than slots. Block `n` begins at byte `n` times [`BYTES`].
    file: Option<Mutex<File>>,
}

/// A block in memory.
#[derive(Debug)]
struct Slot {
    number: usize,
    /// Whether it is not in the file as it is here.
    is_changed: bool,
    block: Block,
}

impl Blocks {
    pub(crate) fn new(spill: Option<&Spill>) -> Self {
        Self { spill: spill.cloned(), ..Self::default() }
    }

    /// Adds a block, and returns its number.
    pub(crate) fn push(&mut self, block: Block) -> usize {
        let number = self.count;
        self.count += 1;
        let slot = Slot { number, is_changed: true, block };
        let is_full = |spill: &Spill| number > 0 && number * BYTES >= spill.0.memory;
        let Some(spill) = self.spill.as_ref().filter(|spill| is_full(spill)) else {
            self.slots.push(Mutex::new(slot));
            return number;
        };
        if self.file.is_none() {
            match (spill.0.create)() {
                Ok(file) => self.file = Some(Mutex::new(file)),
                Err(error) => spill.fail(&error),
            }
        }
        let at = number % self.slots.len();
        let held = self.slots[at].get_mut().unwrap_or_else(PoisonError::into_inner);
        let held = std::mem::replace(held, slot);
        if let Err(error) = self.store(&held) {
            self.fail(&error);
        }
        number
    }

    /// Looks at a block, and perhaps changes it. One that cannot be read has no numbers, and the fault is
    /// kept.
    fn visit<R>(&self, number: usize, look: impl FnOnce(&mut Slot) -> R) -> R {
        let mut slot = self.slots[number % self.slots.len()].lock().unwrap_or_else(PoisonError::into_inner);
        if slot.number != number {
            let moved = self.store(&slot).and_then(|()| self.fetch(number));
            slot.block = moved.unwrap_or_else(|error| {
                self.fail(&error);
                [NONE; OF_BLOCK]
            });
            (slot.number, slot.is_changed) = (number, false);
        }
        look(&mut slot)
    }

    /// A number of a block that was added.
    pub(crate) fn get(&self, number: usize, at: usize) -> u32 {
        self.visit(number, |slot| slot.block[at])
    }

    /// Changes a number of a block that was added, and returns what it was.
    pub(crate) fn replace(&mut self, number: usize, at: usize, value: u32) -> u32 {
        self.visit(number, |slot| {
            slot.is_changed = true;
            std::mem::replace(&mut slot.block[at], value)
        })
    }

    /// Writes a block to the file, unless it is there.
    fn store(&self, slot: &Slot) -> io::Result<()> {
        if !slot.is_changed {
            return Ok(());
        }
        let bytes: Vec<u8> = slot.block.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.at(slot.number, |file| file.write_all(&bytes))
    }

    fn fetch(&self, number: usize) -> io::Result<Block> {
        let mut bytes = [[0; 4]; OF_BLOCK];
        self.at(number, |file| file.read_exact(bytes.as_flattened_mut()))?;
        Ok(bytes.map(u32::from_le_bytes))
    }

    /// Uses the file where a block begins.
    fn at(&self, number: usize, action: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        let Some(file) = &self.file else { return Err(io::ErrorKind::NotFound.into()) };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start((number * BYTES) as u64))?;
        action(&mut file)
    }

    fn fail(&self, error: &io::Error) {
        if let Some(spill) = &self.spill {
            spill.fail(error);
        }
    }

    /// Bytes held in memory.
    pub(crate) fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<Mutex<Slot>>()
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::error::ExploreError;
    use crate::stop::Stop;

    fn random(seed: &mut u64) -> usize {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) as usize
    }

    #[test]
    fn changed_blocks_come_back() {
        let spill = Spill::new(tempfile::tempfile, 40 * BYTES);
        let mut blocks = Blocks::new(Some(&spill));
        let (mut all, mut seed) = (Vec::new(), 3);
        for step in 0..20_000u32 {
            if step % 16 == 0 {
                let block = [step; OF_BLOCK];
                assert_eq!(blocks.push(block), all.len());
                all.push(block);
            }
            let (number, at) = (random(&mut seed) % all.len(), random(&mut seed) % OF_BLOCK);
            assert_eq!(blocks.get(number, at), all[number][at]);
            if step % 3 == 0 {
                let before = std::mem::replace(&mut all[number][at], step);
                assert_eq!(blocks.replace(number, at, step), before);
            }
        }
        for (number, block) in all.iter().enumerate() {
            assert!((0..OF_BLOCK).all(|at| blocks.get(number, at) == block[at]), "{number}");
        }
        assert!(blocks.memory() < 80 * size_of::<Mutex<Slot>>(), "{}", blocks.memory());
        assert_eq!(spill.fault(), None);
    }

    #[test]
    fn a_disk_without_room_is_a_fault() {
        let full = || Err(io::Error::new(io::ErrorKind::StorageFull, "no room"));
        let (spill, stop) = (Spill::new(full, BYTES), Stop::new());
        spill.stop_at_fault(stop.clone());
        let mut blocks = Blocks::new(Some(&spill));
        (0..3).for_each(|number| {
            blocks.push([number; OF_BLOCK]);
        });
        assert!(stop.is_set());
        assert_eq!(spill.fault(), Some(ExploreError::Spill("no room".to_owned())));
        assert_eq!((blocks.get(0, 5), blocks.get(2, 5)), (NONE, NONE));
    }
}
