//! The lines of `carom walk`.

use std::io::Write;

use anyhow::Result;
use carom::character::{Character, Obstacle, Report};
use glam::DVec3;
use serde::Serialize;

use super::names::Names;
use super::sensing::SensorLine;
use super::slide::Walker;
use super::trace::{Listener, NoteLine};
use crate::output::numbers;

#[derive(Serialize)]
pub(crate) struct TickLine<'a> {
    pub(crate) tick: u64,
    pub(crate) time: f64,
    pub(crate) characters: Vec<CharacterLine<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) sensors: Vec<SensorLine<'a>>,
}

/// A character at the end of a tick.
#[derive(Serialize)]
pub(crate) struct CharacterLine<'a> {
    name: &'a str,
    position: [f64; 3],
    velocity: [f64; 3],
    yaw: f64,
    grounded: bool,
    ground_body: Option<&'a str>,
    ground_normal: Option<[f64; 3]>,
    contacts: usize,
    stepped: f64,
    crushed_by: Vec<&'a str>,
    /// Characters that stand on its head.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    riders: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Vec<NoteLine<'a>>>,
}

#[derive(Serialize)]
struct SummaryLine {
    summary: Summary,
}

#[derive(Serialize)]
struct Summary {
    ticks: u64,
    state_hash: String,
}

impl<'a> CharacterLine<'a> {
    /// A line of the rule `character`.
    pub(crate) fn of_character(
        names: &Names<'a>,
        name: &'a str,
        character: &Character,
        report: &Report,
        listener: &Listener,
    ) -> Self {
        Self {
            name,
            position: numbers(character.position()),
            velocity: numbers(character.velocity()),
            yaw: character.yaw() + 0.0,
            grounded: report.ground.is_some(),
            ground_body: report.ground.map(|ground| names.of(ground.obstacle)),
            ground_normal: report.ground.map(|ground| numbers(ground.normal)),
            contacts: report.touched().count(),
            stepped: report.stepped,
            crushed_by: report.crushed_by().map(|by| names.of(by.obstacle)).collect(),
            riders: report.riders().map(|rider| names.of(Obstacle::Character(rider.character))).collect(),
            trace: listener.lines(names),
        }
    }

    /// A line of the rule `slide`, which neither turns nor steps.
    pub(crate) fn of_walker(names: &Names<'a>, name: &'a str, walker: &Walker, listener: &Listener) -> Self {
        let ground = walker.ground();
        Self {
            name,
            position: numbers(walker.position),
            velocity: numbers(walker.velocity),
            yaw: 0.0,
            grounded: ground.is_some(),
            ground_body: ground.map(|touch| names.of(Obstacle::Body(touch.key))),
            ground_normal: ground.map(|touch| numbers(touch.contact.normal)),
            contacts: walker.touched.len(),
            stepped: 0.0,
            crushed_by: walker.crushed_by.iter().map(|part| names.of(Obstacle::Body(*part))).collect(),
            riders: Vec::new(),
            trace: listener.lines(names),
        }
    }
}

/// One line for a tick.
pub(crate) fn write_tick(out: &mut dyn Write, line: &TickLine<'_>) -> Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    writeln!(out)?;
    Ok(())
}

/// The data under the hash of the summary.
#[derive(Debug, Default)]
pub(crate) struct Final {
    numbers: Vec<f64>,
}

impl Final {
    pub(crate) fn add_character(&mut self, position: DVec3, velocity: DVec3, yaw: f64) {
        self.numbers.extend([position, velocity].map(numbers).as_flattened());
        self.numbers.push(yaw + 0.0);
    }

    pub(crate) fn add_body(&mut self, position: DVec3) {
        self.numbers.extend(numbers(position));
    }

    fn hash(&self) -> u64 {
        self.numbers.iter().flat_map(|x| x.to_le_bytes()).fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        })
    }
}

/// The last line. The hash is FNV-1a, 64 bits, over the little-endian bytes of each character's position,
/// velocity and yaw (seven f64 each, −0 as 0), then of each dynamic body's position, all in the order of the
/// scene: two runs with the same hash ended in the same state, to the bit.
pub(crate) fn write_summary(out: &mut dyn Write, ticks: u64, state: &Final) -> Result<()> {
    let summary = Summary { ticks, state_hash: format!("{:016x}", state.hash()) };
    serde_json::to_writer(&mut *out, &SummaryLine { summary })?;
    writeln!(out)?;
    Ok(())
}
