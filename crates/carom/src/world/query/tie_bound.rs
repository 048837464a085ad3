//! A bound on the contacts at the start that can still win a tie.
//!
//! A mover that overlaps a thousand triangles hits them all at the fraction 0, and the one with the lowest
//! corner wins. So once one is hit, everything completely behind its lowest corner, along the x axis of the
//! world, is skipped.

use core::cell::Cell;

use glam::DVec3;

use crate::world::body::pose::Frame;

/// The lowest x of the corners of the preferred contact so far, in meters; infinite before the first one.
/// Seen from a body.
#[derive(Clone, Copy)]
pub(crate) struct TieBound<'a> {
    pub(crate) lowest: &'a Cell<f64>,
    pub(crate) frame: &'a Frame,
}

/// The same seen from a place in the frame of the body.
pub(crate) struct TieLimit<'a> {
    lowest: &'a Cell<f64>,
    /// The x axis of the world in the frame of the body, in meters for each length of the body.
    pub(crate) along: DVec3,
    from: f64,
    slack: f64,
}

impl<'a> TieBound<'a> {
    /// The bound seen from a place, for corners that are off by no more than `error` along each axis, and no
    /// farther from it than `size`.
    pub(crate) fn seen_from(&self, place: DVec3, error: f64, size: f64) -> TieLimit<'a> {
        let along = self.frame.x_axis();
        let rounding = self.frame.rounding_of_x(place, size);
        let slack = error * (along.x.abs() + along.y.abs() + along.z.abs()) + rounding;
        TieLimit { lowest: self.lowest, along, from: self.frame.point_to_world(place).x, slack }
    }
}

impl TieLimit<'_> {
    /// Contacts with a larger x, seen from the place, are not preferred. NaN if unknown.
    pub(crate) fn height(&self) -> f64 {
        self.lowest.get() - self.from + self.slack
    }
}
