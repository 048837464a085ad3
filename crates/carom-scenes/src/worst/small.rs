//! Small worlds that are hard by their form: many parts about one place, thin parts, narrow gaps.

use core::f64::consts::TAU;

use carom::num::ops;
use carom::shape::{BezierPatch, Cone, ConvexHull, Cylinder};
use carom::world::{Body, BodyId, Collider, Pose, World};
use carom::{Capsule, Cuboid, Sphere};
use glam::{DVec2, DVec3, dvec2, dvec3};

use super::Family;
use super::genes::Reader;
use super::place::{Level, Surface};
use crate::{MeshBuilder, Random};

/// The level of a family that is no terrain.
pub(super) fn level(family: Family, reader: &mut Reader<'_>) -> Level {
    match family {
        Family::Soup => of_mesh(&soup(reader), 3.0),
        Family::Needles => of_mesh(&needles(reader), 3.0),
        Family::Fan => of_mesh(&fan(reader), 2.0),
        Family::Ring => of_mesh(&ring(reader), 1.0),
        Family::Bowl => of_mesh(&bowl(reader), 1.0),
        Family::Wedge => of_mesh(&wedge(reader), 1.0),
        Family::Stacks => stacks(reader),
        Family::Machines => machines(reader),
        Family::Solids => solids(reader),
        Family::Patches => patches(reader),
        Family::Hills | Family::LargeOnHills | Family::HeightField => Level {
            world: World::new(),
            driven: Vec::new(),
            surface: Surface::Hills,
            middle: DVec3::ZERO,
            half: 1.0,
        },
    }
}

fn of_mesh(builder: &MeshBuilder, half: f64) -> Level {
    let mesh = builder.rounded();
    let surface = Surface::of(&mesh);
    let mut world = World::new();
    world.add(Body::fixed(mesh.into_mesh().expect("generated meshes are finite")));
    Level { world, driven: Vec::new(), surface, middle: DVec3::ZERO, half }
}

/// Triangles of one size anywhere.
fn soup(reader: &mut Reader<'_>) -> MeshBuilder {
    let mut random = Random::scattered(reader.seed());
    let (count, half, size) = (8 + reader.below(249), reader.octaves(0.5, 3), reader.octaves(0.05, 6));
    let mut builder = MeshBuilder::new();
    for _ in 0..count {
        let mut point = |size: f64| DVec3::ZERO.map(|_| random.between(-size, size));
        let middle = point(half);
        builder.append(&MeshBuilder::triangle([(); 3].map(|()| middle + point(size))));
    }
    builder
}

/// Long thin triangles, in all directions or almost parallel.
fn needles(reader: &mut Reader<'_>) -> MeshBuilder {
    let mut random = Random::scattered(reader.seed());
    let (count, half) = (8 + reader.below(249), reader.octaves(0.1, 5));
    let (length, width, spread) =
        (reader.octaves(0.5, 4), reader.octaves(1e-5, 13), reader.octaves(1e-3, 10));
    let mut builder = MeshBuilder::new();
    for _ in 0..count {
        let along = (DVec3::X + random.direction() * spread).normalize_or(DVec3::X);
        let across = along.cross(random.direction()).normalize_or(DVec3::Y);
        let middle = random.direction() * (half * random.unit());
        let (tip, base) = (middle + along * (0.5 * length), middle - along * (0.5 * length));
        builder.append(&MeshBuilder::triangle([base - across * width, base + across * width, tip]));
    }
    builder
}

/// Triangles that share one corner: a tip, a hollow, or almost a plane.
fn fan(reader: &mut Reader<'_>) -> MeshBuilder {
    let (count, radius) = (3 + reader.below(254), reader.octaves(0.25, 4));
    let height = reader.octaves(1e-6, 22) * reader.pick(&[-1.0, 0.0, 1.0]);
    let rim = |i: usize| {
        let (sin, cos) = ops::sin_cos(TAU * (i % count) as f64 / count as f64);
        dvec3(radius * cos, 0.0, -radius * sin)
    };
    let mut builder = MeshBuilder::new();
    for i in 0..count {
        builder.append(&MeshBuilder::triangle([DVec3::Y * height, rim(i), rim(i + 1)]));
    }
    builder
}

/// A tunnel that is open or closed at its ends, as seen from within.
fn ring(reader: &mut Reader<'_>) -> MeshBuilder {
    let (sides, radius, half) = (3 + reader.below(126), reader.octaves(0.1, 4), reader.octaves(0.1, 5));
    let taper = reader.pick(&[1.0, 1.0, 0.5, 0.01]);
    let profile = [dvec2(radius, -half), dvec2(radius * taper, half)];
    let builder = MeshBuilder::lathe(&profile, sides as u32).flipped();
    match reader.below(3) {
        0 => builder,
        1 => builder.posed(ops::rotation_about(DVec3::X, 0.25 * TAU), DVec3::ZERO),
        _ => {
            let tilt = reader.between(0.0, 0.5 * TAU);
            builder.posed(ops::rotation_about(DVec3::Z, tilt), DVec3::ZERO)
        }
    }
}

/// A hollow ball: from its center all triangles are equally far away.
fn bowl(reader: &mut Reader<'_>) -> MeshBuilder {
    let (rings, sides, radius) = (2 + reader.below(14), 3 + reader.below(30), reader.octaves(0.25, 3));
    let point = |i: usize| {
        let (sin, cos) = ops::sin_cos(0.5 * TAU * i as f64 / rings as f64);
        // The tips are on the axis.
        let is_tip = i == 0 || i == rings;
        radius * if is_tip { dvec2(0.0, -cos) } else { dvec2(sin, -cos) }
    };
    let profile: Vec<DVec2> = (0..=rings).map(point).collect();
    MeshBuilder::lathe(&profile, sides as u32).flipped()
}

/// Two planes that meet at a small angle along z.
fn wedge(reader: &mut Reader<'_>) -> MeshBuilder {
    let (angle, parts) = (reader.octaves(1e-7, 23), 1 + reader.below(10) as u32);
    let (length, turn) = (reader.octaves(0.5, 4), reader.between(0.0, TAU));
    let (sin, cos) = ops::sin_cos(0.5 * angle);
    let corner = dvec3(0.0, 0.0, -length);
    let along = DVec3::Z * (2.0 * length);
    let lower = MeshBuilder::grid(corner, [along, dvec3(cos, -sin, 0.0) * (2.0 * length)], [parts; 2]);
    let upper = MeshBuilder::grid(corner, [dvec3(cos, sin, 0.0) * (2.0 * length), along], [parts; 2]);
    lower.and(&upper).posed(ops::rotation_about(DVec3::Z, turn), DVec3::ZERO)
}

/// Adds a body, and a ball inside it.
fn put(level: &mut Level, collider: impl Into<Collider>, pose: Pose, radius: f64) {
    level.world.add(Body::fixed(collider).at(pose));
    if let Surface::Balls(balls) = &mut level.surface {
        balls.push((pose.position(), radius));
    }
}

fn empty(half: f64) -> Level {
    Level {
        world: World::new(),
        driven: Vec::new(),
        surface: Surface::Balls(Vec::new()),
        middle: DVec3::ZERO,
        half,
    }
}

fn floor(level: &mut Level) {
    let half = dvec3(20.0, 1.0, 20.0);
    let pose = Pose::from_translation(DVec3::NEG_Y);
    put(level, Cuboid::new(half).expect("is above 0"), pose, 1.0);
}

/// Boxes on, beside and in each other, almost or exactly flush.
fn stacks(reader: &mut Reader<'_>) -> Level {
    let mut random = Random::scattered(reader.seed());
    let (count, size) = (2 + reader.below(62), reader.octaves(0.05, 5));
    let gap = reader.octaves(1e-9, 27) * reader.pick(&[-1.0, 0.0, 1.0]);
    let turn = reader.octaves(1e-9, 30) * reader.pick(&[0.0, 0.0, 1.0]);
    let wide = 1 + reader.below(5);
    let mut level = empty(2.0 * size * wide as f64);
    floor(&mut level);
    for i in 0..count {
        let spot = dvec3((i % wide) as f64, (i / (wide * wide)) as f64 + 0.5, (i / wide % wide) as f64);
        let at = spot * (2.0 * size + gap) - dvec3(1.0, 0.0, 1.0) * (size * (wide - 1) as f64);
        let rotation = ops::rotation_about(random.direction(), turn);
        let pose = Pose::at(at).and_then(|pose| pose.with_rotation(rotation)).expect("is a pose");
        put(&mut level, Cuboid::new(DVec3::splat(size)).expect("is above 0"), pose, size);
    }
    level
}

/// A solid of a kind, and the radius of a ball inside it.
fn solid(random: &mut Random, size: f64) -> (Collider, f64) {
    let mut side = || size * random.between(0.2, 1.0);
    let half = dvec3(side(), side(), side());
    let within = half.min_element();
    let collider: Collider = match random.below(6) {
        0 => Cuboid::new(half).expect("is above 0").into(),
        1 => Cylinder::new(half.x, half.y).expect("is above 0").into(),
        2 => Cone::new(half.x, half.y).expect("is above 0").into(),
        3 => Capsule::new(half.x, half.y).expect("is above 0").into(),
        4 => Sphere::new(half.x).expect("is above 0").into(),
        _ => {
            let corners: Vec<DVec3> = (0..6 + random.below(60)).map(|_| random.direction() * half).collect();
            ConvexHull::new(&corners).expect("has a volume").into()
        }
    };
    (collider, within)
}

/// Solids of every kind at rest, in each other or not.
fn solids(reader: &mut Reader<'_>) -> Level {
    let mut random = Random::scattered(reader.seed());
    let (count, size, half) = (1 + reader.below(31), reader.octaves(0.1, 4), reader.octaves(0.1, 5));
    let mut level = empty(half + size);
    if reader.below(2) == 0 {
        floor(&mut level);
    }
    for _ in 0..count {
        let (collider, within) = solid(&mut random, size);
        let at = random.direction() * (half * random.unit());
        let pose = Pose::at(at).and_then(|pose| pose.with_rotation(random.rotation())).expect("is a pose");
        put(&mut level, collider, pose, within);
    }
    level
}

/// Solids that move and turn above a floor and between walls.
fn machines(reader: &mut Reader<'_>) -> Level {
    let mut random = Random::scattered(reader.seed());
    let (count, size, half) = (1 + reader.below(12), reader.octaves(0.2, 3), reader.octaves(0.1, 5));
    let (speed, spin) = (reader.octaves(0.01, 11), reader.octaves(0.01, 11));
    let mut level = empty(half + size);
    floor(&mut level);
    if reader.below(2) == 0 {
        for side in [-1.0, 1.0] {
            let pose = Pose::from_translation(DVec3::X * (side * (half + size + 0.5)));
            put(&mut level, Cuboid::new(dvec3(0.5, 5.0, 5.0)).expect("is above 0"), pose, 0.5);
        }
    }
    for _ in 0..count {
        let (collider, within) = solid(&mut random, size);
        let at = random.direction() * (half * random.unit()) + DVec3::Y * size;
        let pose = Pose::at(at).and_then(|pose| pose.with_rotation(random.rotation())).expect("is a pose");
        let id: BodyId = level.world.add(Body::kinematic(collider).at(pose));
        level.driven.push((id, random.direction() * speed, random.direction() * spin));
        if let Surface::Balls(balls) = &mut level.surface {
            balls.push((at, within));
        }
    }
    level
}

/// Curved surfaces.
fn patches(reader: &mut Reader<'_>) -> Level {
    let mut random = Random::scattered(reader.seed());
    let (count, bump, half) = (1 + reader.below(4), reader.octaves(0.01, 8), reader.octaves(0.5, 3));
    let mut level = empty(half);
    for _ in 0..count {
        let side = 3 + random.below(2);
        let rotation = random.rotation();
        let middle = random.direction() * (half * random.unit());
        let points: Vec<DVec3> = (0..side * side)
            .map(|at| {
                let [row, column] = [at / side, at % side].map(|i| i as f64 / (side - 1) as f64 - 0.5);
                middle + rotation * dvec3(column, random.between(-bump, bump), row) * (2.0 * half)
            })
            .collect();
        let patch = BezierPatch::new([side - 1; 2], &points).expect("its points are finite");
        put(&mut level, patch, Pose::IDENTITY, 0.1 * half);
        if let Surface::Balls(balls) = &mut level.surface
            && let Some(ball) = balls.last_mut()
        {
            // On the surface.
            *ball = (patch.point(0.5, 0.5), 0.0);
        }
    }
    level
}
