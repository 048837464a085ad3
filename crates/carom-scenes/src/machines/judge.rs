//! Faults of a tick: a hero that ends inside a machine that the report does not name, or beyond it.
//!
//! The center of the hero is followed in the frame of each box. A hero gets out of a crush while the tick has
//! not begun to move anything, so this first leg is judged among the bodies at their starts. The rest of
//! the tick is judged as one chord, from the start pose to the end pose. Among bodies at rest every leg is
//! known, and every leg is judged. Error: an arc is off its chord, and an edge that is gone round is not
//! crossed: nearer to an edge than a margin nothing is judged.

use carom::character::{Character, Report};
use carom::world::{Pose, World};
use glam::DVec3;

use super::body::{FLOOR, Machine};
use super::overlap::{Solid, depth};

/// The error of the search for a minimum, and of f32 corners, in meters.
const SLACK: f64 = 1e-8;

/// Nearer to an edge than this, in meters, a path goes round it.
const EDGE: f64 = 0.05;

/// The faults of a tick.
pub(super) struct Judged {
    pub(super) is_reported: bool,
    pub(super) inside: Option<String>,
    pub(super) through: Option<String>,
}

/// Judges a tick by the places on its way: where the hero was, both ends of every sweep, where it is.
pub(super) fn judge(
    world: &World,
    machines: &[Machine],
    hero: &Character,
    path: &[DVec3],
    report: &Report,
) -> Judged {
    let mut judged = Judged { is_reported: false, inside: None, through: None };
    let to = report.position;
    for (number, machine) in machines.iter().enumerate() {
        let Some(body) = world.body(machine.id) else { continue };
        let (start, end) = (body.pose_at(0.0), body.pose());
        let deep = depth(hero.shape(), to, machine.solid, machine.middle(end), end.rotation());
        let named = report.crushed_by().any(|by| by.obstacle.body() == Some(machine.id));
        if deep > SLACK && named {
            judged.is_reported = true;
        } else if deep > SLACK {
            judged.inside = Some(format!("inside machine {number} by {deep:.2e}"));
        }
        let Solid::Box(half) = machine.solid else { continue };
        let seen = |pose: &Pose, at: DVec3| pose.rotation().conjugate() * (at - machine.middle(pose));
        let turned = start.rotation().angle_between(end.rotation());
        let seen_path = |pose: &Pose| path.iter().map(|at| seen(pose, *at)).collect::<Vec<_>>();
        let is_through = if start == *end {
            goes_through_resting(&seen_path(end), half)
        } else {
            turned < 0.3 && goes_through_moving(&seen_path(&start), seen(end, to), half, turned)
        };
        if is_through && !named {
            judged.through = Some(format!("through machine {number}"));
        }
    }
    if to.y < -0.5 * FLOOR.y {
        judged.through = Some("below the floor".into());
    }
    judged
}

/// Whether a hero ends beyond a box at rest, and a leg of its way leads through it. A hero that is shoved
/// along may go round an edge in one tick.
fn goes_through_resting(path: &[DVec3], half: DVec3) -> bool {
    let chord = [path[0], path[path.len() - 1]];
    crosses(chord, half, 0.0) && path.windows(2).any(|leg| enters(leg[0], leg[1], half))
}

/// Whether a hero gets through a box that moves: out of a crush, before anything moves, or afterwards. The
/// way is seen from the box at its start, `to` from the box at its end. The first sweep of a tick begins
/// where the hero got out of what it was in.
fn goes_through_moving(path: &[DVec3], to: DVec3, half: DVec3, turned: f64) -> bool {
    let (from, out) = (path[0], path[1]);
    let has_swept = path.len() > 2;
    if !has_swept {
        return crosses([from, to], half, turned);
    }
    crosses([out, to], half, turned) || from.abs().cmpgt(half).any() && enters(from, out, half)
}

/// Whether the straight path, seen from a box, leads in by one of its faces and out by the opposite one, away
/// from their edges: round an edge a hero goes with its center outside.
fn crosses([a, b]: [DVec3; 2], half: DVec3, turned: f64) -> bool {
    (0..3).any(|axis| {
        let (from, to) = (a[axis], b[axis]);
        if !(from.abs() > half[axis] && to.abs() > half[axis] && (from < 0.0) != (to < 0.0)) {
            return false;
        }
        let at = a + (b - a) * (from / (from - to));
        // An arc is off its chord by less than this.
        let margin = EDGE + 0.5 * turned * (b - a).length();
        (0..3).all(|other| other == axis || at[other].abs() < half[other] - margin)
    })
}

/// Whether a straight path leads through a box, deeper than an edge that is gone round.
fn enters(a: DVec3, b: DVec3, half: DVec3) -> bool {
    let (half, translation) = (half - (0.5 * half).min(DVec3::splat(EDGE)), b - a);
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for axis in 0..3 {
        if translation[axis] == 0.0 {
            if a[axis].abs() >= half[axis] {
                return false;
            }
            continue;
        }
        let times = [(-half[axis] - a[axis]) / translation[axis], (half[axis] - a[axis]) / translation[axis]];
        first = first.max(times[0].min(times[1]));
        last = last.min(times[0].max(times[1]));
    }
    first < last
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    /// As in tick 102 of seed 6,090,500: a plate of 4 m × 8 cm × 4.5 m comes down by 0.55 m.
    const PLATE: DVec3 = dvec3(2.014, 0.04, 2.27);
    const BELOW: DVec3 = dvec3(0.24, -0.296, -1.9);
    const DOWN: DVec3 = dvec3(0.0, 0.548, 0.0);

    #[test]
    fn out_from_under_a_plate_that_then_comes_down_beside_it_is_not_through() {
        let out = dvec3(0.24, -0.296, -2.407);
        let to = dvec3(0.27, 0.252, -2.459);
        assert!(crosses([BELOW, to], PLATE, 0.0), "its chord leads through the plate");
        assert!(!goes_through_moving(&[BELOW, out, to - DOWN, to - DOWN], to, PLATE, 0.0));
    }

    #[test]
    fn up_through_a_plate_is_through_in_either_leg() {
        let above = dvec3(0.24, 0.296, -1.9);
        // While it gets out, while the plate comes down, and in a tick without a sweep.
        assert!(goes_through_moving(&[BELOW, above, above, above - DOWN], above, PLATE, 0.0));
        assert!(goes_through_moving(&[BELOW, BELOW, BELOW, BELOW], BELOW + DOWN, PLATE, 0.0));
        assert!(goes_through_moving(&[BELOW, BELOW], BELOW + DOWN, PLATE, 0.0));
        // A plate at rest, by a way of which one leg leads through it; and round its edge.
        assert!(goes_through_resting(&[BELOW, BELOW, above, above], PLATE));
        let (beside, over) = (dvec3(0.24, -0.296, -2.4), dvec3(0.24, 0.296, -2.4));
        assert!(!goes_through_resting(&[BELOW, beside, over, above], PLATE));
    }
}
