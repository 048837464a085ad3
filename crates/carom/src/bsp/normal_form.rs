//! Planes as integers without a common divisor, from points or from any integers.
//!
//! Idea: points with few digits are multiplied in 128 bits, others in integers of any length. Error: none.
//! Cost: a tenth of a microsecond for a divisor in 128 bits. It never gives up.

use dashu_int::ops::{Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};
use glam::DVec3;

use super::whole::{Whole, parts};

/// Coordinates below this, in units of the finest, keep the distance of a plane within 128 bits.
const SHORT: u32 = 40;

/// The plane through three finite points, and whether its normal is the negative of the normal on whose side
/// they are counterclockwise. `None` if they are in line.
pub(super) fn through(points: [DVec3; 3]) -> Option<(Whole, bool)> {
    let mut numbers = [(0i64, 0i32); 9];
    for (number, x) in numbers.iter_mut().zip(points.iter().flat_map(DVec3::to_array)) {
        *number = parts(x);
    }
    let lowest = numbers.iter().filter(|(m, _)| *m != 0).map(|(_, e)| *e).min()?;
    // In units of 2^lowest, and the shift that each takes.
    let numbers = numbers.map(|(m, e)| if m == 0 { (0, 0) } else { (m, (e - lowest) as u32) });
    let is_short =
        |(m, shift): &(i64, u32)| *m == 0 || 64 - m.unsigned_abs().leading_zeros() + shift <= SHORT;
    if numbers.iter().all(is_short) {
        short_through(numbers.map(|(m, shift)| i128::from(m) << shift), lowest)
    } else {
        long_through(numbers.map(|(m, shift)| IBig::from(m) << shift as usize), lowest)
    }
}

fn long_through(points: [IBig; 9], lowest: i32) -> Option<(Whole, bool)> {
    let [ax, ay, az, bx, by, bz, cx, cy, cz] = points;
    let (ux, uy, uz) = (bx - &ax, by - &ay, bz - &az);
    let (vx, vy, vz) = (cx - &ax, cy - &ay, cz - &az);
    let n = [&uy * &vz - &uz * &vy, &uz * &vx - &ux * &vz, &ux * &vy - &uy * &vx];
    let d = &n[0] * ax + &n[1] * ay + &n[2] * az;
    // The points were multiplied by 2^−lowest: the normal by the square of it, the distance by the cube.
    let [nx, ny, nz] = n;
    let scale = lowest.unsigned_abs() as usize;
    normalized(if lowest >= 0 {
        [nx, ny, nz, d << scale]
    } else {
        [nx << scale, ny << scale, nz << scale, d]
    })
}

/// The same for short coordinates in units of 2^lowest: normals are below 2^84, and distances below 2^126.
fn short_through(points: [i128; 9], lowest: i32) -> Option<(Whole, bool)> {
    let [ax, ay, az, bx, by, bz, cx, cy, cz] = points;
    let (ux, uy, uz) = (bx - ax, by - ay, bz - az);
    let (vx, vy, vz) = (cx - ax, cy - ay, cz - az);
    let normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    let first = *normal.iter().find(|x| **x != 0)?;
    let distance = normal[0] * ax + normal[1] * ay + normal[2] * az;
    let divisor = normal.iter().fold(distance.unsigned_abs(), |all, x| divisor(all, x.unsigned_abs()));
    let divisor = if first < 0 { -(divisor as i128) } else { divisor as i128 };
    let normal = normal.map(|x| x / divisor);
    let distance = distance / divisor;
    // In units of 1: distances take the unit, or normals its inverse, but for what the others have of it.
    let scale = lowest.unsigned_abs();
    let numbers = |[x, y, z]: [i128; 3], d: i128| [x, y, z, d];
    let (kept, shifted) = if lowest >= 0 {
        (numbers(normal, 0), numbers([0; 3], distance))
    } else {
        (numbers([0; 3], distance), numbers(normal, 0))
    };
    let all = kept.iter().fold(0, |bits, x| bits | x);
    let up = if all == 0 { 0 } else { scale.saturating_sub(all.trailing_zeros()) };
    let kept = kept.map(|x| if x == 0 { 0 } else { x >> (scale - up) });
    let is_short = shifted.iter().all(|x| x.unsigned_abs().leading_zeros() > up + 1);
    let whole = if is_short {
        core::array::from_fn(|i| kept[i] | shifted[i] << up).into()
    } else {
        core::array::from_fn(|i| IBig::from(kept[i]) + (IBig::from(shifted[i]) << up as usize)).into()
    };
    Some((whole, first < 0))
}

/// The greatest common divisor. Source: J. Stein, 1967.
fn divisor(a: u128, b: u128) -> u128 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let zeros = (a | b).trailing_zeros();
    let (mut a, mut b) = (a >> a.trailing_zeros(), b >> b.trailing_zeros());
    while a != b {
        if a == 1 || b == 1 {
            return 1 << zeros;
        }
        if a < b {
            (a, b) = (b, a);
        }
        a -= b;
        a >>= a.trailing_zeros();
    }
    a << zeros
}

/// The same plane without a common divisor, the first component of the normal that is not 0 greater than 0,
/// and whether it was less. `None` if the normal is 0.
pub(super) fn normalized(mut whole: [IBig; 4]) -> Option<(Whole, bool)> {
    let first = whole[..3].iter().find(|x| !x.is_zero())?;
    let flipped = first < &IBig::ZERO;
    let mut divisor = UBig::ZERO;
    for x in &whole {
        if !x.is_zero() {
            let size = x.clone().unsigned_abs();
            divisor = if divisor.is_zero() { size } else { divisor.gcd(&size) };
        }
    }
    let divisor = if flipped { -IBig::from(divisor) } else { IBig::from(divisor) };
    if divisor != IBig::ONE {
        whole = whole.map(|x| x / &divisor);
    }
    Some((whole.into(), flipped))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_points_have_the_planes_of_long_ones() {
        let mut state = 1u64;
        let mut number = |bits: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            i128::from((state as i64) >> (64 - bits))
        };
        let mut none = 0;
        for round in 0..6000 {
            let bits = [1, 2, 9, 24, 40][round % 5];
            let points = [(); 9].map(|()| number(bits));
            let lowest = [0, -1, -7, -30, -90, -400, 1, 30, 400][round % 9];
            let short = short_through(points, lowest);
            assert_eq!(short, long_through(points.map(IBig::from), lowest), "{points:?} × 2^{lowest}");
            none += i32::from(short.is_none());
        }
        assert!((100..3000).contains(&none), "{none}");
    }
}
