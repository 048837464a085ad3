//! Pushes: a tick reports what was pushed on the way that was gone, and nothing of a way that was given up.

use carom::character::{Character, GravityPass, Input, Report, Settings};
use carom::{Body, Capsule, Cuboid, Pose, World};
use glam::{DVec3, dvec3};

use crate::random::Random;

const DT: f64 = 1.0 / 60.0;

fn slab(middle: DVec3, half: DVec3) -> (Cuboid, Pose) {
    (Cuboid::new(half).unwrap(), Pose::at(middle).unwrap())
}

/// The tick in which a hero that falls across the edge of a ledge meets a crate behind it. A small box far
/// below, near enough to be looked at, is at rest or moves: it is never met.
fn lands_beside_a_crate(random: &mut Random, moves: bool, pass: GravityPass) -> Report {
    let drop = random.between(0.01, 0.06);
    let beside = random.between(0.0, 0.29);
    let mut world = World::new();
    let (ledge, at) = slab(dvec3(2.0, -1.0, 0.0), dvec3(2.0, 1.0, 4.0));
    world.add(Body::fixed(ledge).at(at));
    let radius = 0.3;
    let start = dvec3(-beside, 0.9 + drop, 0.0);
    let face = start.x + radius + random.between(0.02, 0.05);
    let (chest, at) = slab(dvec3(face + 0.5, 1.0, 0.0), dvec3(0.5, 0.5, 0.5));
    let chest = world.add(Body::dynamic(chest, 200.0).unwrap().at(at));
    let (small, at) = slab(start - DVec3::Y * 1.05 - DVec3::X * 0.45, DVec3::splat(0.05));
    let small = world.add(Body::kinematic(small).at(at));
    let settings = Settings { gravity_pass: pass, ..Settings::default() };
    let mut hero = Character::new(Capsule::new(radius, 0.6).unwrap(), settings).unwrap().at(start).unwrap();
    hero.launch(dvec3(6.0, -5.0, 0.0)).unwrap();
    world.advance(DT, |body| {
        if moves {
            body.drive(small, dvec3(0.0, 0.0, 0.01), DVec3::ZERO).unwrap();
        }
    });
    let report = hero.step(&world, Input::walk(dvec3(4.0, 0.0, 0.0)), DT);
    assert!(report.pushes().all(|push| push.body == chest));
    report
}

#[test]
fn a_way_that_was_given_up_pushes_nothing() {
    let mut pushed = 0;
    for pass in [GravityPass::Separate, GravityPass::Combined] {
        for seed in 0..400 {
            let [still, moving] =
                [false, true].map(|moves| lands_beside_a_crate(&mut Random(seed), moves, pass));
            let impulse = |report: &Report| report.pushes().map(|push| push.impulse).sum::<DVec3>();
            let most = Settings::default().push_force * DT * (1.0 + 1e-9);
            for report in [&still, &moving] {
                assert!(impulse(report).length() <= most, "{pass:?} {seed}: {report:?}");
            }
            if still.position == moving.position {
                assert_eq!(impulse(&still), impulse(&moving), "{pass:?} {seed}");
                pushed += u32::from(impulse(&still) != DVec3::ZERO);
            }
        }
    }
    println!("{pushed} pushed");
    assert!(pushed > 50, "{pushed}");
}

/// A light crate before a hero, and beside both a box that turns: the tick is cut into many parts, and the
/// crate is met in each.
#[test]
fn a_crate_is_pushed_no_faster_than_the_hero_goes_however_often_it_is_met() {
    let mut pushed = 0;
    for seed in 1..200 {
        let mut random = Random(seed);
        let mass = random.between(0.05, 100.0);
        let mut world = World::new();
        let (ground, at) = slab(-DVec3::Y, dvec3(9.0, 1.0, 9.0));
        world.add(Body::fixed(ground).at(at));
        let (light, at) = slab(dvec3(0.55 + random.between(0.0, 0.05), 0.5, 0.0), dvec3(0.25, 0.49, 0.5));
        world.add(Body::dynamic(light, mass).unwrap().at(at));
        let (small, at) = slab(dvec3(-0.9, 1.0, 0.0), DVec3::splat(0.2));
        let small = world.add(Body::kinematic(small).at(at));
        let hero = Character::new(Capsule::new(0.3, 0.6).unwrap(), Settings::default()).unwrap();
        let mut hero = hero.at(dvec3(0.0, 0.901, 0.0)).unwrap();
        let turn = DVec3::Y * random.between(0.0, 20.0);
        let speed = random.between(0.5, 6.0);
        for _ in 0..4 {
            world.advance(DT, |body| body.drive(small, DVec3::ZERO, turn).unwrap());
            let report = hero.step(&world, Input::walk(dvec3(speed, 0.0, 0.0)), DT);
            for push in report.pushes() {
                let most = (mass * speed).min(Settings::default().push_force * DT);
                let impulse = push.impulse.length();
                assert!(impulse <= most * (1.0 + 1e-9), "{seed}: {impulse} of {most}");
                pushed += 1;
            }
        }
    }
    assert!(pushed > 100, "{pushed}");
}
