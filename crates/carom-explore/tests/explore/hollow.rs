//! Things that are hollow, and things that stand in a hall: neither their insides nor their tops are rooms.

use carom_explore::{Code, Finding, Rules};
use carom_scenes::{MeshBuilder, Random};
use glam::{DVec3, dvec3};

use crate::{cases, listed_from, said, slab};

const START: DVec3 = DVec3::new(-8.0, 0.95, -8.0);

/// A floor of 20 × 20 m about the origin, with walls of this height around, and a roof on them or none.
fn hall(high: f64, has_roof: bool) -> MeshBuilder {
    let walls = slab([-10.5, -0.5, -10.5], [10.5, 0.0, 10.5])
        .and(&slab([-10.5, 0.0, -10.5], [-10.0, high, 10.5]))
        .and(&slab([10.0, 0.0, -10.5], [10.5, high, 10.5]))
        .and(&slab([-10.0, 0.0, -10.5], [10.0, high, -10.0]))
        .and(&slab([-10.0, 0.0, 10.0], [10.0, high, 10.5]));
    if has_roof { walls.and(&slab([-10.5, high, -10.5], [10.5, high + 0.3, 10.5])) } else { walls }
}

fn listed(mesh: &MeshBuilder) -> Vec<Finding> {
    listed_from(START, mesh, &Rules::default())
}

#[test]
fn a_hollow_container_is_no_room_and_a_closed_hut_is_one() {
    let mut random = Random::scattered(61);
    for number in 0..cases() {
        let size = [random.between(3.2, 6.5), random.between(2.1, 4.0), random.between(3.2, 5.5)];
        let (x, z) = (random.between(-4.0, 2.0), random.between(-4.0, 3.0));
        let thick = random.between(0.05, 0.4);
        let (low, high) = ([x, 0.0, z], [x + size[0], size[1] + 2.0 * thick, z + size[2]]);
        let inner = slab(low.map(|at| at + thick), high.map(|at| at - thick)).flipped();
        let about = |findings: &[Finding]| format!("{number}: {size:?}, {thick} m\n{}", said(findings));
        let container = slab(low, high).and(&inner);
        for has_roof in [false, true] {
            let findings = listed(&hall(6.0, has_roof).and(&container));
            assert!(findings.is_empty(), "{}", about(&findings));
        }
        // Four walls on the floor of the hall, and a roof.
        let [[a, _, b], [c, top, d]] = [low, high];
        let hut = slab([a, 0.0, b], [a + thick, top, d])
            .and(&slab([c - thick, 0.0, b], [c, top, d]))
            .and(&slab([a + thick, 0.0, b], [c - thick, top, b + thick]))
            .and(&slab([a + thick, 0.0, d - thick], [c - thick, top, d]))
            .and(&slab([a - 0.2, top, b - 0.2], [c + 0.2, top + 0.2, d + 0.2]));
        let findings = listed(&hall(6.0, false).and(&hut));
        assert!(findings.len() == 1 && findings[0].code == Code::Unreached, "{}", about(&findings));
    }
}

#[test]
fn tops_of_what_stands_in_a_hall_are_no_rooms_and_no_storeys() {
    let mut random = Random::scattered(62);
    for number in 0..cases() {
        // A booth with a doorway, a container, and a rack with three shelves.
        let (x, z, high) = (random.between(-4.0, 0.0), random.between(-4.0, 0.0), random.between(2.2, 3.0));
        let wide = random.between(4.0, 7.0);
        let booth = slab([x, 0.0, z], [x + 0.2, high, z + 5.0])
            .and(&slab([x + wide, 0.0, z], [x + wide + 0.2, high, z + 5.0]))
            .and(&slab([x, 0.0, z + 4.8], [x + wide, high, z + 5.0]))
            .and(&slab([x, 0.0, z], [x + wide - 1.4, high, z + 0.2]))
            .and(&slab([x, high, z], [x + wide + 0.2, high + 0.2, z + 5.0]));
        let container = slab([-9.0, 0.0, 2.0], [-6.5, random.between(2.2, 3.0), 8.0]);
        let shelf = |mesh: MeshBuilder, i: u32| {
            let y = 0.9 + 1.7 * f64::from(i);
            mesh.and(&slab([-3.0, y, 7.4], [8.0, y + 0.05, 9.4]))
        };
        let mesh = (0..3).fold(hall(random.between(6.5, 8.0), true).and(&booth).and(&container), shelf);
        let findings = listed(&mesh);
        assert!(findings.is_empty(), "{number}: {x} {z} {high} {wide}\n{}", said(&findings));
    }
}

/// Six slabs around this free space.
fn crate_of_slabs(low: [f64; 3], high: [f64; 3], thick: f64) -> MeshBuilder {
    let [[a, b, c], [d, e, f]] = [low, high];
    let t = thick;
    slab([a - t, b - t, c - t], [d + t, b, f + t])
        .and(&slab([a - t, e, c - t], [d + t, e + t, f + t]))
        .and(&slab([a - t, b, c - t], [a, e, f + t]))
        .and(&slab([d, b, c - t], [d + t, e, f + t]))
        .and(&slab([a, b, c - t], [d, e, c]))
        .and(&slab([a, b, f], [d, e, f + t]))
}

#[test]
fn hollow_containers_in_a_row_and_on_each_other_are_no_rooms() {
    let mut random = Random::scattered(63);
    for number in 0..cases() {
        let (gap, aisle, thick) =
            (random.between(0.02, 0.5), random.between(1.4, 3.0), random.between(0.03, 0.1));
        let container = |[x, y, z]: [f64; 3]| {
            let high = [x + 6.1, y + 2.6, z + 2.4];
            let inner = slab([x + thick, y + thick, z + thick], high.map(|at| at - thick)).flipped();
            slab([x, y, z], high).and(&inner)
        };
        let places = (0..8).map(|i| {
            let (column, row, storey) = (f64::from(i % 2), f64::from(i / 2 % 2), f64::from(i / 4));
            [-6.0 + column * (6.1 + gap), 2.7 * storey, -3.0 + row * (2.4 + aisle)]
        });
        let mesh = places.fold(hall(7.0, false), |mesh, at| mesh.and(&container(at)));
        let findings = listed(&mesh);
        assert!(findings.is_empty(), "{number}: {gap} {aisle} {thick}\n{}", said(&findings));
    }
}

#[test]
fn many_copies_of_a_closed_room_are_one_finding_and_a_few_are_each_one() {
    let mut random = Random::scattered(64);
    for count in 1..=6 {
        let (wide, high) = (random.between(3.2, 3.8), random.between(2.1, 2.6));
        let copy = |mesh: MeshBuilder, i: u32| {
            let (x, z) = (-9.0 + 6.5 * f64::from(i % 3), -4.0 + 7.0 * f64::from(i / 3));
            mesh.and(&crate_of_slabs([x, 0.1, z], [x + wide, high, z + 4.0], 0.1))
        };
        let findings = listed(&(0..count).fold(hall(6.0, true), copy));
        let wanted = if count < 4 { count as usize } else { 1 };
        assert!(findings.len() == wanted, "{count} × {wide} × {high} m\n{}", said(&findings));
        // All of them belong to it.
        let area: f64 = findings.iter().filter_map(|finding| finding.area).sum();
        assert!(area > f64::from(count) * 4.0, "{count}: {area} m²");
    }
}

#[test]
fn counters_under_a_canopy_are_no_room_and_walls_up_to_it_are_one() {
    let mut random = Random::scattered(65);
    for number in 0..cases() {
        let (x, z, wide) = (random.between(-4.0, 2.0), random.between(-4.0, 2.0), random.between(3.4, 5.0));
        let (counter, canopy) = (random.between(1.1, 1.3), random.between(2.2, 2.8));
        let ring = |high: f64| {
            slab([x, 0.0, z], [x + wide, high, z + 0.5])
                .and(&slab([x, 0.0, z + wide - 0.5], [x + wide, high, z + wide]))
                .and(&slab([x, 0.0, z + 0.5], [x + 0.5, high, z + wide - 0.5]))
                .and(&slab([x + wide - 0.5, 0.0, z + 0.5], [x + wide, high, z + wide - 0.5]))
                .and(&slab([x - 0.3, canopy, z - 0.3], [x + wide + 0.3, canopy + 0.2, z + wide + 0.3]))
        };
        for (high, wanted) in [(counter, 0), (canopy, 1)] {
            let findings = listed_from(
                START,
                &hall(5.0, true).and(&ring(high)),
                &Rules { jump: 0.0, ..Rules::default() },
            );
            let about = format!("{number}: {wide} m wide, {high} m high\n{}", said(&findings));
            assert_eq!(findings.len(), wanted, "{about}");
        }
    }
}

#[test]
fn a_gallery_with_a_railing_and_a_loft_are_listed_in_a_hall_and_shelves_are_not() {
    let mut random = Random::scattered(66);
    for number in 0..cases() {
        let (up, deep, railing) =
            (random.between(2.2, 6.5), random.between(2.2, 4.0), random.between(0.95, 1.15));
        let (from, to) = (random.between(-10.0, -3.0), random.between(3.0, 10.0));
        let hall = hall(up + 3.0, true);
        let slab_of = |deep: f64| slab([-10.0, up, from], [deep - 10.0, up + 0.25, to]);
        let rail = slab([deep - 10.1, up + 0.25, from], [deep - 10.0, up + 0.25 + railing, to])
            .and(&slab([-10.0, up + 0.25, from], [deep - 10.0, up + 0.25 + railing, from + 0.1]))
            .and(&slab([-10.0, up + 0.25, to - 0.1], [deep - 10.0, up + 0.25 + railing, to]));
        let about = |findings: &[Finding]| {
            format!(
                "{number}: {up} m up, {deep} m deep, {railing} m, from {from} to {to}\n{}",
                said(findings)
            )
        };
        let findings = listed(&hall.clone().and(&slab_of(deep)).and(&rail));
        // As high as the floor below it is a storey, and open below a platform.
        let signs = ["a gallery whose railing is above reached floor", "a platform over reached floor"];
        let storey = "a closed storey above or below reached floor";
        let is_found = findings.iter().all(|f| f.cause.is_some_and(|is| signs.contains(&is) || is == storey));
        assert!(findings.len() == 1 && is_found, "{}", about(&findings));
        let findings = listed(&hall.and(&slab_of(1.4)));
        assert!(findings.is_empty(), "{}", about(&findings));
    }
}

#[test]
fn a_narrow_gallery_is_listed_if_its_railing_is_level_and_not_if_braces_stand_there() {
    let mut random = Random::scattered(67);
    for number in 0..cases() {
        let (up, high) = (random.between(2.2, 6.5), random.between(0.95, 1.15));
        let (from, to) = (random.between(-10.0, -5.0), random.between(5.0, 10.0));
        let (front, long) = (-8.4, random.between(2.0, 3.5));
        let top = up + 0.25;
        let hall = hall(up + 3.0, true).and(&slab([-10.0, up, from], [front, top, to]));
        let rail = slab([front - 0.1, top, from], [front, top + high, to]);
        // Triangles that are as high at one end and end in a point.
        let count = ((to - from) / long).floor() as u32;
        let braces = (0..count).fold(MeshBuilder::new(), |mesh, i| {
            let z = from + long * f64::from(i);
            let foot = dvec3(front - 0.05, top, z);
            let corners = [foot, foot + DVec3::Y * high, foot + DVec3::Z * long];
            let [a, b, c] = corners;
            mesh.and(&MeshBuilder::triangle(corners)).and(&MeshBuilder::triangle([a, c, b]))
        });
        for (side, wanted) in [(rail, 1), (braces, 0)] {
            let findings = listed(&hall.clone().and(&side));
            let about =
                format!("{number}: {up} m up, {high} m, {long} m, {from} to {to}\n{}", said(&findings));
            assert_eq!(findings.len(), wanted, "{about}");
        }
    }
}

#[test]
fn a_railing_of_thin_bars_is_level_above_floor_that_is_not() {
    let mut random = Random::scattered(68);
    for number in 0..4 * cases() {
        let (up, high) = (random.between(2.2, 6.5), random.between(1.0, 1.2));
        let (front, sill, thick) = (-8.4, random.between(0.05, 0.25), random.between(0.02, 0.04));
        let floor = slab([-10.0, up, -8.0], [front, up + 0.25, 0.0])
            .and(&slab([-10.0, up, 0.0], [front, up + 0.25 + sill, 8.0]));
        // Bars at the same heights above both halves.
        let railing = [0.5, 0.75, 1.0].into_iter().fold(MeshBuilder::new(), |mesh, share| {
            let top = up + 0.25 + sill + share * high;
            mesh.and(&slab([front - 0.06, top - thick, -8.0], [front - 0.02, top, 8.0]))
        });
        let findings = listed(&hall(up + 3.0, true).and(&floor).and(&railing));
        let about =
            format!("{number}: {up} m up, {high} m, a sill of {sill} m, {thick} m\n{}", said(&findings));
        assert_eq!(findings.len(), 1, "{about}");
    }
}
