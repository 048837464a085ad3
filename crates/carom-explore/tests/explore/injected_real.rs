//! Defects injected into a real level, `nav_test` of the data folder: findings beyond those of the level as
//! it is.
//!
//! `CAROM_DATA=… CAROM_INJECTIONS=40 cargo test --release -p carom-explore --test explore -- --ignored
//! --nocapture real`

use std::path::PathBuf;

use carom::mesh::MeshData;
use carom::num::ops;
use carom_explore::{Code, Explorer, Finding, Level, Rules, Stage};
use carom_scenes::{MeshBuilder, Random};
use glam::{DVec3, dvec3};

use crate::replay::replayed;
use crate::said;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// A square is cut through everything.
    Hole,
    /// A square is sunk by two meters.
    Pit,
    /// The same, hardly wider than the body.
    Shaft,
    /// A closed room.
    Pocket,
    /// A platform that cannot be reached.
    Ledge,
}

const KINDS: [Kind; 5] = [Kind::Hole, Kind::Pit, Kind::Shaft, Kind::Pocket, Kind::Ledge];

/// The part of a convex polygon on one side of a plane across an axis.
fn clipped(polygon: &[DVec3], axis: usize, at: f64, below: bool) -> Vec<DVec3> {
    let inside = |p: DVec3| if below { at - p[axis] } else { p[axis] - at };
    let mut kept = Vec::new();
    for (i, p) in polygon.iter().enumerate() {
        let q = polygon[(i + 1) % polygon.len()];
        let (a, b) = (inside(*p), inside(q));
        if a >= 0.0 {
            kept.push(*p);
        }
        if a * b < 0.0 {
            kept.push(p.lerp(q, a / (a - b)));
        }
    }
    kept
}

/// A soup of triangles.
#[derive(Clone)]
pub(crate) struct Soup(pub(crate) Vec<[DVec3; 3]>);

impl Soup {
    /// Cuts a square out of all that passes the test.
    pub(crate) fn cut(&mut self, low: [f64; 2], high: [f64; 2], is_cut: impl Fn(&[DVec3; 3]) -> bool) {
        let mut kept = Vec::new();
        for triangle in &self.0 {
            if !is_cut(triangle) {
                kept.push(*triangle);
                continue;
            }
            let mut rest = triangle.to_vec();
            for (axis, low, high) in [(0, low[0], high[0]), (2, low[1], high[1])] {
                for (at, below) in [(low, true), (high, false)] {
                    let piece = clipped(&rest, axis, at, below);
                    kept.extend((2..piece.len()).map(|i| [piece[0], piece[i - 1], piece[i]]));
                    rest = clipped(&rest, axis, at, !below);
                }
            }
        }
        self.0 = kept;
    }

    fn add(&mut self, builder: &MeshBuilder) {
        let point = |i: u32| builder.points()[i as usize];
        self.0.extend(builder.triangles().iter().map(|triangle| triangle.map(point)));
    }

    pub(crate) fn level(&self) -> Level {
        let corners = self.0.iter().flatten().map(|p| p.to_array().map(|x| x as f32));
        let triangles = (0..self.0.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        let data =
            MeshData { vertices: corners.collect(), triangles: triangles.collect(), ..MeshData::default() };
        Level::new("nav_test", data).unwrap()
    }
}

fn broken(soup: &Soup, kind: Kind, floor: DVec3) -> Soup {
    let mut soup = soup.clone();
    let half = if kind == Kind::Shaft { 0.5 } else { 1.0 };
    let (low, high) = ([floor.x - half, floor.z - half], [floor.x + half, floor.z + half]);
    let box_between = |low: DVec3, high: DVec3| MeshBuilder::cuboid_between(low, high);
    match kind {
        Kind::Hole | Kind::Pit | Kind::Shaft => {
            // Solids are hollow: a hole has sides, too, or it leads into them.
            let lowest = soup.0.iter().flatten().fold(f64::INFINITY, |low, p| low.min(p.y));
            let deep = if kind == Kind::Hole { lowest } else { floor.y - 2.0 };
            let near =
                |t: &[DVec3; 3]| t.iter().any(|p| p.y >= deep) && t.iter().any(|p| p.y < floor.y + 1.0);
            soup.cut(low, high, near);
            let corners = [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]];
            let at = |[x, z]: [f64; 2], y: f64| dvec3(x, y, z);
            let bottom = MeshBuilder::quad([0, 3, 2, 1].map(|i| at(corners[i], deep)));
            let mut pit = if kind == Kind::Hole { MeshBuilder::new() } else { bottom };
            for i in 0..4 {
                let (p, q) = (corners[i], corners[(i + 1) % 4]);
                let rim = floor.y + 0.02;
                pit.append(&MeshBuilder::quad([at(p, deep), at(p, rim), at(q, rim), at(q, deep)]));
            }
            soup.add(&pit);
        }
        Kind::Pocket => {
            let (foot, top) = (floor - DVec3::Y, floor + 2.5 * DVec3::Y);
            for (x, z) in [
                ([-1.7, -1.5], [-1.7, 1.7]),
                ([1.5, 1.7], [-1.7, 1.7]),
                ([-1.5, 1.5], [-1.7, -1.5]),
                ([-1.5, 1.5], [1.5, 1.7]),
            ] {
                soup.add(&box_between(foot + dvec3(x[0], 0.0, z[0]), top + dvec3(x[1], 0.0, z[1])));
            }
            // A pointed roof, on which no body can stand, seen from outside only.
            let peak = top + 2.5 * DVec3::Y;
            let corners =
                [[-1.7, -1.7], [-1.7, 1.7], [1.7, 1.7], [1.7, -1.7]].map(|[x, z]| top + dvec3(x, 0.0, z));
            for i in 0..4 {
                soup.add(&MeshBuilder::triangle([corners[i], corners[(i + 1) % 4], peak]));
            }
        }
        Kind::Ledge => {
            let low = floor + dvec3(-1.25, 2.2, -1.25);
            soup.add(&box_between(low, low + dvec3(2.5, 0.1, 2.5)));
        }
    }
    soup
}

fn fits(kind: Kind, code: Code) -> bool {
    match kind {
        Kind::Hole => code == Code::FallOut,
        Kind::Pit => code == Code::Trap,
        Kind::Shaft => code == Code::Stuck,
        Kind::Pocket | Kind::Ledge => code == Code::Unreached,
    }
}

/// Explores on foot: jumps cost most, and find no more of these.
fn explored(level: &Level, rules: &Rules, spawns: &[DVec3]) -> (Vec<Finding>, Vec<DVec3>) {
    let mut explorer = Explorer::new(level, rules, spawns).unwrap();
    while explorer.advance() == Stage::Flooding {}
    let findings = explorer.finish();
    (findings, explorer.places(0).map(|place| place.position).collect())
}

#[test]
#[ignore = "minutes; reads the data folder"]
fn defects_injected_into_a_real_level_are_found() {
    let Some(folder) = std::env::var_os("CAROM_DATA").map(PathBuf::from) else {
        println!("skipped: CAROM_DATA names no folder");
        return;
    };
    let count = std::env::var("CAROM_INJECTIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(10);
    let raw = carom_formats::load(folder.join("recast_nav/nav_test.obj"), &Default::default()).unwrap();
    let data = raw.into_mesh_data();
    let corner = |i: u32| DVec3::from_array(data.vertices[i as usize].map(f64::from));
    let soup = Soup(data.triangles.iter().map(|triangle| triangle.map(corner)).collect());
    let rules = Rules { jump: 0.0, ..Rules::default() };
    let spawns = [dvec3(-17.75, -1.4667, 5.25)];
    let (known, places) = explored(&soup.level(), &rules, &spawns);
    println!("nav_test as it is: {} findings, {} places", known.len(), places.len());
    // Level floor for three meters around, away from the spawn and from what is known, and nothing above for
    // as much.
    let whole = soup.level();
    let is_open = |at: &DVec3| {
        let ring = (0..12).map(|i| f64::from(i) * std::f64::consts::TAU / 12.0);
        let mut around = ring
            .flat_map(|angle| [1.5, 3.0].map(|r| *at + dvec3(r * ops::cos(angle), 0.0, r * ops::sin(angle))));
        let free = |from: DVec3, way: DVec3| {
            let cast =
                carom::Cast::new(carom::Ellipsoid::new(rules.radii * 0.95).unwrap(), from, way).unwrap();
            whole.world().cast(&cast).is_none()
        };
        (*at - spawns[0]).length() > 4.0
            && around.all(|p| places.iter().any(|q| (p - *q).abs().max_element() < 0.4))
            && free(*at, DVec3::Y * 4.5)
    };
    let sites: Vec<DVec3> = places.iter().copied().step_by(7).filter(is_open).collect();
    println!("{} sites", sites.len());
    let (mut found, mut right, mut listed) = (0, 0, 0);
    for seed in 0..count {
        let mut random = Random::scattered(seed);
        let kind = KINDS[seed as usize % KINDS.len()];
        let floor = sites[random.below(sites.len())] - DVec3::Y * rules.radii.y;
        let level = broken(&soup, kind, floor).level();
        let (findings, _) = explored(&level, &rules, &spawns);
        let is_known = |finding: &&Finding| {
            let root = |finding: &Finding| ops::sqrt(finding.area.unwrap_or(0.0));
            let same = |old: &Finding| {
                old.code == finding.code
                    && (old.position - finding.position).length() <= 2.0 + 0.5 * root(old).min(root(finding))
            };
            known.iter().any(same)
        };
        let fresh: Vec<Finding> = findings.iter().filter(|finding| !is_known(finding)).cloned().collect();
        let is_it = |finding: &&Finding| {
            fits(kind, finding.code) && (finding.position - floor).with_y(0.0).length() <= 2.5
        };
        let hits = fresh.iter().filter(is_it).count();
        found += u64::from(hits > 0);
        right += hits;
        listed += fresh.len();
        if hits != 1 || fresh.len() != 1 {
            println!("{seed}: {kind:?} at {floor:.2}:\n{}", said(&fresh));
        }
        for finding in fresh.iter().filter(|finding| finding.code != Code::Unreached) {
            let scene = finding.witness.scene(&serde_json::json!({ "name": "level" }), &level, &rules);
            assert_eq!(replayed(&level, &scene), finding.witness.end);
        }
    }
    let (recall, precision) = (found as f64 / count as f64, right as f64 / listed.max(1) as f64);
    println!("{count} injections into nav_test: recall {recall:.3}, precision {precision:.3}");
    assert!(recall >= 0.98 && precision >= 0.95, "recall {recall}, precision {precision}");
}
