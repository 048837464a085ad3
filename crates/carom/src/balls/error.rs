//! What a table refuses, by name and number.

use thiserror::Error;

/// Why a table cannot be set up like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// A NaN or an infinity.
    #[error("ball {ball}: {what} must be finite")]
    BallNotFinite {
        /// Which ball.
        ball: usize,
        /// Which number.
        what: &'static str,
    },
    /// Zero, negative, NaN or infinite.
    #[error("ball {ball}: {what} must be finite and greater than 0")]
    BallNotPositive {
        /// Which ball.
        ball: usize,
        /// Radius or mass.
        what: &'static str,
    },
    /// A circle off the plane z = 0.
    #[error("ball {0}: in two dimensions z of the position and the velocity must be 0")]
    BallOffThePlane(usize),
    /// Two balls in one place, by more than rounding.
    #[error("balls {0} and {1} overlap")]
    Overlap(usize, usize),
    /// A rule of the table.
    #[error("{0}")]
    Rule(&'static str),
    /// An invalid wall.
    #[error("wall {wall}: {why}")]
    Wall {
        /// Which wall.
        wall: usize,
        /// What is wrong.
        why: &'static str,
    },
    /// An invalid pocket.
    #[error("pocket {0}: its numbers must be finite, its radius greater than 0")]
    Pocket(usize),
    /// A side that comes round must be long enough that no ball meets itself.
    #[error("a periodic side must be at least twice the largest radius")]
    PeriodTooShort,
    /// An ellipsoid among the obstacles: balls meet meshes, polygons, spheres, capsules and cuboids.
    #[error("body {0} of the obstacles is an ellipsoid, which balls do not support yet")]
    EllipsoidObstacle(u32),
    /// Curved patches among the obstacles.
    #[error("body {0} of the obstacles has curved patches, which balls do not support yet: tessellate it")]
    CurvedObstacle(u32),
    /// A cylinder or a cone among the obstacles.
    #[error("body {0} of the obstacles is a cylinder or a cone, which balls do not support yet")]
    RevolvedObstacle(u32),
    /// A half-space among the obstacles.
    #[error("body {0} of the obstacles is a half-space: use a plane as a wall of the table instead")]
    EndlessObstacle(u32),
    /// More balls than 32 bits number.
    #[error("there are too many balls")]
    TooManyBalls,
}
