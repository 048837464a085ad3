//! No circle of imports among the files of a crate, an example or a package of JavaScript: each can be read
//! after those that it uses.
//!
//! An import counts for the file that defines the name, behind any `pub use` in between; that of a module for
//! what is taken from it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module or a name in it: `["world", "index"]`.
type Names = Vec<String>;

/// The imports of one crate.
#[derive(Default)]
struct Crate {
    /// The text of each module that has a file.
    modules: BTreeMap<Names, String>,
    /// A name of a module that comes from elsewhere by `pub use`.
    passed_on: BTreeMap<(Names, String), Names>,
}

/// The text without comments and without what follows the first module of tests.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code: Vec<&str> = lines.take_while(|line| !line.starts_with("#[cfg(test)]")).collect();
    code.join("\n")
}

/// The single paths of a tree such as `a::{b, c::{d, e as f}}`, with the names that they get.
fn paths(tree: &str) -> Vec<(String, String)> {
    let tree = tree.trim();
    let Some((before, inside)) = tree.split_once('{') else {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, tree));
        let (path, name) = (path.trim_end_matches("::self"), name.trim_end_matches("::self"));
        let name = name.rsplit("::").next().unwrap_or_default().trim();
        return if path.is_empty() { Vec::new() } else { vec![(path.trim().to_owned(), name.to_owned())] };
    };
    let inside = inside.rsplit_once('}').map_or("", |(inside, _)| inside);
    let (mut depth, mut part, mut parts) = (0, String::new(), Vec::new());
    for c in inside.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c == ',' && depth == 0 {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(c);
        }
    }
    parts.push(part);
    parts.iter().flat_map(|part| paths(part)).map(|(path, name)| (format!("{before}{path}"), name)).collect()
}

/// The imports of a text: whether passed on, the path, the name.
fn imports(text: &str) -> Vec<(bool, String, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("use ") {
        let line = rest[..at].rsplit('\n').next().unwrap_or_default();
        let is_import = line.is_empty() || line.starts_with("pub") && line.ends_with(' ');
        let is_passed_on = line.starts_with("pub");
        rest = &rest[at + 4..];
        if is_import && let Some((tree, after)) = rest.split_once(';') {
            let tree = tree.split_whitespace().collect::<Vec<_>>().join(" ");
            found.extend(paths(&tree).into_iter().map(|(path, name)| (is_passed_on, path, name)));
            rest = after;
        }
    }
    // Paths within the code.
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let is_whole = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
            let end = text[at..]
                .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'))
                .map_or(text.len(), |end| at + end);
            if is_whole && !text[at..end].ends_with("::") {
                found.push((false, text[at..end].to_owned(), String::new()));
            }
        }
    }
    found
}

/// The names that a text takes from a module that it has imported by a name.
fn taken_from(text: &str, name: &str) -> Vec<String> {
    let start = format!("{name}::");
    let mut taken = Vec::new();
    for (at, _) in text.match_indices(&start) {
        let is_whole = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        let rest = &text[at + start.len()..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        if is_whole && end > 0 {
            taken.push(rest[..end].to_owned());
        }
    }
    taken
}

/// Of things and those that each uses the ones that are in circles, or between two.
fn circles<T: Ord + Clone>(mut uses: BTreeMap<T, BTreeSet<T>>) -> BTreeMap<T, BTreeSet<T>> {
    // A file that uses none of those that are left, or is used by none, is in no circle.
    loop {
        let used: BTreeSet<T> = uses.values().flatten().cloned().collect();
        let left: BTreeSet<T> = uses.keys().cloned().collect();
        let before = uses.len();
        uses.retain(|one, uses| {
            uses.retain(|other| left.contains(other));
            !uses.is_empty() && used.contains(one)
        });
        if uses.len() == before {
            return uses;
        }
    }
}

impl Crate {
    fn read(source: &Path) -> Self {
        let mut files = Vec::new();
        super::source_files(source, &mut files);
        let mut found = Self::default();
        for file in files {
            let within = file.strip_prefix(source).unwrap().with_extension("");
            let mut module: Names = within.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
                module.pop();
            }
            if !module.iter().any(|part| part == "tests" || part == "bin") {
                found.modules.insert(module, code(&fs::read_to_string(&file).unwrap()));
            }
        }
        let modules: Vec<Names> = found.modules.keys().cloned().collect();
        for module in modules {
            for (is_passed_on, path, name) in imports(&found.modules[&module]) {
                if is_passed_on && let Some(to) = found.absolute(&module, &path) {
                    found.passed_on.insert((module.clone(), name), to);
                }
            }
        }
        found
    }

    /// A path from the root of the crate; `None` if it leads out of it.
    fn absolute(&self, module: &Names, path: &str) -> Option<Names> {
        let parts: Names = path.split("::").map(|part| part.trim().to_owned()).collect();
        let up = parts.iter().take_while(|part| *part == "super").count();
        if up > 0 {
            let base = module.get(..module.len().checked_sub(up)?)?;
            return Some([base, &parts[up..]].concat());
        }
        match parts[0].as_str() {
            "crate" => Some(parts[1..].to_vec()),
            "self" => Some([module, &parts[1..]].concat()),
            first => {
                let child = [module.as_slice(), &[first.to_owned()]].concat();
                self.modules.contains_key(&child).then(|| [module.as_slice(), &parts].concat())
            }
        }
    }

    /// The module whose file defines what a path names.
    fn home(&self, path: &Names, depth: usize) -> Option<Names> {
        let length = (0..=path.len()).rev().find(|&n| self.modules.contains_key(&path[..n]))?;
        let (module, rest) = (path[..length].to_vec(), &path[length..]);
        let name = rest.first()?;
        match self.passed_on.get(&(module.clone(), name.clone())) {
            Some(to) if to != path && depth < 8 => {
                self.home(&[to.as_slice(), &rest[1..]].concat(), depth + 1)
            }
            _ => Some(module),
        }
    }

    /// For each module those that its file uses.
    fn uses(&self) -> BTreeMap<Names, BTreeSet<Names>> {
        let used = |module: &Names| {
            let text = &self.modules[module];
            let imports = imports(text);
            let imports = imports.iter().filter(|(is_passed_on, ..)| !is_passed_on);
            let paths = imports.filter_map(|(_, path, name)| Some((self.absolute(module, path)?, name)));
            let paths = paths.flat_map(|(path, name)| match self.modules.contains_key(&path) {
                true if !name.is_empty() => taken_from(text, name)
                    .into_iter()
                    .map(|taken| [path.as_slice(), &[taken]].concat())
                    .collect(),
                _ => vec![path],
            });
            paths.filter_map(|path| self.home(&path, 0)).filter(|home| home != module).collect()
        };
        self.modules.keys().map(|module| (module.clone(), used(module))).collect()
    }

    /// The modules that are in circles, or between two.
    fn circles(&self) -> Vec<String> {
        let named = |names: &Names| if names.is_empty() { "the root".to_owned() } else { names.join("::") };
        let circles = circles(self.uses());
        let rows = circles.iter().flat_map(|(module, uses)| {
            uses.iter().map(|other| format!("{} uses {}", named(module), named(other)))
        });
        rows.collect()
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = own.join("../..");
    let mut packages = vec![own.to_path_buf()];
    if workspace.join("Cargo.lock").is_file() {
        packages = folders(&own.join(".."));
        packages.extend(["bevy", "peers", "fuzz"].map(|package| workspace.join(package)));
    }
    // Examples and benches of several files are crates of their own.
    let parts = |package: &PathBuf| {
        let several = ["examples", "benches"].map(|kind| folders(&package.join(kind)));
        [vec![package.join("src")], several.concat()].concat()
    };
    let mut found = Vec::new();
    let has_files = |source: &PathBuf| ["lib.rs", "main.rs"].iter().any(|root| source.join(root).is_file());
    for source in packages.iter().flat_map(parts).filter(has_files) {
        let room = Crate::read(&source);
        assert!(!room.modules.is_empty(), "{} has no files", source.display());
        let circles = room.circles();
        if !circles.is_empty() {
            found.push(format!("{}:\n  {}", source.display(), circles.join("\n  ")));
        }
    }
    assert!(found.is_empty(), "files that import each other:\n{}", found.join("\n"));
}

/// The folders in a folder, in order; none where there is no such folder.
fn folders(within: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(within).into_iter().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    folders
}

/// For each file of JavaScript in a folder those beside it that it imports.
fn javascript_uses(folder: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let imported = |text: &str| {
        let parts = text.split("from './").skip(1).chain(text.split("import './").skip(1));
        parts.filter_map(|part| part.split_once('\'').map(|(name, _)| name.to_owned())).collect()
    };
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.extension().is_some_and(|extension| extension == "js"));
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    files.map(|path| (name(&path), imported(&fs::read_to_string(&path).unwrap()))).collect()
}

#[test]
fn no_files_of_javascript_import_each_other_in_a_circle() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    for package in ["package/src", "playground/src"].map(|package| web.join(package)) {
        let uses = javascript_uses(&package);
        assert!(!package.is_dir() || uses.values().any(|uses| uses.len() > 2), "imports are not seen");
        let circles = circles(uses);
        assert!(circles.is_empty(), "{}: files that import each other: {circles:?}", package.display());
    }
}

#[test]
fn a_circle_is_seen_through_a_module_that_is_imported_by_its_name() {
    let modules = [
        ("", "mod left;\nmod right;\n"),
        ("left", "use super::right::{self, Other};\nfn a() -> Other {\n    right::made()\n}\n"),
        ("right", "use super::left;\npub fn made() {\n    left::a();\n}\n"),
    ];
    let mut room = Crate::default();
    for (name, text) in modules {
        let module: Names = name.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
        room.modules.insert(module, text.to_owned());
    }
    assert_eq!(room.circles(), ["left uses right", "right uses left"]);
}

#[test]
fn a_circle_is_seen_through_what_is_passed_on() {
    let modules = [
        ("", "mod a;\nmod b;\npub use a::{Left, Other as Second};\n"),
        ("a", "use crate::b::Right;\n"),
        ("b", "use super::Left;\n"),
        ("c", "use crate::a::Left;\n"),
    ];
    let mut room = Crate::default();
    for (name, text) in modules {
        let module: Names = name.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
        room.modules.insert(module, text.to_owned());
    }
    assert_eq!(room.circles(), Vec::<String>::new(), "what is passed on is not known yet");
    let root = Names::new();
    for (is_passed_on, path, name) in imports(&room.modules[&root]) {
        assert!(is_passed_on);
        let to = room.absolute(&root, &path).unwrap();
        room.passed_on.insert((root.clone(), name), to);
    }
    assert_eq!(room.circles(), ["a uses b", "b uses a"]);
}
