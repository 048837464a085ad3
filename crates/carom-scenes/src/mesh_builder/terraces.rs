//! A plan whose cells stand at their own heights: ground, pools, stairs, towers.
//!
//! Where neighbors differ in height a wall joins them, the rim goes down to a level base, and the base is
//! closed. A wall's upright sides carry the heights of all cells that meet there, and a side along x or z
//! carries the corners of all cells that lie on it, so that every edge is used by exactly two triangles.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DVec2, DVec3};

use super::{MeshBuilder, outline};

/// One cell: corners counter-clockwise as seen from above (+y), each at its own height. The plan is convex.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) corners: Vec<DVec3>,
}

impl Cell {
    /// A level rectangle between two plan corners (x, z).
    pub(crate) fn level(low: DVec2, high: DVec2, height: f64) -> Self {
        Self::rectangle(low, high, |_| height)
    }

    /// A rectangle between two plan corners (x, z), its corners as high as `height` says.
    pub(crate) fn rectangle(low: DVec2, high: DVec2, height: impl Fn(DVec2) -> f64) -> Self {
        let plan = [low, DVec2::new(low.x, high.y), high, DVec2::new(high.x, low.y)];
        Self { corners: plan.map(|p| DVec3::new(p.x, height(p), p.y)).to_vec() }
    }
}

/// A place in the plan, as a key: two places are one if they have the same bits.
type PlanKey = [u64; 2];

fn plan_key(p: DVec3) -> PlanKey {
    [p.x, p.z].map(|x| (x + 0.0).to_bits())
}

/// A key in the order of numbers.
fn order(x: f64) -> i64 {
    let bits = (x + 0.0).to_bits() as i64;
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

#[derive(Clone, Copy)]
enum Facing {
    Up,
    Down,
}

/// The solid, and whose each triangle is.
#[derive(Clone, Debug)]
pub(crate) struct Terraces {
    pub(crate) mesh: MeshBuilder,
    /// For each triangle the cell whose top or wall it is; `None` for the base.
    pub(crate) owners: Vec<Option<usize>>,
}

/// The corners of all cells by the line along x, and the line along z, that they lie on.
struct Lines {
    /// By x: all z.
    upright: BTreeMap<i64, BTreeSet<(i64, u64)>>,
    /// By z: all x.
    level: BTreeMap<i64, BTreeSet<(i64, u64)>>,
}

impl Lines {
    fn of(cells: &[Cell]) -> Self {
        let mut lines = Self { upright: BTreeMap::new(), level: BTreeMap::new() };
        for p in cells.iter().flat_map(|cell| &cell.corners) {
            lines.upright.entry(order(p.x)).or_default().insert((order(p.z), p.z.to_bits()));
            lines.level.entry(order(p.z)).or_default().insert((order(p.x), p.x.to_bits()));
        }
        lines
    }

    /// The corners that lie inside the side `p` → `q`, in order, with their heights on it.
    fn inside(&self, p: DVec3, q: DVec3) -> Vec<DVec3> {
        let (line, from, to) = match (p.x == q.x, p.z == q.z) {
            (true, false) => (&self.upright[&order(p.x)], p.z, q.z),
            (false, true) => (&self.level[&order(p.z)], p.x, q.x),
            _ => return Vec::new(),
        };
        let mut places: Vec<f64> = line
            .range((order(from.min(to)) + 1, 0)..(order(from.max(to)), 0))
            .map(|&(_, bits)| f64::from_bits(bits))
            .collect();
        if from > to {
            places.reverse();
        }
        let on_side = |at: f64| {
            let y = p.y + (q.y - p.y) * ((at - from) / (to - from));
            if p.x == q.x { DVec3::new(p.x, y, at) } else { DVec3::new(at, y, p.z) }
        };
        places.into_iter().map(on_side).collect()
    }
}

struct Builder {
    mesh: MeshBuilder,
    indices: BTreeMap<(PlanKey, i64), u32>,
    /// Every height that a cell, or the base, has at a place.
    heights: BTreeMap<PlanKey, BTreeSet<(i64, u64)>>,
}

impl Builder {
    fn index(&mut self, p: DVec3) -> u32 {
        let key = (plan_key(p), order(p.y));
        if let Some(&index) = self.indices.get(&key) {
            return index;
        }
        let index = self.mesh.point(p);
        self.indices.insert(key, index);
        index
    }

    /// The upright line at `top` from its height down to `bottom`, all known heights between included.
    fn line(&mut self, top: DVec3, bottom: f64) -> Vec<u32> {
        let levels = &self.heights[&plan_key(top)];
        let ys: Vec<f64> = levels
            .range((order(bottom), 0)..=(order(top.y), u64::MAX))
            .rev()
            .map(|l| f64::from_bits(l.1))
            .collect();
        ys.into_iter().map(|y| self.index(DVec3::new(top.x, y, top.z))).collect()
    }

    /// The polygon with these corners, counter-clockwise in plan.
    fn face(&mut self, corners: &[DVec3], facing: Facing) {
        let indices: Vec<u32> = corners.iter().map(|&p| self.index(p)).collect();
        // Seen from above with x to the right and −z up, so that counter-clockwise means the same in both.
        let plan: Vec<DVec2> = corners.iter().map(|p| DVec2::new(p.x, -p.z)).collect();
        let triangles =
            outline::triangulate(&plan).expect("cells that do not overlap are simple, and so is their rim");
        self.mesh.triangles.extend(triangles.into_iter().map(|triangle| {
            let [a, b, c] = triangle.map(|i| indices[i as usize]);
            match facing {
                Facing::Up => [a, b, c],
                Facing::Down => [a, c, b],
            }
        }));
    }

    /// The wall below the side `p` → `q` of a cell, down to the heights `p_bottom` and `q_bottom`.
    fn wall(&mut self, [p, q]: [DVec3; 2], [p_bottom, q_bottom]: [f64; 2]) {
        let (p, q) = (self.line(p, p_bottom), self.line(q, q_bottom));
        let (mut i, mut j) = (0, 0);
        while i + 1 < p.len() || j + 1 < q.len() {
            // Down both sides in step, so that the rungs stay level.
            if j + 1 == q.len() || (i + 1 < p.len() && (i + 1) * (q.len() - 1) <= (j + 1) * (p.len() - 1)) {
                self.mesh.triangles.push([q[j], p[i], p[i + 1]]);
                i += 1;
            } else {
                self.mesh.triangles.push([q[j], p[i], q[j + 1]]);
                j += 1;
            }
        }
    }
}

impl Terraces {
    /// The closed solid of these cells above `base`, which lies below all of them. Cells meet along whole
    /// sides, or along parts of sides that lie along x or z.
    ///
    /// # Panics
    /// Neighbors whose common sides cross, or a plan in more than one piece or with a hole.
    pub(crate) fn new(cells: &[Cell], base: f64) -> Self {
        let lines = Lines::of(cells);
        let cells: Vec<Vec<DVec3>> = cells.iter().map(|cell| with_corners_on_sides(cell, &lines)).collect();
        let mut builder =
            Builder { mesh: MeshBuilder::new(), indices: BTreeMap::new(), heights: BTreeMap::new() };
        let mut sides = BTreeMap::new();
        for cell in &cells {
            for (i, &p) in cell.iter().enumerate() {
                let q = cell[(i + 1) % cell.len()];
                assert!(sides.insert((plan_key(p), plan_key(q)), (p, q)).is_none(), "cells overlap in plan");
                builder.heights.entry(plan_key(p)).or_default().insert((order(p.y), (p.y + 0.0).to_bits()));
            }
        }
        let mut rim = BTreeMap::new();
        for (&(from, to), &(p, _)) in &sides {
            if !sides.contains_key(&(to, from)) {
                assert!(rim.insert(from, (to, p)).is_none(), "the plan meets itself at a corner");
                builder.heights.entry(from).or_default().insert((order(base), (base + 0.0).to_bits()));
            }
        }

        let mut owners = Vec::new();
        for (owner, cell) in cells.iter().enumerate() {
            builder.face(cell, Facing::Up);
            for (i, &p) in cell.iter().enumerate() {
                let q = cell[(i + 1) % cell.len()];
                let [p_low, q_low] =
                    sides.get(&(plan_key(q), plan_key(p))).map_or([base, base], |&(q, p)| [p.y, q.y]);
                if p.y >= p_low && q.y >= q_low && (p.y, q.y) != (p_low, q_low) {
                    builder.wall([p, q], [p_low, q_low]);
                } else {
                    assert!(p.y <= p_low && q.y <= q_low, "the sides of two cells cross at {p} {q}");
                }
            }
            owners.resize(builder.mesh.triangles.len(), Some(owner));
        }

        let mut outline = Vec::with_capacity(rim.len());
        let mut at = rim.first_key_value().map(|(&from, _)| from);
        while let Some((to, p)) = at.and_then(|from| rim.remove(&from)) {
            outline.push(p.with_y(base));
            at = Some(to);
        }
        assert!(rim.is_empty(), "the plan is one piece without holes");
        builder.face(&outline, Facing::Down);
        owners.resize(builder.mesh.triangles.len(), None);
        Self { mesh: builder.mesh, owners }
    }
}

fn with_corners_on_sides(cell: &Cell, lines: &Lines) -> Vec<DVec3> {
    let next = |i: usize| cell.corners[(i + 1) % cell.corners.len()];
    let corner_and_side = |(i, &p): (usize, &DVec3)| core::iter::once(p).chain(lines.inside(p, next(i)));
    cell.corners.iter().enumerate().flat_map(corner_and_side).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::Census;

    fn column(i: u32, j: u32, height: f64) -> Cell {
        let low = DVec2::new(f64::from(i), f64::from(j));
        Cell::level(low, low + DVec2::ONE, height)
    }

    #[test]
    fn heights_are_in_the_order_of_numbers() {
        let ys = [-5.0, -1.0, -0.5, 0.0, 1e-300, 0.5, 7.0];
        assert!(ys.windows(2).all(|pair| order(pair[0]) < order(pair[1])));
        assert_eq!(order(-0.0), order(0.0));
    }

    #[test]
    fn is_closed_where_four_heights_meet() {
        let cells = [column(0, 0, 1.0), column(1, 0, 2.0), column(0, 1, 3.0), column(1, 1, 4.0)];
        let census = Census::of(&Terraces::new(&cells, -1.0).mesh.rounded());
        assert!(census.is_closed());
        assert_eq!(census.volume, 2.0 + 3.0 + 4.0 + 5.0);
        assert_eq!(census.degenerate, 0);
    }

    #[test]
    fn is_closed_where_a_long_side_meets_short_ones() {
        let mut cells = vec![Cell::level(DVec2::new(1.0, 0.0), DVec2::new(3.0, 4.0), 0.5)];
        cells.extend((0..4).map(|j| column(0, j, 0.25 * f64::from(j))));
        let solid = Terraces::new(&cells, -1.0);
        let census = Census::of(&solid.mesh.rounded());
        assert!(census.is_closed());
        assert_eq!(census.volume, 8.0 * 1.5 + 4.0 + 1.5);
        // The long cell owns its top, a wall down to the first column and three sides down to the base.
        assert!(solid.owners.iter().filter(|owner| **owner == Some(0)).count() > 8);
        assert_eq!(solid.owners.len(), solid.mesh.triangles().len());
    }

    #[test]
    fn is_closed_around_a_pit_and_a_slope() {
        let mut cells = Vec::new();
        for i in 0..3 {
            for j in 0..3 {
                cells.push(match (i, j) {
                    (1, 1) => column(1, 1, -0.5),
                    (1, 2) => {
                        Cell::rectangle(DVec2::new(1.0, 2.0), DVec2::new(2.0, 3.0), |p| 0.25 * (p.y - 2.0))
                    }
                    _ => column(i, j, 0.0),
                });
            }
        }
        let census = Census::of(&Terraces::new(&cells, -1.0).mesh.rounded());
        assert!(census.is_closed());
        assert_eq!(census.volume, 9.0 - 0.5 + 0.125);
    }
}
