//! A level in tiles is explored as the level is, to the bit, however few tiles are in memory.

use std::path::Path;

use carom::mesh::MeshData;
use carom_explore::{ExploreError, Explorer, Level, Rules, Stage, Stop, Volumes};
use carom_formats::{
    Convex, Format, Grid, LoadOptions, RawLevel, TileFolder, TileName, Volume, VolumeKind, cut, parse,
};
use carom_scenes::courtyard::courtyard_with_defects;
use carom_scenes::workload::Terrain;
use carom_scenes::{MeshBuilder, Random, SceneMesh};
use glam::{DVec3, dvec3};

use crate::same::yard;
use crate::{cases, saved};

fn raw(mesh: &SceneMesh) -> RawLevel {
    let mut raw = parse(b"v 0 0 0", Format::Obj, &LoadOptions::default()).unwrap();
    (raw.vertices, raw.triangles) = (mesh.vertices.clone(), mesh.triangles.clone());
    raw
}

pub(crate) fn whole(mesh: &SceneMesh) -> Level {
    let (vertices, triangles) = (mesh.vertices.clone(), mesh.triangles.clone());
    Level::new("test", MeshData { vertices, triangles, ..MeshData::default() }).unwrap()
}

fn in_tiles(folder: &Path, mesh: &SceneMesh, (size, margin): (f64, f64), memory: usize) -> Level {
    cut(&raw(mesh), TileName { level: "test", preset: None }, Grid::new(size, margin).unwrap(), folder)
        .unwrap();
    Level::tiled("test", TileFolder::open(folder).unwrap(), memory).unwrap()
}

/// All that an exploration came to, to the bit.
pub(crate) fn explored(level: &Level, rules: &Rules, spawns: &[DVec3]) -> String {
    let mut explorer = Explorer::new(level, rules, spawns).unwrap();
    while explorer.advance() == Stage::Flooding {}
    let findings = explorer.finish();
    assert_eq!(level.fault(), None);
    let (spawns, floor) = (explorer.spawns(), explorer.floor().iter().collect::<Vec<_>>());
    let (places, warnings) = (explorer.places(0).collect::<Vec<_>>(), explorer.warnings());
    let ticks = explorer.progress().ticks;
    format!("{findings:?} {spawns:?} {floor:?} {places:?} {warnings:?} {ticks} {:?}", explorer.coverage())
}

/// Not with the text: it is long.
fn is_same(a: &str, b: &str) -> bool {
    a == b
}

#[test]
fn the_courtyard_is_the_same_in_tiles_of_any_size_and_memory() {
    let yard = courtyard_with_defects();
    let rules = Rules { cell: Some(1.0), ..Rules::default() };
    let expected = explored(&whole(&yard.mesh), &rules, &yard.spawns);
    for (grid, memory) in [((17.3, 5.0), 1), ((8.0, 6.0), 1 << 20)].into_iter().take(cases().div_ceil(2)) {
        let folder = tempfile::tempdir().unwrap();
        let level = in_tiles(folder.path(), &yard.mesh, grid, memory);
        assert!(is_same(&explored(&level, &rules, &yard.spawns), &expected), "tiles of {grid:?} m");
    }
}

#[test]
fn hills_without_a_spawn_are_the_same_in_tiles() {
    let hills = Terrain::new(32);
    let rules = Rules::default();
    let expected = explored(&whole(hills.mesh()), &rules, &[]);
    let folder = tempfile::tempdir().unwrap();
    let level = in_tiles(folder.path(), hills.mesh(), (12.0, 5.0), 1 << 20);
    assert!(is_same(&explored(&level, &rules, &[]), &expected));
}

/// Slabs, walls, beams and loose triangles about a floor.
fn heap(seed: u64) -> SceneMesh {
    let mut random = Random::scattered(seed);
    let mut mesh = MeshBuilder::cuboid_between(dvec3(-4.0, -1.0, -4.0), dvec3(4.0, 0.0, 4.0));
    for _ in 0..12 {
        let at = dvec3(random.between(-5.0, 5.0), random.between(-1.0, 3.0), random.between(-5.0, 5.0));
        let size = dvec3(random.between(0.1, 4.0), random.between(0.1, 2.5), random.between(0.1, 4.0));
        mesh = mesh.and(&MeshBuilder::cuboid_between(at, at + size));
    }
    let mut mesh = mesh.rounded();
    for _ in 0..8 {
        let first = mesh.vertices.len() as u32;
        for _ in 0..3 {
            let reach = random.between(1.0, 15.0);
            let corner = random.direction() * reach;
            mesh.vertices.push(corner.to_array().map(|x| x as f32));
        }
        mesh.triangles.push([first, first + 1, first + 2]);
    }
    mesh
}

#[test]
fn heaps_of_anything_are_the_same_in_tiles() {
    for seed in 0..2 {
        let mesh = heap(seed);
        let mut random = Random::scattered(100 + seed);
        let rules = Rules { cell: Some(0.8), ..Rules::default() };
        let spawns = if seed % 2 == 0 { vec![dvec3(0.0, 8.0, 0.0)] } else { Vec::new() };
        let expected = explored(&whole(&mesh), &rules, &spawns);
        let grid = (random.between(5.0, 12.0), 5.0);
        let folder = tempfile::tempdir().unwrap();
        let level = in_tiles(folder.path(), &mesh, grid, random.below(1 << 20));
        assert!(is_same(&explored(&level, &rules, &spawns), &expected), "seed {seed}");
    }
}

/// A volume that throws a body farther in a tick than the margin reaches.
fn catapult() -> Volumes {
    let piece = Convex::from_box(dvec3(3.0, 0.0, -2.0), dvec3(5.0, 3.0, 2.0)).unwrap();
    let kind = VolumeKind::Push { velocity: dvec3(250.0, 20.0, 90.0) };
    let there = Convex::from_box(dvec3(-9.0, 0.0, -9.0), dvec3(-7.0, 2.0, -7.0)).unwrap();
    let teleport = VolumeKind::Teleport { to: dvec3(38.0, 3.0, 37.0) };
    let named = |name: &str, kind, piece| Volume { name: name.to_owned(), kind, pieces: vec![piece] };
    Volumes::new(vec![named("catapult", kind, piece), named("gate", teleport, there)])
}

#[test]
fn bodies_that_are_thrown_over_several_tiles_in_a_tick_land_at_the_same_places() {
    let slab = |x: f64, z: f64, half: f64, y: f64| {
        MeshBuilder::cuboid_between(dvec3(x - half, y - 1.0, z - half), dvec3(x + half, y, z + half))
    };
    let mesh = slab(0.0, 0.0, 10.0, 0.0)
        .and(&slab(40.0, 40.0, 8.0, 1.0))
        .and(&slab(60.0, 10.0, 25.0, 4.0))
        .rounded();
    let rules = Rules { cell: Some(1.0), ..Rules::default() };
    let spawns = [dvec3(0.0, 0.95, 0.0)];
    let folder = tempfile::tempdir().unwrap();
    let (mut one, mut other) = (whole(&mesh), in_tiles(folder.path(), &mesh, (6.0, 5.0), 1 << 18));
    (one.volumes, other.volumes) = (catapult(), catapult());
    let expected = explored(&one, &rules, &spawns);
    assert!(is_same(&explored(&other, &rules, &spawns), &expected));
}

#[test]
fn a_checkpoint_of_the_level_goes_on_in_its_tiles() {
    let (yard, spawns) = (yard(), [dvec3(0.0, 0.95, 0.0)]);
    let rules = Rules { cell: Some(0.3), jump: 0.0, ..Rules::default() };
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (whole(&yard), in_tiles(folder.path(), &yard, (6.0, 5.0), 1 << 20));
    let mut explorer = Explorer::new(&one, &rules, &spawns).unwrap();
    assert_eq!(explorer.advance(), Stage::Flooding);
    let mut resumed = Explorer::resume(&other, &rules, &spawns, saved(&explorer).as_slice()).unwrap();
    while explorer.advance() == Stage::Flooding {}
    while resumed.advance() == Stage::Flooding {}
    assert_eq!(resumed.finish(), explorer.finish());
}

#[test]
fn a_tile_that_is_lost_on_the_way_ends_the_exploration_and_its_checkpoint_is_good() {
    let hills = Terrain::new(64);
    // So that tiles are read again and again.
    let rules = Rules { cell: Some(0.8), ..Rules::default() };
    let spawns = [dvec3(32.0, 12.0, 32.0)];
    let folder = tempfile::tempdir().unwrap();
    let level = in_tiles(folder.path(), hills.mesh(), (16.0, 5.0), 1);
    let stop = Stop::new();
    let mut explorer = Explorer::stoppable(&level, &rules, &spawns, stop.clone()).unwrap();
    std::fs::remove_file(folder.path().join("tiles/2_2.tile")).unwrap();
    let mut before = saved(&explorer);
    loop {
        let stage = explorer.advance();
        if level.fault().is_some() {
            break;
        }
        assert_eq!(stage, Stage::Flooding);
        before = saved(&explorer);
    }
    assert!(stop.is_set());
    assert_eq!(explorer.advance(), Stage::Stopped);
    assert!(matches!(level.fault(), Some(ExploreError::Tiles(said)) if said.contains("2_2.tile")));
    // Nothing that was found without the tile was taken in.
    assert_eq!(saved(&explorer), before);
    let missing = Level::tiled("test", TileFolder::open(folder.path()).unwrap(), 1).unwrap_err();
    assert!(missing.to_string().contains("tile 2, 2 is missing"), "{missing}");
}

#[test]
fn a_margin_that_a_tick_may_cross_is_refused_with_one_that_it_does_not() {
    let hills = Terrain::new(16);
    let folder = tempfile::tempdir().unwrap();
    let level = in_tiles(folder.path(), hills.mesh(), (8.0, 2.0), 1 << 20);
    let refused = Explorer::new(&level, &Rules::default(), &[]).unwrap_err();
    assert!(matches!(refused, ExploreError::Margin { margin: 2.0, .. }), "{refused}");
    let said = refused.to_string();
    let needed = said.split("--margin ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let level = in_tiles(folder.path(), hills.mesh(), (8.0, needed.parse().unwrap()), 1 << 20);
    assert!(Explorer::new(&level, &Rules::default(), &[]).is_ok());
}
