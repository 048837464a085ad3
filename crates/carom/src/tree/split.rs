//! Where to split a set of boxes in two.
//!
//! Source: Wald, *On fast construction of SAH-based bounding volume hierarchies* (2007). The centers are
//! sorted into bins along an axis. The split between two bins with the smallest surface area heuristic is
//! chosen (the chance that a walk that enters the node enters a child, times the cost there). Cost: two
//! passes over the boxes and two areas for each bin. Never fails: equal centers are halved by their order.

use alloc::vec::Vec;

use glam::Vec4;

/// The bounds of an item in the frame of the build, −1 … 1. The fourth component is 0, here and in all that
/// follows: vectors of four are one register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed {
    pub(super) lower: Vec4,
    pub(super) upper: Vec4,
}

impl Seed {
    /// Twice the middle of the box.
    #[inline(always)]
    fn center(&self) -> Vec4 {
        self.lower + self.upper
    }
}

/// The input of a build: boxes and their items, in the same order.
pub(super) struct Seeds<'a> {
    pub(super) boxes: &'a mut [Seed],
    pub(super) items: &'a mut [u32],
}

impl<'a> Seeds<'a> {
    pub(super) fn len(&self) -> usize {
        self.boxes.len()
    }

    pub(super) fn split_at(self, middle: usize) -> (Self, Self) {
        let (left, right) = self.boxes.split_at_mut(middle);
        let (left_items, right_items) = self.items.split_at_mut(middle);
        (Seeds { boxes: left, items: left_items }, Seeds { boxes: right, items: right_items })
    }
}

/// A box that grows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    lower: Vec4,
    upper: Vec4,
}

impl Extent {
    const EMPTY: Self = Self { lower: Vec4::INFINITY, upper: Vec4::NEG_INFINITY };

    pub(super) fn of_centers(boxes: &[Seed]) -> Self {
        let mut extent = Self::EMPTY;
        for seed in boxes {
            extent.add(seed.center());
        }
        extent
    }

    #[inline(always)]
    fn add(&mut self, point: Vec4) {
        self.lower = self.lower.min(point);
        self.upper = self.upper.max(point);
    }

    #[inline(always)]
    fn join(&mut self, lower: Vec4, upper: Vec4) {
        self.lower = self.lower.min(lower);
        self.upper = self.upper.max(upper);
    }

    /// Half the surface.
    #[inline(always)]
    fn area(&self) -> f32 {
        let size = self.upper - self.lower;
        size.x * size.y + size.y * size.z + size.z * size.x
    }
}

/// The most bins along an axis.
const BINS: usize = 16;

/// Among fewer boxes than this the cut is looked for on all axes.
const ALL_AXES: usize = 256;

/// A cut between two bins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    axis: usize,
    base: f32,
    scale: f32,
    /// The first bin on the right.
    first: usize,
    /// The number of boxes on the left.
    pub(super) left: usize,
    /// The share of the surface of the node that its children have, each times the number of its boxes.
    pub(super) cost: f32,
}

impl Cut {
    #[inline(always)]
    fn bin(&self, seed: &Seed) -> usize {
        ((seed.lower[self.axis] + seed.upper[self.axis] - self.base) * self.scale) as i32 as usize
    }
}

/// Centers nearer than this share of the whole scene are in one place: dividing by less overflows.
const SMALLEST: f32 = 1.0 / (1u128 << 100) as f32;

/// The best cut of boxes with these centers; `None` if all centers are in one place.
pub(super) fn best_cut(boxes: &[Seed], centers: &Extent) -> Option<Cut> {
    let size = centers.upper - centers.lower;
    let longest = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    let mut best = best_cut_on(longest, boxes, centers)?;
    if boxes.len() <= ALL_AXES {
        for axis in [(longest + 1) % 3, (longest + 2) % 3] {
            if let Some(cut) = best_cut_on(axis, boxes, centers)
                && cut.cost < best.cost
            {
                best = cut;
            }
        }
    }
    Some(best)
}

/// The longest side of the box around all boxes; that of the frame is 2.
pub(super) fn extent(boxes: &[Seed]) -> f32 {
    let mut extent = Extent::EMPTY;
    for seed in boxes {
        extent.join(seed.lower, seed.upper);
    }
    (extent.upper - extent.lower).max_element()
}

/// A cut in the middle of the longest side of the box around all boxes that has centers on both sides of it;
/// else of the second side, else of the third; `None` if no middle divides.
pub(super) fn middle_cut(boxes: &[Seed], centers: &Extent) -> Option<Cut> {
    let mut around = Extent::EMPTY;
    for seed in boxes {
        around.join(seed.lower, seed.upper);
    }
    let size = around.upper - around.lower;
    let mut axes = [0, 1, 2];
    axes.sort_by(|&a: &usize, &b| size[b].total_cmp(&size[a]));
    axes.into_iter().find_map(|axis| {
        if centers.upper[axis] - centers.lower[axis] < SMALLEST {
            return None;
        }
        // Centers are doubled (see `Seed::center`): the middle of the box is half the sum of its ends,
        // doubled too.
        let base = 2.0 * around.lower[axis];
        let scale = 1.0 / size[axis];
        let mut cut = Cut { axis, base, scale, first: 1, left: 0, cost: 0.0 };
        cut.left = boxes.iter().filter(|seed| cut.bin(seed) < 1).count();
        (cut.left > 0 && cut.left < boxes.len()).then_some(cut)
    })
}

#[inline(never)]
fn best_cut_on(axis: usize, boxes: &[Seed], centers: &Extent) -> Option<Cut> {
    let count = boxes.len().clamp(4, BINS);
    let size = centers.upper[axis] - centers.lower[axis];
    if size < SMALLEST {
        return None;
    }
    // A little less than the number of bins, so that the last center does not round into a bin of its own.
    let scale = count as f32 * (1.0 - 4.0 * f32::EPSILON) / size;
    let mut best = Cut { axis, base: centers.lower[axis], scale, first: 0, left: 0, cost: f32::INFINITY };
    let mut bins = [Extent::EMPTY; BINS];
    let mut counts = [0u32; BINS];
    for seed in boxes {
        let bin = best.bin(seed) % BINS;
        bins[bin].join(seed.lower, seed.upper);
        counts[bin] += 1;
    }

    let mut right_costs = [0.0f32; BINS];
    let (mut right, mut right_count) = (Extent::EMPTY, 0);
    for bin in (0..count).rev() {
        right.join(bins[bin].lower, bins[bin].upper);
        right_count += counts[bin];
        right_costs[bin] = right.area() * right_count as f32;
    }
    let (mut left, mut left_count) = (Extent::EMPTY, 0);
    for first in 1..count {
        left.join(bins[first - 1].lower, bins[first - 1].upper);
        left_count += counts[first - 1];
        // Neither side is ever empty: the first and the last center are in the first and the last bin.
        let cost = left.area() * left_count as f32 + right_costs[first];
        if cost < best.cost {
            best = Cut { first, left: left_count as usize, cost, ..best };
        }
    }
    let area = right.area();
    best.cost = if area > 0.0 { best.cost / area } else { 0.0 };
    Some(best)
}

/// Brings the boxes left of the cut to the front. The extents of the centers of both sides.
#[inline(never)]
pub(super) fn apply(cut: &Cut, seeds: &mut Seeds) -> [Extent; 2] {
    let [mut left_extent, mut right_extent] = [Extent::EMPTY; 2];
    let (mut left, mut right) = (0, seeds.len());
    while left < right {
        let seed = seeds.boxes[left];
        if cut.bin(&seed) < cut.first {
            left_extent.add(seed.center());
            left += 1;
            continue;
        }
        right_extent.add(seed.center());
        right -= 1;
        seeds.boxes.swap(left, right);
        seeds.items.swap(left, right);
    }
    [left_extent, right_extent]
}

/// Brings the half with the lower centers on the longest axis to the front. The extents of the centers of
/// both sides.
#[inline(never)]
pub(super) fn halve(seeds: &mut Seeds, centers: &Extent) -> [Extent; 2] {
    let middle = seeds.len() / 2;
    let size = centers.upper - centers.lower;
    let axis = size.max_position();
    if size[axis] > 0.0 {
        let mut order: Vec<u32> = (0..seeds.len() as u32).collect();
        order.select_nth_unstable_by(middle, |&a, &b| {
            let center = |index: u32| seeds.boxes[index as usize].center()[axis];
            let item = |index: u32| seeds.items[index as usize];
            center(a).total_cmp(&center(b)).then(item(a).cmp(&item(b)))
        });
        let boxes: Vec<Seed> = order.iter().map(|&index| seeds.boxes[index as usize]).collect();
        let items: Vec<u32> = order.iter().map(|&index| seeds.items[index as usize]).collect();
        seeds.boxes.copy_from_slice(&boxes);
        seeds.items.copy_from_slice(&items);
    }
    let (left, right) = seeds.boxes.split_at(middle);
    [Extent::of_centers(left), Extent::of_centers(right)]
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use proptest::prelude::*;

    use super::*;

    fn seeds(corners: &[[f32; 6]]) -> Vec<Seed> {
        let seed = |c: &[f32; 6]| {
            let (a, b) = (Vec4::new(c[0], c[1], c[2], 0.0), Vec4::new(c[3], c[4], c[5], 0.0));
            Seed { lower: a.min(b), upper: a.max(b) }
        };
        corners.iter().map(seed).collect()
    }

    /// Neighboring numbers, zeros and the ends of the frame besides what is in between.
    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![
            -1.0..1.0f32,
            prop::sample::select(vec![-1.0, 1.0, 0.0, 0.5, 0.5_f32.next_up(), 1e-30, 1e-31, 1e-45])
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn a_cut_leaves_something_on_both_sides_and_divides_as_it_counted(
            corners in prop::collection::vec(prop::array::uniform6(number()), 2..300),
        ) {
            let mut boxes = seeds(&corners);
            let mut items: Vec<u32> = (0..boxes.len() as u32).collect();
            let centers = Extent::of_centers(&boxes);
            let Some(cut) = best_cut(&boxes, &centers) else {
                prop_assert!((centers.upper - centers.lower).max_element() < SMALLEST);
                return Ok(());
            };
            prop_assert!(cut.left >= 1 && cut.left < boxes.len());
            let before = boxes.clone();
            let extents = apply(&cut, &mut Seeds { boxes: &mut boxes, items: &mut items });
            for (place, seed) in boxes.iter().enumerate() {
                prop_assert_eq!(cut.bin(seed) < cut.first, place < cut.left);
                let original = before[items[place] as usize];
                prop_assert_eq!((seed.lower, seed.upper), (original.lower, original.upper));
            }
            for (extent, side) in extents.iter().zip([&boxes[..cut.left], &boxes[cut.left..]]) {
                let expected = Extent::of_centers(side);
                prop_assert_eq!((extent.lower, extent.upper), (expected.lower, expected.upper));
            }
        }

        #[test]
        fn halves_are_halves_and_in_order(corners in prop::collection::vec(prop::array::uniform6(number()), 2..100)) {
            let mut boxes = seeds(&corners);
            let before = boxes.clone();
            let mut items: Vec<u32> = (0..boxes.len() as u32).collect();
            let centers = Extent::of_centers(&boxes);
            let [left, right] = halve(&mut Seeds { boxes: &mut boxes, items: &mut items }, &centers);
            let axis = (centers.upper - centers.lower).max_position();
            prop_assert!(left.upper[axis] <= right.lower[axis]);
            for (place, seed) in boxes.iter().enumerate() {
                prop_assert_eq!(seed.lower, before[items[place] as usize].lower);
            }
            items.sort_unstable();
            prop_assert_eq!(items, (0..before.len() as u32).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_middle_of_the_longest_axis_divides_or_the_next_one_does() {
        // Without the first, all centers are in one place of the longest axis; in y half of them are.
        let mut corners = vec![[-1.0, 0.0, 0.0, 0.2, 0.1, 0.1]];
        for i in 0..10 {
            let y = if i % 2 == 0 { 0.1 } else { 0.8 };
            corners.push([-0.5, y, 0.0, 0.6, y + 0.05, 0.1]);
        }
        let boxes = seeds(&corners);
        let cut = middle_cut(&boxes, &Extent::of_centers(&boxes)).unwrap();
        assert_eq!((cut.axis, cut.left), (0, 1));
        let boxes = seeds(&corners[1..]);
        assert!(best_cut_on(0, &boxes, &Extent::of_centers(&boxes)).is_none());
        let cut = middle_cut(&boxes, &Extent::of_centers(&boxes)).unwrap();
        assert_eq!((cut.axis, cut.left), (1, 5));
        assert!(middle_cut(&boxes[..1], &Extent::of_centers(&boxes[..1])).is_none());
    }

    #[test]
    fn cuts_between_two_crowds() {
        let mut corners = vec![];
        for i in 0..40 {
            let x = if i % 2 == 0 { -0.9 } else { 0.8 } + 0.001 * i as f32;
            corners.push([x, 0.0, 0.0, x + 0.01, 0.01, 0.01]);
        }
        let boxes = seeds(&corners);
        let cut = best_cut(&boxes, &Extent::of_centers(&boxes)).unwrap();
        assert_eq!((cut.axis, cut.left), (0, 20));
        assert!(cut.cost < 2.0);
    }
}
