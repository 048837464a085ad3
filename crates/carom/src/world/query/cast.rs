//! Casts: the first hit of a mover on a straight path, and all hits.
//!
//! Trees skip bodies and triangles whose bounds exclude every contact that a kernel could report. Kernels
//! alone decide the rest. So an answer does not depend on the trees, nor on the order of bodies or triangles.

use alloc::vec::Vec;
use core::cell::Cell;
use core::cmp::Ordering;

use glam::DVec3;

use crate::prefetch::prefetch;
use crate::shape::{Mover, ShapeError};
use crate::sweep::Path;
use crate::sweep::parts::outline;
use crate::world::body::Body;
use crate::world::body::body_at_time::{BodyAtTime, Wanted};
use crate::world::body::collider::Collider;
use crate::world::query::cast_hit::CastHit;
use crate::world::{BodyId, Layers, World};

/// A question to the world: a mover, the start of its center, and its translation.
///
/// A cast never stops past contact, at most a few roundings early, and misses nothing. It has no skin: to
/// keep a distance, grow the mover ([`Mover::grown`]). A mover that starts in contact hits at 0 only if it
/// goes deeper; leaving and sliding along are free. For many casts at once use [`World::cast_many`].
#[derive(Clone, Copy, Debug)]
pub struct Cast {
    pub(crate) mover: Mover,
    pub(crate) path: Path,
    pub(crate) layers: Layers,
    pub(crate) excluded: Option<BodyId>,
}

impl Cast {
    /// Prefetches its memory.
    pub(in crate::world) fn prefetch(&self) {
        prefetch(&self.mover);
        prefetch(&self.path);
        prefetch(&self.layers);
    }

    /// The cast of a mover from `from` by `translation`, in meters, against all layers.
    ///
    /// # Errors
    /// A number is not finite.
    pub fn new(mover: impl Into<Mover>, from: DVec3, translation: DVec3) -> Result<Self, ShapeError> {
        Ok(Self {
            mover: mover.into(),
            path: Path::new(from, translation)?,
            layers: Layers::ALL,
            excluded: None,
        })
    }

    /// The same cast against these layers only.
    #[must_use]
    pub fn filter(self, layers: Layers) -> Self {
        Self { layers, ..self }
    }

    /// The same cast past one body, as if it were not there: for a body that the cast starts in, or that
    /// carries it.
    #[must_use]
    pub fn exclude(self, body: BodyId) -> Self {
        Self { excluded: Some(body), ..self }
    }

    /// Whether this body takes part.
    pub(crate) fn asks_for(&self, id: BodyId, body: &Body) -> bool {
        body.layers.meets(self.layers) && self.excluded != Some(id)
    }

    /// The mover.
    pub fn mover(&self) -> &Mover {
        &self.mover
    }

    /// The path of its center.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl World {
    /// The first hit of a ray from `from` by `translation`, in meters, against all layers; `None` if the path
    /// is free. To filter layers or exclude a body, use [`World::cast`] with a [`Mover::Point`].
    ///
    /// ```
    /// use carom::{Body, Cuboid, World, glam::dvec3};
    /// let mut world = World::new();
    /// let floor = world.add(Body::fixed(Cuboid::new(dvec3(9.0, 1.0, 9.0))?).at(dvec3(0.0, -1.0, 0.0)));
    /// let hit = world.raycast(dvec3(0.0, 5.0, 0.0), dvec3(0.0, -20.0, 0.0))?.unwrap();
    /// assert_eq!(hit.body, floor);
    /// assert!((hit.fraction - 0.25).abs() < 1e-13);
    /// # Ok::<(), carom::shape::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// A number is not finite.
    #[doc(alias = "ray_cast")]
    pub fn raycast(&self, from: DVec3, translation: DVec3) -> Result<Option<CastHit>, ShapeError> {
        Ok(self.cast(&Cast::new(Mover::Point, from, translation)?))
    }

    /// The first hit of the mover; `None` if the path is free.
    ///
    /// Among contacts at the same fraction the one with the lower corners wins, and among parts with the same
    /// corners the one with the lower body and number.
    pub fn cast(&self, cast: &Cast) -> Option<CastHit> {
        let mut best: Option<CastHit> = None;
        // Its corners, once they are needed.
        let mut best_corners = None;
        let lowest = Cell::new(f64::INFINITY);
        self.sweep_bodies(cast, Some(&lowest), |hit| {
            let mut corners = None;
            let wins = best.as_ref().is_none_or(|best| {
                let corners_of_both = || {
                    let own = *corners.get_or_insert_with(|| self.corners(&hit));
                    [own, *best_corners.get_or_insert_with(|| self.corners(best))]
                };
                order(&hit, best, corners_of_both).is_lt()
            });
            if wins {
                if hit.fraction == 0.0 {
                    lowest.set(corners.get_or_insert_with(|| self.corners(&hit))[0].x);
                }
                (best, best_corners) = (Some(hit), corners);
            }
            best.as_ref().map_or(1.0, |best| best.hit.fraction)
        });
        best
    }

    /// All parts of all bodies that the mover would hit on its path, each with its own first contact, in the
    /// order in which [`World::cast`] prefers them.
    pub fn cast_all(&self, cast: &Cast) -> Vec<CastHit> {
        let mut hits = Vec::new();
        self.sweep_bodies(cast, None, |hit| {
            hits.push(hit);
            1.0
        });
        hits.sort_by(|a, b| self.compare(a, b));
        hits
    }

    /// Like [`World::cast`], but tests exactly the parts that `parts` names for each body, without the index
    /// and the trees. With all parts it is the reference for tests of the trees.
    #[doc(hidden)]
    pub fn cast_among<P: IntoIterator<Item = u32>>(
        &self,
        cast: &Cast,
        parts: impl FnMut(BodyId) -> P,
    ) -> Option<CastHit> {
        self.hits_among(cast, parts).into_iter().min_by(|a, b| self.compare(a, b))
    }

    /// Like [`World::cast_all`], in the same way.
    #[doc(hidden)]
    pub fn cast_all_among<P: IntoIterator<Item = u32>>(
        &self,
        cast: &Cast,
        parts: impl FnMut(BodyId) -> P,
    ) -> Vec<CastHit> {
        let mut hits = self.hits_among(cast, parts);
        hits.sort_by(|a, b| self.compare(a, b));
        hits
    }

    fn hits_among<P: IntoIterator<Item = u32>>(
        &self,
        cast: &Cast,
        mut parts: impl FnMut(BodyId) -> P,
    ) -> Vec<CastHit> {
        let mut hits = Vec::new();
        for (id, body) in self.bodies().filter(|(id, body)| cast.asks_for(*id, body)) {
            BodyAtTime::now(id, body).sweep_among(&cast.mover, &cast.path, parts(id).into_iter(), &mut hits);
        }
        hits
    }

    /// Every contact on the path that `take` may need, in no particular order. `take` returns the fraction
    /// beyond which it needs no more; `lowest` is that of [`Wanted`].
    fn sweep_bodies(&self, cast: &Cast, lowest: Option<&Cell<f64>>, mut take: impl FnMut(CastHit) -> f64) {
        let expect = |number| self.prefetch_body(number);
        self.index.sweep_expecting(&cast.mover, &cast.path, expect, |number, best| {
            match self.numbered(number) {
                Some((id, body)) if cast.asks_for(id, body) => {
                    let mut wanted = best;
                    body.sweep(id, &cast.mover, &cast.path, Wanted { best, lowest }, &mut |hit| {
                        wanted = take(hit);
                        wanted
                    });
                    wanted
                }
                _ => best,
            }
        });
    }

    /// The order of contacts: by fraction, by the corners of the part in the world, by body and part.
    pub(crate) fn compare(&self, a: &CastHit, b: &CastHit) -> Ordering {
        order(a, b, || [self.corners(a), self.corners(b)])
    }

    /// The key of a part in the order of contacts: the sorted corners of a triangle, the first corners of a
    /// polygon, the place of a solid.
    fn corners(&self, hit: &CastHit) -> [DVec3; 3] {
        let Some(body) = self.body(hit.body) else { return [DVec3::ZERO; 3] };
        let (body, part) = body.piece_of(hit.part, 1.0);
        let frame = body.frame();
        match &body.collider {
            Collider::Mesh(mesh) => {
                let corners = mesh.mesh().corners(part).map(|corner| frame.point_to_world(corner));
                outline::sort_corners(corners).0
            }
            Collider::Hull(hull) => {
                let corners = hull.boundary().mesh().corners(part);
                outline::sort_corners(corners.map(|corner| frame.point_to_world(corner))).0
            }
            Collider::HeightField(field) => {
                let corners = field.corners(part).map(|corner| frame.point_to_world(corner));
                outline::sort_corners(corners).0
            }
            Collider::Patches(set) => set.corners(part).map(|corner| frame.point_to_world(corner)),
            Collider::Polygons(set) => {
                let vertices = set.polygons()[part as usize].vertices();
                [0, 1, 2].map(|i| frame.point_to_world(vertices[i]))
            }
            _ => [body.pose().position(); 3],
        }
    }
}

/// [`World::compare`] with the corners of both, if they are needed.
#[inline]
fn order(a: &CastHit, b: &CastHit, corners: impl FnOnce() -> [[DVec3; 3]; 2]) -> Ordering {
    let fraction = a.hit.fraction.total_cmp(&b.hit.fraction);
    if fraction.is_ne() {
        return fraction;
    }
    let [p, q] = corners();
    p.iter()
        .zip(&q)
        .map(|(p, q)| compare_points(*p, *q))
        .find(|order| order.is_ne())
        .unwrap_or_else(|| (a.body, a.part).cmp(&(b.body, b.part)))
}

fn compare_points(a: DVec3, b: DVec3) -> Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z))
}
