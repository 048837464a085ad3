//! Railings over the void: a gap in one is where players fall.

use carom_explore::{Code, Finding, Rules};
use carom_scenes::{MeshBuilder, Random};
use glam::DVec3;

use crate::{cases, listed_from, said, slab};

const START: DVec3 = DVec3::new(-6.0, 0.95, 0.0);

fn listed(mesh: &MeshBuilder) -> Vec<Finding> {
    listed_from(START, mesh, &Rules::default())
}

/// A plaza of 12 × 12 m in the void beside x = 0, walled but for an opening of this width towards it.
fn plaza(wide: f64) -> MeshBuilder {
    let side = 0.5 * wide;
    slab([-12.0, -1.0, -6.0], [0.0, 0.0, 6.0])
        .and(&slab([-12.3, -1.0, -6.3], [-12.0, 3.0, 6.3]))
        .and(&slab([-12.0, -1.0, -6.3], [0.0, 3.0, -6.0]))
        .and(&slab([-12.0, -1.0, 6.0], [0.0, 3.0, 6.3]))
        .and(&slab([-0.3, 0.0, -6.0], [0.0, 3.0, -side]))
        .and(&slab([-0.3, 0.0, side], [0.0, 3.0, 6.0]))
}

#[test]
fn a_gap_in_a_railing_is_listed_although_bodies_climb_over_the_railing() {
    let mut random = Random::scattered(51);
    for number in 0..cases() {
        let (long, wide, high) =
            (random.between(16.0, 28.0), random.between(3.0, 5.0), random.between(0.7, 1.1));
        let (from, gap) = (random.between(4.0, long - 6.0), random.between(1.5, 3.0));
        let side = 0.5 * wide;
        let span = plaza(wide)
            .and(&slab([0.0, -0.4, -side], [long, 0.0, side]))
            .and(&slab([long - 0.3, 0.0, -side], [long, 3.0, side]));
        let railing = |mesh: MeshBuilder, [near, far]: [f64; 2], z: f64| {
            mesh.and(&slab([near, 0.0, z - 0.04], [far, high, z + 0.04]))
        };
        let about = |findings: &[Finding]| {
            format!(
                "{number}: {long} × {wide} m, {high} m high, open for {gap} m at {from}\n{}",
                said(findings)
            )
        };
        let one = railing(span.clone(), [0.0, long], side - 0.04);
        let whole = railing(one.clone(), [0.0, long], 0.04 - side);
        let findings = listed(&whole);
        assert!(findings.is_empty(), "{}", about(&findings));
        let open = railing(one, [0.0, from], 0.04 - side);
        let open = railing(open, [from + gap, long], 0.04 - side);
        let findings = listed(&open);
        let is_there = |finding: &Finding| {
            let DVec3 { x, z, .. } = finding.position;
            finding.code == Code::FallOut && (from - 1.0..from + gap + 1.0).contains(&x) && z < 1.0 - side
        };
        assert!(findings.len() == 1 && is_there(&findings[0]), "{}", about(&findings));
        // Without any railing, the bridge is meant to be like that.
        let findings = listed(&span);
        assert!(findings.is_empty(), "{}", about(&findings));
    }
}
