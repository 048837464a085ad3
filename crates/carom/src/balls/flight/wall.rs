//! Walls that balls bounce off, and pockets that they fall into.
//!
//! Source: `docs/balls.md`. Planes are half-spaces; segments and arcs stand on the plane z = 0 and have no
//! end upward or downward, so that they are what they are called in two dimensions. Both sides of a segment
//! and of an arc are hit, and so are their ends.

use glam::DVec3;

use crate::balls::error::TableError;
use crate::balls::flight::{Earliest, Flight, Meeting, direction_or};
use crate::num::ops;

/// An obstacle of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wall {
    /// All that lies behind a plane is solid.
    Plane {
        /// Any point of it.
        point: DVec3,
        /// Towards the balls; of any length but 0.
        normal: DVec3,
    },
    /// A cushion from a to b; z does not matter.
    Segment {
        /// One end.
        a: DVec3,
        /// The other.
        b: DVec3,
    },
    /// A piece of a circle, counter-clockwise from one angle to another; z does not matter.
    Arc {
        /// The center of the circle.
        center: DVec3,
        /// Greater than 0.
        radius: f64,
        /// Where it begins, in radians from +x towards +y.
        from: f64,
        /// Where it ends: not before `from`. A whole turn and more is the whole circle.
        to: f64,
    },
}

/// A ball whose center is within `radius` of `position` is in the pocket, and off the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pocket {
    /// The middle.
    pub position: DVec3,
    /// Greater than 0.
    pub radius: f64,
}

/// A wall, prepared for queries.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Prepared {
    Plane { point: DVec3, normal: DVec3 },
    Segment { a: DVec3, b: DVec3 },
    Arc { center: DVec3, radius: f64, from: DVec3, to: DVec3, span: Span },
}

/// The angle of an arc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Span {
    UpToHalf,
    BeyondHalf,
    Whole,
}

impl Prepared {
    pub(crate) fn new(index: usize, wall: &Wall) -> Result<Self, TableError> {
        let refuse = |why| Err(TableError::Wall { wall: index, why });
        match *wall {
            Wall::Plane { point, normal } => {
                if !point.is_finite() || !normal.is_finite() {
                    return refuse("numbers must be finite");
                }
                let unit = direction_or(normal, DVec3::ZERO);
                if unit == DVec3::ZERO {
                    return refuse("the normal must not be zero");
                }
                Ok(Self::Plane { point, normal: unit })
            }
            Wall::Segment { a, b } => {
                if !a.is_finite() || !b.is_finite() {
                    return refuse("numbers must be finite");
                }
                Ok(Self::Segment { a: flat(a), b: flat(b) })
            }
            Wall::Arc { center, radius, from, to } => {
                if !center.is_finite() || !from.is_finite() || !to.is_finite() {
                    return refuse("numbers must be finite");
                }
                if !(radius > 0.0 && radius.is_finite()) {
                    return refuse("the radius must be finite and greater than 0");
                }
                if to < from {
                    return refuse("an arc goes counter-clockwise: it must not end before it begins");
                }
                let turn = to - from;
                let span = if turn >= core::f64::consts::TAU {
                    Span::Whole
                } else if turn > core::f64::consts::PI {
                    Span::BeyondHalf
                } else {
                    Span::UpToHalf
                };
                let unit = |angle: f64| {
                    let (sin, cos) = ops::sin_cos(angle);
                    DVec3::new(cos, sin, 0.0)
                };
                Ok(Self::Arc { center: flat(center), radius, from: unit(from), to: unit(to), span })
            }
        }
    }

    /// The corners of its bounding box; `None` for a plane, which has none.
    pub(crate) fn corners(&self) -> Option<[DVec3; 2]> {
        match *self {
            Self::Plane { .. } => None,
            Self::Segment { a, b } => Some([a.min(b), a.max(b)]),
            Self::Arc { center, radius, .. } => {
                let around = DVec3::new(radius, radius, 0.0);
                Some([center - around, center + around])
            }
        }
    }

    /// How much the way of a ball's center bends along it: 1 over the radius of that way inside an arc, 0
    /// elsewhere.
    pub(crate) fn bend(&self, center: DVec3, normal: DVec3, radius: f64) -> f64 {
        match *self {
            Self::Arc { center: middle, radius: own, .. }
                if own > radius && normal.dot(flat(middle - center)) > 0.999 * (own - radius) =>
            {
                1.0 / (own - radius)
            }
            _ => 0.0,
        }
    }

    /// Shows how far a center is from it, and the direction from it to there: of an arc both sides and both
    /// ends, for a ball may touch several of them.
    pub(crate) fn distances(&self, center: DVec3, mut show: impl FnMut(f64, DVec3)) {
        let mut from_point = |point: DVec3| {
            let (length, direction) = crate::num::bound::length_and_direction(flat(center) - point);
            if length > 0.0 {
                show(length, direction);
            }
        };
        match *self {
            Self::Plane { point, normal } => show((center - point).dot(normal), normal),
            Self::Segment { a, b } => {
                let edge = b - a;
                let length = edge.length_squared();
                let along = if length > 0.0 { (flat(center) - a).dot(edge) / length } else { 0.0 };
                from_point(a + edge * along.clamp(0.0, 1.0));
            }
            Self::Arc { center: middle, radius, from, to, span } => {
                if span != Span::Whole {
                    from_point(middle + from * radius);
                    from_point(middle + to * radius);
                }
                let (length, direction) = crate::num::bound::length_and_direction(flat(center) - middle);
                if length <= 0.0 {
                    return;
                }
                if length >= radius && is_on_arc([from, to], span, direction) {
                    show(length - radius, direction);
                } else if length < radius {
                    for (side, distance) in [(direction, radius - length), (-direction, radius + length)] {
                        if is_on_arc([from, to], span, side) {
                            show(distance, -side);
                        }
                    }
                }
            }
        }
    }

    /// When a ball first meets it, before the horizon.
    pub(crate) fn meets(&self, flight: &Flight, radius: f64, horizon: f64) -> Option<Meeting> {
        let mut earliest = Earliest::before(horizon);
        match *self {
            Self::Plane { point, normal } => {
                if let Some(time) = flight.from(point).meets_plane(normal, radius) {
                    earliest.offer(time, normal);
                }
            }
            Self::Segment { a, b } => {
                let flight = flight.flat();
                let edge = b - a;
                let length = edge.length_squared();
                let from_a = flight.from(a);
                if length > 0.0 {
                    let across = direction_or(DVec3::new(-edge.y, edge.x, 0.0), DVec3::Y);
                    for normal in [across, -across] {
                        if let Some(time) = from_a.meets_plane(normal, radius) {
                            let place = from_a.at(time);
                            // From this side: a center behind it is the other side's.
                            if place.dot(normal) >= 0.0 && (0.0..=length).contains(&place.dot(edge)) {
                                earliest.offer(time, normal);
                            }
                        }
                    }
                }
                end(&from_a, radius, &mut earliest);
                end(&flight.from(b), radius, &mut earliest);
            }
            Self::Arc { center, radius: own, from, to, span } => {
                let flight = flight.flat();
                let seen = flight.from(center);
                let on_arc = |time: f64| is_on_arc([from, to], span, seen.at(time));
                let horizon = earliest.horizon;
                // From outside: a center within the circle is the other side's.
                let from_outside = |time: f64| seen.at(time).length_squared() >= own * own && on_arc(time);
                if let Some(time) = seen.meets_origin(own + radius, horizon, from_outside) {
                    earliest.offer(time, direction_or(seen.at(time), DVec3::X));
                }
                // From inside: a center beyond the circle is the other side's. A ball in flight may go away
                // from the circle outside of it, come in through the open part, and meet it from inside.
                let from_inside = |time: f64| seen.at(time).length_squared() < own * own && on_arc(time);
                // A ball larger than the circle does not fit in.
                if own > radius
                    && let Some(time) = seen.leaves_origin(own - radius, earliest.horizon, from_inside)
                {
                    earliest.offer(time, -direction_or(seen.at(time), DVec3::X));
                }
                if span != Span::Whole {
                    end(&seen.from(from * own), radius, &mut earliest);
                    end(&seen.from(to * own), radius, &mut earliest);
                }
            }
        }
        earliest.found
    }
}

/// Whether a direction from the middle points to an arc.
fn is_on_arc([from, to]: [DVec3; 2], span: Span, direction: DVec3) -> bool {
    match span {
        Span::Whole => true,
        Span::UpToHalf => turns(from, direction) >= 0.0 && turns(direction, to) >= 0.0,
        Span::BeyondHalf => !(turns(to, direction) > 0.0 && turns(direction, from) > 0.0),
    }
}

/// The end of a wall: a point.
fn end(seen: &Flight, radius: f64, earliest: &mut Earliest) {
    if let Some(time) = seen.meets_origin(radius, earliest.horizon, |_| true) {
        earliest.offer(time, direction_or(seen.at(time), DVec3::X));
    }
}

fn flat(v: DVec3) -> DVec3 {
    DVec3::new(v.x, v.y, 0.0)
}

/// Twice the signed area: greater than 0 if b is counter-clockwise of a.
fn turns(a: DVec3, b: DVec3) -> f64 {
    a.x * b.y - a.y * b.x
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::{FRAC_PI_2, PI, TAU};
    use glam::dvec3;

    fn meets(wall: &Wall, from: DVec3, velocity: DVec3) -> Option<(f64, DVec3)> {
        let flight = Flight { position: from, velocity, acceleration: DVec3::ZERO };
        let wall = Prepared::new(0, wall).unwrap();
        wall.meets(&flight, 0.5, f64::INFINITY).map(|meeting| (meeting.time, meeting.normal))
    }

    #[test]
    fn a_cushion_is_met_from_both_sides_and_at_its_ends() {
        let wall = Wall::Segment { a: dvec3(-1.0, 0.0, 0.0), b: dvec3(1.0, 0.0, 0.0) };
        assert_eq!(meets(&wall, dvec3(0.0, 2.0, 0.0), dvec3(0.0, -1.0, 0.0)), Some((1.5, DVec3::Y)));
        assert_eq!(meets(&wall, dvec3(0.0, -2.0, 0.0), dvec3(0.0, 1.0, 0.0)), Some((1.5, -DVec3::Y)));
        let (time, normal) = meets(&wall, dvec3(3.0, 0.0, 0.0), -DVec3::X).unwrap();
        assert_eq!((time, normal), (1.5, DVec3::X));
        assert_eq!(meets(&wall, dvec3(3.0, 0.75, 0.0), -DVec3::X), None);
    }

    #[test]
    fn an_arc_is_met_from_inside_and_outside_but_not_where_it_is_open() {
        let arc = |from, to| Wall::Arc { center: DVec3::ZERO, radius: 2.0, from, to };
        let right = dvec3(1.0, 0.0, 0.0);
        let (time, normal) = meets(&arc(-0.5, 0.5), DVec3::ZERO, right).unwrap();
        assert!((time - 1.5).abs() < 1e-15 && normal == -DVec3::X);
        assert!((meets(&arc(-0.5, 0.5), dvec3(4.0, 0.0, 0.0), -right).unwrap().0 - 1.5).abs() < 1e-15);
        assert_eq!(meets(&arc(FRAC_PI_2, PI + FRAC_PI_2), DVec3::ZERO, right), None);
        // The open side of the left half lets in; its inside stops.
        let (time, normal) = meets(&arc(FRAC_PI_2, PI + FRAC_PI_2), dvec3(4.0, 0.0, 0.0), -right).unwrap();
        assert!((time - 5.5).abs() < 1e-14 && normal == DVec3::X, "{time} {normal}");
        assert!(meets(&arc(0.2, TAU - 0.2), DVec3::ZERO, right).is_some(), "an end is in the way");
        assert!(meets(&arc(0.0, TAU), DVec3::ZERO, dvec3(0.6, -0.8, 0.0)).is_some());
        // One that has touched the inside and goes back across meets the other end of the diameter, not the
        // outside of where it is.
        let (time, normal) = meets(&arc(0.0, TAU), dvec3(-1.5, 0.0, 0.0), right).unwrap();
        assert!((time - 3.0).abs() < 1e-15 && normal == -DVec3::X);
    }

    #[test]
    fn a_ball_thrown_away_from_an_arc_falls_in_through_its_open_side_and_meets_its_inside() {
        let wall = Wall::Arc { center: DVec3::ZERO, radius: 2.0, from: PI, to: TAU };
        let wall = Prepared::new(0, &wall).unwrap();
        // Up and away beside the arc, over its end, and down into the bowl.
        let (velocity, acceleration) = (dvec3(-1.0, 6.0, 0.0), dvec3(1.5, -4.0, 0.0));
        let flight = Flight { position: dvec3(-3.5, -0.5, 0.0), velocity, acceleration };
        let meeting = wall.meets(&flight, 0.5, f64::INFINITY).unwrap();
        let place = flight.at(meeting.time);
        assert!((place.length() - 1.5).abs() < 1e-12 && place.y < 0.0, "{place}");
        assert!(meeting.normal.abs_diff_eq(-place / 1.5, 1e-12), "{}", meeting.normal);
    }

    #[test]
    fn what_is_no_wall_is_refused() {
        for wall in [
            Wall::Plane { point: DVec3::ZERO, normal: DVec3::ZERO },
            Wall::Segment { a: DVec3::NAN, b: DVec3::ZERO },
            Wall::Arc { center: DVec3::ZERO, radius: 0.0, from: 0.0, to: 1.0 },
            Wall::Arc { center: DVec3::ZERO, radius: 1.0, from: 1.0, to: 0.0 },
        ] {
            assert!(matches!(Prepared::new(3, &wall), Err(TableError::Wall { wall: 3, .. })));
        }
    }
}
