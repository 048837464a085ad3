//! Boxes, their pairs, and the changes.
//!
//! Candidates are the pairs whose fat boxes overlap. They are kept in one sorted list. An update replaces the
//! candidates of boxes that have left their fat boxes, and tests those of all boxes that moved. Cost of an
//! update: a query of the indices for each box that left its fat box, and one pass over the candidates.

use alloc::vec::Vec;

use glam::DVec3;

use super::{BoxIndex, BoxTree, Entry, LayerMatrix, Role, Sense};
use crate::shape::Aabb;
use crate::tree::{PackedAabb, Volume};

/// The key of an entry until its removal. Afterwards it is refused, even if its number is reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    number: u32,
    /// How often the number had been used before.
    generation: u32,
}

impl Key {
    /// A small number, unique among the present entries.
    pub fn number(self) -> u32 {
        self.number
    }
}

/// The pairs of an update in ascending order, each with the lower key first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairEvents {
    /// Pairs that overlap now and did not before.
    pub entered: Vec<[Key; 2]>,
    /// Pairs that overlap now and did before.
    pub stayed: Vec<[Key; 2]>,
    /// Pairs that overlapped before and do not now, or of which one was removed.
    pub left: Vec<[Key; 2]>,
}

/// Finds the pairs among boxes that come, move and go. See the [module](super).
///
/// Use it if you have your own objects and need candidate pairs or triggers. A [`World`](crate::world::World)
/// has its own index and does not need it.
///
/// ```
/// use carom::broad_phase::{BroadPhase, Entry};
/// use carom::{shape::Aabb, glam::{DVec3, dvec3}};
/// let unit = |x: f64| Aabb::new(dvec3(x, 0.0, 0.0), dvec3(x + 1.0, 1.0, 1.0)).unwrap();
/// let mut phase = BroadPhase::new(0.1);
/// let wall = phase.add(Entry::collidee(unit(5.0)));
/// let bullet = phase.add(Entry::collider(unit(0.0)));
/// assert!(phase.update().entered.is_empty());
/// // Ten meters in one step: through the wall, but not unnoticed.
/// phase.set_motion(bullet, unit(0.0), dvec3(10.0, 0.0, 0.0));
/// assert_eq!(phase.update().entered, [[wall, bullet]]);
/// phase.set_bounds(bullet, unit(10.0));
/// assert_eq!(phase.update().left, [[wall, bullet]]);
/// ```
#[derive(Clone, Debug)]
pub struct BroadPhase<I = BoxTree> {
    colliders: I,
    collidees: I,
    matrix: LayerMatrix,
    margin: f64,
    slots: Vec<Slot>,
    /// Whether each slot has strayed or moved: small, because every update reads them for every candidate.
    marks: Vec<u8>,
    /// Slots without an entry, for new ones.
    free: Vec<u32>,
    /// Slots removed since the last update: free after the next one.
    removed: Vec<u32>,
    /// Entries that have left their fat boxes, and new ones.
    strayed: Vec<u32>,
    candidates: Vec<Candidate>,
    found: Vec<u64>,
    next: Vec<Candidate>,
    events: PairEvents,
}

/// A place for an entry.
#[derive(Clone, Copy, Debug)]
struct Slot {
    entry: Option<Entry>,
    /// The generation of the entry's key, or of the last entry.
    generation: u32,
}

/// Its candidates must be found again.
const STRAYED: u8 = 1;
/// Its pairs must be tested again.
const MOVED: u8 = 2;

#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// The lower number above the higher one.
    pair: u64,
    overlaps: bool,
}

fn pair_of(a: u32, b: u32) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

fn numbers_of(pair: u64) -> [u32; 2] {
    [(pair >> 32) as u32, pair as u32]
}

/// The slot of a key: `None` if its entry is gone.
fn slot_of(slots: &mut [Slot], key: Key) -> Option<&mut Option<Entry>> {
    slots
        .get_mut(key.number as usize)
        .filter(|slot| slot.generation == key.generation)
        .map(|slot| &mut slot.entry)
}

impl BroadPhase {
    /// An empty broad phase with a tree as its index. Fat boxes extend `margin` meters beyond the boxes.
    /// Start with a tenth of the usual size of a box. Negative or NaN counts as 0.
    ///
    /// Too small: boxes leave their fat boxes often, and updates cost more. Too large: many pairs of fat
    /// boxes overlap and have to be tested.
    pub fn new(margin: f64) -> Self {
        Self::indexed(margin)
    }
}

impl<I: BoxIndex> BroadPhase<I> {
    /// Like [`BroadPhase::new`] with another index: `BroadPhase::<Octree>::indexed(0.1)`.
    pub fn indexed(margin: f64) -> Self {
        Self {
            colliders: I::default(),
            collidees: I::default(),
            matrix: LayerMatrix::default(),
            margin: if margin > 0.0 && margin.is_finite() { margin } else { 0.0 },
            slots: Vec::new(),
            marks: Vec::new(),
            free: Vec::new(),
            removed: Vec::new(),
            strayed: Vec::new(),
            candidates: Vec::new(),
            found: Vec::new(),
            next: Vec::new(),
            events: PairEvents::default(),
        }
    }

    /// The same with a layer matrix. All pairs are found again at the next update.
    pub fn with_matrix(mut self, matrix: LayerMatrix) -> Self {
        self.matrix = matrix;
        for number in 0..self.slots.len() as u32 {
            self.stray(number);
        }
        self
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.colliders.len() + self.collidees.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an entry. Its pairs are reported at the next update.
    pub fn add(&mut self, entry: Entry) -> Key {
        let number = match self.free.pop() {
            Some(number) => {
                let slot = &mut self.slots[number as usize];
                *slot = Slot { entry: Some(entry), generation: slot.generation + 1 };
                self.marks[number as usize] = MOVED;
                number
            }
            None => {
                self.slots.push(Slot { entry: Some(entry), generation: 0 });
                self.marks.push(MOVED);
                (self.slots.len() - 1) as u32
            }
        };
        self.place(number, &entry);
        self.key(number)
    }

    fn key(&self, number: u32) -> Key {
        Key { number, generation: self.slots[number as usize].generation }
    }

    /// The entry of a key.
    pub fn entry(&self, key: Key) -> Option<&Entry> {
        let slot = self.slots.get(key.number as usize)?;
        slot.entry.as_ref().filter(|_| slot.generation == key.generation)
    }

    /// Moves an entry, at rest. Returns false if there is no such entry.
    pub fn set_bounds(&mut self, key: Key, bounds: Aabb) -> bool {
        self.set_motion(key, bounds, DVec3::ZERO)
    }

    /// Sets the start and the displacement of an entry before the next update. It keeps this motion until it
    /// is changed. Returns false if there is no such entry.
    pub fn set_motion(&mut self, key: Key, bounds: Aabb, translation: DVec3) -> bool {
        let Some(Some(entry)) = slot_of(&mut self.slots, key) else { return false };
        let translation = if translation.is_finite() { translation } else { DVec3::ZERO };
        if entry.bounds == bounds && entry.translation == translation {
            return true;
        }
        (entry.bounds, entry.translation) = (bounds, translation);
        self.marks[key.number as usize] |= MOVED;
        let entry = *entry;
        let index = match entry.role {
            Role::Collider => &self.colliders,
            Role::Collidee => &self.collidees,
        };
        let swept = entry.swept();
        let within = index
            .bounds(key.number)
            .is_some_and(|fat| fat.lower().cmple(swept.min()).all() && fat.upper().cmpge(swept.max()).all());
        if !within {
            self.place(key.number, &entry);
        }
        true
    }

    /// Removes an entry; its pairs leave at the next update. `None` if there is no such entry.
    pub fn remove(&mut self, key: Key) -> Option<Entry> {
        let entry = slot_of(&mut self.slots, key)?.take()?;
        match entry.role {
            Role::Collider => self.colliders.remove(key.number),
            Role::Collidee => self.collidees.remove(key.number),
        }
        self.stray(key.number);
        // A number whose generations are used up is not used again.
        if key.generation < u32::MAX {
            self.removed.push(key.number);
        }
        Some(entry)
    }

    fn place(&mut self, number: u32, entry: &Entry) {
        let fat = PackedAabb::from(&entry.swept().grown(self.margin));
        match entry.role {
            Role::Collider => self.colliders.place(number, &fat),
            Role::Collidee => self.collidees.place(number, &fat),
        }
        self.stray(number);
    }

    fn stray(&mut self, number: u32) {
        let marks = &mut self.marks[number as usize];
        if *marks & STRAYED == 0 {
            *marks |= STRAYED;
            self.strayed.push(number);
        }
    }

    /// Updates the pairs and reports the changes since the last update.
    pub fn update(&mut self) -> &PairEvents {
        self.colliders.settle();
        self.collidees.settle();
        self.find_candidates();
        let Self { slots, marks, candidates, found, next, events, .. } = self;
        events.entered.clear();
        events.stayed.clear();
        events.left.clear();
        next.clear();
        let mut found = found.iter().copied().peekable();
        let mut old = candidates.iter().copied().peekable();
        // Both lists are in order: a merge.
        loop {
            let (pair, before, is_found) = match (old.peek(), found.peek()) {
                (None, None) => break,
                (Some(candidate), Some(&pair)) if candidate.pair == pair => (pair, candidate.overlaps, true),
                (Some(candidate), Some(&pair)) if candidate.pair > pair => (pair, false, true),
                (None, Some(&pair)) => (pair, false, true),
                (Some(candidate), _) => (candidate.pair, candidate.overlaps, false),
            };
            if old.peek().is_some_and(|candidate| candidate.pair == pair) {
                old.next();
            }
            if is_found {
                found.next();
            }
            let numbers = numbers_of(pair);
            let changed = numbers.map(|number| marks[number as usize]);
            // A removed entry has strayed, and is not found.
            let stays = is_found || (changed[0] | changed[1]) & STRAYED == 0;
            let looks = is_found || (changed[0] | changed[1]) & MOVED != 0;
            let overlaps = if stays && looks {
                match numbers.map(|number| slots[number as usize].entry.as_ref()) {
                    [Some(a), Some(b)] => a.meets(b),
                    _ => false,
                }
            } else {
                stays && before
            };
            let list = match (before, overlaps) {
                (false, true) => Some(&mut events.entered),
                (true, true) => Some(&mut events.stayed),
                (true, false) => Some(&mut events.left),
                (false, false) => None,
            };
            if let Some(list) = list {
                let key = |number: u32| Key { number, generation: slots[number as usize].generation };
                list.push(numbers.map(key));
            }
            if stays {
                next.push(Candidate { pair, overlaps });
            }
        }
        core::mem::swap(&mut self.candidates, &mut self.next);
        self.marks.fill(0);
        self.strayed.clear();
        self.free.append(&mut self.removed);
        &self.events
    }

    /// The pairs of fat boxes of which one has strayed, in order.
    fn find_candidates(&mut self) {
        let Self { colliders, collidees, matrix, slots, marks, strayed, found, .. } = self;
        found.clear();
        for &number in strayed.iter() {
            let Some(entry) = &slots[number as usize].entry else { continue };
            let mut visit = |other: u32| {
                // A pair of two that strayed is found from its lower one.
                let again = marks[other as usize] & STRAYED != 0 && other < number;
                if other == number || (again && entry.role == Role::Collider) {
                    return;
                }
                let Some(with) = &slots[other as usize].entry else { return };
                let both_sense = entry.sense == Sense::Sensor && with.sense == Sense::Sensor;
                if !both_sense && matrix.meet(entry.layer, with.layer) {
                    found.push(pair_of(number, other));
                }
            };
            match entry.role {
                Role::Collider => {
                    if let Some(fat) = colliders.bounds(number) {
                        colliders.overlaps(&fat, &mut visit);
                        collidees.overlaps(&fat, &mut visit);
                    }
                }
                Role::Collidee => {
                    if let Some(fat) = collidees.bounds(number) {
                        colliders.overlaps(&fat, &mut visit);
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
    }

    /// Visits the keys of all entries whose boxes overlap an area, and whose layers are in `layers` (bit i
    /// for layer i), in ascending order.
    pub fn overlaps(&self, area: &Aabb, layers: u32, visit: impl FnMut(Key)) {
        let packed = PackedAabb::from(area);
        let mut keys = Vec::new();
        let mut take = |number: u32| {
            let Some(entry) = &self.slots[number as usize].entry else { return };
            let on = entry.layer < 32 && layers >> entry.layer & 1 == 1;
            if on && entry.bounds.overlaps_aabb(area) {
                keys.push(self.key(number));
            }
        };
        self.colliders.overlaps(&packed, &mut take);
        self.collidees.overlaps(&packed, &mut take);
        keys.sort_unstable();
        keys.into_iter().for_each(visit);
    }
}
