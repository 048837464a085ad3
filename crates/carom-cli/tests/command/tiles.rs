//! `carom tile`, and the commands on its folders.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use carom_scenes::courtyard::courtyard_with_defects;
use carom_scenes::workload::Terrain;
use carom_scenes::{Random, SceneMesh};
use serde_json::{Value, json};

use crate::leaks::room;
use crate::report::HOLED;
use crate::{Files, assert_refused, run, text_of};

pub(crate) fn obj(mesh: &SceneMesh) -> String {
    let mut text = String::new();
    for [x, y, z] in &mesh.vertices {
        writeln!(text, "v {x} {y} {z}").unwrap();
    }
    for [a, b, c] in &mesh.triangles {
        writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1).unwrap();
    }
    text
}

/// All files of a folder by name, but for what each run costs.
pub(crate) fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for name in ["", "witness", "picture"] {
        for entry in std::fs::read_dir(folder.join(name)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                continue;
            }
            let mut bytes = std::fs::read(&path).unwrap();
            let file = path.file_name().unwrap().to_str().unwrap();
            if file == "report.json" {
                let mut report: Value = serde_json::from_slice(&bytes).unwrap();
                report.as_object_mut().unwrap().remove("cost").unwrap();
                bytes = report.to_string().into_bytes();
            } else if file == "report.html" {
                let page = String::from_utf8(bytes).unwrap();
                let (before, after) = page.split_once("\"cost\":\"").unwrap();
                bytes = (before.to_owned() + after.split_once('"').unwrap().1).into_bytes();
            }
            files.insert(format!("{name}/{file}"), bytes);
        }
    }
    files
}

/// Explores a level and its tiles, which have the same name, and compares the two reports to the byte.
fn explores_alike(files: &Files, level: &str, options: &[&str], size: &str) {
    let name = Path::new(level).file_name().unwrap().to_str().unwrap();
    let world = text_of(&files.path("cut").join(name));
    let said = run(&["tile", level, "--size", size, "--out", &world]);
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{level}");
    let report = |level: &str, folder: &str| {
        let folder = files.path(folder);
        let said = run(&[&["explore", level, "--out", &text_of(&folder)], options].concat());
        assert!(said.code < 2, "{}", said.err);
        contents(&folder)
    };
    let (whole, tiled) = (report(level, "of the level"), report(&world, "of the tiles"));
    assert!(whole.len() >= 4, "{:?}", whole.keys());
    assert_eq!(whole.keys().collect::<Vec<_>>(), tiled.keys().collect::<Vec<_>>());
    for (name, bytes) in &whole {
        assert!(bytes == &tiled[name], "{level}: {name} differs");
    }
}

#[test]
fn a_level_and_its_tiles_have_the_same_report_to_the_byte() {
    let files = Files::new();
    let holed = files.write("porch.obj", HOLED);
    explores_alike(&files, &holed, &["--spawn", "2,0.95,3"], "5");
    explores_alike(&files, &holed, &[], "6.5");
    let hills = files.write("hills.obj", &obj(Terrain::new(40).mesh()));
    explores_alike(&files, &hills, &["--threads", "1"], "16");
}

#[test]
fn a_closed_level_and_its_tiles_have_the_same_floor() {
    let files = Files::new();
    // The floor on the roof of the closed one is where no body comes.
    let reports = [("closed.map", vec![]), ("open.map", vec![2])].map(|(name, without)| {
        let level = files.write(name, &room(&without));
        explores_alike(&files, &level, &[], "7");
        let report = std::fs::read(files.path("of the tiles").join("report.json")).unwrap();
        let walkable = serde_json::from_slice::<Value>(&report).unwrap()["coverage"]["walkable_m2"].clone();
        (walkable.as_f64().unwrap(), files.path("cut").join(name))
    });
    let [(closed, world), (open, other)] = reports;
    assert!(closed > 20.0 && open > 1.5 * closed, "{closed} and {open} m²");
    assert!(!other.join("source").exists());
    let source = world.join("source");
    let mut bytes = std::fs::read(&source).unwrap();
    bytes.push(b'\n');
    std::fs::write(&source, bytes).unwrap();
    let refused = |part: &str| assert_refused(&run(&["explore", &text_of(&world)]), &["source", part]);
    refused("has changed");
    std::fs::remove_file(&source).unwrap();
    refused("cannot be read");
}

#[test]
fn the_courtyard_and_its_tiles_have_the_same_report_to_the_byte() {
    let files = Files::new();
    let yard = courtyard_with_defects();
    let level = files.write("courtyard.obj", &obj(&yard.mesh));
    let spawns: Vec<String> =
        yard.spawns.iter().flat_map(|p| ["--spawn".to_owned(), format!("{},{},{}", p.x, p.y, p.z)]).collect();
    let options: Vec<&str> = spawns.iter().map(String::as_str).collect();
    explores_alike(&files, &level, &options, "10");
}

#[test]
fn a_real_level_and_its_tiles_have_the_same_report_to_the_byte() {
    let Some(data) = std::env::var_os("CAROM_DATA") else {
        println!("skipped: CAROM_DATA names no folder with levels");
        return;
    };
    let files = Files::new();
    let level = text_of(&Path::new(&data).join("recast_nav/nav_test.obj"));
    explores_alike(&files, &level, &["--cell", "1"], "20");
}

#[test]
fn generated_tiles_are_those_of_the_level() {
    let files = Files::new();
    let options = carom_formats::LoadOptions::default();
    for (quads, size, margin) in
        [(1, "0.5", "0.5"), (40, "16", "8"), (40, "7.3", "1"), (33, "200", "3"), (9, "3", "0.1")]
    {
        let (world, cut) = (files.path("world"), files.path("cut"));
        let terrain = Terrain::new(quads);
        let level = files.write("hills.obj", &obj(terrain.mesh()));
        for (level, out) in [(&format!("terrain:{quads}"), &world), (&level, &cut)] {
            let said = run(&["tile", level, "--size", size, "--margin", margin, "--out", &text_of(out)]);
            assert_eq!((said.code, said.err.as_str()), (0, ""));
        }
        let read = carom_formats::load(&world, &options).unwrap();
        assert_eq!((&read.vertices, &read.triangles), (&terrain.mesh().vertices, &terrain.mesh().triangles));
        let [generated, cut] = [&world, &cut].map(|path| carom_formats::TileFolder::open(path).unwrap());
        assert_eq!(generated.totals(), cut.totals());
        let has_triangles = |world: &carom_formats::TileFolder| {
            let entries = world.tiles().to_vec();
            entries.iter().map(|entry| world.tile(entry).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(has_triangles(&generated), has_triangles(&cut));
    }
}

#[test]
fn walks_and_casts_are_the_same_over_tiles() {
    let files = Files::new();
    let hills = files.write("hills.obj", &obj(Terrain::new(60).mesh()));
    let world = text_of(&files.path("world"));
    assert_eq!(run(&["tile", &hills, "--size", "16", "--out", &world]).code, 0);
    let walk = |level: &str| {
        let scene = json!({ "ticks": 600, "bodies": [{ "name": "level", "file": level }], "characters": [{
            "name": "hero", "shape": { "ellipsoid": { "radii": [0.4, 0.9, 0.4] } }, "position": [5, 12, 5],
            "input": [{ "from": 0, "until": 10, "move": [4, 0, 3] }] }] });
        let said = run(&["walk", &files.write("scene.json", &scene.to_string())]);
        assert_eq!(said.code, 0, "{}", said.err);
        said.out
    };
    assert_eq!(walk("hills.obj"), walk("world"));
    let mut random = Random::new(1);
    let mut queries = String::new();
    for _ in 0..300 {
        let from = [random.between(-5.0, 65.0), random.between(0.0, 9.0), random.between(-5.0, 65.0)];
        let way: [f64; 3] = std::array::from_fn(|_| random.between(-60.0, 60.0));
        let query = json!({ "shape": { "sphere": { "radius": 0.5 } }, "from": from, "translation": way });
        writeln!(queries, "{query}").unwrap();
    }
    let queries = files.write("queries.jsonl", &queries);
    let [whole, tiled] = [&hills, &world].map(|level| run(&["cast", level, "--in", &queries]).out);
    assert_eq!(whole.lines().count(), 300);
    assert_eq!(whole, tiled);
}

#[test]
fn what_is_no_world_is_refused_by_name() {
    let files = Files::new();
    let holed = files.write("porch.obj", HOLED);
    let (world, other) = (text_of(&files.path("world")), text_of(&files.path("other")));
    assert_eq!(run(&["tile", &holed, "--size", "4", "--out", &world]).code, 0);
    assert_eq!(run(&["tile", "terrain:8", "--size", "4", "--out", &other]).code, 0);
    let tile = files.path("world").join("tiles/0_1.tile");
    let good = std::fs::read(&tile).unwrap();
    for command in ["explore", "inspect"] {
        let refused = |parts: &[&str]| assert_refused(&run(&[command, &world]), parts);
        std::fs::write(&tile, &good[..good.len() - 1]).unwrap();
        refused(&["tile 0, 1 has changed", "0_1.tile"]);
        std::fs::copy(files.path("other").join("tiles/0_1.tile"), &tile).unwrap();
        refused(&["tile 0, 1 is of another world", "0_1.tile"]);
        std::fs::remove_file(&tile).unwrap();
        refused(&["tile 0, 1 is missing", "0_1.tile"]);
        std::fs::write(&tile, &good).unwrap();
        assert_refused(&run(&[command, &world, "--scale", "2"]), &["--scale 1", "leave out"]);
        let empty = files.path("nothing");
        std::fs::create_dir_all(&empty).unwrap();
        assert_refused(&run(&[command, &text_of(&empty)]), &["nothing", "no world.json"]);
    }
}

#[test]
fn a_cut_that_makes_no_sense_is_refused_and_writes_nothing() {
    let files = Files::new();
    let holed = files.write("porch.obj", HOLED);
    let out = text_of(&files.path("world"));
    for (options, parts) in [
        (&["--size", "0"][..], &["0 m", "above 0"][..]),
        (&["--size", "-3"], &["-3 m", "above 0"]),
        (&["--size", "NaN"], &["NaN m", "above 0"]),
        (&["--size", "inf"], &["inf m", "at most"]),
        (&["--size", "4", "--margin", "5"], &["margin of 5 m", "at most the size"]),
        (&["--size", "4", "--margin", "0"], &["margin of 0 m", "above 0"]),
        (&["--size", "0.001", "--margin", "0.001"], &["larger size"]),
    ] {
        assert_refused(&run(&[&["tile", &holed, "--out", &out], options].concat()), parts);
    }
    for (level, parts) in [
        ("terrain:0", &["terrain:0", "from 1 to"][..]),
        ("terrain:-1", &["terrain:-1", "from 1 to"]),
        ("terrain:ten", &["terrain:ten", "whole number"]),
        ("terrain:99999999999999999999", &["from 1 to"]),
        ("no such.obj", &["no such.obj"]),
    ] {
        assert_refused(&run(&["tile", level, "--out", &out]), parts);
    }
    assert_refused(&run(&["tile", "terrain:4", "--up", "z", "--out", &out]), &["--up", "terrain"]);
    let few = ["tile", "terrain:40000", "--size", "1", "--margin", "1", "--out", &out];
    assert_refused(&run(&few), &["more than a million"]);
    assert!(!files.path("world").exists());
    // The folder of the level itself holds the level.
    let here = text_of(files.path("porch.obj").parent().unwrap());
    assert_refused(&run(&["tile", &holed, "--out", &here]), &["itself"]);
    let occupied = files.path("occupied");
    std::fs::create_dir_all(&occupied).unwrap();
    std::fs::write(occupied.join("thesis.txt"), "years").unwrap();
    assert_refused(&run(&["tile", &holed, "--out", &text_of(&occupied)]), &["thesis.txt", "empty folder"]);
    assert_eq!(std::fs::read(occupied.join("thesis.txt")).unwrap(), b"years");
}
