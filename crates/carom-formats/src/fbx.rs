//! FBX, binary and text, of every version that `ufbx` reads (3000 to 7700).
//!
//! The axes and the unit that the file states are used, unless the options say otherwise. Polygons with holes
//! in their outline or bends are cut into triangles by `ufbx`. Skins, blend shapes and subdivision are not
//! applied: a mesh is as it is stored.

use glam::{DAffine3, DMat3, DVec3};
use ufbx::{CoordinateAxes, CoordinateAxis, ErrorType, FileFormat, LoadOpts, Mesh, Node};

use crate::assembly::{Assembly, Placement};
use crate::error::{LoadError, Location, Resource};
use crate::extents::Extents;
use crate::format::Format;
use crate::level::RawLevel;
use crate::options::LoadOptions;
use crate::transform::Transform;
use crate::up::Up;
use crate::volume::Volume;
use crate::volume_node;

/// Memory of a scene: this, or this many times the file where that is more. Arrays in a file may be
/// compressed.
const LEAST_MEMORY: usize = 256 << 20;
const MEMORY_PER_BYTE: usize = 16;

pub(crate) fn parse(bytes: &[u8], options: &LoadOptions) -> Result<RawLevel, LoadError> {
    let scene = scene(bytes, options)?;
    let settings = &scene.settings;
    let (axes, up) = match options.up {
        None => axes(&settings.axes)?,
        Some(up) => (DMat3::IDENTITY, up),
    };
    let unit = settings.unit_meters;
    if options.scale.is_none() && !(unit > 0.0 && unit.is_finite()) {
        let at = Location::Part("GlobalSettings".to_owned());
        return Err(LoadError::malformed(at, "a unit greater than 0", unit.to_string().as_bytes()));
    }
    let own = LoadOptions { up: Some(up), scale: Some(options.scale.unwrap_or(unit)), ..*options };
    let mut reader = Reader { level: Assembly::new(Format::Fbx, &own), axes, corners: Vec::new() };
    reader.level.count_parts(scene.nodes.len() as u64)?;
    for node in scene.nodes.iter() {
        if !node.is_root {
            reader.node(node)?;
        }
    }
    // Control points of curves and surfaces without triangles.
    reader.level.skipped().free_form = (scene.nurbs_curves.len() + scene.nurbs_surfaces.len()) as u64;
    Ok(reader.level.finish())
}

fn scene(bytes: &[u8], options: &LoadOptions) -> Result<ufbx::SceneRoot, LoadError> {
    let memory = bytes.len().saturating_mul(MEMORY_PER_BYTE).max(LEAST_MEMORY);
    let mut settings = LoadOpts {
        ignore_animation: true,
        ignore_embedded: true,
        skip_skin_vertices: true,
        skip_mesh_parts: true,
        file_format: FileFormat::Fbx,
        no_format_from_content: true,
        node_depth_limit: u32::try_from(options.limits.depth).unwrap_or(u32::MAX),
        ..LoadOpts::default()
    };
    settings.temp_allocator.memory_limit = memory;
    settings.result_allocator.memory_limit = memory;
    ufbx::load_memory(bytes, settings).map_err(|error| match error.type_ {
        ErrorType::UnrecognizedFileFormat => not_fbx(),
        ErrorType::EmptyFile => LoadError::Empty,
        ErrorType::TruncatedFile => {
            LoadError::EndsEarly { at: Location::File, missing: "the end of its last node" }
        }
        ErrorType::MemoryLimit | ErrorType::AllocationLimit | ErrorType::OutOfMemory => {
            LoadError::OverLimit { resource: Resource::Memory, limit: memory as u64 }
        }
        ErrorType::NodeDepthLimit => {
            LoadError::OverLimit { resource: Resource::Depth, limit: options.limits.depth as u64 }
        }
        _ if &*error.description == "Not an FBX file" => not_fbx(),
        _ => LoadError::Malformed {
            at: Location::File,
            expected: "an FBX scene",
            found: format!("{}: export it again", &*error.description),
        },
    })
}

fn not_fbx() -> LoadError {
    LoadError::NotThisFormat { format: Format::Fbx, expected: "`Kaydara FBX Binary`, or text of FBX" }
}

/// The axis that points up, and what comes before it if the file's axes are of neither kind: they are turned
/// to x right, y up, z to the front.
fn axes(axes: &CoordinateAxes) -> Result<(DMat3, Up), LoadError> {
    let row = |axis| match axis {
        CoordinateAxis::PositiveX => Some(DVec3::X),
        CoordinateAxis::NegativeX => Some(DVec3::NEG_X),
        CoordinateAxis::PositiveY => Some(DVec3::Y),
        CoordinateAxis::NegativeY => Some(DVec3::NEG_Y),
        CoordinateAxis::PositiveZ => Some(DVec3::Z),
        CoordinateAxis::NegativeZ => Some(DVec3::NEG_Z),
        CoordinateAxis::Unknown => None,
    };
    let (Some(right), Some(up), Some(front)) = (row(axes.right), row(axes.up), row(axes.front)) else {
        // None are stated: as FBX has them by default.
        return Ok((DMat3::IDENTITY, Up::Y));
    };
    if right.cross(up).dot(front) == 0.0 {
        return Err(LoadError::Malformed {
            at: Location::Part("GlobalSettings".to_owned()),
            expected: "three different axes",
            found: format!("right {right}, up {up}, front {front}"),
        });
    }
    Ok(match (right, up, front) {
        (DVec3::X, DVec3::Z, DVec3::NEG_Y) => (DMat3::IDENTITY, Up::Z),
        _ => (DMat3::from_cols(right, up, front).transpose(), Up::Y),
    })
}

struct Reader {
    level: Assembly,
    axes: DMat3,
    /// The triangles of the polygon at hand.
    corners: Vec<u32>,
}

impl Reader {
    fn node(&mut self, node: &Node) -> Result<(), LoadError> {
        let name: &str = &node.element.name;
        let frame = self.placed(&node.node_to_world);
        if let Some(word) = volume_node::word(name) {
            return self.volume(word, node, name);
        }
        if !name.is_empty() && !node.is_geometry_transform_helper && !node.is_scale_helper {
            self.level.place(name, frame.affine.translation);
        }
        match &node.mesh {
            Some(mesh) => self.mesh(mesh, node, name),
            None => Ok(()),
        }
    }

    fn mesh(&mut self, mesh: &Mesh, node: &Node, name: &str) -> Result<(), LoadError> {
        let transform = self.placed(&node.geometry_to_world);
        let name = if name.is_empty() { &*mesh.element.name } else { name };
        let before = [self.level.triangles(), self.level.vertices()];
        self.level.expect_vertices(mesh.vertices.len() as u64, mesh.vertices.len())?;
        let base = self.level.vertices() as u32;
        for vertex in &mesh.vertices {
            self.level.node_vertex(DVec3::new(vertex.x, vertex.y, vertex.z), &transform.affine, None)?;
        }
        self.corners.resize(3 * mesh.max_face_triangles, 0);
        let mut last = None;
        for (number, &face) in mesh.faces.iter().enumerate() {
            match face.num_indices {
                0 => {}
                1 => self.level.skipped().points += 1,
                2 => self.level.skipped().lines += 1,
                _ if mesh.face_hole.get(number) == Some(&true) => self.level.skipped().incomplete_faces += 1,
                _ => {
                    let material = mesh.face_material.get(number).copied().unwrap_or(0);
                    if last.replace(material) != Some(material) {
                        self.level.surface([name, material_name(mesh, node, material)]);
                    }
                    self.face(mesh, face, base, transform.mirrored)?;
                }
            }
        }
        let placement = Placement { similarity: transform.similarity(), motion: None };
        self.level.node(name, mesh.element.typed_id, placement, before);
        Ok(())
    }

    fn face(&mut self, mesh: &Mesh, face: ufbx::Face, base: u32, mirrored: bool) -> Result<(), LoadError> {
        let count = mesh.triangulate_face(&mut self.corners, face) as usize;
        for corners in self.corners.as_chunks::<3>().0.iter().take(count) {
            let vertex = |corner: u32| mesh.vertex_indices.get(corner as usize).copied().unwrap_or(u32::MAX);
            let [a, b, c] = corners.map(vertex);
            if let Some(wrong) = [a, b, c].into_iter().find(|&index| index as usize >= mesh.vertices.len()) {
                return Err(LoadError::IndexOutOfRange {
                    at: Location::Part(format!("mesh {}", &*mesh.element.name)),
                    index: wrong.into(),
                    count: mesh.vertices.len() as u64,
                    kind: "vertices",
                });
            }
            let [b, c] = if mirrored { [c, b] } else { [b, c] };
            self.level.triangle([base + a, base + b, base + c])?;
        }
        Ok(())
    }

    /// Takes a node as a volume instead of a solid part.
    fn volume(&mut self, word: &'static str, node: &Node, name: &str) -> Result<(), LoadError> {
        let at = || Location::Part(format!("node {name}"));
        let children = node.children.iter();
        let mut targets = children.filter(|child| volume_node::is_target(&child.element.name));
        let target = targets.next().map(|child| {
            let place = self.placed(&child.node_to_world);
            self.level.mapped(place.affine.translation)
        });
        let extra = |key: &str| {
            let value = node.element.props.find_prop(key)?.value_vec4;
            Some(self.level.mapped(self.axes * DVec3::new(value.x, value.y, value.z)))
        };
        let kind = volume_node::kind(word, at(), target, extra)?;
        let extents = match &node.mesh {
            Some(mesh) => Extents::of(mesh.vertices.iter().map(|v| DVec3::new(v.x, v.y, v.z))),
            None => Extents { low: DVec3::NEG_ONE, high: DVec3::ONE },
        };
        let transform = self.placed(&node.geometry_to_world);
        let piece = volume_node::piece(extents, &transform, |p| self.level.mapped(p))
            .ok_or_else(|| LoadError::malformed(at(), "a volume with at least two sides", b""))?;
        self.level.volume(Volume { name: name.to_owned(), kind, pieces: vec![piece] });
        Ok(())
    }

    /// A frame of the file, with axes of a kind that the level knows.
    fn placed(&self, m: &ufbx::Matrix) -> Transform {
        let frame = DAffine3 {
            matrix3: DMat3::from_cols(
                DVec3::new(m.m00, m.m10, m.m20),
                DVec3::new(m.m01, m.m11, m.m21),
                DVec3::new(m.m02, m.m12, m.m22),
            ),
            translation: DVec3::new(m.m03, m.m13, m.m23),
        };
        Transform::of(DAffine3::from_mat3(self.axes) * frame)
    }
}

/// Of the node's materials; of the mesh's where the node has none.
fn material_name<'a>(mesh: &'a Mesh, node: &'a Node, index: u32) -> &'a str {
    let of_node = node.materials.get(index as usize);
    of_node.or_else(|| mesh.materials.get(index as usize)).map_or("", |material| &material.element.name)
}
