//! The scenes that `carom-guard` compares: counted by valgrind, the same on a busy machine as on an idle one.
//!
//! `.ci/guard` runs it. Scenes and queries are made again for each, outside the count, from fixed seeds; one
//! thread.
#![allow(missing_docs, reason = "the macros make public items")]

use std::hint::black_box;
use std::sync::Arc;

use carom::character::{Character, Crowd, Input, Settings, TickInput};
use carom::glam::{DVec3, dvec3};
use carom::mesh::Mesh;
use carom::shape::{Cone, ConvexHull, Cylinder};
use carom::sweep::deforming::{edge_edge, vertex_triangle};
use carom::world::{BodyId, Collider, MeshTree, Neighborhood, Pose};
use carom::{Body, Capsule, Cast, Cuboid, Ellipsoid, Layers, Mover, Sphere, World};
use carom_scenes::Random;
use carom_scenes::workload::{
    BodyScene, City, Form, Proximity, Terrain, Walker, room_in_city, walkers_in_city,
};
use carom_scenes::worst::{Levels, NAMED, Problem};
use gungraun::{Callgrind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};

/// Hills of 32,768 triangles.
const QUADS: usize = 128;
/// Numbers of casts, of ticks and of characters.
const CASTS: usize = 200;
const TICKS: usize = 60;
const CHARACTERS: usize = 40;

type Casts = (World, Vec<Cast>);
type Walk = (World, Vec<Character>, Vec<Vec<Input>>);

fn world(mesh: Mesh) -> World {
    let mut world = World::new();
    world.add(Body::fixed(mesh));
    world
}

fn hills() -> (Terrain, World) {
    let terrain = Terrain::new(QUADS);
    let mesh = terrain.mesh().clone().into_mesh().expect("generated meshes are finite");
    (terrain, world(mesh))
}

fn capsule() -> Mover {
    Capsule::new(0.3, 0.6).expect("a shape").into()
}

/// Like W1: from 2 m above the hills, a little downward, 1 to 10 m.
fn casts(mover: Mover) -> Casts {
    let (terrain, world) = hills();
    let mut random = Random::new(0x6A4D);
    let casts = (0..CASTS).map(|_| {
        let (x, z) = (random.between(16.0, 112.0), random.between(16.0, 112.0));
        let way = (random.direction() - DVec3::Y * 0.3) * random.between(1.0, 10.0);
        Cast::new(mover, dvec3(x, terrain.surface(x, z) + 2.0, z), way).expect("finite")
    });
    let casts = casts.collect();
    (world, casts)
}

fn sphere_casts() -> Casts {
    casts(Sphere::new(0.5).expect("a shape").into())
}

fn capsule_casts() -> Casts {
    casts(capsule())
}

/// Like W2: between boxes that stand at all angles.
fn city_casts() -> Casts {
    let city = City::new(1000);
    let world = world(city.mesh().clone().into_mesh().expect("generated meshes are finite"));
    let mut random = Random::new(0x6A4E);
    let mover = Mover::from(Ellipsoid::new(dvec3(0.4, 0.9, 0.4)).expect("a shape"));
    let casts = (0..CASTS).map(|_| {
        let corner = city.mesh().vertices[random.below(city.mesh().vertices.len())].map(f64::from);
        let from = DVec3::from(corner) + random.direction() * 2.5;
        Cast::new(mover, from, random.direction() * 5.0).expect("finite")
    });
    let casts = casts.collect();
    (world, casts)
}

/// Like W9: the boxes of the city as bodies of their own.
fn casts_among_bodies() -> Casts {
    let city = City::new(1000);
    let mut world = World::new();
    for placed in city.boxes() {
        let pose =
            Pose::at(placed.position).and_then(|pose| pose.with_rotation(placed.rotation)).expect("finite");
        world.add(Body::fixed(Cuboid::new(placed.half_extents).expect("a shape")).at(pose));
    }
    let (_, casts) = city_casts();
    (world, casts)
}

/// Like W12: one mesh in many places, at many scales.
fn casts_among_instances() -> Casts {
    let blobs = BodyScene::blobs();
    let mesh = blobs.meshes[0].clone().into_mesh().expect("generated meshes are finite");
    let mesh = Arc::new(MeshTree::new(mesh));
    let mut world = World::new();
    for placed in &blobs.bodies {
        let Form::Instance { scale, .. } = placed.form else { continue };
        let pose = Pose::at(placed.position)
            .and_then(|pose| pose.with_rotation(placed.rotation))
            .and_then(|pose| pose.with_scale(scale));
        world.add(Body::fixed(Arc::clone(&mesh)).at(pose.expect("finite")));
    }
    let mut random = Random::new(0x6A52);
    let mover = Mover::from(Sphere::new(0.5).expect("a shape"));
    let casts = (0..CASTS).map(|_| {
        let near = blobs.bodies[random.below(blobs.bodies.len())].position;
        let from = near + random.direction() * 4.0;
        Cast::new(mover, from, random.direction() * 5.0).expect("finite")
    });
    let casts = casts.collect();
    (world, casts)
}

/// Like W10: one hero on a floor of unit boxes.
fn walk_on_boxes() -> Walk {
    let mut world = World::new();
    let half = Cuboid::new(DVec3::splat(0.5)).expect("a shape");
    for i in 0..40 * 40 {
        let (x, z) = (f64::from(i % 40 - 20), f64::from(i / 40 - 20));
        world.add(Body::fixed(half).at(Pose::at(dvec3(x, -0.5, z)).expect("finite")));
    }
    walk_in(world)
}

/// One hero on one box.
fn walk_on_box() -> Walk {
    let mut world = World::new();
    let half = Cuboid::new(dvec3(50.0, 0.5, 50.0)).expect("a shape");
    world.add(Body::fixed(half).at(Pose::at(dvec3(0.0, -0.5, 0.0)).expect("finite")));
    walk_in(world)
}

/// One hero on a mesh of squares of a meter.
fn walk_on_flat() -> Walk {
    const SIDE: u32 = 40;
    let corner = |i: u32| [(i % (SIDE + 1)) as f32 - 20.0, 0.0, (i / (SIDE + 1)) as f32 - 20.0];
    let vertices = (0..(SIDE + 1) * (SIDE + 1)).map(corner).collect();
    let squares = (0..SIDE * SIDE).map(|i| i / SIDE * (SIDE + 1) + i % SIDE);
    let two = |a: u32| [[a, a + SIDE + 1, a + SIDE + 2], [a, a + SIDE + 2, a + 1]];
    walk_in(world(Mesh::from_triangles(vertices, squares.flat_map(two).collect()).expect("finite")))
}

/// One hero that walks about the origin, with a new heading every twenty ticks.
fn walk_in(world: World) -> Walk {
    let hero = Character::new(capsule(), Settings::default()).expect("a character");
    let hero = hero.at(dvec3(0.0, 0.95, 0.0)).expect("finite");
    let mut random = Random::new(0x6A50);
    let mut heading = DVec3::ZERO;
    let mut input = |tick: usize| {
        if tick.is_multiple_of(20) {
            heading = random.heading();
        }
        vec![Input::walk(heading * 5.0)]
    };
    let inputs = (0..TICKS).map(&mut input).collect();
    (world, vec![hero], inputs)
}

type Driven = (World, Vec<BodyId>);

/// Like W11: boxes on a grid, all of which are driven.
fn driven_boxes() -> Driven {
    let mut world = World::new();
    let half = Cuboid::new(DVec3::splat(0.4)).expect("a shape");
    let mut add = |i: i32| {
        let place = dvec3(3.0 * f64::from(i % 32), 0.5, 3.0 * f64::from(i / 32));
        world.add(Body::kinematic(half).at(Pose::at(place).expect("finite")))
    };
    let boxes = (0..1000).map(&mut add).collect();
    (world, boxes)
}

/// Like W11: a hero among boxes that are all driven.
fn hero_among_driven() -> (Driven, Character) {
    let (mut world, boxes) = driven_boxes();
    let ground = Cuboid::new(dvec3(250.0, 0.5, 250.0)).expect("a shape");
    world.add(Body::fixed(ground).at(Pose::at(dvec3(50.0, -0.5, 50.0)).expect("finite")));
    let hero = Character::new(capsule(), Settings::default()).expect("a character");
    ((world, boxes), hero.at(dvec3(1.5, 0.95, 1.5)).expect("finite"))
}

/// Heroes of several shapes, each against a solid that turns on a floor: one world for each pair.
fn heroes_against_turning() -> Vec<(World, BodyId, Character)> {
    let heroes: [Mover; 3] = [
        capsule(),
        Cuboid::new(dvec3(0.3, 0.9, 0.3)).expect("a shape").into(),
        Ellipsoid::new(dvec3(0.3, 0.9, 0.4)).expect("a shape").into(),
    ];
    let mut random = Random::new(0x6A54);
    let corners: Vec<DVec3> = (0..24).map(|_| random.direction() * 0.8).collect();
    let solids: [Collider; 4] = [
        Cuboid::new(DVec3::splat(0.8)).expect("a shape").into(),
        Cylinder::new(0.6, 0.8).expect("a shape").into(),
        Cone::new(0.8, 0.8).expect("a shape").into(),
        ConvexHull::new(&corners).expect("a shape").into(),
    ];
    let pair = |solid: &Collider, hero: Mover| {
        let mut world = World::new();
        let floor = Cuboid::new(dvec3(20.0, 1.0, 20.0)).expect("a shape");
        world.add(Body::fixed(floor).at(Pose::at(dvec3(0.0, -1.0, 0.0)).expect("finite")));
        let turning = Body::kinematic(solid.clone()).at(Pose::at(dvec3(0.0, 0.85, 0.0)).expect("finite"));
        let turning = world.add(turning);
        let height = hero.bounds().half_extents().y;
        let hero = Character::new(hero, Settings::default()).expect("a character");
        (world, turning, hero.at(dvec3(-1.3, height + 1e-3, 0.1)).expect("finite"))
    };
    solids.iter().flat_map(|solid| heroes.map(|hero| pair(solid, hero))).collect()
}

/// Like W13: places near the hills.
fn places() -> (World, Vec<DVec3>) {
    let (terrain, world) = hills();
    let mut random = Random::new(0x6A51);
    let place = |_| {
        let (x, z) = (random.between(16.0, 112.0), random.between(16.0, 112.0));
        dvec3(x, terrain.surface(x, z) + random.between(0.0, 3.0), z)
    };
    let places = (0..CASTS).map(place).collect();
    (world, places)
}

/// Capsules on a square so large.
fn walk(side: f64) -> Walk {
    walk_of(capsule(), side)
}

/// The same for cuboids.
fn walk_of_cuboids(side: f64) -> Walk {
    walk_of(Cuboid::new(dvec3(0.3, 0.9, 0.3)).expect("a shape").into(), side)
}

/// Characters on a square so large, each with a new heading every twenty ticks.
fn walk_of(mover: Mover, side: f64) -> Walk {
    let (terrain, world) = hills();
    let mut random = Random::new(0x6A4F);
    let near = 0.5 * (QUADS as f64 - side);
    let characters = (0..CHARACTERS).map(|_| {
        let (x, z) = (near + random.between(0.0, side), near + random.between(0.0, side));
        let character = Character::new(mover, Settings::default()).expect("a character");
        character.at(dvec3(x, terrain.surface(x, z) + 1.0, z)).expect("finite")
    });
    let characters = characters.collect();
    let mut headings = vec![DVec3::ZERO; CHARACTERS];
    let mut inputs = |tick: usize| {
        headings.iter_mut().filter(|_| tick.is_multiple_of(20)).for_each(|one| *one = random.heading());
        headings.iter().map(|heading| Input::walk(*heading * 5.0)).collect()
    };
    let inputs = (0..TICKS).map(&mut inputs).collect();
    (world, characters, inputs)
}

/// Like W5: between boxes that stand at all angles, into whose walls most walks lead.
fn walk_in_city() -> Walk {
    let city = City::new(City::BOXES);
    let near = Proximity::new(city.mesh(), 2.0);
    let walkers = walkers_in_city(CHARACTERS, room_in_city(&city, &near));
    let mut mesh = city.mesh().clone();
    mesh.append(&City::ground());
    let one = Character::new(capsule(), Settings::default()).expect("a character");
    let characters = walkers.iter().map(|walker| one.at(walker.start).expect("finite")).collect();
    let input = |walker: &Walker, tick| Input::walk(walker.desired_velocity(tick));
    let inputs = (0..TICKS).map(|tick| walkers.iter().map(|walker| input(walker, tick)).collect()).collect();
    (world(mesh.into_mesh().expect("generated meshes are finite")), characters, inputs)
}

#[library_benchmark]
#[bench::sphere(sphere_casts())]
#[bench::capsule(capsule_casts())]
#[bench::ellipsoid_in_city(city_casts())]
#[bench::among_bodies(casts_among_bodies())]
#[bench::among_instances(casts_among_instances())]
fn cast((world, casts): Casts) -> (usize, Casts) {
    let hits = casts.iter().filter(|cast| world.cast(black_box(cast)).is_some()).count();
    // The returned values are dropped after the counting.
    (hits, (world, casts))
}

#[library_benchmark]
#[bench::spread(walk(96.0))]
#[bench::crowded(walk(8.0))]
#[bench::cuboids(walk_of_cuboids(96.0))]
#[bench::in_city(walk_in_city())]
#[bench::on_boxes(walk_on_boxes())]
#[bench::on_box(walk_on_box())]
#[bench::flat(walk_on_flat())]
fn tick((world, mut characters, inputs): Walk) -> (Crowd, Walk) {
    let mut crowd = Crowd::new();
    for inputs in &inputs {
        black_box(crowd.step_all(&world, &mut characters, inputs, 1.0 / 60.0));
    }
    (crowd, (world, characters, inputs))
}

#[library_benchmark]
#[bench::boxes(driven_boxes())]
fn advance((mut world, boxes): Driven) -> Driven {
    for tick in 0..TICKS {
        let way = if tick / 30 % 2 == 0 { DVec3::X } else { DVec3::NEG_X };
        world.advance(1.0 / 60.0, |moves| {
            for id in &boxes {
                let _ = black_box(moves.drive(*id, way, DVec3::ZERO));
            }
        });
    }
    (world, boxes)
}

// `advance` and the hero's tick together.
#[library_benchmark]
#[bench::driven(hero_among_driven())]
fn hero(((mut world, boxes), mut hero): (Driven, Character)) -> (Driven, Character) {
    let mut near = Neighborhood::new();
    for tick in 0..TICKS {
        let way = if tick / 30 % 2 == 0 { DVec3::X } else { DVec3::NEG_X };
        world.advance(1.0 / 60.0, |moves| {
            for id in &boxes {
                let _ = black_box(moves.drive(*id, way, DVec3::ZERO));
            }
        });
        let input = TickInput::new(Input::walk(dvec3(2.0, 0.0, 1.0)), 1.0 / 60.0);
        black_box(hero.step_with(&world, input, &mut near, &mut ()));
    }
    ((world, boxes), hero)
}

#[library_benchmark]
#[bench::turning(heroes_against_turning())]
fn push(mut pairs: Vec<(World, BodyId, Character)>) -> Vec<(World, BodyId, Character)> {
    for (world, turning, hero) in &mut pairs {
        let mut near = Neighborhood::new();
        for _ in 0..TICKS {
            let turn = dvec3(0.3, 0.5, 0.2);
            world.advance(1.0 / 60.0, |moves| {
                let _ = black_box(moves.drive(*turning, DVec3::ZERO, turn));
            });
            let to_solid = hero.position() * dvec3(-1.0, 0.0, -1.0);
            let input = TickInput::new(Input::walk(to_solid.normalize_or_zero()), 1.0 / 60.0);
            black_box(hero.step_with(world, input, &mut near, &mut ()));
        }
    }
    pairs
}

#[library_benchmark]
#[bench::sphere(places())]
fn closest((world, places): (World, Vec<DVec3>)) -> (usize, World) {
    let sphere = Sphere::new(0.5).expect("a shape");
    let near =
        |at: &&DVec3| world.closest(sphere, **at, 10.0, Layers::ALL).is_ok_and(|found| found.is_some());
    (places.iter().filter(near).count(), world)
}

/// One of the slowest cases that searches have found.
fn slowest(name: &str) -> Problem {
    let named = NAMED.iter().find(|named| named.name == name).expect("it has a name");
    Problem::new(&Levels::new(), &named.case.parse().expect("it is a case"))
}

#[library_benchmark]
#[bench::tick_in_soup(slowest("tick in soup"))]
#[bench::closest_to_height_field(slowest("closest to height-field"))]
fn worst(problem: Problem) -> (usize, Problem) {
    (problem.ask(|ask| black_box(ask()).count()), problem)
}

fn mesh() -> Mesh {
    Terrain::new(QUADS).mesh().clone().into_mesh().expect("generated meshes are finite")
}

#[library_benchmark]
#[bench::tree(mesh())]
fn build(mesh: Mesh) -> World {
    world(black_box(mesh))
}

type Moving = ([DVec3; 4], [DVec3; 4]);

/// Corners and edges of a cloth. Every fifth has whole coordinates: there f64 seldom decides.
fn deforming() -> Vec<Moving> {
    let mut random = Random::new(0x6A53);
    let mut moving = |i: usize| {
        let mut points = || {
            let point = |_| DVec3::from([0.0; 3].map(|_: f64| random.between(-2.0, 2.0)));
            let points = [0, 1, 2, 3].map(point);
            if i.is_multiple_of(5) { points.map(DVec3::round) } else { points }
        };
        (points(), points())
    };
    (0..5 * CASTS).map(&mut moving).collect()
}

#[library_benchmark]
#[bench::parts(deforming())]
fn deform(moving: Vec<Moving>) -> (usize, Vec<Moving>) {
    let meet = |(start, end): &&Moving| {
        let (start, end) = (black_box(start), black_box(end));
        vertex_triangle(start, end).is_some() | edge_edge(start, end).is_some()
    };
    (moving.iter().filter(meet).count(), moving)
}

library_benchmark_group!(
    name = instructions,
    benchmarks = [cast, tick, advance, hero, push, closest, worst, build, deform]
);

main!(
    // Only instructions are compared.
    config = LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--cache-sim=no"]));
    library_benchmark_groups = instructions
);
