//! What is wrong with a level, and where.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use crate::analysis::Trap;
use crate::falls::Falls;
use crate::flood::Flood;
use crate::floor::{Floor, Sample};
use crate::places::{Hold, column};
use crate::spawn::Spawn;
use crate::stop::Stop;
use crate::walk::Walker;
use crate::witness::Witness;

/// Why a trap is folded.
const BEYOND_RIM: &str = "only ways over the open rim of a level that stands in the void lead on from there";

/// What is wrong.
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
    /// The walk hangs where a body raised by a step passes, and beyond the floor goes on.
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
            Self::FallOut => "a player falls out of the world here",
            Self::Stuck => "a player gets in here and cannot move on",
            Self::Trap => "a player gets in here and finds no way back to a spawn",
            Self::StartOverlap => "the player does not fit in this spawn",
            Self::Snag => "the player hangs where it would pass a step higher, and the floor goes on",
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
        let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (min, max) = cells.iter().fold(none, |(min, max), at| {
            let low = DVec3::from_array(at.map(f64::from)) * cell;
            (min.min(low), max.max(low + cell))
        });
        Self { min, max, cells }
    }
}

/// How hard seeded agents tried to get out: each of them idled, turned and jumped at random for so many
/// ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Confirmed {
    /// How many agents.
    pub agents: u32,
    /// How many ticks each.
    pub ticks: u32,
}

/// Something that is wrong, at one place or many that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What.
    pub code: Code,
    /// A name that stays the same when the level changes elsewhere: from the code and the cells.
    pub id: String,
    /// Why it is kept, but not listed; `None` if it is listed.
    pub folded: Option<String>,
    /// What it is, where the code alone does not say so: of a fall what the body falls through, of floor that
    /// was not reached the sign that somebody should.
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
            witness,
        }
    }

    /// Whether it is listed: not folded.
    pub fn is_listed(&self) -> bool {
        self.folded.is_none()
    }
}

/// What findings are drawn from.
pub(crate) struct Evidence<'a> {
    pub(crate) walker: &'a Walker<'a>,
    pub(crate) flood: &'a Flood,
    pub(crate) floor: &'a Floor,
    pub(crate) traps: &'a [Trap],
    /// Spawns in which the body does not fit.
    pub(crate) blocked: &'a [Spawn],
    /// How hard agents tried to leave traps.
    pub(crate) confirmed: Option<Confirmed>,
    pub(crate) stop: &'a Stop,
}

/// All that is wrong, the worst and largest first.
pub(crate) fn findings(evidence: &Evidence<'_>) -> Vec<Finding> {
    let Falls { mut found, over_rims } = crate::falls::falls(evidence);
    found.extend(crate::snags::snags(evidence));
    found.extend(evidence.trapped(&over_rims));
    let cell = evidence.walker.rules.cell();
    found.extend(evidence.blocked.iter().map(|spawn| {
        let witness = Witness::at(evidence.walker, spawn.position, 1);
        Finding::new(Code::StartOverlap, spawn.position, Extent::of([spawn.position], cell), witness)
    }));
    // Floor that was not reached before a stop may be reached yet.
    if evidence.flood.is_done() {
        found.extend(crate::unreached::unreached(evidence));
    }
    let place = |finding: &Finding| finding.position.to_array().map(f64::to_bits);
    found.sort_by(|a, b| {
        a.code.cmp(&b.code).then(b.places.cmp(&a.places)).then_with(|| place(a).cmp(&place(b)))
    });
    found
}

impl Evidence<'_> {
    /// Regions without a way back. An end of one in which there is hardly room to move is a place to be stuck
    /// in. Who can leave a region over the rim of a level that stands in the void dies as is meant there, and
    /// begins again: that region is folded with the rim.
    fn trapped(&self, over_rims: &BTreeSet<u32>) -> Vec<Finding> {
        let rules = self.walker.rules;
        let mut found = Vec::new();
        let list = &self.flood.places.list;
        let mut tell = |code, places: &[u32], folded: Option<&str>| {
            let Some(&first) = places.iter().min_by_key(|id| (list[**id as usize].ticks, **id)) else {
                return;
            };
            let witness = Witness::to(self.walker, self.flood, first, None);
            let position = list[first as usize].position;
            let points = places.iter().map(|id| list[*id as usize].position);
            let finding = Finding::new(code, position, Extent::of(points, rules.cell()), witness);
            found.push(Finding { confirmed: self.confirmed, folded: folded.map(str::to_owned), ..finding });
        };
        for trap in self.traps {
            let is_tight = |end: &&Vec<u32>| {
                let points = end.iter().map(|id| list[*id as usize].position);
                let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
                let (low, high) = points.fold(none, |(low, high), p| (low.min(p), high.max(p)));
                (high - low).with_y(0.0).max_element() < rules.radii.x.min(rules.radii.z)
            };
            let tight: Vec<&Vec<u32>> = trap.ends.iter().filter(is_tight).collect();
            for end in &tight {
                tell(Code::Stuck, end, None);
            }
            // From where one only falls out of the world, that is what is wrong, unless it is a region of
            // floor: who hangs over a rim is falling already.
            let stands = |id: &&u32| self.floor.holds(list[**id as usize].position, rules);
            let is_region = self.floor.area(trap.places.iter().filter(stands).count()) >= rules.min_area;
            if tight.len() < trap.ends.len() || trap.ends.is_empty() && is_region {
                let ends_over_rim =
                    trap.ends.is_empty() && trap.places.iter().any(|id| over_rims.contains(id));
                tell(Code::Trap, &trap.places, ends_over_rim.then_some(BEYOND_RIM));
            }
        }
        found
    }

    /// Places from which a second look may find a way that the first did not: those that lead nowhere, and
    /// those beside floor that was not reached.
    pub(crate) fn doubtful(&self, most: usize) -> Vec<u32> {
        let rules = self.walker.rules;
        let mut ids: Vec<u32> =
            self.traps.iter().flat_map(|trap| trap.places.iter().copied()).take(most).collect();
        let reach = self.floor.rise + rules.jump_height();
        for part in self.floor.parts(|sample| !sample.is_reached) {
            if self.floor.area(part.len()) < rules.min_area {
                continue;
            }
            for sample in part {
                let Sample { column: [x, z], height, .. } = self.floor.samples[sample as usize];
                for i in -2..=2 {
                    for j in -2..=2 {
                        ids.extend(self.flood.places.in_column([x + i, z + j]).filter(|id| {
                            let place = &self.flood.places.list[*id as usize];
                            let rise = (place.position.y - rules.radii.y - height).abs();
                            place.hold == Hold::Ground && rise <= reach
                        }));
                    }
                }
                if ids.len() > 4 * most {
                    break;
                }
            }
        }
        ids.sort_unstable();
        ids.dedup();
        ids.truncate(most);
        ids
    }
}

/// Points that are within so many cells of each other, and so much in height, directly or by others between:
/// groups of numbers, in the order of their first.
pub(crate) fn neighbors(points: &[DVec3], cell: f64, gap: i32, rise: f64) -> Vec<Vec<usize>> {
    let mut cells: BTreeMap<[i32; 2], Vec<usize>> = BTreeMap::new();
    for (i, point) in points.iter().enumerate() {
        cells.entry(column(*point, cell)).or_default().push(i);
    }
    let mut seen = vec![false; points.len()];
    let mut groups = Vec::new();
    for first in 0..points.len() {
        if seen[first] {
            continue;
        }
        seen[first] = true;
        let mut group = vec![first];
        let mut next = 0;
        while let Some(&at) = group.get(next) {
            next += 1;
            let [x, z] = column(points[at], cell);
            for i in -gap..=gap {
                for other in cells.range([x + i, z - gap]..=[x + i, z + gap]).flat_map(|(_, here)| here) {
                    if !seen[*other] && (points[*other].y - points[at].y).abs() <= rise {
                        seen[*other] = true;
                        group.push(*other);
                    }
                }
            }
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups
}
