//! A moving cuboid, prepared for any number of sweeps.
//!
//! Idea: everything is relative to the cuboid at its start, in its own frame, in which its axes are those of
//! the coordinates: positions relative to the start, lengths in units of the mover's size and place (a power
//! of two), the velocity in units of its own largest component. So no square over- or underflows, and a scene
//! scaled by 2ᵏ gives the same bits.
//!
//! Error, in roundings u = 2⁻⁵³ of the lengths concerned. A position relative to the start: 1; turned into
//! the frame: 5.2 (three products and two sums in each of three components); a product with an axis: 3; the
//! difference of two: 1. The frame itself: a quaternion scaled to length one has a squared length within 8u
//! of one, and a matrix made of it is then orthogonal to 4·8u + 14u = 46u. In sum 56.2u of the other shape's
//! distance, 5u of the half extents, and, for the place that is reached, start + fraction × translation, u of
//! its distance from the world's origin. Therefore
//!
//! δ = 64u·(farthest point of the other shape from the start + half extents) + 2u·|start|
//!
//! with lengths taken as sums of absolute components. The speed on an axis (turned, 5.2 + 3 + 46; times the
//! fraction, 2; added to the start, 2) is known to 58.2u, κ = 64u. A cuboid grown by δ and faster by κ
//! contains every cuboid that the numbers could mean: the one spanned by [`Cuboid::axes`] and the one turned
//! by the exact rotation, at the rounded place.
//!
//! Nearness: the normals of the faces that meet at a corner of the sum of a cuboid and any convex shape lie
//! in one octant of the cuboid's frame: no two of them are more than a right angle apart. So shapes whose gap
//! is at most g on each of the separating axes are at most √3·g apart, although the axis of shortest distance
//! need not be among them.

use glam::{DMat3, DVec3};

use crate::num::ops;
use crate::shape::Cuboid;
use crate::sweep::cuboid::cuboid_outline::Window;
use crate::sweep::cuboid::separating_axis::{
    APPROACH, Axis, Pace, Pair, ROUNDING, Rank, Touch, Visitor, greater, lesser,
};
use crate::sweep::{Contact, Feature, Hit, Path};

/// 2¹⁰⁰: shapes up to this many times as large as the mover share its unit of length.
const FAR: f64 = (1u128 << 100) as f64;

/// 2⁻³⁴⁸. Adding and subtracting it rounds to multiples of 2⁻⁴⁰⁰ of the unit: numbers far smaller than any
/// rounding here become 0, and all others can be multiplied four times before they underflow.
const GRAIN: f64 = {
    let per_step = 1.0 / (1u128 << 116) as f64;
    per_step * per_step * per_step
};

/// In δ + κ·way: shapes in contact have gaps of up to 7 on every axis, and are up to √3 times that apart.
const NEARNESS: f64 = 13.0;

/// A cuboid and its translation in the frame of the cuboid at the start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingCuboid {
    /// The unit of length is 1 / scale, a power of two.
    pub(in crate::sweep) scale: f64,
    /// Where the center starts, in units.
    pub(in crate::sweep) from: DVec3,
    /// The cuboid's axes in the world, as columns.
    pub(in crate::sweep) axes: DMat3,
    /// In units.
    pub(in crate::sweep) half_extents: DVec3,
    /// In the world; the largest component is 1 … 2.
    pub(in crate::sweep) velocity: DVec3,
    /// The same in the cuboid's frame.
    pub(in crate::sweep) local_velocity: DVec3,
    pub(in crate::sweep) pace: Pace,
    /// The part of δ that does not depend on the other shape.
    own_error: f64,
}

impl MovingCuboid {
    /// `None` if the path has no length: a mover at rest hits nothing. `rounding` is the error of the path's
    /// coordinates, in meters.
    pub(crate) fn new(cuboid: &Cuboid, path: &Path, rounding: f64) -> Option<Self> {
        (path.translation() != DVec3::ZERO).then(|| Self::standing(cuboid, path, rounding))
    }

    /// At the start of the path, of any length: for contacts, not for hits.
    pub(crate) fn standing(cuboid: &Cuboid, path: &Path, rounding: f64) -> Self {
        let (from, translation, half_extents) = (path.from(), path.translation(), cuboid.half_extents());
        let scale = inverse_power_of_two(greater(largest(from), largest(half_extents)));
        let pace_scale = inverse_power_of_two(largest(translation));
        let axes = cuboid.axes();
        let (from, half_extents, velocity) = (from * scale, half_extents * scale, translation * pace_scale);
        let pace = Pace { speed: ops::sqrt(velocity.length_squared()), end: scale / pace_scale };
        let own_error = 64.0 * ROUNDING * sum_of_components(half_extents)
            + 2.0 * ROUNDING * sum_of_components(from)
            + rounding * scale;
        let local_velocity = turned_into(&axes, velocity);
        Self { scale, from, axes, half_extents, velocity, local_velocity, pace, own_error }
    }

    /// The same with a larger unit of length, if a shape is too far (`reach`, in units) or too large (`size`,
    /// in meters) for this one; `None` if it is not.
    #[inline(always)]
    pub(in crate::sweep) fn refitted(&self, reach: f64, size: impl FnOnce() -> f64) -> Option<Self> {
        // 64 because rotations and sums can enlarge a size in range; an overflow (infinite or NaN) is out of
        // range.
        if reach <= 64.0 * FAR { None } else { Some(self.in_units_for(size())) }
    }

    #[cold]
    fn in_units_for(&self, size: f64) -> Self {
        let scale = inverse_power_of_two(size / FAR);
        let factor = scale / self.scale;
        Self {
            scale,
            from: self.from * factor,
            half_extents: self.half_extents * factor,
            pace: Pace { end: self.pace.end * factor, ..self.pace },
            own_error: self.own_error * factor,
            ..*self
        }
    }

    /// δ for a shape of which no point is farther than `reach` from the start, in units.
    #[inline(always)]
    pub(in crate::sweep) fn delta(&self, reach: f64) -> f64 {
        self.own_error + 64.0 * ROUNDING * reach
    }

    /// A place in the world, relative to the start and in units.
    #[inline(always)]
    pub(in crate::sweep) fn relative(&self, place: DVec3) -> DVec3 {
        place * self.scale - self.from
    }

    /// A direction in the cuboid's frame.
    #[inline(always)]
    pub(in crate::sweep) fn turned(&self, v: DVec3) -> DVec3 {
        turned_into(&self.axes, v)
    }

    /// An edge or a relative position in the cuboid's frame, without parts that could underflow.
    #[inline(always)]
    pub(in crate::sweep) fn local(&self, v: DVec3) -> DVec3 {
        without_dust(self.turned(v))
    }

    /// The extent of the cuboid along a direction of its own frame.
    #[inline(always)]
    pub(in crate::sweep) fn radius(&self, direction: DVec3) -> f64 {
        self.half_extents.dot(direction.abs())
    }

    /// The cuboid's own three axes, against a shape between two corners in its frame.
    #[inline(always)]
    pub(in crate::sweep) fn visit_own_axes(
        &self,
        low: DVec3,
        high: DVec3,
        visitor: &mut impl Visitor,
    ) -> Option<()> {
        for (index, direction) in DVec3::AXES.into_iter().enumerate() {
            visitor.visit(Axis {
                rank: Rank::MoverFace,
                index,
                direction,
                span: 1.0,
                radius: self.half_extents[index],
                low: low[index],
                high: high[index],
                speed: self.local_velocity[index],
            })?;
        }
        Some(())
    }

    /// The three axes perpendicular to one of the cuboid's edges and to `edge` of the other shape, which is
    /// in the cuboid's frame.
    #[inline(always)]
    pub(in crate::sweep) fn visit_edge_pairs(
        &self,
        index: usize,
        edge: DVec3,
        other: &impl Pair,
        visitor: &mut impl Visitor,
    ) -> Option<()> {
        let DVec3 { x, y, z } = edge;
        // The products with the three axes, written out: exact, and perpendicular to both edges to the last
        // bit.
        self.visit_edge_pair(index, DVec3::new(0.0, -z, y), |v| v.z * y - v.y * z, other, visitor)?;
        self.visit_edge_pair(index, DVec3::new(z, 0.0, -x), |v| v.x * z - v.z * x, other, visitor)?;
        self.visit_edge_pair(index, DVec3::new(-y, x, 0.0), |v| v.y * x - v.x * y, other, visitor)
    }

    /// `along` is the product with the direction.
    #[inline(always)]
    fn visit_edge_pair(
        &self,
        index: usize,
        direction: DVec3,
        along: impl Fn(DVec3) -> f64,
        other: &impl Pair,
        visitor: &mut impl Visitor,
    ) -> Option<()> {
        let reach = direction.abs();
        let span = reach.x + reach.y + reach.z;
        if span == 0.0 {
            return Some(());
        }
        let (low, high) = other.ends(&along);
        visitor.visit(Axis {
            rank: Rank::EdgePair,
            index,
            direction,
            span,
            radius: self.half_extents.dot(reach),
            low,
            high,
            speed: along(self.local_velocity),
        })
    }

    /// The center at a time, in the cuboid's frame at the start.
    #[inline(always)]
    pub(in crate::sweep) fn center_at(&self, time: f64) -> DVec3 {
        self.local_velocity * time
    }

    /// The box, in the cuboid's frame at the start, of all contact points with a shape within `reach`: the
    /// cuboid where it just touches, moved along the axis by the gap or out of the overlap.
    pub(in crate::sweep) fn window(&self, touch: &Touch, reach: f64) -> Window {
        let known_to = self.delta(reach) + APPROACH * self.pace.speed * touch.time;
        // Divided first, so that no square underflows.
        let direction = touch.direction / largest(touch.direction);
        let to_touch = direction * (touch.gap / ops::sqrt(direction.length_squared()));
        Window {
            center: self.center_at(touch.time) + to_touch,
            half: self.half_extents + DVec3::splat(NEARNESS * known_to),
        }
    }

    /// The point of the convex hull of some corners that is nearest to the cuboid, moved out of an overlap.
    /// All in the cuboid's frame at the start.
    #[cold]
    pub(in crate::sweep) fn nearest(
        &self,
        touch: &Touch,
        reach: f64,
        count: usize,
        corner: impl Fn(usize) -> DVec3,
    ) -> DVec3 {
        self.window(&Touch { gap: lesser(0.0, touch.gap), ..*touch }, reach).nearest_of(count, corner)
    }

    /// A position in the cuboid's frame at the start, converted to the world, in meters.
    pub(in crate::sweep) fn world(&self, local: DVec3) -> DVec3 {
        (self.from + self.axes * local) / self.scale
    }

    /// The contact of the cuboid at its start, from the axis of least depth, for a shape within `reach`.
    pub(in crate::sweep) fn contact(&self, hit: &Hit, touch: &Touch, reach: f64) -> Contact {
        Contact {
            gap: touch.gap / self.scale,
            normal: hit.normal,
            point: hit.point,
            feature: hit.feature,
            rounding: self.delta(reach) / self.scale,
        }
    }

    /// The answer to a contact. `direction` points in the world to the other shape, with any length but zero;
    /// `point` in meters.
    pub(in crate::sweep) fn hit(
        &self,
        touch: &Touch,
        direction: DVec3,
        point: DVec3,
        feature: Feature,
    ) -> Hit {
        let fraction = if touch.time > 0.0 { touch.time / self.pace.end } else { 0.0 };
        // Divided first, so that no square underflows. Adding 0 turns −0 into 0.
        let normal = direction * (-1.0 / largest(direction));
        let normal = normal / ops::sqrt(normal.length_squared()) + DVec3::ZERO;
        Hit { fraction, point: point + DVec3::ZERO, normal, feature, start_overlap: touch.start_overlap }
    }
}

/// The largest absolute component.
pub(in crate::sweep) fn largest(v: DVec3) -> f64 {
    greater(greater(v.x.abs(), v.y.abs()), v.z.abs())
}

/// At least the length of a vector, at most √3 times it, without a root.
#[inline(always)]
pub(in crate::sweep) fn sum_of_components(v: DVec3) -> f64 {
    v.x.abs() + v.y.abs() + v.z.abs()
}

/// The components along the axes.
#[inline(always)]
pub(in crate::sweep) fn turned_into(axes: &DMat3, v: DVec3) -> DVec3 {
    DVec3::new(axes.x_axis.dot(v), axes.y_axis.dot(v), axes.z_axis.dot(v))
}

/// Rounded to multiples of 2⁻⁴⁰⁰.
#[inline(always)]
pub(in crate::sweep) fn without_dust(v: DVec3) -> DVec3 {
    (v + GRAIN) - GRAIN
}

/// The power of two that brings a size into 1 … 2; of the largest sizes into 2 … 4, of subnormal ones below
/// 1.
fn inverse_power_of_two(size: f64) -> f64 {
    let exponent = (size.to_bits() & 0x7FF0_0000_0000_0000).min(0x7FD0_0000_0000_0000);
    f64::from_bits(0x7FE0_0000_0000_0000 - exponent)
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, dvec3};

    use super::super::cuboid_cuboid::{Turn, cuboid_cuboid};
    use super::super::cuboid_polygon::cuboid_triangle;
    use super::*;
    use crate::num::ops::rotation_about;
    use crate::num::random::Random;
    use crate::shape::Triangle;

    #[test]
    fn a_power_of_two_brings_any_size_near_one() {
        for size in [1.0, 1.5, 3.0, 1e-300, 1e300, f64::MIN_POSITIVE, f64::MAX] {
            let scale = inverse_power_of_two(size);
            assert_eq!(scale.to_bits() & ((1 << 52) - 1), 0, "{size:e}");
            assert!((1.0..4.0).contains(&(size * scale)), "{size:e}");
        }
        // A subnormal is made as large as can be.
        assert_eq!(inverse_power_of_two(f64::from_bits(1)), 2.0 * inverse_power_of_two(f64::MIN_POSITIVE));
    }

    #[test]
    fn dust_goes_and_the_rest_stays_to_the_bit() {
        let kept = dvec3(1.0 / 3.0, -1e-90, 7e30);
        assert_eq!(without_dust(kept), kept);
        assert_eq!(without_dust(dvec3(1e-130, -1e-200, 5e-324)), DVec3::ZERO);
        assert_eq!(GRAIN.to_bits(), (1023 - 348) << 52);
    }

    #[test]
    fn the_frame_is_as_orthogonal_as_the_bound_assumes() {
        let mut worst = 0f64;
        for k in 0..20_000 {
            let k = f64::from(k);
            let axis = dvec3((k * 0.73) % 1.0 - 0.5, (k * 0.37) % 1.0 - 0.4, (k * 0.11) % 1.0 - 0.3);
            let cuboid = Cuboid::new(DVec3::ONE).unwrap().with_rotation(rotation_about(axis, k)).unwrap();
            let axes = cuboid.axes();
            let off = axes.transpose() * axes - DMat3::IDENTITY;
            worst = worst.max(off.to_cols_array().iter().map(|x| x * x).sum::<f64>());
        }
        // The measure itself rounds: 3 roundings in each of nine components.
        assert!(ops::sqrt(worst) <= 46.0 * ROUNDING, "{} roundings", ops::sqrt(worst) / ROUNDING);
    }

    #[test]
    fn what_is_made_ready_once_answers_as_if_made_each_time() {
        let cuboid = Cuboid::new(dvec3(0.3, 0.9, 0.4)).unwrap();
        let cuboid = cuboid.with_rotation(rotation_about(dvec3(1.0, 2.0, -0.5), 0.8)).unwrap();
        let path = Path::new(dvec3(1.0, 3.0, -2.0), dvec3(-0.5, -4.0, 1.5)).unwrap();
        let moving = MovingCuboid::new(&cuboid, &path, 0.0).unwrap();
        let turn = Turn::new(&moving, DQuat::IDENTITY);
        let mut hits = 0;
        for k in 0..200 {
            let k = f64::from(k);
            let corner =
                |s: f64| dvec3((k * s) % 4.0 - 2.0, (k * s * 0.7) % 3.0 - 1.0, (k * s * 1.3) % 4.0 - 2.0);
            let corners = [corner(1.7), corner(2.3), corner(0.9)];
            let triangle = Triangle::new(corners[0], corners[1], corners[2]).unwrap();
            let hit = moving.triangle(&corners);
            assert_eq!(hit, cuboid_triangle(&cuboid, &path, &triangle));
            assert_eq!(hit, moving.outline(&corners));
            let other = Cuboid::new(dvec3(0.5, 0.6, 0.7)).unwrap();
            let against = moving.cuboid(&turn, other.half_extents(), corners[0]);
            assert_eq!(against, cuboid_cuboid(&cuboid, &path, &other, corners[0]));
            hits += u32::from(hit.is_some()) + u32::from(against.is_some());
        }
        assert!(hits > 50);
    }

    #[test]
    fn a_contact_within_a_distance_is_the_contact_at_any_distance() {
        let mut random = Random(0xB0C5);
        let (mut near, mut far) = (0, 0);
        for _ in 0..40_000 {
            // From specks to worlds: the bounds must hold in any unit.
            let unit = random.pick(&[1e-300, 1e-140, 1e-60, 1e-3, 1.0, 1e6, 1e90, 1e150]);
            let half_extents = random.vector().abs() + DVec3::splat(0.05);
            let cuboid = Cuboid::new(half_extents * unit).unwrap();
            let turn = rotation_about(random.vector(), random.number() * 3.0);
            let cuboid = if random.number() < 0.0 { cuboid } else { cuboid.with_rotation(turn).unwrap() };
            let center = random.vector() * random.pick(&[0.0, 1.0, 1e3, 1e9]);
            let path = Path::new(center * unit, DVec3::ZERO).unwrap();
            let moving = MovingCuboid::standing(&cuboid, &path, 0.0);
            // Many are large and lie beside a face, as floors do.
            let size = random.pick(&[0.1, 1.0, 30.0]);
            let level = random.pick(&[1.0, 1.0, 0.0]);
            let beside = cuboid.rotation() * (half_extents * DVec3::new(0.0, -1.0 - 1e-3 * level, 0.0));
            let corners = [0; 3].map(|_| {
                let off = random.vector() * size * DVec3::new(1.0, 1.0 - level, 1.0);
                (center + beside + cuboid.rotation() * off) * unit
            });
            let any = moving.triangle_contact(&corners, f64::INFINITY);
            let gap = any.map_or(0.0, |contact| contact.gap);
            let within = match random.pick(&[0, 1, 2, 3]) {
                0 => gap,
                1 => gap * (1.0 + 1e-15 * random.number()),
                2 => 1e-3 * unit,
                _ => unit * (random.number() + 1.0),
            };
            let counts = any.filter(|contact| contact.gap <= within);
            assert_eq!(
                moving.triangle_contact(&corners, within),
                counts,
                "{cuboid:?} {corners:?} {within:e}"
            );
            *(if counts.is_some() { &mut near } else { &mut far }) += 1;
        }
        assert!(near > 8_000 && far > 8_000, "{near} {far}");
    }

    #[test]
    fn an_outline_of_any_number_of_corners_is_swept() {
        let cuboid = Cuboid::new(dvec3(0.5, 0.5, 0.5)).unwrap();
        let path = Path::new(dvec3(0.0, 3.0, 0.0), dvec3(0.0, -4.0, 0.0)).unwrap();
        let moving = MovingCuboid::new(&cuboid, &path, 0.0).unwrap();
        assert_eq!(moving.outline(&[]), None);
        let (a, b) = (dvec3(0.2, 0.0, 0.1), dvec3(3.0, -1.0, 0.3));
        let point = moving.outline(&[a]).unwrap();
        assert_eq!((point.point, point.feature), (a, Feature::Vertex(0)));
        let segment = moving.outline(&[b, a]).unwrap();
        assert_eq!((segment.point, segment.feature), (a, Feature::Vertex(1)));
        let level = moving.outline(&[a, a + DVec3::X * 4.0]).unwrap();
        assert_eq!(level.feature, Feature::Edge(0));
        assert!(level.point.abs_diff_eq(dvec3(0.35, 0.0, 0.1), 1e-12), "{level:?}");
        for count in [3, 5, 16, 17, 40] {
            let corner = |k: usize| {
                let angle = k as f64 * core::f64::consts::TAU / count as f64;
                dvec3(ops::cos(angle), 0.0, ops::sin(angle)) * 5.0
            };
            let corners: alloc::vec::Vec<DVec3> = (0..count).map(corner).collect();
            let hit = moving.outline(&corners).unwrap();
            assert_eq!((hit.feature, hit.normal), (Feature::Face, DVec3::Y), "{count} corners");
            assert!(
                (hit.fraction - 0.625).abs() < 1e-12 && hit.point.abs_diff_eq(DVec3::ZERO, 1e-12),
                "{hit:?}"
            );
        }
    }
}
