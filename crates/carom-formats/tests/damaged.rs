//! Files of others, cut short and with bytes changed: every file in the folder that `CAROM_DATA` names. A
//! level or an error, never a panic, in bounded time and memory. `CAROM_ROUNDS` says how many changes to each
//! (12 by default).
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::time::{Duration, Instant};

use carom_formats::{Format, LoadOptions, Structure, parse};
use carom_scenes::real;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// One change: a truncation, a flipped bit, a number that is extreme, a run of bytes from elsewhere.
fn damage(bytes: &[u8], round: usize, random: &mut Random) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    // Headers are short and say most.
    let at =
        if round.is_multiple_of(2) { random.below(bytes.len()) } else { random.below(bytes.len().min(256)) };
    match round % 4 {
        0 => changed.truncate(at),
        1 => changed[at] ^= 1 << random.below(8),
        2 => {
            let extreme: [[u8; 4]; 5] =
                [[0xFF; 4], [0, 0, 0, 0x80], [0xFF, 0xFF, 0xFF, 0x7F], [0; 4], [0, 0, 0xC0, 0x7F]];
            let at = at / 4 * 4;
            for (byte, new) in changed[at..].iter_mut().zip(extreme[random.below(extreme.len())]) {
                *byte = new;
            }
        }
        _ => {
            let from = random.below(bytes.len());
            let count = (1 + random.below(64)).min(bytes.len() - at.max(from));
            changed[at..at + count].copy_from_slice(&bytes[from..from + count]);
        }
    }
    changed
}

/// The most memory that this process has had, in bytes; `None` where the system does not say.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

#[test]
fn damaged_files_of_others_end_in_a_level_or_an_error() {
    let Some(data) = real::folder() else { return };
    let rounds: usize = std::env::var("CAROM_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
    let files = real::files_below(&data, |path| {
        Format::from_path(path).is_some() && std::fs::metadata(path).is_ok_and(|file| file.len() < 6_000_000)
    })
    .unwrap();
    let (mut levels, mut refused, mut slowest) = (0, 0, Duration::ZERO);
    for (number, path) in files.iter().enumerate() {
        let bytes = std::fs::read(path).unwrap();
        let format = Format::from_path(path).unwrap();
        let mut random = Random(number as u64 + 1);
        if bytes.is_empty() {
            continue;
        }
        for round in 0..rounds {
            let changed = damage(&bytes, round, &mut random);
            let start = Instant::now();
            let result = parse(&changed, format, &LoadOptions::default());
            if matches!(format, Format::Bsp | Format::Map)
                && let Err(error) = Structure::parse(&changed, format, &LoadOptions::default())
            {
                assert!(!error.to_string().is_empty());
            }
            let spent = start.elapsed();
            slowest = slowest.max(spent);
            assert!(spent < Duration::from_secs(30), "{}: {spent:?} in round {round}", path.display());
            match result {
                Ok(level) => {
                    levels += 1;
                    let count = level.vertices.len() as u32;
                    assert!(level.triangles.as_flattened().iter().all(|vertex| *vertex < count));
                }
                Err(error) => {
                    refused += 1;
                    let said = error.to_string();
                    let names_place = ["lump", "header", "line", "the file", "this is no"];
                    assert!(
                        !matches!(format, Format::Bsp | Format::Map)
                            || names_place.iter().any(|place| said.contains(place)),
                        "{}: {said}",
                        path.display()
                    );
                }
            }
        }
    }
    println!(
        "{} files, {levels} levels, {refused} refused, the slowest in {slowest:?}, at most {:?} bytes",
        files.len(),
        peak()
    );
    assert!(refused > 0);
    assert!(peak().is_none_or(|bytes| bytes < 1 << 30), "{:?} bytes", peak());
}
