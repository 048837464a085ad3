//! A level with only the tiles in use in memory.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use carom::shape::Mover;
use carom::{Cast, World};
use carom_formats::{LoadOptions, Tile, TileEntry, TileError, TileFolder};
use glam::DVec3;
use rayon::prelude::*;

use super::cache::Cache;
use super::loader::Loader;
use super::soup::{Facet, Met, Soup};
use super::tile::LoadedTile;
use crate::error::ExploreError;
use crate::stop::Stop;

/// A level in tiles.
#[derive(Debug)]
pub(crate) struct TiledGround {
    folder: Arc<TileFolder>,
    loader: Loader,
    cache: Cache,
    /// The first tile that could not be read while it was wanted.
    fault: Mutex<Option<ExploreError>>,
    /// Set then, so that the work ends.
    stop: Mutex<Option<Stop>>,
    nothing: World,
}

impl TiledGround {
    /// The level in a folder, every tile of which is checked now.
    pub(crate) fn open(folder: TileFolder, memory: usize) -> Result<Self, ExploreError> {
        let wrong: Option<TileError> =
            folder.tiles().par_iter().filter_map(|entry| folder.check(entry).err()).find_first(|_| true);
        if let Some(wrong) = wrong {
            return Err(ExploreError::Tiles(wrong.to_string()));
        }
        if folder.totals().triangles == 0 {
            return Err(ExploreError::NoTriangles);
        }
        Ok(Self {
            folder: Arc::new(folder),
            loader: Loader::start()?,
            cache: Cache::new(memory),
            fault: Mutex::new(None),
            stop: Mutex::new(None),
            nothing: World::new(),
        })
    }

    pub(crate) fn folder(&self) -> &TileFolder {
        &self.folder
    }

    /// A world without triangles.
    pub(crate) fn nothing(&self) -> &World {
        &self.nothing
    }

    /// How far around its square a tile knows the level.
    pub(crate) fn margin(&self) -> f64 {
        self.folder.level().grid.margin
    }

    /// Sets this when a tile cannot be read.
    pub(crate) fn stop_at_fault(&self, stop: Stop) {
        *self.stop.lock().unwrap_or_else(PoisonError::into_inner) = Some(stop);
    }

    /// Why tiles are missing from what was asked, if any are: then all answers since are worth nothing.
    pub(crate) fn fault(&self) -> Option<ExploreError> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn fail(&self, error: ExploreError) {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        if let Some(stop) = &*self.stop.lock().unwrap_or_else(PoisonError::into_inner) {
            stop.set();
        }
    }

    /// Bytes of the tiles in memory.
    pub(crate) fn memory(&self) -> usize {
        self.cache.memory()
    }

    /// Drops the tiles in memory.
    pub(crate) fn forget(&self) {
        self.cache.clear();
    }

    /// The tile over a square, read or from memory.
    pub(crate) fn get(&self, at: [i32; 2]) -> Arc<LoadedTile> {
        self.cache.get(at, || {
            let tiles = self.folder.tiles();
            let known = self.known([at, at]);
            match tiles.binary_search_by_key(&at, |entry| entry.at) {
                Ok(number) => self.load(vec![tiles[number]], known),
                Err(_) => LoadedTile::empty(known),
            }
        })
    }

    /// A world of tiles.
    fn load(&self, entries: Vec<TileEntry>, known: [[f64; 2]; 2]) -> LoadedTile {
        let folder = Arc::clone(&self.folder);
        let made = self.loader.make(move || {
            let read = |entry| folder.tile(entry).map_err(|error| ExploreError::Tiles(error.to_string()));
            let mut tiles = entries.iter().map(read).collect::<Result<Vec<Tile>, ExploreError>>()?;
            let tile = if tiles.len() == 1 { tiles.swap_remove(0) } else { merged(&tiles) };
            LoadedTile::new(tile, known)
        });
        made.unwrap_or_else(|error| {
            // In place of what could not be read nothing; the fault is kept.
            self.fail(error);
            LoadedTile::empty(known)
        })
    }

    /// Where tiles over a block of squares, first and last, know all triangles.
    fn known(&self, [first, last]: [[i32; 2]; 2]) -> [[f64; 2]; 2] {
        let grid = self.folder.level().grid;
        let low = first.map(|at| f64::from(at) * grid.size - grid.margin);
        let high = last.map(|at| (f64::from(at) + 1.0) * grid.size + grid.margin);
        [low, high]
    }

    /// The tiles over a block of squares, first and last.
    fn block(&self, [first, last]: [[i32; 2]; 2]) -> Vec<TileEntry> {
        let tiles = self.folder.tiles();
        let mut block = Vec::new();
        let mut next = tiles.partition_point(|entry| entry.at < first);
        while let Some(entry) = tiles.get(next).filter(|entry| entry.at[0] <= last[0]) {
            let x = entry.at[0];
            let from = next + tiles[next..].partition_point(|entry| entry.at < [x, first[1]]);
            let to = from + tiles[from..].partition_point(|entry| entry.at <= [x, last[1]]);
            block.extend_from_slice(&tiles[from..to]);
            next = to + tiles[to..].partition_point(|entry| entry.at[0] <= x);
        }
        block
    }

    fn squares(&self, [low, high]: [[f64; 2]; 2]) -> [[i32; 2]; 2] {
        let grid = self.folder.level().grid;
        [grid.square(low[0], low[1]), grid.square(high[0], high[1])]
    }

    /// A world with every triangle that reaches to within a distance of a center, seen from above.
    pub(crate) fn around(&self, center: DVec3, reach: f64) -> Arc<LoadedTile> {
        self.over([[center.x - reach, center.z - reach], [center.x + reach, center.z + reach]])
    }

    /// A world with every triangle that a body at rest may touch.
    pub(crate) fn about(&self, body: &Mover, center: DVec3) -> Arc<LoadedTile> {
        let [low, high] = reached(body, center, center, self.margin());
        self.over([low, high])
    }

    /// A world with every triangle between two corners of the ground plan: that of one tile if it can be.
    fn over(&self, area: [[f64; 2]; 2]) -> Arc<LoadedTile> {
        let [low, high] = area;
        let middle = self.folder.level().grid.square(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]));
        let tile = self.get(middle);
        if tile.knows_all(area) {
            return tile;
        }
        // Something larger, or faster, than a margin: rare.
        let squares = self.squares(area);
        Arc::new(self.load(self.block(squares), self.known(squares)))
    }

    /// The first hit of a cast.
    pub(crate) fn meet(&self, cast: &Cast) -> Option<Met> {
        let path = cast.path();
        let from = path.from();
        let area = reached(cast.mover(), from, from + path.translation(), self.margin());
        let grid = self.folder.level().grid;
        let tile = self.get(grid.square(from.x, from.z));
        if tile.knows_all(area) {
            return tile.meet(cast);
        }
        match cast.mover() {
            Mover::Point => self.meet_along(cast, area),
            _ => self.over(area).meet(cast),
        }
    }

    /// The first hit of a ray, tile after tile. A tile is believed where all around is known to it.
    fn meet_along(&self, cast: &Cast, area: [[f64; 2]; 2]) -> Option<Met> {
        let (from, translation) = (cast.path().from(), cast.path().translation());
        let grid = self.folder.level().grid;
        let mut passed: Vec<(f64, f64, TileEntry)> = Vec::new();
        for entry in self.block(self.squares(area)) {
            let (mut enters, mut leaves) = (0.0f64, 1.0f64);
            for (axis, (start, length)) in
                [(from.x, translation.x), (from.z, translation.z)].into_iter().enumerate()
            {
                let low = f64::from(entry.at[axis]) * grid.size;
                let (a, b) = ((low - start) / length, (low + grid.size - start) / length);
                if length != 0.0 {
                    enters = enters.max(a.min(b));
                    leaves = leaves.min(a.max(b));
                } else if start < low || start > low + grid.size {
                    leaves = -1.0;
                }
            }
            if enters <= leaves {
                passed.push((enters, leaves, entry));
            }
        }
        passed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.at.cmp(&b.2.at)));
        for (enters, leaves, entry) in passed {
            let tile = self.get(entry.at);
            let Some(met) = tile.meet(cast) else { continue };
            if tile.knows(from + translation * met.hit.fraction, 0.5 * grid.margin) {
                return Some(met);
            }
            if met.hit.fraction < enters.min(leaves) {
                // At an edge whose neighbor this tile has not: all together say what is there.
                return self.over(area).meet(cast);
            }
        }
        None
    }

    /// Visits the triangles of a tile that are its own, each of the level so once, with their numbers: those
    /// with the least x and z over its square.
    pub(crate) fn each_own(&self, entry: &TileEntry, mut visit: impl FnMut(Facet)) {
        let grid = self.folder.level().grid;
        self.each_of(entry, |facet| {
            let [a, b, c] = facet.corners;
            let low = a.min(b).min(c);
            if grid.square(low.x, low.z) == entry.at {
                visit(facet);
            }
        });
    }

    /// Visits the triangles of the tiles over a part of the ground plan, which are read for it: at least all
    /// that touch it, some of them more than once.
    pub(crate) fn each_over(&self, area: [[f64; 2]; 2], mut visit: impl FnMut(Facet)) {
        self.block(self.squares(area)).iter().for_each(|entry| self.each_of(entry, &mut visit));
    }

    /// Visits the triangles of a tile, which is read without a tree: it is not asked what it meets.
    fn each_of(&self, entry: &TileEntry, mut visit: impl FnMut(Facet)) {
        let tile = self.folder.tile(entry).unwrap_or_else(|error| {
            self.fail(ExploreError::Tiles(error.to_string()));
            Tile::default()
        });
        let Tile { vertices, triangles, surface_ids, triangle_numbers, .. } = tile;
        let soup = Soup { vertices, triangles, surface_ids };
        for (triangle, number) in triangle_numbers.into_iter().enumerate() {
            visit(soup.facet(triangle, number));
        }
    }

    /// Like [`Self::each_over`], of tiles that are wanted again and so stay in memory.
    pub(crate) fn each_near(&self, area: [[f64; 2]; 2], mut visit: impl FnMut(Facet)) {
        for entry in self.block(self.squares(area)) {
            let tile = self.get(entry.at);
            for (triangle, number) in tile.numbers.iter().enumerate() {
                visit(tile.soup.facet(triangle, *number));
            }
        }
    }

    /// All triangles, read tile by tile.
    pub(crate) fn soup(&self) -> Soup {
        let path: &Path = self.folder.path();
        match carom_formats::load(path, &LoadOptions::default()) {
            Ok(raw) => {
                Soup { vertices: raw.vertices, triangles: raw.triangles, surface_ids: raw.surface_ids }
            }
            Err(error) => {
                self.fail(ExploreError::Tiles(error.to_string()));
                Soup::default()
            }
        }
    }
}

/// The area that a moving body may touch, seen from above, with room for rounding.
fn reached(body: &Mover, from: DVec3, to: DVec3, margin: f64) -> [[f64; 2]; 2] {
    let (low, high) = (body.bounds().min(), body.bounds().max());
    let (low, high) = (from.min(to) + 1.01 * low, from.max(to) + 1.01 * high);
    let room = 0.01 * margin;
    [[low.x - room, low.z - room], [high.x + room, high.z + room]]
}

/// One tile with the triangles of several, by their numbers.
fn merged(tiles: &[Tile]) -> Tile {
    let (mut vertices, mut triangles) = (BTreeMap::new(), BTreeMap::new());
    for tile in tiles {
        vertices.extend(tile.vertex_numbers.iter().copied().zip(tile.vertices.iter().copied()));
        for (i, (number, corners)) in tile.triangle_numbers.iter().zip(&tile.triangles).enumerate() {
            let corners = corners.map(|corner| tile.vertex_numbers[corner as usize]);
            triangles.insert(*number, (corners, tile.surface_ids.get(i).copied()));
        }
    }
    let vertex_numbers: Vec<u32> = vertices.keys().copied().collect();
    let local = |corner: u32| vertex_numbers.binary_search(&corner).unwrap_or_default() as u32;
    Tile {
        at: [0, 0],
        vertices: vertices.into_values().collect(),
        triangle_numbers: triangles.keys().copied().collect(),
        triangles: triangles.values().map(|(corners, _)| corners.map(local)).collect(),
        surface_ids: triangles.values().filter_map(|(_, id)| *id).collect(),
        vertex_numbers,
    }
}

#[cfg(test)]
mod tests {
    use carom::mesh::MeshData;
    use carom::num::ops;
    use carom::shape::{Ellipsoid, Sphere};
    use carom::world::Layers;
    use carom_formats::{Format, Grid, RawLevel, TileName, cut, parse};
    use carom_scenes::Random;
    use glam::dvec3;

    use super::*;
    use crate::ground::Ground;

    /// Boxes, long beams, and triangles of all sizes that share corners.
    fn soup(seed: u64) -> RawLevel {
        let mut random = Random::scattered(seed);
        let mut level = parse(b"v 0 0 0", Format::Obj, &LoadOptions::default()).unwrap();
        level.vertices =
            (0..150).map(|_| [40.0, 6.0, 40.0].map(|reach| random.between(-reach, reach) as f32)).collect();
        let corner = |random: &mut Random, first: usize| ((first + random.below(6)) % 150) as u32;
        level.triangles = (0..200)
            .map(|_| {
                let first = random.below(150);
                std::array::from_fn(|_| corner(&mut random, first))
            })
            .collect();
        // A floor of quads, so that edges are flat, and on the borders of tiles.
        for i in -4..4_i8 {
            for j in -4..4_i8 {
                let first = level.vertices.len() as u32;
                for (x, z) in [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)] {
                    level.vertices.push([f32::from(x) * 10.0, -2.0, f32::from(z) * 10.0]);
                }
                level.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
            }
        }
        level
    }

    #[test]
    fn casts_meet_the_same_and_bodies_have_the_same_room_as_in_the_whole_level() {
        let mut hits = 0;
        for seed in 0..12 {
            let level = soup(seed);
            let mut random = Random::scattered(!seed);
            let size = [5.0, 10.0, random.between(5.0, 30.0)][random.below(3)];
            let place = tempfile::tempdir().unwrap();
            cut(
                &level,
                TileName { level: "soup", preset: None },
                Grid::new(size, 2.5).unwrap(),
                place.path(),
            )
            .unwrap();
            let folder = TileFolder::open(place.path()).unwrap();
            let tiled = Ground::Tiled(TiledGround::open(folder, 1 << 18).unwrap());
            let (vertices, triangles) = (level.vertices, level.triangles);
            let whole = Ground::whole(MeshData { vertices, triangles, ..MeshData::default() }).unwrap();
            for number in 0..3000 {
                let mut point = || {
                    let at = [45.0, 9.0, 45.0].map(|reach| random.between(-reach, reach));
                    let [x, y, z] = at;
                    // On borders of tiles, now and then.
                    if number % 5 == 0 { dvec3((x / size).round() * size, y, z) } else { dvec3(x, y, z) }
                };
                let (from, to) = (point(), point());
                let way = match number % 4 {
                    0 => dvec3(0.0, to.y - from.y, 0.0),
                    1 => dvec3(0.0, 0.0, to.z - from.z),
                    2 => (to - from) * 0.05,
                    _ => to - from,
                };
                let mover: Mover = match number % 3 {
                    0 => Sphere::new(0.4).unwrap().into(),
                    1 => Ellipsoid::new(dvec3(0.4, 0.9, 0.3)).unwrap().into(),
                    _ => Mover::Point,
                };
                let cast = Cast::new(mover, from, way).unwrap();
                let [a, b] = [whole.meet(&cast), tiled.meet(&cast)];
                let said = |met: &Option<Met>| {
                    met.as_ref().map(|met| format!("{:?} {:?} {:?}", met.hit.hit, met.hit.part, met.corners))
                };
                assert_eq!(said(&a), said(&b), "seed {seed}, {cast:?}");
                hits += u32::from(a.is_some());
                if let Some(met) = a {
                    let short = 0.01 * way / ops::sqrt(way.length_squared());
                    let at = from + way * met.hit.fraction - 0.5 * short;
                    let cast = Cast::new(Mover::Point, at, short).unwrap();
                    assert_eq!(whole.sides(&cast), tiled.sides(&cast), "seed {seed}, {cast:?}");
                }
                let has_room = |ground: &Ground| ground.has_room(&mover, from, Layers::ALL);
                assert_eq!(has_room(&whole), has_room(&tiled), "seed {seed}, {mover:?} at {from}");
            }
        }
        assert!(hits > 10_000, "{hits}");
    }
}
