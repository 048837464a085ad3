//! Convex hulls as colliders.
//!
//! Idea: the boundary of a hull is a closed mesh that stops movers from its outside. A mover outside is
//! tested against that mesh, with the kernels of triangles: the first contact and the least gap of a convex
//! solid are those of its boundary. A mover that overlaps has a least way out, and is stopped if it goes
//! against it. Error: that of the kernels. Cost: that of a mesh, and nearby one product per face to find out
//! whether it separates the two. If none does: a convex distance, and a way out if they overlap.

use alloc::vec::Vec;

use glam::DVec3;

use crate::mesh::{Mesh, MeshData, MeshError, Surface};
use crate::num::bound::{APPROACH, UNIT_ROUNDOFF, reach};
use crate::num::ops;
use crate::shape::{Convex, ConvexHull, Mover, convex_distance};
use crate::sweep::mover::SurfaceSweep;
use crate::sweep::parts::way_out::{by_ball, least_way_out};
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
        let planes = (0..boundary.mesh().triangle_count()).map(plane).collect();
        Self { hull, boundary, planes }
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
        // The plane that separates them farthest.
        let mut best = (f64::NEG_INFINITY, DVec3::Y);
        for (normal, corner) in &self.planes {
            let gap = normal.dot(center - *corner) - extent(mover, *normal);
            if gap >= -rounding {
                return None;
            }
            if gap > best.0 {
                best = (gap, *normal);
            }
        }
        let (gap, normal) = self.gap(mover, center, best);
        if gap >= -rounding {
            return None;
        }
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

    /// The largest gap over all normals, if the normals of the faces give `best`.
    fn gap(&self, mover: &Mover, center: DVec3, best: (f64, DVec3)) -> (f64, DVec3) {
        let (near, margin) = match mover {
            Mover::Point => return best,
            Mover::Sphere(_) if self.holds(center) => return best,
            Mover::Sphere(sphere) => (convex_distance(&Mover::Point, &self.hull, -center), sphere.radius()),
            Mover::Capsule(capsule) => {
                (convex_distance(&capsule.axis(), &self.hull, -center), capsule.radius())
            }
            _ => (convex_distance(mover, &self.hull, -center), 0.0),
        };
        if near.distance > 0.0 && near.normal != DVec3::ZERO {
            return (near.distance - margin, near.normal);
        }
        let by_ball = by_ball(mover, mover.rolling_radius(), center, |p| self.signed_distance(p));
        let by_corner = |normal: DVec3| -mover.signed_distance(self.hull.support(normal) - center);
        let proof = |normal: DVec3| by_ball(normal).max(by_corner(normal));
        let out = least_way_out(mover, &self.hull, center, best.1, &[], &proof);
        if out.normal == best.1 { best } else { (-out.depth, out.normal) }
    }
}

/// The extent of a mover from its center against a direction of length 1.
pub(in crate::world) fn extent(mover: &Mover, direction: DVec3) -> f64 {
    mover.margin() - direction.dot(mover.support(-direction))
}

/// The stop of a mover that overlaps at the start and goes deeper, from a contact in the lengths of the body.
pub(in crate::world) fn stop_of(contact: &Contact, local: &Local<'_>) -> Option<Hit> {
    let way = local.path().translation();
    let approach = -contact.normal.dot(way);
    (approach > APPROACH * reach(way)).then(|| Hit {
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
