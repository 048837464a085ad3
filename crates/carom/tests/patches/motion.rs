//! Motion over smooth surfaces: nothing of cells, seams or facets may be felt.

use carom::character::TickInput;
use carom::glam::{DVec3, dvec3};
use carom::mesh::Mesh;
use carom::respond::{Slide, SlideEnd, WorldObstacles, collide_and_slide, collide_and_slide_traced};
use carom::shape::{BezierPatch, Capsule, Cuboid, Ellipsoid, Mover, PatchNet, Sphere};
use carom::sweep::{Contact, TOLERANCE};
use carom::trace::{Event, Trace};
use carom::world::{Body, Cast, Layers, Neighborhood, World};
use carom::{Character, Input};

use crate::dice::Dice;

/// A half pipe of radius 2 along z: the arc from −90° to 90° as four cubic patches, good to 10⁻⁶ of a circle.
fn half_pipe() -> PatchNet {
    let quarter = core::f64::consts::FRAC_PI_4;
    let mut profile = Vec::new();
    for part in 0..4 {
        let (from, to) = ((part as f64 - 2.0) * quarter, (part as f64 - 1.0) * quarter);
        let at = |angle: f64| dvec3(carom::num::ops::sin(angle), -carom::num::ops::cos(angle), 0.0) * 2.0;
        let along = |angle: f64| dvec3(carom::num::ops::cos(angle), carom::num::ops::sin(angle), 0.0) * 2.0;
        // 4/3 tan(θ/4)
        let (sin, cos) = carom::num::ops::sin_cos((to - from) / 4.0);
        let handle = 4.0 / 3.0 * sin / cos;
        profile.extend([at(from), at(from) + along(from) * handle, at(to) - along(to) * handle]);
        if part == 3 {
            profile.push(at(to));
        }
    }
    let mut points = Vec::new();
    for row in 0..7 {
        let z = f64::from(row) - 3.0;
        points.extend(profile.iter().map(|p| *p + DVec3::Z * z));
    }
    PatchNet::new(3, profile.len(), &points).unwrap()
}

/// The events, as text.
#[derive(Default)]
struct Told(Vec<String>);

impl<K: std::fmt::Debug> Trace<K> for Told {
    fn event(&mut self, event: &Event<K>) {
        self.0.push(format!("{event:?}"));
    }
}

#[test]
fn a_ball_rolls_through_a_half_pipe_without_a_step_in_height_or_speed() {
    let mut world = World::new();
    world.add(Body::fixed(half_pipe()));
    let radius = 0.4;
    let ball = Sphere::new(radius).unwrap();
    let obstacles = WorldObstacles::new(&world, ball, Layers::ALL);
    let (dt, gravity) = (1.0 / 60.0, dvec3(0.0, -9.81, 0.0));
    let pipe = 2.0 - radius;
    // From half way up, at rest against the wall.
    let angle: f64 = -1.0;
    let (sin, cos) = carom::num::ops::sin_cos(angle);
    let mut at = dvec3(sin, -cos, 0.05) * (pipe - 1e-6);
    let mut velocity = DVec3::ZERO;
    let (mut heights, mut speeds, mut worst_off, mut sweeps) = (Vec::new(), Vec::new(), 0.0f64, 0);
    for _ in 0..120 {
        velocity += gravity * dt;
        let slide = Slide::new(at, velocity * dt).with_contact_distance(1e-4);
        let mut told = Told::default();
        let result = collide_and_slide_traced(&obstacles, &slide, &mut told);
        assert_eq!(result.end, SlideEnd::Done, "at {at}: {:#?}", told.0);
        sweeps += result.sweeps;
        at = result.position;
        velocity = result.motion / dt;
        let off = pipe - dvec3(at.x, at.y, 0.0).length();
        worst_off = worst_off.max(off.abs());
        if off.abs() > 1e-5 && heights.len() < 100 {
            println!("{} off {off:e} {:#?}", heights.len(), told.0);
        }
        heights.push(at.y);
        // Along the pipe, so that turning back is no kink.
        speeds.push(velocity.x * -at.y + velocity.y * at.x);
    }
    // The cubic arcs are off a circle by 4·10⁻⁶ of the radius.
    assert!(worst_off < 2e-5, "{worst_off}");
    assert!(at.z.abs() < 0.1);
    let third = |values: &[f64]| {
        values
            .windows(4)
            .skip(2)
            .map(|w| (w[3] - 3.0 * w[2] + 3.0 * w[1] - w[0]).abs())
            .fold(0.0f64, f64::max)
    };
    let second = |values: &[f64]| {
        values.windows(3).skip(2).map(|w| (w[2] - 2.0 * w[1] + w[0]).abs()).fold(0.0f64, f64::max)
    };
    println!(
        "off {worst_off:e}, {:.2} sweeps a tick; second differences: height {:e}, speed {:e}; third: height {:e}, \
         speed {:e}",
        f64::from(sweeps) / 120.0,
        second(&heights),
        second(&speeds),
        third(&heights),
        third(&speeds)
    );
    let worst = speeds.windows(4).map(|w| (w[3] - 3.0 * w[2] + 3.0 * w[1] - w[0]).abs()).enumerate();
    println!("{:?}", worst.max_by(|a, b| a.1.total_cmp(&b.1)));
    // The motion itself bends by g·dt² a tick at most, and its bend changes by a fraction of that.
    let bend = 9.81 * dt * dt;
    assert!(second(&heights) < 2.0 * bend, "{:e}", second(&heights));
    assert!(third(&heights) < 0.25 * bend, "{:e}", third(&heights));
    assert!(third(&speeds) < 0.02 * 9.81 * dt, "{:e}", third(&speeds));
    assert!(heights.iter().copied().fold(f64::INFINITY, f64::min) < -pipe + 0.01);
    assert!(heights.last().unwrap() > &-pipe);
}

#[test]
fn a_walker_crosses_hills_of_patches_on_the_ground() {
    // Hills 0.6 m high and 8 m long: smooth where patches meet.
    let mut points = Vec::new();
    for row in 0..3 {
        for column in 0..9 {
            let y = if column % 4 == 1 {
                0.6
            } else if column % 4 == 3 {
                -0.6
            } else {
                0.0
            };
            points.push(dvec3(2.0 * f64::from(column) - 8.0, y, 4.0 * f64::from(row) - 4.0));
        }
    }
    let mut world = World::new();
    world.add(Body::fixed(PatchNet::new(2, 9, &points).unwrap()));
    let body = Ellipsoid::new(dvec3(0.4, 0.9, 0.4)).unwrap();
    let mut hero = Character::new(body, Default::default()).unwrap().at(dvec3(-7.0, 1.6, 0.0)).unwrap();
    let dt = 1.0 / 60.0;
    for _ in 0..60 {
        hero.step(&world, Input::default(), dt);
    }
    assert!(hero.ground().is_some(), "{:?}", hero.position());
    let mut heights = Vec::new();
    for tick in 0..180 {
        let before = hero.position();
        let input = Input { desired_velocity: Some(dvec3(4.0, 0.0, 0.0)), ..Input::default() };
        let mut told = Told::default();
        let report = hero.step_with(&world, TickInput::new(input, dt), &mut Neighborhood::new(), &mut told);
        assert!(report.ground.is_some(), "tick {tick} at {}", hero.position());
        let way = hero.position() - before;
        assert!(
            (way.length() - 4.0 * dt).abs() < 2e-4,
            "tick {tick}: {} at {}: {:#?}",
            way.length(),
            hero.position(),
            told.0
        );
        heights.push(hero.position().y);
    }
    let second = heights.windows(3).map(|w| (w[2] - 2.0 * w[1] + w[0]).abs()).fold(0.0f64, f64::max);
    println!("second differences of the height: {second:e}");
    assert!(hero.position().x > 4.5);
    assert!(second < 2e-3, "{second:e}");
}

#[test]
fn a_patch_can_be_stood_on_at_its_edge() {
    let row = |z: f64| [dvec3(-2.0, 0.0, z), dvec3(0.0, 0.0, z), dvec3(2.0, 0.0, z)];
    let patch = BezierPatch::quadratic([row(-2.0), row(0.0), row(2.0)]).unwrap();
    let mut world = World::new();
    world.add(Body::fixed(patch));
    let body = Ellipsoid::new(dvec3(0.4, 0.9, 0.4)).unwrap();
    let mut hero = Character::new(body, Default::default()).unwrap().at(dvec3(1.9, 1.0, 0.0)).unwrap();
    for _ in 0..120 {
        hero.step(&world, Input::default(), 1.0 / 60.0);
    }
    assert!(hero.ground().is_some() && (hero.position().y - 0.9).abs() < 2e-3, "{:?}", hero.position());
}

/// Upright walls and leaning ones, hollow and with the noise of printed numbers: a walker goes along them as
/// along the triangles of the same walls, with few sweeps.
#[test]
fn a_walker_goes_along_a_hollow_wall_as_along_its_triangles() {
    let mut dice = Dice::new(5);
    let (mut sweeps, mut ticks) = (0u32, 0u32);
    for round in 0..24 {
        let (radius, lean) = (dice.between(1.0, 4.0), [0.0, dice.between(-0.3, 0.3)][round % 2]);
        let noise = [0.0, 1e-6][round / 2 % 2];
        // A quarter of a circle, nearly, from (radius, 0) to (0, radius).
        let handle = 0.552_284_75 * radius;
        let profile = [[radius, 0.0], [radius, handle], [handle, radius], [0.0, radius]];
        let rows = [0.0, dice.between(0.5, 1.5), 2.0, 3.0].map(|y| {
            profile.map(|[x, z]| dvec3(x + lean * y, y - 0.2, z + lean * y) + dice.vector() * noise)
        });
        let wall = BezierPatch::cubic(rows).unwrap();
        let flat = wall.tessellate(1e-5).unwrap();
        let floor = [[-9.0, 0.0, -9.0], [-9.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, -9.0]];
        let floor = Mesh::from_triangles(floor.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
        let vertices = flat.vertices.iter().map(|p| p.as_vec3().to_array()).collect();
        let walls = [Body::fixed(wall), Body::fixed(Mesh::from_triangles(vertices, flat.triangles).unwrap())];
        let mover: Mover = match round % 3 {
            0 => Capsule::new(0.4, 0.5).unwrap().into(),
            1 => Ellipsoid::new(dvec3(0.4, 0.9, 0.4)).unwrap().into(),
            _ => Sphere::new(0.5).unwrap().into(),
        };
        let rate = [20.0, 30.0, 60.0, 72.0, 144.0, 240.0][round % 6];
        let heading = dvec3(dice.between(0.2, 1.0), 0.0, dice.between(0.2, 1.0)).normalize() * 3.0;
        let ways = walls.map(|wall| {
            let mut world = World::new();
            world.add(Body::fixed(floor.clone()));
            world.add(wall);
            let start = dvec3(0.3, 0.901, 0.3) * radius.min(1.0);
            let mut hero =
                Character::new(mover, Default::default()).unwrap().at(start.with_y(0.901)).unwrap();
            let mut way = 0.0;
            for _ in 0..(2.0 * rate) as u32 {
                let before = hero.position();
                let report = hero.step(&world, Input::walk(heading), 1.0 / rate);
                (sweeps, ticks) = (sweeps + report.sweeps, ticks + 1);
                way += (hero.position() - before).with_y(0.0).length();
            }
            way
        });
        assert!((ways[0] - ways[1]).abs() < 0.02 * ways[1] + 1e-3, "round {round}: {ways:?}");
    }
    println!("{sweeps} sweeps in {ticks} ticks");
}

/// The chord from contact to contact of a hollow is the way of what slides in it: bounds that cannot tell it
/// from a way into the surface do not stop it where it starts.
#[test]
fn a_chord_that_is_apart_from_a_patch_gets_off_its_start() {
    let (mut chords, mut stopped) = (0, Vec::new());
    for seed in 0..80 {
        let mut dice = Dice::new(seed);
        let bend = dice.between(0.0, 2.0);
        let mut points = [[DVec3::ZERO; 4]; 4];
        for (i, row) in points.iter_mut().enumerate() {
            for (j, point) in row.iter_mut().enumerate() {
                let at = |step: usize| 2.0 * (step as f64 / 1.5 - 1.0);
                *point = dvec3(at(j), bend * dice.signed(), at(i));
            }
        }
        let mut world = World::new();
        world.add(Body::fixed(BezierPatch::cubic(points).unwrap()));
        let (turn, size) = (dice.rotation().normalize(), dice.between(0.5, 1.4));
        let mover: Mover = match seed % 4 {
            0 => Sphere::new(0.4 * size).unwrap().into(),
            3 => Cuboid::new(dvec3(0.4, 0.9, 0.5) * size).unwrap().with_rotation(turn).unwrap().into(),
            1 => Capsule::new(0.3 * size, 0.5 * size).unwrap().with_rotation(turn).unwrap().into(),
            _ => Ellipsoid::new(dvec3(0.4, 0.9, 0.5) * size).unwrap().with_rotation(turn).unwrap().into(),
        };
        let nearest = |at: DVec3| {
            let mut nearest: Option<(f64, DVec3)> = None;
            world.contacts(&mover, at, 0.1, Layers::ALL, |near| {
                let Contact { gap, normal, .. } = near.contact;
                if nearest.is_none_or(|(least, _)| gap < least) {
                    nearest = Some((gap, normal));
                }
            });
            nearest
        };
        for _ in 0..20 {
            let from = dvec3(1.5 * dice.signed(), 5.0, 1.5 * dice.signed());
            let fall = DVec3::NEG_Y * 8.0;
            let Some(hit) = world.cast(&Cast::new(mover, from, fall).unwrap()) else { continue };
            let at = from + fall * hit.fraction;
            let any = dice.vector();
            let along = (any - hit.normal * any.dot(hit.normal)).normalize();
            let mut to = at + along * [0.01, 0.05, 0.2][dice.one_of(3)];
            for _ in 0..4 {
                if let Some((gap, normal)) = nearest(to) {
                    to -= normal * (gap - 1e-11);
                }
            }
            let gap = |part: u32| nearest(at + (to - at) * (f64::from(part) / 64.0)).map(|near| near.0);
            let start = gap(0).unwrap();
            let is_apart = (1..=64).all(|part| gap(part).is_none_or(|gap| gap >= start));
            if !is_apart {
                continue;
            }
            chords += 1;
            let met = world.cast(&Cast::new(mover, at, to - at).unwrap());
            if met.is_some_and(|met| met.fraction == 0.0) {
                stopped.push((seed, at, to));
            }
        }
    }
    assert!(chords > 300, "{chords}");
    assert!(stopped.is_empty(), "{} of {chords}: {stopped:?}", stopped.len());
}

/// The depth at the start of a sweep must not be multiplied by it: a corner of a shrunk cuboid moves in by
/// more than its sides do.
#[test]
fn each_sweep_of_a_cuboid_sinks_by_no_more_than_the_tolerance() {
    let mut dice = Dice::new(41);
    let (mut touched, mut deepest) = (0, 0.0f64);
    for round in 0..40 {
        let patch = dice.patch();
        let half = dvec3(dice.between(0.05, 0.3), dice.between(0.05, 0.3), dice.between(0.05, 0.3));
        let cuboid = Cuboid::new(half).unwrap().with_rotation(dice.rotation()).unwrap();
        let mut world = World::new();
        world.add(Body::fixed(patch));
        let depth = |at: DVec3| {
            let mut deep = 0.0f64;
            world.contacts(&cuboid.into(), at, 0.0, Layers::ALL, |near| deep = deep.max(-near.contact.gap));
            deep
        };
        let aim = patch.point(dice.between(0.2, 0.8), dice.between(0.2, 0.8));
        let mut at = aim + dice.vector() * 2.0;
        if depth(at) > 0.0 {
            continue;
        }
        let obstacles = WorldObstacles::new(&world, cuboid, Layers::ALL);
        let wanted = aim - at;
        let mut sweeps = 0;
        for _ in 0..8 {
            let slid = collide_and_slide(&obstacles, &Slide::new(at, wanted));
            (at, sweeps) = (slid.position, sweeps + slid.sweeps);
            let share = depth(at) / (TOLERANCE * patch.size());
            // A corner adds √3 tolerances in a sweep, and the error of the depth at its start a quarter.
            // While the normal turns relative to the sides, all of it grows by no more than √3 again. The
            // contact that tells the depth has a tolerance of its own.
            let diagonal = carom::num::ops::sqrt(3.0);
            let most = diagonal * (diagonal + 0.25) * f64::from(sweeps) + 1.0;
            assert!(share <= most, "round {round}: {share} tolerances in {sweeps} sweeps");
            (touched, deepest) = (touched + u32::from(share > 0.0), deepest.max(share));
        }
    }
    assert!(touched > 20, "{touched} touched, {deepest} tolerances deep");
}
