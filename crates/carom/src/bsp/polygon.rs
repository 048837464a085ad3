//! Convex polygons as planes: their own plane, and the planes that bound them.
//!
//! Source: as in `plane.rs`. A cut makes no corner that has to be rounded and cut again: it adds a plane. So
//! pieces of one polygon fit together exactly, however often they are cut. Cost: one sign per corner.

use alloc::vec::Vec;

use glam::DVec3;

use super::plane::{Corner, PlaneId, PlaneSet, Side};

/// A convex polygon.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    plane: PlaneId,
    /// Edge `i` ends in corner `i`.
    edges: Vec<PlaneId>,
    corners: Vec<Corner>,
}

/// A box around the rounded corners of a polygon, to see quickly that it is on one side of a plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    center: DVec3,
    half: DVec3,
}

impl Extent {
    pub(super) fn of(polygon: &Polygon) -> Self {
        let [low, high] = polygon.bounds();
        Self { center: 0.5 * low + 0.5 * high, half: 0.5 * high - 0.5 * low }
    }

    /// On which side of a plane, given by [`PlaneSet::rounded`], all of the polygon lies; `None` if the box
    /// does not tell.
    #[inline(always)]
    pub(super) fn side_of(&self, (normal, distance): (DVec3, f64)) -> Option<Side> {
        // In unit roundoffs: 1 for a corner, 1 for the plane, 2 for the box, 1 for a product, 3 for the sum;
        // twice as much is allowed for.
        const FILTER: f64 = 8.0 * f64::EPSILON;
        let size = normal.abs();
        let height = normal.dot(self.center) - distance;
        let reach = size.dot(self.half);
        let lengths = size.dot(self.center.abs()) + reach + distance.abs();
        let bound = reach + FILTER * lengths + f64::MIN_POSITIVE;
        if height > bound {
            Some(Side::Front)
        } else if height < -bound {
            Some(Side::Back)
        } else {
            None
        }
    }
}

/// Polygons with at most this many corners need no memory for their sides.
const FEW: usize = 16;

/// On which sides of a plane a polygon has corners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PolygonSides {
    /// Behind the plane.
    pub is_behind: bool,
    /// In front of it.
    pub is_in_front: bool,
}

/// The two sides of a cut.
#[derive(Clone, Debug, PartialEq)]
pub enum Cut {
    /// It lies in the cutting plane.
    On,
    /// It lies in front, or touches the plane from there.
    Front,
    /// It lies behind, or touches the plane from there.
    Back,
    /// The pieces in front and behind.
    Both(Polygon, Polygon),
}

impl Polygon {
    /// The polygon in `plane` with these planes around it, in order: each meets the next. `None` if two that
    /// follow each other do not meet in the plane, or there are fewer than three.
    pub fn new(planes: &PlaneSet, plane: PlaneId, edges: Vec<PlaneId>) -> Option<Self> {
        if edges.len() < 3 {
            return None;
        }
        let next = edges.iter().skip(1).chain(edges.first());
        let corners: Option<Vec<Corner>> =
            edges.iter().zip(next).map(|(&a, &b)| planes.corner([plane, a, b])).collect();
        Some(Self { plane, corners: corners?, edges })
    }

    /// A triangle between planes that meet in its corners, which are exact and finite.
    pub(super) fn triangle(plane: PlaneId, edges: [PlaneId; 3], corners: [DVec3; 3]) -> Self {
        let corner = |i: usize| Corner::at(corners[i], [plane, edges[i], edges[(i + 1) % 3]]);
        Self { plane, edges: edges.to_vec(), corners: (0..3).map(corner).collect() }
    }

    /// The square cut out of a plane by the planes across the two other axes, `reach` from the origin:
    /// counterclockwise seen from the side that the plane faces.
    pub fn square(planes: &mut PlaneSet, plane: PlaneId, reach: f64) -> Option<Self> {
        let limits = planes.limits(reach)?;
        Self::within(planes, plane, &limits)
    }

    /// The same between the [`PlaneSet::limits`] of a space.
    pub(crate) fn within(planes: &PlaneSet, plane: PlaneId, limits: &[PlaneId; 6]) -> Option<Self> {
        let (normal, _) = planes.rounded(plane);
        let size = normal.abs();
        let axis = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut edges = [limits[2 * v + 1], limits[2 * u], limits[2 * v], limits[2 * u + 1]];
        if normal[axis] < 0.0 {
            edges.reverse();
        }
        Self::new(planes, plane, edges.to_vec())
    }

    /// The plane that it lies in.
    pub fn plane(&self) -> PlaneId {
        self.plane
    }

    /// The planes around it. Edge `i` ends in corner `i`.
    pub fn edges(&self) -> &[PlaneId] {
        &self.edges
    }

    /// Its corners, counterclockwise seen from the side that its plane faces.
    pub fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// The same polygon, facing the other way.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let mut corners = self.corners.clone();
        let mut edges = self.edges.clone();
        edges.reverse();
        corners.reverse();
        // Edge i ended in corner i; backwards it begins there.
        corners.rotate_left(1);
        Self { plane: self.plane.opposite(), edges, corners }
    }

    /// Twice the vector area, of the rounded corners.
    pub fn double_area(&self) -> DVec3 {
        let Some(first) = self.corners.first() else { return DVec3::ZERO };
        let origin = first.position();
        let arms = self.corners.windows(2);
        arms.map(|pair| (pair[0].position() - origin).cross(pair[1].position() - origin)).sum()
    }

    /// Least and greatest coordinates of the rounded corners, in meters.
    pub fn bounds(&self) -> [DVec3; 2] {
        let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        self.corners.iter().fold(none, |[low, high], c| [low.min(c.position()), high.max(c.position())])
    }

    /// Whether it has corners behind a plane, and in front of it. It is not cut.
    pub fn sides(&self, planes: &PlaneSet, by: PlaneId) -> PolygonSides {
        let mut sides = PolygonSides::default();
        if by.unoriented() == self.plane.unoriented() {
            return sides;
        }
        for corner in &self.corners {
            match planes.side(corner, by) {
                Side::Back => sides.is_behind = true,
                Side::Front => sides.is_in_front = true,
                Side::On => {}
            }
            if sides.is_behind && sides.is_in_front {
                break;
            }
        }
        sides
    }

    /// Cuts it by a plane.
    pub fn cut(&self, planes: &PlaneSet, by: PlaneId) -> Cut {
        self.by_sides(planes, by, |all, sides| match (all.is_in_front, all.is_behind) {
            (true, false) => Cut::Front,
            (false, true) => Cut::Back,
            (false, false) => Cut::On,
            (true, true) => {
                let keep = [(Side::Front, by.opposite()), (Side::Back, by)];
                let [front, back] = self.parts(planes, sides, by, keep);
                Cut::Both(front, back)
            }
        })
    }

    /// The part in front of a plane; `None` without one.
    pub(super) fn in_front(self, planes: &PlaneSet, by: PlaneId) -> Option<Self> {
        let (all, part) = self.by_sides(planes, by, |all, sides| {
            let is_cut = all.is_in_front && all.is_behind;
            (all, is_cut.then(|| self.parts(planes, sides, by, [(Side::Front, by.opposite())])))
        });
        match part {
            Some([front]) => Some(front),
            None => all.is_in_front.then_some(self),
        }
    }

    /// Calls with the side of a plane on which each corner lies, and with those of all.
    fn by_sides<R>(
        &self,
        planes: &PlaneSet,
        by: PlaneId,
        answer: impl FnOnce(PolygonSides, &[Side]) -> R,
    ) -> R {
        let mut few = [Side::On; FEW];
        let mut many = Vec::new();
        let sides = if let Some(few) = few.get_mut(..self.corners.len()) {
            few
        } else {
            many.resize(self.corners.len(), Side::On);
            &mut many
        };
        let mut all = PolygonSides::default();
        if by.unoriented() != self.plane.unoriented() {
            for (side, corner) in sides.iter_mut().zip(&self.corners) {
                *side = planes.side(corner, by);
                all.is_in_front |= *side == Side::Front;
                all.is_behind |= *side == Side::Back;
            }
        }
        answer(all, sides)
    }

    /// The parts on some sides of a plane, each with the plane that faces away from it.
    fn parts<const N: usize>(
        &self,
        planes: &PlaneSet,
        sides: &[Side],
        by: PlaneId,
        keep: [(Side, PlaneId); N],
    ) -> [Self; N] {
        let count = self.corners.len();
        let room = count + 1;
        let mut parts = keep.map(|_| Self {
            plane: self.plane,
            edges: Vec::with_capacity(room),
            corners: Vec::with_capacity(room),
        });
        for (i, &edge) in self.edges.iter().enumerate() {
            let before = (i + count - 1) % count;
            let (start, end) = (sides[before], sides[i]);
            // The place where the edge passes through the plane; a corner may be there.
            let passage = if start == end {
                None
            } else if start == Side::On {
                Some(self.corners[before])
            } else if end == Side::On {
                Some(self.corners[i])
            } else {
                let passage = planes.corner([self.plane, edge, by]);
                Some(passage.expect("an edge with an end on each side of a plane meets it"))
            };
            for (part, (keep, by)) in parts.iter_mut().zip(keep) {
                if let (Some(passage), true) = (passage, end == keep) {
                    // Enters through the cut.
                    part.edges.push(by);
                    part.corners.push(passage.named([self.plane, by, edge]));
                }
                if start == keep || end == keep {
                    part.edges.push(edge);
                }
                if end == keep {
                    part.corners.push(self.corners[i]);
                } else if let (Some(passage), true) = (passage, start == keep) {
                    part.corners.push(passage.named([self.plane, edge, by]));
                }
            }
        }
        parts
    }
}
