//! `docs/scene.schema.json` is kept true: every scene of the repository and of `docs/scene.md` is one, and so
//! are its examples run.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

use super::{CUBE, Files, run};

static SCHEMA: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../../docs/scene.schema.json")).unwrap());
static VALIDATOR: LazyLock<Validator> = LazyLock::new(|| jsonschema::draft202012::new(&SCHEMA).unwrap());

pub(super) fn allows(scene: &Value) -> bool {
    VALIDATOR.is_valid(scene)
}

#[track_caller]
fn assert_allowed(scene: &Value, name: &str) {
    let errors: Vec<String> =
        VALIDATOR.iter_errors(scene).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{name}: {errors:#?}");
}

/// The blocks of JSON in `docs/scene.md`.
fn examples() -> Vec<Value> {
    let page = include_str!("../../../../docs/scene.md");
    page.split("```json\n")
        .skip(1)
        .map(|rest| serde_json::from_str(rest.split("```").next().unwrap()).unwrap())
        .collect()
}

fn scene_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            scene_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "json")
            && path.parent().is_some_and(|folder| folder.ends_with("scenes"))
        {
            found.push(path);
        }
    }
}

#[test]
fn the_schema_is_a_schema() {
    jsonschema::draft202012::meta::validate(&SCHEMA).unwrap();
}

#[test]
fn every_scene_of_the_repository_is_one() {
    let mut files = Vec::new();
    scene_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut files);
    assert!(files.len() >= 4, "{files:?}");
    for file in files {
        let scene = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        assert_allowed(&scene, &file.display().to_string());
    }
}

#[test]
fn the_example_of_the_page_is_a_scene_and_runs() {
    let examples = examples();
    assert!(!examples.is_empty());
    for scene in examples {
        assert_allowed(&scene, "docs/scene.md");
        let files = Files::new();
        files.write("level.obj", CUBE);
        let said = run(&["walk", &files.write("scene.json", &scene.to_string())]);
        assert_eq!((said.code, said.err.as_str()), (0, ""));
        assert_eq!(said.out.lines().count(), 301);
    }
}

/// Adds an unknown key to each object of a scene in turn, and gives what comes of it.
fn with_an_unknown_key_somewhere(scene: &Value) -> Vec<Value> {
    fn objects(value: &Value, at: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                found.push(at.to_owned());
                for (key, value) in map {
                    objects(value, &format!("{at}/{key}"), found);
                }
            }
            Value::Array(list) => {
                for (i, value) in list.iter().enumerate() {
                    objects(value, &format!("{at}/{i}"), found);
                }
            }
            _ => {}
        }
    }
    let mut places = Vec::new();
    objects(scene, "", &mut places);
    places
        .iter()
        .map(|place| {
            let mut changed = scene.clone();
            changed.pointer_mut(place).unwrap()["spelling"] = Value::from(1);
            changed
        })
        .collect()
}

#[test]
fn a_key_that_is_unknown_anywhere_is_refused_by_name_and_by_the_schema() {
    let changed: Vec<Value> = examples().iter().flat_map(with_an_unknown_key_somewhere).collect();
    assert!(changed.len() > 25);
    for scene in changed {
        let files = Files::new();
        files.write("level.obj", CUBE);
        let said = run(&["walk", &files.write("scene.json", &scene.to_string())]);
        super::assert_refused(&said, &["spelling"]);
        assert!(!allows(&scene), "{scene}");
    }
}

/// Every key that the command knows is one of the schema.
#[test]
fn every_key_of_the_command_is_known_to_the_schema() {
    let files = Files::new();
    let properties = |kind: &str| SCHEMA["$defs"][kind]["properties"].clone();
    let unknown = serde_json::json!({"spelling": 1});
    for (scene, known) in [
        (unknown.clone(), SCHEMA["properties"].clone()),
        (serde_json::json!({"bodies": [unknown]}), properties("body")),
        (serde_json::json!({"bodies": [{"original": unknown}]}), properties("original")),
        (serde_json::json!({"characters": [unknown]}), properties("character")),
        (serde_json::json!({"characters": [{"settings": unknown}]}), properties("settings")),
    ] {
        let said = run(&["walk", &files.write("scene.json", &scene.to_string())]);
        let (_, expected) = said.err.split_once("expected one of ").expect("a list of keys");
        let keys: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
        assert!(keys.len() > 3, "{keys:?}");
        for key in keys {
            assert!(!known[key].is_null(), "{scene}: {key}");
        }
    }
}

/// Every key of the schema is known to the command: it is used in the example, or one of those that exclude
/// others.
#[test]
fn every_key_of_the_schema_is_known_to_the_command() {
    let files = Files::new();
    for (list, kind) in [("bodies", "body"), ("characters", "character")] {
        for key in SCHEMA["$defs"][kind]["properties"].as_object().unwrap().keys() {
            let scene = serde_json::json!({list: [{key: {"no": "value"}}]});
            let said = run(&["walk", &files.write("scene.json", &scene.to_string())]);
            assert_eq!(said.code, 2);
            assert!(!said.err.contains(&format!("unknown field `{key}`")), "{kind} {key}: {}", said.err);
        }
    }
}
