//! The lines of `carom walk`.

use std::io::Write;

use anyhow::Result;
use carom::respond::SlideEnd;
use serde::Serialize;

use super::slide::Walker;
use crate::output::numbers;

#[derive(Serialize)]
struct TickLine<'a> {
    tick: u64,
    time: f64,
    characters: Vec<CharacterLine<'a>>,
}

/// A character at the end of a tick. Bodies are at rest: none turns, lifts or crushes it.
#[derive(Serialize)]
struct CharacterLine<'a> {
    name: &'a str,
    position: [f64; 3],
    velocity: [f64; 3],
    yaw: f64,
    grounded: bool,
    ground_body: Option<&'a str>,
    ground_normal: Option<[f64; 3]>,
    contacts: usize,
    stepped: f64,
    crushed_by: [&'a str; 0],
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<TraceLine<'a>>,
}

#[derive(Serialize)]
struct TraceLine<'a> {
    sweeps: u32,
    end: &'static str,
    touched: Vec<TouchLine<'a>>,
}

#[derive(Serialize)]
struct TouchLine<'a> {
    body: &'a str,
    triangle: u32,
    gap: f64,
    normal: [f64; 3],
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

/// What the lines say beside the numbers.
#[derive(Clone, Copy)]
pub(crate) struct Style<'a> {
    /// By the index of the body.
    pub(crate) body_names: &'a [String],
    pub(crate) detail: Detail,
}

/// How much is said of each character.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    Plain,
    Traced,
}

impl Style<'_> {
    fn body(&self, index: u32) -> &str {
        self.body_names.get(index as usize).map_or("", String::as_str)
    }

    fn character<'a>(&'a self, walker: &'a Walker) -> CharacterLine<'a> {
        let ground = walker.ground();
        let trace = (self.detail == Detail::Traced).then(|| TraceLine {
            sweeps: walker.trace.sweeps,
            end: match walker.trace.end {
                SlideEnd::Done => "done",
                SlideEnd::Blocked => "blocked",
                SlideEnd::Crushed => "crushed",
                SlideEnd::TooManySweeps => "too_many_sweeps",
            },
            touched: walker
                .trace
                .touched
                .iter()
                .map(|touch| TouchLine {
                    body: self.body(touch.key.body.index()),
                    triangle: touch.key.part,
                    gap: touch.contact.gap,
                    normal: numbers(touch.contact.normal),
                })
                .collect(),
        });
        CharacterLine {
            name: &walker.name,
            position: numbers(walker.position),
            velocity: numbers(walker.velocity),
            yaw: 0.0,
            grounded: ground.is_some(),
            ground_body: ground.map(|touch| self.body(touch.key.body.index())),
            ground_normal: ground.map(|touch| numbers(touch.contact.normal)),
            contacts: walker.touched.len(),
            stepped: 0.0,
            crushed_by: [],
            trace,
        }
    }
}

/// One line for a tick.
pub(crate) fn write_tick<'a>(
    out: &mut dyn Write,
    style: Style,
    (tick, time): (u64, f64),
    walkers: impl Iterator<Item = &'a Walker>,
) -> Result<()> {
    let characters = walkers.map(|walker| style.character(walker)).collect();
    serde_json::to_writer(&mut *out, &TickLine { tick, time, characters })?;
    writeln!(out)?;
    Ok(())
}

/// The last line. The hash is FNV-1a, 64 bits, over the little-endian bytes of each character's position and velocity (six f64
/// each, x y z x y z, −0 as 0), in the order of the scene: two runs with the same hash ended in the same state, to the bit.
pub(crate) fn write_summary<'a>(
    out: &mut dyn Write,
    ticks: u64,
    walkers: impl Iterator<Item = &'a Walker>,
) -> Result<()> {
    let numbers = walkers.flat_map(|walker| [walker.position, walker.velocity].map(numbers)).flatten();
    let hash = numbers.flat_map(f64::to_le_bytes).fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    let summary = Summary { ticks, state_hash: format!("{hash:016x}") };
    serde_json::to_writer(&mut *out, &SummaryLine { summary })?;
    writeln!(out)?;
    Ok(())
}
