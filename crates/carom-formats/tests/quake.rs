//! Levels of Quake and its descendants, in the folder that `CAROM_DATA` names.

use std::path::{Path, PathBuf};
use std::time::Instant;

use carom_formats::{Format, LoadOptions, RawLevel, VolumeKind, load, parse};
use carom_scenes::real;

/// Those whose extension is .bsp or .map.
fn files(data: &Path) -> Vec<PathBuf> {
    real::files_below(data, |path| matches!(Format::from_path(path), Some(Format::Bsp | Format::Map)))
        .expect("the folder is readable")
}

fn read(path: &Path) -> RawLevel {
    load(path, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_level_is_read_with_its_spawns() {
    let Some(data) = real::folder() else { return };
    for path in files(&data) {
        let start = Instant::now();
        let level = read(&path);
        let seconds = start.elapsed().as_secs_f64();
        let spawns = level
            .places
            .iter()
            .filter(|place| place.name.starts_with("info_player") || place.name.starts_with("team_CTF"))
            .count();
        let count = |name: &str| level.volumes.iter().filter(|volume| volume.kind.name() == name).count();
        println!(
            "{}: {} triangles, {} surfaces, {spawns} spawns, {} teleports, {} pushes, {} kills, {} waters, {seconds:.2} s",
            path.file_name().unwrap().display(),
            level.triangles.len(),
            level.surfaces.len(),
            count("teleport"),
            count("push"),
            count("kill"),
            count("water"),
        );
        // The playground's own engine has a class of its own for spawns.
        let has_spawns = !path.ends_with("playground.map");
        assert!(level.triangles.len() > 100 && (spawns > 0) == has_spawns, "{}", path.display());
        assert!(level.vertices.as_flattened().iter().all(|x| x.is_finite()), "{}", path.display());
        for volume in &level.volumes {
            if let VolumeKind::Push { velocity } = volume.kind {
                assert!(velocity.is_finite() && velocity.length() < 1000.0, "{}", volume.name);
            }
        }
        level.into_mesh().unwrap();
    }
}

/// A map with a brush, a patch and entities, and compiled levels are cut short and changed at every byte of
/// their headers and at many others.
#[test]
fn no_truncation_and_no_flipped_byte_panics_or_hangs() {
    let Some(data) = real::folder() else { return };
    for path in files(&data) {
        let bytes = std::fs::read(&path).unwrap();
        let format = Format::from_path(&path).unwrap();
        let start = Instant::now();
        let mut refused = 0;
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for round in 0..24 {
            let mut changed = bytes.clone();
            if round % 2 == 0 {
                changed.truncate(random(bytes.len()));
            } else {
                let at = if round % 4 == 1 { random(160) } else { random(bytes.len()) };
                changed[at] ^= 1 << random(8);
            }
            match parse(&changed, format, &LoadOptions::default()) {
                Ok(level) => assert!(level.vertices.len() < 10_000_000),
                Err(error) => {
                    refused += 1;
                    let said = error.to_string();
                    assert!(
                        ["lump", "header", "line", "the file", "this is no"]
                            .iter()
                            .any(|place| said.contains(place)),
                        "{said}"
                    );
                }
            }
        }
        println!("{}: {refused} of 24 refused, {:?}", path.file_name().unwrap().display(), start.elapsed());
    }
}
