//! Indices of levels in tiles.
#![no_main]

use carom_fuzz::command;

use std::fs;
use std::sync::OnceLock;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    let (world, index) = (command::path("world"), command::path("world/world.json"));
    let good = GOOD.get_or_init(|| fs::read(&index).expect("the level was cut"));
    // The index as a whole, or a good one with some bytes changed.
    let fuzzed = match bytes.split_first() {
        Some((0, rest)) => rest.to_vec(),
        _ => {
            let mut changed = good.clone();
            for change in bytes.chunks_exact(3) {
                let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % changed.len();
                changed[at] = change[2];
            }
            changed
        }
    };
    command::run_with(&fuzzed, "world/world.json", &["inspect", &world]);
    command::run(&["explore", &world, "--stop-after", "0.05", "--threads", "1"]);
});
