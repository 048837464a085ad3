//! Leaks of a real level with brushes taken out: the brushes of `LibreQuake`'s e0m1 as its Quake II file has
//! them, written as a `.map`, beside a flood over a grid that knows which were taken out. The folder is
//! that of `CAROM_DATA`; `CAROM_LEVELS` says how many levels (1 by default), `CAROM_SEED` which (22).
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Instant;

use carom::bsp::{Leaks, leaks};
use carom_formats::{Format, LoadOptions, Structure};
use carom_scenes::real;
use glam::DVec3;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Planes that face out, and the polygon of each.
struct Brush {
    planes: Vec<(DVec3, f64)>,
    faces: Vec<Vec<DVec3>>,
}

impl Brush {
    /// `None` if the planes enclose nothing.
    fn new(planes: Vec<(DVec3, f64)>) -> Option<Self> {
        let faces: Vec<Vec<DVec3>> = planes
            .iter()
            .enumerate()
            .map(|(number, plane)| {
                let others = planes.iter().enumerate().filter(|(other, _)| *other != number);
                others.fold(square(*plane), |polygon, (_, by)| behind(&polygon, *by))
            })
            .collect();
        (faces.iter().filter(|face| face.len() >= 3).count() >= 4).then_some(Self { planes, faces })
    }

    fn contains(&self, p: DVec3, slack: f64) -> bool {
        self.planes.iter().all(|(normal, distance)| normal.dot(p) < distance + slack)
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        self.faces.iter().flatten().fold(none, |(low, high), p| (low.min(*p), high.max(*p)))
    }

    /// Each face by three of its corners, which were integers in the editor.
    fn text(&self) -> String {
        let mut text = "{\n".to_owned();
        for ((normal, _), face) in self.planes.iter().zip(&self.faces).filter(|(_, face)| face.len() >= 3) {
            let whole = |p: DVec3| if (p - p.round()).abs().max_element() < 0.02 { p.round() } else { p };
            let points: Vec<DVec3> = face.iter().map(|p| whole(*p)).collect();
            // The corners that span most.
            let mut best = (0.0, [DVec3::ZERO; 3]);
            for i in 0..points.len() {
                for j in 0..i {
                    for k in 0..j {
                        let area = (points[i] - points[j]).cross(points[k] - points[j]).length();
                        if area > best.0 {
                            best = (area, [points[i], points[j], points[k]]);
                        }
                    }
                }
            }
            let [a, b, c] = best.1;
            let is_out = (a - b).cross(c - b).dot(*normal) > 0.0;
            for p in if is_out { [a, b, c] } else { [c, b, a] } {
                write!(text, "( {} {} {} ) ", p.x, p.y, p.z).unwrap();
            }
            text += "stone 0 0 0 1 1\n";
        }
        text + "}\n"
    }
}

fn square((normal, distance): (DVec3, f64)) -> Vec<DVec3> {
    let across = normal.any_orthonormal_vector();
    let (u, v) = (across * 1e5, normal.cross(across) * 1e5);
    let middle = normal * distance;
    vec![middle + u + v, middle + u - v, middle - u - v, middle - u + v]
}

fn behind(polygon: &[DVec3], (normal, distance): (DVec3, f64)) -> Vec<DVec3> {
    let height = |p: DVec3| normal.dot(p) - distance;
    let mut left = Vec::new();
    for (i, &p) in polygon.iter().enumerate() {
        let next = polygon[(i + 1) % polygon.len()];
        let (a, b) = (height(p), height(next));
        if a <= 1e-3 {
            left.push(p);
        }
        if (a > 1e-3) != (b > 1e-3) && (a - b).abs() > 1e-6 {
            left.push(p.lerp(next, a / (a - b)));
        }
    }
    left.dedup_by(|a, b| a.distance(*b) < 1e-3);
    left
}

/// The solid brushes of the world that are no detail, and points inside: read apart from the library.
fn level(bytes: &[u8]) -> (Vec<Brush>, Vec<DVec3>) {
    let int = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let short = |at: usize| usize::from(u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()));
    let float = |at: usize| f64::from(f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()));
    let lump = |number: usize| int(8 + 8 * number) as usize;
    let plane = |number: usize| {
        let at = lump(1) + 20 * number;
        let normal = DVec3::new(float(at), float(at + 4), float(at + 8));
        (normal, float(at + 12))
    };
    let mut numbers = BTreeSet::new();
    let mut open = vec![int(lump(13) + 36)];
    while let Some(child) = open.pop() {
        if child >= 0 {
            let at = lump(4) + 28 * child as usize;
            open.extend([int(at + 4), int(at + 8)]);
            continue;
        }
        let leaf = lump(8) + 28 * (-1 - child) as usize;
        let first = short(leaf + 24);
        numbers.extend((first..first + short(leaf + 26)).map(|place| short(lump(10) + 2 * place)));
    }
    let mut brushes = Vec::new();
    for number in numbers {
        let at = lump(14) + 12 * number;
        let (first, count, contents) = (int(at) as usize, int(at + 4) as usize, int(at + 8));
        let (is_solid, is_detail) = (contents & 1 != 0, contents & 0x0800_0000 != 0);
        if is_solid && !is_detail {
            let planes = (first..first + count).map(|side| plane(short(lump(15) + 4 * side)));
            brushes.extend(Brush::new(planes.collect()));
        }
    }
    let text = String::from_utf8_lossy(&bytes[lump(0)..][..int(12) as usize]).into_owned();
    let mut points = Vec::new();
    for entity in text.split('}') {
        let value = |key: &str| {
            let start = entity.find(&format!("\"{key}\""))? + key.len() + 2;
            entity[start..].split('"').nth(1)
        };
        if let Some(origin) = value("origin").filter(|_| value("model").is_none()) {
            let numbers: Vec<f64> = origin.split_whitespace().map(|text| text.parse().unwrap()).collect();
            points.push(DVec3::new(numbers[0], numbers[1], numbers[2]));
        }
    }
    (brushes, points)
}

fn text_of(brushes: &[&Brush], points: &[DVec3]) -> String {
    let mut text = "{\n\"classname\" \"worldspawn\"\n".to_owned();
    brushes.iter().for_each(|brush| text += &brush.text());
    text += "}\n";
    for p in points {
        writeln!(text, "{{\n\"classname\" \"light\"\n\"origin\" \"{} {} {}\"\n}}", p.x, p.y, p.z).unwrap();
    }
    text
}

/// A grid of places around a level, and the steps between neighbors that brushes bar: however thin a wall is,
/// no step leads through it.
struct Grid {
    low: DVec3,
    counts: [usize; 3],
    /// How many brushes bar the step from each place to the next along each axis.
    barred: [Vec<u8>; 3],
}

/// The length of a step: narrower openings may be overlooked by the grid, not by the search that it judges.
const STEP: f64 = 8.0;

impl Grid {
    fn of(brushes: &[Brush]) -> Self {
        let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let bounds = brushes.iter().map(Brush::bounds);
        let (low, high) = bounds.fold(none, |all, one| (all.0.min(one.0), all.1.max(one.1)));
        // Lines lie in no integer plane.
        let low = low.floor() - DVec3::splat(2.0 * STEP) + DVec3::new(0.317, 0.291, 0.273);
        let counts = ((high - low) / STEP + 3.0).to_array().map(|count| count as usize);
        let all = counts.iter().product();
        let mut grid = Self { low, counts, barred: [vec![0; all], vec![0; all], vec![0; all]] };
        for brush in brushes {
            grid.steps(brush).into_iter().for_each(|(axis, at)| grid.barred[axis][at] += 1);
        }
        grid
    }

    fn stride(&self, axis: usize) -> usize {
        [1, self.counts[0], self.counts[0] * self.counts[1]][axis]
    }

    fn place(&self, p: DVec3) -> Option<usize> {
        let at = ((p - self.low) / STEP).round();
        let is_in = (0..3).all(|i| at[i] >= 0.0 && at[i] < self.counts[i] as f64);
        is_in.then(|| (0..3).map(|i| at[i] as usize * self.stride(i)).sum())
    }

    /// The steps that pass through a brush, along each axis.
    fn steps(&self, brush: &Brush) -> Vec<(usize, usize)> {
        let (low, high) = brush.bounds();
        let first = ((low - self.low) / STEP).to_array().map(|x| x as usize);
        let last = ((high - self.low) / STEP).to_array().map(|x| x as usize);
        let mut steps = Vec::new();
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for i in first[u]..=last[u] {
                for j in first[v]..=last[v] {
                    let mut line = self.low;
                    line[u] += i as f64 * STEP;
                    line[v] += j as f64 * STEP;
                    // The part of the line inside the brush.
                    let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
                    for (normal, distance) in &brush.planes {
                        let height = normal.dot(line) - distance;
                        let slope = normal[axis];
                        if slope.abs() < 1e-9 {
                            if height > 0.0 {
                                to = f64::NEG_INFINITY;
                            }
                        } else if slope > 0.0 {
                            to = to.min(-height / slope);
                        } else {
                            from = from.max(-height / slope);
                        }
                    }
                    if from < to {
                        let (from, to) = ((from / STEP) as usize, (to / STEP) as usize);
                        let start = i * self.stride(u) + j * self.stride(v);
                        steps.extend((from..=to).map(|k| (axis, start + k * self.stride(axis))));
                    }
                }
            }
        }
        steps
    }

    fn flood(&self, from: Vec<usize>) -> Vec<bool> {
        let mut seen = vec![false; self.barred[0].len()];
        let mut open = from;
        open.iter().for_each(|at| seen[*at] = true);
        while let Some(at) = open.pop() {
            for axis in 0..3 {
                let stride = self.stride(axis);
                let index = at / stride % self.counts[axis];
                let after =
                    (index + 1 < self.counts[axis] && self.barred[axis][at] == 0).then(|| at + stride);
                let before = (index > 0 && self.barred[axis][at - stride] == 0).then(|| at - stride);
                for next in after.into_iter().chain(before) {
                    if !std::mem::replace(&mut seen[next], true) {
                        open.push(next);
                    }
                }
            }
        }
        seen
    }

    /// The places of steps that nothing bars any more, in pieces of neighbors that lead from one side to the
    /// other.
    fn holes(&mut self, gone: &[&Brush], inside: &[bool], outside: &[bool]) -> Vec<BTreeSet<usize>> {
        let steps: Vec<(usize, usize)> = gone.iter().flat_map(|brush| self.steps(brush)).collect();
        steps.iter().for_each(|(axis, at)| self.barred[*axis][*at] -= 1);
        let open = steps.iter().filter(|(axis, at)| self.barred[*axis][*at] == 0);
        let mut left: BTreeSet<usize> = open.flat_map(|(axis, at)| [*at, at + self.stride(*axis)]).collect();
        steps.iter().for_each(|(axis, at)| self.barred[*axis][*at] += 1);
        let mut holes = Vec::new();
        while let Some(first) = left.pop_first() {
            let (mut hole, mut open) = (BTreeSet::from([first]), vec![first]);
            while let Some(at) = open.pop() {
                for next in (0..3).flat_map(|axis| [at - self.stride(axis), at + self.stride(axis)]) {
                    if left.remove(&next) {
                        hole.insert(next);
                        open.push(next);
                    }
                }
            }
            if hole.iter().any(|at| inside[*at]) && hole.iter().any(|at| outside[*at]) {
                holes.push(hole);
            }
        }
        holes
    }
}

fn search(brushes: &[&Brush], points: &[DVec3]) -> Leaks {
    let text = text_of(brushes, points);
    let structure = Structure::parse(text.as_bytes(), Format::Map, &LoadOptions::default()).unwrap();
    leaks(&structure.bsp, points, 0.2)
}

#[test]
fn every_brush_whose_loss_opens_a_real_level_is_a_leak_and_nothing_else_is() {
    let Some(data) = real::folder() else { return };
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let levels = number("CAROM_LEVELS").unwrap_or(1) as usize;
    let bytes = std::fs::read(data.join("q1q2_librequake_e0m1/lq_e0m1-quake2.bsp")).unwrap();
    let (brushes, points) = level(&bytes);
    let clock = Instant::now();
    let all: Vec<&Brush> = brushes.iter().collect();
    let sealed = search(&all, &points);
    println!(
        "{} brushes, {} points, {} leaks, {} cracks, {} outside, {} buried, {:.1} s",
        brushes.len(),
        points.len(),
        sealed.leaks.len(),
        sealed.cracks.len(),
        sealed.outside.len(),
        sealed.buried.len(),
        clock.elapsed().as_secs_f64()
    );
    assert!(sealed.leaks.is_empty() && sealed.outside.is_empty(), "it leaks before: {:?}", sealed.leaks);
    let mut grid = Grid::of(&brushes);
    let inside = grid.flood(points.iter().filter_map(|p| grid.place(*p)).collect());
    let outside = grid.flood(vec![0]);
    println!("a grid of {:?}, {:.1} s", grid.counts, clock.elapsed().as_secs_f64());
    assert!(
        !inside.iter().zip(&outside).any(|(inside, outside)| *inside && *outside),
        "the grid leaks before"
    );
    let mut random = Random(number("CAROM_SEED").unwrap_or(22));
    let (mut made, mut found, mut missed, mut elsewhere) = (0, 0, 0, 0);
    for number in 0..levels {
        let mut removed = BTreeSet::new();
        let wanted = 1 + random.below(10);
        while removed.len() < wanted {
            removed.insert(random.below(brushes.len()));
        }
        let left: Vec<&Brush> =
            (0..brushes.len()).filter(|i| !removed.contains(i)).map(|i| &brushes[i]).collect();
        let gone: Vec<&Brush> = removed.iter().map(|i| &brushes[*i]).collect();
        let holes = grid.holes(&gone, &inside, &outside);
        let clock = Instant::now();
        let result = search(&left, &points);
        let seconds = clock.elapsed().as_secs_f64();
        assert!(result.outside.is_empty(), "level {number}");
        let mut passed = BTreeSet::new();
        let hole_at =
            |p: DVec3| grid.place(p).and_then(|at| holes.iter().position(|hole| hole.contains(&at)));
        for leak in &result.leaks {
            let middles =
                leak.opening.iter().map(|corners| corners.iter().sum::<DVec3>() / corners.len() as f64);
            passed.extend(middles.filter_map(hole_at));
            let mut is_through = false;
            for pair in leak.chain.windows(2) {
                for k in 0..=400 {
                    let p = pair[0].lerp(pair[1], f64::from(k) / 400.0);
                    assert!(
                        !left.iter().any(|brush| brush.contains(p, -1e-2)),
                        "level {number}: through a wall"
                    );
                    is_through |= gone.iter().any(|brush| brush.contains(p, 1e-2));
                    passed.extend(hole_at(p));
                }
            }
            assert!(is_through, "level {number}: a leak through nothing that was taken out: {leak:?}");
            let is_at = |corners: &Vec<DVec3>| {
                let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
                gone.iter().any(|brush| brush.contains(middle, 1e-2))
            };
            elsewhere += usize::from(!leak.opening.iter().any(is_at));
        }
        println!(
            "level {number}: {} brushes out, {} holes, {} leaks, {} cracks, {seconds:.1} s",
            gone.len(),
            holes.len(),
            result.leaks.len(),
            result.cracks.len()
        );
        assert!(holes.is_empty() || !result.leaks.is_empty(), "level {number}");
        made += holes.len();
        found += result.leaks.len();
        missed += holes.len() - passed.len();
    }
    println!(
        "{levels} levels, {made} holes, {found} leaks, {missed} holes without one, {elsewhere} leaks elsewhere"
    );
    assert_eq!(missed, 0);
}
