//! Laws that hold for any bytes: no panic, no level beyond the limits, no index beyond the vertices, the same
//! answer twice.

mod compiled;
#[cfg(all(feature = "draco", feature = "fbx", feature = "meshopt", feature = "zip"))]
mod packed;

use carom_formats::{Animations, Format, Limits, LoadError, LoadOptions, Up, parse};
use proptest::prelude::*;

const LIMITS: Limits =
    Limits { bytes: 1 << 16, vertices: 500, triangles: 400, nodes: 60, depth: 5, keyframes: 300 };

/// Small files that have a bit of everything.
fn seeds() -> Vec<(Format, Vec<u8>)> {
    let obj = "# a\nmtllib x.mtl\no hall\nv 0 0 0\nv 1.5 0 -0 1 .5 nan\nv 1 1e0 0\r\nv 0 1 inf\nvn 0 0 1\ng a b\nusemtl stone\nf 1/1/1 2//1 3/2 \\\n -1\nl 1 2\np 1\nf 3 2 1 # c\ns off\nsurf 0 1 1\n";
    let stl = "solid two words\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1e0 0\nendloop\nendfacet\nendsolid two words\nsolid\nendsolid\n";
    let ply = "ply\nformat ascii 1.0\ncomment c\nelement vertex 4\nproperty float x\nproperty double y\nproperty int z\nproperty uchar red\nelement face 2\nproperty list uchar int vertex_indices\nproperty list uchar float uv\nelement edge 1\nproperty int a\nend_header\n0 0 0 1\n1 0 0 2\n1 1 0 3\n0 1 0 4\n4 0 1 2 3 1 .5\n3 0 1 2 0\n7\n";
    let mut binary_stl = vec![b' '; 80];
    binary_stl[..5].copy_from_slice(b"solid");
    binary_stl.extend(2_u32.to_le_bytes());
    binary_stl.extend((0..100_u8).map(|byte| byte.wrapping_mul(37)));
    let strips = "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty short z\nproperty float x\nproperty uchar y\nelement tristrips 1\nproperty list int int vertex_indices\nelement none 99\nend_header\n";
    let mut binary_ply = strips.as_bytes().to_vec();
    binary_ply.extend([0, 1, 63, 128, 0, 0, 7].repeat(3));
    binary_ply.extend([5_i32, 0, 1, 2, -1, 0].map(i32::to_be_bytes).as_flattened());
    let uri = "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIAAAAAAAAAAAAAAAAA";
    let gltf = |buffer: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
"nodes":[{{"name":"a","children":[1,2],"rotation":[0,0,0.7,0.7],"scale":[2,-2,2]}},{{"mesh":0,"translation":[1,2,3.5]}},
{{"mesh":0,"name":"m","matrix":[1,0,0,0,0,1,0,0,0,0,1,0,4,5,6,1]}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"material":0}},{{"attributes":{{"POSITION":2}},"mode":5}},
{{"attributes":{{"POSITION":0}},"mode":2}}]}}],"materials":[{{"name":"ice"}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},{{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}},
{{"componentType":5122,"normalized":true,"count":4,"type":"VEC3","sparse":{{"count":2,"indices":{{"bufferView":1,"byteOffset":2,"componentType":5123}},"values":{{"bufferView":0,"byteOffset":6}}}}}},
{{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"}},{{"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"}},
{{"bufferView":0,"byteOffset":15,"componentType":5121,"normalized":true,"count":2,"type":"VEC4"}}],
"animations":[{{"channels":[{{"sampler":0,"target":{{"node":0,"path":"rotation"}}}},{{"sampler":1,"target":{{"node":1,"path":"translation"}}}}],
"samplers":[{{"input":3,"output":5}},{{"input":3,"output":4,"interpolation":"STEP"}}]}}],
"bufferViews":[{{"buffer":0,"byteLength":36,"byteStride":12}},{{"buffer":0,"byteOffset":36,"byteLength":6}}],
"buffers":[{{"byteLength":54{buffer}}}]}}"#
        )
    };
    let map = "// m\n{\n\"classname\" \"worldspawn\"\n{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1\n( 8 0 0 ) ( 8 0 1 ) ( 8 1 0 ) a 0 0 0 1 1 0 0 0\n( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) {b [ 1 0 0 0 ] [ 0 0 -1 0 ] 0 1 1\n( 0 8 0 ) ( 1 8 0 ) ( 0 8 1 ) a 0 0 0 1 1\n( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) \"c d\" 0 0 0 1 1\n(0 0 8)(0 1 8)(1 0 8) a 0 0 0 1 1\n}\n{ patchDef2 { stone ( 3 3 0 0 0 ) ( ( ( 0 0 0 0 0 ) ( 0 8 0 0 0 ) ( 0 16 0 0 0 ) ) ( ( 8 0 0 0 0 ) ( 8 8 4 0 0 ) ( 8 16 0 0 0 ) ) ( ( 16 0 0 0 0 ) ( 16 8 0 0 0 ) ( 16 16 0 0 0 ) ) ) } }\n}\n{ \"classname\" \"info_player_start\" \"origin\" \"0 0 32\" }\n";
    let json = gltf("");
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    let mut blob: Vec<u8> = (0..54).map(|byte| byte * 4).collect();
    blob[36..42].copy_from_slice(&[0, 0, 1, 0, 2, 0]);
    glb.extend((28 + json.len() as u32 + blob.len() as u32).to_le_bytes());
    for (kind, data) in [(b"JSON", json.as_bytes()), (b"BIN\0", &blob)] {
        glb.extend((data.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(data);
    }
    let plain = [
        (Format::Obj, obj.into()),
        (Format::Stl, stl.into()),
        (Format::Stl, binary_stl),
        (Format::Ply, ply.into()),
        (Format::Ply, binary_ply),
        (Format::Gltf, gltf(&format!(r#","uri":"{uri}""#)).into_bytes()),
        (Format::Glb, glb),
        (Format::Bsp, compiled::quake()),
        (Format::Bsp, compiled::quake2()),
        (Format::Bsp, compiled::quake3()),
        (Format::Map, map.into()),
    ];
    plain.into_iter().chain(packed_seeds()).collect()
}

#[cfg(all(feature = "draco", feature = "fbx", feature = "meshopt", feature = "zip"))]
fn packed_seeds() -> Vec<(Format, Vec<u8>)> {
    vec![
        (Format::Glb, packed::draco_glb(&packed::CORNERS, &packed::TRIANGLES, 1)),
        (Format::Glb, packed::meshopt_glb(&packed::CORNERS, &packed::TRIANGLES)),
        (Format::Fbx, packed::fbx(true, 2.54)),
        (Format::Zip, packed::zip(&[("a/level.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")])),
    ]
}

#[cfg(not(all(feature = "draco", feature = "fbx", feature = "meshopt", feature = "zip")))]
fn packed_seeds() -> Vec<(Format, Vec<u8>)> {
    Vec::new()
}

/// Damage that editors, exporters and bad disks do to a file.
#[derive(Clone, Debug)]
enum Change {
    Set(usize, u8),
    Insert(usize, Vec<u8>),
    Remove(usize, usize),
    Repeat(usize, usize, usize),
    End(usize),
}

/// Where wrong values hide.
const WORDS: &[&str] = &[
    "-1",
    "0",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "-9223372036854775808",
    "1e999",
    "nan",
    "-inf",
    "\n",
    " ",
    "\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    "null",
    "\0",
    "\\\n",
    "/",
    "#",
    "vertex",
    "facet",
    "solid",
    "endsolid",
    "end_header",
    "element vertex",
    "property list char int",
    "v 1 2 3\n",
    "f 1 1 1\n",
    "o x\n",
    "\"children\":[0],",
    "\"componentType\":5125,",
    "( 1 2 3 )",
    "patchDef2",
    "\"origin\" \"1 2\"",
    "\"mode\":6,",
    "\u{FFFD}",
    "ü",
];

fn change() -> impl Strategy<Value = Change> {
    let word = prop_oneof![
        proptest::sample::select(WORDS).prop_map(|word| word.as_bytes().to_vec()),
        proptest::collection::vec(any::<u8>(), 1..9),
    ];
    let at = 0..2000_usize;
    prop_oneof![
        4 => (at.clone(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        4 => (at.clone(), word).prop_map(|(at, word)| Change::Insert(at, word)),
        2 => (at.clone(), 1..40_usize).prop_map(|(at, length)| Change::Remove(at, length)),
        1 => (at.clone(), 1..60_usize, 1..8_usize).prop_map(|(at, length, times)| Change::Repeat(at, length, times)),
        1 => at.prop_map(Change::End),
    ]
}

fn changed(mut bytes: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for change in changes {
        let length = bytes.len();
        let place = |at: usize| if length == 0 { 0 } else { at % length };
        match change {
            Change::Set(at, byte) => {
                if let Some(old) = bytes.get_mut(place(*at)) {
                    *old = *byte;
                }
            }
            Change::Insert(at, word) => {
                let at = place(*at);
                bytes.splice(at..at, word.iter().copied());
            }
            Change::Remove(at, count) => {
                let at = place(*at);
                bytes.drain(at..length.min(at + count));
            }
            Change::Repeat(at, count, times) => {
                let at = place(*at);
                let piece = bytes[at..length.min(at + count)].repeat(*times);
                bytes.splice(at..at, piece);
            }
            Change::End(at) => bytes.truncate(place(*at)),
        }
    }
    bytes
}

fn obeys_the_laws(bytes: &[u8], format: Format) {
    let (up, animations) = (Some(Up::Z), Animations::Played);
    let options =
        LoadOptions { up, scale: Some(0.0254), animations, limits: LIMITS, ..LoadOptions::default() };
    let mut level = match parse(bytes, format, &options) {
        Ok(level) => level,
        Err(error) => {
            let said = error.to_string();
            assert!(!said.is_empty() && !said.contains('\n'), "{said}");
            return;
        }
    };
    assert!(level.vertices.len() <= LIMITS.vertices && level.triangles.len() <= LIMITS.triangles);
    assert!(level.triangles.as_flattened().iter().all(|&corner| (corner as usize) < level.vertices.len()));
    assert!(level.vertices.as_flattened().iter().all(|x| x.to_bits() != (-0.0_f32).to_bits()));
    assert_eq!(level.surfaces.is_empty(), level.triangles.is_empty());
    assert_eq!(level.surface_ids.len(), if level.surfaces.len() > 1 { level.triangles.len() } else { 0 });
    assert!(level.surface_ids.iter().all(|&id| usize::from(id) < level.surfaces.len()));
    let again = parse(bytes, format, &options).expect("what was a level stays one");
    assert_eq!(format!("{level:?}"), format!("{again:?}"));
    let keyframes: usize = level.motions.iter().map(|motion| motion.keyframes.keyframes().len()).sum();
    assert!(keyframes <= LIMITS.keyframes);
    let before = level.triangles.len();
    let parts = level.take_moving();
    let moving: usize = parts.iter().map(|part| part.triangles.len()).sum();
    assert_eq!(level.triangles.len() + moving, before);
    for part in &parts {
        let corners = part.triangles.as_flattened();
        assert!(corners.iter().all(|&corner| (corner as usize) < part.vertices.len()));
        assert!(part.keyframes.pose_at(0.3).position().is_finite());
    }
    assert!(level.nodes.iter().all(|node| node.motion.is_none() && node.triangles.end <= before - moving));
    // Vertices may be NaN.
    drop(again.into_bodies());
}

#[test]
fn the_seeds_of_gltf_move() {
    for (format, bytes) in
        seeds().into_iter().filter(|(_, bytes)| bytes.windows(10).any(|w| w == b"animations"))
    {
        let options =
            LoadOptions { animations: Animations::Played, limits: LIMITS, ..LoadOptions::default() };
        let level = parse(&bytes, format, &options).unwrap();
        assert!(level.motions.len() == 2 && level.warnings.is_empty(), "{format}: {:?}", level.warnings);
    }
}

#[test]
fn the_seeds_are_levels() {
    for (format, bytes) in seeds() {
        let level = parse(&bytes, format, &LoadOptions { limits: LIMITS, ..LoadOptions::default() });
        let level = level.unwrap_or_else(|error| panic!("{format}: {error}"));
        assert!(!level.triangles.is_empty(), "{format}");
        obeys_the_laws(&bytes, format);
    }
}

#[test]
fn a_seed_cut_short_anywhere_obeys_the_laws() {
    for (format, bytes) in seeds() {
        for length in 0..bytes.len() {
            obeys_the_laws(&bytes[..length], format);
        }
    }
}

#[test]
fn a_binary_seed_cut_short_is_refused() {
    for (format, bytes) in
        seeds().into_iter().filter(|(_, bytes)| bytes.starts_with(b"glTF") || bytes[4..].contains(&0))
    {
        for length in 0..bytes.len() {
            assert!(parse(&bytes[..length], format, &LoadOptions::default()).is_err(), "{format}: {length}");
        }
    }
}

#[test]
fn one_wrong_byte_anywhere_obeys_the_laws() {
    for (format, bytes) in seeds() {
        for at in 0..bytes.len() {
            for byte in [0, b'-', b'9', b' ', b'\n', b'"', 0x7F, 0x80, 0xFF] {
                obeys_the_laws(&changed(bytes.clone(), &[Change::Set(at, byte)]), format);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_obey_the_laws(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for format in Format::ALL {
            obeys_the_laws(&bytes, format);
        }
    }

    #[test]
    fn changed_files_obey_the_laws(seed in any::<prop::sample::Index>(), changes in proptest::collection::vec(change(), 1..6)) {
        let (format, bytes) = {
            let mut seeds = seeds();
            let at = seed.index(seeds.len());
            seeds.swap_remove(at)
        };
        obeys_the_laws(&changed(bytes, &changes), format);
    }

    #[test]
    fn any_words_obey_the_laws(seed in any::<prop::sample::Index>(), words in proptest::collection::vec(proptest::sample::select(WORDS), 0..60)) {
        let (format, bytes) = {
            let mut seeds = seeds();
            let at = seed.index(seeds.len());
            seeds.swap_remove(at)
        };
        let start = bytes.len() / 3;
        obeys_the_laws(&[&bytes[..start], words.join(" ").as_bytes()].concat(), format);
    }

    #[test]
    fn a_larger_scale_by_a_power_of_two_is_the_same_level_larger(
        corners in proptest::collection::vec(proptest::array::uniform3(-1e6..1e6_f64), 3..20),
        power in -20..20_i32,
    ) {
        let text: String = corners.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
        let factor = if power < 0 { 1.0 / f64::from(1_u32 << -power) } else { f64::from(1_u32 << power) };
        let read = |scale| parse(text.as_bytes(), Format::Obj, &LoadOptions { scale: Some(scale), ..LoadOptions::default() });
        let (one, many) = (read(1.0)?, read(factor)?);
        for (a, b) in one.vertices.as_flattened().iter().zip(many.vertices.as_flattened()) {
            prop_assert_eq!(a * factor as f32, *b);
        }
    }

    #[test]
    fn text_gives_the_nearest_f32(corners in proptest::collection::vec(proptest::array::uniform3(any::<f64>()), 1..20)) {
        let coordinates: String = corners.iter().map(|[x, y, z]| format!("{x:e} {y:e} {z:e}\n")).collect();
        let ply = format!("ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\nend_header\n{coordinates}", corners.len());
        let obj: String = coordinates.lines().map(|line| format!("v {line}\n")).collect();
        for (format, text) in [(Format::Ply, ply), (Format::Obj, obj)] {
            let level = parse(text.as_bytes(), format, &LoadOptions::default())?;
            prop_assert_eq!(level.vertices.len(), corners.len());
            for (read, written) in level.vertices.iter().zip(&corners) {
                for (read, written) in read.iter().zip(written) {
                    prop_assert!(*read == *written as f32 || (read.is_nan() && written.is_nan()), "{} {}", read, written);
                }
            }
        }
    }
}

#[test]
fn errors_cross_threads() {
    fn check<T: Send + Sync + 'static>() {}
    check::<LoadError>();
}
