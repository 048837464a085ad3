//! In which order balls are ranked, and in which they lie in memory.
//!
//! Both go by place, which tells all balls apart, so that the order in which they are given changes no bit.
//! Ranks say who is first of those at the same time. Numbers say where a ball lies: along a curve, so that
//! those near it are in few lines and pages of memory. Balls keep both while they drift apart.

use alloc::vec::Vec;

use crate::balls::Ball;
use crate::balls::events::queue::LEAF;
use crate::balls::grid::cell::Cell;
use crate::balls::grid::cells::Cells;
use crate::tree::Curve;

/// Who is who: outside, by the number in the setup; inside, by where they lie; by rank.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// By inner number: the outer one, and the rank.
    pub(crate) outer: Vec<u32>,
    pub(crate) ranks: Vec<u32>,
    /// The inner numbers: by the outer one, and by rank.
    pub(crate) inner: Vec<u32>,
    pub(crate) ranked: Vec<u32>,
}

impl Order {
    /// Of balls whose cells are these.
    pub(crate) fn of(balls: &[Ball], homes: &[Cell], cells: &Cells) -> Self {
        // By cell, in rows and layers, then by place.
        let mut ranked: Vec<u32> = (0..balls.len() as u32).collect();
        ranked.sort_unstable_by(|&a, &b| {
            let (p, q) = (balls[a as usize].position, balls[b as usize].position);
            let place = p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z));
            let row = |ball: u32| cells.rank(homes[ball as usize]);
            row(a).cmp(&row(b)).then(place).then(a.cmp(&b))
        });
        let mut outer = ranked.clone();
        let curve = Curve::through(balls.iter().map(|ball| ball.position));
        outer.sort_by_cached_key(|&ball| curve.along(balls[ball as usize].position));
        let mut ranks = alloc::vec![0; balls.len()];
        for (&ball, rank) in ranked.iter().zip(0..) {
            ranks[ball as usize] = rank;
        }
        // The queue wants ranks in order within a leaf.
        for leaf in outer.chunks_mut(LEAF) {
            leaf.sort_unstable_by_key(|&ball| ranks[ball as usize]);
        }
        let mut inner = alloc::vec![0; balls.len()];
        for (&ball, number) in outer.iter().zip(0..) {
            inner[ball as usize] = number;
        }
        ranked.iter_mut().for_each(|ball| *ball = inner[*ball as usize]);
        let ranks = outer.iter().map(|&ball| ranks[ball as usize]).collect();
        Self { outer, ranks, inner, ranked }
    }
}
