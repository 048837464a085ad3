//! Scene files and what comes of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use carom::num::ops;
use glam::DVec3;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::frame::{Frame, list, vector};
use crate::stage::Stage;

/// A character at the end of a tick, in the frame that its scene is written in.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) position: DVec3,
    pub(crate) velocity: DVec3,
    pub(crate) yaw: f64,
    pub(crate) grounded: bool,
    pub(crate) crushed_by: Vec<String>,
    /// Of what is touched.
    pub(crate) normals: Vec<DVec3>,
}

/// A scene in one frame with one shape, and its run.
pub(crate) struct Play {
    /// Which scene, frame and shape: for messages.
    pub(crate) label: String,
    pub(crate) frame: Frame,
    pub(crate) shape: Shape,
    /// The scene as it was run, in its frame.
    pub(crate) scene: Value,
    /// Tick by tick, character by character.
    pub(crate) ticks: Vec<Vec<State>>,
}

/// The rule of the characters in a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// As the file says.
    Given,
    /// Ellipsoids of the same extents.
    Ellipsoid,
}

/// Where the scene and query files are.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../carom-scenes/scenes")
}

/// A scene file.
pub(crate) fn scene(name: &str) -> Value {
    let path = folder().join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The scene with ellipsoids of the same extents for characters.
pub(crate) fn with_shape(scene: &Value, shape: Shape) -> Value {
    let mut scene = scene.clone();
    if shape == Shape::Ellipsoid {
        for character in list(&mut scene, "characters") {
            let half = half_extents(&character["shape"]);
            character["shape"] = json!({"ellipsoid": {"radii": half.to_array()}});
        }
    }
    scene
}

/// Half the extents of a round shape.
pub(crate) fn half_extents(shape: &Value) -> DVec3 {
    if let Some(capsule) = shape.get("capsule") {
        let radius = capsule["radius"].as_f64().unwrap();
        return DVec3::new(radius, radius + capsule["half_height"].as_f64().unwrap(), radius);
    }
    if let Some(sphere) = shape.get("sphere") {
        return DVec3::splat(sphere["radius"].as_f64().unwrap());
    }
    vector(&shape["ellipsoid"]["radii"])
}

/// How much the command says of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    Plain,
    /// With what is touched.
    Traced,
}

/// Runs a scene in every frame and with both shapes; says which of them fail.
pub(crate) fn in_all_variants(name: &str, scene: &Value, judge: impl Fn(&Play)) {
    in_all_variants_of((name, Detail::Plain), |_| scene.clone(), judge);
}

/// The same for a scene that is fitted to the shape, before it is carried into another frame.
pub(crate) fn in_all_variants_of(
    (name, detail): (&str, Detail),
    scene: impl Fn(Shape) -> Value,
    judge: impl Fn(&Play),
) {
    let mut failed = Vec::new();
    for shape in [Shape::Given, Shape::Ellipsoid] {
        for (frame_name, frame) in Frame::all() {
            let label = format!("{name}, {frame_name}, {shape:?}");
            let play = run((&label, detail), &with_shape(&scene(shape), shape), (frame, shape));
            if catch_unwind(AssertUnwindSafe(|| judge(&play))).is_err() {
                failed.push(label);
            }
        }
    }
    assert!(failed.is_empty(), "failed: {failed:#?}");
}

#[derive(Deserialize)]
struct TickLine {
    characters: Vec<CharacterLine>,
}

#[derive(Deserialize)]
struct CharacterLine {
    position: [f64; 3],
    velocity: [f64; 3],
    yaw: f64,
    grounded: bool,
    crushed_by: Vec<String>,
    #[serde(default)]
    trace: Vec<Note>,
}

/// Of the notes of a trace only the last is tested: how the tick ended.
#[derive(Deserialize)]
struct Note {
    #[serde(default)]
    touched: Vec<Touched>,
}

#[derive(Deserialize)]
struct Touched {
    normal: [f64; 3],
}

impl CharacterLine {
    fn state(self, frame: &Frame) -> State {
        let end = self.trace.last();
        let normal = |touched: &Touched| frame.vector_back(DVec3::from_array(touched.normal));
        State {
            position: frame.point_back(DVec3::from_array(self.position)),
            velocity: frame.vector_back(DVec3::from_array(self.velocity)),
            yaw: self.yaw * frame.handedness(),
            grounded: self.grounded,
            crushed_by: self.crushed_by,
            normals: end.into_iter().flat_map(|end| end.touched.iter().map(normal)).collect(),
        }
    }
}

/// Runs a scene in one frame.
pub(crate) fn run((label, detail): (&str, Detail), scene: &Value, (frame, shape): (Frame, Shape)) -> Play {
    let scene = frame.carry(scene);
    let mut file = tempfile::NamedTempFile::with_suffix(".json").unwrap();
    serde_json::to_writer(file.as_file_mut(), &scene).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.arg("walk").arg(file.path());
    if detail == Detail::Traced {
        command.arg("--trace");
    }
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{label}: {}", String::from_utf8_lossy(&output.stderr));
    let mut lines: Vec<&[u8]> = output.stdout.split(|byte| *byte == b'\n').collect();
    // After the ticks there are the summary and the end of its line.
    lines.truncate(lines.len() - 2);
    let ticks = lines
        .into_iter()
        .map(|line| {
            let tick: TickLine = serde_json::from_slice(line).unwrap();
            tick.characters.into_iter().map(|character| character.state(&frame)).collect()
        })
        .collect();
    Play { label: label.to_owned(), frame, shape, scene, ticks }
}

impl Play {
    /// The ticks of the only character.
    pub(crate) fn only(&self) -> impl DoubleEndedIterator<Item = &State> + ExactSizeIterator + Clone {
        self.ticks.iter().map(|states| &states[0])
    }

    pub(crate) fn last(&self) -> &State {
        &self.ticks[self.ticks.len() - 1][0]
    }

    pub(crate) fn dt(&self) -> f64 {
        self.scene["dt"].as_f64().unwrap_or(1.0 / 60.0)
    }

    /// Where a character starts, in the frame of the file.
    pub(crate) fn start(&self, character: usize) -> DVec3 {
        self.frame.point_back(vector(&self.scene["characters"][character]["position"]))
    }

    /// The only character's places, the first included.
    pub(crate) fn path(&self) -> Vec<DVec3> {
        std::iter::once(self.start(0)).chain(self.only().map(|state| state.position)).collect()
    }

    /// Half the extents of the only character with its skin.
    pub(crate) fn grown(&self) -> DVec3 {
        let half = half_extents(&self.scene["characters"][0]["shape"]);
        half + DVec3::splat(self.skin())
    }

    pub(crate) fn skin(&self) -> f64 {
        let character = &self.scene["characters"][0];
        let half = half_extents(&character["shape"]);
        character["settings"]["skin"].as_f64().unwrap_or((1e-3 * half.min_element()).max(1e-4))
    }

    /// How far from the axis of the upright character its surface is at a height above its feet: the whole
    /// radius for a capsule above its lower cap.
    pub(crate) fn reach_at(&self, height: f64) -> f64 {
        let grown = self.grown();
        let round = match self.shape {
            Shape::Given => grown.x,
            Shape::Ellipsoid => grown.y,
        };
        let below = ((round - height) / round).max(0.0);
        grown.x * ops::sqrt(1.0 - below * below)
    }

    /// No character is ever inside a body.
    pub(crate) fn assert_never_inside(&self) {
        let mut stage = Stage::new(&self.scene);
        for (tick, states) in self.ticks.iter().enumerate() {
            stage.advance_bodies_to(tick as u64 + 1);
            for (i, state) in states.iter().enumerate() {
                let depth = stage.depth(i, self.frame.point(state.position));
                // The error of the way back into the frame of the file.
                let rounding = 1e-11;
                assert!(
                    depth <= rounding,
                    "{}: {depth:e} inside in tick {} at {}",
                    self.label,
                    tick + 1,
                    state.position
                );
            }
        }
    }
}

/// How high above a point of a slope through it the center of an upright character is that touches the slope
/// with its skin.
pub(crate) fn height_over_slope(scene: &Value, shape: Shape, degrees: f64) -> f64 {
    let half = half_extents(&scene["characters"][0]["shape"]);
    let half = half + DVec3::splat((1e-3 * half.min_element()).max(1e-4));
    let (sin, cos) = ops::sin_cos(degrees.to_radians());
    match shape {
        Shape::Given => (half.y - half.x) + half.x / cos,
        Shape::Ellipsoid => ops::sqrt(half.x * half.x * sin * sin + half.y * half.y * cos * cos) / cos,
    }
}
