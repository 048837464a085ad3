//! A flood by many workers is that of one process, to the bit, after each batch.

use carom_explore::{
    End, ExploreError, Explorer, Level, Message, Rules, Stage, Stop, Task, Watch, Worker, WorkerNumber,
};
use carom_scenes::Random;
use carom_scenes::courtyard::courtyard_with_defects;
use carom_scenes::workload::Terrain;
use glam::{DVec3, dvec3};

use crate::same::yard;
use crate::{level, saved};

/// Checkpoints hold all that a flood has: those after each batch by one process.
pub(crate) fn alone(level: &Level, rules: &Rules, spawns: &[DVec3]) -> Vec<Vec<u8>> {
    let mut explorer = Explorer::new(level, rules, spawns).unwrap();
    let mut kept = Vec::new();
    loop {
        let stage = explorer.advance();
        if stage == Stage::Full {
            return kept;
        }
        kept.push(saved(&explorer));
        if stage == Stage::Done {
            return kept;
        }
    }
}

/// The same by this many workers, from an exploration on; messages come in any order, and some of the workers
/// work ahead.
pub(crate) fn together<'a>(explorer: &mut Explorer<'a>, task: Task<'a>, count: usize) -> (End, Vec<Vec<u8>>) {
    let mut random = Random::scattered(count as u64);
    let mut kept = Vec::new();
    let watch = Box::new(|explorer: &Explorer<'_>| {
        kept.push(saved(explorer));
        Ok(())
    });
    let mut workers = vec![Worker::first(explorer, count, watch).unwrap()];
    for number in 1..count {
        workers.push(Worker::other(task, WorkerNumber { number, count }, Stop::new()).unwrap());
    }
    let mut messages: Vec<Message> = Vec::new();
    let end = loop {
        let mut inboxes = vec![Vec::new(); count];
        while !messages.is_empty() {
            let message = messages.swap_remove(random.below(messages.len()));
            inboxes[message.to].push(message);
        }
        for (worker, inbox) in workers.iter_mut().zip(inboxes) {
            for _ in 0..random.below(100) {
                worker.work_ahead();
            }
            messages.extend(worker.step(inbox).unwrap());
        }
        if let Some(end) = workers[0].end().cloned() {
            assert!(workers.iter().all(|worker| worker.end() == Some(&end)));
            break end;
        }
    };
    drop(workers);
    (end, kept)
}

fn assert_same(level: &Level, rules: &Rules, spawns: &[DVec3], least: usize) {
    let expected = alone(level, rules, spawns);
    assert!(expected.len() >= least, "{} batches", expected.len());
    for count in [2, 5] {
        let mut explorer = Explorer::new(level, rules, spawns).unwrap();
        let (end, kept) = together(&mut explorer, Task { level, rules }, count);
        assert_eq!(end, End::Done);
        assert!(kept == expected, "{count} workers");
    }
}

#[test]
fn the_broken_courtyard_is_the_same_with_many_workers() {
    let yard = courtyard_with_defects();
    assert_same(&level(yard.mesh), &Rules::default(), &yard.spawns, 2);
}

#[test]
fn hills_are_the_same_with_many_workers() {
    let rules = Rules { jump: 0.0, ..Rules::default() };
    assert_same(&level(Terrain::new(48).mesh().clone()), &rules, &[], 3);
}

#[test]
fn a_full_flood_ends_where_one_process_ends() {
    let level = level(Terrain::new(40).mesh().clone());
    let rules = Rules { jump: 0.0, most_places: 3000, ..Rules::default() };
    let expected = alone(&level, &rules, &[]);
    let mut explorer = Explorer::new(&level, &rules, &[]).unwrap();
    let (end, kept) = together(&mut explorer, Task { level: &level, rules: &rules }, 3);
    assert_eq!(end, End::Full);
    assert!(kept == expected && !kept.is_empty());
}

#[test]
fn any_number_of_workers_goes_on_from_any_batch() {
    let (level, spawns) = (level(yard()), [dvec3(0.0, 0.95, 0.0)]);
    let rules = Rules { cell: Some(0.3), jump: 0.0, ..Rules::default() };
    let expected = alone(&level, &rules, &spawns);
    // Three has no divisor in common with the numbers of workers.
    for (number, kept) in expected.iter().enumerate().skip(1).step_by(3) {
        let mut explorer = Explorer::resume(&level, &rules, &spawns, kept.as_slice()).unwrap();
        let (end, rest) = together(&mut explorer, Task { level: &level, rules: &rules }, 1 + number % 4);
        assert_eq!(end, End::Done);
        assert!(rest == expected[number + 1..], "from batch {number}");
    }
}

#[test]
fn a_stop_ends_all_with_whole_batches() {
    let (level, spawns) = (level(yard()), [dvec3(0.0, 0.95, 0.0)]);
    let rules = Rules { cell: Some(0.3), jump: 0.0, ..Rules::default() };
    let expected = alone(&level, &rules, &spawns);
    let mut explorer = Explorer::new(&level, &rules, &spawns).unwrap();
    let mut batches = 0;
    let watch: Watch<'_, '_> = Box::new(|_| {
        batches += 1;
        Ok(())
    });
    let stop = Stop::new();
    let (task, second) = (Task { level: &level, rules: &rules }, WorkerNumber { number: 1, count: 2 });
    let mut workers =
        [Worker::first(&mut explorer, 2, watch).unwrap(), Worker::other(task, second, stop.clone()).unwrap()];
    let mut messages = Vec::new();
    let mut steps = 0;
    while workers[0].end().is_none() {
        steps += 1;
        assert!(steps < 100);
        if steps == 7 {
            stop.set();
        }
        let (mine, other): (Vec<_>, Vec<_>) =
            std::mem::take(&mut messages).into_iter().partition(|message: &Message| message.to == 0);
        messages = workers[0].step(mine).unwrap();
        messages.extend(workers[1].step(other).unwrap());
    }
    assert!(workers.iter().all(|worker| worker.end() == Some(&End::Stopped)));
    drop(workers);
    assert!(batches > 0 && saved(&explorer) == expected[batches - 1], "{batches}");
    assert!(!explorer.is_complete());
}

#[test]
fn messages_that_make_no_sense_are_refused() {
    let level = level(Terrain::new(20).mesh().clone());
    let rules = Rules::default();
    let (task, second) = (Task { level: &level, rules: &rules }, WorkerNumber { number: 1, count: 2 });
    let mut random = Random::scattered(5);
    for _ in 0..200 {
        let mut worker = Worker::other(task, second, Stop::new()).unwrap();
        assert_eq!(worker.step(Vec::new()).unwrap(), []);
        let bytes = (0..random.below(60)).map(|_| random.below(256) as u8).collect();
        let order = Message { from: 0, to: 1, topic: 0, bytes };
        // Whatever it says: an error, or an order; no panic.
        let _ = worker.step(vec![order]);
    }
    let mut worker = Worker::other(task, second, Stop::new()).unwrap();
    worker.step(Vec::new()).unwrap();
    assert_eq!(worker.step(Vec::new()), Err(ExploreError::Message));
}
