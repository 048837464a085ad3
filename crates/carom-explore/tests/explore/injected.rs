//! Defects injected into mazes that are clean: how many are found, and how much that is none is reported to
//! be one.
//!
//! Twelve mazes by default; `CAROM_INJECTIONS=200` for the figures.

use carom_explore::{Code, Finding, Rules};
use carom_scenes::{MeshBuilder, Random, SceneMesh};
use glam::{DVec3, dvec3};

use crate::replay::replayed;
use crate::{explore, level, said};

const ROOMS: usize = 3;
/// Rooms are squares of two by two tiles.
const ROOM: f64 = 3.0;
const TILE: f64 = 1.5;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// A tile is gone.
    Hole,
    /// A tile is sunk by two meters.
    Pit,
    /// A tile has a shaft hardly wider than the body.
    Shaft,
    /// A room without a door.
    Pocket,
    /// A platform that cannot be reached.
    Ledge,
    /// A tile turned to lie upright.
    MovedTriangles,
}

const KINDS: [Kind; 6] =
    [Kind::Hole, Kind::Pit, Kind::Shaft, Kind::Pocket, Kind::Ledge, Kind::MovedTriangles];

fn box_between(low: DVec3, high: DVec3) -> MeshBuilder {
    MeshBuilder::cuboid_between(low, high)
}

/// A floor tile facing up, between x and z.
fn tile(low: [f64; 2], high: [f64; 2], y: f64) -> MeshBuilder {
    let at = |x: f64, z: f64| dvec3(x, y, z);
    MeshBuilder::quad([at(low[0], low[1]), at(low[0], high[1]), at(high[0], high[1]), at(high[0], low[1])])
}

/// Upright sides from the floor down to a depth, and its bottom.
fn sunk(low: [f64; 2], high: [f64; 2], depth: f64) -> MeshBuilder {
    let corners = [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]];
    let mut builder = tile(low, high, -depth);
    for i in 0..4 {
        let at = |[x, z]: [f64; 2], y: f64| dvec3(x, y, z);
        let (p, q) = (corners[i], corners[(i + 1) % 4]);
        builder.append(&MeshBuilder::quad([at(p, -depth), at(p, 0.0), at(q, 0.0), at(q, -depth)]));
    }
    builder
}

/// A tile with a square hole in its middle.
fn ring(low: [f64; 2], high: [f64; 2], inner_low: [f64; 2], inner_high: [f64; 2]) -> MeshBuilder {
    tile(low, [high[0], inner_low[1]], 0.0)
        .and(&tile([low[0], inner_high[1]], high, 0.0))
        .and(&tile([low[0], inner_low[1]], [inner_low[0], inner_high[1]], 0.0))
        .and(&tile([inner_high[0], inner_low[1]], [high[0], inner_high[1]], 0.0))
}

/// A maze, broken in one way: its mesh and where.
fn maze(seed: u64, kind: Option<Kind>) -> (SceneMesh, DVec3) {
    let mut random = Random::scattered(seed);
    let size = ROOM * ROOMS as f64;
    // The defect is never in the first room, where the spawn is; a pocket is the last, which is a dead end.
    let room = 1 + random.below(ROOMS * ROOMS - 2);
    let corner = [ROOM * (room % ROOMS) as f64, ROOM * (room / ROOMS) as f64];
    let at = dvec3(corner[0] + TILE / 2.0, 0.0, corner[1] + TILE / 2.0);
    let mut builder = MeshBuilder::new();
    for i in 0..2 * ROOMS {
        for j in 0..2 * ROOMS {
            let low = [TILE * i as f64, TILE * j as f64];
            let high = low.map(|x| x + TILE);
            let is_broken = low == corner;
            match kind.filter(|_| is_broken) {
                Some(Kind::Hole) => {}
                Some(Kind::Pit) => builder.append(&sunk(low, high, 2.0)),
                Some(Kind::Shaft) => {
                    let inner = [low.map(|x| x + 0.25), low.map(|x| x + 1.25)];
                    builder.append(&ring(low, high, inner[0], inner[1]).and(&sunk(inner[0], inner[1], 1.5)));
                }
                Some(Kind::MovedTriangles) => builder.append(&tile(low, high, -40.0)),
                _ => builder.append(&tile(low, high, 0.0)),
            }
        }
    }
    // A tree of doors: every room but the first opens to one before it.
    let wall = |low: [f64; 2], high: [f64; 2]| {
        box_between(dvec3(low[0], -0.25, low[1]), dvec3(high[0], 3.5, high[1]))
    };
    let half = 0.1;
    // Thinner than a cell, so that no floor on top of them is missed.
    for (low, high) in [([-0.2, -0.2], [0.0, size + 0.2]), ([size, -0.2], [size + 0.2, size + 0.2])] {
        builder.append(&wall(low, high));
        builder.append(&wall([low[1], low[0]], [high[1], high[0]]));
    }
    for room in 1..ROOMS * ROOMS {
        let (i, j) = (room % ROOMS, room / ROOMS);
        let (x, z) = (ROOM * i as f64, ROOM * j as f64);
        let opens_west = i > 0 && (j == 0 || random.below(2) == 0);
        let closed = kind == Some(Kind::Pocket) && room == ROOMS * ROOMS - 1;
        // Walls to the west and to the north, one of them with a door.
        for (west, exists) in [(true, i > 0), (false, j > 0)] {
            if !exists {
                continue;
            }
            let along = |from: f64, to: f64| {
                if west {
                    wall([x - half, z + from], [x + half, z + to])
                } else {
                    wall([x + from, z - half], [x + to, z + half])
                }
            };
            if west == opens_west && !closed {
                let door = random.between(0.4, 1.4);
                builder.append(&along(-half, door));
                builder.append(&along(door + 1.2, ROOM + half));
            } else {
                builder.append(&along(-half, ROOM + half));
            }
        }
    }
    match kind {
        Some(Kind::Ledge) => {
            let low = dvec3(corner[0] + 0.2, 2.2, corner[1] + 0.2);
            builder.append(&box_between(low, low + dvec3(2.5, 0.1, 2.5)));
            (builder.rounded(), low + dvec3(1.25, 0.1, 1.25))
        }
        Some(Kind::Pocket) => (builder.rounded(), dvec3(size - 1.5, 0.0, size - 1.5)),
        _ => (builder.rounded(), at),
    }
}

fn fits(kind: Kind, code: Code) -> bool {
    match kind {
        Kind::Hole | Kind::MovedTriangles => code == Code::FallOut || code == Code::Trap,
        Kind::Pit => code == Code::Trap,
        Kind::Shaft => code == Code::Stuck,
        Kind::Pocket | Kind::Ledge => code == Code::Unreached,
    }
}

#[test]
fn injected_defects_are_found_and_clean_mazes_are_clean() {
    let count = std::env::var("CAROM_INJECTIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
    let rules = Rules::default();
    let spawns = [dvec3(1.5, 0.95, 1.5)];
    let clean = |seed: u64| {
        let findings = explore(&level(maze(seed, None).0), &rules, &spawns);
        assert!(findings.is_empty(), "maze {seed}: {}", said(&findings));
    };
    (0..2.max(count / 20)).for_each(clean);
    let (mut found, mut right, mut listed) = (0, 0, 0);
    for seed in 0..count {
        let kind = KINDS[seed as usize % KINDS.len()];
        let (mesh, at) = maze(seed, Some(kind));
        let level = level(mesh);
        let findings = explore(&level, &rules, &spawns);
        let is_it = |finding: &&Finding| {
            fits(kind, finding.code) && (finding.position - at).with_y(0.0).length() <= 2.0
        };
        let hits = findings.iter().filter(is_it).count();
        found += u64::from(hits > 0);
        right += hits;
        listed += findings.len();
        if hits != 1 || findings.len() != 1 {
            println!("maze {seed}, {kind:?} at {at}:\n{}", said(&findings));
        }
        for finding in &findings {
            let scene = finding.witness.scene(&serde_json::json!({ "name": "level" }), &level, &rules);
            let end = replayed(&level, &scene);
            assert_eq!(end, finding.witness.end);
            assert!(finding.code != Code::FallOut || end.y < level.abyss());
        }
    }
    let (recall, precision) = (found as f64 / count as f64, right as f64 / listed.max(1) as f64);
    println!("{count} injections: recall {recall:.3}, precision {precision:.3}");
    assert!(recall >= 0.98 && precision >= 0.95, "recall {recall}, precision {precision}");
}
