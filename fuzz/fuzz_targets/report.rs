//! Reports that are compared, as the older and as the newer one.
#![no_main]

use carom_fuzz::command;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let [old, new] = ["report/report.json", "new.json"].map(command::path);
    command::run_with(bytes, "new.json", &["diff", &old, &new]);
    command::run(&["diff", &new, &old, "--json"]);
});
