//! The walk of `web/bench`, natively: `cargo run --release -p carom-web --example tick [TICKS]` prints
//! nanoseconds a tick and where the walk ends.

use std::time::Instant;

use carom::character::{Character, Input, Settings};
use carom::glam::{DVec3, dvec3};
use carom::mesh::{Mesh, MeshData};
use carom::{Body, Capsule, World};
use carom_scenes::courtyard::courtyard;

/// As in `web/bench/walk.mjs`: a draw in (0, 1).
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> f64 {
        self.0 = self.0 * 48_271 % 2_147_483_647;
        self.0 as f64 / 2_147_483_647.0
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ticks: u32 = std::env::args().nth(1).map_or(Ok(20_000), |text| text.parse())?;
    let whole = courtyard();
    let data =
        MeshData { vertices: whole.mesh.vertices, triangles: whole.mesh.triangles, ..MeshData::default() };
    let mut world = World::new();
    world.add(Body::fixed(Mesh::new(data)?));
    let start = whole.spawn + DVec3::Y * 0.01;
    let mut hero = Character::new(Capsule::new(0.4, 0.5)?, Settings::default())?.at(start)?;
    let mut draws = Draws(1);
    let mut velocity = DVec3::ZERO;
    let begun = Instant::now();
    for tick in 0..ticks {
        if tick % 30 == 0 {
            // A way without sines: the same bits in every language.
            let (x, z) = (2.0 * draws.next() - 1.0, 2.0 * draws.next() - 1.0);
            velocity = dvec3(5.0 * x, 0.0, 5.0 * z);
        }
        hero.step(&world, Input::walk(velocity), 1.0 / 60.0);
    }
    let nanoseconds = begun.elapsed().as_nanos() as f64 / f64::from(ticks);
    let p = hero.position();
    println!("{nanoseconds:.0} {:?} {:?} {:?}", p.x, p.y, p.z);
    Ok(())
}
