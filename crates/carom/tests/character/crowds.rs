//! Many characters at once.

use carom::character::{Character, Crowd, Input, Neighbor, Settings};
use carom::{Capsule, Cuboid, Ellipsoid, Mover, Sphere, World};
use glam::{DVec3, dvec3};

use crate::{DT, RADIUS, SKIN, feet_at, floor, hero, slab};

/// How deep two characters, grown by their skins, overlap: the depth of two upright capsules of one size.
fn overlap(a: &Character, b: &Character) -> f64 {
    let apart = (a.position() - b.position()).with_y(0.0).length();
    2.0 * (RADIUS + SKIN) - apart
}

fn deepest(crowd: &[Character]) -> f64 {
    let mut deepest = f64::NEG_INFINITY;
    for (i, a) in crowd.iter().enumerate() {
        for b in &crowd[..i] {
            deepest = deepest.max(overlap(a, b));
        }
    }
    deepest
}

fn packed(side: usize) -> Vec<Character> {
    let pitch = 2.0 * (RADIUS + SKIN) + 1e-9;
    (0..side * side).map(|i| hero(dvec3((i % side) as f64, 0.0, (i / side) as f64) * pitch)).collect()
}

fn scattered_wish(i: usize, tick: usize) -> Input {
    let turn = (i * 7919 + tick / 20 * 104_729) % 360;
    let (sin, cos) = carom::num::ops::sin_cos((turn as f64).to_radians());
    Input::walk(dvec3(3.0 * cos, 0.0, 3.0 * sin))
}

#[test]
fn a_packed_crowd_that_wants_everywhere_overlaps_nobody() {
    let world = floor();
    let (mut all, mut crowd) = (Crowd::new(), packed(8));
    for tick in 0..200 {
        let inputs: Vec<Input> = (0..crowd.len()).map(|i| scattered_wish(i, tick)).collect();
        all.step_all(&world, &mut crowd, &inputs, DT);
        assert!(deepest(&crowd) <= 1e-12, "tick {tick}: {:e}", deepest(&crowd));
    }
}

#[test]
fn a_crowd_that_wants_one_way_goes_there() {
    let world = floor();
    let (mut all, mut crowd) = (Crowd::new(), packed(6));
    let start: f64 = crowd.iter().map(|c| c.position().x).sum();
    for _ in 0..120 {
        let inputs = vec![Input::walk(dvec3(3.0, 0.0, 0.0)); crowd.len()];
        all.step_all(&world, &mut crowd, &inputs, DT);
    }
    let gone = (crowd.iter().map(|c| c.position().x).sum::<f64>() - start) / crowd.len() as f64;
    // Six meters, less what the ranks wait for each other at the start: a tick for each.
    assert!(gone > 6.0 - 6.0 * 3.0 * DT, "{gone}");
}

#[test]
fn all_together_are_as_one_by_one_to_the_bit_in_any_order() {
    let mut world = floor();
    slab(&mut world, dvec3(3.0, 0.5, 2.0), dvec3(0.5, 0.5, 9.0));
    let mut together = packed(5);
    let mut apart = together.clone();
    let mut all = Crowd::new();
    for tick in 0..120 {
        let inputs: Vec<Input> = (0..together.len()).map(|i| scattered_wish(i, tick)).collect();
        all.step_all(&world, &mut together, &inputs, DT);
        let snapshot: Vec<Neighbor> =
            (0..apart.len()).map(|i| apart[i].neighbor(i as u32, &world, inputs[i], DT)).collect();
        // Backwards, each with all others for neighbors.
        for i in (0..apart.len()).rev() {
            let others: Vec<Neighbor> =
                snapshot.iter().copied().filter(|other| other.number != i as u32).collect();
            apart[i].step_among(&world, &others, inputs[i], DT);
        }
        for (a, b) in together.iter().zip(&apart) {
            assert_eq!(a.state(), b.state(), "tick {tick}");
        }
    }
}

#[test]
fn threads_change_no_bit() {
    let mut world = floor();
    slab(&mut world, dvec3(3.0, 0.5, 2.0), dvec3(0.5, 0.5, 9.0));
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (mut all, mut crowd) = (Crowd::new(), packed(8));
            for tick in 0..60 {
                let inputs: Vec<Input> = (0..crowd.len()).map(|i| scattered_wish(i, tick)).collect();
                all.step_all(&world, &mut crowd, &inputs, DT);
            }
            (crowd, all.reports().to_vec())
        })
    };
    let one = run(1);
    for threads in 2..=4 {
        assert_eq!(one, run(threads));
    }
}

#[test]
fn what_it_has_moved_before_changes_no_bit() {
    let world = floor();
    let mut used = Crowd::new();
    // More of them, fewer, none, and some that are nowhere near.
    let far = |i: usize| hero(dvec3(i as f64 * 1e5, 0.0, 0.0));
    for mut others in [packed(9), packed(2), Vec::new(), (0..30).map(far).collect()] {
        let inputs: Vec<Input> = (0..others.len()).map(|i| scattered_wish(i, 7)).collect();
        assert_eq!(used.step_all(&world, &mut others, &inputs, DT).len(), others.len());
    }
    let (mut a, mut b) = (packed(6), packed(6));
    let mut fresh = Crowd::new();
    for tick in 0..40 {
        let inputs: Vec<Input> = (0..a.len()).map(|i| scattered_wish(i, tick)).collect();
        let reports = used.step_all(&world, &mut a, &inputs, DT);
        assert_eq!(reports, fresh.step_all(&world, &mut b, &inputs, DT), "tick {tick}");
    }
    assert_eq!(a, b);
}

#[test]
fn shapes_of_all_kinds_keep_clear_of_each_other() {
    let world = floor();
    let shapes: [Mover; 4] = [
        Ellipsoid::new(dvec3(0.4, 0.9, 0.3)).unwrap().into(),
        Capsule::new(0.3, 0.5).unwrap().into(),
        Sphere::new(0.5).unwrap().into(),
        Cuboid::new(dvec3(0.3, 0.8, 0.4)).unwrap().into(),
    ];
    let mut crowd: Vec<Character> = (0..25)
        .map(|i| {
            let place = dvec3((i % 5) as f64 * 1.3, 1.0, (i / 5) as f64 * 1.3);
            Character::new(shapes[i % 4], Settings::default()).unwrap().at(place).unwrap()
        })
        .collect();
    let mut all = Crowd::new();
    for tick in 0..240 {
        let center = dvec3(2.6, 0.0, 2.6);
        let inputs: Vec<Input> = crowd
            .iter()
            .enumerate()
            .map(|(i, c)| {
                if tick < 120 { Input::walk((center - c.position()) * 2.0) } else { scattered_wish(i, tick) }
            })
            .collect();
        all.step_all(&world, &mut crowd, &inputs, DT);
        for (i, a) in crowd.iter().enumerate() {
            for b in &crowd[..i] {
                let deep = a.shape().overlaps(b.shape(), b.position() - a.position());
                assert!(!deep, "tick {tick}: {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn at_the_speed_of_sound_it_stops_at_the_other() {
    let mut world = floor();
    slab(&mut world, dvec3(20.5, 1.0, 0.0), dvec3(0.5, 1.0, 5.0));
    let mut pair = [hero(DVec3::ZERO), hero(dvec3(7.0, 0.0, 0.0))];
    let mut all = Crowd::new();
    for _ in 0..3 {
        all.step_all(&world, &mut pair, &[Input::walk(dvec3(600.0, 0.0, 0.0)), Input::IDLE], DT);
    }
    let gap = pair[1].position().x - pair[0].position().x - 2.0 * (RADIUS + SKIN);
    assert!((0.0..1e-9).contains(&gap), "{gap:e}");
    assert_eq!(pair[1].position(), feet_at(dvec3(7.0, 0.0, 0.0)));
}

#[test]
fn two_ride_the_same_lift_without_lag() {
    let mut world = World::new();
    let tram = slab(&mut world, dvec3(0.0, -1.0, 0.0), dvec3(4.0, 1.0, 4.0));
    let mut pair = [hero(DVec3::ZERO), hero(dvec3(2.0 * (RADIUS + SKIN) + 1e-9, 0.0, 0.0))];
    let apart = pair[1].position() - pair[0].position();
    let mut all = Crowd::new();
    // The ground is not known before the first step.
    all.step_all(&world, &mut pair, &[Input::IDLE; 2], DT);
    for tick in 1..=60 {
        world.advance(DT, |moves| {
            moves.drive(tram, dvec3(3.0, 1.0, 0.0), DVec3::ZERO).unwrap();
        });
        all.step_all(&world, &mut pair, &[Input::IDLE; 2], DT);
        let exact = feet_at(dvec3(3.0, 1.0, 0.0) * DT * f64::from(tick));
        assert!((pair[0].position() - exact).length() < 1e-9, "{tick}: {} {exact}", pair[0].position());
        assert!((pair[1].position() - pair[0].position() - apart).length() < 1e-9);
    }
}
