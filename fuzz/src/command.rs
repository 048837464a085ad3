//! The files that the command reads, other than levels: whatever they hold, it ends with one of its exit
//! codes.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use serde_json::Value;

/// A floor of 4 × 4 m with a wall: small enough to be read and explored a hundred times a second.
const LEVEL: &str = "v -2 0 -2\nv 2 0 -2\nv 2 0 2\nv -2 0 2\nv 2 3 -2\nv 2 3 2\nf 1 4 3 2\nf 2 3 6 5\n";

/// The folder of this process, with a level and its report.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("carom-fuzz-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("the folder of temporary files can be written");
        fs::write(folder.join("level.obj"), LEVEL).expect("it was just made");
        let path = |name: &str| folder.join(name).display().to_string();
        let explored = carom_cli::run(["carom", "explore", &path("level.obj"), "--out", &path("report")]);
        assert_eq!(explored, 0, "the level has no defect");
        let tiled =
            carom_cli::run(["carom", "tile", &path("level.obj"), "--size", "2", "--out", &path("world")]);
        assert_eq!(tiled, 0, "the level can be cut");
        folder
    })
}

/// Where a file of the folder is.
pub fn path(name: &str) -> String {
    folder().join(name).display().to_string()
}

/// Runs the command; it ends with one of its exit codes.
pub fn run(arguments: &[&str]) {
    let code = carom_cli::run(["carom"].iter().chain(arguments));
    assert!(code <= 2, "exit code {code}");
}

/// Runs the command with these bytes as its file `name`.
pub fn run_with(bytes: &[u8], name: &str, arguments: &[&str]) {
    fs::write(path(name), bytes).expect("the folder can be written");
    run(arguments);
}

/// A JSON file whose run is short: numbers of these keys are cut to the most given. Bytes that are no JSON
/// stay as they are.
pub fn shortened(bytes: &[u8], most: &[(&str, f64)]) -> Vec<u8> {
    let Ok(Value::Object(mut scene)) = serde_json::from_slice(bytes) else { return bytes.to_vec() };
    let is_long = |value: Option<&Value>, most| {
        value.is_none_or(|value| value.as_f64().is_some_and(|number| number > most))
    };
    let long: Vec<_> = most.iter().filter(|(key, most)| is_long(scene.get(*key), *most)).collect();
    if long.is_empty() {
        return bytes.to_vec();
    }
    scene.extend(long.into_iter().map(|(key, most)| ((*key).to_owned(), short(*most))));
    Value::Object(scene).to_string().into_bytes()
}

/// A whole number where it can be one: counts are refused otherwise.
fn short(most: f64) -> Value {
    if most.fract() == 0.0 { Value::from(most as u64) } else { Value::from(most) }
}
