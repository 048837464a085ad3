//! The order of findings: the most important first.

use crate::findings::finding::{Finding, Severity};

/// Listed before folded, errors before warnings; then how soon and how widely a player meets it: the time it
/// takes to get there over the square root of its cells, the least first. Unreached floor, which no player
/// meets, is ordered by its size. Equals by their ids.
pub fn rank(findings: &mut [Finding]) {
    let key = |finding: &Finding| {
        let wide = carom::num::ops::sqrt(f64::from(finding.places.max(1)));
        let met = match finding.area {
            // Never: behind all that is hit, the largest first.
            Some(area) => 1e9 / (1.0 + area),
            None => f64::from(finding.witness.ticks) / wide,
        };
        (!finding.is_listed(), finding.code.severity() != Severity::Error, met)
    };
    findings.sort_by(|a, b| {
        let (one, other) = (key(a), key(b));
        (one.0, one.1).cmp(&(other.0, other.1)).then(one.2.total_cmp(&other.2)).then_with(|| a.id.cmp(&b.id))
    });
}
