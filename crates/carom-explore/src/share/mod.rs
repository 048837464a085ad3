//! One flood by many workers, which see no more of each other than messages.
//!
//! A place belongs to the worker of its square of the level. A batch of places is left in three rounds:
//!
//! ```text
//!  leave    each worker leaves its places of the batch ───found──▶ owners of where bodies came to stand
//!  resolve  each owner goes through what was found in its squares, in the order of (number of the place,
//!           number of the move), and says which is new ───new──▶ the first worker
//!  number   the first worker numbers the new ones in that order ──numbers, next batch──▶ owners
//! ```
//!
//! Batches, their order and that key are those of [`crate::Explorer::advance`], so the numbers, and all that
//! follows, are those of one process, at any number of workers. The links of a batch go to the first worker
//! together with the next. There every batch ends with the flood as one process has it: findings and
//! checkpoints are made from it there.

mod lead;
mod message;
mod wire;
mod worker;
mod worker_places;

pub use message::{End, Message, Watch};
pub use worker::Worker;
