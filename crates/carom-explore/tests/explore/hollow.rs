//! Things that are hollow, and things that stand in a hall: neither their insides nor their tops are rooms.

use carom_explore::{Code, Finding, Rules};
use carom_scenes::{MeshBuilder, Random};
use glam::DVec3;

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
