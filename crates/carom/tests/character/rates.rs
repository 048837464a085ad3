//! Rates: a character that is not held at one tick rate is not held at another, and arrives within a tick of
//! the same time.
//!
//! Edges of ledges, heads, pits and crushes. Landings are in `landings.rs` and `touchdowns.rs`.

use carom::World;
use carom::character::{Character, Crowd, Input, Obstacle, Riders, Settings};
use carom::num::ops;
use glam::{DVec3, dvec3};

use crate::pits::{any_faces, pit};
use crate::random::Random;
use crate::stage::{Frame, RATES, Shape, shapes};
use crate::{floor, slab};

/// The longest tick at rates that change from tick to tick, in seconds.
const LONGEST: f64 = 0.05;

/// How a scene went.
#[derive(Debug, PartialEq)]
struct Course {
    /// Whether it stood or ended as it should.
    is_fine: bool,
    /// When it arrived or was crushed first, in seconds.
    at: Option<f64>,
}

/// Plays a scene at every rate, and at rates that change from tick to tick. An error tells the courses, if
/// one has another outcome than that of the finest rate, or arrives earlier or later by more than its longest
/// tick. An arrival is seen at the end of a tick.
fn compare(
    random: &mut Random,
    mut play: impl FnMut(&mut dyn FnMut() -> f64) -> Course,
) -> Result<Course, String> {
    let mut courses: Vec<(f64, Course)> = RATES.map(|rate| (1.0 / rate, play(&mut || 1.0 / rate))).into();
    courses.push((LONGEST, play(&mut || random.between(0.001, LONGEST))));
    let (_, finest) = &courses[RATES.len() - 1];
    let is_same = |(tick, one): &(f64, Course)| {
        let is_late = |(one, other): (f64, f64)| other - one > *tick || one - tick - other > *tick;
        one.is_fine == finest.is_fine
            && one.at.is_some() == finest.at.is_some()
            && !one.at.zip(finest.at).is_some_and(is_late)
    };
    if courses.iter().all(is_same) {
        Ok(courses.swap_remove(RATES.len() - 1).1)
    } else {
        Err(format!("{courses:?}"))
    }
}

/// Ticks for some seconds. The last one ends at or after their end.
fn for_seconds(seconds: f64, ticks: &mut dyn FnMut() -> f64, mut tick: impl FnMut(f64, f64)) {
    let mut time = 0.0;
    while time < seconds - 1e-9 {
        let dt = ticks();
        tick(dt, time + dt);
        time += dt;
    }
}

/// How many scenes were played and went as they should, and those that depended on the rate.
#[derive(Default)]
struct Tally {
    played: usize,
    went: usize,
    faults: Vec<String>,
}

impl Tally {
    fn add(&mut self, course: Result<Course, String>, scene: &str) {
        self.played += 1;
        match course {
            Ok(course) => self.went += usize::from(course.is_fine && course.at.is_some()),
            Err(courses) => self.faults.push(format!("{scene}: {courses}")),
        }
    }

    fn assert(&self) {
        let Self { played, went, faults } = self;
        assert!(faults.is_empty(), "{} of {played}: {:#?}", faults.len(), &faults[..faults.len().min(6)]);
        assert!(went * 4 >= played * 3, "{went} of {played}");
    }
}

/// A hero drops onto the edge of a ledge, and walks onto a second one behind the edge, a step higher.
#[test]
fn who_walks_on_from_an_edge_arrives_within_a_tick_at_every_rate() {
    let mut random = Random(181);
    let mut tally = Tally::default();
    while tally.played < 200 {
        let shape @ Shape { radius, .. } = shapes()[random.below(5)];
        let (depth, height) = (random.between(0.05, 0.45), random.between(0.1, 0.39));
        let (offset, turn) = (random.between(0.02, 0.9) * radius, random.between(-0.6, 0.6));
        if depth + offset < radius + 1e-3 {
            continue;
        }
        let mut world = World::new();
        let frame = Frame::any(&mut random);
        frame.block(&mut world, dvec3(-9.0, -9.0, -9.0), dvec3(9.0, -6.0, 9.0));
        frame.block(&mut world, dvec3(0.0, -6.0, -9.0), dvec3(9.0, 0.0, 9.0));
        frame.block(&mut world, dvec3(depth, -6.0, -9.0), dvec3(9.0, height, 9.0));
        let velocity = frame.way(ops::rotation_about(DVec3::Y, turn) * DVec3::X) * random.between(0.5, 5.0);
        let feet = shape.feet();
        let start = frame.place(dvec3(-offset, feet + 0.1, 0.0));
        let course = compare(&mut random, |ticks| {
            let mut hero = shape.hero().at(start).unwrap();
            for_seconds(0.6, ticks, |dt, _| {
                hero.step(&world, Input::IDLE, dt);
            });
            let stands = hero.ground().is_some() && frame.own(hero.position()).y > feet - 0.4;
            let mut at = None;
            for_seconds(2.0, ticks, |dt, time| {
                hero.step(&world, Input::walk(velocity), dt);
                let place = frame.own(hero.position());
                let is_there = place.x > depth && (place.y - feet - height).abs() < 1e-6;
                at = at.or(is_there.then_some(time));
            });
            Course { is_fine: stands, at }
        });
        tally.add(course, &format!("{shape:?} {depth} {height} {offset} {turn} {velocity}"));
    }
    tally.assert();
}

/// The lower of two walks a meter, or jumps.
#[test]
fn who_has_another_on_its_head_walks_and_jumps_the_same_at_every_rate() {
    let mut random = Random(182);
    let mut tally = Tally::default();
    for case in 0..120 {
        let (below, above) = (shapes()[case % 5], shapes()[random.below(5)]);
        let riders = if random.below(2) == 0 { Riders::Carry } else { Riders::LeaveBehind };
        let (sin, cos) = ops::sin_cos(random.between(0.0, core::f64::consts::TAU));
        let aside = dvec3(cos, 0.0, sin) * random.between(0.0, 0.15);
        let (speed, jumps) = (random.between(0.8, 5.0), case % 2 == 0);
        let world = floor();
        let course = compare(&mut random, |ticks| {
            let hero = |shape: Shape, at: DVec3| {
                Character::new(shape.mover, Settings { riders, ..Settings::default() })
                    .unwrap()
                    .at(at)
                    .unwrap()
            };
            let start = DVec3::Y * below.feet();
            let on_top = start + aside + DVec3::Y * (below.feet() + above.feet() + 0.01);
            let mut crowd = [hero(below, start), hero(above, on_top)];
            let mut all = Crowd::new();
            for_seconds(0.3, ticks, |dt, _| {
                all.step_all(&world, &mut crowd, &[Input::IDLE; 2], dt);
            });
            let stands =
                matches!(crowd[1].ground().map(|ground| ground.obstacle), Some(Obstacle::Character(_)));
            let (start, mut at, mut is_first) = (crowd[0].position(), None, true);
            for_seconds(if jumps { 0.4 } else { 2.0 }, ticks, |dt, time| {
                let input = match jumps {
                    true if is_first => Input::IDLE.jump(4.0),
                    true => Input::IDLE,
                    false => Input::walk(DVec3::X * speed),
                };
                is_first = false;
                all.step_all(&world, &mut crowd, &[input, Input::IDLE], dt);
                let way = crowd[0].position() - start;
                let is_there = if jumps { way.y > 0.5 } else { way.x > 1.0 };
                at = at.or(is_there.then_some(time));
            });
            Course { is_fine: stands, at }
        });
        tally.add(
            course,
            &format!("case {case} {riders:?} {below:?} {above:?} {aside} {speed} jumps {jumps}"),
        );
    }
    tally.assert();
}

/// A hero falls into a pit of steep faces, rests, and jumps.
#[test]
fn who_rests_in_a_pit_jumps_out_the_same_at_every_rate() {
    let mut random = Random(183);
    let mut tally = Tally::default();
    for case in 0..100 {
        let shape = shapes()[case % 5];
        let faces = any_faces(&mut random);
        let world = pit(&faces, case % 3 != 0);
        let steepest = faces.iter().map(|normal| normal.y).fold(1.0, f64::min);
        let start = dvec3(0.0, shape.half_height.max(shape.radius) * 1.1 / steepest + 0.2, 0.0);
        let course = compare(&mut random, |ticks| {
            let mut hero = shape.hero().at(start).unwrap();
            for_seconds(3.0, ticks, |dt, _| {
                hero.step(&world, Input::IDLE, dt);
            });
            let (stands, rest) = (hero.ground().is_some(), hero.position().y);
            let (mut at, mut input) = (None, Input::IDLE.jump(5.0));
            for_seconds(0.5, ticks, |dt, time| {
                hero.step(&world, input, dt);
                input = Input::IDLE;
                at = at.or((hero.position().y > rest + 0.8).then_some(time));
            });
            Course { is_fine: stands, at }
        });
        tally.add(course, &format!("case {case} {shape:?} {faces:?}"));
    }
    tally.assert();
}

/// Two doors close on a hero, hold, and open again.
#[test]
fn who_is_crushed_is_crushed_and_freed_the_same_at_every_rate() {
    let mut random = Random(184);
    let mut tally = Tally::default();
    for case in 0..100 {
        let shape = shapes()[case % 5];
        let thick = random.between(0.05, 0.5);
        let gap = shape.radius * random.between(0.2, 0.9);
        let far = shape.radius + random.between(0.1, 0.6);
        let speeds = [random.between(0.3, 4.0), random.between(0.3, 4.0)];
        let holds = random.between(0.1, 0.5);
        let closes = speeds.map(|speed| (far - gap) / speed);
        let closed = closes[0].max(closes[1]);
        // How far a door has come.
        let closeness = |door: usize, time: f64| {
            let back = (time - closed - holds).max(0.0);
            (speeds[door] * (time.min(closes[door]) - back.min(closes[door]))).max(0.0)
        };
        let course = compare(&mut random, |ticks| {
            let mut world = floor();
            let sides = [DVec3::X, DVec3::NEG_X];
            let doors =
                sides.map(|side| slab(&mut world, side * (far + thick) + DVec3::Y, dvec3(thick, 1.0, 2.0)));
            let mut hero = shape.hero().at(DVec3::Y * shape.feet()).unwrap();
            let (mut at, mut is_crushed) = (None, false);
            for_seconds(2.0 * closed + holds + 1.0, ticks, |dt, time| {
                world.advance(dt, |moves| {
                    for (door, side) in sides.iter().enumerate() {
                        let way = closeness(door, time) - closeness(door, time - dt);
                        moves.drive(doors[door], *side * (-way / dt), DVec3::ZERO).unwrap();
                    }
                });
                is_crushed = hero.step(&world, Input::IDLE, dt).crushed();
                at = at.or(is_crushed.then_some(time));
            });
            let is_free = !is_crushed && hero.ground().is_some() && hero.position().x.abs() < far;
            Course { is_fine: is_free, at }
        });
        tally.add(
            course,
            &format!("case {case} {shape:?} thick {thick} gap {gap} far {far} {speeds:?} {holds}"),
        );
    }
    tally.assert();
}
