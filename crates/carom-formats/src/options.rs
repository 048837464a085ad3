//! How a level is to be read, and how much of it.

use crate::error::LoadError;

/// Which axis of the file points up. Carom's levels have y up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Up {
    /// Coordinates stay as they are.
    #[default]
    Y,
    /// (x, y, z) becomes (x, z, −y).
    Z,
}

/// Axes, unit and limits of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadOptions {
    /// The axis of the file that points up.
    pub up: Up,
    /// Metres per unit of the file: finite and greater than 0.
    pub scale: f64,
    /// What is too much.
    pub limits: Limits,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self { up: Up::Y, scale: 1.0, limits: Limits::default() }
    }
}

impl LoadOptions {
    pub(crate) fn validate(&self) -> Result<(), LoadError> {
        if self.scale.is_finite() && self.scale > 0.0 {
            Ok(())
        } else {
            Err(LoadError::UnusableScale { scale: self.scale })
        }
    }
}

/// What a file may ask for before it is refused with [`LoadError::OverLimit`].
///
/// Memory stays below a small multiple of the bytes read, plus 12 bytes a vertex, 14 a triangle and some hundred a part: a
/// glTF may show one mesh many times, so that its triangles are not bounded by its bytes. Lower them for files from strangers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file, the buffers beside it and in it included. Default 4 GiB.
    pub bytes: u64,
    /// Vertices of the level. Default 100 million; more than `u32::MAX` is never possible.
    pub vertices: usize,
    /// Triangles of the level. Default 100 million.
    pub triangles: usize,
    /// Parts: glTF entries (nodes, meshes, accessors … together) and primitives shown; OBJ objects and groups; STL solids;
    /// PLY elements and properties. Default 1 million.
    pub nodes: usize,
    /// glTF nodes within nodes. Default 256.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 4 << 30, vertices: 100_000_000, triangles: 100_000_000, nodes: 1_000_000, depth: 256 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_is_finite_and_greater_than_zero() {
        for scale in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(LoadOptions { scale, ..LoadOptions::default() }.validate().is_err(), "{scale}");
        }
        for scale in [1.0, 0.05, f64::MIN_POSITIVE, f64::MAX] {
            assert!(LoadOptions { scale, ..LoadOptions::default() }.validate().is_ok(), "{scale}");
        }
    }
}
