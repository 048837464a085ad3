//! The space in which a mover is a ball: the world for a sphere, the world squeezed for an ellipsoid.
//!
//! Source: `docs/ellipsoid.md`. `A = diag(1/r)·Rᵀ` takes the ellipsoid to the unit ball. Fractions of a way
//! are the same in both spaces; normals come back by the inverse transpose.

use glam::{DMat3, DVec3};

use crate::num::bound::{APPROACH, UNIT_ROUNDOFF, position_rounding, reach};
use crate::num::ops::sqrt;
use crate::shape::{Ellipsoid, Sphere};
use crate::sweep::parts::ball::Ball;
use crate::sweep::parts::form::Form;

/// A linear map to a space where the mover is a ball.
pub(crate) trait Space: Copy {
    /// The properties of the mover.
    const FORM: Form;
    /// A direction or an offset, in the ball's space.
    fn to_ball(&self, v: DVec3) -> DVec3;
    /// The inverse map.
    fn to_world(&self, v: DVec3) -> DVec3;
    /// A normal of the world (of any length) as a unit normal in the ball's space.
    fn normal_to_ball(&self, n: DVec3) -> DVec3;
    /// A unit normal of the ball's space as a unit normal of the world.
    fn normal_to_world(&self, n: DVec3) -> DVec3;
    /// A gap along a unit normal of the ball's space, along the same normal in the world.
    fn gap_to_world(&self, n: DVec3, gap: f64) -> f64;
    /// The factor by which a length of the world can grow in the ball's space.
    fn stretch(&self) -> f64;
    /// The least length in the ball's space of a length of the world.
    fn least_length(&self, length: f64) -> f64;
    /// The map as a matrix.
    fn matrix(&self) -> DMat3;
    /// The moving ball; `rounding` is the error of the coordinates.
    fn ball(&self, from: DVec3, translation: DVec3, rounding: f64) -> Ball;
    /// The extent of the unit ball of this space along a unit direction of the world.
    fn support_per_radius(&self, direction: DVec3) -> f64;
}

/// The world itself, for a ball of any radius; 0 for a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorldSpace {
    pub(crate) radius: f64,
}

impl From<&Sphere> for WorldSpace {
    fn from(sphere: &Sphere) -> Self {
        Self { radius: sphere.radius() }
    }
}

impl Space for WorldSpace {
    const FORM: Form = Form::Round;

    #[inline(always)]
    fn to_ball(&self, v: DVec3) -> DVec3 {
        v
    }

    #[inline(always)]
    fn to_world(&self, v: DVec3) -> DVec3 {
        v
    }

    #[inline(always)]
    fn normal_to_ball(&self, n: DVec3) -> DVec3 {
        n
    }

    #[inline(always)]
    fn normal_to_world(&self, n: DVec3) -> DVec3 {
        n
    }

    #[inline(always)]
    fn gap_to_world(&self, _n: DVec3, gap: f64) -> f64 {
        gap
    }

    #[inline(always)]
    fn stretch(&self) -> f64 {
        1.0
    }

    fn least_length(&self, length: f64) -> f64 {
        length
    }

    fn matrix(&self) -> DMat3 {
        DMat3::IDENTITY
    }

    #[inline(always)]
    fn ball(&self, from: DVec3, translation: DVec3, rounding: f64) -> Ball {
        Ball::new(translation, self.radius, rounding + position_rounding(from, translation))
    }

    #[inline(always)]
    fn support_per_radius(&self, _direction: DVec3) -> f64 {
        1.0
    }
}

/// The space in which an ellipsoid is the unit ball.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BallSpace {
    /// diag(1/r)·Rᵀ
    map: DMat3,
    /// R·diag(r)
    inverse: DMat3,
    stretch: f64,
}

impl From<&Ellipsoid> for BallSpace {
    fn from(ellipsoid: &Ellipsoid) -> Self {
        let (axes, radii) = (ellipsoid.axes(), ellipsoid.radii());
        let rows = DMat3::from_cols(axes.x_axis / radii.x, axes.y_axis / radii.y, axes.z_axis / radii.z);
        Self {
            map: rows.transpose(),
            inverse: DMat3::from_cols(axes.x_axis * radii.x, axes.y_axis * radii.y, axes.z_axis * radii.z),
            stretch: 1.0 / radii.min_element(),
        }
    }
}

impl Space for BallSpace {
    const FORM: Form = Form::Ellipsoid;

    #[inline(always)]
    fn to_ball(&self, v: DVec3) -> DVec3 {
        self.map * v
    }

    #[inline(always)]
    fn to_world(&self, v: DVec3) -> DVec3 {
        self.inverse * v
    }

    #[inline(always)]
    fn normal_to_ball(&self, n: DVec3) -> DVec3 {
        let m = self.inverse.transpose() * n;
        m / sqrt(m.length_squared())
    }

    #[inline(always)]
    fn normal_to_world(&self, n: DVec3) -> DVec3 {
        let m = self.map.transpose() * n;
        m / sqrt(m.length_squared())
    }

    #[inline(always)]
    fn gap_to_world(&self, n: DVec3, gap: f64) -> f64 {
        gap / sqrt((self.map.transpose() * n).length_squared())
    }

    #[inline(always)]
    fn stretch(&self) -> f64 {
        self.stretch
    }

    fn least_length(&self, length: f64) -> f64 {
        // A column is an axis as long as its radius.
        let columns = [self.inverse.x_axis, self.inverse.y_axis, self.inverse.z_axis];
        let longest = columns.iter().fold(0.0f64, |most, axis| most.max(axis.length_squared()));
        length / sqrt(longest)
    }

    fn matrix(&self) -> DMat3 {
        self.map
    }

    fn ball(&self, from: DVec3, translation: DVec3, rounding: f64) -> Ball {
        // The rounding of the map itself is counted in the world and stretched: along a long axis that is
        // more than need be.
        let rounding =
            rounding + position_rounding(from, translation) + 8.0 * UNIT_ROUNDOFF * reach(translation);
        let mut ball = Ball::new(self.to_ball(translation), 1.0, rounding * self.stretch);
        ball.threshold = APPROACH * sqrt(translation.length_squared()) * self.stretch;
        ball
    }

    #[inline(always)]
    fn support_per_radius(&self, direction: DVec3) -> f64 {
        sqrt((self.inverse.transpose() * direction).length_squared())
    }
}
