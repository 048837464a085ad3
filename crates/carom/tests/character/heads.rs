//! Heads: a character with others on its head does what it does alone.
//!
//! On floors, slopes, stairs, lifts, sliders and turntables that start under them, on either side of
//! [`Riders`], boxes among the shapes, up to 0.25 m beside the axis; judged by a twin with no character on
//! its head.

use carom::character::{Character, Crowd, Input, Obstacle, Report, Riders, Settings};
use carom::num::ops;
use carom::world::BodyId;
use carom::{Body, Cuboid, Layers, Mover, Pose, World};
use glam::{DQuat, DVec3, dvec3};

use crate::random::Random;
use crate::stage::{RATES, shapes};

const TAU: f64 = core::f64::consts::TAU;

/// A place to stand on, and how it goes once all stand.
#[derive(Clone)]
struct Place {
    world: World,
    floor: BodyId,
    velocity: DVec3,
    spin: DVec3,
}

const KINDS: [&str; 6] = ["floor", "slope", "stairs", "lift", "slider", "turntable"];

impl Place {
    fn of(random: &mut Random, kind: usize) -> Self {
        let mut world = World::new();
        let mut block = |low: DVec3, high: DVec3, turn: DQuat| {
            let pose =
                Pose::at(turn * ((low + high) * 0.5)).and_then(|pose| pose.with_rotation(turn)).unwrap();
            world.add(Body::kinematic(Cuboid::new((high - low) * 0.5).unwrap()).at(pose))
        };
        let level = |random: &mut Random| {
            let (sin, cos) = ops::sin_cos(random.between(0.0, TAU));
            dvec3(cos, 0.0, sin)
        };
        let turn = match kind {
            1 => ops::rotation_about(level(random), random.between(0.0, 40.0_f64.to_radians())),
            _ => DQuat::IDENTITY,
        };
        let floor = block(dvec3(-40.0, -2.0, -40.0), dvec3(40.0, 0.0, 40.0), turn);
        if kind == 2 {
            let (rise, tread) = (random.between(0.05, 0.38), random.between(0.25, 0.6));
            for step in 0..12 {
                let (low, top) = (0.5 + tread * f64::from(step), rise * f64::from(step + 1));
                block(dvec3(low, top - 8.0, -40.0), dvec3(low + 40.0, top, 40.0), turn);
            }
        }
        let velocity = match kind {
            3 => DVec3::Y * random.between(-3.0, 3.0),
            4 => level(random) * random.between(0.0, 4.0) + DVec3::Y * random.between(-1.0, 1.0),
            _ => DVec3::ZERO,
        };
        let spin = if kind == 5 { DVec3::Y * random.between(-2.0, 2.0) } else { DVec3::ZERO };
        Self { world, floor, velocity, spin }
    }

    fn advance(&mut self, dt: f64, goes: bool) {
        let share = f64::from(u8::from(goes));
        let Self { floor, velocity, spin, .. } = *self;
        self.world.advance(dt, |moves| moves.drive(floor, velocity * share, spin * share).unwrap());
    }
}

fn any_hero(random: &mut Random, riders: Riders) -> Character {
    let shape: Mover = match random.below(6) {
        5 => Cuboid::new(dvec3(random.between(0.2, 0.5), 0.8, random.between(0.2, 0.5))).unwrap().into(),
        kind => shapes()[kind].mover,
    };
    Character::new(shape, Settings { riders, ..Settings::default() }).unwrap()
}

/// Puts a hero on the head of another, its axis up to 0.25 m beside.
fn on_head(random: &mut Random, below: &Character, hero: Character) -> Character {
    let (sin, cos) = ops::sin_cos(random.between(0.0, TAU));
    let at = below.position() + dvec3(cos, 0.0, sin) * random.between(0.0, 0.25);
    let grown = |hero: &Character| hero.shape().grown(hero.skin()).unwrap();
    let (mut low, mut high) = (0.0, 4.0);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        let apart = below.position() - (at + DVec3::Y * middle);
        if grown(&hero).overlaps(&grown(below), apart) { low = middle } else { high = middle }
    }
    hero.at(at + DVec3::Y * (high + 1e-6)).unwrap()
}

fn is_clear(world: &World, crowd: &[Character], hero: &Character) -> bool {
    let mut clear =
        crowd.iter().all(|other| !hero.shape().overlaps(other.shape(), other.position() - hero.position()));
    let grown = hero.shape().grown(hero.skin()).unwrap();
    world.contacts(&grown, hero.position(), 0.0, Layers::ALL, |_| clear = false);
    clear
}

/// A stack of two or three. None if there is no room for it.
fn stack(random: &mut Random, place: &mut Place, riders: Riders, rate: f64) -> Option<Vec<Character>> {
    let lowest = any_hero(random, riders);
    let mut crowd = vec![lowest.at(DVec3::Y * 1.7).unwrap()];
    for _ in 0..rate as u32 {
        place.advance(1.0 / rate, false);
        crowd[0].step(&place.world, Input::IDLE, 1.0 / rate);
    }
    for number in 1..2 + random.below(2) {
        let hero = any_hero(random, riders);
        let hero = on_head(random, &crowd[number - 1], hero);
        if !is_clear(&place.world, &crowd, &hero) {
            return None;
        }
        crowd.push(hero);
    }
    Some(crowd)
}

fn all_stand(crowd: &[Character]) -> bool {
    crowd[1..]
        .iter()
        .all(|one| matches!(one.ground().map(|ground| ground.obstacle), Some(Obstacle::Character(_))))
}

/// E14: as high as alone, and as far; on stairs, where the noses may hold it up, half as far at least.
#[test]
fn with_others_on_its_head_a_character_goes_as_alone() {
    let mut random = Random(1_418);
    let (mut played, mut held) = ([0; KINDS.len()], Vec::new());
    for case in 0..360 {
        let kind = case % KINDS.len();
        let riders = if random.below(2) == 0 { Riders::Carry } else { Riders::LeaveBehind };
        let rate = RATES[random.below(5)];
        let dt = 1.0 / rate;
        let mut place = Place::of(&mut random, kind);
        let Some(mut crowd) = stack(&mut random, &mut place, riders, rate) else { continue };
        let mut all = Crowd::new();
        let idle = vec![Input::IDLE; crowd.len()];
        for _ in 0..(0.2 * rate) as u32 {
            place.advance(dt, false);
            all.step_all(&place.world, &mut crowd, &idle, dt);
        }
        if !all_stand(&crowd) {
            continue;
        }
        played[kind] += 1;
        let (sin, cos) =
            ops::sin_cos(if kind == 2 { random.between(-0.4, 0.4) } else { random.between(0.0, TAU) });
        let (heading, jumps) = (dvec3(cos, 0.0, sin), random.below(2) == 0);
        let speed = random.between(0.5, 5.0);
        let (mut twin, mut elsewhere) = (crowd[0], place.clone());
        let (start, mut carried) = (crowd[0].position(), DVec3::ZERO);
        let ([mut top, mut twin_top], [mut way, mut twin_way]) = ([0.0f64; 2], [0.0; 2]);
        let mut fault = None;
        for tick in 0..(1.0 * rate) as u32 {
            let mut inputs = idle.clone();
            inputs[0] = match (jumps, tick) {
                (true, 0) => Input::IDLE.jump(4.0),
                (true, _) => Input::IDLE,
                (false, _) => Input::walk(heading * speed),
            };
            place.advance(dt, true);
            elsewhere.advance(dt, true);
            carried += place.velocity * dt;
            twin.step(&elsewhere.world, inputs[0], dt);
            let reports = all.step_all(&place.world, &mut crowd, &inputs, dt);
            if let Some(who) = reports.iter().position(Report::crushed) {
                fault = Some(format!("{who} is crushed in tick {tick}"));
            }
            if fault.is_some() || !all_stand(&crowd) {
                break;
            }
            let gone = |one: &Character| one.position() - start - carried;
            (top, twin_top) = (top.max(gone(&crowd[0]).y), twin_top.max(gone(&twin).y));
            (way, twin_way) = (gone(&crowd[0]).dot(heading), gone(&twin).dot(heading));
        }
        let least = if kind == 2 { 0.5 } else { 0.98 };
        if jumps && top < twin_top - 0.02 {
            fault = fault.or(Some(format!("jumps {top} of {twin_top}")));
        } else if !jumps && way < twin_way - (1.0 - least) * twin_way.abs() - 0.01 {
            fault = fault.or(Some(format!("walks {way} of {twin_way}")));
        }
        if let Some(fault) = fault {
            held.push(format!("case {case} {} {riders:?} {rate} Hz {speed}: {fault}", KINDS[kind]));
        }
    }
    assert!(played.iter().all(|played| *played > 20), "{played:?}");
    assert!(held.is_empty(), "{} of {played:?}: {:#?}", held.len(), &held[..held.len().min(12)]);
}

/// Two that come down together on the head of a third, on a lift that goes: a character that is pinched is
/// free again within a few ticks.
#[test]
fn who_comes_into_another_on_a_lift_gets_out_upwards() {
    let mut random = Random(1_998);
    let (mut played, mut pinched, mut held) = (0, 0, Vec::new());
    for case in 0..150 {
        let rate = RATES[random.below(5)];
        let mut place = Place::of(&mut random, 3);
        let Some(mut crowd) = stack(&mut random, &mut place, Riders::Carry, rate) else { continue };
        played += 1;
        for hero in &mut crowd[1..] {
            hero.launch(place.velocity).unwrap();
        }
        let mut all = Crowd::new();
        let idle = vec![Input::IDLE; crowd.len()];
        let ticks = (0.5 * rate) as u32 + 8;
        for tick in 0..ticks {
            place.advance(1.0 / rate, true);
            let reports = all.step_all(&place.world, &mut crowd, &idle, 1.0 / rate);
            let is_crushed = reports.iter().any(Report::crushed);
            pinched += u32::from(is_crushed && tick < 8);
            if is_crushed && tick >= ticks / 2 {
                held.push((case, rate, tick, place.velocity.y));
                break;
            }
        }
    }
    assert!(played > 60 && pinched > 0, "{played} {pinched}");
    assert!(held.is_empty(), "{} of {played}: {held:?}", held.len());
}
