//! A moving cuboid against an infinite plane.
//!
//! Idea: one axis, the plane's normal; the cuboid's extent on it is its radius. Error: δ of `moving_cuboid`,
//! and 8u of the plane's distance from the world's origin. Cost: two divisions. Never gives up.

use glam::DVec3;

use crate::shape::{Cuboid, Plane};
use crate::sweep::cuboid::moving_cuboid::{MovingCuboid, sum_of_components};
use crate::sweep::cuboid::separating_axis::{Axis, Pair, ROUNDING, Rank, Touch, Visitor, first_contact};
use crate::sweep::{Feature, Hit, Path};

/// The first contact of a moving cuboid with a plane, which stops it from the side on which its center
/// starts.
///
/// A cuboid that sticks through the plane is pushed out by its center's side: it is stopped, with
/// `start_overlap`, if it moves towards the other. A center in the plane has no side: any way through it is
/// stopped. The point is the foot of the corner, or of the middle of the edge or face, that touches. Free up
/// to `fraction`, and touching there to within a few δ + 64u·way, δ = 64u·(half extents + distance to the
/// plane) + 8u·(|start| + |distance of the plane|), u = 2⁻⁵³. A path of no length hits nothing.
pub fn cuboid_plane(cuboid: &Cuboid, path: &Path, plane: &Plane) -> Option<Hit> {
    MovingCuboid::new(cuboid, path, 0.0)?.plane(plane)
}

impl MovingCuboid {
    /// The first contact with a plane.
    pub(crate) fn plane(&self, plane: &Plane) -> Option<Hit> {
        let size = plane.distance().abs();
        if let Some(refitted) = self.refitted(size * self.scale, || size) {
            return refitted.plane(plane);
        }
        let direction = self.turned(plane.normal());
        let ahead = plane.distance() * self.scale - plane.normal().dot(self.from);
        let origin = sum_of_components(self.from) + size * self.scale;
        let slab = Slab { moving: self, plane, direction, ahead };
        let touch = first_contact(&slab, self.pace, self.delta(ahead.abs()) + 8.0 * ROUNDING * origin)?;
        Some(self.hit(&touch, plane.normal() * touch.sign, slab.foot(&touch), Feature::Face))
    }

    /// The part of the cuboid that touches, reduced to its middle: in the cuboid's frame at the start.
    pub(in crate::sweep) fn support(&self, touch: &Touch) -> DVec3 {
        let mut support = self.center_at(touch.time);
        for axis in 0..3 {
            let rise = self.half_extents[axis] * touch.direction[axis];
            // Both ends touch if their heights differ only by rounding.
            if (2.0 * rise).abs() > 4.0 * touch.tolerance {
                support[axis] += self.half_extents[axis].copysign(rise);
            }
        }
        support
    }
}

struct Slab<'a> {
    moving: &'a MovingCuboid,
    plane: &'a Plane,
    /// The plane's normal in the cuboid's frame.
    direction: DVec3,
    /// The plane's distance from the start along its normal, in units.
    ahead: f64,
}

impl Slab<'_> {
    fn foot(&self, touch: &Touch) -> DVec3 {
        let moving = self.moving;
        let support = moving.support(touch);
        let height = self.direction.dot(support) - self.ahead;
        moving.world(support - self.direction * height)
    }
}

impl Pair for Slab<'_> {
    #[inline(always)]
    fn walk(&self, visitor: &mut impl Visitor) -> Option<()> {
        visitor.visit(Axis {
            rank: Rank::OtherFace,
            index: 0,
            direction: self.direction,
            span: sum_of_components(self.plane.normal()),
            radius: self.moving.radius(self.direction),
            low: self.ahead,
            high: self.ahead,
            speed: self.moving.velocity.dot(self.plane.normal()),
        })
    }

    fn ends(&self, _: impl Fn(DVec3) -> f64) -> (f64, f64) {
        // Infinite along all axes but its normal, which is visited separately.
        (f64::NEG_INFINITY, f64::INFINITY)
    }
}
