//! Convex hulls as colliders.
//!
//! Idea: the boundary of a hull is a closed mesh that stops movers from its outside. A mover outside is
//! tested against that mesh, with the kernels of triangles: the first contact and the least gap of a convex
//! solid are those of its boundary. A mover that overlaps has a least way out, and is stopped if it goes
//! against it. Error: that of the kernels. Cost: that of a mesh, and nearby one product per face to find out
//! whether it separates the two. If none does: a test per edge for a cuboid ([`HullEdges`]), a convex
//! distance for other movers, and a way out if they overlap.

use alloc::vec::Vec;

use glam::DVec3;

use crate::mesh::{Mesh, MeshData, MeshError, Surface};
use crate::num::bound::{APPROACH, UNIT_ROUNDOFF, reach};
use crate::num::ops;
use crate::shape::{Convex, ConvexDistance, ConvexHull, Ellipsoid, Mover, convex_distance};
use crate::sweep::mover::SurfaceSweep;
use crate::sweep::parts::hull_edges::HullEdges;
use crate::sweep::parts::way_out::{RollingCore, WayOut, by_ball, least_way_out};
use crate::sweep::{Contact, Feature, Hit};
use crate::world::query::tie_bound::TieBound;
use crate::world::surface::Surfaces;
use crate::world::surface::local::Local;
use crate::world::surface::mesh_tree::MeshTree;

/// A convex hull with the tree over its faces, built once and shared by every body that has this hull. Its
/// parts are the triangles of its faces.
#[derive(Clone, Debug)]
pub struct HullTree {
    hull: ConvexHull,
    boundary: MeshTree,
    /// Of each triangle: the unit normal, outward, and a corner.
    planes: Vec<(DVec3, DVec3)>,
    edges: HullEdges,
}

impl HullTree {
    /// Builds the tree.
    pub fn new(hull: ConvexHull) -> Self {
        let vertices = hull.vertices().iter().map(|vertex| vertex.as_vec3().to_array()).collect();
        let surfaces = alloc::vec![Surface { one_sided: true, ..Surface::default() }];
        let triangles = hull.faces().to_vec();
        let data = MeshData { vertices, triangles, surfaces, ..MeshData::default() };
        let mesh: Result<Mesh, MeshError> = Mesh::new(data);
        let boundary =
            MeshTree::new(mesh.expect("the vertices of a hull are finite and its faces name them"));
        let plane = |face: u32| {
            let [a, b, c] = boundary.mesh().corners(face);
            let normal = (b - a).cross(c - a);
            (normal / ops::sqrt(normal.length_squared()), a)
        };
        let planes: Vec<_> = (0..boundary.mesh().triangle_count()).map(plane).collect();
        let edges = HullEdges::new(&hull, |face| planes[face].0);
        Self { hull, boundary, planes, edges }
    }

    /// The hull.
    pub fn hull(&self) -> &ConvexHull {
        &self.hull
    }

    /// Its faces as a mesh.
    pub fn boundary(&self) -> &MeshTree {
        &self.boundary
    }

    /// Whether a place is inside, not on the boundary. With NaN it is not.
    pub(in crate::world) fn holds(&self, place: DVec3) -> bool {
        self.planes.iter().all(|(normal, corner)| normal.dot(place - *corner) < 0.0)
    }

    /// The contact with the least way out of a mover that overlaps by more than rounding, and the face there,
    /// in the lengths of the body; `None` if it does not overlap.
    fn way_out(&self, local: &Local<'_>) -> Option<(Contact, u32)> {
        let (mover, center) = (local.mover(), local.path().from());
        let bounds = self.hull.bounds();
        let apart = (bounds.min() - center).max(center - bounds.max());
        if (apart - local.half_extents()).max_element() > 0.0 {
            return None;
        }
        let size = reach(center) + self.largest() + reach(local.half_extents());
        let rounding = 8.0 * UNIT_ROUNDOFF * size + local.rounding();
        // Through the face that is nearest.
        let mut facing = WayOut { depth: f64::INFINITY, normal: DVec3::Y };
        for (normal, corner) in &self.planes {
            let depth = extent(mover, *normal) - normal.dot(center - *corner);
            if depth <= rounding {
                return None;
            }
            if depth < facing.depth {
                facing = WayOut { depth, normal: *normal };
            }
        }
        let WayOut { depth, normal } = Overlap { hull: self, mover, center, rounding }.way_out(facing);
        if depth <= rounding {
            return None;
        }
        let gap = -depth;
        // Where the two are when they have just separated.
        let out = center + normal * (64.0 * rounding - gap * (1.0 + 1.0 / 1024.0));
        let point = out + convex_distance(mover, &self.hull, -out).other_point;
        let faces = (0..).zip(&self.planes).map(|(part, plane)| (plane.0.dot(normal), part));
        let (_, part) =
            faces.reduce(|facing, other: (f64, u32)| if other.0 > facing.0 { other } else { facing })?;
        Some((Contact { gap, normal, point, feature: Feature::Face, rounding }, part))
    }

    /// The distance of a place from the surface; negative inside.
    fn signed_distance(&self, place: DVec3) -> f64 {
        let planes = self.planes.iter().map(|(normal, corner)| normal.dot(place - *corner));
        let farthest = planes.fold(f64::NEG_INFINITY, f64::max);
        if farthest <= 0.0 { farthest } else { convex_distance(&Mover::Point, &self.hull, -place).distance }
    }
}

/// A mover about `center` that no face separates from the hull.
#[derive(Clone, Copy)]
struct Overlap<'a> {
    hull: &'a HullTree,
    mover: &'a Mover,
    center: DVec3,
    rounding: f64,
}

impl Overlap<'_> {
    /// The least way out, if `facing` is that along a normal of a face. Others are taken where they are
    /// shorter by more than rounding. A depth below 0 is a gap.
    fn way_out(&self, facing: WayOut) -> WayOut {
        let (hull, offset) = (&self.hull.hull, -self.center);
        let nearest = |distance: ConvexDistance, margin: f64| {
            let is_apart = distance.distance > 0.0 && distance.normal != DVec3::ZERO;
            let depth = margin - distance.distance;
            is_apart.then_some(WayOut { depth, normal: distance.normal })
        };
        match self.mover {
            Mover::Point => facing,
            Mover::Sphere(_) if self.hull.holds(self.center) => facing,
            Mover::Sphere(sphere) => {
                nearest(convex_distance(&Mover::Point, hull, offset), sphere.radius()).unwrap_or(facing)
            }
            Mover::Capsule(capsule) => {
                let axis = capsule.axis();
                nearest(convex_distance(&axis, hull, offset), capsule.radius())
                    .unwrap_or_else(|| self.across_edges(&[axis.b() - axis.a()], facing))
            }
            Mover::Cuboid(cuboid) => {
                let axes = cuboid.axes().to_cols_array_2d().map(DVec3::from);
                let faces = axes.into_iter().flat_map(|axis| [axis, -axis]);
                let facing = faces.fold(facing, |best, normal| self.shorter(normal, best));
                self.across_edges(&axes, facing)
            }
            Mover::Ellipsoid(ellipsoid) => self.of_ellipsoid(ellipsoid, facing),
        }
    }

    /// The shorter one of a way and the one along a normal.
    fn shorter(&self, normal: DVec3, best: WayOut) -> WayOut {
        let inside = self.hull.hull.support(normal) - self.center;
        let depth = extent(self.mover, normal) + normal.dot(inside);
        if depth < best.depth - 2.0 * self.rounding { WayOut { depth, normal } } else { best }
    }

    /// The shortest of a way and those across an edge of the hull and one of the mover, along `axes`.
    fn across_edges(&self, axes: &[DVec3], mut best: WayOut) -> WayOut {
        for axis in axes {
            for (normal, corner) in self.hull.edges.normals_across(*axis) {
                // Not more than the depth, and nearly always equal.
                if extent(self.mover, normal) + normal.dot(corner - self.center) < best.depth {
                    best = self.shorter(normal, best);
                }
            }
        }
        best
    }

    /// The way out of an ellipsoid.
    fn of_ellipsoid(&self, ellipsoid: &Ellipsoid, facing: WayOut) -> WayOut {
        let (hull, center) = (&self.hull.hull, self.center);
        // Inside of the ellipsoid rolls a ball: while its middle stays out of the hull, it shows the way.
        let rolling = ellipsoid.rolling_radius();
        let core = convex_distance(&RollingCore { solid: ellipsoid, rolling }, hull, -center);
        let depth = rolling - core.distance;
        if depth <= self.rounding {
            return WayOut { depth, normal: core.normal };
        }
        let shown = [core.normal];
        let seeds = if core.normal == DVec3::ZERO { &[] } else { &shown[..] };
        let by_ball = by_ball(ellipsoid, rolling, center, |p| self.hull.signed_distance(p));
        let by_corner = |normal: DVec3| -ellipsoid.signed_distance(hull.support(normal) - center);
        let proof = |normal: DVec3| by_ball(normal).max(by_corner(normal));
        let out = least_way_out(ellipsoid, hull, center, facing.normal, seeds, &proof);
        if out.normal == facing.normal { facing } else { out }
    }
}

/// The extent of a mover from its center against a direction of length 1.
pub(in crate::world) fn extent(mover: &Mover, direction: DVec3) -> f64 {
    mover.margin() - direction.dot(mover.support(-direction))
}

/// The stop of a mover that overlaps at the start and goes deeper, from a contact in the lengths of the body.
pub(in crate::world) fn stop_of(contact: &Contact, local: &Local<'_>) -> Option<Hit> {
    let translation = local.path().translation();
    let approach = -contact.normal.dot(translation);
    (approach > APPROACH * reach(translation)).then(|| Hit {
        fraction: 0.0,
        point: contact.point * local.factor(),
        normal: contact.normal,
        feature: contact.feature,
        start_overlap: contact.gap < -contact.rounding,
    })
}

/// A contact in the form of the kernels.
pub(in crate::world) fn as_asked(contact: &Contact, local: &Local<'_>) -> Contact {
    let up = local.factor();
    Contact { gap: contact.gap * up, point: contact.point * up, rounding: contact.rounding * up, ..*contact }
}

impl Surfaces for HullTree {
    fn count(&self) -> u32 {
        self.boundary.count()
    }

    fn largest(&self) -> f64 {
        self.boundary.largest()
    }

    fn hit(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Hit> {
        match self.way_out(local) {
            Some((contact, nearest)) => stop_of(&contact, local).filter(|_| nearest == part),
            None => self.boundary.hit(sweep, local, part),
        }
    }

    fn contact(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Contact> {
        match self.way_out(local) {
            // Any of its parts: a mover inside must get out.
            Some((contact, _)) => Some(as_asked(&contact, local)),
            None => self.boundary.contact(sweep, local, part),
        }
    }

    fn hits(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        tie_bound: Option<TieBound<'_>>,
        best: f64,
        mut take: impl FnMut(Hit, u32, f64) -> f64,
    ) {
        match self.way_out(local) {
            Some((contact, part)) => {
                if let Some(hit) = stop_of(&contact, local) {
                    take(hit, part, best);
                }
            }
            None => self.boundary.hits(sweep, local, tie_bound, best, take),
        }
    }

    fn contacts(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        distance: f64,
        mut take: impl FnMut(Contact, u32),
    ) {
        match self.way_out(local) {
            Some((contact, part)) => take(as_asked(&contact, local), part),
            None => self.boundary.contacts(sweep, local, distance, take),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ops::rotation_about;
    use crate::num::random::Random;
    use crate::shape::{Capsule, Cuboid};
    use glam::dvec3;

    /// The least way out by the search alone.
    fn searched(mover: &Mover, hull: &ConvexHull, center: DVec3) -> f64 {
        least_way_out(mover, hull, center, DVec3::Y, &[], &|_| f64::NEG_INFINITY).depth
    }

    #[test]
    fn the_ways_out_of_hulls_are_the_least() {
        let mut random = Random(0x5ED9E5);
        let mut by_edges = 0;
        for i in 0..1500 {
            let count = 4 + i % 40;
            let points: Vec<DVec3> = (0..count).map(|_| random.vector() * dvec3(1.0, 0.8, 0.6)).collect();
            let Ok(hull) = ConvexHull::new(&points) else { continue };
            let tree = HullTree::new(hull);
            let mut size = |low: f64, high: f64| low + (high - low) * random.number().abs();
            let size = dvec3(size(0.1, 0.6), size(0.1, 0.6), size(0.1, 0.6));
            let turn = rotation_about(random.vector().normalize(), 3.0 * random.number());
            let mover: Mover = match i % 3 {
                0 => Cuboid::new(size).unwrap().with_rotation(turn).unwrap().into(),
                1 => Capsule::new(size.x * 0.2, size.y).unwrap().with_rotation(turn).unwrap().into(),
                _ => Ellipsoid::new(size).unwrap().with_rotation(turn).unwrap().into(),
            };
            let outward = random.vector().normalize();
            let depth = random.number().abs() * if i % 2 == 0 { 1e-3 } else { 0.3 };
            let touching = tree.hull.support(outward).dot(outward) + extent(&mover, outward);
            let center = outward * (touching - depth);
            let along =
                |normal: DVec3| extent(&mover, normal) + normal.dot(tree.hull.support(normal) - center);
            let faces =
                tree.planes.iter().map(|(normal, _)| WayOut { depth: along(*normal), normal: *normal });
            let facing =
                faces.reduce(|best, next| if next.depth < best.depth { next } else { best }).unwrap();
            let overlap = Overlap { hull: &tree, mover: &mover, center, rounding: 1e-14 };
            let WayOut { depth, normal } = overlap.way_out(facing);
            // Apart they are to the tolerance of the distance; the search does not ask then.
            let error = if depth < 0.0 { 1e-11 } else { 1e-13 };
            assert!((along(normal) - depth).abs() < error, "{i}: {depth} along {normal}");
            if depth < 0.0 {
                continue;
            }
            let least = searched(&mover, &tree.hull, center);
            let error = 1e-13 + least / f64::from(1u32 << 14);
            assert!((depth - least).abs() <= error, "{i}: {depth} {least} {mover:?}");
            by_edges += usize::from(i % 3 == 0 && depth < facing.depth - 1e-9);
        }
        assert!(by_edges > 60, "{by_edges}");
    }
}
