//! Levels in tiles: together they are the level to the bit, each has all that touches it, and nothing but
//! whole worlds is read.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::path::Path;

use carom_formats::{
    Format, Grid, LoadError, LoadOptions, RawLevel, TileError, TileFolder, TileName, TileWriter, Up,
    checksum, cut, load, parse,
};
use carom_scenes::Random;

fn without_preset(level: &str) -> TileName<'_> {
    TileName { level, preset: None }
}

/// Triangles of many sizes, some of them points and lines, with vertices that none uses.
fn soup(seed: u64) -> RawLevel {
    let mut random = Random::scattered(seed);
    let mut level = parse(b"v 0 0 0", Format::Obj, &LoadOptions::default()).unwrap();
    let reach = [1.0, 30.0, 400.0][random.below(3)];
    let count = 1 + random.below(60);
    level.vertices =
        (0..count).map(|_| std::array::from_fn(|_| random.between(-reach, reach) as f32)).collect();
    level.vertices.push([64.0, -0.0, -64.0]);
    level.triangles = (0..1 + random.below(80))
        .map(|_| {
            let first = random.below(count);
            std::array::from_fn(|_| ((first + random.below(4)) % count) as u32)
        })
        .collect();
    if random.below(2) == 0 {
        level.surfaces = vec!["floor".to_owned(), "wall".to_owned()];
        level.colors = vec![None, Some([0.5, 0.1, 0.0])];
        level.surface_ids = level.triangles.iter().map(|_| random.below(2) as u16).collect();
    } else {
        level.surfaces = vec!["default".to_owned()];
        level.colors = vec![None];
    }
    level
}

#[test]
fn tiles_together_are_the_level_to_the_bit_and_each_has_all_that_touches_it() {
    for seed in 0..200 {
        let level = soup(seed);
        let mut random = Random::scattered(!seed);
        // From one tile to about a hundred.
        let reach = level.vertices.as_flattened().iter().fold(1.0f64, |most, x| most.max(f64::from(x.abs())));
        let size = random.between(0.2 * reach, 2.0 * reach);
        let grid = Grid::new(size, random.between(0.1, size)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("world");
        let count = cut(&level, without_preset("soup"), grid, &path).unwrap();
        let world = TileFolder::open(&path).unwrap();
        assert_eq!((world.tiles().len(), world.level().grid), (count, grid), "seed {seed}");
        let read = load(&path, &LoadOptions::default()).unwrap();
        assert_eq!(checksum(&read.vertices, &read.triangles), checksum(&level.vertices, &level.triangles));
        assert_eq!(read, level, "seed {seed}");
        let corners = |number: u32| level.triangles[number as usize].map(|i| level.vertices[i as usize]);
        for entry in world.tiles() {
            let tile = world.tile(entry).unwrap();
            assert_eq!((tile.at, tile.triangles.len()), (entry.at, entry.triangles as usize));
            let has: BTreeSet<u32> = tile.triangle_numbers.iter().copied().collect();
            for number in 0..level.triangles.len() as u32 {
                let touches = [0, 2].into_iter().zip(entry.at).all(|(axis, at)| {
                    let x = corners(number).map(|p| f64::from(p[axis]));
                    let (low, high) = (x[0].min(x[1]).min(x[2]), x[0].max(x[1]).max(x[2]));
                    let square = f64::from(at) * size;
                    low <= square + size + grid.margin && high >= square - grid.margin
                });
                assert_eq!(
                    has.contains(&number),
                    touches,
                    "seed {seed} tile {:?} triangle {number}",
                    entry.at
                );
            }
            for (number, local) in tile.triangle_numbers.iter().zip(&tile.triangles) {
                assert_eq!(local.map(|i| tile.vertices[i as usize]), corners(*number));
            }
        }
    }
}

fn world(folder: &Path, name: &str, level: &RawLevel) -> std::path::PathBuf {
    let path = folder.join(name);
    cut(level, without_preset(name), Grid::new(64.0, 8.0).unwrap(), &path).unwrap();
    path
}

fn refused(path: &Path) -> TileError {
    match load(path, &LoadOptions::default()).unwrap_err() {
        LoadError::Tiles(error) => error,
        other => panic!("{other}"),
    }
}

#[test]
fn a_tile_that_is_missing_changed_or_of_another_world_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let level = soup(3);
    let mut other = level.clone();
    other.vertices[0][1] += 1.0;
    let (path, foreign) = (world(folder.path(), "world", &level), world(folder.path(), "other", &other));
    let at = TileFolder::open(&path).unwrap().tiles()[0].at;
    let name = format!("tiles/{}_{}.tile", at[0], at[1]);
    let file = path.join(&name);
    let good = std::fs::read(&file).unwrap();
    let said = |error: TileError| {
        let said = error.to_string();
        assert!(said.contains(&name) && said.contains(&format!("tile {}, {}", at[0], at[1])), "{said}");
        error
    };
    std::fs::remove_file(&file).unwrap();
    assert!(matches!(said(refused(&path)), TileError::Missing { .. }));
    std::fs::write(&file, std::fs::read(foreign.join(&name)).unwrap()).unwrap();
    assert!(matches!(said(refused(&path)), TileError::OtherWorld { .. }));
    let mut random = Random::new(7);
    for _ in 0..200 {
        let mut bytes = good.clone();
        match random.below(3) {
            0 => bytes.truncate(random.below(good.len())),
            1 => bytes.push(random.bits() as u8),
            // Not the number of the world.
            _ => bytes[16 + random.below(good.len() - 16)] ^= 1 << random.below(8),
        }
        std::fs::write(&file, bytes).unwrap();
        assert!(matches!(said(refused(&path)), TileError::Changed { .. }));
    }
    std::fs::write(&file, good).unwrap();
    assert_eq!(load(&path, &LoadOptions::default()).unwrap(), level);
}

#[test]
fn an_index_of_other_tiles_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = world(folder.path(), "world", &soup(4));
    let index = path.join("world.json");
    let json = std::fs::read_to_string(&index).unwrap();
    let totals = *TileFolder::open(&path).unwrap().totals();
    let hash = format!("\"hash\":\"{:016x}\"", totals.hash);
    for (from, to) in [
        (format!("\"triangles\":{}", totals.triangles), format!("\"triangles\":{}", totals.triangles + 1)),
        (format!("\"triangles\":{}", totals.triangles), "\"triangles\":4000000000".to_owned()),
        (format!("\"vertices\":{}", totals.vertices), format!("\"vertices\":{}", totals.vertices + 1)),
        (format!("\"vertices\":{}", totals.vertices), "\"vertices\":1".to_owned()),
        (hash, format!("\"hash\":\"{:016x}\"", totals.hash ^ 1)),
    ] {
        assert!(json.contains(&from), "{from}");
        std::fs::write(&index, json.replacen(&from, &to, 1)).unwrap();
        let error = load(&path, &LoadOptions::default()).unwrap_err().to_string();
        assert!(error.contains("do not match its level") || error.contains("more than"), "{error}");
    }
    std::fs::remove_file(&index).unwrap();
    assert!(matches!(refused(&path), TileError::NoIndex(_)));
}

#[test]
fn the_axis_and_the_scale_are_those_of_the_cut() {
    let folder = tempfile::tempdir().unwrap();
    let mut level = soup(5);
    (level.up, level.scale) = (Up::Z, 0.5);
    let path = world(folder.path(), "world", &level);
    let same = LoadOptions { up: Some(Up::Z), scale: Some(0.5), ..LoadOptions::default() };
    assert_eq!(load(&path, &same).unwrap(), level);
    for options in [LoadOptions { up: Some(Up::Y), ..same }, LoadOptions { scale: Some(2.0), ..same }] {
        let error = load(&path, &options).unwrap_err().to_string();
        assert!(error.contains("--up z --scale 0.5"), "{error}");
    }
}

#[test]
fn a_folder_that_holds_something_else_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let level = soup(6);
    let path = world(folder.path(), "world", &level);
    // Tiles are replaced by those of another cut, and none of them stays.
    cut(&soup(7), without_preset("world"), Grid::new(16.0, 4.0).unwrap(), &path).unwrap();
    assert_eq!(world(folder.path(), "world", &level), path);
    assert_eq!(load(&path, &LoadOptions::default()).unwrap(), level);
    let files = std::fs::read_dir(path.join("tiles")).unwrap().count();
    assert_eq!(files, TileFolder::open(&path).unwrap().tiles().len());
    for (file, named) in [
        ("notes.txt", "notes.txt"),
        ("tiles/1_2.tile.txt", "tiles/1_2.tile.txt"),
        ("tiles/a_2.tile", "tiles/a_2.tile"),
        ("world.json", "world.json of something else"),
    ] {
        let path = folder.path().join(named.replace('/', "_"));
        std::fs::create_dir_all(path.join("tiles")).unwrap();
        std::fs::write(path.join(file), "[1]").unwrap();
        let error = cut(&level, without_preset("world"), Grid::new(64.0, 8.0).unwrap(), &path).unwrap_err();
        assert!(error.to_string().contains(named), "{error}");
        assert_eq!(std::fs::read(path.join(file)).unwrap(), b"[1]");
    }
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(matches!(TileWriter::check(&file), Err(TileError::Occupied { .. })));
}

#[test]
fn what_makes_no_tiles_is_refused_before_a_folder_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world");
    let try_cut = |level: &RawLevel, size: f64| {
        let said = cut(level, without_preset("world"), Grid::new(size, size).unwrap(), &path)
            .unwrap_err()
            .to_string();
        assert!(!path.exists());
        said
    };
    let level = soup(8);
    let mut empty = level.clone();
    empty.triangles.clear();
    assert!(try_cut(&empty, 64.0).contains("no triangles"));
    let mut nan = level.clone();
    nan.vertices[1][2] = f32::NAN;
    assert!(try_cut(&nan, 64.0).contains("vertex 1 is not finite"));
    let mut far = level.clone();
    far.vertices[2][0] = 1e9;
    assert!(try_cut(&far, 64.0).contains("vertex 2 is more than a million tiles"));
    let mut wide = level;
    wide.vertices[0] = [0.0; 3];
    wide.vertices[1] = [9000.0, 0.0, 0.0];
    wide.vertices[2] = [0.0, 0.0, 9000.0];
    wide.triangles[0] = [0, 1, 2];
    assert!(try_cut(&wide, 0.1).contains("use a larger size"));
}
