//! The `carom` command as a function: [`run`] takes the arguments and returns the exit code.
//!
//! It explores levels, inspects them, casts shapes through them, walks characters over them, plays balls
//! and measures the machine.
#![forbid(unsafe_code)]

mod bench;
mod cast;
mod diff;
mod explore;
mod inspect;
mod json;
mod leaks;
mod level;
mod outcome;
mod output;
mod parts;
mod past;
mod pool;
mod query;
mod tile;
mod volume;
mod walk;

use std::ffi::OsString;

use clap::{Parser, Subcommand};

use outcome::Outcome;
use output::is_closed_pipe;

/// Finds where players fall out of a game level, get stuck or never arrive, with a replay of each
/// (`carom explore`). Also casts shapes through levels, inspects them, walks characters, and plays balls.
#[derive(Debug, Parser)]
#[command(name = "carom", version, max_term_width = 100)]
#[command(after_help = "Start here:
  carom explore                            explores the built-in courtyard
  carom explore castle.glb --out report    explores your level, writes a page")]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Explore(Box<explore::ExploreArgs>),
    Diff(diff::DiffArgs),
    Tile(tile::TileArgs),
    Inspect(inspect::InspectArgs),
    Cast(cast::CastArgs),
    Walk(walk::WalkArgs),
    Pool(pool::PoolArgs),
    Bench(bench::BenchArgs),
}

/// Runs the command with these arguments, of which the first is its name, and returns its exit code: 0 fine,
/// 1 the work ran and found something wrong, 2 unusable input or arguments. Results go to standard output,
/// errors to standard error.
///
/// ```
/// assert_eq!(carom_cli::run(["carom", "inspect", "no-such-level.glb"]), 2);
/// ```
pub fn run<I>(arguments: I) -> u8
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    let command = match CommandLine::try_parse_from(arguments) {
        Ok(line) => line.command,
        Err(error) => {
            // Only a closed pipe can go wrong here.
            let _ = error.print();
            return if error.use_stderr() { 2 } else { 0 };
        }
    };
    let done = match command {
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Cast(arguments) => cast::run(&arguments),
        Command::Walk(arguments) => walk::run(&arguments),
        Command::Explore(arguments) => explore::run(&arguments),
        Command::Tile(arguments) => tile::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Pool(arguments) => pool::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
    };
    match done {
        Ok(Outcome::Fine) => 0,
        Ok(Outcome::FoundWrong) => 1,
        // The reader of the output has seen enough.
        Err(error) if is_closed_pipe(&error) => 0,
        Err(error) => {
            eprintln!("carom: {error:#}");
            2
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn examples_fit_a_terminal_of_80_columns() {
        let command = CommandLine::command();
        for part in command.get_subcommands().chain([&command]) {
            let help = part.get_after_help().map(ToString::to_string).unwrap_or_default();
            let long: Vec<&str> = help.lines().filter(|line| line.chars().count() > 80).collect();
            assert!(long.is_empty(), "{}: {long:#?}", part.get_name());
        }
    }
}
