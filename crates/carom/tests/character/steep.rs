//! Steep faces lift no walker, however they meet; and a surface that is flush with the floor stops no
//! character.

use carom::character::{Character, Input, Settings};
use carom::mesh::{Mesh, MeshData};
use carom::num::ops;
use carom::{Body, Cuboid, Pose, World};
use glam::{DQuat, DVec3, dvec3};

use crate::random::Random;
use crate::stage::{RATES, Shape, shapes};

/// Fixed bodies of triangles, corners counter-clockwise as seen from outside.
#[derive(Default)]
struct Triangles(Vec<[DVec3; 3]>);

impl Triangles {
    fn quad(&mut self, [a, b, c, d]: [DVec3; 4]) {
        self.0.extend([[a, b, c], [a, c, d]]);
    }

    /// Adds them to a world as one body.
    fn add_to(&mut self, world: &mut World) {
        let triangles = core::mem::take(&mut self.0);
        let vertices = triangles.iter().flatten().map(|p| p.to_array().map(|x| x as f32)).collect();
        let triangles = (0..triangles.len() as u32).map(|i| [0, 1, 2].map(|k| 3 * i + k)).collect();
        world.add(Body::fixed(Mesh::new(MeshData { vertices, triangles, ..MeshData::default() }).unwrap()));
    }

    /// A floor at height 0, 60 m wide.
    fn floor(&mut self) {
        self.quad(
            [[-30.0, -30.0], [-30.0, 30.0], [30.0, 30.0], [30.0, -30.0]].map(|[x, z]| dvec3(x, 0.0, z)),
        );
    }
}

/// Six shapes: those of the other scenes, and the box of Quake.
fn any_shape(random: &mut Random) -> Shape {
    let cuboid = Cuboid::new(dvec3(0.5, 0.875, 0.5)).unwrap();
    let of_quake = Shape { mover: cuboid.into(), radius: 0.5, half_height: 0.875 };
    [shapes().as_slice(), &[of_quake]].concat()[random.below(6)]
}

/// A hero that climbs steps of 0.2 to 0.6 m and slopes of 30° to 60°, its feet on the floor of the origin,
/// and that slope in degrees.
fn any_hero(shape: Shape, random: &mut Random) -> (Character, f64) {
    let slope = random.between(30.0, 60.0);
    let step_height = random.between(0.2, 0.6);
    let settings = Settings { max_slope: slope.to_radians(), step_height, ..Settings::default() };
    let hero = Character::new(shape.mover, settings).unwrap();
    (hero.at(DVec3::Y * (shape.half_height + hero.skin())).unwrap(), slope)
}

/// How much higher than at its start a hero gets that walks 4 s to and fro, for half a second towards what is
/// around each time; and how far away it went.
fn highest(hero: &mut Character, world: &World, random: &mut Random) -> (f64, f64) {
    let start = hero.position();
    let rate = RATES[random.below(6)];
    let (mut highest, mut farthest, mut wish) = (0.0f64, 0.0f64, DVec3::ZERO);
    let course = random.between(0.0, core::f64::consts::TAU);
    for tick in 0..(4.0 * rate) as u32 {
        if tick % (0.5 * rate) as u32 == 0 {
            let turn = course + random.between(-0.7, 0.7);
            wish = ops::rotation_about(DVec3::Y, turn) * DVec3::X * random.between(0.5, 8.0);
        }
        hero.step(world, Input::walk(wish), 1.0 / rate);
        let way = hero.position() - start;
        highest = highest.max(way.y);
        farthest = farthest.max(way.with_y(0.0).length());
    }
    (highest, farthest)
}

/// E16: a lift that is flush with the floor, its sides within the floor, begun at rest against its side.
#[test]
fn what_is_sunk_flush_into_the_floor_stops_nobody() {
    let mut random = Random(16);
    let mut held = Vec::new();
    for _ in 0..300 {
        let shape = any_shape(&mut random);
        let top = f64::from(random.between(-3.0, 3.0) as f32);
        let side = f64::from(random.between(-3.0, 3.0) as f32);
        let mut world = World::new();
        let (far, deep) = (side + 4.0, top - 1.0);
        let mut level = Triangles::default();
        for [a, b] in [[-20.0, side], [side, far], [far, 20.0]] {
            level.quad([[a, -9.0], [a, 9.0], [b, 9.0], [b, -9.0]].map(|[x, z]| dvec3(x, top, z)));
        }
        // The sides of the lift.
        level.quad([[deep, -9.0], [deep, 9.0], [top, 9.0], [top, -9.0]].map(|[y, z]| dvec3(side, y, z)));
        level.quad([[top, -9.0], [top, 9.0], [deep, 9.0], [deep, -9.0]].map(|[y, z]| dvec3(far, y, z)));
        level.add_to(&mut world);
        // A triangle without area, as T-junctions leave them, is the segment that it is.
        level.0.push([-9.0, 9.0, 2.0].map(|z| dvec3(side, top, z)));
        level.add_to(&mut world);
        // Down from a little above, beside the lift, as near as a walk ends at a wall; or anywhere.
        let reach = shape.radius + shape.hero().skin();
        let x = if random.below(2) == 0 { side - reach } else { side - random.between(0.0, 3.0) };
        let start = dvec3(x, top + shape.feet() + random.between(0.0, 0.02), random.between(-3.0, 3.0));
        let mut hero = shape.hero().at(start).unwrap();
        let rate = RATES[random.below(6)];
        for _ in 0..(0.5 * rate) as u32 {
            hero.step(&world, Input::IDLE, 1.0 / rate);
        }
        let turn = if random.below(2) == 0 { 0.0 } else { random.between(-1.0, 1.0) };
        let wish = ops::rotation_about(DVec3::Y, turn) * DVec3::X * random.between(1.0, 10.0);
        let seconds = 10.0 / wish.x;
        let arrived = (0..(seconds * rate) as u32).any(|_| {
            hero.step(&world, Input::walk(wish), 1.0 / rate);
            hero.position().x > far + 1.0
        });
        if !arrived {
            let at = hero.position();
            held.push(format!("{:?} {rate} Hz top {top} side {side} wish {wish} at {at}", shape.mover));
        }
    }
    assert!(held.is_empty(), "{}: {:#?}", held.len(), &held[..held.len().min(12)]);
}

/// E17: walls around, each steeper than the hero walks, some upright, some that hang over.
#[test]
fn no_walls_around_lift_a_walker() {
    let mut random = Random(17);
    let (mut climbed, mut walked) = (Vec::new(), 0);
    for case in 0..300 {
        let shape = any_shape(&mut random);
        let (mut hero, slope) = any_hero(shape, &mut random);
        let mut world = World::new();
        let mut level = Triangles::default();
        level.floor();
        let mut faces = Vec::new();
        for _ in 0..2 + random.below(4) {
            let steepness: f64 = match random.below(4) {
                0 => 90.0,
                1 => random.between(90.0, 110.0),
                _ => random.between(slope + 0.1, 90.0),
            };
            let azimuth = random.between(0.0, core::f64::consts::TAU);
            faces.push([steepness, azimuth]);
            let (sin, cos) = ops::sin_cos(steepness.to_radians());
            let turn = ops::rotation_about(DVec3::Y, azimuth);
            // Its foot, far enough away for what hangs over; the way up in it.
            let foot = turn
                * DVec3::X
                * (1.5 * shape.radius + random.between(0.0, 0.5)
                    - 2.0 * shape.half_height * (cos / sin).min(0.0));
            let (along, rise) = (turn * DVec3::Z * 30.0, turn * dvec3(cos, sin, 0.0) * 30.0);
            level.quad([foot - along, foot + along, foot + along + rise, foot - along + rise]);
            if case % 2 == 0 {
                level.add_to(&mut world);
            }
        }
        level.add_to(&mut world);
        let start = hero.position();
        let (high, far) = highest(&mut hero, &world, &mut random);
        walked += u32::from(far > 0.1);
        if high > 1e-3 {
            let tell = format!(
                "{case} {:?} slope {slope:.1} {faces:.2?}: {high:.4} at {}",
                shape.mover,
                hero.position() - start
            );
            climbed.push(tell);
        }
    }
    assert!(walked > 250, "{walked}");
    assert!(climbed.is_empty(), "{}: {:#?}", climbed.len(), &climbed[..climbed.len().min(12)]);
}

/// A face too steep to walk up leads to a plateau: no higher than a step it is climbed; a triangle that goes
/// on for more than a step is a wall, at which no step is tried.
#[test]
fn a_leaning_face_is_climbed_if_it_is_low_and_costs_no_steps_if_it_goes_on() {
    let mut random = Random(21);
    let (mut wrong, mut most) = (Vec::new(), 0);
    for case in 0..300 {
        let shape = any_shape(&mut random);
        let (mut hero, slope) = any_hero(shape, &mut random);
        let step_height = hero.settings().step_height;
        let is_low = case % 2 == 0;
        let height = step_height * if is_low { random.between(0.2, 0.99) } else { random.between(4.0, 9.0) };
        // The top of a low one is within the look-ahead of a body at its foot.
        let least = if is_low { 62.0 } else { slope + 1.0 };
        let (sin, cos) = ops::sin_cos(random.between(least, 85.0).to_radians());
        let (foot, run) = (shape.radius + random.between(0.1, 0.5), height * cos / sin);
        let (mut world, mut level) = (World::new(), Triangles::default());
        level.floor();
        let strip = |[from, low]: [f64; 2], [to, high]: [f64; 2]| {
            [dvec3(from, low, -30.0), dvec3(from, low, 30.0), dvec3(to, high, 30.0), dvec3(to, high, -30.0)]
        };
        if is_low {
            level.quad(strip([foot, 0.0], [foot + run, height]));
            level.quad(strip([foot + run, height], [30.0, height]));
        } else {
            let [left, right, _, _] = strip([foot, 0.0], [foot + run, height]);
            level.0.push([left, right, dvec3(foot + 9.0 * run, 9.0 * height, 0.0)]);
        }
        level.add_to(&mut world);
        let rate = RATES[random.below(6)];
        let turn = ops::rotation_about(DVec3::Y, random.between(-0.8, 0.8));
        let wish = turn * DVec3::X * random.between(1.0, 6.0);
        let mut sweeps = 0;
        for tick in 0..(2.5 * (foot + run + 1.0) / wish.x * rate) as u32 {
            let before = hero.position();
            let report = hero.step(&world, Input::walk(wish), 1.0 / rate);
            // Those of a tick that is at the face from its start to its end.
            let is_at_face = tick > 0 && hero.position().x - before.x < 1e-6;
            sweeps = sweeps.max(if is_at_face { report.sweeps } else { 0 });
        }
        let is_up = hero.position().y - shape.half_height > height - 1e-3;
        most = most.max(if is_low { 0 } else { sweeps });
        if is_up != is_low {
            let tell = format!("{case} {:?} {rate} Hz slope {slope:.1}", shape.mover);
            wrong.push(format!("{tell}: {height:.3} of {step_height:.3} at {}, {sweeps}", hero.position()));
        }
    }
    assert!(wrong.is_empty(), "{}: {:#?}", wrong.len(), &wrong[..wrong.len().min(12)]);
    // A step that leads nowhere takes nine.
    assert!(most < 9, "{most}");
}

/// A doorway with a sill whose lintel is in the plane of the sill: raised by a whole step a body hits the
/// lintel, and by a part of it, it passes.
#[test]
fn a_sill_below_a_lintel_in_its_plane_is_climbed() {
    let mut random = Random(22);
    let mut held = Vec::new();
    for case in 0..300 {
        let shape = any_shape(&mut random);
        let (mut hero, _) = any_hero(shape, &mut random);
        let rise = hero.settings().step_height * random.between(0.99, 1.0) / [2.0, 4.0][random.below(2)];
        let (sill, tall) = (rise * random.between(0.6, 0.98), 2.0 * shape.half_height);
        let lintel = tall + rise * random.between(1.05, 1.5);
        let foot = shape.radius + random.between(0.1, 0.5);
        let (mut world, mut level) = (World::new(), Triangles::default());
        level.floor();
        level.add_to(&mut world);
        for [low, high] in [[-0.5, sill], [lintel, lintel + 1.0]] {
            let half = dvec3(0.5, 0.5 * (high - low), 9.0);
            let at = dvec3(foot + half.x, 0.5 * (high + low), 0.0);
            world.add(Body::fixed(Cuboid::new(half).unwrap()).at(Pose::at(at).unwrap()));
        }
        let rate = RATES[random.below(6)];
        let turn = ops::rotation_about(DVec3::Y, random.between(-0.8, 0.8));
        let wish = turn * DVec3::X * random.between(1.0, 6.0);
        for _ in 0..(1.5 * (foot + 2.0) / wish.x * rate) as u32 {
            hero.step(&world, Input::walk(wish), 1.0 / rate);
        }
        if hero.position().x < foot + 1.0 {
            let tell = format!("{case} {:?} {rate} Hz sill {sill:.3} of {rise:.3}", shape.mover);
            held.push(format!("{tell} below {lintel:.3} wish {wish} at {}", hero.position()));
        }
    }
    assert!(held.is_empty(), "{}: {:#?}", held.len(), &held[..held.len().min(12)]);
}

/// E17: stumps in each other, all higher than a step, their sides and the edges between those steeper than
/// the hero walks.
#[test]
fn nobody_gets_on_stumps_that_are_higher_than_a_step() {
    let mut random = Random(18);
    let (mut climbed, mut walked) = (Vec::new(), 0);
    for case in 0..300 {
        let shape = any_shape(&mut random);
        let (mut hero, slope) = any_hero(shape, &mut random);
        let step = hero.settings().step_height;
        let mut world = World::new();
        let mut level = Triangles::default();
        level.floor();
        let mut stumps = Vec::new();
        let course = random.between(0.0, core::f64::consts::TAU);
        for _ in 0..1 + random.below(5) {
            let height = step + random.between(0.02, 1.0);
            // An edge between sides at right angles is less steep than they: tan / √2.
            let (sin, cos) = ops::sin_cos(slope.to_radians());
            let least = ops::atan2(core::f64::consts::SQRT_2 * sin, cos).to_degrees() + 0.5;
            let steepness = random.between(least, 100.0).min(90.0);
            let (sin, cos) = ops::sin_cos(steepness.to_radians());
            let turn = ops::rotation_about(DVec3::Y, random.between(0.0, 1.6));
            let half = random.between(0.05, 0.6);
            let base = half + height * cos / sin;
            let away = 1.5 * shape.radius + base * core::f64::consts::SQRT_2 + random.between(0.0, 0.6);
            let center = ops::rotation_about(DVec3::Y, course + random.between(-0.8, 0.8)) * DVec3::X * away;
            stumps.push([height, steepness, half]);
            let corner = |x: f64, y: f64, z: f64| {
                let half = if y == 0.0 { base } else { half };
                center + turn * dvec3(x * half, y, z * half)
            };
            let h = height;
            level.quad([[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]].map(|[x, z]| corner(x, h, z)));
            for ([a, b], [c, d]) in [
                ([-1.0, -1.0], [-1.0, 1.0]),
                ([-1.0, 1.0], [1.0, 1.0]),
                ([1.0, 1.0], [1.0, -1.0]),
                ([1.0, -1.0], [-1.0, -1.0]),
            ] {
                level.quad([corner(a, 0.0, b), corner(c, 0.0, d), corner(c, h, d), corner(a, h, b)]);
            }
            if case % 2 == 0 {
                level.add_to(&mut world);
            }
        }
        level.add_to(&mut world);
        let start = hero.position();
        let (high, far) = highest(&mut hero, &world, &mut random);
        walked += u32::from(far > 0.1);
        if high > 1e-3 {
            let tell = format!(
                "{case} {:?} slope {slope:.1} step {step:.3} {stumps:.2?}: {high:.4} at {}",
                shape.mover,
                hero.position() - start
            );
            climbed.push(tell);
        }
    }
    assert!(walked > 250, "{walked}");
    assert!(climbed.is_empty(), "{}: {:#?}", climbed.len(), &climbed[..climbed.len().min(12)]);
}

/// A box beside a wall of more triangles than a tick has room for: it stands on the floor, walks along the
/// wall, and jumps.
#[test]
fn a_wall_of_many_triangles_leaves_room_for_the_floor() {
    let mut random = Random(19);
    let mut held = Vec::new();
    for _ in 0..60 {
        let shape = any_shape(&mut random);
        let side = f64::from(random.between(-3.0, 3.0) as f32);
        let lean = random.between(-1e-3, 1e-3);
        let top = f64::from(random.between(-1.0, 1.0) as f32);
        let mut level = Triangles::default();
        level.quad(
            [[-9.0, -9.0], [-9.0, 9.0], [9.0, 9.0], [9.0, -9.0]].map(|[x, z]| dvec3(x, top + lean * x, z)),
        );
        // A fan: all of them touch what leans against the wall.
        for i in 0..300 {
            let z = |i: i32| -9.0 + 0.06 * f64::from(i);
            level.0.push([dvec3(side, -5.0, 0.0), dvec3(side, 5.0, z(i + 1)), dvec3(side, 5.0, z(i))]);
        }
        let mut world = World::new();
        level.add_to(&mut world);
        let reach = shape.radius + shape.hero().skin();
        let start = dvec3(side + reach + 0.1, top + shape.feet() + 0.3, 0.0);
        let mut hero = shape.hero().at(start).unwrap();
        let rate = RATES[random.below(5)];
        let mut walk = |wish: DVec3| {
            let from = hero.position();
            for _ in 0..(0.6 * rate) as u32 {
                hero.step(&world, Input::walk(wish), 1.0 / rate);
            }
            (hero.position() - from, hero.ground().is_some())
        };
        walk(dvec3(-2.0, 0.0, 0.0));
        let ways =
            [dvec3(-2.0, 0.0, 2.0), dvec3(-2.0, 0.0, -2.0), dvec3(0.0, 0.0, -2.0), dvec3(2.0, 0.0, 0.0)];
        for wish in ways {
            let (way, stands) = walk(wish);
            if way.length() < 0.5 || !stands {
                held.push(format!(
                    "{:?} {rate} Hz side {side} top {top} lean {lean} wish {wish}: {way}",
                    shape.mover
                ));
            }
        }
    }
    assert!(held.is_empty(), "{}: {:#?}", held.len(), &held[..held.len().min(12)]);
}

/// A wall that stops a walk up a slope ends its rise too: the character stays on the slope, whether it snaps
/// or not, and its velocity is that of a walk along the wall.
#[test]
fn a_walk_up_a_slope_into_a_wall_stays_on_the_slope() {
    let mut random = Random(1_931);
    let mut along = 0;
    for case in 0..240 {
        let shape = shapes()[case % 5];
        let slope = random.between(3.0, 44.0).to_radians();
        let uphill = ops::rotation_about(DVec3::Y, random.between(0.0, core::f64::consts::TAU));
        let rotation = uphill * ops::rotation_about(DVec3::Z, slope);
        let normal = rotation * DVec3::Y;
        let mut world = World::new();
        let mut block = |half: DVec3, at: DVec3, rotation: DQuat| {
            let pose = Pose::at(at).and_then(|pose| pose.with_rotation(rotation)).unwrap();
            world.add(Body::fixed(Cuboid::new(half).unwrap()).at(pose));
        };
        block(dvec3(30.0, 1.0, 30.0), -normal, rotation);
        // Across the slope, at any angle to its line of fall, upright or leaning.
        let facing = uphill * ops::rotation_about(DVec3::Y, random.between(-1.2, 1.2));
        let angle = random.between(-0.4, 0.4);
        let lean = facing * ops::rotation_about(DVec3::Z, angle);
        block(dvec3(1.0, 30.0, 30.0), facing * DVec3::X * 3.5, lean);
        let snap_distance = [None, Some(0.0), Some(0.1)][random.below(3)];
        let settings = Settings { snap_distance, ..Settings::default() };
        let mut hero = Character::new(shape.mover, settings).unwrap().at(DVec3::Y * 2.5).unwrap();
        let rate = RATES[random.below(6)];
        for _ in 0..rate as u32 {
            hero.step(&world, Input::IDLE, 1.0 / rate);
        }
        assert!(hero.ground().is_some(), "{case}");
        let heading = facing * ops::rotation_about(DVec3::Y, random.between(-1.2, 1.2)) * DVec3::X;
        let desired_velocity = heading * random.between(0.5, 5.0);
        for tick in 0..(3.0 * rate) as u32 {
            let from = hero.position();
            hero.step(&world, Input::walk(desired_velocity), 1.0 / rate);
            let velocity = hero.velocity();
            let is_bent = velocity.cross(desired_velocity).y.abs() > 0.05 * desired_velocity.length_squared();
            along += u32::from(is_bent);
            let rise = -normal.dot(dvec3(velocity.x, 0.0, velocity.z)) / normal.y;
            let way = hero.position() - from;
            // Up to a quarter of the skin above the slope it is on that.
            let off = if angle < 0.0 { 0.25 * hero.skin() } else { 1e-6 };
            assert!(
                hero.ground().is_some() && velocity.y < rise.max(0.0) + 1e-6 && normal.dot(way).abs() < off,
                "case {case} {shape:?} slope {slope} {snap_distance:?} {rate} Hz tick {tick} lean {angle}: {velocity}, rise {rise}, {way} {}",
                normal.dot(way)
            );
        }
    }
    assert!(along > 100, "{along}");
}
