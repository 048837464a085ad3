//! Compares counted instructions with those that were counted before: a slow-down is seen however busy the
//! machine is.
//!
//! `.ci/guard` counts and calls this with what `gungraun` prints, one line of JSON a scene, on its input:
//!
//! ```text
//! carom-guard BASELINE.csv              exit code 1 if a scene takes more than 5 % more instructions than BASELINE.csv says
//! carom-guard BASELINE.csv --renew      writes BASELINE.csv
//! ```
//!
//! Counts are those of one build: another compiler, or another C library for what is copied, may change them
//! by a few per cent, which the margin is for, or by more, and then the baseline has to be renewed on what
//! there was before.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Read as _;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// By what share a scene may take more instructions, or less, before this says so.
const MARGIN: f64 = 0.05;

/// Instructions by scene.
type Counts = BTreeMap<String, u64>;

fn main() -> Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let path =
        arguments.next().context("say which baseline to compare with: carom-guard BASELINE.csv [--renew]")?;
    let renew = match arguments.next().as_deref() {
        None => false,
        Some("--renew") => true,
        Some(other) => bail!("{other} is not known: carom-guard BASELINE.csv [--renew]"),
    };
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).context("cannot read what gungraun prints")?;
    let counted = counts_in(&input)?;
    if renew {
        std::fs::write(&path, table(&counted)).with_context(|| format!("cannot write {path}"))?;
        println!("{path} renewed: {} scenes", counted.len());
        return Ok(ExitCode::SUCCESS);
    }
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
    let baseline = counts_of_table(&text).with_context(|| format!("cannot use {path}"))?;
    let Verdict { text, is_slower } = compare(&baseline, &counted);
    print!("{text}");
    Ok(if is_slower { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The counts in the output of gungraun: a line of JSON for each scene.
fn counts_in(input: &str) -> Result<Counts> {
    let mut counts = Counts::new();
    for line in input.lines().filter(|line| line.starts_with('{')) {
        let run: Value = serde_json::from_str(line).context("gungraun printed what is no JSON")?;
        let (function, id) = (run["function_name"].as_str(), run["id"].as_str());
        let (Some(function), Some(id)) = (function, id) else { bail!("gungraun names no scene: {line}") };
        let profiles = run["profiles"].as_array().map_or(&[][..], Vec::as_slice);
        let counted = profiles
            .iter()
            .find_map(|profile| profile["data"]["total"]["metrics"]["Ir"]["values"]["new"].as_u64());
        let counted = counted.with_context(|| format!("gungraun counted nothing in {function} {id}"))?;
        counts.insert(format!("{function} {id}"), counted);
    }
    ensure!(!counts.is_empty(), "gungraun counted no scene at all");
    Ok(counts)
}

fn table(counts: &Counts) -> String {
    let mut text = "scene,instructions\n".to_owned();
    for (scene, count) in counts {
        let _ = writeln!(text, "{scene},{count}");
    }
    text
}

fn counts_of_table(text: &str) -> Result<Counts> {
    let mut counts = Counts::new();
    for (number, line) in (1..).zip(text.lines()).skip(1) {
        let (scene, count) = line.rsplit_once(',').with_context(|| format!("line {number} has no comma"))?;
        let count = count.parse().with_context(|| format!("line {number} ends with no number: {line}"))?;
        counts.insert(scene.to_owned(), count);
    }
    Ok(counts)
}

/// The result of the comparison.
struct Verdict {
    text: String,
    is_slower: bool,
}

fn compare(baseline: &Counts, counted: &Counts) -> Verdict {
    let (mut text, mut is_slower, mut is_stale) = (String::new(), false, false);
    let _ = writeln!(text, "{:28} {:>14} {:>14}", "scene", "baseline", "now");
    for (scene, &now) in counted {
        let Some(&before) = baseline.get(scene) else {
            let _ = writeln!(text, "{scene:28} {:>14} {now:>14}  new", "-");
            is_stale = true;
            continue;
        };
        let change = now as f64 / before as f64 - 1.0;
        let word = if change > MARGIN {
            is_slower = true;
            "  SLOWER"
        } else if change < -MARGIN {
            is_stale = true;
            "  faster"
        } else {
            ""
        };
        let _ = writeln!(text, "{scene:28} {before:>14} {now:>14}  {:+.1} %{word}", 100.0 * change);
    }
    for scene in baseline.keys().filter(|scene| !counted.contains_key(*scene)) {
        let _ = writeln!(text, "{scene:28} was not counted");
        is_slower = true;
    }
    if is_slower {
        let _ = writeln!(
            text,
            "More than {:.0} % more instructions than the baseline, or a scene is gone. If that is meant: .ci/guard --renew",
            100.0 * MARGIN
        );
    } else if is_stale {
        let _ = writeln!(text, "Better than the baseline says. To keep it that way: .ci/guard --renew");
    }
    Verdict { text, is_slower }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(scenes: &[(&str, u64)]) -> Counts {
        scenes.iter().map(|(scene, count)| ((*scene).to_owned(), *count)).collect()
    }

    #[test]
    fn says_what_is_slower_and_fails() {
        let baseline = counts(&[("cast sphere", 1000), ("tick spread", 1000), ("build tree", 1000)]);
        let now = counts(&[("cast sphere", 1051), ("tick spread", 1049), ("build tree", 900)]);
        let verdict = compare(&baseline, &now);
        assert!(verdict.is_slower);
        let line = |scene: &str| verdict.text.lines().find(|line| line.starts_with(scene)).map(str::to_owned);
        assert!(line("cast sphere").is_some_and(|line| line.ends_with("+5.1 %  SLOWER")), "{}", verdict.text);
        assert!(line("tick spread").is_some_and(|line| line.ends_with("+4.9 %")), "{}", verdict.text);
        assert!(line("build tree").is_some_and(|line| line.ends_with("-10.0 %  faster")), "{}", verdict.text);
    }

    #[test]
    fn what_is_faster_or_new_passes_and_asks_for_a_new_baseline() {
        let baseline = counts(&[("cast sphere", 1000)]);
        let same = compare(&baseline, &baseline);
        assert!(!same.is_slower && !same.text.contains("--renew"));
        for now in [counts(&[("cast sphere", 940)]), counts(&[("cast sphere", 1000), ("cast ray", 9)])] {
            let verdict = compare(&baseline, &now);
            assert!(!verdict.is_slower && verdict.text.contains("--renew"), "{}", verdict.text);
        }
        assert!(compare(&baseline, &counts(&[])).is_slower, "a scene that is gone");
    }

    #[test]
    fn reads_what_it_writes_and_says_where_a_table_is_wrong() {
        let scenes = counts(&[("cast sphere", 1000), ("build tree", 70)]);
        assert_eq!(counts_of_table(&table(&scenes)).ok(), Some(scenes));
        let wrong = counts_of_table("scene,instructions\ncast sphere,many\n");
        assert!(wrong.is_err_and(|error| error.to_string().contains("line 2")));
    }

    #[test]
    fn reads_what_gungraun_prints() {
        let line = r#"{"function_name":"cast","id":"sphere","profiles":[{"data":{"total":{"metrics":{"Ir":{"values":{"new":7}}}}}}]}"#;
        let counted = counts_in(&format!("counting\n{line}\n"));
        assert_eq!(counted.ok(), Some(counts(&[("cast sphere", 7)])));
        assert!(counts_in("no line of it").is_err());
        assert!(counts_in(r#"{"function_name":"cast","id":"sphere","profiles":[]}"#).is_err());
    }
}
