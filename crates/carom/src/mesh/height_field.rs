//! Height fields: terrain as a grid of heights, with four or two bytes per sample and nothing else.
//!
//! Idea: a cell between four samples is two triangles. They are computed from the samples on demand, with the
//! f32 vertices and the flat edges of a mesh of the same triangles. Error: as for meshes, exact for those
//! vertices. Cost: four samples for a triangle, and an exact sign for an edge that is nearly flat.

use alloc::vec::Vec;

use glam::DVec3;
use thiserror::Error;

use super::check::MOST_TRIANGLES;
use super::data::position;
use super::fold::{Fold, fold};
use super::normals::unit_normal;
use super::{FeatureNormals, Mesh, MeshData, MeshError, Surface};
use crate::shape::Aabb;
use crate::sweep::Feature;

/// The stored heights.
#[derive(Clone, Debug, PartialEq)]
pub enum Heights {
    /// In meters.
    F32(Vec<f32>),
    /// In steps above a lowest height, both in meters: the samples of a 16-bit picture.
    U16 {
        /// Row by row.
        samples: Vec<u16>,
        /// The height of a sample of 0.
        lowest: f64,
        /// The height that a sample of 1 adds.
        step: f64,
    },
}

impl Heights {
    fn len(&self) -> usize {
        match self {
            Self::F32(samples) => samples.len(),
            Self::U16 { samples, .. } => samples.len(),
        }
    }

    fn at(&self, index: usize) -> f32 {
        match self {
            Self::F32(samples) => samples[index],
            Self::U16 { samples, lowest, step } => (lowest + step * f64::from(samples[index])) as f32,
        }
    }
}

/// Why samples do not form a height field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HeightFieldError {
    /// There are fewer than two samples along a side.
    #[error("a height field needs at least 2 columns and 2 rows of samples, not {columns} × {rows}")]
    TooSmall {
        /// Along x.
        columns: u32,
        /// Along z.
        rows: u32,
    },
    /// More triangles than 32 bits number.
    #[error(
        "a height field of {columns} × {rows} samples has more than {} triangles: split it",
        MOST_TRIANGLES
    )]
    TooLarge {
        /// Along x.
        columns: u32,
        /// Along z.
        rows: u32,
    },
    /// The number of samples is not columns times rows.
    #[error("{expected} samples are needed, row by row, but there are {found}")]
    Samples {
        /// Columns times rows.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A height is NaN, infinite, or beyond the range of f32.
    #[error("sample {0} must be finite")]
    SampleNotFinite(usize),
    /// A spacing is not a length, or so small that two columns or rows coincide in f32.
    #[error("the spacing must be finite, greater than 0, and large enough that no two samples coincide")]
    Spacing,
    /// A hole or a surface refers to a cell outside the field.
    #[error("there is no cell {column}, {row}")]
    NoSuchCell {
        /// Along x.
        column: u32,
        /// Along z.
        row: u32,
    },
    /// A list of surfaces does not fit the cells.
    #[error("{0}")]
    Surfaces(&'static str),
}

/// Terrain: a grid of heights along y. Its first sample is at x = 0 and z = 0 of the body. Columns run along
/// x, rows along z.
///
/// Use it instead of a mesh for large terrain: it gives the same bits, with at most 2 bytes per triangle
/// instead of about 60. A cell has two triangles, split from its corner of the lower column and row to the
/// opposite one, front up: part `2·cell` on the side of the higher row, part `2·cell + 1` on the side of the
/// higher column. Cells are numbered row by row.
///
/// ```
/// use carom::mesh::{HeightField, Heights};
/// use carom::{Body, World, glam::dvec3};
/// // A ramp of 2 × 1 cells, half a meter apart.
/// let ramp = HeightField::new([3, 2], [0.5, 0.5], Heights::F32(vec![0.0, 1.0, 2.0, 0.0, 1.0, 2.0]))?;
/// let mut world = World::new();
/// world.add(Body::fixed(ramp).at(dvec3(10.0, 0.0, 0.0)));
/// let hit = world.raycast(dvec3(10.75, 5.0, 0.25), dvec3(0.0, -10.0, 0.0))?.unwrap();
/// assert!((hit.point.y - 1.5).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    columns: u32,
    rows: u32,
    spacing: [f64; 2],
    heights: Heights,
    /// A bit for each cell; empty without holes.
    holes: Vec<u64>,
    surfaces: Vec<Surface>,
    /// The surface of each cell; empty if all are 0.
    surface_ids: Vec<u8>,
    lowest: f32,
    highest: f32,
}

impl HeightField {
    /// A field of columns × rows samples, row by row, `spacing` meters apart along x and z.
    ///
    /// # Errors
    /// There are fewer than two samples along a side, more triangles than 32 bits can number, or a wrong
    /// number of samples; or a height or a spacing is NaN or out of range.
    pub fn new(size: [u32; 2], spacing: [f64; 2], heights: Heights) -> Result<Self, HeightFieldError> {
        let [columns, rows] = size;
        if columns < 2 || rows < 2 {
            return Err(HeightFieldError::TooSmall { columns, rows });
        }
        if 2 * u64::from(columns - 1) * u64::from(rows - 1) > MOST_TRIANGLES as u64 {
            return Err(HeightFieldError::TooLarge { columns, rows });
        }
        let expected = columns as usize * rows as usize;
        if heights.len() != expected {
            return Err(HeightFieldError::Samples { expected, found: heights.len() });
        }
        let [mut lowest, mut highest] = [f32::INFINITY, f32::NEG_INFINITY];
        for index in 0..expected {
            let height = heights.at(index);
            if !height.is_finite() {
                return Err(HeightFieldError::SampleNotFinite(index));
            }
            (lowest, highest) = (lowest.min(height), highest.max(height));
        }
        for (count, spacing) in [(columns, spacing[0]), (rows, spacing[1])] {
            let place = |number: u32| (f64::from(number) * spacing) as f32;
            let grows = spacing > 0.0
                && place(count - 1).is_finite()
                && (1..count).all(|number| place(number) > place(number - 1));
            if !grows {
                return Err(HeightFieldError::Spacing);
            }
        }
        let surfaces = alloc::vec![Surface::default()];
        let (holes, surface_ids) = (Vec::new(), Vec::new());
        Ok(Self { columns, rows, spacing, heights, holes, surfaces, surface_ids, lowest, highest })
    }

    /// The same field without some of its cells, each by its column and row.
    ///
    /// # Errors
    /// There is no such cell.
    pub fn with_holes(mut self, cells: &[[u32; 2]]) -> Result<Self, HeightFieldError> {
        for &[column, row] in cells {
            if column >= self.columns - 1 || row >= self.rows - 1 {
                return Err(HeightFieldError::NoSuchCell { column, row });
            }
            if self.holes.is_empty() {
                self.holes = alloc::vec![0; (self.cell_count() as usize).div_ceil(64)];
            }
            let cell = self.cell(column, row) as usize;
            self.holes[cell / 64] |= 1 << (cell % 64);
        }
        Ok(self)
    }

    /// The same field with these materials: an index into `surfaces` for each cell, row by row. With an empty
    /// list all cells have the first.
    ///
    /// # Errors
    /// There is no surface, numbers of surfaces are negative or not finite, the number of indices is not the
    /// number of cells, or an index is beyond the list.
    pub fn with_surfaces(mut self, surfaces: Vec<Surface>, cells: Vec<u8>) -> Result<Self, HeightFieldError> {
        if surfaces.is_empty() {
            return Err(HeightFieldError::Surfaces("a height field needs at least one surface"));
        }
        if super::check_surfaces(&surfaces).is_err() {
            return Err(HeightFieldError::Surfaces("friction and restitution must be finite and at least 0"));
        }
        if !cells.is_empty() && cells.len() != self.cell_count() as usize {
            return Err(HeightFieldError::Surfaces("there must be one index for each cell, row by row"));
        }
        if cells.iter().any(|index| usize::from(*index) >= surfaces.len()) {
            return Err(HeightFieldError::Surfaces("an index of a cell is beyond the list of surfaces"));
        }
        self.surfaces = surfaces;
        self.surface_ids = if cells.iter().all(|index| *index == 0) { Vec::new() } else { cells };
        Ok(self)
    }

    /// The number of samples along x and along z.
    pub fn size(&self) -> [u32; 2] {
        [self.columns, self.rows]
    }

    /// The distances of samples along x and along z, in meters.
    pub fn spacing(&self) -> [f64; 2] {
        self.spacing
    }

    /// The height of a sample, in meters.
    ///
    /// # Panics
    /// There is no such sample.
    pub fn height(&self, column: u32, row: u32) -> f32 {
        assert!(column < self.columns && row < self.rows, "no sample {column}, {row}");
        self.heights.at(self.sample(column, row))
    }

    /// The number of triangles without holes, which numbers the parts.
    pub fn triangle_count(&self) -> u32 {
        2 * self.cell_count()
    }

    /// Whether a part exists: it is not in a hole.
    pub fn has_triangle(&self, part: u32) -> bool {
        part < self.triangle_count() && !self.is_hole(part / 2)
    }

    /// The corners of a part, in meters; exactly f32.
    ///
    /// # Panics
    /// There is no such part.
    pub fn corners(&self, part: u32) -> [DVec3; 3] {
        self.samples_of(part).map(|[column, row]| position(self.vertex(column, row)))
    }

    /// The material of a part.
    pub fn surface(&self, part: u32) -> &Surface {
        let id = self.surface_ids.get(part as usize / 2).map_or(0, |id| usize::from(*id));
        &self.surfaces[id]
    }

    /// The smallest box around all samples.
    pub fn bounds(&self) -> Aabb {
        let [x, z] = [(0, self.columns - 1), (1, self.rows - 1)]
            .map(|(axis, last)| f64::from((f64::from(last) * self.spacing[axis]) as f32));
        let [low, high] = [self.lowest, self.highest].map(f64::from);
        Aabb::new(DVec3::new(0.0, low, 0.0), DVec3::new(x, high, z))
            .expect("samples are finite, and the lowest is below the highest")
    }

    /// The bytes that it uses on the heap.
    pub fn memory(&self) -> usize {
        let samples = match &self.heights {
            Heights::F32(samples) => 4 * samples.capacity(),
            Heights::U16 { samples, .. } => 2 * samples.capacity(),
        };
        samples + 8 * self.holes.capacity() + self.surface_ids.capacity()
    }

    /// The mesh of its triangles, in the order of the parts, without those of holes.
    ///
    /// # Errors
    /// There are more triangles than a mesh may have.
    pub fn to_mesh(&self) -> Result<Mesh, MeshError> {
        let samples = || (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (column, row)));
        let parts = || (0..self.triangle_count()).filter(|part| self.has_triangle(*part));
        Mesh::new(MeshData {
            vertices: samples().map(|(column, row)| self.vertex(column, row)).collect(),
            triangles: parts()
                .map(|part| self.samples_of(part).map(|[column, row]| row * self.columns + column))
                .collect(),
            surfaces: self.surfaces.clone(),
            surface_ids: parts()
                .map(|part| self.surface_ids.get(part as usize / 2).map_or(0, |id| u16::from(*id)))
                .collect(),
            ..MeshData::default()
        })
    }

    /// The different unit normals of the triangles that share a feature of a part, as of a mesh.
    pub(crate) fn feature_normals(&self, part: u32, feature: Feature) -> FeatureNormals {
        let corners = self.samples_of(part);
        let shared = match feature {
            Feature::Face => [corners[0]; 2],
            Feature::Edge(edge) => [corners[edge as usize % 3], corners[(edge as usize + 1) % 3]],
            Feature::Vertex(vertex) => [corners[vertex as usize % 3]; 2],
        };
        let [column, row] = shared[0];
        let cells = (row.saturating_sub(1)..(row + 1).min(self.rows - 1)).flat_map(|row| {
            (column.saturating_sub(1)..(column + 1).min(self.columns - 1)).map(move |column| (column, row))
        });
        let parts = cells.flat_map(|(column, row)| {
            let cell = self.cell(column, row);
            [2 * cell, 2 * cell + 1]
        });
        let has_both = |part: &u32| {
            let corners = self.samples_of(*part);
            self.has_triangle(*part) && shared.iter().all(|corner| corners.contains(corner))
        };
        let own = (feature == Feature::Face).then_some(part);
        let around = parts.filter(|part| feature != Feature::Face && has_both(part));
        FeatureNormals::of_triangles(own.into_iter().chain(around).map(|part| self.corners(part)))
    }

    /// A bit for every edge of a part that a coplanar neighbor continues, as in a mesh.
    pub(crate) fn flat_edges(&self, part: u32) -> u32 {
        let own = self.samples_of(part);
        let here = self.surface(part).one_sided;
        let mut flat = 0;
        for edge in 0..3usize {
            let Some(neighbor) = self.neighbor(part, edge) else { continue };
            if self.surface(neighbor).one_sided && !here {
                continue;
            }
            let [a, b, far] = [own[edge], own[(edge + 1) % 3], own[(edge + 2) % 3]];
            let others = self.samples_of(neighbor);
            let Some(across) = others.into_iter().find(|corner| *corner != a && *corner != b) else {
                continue;
            };
            let [a, b, far, across] =
                [a, b, far, across].map(|[column, row]| position(self.vertex(column, row)));
            flat |= u32::from(fold(a, b, far, across) == Fold::Flat) << edge;
        }
        flat
    }

    /// The unit normal of a part, as in a mesh.
    pub fn normal(&self, part: u32) -> Option<DVec3> {
        unit_normal(self.corners(part))
    }

    /// The part across an edge; `None` at the rim and at holes.
    fn neighbor(&self, part: u32, edge: usize) -> Option<u32> {
        let (cell, is_second) = (part / 2, part % 2 == 1);
        let (column, row) = (cell % (self.columns - 1), cell / (self.columns - 1));
        // The first has the corners a, c, d, the second a, d, b: see `samples_of`.
        let neighbor = match (is_second, edge) {
            (false, 0) => (column > 0).then(|| part - 1),
            (false, 1) => (row + 2 < self.rows).then(|| part + 2 * (self.columns - 1) + 1),
            (false, _) => Some(part + 1),
            (true, 0) => Some(part - 1),
            (true, 1) => (column + 2 < self.columns).then(|| part + 1),
            (true, _) => (row > 0).then(|| part - 2 * (self.columns - 1) - 1),
        };
        neighbor.filter(|neighbor| self.has_triangle(*neighbor))
    }

    /// The samples of a part: a is that of the lower column and row, b the next along x, c the next along z,
    /// d the one across.
    fn samples_of(&self, part: u32) -> [[u32; 2]; 3] {
        let cell = part / 2;
        let (column, row) = (cell % (self.columns - 1), cell / (self.columns - 1));
        let [a, b, c, d] = [[column, row], [column + 1, row], [column, row + 1], [column + 1, row + 1]];
        if part.is_multiple_of(2) { [a, c, d] } else { [a, d, b] }
    }

    fn vertex(&self, column: u32, row: u32) -> [f32; 3] {
        [
            (f64::from(column) * self.spacing[0]) as f32,
            // −0 becomes 0, as in a mesh.
            self.heights.at(self.sample(column, row)) + 0.0,
            (f64::from(row) * self.spacing[1]) as f32,
        ]
    }

    fn sample(&self, column: u32, row: u32) -> usize {
        row as usize * self.columns as usize + column as usize
    }

    fn cell_count(&self) -> u32 {
        (self.columns - 1) * (self.rows - 1)
    }

    /// The corners of the smallest box around the samples of a cell.
    pub(crate) fn cell_bounds(&self, column: u32, row: u32) -> [DVec3; 2] {
        let [lowest, highest] = self.height_range(column, row);
        let at = |number: u32, axis: usize| f64::from((f64::from(number) * self.spacing[axis]) as f32);
        [
            DVec3::new(at(column, 0), lowest, at(row, 1)),
            DVec3::new(at(column + 1, 0), highest, at(row + 1, 1)),
        ]
    }

    /// The number of a cell.
    pub(crate) fn cell(&self, column: u32, row: u32) -> u32 {
        row * (self.columns - 1) + column
    }

    pub(crate) fn is_hole(&self, cell: u32) -> bool {
        self.holes.get(cell as usize / 64).is_some_and(|bits| bits >> (cell % 64) & 1 == 1)
    }

    /// The lowest and the highest corner of a cell.
    pub(crate) fn height_range(&self, column: u32, row: u32) -> [f64; 2] {
        let at = |column: u32, row: u32| f64::from(self.heights.at(self.sample(column, row)));
        let (a, b) = (at(column, row), at(column + 1, row));
        let (c, d) = (at(column, row + 1), at(column + 1, row + 1));
        [a.min(b).min(c.min(d)), a.max(b).max(c.max(d))]
    }
}
