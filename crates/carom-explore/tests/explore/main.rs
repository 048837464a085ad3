//! Explorations: what is found, that nothing else is, and that the findings are always the same.
#![allow(clippy::unwrap_used, reason = "a level that cannot be explored is a failure")]

mod bad;
mod broken;
mod confirmed;
mod courses;
mod cut_off;
mod entities;
mod furnished;
mod holes;
mod hollow;
mod injected;
mod injected_real;
mod interior;
mod planted;
mod railings;
mod replay;
mod same;
mod shared;
mod signs;
mod sky;
mod spilled;
mod stop;
mod teleporters;
mod tiled;
mod truth;
mod undrawn;
mod uneven;
mod unseen;

use carom::mesh::MeshData;
use carom_explore::{Explorer, Finding, Level, Rules, Stage};
use carom_scenes::{MeshBuilder, SceneMesh};
use glam::DVec3;

fn level(mesh: SceneMesh) -> Level {
    let SceneMesh { vertices, triangles, .. } = mesh;
    Level::new("test", MeshData { vertices, triangles, ..MeshData::default() }).unwrap()
}

fn explore(level: &Level, rules: &Rules, spawns: &[DVec3]) -> Vec<Finding> {
    let mut explorer = Explorer::new(level, rules, spawns).unwrap();
    while explorer.advance() == Stage::Flooding {}
    explorer.finish()
}

/// Its checkpoint.
fn saved(explorer: &Explorer<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    explorer.checkpoint(&mut bytes).unwrap();
    bytes
}

/// The listed findings from one spawn.
fn listed_from(start: DVec3, mesh: &MeshBuilder, rules: &Rules) -> Vec<Finding> {
    let mut findings = explore(&level(mesh.clone().rounded()), rules, &[start]);
    findings.retain(Finding::is_listed);
    findings
}

/// Cases of a random test: `CAROM_CASES`, or as many as every build has time for.
fn cases() -> usize {
    std::env::var("CAROM_CASES").map_or(2, |number| number.parse().unwrap())
}

/// A box between two corners.
fn slab(low: [f64; 3], high: [f64; 3]) -> MeshBuilder {
    MeshBuilder::cuboid_between(DVec3::from_array(low), DVec3::from_array(high))
}

fn said(findings: &[Finding]) -> String {
    let line = |finding: &Finding| {
        let cause = finding.cause.unwrap_or("no cause");
        format!("{} {} at {:.2}: {cause}\n", finding.code.name(), finding.places, finding.position)
    };
    findings.iter().map(line).collect()
}
