//! The bodies of a scene of balls, at rest or moving: the keys and checks of `carom walk`, played without
//! ticks.

use std::f64::consts::TAU;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use carom::balls::Table;
use carom::num::ops;
use carom::world::{AfterLast, BodyId, Keyframe, World};
use carom_formats::LoadOptions;
use glam::{DQuat, DVec3};

use super::scene::{BodySpec, Vector};
use crate::walk::bodies::{self, Built, Source};
use crate::walk::layers::LayerNames;
use crate::walk::motion::BodyMotion;
use crate::walk::scene as walk;
use crate::walk::setup::Names;

/// A body may turn this many times in a scene: more is a slip of the pen, and each turn costs time.
const MOST_TURNS: f64 = 1e5;
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
    frames: Vec<Keyframe>,
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
    // Balls meet no curved surfaces yet: patches become triangles.
    let source = Source { folder, patches: LoadOptions::default() };
    let (mut layers, mut names) = (LayerNames::default(), Names::default());
    let mut all = Vec::with_capacity(specs.len());
    for (index, spec) in specs.into_iter().enumerate() {
        let name = names.take(spec.name.as_ref(), "body", index)?;
        let context = || format!("body {name:?}");
        let spec = for_walk(spec, read).with_context(context)?;
        let built = bodies::build_all(&spec, &name, &source, &mut layers).with_context(context)?;
        for Built { name, body, motion } in built {
            let motion = TableMotion::of(motion, until).with_context(context)?;
            all.push(NamedBody { name, id: obstacles.add(body), motion });
        }
    }
    Ok(all)
}

impl TableMotion {
    fn of(motion: Option<BodyMotion>, until: f64) -> Result<Self> {
        match motion {
            Some(BodyMotion::Driven { linear, angular }) => {
                ensure!(
                    angular.length() * until <= MOST_TURNS * TAU,
                    "angular: it would turn more than 100,000 times until {until} s: choose smaller numbers"
                );
                Ok(Self::Driven { linear, angular })
            }
            Some(BodyMotion::Planned { plan, .. }) => {
                let repeats = plan.after_last() == AfterLast::Repeat;
                ensure!(
                    !repeats || plan.seconds() * MOST_LOOPS >= until,
                    "loop: keyframes of {} s would repeat more than a million times until {until} s: choose \
                     later times or a smaller \"until\"",
                    plan.seconds()
                );
                Ok(Self::Planned(Plan { frames: plan.keyframes().collect(), repeats }))
            }
            Some(BodyMotion::Pushed { .. }) | None => Ok(Self::Rests),
        }
    }
}

/// The same body of a scene of characters.
fn for_walk(spec: BodySpec, read: &impl Fn(&Vector, &str) -> Result<DVec3>) -> Result<walk::BodySpec> {
    let given = [
        spec.file.is_some(),
        spec.mesh.is_some(),
        spec.hull.is_some(),
        spec.heightfield.is_some(),
        spec.cuboid.is_some(),
        spec.sphere.is_some(),
        spec.capsule.is_some(),
        spec.pieces.is_some(),
    ];
    let kinds = given.into_iter().filter(|given| *given).count();
    ensure!(
        kinds == 1,
        "needs exactly one of file, mesh, hull, heightfield, box, sphere, capsule and pieces, and has {kinds}"
    );
    for (number, piece) in spec.pieces.iter().flatten().enumerate() {
        let round = [
            ("ellipsoid", piece.ellipsoid.is_some()),
            ("cylinder", piece.cylinder.is_some()),
            ("cone", piece.cone.is_some()),
        ];
        if let Some((kind, _)) = round.iter().find(|(_, given)| *given) {
            bail!("piece {number}: balls do not meet the {kind} yet: use a capsule, a hull or a mesh");
        }
    }
    let vector = |vector: &Option<Vector>, what: &str| {
        vector.as_ref().map(|vector| read(vector, what).map(|v| v.to_array())).transpose()
    };
    let (position, linear) = (vector(&spec.position, "position")?, vector(&spec.linear, "linear")?);
    let key = |(number, key): (usize, &super::scene::KeyframeSpec)| -> Result<walk::KeyframeSpec> {
        let position = read(&key.position, "position").with_context(|| format!("keyframe {number}"))?;
        Ok(walk::KeyframeSpec { time: key.time, position: position.to_array(), rotation: key.rotation })
    };
    let keyframes = spec
        .keyframes
        .map(|keys| keys.iter().enumerate().map(key).collect::<Result<Vec<_>>>())
        .transpose()?;
    Ok(walk::BodySpec {
        name: spec.name,
        file: spec.file,
        separate: spec.separate,
        mesh: spec.mesh,
        hull: spec.hull,
        heightfield: spec.heightfield,
        cuboid: spec.cuboid,
        sphere: spec.sphere,
        capsule: spec.capsule,
        pieces: spec.pieces,
        up: spec.up,
        scale: spec.scale,
        position,
        rotation: spec.rotation,
        linear,
        angular: spec.angular,
        keyframes,
        repeat: spec.repeat,
        ..walk::BodySpec::default()
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
                (TableMotion::Planned(plan), Some(stage)) => {
                    Some(stage.began + plan.frames.get(stage.next)?.time)
                }
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
            while plan.frames.get(stage.next).is_some_and(|frame| stage.began + frame.time <= now) {
                reached = true;
                stage.next += 1;
                if stage.next == plan.frames.len() && plan.repeats {
                    let [first, last] = [plan.frames[0], plan.frames[stage.next - 1]];
                    (stage.began, stage.next) = (stage.began + last.time, 0);
                    // A rotation and its negative are the same.
                    let same = first.rotation == last.rotation || first.rotation == -last.rotation;
                    if !same || first.position != last.position {
                        table.place_body(body.id, first.position, first.rotation);
                    }
                    if first.time > 0.0 {
                        break;
                    }
                }
            }
            if !reached {
                continue;
            }
            let Some(to) = plan.frames.get(stage.next) else {
                table.drive(body.id, DVec3::ZERO, DVec3::ZERO);
                *slot = None;
                continue;
            };
            let seconds = stage.began + to.time - now;
            let from = stage.next.checked_sub(1).and_then(|before| plan.frames.get(before));
            match (from, table.body_pose(body.id)) {
                (Some(from), Some((position, rotation))) if seconds > 0.0 => {
                    // The planned direction of the turn, from where the body is by rounding.
                    let turn = to.rotation * rotation.conjugate();
                    let planned = turn_between(from, to);
                    let turn = if turn.dot(planned) < 0.0 { -turn } else { turn };
                    let angular = scaled_axis(turn) / seconds;
                    table.drive(body.id, (to.position - position) / seconds, angular);
                }
                _ => {
                    table.drive(body.id, DVec3::ZERO, DVec3::ZERO);
                }
            }
        }
    }
}

/// The turn from one keyframe to another, the short way round.
fn turn_between(from: &Keyframe, to: &Keyframe) -> DQuat {
    let turn = to.rotation * from.rotation.conjugate();
    if turn.w < 0.0 { -turn } else { turn }
}

/// The axis of a turn, as long as its angle.
fn scaled_axis(turn: DQuat) -> DVec3 {
    let axis = turn.xyz();
    let length = axis.length();
    if length > 0.0 { axis * (2.0 * ops::atan2(length, turn.w) / length) } else { DVec3::ZERO }
}
