//! Landings: decided where the feet meet, so neither by the rate nor by where a tick happens to end.

use carom::character::{Character, Input};
use carom::num::ops;
use carom::{Body, Cuboid, Mesh, Pose, World};
use glam::{DVec3, dvec3};

use crate::random::Random;
use crate::stage::{Frame, RATES, Shape, shapes};

/// The first outcome at every rate, and at rates that change from tick to tick.
fn at_all_rates(random: &mut Random, mut outcome: impl FnMut(&mut dyn FnMut() -> f64) -> bool) -> [bool; 7] {
    let mut outcomes = [false; 7];
    for (found, rate) in outcomes.iter_mut().zip(RATES) {
        *found = outcome(&mut || 1.0 / rate);
    }
    outcomes[6] = outcome(&mut || random.between(0.001, 0.05));
    outcomes
}

/// Whether a hero that falls onto the edge of a ledge, its axis `offset` outside, holds on to it.
fn holds(shape: Shape, (offset, fall): (f64, f64), frame: &Frame, seconds: &mut dyn FnMut() -> f64) -> bool {
    let mut world = World::new();
    frame.block(&mut world, dvec3(-9.0, -9.0, -9.0), dvec3(9.0, -6.0, 9.0));
    frame.block(&mut world, dvec3(0.0, -6.0, -9.0), dvec3(9.0, 0.0, 9.0));
    let start = frame.place(dvec3(-offset, shape.feet() + fall, 0.0));
    let mut hero = shape.hero().at(start).unwrap();
    let mut time = 0.0;
    while time < 0.8 {
        let dt = seconds();
        hero.step(&world, Input::IDLE, dt);
        time += dt;
    }
    hero.ground().is_some() && frame.own(hero.position()).y > 0.0
}

/// E12: decided where the feet meet, so neither by the rate nor by where a tick happens to end.
#[test]
fn a_fall_onto_an_edge_holds_or_slips_the_same_at_every_rate() {
    let mut random = Random(12);
    let (mut held, mut slipped) = (0, 0);
    for case in 0..40 {
        let shape = shapes()[case % 5];
        let frame = Frame::any(&mut random);
        let fall = random.between(0.05, 1.0);
        let mut slips_from = f64::INFINITY;
        for step in 0..24 {
            // Not on the very limit, which rounding decides.
            let offset = shape.radius * (f64::from(step) + 0.37) / 24.0;
            let outcomes = at_all_rates(&mut random, |seconds| holds(shape, (offset, fall), &frame, seconds));
            let tell = || format!("{:?} fall {fall} offset {offset}: {outcomes:?}", shape.mover);
            assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "{}", tell());
            if outcomes[0] {
                held += 1;
                assert!(offset < slips_from, "{} but slips from {slips_from}", tell());
            } else {
                slipped += 1;
                slips_from = slips_from.min(offset);
            }
        }
    }
    assert!(held > 200 && slipped > 20, "{held} held, {slipped} slipped");
}

/// How heroes end that fall onto the edge of a ledge from many offsets.
#[derive(Default)]
struct Landings {
    held: usize,
    slipped: usize,
    /// Those that end otherwise at another rate.
    otherwise: Vec<String>,
}

impl Landings {
    /// Compares the outcomes at all rates for offsets of the axis up to the radius. `lands` falls in ticks of
    /// these seconds.
    fn compare(
        &mut self,
        random: &mut Random,
        shape: Shape,
        lands: impl Fn(f64, &mut dyn FnMut() -> f64) -> bool,
        told: &str,
    ) {
        for step in 0..12 {
            let offset = shape.radius * (f64::from(step) + 0.37) / 12.0;
            // Within this of the limit the bend of a tick's fall decides: 3 mm at 20 Hz.
            const BLUR: f64 = 8e-3;
            let [near, far] = [-BLUR, BLUR].map(|by| lands(offset + by, &mut || 1e-3));
            if near != far {
                continue;
            }
            let outcomes = at_all_rates(random, |seconds| lands(offset, seconds));
            if outcomes.iter().any(|outcome| *outcome != near) {
                self.otherwise.push(format!("{:?} {told} offset {offset}: {outcomes:?}", shape.mover));
            }
            if near { self.held += 1 } else { self.slipped += 1 }
        }
    }

    fn assert_alike(&self, least_held: usize, least_slipped: usize) {
        let Self { held, slipped, otherwise } = self;
        assert!(otherwise.is_empty(), "{} of {}: {otherwise:#?}", otherwise.len(), held + slipped);
        assert!(*held > least_held && *slipped > least_slipped, "{held} held, {slipped} slipped");
    }
}

/// A ledge that moves, and a hero that falls onto its edge.
struct Fall {
    pose: Pose,
    linear: DVec3,
    angular: DVec3,
    /// Of the hero's center.
    start: DVec3,
    input: Input,
    /// Until the feet are as high as the ledge, in seconds.
    over: f64,
}

impl Fall {
    /// Whether the hero touches the ledge as ground on its way.
    fn lands(&self, shape: Shape, seconds: &mut dyn FnMut() -> f64) -> bool {
        let mut world = World::new();
        let ledge = Cuboid::new(dvec3(4.0, 2.0, 4.0)).unwrap();
        let ledge = world.add(Body::kinematic(ledge).at(self.pose));
        let mut hero = shape.hero().at(self.start).unwrap();
        let mut touched = false;
        let mut time = 0.0;
        while time < 0.9 * self.over + 0.3 {
            let dt = seconds();
            world.advance(dt, |moves| moves.drive(ledge, self.linear, self.angular).unwrap());
            touched |= hero.step(&world, self.input, dt).ground.is_some();
            time += dt;
        }
        touched
    }
}

/// The same where the ledge goes past below, or the hero flies towards it.
#[test]
fn a_landing_on_a_moving_ledge_does_not_depend_on_the_tick_rate() {
    let (mut random, mut landings) = (Random(14), Landings::default());
    for case in 0..60 {
        let shape = shapes()[case % 5];
        let (of_ledge, of_hero) =
            if case % 2 == 0 { (random.between(-2.0, 2.0), 0.0) } else { (0.0, random.between(0.0, 2.0)) };
        let fall = random.between(0.1, 0.8);
        let over = ops::sqrt(2.0 * fall / 9.81);
        let lands = |offset: f64, seconds: &mut dyn FnMut() -> f64| {
            // Outside by the offset when the feet are as high as the ledge.
            let aside = -offset + (of_ledge - of_hero) * over;
            let fall = Fall {
                pose: Pose::at(dvec3(4.0, -2.0, 0.0)).unwrap(),
                linear: DVec3::X * of_ledge,
                angular: DVec3::ZERO,
                start: dvec3(aside, shape.feet() + fall, 0.0),
                input: if of_hero == 0.0 { Input::IDLE } else { Input::walk(DVec3::X * of_hero) },
                over,
            };
            fall.lands(shape, seconds)
        };
        landings.compare(&mut random, shape, lands, &format!("{of_ledge} {of_hero} fall {fall}"));
    }
    landings.assert_alike(200, 20);
}

/// The same where the ledge turns, and the edge passes below at up to 12 m/s.
#[test]
fn a_landing_on_a_turning_ledge_does_not_depend_on_the_tick_rate() {
    let (mut random, mut landings) = (Random(16), Landings::default());
    for case in 0..40 {
        let shape = shapes()[case % 5];
        let turn = random.between(0.1, 3.0) * if random.below(2) == 0 { 1.0 } else { -1.0 };
        let fall = random.between(0.1, 0.8);
        let over = ops::sqrt(2.0 * fall / 9.81);
        let lands = |offset: f64, seconds: &mut dyn FnMut() -> f64| {
            // Its edge is along z when the feet are as high.
            let turned = ops::rotation_about(DVec3::Y, -turn * over);
            let fall = Fall {
                pose: Pose::at(dvec3(4.0, -2.0, 0.0)).and_then(|pose| pose.with_rotation(turned)).unwrap(),
                linear: DVec3::ZERO,
                angular: DVec3::Y * turn,
                start: dvec3(-offset, shape.feet() + fall, 0.0),
                input: Input::IDLE,
                over,
            };
            fall.lands(shape, seconds)
        };
        landings.compare(&mut random, shape, lands, &format!("{turn} fall {fall}"));
    }
    landings.assert_alike(200, 5);
}

/// On a slope nearly as steep as can be walked it stays where it fell, on a steeper one it slides, at every
/// rate.
#[test]
fn a_landing_on_a_slope_does_not_depend_on_the_tick_rate() {
    let mut random = Random(15);
    for case in 0..60 {
        let shape = shapes()[case % 5];
        let angle: f64 = random.between(43.0, 47.0);
        if (angle - 45.0).abs() < 1e-3 {
            continue;
        }
        let (sin, cos) = ops::sin_cos(angle.to_radians());
        let turn = ops::rotation_about(DVec3::Y, random.between(0.0, 6.0));
        let corners = [[-8.0, -8.0], [8.0, -8.0], [8.0, 8.0], [-8.0, 8.0]]
            .map(|[a, b]: [f64; 2]| (turn * dvec3(a * cos, a * sin, b)).as_vec3().to_array());
        let mesh = Mesh::from_triangles(corners.to_vec(), vec![[0, 2, 1], [0, 3, 2]]).unwrap();
        let mut world = World::new();
        world.add(Body::fixed(mesh));
        let start = dvec3(0.0, shape.feet() / cos + 0.3 + random.between(0.0, 0.5), 0.0);
        let ends = RATES.map(|rate| {
            let mut hero: Character = shape.hero().at(start).unwrap();
            for _ in 0..(0.7 * rate) as u32 {
                hero.step(&world, Input::IDLE, 1.0 / rate);
            }
            (hero.ground().is_some(), hero.position())
        });
        for (stands, at) in ends {
            assert_eq!(stands, angle < 45.0, "{angle} {:?} {ends:?}", shape.mover);
            assert!(!stands || (at - ends[0].1).length() < 1e-9, "{angle} {:?} {ends:?}", shape.mover);
        }
    }
}
