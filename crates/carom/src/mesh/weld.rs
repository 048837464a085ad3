//! Welding: which vertices are merged.
//!
//! Positions are sorted by value, with their index as the last digit, so that equal ones stand together and
//! the lowest index comes first. O(n log n), the same whatever the machine or the number of threads.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// −0 becomes 0, so that equal coordinates have equal bits.
#[inline]
pub(super) fn canonical(position: [f32; 3]) -> [f32; 3] {
    position.map(|x| x + 0.0)
}

/// The bits of a finite number, arranged so that they sort as the numbers do.
#[inline]
fn sortable(x: f32) -> u32 {
    let bits = (x + 0.0).to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

/// A position that sorts by x, y, z and then by its index.
#[inline]
fn key(position: [f32; 3], index: u32) -> u128 {
    let [x, y, z] = position.map(|x| u128::from(sortable(x)));
    x << 96 | y << 64 | z << 32 | u128::from(index)
}

/// Vertices in the order of their positions; of equal ones the lowest index first.
pub(super) struct Sorted {
    keys: Vec<u128>,
}

impl Sorted {
    /// Sorts the vertices that are marked. All of them are finite.
    pub(super) fn new(vertices: &[[f32; 3]], marked: &[bool]) -> Self {
        let mut keys = Vec::with_capacity(marked.iter().filter(|&&mark| mark).count());
        for (index, (&position, _)) in vertices.iter().zip(marked).enumerate().filter(|(_, (_, mark))| **mark)
        {
            keys.push(key(position, index as u32));
        }
        #[cfg(feature = "parallel")]
        rayon::slice::ParallelSliceMut::par_sort_unstable(keys.as_mut_slice());
        #[cfg(not(feature = "parallel"))]
        keys.sort_unstable();
        Self { keys }
    }

    /// The indices of the vertices of equal position, position by position.
    pub(super) fn runs(&self) -> impl Iterator<Item = impl Iterator<Item = u32> + '_> + '_ {
        self.keys.chunk_by(|a, b| a >> 32 == b >> 32).map(|run| run.iter().map(|&key| key as u32))
    }
}

/// For each vertex the one that it becomes: itself, or the lowest index of equal position.
pub(super) fn exact(vertices: &[[f32; 3]], used: &[bool]) -> Vec<u32> {
    let mut leader = vec![0; vertices.len()];
    for mut run in Sorted::new(vertices, used).runs() {
        let Some(first) = run.next() else { continue };
        leader[first as usize] = first;
        run.for_each(|vertex| leader[vertex as usize] = first);
    }
    leader
}

/// For each vertex the one that it becomes, when positions up to `tolerance` apart are merged; see
/// [`Weld::Tolerance`](super::Weld::Tolerance) for the rule.
///
/// Places are filed under cells a little wider than the tolerance, so that all that may merge into one are in
/// its own and the next cells. Those that stay are farther apart than the tolerance, so only a few of them
/// look into any cell: O(n log n) however crowded the vertices are.
pub(super) fn within(vertices: &[[f32; 3]], used: &[bool], tolerance: f64) -> Vec<u32> {
    let mut leader = exact(vertices, used);
    // Two different numbers differ by at least the smallest one: nothing more to merge, and no cell number
    // overflows.
    if tolerance < f64::from(f32::from_bits(1)) {
        return leader;
    }
    let firsts: Vec<u32> = Sorted::new(vertices, used).runs().filter_map(|mut run| run.next()).collect();
    let place = |rank: u32| super::data::position(vertices[firsts[rank as usize] as usize]);
    // Wider by more than the quotients below round: places within the tolerance are in adjoining cells. Where
    // cell numbers are too large for that (2³¹ and up), f32 leaves nothing within the tolerance but equal
    // coordinates.
    let cell_size = tolerance * (1.0 + 1.0 / (1 << 20) as f64);
    let cell = |rank: u32| (place(rank) / cell_size).to_array().map(floor);
    let mut filed: Vec<([f64; 3], u32)> = (0..firsts.len() as u32).map(|rank| (cell(rank), rank)).collect();
    filed.sort_unstable_by(|(a, i), (b, j)| compare(a, b).then(i.cmp(j)));

    let mut merged = vec![false; firsts.len()];
    let mut moves_to = vec![0; vertices.len()];
    for rank in 0..firsts.len() as u32 {
        if merged[rank as usize] {
            continue;
        }
        let here = place(rank);
        let [x, y, z] = cell(rank);
        // Lower places have been visited, so no cell of lower x is of interest.
        for (x, y) in
            [(x, y - 1.0), (x, y), (x, y + 1.0), (x + 1.0, y - 1.0), (x + 1.0, y), (x + 1.0, y + 1.0)]
        {
            let first = filed.partition_point(|(cell, _)| compare(cell, &[x, y, z - 1.0]).is_lt());
            for &(_, other) in
                filed[first..].iter().take_while(|(cell, _)| compare(cell, &[x, y, z + 1.0]).is_le())
            {
                if !merged[other as usize] && (place(other) - here).length_squared() <= tolerance * tolerance
                {
                    merged[other as usize] = true;
                    moves_to[firsts[other as usize] as usize] = firsts[rank as usize];
                }
            }
        }
    }
    for (leader, _) in leader.iter_mut().zip(used).filter(|(_, used)| **used) {
        *leader = moves_to[*leader as usize];
    }
    leader
}

/// The largest integer not above. Beyond 2⁵² all numbers are whole.
fn floor(x: f64) -> f64 {
    if x.abs() >= (1u64 << 52) as f64 {
        return x;
    }
    let towards_zero = (x as i64) as f64;
    if towards_zero > x { towards_zero - 1.0 } else { towards_zero }
}

fn compare(a: &[f64; 3], b: &[f64; 3]) -> Ordering {
    a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])).then(a[2].total_cmp(&b[2]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn merged(vertices: &[[f32; 3]], tolerance: f64) -> Vec<u32> {
        within(vertices, &vec![true; vertices.len()], tolerance)
    }

    #[test]
    fn equal_positions_follow_the_first_and_minus_zero_is_zero() {
        let vertices =
            [[1.0, 0.0, 2.0], [0.0; 3], [1.0, -0.0, 2.0], [-0.0, 0.0, -0.0], [1.0f32.next_up(), 0.0, 2.0]];
        assert_eq!(exact(&vertices, &[true; 5]), [0, 1, 0, 1, 4]);
        assert_eq!(exact(&vertices, &[false, true, true, true, true])[2], 2);
    }

    #[test]
    fn positions_sort_as_numbers_do() {
        let xs =
            [f32::MIN, -1.0, -f32::MIN_POSITIVE, -f32::from_bits(1), 0.0, f32::from_bits(1), 1.0, f32::MAX];
        assert!(xs.windows(2).all(|pair| sortable(pair[0]) < sortable(pair[1])));
        assert_eq!(sortable(-0.0), sortable(0.0));
    }

    #[test]
    fn a_chain_is_broken_where_it_would_grow_too_long() {
        let vertices = [3.0, 0.0, 2.0, 1.0].map(|x| [x, 0.0, 0.0]);
        assert_eq!(merged(&vertices, 1.0), [2, 1, 2, 1]);
        assert_eq!(merged(&vertices, 0.9), [0, 1, 2, 3]);
        assert_eq!(merged(&vertices, 3.0), [1, 1, 1, 1]);
    }

    #[test]
    fn no_tolerance_is_too_large_or_too_small() {
        let most = f32::MAX;
        let vertices =
            [[most, most, -most], [-most, most, most], [0.0; 3], [f32::from_bits(1), 0.0, 0.0], [0.0; 3]];
        assert_eq!(merged(&vertices, f64::MAX), [1; 5]);
        assert_eq!(merged(&vertices, 0.0), [0, 1, 2, 3, 2]);
        assert_eq!(merged(&vertices, f64::MIN_POSITIVE), [0, 1, 2, 3, 2]);
        assert_eq!(merged(&vertices, f64::from(f32::from_bits(1))), [0, 1, 2, 2, 2]);
    }

    /// The rule, word for word.
    fn by_the_rule(vertices: &[[f32; 3]], tolerance: f64) -> Vec<[f32; 3]> {
        let mut order: Vec<usize> = (0..vertices.len()).collect();
        order.sort_by(|&i, &j| vertices[i].partial_cmp(&vertices[j]).unwrap());
        let mut moved = vec![None; vertices.len()];
        for &i in &order {
            if moved[i].is_some() {
                continue;
            }
            for j in 0..vertices.len() {
                let apart = super::super::data::position(vertices[i]) - super::super::position(vertices[j]);
                if moved[j].is_none() && apart.length_squared() <= tolerance * tolerance {
                    moved[j] = Some(vertices[i]);
                }
            }
        }
        moved.into_iter().map(Option::unwrap).collect()
    }

    proptest! {
        #[test]
        fn merges_by_the_rule_whatever_the_order(
            crowd in prop::collection::vec(prop::array::uniform3(-8..8i8), 1..40),
            tolerance in 1..12u8, offset in prop::sample::select(vec![0.0, 0.3, -7.1, 1e6]), turn in 0..40usize,
        ) {
            let vertices: Vec<[f32; 3]> = crowd.iter().map(|p| p.map(|x| f32::from(x) * 0.25 + offset)).collect();
            let tolerance = f64::from(tolerance) * 0.25;
            let places = |vertices: &[[f32; 3]]| -> Vec<[f32; 3]> {
                merged(vertices, tolerance).iter().map(|&leader| vertices[leader as usize]).collect()
            };
            let found = places(&vertices);
            prop_assert_eq!(&found, &by_the_rule(&vertices, tolerance));
            let mut turned = vertices.clone();
            turned.rotate_left(turn % vertices.len());
            let mut expected = found;
            expected.rotate_left(turn % vertices.len());
            prop_assert_eq!(places(&turned), expected);
        }
    }
}
