//! Medians of the work done in a second.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::Result;
use carom::character::{Character, Crowd, Input, TickInput};
use carom::mesh::Mesh;
use carom::world::{Batch, Body, Cast, Neighborhood, World};

use super::stage::Stage;

/// The length of a tick, in seconds.
const DT: f64 = 1.0 / 60.0;
/// Every figure is the median of at least this many runs.
const LEAST_RUNS: usize = 3;

/// Ticks of characters in a second.
pub(super) struct Rate {
    pub(super) one_by_one: f64,
    pub(super) together: f64,
}

/// The median of the seconds that something takes, run again and again for a while.
fn median(share: Duration, mut run: impl FnMut()) -> f64 {
    run();
    let mut seconds = Vec::new();
    let started = Instant::now();
    while seconds.len() < LEAST_RUNS || started.elapsed() < share {
        let before = Instant::now();
        run();
        seconds.push(before.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2].max(1e-9)
}

/// The seconds to build a world of a mesh, with its tree; copying the mesh is not counted.
pub(super) fn build(mesh: &Mesh, share: Duration) -> f64 {
    let mut seconds = Vec::new();
    let started = Instant::now();
    while seconds.len() < LEAST_RUNS || started.elapsed() < share {
        let mesh = mesh.clone();
        let before = Instant::now();
        let body = Body::fixed(mesh);
        seconds.push(before.elapsed().as_secs_f64());
        drop(black_box(body));
    }
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// Casts a second, on one thread.
pub(super) fn casts(world: &World, casts: &[Cast], share: Duration) -> f64 {
    let seconds = median(share, || {
        for cast in casts {
            black_box(world.cast(black_box(cast)));
        }
    });
    casts.len() as f64 / seconds
}

/// Casts a second, on all threads.
pub(super) fn casts_together(world: &World, casts: &[Cast], share: Duration) -> f64 {
    let mut batch = Batch::new();
    let seconds = median(share, || {
        black_box(world.cast_many(black_box(casts), &mut batch));
    });
    casts.len() as f64 / seconds
}

/// Ticks of characters that walk about, each with a new heading every second.
pub(super) fn rates_of(stage: &Stage, share: Duration) -> Result<Rate> {
    let count = stage.starts().len() as f64;
    if stage.starts().is_empty() {
        return Ok(Rate { one_by_one: 0.0, together: 0.0 });
    }
    let mut characters = stage.characters()?;
    let mut near = Neighborhood::new();
    let mut tick = 0;
    let one_by_one = median(share, || {
        let inputs = stage.inputs(tick);
        for (character, input) in characters.iter_mut().zip(&inputs) {
            black_box(character.step_with(stage.world(), TickInput::new(*input, DT), &mut near, &mut ()));
        }
        stage.bring_back(&mut characters);
        tick += 1;
    });
    let mut characters: Vec<Character> = stage.characters()?;
    let mut all = Crowd::new();
    let mut tick = 0;
    let together = median(share, || {
        let inputs: Vec<Input> = stage.inputs(tick);
        black_box(all.step_all(stage.world(), &mut characters, &inputs, DT));
        stage.bring_back(&mut characters);
        tick += 1;
    });
    Ok(Rate { one_by_one: count / one_by_one, together: count / together })
}
