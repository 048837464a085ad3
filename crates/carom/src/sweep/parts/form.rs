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
