//! Shapes of movers and bodies.

use carom::glam::{DQuat, dvec3};
use carom::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use wasm_bindgen::prelude::*;

use crate::error::bad_value;

/// A shape about its own center.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub struct RawShape(pub(crate) Mover);

#[wasm_bindgen]
impl RawShape {
    /// `kind`: 0 a point, 1 a sphere (radius), 2 an ellipsoid (radii), 3 a capsule (radius, half height of
    /// the cylinder, along y), 4 a cuboid (half extents). `a`, `b`, `c`: these numbers, in meters; then the
    /// rotation.
    ///
    /// # Errors
    /// A number out of its range.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::too_many_arguments, reason = "numbers cross the border one by one, without allocating")]
    pub fn new(
        kind: u8,
        a: f64,
        b: f64,
        c: f64,
        qx: f64,
        qy: f64,
        qz: f64,
        qw: f64,
    ) -> Result<RawShape, JsValue> {
        let rotation = DQuat::from_xyzw(qx, qy, qz, qw);
        let shape = match kind {
            0 => Ok(Mover::Point),
            1 => Sphere::new(a).map(Mover::from),
            2 => Ellipsoid::new(dvec3(a, b, c)).and_then(|e| e.with_rotation(rotation)).map(Mover::from),
            3 => Capsule::new(a, b).and_then(|c| c.with_rotation(rotation)).map(Mover::from),
            4 => Cuboid::new(dvec3(a, b, c)).and_then(|c| c.with_rotation(rotation)).map(Mover::from),
            _ => return Err(bad_value("there is no such kind of shape")),
        };
        shape.map(RawShape).map_err(bad_value)
    }
}
