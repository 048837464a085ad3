//! The bodies of a scene: their shapes, poses and motions.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use carom::mesh::{Mesh, MeshData, Surface};
use carom::shape::{BezierPatch, PatchNet};
use carom::world::{AfterLast, Body, Collider, Compound, CompoundPiece, Keyframe, Keyframes, Pose};
use carom_formats::{Animations, LoadOptions, RawLevel, Up};
use glam::{DQuat, DVec3};

use super::layers::{DEFAULT_LAYER, LayerNames};
use super::motion::BodyMotion;
use super::scene::{BodySpec, KeyframeSpec, ScaleSpec, UpSpec};
use crate::parts::leave_out;
use crate::query::{CapsuleSpec, CuboidSpec, EllipsoidSpec, RevolvedSpec, SphereSpec};

/// A body of a scene.
pub(crate) struct Built {
    pub(crate) name: String,
    pub(crate) body: Body,
    pub(crate) motion: Option<BodyMotion>,
}

/// Where bodies come from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    /// Where paths of files start.
    pub(crate) folder: &'a Path,
    /// How curved patches of files are loaded.
    pub(crate) patches: LoadOptions,
}

/// The collider of a body.
struct Made {
    collider: Collider,
    /// The part that stays curved.
    patches: Vec<BezierPatch>,
}

impl From<Collider> for Made {
    fn from(collider: Collider) -> Self {
        Self { collider, patches: Vec::new() }
    }
}

/// Everything that one entry of a scene makes.
pub(crate) struct Whole {
    pub(crate) body: Body,
    /// The curved patches of its file, which move with it.
    pub(crate) curved: Option<Body>,
    pub(crate) motion: Option<BodyMotion>,
}

/// Builds what a scene has under one name: one body, another for its curved patches, or one for each node of
/// a file.
pub(crate) fn build_all(
    spec: &BodySpec,
    name: &str,
    source: &Source<'_>,
    layers: &mut LayerNames,
) -> Result<Vec<Built>> {
    if spec.separate != Some(true) {
        let Whole { body, curved, motion } = build(spec, source, layers)?;
        let named = |body| Built { name: name.to_owned(), body, motion: motion.clone() };
        return Ok([Some(body), curved].into_iter().flatten().map(named).collect());
    }
    check(spec)?;
    let Some(file) = &spec.file else { bail!("separate is for bodies of a file") };
    let others = [
        ("mesh", spec.mesh.is_some()),
        ("patch", spec.patch.is_some()),
        ("box", spec.cuboid.is_some()),
        ("sphere", spec.sphere.is_some()),
        ("ellipsoid", spec.ellipsoid.is_some()),
        ("capsule", spec.capsule.is_some()),
        ("cylinder", spec.cylinder.is_some()),
        ("cone", spec.cone.is_some()),
        ("hull", spec.hull.is_some()),
        ("heightfield", spec.heightfield.is_some()),
        ("plane", spec.plane.is_some()),
        ("pieces", spec.pieces.is_some()),
        ("linear", spec.linear.is_some()),
        ("angular", spec.angular.is_some()),
        ("keyframes", spec.keyframes.is_some()),
        ("dynamic", spec.dynamic == Some(true)),
    ];
    if let Some((key, _)) = others.iter().find(|(_, given)| *given) {
        bail!("separate excludes {key}: only animations move the nodes of a file");
    }
    let layer = layers.of(spec.layer.as_deref().unwrap_or(DEFAULT_LAYER))?;
    let mut whole = Pose::at(DVec3::from_array(spec.position.unwrap_or_default()))?;
    if let Some(rotation) = spec.rotation {
        whole = whole.with_rotation(DQuat::from_array(rotation))?;
    }
    let run = DVec3::from_array(spec.surface_velocity.unwrap_or_default());
    // Nodes are of glTF files, which have no patches.
    let options = LoadOptions { animations: Animations::Played, ..LoadOptions::default() };
    let level = load(file, &Source { patches: options, ..*source }, spec)?;
    for warning in &level.warnings {
        eprintln!("carom: warning: {}: {warning}", source.folder.join(file).display());
    }
    let parts = level.into_bodies_of(surface(spec))?;
    let mut taken: BTreeMap<String, u32> = BTreeMap::new();
    let built = parts.into_iter().map(|part| {
        let scale = part.body.pose().scale();
        let motion = part.motion.as_ref().map(|plan| moved(plan, &whole)).transpose()?;
        let pose = match &motion {
            Some(plan) => plan.pose_at(0.0),
            None => within(&whole, part.body.pose())?,
        };
        let pose = pose.with_scale(scale)?;
        let part_name = if part.name.is_empty() { name.to_owned() } else { format!("{name}/{}", part.name) };
        let earlier = taken.entry(part_name.clone()).or_insert(0);
        *earlier += 1;
        // Files may give one name to several nodes, but lines show only names.
        let name = if *earlier == 1 { part_name } else { format!("{part_name} {earlier}") };
        let body = sensing(part.body.with_surface_velocity(run)?.at(pose).on(layer), spec);
        Ok(Built { name, body, motion: motion.map(|plan| BodyMotion::Planned { plan, scale }) })
    });
    built.collect()
}

/// The pose in the scene of a node of a file that has a pose there; without the node's scale.
fn within(whole: &Pose, own: &Pose) -> Result<Pose> {
    let position = whole.position() + whole.rotation() * own.position();
    Ok(Pose::at(position)?.with_rotation(whole.rotation() * own.rotation())?)
}

/// The same of the plan of a node.
fn moved(plan: &Keyframes, whole: &Pose) -> Result<Keyframes> {
    let frame = |frame: Keyframe| {
        let own = Pose::at(frame.position)?.with_rotation(frame.rotation)?;
        let pose = within(whole, &own)?;
        anyhow::Ok(Keyframe { position: pose.position(), rotation: pose.rotation(), ..frame })
    };
    let frames: Vec<Keyframe> = plan.keyframes().map(frame).collect::<Result<_>>()?;
    Ok(Keyframes::new(&frames, plan.after_last())?)
}

/// Of all of a body.
fn surface(spec: &BodySpec) -> Surface {
    Surface {
        friction: spec.friction,
        restitution: spec.restitution.unwrap_or(0.0),
        one_sided: spec.one_sided.unwrap_or(false),
        tag: 0,
    }
}

fn load(file: &Path, source: &Source<'_>, spec: &BodySpec) -> Result<RawLevel> {
    let path = source.folder.join(file);
    // The explorer saw triangles, not patches, and only triangles have names.
    let is_plain = spec.hash.is_some() || !spec.without.is_empty();
    let options = if is_plain { LoadOptions::default() } else { source.patches };
    let animations = if spec.without_animated { Animations::Played } else { source.patches.animations };
    let options = LoadOptions { up: up(spec), scale: spec.scale.map(ScaleSpec::same), animations, ..options };
    let mut level = carom_formats::load(&path, &options).context("cannot load a file")?;
    if spec.without_animated {
        level.take_moving();
    }
    for pattern in &spec.without {
        ensure!(
            leave_out(&mut level, pattern),
            "\"without\": nothing in {} is called {pattern:?}",
            path.display()
        );
    }
    ensure!(
        !level.triangles.is_empty() || spec.without.is_empty() && !spec.without_animated,
        "nothing is left of {}: \"without\" or \"without_animated\" takes all of it",
        path.display()
    );
    if let Some(hash) = &spec.hash {
        let found = format!("{:016x}", carom_formats::checksum(&level.vertices, &level.triangles));
        ensure!(
            *hash == found,
            "{} is not the level of this scene: its triangles have the hash {found}, not {hash}; with --level \
             name the file as it was explored, and keep up and scale",
            path.display()
        );
    }
    Ok(level)
}

/// As the scene says; else the format's own.
fn up(spec: &BodySpec) -> Option<Up> {
    spec.up.as_ref().map(|up| match up {
        UpSpec::Z => Up::Z,
        UpSpec::Y => Up::Y,
    })
}

/// Builds a body.
pub(crate) fn build(spec: &BodySpec, source: &Source<'_>, layers: &mut LayerNames) -> Result<Whole> {
    check(spec)?;
    let layer = layers.of(spec.layer.as_deref().unwrap_or(DEFAULT_LAYER))?;
    let surface = surface(spec);
    let scale = spec.scale.map_or(1.0, ScaleSpec::same);
    let Made { collider, patches } = made(spec, source, scale, surface)?;
    let mut pose = pose(spec, &collider, scale)?;
    let motion = motion(spec, &collider, &pose)?;
    if let Some(BodyMotion::Planned { plan, .. }) = &motion {
        pose = plan.pose_at(0.0).with_scale(pose.scale())?;
    }
    let run = DVec3::from_array(spec.surface_velocity.unwrap_or_default());
    let finished = |collider: Collider| {
        let body = match &motion {
            None => Body::fixed(collider),
            Some(BodyMotion::Driven { .. } | BodyMotion::Planned { .. }) => Body::kinematic(collider),
            Some(BodyMotion::Pushed { mass }) => Body::dynamic(collider, *mass)?,
        };
        let body = body.with_surface(surface).with_surface_velocity(run)?.at(pose).on(layer);
        anyhow::Ok(sensing(body, spec))
    };
    let body = finished(collider)?;
    let curved = if patches.is_empty() { None } else { Some(finished(patches.into())?) };
    Ok(Whole { body, curved, motion })
}

/// A sensor where the scene says so.
fn sensing(body: Body, spec: &BodySpec) -> Body {
    if spec.sensor == Some(true) { body.sensor() } else { body }
}

/// The first of these keys that a scene gives.
fn given(keys: &[(&'static str, bool)]) -> Option<&'static str> {
    keys.iter().find(|(_, given)| *given).map(|(key, _)| *key)
}

/// Errors for keys that exclude each other.
fn check(spec: &BodySpec) -> Result<()> {
    for (key, number) in [("friction", spec.friction), ("restitution", spec.restitution)] {
        ensure!(number.is_none_or(|number| number >= 0.0), "{key} must be at least 0");
    }
    // With more, a ball would gain speed at every bounce.
    ensure!(spec.restitution.is_none_or(|restitution| restitution <= 1.0), "restitution must be at most 1");
    ensure!(spec.scale.is_none_or(|scale| scale.same() > 0.0), "scale must be greater than 0");
    let leaves_out = [("without", !spec.without.is_empty()), ("without_animated", spec.without_animated)];
    if let Some(key) = given(&leaves_out) {
        ensure!(spec.file.is_some(), "{key} is for bodies of a file");
        ensure!(spec.separate != Some(true), "separate excludes {key}");
    }
    ensure!(spec.original.is_none() || spec.hash.is_some(), "original is for bodies with a hash");
    if let Some(each) = spec.scale.and_then(ScaleSpec::each) {
        ensure!(each.cmpgt(DVec3::ZERO).all(), "scale must be greater than 0");
        ensure!(
            spec.file.is_some() || spec.mesh.is_some() || spec.hull.is_some(),
            "scale has three numbers for a file, a mesh or a hull only"
        );
        ensure!(spec.hash.is_none(), "hash is of triangles that are not stretched: give scale one number");
        ensure!(spec.separate != Some(true), "separate excludes a scale of three numbers");
    }
    ensure!(spec.mass.is_none_or(|mass| mass > 0.0), "mass must be greater than 0");
    if spec.keyframes.is_some()
        && let Some(key) = given(&[
            ("position", spec.position.is_some()),
            ("rotation", spec.rotation.is_some()),
            ("linear", spec.linear.is_some()),
            ("angular", spec.angular.is_some()),
        ])
    {
        bail!("keyframes exclude {key}");
    }
    ensure!(spec.repeat.is_none() || spec.keyframes.is_some(), "loop is for bodies with keyframes");
    if spec.sensor == Some(true) {
        let excluded = [
            ("dynamic", spec.dynamic == Some(true)),
            ("friction", spec.friction.is_some()),
            ("restitution", spec.restitution.is_some()),
            ("surface_velocity", spec.surface_velocity.is_some()),
        ];
        if let Some(key) = given(&excluded) {
            bail!("sensor excludes {key}: nothing touches it");
        }
    }
    if spec.dynamic == Some(true) {
        if let Some(key) = given(&[
            ("linear", spec.linear.is_some()),
            ("angular", spec.angular.is_some()),
            ("keyframes", spec.keyframes.is_some()),
        ]) {
            bail!("dynamic excludes {key}: only pushes and gravity move such a body");
        }
        ensure!(spec.mass.is_some(), "a dynamic body needs a mass");
    } else {
        ensure!(spec.mass.is_none(), "mass is for bodies with \"dynamic\": true");
    }
    Ok(())
}

fn motion(spec: &BodySpec, collider: &Collider, pose: &Pose) -> Result<Option<BodyMotion>> {
    if let Some(keyframes) = &spec.keyframes {
        let after = if spec.repeat == Some(true) { AfterLast::Repeat } else { AfterLast::Stay };
        let keyframes: Vec<Keyframe> = keyframes.iter().map(keyframe).collect();
        let plan = Keyframes::new(&keyframes, after)?;
        return Ok(Some(BodyMotion::Planned { plan, scale: pose.scale() }));
    }
    if spec.dynamic == Some(true) {
        let is_solid = matches!(
            collider,
            Collider::Sphere(_) | Collider::Ellipsoid(_) | Collider::Capsule(_) | Collider::Cuboid(_)
        );
        ensure!(
            is_solid,
            "dynamic is for a box, sphere, ellipsoid or capsule: a mesh, hull, patch, body of pieces, plane, height \
             field, cylinder or cone cannot be swept"
        );
        return Ok(Some(BodyMotion::Pushed { mass: spec.mass.context("a dynamic body needs a mass")? }));
    }
    let [linear, angular] = [spec.linear, spec.angular].map(|v| DVec3::from_array(v.unwrap_or_default()));
    let moves = linear != DVec3::ZERO || angular != DVec3::ZERO;
    Ok(moves.then_some(BodyMotion::Driven { linear, angular }))
}

fn keyframe(spec: &KeyframeSpec) -> Keyframe {
    Keyframe {
        time: spec.time,
        position: DVec3::from_array(spec.position),
        rotation: DQuat::from_array(spec.rotation),
    }
}

fn made(spec: &BodySpec, source: &Source<'_>, scale: f64, surface: Surface) -> Result<Made> {
    let mut solids: Vec<Collider> = Vec::new();
    solids.extend(spec.cuboid.as_ref().map(CuboidSpec::cuboid).transpose()?.map(Collider::from));
    solids.extend(spec.sphere.as_ref().map(SphereSpec::sphere).transpose()?.map(Collider::from));
    solids.extend(spec.ellipsoid.as_ref().map(EllipsoidSpec::ellipsoid).transpose()?.map(Collider::from));
    solids.extend(spec.capsule.as_ref().map(CapsuleSpec::capsule).transpose()?.map(Collider::from));
    solids.extend(spec.cylinder.as_ref().map(RevolvedSpec::cylinder).transpose()?.map(Collider::from));
    solids.extend(spec.cone.as_ref().map(RevolvedSpec::cone).transpose()?.map(Collider::from));
    let others = [
        spec.file.is_some(),
        spec.mesh.is_some(),
        spec.patch.is_some(),
        spec.hull.is_some(),
        spec.heightfield.is_some(),
        spec.plane.is_some(),
        spec.pieces.is_some(),
    ];
    let kinds = solids.len() + others.into_iter().filter(|given| *given).count();
    ensure!(
        kinds == 1,
        "needs exactly one of file, mesh, patch, hull, heightfield, plane, box, sphere, ellipsoid, \
         capsule, cylinder, cone and pieces, and has {kinds}"
    );
    if let Some(solid) = solids.pop() {
        ensure!(!surface.one_sided, "one_sided is for bodies of a file or a mesh: a solid has no back");
        ensure!(spec.up.is_none(), "up is for bodies of a file or a mesh");
        ensure!(spec.hash.is_none(), "hash is for bodies of a file");
        return Ok(solid.into());
    }
    if let Some(pieces) = &spec.pieces {
        ensure!(!surface.one_sided, "one_sided is for bodies of a file or a mesh: pieces have two sides");
        ensure!(spec.up.is_none(), "up is for bodies of a file or a mesh");
        ensure!(spec.hash.is_none(), "hash is for bodies of a file");
        let piece = |(i, piece): (usize, &BodySpec)| {
            self::piece(piece, source, surface).with_context(|| format!("piece {i}"))
        };
        let pieces = pieces.iter().enumerate().map(piece).collect::<Result<_>>()?;
        return Ok(Collider::from(Compound::new(pieces)?).into());
    }
    if let Some(plane) = &spec.plane {
        ensure!(!surface.one_sided, "one_sided is for bodies of a file or a mesh: a plane is solid behind");
        ensure!(spec.up.is_none(), "up is for bodies of a file or a mesh");
        ensure!(spec.hash.is_none(), "hash is for bodies of a file");
        return Ok(Collider::from(plane.half_space()?).into());
    }
    if let Some(field) = &spec.heightfield {
        ensure!(spec.up.is_none(), "up is for bodies of a file or a mesh: heights are along y");
        ensure!(spec.hash.is_none(), "hash is for bodies of a file");
        return Ok(Collider::from(field.field(source.folder, surface)?).into());
    }
    let up = up(spec).unwrap_or_default();
    if let Some(hull) = &spec.hull {
        ensure!(!surface.one_sided, "one_sided is for bodies of a file or a mesh: a hull has no back");
        ensure!(spec.hash.is_none(), "hash is for bodies of a file");
        let stretch = spec.scale.and_then(ScaleSpec::each).unwrap_or(DVec3::ONE);
        let place = |point| (DVec3::from_array(mapped(point, up)) * stretch).to_array();
        return Ok(Collider::from(hull.hull(place)?).into());
    }
    if let Some(patch) = &spec.patch {
        ensure!(!surface.one_sided, "one_sided is for bodies of a file or a mesh: a patch has two sides");
        ensure!(spec.hash.is_none(), "hash is for bodies of a file");
        let points: Vec<DVec3> =
            patch.points.iter().map(|point| DVec3::from_array(mapped(*point, up))).collect();
        let net = PatchNet::new(patch.degree, patch.width, &points).context("patch")?;
        return Ok(Collider::from(net).into());
    }
    let mut patches = Vec::new();
    let mut data = match (&spec.file, &spec.mesh) {
        (Some(file), _) => {
            let mut level = load(file, source, spec)?;
            patches = std::mem::take(&mut level.patches);
            level.into_mesh_data()
        }
        (None, Some(mesh)) => MeshData {
            // Mapped and scaled in f64 and rounded once, as files are.
            vertices: mesh
                .vertices
                .iter()
                .map(|&vertex| mapped(vertex, up).map(|x| (x * scale) as f32))
                .collect(),
            triangles: mesh.triangles.clone(),
            ..MeshData::default()
        },
        (None, None) => return Err(anyhow!("has no shape")),
    };
    if data.surfaces.is_empty() {
        data.surfaces.push(surface);
    }
    for own in &mut data.surfaces {
        *own = Surface { tag: own.tag, ..surface };
    }
    let mut mesh = Mesh::new(data)?;
    if let Some(each) = spec.scale.and_then(ScaleSpec::each) {
        ensure!(
            patches.is_empty(),
            "curved patches have a scale of one number: --tessellate makes triangles"
        );
        mesh = mesh.scaled(each)?;
    }
    Ok(Made { collider: mesh.into(), patches })
}

/// A piece of a body of this material.
fn piece(spec: &BodySpec, source: &Source<'_>, whole: Surface) -> Result<CompoundPiece> {
    let of_bodies = [
        ("name", spec.name.is_some()),
        ("file", spec.file.is_some()),
        ("hash", spec.hash.is_some()),
        ("without", !spec.without.is_empty()),
        ("without_animated", spec.without_animated),
        ("original", spec.original.is_some()),
        ("separate", spec.separate.is_some()),
        ("patch", spec.patch.is_some()),
        ("plane", spec.plane.is_some()),
        ("pieces", spec.pieces.is_some()),
        ("up", spec.up.is_some()),
        ("one_sided", spec.one_sided.is_some()),
        ("layer", spec.layer.is_some()),
        ("sensor", spec.sensor.is_some()),
        ("linear", spec.linear.is_some()),
        ("angular", spec.angular.is_some()),
        ("keyframes", spec.keyframes.is_some()),
        ("loop", spec.repeat.is_some()),
        ("surface_velocity", spec.surface_velocity.is_some()),
        ("dynamic", spec.dynamic.is_some()),
        ("mass", spec.mass.is_some()),
    ];
    if let Some(key) = given(&of_bodies) {
        bail!("a piece has no {key}, only a shape, a pose, friction and restitution");
    }
    check(spec)?;
    let scale = spec.scale.map_or(1.0, ScaleSpec::same);
    let surface = Surface {
        friction: spec.friction.or(whole.friction),
        restitution: spec.restitution.unwrap_or(whole.restitution),
        ..whole
    };
    let Made { collider, .. } = made(spec, source, scale, surface)?;
    Ok(CompoundPiece::new(collider.clone()).at(pose(spec, &collider, scale)?).with_surface(surface))
}

/// Where a body is.
fn pose(spec: &BodySpec, collider: &Collider, scale: f64) -> Result<Pose> {
    let mut pose = Pose::at(DVec3::from_array(spec.position.unwrap_or_default()))?;
    if let Some(rotation) = spec.rotation {
        pose = pose.with_rotation(DQuat::from_array(rotation))?;
    }
    // The vertices of a mesh are scaled already.
    Ok(pose.with_scale(if matches!(collider, Collider::Mesh(_)) { 1.0 } else { scale })?)
}

/// A place of a scene with y up.
fn mapped([x, y, z]: [f64; 3], up: Up) -> [f64; 3] {
    match up {
        Up::Y => [x, y, z],
        Up::Z => [x, z, -y],
    }
}
