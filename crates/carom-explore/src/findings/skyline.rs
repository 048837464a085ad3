//! The level as seen from below: where a falling body has nothing left to hit, and whether such a place is a
//! hole or the outside.
//!
//! For each small square of the ground plan the lowest point of all triangles that touch it is known. A
//! square is open if its lowest point is above the head of the falling body: nothing is left below. The
//! center of the body is too low for this test: where the body hangs by its side on the edge of a hole, it is
//! hardly above the floor. Open squares that touch each other and the outside of the level's bounds are the
//! outside. Those that do not are a hole, however near to the rim. A triangle that covers only a part of a
//! square closes all of it, so the thinnest strip of floor keeps a hole apart. A hole must be two squares
//! wide to count.
//!
//! The sky is nothing, and walls of sky are the outside. Over the sky a square is open if nothing but sky is
//! between its height and the body.
//!
//! Squares are made one tile at a time, where a body falls. Cost: for each tile its triangles; for each fall
//! the squares of its hole.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use glam::DVec3;

use crate::ground::{Facet, Ground};
use crate::level::Level;

/// Squares along the side of a tile.
const TILE: i32 = 64;
/// Tiles along the side of a level, at most.
const TILES: f64 = 1024.0;
/// A hole is no larger than this, in squares.
const LARGEST: usize = 400_000;
/// Heights within this share of the half of a body are one height.
const STOREY: f64 = 0.5;
/// Anything that rises above the sky by less than this share of the half of a body is the rim of the sky.
const RIM: f64 = 0.02;
/// How far, in squares, an opening may be from where a center falls.
const NEAR: i32 = 3;

type Square = [i32; 2];

/// The opening that a body falls through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// A hole with floor or walls around, by its number.
    Hole(usize),
    /// The outside of the level.
    Outside,
    /// Too small to be seen: between triangles that do not meet.
    Crack,
}

/// The lowest points of a level, and the holes found so far.
pub(crate) struct Skyline<'a> {
    level: &'a Level,
    side: f64,
    /// Half the height of a body.
    half: f64,
    /// The height of the sky that bodies fall on, if they do.
    sky: Option<f64>,
    tiles: HashMap<Square, Vec<f32>>,
    /// The squares of these tiles that walls of sky touch.
    walls: HashSet<Square>,
    /// The triangles over each tile.
    over: HashMap<Square, Vec<u32>>,
    low: Square,
    high: Square,
    holes: Vec<BTreeSet<Square>>,
    /// The hole of each square, with the height from which on it is one.
    hole_of: BTreeMap<Square, Vec<(i32, usize)>>,
    outside: BTreeMap<i32, HashSet<Square>>,
}

impl<'a> Skyline<'a> {
    /// For a grid with cells of this side, and bodies of twice this height that fall out of the world, or on
    /// the sky at a height.
    pub(crate) fn new(level: &'a Level, cell: f64, half: f64, sky: Option<f64>) -> Self {
        let bounds = level.bounds();
        let side = (0.25 * cell).max(bounds.size().with_y(0.0).max_element() / (TILES * f64::from(TILE)));
        let square = |p: DVec3| [(p.x / side).floor() as i32, (p.z / side).floor() as i32];
        let tile = |at: Square| at.map(|x| x.div_euclid(TILE));
        let mut over: HashMap<Square, Vec<u32>> = HashMap::new();
        // For a level in tiles, the sky over a tile of squares is computed when a body falls there.
        if level.tiles().is_none() {
            level.each_triangle(|Facet { number, corners: [a, b, c], .. }| {
                let (from, to) = (tile(square(a.min(b).min(c))), tile(square(a.max(b).max(c))));
                for x in from[0]..=to[0] {
                    for z in from[1]..=to[1] {
                        over.entry([x, z]).or_default().push(number);
                    }
                }
            });
        }
        Self {
            level,
            side,
            half,
            sky,
            tiles: HashMap::new(),
            walls: HashSet::new(),
            over,
            low: square(bounds.low),
            high: square(bounds.high),
            holes: Vec::new(),
            hole_of: BTreeMap::new(),
            outside: BTreeMap::new(),
        }
    }

    fn square(&self, p: DVec3) -> Square {
        [(p.x / self.side).floor() as i32, (p.z / self.side).floor() as i32]
    }

    fn is_within(&self, at: Square) -> bool {
        (0..2).all(|axis| (self.low[axis]..=self.high[axis]).contains(&at[axis]))
    }

    /// Whether a square is outside: of the bounds, or beyond a wall of sky.
    fn is_outside(&mut self, at: Square) -> bool {
        if self.level.has_sky() {
            self.make(at.map(|x| x.div_euclid(TILE)));
        }
        !self.is_within(at) || self.walls.contains(&at)
    }

    /// The lowest point over a square.
    fn lowest(&mut self, at: Square) -> f64 {
        let tile = at.map(|x| x.div_euclid(TILE));
        self.make(tile);
        let [x, z] = at.map(|x| x.rem_euclid(TILE) as usize);
        f64::from(self.tiles[&tile][x * TILE as usize + z])
    }

    fn make(&mut self, tile: Square) {
        if self.tiles.contains_key(&tile) {
            return;
        }
        let mut lowest = vec![f32::INFINITY; (TILE * TILE) as usize];
        let mut walls = Vec::new();
        let least = self.sky.map_or(f64::NEG_INFINITY, |sky| sky + RIM * self.half);
        let mut add = |facet: Facet| {
            let is_sky = self.level.is_sky(facet.surface_id);
            let is_wall = is_sky && is_steep(facet.corners);
            cover(facet.corners, self.side, tile, |square, (low, high)| {
                if high <= least {
                    return;
                }
                if is_wall {
                    walls.push(square);
                } else if !is_sky {
                    let [x, z] = square.map(|x| x.rem_euclid(TILE) as usize);
                    let at = x * TILE as usize + z;
                    lowest[at] = lowest[at].min(low as f32);
                }
            });
        };
        match self.level.ground() {
            Ground::Whole { soup, .. } => {
                for number in self.over.get(&tile).into_iter().flatten() {
                    add(soup.facet(*number as usize, *number));
                }
            }
            Ground::Tiled(tiled) => {
                let at = |square: i32| f64::from(square) * self.side;
                let low = tile.map(|x| at(x.saturating_mul(TILE)) - self.side);
                let high = tile.map(|x| at(x.saturating_add(1).saturating_mul(TILE)) + self.side);
                tiled.each_near([low, high], add);
            }
        }
        self.tiles.insert(tile, lowest);
        self.walls.extend(walls);
    }

    /// Whether nothing is below a height.
    fn is_open(&mut self, at: Square, height: f64) -> bool {
        self.lowest(at) > height
    }

    /// The opening that a body falls through whose center is here, with nothing below it any more.
    pub(crate) fn opening(&mut self, center: DVec3) -> Opening {
        let storeys = STOREY * self.half;
        let storey = ((center.y + self.half) / storeys).floor() as i32;
        let height = f64::from(storey) * storeys;
        let here = self.square(center);
        // The nearest first, by where in its square the center is: a rim may be no farther than a hole.
        let side = self.side;
        let apart = |square: i32, at: f64| {
            let low = f64::from(square) * side;
            (low - at).max(at - (low + side)).max(0.0)
        };
        let distance = |[x, z]: Square| {
            let [x, z] = [apart(x, center.x), apart(z, center.z)];
            x * x + z * z
        };
        let mut around: Vec<Square> =
            (-NEAR..=NEAR).flat_map(|x| (-NEAR..=NEAR).map(move |z| [here[0] + x, here[1] + z])).collect();
        around.sort_by(|a, b| distance(*a).total_cmp(&distance(*b)).then(a.cmp(b)));
        let Some(start) = around.into_iter().find(|at| self.is_open(*at, height)) else {
            return Opening::Crack;
        };
        if let Some(known) = self.hole_of.get(&start)
            && let Some((_, hole)) = known.iter().find(|(from, _)| *from <= storey)
        {
            return Opening::Hole(*hole);
        }
        if self.sees_outside(start, height) {
            return Opening::Outside;
        }
        self.flood(start, storey, height)
    }

    /// Whether a straight line along an axis leads outside, over nothing.
    pub(crate) fn leads_outside(&mut self, center: DVec3, way: [i32; 2]) -> bool {
        let mut at = self.square(center);
        while !self.is_outside(at) {
            if !self.is_open(at, center.y) {
                return false;
            }
            at = [at[0] + way[0], at[1] + way[1]];
        }
        true
    }

    fn sees_outside(&mut self, start: Square, height: f64) -> bool {
        [[1, 0], [-1, 0], [0, 1], [0, -1]].into_iter().any(|way| {
            let mut at = start;
            while !self.is_outside(at) && self.is_open(at, height) {
                at = [at[0] + way[0], at[1] + way[1]];
            }
            self.is_outside(at)
        })
    }

    fn flood(&mut self, start: Square, storey: i32, height: f64) -> Opening {
        let mut seen = BTreeSet::from([start]);
        let mut list = vec![start];
        let mut next = 0;
        let mut is_outside = false;
        while let Some(&[x, z]) = list.get(next) {
            next += 1;
            is_outside = self.is_outside([x, z])
                || list.len() > LARGEST
                || self.outside.get(&storey).is_some_and(|known| known.contains(&[x, z]));
            if is_outside {
                break;
            }
            // Corner to corner, too: what touches in a point is one opening. A strip of floor, however thin,
            // closes every square that it touches, so nothing leads across it.
            for beside in (-1..=1).flat_map(|i| (-1..=1).map(move |j| [x + i, z + j])) {
                if self.is_open(beside, height) && seen.insert(beside) {
                    list.push(beside);
                }
            }
        }
        if is_outside {
            self.outside.entry(storey).or_default().extend(seen);
            return Opening::Outside;
        }
        // The same hole, seen from lower down: it is wider there.
        let known = seen.iter().find_map(|at| self.hole_of.get(at).and_then(|known| known.first()));
        let hole = known.map_or(self.holes.len(), |(_, hole)| *hole);
        if hole == self.holes.len() {
            self.holes.push(BTreeSet::new());
        }
        for at in &seen {
            self.hole_of.entry(*at).or_default().push((storey, hole));
        }
        self.holes[hole].append(&mut seen);
        Opening::Hole(hole)
    }

    /// The middles of a hole's squares, at height 0.
    pub(crate) fn hole(&self, number: usize) -> impl Iterator<Item = DVec3> + '_ {
        let middle = |x: i32| (f64::from(x) + 0.5) * self.side;
        self.holes[number].iter().map(move |[x, z]| DVec3::new(middle(*x), 0.0, middle(*z)))
    }
}

/// Whether a triangle is more of a wall than of a floor.
fn is_steep([a, b, c]: [DVec3; 3]) -> bool {
    let normal = (b - a).cross(c - a);
    2.0 * normal.y * normal.y < normal.length_squared()
}

/// Visits the squares of a tile that a triangle touches, seen from above, with its lowest and its highest
/// point over each.
fn cover(corners: [DVec3; 3], side: f64, tile: Square, mut visit: impl FnMut(Square, (f64, f64))) {
    let [a, b, c] = corners;
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let first = |x: f64, tile: i32| ((x / side).floor() as i32).max(tile * TILE);
    let last = |x: f64, tile: i32| ((x / side).floor() as i32).min(tile * TILE + TILE - 1);
    let normal = (b - a).cross(c - a);
    let (slope_x, slope_z) = (-normal.x / normal.y, -normal.z / normal.y);
    let is_upright = !(slope_x.is_finite() && slope_z.is_finite());
    let longer = |p: (DVec3, DVec3), q: (DVec3, DVec3)| {
        let length = |(from, to): (DVec3, DVec3)| (to - from).with_y(0.0).length_squared();
        if length(p) >= length(q) { p } else { q }
    };
    let (line_from, line_to) = longer((a, b), longer((b, c), (c, a)));
    let line = line_to - line_from;
    let winding = if normal.y > 0.0 { -1.0 } else { 1.0 };
    for x in first(low.x, tile[0])..=last(high.x, tile[0]) {
        for z in first(low.z, tile[1])..=last(high.z, tile[1]) {
            let (left, near) = (f64::from(x) * side, f64::from(z) * side);
            // Outside if all of the square is beyond one edge.
            let beyond = |p: DVec3, q: DVec3| {
                let (nx, nz) = ((q.z - p.z) * winding, -(q.x - p.x) * winding);
                let farthest_x = if nx > 0.0 { left } else { left + side };
                let farthest_z = if nz > 0.0 { near } else { near + side };
                nx * (farthest_x - p.x) + nz * (farthest_z - p.z) > 0.0
            };
            // Seen from above an upright triangle is a line.
            let is_beside = || {
                let (nx, nz) = (line.z, -line.x);
                let off = nx * (left + 0.5 * side - line_from.x) + nz * (near + 0.5 * side - line_from.z);
                off.abs() > 0.51 * side * (nx.abs() + nz.abs())
            };
            let is_clear =
                if is_upright { is_beside() } else { beyond(a, b) || beyond(b, c) || beyond(c, a) };
            if is_clear {
                continue;
            }
            let heights = if is_upright {
                (low.y, high.y)
            } else {
                let at =
                    |x: f64, z: f64| (a.y + slope_x * (x - a.x) + slope_z * (z - a.z)).clamp(low.y, high.y);
                let ends = |slope: f64, at: f64| if slope > 0.0 { (at, at + side) } else { (at + side, at) };
                let ((low_x, high_x), (low_z, high_z)) = (ends(slope_x, left), ends(slope_z, near));
                (at(low_x, low_z), at(high_x, high_z))
            };
            visit([x, z], heights);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::mesh::MeshData;
    use glam::dvec3;

    /// A plate of 10 × 10 m at height 0, with holes (x, z, side).
    fn plate(holes: &[[f64; 3]]) -> Level {
        let mut cuts: Vec<[f64; 2]> = vec![[0.0, 10.0]; 2];
        let axis = |axis: usize| {
            let mut at: Vec<f64> =
                holes.iter().flat_map(|hole| [hole[axis], hole[axis] + hole[2]]).chain([0.0, 10.0]).collect();
            at.sort_by(f64::total_cmp);
            at
        };
        cuts.clear();
        let (xs, zs) = (axis(0), axis(1));
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for x in xs.windows(2) {
            for z in zs.windows(2) {
                let (mx, mz) = (0.5 * (x[0] + x[1]), 0.5 * (z[0] + z[1]));
                let is_hole = |hole: &[f64; 3]| {
                    mx > hole[0] && mx < hole[0] + hole[2] && mz > hole[1] && mz < hole[1] + hole[2]
                };
                if holes.iter().any(is_hole) {
                    continue;
                }
                let n = vertices.len() as u32;
                for (x, z) in [(x[0], z[0]), (x[0], z[1]), (x[1], z[1]), (x[1], z[0])] {
                    vertices.push([x as f32, 0.0, z as f32]);
                }
                triangles.extend([[n, n + 1, n + 2], [n, n + 2, n + 3]]);
            }
        }
        Level::new("plate", MeshData { vertices, triangles, ..MeshData::default() }).unwrap()
    }

    #[test]
    fn a_hole_is_a_hole_however_near_to_the_rim_and_to_another() {
        for strip in [0.01, 0.1, 0.3, 1.0, 3.0] {
            let level = plate(&[[strip, 4.0, 1.0], [strip, 5.0 + strip, 1.0]]);
            let mut skyline = Skyline::new(&level, 0.5, 0.9, None);
            let first = skyline.opening(dvec3(strip + 0.5, 0.7, 4.5));
            let second = skyline.opening(dvec3(strip + 0.4, 0.6, 5.5 + strip));
            assert!(matches!((first, second), (Opening::Hole(0), Opening::Hole(1))), "{first:?} {second:?}");
            for center in [0.02, 0.49, 0.9] {
                assert_eq!(skyline.opening(dvec3(strip + 0.1, center, 4.8)), first);
            }
            assert_eq!(skyline.opening(dvec3(-0.1, 0.8, 4.5)), Opening::Outside);
            assert!(skyline.leads_outside(dvec3(-0.3, 0.8, 4.5), [-1, 0]));
        }
        let level = plate(&[[-0.5, 4.0, 1.0]]);
        let mut skyline = Skyline::new(&level, 0.5, 0.9, None);
        assert_eq!(skyline.opening(dvec3(0.2, 0.8, 4.5)), Opening::Outside);
        assert_eq!(skyline.opening(dvec3(5.0, 0.8, 4.5)), Opening::Crack);
    }
}
