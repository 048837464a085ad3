//! Building a tree: first its shape, from the top, then its volumes, from the bottom.

use alloc::vec;
use alloc::vec::Vec;

use glam::{DVec3, Vec4};

use super::split::{self, Extent, Seed, Seeds};
use super::{Link, Node, Pair, Tree, Volume};

/// The deepest a tree gets. Cuts are free as long as halving can still reach single items within this depth.
pub const MAX_DEPTH: u32 = 64;

/// How a tree is built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The most items in a leaf, at least 1. More are in one only where another rule stops: `max_depth`,
    /// `least_extent`, or [`Split::LongestAxis`] on items whose centers are in one place.
    pub max_leaf_items: u32,
    /// The cost of testing an item, as a multiple of the cost of two nodes. The larger, the smaller the
    /// leaves. Counts for [`Split::SurfaceArea`].
    pub item_cost: f32,
    /// The rule for cutting a node in two.
    pub split: Split,
    /// No node is deeper than this, or than [`MAX_DEPTH`]; the root has depth 0.
    pub max_depth: u32,
    /// A node is a leaf if its box is smaller than this share of the box around everything, in the longest
    /// side of each. With 0, nodes are cut down to single items.
    pub least_extent: f32,
}

/// The rule for cutting a node in two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// Where the surface area heuristic predicts the cheapest walk; in halves if no cut pays and the leaf is
    /// too large.
    #[default]
    SurfaceArea,
    /// The rule of Bobic (2000): in the middle of the longest axis; where all centers are on one side of
    /// that, of the second axis, then of the third; and where none divides, not at all.
    LongestAxis,
}

impl Settings {
    /// Leaves of at most 4, cut by surface area, to any depth.
    pub const DEFAULT: Self = Self {
        max_leaf_items: 4,
        item_cost: 1.0,
        split: Split::SurfaceArea,
        max_depth: MAX_DEPTH,
        least_extent: 0.0,
    };
}

impl Default for Settings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl<V: Volume> Tree<V> {
    /// The tree over items 0 … `count`, with volumes from the function. The function is called more than once
    /// for each item and must return the same.
    ///
    /// With the feature `parallel` this runs on all cores. The tree is the same to the bit.
    pub fn build(count: u32, volume: impl Fn(u32) -> V + Sync, settings: &Settings) -> Self {
        if count == 0 {
            return Self { root: None, pairs: Vec::new(), items: Vec::new(), depth: 0 };
        }
        let shape = Shape::new(count, &volume, settings);
        let any = volume(0);
        let node = |link| Node { volume: any, link };
        let mut tree = Self {
            root: Some(node(shape.root)),
            pairs: shape.pairs.iter().map(|pair| Pair(pair.map(node))).collect(),
            items: shape.items,
            depth: shape.depth,
        };
        tree.refit(volume);
        tree
    }

    /// The tree over items 0 … `count` that is cut by the boxes of the items, and whose volumes are fitted to
    /// all items below them, not to the volumes of their children: they are tighter, but the cost grows with
    /// the depth of the tree. `fit` gets the items of a node, at least one.
    ///
    /// With the feature `parallel` this runs on all cores. The tree is the same to the bit.
    pub fn build_fitted<B: Volume>(
        count: u32,
        bounds: impl Fn(u32) -> B + Sync,
        fit: impl Fn(&[u32]) -> V + Sync,
        settings: &Settings,
    ) -> Self {
        if count == 0 {
            return Self { root: None, pairs: Vec::new(), items: Vec::new(), depth: 0 };
        }
        let shape = Shape::new(count, &bounds, settings);
        let items_below = shape.items_below();
        let volumes = map_items_by(shape.pairs.len() as u32, 16, |pair| {
            items_below[pair as usize].map(|[first, end]| fit(&shape.items[first as usize..end as usize]))
        });
        let node = |volume, link| Node { volume, link };
        Self {
            root: Some(node(fit(&shape.items), shape.root)),
            pairs: shape
                .pairs
                .iter()
                .zip(volumes)
                .map(|(&[left, right], [left_volume, right_volume])| {
                    Pair([node(left_volume, left), node(right_volume, right)])
                })
                .collect(),
            items: shape.items,
            depth: shape.depth,
        }
    }

    /// Updates the volumes of items that have moved. The shape of the tree stays: as the items move away from
    /// where they were when it was built, queries get slower, never wrong.
    pub fn refit(&mut self, volume: impl Fn(u32) -> V + Sync) {
        let Some(mut root) = self.root else { return };
        for index in (0..self.pairs.len()).rev() {
            let mut pair = self.pairs[index];
            for node in &mut pair.0 {
                node.volume = self.fit(node.link, &volume);
            }
            self.pairs[index] = pair;
        }
        root.volume = self.fit(root.link, &volume);
        self.root = Some(root);
    }

    fn fit(&self, link: Link, volume: &impl Fn(u32) -> V) -> V {
        if link.count == 0 {
            let Pair([left, right]) = &self.pairs[link.first as usize];
            return left.volume.around(&right.volume);
        }
        let items = self.items_of(link);
        items[1..].iter().fold(volume(items[0]), |around, &item| around.around(&volume(item)))
    }
}

/// A tree without volumes.
struct Shape {
    root: Link,
    pairs: Vec<[Link; 2]>,
    items: Vec<u32>,
    depth: u32,
}

impl Shape {
    fn new<V: Volume>(count: u32, volume: &(impl Fn(u32) -> V + Sync), settings: &Settings) -> Self {
        let frame = UnitCube::of(count, volume);
        let mut boxes = map_items(count, |item| frame.seed(&volume(item)));
        let mut items: Vec<u32> = (0..count).collect();
        // Over n leaves stand n − 1 pairs: room for as many is set aside for each subtree, so that subtrees
        // built at the same time do not wait for one another. Leaves of several items leave gaps.
        let mut slots = vec![[Link { first: 0, count: 0 }; 2]; items.len() - 1];
        let centers = Extent::of_centers(&boxes);
        let seeds = Seeds { boxes: &mut boxes, items: &mut items };
        let root =
            Task { seeds, first: 0, slots: &mut slots, slot: 0, centers, levels: MAX_DEPTH }.run(settings);
        drop(boxes);
        let mut shape = Self { root, pairs: Vec::new(), items, depth: 0 };
        shape.close_gaps(&slots);
        shape
    }

    /// The range of the items below each node of each pair: the items of a subtree are adjacent.
    fn items_below(&self) -> Vec<[[u32; 2]; 2]> {
        let mut below = vec![[[0; 2]; 2]; self.pairs.len()];
        for index in (0..self.pairs.len()).rev() {
            below[index] = self.pairs[index].map(|link| {
                if link.count == 0 {
                    let [[first, _], [_, end]] = below[link.first as usize];
                    [first, end]
                } else {
                    [link.first, link.first + link.count]
                }
            });
        }
        below
    }

    /// Copies the slots in use, depth first as they are.
    fn close_gaps(&mut self, slots: &[[Link; 2]]) {
        /// A pair still to be copied.
        struct Waiting {
            slot: u32,
            depth: u32,
            /// Its parent pair and the side of it; `None` for the children of the root.
            parent: Option<(usize, usize)>,
        }
        if self.root.count > 0 {
            return;
        }
        let mut stack = vec![Waiting { slot: self.root.first, depth: 1, parent: None }];
        self.root.first = 0;
        while let Some(Waiting { slot, depth, parent }) = stack.pop() {
            let index = self.pairs.len();
            let pair = slots[slot as usize];
            self.pairs.push(pair);
            self.depth = self.depth.max(depth);
            if let Some((parent, side)) = parent {
                self.pairs[parent][side].first = index as u32;
            }
            for side in [1, 0] {
                if pair[side].count == 0 {
                    stack.push(Waiting {
                        slot: pair[side].first,
                        depth: depth + 1,
                        parent: Some((index, side)),
                    });
                }
            }
        }
    }
}

/// The cube from −1 to 1 around everything. Centers are compared there, in f32, which is less than the
/// volumes may hold: that costs quality where items stand closer than 2⁻²⁴ of the scene, never correctness.
struct UnitCube {
    center: DVec3,
    scale: f64,
}

impl UnitCube {
    fn of<V: Volume>(count: u32, volume: &impl Fn(u32) -> V) -> Self {
        let (mut lower, mut upper) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for item in 0..count {
            let volume = volume(item);
            lower = lower.min(volume.lower());
            upper = upper.max(volume.upper());
        }
        let limit = DVec3::splat(f64::MAX);
        let (lower, upper) = (lower.max(-limit), upper.min(limit));
        let half = 0.5 * upper - 0.5 * lower;
        Self { center: 0.5 * lower + 0.5 * upper, scale: reciprocal_power_of_two(half.max_element()) }
    }

    fn seed<V: Volume>(&self, volume: &V) -> Seed {
        // Infinite bounds end up at the faces of the cube.
        let map = |corner: DVec3| {
            let corner = ((corner - self.center) * self.scale).clamp(DVec3::NEG_ONE, DVec3::ONE);
            // + 0 makes a zero of −0, which an order of comparing could otherwise choose between.
            Vec4::new(corner.x as f32, corner.y as f32, corner.z as f32, 0.0) + 0.0
        };
        Seed { lower: map(volume.lower()), upper: map(volume.upper()) }
    }
}

/// A power of two by which a length becomes one from ½ to 1; 1 for lengths that are not normal numbers.
/// A power, so that a scene of twice the size is cut in the same places.
fn reciprocal_power_of_two(length: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    let exponent = length.to_bits() & EXPONENT;
    if exponent == 0 || exponent == EXPONENT {
        return 1.0;
    }
    0.5 / f64::from_bits(exponent)
}

/// A subtree to be built.
struct Task<'a> {
    seeds: Seeds<'a>,
    /// The position of the seeds among all.
    first: u32,
    /// One less than seeds.
    slots: &'a mut [[Link; 2]],
    /// The position of the slots among all.
    slot: u32,
    centers: Extent,
    /// Its largest depth.
    levels: u32,
}

/// Below this the other core does not wake up in time.
const PARALLEL: usize = 4096;

impl Task<'_> {
    fn run(mut self, settings: &Settings) -> Link {
        let count = self.seeds.len();
        let Some((middle, [left_centers, right_centers])) = self.cut(settings) else {
            self.seeds.items.sort_unstable();
            return Link { first: self.first, count: count as u32 };
        };
        let (left_seeds, right_seeds) = self.seeds.split_at(middle);
        let Some((own, slots)) = self.slots.split_first_mut() else {
            unreachable!("two sides have two seeds at least, and one slot")
        };
        let (left_slots, right_slots) = slots.split_at_mut(middle - 1);
        let left = Task {
            seeds: left_seeds,
            first: self.first,
            slots: left_slots,
            slot: self.slot + 1,
            centers: left_centers,
            levels: self.levels - 1,
        };
        let right = Task {
            seeds: right_seeds,
            first: self.first + middle as u32,
            slots: right_slots,
            slot: self.slot + middle as u32,
            centers: right_centers,
            levels: self.levels - 1,
        };
        *own = if count >= PARALLEL {
            join(|| left.run(settings), || right.run(settings)).into()
        } else {
            [left.run(settings), right.run(settings)]
        };
        Link { first: self.slot, count: 0 }
    }

    /// Sorts the seeds into two sides: returns the start of the second side, and the extents of the centers
    /// of both. `None` if they become a leaf.
    fn cut(&mut self, settings: &Settings) -> Option<(usize, [Extent; 2])> {
        let count = self.seeds.len();
        if count == 1 || MAX_DEPTH - self.levels >= settings.max_depth {
            return None;
        }
        if settings.least_extent > 0.0 && split::extent(self.seeds.boxes) < settings.least_extent * 2.0 {
            return None;
        }
        let fits = count <= settings.max_leaf_items as usize;
        if settings.split == Split::LongestAxis {
            if fits {
                return None;
            }
            let cut = split::middle_cut(self.seeds.boxes, &self.centers)?;
            let halvable = cut.left.max(count - cut.left) as u64 <= 1 << (self.levels - 1).min(63);
            return Some(if halvable {
                (cut.left, split::apply(&cut, &mut self.seeds))
            } else {
                (count / 2, split::halve(&mut self.seeds, &self.centers))
            });
        }
        match split::best_cut(self.seeds.boxes, &self.centers) {
            Some(cut) if fits && 1.0 + settings.item_cost * cut.cost >= settings.item_cost * count as f32 => {
                None
            }
            // Unless the larger side could not be halved down to single items any more.
            Some(cut) if cut.left.max(count - cut.left) as u64 <= 1 << (self.levels - 1).min(63) => {
                Some((cut.left, split::apply(&cut, &mut self.seeds)))
            }
            None if fits => None,
            _ => Some((count / 2, split::halve(&mut self.seeds, &self.centers))),
        }
    }
}

/// The result of the function for each item, in order.
fn map_items<T: Send>(count: u32, f: impl Fn(u32) -> T + Sync) -> Vec<T> {
    map_items_by(count, PARALLEL, f)
}

/// The same, where fewer than `least` are not worth a thread.
#[cfg_attr(not(feature = "parallel"), expect(unused_variables, reason = "there are no threads"))]
fn map_items_by<T: Send>(count: u32, least: usize, f: impl Fn(u32) -> T + Sync) -> Vec<T> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        (0..count).into_par_iter().with_min_len(least).map(&f).collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        (0..count).map(f).collect()
    }
}

/// Runs both, at the same time where there are threads.
fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "parallel")]
    {
        rayon::join(a, b)
    }
    #[cfg(not(feature = "parallel"))]
    {
        (a(), b())
    }
}
