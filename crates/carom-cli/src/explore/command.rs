//! Commands for the user to run: the same flags, quoted for the shell.

use std::ffi::{OsStr, OsString};

/// The command line as it was given, but with `--out report`.
pub(crate) fn again_with_out(arguments: impl IntoIterator<Item = OsString>) -> String {
    let mut line = vec!["carom".to_owned()];
    let mut arguments = arguments.into_iter().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--out" {
            let _ = arguments.next();
        } else if !argument.to_string_lossy().starts_with("--out=") {
            line.push(quoted(&argument));
        }
    }
    line.push("--out report".to_owned());
    line.join(" ")
}

/// An argument, quoted so that a shell reads it as one.
pub(crate) fn quoted(argument: &OsStr) -> String {
    let text = argument.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "_-./,:=+@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.into_owned();
    }
    if cfg!(windows) { format!("\"{text}\"") } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_kept_and_paths_are_quoted() {
        let line =
            ["carom", "explore", "my level's.glb", "--up", "z", "--out", "old dir", "--spawn", "-1,2,3"];
        let again = again_with_out(line.map(OsString::from));
        if cfg!(unix) {
            assert_eq!(again, r"carom explore 'my level'\''s.glb' --up z --spawn -1,2,3 --out report");
        }
        assert_eq!(
            again_with_out(["carom", "explore", "--out=x"].map(OsString::from)),
            "carom explore --out report"
        );
    }
}
