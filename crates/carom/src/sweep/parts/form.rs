//! The kinds of movers, for code that is compiled once for each.

/// What a mover is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A point or a sphere.
    Round,
    Capsule,
    Cuboid,
    Ellipsoid,
}
