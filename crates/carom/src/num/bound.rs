//! Rounding bounds: by how much a computed length may be off, and when a motion counts as an approach.
//!
//! Source: the standard model of floating point, fl(x ∘ y) = (x ∘ y)(1 + e), |e| ≤ [`UNIT_ROUNDOFF`];
//! `docs/numbers.md` adds the terms up. No constant here is a length: every bound is a small multiple of the
//! unit roundoff times a length of the query. So a scene scaled by 2ᵏ has its bounds scaled by 2ᵏ.

use core::hint::select_unpredictable;

use glam::{DVec3, Vec3};

use super::ops::sqrt;

/// Half the distance from 1 to the next f64: the largest relative error of one rounded operation.
pub const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// A motion approaches a surface when it goes against the normal by more than this share of its length.
///
/// A computed normal (at worst of an ellipsoid on a turned body) and its product with the motion are accurate
/// to about 30 unit roundoffs. A motion slower than twice that cannot be told from sliding along the surface.
pub const APPROACH: f64 = 64.0 * UNIT_ROUNDOFF;

/// How many rounding bounds ahead of the exact contact a mover is stopped.
///
/// One covers the rounding of the kernel, and one that of the position which the caller computes from the
/// fraction. The other two keep a mover at rest farther off than the rounding of the next kernel.
pub const STANDOFF: f64 = 4.0;

/// The sum of the absolute values: never below the length, at most √3 times it, and without a root.
#[inline(always)]
pub fn reach(v: DVec3) -> f64 {
    v.x.abs() + v.y.abs() + v.z.abs()
}

/// The length of a vector, and its direction, which is zero for the zero vector. Accurate even where the
/// squares of the components underflow.
#[inline(always)]
pub fn length_and_direction(v: DVec3) -> (f64, DVec3) {
    let squared = v.length_squared();
    if squared > f64::MIN_POSITIVE / f64::EPSILON {
        let length = sqrt(squared);
        return (length, v / length);
    }
    tiny_length_and_direction(v)
}

#[cold]
fn tiny_length_and_direction(v: DVec3) -> (f64, DVec3) {
    let largest = v.abs().max_element();
    if largest == 0.0 {
        return (0.0, DVec3::ZERO);
    }
    let share = v / largest;
    let length = sqrt(share.length_squared());
    (largest * length, share / length)
}

/// The rounding error of the position `from + t·translation`, as a caller computes it.
#[inline(always)]
pub fn position_rounding(from: DVec3, translation: DVec3) -> f64 {
    UNIT_ROUNDOFF * (reach(from) + 2.0 * reach(translation))
}

/// The factor 2ᵏ that brings `largest` near 1 if fourth powers could leave the range of f64, else 1.
///
/// For lengths from 2⁻¹⁰⁰ to 2¹⁰⁰ it is 1. Scaling by a power of two rounds nothing, so the answer keeps its
/// bits.
#[inline(always)]
pub fn rescale(largest: f64) -> f64 {
    const HIGH: f64 = (1u128 << 100) as f64;
    const LOW: f64 = 1.0 / HIGH;
    if (LOW..=HIGH).contains(&largest) || largest == 0.0 || !largest.is_finite() {
        return 1.0;
    }
    // The exponent straight from the bits; a subnormal counts as the smallest normal, which is near enough.
    let exponent = ((largest.to_bits() >> 52) & 0x7ff) as i64 - 1023;
    // 2⁻ᵉ, kept among the normal numbers: at the far ends the rest of a factor of 2 or so is well inside the
    // safe range.
    f64::from_bits(((1023 - exponent.clamp(-1000, 1000)) as u64) << 52)
}

/// The greatest f32 that is not above `v`, by component.
pub(crate) fn f32_below(v: DVec3) -> Vec3 {
    let down = |x: f64| {
        let near = x as f32;
        // One bit less, or of what is below zero one more: what is above `x` is not +0.
        let bits = near.to_bits() as i32;
        let next = bits - (bits >> 31 | 1);
        // Half of them are above `x`, and no predictor can guess which.
        f32::from_bits(select_unpredictable(f64::from(near) > x, next, bits) as u32)
    };
    Vec3::new(down(v.x), down(v.y), down(v.z))
}

/// The least f32 that is not below `v`, by component.
pub(crate) fn f32_above(v: DVec3) -> Vec3 {
    -f32_below(-v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_in_f32_is_on_the_same_side_of_a_bound_and_of_what_is_made_of_it() {
        let tiny = f64::from(f32::from_bits(1));
        let ends = [0.0, -0.0, tiny, -tiny, 0.5 * tiny, -0.5 * tiny, f64::MIN_POSITIVE, f64::MAX, f64::MIN];
        let others = [
            0.1,
            1.0,
            -0.1,
            1e-46,
            -1e-46,
            1e-40,
            -1e-40,
            3.5e38,
            -3.5e38,
            1e300,
            16_777_217.0,
            -16_777_219.0,
        ];
        for bound in ends.into_iter().chain(others) {
            let (least, most) = (f32_above(DVec3::splat(bound)).x, f32_below(DVec3::splat(bound)).x);
            let near = bound as f32;
            for x in [near, near.next_up(), near.next_down(), f32::MAX, f32::MIN, 0.0, -0.0, 7.0] {
                assert_eq!(x >= least, f64::from(x) >= bound, "{x} {bound}");
                assert_eq!(x <= most, f64::from(x) <= bound, "{x} {bound}");
            }
        }
        assert_eq!(f32_below(DVec3::new(1.0, 2.5, -3.0)), Vec3::new(1.0, 2.5, -3.0));
    }

    #[test]
    fn a_rescaled_length_is_near_one_and_the_factor_is_a_power_of_two() {
        for x in [1e-320, f64::MIN_POSITIVE, 1e-200, 3.0e-31, 1e31, 7e200, f64::MAX] {
            let k = rescale(x);
            assert_eq!(k.to_bits() & ((1 << 52) - 1), 0);
            let y = x * k;
            assert!(y > 1e-24 && y < 1e9, "{x} → {y}");
        }
    }

    #[test]
    fn everyday_lengths_are_left_alone() {
        for x in [0.0, 1e-6, 1.0, 1e12, f64::INFINITY, f64::NAN] {
            assert_eq!(rescale(x), 1.0);
        }
    }
}
