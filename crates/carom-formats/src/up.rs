//! The axis that points up.

/// Which axis of the file points up. Carom's levels have y up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Up {
    /// Coordinates stay as they are.
    #[default]
    Y,
    /// (x, y, z) becomes (x, z, −y).
    Z,
}
