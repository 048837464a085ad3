//! Node transforms, composed in f64.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::schema::Node;
use crate::assembly::Similarity;
use crate::error::{LoadError, Location};

/// Where a node is, and whether it is a mirror image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Transform {
    pub(crate) affine: DAffine3,
    /// An odd number of reflections: outside is where the corners run clockwise.
    pub(crate) mirrored: bool,
}

impl Transform {
    pub(crate) const IDENTITY: Self = Self { affine: DAffine3::IDENTITY, mirrored: false };

    /// Of a node alone.
    pub(crate) fn of(node: &Node, index: usize) -> Result<Self, LoadError> {
        match &node.matrix {
            Some(matrix) => from_matrix(matrix).ok_or_else(|| {
                let found = format!("{:?}", [matrix[3], matrix[7], matrix[11], matrix[15]]);
                let at = Location::Part(format!("nodes[{index}].matrix"));
                LoadError::malformed(at, "0, 0, 0, 1 as its last row", found.as_bytes())
            }),
            None => from_parts(node).ok_or_else(|| {
                let at = Location::Part(format!("nodes[{index}].rotation"));
                LoadError::malformed(at, "a quaternion that is not zero", b"0, 0, 0, 0")
            }),
        }
    }

    /// Position, rotation and scale, if it keeps angles and does not mirror, to within the rounding of
    /// numbers that were written for f32.
    pub(crate) fn similarity(&self) -> Option<Similarity> {
        const OFF: f64 = 1.0 / (1u32 << 20) as f64;
        let axes = self.affine.matrix3;
        let lengths = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::length);
        let [x, y, z] = lengths;
        let is_even = (x - y).abs() <= OFF * x && (x - z).abs() <= OFF * x;
        let angles =
            [axes.x_axis.dot(axes.y_axis), axes.y_axis.dot(axes.z_axis), axes.z_axis.dot(axes.x_axis)];
        let is_square = angles.iter().all(|angle| angle.abs() <= OFF * x * x);
        // False of NaN.
        if self.mirrored || !(x > 0.0 && x < f64::INFINITY && is_even && is_square) {
            return None;
        }
        let rotation = DQuat::from_mat3(&DMat3::from_cols(axes.x_axis / x, axes.y_axis / y, axes.z_axis / z));
        Some(Similarity { position: self.affine.translation, rotation, scale: x })
    }

    /// Of a node within another.
    pub(crate) fn then(&self, child: &Self) -> Self {
        Self { affine: self.affine * child.affine, mirrored: self.mirrored != child.mirrored }
    }
}

/// `None` if it is no affine map.
fn from_matrix(m: &[f64; 16]) -> Option<Transform> {
    if m[3] != 0.0 || m[7] != 0.0 || m[11] != 0.0 || m[15] == 0.0 {
        return None;
    }
    // The last number is 1, or nearly so in files that went through an inverse.
    let columns = [0, 4, 8, 12].map(|at| DVec3::new(m[at], m[at + 1], m[at + 2]) / m[15]);
    let axes = DMat3::from_cols(columns[0], columns[1], columns[2]);
    // The sign alone is wanted: of columns near 1 in size, so that it neither overflows nor vanishes.
    let near_one = |column: DVec3| {
        let largest = column.abs().max_element();
        if largest > 0.0 { column / largest } else { column }
    };
    let [x, y, z] = [columns[0], columns[1], columns[2]].map(near_one);
    Some(Transform {
        affine: DAffine3 { matrix3: axes, translation: columns[3] },
        mirrored: x.cross(y).dot(z) < 0.0,
    })
}

/// Translation after rotation after scale. `None` if the rotation is no rotation.
fn from_parts(node: &Node) -> Option<Transform> {
    let scale = node.scale.unwrap_or([1.0; 3]);
    let axes = match node.rotation {
        Some(rotation) => rotated(rotation)?,
        None => DMat3::IDENTITY,
    };
    Some(Transform {
        affine: DAffine3 {
            matrix3: DMat3::from_cols(axes.x_axis * scale[0], axes.y_axis * scale[1], axes.z_axis * scale[2]),
            translation: node.translation.unwrap_or_default().into(),
        },
        mirrored: scale.iter().filter(|&&s| s < 0.0).count() % 2 == 1,
    })
}

/// The rotation of a quaternion of any length: exporters write digits enough for f32 only, and a quaternion
/// that is a little too short would make the level a little too small.
fn rotated(quaternion: [f64; 4]) -> Option<DMat3> {
    let largest = quaternion.iter().fold(0.0_f64, |largest, component| largest.max(component.abs()));
    if largest == 0.0 {
        return None;
    }
    let [x, y, z, w] = quaternion.map(|component| component / largest);
    let twice = 2.0 / (x * x + y * y + z * z + w * w);
    let (tx, ty, tz) = (x * twice, y * twice, z * twice);
    Some(DMat3::from_cols(
        DVec3::new(1.0 - (y * ty + z * tz), x * ty + w * tz, x * tz - w * ty),
        DVec3::new(x * ty - w * tz, 1.0 - (x * tx + z * tz), y * tz + w * tx),
        DVec3::new(x * tz + w * ty, y * tz - w * tx, 1.0 - (x * tx + y * ty)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(json: &str) -> Result<Transform, LoadError> {
        Transform::of(&serde_json::from_str(json).unwrap(), 7)
    }

    fn moved(json: &str, point: [f64; 3]) -> DVec3 {
        node(json).unwrap().affine.transform_point3(point.into())
    }

    #[test]
    fn scale_then_rotation_then_translation() {
        // A quarter turn about z takes x to y.
        let json = r#"{"translation":[10,0,0],"rotation":[0,0,1,1],"scale":[2,3,4]}"#;
        assert_eq!(moved(json, [1.0, 1.0, 1.0]), DVec3::new(7.0, 2.0, 4.0));
        assert_eq!(moved("{}", [0.1, 0.2, 0.3]), DVec3::new(0.1, 0.2, 0.3));
    }

    #[test]
    fn a_rotation_keeps_lengths_whatever_its_own() {
        for length in [1.0, 0.999_999_9, 3.0, 1e-200, 1e200] {
            let [x, y, z, w] = [0.2, -0.5, 0.4, 0.7].map(|component| component * length);
            let point = moved(&format!("{{\"rotation\":[{x},{y},{z},{w}]}}"), [1.0, 2.0, 3.0]);
            assert!((point.length_squared() - 14.0).abs() < 14.0 * 8.0 * f64::EPSILON, "{length}: {point}");
        }
        assert_eq!(
            node(r#"{"rotation":[0,0,0,0]}"#).unwrap_err().to_string(),
            "nodes[7].rotation: expected a quaternion that is not zero, found `0, 0, 0, 0`"
        );
    }

    #[test]
    fn a_matrix_is_columns_and_affine() {
        let json = r#"{"matrix":[0,1,0,0, -1,0,0,0, 0,0,1,0, 5,6,7,1]}"#;
        assert_eq!(moved(json, [1.0, 2.0, 3.0]), DVec3::new(3.0, 7.0, 10.0));
        let halved = r#"{"matrix":[2,0,0,0, 0,2,0,0, 0,0,2,0, 2,4,6,2]}"#;
        assert_eq!(moved(halved, [1.0, 1.0, 1.0]), DVec3::new(2.0, 3.0, 4.0));
        for row in ["1,0,0,1", "0,1,0,1", "0,0,1,1", "0,0,0,0"] {
            let [a, b, c, d] = [0, 2, 4, 6].map(|at| &row[at..=at]);
            let error =
                node(&format!("{{\"matrix\":[1,0,0,{a},0,1,0,{b},0,0,1,{c},0,0,0,{d}]}}")).unwrap_err();
            assert!(
                error.to_string().starts_with("nodes[7].matrix: expected 0, 0, 0, 1 as its last row"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_mirror_is_told_from_its_signs_at_any_size() {
        for (json, mirrored) in [
            (r#"{"scale":[-1,1,1]}"#, true),
            (r#"{"scale":[-1,-1,1]}"#, false),
            (r#"{"scale":[-1e-200,1e-200,1e-200]}"#, true),
            (r#"{"scale":[-1,-1,-1],"rotation":[1,2,3,4]}"#, true),
            (r#"{"matrix":[1e-200,0,0,0, 0,0,1e-200,0, 0,1e-200,0,0, 0,0,0,1]}"#, true),
            (r#"{"matrix":[1e200,0,0,0, 0,1e200,0,0, 0,0,1e200,0, 0,0,0,1]}"#, false),
            (r#"{"matrix":[0,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}"#, false),
        ] {
            assert_eq!(node(json).unwrap().mirrored, mirrored, "{json}");
        }
        let mirror = node(r#"{"scale":[1,-1,1]}"#).unwrap();
        assert!(Transform::IDENTITY.then(&mirror).mirrored && mirror.then(&Transform::IDENTITY).mirrored);
        assert!(!mirror.then(&mirror).mirrored);
    }
}
