//! The interface of bounding volumes for mesh against mesh.

use glam::{DVec3, Mat3A, Vec3, Vec3A};

use super::Between;
use crate::num::ops::sqrt;
use crate::shape::Aabb;
use crate::tree::{BoundingSphere, Obb, ObbFit, PackedAabb, SweptBox, Volume};

/// A volume of a tree over triangles, with tests against one of another such tree.
///
/// Errors only keep volumes, as for [`Volume`].
pub trait MeshVolume: Volume {
    /// The volume around some triangles, of which there is at least one.
    fn around_triangles(triangles: &[[Vec3; 3]]) -> Self;

    /// Whether this volume, of the first mesh, may share a point with one of the second.
    fn may_meet(&self, other: &Self, between: &Between) -> bool;

    /// A length in the first mesh's meters that no point of one is nearer to a point of the other than.
    fn gap(&self, other: &Self, between: &Between) -> f64;

    /// A direction of the first mesh's frame, of length one to within 2⁻²⁰, towards the second volume, and
    /// how far apart the two are along it at least, in the first's meters; 0 or less where they may overlap
    /// along it.
    fn separation(&self, other: &Self, between: &Between) -> (f64, DVec3) {
        let [lower, upper] = between.bounds(other.lower(), other.upper());
        let (above, below) = (lower - self.upper(), self.lower() - upper);
        let (up, down) = (above.max_position(), below.max_position());
        if below[down] > above[up] { (below[down], -DVec3::AXES[down]) } else { (above[up], DVec3::AXES[up]) }
    }

    /// The fraction of its way, a vector of the first's frame, before which the second volume does not touch
    /// this one; infinite if it never does.
    fn entry_of(&self, other: &Self, between: &Between, translation: DVec3) -> f64 {
        let [lower, upper] = between.bounds(other.lower(), other.upper());
        match Aabb::new(lower, upper).and_then(|start| SweptBox::moving(&start, translation)) {
            Ok(swept) => swept.entry(self.lower(), self.upper()),
            // Bounds beyond the range of f64 exclude nothing.
            Err(_) => 0.0,
        }
    }

    /// No point of the volume has a greater product with a vector of its own frame, but for rounding: 2⁻²⁰ of
    /// the lengths.
    fn support(&self, along: DVec3) -> f64 {
        let (lower, upper) = (self.lower(), self.upper());
        (lower * along).max(upper * along).element_sum()
    }

    /// The farthest that a point of the volume may be from `center`, in its own frame.
    fn reach_from(&self, center: DVec3) -> f64 {
        let farthest = (self.upper() - center).abs().max((self.lower() - center).abs());
        sqrt(farthest.length_squared()) * (1.0 + 4.0 * f64::EPSILON)
    }
}

/// The distance between two axis-aligned boxes, given by their lower and upper corners, rounded down.
pub(super) fn box_gap([lower, upper]: [DVec3; 2], [other_lower, other_upper]: [DVec3; 2]) -> f64 {
    let gap = (other_lower - upper).max(lower - other_upper);
    let gap = DVec3::select(gap.cmpgt(DVec3::ZERO), gap, DVec3::ZERO);
    let length = sqrt(gap.length_squared()) * (1.0 - 8.0 * f64::EPSILON);
    if length.is_finite() { length } else { 0.0 }
}

impl MeshVolume for Obb {
    fn around_triangles(triangles: &[[Vec3; 3]]) -> Self {
        // Without triangles: never used.
        Self::around_triangles(triangles, ObbFit::Smallest)
            .unwrap_or_else(|| PackedAabb::around_triangles(triangles).into())
    }

    #[inline(always)]
    fn may_meet(&self, other: &Self, between: &Between) -> bool {
        let pair = ObbPair::new(self, other, between);
        !pair.is_apart(between.margin)
    }

    fn gap(&self, other: &Self, between: &Between) -> f64 {
        ObbPair::new(self, other, between).gap(between.margin)
    }

    fn separation(&self, other: &Self, between: &Between) -> (f64, DVec3) {
        let pair = ObbPair::new(self, other, between);
        let (ahead, [one, two]) = pair.gaps(between.margin);
        let (own, others) = (one.max_position(), two.max_position());
        let towards = |along: f32| if along < 0.0 { -1.0 } else { 1.0 };
        if two[others] > one[own] {
            let axis = between.axes * other.axes().col(others).as_dvec3() / between.scale;
            (f64::from(two[others]), axis * towards(ahead[others]))
        } else {
            (f64::from(one[own]), self.axes().col(own).as_dvec3() * towards(pair.offset[own]))
        }
    }

    fn entry_of(&self, other: &Self, between: &Between, translation: DVec3) -> f64 {
        let pair = ObbPair::new(self, other, between);
        let translation = Mat3A::from(self.axes()).transpose() * Vec3A::from(translation.as_vec3());
        f64::from(pair.entry(translation, between.margin))
    }

    fn support(&self, along: DVec3) -> f64 {
        let own = self.axes().as_dmat3().transpose() * along;
        self.center().as_dvec3().dot(along) + own.abs().dot(self.half_extents().as_dvec3())
    }

    fn reach_from(&self, center: DVec3) -> f64 {
        let offset = self.center().as_dvec3() - center;
        (sqrt(offset.length_squared()) + self.radius()) * (1.0 + 4.0 * f64::EPSILON)
    }
}

/// Two oriented boxes in the axes of the first.
pub(super) struct ObbPair {
    /// From the middle of the first to that of the second.
    pub(super) offset: Vec3A,
    /// The axes of the second in those of the first, as columns.
    pub(super) turn: Mat3A,
    pub(super) first: Vec3A,
    pub(super) second: Vec3A,
}

impl ObbPair {
    #[inline(always)]
    pub(super) fn new(first: &Obb, second: &Obb, between: &Between) -> Self {
        let own = Mat3A::from(first.axes()).transpose();
        let center = between.turn * (Vec3A::from(second.center()) * between.scale32) + between.offset;
        Self {
            offset: own * (center - Vec3A::from(first.center())),
            turn: own * (between.turn * Mat3A::from(second.axes())),
            first: first.half_extents().into(),
            second: second.half_extents().into(),
            // The scale is a length's, not a direction's.
        }
        .scaled(between.scale32)
    }

    #[inline(always)]
    fn scaled(self, scale: f32) -> Self {
        Self { second: self.second * scale, ..self }
    }

    /// Whether one of 15 axes proves them apart by more than `margin`. Numbers that cannot be compared count
    /// as not apart.
    #[inline(always)]
    fn is_apart(&self, margin: f32) -> bool {
        let Self { offset: t, turn, first: a, second: b } = self;
        let size = Mat3A::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
        // The first's axes.
        if (t.abs() - (*a + size * *b)).cmpgt(Vec3A::splat(margin)).any() {
            return true;
        }
        // The second's.
        let ahead = turn.transpose() * *t;
        let across = size.transpose() * *a;
        if (ahead.abs() - (across + *b)).cmpgt(Vec3A::splat(margin)).any() {
            return true;
        }
        // A product of e_i and column j: shorter than 1, so the margin is more than it need be.
        let margin = Vec3A::splat(margin);
        let [b0, b1, b2] = b.to_array();
        let [a0, a1, a2] = a.to_array();
        let (tx, ty, tz) = (Vec3A::splat(t.x), Vec3A::splat(t.y), Vec3A::splat(t.z));
        // Rows of the turn: row i holds the entries (i, 0), (i, 1), (i, 2).
        let rows = turn.transpose();
        let (r0, r1, r2) = (rows.x_axis, rows.y_axis, rows.z_axis);
        let (s0, s1, s2) = (r0.abs(), r1.abs(), r2.abs());
        let others = |s: Vec3A| {
            // For column j: b of the next axis times s of the one after, and the other way round.
            Vec3A::new(b1, b2, b0) * Vec3A::new(s.z, s.x, s.y)
                + Vec3A::new(b2, b0, b1) * Vec3A::new(s.y, s.z, s.x)
        };
        let x = (tz * r1 - ty * r2).abs() - (s2 * a1 + s1 * a2 + others(s0));
        let y = (tx * r2 - tz * r0).abs() - (s2 * a0 + s0 * a2 + others(s1));
        let z = (ty * r0 - tx * r1).abs() - (s1 * a0 + s0 * a1 + others(s2));
        x.max(y).max(z).cmpgt(margin).any()
    }

    /// The fraction of the second's way before which no axis lets them touch.
    fn entry(&self, translation: Vec3A, margin: f32) -> f32 {
        let Self { offset: t, turn, first: a, second: b } = self;
        let size = Mat3A::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
        // The effect of rounding on a speed.
        let slack = translation.abs().element_sum() * (ROUNDING + f32::MIN_POSITIVE);
        let mut passage = Passage { enter: 0.0, leave: f32::INFINITY, margin, slack };
        passage.clip(*t, *a + size * *b, translation);
        passage.clip(turn.transpose() * *t, size.transpose() * *a + *b, turn.transpose() * translation);
        for (i, [a1, a2]) in [[a.y, a.z], [a.z, a.x], [a.x, a.y]].into_iter().enumerate() {
            // e_i × column j, for all j: rows i+1 and i+2 of the turn.
            let rows = turn.transpose();
            let rows = [rows.x_axis, rows.y_axis, rows.z_axis];
            let (own, next, after) = (rows[i].abs(), rows[(i + 1) % 3], rows[(i + 2) % 3]);
            let along = |v: Vec3A| next * v[(i + 2) % 3] - after * v[(i + 1) % 3];
            let [b0, b1, b2] = b.to_array();
            let other = Vec3A::new(b1, b2, b0) * Vec3A::new(own.z, own.x, own.y)
                + Vec3A::new(b2, b0, b1) * Vec3A::new(own.y, own.z, own.x);
            passage.clip(along(*t), after.abs() * a1 + next.abs() * a2 + other, along(translation));
        }
        if passage.enter > passage.leave * (1.0 + ROUNDING) {
            f32::INFINITY
        } else {
            passage.enter * (1.0 - ROUNDING)
        }
    }

    /// How far apart they are along the axes of either, and where the second lies along its own.
    fn gaps(&self, margin: f32) -> (Vec3A, [Vec3A; 2]) {
        let Self { offset: t, turn, first: a, second: b } = self;
        let size = Mat3A::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
        let margin = Vec3A::splat(margin);
        let ahead = turn.transpose() * *t;
        let one = t.abs() - (*a + size * *b) - margin;
        let other = ahead.abs() - (size.transpose() * *a + *b) - margin;
        (ahead, [one, other])
    }

    /// How far apart they are at least: the boxes around both along the axes of the first, and of the second.
    fn gap(&self, margin: f32) -> f64 {
        let (_, [one, other]) = self.gaps(margin);
        let length = |gap: Vec3A| {
            let gap = Vec3A::select(gap.cmpgt(Vec3A::ZERO), gap, Vec3A::ZERO).as_dvec3();
            sqrt(gap.length_squared())
        };
        // Axes are of length one to within 2⁻²¹, and the margin is as much of the whole; the product of both
        // is allowed for here.
        let length = length(one).max(length(other)) * (1.0 - 1.0 / (1u64 << 18) as f64);
        if length.is_finite() { length } else { 0.0 }
    }
}

/// 2⁻¹⁸, as for the margin.
const ROUNDING: f32 = 1.0 / (1u32 << 18) as f32;

/// From when to when intervals on all axes overlap.
struct Passage {
    enter: f32,
    leave: f32,
    margin: f32,
    slack: f32,
}

impl Passage {
    /// Three axes at once: where the second's middle is, how far both reach together, and how fast the second
    /// is.
    #[inline(always)]
    fn clip(&mut self, at: Vec3A, reach: Vec3A, speed: Vec3A) {
        let reach = reach + Vec3A::splat(self.margin);
        for i in 0..3 {
            let (at, speed) = if speed[i] < 0.0 { (-at[i], -speed[i]) } else { (at[i], speed[i]) };
            // Moving up: from below it enters, above it leaves. A NaN clips nothing.
            let gap = -at - reach[i];
            if gap > 0.0 {
                let enter = gap / (speed + self.slack);
                if enter > self.enter {
                    self.enter = enter;
                }
            }
            let left = reach[i] - at;
            let slow = speed - self.slack;
            if left < 0.0 && slow >= 0.0 {
                self.leave = -1.0;
            } else if slow > 0.0 {
                let leave = left / slow;
                if leave < self.leave {
                    self.leave = leave;
                }
            }
        }
    }
}

impl MeshVolume for PackedAabb {
    fn around_triangles(triangles: &[[Vec3; 3]]) -> Self {
        let corners = || triangles.iter().flatten();
        let min = corners().copied().reduce(Vec3::min).unwrap_or(Vec3::ZERO);
        let max = corners().copied().reduce(Vec3::max).unwrap_or(Vec3::ZERO);
        Self::new(min, max).expect("corners of a mesh are finite, and min is below max")
    }

    #[inline(always)]
    fn may_meet(&self, other: &Self, between: &Between) -> bool {
        let [lower, upper] = between.bounds(other.lower(), other.upper());
        !(lower.cmpgt(self.upper()).any() || upper.cmplt(self.lower()).any())
    }

    fn gap(&self, other: &Self, between: &Between) -> f64 {
        box_gap([self.lower(), self.upper()], between.bounds(other.lower(), other.upper()))
    }
}

impl MeshVolume for BoundingSphere {
    fn around_triangles(triangles: &[[Vec3; 3]]) -> Self {
        Self::around_points(triangles.as_flattened())
            .unwrap_or(Self::new(Vec3::ZERO, 0.0).expect("zero is finite"))
    }

    #[inline(always)]
    fn may_meet(&self, other: &Self, between: &Between) -> bool {
        let gap = self.gap(other, between);
        // A NaN is kept.
        gap <= 0.0 || gap.is_nan()
    }

    fn gap(&self, other: &Self, between: &Between) -> f64 {
        let center = between.place(other.center().as_dvec3());
        let apart = center - self.center().as_dvec3();
        let radii = f64::from(self.radius()) + f64::from(other.radius()) * between.scale;
        let distance = sqrt(apart.length_squared());
        // 64 roundings of all that was added up.
        let rounding = 64.0 * f64::EPSILON * (distance + radii + center.abs().max_element());
        let gap = distance - radii - rounding;
        if gap > 0.0 && gap.is_finite() { gap } else { 0.0 }
    }

    fn support(&self, along: DVec3) -> f64 {
        let reach = f64::from(self.radius()) * sqrt(along.length_squared());
        self.center().as_dvec3().dot(along) + reach
    }

    fn reach_from(&self, center: DVec3) -> f64 {
        let offset = self.center().as_dvec3() - center;
        (sqrt(offset.length_squared()) + f64::from(self.radius())) * (1.0 + 4.0 * f64::EPSILON)
    }
}
