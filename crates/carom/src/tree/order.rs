//! A four-wide tree over boxes that are already sorted, and all pairs of boxes that share a point.
//!
//! Source: Lauterbach et al., *Fast BVH construction on GPUs* (2009): along a space-filling curve, neighbors
//! in the order are neighbors in space, so sorting is all the building there is. Idea: four boxes in a row
//! make a leaf, four leaves a group, four groups a node and so on. The index gives the parent; there are no
//! links. The query is made for a group, not for a box, and only against later ones: one walk serves sixteen
//! boxes, and each pair is found once. Sixteen comparisons end in one bit mask, because a branch for each
//! would be mispredicted. Cost: a box in f32 and a third for each item, reused in the next tick. The boxes
//! overlap more than those of a built tree: use it for items that move all the time.

use alloc::vec::Vec;
use core::ops::Range;

use arrayvec::ArrayVec;
use glam::Vec3;

use super::WIDTH;
use super::boxes::{Area, Areas, Boxes, lanes_of};
use crate::num::bound::{f32_above, f32_below};
use crate::shape::Aabb;

/// As many levels as hold 2³² boxes.
const LEVELS: usize = 16;

/// The level of the leaves, of the groups, and of what is above those.
const LEAVES: usize = 0;
const GROUPS: usize = 1;
const ABOVE: usize = 2;

/// The lanes after each, and with it.
const AFTER: [u32; WIDTH] = [0b1110, 0b1100, 0b1000, 0b0000];
const FROM: [u32; WIDTH] = [0b1111, 0b1110, 0b1100, 0b1000];

/// Those of the bits of [`Areas::meeting`] that stand for one and a later one of the same four, and for one
/// and itself.
const LATER: u32 = AFTER[0] | AFTER[1] << 4 | AFTER[2] << 8 | AFTER[3] << 12;
const ITSELF: u32 = 0b1000_0100_0010_0001;
const ALL: u32 = 0xffff;

/// See the head of this file.
#[derive(Clone, Debug, Default)]
pub(crate) struct OrderedTree {
    /// The leaves, then the groups, and so on up to the box around all. Empty slots hold NaN, which meets
    /// nothing.
    nodes: Vec<Boxes>,
    /// Where each level begins; those of leaves and groups at least, where there are any.
    levels: ArrayVec<usize, LEVELS>,
}

impl OrderedTree {
    /// Makes this the tree over some boxes in their order, at most 2³². It allocates only where there are
    /// more than ever before.
    pub(crate) fn rebuild(&mut self, boxes: impl Iterator<Item = Aabb>) {
        let Self { nodes, levels } = self;
        nodes.clear();
        levels.clear();
        levels.push(0);
        for (place, aabb) in boxes.enumerate() {
            put(nodes, place, [f32_below(aabb.min()), f32_above(aabb.max())]);
        }
        let mut below = 0..nodes.len();
        while levels.len() <= GROUPS || below.len() > 1 {
            levels.push(below.end);
            for (place, node) in below.clone().enumerate() {
                let bounds = nodes[node].bounds();
                put(nodes, place, bounds);
            }
            below = below.end..nodes.len();
        }
    }

    /// How many groups of sixteen there are.
    pub(crate) fn groups(&self) -> usize {
        self.level(GROUPS).len()
    }

    /// Visits all pairs of places whose boxes share a point, the lower of which is in one of some groups: the
    /// lower first, each pair once. So does a pair or another whose boxes only do in f32.
    pub(crate) fn pairs_of(&self, groups: Range<usize>, mut visit: impl FnMut(usize, usize)) {
        let mut leaves = [Areas::of(&Boxes::NOTHING); WIDTH];
        for own in groups {
            let group = &self.level(GROUPS)[own];
            let areas = Areas::of(group);
            for (lane, leaf) in leaves.iter_mut().enumerate() {
                *leaf = Areas::of(self.leaf(own, lane));
            }
            let mut between = |other: usize, met: u32, same: u32| {
                for (lane, other_lane) in pairs(met) {
                    let counted = if lane == other_lane { same } else { ALL };
                    let met = leaves[lane].meeting(self.leaf(other, other_lane)) & counted;
                    let (first, other_first) = (WIDTH * own + lane, WIDTH * other + other_lane);
                    for (one, another) in pairs(met) {
                        visit(WIDTH * first + one, WIDTH * other_first + another);
                    }
                }
            };
            between(own, areas.meeting(group) & (LATER | ITSELF), LATER);
            self.groups_after(own, |other| between(other, areas.meeting(&self.level(GROUPS)[other]), ALL));
        }
    }

    /// The nodes of a level; none above the last.
    #[inline(always)]
    fn level(&self, level: usize) -> &[Boxes] {
        let start = |level: usize| self.levels.get(level).copied().unwrap_or(self.nodes.len());
        &self.nodes[start(level)..start(level + 1)]
    }

    #[inline(always)]
    fn leaf(&self, group: usize, lane: usize) -> &Boxes {
        self.level(LEAVES).get(WIDTH * group + lane).unwrap_or(&Boxes::NOTHING)
    }

    /// Visits the groups after one whose boxes share a point with its own.
    #[inline(always)]
    fn groups_after(&self, own: usize, mut visit: impl FnMut(usize)) {
        let top = self.levels.len() - 1;
        if top < ABOVE {
            return;
        }
        let area = Area::new(self.level(GROUPS)[own].bounds());
        // A bit for each node below one that is to be entered: of those on the way to the group what is not
        // before it.
        let enter = |level: usize, node: usize| {
            let met = self.nodes[self.levels[level] + node].meeting(&area);
            let own_at = |level: usize| own >> (2 * (level - GROUPS));
            let lane = own_at(level - 1) % WIDTH;
            match level {
                _ if node != own_at(level) => met,
                ABOVE => met & AFTER[lane],
                _ => met & FROM[lane],
            }
        };
        // The nodes still to enter, by level.
        let mut left = [0; LEVELS];
        let (mut level, mut node) = (top, 0);
        left[level] = enter(level, node);
        loop {
            if level == ABOVE {
                lanes_of(left[level]).for_each(|lane| visit(WIDTH * node + lane));
                left[level] = 0;
            }
            if left[level] != 0 {
                node = WIDTH * node + left[level].trailing_zeros() as usize;
                left[level] &= left[level] - 1;
                level -= 1;
                left[level] = enter(level, node);
            } else if level < top {
                node /= WIDTH;
                level += 1;
            } else {
                return;
            }
        }
    }
}

/// Puts a box in its place of a level that is filled from its first place on.
#[inline(always)]
fn put(nodes: &mut Vec<Boxes>, place: usize, bounds: [Vec3; 2]) {
    let lane = place % WIDTH;
    if lane == 0 {
        nodes.push(Boxes::NOTHING);
    }
    if let Some(boxes) = nodes.last_mut() {
        boxes.put(lane, bounds);
    }
}

/// The pairs of lanes whose bits are set, of those of [`Areas::meeting`].
#[inline(always)]
fn pairs(met: u32) -> impl Iterator<Item = (usize, usize)> {
    lanes_of(met).map(|bit| (bit / WIDTH, bit % WIDTH))
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, dvec3};

    use super::*;

    fn place(i: u32) -> Aabb {
        let at = dvec3(f64::from(i * 7919 % 101), f64::from(i * 31 % 17), 0.0);
        Aabb::new(at, at + DVec3::splat(1.5)).unwrap()
    }

    /// All pairs whose boxes share a point in f64, of all and of the groups in two parts; what is visited
    /// besides is counted.
    fn check(tree: &mut OrderedTree, boxes: &[Aabb]) -> usize {
        tree.rebuild(boxes.iter().copied());
        assert_eq!(tree.groups(), boxes.len().div_ceil(16));
        let mut found = Vec::new();
        let half = tree.groups() / 2;
        for groups in [half..tree.groups(), 0..half] {
            tree.pairs_of(groups.clone(), |one, other| {
                assert!(one < other && groups.contains(&(one / 16)), "{one} {other} {groups:?}");
                found.push((one, other));
            });
        }
        let visited = found.len();
        found.retain(|&(one, other)| boxes[one].overlaps_aabb(&boxes[other]));
        found.sort_unstable();
        let later = |one: usize| (one + 1..boxes.len()).map(move |other| (one, other));
        let all = (0..boxes.len()).flat_map(later);
        let all: Vec<_> = all.filter(|&(one, other)| boxes[one].overlaps_aabb(&boxes[other])).collect();
        assert_eq!(found, all, "{} boxes", boxes.len());
        visited - found.len()
    }

    #[test]
    fn finds_what_asking_all_finds_whatever_the_order() {
        let mut tree = OrderedTree::default();
        for count in [0u32, 1, 2, 3, 4, 5, 16, 17, 64, 65, 100, 256, 257, 1100, 99, 1, 0] {
            // By a number that has nothing to do with where they are: slow, but as right.
            let mut order: Vec<u32> = (0..count).collect();
            order.sort_by_key(|i| i.wrapping_mul(2_654_435_769));
            let boxes: Vec<Aabb> = order.into_iter().map(place).collect();
            // Whole and halves are the same in f32.
            assert_eq!(check(&mut tree, &boxes), 0);
        }
    }

    #[test]
    fn boxes_of_any_size_anywhere_are_found() {
        let mut tree = OrderedTree::default();
        let splat = DVec3::splat;
        let around = |at: DVec3, half: f64| Aabb::new(at - half, at + half).unwrap();
        // All in one place, all on a line, and small ones about one that is large.
        assert_eq!(check(&mut tree, &[around(DVec3::ZERO, 1.0); 70]), 0);
        let line: Vec<Aabb> = (0..300).map(|i| around(DVec3::X * f64::from(i), 0.5)).collect();
        assert_eq!(check(&mut tree, &line), 0);
        for large in [0, 17, 150, 299] {
            let mut boxes = line.clone();
            boxes[large] = around(DVec3::ZERO, 1e6);
            assert_eq!(check(&mut tree, &boxes), 0);
        }
        // In f32 they have no bounds, or none but the origin; of sixteen the last eleven are not there.
        let far = [splat(1e300), splat(-1e300), dvec3(1e39, 0.0, -1e39), splat(1e-300), DVec3::ZERO];
        let boxes = far.map(|at| around(at, at.abs().max_element()));
        check(&mut tree, &boxes);
        let all = around(DVec3::ZERO, f64::MAX);
        check(&mut tree, &[all]);
        check(&mut tree, &[all; 7]);
        let many: Vec<Aabb> = boxes.iter().copied().chain([all]).chain(line).collect();
        check(&mut tree, &many);
        // Boxes that only just touch between two f32 values touch in f32, too.
        let tenth = |i: i32| splat(f64::from(i) * 0.1);
        let touching: Vec<Aabb> = (-50..50).map(|i| Aabb::new(tenth(i), tenth(i + 1)).unwrap()).collect();
        assert_eq!(check(&mut tree, &touching), 0);
        // And what only just does not may.
        let beside = splat(1.0 + f64::EPSILON);
        let apart = [Aabb::new(splat(0.0), splat(1.0)).unwrap(), Aabb::new(beside, splat(2.0)).unwrap()];
        assert_eq!(check(&mut tree, &apart), 1);
    }
}
