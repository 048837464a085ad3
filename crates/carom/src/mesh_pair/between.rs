//! From the frame of the second of two meshes to that of the first.

use glam::{DMat3, DVec3, Mat3A, Vec3A};

use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::world::Pose;

/// The pose of the second of two meshes in the frame of the first.
#[derive(Clone, Copy, Debug)]
pub struct Between {
    /// Turned and scaled, and then moved.
    pub(super) axes: DMat3,
    pub(super) translation: DVec3,
    /// The length of one of the second's meters, in the first's.
    pub(super) scale: f64,
    /// Nothing is moved, and so nothing rounded.
    same: bool,
    /// The same without the scale, in f32, for culling.
    pub(super) turn: Mat3A,
    pub(super) offset: Vec3A,
    pub(super) scale32: f32,
    /// The error bound of culling in f32, in the first's meters; infinite where f32 is not to be trusted.
    pub(super) margin: f32,
}

/// 2⁻¹⁸: 64 roundings of f32. An entry of the matrix is off by 1, a turned center by 6, an entry of one box's
/// axes in the other's by 10, an extent along a product of two of these by 40, each relative to the
/// coordinates it is made of.
const ROUNDING: f64 = 1.0 / (1u64 << 18) as f64;

/// Beyond this, sums of squares and products of f32 could overflow.
const LARGEST: f64 = (1u128 << 100) as f64;

impl Between {
    /// `reaches` are bounds on the sums of absolute coordinates of either mesh in its own frame.
    pub(super) fn new(poses: [&Pose; 2], origins: [DVec3; 2], reaches: [f64; 2]) -> Self {
        let [first, second] = poses;
        let (axes, translation, scale) = if first == second {
            (DMat3::IDENTITY, origins[1] - origins[0], 1.0)
        } else {
            let scale = second.scale() / first.scale();
            let own = DMat3::from_quat(first.rotation()).transpose();
            let turn = if first.rotation() == second.rotation() {
                DMat3::IDENTITY
            } else {
                own * DMat3::from_quat(second.rotation())
            };
            let axes = turn * scale;
            let moved = own * (second.position() - first.position()) / first.scale();
            (axes, moved + axes * origins[1] - origins[0], scale)
        };
        let size = 2.0 * reaches[0] + 2.0 * scale * reaches[1] + reach(translation);
        let exact_in_f32 = size < LARGEST && (1.0 / LARGEST..LARGEST).contains(&scale);
        Self {
            axes,
            translation,
            scale,
            same: axes == DMat3::IDENTITY && translation == DVec3::ZERO,
            turn: (axes * (1.0 / scale)).as_mat3().into(),
            offset: translation.as_vec3().into(),
            scale32: scale as f32,
            // A smallest number more, for underflow.
            margin: if exact_in_f32 { (size * ROUNDING) as f32 + f32::MIN_POSITIVE } else { f32::INFINITY },
        }
    }

    /// A corner of the second mesh in the frame of the first, rounded once by this formula.
    #[inline(always)]
    pub(super) fn place(&self, corner: DVec3) -> DVec3 {
        if self.same { corner } else { self.axes * corner + self.translation }
    }

    /// The corners of the box in the first's frame around a box of the second's, grown by rounding.
    pub(super) fn bounds(&self, lower: DVec3, upper: DVec3) -> [DVec3; 2] {
        let (center, half) = (lower * 0.5 + upper * 0.5, upper * 0.5 - lower * 0.5);
        let middle = self.axes * center + self.translation;
        let half = self.axes.x_axis.abs() * half.x
            + self.axes.y_axis.abs() * half.y
            + self.axes.z_axis.abs() * half.z;
        let rounding =
            32.0 * UNIT_ROUNDOFF * (self.scale * reach(center) + reach(self.translation) + reach(half));
        let half = half + DVec3::splat(rounding);
        [middle - half, middle + half]
    }
}
