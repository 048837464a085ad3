//! Keys do something: where the way of the body is free, what is pressed moves it.

use carom::character::{Character, Input, Settings};
use carom::{Capsule, Cuboid, Ellipsoid, Mover, Sphere, World};
use carom_scenes::held::{Class, Counts, Finding, RATES, Run, solids, worlds};
use glam::{DVec3, dvec3};

/// Plays with one to four heroes, which also stand on each other, in the world of each seed.
fn assert_no_key_is_held(seeds: core::ops::Range<u64>, world: fn(u64) -> World) {
    let (mut counts, mut found) = (Counts::default(), Vec::<Finding>::new());
    for seed in seeds {
        let world = world(seed);
        let heroes = [1, 1, 2, 4][(seed / 4 % 4) as usize];
        let run = Run { seed, ticks: 1000, lowest: worlds::LOWEST };
        let (run, more) = run.play(&world, heroes, &mut |random| worlds::spawn(&world, random));
        counts.add(&run);
        found.extend(more);
    }
    assert!(counts.keys > 5000, "{}", counts.keys);
    println!("{} ticks, {} keys", counts.ticks, counts.keys);
    let faults: Vec<&str> =
        found.iter().filter(|found| !found.class.is_lawful()).map(|found| found.tell.as_str()).collect();
    assert!(faults.is_empty(), "{} of {} keys: {faults:#?}", faults.len(), counts.keys);
    // Rare, or the judge calls everything lawful.
    let lawful: u64 = Class::ALL.iter().map(|class| counts.held[*class as usize]).sum();
    assert!(lawful * 500 < counts.keys, "{lawful} of {}", counts.keys);
}

/// In random worlds of boxes, ledges, stairs, wedges, posts and ceilings; as long as you like by
/// `--example random_play -- --held`.
#[test]
fn a_key_whose_way_is_free_moves_the_hero() {
    assert_no_key_is_held(0..100, worlds::world);
}

/// In random worlds of half-spaces, hulls, cylinders, cones, balls, height fields, compounds, plates and BSP
/// trees.
#[test]
fn a_key_whose_way_is_free_moves_the_hero_among_solids_of_every_kind() {
    assert_no_key_is_held(0..100, solids::world);
}

/// Places in worlds of boxes where the tick's share of a step ends on no ground, nor does the look-ahead: a
/// tread before a steep face, the rising side edge of a ramp, a low ceiling behind a step, an edge that the
/// body touches higher than a step and passes when raised, a slope that continues a wall.
#[test]
fn a_step_is_found_by_a_long_tick_as_by_a_short_one() {
    let capsule = |radius, half| Mover::from(Capsule::new(radius, half).expect("lengths are above 0"));
    let ellipsoid = Mover::from(Ellipsoid::new(dvec3(0.4, 0.9, 0.4)).expect("lengths are above 0"));
    let sphere = Mover::from(Sphere::new(0.5).expect("is above 0"));
    let cuboid = Mover::from(Cuboid::new(dvec3(0.4, 0.9, 0.4)).expect("lengths are above 0"));
    let places: [(u64, Mover, DVec3, DVec3); 7] = [
        (20908, sphere, dvec3(1.3256858909712, 0.5005000000001, 4.4994999999999), dvec3(-6.0, 0.0, 0.0)),
        (11309, capsule(0.3, 0.6), dvec3(0.7073893616459, 0.9003000000001, -3.0240573748663), DVec3::Z * 2.0),
        (40127, cuboid, dvec3(-4.5995999999998, 0.9004000000001, -1.3003999761582), DVec3::Z * 4.0),
        (
            40457,
            capsule(0.3, 0.6),
            dvec3(-2.1357082865261, 0.9003000000001, 2.6490869143876),
            DVec3::Z * -2.0,
        ),
        (41371, capsule(0.4, 0.5), dvec3(1.2367843332899, 1.0665558916534, 0.9394709934736), DVec3::X * -4.0),
        (334, ellipsoid, dvec3(-2.0135837646766, 0.9004000000002, -4.5995999999999), dvec3(1.4, 0.0, 1.4)),
        (40242, ellipsoid, dvec3(-3.9111016047504, 0.9004000000001, -0.9007880671214), dvec3(2.8, 0.0, 2.8)),
    ];
    for (seed, shape, at, wish) in places {
        let world = worlds::world(seed);
        for rate in RATES {
            let hero = Character::new(shape, Settings::default()).and_then(|hero| hero.at(at));
            let mut hero = hero.expect("the settings are in their ranges");
            for _ in 0..(0.5 * rate) as u32 {
                hero.step(&world, Input::walk(wish), 1.0 / rate);
            }
            let moved = (hero.position() - at).with_y(0.0).length();
            assert!(moved > 0.5 * 0.5 * wish.length(), "{seed} at {rate} Hz: {moved}");
        }
    }
}
