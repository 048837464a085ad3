//! The input and the output of this module.

use glam::DVec3;

/// The positions of the four points at one time.
pub(super) type Points = [DVec3; 4];

/// The fractional bits of a time.
pub(super) const BITS: u32 = 40;
