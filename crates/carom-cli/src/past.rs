//! Earlier reports: the known findings of a level, and the changes.
//!
//! A finding is known if each of its cells is at most a cell away (two in height) from one of the same code
//! in the older report; for falls the cause must be the same too. So a new hole beside a known rim is new at
//! any distance, and a finding that lost cells is known.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use carom_explore::Code;
use serde::Deserialize;

use crate::json;

/// The version of reports that this program writes.
pub(crate) const VERSION: u32 = carom_explore::REPORT_VERSION;

/// A report as it was written.
#[derive(Debug, Deserialize)]
pub(crate) struct Past {
    version: Option<u32>,
    pub(crate) level: String,
    pub(crate) coverage: Coverage,
    pub(crate) settings: Settings,
    pub(crate) findings: Vec<PastFinding>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Coverage {
    pub(crate) reached_m2: f64,
    pub(crate) walkable_m2: f64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Settings {
    cell: f64,
    radii: [f64; 3],
}

#[derive(Debug, Deserialize)]
pub(crate) struct PastFinding {
    #[serde(default)]
    pub(crate) id: String,
    pub(crate) code: String,
    #[serde(default)]
    pub(crate) severity: String,
    pub(crate) position: [f64; 3],
    extent: Option<PastExtent>,
    pub(crate) folded: Option<String>,
    #[serde(default)]
    pub(crate) meaning: String,
    area_m2: Option<f64>,
    cause: Option<String>,
}

#[derive(Debug, Deserialize)]
struct PastExtent {
    cells: Vec<[i32; 3]>,
}

impl Past {
    /// Reads a report; `role` is its name in errors.
    pub(crate) fn read(path: &Path, role: &str) -> Result<Self> {
        let text =
            std::fs::read(path).with_context(|| format!("cannot read the {role} {}", path.display()))?;
        let past: Self = json::read(&text)
            .with_context(|| format!("cannot use the {role} {}: it is not a report.json", path.display()))?;
        let version = past.version.unwrap_or(1);
        ensure!(
            version <= VERSION,
            "the {role} {} has version {version}, but this carom reads only up to {VERSION}: update carom",
            path.display()
        );
        ensure!(
            past.settings.cell > 0.0 && past.settings.cell.is_finite(),
            "cannot use the {role} {}: settings.cell must be greater than 0",
            path.display()
        );
        if version < VERSION {
            eprintln!(
                "carom: the {role} {} has an older version without cells: findings are compared by position, within 2 m",
                path.display()
            );
        }
        Ok(past)
    }

    /// Prints the reasons why a comparison with another report is not exact.
    pub(crate) fn compare_settings(&self, cell: f64, radii: [f64; 3]) {
        if self.settings.radii != radii || self.settings.cell != cell {
            eprintln!(
                "carom: the older report used another body or cell size: findings may be new only because of that"
            );
        }
    }

    pub(crate) fn cell(&self) -> f64 {
        self.settings.cell
    }

    pub(crate) fn radii(&self) -> [f64; 3] {
        self.settings.radii
    }

    /// The earlier report, in the form that many findings are compared with.
    pub(crate) fn knowledge(&self) -> Knowledge<'_> {
        let mut cells: BTreeMap<Kind<'_>, BTreeSet<[i32; 3]>> = BTreeMap::new();
        for finding in &self.findings {
            if let Some(extent) = &finding.extent {
                let kind = kind(&finding.code, finding.cause.as_deref());
                cells.entry(kind).or_default().extend(&extent.cells);
            }
        }
        Knowledge { past: self, cells }
    }
}

impl PastFinding {
    /// The finding for a comparison.
    pub(crate) fn seen(&self, cell: f64) -> Seen<'_> {
        let cells = self.extent.as_ref().map_or(&[][..], |extent| &extent.cells);
        Seen {
            code: &self.code,
            cause: self.cause.as_deref(),
            position: self.position,
            area: self.area_m2.unwrap_or(0.0),
            cells,
            cell,
        }
    }
}

/// A finding of any report.
pub(crate) struct Seen<'a> {
    pub(crate) code: &'a str,
    /// The opening that a body falls through, for example.
    pub(crate) cause: Option<&'a str>,
    pub(crate) position: [f64; 3],
    /// In m²; 0 if it has none.
    pub(crate) area: f64,
    pub(crate) cells: &'a [[i32; 3]],
    /// The side of its cells, in meters.
    pub(crate) cell: f64,
}

/// A code, and for falls the opening: a hole in a known rim is not part of the rim.
type Kind<'a> = (&'a str, Option<&'a str>);

fn kind<'a>(code: &'a str, cause: Option<&'a str>) -> Kind<'a> {
    (code, cause.filter(|_| code == Code::FallOut.name()))
}

/// The cells of a report by kind.
pub(crate) struct Knowledge<'a> {
    past: &'a Past,
    cells: BTreeMap<Kind<'a>, BTreeSet<[i32; 3]>>,
}

impl Knowledge<'_> {
    /// Whether a finding was there.
    pub(crate) fn holds(&self, seen: &Seen<'_>) -> bool {
        match self.cells.get(&kind(seen.code, seen.cause)) {
            Some(known) if !seen.cells.is_empty() => {
                seen.cells.iter().all(|cell| is_near(*cell, seen.cell, known, self.past.settings.cell))
            }
            _ => self.past.findings.iter().any(|known| known.extent.is_none() && known.is_at(seen)),
        }
    }
}

impl PastFinding {
    /// By position: a finding that moved by less than 2 m is the same; a region may move by half of its size
    /// more.
    fn is_at(&self, seen: &Seen<'_>) -> bool {
        let root = |area: f64| carom::num::ops::sqrt(area.max(0.0));
        // By half of the smaller: a closet beside a field is not the field.
        let near = 2.0 + 0.5 * root(self.area_m2.unwrap_or(0.0)).min(root(seen.area));
        let away = glam::DVec3::from_array(self.position) - glam::DVec3::from_array(seen.position);
        self.code == seen.code && away.length_squared() <= near * near
    }
}

/// Whether two findings share a place: a cell of one beside a cell of the other.
pub(crate) fn overlap(one: &Seen<'_>, other: &Seen<'_>) -> bool {
    if kind(one.code, one.cause) != kind(other.code, other.cause) {
        return false;
    }
    if other.cells.is_empty() || one.cells.is_empty() {
        let away = glam::DVec3::from_array(one.position) - glam::DVec3::from_array(other.position);
        return away.length_squared() <= 4.0;
    }
    let known: BTreeSet<[i32; 3]> = other.cells.iter().copied().collect();
    one.cells.iter().any(|cell| is_near(*cell, one.cell, &known, other.cell))
}

/// Whether a cell of one size has a known one of another size beside it.
fn is_near(cell: [i32; 3], size: f64, known: &BTreeSet<[i32; 3]>, known_size: f64) -> bool {
    let [x, y, z] = if size == known_size {
        cell
    } else {
        // The known cell that its middle lies in.
        cell.map(|i| ((f64::from(i) + 0.5) * size / known_size).floor() as i32)
    };
    let around = |i: i32, by: i32| i.saturating_sub(by)..=i.saturating_add(by);
    around(x, 1).any(|x| around(y, 2).any(|y| around(z, 1).any(|z| known.contains(&[x, y, z]))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn past(cells: &str) -> Past {
        let text = format!(
            r#"{{"version":2,"level":"a","coverage":{{"reached_m2":1,"walkable_m2":1}},
            "settings":{{"cell":0.5,"radii":[0.4,0.9,0.4]}},
            "findings":[{{"code":"FALL_OUT","cause":"an open rim","position":[0,0,0],"extent":{{"cells":{cells}}}}}]}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    fn seen(cells: &[[i32; 3]], cell: f64) -> Seen<'_> {
        Seen { code: "FALL_OUT", cause: Some("an open rim"), position: [0.0; 3], area: 0.0, cells, cell }
    }

    #[test]
    fn one_cell_that_is_far_from_all_known_ones_makes_a_finding_new() {
        let rim = past("[[0,0,0],[1,0,0],[2,0,0],[3,0,0]]");
        let known = rim.knowledge();
        assert!(known.holds(&seen(&[[0, 0, 0], [1, 1, 1]], 0.5)));
        assert!(!known.holds(&seen(&[[0, 0, 0], [1, 0, 2]], 0.5)));
        assert!(!known.holds(&seen(&[[0, 3, 0]], 0.5)));
        assert!(known.holds(&seen(&[[0, 0, 0]], 0.25)) && !known.holds(&seen(&[[0, 0, 9]], 0.25)));
        assert!(!known.holds(&Seen { code: "TRAP", ..seen(&[[0, 0, 0]], 0.5) }));
        assert!(!known.holds(&Seen { cause: Some("a hole"), ..seen(&[[0, 0, 0]], 0.5) }));
    }
}
