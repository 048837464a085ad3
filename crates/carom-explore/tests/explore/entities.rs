//! The entities of the Quake levels of the data folder lead on: every spawn is free, and each teleporter,
//! push and lift that the flood reaches takes its player to where it leads.
//!
//! `CAROM_DATA=… cargo test --release -p carom-explore --test explore -- --ignored --nocapture entities`

use carom::Cast;
use carom::shape::Mover;
use carom_explore::{Code, Explorer, Level, Stage, Volumes, preset};
use carom_formats::{Convex, LoadOptions, RawLevel, Volume, VolumeKind, load};
use carom_scenes::real;
use glam::DVec3;

const LEVELS: [(&str, &str); 7] = [
    ("q3_openarena_dev/oa_ctf4ish2.bsp", "quake3"),
    ("q1q2_librequake_e0m1/lq_e0m1.bsp", "quake"),
    ("q1q2_librequake_e0m1/lq_e0m1-quake2.bsp", "quake2"),
    ("q1q2_librequake_e0m1/lq_e0m4.bsp", "quake"),
    ("bullet_bspdemo/BspDemo.bsp", "quake3"),
    ("q3_openarena_dev/am_underworks.bsp", "quake3"),
    ("q3_openarena_dev/oa_ctf2old.bsp", "quake3"),
];

/// A body is at a place that is no farther than this, in meters.
const NEAR: f64 = 1.5;
/// Seconds of a flight between two looks.
const TICK: f64 = 1.0 / 60.0;

/// Leaves doors and lifts out, as the command does.
fn opened(mut raw: RawLevel) -> RawLevel {
    let moves = |name: &String| name.starts_with("func_door") || name.starts_with("func_plat");
    let moves: Vec<bool> = raw.surfaces.iter().map(moves).collect();
    let ids: Vec<u16> = (0..raw.triangles.len())
        .map(|triangle| raw.surface_ids.get(triangle).copied().unwrap_or(0))
        .collect();
    let mut at = ids.iter();
    raw.triangles.retain(|_| at.next().is_some_and(|id| !moves[usize::from(*id)]));
    let mut at = ids.iter();
    raw.surface_ids.retain(|_| at.next().is_some_and(|id| !moves[usize::from(*id)]));
    raw
}

/// How far a piece reaches, of which some planes are those of its box.
fn bounds(piece: &Convex) -> (DVec3, DVec3) {
    let (mut low, mut high) = (DVec3::NEG_INFINITY, DVec3::INFINITY);
    for plane in piece.planes() {
        for axis in 0..3 {
            if plane.normal[axis] == 1.0 {
                high[axis] = high[axis].min(plane.offset);
            } else if plane.normal[axis] == -1.0 {
                low[axis] = low[axis].max(-plane.offset);
            }
        }
    }
    (low, high)
}

/// Whether a body at a place touches a box that is grown by so much.
fn touches(position: DVec3, half: DVec3, (low, high): (DVec3, DVec3), grown: f64) -> bool {
    let reach = half + DVec3::splat(grown);
    (position - reach).cmple(high).all() && (position + reach).cmpge(low).all()
}

/// Where the feet of a body that is thrown come down on something that holds it, or are put by a teleporter
/// on the way; a wall stops its way ahead. A push at the destination of the teleporter throws it on.
fn landing(explorer: &Explorer<'_>, from: DVec3, velocity: DVec3) -> Option<DVec3> {
    let (level, rules) = (explorer.level(), explorer.rules());
    let teleported = |at: DVec3| {
        level.volumes.list().iter().find_map(|volume| match volume.kind {
            VolumeKind::Teleport { to } if volume.pieces.iter().any(|piece| piece.contains(at)) => Some(to),
            _ => None,
        })
    };
    let pushed = |at: DVec3| {
        level.volumes.list().iter().find_map(|volume| match volume.kind {
            VolumeKind::Push { velocity } => {
                let is_in = |piece: &Convex| touches(at, rules.radii, bounds(piece), 0.0);
                volume.pieces.iter().any(is_in).then_some(velocity)
            }
            _ => None,
        })
    };
    let (mut at, mut velocity) = (from, velocity);
    for _ in 0..1200 {
        velocity += rules.settings.gravity * TICK;
        let way = velocity * TICK;
        match level.world().cast(&Cast::new(Mover::Point, at, way).ok()?) {
            None => at += way,
            Some(hit) if hit.normal.y > 0.7 && velocity.y < 0.0 => return Some(at + way * hit.fraction),
            Some(hit) if hit.normal.y < -0.7 => velocity.y = velocity.y.min(0.0),
            Some(_) => (velocity.x, velocity.z) = (0.0, 0.0),
        }
        if let Some(to) = teleported(at) {
            at = to - DVec3::Y * rules.radii.y;
            match pushed(to) {
                Some(push) => velocity = push,
                None => return Some(at),
            }
        }
    }
    None
}

/// Whether the flood was where a volume takes its player, as far as that can be said from outside.
fn leads_on(explorer: &Explorer<'_>, volume: &Volume, (low, high): (DVec3, DVec3)) -> bool {
    let (places, gravity) = (explorer.places(0).collect::<Vec<_>>(), explorer.rules().settings.gravity);
    let is_known = |at: DVec3| {
        places.iter().any(|place| {
            let way = place.position - at;
            way.with_y(0.0).length() <= NEAR && (-2.0 * NEAR..=NEAR).contains(&way.y)
        })
    };
    match volume.kind {
        VolumeKind::Teleport { to } => is_known(to),
        VolumeKind::Push { velocity } => {
            let half = explorer.rules().radii;
            let rise = velocity.y * velocity.y / (-2.0 * gravity.y);
            // From where a body walks in.
            let beside = places
                .iter()
                .filter(|place| touches(place.position, half, (low, high), explorer.rules().cell()));
            beside.map(|place| place.position.clamp(low, high.max(place.position))).any(|from| {
                match landing(explorer, from, velocity) {
                    // Straight up: the player steers to something higher.
                    Some(at) if (at - from).with_y(0.0).length() < 2.0 * NEAR && rise > NEAR => {
                        places.iter().any(|place| {
                            let way = place.position - from;
                            way.y > NEAR && way.y < rise + NEAR && way.with_y(0.0).length() < rise + 8.0
                        })
                    }
                    Some(at) => is_known(at + DVec3::Y * half.y),
                    None => false,
                }
            })
        }
        // The shaft of a lift.
        _ => places.iter().any(|place| {
            let feet = place.position.y - explorer.rules().radii.y;
            touches(place.position, explorer.rules().radii, (low, high), NEAR) && feet > high.y - 0.7
        }),
    }
}

#[test]
#[ignore = "explores seven real levels"]
fn entities() {
    let Some(data) = real::folder() else { return };
    let mut wrong = Vec::new();
    for (name, body) in LEVELS {
        let mut raw = opened(load(data.join(name), &LoadOptions::default()).unwrap());
        let volumes = std::mem::take(&mut raw.volumes);
        let skies = std::mem::take(&mut raw.skies);
        let landmarks = raw.landmarks.clone();
        let mut level =
            Level::new(name, raw.into_mesh_data()).unwrap().with_landmarks(landmarks).with_skies(skies);
        level.volumes = Volumes::new(volumes);
        let rules = preset(body).unwrap().unwrap();
        let mut explorer = Explorer::new(&level, &rules, &[]).unwrap();
        while explorer.advance() == Stage::Flooding {}
        let findings = explorer.finish();
        let blocked = findings.iter().filter(|finding| finding.code == Code::StartOverlap);
        for finding in blocked {
            println!("{name}: the spawn at {} is not free", finding.position);
            wrong.push("spawn".to_owned());
        }
        let mut counts = [0; 3];
        for volume in level.volumes.list() {
            let kind = match volume.kind {
                VolumeKind::Teleport { .. } => 0,
                VolumeKind::Push { .. } => 1,
                VolumeKind::Ladder if volume.name.starts_with("func_plat") => 2,
                _ => continue,
            };
            for piece in &volume.pieces {
                let within = bounds(piece);
                let grown = rules.cell();
                if !explorer.places(0).any(|place| touches(place.position, rules.radii, within, grown)) {
                    println!("{name}: {} at {} was not reached", volume.name, within.0);
                    continue;
                }
                counts[kind] += 1;
                if !leads_on(&explorer, volume, within) {
                    println!("{name}: {} at {} leads nowhere", volume.name, within.0);
                    wrong.push(volume.name.clone());
                }
            }
        }
        let gave_up = explorer.warnings().iter().find(|warning| warning.code == "GAVE_UP");
        println!(
            "{name}: {} spawns; reached: {} teleporters, {} pushes, {} lifts; {} places; {}",
            explorer.spawns().len(),
            counts[0],
            counts[1],
            counts[2],
            explorer.places(0).len(),
            gave_up.map_or("no place was given up", |warning| &warning.message)
        );
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
