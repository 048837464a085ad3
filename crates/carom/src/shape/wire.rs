//! Shapes on the wire: their plain numbers. Reading goes through the same checks as construction, and what
//! was written is read back to the bit.

use alloc::vec::Vec;

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::ShapeError;

macro_rules! wire {
    ($name:ident { $($field:ident: $type:ty),* }, $shape:ident => $write:expr, $raw:ident => $read:expr) => {
        #[derive(Serialize, Deserialize)]
        pub(super) struct $name { $($field: $type),* }

        impl From<super::$name> for $name {
            fn from($shape: super::$name) -> Self {
                $write
            }
        }

        impl TryFrom<$name> for super::$name {
            type Error = ShapeError;

            fn try_from($raw: $name) -> Result<Self, ShapeError> {
                $read
            }
        }
    };
}

wire!(Sphere { radius: f64 },
    s => Self { radius: s.radius() },
    raw => Self::new(raw.radius));
wire!(Ellipsoid { radii: DVec3, rotation: DQuat },
    s => Self { radii: s.radii(), rotation: s.rotation() },
    raw => Self::new(raw.radii)?.with_rotation(raw.rotation));
wire!(Capsule { radius: f64, half_height: f64, rotation: DQuat },
    s => Self { radius: s.radius(), half_height: s.half_height(), rotation: s.rotation() },
    raw => Self::new(raw.radius, raw.half_height)?.with_rotation(raw.rotation));
wire!(Cuboid { half_extents: DVec3, rotation: DQuat },
    s => Self { half_extents: s.half_extents(), rotation: s.rotation() },
    raw => Self::new(raw.half_extents)?.with_rotation(raw.rotation));
wire!(Cylinder { radius: f64, half_height: f64, rotation: DQuat },
    s => Self { radius: s.radius(), half_height: s.half_height(), rotation: s.rotation() },
    raw => Self::new(raw.radius, raw.half_height)?.with_rotation(raw.rotation));
wire!(Cone { radius: f64, half_height: f64, rotation: DQuat },
    s => Self { radius: s.radius(), half_height: s.half_height(), rotation: s.rotation() },
    raw => Self::new(raw.radius, raw.half_height)?.with_rotation(raw.rotation));
wire!(Aabb { min: DVec3, max: DVec3 },
    s => Self { min: s.min(), max: s.max() },
    raw => Self::new(raw.min, raw.max));
wire!(Plane { normal: DVec3, distance: f64 },
    s => Self { normal: s.normal(), distance: s.distance() },
    raw => Self::at_distance(raw.normal, raw.distance));
wire!(Segment { a: DVec3, b: DVec3 },
    s => Self { a: s.a(), b: s.b() },
    raw => Self::new(raw.a, raw.b));
wire!(Triangle { corners: [DVec3; 3] },
    s => Self { corners: s.corners() },
    raw => Self::new(raw.corners[0], raw.corners[1], raw.corners[2]));
wire!(ConvexPolygon { vertices: Vec<DVec3> },
    s => Self { vertices: s.vertices().to_vec() },
    raw => Self::new(raw.vertices));
