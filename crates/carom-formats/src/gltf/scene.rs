//! The nodes of a scene, depth first, and the triangles of their meshes.

use std::collections::{BTreeMap, HashMap};

use glam::{DAffine3, DVec3};
use serde_json::Value;

use super::accessor::Accessors;
use super::animation::{self, Tracks};
use super::buffer::{Buffers, out_of_range};
use super::corners::{Corners, Topology};
use super::moving::{self, Joint, ParentFrame};
use super::placement::{self, Parts};
use super::schema::{Animated, Document, Draco, Material, Mesh, Node, Primitive};
use crate::assembly::{Assembly, Placement};
use crate::error::{LoadError, Location, Resource};
use crate::extents::Extents;
use crate::level::RawLevel;
use crate::transform::Transform;
use crate::volume::Volume;
use crate::volume_node;

#[cfg(not(feature = "draco"))]
pub(super) const NO_DRACO: &str =
    "export it without compression, or build carom-formats with its feature `draco`";

/// Reads the default scene; the first, if none is the default; all nodes, if there is no scene.
pub(crate) fn read(
    document: &Document,
    animated: &Animated,
    buffers: &Buffers<'_>,
    mut level: Assembly,
) -> Result<RawLevel, LoadError> {
    let accessors = Accessors { document, buffers };
    let tracks = animation::read(document, animated, &accessors, &mut level)?;
    let mut reader = Reader {
        document,
        accessors,
        level,
        tracks,
        joints: Vec::new(),
        reached: vec![false; document.nodes.len()],
        waiting: Vec::new(),
        bases: HashMap::new(),
        #[cfg(feature = "draco")]
        draco: super::draco::Decoded::default(),
    };
    match (document.scene, document.scenes.first()) {
        (Some(index), _) => {
            let scenes = &document.scenes;
            let scene = scenes.get(index as usize).ok_or_else(|| {
                out_of_range(Location::Part("scene".to_owned()), index, scenes.len(), "scenes")
            })?;
            reader.walk(&scene.nodes, || Location::part("scenes", index))?;
        }
        (None, Some(scene)) => reader.walk(&scene.nodes, || Location::part("scenes", 0))?,
        (None, None) => {
            reader.walk(&roots(document), || Location::Part("nodes".to_owned()))?;
            // Nodes that no root leads to form a cycle.
            if let Some(node) = reader.reached.iter().position(|&reached| !reached) {
                return Err(LoadError::NotATree { node });
            }
        }
    }
    Ok(reader.level.finish())
}

/// The nodes that are no node's child.
fn roots(document: &Document) -> Vec<u32> {
    let mut is_root = vec![true; document.nodes.len()];
    for &child in document.nodes.iter().flat_map(|node| &node.children) {
        if let Some(is_root) = is_root.get_mut(child as usize) {
            *is_root = false;
        }
    }
    (0..).zip(is_root).filter_map(|(index, is_root)| is_root.then_some(index)).collect()
}

/// Where something is when nothing has moved, and in what motion.
#[derive(Clone, Copy)]
struct Posed {
    rest: Transform,
    frame: ParentFrame,
}

impl Posed {
    /// Where a mesh is in its motion, if it is in one.
    fn moving(&self) -> Option<&DAffine3> {
        self.frame.joint.map(|_| &self.frame.inner.affine)
    }
}

struct Reader<'a, 'b> {
    document: &'a Document,
    accessors: Accessors<'a, 'b>,
    level: Assembly,
    /// The effect of animations on nodes.
    tracks: BTreeMap<u32, Tracks>,
    /// Of each motion of the level: itself.
    joints: Vec<Joint>,
    reached: Vec<bool>,
    /// Nodes to be read, the next one last; with what they are in and how deep.
    waiting: Vec<(u32, Posed, usize)>,
    /// The first vertex of every position accessor of the node at hand: its primitives may share them.
    bases: HashMap<u32, u32>,
    /// Meshes that are decoded already: many nodes may show them.
    #[cfg(feature = "draco")]
    draco: super::draco::Decoded,
}

impl Reader<'_, '_> {
    fn walk(&mut self, roots: &[u32], at: impl Fn() -> Location) -> Result<(), LoadError> {
        self.put(roots, &Posed { rest: Transform::IDENTITY, frame: ParentFrame::FILE }, 0, at)?;
        while let Some((index, parent, depth)) = self.waiting.pop() {
            let node = &self.document.nodes[index as usize];
            let place = self.place(node, index, &parent)?;
            let transform = place.rest;
            if node.extensions.instancing.is_some() {
                return Err(LoadError::Unsupported {
                    at: Location::part("nodes", index),
                    feature: "EXT_mesh_gpu_instancing".to_owned(),
                    remedy: "export it with a node for every instance",
                });
            }
            let name = node.name.as_deref().unwrap_or_default();
            if let Some(word) = volume_node::word(name) {
                if place.frame.joint.is_some() {
                    self.level
                        .warn(&animation::unsupported(format!("nodes[{index}]"), "a volume that moves"));
                }
                self.volume(word, index, &transform)?;
            } else {
                if !name.is_empty() {
                    self.level.place(name, transform.affine.translation);
                }
                if let Some(mesh) = node.mesh {
                    // A skinned mesh is where its bones are.
                    let frame = if node.skin.is_some() { ParentFrame::FILE } else { place.frame };
                    self.mesh(mesh, index, name, &Posed { frame, ..place })?;
                }
            }
            self.put(&node.children, &place, depth + 1, || Location::part("nodes", index))?;
        }
        Ok(())
    }

    /// Where a node is, and in what motion: its own, or that of what it is in.
    fn place(&mut self, node: &Node, index: u32, parent: &Posed) -> Result<Posed, LoadError> {
        let Some(tracks) = self.tracks.get(&index) else {
            let own = placement::of(node, index as usize)?;
            return Ok(Posed { rest: parent.rest.then(&own), frame: parent.frame.then(&own) });
        };
        // A rotation of zero length is refused with the node's number.
        placement::of(node, index as usize)?;
        let parts = moving::kept(tracks, Parts::of(node));
        let own = placement::from_parts(&parts).unwrap_or(Transform::IDENTITY);
        let still = Posed { rest: parent.rest.then(&own), frame: parent.frame.then(&own) };
        if !moving::moves(tracks) {
            return Ok(still);
        }
        let above = parent.frame.joint.map(|joint| &self.joints[joint as usize]);
        let Some((joint, inner)) = moving::joint(&parent.frame, above, tracks, &parts, &mut self.level)?
        else {
            let feature = "a motion within nodes that are sheared or scaled differently along their axes";
            self.level.warn(&animation::unsupported(format!("nodes[{index}]"), feature));
            return Ok(still);
        };
        let Some(keyframes) = joint.keyframes(&self.level) else {
            let at = Location::part("nodes", index);
            return Err(LoadError::malformed(at, "a motion within the range of numbers", b"infinity"));
        };
        self.level.motion(node.name.as_deref().unwrap_or_default(), keyframes);
        self.joints.push(joint);
        let frame = ParentFrame { joint: Some(self.joints.len() as u32 - 1), inner };
        Ok(Posed { frame, ..still })
    }

    /// Has nodes wait, so that the first is the next.
    fn put(
        &mut self,
        nodes: &[u32],
        parent: &Posed,
        depth: usize,
        at: impl Fn() -> Location,
    ) -> Result<(), LoadError> {
        let limit = self.level.limits().depth;
        if depth > limit && !nodes.is_empty() {
            return Err(LoadError::OverLimit { resource: Resource::Depth, limit: limit as u64 });
        }
        for &node in nodes.iter().rev() {
            let count = self.reached.len();
            let reached = self
                .reached
                .get_mut(node as usize)
                .ok_or_else(|| out_of_range(at(), node, count, "nodes"))?;
            if std::mem::replace(reached, true) {
                return Err(LoadError::NotATree { node: node as usize });
            }
            self.waiting.push((node, *parent, depth));
        }
        Ok(())
    }

    /// Takes a node as a volume instead of as something solid.
    fn volume(&mut self, word: &'static str, index: u32, transform: &Transform) -> Result<(), LoadError> {
        let nodes = &self.document.nodes;
        let node = &nodes[index as usize];
        let mut target = None;
        for &child in &node.children {
            let Some(child_node) = nodes.get(child as usize) else { continue };
            if target.is_none() && child_node.name.as_deref().is_some_and(volume_node::is_target) {
                let place = transform.then(&placement::of(child_node, child as usize)?);
                target = Some(self.level.mapped(place.affine.translation));
            }
        }
        let extra = |key: &str| vector(node.extras.as_ref()?.get(key)?).map(|p| self.level.mapped(p));
        let kind = volume_node::kind(word, Location::part("nodes", index), target, extra)?;
        let mut extents = Extents::NONE;
        let primitives =
            node.mesh.and_then(|mesh| self.document.meshes.get(mesh as usize)).map(|mesh| &mesh.primitives);
        for (number, primitive) in primitives.into_iter().flatten().enumerate() {
            let Some(position) = primitive.attributes.position else { continue };
            let at = format!("nodes[{index}]: primitives[{number}]");
            self.accessors.positions(position, &at)?.each_position(|p| {
                extents = extents.around(Extents::of([DVec3::from_array(p)]));
                Ok(())
            })?;
        }
        if node.mesh.is_none() {
            extents = Extents { low: DVec3::NEG_ONE, high: DVec3::ONE };
        }
        let piece = volume_node::piece(extents, transform, |p| self.level.mapped(p)).ok_or_else(|| {
            LoadError::malformed(Location::part("nodes", index), "a volume with at least two sides", b"")
        })?;
        let name = node.name.clone().unwrap_or_default();
        self.level.volume(Volume { name, kind, pieces: vec![piece] });
        Ok(())
    }

    fn mesh(&mut self, index: u32, node: u32, name: &str, place: &Posed) -> Result<(), LoadError> {
        let meshes = &self.document.meshes;
        let mesh: &Mesh = meshes
            .get(index as usize)
            .ok_or_else(|| out_of_range(Location::part("nodes", node), index, meshes.len(), "meshes"))?;
        let name = if name.is_empty() { mesh.name.as_deref().unwrap_or_default() } else { name };
        self.bases.clear();
        let before = [self.level.triangles(), self.level.vertices()];
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            self.level.count_parts(1)?;
            self.primitive(primitive, &format!("meshes[{index}].primitives[{number}]"), name, place)?;
        }
        let placement = Placement { similarity: place.rest.similarity(), motion: place.frame.joint };
        self.level.node(name, index, placement, before);
        Ok(())
    }

    fn primitive(
        &mut self,
        primitive: &Primitive,
        at: &str,
        name: &str,
        place: &Posed,
    ) -> Result<(), LoadError> {
        let topology = match primitive.mode.unwrap_or(4) {
            mode @ 0..=3 => return self.count_skipped(primitive, mode, at),
            4 => Topology::List,
            5 => Topology::Strip,
            6 => Topology::Fan,
            mode => {
                let at = Location::Part(format!("{at}.mode"));
                return Err(LoadError::malformed(at, "a mode from 0 to 6", mode.to_string().as_bytes()));
            }
        };
        let Some(position) = primitive.attributes.position else {
            self.level.skipped().primitives += 1;
            return Ok(());
        };
        let materials = &self.document.materials;
        let material = match primitive.material {
            None => None,
            Some(index) => Some(materials.get(index as usize).ok_or_else(|| {
                out_of_range(Location::Part(at.to_owned()), index, materials.len(), "materials")
            })?),
        };
        let material_name = material.and_then(|material| material.name.as_deref());
        self.level.surface([name, material_name.unwrap_or_default()]);
        self.level.color(material.and_then(color));
        if let Some(draco) = &primitive.extensions.draco
            && !self.is_stored(position, at)?
        {
            return self.compressed(draco, position, at, place);
        }
        let base = match self.bases.get(&position) {
            Some(&base) => base,
            None => self.vertices(position, at, place)?,
        };
        self.triangles(primitive, position, base, topology, at, place.rest.mirrored)
    }

    /// Whether an accessor has data of its own: a Draco mesh may come with a copy for those who cannot decode
    /// it.
    fn is_stored(&self, accessor: u32, at: &str) -> Result<bool, LoadError> {
        let entry = self.accessors.entry(accessor, at)?;
        Ok(entry.buffer_view.is_some() || entry.sparse.is_some())
    }

    #[cfg(feature = "draco")]
    fn compressed(&mut self, draco: &Draco, position: u32, at: &str, place: &Posed) -> Result<(), LoadError> {
        let mesh = self.draco.mesh(draco, position, &self.accessors, self.level.limits(), at)?;
        self.level.expect_vertices(mesh.positions.len() as u64, mesh.positions.len())?;
        let base = self.level.vertices() as u32;
        for &position in &mesh.positions {
            self.level.node_vertex(DVec3::from_array(position), &place.rest.affine, place.moving())?;
        }
        for &[a, b, c] in &mesh.triangles {
            let [b, c] = if place.rest.mirrored { [c, b] } else { [b, c] };
            self.level.triangle([base + a, base + b, base + c])?;
        }
        Ok(())
    }

    #[cfg(not(feature = "draco"))]
    fn compressed(&mut self, _: &Draco, _: u32, at: &str, _: &Posed) -> Result<(), LoadError> {
        Err(LoadError::Unsupported {
            at: Location::Part(at.to_owned()),
            feature: "Draco compression".to_owned(),
            remedy: NO_DRACO,
        })
    }

    fn vertices(&mut self, position: u32, at: &str, place: &Posed) -> Result<u32, LoadError> {
        let positions = self.accessors.positions(position, at)?;
        self.level.expect_vertices(self.accessors.entry(position, at)?.count, positions.bytes())?;
        let base = self.level.vertices() as u32;
        positions.each_position(|p| {
            self.level.node_vertex(DVec3::from_array(p), &place.rest.affine, place.moving()).map(|_| ())
        })?;
        self.bases.insert(position, base);
        Ok(base)
    }

    fn triangles(
        &mut self,
        primitive: &Primitive,
        position: u32,
        base: u32,
        topology: Topology,
        at: &str,
        mirrored: bool,
    ) -> Result<(), LoadError> {
        let count = self.accessors.entry(position, at)?.count;
        let mut corners = Corners::new(topology);
        let level = &mut self.level;
        let mut take = |index: u32| match corners.next(index) {
            // The vertices of the accessor are all in the level, so that their indices fit.
            Some([a, b, c]) if mirrored => level.triangle([base + a, base + c, base + b]),
            Some([a, b, c]) => level.triangle([base + a, base + b, base + c]),
            None => Ok(()),
        };
        match primitive.indices {
            Some(indices) => {
                let mut number = 0_u64;
                self.accessors.indices(indices, at)?.each_index(|index| {
                    if u64::from(index) >= count {
                        let at = Location::Part(format!("accessors[{indices}][{number}]"));
                        return Err(LoadError::IndexOutOfRange {
                            at,
                            index: index.into(),
                            count,
                            kind: "vertices",
                        });
                    }
                    number += 1;
                    take(index)
                })?;
            }
            // As many as there are vertices, and those fit into u32.
            None => (0..count as u32).try_for_each(take)?,
        }
        if corners.is_incomplete() {
            self.level.skipped().incomplete_faces += 1;
        }
        Ok(())
    }

    fn count_skipped(&mut self, primitive: &Primitive, mode: u32, at: &str) -> Result<(), LoadError> {
        let corners = match primitive.indices.or(primitive.attributes.position) {
            Some(accessor) => self.accessors.entry(accessor, at)?.count,
            None => 0,
        };
        let skipped = self.level.skipped();
        match mode {
            0 => skipped.points = skipped.points.saturating_add(corners),
            1 => skipped.lines = skipped.lines.saturating_add(corners / 2),
            2 => skipped.lines = skipped.lines.saturating_add(corners),
            _ => skipped.lines = skipped.lines.saturating_add(corners.saturating_sub(1)),
        }
        Ok(())
    }
}

/// The base color of a material, linear. `None` if a texture has it, or if it is no color.
fn color(material: &Material) -> Option<[f32; 3]> {
    let pbr = material.pbr.as_ref()?.as_object()?;
    if pbr.contains_key("baseColorTexture") {
        return None;
    }
    // Default: white.
    let Some(factor) = pbr.get("baseColorFactor") else { return Some([1.0; 3]) };
    let mut color = [0.0; 3];
    for (axis, value) in color.iter_mut().enumerate() {
        let part = factor.get(axis)?.as_f64()?;
        *value = part.clamp(0.0, 1.0) as f32;
    }
    Some(color)
}

fn vector(value: &Value) -> Option<DVec3> {
    let numbers = value.as_array().filter(|list| list.len() == 3)?;
    Some(DVec3::new(numbers[0].as_f64()?, numbers[1].as_f64()?, numbers[2].as_f64()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_color_is_that_of_the_material_unless_a_texture_has_it() {
        let of = |json: &str| color(&serde_json::from_str(json).unwrap());
        assert_eq!(of("{}"), None);
        assert_eq!(of(r#"{"pbrMetallicRoughness":{}}"#), Some([1.0; 3]));
        let red = r#"{"pbrMetallicRoughness":{"baseColorFactor":[0.5,0,-1,1]}}"#;
        assert_eq!(of(red), Some([0.5, 0.0, 0.0]));
        let textured =
            r#"{"pbrMetallicRoughness":{"baseColorFactor":[1,1,1,1],"baseColorTexture":{"index":0}}}"#;
        assert_eq!(of(textured), None);
        for odd in ["7", "[1]", "[\"a\",0,0,1]", "null"] {
            assert_eq!(
                of(&format!("{{\"pbrMetallicRoughness\":{{\"baseColorFactor\":{odd}}}}}")),
                None,
                "{odd}"
            );
        }
    }
}
