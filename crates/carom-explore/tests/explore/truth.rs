//! The labeled levels of the data folder: how much of what is listed is true, and how much of what is wrong
//! is listed.
//!
//! `CAROM_DATA=… cargo test --release -p carom-explore --test explore -- --ignored --nocapture truth`

use std::path::{Path, PathBuf};

use carom_explore::{Explorer, Finding, Level, Rules, Stage};
use carom_formats::{LoadOptions, Up};
use glam::DVec3;
use serde_json::Value;

/// The labels of a level and where its file is.
const LEVELS: [(&str, &str); 11] = [
    ("nav_test", "recast_nav/nav_test.obj"),
    ("undulating", "recast_nav/undulating.obj"),
    ("auster", "redeclipse_auster/auster.obj"),
    ("building", "box3d_meshes/building.obj"),
    ("test_map01", "box3d_meshes/test_map01.obj"),
    ("character_controller_demo", "avian_cc_demo/character_controller_demo.glb"),
    ("collision-world", "threejs_collision_world/collision-world.glb"),
    ("holodeck", "holodeck/holodeck.obj"),
    ("lost_empire", "lost_empire/lost_empire.obj"),
    ("pandora", "cube2_pandora/pandora.obj"),
    ("playground", "bevy_ahoy_playground/playground.glb"),
];

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

fn point(value: &Value) -> DVec3 {
    DVec3::from_slice(&numbers(value))
}

/// Whether a defect has this code and holds this position.
fn holds(defect: &Value, finding: &Finding) -> bool {
    let name = finding.code.name();
    let codes = &defect["code"];
    let has_code = codes.as_str() == Some(name)
        || codes.as_array().is_some_and(|codes| codes.iter().any(|code| code.as_str() == Some(name)));
    let ball = (point(&defect["position"]), defect["radius"].as_f64().unwrap());
    let parts = defect["parts"].as_array().into_iter().flatten().map(|part| {
        let part = numbers(part);
        (DVec3::from_slice(&part[..3]), part[3])
    });
    has_code && parts.chain([ball]).any(|(at, radius)| (finding.position - at).length() <= radius + 1e-6)
}

fn explored(folder: &Path, file: &str, labels: &Value) -> Vec<Finding> {
    let up = if labels["up"] == "z" { Up::Z } else { Up::Y };
    let scale = labels["scale"].as_f64().unwrap();
    let options = LoadOptions { up: Some(up), scale: Some(scale), ..LoadOptions::default() };
    let raw = carom_formats::load(folder.join(file), &options).unwrap();
    let level = Level::new("labelled", raw.into_mesh_data()).unwrap();
    let spawns = if labels["body"]["spawns"].is_null() {
        &labels["body"]["spawns_found"]
    } else {
        &labels["body"]["spawns"]
    };
    let spawns: Vec<DVec3> = spawns.as_array().unwrap().iter().map(point).collect();
    let rules = Rules::default();
    let mut explorer = Explorer::new(&level, &rules, &spawns).unwrap();
    while explorer.advance() == Stage::Flooding {}
    explorer.finish()
}

#[test]
#[ignore = "minutes; reads the data folder"]
fn four_of_five_listed_findings_are_true_and_nearly_all_defects_are_listed() {
    let Some(folder) = std::env::var_os("CAROM_DATA").map(PathBuf::from) else {
        println!("skipped: CAROM_DATA names no folder");
        return;
    };
    println!("{:28}{:>8}{:>8}{:>8}{:>10}", "level", "listed", "true", "found", "defects");
    let mut sums = [0usize; 4];
    for (name, file) in LEVELS {
        let text = std::fs::read_to_string(folder.join(format!("explore_truth/{name}.json"))).unwrap();
        let labels: Value = serde_json::from_str(&text).unwrap();
        let findings = explored(&folder, file, &labels);
        let listed: Vec<&Finding> = findings.iter().filter(|finding| finding.is_listed()).collect();
        let defects = labels["defects"].as_array().unwrap();
        let right = listed.iter().filter(|finding| defects.iter().any(|defect| holds(defect, finding)));
        let found = defects.iter().filter(|defect| listed.iter().any(|finding| holds(defect, finding)));
        let row = [listed.len(), right.count(), found.count(), defects.len()];
        println!("{name:28}{:>8}{:>8}{:>8}{:>10}", row[0], row[1], row[2], row[3]);
        sums.iter_mut().zip(row).for_each(|(sum, n)| *sum += n);
    }
    let [listed, right, found, defects] = sums;
    println!("{:28}{listed:>8}{right:>8}{found:>8}{defects:>10}", "all");
    assert!(5 * right >= 4 * listed, "{right} of {listed} are true");
    assert!(found + 1 >= defects, "{found} of {defects} are listed");
}
