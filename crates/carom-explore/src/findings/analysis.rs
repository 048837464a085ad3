//! Analyzes the paths between places: from which places there is no way back.
//!
//! Source: Tarjan, "Depth-first search and linear graph algorithms" (1972), without recursion. Cost: one pass
//! over the paths among places from which no spawn can be reached; to find those, a few passes over all
//! paths.

use std::collections::BTreeMap;

use crate::flood::Flood;
use crate::flood::event::EventKind;
use crate::flood::places::NONE;
use crate::spill::Bits;
use crate::stop::Stop;

/// Places that lead nowhere but to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trap {
    /// In order.
    pub(crate) places: Vec<u32>,
    /// The parts in which it ends: strongly connected, with no way out.
    pub(crate) ends: Vec<Vec<u32>>,
}

/// Which places cannot get back to a spawn, connected ones together, in the order of their first. `None` if a
/// stop leaves no time for it.
pub(crate) fn traps(flood: &Flood, stop: &Stop) -> Vec<Trap> {
    let Some(leads_back) = leads_back(flood, stop) else { return Vec::new() };
    let lost: Vec<u32> = (0..flood.places.len() as u32).filter(|id| !leads_back.get(*id as usize)).collect();
    let index: BTreeMap<u32, u32> = lost.iter().zip(0..).map(|(id, i)| (*id, i)).collect();
    let mut extra: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for [from, to] in &flood.extra {
        extra.entry(*from).or_default().push(*to);
    }
    // A place that is lost leads to lost places only.
    let links: Vec<Vec<u32>> = lost
        .iter()
        .map(|id| {
            let later = extra.get(id).into_iter().flatten();
            flood
                .links
                .from(*id)
                .into_iter()
                .chain(later.copied())
                .filter_map(|to| index.get(&to).copied())
                .collect()
        })
        .collect();
    let (component, count) = components(&links);
    let mut leaves = vec![false; count];
    for (from, targets) in links.iter().enumerate() {
        leaves[component[from] as usize] |=
            targets.iter().any(|to| component[*to as usize] != component[from]);
    }
    // A fall out of the world is a way on.
    for event in flood.events.iter().filter(|event| event.kind == EventKind::FellOut) {
        if let Some(i) = index.get(&event.place) {
            leaves[component[*i as usize] as usize] = true;
        }
    }
    let mut root: Vec<u32> = (0..lost.len() as u32).collect();
    for (from, targets) in links.iter().enumerate() {
        for to in targets {
            let (a, b) = (find(&mut root, from as u32), find(&mut root, *to));
            root[a.max(b) as usize] = a.min(b);
        }
    }
    let mut traps: BTreeMap<u32, Trap> = BTreeMap::new();
    let mut ends: BTreeMap<u32, BTreeMap<u32, Vec<u32>>> = BTreeMap::new();
    for i in 0..lost.len() as u32 {
        let group = find(&mut root, i);
        let id = lost[i as usize];
        traps.entry(group).or_insert_with(|| Trap { places: Vec::new(), ends: Vec::new() }).places.push(id);
        let part = component[i as usize];
        if !leaves[part as usize] {
            ends.entry(group).or_default().entry(part).or_default().push(id);
        }
    }
    for (group, parts) in ends {
        if let Some(trap) = traps.get_mut(&group) {
            trap.ends = parts.into_values().collect();
            trap.ends.sort_unstable();
        }
    }
    traps.into_values().collect()
}

/// For each place, whether a spawn's place can be reached from it.
fn leads_back(flood: &Flood, stop: &Stop) -> Option<Bits> {
    let count = flood.places.len();
    let mut leads = Bits::new(count);
    for root in &flood.roots {
        leads.set(*root as usize);
    }
    // A player that dies in a volume made for it starts again.
    for event in flood.events.iter().filter(|event| event.kind == EventKind::Died) {
        leads.set(event.place as usize);
    }
    // A place that has not been left yet may lead anywhere.
    (flood.done()..count).for_each(|id| leads.set(id));
    loop {
        let mut changed = false;
        let mut visit = |id: usize| {
            if !leads.get(id) && flood.links.any(id as u32, |to| leads.get(to as usize)) {
                leads.set(id);
                changed = true;
            }
        };
        (0..count).for_each(&mut visit);
        (0..count).rev().for_each(&mut visit);
        for [from, to] in &flood.extra {
            if !leads.get(*from as usize) && leads.get(*to as usize) {
                leads.set(*from as usize);
                changed = true;
            }
        }
        if !changed {
            return Some(leads);
        }
        if stop.is_over() {
            return None;
        }
    }
}

fn find(root: &mut [u32], mut i: u32) -> u32 {
    while root[i as usize] != i {
        root[i as usize] = root[root[i as usize] as usize];
        i = root[i as usize];
    }
    i
}

/// The strongly connected component of each node, and how many there are.
fn components(links: &[Vec<u32>]) -> (Vec<u32>, usize) {
    let count = links.len();
    let (mut order, mut low, mut component) = (vec![NONE; count], vec![0u32; count], vec![NONE; count]);
    let (mut visited, mut found) = (0u32, 0u32);
    let mut stack: Vec<u32> = Vec::new();
    let mut calls: Vec<(u32, usize)> = Vec::new();
    for start in 0..count as u32 {
        if order[start as usize] != NONE {
            continue;
        }
        calls.push((start, 0));
        while let Some(&mut (node, ref mut next)) = calls.last_mut() {
            let at = node as usize;
            if *next == 0 {
                (order[at], low[at]) = (visited, visited);
                visited += 1;
                stack.push(node);
            }
            if let Some(&to) = links[at].get(*next) {
                *next += 1;
                let to_at = to as usize;
                if order[to_at] == NONE {
                    calls.push((to, 0));
                } else if component[to_at] == NONE {
                    low[at] = low[at].min(order[to_at]);
                }
                // A node without ways is visited once, as is one with all its ways done.
                continue;
            }
            calls.pop();
            if let Some(&(parent, _)) = calls.last() {
                low[parent as usize] = low[parent as usize].min(low[at]);
            }
            if low[at] == order[at] {
                while let Some(member) = stack.pop() {
                    component[member as usize] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    (component, found as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_rings_and_what_hangs_between_them() {
        let links = vec![vec![1], vec![2], vec![0, 3], vec![4], vec![5], vec![4], vec![]];
        let (component, count) = components(&links);
        assert_eq!(count, 4);
        assert!(component[0] == component[1] && component[1] == component[2]);
        assert!(component[4] == component[5] && component[3] != component[4] && component[3] != component[0]);
        assert!((0..6).all(|i| component[i] != component[6]));
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let links: Vec<Vec<u32>> = (0..200_000u32).map(|i| vec![(i + 1) % 200_000]).collect();
        assert_eq!(components(&links).1, 1);
    }
}
