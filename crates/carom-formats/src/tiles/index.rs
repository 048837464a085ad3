//! The contents of the index of a folder of tiles.

use glam::DVec3;

use super::error::TileError;
use crate::extents::Extents;
use crate::format::Format;
use crate::level::Landmark;
use crate::up::Up;
use crate::volume::Volume;

/// Squares of the ground plan, and how far beyond them a tile knows the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// The side of a square, in meters.
    pub size: f64,
    /// How far around its square a tile has triangles, in meters.
    pub margin: f64,
}

/// Tiles of no more meters: beyond, one tile is the level.
const LARGEST: f64 = 1e6;
/// Squares along an axis, so that their numbers stay small.
const FARTHEST: f64 = 1e6;

impl Grid {
    /// A grid.
    ///
    /// # Errors
    /// A size that is not above 0, a margin that is, or is larger than the size.
    pub fn new(size: f64, margin: f64) -> Result<Self, TileError> {
        let refused = |reason: &str| Err(TileError::Size { size, margin, reason: reason.to_owned() });
        if !(size > 0.0 && size <= LARGEST) {
            return refused("the size must be above 0 and at most 1,000,000 m; 64 to 256 suit most levels");
        }
        if !(margin > 0.0 && margin <= size) {
            return refused("the margin must be above 0 and at most the size; 8 suits bodies of about 2 m");
        }
        Ok(Self { size, margin })
    }

    /// The square over which a point is.
    pub fn square(&self, x: f64, z: f64) -> [i32; 2] {
        [x, z].map(|x| (x / self.size).floor() as i32)
    }

    /// The first and the last square along an axis whose tiles have what reaches from `low` to `high` there.
    pub fn touched(&self, low: f64, high: f64) -> [i32; 2] {
        let first = ((low - self.margin) / self.size).ceil() - 1.0;
        let last = ((high + self.margin) / self.size).floor();
        [first as i32, last as i32]
    }

    /// Whether a coordinate has a square.
    pub(crate) fn reaches(&self, x: f64) -> bool {
        (x / self.size).abs() < FARTHEST
    }
}

/// One tile in the index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileEntry {
    /// Which square: along x and along z, from the origin.
    pub at: [i32; 2],
    /// How many triangles its file has.
    pub triangles: u32,
    /// The least and the greatest coordinates of those triangles, in meters; of a tile that has vertices
    /// only, of those.
    pub bounds: [[f32; 3]; 2],
    /// FNV-1a, 64 bits, of the file.
    pub hash: u64,
}

/// A level in tiles: all but the triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct TiledLevel {
    /// The name of the level that was cut.
    pub name: String,
    /// The format that it was read from.
    pub format: Format,
    /// The axis that points up in that file.
    pub up: Up,
    /// Meters per unit of that file.
    pub scale: f64,
    /// The body that explores it unless another is given: a name that `carom explore --preset` knows.
    pub preset: Option<String>,
    /// Its squares.
    pub grid: Grid,
    /// Names of surfaces, as in [`RawLevel::surfaces`](crate::RawLevel::surfaces).
    pub surfaces: Vec<String>,
    /// Their colors.
    pub colors: Vec<Option<[f32; 3]>>,
    /// Those that show the sky, as in [`RawLevel::skies`](crate::RawLevel::skies).
    pub skies: Vec<u16>,
    /// Named points.
    pub landmarks: Vec<Landmark>,
    /// Parts of space that mean something.
    pub volumes: Vec<Volume>,
    /// FNV-1a, 64 bits, of the .bsp or .map file, if it is closed: the folder has a copy.
    pub source: Option<u64>,
}

impl TiledLevel {
    /// A level without names, colors, points and volumes.
    pub fn plain(name: &str, grid: Grid) -> Self {
        Self {
            name: name.to_owned(),
            format: Format::Obj,
            up: Up::Y,
            scale: 1.0,
            preset: None,
            grid,
            surfaces: Vec::new(),
            colors: Vec::new(),
            skies: Vec::new(),
            landmarks: Vec::new(),
            volumes: Vec::new(),
            source: None,
        }
    }
}

/// All tiles together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals {
    /// Vertices of the level, used or not.
    pub vertices: u32,
    /// Triangles of the level.
    pub triangles: u32,
    /// [`checksum`](crate::checksum) of the two.
    pub hash: u64,
    /// The least and the greatest coordinates of the triangles, in meters.
    pub bounds: [[f32; 3]; 2],
}

/// The least and greatest coordinates of what two boxes hold.
pub(crate) fn union(a: [[f32; 3]; 2], b: [[f32; 3]; 2]) -> [[f32; 3]; 2] {
    [std::array::from_fn(|i| a[0][i].min(b[0][i])), std::array::from_fn(|i| a[1][i].max(b[1][i]))]
}

/// A box in f64.
pub(crate) fn extents(bounds: [[f32; 3]; 2]) -> Extents {
    let [low, high] = bounds.map(|p| DVec3::from_array(p.map(f64::from)));
    Extents { low, high }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_make_no_grid_are_refused() {
        for (size, margin) in [
            (0.0, 8.0),
            (-1.0, 8.0),
            (f64::NAN, 8.0),
            (f64::INFINITY, 8.0),
            (128.0, 0.0),
            (128.0, -1.0),
            (128.0, f64::NAN),
            (4.0, 8.0),
        ] {
            let said = Grid::new(size, margin).unwrap_err().to_string();
            assert!(said.contains("must be above 0"), "{said}");
        }
    }

    #[test]
    fn a_square_is_touched_by_what_reaches_its_margin() {
        let grid = Grid::new(10.0, 2.0).unwrap();
        assert_eq!(grid.touched(3.0, 7.0), [0, 0]);
        assert_eq!(grid.touched(1.0, 7.0), [-1, 0]);
        assert_eq!(grid.touched(2.0, 8.0), [-1, 1]);
        assert_eq!(grid.touched(2.1, 7.9), [0, 0]);
        assert_eq!(grid.touched(-13.0, 41.0), [-2, 4]);
        assert_eq!(grid.square(-0.1, 10.0), [-1, 1]);
    }
}
