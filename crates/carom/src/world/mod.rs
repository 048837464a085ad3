//! Worlds: queries about many bodies.
//!
//! [`World::cast`] finds the first hit of a mover on a straight path, and [`World::cast_all`] all hits.
//! [`World::overlaps`] finds what a mover at rest overlaps, and [`World::closest`] the nearest part.
//! [`World::contacts`] finds everything within a distance, with gaps and normals: the input of response.
//! [`World::manifolds`] reduces these to up to four points per plane. [`World::advance`] moves bodies in a
//! tick. Every answer is the same as testing all parts of all bodies, because trees only skip what cannot
//! matter.

mod advance;
mod body;
mod error;
mod gather;
mod index;
mod query;
mod surface;

use alloc::boxed::Box;
use alloc::vec::Vec;

use glam::DVec3;

pub use advance::Moves;
pub use body::Body;
pub use body::body_id::BodyId;
pub use body::collider::{Collider, Compound, CompoundPiece};
pub use body::compound::CompoundError;
pub use body::keyframes::{AfterLast, Keyframe, Keyframes, KeyframesError};
pub use body::layers::Layers;
pub use body::pose::Pose;
pub use error::MoveError;
pub(crate) use gather::memory::REMEMBERED;
pub use gather::neighborhood::Neighborhood;
pub(crate) use gather::neighborhood::Stay;
pub use query::batch::Batch;
pub(crate) use query::body_contact::PartContact;
pub use query::body_contact::{BodyContact, Overlap, Part};
pub use query::cast::Cast;
pub use query::cast_hit::CastHit;
pub use query::closest::Closest;
pub(crate) use query::contact_query::ContactQuery;
pub use query::manifold::{ContactManifold, MANIFOLD_POINTS, ManifoldPoint};
pub(crate) use query::moment::Moment;
pub(crate) use query::sense::{TimedCorner, Visit};
pub use surface::half_space::HalfSpace;
pub use surface::hull_tree::HullTree;
pub use surface::mesh_tree::MeshTree;
pub use surface::patch_tree::PatchTree;
pub use surface::polygon_tree::PolygonTree;

use crate::mesh::Surface;
use crate::shape::{Mover, ShapeError};
use crate::sweep::Path;
pub(crate) use body::rigid_motion::RigidMotion;
pub(crate) use body::solid::solids_contact;
use body::stamp::Stamp;
pub(crate) use body::sweep_segment::{SweepExtent, SweepSegment};
use index::{Index, IndexedBounds};

/// All bodies that movers can hit: the level, props, lifts, doors, crates and sensors.
///
/// Use it for queries (casts, overlaps, contacts, closest points) and as the surroundings of a
/// [`Character`](crate::character::Character). Add each body once and keep its [`BodyId`]. [`World::advance`]
/// moves kinematic and dynamic bodies in a tick, so that characters are carried and pushed on the path.
/// [`World::set_pose`] teleports a body. A static level should be one mesh, or a few: one body with a million
/// triangles is faster than a million bodies. Queries need only `&World`, so any number of threads can ask at
/// once.
///
/// ```
/// use carom::{shape::{Cuboid, Sphere}, world::{Body, Cast, Pose, World}};
/// use glam::dvec3;
/// let mut world = World::new();
/// let block = world.add(Body::fixed(Cuboid::new(dvec3(1.0, 1.0, 1.0))?).at(Pose::at(dvec3(5.0, 0.0, 0.0))?));
/// let ball = Sphere::new(0.5)?;
/// let hit = world.cast(&Cast::new(ball, dvec3(0.0, 0.0, 0.0), dvec3(7.0, 0.0, 0.0))?).unwrap();
/// assert_eq!(hit.body, block);
/// assert!((hit.fraction - 0.5).abs() < 1e-13);
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct World {
    bodies: Vec<Option<Body>>,
    index: Index,
    /// The numbers of the bodies that move in this tick.
    moving: Vec<u32>,
    /// How many bodies may move.
    movable: usize,
    /// How many are sensors.
    sensors: usize,
    /// Renewed with every change.
    stamp: Stamp,
    /// Renewed with every change of a body that is fixed.
    fixed_stamp: Stamp,
    /// The numbers and bounds of the bodies that the index takes at the end of `advance`.
    unindexed: Vec<u32>,
    places: Vec<IndexedBounds>,
    /// Memory of bodies that came to rest, reused for bodies that start to move: so a tick allocates nothing.
    #[expect(clippy::vec_box, reason = "bodies take them over")]
    spare: Vec<Box<RigidMotion>>,
}

impl World {
    /// An empty world.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a body and returns its id. A body whose pose is not finite is refused: then the id names no body
    /// ([`World::contains`] is false). [`World::try_add`] returns an error instead.
    pub fn add(&mut self, body: Body) -> BodyId {
        self.try_add(body).unwrap_or(BodyId::NOWHERE)
    }

    /// Adds a body and returns its id.
    ///
    /// # Errors
    /// The pose is not finite. Then nothing changes.
    pub fn try_add(&mut self, mut body: Body) -> Result<BodyId, ShapeError> {
        if !body.pose().is_finite() {
            return Err(ShapeError::NotFinite("the pose of the body"));
        }
        let number = self.bodies.len() as u32;
        self.stamp = Stamp::new();
        self.index.place(body.root(), number, body.indexed_bounds());
        body.stamp = self.stamp;
        body.birth = body::body_id::next_birth();
        let id = BodyId::new(number, body.birth);
        self.movable += usize::from(body.can_move());
        self.sensors += usize::from(body.is_sensor());
        self.note_fixed(&body);
        self.bodies.push(Some(body));
        Ok(id)
    }

    /// Marks that a body has come, gone or changed: if it is fixed, data of fixed bodies is out of date.
    /// Before the first change there is no such data.
    fn note_fixed(&mut self, body: &Body) {
        if !body.can_move() || !self.fixed_stamp.is(self.fixed_stamp) {
            self.fixed_stamp = Stamp::new();
        }
    }

    /// Whether there is a body that may move.
    fn has_movable(&self) -> bool {
        self.movable > 0
    }

    /// Removes a body and returns it; `None` if there is no such body.
    pub fn remove(&mut self, id: BodyId) -> Option<Body> {
        let root = self.body(id)?.root();
        self.stamp = Stamp::new();
        self.index.place(root, id.index(), IndexedBounds::Nowhere);
        let body = self.bodies[id.index() as usize].take()?;
        self.movable -= usize::from(body.can_move());
        self.sensors -= usize::from(body.is_sensor());
        self.note_fixed(&body);
        Some(body)
    }

    /// Moves a body at once, without motion between: it does not push characters there. They get out of it in
    /// their next tick. To carry and push, use [`World::advance`].
    ///
    /// # Errors
    /// The body is not of this world, or the pose is not finite. Then nothing changes.
    pub fn set_pose(&mut self, id: BodyId, pose: impl Into<Pose>) -> Result<(), MoveError> {
        let pose = pose.into();
        let body = self
            .bodies
            .get_mut(id.index() as usize)
            .and_then(|body| id.names_mut(body))
            .ok_or(MoveError::NoSuchBody)?;
        if !pose.is_finite() {
            return Err(MoveError::NotFinite);
        }
        body.put(pose);
        body.motion = None;
        self.stamp = Stamp::new();
        body.stamp = self.stamp;
        if !body.can_move() {
            self.fixed_stamp = self.stamp;
        }
        self.index.place(body.root(), id.index(), body.indexed_bounds());
        Ok(())
    }

    /// Sets the user number of a body.
    ///
    /// # Errors
    /// The body is not of this world.
    pub fn set_user_data(&mut self, id: BodyId, user_data: u64) -> Result<(), MoveError> {
        let slot = self.bodies.get_mut(id.index() as usize);
        let body = slot.and_then(|body| id.names_mut(body)).ok_or(MoveError::NoSuchBody)?;
        body.user_data = user_data;
        Ok(())
    }

    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.bodies.iter().flatten().count()
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a body moves in this tick.
    pub(crate) fn has_moving_bodies(&self) -> bool {
        !self.moving.is_empty()
    }

    /// The bodies that move in this tick.
    pub(crate) fn moving_bodies(&self) -> impl Iterator<Item = &Body> {
        self.moving.iter().filter_map(|number| self.bodies.get(*number as usize)?.as_ref())
    }

    /// Whether the bounds of a body that moves in this tick overlap those of a mover at a place.
    pub(crate) fn has_moving_near(&self, mover: &Mover, at: DVec3) -> bool {
        let (true, Ok(place)) = (self.has_moving_bodies(), Path::new(at, DVec3::ZERO)) else { return false };
        let mut is_near = false;
        self.index.around(
            mover,
            &place,
            DVec3::ZERO,
            |_| (),
            |number| {
                is_near = is_near || self.numbered(number).is_some_and(|(_, body)| body.is_moving());
            },
        );
        is_near
    }

    /// Visits the index of every body whose bounds in this tick overlap those of another one.
    pub(crate) fn visit_near_path(&self, body: &Body, mut visit: impl FnMut(u32)) {
        match body.indexed_bounds() {
            IndexedBounds::Nowhere => {}
            IndexedBounds::Within(area) => self.index.within(&area, visit),
            IndexedBounds::Anywhere => (0..self.bodies.len() as u32).for_each(&mut visit),
        }
    }

    /// Whether this id names a body of this world.
    pub fn contains(&self, id: BodyId) -> bool {
        self.body(id).is_some()
    }

    /// A body; `None` if it was removed, or if the id is of another world.
    #[inline]
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        let body = self.bodies.get(id.index() as usize)?.as_ref()?;
        id.fits(body.birth).then_some(body)
    }

    /// The body of a number, and its id.
    #[inline]
    pub(crate) fn numbered(&self, number: u32) -> Option<(BodyId, &Body)> {
        let body = self.bodies.get(number as usize)?.as_ref()?;
        Some((BodyId::new(number, body.birth), body))
    }

    /// Prefetches the body of a number.
    #[inline]
    pub(in crate::world) fn prefetch_body(&self, number: u32) {
        if let Some(Some(body)) = self.bodies.get(number as usize) {
            body.prefetch();
        }
    }

    /// All bodies, in the order in which they were added.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        (0..self.bodies.len() as u32).filter_map(|number| self.numbered(number))
    }

    /// The material of a part of a body; `None` if the body was removed.
    pub fn surface(&self, body: BodyId, part: u32) -> Option<&Surface> {
        self.body(body).map(|body| body.surface(part))
    }

    /// The unit normals of all surfaces that share the touched feature. A mover that rests on the edge of a
    /// step touches its tread and its riser. Triangles of a mesh have the normals of their front; anything
    /// else has only the contact normal.
    pub fn surface_normals(&self, hit: &CastHit) -> Vec<DVec3> {
        let Some(body) = self.body(hit.body) else { return Vec::new() };
        let (body, part) = body.piece_of(hit.part, 1.0);
        match &body.collider {
            Collider::Mesh(mesh) if part < mesh.mesh().triangle_count() => {
                let frame = body.frame();
                let normals = mesh.mesh().feature_normals(part, hit.hit.feature);
                normals.iter().map(|normal| frame.normal_to_world(*normal)).collect()
            }
            Collider::Hull(hull) => {
                let frame = body.frame();
                let normals = hull.boundary().mesh().feature_normals(part, hit.hit.feature);
                normals.iter().map(|normal| frame.normal_to_world(*normal)).collect()
            }
            Collider::HeightField(field) => {
                let frame = body.frame();
                let normals = field.feature_normals(part, hit.hit.feature);
                normals.iter().map(|normal| frame.normal_to_world(*normal)).collect()
            }
            _ => alloc::vec![hit.hit.normal],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Cuboid;
    use glam::dvec3;

    #[test]
    fn a_body_takes_at_most_200_bytes_and_its_place_in_the_index_80() {
        let mut world = World::new();
        for i in 0..20_000 {
            let place = dvec3(f64::from(i % 100), f64::from(i * 7 % 31), f64::from(i / 100)) * 3.0;
            world.add(Body::fixed(Cuboid::new(DVec3::ONE).unwrap()).at(place));
        }
        let (body, place) = (size_of::<Option<Body>>(), world.index.memory() as f64 / 20_000.0);
        assert!(body <= 200 && place <= 80.0, "{body} and {place:.0} bytes");
    }
}
