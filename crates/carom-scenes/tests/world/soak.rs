//! Long walks: movers pushed about under gravity in worlds made to trap them.
//!
//! After every tick: the mover with its skin overlaps nothing by more than the rounding of a contact and what
//! its positions have lost to rounding since it started, its way has crossed no surface, the cap of sweeps
//! was not reached, and nothing was crushed, as nothing moves but the mover. (While it slides on, each
//! position is rounded again. Where this lifts the mover, gravity brings it back; where it lowers the mover,
//! it stays lower: a random walk, of 1e-14 m after about hundred ticks at 50 m from the origin.)

use carom::num::bound::position_rounding;
use carom::respond::{Slide, SlideEnd, WorldObstacles, collide_and_slide};
use carom::shape::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use carom::world::{Body, Cast, Layers, World};
use carom_scenes::golden::{crease_world, tunnel};
use carom_scenes::workload::Terrain;
use carom_scenes::{Random, SceneMesh};
use glam::{DVec3, dvec3};
use rayon::prelude::*;

const TICK: f64 = 1.0 / 60.0;
const SKIN: f64 = 4e-4;

#[derive(Clone, Copy, Debug)]
struct Figures {
    ticks: u64,
    sweeps: u64,
    most: u32,
    /// The deepest overlap, in meters and in roundings of its contact.
    overlap: f64,
    roundings: f64,
    blocked: u64,
}

impl Figures {
    const NONE: Self = Self { ticks: 0, sweeps: 0, most: 0, overlap: 0.0, roundings: 0.0, blocked: 0 };

    fn and(self, other: Self) -> Self {
        Self {
            ticks: self.ticks + other.ticks,
            sweeps: self.sweeps + other.sweeps,
            most: self.most.max(other.most),
            overlap: self.overlap.max(other.overlap),
            roundings: self.roundings.max(other.roundings),
            blocked: self.blocked + other.blocked,
        }
    }

    fn print(&self, name: &str) {
        println!(
            "{name}: {} ticks, {:.4} sweeps on average, {} at most, deepest overlap {:e} m ({:.3} roundings), {} blocked",
            self.ticks,
            self.sweeps as f64 / self.ticks as f64,
            self.most,
            self.overlap,
            self.roundings,
            self.blocked,
        );
    }
}

fn mover(random: &mut Random, i: u64) -> Mover {
    let size = random.between(0.2, 0.5);
    let upright = random.unit() < 0.5;
    let rotation = random.rotation();
    match i % 4 {
        0 => Sphere::new(size + SKIN).unwrap().into(),
        1 => {
            let radii = dvec3(0.3, random.between(0.2, 0.975), random.between(0.2, 0.6)) + SKIN;
            let ellipsoid = Ellipsoid::new(radii).unwrap();
            if upright { ellipsoid } else { ellipsoid.with_rotation(rotation).unwrap() }.into()
        }
        2 => {
            let half = dvec3(size, random.between(0.2, 0.9), random.between(0.2, 0.6)) + SKIN;
            let cuboid = Cuboid::new(half).unwrap();
            if upright { cuboid } else { cuboid.with_rotation(rotation).unwrap() }.into()
        }
        _ => {
            let capsule = Capsule::new(size + SKIN, random.between(0.1, 0.6)).unwrap();
            if upright { capsule } else { capsule.with_rotation(rotation).unwrap() }.into()
        }
    }
}

/// Pushes a mover about from `start` for this many ticks; sent back to the start when it leaves `inside`.
fn walk(
    name: &str,
    world: &World,
    seed: u64,
    start: DVec3,
    ticks: u64,
    inside: impl Fn(DVec3) -> bool,
) -> Figures {
    let random = &mut Random::scattered(seed);
    let mover = mover(random, seed);
    let around = WorldObstacles::new(world, mover, Layers::ALL);
    let mut figures = Figures::NONE;
    let (mut at, mut velocity, mut push) = (start, DVec3::ZERO, DVec3::ZERO);
    let mut lost = 0.0;
    for tick in 0..ticks {
        if tick % 40 == 0 {
            push = match random.below(4) {
                0 => DVec3::ZERO,
                1 => (start - at).with_y(0.0).normalize_or_zero() * 5.0,
                _ => random.heading() * random.between(0.5, 8.0),
            };
            if random.below(8) == 0 {
                velocity.y += 4.0;
            }
        }
        velocity = dvec3(push.x, velocity.y - 9.81 * TICK, push.z).clamp_length_max(20.0);
        let translation = velocity * TICK;
        let slide = Slide::new(at, translation).with_contact_distance(SKIN / 4.0);
        let slid = collide_and_slide(&around, &slide);
        let context = || format!("{name}, seed {seed}, tick {tick}: {mover:?} {slide:?}\n→ {slid:?}");

        assert!(slid.end != SlideEnd::TooManySweeps && slid.end != SlideEnd::Crushed, "{}", context());
        assert!(slid.position.is_finite() && slid.motion.length() <= translation.length(), "{}", context());
        lost += position_rounding(at, slid.motion);
        let mut worst = (0.0f64, 0.0f64);
        world.contacts(&mover, slid.position, 0.0, Layers::ALL, |near| {
            let (overlap, rounding) = (-near.contact.gap, near.contact.rounding);
            assert!(overlap <= rounding + lost, "overlap {overlap:e}, rounding {rounding:e}; {}", context());
            worst = (worst.0.max(overlap), worst.1.max(overlap / rounding));
        });
        // No mover is less than 0.2 m across, none goes farther than 0.34 m in a tick: the straight path from
        // place to place cuts no corner that the bent one went around.
        let straight = Cast::new(Mover::Point, at, slid.position - at).unwrap();
        assert!(world.cast(&straight).is_none(), "went through; {}", context());

        figures = figures.and(Figures {
            ticks: 1,
            sweeps: slid.sweeps.into(),
            most: slid.sweeps,
            overlap: worst.0,
            roundings: worst.1,
            blocked: u64::from(slid.end == SlideEnd::Blocked),
        });
        at = slid.position;
        velocity = slid.motion / TICK;
        if !inside(at) {
            (at, velocity, lost) = (start, DVec3::ZERO, 0.0);
        }
    }
    figures
}

fn world_of(scene: SceneMesh) -> World {
    let mut world = World::new();
    world.add(Body::fixed(scene.into_mesh().unwrap()));
    world
}

/// 600 ticks in each of so many crease worlds, and as many on a terrain and in a tunnel, a tenth each.
fn soak(walks: u64) {
    let creases = (0..walks)
        .into_par_iter()
        .map(|seed| {
            let scene = crease_world(seed);
            let world = world_of(scene.mesh);
            walk("creases", &world, seed, scene.start, 600, |at| at.length() < 11.0)
        })
        .reduce(|| Figures::NONE, Figures::and);
    creases.print("creases");

    let terrain = Terrain::new(64);
    let ground = world_of(terrain.mesh().clone());
    let hills = (0..walks / 10)
        .into_par_iter()
        .map(|seed| {
            let mut random = Random::scattered(seed ^ 0x7E22);
            let (x, z) = (random.between(12.0, 52.0), random.between(12.0, 52.0));
            let start = dvec3(x, terrain.surface(x, z) + 2.0, z);
            walk("terrain", &ground, seed, start, 600, |at| {
                (at.with_y(0.0) - dvec3(32.0, 0.0, 32.0)).abs().max_element() < 30.0
            })
        })
        .reduce(|| Figures::NONE, Figures::and);
    hills.print("terrain");

    let inside = world_of(tunnel());
    let tube = (0..walks / 10)
        .into_par_iter()
        .map(|seed| {
            walk("tunnel", &inside, seed, dvec3(0.0, 1.5, 0.0), 600, |at| {
                // Closed: a body outside went through a wall.
                assert!(
                    at.x.abs() < 1.5 && at.z.abs() < 10.0 && at.y > 0.0 && at.y < 3.0,
                    "{seed}: out at {at}"
                );
                true
            })
        })
        .reduce(|| Figures::NONE, Figures::and);
    tube.print("tunnel");
    creases.and(hills).and(tube).print("all");
}

#[test]
fn nothing_sinks_falls_through_or_gives_up() {
    soak(600);
}

#[test]
#[ignore = "minutes: ten million ticks"]
fn nothing_sinks_falls_through_or_gives_up_in_ten_million_ticks() {
    soak(14_000);
}
