//! Flights that have lost treads, and country that nobody is meant to reach: beyond a fence, around a cave.

use carom_explore::{Code, Finding, Rules};
use carom_scenes::{MeshBuilder, Random};
use glam::{DVec3, dvec3};

use crate::{cases, listed_from, said, slab};

const START: DVec3 = DVec3::new(2.0, 0.95, 2.0);

/// A walled yard of 30 × 16 m. Beyond x = 16 it is as high as a flight of this many treads leads.
fn yard(treads: usize, rise: f64) -> MeshBuilder {
    let high = treads as f64 * rise;
    [
        ([0.0, -0.5, 0.0], [16.0, 0.0, 16.0]),
        ([16.0, -0.5, 0.0], [30.0, high, 16.0]),
        ([-0.5, -0.5, -0.5], [0.0, 9.0, 16.5]),
        ([30.0, -0.5, -0.5], [30.5, 9.0, 16.5]),
        ([0.0, -0.5, -0.5], [30.0, 9.0, 0.0]),
        ([0.0, -0.5, 16.0], [30.0, 9.0, 16.5]),
    ]
    .into_iter()
    .fold(MeshBuilder::new(), |mesh, (low, high)| mesh.and(&slab(low, high)))
}

fn listed(mesh: &MeshBuilder) -> Vec<Finding> {
    listed_from(START, mesh, &Rules::default())
}

#[test]
fn floor_behind_a_broken_flight_is_listed() {
    let mut random = Random::scattered(21);
    for number in 0..cases() {
        let (rise, tread) = (random.between(0.16, 0.24), random.between(0.26, 0.36));
        let treads = (random.between(3.6, 4.6) / rise).round() as usize;
        let whole = yard(treads, rise);
        let with = |is_there: &dyn Fn(usize) -> bool| {
            let step = |i: usize| {
                let near = 16.0 - tread * (treads - i) as f64;
                slab([near, 0.0, 5.0], [near + tread, rise * (i + 1) as f64, 8.0])
            };
            (0..treads).filter(|i| is_there(*i)).map(step).fold(whole.clone(), |mesh, step| mesh.and(&step))
        };
        let missing = 6 + random.below(5);
        let lost = if number % 2 == 0 { treads - missing } else { (treads - missing) / 2 };
        let about = |findings: &[Finding]| {
            format!(
                "{number}: {missing} of {treads} treads from {lost} on, {rise} × {tread} m\n{}",
                said(findings)
            )
        };
        let findings = listed(&with(&|i| !(lost..lost + missing).contains(&i)));
        assert!(
            findings.len() == 1 && findings[0].cause == Some("stairs lead there"),
            "{}",
            about(&findings)
        );
        // The whole flight leads up; without any treads nothing says that players should get there.
        assert_eq!(listed(&with(&|_| true)).len(), 0, "{}", about(&findings));
        assert_eq!(listed(&with(&|_| false)).len(), 0, "{}", about(&findings));
    }
}

#[test]
fn floor_behind_a_broken_ramp_is_listed() {
    let mut random = Random::scattered(22);
    for number in 0..cases() {
        let (slope, high, wide) =
            (random.between(0.2, 0.6), random.between(3.2, 4.8), random.between(1.5, 4.0));
        let start = 16.0 - high / slope;
        let piece = |mesh: MeshBuilder, [near, far]: [f64; 2]| {
            let at = |x: f64, z: f64, under: f64| dvec3(x, slope * (x - start) - under, z);
            let plate = |under: f64| {
                [[near, 5.0], [near, 5.0 + wide], [far, 5.0 + wide], [far, 5.0]].map(|[x, z]| at(x, z, under))
            };
            mesh.and(&MeshBuilder::quad(plate(0.0))).and(&MeshBuilder::quad(plate(0.2)).flipped())
        };
        let block = || yard(20, high / 20.0);
        // At least 3 m of its lower part are there.
        let gap = random.between(4.3, 5.5).min(high / slope - 3.2);
        let from = random.between((start + 3.0).max(3.0), 16.1 - gap).min(16.0 - gap);
        let about = |findings: &[Finding]| {
            format!(
                "{number}: {gap} m from {from} on of {slope} up to {high}, {wide} m wide\n{}",
                said(findings)
            )
        };
        if start < 1.0 || gap * slope < 0.9 {
            continue;
        }
        let findings = listed(&[[start, from], [from + gap, 16.0]].into_iter().fold(block(), piece));
        let is_found = findings.len() == 1 && findings[0].cause == Some("stairs lead there");
        assert!(is_found, "{}", about(&findings));
        assert_eq!(listed(&piece(block(), [start, 16.0])).len(), 0, "{}", about(&findings));
    }
}

#[test]
fn a_flight_beside_a_block_leads_to_it_only_along_its_line() {
    // It ends 1 m below the block; and it leads along it.
    let block = || yard(20, 0.2);
    let low = (0..8).map(|i| (11.0 + 0.3 * f64::from(i), 0.2 * f64::from(i + 1)));
    let flight = |mesh: MeshBuilder, (near, top): (f64, f64)| {
        mesh.and(&slab([near, 0.0, 5.0], [near + 0.3, top, 8.0]))
    };
    let low = low.fold(block(), flight);
    let along = (0..14).fold(block(), |mesh, i| {
        let near = 3.0 + 0.3 * f64::from(i);
        mesh.and(&slab([14.0, 0.0, near], [15.5, 0.2 * f64::from(i + 1), near + 0.3]))
    });
    for mesh in [low, along] {
        let findings = listed(&mesh);
        assert!(findings.is_empty(), "{}", said(&findings));
    }
}

#[test]
fn country_all_around_a_fence_is_none_to_reach() {
    let fence = slab([-10.0, 0.0, -10.0], [10.0, 2.5, -9.8])
        .and(&slab([-10.0, 0.0, 9.8], [10.0, 2.5, 10.0]))
        .and(&slab([-10.0, 0.0, -9.8], [-9.8, 2.5, 9.8]))
        .and(&slab([9.8, 0.0, -9.8], [10.0, 2.5, 9.8]));
    let findings = listed(&slab([-40.0, -1.0, -40.0], [40.0, 0.0, 40.0]).and(&fence));
    assert!(findings.is_empty(), "{}", said(&findings));
    // Cut off by a wall across, the larger part is missing.
    let wall = slab([-5.0, -1.0, -45.0], [-4.8, 2.5, 45.0]);
    let mesh = slab([-20.0, -1.0, -40.0], [60.0, 0.0, 40.0]).and(&wall);
    let findings = listed_from(dvec3(-12.0, 0.95, 0.0), &mesh, &Rules::default());
    assert!(findings.len() == 1 && findings[0].code == Code::Unreached, "{}", said(&findings));
}

#[test]
fn the_outside_of_a_cave_is_none_to_reach() {
    // A floor of 40 × 40 m. Above a passage along x there is a ceiling, which comes down to below the floor
    // beside it.
    let ceiling = |z: f64| if (z - 20.0).abs() < 4.0 { 3.0 } else { -1.5 };
    let strip = |near: f64| {
        let far = near + 1.0;
        let corner = |x: f64, z: f64| dvec3(x, ceiling(z), z);
        MeshBuilder::quad([corner(0.0, near), corner(40.0, near), corner(40.0, far), corner(0.0, far)])
    };
    let ends = slab([-0.5, -2.0, 0.0], [0.0, 5.0, 40.0]).and(&slab([40.0, -2.0, 0.0], [40.5, 5.0, 40.0]));
    let ground = MeshBuilder::quad(
        [[0.0, 0.0], [0.0, 40.0], [40.0, 40.0], [40.0, 0.0]].map(|[x, z]| dvec3(x, 0.0, z)),
    );
    let cave = (0..40).fold(ground.and(&ends), |mesh, z| mesh.and(&strip(f64::from(z))));
    let findings = listed_from(dvec3(5.0, 0.95, 20.0), &cave, &Rules::default());
    assert!(findings.is_empty(), "{}", said(&findings));
}
