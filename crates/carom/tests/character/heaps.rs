//! Many characters at one place, as where all players of a game start at one point.

use carom::character::{Character, Crowd, Input, Neighbor, Report, Settings, TickInput};
use carom::num::ops;
use carom::world::Neighborhood;
use carom::{Capsule, Cuboid, Ellipsoid, Mover, Sphere, World};
use glam::{DVec3, dvec3};

use crate::random::Random;
use crate::{floor, slab};

fn shapes() -> [Mover; 4] {
    [
        Capsule::new(0.4, 0.5).unwrap().into(),
        Ellipsoid::new(dvec3(0.4, 0.9, 0.4)).unwrap().into(),
        Cuboid::new(dvec3(0.4, 0.9, 0.4)).unwrap().into(),
        Sphere::new(0.4).unwrap().into(),
    ]
}

/// Characters in a square of `spread` meters, of one shape or of all kinds.
fn heap(random: &mut Random, count: usize, spread: f64, kind: Option<usize>) -> Vec<Character> {
    let one = |_| {
        let shape = shapes()[kind.unwrap_or_else(|| random.below(4))];
        let hero = Character::new(shape, Settings::default()).unwrap();
        let aside = dvec3(random.number() - 0.5, 0.0, random.number() - 0.5) * spread;
        hero.at(aside + DVec3::Y * (shape.bounds().max().y + 1e-3)).unwrap()
    };
    (0..count).map(one).collect()
}

fn wishes(random: &mut Random, count: usize, is_idle: bool) -> Vec<Input> {
    let one = |_| {
        let heading = random.direction().with_y(0.0).normalize();
        if is_idle { Input::IDLE } else { Input::walk(heading * random.between(0.5, 4.0)) }
    };
    (0..count).map(one).collect()
}

/// Pairs of which one is inside the other.
fn overlapping(crowd: &[Character]) -> Vec<[usize; 2]> {
    let overlap = |a: &Character, b: &Character| a.shape().overlaps(b.shape(), b.position() - a.position());
    let pairs = (0..crowd.len()).flat_map(|i| (0..i).map(move |j| [i, j]));
    pairs.filter(|[i, j]| overlap(&crowd[*i], &crowd[*j])).collect()
}

/// A floor, with a wall at each of two sides of the heap that `walls` has a bit for.
fn place(walls: usize) -> World {
    let mut world = floor();
    for (bit, side) in [DVec3::X, DVec3::Z].into_iter().enumerate() {
        if walls >> bit & 1 == 1 {
            slab(&mut world, side * 2.0 + DVec3::Y, side.abs() * 0.5 + (DVec3::ONE - side.abs()) * 20.0);
        }
    }
    world
}

fn comes_apart(seed: u64, kind: Option<usize>, most: usize) {
    let mut random = Random(seed);
    let count = [2, 3, 4, 6, 10, 20, 40][random.below(7)].min(most);
    let spread = [0.0, 1e-9, 0.01, 0.6][random.below(4)];
    let dt = 1.0 / [20.0, 30.0, 60.0, 144.0][random.below(4)];
    let (is_idle, walls) = (random.below(2) == 0, random.below(4));
    let world = place(walls);
    let mut crowd = heap(&mut random, count, spread, kind);
    let inputs = wishes(&mut random, count, is_idle);
    let (mut all, still) = (Crowd::new(), vec![Input::IDLE; count]);
    // They spread at 1.5 m/s over a disc, or over the half or the quarter of it that the walls leave.
    let seconds = 1.0 + 1.5 * ops::sqrt(count as f64) * (1.0 + f64::from(walls.count_ones()));
    for tick in 0..(seconds / dt) as usize {
        let has_time = f64::from(tick as u32) * dt < 8.0;
        let inputs = if has_time { &inputs[..] } else { &still[..] };
        let reports = all.step_all(&world, &mut crowd, inputs, dt);
        let inside: Vec<bool> = reports.iter().map(Report::crushed).collect();
        let judged = if tick % 16 == 0 { overlapping(&crowd) } else { Vec::new() };
        for [i, j] in judged {
            assert!(inside[i] || inside[j], "seed {seed}: {i} and {j} overlap, and neither reports it");
        }
    }
    let deep = overlapping(&crowd);
    let places: Vec<DVec3> = deep.iter().flatten().map(|i| crowd[*i].position()).collect();
    assert!(
        deep.is_empty(),
        "seed {seed}, {count} of {kind:?}, {spread}, {dt}, {is_idle}, {walls}: {deep:?} {places:?}"
    );
    for (i, one) in crowd.iter().enumerate() {
        assert!(one.position().y > 0.3, "seed {seed}: {i} is in the floor: {}", one.position());
    }
}

#[test]
fn a_heap_at_one_place_comes_apart() {
    for seed in 1..40 {
        comes_apart(seed, Some(seed as usize % 4), 20);
    }
}

#[test]
fn a_heap_of_all_shapes_comes_apart() {
    for seed in 1001..1007 {
        comes_apart(seed, None, 10);
    }
}

/// 600 heaps.
#[test]
#[ignore = "minutes"]
fn every_heap_comes_apart() {
    for seed in 10_000..10_600 {
        comes_apart(seed, Some(seed as usize % 5).filter(|kind| *kind < 4), 40);
    }
}

#[test]
fn a_heap_comes_apart_with_the_same_bits_one_by_one() {
    let world = floor();
    for spread in [0.0, 0.5] {
        let random = &mut Random(5);
        let mut together = heap(random, 12, spread, Some(1));
        let inputs = wishes(random, together.len(), false);
        let (mut apart, mut all) = (together.clone(), Crowd::new());
        for tick in 0..120 {
            let dt = 1.0 / 60.0;
            all.step_all(&world, &mut together, &inputs, dt);
            let start: Vec<Neighbor> =
                (0..apart.len()).map(|i| apart[i].neighbor(i as u32, &world, inputs[i], dt)).collect();
            for i in (0..apart.len()).rev() {
                let number = i as u32;
                let others: Vec<Neighbor> =
                    start.iter().copied().filter(|other| other.number != number).collect();
                let input = TickInput::new(inputs[i], dt).among(&others).numbered(number);
                apart[i].step_with(&world, input, &mut Neighborhood::new(), &mut ());
            }
            for (a, b) in together.iter().zip(&apart) {
                assert_eq!(a.state(), b.state(), "tick {tick}");
            }
        }
    }
}
