//! Signs that unreached floor was built to be walked on, in levels of random sizes: stairs of its own, doors
//! in the air, furnished storeys; and what looks like them and has none.

use carom::num::ops;
use carom_explore::{Finding, Rules};
use carom_scenes::{MeshBuilder, Random};
use glam::{DVec3, dvec3};

use crate::{cases, listed_from, said, slab};

const START: DVec3 = DVec3::new(-8.0, 0.95, -8.0);

/// A floor of 20 × 20 m about the origin, with walls of this height around.
fn yard(high: f64) -> MeshBuilder {
    [
        ([-10.5, -0.5, -10.5], [10.5, 0.0, 10.5]),
        ([-10.5, 0.0, -10.5], [-10.0, high, 10.5]),
        ([10.0, 0.0, -10.5], [10.5, high, 10.5]),
        ([-10.0, 0.0, -10.5], [10.0, high, -10.0]),
        ([-10.0, 0.0, 10.0], [10.0, high, 10.5]),
    ]
    .into_iter()
    .fold(MeshBuilder::new(), |mesh, (low, high)| mesh.and(&slab(low, high)))
}

fn listed(mesh: &MeshBuilder) -> Vec<Finding> {
    listed_from(START, mesh, &Rules::default())
}

/// Walls 0.2 m thick between two heights around a rectangle, one with a doorway of this width and height.
fn walls([low, high]: [[f64; 2]; 2], [bottom, top]: [f64; 2], [wide, tall]: [f64; 2]) -> MeshBuilder {
    let ([a, b], [c, d]) = (low, high);
    let (left, right) = (0.5 * (a + c - wide), 0.5 * (a + c + wide));
    let mesh = slab([a - 0.2, bottom, b - 0.2], [a, top, d + 0.2])
        .and(&slab([c, bottom, b - 0.2], [c + 0.2, top, d + 0.2]))
        .and(&slab([a, bottom, d], [c, top, d + 0.2]));
    if wide == 0.0 {
        return mesh.and(&slab([a, bottom, b - 0.2], [c, top, b]));
    }
    mesh.and(&slab([a, bottom, b - 0.2], [left, top, b]))
        .and(&slab([right, bottom, b - 0.2], [c, top, b]))
        .and(&slab([left, bottom + tall, b - 0.2], [right, top, b]))
}

#[test]
fn a_gallery_behind_a_broken_spiral_stair_is_listed() {
    let mut random = Random::scattered(41);
    for number in 0..cases() {
        let (outer, rise, around) =
            (random.between(2.2, 3.6), random.between(0.16, 0.22), random.between(15.0, 20.0));
        // Higher than a platform.
        let treads = (random.between(5.3, 6.5) / rise).round() as usize;
        let high = rise * treads as f64;
        let first = random.between(0.0, core::f64::consts::TAU);
        let angle = |i: f64| first + core::f64::consts::TAU * i / around;
        let tread = |i: usize| {
            let top = rise * (i + 1) as f64;
            let at = |far: f64, i: f64, y: f64| dvec3(far * ops::cos(angle(i)), y, far * ops::sin(angle(i)));
            let (near, far) = (i as f64, (i + 1) as f64);
            let plate = |y: f64| [at(0.3, near, y), at(0.3, far, y), at(outer, far, y), at(outer, near, y)];
            let front = [
                at(0.3, near, top - 0.15),
                at(0.3, near, top),
                at(outer, near, top),
                at(outer, near, top - 0.15),
            ];
            MeshBuilder::quad(plate(top))
                .and(&MeshBuilder::quad(plate(top - 0.15)).flipped())
                .and(&MeshBuilder::quad(front))
        };
        // The gallery is all around the stair, a quarter of which it covers beyond the last tread.
        let edge = outer + 0.1;
        let landing = angle(treads as f64 + 0.125 * around);
        let corner = dvec3(ops::cos(landing).signum(), 0.0, ops::sin(landing).signum()) * edge;
        let plate = |a: [f64; 2], b: [f64; 2]| {
            slab([a[0].min(b[0]), high - 0.2, a[1].min(b[1])], [a[0].max(b[0]), high, a[1].max(b[1])])
        };
        let gallery = plate([-10.0, -10.0], [10.0, -edge])
            .and(&plate([-10.0, edge], [10.0, 10.0]))
            .and(&plate([-10.0, -edge], [-edge, edge]))
            .and(&plate([edge, -edge], [10.0, edge]))
            .and(&plate([0.3 * corner.x.signum(), 0.3 * corner.z.signum()], [corner.x, corner.z]));
        let with = |is_there: &dyn Fn(usize) -> bool| {
            (0..treads)
                .filter(|i| is_there(*i))
                .fold(yard(high + 4.0).and(&gallery), |mesh, i| mesh.and(&tread(i)))
        };
        let missing = 6 + random.below(4);
        let lost = (treads - missing) / 2 - 2;
        let findings = listed(&with(&|i| !(lost..lost + missing).contains(&i)));
        let about = format!(
            "{number}: {missing} of {treads} treads from {lost} on, {rise} m, {outer} m\n{}",
            said(&findings)
        );
        assert!(findings.len() == 1 && findings[0].position.y > 0.5 * high, "{about}");
        assert_eq!(findings[0].cause, Some("it has stairs or a ramp of its own"), "{about}");
    }
}

#[test]
fn terraces_with_stairs_between_them_are_listed_and_roofs_are_not() {
    let mut random = Random::scattered(42);
    for number in 0..cases() {
        // A block with a higher one behind it, and a flight between the two.
        let (low, rise, tread) =
            (random.between(1.5, 4.0), random.between(0.15, 0.22), random.between(0.28, 0.4));
        let (steps, wide) = (6 + random.below(5), random.between(1.4, 3.0));
        let high = low + rise * steps as f64;
        let block = yard(9.0)
            .and(&slab([-10.0, 0.0, 0.0], [10.0, low, 10.0]))
            .and(&slab([-10.0, low, 6.0], [10.0, high, 10.0]));
        let flight = |mesh: MeshBuilder, i: usize| {
            let (near, top) = (6.0 - tread * (steps - i) as f64, low + rise * (i + 1) as f64);
            mesh.and(&slab([2.0, low, near], [2.0 + wide, top, 6.0]))
        };
        let about = format!("{number}: {steps} steps of {rise} × {tread} m, {wide} m wide, from {low} m up");
        let findings = listed(&(0..steps).fold(block.clone(), flight));
        let is_found = findings.len() == 1 && findings[0].cause == Some("it has stairs or a ramp of its own");
        assert!(is_found, "{about}\n{}", said(&findings));
        let findings = listed(&block);
        assert!(findings.is_empty(), "{about}\n{}", said(&findings));
        // A roof of two faces on the block.
        let (ridge, eave) = (high + 1.0, high - 0.8);
        let face = |z: [f64; 2], y: [f64; 2]| {
            let at = |x: f64, i: usize| dvec3(x, y[i], z[i]);
            MeshBuilder::quad([at(-9.0, 0), at(-9.0, 1), at(9.0, 1), at(9.0, 0)])
        };
        let house = slab([-9.0, 0.0, 2.0], [9.0, eave - 0.1, 9.0]);
        let roof = face([1.5, 5.5], [eave, ridge]).and(&face([5.5, 9.5], [ridge, eave]));
        let findings = listed(&yard(9.0).and(&house).and(&roof));
        assert!(findings.is_empty(), "{about}\n{}", said(&findings));
    }
}

#[test]
fn a_room_with_a_door_in_the_air_is_listed_and_one_on_the_ground_is_none() {
    let mut random = Random::scattered(43);
    for number in 0..cases() {
        let (up, wide) = (random.between(1.3, 3.8), random.between(0.95, 1.6));
        let size = [random.between(4.0, 8.0), random.between(4.0, 8.0)];
        let hut = |up: f64, wide: f64| {
            let low = [-0.5 * size[0], -0.5 * size[1]];
            let high = low.map(|x| -x);
            let plate =
                |y: f64| slab([low[0] - 0.2, y - 0.2, low[1] - 0.2], [high[0] + 0.2, y, high[1] + 0.2]);
            let post = |x: f64, z: f64| slab([x - 0.15, 0.0, z - 0.15], [x + 0.15, up - 0.2, z + 0.15]);
            let mesh = yard(3.0).and(&plate(up)).and(&plate(up + 2.8)).and(&walls(
                [low, high],
                [up, up + 2.6],
                [wide, 2.1],
            ));
            if up < 0.5 {
                return mesh;
            }
            mesh.and(&post(low[0], low[1]))
                .and(&post(low[0], high[1]))
                .and(&post(high[0], low[1]))
                .and(&post(high[0], high[1]))
        };
        let about = |findings: &[Finding]| {
            format!("{number}: {up} m up, {wide} m wide, {size:?}\n{}", said(findings))
        };
        let findings = listed(&hut(up, wide));
        assert!(findings.len() == 1 && (findings[0].position.y - up).abs() < 0.1, "{}", about(&findings));
        let findings = listed(&hut(0.2, wide));
        assert!(findings.is_empty(), "{}", about(&findings));
    }
}

#[test]
fn a_closed_storey_with_furniture_is_listed_and_the_void_above_a_ceiling_with_ducts_is_none() {
    let mut random = Random::scattered(44);
    for number in 0..cases() {
        let high = random.between(2.6, 3.4);
        let house = yard(2.0 * high)
            .and(&slab([-10.5, high - 0.2, -10.5], [10.5, high, 10.5]))
            .and(&slab([-10.5, 2.0 * high, -10.5], [10.5, 2.0 * high + 0.2, 10.5]));
        let furnished = (0..8).fold(house.clone(), |mesh, _| {
            let [x, z] = [random.between(-9.0, 7.0), random.between(-9.0, 7.0)];
            let size = [random.between(0.5, 2.0), random.between(0.4, 0.9), random.between(0.5, 2.0)];
            mesh.and(&slab([x, high, z], [x + size[0], high + size[1], z + size[2]]))
        });
        let findings = listed(&furnished);
        let cause = Some("a closed storey above or below reached floor");
        assert!(findings.len() == 1 && findings[0].cause == cause, "{number}\n{}", said(&findings));
        // Ducts as high as a chest from wall to wall.
        let (between, deep) = (random.between(2.0, 4.0), random.between(0.4, 0.8));
        let count = (18.0 / (between + deep)) as usize;
        let ducts = (0..count).fold(house, |mesh, i| {
            let x = -10.0 + between + (between + deep) * i as f64;
            mesh.and(&slab([x, high, -10.0], [x + deep, high + 1.1, 10.0]))
        });
        let findings = listed(&ducts);
        assert!(findings.is_empty(), "{number}: ducts of {deep} m, {between} m apart\n{}", said(&findings));
    }
}

#[test]
fn a_canopy_on_columns_that_stand_back_is_no_platform() {
    let mut random = Random::scattered(45);
    for number in 0..cases() {
        let (high, thick, back) =
            (random.between(2.4, 4.5), random.between(0.1, 0.6), random.between(0.2, 1.8));
        let size = [random.between(6.0, 14.0), random.between(5.0, 12.0)].map(|x| 0.5 * x);
        let columns = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]];
        let mesh = columns.into_iter().fold(yard(3.0), |mesh, [x, z]| {
            let (x, z) = (x * (size[0] - back), z * (size[1] - back));
            mesh.and(&slab([x - 0.2, 0.0, z - 0.2], [x + 0.2, high, z + 0.2]))
        });
        let roof = slab([-size[0], high, -size[1]], [size[0], high + thick, size[1]]);
        let findings = listed(&mesh.and(&roof));
        assert!(findings.is_empty(), "{number}: {high} {thick} {back} {size:?}\n{}", said(&findings));
    }
}

#[test]
fn a_tent_of_sheets_stays_closed_however_it_stands() {
    // A body right beside a sheet is on one side of it, and so is the floor that it reached.
    let mut random = Random::scattered(46);
    for number in 0..cases() {
        let (half, high) = (random.between(1.4, 2.2), random.between(2.0, 2.6));
        let corners = [[-half, -half], [half, -half], [half, half], [-half, half]];
        let side = |i: usize| {
            let ([a, b], [c, d]) = (corners[i], corners[(i + 1) % 4]);
            let wall = [dvec3(a, 0.0, b), dvec3(c, 0.0, d), dvec3(c, high, d), dvec3(a, high, b)];
            let roof = [dvec3(a, high, b), dvec3(c, high, d), dvec3(0.0, high + 1.0, 0.0)];
            let (wall, roof) = (MeshBuilder::quad(wall), MeshBuilder::triangle(roof));
            wall.clone().flipped().and(&wall).and(&roof.clone().flipped()).and(&roof)
        };
        let turn = ops::rotation_about(DVec3::Y, random.between(0.0, 1.5));
        let tent = (0..4).fold(MeshBuilder::new(), |mesh, i| mesh.and(&side(i)));
        let tent = tent.posed(turn, dvec3(random.between(-4.0, 4.0), 0.0, random.between(-4.0, 4.0)));
        let findings = listed(&yard(3.0).and(&tent));
        assert!(findings.is_empty(), "{number}: {half} {high}\n{}", said(&findings));
    }
}
