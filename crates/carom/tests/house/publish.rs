//! Requirements of crates.io and docs.rs, and the versions that pages promise.

use std::fs;
use std::path::{Path, PathBuf};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The manifests of the crates that are published.
fn published() -> Vec<(PathBuf, String)> {
    let crates = fs::read_dir(workspace().join("crates")).into_iter().flatten();
    let mut folders: Vec<PathBuf> = crates.map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let manifest = |folder: PathBuf| {
        let text = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
        Some((folder, text))
    };
    let is_published = |(_, text): &(PathBuf, String)| !text.contains("publish = false");
    folders.into_iter().filter_map(manifest).filter(is_published).collect()
}

/// The value of the first line of a text that sets a key.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let start = format!("{key} = \"");
    text.lines().find_map(|line| line.strip_prefix(start.as_str())?.strip_suffix('"'))
}

#[test]
fn every_published_crate_has_what_its_pages_need() {
    let mut missing = Vec::new();
    for (folder, text) in published() {
        let name = value(&text, "name").expect("a name");
        let shared = ["version", "edition", "rust-version", "license", "authors", "keywords"];
        let lines = shared.map(|key| format!("{key}.workspace = true"));
        let own = ["readme = \"README.md\"", "[package.metadata.docs.rs]"].map(str::to_owned);
        let page = format!("documentation = \"https://docs.rs/{name}\"");
        let mut wanted = [lines.as_slice(), &own, &[page]].concat();
        wanted.retain(|line| !text.lines().any(|other| other == line));
        for key in ["description", "categories"] {
            if !text
                .lines()
                .any(|line| line.starts_with(&format!("{key} = ")) || line.starts_with(&format!("{key}.")))
            {
                wanted.push(key.to_owned());
            }
        }
        let files = ["README.md", "LICENSE-APACHE", "LICENSE-MIT"];
        wanted
            .extend(files.iter().filter(|file| !folder.join(file).is_file()).map(|file| (*file).to_owned()));
        // Development dependencies by path alone are left out of what is published; others are refused.
        let needed = text.split("[dev-dependencies]").next().unwrap_or_default();
        wanted.extend(needed.lines().filter(|line| line.contains("path = \"../")).map(str::to_owned));
        missing.extend(wanted.iter().map(|line| format!("{name}: {line}")));
    }
    assert!(missing.is_empty(), "missing in crates that are published:\n{}", missing.join("\n"));
}

#[test]
fn versions_are_the_same_wherever_they_stand() {
    let Ok(root) = fs::read_to_string(workspace().join("Cargo.toml")) else { return };
    if published().is_empty() {
        return;
    }
    let version = value(&root, "version").expect("the version of the workspace");
    for (folder, text) in published() {
        let name = value(&text, "name").expect("a name");
        let own = format!("{name} = {{ path = \"crates/{name}\", version = \"{version}\"");
        let is_used = root.contains(&format!("\n{name} = {{"));
        assert!(!is_used || root.contains(&own), "{}: another version in Cargo.toml", folder.display());
    }
    let rust = value(&root, "rust-version").expect("the oldest Rust");
    let says = [
        ("clippy.toml", format!("msrv = \"{rust}\"")),
        ("bevy/Cargo.toml", format!("rust-version = \"{rust}\"")),
        ("README.md", format!("The oldest supported Rust is {rust}.")),
        ("crates/carom/README.md", format!("The oldest supported Rust is {rust}.")),
        ("CONTRIBUTING.md", format!("Rust {rust}")),
    ];
    for (page, text) in says {
        let found = fs::read_to_string(workspace().join(page)).unwrap();
        assert!(found.contains(&text), "{page} does not say {text:?}");
    }
}
