//! Quake III (IBSP 46, and 47, which has the same layout): brushes and curved patches.
//!
//! Own reader: no maintained crate reads it. Source: the layout of `qfiles.h` in the release of the game.

use std::ops::Range;

use carom::bsp::PlaneId;
use carom::shape::PatchNet;

use super::brush::Brush;
use super::bsp1::model_number;
use super::contents::Contents;
use super::entity::entities;
use super::game::Game;
use super::lumps::{Directory, Lump, Record};
use super::patch::{LONGEST_SIDE, WANTED, net};
use super::scene::{Model, Scene, Texture};
use crate::error::LoadError;
use crate::extents::Extents;

/// The flag of sky among those of a surface.
const SKY: u32 = 4;
/// The kind of a surface that is a patch.
const PATCH: i32 = 2;

struct Tables<'a> {
    shaders: Lump<'a>,
    planes: Lump<'a>,
    brushes: Lump<'a>,
    sides: Lump<'a>,
    vertices: Lump<'a>,
    surfaces: Lump<'a>,
    scene: Scene,
    used_brushes: Vec<bool>,
    used_surfaces: Vec<bool>,
}

pub(super) fn read(bytes: &[u8]) -> Result<Scene, LoadError> {
    let directory = Directory::new(bytes, 8, 17)?;
    let brushes = directory.lump(8, "brushes", 12)?;
    let surfaces = directory.lump(13, "surfaces", 104)?;
    let mut tables = Tables {
        shaders: directory.lump(1, "shaders", 72)?,
        planes: directory.lump(2, "planes", 16)?,
        sides: directory.lump(9, "brush sides", 8)?,
        vertices: directory.lump(10, "vertices", 44)?,
        used_brushes: vec![false; brushes.len()],
        used_surfaces: vec![false; surfaces.len()],
        brushes,
        surfaces,
        scene: Scene { game: Game::Quake3, ..Scene::default() },
    };
    let texture =
        |shader: Record<'_>| Texture { name: shader.name(0, 64), is_sky: shader.u32(64) & SKY != 0 };
    tables.scene.textures = tables.shaders.records().map(texture).collect();
    let models = directory.lump(7, "models", 40)?;
    let entities = entities(directory.lump(0, "entities", 1)?.bytes())?;
    for entity in &entities {
        let Some(number) = model_number(entity)? else {
            tables.scene.models.push(None);
            continue;
        };
        let (index, record) = models.get(number, || entity.at.clone())?;
        let at = || models.at(index);
        let surfaces = tables.surfaces.range(record.i32(24).into(), record.i32(28).into(), at)?;
        let brushes = tables.brushes.range(record.i32(32).into(), record.i32(36).into(), at)?;
        let mut model = Model {
            extents: Some(Extents { low: record.vector(0), high: record.vector(12) }),
            ..Model::default()
        };
        claim(&mut tables.used_brushes, brushes.clone()).map_err(|_| twice(at()))?;
        claim(&mut tables.used_surfaces, surfaces.clone()).map_err(|_| twice(at()))?;
        for brush in brushes {
            model.brushes.extend(tables.brush(brush)?);
        }
        for surface in surfaces {
            model.patches.extend(tables.patch(surface)?);
        }
        if number > 0 {
            model.offset = entity.origin()?;
        }
        tables.scene.models.push(Some(model));
    }
    tables.scene.entities = entities;
    Ok(tables.scene)
}

/// Takes what no other model has taken.
fn claim(used: &mut [bool], range: Range<usize>) -> Result<(), ()> {
    for taken in &mut used[range] {
        if std::mem::replace(taken, true) {
            return Err(());
        }
    }
    Ok(())
}

fn twice(at: crate::error::Location) -> LoadError {
    LoadError::malformed(at, "a model of its own brushes and surfaces", b"those of another")
}

impl Tables<'_> {
    /// A brush and what it is made of; `None`, and a fault of the scene, if it encloses nothing.
    fn brush(&mut self, index: usize) -> Result<Option<(Brush, Contents)>, LoadError> {
        let at = || self.brushes.at(index);
        let (_, record) = self.brushes.get(index as i64, at)?;
        let (_, shader) = self.shaders.get(record.i32(8).into(), at)?;
        let flags = shader.u32(68);
        let mut is_sky = shader.u32(64) & SKY != 0;
        let mut sides: Vec<(PlaneId, u32)> = Vec::new();
        for side in self.sides.range(record.i32(0).into(), record.i32(4).into(), at)? {
            let at = || self.sides.at(side);
            let (_, record) = self.sides.get(side as i64, at)?;
            let (place, plane) = self.planes.get(record.i32(0).into(), at)?;
            let (texture, shader) = self.shaders.get(record.i32(4).into(), at)?;
            is_sky |= shader.u32(64) & SKY != 0;
            let id = self.scene.planes.insert(plane.vector(0), plane.f32(12).into());
            let id =
                id.ok_or_else(|| LoadError::malformed(self.planes.at(place), "a plane", b"no direction"))?;
            sides.push((id, texture as u32));
        }
        let brush = Brush::new(&mut self.scene.planes, &sides);
        let contents = Contents::of_quake3(flags, is_sky);
        Ok(match brush {
            Ok(brush) => Some((brush, contents)),
            Err(why) => {
                let fault = why.error(self.brushes.at(index));
                self.scene.faults.push(fault);
                None
            }
        })
    }

    /// The patch of a surface, if it is one that stops a mover.
    fn patch(&self, index: usize) -> Result<Option<(PatchNet, u32)>, LoadError> {
        let at = || self.surfaces.at(index);
        let (_, record) = self.surfaces.get(index as i64, at)?;
        if record.i32(8) != PATCH {
            return Ok(None);
        }
        let (texture, shader) = self.shaders.get(record.i32(0).into(), at)?;
        let contents = Contents::of_quake3(shader.u32(68), false);
        if !matches!(contents, Contents::Solid | Contents::PlayerClip) {
            return Ok(None);
        }
        let [width, height] = [96, 100].map(|place| record.i32(place));
        let sides = [width, height].map(|side| usize::try_from(side).unwrap_or(0).min(LONGEST_SIDE + 2));
        let count = i64::from(width).saturating_mul(height.into()).max(0);
        let range = self.vertices.range(record.i32(12).into(), count, at)?;
        let mut points = Vec::with_capacity(range.len());
        for vertex in range {
            points.push(self.vertices.get(vertex as i64, at)?.1.vector(0));
        }
        match net(sides[0], sides[1], &points) {
            Some(net) => Ok(Some((net, texture as u32))),
            None => {
                let found = format!("{width} × {height}");
                Err(LoadError::malformed(at(), WANTED, found.as_bytes()))
            }
        }
    }
}
