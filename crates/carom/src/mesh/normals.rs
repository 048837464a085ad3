//! The normals of the surfaces at a touched feature.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Deref;

use glam::DVec3;

use crate::num::ops;
use crate::num::orientation::has_area;

/// Enough for nearly every corner of a level; more need an allocation.
const INLINE: usize = 8;

/// No more triangles than this are tested for hiding another: a corner of very many would otherwise take
/// quadratic time.
const MOST_BEFORE: usize = 64;

/// A direction beside another surface by less than this, of 1, is not behind it.
const BESIDE: f64 = 1e-6;

/// Different unit normals, in ascending order of their values: the same whatever the order of the triangles.
#[derive(Clone, Debug)]
pub struct FeatureNormals {
    inline: [DVec3; INLINE],
    count: usize,
    /// All of them, once they are too many.
    spilled: Vec<DVec3>,
}

impl FeatureNormals {
    pub(super) fn new(normals: impl Iterator<Item = DVec3>) -> Self {
        let mut found = Self { inline: [DVec3::ZERO; INLINE], count: 0, spilled: Vec::new() };
        for normal in normals {
            found.add(normal);
        }
        if !found.spilled.is_empty() {
            found.spilled.sort_unstable_by(compare);
            found.spilled.dedup();
        }
        found
    }

    /// The normals of triangles with these corners; `None` for one without area.
    pub(crate) fn of_triangles(triangles: impl Iterator<Item = [DVec3; 3]>) -> Self {
        Self::new(triangles.filter(|corners| has_area(*corners)).filter_map(unit_normal))
    }

    /// The normals of triangles that share these points, a corner (twice) or the ends of an edge, and face a
    /// contact in a direction from there: they show their fronts, or their backs with none of the others in
    /// front of them. The inside of a block's bottom does not face a contact from the side at its lowest
    /// edge.
    pub(crate) fn in_sight(
        triangles: impl Iterator<Item = [DVec3; 3]> + Clone,
        shared: [DVec3; 2],
        from: DVec3,
    ) -> Self {
        let all = triangles.clone().filter(|corners| has_area(*corners));
        let is_seen = |corners: &[DVec3; 3]| {
            let Some(leaf) = Leaf::new(*corners, shared) else { return true };
            let mut others = all.clone().take(MOST_BEFORE).filter_map(|other| Leaf::new(other, shared));
            !others.any(|other| other.is_between(from, leaf.inward))
        };
        let seen = triangles.filter(|corners| has_area(*corners)).filter_map(|corners| {
            let normal = unit_normal(corners)?;
            (normal.dot(from) >= 0.0 || is_seen(&corners)).then_some(normal)
        });
        Self::new(seen)
    }

    fn add(&mut self, normal: DVec3) {
        if !self.spilled.is_empty() {
            // Sorted at the end: a corner of very many triangles would take quadratic time otherwise.
            return self.spilled.push(normal);
        }
        let Err(at) = self.inline[..self.count].binary_search_by(|other| compare(other, &normal)) else {
            return;
        };
        if self.count == INLINE {
            self.spilled.extend(self.inline);
            self.spilled.push(normal);
        } else {
            self.inline.copy_within(at..self.count, at + 1);
            self.inline[at] = normal;
            self.count += 1;
        }
    }
}

/// A triangle at the shared feature, extended from there without end.
#[derive(Clone, Copy)]
struct Leaf {
    normal: DVec3,
    /// From the shared feature into the triangle, of length 1.
    inward: DVec3,
    /// The sides that end at a shared corner, of length 1, counter-clockwise from the front.
    sides: Option<[DVec3; 2]>,
}

impl Leaf {
    /// `None` if rounding leaves no area.
    fn new(corners: [DVec3; 3], [first, second]: [DVec3; 2]) -> Option<Self> {
        let unit = |v: DVec3| {
            let length_squared = v.length_squared();
            (length_squared > 0.0).then(|| v / ops::sqrt(length_squared))
        };
        let at = corners.iter().position(|corner| *corner == first)?;
        let [next, last] = [1, 2].map(|i| corners[(at + i) % 3]);
        let normal = unit_normal(corners)?;
        let (inward, sides) = if first == second {
            let sides = [unit(next - first)?, unit(last - first)?];
            (unit(sides[0] + sides[1])?, Some(sides))
        } else {
            let far = if next == second { last } else { next };
            let along = unit(second - first)?;
            let inward = far - first;
            (unit(inward - along * along.dot(inward))?, None)
        };
        Some(Self { normal, inward, sides })
    }

    /// Whether the straight line between two directions from the shared feature crosses it.
    fn is_between(&self, a: DVec3, b: DVec3) -> bool {
        let [before, behind] = [a, b].map(|way| self.normal.dot(way));
        if before.abs().min(behind.abs()) <= BESIDE || (before > 0.0) == (behind > 0.0) {
            return false;
        }
        let crossing = (a * behind.abs() + b * before.abs()) / (before.abs() + behind.abs());
        match self.sides {
            None => crossing.dot(self.inward) > BESIDE,
            Some([next, last]) => {
                let turns = [next.cross(crossing), crossing.cross(last)];
                turns.into_iter().all(|turn| turn.dot(self.normal) > BESIDE)
            }
        }
    }
}

impl Deref for FeatureNormals {
    type Target = [DVec3];

    fn deref(&self) -> &[DVec3] {
        if self.spilled.is_empty() { &self.inline[..self.count] } else { &self.spilled }
    }
}

fn compare(a: &DVec3, b: &DVec3) -> Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z))
}

/// The unit normal on the side from where the corners are seen counter-clockwise; `None` if rounding leaves
/// no area. The same to the bit whichever corner comes first.
pub(super) fn unit_normal(corners: [DVec3; 3]) -> Option<DVec3> {
    let lowest = (0..3).reduce(|i, j| if corners[j].to_array() < corners[i].to_array() { j } else { i })?;
    let [a, b, c] = [0, 1, 2].map(|i| corners[(lowest + i) % 3]);
    let normal = (b - a).cross(c - a);
    let length_squared = normal.length_squared();
    // −0 becomes 0: equal directions have equal bits.
    (length_squared > 0.0).then(|| normal / ops::sqrt(length_squared) + DVec3::ZERO)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn points_to_where_the_corners_are_seen_counter_clockwise() {
        assert_eq!(unit_normal([DVec3::ZERO, DVec3::X, DVec3::Y]), Some(DVec3::Z));
        assert_eq!(unit_normal([DVec3::ZERO, DVec3::Y, DVec3::X]), Some(-DVec3::Z));
        assert_eq!(unit_normal([DVec3::X; 3]), None);
    }

    proptest! {
        #[test]
        fn is_the_same_whichever_corner_comes_first(c in prop::array::uniform9(-100.0..100.0f32)) {
            let corner = |i: usize| DVec3::new(c[3 * i].into(), c[3 * i + 1].into(), c[3 * i + 2].into());
            let [p, q, r] = [corner(0), corner(1), corner(2)];
            prop_assert_eq!(unit_normal([p, q, r]), unit_normal([q, r, p]));
            prop_assert_eq!(unit_normal([p, q, r]), unit_normal([r, p, q]));
        }

        #[test]
        fn normals_are_a_sorted_set_whatever_their_order(picks in prop::collection::vec(0..14u32, 0..40)) {
            let normal = |&i: &u32| DVec3::new(f64::from(i % 5), f64::from(i / 5), -1.0);
            let found = FeatureNormals::new(picks.iter().map(normal));
            let backwards = FeatureNormals::new(picks.iter().rev().map(normal));
            prop_assert_eq!(&*found, &*backwards);
            prop_assert!(found.windows(2).all(|pair| compare(&pair[0], &pair[1]).is_lt()));
            prop_assert!(picks.iter().map(normal).all(|normal| found.contains(&normal)));
            prop_assert!(found.iter().all(|found| picks.iter().map(normal).any(|normal| normal == *found)));
        }
    }
}
