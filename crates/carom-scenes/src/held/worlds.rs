//! Random worlds to be held in: boxes, ledges behind edges, stairs, wedges, posts, ceilings, leaning boxes.

use core::f64::consts::TAU;

use carom::character::{Character, Settings};
use carom::num::ops;
use carom::world::{Body, Pose, World};
use carom::{Capsule, Cuboid, Ellipsoid, Layers, Mover, Sphere};
use glam::DVec3;

use crate::{MeshBuilder, PlacedBox, Random};

/// Below this a hero has fallen out of a random world, in meters.
pub const LOWEST: f64 = -20.0;

/// Half the floor, whose top is at 0, in meters.
const HALF: f64 = 5.0;

/// The parts of a world.
enum Piece {
    Box(PlacedBox),
    Mesh(MeshBuilder),
}

/// The world of a seed.
pub fn world(seed: u64) -> World {
    let mut random = Random::scattered(seed ^ 0x005E_ED0F_4E1D);
    let mut pieces = vec![Piece::Box(PlacedBox::upright(DVec3::new(HALF, 1.0, HALF), DVec3::NEG_Y))];
    for [x, z] in [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]] {
        let half =
            DVec3::new(if x == 0.0 { HALF + 1.0 } else { 0.5 }, 4.0, if z == 0.0 { HALF + 1.0 } else { 0.5 });
        pieces.push(Piece::Box(PlacedBox::upright(
            half,
            DVec3::new(x, 0.0, z) * (HALF + 0.5) + DVec3::Y * 3.0,
        )));
    }
    // Every other world is on a grid, along the axes: faces are flush, and edges meet.
    let is_on_grid = seed % 2 == 1;
    for _ in 0..8 + random.below(12) {
        piece(&mut random, is_on_grid, &mut pieces);
    }
    // Of four worlds one is a single mesh, as levels are.
    let is_mesh = seed % 4 >= 2;
    let mut world = World::new();
    let mut whole = MeshBuilder::new();
    for piece in &pieces {
        match piece {
            Piece::Box(one) if is_mesh => whole.append(&one.builder()),
            Piece::Mesh(one) if is_mesh => whole.append(one),
            Piece::Box(one) => {
                let cuboid = Cuboid::new(one.half_extents).expect("lengths are above 0");
                let pose = Pose::at(one.position).and_then(|pose| pose.with_rotation(one.rotation));
                world.add(Body::fixed(cuboid).at(pose.expect("is a pose")));
            }
            Piece::Mesh(one) => {
                world.add(Body::fixed(one.rounded().into_mesh().expect("has triangles")));
            }
        }
    }
    if is_mesh {
        world.add(Body::fixed(whole.rounded().into_mesh().expect("has triangles")));
    }
    world
}

/// One thing, or several that belong together.
fn piece(random: &mut Random, is_on_grid: bool, pieces: &mut Vec<Piece>) {
    let grid = |x: f64| if is_on_grid { (x * 20.0).round().max(1.0) / 20.0 } else { x };
    let place = |x: f64| if is_on_grid { (x * 20.0).round() / 20.0 } else { x };
    let at = DVec3::new(place(random.between(-HALF, HALF)), 0.0, place(random.between(-HALF, HALF)));
    let angle = if is_on_grid { f64::from(random.below(4) as u32) * 0.25 * TAU } else { TAU * random.unit() };
    let turn = ops::rotation_about(DVec3::Y, angle);
    let mut slab = |low: DVec3, high: DVec3| {
        let center = at + turn * ((low + high) * 0.5);
        pieces.push(Piece::Box(PlacedBox::upright((high - low) * 0.5, center).turned(turn)));
    };
    let (width, depth) = (grid(random.between(0.2, 2.0)), grid(random.between(0.2, 2.0)));
    match random.below(8) {
        0 => slab(DVec3::ZERO, DVec3::new(width, grid(random.between(0.05, 0.9)), depth)),
        1 => {
            // A ledge, a second one a little behind its edge, and sometimes a third.
            let mut low = DVec3::ZERO;
            for _ in 0..2 + random.below(2) {
                let top = low.y + grid(random.between(0.05, 0.4));
                slab(low.with_y(0.0), DVec3::new(3.0, top, depth));
                low = DVec3::new(low.x + grid(random.between(0.05, 0.45)), top, 0.0);
            }
        }
        2 => {
            let (rise, tread) = (grid(random.between(0.05, 0.4)), grid(random.between(0.08, 0.5)));
            for i in 0..3 + random.below(4) {
                let i = f64::from(i as u32);
                slab(DVec3::X * (tread * i), DVec3::new(tread * (i + 1.0), rise * (i + 1.0), depth));
            }
        }
        3 | 4 => {
            let (sin, cos) = ops::sin_cos(random.between(5.0, 85.0).to_radians());
            let length = random.between(0.3, 2.0);
            let wedge = wedge(length * cos, length * sin, depth).posed(turn, at);
            pieces.push(Piece::Mesh(wedge));
        }
        5 => slab(DVec3::ZERO, DVec3::new(grid(0.1), 2.5, grid(random.between(0.1, 0.6)))),
        6 => {
            let bottom = grid(random.between(0.9, 2.6));
            slab(DVec3::new(0.0, bottom, 0.0), DVec3::new(width, bottom + 0.2, depth));
        }
        _ => {
            let half = DVec3::new(width, random.between(0.1, 1.0), depth) * 0.5;
            let lean = ops::rotation_about(random.heading(), random.between(0.0, 1.2));
            let center = at + DVec3::Y * random.between(-0.3, 0.5);
            pieces.push(Piece::Box(PlacedBox::upright(half, center).turned(turn * lean)));
        }
    }
}

/// A ramp that rises along x.
fn wedge(length: f64, height: f64, depth: f64) -> MeshBuilder {
    let corner = |x: f64, y: f64, z: f64| DVec3::new(x * length, y * height, z * depth);
    let (a, b, c) = (corner(0.0, 0.0, 0.0), corner(1.0, 0.0, 0.0), corner(1.0, 1.0, 0.0));
    let (d, e, f) = (corner(0.0, 0.0, 1.0), corner(1.0, 0.0, 1.0), corner(1.0, 1.0, 1.0));
    MeshBuilder::triangle([a, c, b])
        .and(&MeshBuilder::triangle([d, e, f]))
        .and(&MeshBuilder::quad([a, d, f, c]))
        .and(&MeshBuilder::quad([b, c, f, e]))
}

/// A hero of any shape, with the settings of a person.
pub fn hero(random: &mut Random) -> Character {
    let shape: Mover = match random.below(5) {
        0 => Capsule::new(0.3, 0.6).expect("lengths are above 0").into(),
        1 => Capsule::new(0.4, 0.5).expect("lengths are above 0").into(),
        2 => Ellipsoid::new(DVec3::new(0.4, 0.9, 0.4)).expect("lengths are above 0").into(),
        3 => Sphere::new(0.5).expect("is above 0").into(),
        _ => Cuboid::new(DVec3::new(0.4, 0.9, 0.4)).expect("lengths are above 0").into(),
    };
    Character::new(shape, Settings::default()).expect("the settings are in their ranges")
}

/// A hero somewhere in a random world, in nothing; `None` if there is no room.
pub fn spawn(world: &World, random: &mut Random) -> Option<Character> {
    (0..100).find_map(|_| {
        let hero = hero(random);
        let reach = 0.9 * HALF;
        let at = DVec3::new(
            random.between(-reach, reach),
            random.between(1.0, 3.0),
            random.between(-reach, reach),
        );
        let grown = hero.shape().grown(hero.skin()).ok()?;
        let mut is_free = true;
        world.contacts(&grown, at, 0.0, Layers::ALL, |_| is_free = false);
        hero.at(at).ok().filter(|_| is_free)
    })
}
