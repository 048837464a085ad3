//! The output of `carom explore`.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::Result;
use carom_explore::{Cost, Explorer, Finding, Origin, Severity, Walked, witness_path};

use super::args::ExploreArgs;
use super::command::{again_with_out, quoted};
use super::rules::own_preset;
use crate::past::Past;

/// More findings than this are in the report only.
const LISTED: usize = 40;

/// Findings, and for each whether it is new since an earlier report.
#[derive(Clone, Copy)]
pub(crate) struct Judged<'a> {
    pub(crate) findings: &'a [Finding],
    pub(crate) is_new: &'a [bool],
}

pub(crate) fn of(
    arguments: &ExploreArgs,
    explorer: &Explorer<'_>,
    bodies: &[Walked],
    Judged { findings, is_new }: Judged<'_>,
    spent: &Cost,
) -> Result<String> {
    let mut text = String::new();
    let (level, rules) = (explorer.level(), explorer.rules());
    let (size, body) = (level.bounds().size(), 2.0 * rules.radii);
    match &arguments.level {
        Some(path) => writeln!(text, "Explored {}.\n", path.display())?,
        None => writeln!(text, "Explored the built-in courtyard, which has planted defects.\n")?,
    }
    writeln!(
        text,
        "  level    {} triangles, {:.0} × {:.0} × {:.0} m",
        grouped(level.triangle_count() as u64),
        size.x,
        size.z,
        size.y
    )?;
    let jump = match rules.jump {
        jump if jump > 0.0 => format!("jumps at {jump} m/s"),
        _ => "does not jump".to_owned(),
    };
    let in_air = if rules.settings.air_steps { " (in the air too)" } else { "" };
    writeln!(
        text,
        "  body     {} × {} × {} m, walks at {} m/s, climbs steps of {} m{in_air} and slopes of {:.0}°, {jump}",
        body.x,
        body.y,
        body.z,
        rules.speed,
        rules.settings.step_height,
        rules.settings.max_slope.to_degrees()
    )?;
    if arguments.preset.is_none()
        && arguments.rules.is_none()
        && let Some(preset) = own_preset(arguments)
    {
        writeln!(text, "           (the preset {preset}, from the level's game; --preset chooses another)")?;
    }
    for spawn in explorer.spawns() {
        let p = spawn.position;
        let why = match &spawn.origin {
            Origin::Given if arguments.spawn.is_empty() => "the level's".to_owned(),
            Origin::Given => "given".to_owned(),
            Origin::Named(name) => format!("the point {name:?} of the level"),
            Origin::Found => {
                "found: the middle of the largest floor; --spawn x,y,z chooses another".to_owned()
            }
        };
        writeln!(text, "  spawn    {:.2}, {:.2}, {:.2} ({why})", p.x, p.y, p.z)?;
    }
    let [reached, walkable] = explorer.coverage();
    let share = if walkable > 0.0 { 100.0 * reached / walkable } else { 0.0 };
    writeln!(
        text,
        "  reached  {} of {} m² of floor ({share:.1} %)",
        grouped(reached.round() as u64),
        grouped(walkable.round() as u64)
    )?;
    for body in bodies.iter().skip(1) {
        writeln!(
            text,
            "           {} of {} m² by the body {:?}",
            grouped(body.reached_m2.round() as u64),
            grouped(body.walkable_m2.round() as u64),
            body.name
        )?;
    }
    writeln!(text, "  cost     {}", cost(explorer, spent))?;
    if !explorer.is_complete() {
        writeln!(text, "\n  Stopped early. This report covers only what was walked.")?;
    }
    for warning in explorer.warnings() {
        writeln!(text, "\n  {}: {}", warning.code, warning.message)?;
    }
    let listed: Vec<usize> = (0..findings.len()).filter(|i| findings[*i].is_listed()).collect();
    let count = |severity| listed.iter().filter(|i| findings[**i].code.severity() == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    if listed.is_empty() && !explorer.is_complete() {
        writeln!(text, "\nNo defects were found until then.")?;
    } else if listed.is_empty() && explorer.warnings().iter().any(|warning| warning.code == "SPAWN_OUTSIDE") {
        writeln!(text, "\nNo defects were found, but hardly anything was explored.")?;
    } else if listed.is_empty() {
        writeln!(
            text,
            "\nNo defects: players cannot fall out or get stuck, and all floor that matters was reached."
        )?;
    } else {
        writeln!(text, "\n{} and {}:\n", plural(errors, "error"), plural(warnings, "warning"))?;
    }
    for number in listed.iter().copied().take(LISTED) {
        let finding = &findings[number];
        let p = finding.position;
        let area = finding.area.map(|area| format!("{area:.1} m²"));
        let body = finding.body.as_ref().map(|body| format!("body {:?}", body.name));
        let more: Vec<String> =
            area.into_iter().chain(finding.cause.map(str::to_owned)).chain(body).collect();
        let more = if more.is_empty() { String::new() } else { format!(" ({})", more.join(", ")) };
        let known = if is_new[number] { "" } else { ", known" };
        writeln!(
            text,
            "  {:>3}  {:<14}{:>8.2}, {:>6.2}, {:>7.2}   {}{more}{known}",
            number + 1,
            finding.code.name(),
            p.x,
            p.y,
            p.z,
            finding.code.meaning()
        )?;
    }
    if listed.len() > LISTED {
        writeln!(text, "  … and {} more", listed.len() - LISTED)?;
    }
    let mut folds: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for finding in findings {
        if let Some(why) = &finding.folded {
            *folds.entry((finding.code.name(), why)).or_default() += 1;
        }
    }
    if !folds.is_empty() {
        let folds: Vec<String> =
            folds.iter().map(|((code, why), count)| format!("{count} {code}, {why}")).collect();
        writeln!(text, "\n  In the report, but not listed here: {}.", folds.join("; "))?;
    }
    match &arguments.out {
        Some(folder) => {
            let page = folder.join("report.html");
            writeln!(text, "\nOpen {} for the map and the paths there.", quoted(page.as_os_str()))?;
            if !findings.is_empty() {
                let scene = folder.join(witness_path(0));
                writeln!(text, "Replay the first: carom walk {}", quoted(scene.as_os_str()))?;
            }
        }
        None => {
            let again = again_with_out(std::env::args_os());
            writeln!(text, "\nNext: {again}   writes a page, a map, and a scene that replays each finding")?;
        }
    }
    Ok(text)
}

/// The changes since an earlier report, in a line.
pub(crate) fn change(explorer: &Explorer<'_>, past: &Past, is_new: &[bool], gone: usize) -> String {
    let new = is_new.iter().filter(|new| **new).count();
    let [reached, _] = explorer.coverage();
    let more = reached - past.coverage.reached_m2;
    format!(
        "Since the baseline: {new} new, {} known, {gone} gone; floor reached {more:+.1} m².",
        is_new.len() - new
    )
}

/// Lines that GitHub shows beside a change: new listed findings. It shows ten of a step.
pub(crate) fn annotations(arguments: &ExploreArgs, findings: &[Finding], is_new: &[bool]) -> String {
    let escaped = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let level = arguments.level.as_ref().map_or("courtyard".into(), |path| path.to_string_lossy());
    let file = escaped(&level).replace(',', "%2C").replace(':', "%3A");
    let listed = findings.iter().zip(is_new).filter(|(finding, new)| **new && finding.is_listed());
    let mut lines = String::new();
    for (finding, _) in listed.take(10) {
        let (p, code) = (finding.position, finding.code);
        let _ = writeln!(
            lines,
            "::{} file={file},title={}::{}",
            code.severity().name(),
            code.name(),
            escaped(&format!("{} at {:.2}, {:.2}, {:.2}", code.meaning(), p.x, p.y, p.z))
        );
    }
    lines
}

/// The cost, in a line.
pub(crate) fn cost(explorer: &Explorer<'_>, cost: &Cost) -> String {
    format!(
        "{} places, {} ticks of the character, {:.1} s, {} m²/s",
        grouped(explorer.progress().places as u64),
        grouped(cost.ticks),
        cost.seconds,
        grouped(cost.m2_per_s.round() as u64)
    )
}

fn plural(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
