//! Queries on a world: casts, overlaps, closest points.

use std::cell::RefCell;

use carom::sweep::Feature;
use carom::world::{Batch, BodyContact, CastHit, Closest, Overlap};
use carom::{Cast, World};

use crate::border::{fill, guard, list, out, read, room};
use crate::status::{CaromStatus, Failure};
use crate::values::{CAROM_LAYERS_ALL, CaromBody, CaromShape, CaromVec3, layers};
use crate::world::{CaromWorld, WORLDS, body_of};

/// A mover, the start of its center, and its translation. `carom_cast` and `carom_ray` fill it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromCast {
    /// The mover.
    pub shape: CaromShape,
    /// The start of its center, in meters.
    pub from: CaromVec3,
    /// The whole displacement, in meters.
    pub translation: CaromVec3,
    /// A body that it ignores; 0: none.
    pub exclude: CaromBody,
    /// Bit i says whether bodies of layer i are hit.
    pub layers: u32,
}

/// The touched feature of a triangle or polygon.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromFeature {
    /// The inside of a face, or the surface of a solid.
    Face = 0,
    /// An edge.
    Edge = 1,
    /// A corner.
    Vertex = 2,
}

/// The result of a cast.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromHit {
    /// Whether something was hit. If not, `fraction` is 1 and everything else 0.
    pub is_hit: bool,
    /// Whether the mover was already inside the body, by more than rounding, and moves deeper.
    pub start_overlap: bool,
    /// A `CaromFeature`.
    pub feature: u32,
    /// The number of the touched edge or corner, from 0.
    pub feature_index: u32,
    /// The triangle of a mesh; 0 for a solid.
    pub part: u32,
    /// The body that was hit.
    pub body: CaromBody,
    /// The body's user number.
    pub user_data: u64,
    /// The share of the translation that is free, 0 … 1.
    pub fraction: f64,
    /// The touched point, in meters.
    pub point: CaromVec3,
    /// The unit normal, towards the mover.
    pub normal: CaromVec3,
}

/// A part of a body: a triangle of a mesh, or a whole solid (0).
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaromPart {
    /// The body.
    pub body: CaromBody,
    /// The part of the body.
    pub part: u32,
    /// The body's user number.
    pub user_data: u64,
}

/// The closest part.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromClosest {
    /// Whether a part is within the distance. If not, everything else is 0.
    pub is_found: bool,
    /// The part of the body.
    pub part: u32,
    /// The body.
    pub body: CaromBody,
    /// The body's user number.
    pub user_data: u64,
    /// The distance in meters; 0 if they touch or overlap.
    pub distance: f64,
    /// The nearest point of the part, in meters.
    pub point: CaromVec3,
}

/// How a mover at rest relates to a part.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromContact {
    /// The body.
    pub body: CaromBody,
    /// The part of the body.
    pub part: u32,
    /// The body's user number.
    pub user_data: u64,
    /// The distance along the normal, in meters; negative in an overlap.
    pub gap: f64,
    /// The nearest point of the part, in meters.
    pub point: CaromVec3,
    /// The unit normal, towards the mover.
    pub normal: CaromVec3,
}

impl CaromHit {
    const MISS: Self = Self {
        is_hit: false,
        start_overlap: false,
        feature: CaromFeature::Face as u32,
        feature_index: 0,
        part: 0,
        body: CaromBody::NULL,
        user_data: 0,
        fraction: 1.0,
        point: CaromVec3::ZERO,
        normal: CaromVec3::ZERO,
    };

    #[inline]
    fn of(hit: Option<&CastHit>) -> Self {
        let Some(hit) = hit else { return Self::MISS };
        let (feature, feature_index) = match hit.feature {
            Feature::Face => (CaromFeature::Face, 0),
            Feature::Edge(i) => (CaromFeature::Edge, i),
            Feature::Vertex(i) => (CaromFeature::Vertex, i),
        };
        Self {
            is_hit: true,
            start_overlap: hit.start_overlap,
            feature: feature as u32,
            feature_index,
            part: hit.part,
            body: hit.body.into(),
            user_data: hit.user_data,
            fraction: hit.fraction,
            point: hit.point.into(),
            normal: hit.normal.into(),
        }
    }
}

impl From<&BodyContact> for CaromContact {
    fn from(near: &BodyContact) -> Self {
        Self {
            body: near.part.body.into(),
            part: near.part.part,
            user_data: near.user_data,
            gap: near.contact.gap,
            point: near.contact.point.into(),
            normal: near.contact.normal.into(),
        }
    }
}

impl From<&Overlap> for CaromPart {
    fn from(overlap: &Overlap) -> Self {
        Self { body: overlap.part.body.into(), part: overlap.part.part, user_data: overlap.user_data }
    }
}

impl CaromCast {
    #[inline]
    fn get(&self, world: &World) -> Result<Cast, Failure> {
        let cast = Cast::new(self.shape.mover()?, self.from.get(), self.translation.get())?;
        let cast = cast.filter(layers(self.layers));
        if self.exclude == CaromBody::NULL {
            return Ok(cast);
        }
        body_of(world, self.exclude)?;
        Ok(cast.exclude(self.exclude.id()?))
    }
}

/// A distance that may be infinite, but not NaN.
pub(crate) fn at_least_0(distance: f64) -> Result<f64, Failure> {
    if distance >= 0.0 { Ok(distance) } else { Err(Failure::bad_value("the distance must be at least 0")) }
}

/// The cast of a shape from `from` by `translation`, against all layers.
#[unsafe(no_mangle)]
pub extern "C" fn carom_cast(shape: CaromShape, from: CaromVec3, translation: CaromVec3) -> CaromCast {
    CaromCast { shape, from, translation, layers: CAROM_LAYERS_ALL, exclude: CaromBody::NULL }
}

/// A ray from `from` by `translation`, against all layers.
#[unsafe(no_mangle)]
pub extern "C" fn carom_ray(from: CaromVec3, translation: CaromVec3) -> CaromCast {
    carom_cast(crate::values::carom_point(), from, translation)
}

/// The first hit of the mover. Many threads may query one world at once, as long as none changes it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_cast(
    world: CaromWorld,
    cast: *const CaromCast,
    hit: *mut CaromHit,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (hit, cast) = unsafe { (out(hit, "hit")?, read(cast, "cast")?) };
        let world = WORLDS.read(world.value)?;
        let found = world.cast(&cast.get(&world)?);
        hit.write(CaromHit::of(found.as_ref()));
        Ok(())
    })
}

thread_local! {
    /// Working memory for casts. Reuse it: a batch that is no larger than an earlier one allocates nothing.
    static BATCH: RefCell<(Vec<Cast>, Batch)> = RefCell::default();
}

/// The first hit of each of many casts, in their order, on all cores. `hits` has room for `count`. If one of
/// the casts is refused, the message has its number, and no hit is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_cast_many(
    world: CaromWorld,
    casts: *const CaromCast,
    count: usize,
    hits: *mut CaromHit,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (casts, hits) = unsafe { (list(casts, count, "casts")?, room(hits, count, "hits")?) };
        let world = WORLDS.read(world.value)?;
        BATCH.with_borrow_mut(|(checked, batch)| {
            checked.clear();
            for (i, cast) in casts.iter().enumerate() {
                let cast = cast.get(&world).map_err(|failure| failure.within(format!("cast {i}")))?;
                checked.push(cast);
            }
            for (place, hit) in hits.iter_mut().zip(world.cast_many(checked, batch)) {
                place.write(CaromHit::of(hit.as_ref()));
            }
            Ok(())
        })
    })
}

/// Every part of every body that the mover would hit on its path, each with its own first contact, nearest
/// first. Writes as many as fit; `count` is the full number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_cast_all(
    world: CaromWorld,
    cast: *const CaromCast,
    hits: *mut CaromHit,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (cast, hits, count) =
            unsafe { (read(cast, "cast")?, room(hits, capacity, "hits")?, out(count, "count")?) };
        let world = WORLDS.read(world.value)?;
        let found = world.cast_all(&cast.get(&world)?);
        let found: Vec<CaromHit> = found.iter().map(|hit| CaromHit::of(Some(hit))).collect();
        fill(hits, count, &found)
    })
}

/// The first contact with each body on the way, nearest first. Writes as many as there is room for; `count`
/// is how many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_cast_bodies(
    world: CaromWorld,
    cast: *const CaromCast,
    hits: *mut CaromHit,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (cast, hits, count) =
            unsafe { (read(cast, "cast")?, room(hits, capacity, "hits")?, out(count, "count")?) };
        let world = WORLDS.read(world.value)?;
        let found = world.cast_bodies(&cast.get(&world)?);
        let found: Vec<CaromHit> = found.iter().map(|hit| CaromHit::of(Some(hit))).collect();
        fill(hits, count, &found)
    })
}

/// Where a ray from `from` by `translation`, in meters, leaves what is on its way: solids, also one in which
/// it starts, and triangles that it passes from the back to the front. Normals point along the ray. Nearest
/// first. Writes as many as there is room for; `count` is how many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_ray_exits(
    world: CaromWorld,
    from: CaromVec3,
    translation: CaromVec3,
    layer_bits: u32,
    hits: *mut CaromHit,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (hits, count) = unsafe { (room(hits, capacity, "hits")?, out(count, "count")?) };
        let world = WORLDS.read(world.value)?;
        let found = world.ray_exits(from.get(), translation.get(), layers(layer_bits))?;
        let found: Vec<CaromHit> = found.iter().map(|hit| CaromHit::of(Some(hit))).collect();
        fill(hits, count, &found)
    })
}

/// The overlaps of the shape with its center at `at`: the deepest part of each body, the deepest first.
/// Writes as many as there is room for; `count` is how many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_deepest(
    world: CaromWorld,
    shape: CaromShape,
    at: CaromVec3,
    layer_bits: u32,
    contacts: *mut CaromContact,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (contacts, count) = unsafe { (room(contacts, capacity, "contacts")?, out(count, "count")?) };
        let found = WORLDS.read(world.value)?.deepest(shape.mover()?, at.get(), layers(layer_bits))?;
        let found: Vec<CaromContact> = found.iter().map(CaromContact::from).collect();
        fill(contacts, count, &found)
    })
}

/// The parts that the shape overlaps with its center at `at`, by body and part. Touching is not overlapping.
/// Writes as many as fit; `count` is the full number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_overlaps(
    world: CaromWorld,
    shape: CaromShape,
    at: CaromVec3,
    layer_bits: u32,
    parts: *mut CaromPart,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (parts, count) = unsafe { (room(parts, capacity, "parts")?, out(count, "count")?) };
        let found = WORLDS.read(world.value)?.overlaps(shape.mover()?, at.get(), layers(layer_bits))?;
        let found: Vec<CaromPart> = found.iter().map(CaromPart::from).collect();
        fill(parts, count, &found)
    })
}

/// Every part within `distance` meters of the shape with its center at `at`, nearest first. Writes as many as
/// fit; `count` is the full number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_contacts(
    world: CaromWorld,
    shape: CaromShape,
    at: CaromVec3,
    distance: f64,
    layer_bits: u32,
    contacts: *mut CaromContact,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (contacts, count) = unsafe { (room(contacts, capacity, "contacts")?, out(count, "count")?) };
        let (at, distance) = (at.finite("at")?, at_least_0(distance)?);
        let mut found = Vec::new();
        let world = WORLDS.read(world.value)?;
        world.contacts(&shape.mover()?, at, distance, layers(layer_bits), |near| found.push(near));
        // They come in the order of the trees, which is no part of the answer.
        found.sort_by(|a, b| a.contact.gap.total_cmp(&b.contact.gap).then(a.part.cmp(&b.part)));
        let found: Vec<CaromContact> = found.iter().map(CaromContact::from).collect();
        fill(contacts, count, &found)
    })
}

/// The part nearest to the shape with its center at `at`, no farther than `distance` meters, which may be
/// infinite.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_world_closest(
    world: CaromWorld,
    shape: CaromShape,
    at: CaromVec3,
    distance: f64,
    layer_bits: u32,
    closest: *mut CaromClosest,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let closest = unsafe { out(closest, "closest") }?;
        let (mover, distance) = (shape.mover()?, at_least_0(distance)?);
        let found = WORLDS.read(world.value)?.closest(mover, at.get(), distance, layers(layer_bits))?;
        let nothing = CaromClosest {
            is_found: false,
            part: 0,
            body: CaromBody::NULL,
            user_data: 0,
            distance: 0.0,
            point: CaromVec3::ZERO,
        };
        closest.write(found.map_or(nothing, |Closest { distance, point, part, user_data }| CaromClosest {
            is_found: true,
            part: part.part,
            body: part.body.into(),
            user_data,
            distance,
            point: point.into(),
        }));
        Ok(())
    })
}
