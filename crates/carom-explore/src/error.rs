//! Why a level cannot be explored.

use carom::character::CharacterError;
use carom::mesh::MeshError;
use carom::shape::ShapeError;
use glam::DVec3;
use thiserror::Error;

/// Why a level cannot be explored, and what to do about it.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ExploreError {
    /// Nothing to stand on.
    #[error("the level has no triangles: check that it is the right file")]
    NoTriangles,
    /// Triangles that are none.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Triangles, but none that is flat enough and has room above it.
    #[error(
        "the level has no floor that is flat enough to walk on and has room for a body of {0} × {1} × {2} m; \
         check --up and --scale (`carom inspect` guesses both), or make the body smaller with --radii"
    )]
    NoFloor(f64, f64, f64),
    /// More floor than can be held.
    #[error(
        "the level has about {floor:.3e} m² of floor, {cells:.3e} places at a cell of {cell} m, but at most {most:.0e} are possible: \
         check --scale, or choose a larger --cell"
    )]
    TooLarge {
        /// Square meters.
        floor: f64,
        /// How many places that would be.
        cells: f64,
        /// The cell's side, in meters.
        cell: f64,
        /// How many places there may be.
        most: f64,
    },
    /// Numbers beyond what a grid can count.
    #[error(
        "the level extends to {0:.3e} m, too far for a grid of {1} m cells: check --scale, or remove stray vertices"
    )]
    TooFar(f64, f64),
    /// A spawn that is no place.
    #[error("a spawn must be finite: {0}")]
    Spawn(DVec3),
    /// A spawn beyond what a grid can count: bodies there may never fall.
    #[error(
        "a spawn at {0:.3e} m is too far away for a grid of {1} m cells: check the numbers and their unit"
    )]
    SpawnTooFar(f64, f64),
    /// A body without a valid shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Settings that no character can have.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// A length, speed or time that is NaN or out of range.
    #[error("{name} must be {range}")]
    Rule {
        /// Which.
        name: &'static str,
        /// The values that are allowed.
        range: &'static str,
    },
    /// A level in tiles, one of which is not as it was written.
    #[error("{0}")]
    Tiles(String),
    /// A body that may reach beyond what a tile knows.
    #[error(
        "in one tick the body may reach {reach:.1} m, but the margin of the tiles is {margin} m: cut the level again with \
         --margin {} and a --size of at least that",
        reach.ceil()
    )]
    Margin {
        /// How far a tick may reach, in meters.
        reach: f64,
        /// The margin of the tiles, in meters.
        margin: f64,
    },
    /// Bodies that move in a level in tiles.
    #[error("a level in tiles has no moving bodies: explore the level itself")]
    MovingInTiles,
    /// A checkpoint of something else, or cut off.
    #[error("the checkpoint {0}")]
    Checkpoint(&'static str),
    /// A message of another worker that cannot be one.
    #[error("a message is damaged or not from a worker: check that no other program uses the port")]
    Message,
}
