//! The kinds of movers, for code that is compiled once for each.

/// The properties of a mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A point or a sphere.
    Round,
    Capsule,
    Cuboid,
    Ellipsoid,
}

impl Form {
    /// Whether it is a segment with a radius, whose gaps are distances.
    pub(crate) const fn is_thick_segment(self) -> bool {
        matches!(self, Self::Round | Self::Capsule)
    }
}
