//! The transform of a scene node, composed in f64.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use crate::assembly::Similarity;

/// Where a node is, and whether it is a mirror image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Transform {
    pub(crate) affine: DAffine3,
    /// An odd number of reflections: outside is where the corners run clockwise.
    pub(crate) mirrored: bool,
}

impl Transform {
    pub(crate) const IDENTITY: Self = Self { affine: DAffine3::IDENTITY, mirrored: false };

    /// Of a map with any columns.
    pub(crate) fn of(affine: DAffine3) -> Self {
        // The sign alone is wanted: of columns near 1 in size, so that it neither overflows nor vanishes.
        let near_one = |column: DVec3| {
            let largest = column.abs().max_element();
            if largest > 0.0 { column / largest } else { column }
        };
        let axes = affine.matrix3;
        let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis].map(near_one);
        Self { affine, mirrored: x.cross(y).dot(z) < 0.0 }
    }

    /// Its axes at length 1, if it keeps angles, to within the rounding of numbers that were written for f32.
    pub(crate) fn square_axes(&self) -> Option<DMat3> {
        const OFF: f64 = 1.0 / (1u32 << 20) as f64;
        let axes = self.affine.matrix3;
        let lengths = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::length);
        let [x, y, z] = lengths;
        let is_even = (x - y).abs() <= OFF * x && (x - z).abs() <= OFF * x;
        let angles =
            [axes.x_axis.dot(axes.y_axis), axes.y_axis.dot(axes.z_axis), axes.z_axis.dot(axes.x_axis)];
        let is_square = angles.iter().all(|angle| angle.abs() <= OFF * x * x);
        // False of NaN.
        let is_similar = x > 0.0 && x < f64::INFINITY && is_even && is_square;
        is_similar.then(|| DMat3::from_cols(axes.x_axis / x, axes.y_axis / y, axes.z_axis / z))
    }

    /// Position, rotation and scale, if it keeps angles and does not mirror.
    pub(crate) fn similarity(&self) -> Option<Similarity> {
        let axes = self.square_axes().filter(|_| !self.mirrored)?;
        let scale = self.affine.matrix3.x_axis.length();
        Some(Similarity { position: self.affine.translation, rotation: DQuat::from_mat3(&axes), scale })
    }

    /// Of a node within another.
    pub(crate) fn then(&self, child: &Self) -> Self {
        Self { affine: self.affine * child.affine, mirrored: self.mirrored != child.mirrored }
    }
}
