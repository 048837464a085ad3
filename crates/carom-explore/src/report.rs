//! The report: what was explored, by which rules, and what is wrong.

use serde::Serialize;

use crate::explorer::Explorer;
use crate::findings::Finding;
use crate::spawn::Origin;

/// What an exploration cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Ticks that characters made.
    pub ticks: u64,
    /// Floor walked, in m² for each second.
    pub m2_per_s: f64,
}

#[derive(Serialize)]
struct Report<'a> {
    level: &'a str,
    complete: bool,
    spawns: Vec<SpawnEntry<'a>>,
    settings: Settings,
    coverage: Coverage,
    cost: Cost,
    findings: Vec<FindingEntry>,
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
struct FindingEntry {
    code: &'static str,
    severity: &'static str,
    position: [f64; 3],
    places: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    area_m2: Option<f64>,
    meaning: &'static str,
    ticks: u32,
    witness: String,
    picture: String,
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
pub fn report(explorer: &Explorer<'_>, findings: &[Finding], cost: Cost) -> String {
    let rules = explorer.rules();
    let numbers = |v: glam::DVec3| (v + glam::DVec3::ZERO).to_array();
    let [reached_m2, walkable_m2] = explorer.coverage();
    let report = Report {
        level: &explorer.level().name,
        complete: explorer.is_complete(),
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
        cost,
        findings: findings
            .iter()
            .enumerate()
            .map(|(number, finding)| FindingEntry {
                code: finding.code.name(),
                severity: finding.code.severity().name(),
                position: numbers(finding.position),
                places: finding.places,
                area_m2: finding.area,
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
