//! The result of a finished command, for the exit code.

/// The exit code of a command that ran to its end.
pub(crate) enum Outcome {
    /// 0: nothing wrong was found.
    Fine,
    /// 1: the work ran and found something wrong.
    FoundWrong,
}
