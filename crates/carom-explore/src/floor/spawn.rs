//! The spawns: given points, points whose name marks a spawn, or the place with the most room.

use glam::DVec3;

use crate::error::ExploreError;
use crate::floor::depth::Depths;
use crate::floor::{FARTHEST, Floor, Part, is_inside, stand};
use crate::level::Level;
use crate::rules::Rules;
use crate::stop::Stop;

/// How many floors, the largest, are compared.
const CANDIDATES: usize = 16;
/// About how many samples of a floor are asked about its rim.
const RIM: usize = 20_000;

/// How a spawn came to be one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was given.
    Given,
    /// A point of the level has this name.
    Named(String),
    /// In the middle of the largest floor, but for the share of its rim that leads out of the world.
    Found,
}

/// Where a body is let down.
#[derive(Clone, Debug, PartialEq)]
pub struct Spawn {
    /// The center of the body, in meters.
    pub position: DVec3,
    /// Why there.
    pub origin: Origin,
}

/// Beginnings of names, without case, spaces, dashes and underscores.
const NAMES: [&str; 9] = [
    "spawn",
    "playerstart",
    "playerspawn",
    "infoplayer",
    "startpoint",
    "teamctfredspawn",
    "teamctfbluespawn",
    "teamctfredplayer",
    "teamctfblueplayer",
];

fn says_spawn(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    NAMES.iter().any(|start| plain.starts_with(start))
}

/// The spawns of a level: those given, else those named, else one that is found.
pub(crate) fn spawns(
    level: &Level,
    rules: &Rules,
    floor: &Floor,
    stop: &Stop,
    given: &[DVec3],
) -> Result<Vec<Spawn>, ExploreError> {
    if let Some(wrong) = given.iter().find(|spawn| !spawn.is_finite()) {
        return Err(ExploreError::Spawn(*wrong));
    }
    let within_reach = |spawns: Vec<Spawn>| {
        let farthest = spawns.iter().map(|spawn| spawn.position.abs().max_element()).fold(0.0, f64::max);
        if farthest / rules.cell() > FARTHEST {
            return Err(ExploreError::SpawnTooFar(farthest, rules.cell()));
        }
        Ok(spawns)
    };
    if !given.is_empty() {
        let spawn = |position: &DVec3| Spawn { position: *position, origin: Origin::Given };
        return within_reach(given.iter().map(spawn).collect());
    }
    let grown = rules.grown()?;
    let named: Vec<Spawn> = level
        .landmarks
        .iter()
        .filter(|mark| says_spawn(&mark.name) && mark.position.is_finite())
        .map(|mark| {
            // Modellers put them at the feet or at the center: at the feet, if there is room.
            let position = stand(level, rules, &grown, mark.position).unwrap_or(mark.position);
            Spawn { position, origin: Origin::Named(mark.name.clone()) }
        })
        .collect();
    if !named.is_empty() {
        return within_reach(named);
    }
    let size = 2.0 * rules.radii;
    let none = ExploreError::NoFloor(size.x, size.y, size.z);
    let at = best_part(level, rules, floor, stop).ok_or_else(|| none.clone())?;
    let position = stand(level, rules, &grown, at).ok_or(none)?;
    Ok(vec![Spawn { position, origin: Origin::Found }])
}

/// The middle of the floor where a walk had best begin: the largest, but for the share of its rim that leads
/// out of the world. So it is not the roof of a closed building, nor what lies within a solid.
fn best_part(level: &Level, rules: &Rules, floor: &Floor, stop: &Stop) -> Option<DVec3> {
    // Both read all floor, one sample after the other.
    let parts = || floor.parts(stop, |_| true);
    let (mut parts, depths) = rayon::join(parts, || Depths::of(floor, level.spill(), stop));
    parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
    // After a stop any sample would do.
    let innermost = |part: &Part| match &depths {
        Some(depths) => depths.deepest(part),
        None => part.iter().next(),
    };
    let mut largest: Option<DVec3> = None;
    let mut best: Option<(f64, DVec3)> = None;
    for part in parts.iter().take(CANDIDATES) {
        let size = part.len() as f64;
        // No smaller one can be better.
        if best.is_some_and(|(score, _)| score >= size) || largest.is_some() && stop.is_set() {
            break;
        }
        let at = floor.point(&floor.samples.get(innermost(part)?));
        largest.get_or_insert(at);
        if stop.is_set() || is_inside(level, rules, at) {
            continue;
        }
        let score = size * (1.0 - share_over_nothing(level, floor, part));
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, at));
        }
    }
    best.map(|(_, at)| at).or(largest)
}

/// The share of a floor's rim beyond which there is nothing, up to the bottom of the world, and no wall
/// before it.
fn share_over_nothing(level: &Level, floor: &Floor, part: &Part) -> f64 {
    let meets = |from: DVec3, way: DVec3| level.ray(from, way).is_some();
    let (mut rim, mut open) = (0u32, 0u32);
    for sample in part.iter().step_by(part.len().div_ceil(RIM)) {
        if floor.sides(sample) == 4 {
            continue;
        }
        rim += 1;
        let from = floor.point(&floor.samples.get(sample)) + DVec3::Y * 0.5 * floor.rise;
        let is_open = [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z].into_iter().any(|heading| {
            let way = heading * 2.0 * floor.cell();
            !meets(from, way) && level.is_over_nothing(from + way)
        });
        open += u32::from(is_open);
    }
    f64::from(open) / f64::from(rim.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spawns_whatever_their_case_and_dashes() {
        for name in [
            "spawn",
            "Spawn.001",
            "PLAYER_START",
            "player-start 2",
            "info_player_deathmatch",
            "team_CTF_redspawn",
        ] {
            assert!(says_spawn(name), "{name}");
        }
        for name in ["respawner", "door", "start", "team_CTF_redflag", ""] {
            assert!(!says_spawn(name), "{name}");
        }
    }
}
