//! Heads: a character that stands on another does not hold it.

use carom::character::{Character, Crowd, Input, Neighbor, Obstacle, Report, Riders, Settings, link};
use carom::num::ops;
use carom::world::Body;
use carom::{Cuboid, Mesh, Pose, World};
use glam::{DVec3, dvec3};

use crate::random::Random;
use crate::stage::{RATES, Shape, shapes};
use crate::{DT, floor, slab};

fn overlap(a: &Character, b: &Character) -> bool {
    a.shape().overlaps(b.shape(), b.position() - a.position())
}

fn nobody_overlaps(crowd: &[Character]) -> bool {
    crowd.iter().enumerate().all(|(i, a)| crowd[..i].iter().all(|b| !overlap(a, b)))
}

fn hero(shape: Shape, riders: Riders) -> Character {
    Character::new(shape.mover, Settings { riders, ..Settings::default() }).unwrap()
}

/// One on the floor and one on the head of each, the axes apart by a share of what still holds it; after all
/// have come to rest. `None` if one slipped.
fn stack(
    random: &mut Random,
    world: &World,
    count: usize,
    riders: Riders,
    dt: &mut dyn FnMut(&mut Random) -> f64,
) -> Option<Vec<Character>> {
    let mut crowd: Vec<Character> = Vec::new();
    let mut at = DVec3::ZERO;
    for number in 0..count {
        let shape = shapes()[random.below(5)];
        let hero = hero(shape, riders);
        if number == 0 {
            at.y = shape.feet() + 1e-6;
        } else {
            let (sin, cos) = ops::sin_cos(random.between(0.0, core::f64::consts::TAU));
            at += dvec3(cos, 0.0, sin) * random.between(0.0, 0.25);
            // Down onto the one below.
            let (mut low, mut high) = (at.y, at.y + 4.0);
            for _ in 0..40 {
                let middle = 0.5 * (low + high);
                let there = hero.at(at.with_y(middle)).unwrap();
                let grown = there.shape().grown(there.skin()).unwrap();
                let below = &crowd[number - 1];
                let other = below.shape().grown(below.skin()).unwrap();
                let free = !grown.overlaps(&other, below.position() - there.position());
                if free { high = middle } else { low = middle }
            }
            at.y = high + 1e-6;
        }
        crowd.push(hero.at(at).unwrap());
    }
    let mut all = Crowd::new();
    let mut time = 0.0;
    while time < 0.25 {
        let dt = dt(random);
        all.step_all(world, &mut crowd, &vec![Input::IDLE; count], dt);
        time += dt;
    }
    let stands = |number: usize| {
        matches!(crowd[number].ground().map(|ground| ground.obstacle),
            Some(Obstacle::Character(below)) if below as usize == number - 1)
    };
    (1..count).all(stands).then_some(crowd)
}

fn any_rate(random: &mut Random) -> Box<dyn FnMut(&mut Random) -> f64> {
    let which = random.below(7);
    if which == 6 {
        return Box::new(|random| random.between(1e-3, 0.05));
    }
    Box::new(move |_| 1.0 / RATES[which])
}

fn crushed(reports: &[Report]) -> bool {
    reports.iter().any(Report::crushed)
}

#[test]
fn a_character_walks_with_others_on_its_head() {
    let mut random = Random(17);
    let (mut held, mut played) = (Vec::new(), 0);
    for case in 0..300 {
        let world = floor();
        let riders = if case % 2 == 0 { Riders::Carry } else { Riders::LeaveBehind };
        let mut dt = any_rate(&mut random);
        let count = 2 + random.below(2);
        let Some(mut crowd) = stack(&mut random, &world, count, riders, &mut *dt) else { continue };
        played += 1;
        let (sin, cos) = ops::sin_cos(random.between(0.0, core::f64::consts::TAU));
        let (heading, speed) = (dvec3(cos, 0.0, sin), random.between(0.5, 4.0));
        let starts: Vec<DVec3> = crowd.iter().map(Character::position).collect();
        let mut all = Crowd::new();
        crowd = (1000..).zip(crowd).map(|(number, hero)| hero.with_user_data(number)).collect();
        let mut inputs = vec![Input::IDLE; count];
        inputs[0] = Input::walk(heading * speed);
        let (mut time, mut bore) = (0.0, false);
        let tell = |what: &str, crowd: &[Character]| format!("case {case} {riders:?}: {what}: {crowd:?}");
        while time < 2.0 {
            let dt = dt(&mut random);
            let reports = all.step_all(&world, &mut crowd, &inputs, dt);
            bore |= reports[0].riders().any(|rider| rider.character == 1);
            for rider in reports.iter().flat_map(Report::riders) {
                assert_eq!(rider.user_data, 1000 + u64::from(rider.character));
            }
            assert!(!crushed(reports), "case {case}: {reports:?}");
            assert!(nobody_overlaps(&crowd), "{}", tell("overlap", &crowd));
            time += dt;
        }
        assert!(bore, "{}", tell("no rider", &crowd));
        let gone = (crowd[0].position() - starts[0]).dot(heading) / (speed * time);
        if gone < 0.999 {
            held.push(format!("case {case} {riders:?} of {count}: went {gone}"));
        }
        let apart = |number: usize| {
            (crowd[number].position() - crowd[0].position()).with_y(0.0)
                - (starts[number] - starts[0]).with_y(0.0)
        };
        for number in 1..count {
            match riders {
                Riders::Carry => {
                    // It may lag behind a start by a tick.
                    if apart(number).length() > 0.05 * speed {
                        held.push(format!("case {case}: {number} of {count} slid by {}", apart(number)));
                    }
                }
                Riders::LeaveBehind if speed > 1.0 && crowd[1].position().y > starts[1].y - 0.1 => {
                    held.push(format!("case {case}: still on top after {time}"));
                }
                Riders::LeaveBehind => {}
            }
        }
    }
    assert!(played > 150, "{played}");
    assert!(held.is_empty(), "{} of {played}: {:#?}", held.len(), &held[..held.len().min(12)]);
}

#[test]
fn a_character_jumps_with_others_on_its_head() {
    let mut random = Random(18);
    let (mut held, mut played) = (Vec::new(), 0);
    for case in 0..300 {
        let world = floor();
        let riders = if case % 2 == 0 { Riders::Carry } else { Riders::LeaveBehind };
        let mut dt = any_rate(&mut random);
        let count = 2 + random.below(3);
        let Some(mut crowd) = stack(&mut random, &world, count, riders, &mut *dt) else { continue };
        played += 1;
        let starts: Vec<f64> = crowd.iter().map(|one| one.position().y).collect();
        let (mut tops, mut time) = (starts.clone(), 0.0);
        let mut all = Crowd::new();
        while time < 0.6 {
            let mut inputs = vec![Input::IDLE; count];
            if time == 0.0 {
                inputs[0] = Input::IDLE.jump(4.0);
            }
            let dt = dt(&mut random);
            let reports = all.step_all(&world, &mut crowd, &inputs, dt);
            assert!(!crushed(reports), "case {case}: {reports:?}");
            assert!(nobody_overlaps(&crowd), "case {case}: overlap: {crowd:?}");
            for (top, one) in tops.iter_mut().zip(&crowd) {
                *top = top.max(one.position().y);
            }
            time += dt;
        }
        for number in 0..count {
            let rise = tops[number] - starts[number];
            // v²/2g, less what falls between two ticks.
            if !(0.79..1.1).contains(&rise) {
                held.push(format!("case {case} {riders:?}: {number} of {count} rises {rise}"));
            }
        }
    }
    assert!(played > 150, "{played}");
    assert!(held.is_empty(), "{} of {played}: {:#?}", held.len(), &held[..held.len().min(12)]);
}

/// Under a ceiling the upper has no room to rise into, and neither has the lower; it walks all the same.
#[test]
fn under_a_ceiling_a_rider_goes_up_as_far_as_there_is_room() {
    let mut random = Random(19);
    let (mut held, mut played) = (Vec::new(), 0);
    for case in 0..200 {
        let riders = if case % 2 == 0 { Riders::Carry } else { Riders::LeaveBehind };
        let mut dt = any_rate(&mut random);
        let mut world = floor();
        let count = 2 + random.below(2);
        let Some(rest) = stack(&mut random, &world, count, riders, &mut *dt) else { continue };
        played += 1;
        let top = &rest[count - 1];
        let reach = top.shape().bounds().half_extents().y;
        let bottom = top.position().y + reach + 2.0 * top.skin() + random.between(0.0, 0.4) * random.number();
        slab(&mut world, dvec3(0.0, bottom + 1.0, 0.0), dvec3(30.0, 1.0, 30.0));
        for jumps in [true, false] {
            let mut crowd = rest.clone();
            let start = crowd[0].position();
            let mut all = Crowd::new();
            let mut time = 0.0;
            while time < 1.0 {
                let mut inputs = vec![Input::IDLE; count];
                inputs[0] = match jumps {
                    true if time == 0.0 => Input::IDLE.jump(4.0),
                    true => Input::IDLE,
                    false => Input::walk(DVec3::X * 2.0),
                };
                let dt = dt(&mut random);
                let reports = all.step_all(&world, &mut crowd, &inputs, dt);
                assert!(!crushed(reports), "case {case} {jumps}: {reports:?}");
                assert!(nobody_overlaps(&crowd), "case {case} {jumps}: overlap: {crowd:?}");
                assert!(crowd[count - 1].position().y + reach < bottom, "case {case} {jumps}: {crowd:?}");
                time += dt;
            }
            let gone = (crowd[0].position() - start).x / (2.0 * time);
            // Of three the one in the middle cannot give way aside.
            if !jumps && gone < [0.95, 0.6][count - 2] {
                held.push(format!("case {case} {riders:?} of {count}: went {gone}"));
            }
        }
    }
    assert!(played > 100, "{played}");
    assert!(held.is_empty(), "{} of {played}: {:#?}", held.len(), &held[..held.len().min(12)]);
}

#[test]
fn a_character_climbs_with_another_on_its_head() {
    let mut random = Random(20);
    let (mut held, mut played) = (Vec::new(), 0);
    for case in 0..160 {
        let mut world = floor();
        let riders = if case % 2 == 0 { Riders::Carry } else { Riders::LeaveBehind };
        let (speed, is_stair) = (random.between(1.0, 4.0), case % 4 < 2);
        let angle: f64 = random.between(5.0, 40.0);
        let (sin, cos) = ops::sin_cos(angle.to_radians());
        let rise = random.between(0.05, 0.35);
        if is_stair {
            for step in 0..8 {
                let (low, top) = (1.0 + 0.4 * f64::from(step), rise * f64::from(step + 1));
                slab(&mut world, dvec3(low + 20.0, top - 5.0, 0.0), dvec3(20.0, 5.0, 20.0));
            }
        } else {
            let corners = [[0.0, -9.0], [30.0, -9.0], [30.0, 9.0], [0.0, 9.0]];
            let corners =
                corners.map(|[a, b]: [f64; 2]| dvec3(1.0 + a * cos, a * sin, b).as_vec3().to_array());
            let mesh = Mesh::from_triangles(corners.to_vec(), vec![[0, 2, 1], [0, 3, 2]]).unwrap();
            world.add(Body::fixed(mesh));
        }
        let mut dt = any_rate(&mut random);
        let Some(mut crowd) = stack(&mut random, &world, 2, riders, &mut *dt) else { continue };
        played += 1;
        let start = crowd[0].position().y;
        let mut all = Crowd::new();
        let mut time = 0.0;
        while time < 6.0 / speed {
            let dt = dt(&mut random);
            let inputs = [Input::walk(DVec3::X * speed), Input::IDLE];
            let reports = all.step_all(&world, &mut crowd, &inputs, dt);
            assert!(!crushed(reports), "case {case}: {reports:?}");
            assert!(nobody_overlaps(&crowd), "case {case}: overlap: {crowd:?}");
            time += dt;
        }
        let climbed = crowd[0].position().y - start;
        let whole = if is_stair { 8.0 * rise } else { (6.0 - 1.0 / cos) * sin };
        if climbed < 0.9 * whole {
            held.push(format!("case {case} {riders:?} stair {is_stair}: climbed {climbed} of {whole}"));
        }
    }
    assert!(played > 80, "{played}");
    assert!(held.is_empty(), "{} of {played}: {:#?}", held.len(), &held[..held.len().min(12)]);
}

/// On lifts and turntables the body below carries the whole stack.
#[test]
fn a_stack_rides_a_platform() {
    let mut random = Random(21);
    let mut played = 0;
    for case in 0..40 {
        let mut world = World::new();
        let tram = slab(&mut world, dvec3(0.0, -1.0, 0.0), dvec3(9.0, 1.0, 9.0));
        let mut dt = any_rate(&mut random);
        let Some(mut crowd) = stack(&mut random, &world, 3, Riders::Carry, &mut *dt) else { continue };
        played += 1;
        let starts: Vec<DVec3> = crowd.iter().map(Character::position).collect();
        let velocity = dvec3(random.between(-3.0, 3.0), random.between(-2.0, 2.0), 0.0);
        let mut all = Crowd::new();
        let mut time = 0.0;
        while time < 1.0 {
            let dt = dt(&mut random);
            world.advance(dt, |moves| moves.drive(tram, velocity, DVec3::ZERO).unwrap());
            all.step_all(&world, &mut crowd, &[Input::IDLE; 3], dt);
            time += dt;
            for (one, start) in crowd.iter().zip(&starts) {
                let lag = one.position() - *start - velocity * time;
                assert!(lag.length() < 1e-3, "case {case} {velocity}: {lag}");
            }
        }
    }
    assert!(played > 20, "{played}");
}

/// A heap of many characters with random inputs: none ends in another, in any order, on any number of
/// threads.
#[test]
fn a_heap_of_characters_is_the_same_in_any_order_and_overlaps_nobody() {
    let mut world = floor();
    slab(&mut world, dvec3(1.0, 0.2, 0.0), dvec3(0.5, 0.2, 9.0));
    world.add(
        Body::fixed(Cuboid::new(dvec3(0.1, 2.0, 4.0)).unwrap()).at(Pose::at(dvec3(-2.0, 2.0, 0.0)).unwrap()),
    );
    let heap = |seed: u64| {
        let mut random = Random(seed);
        let mut crowd: Vec<Character> = Vec::new();
        while crowd.len() < 40 {
            let riders = if random.below(2) == 0 { Riders::Carry } else { Riders::LeaveBehind };
            let hero = hero(shapes()[random.below(5)], riders);
            let at = dvec3(random.between(-1.7, 2.0), random.between(1.0, 9.0), random.between(-1.5, 1.5));
            let hero = hero.at(at).unwrap();
            if !crowd.iter().any(|other| overlap(&hero, other)) && !(0.0..1.5).contains(&(2.3 + at.x - 0.2)) {
                crowd.push(hero);
            }
        }
        (crowd, random)
    };
    for seed in 1..4 {
        let (start, random) = heap(seed);
        let any_input = |random: &mut Random| {
            let (sin, cos) = ops::sin_cos(f64::from(random.below(8) as u32) * core::f64::consts::FRAC_PI_4);
            let walk = match random.below(3) {
                0 => Input::IDLE,
                _ => Input::walk(dvec3(cos, 0.0, sin) * 3.0),
            };
            if random.below(4) == 0 { walk.jump(4.0) } else { walk }
        };
        let run = |threads: usize| {
            let (mut crowd, mut random) = (start.clone(), Random(random.0));
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (mut all, mut inputs) = (Crowd::new(), Vec::new());
            let mut rode = 0;
            for tick in 0..240 {
                if tick % 30 == 0 {
                    inputs = (0..crowd.len()).map(|_| any_input(&mut random)).collect();
                }
                let reports = pool.install(|| all.step_all(&world, &mut crowd, &inputs, DT).to_vec());
                rode += reports.iter().flat_map(Report::riders).count();
                for (i, a) in crowd.iter().enumerate() {
                    for (j, b) in crowd[..i].iter().enumerate() {
                        assert!(!overlap(a, b), "seed {seed} tick {tick}: {i} and {j}: {a:?} {b:?}");
                    }
                }
            }
            assert!(rode > 100, "{rode}");
            crowd
        };
        let one = run(1);
        assert_eq!(one, run(3));
        // Backwards, one by one, each with all others for neighbors.
        let (mut apart, mut random) = (start.clone(), Random(random.0));
        let mut inputs = Vec::new();
        for tick in 0..240 {
            if tick % 30 == 0 {
                inputs = (0..apart.len()).map(|_| any_input(&mut random)).collect();
            }
            let mut snapshot: Vec<Neighbor> =
                (0..apart.len()).map(|i| apart[i].neighbor(i as u32, &world, inputs[i], DT)).collect();
            link(&world, &mut snapshot);
            for i in (0..apart.len()).rev() {
                let others: Vec<Neighbor> =
                    snapshot.iter().copied().filter(|other| other.number != i as u32).collect();
                apart[i].step_among(&world, &others, inputs[i], DT);
            }
        }
        assert_eq!(one, apart);
    }
}

/// A stack that may rise crushes no character: two to five, on the floor, up stairs, on lifts that go up and
/// down, below a ceiling; the lowest walks and jumps, or all do.
#[test]
fn nobody_is_crushed_in_a_stack_that_may_rise() {
    let mut random = Random(22);
    let (mut faults, mut played) = (Vec::new(), [0; 6]);
    for case in 0..120 {
        let mut world = World::new();
        let lift = slab(&mut world, dvec3(0.0, -1.0, 0.0), dvec3(30.0, 1.0, 30.0));
        let kind = case % 4;
        if kind == 1 {
            let rise = random.between(0.05, 0.35);
            for step in 0..8 {
                let (low, top) = (1.0 + 0.4 * f64::from(step), rise * f64::from(step + 1));
                slab(&mut world, dvec3(low + 20.0, top - 5.0, 0.0), dvec3(20.0, 5.0, 20.0));
            }
        }
        let riders = if random.below(2) == 0 { Riders::Carry } else { Riders::LeaveBehind };
        let mut dt = any_rate(&mut random);
        let count = 2 + random.below(4);
        let Some(mut crowd) = stack(&mut random, &world, count, riders, &mut *dt) else { continue };
        played[count] += 1;
        if kind == 3 {
            let top = &crowd[count - 1];
            let reach = top.shape().bounds().half_extents().y;
            let bottom = top.position().y + reach + 2.0 * top.skin() + random.between(0.1, 0.8);
            slab(&mut world, dvec3(0.0, bottom + 1.0, 0.0), dvec3(30.0, 1.0, 30.0));
        }
        let velocity = if kind == 2 { DVec3::Y * random.between(0.5, 4.0) } else { DVec3::ZERO };
        let mut all = Crowd::new();
        let (mut time, mut key) = (0.0, 0.0);
        let mut inputs = vec![Input::IDLE; count];
        let all_press = random.below(3) == 0;
        while time < 3.0 {
            let dt = dt(&mut random);
            if time >= key {
                for (number, input) in inputs.iter_mut().enumerate() {
                    if number > 0 && !all_press {
                        continue;
                    }
                    let (sin, cos) = ops::sin_cos(if kind == 1 { 0.0 } else { random.between(0.0, 6.3) });
                    *input = Input::walk(dvec3(cos, 0.0, sin) * random.between(0.5, 4.0));
                    if random.below(2) == 0 {
                        *input = input.jump(random.between(2.0, 5.0));
                    }
                }
                key += 0.5;
            }
            world.advance(dt, |moves| {
                let way = if time < 1.5 { velocity } else { -velocity };
                moves.drive(lift, way, DVec3::ZERO).unwrap();
            });
            let reports = all.step_all(&world, &mut crowd, &inputs, dt);
            if let Some(who) = reports.iter().position(Report::crushed) {
                let by: Vec<Obstacle> = reports[who].crushed_by().map(|by| by.obstacle).collect();
                faults.push(format!(
                    "case {case} kind {kind} {riders:?}: {who} of {count} at {time:.3} dt {dt:.4} by {by:?}"
                ));
                break;
            }
            assert!(nobody_overlaps(&crowd), "case {case}: overlap: {crowd:?}");
            inputs.iter_mut().for_each(|input| input.jump = None);
            time += dt;
        }
    }
    assert!(played[2..].iter().all(|played| *played > 10), "{played:?}");
    assert!(faults.is_empty(), "{}: {faults:#?}", faults.len());
}
