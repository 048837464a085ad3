//! A world as obstacle: its triangles, polygons and solids as facets that a flying ball can meet.
//!
//! Source: `docs/balls.md`. Every body is brought into the world once: meshes and polygons as triangles,
//! cuboids as the twelve of their faces, capsules and spheres as segments and points with a radius of their
//! own. A ball meets a facet at the earliest of two plane roots (its sides) whose foot is inside, three line
//! roots (its edges) and three point roots (its corners). Error: the facet's corners are rounded to f64 in
//! the world once. Cost: two products for a facet that the flight stays clear of; else up to eight roots. It
//! never gives up.

use alloc::vec::Vec;

use glam::DVec3;

use crate::balls::error::TableError;
use crate::balls::flight::{Earliest, Flight, Meeting, direction_or};
use crate::balls::grid::cells::Cells;
use crate::num::bound::length_and_direction;
use crate::shape::Triangle;
use crate::world::{Body, BodyId, Collider, Pose, World};

/// A triangle, a segment or a point with a radius about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet {
    corners: [DVec3; 3],
    /// Unit, or zero without area.
    normal: DVec3,
    grown: f64,
    pub(crate) body: BodyId,
    pub(crate) part: u32,
}

/// All facets, and the facets of each cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facets {
    all: Vec<Facet>,
    starts: Vec<u32>,
    items: Vec<u32>,
}

/// The faces of a cuboid by the corners of [`crate::shape::Cuboid::corners`] is not assumed: signs tell which
/// is which.
const SIDES: [[[f64; 3]; 4]; 6] = {
    const fn side(axis: usize, sign: f64) -> [[f64; 3]; 4] {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut corners = [[0.0; 3]; 4];
        let signs = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let mut i = 0;
        while i < 4 {
            corners[i][axis] = sign;
            corners[i][u] = signs[i][0];
            corners[i][v] = signs[i][1];
            i += 1;
        }
        corners
    }
    [side(0, -1.0), side(0, 1.0), side(1, -1.0), side(1, 1.0), side(2, -1.0), side(2, 1.0)]
};

/// The facets of a body, or of all pieces of a compound: in the world, or about its position without its turn
/// (`Seat::Body`), as a body that moves wants them.
pub(crate) fn facets_of(id: BodyId, body: &Body, seat: Seat) -> Result<Vec<Facet>, TableError> {
    let mut all = Vec::new();
    let pose = match seat {
        Seat::World => *body.pose(),
        Seat::Body => Pose::IDENTITY.with_scale(body.pose().scale()).unwrap_or_default(),
    };
    let mut failed = Ok(());
    body.clone().at(pose).each_piece(|piece, first| {
        if failed.is_ok() {
            failed = add_facets(id, piece, first, &mut all);
        }
    });
    failed.map(|()| all)
}

/// The facets of a body that is no compound, where it is.
fn add_facets(id: BodyId, moved: &Body, first: u32, all: &mut Vec<Facet>) -> Result<(), TableError> {
    let pose = *moved.pose();
    let scale = pose.scale();
    let frame = moved.frame();
    let mut add = |corners: [DVec3; 3], grown: f64, part: u32| {
        let [a, b, c] = corners;
        let normal = direction_or((b - a).cross(c - a), DVec3::ZERO);
        all.push(Facet { corners, normal, grown, body: id, part: first + part });
    };
    match moved.collider() {
        Collider::Mesh(mesh) => {
            for part in 0..mesh.mesh().triangle_count() {
                add(mesh.mesh().corners(part).map(|corner| frame.point_to_world(corner)), 0.0, part);
            }
        }
        Collider::Polygons(set) => {
            for (part, polygon) in set.polygons().iter().enumerate() {
                let corners = polygon.vertices();
                for pair in corners[1..].windows(2) {
                    let fan = [corners[0], pair[0], pair[1]];
                    add(fan.map(|corner| frame.point_to_world(corner)), 0.0, part as u32);
                }
            }
        }
        Collider::Hull(hull) => {
            let mesh = hull.boundary().mesh();
            for part in 0..mesh.triangle_count() {
                add(mesh.corners(part).map(|corner| frame.point_to_world(corner)), 0.0, part);
            }
        }
        Collider::HeightField(field) => {
            for part in (0..field.triangle_count()).filter(|part| field.has_triangle(*part)) {
                add(field.corners(part).map(|corner| frame.point_to_world(corner)), 0.0, part);
            }
        }
        Collider::HalfSpace(_) => return Err(TableError::EndlessObstacle(id.index())),
        Collider::Patches(_) => return Err(TableError::CurvedObstacle(id.index())),
        Collider::Sphere(sphere) => add([pose.position(); 3], sphere.radius() * scale, 0),
        Collider::Capsule(capsule) => {
            let half = pose.rotation() * (capsule.half_axis() * scale);
            let (low, high) = (pose.position() - half, pose.position() + half);
            add([low, high, high], capsule.radius() * scale, 0);
        }
        Collider::Cuboid(cuboid) => {
            let place = |signs: [f64; 3]| {
                let own = cuboid.axes() * (cuboid.half_extents() * DVec3::from_array(signs));
                pose.position() + pose.rotation() * (own * scale)
            };
            for side in SIDES {
                let [a, b, c, d] = side.map(place);
                add([a, b, c], 0.0, 0);
                add([a, c, d], 0.0, 0);
            }
        }
        Collider::Cylinder(_) | Collider::Cone(_) => return Err(TableError::RevolvedObstacle(id.index())),
        Collider::Ellipsoid(_) => return Err(TableError::EllipsoidObstacle(id.index())),
        // No piece is one.
        Collider::Compound(_) => {}
    }
    Ok(())
}

/// The frame of the facets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seat {
    World,
    Body,
}

impl Facets {
    /// The facets of all bodies that never move, where they are now.
    pub(crate) fn of(world: &World) -> Result<Self, TableError> {
        let mut all = Vec::new();
        for (id, body) in world.bodies().filter(|(_, body)| !body.can_move() && !body.is_sensor()) {
            all.append(&mut facets_of(id, body, Seat::World)?);
        }
        Ok(Self { all, starts: Vec::new(), items: Vec::new() })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn get(&self, number: u32) -> &Facet {
        &self.all[number as usize]
    }

    /// The box of all.
    pub(crate) fn bounds(&self) -> Option<[DVec3; 2]> {
        self.all.iter().map(Facet::bounds).reduce(|[low, high], [l, h]| [low.min(l), high.max(h)])
    }

    /// Notes for each cell which facets a ball of at most this radius in it can touch.
    pub(crate) fn sort_into(&mut self, cells: &Cells, radius: f64) {
        let mut pairs = Vec::new();
        for (number, facet) in self.all.iter().enumerate() {
            let [low, high] = facet.bounds();
            // A little more than the reach: positions are accurate to a few roundings of their coordinates.
            let around = radius + facet.grown;
            let around = DVec3::splat(around + 1e-9 * around) + low.abs().max(high.abs()) * 1e-12;
            cells.overlapping(low - around, high + around, |cell| {
                pairs.push((cells.number(cell) as u32, number as u32));
            });
        }
        pairs.sort_unstable();
        self.starts = alloc::vec![0; cells.boxes() + 1];
        for (cell, _) in &pairs {
            self.starts[*cell as usize + 1] += 1;
        }
        for i in 1..self.starts.len() {
            self.starts[i] += self.starts[i - 1];
        }
        self.items = pairs.into_iter().map(|(_, facet)| facet).collect();
    }

    /// The facets of a cell.
    pub(crate) fn near(&self, cell: usize) -> &[u32] {
        if self.starts.is_empty() {
            return &[];
        }
        &self.items[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

impl Facet {
    /// The corners, and the radius about them.
    pub(crate) fn shape(&self) -> ([DVec3; 3], f64) {
        (self.corners, self.grown)
    }

    /// A ball around it: the middle and the radius, a little more than needed.
    pub(crate) fn around(&self) -> (DVec3, f64) {
        let [low, high] = self.bounds();
        let middle = (low + high) * 0.5;
        let far =
            self.corners.iter().map(|corner| length_and_direction(*corner - middle).0).fold(0.0, f64::max);
        (middle, (far + self.grown) * (1.0 + 1e-12))
    }

    /// How far a ball is from it, and the direction from it to there: zero if the center is on it.
    pub(crate) fn gap(&self, center: DVec3, radius: f64) -> (f64, DVec3) {
        let [a, b, c] = self.corners;
        let Ok(triangle) = Triangle::new(a, b, c) else { return (f64::INFINITY, DVec3::ZERO) };
        let (distance, normal) = length_and_direction(center - triangle.closest_point(center).point);
        (distance - radius - self.grown, if distance > 0.0 { normal } else { self.normal })
    }

    /// How far a place is in front of the plane of the facet, seen from the side where the origin is not.
    pub(crate) fn outside(&self, place: DVec3) -> f64 {
        let [a, ..] = self.corners;
        let height = self.normal.dot(place - a);
        if self.normal.dot(a) < 0.0 { -height } else { height }
    }

    fn bounds(&self) -> [DVec3; 2] {
        let [a, b, c] = self.corners;
        let around = DVec3::splat(self.grown);
        [a.min(b).min(c) - around, a.max(b).max(c) + around]
    }

    /// When a ball first meets it, before the horizon, which is finite.
    pub(crate) fn meets(&self, flight: &Flight, radius: f64, horizon: f64) -> Option<Meeting> {
        let radius = radius + self.grown;
        let [a, b, c] = self.corners;
        let seen = flight.from(a);
        if self.normal != DVec3::ZERO && clear_of(&seen, self.normal, radius, horizon) {
            return None;
        }
        let mut earliest = Earliest::before(horizon);
        if self.normal != DVec3::ZERO {
            for normal in [self.normal, -self.normal] {
                if let Some(time) = seen.meets_plane(normal, radius)
                    && time < earliest.horizon
                    // From this side: a center behind the plane is the other side's.
                    && seen.at(time).dot(normal) >= 0.0
                    && inside(seen.at(time), b - a, c - a, self.normal)
                {
                    earliest.offer(time, normal);
                }
            }
        }
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let edge = to - from;
            let length = edge.length_squared();
            if length <= 0.0 {
                continue;
            }
            let along = direction_or(edge, DVec3::X);
            let whole = flight.from(from);
            let across = whole.across(along);
            let on_edge = |time: f64| (0.0..=length).contains(&whole.at(time).dot(edge));
            if let Some(time) = across.meets_origin(radius, earliest.horizon, on_edge) {
                earliest.offer(time, direction_or(across.at(time), self.normal));
            }
        }
        for corner in [a, b, c] {
            let seen = flight.from(corner);
            if let Some(time) = seen.meets_origin(radius, earliest.horizon, |_| true) {
                earliest.offer(time, direction_or(seen.at(time), self.normal));
            }
        }
        earliest.found
    }
}

/// Whether the flight stays farther than `radius` from the plane until the horizon.
fn clear_of(seen: &Flight, normal: DVec3, radius: f64, horizon: f64) -> bool {
    let (h, v, a) = (seen.position.dot(normal), seen.velocity.dot(normal), seen.acceleration.dot(normal));
    let end = h + (v + 0.5 * a * horizon) * horizon;
    let mut low = h.min(end);
    let mut high = h.max(end);
    let turn = -v / a;
    if turn > 0.0 && turn < horizon {
        let top = h + 0.5 * v * turn;
        low = low.min(top);
        high = high.max(top);
    }
    let slack = 1e-9 * (radius + h.abs());
    low > radius + slack || high < -radius - slack
}

/// Whether the foot of a place on the triangle's plane is inside, the outline included. From the first
/// corner.
fn inside(p: DVec3, ab: DVec3, ac: DVec3, normal: DVec3) -> bool {
    ab.cross(p).dot(normal) >= 0.0
        && p.cross(ac).dot(normal) >= 0.0
        && (ac - ab).cross(p - ab).dot(normal) >= 0.0
}
