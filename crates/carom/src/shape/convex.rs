//! What the distance of any two convex shapes needs to know of them.

use glam::DVec3;

use super::rounding::{TURN, reach};
use super::{Aabb, Capsule, ConvexPolygon, Cuboid, Ellipsoid, Mover, Segment, Sphere, Triangle};

/// A convex shape as its farthest points: a core and everything within a margin of it.
///
/// A sphere is a point with its radius as the margin, a capsule a segment; the fewer points the core has the
/// sooner an answer is found, and the exacter it is. A turned shape is the one whose own axes are its
/// `axes()`, to the bit.
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

impl Convex for Sphere {
    fn support(&self, _direction: DVec3) -> DVec3 {
        DVec3::ZERO
    }

    fn margin(&self) -> f64 {
        self.radius()
    }

    fn reach(&self) -> f64 {
        0.0
    }
}

impl Convex for Capsule {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.axis().support_point(direction)
    }

    fn margin(&self) -> f64 {
        self.radius()
    }

    fn reach(&self) -> f64 {
        self.half_height() * (1.0 + TURN)
    }
}

impl Convex for Cuboid {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.support_point(direction)
    }

    fn reach(&self) -> f64 {
        reach(self.half_extents())
    }
}

impl Convex for Ellipsoid {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.support_point(direction)
    }

    fn reach(&self) -> f64 {
        self.radii().max_element() * (1.0 + TURN)
    }
}

impl Convex for Aabb {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.support_point(direction)
    }

    fn reach(&self) -> f64 {
        reach(self.min().abs().max(self.max().abs()))
    }
}

impl Convex for Segment {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.support_point(direction)
    }

    fn reach(&self) -> f64 {
        reach(self.a()).max(reach(self.b()))
    }
}

impl Convex for Triangle {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.support_point(direction)
    }

    fn reach(&self) -> f64 {
        self.extent()
    }
}

impl Convex for ConvexPolygon {
    fn support(&self, direction: DVec3) -> DVec3 {
        self.support_point(direction)
    }

    fn reach(&self) -> f64 {
        self.extent()
    }
}

impl Convex for Mover {
    fn support(&self, direction: DVec3) -> DVec3 {
        match self {
            Self::Point => DVec3::ZERO,
            Self::Sphere(s) => s.support(direction),
            Self::Ellipsoid(e) => e.support(direction),
            Self::Capsule(c) => c.support(direction),
            Self::Cuboid(c) => c.support(direction),
        }
    }

    fn margin(&self) -> f64 {
        match self {
            Self::Sphere(s) => s.margin(),
            Self::Capsule(c) => c.margin(),
            Self::Point | Self::Ellipsoid(_) | Self::Cuboid(_) => 0.0,
        }
    }

    fn reach(&self) -> f64 {
        match self {
            Self::Point => 0.0,
            Self::Sphere(s) => s.reach(),
            Self::Ellipsoid(e) => e.reach(),
            Self::Capsule(c) => c.reach(),
            Self::Cuboid(c) => c.reach(),
        }
    }
}
