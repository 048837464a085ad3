//! Agents that try to leave places from which no action leads out: they idle, turn and jump at random, by a
//! seed.
//!
//! A path that an agent finds counts like any other: it replays with its seed.

use std::collections::BTreeSet;

use glam::DVec3;
use rayon::prelude::*;

use crate::findings::analysis::Trap;
use crate::flood::places::{Hold, Place};
use crate::flood::{Flood, FoundLink};
use crate::walk::Walker;
use crate::walk::action::Action;
use crate::walk::mind::Mind;
use crate::walk::state::WalkState;

/// How many agents try to get out of one end of a trap.
pub(crate) const AGENTS: u16 = 12;
/// How long each, in seconds.
pub(crate) const SECONDS: f64 = 60.0;
/// All agents of one round together make no more ticks than this.
const MOST_TICKS: u64 = 6_000_000;
/// Beside a place whose height differs by at most this, in meters, an agent is still there.
const NEAR: f64 = 0.1;
/// An agent reports no more links than this.
const MOST_LINKS: usize = 24;

/// How long an agent tries, in ticks.
pub(crate) fn patience(dt: f64) -> u32 {
    (SECONDS / dt).ceil().clamp(60.0, 20_000.0) as u32
}

/// The result of the agents.
pub(crate) struct Attempt {
    /// The links that lead out.
    pub(crate) links: Vec<FoundLink>,
    /// All ticks.
    pub(crate) spent: u64,
    /// The ticks of one agent.
    pub(crate) each: u32,
}

/// Lets agents try to leave the ends of traps.
pub(crate) fn try_to_leave(walker: &Walker<'_>, flood: &Flood, traps: &[Trap]) -> Attempt {
    let ends: Vec<&[u32]> = traps
        .iter()
        .flat_map(|trap| {
            let ends: Vec<&[u32]> = trap.ends.iter().map(Vec::as_slice).collect();
            if ends.is_empty() { vec![trap.places.as_slice()] } else { ends }
        })
        .collect();
    let each = u64::from(AGENTS) * u64::from(patience(walker.rules.dt));
    let share = (MOST_TICKS / (ends.len().max(1) as u64)).clamp(u64::from(AGENTS) * 60, each);
    let ticks = (share / u64::from(AGENTS)) as u32;
    let tried: Vec<(Vec<FoundLink>, u64)> = ends
        .par_iter()
        .map_init(
            || walker.state(),
            |state, end| {
                let trap_end = TrapEnd { walker, flood, members: end.iter().copied().collect() };
                let (mut links, mut spent) = (Vec::new(), 0);
                for seed in 0..AGENTS {
                    if walker.stop.is_set() {
                        break;
                    }
                    // The first place, and others evenly.
                    let from = end[usize::from(seed) * end.len() / usize::from(AGENTS)];
                    let agent = Agent { from, seed, ticks };
                    spent += u64::from(trap_end.wander(state, &agent, &mut links));
                    // One that is out is enough.
                    if links.len() >= MOST_LINKS {
                        break;
                    }
                }
                (links, spent)
            },
        )
        .collect();
    let spent = tried.iter().map(|(_, spent)| spent).sum();
    let links = tried.into_iter().flat_map(|(links, _)| links).collect();
    Attempt { links, spent, each: ticks }
}

/// The end of a trap that agents try to leave.
struct TrapEnd<'a, 'b> {
    walker: &'a Walker<'b>,
    flood: &'a Flood,
    members: BTreeSet<u32>,
}

/// One that wanders about at random.
struct Agent {
    /// The number of the place where it begins.
    from: u32,
    seed: u16,
    /// The most that it tries.
    ticks: u32,
}

impl TrapEnd<'_, '_> {
    /// Lets an agent wander, and adds the links that lead out. Returns how many ticks it took.
    fn wander(&self, state: &mut WalkState, agent: &Agent, links: &mut Vec<FoundLink>) -> u32 {
        let Self { walker, flood, members } = self;
        let Agent { from, seed, ticks } = *agent;
        let (rules, action) = (walker.rules, Action::Wander(seed).code());
        walker.put_at(state, &flood.places.get(from));
        let mut mind = Mind::new(seed, rules.dt);
        let mut reported = BTreeSet::new();
        for tick in 1..=ticks {
            let report = walker.tick(state, mind.next(rules.speed, rules.jump, rules.dt), &mut |_| ());
            let position = report.position;
            if position.y < walker.beneath || state.is_on_sky {
                return tick;
            }
            if report.ground.is_none() {
                continue;
            }
            // A ride is none of these places: where it ends is seen when the agent gets off.
            let hold = walker.ground(state);
            if let Hold::On(_) = hold {
                continue;
            }
            let place = flood.places.find(position, hold);
            // A place that is nearly as high may be the same floor: a slope, or a ledge that the agent is not
            // on.
            if place.is_some_and(|id| members.contains(&id)) || self.is_beside_members(position) {
                continue;
            }
            let cell = crate::flood::places::column(position, rules.cell());
            if reported.insert((cell, place)) {
                links.push(FoundLink { from, action, position, hold, ticks: tick });
                if reported.len() >= MOST_LINKS {
                    return tick;
                }
            }
        }
        ticks
    }

    /// Whether a member is in the same column or beside it, as high but for a part of a step: then this is no
    /// way out yet.
    fn is_beside_members(&self, position: DVec3) -> bool {
        let Self { flood, members, .. } = self;
        let [x, z] = crate::flood::places::column(position, flood.places.cell());
        let near = |(id, place): (u32, Place)| {
            members.contains(&id) && (place.position.y - position.y).abs() <= NEAR
        };
        (-1..=1).any(|i| (-1..=1).any(|j| flood.places.in_column([x + i, z + j]).any(near)))
    }
}
