//! The only place that calls libm, so that every platform gives the same bits.
//!
//! Contacts are decided by `+ − × ÷ √` alone, which every platform rounds correctly. The other functions here
//! only set up poses (rotations from angles).

use glam::{DQuat, DVec3};

/// Square root, correctly rounded.
#[inline(always)]
pub fn sqrt(x: f64) -> f64 {
    #[cfg(feature = "std")]
    {
        #[expect(clippy::disallowed_methods, reason = "this is the door: correctly rounded on every target")]
        x.sqrt()
    }
    #[cfg(not(feature = "std"))]
    {
        libm::sqrt(x)
    }
}

/// The larger of two numbers, in one instruction; the first where one is NaN.
#[inline(always)]
pub fn larger(first: f64, second: f64) -> f64 {
    if second > first { second } else { first }
}

/// The smaller of two numbers, in one instruction; the first where one is NaN.
#[inline(always)]
pub fn smaller(first: f64, second: f64) -> f64 {
    if second < first { second } else { first }
}

/// Sine of an angle in radians.
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Cosine of an angle in radians.
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Sine and cosine of an angle in radians.
pub fn sin_cos(x: f64) -> (f64, f64) {
    (libm::sin(x), libm::cos(x))
}

/// The angle of the vector (x, y) to the x axis, in radians, −π … π.
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// The rotation by `angle` radians about `axis`, right-handed. An axis of no length gives no rotation.
pub fn rotation_about(axis: DVec3, angle: f64) -> DQuat {
    let length = sqrt(axis.length_squared());
    if length > 0.0 && length.is_finite() {
        let (sin, cos) = sin_cos(0.5 * angle);
        let v = axis * (sin / length);
        DQuat::from_xyzw(v.x, v.y, v.z, cos)
    } else {
        DQuat::IDENTITY
    }
}
