//! Solids at rest against a tree: whether they overlap solid leaves.
//!
//! Idea: a box is six polygons that are planes. On the way down the tree, each cut leaves two convex bodies,
//! closed by the cut itself. Anything that arrives in a solid leaf overlaps it. A sphere is compared with the
//! faces of such pieces of the box around it, in integers. Touching is not overlapping, as for points. Error:
//! none for corners in f64. Cost: some microseconds for each node that cuts the box. It never gives up.

use alloc::vec;
use alloc::vec::Vec;

use dashu_int::IBig;
use glam::DVec3;

use super::mesh::polygon;
use super::node::Child;
use super::plane::{PlaneId, PlaneSet, Side};
use super::polygon::{Cut, Polygon};
use super::tree::{Bsp, power_above};
use super::whole::whole_numbers;
use crate::shape::{ConvexPolygon, Cuboid, Sphere};

/// A convex body: polygons that face out.
type Body = Vec<Polygon>;

impl Bsp {
    /// Whether a box with its center at `at` overlaps the solid, exactly for its corners in f64 (of a turned
    /// box: the bodies between the planes through three corners of each side). A box as thin as rounding is
    /// the point in its middle. A box that is not finite overlaps.
    pub fn overlaps_cuboid(&self, cuboid: &Cuboid, at: DVec3) -> bool {
        let corners = cuboid.corners().map(|corner| at + corner);
        if !corners.iter().all(|corner| corner.is_finite()) {
            return true;
        }
        let mut planes = PlaneSet::new();
        match block(&mut planes, &corners) {
            Some(body) => self.any_piece(&mut planes, body, |_, _| true),
            None => self.contains(at),
        }
    }

    /// Whether a sphere with its center at `at` overlaps the solid, exactly. A sphere that is not finite
    /// overlaps.
    pub fn overlaps_sphere(&self, sphere: &Sphere, at: DVec3) -> bool {
        let radius = sphere.radius();
        // A box that certainly holds it.
        let half = DVec3::splat(radius).max(at.abs() * f64::EPSILON) * 1.5;
        let (low, high) = (at - half, at + half);
        if !(low.is_finite() && high.is_finite()) {
            return true;
        }
        let pick = |i: usize, axis: usize| if i >> axis & 1 == 0 { low[axis] } else { high[axis] };
        let corners = core::array::from_fn(|i| DVec3::new(pick(i, 0), pick(i, 1), pick(i, 2)));
        let mut planes = PlaneSet::new();
        let Some(body) = block(&mut planes, &corners) else { return self.contains(at) };
        let ball = Ball::new(at, radius);
        self.any_piece(&mut planes, body, |planes, piece| ball.overlaps(planes, piece))
    }

    /// Whether a part of a convex polygon lies within the solid, exactly: of the triangles between its first
    /// corner and its edges.
    pub fn overlaps_polygon(&self, convex: &ConvexPolygon) -> bool {
        let corners = convex.vertices();
        let mut planes = PlaneSet::new();
        corners[1..].windows(2).any(|pair| {
            let triangle = polygon(&mut planes, [corners[0], pair[0], pair[1]]);
            triangle.is_some_and(|triangle| self.any_part(&mut planes, triangle))
        })
    }

    /// Whether a part of any of these polygons lies within the solid.
    pub fn overlaps_polygons(&self, polygons: &[ConvexPolygon]) -> bool {
        polygons.iter().any(|polygon| self.overlaps_polygon(polygon))
    }

    /// Whether any piece of a body in a solid leaf meets a condition.
    fn any_piece(
        &self,
        planes: &mut PlaneSet,
        body: Body,
        mut counts: impl FnMut(&PlaneSet, &Body) -> bool,
    ) -> bool {
        // Around all of the body, for what closes its pieces.
        let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        let bounds = body.iter().map(Polygon::bounds);
        let [low, high] = bounds.fold(none, |[low, high], [least, most]| [low.min(least), high.max(most)]);
        let reach = power_above(low.abs().max(high.abs()).max_element());
        let Some(limits) = planes.limits(reach) else { return true };
        let mut open = vec![(body, self.root())];
        while let Some((body, child)) = open.pop() {
            let node = match child {
                Child::Leaf(leaf) => {
                    if self.is_solid(leaf) && counts(planes, &body) {
                        return true;
                    }
                    continue;
                }
                Child::Node(node) => self.nodes()[node as usize],
            };
            let by = planes.adopt(self.planes(), node.plane);
            let (front, back) = cut(planes, &limits, body, by);
            if let Some(back) = back {
                open.push((back, node.back));
            }
            if let Some(front) = front {
                open.push((front, node.front));
            }
        }
        false
    }

    /// Whether a part of a polygon lies within the solid: what lies in the plane of a node does where both of
    /// its sides are solid.
    fn any_part(&self, planes: &mut PlaneSet, polygon: Polygon) -> bool {
        // Each with the nodes that its parts must go down once they arrive in the solid.
        let mut open = vec![(polygon, self.root(), Vec::<Child>::new())];
        while let Some((polygon, child, mut others)) = open.pop() {
            let node = match child {
                Child::Leaf(leaf) if !self.is_solid(leaf) => continue,
                Child::Leaf(_) => match others.pop() {
                    None => return true,
                    Some(next) => {
                        open.push((polygon, next, others));
                        continue;
                    }
                },
                Child::Node(node) => self.nodes()[node as usize],
            };
            let by = planes.adopt(self.planes(), node.plane);
            match polygon.cut(planes, by) {
                Cut::On => {
                    others.push(node.back);
                    open.push((polygon, node.front, others));
                }
                Cut::Front => open.push((polygon, node.front, others)),
                Cut::Back => open.push((polygon, node.back, others)),
                Cut::Both(front, back) => {
                    open.push((front, node.front, others.clone()));
                    open.push((back, node.back, others));
                }
            }
        }
        false
    }
}

/// The body between the planes through three corners of each side; corner `i` is at the upper end of each
/// axis whose bit is set in `i`. `None` without one.
fn block(planes: &mut PlaneSet, corners: &[DVec3; 8]) -> Option<Body> {
    const SIDES: [[usize; 3]; 6] = [[0, 4, 2], [1, 3, 5], [0, 1, 4], [2, 6, 3], [0, 2, 1], [4, 5, 6]];
    let mut sides = [None; 6];
    for (side, own) in sides.iter_mut().zip(SIDES) {
        let plane = planes.insert_through(own.map(|i| corners[i]))?;
        // It faces out: the corner across is behind it.
        let across = corners[7 - own[0]];
        *side = Some(match planes.side_of_point(across, plane) {
            Side::Back => plane,
            Side::Front => plane.opposite(),
            Side::On => return None,
        });
    }
    let sides: Vec<PlaneId> = sides.into_iter().flatten().collect();
    let around = |side: usize| {
        let (u, v) = ((side / 2 + 1) % 3, (side / 2 + 2) % 3);
        let ring = [sides[2 * v], sides[2 * u + 1], sides[2 * v + 1], sides[2 * u]];
        let face = Polygon::new(planes, sides[side], ring.to_vec())?;
        let faces_out = face.double_area().dot(planes.rounded(sides[side]).0) > 0.0;
        if faces_out {
            return Some(face);
        }
        Polygon::new(planes, sides[side], ring.into_iter().rev().collect())
    };
    (0..6).map(around).collect()
}

/// The part of a body in front of a plane, and behind it.
fn cut(planes: &PlaneSet, limits: &[PlaneId; 6], body: Body, by: PlaneId) -> (Option<Body>, Option<Body>) {
    let (mut is_front, mut is_back) = (false, false);
    for face in &body {
        let sides = face.sides(planes, by);
        is_front |= sides.is_in_front;
        is_back |= sides.is_behind;
    }
    if !(is_front && is_back) {
        return if is_front { (Some(body), None) } else { (None, Some(body)) };
    }
    // The polygon of the cut, between the planes of all faces.
    let mut cap = Polygon::within(planes, by, limits);
    for face in &body {
        // A body on both sides of a plane has no face in it.
        cap = cap.and_then(|polygon| polygon.in_front(planes, face.plane().opposite()));
    }
    let (mut front, mut back) = (Vec::new(), Vec::new());
    for face in body {
        match face.cut(planes, by) {
            Cut::Front => front.push(face),
            Cut::Back => back.push(face),
            Cut::On => {}
            Cut::Both(one, other) => {
                front.push(one);
                back.push(other);
            }
        }
    }
    if let Some(cap) = cap {
        front.push(cap.flipped());
        back.push(cap);
    }
    (Some(front), Some(back))
}

/// A sphere in integers of a unit.
struct Ball {
    center: [IBig; 3],
    radius_squared: IBig,
    /// The unit is 2 to the power of minus this.
    shift: usize,
}

impl Ball {
    fn new(center: DVec3, radius: f64) -> Self {
        let (numbers, shift) = whole_numbers([center.x, center.y, center.z, radius]);
        let [x, y, z, radius] = numbers;
        Self { center: [x, y, z], radius_squared: &radius * &radius, shift }
    }

    /// Whether it overlaps a convex body: its center is within, or nearer to a face than its radius.
    fn overlaps(&self, planes: &PlaneSet, body: &Body) -> bool {
        body.iter().all(|face| self.height(&planes.whole(face.plane())) <= IBig::ZERO)
            || body.iter().any(|face| self.is_near(planes, face))
    }

    /// How far the center is in front of a plane, in units, times the length of the normal.
    fn height(&self, [x, y, z, distance]: &[IBig; 4]) -> IBig {
        let [a, b, c] = &self.center;
        x * a + y * b + z * c - (distance << self.shift)
    }

    /// Whether a point of a polygon is nearer to the center than the radius.
    fn is_near(&self, planes: &PlaneSet, face: &Polygon) -> bool {
        let own = planes.whole(face.plane());
        let normal = [&own[0], &own[1], &own[2]];
        let height = self.height(&own);
        let length = dot(normal, normal);
        if &height * &height >= &self.radius_squared * &length {
            return false;
        }
        // Over the inside of the polygon?
        let is_over = face.edges().iter().all(|edge| {
            let edge = planes.whole(*edge);
            let along = dot([&edge[0], &edge[1], &edge[2]], normal);
            self.height(&edge) * &length <= &height * along
        });
        if is_over {
            return true;
        }
        let corners: Vec<([IBig; 3], IBig)> =
            face.corners().iter().filter_map(|corner| self.arm(planes, corner.planes())).collect();
        let ends = corners.iter().zip(corners.iter().cycle().skip(1));
        ends.into_iter().any(|((p, v), (q, w))| {
            // From the corners to the center, times v and w.
            if dot_own(p) < &self.radius_squared * (v * v) {
                return true;
            }
            let along: [IBig; 3] = core::array::from_fn(|i| &p[i] * w - &q[i] * v);
            let is_between = dot_of(p, &along) > IBig::ZERO && dot_of(q, &along) < IBig::ZERO;
            is_between && {
                let across = cross(p, &along);
                dot_own(&across) < &self.radius_squared * (v * v) * dot_own(&along)
            }
        })
    }

    /// The vector from a corner to the center times a number greater than 0, and that number.
    fn arm(&self, planes: &PlaneSet, corner: [PlaneId; 3]) -> Option<([IBig; 3], IBig)> {
        let [x, y, z, w] = planes.meet(corner)?;
        let sign = if w < IBig::ZERO { -IBig::ONE } else { IBig::ONE };
        let w = w * &sign;
        let place = [x, y, z].map(|x| (x * &sign) << self.shift);
        Some((core::array::from_fn(|i| &self.center[i] * &w - &place[i]), w))
    }
}

fn dot([a, b, c]: [&IBig; 3], [x, y, z]: [&IBig; 3]) -> IBig {
    a * x + b * y + c * z
}

fn dot_of(a: &[IBig; 3], b: &[IBig; 3]) -> IBig {
    dot([&a[0], &a[1], &a[2]], [&b[0], &b[1], &b[2]])
}

fn dot_own(a: &[IBig; 3]) -> IBig {
    dot_of(a, a)
}

fn cross(a: &[IBig; 3], b: &[IBig; 3]) -> [IBig; 3] {
    [&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]]
}
