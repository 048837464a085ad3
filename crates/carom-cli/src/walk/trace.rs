//! The output of `--trace`: each sweep, its hit, the planes that bent the motion, and every decision, in
//! order.

use carom::character::{Obstacle, Report, Touched};
use carom::respond::SlideEnd;
use carom::sensor::TickPath;
use carom::trace::{Decision, Event, Holding, Stage, SweepHit, Trace};
use carom::world::Part;
use glam::DVec3;
use serde::Serialize;

use super::names::Names;
use crate::output::numbers;

/// How much is reported of each character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    Plain,
    Traced,
}

/// Receives the events of one character in one tick.
#[derive(Debug)]
pub(crate) struct Listener {
    /// Whether it took off by its jump.
    pub(crate) jumped: bool,
    detail: Detail,
    notes: Vec<Note>,
    /// For sensors.
    path: TickPath,
}

#[derive(Clone, Debug)]
enum Note {
    Stage(Stage),
    Sweep { from: DVec3, translation: DVec3, hit: Option<SweepHit<Obstacle>> },
    Solved { wanted: DVec3, motion: DVec3, held: Vec<Holding<Obstacle>> },
    Crushed,
    Decided(Decision),
    Ended { how: &'static str, sweeps: u32, touched: Vec<Touched> },
}

impl Listener {
    pub(crate) fn new(detail: Detail) -> Self {
        Self { jumped: false, detail, notes: Vec::new(), path: TickPath::new() }
    }

    /// A new tick begins.
    pub(crate) fn clear(&mut self) {
        self.jumped = false;
        self.notes.clear();
        self.path.clear();
    }

    fn hear<K: Copy>(&mut self, event: &Event<'_, K>, name: impl Fn(K) -> Obstacle) {
        self.jumped |= matches!(event, Event::Decided(Decision::Jumps(_)));
        if self.detail == Detail::Plain {
            return;
        }
        self.notes.push(match *event {
            Event::Stage(stage) => Note::Stage(stage),
            Event::Sweep { from, translation, hit } => {
                let hit = hit.map(|SweepHit { fraction, key }| SweepHit { fraction, key: name(key) });
                Note::Sweep { from, translation, hit }
            }
            Event::Solved { wanted, motion, held } => Note::Solved {
                wanted,
                motion,
                held: held
                    .iter()
                    .flatten()
                    .map(|&Holding { key, normal, bound }| Holding { key: name(key), normal, bound })
                    .collect(),
            },
            Event::Crushed => Note::Crushed,
            Event::Decided(decision) => Note::Decided(decision),
        });
    }

    /// The path of the tick.
    pub(crate) fn path(&self) -> &TickPath {
        &self.path
    }

    /// How a character's tick ended.
    pub(crate) fn end(&mut self, report: &Report) {
        self.note_end(report.outcome.name(), report.sweeps, report.touched().copied());
    }

    /// How the tick of a body that only slides ended.
    pub(crate) fn end_slide(&mut self, end: SlideEnd, sweeps: u32, touched: impl Iterator<Item = Touched>) {
        self.note_end(end.name(), sweeps, touched);
    }

    fn note_end(&mut self, how: &'static str, sweeps: u32, touched: impl Iterator<Item = Touched>) {
        if self.detail == Detail::Traced {
            self.notes.push(Note::Ended { how, sweeps, touched: touched.collect() });
        }
    }

    /// The notes for a line; `None` unless they are wanted.
    pub(crate) fn lines<'a>(&self, names: &Names<'a>) -> Option<Vec<NoteLine<'a>>> {
        (self.detail == Detail::Traced).then(|| self.notes.iter().map(|note| note.line(names)).collect())
    }
}

impl Trace<Obstacle> for Listener {
    fn event(&mut self, event: &Event<'_, Obstacle>) {
        self.path.event(event);
        self.hear(event, |key| key);
    }
}

impl Trace<Part> for Listener {
    fn event(&mut self, event: &Event<'_, Part>) {
        self.hear(event, Obstacle::Body);
    }
}

/// A note as JSON has it: its first key says what it is.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum NoteLine<'a> {
    Stage { stage: &'static str },
    Sweep { sweep: SweepLine<'a> },
    Solved { solved: SolvedLine<'a> },
    Crushed { crushed: &'static str },
    Decided(DecidedLine),
    Ended { ended: &'static str, sweeps: u32, touched: Vec<TouchLine<'a>> },
}

#[derive(Serialize)]
pub(crate) struct SweepLine<'a> {
    from: [f64; 3],
    translation: [f64; 3],
    /// The share of the path that is free.
    free: f64,
    met: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    triangle: Option<u32>,
}

#[derive(Serialize)]
pub(crate) struct SolvedLine<'a> {
    wanted: [f64; 3],
    motion: [f64; 3],
    held_by: Vec<PlaneLine<'a>>,
}

#[derive(Serialize)]
struct PlaneLine<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    triangle: Option<u32>,
    normal: [f64; 3],
    /// The least motion along the normal that it requires.
    bound: f64,
}

#[derive(Default, Serialize)]
pub(crate) struct DecidedLine {
    decided: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    normal: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<f64>,
}

#[derive(Serialize)]
pub(crate) struct TouchLine<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    triangle: Option<u32>,
    gap: f64,
    normal: [f64; 3],
}

impl Note {
    fn line<'a>(&self, names: &Names<'a>) -> NoteLine<'a> {
        match self {
            Self::Stage(stage) => NoteLine::Stage { stage: stage_name(*stage) },
            Self::Sweep { from, translation, hit } => NoteLine::Sweep {
                sweep: SweepLine {
                    from: numbers(*from),
                    translation: numbers(*translation),
                    free: hit.map_or(1.0, |hit| hit.fraction),
                    met: hit.map(|hit| names.of(hit.key)),
                    triangle: hit.and_then(|hit| names.triangle(hit.key)),
                },
            },
            Self::Solved { wanted, motion, held } => NoteLine::Solved {
                solved: SolvedLine {
                    wanted: numbers(*wanted),
                    motion: numbers(*motion),
                    held_by: held
                        .iter()
                        .map(|holding| PlaneLine {
                            name: names.of(holding.key),
                            triangle: names.triangle(holding.key),
                            normal: numbers(holding.normal),
                            bound: holding.bound + 0.0,
                        })
                        .collect(),
                },
            },
            Self::Crushed => NoteLine::Crushed { crushed: "the contacts leave no motion" },
            Self::Decided(decision) => NoteLine::Decided(decided(*decision)),
            Self::Ended { how, sweeps, touched } => NoteLine::Ended {
                ended: how,
                sweeps: *sweeps,
                touched: touched
                    .iter()
                    .map(|touched| TouchLine {
                        name: names.of(touched.obstacle),
                        triangle: names.triangle(touched.obstacle),
                        gap: touched.gap + 0.0,
                        normal: numbers(touched.normal),
                    })
                    .collect(),
            },
        }
    }
}

fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Probe => "probe",
        Stage::Depenetrate => "depenetrate",
        Stage::Walk => "walk",
        Stage::Step => "step",
        Stage::Snap => "snap",
        Stage::Fall => "fall",
    }
}

fn decided(decision: Decision) -> DecidedLine {
    let plain = |decided| DecidedLine { decided, ..DecidedLine::default() };
    match decision {
        Decision::Stands(normal) => {
            DecidedLine { normal: Some(numbers(normal)), ..plain("stands on walkable ground") }
        }
        Decision::Holds => plain("stands still: no desired velocity, and friction holds it"),
        Decision::Jumps(speed) => DecidedLine { speed: Some(speed), ..plain("jumps") },
        Decision::LeavesGround => plain("leaves the ground"),
        Decision::Steps(height) => DecidedLine { height: Some(height + 0.0), ..plain("climbs a step") },
        Decision::CannotStep => {
            plain("cannot step: too high, nothing to stand on behind the edge, or no room above it")
        }
        Decision::Snaps(height) => {
            DecidedLine { height: Some(height + 0.0), ..plain("goes down to the ground") }
        }
        Decision::Recovers => plain("returns to the last free position: it found no way out"),
        Decision::IsCrushed => plain("is crushed from several sides, and stays"),
        Decision::Refuses => plain("refuses: the input or the motion is not finite or too large"),
    }
}
