//! The characters that walk: W5.

use glam::DVec3;

use super::{City, Proximity, Terrain};
use crate::Random;
use crate::scene_mesh::{point, rounded};

/// The radius of the walkers' capsules, in meters.
pub const WALKER_RADIUS: f64 = 0.3;
/// Half the height of the capsules' cylinders, in meters: 1.8 m in all.
pub const WALKER_HALF_HEIGHT: f64 = 0.6;
/// How fast they want to walk, in meters per second.
pub const WALKER_SPEED: f64 = 5.0;
/// How many ticks of a sixtieth of a second they walk.
pub const WALKER_TICKS: usize = 300;

/// A walk has a new heading every 60 ticks.
const TICKS_PER_HEADING: usize = 60;

/// Where one character starts and where it wants to go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker {
    /// The center of the capsule, in meters, exactly representable in f32.
    pub start: DVec3,
    headings: [DVec3; WALKER_TICKS / TICKS_PER_HEADING],
}

impl Walker {
    fn drawn(start: DVec3, random: &mut Random) -> Self {
        Self { start: point(rounded(start)), headings: core::array::from_fn(|_| random.heading()) }
    }

    /// The wanted velocity, level, in a tick counted from 0; the last one stays.
    pub fn desired_velocity(&self, tick: usize) -> DVec3 {
        self.headings[(tick / TICKS_PER_HEADING).min(self.headings.len() - 1)] * WALKER_SPEED
    }
}

/// W5 on a terrain of at least 512 quads. 1000 are compared.
///
/// Draws: x, z in [32, 480); five headings. The capsules' centers start 2 m above the surface.
pub fn walkers_on_terrain(terrain: &Terrain, count: usize) -> Vec<Walker> {
    let mut random = Random::new(0xCCAA);
    let draw = move || {
        let x = random.between(32.0, 480.0);
        let z = random.between(32.0, 480.0);
        Walker::drawn(DVec3::new(x, terrain.surface(x, z) + 2.0, z), &mut random)
    };
    core::iter::repeat_with(draw).take(count).collect()
}

/// W5 in the city, whose ground is [`City::ground`]. 1000 are compared.
///
/// Draws: x in [20, 380), y in [0.95, 30), z in [20, 380); five headings. Refused, after all its draws,
/// unless `fits` says that a capsule with this center is free; to let all start, most of them inside a box,
/// say so.
pub fn walkers_in_city(count: usize, fits: impl Fn(DVec3) -> bool) -> Vec<Walker> {
    let mut random = Random::new(0xCCAA);
    let draw = move || {
        let x = random.between(20.0, 380.0);
        let y = random.between(0.95, City::EXTENT.y);
        let z = random.between(20.0, 380.0);
        Walker::drawn(DVec3::new(x, y, z), &mut random)
    };
    core::iter::repeat_with(draw).filter(|walker| fits(walker.start)).take(count).collect()
}

/// Whether a walker's capsule has room in the city with its center at a place: five points of its axis are
/// outside of all boxes and at least 4 cm farther than the radius from every triangle. The grid is that of
/// the city's mesh.
pub fn room_in_city<'a>(city: &'a City, near: &'a Proximity) -> impl Fn(DVec3) -> bool + 'a {
    const CLEARANCE: f64 = 0.34;
    move |center| {
        let along = [-1.0, -0.5, 0.0, 0.5, 1.0].map(|share| center + DVec3::Y * (share * WALKER_HALF_HEIGHT));
        along.iter().all(|&p| !city.is_inside(p) && near.within(p, CLEARANCE).is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::casts::checksum;

    fn both(walkers: &[Walker]) -> u64 {
        checksum(walkers.iter().flat_map(|walker| {
            [walker.start, walker.desired_velocity(0), walker.desired_velocity(WALKER_TICKS)]
        }))
    }

    #[test]
    fn walkers_keep_their_bits() {
        let terrain = Terrain::new(512);
        assert_eq!(both(&walkers_on_terrain(&terrain, 1000)), 0x941D_D7CC_2101_795E);

        let city = City::new(City::BOXES);
        let grid = Proximity::new(city.mesh(), 2.0);
        assert_eq!(both(&walkers_in_city(100, room_in_city(&city, &grid))), 0x8291_1363_0E12_8DA4);
    }

    #[test]
    fn a_heading_lasts_sixty_ticks_and_the_last_one_stays() {
        let walker = walkers_in_city(1, |_| true)[0];
        assert_eq!(walker.desired_velocity(0), walker.desired_velocity(59));
        assert_ne!(walker.desired_velocity(59), walker.desired_velocity(60));
        assert_eq!(walker.desired_velocity(299), walker.desired_velocity(100_000));
        assert!((walker.desired_velocity(0).length() - WALKER_SPEED).abs() < 1e-12);
    }
}
