//! Steps in the air: a setting of games in which a jump leads a step higher than it rises.

use carom::character::{Character, GravityPass, Input, Settings};
use carom::num::ops;
use carom::shape::Mover;
use carom::{Body, Cuboid, Pose, World};
use glam::{DVec3, dvec3};

use crate::random::Random;
use crate::stage::{RATES, Shape, shapes};

/// A step of this height.
const STEP: f64 = 0.4;

fn block(world: &mut World, low: DVec3, high: DVec3) {
    let cuboid = Cuboid::new(0.5 * (high - low)).unwrap();
    world.add(Body::fixed(cuboid).at(Pose::at(0.5 * (low + high)).unwrap()));
}

/// A floor, and a ledge of a height that begins 1 m in front of the body.
fn ledge(shape: &Shape, high: f64) -> World {
    let mut world = World::new();
    block(&mut world, dvec3(-30.0, -1.0, -30.0), dvec3(30.0, 0.0, 30.0));
    block(&mut world, dvec3(shape.radius + 1.0, 0.0, -30.0), dvec3(30.0, high, 30.0));
    world
}

fn hero(shape: &Shape, air_steps: bool, gravity_pass: GravityPass) -> Character {
    let settings = Settings { step_height: STEP, air_steps, gravity_pass, ..Settings::default() };
    let hero = Character::new(shape.mover, settings).unwrap();
    let start = DVec3::Y * (shape.half_height + hero.skin());
    hero.at(start).unwrap()
}

/// The height of the feet at the end of a jump against the ledge, and the heights of the steps on the way.
fn jump(hero: &mut Character, shape: &Shape, world: &World, [speed, rate]: [f64; 2]) -> (f64, f64) {
    let wish = DVec3::X * 4.0;
    let mut stepped = 0.0;
    for tick in 0..(3.0 * rate) as u32 {
        let input = if tick == 0 { Input::walk(wish).jump(speed) } else { Input::walk(wish) };
        let rises = hero.ground().is_none() && hero.velocity().y > 9.81 / rate;
        let report = hero.step(world, input, 1.0 / rate);
        assert!(!rises || report.stepped == 0.0, "it stepped by {} while it rose", report.stepped);
        stepped += report.stepped;
    }
    (hero.position().y - shape.half_height, stepped)
}

/// A jump that rises by H leads onto ledges up to H, and with steps in the air up to H and a step.
#[test]
fn a_jump_leads_a_step_higher_at_any_rate() {
    let mut random = Random(51);
    let mut wrong = Vec::new();
    for case in 0..600 {
        let shape = shapes()[random.below(shapes().len())];
        let pass = [GravityPass::Separate, GravityPass::Combined][random.below(2)];
        let (rate, speed) = (RATES[random.below(RATES.len())], random.between(3.0, 6.0));
        let rise = speed * speed / (2.0 * 9.81);
        let air_steps = random.below(3) != 0;
        // At 20 ticks per second a jump is past its top by up to 3 mm before it no longer rises.
        let reach = rise + if air_steps { STEP } else { 0.0 };
        let is_low = random.below(2) == 0;
        let lowest = if air_steps { rise + 0.05 } else { 0.5 * rise };
        let high =
            if is_low { random.between(lowest, reach - 0.05) } else { reach + random.between(0.02, 0.3) };
        let world = ledge(&shape, high);
        let mut hero = hero(&shape, air_steps, pass);
        let (feet, _) = jump(&mut hero, &shape, &world, [speed, rate]);
        let is_up = (feet - high).abs() < 0.01;
        // A round body stands on an edge of floor that is no more than a step above its feet, and a single
        // motion lifts it along an edge.
        let is_flat = matches!(shape.mover, Mover::Cuboid(_));
        let is_bounded = is_flat || air_steps && pass == GravityPass::Separate;
        if is_up != is_low && (is_low || is_bounded) {
            let tell = format!("{case} {:?} {pass:?} {rate} Hz, steps {air_steps}", shape.mover);
            wrong.push(format!("{tell}: rises by {rise:.3}, ledge at {high:.3}, feet at {feet:.3}"));
        }
    }
    assert!(wrong.is_empty(), "{}: {:#?}", wrong.len(), &wrong[..wrong.len().min(12)]);
}

/// Where nothing low stops a flight, the setting changes no bit: walls, slopes, ceilings and floors.
#[test]
fn without_a_step_in_reach_nothing_changes() {
    let mut random = Random(52);
    for case in 0..200 {
        let shape = shapes()[random.below(shapes().len())];
        let pass = [GravityPass::Separate, GravityPass::Combined][random.below(2)];
        let mut world = World::new();
        block(&mut world, dvec3(-30.0, -1.0, -30.0), dvec3(30.0, 0.0, 30.0));
        block(&mut world, dvec3(-30.0, 4.0, -30.0), dvec3(30.0, 5.0, 30.0));
        for _ in 0..6 {
            let turn = ops::rotation_about(DVec3::Y, random.between(0.0, 3.0));
            let wall = Cuboid::new(dvec3(random.between(0.2, 2.0), 2.5, 0.3)).unwrap();
            let away = turn * DVec3::X * random.between(1.5, 3.0) + DVec3::Y * 2.0;
            let wall = wall.with_rotation(ops::rotation_about(DVec3::Y, random.between(0.0, 3.0))).unwrap();
            world.add(Body::fixed(wall).at(Pose::at(away).unwrap()));
        }
        let rate = RATES[random.below(RATES.len())];
        let mut heroes = [false, true].map(|air_steps| hero(&shape, air_steps, pass));
        for _ in 0..(2.0 * rate) as u32 {
            let wish =
                ops::rotation_about(DVec3::Y, random.between(0.0, 6.3)) * DVec3::X * random.between(1.0, 6.0);
            let input = Input::walk(wish);
            let input = if random.below(8) == 0 { input.jump(random.between(2.0, 6.0)) } else { input };
            let [a, b] = heroes.each_mut().map(|hero| hero.step(&world, input, 1.0 / rate));
            assert_eq!((a.position, a.velocity, a.stepped), (b.position, b.velocity, b.stepped), "{case}");
        }
    }
}

/// A pit one step deeper than a jump rises: with steps in the air there is a way out, and without none.
#[test]
fn out_of_a_pit_a_step_deeper_than_a_jump() {
    let mut random = Random(53);
    for case in 0..100 {
        let shape = shapes()[random.below(shapes().len())];
        let (rate, speed) = (RATES[random.below(RATES.len())], random.between(3.0, 5.0));
        let deep = speed * speed / (2.0 * 9.81) + random.between(0.1, 0.9) * STEP;
        // A round body holds between the edges of a corner that is above its feet.
        let is_flat = matches!(shape.mover, Mover::Cuboid(_));
        for air_steps in [false, true] {
            let mut world = ledge(&shape, deep);
            for side in [-1.0, 1.0] {
                let (near, far) = (side * (shape.radius + 0.2), side * 30.0);
                block(
                    &mut world,
                    dvec3(-30.0, 0.0, near.min(far)),
                    dvec3(shape.radius + 1.0, deep, near.max(far)),
                );
            }
            block(&mut world, dvec3(-30.0, 0.0, -30.0), dvec3(-shape.radius - 0.2, deep, 30.0));
            let mut hero = hero(&shape, air_steps, GravityPass::Separate);
            let (feet, _) = jump(&mut hero, &shape, &world, [speed, rate]);
            let is_out = (feet - deep).abs() < 0.01;
            assert!(
                is_out == air_steps || is_out && !is_flat,
                "{case} {:?} {rate} Hz: {feet} of {deep}",
                shape.mover
            );
        }
    }
}
