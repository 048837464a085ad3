//! Tiles of generated hills, written while they are made: the memory holds one row of tiles.

use std::collections::VecDeque;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use carom_formats::{Grid, LevelChecksum, Tile, TileWriter, TiledLevel, Totals};
use carom_scenes::workload::TerrainRows;

/// The most quads along a side: with more the triangles could not be numbered.
const MOST: usize = 46_340;

/// How many quads `terrain:N` has along a side; `None` for any other name.
pub(super) fn quads(name: &Path) -> Result<Option<usize>> {
    let Some(number) = name.to_str().and_then(|name| name.strip_prefix("terrain:")) else { return Ok(None) };
    let quads = number.parse::<usize>().ok().filter(|quads| (1..=MOST).contains(quads));
    let quads = quads.with_context(|| {
        format!("terrain:{number}: the number must be a whole number of meters from 1 to {MOST}")
    })?;
    Ok(Some(quads))
}

/// Rows of vertices, from the one of this number on.
struct Band {
    first: usize,
    rows: VecDeque<Vec<[f32; 3]>>,
}

/// Writes the tiles of a terrain with this many quads along a side. Returns the number of tiles.
pub(super) fn write(quads: usize, grid: Grid, folder: &Path) -> Result<usize> {
    let [first, last] = grid.touched(0.0, quads as f64);
    let tiles = (i64::from(last) - i64::from(first) + 1).pow(2);
    ensure!(
        tiles <= 1_000_000,
        "{tiles} tiles of {} m are more than a million: use a larger --size",
        grid.size
    );
    let name = format!("terrain:{quads}");
    // Its own hash is known when all is written.
    let about = format!("{name} {} {}", grid.size, grid.margin);
    let world = carom_formats::bytes_checksum(about.as_bytes());
    let mut writer = TileWriter::create(folder, world, TiledLevel::plain(&name, grid))?;
    let mut source = TerrainRows::new(quads);
    let mut hash = LevelChecksum::default();
    let mut bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    let mut band = Band { first: 0, rows: VecDeque::new() };
    for z in first..=last {
        let [from, to] = reached(grid, quads, z);
        while band.first + band.rows.len() <= to + 1
            && let Some(row) = source.next()
        {
            hash.vertices(&row);
            for vertex in &row {
                for (axis, x) in vertex.iter().enumerate() {
                    bounds[0][axis] = bounds[0][axis].min(*x);
                    bounds[1][axis] = bounds[1][axis].max(*x);
                }
            }
            band.rows.push_back(row);
        }
        while band.first < from {
            band.rows.pop_front();
            band.first += 1;
        }
        for x in first..=last {
            writer.put(&tile(&source, &band, grid, [x, z]))?;
        }
    }
    for j in 0..quads {
        for i in 0..quads {
            hash.triangles(&source.quad([i, j]));
        }
    }
    let (vertices, triangles) = (((quads + 1) * (quads + 1)) as u32, (2 * quads * quads) as u32);
    Ok(writer.finish(Totals { vertices, triangles, hash: hash.value(), bounds })?)
}

/// The first and the last quad along an axis that a tile has.
fn reached(grid: Grid, quads: usize, number: i32) -> [usize; 2] {
    let low = f64::from(number) * grid.size - grid.margin;
    let high = f64::from(number) * grid.size + grid.size + grid.margin;
    // A quad reaches to the next integer.
    let clamp = |x: f64| x.clamp(0.0, quads as f64 - 1.0) as usize;
    [clamp(low.ceil() - 1.0), clamp(high.floor())]
}

fn tile(source: &TerrainRows, band: &Band, grid: Grid, at: [i32; 2]) -> Tile {
    let quads = source.quads();
    let [[left, right], [near, far]] = at.map(|number| reached(grid, quads, number));
    let row = quads + 1;
    let width = right - left + 2;
    let mut tile = Tile { at, ..Tile::default() };
    for j in near..=far + 1 {
        for i in left..=right + 1 {
            tile.vertex_numbers.push((j * row + i) as u32);
            tile.vertices.push(band.rows[j - band.first][i]);
        }
    }
    for j in near..=far {
        for i in left..=right {
            let local = |corner: u32| {
                let (j, i) = (corner as usize / row, corner as usize % row);
                ((j - near) * width + i - left) as u32
            };
            for (number, corners) in (0u32..).zip(source.quad([i, j])) {
                tile.triangle_numbers.push(2 * (j * quads + i) as u32 + number);
                tile.triangles.push(corners.map(local));
            }
        }
    }
    tile
}
