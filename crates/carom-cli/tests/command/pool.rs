//! `carom pool`: scenes of balls, what is printed, and what is refused.

use std::sync::LazyLock;

use carom::num::ops::rotation_about;
use carom::world::{AfterLast, Keyframe, Keyframes};
use carom_scenes::Random;
use glam::{DQuat, DVec2, DVec3};
use jsonschema::Validator;
use serde_json::{Value, json};

use super::{CUBE, Files, Said, assert_refused, lines, run, text_of};

static SCHEMA: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../../docs/pool.schema.json")).unwrap());
static VALIDATOR: LazyLock<Validator> = LazyLock::new(|| jsonschema::draft202012::new(&SCHEMA).unwrap());

fn allows(scene: &Value) -> bool {
    VALIDATOR.is_valid(scene)
}

fn pool(scene: &Value) -> Said {
    let files = Files::new();
    run(&["pool", &files.write("scene.json", &scene.to_string()), "--events"])
}

/// The events and the summary of a scene that is fine.
#[track_caller]
fn played(scene: &Value) -> (Vec<Value>, Value) {
    assert!(allows(scene), "the schema refuses {scene}");
    let said = pool(scene);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let mut events = lines(&said.out);
    let summary = events.pop().unwrap()["summary"].take();
    assert_eq!(summary["events"].as_u64(), Some(events.len() as u64));
    (events, summary)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn ball(position: [f64; 2], velocity: [f64; 2]) -> Value {
    json!({"position": position, "velocity": velocity, "radius": 0.5, "mass": 2})
}

/// The text of what was printed: keys in this order, no others.
#[test]
fn lines_have_the_keys_of_the_contract_in_their_order() {
    let files = Files::new();
    let scene = json!({"until": 4, "balls": [ball([0.0, 0.0], [1.0, 0.0]), ball([3.0, 0.0], [0.0, 0.0])]});
    let scene = files.write("scene.json", &scene.to_string());
    let said = run(&["pool", &scene, "--events"]);
    let wanted = [
        r#"{"event":1,"time":2.0,"kind":"ball","balls":[0,1]}"#,
        concat!(
            r#"{"summary":{"events":1,"time":4.0,"energy_start":1.0,"energy_end":1.0,"#,
            r#""momentum_start":[2.0,0.0,0.0],"momentum_end":[2.0,0.0,0.0],"#,
            r#""balls":[{"position":[2.0,0.0,0.0],"velocity":[0.0,0.0,0.0]},{"position":[5.0,0.0,0.0],"velocity":[1.0,0.0,0.0]}]}}"#
        ),
    ];
    assert_eq!((said.code, said.out.lines().collect::<Vec<_>>()), (0, wanted.to_vec()), "{}", said.err);
    // Without --events the summary alone.
    assert_eq!(run(&["pool", &scene]).out.lines().collect::<Vec<_>>(), wanted[1..]);
}

#[test]
fn a_ball_meets_walls_of_every_kind_and_falls_into_a_pocket() {
    let files = Files::new();
    files.write("cube.obj", CUBE);
    let walls = json!([
        {"segment": [[9, -1], [9, 1]]},
        {"plane": {"point": [-2, 0, 0], "normal": [3, 0, 0]}},
        {"arc": {"center": [0, 20], "radius": 2, "from_degrees": 270, "to_degrees": 90}},
        {"mesh": "cube.obj"},
    ]);
    let balls = json!([
        ball([6.0, 0.0], [1.0, 0.0]),
        ball([0.0, 20.0], [1.0, 0.0]),
        ball([-1.5, 9.0], [-1.0, 0.0]),
        ball([0.0, -5.0], [0.0, 1.0])
    ]);
    let scene = json!({"until": 6.25, "walls": walls, "balls": balls, "pockets": [{"position": [4, 0], "radius": 0.75}]});
    assert!(allows(&scene));
    let said = run(&["pool", &files.write("scene.json", &scene.to_string()), "--events"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let told: Vec<(f64, String, Value)> = lines(&said.out)
        .iter()
        .filter(|line| line["summary"].is_null())
        .map(|line| (number(&line["time"]), line["kind"].as_str().unwrap().to_owned(), line["balls"].clone()))
        .collect();
    let wanted = [
        (0.0, "wall", json!([2])),
        (1.5, "wall", json!([1])),
        (2.5, "wall", json!([0])),
        (3.5, "wall", json!([3])),
        (4.5, "wall", json!([1])),
        (6.25, "pocket", json!([0])),
    ];
    assert_eq!(told.len(), wanted.len(), "{told:?}");
    for (event, (time, kind, balls)) in told.iter().zip(&wanted) {
        assert!(
            (event.0 - time).abs() < 1e-12 && event.1 == *kind && event.2 == *balls,
            "{event:?} {time} {kind}"
        );
    }
}

#[test]
fn what_is_left_out_is_as_the_page_says() {
    let (events, summary) = played(&json!({}));
    assert!(events.is_empty());
    assert_eq!((number(&summary["time"]), &summary["balls"]), (10.0, &json!([])));
    let (_, summary) =
        played(&json!({"balls": [{"position": [1, 2], "velocity": [1, 0], "radius": 1, "mass": 1}]}));
    assert_eq!(summary["balls"], json!([{"position": [11.0, 2.0, 0.0], "velocity": [1.0, 0.0, 0.0]}]));
}

#[test]
fn a_table_with_friction_stops_a_ball_where_coulomb_says() {
    let scene = |gravity: Value| json!({"gravity": gravity, "until": 200, "friction": {"sliding": 0.2, "rolling": 0.01}, "balls": [ball([0.0, 0.0], [7.0, 0.0])]});
    for (gravity, weight) in [
        (json!([0, 0, 0]), 9.81),
        (json!([0, 0]), 9.81),
        (json!([0, 0, -10]), 10.0),
        (json!([0, 0, 10]), 10.0),
    ] {
        let (events, summary) = played(&scene(gravity));
        assert_eq!((events.len(), &events[0]["kind"]), (1, &json!("rest")));
        // Slides until 2/7 of the speed is gone, then rolls.
        let time = 2.0 / (0.2 * weight) + 5.0 / (0.01 * weight);
        let way = 6.0 * (2.0 / (0.2 * weight)) + 2.5 * 5.0 / (0.01 * weight);
        assert!((number(&events[0]["time"]) - time).abs() < 1e-9);
        assert!((number(&summary["balls"][0]["position"][0]) - way).abs() < 1e-9);
        assert_eq!(number(&summary["energy_end"]), 0.0);
    }
}

#[test]
fn sides_come_round_and_places_are_within_them() {
    let (events, summary) = played(
        &json!({"periodic": [4, 2, 0], "until": 2, "balls": [ball([0.5, 1.0], [0.0, 0.0]), ball([3.0, 1.0], [1.0, 0.0])]}),
    );
    assert_eq!((events.len(), number(&events[0]["time"])), (1, 0.5));
    assert_eq!(number(&summary["balls"][1]["position"][0]), 3.5);
    assert_eq!(number(&summary["balls"][0]["position"][0]), 2.0);
}

#[test]
fn the_limit_of_events_ends_a_run_at_its_last_event() {
    let mut scene = json!({"until": 1e6, "max_events": 3, "balls": [ball([2.0, 0.0], [1.0, 0.0])],
        "walls": [{"segment": [[0, -1], [0, 1]]}, {"segment": [[4, -1], [4, 1]]}]});
    let (events, summary) = played(&scene);
    assert_eq!((events.len(), number(&summary["time"])), (3, 7.5));
    scene["max_events"] = json!(0);
    assert_eq!(number(&played(&scene).1["time"]), 0.0);
}

#[test]
fn a_scene_that_cannot_be_used_is_refused_by_name_and_number() {
    let with = |key: &str, value: Value| json!({"balls": [ball([0.0, 0.0], [0.0, 0.0])], key: value});
    let two = |change: &dyn Fn(&mut Value)| {
        let mut second = ball([5.0, 0.0], [0.0, 0.0]);
        change(&mut second);
        json!({"balls": [ball([0.0, 0.0], [0.0, 0.0]), second]})
    };
    let wall = |wall: Value| json!({"walls": [{"segment": [[0, 0], [1, 0]]}, wall]});
    for (scene, parts) in [
        (with("dimensions", json!(4)), &["dimensions", "4"][..]),
        (with("until", json!(-1)), &["until"]),
        (with("max_events", json!(-1)), &["max_events"]),
        (with("restitution", json!(1.5)), &["restitution"]),
        (with("gravty", json!([0, 0, 0])), &["gravty"]),
        (with("gravity", json!([0])), &["gravity"]),
        (with("periodic", json!([-2, 0, 0])), &["periodic"]),
        (with("friction", json!({"sliding": -1})), &["sliding"]),
        (with("friction", json!({"slide": 1})), &["friction", "slide"]),
        (json!({"dimensions": 3, "friction": {"sliding": 1}}), &["friction", "two dimensions"]),
        (with("pockets", json!([{"position": [0, 0], "radius": 0}])), &["pocket 0", "radius"]),
        (with("pockets", json!([{"position": [0, 0], "radius": 1, "depth": 2}])), &["pockets[0]", "depth"]),
        (two(&|ball| ball["radius"] = json!(0)), &["ball 1", "radius"]),
        (two(&|ball| ball["mass"] = json!(0)), &["ball 1", "mass"]),
        (two(&|ball| ball["mass"] = json!(-1)), &["ball 1", "mass"]),
        (two(&|ball| ball["color"] = json!("red")), &["balls[1]", "color"]),
        (two(&|ball| drop(ball.as_object_mut().unwrap().remove("mass"))), &["balls[1]", "mass"]),
        (wall(json!({})), &["wall 1", "exactly one"]),
        (
            wall(json!({"mesh": "x.obj", "plane": {"point": [0, 0], "normal": [1, 0]}})),
            &["wall 1", "exactly one"],
        ),
        (wall(json!({"plane": {"point": [0, 0, 0], "normal": [0, 0, 0]}})), &["wall 1", "normal"]),
        (
            wall(json!({"arc": {"center": [0, 0], "radius": 0, "from_degrees": 0, "to_degrees": 9}})),
            &["wall 1", "radius"],
        ),
        (wall(json!({"segment": [[0, 0]]})), &["walls[1].segment"]),
    ] {
        assert_refused(&pool(&scene), parts);
        assert!(!allows(&scene), "the schema lets through what is refused for {parts:?}: {scene}");
    }
    // These are beyond a schema.
    for (scene, parts) in [
        (two(&|ball| ball["position"] = json!([0.9, 0])), &["balls 0 and 1 overlap"][..]),
        (two(&|ball| ball["position"] = json!([0, 0])), &["balls 0 and 1 overlap"]),
        (two(&|ball| ball["position"] = json!([5, 0, 1])), &["ball 1", "in two dimensions z"]),
        (two(&|ball| ball["velocity"] = json!([5, 0, 1])), &["ball 1", "in two dimensions z"]),
        (with("gravity", json!([0, 0, -9])), &["in two dimensions z", "gravity"]),
        (with("periodic", json!([1, 0, 0])), &["periodic", "twice the largest"]),
        (json!({"dimensions": 3, "gravity": [0, 1]}), &["gravity", "three numbers"]),
        (json!({"dimensions": 3, "balls": [ball([0.0, 0.0], [0.0, 0.0])]}), &["ball 0", "three numbers"]),
        (
            json!({"friction": {"sliding": 0.2}, "gravity": [0, -9.81, 0]}),
            &["friction", "level table", "gravity"],
        ),
        (wall(json!({"mesh": "missing.obj"})), &["wall 1", "missing.obj"]),
    ] {
        assert_refused(&pool(&scene), parts);
        assert!(allows(&scene), "the schema is stricter than it says: {scene}");
    }
    let files = Files::new();
    let broken = files.write("broken.json", "{\n \"until\": 3,,\n}");
    assert_refused(&run(&["pool", &broken]), &["broken.json", "line 2"]);
    assert_refused(&run(&["pool", &text_of(&files.path("missing.json"))]), &["missing.json"]);
    let infinite = files.write("infinite.json", r#"{"until":1e999}"#);
    assert_refused(&run(&["pool", &infinite]), &["infinite.json", "out of range"]);
    // A scene is never overwritten by its own page, and there is one scene at a time.
    let own = files.write("own.json", "{}");
    assert_refused(&run(&["pool", &own, "--out", &own]), &["--out"]);
    assert_refused(&run(&["pool", &own, "--scene", "newton"]), &["--scene"]);
    assert_refused(&run(&["pool", "--scene", "marbles"]), &["marbles"]);
}

#[test]
fn the_schema_is_one_and_the_example_of_the_page_keeps_to_it_and_runs() {
    jsonschema::draft202012::meta::validate(&SCHEMA).unwrap();
    let page = include_str!("../../../../docs/pool.md");
    let examples: Vec<Value> = page
        .split("```json\n")
        .skip(1)
        .map(|rest| serde_json::from_str(rest.split("```").next().unwrap()).unwrap())
        .collect();
    assert!(!examples.is_empty());
    for scene in examples {
        assert!(allows(&scene), "{scene}");
        let files = Files::new();
        files.write("level.obj", CUBE);
        let said = run(&["pool", &files.write("scene.json", &scene.to_string()), "--events"]);
        assert_eq!((said.code, said.err.as_str()), (0, ""));
        assert!(said.out.lines().count() > 1);
    }
}

#[test]
fn the_break_and_the_cradles_run_and_write_a_page_that_needs_nothing_else() {
    for (arguments, balls) in [(&["pool"][..], 16), (&["pool", "--scene", "newton"][..], 21)] {
        let files = Files::new();
        let page = text_of(&files.path("page.html"));
        let mut arguments = arguments.to_vec();
        let plain = run(&arguments);
        arguments.extend(["--out", &page]);
        let said = run(&arguments);
        assert_eq!((said.code, said.err.as_str()), (0, ""));
        // The page changes no bit of what happens.
        assert_eq!(said.out, plain.out);
        let summary = &lines(&said.out)[0]["summary"];
        assert_eq!(summary["balls"].as_array().unwrap().len(), balls);
        assert!(summary["events"].as_u64().unwrap() > 50);
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(
            text.starts_with("<!doctype html>") && !text.contains("\"DATA\"") && text.contains("\"knots\":")
        );
        for outside in ["http://", "https://", "src=", "@import"] {
            assert!(!text.contains(outside), "{outside}");
        }
    }
}

#[test]
fn numbers_at_the_ends_of_their_range_end_too() {
    for scene in [
        json!({"until": 1e300, "balls": [ball([1e300, 0.0], [-1e300, 0.0]), ball([-1e300, 0.0], [1e300, 1e-300])]}),
        json!({"until": 1, "max_events": 1000, "balls": [{"position": [0, 0], "velocity": [1e308, 0], "radius": 1e-308, "mass": 1e-308},
            {"position": [1, 0], "radius": 1e-308, "mass": 1e308}]}),
        json!({"until": 1, "max_events": 1000, "gravity": [0, -1e200], "walls": [{"segment": [[-1, 0], [1, 0]]}], "balls": [ball([0.0, 1.0], [0.0, 0.0])]}),
        json!({"dimensions": 3, "until": 1e9, "max_events": 100000, "gravity": [0, 1e-200, 0], "balls": [{"position": [0, 0, 0], "radius": 1e300, "mass": 1}]}),
    ] {
        assert_eq!(pool(&scene).code, 0, "{scene}");
    }
}

#[test]
fn bodies_push_balls_are_named_in_events_and_posed_in_the_summary() {
    let files = Files::new();
    // A door whose front is 2 m from the ball comes at 1 m/s; then it stands, after its last keyframe, and a
    // perfect bounce goes off at 2 m/s.
    let scene = json!({"until": 4.0, "dimensions": 3,
        "bodies": [
            {"name": "door", "box": {"half_extents": [0.5, 2, 2]},
             "keyframes": [{"time": 0, "position": [-3, 0, 0]}, {"time": 3, "position": [0, 0, 0]}]},
            {"sphere": {"radius": 1}, "position": [0, 9, 0], "angular": [0, 0, 1]},
            {"name": "post", "mesh": {"vertices": [[3, -9, -9], [3, 9, -9], [3, 0, 9]], "triangles": [[0, 1, 2]]}}],
        "balls": [{"position": [0, 0, 0], "radius": 0.5, "mass": 1}]});
    let said = run(&["pool", &files.write("scene.json", &scene.to_string()), "--events"]);
    let lines: Vec<Value> = said.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["body"], "door");
    assert_eq!((&lines[0]["kind"], &lines[0]["balls"]), (&json!("wall"), &json!([0])));
    assert!((lines[0]["time"].as_f64().unwrap() - 2.0).abs() < 1e-9);
    // 2.5 m on at 2 m/s.
    assert_eq!(lines[1]["body"], "post");
    assert!((lines[1]["time"].as_f64().unwrap() - 3.25).abs() < 1e-9, "{}", lines[1]);
    let bodies = lines.last().unwrap()["summary"]["bodies"].as_array().unwrap();
    assert_eq!(bodies.len(), 3);
    assert!(bodies[0]["position"][0].as_f64().unwrap().abs() < 1e-12, "{}", bodies[0]);
    assert_eq!(bodies[1]["name"], "body 1");
    assert!(
        (bodies[1]["rotation"][2].as_f64().unwrap() - carom::num::ops::sin(2.0)).abs() < 1e-12,
        "{}",
        bodies[1]
    );
}

/// The balls are beside the ways of all bodies. The walls in the plane of two dimensions are met as in three.
#[test]
fn a_body_of_every_form_of_a_walk_scene_moves_as_there() {
    let forms = [
        json!({"box": {"half_extents": [0.5, 0.5, 0.5], "rotation": [0, 0, 1, 1]}}),
        json!({"sphere": {"radius": 0.5}}),
        json!({"capsule": {"radius": 0.3, "half_height": 0.5}}),
        json!({"mesh": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]]}, "scale": [1, 2, 1]}),
        json!({"hull": {"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}, "scale": 2}),
        json!({"heightfield": {"spacing": [1, 1], "columns": 2, "rows": 2, "heights": [0, 0.5, 0, 0]}}),
        json!({"pieces": [{"box": {"half_extents": [0.5, 0.5, 0.5]}}, {"sphere": {"radius": 1}, "position": [1, 0, 0]}]}),
        json!({"file": "cube.obj", "up": "z", "scale": 0.5}),
    ];
    let motions = [
        json!({"position": [9, 0, 0], "rotation": [0, 1, 0, 1]}),
        json!({"position": [9, 0, 0], "linear": [1, 0.5, 0], "angular": [0, 1, 0.5]}),
        json!({"keyframes": [{"time": 0, "position": [9, 0, 0]}, {"time": 0.5, "position": [9, 1, 0], "rotation": [0, 1, 0, 0]},
            {"time": 1, "position": [9, 0, 0], "rotation": [0, 0, 0, -1]}, {"time": 1.25, "position": [9, 0, 2], "rotation": [0, 1, 0, 1]},
            {"time": 2, "position": [9, 0, 0]}], "loop": true}),
        json!({"keyframes": [{"time": 1, "position": [9, 0, 0], "rotation": [1, 0, 0, 1]}, {"time": 2, "position": [12, 1, 0]}]}),
    ];
    let files = Files::new();
    files.write("cube.obj", CUBE);
    for (form, motion) in forms.iter().flat_map(|form| motions.iter().map(move |motion| (form, motion))) {
        let mut body = form.clone();
        body.as_object_mut().unwrap().extend(motion.as_object().unwrap().clone());
        body["name"] = json!("it");
        // In the middle of a motion, where a wrong way round is farthest off.
        for until in [0.75, 3.125] {
            let scene = json!({"dimensions": 3, "until": until, "bodies": [body],
                "balls": [{"position": [-9, 0, 0], "radius": 0.5, "mass": 1}]});
            assert!(allows(&scene), "{scene}");
            let said = run(&["pool", &files.write("pool.json", &scene.to_string())]);
            assert_eq!((said.code, said.err.as_str()), (0, ""), "{scene}");
            let found = lines(&said.out)[0]["summary"]["bodies"][0].clone();
            let wanted = pose_in_a_walk(&body, until);
            let numbers = |pose: &Value, key: &str| -> Vec<f64> {
                pose[key].as_array().unwrap().iter().map(number).collect()
            };
            let gap = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let [p, q] = [&found, &wanted].map(|pose| numbers(pose, "position"));
            assert!(gap(&p, &q) < 1e-12, "{scene}: {found} {wanted}");
            let [p, q] = [&found, &wanted].map(|pose| numbers(pose, "rotation"));
            let negative: Vec<f64> = q.iter().map(|x| -x).collect();
            assert!(gap(&p, &q).min(gap(&p, &negative)) < 1e-12, "{scene}: {found} {wanted}");
        }
    }
}

/// The pose of a body of a scene of characters at a time, by the library's own plan.
fn pose_in_a_walk(body: &Value, time: f64) -> Value {
    let three = |value: &Value| -> DVec3 {
        DVec3::from_array(std::array::from_fn(|i| value[i].as_f64().unwrap_or(0.0)))
    };
    let turn = |value: &Value| {
        let [x, y, z] = three(value).to_array();
        DQuat::from_xyzw(x, y, z, value[3].as_f64().unwrap_or(1.0)).normalize()
    };
    let (position, rotation) = match body["keyframes"].as_array() {
        Some(frames) => {
            let frame = |frame: &Value| Keyframe {
                time: number(&frame["time"]),
                position: three(&frame["position"]),
                rotation: turn(&frame["rotation"]),
            };
            let frames: Vec<Keyframe> = frames.iter().map(frame).collect();
            let after = if body["loop"] == json!(true) { AfterLast::Repeat } else { AfterLast::Stay };
            let pose = Keyframes::new(&frames, after).unwrap().pose_at(time);
            (pose.position(), pose.rotation())
        }
        None => {
            let angular = three(&body["angular"]);
            let rate = angular.length();
            let axis = if rate > 0.0 { angular / rate } else { DVec3::X };
            let turned = rotation_about(axis, rate * time);
            (three(&body["position"]) + three(&body["linear"]) * time, turned * turn(&body["rotation"]))
        }
    };
    json!({"position": position.to_array(), "rotation": rotation.to_array()})
}

#[test]
fn a_ball_is_never_inside_a_body_with_keyframes() {
    let half = 0.5;
    for seed in 0..20 {
        let mut random = Random::scattered(seed);
        let mut number = |low: f64, high: f64| random.between(low, high);
        let frames: Vec<Value> = (0..4)
            .map(|i| {
                let rotation = [0.0, 0.0, number(-1.0, 1.0), number(-1.0, 1.0)];
                json!({"time": 0.5 * f64::from(i), "position": [number(-1.0, 1.0), number(-1.0, 1.0)], "rotation": rotation})
            })
            .collect();
        let mut frames = frames;
        let first = frames[0].clone();
        frames.push(json!({"time": 2, "position": first["position"], "rotation": first["rotation"]}));
        let scene = json!({"until": 8, "bodies": [{"name": "door", "box": {"half_extents": [half, half, half]}, "keyframes": frames, "loop": true}],
            "balls": [{"position": [3, 0], "velocity": [-1, 0.25], "radius": 0.25, "mass": 1}, {"position": [-3, 1], "velocity": [1, 0], "radius": 0.125, "mass": 1}],
            "walls": [{"segment": [[-4, -4], [4, -4]]}, {"segment": [[4, -4], [4, 4]]}, {"segment": [[4, 4], [-4, 4]]}, {"segment": [[-4, 4], [-4, -4]]}]});
        let (events, _) = played(&scene);
        assert!(events.iter().all(|event| event["kind"] != "crushed"), "{scene}");
        // The run is the same up to any time at which it ends: looked at where no event is near.
        for k in 1..16 {
            let time = 0.5 * f64::from(k) + 0.123;
            let mut part = scene.clone();
            part["until"] = json!(time);
            let (_, summary) = played(&part);
            let pose = &summary["bodies"][0];
            let [qz, qw] = [2, 3].map(|i| pose["rotation"][i].as_f64().unwrap());
            let (sine, cosine) = (2.0 * qz * qw, qw * qw - qz * qz);
            for (ball, radius) in summary["balls"].as_array().unwrap().iter().zip([0.25, 0.125]) {
                let [x, y] = [0, 1]
                    .map(|i| ball["position"][i].as_f64().unwrap() - pose["position"][i].as_f64().unwrap());
                let (x, y) = ((x * cosine + y * sine).abs(), (y * cosine - x * sine).abs());
                let away = DVec2::new((x - half).max(0.0), (y - half).max(0.0)).length();
                assert!(away >= radius * (1.0 - 1e-9), "{time}: {away} {scene}");
            }
        }
    }
}

#[test]
fn numbers_beyond_sense_are_refused_or_end_soon() {
    let spinning = |angular: f64| {
        json!({"until": 1, "dimensions": 3, "bodies": [{"name": "top", "box": {"half_extents": [1, 1, 1]}, "angular": [0, 0, angular]}],
        "balls": [{"position": [9, 0, 0], "velocity": [1e9, 0, 0], "radius": 0.5, "mass": 1}]})
    };
    assert_refused(&pool(&spinning(1e300)), &["\"top\"", "angular", "100,000 times"]);
    assert_eq!(pool(&spinning(1e5)).code, 0);
    let mut falling = spinning(1.0);
    falling["gravity"] = json!([1e300, 0, 0]);
    assert_eq!(pool(&falling).code, 0);
}

#[test]
fn a_body_that_makes_no_sense_is_refused_by_name() {
    let files = Files::new();
    for (body, said) in [
        (json!({"name": "lift", "position": [0, 0]}), "exactly one of file, mesh, hull"),
        (json!({"name": "lift", "box": {"half_extents": [1, 0, 1]}}), "lift"),
        (json!({"name": "lift", "box": {"half_extents": [1, 1, 1]}, "color": "red"}), "color"),
        (json!({"name": "lift", "sphere": {"radius": 1}, "loop": true}), "loop"),
        (
            json!({"name": "lift", "sphere": {"radius": 1}, "position": [0, 0],
                   "keyframes": [{"time": 0, "position": [0, 0]}]}),
            "keyframes exclude position",
        ),
        (
            json!({"name": "lift", "pieces": [{"sphere": {"radius": 1}}, {"cone": {"radius": 1, "half_height": 1}}]}),
            "piece 1: balls do not meet the cone",
        ),
        (
            json!({"name": "lift", "sphere": {"radius": 1}, "keyframes": [{"time": 0, "position": [0]}]}),
            "keyframes[0].position",
        ),
        (
            json!({"name": "lift", "sphere": {"radius": 1}, "loop": true,
                   "keyframes": [{"time": 0, "position": [0, 0]}, {"time": 1e-9, "position": [0, 0]}]}),
            "loop: keyframes of",
        ),
    ] {
        let scene = files.write("scene.json", &json!({"bodies": [body]}).to_string());
        assert_refused(&run(&["pool", &scene]), &["\"lift\"", said]);
    }
    let twice =
        json!({"bodies": [{"name": "a", "sphere": {"radius": 1}}, {"name": "a", "sphere": {"radius": 1}}]});
    assert_refused(&pool(&twice), &["body 1", "\"a\"", "rename"]);
    for text in [
        "[]",
        "7",
        "null",
        r#"{"walls":[[]]}"#,
        r#"{"balls":[3]}"#,
        r#"{"bodies":[["a"]]}"#,
        r#"{"pockets":[[[0,0],1]]}"#,
    ] {
        let said = run(&["pool", &files.write("scene.json", text)]);
        assert_refused(&said, &["scene.json", "wanted an object"]);
        assert!(!said.err.contains("struct") && !said.err.contains("Spec"), "{}", said.err);
    }
    assert_eq!(run(&["pool", &files.write("scene.json", "\u{FEFF}{}\r\n")]).code, 0);
}
