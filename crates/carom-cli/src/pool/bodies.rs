//! The bodies of a scene of balls, at rest or moving: the keys and checks of `carom walk`, played without
//! ticks.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use carom::balls::Table;
use carom::num::ops;
use carom::world::{BodyId, World};
use carom_formats::LoadOptions;
use glam::{DQuat, DVec3};

use super::scene::{BodySpec, Vector};
use crate::walk::bodies::{self, Source, Whole};
use crate::walk::layers::LayerNames;
use crate::walk::motion::BodyMotion;
use crate::walk::scene as walk;

/// A loop may start again this many times in a scene.
const MOST_LOOPS: f64 = 1e6;

/// A body of the scene.
#[derive(Clone, Debug)]
pub(crate) struct NamedBody {
    pub(crate) name: String,
    pub(crate) id: BodyId,
    pub(crate) motion: TableMotion,
}

/// How a body of a table moves.
#[derive(Clone, Debug)]
pub(crate) enum TableMotion {
    Rests,
    /// In m/s and rad/s, from the start on.
    Driven {
        linear: DVec3,
        angular: DVec3,
    },
    Planned(Plan),
}

/// The poses of a body at times that increase.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    times: Vec<f64>,
    poses: Vec<(DVec3, DQuat)>,
    repeats: bool,
}

/// Adds the bodies to the obstacles.
pub(crate) fn build(
    specs: Vec<BodySpec>,
    folder: &Path,
    until: f64,
    read: &impl Fn(&Vector, &str) -> Result<DVec3>,
    obstacles: &mut World,
) -> Result<Vec<NamedBody>> {
    let mut layers = LayerNames::default();
    let mut all = Vec::with_capacity(specs.len());
    for (index, spec) in specs.into_iter().enumerate() {
        let name = spec.name.clone().unwrap_or_else(|| format!("body {index}"));
        let context = format!("body {name:?}");
        let spec = for_walk(spec, read).with_context(|| context.clone())?;
        // Balls meet no curved surfaces yet: patches become triangles.
        let source = Source { folder, patches: LoadOptions::default() };
        let Whole { body, motion, .. } =
            bodies::build(&spec, &source, &mut layers).with_context(|| context.clone())?;
        let moves = match (motion, spec.keyframes) {
            (Some(BodyMotion::Driven { linear, angular }), _) => TableMotion::Driven { linear, angular },
            (Some(BodyMotion::Planned { plan, .. }), Some(keyframes)) => {
                let repeats = spec.repeat == Some(true);
                let times: Vec<f64> = keyframes.iter().map(|key| key.time).collect();
                let last = times.last().copied().unwrap_or(0.0);
                ensure!(
                    !repeats || last * MOST_LOOPS >= until,
                    "{context}: the loop of {last} s is too short: it would repeat more than a million times"
                );
                let pose = |time: &f64| {
                    let pose = plan.pose_at(*time);
                    (pose.position(), pose.rotation())
                };
                // With a loop the last time is the first again.
                let mut poses: Vec<_> = times.iter().map(pose).collect();
                if let (Some(pose), Some(key)) = (poses.last_mut(), keyframes.last()) {
                    let turn = DQuat::from_array(key.rotation).normalize();
                    *pose = (DVec3::from_array(key.position), turn);
                }
                TableMotion::Planned(Plan { times, poses, repeats: repeats && last > 0.0 })
            }
            _ => TableMotion::Rests,
        };
        all.push(NamedBody { name, id: obstacles.add(body), motion: moves });
    }
    Ok(all)
}

fn for_walk(spec: BodySpec, read: &impl Fn(&Vector, &str) -> Result<DVec3>) -> Result<walk::BodySpec> {
    let vector = |vector: &Option<Vector>, what: &str| {
        vector.as_ref().map(|vector| read(vector, what).map(|v| v.to_array())).transpose()
    };
    let (position, linear) = (vector(&spec.position, "position")?, vector(&spec.linear, "linear")?);
    let key = |key: &super::scene::KeyframeSpec| -> Result<walk::KeyframeSpec> {
        let position = read(&key.position, "keyframes: position")?.to_array();
        Ok(walk::KeyframeSpec { time: key.time, position, rotation: key.rotation })
    };
    let keyframes =
        spec.keyframes.map(|keys| keys.iter().map(key).collect::<Result<Vec<_>>>()).transpose()?;
    Ok(walk::BodySpec {
        sensor: None,
        hull: None,
        heightfield: None,
        plane: None,
        pieces: None,
        patch: None,
        hash: None,
        name: spec.name,
        file: spec.file,
        mesh: spec.mesh,
        cuboid: spec.cuboid,
        sphere: spec.sphere,
        ellipsoid: None,
        capsule: None,
        cylinder: None,
        cone: None,
        up: spec.up,
        scale: spec.scale.map(walk::ScaleSpec::Same),
        position,
        rotation: spec.rotation,
        friction: None,
        restitution: None,
        one_sided: None,
        layer: None,
        linear,
        angular: spec.angular,
        keyframes,
        repeat: spec.repeat,
        surface_velocity: None,
        dynamic: None,
        mass: None,
        separate: None,
    })
}

/// Where a plan is: which keyframe comes next, and when the plan began this time.
struct Stage {
    began: f64,
    next: usize,
}

/// Moves the bodies in turn.
pub(crate) struct Drive<'a> {
    bodies: &'a [NamedBody],
    stages: Vec<Option<Stage>>,
}

impl<'a> Drive<'a> {
    /// Starts all of them.
    pub(crate) fn start(bodies: &'a [NamedBody], table: &mut Table) -> Self {
        let stages = bodies
            .iter()
            .map(|body| match &body.motion {
                TableMotion::Rests => None,
                TableMotion::Driven { linear, angular } => {
                    table.drive(body.id, *linear, *angular);
                    None
                }
                TableMotion::Planned(_) => Some(Stage { began: 0.0, next: 0 }),
            })
            .collect();
        let mut drive = Self { bodies, stages };
        drive.change(table);
        drive
    }

    /// The time at which a body gets another motion.
    pub(crate) fn next_change(&self) -> f64 {
        self.bodies
            .iter()
            .zip(&self.stages)
            .filter_map(|(body, stage)| match (&body.motion, stage) {
                (TableMotion::Planned(plan), Some(stage)) => Some(stage.began + plan.times.get(stage.next)?),
                _ => None,
            })
            .fold(f64::INFINITY, f64::min)
    }

    /// Gives new motions to the bodies whose time has come.
    pub(crate) fn change(&mut self, table: &mut Table) {
        for (body, slot) in self.bodies.iter().zip(&mut self.stages) {
            let (TableMotion::Planned(plan), Some(stage)) = (&body.motion, &mut *slot) else { continue };
            let now = table.time();
            let mut reached = false;
            while plan.times.get(stage.next).is_some_and(|time| stage.began + time <= now) {
                reached = true;
                stage.next += 1;
                if stage.next == plan.times.len() && plan.repeats {
                    let last = plan.times.last().copied().unwrap_or(0.0);
                    (stage.began, stage.next) = (stage.began + last, 0);
                    let same = plan.poses.first() == plan.poses.last();
                    if let (false, Some(&(position, rotation))) = (same, plan.poses.first()) {
                        table.place_body(body.id, position, rotation);
                    }
                    if plan.times[0] > 0.0 {
                        break;
                    }
                }
            }
            if !reached {
                continue;
            }
            let (Some(&time), Some(&(position, rotation))) =
                (plan.times.get(stage.next), plan.poses.get(stage.next))
            else {
                table.drive(body.id, DVec3::ZERO, DVec3::ZERO);
                *slot = None;
                continue;
            };
            let seconds = stage.began + time - now;
            let waits = stage.next == 0;
            match table.body_pose(body.id) {
                Some((from, turned)) if !waits && seconds > 0.0 => {
                    let turn = scaled_axis(rotation * turned.conjugate());
                    table.drive(body.id, (position - from) / seconds, turn / seconds);
                }
                _ => {
                    table.drive(body.id, DVec3::ZERO, DVec3::ZERO);
                }
            }
        }
    }
}

/// The axis of a rotation, as long as its angle: the short way round.
fn scaled_axis(turn: DQuat) -> DVec3 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let axis = turn.xyz();
    let length = axis.length();
    if length > 0.0 { axis * (2.0 * ops::atan2(length, turn.w) / length) } else { DVec3::ZERO }
}
