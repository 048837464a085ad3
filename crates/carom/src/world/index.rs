//! Which bodies may be on the way: a tree over their bounds.
//!
//! Bodies that were added or moved since the tree was built are kept beside it and always offered; once they are more than a
//! small share the tree is built anew. So adding n bodies one by one costs O(n log² n) in all.

use alloc::vec::Vec;
use core::ops::ControlFlow;

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

/// Where a body is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// It is gone.
    Nowhere,
    /// In a box.
    Within(Aabb),
    /// Beyond the range of f64, or who knows: always offered.
    Anywhere,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    place: Place,
    loose: bool,
}

impl Index {
    /// So many may be loose, and one in eight of all: a scan of these costs no more than a walk.
    const LOOSE: usize = 16;

    /// Says where a body is now: a known number or the next one.
    pub(crate) fn place(&mut self, number: u32, place: Place) {
        if number as usize == self.entries.len() {
            self.entries.push(Entry { place, loose: false });
        }
        let entry = &mut self.entries[number as usize];
        entry.place = place;
        if !entry.loose {
            entry.loose = true;
            self.loose.push(number);
        }
        if let Place::Within(bounds) = place {
            self.largest = self.largest.max(bounds.min().abs().max(bounds.max().abs()).max_element());
        }
        if self.loose.len() > Self::LOOSE + self.entries.len() / 8 {
            self.rebuild();
        }
    }

    /// So few are as quickly asked as their bounds would be.
    const FEW: usize = 2;

    fn rebuild(&mut self) {
        self.loose.clear();
        for (number, entry) in self.entries.iter_mut().enumerate() {
            entry.loose = matches!(entry.place, Place::Anywhere);
            if entry.loose {
                self.loose.push(number as u32);
            }
        }
        // What is not in a box hangs in the tree as a point that is never offered.
        let nothing = Aabb::new(DVec3::ZERO, DVec3::ZERO).expect("zero is finite and in order");
        let bounds = |i: u32| match self.entries[i as usize].place {
            Place::Within(bounds) => bounds,
            Place::Nowhere | Place::Anywhere => nothing,
        };
        self.tree = Some(Tree::build(self.entries.len() as u32, bounds, &Settings::default()));
    }

    /// Offers every body that the mover may meet on its way, some of them nearer ones first. `visit` answers with the fraction
    /// beyond which it wants no more.
    pub(crate) fn sweep(&self, mover: &Mover, path: &Path, mut visit: impl FnMut(u32, f64) -> f64) {
        if self.entries.len() <= Self::FEW {
            (0..self.entries.len() as u32).fold(1.0, |best, number| visit(number, best));
            return;
        }
        let half_extents = mover.half_extents() + DVec3::splat(margin(mover, path, self.largest, 0.0));
        let Ok(swept) = SweptBox::new(path, half_extents) else {
            // Bounds beyond the range of f64 exclude nothing.
            (0..self.entries.len() as u32).fold(1.0, |best, number| visit(number, best));
            return;
        };
        let mut best = 1.0;
        for &number in &self.loose {
            let entry = match self.entries[number as usize].place {
                Place::Nowhere => continue,
                Place::Within(bounds) => swept.entry(bounds.min(), bounds.max()),
                Place::Anywhere => 0.0,
            };
            if entry <= best {
                best = visit(number, best);
            }
        }
        if let Some(tree) = &self.tree {
            tree.sweep(
                &swept,
                best,
                |number, best| {
                    if self.is_settled(number) { visit(number, best) } else { best }
                },
            );
        }
    }

    /// Offers every body whose bounds come within `distance` of a mover at the start of `at`.
    pub(crate) fn around(&self, mover: &Mover, at: &Path, distance: f64, mut visit: impl FnMut(u32)) {
        let reach = margin(mover, at, self.largest, 0.0) + distance;
        let half_extents = mover.half_extents() + DVec3::splat(reach);
        let Ok(area) = Aabb::new(at.from() - half_extents, at.from() + half_extents) else {
            (0..self.entries.len() as u32).for_each(visit);
            return;
        };
        for &number in &self.loose {
            let near = match self.entries[number as usize].place {
                Place::Nowhere => false,
                Place::Within(bounds) => bounds.overlaps_aabb(&area),
                Place::Anywhere => true,
            };
            if near {
                visit(number);
            }
        }
        if let Some(tree) = &self.tree {
            let _ = tree.overlaps(&area, |number| {
                if self.is_settled(number) {
                    visit(number);
                }
                ControlFlow::<()>::Continue(())
            });
        }
    }

    /// Whether the body is where the tree says.
    fn is_settled(&self, number: u32) -> bool {
        let entry = &self.entries[number as usize];
        !entry.loose && matches!(entry.place, Place::Within(_))
    }
}
