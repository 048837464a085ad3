//! Lines of `carom cast`.
#![no_main]

use carom_fuzz::command;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let [level, queries, out] = ["level.obj", "queries.jsonl", "out.jsonl"].map(command::path);
    let arguments = ["cast", &level, "--in", &queries, "--out", &out, "--threads", "1"];
    command::run_with(bytes, "queries.jsonl", &arguments);
});
