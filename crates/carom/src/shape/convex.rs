//! The interface that the distance of two convex shapes needs.

use glam::DVec3;

/// A convex shape as its farthest points: a core and everything within a margin of it.
///
/// A sphere is a point with its radius as the margin, and a capsule is a segment. The fewer points the core
/// has, the sooner an answer is found, and the more accurate it is. A turned shape is the one whose own axes
/// are its `axes()`, to the bit.
pub trait Convex {
    /// A point of the core that is farthest along `direction`, which has a length near 1.
    ///
    /// It may fall short of the farthest, and lie outside of the core, by 16 unit roundoffs of
    /// [`Self::reach`].
    fn support(&self, direction: DVec3) -> DVec3;

    /// How far the shape goes beyond its core in every direction, in meters. At least 0.
    fn margin(&self) -> f64 {
        0.0
    }

    /// An upper bound of the distance of the core's points from the origin of its coordinates, in meters. The
    /// nearer it is, the better: rounding is measured by it.
    fn reach(&self) -> f64;
}
