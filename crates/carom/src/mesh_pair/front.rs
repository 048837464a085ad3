//! The end of a walk over pairs of volumes, as the start of the next walk.
//!
//! Source: Ehmann, Lin, *Accurate and fast proximity queries between polyhedra* (2001): if two bodies move
//! little between queries, their walks end at nearly the same pairs. The pairs above need not be tested
//! again. A pair that can no longer meet stays in the front: this is correct, but one test late. When the
//! front has grown to twice its size, it starts again from the roots.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::{Counters, MeshPair, MeshVolume};

/// The pairs of nodes at which the last walk over two meshes ended.
///
/// Belongs to the two meshes that it was first used with; with two others it answers as if it were new.
#[derive(Clone, Debug, Default)]
pub struct Front {
    pairs: Vec<[u32; 2]>,
    /// The number of pairs when it was made from the roots.
    fresh: usize,
    /// A number for each tree.
    marks: [u64; 2],
}

impl Front {
    /// A front that begins at the roots.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of pairs of nodes in it.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether it is still empty.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

impl<V: MeshVolume> MeshPair<'_, V> {
    /// All pairs of triangles that share a point, as from [`pairs`](Self::pairs), starting where the last
    /// walk ended. The cost is added to the counters.
    pub fn pairs_from(&self, front: &mut Front, counters: &mut Counters) -> Vec<[u32; 2]> {
        let (first, second) = (self.first.tree(), self.second.tree());
        let marks = [self.first.mark(), self.second.mark()];
        let begins_anew =
            front.marks != marks || front.pairs.is_empty() || front.pairs.len() > 2 * front.fresh;
        if begins_anew {
            front.pairs.clear();
            front.marks = marks;
            front.pairs.extend(first.root_number().zip(second.root_number()).map(<[u32; 2]>::from));
        }
        let mut pairs = Vec::new();
        let mut next = Vec::with_capacity(front.pairs.len());
        let factor = self.factor();
        let mut stack = core::mem::take(&mut front.pairs);
        while let Some([a, b]) = stack.pop() {
            let (a_volume, b_volume) = (first.volume_of(a), second.volume_of(b));
            counters.volume_tests += 1;
            if !a_volume.may_meet(b_volume, &self.between) {
                next.push([a, b]);
                continue;
            }
            match (first.children_of(a), second.children_of(b)) {
                (Err(firsts), Err(seconds)) => {
                    next.push([a, b]);
                    let mut push = |pair| {
                        pairs.push(pair);
                        ControlFlow::<()>::Continue(())
                    };
                    let _ = self.visit_leaves(firsts, seconds, &mut counters.triangle_tests, &mut push);
                }
                (Ok(children), Err(_)) => stack.extend(children.map(|child| [child, b])),
                (Err(_), Ok(children)) => stack.extend(children.map(|child| [a, child])),
                (Ok(firsts), Ok(seconds)) => {
                    if a_volume.size() >= b_volume.size() * factor {
                        stack.extend(firsts.map(|child| [child, b]));
                    } else {
                        stack.extend(seconds.map(|child| [a, child]));
                    }
                }
            }
        }
        if begins_anew {
            front.fresh = next.len();
        }
        front.pairs = next;
        pairs.sort_unstable();
        pairs
    }
}
