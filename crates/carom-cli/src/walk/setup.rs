//! From a scene file to a world and its characters: everything is checked, and refused by name.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use carom::character::{Character, GravityPass, PlatformVelocity, Riders, Settings};
use carom::num::ops;
use carom::pushed::PushedBodies;
use carom::shape::Mover;
use carom::world::{Layers, World};
use carom_explore::Volumes;
use glam::DVec3;

use super::bodies::{self, Built, Source};
use super::layers::LayerNames;
use super::motion::{BodyMotion, Moving};
use super::run::{Actor, Entry, Role, Scene, Script};
use super::scene::{CharacterSpec, GravityPassSpec, InputSpec, RidersSpec, Rule, SceneSpec, SettingsSpec};
use super::slide::{Environment, Walker, WalkerSpec};
use crate::volume::volumes;

/// A week at 60 Hz is 36 million ticks; more than this is a slip of the pen.
const MOST_TICKS: u64 = 100_000_000;

/// Builds the scene.
pub(crate) fn build(spec: SceneSpec, source: &Source<'_>) -> Result<Scene> {
    ensure!(spec.dt > 0.0, "dt must be greater than 0, not {}", spec.dt);
    ensure!(spec.ticks <= MOST_TICKS, "ticks must be at most {MOST_TICKS}, not {}", spec.ticks);
    let up = DVec3::from_array(spec.up);
    let length = ops::sqrt(up.length_squared());
    ensure!(length > 0.0 && length.is_finite(), "up must be finite and not zero");
    let up = up / length;
    let gravity = spec.gravity.map_or(up * -9.81, DVec3::from_array);
    let environment = Environment { up, gravity, dt: spec.dt };

    let mut layers = LayerNames::default();
    let mut names = Names::default();
    let mut world = World::new();
    let mut body_names = Vec::with_capacity(spec.bodies.len());
    let (mut moving, mut crates) = (Vec::new(), Vec::new());
    let mut pushed = PushedBodies::new(gravity).context("gravity")?;
    for (index, body) in spec.bodies.into_iter().enumerate() {
        let name = names.take(body.name.as_ref(), "body", index)?;
        let built = bodies::build_all(&body, &name, source, &mut layers);
        for Built { name, body, motion } in built.with_context(|| format!("body {name:?}"))? {
            let id = world.add(body);
            match motion {
                Some(BodyMotion::Pushed { .. }) => {
                    pushed.add(&world, id).with_context(|| format!("body {name:?}"))?;
                    crates.push(id);
                }
                Some(motion) => moving.push(Moving { id, motion }),
                None => {}
            }
            body_names.push(name);
        }
    }
    let start = f64::from(spec.start_tick) * spec.dt;
    for Moving { id, motion } in &moving {
        if let BodyMotion::Planned { plan, scale } = motion {
            world.set_pose(*id, plan.pose_at(start).with_scale(*scale)?)?;
        }
    }
    let mut cast = Cast { actors: Vec::new(), characters: Vec::new() };
    let mut names = Names::default();
    for (index, character) in spec.characters.into_iter().enumerate() {
        let name = names.take(character.name.as_ref(), "character", index)?;
        let context = format!("character {name:?}");
        cast.add(character, name, &environment, &world, &layers).context(context)?;
    }
    let Cast { actors, characters } = cast;
    ensure!(spec.swim_speed >= 0.0, "swim_speed must be at least 0");
    let volumes = Volumes::new(volumes(&spec.volumes)?);
    let swim_speed = spec.swim_speed;
    Ok(Scene {
        world,
        volumes,
        swim_speed,
        body_names,
        moving,
        pushed,
        crates,
        environment,
        start_tick: spec.start_tick,
        ticks: spec.ticks,
        actors,
        characters,
    })
}

/// The names of the bodies, or of the characters: each is of one, for the lines say names only.
#[derive(Default)]
pub(crate) struct Names(BTreeSet<String>);

impl Names {
    pub(crate) fn take(&mut self, given: Option<&String>, kind: &str, index: usize) -> Result<String> {
        let name = given.cloned().unwrap_or_else(|| format!("{kind} {index}"));
        ensure!(
            self.0.insert(name.clone()),
            "{kind} {index} has the same name {name:?} as an earlier one: rename it"
        );
        Ok(name)
    }
}

/// All characters, of both rules.
struct Cast {
    actors: Vec<Actor>,
    characters: Vec<Character>,
}

impl Cast {
    fn add(
        &mut self,
        spec: CharacterSpec,
        name: String,
        environment: &Environment,
        world: &World,
        layers: &LayerNames,
    ) -> Result<()> {
        let shape = spec.shape.mover()?;
        ensure!(shape != Mover::Point, "a character needs a body: \"point\" is only for casts");
        let settings = settings(&spec.settings, environment, layers)?;
        let (position, velocity) = (DVec3::from_array(spec.position), DVec3::from_array(spec.velocity));
        let role = match spec.rule {
            Rule::Character => {
                let mut character = Character::new(shape, settings)?.at(position)?;
                character.set_velocity(velocity)?;
                self.characters.push(character);
                Role::Character(self.characters.len() - 1)
            }
            Rule::Slide => {
                // One motion is what bare sliding is; a character walks and falls by turns.
                let gravity_pass = if spec.settings.gravity_pass.is_some() {
                    settings.gravity_pass
                } else {
                    GravityPass::Combined
                };
                let settings = Settings { gravity_pass, ..settings };
                let walker =
                    Walker::new(WalkerSpec { shape, settings, position, velocity }, environment, world)?;
                Role::Slide(Box::new(walker))
            }
        };
        let entry = |(i, input): (usize, InputSpec)| entry(&input).with_context(|| format!("input {i}"));
        let script = Script(spec.input.into_iter().enumerate().map(entry).collect::<Result<_>>()?);
        self.actors.push(Actor { name, script, role });
        Ok(())
    }
}

/// Keys that a scene leaves out have the library's defaults.
fn settings(spec: &SettingsSpec, environment: &Environment, layers: &LayerNames) -> Result<Settings> {
    ensure!(spec.skin.is_none_or(|skin| skin > 0.0), "skin must be greater than 0");
    for (key, number) in [
        ("step_height", spec.step_height),
        ("snap_distance", spec.snap_distance),
        ("push_force", spec.push_force),
        ("escape_speed", spec.escape_speed),
    ] {
        ensure!(number.is_none_or(|number| number >= 0.0), "{key} must be at least 0");
    }
    let between = |number: Option<f64>, most: f64| number.is_none_or(|number| (0.0..=most).contains(&number));
    ensure!(between(spec.max_slope_degrees, 90.0), "max_slope_degrees must be from 0 to 90");
    ensure!(between(spec.air_control, 1.0), "air_control must be from 0 to 1");
    let library = Settings::default();
    let collides_with = match &spec.collides_with {
        None => library.collides_with,
        Some(names) => {
            names.iter().try_fold(Layers::NONE, |all, name| anyhow::Ok(all | layers.known(name)?))?
        }
    };
    Ok(Settings {
        up: environment.up,
        gravity: environment.gravity,
        skin: spec.skin,
        step_height: spec.step_height.unwrap_or(library.step_height),
        // 90° in radians may round to more than a right angle.
        max_slope: spec
            .max_slope_degrees
            .map_or(library.max_slope, |degrees| degrees.to_radians().min(std::f64::consts::FRAC_PI_2)),
        snap_distance: spec.snap_distance,
        air_control: spec.air_control.unwrap_or(library.air_control),
        air_steps: spec.air_steps.unwrap_or(library.air_steps),
        friction: library.friction,
        platform_velocity: match spec.inherit_platform_velocity {
            None => library.platform_velocity,
            Some(true) => PlatformVelocity::Inherit,
            Some(false) => PlatformVelocity::Drop,
        },
        riders: match spec.riders {
            None => library.riders,
            Some(RidersSpec::Carry) => Riders::Carry,
            Some(RidersSpec::LeaveBehind) => Riders::LeaveBehind,
        },
        gravity_pass: match spec.gravity_pass {
            None => library.gravity_pass,
            Some(GravityPassSpec::Separate) => GravityPass::Separate,
            Some(GravityPassSpec::Combined) => GravityPass::Combined,
        },
        push_force: spec.push_force.unwrap_or(library.push_force),
        escape_speed: spec.escape_speed.or(library.escape_speed),
        collides_with,
    })
}

fn entry(input: &InputSpec) -> Result<Entry> {
    ensure!(input.from <= input.until, "from ({}) is after until ({})", input.from, input.until);
    ensure!(input.jump.is_none_or(|jump| jump >= 0.0), "jump must be at least 0");
    let desired_velocity = input.desired_velocity.map(DVec3::from_array);
    Ok(Entry { from: input.from, until: input.until, desired_velocity, jump: input.jump })
}
