//! Rules of `carom explore`.
#![no_main]

use carom_fuzz::command;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (level, rules) = (command::path("level.obj"), command::path("rules.json"));
    let arguments = ["explore", &level, "--rules", &rules, "--stop-after", "0.05", "--threads", "1"];
    command::run_with(bytes, "rules.json", &arguments);
});
