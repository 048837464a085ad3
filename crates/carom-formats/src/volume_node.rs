//! Nodes that are volumes: their names begin with `carom_kill`, `carom_water` and so on. They are not part of
//! the solid level.
//!
//! A volume is the box of its node's mesh in the node's own axes, so a scaled and rotated cube is exact. A
//! node without a mesh is a cube of 2 m in its own axes, as editors draw empty nodes. A teleporter's target
//! is its child `carom_to`, or `to` in its extras (glTF) or properties (FBX). A push has `velocity` there.
//! Both are in the file's frame and unit.

use glam::DVec3;

use crate::error::{LoadError, Location};
use crate::extents::Extents;
use crate::transform::Transform;
use crate::volume::{Convex, HalfSpace, VolumeKind};

/// The word after `carom_` in the name of a node that is a volume.
pub(crate) fn word(name: &str) -> Option<&'static str> {
    let rest = name.strip_prefix("carom_")?;
    ["kill", "ignore", "bounds", "teleport", "push", "ladder", "water"]
        .into_iter()
        .find(|word| rest.starts_with(word))
}

/// Whether a node is where its parent, a teleporter, leads to.
pub(crate) fn is_target(name: &str) -> bool {
    name.starts_with("carom_to")
}

/// The kind of volume of such a node; `target` and `extra` are in the level's frame.
pub(crate) fn kind(
    word: &str,
    at: Location,
    target: Option<DVec3>,
    extra: impl Fn(&str) -> Option<DVec3>,
) -> Result<VolumeKind, LoadError> {
    let finite = |vector: &DVec3| vector.is_finite();
    Ok(match word {
        "kill" => VolumeKind::Kill,
        "ignore" => VolumeKind::Ignore,
        "bounds" => VolumeKind::Bounds,
        "ladder" => VolumeKind::Ladder,
        "water" => VolumeKind::Water,
        "teleport" => match target.or_else(|| extra("to")).filter(finite) {
            Some(to) => VolumeKind::Teleport { to },
            None => {
                let expected = "a child `carom_to` or `extras.to`, three numbers: where it leads";
                return Err(LoadError::malformed(at, expected, b""));
            }
        },
        _ => match extra("velocity").filter(finite) {
            Some(velocity) => VolumeKind::Push { velocity },
            None => {
                let expected = "`extras.velocity`, three numbers: how it pushes";
                return Err(LoadError::malformed(at, expected, b""));
            }
        },
    })
}

/// The box between two corners in a node's axes, as it lies in the level; `None` if it has no two sides or is
/// not finite.
pub(crate) fn piece(
    Extents { low, high }: Extents,
    transform: &Transform,
    mapped: impl Fn(DVec3) -> DVec3,
) -> Option<Convex> {
    let middle = mapped(transform.affine.transform_point3(0.5 * (low + high)));
    let half = 0.5 * (high - low);
    let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| mapped(transform.affine.transform_vector3(axis)));
    let mut planes = Vec::with_capacity(6);
    for i in 0..3 {
        let normal = axes[(i + 1) % 3].cross(axes[(i + 2) % 3]).try_normalize()?;
        let reach = (half[i] * normal.dot(axes[i])).abs();
        planes.push(HalfSpace { normal, offset: normal.dot(middle) + reach });
        planes.push(HalfSpace { normal: -normal, offset: -normal.dot(middle) + reach });
    }
    Convex::from_planes(planes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_a_volume_is() {
        assert_eq!(word("carom_kill.001"), Some("kill"));
        assert_eq!(word("carom_water_pool"), Some("water"));
        assert_eq!((word("carom_spawn"), word("kill"), word("my_carom_kill")), (None, None, None));
    }

    #[test]
    fn a_turned_box_holds_what_it_holds() {
        let turn = glam::DAffine3::from_rotation_y(core::f64::consts::FRAC_PI_4);
        let transform = Transform { affine: turn, mirrored: false };
        let piece = piece(Extents { low: DVec3::NEG_ONE, high: DVec3::ONE }, &transform, |p| p).unwrap();
        assert!(piece.contains(DVec3::new(1.4, 0.0, 0.0)) && !piece.contains(DVec3::new(1.4, 0.0, 0.2)));
    }
}
