//! Common queries of games: the exits of rays, one hit for each body, the deepest overlaps first.

use alloc::vec::Vec;

use glam::DVec3;

use crate::shape::{ConvexPolygon, Mover, ShapeError, finite};
use crate::world::body::collider::Collider;
use crate::world::query::body_contact::BodyContact;
use crate::world::query::cast::Cast;
use crate::world::query::cast_hit::CastHit;
use crate::world::{Layers, World};

impl World {
    /// The points where a ray from `from` by `translation`, in meters, leaves the bodies on its path. For a
    /// solid it is the point where the ray comes out, even if it starts inside. For a triangle or a polygon
    /// it is the point where the ray passes to the front. So through a closed mesh every entry from
    /// [`World::cast_all`] has its exit here. Normals point out, along the ray. In the order of the
    /// fractions.
    ///
    /// ```
    /// use carom::{Body, Layers, Sphere, World, glam::dvec3};
    /// let mut world = World::new();
    /// let ball = world.add(Body::fixed(Sphere::new(1.0)?).at(dvec3(5.0, 0.0, 0.0)));
    /// let exits = world.ray_exits(dvec3(0.0, 0.0, 0.0), dvec3(10.0, 0.0, 0.0), Layers::ALL)?;
    /// assert_eq!((exits.len(), exits[0].body), (1, ball));
    /// assert!((exits[0].fraction - 0.6).abs() < 1e-12 && exits[0].normal.x > 0.999);
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// A number is not finite.
    pub fn ray_exits(
        &self,
        from: DVec3,
        translation: DVec3,
        layers: Layers,
    ) -> Result<Vec<CastHit>, ShapeError> {
        let end = finite(from, "from")? + finite(translation, "translation")?;
        let back = Cast::new(Mover::Point, end, -translation)?.filter(layers);
        let mut exits = self.cast_all(&back);
        exits.retain(|hit| !hit.hit.start_overlap && self.faces_along(hit, translation));
        for exit in &mut exits {
            exit.hit.fraction = 1.0 - exit.hit.fraction;
        }
        // The reversed ray gives them from far to near; of equal fractions the preferred one comes first
        // again.
        exits.sort_by(|a, b| a.hit.fraction.total_cmp(&b.hit.fraction));
        Ok(exits)
    }

    /// Whether the hit part faces along the path; solids count as facing every way.
    fn faces_along(&self, hit: &CastHit, way: DVec3) -> bool {
        let Some(body) = self.body(hit.body) else { return false };
        let (body, part) = body.piece_of(hit.part, 1.0);
        let front = match &body.collider {
            Collider::Mesh(mesh) => mesh.mesh().normal(part),
            Collider::HeightField(field) => field.normal(part),
            Collider::Polygons(set) => set.polygons().get(part as usize).map(ConvexPolygon::normal),
            _ => return true,
        };
        front.is_some_and(|front| body.frame().normal_to_world(front).dot(way) > 0.0)
    }

    /// The first hit with each body on the path, in the order in which [`World::cast`] prefers them. Use it
    /// for bullets that go through bodies, or to find all doors ahead.
    pub fn cast_bodies(&self, cast: &Cast) -> Vec<CastHit> {
        let mut hits = self.cast_all(cast);
        let mut bodies: Vec<u32> = Vec::new();
        hits.retain(|hit| match bodies.binary_search(&hit.body.index()) {
            Ok(_) => false,
            Err(place) => {
                bodies.insert(place, hit.body.index());
                true
            }
        });
        hits
    }

    /// The overlaps of a mover with its center at `at`, the deepest first: the deepest part of each body.
    /// Among equally deep ones the lower body comes first.
    ///
    /// # Errors
    /// The position is not finite.
    pub fn deepest(
        &self,
        mover: impl Into<Mover>,
        at: DVec3,
        layers: Layers,
    ) -> Result<Vec<BodyContact>, ShapeError> {
        let at = finite(at, "at")?;
        let mut found: Vec<BodyContact> = Vec::new();
        self.contacts(&mover.into(), at, 0.0, layers, |near| {
            if near.contact.gap < 0.0 {
                found.push(near);
            }
        });
        found.sort_unstable_by(|a, b| a.contact.gap.total_cmp(&b.contact.gap).then(a.part.cmp(&b.part)));
        let mut bodies: Vec<u32> = Vec::new();
        found.retain(|near| match bodies.binary_search(&near.part.body.index()) {
            Ok(_) => false,
            Err(place) => {
                bodies.insert(place, near.part.body.index());
                true
            }
        });
        Ok(found)
    }
}
