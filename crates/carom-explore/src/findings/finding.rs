//! A finding: a defect, its position, and the path to it.

use carom_formats::Extents;
use std::fmt;
use std::sync::Arc;

use glam::DVec3;

use crate::findings::witness::Witness;
use crate::rules::Rules;

/// The kinds of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// A body leaves the world there: its center falls 10 m below the lowest vertex.
    FallOut,
    /// A body gets there and can no longer move on.
    Stuck,
    /// A region from which no way leads back to a spawn.
    Trap,
    /// A spawn in which the body does not fit.
    StartOverlap,
    /// The walk hangs where a body raised by a step passes, and beyond the floor continues.
    Snag,
    /// Floor that is flat enough, with room for the body, that was never reached.
    Unreached,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// It breaks the game.
    Error,
    /// It may be meant.
    Warning,
}

impl Severity {
    /// As in reports: `error`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Code {
    /// All codes, the worst first.
    pub const ALL: [Self; 6] =
        [Self::FallOut, Self::Stuck, Self::Trap, Self::StartOverlap, Self::Snag, Self::Unreached];

    /// As in reports: `FALL_OUT`.
    pub fn name(self) -> &'static str {
        match self {
            Self::FallOut => "FALL_OUT",
            Self::Stuck => "STUCK",
            Self::Trap => "TRAP",
            Self::StartOverlap => "START_OVERLAP",
            Self::Snag => "SNAG",
            Self::Unreached => "UNREACHED",
        }
    }

    /// In words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::FallOut => "a player can fall out of the world here",
            Self::Stuck => "a player can get in here and cannot move on",
            Self::Trap => "a player can get in here but cannot get back to a spawn",
            Self::StartOverlap => "the player does not fit in this spawn",
            Self::Snag => "the player gets stuck on something lower than a step, and the floor continues",
            Self::Unreached => "floor with room for the player that was never reached",
        }
    }

    /// Whether it is an error or a warning.
    pub fn severity(self) -> Severity {
        match self {
            Self::Snag | Self::Unreached => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

/// How large a finding is.
#[derive(Clone, Debug, PartialEq)]
pub struct Extent {
    /// The least coordinates of its cells, in meters.
    pub min: DVec3,
    /// The greatest.
    pub max: DVec3,
    /// Its cells: x, height and z by the side of a cell, rounded down; in order, each once.
    pub cells: Vec<[i32; 3]>,
}

impl Extent {
    /// Of points in cells of this side.
    pub(crate) fn of(points: impl IntoIterator<Item = DVec3>, cell: f64) -> Self {
        let at = |p: DVec3| (p / cell).floor().to_array().map(|x| x as i32);
        let mut cells: Vec<[i32; 3]> = points.into_iter().map(at).collect();
        cells.sort_unstable();
        cells.dedup();
        let bounds = cells.iter().fold(Extents::NONE, |all, at| {
            let low = DVec3::from_array(at.map(f64::from)) * cell;
            all.around(Extents { low, high: low + cell })
        });
        Self { min: bounds.low, max: bounds.high, cells }
    }
}

/// How hard seeded agents tried to get out: each of them idled, turned and jumped at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Confirmed {
    /// How many agents.
    pub agents: u32,
    /// How many ticks each.
    pub ticks: u32,
}

/// A body that floods a level beside the one that a report is about.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherBody {
    /// As the rules call it.
    pub name: String,
    /// Its shape and abilities.
    pub rules: Rules,
}

/// Something that is wrong, at one place or many that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its kind.
    pub code: Code,
    /// A name that stays the same when the level changes elsewhere: from the code and the cells.
    pub id: String,
    /// Why it is kept, but not listed; `None` if it is listed.
    pub folded: Option<String>,
    /// Details that the code does not give: for a fall, the surface that the body falls through; for floor
    /// that was not reached, the sign that it should be.
    pub cause: Option<&'static str>,
    /// How hard it was tried to get out; of `Stuck` and `Trap`.
    pub confirmed: Option<Confirmed>,
    /// How long a rim is, in meters.
    pub length: Option<f64>,
    /// Where its cells are.
    pub extent: Extent,
    /// Where, in meters: of `FallOut` the last center that stood, of `Unreached` the floor nearest the
    /// region's middle, else the center at the place.
    pub position: DVec3,
    /// How many cells are concerned.
    pub places: u32,
    /// How much floor, in m²; of `Unreached`.
    pub area: Option<f64>,
    /// The body that found it, if it is not the report's own: its witness has this one.
    pub body: Option<Arc<OtherBody>>,
    /// How to get there. Of `Unreached` there is no way: a body that is put there and stands.
    pub witness: Witness,
}

impl Finding {
    /// A listed finding in these cells.
    pub(crate) fn new(code: Code, position: DVec3, extent: Extent, witness: Witness) -> Self {
        let bytes = extent.cells.as_flattened().iter().flat_map(|x| x.to_le_bytes());
        let hash = bytes.fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        let places = extent.cells.len() as u32;
        let id = format!("{}-{hash:016x}", code.name().to_lowercase());
        Self {
            code,
            id,
            folded: None,
            cause: None,
            confirmed: None,
            length: None,
            extent,
            position,
            places,
            area: None,
            body: None,
            witness,
        }
    }

    /// The rules of the body that found it, in a report by these.
    pub fn rules<'a>(&'a self, own: &'a Rules) -> &'a Rules {
        self.body.as_ref().map_or(own, |body| &body.rules)
    }

    /// Whether it is listed: not folded.
    pub fn is_listed(&self) -> bool {
        self.folded.is_none()
    }
}
