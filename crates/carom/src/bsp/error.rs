//! The errors of trees and cells.

use glam::DVec3;

/// Why there is no tree.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum BspError {
    /// The polygons cut each other into too many pieces.
    #[error("the polygons cut each other into more than {limit} pieces: split the level")]
    TooManyPieces {
        /// The most there may be.
        limit: usize,
    },
    /// The nodes do not form a tree.
    #[error("node {node} is reached twice or names a missing node: the tree is damaged")]
    NotATree {
        /// The number of the first bad node.
        node: usize,
    },
    /// A mesh with edges of one triangle only, or of more than two.
    #[error(
        "the mesh is not closed: {edges} edges are not shared by two triangles, the first from {} to {}",
        .first[0], .first[1]
    )]
    NotClosed {
        /// How many there are.
        edges: usize,
        /// The ends of the first.
        first: [DVec3; 2],
    },
    /// A reach that is not finite or not greater than 0.
    #[error("the reach {reach} is not finite and greater than 0")]
    Reach {
        /// The reach that was given.
        reach: f64,
    },
}
