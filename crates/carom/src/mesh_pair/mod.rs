//! One mesh against another: whether they meet, where, how far apart they are, and when they first meet on
//! their paths.
//!
//! A [`TriangleTree`] is a mesh with a tree of bounding volumes over its triangles: oriented boxes ([`Obb`])
//! unless asked for axis-aligned boxes ([`PackedAabb`](crate::tree::PackedAabb)) or spheres
//! ([`BoundingSphere`](crate::tree::BoundingSphere)). A [`MeshPair`] is two of them, posed.
//!
//! The answers are exact: the second mesh is brought into the frame of the first, each corner by one formula
//! and rounded once, and whether two triangles of these corners share a point is decided without any error.
//! Two bodies of the same pose are not moved at all. Touching counts. The volumes only skip what cannot meet.
//!
//! - [`MeshPair::overlaps`], [`MeshPair::first_pair`], [`MeshPair::pairs`]: triangles that share a point;
//! - [`MeshPair::pairs_from`]: the same from where the last walk ended ([`Front`]);
//! - [`MeshPair::distance`]: how far apart, and where;
//! - [`MeshPair::sweep`]: when one that slides first meets the other;
//! - [`Advance`]: when two that also turn do ([`PoseMotion`]); [`advance_cuboids`] for two boxes.

mod advance;
mod between;
mod cuboids;
mod distance;
mod front;
mod meet;
mod motion;
mod sweep;
mod triangle_tree;
mod volume;

pub use advance::{Advance, Advanced, Search};
pub use cuboids::{CuboidsAdvanced, advance_cuboids};
pub use distance::MeshDistance;
pub use front::Front;
pub use meet::{Counters, MeshPair};
pub use motion::PoseMotion;
pub use sweep::MeshHit;
pub use triangle_tree::TriangleTree;
pub use volume::MeshVolume;

use between::Between;

#[cfg(doc)]
use crate::tree::Obb;
