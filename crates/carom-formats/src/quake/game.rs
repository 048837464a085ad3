//! The game that a level was made for.

/// What differs from game to game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Game {
    #[default]
    Quake,
    GoldSrc,
    Quake2,
    Quake3,
    /// Source, of any game.
    Map,
}
