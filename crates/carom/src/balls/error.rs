//! Why a table is refused, by name and number.

use thiserror::Error;

/// Why a table cannot be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// A number is NaN or infinite.
    #[error("ball {ball}: {what} must be finite")]
    BallNotFinite {
        /// Which ball.
        ball: usize,
        /// Which number.
        what: &'static str,
    },
    /// A number is zero, negative, NaN or infinite.
    #[error("ball {ball}: {what} must be finite and greater than 0")]
    BallNotPositive {
        /// Which ball.
        ball: usize,
        /// Radius or mass.
        what: &'static str,
    },
    /// A circle is off the plane z = 0.
    #[error("ball {0}: in two dimensions z of the position and the velocity must be 0")]
    BallOffThePlane(usize),
    /// Two balls overlap by more than rounding.
    #[error("balls {0} and {1} overlap")]
    Overlap(usize, usize),
    /// A rule of the table is invalid.
    #[error("{0}")]
    Rule(&'static str),
    /// A wall is invalid.
    #[error("wall {wall}: {why}")]
    Wall {
        /// Which wall.
        wall: usize,
        /// The reason.
        why: &'static str,
    },
    /// A pocket is invalid.
    #[error("pocket {0}: its numbers must be finite, its radius greater than 0")]
    Pocket(usize),
    /// A periodic side is so short that a ball would meet itself.
    #[error("a periodic side must be at least twice the largest radius")]
    PeriodTooShort,
    /// An ellipsoid is among the obstacles. Balls support meshes, polygons, spheres, capsules and cuboids.
    #[error("body {0} of the obstacles is an ellipsoid, which balls do not support yet")]
    EllipsoidObstacle(u32),
    /// Curved patches are among the obstacles.
    #[error("body {0} of the obstacles has curved patches, which balls do not support yet: tessellate it")]
    CurvedObstacle(u32),
    /// A cylinder or a cone is among the obstacles.
    #[error("body {0} of the obstacles is a cylinder or a cone, which balls do not support yet")]
    RevolvedObstacle(u32),
    /// A half-space is among the obstacles.
    #[error("body {0} of the obstacles is a half-space: use a plane as a wall of the table instead")]
    EndlessObstacle(u32),
    /// There are more balls than 32 bits can number.
    #[error("there are too many balls")]
    TooManyBalls,
}
