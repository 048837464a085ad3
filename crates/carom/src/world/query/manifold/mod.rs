//! Contact manifolds: the support of a resting mover, with at most four points for each plane.
//!
//! Idea: contacts of one body with nearly the same normal form one plane. The face of the mover that looks
//! against the normal is clipped by the faces of the touched parts that look along it. Of the remaining
//! corners the deepest is kept, and those that span the most area with it. A part that lies completely behind
//! the plane of a deeper contact supports nothing. Error: points are on both surfaces to within the rounding
//! of the contacts. Cost: one walk for contacts, one clip for each part, one hull for each plane. It never
//! gives up: if a clip leaves nothing, the point of the contact is used.

mod outline;

use alloc::vec::Vec;

use arrayvec::ArrayVec;
use glam::{DVec2, DVec3};

use crate::num::bound::{UNIT_ROUNDOFF, length_and_direction, reach};
use crate::shape::{Mover, ShapeError, finite};
use crate::world::query::body_contact::BodyContact;
use crate::world::query::manifold::outline::{Basis, Outline, shared};
use crate::world::{Body, BodyId, Layers, World};

/// The most points of a manifold: four points support any rigid body.
pub const MANIFOLD_POINTS: usize = 4;

/// 1/16: planes that part by no more than this share of the asked distance, over the size of the mover, are
/// one, and points that differ in depth by no more than this are equally deep.
const SAME: f64 = 0.0625;

/// A point that supports a mover.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ManifoldPoint {
    /// The point on the surface of the body, in meters. `point + normal * gap` is on the surface of the
    /// mover.
    pub point: DVec3,
    /// The distance of mover and body here along the normal, in meters; negative in an overlap.
    pub gap: f64,
    /// The part of the body, as in [`Part`](crate::world::Part).
    pub part: u32,
}

/// The contact of a resting mover with one plane of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactManifold {
    /// The body.
    pub body: BodyId,
    /// The body's user number ([`Body::with_user_data`]).
    pub user_data: u64,
    /// The unit normal, towards the mover.
    pub normal: DVec3,
    points: ArrayVec<ManifoldPoint, MANIFOLD_POINTS>,
}

impl ContactManifold {
    /// One to four points, the deepest first.
    pub fn points(&self) -> &[ManifoldPoint] {
        &self.points
    }
}

impl World {
    /// The support of a mover with its center at `at`: the contact manifolds of all bodies within `distance`
    /// meters. Use it to draw contacts, or to push and turn bodies with your own physics.
    ///
    /// Each body has one manifold for each plane in which it is touched. A box in the corner of a room has
    /// three, with four points each. A box on its edge has one with two points, and a box on its corner one
    /// with one point. Balls have one point for each plane, capsules at most two. Every point is on both
    /// surfaces, no farther apart than `distance`. `distance` also limits how far a face may be tilted and
    /// still rest with all its corners: a hundredth of the size of the mover is a good choice. Planes whose
    /// normals differ by less than a sixteenth of `distance` over the size of the mover count as one. (If a
    /// mover is so deep in a body that its middle is pierced, it has the plain contact point. If it is in a
    /// mesh, it has the normals with which it leaves each triangle.)
    ///
    /// The order is by body, and for each body the deepest first. No order of bodies or parts changes a bit
    /// of a manifold.
    ///
    /// ```
    /// use carom::{Body, Cuboid, Layers, World, glam::{DVec3, dvec3}};
    /// let mut world = World::new();
    /// let floor = world.add(Body::fixed(Cuboid::new(dvec3(9.0, 1.0, 9.0))?).at(dvec3(0.0, -1.0, 0.0)));
    /// let crate_ = Cuboid::new(dvec3(0.5, 0.5, 0.5))?;
    /// let manifolds = world.manifolds(crate_, dvec3(2.0, 0.5, 3.0), 0.01, Layers::ALL)?;
    /// assert_eq!((manifolds.len(), manifolds[0].body, manifolds[0].normal), (1, floor, DVec3::Y));
    /// assert_eq!(manifolds[0].points().len(), 4); // the corners of its lower face
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// A position or a distance is not finite, or a distance is negative.
    pub fn manifolds(
        &self,
        mover: impl Into<Mover>,
        at: DVec3,
        distance: f64,
        layers: Layers,
    ) -> Result<Vec<ContactManifold>, ShapeError> {
        let (mover, at) = (mover.into(), finite(at, "at")?);
        if !distance.is_finite() {
            return Err(ShapeError::NotFinite("distance"));
        }
        if distance < 0.0 {
            return Err(ShapeError::Negative("distance"));
        }
        let mut contacts: Vec<BodyContact> = Vec::new();
        self.contacts(&mover, at, distance, layers, |contact| contacts.push(contact));
        contacts.sort_unstable_by(|a, b| {
            let by_depth = || a.contact.gap.total_cmp(&b.contact.gap).then(a.part.part.cmp(&b.part.part));
            a.part.body.cmp(&b.part.body).then_with(by_depth)
        });
        let mut manifolds = Vec::new();
        for contacts in contacts.chunk_by(|a, b| a.part.body == b.part.body) {
            if let Some(body) = self.body(contacts[0].part.body) {
                Resting { mover: &mover, at, distance, body }.manifolds(contacts, &mut manifolds);
            }
        }
        Ok(manifolds)
    }
}

/// A mover near a body.
struct Resting<'a> {
    mover: &'a Mover,
    at: DVec3,
    distance: f64,
    body: &'a Body,
}

/// A point of both shapes, seen along the normal.
#[derive(Clone, Copy)]
struct Candidate {
    /// The position across the normal, from the center of the mover.
    across: DVec2,
    point: ManifoldPoint,
}

impl Resting<'_> {
    /// The manifolds of one body, from its contacts, the deepest first.
    fn manifolds(&self, contacts: &[BodyContact], manifolds: &mut Vec<ContactManifold>) {
        let size = reach(self.mover.bounds().max());
        let is_round = matches!(self.mover, Mover::Point | Mover::Sphere(_) | Mover::Ellipsoid(_));
        let mut planes: Vec<Vec<&BodyContact>> = Vec::new();
        for near in contacts {
            let contact = &near.contact;
            let same = SAME * self.distance + contact.rounding;
            let joins = |plane: &&mut Vec<&BodyContact>| {
                reach(plane[0].contact.normal - contact.normal) * size <= same
            };
            if let Some(plane) = planes.iter_mut().find(joins) {
                plane.push(near);
                continue;
            }
            let (piece, own) = self.body.piece_of(near.part.part, 1.0);
            let corners = Outline::corners(&piece, own);
            let over = |plane: &[&BodyContact], point: DVec3| {
                let deeper = &plane[0].contact;
                deeper.normal.dot(point - deeper.point)
            };
            // A face in a plane that already has a contact belongs to that plane, whatever its own contact
            // is.
            let is_coplanar = |plane: &&mut Vec<&BodyContact>| {
                !corners.is_empty() && corners.iter().all(|corner| over(plane, *corner).abs() <= same)
            };
            // A face behind it is out of reach; and a round mover touches such a plane at a point, not at the
            // rim of its neighbor.
            let is_behind = |plane: &Vec<&BodyContact>| {
                (!self.mover_is_flat() && over(plane, contact.point) <= same)
                    || (!corners.is_empty() && corners.iter().all(|corner| over(plane, *corner) <= same))
            };
            if let Some(plane) = planes.iter_mut().find(is_coplanar) {
                plane.push(near);
            } else if !planes.iter().any(is_behind) {
                planes.push(alloc::vec![near]);
            }
        }
        let before = manifolds.len();
        for plane in &planes {
            let first = plane[0];
            let normal = first.contact.normal;
            let basis = Basis::along(normal);
            let mut candidates = Vec::new();
            if !is_round {
                self.candidates(plane, &basis, &mut candidates);
            }
            // A corner that two neighbors share with the mover is no corner of the patch that both share with
            // it. Corners that are too far away are left out only after that.
            let mut rim = hull(candidates, first.contact.rounding);
            rim.retain(|found| found.point.gap <= self.distance);
            // Edges that cross touch where neither has a corner.
            let deepest = rim.iter().map(|found| found.point.gap).fold(f64::INFINITY, f64::min);
            let same = SAME * self.distance + first.contact.rounding;
            let is_on_mover = |near: &&&BodyContact| {
                let seen = near.contact.point + normal * near.contact.gap - self.at;
                self.mover.signed_distance(seen).abs() <= same
            };
            let is_needed = |near: &&&BodyContact| deepest > near.contact.gap + same;
            let mut deeper = plane.iter().find(is_on_mover).filter(is_needed).copied();
            if rim.is_empty() && deeper.is_none() {
                if first.contact.gap > first.contact.rounding {
                    continue;
                }
                deeper = Some(first);
            }
            let deeper = deeper.map(|near| Candidate {
                across: basis.across(near.contact.point - self.at),
                point: ManifoldPoint {
                    point: near.contact.point,
                    gap: near.contact.gap,
                    part: near.part.part,
                },
            });
            let points = few(deeper, &rim, same);
            manifolds.push(ContactManifold {
                body: first.part.body,
                user_data: first.user_data,
                normal,
                points,
            });
        }
        if manifolds.len() == before {
            manifolds.extend(self.nearest(contacts));
        }
    }

    /// The nearest points of the nearest part: the gap of a box near the corner of another is less than their
    /// distance, and is not the distance of any two points.
    fn nearest(&self, contacts: &[BodyContact]) -> Option<ContactManifold> {
        let mut nearest: Option<(f64, ContactManifold)> = None;
        for near in contacts {
            let BodyContact { part, user_data, .. } = *near;
            self.body.measure(self.mover, self.at, part.part, |distance, point| {
                let seen = point - self.at;
                let (gap, normal) = length_and_direction(self.mover.closest_point(seen) - seen);
                let is_nearer = nearest.as_ref().is_none_or(|(least, _)| distance < *least);
                if distance <= self.distance && gap > 0.0 && is_nearer {
                    let points = [ManifoldPoint { point, gap, part: part.part }].into_iter().collect();
                    nearest =
                        Some((distance, ContactManifold { body: part.body, user_data, normal, points }));
                }
            });
        }
        nearest.map(|(_, manifold)| manifold)
    }

    fn mover_is_flat(&self) -> bool {
        matches!(self.mover, Mover::Cuboid(_))
    }

    /// The corners of the patch that the mover shares with the parts that touch it in a plane, seen along the
    /// normal.
    fn candidates(&self, plane: &[&BodyContact], basis: &Basis, candidates: &mut Vec<Candidate>) {
        let Some(own) = Outline::of_mover(self.mover, -basis.normal, basis) else { return };
        for near in plane {
            let rounding = near.contact.rounding;
            let (piece, own_part) = self.body.piece_of(near.part.part, 1.0);
            let first = near.part.part - own_part;
            for (part, outline) in Outline::of_part(&piece, own_part, self.at, basis) {
                for across in shared(&own, &outline) {
                    let (upper, lower) = (own.height(across), outline.height(across));
                    let gap = upper - lower;
                    let seen = basis.point(across, upper);
                    // The end of a leaning capsule that is higher up may not be on its surface.
                    let is_on_mover = self.mover_is_flat()
                        || self.mover.signed_distance(seen).abs() <= self.distance + rounding;
                    let on_part = basis.point(across, lower);
                    let is_on_part = outline.is_flat()
                        || Outline::distance_of(&piece, self.at + on_part) <= self.distance + rounding;
                    let reach = self.distance + rounding;
                    let is_over_both = own.aside(across).max(outline.aside(across)) <= reach;
                    if gap.is_finite() && is_over_both && is_on_mover && is_on_part {
                        let point = ManifoldPoint { point: self.at + on_part, gap, part: first + part };
                        candidates.push(Candidate { across, point });
                    }
                }
            }
        }
    }
}

/// Twice the area of a triangle, positive if it turns to the left.
fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// At most four: the deepest, and of the rim those that span the most area with it; the deepest first. Gaps
/// that differ by no more than `same` are equally deep.
fn few(deeper: Option<Candidate>, rim: &[Candidate], same: f64) -> ArrayVec<ManifoldPoint, MANIFOLD_POINTS> {
    let depth = |a: &&Candidate, b: &&Candidate| a.point.gap.total_cmp(&b.point.gap);
    let mut kept: Vec<Candidate> = deeper.into_iter().collect();
    if kept.is_empty() && rim.len() <= MANIFOLD_POINTS {
        kept.extend(rim);
    } else if kept.is_empty()
        && let Some(first) = rim.iter().min_by(depth)
    {
        // Of equally deep points the first by position, so that rounding does not choose.
        kept.extend(rim.iter().find(|found| found.point.gap <= first.point.gap + same));
    }
    while kept.len() < MANIFOLD_POINTS {
        let gain = |found: &Candidate| gained(&kept, found.across);
        let best = rim.iter().map(|found| (gain(found), found)).reduce(|a, b| if b.0 > a.0 { b } else { a });
        match best {
            Some((gain, found)) if gain > 0.0 => {
                let found = *found;
                kept.push(found);
            }
            _ => break,
        }
    }
    kept.sort_by(|a, b| depth(&a, &b));
    kept.iter().map(|found| found.point).take(MANIFOLD_POINTS).collect()
}

/// What a further point adds to the span of the others: distance, area, then area outside of the triangle.
fn gained(kept: &[Candidate], point: DVec2) -> f64 {
    match kept {
        [] => f64::INFINITY,
        [a] => (point - a.across).length_squared(),
        [a, b] => turn(a.across, b.across, point).abs(),
        [a, b, c, ..] => {
            let [a, b, c] = [a, b, c].map(|found| found.across);
            let side = if turn(a, b, c) < 0.0 { -1.0 } else { 1.0 };
            [(a, b), (b, c), (c, a)].map(|(p, q)| -side * turn(p, q, point)).into_iter().fold(0.0, f64::max)
        }
    }
}

/// The corners of the convex hull of points, counter-clockwise; without those that are on an edge but for
/// rounding.
///
/// Source: Andrew (1979), the monotone chain.
fn hull(mut candidates: Vec<Candidate>, rounding: f64) -> Vec<Candidate> {
    candidates.sort_unstable_by(|a, b| {
        let by_place = a.across.x.total_cmp(&b.across.x).then(a.across.y.total_cmp(&b.across.y));
        by_place.then(a.point.gap.total_cmp(&b.point.gap)).then(a.point.part.cmp(&b.point.part))
    });
    let size = candidates.iter().fold(0.0f64, |size, found| size.max(found.across.abs().max_element()));
    let tiny = 64.0 * UNIT_ROUNDOFF * size + rounding;
    let is_same = |a: &Candidate, b: &Candidate| (a.across - b.across).abs().max_element() <= tiny;
    let mut rim: Vec<Candidate> = Vec::new();
    let mut chain = |points: &mut dyn Iterator<Item = &Candidate>| {
        let start = rim.len();
        for found in points {
            while let [.., a, b] = &rim[start..] {
                // The height of b over the line from a is no more than rounding.
                let along = (found.across - a.across).abs().max_element();
                if is_same(b, found) || turn(a.across, b.across, found.across) <= tiny * along {
                    rim.pop();
                } else {
                    break;
                }
            }
            rim.push(*found);
        }
        // The last is the first of the other chain.
        rim.pop();
    };
    chain(&mut candidates.iter());
    chain(&mut candidates.iter().rev());
    rim.dedup_by(|a, b| is_same(a, b));
    if rim.len() > 1 && is_same(&rim[0], &rim[rim.len() - 1]) {
        rim.pop();
    }
    if rim.is_empty() { candidates.first().into_iter().copied().collect() } else { rim }
}
