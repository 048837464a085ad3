//! Quake (29), its BSP2, and `GoldSrc` (30): faces, and the liquids of leaves.
//!
//! Source: the layout of `bspfile.h` in the releases of these games' tools.

use std::ops::Range;

use glam::DVec3;

use super::contents::Contents;
use super::entity::{Entity, entities};
use super::game::Game;
use super::lumps::{Directory, Lump, Record};
use super::scene::{Model, Outline, Scene, Texture, box_planes};
use crate::error::{LoadError, Location};
use crate::extents::Extents;
use crate::volume::HalfSpace;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bsp29,
    Bsp30,
    Bsp2,
}

/// Contents of leaves.
const SOLID: i32 = -2;
const SKY: i32 = -6;
/// Water, slime and lava.
const LIQUIDS: [i32; 3] = [-3, -4, -5];
/// How far from a face its sides are tested, in units: farther than f32 rounds, nearer than anything is thin.
const BESIDE: f64 = 0.125;

/// Faces may share edges in the file, but no compiler lets a list of edges serve more often than this.
const MOST_USES: usize = 16;

struct Tables<'a> {
    is_wide: bool,
    game: Game,
    planes: Lump<'a>,
    vertices: Lump<'a>,
    edges: Lump<'a>,
    surface_edges: Lump<'a>,
    texture_infos: Lump<'a>,
    faces: Lump<'a>,
    nodes: Lump<'a>,
    leaves: Lump<'a>,
    textures: Vec<String>,
    /// Corners that may still be asked for.
    corners_left: usize,
}

pub(super) fn read(bytes: &[u8], kind: Kind) -> Result<Scene, LoadError> {
    let is_wide = kind == Kind::Bsp2;
    let (directory, plane_lump) = directory(bytes, kind)?;
    let lump = |index, name, narrow: usize, wide: usize| {
        directory.lump(index, name, if is_wide { wide } else { narrow })
    };
    let entity_lump = 1 - plane_lump;
    let textures = texture_names(&lump(2, "textures", 1, 1)?)?;
    let surface_edges = lump(13, "surface edges", 4, 4)?;
    let mut tables = Tables {
        is_wide,
        game: if kind == Kind::Bsp30 { Game::GoldSrc } else { Game::Quake },
        planes: lump(plane_lump, "planes", 20, 20)?,
        vertices: lump(3, "vertices", 12, 12)?,
        edges: lump(12, "edges", 4, 8)?,
        texture_infos: lump(6, "texture infos", 40, 40)?,
        faces: lump(7, "faces", 20, 28)?,
        nodes: lump(5, "nodes", 24, 44)?,
        leaves: lump(10, "leaves", 28, 44)?,
        corners_left: surface_edges.len().saturating_mul(MOST_USES),
        surface_edges,
        textures,
    };
    let models = lump(14, "models", 64, 64)?;
    let entities = entities(lump(entity_lump, "entities", 1, 1)?.bytes())?;
    let mut scene = Scene { game: tables.game, ..Scene::default() };
    for entity in &entities {
        scene.models.push(match model_number(entity)? {
            Some(number) => {
                let mut model = tables.model(&models, number, entity)?;
                model.offset = if number == 0 { DVec3::ZERO } else { entity.origin()? };
                Some(model)
            }
            None => None,
        });
    }
    scene.textures = tables.textures.into_iter().map(Texture::named).collect();
    scene.entities = entities;
    Ok(scene)
}

/// Where lumps are, and which of them has the planes; the other of the first two has the entities.
pub(super) fn directory(bytes: &[u8], kind: Kind) -> Result<(Directory<'_>, usize), LoadError> {
    let directory = Directory::new(bytes, 4, 15)?;
    // Some GoldSrc files have the first two the other way round.
    let is_swapped = kind == Kind::Bsp30 && {
        let starts =
            |index| directory.lump(index, "entities", 1).is_ok_and(|lump| lump.bytes().starts_with(b"{"));
        starts(1) && !starts(0)
    };
    Ok((directory, usize::from(!is_swapped)))
}

/// The error for nodes that make no tree: one has two parents, or is its own ancestor.
pub(super) fn reached_twice(node: Location) -> LoadError {
    LoadError::malformed(node, "a tree of nodes", b"a node that is reached twice")
}

/// A child of a node. Levels with more nodes than 32,767 use the sign for them: what is no node is a leaf.
pub(super) fn narrow_child(node: Record<'_>, side: usize, nodes: &Lump<'_>) -> i64 {
    let child = node.u16(4 + 2 * side);
    if usize::from(child) < nodes.len() { child.into() } else { i64::from(child as i16) }
}

/// The model of an entity: `"model" "*3"`; the world has the first.
pub(super) fn model_number(entity: &Entity) -> Result<Option<i64>, LoadError> {
    if entity.number == 0 {
        return Ok(Some(0));
    }
    let Some(number) = entity.get("model").and_then(|model| model.strip_prefix('*')) else { return Ok(None) };
    match number.trim().parse::<i64>() {
        Ok(number) if number > 0 => Ok(Some(number)),
        _ => {
            let at = Location::Part(format!("{}, entity {} ({})", entity.at, entity.number, entity.class()));
            Err(LoadError::malformed(at, "a model from *1 on", number.as_bytes()))
        }
    }
}

/// Names of the textures; empty where one is not in the file.
fn texture_names(lump: &Lump<'_>) -> Result<Vec<String>, LoadError> {
    let bytes = lump.bytes();
    let number = |at: usize| -> Option<i32> {
        let four = bytes.get(at..)?.get(..4)?;
        Some(i32::from_le_bytes([four[0], four[1], four[2], four[3]]))
    };
    let early = |missing| LoadError::EndsEarly { at: lump.at(bytes.len()), missing };
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let count = number(0).ok_or_else(|| early("the number of textures"))?;
    let Ok(count) = usize::try_from(count) else {
        let found = format!("{count} textures");
        return Err(LoadError::malformed(lump.at(0), "a count of at least 0", found.as_bytes()));
    };
    if bytes.len() / 4 < count {
        return Err(early("the end of the list of textures"));
    }
    let mut names = Vec::with_capacity(count);
    for index in 0..count {
        let start = number(4 + 4 * index).ok_or_else(|| early("the end of the list of textures"))?;
        let Ok(start) = usize::try_from(start) else {
            names.push(String::new());
            continue;
        };
        let name = bytes.get(start..).and_then(|rest| rest.get(..16));
        let name = name.ok_or_else(|| LoadError::IndexOutOfRange {
            at: lump.at(4 + 4 * index),
            index: start as i64,
            count: bytes.len() as u64,
            kind: "bytes of textures",
        })?;
        let end = name.iter().position(|byte| *byte == 0).unwrap_or(16);
        names.push(String::from_utf8_lossy(&name[..end]).into_owned());
    }
    Ok(names)
}

impl Tables<'_> {
    fn model(&mut self, models: &Lump<'_>, number: i64, entity: &Entity) -> Result<Model, LoadError> {
        let (index, record) = models.get(number, || entity.at.clone())?;
        let at = || models.at(index);
        let faces = self.faces.range(record.i32(56).into(), record.i32(60).into(), at)?;
        let extents = Some(Extents { low: record.vector(0), high: record.vector(12) });
        let polygons = self.polygons(faces, record.i32(36).into())?;
        let liquids = if number == 0 { self.liquids(record.i32(36).into(), &at())? } else { Vec::new() };
        Ok(Model { polygons, extents, liquids, ..Model::default() })
    }

    /// The faces that stop a mover, of a model whose tree begins at a node.
    fn polygons(&mut self, faces: Range<usize>, root: i64) -> Result<Vec<Outline>, LoadError> {
        let mut polygons = Vec::new();
        for face in faces {
            let at = || self.faces.at(face);
            let (_, record) = self.faces.get(face as i64, at)?;
            let (first, count, info, plane) = if self.is_wide {
                (
                    record.i32(8),
                    i64::from(record.i32(12)),
                    i64::from(record.i32(16)),
                    i64::from(record.i32(0)),
                )
            } else {
                (record.i32(4), record.u16(8).into(), record.u16(10).into(), record.u16(0).into())
            };
            let (_, info) = self.texture_infos.get(info, at)?;
            let texture = info.u32(32);
            if !self.is_solid(texture) {
                continue;
            }
            let edges = self.surface_edges.range(first.into(), count, at)?;
            self.corners_left = self.corners_left.checked_sub(edges.len()).ok_or_else(|| {
                LoadError::malformed(
                    at(),
                    "faces that do not share their edges over and over",
                    b"edges again",
                )
            })?;
            let mut corners = edges.map(|edge| self.corner(edge)).collect::<Result<Vec<_>, _>>()?;
            let (_, plane) = self.planes.get(plane, at)?;
            if self.is_surface_of_liquid(root, &corners, plane.vector(0))? {
                continue;
            }
            // Clockwise in the file.
            corners.reverse();
            polygons.push(Outline { texture, corners });
        }
        Ok(polygons)
    }

    /// Liquids are passed through. Everything else is in the way, sky too.
    fn is_solid(&self, texture: u32) -> bool {
        let name = self.textures.get(texture as usize).map_or("", String::as_str);
        !(name.starts_with('*') || (self.game == Game::GoldSrc && name.starts_with('!')))
    }

    /// Whether a face lies between a liquid and what is not solid: files without textures do not name theirs.
    fn is_surface_of_liquid(&self, root: i64, corners: &[DVec3], normal: DVec3) -> Result<bool, LoadError> {
        let middle = corners.iter().sum::<DVec3>() / corners.len().max(1) as f64;
        let beside = |sign: f64| self.contents_at(root, middle + normal * (sign * BESIDE));
        let sides = [beside(1.0)?, beside(-1.0)?];
        Ok(!sides.iter().any(|contents| matches!(*contents, SOLID | SKY))
            && sides.iter().any(|c| LIQUIDS.contains(c)))
    }

    /// The contents of the leaf that a point is in; solid where the tree does not say. An error if the nodes
    /// on the way to it go round in a cycle.
    fn contents_at(&self, root: i64, point: DVec3) -> Result<i32, LoadError> {
        let mut child = root;
        // As many steps as a tree can be deep.
        for _ in 0..=self.nodes.len() {
            if child < 0 {
                let leaf = self.leaves.get(-1 - child, || Location::File);
                return Ok(leaf.map_or(SOLID, |(_, leaf)| leaf.i32(0)));
            }
            let Ok((_, node)) = self.nodes.get(child, || Location::File) else { return Ok(SOLID) };
            let Ok((_, plane)) = self.planes.get(node.i32(0).into(), || Location::File) else {
                return Ok(SOLID);
            };
            let side = usize::from(plane.vector(0).dot(point) < f64::from(plane.f32(12)));
            child = match self.is_wide {
                true => node.i32(4 + 4 * side).into(),
                false => narrow_child(node, side, &self.nodes),
            };
        }
        Err(reached_twice(self.nodes.at(child as usize)))
    }

    fn corner(&self, edge: usize) -> Result<DVec3, LoadError> {
        let (_, record) = self.surface_edges.get(edge as i64, || Location::File)?;
        let number = i64::from(record.i32(0));
        let (at, ends) = self.edges.get(number.abs(), || self.surface_edges.at(edge))?;
        // Negative: the other way round.
        let end = usize::from(number < 0);
        let vertex = if self.is_wide { ends.u32(4 * end).into() } else { ends.u16(2 * end).into() };
        let (_, vertex) = self.vertices.get(vertex, || self.edges.at(at))?;
        Ok(vertex.vector(0))
    }

    /// The liquid leaves below a node, each as the planes on the way to it that cut its box, and its box.
    fn liquids(&self, root: i64, from: &Location) -> Result<Vec<(Contents, Vec<HalfSpace>)>, LoadError> {
        let mut found = Vec::new();
        let mut seen = vec![false; self.nodes.len()];
        // Nodes to visit, with the length of the way to them.
        let mut open = vec![(root, 0, None, from.clone())];
        let mut way: Vec<HalfSpace> = Vec::new();
        while let Some((child, depth, plane, from)) = open.pop() {
            way.truncate(depth);
            way.extend(plane);
            if child < 0 {
                let (_, leaf) = self.leaves.get(-1 - child, || from)?;
                let contents = match leaf.i32(0) {
                    -3 => Contents::Water,
                    -4 => Contents::Slime,
                    -5 => Contents::Lava,
                    _ => continue,
                };
                let corner = |at: usize| {
                    if self.is_wide {
                        leaf.vector(8 + 2 * at)
                    } else {
                        DVec3::from_array([0, 2, 4].map(|more| leaf.i16(8 + at + more).into()))
                    }
                };
                let extents = Extents { low: corner(0), high: corner(6) };
                let mut planes = box_planes(extents);
                let cuts = |plane: &&HalfSpace| {
                    let farthest = DVec3::select(plane.normal.cmpgt(DVec3::ZERO), extents.high, extents.low);
                    plane.normal.dot(farthest) > plane.offset
                };
                planes.extend(way.iter().filter(cuts).copied());
                found.push((contents, planes));
                continue;
            }
            let (index, node) = self.nodes.get(child, || from)?;
            let at = self.nodes.at(index);
            if std::mem::replace(&mut seen[index], true) {
                return Err(reached_twice(at));
            }
            let (_, plane) = self.planes.get(node.i32(0).into(), || at.clone())?;
            let (normal, distance) = (plane.vector(0), f64::from(plane.f32(12)));
            let depth = way.len();
            for (side, sign) in [(0usize, -1.0), (1, 1.0)] {
                let child = match self.is_wide {
                    true => node.i32(4 + 4 * side).into(),
                    false => narrow_child(node, side, &self.nodes),
                };
                let plane = HalfSpace { normal: normal * sign, offset: distance * sign };
                open.push((child, depth, Some(plane), at.clone()));
            }
        }
        Ok(found)
    }
}
