//! Bodies that the animations of files move. They are made from the very scene that their witnesses will
//! have, so both move alike, to the bit.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use carom::world::{AfterLast, Body, Keyframe, Keyframes};
use carom_explore::{Moving, collider_triangles};
use carom_formats::{LoadOptions, MovingPart};
use glam::DVec3;
use serde_json::{Value, json};

use crate::walk::bodies::{self, Source, Whole};
use crate::walk::layers::LayerNames;
use crate::walk::motion::BodyMotion;
use crate::walk::scene::BodySpec;

/// The keys of a body that say which file it is of and where that is.
const OF_FILES: [&str; 8] = ["file", "separate", "hash", "up", "scale", "position", "rotation", "loop"];

/// The moving parts of a level file, each with a name of its own.
pub(crate) fn of_parts(parts: &[MovingPart]) -> Result<Vec<Moving>> {
    // That of the rest.
    let mut taken = BTreeSet::from(["level".to_owned()]);
    let named = |part: &MovingPart| {
        let plain = if part.name.is_empty() { "moving" } else { &part.name };
        let numbered = (2..).map(|number| format!("{plain} {number}"));
        let free = [plain.to_owned()].into_iter().chain(numbered).find(|name| taken.insert(name.clone()));
        let mut scene = json!({
            "name": free.unwrap_or_default(),
            "mesh": { "vertices": part.vertices, "triangles": part.triangles },
        });
        follow(&mut scene, &part.keyframes);
        made(scene)
    };
    parts.iter().map(named).collect()
}

/// A node of a file of a scene: `raw` is the scene's entry for all of them.
pub(crate) fn of_node(name: &str, body: &Body, plan: Option<&Keyframes>, raw: &Value) -> Result<Moving> {
    let mut scene = raw.clone();
    if let Some(scene) = scene.as_object_mut() {
        for key in OF_FILES {
            scene.remove(key);
        }
    }
    scene["name"] = name.into();
    let corners = collider_triangles(body.collider());
    let triangles: Vec<[usize; 3]> = (0..corners.len()).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let vertices: Vec<[f64; 3]> = corners.iter().flatten().map(DVec3::to_array).collect();
    scene["mesh"] = json!({ "vertices": vertices, "triangles": triangles });
    let pose = body.pose();
    scene["scale"] = pose.scale().into();
    match plan {
        Some(plan) => follow(&mut scene, plan),
        None => {
            scene["position"] = json!(pose.position().to_array());
            scene["rotation"] = json!(pose.rotation().to_array());
        }
    }
    made(scene)
}

/// Makes a body of a scene follow a plan.
fn follow(scene: &mut Value, plan: &Keyframes) {
    let frame = |frame: Keyframe| {
        json!({
            "time": frame.time,
            "position": frame.position.to_array(),
            "rotation": frame.rotation.to_array(),
        })
    };
    scene["keyframes"] = plan.keyframes().map(frame).collect();
    scene["loop"] = (plan.after_last() == AfterLast::Repeat).into();
}

fn made(scene: Value) -> Result<Moving> {
    let spec: BodySpec = serde_json::from_value(scene.clone())?;
    let name = spec.name.clone().unwrap_or_default();
    let source = Source { folder: Path::new(""), patches: LoadOptions::default() };
    let built = bodies::build(&spec, &source, &mut LayerNames::default());
    let Whole { body, motion, .. } = built.with_context(|| format!("{name:?}, which moves"))?;
    let plan = match motion {
        Some(BodyMotion::Planned { plan, .. }) => Some(plan),
        _ => None,
    };
    Ok(Moving { name, body, plan, scene })
}
