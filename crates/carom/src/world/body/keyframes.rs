//! Poses over time, for doors and lifts that follow a plan.

use alloc::vec::Vec;

use glam::{DQuat, DVec3};
use thiserror::Error;

use crate::shape::ShapeError;
use crate::world::Pose;
use crate::world::body::rigid_motion::RigidMotion;

/// The pose of a body at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keyframe {
    /// Seconds.
    pub time: f64,
    /// Meters.
    pub position: DVec3,
    /// From the body's axes to the world's.
    pub rotation: DQuat,
}

/// The behavior after the last keyframe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterLast {
    /// The body stays there.
    Stay,
    /// Time starts again at 0.
    Repeat,
}

/// Why keyframes are refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum KeyframesError {
    /// The list is empty.
    #[error("there must be at least one keyframe")]
    Empty,
    /// A time that is not finite, not later than the one before, or below 0.
    #[error("the time of keyframe {0} must be finite, at least 0, and later than the one before")]
    Time(usize),
    /// A position or a rotation that is NaN, infinite or zero.
    #[error("keyframe {0}: {1}")]
    Pose(usize, ShapeError),
    /// A plan that lasts no time can't be repeated.
    #[error("keyframes that repeat must last longer than 0 seconds")]
    NoTime,
}

#[derive(Clone, Debug, PartialEq)]
struct TimedPose {
    time: f64,
    pose: Pose,
}

/// A plan of motion. Positions move in straight lines from keyframe to keyframe, rotations turn the short way
/// at constant speed. Before the first keyframe the pose is the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyframes {
    frames: Vec<TimedPose>,
    after: AfterLast,
}

impl Keyframes {
    /// A plan from a list of keyframes.
    ///
    /// # Errors
    /// The list is empty, times do not increase, numbers are not finite, or a repeated plan has no duration.
    pub fn new(keyframes: &[Keyframe], after: AfterLast) -> Result<Self, KeyframesError> {
        let mut frames: Vec<TimedPose> = Vec::with_capacity(keyframes.len());
        for (index, frame) in keyframes.iter().enumerate() {
            let later = frames.last().is_none_or(|before| frame.time > before.time);
            if !(frame.time.is_finite() && frame.time >= 0.0 && later) {
                return Err(KeyframesError::Time(index));
            }
            let pose = Pose::at(frame.position)
                .and_then(|pose| pose.with_rotation(frame.rotation))
                .map_err(|error| KeyframesError::Pose(index, error))?;
            frames.push(TimedPose { time: frame.time, pose });
        }
        match frames.last() {
            None => Err(KeyframesError::Empty),
            Some(last) if after == AfterLast::Repeat && last.time <= 0.0 => Err(KeyframesError::NoTime),
            Some(_) => Ok(Self { frames, after }),
        }
    }

    /// The keyframes in order, their rotations of length 1.
    pub fn keyframes(&self) -> impl ExactSizeIterator<Item = Keyframe> + '_ {
        let frame = |TimedPose { time, pose }: &TimedPose| Keyframe {
            time: *time,
            position: pose.position(),
            rotation: pose.rotation(),
        };
        self.frames.iter().map(frame)
    }

    /// The behavior after the last keyframe.
    pub fn after_last(&self) -> AfterLast {
        self.after
    }

    /// The time of the last keyframe, in seconds.
    pub fn seconds(&self) -> f64 {
        self.frames.last().map_or(0.0, |last| last.time)
    }

    /// The pose at a time in seconds.
    pub fn pose_at(&self, seconds: f64) -> Pose {
        let last = self.seconds();
        let time = match self.after {
            AfterLast::Repeat if seconds > last => seconds % last,
            _ => seconds,
        };
        let next = self.frames.partition_point(|frame| frame.time <= time);
        match (next.checked_sub(1).map(|before| &self.frames[before]), self.frames.get(next)) {
            (Some(from), Some(until)) => {
                let share = (time - from.time) / (until.time - from.time);
                RigidMotion::between(from.pose, until.pose).map_or(from.pose, |motion| motion.at(share))
            }
            (Some(only), None) | (None, Some(only)) => only.pose,
            (None, None) => Pose::IDENTITY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: f64, x: f64) -> Keyframe {
        Keyframe { time, position: DVec3::X * x, rotation: DQuat::IDENTITY }
    }

    #[test]
    fn goes_straight_between_and_stays_outside() {
        let plan = Keyframes::new(&[at(1.0, 0.0), at(3.0, 4.0)], AfterLast::Stay).unwrap();
        for (time, x) in [(0.0, 0.0), (1.0, 0.0), (1.5, 1.0), (3.0, 4.0), (9.0, 4.0)] {
            assert_eq!(plan.pose_at(time).position(), DVec3::X * x, "{time}");
        }
    }

    #[test]
    fn starts_again_after_the_last() {
        let plan = Keyframes::new(&[at(0.0, 0.0), at(2.0, 2.0), at(4.0, 0.0)], AfterLast::Repeat).unwrap();
        assert_eq!(plan.pose_at(5.0).position(), DVec3::X);
        assert_eq!(plan.pose_at(4.0).position(), DVec3::ZERO);
    }

    #[test]
    fn a_plan_says_what_it_was_made_of() {
        let frames = [at(0.5, 1.0), at(2.0, 3.0)];
        let plan = Keyframes::new(&frames, AfterLast::Repeat).unwrap();
        assert_eq!(plan.keyframes().collect::<Vec<_>>(), frames);
        assert_eq!((plan.seconds(), plan.after_last()), (2.0, AfterLast::Repeat));
    }

    #[test]
    fn nonsense_is_refused_by_its_index() {
        assert_eq!(Keyframes::new(&[], AfterLast::Stay), Err(KeyframesError::Empty));
        let twice = [at(1.0, 0.0), at(1.0, 1.0)];
        assert_eq!(Keyframes::new(&twice, AfterLast::Stay), Err(KeyframesError::Time(1)));
        assert_eq!(Keyframes::new(&[at(f64::NAN, 0.0)], AfterLast::Stay), Err(KeyframesError::Time(0)));
        assert_eq!(Keyframes::new(&[at(0.0, 1.0)], AfterLast::Repeat), Err(KeyframesError::NoTime));
        assert!(matches!(
            Keyframes::new(&[at(0.0, f64::INFINITY)], AfterLast::Stay),
            Err(KeyframesError::Pose(0, _))
        ));
    }
}
