//! The `carom` command as scripts see it: exit codes, what goes to standard output, what to standard error.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod animated;
mod bench;
mod cast;
mod crew;
mod data;
mod explore;
mod explore_moving;
mod inspect;
mod leaks;
mod moving;
mod patches;
mod pool;
mod refusals;
mod report;
mod scene;
mod schema;
mod sensors;
mod terrain;
mod tiles;
mod together;
mod trace;
mod walk;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A box of 2 m about the origin, in quads.
const CUBE: &str = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n\
    f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 1 5 8 4\n";

fn carom(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// The exit code and the output of a command that has ended.
struct Said {
    code: i32,
    out: String,
    err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().expect("no command here is ended by a signal"),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

fn run(arguments: &[&str]) -> Said {
    carom(arguments).output().unwrap().into()
}

fn run_with_input(arguments: &[&str], input: &str) -> Said {
    let mut child =
        carom(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // A child that refuses its arguments reads nothing: a broken pipe is fine.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output.into()
}

/// Files of one test.
struct Files(TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        text_of(&path)
    }
}

fn text_of(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Refused as unusable: nothing on standard output, and every one of `parts` on standard error.
#[track_caller]
fn assert_refused(said: &Said, parts: &[&str]) {
    assert_eq!(said.code, 2, "{}", said.err);
    assert_eq!(said.out, "");
    for part in parts {
        assert!(said.err.contains(part), "{part:?} is not in {:?}", said.err);
    }
    assert!(!said.err.contains("panicked"), "{}", said.err);
}

#[test]
fn help_and_version_are_fine_and_usage_errors_are_two() {
    for command in ["inspect", "cast", "walk", "explore", "tile", "diff", "pool", "bench"] {
        let said = run(&[command, "--help"]);
        assert_eq!(said.code, 0);
        assert!(said.out.contains("Examples:"), "{}", said.out);
    }
    assert_eq!(run(&["--version"]).code, 0);
    assert_refused(&run(&["inspect"]), &["LEVEL"]);
    assert_refused(&run(&["fly"]), &["fly"]);
    assert_refused(&run(&["cast", "x.obj", "--threads", "0"]), &["--threads"]);
}

#[test]
fn a_number_out_of_range_is_refused_with_its_range() {
    let files = Files::new();
    let cube = files.write("cube.obj", CUBE);
    for (arguments, parts) in [
        (["explore", &cube, "--jump", "-1"], &["jump", "at least 0"][..]),
        (["explore", &cube, "--cell", "-1"], &["cell", "greater than 0"]),
        (["explore", &cube, "--min-area", "-1"], &["min_area", "at least 0"]),
        (["explore", &cube, "--radii", "0,1,1"], &["radi", "greater than 0"]),
        (["explore", &cube, "--radii", "-1,1,1"], &["radi", "greater than 0"]),
        (["explore", &cube, "--stop-after", "-1"], &["--stop-after", "at least 0"]),
        (["explore", &cube, "--scale", "-1"], &["scale -1", "greater than 0"]),
        (["explore", &cube, "--cell", "0"], &["cell", "greater than 0"]),
        (["inspect", &cube, "--seam", "-1"], &["seam"]),
        (["cast", &cube, "--threads", "-3"], &["--threads", "-3", "1..=1024"]),
        (["explore", &cube, "--threads", "-3"], &["--threads", "-3", "1..=1024"]),
        (["explore", &cube, "--workers", "-1"], &["--workers", "-1", "1..=1024"]),
        (["explore", &cube, "--spawn-local", "-1"], &["--spawn-local", "-1", "1..=256"]),
        (["explore", &cube, "--processes", "-1"], &["--processes", "-1", "1..=4096"]),
        (["explore", &cube, "--process", "-1"], &["--process", "-1"]),
        (["explore", &cube, "--tile-memory", "-1"], &["--tile-memory", "-1", "1..=65535"]),
        (["explore", &cube, "--wait", "-1"], &["--wait", "-1"]),
    ] {
        let said = run(&arguments);
        assert_refused(&said, parts);
        assert!(!said.err.contains("Usage") && !said.err.contains("note:"), "{}", said.err);
    }
}

#[test]
fn an_error_says_a_thing_once() {
    let files = Files::new();
    let broken = files.write("broken.obj", "v nan 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    for command in ["explore", "cast"] {
        let said = run(&[command, &broken]);
        assert_refused(&said, &["broken.obj", "vertex 0 is not finite"]);
        assert_eq!(said.err.matches("not finite").count(), 1, "{}", said.err);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_level() {
    let files = Files::new();
    for name in ["level.obj", "level.bsp", "level.map"] {
        let pipe = files.path(name);
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for command in ["inspect", "explore"] {
            assert_refused(&run(&[command, &text_of(&pipe)]), &[name, "pipe"]);
        }
    }
}
