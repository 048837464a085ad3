//! How much of the outside is visible from a point in a tree, and how much of it behind a single wall.
//!
//! Rounded planes are good enough: these are shares of directions, not decisions. Cost: a walk through the
//! tree for each of [`SIDE`]² × 6 directions.

use alloc::vec::Vec;

use glam::DVec3;

use super::super::node::Child;
use super::super::tree::Bsp;
use crate::num::ops::sqrt;

/// Directions lie on a square grid on each face of a cube: its cells a side.
const SIDE: i32 = 4;

#[derive(Clone, Copy)]
struct RoundedNode {
    normal: DVec3,
    distance: f64,
    front: Child,
    back: Child,
}

/// A tree with rounded planes, and directions all around.
pub(super) struct Sight<'a> {
    bsp: &'a Bsp,
    nodes: Vec<RoundedNode>,
    /// Each with the share of the sphere that it stands for.
    directions: Vec<(DVec3, f64)>,
    stack: Vec<(Child, f64, f64)>,
}

impl<'a> Sight<'a> {
    pub(super) fn new(bsp: &'a Bsp) -> Self {
        let nodes = bsp.nodes().iter().map(|node| {
            let (normal, distance) = bsp.planes().rounded(node.plane);
            RoundedNode { normal, distance, front: node.front, back: node.back }
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
        Self { bsp, nodes: nodes.collect(), directions, stack: Vec::new() }
    }

    /// The shares of the directions in which nothing solid is hit, and in which one wall is, 0 to 1 each.
    pub(super) fn of_outside(&mut self, from: DVec3) -> Outlook {
        let mut outlook = Outlook { free: 0.0, behind_a_wall: 0.0 };
        for (direction, share) in &self.directions {
            match walls(self.bsp, &self.nodes, &mut self.stack, [from, *direction]) {
                0 => outlook.free += share,
                1 => outlook.behind_a_wall += share,
                _ => {}
            }
        }
        outlook
    }
}

/// The shares of all directions, from a point, in which the outside is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outlook {
    /// Nothing is between.
    pub(super) free: f64,
    /// One solid is between.
    pub(super) behind_a_wall: f64,
}

/// How often a ray enters the solid, up to twice.
fn walls(
    bsp: &Bsp,
    nodes: &[RoundedNode],
    stack: &mut Vec<(Child, f64, f64)>,
    [from, direction]: [DVec3; 2],
) -> usize {
    let (mut walls, mut is_in_solid) = (0, false);
    stack.clear();
    stack.push((bsp.root(), 0.0, f64::INFINITY));
    while let Some((child, start, end)) = stack.pop() {
        let node = match child {
            Child::Leaf(leaf) => {
                let is_solid = bsp.is_solid(leaf);
                walls += usize::from(is_solid && !is_in_solid);
                if walls > 1 {
                    return walls;
                }
                is_in_solid = is_solid;
                continue;
            }
            Child::Node(node) => nodes[node as usize],
        };
        let height = node.normal.dot(from) - node.distance;
        let slope = node.normal.dot(direction);
        let (near, far) = if height >= 0.0 { (node.front, node.back) } else { (node.back, node.front) };
        let crossing = if height * slope < 0.0 { -height / slope } else { f64::INFINITY };
        if crossing >= end {
            stack.push((near, start, end));
        } else if crossing <= start {
            stack.push((far, start, end));
        } else {
            stack.push((far, crossing, end));
            stack.push((near, start, crossing));
        }
    }
    walls
}
