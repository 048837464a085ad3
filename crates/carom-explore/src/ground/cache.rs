//! The most recently used tiles, within a memory limit.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::tile::LoadedTile;

type Slot = Arc<OnceLock<Arc<LoadedTile>>>;

/// Tiles by their squares; the one that was not used for longest goes first.
#[derive(Debug)]
pub(crate) struct Cache {
    most: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    tiles: HashMap<[i32; 2], Entry>,
    bytes: usize,
    /// Counts uses.
    now: u64,
}

#[derive(Debug)]
struct Entry {
    slot: Slot,
    /// 0 until it is loaded.
    bytes: usize,
    used: u64,
}

impl Cache {
    /// In this many bytes, and at least the tiles that are at work.
    pub(crate) fn new(most: usize) -> Self {
        Self { most, held: Mutex::new(Held::default()) }
    }

    /// The tile over a square, loaded if it is not there; by one thread, while others that want it wait.
    pub(crate) fn get(&self, at: [i32; 2], load: impl FnOnce() -> LoadedTile) -> Arc<LoadedTile> {
        let slot = {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            held.now += 1;
            let used = held.now;
            let entry = held.tiles.entry(at);
            let entry = entry.or_insert_with(|| Entry { slot: Slot::default(), bytes: 0, used });
            entry.used = used;
            entry.slot.clone()
        };
        let mut is_new = false;
        let tile = slot.get_or_init(|| {
            is_new = true;
            Arc::new(load())
        });
        let tile = tile.clone();
        if is_new {
            self.note(at, &slot, tile.memory());
        }
        tile
    }

    /// Counts what was loaded, and drops what was not used for longest.
    fn note(&self, at: [i32; 2], slot: &Slot, bytes: usize) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        // It may have been dropped in the meantime.
        let Some(entry) = held.tiles.get_mut(&at).filter(|entry| Arc::ptr_eq(&entry.slot, slot)) else {
            return;
        };
        entry.bytes = bytes;
        held.bytes += bytes;
        while held.bytes > self.most {
            let others = held.tiles.iter().filter(|(other, entry)| **other != at && entry.bytes > 0);
            let Some(oldest) = others.min_by_key(|(_, entry)| entry.used).map(|(other, _)| *other) else {
                break;
            };
            if let Some(gone) = held.tiles.remove(&oldest) {
                held.bytes -= gone.bytes;
            }
        }
    }

    /// Drops all tiles.
    pub(crate) fn clear(&self) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        (held.tiles, held.bytes) = (HashMap::new(), 0);
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).bytes
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use carom_formats::Tile;

    fn tile(at: i32, triangles: usize) -> LoadedTile {
        let tile = Tile {
            at: [at, 0],
            vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
            triangles: vec![[0, 1, 2]; triangles],
            triangle_numbers: (0..triangles as u32).collect(),
            ..Tile::default()
        };
        LoadedTile::new(tile, [[0.0; 2]; 2]).unwrap()
    }

    #[test]
    fn what_was_not_used_for_longest_goes_and_the_bytes_stay_below_the_limit() {
        let one = tile(0, 100).memory();
        let cache = Cache::new(3 * one);
        let use_it = |at: i32| {
            let mut is_loaded = false;
            cache.get([at, 0], || {
                is_loaded = true;
                tile(at, 100)
            });
            is_loaded
        };
        assert!(use_it(0) && use_it(1) && use_it(2) && !use_it(0));
        // Now 1 is the oldest.
        assert!(use_it(3) && !use_it(0) && !use_it(2) && use_it(1));
        assert_eq!(cache.memory(), 3 * one);
        cache.clear();
        assert_eq!(cache.memory(), 0);
        assert!(use_it(3) && cache.memory() == one);
    }

    #[test]
    fn one_tile_larger_than_all_room_is_held_while_it_is_at_work() {
        let cache = Cache::new(1);
        for at in 0..5 {
            let held = cache.get([at, 0], || tile(at, 10));
            assert_eq!(cache.memory(), held.memory());
        }
    }

    #[test]
    fn many_threads_load_a_tile_once() {
        let (cache, loads) = (Cache::new(usize::MAX), AtomicUsize::new(0));
        let load = |at: i32| {
            loads.fetch_add(1, Ordering::Relaxed);
            tile(at, 1)
        };
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..50).for_each(|at| drop(cache.get([at, 0], || load(at)))));
            }
        });
        assert_eq!(loads.into_inner(), 50);
    }
}
