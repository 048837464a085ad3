//! The lines of `carom pool`.

use std::io::Write;

use anyhow::Result;
use carom::balls::{Event, EventKind, Table};
use carom::world::BodyId;
use glam::{DQuat, DVec3};
use serde::Serialize;

use super::bodies::NamedBody;
use super::run::Run;
use crate::output::numbers;

/// An event.
#[derive(Serialize)]
pub(crate) struct EventLine {
    event: u64,
    pub(crate) time: f64,
    pub(crate) kind: &'static str,
    /// The two that met, the lower number first; or the one that met a wall, fell into a pocket or came to
    /// rest.
    pub(crate) balls: Vec<usize>,
    /// The body of the scene that it was with.
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<String>,
}

#[derive(Serialize)]
struct SummaryLine {
    summary: Summary,
}

#[derive(Serialize)]
struct Summary {
    events: u64,
    time: f64,
    energy_start: f64,
    energy_end: f64,
    momentum_start: [f64; 3],
    momentum_end: [f64; 3],
    balls: Vec<BallLine>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bodies: Vec<BodyLine>,
}

#[derive(Clone, Serialize)]
struct BodyLine {
    name: String,
    position: [f64; 3],
    rotation: [f64; 4],
}

#[derive(Serialize)]
struct BallLine {
    position: [f64; 3],
    velocity: [f64; 3],
}

impl BodyLine {
    fn new(name: &str, position: DVec3, rotation: DQuat) -> Self {
        Self { name: name.to_owned(), position: numbers(position), rotation: rotation.to_array() }
    }
}

/// How many events there were, and what there was at the start.
pub(crate) struct Lines {
    count: u64,
    energy: f64,
    momentum: [f64; 3],
    /// The bodies of the scene, with their poses at the start.
    bodies: Vec<(BodyId, BodyLine)>,
}

impl Lines {
    pub(crate) fn new(table: &Table, run: &Run) -> Self {
        let body = |named: &NamedBody| {
            let pose = run.setup.obstacles.body(named.id).map(|body| *body.pose()).unwrap_or_default();
            (named.id, BodyLine::new(&named.name, pose.position(), pose.rotation()))
        };
        Self {
            count: 0,
            energy: table.energy(),
            momentum: numbers(table.momentum()),
            bodies: run.bodies.iter().map(body).collect(),
        }
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn add(&mut self, event: &Event) -> EventLine {
        self.count += 1;
        let with = match event.kind {
            EventKind::Obstacle { body, .. } | EventKind::Crushed { body, .. } => Some(body),
            EventKind::Rest { body, .. } => body,
            _ => None,
        };
        let body = with
            .and_then(|with| self.bodies.iter().find(|(id, _)| *id == with))
            .map(|(_, line)| line.name.clone());
        let (kind, balls) = match event.kind {
            EventKind::Balls(both) => ("ball", both.to_vec()),
            EventKind::Wall { ball, .. } | EventKind::Obstacle { ball, .. } => ("wall", vec![ball]),
            EventKind::Crushed { ball, .. } => ("crushed", vec![ball]),
            EventKind::Pocket { ball, .. } => ("pocket", vec![ball]),
            EventKind::Rest { ball, .. } => ("rest", vec![ball]),
        };
        EventLine { event: self.count, time: event.time, kind, balls, body }
    }

    pub(crate) fn write_summary(&self, out: &mut dyn Write, table: &Table) -> Result<()> {
        let ball = |i: usize| {
            let ball = table.ball(i);
            BallLine { position: numbers(ball.position), velocity: numbers(ball.velocity) }
        };
        let summary = Summary {
            events: self.count,
            time: table.time(),
            energy_start: self.energy,
            energy_end: table.energy(),
            momentum_start: self.momentum,
            momentum_end: numbers(table.momentum()),
            balls: (0..table.len()).map(ball).collect(),
            bodies: self
                .bodies
                .iter()
                .map(|(id, start)| match table.body_pose(*id) {
                    Some((position, rotation)) => BodyLine::new(&start.name, position, rotation),
                    None => start.clone(),
                })
                .collect(),
        };
        write(out, &SummaryLine { summary })
    }
}

/// One line of JSON.
pub(crate) fn write(out: &mut dyn Write, line: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    writeln!(out)?;
    Ok(())
}
