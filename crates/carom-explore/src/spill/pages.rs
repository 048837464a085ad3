//! Pages of bytes, in memory up to a limit, and beyond it in a file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

use super::Spill;

/// About as many bytes as a page should have: an access of a file that the system caches takes about as long
/// for fewer.
pub(crate) const PAGE: usize = 4096;

/// Pages by number. A page is never changed.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    spill: Option<Spill>,
    /// Page `n` is in slot `n` modulo their number, if it is in memory.
    slots: Vec<Mutex<Slot>>,
    /// Where each page ends in the file.
    ends: Vec<u64>,
    /// All pages, once there are more than slots.
    file: Option<Mutex<File>>,
}

/// A page in memory.
#[derive(Debug, Default)]
struct Slot {
    number: usize,
    bytes: Vec<u8>,
}

impl Pages {
    pub(crate) fn new(spill: Option<&Spill>) -> Self {
        Self { spill: spill.cloned(), ..Self::default() }
    }

    /// How many pages there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds a page.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let number = self.len();
        self.ends.push(self.ends.last().unwrap_or(&0) + bytes.len() as u64);
        let slot = Slot { number, bytes: bytes.to_vec() };
        let is_full = |spill: &Spill| number > 0 && number * PAGE >= spill.0.memory;
        let Some(spill) = self.spill.clone().filter(is_full) else {
            self.slots.push(Mutex::new(slot));
            return;
        };
        if let Err(error) = self.write(&spill, bytes) {
            spill.fail(&error);
        }
        let at = number % self.slots.len();
        self.slots[at] = Mutex::new(slot);
    }

    /// Writes a page behind all others, at first together with them.
    fn write(&mut self, spill: &Spill, page: &[u8]) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            let file = file.get_mut().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::End(0))?;
            return file.write_all(page);
        }
        let mut file = (spill.0.create)()?;
        for slot in &mut self.slots {
            file.write_all(&slot.get_mut().unwrap_or_else(PoisonError::into_inner).bytes)?;
        }
        file.write_all(page)?;
        self.file = Some(Mutex::new(file));
        Ok(())
    }

    /// Looks at a page. One that cannot be read has zeros, and the fault is kept.
    pub(crate) fn read<R>(&self, number: usize, look: impl FnOnce(&[u8]) -> R) -> R {
        let mut slot = self.slots[number % self.slots.len()].lock().unwrap_or_else(PoisonError::into_inner);
        if slot.number != number {
            slot.number = number;
            if let (Err(error), Some(spill)) = (self.fetch(number, &mut slot.bytes), &self.spill) {
                spill.fail(&error);
                slot.bytes.fill(0);
            }
        }
        look(&slot.bytes)
    }

    fn fetch(&self, number: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        bytes.clear();
        bytes.resize((self.ends[number] - start) as usize, 0);
        let Some(file) = &self.file else { return Err(io::ErrorKind::NotFound.into()) };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(bytes)
    }

    /// Bytes held in memory, about.
    pub(crate) fn memory(&self) -> usize {
        let all = self.ends.last().copied().unwrap_or_default();
        let held = all * self.slots.len() as u64 / self.len().max(1) as u64;
        held as usize + self.slots.capacity() * size_of::<Mutex<Slot>>() + 8 * self.ends.capacity()
    }
}
