//! 3,324 queries about corners and triangles, edges and edges that move, answered by exact arithmetic in the
//! data folder `ccd_queries_dev`: ours are the same.
#![allow(clippy::unwrap_used, reason = "a case that cannot be set up is a failure")]

use std::time::{Duration, Instant};

use carom::glam::DVec3;
use carom::sweep::deforming::{edge_edge, vertex_triangle};
use carom_scenes::real;

/// A row: three rationals, and whether the eight rows that belong together meet.
fn row(line: &str) -> (DVec3, bool) {
    let numbers: Vec<i128> = line.split(',').map(|word| word.trim().parse().unwrap()).collect();
    let coordinate = |i: usize| {
        // Both are below 2⁵³ or powers of two: the quotient is the number that was written, exactly.
        let (above, below) = (numbers[2 * i] as f64, numbers[2 * i + 1] as f64);
        let quotient = above / below;
        assert_eq!(quotient * below, above);
        assert_eq!((above as i128, below as i128), (numbers[2 * i], numbers[2 * i + 1]));
        quotient
    };
    (DVec3::new(coordinate(0), coordinate(1), coordinate(2)), numbers[6] == 1)
}

#[test]
fn answers_are_those_of_exact_arithmetic() {
    let Some(folder) = real::folder() else { return };
    let is_table = |path: &std::path::Path| path.extension().is_some_and(|extension| extension == "csv");
    let files = real::files_below(&folder.join("ccd_queries_dev"), is_table).unwrap();
    let (mut questions, mut meeting) = (0, 0);
    let (mut total, mut longest) = (Duration::ZERO, Duration::ZERO);
    for file in files {
        let of_vertex = file.to_string_lossy().contains("vertex-face");
        let text = std::fs::read_to_string(&file).unwrap();
        let rows: Vec<(DVec3, bool)> = text.lines().map(row).collect();
        for rows in rows.chunks_exact(8) {
            let place = |i: usize| rows[i].0;
            let (start, end) = ([0, 1, 2, 3].map(place), [4, 5, 6, 7].map(place));
            let ask = || if of_vertex { vertex_triangle(&start, &end) } else { edge_edge(&start, &end) };
            let began = Instant::now();
            let found = ask();
            // The shorter of two: what else runs here takes the processor now and then.
            let first = began.elapsed();
            assert_eq!(ask(), found);
            let took = first.min(began.elapsed() - first);
            total += took;
            longest = longest.max(took);
            assert_eq!(found.is_some(), rows[0].1, "{file:?} {start:?} {end:?}");
            questions += 1;
            meeting += u32::from(rows[0].1);
        }
    }
    println!("{questions} questions, {:?} each, {longest:?} at most", total / questions);
    assert_eq!((questions, meeting), (3324, 352));
}
