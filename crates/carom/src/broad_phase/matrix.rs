//! Which layers are compared.

/// For each pair of 32 layers, whether boxes on them are compared. Symmetric.
///
/// ```
/// use carom::broad_phase::LayerMatrix;
/// let bullets = 3;
/// let mut matrix = LayerMatrix::default();
/// matrix.ignore(bullets, bullets);
/// assert!(!matrix.meet(bullets, bullets) && matrix.meet(bullets, 0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerMatrix {
    rows: [u32; 32],
}

impl Default for LayerMatrix {
    /// All meet all.
    fn default() -> Self {
        Self { rows: [u32::MAX; 32] }
    }
}

impl LayerMatrix {
    /// No layers are compared.
    pub const NONE: Self = Self { rows: [0; 32] };

    /// Stops comparing boxes on these two layers, numbered 0 … 31. Other numbers are ignored.
    pub fn ignore(&mut self, a: u8, b: u8) {
        if a < 32 && b < 32 {
            self.rows[usize::from(a)] &= !(1 << b);
            self.rows[usize::from(b)] &= !(1 << a);
        }
    }

    /// Compares boxes on these two layers again.
    pub fn include(&mut self, a: u8, b: u8) {
        if a < 32 && b < 32 {
            self.rows[usize::from(a)] |= 1 << b;
            self.rows[usize::from(b)] |= 1 << a;
        }
    }

    /// Whether boxes on these layers are compared.
    #[inline(always)]
    pub fn meet(&self, a: u8, b: u8) -> bool {
        a < 32 && b < 32 && self.rows[usize::from(a)] >> b & 1 == 1
    }
}
