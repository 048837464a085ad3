//! Colliders besides shapes and meshes: cylinders, cones, hulls, half-spaces, height fields, and compounds of
//! all of them.

use std::sync::Arc;

use carom::glam::DVec3;
use carom::mesh::{HeightField, HeightFieldError, Heights};
use carom::shape::{Cone, ConvexHull, Cylinder, Plane};
use carom::world::{Collider, Compound, CompoundError, CompoundPiece, HalfSpace};

use crate::border::{check_size, guard, list, out, read};
use crate::handles::Objects;
use crate::mesh::{CaromMesh, MESHES};
use crate::status::{CaromStatus, Failure};
use crate::values::{CaromPose, CaromShape, CaromSurface, CaromVec3};

/// The collider of bodies. Many bodies may share one.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaromCollider {
    /// Opaque, except that 0 is no collider.
    pub value: u64,
}

pub(crate) static COLLIDERS: Objects<Collider> = Objects::new(5, "collider");

/// A grid of heights along y. Its first sample is at x = 0 and z = 0 of the body. Columns run along x, rows
/// along z. Samples are either `heights` or `steps`. All arrays are copied.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CaromHeightFieldData {
    /// The size of this structure; `carom_height_field_data_default` sets it.
    pub size: u32,
    /// The number of samples along x, at least 2.
    pub columns: u32,
    /// The number of samples along z, at least 2.
    pub rows: u32,
    /// The distance of columns in meters, greater than 0.
    pub column_spacing: f64,
    /// The distance of rows in meters, greater than 0.
    pub row_spacing: f64,
    /// A height in meters for each sample, row by row; null if there are `steps`.
    pub heights: *const f32,
    /// A height in integer steps for each sample, row by row, as in a 16-bit picture; null if there are
    /// `heights`.
    pub steps: *const u16,
    /// The height of 0 steps, in meters.
    pub lowest: f64,
    /// The height that a step adds, in meters.
    pub step: f64,
    /// Cells without ground, by column and row: two numbers each.
    pub holes: *const u32,
    /// The number of holes.
    pub hole_count: usize,
    /// The materials; may be null if there are none.
    pub surfaces: *const CaromSurface,
    /// The number of materials. 0: all cells have the default material.
    pub surface_count: usize,
    /// The number of the material of each cell, row by row; null: all have material 0.
    pub surface_ids: *const u8,
}

/// A piece of a compound body. `carom_compound_piece` fills it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromCompoundPiece {
    /// Its collider, which must not be a compound.
    pub collider: CaromCollider,
    /// Its pose in the body.
    pub pose: CaromPose,
    /// 1 if the piece has its own `surface`, 0 if it has the material of the body.
    pub has_surface: u32,
    /// Its material. A mesh and a height field keep their own.
    pub surface: CaromSurface,
}

impl From<CompoundError> for Failure {
    fn from(error: CompoundError) -> Self {
        Self::bad_value(error)
    }
}

impl From<HeightFieldError> for Failure {
    fn from(error: HeightFieldError) -> Self {
        Self::bad_value(error)
    }
}

/// Writes the handle of a collider that `make` makes.
///
/// # Safety
/// The rules of pointers (border.rs).
unsafe fn keep(
    collider: *mut CaromCollider,
    make: impl FnOnce() -> Result<Collider, Failure>,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers.
        let collider = unsafe { out(collider, "collider") }?;
        collider.write(CaromCollider { value: COLLIDERS.insert(make()?)? });
        Ok(())
    })
}

/// A sphere, an ellipsoid, a capsule or a box.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_collider_shape(
    shape: CaromShape,
    collider: *mut CaromCollider,
) -> CaromStatus {
    // SAFETY: the caller keeps the rules of pointers (border.rs).
    unsafe { keep(collider, || shape.collider()) }
}

/// The triangles of a mesh. The mesh may be freed afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_collider_mesh(mesh: CaromMesh, collider: *mut CaromCollider) -> CaromStatus {
    // SAFETY: the caller keeps the rules of pointers (border.rs).
    unsafe { keep(collider, || Ok(MESHES.read(mesh.value)?.tree.clone().into())) }
}

/// A cylinder about the y axis: its radius and half of its height, in meters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_collider_cylinder(
    radius: f64,
    half_height: f64,
    collider: *mut CaromCollider,
) -> CaromStatus {
    // SAFETY: the caller keeps the rules of pointers (border.rs).
    unsafe { keep(collider, || Ok(Cylinder::new(radius, half_height)?.into())) }
}

/// A cone about the y axis with its point up and its center half way up: the radius of its base and half of
/// its height, in meters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_collider_cone(
    radius: f64,
    half_height: f64,
    collider: *mut CaromCollider,
) -> CaromStatus {
    // SAFETY: the caller keeps the rules of pointers (border.rs).
    unsafe { keep(collider, || Ok(Cone::new(radius, half_height)?.into())) }
}

/// Everything behind the plane through `point`; `normal` points out of the solid and may have any length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_collider_half_space(
    point: CaromVec3,
    normal: CaromVec3,
    collider: *mut CaromCollider,
) -> CaromStatus {
    // SAFETY: the caller keeps the rules of pointers (border.rs).
    unsafe { keep(collider, || Ok(HalfSpace::behind(Plane::new(point.get(), normal.get())?).into())) }
}

/// The convex hull of points, in meters. They must span a volume.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_collider_hull(
    points: *const CaromVec3,
    point_count: usize,
    collider: *mut CaromCollider,
) -> CaromStatus {
    let make = || {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let points = unsafe { list(points, point_count, "points") }?;
        let points: Vec<DVec3> = points.iter().map(|point| point.get()).collect();
        Ok(ConvexHull::new(&points)?.into())
    };
    // SAFETY: the same.
    unsafe { keep(collider, make) }
}

/// A piece with the material of the body.
#[unsafe(no_mangle)]
pub extern "C" fn carom_compound_piece(collider: CaromCollider, pose: CaromPose) -> CaromCompoundPiece {
    CaromCompoundPiece { collider, pose, has_surface: 0, surface: CaromSurface::DEFAULT }
}

/// A collider of 1 to 1024 pieces. Parts of the body are those of the pieces, numbered on from piece to
/// piece: see `carom_collider_piece_of`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_collider_compound(
    pieces: *const CaromCompoundPiece,
    piece_count: usize,
    collider: *mut CaromCollider,
) -> CaromStatus {
    let make = || {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let pieces = unsafe { list(pieces, piece_count, "pieces") }?;
        let piece = |(i, piece): (usize, &CaromCompoundPiece)| {
            piece.get().map_err(|failure| failure.within(format!("piece {i}")))
        };
        let pieces = pieces.iter().enumerate().map(piece).collect::<Result<_, _>>()?;
        Ok(Compound::new(pieces)?.into())
    };
    // SAFETY: the same.
    unsafe { keep(collider, make) }
}

impl CaromCompoundPiece {
    fn get(&self) -> Result<CompoundPiece, Failure> {
        let piece = CompoundPiece::new(COLLIDERS.read(self.collider.value)?.clone()).at(self.pose.get()?);
        match self.has_surface {
            0 => Ok(piece),
            1 => Ok(piece.with_surface(self.surface.get()?)),
            other => Err(Failure::bad_value(format!("has_surface is {other}: 0 or 1"))),
        }
    }
}

/// The number of the piece of a compound to which a part belongs, as in hits and contacts. `own_part`, which
/// may be null, receives the number of the part in that piece.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_collider_piece_of(
    collider: CaromCollider,
    part: u32,
    piece: *mut usize,
    own_part: *mut u32,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let piece = unsafe { out(piece, "piece") }?;
        let made_of = COLLIDERS.read(collider.value)?;
        let Collider::Compound(compound) = &*made_of else {
            return Err(Failure::bad_value("the collider is not a compound: it has no pieces"));
        };
        let Some((number, own)) = compound.piece(part) else {
            return Err(Failure::bad_value(format!("the compound has no part {part}")));
        };
        if !own_part.is_null() {
            // SAFETY: as above.
            unsafe { out(own_part, "own_part") }?.write(own);
        }
        piece.write(number);
        Ok(())
    })
}

/// An empty height field, to be filled: its samples are a meter apart.
#[unsafe(no_mangle)]
pub extern "C" fn carom_height_field_data_default() -> CaromHeightFieldData {
    CaromHeightFieldData {
        size: size_of::<CaromHeightFieldData>() as u32,
        columns: 0,
        rows: 0,
        column_spacing: 1.0,
        row_spacing: 1.0,
        heights: core::ptr::null(),
        steps: core::ptr::null(),
        lowest: 0.0,
        step: 1.0,
        holes: core::ptr::null(),
        hole_count: 0,
        surfaces: core::ptr::null(),
        surface_count: 0,
        surface_ids: core::ptr::null(),
    }
}

/// Terrain from a grid of heights. A cell has two triangles: part 2 · cell of a body on the side of the
/// higher row, part 2 · cell + 1 on the side of the higher column; cells are numbered row by row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_collider_height_field(
    data: *const CaromHeightFieldData,
    collider: *mut CaromCollider,
) -> CaromStatus {
    // SAFETY: the caller keeps the rules of pointers (border.rs), also for those in the structure.
    unsafe { keep(collider, || Ok(Collider::HeightField(Arc::new(height_field(&read(data, "data")?)?)))) }
}

/// # Safety
/// The rules of pointers (border.rs), for those in the structure.
unsafe fn height_field(data: &CaromHeightFieldData) -> Result<HeightField, Failure> {
    check_size::<CaromHeightFieldData>(data.size, "data")?;
    let CaromHeightFieldData { columns, rows, .. } = *data;
    let product = |a: u32, b: u32| (a as usize).checked_mul(b as usize);
    let samples = product(columns, rows).ok_or_else(|| Failure::bad_value("there are too many samples"))?;
    let cells = product(columns.saturating_sub(1), rows.saturating_sub(1)).unwrap_or(0);
    let heights = match (data.heights.is_null(), data.steps.is_null()) {
        // SAFETY: the caller keeps the rules of pointers.
        (false, true) => Heights::F32(unsafe { list(data.heights, samples, "heights") }?.to_vec()),
        (true, false) => Heights::U16 {
            // SAFETY: the same.
            samples: unsafe { list(data.steps, samples, "steps") }?.to_vec(),
            lowest: data.lowest,
            step: data.step,
        },
        _ => return Err(Failure::bad_value("samples are either heights or steps: one of both is null")),
    };
    let hole_numbers = data.hole_count.checked_mul(2);
    let hole_numbers = hole_numbers.ok_or_else(|| Failure::bad_value("there are too many holes"))?;
    // SAFETY: the same.
    let (holes, surfaces) = unsafe {
        (list(data.holes, hole_numbers, "holes")?, list(data.surfaces, data.surface_count, "surfaces")?)
    };
    let field = HeightField::new([columns, rows], [data.column_spacing, data.row_spacing], heights)?;
    let field = field.with_holes(holes.as_chunks::<2>().0)?;
    let ids = if data.surface_ids.is_null() {
        Vec::new()
    } else {
        // SAFETY: the same.
        unsafe { list(data.surface_ids, cells, "surface_ids") }?.to_vec()
    };
    if surfaces.is_empty() && ids.is_empty() {
        return Ok(field);
    }
    let surface = |(i, surface): (usize, &CaromSurface)| {
        surface.get().map_err(|failure| failure.within(format!("surface {i}")))
    };
    let surfaces = surfaces.iter().enumerate().map(surface).collect::<Result<Vec<_>, _>>()?;
    Ok(field.with_surfaces(surfaces, ids)?)
}

/// Frees a collider; bodies that use it keep it. Null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn carom_collider_free(collider: CaromCollider) -> CaromStatus {
    guard(|| COLLIDERS.remove(collider.value))
}
