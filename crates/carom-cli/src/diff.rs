//! `carom diff`: the changes from one report to another.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use serde_json::json;

use crate::explore::FailOn;
use crate::outcome::Outcome;
use crate::output;
use crate::past::{self, Past, PastFinding};

/// Compares two reports of carom explore: new, known and gone findings, and the change in coverage.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  carom diff main/report.json branch/report.json
  carom diff old.json new.json --json --fail-on none

Exit code 1: there is a new finding that --fail-on names. Findings are compared
by their cells: a finding is new if one of its cells is far from all older cells
of its code.")]
pub(crate) struct DiffArgs {
    /// The older report.json.
    old: PathBuf,
    /// The newer report.json.
    new: PathBuf,
    /// Prints one line of JSON instead of readable text.
    #[arg(long)]
    json: bool,
    /// New findings that make the exit code 1: codes, or error, warning (includes errors), none.
    #[arg(long, value_name = "CODE,…", default_value = "error")]
    fail_on: FailOn,
}

pub(crate) fn run(arguments: &DiffArgs) -> Result<Outcome> {
    let old = Past::read(&arguments.old, "older report")?;
    let new = Past::read(&arguments.new, "newer report")?;
    ensure!(
        old.level == new.level,
        "the reports are from different levels, {:?} and {:?}: compare reports of the same level",
        old.level,
        new.level
    );
    old.compare_settings(new.cell(), new.radii());
    let before = old.knowledge();
    let is_listed = |finding: &&PastFinding| finding.folded.is_none();
    let (mut fresh, mut known) = (Vec::new(), Vec::new());
    for finding in new.findings.iter().filter(is_listed) {
        if before.holds(&finding.seen(new.cell())) { known.push(finding) } else { fresh.push(finding) }
    }
    let is_gone = |finding: &&PastFinding| {
        !new.findings.iter().any(|other| past::overlap(&other.seen(new.cell()), &finding.seen(old.cell())))
    };
    let gone: Vec<&PastFinding> = old.findings.iter().filter(is_listed).filter(is_gone).collect();
    let reached = new.coverage.reached_m2 - old.coverage.reached_m2;
    let walkable = new.coverage.walkable_m2 - old.coverage.walkable_m2;
    let mut out = output::open(None, &[])?;
    if arguments.json {
        let short = |list: &[&PastFinding]| -> Vec<_> {
            list.iter()
                .map(|it| json!({ "id": it.id, "code": it.code, "severity": it.severity, "position": it.position }))
                .collect()
        };
        let line = json!({
            "new": short(&fresh), "known": short(&known), "gone": short(&gone),
            "reached_m2": reached, "walkable_m2": walkable,
        });
        writeln!(out, "{line}")?;
    } else {
        writeln!(out, "{}: {} new, {} known, {} gone", new.level, fresh.len(), known.len(), gone.len())?;
        writeln!(out, "floor reached {reached:+.1} m², with room {walkable:+.1} m²\n")?;
        for (mark, list) in [("new", &fresh), ("gone", &gone)] {
            for it in list {
                let [x, y, z] = it.position;
                writeln!(
                    out,
                    "  {mark:<6}{:<14}{x:>8.2}, {y:>6.2}, {z:>7.2}   {}  {}",
                    it.code, it.meaning, it.id
                )?;
            }
        }
    }
    out.flush()?;
    let fails = fresh.iter().any(|finding| arguments.fail_on.includes_name(&finding.code));
    Ok(if fails { Outcome::FoundWrong } else { Outcome::Fine })
}
