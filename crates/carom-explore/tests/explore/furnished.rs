//! Furniture with gaps between that are too narrow, and stairs that are too steep: levels of boxes with
//! answers that are found by hand.

use carom::num::ops;
use carom_explore::{Code, Rules};
use carom_scenes::{MeshBuilder, Random};
use glam::{DVec3, dvec3};

use crate::{cases, explore, level, listed_from, said, slab};

/// A floor of 16 × 16 m with walls of 3 m around.
fn hall() -> MeshBuilder {
    slab([-0.3, -1.0, -0.3], [16.3, 0.0, 16.3])
        .and(&slab([-0.3, 0.0, -0.3], [0.0, 3.0, 16.3]))
        .and(&slab([16.0, 0.0, -0.3], [16.3, 3.0, 16.3]))
        .and(&slab([0.0, 0.0, -0.3], [16.0, 3.0, 0.0]))
        .and(&slab([0.0, 0.0, 16.0], [16.0, 3.0, 16.3]))
}

const START: DVec3 = DVec3::new(1.0, 0.95, 1.0);

#[test]
fn what_stops_a_body_higher_than_a_step_is_no_snag() {
    for seed in 0..8 {
        let mut random = Random::scattered(seed);
        let mut mesh = hall();
        for i in 0..4 {
            for k in 0..4 {
                let (x, z) = (4.0 + 3.2 * f64::from(i), 4.0 + 3.2 * f64::from(k));
                // From corner to corner it is a little less than the body is wide.
                let far = random.between(0.72, 0.799);
                let (sin, cos) = ops::sin_cos(random.between(0.0, core::f64::consts::FRAC_PI_2));
                // Tops that a body raised by a step goes past, as it is narrower there.
                let under = random.between(0.0, 0.9);
                let [low, high] = [under, random.between(0.95, 1.05)];
                mesh = mesh.and(&slab([x - 0.8, low, z - 0.8], [x, high, z])).and(&slab(
                    [x + far * cos, low, z + far * sin],
                    [x + far * cos + 0.8, high, z + far * sin + 0.8],
                ));
            }
        }
        let findings = explore(&level(mesh.rounded()), &Rules { jump: 0.0, ..Rules::default() }, &[START]);
        assert!(findings.iter().all(|finding| finding.code != Code::Snag), "{seed}: {}", said(&findings));
    }
}

#[test]
fn a_deck_that_only_a_stair_leads_to_is_listed_however_shallow_the_treads() {
    let rules = Rules { jump: 0.0, ..Rules::default() };
    let listed = |mesh: &MeshBuilder| listed_from(START, mesh, &rules);
    for (count, rise, deep) in [(4, 0.5, 0.3), (6, 0.55, 0.25), (3, 0.9, 0.4), (5, 0.6, 0.6)] {
        let top = rise * f64::from(count);
        let deck = slab([12.0, 0.0, 6.0], [16.0, top, 10.0]);
        let stair = (1..count).fold(hall().and(&deck), |mesh, number| {
            let far = deep * f64::from(count - number);
            mesh.and(&slab([12.0 - far, 0.0, 7.0], [12.0 - far + deep, rise * f64::from(number), 9.0]))
        });
        let findings = listed(&stair);
        assert_eq!(findings.len(), 1, "{count} × {rise}: {}", said(&findings));
        assert_eq!((findings[0].code, findings[0].cause), (Code::Unreached, Some("stairs lead there")));
        // A block as high, and one with a ledge around, are blocks.
        assert!(listed(&hall().and(&deck)).is_empty());
        let ledge = slab([11.7, 0.0, 5.7], [16.0, 0.5 * top, 10.3]);
        let findings = listed(&hall().and(&deck).and(&ledge));
        assert!(findings.is_empty(), "{}", said(&findings));
        // And so is one over steps that a body is too wide for.
        let narrow = (1..count).fold(hall().and(&deck), |mesh, number| {
            let far = deep * f64::from(count - number);
            mesh.and(&slab([12.0 - far, 0.0, 7.9], [12.0 - far + deep, rise * f64::from(number), 8.2]))
        });
        let findings = listed(&narrow);
        assert!(findings.is_empty(), "{}", said(&findings));
    }
}

#[test]
fn a_roof_on_posts_is_no_platform_but_a_deck_with_a_railing_is() {
    let mut random = Random::scattered(4);
    for number in 0..cases() {
        let (wide, deep) = (random.between(2.6, 5.0), random.between(2.6, 5.0));
        let (x, z) = (random.between(4.0, 8.0), random.between(4.0, 8.0));
        let (under, thick) = (random.between(2.1, 3.4), random.between(0.1, 0.3));
        let (post, inset) = (random.between(0.08, 0.3), random.between(0.0, 0.3));
        let top = under + thick;
        let roof = slab([x, under, z], [x + wide, top, z + deep]);
        let posts = |mesh: MeshBuilder, high: f64| {
            [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].into_iter().fold(mesh, |mesh, [i, k]| {
                let (x, z) = (
                    x + inset + i * (wide - 2.0 * inset - post),
                    z + inset + k * (deep - 2.0 * inset - post),
                );
                mesh.and(&slab([x, 0.0, z], [x + post, high, z + post]))
            })
        };
        let railing = [
            slab([x, top + 0.9, z], [x + wide, top + 1.0, z + 0.05]),
            slab([x, top + 0.9, z + deep - 0.05], [x + wide, top + 1.0, z + deep]),
            slab([x, top + 0.9, z], [x + 0.05, top + 1.0, z + deep]),
            slab([x + wide - 0.05, top + 0.9, z], [x + wide, top + 1.0, z + deep]),
        ];
        let deck = railing.iter().fold(posts(hall().and(&roof), under), MeshBuilder::and);
        let cases = [(posts(hall().and(&roof), under), 0), (deck, 1), (hall().and(&roof), 1)];
        for (mesh, wanted) in cases {
            let found = listed_from(START, &mesh, &Rules::default());
            let about = format!("{number}: {wide} × {deep} m, {under} m up, posts of {post} m");
            assert_eq!(found.len(), wanted, "{about}\n{}", said(&found));
        }
    }
}

#[test]
fn an_awning_on_a_house_is_no_platform_but_a_balcony_with_a_railing_is() {
    let mut random = Random::scattered(5);
    for number in 0..cases() {
        let (wide, deep) = (random.between(5.0, 8.0), random.between(2.4, 2.8));
        let (x, under, thick) =
            (random.between(2.0, 6.0), random.between(2.1, 3.4), random.between(0.05, 0.2));
        let (top, far) = (under + thick, 3.0 + deep);
        // The house is solid, and at least as high above the awning as a body.
        let house = hall().and(&slab([0.0, 0.0, 0.0], [16.0, top + random.between(2.05, 4.0), 3.0]));
        let awning = slab([x, under, 3.0], [x + wide, top, far]);
        let railing = [
            slab([x, top, far - 0.05], [x + wide, top + 1.0, far]),
            slab([x, top, 3.0], [x + 0.05, top + 1.0, far]),
            slab([x + wide - 0.05, top, 3.0], [x + wide, top + 1.0, far]),
        ];
        let balcony = railing.iter().fold(house.clone().and(&awning), MeshBuilder::and);
        for (mesh, wanted) in [(house.and(&awning), 0), (balcony, 1)] {
            let found = listed_from(dvec3(2.0, 0.95, 10.0), &mesh, &Rules::default());
            let about = format!("{number}: {wide} × {deep} m, {under} m up, {thick} m thick");
            assert_eq!(found.len(), wanted, "{about}\n{}", said(&found));
        }
    }
}

#[test]
fn a_loft_between_three_walls_is_a_platform() {
    let hall = slab([0.0, -0.3, 0.0], [20.0, 0.0, 10.0])
        .and(&slab([-0.3, 0.0, -0.3], [0.0, 6.0, 10.3]))
        .and(&slab([20.0, 0.0, -0.3], [20.3, 6.0, 10.3]))
        .and(&slab([0.0, 0.0, -0.3], [20.0, 6.0, 0.0]))
        .and(&slab([0.0, 0.0, 10.0], [20.0, 6.0, 10.3]));
    let loft = hall.and(&slab([0.0, 2.8, 0.0], [6.0, 3.0, 10.0]));
    let found = listed_from(dvec3(12.0, 0.95, 5.0), &loft, &Rules::default());
    assert!(found.len() == 1 && found[0].position.y > 2.5, "{}", said(&found));
}

#[test]
fn shelves_of_racks_are_no_galleries_however_low_the_next_and_whatever_stands_on_them() {
    let mut random = Random::scattered(33);
    for number in 0..cases() {
        let mut mesh = hall()
            .and(&slab([-0.3, 3.0, -0.3], [0.0, 9.0, 16.3]))
            .and(&slab([16.0, 3.0, -0.3], [16.3, 9.0, 16.3]))
            .and(&slab([0.0, 3.0, -0.3], [16.0, 9.0, 0.0]))
            .and(&slab([0.0, 3.0, 16.0], [16.0, 9.0, 16.3]))
            .and(&slab([-0.3, 9.0, -0.3], [16.3, 9.3, 16.3]));
        let (deep, apart) = (random.between(1.0, 1.4), random.between(2.0, 2.7));
        for x in [4.0, 8.0, 12.0] {
            for level in 1..4 {
                let y = apart * f64::from(level);
                mesh = mesh.and(&slab([x, y - 0.08, 3.0], [x + deep, y, 14.0]));
                for crate_number in 0..3 {
                    let (z, high) = (3.0 + 3.6 * f64::from(crate_number), random.between(0.8, 1.3));
                    let long = random.between(1.0, 2.0);
                    mesh = mesh.and(&slab([x + 0.1, y, z], [x + deep - 0.1, y + high, z + long]));
                }
            }
            let posts = [3.0, 6.6, 10.2, 13.9].into_iter().flat_map(|z| [[x, z], [x + deep - 0.1, z]]);
            mesh = posts.fold(mesh, |mesh, [x, z]| mesh.and(&slab([x, 0.0, z], [x + 0.1, 8.2, z + 0.1])));
        }
        let found = listed_from(START, &mesh, &Rules::default());
        assert!(found.is_empty(), "{number}: {deep} m deep, {apart} m apart\n{}", said(&found));
    }
}
