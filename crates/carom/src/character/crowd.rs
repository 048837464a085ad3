//! Many characters in one tick.
//!
//! All see each other as they are at the start, and each keeps to its side ([`Neighbor`]): so none needs the answer of another, and
//! one thread gives the same bits as many. Who is near whom is told by a tree over the characters.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::DVec3;

use super::company::Neighbor;
use super::{Character, Input, Obstacle, Report};
use crate::shape::Aabb;
use crate::trace::Trace;
use crate::tree::{Settings, Tree};
use crate::world::{Neighbourhood, World};

/// Moves all characters by one tick of `dt` seconds, each by its own input: the first `min` of both lists. With the feature
/// `parallel` on all cores, with the same bits as without. Reports and neighbours name characters by their place in the list.
pub fn step_all(world: &World, characters: &mut [Character], inputs: &[Input], dt: f64) -> Vec<Report> {
    let mut reports = Vec::new();
    step_all_with(world, characters, (inputs, dt), &mut reports);
    reports
}

/// As [`step_all`], with a list for the reports that is used again.
pub fn step_all_with(
    world: &World,
    characters: &mut [Character],
    given: (&[Input], f64),
    reports: &mut Vec<Report>,
) {
    let mut deaf = alloc::vec![(); characters.len()];
    step_all_traced(world, characters, given, reports, &mut deaf);
}

/// As [`step_all_with`], telling each character's [`Trace`] all that happens to it: the first `min` of all three lists.
pub fn step_all_traced<T: Trace<Obstacle> + Send>(
    world: &World,
    characters: &mut [Character],
    (inputs, dt): (&[Input], f64),
    reports: &mut Vec<Report>,
    traces: &mut [T],
) {
    let count = characters.len().min(inputs.len()).min(traces.len());
    let (characters, traces) = (&mut characters[..count], &mut traces[..count]);
    let all: Vec<Neighbor> = characters
        .iter()
        .zip(inputs)
        .enumerate()
        .map(|(number, (character, input))| character.neighbor(number as u32, world, *input, dt))
        .collect();
    let place = |i: u32| place_of(&all[i as usize]);
    let tree = Tree::build(count as u32, place, &Settings::default());
    let step = |number: usize, (character, trace): (&mut Character, &mut T), scratch: &mut Scratch| {
        scratch.neighbors.clear();
        let _ = tree.overlaps(&place(number as u32), |other| {
            if other as usize != number {
                scratch.neighbors.push(all[other as usize]);
            }
            ControlFlow::<()>::Continue(())
        });
        // In the order of the list, whatever that of the tree is.
        scratch.neighbors.sort_unstable_by_key(|other| other.number);
        character.step_with(world, &scratch.neighbors, (inputs[number], dt), &mut scratch.near, trace)
    };
    reports.clear();
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        characters
            .par_iter_mut()
            .zip(traces)
            .enumerate()
            .map_init(Scratch::default, |scratch, (number, both)| step(number, both, scratch))
            .collect_into_vec(reports);
    }
    #[cfg(not(feature = "parallel"))]
    {
        let mut scratch = Scratch::default();
        reports.extend(
            characters
                .iter_mut()
                .zip(traces)
                .enumerate()
                .map(|(number, both)| step(number, both, &mut scratch)),
        );
    }
}

#[derive(Default)]
struct Scratch {
    neighbors: Vec<Neighbor>,
    near: Neighbourhood,
}

/// Where a character can be in the tick.
fn place_of(neighbor: &Neighbor) -> Aabb {
    let (at, extent) = (neighbor.position, DVec3::splat(neighbor.extent()));
    // Beyond the range of f64 it is near nobody, and its own step refuses.
    Aabb::new(at - extent, at + extent)
        .unwrap_or_else(|_| Aabb::new(DVec3::ZERO, DVec3::ZERO).expect("zero is finite and in order"))
}
