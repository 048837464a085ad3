//! Real files, in the folder that `CAROM_DATA` names: every one is a level or an error, and where its source
//! states a count of triangles, that is the count.

use std::fs;
use std::path::Path;

use carom_formats::{Format, LoadError, LoadOptions, RawLevel, load};
use carom_scenes::real;

fn read(path: &Path) -> Result<RawLevel, LoadError> {
    let level = load(path, &LoadOptions::default())?;
    let vertices = level.vertices.len();
    assert!(
        level.triangles.as_flattened().iter().all(|&corner| (corner as usize) < vertices),
        "{}",
        path.display()
    );
    let ids = level.surface_ids.len();
    assert!(ids == if level.surfaces.len() > 1 { level.triangles.len() } else { 0 }, "{}", path.display());
    assert!(level.surface_ids.iter().all(|&id| usize::from(id) < level.surfaces.len()), "{}", path.display());
    Ok(level)
}

#[test]
fn counts_of_triangles_are_those_of_the_sources() {
    let Some(data) = real::folder() else { return };
    for (file, triangles) in [
        ("recast_nav/nav_test.obj", 1_612),
        ("recast_nav/undulating.obj", 5_202),
        ("threejs_collision_world/collision-world.glb", 1_788),
        ("bevy_ahoy_playground/playground.glb", 1_140),
        ("avian_cc_demo/character_controller_demo.glb", 54),
        ("box3d_meshes/building.obj", 4_376),
        ("box3d_meshes/stairs.obj", 44),
        ("box3d_meshes/test_map01.obj", 276),
        ("box3d_meshes/single_triangle.obj", 1),
        ("koroibot_stairs/staircases_koroibot_hr.obj", 1_276),
        ("godot_truck_town/town_model.gltf", 30_477),
        ("cube2_pandora/pandora.obj", 60_810),
        ("redeclipse_auster/auster.obj", 46_603),
        ("lost_empire/lost_empire.obj", 224_998),
        ("holodeck/holodeck.obj", 4_015),
        ("teapot_mesh/teapot.obj", 15_704),
        ("stanford_bunny/bun_zipper.ply", 69_451),
        ("stanford_armadillo/Armadillo.ply", 345_944),
    ] {
        match read(&data.join(file)) {
            Ok(level) => assert_eq!(level.triangles.len(), triangles, "{file}: {:?}", level.skipped),
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn every_file_is_a_level_or_an_error_that_names_it() {
    let Some(data) = real::folder() else { return };
    let files = real::files_below(&data, |path| Format::from_path(path).is_some()).unwrap();
    assert!(files.len() > 50, "only {} level files in {}", files.len(), data.display());
    for path in files {
        match read(&path) {
            Ok(level) => {
                let skipped =
                    if level.skipped.is_nothing() { String::new() } else { format!(", {:?}", level.skipped) };
                println!("{}: {} triangles{skipped}", path.display(), level.triangles.len());
                let triangles = level.triangles.len();
                let mesh = level.into_mesh().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                assert_eq!(mesh.triangles().len(), triangles);
            }
            Err(error) => {
                println!("{error}");
                assert!(error.to_string().starts_with(&*path.to_string_lossy()), "{error}");
            }
        }
    }
}

#[test]
fn a_huge_archived_level_is_read() {
    let Some(data) = real::folder() else { return };
    let archive = fs::File::open(data.join("conference_room/conference.zip")).unwrap();
    let mut archive = zip::ZipArchive::new(archive).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("conference.obj");
    std::io::copy(&mut archive.by_name("conference.obj").unwrap(), &mut fs::File::create(&path).unwrap())
        .unwrap();
    let start = std::time::Instant::now();
    let level = read(&path).unwrap();
    println!("{} triangles in {:?}", level.triangles.len(), start.elapsed());
    assert_eq!(level.triangles.len(), 331_179);
}
