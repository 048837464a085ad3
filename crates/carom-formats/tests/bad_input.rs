//! Levels of Quake and its descendants that are wrong in one place: each fault is named with its line or its
//! lump, and the rest is read where it makes a level.

mod compiled;

use carom_formats::{Format, LoadOptions, RawLevel, parse};

/// A brush that is none of the trouble, of 12 triangles.
const BLOCK: &str = "( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1\n( 8 0 0 ) ( 8 0 1 ) ( 8 1 0 ) a 0 0 0 1 1\n\
( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) a 0 0 0 1 1\n( 0 8 0 ) ( 1 8 0 ) ( 0 8 1 ) a 0 0 0 1 1\n\
( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) a 0 0 0 1 1\n( 0 0 8 ) ( 0 1 8 ) ( 1 0 8 ) a 0 0 0 1 1\n";

/// A source of a brush whose sides begin in line 4, the block, and an entity.
fn map(sides: &str, entity: &str) -> String {
    format!("{{\n\"classname\" \"worldspawn\"\n{{\n{sides}}}\n{{\n{BLOCK}}}\n}}\n{{\n{entity}}}\n")
}

fn read(bytes: &[u8], format: Format) -> Result<RawLevel, String> {
    parse(bytes, format, &LoadOptions::default()).map_err(|error| error.to_string())
}

/// The level is read, and a warning begins and ends like this.
fn assert_warns(bytes: &[u8], format: Format, at: &str, what: &str) -> RawLevel {
    let level = read(bytes, format).unwrap_or_else(|error| panic!("{at}, {what}: refused: {error}"));
    let is_it = |warning: &String| warning.starts_with(at) && warning.contains(what);
    assert!(level.warnings.iter().any(is_it), "{at}, {what}: {:?}", level.warnings);
    level
}

fn assert_refused(bytes: &[u8], format: Format, at: &str, what: &str) {
    match read(bytes, format) {
        Ok(_) => panic!("{at}, {what}: read"),
        Err(error) => assert!(error.starts_with(at) && error.contains(what), "{at}, {what}: {error}"),
    }
}

/// A compiled level with a number of 32 bits in a lump changed.
fn changed(bytes: &[u8], lump: usize, at: usize, number: i32) -> Vec<u8> {
    let entry = if bytes.starts_with(b"IBSP") { 8 } else { 4 } + 8 * lump;
    let start = i32::from_le_bytes([bytes[entry], bytes[entry + 1], bytes[entry + 2], bytes[entry + 3]]);
    written(bytes, start as usize + at, &number.to_le_bytes())
}

fn written(bytes: &[u8], at: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

fn side(points: &str) -> String {
    format!("{points} a 0 0 0 1 1\n")
}

#[test]
fn what_is_unchanged_is_read_without_a_warning() {
    let map = map(BLOCK, "\"classname\" \"light\"\n\"origin\" \"0 0 16\"\n");
    for (bytes, format) in [
        (map.into_bytes(), Format::Map),
        (compiled::quake(), Format::Bsp),
        (compiled::quake2(), Format::Bsp),
        (compiled::quake3(), Format::Bsp),
    ] {
        let level = read(&bytes, format).unwrap_or_else(|error| panic!("{error}"));
        assert!(!level.triangles.is_empty() && !level.landmarks.is_empty());
        assert_eq!(level.warnings, Vec::<String>::new());
    }
}

#[test]
fn brushes_that_enclose_nothing_are_named() {
    let behind_each_other = side("( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 )")
        + &side("( 0 0 -8 ) ( 0 1 -8 ) ( 1 0 -8 )")
        + &side("( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 )")
        + &side("( 8 0 0 ) ( 8 0 1 ) ( 8 1 0 )")
        + &side("( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 )")
        + &side("( 0 8 0 ) ( 1 8 0 ) ( 0 8 1 )");
    for (sides, what) in [(behind_each_other.as_str(), "enclose"), ("", "a brush with sides")] {
        let level = assert_warns(map(sides, "").as_bytes(), Format::Map, "line 3: ", what);
        assert_eq!(level.triangles.len(), 12, "{what}");
    }
    // The second plane of the cube: x ≥ 128 beside x ≤ 64.
    let far = (-128.0f32).to_bits() as i32;
    assert_warns(
        &changed(&compiled::quake2(), 1, 20 + 12, far),
        Format::Bsp,
        "lump brushes[0], byte ",
        "enclose",
    );
    assert_warns(
        &changed(&compiled::quake3(), 2, 16 + 12, far),
        Format::Bsp,
        "lump brushes[0], byte ",
        "enclose",
    );
}

#[test]
fn brushes_of_parallel_planes_are_named() {
    let parallel = side("( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 )") + &side("( 0 0 8 ) ( 0 1 8 ) ( 1 0 8 )");
    let level = assert_warns(map(&parallel, "").as_bytes(), Format::Map, "line 3: ", "leave it open");
    assert_eq!(level.triangles.len(), 12);
    // The first two sides alone.
    for (bytes, lump) in [(compiled::quake2(), 14), (compiled::quake3(), 8)] {
        let bytes = changed(&bytes, lump, 4, 2);
        assert_warns(&bytes, Format::Bsp, "lump brushes[0], byte ", "leave it open");
    }
}

#[test]
fn points_in_one_line_are_named_and_the_other_sides_are_read() {
    let line = side("( 0 0 0 ) ( 1 1 1 ) ( 2 2 2 )");
    let one = side("( 3 0 1 ) ( 3 0 1 ) ( 3 0 1 )");
    for (sides, at) in [
        (line.clone() + BLOCK, "line 4: "),
        (BLOCK.to_owned() + &one, "line 10: "),
        (BLOCK.lines().next().unwrap_or("").to_owned() + "\n" + &line, "line 5: "),
    ] {
        let level = assert_warns(map(&sides, "").as_bytes(), Format::Map, at, "points in one line");
        assert_eq!(level.triangles.len(), 12, "{at}");
    }
    let flat = changed(&changed(&changed(&compiled::quake3(), 2, 0, 0), 2, 4, 0), 2, 8, 0);
    assert_refused(&flat, Format::Bsp, "lump planes[0], byte ", "no direction");
}

#[test]
fn nodes_that_go_round_are_named() {
    let quake = compiled::quake();
    let node = i32::from_le_bytes([quake[44], quake[45], quake[46], quake[47]]) as usize;
    let twice = "a node that is reached twice";
    for side in [4, 6] {
        assert_refused(&written(&quake, node + side, &[0, 0]), Format::Bsp, "lump nodes[0], byte ", twice);
    }
    for side in [4, 8] {
        assert_refused(&changed(&compiled::quake2(), 4, side, 0), Format::Bsp, "lump nodes[0], byte ", twice);
        // The brushes of Quake III are read without its nodes.
        let quake3 = changed(&compiled::quake3(), 3, side, 0);
        let level = assert_warns(&quake3, Format::Bsp, "lump nodes[0], byte ", twice);
        assert_eq!(level.triangles.len(), 12 + 2);
    }
}

#[test]
fn negative_counts_are_named() {
    let (quake, quake2, quake3) = (compiled::quake(), compiled::quake2(), compiled::quake3());
    for (bytes, at, what) in [
        (changed(&quake, 14, 60, -1), "lump models[0], byte ", "-1 faces"),
        (changed(&quake, 2, 0, -3), "lump textures[0], byte ", "-3 textures"),
        (changed(&quake2, 14, 4, -6), "lump brushes[0], byte ", "-6 brush sides"),
        (changed(&quake3, 8, 4, i32::MIN), "lump brushes[0], byte ", "-2147483648 brush sides"),
        (changed(&quake3, 7, 28, -1), "lump models[0], byte ", "-1 surfaces"),
        (changed(&quake3, 7, 36, -1), "lump models[0], byte ", "-1 brushes"),
        (changed(&quake3, 13, 96, -3), "lump surfaces[0], byte ", "-3 × 3"),
        // Where a list begins.
        (changed(&quake, 14, 56, -1), "lump models[0], byte ", "index -1 is out of range"),
        (changed(&quake3, 8, 0, -1), "lump brushes[0], byte ", "index -1 is out of range"),
        // How long a lump is.
        (written(&quake, 4 + 8 + 4, &[0xFF; 4]), "lump planes, byte 12 of the header", "-1`"),
        (written(&quake3, 8 + 8 * 9 + 4, &[0xFF; 4]), "lump brush sides, byte 80 of the header", "-1`"),
    ] {
        assert_refused(&bytes, Format::Bsp, at, what);
    }
    let patch = "{\n{\npatchDef2\n{\na\n( -3 3 0 0 0 )\n( ) } } }";
    assert_refused(patch.as_bytes(), Format::Map, "line 6: ", "-3 × 3");
}

#[test]
fn entities_without_an_origin_are_named() {
    for class in ["info_player_start", "light", "info_teleport_destination"] {
        let text = map(BLOCK, &format!("\"classname\" \"{class}\"\n\"targetname\" \"there\"\n"));
        let at = format!("line 20, entity 1 ({class}), key origin: expected an origin");
        let level = assert_warns(text.as_bytes(), Format::Map, &at, "left out");
        assert!(level.landmarks.is_empty() && level.triangles.len() == 12);
        // A teleport that leads there is left out with it.
        let text = format!(
            "{text}{{\n\"classname\" \"trigger_teleport\"\n\"target\" \"there\"\n{{\n{BLOCK}}}\n}}\n"
        );
        assert!(assert_warns(text.as_bytes(), Format::Map, &at, "left out").volumes.is_empty());
    }
    for bytes in [compiled::quake(), compiled::quake2(), compiled::quake3()] {
        let origin = bytes.windows(8).position(|word| word == b"\"origin\"");
        let bytes = written(&bytes, origin.unwrap_or_else(|| panic!("no origin")), b"\"orIgin\"");
        let at = "lump entities, line 4, entity 1 (info_player_start), key origin: expected an origin";
        assert!(assert_warns(&bytes, Format::Bsp, at, "left out").landmarks.is_empty());
    }
    // An entity with brushes of its own needs no origin.
    let door = map(BLOCK, &format!("\"classname\" \"func_door\"\n{{\n{BLOCK}}}\n"));
    assert!(read(door.as_bytes(), Format::Map).is_ok_and(|level| level.warnings.is_empty()));
}

#[test]
fn numbers_that_are_none_are_named() {
    for origin in ["a b c", "1e999 0 0", "nan 0 0", "1 2"] {
        let text = map(BLOCK, &format!("\"classname\" \"light\"\n\"origin\" \"{origin}\"\n"));
        assert_refused(text.as_bytes(), Format::Map, "line 20, entity 1 (light), key origin", origin);
    }
    for (side, what) in [
        ("( 0 0 0 ) ( 1 0 0 ) ( 0 1", "a finite number"),
        ("( 0 0 0 ) ( 1 0 nan ) ( 0 1 0 ) a 0 0 0 1 1\n", "`nan`"),
        ("( 0 0 0 ) ( 1 0 1e400 ) ( 0 1 0 ) a 0 0 0 1 1\n", "`1e400`"),
    ] {
        assert_refused(map(side, "").as_bytes(), Format::Map, "line 4: ", what);
    }
}
