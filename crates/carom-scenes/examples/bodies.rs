//! Worlds of many bodies beside the same as one mesh, in turns:
//! `cargo run --release -p carom-scenes --example bodies [-- ROUNDS]`.
//!
//! The workloads are W9, W10, W11 and W13 of `docs/performance-of-bodies.md`. Times are medians over the
//! rounds; ratios are taken within a round. All on one thread, except for `advance`.

use std::hint::black_box;
use std::time::Instant;

use carom::character::{Character, Input, Settings};
use carom::glam::{DVec3, dvec3};
use carom::num::ops;
use carom::world::BodyId;
use carom::{Body, Capsule, Cast, Cuboid, Layers, Mover, Pose, Sphere, World};
use carom_scenes::workload::{City, Proximity, Terrain, casts_in_city};
use carom_scenes::{Random, SceneMesh};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const DT: f64 = 1.0 / 60.0;

/// Lets some do the same work in turns; microseconds for one of `count`, and the ratio to the last.
fn measure(rounds: usize, count: usize, name: &str, contestants: &mut [(&str, &mut dyn FnMut())]) {
    let mut times = vec![Vec::new(); contestants.len()];
    for round in 0..=rounds {
        for ((_, run), times) in contestants.iter_mut().zip(&mut times) {
            let start = Instant::now();
            run();
            if round > 0 {
                times.push(start.elapsed().as_secs_f64() * 1e6 / count as f64);
            }
        }
    }
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let last = times[times.len() - 1].clone();
    for ((what, _), times) in contestants.iter().zip(&times) {
        let ratios = times.iter().zip(&last).map(|(a, b)| a / b).collect();
        println!("{name:34} {what:28} {:9.3} µs  {:6.2}", median(times.clone()), median(ratios));
    }
}

fn mesh_world(mesh: &SceneMesh) -> Outcome<World> {
    let mut world = World::new();
    world.add(Body::fixed(mesh.clone().into_mesh()?));
    Ok(world)
}

fn capsule() -> Outcome<Mover> {
    Ok(Capsule::new(0.3, 0.6)?.into())
}

fn hero(at: DVec3) -> Outcome<Character> {
    Ok(Character::new(capsule()?, Settings::default())?.at(at)?)
}

/// W9 and the second part of W13: the boxes of the city.
fn city(rounds: usize) -> Outcome<()> {
    let city = City::new(City::BOXES);
    let mut bodies = World::new();
    for placed in city.boxes() {
        let pose = Pose::at(placed.position)?.with_rotation(placed.rotation)?;
        bodies.add(Body::fixed(Cuboid::new(placed.half_extents)?).at(pose));
    }
    let mesh = mesh_world(city.mesh())?;
    let near = Proximity::new(city.mesh(), 2.0);
    let thrown = casts_in_city(&city, 20_000, near.up_to(1.0));
    let movers: [(&str, Mover); 3] = [
        ("sphere", Sphere::new(0.5)?.into()),
        ("capsule", Capsule::new(0.5, 0.5)?.into()),
        ("ray", Mover::Point),
    ];
    for (name, mover) in movers {
        let casts: Vec<Cast> = thrown
            .iter()
            .map(|cast| Cast::new(mover, cast.from, cast.translation))
            .collect::<Result<_, _>>()?;
        let ask = |world: &World| {
            black_box(casts.iter().filter(|cast| world.cast(black_box(cast)).is_some()).count());
        };
        let name = format!("W9 cast, {name}");
        measure(
            rounds,
            casts.len(),
            &name,
            &mut [("20,000 cuboids", &mut || ask(&bodies)), ("one mesh", &mut || ask(&mesh))],
        );
    }
    let places: Vec<DVec3> = thrown.iter().take(4000).map(|cast| cast.from).collect();
    around(rounds, "city", &places, &mut [("20,000 cuboids", &bodies), ("one mesh", &mesh)])
}

/// W13 at some places.
fn around(rounds: usize, place: &str, places: &[DVec3], worlds: &mut [(&str, &World)]) -> Outcome<()> {
    let sphere = Mover::from(Sphere::new(0.5)?);
    for &mut (what, world) in worlds {
        let near = |distance: f64| {
            let found = |at: &&DVec3| {
                world.closest(sphere, **at, distance, Layers::ALL).is_ok_and(|near| near.is_some())
            };
            black_box(places.iter().filter(found).count());
        };
        let name = format!("W13 {place}, {what}");
        measure(
            rounds,
            places.len(),
            &name,
            &mut [
                ("closest within 10 m", &mut || near(10.0)),
                ("overlaps", &mut || {
                    let overlaps =
                        |at: &DVec3| world.overlaps(sphere, *at, Layers::ALL).map_or(0, |found| found.len());
                    black_box(places.iter().map(overlaps).sum::<usize>());
                }),
                ("contacts within 0.1 m", &mut || {
                    let mut count = 0;
                    places
                        .iter()
                        .for_each(|at| world.contacts(&sphere, *at, 0.1, Layers::ALL, |_| count += 1));
                    black_box(count);
                }),
            ],
        );
    }
    Ok(())
}

/// W10: a hero on a floor of 80 × 80 boxes.
fn floor(rounds: usize) -> Outcome<()> {
    let mut boxes = World::new();
    let mut mesh = SceneMesh::new();
    let half = DVec3::splat(0.5);
    for i in 0..6400 {
        let at = dvec3(f64::from(i % 80 - 40), -0.5, f64::from(i / 80 - 40));
        boxes.add(Body::fixed(Cuboid::new(half)?).at(Pose::at(at)?));
        mesh.append(&carom_scenes::PlacedBox::upright(half, at).mesh());
    }
    let mesh = mesh_world(&mesh)?;
    let start = hero(dvec3(0.0, 0.95, 0.0))?;
    let walk = |world: &World| {
        let mut hero = start;
        for tick in 0..6000 {
            let (sin, cos) = ops::sin_cos(2.4 * f64::from(tick / 60));
            hero.step(world, Input::walk(dvec3(cos, 0.0, sin) * 5.0), DT);
        }
        black_box(hero.position());
    };
    measure(
        rounds,
        6000,
        "W10 tick, capsule",
        &mut [("6,400 cuboids", &mut || walk(&boxes)), ("one mesh", &mut || walk(&mesh))],
    );
    Ok(())
}

/// W11: driven boxes.
fn driven(rounds: usize) -> Outcome<()> {
    for side in [10, 32, 100] {
        let mut world = World::new();
        world.add(
            Body::fixed(Cuboid::new(dvec3(500.0, 1.0, 500.0))?).at(Pose::at(dvec3(150.0, -1.0, 150.0))?),
        );
        let half = Cuboid::new(DVec3::splat(0.4))?;
        let mut ids: Vec<BodyId> = Vec::new();
        for i in 0..side * side {
            let at = dvec3(3.0 * f64::from(i % side), 0.5, 3.0 * f64::from(i / side));
            ids.push(world.add(Body::kinematic(half).at(Pose::at(at)?)));
        }
        let mut hero = hero(dvec3(1.5, 0.95, 1.5))?;
        let sphere = Sphere::new(0.3)?;
        let mut random = Random::new(0x11);
        let casts: Vec<Cast> = (0..100)
            .map(|_| {
                let at = random.heading() * random.between(0.0, 20.0) + dvec3(20.0, 1.0, 20.0);
                Cast::new(sphere, at, random.heading() * 5.0)
            })
            .collect::<Result<_, _>>()?;
        let (mut of_advance, mut of_hero, mut of_casts) = (Vec::new(), Vec::new(), Vec::new());
        for tick in 0..60 * rounds {
            let way = if tick / 30 % 2 == 0 { DVec3::X } else { DVec3::NEG_X };
            let times = [
                Instant::now(),
                {
                    world.advance(DT, |moves| {
                        ids.iter().for_each(|id| _ = black_box(moves.drive(*id, way, DVec3::ZERO)));
                    });
                    Instant::now()
                },
                {
                    hero.step(&world, Input::walk(dvec3(2.0, 0.0, 1.0)), DT);
                    Instant::now()
                },
                {
                    black_box(casts.iter().filter(|cast| world.cast(cast).is_some()).count());
                    Instant::now()
                },
            ];
            of_advance.push((times[1] - times[0]).as_secs_f64() * 1e6);
            of_hero.push((times[2] - times[1]).as_secs_f64() * 1e6);
            of_casts.push((times[3] - times[2]).as_secs_f64() * 1e4);
        }
        for (what, mut times) in
            [("advance", of_advance), ("hero's tick", of_hero), ("cast, sphere", of_casts)]
        {
            times.sort_by(f64::total_cmp);
            println!(
                "W11 {:<6} driven boxes            {what:28} {:9.3} µs",
                side * side,
                times[times.len() / 2]
            );
        }
    }
    Ok(())
}

fn main() -> Outcome<()> {
    let rounds = std::env::args().nth(1).map_or(Ok(5), |rounds| rounds.parse())?;
    driven(rounds)?;
    city(rounds)?;
    floor(rounds)?;
    let terrain = Terrain::new(512);
    let mut random = Random::new(0x13);
    let place = |_| {
        let (x, z) = (random.between(16.0, 496.0), random.between(16.0, 496.0));
        dvec3(x, terrain.surface(x, z) + random.between(0.0, 3.0), z)
    };
    let places: Vec<DVec3> = (0..4000).map(place).collect();
    around(rounds, "terrain", &places, &mut [("524,288 triangles", &mesh_world(terrain.mesh())?)])
}
