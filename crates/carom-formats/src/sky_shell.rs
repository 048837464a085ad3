//! Shells of sky: a sphere, a dome or a box far around everything else, which shows the sky on its inside.
//!
//! Most formats do not state which surfaces show the sky. A shell can be told by its shape: it is one
//! connected part that spans the level, everything else is much lower and clear of it, and from the middle of
//! everything else no part of it hides another. The walls, the floor and the ceiling of a hall are connected,
//! too, but what stands in a hall stands on its floor, and what hangs in it hangs near its ceiling. A yard
//! and its walls are connected, too, but its walls have two sides, and one hides the other.
//!
//! Shells may be within each other. Cost: a hash lookup a corner, for levels that are high enough to have a
//! shell at all.

use std::collections::{HashMap, HashSet};
use std::f64::consts::TAU;

use carom::num::ops;
use glam::DVec3;

use crate::extents::Extents;
use crate::level::RawLevel;

/// Everything else is no higher than this share of a shell,
const LOW: f64 = 0.25;
/// and at least this share of the shell's height is free above it and, if the shell has a bottom, below it,
const CLEAR: f64 = 0.2;
/// and this share of its sides around it: more than walls are thick.
const BESIDE: f64 = 0.1;
/// A shell is at least this share of its width high: a half sphere has 0.5.
const ROUND: f64 = 0.25;
/// The solid angles of its triangles add up to no more than a sphere's, but for this share.
const OVERLAP: f64 = 0.01;
/// No more shells than this are within each other.
const MOST: usize = 4;
/// The name of a shell that shared a surface with something else.
const NAME: &str = "sky";

/// Makes sky of the surfaces of shells.
pub(crate) fn mark(level: &mut RawLevel) {
    let is_shell = shells(&level.vertices, &level.triangles);
    if !is_shell.contains(&true) {
        return;
    }
    if level.surface_ids.is_empty() {
        level.surface_ids = vec![0; level.triangles.len()];
    }
    let mut is_shared = vec![false; level.surfaces.len()];
    for (id, _) in level.surface_ids.iter().zip(&is_shell).filter(|(_, is_shell)| !**is_shell) {
        is_shared[usize::from(*id)] = true;
    }
    // Where all ids are taken, a shell that shares its surface stays what it is.
    let own = u16::try_from(level.surfaces.len()).ok();
    for (id, _) in level.surface_ids.iter_mut().zip(&is_shell).filter(|(_, is_shell)| **is_shell) {
        if !is_shared[usize::from(*id)] {
            level.skies.push(*id);
        } else if let Some(own) = own {
            *id = own;
            level.skies.push(own);
        }
    }
    level.skies.sort_unstable();
    level.skies.dedup();
    if own.is_some_and(|own| level.skies.contains(&own)) {
        level.surfaces.push(NAME.to_owned());
        level.colors.push(None);
    }
}

/// Of each triangle, whether it is part of a shell.
fn shells(vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<bool> {
    // Of a vertex that is missing, as in tests of readers, nothing is known.
    let corner = |i: u32| vertices.get(i as usize).map_or(DVec3::NAN, |at| DVec3::from(at.map(f64::from)));
    let corners = |triangle: &[u32; 3]| triangle.map(corner);
    let is_finite = |triangle: &[u32; 3]| corners(triangle).iter().all(|p| p.is_finite());
    let mut is_shell = vec![false; triangles.len()];
    let size = Extents::of(triangles.iter().filter(|t| is_finite(t)).flat_map(corners)).size();
    // Of nothing at all, this is not a number.
    if !(size.y >= ROUND * size.x.max(size.z) && size.y > 0.0) {
        return is_shell;
    }
    let part_of = connected(vertices, triangles);
    let mut parts: HashMap<u32, Extents> = HashMap::new();
    for (triangle, part) in triangles.iter().zip(&part_of).filter(|(triangle, _)| is_finite(triangle)) {
        let extents = parts.entry(*part).or_insert(Extents::NONE);
        *extents = extents.around(Extents::of(corners(triangle)));
    }
    let mut parts: Vec<(u32, Extents)> = parts.into_iter().collect();
    let volume = |(_, extents): &(u32, Extents)| extents.size().element_product();
    parts.sort_unstable_by(|a, b| volume(b).total_cmp(&volume(a)).then(a.0.cmp(&b.0)));
    let of_part = |wanted: u32| {
        let own = triangles.iter().zip(&part_of).filter(move |(_, part)| **part == wanted);
        own.map(|(triangle, _)| triangle).filter(|triangle| is_finite(triangle)).map(corners)
    };
    // The rest of the outermost shell is not low before those within it are known.
    for count in (1..=MOST.min(parts.len().saturating_sub(1))).rev() {
        let (shells, rest) = parts.split_at(count);
        let rest = rest.iter().fold(Extents::NONE, |all, (_, extents)| all.around(*extents));
        if shells.iter().all(|(part, extents)| is_around(*extents, rest, of_part(*part))) {
            for (is_shell, part) in is_shell.iter_mut().zip(&part_of) {
                *is_shell = shells.iter().any(|(shell, _)| shell == part);
            }
            break;
        }
    }
    is_shell
}

/// Whether everything else is low and clear of a shell.
fn is_around(shell: Extents, rest: Extents, triangles: impl Iterator<Item = [DVec3; 3]> + Clone) -> bool {
    let size = shell.size();
    let (below, above) = (rest.low - shell.low, shell.high - rest.high);
    let is_beside = |apart: DVec3| apart.x >= BESIDE * size.x && apart.z >= BESIDE * size.z;
    // A dome without a bottom may end at the ground.
    let is_level_below = |[a, b, c]: [DVec3; 3]| {
        let normal = (b - a).cross(c - a);
        a.y.min(b.y).min(c.y) < rest.high.y && 4.0 * normal.y * normal.y > normal.length_squared()
    };
    size.y >= ROUND * size.x.max(size.z)
        && rest.size().y <= LOW * size.y
        && above.y >= CLEAR * size.y
        && is_beside(below)
        && is_beside(above)
        && (below.y >= CLEAR * size.y || shell.low.y <= rest.high.y && !triangles.clone().any(is_level_below))
        && hides_nothing(0.5 * (rest.low + rest.high), triangles)
}

/// Whether no triangle hides another one from a point. A triangle with two sides is one.
fn hides_nothing(eye: DVec3, triangles: impl Iterator<Item = [DVec3; 3]>) -> bool {
    let mut seen = HashSet::new();
    let is_new = |corners: &[DVec3; 3]| {
        let mut key = corners.map(|p| p.to_array().map(f64::to_bits));
        key.sort_unstable();
        seen.insert(key)
    };
    let angles = triangles.filter(is_new).map(|corners| solid_angle(corners.map(|corner| corner - eye)));
    angles.sum::<f64>() <= 2.0 * TAU * (1.0 + OVERLAP)
}

/// The solid angle of a triangle, seen from the origin, in steradians. Source: van Oosterom and Strackee,
/// The Solid Angle of a Plane Triangle, 1983.
fn solid_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let [x, y, z] = [a, b, c].map(|p| ops::sqrt(p.length_squared()));
    let below = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
    2.0 * ops::atan2(a.dot(b.cross(c)).abs(), below)
}

/// Of each triangle, its part: those that share positions are of one.
fn connected(vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut first_there: HashMap<[u32; 3], u32> = HashMap::new();
    let mut root: Vec<u32> = (0..triangles.len() as u32).collect();
    for (number, triangle) in (0..).zip(triangles) {
        for corner in triangle {
            let there = vertices[*corner as usize].map(|x| (x + 0.0).to_bits());
            let first = *first_there.entry(there).or_insert(number);
            let (a, b) = (find(&mut root, first), find(&mut root, number));
            root[a.max(b) as usize] = a.min(b);
        }
    }
    (0..triangles.len() as u32).map(|number| find(&mut root, number)).collect()
}

fn find(root: &mut [u32], mut number: u32) -> u32 {
    while root[number as usize] != number {
        root[number as usize] = root[root[number as usize] as usize];
        number = root[number as usize];
    }
    number
}

#[cfg(test)]
mod tests {
    use crate::{Format, LoadOptions, parse};

    /// The faces of a box as an .obj file, after earlier vertices; seen from within if `inward`.
    fn cuboid(low: [f64; 3], high: [f64; 3], before: usize, inward: bool) -> String {
        let ends = [low, high];
        let mut text = String::new();
        for i in 0..8 {
            text += &format!("v {} {} {}\n", ends[i & 1][0], ends[i >> 1 & 1][1], ends[i >> 2 & 1][2]);
        }
        for face in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
            let mut face = face.map(|i| before + i + 1);
            if inward {
                face[1..].reverse();
            }
            text += &format!("f {} {} {} {}\n", face[0], face[1], face[2], face[3]);
        }
        text
    }

    fn skies(boxes: &[([f64; 3], [f64; 3])]) -> (Vec<u16>, Vec<u16>) {
        let text: String =
            boxes.iter().enumerate().map(|(i, (low, high))| cuboid(*low, *high, 8 * i, i == 0)).collect();
        let level = parse(text.as_bytes(), Format::Obj, &LoadOptions::default()).unwrap();
        assert_eq!(level.colors.len(), level.surfaces.len());
        (level.skies, level.surface_ids)
    }

    const GROUND: ([f64; 3], [f64; 3]) = ([-25.0, -1.0, -25.0], [25.0, 0.0, 25.0]);
    const TOWER: ([f64; 3], [f64; 3]) = ([3.0, 0.0, 3.0], [5.0, 12.0, 5.0]);

    #[test]
    fn a_box_far_around_a_level_is_sky() {
        let sky = ([-200.0, -150.0, -200.0], [200.0, 150.0, 200.0]);
        let (skies, ids) = skies(&[sky, GROUND, TOWER]);
        assert_eq!(skies, [1]);
        assert!(ids[..12].iter().all(|id| *id == 1) && ids[12..].iter().all(|id| *id == 0));
    }

    #[test]
    fn shells_may_be_within_each_other() {
        let (sky, clouds) =
            (([-200.0, -150.0, -200.0], [200.0, 150.0, 200.0]), ([-90.0, -60.0, -90.0], [90.0, 70.0, 90.0]));
        assert_eq!(skies(&[sky, clouds, GROUND, TOWER]).1.iter().filter(|id| **id == 1).count(), 24);
    }

    #[test]
    fn a_hall_is_no_sky() {
        let hall = ([-30.0, 0.0, -20.0], [30.0, 20.0, 20.0]);
        let none = (vec![], vec![]);
        // Crates on its floor; lamps under its ceiling; both; platforms at many heights; nothing.
        let (crates, lamp) = (([0.0, 0.0, 0.0], [2.0, 2.0, 2.0]), ([5.0, 19.0, 5.0], [5.5, 19.8, 5.5]));
        let platforms = (([-20.0, 3.0, 0.0], [-10.0, 4.0, 9.0]), ([10.0, 12.0, 0.0], [20.0, 13.0, 9.0]));
        for inside in [vec![crates], vec![lamp], vec![crates, lamp], vec![platforms.0, platforms.1], vec![]] {
            let mut boxes = vec![hall];
            boxes.extend(inside);
            assert_eq!(skies(&boxes), none, "{boxes:?}");
        }
        assert_eq!(skies(&[GROUND, TOWER]), none);
    }

    #[test]
    fn a_yard_whose_walls_have_two_sides_is_no_sky() {
        // The solid ground and the walls of a yard share corners; a table top hangs over it.
        let (ground, top) = (([0.0, 0.0, 0.0], [30.0, 4.0, 20.0]), ([12.0, 5.5, 8.0], [18.0, 5.6, 12.0]));
        let walls = [
            ([0.0, 4.0, 0.0], [30.0, 12.0, 0.5]),
            ([0.0, 4.0, 19.5], [30.0, 12.0, 20.0]),
            ([0.0, 4.0, 0.0], [0.5, 12.0, 20.0]),
            ([29.5, 4.0, 0.0], [30.0, 12.0, 20.0]),
        ];
        let boxes: Vec<_> = std::iter::once(ground).chain(walls).chain([top]).collect();
        assert_eq!(skies(&boxes), (vec![], vec![]));
        // A shell of triangles with two sides is one.
        let sky = ([-200.0, -150.0, -200.0], [200.0, 150.0, 200.0]);
        let text = [(sky, true), (sky, false), (GROUND, false)].into_iter().enumerate();
        let text: String = text.map(|(i, ((low, high), inward))| cuboid(low, high, 8 * i, inward)).collect();
        let level = parse(text.as_bytes(), Format::Obj, &LoadOptions::default()).unwrap();
        assert_eq!(level.surface_ids.iter().filter(|id| level.skies.contains(id)).count(), 24);
    }

    #[test]
    fn a_dome_without_a_bottom_may_end_at_the_ground() {
        let (around, up) = (16, 6);
        let mut text = String::new();
        let angle = |share: f64| carom::num::ops::sin_cos(core::f64::consts::TAU * share);
        for j in 0..up {
            for i in 0..around {
                let ((sin, cos), (rise, out)) =
                    (angle(f64::from(i) / f64::from(around)), angle(f64::from(j) / f64::from(4 * up)));
                text += &format!("v {} {} {}\n", 60.0 * out * cos, 60.0 * rise - 1.0, 60.0 * out * sin);
            }
        }
        for j in 0..up - 1 {
            for i in 0..around {
                let at = |j: i32, i: i32| j * around + i % around + 1;
                text += &format!("f {} {} {} {}\n", at(j, i), at(j, i + 1), at(j + 1, i + 1), at(j + 1, i));
            }
        }
        let dome = text.clone() + "o ground\n" + &cuboid(GROUND.0, GROUND.1, (around * up) as usize, false);
        let level = parse(dome.as_bytes(), Format::Obj, &LoadOptions::default()).unwrap();
        assert_eq!((level.skies, level.surfaces.len()), (vec![0], 2));
    }
}
