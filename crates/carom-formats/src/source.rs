//! A .bsp or .map file as it was read, from which the inside of its level can be made when it is wanted.

use std::fmt;

use crate::format::Format;
use crate::up::Up;

/// A .bsp or .map file.
#[derive(Clone, PartialEq)]
pub struct Source {
    pub(crate) bytes: Vec<u8>,
    pub(crate) format: Format,
    pub(crate) up: Up,
    pub(crate) scale: f64,
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, format, up, scale } = self;
        write!(f, "Source({} bytes, {format:?}, {up:?}, {scale})", bytes.len())
    }
}
