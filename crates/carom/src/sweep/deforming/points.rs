//! The input and the output of this module.

use glam::DVec3;

/// Where the four points are at one time.
pub(super) type Points = [DVec3; 4];

/// The digits of a time, behind the point, in base two.
pub(super) const BITS: u32 = 40;
