//! Every machine, debug or release, answers to the bit the same.

use carom_scenes::fingerprint::{FINGERPRINT, fingerprint};

#[test]
fn the_same_bits_on_every_machine() {
    let found = fingerprint().expect("no number is refused");
    assert_eq!(
        found.all(),
        FINGERPRINT,
        "answers have changed to {:#018x}: if they were meant to, say so beside the constant and compare machines again\n{:#x?}",
        found.all(),
        found.parts
    );
}
