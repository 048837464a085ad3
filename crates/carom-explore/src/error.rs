//! Why a level cannot be explored.

use carom::character::CharacterError;
use carom::mesh::MeshError;
use carom::shape::ShapeError;
use glam::DVec3;
use thiserror::Error;

use crate::rules::limits::WIDTHS;

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
        "the level extends to {0:.3e} m, too far for a grid of {1} m cells: check --scale, or remove stray \
         vertices and keyframes"
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
    /// A body that in one tick goes so far that the tick would look through half a level.
    #[error(
        "{name} takes the body {} m in one tick of {} s; at most {} m are possible, {WIDTHS} times its smaller horizontal \
         radius: choose a smaller number, or check its unit",
        short(*way), short(*tick), short(*most)
    )]
    TooFast {
        /// The number that does.
        name: &'static str,
        /// How far, in meters.
        way: f64,
        /// The duration of a tick, in seconds.
        tick: f64,
        /// How far it may go, in meters.
        most: f64,
    },
    /// A body that takes so long to leave a cell that not every direction could be tried.
    #[error(
        "at {} m/s the body takes {} ticks to cross a cell of {} m, and at most {most} are possible: choose a higher speed or \
         a smaller --cell",
        short(*speed), short(*ticks), short(*cell)
    )]
    TooSlow {
        /// The speed of walking, in m/s.
        speed: f64,
        /// The side of a cell, in meters.
        cell: f64,
        /// How many ticks it takes to cross a cell.
        ticks: f64,
        /// How many it may take.
        most: u64,
    },
    /// A jump after which the body lands too late, or never.
    #[error(
        "a jump at {} m/s with a gravity of {} m/s² takes {} s back to the same height, and at most {} s are possible: choose \
         a slower jump or a stronger gravity",
        short(*jump), short(*gravity), short(*seconds), short(*most)
    )]
    LongJump {
        /// The speed of a jump, in m/s.
        jump: f64,
        /// In m/s².
        gravity: f64,
        /// How long such a jump takes, in seconds.
        seconds: f64,
        /// How long it may take, in seconds.
        most: f64,
    },
    /// A level through which a body falls for longer than a fall is followed.
    #[error(
        "the level is {} m high: with a gravity of {} m/s² a body falls through it for {} s, and at most {} s are possible: \
         check --scale, remove stray vertices, or choose a stronger gravity",
        short(*height), short(*gravity), short(*seconds), short(*most)
    )]
    LongFall {
        /// The height of the level, in meters.
        height: f64,
        /// In m/s².
        gravity: f64,
        /// How long the fall takes, in seconds.
        seconds: f64,
        /// How long it may take, in seconds.
        most: f64,
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
    /// No temporary file for the lists of an exploration that outgrow memory.
    #[error(
        "what does not fit in memory cannot be kept in a temporary file: {0}: free space in the system's temporary \
         folder, or name another one (TMPDIR)"
    )]
    Spill(String),
    /// A checkpoint of something else, or cut off.
    #[error("the checkpoint {0}")]
    Checkpoint(&'static str),
    /// A message of another worker that cannot be one.
    #[error("a message is damaged or not from a worker: check that no other program uses the port")]
    Message,
}

/// A number to four digits, as people write it.
fn short(number: f64) -> String {
    if number != 0.0 && !(1e-3..1e6).contains(&number.abs()) {
        return format!("{number:.1e}");
    }
    let decimals = [1e3, 1e2, 1e1, 1.0, 0.1, 0.01].iter().filter(|size| number.abs() < **size).count();
    let text = format!("{number:.decimals$}");
    let is_whole = !text.contains('.');
    if is_whole { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_are_short() {
        let pairs = [
            (25.6, "25.6"),
            (1.0 / 30.0, "0.03333"),
            (20.0, "20"),
            (3e7, "3.0e7"),
            (0.0, "0"),
            (1234.6, "1235"),
        ];
        for (number, text) in pairs {
            assert_eq!(short(number), text);
        }
    }
}
