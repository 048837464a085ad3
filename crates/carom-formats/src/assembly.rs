//! The output of all readers: the one place that maps axes, scales, rounds and limits.

use std::collections::HashMap;

use carom::shape::BezierPatch;
use carom::world::{Keyframes, Pose};
use glam::{DAffine3, DQuat, DVec3};

use crate::error::{LoadError, Resource};
use crate::format::Format;
use crate::level::{Landmark, MOST_WARNINGS, Node, NodeMotion, RawLevel, Skipped};
use crate::options::{Limits, LoadOptions};
use crate::sky_shell;
use crate::up::Up;
use crate::volume::Volume;

/// A transform that keeps angles and does not mirror, in the file's own frame and unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Similarity {
    pub(crate) position: DVec3,
    pub(crate) rotation: DQuat,
    pub(crate) scale: f64,
}

/// Where a node is at rest, if that is a similarity, and which motion it makes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    pub(crate) similarity: Option<Similarity>,
    pub(crate) motion: Option<u32>,
}

/// The id that surfaces share when there are more than ids.
const LAST_SURFACE: u16 = u16::MAX;
/// Longer parts of names are cut: a name is repeated for every surface that it is part of, whatever its
/// length.
const LONGEST_NAME: usize = 128;

/// A level being read.
pub(crate) struct Assembly {
    options: LoadOptions,
    level: RawLevel,
    /// Ids by name. Only ever asked, never walked: its order is in no result.
    ids: HashMap<Look, u16>,
    surface: Surface,
    /// Its color, if that is known.
    color: Option<[f32; 3]>,
    parts: usize,
    keyframes: usize,
}

/// A surface: its name, and whether it shows the sky.
type Look = (String, bool);

/// The surface of the next triangle.
enum Surface {
    /// It has no triangle since it was named.
    Named(Look),
    /// It has triangles.
    Known(u16),
}

impl Assembly {
    pub(crate) fn new(format: Format, options: &LoadOptions) -> Self {
        let level = RawLevel {
            format,
            up: options.up.unwrap_or(format.up()),
            scale: options.scale.unwrap_or(format.scale()),
            vertices: Vec::new(),
            triangles: Vec::new(),
            surfaces: Vec::new(),
            colors: Vec::new(),
            surface_ids: Vec::new(),
            skies: Vec::new(),
            patches: Vec::new(),
            landmarks: Vec::new(),
            volumes: Vec::new(),
            nodes: Vec::new(),
            motions: Vec::new(),
            skipped: Skipped::default(),
            warnings: Vec::new(),
            own: Vec::new(),
            source: None,
        };
        Self {
            options: *options,
            level,
            ids: HashMap::new(),
            surface: Surface::Named(Look::default()),
            color: None,
            parts: 0,
            keyframes: 0,
        }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.options.limits
    }

    pub(crate) fn skipped(&mut self) -> &mut Skipped {
        &mut self.level.skipped
    }

    /// Takes the error of a part that is left out.
    pub(crate) fn warn(&mut self, fault: &LoadError) {
        let warnings = &mut self.level.warnings;
        match MOST_WARNINGS.checked_sub(warnings.len() + 1) {
            None => {}
            Some(0) => warnings.push("and more".to_owned()),
            Some(_) => warnings.push(format!("{fault}: left out")),
        }
    }

    /// The number of vertices.
    pub(crate) fn vertices(&self) -> usize {
        self.level.vertices.len()
    }

    /// The position of a vertex.
    pub(crate) fn position(&self, vertex: u32) -> Option<DVec3> {
        self.level.vertices.get(vertex as usize).map(|&[x, y, z]| DVec3::new(x.into(), y.into(), z.into()))
    }

    /// Reserves memory for the announced vertices, but for no more than one for each byte that is left;
    /// refuses too many before it allocates.
    pub(crate) fn expect_vertices(&mut self, more: u64, bytes_left: usize) -> Result<(), LoadError> {
        // An index is 32 bits wide.
        let limit = self.options.limits.vertices.min(u32::MAX as usize);
        let room = limit - self.level.vertices.len().min(limit);
        match usize::try_from(more) {
            Ok(more) if more <= room => {
                self.level.vertices.reserve(more.min(bytes_left));
                Ok(())
            }
            _ => Err(over(Resource::Vertices, limit)),
        }
    }

    /// Takes a position in the file's frame and returns its index. Mapping and scaling are in f64; the only
    /// rounding to f32 of the whole crate is here.
    pub(crate) fn vertex(&mut self, position: DVec3) -> Result<u32, LoadError> {
        let limit = self.options.limits.vertices.min(u32::MAX as usize);
        let index = self.level.vertices.len();
        if index >= limit {
            return Err(over(Resource::Vertices, limit));
        }
        // Adding zero turns −0 into +0 and changes nothing else: equal places get equal bits.
        self.level.vertices.push(self.mapped(position).to_array().map(|x| x as f32 + 0.0));
        Ok(index as u32)
    }

    /// Takes a position of a mesh in its own frame, where the node that shows it is at rest, and where it is
    /// in the motion that it takes part in.
    pub(crate) fn node_vertex(
        &mut self,
        own: DVec3,
        rest: &DAffine3,
        moving: Option<&DAffine3>,
    ) -> Result<u32, LoadError> {
        let index = self.vertex(rest.transform_point3(own))?;
        let own = match moving {
            None => self.turned(own),
            Some(inner) => self.mapped(inner.transform_point3(own)),
        };
        self.level.own.push(own.to_array().map(|x| x as f32 + 0.0));
        Ok(index)
    }

    /// Takes a motion; nodes refer to it by its number, from 0.
    pub(crate) fn motion(&mut self, name: &str, keyframes: Keyframes) {
        self.level.motions.push(NodeMotion { name: cut(name).to_owned(), keyframes });
    }

    /// The number of triangles.
    pub(crate) fn triangles(&self) -> usize {
        self.level.triangles.len()
    }

    /// Takes a node whose triangles and vertices are those from some on; nothing if it has no triangle.
    pub(crate) fn node(
        &mut self,
        name: &str,
        mesh: u32,
        Placement { similarity, motion }: Placement,
        [triangles, vertices]: [usize; 2],
    ) {
        let (triangles, vertices) = (triangles..self.triangles(), vertices..self.vertices());
        if triangles.is_empty() {
            return;
        }
        let pose = similarity.and_then(|Similarity { position, rotation, scale }| {
            let rotation = self.turned_rotation(rotation);
            let pose = Pose::at(self.mapped(position)).ok()?.with_rotation(rotation).ok()?;
            pose.with_scale(scale * self.scale()).ok()
        });
        self.level.nodes.push(Node { name: cut(name).to_owned(), mesh, pose, motion, triangles, vertices });
    }

    /// Takes three indices, which the caller has checked or will.
    pub(crate) fn triangle(&mut self, corners: [u32; 3]) -> Result<(), LoadError> {
        if self.level.triangles.len() >= self.options.limits.triangles {
            return Err(over(Resource::Triangles, self.options.limits.triangles));
        }
        let id = match &mut self.surface {
            Surface::Known(id) => *id,
            Surface::Named(look) => {
                let look = std::mem::take(look);
                let id = self.identify(look);
                self.surface = Surface::Known(id);
                id
            }
        };
        if self.level.surfaces.len() > 1 {
            self.level.surface_ids.push(id);
        }
        self.level.triangles.push(corners);
        Ok(())
    }

    /// Names the surface of the triangles that follow, from the parts that are not empty.
    pub(crate) fn surface<const N: usize>(&mut self, parts: [&str; N]) {
        let mut name = String::new();
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            if !name.is_empty() {
                name.push('/');
            }
            name.push_str(cut(part));
        }
        self.surface = Surface::Named((name, false));
        self.color = None;
    }

    /// Says that the surface that was named last shows the sky.
    pub(crate) fn sky(&mut self) {
        if let Surface::Named((_, is_sky)) = &mut self.surface {
            *is_sky = true;
        }
    }

    /// The color of the surface that was named last.
    pub(crate) fn color(&mut self, color: Option<[f32; 3]>) {
        self.color = color;
    }

    /// Takes a named point in the file's frame.
    pub(crate) fn place(&mut self, name: &str, position: DVec3) {
        let position = self.mapped(position) + DVec3::ZERO;
        self.placed(name, position);
    }

    /// Takes a named point in the level's frame.
    pub(crate) fn placed(&mut self, name: &str, position: DVec3) {
        self.level.landmarks.push(Landmark { name: cut(name).to_owned(), position });
    }

    /// Takes a volume in the level's frame.
    pub(crate) fn volume(&mut self, volume: Volume) {
        self.level.volumes.push(volume);
    }

    /// Takes a curved patch in the level's frame.
    pub(crate) fn patch(&mut self, patch: BezierPatch) {
        self.level.patches.push(patch);
    }

    /// Counts parts (nodes, objects, groups …) against the limit.
    pub(crate) fn count_parts(&mut self, more: u64) -> Result<(), LoadError> {
        count(&mut self.parts, more, Resource::Nodes, self.options.limits.nodes)
    }

    /// Counts keyframes against the limit.
    pub(crate) fn count_keyframes(&mut self, more: u64) -> Result<(), LoadError> {
        count(&mut self.keyframes, more, Resource::Keyframes, self.options.limits.keyframes)
    }

    pub(crate) fn finish(mut self) -> RawLevel {
        // Their files tell.
        if !matches!(self.level.format, Format::Bsp | Format::Map) {
            sky_shell::mark(&mut self.level);
        }
        self.level
    }

    /// A position, or a direction, of the file's frame in the level's.
    pub(crate) fn mapped(&self, p: DVec3) -> DVec3 {
        self.turned(p) * self.scale()
    }

    /// Meters per unit of the file.
    pub(crate) fn scale(&self) -> f64 {
        self.level.scale
    }

    /// A rotation of the file's frame in the level's.
    pub(crate) fn turned_rotation(&self, rotation: DQuat) -> DQuat {
        match self.level.up {
            Up::Y => rotation,
            // Turned about x by a right angle before and after.
            Up::Z => DQuat::from_xyzw(rotation.x, rotation.z, -rotation.y, rotation.w),
        }
    }

    /// A position in the level's frame, in the file's unit.
    fn turned(&self, p: DVec3) -> DVec3 {
        self.level.up.apply(p)
    }

    fn identify(&mut self, (name, is_sky): Look) -> u16 {
        let look = (if name.is_empty() { "default".to_owned() } else { name }, is_sky);
        if let Some(&id) = self.ids.get(&look) {
            return id;
        }
        let id = match self.level.surfaces.len() {
            count if count <= LAST_SURFACE as usize => count as u16,
            _ => {
                // Not remembered: the names beyond the last id could be any number.
                self.level.skipped.surfaces += 1;
                if !is_sky {
                    // Floor that shares the last surface stays floor.
                    self.level.skies.retain(|id| *id != LAST_SURFACE);
                }
                return LAST_SURFACE;
            }
        };
        if id == 1 {
            // From here on there are two: what came before was of the first.
            self.level.surface_ids = vec![0; self.level.triangles.len()];
        }
        self.level.surfaces.push(look.0.clone());
        self.level.colors.push(self.color);
        if is_sky {
            self.level.skies.push(id);
        }
        self.ids.insert(look, id);
        id
    }
}

/// Adds to a count, unless the sum is over the limit.
fn count(counted: &mut usize, more: u64, resource: Resource, limit: usize) -> Result<(), LoadError> {
    let sum = usize::try_from(more).ok().and_then(|more| counted.checked_add(more));
    *counted = sum.filter(|&sum| sum <= limit).ok_or_else(|| over(resource, limit))?;
    Ok(())
}

fn over(resource: Resource, limit: usize) -> LoadError {
    LoadError::OverLimit { resource, limit: limit as u64 }
}

fn cut(name: &str) -> &str {
    &name[..name.floor_char_boundary(LONGEST_NAME)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assembly(up: Up, scale: f64) -> Assembly {
        Assembly::new(
            Format::Obj,
            &LoadOptions { up: Some(up), scale: Some(scale), ..LoadOptions::default() },
        )
    }

    #[test]
    fn a_vertex_is_mapped_scaled_and_rounded_once() {
        let mut assembly = assembly(Up::Z, 0.1);
        assembly.vertex(DVec3::new(1.0, 0.7, 3.0)).unwrap();
        // 0.1 × 0.7 in f64 first: through f32 it would be another number.
        assert_eq!(assembly.finish().vertices, [[0.1, (0.1 * 3.0) as f32, -(0.1 * 0.7) as f32]]);
    }

    #[test]
    fn zero_has_one_sign_and_the_rest_is_kept() {
        let mut assembly = assembly(Up::Z, 1.0);
        assembly.vertex(DVec3::new(-0.0, 0.0, -1e-60)).unwrap();
        assembly.vertex(DVec3::new(1e39, f64::NAN, -1e39)).unwrap();
        let vertices = assembly.finish().vertices;
        assert_eq!(vertices[0].map(f32::to_bits), [0; 3]);
        assert_eq!(vertices[1][0], f32::INFINITY);
        assert_eq!(vertices[1][1], f32::NEG_INFINITY);
        assert!(vertices[1][2].is_nan());
    }

    #[test]
    fn one_surface_needs_no_ids() {
        let mut assembly = assembly(Up::Y, 1.0);
        assembly.surface(["unused"]);
        assembly.surface(["stone", "", "wall"]);
        assembly.triangle([0; 3]).unwrap();
        assembly.surface(["stone/wall"]);
        assembly.triangle([0; 3]).unwrap();
        let level = assembly.finish();
        assert_eq!((level.surfaces, level.surface_ids), (vec!["stone/wall".to_owned()], vec![]));
    }

    #[test]
    fn surfaces_are_in_order_of_first_use() {
        let mut assembly = assembly(Up::Y, 1.0);
        for name in ["", "", "b", "a", "b", ""] {
            assembly.surface([name]);
            assembly.triangle([0; 3]).unwrap();
        }
        let level = assembly.finish();
        assert_eq!(level.surfaces, ["default", "b", "a"]);
        assert_eq!(level.surface_ids, [0, 0, 1, 2, 1, 0]);
    }

    #[test]
    fn surfaces_beyond_the_last_id_are_one_and_counted() {
        let mut assembly = assembly(Up::Y, 1.0);
        for number in 0..65_540 {
            assembly.surface([number.to_string().as_str()]);
            assembly.triangle([0; 3]).unwrap();
        }
        let level = assembly.finish();
        assert_eq!((level.surfaces.len(), level.skipped.surfaces), (65_536, 4));
        assert_eq!(level.surface_ids[65_534..], [65_534, 65_535, 65_535, 65_535, 65_535, 65_535]);
    }

    #[test]
    fn limits_refuse_the_first_one_too_many() {
        let limits = Limits { vertices: 2, triangles: 1, nodes: 3, ..Limits::default() };
        let mut assembly = Assembly::new(Format::Obj, &LoadOptions { limits, ..LoadOptions::default() });
        assert!(assembly.expect_vertices(3, 0).is_err());
        assert!(assembly.expect_vertices(u64::MAX, 0).is_err());
        assembly.expect_vertices(2, 100).unwrap();
        assembly.vertex(DVec3::ZERO).unwrap();
        assert!(assembly.expect_vertices(2, 100).is_err());
        assembly.vertex(DVec3::ZERO).unwrap();
        assert!(assembly.vertex(DVec3::ZERO).is_err());
        assembly.triangle([0; 3]).unwrap();
        assert!(assembly.triangle([0; 3]).is_err());
        assembly.count_parts(3).unwrap();
        assert!(assembly.count_parts(1).is_err());
        assert!(assembly.count_parts(u64::MAX).is_err());
    }

    #[test]
    fn a_long_name_is_cut_between_letters() {
        let mut assembly = assembly(Up::Y, 1.0);
        assembly.place(&"ü".repeat(1000), DVec3::ZERO);
        assert_eq!(assembly.finish().landmarks[0].name, "ü".repeat(64));
        assert_eq!(cut(&format!("a{}", "ü".repeat(1000))).len(), 127);
    }
}
