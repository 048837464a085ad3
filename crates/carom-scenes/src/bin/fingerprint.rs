//! Prints the fingerprint of thousands of answers, for machines on which the tests do not run; fails where it
//! is not the one that is committed.

use carom_scenes::fingerprint::{FINGERPRINT, fingerprint};

fn main() {
    let found = fingerprint().expect("no number is refused");
    println!("{found:#018x}");
    assert_eq!(
        found, FINGERPRINT,
        "other answers than on other machines: {found:#018x}, not {FINGERPRINT:#018x}"
    );
}
