//! Nodes under animations.

use carom::num::ops;
use carom::num::turn::slerp;
use glam::{DAffine3, DQuat};

use super::*;
use crate::level::MovingPart;

const PLAYED: LoadOptions = LoadOptions { animations: Animations::Played, ..OPTIONS };

/// A channel of a track: node, path, interpolation, times and values.
type Channel<'a> = (usize, &'a str, &'a str, &'a [f32], &'a [f32]);

impl Builder {
    fn numbers(&mut self, shape: &str, numbers: &[f32]) -> usize {
        let width = match shape {
            "SCALAR" => 1,
            "VEC3" => 3,
            _ => 4,
        };
        let data: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.accessor(&data, shape, 5126, numbers.len() / width)
    }

    fn animation(mut self, channels: &[Channel<'_>]) -> Self {
        let (mut entries, mut samplers) = (Vec::new(), Vec::new());
        for (node, path, interpolation, times, values) in channels {
            let input = self.numbers("SCALAR", times);
            let output = self.numbers(if *path == "rotation" { "VEC4" } else { "VEC3" }, values);
            entries.push(json!({"sampler": samplers.len(), "target": {"node": node, "path": path}}));
            samplers.push(json!({"input": input, "output": output, "interpolation": interpolation}));
        }
        if self.root.get("animations").is_none() {
            self.root["animations"] = json!([]);
        }
        self.push("animations", json!({"channels": entries, "samplers": samplers}));
        self
    }

    fn played(&self) -> Result<RawLevel, LoadError> {
        crate::parse(&self.json(), Format::Gltf, &PLAYED)
    }

    fn parts(&self) -> Vec<MovingPart> {
        self.played().unwrap().take_moving()
    }
}

/// Where a part has a vertex at a time.
fn shown(part: &MovingPart, vertex: usize, time: f64) -> DVec3 {
    let pose = part.keyframes.pose_at(time);
    pose.position() + pose.rotation() * DVec3::from_array(part.vertices[vertex].map(f64::from))
}

const UP: [f32; 6] = [0.0, 0.0, 0.0, 0.0, 4.0, 0.0];

#[test]
fn a_node_moves_straight_and_begins_again() {
    let parts = square().animation(&[(0, "translation", "LINEAR", &[1.0, 3.0], &UP)]).parts();
    let [part] = &parts[..] else { panic!("{parts:?}") };
    for (time, height) in [(0.0, 0.0), (1.0, 0.0), (1.5, 1.0), (3.0, 4.0), (3.5, 0.0), (5.0, 2.0)] {
        assert_eq!(shown(part, 1, time), DVec3::new(1.0, height, 0.0), "{time}");
    }
}

#[test]
fn a_step_waits_and_jumps() {
    let values = [0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 1.0, 0.0];
    let parts = square().animation(&[(0, "translation", "STEP", &[0.0, 1.0, 2.0], &values)]).parts();
    for (time, height) in [(0.0, 0.0), (0.999_999, 0.0), (1.0, 4.0), (1.5, 4.0), (2.0, 1.0), (2.5, 0.0)] {
        assert_eq!(shown(&parts[0], 0, time).y, height, "{time}");
    }
}

#[test]
fn a_spline_is_near_its_cubic() {
    // One piece of 2 s from 0 to 1 with the tangents 3 and −2 at its ends.
    let mut values = [0.0f32; 18];
    (values[7], values[10], values[13]) = (3.0, -2.0, 1.0);
    let parts = square().animation(&[(0, "translation", "CUBICSPLINE", &[0.0, 2.0], &values)]).parts();
    for i in 0..=1000 {
        let u = f64::from(i) / 1000.0;
        let (uu, uuu) = (u * u, u * u * u);
        let exact = (uuu - 2.0 * uu + u) * 6.0 + (3.0 * uu - 2.0 * uuu) + (uuu - uu) * -4.0;
        let found = shown(&parts[0], 0, 2.0 * u).y;
        // The span of its ends and tangents is 11.
        assert!((exact - found).abs() < 0.011, "{u}: {exact} {found}");
    }
}

#[test]
fn a_quarter_turn_takes_the_short_way_whatever_the_signs() {
    let half = 0.5f32.sqrt();
    for sign in [1.0, -1.0] {
        let values = [0.0, 0.0, 0.0, 1.0, 0.0, sign * half, 0.0, sign * half];
        let parts = square().animation(&[(0, "rotation", "LINEAR", &[0.0, 1.0], &values)]).parts();
        let middle = shown(&parts[0], 1, 0.5);
        let (sin, cos) = ops::sin_cos(std::f64::consts::FRAC_PI_4);
        assert!((middle - DVec3::new(cos, 0.0, -sin)).length() < 1e-7, "{middle}");
    }
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    /// From −1 to 1.
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 40) as f32 / (1u64 << 23) as f32) - 1.0
    }

    fn some<const N: usize>(&mut self) -> [f32; N] {
        std::array::from_fn(|_| self.next())
    }
}

/// A node's transform with numbers in place of its own, as the specification composes it.
fn local(node: &Value, translation: Option<DVec3>, rotation: Option<DQuat>) -> DAffine3 {
    let list = |key: &str| -> Option<Vec<f64>> {
        Some(node.get(key)?.as_array()?.iter().map(|x| x.as_f64().unwrap()).collect())
    };
    let translation = translation
        .unwrap_or_else(|| list("translation").map_or(DVec3::ZERO, |t| DVec3::new(t[0], t[1], t[2])));
    let rotation = rotation
        .unwrap_or_else(|| {
            list("rotation").map_or(DQuat::IDENTITY, |r| DQuat::from_xyzw(r[0], r[1], r[2], r[3]))
        })
        .normalize();
    let scale = list("scale").map_or(DVec3::ONE, |s| DVec3::new(s[0], s[1], s[2]));
    DAffine3::from_scale_rotation_translation(scale, rotation, translation)
}

#[test]
fn a_chain_of_nodes_is_where_the_specification_has_it() {
    let mut dice = Dice(7);
    for round in 0..400 {
        // still → moving → still → perhaps moving → mesh, with any scale below what moves last.
        let is_nested = round % 2 == 1;
        let mut nodes = Vec::new();
        for depth in 0..4 {
            let [translation, rotation] = [dice.some::<3>().to_vec(), dice.some::<4>().to_vec()];
            let last_moving = if is_nested { 2 } else { 1 };
            let size = 0.5 + dice.next().abs();
            let scale = if depth < last_moving {
                // A mirror above what moves.
                let mirror = if round % 3 == 0 && depth == 0 { -size } else { size };
                [mirror, size, size]
            } else {
                dice.some::<3>()
            };
            let mut node = json!({"translation": translation, "rotation": rotation, "scale": scale, "children": [depth + 1]});
            if depth == 3 {
                node["mesh"] = 0.into();
                node.as_object_mut().unwrap().remove("children");
            }
            nodes.push(node);
        }
        let moving: &[usize] = if is_nested { &[1, 2] } else { &[1] };
        let times = [0.25f32, 1.0, 2.0];
        let mut tracks = Vec::new();
        for node in moving {
            let (moves, mut turns) = (dice.some::<9>(), dice.some::<12>());
            for turn in turns.chunks_exact_mut(4) {
                turn[3] += 2.0 * turn[3].signum();
            }
            tracks.push((*node, moves, turns));
        }
        let mut builder = square().set("/nodes", nodes.clone());
        for (node, moves, turns) in &tracks {
            // Both at once, or one each.
            builder = builder.animation(&[
                (*node, "translation", "LINEAR", &times, moves),
                (*node, "rotation", "LINEAR", &times, turns),
            ]);
        }
        let (up, scale) = ([Up::Y, Up::Z][round / 2 % 2], 0.5);
        let options = LoadOptions { up: Some(up), scale: Some(scale), limits: Limits::default(), ..PLAYED };
        let mut level = crate::parse(&builder.json(), Format::Gltf, &options).unwrap();
        assert!(level.warnings.is_empty(), "{:?}", level.warnings);
        let parts = level.take_moving();
        let [part] = &parts[..] else { panic!("{parts:?}") };
        for i in 0..60 {
            let time = f64::from(i) / 29.0;
            let at = time.clamp(0.25, 2.0);
            let key = if at < 1.0 { 0 } else { 1 };
            let (from, until) = (f64::from(times[key]), f64::from(times[key + 1]));
            let share = (at - from) / (until - from);
            let mut whole = DAffine3::IDENTITY;
            for (index, node) in nodes.iter().enumerate() {
                let track = tracks.iter().find(|(of, ..)| *of == index);
                let moved = track.map(|(_, moves, _)| {
                    let of = |k: usize| DVec3::from_array(std::array::from_fn(|j| moves[3 * k + j].into()));
                    of(key) + (of(key + 1) - of(key)) * share
                });
                let turned = track.map(|(_, _, turns)| {
                    let of = |k: usize| DQuat::from_array(std::array::from_fn(|j| turns[4 * k + j].into()));
                    slerp(of(key).normalize(), of(key + 1).normalize(), share)
                });
                whole *= local(node, moved, turned);
            }
            for (vertex, own) in SQUARE.iter().enumerate() {
                let own = DVec3::from_array(own.map(f64::from));
                let expected = up.apply(whole.transform_point3(own)) * scale;
                let found = shown(part, vertex, if time > 2.0 { time - 2.0 } else { time });
                let most = if is_nested { 3e-3 } else { 1e-6 };
                assert!(
                    time > 2.0 || (expected - found).length() < most,
                    "round {round}, {time} s: {expected} {found}"
                );
            }
        }
    }
}

#[test]
fn motions_of_two_lengths_begin_again_with_the_longer() {
    let spin = [0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0];
    let parts = square()
        .set("/nodes", json!([{"children": [1]}, {"mesh": 0}]))
        .animation(&[(1, "rotation", "LINEAR", &[0.0, 1.0], &spin)])
        .animation(&[(0, "translation", "LINEAR", &[0.0, 2.5], &UP)])
        .parts();
    let [part] = &parts[..] else { panic!("{parts:?}") };
    assert_eq!(part.keyframes.seconds(), 2.5);
    for (time, turned) in [(0.25, 0.25), (0.75, 0.75), (1.25, 0.25), (2.25, 0.25), (2.75, 0.25)] {
        let (sin, cos) = ops::sin_cos(turned * std::f64::consts::PI);
        let height = 4.0 * (time % 2.5) / 2.5;
        let expected = DVec3::new(cos, height, -sin);
        let found = shown(part, 1, time);
        assert!((expected - found).length() < 1e-6, "{time}: {expected} {found}");
    }
}

#[test]
fn a_deep_chain_costs_what_its_turns_cost() {
    let depth = 20;
    let times: Vec<f32> = (0..30u8).map(f32::from).collect();
    let turns: Vec<f32> = (0..30u8).flat_map(|k| [0.0, 0.02 * f32::from(k), 0.0, 1.0]).collect();
    let mut nodes: Vec<Value> = (0..depth).map(|i| json!({"children": [i + 1]})).collect();
    nodes.push(json!({"mesh": 0}));
    let channels: Vec<Channel<'_>> =
        (0..depth).map(|node| (node, "rotation", "LINEAR", &times[..], &turns[..])).collect();
    let builder = square().set("/nodes", nodes).animation(&channels);
    let limits = Limits { keyframes: 20_000, depth: 30, ..Limits::default() };
    let mut level = crate::parse(&builder.json(), Format::Gltf, &LoadOptions { limits, ..PLAYED }).unwrap();
    assert!(level.motions.len() == depth && level.motions[depth - 1].keyframes.keyframes().len() < 1500);
    assert_eq!(level.take_moving().len(), 1);
}

#[test]
fn what_moves_is_taken_out_and_the_rest_keeps_its_order() {
    let nodes =
        json!([{"mesh": 0, "name": "floor"}, {"mesh": 0, "name": "lift"}, {"mesh": 0, "name": "wall"}]);
    let builder = square().set("/nodes", nodes).set("/scenes/0/nodes", json!([0, 1, 2])).animation(&[(
        1,
        "translation",
        "LINEAR",
        &[0.0, 1.0],
        &UP,
    )]);
    let whole = builder.played().unwrap();
    let bodies = whole.clone().into_bodies().unwrap();
    let moving: Vec<(&str, bool)> =
        bodies.iter().map(|body| (body.name.as_str(), body.motion.is_some())).collect();
    assert_eq!(moving, [("floor", false), ("lift", true), ("wall", false)]);
    let mut level = whole.clone();
    let parts = level.take_moving();
    assert_eq!((parts.len(), parts[0].name.as_str(), parts[0].triangles.len()), (1, "lift", 2));
    assert_eq!(parts[0].surfaces, ["lift"]);
    assert_eq!(level.triangles, [&whole.triangles[..2], &whole.triangles[4..]].concat());
    assert_eq!(level.surface_ids, [0, 0, 2, 2]);
    let names: Vec<(&str, std::ops::Range<usize>)> =
        level.nodes.iter().map(|node| (node.name.as_str(), node.triangles.clone())).collect();
    assert_eq!(names, [("floor", 0..2), ("wall", 2..4)]);
    assert!(level.take_moving().is_empty());
}

#[test]
fn what_never_moves_is_no_motion_and_is_where_the_animation_has_it() {
    let values = [0.0, 2.0, 0.0, 0.0, 2.0, 0.0];
    let size = [2.0f32; 6];
    let builder = square().animation(&[
        (0, "translation", "LINEAR", &[0.0, 1.0], &values),
        (0, "scale", "LINEAR", &[0.0, 1.0], &size),
    ]);
    let mut level = builder.played().unwrap();
    assert!(level.take_moving().is_empty() && level.warnings.is_empty());
    assert_eq!(level.vertices[2], [2.0, 4.0, 0.0]);
}

#[test]
fn what_is_left_out_is_said() {
    let lift: Channel<'_> = (0, "translation", "LINEAR", &[0.0, 1.0], &UP);
    let grown: Channel<'_> = (0, "scale", "LINEAR", &[0.0, 1.0], &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    let sheared = json!([{"children": [1], "scale": [1, 2, 1]}, {"mesh": 0}]);
    let inside: Channel<'_> = (1, "translation", "LINEAR", &[0.0, 1.0], &UP);
    for (builder, said, moving) in [
        (square().animation(&[lift, grown]), "animations[0].channels[1]: a scale that changes", 1),
        (
            square().animation(&[lift]).animation(&[lift]),
            "animations[1]: nodes[0]: a node that an earlier",
            1,
        ),
        (square().set("/nodes", sheared).animation(&[inside]), "nodes[1]: a motion within nodes that are", 0),
    ] {
        let mut level = builder.played().unwrap();
        assert_eq!(level.warnings.len(), 1, "{:?}", level.warnings);
        assert!(level.warnings[0].starts_with(said), "{:?}", level.warnings);
        assert_eq!(level.take_moving().len(), moving, "{said}");
    }
}

#[test]
fn faults_of_animations_are_refused_where_they_are_played_only() {
    let animated =
        |times: &[f32], values: &[f32]| square().animation(&[(0, "translation", "LINEAR", times, values)]);
    let good = || animated(&[0.0, 1.0], &UP);
    let turned = |values: &[f32]| square().animation(&[(0, "rotation", "LINEAR", &[0.0, 1.0], values)]);
    let lift: Channel<'_> = (0, "translation", "LINEAR", &[0.0, 1.0], &UP);
    let matrix = json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    let times = "finite times from 0 on, each later than the one before";
    let cubic = square().animation(&[(0, "translation", "CUBICSPLINE", &[0.0, 1.0], &UP)]);
    let many: Vec<f32> = (0..1200u16).map(f32::from).collect();
    for (builder, said) in [
        (animated(&[1.0, 0.5], &UP), times),
        (animated(&[1.0, 1.0], &UP), times),
        (animated(&[-1.0, 1.0], &UP), times),
        (animated(&[0.0, f32::NAN], &UP), times),
        (animated(&[0.0, f32::INFINITY], &UP), times),
        (animated(&[], &[]), "at least one time"),
        (animated(&[0.0, 1.0], &UP[..3]), "one value for each time, found `1 values, 2 times`"),
        (animated(&[0.0], &UP), "one value for each time"),
        (cubic, "three values for each time"),
        (animated(&[0.0, 1.0], &[0.0, 0.0, f32::NAN, 0.0, 0.0, 0.0]), "finite numbers"),
        (turned(&[0.0; 8]), "a quaternion that is not zero"),
        (square().animation(&[lift, lift]), "one channel for each node and path, found `channels[0] again`"),
        (good().set("/animations/0/channels/0/target/node", 9), "index 9 is out of range (nodes: 1)"),
        (good().set("/animations/0/channels/0/sampler", 3), "index 3 is out of range (samplers"),
        (good().set("/animations/0/samplers/0/input", 77), "index 77 is out of range (accessors"),
        (good().set("/animations/0/samplers/0/output", 0), "one value for each time"),
        (good().set("/animations/0/samplers/0/interpolation", "BEZIER"), "LINEAR, STEP or CUBICSPLINE"),
        (good().set("/animations/0/samplers", json!([5])), "JSON line 1"),
        (good().set("/nodes/0/matrix", matrix), "a matrix"),
        (animated(&many, &[]), "more than 1000 keyframes"),
    ] {
        let refused = builder.played().unwrap_err().to_string();
        assert!(refused.contains(said), "{refused}: {said}");
        assert_eq!(builder.level().triangles.len(), 2, "{said}");
    }
}

#[test]
fn skins_and_what_shows_nothing_are_not_played() {
    let broken: Channel<'_> = (1, "translation", "LINEAR", &[1.0, 0.0], &UP);
    // A bone without a mesh, whose animation is broken; and a mesh on a skin.
    let skinned = json!([{"mesh": 0, "skin": 0}, {}]);
    let lift: Channel<'_> = (0, "translation", "LINEAR", &[0.0, 1.0], &UP);
    for channel in [broken, lift] {
        let builder = square()
            .set("/nodes", skinned.clone())
            .set("/scenes/0/nodes", json!([0, 1]))
            .animation(&[channel]);
        let mut level = builder.played().unwrap();
        assert!(level.take_moving().is_empty() && level.warnings.is_empty(), "{:?}", level.warnings);
    }
    // Weights of morph targets, and what extensions animate.
    for target in [json!({"node": 0, "path": "weights"}), json!({"path": "pointer"})] {
        let builder = square()
            .animation(&[(0, "translation", "LINEAR", &[1.0, 0.0], &UP)])
            .set("/animations/0/channels/0/target", target);
        assert!(builder.parts().is_empty());
    }
}

#[test]
fn sparse_and_normalized_values_are_numbers() {
    let mut builder = square().animation(&[(0, "translation", "LINEAR", &[0.0, 1.0], &UP)]);
    let indices = builder.view(&[1], 0);
    let values =
        builder.view(&[0.0f32, 8.0, 0.0].iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>(), 0);
    let sparse = json!({"count": 1, "indices": {"bufferView": indices, "componentType": 5121},
        "values": {"bufferView": values}});
    let output = builder.root["accessors"].as_array().unwrap().len() - 1;
    let builder = builder.set(&format!("/accessors/{output}/sparse"), sparse);
    assert_eq!(shown(&builder.parts()[0], 0, 0.5).y, 4.0);

    let mut builder = square().animation(&[(
        0,
        "rotation",
        "LINEAR",
        &[0.0, 1.0],
        &[0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0],
    )]);
    let data: Vec<u8> = [0i16, 0, 0, 32767, 0, 32767, 0, 0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let short = builder.accessor(&data, "VEC4", 5122, 2);
    let builder = builder
        .set(&format!("/accessors/{short}/normalized"), true)
        .set("/animations/0/samplers/0/output", short);
    let half = shown(&builder.parts()[0], 1, 1.0);
    assert!((half - DVec3::NEG_X).length() < 1e-12, "{half}");
    let plain = builder.set(&format!("/accessors/{short}/normalized"), false);
    assert!(plain.played().unwrap_err().to_string().contains("normalized integers"));
}
