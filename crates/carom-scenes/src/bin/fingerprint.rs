//! Prints the fingerprint of thousands of answers, part by part, for machines on which the tests do not run.
//! Fails if it differs from the committed one.

use carom_scenes::fingerprint::{FINGERPRINT, fingerprint};

fn main() {
    let found = fingerprint().expect("no number is refused");
    for (part, hash) in &found.parts {
        println!("{part:<12}{hash:#018x}");
    }
    let all = found.all();
    println!("{:<12}{all:#018x}", "all");
    assert_eq!(
        all, FINGERPRINT,
        "other answers than on other machines: {all:#018x}, not {FINGERPRINT:#018x}"
    );
}
