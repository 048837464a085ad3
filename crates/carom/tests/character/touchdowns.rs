//! Touchdowns: what a hero lands on, and whether it holds, does not depend on the tick rate.
//!
//! Random ledges, corners, beams, stairs, slopes near the steepest, lifts and sliding platforms under heroes
//! of every shape that fall or fly onto them.

use carom::character::{Character, GravityPass, Input, Settings};
use carom::num::ops;
use carom::world::BodyId;
use carom::{Body, Capsule, Cuboid, Ellipsoid, Mesh, Mover, Pose, Sphere, World};
use glam::{DQuat, DVec3, dvec3};

use crate::random::Random;
use crate::stage::RATES;

/// A box, and how it goes.
#[derive(Clone, Copy, Debug)]
struct Block {
    half: DVec3,
    middle: DVec3,
    rotation: DQuat,
    velocity: DVec3,
    is_mesh: bool,
}

impl Block {
    fn between(low: DVec3, high: DVec3) -> Self {
        Self {
            half: (high - low) * 0.5,
            middle: (high + low) * 0.5,
            rotation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            is_mesh: false,
        }
    }

    fn body(&self) -> Body {
        let pose = Pose::at(self.middle).and_then(|pose| pose.with_rotation(self.rotation)).unwrap();
        if !self.is_mesh {
            return Body::kinematic(Cuboid::new(self.half).unwrap()).at(pose);
        }
        let corner = |n: u32| {
            let side = |bit: u32| if n >> bit & 1 == 0 { -1.0 } else { 1.0 };
            (self.half * dvec3(side(0), side(1), side(2))).as_vec3().to_array()
        };
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
        Body::kinematic(Mesh::from_triangles((0..8).map(corner).collect(), triangles).unwrap()).at(pose)
    }
}

#[derive(Clone, Debug)]
struct Scene {
    blocks: Vec<Block>,
    shape: Mover,
    settings: Settings,
    start: DVec3,
    launch: DVec3,
    seconds: f64,
}

/// The result of a fall.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    /// On which block it stands at the end.
    on: Option<usize>,
    /// On which it stood first, and when.
    first: Option<(usize, f64)>,
    at: DVec3,
    /// Whether it touched something that did not hold it before it stood anywhere.
    slipped: bool,
}

impl Scene {
    fn play(&self, seconds: &mut dyn FnMut() -> f64) -> Outcome {
        let mut world = World::new();
        let ids: Vec<BodyId> = self.blocks.iter().map(|block| world.add(block.body())).collect();
        let mut hero = Character::new(self.shape, self.settings).unwrap().at(self.start).unwrap();
        hero.launch(self.launch).unwrap();
        let (mut time, mut first, mut slipped) = (0.0, None, false);
        let place = |hero: &Character| {
            let body = hero.ground()?.obstacle.body()?;
            ids.iter().position(|id| *id == body)
        };
        while time < self.seconds {
            let dt = seconds();
            world.advance(dt, |moves| {
                for (id, block) in ids.iter().zip(&self.blocks) {
                    moves.drive(*id, block.velocity, DVec3::ZERO).unwrap();
                }
            });
            let report = hero.step(&world, Input::IDLE, dt);
            time += dt;
            first = first.or(place(&hero).map(|on| (on, time)));
            slipped |= first.is_none() && report.touched().next().is_some();
        }
        let on = place(&hero);
        // Seen from what it stands on.
        let run = on.map_or(DVec3::ZERO, |on| self.blocks[on].velocity * time);
        Outcome { on, first, at: hero.position() - run, slipped }
    }

    fn at_all_rates(&self, random: &mut Random) -> Vec<Outcome> {
        let mut found: Vec<Outcome> = RATES.iter().map(|rate| self.play(&mut || 1.0 / rate)).collect();
        found.push(self.play(&mut || random.between(0.001, 0.05)));
        found
    }
}

fn any_shape(random: &mut Random) -> Mover {
    let radius = random.between(0.2, 0.5);
    let half = radius + random.between(0.1, 0.6);
    match random.below(5) {
        0 => Capsule::new(radius, half - radius).unwrap().into(),
        1 => Ellipsoid::new(dvec3(radius, half, radius)).unwrap().into(),
        2 => Sphere::new(radius).unwrap().into(),
        3 => Ellipsoid::new(dvec3(radius, half, random.between(0.2, 0.5))).unwrap().into(),
        _ => Cuboid::new(dvec3(radius, half, random.between(0.2, 0.5))).unwrap().into(),
    }
}

fn any_settings(random: &mut Random) -> Settings {
    let usual = Settings::default();
    if random.below(2) == 0 {
        return usual;
    }
    Settings {
        step_height: random.between(0.1, 0.6),
        max_slope: random.between(30.0, 60.0).to_radians(),
        gravity_pass: [GravityPass::Separate, GravityPass::Combined][random.below(2)],
        snap_distance: [None, Some(0.0), Some(0.1)][random.below(3)],
        ..usual
    }
}

const KINDS: [&str; 9] = ["edge", "corner", "beam", "stairs", "slope", "crest", "lift", "slider", "flight"];

fn any_scene(random: &mut Random, kind: usize) -> Scene {
    let (shape, settings) = (any_shape(random), any_settings(random));
    let half = shape.bounds().half_extents();
    let turn = ops::rotation_about(DVec3::Y, random.between(0.0, core::f64::consts::TAU));
    let fall = random.between(0.02, 1.5);
    let over = ops::sqrt(2.0 * fall / 9.81);
    let radius = half.x.max(half.z);
    let mut blocks = vec![Block::between(dvec3(-19.0, -8.0, -19.0), dvec3(19.0, -6.0, 19.0))];
    let ledge = Block::between(dvec3(0.0, -3.0, -9.0), dvec3(9.0, 0.0, 9.0));
    let offset = random.between(-0.1, 1.05) * radius;
    let mut start = dvec3(-offset, half.y + 1e-3 * half.min_element() + fall, 0.0);
    let mut launch = DVec3::ZERO;
    match kind {
        0 => blocks.push(ledge),
        1 => {
            blocks.push(Block::between(dvec3(0.0, -3.0, 0.0), dvec3(9.0, 0.0, 9.0)));
            start.z = -random.between(-0.1, 1.0) * radius;
        }
        2 => blocks.push(Block::between(dvec3(0.0, -3.0, -9.0), dvec3(random.between(0.02, 0.5), 0.0, 9.0))),
        3 => {
            let (rise, depth) = (random.between(0.1, 0.45), random.between(0.1, 0.5));
            for step in 0..6 {
                let (x, y) = (f64::from(step) * depth, f64::from(step) * rise);
                blocks.push(Block::between(dvec3(x, -3.0, -9.0), dvec3(x + depth, y, 9.0)));
            }
            start.x = random.between(-radius, 6.0 * depth + radius);
            start.y += 5.0 * rise;
        }
        4 | 5 => {
            let steepest = settings.max_slope;
            let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
            let by = sign * 3.0 * random.number() * random.number() * random.number().to_radians();
            let angle = if kind == 4 { steepest + by } else { random.between(10.0, 80.0).to_radians() };
            let (sin, cos) = ops::sin_cos(angle);
            let tan = sin / cos;
            let (length, thick) = (60.0, 1.0);
            let lean = ops::rotation_about(DVec3::Z, angle);
            // The upper edge of the tilted box is the line x = z = 0 turned.
            let middle = -(lean * dvec3(length, thick, 0.0));
            blocks.push(Block { half: dvec3(length, thick, 60.0), middle, rotation: lean, ..ledge });
            blocks[0].middle.y -= 200.0;
            let from = if kind == 4 { -2.0 } else { random.between(-1.0, 1.0) * radius };
            let height = if from < 0.0 { tan * from } else { 0.0 };
            start = dvec3(from, height + half.length() * (1.0 + tan) + fall, 0.0);
        }
        6 => {
            // Far above the floor, to which no lift gets.
            blocks[0].middle.y -= 20.0;
            blocks.push(Block { velocity: DVec3::Y * random.between(-3.0, 3.0), ..ledge });
        }
        7 => {
            let velocity = dvec3(random.between(-2.0, 2.0), 0.0, random.between(-2.0, 2.0));
            start += velocity * over;
            blocks.push(Block { velocity, ..ledge });
        }
        _ => {
            launch = dvec3(random.between(0.0, 4.0), random.between(-1.0, 2.0), random.between(-2.0, 2.0));
            let over = (launch.y + ops::sqrt(launch.y * launch.y + 2.0 * 9.81 * fall)) / 9.81;
            start -= dvec3(launch.x, 0.0, launch.z) * over;
            blocks.push(ledge);
        }
    }
    let is_mesh = random.below(2) == 0;
    for block in &mut blocks {
        block.is_mesh = is_mesh;
        block.middle = turn * block.middle;
        block.rotation = turn * block.rotation;
        block.velocity = turn * block.velocity;
    }
    let (start, launch) = (turn * start, turn * launch);
    Scene { blocks, shape, settings, start, launch, seconds: 2.0 * over + 1.2 }
}

/// Plays scenes at every rate, and fails where one ends otherwise.
fn play_all(seeds: core::ops::Range<u64>) {
    // Per kind: played, stood on what they fell on, slipped first and ended otherwise.
    let mut counts = [[0u32; 3]; KINDS.len()];
    let mut faults = Vec::new();
    for seed in seeds {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..4 {
            random.number();
        }
        let kind = (seed % KINDS.len() as u64) as usize;
        let scene = any_scene(&mut random, kind);
        let found = scene.at_all_rates(&mut random);
        let finest = found[RATES.len() - 1];
        counts[kind][0] += 1;
        counts[kind][1] += u32::from(finest.first.is_some_and(|first| first.0 > 0) && !finest.slipped);
        let first = |one: &Outcome| one.first.map(|first| first.0);
        let is_other = |one: &Outcome| one.on != finest.on || first(one) != first(&finest);
        // Arrivals: within the tick that lasts longest.
        let is_late = |(one, longest): (&Outcome, f64)| match (one.first, finest.first) {
            (Some((_, a)), Some((_, b))) if !finest.slipped => (a - b).abs() > longest + 2e-3,
            _ => false,
        };
        let longest = RATES.iter().map(|rate| 1.0 / rate).chain([0.05]);
        // A hero that falls straight down and holds at once is held where it fell; up to a quarter of the
        // skin above what holds it, it is on that.
        let falls_straight = scene.launch == DVec3::ZERO
            && scene.blocks.iter().all(|block| block.velocity == DVec3::ZERO)
            && found.iter().all(|one| !one.slipped);
        let aside = |one: &Outcome| (one.at - finest.at) * dvec3(1.0, 0.0, 1.0);
        let is_aside = |one: &Outcome| falls_straight && aside(one).length() > 1e-6;
        let otherwise = found.iter().any(|one| is_other(one) || is_aside(one));
        if !otherwise && !found.iter().zip(longest).any(is_late) {
            continue;
        }
        if found.iter().all(|one| one.slipped) {
            // Where it gets to after it has slipped is a way of many ticks.
            counts[kind][2] += 1;
            continue;
        }
        faults.push(format!("seed {seed} {}: {scene:?}\n   {found:?}", KINDS[kind]));
    }
    println!("played, held at once, slipped and ended otherwise:");
    KINDS.iter().zip(counts).for_each(|(kind, row)| println!("{kind:8} {row:?}"));
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults[..faults.len().min(6)].join("\n"));
    let [played, held, slipped] =
        counts.iter().fold([0; 3], |sum, row| [sum[0] + row[0], sum[1] + row[1], sum[2] + row[2]]);
    assert!(held > played / 3 && slipped * 50 <= played, "{held} held, {slipped} of {played} slipped");
}

/// A hero that meets a surface that holds it stays on it, and one that meets one that does not slips, at
/// every rate, and within a tick of the same time.
#[test]
fn what_a_hero_lands_on_does_not_depend_on_the_tick_rate() {
    play_all(0..360);
}

#[test]
#[ignore = "a soak: a minute"]
fn the_same_of_many_more() {
    play_all(1000..6000);
}
