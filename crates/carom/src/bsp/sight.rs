//! How much of the outside is visible from a point in a tree.
//!
//! Rounded planes are good enough: this is a share of directions, not a decision. Cost: a walk through the
//! tree for each of [`SIDE`]² × 6 directions.

use alloc::vec::Vec;

use glam::DVec3;

use super::node::Child;
use super::tree::Bsp;
use crate::num::ops::sqrt;

/// Directions lie on a square grid on each face of a cube: its cells a side.
const SIDE: i32 = 4;

#[derive(Clone, Copy)]
struct Fork {
    normal: DVec3,
    distance: f64,
    front: Child,
    back: Child,
}

/// A tree with rounded planes, and directions all around.
pub(super) struct Sight<'a> {
    bsp: &'a Bsp,
    forks: Vec<Fork>,
    /// Each with the share of the sphere that it stands for.
    directions: Vec<(DVec3, f64)>,
    stack: Vec<(Child, f64, f64)>,
}

impl<'a> Sight<'a> {
    pub(super) fn new(bsp: &'a Bsp) -> Self {
        let forks = bsp.nodes().iter().map(|node| {
            let (normal, distance) = bsp.planes().rounded(node.plane);
            Fork { normal, distance, front: node.front, back: node.back }
        });
        let mut directions = Vec::new();
        let middle = |i: i32| f64::from(2 * i + 1 - SIDE) / f64::from(SIDE);
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                for (i, j) in (0..SIDE).flat_map(|i| (0..SIDE).map(move |j| (i, j))) {
                    let mut direction = DVec3::ZERO;
                    direction[axis] = sign;
                    direction[(axis + 1) % 3] = middle(i);
                    direction[(axis + 2) % 3] = middle(j);
                    let length = sqrt(direction.length_squared());
                    // The solid angle of a square of the grid.
                    directions.push((direction, 1.0 / (length * length * length)));
                }
            }
        }
        let all: f64 = directions.iter().map(|(_, share)| share).sum();
        directions.iter_mut().for_each(|(_, share)| *share /= all);
        Self { bsp, forks: forks.collect(), directions, stack: Vec::new() }
    }

    /// The share of the directions in which nothing solid is hit, 0 to 1.
    pub(super) fn share_out(&mut self, from: DVec3) -> f64 {
        (0..self.directions.len())
            .map(|i| if self.is_free(from, i) { self.directions[i].1 } else { 0.0 })
            .sum()
    }

    /// Whether nothing solid is hit in one of the directions.
    pub(super) fn sees_out(&mut self, from: DVec3) -> bool {
        (0..self.directions.len()).any(|i| self.is_free(from, i))
    }

    fn is_free(&mut self, from: DVec3, direction: usize) -> bool {
        let (direction, _) = self.directions[direction];
        self.stack.clear();
        self.stack.push((self.bsp.root(), 0.0, f64::INFINITY));
        while let Some((child, start, end)) = self.stack.pop() {
            let fork = match child {
                Child::Leaf(leaf) if self.bsp.is_solid(leaf) => return false,
                Child::Leaf(_) => continue,
                Child::Node(node) => self.forks[node as usize],
            };
            let height = fork.normal.dot(from) - fork.distance;
            let slope = fork.normal.dot(direction);
            let (near, far) = if height >= 0.0 { (fork.front, fork.back) } else { (fork.back, fork.front) };
            let crossing = if height * slope < 0.0 { -height / slope } else { f64::INFINITY };
            if crossing >= end {
                self.stack.push((near, start, end));
            } else if crossing <= start {
                self.stack.push((far, start, end));
            } else {
                self.stack.push((far, crossing, end));
                self.stack.push((near, start, crossing));
            }
        }
        true
    }
}
