//! Any shape that can be moved through the world.

use super::{Capsule, Cuboid, Ellipsoid, Sphere};

/// A shape that can be cast: centred at the origin, turned by its own rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mover {
    /// A ray, when cast.
    Point,
    /// A ball.
    Sphere(Sphere),
    /// A stretched ball of any orientation.
    Ellipsoid(Ellipsoid),
    /// A cylinder with round caps.
    Capsule(Capsule),
    /// A box of any orientation.
    Cuboid(Cuboid),
}

macro_rules! mover_from {
    ($($shape:ident),*) => {$(
        impl From<$shape> for Mover {
            fn from(shape: $shape) -> Self {
                Self::$shape(shape)
            }
        }
        impl From<&$shape> for Mover {
            fn from(shape: &$shape) -> Self {
                Self::$shape(*shape)
            }
        }
    )*};
}
mover_from!(Sphere, Ellipsoid, Capsule, Cuboid);

impl From<&Mover> for Mover {
    fn from(mover: &Mover) -> Self {
        *mover
    }
}
