//! Worlds of planes that meet at every kind of angle: what a sliding body gets stuck in, if it can.

use carom::num::ops;
use glam::{DQuat, DVec2, DVec3};

use crate::{MeshBuilder, Random, SceneMesh};

/// How far the planes reach from the middle, in meters.
const REACH: f64 = 16.0;

/// How the planes of a crease world lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreaseKind {
    /// Strips side by side, each sloped its own way: ridges and valleys down to 5°, and folds of a millionth
    /// of a radian.
    Folds,
    /// Triangles around one point, at heights drawn or all but level: spikes, pits and saddles.
    Corner,
    /// Two upright walls that close in on each other at 5° to 60°, over a floor, half of them under a sinking
    /// ceiling.
    Gully,
}

/// Planes at angles drawn from a seed, and a free place to start from.
#[derive(Clone, Debug, PartialEq)]
pub struct CreaseWorld {
    /// How the planes lie.
    pub kind: CreaseKind,
    /// Their triangles: a few, large, in a pose drawn from the seed.
    pub mesh: SceneMesh,
    /// A place at least 1.5 m from every triangle.
    pub start: DVec3,
    /// A place in the thick of it: what a body should be sent towards.
    pub middle: DVec3,
}

/// The crease world of a seed; neighboring seeds are unrelated.
///
/// The whole world is turned about y by any angle and then tilted by at most 20°.
pub fn crease_world(seed: u64) -> CreaseWorld {
    let mut random = Random::scattered(seed);
    let (kind, builder, start) = match random.below(4) {
        0 | 1 => folds(&mut random),
        2 => corner(&mut random),
        _ => gully(&mut random),
    };
    let tilt = ops::rotation_about(random.heading(), random.between(0.0, 20f64.to_radians()));
    let pose: DQuat = tilt * ops::rotation_about(DVec3::Y, random.between(0.0, core::f64::consts::TAU));
    CreaseWorld {
        kind,
        mesh: builder.posed(pose, DVec3::ZERO).rounded(),
        start: pose * start,
        middle: DVec3::ZERO,
    }
}

/// 2⁻¹⁰ to 2⁻²⁰: from a twentieth of a degree down to a millionth of a radian.
fn hair(random: &mut Random) -> f64 {
    let size = 1.0 / (1u32 << (10 + random.below(11))) as f64;
    if random.unit() < 0.5 { size } else { -size }
}

/// A graph over x, so that what is above it is free: slopes from −87.5° to 87.5°.
fn folds(random: &mut Random) -> (CreaseKind, MeshBuilder, DVec3) {
    let steep = 87.5f64.to_radians();
    let mut line = vec![DVec2::ZERO];
    let mut slope = random.between(-0.5, 0.5);
    let strips = 2 + random.below(5);
    let mut at = DVec2::ZERO;
    for _ in 0..strips {
        let length = random.between(0.3, 3.0);
        let (sin, cos) = ops::sin_cos(slope);
        at += DVec2::new(cos, sin) * length;
        line.push(at);
        slope = match random.below(4) {
            0 => (slope + hair(random)).clamp(-steep, steep),
            1 => random.between(-1.0, 1.0),
            // Straight over to the other side: the acute ridge or valley.
            2 if slope < 0.0 => steep,
            2 => -steep,
            _ => random.between(-steep, steep),
        };
    }
    // The middle of the folds to the origin, and a gentle apron on either side.
    let middle = line[line.len() / 2];
    line.iter_mut().for_each(|p| *p -= middle);
    let (first, last) = (line[0], line[line.len() - 1]);
    line.insert(0, DVec2::new(-REACH, first.y + random.between(-1.0, 1.0)));
    line.push(DVec2::new(REACH, last.y + random.between(-1.0, 1.0)));

    let mut builder = MeshBuilder::new();
    for pair in line.windows(2) {
        let corner = |p: DVec2, z: f64| DVec3::new(p.x, p.y, z);
        builder.append(&MeshBuilder::quad([
            corner(pair[0], -REACH),
            corner(pair[0], REACH),
            corner(pair[1], REACH),
            corner(pair[1], -REACH),
        ]));
    }
    let top = line.iter().fold(0.0, |top: f64, p| top.max(p.y));
    (CreaseKind::Folds, builder, DVec3::new(random.between(-2.0, 2.0), top + 2.0, random.between(-2.0, 2.0)))
}

fn corner(random: &mut Random) -> (CreaseKind, MeshBuilder, DVec3) {
    let sides = 3 + random.below(6);
    let nearly_level = random.unit() < 0.4;
    let rim: Vec<DVec3> = (0..sides)
        .map(|i| {
            // Jittered by less than half a sector: the order around the point stays.
            let angle = core::f64::consts::TAU * (i as f64 + random.between(-0.4, 0.4)) / sides as f64;
            let (sin, cos) = ops::sin_cos(angle);
            let height = if nearly_level { hair(random) } else { random.between(-1.0, 1.0) };
            DVec3::new(cos, height, -sin) * REACH
        })
        .collect();
    let mut builder = MeshBuilder::new();
    for (i, &p) in rim.iter().enumerate() {
        builder.append(&MeshBuilder::triangle([DVec3::ZERO, p, rim[(i + 1) % sides]]));
    }
    // No rim point is higher than it is far: within the slope of a sector, a start this far up is free.
    let top = rim.iter().fold(0.0, |top: f64, p| top.max(p.y));
    (CreaseKind::Corner, builder, DVec3::Y * (top + 2.0))
}

fn gully(random: &mut Random) -> (CreaseKind, MeshBuilder, DVec3) {
    let half_angle = random.between(2.5, 30.0).to_radians();
    let (sin, cos) = ops::sin_cos(half_angle);
    let mouth = DVec3::new(cos, 0.0, sin) * REACH;
    let mirrored = mouth.with_z(-mouth.z);
    let up = DVec3::Y * 6.0;
    let floor = MeshBuilder::grid(
        DVec3::new(-2.0, 0.0, -1.5 * REACH),
        [DVec3::Z * (3.0 * REACH), DVec3::X * (2.0 * REACH)],
        [1, 1],
    );
    let mut builder = floor
        .and(&MeshBuilder::quad([DVec3::ZERO, up, mouth + up, mouth]))
        .and(&MeshBuilder::quad([DVec3::ZERO, mirrored, mirrored + up, up]));
    if random.unit() < 0.5 {
        let inner = DVec3::Y * random.between(0.5, 1.5);
        builder.append(&MeshBuilder::triangle([inner, mirrored + up, mouth + up]).flipped());
    }
    // Behind the mouth, over the floor.
    (CreaseKind::Gully, builder, DVec3::new(REACH * cos + 3.0, 2.0, random.between(-3.0, 3.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::Proximity;

    #[test]
    fn every_start_is_free_and_no_triangle_lacks_area() {
        let mut seen = Vec::new();
        for seed in 0..400 {
            let world = crease_world(seed);
            assert!(
                Proximity::new(&world.mesh, 8.0).within(world.start, 1.5).is_none(),
                "{seed} {:?}",
                world.kind
            );
            assert!(world.mesh.iter_corners().all(|[a, b, c]| (b - a).cross(c - a).length_squared() > 0.0));
            if !seen.contains(&world.kind) {
                seen.push(world.kind);
            }
        }
        assert_eq!(seen.len(), 3);
    }

    #[test]
    fn creases_reach_from_a_millionth_of_a_radian_to_five_degrees() {
        let (mut least, mut acutest) = (f64::INFINITY, f64::INFINITY);
        for seed in 0..400 {
            let mesh = crease_world(seed).mesh;
            let normals: Vec<DVec3> =
                mesh.iter_corners().map(|[a, b, c]| (b - a).cross(c - a).normalize()).collect();
            for (i, a) in normals.iter().enumerate() {
                for b in &normals[..i] {
                    let sine = a.cross(*b).length();
                    if a.dot(*b) > 0.0 && sine > 2e-7 {
                        least = least.min(sine);
                    } else if a.dot(*b) < 0.0 {
                        acutest = acutest.min(sine);
                    }
                }
            }
        }
        assert!(least < 2e-6, "{least}");
        assert!(acutest < ops::sin(5.1f64.to_radians()), "{acutest}");
    }

    #[test]
    fn a_seed_keeps_its_world() {
        let all = (0..64).map(|seed| crease_world(seed).mesh);
        let sum = all.fold(0u64, |sum, mesh| sum.rotate_left(1) ^ mesh.checksum());
        assert_eq!(sum, 0x32A6_4912_5669_7FEF);
    }
}
