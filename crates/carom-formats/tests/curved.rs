//! Spheres, ellipsoids, capsules and cuboids on the curved patches of real levels and of the teapot, beside
//! subdivision from both sides. The folder is that of `CAROM_DATA`; `CAROM_CASTS` says how many casts (300
//! by default).
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../../carom/tests/patches/brackets.rs"]
mod brackets;
#[path = "../../carom/tests/patches/judge.rs"]
mod judge;
mod random;

use std::path::{Path as FilePath, PathBuf};

use carom::character::{Character, Input, Settings, TickInput};
use carom::mesh::{Mesh, MeshData};
use carom::shape::BezierPatch;
use carom::sweep::Path;
use carom::world::{Body, Cast, Neighborhood, World};
use carom::{Capsule, Cuboid, Ellipsoid, Layers, Mover, Sphere};
use carom_formats::{Format, LoadOptions, Patches, load};
use carom_scenes::real;
use glam::{DVec3, dvec3};
use judge::{Tally, judge};
use random::Random;

/// The patches of the teapot: a count, then for each its degrees and rows of points.
fn teapot(text: &str) -> Vec<BezierPatch> {
    let mut numbers = text.split_whitespace().map(|word| word.parse::<f64>().unwrap());
    let count = numbers.next().unwrap() as usize;
    (0..count)
        .map(|_| {
            let degrees = [numbers.next().unwrap() as usize, numbers.next().unwrap() as usize];
            let points = (degrees[0] + 1) * (degrees[1] + 1);
            let mut next = || numbers.next().unwrap();
            let points: Vec<DVec3> = (0..points).map(|_| dvec3(next(), next(), next())).collect();
            BezierPatch::new(degrees, &points).unwrap()
        })
        .collect()
}

/// The teapot, and the levels that have patches, each with its name.
fn sets(data: &FilePath) -> Vec<(String, Vec<BezierPatch>)> {
    let is_level =
        |path: &std::path::Path| matches!(Format::from_path(path), Some(Format::Bsp | Format::Map));
    let options = LoadOptions { patches: Patches::Curved, ..LoadOptions::default() };
    let text = std::fs::read_to_string(data.join("teapot_bezier/teapot.bpt")).unwrap();
    let mut sets = vec![("teapot.bpt".to_owned(), teapot(&text))];
    for path in real::files_below(data, is_level).unwrap() {
        let level = load(&path, &options).unwrap();
        if !level.patches.is_empty() {
            sets.push((path.file_name().unwrap().to_string_lossy().into_owned(), level.patches));
        }
    }
    sets
}

#[test]
fn movers_meet_real_patches_neither_late_nor_early() {
    let Some(data) = real::folder() else { return };
    let casts = std::env::var("CAROM_CASTS").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    let sets: Vec<Vec<BezierPatch>> = sets(&data).into_iter().map(|(_, patches)| patches).collect();
    let patches: usize = sets.iter().map(Vec::len).sum();
    let mut random = Random(22);
    let mut tally = Tally::default();
    while tally.casts < casts {
        let set = &sets[random.bits() as usize % sets.len()];
        let patch = &set[random.bits() as usize % set.len()];
        let size = patch.size();
        let mut radius =
            || size * [0.02, 0.1, 0.3, 1.0][random.bits() as usize % 4] * (1.0 + 0.5 * random.unit());
        let radii = dvec3(radius(), radius(), radius());
        let mover: Mover = match random.bits() % 4 {
            0 => Sphere::new(radii.x).unwrap().into(),
            1 => Ellipsoid::new(radii).unwrap().into(),
            2 => Cuboid::new(radii).unwrap().into(),
            // Upright like the cuboids, as characters are: levels are full of walls that go straight along
            // them.
            _ => Capsule::new(radii.x, radii.y).unwrap().into(),
        };
        let bounds = patch.bounds();
        let aim = bounds.center() + bounds.half_extents() * random.vector();
        let from = aim + random.vector() * (3.0 * size + radii.max_element());
        let way = (aim - from) * (1.25 + 0.75 * random.unit());
        judge(&mut tally, &mover, &Path::new(from, way).unwrap(), patch);
    }
    println!("{patches} patches of {} files, {tally:?}", sets.len());
    assert!(sets.len() >= 4 && tally.hits * 5 > casts && tally.late == 0 && tally.early == 0, "{tally:?}");
}

/// Nanoseconds of all casts, `casts[i]` in `worlds[i]`, which all hit: the least time of nine runs in each
/// world.
fn time(worlds: &[World], casts: &[Vec<Cast>]) -> f64 {
    let mut sum = 0.0;
    for (world, casts) in worlds.iter().zip(casts) {
        let mut least = f64::INFINITY;
        for _ in 0..9 {
            let clock = std::time::Instant::now();
            let all_hit = casts.iter().all(|cast| world.cast(cast).is_some());
            least = least.min(clock.elapsed().as_secs_f64() * 1e9);
            assert!(all_hit);
        }
        sum += least;
    }
    sum
}

/// Casts of a character's size at points of a surface, from all sides.
fn casts_at(random: &mut Random, mover: Mover, size: f64, point: &dyn Fn(&mut Random) -> DVec3) -> Vec<Cast> {
    (0..8)
        .map(|_| {
            let aim = point(random);
            let side = loop {
                let side = random.vector();
                if side.length() > 0.5 {
                    break side.normalize();
                }
            };
            let from = aim + side * (3.0 * size + 3.0);
            Cast::new(mover, from, (aim - from) * 1.3).unwrap()
        })
        .collect()
}

#[test]
#[ignore = "prints what docs/patches.md cites"]
fn figures_of_real_patches() {
    let Some(data) = real::folder() else { return };
    let movers: [(&str, Mover); 5] = [
        ("point", Mover::Point),
        ("sphere", Sphere::new(0.4).unwrap().into()),
        ("ellipsoid", Ellipsoid::new(dvec3(0.4, 0.9, 0.4)).unwrap().into()),
        ("capsule", Capsule::new(0.4, 0.5).unwrap().into()),
        ("cuboid", Cuboid::new(dvec3(0.4, 0.9, 0.4)).unwrap().into()),
    ];
    let corners = |patch: &BezierPatch| [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(|[u, v]| patch.point(u, v));
    // Of all levels together, without the teapot: casts, and nanoseconds on triangles and on patches.
    let mut all = [(0, [0.0; 2]); 5];
    for (name, patches) in sets(&data) {
        // Patches that begin with a collapsed edge have no such triangle.
        let has_area = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a).length_squared() > 0.0;
        let patches: Vec<BezierPatch> = patches.into_iter().filter(|p| has_area(corners(p))).collect();
        let flat: Vec<World> = patches.iter().map(|patch| world(triangle(corners(patch)))).collect();
        let curved: Vec<World> = patches.iter().map(|patch| world(Body::fixed(*patch))).collect();
        for ((kind, mover), all) in movers.iter().zip(&mut all) {
            let mut random = Random(23);
            let (mut on_triangles, mut on_patches) = (Vec::new(), Vec::new());
            for patch in &patches {
                let [a, b, c] = corners(patch);
                on_triangles.push(casts_at(&mut random, *mover, patch.size(), &|random: &mut Random| {
                    let (u, v) = (0.25 + 0.25 * random.unit(), 0.25 + 0.25 * random.unit());
                    a + (b - a) * u + (c - a) * v
                }));
                on_patches.push(casts_at(&mut random, *mover, patch.size(), &|random: &mut Random| {
                    patch.point(0.5 + 0.5 * random.unit(), 0.5 + 0.5 * random.unit())
                }));
            }
            let times = [time(&flat, &on_triangles), time(&curved, &on_patches)];
            let count = 8 * patches.len();
            println!("{name}, {} patches: {}", patches.len(), figure(kind, count, times));
            if !name.starts_with("teapot") {
                *all = (all.0 + count, [all.1[0] + times[0], all.1[1] + times[1]]);
            }
        }
    }
    for ((kind, _), (count, times)) in movers.iter().zip(all) {
        println!("all levels: {}", figure(kind, count, times));
    }
}

/// A level with its patches, the same level of triangles, and characters beside patches.
struct Level {
    name: String,
    patches: usize,
    worlds: [World; 2],
    heroes: Vec<(Character, DVec3)>,
}

fn levels(data: &FilePath) -> Vec<Level> {
    let files = real::files_below(data, |path| Format::from_path(path) == Some(Format::Bsp)).unwrap();
    let level = |path: PathBuf| {
        let options = LoadOptions { patches: Patches::Curved, ..LoadOptions::default() };
        let curved = load(&path, &options).unwrap();
        if curved.patches.is_empty() {
            return None;
        }
        let flat = load(&path, &LoadOptions::default()).unwrap().into_mesh().unwrap();
        let patches = curved.patches.clone();
        let mut worlds = [world(Body::fixed(curved.into_mesh().unwrap())), world(Body::fixed(flat))];
        worlds[0].add(Body::fixed(patches.clone()));
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        Some(Level { name, patches: patches.len(), heroes: heroes(&worlds, &patches), worlds })
    };
    files.into_iter().filter_map(level).collect()
}

/// Curved walls hold no character that slides along their triangles.
#[test]
fn characters_come_as_far_among_patches_as_among_triangles() {
    let Some(data) = real::folder() else { return };
    let levels = levels(&data);
    assert!(levels.len() >= 3, "{} levels with patches", levels.len());
    for Level { name, worlds, heroes, .. } in levels {
        let few: Vec<_> = heroes.into_iter().step_by(5).collect();
        let [curved, flat] = worlds.map(|world| walk(&world, &few));
        let [far, as_far] = [&curved, &flat].map(|ways| ways.iter().sum::<f64>());
        // Head on against an edge one may slide off to the left, and the other stay.
        let held = curved.iter().zip(&flat).filter(|(curved, flat)| **curved < 0.5 * **flat).count();
        println!("{name}: {} characters, {far:.2} m and {as_far:.2} m; {held} not half as far", few.len());
        assert!(far > 0.98 * as_far && held * 50 <= few.len(), "{name}");
    }
}

/// Characters that walk to the patches of whole levels, beside ones in the same levels of triangles.
#[test]
#[ignore = "prints what docs/patches.md cites"]
fn figures_of_characters_beside_patches() {
    let Some(data) = real::folder() else { return };
    for Level { name, patches, worlds, heroes } in levels(&data) {
        // A tick on patches, and one on triangles: the least of five runs.
        let [on_patches, on_triangles] = worlds.map(|world| {
            let runs = (0..5).map(|_| {
                let clock = std::time::Instant::now();
                walk(&world, &heroes);
                clock.elapsed().as_secs_f64()
            });
            runs.fold(f64::INFINITY, f64::min) * 1e9 / (heroes.len() as f64 * f64::from(TICKS))
        });
        println!(
            "{name}: {} characters beside {patches} patches, {on_patches:.0} ns a tick; beside their triangles {on_triangles:.0} ns: {:.1} times",
            heroes.len(),
            on_patches / on_triangles
        );
    }
}

/// Capsules of a character's size that stand on or near patches, with room in all worlds, each with the place
/// on a patch to which it will walk.
fn heroes(worlds: &[World], patches: &[BezierPatch]) -> Vec<(Character, DVec3)> {
    let mut random = Random(29);
    let capsule = Capsule::new(0.4, 0.5).unwrap();
    let mut heroes = Vec::new();
    for patch in patches {
        for _ in 0..8 {
            let goal = patch.point(0.5 + 0.5 * random.unit(), 0.5 + 0.5 * random.unit());
            let above = goal + random.vector().with_y(0.0) * 2.0 + DVec3::Y * 2.0;
            let Some(hit) = worlds[0].cast(&Cast::new(capsule, above, DVec3::Y * -6.0).unwrap()) else {
                continue;
            };
            // Half a millimeter above where it stands: as far as a character hovers.
            let at = above + DVec3::Y * (0.0005 - 6.0 * hit.fraction);
            let hero = Character::new(capsule, Settings::default()).unwrap().at(at).unwrap();
            let stands = |world: &World| {
                world.overlaps(capsule, at, Layers::ALL).unwrap().is_empty()
                    && hero.clone().step(world, Input::walk(DVec3::ZERO), 1.0 / 60.0).ground.is_some()
            };
            if worlds.iter().all(stands) {
                heroes.push((hero, goal));
            }
        }
    }
    heroes
}

/// Half a second.
const TICKS: u32 = 30;

/// All walk for half a second. How far each comes on its way, in meters.
fn walk(world: &World, heroes: &[(Character, DVec3)]) -> Vec<f64> {
    let walk = |(hero, goal): &(Character, DVec3)| {
        let (mut hero, mut near) = (*hero, Neighborhood::new());
        let heading = (*goal - hero.position()).with_y(0.0).normalize_or_zero() * 4.0;
        let mut way = 0.0;
        for _ in 0..TICKS {
            let before = hero.position();
            let input = TickInput::new(Input::walk(heading), 1.0 / 60.0);
            hero.step_with(world, input, &mut near, &mut ());
            way += (hero.position() - before).length();
        }
        way
    };
    heroes.iter().map(walk).collect()
}

fn figure(kind: &str, count: usize, times: [f64; 2]) -> String {
    let [triangle, patch] = times.map(|time| time / count as f64);
    format!("{kind}, {triangle:.0} ns on a triangle, {patch:.0} ns on a patch: {:.1} times", patch / triangle)
}

fn world(body: Body) -> World {
    let mut world = World::new();
    world.add(body);
    world
}

fn triangle(corners: [DVec3; 3]) -> Body {
    let vertices = corners.map(|p| p.to_array().map(|x| x as f32)).to_vec();
    let data = MeshData { vertices, triangles: vec![[0, 1, 2]], ..MeshData::default() };
    Body::fixed(Mesh::new(data).unwrap())
}
