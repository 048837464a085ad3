//! Cuts a level in memory. Cost: its triangles once for each tile that they touch.

use std::collections::BTreeMap;
use std::path::Path;

use super::error::TileError;
use super::index::{Grid, TiledLevel, Totals, union};
use super::tile::Tile;
use super::writer::TileWriter;
use crate::checksum::checksum;
use crate::level::RawLevel;

/// A triangle may be in this many tiles on average,
const MOST_COPIES: u64 = 16;
/// and this many more copies are never too many.
const FREE_COPIES: u64 = 4_000_000;

/// The contents of one tile: numbers of triangles, and of vertices that no triangle uses.
#[derive(Default)]
struct Share {
    triangles: Vec<u32>,
    strays: Vec<u32>,
}

/// The description of the level in a folder of tiles.
#[derive(Clone, Copy, Debug)]
pub struct TileName<'a> {
    /// The name of the level in reports.
    pub level: &'a str,
    /// The body that explores it unless another is given.
    pub preset: Option<&'a str>,
}

/// Cuts a level into tiles; how many there are. `preset` is the name of the body that explores it unless
/// another is given.
///
/// # Errors
/// No triangles, vertices that are not finite or too far away, tiles so small that they are mostly copies; a
/// folder that holds something else or cannot be written.
pub fn cut(level: &RawLevel, name: TileName<'_>, grid: Grid, folder: &Path) -> Result<usize, TileError> {
    TileWriter::check(folder)?;
    if level.triangles.is_empty() {
        return Err(TileError::Level("the level has no triangles".to_owned()));
    }
    if let Some(vertex) = level.vertices.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(TileError::Level(format!("vertex {vertex} is not finite")));
    }
    let far = |p: &[f32; 3]| !(grid.reaches(p[0].into()) && grid.reaches(p[2].into()));
    if let Some(vertex) = level.vertices.iter().position(far) {
        let reason =
            format!("vertex {vertex} is more than a million tiles from the origin: use a larger size");
        return Err(TileError::Size { size: grid.size, margin: grid.margin, reason });
    }
    let shares = shares(level, grid)?;
    let hash = checksum(&level.vertices, &level.triangles);
    let about = TiledLevel {
        format: level.format,
        up: level.up,
        scale: level.scale,
        preset: name.preset.map(str::to_owned),
        surfaces: level.surfaces.clone(),
        colors: level.colors.clone(),
        skies: level.skies.clone(),
        landmarks: level.landmarks.clone(),
        volumes: level.volumes.clone(),
        ..TiledLevel::plain(name.level, grid)
    };
    let mut writer = TileWriter::create(folder, hash, about)?;
    if let Some(source) = level.source.as_ref().filter(|source| source.interior().is_some()) {
        writer.put_source(&source.bytes)?;
    }
    let mut bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    for (at, share) in shares {
        let tile = tile(level, at, &share);
        bounds = union(bounds, tile.bounds());
        writer.put(&tile)?;
    }
    let (vertices, triangles) = (level.vertices.len() as u32, level.triangles.len() as u32);
    writer.finish(Totals { vertices, triangles, hash, bounds })
}

/// Which triangles each tile has.
fn shares(level: &RawLevel, grid: Grid) -> Result<BTreeMap<[i32; 2], Share>, TileError> {
    let mut shares: BTreeMap<[i32; 2], Share> = BTreeMap::new();
    let mut is_used = vec![false; level.vertices.len()];
    let most = FREE_COPIES + MOST_COPIES * level.triangles.len() as u64;
    let mut copies = 0u64;
    for (number, triangle) in (0u32..).zip(&level.triangles) {
        triangle.iter().for_each(|corner| is_used[*corner as usize] = true);
        let along = |axis: usize| triangle.map(|corner| f64::from(level.vertices[corner as usize][axis]));
        let touched = |axis: usize| {
            let at = along(axis);
            grid.touched(at[0].min(at[1]).min(at[2]), at[0].max(at[1]).max(at[2]))
        };
        let ([left, right], [near, far]) = (touched(0), touched(2));
        let count = |from: i32, to: i32| (i64::from(to) - i64::from(from) + 1).cast_unsigned();
        copies = copies.saturating_add(count(left, right).saturating_mul(count(near, far)));
        if copies > most {
            let reason = format!(
                "triangles up to number {number} alone have more than {most} copies in tiles: use a larger size"
            );
            return Err(TileError::Size { size: grid.size, margin: grid.margin, reason });
        }
        for x in left..=right {
            for z in near..=far {
                shares.entry([x, z]).or_default().triangles.push(number);
            }
        }
    }
    for (number, used) in (0u32..).zip(is_used) {
        if !used {
            let [x, _, z] = level.vertices[number as usize].map(f64::from);
            shares.entry(grid.square(x, z)).or_default().strays.push(number);
        }
    }
    Ok(shares)
}

fn tile(level: &RawLevel, at: [i32; 2], share: &Share) -> Tile {
    let corners = share.triangles.iter().flat_map(|number| level.triangles[*number as usize]);
    let mut vertex_numbers: Vec<u32> = corners.chain(share.strays.iter().copied()).collect();
    vertex_numbers.sort_unstable();
    vertex_numbers.dedup();
    let local = |corner: u32| vertex_numbers.binary_search(&corner).unwrap_or_default() as u32;
    let triangles =
        share.triangles.iter().map(|number| level.triangles[*number as usize].map(local)).collect();
    let ids = share.triangles.iter().filter_map(|number| level.surface_ids.get(*number as usize));
    Tile {
        at,
        vertices: vertex_numbers.iter().map(|number| level.vertices[*number as usize]).collect(),
        triangle_numbers: share.triangles.clone(),
        triangles,
        surface_ids: ids.copied().collect(),
        vertex_numbers,
    }
}
