//! The level that a reader returns.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use carom::mesh::{Mesh, MeshData, MeshError, Surface};
use carom::shape::BezierPatch;
use carom::world::{Body, Keyframes, MeshTree, Pose};
use glam::DVec3;

use crate::format::Format;
use crate::source::Source;
use crate::up::Up;
use crate::volume::Volume;

/// The triangles of a file as they are, in meters and with y up. Nothing is welded and nothing is refused:
/// corners may coincide, and vertices may be unused, NaN or infinite. Every triangle's corners are indices
/// within `vertices`.
#[derive(Clone, Debug, PartialEq)]
pub struct RawLevel {
    /// The format of the file.
    pub format: Format,
    /// The axis that points up in the file. An .fbx with other axes was turned to y up first.
    pub up: Up,
    /// Meters per unit of the file.
    pub scale: f64,
    /// Positions. A glTF vertex occurs once for every node that shows it; an STL vertex once for every
    /// triangle.
    pub vertices: Vec<[f32; 3]>,
    /// Corners, counterclockwise as seen from outside, in the file's order. Polygons are fanned from their
    /// first corner.
    pub triangles: Vec<[u32; 3]>,
    /// Names of the surfaces that have triangles, in order of first use: `object/group/material` (OBJ),
    /// `node/material` (glTF; the mesh's name if the node has none), the solid's name (STL); missing parts
    /// are left out. `texture` or `entity/texture` (BSP, MAP). `default` if there is no name at all.
    pub surfaces: Vec<String>,
    /// The base color of each surface, linear red, green and blue from 0 to 1, from the first glTF material
    /// of the surface. `None` in other formats, without a material, and if a texture holds the color.
    pub colors: Vec<Option<[f32; 3]>>,
    /// The surface of every triangle; empty if there is only one surface.
    pub surface_ids: Vec<u16>,
    /// Indices of the surfaces that show the sky, ascending. Sky stops movers, but no one is meant to stand
    /// on it. Quake, `GoldSrc` and .map: by the name of the texture; Quake II and III: by the flag of the
    /// surface; a name that occurs with the flag and without it is two surfaces. Other formats: spheres,
    /// domes and boxes far around everything else. If one shares a surface with something else, it becomes
    /// the last surface, `sky`.
    pub skies: Vec<u16>,
    /// Curved patches of .bsp and .map files, in meters and with y up; empty unless
    /// [`Patches::Curved`](crate::Patches) is set. They are not part of the mesh.
    pub patches: Vec<BezierPatch>,
    /// Named points: spawns, goals and so on.
    pub landmarks: Vec<Landmark>,
    /// Regions with a meaning, from glTF nodes whose names begin with `carom_`, and from entities.
    pub volumes: Vec<Volume>,
    /// The glTF nodes that show a mesh, in their order.
    pub nodes: Vec<Node>,
    /// How nodes move; empty unless [`Animations::Played`](crate::Animations) is set.
    pub motions: Vec<NodeMotion>,
    /// Contents of the file that are not in the level.
    pub skipped: Skipped,
    /// Faults of the file that were skipped, each with its place: brushes that enclose nothing, spawns
    /// without an origin. At most [`MOST_WARNINGS`]; the last one then says that there are more.
    pub warnings: Vec<String>,
    /// Of the vertices of nodes: where they are in the mesh's own frame, its y up. Of nodes that move: in the
    /// frame of the motion, in meters.
    pub(crate) own: Vec<[f32; 3]>,
    /// The file itself, of .bsp and .map: it tells what is inside.
    pub source: Option<Source>,
}

/// A mesh of a file, as a node of its scene shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The name of the node, or of the mesh if the node has none.
    pub name: String,
    /// The number of the mesh in the file: nodes with the same number are instances of it.
    pub mesh: u32,
    /// Position, rotation and scale. `None` for a node that is sheared, mirrored or scaled unevenly.
    pub pose: Option<Pose>,
    /// The motion in [`RawLevel::motions`] that moves it. Its position here is the stored one, which its
    /// motion may never pass.
    pub motion: Option<u32>,
    /// Its triangles in the level.
    pub triangles: Range<usize>,
    /// Its vertices in the level; its triangles have no others.
    pub vertices: Range<usize>,
}

/// The motion of an animated glTF node and everything inside it.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeMotion {
    /// The name of the animated node; empty if it has none.
    pub name: String,
    /// Its poses in the level, repeated.
    pub keyframes: Keyframes,
}

/// All triangles that one motion moves.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingPart {
    /// The name of the animated node, or of the first node inside it that shows triangles.
    pub name: String,
    /// Its poses in the level.
    pub keyframes: Keyframes,
    /// Positions in the frame of those poses, in meters.
    pub vertices: Vec<[f32; 3]>,
    /// Corners.
    pub triangles: Vec<[u32; 3]>,
    /// Names of its surfaces, each once.
    pub surfaces: Vec<String>,
}

/// A part of a level as a separate body.
#[derive(Clone, Debug)]
pub struct LevelBody {
    /// The name of the glTF node, or of the mesh if the node has none, or of the node that moves it. Empty
    /// for the single body of other files.
    pub name: String,
    /// The body: fixed at the pose of the node, or kinematic at time 0 if the node moves.
    pub body: Body,
    /// Its motion, if it moves.
    pub motion: Option<Keyframes>,
}

/// The most warnings of a level.
pub const MOST_WARNINGS: usize = 100;

impl RawLevel {
    /// A body for each glTF node that shows triangles, in the order of the file, with its name and pose.
    /// Nodes that show the same mesh share it: it is stored once, with its tree. A node that is sheared,
    /// mirrored or scaled unevenly has its own mesh in the level's frame. A file of another format is one
    /// body.
    ///
    /// The `tag` of a surface is its index in [`Self::surfaces`]; for a shared mesh it is that of the first
    /// node that shows it.
    ///
    /// ```no_run
    /// use carom_formats::{LoadOptions, load};
    /// let mut world = carom::World::new();
    /// for part in load("level.glb", &LoadOptions::default())?.into_bodies()? {
    ///     println!("{} is {:?}", part.name, world.add(part.body));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A vertex is not finite, used or not, or there are more triangles than a mesh can hold.
    pub fn into_bodies(self) -> Result<Vec<LevelBody>, MeshError> {
        self.into_bodies_of(Surface::default())
    }

    /// Like [`Self::into_bodies`], with one material for all, except for its `tag`.
    ///
    /// # Errors
    /// As for [`Self::into_bodies`].
    pub fn into_bodies_of(self, surface: Surface) -> Result<Vec<LevelBody>, MeshError> {
        if self.nodes.is_empty() {
            let is_empty = self.triangles.is_empty();
            let mut data = self.into_mesh_data();
            for own in &mut data.surfaces {
                *own = Surface { tag: own.tag, ..surface };
            }
            let body = Body::fixed(Mesh::new(data)?);
            let whole = LevelBody { name: String::new(), body, motion: None };
            return Ok(if is_empty { Vec::new() } else { vec![whole] });
        }
        let mut shared: BTreeMap<u32, Arc<MeshTree>> = BTreeMap::new();
        let mut bodies = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let motion = node.motion.and_then(|motion| self.motions.get(motion as usize));
            let body = match node.pose {
                _ if motion.is_some() => Body::kinematic(self.mesh_of(node, &self.own, surface)?)
                    .at(motion.map_or(Pose::IDENTITY, |motion| motion.keyframes.pose_at(0.0))),
                None => Body::fixed(self.mesh_of(node, &self.vertices, surface)?),
                Some(pose) => {
                    let mesh = match shared.get(&node.mesh) {
                        Some(mesh) => mesh.clone(),
                        None => {
                            let mesh = Arc::new(MeshTree::new(self.mesh_of(node, &self.own, surface)?));
                            shared.entry(node.mesh).or_insert(mesh).clone()
                        }
                    };
                    Body::fixed(mesh).at(pose)
                }
            };
            let name = match motion {
                Some(motion) if node.name.is_empty() => motion.name.clone(),
                _ => node.name.clone(),
            };
            bodies.push(LevelBody { name, body, motion: motion.map(|motion| motion.keyframes.clone()) });
        }
        Ok(bodies)
    }

    /// Removes everything that moves, and returns a part for each motion that moves triangles. The rest keeps
    /// its order; unused vertices stay.
    pub fn take_moving(&mut self) -> Vec<MovingPart> {
        let (moving, still): (Vec<Node>, Vec<Node>) =
            std::mem::take(&mut self.nodes).into_iter().partition(|node| node.motion.is_some());
        self.nodes = still;
        if moving.is_empty() {
            return Vec::new();
        }
        let mut parts: BTreeMap<u32, (MovingPart, BTreeSet<u16>)> = BTreeMap::new();
        let mut goes = vec![false; self.triangles.len()];
        for node in moving {
            let Some(motion) = node.motion else { continue };
            let Some(of) = self.motions.get(motion as usize) else { continue };
            let (part, surfaces) = parts.entry(motion).or_insert_with(|| {
                let part = MovingPart {
                    name: if of.name.is_empty() { node.name.clone() } else { of.name.clone() },
                    keyframes: of.keyframes.clone(),
                    vertices: Vec::new(),
                    triangles: Vec::new(),
                    surfaces: Vec::new(),
                };
                (part, BTreeSet::new())
            });
            let (first, base) = (node.vertices.start as u32, part.vertices.len() as u32);
            part.vertices.extend_from_slice(&self.own[node.vertices.clone()]);
            for triangle in node.triangles.clone() {
                goes[triangle] = true;
                part.triangles.push(self.triangles[triangle].map(|corner| corner - first + base));
                surfaces.insert(self.surface_ids.get(triangle).copied().unwrap_or(0));
            }
        }
        // The triangle at each place before has this number now.
        let mut number = Vec::with_capacity(goes.len() + 1);
        number.push(0);
        for goes in &goes {
            number.push(number.last().map_or(0, |last: &usize| last + usize::from(!goes)));
        }
        for node in &mut self.nodes {
            node.triangles = number[node.triangles.start]..number[node.triangles.end];
        }
        let mut at = goes.iter();
        self.triangles.retain(|_| at.next() == Some(&false));
        let mut at = goes.iter();
        self.surface_ids.retain(|_| at.next() == Some(&false));
        let named = |(mut part, surfaces): (MovingPart, BTreeSet<u16>)| {
            let name = |id: &u16| self.surfaces.get(usize::from(*id)).cloned();
            part.surfaces = surfaces.iter().filter_map(name).collect();
            part
        };
        parts.into_values().map(named).collect()
    }

    /// The triangles of a node, with its vertices as one of the two lists has them.
    fn mesh_of(&self, node: &Node, vertices: &[[f32; 3]], surface: Surface) -> Result<Mesh, MeshError> {
        let first = node.vertices.start as u32;
        let corners = self.triangles[node.triangles.clone()].iter();
        let ids = self.surface_ids.get(node.triangles.clone()).unwrap_or_default();
        // Only the surfaces of this node: a level may have thousands.
        let mut used: Vec<u16> = if ids.is_empty() { vec![0] } else { ids.to_vec() };
        used.sort_unstable();
        used.dedup();
        let number = |id: &u16| used.binary_search(id).unwrap_or_default() as u16;
        Mesh::new(MeshData {
            vertices: vertices[node.vertices.clone()].to_vec(),
            triangles: corners.map(|corners| corners.map(|corner| corner - first)).collect(),
            surfaces: used.iter().map(|id| Surface { tag: (*id).into(), ..surface }).collect(),
            surface_ids: if used.len() > 1 { ids.iter().map(number).collect() } else { Vec::new() },
            ..MeshData::default()
        })
    }

    /// The level as a mesh: checked, welded where positions are equal, and with neighbors. The triangles keep
    /// their numbers. The `tag` of a surface is its index in [`Self::surfaces`]; everything else is default.
    ///
    /// # Errors
    /// A vertex is not finite, used or not, or there are more triangles than a mesh can hold.
    pub fn into_mesh(self) -> Result<Mesh, MeshError> {
        Mesh::new(self.into_mesh_data())
    }

    /// The input of [`Self::into_mesh`], for code that sets surfaces or welding first.
    pub fn into_mesh_data(self) -> MeshData {
        MeshData {
            vertices: self.vertices,
            triangles: self.triangles,
            surfaces: (0..)
                .zip(&self.surfaces)
                .map(|(tag, _)| Surface { tag, ..Surface::default() })
                .collect(),
            surface_ids: self.surface_ids,
            ..MeshData::default()
        }
    }
}

/// A named point of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct Landmark {
    /// The name of the glTF node, OBJ object (group, in a file without objects) or STL solid.
    pub name: String,
    /// The node's origin, or the center of the box around the object's vertices, in meters and with y up.
    pub position: DVec3,
}

/// Beginnings of names, without case, spaces, dashes and underscores.
const SPAWNS: [&str; 5] = ["spawn", "playerstart", "playerspawn", "infoplayer", "startpoint"];

impl Landmark {
    /// Whether its name marks a spawn: `spawn`, `PlayerStart`, `info_player_start` and similar names.
    pub fn is_spawn(&self) -> bool {
        let plain = self.name.chars().filter(|c| c.is_alphanumeric());
        let name: String = plain.flat_map(char::to_lowercase).collect();
        SPAWNS.iter().any(|spawn| name.starts_with(spawn))
    }
}

/// Contents that were read and skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Points drawn as such.
    pub points: u64,
    /// Segments of lines.
    pub lines: u64,
    /// Faces with fewer than three corners, and corners at the end of a glTF primitive that do not fill a
    /// triangle.
    pub incomplete_faces: u64,
    /// Free-form curves and surfaces of an OBJ.
    pub free_form: u64,
    /// Unknown OBJ statements.
    pub statements: u64,
    /// glTF primitives without positions.
    pub primitives: u64,
    /// Surfaces beyond the 65,536th, merged into it.
    pub surfaces: u64,
    /// Bytes after the end of a binary file.
    pub bytes: u64,
}

impl Skipped {
    /// Whether the level has everything in the file.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, parse};

    fn read(text: &str) -> RawLevel {
        parse(text.as_bytes(), Format::Obj, &LoadOptions::default()).unwrap()
    }

    #[test]
    fn a_mesh_keeps_triangles_and_surfaces_in_their_order() {
        let level = read(
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv -0 1 0\nusemtl ice\nf 1 2 3\nusemtl tar\nf 2 1 4\nusemtl ice\nf 3 2 1",
        );
        let mesh = level.into_mesh().unwrap();
        // The fourth vertex is the third.
        assert_eq!(mesh.triangles(), [[0, 1, 2], [1, 0, 2], [2, 1, 0]]);
        let tags: Vec<u32> = (0..3).map(|triangle| mesh.surface(triangle).tag).collect();
        assert_eq!(tags, [0, 1, 0]);
    }

    #[test]
    fn an_empty_level_is_an_empty_mesh_and_no_body() {
        assert!(read("# nothing").into_bodies().unwrap().is_empty());
        assert!(read("# nothing").into_mesh().unwrap().triangles().is_empty());
    }

    #[test]
    fn a_mesh_refuses_what_is_not_finite() {
        let refused = read("v 0 0 0\nv 1 nan 0\nf 1 1 2").into_mesh().unwrap_err();
        assert_eq!(refused, MeshError::VertexNotFinite { vertex: 1 });
    }

    #[test]
    fn every_number_of_surfaces_is_a_mesh() {
        let mut text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_owned();
        for number in 0..65_540 {
            text += &format!("usemtl {number}\nf 1 2 3\n");
        }
        let mesh = read(&text).into_mesh().unwrap();
        assert_eq!(mesh.surface(65_539).tag, 65_535);
    }
}
