//! Railings: a gap in one is where players fall, and a deck with one and an opening in it is for players.

use carom_explore::{Code, Finding, Rules};
use carom_scenes::{MeshBuilder, Random};
use glam::{DVec3, dvec3};

use crate::{cases, explore, level, listed_from, said, slab};

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

#[test]
fn a_doorway_of_a_house_in_the_void_is_no_gap_in_the_railing_of_its_terrace() {
    let mut random = Random::scattered(54);
    for number in 0..cases() {
        let (long, wide, high) =
            (random.between(16.0, 28.0), random.between(3.0, 5.0), random.between(0.7, 1.1));
        let (from, doorway, lintel) =
            (random.between(-5.0, 3.5), random.between(1.2, 1.8), random.between(2.1, 2.8));
        let side = 0.5 * wide;
        let railing = |z: f64| slab([0.0, 0.0, z - 0.04], [long, high, z + 0.04]);
        // A terrace with railings beyond the house; the doorway is on the other side of it.
        let house = slab([-12.3, -1.0, -6.0], [0.0, 0.0, 6.0])
            .and(&slab([-12.0, -1.0, -6.3], [0.0, 3.0, -6.0]))
            .and(&slab([-12.0, -1.0, 6.0], [0.0, 3.0, 6.3]))
            .and(&slab([-0.3, 0.0, -6.0], [0.0, 3.0, -side]))
            .and(&slab([-0.3, 0.0, side], [0.0, 3.0, 6.0]))
            .and(&slab([-12.3, 0.0, -6.3], [-12.0, 3.0, from]))
            .and(&slab([-12.3, lintel, from], [-12.0, 3.0, from + doorway]))
            .and(&slab([-12.3, 0.0, from + doorway], [-12.0, 3.0, 6.3]))
            .and(&slab([0.0, -0.4, -side], [long, 0.0, side]))
            .and(&slab([long - 0.3, 0.0, -side], [long, 3.0, side]))
            .and(&railing(side - 0.04))
            .and(&railing(0.04 - side));
        let findings = explore(&level(house.rounded()), &Rules::default(), &[START]);
        let at_the_doorway = findings.iter().filter(|finding| {
            finding.code == Code::FallOut && (finding.position - dvec3(-12.3, 0.9, from)).length() < 2.5
        });
        let about = || format!("{number}: {long} × {wide} m, {doorway} m at {from}\n{}", said(&findings));
        assert!(at_the_doorway.count() > 0, "{}", about());
        assert!(findings.iter().all(|finding| !finding.is_listed()), "{}", about());
    }
}

/// A ship that lies beside a quay.
struct Ship {
    /// How far the deck is above the quay, and away from it.
    up: f64,
    gap: f64,
    long: f64,
    deep: f64,
    /// Of its railing.
    high: f64,
}

impl Ship {
    const QUAY: DVec3 = DVec3::new(-5.0, 0.95, 5.0);

    /// In water as deep as a basin, with stairs out of it.
    fn without_railing(&self) -> MeshBuilder {
        let Self { up, gap, long, deep, .. } = *self;
        let quay = slab([-9.0, -4.0, -12.0], [0.0, 0.0, 17.0])
            .and(&slab([0.0, -4.0, -12.0], [15.0, -3.0, 17.0]))
            .and(&slab([-9.5, -4.0, -12.5], [-9.0, 5.0, 17.5]))
            .and(&slab([15.0, -4.0, -12.5], [15.5, 5.0, 17.5]))
            .and(&slab([-9.0, -4.0, -12.5], [15.0, 5.0, -12.0]))
            .and(&slab([-9.0, -4.0, 17.0], [15.0, 5.0, 17.5]));
        let step = |mesh: MeshBuilder, i: i32| {
            let (x, top) = (0.6 * f64::from(i), -0.375 * f64::from(i + 1));
            mesh.and(&slab([x, -3.0, -12.0], [x + 0.6, top, -9.0]))
        };
        (0..7).fold(quay, step).and(&slab([gap, -3.0, 0.0], [gap + deep, up, long]))
    }

    /// With a railing along three sides, and these parts of the one towards the quay.
    fn railed(&self, parts: &[[f64; 2]]) -> MeshBuilder {
        let Self { up, gap, long, deep, high } = *self;
        let sides = [
            ([gap, 0.0], [gap + deep, 0.1]),
            ([gap, long - 0.1], [gap + deep, long]),
            ([gap + deep - 0.1, 0.0], [gap + deep, long]),
        ];
        let front = parts.iter().map(|[from, to]| ([gap, *from], [gap + 0.1, *to]));
        let rail = |mesh: MeshBuilder, (a, b): ([f64; 2], [f64; 2])| {
            mesh.and(&slab([a[0], up, a[1]], [b[0], up + high, b[1]]))
        };
        sides.into_iter().chain(front).fold(self.without_railing(), rail)
    }
}

#[test]
fn a_deck_with_an_opening_in_its_railing_is_listed_and_a_roof_with_a_parapet_is_not() {
    let mut random = Random::scattered(52);
    for number in 0..cases() {
        let (up, gap) = (random.between(1.35, 2.0), random.between(2.8, 4.0));
        let (long, deep, high) =
            (random.between(7.0, 14.0), random.between(4.0, 8.0), random.between(0.7, 1.1));
        let (from, wide) = (random.between(1.0, long - 3.0), random.between(1.2, 1.9));
        let ship = Ship { up, gap, long, deep, high };
        let about = |findings: &[Finding]| {
            format!(
                "{number}: {long} × {deep} m, {up} m up, {gap} m away, open for {wide} m at {from}\n{}",
                said(findings)
            )
        };
        let open = ship.railed(&[[0.0, from], [from + wide, long]]);
        let findings = listed_from(Ship::QUAY, &open, &Rules::default());
        let cause = Some("a deck whose railing has an opening towards reached floor");
        assert!(findings.len() == 1 && findings[0].cause == cause, "{}", about(&findings));
        for mesh in [ship.railed(&[[0.0, long]]), ship.without_railing()] {
            let findings = listed_from(Ship::QUAY, &mesh, &Rules::default());
            assert!(findings.is_empty(), "{}", about(&findings));
        }
    }
}

#[test]
fn the_end_of_the_top_of_a_low_railing_is_no_opening_in_it() {
    // The middles of cells are on the railing.
    let ship = Ship { up: 1.434, gap: 3.601, long: 7.254, deep: 6.022, high: 0.707 };
    let findings = listed_from(Ship::QUAY, &ship.railed(&[[0.0, ship.long]]), &Rules::default());
    assert!(findings.is_empty(), "{}", said(&findings));
}

/// A railing of posts and bars along z from one x to another, open between the posts of some bays.
fn bars([from, to]: [f64; 2], [foot, z]: [f64; 2], is_open: impl Fn(f64) -> bool) -> MeshBuilder {
    let count = ((to - from) / 2.0).round().max(1.0);
    let at = |i: f64| from + (to - from) * i / count;
    let post = |i: f64| slab([at(i) - 0.03, foot, z - 0.03], [at(i) + 0.03, foot + 1.1, z + 0.03]);
    let bar = |mesh: MeshBuilder, [a, b]: [f64; 2], up: f64| {
        mesh.and(&slab([a, foot + up, z - 0.025], [b, foot + up + 0.05, z + 0.025]))
    };
    (0..count as u32).map(f64::from).fold(post(count), |mesh, i| {
        let mesh = mesh.and(&post(i));
        if is_open(0.5 * (at(i) + at(i + 1.0))) {
            return mesh;
        }
        [0.45, 0.75, 1.03].into_iter().fold(mesh, |mesh, up| bar(mesh, [at(i), at(i + 1.0)], up))
    })
}

/// A bridge of this length and width beyond the opening of a plaza, with a ledge outside of its railings of
/// bars, one of which is open in some bays.
fn bridge([long, wide, ledge]: [f64; 3], is_open: impl Fn(f64) -> bool) -> MeshBuilder {
    let side = 0.5 * wide;
    plaza(wide)
        .and(&slab([0.0, -0.4, -side], [long, 0.0, side]))
        .and(&slab([long - 0.3, 0.0, -side], [long, 3.0, side]))
        .and(&bars([0.0, long], [0.0, side - ledge], |_| false))
        .and(&bars([0.0, long], [0.0, ledge - side], is_open))
}

#[test]
fn a_bay_without_bars_is_listed_although_bodies_hang_outside_of_the_other_bars() {
    let mut random = Random::scattered(53);
    for number in 0..cases() {
        let size = [random.between(16.0, 28.0), random.between(3.0, 5.0), random.between(0.05, 0.2)];
        let open = random.between(5.0, size[0] - 5.0);
        let about = |findings: &[Finding]| format!("{number}: {size:?}, open at {open}\n{}", said(findings));
        let findings = listed(&bridge(size, |_| false));
        assert!(findings.is_empty(), "{}", about(&findings));
        let findings = listed(&bridge(size, |middle| (middle - open).abs() <= 1.01));
        let is_there = |finding: &Finding| {
            let DVec3 { x, z, .. } = finding.position;
            finding.code == Code::FallOut && (x - open).abs() < 4.0 && z < 1.0 - 0.5 * size[1]
        };
        assert!(findings.len() == 1 && is_there(&findings[0]), "{}", about(&findings));
    }
}

/// A plate in the void with a square hole of this side at x and z, without a railing around it and with one.
fn holed([x, z]: [f64; 2], wide: f64, high: f64) -> [MeshBuilder; 2] {
    let [far, back] = [x + wide, z + wide];
    let plate = slab([-8.0, -0.5, -8.0], [8.0, 0.0, z])
        .and(&slab([-8.0, -0.5, back], [8.0, 0.0, 8.0]))
        .and(&slab([-8.0, -0.5, z], [x, 0.0, back]))
        .and(&slab([far, -0.5, z], [8.0, 0.0, back]));
    let sides = [[x, z, far, z], [x, back, far, back], [x, z, x, back], [far, z, far, back]];
    let railed = sides.into_iter().fold(plate.clone(), |mesh, [a, b, c, d]| {
        mesh.and(&slab([a - 0.05, 0.0, b - 0.05], [c + 0.05, high, d + 0.05]))
    });
    [plate, railed]
}

#[test]
fn a_hole_with_a_railing_around_is_as_meant_as_the_rims_of_its_level() {
    let mut random = Random::scattered(54);
    for number in 0..cases() {
        let (x, z) = (random.between(-3.0, 1.0), random.between(-3.0, 1.0));
        let (wide, high) = (random.between(1.2, 2.5), random.between(0.7, 1.1));
        for (mesh, wanted) in holed([x, z], wide, high).iter().zip([1, 0]) {
            let findings = listed(mesh);
            let about = format!("{number}: {wide} m at {x}, {z}, {high} m\n{}", said(&findings));
            assert!(findings.len() == wanted && findings.iter().all(|f| f.code == Code::FallOut), "{about}");
        }
    }
}

#[test]
fn a_body_on_the_top_of_a_railing_has_not_come_back_to_floor() {
    // It jumps on the railing, walks along it, and then comes down into the hole.
    let [_, railed] = holed([-2.203, 0.659], 2.337, 1.079);
    let findings = listed(&railed);
    assert!(findings.is_empty(), "{}", said(&findings));
}

#[test]
fn a_climb_over_a_railing_into_the_void_is_no_way_out_of_a_trap() {
    let mut random = Random::scattered(55);
    for number in 0..cases() {
        let (long, wide, deep) =
            (random.between(12.0, 18.0), random.between(4.0, 6.0), random.between(2.0, 3.5));
        // A terrace below the opening of the plaza, so wide that no body flies over its railing.
        let side = 0.5 * wide + 6.0;
        let terrace = plaza(wide)
            .and(&slab([0.0, -deep - 0.4, -side], [long, -deep, side]))
            .and(&slab([-0.3, -deep - 0.4, -side], [0.0, 0.0, side]))
            .and(&slab([-0.3, 0.0, -side], [0.0, 3.0, -0.5 * wide]))
            .and(&slab([-0.3, 0.0, 0.5 * wide], [0.0, 3.0, side]));
        let railing =
            |low: [f64; 2], high: [f64; 2]| slab([low[0], -deep, low[1]], [high[0], 1.1 - deep, high[1]]);
        let railed = terrace
            .clone()
            .and(&railing([0.0, side - 0.1], [long, side]))
            .and(&railing([0.0, -side], [long, 0.1 - side]))
            .and(&railing([long - 0.1, -side], [long, side]));
        for (mesh, wanted) in [(railed, 1), (terrace, 0)] {
            let findings = listed(&mesh);
            let about = format!("{number}: {long} × {wide} m, {deep} m deep\n{}", said(&findings));
            assert!(findings.len() == wanted && findings.iter().all(|f| f.code == Code::Trap), "{about}");
        }
    }
}
