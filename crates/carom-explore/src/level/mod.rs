//! The level to explore: triangles at rest, and its named points.

pub(crate) mod movers;
pub(crate) mod volumes;

use std::borrow::Cow;

use carom::character;
use carom::mesh::MeshData;
use carom::num::ops;
use carom::shape::Mover;
use carom::{Cast, World};
use carom_formats::{Extents, Format, Interior, Landmark, TileFolder, checksum};
use glam::DVec3;

use crate::error::ExploreError;
use crate::ground::{Facet, Ground, Met, Sides, Soup, TiledGround, point};
use crate::level::movers::{Movers, Moving};
use crate::level::volumes::Volumes;
use crate::rules::Rules;
use crate::spill::Spill;
use crate::stop::Stop;

/// A sky farther below everything than this, in meters, is the void.
const DEEP: f64 = 50.0;
/// Surfaces that a ray hits within this distance, in meters, count as hit at once.
pub(crate) const TOGETHER: f64 = 1e-3;

/// How a file's own coordinates become those of a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FileFrame {
    /// Whether z is up in the file: (x, y, z) is (x, z, −y) in the level.
    pub is_z_up: bool,
    /// Meters per unit of the file.
    pub scale: f64,
}

/// The parts of a file that are not among the triangles of the level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeftOut {
    /// Doors that are open: patterns of their names, in which `*` is any run of letters.
    pub names: Vec<String>,
    /// Whether nodes that animations move are bodies of their own, or doors that are open.
    pub animated: bool,
}

impl Default for FileFrame {
    fn default() -> Self {
        Self { is_z_up: false, scale: 1.0 }
    }
}

impl FileFrame {
    /// Whether it is the frame that .bsp and .map files have by their format: z up, 32 units to the meter.
    pub(crate) fn is_of_quake(&self) -> bool {
        *self == Self { is_z_up: true, scale: Format::Bsp.scale() }
    }

    /// A point of the level as the file has it.
    pub fn to_file(&self, p: DVec3) -> DVec3 {
        let turned = if self.is_z_up { DVec3::new(p.x, -p.z, p.y) } else { p };
        turned / self.scale + DVec3::ZERO
    }
}

/// A level: its triangles, in a world of one fixed body, or in tiles. y up, meters.
#[derive(Debug)]
pub struct Level {
    /// Its name in reports.
    pub name: String,
    /// Named points: spawns are looked for among them.
    pub landmarks: Vec<Landmark>,
    /// Where a body does more than walk and fall.
    pub volumes: Volumes,
    /// The frame of the file that it was read from.
    pub frame: FileFrame,
    /// Parts of that file that are not among its triangles.
    pub left_out: LeftOut,
    /// Names of objects and materials, for reports.
    surfaces: Vec<String>,
    /// Of each surface, linear red, green and blue; empty if none is known.
    colors: Vec<Option<[f32; 3]>>,
    /// Numbers of the surfaces that show the sky, ascending.
    skies: Vec<u16>,
    /// The space that nothing leaves, if it is known.
    interior: Option<Interior>,
    ground: Ground,
    movers: Movers,
    bounds: Extents,
    /// The lowest point of all that is no sky.
    lowest_ground: f64,
    spill: Option<Spill>,
}

impl Level {
    /// A level of these triangles.
    ///
    /// # Errors
    /// No triangles, vertices that are not finite, indices out of range.
    pub fn new(name: impl Into<String>, data: MeshData) -> Result<Self, ExploreError> {
        if data.triangles.is_empty() {
            return Err(ExploreError::NoTriangles);
        }
        let used = data.triangles.iter().flatten();
        // Indices that are out of range are refused below.
        let corners = used.filter_map(|i| data.vertices.get(*i as usize)).map(|vertex| point(*vertex));
        let bounds = Extents::of(corners);
        Ok(Self::of(name.into(), Ground::whole(data)?, bounds))
    }

    /// A level in tiles, of which no more than this many bytes are in memory at a time, and at least those at
    /// work. Points, volumes, surfaces, colors and the frame are those of the folder.
    ///
    /// # Errors
    /// No triangles; a tile that is missing, changed or of another world.
    pub fn tiled(name: impl Into<String>, folder: TileFolder, memory: usize) -> Result<Self, ExploreError> {
        let bounds = folder.bounds();
        let about = folder.level().clone();
        let source = folder.source().map_err(|error| ExploreError::Tiles(error.to_string()))?;
        let ground = Ground::Tiled(TiledGround::open(folder, memory)?);
        let mut level = Self::of(name.into(), ground, bounds);
        level.landmarks = about.landmarks;
        level.volumes = Volumes::new(about.volumes);
        level.frame = FileFrame { is_z_up: about.up == carom_formats::Up::Z, scale: about.scale };
        (level.surfaces, level.colors) = (about.surfaces, about.colors);
        Ok(level.with_skies(about.skies).with_interior(source.and_then(|source| source.interior())))
    }

    fn of(name: String, ground: Ground, bounds: Extents) -> Self {
        Self {
            name,
            landmarks: Vec::new(),
            volumes: Volumes::default(),
            frame: FileFrame::default(),
            left_out: LeftOut::default(),
            surfaces: Vec::new(),
            colors: Vec::new(),
            skies: Vec::new(),
            interior: None,
            ground,
            movers: Movers::default(),
            bounds,
            lowest_ground: bounds.low.y,
            spill: None,
        }
    }

    /// The same with named points.
    #[must_use]
    pub fn with_landmarks(self, landmarks: Vec<Landmark>) -> Self {
        Self { landmarks, ..self }
    }

    /// The same with the names of surfaces, by their numbers.
    #[must_use]
    pub fn with_surfaces(self, surfaces: Vec<String>) -> Self {
        Self { surfaces, ..self }
    }

    /// The same with the colors of those surfaces, for the page: linear red, green and blue from 0 to 1,
    /// `None` where the color is not known.
    #[must_use]
    pub fn with_colors(self, colors: Vec<Option<[f32; 3]>>) -> Self {
        Self { colors, ..self }
    }

    /// The same, where the surfaces with these numbers show the sky, as in
    /// [`RawLevel::skies`](carom_formats::RawLevel::skies) has them. Sky stops bodies and rays. It is no
    /// floor: it is not in the coverage and no finding is about it, a body that comes to stand on it has
    /// fallen out of the level, and pictures leave it out.
    #[must_use]
    pub fn with_skies(mut self, mut skies: Vec<u16>) -> Self {
        skies.sort_unstable();
        self.skies = skies;
        self.lowest_ground = self.bounds.low.y;
        if self.has_sky() {
            let mut lowest = f64::INFINITY;
            self.each_triangle(|Facet { corners: [a, b, c], surface_id, .. }| {
                if !self.is_sky(surface_id) {
                    lowest = lowest.min(a.y).min(b.y).min(c.y);
                }
            });
            if lowest.is_finite() {
                self.lowest_ground = lowest;
            }
        }
        self
    }

    /// The same, closed: floor outside of this space that no body reaches is not in the coverage, and no
    /// finding is about it.
    #[must_use]
    pub fn with_interior(self, interior: Option<Interior>) -> Self {
        Self { interior, ..self }
    }

    /// The same, whose explorations keep lists that outgrow memory in temporary files. Without that all is in
    /// memory.
    #[must_use]
    pub fn with_spill(self, spill: Spill) -> Self {
        Self { spill: Some(spill), ..self }
    }

    /// Where lists of an exploration go that outgrow memory, if anywhere.
    pub(crate) fn spill(&self) -> Option<&Spill> {
        self.spill.as_ref()
    }

    /// The same with bodies that move, or whose surfaces do.
    ///
    /// # Errors
    /// A level in tiles, which has none.
    pub fn with_moving(self, list: Vec<Moving>) -> Result<Self, ExploreError> {
        if list.is_empty() {
            return Ok(Self { movers: Movers::default(), ..self });
        }
        let Ground::Whole { world, .. } = &self.ground else { return Err(ExploreError::MovingInTiles) };
        let movers = Movers::new(world, list);
        Ok(Self { movers, ..self })
    }

    /// The bodies that move, or whose surfaces do.
    pub fn moving(&self) -> &[Moving] {
        &self.movers.list
    }

    pub(crate) fn movers(&self) -> &Movers {
        &self.movers
    }

    /// Whether a body overlaps something, with everything that moves where it is at first.
    pub(crate) fn is_blocked(&self, body: Mover, at: DVec3, rules: &Rules) -> Result<bool, ExploreError> {
        let layers = rules.settings.collides_with;
        let blocks = |world: &World| Ok(!world.overlaps(body, at, layers)?.is_empty());
        match &self.ground {
            Ground::Whole { .. } if !self.movers.is_empty() => blocks(self.movers.world()),
            Ground::Whole { world, .. } => blocks(world),
            Ground::Tiled(tiled) => blocks(&tiled.about(&body, at).world),
        }
    }

    /// The name of a surface, if it has one.
    pub(crate) fn surface_name(&self, id: u16) -> Option<&str> {
        self.surfaces.get(usize::from(id)).map(String::as_str)
    }

    /// Whether a surface shows the sky.
    pub(crate) fn is_sky(&self, id: u16) -> bool {
        self.skies.binary_search(&id).is_ok()
    }

    /// Whether a surface is never drawn, by its name.
    pub(crate) fn is_never_drawn(&self, id: u16) -> bool {
        self.surfaces.get(usize::from(id)).is_some_and(|name| carom_formats::is_never_drawn(name))
    }

    /// Whether a point is outside of a closed level.
    pub(crate) fn is_shut_out(&self, point: DVec3) -> bool {
        self.interior.as_ref().is_some_and(|interior| !interior.contains(point))
    }

    /// Whether there is sky anywhere.
    pub(crate) fn has_sky(&self) -> bool {
        !self.skies.is_empty()
    }

    /// Whether a character that stands on this stands on sky. Bodies that move are none.
    pub(crate) fn is_ground_sky(&self, ground: &character::Ground) -> bool {
        self.has_sky()
            && u16::try_from(ground.tag).is_ok_and(|id| self.is_sky(id))
            && self.movers.number(ground.obstacle.body()).is_none()
    }

    /// The color of a surface, if it is known.
    pub(crate) fn surface_color(&self, id: u16) -> Option<[f32; 3]> {
        self.colors.get(usize::from(id)).copied().flatten()
    }

    /// The name of the surface below a point, within a distance.
    pub fn object_below(&self, point: DVec3, depth: f64) -> Option<&str> {
        let met = self.ray(point, DVec3::NEG_Y * depth)?;
        self.surface_name(met.surface_id)
    }

    /// The first hit of a cast among everything at rest.
    pub(crate) fn meet(&self, cast: &Cast) -> Option<Met> {
        self.ground.meet(cast)
    }

    /// The first hit of a ray among everything at rest.
    pub(crate) fn ray(&self, from: DVec3, translation: DVec3) -> Option<Met> {
        self.meet(&Cast::new(Mover::Point, from, translation).ok()?)
    }

    /// How far along a ray its first hit is, as a share, and which sides show there.
    pub(crate) fn sides(&self, from: DVec3, translation: DVec3) -> Option<(f64, Sides)> {
        let fraction = self.ray(from, translation)?.hit.fraction;
        let reach = TOGETHER / ops::sqrt(translation.length_squared());
        let first = (fraction - reach).max(0.0);
        let cast =
            Cast::new(Mover::Point, from + translation * first, translation * (fraction + reach - first))
                .ok()?;
        Some((fraction, self.ground.sides(&cast)))
    }

    /// The first hit below a point, down to where bodies have left the world.
    pub(crate) fn below(&self, from: DVec3) -> Option<Met> {
        self.ray(from, DVec3::Y * (self.abyss() - from.y))
    }

    /// Whether a point is over nothing, or over sky.
    pub(crate) fn is_over_nothing(&self, from: DVec3) -> bool {
        self.below(from).is_none_or(|met| self.is_sky(met.surface_id))
    }

    pub(crate) fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The level as tiles, if it is in tiles.
    pub(crate) fn tiles(&self) -> Option<&TiledGround> {
        match &self.ground {
            Ground::Whole { .. } => None,
            Ground::Tiled(tiled) => Some(tiled),
        }
    }

    /// The error of a tile that could not be read, or of a temporary file. Then the exploration ended, and
    /// later results mean nothing.
    pub fn fault(&self) -> Option<ExploreError> {
        self.tiles().and_then(TiledGround::fault).or_else(|| self.spill()?.fault())
    }

    /// Sets this when a tile cannot be read, or a temporary file cannot be written or read.
    pub(crate) fn stop_at_fault(&self, stop: &Stop) {
        if let Some(tiled) = self.tiles() {
            tiled.stop_at_fault(stop.clone());
        }
        if let Some(spill) = self.spill() {
            spill.stop_at_fault(stop.clone());
        }
    }

    /// The world of all that is at rest; of a level in tiles, whose worlds come and go, one of nothing.
    pub fn world(&self) -> &World {
        match &self.ground {
            Ground::Whole { world, .. } => world,
            Ground::Tiled(tiled) => tiled.nothing(),
        }
    }

    /// All triangles. Those of a level in tiles are read for it.
    pub(crate) fn soup(&self) -> Cow<'_, Soup> {
        self.ground.soup()
    }

    /// Visits every triangle once; of a level in tiles tile by tile.
    pub(crate) fn each_triangle(&self, mut visit: impl FnMut(Facet)) {
        match &self.ground {
            Ground::Whole { soup, .. } => {
                (0..soup.triangles.len()).for_each(|triangle| visit(soup.facet(triangle, triangle as u32)));
            }
            Ground::Tiled(tiled) => {
                tiled.folder().tiles().iter().for_each(|entry| tiled.each_own(entry, &mut visit));
            }
        }
    }

    /// Visits at least all triangles that touch a part of the ground plan, some of them more than once.
    pub(crate) fn each_triangle_over(&self, area: [[f64; 2]; 2], visit: impl FnMut(Facet)) {
        match &self.ground {
            Ground::Whole { .. } => self.each_triangle(visit),
            Ground::Tiled(tiled) => tiled.each_over(area, visit),
        }
    }

    /// Drops the tiles in memory: those that are wanted again are read again.
    pub(crate) fn forget_tiles(&self) {
        if let Ground::Tiled(tiled) = &self.ground {
            tiled.forget();
        }
    }

    /// How many triangles there are.
    pub fn triangle_count(&self) -> usize {
        match &self.ground {
            Ground::Whole { soup, .. } => soup.triangles.len(),
            Ground::Tiled(tiled) => tiled.folder().totals().triangles as usize,
        }
    }

    /// The least and the greatest coordinates of the triangles.
    pub fn bounds(&self) -> Extents {
        self.bounds
    }

    /// The lowest point that a fall is followed to. A sky far below everything is not waited for, unless a
    /// volume may be on the way.
    fn lowest(&self) -> f64 {
        let ground = if self.volumes.is_empty() { self.lowest_ground - DEEP } else { f64::NEG_INFINITY };
        self.bounds.low.y.max(ground).min(self.movers.lowest())
    }

    /// Below this a center has left the world.
    pub fn abyss(&self) -> f64 {
        self.lowest() - 10.0
    }

    /// Below this nothing can hold a body any more that reaches so far down and up from its center: all that
    /// it does is fall.
    pub(crate) fn beneath(&self, half_height: f64) -> f64 {
        (self.lowest() - 1.01 * half_height).max(self.abyss())
    }

    /// FNV-1a, 64 bits, over the bytes of vertices and triangles: a checkpoint of another level is not
    /// resumed.
    pub fn checksum(&self) -> u64 {
        match &self.ground {
            Ground::Whole { soup, .. } => checksum(&soup.vertices, &soup.triangles),
            Ground::Tiled(tiled) => tiled.folder().totals().hash,
        }
    }
}
