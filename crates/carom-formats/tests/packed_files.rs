//! Levels in other codings: Draco, meshoptimizer, FBX, archives. The same triangles as without, and the same
//! care with damage. Files of others are read where `CAROM_MODELS` names a folder with Assimp's test models,
//! or Debian's package `assimp-testmodels` has put them.
#![cfg(all(feature = "draco", feature = "fbx", feature = "meshopt", feature = "zip"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod packed;

use std::collections::HashMap;
use std::path::PathBuf;

use carom_formats::{Format, Limits, LoadError, LoadOptions, RawLevel, Resource, Structure, Up, load, parse};
use carom_scenes::real;
use glam::DVec3;
use packed::{CORNERS, TRIANGLES};

fn models() -> Option<PathBuf> {
    let named = std::env::var_os("CAROM_MODELS").map(PathBuf::from);
    let folder = named.or_else(|| Some("/usr/share/assimp/models".into())).filter(|path| path.is_dir());
    if folder.is_none() {
        eprintln!("skipped: CAROM_MODELS names no folder with the test models of Assimp");
    }
    folder
}

fn read(bytes: &[u8], format: Format) -> RawLevel {
    parse(bytes, format, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn said(bytes: &[u8], format: Format) -> String {
    parse(bytes, format, &LoadOptions::default()).unwrap_err().to_string()
}

/// The triangles by their corners, each from its least corner on, in order.
fn set(level: &RawLevel) -> Vec<[[u32; 3]; 3]> {
    let mut all: Vec<_> = level
        .triangles
        .iter()
        .map(|corners| {
            let corners = corners.map(|corner| level.vertices[corner as usize].map(f32::to_bits));
            let first = (0..3).min_by_key(|&first| corners[first]).unwrap();
            [0, 1, 2].map(|next| corners[(first + next) % 3])
        })
        .collect();
    all.sort_unstable();
    all
}

/// A terrain of so many squares a side, whose heights are from a hash.
fn terrain(side: u32) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let height = |x: u32, z: u32| (x.wrapping_mul(0x9E37_79B9) ^ z.wrapping_mul(0x85EB_CA6B)) >> 20;
    let row = side + 1;
    let corners = (0..row * row)
        .map(|at| {
            [(at % row) as f32 * 0.37, height(at % row, at / row) as f32 / 977.0, (at / row) as f32 * 0.41]
        })
        .collect();
    let squares = (0..side * side).map(|at| at / side * row + at % side);
    (corners, squares.flat_map(|a| [[a, a + row, a + 1], [a + 1, a + row, a + row + 1]]).collect())
}

fn obj(corners: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<u8> {
    let vertices = corners.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n"));
    let faces = triangles.iter().map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1));
    vertices.chain(faces).collect::<String>().into_bytes()
}

#[test]
fn a_compressed_level_has_the_triangles_of_the_plain_one() {
    let (corners, triangles) = terrain(40);
    for (corners, triangles) in [(&CORNERS[..], &TRIANGLES[..]), (&corners[..], &triangles[..])] {
        let plain = set(&read(&obj(corners, triangles), Format::Obj));
        assert_eq!(plain.len(), triangles.len());
        for method in [0, 1] {
            let draco = read(&packed::draco_glb(corners, triangles, method), Format::Glb);
            assert_eq!(set(&draco), plain, "Draco {method}");
            assert_eq!((draco.nodes.len(), draco.nodes[0].name.as_str()), (1, "box"));
        }
        assert_eq!(set(&read(&packed::meshopt_glb(corners, triangles), Format::Glb)), plain, "meshopt");
        let bytes = obj(corners, triangles);
        let archive = packed::zip(&[
            ("a/readme.txt", b"none"),
            ("a/level.obj", &bytes),
            ("__MACOSX/a/level.obj", b"x"),
        ]);
        assert_eq!(read(&archive, Format::Zip), read(&bytes, Format::Obj));
    }
}

#[test]
fn an_fbx_has_its_axes_and_its_unit() {
    let level = read(&packed::fbx(false, 1.0), Format::Fbx);
    assert_eq!((level.up, level.scale, level.triangles.len(), level.vertices.len()), (Up::Y, 0.01, 12, 8));
    let placed = |[x, y, z]: [f32; 3]| [x + 10.0, y + 20.0, z + 30.0].map(|x| (f64::from(x) * 0.01) as f32);
    assert_eq!(level.vertices, CORNERS.map(placed));
    assert_eq!(
        (level.surfaces.as_slice(), level.landmarks[0].name.as_str()),
        (&["crate".to_owned()][..], "crate")
    );
    let up = read(&packed::fbx(true, 100.0), Format::Fbx);
    assert_eq!((up.up, up.scale), (Up::Z, 1.0));
    assert_eq!(up.vertices, CORNERS.map(|[x, y, z]| [x + 10.0, z + 30.0, -(y + 20.0)]));
    // Both are closed and face out.
    for level in [level, up] {
        let mesh = level.into_mesh().unwrap();
        let volume: f64 = (0..mesh.triangle_count())
            .map(|triangle| {
                let [a, b, c] = mesh.corners(triangle);
                a.dot(b.cross(c)) / 6.0
            })
            .sum();
        let expected = 2.0 * 0.75 * 3.5;
        assert!(
            (volume / expected - 1.0).abs() < 1e-5 || (volume / (expected * 1e-6) - 1.0).abs() < 1e-4,
            "{volume}"
        );
    }
    let options = LoadOptions { up: Some(Up::Y), scale: Some(2.0), ..LoadOptions::default() };
    let told = parse(&packed::fbx(true, 1.0), Format::Fbx, &options).unwrap();
    assert_eq!(told.vertices, CORNERS.map(|[x, y, z]| [x + 10.0, y + 20.0, z + 30.0].map(|x| 2.0 * x)));
}

#[test]
fn an_archive_has_one_level() {
    let gltf = br#"{"asset":{"version":"2.0"},"buffers":[{"uri":"parts/corners.bin","byteLength":36}],
        "bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}]}"#;
    let corners: Vec<u8> = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0].map(f32::to_le_bytes).concat();
    let archive = packed::zip(&[("x/level.gltf", gltf), ("x/parts/corners.bin", &corners)]);
    assert_eq!(read(&archive, Format::Zip).triangles, [[0, 1, 2]]);
    let two = packed::zip(&[("a.obj", b"v 0 0 0"), ("b/c.stl", b"solid")]);
    assert_eq!(
        said(&two, Format::Zip),
        "the file: expected one level in the archive, found 2: a.obj, b/c.stl: unpack it and choose one"
    );
    let none = packed::zip(&[("a.txt", b""), ("inner.zip", b"")]);
    assert!(said(&none, Format::Zip).contains("found none in 2 entries"));
    let wrong = packed::zip(&[("a.obj", b"v 0 0 0\nv 1 zero 0\n")]);
    assert_eq!(said(&wrong, Format::Zip), "a.obj: line 2: expected a number, found `zero`");
    assert!(said(b"PK but not so", Format::Zip).contains("expected a .zip archive"));
    // A tree of what the level encloses.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("box.zip");
    std::fs::write(&path, packed::zip(&[("box.obj", &obj(&CORNERS, &TRIANGLES))])).unwrap();
    assert!(Structure::load(&path, &LoadOptions::default()).unwrap().bsp.nodes().len() >= 6);
    assert_eq!(load(&path, &LoadOptions::default()).unwrap().format, Format::Obj);
}

#[test]
fn an_archive_made_to_fill_the_memory_is_refused() {
    let zeros = vec![b' '; 300 << 20];
    let bomb = packed::zip(&[("level.obj", &zeros)]);
    assert!(bomb.len() < 1 << 20);
    let error = parse(&bomb, Format::Zip, &LoadOptions::default()).unwrap_err();
    assert!(matches!(error.fact(), LoadError::OverLimit { resource: Resource::Bytes, .. }), "{error}");
}

#[test]
fn limits_hold_for_compressed_files() {
    let (corners, triangles) = terrain(20);
    let few = |vertices, triangles| Limits { vertices, triangles, ..Limits::default() };
    for bytes in [packed::draco_glb(&corners, &triangles, 1), packed::meshopt_glb(&corners, &triangles)] {
        for limits in
            [few(440, 1000), few(441, 799), Limits { bytes: bytes.len() as u64 + 100, ..Limits::default() }]
        {
            let options = LoadOptions { limits, ..LoadOptions::default() };
            let error = parse(&bytes, Format::Glb, &options).unwrap_err();
            assert!(matches!(error.fact(), LoadError::OverLimit { .. }), "{error}");
        }
        let options = LoadOptions { limits: few(441, 800), ..LoadOptions::default() };
        assert_eq!(parse(&bytes, Format::Glb, &options).unwrap().triangles.len(), 800);
    }
}

#[test]
fn damage_to_compressed_files_is_an_error_or_a_level() {
    let (corners, triangles) = terrain(12);
    let plain = obj(&corners, &triangles);
    let files = [
        (Format::Glb, packed::draco_glb(&corners, &triangles, 0)),
        (Format::Glb, packed::draco_glb(&corners, &triangles, 1)),
        (Format::Glb, packed::meshopt_glb(&corners, &triangles)),
        (Format::Zip, packed::zip(&[("level.obj", &plain)])),
        (Format::Fbx, packed::fbx(true, 2.54)),
    ];
    for (format, bytes) in files {
        for length in 0..bytes.len() {
            if let Err(error) = parse(&bytes[..length], format, &LoadOptions::default()) {
                assert!(!error.to_string().contains('\n'), "{error}");
            }
            let mut wrong = bytes.clone();
            for flip in [1, 0x80, 0xFF] {
                wrong[length] = bytes[length] ^ flip;
                if let Ok(level) = parse(&wrong, format, &LoadOptions::default()) {
                    let count = level.vertices.len() as u32;
                    assert!(level.triangles.as_flattened().iter().all(|&corner| corner < count));
                }
            }
        }
    }
}

/// Corners of a triangle as they lie in the level.
fn placed(level: &RawLevel) -> Vec<[DVec3; 3]> {
    let corner = |corner: u32| DVec3::from_array(level.vertices[corner as usize].map(f64::from));
    level.triangles.iter().map(|corners| corners.map(corner)).collect()
}

/// The triangles that are near none of some others: no turn brings all corners within `off`.
fn alone(some: &[[DVec3; 3]], others: &[[DVec3; 3]], off: f64) -> Vec<[DVec3; 3]> {
    let middle = |[a, b, c]: [DVec3; 3]| (a + b + c) / 3.0;
    let cell = |p: DVec3| (p / (2.0 * off)).floor().to_array().map(|x| x as i64);
    let mut near: HashMap<[i64; 3], Vec<[DVec3; 3]>> = HashMap::new();
    for &corners in others {
        near.entry(cell(middle(corners))).or_default().push(corners);
    }
    let is_near = |a: &[DVec3; 3], b: &[DVec3; 3]| {
        (0..3).any(|turn| (0..3).all(|at| a[at].distance(b[(at + turn) % 3]) <= off))
    };
    let around =
        |[x, y, z]: [i64; 3]| (0..27).map(move |at| [x + at % 3 - 1, y + at / 3 % 3 - 1, z + at / 9 - 1]);
    some.iter()
        .filter(|corners| {
            let mut cells = around(cell(middle(**corners)));
            !cells.any(|cell| {
                near.get(&cell).is_some_and(|all| all.iter().any(|other| is_near(corners, other)))
            })
        })
        .copied()
        .collect()
}

#[test]
fn a_draco_file_of_others_has_the_triangles_of_the_plain_one() {
    let Some(models) = models() else { return };
    let file = |name: &str| load(models.join("glTF2").join(name), &LoadOptions::default()).unwrap();
    let packed = file("draco/2CylinderEngine.gltf");
    let plain = file("2CylinderEngine-glTF-Binary/2CylinderEngine.glb");
    assert_eq!(packed.nodes.len(), plain.nodes.len());
    for (own, other) in packed.nodes.iter().zip(&plain.nodes) {
        let (ours, theirs) =
            (&placed(&packed)[own.triangles.clone()], &placed(&plain)[other.triangles.clone()]);
        let all = theirs.iter().flatten();
        let (min, max) = all.fold((DVec3::MAX, DVec3::MIN), |(min, max), p| (min.min(*p), max.max(*p)));
        // Of the coder's grid.
        let step = (max - min).max_element() / 2048.0;
        let shortest = |[a, b, c]: [DVec3; 3]| a.distance(b).min(b.distance(c)).min(c.distance(a));
        assert!(ours.len() <= theirs.len() && alone(ours, theirs, 2.0 * step).is_empty(), "{}", own.name);
        // Those with a side shorter than a step may have lost it.
        let lost = alone(theirs, ours, 2.0 * step);
        assert!(lost.iter().all(|&corners| shortest(corners) <= 2.0 * step), "{}: {lost:?}", own.name);
    }
}

#[test]
fn an_fbx_of_others_is_a_level() {
    let Some(models) = models() else { return };
    let files = real::files_below(&models, |path| {
        path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("fbx"))
    });
    let mut levels = 0;
    for path in files.unwrap() {
        match load(&path, &LoadOptions::default()) {
            Ok(level) => {
                levels += 1;
                assert!(!level.triangles.is_empty() && level.scale > 0.0, "{}", path.display());
                level.into_mesh().unwrap();
            }
            Err(error) => assert!(error.to_string().contains("this is not a valid FBX file"), "{error}"),
        }
    }
    assert!(levels >= 18, "{levels}");
    let size = |name: &str| {
        let level = load(models.join("FBX").join(name), &LoadOptions::default()).unwrap();
        let all = level.vertices.iter().map(|v| DVec3::from_array(v.map(f64::from)));
        let (min, max) = all.fold((DVec3::MAX, DVec3::MIN), |(min, max), p| (min.min(p), max.max(p)));
        max - min
    };
    // A cube of 1 cm; one of 1.2 m in a file with z up and a unit of 1 m, written by 3ds Max.
    assert!(size("phong_cube.fbx").distance(DVec3::splat(0.01)) < 1e-8);
    assert!(size("embedded_ascii/box.FBX").distance(DVec3::splat(1.2)) < 1e-6);
    // Written twice, with and without compressed arrays.
    let read = |name: &str| load(models.join("FBX").join(name), &LoadOptions::default()).unwrap();
    assert_eq!(
        set(&read("boxWithCompressedCTypeArray.FBX")),
        set(&read("boxWithUncompressedCTypeArray.FBX"))
    );
}
