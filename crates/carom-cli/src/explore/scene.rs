//! A scene as a level: bodies at rest as triangles, moving ones as they are.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use carom::mesh::MeshData;
use carom::world::{Collider, HalfSpace, Pose};
use carom_explore::{Level, Moving, Volumes, collider_triangles};
use carom_formats::{LoadOptions, Volume};
use glam::DVec3;
use serde_json::Value;

use super::constant_motion::ConstantMotion;
use super::moving;
use crate::json;
use crate::volume::volumes;
use crate::walk::bodies::{self, Built, Source};
use crate::walk::layers::LayerNames;
use crate::walk::motion::BodyMotion;
use crate::walk::scene::SceneSpec;

/// How far the floor of a plane extends beyond everything else, in meters.
const BEYOND: f64 = 20.0;

/// The level in a scene.
pub(crate) struct Staged {
    pub(crate) level: Level,
    /// Where its characters start.
    pub(crate) spawns: Vec<DVec3>,
    /// Its own gravity, if it has one.
    pub(crate) gravity: Option<DVec3>,
    /// Treated as at rest: bodies that only pushes move, and planes.
    pub(crate) frozen: Vec<String>,
}

/// Whether a path is that of a scene.
pub(crate) fn is_scene(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Reads a scene.
pub(crate) fn load(path: &Path, name: &str, more: &[Volume]) -> Result<Staged> {
    let context = || format!("cannot explore the scene {}", path.display());
    let text = std::fs::read(path).with_context(context)?;
    let spec: SceneSpec = json::read(&text).with_context(context)?;
    let raw: Value = json::read(&text).with_context(context)?;
    let named = NamedFile { path, name };
    staged(&spec, &raw["bodies"], named, more).with_context(context)
}

/// A scene file, and its name in reports.
#[derive(Clone, Copy)]
struct NamedFile<'a> {
    path: &'a Path,
    name: &'a str,
}

fn staged(spec: &SceneSpec, raw: &Value, file: NamedFile<'_>, more: &[Volume]) -> Result<Staged> {
    let NamedFile { path, name } = file;
    let up = DVec3::from_array(spec.up);
    ensure!(up.x == 0.0 && up.z == 0.0 && up.y > 0.0, "up must be along y: levels are explored with y up");
    let gravity = spec.gravity.map(DVec3::from_array);
    ensure!(
        gravity.is_none_or(|g| g.x == 0.0 && g.z == 0.0 && g.y < 0.0 && g.is_finite()),
        "gravity must point down along y for a body that walks"
    );
    let source = Source { folder: path.parent().unwrap_or(Path::new("")), patches: LoadOptions::default() };
    let mut layers = LayerNames::default();
    let (mut corners, mut planes): (Vec<DVec3>, Vec<(HalfSpace, Pose)>) = (Vec::new(), Vec::new());
    let (mut movers, mut driven, mut frozen) = (Vec::new(), Vec::new(), Vec::new());
    for (index, body) in spec.bodies.iter().enumerate() {
        let named = body.name.clone().unwrap_or_else(|| format!("body {index}"));
        let built = bodies::build_all(body, &named, &source, &mut layers);
        for Built { name, body: solid, motion } in built.with_context(|| format!("body {named:?}"))? {
            if solid.is_sensor() {
                continue;
            }
            let is_plane = matches!(solid.collider(), Collider::HalfSpace(_));
            if is_plane && (motion.is_some() || body.surface_velocity.is_some()) {
                frozen.push(name.clone());
            }
            let plan = match motion {
                _ if is_plane => None,
                Some(BodyMotion::Planned { plan, .. }) => Some(plan),
                Some(BodyMotion::Driven { linear, angular }) => {
                    driven.push((name, solid, [linear, angular], &raw[index]));
                    continue;
                }
                Some(BodyMotion::Pushed { .. }) => {
                    frozen.push(name.clone());
                    None
                }
                None => None,
            };
            if plan.is_some() || body.surface_velocity.is_some() && !is_plane {
                movers.push(if body.separate == Some(true) {
                    moving::of_node(&name, &solid, plan.as_ref(), &raw[index])?
                } else {
                    let scene = own(&raw[index], &name, source.folder)?;
                    Moving { name, body: solid, plan, scene }
                });
                continue;
            }
            let pose = *solid.pose();
            match solid.collider() {
                Collider::HalfSpace(plane) => planes.push((*plane, pose)),
                collider => {
                    let own = collider_triangles(collider).into_iter().flatten();
                    corners.extend(own.map(|corner| place(&pose, corner)));
                }
            }
        }
    }
    let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    let mut bounds = corners.iter().fold(none, |[low, high], p| [low.min(*p), high.max(*p)]);
    for moved in movers.iter().filter_map(|moving: &Moving| moving.body.bounds()) {
        bounds = [bounds[0].min(moved.min()), bounds[1].max(moved.max())];
    }
    let starts = spec.characters.iter().map(|character| DVec3::from_array(character.position));
    let spawns: Vec<DVec3> = starts.collect();
    for moved in driven.iter().filter_map(|(_, body, ..)| body.bounds()) {
        bounds = [bounds[0].min(moved.min()), bounds[1].max(moved.max())];
    }
    let room = spawns.iter().fold(bounds, |[low, high], p| [low.min(*p), high.max(*p)]);
    for (name, body, speeds, raw) in driven {
        let motion = ConstantMotion::of(&body, speeds, room);
        let mut scene = own(raw, &name, source.folder)?;
        motion.replace_speeds(&mut scene);
        movers.push(Moving { name, body, plan: Some(motion.plan()?), scene });
    }
    for (plane, pose) in &planes {
        corners.extend(square(plane, pose, bounds));
    }
    let vertices = corners.iter().map(|p| p.to_array().map(|x| x as f32)).collect();
    let triangles = (0..corners.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let data = MeshData { vertices, triangles, ..MeshData::default() };
    let mut level = Level::new(name, data)?.with_moving(movers)?;
    let mut all = volumes(&spec.volumes)?;
    all.extend(more.iter().cloned());
    level.volumes = Volumes::new(all);
    Ok(Staged { level, spawns, gravity, frozen })
}

fn place(pose: &Pose, p: DVec3) -> DVec3 {
    pose.position() + pose.rotation() * (p * pose.scale())
}

/// A body for a scene in another folder: with its name, and the full path of its file.
fn own(raw: &Value, name: &str, folder: &Path) -> Result<Value> {
    let mut own = raw.clone();
    // So is the copy of what is at rest.
    own["name"] = if name == "level" { "level, moving".into() } else { name.into() };
    if let Some(file) = own["file"].as_str() {
        let whole = std::path::absolute(folder.join(file))?;
        own["file"] = whole.to_str().context("the path of its file is not Unicode")?.into();
    }
    if own["file"].is_null()
        && let Some(object) = own.as_object_mut()
    {
        object.remove("file");
    }
    Ok(own)
}

/// Two triangles of a plane, under everything else and a little beyond.
fn square(plane: &HalfSpace, pose: &Pose, bounds: [DVec3; 2]) -> Vec<DVec3> {
    let is_empty = !bounds[0].cmple(bounds[1]).all();
    let [low, high] = if is_empty { [DVec3::ZERO; 2] } else { bounds };
    let normal = pose.rotation() * plane.plane().normal();
    let origin = pose.position() + normal * (plane.plane().distance() * pose.scale());
    let middle = 0.5 * (low + high);
    let middle = middle - normal * (middle - origin).dot(normal);
    let side = 0.5 * (high - low).length() + BEYOND;
    let (u, v) = normal.any_orthonormal_pair();
    let corner = |a: f64, b: f64| middle + (u * a + v * b) * side;
    let [a, b, c, d] = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    vec![a, b, c, a, c, d]
}
