//! The report: the level, the rules, and the findings.

pub(crate) mod canvas;
pub(crate) mod files;
pub(crate) mod font;
pub(crate) mod glb;
pub(crate) mod map;
pub(crate) mod page;
pub(crate) mod plan;
pub(crate) mod relief;
pub(crate) mod sarif;
pub(crate) mod solids;
pub(crate) mod storeys;
pub(crate) mod view;

use serde::Serialize;

use crate::explorer::Explorer;
use crate::findings::finding::{Code, Confirmed, Finding};
use crate::floor::spawn::Origin;
use crate::level::Level;

/// The cost of an exploration.
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

/// The cost of one phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Phase {
    /// `load`, `floor`, `flood`, `check`, `judge` or `write`.
    pub name: &'static str,
    /// By the clock on the wall, in seconds.
    pub seconds: f64,
}

/// The version of report.json: 2 since findings have extents.
pub const VERSION: u32 = 2;

/// The parts of a report that do not come from the exploration.
#[derive(Clone, Copy, Debug, Default)]
pub struct Past<'a> {
    /// All files of the report, relative to its folder.
    pub files: &'a [String],
    /// Which findings an earlier report knows, if one was given.
    pub known: Option<&'a [bool]>,
    /// Ids of what the earlier report had, and this one has not.
    pub gone: &'a [String],
    /// How far each body got, if there are several; the report's own is the first.
    pub bodies: &'a [Walked],
}

/// How far one of several bodies got.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Walked {
    /// As the rules call it.
    pub name: String,
    /// Half of the sides of its box, in meters.
    pub radii: [f64; 3],
    /// Floor that it reached, in m².
    pub reached_m2: f64,
    /// Floor that it has room on, in m².
    pub walkable_m2: f64,
    /// Its places.
    pub places: usize,
    /// Whether all of it was judged.
    pub complete: bool,
}

impl Walked {
    /// Of an exploration.
    pub fn of(name: &str, explorer: &Explorer<'_>) -> Self {
        let [reached_m2, walkable_m2] = explorer.coverage();
        Self {
            name: name.to_owned(),
            radii: (explorer.rules().radii + glam::DVec3::ZERO).to_array(),
            reached_m2,
            walkable_m2,
            places: explorer.progress().places,
            complete: explorer.is_complete(),
        }
    }
}

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    level: &'a str,
    level_hash: String,
    frame: FrameEntry,
    complete: bool,
    warnings: Vec<WarningEntry<'a>>,
    spawns: Vec<SpawnEntry<'a>>,
    settings: Settings,
    volumes: usize,
    coverage: Coverage,
    #[serde(skip_serializing_if = "<[Walked]>::is_empty")]
    bodies: &'a [Walked],
    cost: Cost,
    findings: Vec<FindingEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gone: Option<&'a [String]>,
    files: &'a [String],
}

/// How `file_position` comes about.
#[derive(Serialize)]
struct FrameEntry {
    up: &'static str,
    scale: f64,
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
    air_control: f64,
    air_steps: bool,
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
    rank: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    position: [f64; 3],
    file_position: [f64; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<&'a str>,
    extent: ExtentEntry<'a>,
    places: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    area_m2: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length_m: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    folded: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed: Option<Confirmed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<&'a str>,
    meaning: &'static str,
    /// Of the way there; of `UNREACHED` there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
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

/// How long the way to a finding takes, if there is one.
pub(crate) fn seconds(finding: &Finding, dt: f64) -> Option<f64> {
    (finding.code != Code::Unreached).then(|| f64::from(finding.witness.ticks) * dt)
}

/// The meaning of a finding, with the body if it is not the report's own.
pub(crate) fn meaning(finding: &Finding) -> String {
    match &finding.body {
        Some(body) => format!("{} (body {:?})", finding.code.meaning(), body.name),
        None => finding.code.meaning().to_owned(),
    }
}

/// The object that a finding stands on.
pub(crate) fn object<'a>(level: &'a Level, half_height: f64, finding: &Finding) -> Option<&'a str> {
    // A little above, as floor may be where the point is; down to a step below the feet.
    level.object_below(finding.position + glam::DVec3::Y * 0.1, 2.0 * half_height + 0.5)
}

/// report.json. But for the seconds of `cost`, the same for the same input.
pub fn report(explorer: &Explorer<'_>, findings: &[Finding], cost: &Cost, past: Past<'_>) -> String {
    let rules = explorer.rules();
    let numbers = |v: glam::DVec3| (v + glam::DVec3::ZERO).to_array();
    let [reached_m2, walkable_m2] = explorer.coverage();
    let level = explorer.level();
    let report = Report {
        version: VERSION,
        level: &level.name,
        level_hash: format!("{:016x}", level.checksum()),
        frame: FrameEntry { up: if level.frame.is_z_up { "z" } else { "y" }, scale: level.frame.scale },
        complete: explorer.is_complete() && past.bodies.iter().all(|body| body.complete),
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
            air_control: rules.settings.air_control,
            air_steps: rules.settings.air_steps,
            dt: rules.dt,
            cell: rules.cell(),
            min_area: rules.min_area,
            moving_bodies: if level.moving().is_empty() { "frozen" } else { "moving" },
        },
        coverage: Coverage { reached_m2, walkable_m2, places: explorer.progress().places },
        bodies: past.bodies,
        volumes: level.volumes.list().len(),
        cost: cost.clone(),
        gone: past.known.map(|_| past.gone),
        files: past.files,
        findings: findings
            .iter()
            .enumerate()
            .map(|(number, finding)| FindingEntry {
                id: &finding.id,
                code: finding.code.name(),
                severity: finding.code.severity().name(),
                rank: number + 1,
                status: past.known.map(|known| if known[number] { "known" } else { "new" }),
                position: numbers(finding.position),
                file_position: numbers(level.frame.to_file(finding.position)),
                object: object(level, finding.rules(rules).radii.y, finding),
                body: finding.body.as_ref().map(|body| body.name.as_str()),
                extent: ExtentEntry {
                    min: numbers(finding.extent.min),
                    max: numbers(finding.extent.max),
                    cells: &finding.extent.cells,
                },
                places: finding.places,
                area_m2: finding.area,
                length_m: finding.length,
                folded: finding.folded.as_deref(),
                cause: finding.cause,
                confirmed: finding.confirmed,
                meaning: finding.code.meaning(),
                seconds: seconds(finding, rules.dt),
                ticks: finding.witness.ticks,
                witness: witness_path(number),
                picture: picture_path(number),
            })
            .collect(),
    };
    // Finite numbers and strings are always JSON.
    serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"
}
