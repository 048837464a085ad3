//! Events at places.

use glam::DVec3;

/// Something that happened at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Event {
    pub(crate) place: u32,
    pub(crate) action: u16,
    pub(crate) kind: EventKind,
    /// Where: the last center that stood, or where the body was stopped.
    pub(crate) position: DVec3,
    /// Of a fall, the first center below which there was nothing any more; of a snag, where it began.
    pub(crate) exit: DVec3,
    pub(crate) ticks: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum EventKind {
    FellOut,
    Snag,
    /// Not all directions were tried: it cost too much.
    GaveUp,
    /// A volume killed the body: the player begins again at a spawn.
    Died,
}
