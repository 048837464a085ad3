//! Contact manifolds: where a resting mover is held up.

use carom::world::{ContactManifold, MANIFOLD_POINTS, ManifoldPoint};

use crate::border::{fill, guard, out, room};
use crate::query::at_least_0;
use crate::status::CaromStatus;
use crate::values::{CaromBody, CaromShape, CaromVec3, layers};
use crate::world::{CaromWorld, WORLDS};

/// The most points of a manifold: four hold up anything that is rigid.
pub const CAROM_MANIFOLD_POINTS: usize = 4;

const _: () = assert!(CAROM_MANIFOLD_POINTS == MANIFOLD_POINTS);

/// A point at which a mover is held up.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CaromManifoldPoint {
    /// On the surface of the body, in meters. `point` and `gap` along the normal are on that of the mover.
    pub point: CaromVec3,
    /// The gap along the normal, in meters; negative in an overlap.
    pub gap: f64,
    /// Which part of the body.
    pub part: u32,
}

/// How a mover rests on one plane of a body.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromManifold {
    /// The body that has this plane.
    pub body: CaromBody,
    /// The body's own number.
    pub user_data: u64,
    /// The unit normal, towards the mover.
    pub normal: CaromVec3,
    /// 1 to `CAROM_MANIFOLD_POINTS`.
    pub point_count: u32,
    /// As many as `point_count` says, the deepest first; all else is 0.
    pub points: [CaromManifoldPoint; CAROM_MANIFOLD_POINTS],
}

impl From<&ManifoldPoint> for CaromManifoldPoint {
    fn from(found: &ManifoldPoint) -> Self {
        Self { point: found.point.into(), gap: found.gap, part: found.part }
    }
}

impl From<&ContactManifold> for CaromManifold {
    fn from(manifold: &ContactManifold) -> Self {
        let mut points = [CaromManifoldPoint::default(); CAROM_MANIFOLD_POINTS];
        for (place, found) in points.iter_mut().zip(manifold.points()) {
            *place = found.into();
        }
        Self {
            body: manifold.body.into(),
            user_data: manifold.user_data,
            normal: manifold.normal.into(),
            point_count: manifold.points().len() as u32,
            points,
        }
    }
}

/// Where a shape with its center at `at` rests: one manifold for each plane of each body within `distance`
/// meters, by body, of each the deepest first. A hundredth of the size of the shape is a good distance: it
/// also says how far a face may be tilted and still rest with all its corners. Writes as many as there is
/// room for; `count` is how many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_manifolds(
    world: CaromWorld,
    shape: CaromShape,
    at: CaromVec3,
    distance: f64,
    layer_bits: u32,
    manifolds: *mut CaromManifold,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (manifolds, count) = unsafe { (room(manifolds, capacity, "manifolds")?, out(count, "count")?) };
        let distance = at_least_0(distance)?;
        let world = WORLDS.read(world.value)?;
        let found = world.manifolds(shape.mover()?, at.get(), distance, layers(layer_bits))?;
        fill(manifolds, count, &found.iter().map(CaromManifold::from).collect::<Vec<_>>())
    })
}
