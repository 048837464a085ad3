//! The workload: casts near the surfaces of a level, and characters on its floors.

use anyhow::{Context, Result};
use carom::character::{Character, Input, Settings};
use carom::mesh::Mesh;
use carom::shape::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use carom::world::{Body, Cast, Layers, World};
use carom_scenes::Random;
use glam::{DVec3, dvec3};

/// Casts in a batch.
const CASTS: usize = 4096;
/// The most characters, and the tries to find floor for them. Fewer characters start where fewer tries find
/// floor that has room for another one.
const CHARACTERS: usize = 200;
const TRIES: usize = 20_000;
/// Half the extents of a body, in meters: the radii of the ellipsoid, and the same extents for other shapes.
const BODY: DVec3 = dvec3(0.4, 0.9, 0.4);
/// How fast they walk, in meters per second.
const SPEED: f64 = 4.0;

/// Whether two bodies are apart by a tenth of their size: in a crowd that starts in one place each body meets
/// all others, which is no usual load.
fn are_apart(a: DVec3, b: DVec3) -> bool {
    ((a - b) / (BODY * 2.2)).length_squared() > 1.0
}

/// A level, and where to start on it.
pub(super) struct Stage {
    world: World,
    places: Vec<DVec3>,
    starts: Vec<DVec3>,
    lowest: f64,
}

impl Stage {
    pub(super) fn new(mesh: Mesh) -> Result<Self> {
        let lowest = mesh.bounds().map_or(0.0, |bounds| bounds.min().y + mesh.origin().y);
        let mut random = Random::scattered(1);
        let mut place = || {
            let triangle = random.below(mesh.triangle_count() as usize) as u32;
            let [a, b, c] = mesh.corners(triangle).map(|corner| corner + mesh.origin());
            let (u, v) = (random.unit(), random.unit());
            let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
            (a + (b - a) * u + (c - a) * v, mesh.normal(triangle).unwrap_or(DVec3::Y))
        };
        let places: Vec<DVec3> = (0..CASTS).map(|_| place()).map(|(at, normal)| at + normal * 2.0).collect();
        let floors: Vec<DVec3> =
            (0..TRIES).map(|_| place()).filter(|(_, normal)| normal.y > 0.8).map(|(at, _)| at).collect();
        let mut world = World::new();
        world.add(Body::fixed(mesh));
        let mut starts: Vec<DVec3> = Vec::new();
        for floor in floors {
            let at = floor + DVec3::Y * (BODY.y + 0.2);
            if starts.len() < CHARACTERS
                && starts.iter().all(|start| are_apart(*start, at))
                && world.overlaps(Ellipsoid::new(BODY * 1.05)?, at, Layers::ALL)?.is_empty()
            {
                starts.push(at);
            }
        }
        Ok(Self { world, places, starts, lowest })
    }

    pub(super) fn world(&self) -> &World {
        &self.world
    }

    /// Where characters are put down.
    pub(super) fn starts(&self) -> &[DVec3] {
        &self.starts
    }

    /// Casts of 5 m in all directions from near the surfaces, for every kind of mover; the second kind is the
    /// sphere.
    pub(super) fn casts(&self) -> Result<[(&'static str, Vec<Cast>); 5]> {
        let movers: [(&'static str, Mover); 5] = [
            ("ray", Mover::Point),
            ("sphere", Sphere::new(0.5)?.into()),
            ("ellipsoid", Ellipsoid::new(BODY)?.into()),
            ("capsule", Capsule::new(BODY.x, BODY.y - BODY.x)?.into()),
            ("cuboid", Cuboid::new(BODY)?.into()),
        ];
        let batch = |mover: Mover| {
            let mut random = Random::scattered(2);
            let casts = self.places.iter().map(|from| Cast::new(mover, *from, random.direction() * 5.0));
            casts.collect::<Result<Vec<_>, _>>().context("the level is too large for casts of 5 m")
        };
        let [a, b, c, d, e] = movers;
        Ok([
            (a.0, batch(a.1)?),
            (b.0, batch(b.1)?),
            (c.0, batch(c.1)?),
            (d.0, batch(d.1)?),
            (e.0, batch(e.1)?),
        ])
    }

    pub(super) fn characters(&self) -> Result<Vec<Character>> {
        let one = Character::new(Ellipsoid::new(BODY)?, Settings::default())?;
        Ok(self.starts.iter().map(|at| one.at(*at)).collect::<Result<_, _>>()?)
    }

    /// The input of each character in a tick: a new heading every second.
    pub(super) fn inputs(&self, tick: u64) -> Vec<Input> {
        let mut random = Random::scattered(3 + tick / 60);
        self.starts.iter().map(|_| Input::walk(random.heading() * SPEED)).collect()
    }

    /// Puts characters that have fallen out of the level back to their starts.
    pub(super) fn bring_back(&self, characters: &mut [Character]) {
        for (character, start) in characters.iter_mut().zip(&self.starts) {
            if character.position().y < self.lowest - 10.0
                && let Ok(again) = character.at(*start)
            {
                *character = again;
            }
        }
    }
}
