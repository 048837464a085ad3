//! `include/carom.h` is that of this crate: every exported function, constant and structure stands in it, and
//! nothing else; a C compiler gives each structure the size and the alignment that Rust gives it. `.ci/c`
//! also has cbindgen make it again; this needs neither it nor a C compiler.

#![allow(clippy::unwrap_used, reason = "what cannot be read or made is a failure")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use carom_c::*;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn header() -> String {
    let text = fs::read_to_string(here("include/carom.h")).unwrap();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The sources of the crate, in one text.
fn sources() -> String {
    let mut files: Vec<_> = fs::read_dir(here("src")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).unwrap()).collect()
}

/// The word after each place where a text begins so, up to what is not part of a name.
fn words_after<'a>(text: &'a str, begin: &str) -> BTreeSet<&'a str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let found = text.match_indices(begin).map(|(at, _)| {
        let rest = &text[at + begin.len()..];
        &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())]
    });
    found.collect()
}

/// How many a field holds: an array as many as the constant in its brackets says.
fn length(header: &str, field: &str) -> usize {
    let Some((_, rest)) = field.split_once('[') else { return 1 };
    let name = rest.trim_end_matches(']');
    let define = header.lines().find_map(|line| line.strip_prefix("#define ")?.strip_prefix(name));
    define.expect("the constant stands in the header").trim().parse().unwrap()
}

/// Sizes and alignments as C has them, of all structures of the header.
fn layouts(header: &str) -> BTreeMap<String, (usize, usize)> {
    let mut known: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let pointer = size_of::<usize>();
    for (name, size) in
        [("double", 8), ("float", 4), ("uint64_t", 8), ("uint32_t", 4), ("int32_t", 4), ("uint16_t", 2)]
    {
        known.insert(name.to_owned(), (size, size));
    }
    for (name, size) in [("uint8_t", 1), ("bool", 1), ("size_t", pointer)] {
        known.insert(name.to_owned(), (size, size));
    }
    let mut structures = BTreeMap::new();
    for part in header.split("typedef struct ").skip(1) {
        let (name, rest) = part.split_once('{').expect("a structure has its fields");
        let (fields, _) = rest.split_once('}').expect("a structure ends");
        let (mut size, mut most) = (0usize, 1usize);
        for field in fields.split(';').map(str::trim).filter(|field| !field.is_empty()) {
            let words: Vec<&str> =
                field.split_whitespace().filter(|word| !["struct", "const"].contains(word)).collect();
            let (own, alignment) = if field.contains('*') { (pointer, pointer) } else { known[words[0]] };
            size = size.next_multiple_of(alignment) + own * length(header, field);
            most = most.max(alignment);
        }
        let layout = (size.next_multiple_of(most), most);
        known.insert(name.trim().to_owned(), layout);
        structures.insert(name.trim().to_owned(), layout);
    }
    structures
}

macro_rules! rust_layouts {
    ($($name:ident),* $(,)?) => {
        BTreeMap::from([$((stringify!($name).to_owned(), (size_of::<$name>(), align_of::<$name>()))),*])
    };
}

#[test]
fn every_structure_has_the_size_in_c_that_it_has_in_rust() {
    let in_rust = rust_layouts![
        CaromBall,
        CaromBallState,
        CaromBody,
        CaromBodySettings,
        CaromCast,
        CaromCharacter,
        CaromCharacterContact,
        CaromCharacterHit,
        CaromCharacterOverlap,
        CaromClosest,
        CaromClosestCharacter,
        CaromCollider,
        CaromCompoundPiece,
        CaromContact,
        CaromCrowd,
        CaromCrusher,
        CaromExploreListener,
        CaromExploreProgress,
        CaromExploreRules,
        CaromExplored,
        CaromFinding,
        CaromHeightFieldData,
        CaromHit,
        CaromInput,
        CaromLoadOptions,
        CaromManifold,
        CaromManifoldPoint,
        CaromMesh,
        CaromMeshData,
        CaromMove,
        CaromObstacle,
        CaromPart,
        CaromPocket,
        CaromPose,
        CaromPush,
        CaromPushed,
        CaromQuat,
        CaromReport,
        CaromRider,
        CaromSensorEvent,
        CaromSensors,
        CaromSettings,
        CaromShape,
        CaromSurface,
        CaromTable,
        CaromTableEvent,
        CaromTableSetup,
        CaromTargets,
        CaromTouch,
        CaromVec3,
        CaromWall,
        CaromWorld,
    ];
    assert_eq!(layouts(&header()), in_rust);
}

#[test]
fn every_exported_function_stands_in_the_header_and_no_other() {
    let (header, sources) = (header(), sources());
    let exported = words_after(&sources, "extern \"C\" fn ");
    let declared: BTreeSet<&str> = words_after(&header, "carom_").into_iter().collect();
    let declared: BTreeSet<String> = declared.iter().map(|rest| format!("carom_{rest}")).collect();
    assert_eq!(declared, exported.iter().map(|name| (*name).to_owned()).collect());
    assert_eq!(sources.matches("#[unsafe(no_mangle)]").count(), exported.len());
    assert!(exported.len() > 40);
}

#[test]
fn every_constant_stands_in_the_header() {
    let (header, sources) = (header(), sources());
    let constants = words_after(&sources, "pub const CAROM_");
    assert_eq!(words_after(&header, "#define CAROM_"), constants.iter().copied().chain(["H"]).collect());
}

#[test]
fn every_unsafe_block_has_its_reason() {
    let lines: Vec<String> = sources().lines().map(str::to_owned).collect();
    for (i, line) in lines.iter().enumerate() {
        if line.contains("unsafe {") && !line.trim_start().starts_with("//") {
            let before = lines[i.saturating_sub(4)..i].join("\n");
            assert!(before.contains("// SAFETY: "), "no reason before: {line}");
        }
    }
}
