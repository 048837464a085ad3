//! A hash of triangles, and of bytes.
//!
//! Source: Fowler, Noll, Vo, "The FNV non-cryptographic hash algorithm" (FNV-1a, 64 bits). It detects files
//! that changed or were mixed up. It does not protect against forgery.

/// FNV-1a, 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Checksum(u64);

impl Checksum {
    pub(crate) fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut sum = Self::new();
        sum.add(bytes);
        sum
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }
}

/// FNV-1a, 64 bits, of bytes.
pub fn bytes_checksum(bytes: &[u8]) -> u64 {
    Checksum::of(bytes).value()
}

/// FNV-1a, 64 bits, over the bytes of vertices and then of triangles, little-endian.
pub fn checksum(vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> u64 {
    let mut sum = LevelChecksum::default();
    sum.vertices(vertices);
    sum.triangles(triangles);
    sum.value()
}

/// [`checksum`] of a level that comes piece by piece: all vertices in their order, then all triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelChecksum(Checksum);

/// Of no vertices and no triangles.
impl Default for LevelChecksum {
    fn default() -> Self {
        Self(Checksum::new())
    }
}

impl LevelChecksum {
    /// The next vertices.
    pub fn vertices(&mut self, vertices: &[[f32; 3]]) {
        for x in vertices.as_flattened() {
            self.0.add(&x.to_le_bytes());
        }
    }

    /// The next triangles.
    pub fn triangles(&mut self, triangles: &[[u32; 3]]) {
        for corner in triangles.as_flattened() {
            self.0.add(&corner.to_le_bytes());
        }
    }

    /// The hash of all so far.
    pub fn value(self) -> u64 {
        self.0.value()
    }
}
