//! Why a body cannot be moved.

use thiserror::Error;

/// Why a body cannot be moved. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MoveError {
    /// The body was removed, or is of another world.
    #[error("there is no such body in this world")]
    NoSuchBody,
    /// A fixed body takes no part in ticks: make it kinematic, or use `set_pose`.
    #[error("the body is fixed: make it kinematic to move it in a tick")]
    Fixed,
    /// A NaN or an infinity, or a motion that leaves the range of f64.
    #[error("the pose or velocity must be finite")]
    NotFinite,
}
