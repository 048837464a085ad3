//! The report of `carom explore`: rules, files, baselines, other formats, replays.

use std::path::Path;

use serde_json::{Value, json};

use crate::{Files, assert_refused, lines, run, schema, text_of};

/// A room of 6 × 6 m with walls all around and a hole of 1.5 m in its floor.
pub(crate) const HOLED: &str = "o floor\nv 0 0 0\nv 6 0 0\nv 6 0 6\nv 0 0 6\nv 0 3 0\nv 6 3 0\nv 6 3 6\nv 0 3 6\n\
    v 4 0 2.25\nv 5.5 0 2.25\nv 5.5 0 3.75\nv 4 0 3.75\n\
    f 10 9 1 2\nf 11 10 2 3\nf 12 11 3 4\nf 9 12 4 1\no walls\nf 1 2 6 5\nf 3 4 8 7\nf 4 1 5 8\nf 2 3 7 6\n";
/// The same with a door in the floor that closes the hole.
fn closed() -> String {
    HOLED.to_owned() + "o door_floor\nf 12 11 10 9\n"
}

fn read(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("report.json")).unwrap()).unwrap()
}

/// Explores with these rules; the exit code and the codes found.
fn with_rules(files: &Files, level: &str, rules: &Value) -> (i32, Vec<String>) {
    let path = files.write("rules.json", &rules.to_string());
    let folder = files.path("ruled");
    let said = run(&["explore", level, "--rules", &path, "--out", &text_of(&folder)]);
    assert!(said.code < 2, "{}", said.err);
    let report = read(&folder);
    let listed = report["findings"].as_array().unwrap().iter().filter(|finding| finding["folded"].is_null());
    (said.code, listed.map(|finding| finding["code"].as_str().unwrap().to_owned()).collect())
}

#[test]
fn volumes_and_open_doors_change_what_is_found() {
    let files = Files::new();
    let porch = files.write("porch.obj", HOLED);
    let rules = |volumes: Value| json!({ "spawns": [[2, 0.95, 3]], "volumes": volumes });
    let falls = vec!["FALL_OUT".to_owned()];
    assert_eq!(with_rules(&files, &porch, &rules(json!([]))), (1, falls.clone()));
    let below = json!({"min": [-50, -9, -50], "max": [50, -8.9, 50]});
    for kind in ["kill", "teleport"] {
        let volume = json!({"kind": kind, "box": below, "to": [2, 0.95, 3]});
        let volume = if kind == "kill" { json!({"kind": kind, "box": below}) } else { volume };
        assert_eq!(with_rules(&files, &porch, &rules(json!([volume]))), (0, vec![]), "{kind}");
    }
    let bounds = json!([{"kind": "bounds", "box": {"min": [-1, -1, -1], "max": [7, 9, 7]}}]);
    assert_eq!(with_rules(&files, &porch, &rules(bounds)), (0, vec![]));
    let ignore = json!([{"kind": "ignore", "box": {"min": [-1, -1, -1], "max": [9, 9, 9]}}]);
    assert_eq!(with_rules(&files, &porch, &rules(ignore)), (0, vec![]));
    let closed = files.write("closed.obj", &closed());
    assert_eq!(with_rules(&files, &closed, &rules(json!([]))), (0, vec![]));
    let open = json!({ "spawns": [[2, 0.95, 3]], "open": ["door_*"] });
    assert_eq!(with_rules(&files, &closed, &open), (1, falls));
}

#[test]
fn several_bodies_share_a_report_and_each_adds_what_it_alone_finds() {
    let files = Files::new();
    let porch = files.write("porch.obj", HOLED);
    // The first, also by name, does not fit through the hole.
    let rules = json!({ "spawns": [[2, 1.45, 3]], "bodies": {
        "broad": { "shape": { "sphere": { "radius": 1.4 } } }, "slim": {} } });
    assert_eq!(with_rules(&files, &porch, &rules), (1, vec!["FALL_OUT".to_owned()]));
    let folder = files.path("ruled");
    let report = read(&folder);
    let bodies = report["bodies"].as_array().unwrap();
    assert_eq!([&bodies[0]["name"], &bodies[1]["name"]], ["broad", "slim"]);
    assert!(bodies[0]["reached_m2"].as_f64() < bodies[1]["reached_m2"].as_f64(), "{bodies:?}");
    let finding = report["findings"].as_array().unwrap().iter().find(|finding| finding["folded"].is_null());
    let finding = finding.unwrap();
    assert_eq!(finding["body"], "slim");
    let scene = text_of(&folder.join(finding["witness"].as_str().unwrap()));
    let ticks = lines(&run(&["walk", &scene]).out);
    let end = &ticks[ticks.len() - 2]["characters"][0]["position"];
    assert!(end[1].as_f64().unwrap() < -9.0, "{end}");
    let alone = run(&["explore", &porch, "--rules", &text_of(&files.path("rules.json")), "--body", "broad"]);
    assert_eq!(alone.code, 0, "{}", alone.out);
}

/// Two floors of 6 × 6 m, the second 4 m higher and 6 m to the east, nothing between, walls around both.
const TWO_FLOORS: &str = "v 0 0 0\nv 6 0 0\nv 6 0 6\nv 0 0 6\nf 4 3 2 1\n\
    v 6 4 0\nv 12 4 0\nv 12 4 6\nv 6 4 6\nf 8 7 6 5\nf 2 3 8 5\n\
    v 0 9 0\nv 12 9 0\nv 12 9 6\nv 0 9 6\nv 12 0 0\nv 12 0 6\n\
    f 1 13 10 9\nf 3 4 12 11 14\nf 4 1 9 12\nf 13 14 11 10\n";

#[test]
fn pushes_ladders_water_and_teleporters_lead_up() {
    let files = Files::new();
    let level = files.write("two.obj", TWO_FLOORS);
    let reached = |volumes: Value| {
        let rules = json!({ "spawns": [[2, 0.95, 3]], "volumes": volumes });
        let (_, _) = with_rules(&files, &level, &rules);
        read(&files.path("ruled"))["coverage"]["reached_m2"].as_f64().unwrap()
    };
    let below = reached(json!([]));
    assert!(below < 40.0, "{below}");
    for volume in [
        json!({"kind": "teleport", "box": {"min": [4, 0, 0], "max": [6, 2, 6]}, "to": [9, 5, 3]}),
        json!({"kind": "push", "box": {"min": [3, 0, 0], "max": [4, 0.2, 6]}, "velocity": [6, 11, 0]}),
        json!({"kind": "ladder", "box": {"min": [5.5, 0, 2], "max": [6.1, 5.2, 4]}}),
        json!({"kind": "water", "box": {"min": [0, 0, 0], "max": [6, 4.2, 6]}}),
    ] {
        let both = reached(json!([volume]));
        assert!(both > below + 15.0, "{volume} leads nowhere: {both} m²");
    }
}

#[test]
fn rules_that_make_no_sense_are_refused_by_key_and_nothing_is_written() {
    let files = Files::new();
    let porch = files.write("porch.obj", HOLED);
    let cube = json!({"min": [0, 0, 0], "max": [1, 1, 1]});
    for (rules, parts) in [
        (json!({"volums": []}), &["volums", "unknown field"][..]),
        (json!([]), &["object"]),
        (json!({"body": {"shape": {"sphere": {"radius": 0}}}}), &["body.shape", "radius"]),
        (json!({"body": {"shape": "point"}}), &["body.shape", "point"]),
        (json!({"body": {"step_height": -1}}), &["step_height", "at least 0"]),
        (json!({"body": {"max_slope_degrees": 100}}), &["max_slope_degrees", "0 to 90"]),
        (json!({"body": {"speed": 0}}), &["speed", "greater than 0"]),
        (json!({"preset": "doom"}), &["doom", "quake3", "minecraft"]),
        (json!({"bodies": {"big": {}, "small": {"spead": 1}}}), &["bodies", "spead"]),
        (json!({"bodies": {"big": {}, "small": {"speed": 0}}}), &["small", "greater than 0"]),
        (json!({"body": {}, "bodies": {"small": {}}}), &["exclude"]),
        (json!({"volumes": [{"kind": "lava", "box": cube}]}), &["volumes[0]", "lava", "water"]),
        (json!({"volumes": [{"kind": "kill"}]}), &["volumes[0]", "exactly one"]),
        (
            json!({"volumes": [{"kind": "kill", "box": {"min": [0, 0, 0], "max": [1, 0, 1]}}]}),
            &["volumes[0]", "empty"],
        ),
        (json!({"volumes": [{"kind": "teleport", "box": cube}]}), &["volumes[0]", "\"to\""]),
        (json!({"volumes": [{"kind": "push", "name": "pad", "box": cube}]}), &["pad", "\"velocity\""]),
        (
            json!({"volumes": [{"kind": "kill", "box": cube, "to": [0, 0, 0]}]}),
            &["volumes[0]", "\"to\" is for"],
        ),
        (
            json!({"volumes": [{"kind": "teleport", "box": cube, "to": [9, 0, 0]}, {"kind": "teleport", "box": cube, "to": [0, 0, 9]}]}),
            &["volumes[0] and volumes[1]", "overlap"],
        ),
        (json!({"open": ["gate*"]}), &["gate*", "\"floor\""]),
    ] {
        let path = files.write("rules.json", &rules.to_string());
        let folder = files.path("never");
        assert_refused(&run(&["explore", &porch, "--rules", &path, "--out", &text_of(&folder)]), parts);
        assert!(!folder.join("report.json").exists());
    }
    let huge =
        files.write("huge.json", r#"{"volumes":[{"kind":"kill","box":{"min":[0,0,1e999],"max":[1,1,1]}}]}"#);
    assert_refused(&run(&["explore", &porch, "--rules", &huge]), &["volumes[0]", "out of range"]);
    let twice = files.write("twice.json", r#"{"bodies":{"big":{},"big":{}}}"#);
    assert_refused(&run(&["explore", &porch, "--rules", &twice]), &["two bodies", "big"]);
    let two = files.write("two.json", r#"{"bodies":{"big":{},"small":{}}}"#);
    assert_refused(&run(&["explore", &porch, "--rules", &two, "--body", "tall"]), &["tall", "big, small"]);
    assert_refused(&run(&["explore", &porch, "--preset", "doom"]), &["doom", "unreal"]);
    assert_refused(&run(&["explore", &porch, "--rules", "no/rules.json"]), &["no/rules.json"]);
}

#[test]
fn every_preset_explores_and_its_witness_replays() {
    let files = Files::new();
    let porch = files.write("porch.obj", HOLED);
    for preset in ["quake", "quake2", "quake3", "goldsrc", "source", "unreal", "unity", "godot", "minecraft"]
    {
        let folder = files.path(preset);
        let said =
            run(&["explore", &porch, "--preset", preset, "--spawn", "2,1.2,3", "--out", &text_of(&folder)]);
        assert_eq!(said.code, 1, "{preset}: {}{}", said.out, said.err);
        let report = read(&folder);
        let climbs_in_air = ["quake2", "quake3", "unity"].contains(&preset);
        assert_eq!(report["settings"]["air_steps"], climbs_in_air, "{preset}");
        let air_control = if preset == "unreal" { 0.05 } else { 1.0 };
        assert_eq!(report["settings"]["air_control"], air_control, "{preset}");
        let finding = &report["findings"][0];
        assert_eq!(finding["code"], "FALL_OUT", "{preset}");
        let said = run(&["walk", &text_of(&folder.join(finding["witness"].as_str().unwrap()))]);
        let ticks = lines(&said.out);
        let end = ticks[ticks.len() - 2]["characters"][0]["position"][1].as_f64().unwrap();
        assert!(end < -10.0, "{preset}: the witness ends at {end}");
    }
}

#[test]
fn sarif_is_valid_and_junit_counts() {
    let files = Files::new();
    let (sarif, junit) = (text_of(&files.path("a.sarif")), text_of(&files.path("a.xml")));
    let said = run(&["explore", "--sarif", &sarif, "--junit", &junit]);
    assert_eq!(said.code, 1, "{}", said.err);
    let log: Value = serde_json::from_slice(&std::fs::read(&sarif).unwrap()).unwrap();
    // This edition of the schema has a bracket too many in a pattern, which no later one has.
    let schema = include_str!("../data/sarif-2.1.0.schema.json").replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let wrong: Vec<String> = schema.iter_errors(&log).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.iter().filter(|result| result["level"] == "error").count(), 4);
    // A log that is wrong is noticed.
    let mut broken = log.clone();
    broken["runs"][0]["results"][0]["level"] = json!("fatal");
    assert!(!schema.is_valid(&broken));
    let xml = std::fs::read_to_string(&junit).unwrap();
    assert!(xml.contains("tests=\"6\" failures=\"4\""), "{xml}");
}

#[test]
fn a_report_replaces_the_older_one_and_nothing_else() {
    let files = Files::new();
    let porch = files.write("porch.obj", HOLED);
    let folder = files.path("a report");
    let out = text_of(&folder);
    assert_eq!(run(&["explore", "--out", &out]).code, 1);
    std::fs::write(folder.join("witness/mine.json"), "{}").unwrap();
    assert!(folder.join("witness/0005.json").exists());
    let said = run(&["explore", &porch, "--spawn", "2,0.95,3", "--out", &out]);
    assert_eq!(said.code, 1, "{}", said.err);
    assert!(!folder.join("witness/0005.json").exists() && !folder.join("picture/0005.png").exists());
    assert!(folder.join("witness/mine.json").exists(), "what the report did not write stays");
    for name in read(&folder)["files"].as_array().unwrap() {
        assert!(folder.join(name.as_str().unwrap()).exists(), "{name}");
    }
    assert!(said.out.contains(&format!("carom walk '{out}/witness/0001.json'")), "{}", said.out);
    // A file that is no report is not overwritten, and the error comes before the flood.
    std::fs::write(folder.join("report.json"), "my notes").unwrap();
    assert_refused(&run(&["explore", &porch, "--out", &out]), &["report.json", "not a report"]);
    assert_eq!(std::fs::read_to_string(folder.join("report.json")).unwrap(), "my notes");
    let file = files.write("file", "");
    assert_refused(&run(&["explore", &porch, "--out", &file]), &["file"]);
    for option in ["--checkpoint", "--sarif", "--junit"] {
        assert_refused(&run(&["explore", &porch, option, "no/such/file"]), &["cannot write no/such/file"]);
    }
}

#[test]
fn the_next_line_keeps_the_flags() {
    let files = Files::new();
    let porch = files.write("my porch.obj", HOLED);
    let said = run(&["explore", &porch, "--jump", "0", "--spawn", "2,0.95,3"]);
    let next = said.out.lines().find(|line| line.starts_with("Next:")).unwrap();
    assert!(next.contains(&format!("explore '{porch}' --jump 0 --spawn 2,0.95,3 --out report")), "{next}");
}

#[test]
fn a_baseline_knows_cells_and_a_diff_says_what_is_new_and_gone() {
    let files = Files::new();
    let closed = closed();
    let go = |name: &str, text: &str, more: &[&str]| {
        // Reports are of one level: of one name.
        std::fs::create_dir_all(files.path(name)).unwrap();
        let level = files.write(&format!("{name}/level.obj"), text);
        let folder = text_of(&files.path(name).join("report"));
        let said = run(&[&["explore", &level, "--spawn", "2,0.95,3", "--out", &folder], more].concat());
        (said, format!("{folder}/report.json"))
    };
    let (said, whole) = go("whole", &closed, &[]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    let (said, holed) = go("holed", HOLED, &["--baseline", &whole]);
    assert_eq!(said.code, 1, "{}", said.err);
    assert!(said.out.contains("1 new, 0 known, 0 gone"), "{}", said.out);
    let (said, _) = go("again", HOLED, &["--baseline", &holed]);
    assert_eq!(said.code, 0, "{}", said.out);
    let diff = run(&["diff", &whole, &holed, "--json"]);
    assert_eq!(diff.code, 1, "{}", diff.err);
    assert_eq!(lines(&diff.out)[0]["new"][0]["code"], "FALL_OUT");
    let back = run(&["diff", &holed, &whole]);
    assert_eq!(back.code, 0);
    assert!(back.out.contains("0 new, 0 known, 1 gone"), "{}", back.out);
    // Reports of other levels, of later versions, and older ones.
    let other = files.write("other.obj", HOLED);
    assert_refused(&run(&["explore", &other, "--baseline", &whole]), &["level.obj", "other.obj"]);
    let mut report: Value = serde_json::from_slice(&std::fs::read(&holed).unwrap()).unwrap();
    report["version"] = json!(99);
    let newer = files.write("newer.json", &report.to_string());
    assert_refused(&run(&["diff", &whole, &newer]), &["version 99"]);
    report.as_object_mut().unwrap().remove("version");
    report["findings"][0].as_object_mut().unwrap().remove("extent");
    let older = files.write("older.json", &report.to_string());
    let (said, _) = go("against older", HOLED, &["--baseline", &older]);
    assert_eq!(said.code, 0, "{}", said.out);
    assert!(said.err.contains("older version"), "{}", said.err);
}

#[test]
fn a_witness_names_its_level_by_hash() {
    let files = Files::new();
    let porch = files.write("porch.obj", HOLED);
    let folder = files.path("report");
    assert_eq!(run(&["explore", &porch, "--spawn", "2,0.95,3", "--out", &text_of(&folder)]).code, 1);
    // The level is small: the folder replays anywhere.
    std::fs::remove_file(&porch).unwrap();
    let scene = text_of(&folder.join("witness/0001.json"));
    assert_eq!(run(&["walk", &scene]).code, 0);
    let same = files.write("same.obj", HOLED);
    assert_eq!(run(&["walk", &scene, "--level", &same]).out, run(&["walk", &scene]).out);
    let other = files.write("other.obj", &closed());
    assert_refused(&run(&["walk", &scene, "--level", &other]), &["other.obj", "not the level", "hash"]);
    assert_refused(&run(&["walk", "--level", &same]), &["--level"]);
}

#[test]
fn a_witness_replays_from_the_file_that_was_explored_whatever_its_frame_and_with_its_doors_open() {
    let files = Files::new();
    // In half meters, with z up.
    let turned: Vec<String> = closed()
        .lines()
        .map(|line| match line.strip_prefix("v ") {
            Some(numbers) => {
                let at: Vec<f64> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
                format!("v {} {} {}", 2.0 * at[0], -2.0 * at[2], 2.0 * at[1])
            }
            None => line.to_owned(),
        })
        .collect();
    let level = files.write("closed.obj", &(turned.join("\n") + "\n"));
    let rules = json!({ "spawns": [[2, 0.95, 3]], "open": ["door_*"] });
    let rules = files.write("rules.json", &rules.to_string());
    let report = text_of(&files.path("report"));
    let frame = ["--up", "z", "--scale", "0.5"];
    let explored = [&["explore", &level, "--rules", &rules, "--out", &report], frame.as_slice()].concat();
    let said = run(&explored);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    let scene = text_of(&files.path("report").join("witness/0001.json"));
    let played = run(&["walk", &scene]);
    assert_eq!(played.code, 0, "{}", played.err);
    let again = run(&["walk", &scene, "--level", &level]);
    assert_eq!(again.out, played.out, "{}", again.err);
    // A body can say that itself.
    let mut spec: Value = serde_json::from_slice(&std::fs::read(&scene).unwrap()).unwrap();
    assert!(schema::allows(&spec), "{spec}");
    let body = &mut spec["bodies"][0];
    let copied = body.as_object_mut().unwrap().remove("original").unwrap();
    for key in ["up", "scale", "without"] {
        body[key] = copied[key].clone();
    }
    body["file"] = json!(level);
    let own = run(&["walk", &files.write("own.json", &spec.to_string())]);
    assert_eq!(own.out, played.out, "{}", own.err);
    for (without, said) in [("gate_*", "gate_*"), ("*", "nothing is left")] {
        spec["bodies"][0]["without"] = json!([without]);
        let wrong = run(&["walk", &files.write("wrong.json", &spec.to_string())]);
        assert_refused(&wrong, &["without", said, "closed.obj"]);
    }
}

#[test]
fn a_page_plays_a_scene_and_says_why() {
    let files = Files::new();
    let folder = files.path("report");
    assert_eq!(run(&["explore", "--out", &text_of(&folder)]).code, 1);
    let page = text_of(&files.path("page.html"));
    let said = run(&["walk", &text_of(&folder.join("witness/0001.json")), "--out", &page]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("state_hash"));
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("held_by") || text.contains("decided"));
    assert!(!text.contains("http") && !text.contains("\"DATA\""));
    assert_refused(&run(&["walk", "--out", &page]), &["a page plays a scene"]);
    let endless = files.write(
        "endless.json",
        r#"{"ticks":1000000,"characters":[{"shape":{"sphere":{"radius":1}},"position":[0,0,0]}]}"#,
    );
    assert_refused(&run(&["walk", &endless, "--out", &text_of(&files.path("endless.html"))]), &["at most"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_not_unicode_is_explored_and_replayed() {
    use std::os::unix::ffi::OsStrExt;
    let files = Files::new();
    let level = files.path("").join(std::ffi::OsStr::from_bytes(b"caf\xE9.obj"));
    std::fs::write(&level, HOLED).unwrap();
    let folder = files.path("report");
    let mut command = crate::carom(&["explore", "--spawn", "2,0.95,3", "--out", &text_of(&folder)]);
    let output = command.arg(&level).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(run(&["walk", &text_of(&folder.join("witness/0001.json"))]).code, 0);
}
