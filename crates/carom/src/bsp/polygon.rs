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

/// The planes across the axes, `reach` from the origin, facing out: along x, against x, and so on.
pub(crate) fn limits(planes: &mut PlaneSet, reach: f64) -> Option<[PlaneId; 6]> {
    Some([
        planes.insert_axial(0, reach)?,
        planes.insert_axial(0, -reach)?.opposite(),
        planes.insert_axial(1, reach)?,
        planes.insert_axial(1, -reach)?.opposite(),
        planes.insert_axial(2, reach)?,
        planes.insert_axial(2, -reach)?.opposite(),
    ])
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

    /// The square cut out of a plane by the planes across the two other axes, `reach` from the origin:
    /// counterclockwise seen from the side that the plane faces.
    pub fn square(planes: &mut PlaneSet, plane: PlaneId, reach: f64) -> Option<Self> {
        let limits = limits(planes, reach)?;
        Self::within(planes, plane, &limits)
    }

    /// The same between the [`limits`] of a space.
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
        }
        sides
    }

    /// Cuts it by a plane.
    pub fn cut(&self, planes: &PlaneSet, by: PlaneId) -> Cut {
        if by.unoriented() == self.plane.unoriented() {
            return Cut::On;
        }
        let sides: Vec<Side> = self.corners.iter().map(|corner| planes.side(corner, by)).collect();
        match (sides.contains(&Side::Front), sides.contains(&Side::Back)) {
            (true, false) => Cut::Front,
            (false, true) => Cut::Back,
            (false, false) => Cut::On,
            (true, true) => {
                let front = self.part(planes, &sides, Side::Front, by.opposite());
                let back = self.part(planes, &sides, Side::Back, by);
                match (front, back) {
                    (Some(front), Some(back)) => Cut::Both(front, back),
                    (Some(_), None) => Cut::Front,
                    (None, Some(_)) => Cut::Back,
                    (None, None) => Cut::On,
                }
            }
        }
    }

    /// The part on one side of the plane; `by` faces away from it.
    fn part(&self, planes: &PlaneSet, sides: &[Side], keep: Side, by: PlaneId) -> Option<Self> {
        let count = self.corners.len();
        let (mut edges, mut corners) = (Vec::with_capacity(count + 1), Vec::with_capacity(count + 1));
        for (i, (&edge, &end)) in self.edges.iter().zip(sides).enumerate() {
            let start = sides[(i + count - 1) % count];
            match (start == keep, end == keep) {
                (_, true) => {
                    if start != keep {
                        // Enters through the cut.
                        edges.push(by);
                        corners.push(planes.corner([self.plane, by, edge])?);
                    }
                    edges.push(edge);
                    corners.push(self.corners[i]);
                }
                (true, false) => {
                    edges.push(edge);
                    corners.push(planes.corner([self.plane, edge, by])?);
                }
                (false, false) => {}
            }
        }
        Some(Self { plane: self.plane, edges, corners })
    }
}
