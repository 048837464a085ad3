//! Rest: what does not fall any farther stands, whatever holds it: steep faces that are rough, steep faces
//! together, a seam of flush faces under the edge of a box.

use carom::character::{Character, GravityPass, Input, Settings};
use carom::mesh::{Mesh, MeshData};
use carom::num::ops;
use carom::world::Neighborhood;
use carom::{Body, Cuboid, Layers, Mover, Pose, World};
use glam::{DQuat, DVec3, dvec3};

use crate::random::Random;
use crate::stage::{RATES, shapes};

const TAU: f64 = core::f64::consts::TAU;

/// Normals of three to six faces of 50° to 85° that close a pit.
fn pit(random: &mut Random) -> Vec<DVec3> {
    let count = 3 + random.below(4);
    let angles = loop {
        let mut angles: Vec<f64> = (0..count).map(|_| random.between(0.0, TAU)).collect();
        angles.sort_by(f64::total_cmp);
        let next = angles.iter().skip(1).copied().chain([angles[0] + TAU]);
        if angles.iter().zip(next).all(|(one, next)| (0.1..3.0).contains(&(next - one))) {
            break angles;
        }
    };
    angles
        .iter()
        .map(|angle| {
            let (sin, cos) = ops::sin_cos(random.between(50.0, 85.0).to_radians());
            let (across, along) = ops::sin_cos(*angle);
            dvec3(sin * along, cos, sin * across)
        })
        .collect()
}

fn any_shape(random: &mut Random) -> Mover {
    match random.below(6) {
        5 => Cuboid::new(dvec3(random.between(0.2, 0.5), 0.9, random.between(0.2, 0.5))).unwrap().into(),
        kind => shapes()[kind].mover,
    }
}

/// E15: the faces need not meet in one point, up is any direction for a ball, and the faces are as rough as
/// you like.
#[test]
fn who_rests_in_a_pit_jumps_out_however_rough_it_is() {
    let mut random = Random(15);
    let (mut played, mut held) = (0, Vec::new());
    for case in 0..250 {
        let shape = any_shape(&mut random);
        let turn = match shape {
            Mover::Sphere(_) => ops::rotation_about(random.direction(), random.between(0.0, TAU)),
            _ => ops::rotation_about(DVec3::Y, random.between(0.0, TAU)),
        };
        let up = turn * DVec3::Y;
        let settings = Settings {
            up,
            gravity: up * -9.81,
            max_slope: random.between(30.0, 49.0).to_radians(),
            friction: random.between(0.0, 2.5),
            gravity_pass: [GravityPass::Separate, GravityPass::Combined][random.below(2)],
            ..Settings::default()
        };
        let faces = pit(&mut random);
        let mut world = World::new();
        for normal in &faces {
            let rotation = turn * DQuat::from_rotation_arc(DVec3::Y, *normal);
            let at = turn * *normal * (random.between(-0.3, 0.0) - 5.0);
            let pose = Pose::at(at).and_then(|pose| pose.with_rotation(rotation.normalize())).unwrap();
            world.add(Body::fixed(Cuboid::new(dvec3(60.0, 5.0, 60.0)).unwrap()).at(pose));
        }
        let steepest = faces.iter().map(|normal| normal.y).fold(1.0, f64::min);
        let half = shape.bounds().half_extents().max_element();
        let start = up * (1.6 * half / steepest + 0.3);
        let mut hero = Character::new(shape, settings).unwrap().at(start).unwrap();
        let mut is_free = true;
        let grown = shape.grown(hero.skin()).unwrap();
        world.contacts(&grown, start, 0.0, Layers::ALL, |_| is_free = false);
        if !is_free {
            continue;
        }
        played += 1;
        let rate = RATES[random.below(6)];
        let wait = |hero: &mut Character, seconds: f64| {
            (0..(seconds * rate) as u32)
                .map(|_| hero.step(&world, Input::IDLE, 1.0 / rate).position.dot(up))
                .fold(f64::NEG_INFINITY, f64::max)
        };
        wait(&mut hero, 4.0);
        let (rest, ground) = (hero.position().dot(up), hero.ground().copied());
        hero.step(&world, Input::IDLE.jump(5.0), 1.0 / rate);
        let top = wait(&mut hero, 0.6) - rest;
        if ground.is_none() || top < 1.0 {
            held.push(format!("case {case}: {shape:?} {rate} Hz {settings:?} on {ground:?} jumps {top}"));
        }
    }
    assert!(played > 200, "{played}");
    assert!(held.is_empty(), "{} of {played}: {:#?}", held.len(), &held[..held.len().min(6)]);
}

/// Rough enough to hold it a steep slope is ground, and else it is not.
#[test]
fn a_steep_slope_is_ground_where_its_friction_holds() {
    let mut random = Random(1_815);
    let mut stood = 0;
    for case in 0..120 {
        let shape = any_shape(&mut random);
        let slope = random.between(31.0, 70.0_f64).to_radians();
        let (sin, cos) = ops::sin_cos(slope);
        let friction = sin / cos * random.between(0.5, 1.5);
        let holds = friction > sin / cos;
        let settings = Settings { max_slope: 30.0_f64.to_radians(), friction, ..Settings::default() };
        let mut world = World::new();
        let lean =
            ops::rotation_about(DVec3::Y, random.between(0.0, TAU)) * ops::rotation_about(DVec3::Z, slope);
        let pose = Pose::at(lean * dvec3(0.0, -5.0, 0.0)).and_then(|pose| pose.with_rotation(lean)).unwrap();
        world.add(Body::fixed(Cuboid::new(dvec3(200.0, 5.0, 200.0)).unwrap()).at(pose));
        let start = DVec3::Y * (0.2 + shape.bounds().half_extents().length() / cos);
        let mut hero = Character::new(shape, settings).unwrap().at(start).unwrap();
        let rate = RATES[random.below(6)];
        for _ in 0..(1.5 * rate) as u32 {
            hero.step(&world, Input::IDLE, 1.0 / rate);
        }
        let (rest, ground) = (hero.position(), hero.ground().copied());
        assert_eq!(ground.is_some(), holds, "case {case}: {shape:?} {rate} Hz {slope} {friction} {ground:?}");
        if holds {
            stood += 1;
            // It goes nowhere by itself, and the key up the slope leads nowhere either.
            let uphill = lean * DVec3::X;
            let wish = Input::walk(uphill.with_y(0.0) * 3.0);
            for _ in 0..(0.5 * rate) as u32 {
                hero.step(&world, wish, 1.0 / rate);
            }
            let rise = (hero.position() - rest).y;
            assert!(rise < 1e-3, "case {case}: {shape:?} {rate} Hz {slope} rises {rise}");
        }
    }
    assert!(stood > 30, "{stood}");
}

/// A character that jumps against the rim of a shaft that is too deep for its jumps touches two edges in a
/// corner on its way down. They do not support it: it stands on the bottom, or not at all.
#[test]
fn the_rim_of_a_shaft_supports_no_character() {
    let mut random = Random(1_838);
    let mut rims = 0;
    for case in 0..60 {
        let shape = shapes()[random.below(4)];
        let half = shape.mover.bounds().half_extents();
        let wide = half.x.max(half.z) + random.between(0.02, 0.2);
        let jump = random.between(2.0, 5.0);
        let depth = jump * jump / (2.0 * 9.81) + half.y * random.between(0.7, 1.0);
        let mut world = World::new();
        world.add(Body::fixed(Cuboid::new(dvec3(9.0, 1.0, 9.0)).unwrap()).at(Pose::at(-DVec3::Y).unwrap()));
        for side in [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z] {
            let size = (side * (4.0 - 0.5 * wide)).abs() + (DVec3::ONE - side.abs()) * 9.0;
            let at = side * (4.0 + 0.5 * wide);
            let wall = Cuboid::new(size.with_y(0.5 * depth)).unwrap();
            world.add(Body::fixed(wall).at(Pose::at(at.with_y(0.5 * depth)).unwrap()));
        }
        let start = DVec3::Y * (half.y + 0.01);
        let mut hero = Character::new(shape.mover, Settings::default()).unwrap().at(start).unwrap();
        let rate = RATES[random.below(6)].max(30.0);
        let mut wish = Input::IDLE;
        for tick in 0..(20.0 * rate) as u32 {
            if tick.is_multiple_of((0.5 * rate) as u32) {
                let (sin, cos) = ops::sin_cos(random.between(0.0, TAU));
                wish = Input::walk(dvec3(cos, 0.0, sin) * 5.0).jump(jump);
            }
            let report = hero.step(&world, wish, 1.0 / rate);
            wish.jump = None;
            let edges = report.touched().filter(|touched| touched.normal.y > 1e-3 && touched.normal.y < 0.9);
            rims += usize::from(edges.count() > 1);
            let rise = hero.position().y - start.y;
            let tell =
                || format!("case {case}: {shape:?} {rate} Hz, {rise} above the bottom, {wide} {depth}");
            assert!(hero.ground().is_none() || rise < 0.05, "{}", tell());
        }
    }
    assert!(rims > 100, "{rims}");
}

/// A box whose lowest edge lies along the seam of two flush blocks, to the last bits: it falls on, or it
/// stands and jumps, and hangs at no rate.
#[test]
fn no_box_hangs_on_a_seam() {
    let mut random = Random(2_015);
    let mut hung = Vec::new();
    for case in 0..300 {
        let half = dvec3(random.between(0.2, 0.5), random.between(0.4, 0.9), random.between(0.2, 0.5));
        let mut hero = Character::new(Cuboid::new(half).unwrap(), Settings::default()).unwrap();
        let (plane, seam) = (random.between(-9.0, 9.0), random.between(-9.0, 9.0));
        let mut world = World::new();
        for [low, high] in [[-8.0, 0.0], [0.0, 6.0]] {
            let size = dvec3(1.0, 0.5 * (high - low), 5.0);
            let at = dvec3(plane + 1.0, seam + 0.5 * (high + low), 0.0);
            world.add(Body::fixed(Cuboid::new(size).unwrap()).at(Pose::at(at).unwrap()));
        }
        let off = [0.0, 1e-16, -1e-16, 1e-15, -1e-15, 1e-14][random.below(6)] * random.between(0.0, 10.0);
        let start = dvec3(plane - half.x - hero.skin() + off, seam + half.y + hero.skin() + 1e-3, 0.0);
        hero = hero.at(start).unwrap();
        let rate = RATES[random.below(6)];
        let wish = Input::walk(dvec3(2.0, 0.0, 0.0));
        for _ in 0..rate as u32 {
            hero.step(&world, wish, 1.0 / rate);
        }
        let before = hero.position();
        hero.step(&world, wish, 1.0 / rate);
        if hero.ground().is_none() && hero.position() == before {
            hung.push((case, rate, off));
        }
    }
    assert!(hung.is_empty(), "{} of 300: {hung:?}", hung.len());
}

/// A box that stands on a slope touches it with an edge, which lies in the plane of the wall that it touches
/// too. The slope did not count beside a wall that was nearer by rounding.
#[test]
fn a_box_stands_on_a_slope_before_a_wall() {
    let mut random = Random(2_911);
    for case in 0..300 {
        let angle = random.between(1.0, 45.0_f64).to_radians();
        let hero = Character::new(Cuboid::new(dvec3(0.4, 0.9, 0.4)).unwrap(), Settings::default()).unwrap();
        let half = dvec3(0.4, 0.9, 0.4) + hero.skin();
        let slope = ops::rotation_about(DVec3::Z, angle);
        let mut world = World::new();
        let pose = Pose::at(slope * dvec3(0.0, -1.0, 0.0)).and_then(|pose| pose.with_rotation(slope));
        world.add(Body::fixed(Cuboid::new(dvec3(20.0, 1.0, 20.0)).unwrap()).at(pose.unwrap()));
        let wall = random.between(-4.0, 4.0);
        world.add(Body::fixed(Cuboid::new(dvec3(1.0, 30.0, 30.0)).unwrap()).at(dvec3(wall + 1.0, 0.0, 0.0)));
        let above = random.between(0.0, 0.2) * hero.skin();
        let at = dvec3(wall - half.x, wall * ops::sin(angle) / ops::cos(angle) + half.y + above, 0.0);
        let mut hero = hero.at(at).unwrap();
        hero.find_ground(&world, 1.0 / 60.0, &mut Neighborhood::new());
        assert!(hero.ground().is_some(), "case {case}: {above:e} m above {}°", angle.to_degrees());
    }
}

/// A floor of two large triangles rises by 8·10⁻⁸, so that a box touches it right below the side that is
/// pressed against the corner of a block. That is no lip of the block: such a box lost its ground, and gained
/// speed as if it fell.
#[test]
fn a_box_in_a_corner_stands_on_a_floor_that_rises_to_it_by_rounding() {
    let mut random = Random(2_912);
    for case in 0..300 {
        // The highest corner of its base is right at the side that touches the block.
        let turn = ops::rotation_about(DVec3::Y, random.between(-2.9, -2.5));
        let half = dvec3(random.between(0.4, 0.5), 0.65, random.between(0.4, 0.5));
        let shape = Cuboid::new(half).and_then(|shape| shape.with_rotation(turn)).unwrap();
        let hero = Character::new(shape, Settings::default()).unwrap();
        let grown = half + hero.skin();
        let [side, front] = [turn * DVec3::X, turn * DVec3::NEG_Z];
        let rise = [1e-8, 1e-7][random.below(2)] * random.between(1.0, 8.0);
        let mut world = World::new();
        let vertices = [[-90.0, -90.0], [-90.0, 90.0], [90.0, 90.0], [90.0, -90.0]]
            .map(|[x, z]: [f64; 2]| [x as f32, (rise * z) as f32, z as f32])
            .to_vec();
        let triangles = vec![[0, 1, 2], [0, 2, 3]];
        world.add(Body::fixed(Mesh::new(MeshData { vertices, triangles, ..MeshData::default() }).unwrap()));
        // It touches the front side of the box with a vertical edge.
        let edge = front * grown.z + side * grown.x * random.between(-0.9, 0.9);
        let block = dvec3(2.0, 1.0, 2.0);
        world.add(Body::fixed(Cuboid::new(block).unwrap()).at(edge + dvec3(2.0, 0.0, 2.0)));
        let highest = front * grown.z + side * grown.x * side.z.signum();
        let feet = grown.y + rise * highest.z;
        let mut hero = hero.at(dvec3(0.0, feet + 1e-12, 0.0)).unwrap();
        hero.find_ground(&world, 1.0 / 60.0, &mut Neighborhood::new());
        assert!(hero.ground().is_some(), "case {case}: {rise:e}");
        for _ in 0..20 {
            let report = hero.step(&world, Input::walk(front * 4.0), 1.0 / 60.0);
            assert!(report.ground.is_some(), "case {case}: {rise:e}, {:?}", report.velocity);
        }
    }
}
