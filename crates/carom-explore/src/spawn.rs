//! Where the walk begins: where it is told to, at points with a name that says so, or where there is most room.

use glam::DVec3;

use crate::error::ExploreError;
use crate::floor::{Floor, stand};
use crate::level::Level;
use crate::rules::Rules;

/// How a spawn came to be one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was given.
    Given,
    /// A point of the level has this name.
    Named(String),
    /// In the middle of the largest open floor.
    Found,
}

/// Where a body is let down.
#[derive(Clone, Debug, PartialEq)]
pub struct Spawn {
    /// The centre of the body, in metres.
    pub position: DVec3,
    /// Why there.
    pub origin: Origin,
}

/// Beginnings of names, without case, spaces, dashes and underscores.
const NAMES: [&str; 5] = ["spawn", "playerstart", "playerspawn", "infoplayer", "startpoint"];

fn says_spawn(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    NAMES.iter().any(|start| plain.starts_with(start))
}

/// The spawns of a level: those given, else those named, else one that is found.
pub(crate) fn spawns(
    level: &Level,
    rules: &Rules,
    floor: &Floor,
    given: &[DVec3],
) -> Result<Vec<Spawn>, ExploreError> {
    if let Some(wrong) = given.iter().find(|spawn| !spawn.is_finite()) {
        return Err(ExploreError::Spawn(*wrong));
    }
    if !given.is_empty() {
        return Ok(given
            .iter()
            .map(|position| Spawn { position: *position, origin: Origin::Given })
            .collect());
    }
    let grown = rules.grown()?;
    let named: Vec<Spawn> = level
        .landmarks
        .iter()
        .filter(|mark| says_spawn(&mark.name) && mark.position.is_finite())
        .map(|mark| {
            // Modellers put them at the feet or at the centre: at the feet, if there is room.
            let position = stand(level, rules, &grown, mark.position).unwrap_or(mark.position);
            Spawn { position, origin: Origin::Named(mark.name.clone()) }
        })
        .collect();
    if !named.is_empty() {
        return Ok(named);
    }
    let size = 2.0 * rules.radii;
    let none = ExploreError::NoFloor(size.x, size.y, size.z);
    let parts = floor.parts(|_| true);
    let largest = parts.iter().rev().max_by_key(|part| part.len()).ok_or_else(|| none.clone())?;
    let at = floor.point(&floor.samples[innermost(floor, largest) as usize]);
    let position = stand(level, rules, &grown, at).ok_or(none)?;
    Ok(vec![Spawn { position, origin: Origin::Found }])
}

/// The sample of a part that is most steps away from its rim.
fn innermost(floor: &Floor, part: &[u32]) -> u32 {
    let index = |sample: u32| part.binary_search(&sample).ok();
    let mut depth = vec![u32::MAX; part.len()];
    let mut queue: Vec<usize> = Vec::new();
    for (i, sample) in part.iter().enumerate() {
        let mut beside = 0;
        floor.around(*sample, |_| beside += 1);
        if beside < 4 {
            depth[i] = 0;
            queue.push(i);
        }
    }
    let mut next = 0;
    while let Some(&i) = queue.get(next) {
        next += 1;
        floor.around(part[i], |other| {
            if let Some(j) = index(other).filter(|j| depth[*j] == u32::MAX) {
                depth[j] = depth[i] + 1;
                queue.push(j);
            }
        });
    }
    let deepest = (0..part.len()).rev().max_by_key(|i| if depth[*i] == u32::MAX { 0 } else { depth[*i] });
    part[deepest.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spawns_whatever_their_case_and_dashes() {
        for name in ["spawn", "Spawn.001", "PLAYER_START", "player-start 2", "info_player_deathmatch"] {
            assert!(says_spawn(name), "{name}");
        }
        for name in ["respawner", "door", "start", ""] {
            assert!(!says_spawn(name), "{name}");
        }
    }
}
