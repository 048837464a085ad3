//! Turned scenes: which way up points decides nothing. A scene whose rounding would decide about a step or a
//! slide ends otherwise in some of many turned frames.

use carom::character::{Character, Input, Settings};
use carom::num::ops;
use carom::respond::{Slide, WorldObstacles, collide_and_slide};
use carom::shape::{ConvexHull, Plane};
use carom::world::HalfSpace;
use carom::{Body, Layers, Mesh, Mover, World};
use glam::{DQuat, DVec3, dvec3};

use crate::random::Random;
use crate::stage::{RATES, Shape, shapes};

/// A turn about any axis.
fn any_turn(random: &mut Random) -> DQuat {
    ops::rotation_about(random.direction(), random.between(0.0, 3.0))
}

/// Where a character goes that holds a key for a while: its places, in the frame of the scene.
struct Walk {
    shape: Shape,
    feet_at: DVec3,
    wish: DVec3,
    rate: f64,
    seconds: f64,
    /// The corners of each hull of the world.
    hulls: Vec<Vec<DVec3>>,
}

impl Walk {
    fn places(&self, turn: DQuat) -> Vec<DVec3> {
        let mut world = World::new();
        for corners in &self.hulls {
            let hull = ConvexHull::new(corners).unwrap();
            world.add(Body::fixed(hull).at((DVec3::ZERO, turn)));
        }
        let up = turn * DVec3::Y;
        let settings = Settings { up, gravity: up * -9.81, ..Settings::default() };
        let mover = self.shape.mover.turned(turn).unwrap();
        let start = self.feet_at + DVec3::Y * (self.shape.feet() + 0.01);
        let mut hero = Character::new(mover, settings).unwrap().at(turn * start).unwrap();
        let dt = 1.0 / self.rate;
        let settles = (0..(0.3 * self.rate) as u32).map(|_| Input::IDLE);
        let walks = (0..(self.seconds * self.rate) as u32).map(|_| Input::walk(turn * self.wish));
        settles
            .chain(walks)
            .map(|input| {
                hero.step(&world, input, dt);
                turn.conjugate() * hero.position()
            })
            .collect()
    }
}

/// The corners of a box, or of anything else between two outlines along z.
fn prism(outline: &[(f64, f64)], low: f64, high: f64) -> Vec<DVec3> {
    outline.iter().flat_map(|&(x, y)| [dvec3(x, y, low), dvec3(x, y, high)]).collect()
}

fn block(low: DVec3, high: DVec3) -> Vec<DVec3> {
    prism(&[(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y)], low.z, high.z)
}

/// Compares a walk in turned frames with that in the upright one.
fn differences(random: &mut Random, walk: &Walk, turns: u32) -> Vec<String> {
    let upright = walk.places(DQuat::IDENTITY);
    let mut found = Vec::new();
    for _ in 0..turns {
        let turned = walk.places(any_turn(random));
        let apart = |(a, b): (&DVec3, &DVec3)| (*a - *b).length();
        let first = upright.iter().zip(&turned).map(apart).position(|apart| apart > 1e-6);
        if let Some(tick) = first {
            found.push(format!(
                "{:?} {} Hz wish {:.3} tick {tick}: {:.6} or {:.6}",
                walk.shape.mover, walk.rate, walk.wish, upright[tick], turned[tick]
            ));
        }
    }
    found
}

/// A step whose edge is bevelled, beside a wall that the character is pressed against: the look-ahead leads
/// along the wall, however short the share of the tick.
#[test]
fn a_step_beside_a_wall_is_found_whichever_way_is_up() {
    let mut random = Random(71);
    let (mut walks, mut found) = (0, Vec::new());
    for _ in 0..60 {
        let (height, bevel) = (random.between(0.1, 0.3), random.between(0.005, 0.05));
        let nose =
            [(1.0, -0.5), (4.0, -0.5), (4.0, height), (1.0 + bevel, height), (1.0, height - 1.2 * bevel)];
        let hulls = vec![
            block(dvec3(-5.0, -1.0, -5.0), dvec3(5.0, 0.0, 5.0)),
            block(dvec3(-5.0, 0.0, 1.0), dvec3(5.0, 4.0, 2.0)),
            prism(&nose, -5.0, 1.0),
        ];
        let shape = shapes()[random.below(5)];
        let rate = RATES[random.below(6)];
        let angle = random.between(0.2, 1.4);
        let (sin, cos) = ops::sin_cos(angle);
        let wish = dvec3(cos, 0.0, sin) * random.between(1.0, 5.0);
        let feet_at = dvec3(0.2, 0.0, 1.0 - shape.radius - random.between(0.002, 0.3));
        let seconds = 1.5 / wish.x;
        let walk = Walk { shape, feet_at, wish, rate, seconds: seconds.min(3.0), hulls };
        walks += 6;
        found.extend(differences(&mut random, &walk, 6));
    }
    assert!(found.is_empty(), "{} of {walks}: {:#?}", found.len(), &found[..found.len().min(8)]);
}

/// Down a ramp along a wall, with a step less than a radius ahead.
#[test]
fn a_rise_by_rounding_is_no_step_whichever_way_is_up() {
    let mut random = Random(72);
    let (mut walks, mut found) = (0, Vec::new());
    for _ in 0..60 {
        let (slope, step) = (random.between(0.1, 0.8), random.between(0.05, 0.35));
        let ahead = random.between(0.0, 0.4);
        let hulls = vec![
            block(dvec3(-5.0, -1.0, -5.0), dvec3(5.0, 0.0, 5.0)),
            block(dvec3(-5.0, 0.0, 1.0), dvec3(5.0, 4.0, 2.0)),
            prism(&[(-2.0, -0.5), (0.0, -0.5), (0.0, 0.0), (-2.0, 2.0 * slope)], -5.0, 1.0),
            block(dvec3(ahead, -0.5, -5.0), dvec3(4.0, step, 1.0)),
        ];
        let shape = shapes()[random.below(5)];
        let rate = RATES[random.below(6)];
        let angle = random.between(0.05, 1.2);
        let (sin, cos) = ops::sin_cos(angle);
        let wish = dvec3(cos, 0.0, sin) * random.between(1.0, 5.0);
        let feet_at = dvec3(-1.0, 1.0 * slope + 0.2, 1.0 - shape.radius - random.between(0.002, 0.3));
        let seconds = 1.5 / wish.x;
        let walk = Walk { shape, feet_at, wish, rate, seconds: seconds.min(3.0), hulls };
        walks += 6;
        found.extend(differences(&mut random, &walk, 6));
    }
    assert!(found.is_empty(), "{} of {walks}: {:#?}", found.len(), &found[..found.len().min(8)]);
}

/// A wall of tiles at z = 1, 40 m long and 2.4 m high.
fn tiled_wall(rows: u32) -> Mesh {
    let corner = |x: u32, y: u32| [4.0 * x as f32 - 20.0, 2.4 * y as f32 / rows as f32, 1.0];
    let vertices = (0..=10).flat_map(|x| (0..=rows).map(move |y| corner(x, y))).collect();
    let tile = |x: u32, y: u32| {
        let [a, d] = [x, x + 1].map(|x| x * (rows + 1) + y);
        [[a, a + 1, d], [d, a + 1, d + 1]]
    };
    let triangles = (0..10).flat_map(|x| (0..rows).flat_map(move |y| tile(x, y))).collect();
    Mesh::from_triangles(vertices, triangles).unwrap()
}

/// Along a wall of one hull or of rows of tiles: the wish into it is lost in the first tick, and nothing
/// else.
#[test]
fn a_wall_that_is_touched_takes_the_wish_into_it_whichever_way_is_up() {
    let mut random = Random(74);
    let (mut walks, mut found) = (0, Vec::new());
    for _ in 0..300 {
        let turn = any_turn(&mut random);
        let mut world = World::new();
        let floor = ConvexHull::new(&block(dvec3(-50.0, -1.0, -50.0), dvec3(50.0, 0.0, 50.0))).unwrap();
        world.add(Body::fixed(floor).at((DVec3::ZERO, turn)));
        let rows = random.below(8);
        if rows == 0 {
            let wall = ConvexHull::new(&block(dvec3(-20.0, 0.0, 1.0), dvec3(20.0, 4.0, 3.0))).unwrap();
            world.add(Body::fixed(wall).at((DVec3::ZERO, turn)));
        } else {
            world.add(Body::fixed(tiled_wall(rows as u32)).at((DVec3::ZERO, turn)));
        }
        let up = turn * DVec3::Y;
        let settings = Settings { up, gravity: up * -9.81, ..Settings::default() };
        let shape = shapes()[random.below(5)];
        let rate = RATES[random.below(6)];
        let along = dvec3(random.between(0.5, 5.0), 0.0, 0.0);
        let wish = along + DVec3::Z * random.between(0.1, 5.0);
        let mover = shape.mover.turned(turn).unwrap();
        let hero = Character::new(mover, settings).unwrap();
        let start = dvec3(random.between(-2.0, 2.0), shape.feet(), 1.0 - shape.radius - hero.skin());
        let mut hero = hero.at(turn * start).unwrap();
        walks += 1;
        for tick in 0..(0.5 * rate) as u32 {
            let before = hero.position();
            hero.step(&world, Input::walk(turn * wish), 1.0 / rate);
            let went = (hero.position() - before) * rate;
            let off = [hero.velocity(), went].map(|v| (turn.conjugate() * v - along).length());
            if off.into_iter().fold(0.0, f64::max) > 1e-2 {
                found.push(format!("{mover:?} {rate} Hz rows {rows} wish {wish:.3} tick {tick}: {off:?}"));
                break;
            }
        }
    }
    assert!(found.is_empty(), "{} of {walks}: {:#?}", found.len(), &found[..found.len().min(8)]);
}

/// A mover that touches two half-spaces, a floor and a wall, and wishes almost straight into the wall: the
/// rounding of the wish is not a way into the floor.
#[test]
fn what_is_left_of_a_motion_along_a_wall_is_made_however_little_it_is() {
    let mut random = Random(73);
    let (mut slides, mut found) = (0, Vec::new());
    for _ in 0..4000 {
        let turn = any_turn(&mut random);
        let mut world = World::new();
        for (normal, distance) in [(DVec3::Y, 0.0), (DVec3::Z, -5.0)] {
            let plane = Plane::at_distance(normal, distance).unwrap();
            world.add(Body::fixed(HalfSpace::behind(plane)).at((DVec3::ZERO, turn)));
        }
        let Shape { mover, radius, half_height } = shapes()[random.below(5)];
        let mover: Mover = mover.turned(turn).unwrap();
        // At rest at the last bits before the floor and the wall, as a sweep leaves it.
        let gap = |random: &mut Random| random.between(0.0, 4e-14);
        let at = dvec3(
            random.between(-3.0, 3.0),
            half_height + gap(&mut random),
            -5.0 + radius + gap(&mut random),
        );
        let share = [0.1, 0.03, 0.01, 0.003, 0.001][random.below(5)];
        let wish = turn * (dvec3(share, 0.0, -1.0) * random.between(0.005, 0.3));
        let obstacles = WorldObstacles::new(&world, mover, Layers::ALL);
        let slide = Slide::new(turn * at, wish).with_contact_distance(1e-4);
        let slid = collide_and_slide(&obstacles, &slide);
        slides += 1;
        let made = (turn.conjugate() * (slid.position - slide.from)).x / (turn.conjugate() * wish).x;
        if (made - 1.0).abs() > 1e-6 {
            found.push(format!("{mover:?} at {at} share {share}: {made} of it, {}", slid.end));
        }
    }
    assert!(found.is_empty(), "{} of {slides}: {:#?}", found.len(), &found[..found.len().min(8)]);
}
