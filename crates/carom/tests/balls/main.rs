//! The table of balls: cases worked by hand, laws, exact times, kinetic theory, rest.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod cases;
mod corners;
mod driven;
mod energy;
mod exact;
mod gas;
mod laws;
mod moving;
mod obstacles;
mod pressed;
mod refused;
mod rest;

use carom::balls::{Ball, Rules, Setup, Table};
use carom::num::ops::sqrt;
use glam::{DVec3, dvec3};

/// Knuth's MMIX generator.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn vector(&mut self) -> DVec3 {
        dvec3(self.unit() - 0.5, self.unit() - 0.5, self.unit() - 0.5) * 2.0
    }
}

/// `side`³ balls of radius ½ on a simple cubic lattice in a box that comes round, at this packing, with no
/// momentum in all.
pub(crate) fn gas(side: usize, packing: f64, seed: u64) -> Setup {
    let count = side * side * side;
    let volume = count as f64 * core::f64::consts::PI / 6.0 / packing;
    let length = cube_root(volume);
    let mut dice = Dice(seed);
    let mut balls: Vec<Ball> = (0..count)
        .map(|i| {
            let place = dvec3((i % side) as f64, (i / side % side) as f64, (i / side / side) as f64);
            let position = (place + 0.5) * (length / side as f64);
            Ball::new(position, dice.vector() + dice.vector(), 0.5, 1.0).unwrap()
        })
        .collect();
    let mean = balls.iter().map(|ball| ball.velocity).sum::<DVec3>() / count as f64;
    balls.iter_mut().for_each(|ball| ball.velocity -= mean);
    Setup { balls, rules: Rules { periodic: DVec3::splat(length), ..Rules::default() }, ..Setup::default() }
}

pub(crate) fn cube_root(x: f64) -> f64 {
    // Newton, from above: only tests need it.
    let mut root = x.max(1.0);
    for _ in 0..200 {
        root -= (root * root * root - x) / (3.0 * root * root);
    }
    root
}

/// The deepest overlap of any two, as a share of the sum of their radii; 0 if none. All pairs.
pub(crate) fn deepest_overlap(table: &Table) -> f64 {
    let sides = table.rules().periodic;
    let mut deepest = 0.0f64;
    let balls: Vec<_> = (0..table.len()).map(|i| (table.ball(i).position, table.radius(i))).collect();
    for (i, (p, r)) in balls.iter().enumerate() {
        for (q, s) in &balls[..i] {
            let mut offset = *p - *q;
            for axis in 0..3 {
                if sides[axis] > 0.0 {
                    let half = 0.5 * sides[axis];
                    if offset[axis] > half {
                        offset[axis] -= sides[axis];
                    } else if offset[axis] < -half {
                        offset[axis] += sides[axis];
                    }
                }
            }
            deepest = deepest.max((r + s - sqrt(offset.length_squared())) / (r + s));
        }
    }
    deepest
}
