//! A finding that says that a player is held is true: agents that are none of the explorer's do not get away
//! from `STUCK` and `TRAP`, and turning a little does not free a `SNAG`.
//!
//! The data folder too: `CAROM_DATA=… cargo test --release -p carom-explore --test explore -- --ignored
//! --nocapture confirmed`

use std::collections::BTreeSet;
use std::path::PathBuf;

use carom::Ellipsoid;
use carom::character::{Character, Input};
use carom::num::ops;
use carom_explore::{Code, Finding, Level, Rules};
use carom_formats::LoadOptions;
use carom_scenes::Random;
use carom_scenes::courtyard::courtyard_with_defects;
use glam::DVec3;

use crate::{explore, level};

const AGENTS: u64 = 6;
const TICKS: usize = 1800;
/// Levels of the data folder on which something holds a player, with their scales.
const LEVELS: [(&str, f64); 4] = [
    ("recast_nav/nav_test.obj", 1.0),
    ("threejs_collision_world/collision-world.glb", 1.0),
    ("cube2_pandora/pandora.obj", 0.05),
    ("redeclipse_auster/auster.obj", 0.05),
];

fn hero(rules: &Rules, at: DVec3) -> Character {
    let body = Ellipsoid::new(rules.radii).unwrap();
    Character::new(body, rules.settings).unwrap().at(at).unwrap()
}

/// Where one of six agents stood that idled, turned and jumped at random, if that is none of the cells of the
/// finding nor beside them.
fn way_out(level: &Level, rules: &Rules, finding: &Finding) -> Option<DVec3> {
    let cells: BTreeSet<[i32; 3]> = finding.extent.cells.iter().copied().collect();
    let is_in = |p: DVec3| {
        let [x, y, z] = (p / rules.cell()).floor().to_array().map(|x| x as i32);
        let near = |i: i32, by: i32| i - by..=i + by;
        near(x, 2).any(|x| near(y, 2).any(|y| near(z, 2).any(|z| cells.contains(&[x, y, z]))))
    };
    (0..AGENTS).find_map(|seed| {
        let mut random = Random::scattered(100 + seed);
        let mut hero = hero(rules, finding.position);
        let (mut input, mut left) = (Input::IDLE, if seed % 3 == 0 { 90 } else { 0 });
        (0..TICKS).find_map(|_| {
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
            (hero.ground().is_some() && !is_in(hero.position())).then(|| hero.position())
        })
    })
}

/// By how much a player turns to get on from a snag, in degrees; 0: by holding on.
fn freed_by(level: &Level, rules: &Rules, finding: &Finding) -> Option<f64> {
    let last = finding.witness.spans.last()?.input.desired_velocity?;
    let heading = last.normalize();
    [0.0, 2.5, -2.5, 5.0, -5.0, 10.0, -10.0].into_iter().find(|degrees: &f64| {
        let (sin, cos) = ops::sin_cos(degrees.to_radians());
        let way = DVec3::new(last.x * cos - last.z * sin, 0.0, last.x * sin + last.z * cos);
        let mut hero = hero(rules, finding.witness.end);
        for _ in 0..if *degrees == 0.0 { 60 } else { 30 } {
            hero.step(level.world(), Input::walk(way), rules.dt);
        }
        (hero.position() - finding.witness.end).dot(heading) > rules.cell()
    })
}

/// The number of findings that hold a player; no agent gets away from one.
fn check(level: &Level, rules: &Rules, spawns: &[DVec3]) -> usize {
    let findings = explore(level, rules, spawns);
    let mut held = 0;
    for finding in findings.iter().filter(|finding| finding.is_listed()) {
        match finding.code {
            Code::Stuck | Code::Trap => {
                let out = way_out(level, rules, finding);
                assert_eq!(out, None, "{}: {:?} at {}", level.name, finding.code, finding.position);
            }
            Code::Snag => {
                let turned = freed_by(level, rules, finding);
                assert_eq!(turned, None, "{}: a snag at {}", level.name, finding.position);
            }
            _ => continue,
        }
        held += 1;
    }
    held
}

#[test]
fn nobody_gets_away_from_what_is_said_to_hold_a_player() {
    let broken = courtyard_with_defects();
    let spawns = broken.spawns;
    let held = check(&level(broken.mesh), &Rules::default(), &spawns);
    assert_eq!(held, 3, "a pit, a shaft and a notch");
}

#[test]
fn confirmed_says_how_many_agents_tried_and_for_how_long() {
    let broken = courtyard_with_defects();
    for finding in explore(&level(broken.mesh), &Rules::default(), &broken.spawns) {
        let tried = finding.confirmed.map(|confirmed| (confirmed.agents, confirmed.ticks));
        let holds_a_player = matches!(finding.code, Code::Stuck | Code::Trap);
        assert_eq!(tried, holds_a_player.then_some((12, 1800)), "{:?}", finding.code);
    }
}

#[test]
#[ignore = "minutes; reads the data folder"]
fn nobody_gets_away_on_real_levels() {
    let Some(folder) = std::env::var_os("CAROM_DATA").map(PathBuf::from) else {
        println!("skipped: CAROM_DATA names no folder");
        return;
    };
    for (file, scale) in LEVELS {
        let options = LoadOptions { scale: Some(scale), ..LoadOptions::default() };
        let raw = carom_formats::load(folder.join(file), &options).unwrap();
        let level = Level::new(file, raw.into_mesh_data()).unwrap();
        println!("{file}: {} hold a player", check(&level, &Rules::default(), &[]));
    }
}
