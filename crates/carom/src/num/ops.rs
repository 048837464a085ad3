//! The only place that calls libm, so that every platform gives the same bits.
//!
//! `+ − × ÷ √` are exact to half an ulp everywhere and decide everything; what is here besides the square
//! root sets poses up (rotations from angles, interpolation) and never decides a contact.

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

/// The angle of which `x` is the cosine, in radians; `x` is clamped to [−1, 1].
pub fn acos(x: f64) -> f64 {
    libm::acos(x.clamp(-1.0, 1.0))
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

/// The rotation a share `t` of the way from `a` to `b`, the short way round, at constant angular speed.
pub fn slerp(a: DQuat, b: DQuat, t: f64) -> DQuat {
    let cosine = a.dot(b);
    let (b, cosine) = if cosine < 0.0 { (-b, -cosine) } else { (b, cosine) };
    // Nearer than this the two sines below would lose the digits that the straight line still has (error θ²/8
    // < 2⁻⁵³).
    let blend = if cosine > 1.0 - 1.0 / (1u64 << 50) as f64 {
        a * (1.0 - t) + b * t
    } else {
        let angle = acos(cosine);
        a * sin((1.0 - t) * angle) + b * sin(t * angle)
    };
    let length = sqrt(blend.dot(blend));
    if length > 0.0 { blend / length } else { a }
}
