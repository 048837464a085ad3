//! The index as JSON.

use std::path::Path;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::error::TileError;
use super::index::{Grid, TileEntry, TiledLevel, Totals};
use crate::format::Format;
use crate::level::Landmark;
use crate::up::Up;
use crate::volume::{Convex, HalfSpace, Volume, VolumeKind};

/// The version of the files that is written and read here.
const VERSION: u32 = 1;

/// world.json.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    carom_tiles: u32,
    /// In hexadecimal: 64 bits are more than a number in JSON holds everywhere.
    world: String,
    name: String,
    format: String,
    up: String,
    scale: f64,
    preset: Option<String>,
    size: f64,
    margin: f64,
    vertices: u32,
    triangles: u32,
    hash: String,
    bounds: [[f32; 3]; 2],
    surfaces: Vec<String>,
    colors: Vec<Option<[f32; 3]>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    skies: Vec<u16>,
    #[serde(rename = "places")]
    landmarks: Vec<LandmarkRecord>,
    volumes: Vec<VolumeRecord>,
    /// The hash of the file that tells the inside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    tiles: Vec<TileRecord>,
}

#[derive(Debug, Serialize, Deserialize)]
struct LandmarkRecord {
    name: String,
    position: [f64; 3],
}

#[derive(Debug, Serialize, Deserialize)]
struct VolumeRecord {
    name: String,
    kind: String,
    to: Option<[f64; 3]>,
    velocity: Option<[f64; 3]>,
    /// Of each convex piece the planes: a normal and its offset.
    pieces: Vec<Vec<[f64; 4]>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct TileRecord {
    at: [i32; 2],
    triangles: u32,
    bounds: [[f32; 3]; 2],
    hash: String,
}

/// All that an index says.
#[derive(Debug)]
pub(crate) struct Index {
    /// Which world: in the head of each of its tiles.
    pub(crate) world: u64,
    pub(crate) level: TiledLevel,
    pub(crate) totals: Totals,
    pub(crate) tiles: Vec<TileEntry>,
}

fn hex(number: u64) -> String {
    format!("{number:016x}")
}

impl Index {
    pub(crate) fn to_json(&self) -> Result<Vec<u8>, serde_json::Error> {
        let Self { world, level, totals, tiles } = self;
        let landmarks = level.landmarks.iter();
        let record = Record {
            carom_tiles: VERSION,
            world: hex(*world),
            name: level.name.clone(),
            format: level.format.extension().to_owned(),
            up: name_of(level.up).to_owned(),
            scale: level.scale,
            preset: level.preset.clone(),
            size: level.grid.size,
            margin: level.grid.margin,
            vertices: totals.vertices,
            triangles: totals.triangles,
            hash: hex(totals.hash),
            bounds: totals.bounds,
            surfaces: level.surfaces.clone(),
            colors: level.colors.clone(),
            skies: level.skies.clone(),
            landmarks: landmarks
                .map(|at| LandmarkRecord { name: at.name.clone(), position: at.position.to_array() })
                .collect(),
            volumes: level.volumes.iter().map(volume_record).collect(),
            source: level.source.map(hex),
            tiles: tiles
                .iter()
                .map(|tile| TileRecord {
                    at: tile.at,
                    triangles: tile.triangles,
                    bounds: tile.bounds,
                    hash: hex(tile.hash),
                })
                .collect(),
        };
        serde_json::to_vec(&record)
    }

    pub(crate) fn from_json(file: &Path, bytes: &[u8]) -> Result<Self, TileError> {
        let refused = |message: String| TileError::Index { file: file.to_owned(), message };
        let record: Record = serde_json::from_slice(bytes)
            .map_err(|error| refused(format!("is no index of tiles ({error}): cut the level again")))?;
        if record.carom_tiles != VERSION {
            return Err(refused(format!(
                "is of version {}, and this carom reads {VERSION}: cut the level again",
                record.carom_tiles
            )));
        }
        record.checked().map_err(|wrong| refused(format!("{wrong}: cut the level again")))
    }
}

impl Record {
    fn checked(self) -> Result<Index, String> {
        let number = |text: &str| {
            u64::from_str_radix(text, 16).map_err(|_| format!("{text:?} is no hash of 16 hexadecimal digits"))
        };
        let format = Format::from_extension(&self.format)
            .ok_or_else(|| format!("format {:?} is unknown", self.format))?;
        let up = match self.up.as_str() {
            "y" => Up::Y,
            "z" => Up::Z,
            other => return Err(format!("up {other:?} is neither \"y\" nor \"z\"")),
        };
        if !(self.scale.is_finite() && self.scale > 0.0) {
            return Err(format!("scale {} is not finite and above 0", self.scale));
        }
        let grid = Grid::new(self.size, self.margin).map_err(|error| error.to_string())?;
        if !self.colors.is_empty() && self.colors.len() != self.surfaces.len() {
            return Err("it has colors for other surfaces than it names".to_owned());
        }
        let tiles: Vec<TileEntry> = self
            .tiles
            .iter()
            .map(|tile| {
                let hash = number(&tile.hash)?;
                Ok(TileEntry { at: tile.at, triangles: tile.triangles, bounds: tile.bounds, hash })
            })
            .collect::<Result<_, String>>()?;
        if !tiles.is_sorted_by(|a, b| a.at < b.at) {
            return Err("its tiles are not in order, or one is there twice".to_owned());
        }
        let landmarks = self.landmarks.into_iter();
        let level = TiledLevel {
            name: self.name,
            format,
            up,
            scale: self.scale,
            preset: self.preset,
            grid,
            surfaces: self.surfaces,
            colors: self.colors,
            skies: self.skies,
            landmarks: landmarks
                .map(|at| Landmark { name: at.name, position: DVec3::from_array(at.position) })
                .collect(),
            volumes: self.volumes.into_iter().map(volume).collect::<Result<_, String>>()?,
            source: self.source.as_deref().map(number).transpose()?,
        };
        let totals = Totals {
            vertices: self.vertices,
            triangles: self.triangles,
            hash: number(&self.hash)?,
            bounds: self.bounds,
        };
        Ok(Index { world: number(&self.world)?, level, totals, tiles })
    }
}

pub(crate) fn name_of(up: Up) -> &'static str {
    match up {
        Up::Y => "y",
        Up::Z => "z",
    }
}

fn volume_record(volume: &Volume) -> VolumeRecord {
    let (to, velocity) = match volume.kind {
        VolumeKind::Teleport { to } => (Some(to.to_array()), None),
        VolumeKind::Push { velocity } => (None, Some(velocity.to_array())),
        _ => (None, None),
    };
    let plane = |plane: &HalfSpace| {
        let [x, y, z] = plane.normal.to_array();
        [x, y, z, plane.offset]
    };
    VolumeRecord {
        name: volume.name.clone(),
        kind: volume.kind.name().to_owned(),
        to,
        velocity,
        pieces: volume.pieces.iter().map(|piece| piece.planes().iter().map(plane).collect()).collect(),
    }
}

fn volume(record: VolumeRecord) -> Result<Volume, String> {
    let VolumeRecord { name, kind, to, velocity, pieces } = record;
    let point = |p: Option<[f64; 3]>, key: &str| {
        p.map(DVec3::from_array).ok_or_else(|| format!("the volume {name:?} has no {key:?}"))
    };
    let kind = match kind.as_str() {
        "kill" => VolumeKind::Kill,
        "ignore" => VolumeKind::Ignore,
        "bounds" => VolumeKind::Bounds,
        "teleport" => VolumeKind::Teleport { to: point(to, "to")? },
        "push" => VolumeKind::Push { velocity: point(velocity, "velocity")? },
        "ladder" => VolumeKind::Ladder,
        "water" => VolumeKind::Water,
        other => return Err(format!("the volume {name:?} is of the unknown kind {other:?}")),
    };
    let half_space = |[x, y, z, offset]: [f64; 4]| HalfSpace { normal: DVec3::new(x, y, z), offset };
    let pieces = pieces
        .into_iter()
        .map(|planes| Convex::from_planes(planes.into_iter().map(half_space).collect()))
        .collect::<Option<Vec<Convex>>>()
        .ok_or_else(|| format!("the volume {name:?} has a piece that is no convex part of space"))?;
    Ok(Volume { name, kind, pieces })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index() -> Index {
        let piece = Convex::from_box(DVec3::ZERO, DVec3::new(0.1, 2.0, 1.0 / 3.0)).unwrap();
        let volume = |kind| Volume { name: "v".to_owned(), kind, pieces: vec![piece.clone()] };
        let kinds = [
            VolumeKind::Kill,
            VolumeKind::Ignore,
            VolumeKind::Bounds,
            VolumeKind::Teleport { to: DVec3::new(0.1, 0.2, 0.3) },
            VolumeKind::Push { velocity: DVec3::new(-0.1, 1e-300, 3.0) },
            VolumeKind::Ladder,
            VolumeKind::Water,
        ];
        let grid = Grid::new(128.0, 8.0).unwrap();
        let bounds = [[-1.0, 0.1, 1e-30], [2.0, 3.0, 4.0]];
        Index {
            world: u64::MAX,
            level: TiledLevel {
                format: Format::Bsp,
                up: Up::Z,
                scale: 1.0 / 32.0,
                preset: Some("quake".to_owned()),
                surfaces: vec!["a \"b\"".to_owned()],
                colors: vec![Some([0.1, 0.2, 1.0 / 3.0])],
                landmarks: vec![Landmark { name: "spawn".to_owned(), position: DVec3::splat(1.0 / 3.0) }],
                volumes: kinds.map(volume).to_vec(),
                ..TiledLevel::plain("castle.bsp", grid)
            },
            totals: Totals { vertices: 3, triangles: 1, hash: 0x0123_4567_89AB_CDEF, bounds },
            tiles: vec![TileEntry { at: [-1, 0], triangles: 1, bounds, hash: 9 }],
        }
    }

    #[test]
    fn an_index_comes_back_to_the_bit() {
        let index = index();
        let read = Index::from_json(Path::new("world.json"), &index.to_json().unwrap()).unwrap();
        assert_eq!((read.world, read.level, read.totals), (index.world, index.level, index.totals));
        assert_eq!(read.tiles, index.tiles);
    }

    #[test]
    fn an_index_that_is_damaged_is_refused_with_what_is_wrong() {
        let json = String::from_utf8(index().to_json().unwrap()).unwrap();
        for (from, to, said) in [
            ("\"carom_tiles\":1", "\"carom_tiles\":2", "version 2"),
            ("\"up\":\"z\"", "\"up\":\"x\"", "up \"x\""),
            ("\"format\":\"bsp\"", "\"format\":\"doc\"", "format \"doc\""),
            ("\"margin\":8.0", "\"margin\":-8.0", "margin"),
            ("\"scale\":0.03125", "\"scale\":0.0", "scale 0"),
            ("\"kind\":\"kill\"", "\"kind\":\"die\"", "\"die\""),
            ("ffffffffffffffff", "fffffffffffffffg", "hash"),
            ("\"name\":", "\"nome\":", "no index of tiles"),
        ] {
            let changed = json.replacen(from, to, 1);
            assert_ne!(changed, json, "{from}");
            let refused =
                Index::from_json(Path::new("world.json"), changed.as_bytes()).unwrap_err().to_string();
            assert!(refused.contains(said) && refused.contains("world.json"), "{refused}");
        }
    }
}
