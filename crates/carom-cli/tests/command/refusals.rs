//! Scenes that are refused: exit code 2, and a message that names the object and the key. The schema refuses
//! it too, as far as it can see.

use serde_json::{Value, json};

use super::scene::walk;
use super::schema;
use super::{Files, assert_refused, run, text_of};

#[test]
fn unusable_scenes_are_refused_by_name() {
    let character = |change: Value| {
        let mut hero = json!({"name": "hero", "shape": {"sphere": {"radius": 0.5}}, "position": [0, 1, 0]});
        hero.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        json!({"characters": [hero]})
    };
    let body = |change: Value| {
        let mut lift = json!({"name": "lift"});
        lift.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        json!({"bodies": [lift]})
    };
    let ball = |key: &str, value: Value| body(json!({"sphere": {"radius": 1}, key: value}));
    for (scene, parts) in [
        (json!({"dt": 0}), &["dt"][..]),
        (json!({"dt": -0.1}), &["dt"]),
        (json!({"ticks": 1e18 as u64}), &["ticks"]),
        (json!({"ticks": -1}), &["ticks"]),
        (json!({"up": [0, 0, 0]}), &["up"]),
        (json!({"gravty": [0, 0, 0]}), &["gravty"]),
        (body(json!({})), &["lift", "exactly one"]),
        (
            body(json!({"sphere": {"radius": 1}, "box": {"half_extents": [1, 1, 1]}})),
            &["lift", "exactly one"],
        ),
        (body(json!({"sphere": {"radius": 0}})), &["lift", "radius"]),
        (body(json!({"box": {"half_extents": [1, 0, 1]}})), &["lift", "half"]),
        (ball("color", json!("red")), &["lift", "color"]),
        (ball("friction", json!(-1)), &["lift", "friction"]),
        (ball("restitution", json!(-1)), &["lift", "restitution"]),
        (ball("restitution", json!(2)), &["lift", "restitution", "at most 1"]),
        (ball("one_sided", json!(true)), &["lift", "one_sided"]),
        (ball("scale", json!(0)), &["lift", "scale"]),
        (ball("rotation", json!([0, 0, 0, 0])), &["lift", "rotation"]),
        (ball("mass", json!(0)), &["lift", "mass"]),
        (ball("mass", json!(20)), &["lift", "mass", "dynamic"]),
        (ball("dynamic", json!(true)), &["lift", "dynamic", "mass"]),
        (ball("loop", json!(true)), &["lift", "loop", "keyframes"]),
        (ball("keyframes", json!([])), &["lift", "keyframe"]),
        (
            body(json!({"sphere": {"radius": 1}, "dynamic": true, "mass": 1, "linear": [0, 1, 0]})),
            &["lift", "dynamic excludes linear"],
        ),
        (
            body(json!({"mesh": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 0, 1]], "triangles": [[0, 1, 2]]},
                "dynamic": true, "mass": 1})),
            &["lift", "dynamic", "mesh"],
        ),
        (ball("keyframes", json!([{"time": 0, "place": [0, 0, 0]}])), &["lift", "keyframes[0]", "place"]),
        (
            body(json!({"sphere": {"radius": 1}, "position": [0, 0, 0], "keyframes": []})),
            &["lift", "keyframes exclude position"],
        ),
        (
            body(
                json!({"sphere": {"radius": 1}, "keyframes": [{"time": 0, "position": [0, 0, 0]}], "linear": [0, 0, 0]}),
            ),
            &["lift", "keyframes exclude linear"],
        ),
        (ball("keyframes", json!([{"time": -1, "position": [0, 0, 0]}])), &["lift", "keyframe 0"]),
        (
            ball("keyframes", json!([{"time": 0, "position": [0, 0, 0], "rotation": [0, 0, 0, 0]}])),
            &["lift", "keyframe 0", "rotation"],
        ),
        (ball("up", json!("z")), &["lift", "up"]),
        (ball("without", json!(["door*"])), &["lift", "without", "file"]),
        (ball("without_animated", json!(true)), &["lift", "without_animated", "file"]),
        (
            body(json!({"file": "level.gltf", "separate": true, "without": ["door*"]})),
            &["lift", "separate excludes without"],
        ),
        (
            body(
                json!({"file": "level.obj", "original": {"up": "y", "scale": 1, "without": [], "without_animated": false}}),
            ),
            &["lift", "original", "hash"],
        ),
        (character(json!({"shape": {"sphere": {"radius": 0}}})), &["hero", "radius"]),
        (character(json!({"shape": "point"})), &["hero", "point"]),
        (character(json!({"rule": "fly"})), &["hero", "fly"]),
        (character(json!({"settings": {"skin": 0}})), &["hero", "skin"]),
        (character(json!({"settings": {"skinn": 0.1}})), &["hero", "settings", "skinn"]),
        (character(json!({"settings": {"step_height": -1}})), &["hero", "step_height"]),
        (character(json!({"settings": {"air_control": 2}})), &["hero", "air_control"]),
        (character(json!({"settings": {"max_slope_degrees": 91}})), &["hero", "max_slope_degrees"]),
        (
            character(json!({"input": [{"from": 2, "until": 3, "mvoe": [0, 0, 0]}]})),
            &["hero", "input[0]", "mvoe"],
        ),
        (json!({"characters": [{"name": "hero", "position": [0, 0, 0]}]}), &["hero", "shape"]),
    ] {
        assert_refused(&walk(&scene), parts);
        assert!(!schema::allows(&scene), "the schema lets through what is refused for {parts:?}: {scene}");
    }
    // These are beyond a schema.
    for (scene, parts) in [
        (body(json!({"file": "missing.obj"})), &["lift", "missing.obj"][..]),
        (
            body(json!({"mesh": {"vertices": [[0, 0, 0]], "triangles": [[0, 0, 9]]}})),
            &["lift", "triangle 0", "9"],
        ),
        (
            body(json!({"mesh": {"vertices": [[1e300, 0, 0]], "triangles": [[0, 0, 0]]}})),
            &["lift", "vertex 0", "finite"],
        ),
        (
            ball(
                "keyframes",
                json!([{"time": 1, "position": [0, 0, 0]}, {"time": 1, "position": [1, 0, 0]}]),
            ),
            &["lift", "keyframe 1", "later"],
        ),
        (
            body(
                json!({"sphere": {"radius": 1}, "loop": true, "keyframes": [{"time": 0, "position": [0, 0, 0]}]}),
            ),
            &["lift", "repeat"],
        ),
        (character(json!({"input": [{"from": 2, "until": 1}]})), &["hero", "input 0", "until"]),
    ] {
        assert_refused(&walk(&scene), parts);
        assert!(schema::allows(&scene), "the schema is stricter than it says: {scene}");
    }
    let files = Files::new();
    let infinite = files
        .write("scene.json", r#"{"bodies":[{"name":"lift","sphere":{"radius":1},"position":[0,1e999,0]}]}"#);
    assert_refused(&run(&["walk", &infinite]), &["scene.json", "lift", "position", "out of range"]);
    let broken = files.write("broken.json", "{\n \"ticks\": 3,,\n}");
    assert_refused(&run(&["walk", &broken]), &["broken.json", "line 2"]);
    assert_refused(&run(&["walk", &text_of(&files.path("missing.json"))]), &["missing.json"]);
    // An object at rest has no motion.
    for still in [ball("linear", json!([0, 0, 0])), ball("dynamic", json!(false))] {
        assert_eq!(walk(&still).code, 0);
        assert!(schema::allows(&still));
    }
    // A scene is never overwritten by its own ticks.
    let own = files.write("own.json", "{}");
    assert_refused(&run(&["walk", &own, "--out", &own]), &["--out"]);
}

#[test]
fn more_than_32_layers_are_refused() {
    let bodies: Vec<Value> = (0..32)
        .map(|i| json!({"name": i.to_string(), "sphere": {"radius": 1}, "layer": format!("layer {i}")}))
        .collect();
    assert_refused(&walk(&json!({"bodies": bodies})), &["body \"31\"", "layer 31", "32"]);
    assert_eq!(walk(&json!({"bodies": &bodies[..31], "ticks": 1})).code, 0);
}

#[test]
fn a_name_is_used_once_and_a_layer_is_one_that_a_body_is_on() {
    let ball = |name: Value| json!({"name": name, "sphere": {"radius": 1}, "layer": "props"});
    let hero = |name: &str, layers: Value| json!({"name": name, "shape": {"sphere": {"radius": 0.5}}, "position": [0, 9, 0], "settings": {"collides_with": layers}});
    let both = json!({"bodies": [ball(json!("a")), ball(json!("a"))]});
    assert_refused(&walk(&both), &["body 1", "\"a\"", "rename"]);
    let heroes = json!({"characters": [hero("a", json!(["default"])), hero("a", json!(["default"]))]});
    assert_refused(&walk(&heroes), &["character 1", "\"a\""]);
    let unknown = json!({"bodies": [ball(json!("a"))], "characters": [hero("b", json!(["porps"]))]});
    assert_refused(&walk(&unknown), &["\"b\"", "porps", "\"default\", \"props\""]);
    let fine = json!({"bodies": [ball(json!("a"))], "characters": [hero("b", json!(["props", "default"]))], "ticks": 1});
    assert_eq!(walk(&fine).code, 0);
}

#[test]
fn a_list_is_no_scene() {
    let files = Files::new();
    let list = files.write("list.json", "[]");
    assert_refused(&run(&["walk", &list]), &["list.json", "found a list, wanted an object at line 1"]);
}

#[test]
fn what_is_no_report_is_neither_read_as_one_nor_overwritten() {
    let files = Files::new();
    let list = files.write("list.json", "[]");
    for line in [&["explore", "--baseline", &list][..], &["diff", &list, &list]] {
        let said = run(line);
        assert_refused(&said, &["list.json", "not a report.json"]);
        assert!(!said.err.contains("struct"), "{}", said.err);
    }
    for text in ["[]", "{}", r#"{"a":1}"#, r#"{"level":"a"}"#, r#"{"findings":[]}"#] {
        let folder = files.path("mine");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("report.json"), text).unwrap();
        let out = text_of(&folder);
        assert_refused(&run(&["explore", "--stop-after", "0", "--out", &out]), &["is not a report of carom"]);
        assert_eq!(std::fs::read_to_string(folder.join("report.json")).unwrap(), text);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing was made beside it");
    }
}

#[test]
fn a_body_is_chosen_among_those_that_rules_have() {
    let files = Files::new();
    let rules = files.write("rules.json", r#"{"bodies":{"tall":{},"small":{}}}"#);
    assert_refused(&run(&["explore", "--body", "tall"]), &["--body tall", "--rules"]);
    let said = run(&["explore", "--rules", &rules, "--body", "fat"]);
    assert_refused(&said, &["\"fat\"", "tall, small"]);
}

#[test]
fn no_output_replaces_an_input_or_a_file_of_another_kind() {
    let files = Files::new();
    let obj = "v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3\nf 1 3 4\n";
    let (level, rules) = (files.write("level.obj", obj), files.write("rules.json", "{}"));
    let scene = files.write("scene.json", r#"{"ticks":1,"bodies":[{"file":"level.obj"}]}"#);
    let other = text_of(&files.path("other.json"));
    for (line, parts) in [
        (&["explore", "--sarif", &level][..], &["--sarif", "level.obj", "another kind"][..]),
        (&["explore", &level, "--junit", &level], &["--junit", "level.obj", "itself"]),
        (&["explore", &level, "--rules", &rules, "--sarif", &rules], &["--sarif", "rules.json", "itself"]),
        (&["explore", &level, "--checkpoint", &level], &["--checkpoint", "level.obj", "itself"]),
        (&["explore", &level, "--sarif", &other, "--junit", &other], &["--junit", "--sarif", "same file"]),
        (&["walk", &scene, "--out", &level], &["--out", "level.obj", "itself"]),
        (&["walk", &scene, "--out", &scene], &["--out", "scene.json", "itself"]),
    ] {
        assert_refused(&run(line), parts);
    }
    assert_eq!(std::fs::read_to_string(&level).unwrap(), obj);
    assert!(!files.path("other.json").exists());
    // Files of their own may be replaced.
    let (sarif, junit) = (text_of(&files.path("out.sarif")), text_of(&files.path("out.xml")));
    for _ in 0..2 {
        let said = run(&["explore", &level, "--sarif", &sarif, "--junit", &junit]);
        assert_ne!(said.code, 2, "{}", said.err);
    }
}
