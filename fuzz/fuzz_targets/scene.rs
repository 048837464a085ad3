//! Scenes of `carom walk`, a few ticks long.
#![no_main]

use carom_fuzz::command;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let scene = command::shortened(bytes, &[("ticks", 20.0)]);
    let (scene_file, out) = (command::path("scene.json"), command::path("out.jsonl"));
    command::run_with(&scene, "scene.json", &["walk", &scene_file, "--out", &out]);
});
