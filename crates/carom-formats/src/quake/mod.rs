//! Levels of Quake and the games that descend from it: .bsp (Quake, its BSP2, `GoldSrc`, Quake II, its QBSP,
//! Quake III) and .map.
//!
//! Own readers: `qbsp` 0.17 asserts that lumps have whole records, allocates for textures and light that no
//! mover needs, and does not read Quake III; `quake-util` 0.4 does not read patches and has no limits.
//!
//! Solid are: in Quake and `GoldSrc` the faces that the compiler left, except those of liquids; in Quake II,
//! Quake III and .map files the union of the brushes that [`crate::Solids`] names, cut with exact signs, and
//! patches as triangles within a tolerance. Brush models of entities keep their names, triggers and liquids
//! are volumes, spawns are landmarks.

mod brush;
mod bsp1;
mod bsp2;
mod bsp3;
mod contents;
mod entity;
mod game;
mod lumps;
mod map;
mod patch;
mod scene;
mod tree;
mod words;

use carom::bsp::Bsp;
pub use contents::is_never_drawn;
use scene::Scene;

use crate::error::{LoadError, Location};
use crate::format::Format;
use crate::level::{Landmark, RawLevel};
use crate::options::LoadOptions;

/// The games whose compiled levels are read.
#[derive(Clone, Copy, Debug)]
enum Compiled {
    Quake(bsp1::Kind),
    Quake2(bsp2::Kind),
    Quake3,
}

/// Which game the first bytes name.
fn compiled(bytes: &[u8]) -> Result<Compiled, LoadError> {
    let version = bytes.get(4..8).map(|four| i32::from_le_bytes([four[0], four[1], four[2], four[3]]));
    match (bytes.get(..4), version) {
        (Some([29, 0, 0, 0]), _) => Ok(Compiled::Quake(bsp1::Kind::Bsp29)),
        (Some([30, 0, 0, 0]), _) => Ok(Compiled::Quake(bsp1::Kind::Bsp30)),
        (Some(b"BSP2"), _) => Ok(Compiled::Quake(bsp1::Kind::Bsp2)),
        (Some(b"IBSP"), Some(38)) => Ok(Compiled::Quake2(bsp2::Kind::Ibsp)),
        (Some(b"QBSP"), Some(38)) => Ok(Compiled::Quake2(bsp2::Kind::Qbsp)),
        (Some(b"IBSP"), Some(46 | 47)) => Ok(Compiled::Quake3),
        (Some(b"IBSP" | b"QBSP" | b"VBSP" | b"RBSP" | b"FBSP" | b"2PSB"), Some(version)) => {
            Err(LoadError::Unsupported {
                at: Location::Part("header, byte 0".to_owned()),
                feature: format!("{} version {version}", String::from_utf8_lossy(&bytes[..4])),
                remedy: "compile the level for Quake, GoldSrc, Quake II or Quake III, or use its .map",
            })
        }
        (Some(_), _) => {
            let expected =
                "one that begins with 29, 30, BSP2, IBSP (version 38, 46 or 47) or QBSP (version 38)";
            Err(LoadError::NotThisFormat { format: Format::Bsp, expected })
        }
        (None, _) => Err(LoadError::EndsEarly { at: Location::File, missing: "the end of its header" }),
    }
}

fn read_bsp(bytes: &[u8]) -> Result<(Scene, Compiled), LoadError> {
    let compiled = compiled(bytes)?;
    let scene = match compiled {
        Compiled::Quake(kind) => bsp1::read(bytes, kind)?,
        Compiled::Quake2(kind) => bsp2::read(bytes, kind)?,
        Compiled::Quake3 => bsp3::read(bytes)?,
    };
    Ok((scene, compiled))
}

/// Reads a compiled level of whichever game its first bytes name.
pub(crate) fn parse_bsp(bytes: &[u8], options: &LoadOptions) -> Result<RawLevel, LoadError> {
    let (mut scene, compiled) = read_bsp(bytes)?;
    // Quake III's solids are brushes: a level whose tree is damaged is read, and the damage is named.
    if let Compiled::Quake3 = compiled
        && let Err(fault) = tree::Layout::quake3(bytes).and_then(|layout| layout.check())
    {
        scene.faults.push(fault);
    }
    scene.into_level(Format::Bsp, options)
}

/// Reads the source of a level.
pub(crate) fn parse_map(bytes: &[u8], options: &LoadOptions) -> Result<RawLevel, LoadError> {
    map::read(bytes, options)?.into_level(Format::Map, options)
}

/// The solid of a compiled level that keeps the outside out: the tree that its compiler has left.
pub(crate) fn bsp_structure(bytes: &[u8]) -> Result<(Bsp, Vec<Landmark>), LoadError> {
    let (scene, compiled) = read_bsp(bytes)?;
    let bsp = match compiled {
        Compiled::Quake(kind) => tree::Layout::quake(bytes, kind)?,
        Compiled::Quake2(kind) => tree::Layout::quake2(bytes, kind)?,
        Compiled::Quake3 => tree::Layout::quake3(bytes)?,
    };
    Ok((bsp.tree()?, scene.points()?))
}

/// The solid of a source that keeps the outside out: the solid brushes of the world that are not detail, and
/// sky.
pub(crate) fn map_structure(bytes: &[u8], options: &LoadOptions) -> Result<(Bsp, Vec<Landmark>), LoadError> {
    map::read(bytes, options)?.structure()
}
