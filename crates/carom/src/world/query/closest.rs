//! The nearest part to a mover.
//!
//! Source: branch and bound over the trees with the convex distance of `shape`. Error: that of the convex
//! distance.

use core::cmp::Ordering;

use arrayvec::ArrayVec;
use glam::{DQuat, DVec3};

use crate::mesh::HeightField;
use crate::num::bound::reach;
use crate::num::ops::sqrt;
use crate::shape::{Aabb, Mover, ShapeError, finite};
use crate::sweep::Path;
use crate::world::body::Body;
use crate::world::body::collider::Collider;
use crate::world::query::measure::{ClosestSurfaces, boxes_apart, nearest_in_field, seen_from};
use crate::world::surface::Surfaces;
use crate::world::{BodyId, Layers, Part, World};

/// The nearest part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// The distance between mover and part in meters; 0 if they touch or overlap. Its error is that of
    /// [`convex_distance`](crate::shape::convex_distance).
    pub distance: f64,
    /// The nearest point of the part, in meters.
    pub point: DVec3,
    /// The part.
    pub part: Part,
    /// The body's user number ([`Body::with_user_data`](crate::world::Body::with_user_data)).
    pub user_data: u64,
}

impl World {
    /// The part nearest to the mover with its center at `at`, no farther than `distance` meters (which may be
    /// infinite). Among equally near parts the one with the lower body and number wins.
    ///
    /// # Errors
    /// The position is not finite.
    pub fn closest(
        &self,
        mover: impl Into<Mover>,
        at: DVec3,
        distance: f64,
        layers: Layers,
    ) -> Result<Option<Closest>, ShapeError> {
        let (mover, at) = (mover.into(), finite(at, "at")?);
        let mut best = Best { found: None, distance, user_data: 0 };
        // A body is no nearer than the distance of its bounds from the center, less the mover's reach and the
        // rounding of both.
        let [inner, radius] = radii(&mover);
        let spare = SPARE * (reach(at) + radius);
        let within = |best: &Best| (best.distance + radius) * (1.0 + SPARE) + spare;
        // The nearest first, and of overlapped ones the lowest: the others are seldom measured.
        let measure_all = |waiting: &mut ArrayVec<(f64, u32), WAITING>, mut limit: f64, best: &mut Best| {
            let gap = |waiting: &(f64, u32)| less(waiting.0, inner);
            waiting.sort_unstable_by(|a, b| gap(a).total_cmp(&gap(b)).then(a.1.cmp(&b.1)));
            for (least, number) in waiting.drain(..) {
                let is_beyond = least > limit;
                let is_asked =
                    |(id, _): &(BodyId, &Body)| !is_beyond && best.may_be(Part { body: *id, part: 0 });
                if let Some((id, body)) = self.numbered(number).filter(is_asked) {
                    best.user_data = body.user_data;
                    body.closest(&mover, at, best, Part { body: id, part: 0 });
                    limit = limit.min(within(best));
                }
            }
            limit
        };
        let mut limit = within(&best);
        // Solids whose distance from the center is known wait until all others are done.
        let mut waiting = ArrayVec::new();
        let expect = |number| self.prefetch_body(number);
        self.index.nearest(at, limit, expect, |number, _| {
            let Some((id, body)) = self.numbered(number).filter(|(_, body)| body.layers.meets(layers)) else {
                return limit;
            };
            if let Some((apart, size)) = body.solid_apart(at) {
                let spare = spare + SPARE * size;
                let is_beyond = apart - spare > limit;
                if !is_beyond {
                    if waiting.is_full() {
                        limit = measure_all(&mut waiting, limit, &mut best);
                    }
                    waiting.push((apart - spare, number));
                    limit = limit.min(less(apart, inner) + radius + 2.0 * spare);
                }
            } else {
                best.user_data = body.user_data;
                body.closest(&mover, at, &mut best, Part { body: id, part: 0 });
                limit = limit.min(within(&best));
            }
            limit
        });
        measure_all(&mut waiting, limit, &mut best);
        Ok(best.found)
    }

    /// Like [`World::closest`], but tests every part of every body, without the index and the trees.
    #[doc(hidden)]
    pub fn closest_among_all(
        &self,
        mover: impl Into<Mover>,
        at: DVec3,
        distance: f64,
        layers: Layers,
    ) -> Result<Option<Closest>, ShapeError> {
        let (mover, at) = (mover.into(), finite(at, "at")?);
        let mut nearest: Option<Closest> = None;
        for (id, body) in self.bodies().filter(|(_, body)| body.layers.meets(layers)) {
            for part in 0..body.collider.part_count() {
                let mut best = Best { found: None, distance, user_data: body.user_data };
                body.measure(&mover, at, part, |distance, point| {
                    best.offer(distance, point, Part { body: id, part });
                });
                let Some(found) = best.found else { continue };
                if nearest.is_none_or(|nearest| {
                    (found.distance, found.part).partial_cmp(&(nearest.distance, nearest.part))
                        == Some(Ordering::Less)
                }) {
                    nearest = Some(found);
                }
            }
        }
        Ok(nearest)
    }
}

/// The error bound of a convex distance, and of the bounds here, as a share of all lengths: many times 32
/// unit roundoffs and its tolerance.
const SPARE: f64 = 1.0 / (1u64 << 36) as f64;

/// At most this many parts wait to be measured.
const WAITING: usize = 16;

/// The radii of two balls about the center of a mover: one inside it, and one around it.
fn radii(mover: &Mover) -> [f64; 2] {
    match mover {
        Mover::Point => [0.0; 2],
        Mover::Sphere(sphere) => [sphere.radius(); 2],
        Mover::Ellipsoid(ellipsoid) => [ellipsoid.radii().min_element(), ellipsoid.radii().max_element()],
        Mover::Capsule(capsule) => [capsule.radius(), capsule.radius() + capsule.half_height()],
        Mover::Cuboid(cuboid) => {
            let half = cuboid.half_extents();
            [half.min_element(), sqrt(half.length_squared()) * (1.0 + 4.0 * f64::EPSILON)]
        }
    }
}

/// The box around a mover with its center at a place; `None` beyond the range of f64.
fn box_of(mover: &Mover, center: DVec3) -> Option<Aabb> {
    let bounds = mover.bounds();
    Aabb::new(center + bounds.min(), center + bounds.max()).ok()
}

/// A distance less a radius, but no less than 0; infinite for a NaN, of which nothing is known.
fn less(distance: f64, radius: f64) -> f64 {
    let rest = distance - radius;
    if rest.is_nan() { f64::INFINITY } else { rest.max(0.0) }
}

/// The nearest part so far, and the distance that another must beat.
struct Best {
    found: Option<Closest>,
    distance: f64,
    /// The body that is tested.
    user_data: u64,
}

impl Best {
    /// Whether a part, or one with a higher number, may be preferred: nothing is nearer than an overlap.
    fn may_be(&self, part: Part) -> bool {
        self.distance > 0.0 || self.found.is_none_or(|found| part < found.part)
    }

    fn offer(&mut self, distance: f64, point: DVec3, part: Part) {
        let nearer = match &self.found {
            None => distance <= self.distance,
            Some(best) => distance < best.distance || (distance == best.distance && part < best.part),
        };
        if nearer {
            self.distance = distance;
            self.found = Some(Closest { distance, point, part, user_data: self.user_data });
        }
    }
}

impl Body {
    /// The distance of a place from a solid whose nearest point is known in closed form, to within rounding,
    /// and the largest distance of the solid. `None` for others, and for a scale that leaves no size.
    fn solid_apart(&self, at: DVec3) -> Option<(f64, f64)> {
        let (pose, scale) = (self.pose(), self.pose().scale());
        let place = at - pose.position();
        let seen = |rotation: DQuat| {
            let place = pose.rotation().conjugate() * place;
            // Most have no rotation besides that of their pose.
            if rotation == DQuat::IDENTITY { place } else { rotation.conjugate() * place }
        };
        // Each is a box thickened by a radius.
        let (place, half, radius) = match &self.collider {
            Collider::Sphere(sphere) => (place, DVec3::ZERO, sphere.radius() * scale),
            Collider::Capsule(capsule) => {
                let half = DVec3::new(0.0, capsule.half_height() * scale, 0.0);
                (seen(capsule.rotation()), half, capsule.radius() * scale)
            }
            Collider::Cuboid(cuboid) => (seen(cuboid.rotation()), cuboid.half_extents() * scale, 0.0),
            _ => return None,
        };
        let (thin, size) = (half.min_element().max(radius), reach(half) + radius);
        if !(thin > 0.0 && size.is_finite()) {
            return None;
        }
        let apart = sqrt((place.abs() - half).max(DVec3::ZERO).length_squared());
        Some(((apart - radius).max(0.0), reach(pose.position()) + 3.0 * size))
    }

    /// Offers the nearest parts of the body, of which `first` is the first.
    fn closest(&self, mover: &Mover, at: DVec3, best: &mut Best, first: Part) {
        let Collider::Compound(compound) = &self.collider else {
            return self.closest_of_one(mover, at, best, first);
        };
        let Ok(here) = Path::new(at, DVec3::ZERO) else { return };
        let frame = self.frame();
        let reach = compound.seen_by(&frame, mover, &here);
        for piece in compound.pieces() {
            if reach.may_meet(piece, best.distance) {
                let first = first.after(piece.first);
                self.placed(piece, self.pose()).closest_of_one(mover, at, best, first);
            }
        }
    }

    /// The same of one that is no compound.
    fn closest_of_one(&self, mover: &Mover, at: DVec3, best: &mut Best, first: Part) {
        match &self.collider {
            Collider::Mesh(mesh) => self.closest_surface(&**mesh, mover, at, best, first),
            Collider::Polygons(set) => self.closest_surface(&set.as_parts(), mover, at, best, first),
            Collider::Patches(set) => self.closest_surface(&set.as_parts(), mover, at, best, first),
            Collider::Hull(hull) if hull.holds(self.frame().point_to_local(at)) => {
                best.offer(0.0, at, first);
            }
            Collider::Hull(hull) => self.closest_surface(hull.boundary(), mover, at, best, first),
            Collider::HeightField(field) => self.closest_in_field(field, mover, at, best, first),
            _ => self.measure(mover, at, 0, |distance, point| best.offer(distance, point, first)),
        }
    }

    /// The distance of a mover from a part costs many times that of its center, which gives bounds for it. So
    /// the parts that these bounds leave wait until all others are done.
    fn closest_surface<S: ClosestSurfaces>(
        &self,
        surfaces: &S,
        mover: &Mover,
        at: DVec3,
        best: &mut Best,
        first: Part,
    ) {
        let frame = &self.frame();
        let Some(local) = seen_from(frame, mover, at, surfaces) else { return };
        let center = local.path().from();
        let [inner, outer] = radii(local.mover());
        let spare = SPARE * (reach(center) + outer + 3.0 * surfaces.largest());
        let within = |best: &Best| best.distance / frame.scale() * (1.0 + SPARE) + outer + spare;
        let area = box_of(local.mover(), center);
        let measure = |i: u32, best: &mut Best| {
            // Of a long mover the ball around it says little, and the box around it more.
            let nearest = within(best) - outer;
            if area.as_ref().is_some_and(|area| surfaces.apart(i, area) > nearest) {
                return;
            }
            if let Some((distance, point)) = surfaces.nearest(i, local.mover(), center) {
                best.offer(distance * frame.scale(), frame.point_to_world(center + point), first.after(i));
            }
        };
        let mut limit = within(best);
        let mut waiting = ArrayVec::<(f64, u32), WAITING>::new();
        let mut measure_all = |waiting: &mut ArrayVec<(f64, u32), WAITING>, mut limit: f64| {
            for (least, i) in waiting.drain(..) {
                let is_beyond = least > limit;
                if !is_beyond && best.may_be(first.after(i)) {
                    measure(i, best);
                    limit = limit.min(within(best));
                }
            }
            limit
        };
        surfaces.near(center, limit, |i, [least, most], _| {
            let is_beyond = least > limit;
            if !is_beyond {
                if waiting.is_full() {
                    limit = measure_all(&mut waiting, limit);
                }
                waiting.push((least, i));
                // The mover is nearer than its center by at least the radius of the ball inside it, and at
                // most that of the ball around it.
                limit = limit.min(less(most, inner) + outer + 2.0 * spare);
            }
            limit
        });
        measure_all(&mut waiting, limit);
    }

    /// The same in a height field: ring by ring about the cell that is nearest seen from above.
    fn closest_in_field(&self, field: &HeightField, mover: &Mover, at: DVec3, best: &mut Best, first: Part) {
        let frame = &self.frame();
        let Some(local) = seen_from(frame, mover, at, field) else { return };
        let center = local.path().from();
        let [_, radius] = radii(local.mover());
        let spare = SPARE * (reach(center) + radius + 3.0 * field.largest());
        let within = |best: &Best| best.distance / frame.scale() * (1.0 + SPARE) + radius + spare;
        let area = box_of(local.mover(), center);
        let mut limit = within(best);
        let is_far = |low: DVec3, high: DVec3, limit: f64| {
            let of_center = (low - center).max(center - high).max(DVec3::ZERO);
            of_center.length_squared() > limit * limit
                || area.as_ref().is_some_and(|area| boxes_apart(low, high, area) > limit - radius)
        };
        let is_far_cell = |column: u32, row: u32, limit: f64| {
            let [low, high] = field.cell_bounds(column, row);
            is_far(low, high, limit)
        };
        let [columns, rows] = field.size().map(|samples| i64::from(samples) - 1);
        let spacing = field.spacing();
        let middle = |x: f64, spacing: f64, count: i64| ((x / spacing) as i64).clamp(0, count - 1);
        let [i, j] = [middle(center.x, spacing[0], columns), middle(center.z, spacing[1], rows)];
        let least = spacing[0].min(spacing[1]);
        // How far the center is out of the field: all cells are at least as far along that axis, and those of
        // a ring farther by the ring along x or z.
        let bounds = field.bounds();
        let out = (bounds.min() - center).max(center - bounds.max()).max(DVec3::ZERO);
        for ring in 0..columns.max(rows) {
            // One less, because positions of samples are rounded.
            let aside = (ring - 2).max(0) as f64 * least;
            let farther = |axis: DVec3| (out + axis * aside).length_squared();
            if sqrt(farther(DVec3::X).min(farther(DVec3::Z))) > limit {
                return;
            }
            for row in (j - ring).max(0)..=(j + ring).min(rows - 1) {
                let is_side = (row - j).abs() == ring;
                let step = if is_side || ring == 0 { 1 } else { 2 * ring };
                let mut column = i - ring;
                while column <= i + ring {
                    let is_cell = (0..columns).contains(&column);
                    if is_cell && !is_far_cell(column as u32, row as u32, limit) {
                        let cell = field.cell(column as u32, row as u32);
                        for number in [2 * cell, 2 * cell + 1] {
                            if !(field.has_triangle(number) && best.may_be(first.after(number))) {
                                continue;
                            }
                            let [a, b, c] = field.corners(number);
                            if is_far(a.min(b).min(c), a.max(b).max(c), limit) {
                                continue;
                            }
                            if let Some((distance, point)) =
                                nearest_in_field(field, number, local.mover(), center)
                            {
                                let place = frame.point_to_world(center + point);
                                best.offer(distance * frame.scale(), place, first.after(number));
                                limit = within(best);
                            }
                        }
                    }
                    column += step;
                }
            }
        }
    }
}
