//! Explores a level file, the built-in courtyard (`courtyard`) or a terrain (`terrain:METRES`), and prints
//! findings and speed.
//!
//! `cargo run --release -p carom-explore --example measure -- LEVEL [most places]`
#![allow(clippy::unwrap_used, reason = "an example that cannot go on says so by panicking")]

use std::time::Instant;

use carom_explore::{Explorer, Level, Rules, Stage};
use carom_formats::LoadOptions;
use carom_scenes::workload::Terrain;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "courtyard".to_owned());
    let most_places = arguments.next().map_or(20_000_000, |count| count.parse().unwrap());
    let data = |mesh: carom_scenes::SceneMesh| carom::mesh::MeshData {
        vertices: mesh.vertices,
        triangles: mesh.triangles,
        ..carom::mesh::MeshData::default()
    };
    let (data, spawns) = match name.split_once(':') {
        None if name == "courtyard" => {
            let courtyard = carom_scenes::courtyard::courtyard();
            (data(courtyard.mesh), vec![courtyard.spawn])
        }
        Some(("terrain", size)) => (data(Terrain::new(size.parse().unwrap()).mesh().clone()), vec![]),
        _ => (carom_formats::load(&name, &LoadOptions::default()).unwrap().into_mesh_data(), vec![]),
    };
    let level = Level::new(name, data).unwrap();
    let rules = Rules { most_places, ..Rules::default() };
    let started = Instant::now();
    let mut explorer = Explorer::new(&level, &rules, &spawns).unwrap();
    println!(
        "prepared in {:.2?}, {} samples of floor, spawns {:?}",
        started.elapsed(),
        explorer.floor().len(),
        explorer.spawns()
    );
    let started = Instant::now();
    while explorer.advance() == Stage::Flooding {}
    let seconds = started.elapsed().as_secs_f64();
    let progress = explorer.progress();
    println!(
        "{progress:?}\n{seconds:.2} s: {:.0} places/s, {:.0} m²/s, {:.0} ticks/s, {:.1} ticks and {:.0} bytes a place",
        progress.done as f64 / seconds,
        progress.area / seconds,
        progress.ticks as f64 / seconds,
        progress.ticks as f64 / progress.done as f64,
        progress.memory as f64 / progress.places as f64
    );
    let started = Instant::now();
    let findings = explorer.finish();
    println!(
        "finished in {:.2?}; {:.1?} m² of floor reached and in all",
        started.elapsed(),
        explorer.coverage()
    );
    for finding in &findings {
        let way = &finding.witness;
        println!(
            "{:13} {:5} at {:.2} ({:?} m²), {} ticks from {:.2}, last {:.2?}",
            finding.code.name(),
            finding.places,
            finding.position,
            finding.area,
            way.ticks,
            way.start,
            way.spans.last().map(|span| span.input)
        );
    }
}
