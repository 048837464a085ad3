//! The messages between workers, and how their work ends.

use crate::explorer::{Explorer, Stage};

/// Looks at the exploration after each batch: at the first worker. An error ends all.
pub type Watch<'e, 'a> = Box<dyn FnMut(&Explorer<'a>) -> Result<(), String> + 'e>;

/// A message between workers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The number of the worker that sends it.
    pub from: usize,
    /// The number of the worker that it is for.
    pub to: usize,
    /// The number of its subject.
    pub topic: u8,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// How a flood ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// With every place left.
    Done,
    /// With as many places as there may be.
    Full,
    /// By a stop at some worker: what was found until then is at the first.
    Stopped,
    /// A worker could not continue.
    Failed(String),
}

impl End {
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Done => 1,
            Self::Full => 2,
            Self::Stopped => 3,
            Self::Failed(_) => 4,
        }
    }

    /// The same as a stage of an exploration; `None` for a failure.
    pub fn stage(&self) -> Option<Stage> {
        match self {
            Self::Done => Some(Stage::Done),
            Self::Full => Some(Stage::Full),
            Self::Stopped => Some(Stage::Stopped),
            Self::Failed(_) => None,
        }
    }
}
