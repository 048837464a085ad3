//! `carom inspect`: the parts and the defects of a level.

use std::collections::BTreeSet;
use std::io::Write;

use anyhow::{Context, Result};
use carom::mesh::{Report, Unit, UpAxis, inspect};
use carom_formats::{Format, RawLevel, Skipped};
use clap::Args;
use serde::Serialize;

use crate::leaks::{self, LeakArgs};
use crate::level::LevelArgs;
use crate::outcome::Outcome;
use crate::output::{self, numbers};

/// Counts the parts and the defects of a level.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  carom inspect castle.glb
  carom inspect castle.obj --up z --scale 0.01 --json
  carom inspect castle.map --leaks --pts castle.pts")]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    level: LevelArgs,
    /// Prints one line of JSON instead of readable text.
    #[arg(long)]
    json: bool,
    /// Open edges that are nearer than this but do not meet are a seam, in meters. Default: a millionth of
    /// the largest side.
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    seam: Option<f64>,
    #[command(flatten)]
    leaks: LeakArgs,
}

/// The line of `--json`, its keys in this order.
#[derive(Serialize)]
struct Line {
    format: &'static str,
    triangles: usize,
    vertices: usize,
    min: Option<[f64; 3]>,
    max: Option<[f64; 3]>,
    up: String,
    unit: String,
    /// The flags to read it with y up and in meters; `None` if that is how it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    flags: Option<String>,
    watertight: bool,
    nodes: usize,
    instances: usize,
    defects: DefectsLine,
}

#[derive(Serialize)]
struct DefectsLine {
    non_finite: usize,
    degenerate: usize,
    duplicate: usize,
    sliver: usize,
    non_manifold_edges: usize,
    open_edges: usize,
    seams: usize,
}

pub(crate) fn run(arguments: &InspectArgs) -> Result<Outcome> {
    if arguments.leaks.leaks {
        return leaks::run(&arguments.level, &arguments.leaks, arguments.json);
    }
    let level = arguments.level.load()?;
    let mut report = inspect(&level.vertices, &level.triangles, arguments.seam)
        .with_context(|| format!("cannot inspect {}", arguments.level.level.display()))?;
    let is_stated = has_frame_of_format(&level);
    if is_stated {
        (report.up, report.unit) = (UpAxis::Y, Unit::Meter);
    } else if !level.skies.is_empty() {
        // The height of the sky says nothing about the unit.
        let is_sky = |i: usize| level.skies.contains(level.surface_ids.get(i).unwrap_or(&0));
        let below: Vec<[u32; 3]> =
            (0..level.triangles.len()).filter(|i| !is_sky(*i)).map(|i| level.triangles[i]).collect();
        let guess = inspect(&level.vertices, &below, Some(0.0))?;
        (report.up, report.unit) = (guess.up, guess.unit);
    }
    let line = Line::of(&level, &report, level.scale);
    let mut out = output::open(None, &[])?;
    if arguments.json {
        serde_json::to_writer(&mut out, &line)?;
        writeln!(out)?;
    } else {
        let name = arguments.level.level.display().to_string();
        print(&mut out, &name, &line, &level.skipped, is_stated)?;
    }
    out.flush()?;
    Ok(Outcome::Fine)
}

impl Line {
    fn of(level: &RawLevel, report: &Report, scale: f64) -> Self {
        let defects = &report.defects;
        let meshes: BTreeSet<u32> = level.nodes.iter().map(|node| node.mesh).collect();
        Self {
            format: level.format.extension(),
            triangles: report.triangles,
            vertices: report.vertices,
            min: report.bounds.map(|bounds| numbers(bounds.min())),
            max: report.bounds.map(|bounds| numbers(bounds.max())),
            up: report.up.to_string(),
            unit: report.unit.to_string(),
            flags: flags(report, scale),
            watertight: report.watertight,
            nodes: level.nodes.len(),
            instances: level.nodes.len() - meshes.len(),
            defects: DefectsLine {
                non_finite: defects.non_finite,
                degenerate: defects.degenerate,
                duplicate: defects.duplicate,
                sliver: defects.sliver,
                non_manifold_edges: defects.non_manifold_edges,
                open_edges: defects.open_edges,
                seams: defects.seams,
            },
        }
    }
}

/// The flags that `carom explore` warns about, too.
fn flags(report: &Report, scale: f64) -> Option<String> {
    let mut flags = Vec::new();
    if report.up == UpAxis::Z {
        flags.push("--up z".to_owned());
    }
    let meters = report.unit.meters();
    if meters != 1.0 {
        flags.push(format!("--scale {}", meters * scale));
    }
    (!flags.is_empty()).then(|| flags.join(" "))
}

/// Whether the format of a file says its axis and its unit, and no flag another.
fn has_frame_of_format(level: &RawLevel) -> bool {
    let RawLevel { format, up, scale, .. } = level;
    matches!(format, Format::Bsp | Format::Map) && *up == format.up() && *scale == format.scale()
}

fn print(out: &mut dyn Write, name: &str, line: &Line, skipped: &Skipped, is_stated: bool) -> Result<()> {
    writeln!(out, "{name} ({})", line.format)?;
    writeln!(out, "  {:<20}{}", "triangles", line.triangles)?;
    writeln!(out, "  {:<20}{}", "vertices", line.vertices)?;
    if let (Some(min), Some(max)) = (line.min, line.max) {
        let [x, y, z] = [0, 1, 2].map(|axis| max[axis] - min[axis]);
        writeln!(out, "  {:<20}{x:.3} × {y:.3} × {z:.3}", "extents")?;
        writeln!(out, "  {:<20}{} {} {}", "from", min[0], min[1], min[2])?;
        writeln!(out, "  {:<20}{} {} {}", "to", max[0], max[1], max[2])?;
    }
    let source = if is_stated { "by the format" } else { "guessed" };
    writeln!(out, "  {:<20}{} ({source})", "up", line.up)?;
    writeln!(out, "  {:<20}{} ({source})", "unit", line.unit)?;
    if let Some(flags) = &line.flags {
        writeln!(out, "  {:<20}{flags}", "flags to pass")?;
    }
    writeln!(out, "  {:<20}{}", "watertight", if line.watertight { "yes" } else { "no" })?;
    if line.nodes > 0 {
        writeln!(
            out,
            "  {:<20}{} ({} instances of a mesh that another shows)",
            "nodes", line.nodes, line.instances
        )?;
    }
    if line.triangles == 0 {
        writeln!(out, "no triangles: nothing to stand on or to hit. {}", held(skipped))?;
    }
    writeln!(out, "defects")?;
    let defects = &line.defects;
    for (what, count, meaning) in [
        ("non-finite", defects.non_finite, "vertices that are NaN or infinite"),
        ("degenerate", defects.degenerate, "triangles without area"),
        ("duplicate", defects.duplicate, "triangles with the corners of an earlier one"),
        ("slivers", defects.sliver, "triangles less than 0.1 % as high as long"),
        ("non-manifold edges", defects.non_manifold_edges, "edges of more than two triangles"),
        ("open edges", defects.open_edges, "edges of one triangle"),
        ("seams", defects.seams, "pairs of open edges that nearly meet"),
    ] {
        writeln!(out, "  {what:<20}{count:<10}{meaning}")?;
    }
    Ok(())
}

/// Contents of a file that are not triangles.
fn held(skipped: &Skipped) -> String {
    let counts = [
        (skipped.points, "points"),
        (skipped.lines, "lines"),
        (skipped.incomplete_faces, "faces of fewer than three corners"),
        (skipped.free_form, "free-form surfaces"),
        (skipped.primitives, "primitives without positions"),
    ];
    let held: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, of)| format!("{count} {of}")).collect();
    if held.is_empty() {
        "Is it the right file?".to_owned()
    } else {
        format!("The file holds {}: export it as triangles.", held.join(", "))
    }
}
