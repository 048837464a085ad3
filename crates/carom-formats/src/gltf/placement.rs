//! The transform that a glTF node states.

use glam::{DAffine3, DMat3, DVec3};

use super::schema::Node;
use crate::error::{LoadError, Location};
use crate::transform::Transform;

/// Where a node is within its parent.
pub(super) fn of(node: &Node, index: usize) -> Result<Transform, LoadError> {
    match &node.matrix {
        Some(matrix) => from_matrix(matrix).ok_or_else(|| {
            let found = format!("{:?}", [matrix[3], matrix[7], matrix[11], matrix[15]]);
            let at = Location::Part(format!("nodes[{index}].matrix"));
            LoadError::malformed(at, "0, 0, 0, 1 as its last row", found.as_bytes())
        }),
        None => from_parts(&Parts::of(node)).ok_or_else(|| {
            let at = Location::Part(format!("nodes[{index}].rotation"));
            LoadError::malformed(at, "a quaternion that is not zero", b"0, 0, 0, 0")
        }),
    }
}

/// The parts of a node's transform.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub(super) translation: [f64; 3],
    /// x, y, z, w.
    pub(super) rotation: Option<[f64; 4]>,
    pub(super) scale: [f64; 3],
}

impl Parts {
    /// Of a node without a matrix.
    pub(super) fn of(node: &Node) -> Self {
        Self {
            translation: node.translation.unwrap_or_default(),
            rotation: node.rotation,
            scale: node.scale.unwrap_or([1.0; 3]),
        }
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
    Some(Transform::of(DAffine3 { matrix3: axes, translation: columns[3] }))
}

/// Translation after rotation after scale. `None` if the rotation is no rotation.
pub(super) fn from_parts(parts: &Parts) -> Option<Transform> {
    let scale = parts.scale;
    let axes = match parts.rotation {
        Some(rotation) => rotated(rotation)?,
        None => DMat3::IDENTITY,
    };
    Some(Transform {
        affine: DAffine3 {
            matrix3: DMat3::from_cols(axes.x_axis * scale[0], axes.y_axis * scale[1], axes.z_axis * scale[2]),
            translation: parts.translation.into(),
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
        of(&serde_json::from_str(json).unwrap(), 7)
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
    fn the_signs_say_what_is_a_mirror_at_any_size() {
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
