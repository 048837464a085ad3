//! What is closest to a mover.
//!
//! Source: branch and bound over the trees with the convex distance of `shape`; its bounds are those of the
//! answer.

use core::cmp::Ordering;

use glam::DVec3;

use crate::mesh::HeightField;
use crate::num::bound::reach;
use crate::num::ops::sqrt;
use crate::shape::{Convex, Mover, ShapeError, Triangle, convex_distance, finite};
use crate::sweep::Path;
use crate::tree::Volume;
use crate::world::body::Body;
use crate::world::body::collider::Collider;
use crate::world::body::pose::Frame;
use crate::world::body::solid::placed;
use crate::world::surface::local::Local;
use crate::world::surface::part_set::PartSet;
use crate::world::surface::patch_tree::PatchTree;
use crate::world::surface::polygon_tree::PolygonTree;
use crate::world::surface::{Surfaces, SurfacesInOrder};
use crate::world::{Layers, MeshTree, Part, World};

/// The nearest part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// The distance between mover and part in meters; 0 where they touch or overlap. Its error is that of
    /// [`convex_distance`].
    pub distance: f64,
    /// The nearest point of the part, in meters.
    pub point: DVec3,
    /// Which part.
    pub part: Part,
    /// The body's own number ([`Body::with_user_data`](crate::world::Body::with_user_data)).
    pub user_data: u64,
}

impl World {
    /// The part nearest to the mover with its center at `at`, no farther than `distance` meters (which may be
    /// infinite). Of parts equally near the one with the lower body and number.
    ///
    /// # Errors
    /// A place that is not finite.
    pub fn closest(
        &self,
        mover: impl Into<Mover>,
        at: DVec3,
        distance: f64,
        layers: Layers,
    ) -> Result<Option<Closest>, ShapeError> {
        let (mover, at) = (mover.into(), finite(at, "at")?);
        let mut best = Best { found: None, distance, user_data: 0 };
        // A body is no nearer than its bounds are to the center, less the mover's reach: beyond what rounding
        // may take from that.
        let radius = farthest(&mover);
        let spare = SPARE * (reach(at) + radius);
        let within = |best: &Best| (best.distance + radius) * (1.0 + SPARE) + spare;
        let start = within(&best);
        self.index.nearest(at, start, |number, _| {
            if let Some((id, body)) = self.numbered(number).filter(|(_, body)| body.layers.meets(layers)) {
                best.user_data = body.user_data;
                body.closest(&mover, at, &mut best, |part| Part { body: id, part });
            }
            within(&best)
        });
        Ok(best.found)
    }

    /// As [`World::closest`], asking every part of every body: no index and no tree has a say.
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
            let parts = match &body.collider {
                Collider::Mesh(mesh) => mesh.mesh().triangle_count(),
                Collider::Polygons(set) => set.polygons().len() as u32,
                Collider::Patches(set) => set.cell_count(),
                Collider::Hull(hull) => hull.boundary().mesh().triangle_count(),
                Collider::HeightField(field) => field.triangle_count(),
                _ => 1,
            };
            for part in 0..parts {
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

/// What the distance of two things computed by [`convex_distance`], and the bounds here, may be off by, as a
/// share of all lengths: many times 32 unit roundoffs and its tolerance.
const SPARE: f64 = 1.0 / (1u64 << 36) as f64;

/// How far the farthest point of a mover is from its center.
fn farthest(mover: &Mover) -> f64 {
    match mover {
        Mover::Point => 0.0,
        Mover::Sphere(sphere) => sphere.radius(),
        Mover::Ellipsoid(ellipsoid) => ellipsoid.radii().max_element(),
        Mover::Capsule(capsule) => capsule.radius() + capsule.half_height(),
        Mover::Cuboid(cuboid) => sqrt(cuboid.half_extents().length_squared()) * (1.0 + 4.0 * f64::EPSILON),
    }
}

/// The nearest so far, and how near another must be.
struct Best {
    found: Option<Closest>,
    distance: f64,
    /// Of the body that is asked.
    user_data: u64,
}

impl Best {
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
    fn closest(&self, mover: &Mover, at: DVec3, best: &mut Best, part: impl Fn(u32) -> Part) {
        match &self.collider {
            Collider::Mesh(mesh) => self.closest_surface(&**mesh, mover, at, best, part),
            Collider::Polygons(set) => self.closest_surface(&**set, mover, at, best, part),
            Collider::Patches(set) => self.closest_surface(&**set, mover, at, best, part),
            Collider::Hull(hull) if hull.holds(self.frame().point_to_local(at)) => {
                best.offer(0.0, at, part(0));
            }
            Collider::Hull(hull) => self.closest_surface(hull.boundary(), mover, at, best, part),
            Collider::HeightField(field) => self.closest_in_field(field, mover, at, best, part),
            _ => self.measure(mover, at, 0, |distance, point| best.offer(distance, point, part(0))),
        }
    }

    fn closest_surface<S: ClosestSurfaces>(
        &self,
        surfaces: &S,
        mover: &Mover,
        at: DVec3,
        best: &mut Best,
        part: impl Fn(u32) -> Part,
    ) {
        let frame = &*self.frame();
        let Some(local) = seen_from(frame, mover, at, surfaces) else { return };
        let center = local.path().from();
        let radius = farthest(local.mover());
        let spare = SPARE * (reach(center) + radius + 3.0 * surfaces.largest());
        // A part is no nearer than its bounds are to the center, less the mover's reach. Compared squared,
        // and rounded down.
        let bound = |volume: &S::Bounds| {
            let distance = sqrt(volume.distance_squared(center)) - radius - spare;
            if distance > 0.0 { distance * (1.0 - 4.0 * f64::EPSILON) } else { 0.0 }
        };
        let within = |best: &Best| best.distance / frame.scale() * (1.0 + SPARE);
        surfaces.in_order(bound, within(best), |i, limit| {
            // The same of the part itself: much cheaper than its distance from the mover.
            if surfaces.distance_from(i, center) - radius - spare > limit {
                return limit;
            }
            let Some((distance, point)) = surfaces.nearest(i, local.mover(), center) else { return limit };
            best.offer(distance * frame.scale(), frame.point_to_world(center + point), part(i));
            within(best)
        });
    }

    /// The same in a height field: ring by ring about the cell that is nearest in plan.
    fn closest_in_field(
        &self,
        field: &HeightField,
        mover: &Mover,
        at: DVec3,
        best: &mut Best,
        part: impl Fn(u32) -> Part,
    ) {
        let frame = &*self.frame();
        let Some(local) = seen_from(frame, mover, at, field) else { return };
        let center = local.path().from();
        let radius = farthest(local.mover());
        let spare = SPARE * (reach(center) + radius + 3.0 * field.largest());
        let within = |best: &Best| best.distance / frame.scale() * (1.0 + SPARE) + radius + spare;
        let [columns, rows] = field.size().map(|samples| i64::from(samples) - 1);
        let spacing = field.spacing();
        let middle = |x: f64, spacing: f64, count: i64| ((x / spacing) as i64).clamp(0, count - 1);
        let [i, j] = [middle(center.x, spacing[0], columns), middle(center.z, spacing[1], rows)];
        let least = spacing[0].min(spacing[1]);
        for ring in 0..columns.max(rows) {
            // One less, for the rounding of the places of samples.
            if (ring - 2).max(0) as f64 * least > within(best) {
                return;
            }
            for row in (j - ring).max(0)..=(j + ring).min(rows - 1) {
                let is_side = (row - j).abs() == ring;
                let step = if is_side || ring == 0 { 1 } else { 2 * ring };
                let mut column = i - ring;
                while column <= i + ring {
                    if (0..columns).contains(&column) {
                        let cell = field.cell(column as u32, row as u32);
                        for number in [2 * cell, 2 * cell + 1] {
                            if !field.has_triangle(number) {
                                continue;
                            }
                            let [a, b, c] = field.corners(number);
                            let apart =
                                (a.min(b).min(c) - center).max(center - a.max(b).max(c)).max(DVec3::ZERO);
                            if sqrt(apart.length_squared()) > within(best) {
                                continue;
                            }
                            if let Some((distance, point)) =
                                nearest_in_field(field, number, local.mover(), center)
                            {
                                let place = frame.point_to_world(center + point);
                                best.offer(distance * frame.scale(), place, part(number));
                            }
                        }
                    }
                    column += step;
                }
            }
        }
    }

    /// The distance of a part, and its nearest point.
    fn measure(&self, mover: &Mover, at: DVec3, part: u32, found: impl FnOnce(f64, DVec3)) {
        match &self.collider {
            Collider::Mesh(mesh) => self.measure_surface(&**mesh, mover, at, part, found),
            Collider::Polygons(set) => self.measure_surface(&**set, mover, at, part, found),
            Collider::Patches(set) => self.measure_surface(&**set, mover, at, part, found),
            Collider::Hull(hull) if hull.holds(self.frame().point_to_local(at)) => {
                if part == 0 {
                    found(0.0, at);
                }
            }
            Collider::Hull(hull) => self.measure_surface(hull.boundary(), mover, at, part, found),
            Collider::HeightField(field) => {
                let frame = &*self.frame();
                let Some(local) = seen_from(frame, mover, at, &**field) else { return };
                let center = local.path().from();
                if field.has_triangle(part)
                    && let Some((distance, point)) = nearest_in_field(field, part, local.mover(), center)
                {
                    found(distance * frame.scale(), frame.point_to_world(center + point));
                }
            }
            Collider::HalfSpace(half) => {
                let frame = &*self.frame();
                let Some(local) = seen_from(frame, mover, at, half) else { return };
                let contact = half.stands(&local);
                found(contact.gap.max(0.0) * frame.scale(), frame.point_to_world(contact.point));
            }
            solid => {
                let Some(other) = placed(solid, self.pose()) else { return };
                let (distance, point) = nearest(mover, &other, self.pose().position() - at);
                found(distance, at + point);
            }
        }
    }

    fn measure_surface<S: ClosestSurfaces>(
        &self,
        surfaces: &S,
        mover: &Mover,
        at: DVec3,
        part: u32,
        found: impl FnOnce(f64, DVec3),
    ) {
        let frame = &*self.frame();
        let Some(local) = seen_from(frame, mover, at, surfaces) else { return };
        let center = local.path().from();
        if let Some((distance, point)) = surfaces.nearest(part, local.mover(), center) {
            found(distance * frame.scale(), frame.point_to_world(center + point));
        }
    }
}

/// The distance of a part of a height field from a mover with its center at `center`, and the nearest point
/// of the part relative to that.
fn nearest_in_field(field: &HeightField, part: u32, mover: &Mover, center: DVec3) -> Option<(f64, DVec3)> {
    let [a, b, c] = field.corners(part);
    Triangle::new(a, b, c).ok().map(|triangle| nearest(mover, &triangle, -center))
}

/// The mover in a body's frame; `None` where that leaves the range of f64.
fn seen_from<'a>(
    frame: &'a Frame,
    mover: &'a Mover,
    at: DVec3,
    surfaces: &impl Surfaces,
) -> Option<Local<'a>> {
    let path = Path::new(at, DVec3::ZERO).ok()?;
    Local::new(frame, mover, &path, surfaces.largest())
}

/// Surfaces whose distances can be asked for.
trait ClosestSurfaces: SurfacesInOrder {
    /// How far a place is from a part; a little too far, or too near.
    fn distance_from(&self, part: u32, place: DVec3) -> f64;

    /// The distance of a part from a mover with its center at `center`, and the nearest point of the part
    /// relative to that.
    fn nearest(&self, part: u32, mover: &Mover, center: DVec3) -> Option<(f64, DVec3)>;
}

impl ClosestSurfaces for MeshTree {
    fn distance_from(&self, part: u32, place: DVec3) -> f64 {
        let [a, b, c] = self.mesh().corners(part);
        Triangle::new(a, b, c).map_or(0.0, |triangle| triangle.distance(place))
    }

    fn nearest(&self, part: u32, mover: &Mover, center: DVec3) -> Option<(f64, DVec3)> {
        let [a, b, c] = self.mesh().corners(part);
        // Finite, as the vertices of a mesh are.
        Triangle::new(a, b, c).ok().map(|triangle| nearest(mover, &triangle, -center))
    }
}

impl ClosestSurfaces for PolygonTree {
    fn distance_from(&self, part: u32, place: DVec3) -> f64 {
        let bounds = self.polygons()[part as usize].bounds();
        sqrt(bounds.distance_squared(place))
    }

    fn nearest(&self, part: u32, mover: &Mover, center: DVec3) -> Option<(f64, DVec3)> {
        Some(nearest(mover, &self.polygons()[part as usize], -center))
    }
}

impl ClosestSurfaces for PatchTree {
    fn distance_from(&self, part: u32, place: DVec3) -> f64 {
        sqrt(self.box_of(part).distance_squared(place))
    }

    fn nearest(&self, part: u32, mover: &Mover, center: DVec3) -> Option<(f64, DVec3)> {
        self.cell(part).nearest(mover, center)
    }
}

/// The distance of a mover to a convex thing, and the nearest point of that thing relative to the mover.
fn nearest(mover: &Mover, other: &impl Convex, offset: DVec3) -> (f64, DVec3) {
    let found = convex_distance(mover, other, offset);
    (found.distance, found.other_point)
}
