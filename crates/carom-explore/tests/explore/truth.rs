//! The labeled levels of the data folder: how much of what is listed is true, and how much of what is wrong
//! is listed.
//!
//! The labels were made with a character that hung for good between steep things; today's stands there, and
//! jumps. So a place that is labeled as one to be stuck in counts only if agents cannot leave it: these here
//! are none of the explorer's.
//!
//! `CAROM_DATA=… cargo test --release -p carom-explore --test explore -- --ignored --nocapture truth`

use std::path::{Path, PathBuf};

use carom::Ellipsoid;
use carom::character::{Character, Input, Settings};
use carom::num::ops;
use carom_explore::{Explorer, Finding, Level, Rules, Stage};
use carom_formats::{LoadOptions, Up};
use carom_scenes::Random;
use glam::DVec3;
use serde_json::Value;

use crate::said;

/// The labels of a level and where its file is.
const LEVELS: [(&str, &str); 12] = [
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
    ("voxel_mesh_01", "box3d_meshes/voxel_mesh_01.obj"),
];

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

fn point(value: &Value) -> DVec3 {
    DVec3::from_slice(&numbers(value))
}

fn has_code(defect: &Value, name: &str) -> bool {
    let codes = &defect["code"];
    codes.as_str() == Some(name)
        || codes.as_array().is_some_and(|codes| codes.iter().any(|code| code.as_str() == Some(name)))
}

/// Whether a point is in a ball of a defect, each grown by so much.
fn is_in(defect: &Value, p: DVec3, margin: f64) -> bool {
    let ball = (point(&defect["position"]), defect["radius"].as_f64().unwrap());
    let parts = defect["parts"].as_array().into_iter().flatten().map(|part| {
        let part = numbers(part);
        (DVec3::from_slice(&part[..3]), part[3])
    });
    parts.chain([ball]).any(|(at, radius)| (p - at).length() <= radius + margin)
}

/// Whether a defect has this code and holds this position.
fn holds(defect: &Value, finding: &Finding) -> bool {
    has_code(defect, finding.code.name()) && is_in(defect, finding.position, 1e-6)
}

/// Whether one of six agents that idle, turn and jump at random for a minute gets 2 m away from a place that
/// is labeled as one to be stuck in.
fn is_left(level: &Level, defect: &Value) -> bool {
    if !has_code(defect, "STUCK") {
        return false;
    }
    let rules = Rules::default();
    let body = Ellipsoid::new(rules.radii).unwrap();
    (0..6).any(|seed| {
        let mut random = Random::scattered(seed);
        let mut hero =
            Character::new(body, Settings::default()).unwrap().at(point(&defect["position"])).unwrap();
        let (mut input, mut left) = (Input::IDLE, if seed % 3 == 0 { 90 } else { 0 });
        (0..1800).any(|_| {
            if left == 0 {
                left = 3 + random.below(42);
                let (sin, cos) = ops::sin_cos(random.between(0.0, core::f64::consts::TAU));
                input = Input::walk(DVec3::new(cos, 0.0, sin) * rules.speed);
                if random.below(5) < 3 {
                    input = input.jump(rules.jump);
                }
            }
            left -= 1;
            hero.step(level.world(), input, rules.dt);
            input.jump = None;
            hero.ground().is_some() && !is_in(defect, hero.position(), 2.0)
        })
    })
}

fn loaded(folder: &Path, file: &str, labels: &Value) -> Level {
    let up = if labels["up"] == "z" { Up::Z } else { Up::Y };
    let scale = labels["scale"].as_f64().unwrap();
    let options = LoadOptions { up: Some(up), scale: Some(scale), ..LoadOptions::default() };
    let raw = carom_formats::load(folder.join(file), &options).unwrap();
    Level::new("labeled", raw.into_mesh_data()).unwrap()
}

fn explored(level: &Level, labels: &Value) -> Vec<Finding> {
    let spawns = if labels["body"]["spawns"].is_null() {
        &labels["body"]["spawns_found"]
    } else {
        &labels["body"]["spawns"]
    };
    let spawns: Vec<DVec3> = spawns.as_array().unwrap().iter().map(point).collect();
    let rules = Rules::default();
    let mut explorer = Explorer::new(level, &rules, &spawns).unwrap();
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
    let mut left_by_agents = 0;
    let mut sums = [0usize; 4];
    for (name, file) in LEVELS {
        let text = std::fs::read_to_string(folder.join(format!("explore_truth/{name}.json"))).unwrap();
        let labels: Value = serde_json::from_str(&text).unwrap();
        let level = loaded(&folder, file, &labels);
        let findings = explored(&level, &labels);
        let listed: Vec<&Finding> = findings.iter().filter(|finding| finding.is_listed()).collect();
        let all = labels["defects"].as_array().unwrap();
        let is_listed = |defect: &Value| listed.iter().any(|finding| holds(defect, finding));
        let defects: Vec<&Value> =
            all.iter().filter(|defect| is_listed(defect) || !is_left(&level, defect)).collect();
        left_by_agents += all.len() - defects.len();
        let right = listed.iter().filter(|finding| defects.iter().any(|defect| holds(defect, finding)));
        let found = defects.iter().filter(|defect| is_listed(defect));
        let wrong = listed.iter().filter(|finding| !defects.iter().any(|defect| holds(defect, finding)));
        let wrong: Vec<Finding> = wrong.map(|finding| (*finding).clone()).collect();
        let row = [listed.len(), right.count(), found.count(), defects.len()];
        println!("{name:28}{:>8}{:>8}{:>8}{:>10}", row[0], row[1], row[2], row[3]);
        print!("{}", said(&wrong));
        sums.iter_mut().zip(row).for_each(|(sum, n)| *sum += n);
    }
    let [listed, right, found, defects] = sums;
    println!("{:28}{listed:>8}{right:>8}{found:>8}{defects:>10}", "all");
    println!("{left_by_agents} more are labeled, which agents leave today");
    assert!(5 * right >= 4 * listed, "{right} of {listed} are true");
    assert!(found + 1 >= defects, "{found} of {defects} are listed");
}
