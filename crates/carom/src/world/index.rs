//! Which bodies may be on the way: a tree over their bounds.
//!
//! Bodies that were added or moved since the tree was built are kept beside it and always offered; once they are more than a
//! small share the tree is built anew. So adding n bodies one by one costs O(n log² n) in all.

use alloc::vec::Vec;

use glam::DVec3;

use crate::shape::{Aabb, Mover};
use crate::sweep::Path;
use crate::sweep::mover::margin;
use crate::tree::{Settings, SweptBox, Tree};

/// Bodies by where they are. They are known by their numbers 0, 1, 2 …
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// Over the numbers below `built`.
    tree: Option<Tree<Aabb>>,
    entries: Vec<Entry>,
    /// Added or moved since the tree was built.
    loose: Vec<u32>,
    /// No absolute coordinate of any bounds has ever been larger.
    largest: f64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    bounds: Option<Aabb>,
    loose: bool,
}

impl Index {
    /// So many may be loose, and one in eight of all: a scan of these costs no more than a walk.
    const LOOSE: usize = 16;

    /// Says where a body is now: a known number or the next one. None: nowhere, it is gone.
    pub(crate) fn place(&mut self, number: u32, bounds: Option<Aabb>) {
        if number as usize == self.entries.len() {
            self.entries.push(Entry { bounds, loose: false });
        }
        let entry = &mut self.entries[number as usize];
        entry.bounds = bounds;
        if !entry.loose {
            entry.loose = true;
            self.loose.push(number);
        }
        if let Some(bounds) = bounds {
            self.largest = self.largest.max(bounds.min().abs().max(bounds.max().abs()).max_element());
        }
        if self.loose.len() > Self::LOOSE + self.entries.len() / 8 {
            self.rebuild();
        }
    }

    fn rebuild(&mut self) {
        self.loose.clear();
        self.entries.iter_mut().for_each(|entry| entry.loose = false);
        let nowhere = Aabb::new(DVec3::ZERO, DVec3::ZERO).expect("zero is finite and in order");
        let bounds = |i: u32| self.entries[i as usize].bounds.unwrap_or(nowhere);
        self.tree = Some(Tree::build(self.entries.len() as u32, bounds, &Settings::default()));
    }

    /// The largest absolute coordinate of anything.
    pub(crate) fn largest(&self) -> f64 {
        self.largest
    }

    /// Offers every body that the mover may meet on its way, some of them nearer ones first. `visit` answers with the fraction
    /// beyond which it wants no more.
    pub(crate) fn sweep(&self, mover: &Mover, path: &Path, mut visit: impl FnMut(u32, f64) -> f64) {
        let half_extents = mover.bounds().half_extents() + DVec3::splat(margin(mover, path, self.largest, 0.0));
        let Ok(swept) = SweptBox::new(path, half_extents) else {
            // Bounds beyond the range of f64 exclude nothing.
            (0..self.entries.len() as u32).fold(1.0, |best, number| visit(number, best));
            return;
        };
        let mut best = 1.0;
        for &number in &self.loose {
            if let Some(bounds) = self.entries[number as usize].bounds
                && !(swept.entry(bounds.min(), bounds.max()) > best)
            {
                best = visit(number, best);
            }
        }
        if let Some(tree) = &self.tree {
            tree.sweep(&swept, best, |number, best| {
                let entry = &self.entries[number as usize];
                if entry.loose || entry.bounds.is_none() { best } else { visit(number, best) }
            });
        }
    }

    /// Offers every body whose bounds come within `distance` of a mover at `at`.
    pub(crate) fn around(&self, mover: &Mover, path: &Path, distance: f64, mut visit: impl FnMut(u32)) {
        let reach = margin(mover, path, self.largest, 0.0) + distance;
        let half_extents = mover.bounds().half_extents() + DVec3::splat(reach);
        let Ok(area) = Aabb::new(path.from() - half_extents, path.from() + half_extents) else {
            (0..self.entries.len() as u32).for_each(visit);
            return;
        };
        for &number in &self.loose {
            if self.entries[number as usize].bounds.is_some_and(|bounds| bounds.overlaps_aabb(&area)) {
                visit(number);
            }
        }
        if let Some(tree) = &self.tree {
            let _ = tree.overlaps(&area, |number| {
                let entry = &self.entries[number as usize];
                if !entry.loose && entry.bounds.is_some() {
                    visit(number);
                }
                core::ops::ControlFlow::<()>::Continue(())
            });
        }
    }
}
