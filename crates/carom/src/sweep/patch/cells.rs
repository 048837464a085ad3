//! Patches cut into cells: parts so flat that one test usually decides what a mover hits.

use alloc::vec;
use alloc::vec::Vec;

use glam::DVec3;

use super::sub_rectangle::SubRectangle;
use crate::shape::patch::Form;
use crate::shape::patch::grid::Grid;
use crate::shape::{Aabb, BezierPatch};
use crate::sweep::Feature;

/// How far ahead of contact a mover may be stopped, as a share of the patch's size.
pub const TOLERANCE: f64 = 1e-9;

/// A cell is as flat as this share of its patch's size, or one of the smallest.
const FLAT: f64 = 1.0 / 32.0;
/// The same for a patch in a plane: only its outline bends, so mostly it is one cell.
const FLAT_OUTLINE: f64 = 1.0;
/// A patch is planar if its control points leave a plane by no more than this share of their coordinates.
const PLANAR: f64 = 1e-12;
/// No more halvings than this: 256 cells of a patch.
const HALVINGS: u32 = 8;

/// A part of a patch.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) form: CellForm,
    /// The number of its patch.
    pub(crate) patch: u32,
    /// A bit for each edge that is one of the patch: v = 0, u = 1, v = 1, u = 0.
    pub(crate) borders: u8,
    /// How flat its parts must be for their triangles to stand for them, in meters.
    pub(crate) flat: f64,
}

/// By degree.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CellForm {
    Quadratic(Grid<3>),
    Cubic(Grid<4>),
}

impl Cell {
    /// The box around its control points.
    pub(crate) fn bounds(&self) -> Aabb {
        let [low, high] = match &self.form {
            CellForm::Quadratic(grid) => grid.bounds(),
            CellForm::Cubic(grid) => grid.bounds(),
        };
        Aabb::new(low, high).unwrap_or_else(|_| unreachable!("control points are finite"))
    }

    /// Its corners at (0, 0), (1, 0) and (0, 1).
    pub(crate) fn corners(&self) -> [DVec3; 3] {
        let [a, b, c, _] = match &self.form {
            CellForm::Quadratic(grid) => grid.corners(),
            CellForm::Cubic(grid) => grid.corners(),
        };
        [a, b, c]
    }

    /// The same in lengths `factor` times as large.
    pub(crate) fn scaled_by(&self, factor: f64) -> Self {
        let form = match &self.form {
            CellForm::Quadratic(grid) => CellForm::Quadratic(grid.map(|p| p * factor)),
            CellForm::Cubic(grid) => CellForm::Cubic(grid.map(|p| p * factor)),
        };
        Self { form, flat: self.flat * factor, ..*self }
    }
}

/// The cells of a patch. The first answer for cells is not by halves of u or v alone: all of a row are cut
/// alike, so that neighbors share their edge.
pub(crate) fn cells(patch: &BezierPatch, number: u32) -> Vec<Cell> {
    // A quarter: bounds of a piece and of what it is grown by are each off by as much.
    let flat = 0.25 * TOLERANCE * patch.size();
    match &patch.form {
        Form::Quadratic(grid) => {
            cut(grid, patch.size(), |grid, part| cell(part, CellForm::Quadratic(grid), number, flat))
        }
        Form::Cubic(grid) => {
            cut(grid, patch.size(), |grid, part| cell(part, CellForm::Cubic(grid), number, flat))
        }
    }
}

/// The cell of a part of the patch.
fn cell(part: SubRectangle, form: CellForm, patch: u32, flat: f64) -> Cell {
    let SubRectangle { from, size } = part;
    let on = [from[1] == 0.0, from[0] + size[0] == 1.0, from[1] + size[1] == 1.0, from[0] == 0.0];
    let borders = (0..4).fold(0, |bits, edge| bits | u8::from(on[edge]) << edge);
    Cell { form, patch, borders, flat }
}

fn cut<const N: usize>(grid: &Grid<N>, size: f64, cell: impl Fn(Grid<N>, SubRectangle) -> Cell) -> Vec<Cell> {
    let grid = &evenly_ruled(grid);
    // How often each way.
    let bends = grid.bends();
    let enough = size * if is_planar(grid) { FLAT_OUTLINE } else { FLAT };
    let (mut across, mut down) = (1.0, 1.0);
    let mut halvings = [0u32; 2];
    while bends.flatness_of_cells(across, down) > enough && halvings[0] + halvings[1] < HALVINGS {
        if bends.uu / (across * across) >= bends.vv / (down * down) {
            across *= 2.0;
            halvings[0] += 1;
        } else {
            down *= 2.0;
            halvings[1] += 1;
        }
    }
    let mut parts = vec![(*grid, SubRectangle::WHOLE)];
    for axis in 0..2 {
        for _ in 0..halvings[axis] {
            parts = parts
                .into_iter()
                .flat_map(|(grid, part)| {
                    let (low, high) = if axis == 0 { grid.split_u(0.5) } else { grid.split_v(0.5) };
                    let [low_part, high_part] = part.halves(axis);
                    [(low, low_part), (high, high_part)]
                })
                .collect();
        }
    }
    parts.into_iter().map(|(grid, part)| cell(grid, part)).collect()
}

/// The same surface with even steps along its straight lines. Where the inner points of all rows are at their
/// ends, u runs along lines unevenly, and at an end it stands still: there the surface has no tangent plane,
/// and a bend that its shape does not have. The same of columns.
fn evenly_ruled<const N: usize>(grid: &Grid<N>) -> Grid<N> {
    let rows = even_lines(&grid.0);
    Grid(transposed(&even_lines(&transposed(&rows))))
}

/// Lines whose inner points are at their ends, each at the same end in all lines, with even steps; others as
/// they are.
fn even_lines<const N: usize>(lines: &[[DVec3; N]; N]) -> [[DVec3; N]; N] {
    let is_at = |i: usize, end: usize| lines.iter().all(|line| line[i] == line[end]);
    if !(1..N - 1).all(|i| is_at(i, 0) || is_at(i, N - 1)) {
        return *lines;
    }
    let mut even = *lines;
    for line in &mut even {
        let way = line[N - 1] - line[0];
        for i in 1..N - 1 {
            line[i] = line[0] + way * (i as f64 / (N - 1) as f64);
        }
    }
    even
}

fn transposed<const N: usize>(rows: &[[DVec3; N]; N]) -> [[DVec3; N]; N] {
    core::array::from_fn(|i| core::array::from_fn(|j| rows[j][i]))
}

/// Whether all control points lie in one plane, but for rounding.
fn is_planar<const N: usize>(grid: &Grid<N>) -> bool {
    let origin = grid.corners()[0];
    let mut normal = DVec3::ZERO;
    // The largest triangle of the origin and two others.
    for a in grid.points() {
        for b in grid.points() {
            let cross = (a - origin).cross(b - origin);
            if cross.length_squared() > normal.length_squared() {
                normal = cross;
            }
        }
    }
    let mut thickness = 0.0f64;
    grid.visit(|p| thickness = thickness.max(normal.dot(p - origin).abs()));
    thickness * thickness <= PLANAR * PLANAR * normal.length_squared() * grid.reach() * grid.reach()
}

/// Which part of a patch is touched at a place of one of its cells: its own edges and corners are features,
/// those between its cells are not.
pub(crate) fn feature([u, v]: [f64; 2], borders: u8) -> Feature {
    // Edges as the corners run: v = 0, u = 1, v = 1, u = 0.
    let on = [v <= 0.0, u >= 1.0, v >= 1.0, u <= 0.0];
    let mut edges = (0..4u32).filter(|edge| on[*edge as usize] && borders >> edge & 1 == 1);
    match (edges.next(), edges.next()) {
        (None, _) => Feature::Face,
        (Some(edge), None) => Feature::Edge(edge),
        (Some(0), Some(3)) => Feature::Vertex(0),
        (Some(_), Some(next)) => Feature::Vertex(next),
    }
}

/// The patches of many patches' cells, in the order of the patches.
pub(crate) fn cells_of(patches: &[BezierPatch]) -> Vec<Cell> {
    (0u32..).zip(patches).flat_map(|(number, patch)| cells(patch, number)).collect()
}
