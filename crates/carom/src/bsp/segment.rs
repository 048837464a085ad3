//! Segments against a tree, without rounding.
//!
//! Idea: a segment crosses a plane at h₀ / (h₀ − h₁) of its length, with the heights of its ends as integers.
//! Such fractions are compared by cross products. Cost: some microseconds for each node whose plane the
//! segment crosses. It never gives up.

use alloc::vec;
use core::cmp::Ordering;

use dashu_int::IBig;
use glam::DVec3;

use super::node::Child;
use super::plane::Side;
use super::tree::Bsp;

/// A fraction of the segment; the denominator is greater than 0.
#[derive(Clone, Debug)]
struct Fraction {
    numerator: IBig,
    denominator: IBig,
}

impl Fraction {
    fn whole(number: u8) -> Self {
        Self { numerator: number.into(), denominator: IBig::ONE }
    }

    fn compare(&self, other: &Self) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

impl Bsp {
    /// Whether a segment meets the solid or its surface, exactly. Ends that are not finite meet it.
    pub fn meets_segment(&self, from: DVec3, to: DVec3) -> bool {
        if !(from.is_finite() && to.is_finite()) {
            return true;
        }
        let mut open = vec![(self.root(), Fraction::whole(0), Fraction::whole(1))];
        while let Some((child, start, end)) = open.pop() {
            let node = match child {
                Child::Leaf(leaf) if self.is_solid(leaf) => return true,
                Child::Leaf(_) => continue,
                Child::Node(node) => self.nodes()[node as usize],
            };
            let sides = [from, to].map(|end| self.planes().side_of_point(end, node.plane));
            match sides {
                [Side::Front, Side::Front] => open.push((node.front, start, end)),
                [Side::Back, Side::Back] => open.push((node.back, start, end)),
                [Side::On, Side::On] => {
                    open.push((node.front, start.clone(), end.clone()));
                    open.push((node.back, start, end));
                }
                [first, _] => {
                    let [low, high] = self.planes().heights([from, to], node.plane);
                    let denominator = &low - &high;
                    let crossing = if denominator < IBig::ZERO {
                        Fraction { numerator: -low, denominator: -denominator }
                    } else {
                        Fraction { numerator: low, denominator }
                    };
                    let is_front_first = first == Side::Front || sides[1] == Side::Back;
                    let (near, far) =
                        if is_front_first { (node.front, node.back) } else { (node.back, node.front) };
                    // Both children if the segment only touches the plane.
                    if crossing.compare(&end).is_le() {
                        let later = if crossing.compare(&start).is_ge() { &crossing } else { &start };
                        open.push((far, later.clone(), end.clone()));
                    }
                    if crossing.compare(&start).is_ge() {
                        let sooner = if crossing.compare(&end).is_le() { crossing } else { end };
                        open.push((near, start, sooner));
                    }
                }
            }
        }
        false
    }
}
