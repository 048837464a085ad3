//! The moving parts of the courtyard: a lift out of the pool, and a door of two leaves in the arch.

use carom::world::{AfterLast, Keyframe, Keyframes, KeyframesError};
use glam::{DQuat, DVec3};

use super::grounds::TERRACE;
use crate::PlacedBox;

/// An upright box that goes from place to place, over and over.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingBox {
    /// Its name.
    pub name: &'static str,
    /// Half its sides, in meters.
    pub half_extents: DVec3,
    /// When it is where: seconds, and its center in meters. The last place is the first once more.
    pub stations: Vec<(f64, DVec3)>,
}

impl MovingBox {
    /// Its motion, as a world has it.
    ///
    /// # Errors
    /// Stations that are no plan; those of the courtyard are one.
    pub fn plan(&self) -> Result<Keyframes, KeyframesError> {
        let frame = |&(time, position): &(f64, DVec3)| Keyframe { time, position, rotation: DQuat::IDENTITY };
        Keyframes::new(&self.stations.iter().map(frame).collect::<Vec<_>>(), AfterLast::Repeat)
    }

    /// Where it begins: the lift below, the door open.
    pub fn at_start(&self) -> PlacedBox {
        PlacedBox::upright(self.half_extents, self.stations[0].1)
    }
}

/// The numbers of the moving boxes: the lift, and the leaf of the door that stands for both.
pub(super) const LIFT: usize = 0;
pub(super) const DOOR: usize = 1;

/// The middle of the lift, in plan: a hand's breadth from the east side of the pool.
const LIFT_X: f64 = -4.03125;
const LIFT_Z: f64 = 4.0;
const LIFT_HALF_HEIGHT: f64 = 0.125;
/// Above the pool's floor, so that no face lies in another.
const CLEAR: f64 = 0.015625;

/// The places of the lift's middle: on the floor of the pool, and flush with the ground around it.
pub(super) fn lift_places() -> [DVec3; 2] {
    [-TERRACE + CLEAR + LIFT_HALF_HEIGHT, -LIFT_HALF_HEIGHT].map(|y| DVec3::new(LIFT_X, y, LIFT_Z))
}

/// Where someone rides on the lift, underfoot, while it is below.
pub(super) fn on_the_lift() -> DVec3 {
    lift_places()[0] + DVec3::Y * LIFT_HALF_HEIGHT
}

/// The places of the southern leaf's middle: open, and closed. Open, it is out of sight in the masonry.
pub(super) fn leaf_places() -> [DVec3; 2] {
    [1.9375, 0.625].map(|off| DVec3::new(3.5, 1.625, 9.25 + off))
}

/// All that moves.
pub(super) fn movers() -> Vec<MovingBox> {
    let [below, above] = lift_places();
    let [open, closed] = leaf_places();
    let mirrored = |place: DVec3| place.with_z(2.0 * 9.25 - place.z);
    let leaf = |open: DVec3, closed: DVec3| MovingBox {
        name: "door",
        half_extents: DVec3::new(0.09375, 1.5625, 0.625),
        stations: vec![(0.0, open), (2.0, open), (3.0, closed), (5.0, closed), (6.0, open)],
    };
    let lift = MovingBox {
        name: "lift",
        half_extents: DVec3::new(1.0, LIFT_HALF_HEIGHT, 1.0),
        stations: vec![(0.0, below), (4.0, below), (6.0, above), (10.0, above), (12.0, below)],
    };
    vec![lift, leaf(open, closed), leaf(mirrored(open), mirrored(closed))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plan_ends_where_it_begins() {
        for mover in movers() {
            let plan = mover.plan().unwrap();
            let (first, last) = (mover.stations[0], *mover.stations.last().unwrap());
            assert_eq!(first.1, last.1);
            for (time, place) in &mover.stations {
                assert_eq!(plan.pose_at(*time).position(), *place);
                assert_eq!(plan.pose_at(time + 5.0 * last.0).position(), *place);
            }
        }
    }

    #[test]
    fn the_closed_leaves_meet_and_fill_the_gate() {
        let movers = movers();
        let edge = |leaf: usize| movers[leaf].stations[2].1.z;
        let half = movers[DOOR].half_extents.z;
        assert_eq!(edge(DOOR) - half, edge(DOOR + 1) + half);
        assert_eq!(edge(DOOR) + half - (edge(DOOR + 1) - half), 2.5);
    }
}
