//! The storage of objects that C knows by handles.
//!
//! A handle is a number of 64 bits: the slot of the object (24), the kind of object (8), and the generation
//! of the slot (32). A slot gets a new generation when its object is freed, so the handle of a freed object
//! never names another one. A slot whose generations are used up is never reused. Slots come in chunks that
//! never move, so finding one takes no lock. The generation is stored beside the lock of the object: the
//! handle of a freed object is refused as such, even while another thread uses the new object in its slot.
//! The lock is only ever tried: a call that comes while another thread changes the object is refused, and
//! none waits.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

use crate::status::{CaromStatus, Failure};

const INDEX_BITS: u32 = 24;
const KIND_BITS: u32 = 8;

/// How many slots the first chunk has, a power of two; each chunk has twice those of the one before.
const FIRST: u32 = 64;

/// As many as 24 bits number.
const CHUNKS: usize = (INDEX_BITS - FIRST.ilog2()) as usize;

/// All objects of one kind.
pub(crate) struct Objects<T> {
    kind: u8,
    name: &'static str,
    chunks: [OnceLock<Chunk<T>>; CHUNKS],
    free: Mutex<Free>,
}

/// Never moved.
type Chunk<T> = Box<[Slot<T>]>;

struct Slot<T> {
    /// Changes only while `object` is locked to be changed.
    generation: AtomicU32,
    object: RwLock<Option<T>>,
}

/// The slot of a valid handle.
struct Found<T: 'static> {
    index: u32,
    generation: u32,
    slot: &'static Slot<T>,
}

impl<T> Slot<T> {
    #[inline]
    fn generation(&self) -> u32 {
        self.generation.load(Ordering::Acquire)
    }
}

struct Free {
    list: Vec<u32>,
    /// All slots from this one on have never been used.
    next: u32,
}

/// An object that is read.
pub(crate) struct Shared<T: 'static>(RwLockReadGuard<'static, Option<T>>);

/// An object that is changed.
pub(crate) struct Exclusive<T: 'static>(RwLockWriteGuard<'static, Option<T>>);

/// The guards are made of slots that have an object, and keep others from taking it out.
const IS_THERE: &str = "a guard is made of a slot with an object";

impl<T> Deref for Shared<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.0.as_ref().expect(IS_THERE)
    }
}

impl<T> Deref for Exclusive<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect(IS_THERE)
    }
}

impl<T> DerefMut for Exclusive<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().expect(IS_THERE)
    }
}

impl<T: 'static> Objects<T> {
    /// No object yet. The kind is not 0, and no two kinds have the same.
    pub(crate) const fn new(kind: u8, name: &'static str) -> Self {
        Self {
            kind,
            name,
            chunks: [const { OnceLock::new() }; CHUNKS],
            free: Mutex::new(Free { list: Vec::new(), next: 0 }),
        }
    }

    /// Takes an object in, and returns its handle.
    pub(crate) fn insert(&'static self, object: T) -> Result<u64, Failure> {
        let index = {
            let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
            match free.list.pop() {
                Some(index) => index,
                None => {
                    let index = free.next;
                    let (chunk, _) =
                        place_of(index).filter(|(chunk, _)| *chunk < CHUNKS).ok_or_else(|| {
                            Failure::bad_value(format!(
                                "there are too many objects: {} {}s",
                                index, self.name
                            ))
                        })?;
                    self.chunks[chunk].get_or_init(|| empty_chunk(FIRST << chunk));
                    free.next += 1;
                    index
                }
            }
        };
        let slot = self.slot(index).ok_or_else(|| self.none("is not there"))?;
        let mut free = slot.object.write().unwrap_or_else(PoisonError::into_inner);
        *free = Some(object);
        let low = u64::from(index) | u64::from(self.kind) << INDEX_BITS;
        Ok(low | u64::from(slot.generation()) << (INDEX_BITS + KIND_BITS))
    }

    /// Frees an object; nothing happens for the null handle.
    pub(crate) fn remove(&'static self, handle: u64) -> Result<(), Failure> {
        if handle == 0 {
            return Ok(());
        }
        let Found { index, generation, slot } = self.find(handle)?;
        let object = {
            let mut guard = match slot.object.try_write() {
                Ok(guard) => guard,
                // Objects that a panic left behind can be freed.
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => return Err(self.busy(slot, generation)),
            };
            self.check(slot, &guard, generation)?;
            slot.generation.store(generation.wrapping_add(1), Ordering::Release);
            let object = guard.take();
            drop(guard);
            slot.object.clear_poison();
            object
        };
        // Generation 0 is that of slots whose generations are used up.
        if generation != u32::MAX {
            self.free.lock().unwrap_or_else(PoisonError::into_inner).list.push(index);
        }
        drop(object);
        Ok(())
    }

    /// The object of a handle, to be read: many threads may at once.
    #[inline]
    pub(crate) fn read(&'static self, handle: u64) -> Result<Shared<T>, Failure> {
        let Found { generation, slot, .. } = self.find(handle)?;
        match slot.object.try_read() {
            Ok(guard) => {
                self.check(slot, &guard, generation)?;
                Ok(Shared(guard))
            }
            Err(TryLockError::WouldBlock) => Err(self.busy(slot, generation)),
            Err(TryLockError::Poisoned(_)) => Err(self.broken()),
        }
    }

    /// The object of a handle, to be changed: by one thread, and then no other may read.
    #[inline]
    pub(crate) fn write(&'static self, handle: u64) -> Result<Exclusive<T>, Failure> {
        let Found { generation, slot, .. } = self.find(handle)?;
        match slot.object.try_write() {
            Ok(guard) => {
                self.check(slot, &guard, generation)?;
                Ok(Exclusive(guard))
            }
            Err(TryLockError::WouldBlock) => Err(self.busy(slot, generation)),
            Err(TryLockError::Poisoned(_)) => Err(self.broken()),
        }
    }

    #[inline]
    fn find(&'static self, handle: u64) -> Result<Found<T>, Failure> {
        let index = handle as u32 & ((1 << INDEX_BITS) - 1);
        let kind = (handle >> INDEX_BITS) as u8;
        let generation = (handle >> (INDEX_BITS + KIND_BITS)) as u32;
        let slot = if kind == self.kind { self.slot(index) } else { None };
        match slot {
            Some(slot) if slot.generation() == generation => Ok(Found { index, generation, slot }),
            Some(_) => Err(self.none("was freed")),
            None if handle == 0 => Err(self.none("is null")),
            None => Err(self.none("is of another kind of object, or was never given out")),
        }
    }

    #[inline]
    fn slot(&'static self, index: u32) -> Option<&'static Slot<T>> {
        let (chunk, within) = place_of(index)?;
        self.chunks.get(chunk)?.get()?.get(within)
    }

    #[inline]
    fn check(&self, slot: &Slot<T>, object: &Option<T>, generation: u32) -> Result<(), Failure> {
        if slot.generation() == generation && object.is_some() {
            return Ok(());
        }
        Err(self.none("was freed"))
    }

    #[cold]
    fn none(&self, why: &str) -> Failure {
        Failure::new(CaromStatus::NoSuchObject, format!("the handle of the {} {why}", self.name))
    }

    #[cold]
    fn busy(&self, slot: &Slot<T>, generation: u32) -> Failure {
        // The lock may be that of the next object of the slot.
        if slot.generation() != generation {
            return self.none("was freed");
        }
        let message =
            format!("the {} is in use by another call: change it by one thread at a time", self.name);
        Failure::new(CaromStatus::Busy, message)
    }

    #[cold]
    fn broken(&self) -> Failure {
        let message = format!("a bug in Carom left the {} half changed: it can only be freed", self.name);
        Failure::new(CaromStatus::Panic, message)
    }
}

/// The chunk of a slot, and where in the chunk it is.
#[inline]
fn place_of(index: u32) -> Option<(usize, usize)> {
    let shifted = index.checked_add(FIRST)?;
    let chunk = shifted.ilog2() - FIRST.ilog2();
    Some((chunk as usize, (shifted - (FIRST << chunk)) as usize))
}

fn empty_chunk<T>(count: u32) -> Chunk<T> {
    (0..count).map(|_| Slot { generation: AtomicU32::new(1), object: RwLock::new(None) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_handle_of_a_freed_object_never_names_another() {
        static OBJECTS: Objects<u32> = Objects::new(1, "number");
        let mut gone = Vec::new();
        for round in 0..1000 {
            let handle = OBJECTS.insert(round).unwrap();
            assert_eq!(*OBJECTS.read(handle).unwrap(), round);
            OBJECTS.remove(handle).unwrap();
            gone.push(handle);
        }
        let _new = OBJECTS.insert(7).unwrap();
        for handle in gone {
            let failure = OBJECTS.read(handle).err().unwrap();
            assert_eq!(failure.status, CaromStatus::NoSuchObject, "{}", failure.message);
            assert!(OBJECTS.write(handle).is_err() && OBJECTS.remove(handle).is_err());
        }
    }

    #[test]
    fn places_fill_their_chunks_without_a_gap_and_up_to_24_bits() {
        let mut expected = (0, 0);
        for index in 0..100_000u32 {
            assert_eq!(place_of(index), Some(expected), "{index}");
            expected.1 += 1;
            if expected.1 == (FIRST as usize) << expected.0 {
                expected = (expected.0 + 1, 0);
            }
        }
        let first_too_many = (1u32 << INDEX_BITS) - FIRST;
        assert_eq!(place_of(first_too_many - 1).unwrap().0, CHUNKS - 1);
        assert_eq!(place_of(first_too_many).unwrap().0, CHUNKS);
        assert!(place_of(u32::MAX).is_none());
    }

    #[test]
    fn a_place_whose_generations_are_used_up_is_never_used_again() {
        static OBJECTS: Objects<u32> = Objects::new(1, "number");
        let first = OBJECTS.insert(1).unwrap();
        OBJECTS.remove(first).unwrap();
        OBJECTS.slot(0).unwrap().generation.store(u32::MAX, Ordering::Release);
        let last = OBJECTS.insert(2).unwrap();
        OBJECTS.remove(last).unwrap();
        let next = OBJECTS.insert(3).unwrap();
        assert_ne!(next as u32 & 0xFF_FFFF, 0);
        assert!(OBJECTS.read(first).is_err() && OBJECTS.read(last).is_err());
    }

    #[test]
    fn one_changes_or_many_read_and_nobody_waits() {
        static OBJECTS: Objects<u32> = Objects::new(1, "number");
        let handle = OBJECTS.insert(1).unwrap();
        let reading = (OBJECTS.read(handle).unwrap(), OBJECTS.read(handle).unwrap());
        assert_eq!(OBJECTS.write(handle).err().unwrap().status, CaromStatus::Busy);
        assert_eq!(OBJECTS.remove(handle).unwrap_err().status, CaromStatus::Busy);
        drop(reading);
        *OBJECTS.write(handle).unwrap() = 2;
        assert_eq!(*OBJECTS.read(handle).unwrap(), 2);
    }

    #[test]
    fn the_handle_of_a_freed_object_is_refused_as_such_while_the_next_one_is_in_use() {
        static OBJECTS: Objects<u32> = Objects::new(1, "number");
        let gone = OBJECTS.insert(1).unwrap();
        OBJECTS.remove(gone).unwrap();
        let next = OBJECTS.insert(2).unwrap();
        assert_eq!(gone as u32 & 0xFF_FFFF, next as u32 & 0xFF_FFFF, "they share a slot");
        let _changed = OBJECTS.write(next).unwrap();
        assert_eq!(OBJECTS.read(gone).err().unwrap().status, CaromStatus::NoSuchObject);
        assert_eq!(OBJECTS.write(gone).err().unwrap().status, CaromStatus::NoSuchObject);
        assert_eq!(OBJECTS.remove(gone).unwrap_err().status, CaromStatus::NoSuchObject);
    }

    #[test]
    fn what_a_panic_left_behind_can_only_be_freed() {
        static OBJECTS: Objects<u32> = Objects::new(1, "number");
        let handle = OBJECTS.insert(1).unwrap();
        let status = crate::border::guard(|| {
            let _changed = OBJECTS.write(handle)?;
            panic!("in the middle of it");
        });
        assert_eq!(status, CaromStatus::Panic);
        assert_eq!(OBJECTS.read(handle).err().unwrap().status, CaromStatus::Panic);
        assert_eq!(OBJECTS.write(handle).err().unwrap().status, CaromStatus::Panic);
        OBJECTS.remove(handle).unwrap();
        assert_eq!(OBJECTS.read(handle).err().unwrap().status, CaromStatus::NoSuchObject);
        let again = OBJECTS.insert(2).unwrap();
        assert_eq!(*OBJECTS.read(again).unwrap(), 2);
    }
}
