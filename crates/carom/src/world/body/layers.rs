//! Layers: which bodies a query finds.

use core::ops::{BitAnd, BitOr, Not};

/// A set of up to 32 layers, numbered 0 to 31. A body is on some layers, and a query selects some. They meet
/// if they share one.
///
/// ```
/// use carom::Layers;
/// const PROPS: Layers = Layers::one(3);
/// assert!(PROPS.union(Layers::SOLID).meets(Layers::SOLID));
/// assert_eq!(Layers::from_bits(0b1000), PROPS);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Layers(u32);

impl Layers {
    /// No layer: never met.
    pub const NONE: Self = Self(0);
    /// Layer 0, the default of bodies.
    pub const SOLID: Self = Self(1);
    /// Every layer: the default of queries.
    pub const ALL: Self = Self(u32::MAX);

    /// The set of one layer, 0 … 31.
    ///
    /// # Panics
    /// The number is larger; in a constant that is a compile-time error.
    pub const fn one(layer: u32) -> Self {
        assert!(layer < 32, "there are 32 layers: 0 to 31");
        Self(1 << layer)
    }

    /// The set that contains layer `i` if bit `i` is set.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Bit `i` is set if layer `i` is in the set.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The layers of either set; `|` in constants.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the two sets share a layer.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl Default for Layers {
    fn default() -> Self {
        Self::SOLID
    }
}

impl BitOr for Layers {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Layers {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Not for Layers {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_meet_where_they_share_a_layer() {
        let props = Layers::one(3);
        assert!(props.meets(Layers::ALL) && !props.meets(Layers::SOLID));
        assert!((props | Layers::SOLID).meets(Layers::SOLID));
        assert!(!props.meets(!props) && !Layers::ALL.meets(Layers::NONE));
        assert_eq!(Layers::from_bits(props.bits()).union(Layers::SOLID), props | Layers::SOLID);
    }
}
