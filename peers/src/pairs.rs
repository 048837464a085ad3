//! W6: two dented balls of 81,920 triangles each, in many poses.

use std::cell::RefCell;

use carom_scenes::workload::{BLOB_SEEDS, blob, blob_poses};

use crate::Options;
use crate::engines::pairs;
use crate::rounds::{Contestant, Times, timed};
use crate::table::{Subject, Table};

/// Boolean, then all pairs.
pub fn run(options: &Options, table: &mut Table) {
    if !options.wants(&["W6"]) {
        return;
    }
    let [first, second] = BLOB_SEEDS.map(blob);
    let all = pairs([&first, &second]);
    let poses = blob_poses(options.poses);

    let answers = RefCell::new(vec![Vec::new(); all.len()]);
    let mut contestants: Vec<Contestant> = all
        .iter()
        .enumerate()
        .map(|(i, pair)| Contestant {
            engine: pair.engine(),
            setup: pair.setup(),
            run: {
                let (answers, poses) = (&answers, &poses);
                Box::new(move || timed(|| answers.borrow_mut()[i] = pair.overlaps(poses)))
            },
        })
        .collect();
    let times = Times::measure(&mut contestants, options.rounds);
    drop(contestants);
    let answers = answers.into_inner();
    for (i, pair) in all.iter().enumerate() {
        let wrong = answers[i].iter().zip(&answers[0]).filter(|(a, b)| a != b).count();
        let overlapping = answers[i].iter().filter(|overlaps| **overlaps).count();
        let subject =
            Subject { workload: "W6", variant: "boolean", engine: pair.engine(), setup: pair.setup() };
        table.add(
            &subject,
            &[
                ("time", times.median(i) / poses.len() as f64 * 1e6, "µs"),
                ("carom / this", times.ratio(0, i), ""),
                ("overlapping", overlapping as f64, ""),
                ("unlike carom", wrong as f64, ""),
            ],
        );
    }

    // Only libraries that report pairs.
    let tells: Vec<_> =
        all.iter().filter(|pair| pair.pairs(&poses[..poses.len().min(1)]).is_some()).collect();
    let answers = RefCell::new(vec![Vec::new(); tells.len()]);
    let mut contestants: Vec<Contestant> = tells
        .iter()
        .enumerate()
        .map(|(i, pair)| Contestant {
            engine: pair.engine(),
            setup: pair.setup(),
            run: {
                let (answers, poses) = (&answers, &poses);
                Box::new(move || {
                    timed(|| answers.borrow_mut()[i] = pair.pairs(poses).expect("it told some before"))
                })
            },
        })
        .collect();
    let times = Times::measure(&mut contestants, options.rounds);
    drop(contestants);
    let answers = answers.into_inner();
    for (i, pair) in tells.iter().enumerate() {
        let wrong = answers[i].iter().zip(&answers[0]).filter(|(a, b)| a != b).count();
        let subject =
            Subject { workload: "W6", variant: "all pairs", engine: pair.engine(), setup: pair.setup() };
        table.add(
            &subject,
            &[
                ("time", times.median(i) / poses.len() as f64 * 1e6, "µs"),
                ("carom / this", times.ratio(0, i), ""),
                ("pairs", answers[i].iter().sum::<usize>() as f64, ""),
                ("poses unlike carom", wrong as f64, ""),
            ],
        );
    }
}
