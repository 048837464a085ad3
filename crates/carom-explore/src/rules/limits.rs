//! Bounds that let a flood end.

/// In a tick a body goes no farther than this many times its smaller horizontal radius: a tick looks at all
/// triangles within its reach, and its cost grows with that.
pub(crate) const WIDTHS: f64 = 64.0;
/// Leaving a place at one moment costs no more ticks than this and one direction: what is left then is given
/// up, and said.
pub(crate) const MOST_TICKS: u64 = 6_000;
/// A body that began its flight within the level and has not landed after this many ticks never will.
pub(crate) const LONGEST: u32 = 3_600;
/// The same in a level with volumes, which may throw a body up for ever. A jump takes no longer either.
pub(crate) const THROWN: u32 = 600;
