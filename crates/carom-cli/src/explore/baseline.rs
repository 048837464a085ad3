//! Findings that are known: those of an earlier report.

use std::path::Path;

use anyhow::{Context, Result};
use carom_explore::Finding;
use glam::DVec3;
use serde::Deserialize;

/// What an earlier report holds.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Baseline {
    findings: Vec<Known>,
}

#[derive(Debug, Deserialize)]
struct Known {
    code: String,
    position: [f64; 3],
    #[serde(default)]
    area_m2: f64,
}

/// What moved by less than this, in metres, is the same finding; regions may move by half of their size more.
const NEAR: f64 = 2.0;

impl Baseline {
    pub(crate) fn holds(&self, finding: &Finding) -> bool {
        let root = |area: f64| carom::num::ops::sqrt(area.max(0.0));
        self.findings.iter().any(|known| {
            // By half of the smaller: a closet beside a field is not the field.
            let near = NEAR + 0.5 * root(known.area_m2).min(root(finding.area.unwrap_or(0.0)));
            let away = finding.position - DVec3::from_array(known.position);
            known.code == finding.code.name() && away.length_squared() <= near * near
        })
    }
}

pub(crate) fn read(path: &Path) -> Result<Baseline> {
    let text = std::fs::read(path).with_context(|| format!("cannot read the baseline {}", path.display()))?;
    serde_json::from_slice(&text)
        .with_context(|| format!("cannot use the baseline {}: it is no report.json", path.display()))
}
