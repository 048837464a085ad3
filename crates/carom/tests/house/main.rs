//! Rules of the house that no compiler holds: layers point one way, no files import each other in a circle,
//! comment lines fit, words that we have dropped stay away, and crates can be published.
//!
//! The layers are the modules in the order of `lib.rs`' own table, which is the reading order of
//! `ARCHITECTURE.md`.

#![allow(clippy::unwrap_used, reason = "a source that cannot be read is a failure")]

mod circles;
mod publish;

use std::fs;
use std::path::{Path, PathBuf};

/// As `max_width` in `rustfmt.toml`, which does not look at comments.
const WIDTH: usize = 110;

/// Turns of phrase that need a second reading, and what to say instead.
const DROPPED: [(&str, &str); 20] = [
    ("so many as", "as many as, or a number"),
    ("is told apart", "differs, is distinguished"),
    ("are told apart", "differ, are distinguished"),
    ("is no number", "is NaN"),
    ("asks for itself", "prefetches"),
    ("whoever ", "a character that, a caller that"),
    (" anew", "again"),
    (" whom ", "a character that, which"),
    ("holds nobody", "supports nothing"),
    ("hangs on no", "does not depend on"),
    ("unless given", "default:"),
    ("gives up never", "it never gives up"),
    ("counts as none", "is ignored, or the lowest one"),
    ("whole numbers", "integers"),
    ("so much as", "as much as"),
    ("is told that", "is given, knows"),
    ("are told that", "are given, know"),
    ("everybody", "every character, every body"),
    ("somebody", "a character, a player"),
    ("anybody", "any character"),
];

fn source_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !["target", "node_modules", "corpus", "artifacts"].contains(&name.as_str()) {
            source_files(&path, found);
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
}

/// Every Rust file of the workspace; of this crate alone where it was packaged without the others.
fn all_files() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = own.join("../..");
    let roots = ["crates", "bevy", "peers", "fuzz"].map(|room| workspace.join(room));
    let mut found = Vec::new();
    if workspace.join("Cargo.lock").is_file() && roots[0].is_dir() {
        roots.iter().filter(|root| root.is_dir()).for_each(|root| source_files(root, &mut found));
    } else {
        source_files(own, &mut found);
    }
    found.sort();
    found
}

/// The comment of a line; empty if it has none, or only looks so within a string.
fn comment(line: &str) -> &str {
    let trimmed = line.trim_start();
    if trimmed.starts_with("//") { trimmed } else { "" }
}

#[test]
fn a_module_imports_only_from_those_above_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let lib = fs::read_to_string(source.join("lib.rs")).unwrap();
    let layers: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.strip_prefix("//! | [`")?.split_once('`').map(|(name, _)| name))
        .collect();
    assert!(layers.len() > 10, "lib.rs lists its modules in reading order: {layers:?}");
    let mut wrong = Vec::new();
    for (level, layer) in layers.iter().enumerate() {
        let mut files = Vec::new();
        let folder = source.join(layer);
        if folder.is_dir() {
            source_files(&folder, &mut files);
        }
        let file = source.join(format!("{layer}.rs"));
        if file.is_file() {
            files.push(file);
        }
        assert!(!files.is_empty(), "{layer} is in the table of lib.rs, and there is no such module");
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            // Tests may use anything.
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            if file.file_name().is_some_and(|name| name == "tests.rs") {
                continue;
            }
            for (number, line) in text.lines().enumerate().filter(|(_, line)| comment(line).is_empty()) {
                for below in &layers[level + 1..] {
                    let is_there = line.match_indices(&format!("crate::{below}")).any(|(at, path)| {
                        !line[at + path.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
                    });
                    if is_there {
                        wrong.push(format!("{}:{}: {layer} imports {below}", file.display(), number + 1));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "imports that point down:\n{}", wrong.join("\n"));
}

#[test]
fn comment_lines_fit() {
    let mut wide = Vec::new();
    for file in all_files() {
        let text = fs::read_to_string(&file).unwrap();
        let mut in_example = false;
        for (number, line) in text.lines().enumerate() {
            let comment = comment(line);
            if comment.trim_start_matches(['/', '!', ' ']).starts_with("```") {
                in_example = !in_example;
            }
            // Examples, tables, commands and links cannot be broken.
            let body = comment.trim_start_matches(['/', '!']).trim_start_matches(' ');
            let is_fixed = in_example
                || body.starts_with('|')
                || body.starts_with("http")
                || comment.trim_start_matches(['/', '!']).starts_with("     ");
            if !comment.is_empty() && !is_fixed && line.chars().count() > WIDTH {
                wide.push(format!("{}:{}: {} columns", file.display(), number + 1, line.chars().count()));
            }
        }
    }
    assert!(wide.is_empty(), "comment lines over {WIDTH} columns:\n{}", wide.join("\n"));
}

/// The paragraphs of comments in a text, each in one line, with the number of the first line.
fn paragraphs(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut is_open = false;
    for (number, line) in text.lines().enumerate() {
        let words = comment(line).trim_start_matches(['/', '!']).trim();
        match found.last_mut() {
            Some((_, paragraph)) if is_open && !words.is_empty() => *paragraph += &format!(" {words}"),
            _ if !words.is_empty() => found.push((number + 1, words.to_owned())),
            _ => {}
        }
        is_open = !words.is_empty();
    }
    found
}

/// The sentences of a paragraph that have a question word as their subject: "What is left: …". They name the
/// thing only by what happens to it. Questions may begin so.
fn nameless_sentences(paragraph: &str) -> impl Iterator<Item = &str> {
    let begins = paragraph.match_indices(". ").map(|(at, _)| at + 2);
    [0].into_iter().chain(begins).filter_map(|at| {
        let sentence = paragraph[at..].split_inclusive(['.', '?']).next()?;
        let is_nameless = ["What ", "Whose ", "Who "].iter().any(|word| sentence.starts_with(word));
        (is_nameless && !sentence.ends_with('?')).then_some(sentence)
    })
}

#[test]
fn comments_name_their_subject() {
    assert_eq!(nameless_sentences("A bound. What is left. What is left?").count(), 1);
    let mut found = Vec::new();
    for file in all_files() {
        let text = fs::read_to_string(&file).unwrap();
        for (number, paragraph) in paragraphs(&text) {
            found.extend(
                nameless_sentences(&paragraph)
                    .map(|sentence| format!("{}:{number}: {sentence}", file.display())),
            );
        }
    }
    assert!(found.is_empty(), "comments that do not name their subject:\n{}", found.join("\n"));
}

#[test]
fn dropped_words_stay_away() {
    let mut found = Vec::new();
    for file in all_files().iter().filter(|file| !file.ends_with("tests/house/main.rs")) {
        let text = fs::read_to_string(file).unwrap();
        for (number, line) in text.lines().enumerate() {
            let comment = comment(line).to_lowercase();
            for (dropped, better) in DROPPED.iter().filter(|(dropped, _)| comment.contains(dropped)) {
                found.push(format!("{}:{}: {dropped:?}: say {better}", file.display(), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "words that we have dropped:\n{}", found.join("\n"));
}
