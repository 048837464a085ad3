//! W5: a thousand characters that walk for five seconds and do not meet each other.
//!
//! All libraries take turns every 20 ticks, and those are the rounds: what they then do is not the same work
//! from round to round (they fall first), so that the time is that of all ticks, and ratios are those of
//! these sums. Between the turns it is tested where the characters are.

use std::time::Duration;

use carom_scenes::SceneMesh;
use carom_scenes::workload::{
    City, Proximity, Terrain, WALKER_TICKS, Walker, room_in_city, walkers_in_city, walkers_on_terrain,
};
use glam::DVec3;

use crate::Options;
use crate::engines::carom::Level;
use crate::engines::crowds;
use crate::rounds::timed;
use crate::table::{Subject, Table};

/// Ticks of a library before the next has its turn.
const TICKS_A_TURN: usize = 20;
/// Deeper than this is inside, in meters.
const INSIDE: f64 = 1e-3;
/// Below the lowest ground by this much, a character has fallen out of the level.
const FALLEN: f64 = 5.0;

/// Both levels.
pub fn run(options: &Options, table: &mut Table) {
    if !options.wants(&["W5"]) {
        return;
    }
    let terrain = Terrain::new(512);
    let walkers = walkers_on_terrain(&terrain, options.walkers);
    walk(table, "terrain", terrain.mesh(), &walkers, |_| false);

    let city = City::new(City::BOXES);
    let near = Proximity::new(city.mesh(), 2.0);
    let walkers = walkers_in_city(options.walkers, room_in_city(&city, &near));
    let mut mesh = city.mesh().clone();
    mesh.append(&City::ground());
    walk(table, "city", &mesh, &walkers, |at| city.is_inside(at));
}

/// The results of the characters of one library.
#[derive(Default)]
struct Fate {
    time: Duration,
    looks: usize,
    deep: usize,
    deepest: f64,
    in_boxes: usize,
    walked: f64,
}

fn walk(
    table: &mut Table,
    variant: &str,
    mesh: &SceneMesh,
    walkers: &[Walker],
    in_box: impl Fn(DVec3) -> bool,
) {
    let judge = Level::new(mesh);
    let lowest = mesh.extents().map_or(0.0, |(low, _)| low.y) - FALLEN;
    let mut all = crowds(mesh, walkers);
    let mut fates: Vec<Fate> = all.iter().map(|_| Fate::default()).collect();
    for first in (0..WALKER_TICKS).step_by(TICKS_A_TURN) {
        let desired_velocities: Vec<Vec<DVec3>> = (first..first + TICKS_A_TURN)
            .map(|tick| walkers.iter().map(|walker| walker.desired_velocity(tick)).collect())
            .collect();
        for (crowd, fate) in all.iter_mut().zip(&mut fates) {
            fate.time += timed(|| {
                desired_velocities.iter().for_each(|desired_velocities| crowd.tick(desired_velocities));
            });
            for at in crowd.positions() {
                let depth = -judge.walker_clearance(at);
                fate.looks += 1;
                fate.deep += usize::from(depth > INSIDE);
                fate.deepest = fate.deepest.max(depth);
                fate.in_boxes += usize::from(in_box(at));
            }
        }
    }
    let ticks = (walkers.len() * WALKER_TICKS) as f64;
    let carom = fates[0].time.as_secs_f64();
    for (crowd, fate) in all.iter().zip(&mut fates) {
        let positions = crowd.positions();
        let fallen = positions.iter().filter(|at| at.y < lowest).count();
        let level = |v: DVec3| DVec3::new(v.x, 0.0, v.z).length();
        fate.walked = positions.iter().zip(walkers).map(|(at, walker)| level(*at - walker.start)).sum();
        let subject = Subject { workload: "W5", variant, engine: crowd.engine(), setup: crowd.setup() };
        table.add(
            &subject,
            &[
                ("time", fate.time.as_secs_f64() / ticks * 1e6, "µs"),
                ("carom / this", carom / fate.time.as_secs_f64(), ""),
                ("deepest", fate.deepest, "m"),
                ("deeper than 1 mm", fate.deep as f64 / fate.looks as f64 * 100.0, "%"),
                ("center in a box", fate.in_boxes as f64 / fate.looks as f64 * 100.0, "%"),
                ("fallen out", fallen as f64, ""),
                ("mean way as the crow flies", fate.walked / walkers.len() as f64, "m"),
            ],
        );
    }
}
