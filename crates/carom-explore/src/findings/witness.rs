//! The path to a finding, as inputs tick by tick: a scene for `carom walk`.

use carom::character::{Input, Settings};
use carom::shape::Mover;
use carom_formats::{Convex, Volume, VolumeKind};
use glam::DVec3;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::flood::Flood;
use crate::level::Level;
use crate::rules::Rules;
use crate::walk::Walker;
use crate::walk::action::Action;
use crate::walk::state::WalkState;

/// The same input for a while.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The first tick, counted from 0.
    pub from: u32,
    /// The first tick after it.
    pub until: u32,
    /// The input during all of these ticks.
    pub input: Input,
}

/// A character at a place, and its script. Played back it ends at the same center, to the bit.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// Where the center starts, at rest.
    pub start: DVec3,
    /// In order, without overlaps; ticks in none of them want nothing.
    pub spans: Vec<Span>,
    /// How many ticks.
    pub ticks: u32,
    /// Moving bodies begin as they are at the end of this tick.
    pub start_tick: u32,
    /// Where the center ends.
    pub end: DVec3,
    /// The center after every tick, the start first.
    pub path: Vec<DVec3>,
}

#[derive(Serialize)]
struct Scene<'a> {
    up: [f64; 3],
    gravity: [f64; 3],
    dt: f64,
    ticks: u32,
    #[serde(skip_serializing_if = "is_zero")]
    start_tick: u32,
    bodies: Vec<&'a Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    volumes: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    swim_speed: Option<f64>,
    characters: [Hero; 1],
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(tick: &u32) -> bool {
    *tick == 0
}

#[derive(Serialize)]
struct Hero {
    name: &'static str,
    rule: &'static str,
    shape: Value,
    position: [f64; 3],
    settings: Map<String, Value>,
    input: Vec<Value>,
}

impl Witness {
    /// The way to a place, and then an action there; `None` of it from further back than the character
    /// continues to the same bits.
    pub(crate) fn to(walker: &Walker<'_>, flood: &Flood, place: u32, then: Option<u16>) -> Self {
        let mut chain = vec![place];
        while let Some(&last) = chain.last() {
            let parent = flood.places.get(last).parent;
            if parent == last {
                break;
            }
            chain.push(parent);
        }
        chain.reverse();
        let first = flood.roots.iter().position(|root| *root == chain[0]);
        let spawn = first.map_or(flood.places.get(chain[0]).position, |i| flood.spawns[i]);
        let mut state = walker.state();
        walker.put(&mut state, spawn);
        let mut recorded = Recorded::new(spawn, 0);
        for id in &chain {
            let place = &flood.places.get(*id);
            let mut record = |input| recorded.inputs.push(input);
            match Action::from_code(place.action) {
                Action::Wander(seed) => {
                    let began = flood.places.get(place.parent).ticks;
                    walker.wander(&mut state, seed, place.ticks.saturating_sub(began), &mut record);
                }
                _ => go(walker, &mut state, place.action, &mut record),
            }
            if state.hero.position() != place.position || state.now != place.ticks {
                // The flood began at rest here: so does the witness.
                walker.put_at(&mut state, place);
                recorded = Recorded::new(place.position, place.ticks);
            }
        }
        if let Some(action) = then {
            go(walker, &mut state, action, &mut |input| recorded.inputs.push(input));
        }
        recorded.finish(walker)
    }

    /// A body that is let down at a place and left alone for `ticks`; fewer if it leaves the world.
    pub(crate) fn at(walker: &Walker<'_>, start: DVec3, ticks: u32) -> Self {
        let mut recorded = Recorded::new(start, 0);
        recorded.inputs.resize(ticks as usize, Input::IDLE);
        recorded.finish(walker)
    }

    /// The scene file: `body` is the level as `carom walk` has it.
    pub fn scene(&self, body: &Value, level: &Level, rules: &Rules) -> String {
        let numbers = |v: DVec3| (v + DVec3::ZERO).to_array();
        let time = |tick: u32| f64::from(tick) * rules.dt;
        let input = self.spans.iter().map(|span| {
            let Span { from, until, input } = *span;
            let mut entry = json!({ "from": time(from), "until": time(until) });
            entry["move"] = json!(numbers(input.desired_velocity.unwrap_or(DVec3::ZERO)));
            if let Some(jump) = input.jump {
                entry["jump"] = json!(jump);
            }
            entry
        });
        let scene = Scene {
            up: numbers(rules.settings.up),
            gravity: numbers(rules.settings.gravity),
            dt: rules.dt,
            ticks: self.ticks,
            start_tick: self.start_tick,
            bodies: [body].into_iter().chain(level.moving().iter().map(|moving| &moving.scene)).collect(),
            volumes: level.volumes.list().iter().flat_map(volume).collect(),
            swim_speed: (!level.volumes.is_empty()).then_some(rules.speed),
            characters: [Hero {
                name: "hero",
                rule: "character",
                shape: shape(rules),
                position: numbers(self.start),
                settings: settings(&rules.settings),
                input: input.collect(),
            }],
        };
        // Finite numbers and strings are always JSON.
        serde_json::to_string(&scene).unwrap_or_default()
    }
}

/// As scenes have it: a volume for each convex piece. Volumes that only suppress findings are left out.
fn volume(volume: &Volume) -> Vec<Value> {
    let piece = |piece: &Convex| {
        let planes: Vec<[f64; 4]> = piece
            .planes()
            .iter()
            .map(|plane| [plane.normal.x, plane.normal.y, plane.normal.z, plane.offset])
            .collect();
        let mut value = json!({ "name": volume.name, "kind": volume.kind.name(), "planes": planes });
        match volume.kind {
            VolumeKind::Teleport { to } => value["to"] = json!(to.to_array()),
            VolumeKind::Push { velocity } => value["velocity"] = json!(velocity.to_array()),
            _ => {}
        }
        value
    };
    if volume.kind == VolumeKind::Ignore { Vec::new() } else { volume.pieces.iter().map(piece).collect() }
}

/// As scenes have it.
fn shape(rules: &Rules) -> Value {
    let numbers = |v: DVec3| (v + DVec3::ZERO).to_array();
    match rules.shape {
        None | Some(Mover::Point) => json!({ "ellipsoid": { "radii": numbers(rules.radii) } }),
        Some(Mover::Sphere(it)) => json!({ "sphere": { "radius": it.radius() } }),
        Some(Mover::Ellipsoid(it)) => {
            json!({ "ellipsoid": { "radii": numbers(it.radii()), "rotation": it.rotation().to_array() } })
        }
        Some(Mover::Capsule(it)) => json!({ "capsule": {
            "radius": it.radius(), "half_height": it.half_height(), "rotation": it.rotation().to_array() } }),
        Some(Mover::Cuboid(it)) => json!({ "cuboid": {
            "half_extents": numbers(it.half_extents()), "rotation": it.rotation().to_array() } }),
    }
}

/// Those that are not the library's defaults.
fn settings(settings: &Settings) -> Map<String, Value> {
    let usual = Settings::default();
    let mut recorded = Map::new();
    let mut tell = |name: &str, value: f64, usual: f64| {
        if value != usual {
            recorded.insert(name.to_owned(), json!(value));
        }
    };
    tell("step_height", settings.step_height, usual.step_height);
    tell("max_slope_degrees", settings.max_slope.to_degrees(), usual.max_slope.to_degrees());
    tell("air_control", settings.air_control, usual.air_control);
    tell("push_force", settings.push_force, usual.push_force);
    tell("skin", settings.skin.unwrap_or(-1.0), -1.0);
    tell("escape_speed", settings.escape_speed.unwrap_or(-1.0), -1.0);
    tell("snap_distance", settings.snap_distance.unwrap_or(-1.0), -1.0);
    if settings.air_steps {
        recorded.insert("air_steps".to_owned(), json!(true));
    }
    recorded
}

/// Waits for the moment that a code says, and does what it says then.
fn go(walker: &Walker<'_>, state: &mut WalkState, code: u16, record: &mut impl FnMut(Input)) {
    walker.wait(state, Action::moment(code), record);
    walker.go(state, Action::from_code(code), record);
}

/// Inputs of ticks one after the other.
struct Recorded {
    start: DVec3,
    start_tick: u32,
    inputs: Vec<Input>,
}

impl Recorded {
    fn new(start: DVec3, start_tick: u32) -> Self {
        Self { start, start_tick, inputs: Vec::new() }
    }

    /// Plays it all once more, from nothing but what the scene file will say.
    fn finish(mut self, walker: &Walker<'_>) -> Witness {
        if self.inputs.is_empty() {
            self.inputs.push(Input::IDLE);
        }
        let path = walker.play(self.start, self.start_tick, &mut self.inputs);
        let mut spans: Vec<Span> = Vec::new();
        for (tick, input) in (0..).zip(&self.inputs) {
            match spans.last_mut() {
                Some(span) if span.input == *input && span.until == tick && input.jump.is_none() => {
                    span.until += 1;
                }
                _ => spans.push(Span { from: tick, until: tick + 1, input: *input }),
            }
        }
        spans.retain(|span| span.input != Input::IDLE);
        let end = path.last().copied().unwrap_or(self.start);
        Witness {
            start: self.start,
            spans,
            ticks: self.inputs.len() as u32,
            start_tick: self.start_tick,
            end,
            path,
        }
    }
}
