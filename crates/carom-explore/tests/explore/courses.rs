//! Courses of platforms, in levels of random sizes.

use carom::num::ops;
use carom_explore::{Finding, Rules};
use carom_scenes::{MeshBuilder, Random};
use glam::DVec3;

use crate::{cases, listed_from, said, slab};

const START: DVec3 = DVec3::new(-13.0, 0.95, -13.0);

/// A walled floor of 30 × 30 m about the origin.
fn arena() -> MeshBuilder {
    slab([-15.5, -0.5, -15.5], [15.5, 0.0, 15.5])
        .and(&slab([-15.5, 0.0, -15.5], [-15.0, 3.0, 15.5]))
        .and(&slab([15.0, 0.0, -15.5], [15.5, 3.0, 15.5]))
        .and(&slab([-15.0, 0.0, -15.5], [15.0, 3.0, -15.0]))
        .and(&slab([-15.0, 0.0, 15.0], [15.0, 3.0, 15.5]))
}

fn listed(mesh: &MeshBuilder) -> Vec<Finding> {
    listed_from(START, mesh, &Rules::default())
}

#[test]
fn platforms_above_a_missing_one_are_listed_and_those_above_none_are_not() {
    let mut random = Random::scattered(71);
    for number in 0..cases() {
        let (half, rise, far) =
            (random.between(0.8, 1.2), random.between(0.5, 0.72), random.between(6.0, 8.0));
        let (turn, count) = (random.between(0.48, 0.55), 14 + random.below(5));
        let lost = 5 + random.below(3);
        let about = |findings: &[Finding]| {
            format!("{number}: {half} {rise} {far} {turn}, {lost} of {count}\n{}", said(findings))
        };
        let with = |is_there: &dyn Fn(usize) -> bool| {
            (0..count).filter(|i| is_there(*i)).fold(arena(), |mesh, i| {
                let (sin, cos) = ops::sin_cos(turn * i as f64);
                let (x, z, top) = (far * cos, far * sin, rise * (i + 1) as f64);
                mesh.and(&slab([x - half, top - 0.25, z - half], [x + half, top, z + half]))
            })
        };
        let findings = listed(&with(&|_| true));
        assert!(findings.is_empty(), "{}", about(&findings));
        let findings = listed(&with(&|i| i != lost));
        let cause = Some("platforms like those that were reached lead there");
        let is_found = findings.len() == 1
            && findings[0].cause == cause
            && findings[0].position.y > rise * (lost + 1) as f64;
        assert!(is_found, "{}", about(&findings));
    }
}

#[test]
fn crates_of_one_size_are_no_course_however_they_are_piled() {
    let mut random = Random::scattered(72);
    for number in 0..cases() {
        let (size, high) = (random.between(1.8, 2.6), random.between(0.6, 1.3));
        let pile = |mesh: MeshBuilder, i: usize| {
            let (x, z) = (-10.0 + 4.5 * (i % 5) as f64, -8.0 + 5.0 * (i / 5) as f64);
            let top = high * (1 + random.below(4)) as f64;
            mesh.and(&slab([x, 0.0, z], [x + size, top, z + size]))
        };
        let findings = listed(&(0..20).fold(arena(), pile));
        assert!(findings.is_empty(), "{number}: {size} m, {high} m\n{}", said(&findings));
    }
}

#[test]
fn platforms_over_the_void_beyond_a_gap_that_is_too_wide_are_listed() {
    let mut random = Random::scattered(73);
    for number in 0..cases() {
        let wide = random.between(2.0, 3.5);
        let (gap, lost) = (random.between(1.5, 2.8), 3 + random.below(4));
        let far = random.between(5.3, 7.6);
        let about =
            |findings: &[Finding]| format!("{number}: {wide} {gap} {far}, {lost}\n{}", said(findings));
        let course = |far: f64| {
            let start = slab([-18.0, -1.0, -18.0], [0.0, 0.0, 0.0]);
            let mut x = 0.0;
            (0..10).fold(start, |mesh, i| {
                x += if i == lost { far } else { gap };
                let island = slab([x, -0.5, -6.0 - wide], [x + 2.5, 0.0, -6.0]);
                x += 2.5;
                mesh.and(&island)
            })
        };
        let findings = listed(&course(gap));
        assert!(findings.is_empty(), "{}", about(&findings));
        let findings = listed(&course(far));
        let cause = Some("as high as reached floor across a gap");
        assert!(findings.len() == 1 && findings[0].cause == cause, "{}", about(&findings));
        let findings = listed(&course(9.5));
        assert!(findings.is_empty(), "{}", about(&findings));
    }
}
