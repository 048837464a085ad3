//! Bodies that follow a plan: lifts, doors, platforms; and belts, which stay and carry.
//!
//! The time of a place is that of its first arrival. A body that is put there again finds every moving body
//! where it was at that time. On and beside a moving body, a place is left at many moments: the character
//! waits, tick by tick in the moving world, and leaves from where it has been brought. A place on a moving
//! body belongs to that body: it is the same place wherever the body is.

use carom::world::{BodyId, Keyframes, Pose};
use carom::{Body, World};
use carom_formats::Extents;
use glam::{DQuat, DVec3};
use serde_json::Value;

/// The longest that a body waits, in seconds.
const LONGEST: f64 = 60.0;
/// A moment differs from the one before if something near has moved by this since, in meters: a body steps up
/// less than that.
const MOVED: f64 = 0.3;
/// How many moments a place is left at, but for the first, at most.
pub(crate) const MOMENTS: u16 = 127;
/// The most poses of a body that the box around all of them is made of.
const MOST_POSES: f64 = 20_000.0;
/// A body this far from all that moves, in meters beyond its own size, does not meet it in a tick.
const FAR: f64 = 2.0;

/// A body of a scene that moves by a plan, or whose surface runs.
#[derive(Clone, Debug)]
pub struct Moving {
    /// Its name in the rules.
    pub name: String,
    /// Where it is at first.
    pub body: Body,
    /// Its poses by time; `None` for a body that stays.
    pub plan: Option<Keyframes>,
    /// As scenes have it, for witnesses.
    pub scene: Value,
}

impl Moving {
    fn pose_at(&self, seconds: f64) -> Pose {
        let still = *self.body.pose();
        let pose = self.plan.as_ref().map(|plan| plan.pose_at(seconds).with_scale(still.scale()));
        pose.and_then(Result::ok).unwrap_or(still)
    }

    /// Its keyframes as time, position and rotation; of a body that stays, its pose.
    pub(crate) fn way(&self) -> Vec<[f64; 8]> {
        let row = |time: f64, position: DVec3, rotation: DQuat| {
            let ([x, y, z], [i, j, k, w]) = (position.to_array(), rotation.to_array());
            [time, x, y, z, i, j, k, w]
        };
        match &self.plan {
            Some(plan) => plan.keyframes().map(|at| row(at.time, at.position, at.rotation)).collect(),
            None => vec![row(0.0, self.body.pose().position(), self.body.pose().rotation())],
        }
    }
}

/// All bodies that move, in a world with all that does not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Movers {
    pub(crate) list: Vec<Moving>,
    ids: Vec<BodyId>,
    /// Everything, at time 0.
    world: World,
    /// Of each, all that it sweeps over.
    swept: Vec<Extents>,
    /// How long the longest plan takes, in seconds.
    horizon: f64,
}

impl Movers {
    pub(crate) fn new(still: &World, list: Vec<Moving>) -> Self {
        let mut world = still.clone();
        let ids = list.iter().map(|moving| world.add(moving.body.clone())).collect();
        let takes = list.iter().filter_map(|moving| moving.plan.as_ref()).map(Keyframes::seconds);
        let horizon = takes.fold(0.0, f64::max).min(LONGEST);
        let swept = list.iter().map(swept).collect();
        Self { list, ids, world, swept, horizon }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The world at first.
    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    /// The lowest that any of them gets.
    pub(crate) fn lowest(&self) -> f64 {
        self.swept.iter().map(|swept| swept.low.y).fold(f64::INFINITY, f64::min)
    }

    /// A box and all that any of them sweeps over.
    pub(crate) fn bounds(&self, whole: Extents) -> Extents {
        self.swept.iter().fold(whole, |all, swept| all.around(*swept))
    }

    /// How many ticks lie between two moments.
    pub(crate) fn stride(&self, dt: f64) -> u32 {
        let ticks = (self.horizon / dt).ceil().clamp(0.0, 1e6) as u32;
        ticks.div_ceil(u32::from(MOMENTS)).max(1)
    }

    /// How many moments there are after the first.
    pub(crate) fn moments(&self, dt: f64) -> u16 {
        let ticks = (self.horizon / dt).ceil().clamp(0.0, 1e6) as u32;
        (ticks / self.stride(dt)).min(u32::from(MOMENTS)) as u16
    }

    /// Whether a body of these half sides may meet one of them soon.
    pub(crate) fn is_near(&self, at: DVec3, half: DVec3) -> bool {
        self.near(at, half).next().is_some()
    }

    fn near(&self, at: DVec3, half: DVec3) -> impl Iterator<Item = usize> + '_ {
        let reach = half + DVec3::splat(FAR);
        let is_near = move |i: &usize| {
            let Extents { low, high } = self.swept[*i];
            at.cmpge(low - reach).all() && at.cmple(high + reach).all()
        };
        (0..self.swept.len()).filter(is_near)
    }

    /// Whether one of them that is near has moved far enough between two times to make a difference.
    pub(crate) fn differ(&self, at: DVec3, half: DVec3, [a, b]: [f64; 2]) -> bool {
        self.near(at, half).any(|i| {
            let moving = &self.list[i];
            let (from, to) = (moving.pose_at(a), moving.pose_at(b));
            let turned = from.rotation().angle_between(to.rotation());
            let size = 0.5 * self.swept[i].size().max_element();
            (to.position() - from.position()).length_squared() > MOVED * MOVED || turned * size > MOVED
        })
    }

    /// Puts all of them where they are at a time.
    pub(crate) fn put(&self, world: &mut World, seconds: f64) {
        for (moving, id) in self.planned() {
            // Poses of plans are finite.
            let _ = world.set_pose(id, moving.pose_at(seconds));
        }
    }

    /// Sends all of them on their way through a tick that ends at a time.
    pub(crate) fn advance(&self, world: &mut World, end: f64, dt: f64) {
        world.advance(dt, |moves| {
            for (moving, id) in self.planned() {
                let _ = moves.move_to(id, moving.pose_at(end));
            }
        });
    }

    fn planned(&self) -> impl Iterator<Item = (&Moving, BodyId)> {
        self.list.iter().zip(self.ids.iter().copied()).filter(|(moving, _)| moving.plan.is_some())
    }

    /// Which of them this body is, if it moves by a plan.
    pub(crate) fn number(&self, body: Option<BodyId>) -> Option<u8> {
        let number = self.ids.iter().position(|id| Some(*id) == body)?;
        u8::try_from(number).ok().filter(|_| self.list[number].plan.is_some())
    }

    /// A point at a time as one of them has it.
    pub(crate) fn local(&self, number: u8, point: DVec3, seconds: f64) -> DVec3 {
        let Some(moving) = self.list.get(usize::from(number)) else { return point };
        let pose = moving.pose_at(seconds);
        pose.rotation().inverse() * (point - pose.position())
    }
}

/// The box around a body at all times of its plan, a thirtieth of a second apart or, in a long one, a
/// [`MOST_POSES`]th of it.
fn swept(moving: &Moving) -> Extents {
    let seconds = moving.plan.as_ref().map_or(0.0, Keyframes::seconds);
    let steps = (seconds * 30.0).ceil().clamp(0.0, MOST_POSES) as u32;
    (0..=steps).fold(Extents::NONE, |all, step| {
        let body =
            moving.body.clone().at(moving.pose_at(seconds * f64::from(step) / f64::from(steps.max(1))));
        body.bounds().map_or(all, |bounds| all.around(Extents { low: bounds.min(), high: bounds.max() }))
    })
}
