//! Quake II (IBSP 38) and its QBSP: brushes, by the leaves of each model.
//!
//! Source: the layout of `qfiles.h` in the release of the game, and of its wider form in the tools that write
//! it.

use std::collections::BTreeSet;

use carom::bsp::PlaneId;

use super::brush::Brush;
use super::bsp1::{model_number, reached_twice};
use super::contents::Contents;
use super::entity::entities;
use super::game::Game;
use super::lumps::{Directory, Lump, Record};
use super::scene::{Model, Scene, Texture};
use crate::error::{LoadError, Location};
use crate::extents::Extents;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Ibsp,
    Qbsp,
}

/// The flag of sky among those of a texture.
const SKY: u32 = 4;

struct Tables<'a> {
    is_wide: bool,
    planes: Lump<'a>,
    texture_infos: Lump<'a>,
    nodes: Lump<'a>,
    leaves: Lump<'a>,
    leaf_brushes: Lump<'a>,
    brushes: Lump<'a>,
    sides: Lump<'a>,
    scene: Scene,
}

pub(super) fn read(bytes: &[u8], kind: Kind) -> Result<Scene, LoadError> {
    let is_wide = kind == Kind::Qbsp;
    let directory = Directory::new(bytes, 8, 19)?;
    let lump = |index, name, narrow: usize, wide: usize| {
        directory.lump(index, name, if is_wide { wide } else { narrow })
    };
    let mut tables = Tables {
        is_wide,
        planes: lump(1, "planes", 20, 20)?,
        texture_infos: lump(5, "texture infos", 76, 76)?,
        nodes: lump(4, "nodes", 28, 44)?,
        leaves: lump(8, "leaves", 28, 52)?,
        leaf_brushes: lump(10, "leaf brushes", 2, 4)?,
        brushes: lump(14, "brushes", 12, 12)?,
        sides: lump(15, "brush sides", 4, 8)?,
        scene: Scene { game: Game::Quake2, ..Scene::default() },
    };
    let texture = |info: Record<'_>| Texture { name: info.name(40, 32), is_sky: info.u32(32) & SKY != 0 };
    tables.scene.textures = tables.texture_infos.records().map(texture).collect();
    let models = lump(13, "models", 48, 48)?;
    let entities = entities(lump(0, "entities", 1, 1)?.bytes())?;
    // A node belongs to one model, so all models together visit no more of them than there are.
    let mut seen = vec![false; tables.nodes.len()];
    for entity in &entities {
        let Some(number) = model_number(entity)? else {
            tables.scene.models.push(None);
            continue;
        };
        let (index, record) = models.get(number, || entity.at.clone())?;
        let mut model = Model {
            extents: Some(Extents { low: record.vector(0), high: record.vector(12) }),
            ..Model::default()
        };
        for brush in tables.brushes_below(record.i32(36).into(), models.at(index), &mut seen)? {
            model.brushes.extend(tables.brush(brush)?);
        }
        if number > 0 {
            model.offset = entity.origin()?;
        }
        tables.scene.models.push(Some(model));
    }
    tables.scene.entities = entities;
    Ok(tables.scene)
}

impl Tables<'_> {
    /// The brushes in the leaves below a node.
    fn brushes_below(
        &self,
        root: i64,
        from: Location,
        seen: &mut [bool],
    ) -> Result<BTreeSet<usize>, LoadError> {
        let mut found = BTreeSet::new();
        let mut open = vec![(root, from)];
        while let Some((child, from)) = open.pop() {
            if child < 0 {
                let (index, leaf) = self.leaves.get(-1 - child, || from)?;
                let at = || self.leaves.at(index);
                let (first, count) = if self.is_wide {
                    (leaf.u32(44).into(), leaf.u32(48).into())
                } else {
                    (leaf.u16(24).into(), leaf.u16(26).into())
                };
                for place in self.leaf_brushes.range(first, count, at)? {
                    let (_, record) = self.leaf_brushes.get(place as i64, at)?;
                    let brush = if self.is_wide { record.u32(0).into() } else { record.u16(0).into() };
                    found.insert(self.brushes.get(brush, || self.leaf_brushes.at(place))?.0);
                }
                continue;
            }
            let (index, node) = self.nodes.get(child, || from)?;
            let at = self.nodes.at(index);
            if std::mem::replace(&mut seen[index], true) {
                return Err(reached_twice(at));
            }
            open.push((node.i32(8).into(), at.clone()));
            open.push((node.i32(4).into(), at));
        }
        Ok(found)
    }

    /// A brush and what it is made of; `None`, and a fault of the scene, if it encloses nothing.
    fn brush(&mut self, index: usize) -> Result<Option<(Brush, Contents)>, LoadError> {
        let at = || self.brushes.at(index);
        let (_, record) = self.brushes.get(index as i64, at)?;
        let range = self.sides.range(record.i32(0).into(), record.i32(4).into(), at)?;
        let mut sides: Vec<(PlaneId, u32)> = Vec::new();
        let mut is_sky = false;
        for side in range {
            let at = || self.sides.at(side);
            let (_, record) = self.sides.get(side as i64, at)?;
            let (plane, info) = if self.is_wide {
                (record.u32(0).into(), record.i32(4))
            } else {
                (record.u16(0).into(), record.i16(2).into())
            };
            let (place, plane) = self.planes.get(plane, at)?;
            let id = self.scene.planes.insert(plane.vector(0), plane.f32(12).into());
            let id =
                id.ok_or_else(|| LoadError::malformed(self.planes.at(place), "a plane", b"no direction"))?;
            // Bevels have no texture.
            let info = match info {
                -1 => u32::MAX,
                info => {
                    let (info, record) = self.texture_infos.get(info.into(), at)?;
                    is_sky |= record.u32(32) & SKY != 0;
                    info as u32
                }
            };
            sides.push((id, info));
        }
        let contents = Contents::of_quake2(record.u32(8), is_sky);
        let brush = Brush::new(&mut self.scene.planes, &sides);
        Ok(match brush {
            Ok(brush) => Some((brush, contents)),
            Err(why) => {
                let fault = why.error(self.brushes.at(index));
                self.scene.faults.push(fault);
                None
            }
        })
    }
}
