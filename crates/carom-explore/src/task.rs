//! The task of an exploration: a level and its rules.

use crate::level::Level;
use crate::rules::Rules;

/// A level and the rules of the body that explores it.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// Where.
    pub level: &'a Level,
    /// By which body, and how finely.
    pub rules: &'a Rules,
}

/// Which worker of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerNumber {
    /// From 0; worker 0 leads.
    pub number: usize,
    /// How many there are.
    pub count: usize,
}
