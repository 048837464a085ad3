//! A scene in the library itself: to ask what the command does not say, and to run a scene in other orders.

use std::collections::BTreeMap;

use carom::character::{Character, Crowd, GravityPass, Input, PlatformVelocity, Report, Settings};
use carom::mesh::{Mesh, MeshData, Surface};
use carom::world::{AfterLast, Body, BodyId, Collider, Keyframe, Keyframes, Layers, Pose, World};
use carom::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use glam::{DQuat, DVec3};
use serde_json::Value;

use crate::frame::{quaternion, vector};

/// How a body moves.
enum Motion {
    Driven(DVec3, DVec3),
    Planned(Keyframes),
}

/// A world and its characters, tick by tick.
pub(crate) struct Stage {
    pub(crate) world: World,
    pub(crate) characters: Vec<Character>,
    pub(crate) names: Vec<String>,
    pub(crate) dt: f64,
    pub(crate) ticks: u64,
    moves: Vec<(BodyId, Motion)>,
    inputs: Vec<Vec<Timed>>,
    crowd: Crowd,
    tick: u64,
}

struct Timed {
    from: f64,
    until: f64,
    desired_velocity: Option<DVec3>,
    jump: Option<f64>,
}

/// Layers by name.
struct LayerNames(BTreeMap<String, u32>);

impl LayerNames {
    fn of(&mut self, name: &str) -> Layers {
        let next = self.0.len() as u32;
        Layers::one(*self.0.entry(name.to_owned()).or_insert(next))
    }
}

impl Stage {
    pub(crate) fn new(scene: &Value) -> Self {
        let mut layers = LayerNames(BTreeMap::from([("default".to_owned(), 0)]));
        let up = scene.get("up").map_or(DVec3::Y, vector);
        let gravity = scene.get("gravity").map_or(up * -9.81, vector);
        let mut stage = Self {
            world: World::new(),
            characters: Vec::new(),
            names: Vec::new(),
            dt: scene["dt"].as_f64().unwrap_or(1.0 / 60.0),
            ticks: scene["ticks"].as_u64().unwrap_or(300),
            moves: Vec::new(),
            inputs: Vec::new(),
            crowd: Crowd::new(),
            tick: 0,
        };
        for body in scene["bodies"].as_array().unwrap() {
            let (built, motion) = build_body(body, &mut layers);
            let id = stage.world.add(built);
            stage.names.push(body["name"].as_str().unwrap_or_default().to_owned());
            stage.moves.extend(motion.map(|motion| (id, motion)));
        }
        for character in scene["characters"].as_array().unwrap() {
            stage.characters.push(build_character(character, up, gravity, &mut layers));
            let timed = |input: &Value| Timed {
                from: input["from"].as_f64().unwrap(),
                until: input["until"].as_f64().unwrap(),
                desired_velocity: input.get("move").map(vector),
                jump: input["jump"].as_f64(),
            };
            let inputs = character["input"].as_array();
            stage.inputs.push(inputs.into_iter().flatten().map(timed).collect());
        }
        stage
    }

    /// One tick.
    pub(crate) fn step(&mut self) -> Vec<Report> {
        let start = self.tick as f64 * self.dt;
        self.tick += 1;
        self.advance();
        let inputs: Vec<Input> = (0..self.characters.len()).map(|i| self.input(i, start)).collect();
        self.crowd.step_all(&self.world, &mut self.characters, &inputs, self.dt).to_vec()
    }

    /// The bodies of the next tick move, and the characters stay.
    pub(crate) fn advance_bodies_to(&mut self, tick: u64) {
        while self.tick < tick {
            self.tick += 1;
            self.advance();
        }
    }

    fn advance(&mut self) {
        let end = self.tick as f64 * self.dt;
        let moves = &self.moves;
        self.world.advance(self.dt, |bodies| {
            for (id, motion) in moves {
                let moved = match motion {
                    Motion::Driven(linear, angular) => bodies.drive(*id, *linear, *angular),
                    Motion::Planned(plan) => bodies.move_to(*id, plan.pose_at(end)),
                };
                moved.unwrap_or_else(|error| panic!("body {id:?}: {error}"));
            }
        });
    }

    fn input(&mut self, character: usize, time: f64) -> Input {
        let grounded = self.characters[character].ground().is_some();
        let active =
            self.inputs[character].iter_mut().rev().find(|input| input.from <= time && time < input.until);
        active.map_or(Input::IDLE, |input| Input {
            desired_velocity: input.desired_velocity,
            jump: if grounded { input.jump.take() } else { None },
        })
    }

    /// How deep a shape, grown by its skin, is inside the bodies at the end of the tick, in meters: 0 if it
    /// is free.
    pub(crate) fn depth(&self, character: usize, at: DVec3) -> f64 {
        let character = &self.characters[character];
        let grown = character.shape().grown(character.skin()).unwrap();
        let mut deepest = 0.0f64;
        self.world.contacts(&grown, at, 0.0, character.settings().collides_with, |near| {
            // A start that is on the surface but for two roundings is free: 64 ulp of the largest number, as
            // in the library.
            let size = at.abs().max_element() + near.contact.point.abs().max_element();
            if -near.contact.gap > 64.0 * f64::EPSILON * size {
                deepest = deepest.max(-near.contact.gap);
            }
        });
        deepest
    }
}

fn build_body(spec: &Value, layers: &mut LayerNames) -> (Body, Option<Motion>) {
    let scale = spec["scale"].as_f64().unwrap_or(1.0);
    let surface = Surface {
        friction: spec["friction"].as_f64(),
        restitution: spec["restitution"].as_f64().unwrap_or(0.0),
        one_sided: spec["one_sided"].as_bool().unwrap_or(false),
        tag: 0,
    };
    let mut pose = Pose::at(spec.get("position").map_or(DVec3::ZERO, vector)).unwrap();
    if let Some(rotation) = spec.get("rotation") {
        pose = pose.with_rotation(quaternion(rotation)).unwrap();
    }
    let collider: Collider = if let Some(mesh) = spec.get("mesh") {
        let corner = |v: &Value| vector(v).to_array().map(|x| (x * scale) as f32);
        let triangle = |t: &Value| [0, 1, 2].map(|i| t[i].as_u64().unwrap() as u32);
        Mesh::new(MeshData {
            vertices: mesh["vertices"].as_array().unwrap().iter().map(corner).collect(),
            triangles: mesh["triangles"].as_array().unwrap().iter().map(triangle).collect(),
            surfaces: vec![surface],
            ..MeshData::default()
        })
        .unwrap()
        .into()
    } else if let Some(cuboid) = spec.get("box") {
        Cuboid::new(vector(&cuboid["half_extents"])).unwrap().into()
    } else {
        Sphere::new(spec["sphere"]["radius"].as_f64().unwrap()).unwrap().into()
    };
    let motion = if let Some(keyframes) = spec["keyframes"].as_array() {
        let plan: Vec<Keyframe> = keyframes
            .iter()
            .map(|frame| Keyframe {
                time: frame["time"].as_f64().unwrap(),
                position: vector(&frame["position"]),
                rotation: frame.get("rotation").map_or(DQuat::IDENTITY, quaternion),
            })
            .collect();
        let after = if spec["loop"].as_bool() == Some(true) { AfterLast::Repeat } else { AfterLast::Stay };
        let plan = Keyframes::new(&plan, after).unwrap();
        pose = plan.pose_at(0.0);
        Some(Motion::Planned(plan))
    } else {
        let velocity = |key: &str| spec.get(key).map_or(DVec3::ZERO, vector);
        let (linear, angular) = (velocity("linear"), velocity("angular"));
        (linear != DVec3::ZERO || angular != DVec3::ZERO).then_some(Motion::Driven(linear, angular))
    };
    let solid = !matches!(collider, Collider::Mesh(_));
    if solid {
        pose = pose.with_scale(scale).unwrap();
    }
    let body = if motion.is_some() { Body::kinematic(collider) } else { Body::fixed(collider) };
    let body = if solid { body.with_surface(surface) } else { body };
    let body = body
        .with_surface_velocity(spec.get("surface_velocity").map_or(DVec3::ZERO, vector))
        .unwrap()
        .on(layers.of(spec["layer"].as_str().unwrap_or("default")))
        .at(pose);
    (body, motion)
}

fn build_character(spec: &Value, up: DVec3, gravity: DVec3, layers: &mut LayerNames) -> Character {
    let given = &spec["settings"];
    let number = |key: &str, default: f64| given[key].as_f64().unwrap_or(default);
    let default = Settings::default();
    let collides_with = given["collides_with"].as_array().map_or(Layers::ALL, |names| {
        names.iter().fold(Layers::NONE, |all, name| all | layers.of(name.as_str().unwrap()))
    });
    let settings = Settings {
        up,
        gravity,
        skin: given["skin"].as_f64(),
        step_height: number("step_height", default.step_height),
        max_slope: given["max_slope_degrees"].as_f64().map_or(default.max_slope, f64::to_radians),
        snap_distance: given["snap_distance"].as_f64(),
        air_control: number("air_control", default.air_control),
        air_steps: given["air_steps"].as_bool().unwrap_or(default.air_steps),
        platform_velocity: match given["inherit_platform_velocity"].as_bool() {
            Some(false) => PlatformVelocity::Drop,
            _ => PlatformVelocity::Inherit,
        },
        gravity_pass: match given["gravity_pass"].as_str() {
            Some("combined") => GravityPass::Combined,
            _ => GravityPass::Separate,
        },
        push_force: number("push_force", default.push_force),
        collides_with,
        ..default
    };
    let mut character = Character::new(mover(&spec["shape"]), settings).unwrap();
    character.teleport(vector(&spec["position"])).unwrap();
    if let Some(velocity) = spec.get("velocity") {
        character.set_velocity(vector(velocity)).unwrap();
    }
    character
}

/// The shape of a character or a query.
pub(crate) fn mover(shape: &Value) -> Mover {
    let number = |value: &Value| value.as_f64().unwrap();
    if let Some(sphere) = shape.get("sphere") {
        Sphere::new(number(&sphere["radius"])).unwrap().into()
    } else if let Some(capsule) = shape.get("capsule") {
        Capsule::new(number(&capsule["radius"]), number(&capsule["half_height"])).unwrap().into()
    } else if let Some(cuboid) = shape.get("cuboid") {
        Cuboid::new(vector(&cuboid["half_extents"])).unwrap().into()
    } else {
        Ellipsoid::new(vector(&shape["ellipsoid"]["radii"])).unwrap().into()
    }
}
