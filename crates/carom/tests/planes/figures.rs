//! The numbers that `docs/planes.md` quotes:
//! `cargo test -p carom --test planes -- --ignored --nocapture --test-threads 1 figures`

use std::hint::black_box;
use std::time::Instant;

use carom::respond::{ContactPlane, Crush, NearestMotion, nearest_feasible};
use glam::{DMat3, DVec3, dvec3};

use crate::cases::{Case, FAMILIES, Family, Random, case};
use crate::oracle;

fn solve(case: &Case) -> NearestMotion {
    nearest_feasible(case.wanted, &case.planes).expect("finite, unit")
}

#[test]
#[ignore = "prints a table"]
fn figures_of_error_and_violation() {
    println!(
        "1 … 7 planes, against exact rationals; error and violation as shares of the longer of wish and answer"
    );
    println!(
        "{:14}{:>7}{:>10}{:>12}{:>7}{:>10}{:>11}",
        "family", "cases", "feasible", "infeasible", "fling", "error", "violation"
    );
    for family in FAMILIES {
        let mut random = Random::new(8);
        let cases = 20_000;
        let (mut feasible, mut infeasible, mut fling) = (0, 0, 0);
        let (mut error, mut violation) = (0.0_f64, 0.0_f64);
        for i in 0..cases {
            let mut problem = case(family, 1 + i % 7, &mut random);
            for plane in &mut problem.planes {
                plane.bound -= random.signed().abs() * 0.01;
            }
            match solve(&problem) {
                NearestMotion::Feasible { velocity, .. } => {
                    feasible += 1;
                    let longer = velocity.length().max(problem.wanted.length());
                    for plane in &problem.planes {
                        violation = violation.max(oracle::shortfall(plane, velocity) / longer);
                    }
                    if let Some(answer) = oracle::nearest(problem.wanted, &problem.planes) {
                        error = error.max(answer.minus(velocity).length() / longer);
                    }
                }
                NearestMotion::Crushed { cause: Crush::Fling, .. } => fling += 1,
                NearestMotion::Crushed { .. } => infeasible += 1,
            }
        }
        let name = format!("{family:?}");
        println!("{name:14}{cases:7}{feasible:10}{infeasible:12}{fling:7}{error:10.1e}{violation:11.1e}");
    }
}

/// The textbook way: every set of at most three planes, by the inverse of its Gram matrix.
fn by_gram_matrix(case: &Case) -> Option<DVec3> {
    let Case { wanted, planes, .. } = case;
    let short = |plane: &ContactPlane, v: DVec3| plane.bound - plane.normal.dot(v);
    let mut best: Option<DVec3> = None;
    for i in 0..planes.len() {
        for j in i..planes.len() {
            for k in j..planes.len() {
                // Repeated planes stand for smaller sets: an identity row keeps their multiplier at 0.
                let used = [true, j != i, k != j];
                let set = [&planes[i], &planes[j], &planes[k]];
                let entry = |r: usize, c: usize| match used[r] && used[c] {
                    true => set[r].normal.dot(set[c].normal),
                    false => f64::from(u8::from(r == c)),
                };
                let column = |c| dvec3(entry(0, c), entry(1, c), entry(2, c));
                let gram = DMat3::from_cols(column(0), column(1), column(2));
                if gram.determinant().abs() < 1e-12 {
                    continue;
                }
                let right = [0, 1, 2].map(|r| if used[r] { short(set[r], *wanted) } else { 0.0 });
                let multipliers = gram.inverse() * DVec3::from_array(right);
                let v = *wanted + (0..3).map(|r| set[r].normal * multipliers[r]).sum::<DVec3>();
                let feasible = planes.iter().all(|plane| short(plane, v) <= 1e-12);
                if feasible && best.is_none_or(|best| v.distance(*wanted) < best.distance(*wanted)) {
                    best = Some(v);
                }
            }
        }
    }
    best.or_else(|| planes.iter().all(|plane| short(plane, *wanted) <= 0.0).then_some(*wanted))
}

#[test]
#[ignore = "prints a table"]
fn figures_of_giving_up() {
    println!("how often no motion is found although one is known");
    println!("{:14}{:>7}{:>8}{:>14}{:>14}", "family", "planes", "cases", "Gram matrix", "this");
    for family in [Family::NearParallel, Family::Flat, Family::Cabin] {
        for count in [2, 3, 4, 6, 8] {
            let mut random = Random::new(9);
            let cases = 20_000;
            let (mut gram, mut this) = (0, 0);
            for _ in 0..cases {
                let problem = case(family, count, &mut random);
                gram += u32::from(by_gram_matrix(&problem).is_none());
                let crushed =
                    matches!(solve(&problem), NearestMotion::Crushed { cause, .. } if cause != Crush::Fling);
                this += u32::from(crushed);
            }
            let share = |n| 100.0 * f64::from(n) / f64::from(cases);
            println!(
                "{:14}{count:7}{cases:8}{:12.2} %{:12.2} %",
                format!("{family:?}"),
                share(gram),
                share(this)
            );
        }
    }
}

#[test]
#[ignore = "prints a table"]
fn figures_of_time() {
    println!("nanoseconds per answer");
    let plane = |x, y, z| ContactPlane { normal: dvec3(x, y, z).normalize(), bound: 0.0 };
    let (floor, wall, end) = (plane(0.1, 1.0, 0.2), plane(-1.0, 0.1, 0.3), plane(0.2, 0.1, 1.0));
    let down = dvec3(1.0, -2.0, -1.5);
    let many: Vec<_> =
        (0..16).map(|i| plane(0.01 * f64::from(i), 1.0, 0.003 * f64::from(i * i % 7))).collect();
    let lift = ContactPlane { bound: 0.5, ..floor };
    let lid = ContactPlane { normal: -floor.normal, bound: 0.0 };
    let rows: [(&str, DVec3, &[ContactPlane]); 7] = [
        ("one plane, not in the way", -down, &[floor]),
        ("one plane", down, &[floor]),
        ("a crease", down, &[floor, wall]),
        ("a corner", down, &[floor, wall, end]),
        ("a corner and a copy of its floor", down, &[floor, wall, end, floor]),
        ("a floor of 16 planes", down, &many),
        ("crushed between two", down, &[lift, lid]),
    ];
    for (name, wanted, planes) in rows {
        // The fastest of many batches: what else the machine does can only add to it.
        let mut fastest = f64::INFINITY;
        for _ in 0..2_000 {
            let start = Instant::now();
            for _ in 0..100 {
                black_box(nearest_feasible(black_box(wanted), black_box(planes))).unwrap();
            }
            fastest = fastest.min(start.elapsed().as_secs_f64() / 100.0);
        }
        println!("{name:34}{:8.0}", fastest * 1e9);
    }
}
