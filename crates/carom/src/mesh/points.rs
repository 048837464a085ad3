//! A tree of points, for queries of those near a segment.
//!
//! Source: Bentley, *Multidimensional binary search trees used for associative searching* (1975): split at
//! the median of the widest side. Each node keeps the box of its points, and a segment is clipped against
//! that, grown by the distance: boxes, because split planes alone would lead a segment through all the empty
//! space between the points.
//!
//! Cost: O(n log n) to build, as deep as log₂ n. A query visits the nodes along the segment: about log n of
//! them for a short one; for one across the whole scene ∛n where the points fill space, √n where they fill a
//! plane. It never misses a point; by rounding it may visit some that are farther away.

use alloc::vec;
use alloc::vec::Vec;
use core::num::NonZeroU32;

use glam::DVec3;

use super::data::position;

/// This many points are tested one by one.
const LEAF: usize = 6;

/// A position and its name.
type Named = ([f32; 3], u32);

pub(super) struct Points {
    points: Vec<Named>,
    /// The first child of a node comes next to it.
    nodes: Vec<Node>,
}

/// Some consecutive points.
struct Node {
    min: [f32; 3],
    max: [f32; 3],
    first: u32,
    count: u32,
    /// `None` if the node has no children.
    second_child: Option<NonZeroU32>,
}

impl Points {
    /// The points with their names, in any order.
    pub(super) fn new(mut points: Vec<Named>) -> Self {
        let mut nodes = Vec::with_capacity(2 * points.len() / (LEAF / 2));
        build(&mut nodes, &mut points, 0);
        Self { points, nodes }
    }

    /// Visits all points within `distance` of the segment between two ends, and some others.
    pub(super) fn for_each_along(
        &self,
        [a, b]: [DVec3; 2],
        distance: f64,
        mut visit: impl FnMut(DVec3, u32),
    ) {
        let along = b - a;
        // A side that the segment reaches is at most 3 times as large as its largest coordinate; then the
        // difference, the quotient and the place that it stands for are off by less than 16 ulp of that
        // coordinate together.
        let size = a.abs().max(b.abs()).max_element();
        let beyond = distance + 16.0 * f64::EPSILON * (size + distance);
        let mut pending = vec![0];
        while let Some(index) = pending.pop() {
            let node = &self.nodes[index];
            if !node.is_reached(a, along, beyond) {
                continue;
            }
            if let Some(second) = node.second_child {
                pending.extend([second.get() as usize, index + 1]);
                continue;
            }
            for &(place, name) in &self.points[node.first as usize..][..node.count as usize] {
                visit(position(place), name);
            }
        }
    }
}

impl Node {
    /// Whether the box, grown by `beyond`, contains a point of the segment `along` from `start`.
    fn is_reached(&self, start: DVec3, along: DVec3, beyond: f64) -> bool {
        let [mut from, mut to] = [0.0f64, 1.0];
        for axis in 0..3 {
            let low = f64::from(self.min[axis]) - beyond - start[axis];
            let high = f64::from(self.max[axis]) + beyond - start[axis];
            let step = along[axis];
            if step == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return false;
                }
            } else {
                let [s, t] = [low / step, high / step];
                from = from.max(s.min(t));
                to = to.min(s.max(t));
            }
        }
        from <= to
    }
}

/// Sorts the points; `first` is the index of the first of them in the whole list. As deep as log₂ n.
fn build(nodes: &mut Vec<Node>, points: &mut [Named], first: u32) {
    let [mut min, mut max] = [points.first().map_or([0.0; 3], |point| point.0); 2];
    for (place, _) in points.iter() {
        for axis in 0..3 {
            min[axis] = min[axis].min(place[axis]);
            max[axis] = max[axis].max(place[axis]);
        }
    }
    let index = nodes.len();
    nodes.push(Node { min, max, first, count: points.len() as u32, second_child: None });
    if points.len() <= LEAF {
        return;
    }
    // In f64, where no side overflows.
    let sides = position(max) - position(min);
    let axis = (0..3).fold(0, |widest, axis| if sides[axis] > sides[widest] { axis } else { widest });
    let middle = points.len() / 2;
    points.select_nth_unstable_by(middle, |(p, i), (q, j)| p[axis].total_cmp(&q[axis]).then(i.cmp(j)));
    let (low, high) = points.split_at_mut(middle);
    build(nodes, low, first);
    nodes[index].second_child = NonZeroU32::new(nodes.len() as u32);
    build(nodes, high, first + middle as u32);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_near_point_is_missed_and_none_is_visited_twice(
            places in prop::collection::vec(prop::array::uniform3(-20..20i8), 0..200),
            ends in prop::array::uniform6(-25..25i8), distance in 0.0..12.0f64,
            factor in prop::sample::select(vec![1.0f32, 1e-30, 1e30]), offset in prop::sample::select(vec![0.0f32, 0.3, 1e6]),
        ) {
            let place = |p: [i8; 3]| p.map(|x| (f32::from(x) + offset) * factor);
            let named: Vec<_> = places.iter().map(|&p| place(p)).zip(0u32..).collect();
            let [a, b] = [[ends[0], ends[1], ends[2]], [ends[3], ends[4], ends[5]]].map(|p| position(place(p)));
            let distance = distance * f64::from(factor);
            let mut visited = vec![];
            Points::new(named.clone()).for_each_along([a, b], distance, |p, name| {
                assert_eq!(p, position(named[name as usize].0));
                visited.push(name);
            });
            visited.sort_unstable();
            prop_assert!(visited.windows(2).all(|pair| pair[0] != pair[1]));
            for (p, name) in named {
                let nearest = (0..=64).map(|i| a.lerp(b, f64::from(i) / 64.0).distance(position(p)));
                let near = nearest.fold(f64::INFINITY, f64::min) <= distance * (1.0 - 1e-9);
                prop_assert!(!near || visited.binary_search(&name).is_ok(), "{:?} is missed", p);
            }
        }
    }

    #[test]
    fn a_short_segment_visits_few_of_many() {
        let grid = |i: u32| [(i % 100) as f32, (i / 100) as f32, 0.0];
        let points = Points::new((0..10_000).map(|i| (grid(i), i)).collect());
        let mut visited = 0;
        let ends = [DVec3::new(50.2, 50.2, 0.0), DVec3::new(51.8, 50.2, 0.0)];
        points.for_each_along(ends, 0.5, |_, _| visited += 1);
        assert!((2..100).contains(&visited), "{visited}");
    }
}
