//! The game that a level was made for.

/// The differences between games.
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
