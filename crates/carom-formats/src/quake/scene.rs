//! From entities and their models to a level: solids, spawns, and the meaning of volumes.

use std::collections::HashMap;

use carom::bsp::{Bsp, PlaneSet};
use carom::shape::{BezierPatch, PatchNet};
use glam::DVec3;

use super::brush::{Brush, union};
use super::contents::Contents;
use super::entity::{Entity, Role};
use super::game::Game;
use crate::assembly::Assembly;
use crate::error::LoadError;
use crate::extents::Extents;
use crate::format::Format;
use crate::level::{Landmark, RawLevel};
use crate::options::{LoadOptions, Patches};
use crate::volume::{Convex, HalfSpace, Volume, VolumeKind};

/// The feet of a player are this far below the origin, in units, with a unit to spare.
const FEET: f64 = 23.0;
/// The same of `GoldSrc`, whose player is 72 units tall about its origin.
const GOLDSRC_FEET: f64 = 35.0;
/// A shaft reaches this far above the floor that its lift goes up to.
const OVER_SHAFT: f64 = 4.0;
/// The middle of a player of 56 units is this far above the origin.
const MIDDLE: f64 = 4.0;

/// The contents of a file, in its own frame.
#[derive(Debug, Default)]
pub(super) struct Scene {
    pub(super) entities: Vec<Entity>,
    /// For each entity its model, if it has one.
    pub(super) models: Vec<Option<Model>>,
    pub(super) planes: PlaneSet,
    pub(super) textures: Vec<Texture>,
    pub(super) game: Game,
    /// Of parts that are left out.
    pub(super) faults: Vec<LoadError>,
}

/// A texture as surfaces have it.
#[derive(Debug, Default)]
pub(super) struct Texture {
    pub(super) name: String,
    /// Whether it shows the sky.
    pub(super) is_sky: bool,
}

impl Texture {
    /// A texture of a file without flags for it: its name says whether it shows the sky.
    pub(super) fn named(name: String) -> Self {
        let is_sky = Contents::of_texture(&name) == Contents::Sky;
        Self { name, is_sky }
    }
}

/// A brush model.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) brushes: Vec<(Brush, Contents)>,
    pub(super) polygons: Vec<Outline>,
    pub(super) patches: Vec<(PatchNet, u32)>,
    /// Convex parts of space that a liquid fills: points p with normal · p ≤ offset for each.
    pub(super) liquids: Vec<(Contents, Vec<HalfSpace>)>,
    /// The space that it fills or covers, if the file gives it.
    pub(super) extents: Option<Extents>,
    /// Added to all of it.
    pub(super) offset: DVec3,
}

/// A polygon by its corners, counterclockwise from outside.
#[derive(Debug)]
pub(super) struct Outline {
    pub(super) texture: u32,
    pub(super) corners: Vec<DVec3>,
}

impl Scene {
    pub(super) fn into_level(mut self, format: Format, options: &LoadOptions) -> Result<RawLevel, LoadError> {
        let mut build = Build { level: Assembly::new(format, options), options, liquids: Vec::new() };
        self.faults.iter().for_each(|fault| build.level.warn(fault));
        let models = std::mem::take(&mut self.models);
        let has_model: Vec<bool> = models.iter().map(Option::is_some).collect();
        let (mut world, mut bodies) = (Vec::new(), Vec::new());
        for (entity, model) in self.entities.iter().zip(models) {
            let Some(model) = model.filter(|_| !entity.is_left_out(self.game)) else { continue };
            // The first is the world, whatever its class.
            let role = if entity.number == 0 { Role::World } else { entity.role() };
            if role == Role::World { world.push(model) } else { bodies.push((entity, role, model)) }
        }
        build.solid(&self, "", world)?;
        for (entity, role, model) in bodies {
            let kind = match role {
                Role::World | Role::Body => {
                    build.shaft(entity, &model);
                    build.solid(&self, &entity.body_name(), vec![model])?;
                    continue;
                }
                Role::Nothing => None,
                Role::Kill => Some(VolumeKind::Kill),
                Role::Ladder => Some(VolumeKind::Ladder),
                Role::Water => Some(VolumeKind::Water),
                Role::Teleport => build.unless_wrong(self.teleport(entity, &build)),
                Role::Push => build.unless_wrong(self.push(entity, &model, &build)),
            };
            if let Some(kind) = kind {
                build.volume(&self, entity.name(), kind, &model)?;
            }
        }
        let feet = if self.game == Game::GoldSrc { GOLDSRC_FEET } else { FEET };
        for (entity, has_model) in self.entities.iter().zip(has_model) {
            build.place(entity, feet)?;
            if !has_model && entity.is_point() && entity.get("origin").is_none() {
                build.level.warn(&entity.without_origin());
            }
        }
        Ok(build.finish())
    }

    /// Where entities are that have a place and no model: a level is closed if none of them sees the
    /// outside. In the file's frame.
    pub(super) fn points(&self) -> Result<Vec<Landmark>, LoadError> {
        let mut points = Vec::new();
        for (entity, model) in self.entities.iter().zip(&self.models).skip(1) {
            if model.is_none()
                && entity.get("model").is_none_or(|model| !model.starts_with('*'))
                && let Some(position) = entity.vector("origin")?
            {
                points.push(Landmark { name: entity.name(), position });
            }
        }
        Ok(points)
    }

    /// The solid that keeps the outside out, as compilers have it: solid brushes of the world that are not
    /// detail, and sky. With the points of [`Self::points`].
    pub(super) fn structure(mut self) -> Result<(Bsp, Vec<Landmark>), LoadError> {
        let points = self.points()?;
        let models = std::mem::take(&mut self.models);
        let mut brushes = Vec::new();
        for (entity, model) in self.entities.iter().zip(models) {
            let is_world = entity.number == 0 || matches!(entity.class(), "worldspawn" | "func_group");
            if let Some(model) = model.filter(|_| is_world) {
                let closes = |(brush, contents): &(Brush, Contents)| {
                    !brush.is_detail && matches!(contents, Contents::Solid | Contents::Sky)
                };
                brushes.extend(model.brushes.into_iter().filter(closes).map(|(brush, _)| brush));
            }
        }
        let polygons = union(&self.planes, &brushes).into_iter().map(|piece| piece.polygon).collect();
        Ok((Bsp::build(self.planes, polygons)?, points))
    }

    /// The entity that a target names.
    fn target(&self, of: &Entity) -> Option<&Entity> {
        let name = of.get("target").filter(|name| !name.is_empty())?;
        self.entities.iter().find(|entity| entity.get("targetname") == Some(name))
    }

    fn teleport(&self, entity: &Entity, build: &Build<'_>) -> Result<Option<VolumeKind>, LoadError> {
        let Some(target) = self.target(entity) else { return Ok(None) };
        // Quake lifts destinations of its own class, Quake II and III a little what is put there.
        let lift = match target.class() {
            "info_teleport_destination" => 27.0,
            _ if self.game == Game::Quake2 => 10.0,
            _ => 1.0,
        };
        let to = target.place()? + DVec3::new(0.0, 0.0, MIDDLE + lift);
        Ok(Some(VolumeKind::Teleport { to: build.level.mapped(to) }))
    }

    fn push(
        &self,
        entity: &Entity,
        model: &Model,
        build: &Build<'_>,
    ) -> Result<Option<VolumeKind>, LoadError> {
        let Some(Extents { low, high }) = extents(model) else { return Ok(None) };
        let target = match (self.game, self.target(entity)) {
            (Game::Quake3 | Game::Map, Some(target)) => Some(target.place()?),
            _ => None,
        };
        let center = (low + high) * 0.5 + model.offset;
        let velocity = entity.push(center, target, self.game == Game::GoldSrc);
        Ok((velocity != DVec3::ZERO).then(|| VolumeKind::Push { velocity: build.level.mapped(velocity) }))
    }
}

struct Build<'a> {
    level: Assembly,
    options: &'a LoadOptions,
    /// Pieces of water, slime and lava.
    liquids: Vec<(Contents, Convex)>,
}

impl Build<'_> {
    /// Adds models that are one body. `name` is empty for the world.
    fn solid(&mut self, scene: &Scene, name: &str, models: Vec<Model>) -> Result<(), LoadError> {
        let mut brushes = Vec::new();
        let offset = models.first().map_or(DVec3::ZERO, |model| model.offset);
        let mut index = Index::default();
        for model in models {
            for (contents, planes) in model.liquids {
                self.liquid(contents, planes, model.offset)?;
            }
            for (brush, contents) in model.brushes {
                self.level.count_parts(1)?;
                if contents.is_solid(self.options.solids) {
                    brushes.push(brush);
                } else if matches!(contents, Contents::Water | Contents::Slime | Contents::Lava) {
                    self.liquid(contents, half_spaces(&scene.planes, &brush), model.offset)?;
                } else if contents == Contents::Ladder {
                    let piece = self.convex(half_spaces(&scene.planes, &brush), model.offset);
                    self.level.volume(Volume {
                        name: "ladder".to_owned(),
                        kind: VolumeKind::Ladder,
                        pieces: piece.into_iter().collect(),
                    });
                }
            }
            for outline in &model.polygons {
                self.surface(scene, name, outline.texture);
                self.polygon(outline.corners.iter().map(|corner| *corner + model.offset), &mut index)?;
            }
            for (net, number) in &model.patches {
                self.surface(scene, name, *number);
                self.patch(net, model.offset, &mut index)?;
            }
        }
        for piece in union(&scene.planes, &brushes) {
            self.surface(scene, name, piece.texture);
            let corners = piece.polygon.corners().iter();
            self.polygon(corners.map(|corner| corner.position() + offset), &mut index)?;
        }
        Ok(())
    }

    /// Names the surface of what follows: a body with a texture.
    fn surface(&mut self, scene: &Scene, body: &str, texture: u32) {
        let texture = scene.textures.get(texture as usize);
        self.level.surface([body, texture.map_or("", |texture| &texture.name)]);
        if texture.is_some_and(|texture| texture.is_sky) {
            self.level.sky();
        }
    }

    fn polygon(&mut self, corners: impl Iterator<Item = DVec3>, index: &mut Index) -> Result<(), LoadError> {
        let corners: Vec<u32> =
            corners.map(|corner| index.of(&mut self.level, corner)).collect::<Result<_, _>>()?;
        for pair in corners.windows(2).skip(1) {
            self.triangle([corners[0], pair[0], pair[1]])?;
        }
        Ok(())
    }

    /// Triangles without area are left out: those that rounding has made an edge or a point, and those
    /// between the corners along one side of a polygon. On the rim of a floor such a one would be an edge to
    /// hang on.
    fn triangle(&mut self, corners: [u32; 3]) -> Result<(), LoadError> {
        if let [Some(a), Some(b), Some(c)] = corners.map(|corner| self.level.position(corner))
            && (b - a).cross(c - a) == DVec3::ZERO
        {
            return Ok(());
        }
        self.level.triangle(corners)
    }

    fn patch(&mut self, net: &PatchNet, offset: DVec3, index: &mut Index) -> Result<(), LoadError> {
        if self.options.patches == Patches::Curved {
            return net.patches().iter().try_for_each(|patch| self.curved(patch, offset));
        }
        // A tolerance that the scale takes out of the range of f64 asks for the finest or for one cell.
        let tolerance = (self.options.tolerance / self.level.scale()).clamp(f64::MIN_POSITIVE, f64::MAX);
        let Ok(mesh) = net.tessellate(tolerance) else { return Ok(()) };
        let vertices: Vec<u32> = mesh
            .vertices
            .iter()
            .map(|point| index.of(&mut self.level, *point + offset))
            .collect::<Result<_, _>>()?;
        mesh.triangles
            .iter()
            .try_for_each(|corners| self.triangle(corners.map(|corner| vertices[corner as usize])))
    }

    /// The patch as it is, in the level's frame.
    fn curved(&mut self, patch: &BezierPatch, offset: DVec3) -> Result<(), LoadError> {
        self.level.count_parts(1)?;
        let points: Vec<DVec3> =
            patch.control_points().iter().map(|point| self.level.mapped(*point + offset)).collect();
        // A scale may lead out of the range of f64: so do vertices, which then are infinite.
        if let Ok(patch) = BezierPatch::new([patch.degree(); 2], &points) {
            self.level.patch(patch);
        }
        Ok(())
    }

    fn liquid(&mut self, contents: Contents, planes: Vec<HalfSpace>, offset: DVec3) -> Result<(), LoadError> {
        self.level.count_parts(1)?;
        if !self.options.solids.liquids
            && let Some(convex) = self.convex(planes, offset)
        {
            self.liquids.push((contents, convex));
        }
        Ok(())
    }

    /// Half-spaces of the file's frame in the level's.
    fn convex(&self, planes: Vec<HalfSpace>, offset: DVec3) -> Option<Convex> {
        let scale = self.level.scale();
        let mapped = |plane: HalfSpace| HalfSpace {
            normal: self.level.mapped(plane.normal) / scale,
            offset: (plane.offset + plane.normal.dot(offset)) * scale,
        };
        Convex::from_planes(planes.into_iter().map(mapped).collect())
    }

    fn volume(
        &mut self,
        scene: &Scene,
        name: String,
        kind: VolumeKind,
        model: &Model,
    ) -> Result<(), LoadError> {
        let pieces: Vec<Convex> = if model.brushes.is_empty() {
            let planes = extents(model).map(box_planes);
            planes.and_then(|planes| self.convex(planes, model.offset)).into_iter().collect()
        } else {
            self.level.count_parts(model.brushes.len() as u64)?;
            let brushes = model.brushes.iter();
            brushes
                .filter_map(|(brush, _)| self.convex(half_spaces(&scene.planes, brush), model.offset))
                .collect()
        };
        if !pieces.is_empty() {
            self.level.volume(Volume { name, kind, pieces });
        }
        Ok(())
    }

    /// Where a lift goes up and down is a ladder: with the lift left out of the level, a player climbs as
    /// high.
    fn shaft(&mut self, entity: &Entity, model: &Model) {
        let Some(Extents { low, high }) = extents(model) else { return };
        let Some(travel) = entity.lift_travel(high.z - low.z) else { return };
        let (low, high) = (low.with_z(high.z - travel), high + DVec3::Z * OVER_SHAFT);
        if let Some(piece) = self.convex(box_planes(Extents { low, high }), model.offset) {
            self.level.volume(Volume {
                name: entity.body_name(),
                kind: VolumeKind::Ladder,
                pieces: vec![piece],
            });
        }
    }

    /// The kind of a volume; `None`, and a warning, where its target has no place.
    fn unless_wrong(&mut self, kind: Result<Option<VolumeKind>, LoadError>) -> Option<VolumeKind> {
        kind.unwrap_or_else(|fault| {
            self.level.warn(&fault);
            None
        })
    }

    /// Spawns are where their feet are: other places are origins.
    fn place(&mut self, entity: &Entity, feet: f64) -> Result<(), LoadError> {
        self.level.count_parts(1)?;
        let Some(position) = entity.vector("origin")? else { return Ok(()) };
        if entity.is_spawn() {
            self.level.place(entity.class(), position - DVec3::new(0.0, 0.0, feet));
        } else if entity.number > 0 {
            let name = match entity.class() {
                // A camera, which is not to be taken for a spawn.
                "info_player_intermission" => "intermission",
                class => class,
            };
            self.level.place(name, position);
        }
        Ok(())
    }

    fn finish(mut self) -> RawLevel {
        for (contents, name, kind) in [
            (Contents::Water, "water", VolumeKind::Water),
            (Contents::Slime, "slime", VolumeKind::Water),
            (Contents::Lava, "lava", VolumeKind::Kill),
        ] {
            let pieces: Vec<Convex> = self
                .liquids
                .iter()
                .filter(|(of, _)| *of == contents)
                .map(|(_, piece)| piece.clone())
                .collect();
            if !pieces.is_empty() {
                self.level.volume(Volume { name: name.to_owned(), kind, pieces });
            }
        }
        self.level.finish()
    }
}

/// The vertices that a body has already. Only ever asked, never walked.
#[derive(Default)]
struct Index(HashMap<[u64; 3], u32>);

impl Index {
    fn of(&mut self, level: &mut Assembly, position: DVec3) -> Result<u32, LoadError> {
        let key = (position + DVec3::ZERO).to_array().map(f64::to_bits);
        if let Some(index) = self.0.get(&key) {
            return Ok(*index);
        }
        let index = level.vertex(position)?;
        self.0.insert(key, index);
        Ok(index)
    }
}

/// The box around a model.
fn extents(model: &Model) -> Option<Extents> {
    let brushes = model.brushes.iter().map(|(brush, _)| brush.extents());
    let all = brushes.reduce(Extents::around).or(model.extents)?;
    (all.low.is_finite() && all.high.is_finite() && !all.is_empty()).then_some(all)
}

/// The half-spaces of a box.
pub(super) fn box_planes(Extents { low, high }: Extents) -> Vec<HalfSpace> {
    DVec3::AXES
        .into_iter()
        .flat_map(|axis| {
            [
                HalfSpace { normal: axis, offset: axis.dot(high) },
                HalfSpace { normal: -axis, offset: -axis.dot(low) },
            ]
        })
        .collect()
}

/// Those of a brush and its box.
fn half_spaces(planes: &PlaneSet, brush: &Brush) -> Vec<HalfSpace> {
    let mut all = box_planes(brush.extents());
    for plane in brush.planes().filter(|plane| planes.axis(*plane).is_none()) {
        let (normal, offset) = planes.plane(plane);
        all.push(HalfSpace { normal, offset });
    }
    all
}
