//! Judges every character in every tick, by a world that no controller knows: how deep it is in the level,
//! and whether it is stuck.

use bevy::prelude::*;
use bevy_carom::carom::glam::DVec3;
use bevy_carom::carom::mesh::MeshData;
use bevy_carom::carom::{Body, Capsule, Cast, Layers, Mesh, Mover, World as Carom};
use carom_scenes::machines::overlap::{Solid, depth};
use carom_scenes::{PlacedBox, Random};

use crate::contest::{Controller, HALF_HEIGHT, RADIUS, TICK};
use crate::level::{self, Level, height, narrow};

/// How far a character that is not stuck could go, in meters: far enough that no face steeper than 45° is
/// below the end of the way.
const AHEAD: f64 = 0.5;
/// How far it is raised for that, in meters.
const RAISES: [f64; 2] = [0.05, 0.4];
/// Nearer to another one than this, in meters, nothing is said about being stuck.
const APART: f32 = 1.5;

/// The results of one controller's characters.
#[derive(Default)]
pub(crate) struct Tally {
    /// In meters, along the ground.
    pub(crate) walked: f64,
    pub(crate) deepest: f64,
    /// More than a millimeter deep, more than a centimeter deep.
    pub(crate) deep_ticks: [u64; 2],
    /// How often one fell through the ground, and was put back to its start.
    pub(crate) lost: u64,
    /// Stuck ticks, and those in which the way was free, for each raise.
    pub(crate) stuck: [[u64; 2]; 2],
}

#[derive(Resource)]
pub(crate) struct Judge {
    world: Carom,
    boxes: Vec<PlacedBox>,
    shape: Mover,
    pub(crate) tallies: [Tally; 3],
}

fn wide(v: Vec3) -> DVec3 {
    DVec3::from_array(v.to_array().map(f64::from))
}

impl Judge {
    pub(crate) fn new(level: &Level) -> Self {
        let (vertices, triangles) = (level.mesh.vertices.clone(), level.mesh.triangles.clone());
        let mesh = Mesh::new(MeshData { vertices, triangles, ..MeshData::default() }).expect("a mesh");
        let mut world = Carom::new();
        world.add(Body::fixed(mesh));
        let shape = Capsule::new(f64::from(RADIUS), f64::from(HALF_HEIGHT)).expect("a capsule").into();
        Self { world, boxes: level.boxes.clone(), shape, tallies: default() }
    }

    /// Places above the ground at which nothing is touched.
    pub(crate) fn starts(&self, level: &Level, count: usize) -> Vec<Vec3> {
        let mut random = Random::new(5);
        let mut starts = Vec::new();
        while starts.len() < count {
            let reach = 0.8 * f64::from(level::REACH);
            let (x, z) = (random.between(-reach, reach), random.between(-reach, reach));
            let at = DVec3::new(x, height(x, z) + 1.2, z);
            let is_inside = level.boxes.iter().any(|placed| placed.contains(at));
            if !is_inside && self.depth(at) == 0.0 {
                starts.push(narrow(at));
            }
        }
        starts
    }

    /// In the triangles by Carom's contacts, and in each box as a solid in closed form.
    fn depth(&self, at: DVec3) -> f64 {
        let deepest = self.world.deepest(self.shape, at, Layers::ALL).expect("a finite place");
        let in_mesh = deepest.first().map_or(0.0, |contact| -contact.contact.gap);
        let reach = f64::from(RADIUS + HALF_HEIGHT);
        let near = self.boxes.iter().filter(|placed| {
            let far = placed.half_extents.length() + reach;
            placed.position.distance_squared(at) < far * far
        });
        let in_box = |placed: &PlacedBox| {
            depth(&self.shape, at, Solid::Box(placed.half_extents), placed.position, placed.rotation)
        };
        near.map(in_box).fold(in_mesh, f64::max)
    }

    /// Whether a character has fallen through the ground.
    pub(crate) fn is_lost(&self, at: Vec3) -> bool {
        !at.is_finite() || f64::from(at.y) < height(at.x.into(), at.z.into()) - 1.0
    }

    /// Whether a character that is raised could go on along its wish.
    fn is_free(&self, from: DVec3, wish: DVec3, raise: f64) -> bool {
        let is_clear = |from: DVec3, way: DVec3| {
            let cast = Cast::new(self.shape, from, way).expect("a finite place");
            self.world.cast(&cast).is_none()
        };
        let (up, ahead) = (DVec3::Y * raise, wish.normalize_or_zero() * AHEAD);
        is_clear(from, up) && is_clear(from + up, ahead)
    }

    /// Judges a tick: for each character its controller, where it was, where it is, and its wish.
    pub(crate) fn look(&mut self, seen: &[(Controller, Vec3, Vec3, Vec3)]) {
        for (controller, before, after, wish) in seen.iter().copied() {
            let mut tally = core::mem::take(&mut self.tallies[controller as usize]);
            if self.is_lost(after) {
                tally.lost += 1;
                self.tallies[controller as usize] = tally;
                continue;
            }
            let deep = self.depth(wide(after));
            tally.deepest = tally.deepest.max(deep);
            tally.deep_ticks[0] += u64::from(deep > 1e-3);
            tally.deep_ticks[1] += u64::from(deep > 1e-2);
            let moved = (after - before).with_y(0.0).length();
            tally.walked += f64::from(moved);
            let is_alone = seen
                .iter()
                .filter(|other| other.0 == controller && other.1.distance_squared(before) < APART * APART)
                .count()
                == 1;
            if wish != Vec3::ZERO && is_alone {
                let is_stuck = moved < 0.1 * wish.length() * TICK.as_secs_f32();
                for (raise, [stuck, free]) in RAISES.into_iter().zip(&mut tally.stuck) {
                    if self.is_free(wide(before), wide(wish), raise) {
                        *free += 1;
                        *stuck += u64::from(is_stuck);
                    }
                }
            }
            self.tallies[controller as usize] = tally;
        }
    }
}
