//! Dented balls of many small triangles, and the poses in which two of them meet.

use std::collections::BTreeMap;

use core::f64::consts::TAU;

use carom::num::ops;
use glam::{DQuat, DVec3};

use crate::scene_mesh::rounded;
use crate::{Random, SceneMesh};

/// The seeds of the two blobs of W6; the first is W8's.
pub const BLOB_SEEDS: [u64; 2] = [0xB_10B1, 0xB_10B2];

const LEVEL: u32 = 6;

/// The pose of the second blob; the first stays at the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlobPose {
    /// Of length one.
    pub rotation: DQuat,
    /// In meters.
    pub translation: DVec3,
}

/// A ball of radius 1 m with waves on it, 81,920 triangles, facing outward.
///
/// Each point p of length one of a level-6 [`icosphere`] moves out to 1 + Σ (0.25/f) sin(f d·p + φ), f = 3,
/// 3.9, 4.8 … (24 waves). Draws per wave: d (a direction), φ in [0, 2π).
pub fn blob(seed: u64) -> SceneMesh {
    blob_of_level(seed, LEVEL)
}

/// The same from an icosahedron cut `level` times.
pub(super) fn blob_of_level(seed: u64, level: u32) -> SceneMesh {
    let mut random = Random::new(seed);
    let waves: Vec<(f64, DVec3, f64)> =
        (0..24).map(|i| (3.0 + 0.9 * f64::from(i), random.direction(), random.between(0.0, TAU))).collect();
    let (points, triangles) = sphere(level);
    let radius = |p: DVec3| {
        waves.iter().fold(1.0, |radius, &(f, d, phase)| radius + 0.25 / f * ops::sin(f * d.dot(p) + phase))
    };
    let vertices = points.into_iter().map(|p| rounded(p * radius(p))).collect();
    SceneMesh { vertices, triangles, sections: Vec::new() }
}

/// A ball of radius 1 m: 20 · 4^`level` triangles, facing outward, from an icosahedron cut in four again and
/// again.
///
/// # Panics
/// More than 2³² vertices (level 15).
pub fn icosphere(level: u32) -> SceneMesh {
    let (points, triangles) = sphere(level);
    SceneMesh { vertices: points.into_iter().map(rounded).collect(), triangles, sections: Vec::new() }
}

fn sphere(level: u32) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    assert!(level < 15, "indices are 32 bits");
    // The three golden rectangles: corner pairs along x, y, z.
    let golden = (1.0 + ops::sqrt(5.0)) / 2.0;
    let unit = |p: DVec3| p / ops::sqrt(p.length_squared());
    let mut points: Vec<DVec3> = [
        [-1.0, golden, 0.0],
        [1.0, golden, 0.0],
        [-1.0, -golden, 0.0],
        [1.0, -golden, 0.0],
        [0.0, -1.0, golden],
        [0.0, 1.0, golden],
        [0.0, -1.0, -golden],
        [0.0, 1.0, -golden],
        [golden, 0.0, -1.0],
        [golden, 0.0, 1.0],
        [-golden, 0.0, -1.0],
        [-golden, 0.0, 1.0],
    ]
    .map(|p| unit(DVec3::from_array(p)))
    .to_vec();
    #[rustfmt::skip]
    let mut triangles: Vec<[u32; 3]> = vec![
        [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11],
        [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
        [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9],
        [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
    ];
    for _ in 0..level {
        let mut middles = BTreeMap::new();
        let mut middle = |points: &mut Vec<DVec3>, a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                points.push(unit(points[a as usize] + points[b as usize]));
                points.len() as u32 - 1
            })
        };
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let ab = middle(&mut points, a, b);
                let bc = middle(&mut points, b, c);
                let ca = middle(&mut points, c, a);
                [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
            })
            .collect();
    }
    (points, triangles)
}

/// W6: where the second blob is compared with the first. 1000 are compared.
///
/// Draws: a rotation; a direction and a distance in [1.97, 2.30).
pub fn blob_poses(count: usize) -> Vec<BlobPose> {
    let mut random = Random::new(0x9_053E);
    let draw = move || {
        let rotation = random.rotation();
        let direction = random.direction();
        BlobPose { rotation, translation: direction * random.between(1.97, 2.30) }
    };
    core::iter::repeat_with(draw).take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::Census;
    use crate::workload::casts::checksum;

    #[test]
    fn blobs_are_closed_and_keep_their_bits() {
        let blobs = BLOB_SEEDS.map(blob);
        for blob in &blobs {
            assert_eq!(blob.triangles.len(), 81_920);
            let census = Census::of(blob);
            assert!(census.is_closed() && census.slivers == 0 && census.volume > 3.0, "{census:?}");
        }
        assert_eq!(blobs.map(|blob| blob.checksum()), [0x89BC_108B_BBCD_FB7C, 0xF8C6_DD68_B89A_98E9]);
    }

    #[test]
    fn a_ball_nears_the_volume_of_one() {
        let census = Census::of(&icosphere(4));
        assert!(census.is_closed());
        assert!((census.volume - 4.0 / 3.0 * core::f64::consts::PI).abs() < 0.02);
        assert_eq!(icosphere(0).triangles.len(), 20);
    }

    #[test]
    fn poses_keep_their_bits() {
        let poses = blob_poses(1000);
        assert!(poses.iter().all(|pose| (1.969_999..2.300_001).contains(&pose.translation.length())));
        let parts = |pose: &BlobPose| [pose.rotation.xyz(), DVec3::X * pose.rotation.w, pose.translation];
        assert_eq!(checksum(poses.iter().flat_map(parts)), 0x631D_E05F_EDE0_D794);
    }
}
