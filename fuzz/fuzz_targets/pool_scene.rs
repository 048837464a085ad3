//! Scenes of `carom pool`, a few events long.
#![no_main]

use carom_fuzz::command;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let scene = command::shortened(bytes, &[("max_events", 200.0), ("until", 0.5)]);
    let scene_file = command::path("pool.json");
    command::run_with(&scene, "pool.json", &["pool", &scene_file]);
});
