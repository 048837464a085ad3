use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use carom::shape::{Ellipsoid, Sphere};
use carom::world::{Body, Cast, World};
use carom_scenes::Random;
use glam::DVec3;
use serde_json::json;

use super::{CUBE, Files, assert_refused, carom, lines, run, run_with_input, text_of};

const DOWN: &str = r#"{"shape":{"sphere":{"radius":0.5}},"from":[0.25,4,0.5],"translation":[0,-5,0]}"#;

#[test]
fn answers_stand_in_the_order_of_the_questions() {
    let files = Files::new();
    let level = files.write("box.obj", CUBE);
    let questions = [
        DOWN,
        r#"{"shape":"point","from":[0.25,4,0.5],"translation":[0,-5,0]}"#,
        r#"{"shape":{"sphere":{"radius":0}},"from":[0,4,0],"translation":[0,-5,0]}"#,
        r#"{"shape":{"ellipsoid":{"radii":[0.4,0.9,0.4]}},"from":[0.25,4,0.5],"translation":[0,-5,0]}"#,
        r#"{"shape":{"capsule":{"radius":0.25,"half_height":0.75,"rotation":[0,0,0,1]}},"from":[0.25,4,0.5],"translation":[0,-4,0]}"#,
        r#"{"shape":{"sphere":{"radius":0.5}},"from":[0,4,0],"translation":[0,1,0]}"#,
        r#"{"shape":{"sphere":{"radius":0.5}},"from":[0,1.25,0],"translation":[0,-1,0]}"#,
        r#"{"shape":{"sphere":{"radius":0.5}},"from":[0,1.25,0],"translation":[0,1,0]}"#,
    ];
    let said = run_with_input(&["cast", &level], &questions.join("\n"));
    assert_eq!(said.code, 1, "one is in error: {}", said.err);
    let answers = lines(&said.out);
    assert_eq!(answers.len(), questions.len());
    let fraction = |i: usize| answers[i]["hit"]["fraction"].as_f64().unwrap();
    for (i, expected) in [(0, 0.5), (1, 0.6), (3, 2.1 / 5.0), (4, 0.5), (6, 0.0)] {
        assert!((fraction(i) - expected).abs() < 1e-12, "{i}: {}", answers[i]);
    }
    assert_eq!(answers[2].to_string(), r#"{"error":"radius must be finite and greater than 0"}"#);
    for free in [5, 7] {
        assert_eq!(answers[free].to_string(), r#"{"hit":null}"#);
    }
    assert_eq!(answers[6]["hit"]["start_overlap"], true);
    assert_eq!(answers[0]["hit"]["start_overlap"], false);
    assert_eq!(answers[0]["hit"]["feature"], "face");
    assert_eq!(answers[0]["hit"]["normal"], serde_json::json!([0.0, 1.0, 0.0]));
    // The keys in their order.
    let first = said.out.lines().next().unwrap();
    let places: Vec<_> = [
        "{\"hit\":{\"fraction\":",
        "\"point\":",
        "\"normal\":",
        "\"triangle\":",
        "\"feature\":",
        "\"start_overlap\":",
    ]
    .iter()
    .map(|key| first.find(key).unwrap())
    .collect();
    assert!(places.is_sorted() && places[0] == 0, "{first}");
}

#[test]
fn what_is_no_query_is_said_in_its_line() {
    let files = Files::new();
    let level = files.write("box.obj", CUBE);
    for (question, part) in [
        ("hello", "no value here"),
        (r#"{"shape":{"sphere":{"radius":0.5}},"from":[0,2,0]}"#, "translation"),
        (r#"{"shape":{"sphere":{"radius":0.5}},"from":[0,2,0],"translation":[0,-4,0],"to":1}"#, "`to`"),
        (r#"{"shape":{"sphere":{"radius":0.5,"x":1}},"from":[0,2,0],"translation":[0,-4,0]}"#, "`x`"),
        (r#"{"shape":{"cone":{"radius":0.5}},"from":[0,2,0],"translation":[0,-4,0]}"#, "`cone`"),
        (r#"{"shape":{"sphere":{"radius":-1}},"from":[0,2,0],"translation":[0,-4,0]}"#, "radius"),
        (r#"{"shape":"point","from":[0,1e999,0],"translation":[0,-4,0]}"#, "out of range"),
        (
            r#"{"shape":"point","from":[0,0],"translation":[0,-4,0]}"#,
            "from: found a list of 2, wanted a list of 3",
        ),
        (
            r#"{"shape":"point","from":[0,0,0,0],"translation":[0,-4,0]}"#,
            "from: found a list of 4, wanted a list of 3",
        ),
        (
            r#"{"shape":"point","from":[0,0,"x"],"translation":[0,-4,0]}"#,
            "from[2]: found the text \"x\", wanted a number at column",
        ),
        (
            r#"{"shape":{"sphere":[0.5]},"from":[0,2,0],"translation":[0,-4,0]}"#,
            "found a list, wanted an object",
        ),
        (r#"["point",[0,2,0],[0,-4,0]]"#, "found a list, wanted an object"),
        (r#"{"shape":"point","from":[0,NaN,0],"translation":[0,-4,0]}"#, "no NaN"),
        (
            r#"{"shape":{"ellipsoid":{"radii":[1,1,1],"rotation":[0,0,0,0]}},"from":[0,0,0],"translation":[0,1,0]}"#,
            "rotation",
        ),
    ] {
        let said = run_with_input(&["cast", &level], &format!("{question}\n{DOWN}\n"));
        assert_eq!(said.code, 1);
        let answers = lines(&said.out);
        assert_eq!(answers.len(), 2, "{question}");
        let error = answers[0]["error"].as_str().unwrap();
        assert!(error.contains(part), "{question}: {error}");
        assert!(answers[1]["hit"]["fraction"].is_number());
    }
    let long = format!("{{\"shape\":\"{}\"}}\n{DOWN}", "x".repeat(5 << 20));
    let answers = lines(&run_with_input(&["cast", &level], &long).out);
    assert_eq!(answers.len(), 2);
    assert!(answers[0]["error"].as_str().unwrap().contains("longer"));
}

/// Random balls and ellipsoids about the box, as queries and as casts.
fn random_casts(count: usize) -> (String, Vec<Cast>) {
    let mut random = Random::scattered(11);
    let mut questions = String::new();
    let mut casts = Vec::new();
    for i in 0..count {
        let from = random.direction() * random.between(0.5, 4.0);
        let translation = random.direction() * random.between(0.5, 8.0);
        let place = format!(r#""from":{:?},"translation":{:?}"#, from.to_array(), translation.to_array());
        if i % 2 == 0 {
            let radius = random.between(0.1, 1.0);
            writeln!(questions, r#"{{"shape":{{"sphere":{{"radius":{radius:?}}}}},{place}}}"#).unwrap();
            casts.push(Cast::new(Sphere::new(radius).unwrap(), from, translation).unwrap());
        } else {
            let radii = DVec3::new(random.between(0.1, 1.0), 0.9, 0.4);
            writeln!(questions, r#"{{"shape":{{"ellipsoid":{{"radii":{:?}}}}},{place}}}"#, radii.to_array())
                .unwrap();
            casts.push(Cast::new(Ellipsoid::new(radii).unwrap(), from, translation).unwrap());
        }
    }
    (questions, casts)
}

#[test]
fn any_number_of_threads_gives_the_same_bytes_and_every_number_reads_back() {
    let files = Files::new();
    let level = files.write("box.obj", CUBE);
    let (questions, casts) = random_casts(20_000);
    let input = files.write("queries.jsonl", &questions);
    let one = run(&["cast", &level, "--in", &input, "--threads", "1"]);
    assert_eq!((one.code, one.err.as_str()), (0, ""));
    let path = text_of(&files.path("answers.jsonl"));
    let two = run(&["cast", &level, "--in", &input, "--threads", "2", "--out", &path]);
    assert_eq!((two.code, two.out.as_str()), (0, ""));
    assert!(std::fs::read_to_string(path).unwrap() == one.out);

    let mut world = World::new();
    let raw = carom_formats::parse(CUBE.as_bytes(), carom_formats::Format::Obj, &Default::default()).unwrap();
    world.add(Body::fixed(raw.into_mesh().unwrap()));
    let answers = lines(&one.out);
    assert_eq!(answers.len(), casts.len());
    let mut hits = 0;
    for (answer, cast) in answers.iter().zip(&casts) {
        let Some(hit) = world.cast(cast) else {
            assert!(answer["hit"].is_null());
            continue;
        };
        hits += 1;
        let said = &answer["hit"];
        assert_eq!(said["fraction"].as_f64(), Some(hit.fraction));
        for axis in 0..3 {
            assert_eq!(said["point"][axis].as_f64(), Some(hit.point[axis]));
            assert_eq!(said["normal"][axis].as_f64(), Some(hit.normal[axis]));
        }
        assert_eq!(said["triangle"].as_u64(), Some(u64::from(hit.part)));
    }
    assert!(hits > 5000, "{hits}");
}

#[test]
fn unusable_files_and_arguments_are_refused() {
    let files = Files::new();
    let level = files.write("box.obj", CUBE);
    let missing = text_of(&files.path("missing.jsonl"));
    assert_refused(&run(&["cast", &level, "--in", &missing]), &["missing.jsonl"]);
    assert_refused(&run(&["cast", &missing]), &["missing.jsonl"]);
    let nan = files.write("nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_refused(&run(&["cast", &nan]), &["nan.obj", "vertex 0 is not finite"]);
    let nowhere = text_of(&files.path("no/such/folder.jsonl"));
    assert_refused(&run(&["cast", &level, "--out", &nowhere]), &["folder.jsonl"]);
}

#[test]
fn an_input_is_never_overwritten() {
    let files = Files::new();
    let level = files.write("box.obj", CUBE);
    let input = files.write("queries.jsonl", DOWN);
    assert_refused(&run(&["cast", &level, "--in", &input, "--out", &input]), &["--out"]);
    assert_refused(&run(&["cast", &level, "--in", &input, "--out", &level]), &["--out"]);
    assert_eq!(std::fs::read_to_string(files.path("queries.jsonl")).unwrap(), DOWN);
    assert_eq!(std::fs::read_to_string(files.path("box.obj")).unwrap(), CUBE);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let files = Files::new();
    let level = files.write("box.obj", CUBE);
    let mut child = carom(&["cast", &level])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let many = format!("{DOWN}\n").repeat(10_000);
        // Until the command has gone.
        while stdin.write_all(many.as_bytes()).is_ok() {}
    });
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(first.starts_with("{\"hit\":{"));
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn blank_lines_are_passed_over_and_an_id_comes_back() {
    let files = Files::new();
    let cube = files.write("cube.obj", CUBE);
    let input = "\n{\"id\":7,\"shape\":\"point\",\"from\":[0,3,0],\"translation\":[0,-4,0]}\n   \r\n\
        {\"shape\":\"point\",\"from\":[9,3,0],\"translation\":[0,-4,0],\"id\":[\"a\",null]}\n\
        {\"id\":\"bad\",\"shape\":\"points\"}\n{\"shape\":\"point\",\"from\":[9,3,0],\"translation\":[0,-4,0]}\n\n";
    let said = run_with_input(&["cast", &cube], input);
    assert_eq!(said.code, 1, "{}", said.err);
    let answers = lines(&said.out);
    assert_eq!(answers.len(), 4);
    assert_eq!((&answers[0]["id"], &answers[0]["hit"]["feature"]), (&json!(7), &json!("face")));
    assert_eq!(answers[1], json!({"id": ["a", null], "hit": null}));
    assert_eq!(answers[2]["id"], "bad");
    assert!(answers[2]["error"].as_str().unwrap().contains("points"));
    assert_eq!(answers[3], json!({"hit": null}));
}
