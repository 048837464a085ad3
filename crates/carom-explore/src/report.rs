//! The report: what was explored, by which rules, and what is wrong.

use serde::Serialize;

use crate::explorer::Explorer;
use crate::findings::{Confirmed, Finding};
use crate::spawn::Origin;

/// What an exploration cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cost {
    /// From the start to the report, by the clock on the wall, in seconds.
    pub seconds: f64,
    /// The same by phase, in order.
    pub phases: Vec<Phase>,
    /// Ticks that characters made.
    pub ticks: u64,
    /// Floor walked, in m² for each second.
    pub m2_per_s: f64,
}

/// What one phase took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Phase {
    /// `load`, `floor`, `flood`, `check`, `judge` or `write`.
    pub name: &'static str,
    /// By the clock on the wall, in seconds.
    pub seconds: f64,
}

#[derive(Serialize)]
struct Report<'a> {
    level: &'a str,
    complete: bool,
    warnings: Vec<WarningEntry<'a>>,
    spawns: Vec<SpawnEntry<'a>>,
    settings: Settings,
    coverage: Coverage,
    cost: Cost,
    findings: Vec<FindingEntry<'a>>,
}

#[derive(Serialize)]
struct WarningEntry<'a> {
    code: &'static str,
    message: &'a str,
}

#[derive(Serialize)]
struct SpawnEntry<'a> {
    position: [f64; 3],
    origin: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
}

#[derive(Serialize)]
struct Settings {
    radii: [f64; 3],
    speed: f64,
    jump: f64,
    gravity: [f64; 3],
    step_height: f64,
    max_slope_degrees: f64,
    dt: f64,
    cell: f64,
    min_area: f64,
    moving_bodies: &'static str,
}

#[derive(Serialize)]
struct Coverage {
    reached_m2: f64,
    walkable_m2: f64,
    places: usize,
}

#[derive(Serialize)]
struct FindingEntry<'a> {
    id: &'a str,
    code: &'static str,
    severity: &'static str,
    position: [f64; 3],
    extent: ExtentEntry<'a>,
    places: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    area_m2: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length_m: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    folded: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed: Option<Confirmed>,
    meaning: &'static str,
    ticks: u32,
    witness: String,
    picture: String,
}

#[derive(Serialize)]
struct ExtentEntry<'a> {
    min: [f64; 3],
    max: [f64; 3],
    /// Of the grid: x, height and z by the cell.
    cells: &'a [[i32; 3]],
}

/// Where the witness of the finding with this number (from 0) is, beside the report.
pub fn witness_path(number: usize) -> String {
    format!("witness/{:04}.json", number + 1)
}

/// Where the picture of the finding with this number (from 0) is, beside the report.
pub fn picture_path(number: usize) -> String {
    format!("picture/{:04}.png", number + 1)
}

/// report.json. But for the seconds of `cost`, the same for the same input.
pub fn report(explorer: &Explorer<'_>, findings: &[Finding], cost: &Cost) -> String {
    let rules = explorer.rules();
    let numbers = |v: glam::DVec3| (v + glam::DVec3::ZERO).to_array();
    let [reached_m2, walkable_m2] = explorer.coverage();
    let report = Report {
        level: &explorer.level().name,
        complete: explorer.is_complete(),
        warnings: explorer
            .warnings()
            .iter()
            .map(|warning| WarningEntry { code: warning.code, message: &warning.message })
            .collect(),
        spawns: explorer
            .spawns()
            .iter()
            .map(|spawn| SpawnEntry {
                position: numbers(spawn.position),
                origin: match spawn.origin {
                    Origin::Given => "given",
                    Origin::Named(_) => "named",
                    Origin::Found => "found",
                },
                name: if let Origin::Named(name) = &spawn.origin { Some(name) } else { None },
            })
            .collect(),
        settings: Settings {
            radii: numbers(rules.radii),
            speed: rules.speed,
            jump: rules.jump,
            gravity: numbers(rules.settings.gravity),
            step_height: rules.settings.step_height,
            max_slope_degrees: rules.settings.max_slope.to_degrees(),
            dt: rules.dt,
            cell: rules.cell(),
            min_area: rules.min_area,
            moving_bodies: "frozen",
        },
        coverage: Coverage { reached_m2, walkable_m2, places: explorer.places().len() },
        cost: cost.clone(),
        findings: findings
            .iter()
            .enumerate()
            .map(|(number, finding)| FindingEntry {
                id: &finding.id,
                code: finding.code.name(),
                severity: finding.code.severity().name(),
                position: numbers(finding.position),
                extent: ExtentEntry {
                    min: numbers(finding.extent.min),
                    max: numbers(finding.extent.max),
                    cells: &finding.extent.cells,
                },
                places: finding.places,
                area_m2: finding.area,
                length_m: finding.length,
                folded: finding.folded.as_deref(),
                confirmed: finding.confirmed,
                meaning: finding.code.meaning(),
                ticks: finding.witness.ticks,
                witness: witness_path(number),
                picture: picture_path(number),
            })
            .collect(),
    };
    // Finite numbers and strings are always JSON.
    serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"
}
