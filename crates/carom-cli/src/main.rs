//! The `carom` command: inspect levels, cast shapes through them, walk characters over them, explore them whole, play
//! balls, measure the machine.
#![forbid(unsafe_code)]

mod args;
mod bench;
mod cast;
mod explore;
mod inspect;
mod output;
mod pool;
mod query;
mod walk;

use std::process::ExitCode;

use clap::Parser;

use args::{Command, CommandLine};
use output::is_closed_pipe;

/// What a finished command says to the shell.
pub(crate) enum Outcome {
    /// 0: nothing to complain of.
    Fine,
    /// 1: the work ran and found something wrong.
    FoundWrong,
}

fn main() -> ExitCode {
    let done = match CommandLine::parse().command {
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Cast(arguments) => cast::run(&arguments),
        Command::Walk(arguments) => walk::run(&arguments),
        Command::Explore(arguments) => explore::run(&arguments),
        Command::Pool(arguments) => pool::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
    };
    match done {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::FoundWrong) => ExitCode::from(1),
        // Whoever read the output has seen enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("carom: {error:#}");
            ExitCode::from(2)
        }
    }
}
