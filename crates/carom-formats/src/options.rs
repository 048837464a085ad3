//! How to read a level, and the limits.

use crate::error::LoadError;
#[cfg(doc)]
use crate::format::Format;
use crate::up::Up;

/// Which brushes of .bsp and .map files stop a mover, besides plainly solid ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solids {
    /// Brushes with the sky on one of their sides. Default: they stop movers, as in the games.
    pub sky: bool,
    /// Brushes that stop only players. Default: they stop movers.
    pub player_clip: bool,
    /// Brushes that stop only monsters. Default: they do not stop movers.
    pub monster_clip: bool,
    /// Water, slime and lava. Default: they do not stop movers, and become volumes.
    pub liquids: bool,
}

impl Default for Solids {
    fn default() -> Self {
        Self { sky: true, player_clip: true, monster_clip: false, liquids: false }
    }
}

/// How curved patches are loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Patches {
    /// As triangles, no farther from the surface than [`LoadOptions::tolerance`].
    #[default]
    Triangles,
    /// As curved patches, in [`RawLevel::patches`](crate::RawLevel::patches).
    Curved,
}

/// How the animations of a glTF file are loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Animations {
    /// They are not read: every node is where it is stored.
    #[default]
    Ignored,
    /// Animations of translations and rotations move the nodes that show a mesh, repeatedly, in
    /// [`RawLevel::motions`](crate::RawLevel::motions). A fault in one refuses the file.
    Played,
}

/// Axes, unit and limits of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadOptions {
    /// The axis of the file that points up. Default: as an .fbx file states, else that of the format
    /// ([`Format::up`]).
    pub up: Option<Up>,
    /// Meters per unit of the file: finite and greater than 0. Default: as an .fbx file states, else that of
    /// the format ([`Format::scale`]).
    pub scale: Option<f64>,
    /// Which brushes stop a mover.
    pub solids: Solids,
    /// Whether curved patches become triangles.
    pub patches: Patches,
    /// How far curved patches may be from their triangles, in meters: finite and greater than 0. Default:
    /// 1/64, half a unit of Quake.
    /// Too small: many triangles. Too large: visible facets.
    pub tolerance: f64,
    /// Whether the animations of a glTF file move its nodes.
    pub animations: Animations,
    /// The limits.
    pub limits: Limits,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            up: None,
            scale: None,
            solids: Solids::default(),
            patches: Patches::default(),
            tolerance: 1.0 / 64.0,
            animations: Animations::default(),
            limits: Limits::default(),
        }
    }
}

impl LoadOptions {
    pub(crate) fn validate(&self) -> Result<(), LoadError> {
        let is_length = |x: f64| x.is_finite() && x > 0.0;
        if let Some(scale) = self.scale.filter(|scale| !is_length(*scale)) {
            return Err(LoadError::UnusableScale { scale });
        }
        if !is_length(self.tolerance) {
            return Err(LoadError::UnusableTolerance { tolerance: self.tolerance });
        }
        Ok(())
    }
}

/// The limits of a file. Beyond them it is refused with [`LoadError::OverLimit`].
///
/// Memory stays below a small multiple of the bytes read, plus 12 bytes per vertex, 14 per triangle, 200 per
/// keyframe and about a hundred per part. A glTF may show one mesh many times, so its bytes do not bound its
/// triangles. Lower the limits for files from strangers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file, including the buffers beside it and in it. Default: 4 GiB.
    pub bytes: u64,
    /// Vertices of the level. Default: 100 million; more than `u32::MAX` is never possible.
    pub vertices: usize,
    /// Triangles of the level. Default: 100 million.
    pub triangles: usize,
    /// Parts: glTF entries (nodes, meshes, accessors … together) and shown primitives; OBJ objects and
    /// groups; STL solids; PLY elements and properties. Default: 1 million.
    pub nodes: usize,
    /// Nesting depth of glTF nodes. Default: 256.
    pub depth: usize,
    /// Keyframes of played animations, read and made. Default: 5 million.
    pub keyframes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 4 << 30,
            vertices: 100_000_000,
            triangles: 100_000_000,
            nodes: 1_000_000,
            depth: 256,
            keyframes: 5_000_000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_is_finite_and_greater_than_zero() {
        for scale in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(
                LoadOptions { scale: Some(scale), ..LoadOptions::default() }.validate().is_err(),
                "{scale}"
            );
        }
        for scale in [1.0, 0.05, f64::MIN_POSITIVE, f64::MAX] {
            assert!(
                LoadOptions { scale: Some(scale), ..LoadOptions::default() }.validate().is_ok(),
                "{scale}"
            );
        }
    }
}
