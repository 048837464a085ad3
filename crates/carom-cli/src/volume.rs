//! Volumes in rules and scenes.

use anyhow::{Context, Result, anyhow, bail, ensure};
use carom_formats::{Convex, HalfSpace, Volume, VolumeKind};
use glam::DVec3;
use serde::Deserialize;

/// A volume, as rules and scenes have it: a box, or half-spaces `[x, y, z, offset]` with a normal of length
/// 1.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct VolumeSpec {
    name: Option<String>,
    kind: String,
    #[serde(rename = "box")]
    cuboid: Option<BoxSpec>,
    planes: Option<Vec<[f64; 4]>>,
    to: Option<[f64; 3]>,
    velocity: Option<[f64; 3]>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BoxSpec {
    min: [f64; 3],
    max: [f64; 3],
}

/// The volumes of a file; teleporters that overlap are refused.
pub(crate) fn volumes(specs: &[VolumeSpec]) -> Result<Vec<Volume>> {
    let build = |(number, spec): (usize, &VolumeSpec)| {
        spec.volume(number).with_context(|| match &spec.name {
            Some(name) => format!("volumes[{number}] {name:?}"),
            None => format!("volumes[{number}]"),
        })
    };
    let volumes = specs.iter().enumerate().map(build).collect::<Result<Vec<_>>>()?;
    let teleports: Vec<usize> =
        (0..specs.len()).filter(|i| matches!(volumes[*i].kind, VolumeKind::Teleport { .. })).collect();
    for (i, a) in teleports.iter().enumerate() {
        for b in &teleports[i + 1..] {
            if let (Some(one), Some(other)) = (&specs[*a].cuboid, &specs[*b].cuboid)
                && (0..3).all(|k| one.min[k] < other.max[k] && other.min[k] < one.max[k])
            {
                bail!("volumes[{a}] and volumes[{b}] are teleports that overlap: move them apart");
            }
        }
    }
    Ok(volumes)
}

impl VolumeSpec {
    fn volume(&self, number: usize) -> Result<Volume> {
        let vector = |key: &str, given: Option<[f64; 3]>| {
            given
                .map(DVec3::from_array)
                .ok_or_else(|| anyhow!("a {} needs {key:?}, three numbers", self.kind))
        };
        let kind = match self.kind.as_str() {
            "kill" => VolumeKind::Kill,
            "ignore" => VolumeKind::Ignore,
            "bounds" => VolumeKind::Bounds,
            "ladder" => VolumeKind::Ladder,
            "water" => VolumeKind::Water,
            "teleport" => VolumeKind::Teleport { to: vector("to", self.to)? },
            "push" => VolumeKind::Push { velocity: vector("velocity", self.velocity)? },
            other => {
                bail!("kind {other:?} is unknown: use kill, ignore, bounds, teleport, push, ladder or water")
            }
        };
        ensure!(self.to.is_none() || self.kind == "teleport", "\"to\" is for teleports");
        ensure!(self.velocity.is_none() || self.kind == "push", "\"velocity\" is for pushes");
        let piece = match (&self.cuboid, &self.planes) {
            (Some(cuboid), None) => {
                Convex::from_box(DVec3::from_array(cuboid.min), DVec3::from_array(cuboid.max))
                    .context("the box is empty: min must be less than max along every axis")?
            }
            (None, Some(planes)) => {
                let plane = |[x, y, z, offset]: &[f64; 4]| HalfSpace {
                    normal: DVec3::new(*x, *y, *z),
                    offset: *offset,
                };
                Convex::from_planes(planes.iter().map(plane).collect())
                    .context("planes need normals of length 1, and at least one plane")?
            }
            _ => bail!("needs exactly one of box and planes"),
        };
        let name = self.name.clone().unwrap_or_else(|| format!("{} {number}", self.kind));
        Ok(Volume { name, kind, pieces: vec![piece] })
    }
}
