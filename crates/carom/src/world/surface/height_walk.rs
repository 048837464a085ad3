//! Height fields as colliders: queries walk the grid.
//!
//! Idea: the path is cut at the columns that the mover's box sweeps over, and in each column at the rows,
//! both in the order of the path. A cell whose heights are above or below the box there is skipped. Cells
//! only skip, and the kernels of triangles decide the rest, so answers are those of a mesh of the same
//! triangles, to the bit. Cost: a few comparisons for each cell that the box sweeps over, and none for those
//! beyond the first contact.

use core::ops::RangeInclusive;

use glam::DVec3;

use crate::mesh::HeightField;
use crate::num::ops::sqrt;
use crate::shape::{Aabb, Mover};
use crate::sweep::mover::{AnySweep, SurfaceSweep};
use crate::sweep::parts::flat::Facet;
use crate::sweep::{Contact, Hit};
use crate::world::query::tie_bound::TieBound;
use crate::world::surface::Surfaces;
use crate::world::surface::hull_tree::extent;
use crate::world::surface::local::Local;

impl HeightField {
    /// A part in the form that the sweep takes.
    fn facet(&self, local: &Local<'_>, part: u32) -> Facet {
        let factor = local.factor();
        let corners = self.corners(part).map(|corner| corner * factor);
        // Only round movers ask for them.
        let flat = if matches!(local.mover(), Mover::Cuboid(_)) { 0 } else { self.flat_edges(part) };
        Facet::new(corners, flat, self.surface(part).one_sided)
    }

    /// The cells along an axis (0: columns, 1: rows) that overlap an interval; `None` if none does. One more
    /// at both ends, because positions of samples are rounded.
    pub(in crate::world) fn cells_within(
        &self,
        axis: usize,
        low: f64,
        high: f64,
    ) -> Option<RangeInclusive<u32>> {
        let last = self.size()[axis] - 2;
        let spacing = self.spacing()[axis];
        let first = low / spacing - 1.0;
        let end = high / spacing + 1.0;
        // Comparisons with NaN keep all.
        if end < 0.0 || first > f64::from(last) + 1.0 {
            return None;
        }
        let clamped = |x: f64| if x > 0.0 { (x as u32).min(last) } else { 0 };
        let end = if end.is_nan() { last } else { clamped(end) };
        Some(clamped(first)..=end)
    }

    /// Visits the columns and rows of the cells that overlap a box.
    pub(in crate::world) fn cells_in(&self, area: &Aabb, mut visit: impl FnMut(u32, u32)) {
        let (low, high) = (area.min(), area.max());
        let Some(columns) = self.cells_within(0, low.x, high.x) else { return };
        let Some(rows) = self.cells_within(1, low.z, high.z) else { return };
        for row in rows {
            for column in columns.clone() {
                let [lowest, highest] = self.height_range(column, row);
                if lowest <= high.y && highest >= low.y && !self.is_hole(self.cell(column, row)) {
                    visit(column, row);
                }
            }
        }
    }

    fn every_part(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.triangle_count()).filter(|part| self.has_triangle(*part))
    }
}

/// The path of a box along one axis.
#[derive(Clone, Copy, Debug)]
struct Along {
    from: f64,
    way: f64,
    half: f64,
}

impl Along {
    /// The shares of the path between which the box overlaps an interval, within given ones; `None` if never.
    fn over(&self, [low, high]: [f64; 2], [start, end]: [f64; 2]) -> Option<[f64; 2]> {
        let (low, high) = (low - self.half - self.from, high + self.half - self.from);
        if self.way == 0.0 {
            return (low <= 0.0 && high >= 0.0).then_some([start, end]);
        }
        let (a, b) = (low / self.way, high / self.way);
        let over = [start.max(a.min(b)), end.min(a.max(b))];
        (over[0] <= over[1]).then_some(over)
    }

    /// The interval that the box covers between two shares of the path.
    fn covers(&self, [start, end]: [f64; 2]) -> [f64; 2] {
        let (a, b) = (self.from + self.way * start, self.from + self.way * end);
        [a.min(b) - self.half, a.max(b) + self.half]
    }

    /// Numbers in the order of the path.
    fn in_order(&self, range: RangeInclusive<u32>) -> impl Iterator<Item = u32> {
        let (first, last, turns) = (*range.start(), *range.end(), self.way < 0.0);
        range.map(move |number| if turns { first + last - number } else { number })
    }
}

impl Surfaces for HeightField {
    fn count(&self) -> u32 {
        self.triangle_count()
    }

    fn largest(&self) -> f64 {
        let bounds = self.bounds();
        bounds.min().abs().max(bounds.max().abs()).max_element()
    }

    fn hit(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Hit> {
        if self.has_triangle(part) { sweep.triangle(&self.facet(local, part), f64::INFINITY) } else { None }
    }

    fn contact(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Contact> {
        if self.has_triangle(part) {
            sweep.triangle_contact(&self.facet(local, part), f64::INFINITY)
        } else {
            None
        }
    }

    fn hits(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        _: Option<TieBound<'_>>,
        best: f64,
        mut take: impl FnMut(Hit, u32, f64) -> f64,
    ) {
        self.triangle_hits(sweep.as_any(), local, best, &mut take);
    }

    fn contacts(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        distance: f64,
        mut take: impl FnMut(Contact, u32),
    ) {
        self.triangle_contacts(sweep.as_any(), local, distance, &mut take);
    }
}

/// Whether the normal of a triangle shows that a mover is farther from it than a distance, which includes the
/// margin for rounding. If in doubt, as for a sliver whose normal is NaN, it is not.
fn is_apart(local: &Local<'_>, corners: [DVec3; 3], distance: f64) -> bool {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let normal = normal / sqrt(normal.length_squared());
    // Of all three corners: so any direction of length 1 proves it, whatever its rounding.
    let [a, b, c] = corners.map(|corner| normal.dot(corner - local.path().from()));
    let reach = extent(local.mover(), normal) + distance;
    a.min(b).min(c) > reach || a.max(b).max(c) < -reach
}

/// [`Surfaces::hits`] and [`Surfaces::contacts`], compiled once for all kinds of movers.
impl HeightField {
    fn triangle_hits(
        &self,
        sweep: AnySweep<'_>,
        local: &Local<'_>,
        mut best: f64,
        take: &mut dyn FnMut(Hit, u32, f64) -> f64,
    ) {
        let path = local.path();
        // The margin twice: once because the kernels stop early, once for the rounding here.
        let half = local.half_extents() + DVec3::splat(2.0 * local.margin(self.largest()));
        let along =
            |axis: usize| Along { from: path.from()[axis], way: path.translation()[axis], half: half[axis] };
        let [x, y, z] = [along(0), along(1), along(2)];
        let mut ask = |part: u32, best: f64| match sweep
            .triangle(&self.facet(local, part), local.fraction_asked(best))
        {
            Some(hit) => take(hit, part, best),
            None => best,
        };
        if !half.is_finite() {
            // Bounds beyond the range of f64 exclude nothing.
            self.every_part().fold(best, |best, part| ask(part, best));
            return;
        }
        let bounds = self.bounds();
        let [low, high] = [bounds.min(), bounds.max()];
        let Some(over) = y.over([low.y, high.y], [0.0, 1.0]) else { return };
        let [left, right] = x.covers(over);
        let Some(columns) = self.cells_within(0, left, right) else { return };
        let [dx, dz] = self.spacing();
        // The position of a sample differs from the exact multiple by at most an ulp of f32.
        let slack = [bounds.max().x, bounds.max().z].map(|far| far * f64::from(f32::EPSILON));
        let stretch = |number: u32, spacing: f64, slack: f64| {
            [f64::from(number) * spacing - slack, f64::from(number + 1) * spacing + slack]
        };
        for column in x.in_order(columns) {
            let Some(over) = x.over(stretch(column, dx, slack[0]), over) else { continue };
            if over[0] > best {
                break;
            }
            let [near, far] = z.covers(over);
            let Some(rows) = self.cells_within(1, near, far) else { continue };
            for row in z.in_order(rows) {
                let Some(over) = z.over(stretch(row, dz, slack[1]), over) else { continue };
                if over[0] > best {
                    break;
                }
                let [below, above] = y.covers(over);
                let [lowest, highest] = self.height_range(column, row);
                let cell = self.cell(column, row);
                if lowest > above || highest < below || self.is_hole(cell) {
                    continue;
                }
                best = ask(2 * cell, best);
                best = ask(2 * cell + 1, best);
            }
        }
    }

    fn triangle_contacts(
        &self,
        sweep: AnySweep<'_>,
        local: &Local<'_>,
        distance: f64,
        take: &mut dyn FnMut(Contact, u32),
    ) {
        let within = local.largest_gap(distance);
        let mut ask = |part: u32| {
            if let Some(contact) = sweep.triangle_contact(&self.facet(local, part), within) {
                take(contact, part);
            }
        };
        let Some(area) = local.area(self.largest(), distance) else {
            // Bounds beyond the range of f64 exclude nothing.
            return self.every_part().for_each(ask);
        };
        let reach = local.margin(self.largest()) + distance;
        // Gaps of other movers may be less than distances: then only touching counts.
        let is_distance = distance == 0.0 || local.mover().is_thick_segment();
        self.cells_in(&area, |column, row| {
            let cell = self.cell(column, row);
            for part in [2 * cell, 2 * cell + 1] {
                // The box of the triangle decides, as in a mesh.
                let corners = self.corners(part);
                let [a, b, c] = corners;
                let apart =
                    a.min(b).min(c).cmpgt(area.max()).any() || a.max(b).max(c).cmplt(area.min()).any();
                if !(apart || is_distance && is_apart(local, corners, reach)) {
                    ask(part);
                }
            }
        });
    }
}
