//! The balls that are thrown: W1, W2, W3 and W8; W4 are the rays along the same paths.

use carom::num::ops;
use glam::DVec3;

use super::city::within;
use super::{City, Terrain};
use crate::scene_mesh::{point, rounded};
use crate::{Random, SceneMesh, SphereCast};

/// The radius of the balls, in meters.
pub const CAST_RADIUS: f64 = 0.5;
/// W1 and W2 refuse an origin nearer to a triangle than this, in meters: no ball starts in touch.
pub const CAST_CLEARANCE: f64 = 0.501;
/// Where W3's draws start on the terrain.
pub const SHORT_CASTS_TERRAIN_SEED: u64 = 0x5_3EE9;
/// Where W3's draws start in the city.
pub const SHORT_CASTS_CITY_SEED: u64 = 0x5_3EEA;

/// All of it to the nearest f32, so that every library is asked the same.
fn half_meter(from: DVec3, translation: DVec3) -> SphereCast {
    let nearest = |v: DVec3| point(rounded(v));
    SphereCast { from: nearest(from), translation: nearest(translation), radius: CAST_RADIUS }
}

/// W1: balls above a terrain of at least 512 quads, thrown 1 to 10 m, a little downward. 100,000 are
/// compared.
///
/// Draws: x, then z in [16, 496); a direction, of which 0.3 is taken off the height before it is given length
/// one again; its length in [1, 10). The origin lies 2 m above the surface. Refused, after all its draws, if
/// `nearest` (the distance from a place to the nearest triangle, in meters; see
/// [`Proximity`](super::Proximity)) is below [`CAST_CLEARANCE`].
pub fn casts_over_terrain(
    terrain: &Terrain,
    count: usize,
    nearest: impl Fn(DVec3) -> f64,
) -> Vec<SphereCast> {
    let mut random = Random::new(0x5_1EE9);
    let draw = move || {
        let x = random.between(16.0, 496.0);
        let z = random.between(16.0, 496.0);
        let mut direction = random.direction();
        direction.y -= 0.3;
        direction /= ops::sqrt(direction.length_squared());
        let translation = direction * random.between(1.0, 10.0);
        half_meter(DVec3::new(x, terrain.surface(x, z) + 2.0, z), translation)
    };
    core::iter::repeat_with(draw).filter(|cast| nearest(cast.from) >= CAST_CLEARANCE).take(count).collect()
}

/// W2: balls in the free space of the city, thrown 5 m. 100,000 are compared.
///
/// Draws: x, y, z over [`City::EXTENT`]; a direction. Refused, after all its draws, inside a box or if
/// `nearest` is below [`CAST_CLEARANCE`].
pub fn casts_in_city(city: &City, count: usize, nearest: impl Fn(DVec3) -> f64) -> Vec<SphereCast> {
    let mut random = Random::new(0x5_2EE9);
    let draw = move || {
        let from = within(&mut random, DVec3::ZERO, City::EXTENT);
        half_meter(from, random.direction() * 5.0)
    };
    core::iter::repeat_with(draw)
        .filter(|cast| !city.is_inside(cast.from) && nearest(cast.from) >= CAST_CLEARANCE)
        .take(count)
        .collect()
}

/// W3: balls close to a triangle, thrown a tenth of a meter: what a character asks, tick after tick. 100,000
/// are compared.
///
/// Draws: a triangle; two numbers for a place on it (both taken from 1 if their sum is above 1: shares of the
/// second and the third corner); a gap in [0.02, 0.3); a direction. The origin is the radius and the gap in
/// front of the triangle. In the city that can be inside another box. A triangle without area is drawn again.
pub fn short_casts(mesh: &SceneMesh, seed: u64, count: usize) -> Vec<SphereCast> {
    let mut random = Random::new(seed);
    let mut casts = Vec::with_capacity(count);
    while casts.len() < count && !mesh.triangles.is_empty() {
        let [a, b, c] = mesh.corners(random.below(mesh.triangles.len()));
        let (mut u, mut v) = (random.unit(), random.unit());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let gap = random.between(0.02, 0.3);
        let translation = random.direction() * 0.1;
        let normal = (b - a).cross(c - a);
        let length = ops::sqrt(normal.length_squared());
        if length > 0.0 {
            let from = a + (b - a) * u + (c - a) * v + normal * ((CAST_RADIUS + gap) / length);
            casts.push(half_meter(from, translation));
        }
    }
    casts
}

/// W8: balls of half a meter at the first blob, whose triangles measure a hundredth. 10,000 are compared.
///
/// Draws: a direction and a distance in [1.4, 2.2) for the origin; a direction, along which the ball goes 1
/// m. Some start in touch with the blob.
pub fn casts_at_blob(count: usize) -> Vec<SphereCast> {
    let mut random = Random::new(0x5_8EE9);
    let draw = move || {
        let from = random.direction() * random.between(1.4, 2.2);
        half_meter(from, random.direction())
    };
    core::iter::repeat_with(draw).take(count).collect()
}

/// FNV-1a, 64 bits, over the little-endian f32 bytes of origin and translation: to show that queries kept
/// their bits.
#[cfg(test)]
pub(super) fn checksum(vectors: impl Iterator<Item = DVec3>) -> u64 {
    SceneMesh { vertices: vectors.map(rounded).collect(), ..SceneMesh::new() }.checksum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::{BLOB_SEEDS, Proximity, blob};

    fn both(casts: &[SphereCast]) -> u64 {
        checksum(casts.iter().flat_map(|cast| [cast.from, cast.translation]))
    }

    #[test]
    fn terrain_casts_start_free_and_keep_their_bits() {
        let terrain = Terrain::new(512);
        let grid = Proximity::new(terrain.mesh(), 2.0);
        let casts = casts_over_terrain(&terrain, 5000, grid.up_to(1.0));
        assert_eq!(casts.len(), 5000);
        for cast in &casts {
            assert!(grid.within(cast.from, CAST_CLEARANCE * 0.999_999).is_none());
            assert!((terrain.surface(cast.from.x, cast.from.z) + 2.0 - cast.from.y).abs() < 1e-4);
            assert!((0.999_999..10.000_001).contains(&cast.translation.length()));
        }
        assert_eq!(both(&casts), 0xF56E_7126_B56A_C73A);
    }

    #[test]
    fn city_casts_start_free_and_keep_their_bits() {
        let city = City::new(City::BOXES);
        let grid = Proximity::new(city.mesh(), 2.0);
        let casts = casts_in_city(&city, 2000, grid.up_to(1.0));
        assert_eq!(casts.len(), 2000);
        for cast in &casts {
            assert!(!city.boxes().iter().any(|b| b.contains(cast.from)));
            assert!(grid.within(cast.from, CAST_CLEARANCE * 0.999_999).is_none());
            assert!((cast.translation.length() - 5.0).abs() < 1e-6);
        }
        assert_eq!(both(&casts), 0x281E_43F8_6892_9CC9);
    }

    #[test]
    fn short_casts_start_before_a_triangle_and_keep_their_bits() {
        let terrain = Terrain::new(512);
        let casts = short_casts(terrain.mesh(), SHORT_CASTS_TERRAIN_SEED, 5000);
        let grid = Proximity::new(terrain.mesh(), 2.0);
        for cast in &casts {
            assert!(grid.within(cast.from, 0.801).is_some());
            assert!((cast.translation.length() - 0.1).abs() < 1e-7);
        }
        assert_eq!(both(&casts), 0xB8A8_A65C_7978_3F3E);
        assert_eq!(
            both(&short_casts(City::new(City::BOXES).mesh(), SHORT_CASTS_CITY_SEED, 5000)),
            0xA1D9_6DB2_1502_17C4
        );
        assert!(short_casts(&SceneMesh::new(), 1, 5).is_empty());
    }

    #[test]
    fn blob_casts_start_around_it_and_keep_their_bits() {
        let casts = casts_at_blob(10_000);
        assert!(casts.iter().all(|cast| (1.399_999..2.200_001).contains(&cast.from.length())));
        assert!(casts.iter().all(|cast| (cast.translation.length() - 1.0).abs() < 1e-7));
        assert_eq!(both(&casts), 0x8EF2_57B0_18DA_631C);
        let (low, high) = blob(BLOB_SEEDS[0]).extents().unwrap();
        assert!(high.max_element() < 2.0 && low.min_element() > -2.0);
    }
}
