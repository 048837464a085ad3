//! Moving nodes as rigid bodies: the constant part of a chain of nodes goes into the vertices, the rest into
//! a pose over time.
//!
//! Above an animated node let the chain be x ↦ k + s·Q·x, and let the node itself be x ↦ τ(t) + R(t)·S·x.
//! Then the contents of the node are at [k + s·Q·τ(t)] + [Q·R(t)·Qᵀ]·(s·Q·S·x): a rotation and a translation
//! over time, exact at all times, of vertices that do not change, for any S, also if Q mirrors. If another
//! node above moves, both motions are combined at their times, and often enough between that a turn of at
//! most [`TURN`] counts as straight.

use std::f64::consts::TAU;

use carom::num::ops;
use carom::num::turn::Turn;
use carom::world::{AfterLast, Keyframe, Keyframes};
use glam::{DAffine3, DQuat, DVec3};

use super::animation::{Track, Tracks, Value};
use super::placement::{Parts, from_parts};
use crate::assembly::Assembly;
use crate::error::LoadError;
use crate::transform::Transform;

/// The most that either of two motions, one within the other, turns between two keyframes. With
/// [`FEWEST`] the way from one to the next is within a thousandth of the arm and of the inner way.
const TURN: f64 = TAU / 256.0;
/// Keyframes between two times of theirs, at least, if the outer one turns by [`TURN`] in between; fewer, in
/// proportion, if it turns less.
const FEWEST: f64 = 8.0;

/// A rigid motion in the file's own frame and unit, straight between the points.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    points: Vec<(f64, DVec3, DQuat)>,
    /// The times that keyframes of the file are at; in a chain there are more points between.
    keys: Vec<f64>,
    period: f64,
}

/// The parent of a node: a joint, and the transform between the joint and the node.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParentFrame {
    /// The number of a joint; `None`: the file itself, and then `inner` is where the node is.
    pub(super) joint: Option<u32>,
    pub(super) inner: Transform,
}

impl ParentFrame {
    pub(super) const FILE: Self = Self { joint: None, inner: Transform::IDENTITY };

    pub(super) fn then(&self, child: &Transform) -> Self {
        Self { inner: self.inner.then(child), ..*self }
    }
}

/// The parts of a node with those that an animation keeps the same.
pub(super) fn kept(tracks: &Tracks, parts: Parts) -> Parts {
    let translation = tracks.translation.as_ref().and_then(Track::constant);
    let rotation = tracks.rotation.as_ref().and_then(Track::constant);
    Parts {
        translation: translation.map_or(parts.translation, |t| t.to_array()),
        rotation: rotation.map(|r| r.to_array()).or(parts.rotation),
        scale: tracks.scale.map_or(parts.scale, |s| s.to_array()),
    }
}

/// Whether an animation moves a node at all.
pub(super) fn moves(tracks: &Tracks) -> bool {
    let is_still = tracks.translation.as_ref().is_none_or(|track| track.constant().is_some())
        && tracks.rotation.as_ref().is_none_or(|track| track.constant().is_some());
    !is_still && tracks.period > 0.0
}

/// The motion of a node, and the frame of what is in it; `None` if that would not be rigid.
pub(super) fn joint(
    frame: &ParentFrame,
    above: Option<&Joint>,
    tracks: &Tracks,
    parts: &Parts,
    level: &mut Assembly,
) -> Result<Option<(Joint, Transform)>, LoadError> {
    let Some(axes) = frame.inner.square_axes() else { return Ok(None) };
    let DAffine3 { matrix3: linear, translation: offset } = frame.inner.affine;
    let mirror = if frame.inner.mirrored { -1.0 } else { 1.0 };
    let Some(own) = from_parts(&Parts { translation: [0.0; 3], rotation: None, scale: parts.scale }) else {
        return Ok(None);
    };
    let still = DVec3::from_array(parts.translation);
    // Keyframes make its length 1; zero was refused.
    let unturned = parts.rotation.map_or(DQuat::IDENTITY, |r| {
        let largest = r.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        let near_one = DQuat::from_array(r.map(|x| x / largest));
        near_one / ops::sqrt(near_one.length_squared())
    });
    let mut times: Vec<f64> = vec![0.0, tracks.period];
    times.extend(tracks.translation.iter().flat_map(|track| track.0.iter().map(|(time, _)| *time)));
    times.extend(tracks.rotation.iter().flat_map(|track| track.0.iter().map(|(time, _)| *time)));
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    level.count_keyframes(times.len() as u64)?;
    let at = |time: f64| {
        let moved = tracks.translation.as_ref().map_or(still, |track| track.at(time));
        let turned = tracks.rotation.as_ref().map_or(unturned, |track| track.at(time));
        // Q·R·Qᵀ turns by the same angle about Q of the axis, the other way round where Q mirrors.
        let axis = axes * DVec3::new(turned.x, turned.y, turned.z) * mirror;
        (time, offset + linear * moved, DQuat::from_xyzw(axis.x, axis.y, axis.z, turned.w))
    };
    let points = times.iter().copied().map(at).collect();
    let own_joint = Joint { points, keys: times, period: tracks.period };
    let joint = match above {
        None => own_joint,
        Some(above) => above.with(&own_joint, level)?,
    };
    let around = Transform { affine: DAffine3 { matrix3: linear, translation: DVec3::ZERO }, ..frame.inner };
    Ok(Some((joint, around.then(&own))))
}

impl Joint {
    /// The pose at a time of a motion that ends at `end`.
    fn at(&self, time: f64, end: f64) -> (DVec3, DQuat) {
        let phase = time % self.period;
        // Of each repetition but the last the end is the begin of the next.
        let time = if phase == 0.0 && time >= end { self.period } else { phase };
        let next = self.points.partition_point(|(start, ..)| *start <= time);
        // The first is at 0, the last at the end of the period.
        let (from, a, turned) = self.points[next.saturating_sub(1)];
        match self.points.get(next) {
            Some((until, b, to)) => {
                let share = (time - from) / (until - from);
                (a.between(*b, share), turned.between(*to, share))
            }
            None => (a, turned),
        }
    }

    /// Every time of it, repeated until another ends.
    fn times(&self, until: f64, times: &mut Vec<f64>) {
        let mut start = 0.0;
        while start < until {
            times.extend(self.keys.iter().map(|time| start + time).filter(|time| *time <= until));
            start += self.period;
            if start < until {
                // It begins again: just before, it is at its end.
                times.push(start - self.period / f64::from(1 << 30));
            }
        }
    }

    /// A motion within this one. Of two lengths, both begin again when the longer one ends.
    fn with(&self, inner: &Self, level: &mut Assembly) -> Result<Self, LoadError> {
        let period = self.period.max(inner.period);
        for joint in [self, inner] {
            // Few are made of files that people make: as many as there are repetitions.
            let turns = (period / joint.period).ceil().max(1.0);
            level.count_keyframes((turns * (joint.keys.len() + 1) as f64).min(u64::MAX as f64) as u64)?;
        }
        let mut times = Vec::new();
        self.times(period, &mut times);
        inner.times(period, &mut times);
        times.push(period);
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        let at = |time: f64| {
            let ((p, r), (q, s)) = (self.at(time, period), inner.at(time, period));
            (time, p + r * q, r * s)
        };
        let mut points = Vec::with_capacity(times.len());
        for (index, time) in times.iter().enumerate() {
            points.push(at(*time));
            let Some(next) = times.get(index + 1) else { break };
            let turned =
                |joint: &Self| Turn::between(joint.at(*time, period).1, joint.at(*next, period).1).angle();
            let (outer, own) = (turned(self), turned(inner));
            let by_turn = if outer > 0.0 { outer.max(own) / TURN } else { 1.0 };
            let pieces = by_turn.max(FEWEST.min(FEWEST * outer / TURN)).ceil().max(1.0) as u32;
            level.count_keyframes(u64::from(pieces))?;
            for piece in 1..pieces {
                let share = f64::from(piece) / f64::from(pieces);
                let between = time + (next - time) * share;
                // A step has no time between its two sides.
                if between > *time && between < *next {
                    points.push(at(between));
                }
            }
        }
        Ok(Self { points, keys: times, period })
    }

    /// As keyframes in the level's frame.
    pub(super) fn keyframes(&self, level: &Assembly) -> Option<Keyframes> {
        let frame = |(time, position, rotation): &(f64, DVec3, DQuat)| Keyframe {
            time: *time,
            position: level.mapped(*position) + DVec3::ZERO,
            rotation: level.turned_rotation(*rotation),
        };
        let frames: Vec<Keyframe> = self.points.iter().map(frame).collect();
        Keyframes::new(&frames, AfterLast::Repeat).ok()
    }
}
