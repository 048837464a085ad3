//! Who of many characters can meet whom in a tick.
//!
//! Told by a tree over the boxes in which they can be, put together along a curve that fills space: anew in every tick, so that no
//! tick depends on those before. All are asked along the curve as well: what one has walked through, the next finds at hand.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::shape::Aabb;
use crate::tree::{Curve, Tree};

/// For each of many boxes those that share a point with it. Kept from tick to tick, it allocates nothing once its lists are as long as they
/// get.
#[derive(Clone, Debug)]
pub(super) struct Nearby {
    /// The numbers of all, along the curve.
    order: Vec<Placed>,
    tree: Tree<Aabb>,
    /// Whom those of one stretch of the curve are near to: the number of each, and of the other.
    found: Vec<Vec<(u32, u32)>>,
    /// Where in the list the others of each begin, and where they end.
    starts: Vec<u32>,
    list: Vec<u32>,
}

/// A place on the curve, and whose it is.
type Placed = (u64, u32);

impl Default for Nearby {
    fn default() -> Self {
        Self {
            order: Vec::new(),
            tree: Tree::empty(),
            found: Vec::new(),
            starts: Vec::new(),
            list: Vec::new(),
        }
    }
}

impl Nearby {
    /// Looks for all that share a point.
    pub(super) fn find(&mut self, places: &[Aabb]) {
        let Self { order, tree, found, starts, list } = self;
        let curve = Curve::through(places.iter().map(Aabb::center));
        order.clear();
        order.extend((0..).zip(places).map(|(number, place)| (curve.along(place.center()), number)));
        order.sort_unstable();
        tree.rebuild_in_order(order.iter().map(|(_, number)| *number), |number| places[number as usize]);

        let stretch = stretch(places.len());
        found.resize_with(places.len().div_ceil(stretch), Vec::new);
        let ask = |(order, found): (&[Placed], &mut Vec<(u32, u32)>)| {
            found.clear();
            for &(_, number) in order {
                let place = &places[number as usize];
                let _ = tree.overlaps(place, |other| {
                    // A leaf hands over all that is in it: who is near must not depend on the tree.
                    if other != number && places[other as usize].overlaps_aabb(place) {
                        found.push((number, other));
                    }
                    ControlFlow::<()>::Continue(())
                });
            }
        };
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            order.par_chunks(stretch).zip(found.par_iter_mut()).for_each(ask);
        }
        #[cfg(not(feature = "parallel"))]
        order.chunks(stretch).zip(found.iter_mut()).for_each(ask);

        // By number: counted, given room, and filled in from the end of each.
        starts.clear();
        starts.resize(places.len() + 1, 0);
        found.iter().flatten().for_each(|(number, _)| starts[*number as usize] += 1);
        let mut end = 0;
        for start in starts.iter_mut() {
            end += *start;
            *start = end;
        }
        list.clear();
        list.resize(end as usize, 0);
        for (number, other) in found.iter().flatten() {
            let start = &mut starts[*number as usize];
            *start -= 1;
            list[*start as usize] = *other;
        }
    }

    /// Those near to one, by number, in no order.
    pub(super) fn of(&self, number: usize) -> &[u32] {
        &self.list[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

/// How many are asked on one thread, at least 1.
fn stretch(count: usize) -> usize {
    /// Fewer than this are not worth a thread.
    #[cfg(feature = "parallel")]
    const LEAST: usize = 256;
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
    fn everybody_near_is_told_and_nobody_else() {
        // As many as need more than one stretch, on a lattice whose places share points with the next.
        let places: Vec<Aabb> = (0..40)
            .flat_map(|x| (0..40).map(move |z| dvec3(f64::from(x), 0.0, f64::from(z * 7 % 40))))
            .map(|center| Aabb::new(center - DVec3::splat(0.5), center + DVec3::splat(0.5)).unwrap())
            .collect();
        let mut nearby = Nearby::default();
        for count in [0, 1, 2, places.len()] {
            let places = &places[..count];
            nearby.find(places);
            for (number, place) in places.iter().enumerate() {
                let mut told = nearby.of(number).to_vec();
                told.sort_unstable();
                let near = (0..count).filter(|other| *other != number && places[*other].overlaps_aabb(place));
                assert_eq!(told, near.map(|other| other as u32).collect::<Vec<_>>(), "{number} of {count}");
            }
        }
    }
}
