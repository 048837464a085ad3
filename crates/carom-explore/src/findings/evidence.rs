//! The evidence behind findings.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::findings::analysis::Trap;
use crate::findings::finding::Confirmed;
use crate::flood::Flood;
use crate::flood::places::column;
use crate::floor::Floor;
use crate::floor::spawn::Spawn;
use crate::stop::Stop;
use crate::walk::Walker;

/// The basis of findings.
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

/// Groups of points that are within `gap` cells and `rise` in height of each other, directly or by others
/// between, in the order of their first.
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
