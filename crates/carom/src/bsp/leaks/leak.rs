//! An opening to the outside, and all of them.

use alloc::vec::Vec;

use glam::DVec3;

use crate::num::ops::sqrt;

/// An opening to the outside.
#[derive(Clone, Debug)]
pub struct Leak {
    /// The polygons that close it, which share edges: of each its corners.
    pub opening: Vec<Vec<DVec3>>,
    /// Their area together, in square units.
    pub area: f64,
    /// The given point that is nearest along the chain.
    pub from: usize,
    /// The way out: that point, the middle of each portal of the shortest chain, and a point outside.
    pub chain: Vec<DVec3>,
    /// The narrowest portal of the chain: its width, in units.
    pub narrowest: f64,
    /// Where that is.
    pub narrowest_at: DVec3,
}

/// The result of a search for leaks.
#[derive(Clone, Debug, Default)]
pub struct Leaks {
    /// Nearest first, by the length of their chains.
    pub leaks: Vec<Leak>,
    /// The same of openings narrower than the width that was given. None of them touches a leak.
    pub cracks: Vec<Leak>,
    /// Points that are outside themselves, by their numbers.
    pub outside: Vec<usize>,
    /// Points within the solid, by their numbers.
    pub buried: Vec<usize>,
}

impl Leak {
    /// The length of its chain.
    pub(super) fn length(&self) -> f64 {
        self.chain.windows(2).map(|pair| sqrt(pair[0].distance_squared(pair[1]))).sum()
    }
}
