//! Which of many characters can meet in a tick.
//!
//! A tree over the boxes that they can reach, sorted along a space-filling curve, finds the pairs. It is
//! rebuilt in each tick, so no tick depends on earlier ones. Sixteen characters in a row make one query, and
//! each pair is found once. For a few characters it is cheaper to compare all of them.

use alloc::vec::Vec;

use crate::shape::Aabb;
use crate::tree::{Curve, OrderedTree};

/// No more characters than this are compared with each other, without a tree.
const FEW: usize = 8;

/// For each of many boxes the boxes that overlap it. If kept from tick to tick, it allocates nothing once its
/// lists are fully grown.
#[derive(Clone, Debug, Default)]
pub(super) struct Nearby {
    /// All numbers, along the curve.
    order: Vec<u64>,
    tree: OrderedTree,
    /// Pairs of characters near each other, each pair once, by number: one list for each stretch of the
    /// curve, on which the first of the pair lies.
    found: Vec<Vec<[u32; 2]>>,
    /// The range of the neighbors of each in the list.
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Nearby {
    /// Finds all pairs that overlap.
    pub(super) fn find(&mut self, places: &[Aabb]) {
        if places.len() <= FEW {
            self.compare(places);
        } else {
            self.search(places);
        }
        self.list(places.len());
    }

    /// Finds them among a few.
    fn compare(&mut self, places: &[Aabb]) {
        let pairs = || (0..places.len()).flat_map(|other| (0..other).map(move |one| [one, other]));
        let near = pairs().filter(|[one, other]| places[*one].overlaps_aabb(&places[*other]));
        self.found.resize_with(1, Vec::new);
        self.found[0].clear();
        self.found[0].extend(near.map(|pair| pair.map(|number| number as u32)));
    }

    /// Finds them along the curve.
    fn search(&mut self, places: &[Aabb]) {
        let Self { order, tree, found, .. } = self;
        let centers = || places.iter().map(Aabb::center);
        Curve::through(centers()).sort(centers(), order);
        tree.rebuild(order.iter().map(|number| places[*number as usize]));

        let groups = tree.groups();
        let stretch = stretch(groups);
        found.resize_with(groups.div_ceil(stretch), Vec::new);
        let ask = |(part, found): (usize, &mut Vec<[u32; 2]>)| {
            found.clear();
            let first = part * stretch;
            tree.pairs_of(first..groups.min(first + stretch), |one, other| {
                let numbers = [order[one], order[other]];
                // The result must not depend on the tree.
                let [one, other] = numbers.map(|number| &places[number as usize]);
                if one.overlaps_aabb(other) {
                    found.push(numbers.map(|number| number as u32));
                }
            });
        };
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            found.par_iter_mut().enumerate().for_each(ask);
        }
        #[cfg(not(feature = "parallel"))]
        found.iter_mut().enumerate().for_each(ask);
    }

    /// Lists the neighbors of each: a counting sort by number, with counts, then ranges, each filled from its
    /// end.
    fn list(&mut self, count: usize) {
        let Self { found, starts, list, .. } = self;
        starts.clear();
        starts.resize(count + 1, 0);
        let found = || found.iter().flatten();
        found().flatten().for_each(|number| starts[*number as usize] += 1);
        let mut end = 0;
        for start in starts.iter_mut() {
            end += *start;
            *start = end;
        }
        list.clear();
        list.resize(end as usize, 0);
        for &[one, other] in found() {
            for (number, other) in [(one, other), (other, one)] {
                let start = &mut starts[number as usize];
                *start -= 1;
                list[*start as usize] = other;
            }
        }
    }

    /// The numbers of the neighbors of one, in no order.
    pub(super) fn of(&self, number: usize) -> &[u32] {
        &self.list[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

/// The number of groups per thread, at least 1.
fn stretch(count: usize) -> usize {
    /// A thread is not worth it for fewer than this.
    #[cfg(feature = "parallel")]
    const LEAST: usize = 16;
    #[cfg(feature = "parallel")]
    {
        count.div_ceil(8 * rayon::current_num_threads()).max(LEAST)
    }
    #[cfg(not(feature = "parallel"))]
    {
        count.max(1)
    }
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, dvec3};

    use super::*;

    #[test]
    fn everybody_near_is_visited_and_nobody_else() {
        // Enough for more than one stretch, on a lattice whose boxes touch their neighbors.
        let places: Vec<Aabb> = (0..40)
            .flat_map(|x| (0..40).map(move |z| dvec3(f64::from(x), 0.0, f64::from(z * 7 % 40))))
            .map(|center| Aabb::new(center - DVec3::splat(0.5), center + DVec3::splat(0.5)).unwrap())
            .collect();
        let mut nearby = Nearby::default();
        for count in [0, 1, 2, FEW, FEW + 1, places.len()] {
            let places = &places[..count];
            nearby.find(places);
            for (number, place) in places.iter().enumerate() {
                let mut listed = nearby.of(number).to_vec();
                listed.sort_unstable();
                let near = (0..count).filter(|other| *other != number && places[*other].overlaps_aabb(place));
                assert_eq!(listed, near.map(|other| other as u32).collect::<Vec<_>>(), "{number} of {count}");
            }
        }
    }
}
