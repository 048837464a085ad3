//! The extent of a mover along a direction.

use core::marker::PhantomData;

use glam::{DVec3, Vec3};
use wide::f32x4;

use crate::num::bound::reach;
use crate::num::ops::sqrt;
use crate::shape::Mover;
use crate::sweep::mover::SurfaceSweep;
use crate::sweep::parts::form::Form;
use crate::world::surface::lanes::{dot, root, splat};

/// The extent about the center of a mover that sweeps as `S`.
pub(super) struct Extent<S> {
    /// The radius of a round mover or a capsule.
    pub(super) radius: f32,
    /// Half the axis of a capsule, half the edges of a cuboid, half the axes of an ellipsoid.
    pub(super) axes: [Vec3; 3],
    /// The axes of an ellipsoid with the inverse lengths.
    pub(super) inverse: [Vec3; 3],
    of: PhantomData<fn() -> S>,
}

impl<S: SurfaceSweep> Extent<S> {
    /// The extent of a mover of this form; for any other that of the ball around it.
    #[inline(always)]
    pub(super) fn of(mover: &Mover) -> Self {
        let up = |x: f64| (x as f32).next_up();
        let (mut radius, mut axes, mut inverse) = (0.0, [Vec3::ZERO; 3], [Vec3::ZERO; 3]);
        match (S::FORM, mover) {
            (Form::Round, Mover::Point) => {}
            (Form::Round, Mover::Sphere(sphere)) => radius = up(sphere.radius()),
            (Form::Capsule, Mover::Capsule(capsule)) => {
                (radius, axes[0]) = (up(capsule.radius()), capsule.half_axis().as_vec3());
            }
            (Form::Cuboid, Mover::Cuboid(cuboid)) => {
                axes = scaled(cuboid.axes().to_cols_array_2d(), cuboid.half_extents());
            }
            (Form::Ellipsoid, Mover::Ellipsoid(ellipsoid)) => {
                let (own, radii) = (ellipsoid.axes().to_cols_array_2d(), ellipsoid.radii());
                (axes, inverse) = (scaled(own, radii), scaled(own, radii.recip()));
            }
            _ => {
                let around = up(2.0 * reach(mover.half_extents()));
                (radius, axes) = (around, Vec3::AXES.map(|axis| axis * around));
                inverse = Vec3::AXES.map(|axis| axis / around);
            }
        }
        Self { radius, axes, inverse, of: PhantomData }
    }

    /// The same in another frame.
    #[inline(always)]
    pub(super) fn seen(&self, seen: impl Fn(Vec3) -> Vec3) -> Self {
        let (mut axes, mut inverse) = (self.axes, self.inverse);
        match S::FORM {
            Form::Round => {}
            Form::Capsule => axes[0] = seen(axes[0]),
            Form::Cuboid => axes = axes.map(seen),
            Form::Ellipsoid => (axes, inverse) = (axes.map(&seen), inverse.map(&seen)),
        }
        Self { axes, inverse, ..*self }
    }

    /// Its extent along each axis of its frame, rounded to nearest.
    #[inline(always)]
    pub(super) fn reach(&self) -> Vec3 {
        let [a, b, c] = self.axes;
        match S::FORM {
            Form::Round => Vec3::splat(self.radius),
            Form::Capsule => a.abs() + self.radius,
            Form::Cuboid => a.abs() + b.abs() + c.abs(),
            Form::Ellipsoid => (a * a + b * b + c * c).as_dvec3().map(sqrt).as_vec3(),
        }
    }

    /// Its extent along a direction, grown by a margin, times the length of the direction; rounded up. For a
    /// direction across the third axis two components are enough.
    #[inline(always)]
    pub(super) fn along<const N: usize>(&self, m: [f32x4; N], margin: f32) -> f32x4 {
        let length = root(dot(m, m));
        let share = |axis: Vec3| {
            let axis = axis.to_array();
            dot(m, splat(core::array::from_fn(|i| axis[i])))
        };
        let [a, b, c] = self.axes;
        match S::FORM {
            Form::Round => f32x4::splat(margin + self.radius) * length,
            Form::Capsule => f32x4::splat(margin + self.radius) * length + share(a).abs(),
            Form::Cuboid => f32x4::splat(margin) * length + share(a).abs() + share(b).abs() + share(c).abs(),
            Form::Ellipsoid => {
                let [a, b, c] = [share(a), share(b), share(c)];
                f32x4::splat(margin) * length + root(a * a + b * b + c * c)
            }
        }
    }
}

#[inline(always)]
fn scaled([a, b, c]: [[f64; 3]; 3], lengths: DVec3) -> [Vec3; 3] {
    let scaled = |axis: [f64; 3], length: f64| (DVec3::from(axis) * length).as_vec3();
    [scaled(a, lengths.x), scaled(b, lengths.y), scaled(c, lengths.z)]
}
