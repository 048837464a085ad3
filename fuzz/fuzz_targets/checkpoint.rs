//! Checkpoints of `carom explore`, good ones with some bytes changed.
#![no_main]

use carom_fuzz::command;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let [level, checkpoint] = ["level.obj", "checkpoint"].map(command::path);
    let arguments =
        ["explore", &level, "--checkpoint", &checkpoint, "--stop-after", "0.05", "--threads", "1"];
    // The head of a checkpoint names its level and rules: one that is good, with bytes of it changed.
    let _ = std::fs::remove_file(&checkpoint);
    command::run(&["explore", &level, "--checkpoint", &checkpoint, "--stop-after", "0.02", "--threads", "1"]);
    let Ok(mut good) = std::fs::read(&checkpoint) else { return };
    for change in bytes.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]]));
        if change[2] == 0 {
            good.truncate(24 + at);
        } else if let Some(byte) = good.get_mut(24 + at) {
            *byte ^= change[2];
        }
    }
    command::run_with(&good, "checkpoint", &arguments);
});
