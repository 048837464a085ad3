//! The ranks of balls, and their order in memory.
//!
//! Both follow from the position, which differs for all balls, so the input order changes no bit. Of
//! simultaneous events the lower rank comes first. Numbers say where a ball lies in memory: along a curve, so
//! that neighbors are in few cache lines and pages. Balls keep both while they drift apart.

use alloc::vec::Vec;

use crate::balls::Ball;
use crate::balls::events::queue::LEAF;
use crate::balls::grid::cell::Cell;
use crate::balls::grid::cells::Cells;
use crate::tree::Curve;

/// The numbers of balls: outer, by the setup; inner, by memory; and ranks.
#[derive(Clone, Debug)]
pub(crate) struct BallOrder {
    /// The outer number and the rank, by inner number.
    pub(crate) outer: Vec<u32>,
    pub(crate) ranks: Vec<u32>,
    /// The inner numbers, by outer number and by rank.
    pub(crate) inner: Vec<u32>,
    pub(crate) ranked: Vec<u32>,
}

impl BallOrder {
    /// For balls in these cells.
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
