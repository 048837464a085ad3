//! Regions with a meaning for the game: they kill, teleport or push, or characters climb and swim in them.

use glam::DVec3;

/// A named part of space, in meters and with y up.
#[derive(Clone, Debug, PartialEq)]
pub struct Volume {
    /// As the file names it.
    pub name: String,
    /// Its effect on a body.
    pub kind: VolumeKind,
    /// The convex pieces that it is made of.
    pub pieces: Vec<Convex>,
}

/// The effect of a volume on a body that touches it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VolumeKind {
    /// Kills: a fall into it is meant.
    Kill,
    /// Nothing in it is reported.
    Ignore,
    /// The level ends where all volumes of this kind end: what leaves it is out.
    Bounds,
    /// Puts the center of the body somewhere else.
    Teleport {
        /// Where, in meters.
        to: DVec3,
    },
    /// Gives the body a velocity.
    Push {
        /// In m/s.
        velocity: DVec3,
    },
    /// Is climbed at walking speed.
    Ladder,
    /// Is swum in at walking speed.
    Water,
}

impl VolumeKind {
    /// As rules and node names have it: `kill`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::Ignore => "ignore",
            Self::Bounds => "bounds",
            Self::Teleport { .. } => "teleport",
            Self::Push { .. } => "push",
            Self::Ladder => "ladder",
            Self::Water => "water",
        }
    }
}

/// The points p with `normal · p ≤ offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    /// Points out; of length 1.
    pub normal: DVec3,
    /// Along the normal, in meters.
    pub offset: f64,
}

/// A convex piece of space: what all of its half-spaces share.
#[derive(Clone, Debug, PartialEq)]
pub struct Convex {
    planes: Vec<HalfSpace>,
}

impl Convex {
    /// The box between two corners; `None` if it is empty or not finite.
    pub fn from_box(min: DVec3, max: DVec3) -> Option<Self> {
        if !(min.is_finite() && max.is_finite() && min.cmplt(max).all()) {
            return None;
        }
        let sides = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|axis| {
            [
                HalfSpace { normal: axis, offset: axis.dot(max) },
                HalfSpace { normal: -axis, offset: -axis.dot(min) },
            ]
        });
        Some(Self { planes: sides.collect() })
    }

    /// The intersection of half-spaces. They should bound it on every side, the six axes included: those of
    /// its box make tests of its corners tighter. `None` without planes, or with one that is not finite.
    pub fn from_planes(planes: Vec<HalfSpace>) -> Option<Self> {
        let is_sound = |plane: &HalfSpace| plane.normal.is_normalized() && plane.offset.is_finite();
        (!planes.is_empty() && planes.iter().all(is_sound)).then_some(Self { planes })
    }

    /// Its half-spaces.
    pub fn planes(&self) -> &[HalfSpace] {
        &self.planes
    }

    /// Whether a point is in it or on its surface.
    pub fn contains(&self, point: DVec3) -> bool {
        self.planes.iter().all(|plane| plane.normal.dot(point) <= plane.offset)
    }

    /// The share of a way after which a body first touches it: 0 if it does at the start; `None` if it never
    /// does. `support` is how far the body reaches from its center in a direction of length 1. Beside corners
    /// and edges a body is taken to touch up to where all of its supporting planes do, a little early.
    pub fn first_touch(&self, from: DVec3, to: DVec3, support: impl Fn(DVec3) -> f64) -> Option<f64> {
        let (mut enters, mut leaves) = (0.0f64, 1.0f64);
        for plane in &self.planes {
            let limit = plane.offset + support(-plane.normal);
            let (start, end) = (plane.normal.dot(from) - limit, plane.normal.dot(to) - limit);
            match (start <= 0.0, end <= 0.0) {
                (true, true) => {}
                (false, false) => return None,
                (false, true) => enters = enters.max(start / (start - end)),
                (true, false) => leaves = leaves.min(start / (start - end)),
            }
        }
        (enters <= leaves).then_some(enters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit() -> Convex {
        Convex::from_box(DVec3::ZERO, DVec3::ONE).unwrap()
    }

    #[test]
    fn a_box_holds_its_corners_and_nothing_beyond() {
        assert!(
            unit().contains(DVec3::ZERO) && unit().contains(DVec3::ONE) && unit().contains(DVec3::splat(0.5))
        );
        assert!(!unit().contains(DVec3::new(0.5, 1.1, 0.5)));
        assert_eq!(Convex::from_box(DVec3::ZERO, DVec3::new(1.0, 0.0, 1.0)), None);
        assert_eq!(Convex::from_box(DVec3::ZERO, DVec3::splat(f64::NAN)), None);
        assert_eq!(Convex::from_planes(vec![]), None);
        assert_eq!(Convex::from_planes(vec![HalfSpace { normal: DVec3::ONE, offset: 1.0 }]), None);
    }

    #[test]
    fn a_body_touches_before_its_center_is_in_and_never_passes_through() {
        let ball = |_: DVec3| 0.5;
        let fall = unit().first_touch(DVec3::new(0.5, 100.0, 0.5), DVec3::new(0.5, -100.0, 0.5), ball);
        assert!((fall.unwrap() - 98.5 / 200.0).abs() < 1e-12);
        assert_eq!(unit().first_touch(DVec3::splat(0.5), DVec3::splat(9.0), ball), Some(0.0));
        assert_eq!(unit().first_touch(DVec3::new(0.5, 2.0, 0.5), DVec3::new(0.5, 1.6, 0.5), ball), None);
        // Along a diagonal past an edge: in both slabs, but never at once.
        assert_eq!(
            unit().first_touch(DVec3::new(-3.0, 0.5, 0.5), DVec3::new(0.5, 5.0, 0.5), |_: DVec3| 0.1),
            None
        );
    }
}
