//! A moving cuboid against another.
//!
//! Source: Gottschalk, Lin and Manocha, “OBB trees” (1996), for the 15 axes; Bobic 2000 for the velocities.
//! Idea: the mover's three axes, the other's three, and the nine edge pairs, in the mover's frame. The
//! other's radius on an axis is summed over its rounded axes, which are not exactly perpendicular. Error: δ
//! of `moving_cuboid`. Cost: a hit, 15 axes and a cut quadrilateral. Never gives up.

use glam::{DMat3, DQuat, DVec3};

use crate::shape::Cuboid;
use crate::sweep::cuboid::cuboid_outline::CUTS;
use crate::sweep::cuboid::moving_cuboid::{MovingCuboid, largest, sum_of_components, turned_into};
use crate::sweep::cuboid::separating_axis::{Axis, Pair, Rank, Touch, Visitor, first_contact, least_depth};
use crate::sweep::{Contact, Feature, Hit, Path};

/// The first contact of a moving cuboid with another that rests at `other_center`. If both move, the path is
/// [`Path::relative`] and `other_center` the origin: the point is then relative to the other's center.
///
/// The rounding of [`Path::relative`], one rounding of each number, is not in the bound below.
///
/// Fraction, touching and start overlap as for [`cuboid_triangle`](crate::sweep::cuboid_triangle), with
/// the other's faces first among equals. The point lies on the other's surface; of a start overlap it is the
/// middle of what the mover has deepest inside, brought into the other.
///
/// The feature is the other's. `Vertex(i)`: bit 0 of i is set on its +x side, bit 1 on +y, bit 2 on +z.
/// `Edge(i)`: i = 4·axis + sides, axis 0, 1 or 2 as the edge runs along x, y or z; sides: bit 0 is set
/// on the + side of the lower-numbered of the two other axes, bit 1 on that of the higher. Any of its faces
/// is `Face`.
pub fn cuboid_cuboid(cuboid: &Cuboid, path: &Path, other: &Cuboid, other_center: DVec3) -> Option<Hit> {
    let moving = MovingCuboid::new(cuboid, path, 0.0)?;
    moving.cuboid(&Turn::new(&moving, other.rotation()), other.half_extents(), other_center)
}

/// The contact of a cuboid about the start of `at` with another. `None`: the numbers left the range of f64.
pub(crate) fn contact(cuboid: &Cuboid, at: &Path, other: &Cuboid, other_center: DVec3) -> Option<Contact> {
    MovingCuboid::standing(cuboid, at, 0.0).cuboid_contact(other, other_center)
}

/// The orientation of other cuboids in the mover's frame: computed once for all of them.
pub(crate) struct Turn {
    /// The others' axes in the world, as columns.
    world: DMat3,
    /// The same in the mover's frame.
    local: DMat3,
}

impl Turn {
    pub(crate) fn new(moving: &MovingCuboid, rotation: DQuat) -> Self {
        let world = DMat3::from_quat(rotation);
        let local = DMat3::from_cols(
            moving.local(world.x_axis),
            moving.local(world.y_axis),
            moving.local(world.z_axis),
        );
        Self { world, local }
    }
}

impl MovingCuboid {
    fn cuboid_contact(&self, cuboid: &Cuboid, center: DVec3) -> Option<Contact> {
        let (turn, half_extents) = (Turn::new(self, cuboid.rotation()), cuboid.half_extents());
        let other = Other::new(self, &turn, half_extents, center);
        if let Some(refitted) = self.refitted(other.reach(), || largest(center).max(largest(half_extents))) {
            return refitted.cuboid_contact(cuboid, center);
        }
        let touch = least_depth(&other, self.delta(other.reach()), f64::INFINITY)?;
        Some(self.contact(&other.answer(&touch), &touch, other.reach()))
    }

    /// The first contact with a cuboid of the orientation `turn`.
    pub(crate) fn cuboid(&self, turn: &Turn, half_extents: DVec3, center: DVec3) -> Option<Hit> {
        let other = Other::new(self, turn, half_extents, center);
        if let Some(refitted) = self.refitted(other.reach(), || largest(center).max(largest(half_extents))) {
            return refitted.cuboid(turn, half_extents, center);
        }
        let touch = first_contact(&other, self.pace, self.delta(other.reach()))?;
        Some(other.answer(&touch))
    }
}

/// The resting cuboid, in units.
struct Other<'a> {
    moving: &'a MovingCuboid,
    turn: &'a Turn,
    half_extents: DVec3,
    /// Relative to the start, in the world and in the mover's frame.
    center: DVec3,
    local_center: DVec3,
}

impl<'a> Other<'a> {
    fn new(moving: &'a MovingCuboid, turn: &'a Turn, half_extents: DVec3, center: DVec3) -> Self {
        let center = moving.relative(center);
        let local_center = moving.local(center);
        Self { moving, turn, half_extents: half_extents * moving.scale, center, local_center }
    }

    /// Its extent along the mover's axes.
    #[inline(always)]
    fn extent(&self) -> DVec3 {
        let [x, y, z] = [self.turn.local.x_axis, self.turn.local.y_axis, self.turn.local.z_axis];
        x.abs() * self.half_extents.x + y.abs() * self.half_extents.y + z.abs() * self.half_extents.z
    }

    #[inline(always)]
    fn reach(&self) -> f64 {
        sum_of_components(self.local_center) + sum_of_components(self.extent())
    }

    /// How far each of its half axes extends along a direction of the mover's frame.
    #[inline(always)]
    fn shares(&self, direction: DVec3) -> DVec3 {
        self.half_extents * turned_into(&self.turn.local, direction)
    }

    /// The side on each of its axes with which it touches, −1 or 1; 0 along an axis of which both ends touch.
    fn sides(&self, touch: &Touch) -> DVec3 {
        let shares = -self.shares(touch.direction);
        // Both ends touch if their heights differ only by rounding.
        let side =
            |share: f64| if (2.0 * share).abs() > 4.0 * touch.tolerance { 1f64.copysign(share) } else { 0.0 };
        let mut sides = DVec3::new(side(shares.x), side(shares.y), side(shares.z));
        if sides == DVec3::ZERO {
            // A cuboid smaller than rounding still has a side that faces the mover.
            let facing = shares.abs().max_position();
            sides[facing] = 1f64.copysign(shares[facing]);
        }
        sides
    }

    /// The middle of the part of the feature on these sides that the mover touches, in the mover's frame.
    fn middle(&self, touch: &Touch, sides: DVec3) -> Option<DVec3> {
        let axes = &self.turn.local;
        let mut corners = [DVec3::ZERO; 4 + CUTS];
        let mut count = 1;
        corners[0] = self.local_center + *axes * (self.half_extents * sides);
        for axis in 0..3 {
            if sides[axis] == 0.0 {
                let half_edge = axes.col(axis) * self.half_extents[axis];
                // The second half runs backwards, so that four corners form a ring.
                for k in 0..count {
                    corners[2 * count - 1 - k] = corners[k] + half_edge;
                    corners[k] -= half_edge;
                }
                count *= 2;
            }
        }
        let window = self.moving.window(touch, self.reach());
        window.middle_of(&mut corners, count, &mut [DVec3::ZERO; 4 + CUTS])
    }

    /// Its point nearest to the mover, in the mover's frame.
    fn nearest(&self, touch: &Touch) -> DVec3 {
        let corner = |k: usize| {
            let side = |axis: usize| if k >> axis & 1 == 1 { 1.0 } else { -1.0 };
            self.local_center + self.turn.local * (self.half_extents * DVec3::new(side(0), side(1), side(2)))
        };
        self.moving.nearest(touch, self.reach(), 8, corner)
    }

    /// Adds the axis to a feature along which it leads away from the mover least.
    fn widen(&self, touch: &Touch, sides: &mut DVec3) {
        let shares = self.shares(touch.direction).abs();
        let rise = |axis: usize| if sides[axis] == 0.0 { f64::INFINITY } else { shares[axis] };
        let least = DVec3::new(rise(0), rise(1), rise(2)).min_position();
        sides[least] = 0.0;
    }

    #[inline(never)]
    fn answer(&self, touch: &Touch) -> Hit {
        let (moving, turn) = (self.moving, self.turn);
        let direction = match touch.rank {
            Rank::OtherFace => turn.world.col(touch.index) * touch.sign,
            Rank::MoverFace | Rank::EdgePair => moving.axes * touch.direction,
        };
        let mut sides = self.sides(touch);
        let point = loop {
            // The first contact may lie beside the mover, if the two are so nearly parallel that more of them
            // touches.
            match self.middle(touch, sides) {
                Some(point) => break point,
                None if feature(sides) == Feature::Face => break self.nearest(touch),
                None => self.widen(touch, &mut sides),
            }
        };
        moving.hit(touch, direction, moving.world(point), feature(sides))
    }
}

/// The number of the feature on these sides.
fn feature(sides: DVec3) -> Feature {
    let bit = |axis: usize| u32::from(sides[axis] > 0.0);
    match [0, 1, 2].map(|axis| sides[axis] == 0.0) {
        [false, false, false] => Feature::Vertex(bit(0) | bit(1) << 1 | bit(2) << 2),
        [true, false, false] => Feature::Edge(bit(1) | bit(2) << 1),
        [false, true, false] => Feature::Edge(4 | bit(0) | bit(2) << 1),
        [false, false, true] => Feature::Edge(8 | bit(0) | bit(1) << 1),
        _ => Feature::Face,
    }
}

impl Pair for Other<'_> {
    #[inline(always)]
    fn walk(&self, visitor: &mut impl Visitor) -> Option<()> {
        let (moving, center, axes) = (self.moving, self.local_center, &self.turn.local);
        let extent = self.extent();
        moving.visit_own_axes(center - extent, center + extent, visitor)?;
        for index in 0..3 {
            let (in_world, direction) = (self.turn.world.col(index), axes.col(index));
            let (ahead, radius) = (self.center.dot(in_world), sum_of_components(self.shares(direction)));
            visitor.visit(Axis {
                rank: Rank::OtherFace,
                index,
                direction,
                span: sum_of_components(in_world),
                radius: moving.radius(direction),
                low: ahead - radius,
                high: ahead + radius,
                speed: moving.velocity.dot(in_world),
            })?;
        }
        for index in 0..3 {
            moving.visit_edge_pairs(index, axes.col(index), self, visitor)?;
        }
        Some(())
    }

    #[inline(always)]
    fn ends(&self, along: impl Fn(DVec3) -> f64) -> (f64, f64) {
        let (axes, half) = (&self.turn.local, self.half_extents);
        let radius = along(axes.x_axis).abs() * half.x
            + along(axes.y_axis).abs() * half.y
            + along(axes.z_axis).abs() * half.z;
        let ahead = along(self.local_center);
        (ahead - radius, ahead + radius)
    }
}
