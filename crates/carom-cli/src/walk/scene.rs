//! Scene files: the JSON keys. `setup` interprets them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use glam::DVec3;
use serde::Deserialize;

use super::terrain::{HeightFieldSpec, HullSpec, PlaneSpec};
use crate::query::{CapsuleSpec, CuboidSpec, EllipsoidSpec, RevolvedSpec, ShapeSpec, SphereSpec, unturned};
use crate::volume::VolumeSpec;

/// A whole scene file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SceneSpec {
    #[serde(default = "y_up")]
    pub(crate) up: [f64; 3],
    /// Default: 9.81 m/s² against `up`.
    pub(crate) gravity: Option<[f64; 3]>,
    #[serde(default = "sixtieth")]
    pub(crate) dt: f64,
    #[serde(default = "five_seconds")]
    pub(crate) ticks: u64,
    /// Moving bodies begin as they are at the end of this tick: for a scene that begins in the middle of
    /// another.
    #[serde(default)]
    pub(crate) start_tick: u32,
    #[serde(default)]
    pub(crate) bodies: Vec<BodySpec>,
    /// Parts of space that kill, teleport, push, or are climbed and swum in.
    #[serde(default)]
    pub(crate) volumes: Vec<VolumeSpec>,
    /// How fast characters climb and swim in volumes, in m/s.
    #[serde(default = "walking_speed")]
    pub(crate) swim_speed: f64,
    #[serde(default)]
    pub(crate) characters: Vec<CharacterSpec>,
}

/// A body: exactly one of `file`, `mesh`, `patch`, `hull`, `heightfield`, `plane`, `box`, `sphere`,
/// `ellipsoid`, `capsule`, `cylinder`, `cone` and `pieces`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BodySpec {
    pub(crate) name: Option<String>,
    pub(crate) file: Option<PathBuf>,
    /// The hash of the file's triangles, as carom explore writes it: another level is refused.
    pub(crate) hash: Option<String>,
    /// Names of parts of the file that are left out.
    #[serde(default)]
    pub(crate) without: Vec<String>,
    /// Whether nodes that animations move are left out.
    #[serde(default)]
    pub(crate) without_animated: bool,
    /// If the file is a copy of triangles: how the original file is read, if `--level` names it.
    pub(crate) original: Option<OriginalSpec>,
    pub(crate) separate: Option<bool>,
    pub(crate) mesh: Option<MeshSpec>,
    pub(crate) patch: Option<PatchSpec>,
    #[serde(rename = "box")]
    pub(crate) cuboid: Option<CuboidSpec>,
    pub(crate) sphere: Option<SphereSpec>,
    pub(crate) ellipsoid: Option<EllipsoidSpec>,
    pub(crate) capsule: Option<CapsuleSpec>,
    pub(crate) cylinder: Option<RevolvedSpec>,
    pub(crate) cone: Option<RevolvedSpec>,
    pub(crate) hull: Option<HullSpec>,
    pub(crate) heightfield: Option<HeightFieldSpec>,
    pub(crate) plane: Option<PlaneSpec>,
    /// Bodies that have only what they are made of and where they are.
    pub(crate) pieces: Option<Vec<BodySpec>>,
    pub(crate) up: Option<UpSpec>,
    pub(crate) scale: Option<ScaleSpec>,
    pub(crate) position: Option<[f64; 3]>,
    pub(crate) rotation: Option<[f64; 4]>,
    pub(crate) friction: Option<f64>,
    pub(crate) restitution: Option<f64>,
    pub(crate) one_sided: Option<bool>,
    pub(crate) layer: Option<String>,
    /// Stops nothing, and reports what enters and leaves it.
    pub(crate) sensor: Option<bool>,
    pub(crate) linear: Option<[f64; 3]>,
    pub(crate) angular: Option<[f64; 3]>,
    pub(crate) keyframes: Option<Vec<KeyframeSpec>>,
    #[serde(rename = "loop")]
    pub(crate) repeat: Option<bool>,
    pub(crate) surface_velocity: Option<[f64; 3]>,
    pub(crate) dynamic: Option<bool>,
    pub(crate) mass: Option<f64>,
}

impl BodySpec {
    /// The files of this body and of its pieces, as the scene names them.
    fn files(&self) -> Vec<&Path> {
        let heights = self.heightfield.as_ref().and_then(|field| field.file.as_ref());
        let own = self.file.iter().chain(heights).map(PathBuf::as_path);
        own.chain(self.pieces.iter().flatten().flat_map(Self::files)).collect()
    }
}

/// The reading of the original file of a copy.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OriginalSpec {
    pub(crate) up: UpSpec,
    pub(crate) scale: f64,
    pub(crate) without: Vec<String>,
    pub(crate) without_animated: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MeshSpec {
    pub(crate) vertices: Vec<[f64; 3]>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// A net of curved patches: rows of control points.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PatchSpec {
    #[serde(default = "quadratic")]
    pub(crate) degree: usize,
    pub(crate) width: usize,
    pub(crate) points: Vec<[f64; 3]>,
}

fn quadratic() -> usize {
    2
}

/// The scale of its own numbers.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged, expecting = "scale must be a number or three")]
pub(crate) enum ScaleSpec {
    Same(f64),
    /// Along x, y and z of the body, y up.
    Each([f64; 3]),
}

impl ScaleSpec {
    /// That of all axes, if they have the same.
    pub(crate) fn same(self) -> f64 {
        match self {
            Self::Same(scale) => scale,
            Self::Each(_) => 1.0,
        }
    }

    /// Those of the axes, if each has its own.
    pub(crate) fn each(self) -> Option<DVec3> {
        match self {
            Self::Same(_) => None,
            Self::Each(scale) => Some(DVec3::from_array(scale)),
        }
    }
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum UpSpec {
    Y,
    Z,
}

/// Where a body is at a time.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeyframeSpec {
    pub(crate) time: f64,
    pub(crate) position: [f64; 3],
    #[serde(default = "unturned")]
    pub(crate) rotation: [f64; 4],
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CharacterSpec {
    pub(crate) name: Option<String>,
    #[serde(default)]
    pub(crate) rule: Rule,
    pub(crate) shape: ShapeSpec,
    pub(crate) position: [f64; 3],
    #[serde(default)]
    pub(crate) velocity: [f64; 3],
    #[serde(default)]
    pub(crate) settings: SettingsSpec,
    #[serde(default)]
    pub(crate) input: Vec<InputSpec>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Rule {
    #[default]
    Character,
    Slide,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SettingsSpec {
    pub(crate) skin: Option<f64>,
    pub(crate) step_height: Option<f64>,
    pub(crate) max_slope_degrees: Option<f64>,
    pub(crate) snap_distance: Option<f64>,
    pub(crate) air_control: Option<f64>,
    pub(crate) air_steps: Option<bool>,
    pub(crate) inherit_platform_velocity: Option<bool>,
    pub(crate) riders: Option<RidersSpec>,
    pub(crate) gravity_pass: Option<GravityPassSpec>,
    pub(crate) push_force: Option<f64>,
    pub(crate) escape_speed: Option<f64>,
    pub(crate) collides_with: Option<Vec<String>>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RidersSpec {
    Carry,
    LeaveBehind,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum GravityPassSpec {
    Combined,
    Separate,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InputSpec {
    pub(crate) from: f64,
    pub(crate) until: f64,
    #[serde(rename = "move")]
    pub(crate) desired_velocity: Option<[f64; 3]>,
    pub(crate) jump: Option<f64>,
}

impl SceneSpec {
    /// The files that bodies are read from, as the scene names them.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.bodies.iter().flat_map(BodySpec::files)
    }

    /// Puts a file in the place of that of the body called "level".
    pub(crate) fn replace_level(&mut self, level: &Path) -> Result<()> {
        let body = self.bodies.iter_mut().find(|body| body.name.as_deref() == Some("level"));
        let body = body.filter(|body| body.file.is_some());
        let body = body.context("--level: the scene has no body called \"level\" with a file")?;
        // As the shell means it, not relative to the scene.
        body.file = Some(std::path::absolute(level)?);
        if let Some(OriginalSpec { up, scale, without, without_animated }) = body.original.take() {
            (body.up, body.scale) = (Some(up), Some(ScaleSpec::Same(scale)));
            (body.without, body.without_animated) = (without, without_animated);
        }
        Ok(())
    }
}

fn walking_speed() -> f64 {
    5.0
}

fn y_up() -> [f64; 3] {
    [0.0, 1.0, 0.0]
}

fn sixtieth() -> f64 {
    1.0 / 60.0
}

fn five_seconds() -> u64 {
    300
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn refusal(text: &str) -> String {
        json::read::<SceneSpec>(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn an_unknown_key_is_named_with_its_owner_and_its_place() {
        let error = refusal(r#"{"bodies":[{"name":"floor","sphere":{"radius":1},"color":"red"}]}"#);
        for part in ["body \"floor\"", "bodies[0]", "unknown field `color`", "line 1"] {
            assert!(error.contains(part), "{error}");
        }
        let error = refusal(
            r#"{"characters":[{"name":"hero","shape":{"sphere":{"radius":1,"x":2}},"position":[0,0,0]}]}"#,
        );
        assert!(error.contains("character \"hero\"") && error.contains("unknown field `x`"), "{error}");
        assert!(refusal(r#"{"tick":3}"#).contains("unknown field `tick`"));
    }

    #[test]
    fn a_number_beyond_the_range_is_refused_by_name() {
        let error = refusal(r#"{"bodies":[{"name":"ball","sphere":{"radius":1e999}}]}"#);
        assert!(error.contains("body \"ball\"") && error.contains("out of range"), "{error}");
    }
}
