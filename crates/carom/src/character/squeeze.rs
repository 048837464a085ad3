//! The memory of a crushed character: what pressed it, from tick to tick, until it is free.

use glam::DVec3;

use crate::world::BodyId;

/// The obstacle that presses it most, and the axis along which it does.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Squeeze {
    /// A point of the octahedron |x| + |y| + |z| = 1, its lower half folded outwards, in steps of 2⁻¹⁵: an
    /// axis to about 4·10⁻⁵ in four bytes (Meyer et al., *On floating-point normal vectors*, 2010).
    axis: [i16; 2],
    /// The body whose axes it is in; `None` once the body is gone.
    pub(super) by: BodyId,
}

const STEPS: f64 = 32767.0;

impl Squeeze {
    /// The value for a character that is not crushed.
    pub(super) const NONE: Self = Self { axis: [0; 2], by: BodyId::NOWHERE };

    /// A squeeze by a body along a unit vector in its own axes.
    pub(super) fn along(axis: DVec3, by: BodyId) -> Self {
        let on = axis / (axis.x.abs() + axis.y.abs() + axis.z.abs());
        let [x, y] = if on.z < 0.0 { folded(on.x, on.y) } else { [on.x, on.y] };
        // Rounded to the nearest step: a cast truncates.
        let steps = |share: f64| (share * STEPS + if share < 0.0 { -0.5 } else { 0.5 }) as i16;
        Self { axis: [steps(x), steps(y)], by }
    }

    /// The axis, a unit vector.
    pub(super) fn axis(&self) -> DVec3 {
        let [x, y] = self.axis.map(|steps| f64::from(steps) / STEPS);
        let z = 1.0 - x.abs() - y.abs();
        let [x, y] = if z < 0.0 { folded(x, y) } else { [x, y] };
        DVec3::new(x, y, z).normalize_or_zero()
    }
}

fn folded(x: f64, y: f64) -> [f64; 2] {
    let side = |share: f64| if share < 0.0 { -1.0 } else { 1.0 };
    [(1.0 - y.abs()) * side(x), (1.0 - x.abs()) * side(y)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_comes_back_as_it_was_but_for_its_steps() {
        let mut seed = 1u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let corners = [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
        for axis in corners {
            assert_eq!(Squeeze::along(axis, BodyId::NOWHERE).axis(), axis);
        }
        for _ in 0..10_000 {
            let axis = DVec3::new(next(), next(), next()).normalize_or_zero();
            let back = Squeeze::along(axis, BodyId::NOWHERE).axis();
            assert!((back - axis).length() < 1e-4 && (back.length() - 1.0).abs() < 1e-15, "{axis} {back}");
        }
    }
}
