//! What is closest to a mover.
//!
//! Source: branch and bound over the trees with the convex distance of `shape`; its bounds are those of the answer.

use glam::DVec3;

use super::body::{Body, Collider};
use super::local::Local;
use super::solid::placed;
use super::surfaces::SurfacesInOrder;
use super::{Layers, Part, World};
use crate::shape::{Convex, Mover, ShapeError, Triangle, convex_distance, finite};
use crate::sweep::Path;
use crate::tree::Volume;

/// The nearest part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// The distance between mover and part in metres; 0 where they touch or overlap. Its error is that of
    /// [`convex_distance`].
    pub distance: f64,
    /// The nearest point of the part, in metres.
    pub point: DVec3,
    /// Which part.
    pub part: Part,
}

impl World {
    /// The part nearest to the mover with its centre at `at`, no farther than `distance` metres (which may be infinite). Of parts
    /// equally near the one with the lower body and number.
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
        let mut best = Best { found: None, distance };
        for (body, thing) in self.bodies().filter(|(_, body)| body.layers.meets(layers)) {
            thing.closest(&mover, at, &mut best, |part| Part { body, part });
        }
        Ok(best.found)
    }
}

/// The nearest so far, and how near another must be.
struct Best {
    found: Option<Closest>,
    distance: f64,
}

impl Best {
    fn offer(&mut self, distance: f64, point: DVec3, part: Part) {
        let nearer = match &self.found {
            None => distance <= self.distance,
            Some(best) => distance < best.distance || (distance == best.distance && part < best.part),
        };
        if nearer {
            self.distance = distance;
            self.found = Some(Closest { distance, point, part });
        }
    }
}

impl Body {
    fn closest(&self, mover: &Mover, at: DVec3, best: &mut Best, part: impl Fn(u32) -> Part) {
        match &self.collider {
            Collider::Mesh(mesh) => {
                self.closest_surface(&**mesh, mover, at, best, part, |i, local, offset| {
                    let [a, b, c] = mesh.mesh().corners(i);
                    // Finite, as the vertices of a mesh are.
                    Triangle::new(a, b, c).ok().map(|triangle| nearest(local, &triangle, offset))
                });
            }
            Collider::Polygons(set) => {
                self.closest_surface(&**set, mover, at, best, part, |i, local, offset| {
                    Some(nearest(local, &set.polygons()[i as usize], offset))
                });
            }
            solid => {
                let Some(other) = placed(solid, self.pose()) else { return };
                let (distance, point) = nearest(mover, &other, self.pose().position() - at);
                best.offer(distance, at + point, part(0));
            }
        }
    }

    fn closest_surface<S: SurfacesInOrder>(
        &self,
        surfaces: &S,
        mover: &Mover,
        at: DVec3,
        best: &mut Best,
        part: impl Fn(u32) -> Part,
        measure: impl Fn(u32, &Mover, DVec3) -> Option<(f64, DVec3)>,
    ) {
        let frame = self.frame();
        let Some(local) = Path::new(at, DVec3::ZERO)
            .ok()
            .and_then(|path| Local::new(frame, mover, &path, surfaces.largest()))
        else {
            return;
        };
        let center = local.path().from();
        let around = local.mover().half_extents();
        let radius = crate::num::ops::sqrt(around.length_squared());
        // A part is no nearer than its bounds are to the centre, less the mover's reach. Compared squared, and rounded down.
        let bound = |volume: &S::Bounds| {
            let distance = crate::num::ops::sqrt(volume.distance_squared(center)) - radius;
            if distance > 0.0 { distance * (1.0 - 4.0 * f64::EPSILON) } else { 0.0 }
        };
        let start = best.distance / frame.scale() * (1.0 + 4.0 * f64::EPSILON);
        surfaces.in_order(bound, start, |i, within| {
            let Some((distance, point)) = measure(i, local.mover(), -center) else { return within };
            best.offer(distance * frame.scale(), frame.point_to_world(center + point), part(i));
            best.distance / frame.scale() * (1.0 + 4.0 * f64::EPSILON)
        });
    }
}

/// The distance of a mover to a convex thing, and the nearest point of that thing relative to the mover.
fn nearest(mover: &Mover, other: &impl Convex, offset: DVec3) -> (f64, DVec3) {
    let found = convex_distance(mover, other, offset);
    (found.distance, found.other_point)
}
