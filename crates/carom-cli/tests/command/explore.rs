//! `carom explore`.

use serde_json::Value;

use crate::report::HOLED;
use crate::{Files, assert_refused, lines, run, text_of};

fn report(folder: &str) -> Value {
    let text = std::fs::read_to_string(format!("{folder}/report.json")).unwrap();
    let mut report: Value = serde_json::from_str(&text).unwrap();
    // All but the time that it took.
    report["cost"]["seconds"] = Value::Null;
    report["cost"]["m2_per_s"] = Value::Null;
    report["cost"]["phases"] = Value::Null;
    report
}

#[test]
fn the_courtyard_is_explored_and_every_witness_leads_where_the_report_says() {
    let files = Files::new();
    let folder = text_of(&files.path("report"));
    let said = run(&["explore", "--out", &folder]);
    assert_eq!(said.code, 1, "{}", said.err);
    for code in ["FALL_OUT", "STUCK", "TRAP", "START_OVERLAP", "SNAG", "UNREACHED"] {
        assert!(said.out.contains(code), "{}", said.out);
    }
    let told = report(&folder);
    let findings = told["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 6);
    for finding in findings {
        let scene = format!("{folder}/{}", finding["witness"].as_str().unwrap());
        let said = run(&["walk", &scene]);
        assert_eq!(said.code, 0, "{}", said.err);
        let ticks = lines(&said.out);
        assert_eq!(ticks.len() as u64, finding["ticks"].as_u64().unwrap() + 1);
        let end = &ticks[ticks.len() - 2]["characters"][0]["position"];
        match finding["code"].as_str().unwrap() {
            "FALL_OUT" => assert!(end[1].as_f64().unwrap() < -13.0, "{end}"),
            "STUCK" | "TRAP" => assert_eq!(*end, finding["position"]),
            _ => {}
        }
        assert!(files.path("report").join(finding["picture"].as_str().unwrap()).exists());
    }
    let page = std::fs::read_to_string(files.path("report").join("report.html")).unwrap();
    assert!(page.contains("FALL_OUT") && !page.contains("://"));
    assert!(files.path("report").join("map.png").exists());
}

#[test]
fn the_same_report_at_one_and_two_threads_and_after_a_stop() {
    let files = Files::new();
    let level = files.write("porch.obj", HOLED);
    let go = |name: &str, more: &[&str]| {
        let folder = text_of(&files.path(name));
        let said = run(&[&["explore", &level, "--cell", "0.2", "--out", &folder], more].concat());
        // A run that is stopped may not have found the way out yet.
        assert!(said.code <= 1, "{}", said.err);
        folder
    };
    let one = report(&go("one", &["--threads", "1"]));
    assert_eq!(one, report(&go("two", &["--threads", "2"])));
    assert_eq!(one["findings"][0]["code"], "FALL_OUT");
    assert_eq!(one["spawns"][0]["origin"], "found");
    let kept = text_of(&files.path("kept"));
    let stopped = go("stopped", &["--checkpoint", &kept, "--stop-after", "0"]);
    assert_eq!(report(&stopped)["complete"], false);
    assert_eq!(one, report(&go("resumed", &["--checkpoint", &kept])));
    let other = run(&["explore", &level, "--jump", "1", "--checkpoint", &kept]);
    assert_refused(&other, &["kept", "other rules"]);
}

#[test]
fn what_fails_is_said_by_codes_and_what_is_known_does_not() {
    let files = Files::new();
    let level = files.write("porch.obj", HOLED);
    let folder = text_of(&files.path("report"));
    let code = |more: &[&str]| run(&[&["explore", &level], more].concat()).code;
    assert_eq!(code(&["--out", &folder]), 1);
    assert_eq!(code(&["--fail-on", "STUCK,TRAP"]), 0);
    assert_eq!(code(&["--fail-on", "none"]), 0);
    assert_eq!(code(&["--baseline", &format!("{folder}/report.json")]), 0);
    assert_eq!(code(&["--spawn", "3,0.95,3", "--fail-on", "warning"]), 1);
}

#[test]
fn what_cannot_be_explored_is_refused_by_name() {
    let files = Files::new();
    let empty = files.write("empty.obj", "v 0 0 0\n");
    assert_refused(&run(&["explore", &empty]), &["empty.obj", "no triangles"]);
    let wall = files.write("wall.obj", "v 0 0 0\nv 9 0 0\nv 9 9 0\nf 1 2 3\n");
    assert_refused(&run(&["explore", &wall]), &["no floor", "--up"]);
    let vast = files.write("vast.obj", "v -1e9 0 -1e9\nv 1e9 0 -1e9\nv 0 0 1e9\nf 3 2 1\n");
    assert_refused(&run(&["explore", &vast]), &["--scale"]);
    let porch = files.write("porch.obj", HOLED);
    assert_refused(&run(&["explore", &porch, "--cell", "0"]), &["cell must be"]);
    assert_refused(&run(&["explore", &porch, "--spawn", "1,2"]), &["1,2", "x,y,z"]);
    assert_refused(&run(&["explore", &porch, "--fail-on", "FALLS"]), &["FALLS", "FALL_OUT"]);
    assert_refused(&run(&["explore", &porch, "--baseline", &porch]), &["baseline", "not a report.json"]);
    assert_refused(&run(&["explore", "no/such.glb"]), &["no/such.glb"]);
}
