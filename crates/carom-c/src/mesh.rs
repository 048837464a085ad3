//! Triangles, from arrays and from files.

use std::ffi::c_char;
use std::sync::Arc;

use carom::Mesh;
use carom::mesh::{MeshData, MeshError};
use carom::world::MeshTree;
use carom_formats::{Format, Landmark, LoadError, LoadOptions, RawLevel, Source, Up, Volume};

use crate::border::{check_size, fill, guard, list, out, read, read_or_null, room, text};
use crate::handles::Objects;
use crate::status::{CaromStatus, Failure};
use crate::values::{CaromSurface, CaromVec3};

/// Triangles with their tree. Many bodies may share one mesh.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaromMesh {
    /// Opaque, except that 0 is no mesh.
    pub value: u64,
}

pub(crate) static MESHES: Objects<Triangles> = Objects::new(1, "mesh");

/// A mesh, and what its file says besides.
pub(crate) struct Triangles {
    pub(crate) tree: Arc<MeshTree>,
    spawns: Vec<CaromVec3>,
    pub(crate) about: Arc<About>,
}

/// The parts of a level file that an exploration needs; empty for a mesh that was made of lists.
#[derive(Default)]
pub(crate) struct About {
    pub(crate) name: String,
    pub(crate) landmarks: Vec<Landmark>,
    pub(crate) volumes: Vec<Volume>,
    /// The names of the surfaces.
    pub(crate) surfaces: Vec<String>,
    pub(crate) colors: Vec<Option<[f32; 3]>>,
    pub(crate) skies: Vec<u16>,
    pub(crate) is_z_up: bool,
    /// Meters per unit of the file.
    pub(crate) scale: f64,
    /// Of a .bsp or .map.
    pub(crate) source: Option<Source>,
}

/// The arrays of a mesh. They are copied.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CaromMeshData {
    /// The size of this structure; `carom_mesh_data_default` sets it.
    pub size: u32,
    /// The point from which the vertices are measured, in meters.
    pub origin: CaromVec3,
    /// Three numbers per vertex, in meters.
    pub vertices: *const f32,
    /// The number of vertices.
    pub vertex_count: usize,
    /// Three indices per triangle, counterclockwise as seen from the front.
    pub triangles: *const u32,
    /// The number of triangles.
    pub triangle_count: usize,
    /// The materials; may be null if there are none.
    pub surfaces: *const CaromSurface,
    /// The number of materials. 0: all triangles have the default material.
    pub surface_count: usize,
    /// The number of the material of each triangle; null: all have material 0.
    pub surface_ids: *const u16,
}

/// The axis of a file that points up.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromUp {
    /// As its format defines it.
    Format = 0,
    /// y.
    Y = 1,
    /// z.
    Z = 2,
}

/// How to read a level file.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CaromLoadOptions {
    /// The size of this structure; `carom_load_options_default` sets it.
    pub size: u32,
    /// A `CaromUp`.
    pub up: u32,
    /// Meters per unit of the file, greater than 0; 0: as its format defines it.
    pub scale: f64,
    /// The most bytes that are read; 0: 4 GiB.
    pub most_bytes: u64,
    /// The most triangles; 0: 100 million.
    pub most_triangles: usize,
}

impl From<MeshError> for Failure {
    fn from(error: MeshError) -> Self {
        Self::bad_value(error)
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        let status = match error.fact() {
            LoadError::UnusableScale { .. } => CaromStatus::BadValue,
            _ => CaromStatus::BadFile,
        };
        Self::new(status, error)
    }
}

fn keep(mesh: Mesh, spawns: Vec<CaromVec3>, about: About) -> Result<CaromMesh, Failure> {
    let (tree, about) = (Arc::new(MeshTree::new(mesh)), Arc::new(about));
    let value = MESHES.insert(Triangles { tree, spawns, about })?;
    Ok(CaromMesh { value })
}

fn keep_level(mut level: RawLevel, name: &str) -> Result<CaromMesh, Failure> {
    if level.triangles.is_empty() {
        return Err(Failure::new(CaromStatus::BadFile, format!("{name}: there are no triangles in it")));
    }
    let spawns = level.landmarks.iter().filter(|place| place.is_spawn());
    let spawns = spawns.map(|place| place.position.into()).collect();
    let about = About {
        name: name.to_owned(),
        source: level.source.take(),
        landmarks: std::mem::take(&mut level.landmarks),
        volumes: std::mem::take(&mut level.volumes),
        surfaces: level.surfaces.clone(),
        colors: std::mem::take(&mut level.colors),
        skies: std::mem::take(&mut level.skies),
        is_z_up: level.up == Up::Z,
        scale: level.scale,
    };
    let mesh = level.into_mesh().map_err(|error| Failure::new(CaromStatus::BadFile, error).within(name))?;
    keep(mesh, spawns, about)
}

fn load_options(options: Option<CaromLoadOptions>) -> Result<LoadOptions, Failure> {
    let mut read = LoadOptions::default();
    let Some(options) = options else { return Ok(read) };
    check_size::<CaromLoadOptions>(options.size, "the options")?;
    read.up = match options.up {
        0 => None,
        1 => Some(Up::Y),
        2 => Some(Up::Z),
        up => return Err(Failure::bad_value(format!("there is no axis {up}: 0 to 2"))),
    };
    read.scale = (options.scale != 0.0).then_some(options.scale);
    if options.most_bytes != 0 {
        read.limits.bytes = options.most_bytes;
    }
    if options.most_triangles != 0 {
        read.limits.triangles = options.most_triangles;
    }
    Ok(read)
}

/// Empty arrays, to be filled.
#[unsafe(no_mangle)]
pub extern "C" fn carom_mesh_data_default() -> CaromMeshData {
    CaromMeshData {
        size: size_of::<CaromMeshData>() as u32,
        origin: CaromVec3::ZERO,
        vertices: core::ptr::null(),
        vertex_count: 0,
        triangles: core::ptr::null(),
        triangle_count: 0,
        surfaces: core::ptr::null(),
        surface_count: 0,
        surface_ids: core::ptr::null(),
    }
}

/// The axes and the unit of the format, and the default limits.
#[unsafe(no_mangle)]
pub extern "C" fn carom_load_options_default() -> CaromLoadOptions {
    CaromLoadOptions {
        size: size_of::<CaromLoadOptions>() as u32,
        up: CaromUp::Format as u32,
        scale: 0.0,
        most_bytes: 0,
        most_triangles: 0,
    }
}

/// Makes a mesh from arrays: checks, welds, and builds its tree. Refuses vertices that are not finite and
/// indices out of range; the message has the number. Triangles without area are legal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_mesh_new(data: *const CaromMeshData, mesh: *mut CaromMesh) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs), also for those in the structure.
        let (mesh, data) = unsafe { (out(mesh, "mesh")?, read(data, "data")?) };
        check_size::<CaromMeshData>(data.size, "data")?;
        let threes = |count: usize, name: &str| {
            count.checked_mul(3).ok_or_else(|| Failure::bad_value(format!("there are too many {name}")))
        };
        let vertex_numbers = threes(data.vertex_count, "vertices")?;
        let corner_numbers = threes(data.triangle_count, "triangles")?;
        let id_count = if data.surface_ids.is_null() { 0 } else { data.triangle_count };
        // SAFETY: as above.
        let (vertices, corners, surfaces, ids) = unsafe {
            (
                list(data.vertices, vertex_numbers, "data.vertices")?,
                list(data.triangles, corner_numbers, "data.triangles")?,
                list(data.surfaces, data.surface_count, "data.surfaces")?,
                list(data.surface_ids, id_count, "data.surface_ids")?,
            )
        };
        let surface = |(i, surface): (usize, &CaromSurface)| {
            surface.get().map_err(|failure| failure.within(format!("surface {i}")))
        };
        let built = Mesh::new(MeshData {
            origin: data.origin.get(),
            vertices: vertices.as_chunks::<3>().0.to_vec(),
            triangles: corners.as_chunks::<3>().0.to_vec(),
            surfaces: surfaces.iter().enumerate().map(surface).collect::<Result<_, _>>()?,
            surface_ids: ids.to_vec(),
            ..MeshData::default()
        })?;
        let about = About { name: "triangles".to_owned(), scale: 1.0, ..About::default() };
        mesh.write(keep(built, Vec::new(), about)?);
        Ok(())
    })
}

/// Reads a level file. Its extension gives the format: .glb, .gltf, .obj, .stl, .ply, .bsp or .map. `path` is
/// UTF-8; `options` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_mesh_load(
    path: *const c_char,
    options: *const CaromLoadOptions,
    mesh: *mut CaromMesh,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (mesh, path, options) =
            unsafe { (out(mesh, "mesh")?, text(path, "path")?, read_or_null(options, "options")?) };
        let level = carom_formats::load(path, &load_options(options)?)?;
        mesh.write(keep_level(level, path)?);
        Ok(())
    })
}

/// Reads a level from memory; the extension of `name` gives the format. A glTF must contain its buffers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_mesh_parse(
    bytes: *const u8,
    byte_count: usize,
    name: *const c_char,
    options: *const CaromLoadOptions,
    mesh: *mut CaromMesh,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (mesh, bytes, name, options) = unsafe {
            (
                out(mesh, "mesh")?,
                list(bytes, byte_count, "bytes")?,
                text(name, "name")?,
                read_or_null(options, "options")?,
            )
        };
        let format = Format::from_path(name.as_ref()).ok_or_else(|| {
            let advice = "use .glb, .gltf, .obj, .stl, .ply, .bsp or .map";
            Failure::new(CaromStatus::BadFile, format!("{name} is not a level by its extension: {advice}"))
        })?;
        let level = carom_formats::parse(bytes, format, &load_options(options)?)
            .map_err(|error| Failure::from(error).within(name))?;
        mesh.write(keep_level(level, name)?);
        Ok(())
    })
}

/// Frees a mesh; bodies that use it keep its triangles. Null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn carom_mesh_free(mesh: CaromMesh) -> CaromStatus {
    guard(|| MESHES.remove(mesh.value))
}

/// The number of vertices, welded, and the number of triangles. Either pointer may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_mesh_counts(
    mesh: CaromMesh,
    vertex_count: *mut usize,
    triangle_count: *mut usize,
) -> CaromStatus {
    guard(|| {
        let mesh = MESHES.read(mesh.value)?;
        let counts = [mesh.tree.mesh().vertices().len(), mesh.tree.mesh().triangles().len()];
        for (place, count) in [vertex_count, triangle_count].into_iter().zip(counts) {
            if !place.is_null() {
                // SAFETY: the caller keeps the rules of pointers (border.rs).
                unsafe { out(place, "a count") }?.write(count);
            }
        }
        Ok(())
    })
}

/// The triangles, for drawing: three coordinates per vertex, in meters about the mesh's origin, and three
/// indices per triangle. The capacities are numbers of floats and of indices: three times the numbers from
/// `carom_mesh_counts`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_mesh_triangles(
    mesh: CaromMesh,
    vertices: *mut f32,
    vertex_capacity: usize,
    indices: *mut u32,
    index_capacity: usize,
) -> CaromStatus {
    guard(|| {
        let mesh = MESHES.read(mesh.value)?;
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (vertices, indices) = unsafe {
            (room(vertices, vertex_capacity, "vertices")?, room(indices, index_capacity, "indices")?)
        };
        let (mut floats, mut corners) = (core::mem::MaybeUninit::uninit(), core::mem::MaybeUninit::uninit());
        let of_vertices = fill(vertices, &mut floats, mesh.tree.mesh().vertices().as_flattened());
        let of_indices = fill(indices, &mut corners, mesh.tree.mesh().triangles().as_flattened());
        of_vertices.map_err(|failure| failure.within("vertices"))?;
        of_indices.map_err(|failure| failure.within("indices"))
    })
}

/// The player starts of the file, in meters. Writes as many as fit; `count` is the full number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_mesh_spawns(
    mesh: CaromMesh,
    spawns: *mut CaromVec3,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (spawns, count) = unsafe { (room(spawns, capacity, "spawns")?, out(count, "count")?) };
        fill(spawns, count, &MESHES.read(mesh.value)?.spawns)
    })
}
