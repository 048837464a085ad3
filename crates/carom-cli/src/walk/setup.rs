//! From a scene file to a world and its characters: everything is checked here, and refused by name.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use carom::mesh::{Mesh, MeshData, Surface};
use carom::num::ops;
use carom::shape::Mover;
use carom::world::{Body, Collider, Layers, Pose, World};
use carom_formats::{LoadOptions, Up};
use glam::{DQuat, DVec3};

use super::scene::{BodySpec, CharacterSpec, GravityPassSpec, InputSpec, SceneSpec, SettingsSpec, UpSpec};
use super::slide::{GravityPass, Place, Walker, WalkerSpec};

/// A week at 60 Hz is 36 million ticks; more than this is a slip of the pen.
const MOST_TICKS: u64 = 100_000_000;

/// The layer of bodies that name none.
const DEFAULT_LAYER: &str = "default";

/// Steepest ground that counts as such, unless a character says otherwise.
const MAX_SLOPE_DEGREES: f64 = 45.0;

/// A scene, ready to run.
pub(crate) struct Scene {
    pub(crate) world: World,
    /// By the index of the body.
    pub(crate) body_names: Vec<String>,
    pub(crate) place: Place,
    pub(crate) ticks: u64,
    pub(crate) characters: Vec<Scripted>,
}

/// A character and what it is told to do.
pub(crate) struct Scripted {
    pub(crate) walker: Walker,
    pub(crate) input: Vec<Input>,
}

/// From `from` until before `until`, in seconds.
pub(crate) struct Input {
    from: f64,
    until: f64,
    wish: DVec3,
    /// An upward speed, until it is used up.
    jump: Option<f64>,
}

impl Scripted {
    /// What the last listed input of this time wants, if any does. The jump is taken out of the list where there is ground.
    pub(crate) fn wish(&mut self, time: f64) -> (Option<DVec3>, Option<f64>) {
        let grounded = self.walker.ground().is_some();
        let active = self.input.iter_mut().rev().find(|input| input.from <= time && time < input.until);
        active
            .map_or((None, None), |input| (Some(input.wish), if grounded { input.jump.take() } else { None }))
    }
}

/// Builds the scene; `folder` is where paths of files start.
pub(crate) fn build(spec: SceneSpec, folder: &Path) -> Result<Scene> {
    ensure!(spec.dt > 0.0, "dt must be greater than 0, not {}", spec.dt);
    ensure!(spec.ticks <= MOST_TICKS, "ticks must be at most {MOST_TICKS}, not {}", spec.ticks);
    let up = DVec3::from_array(spec.up);
    let length = ops::sqrt(up.length_squared());
    ensure!(length > 0.0 && length.is_finite(), "up must have a length, and a reasonable one");
    let up = up / length;
    let gravity = spec.gravity.map_or(up * -9.81, DVec3::from_array);
    let place = Place { up, gravity, dt: spec.dt };

    let mut layers = LayerNames::default();
    let mut world = World::new();
    let mut body_names = Vec::with_capacity(spec.bodies.len());
    for (index, body) in spec.bodies.into_iter().enumerate() {
        let name = body.name.clone().unwrap_or_else(|| format!("body {index}"));
        let built = build_body(body, folder, &mut layers).with_context(|| format!("body {name:?}"))?;
        world.add(built);
        body_names.push(name);
    }
    let mut characters = Vec::with_capacity(spec.characters.len());
    for (index, character) in spec.characters.into_iter().enumerate() {
        let name = character.name.clone().unwrap_or_else(|| format!("character {index}"));
        let context = format!("character {name:?}");
        characters.push(build_character(character, name, &place, &world, &mut layers).context(context)?);
    }
    Ok(Scene { world, body_names, place, ticks: spec.ticks, characters })
}

/// Layers by name, in the order in which they are first named.
struct LayerNames(BTreeMap<String, u32>);

impl Default for LayerNames {
    fn default() -> Self {
        // `Layers::SOLID` is layer 0.
        Self(BTreeMap::from([(DEFAULT_LAYER.to_owned(), 0)]))
    }
}

impl LayerNames {
    fn of(&mut self, name: &str) -> Result<Layers> {
        let next = self.0.len() as u32;
        let number = *self.0.entry(name.to_owned()).or_insert(next);
        ensure!(number < 32, "layer {name:?} is one too many: there are at most 32");
        Ok(Layers::one(number))
    }
}

fn build_body(spec: BodySpec, folder: &Path, layers: &mut LayerNames) -> Result<Body> {
    refuse_motion(&spec)?;
    for (key, number) in [("friction", spec.friction), ("restitution", spec.restitution)] {
        ensure!(number.is_none_or(|number| number >= 0.0), "{key} must be at least 0");
    }
    let surface = Surface {
        friction: spec.friction,
        restitution: spec.restitution.unwrap_or(0.0),
        one_sided: spec.one_sided.unwrap_or(false),
        tag: 0,
    };
    let scale = spec.scale.unwrap_or(1.0);
    ensure!(scale > 0.0, "scale must be greater than 0, not {scale}");
    let mut pose = Pose::at(DVec3::from_array(spec.position.unwrap_or_default()))?;
    if let Some(rotation) = spec.rotation {
        pose = pose.with_rotation(DQuat::from_array(rotation))?;
    }
    let layer = layers.of(spec.layer.as_deref().unwrap_or(DEFAULT_LAYER))?;

    let mut solids: Vec<Collider> = Vec::new();
    solids.extend(spec.cuboid.map(|cuboid| cuboid.cuboid()).transpose()?.map(Collider::from));
    solids.extend(spec.sphere.map(|sphere| sphere.sphere()).transpose()?.map(Collider::from));
    solids.extend(spec.ellipsoid.map(|ellipsoid| ellipsoid.ellipsoid()).transpose()?.map(Collider::from));
    solids.extend(spec.capsule.map(|capsule| capsule.capsule()).transpose()?.map(Collider::from));
    let kinds = solids.len() + usize::from(spec.file.is_some()) + usize::from(spec.mesh.is_some());
    ensure!(
        kinds == 1,
        "needs exactly one of file, mesh, box, sphere, ellipsoid and capsule, and has {kinds}"
    );

    let up = match spec.up {
        Some(UpSpec::Z) => Up::Z,
        Some(UpSpec::Y) | None => Up::Y,
    };
    let data = if let Some(file) = spec.file {
        let path = folder.join(file);
        let options = LoadOptions { up, scale, ..LoadOptions::default() };
        let level = carom_formats::load(&path, &options)
            .with_context(|| format!("cannot load {}", path.display()))?;
        Some(level.into_mesh_data())
    } else {
        ensure!(spec.up.is_none() || spec.mesh.is_some(), "up is for bodies of a file or a mesh");
        spec.mesh.map(|mesh| MeshData {
            // Mapped and scaled in f64 and rounded once, as files are.
            vertices: mesh
                .vertices
                .iter()
                .map(|&[x, y, z]| {
                    let mapped = match up {
                        Up::Y => [x, y, z],
                        Up::Z => [x, z, -y],
                    };
                    mapped.map(|x| (x * scale) as f32)
                })
                .collect(),
            triangles: mesh.triangles,
            ..MeshData::default()
        })
    };
    let body = match (data, solids.pop()) {
        (Some(data), _) => Body::fixed(mesh_of(data, surface)?),
        (None, Some(solid)) => {
            ensure!(!surface.one_sided, "one_sided is for bodies of a file or a mesh: a solid has no back");
            pose = pose.with_scale(scale)?;
            Body::fixed(solid).with_surface(surface)
        }
        (None, None) => bail!("is made of nothing"),
    };
    Ok(body.at(pose).on(layer))
}

fn mesh_of(mut data: MeshData, surface: Surface) -> Result<Mesh> {
    if data.surfaces.is_empty() {
        data.surfaces.push(surface);
    }
    for own in &mut data.surfaces {
        *own = Surface { tag: own.tag, ..surface };
    }
    Ok(Mesh::new(data)?)
}

/// Bodies stay where they are, for now: what says otherwise is refused, not ignored.
fn refuse_motion(spec: &BodySpec) -> Result<()> {
    if spec.keyframes.is_some() {
        let others = [
            ("position", spec.position.is_some()),
            ("rotation", spec.rotation.is_some()),
            ("linear", spec.linear.is_some()),
            ("angular", spec.angular.is_some()),
        ];
        if let Some((key, _)) = others.iter().find(|(_, given)| *given) {
            bail!("keyframes exclude {key}");
        }
    }
    ensure!(spec.mass.is_none_or(|mass| mass > 0.0), "mass must be greater than 0");
    let moves = |velocity: Option<[f64; 3]>| velocity.is_some_and(|v| v != [0.0; 3]);
    let movements = [
        ("linear", moves(spec.linear)),
        ("angular", moves(spec.angular)),
        ("keyframes", spec.keyframes.is_some()),
        ("loop", spec.repeat == Some(true)),
        ("surface_velocity", moves(spec.surface_velocity)),
        ("dynamic", spec.dynamic == Some(true)),
    ];
    match movements.iter().find(|(_, used)| *used) {
        Some((key, _)) => {
            Err(anyhow!("{key} is not supported yet: this version of carom walks among bodies at rest only"))
        }
        None => Ok(()),
    }
}

fn build_character(
    spec: CharacterSpec,
    name: String,
    place: &Place,
    world: &World,
    layers: &mut LayerNames,
) -> Result<Scripted> {
    let shape = spec.shape.mover()?;
    ensure!(shape != Mover::Point, "a character has a body: \"point\" is for casts");
    let settings = spec.settings;
    check_settings(&settings)?;
    let mut collides_with = Layers::ALL;
    if let Some(names) = &settings.collides_with {
        collides_with = Layers::NONE;
        for name in names {
            collides_with = collides_with | layers.of(name)?;
        }
    }
    let walker = Walker::new(
        WalkerSpec {
            name,
            shape,
            skin: settings.skin,
            layers: collides_with,
            max_slope_degrees: settings.max_slope_degrees.unwrap_or(MAX_SLOPE_DEGREES),
            gravity_pass: match settings.gravity_pass {
                Some(GravityPassSpec::Separate) => GravityPass::Separate,
                Some(GravityPassSpec::Combined) | None => GravityPass::Combined,
            },
            position: DVec3::from_array(spec.position),
            velocity: DVec3::from_array(spec.velocity),
        },
        place,
        world,
    )?;
    let input = spec
        .input
        .into_iter()
        .enumerate()
        .map(|(i, input)| check_input(&input).with_context(|| format!("input {i}")))
        .collect::<Result<_>>()?;
    Ok(Scripted { walker, input })
}

fn check_settings(settings: &SettingsSpec) -> Result<()> {
    ensure!(settings.skin.is_none_or(|skin| skin > 0.0), "skin must be greater than 0");
    for (key, number) in [
        ("step_height", settings.step_height),
        ("snap_distance", settings.snap_distance),
        ("push_force", settings.push_force),
    ] {
        ensure!(number.is_none_or(|number| number >= 0.0), "{key} must be at least 0");
    }
    let between = |number: Option<f64>, most: f64| number.is_none_or(|number| (0.0..=most).contains(&number));
    ensure!(between(settings.max_slope_degrees, 90.0), "max_slope_degrees must be from 0 to 90");
    ensure!(between(settings.air_control, 1.0), "air_control must be from 0 to 1");
    Ok(())
}

fn check_input(input: &InputSpec) -> Result<Input> {
    ensure!(input.from <= input.until, "from ({}) is after until ({})", input.from, input.until);
    Ok(Input { from: input.from, until: input.until, wish: DVec3::from_array(input.wish), jump: input.jump })
}
