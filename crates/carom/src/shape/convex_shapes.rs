//! The farthest points of every convex shape.

use glam::DVec3;

use super::rounding::{TURN, reach};
use super::{Aabb, Capsule, Convex, ConvexPolygon, Cuboid, Ellipsoid, Mover, Segment, Sphere, Triangle};

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
