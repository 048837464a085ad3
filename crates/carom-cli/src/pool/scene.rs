//! Scene files of `carom pool`: the JSON keys. `setup` interprets them.

use std::fmt;
use std::path::PathBuf;

use crate::query::{CapsuleSpec, CuboidSpec, SphereSpec, unturned};
use crate::walk::scene::{self as walk, MeshSpec, UpSpec};
use crate::walk::terrain::{HeightFieldSpec, HullSpec};
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

/// A whole scene file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SceneSpec {
    #[serde(default = "two")]
    pub(crate) dimensions: u64,
    #[serde(default)]
    pub(crate) gravity: Vector,
    #[serde(default = "ten_seconds")]
    pub(crate) until: f64,
    #[serde(default = "a_million")]
    pub(crate) max_events: u64,
    #[serde(default = "all")]
    pub(crate) restitution: f64,
    pub(crate) friction: Option<FrictionSpec>,
    #[serde(default)]
    pub(crate) periodic: Vector,
    #[serde(default)]
    pub(crate) walls: Vec<WallSpec>,
    #[serde(default)]
    pub(crate) pockets: Vec<PocketSpec>,
    #[serde(default)]
    pub(crate) balls: Vec<BallSpec>,
    #[serde(default)]
    pub(crate) bodies: Vec<BodySpec>,
}

/// A body: exactly one of `file`, `mesh`, `hull`, `heightfield`, `box`, `sphere`, `capsule` and `pieces`, as
/// in a scene of `carom walk`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BodySpec {
    pub(crate) name: Option<String>,
    pub(crate) file: Option<PathBuf>,
    pub(crate) separate: Option<bool>,
    pub(crate) mesh: Option<MeshSpec>,
    pub(crate) hull: Option<HullSpec>,
    pub(crate) heightfield: Option<HeightFieldSpec>,
    #[serde(rename = "box")]
    pub(crate) cuboid: Option<CuboidSpec>,
    pub(crate) sphere: Option<SphereSpec>,
    pub(crate) capsule: Option<CapsuleSpec>,
    pub(crate) pieces: Option<Vec<walk::BodySpec>>,
    pub(crate) up: Option<UpSpec>,
    pub(crate) scale: Option<walk::ScaleSpec>,
    pub(crate) position: Option<Vector>,
    pub(crate) rotation: Option<[f64; 4]>,
    pub(crate) linear: Option<Vector>,
    pub(crate) angular: Option<[f64; 3]>,
    pub(crate) keyframes: Option<Vec<KeyframeSpec>>,
    #[serde(rename = "loop")]
    pub(crate) repeat: Option<bool>,
}

/// Where a body is at a time.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeyframeSpec {
    pub(crate) time: f64,
    pub(crate) position: Vector,
    #[serde(default = "unturned")]
    pub(crate) rotation: [f64; 4],
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FrictionSpec {
    #[serde(default)]
    pub(crate) sliding: f64,
    #[serde(default)]
    pub(crate) rolling: f64,
}

/// A wall: exactly one of the four.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WallSpec {
    pub(crate) segment: Option<[Vector; 2]>,
    pub(crate) plane: Option<PlaneSpec>,
    pub(crate) arc: Option<ArcSpec>,
    pub(crate) mesh: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlaneSpec {
    pub(crate) point: Vector,
    pub(crate) normal: Vector,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ArcSpec {
    pub(crate) center: Vector,
    pub(crate) radius: f64,
    pub(crate) from_degrees: f64,
    pub(crate) to_degrees: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PocketSpec {
    pub(crate) position: Vector,
    pub(crate) radius: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BallSpec {
    pub(crate) position: Vector,
    #[serde(default)]
    pub(crate) velocity: Vector,
    pub(crate) radius: f64,
    pub(crate) mass: f64,
}

/// Three numbers, or two: z may be left out in two dimensions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vector {
    pub(crate) numbers: [f64; 3],
    pub(crate) is_flat: bool,
}

impl Default for Vector {
    fn default() -> Self {
        Self { numbers: [0.0; 3], is_flat: false }
    }
}

impl<'de> Deserialize<'de> for Vector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(VectorVisitor)
    }
}

struct VectorVisitor;

impl<'de> Visitor<'de> for VectorVisitor {
    type Value = Vector;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "three numbers [x, y, z], or two in two dimensions")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vector, A::Error> {
        let mut vector = Vector::default();
        let mut count = 0;
        while let Some(number) = list.next_element::<f64>()? {
            if count == 3 {
                return Err(A::Error::invalid_length(4, &self));
            }
            vector.numbers[count] = number;
            count += 1;
        }
        if count < 2 {
            return Err(A::Error::invalid_length(count, &self));
        }
        vector.is_flat = count == 2;
        Ok(vector)
    }
}

fn two() -> u64 {
    2
}

fn ten_seconds() -> f64 {
    10.0
}

fn a_million() -> u64 {
    1_000_000
}

fn all() -> f64 {
    1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn refusal(text: &str) -> String {
        json::read::<SceneSpec>(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn an_unknown_key_is_named_with_its_place() {
        let error = refusal(r#"{"balls":[{"position":[0,0],"radius":1,"mass":1,"color":"red"}]}"#);
        for part in ["balls[0]", "unknown field `color`", "line 1"] {
            assert!(error.contains(part), "{error}");
        }
        assert!(refusal(r#"{"ball":[]}"#).contains("unknown field `ball`"));
    }

    #[test]
    fn a_vector_is_of_two_or_three_numbers() {
        let spec: SceneSpec = json::read(br#"{"gravity":[0,-1],"periodic":[2,1,0]}"#).unwrap();
        assert!(spec.gravity.is_flat && spec.gravity.numbers == [0.0, -1.0, 0.0]);
        assert!(!spec.periodic.is_flat);
        assert!(refusal(r#"{"gravity":[1]}"#).contains("gravity"));
        assert!(refusal(r#"{"gravity":[1,2,3,4]}"#).contains("gravity"));
        assert!(refusal(r#"{"gravity":[1,"x"]}"#).contains("gravity[1]"));
    }

    #[test]
    fn a_number_beyond_the_range_and_what_follows_are_refused() {
        assert!(refusal(r#"{"until":1e999}"#).contains("out of range"));
        assert!(refusal("{} {}").contains("more text"));
    }
}
