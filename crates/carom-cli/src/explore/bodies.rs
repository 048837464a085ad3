//! Several bodies in one report: the first of the rules is the main body. Each other body also floods the
//! level, and adds the findings that only it has.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::{Context, Result};
use carom_explore::{Code, Explorer, Finding, Level, OtherBody, Stage, Stop, Walked};
use glam::DVec3;

/// The body that explored first.
#[derive(Clone, Copy)]
pub(crate) struct First<'a> {
    pub(crate) explorer: &'a Explorer<'a>,
    pub(crate) name: &'a str,
}

/// Lets the other bodies flood the level from the spawns of the first. Their new findings are added to the
/// list. Returns how far each body got, the first included, and the ticks of the others.
pub(crate) fn explore(
    First { explorer: first, name }: First<'_>,
    others: &[Arc<OtherBody>],
    level: &Level,
    stop: &Stop,
    findings: &mut Vec<Finding>,
) -> Result<(Vec<Walked>, u64)> {
    let mut walked = vec![Walked::of(name, first)];
    let mut ticks = 0;
    for other in others {
        let lift = DVec3::Y * (other.rules.radii.y - first.rules().radii.y);
        let spawns: Vec<DVec3> = first.spawns().iter().map(|spawn| spawn.position + lift).collect();
        if spawns.is_empty() {
            break;
        }
        let mut explorer = Explorer::stoppable(level, &other.rules, &spawns, stop.clone())
            .with_context(|| format!("the body {:?}", other.name))?;
        while explorer.advance() == Stage::Flooding {}
        let own = explorer.finish();
        let known = cells(findings);
        let is_new = |finding: &Finding| finding.is_listed() && !holds(&known, finding);
        let new = own.into_iter().filter(is_new);
        findings.extend(new.map(|finding| Finding { body: Some(Arc::clone(other)), ..finding }));
        ticks += explorer.progress().ticks;
        walked.push(Walked::of(&other.name, &explorer));
    }
    Ok((walked, ticks))
}

type Cells = BTreeMap<Code, BTreeSet<[i32; 3]>>;

/// The code that findings are compared by: to be stuck in a pit and to be trapped there is the same.
fn said(code: Code) -> Code {
    if code == Code::Stuck { Code::Trap } else { code }
}

fn cells(findings: &[Finding]) -> Cells {
    let mut cells = Cells::new();
    for finding in findings {
        cells.entry(said(finding.code)).or_default().extend(&finding.extent.cells);
    }
    cells
}

/// Whether another body has found the same: one of its cells is at most one away, or two in height, from a
/// cell of the same code.
fn holds(known: &Cells, finding: &Finding) -> bool {
    let Some(known) = known.get(&said(finding.code)) else { return false };
    let is_near = |[x, y, z]: &[i32; 3]| {
        (x - 1..=x + 1).any(|x| (y - 2..=y + 2).any(|y| (z - 1..=z + 1).any(|z| known.contains(&[x, y, z]))))
    };
    finding.extent.cells.iter().any(is_near)
}
