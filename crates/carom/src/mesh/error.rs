//! Why a mesh refuses its input, by name and index.

use thiserror::Error;

/// Why these numbers do not form a mesh. Indices count from 0, in the caller's own lists.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A NaN or an infinity in the origin.
    #[error("the origin must be finite")]
    OriginNotFinite,
    /// A NaN or an infinity in a vertex.
    #[error("vertex {vertex} is not finite")]
    VertexNotFinite {
        /// Which vertex.
        vertex: usize,
    },
    /// A triangle that names a missing vertex.
    #[error("triangle {triangle} names vertex {index}, but there are {vertices} vertices")]
    IndexOutOfRange {
        /// Which triangle.
        triangle: usize,
        /// The vertex that it names.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A triangle that names a missing surface.
    #[error("triangle {triangle} names surface {surface}, but there are {surfaces} surfaces")]
    SurfaceOutOfRange {
        /// Which triangle.
        triangle: usize,
        /// The surface that it names.
        surface: u16,
        /// How many surfaces there are.
        surfaces: usize,
    },
    /// A list of surface ids that is neither empty nor as long as the list of triangles.
    #[error("{ids} surface ids for {triangles} triangles")]
    SurfaceIdCount {
        /// How many ids.
        ids: usize,
        /// How many triangles.
        triangles: usize,
    },
    /// A surface with a number that is negative or not finite.
    #[error("the {what} of surface {surface} must be finite and at least 0")]
    SurfaceNumber {
        /// Which surface.
        surface: usize,
        /// Which of its numbers.
        what: &'static str,
    },
    /// A welding tolerance that is negative or not finite.
    #[error("the welding tolerance must be finite and at least 0, not {0}")]
    Tolerance(f64),
    /// A seam width that is negative or not finite.
    #[error("the seam width must be finite and at least 0, not {0}")]
    SeamWidth(f64),
    /// More triangles than a mesh can number.
    #[error("{triangles} triangles are more than a mesh can hold ({most})")]
    TooManyTriangles {
        /// How many there are.
        triangles: usize,
        /// How many there may be.
        most: usize,
    },
    /// A factor of a stretch that is 0, NaN or infinite.
    #[error("a scale must be finite and not 0")]
    Scale,
}
