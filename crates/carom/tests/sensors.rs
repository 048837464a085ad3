//! Laws of sensors: they stop nothing, miss nothing, and report the same everywhere.

#![allow(clippy::unwrap_used, reason = "tests")]

use carom::character::{Character, Crowd, CrowdInput, Input, Settings};
use carom::mesh::{HeightField, Heights};
use carom::num::ops::{self, rotation_about};
use carom::sensor::{SensorEvent, SensorEventKind, Sensors, TickPath, Visitor};
use carom::shape::{
    Aabb, BezierPatch, Capsule, Cone, Convex, ConvexHull, Cuboid, Cylinder, Ellipsoid, Mover, Plane, Sphere,
    convex_distance, convex_hull,
};
use carom::world::{Body, Collider, HalfSpace, Layers, Pose, World};
use carom::{Cast, Mesh};
use glam::{DVec3, dvec3};

use dice::Dice;

mod dice;

fn solid(dice: &mut Dice) -> Mover {
    let size = dice.between(0.2, 0.8);
    match (dice.unit() * 4.0) as u32 {
        0 => Sphere::new(size).unwrap().into(),
        1 => Capsule::new(0.5 * size, size).unwrap().into(),
        2 => Ellipsoid::new(dvec3(size, 1.5 * size, 0.7 * size)).unwrap().into(),
        _ => Cuboid::new(dvec3(size, 0.4 * size, 1.2 * size)).unwrap().into(),
    }
}

fn collider(mover: &Mover) -> Collider {
    match *mover {
        Mover::Sphere(sphere) => sphere.into(),
        Mover::Capsule(capsule) => capsule.into(),
        Mover::Ellipsoid(ellipsoid) => ellipsoid.into(),
        Mover::Cuboid(cuboid) => cuboid.into(),
        Mover::Point => unreachable!("not thrown"),
    }
}

/// A body flies past a sensor that flies and turns as well. The reports match samples at two thousand times
/// of the tick; an overlap that the samples miss is a sliver.
#[test]
fn what_passes_within_a_tick_is_what_a_thousand_looks_find() {
    let mut dice = Dice(7);
    let (mut passed, mut entered, mut left, mut stayed, mut never) = (0, 0, 0, 0, 0);
    for round in 0..2500usize {
        let (visitor, sensor) = (solid(&mut dice), solid(&mut dice));
        let mut world = World::new();
        let from = dice.point(2.0);
        let gate = world.add(Body::kinematic(collider(&sensor)).at(dice.point(0.5)).sensor());
        let runner = world.add(Body::kinematic(collider(&visitor)).at(from));
        let mut sensors = Sensors::new();
        let first = sensors.update(&world, &[], &[]).len();
        let velocity = dice.point(1.0) * [20.0, 4.0, 1.0][round % 3];
        let drift = dice.point(2.0);
        world.advance(1.0, |moves| {
            moves.drive(runner, velocity, DVec3::ZERO).unwrap();
            if round % 2 == 0 {
                moves.drive(gate, drift, DVec3::ZERO).unwrap();
            }
        });
        let events = sensors.update(&world, &[], &[]).to_vec();
        let overlaps = |time: f64| {
            let [a, b] = [runner, gate].map(|id| world.body(id).unwrap().pose_at(time).position());
            visitor.overlaps(&sensor, b - a)
        };
        let looks: Vec<bool> = (0..=2000).map(|i| overlaps(f64::from(i) / 2000.0)).collect();
        let was_in = looks[0];
        let is_in = *looks.last().unwrap();
        assert_eq!(first, usize::from(was_in), "round {round}");
        let kinds: Vec<SensorEventKind> = events.iter().map(|event| event.kind).collect();
        use SensorEventKind::{Entered, Left, Stayed};
        match (was_in, is_in) {
            (true, true) => {
                assert_eq!(kinds, [Stayed]);
                stayed += 1;
            }
            (true, false) => {
                assert_eq!(kinds, [Left]);
                left += 1;
            }
            (false, true) => {
                assert_eq!(kinds, [Entered]);
                entered += 1;
            }
            (false, false) if looks.contains(&true) => {
                assert_eq!(kinds, [Entered, Left], "round {round}");
                passed += 1;
            }
            (false, false) => {
                // A chord shorter than the looks are apart is between two of them.
                let sliver = events.len() == 2 && events[1].time - events[0].time < 1.0 / 1000.0;
                assert!(kinds.is_empty() || sliver, "round {round}: {events:?}");
                never += 1;
            }
        }
        for event in &events {
            let near = looks.windows(2).position(|pair| match event.kind {
                Entered => !pair[0] && pair[1],
                Left => pair[0] && !pair[1],
                Stayed => false,
            });
            if let Some(near) = near {
                assert!((event.time - near as f64 / 2000.0).abs() < 2.0 / 2000.0, "{event:?} at {near}");
            }
        }
    }
    for (name, count) in
        [("passed", passed), ("entered", entered), ("left", left), ("stayed", stayed), ("never", never)]
    {
        assert!(count > 10, "{name} {count} times");
    }
}

#[test]
fn a_turning_bar_is_seen_where_it_ends() {
    let mut world = World::new();
    let gate = world.add(Body::fixed(Sphere::new(0.2).unwrap()).at(dvec3(0.0, 0.0, 2.0)).sensor());
    let bar = world.add(Body::kinematic(Cuboid::new(dvec3(2.0, 0.1, 0.1)).unwrap()));
    let mut sensors = Sensors::new();
    assert!(sensors.update(&world, &[], &[]).is_empty());
    world.advance(1.0, |moves| moves.move_to(bar, (DVec3::ZERO, rotation_about(DVec3::Y, 1.5)))).unwrap();
    let events = sensors.update(&world, &[], &[]);
    assert_eq!(events.len(), 1);
    assert_eq!((events[0].sensor, events[0].visitor), (gate, Visitor::Body(bar)));
}

/// A level with walls, and a crowd that runs about in it. With sensors everywhere every bit is as without.
#[test]
fn sensors_change_no_motion_and_a_copy_goes_on_to_the_same_events() {
    let build = |with_sensors: bool| {
        let mut world = World::new();
        world.add(Body::fixed(Cuboid::new(dvec3(40.0, 1.0, 40.0)).unwrap()).at(dvec3(0.0, -1.0, 0.0)));
        for i in 0..6 {
            let place = dvec3(f64::from(i) * 3.0 - 8.0, 1.0, f64::from(i * 5 % 7) - 3.0);
            let pillar = Body::fixed(Cuboid::new(dvec3(0.4, 2.0, 0.4)).unwrap()).at(place);
            world.add(pillar);
            if with_sensors {
                let zone = Cuboid::new(dvec3(1.5, 1.0, 1.0)).unwrap();
                world
                    .add(Body::fixed(zone).at(place + DVec3::X).sensor().with_user_data(u64::from(i as u32)));
            }
        }
        world
    };
    let heroes: Vec<Character> = (0..12)
        .map(|i| {
            let place = dvec3(f64::from(i) * 1.3 - 8.0, 0.95, f64::from(i * 3 % 5) - 2.0);
            let hero = Character::new(Capsule::new(0.3, 0.6).unwrap(), Settings::default()).unwrap();
            hero.at(place).unwrap().with_user_data(100 + i as u64)
        })
        .collect();
    let input = |tick: u32, i: usize| {
        let angle = f64::from(tick) * 0.03 + i as f64;
        Input::walk(dvec3(ops::cos(angle), 0.0, ops::sin(angle)) * 8.0)
    };
    let (plain, sensed) = (build(false), build(true));
    let run = |world: &World,
               heroes: &mut Vec<Character>,
               sensors: &mut Sensors,
               ticks: std::ops::Range<u32>| {
        let mut crowd = Crowd::new();
        let mut paths = vec![TickPath::new(); heroes.len()];
        let mut all: Vec<Vec<SensorEvent>> = Vec::new();
        for tick in ticks {
            let inputs: Vec<Input> = (0..heroes.len()).map(|i| input(tick, i)).collect();
            paths.iter_mut().for_each(TickPath::clear);
            crowd.step_all_traced(world, heroes, CrowdInput { inputs: &inputs, dt: 1.0 / 60.0 }, &mut paths);
            all.push(sensors.update(world, heroes, &paths).to_vec());
        }
        all
    };
    let (mut without, mut with) = (heroes.clone(), heroes);
    run(&plain, &mut without, &mut Sensors::new(), 0..200);
    let mut sensors = Sensors::new();
    let early = run(&sensed, &mut with, &mut sensors, 0..100);
    let (kept_heroes, kept_sensors) = (with.clone(), sensors.clone());
    let late = run(&sensed, &mut with, &mut sensors, 100..200);
    for (a, b) in without.iter().zip(&with) {
        assert_eq!(a.position().to_array().map(f64::to_bits), b.position().to_array().map(f64::to_bits));
    }
    let (mut again, mut sensors) = (kept_heroes, kept_sensors);
    assert_eq!(run(&sensed, &mut again, &mut sensors, 100..200), late);
    let entered = early.iter().chain(&late).flatten().filter(|e| e.kind == SensorEventKind::Entered).count();
    assert!(entered > 10, "{entered}");
    for events in early.iter().chain(&late) {
        assert!(events.windows(2).all(|pair| {
            (pair[0].sensor, pair[0].visitor, pair[0].kind) < (pair[1].sensor, pair[1].visitor, pair[1].kind)
        }));
        for event in events {
            let Visitor::Character(number) = event.visitor else { panic!("no body moves") };
            assert_eq!(event.visitor_user_data, 100 + u64::from(number));
        }
    }
}

/// A hero runs at a wall and along it: a sensor on the corner of that way is off the straight line.
#[test]
fn a_way_round_a_corner_is_known_by_its_corners() {
    let mut world = World::new();
    world.add(Body::fixed(Cuboid::new(dvec3(40.0, 1.0, 40.0)).unwrap()).at(dvec3(0.0, -1.0, 0.0)));
    world.add(Body::fixed(Cuboid::new(dvec3(0.5, 3.0, 40.0)).unwrap()).at(dvec3(3.0, 2.0, 0.0)));
    let corner = Cuboid::new(dvec3(0.05, 1.0, 0.05)).unwrap();
    let gate = world.add(Body::fixed(corner).at(dvec3(2.4, 1.0, 1.0)).sensor());
    let mut hero = [Character::new(Sphere::new(0.3).unwrap(), Settings::default()).unwrap()];
    hero[0] = hero[0].at(dvec3(0.0, 0.35, 0.0)).unwrap();
    let inputs = [Input::walk(dvec3(600.0, 0.0, 240.0))];
    let mut paths = [TickPath::new()];
    let mut crowd = Crowd::new();
    let mut sensors = Sensors::new();
    sensors.update(&world, &hero, &[]);
    crowd.step_all_traced(&world, &mut hero, CrowdInput { inputs: &inputs, dt: 1.0 / 60.0 }, &mut paths);
    let straight = sensors.clone().update(&world, &hero, &[]).len();
    let along: Vec<SensorEventKind> =
        sensors.update(&world, &hero, &paths).iter().filter(|e| e.sensor == gate).map(|e| e.kind).collect();
    assert_eq!(straight, 0);
    assert_eq!(along, [SensorEventKind::Entered, SensorEventKind::Left]);
}

#[test]
fn a_removed_sensor_is_left_and_a_teleport_enters() {
    let mut world = World::new();
    let zone = world.add(Body::fixed(Cuboid::new(DVec3::ONE).unwrap()).sensor().with_user_data(3));
    let mut hero = Character::new(Sphere::new(0.3).unwrap(), Settings::default()).unwrap();
    hero = hero.at(dvec3(5.0, 0.0, 0.0)).unwrap();
    let mut sensors = Sensors::new();
    assert!(sensors.update(&world, &[hero], &[]).is_empty());
    hero.teleport(DVec3::ZERO).unwrap();
    assert_eq!(sensors.update(&world, &[hero], &[])[0].kind, SensorEventKind::Entered);
    assert_eq!(sensors.inside(zone).collect::<Vec<_>>(), [Visitor::Character(0)]);
    world.remove(zone);
    let events = sensors.update(&world, &[hero], &[]);
    assert_eq!((events.len(), events[0].kind, events[0].sensor_user_data), (1, SensorEventKind::Left, 3));
    assert!(sensors.update(&world, &[hero], &[]).is_empty());
}

#[test]
fn layers_decide_what_is_seen_and_casts_pass() {
    const ENEMIES: Layers = Layers::one(4);
    let mut world = World::new();
    world.add(Body::fixed(Cuboid::new(DVec3::ONE).unwrap()).on(ENEMIES).sensor());
    let hero = Character::new(Sphere::new(0.3).unwrap(), Settings::default()).unwrap();
    let both = [hero, hero.on(ENEMIES)];
    let mut sensors = Sensors::new();
    let seen: Vec<Visitor> = sensors.update(&world, &both, &[]).iter().map(|event| event.visitor).collect();
    assert_eq!(seen, [Visitor::Character(1)]);
    let cast = Cast::new(Sphere::new(0.1).unwrap(), dvec3(-5.0, 0.0, 0.0), dvec3(9.0, 0.0, 0.0)).unwrap();
    assert!(world.cast(&cast).is_none() && world.cast_all(&cast).is_empty());
    assert!(world.overlaps(Sphere::new(0.1).unwrap(), DVec3::ZERO, Layers::ALL).unwrap().is_empty());
    assert!(world.closest(Mover::Point, DVec3::ZERO, 9.0, Layers::ALL).unwrap().is_none());
}

/// A closed mesh as a sensor has an inside.
#[test]
fn a_mesh_knows_what_it_encloses() {
    let corners = carom::shape::Aabb::new(-DVec3::ONE * 3.0, DVec3::ONE * 3.0).unwrap().corners();
    let faces = carom::shape::convex_hull(&corners).unwrap();
    let mesh = Mesh::from_triangles(corners.map(|c| c.as_vec3().to_array()).to_vec(), faces).unwrap();
    let mut world = World::new();
    world.add(Body::fixed(mesh).sensor());
    let hero = Character::new(Sphere::new(0.3).unwrap(), Settings::default()).unwrap();
    let mut sensors = Sensors::new();
    let two = [hero.at(dvec3(0.5, 0.3, 0.2)).unwrap(), hero.at(dvec3(9.0, 0.0, 0.0)).unwrap()];
    assert_eq!(sensors.update(&world, &two, &[]).len(), 1);
    assert_eq!(sensors.update(&world, &two, &[])[0].kind, SensorEventKind::Stayed);
}

/// One that is put into a sensor and leaves it within its first tick enters at once and leaves, in this
/// order.
#[test]
fn what_begins_inside_and_leaves_within_the_tick_enters_and_leaves() {
    let mut dice = Dice(21);
    let mut passed = 0;
    for round in 0..400 {
        let (visitor, gate) = (solid(&mut dice), solid(&mut dice));
        let mut world = World::new();
        let sensor = world.add(Body::fixed(collider(&gate)).at(dice.point(1.0)).sensor());
        let from = world.body(sensor).unwrap().pose().position() + dice.point(0.2);
        let runner = world.add(Body::kinematic(collider(&visitor)).at(from));
        let velocity = dice.point(1.0).normalize() * dice.between(0.5, 9.0);
        world.advance(1.0, |moves| moves.drive(runner, velocity, DVec3::ZERO).unwrap());
        let mut sensors = Sensors::new();
        let events = sensors.update(&world, &[], &[]).to_vec();
        let offset = |at: DVec3| world.body(sensor).unwrap().pose().position() - at;
        let [began_in, is_in] = [from, from + velocity].map(|at| visitor.overlaps(&gate, offset(at)));
        assert!(began_in, "round {round}");
        let kinds: Vec<SensorEventKind> = events.iter().map(|event| event.kind).collect();
        if is_in {
            assert_eq!(kinds, [SensorEventKind::Entered], "round {round}");
            continue;
        }
        assert_eq!(kinds, [SensorEventKind::Entered, SensorEventKind::Left], "round {round}");
        assert!(events[0].time == 0.0 && events[1].time > 0.0, "round {round}: {events:?}");
        // It is in until then, and out from then on.
        let at = |time: f64| visitor.overlaps(&gate, offset(from + velocity * time));
        assert!(at(events[1].time - 1e-6) && !at(events[1].time + 1e-6), "round {round}: {events:?}");
        assert_eq!(sensors.inside(sensor).count(), 0);
        passed += 1;
    }
    assert!(passed > 200, "{passed}");
    // A character as well, that was put there.
    let mut world = World::new();
    world.add(Body::fixed(Cuboid::new(dvec3(99.0, 1.0, 99.0)).unwrap()).at(dvec3(0.0, -1.0, 0.0)));
    world.add(Body::fixed(Cuboid::new(dvec3(0.2, 2.0, 5.0)).unwrap()).at(dvec3(0.0, 1.0, 0.0)).sensor());
    let capsule = Capsule::new(0.3, 0.6).unwrap();
    let hero = Character::new(capsule, Settings::default()).unwrap().at(dvec3(0.0, 0.95, 0.0)).unwrap();
    let mut heroes = [hero];
    let mut sensors = Sensors::new();
    heroes[0].step(&world, Input::walk(dvec3(180.0, 0.0, 0.0)), 1.0 / 60.0);
    let kinds: Vec<SensorEventKind> = sensors.update(&world, &heroes, &[]).iter().map(|e| e.kind).collect();
    assert_eq!(kinds, [SensorEventKind::Entered, SensorEventKind::Left]);
}

/// A body that cannot be a mover, and for the judge its convex solid.
enum Unswept {
    Hull(ConvexHull),
    Mesh(ConvexHull),
    Cylinder(Cylinder),
    Cone(Cone),
}

impl Unswept {
    fn thrown(dice: &mut Dice) -> Self {
        let (size, height) = (dice.between(0.2, 0.8), dice.between(0.1, 0.8));
        let hull = |dice: &mut Dice| {
            let points: Vec<DVec3> = (0..10).map(|_| dice.point(0.7)).collect();
            ConvexHull::new(&points).unwrap()
        };
        match (dice.unit() * 4.0) as u32 {
            0 => Self::Hull(hull(dice)),
            1 => Self::Mesh(hull(dice)),
            2 => Self::Cylinder(Cylinder::new(size, height).unwrap()),
            _ => Self::Cone(Cone::new(size, height).unwrap()),
        }
    }

    fn collider(&self) -> Collider {
        match self {
            Self::Hull(hull) => hull.clone().into(),
            Self::Mesh(hull) => mesh_of(hull.vertices(), hull.faces().to_vec()).into(),
            Self::Cylinder(cylinder) => (*cylinder).into(),
            Self::Cone(cone) => (*cone).into(),
        }
    }
}

impl Convex for Unswept {
    fn support(&self, direction: DVec3) -> DVec3 {
        match self {
            Self::Hull(hull) | Self::Mesh(hull) => hull.support(direction),
            Self::Cylinder(cylinder) => cylinder.support(direction),
            Self::Cone(cone) => cone.support(direction),
        }
    }

    fn reach(&self) -> f64 {
        match self {
            Self::Hull(hull) | Self::Mesh(hull) => hull.reach(),
            Self::Cylinder(cylinder) => cylinder.reach(),
            Self::Cone(cone) => cone.reach(),
        }
    }
}

fn mesh_of(corners: &[DVec3], faces: Vec<[u32; 3]>) -> Mesh {
    Mesh::from_triangles(corners.iter().map(|corner| corner.as_vec3().to_array()).collect(), faces).unwrap()
}

/// Hulls, meshes, cylinders and cones among themselves: what is reported is what a look at many times of the
/// tick finds.
#[test]
fn what_cannot_be_swept_is_seen_by_what_cannot() {
    use SensorEventKind::{Entered, Left, Stayed};
    const LOOKS: usize = 500;
    let mut dice = Dice(11);
    let mut counts = [0; 5];
    for round in 0..1200usize {
        let (visitor, sensor) = (Unswept::thrown(&mut dice), Unswept::thrown(&mut dice));
        let mut world = World::new();
        let far = if round % 4 == 0 { dice.point(1e5) } else { DVec3::ZERO };
        let gate = world.add(Body::kinematic(sensor.collider()).at(far + dice.point(0.5)).sensor());
        let runner = world.add(Body::kinematic(visitor.collider()).at(far + dice.point(1.2)));
        let mut sensors = Sensors::new();
        let first = sensors.update(&world, &[], &[]).len();
        let (velocity, drift) = (dice.point(1.0) * [20.0, 4.0, 1.0][round % 3], dice.point(2.0));
        world.advance(1.0, |moves| {
            moves.drive(runner, velocity, DVec3::ZERO).unwrap();
            if round % 2 == 0 {
                moves.drive(gate, drift, DVec3::ZERO).unwrap();
            }
        });
        let events = sensors.update(&world, &[], &[]).to_vec();
        let overlaps = |time: f64| {
            let [a, b] = [runner, gate].map(|id| world.body(id).unwrap().pose_at(time).position());
            convex_distance(&visitor, &sensor, b - a).distance == 0.0
        };
        let looks: Vec<bool> = (0..=LOOKS).map(|i| overlaps(i as f64 / LOOKS as f64)).collect();
        let (was_in, is_in) = (looks[0], looks[LOOKS]);
        assert_eq!(first, usize::from(was_in), "round {round}");
        let kinds: Vec<SensorEventKind> = events.iter().map(|event| event.kind).collect();
        let (case, expected): (usize, &[SensorEventKind]) = match (was_in, is_in) {
            (true, true) => (0, &[Stayed]),
            (true, false) => (1, &[Left]),
            (false, true) => (2, &[Entered]),
            (false, false) if looks.contains(&true) => (3, &[Entered, Left]),
            (false, false) => (4, &[]),
        };
        counts[case] += 1;
        // A chord shorter than the looks are apart is between two of them.
        let sliver = case == 4 && events.len() == 2 && events[1].time - events[0].time < 2.0 / LOOKS as f64;
        assert!(kinds == expected || sliver, "round {round}: {events:?}, not {expected:?}");
        for event in &events {
            let near = looks.windows(2).position(|pair| match event.kind {
                Entered => !pair[0] && pair[1],
                Left => pair[0] && !pair[1],
                Stayed => false,
            });
            if let Some(near) = near.filter(|_| case != 4) {
                let apart = (event.time - near as f64 / LOOKS as f64).abs();
                assert!(apart < 2.0 / LOOKS as f64, "round {round}: {event:?} at {near}");
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 10), "{counts:?}");
}

/// A curved patch sees hulls, meshes, cylinders and cones as a fine mesh of its own triangles does, and is
/// seen alike.
#[test]
fn a_curved_patch_is_seen_as_its_triangles_are() {
    let mut dice = Dice(12);
    let (mut counts, mut marginal) = ([0; 3], 0);
    for round in 0..200usize {
        let other = Unswept::thrown(&mut dice);
        let bulge = dice.between(-1.0, 1.0);
        let points: [[DVec3; 3]; 3] = core::array::from_fn(|i| {
            core::array::from_fn(|j| {
                let middle = if i == 1 && j == 1 { bulge } else { 0.0 };
                dvec3(i as f64 - 1.0, middle, j as f64 - 1.0) + dice.point(0.2)
            })
        });
        let patch = BezierPatch::quadratic(points).unwrap();
        let fine = patch.tessellate(patch.size() / 16384.0).unwrap();
        let fine: Collider = mesh_of(&fine.vertices, fine.triangles).into();
        let curved: Collider = patch.into();
        let (at, from) = (dice.point(0.5), dice.point(2.0));
        let turn = rotation_about(dice.point(1.0).normalize(), dice.between(0.0, 3.0));
        let velocity = dice.point(1.0) * [10.0, 4.0, 1.0][round % 3];
        let is_gate = round % 2 == 0;
        let events = |sheet: &Collider| {
            let mut world = World::new();
            let (gate, runner) =
                if is_gate { (sheet.clone(), other.collider()) } else { (other.collider(), sheet.clone()) };
            world.add(Body::kinematic(gate).at((at, turn)).sensor());
            let runner = world.add(Body::kinematic(runner).at(from));
            let mut sensors = Sensors::new();
            let mut seen = sensors.update(&world, &[], &[]).to_vec();
            world.advance(1.0, |moves| moves.drive(runner, velocity, DVec3::ZERO)).unwrap();
            seen.extend_from_slice(sensors.update(&world, &[], &[]));
            seen
        };
        let (seen, expected) = (events(&curved), events(&fine));
        let near = |a: &SensorEvent, b: &SensorEvent| a.kind == b.kind && (a.time - b.time).abs() < 0.02;
        let is_alike = seen.len() == expected.len() && seen.iter().zip(&expected).all(|(a, b)| near(a, b));
        // One that touches as the tick begins or ends, or grazes, may be seen by one of them only.
        marginal += u32::from(!is_alike);
        counts[expected.len().min(2)] += 1;
    }
    assert!(
        marginal < 3 && counts.iter().zip([50, 2, 25]).all(|(count, least)| *count > least),
        "{marginal} {counts:?}"
    );
}

/// Boxes as meshes and hulls, on a grid as levels are built: what is flush is not in, what shares room is,
/// what is enclosed is.
#[test]
fn touching_is_not_being_in_and_grids_hide_nobody() {
    let corners = Aabb::new(-DVec3::ONE, DVec3::ONE).unwrap().corners();
    let as_mesh = || Collider::from(mesh_of(&corners, convex_hull(&corners).unwrap()));
    let as_hull = || Collider::from(ConvexHull::new(&corners).unwrap());
    let kinds: [&dyn Fn() -> Collider; 2] = [&as_mesh, &as_hull];
    for (sensor, visitor) in kinds.iter().flat_map(|a| kinds.iter().map(move |b| (a, b))) {
        // Where it starts, how large it is, how it goes, and how often it is reported.
        let cases = [
            (dvec3(0.0, 2.0, 0.0), 1.0, DVec3::ZERO, 0),
            (dvec3(-5.0, 2.0, 0.0), 1.0, dvec3(10.0, 0.0, 0.0), 0),
            (dvec3(2.0, 2.0, 2.0), 1.0, dvec3(-4.0, 0.0, 0.0), 0),
            (dvec3(1.0, 0.0, 0.0), 1.0, DVec3::ZERO, 1),
            (dvec3(1.0, 1.0, 0.0), 1.0, DVec3::ZERO, 1),
            (DVec3::ZERO, 1.0, DVec3::ZERO, 1),
            (dvec3(0.25, 0.0, 0.25), 0.5, DVec3::ZERO, 1),
            (DVec3::ZERO, 3.0, DVec3::ZERO, 1),
            (dvec3(-5.0, 0.0, 0.0), 1.0, dvec3(10.0, 0.0, 0.0), 2),
            (dvec3(-5.0, 0.0, 0.0), 0.25, dvec3(5.0, 0.0, 0.0), 1),
        ];
        for (from, scale, translation, reports) in cases {
            let mut world = World::new();
            world.add(Body::fixed(sensor()).sensor());
            let pose = Pose::at(from).unwrap().with_scale(scale).unwrap();
            let id = world.add(Body::kinematic(visitor()).at(pose));
            world.advance(1.0, |moves| moves.drive(id, translation, DVec3::ZERO)).unwrap();
            let mut sensors = Sensors::new();
            let events = sensors.update(&world, &[], &[]);
            assert_eq!(events.len(), reports, "{from} by {translation}, {scale} times as large: {events:?}");
            if reports == 2 {
                assert!((events[0].time - 0.3).abs() < 1e-6 && (events[1].time - 0.7).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn a_plank_of_triangles_that_turns_is_seen_on_its_way() {
    let corners = Aabb::new(dvec3(-2.0, -0.1, -0.1), dvec3(2.0, 0.1, 0.1)).unwrap().corners();
    let mut world = World::new();
    let post = ConvexHull::new(&corners.map(|corner| corner * dvec3(0.1, 10.0, 1.0))).unwrap();
    let gate = world.add(Body::fixed(post).at(dvec3(1.0, 0.0, -1.0)).sensor());
    let plank = world.add(Body::kinematic(mesh_of(&corners, convex_hull(&corners).unwrap())));
    let mut sensors = Sensors::new();
    assert!(sensors.update(&world, &[], &[]).is_empty());
    world.advance(1.0, |moves| moves.move_to(plank, (DVec3::ZERO, rotation_about(DVec3::Y, 1.5)))).unwrap();
    let events = sensors.update(&world, &[], &[]);
    assert_eq!(events.len(), 2, "{events:?}");
    assert!(events.iter().all(|event| (event.sensor, event.visitor) == (gate, Visitor::Body(plank))));
    assert!(events[0].time > 0.3 && events[1].time < 0.75, "{events:?}");
}

/// A boat of a mesh comes down on a sea that is a half-space, and on terrain.
#[test]
fn seas_and_terrain_see_meshes() {
    let corners = Aabb::new(-DVec3::ONE, DVec3::ONE).unwrap().corners();
    let sea = HalfSpace::behind(Plane::new(dvec3(0.0, 1.0, 0.0), DVec3::Y).unwrap());
    let hills = HeightField::new([9, 9], [2.0, 2.0], Heights::F32(vec![1.0; 81])).unwrap();
    let seen = [(Collider::from(sea), DVec3::ZERO), (hills.into(), dvec3(-8.0, 0.0, -8.0))];
    for (sensor, place) in seen {
        let mut world = World::new();
        world.add(Body::fixed(sensor).at(place).sensor());
        let boat = mesh_of(&corners, convex_hull(&corners).unwrap());
        let boat = world.add(Body::kinematic(boat).at(dvec3(0.3, 4.0, 0.3)));
        let mut sensors = Sensors::new();
        assert!(sensors.update(&world, &[], &[]).is_empty());
        world.advance(1.0, |moves| moves.drive(boat, dvec3(0.0, -2.5, 0.0), DVec3::ZERO)).unwrap();
        let events = sensors.update(&world, &[], &[]);
        assert_eq!(events.len(), 1);
        assert!((events[0].time - 0.8).abs() < 1e-6, "{events:?}");
    }
}
