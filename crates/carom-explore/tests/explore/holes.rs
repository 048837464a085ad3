//! Holes of one meter cut into `nav_test` of the data folder, at any distance from its rims and from each
//! other: each is a finding of its own.
//!
//! `CAROM_DATA=… CAROM_HOLES=200 cargo test --release -p carom-explore --test explore -- --ignored
//! --nocapture holes`

use std::path::PathBuf;

use carom_explore::{Code, Rules};
use carom_scenes::Random;
use glam::{DVec3, dvec3};

use crate::injected_real::Soup;
use crate::{explore, said};

/// The middles of two holes are at least so far apart, in meters.
const APART: f64 = 4.0;
/// So many holes are cut at once.
const AT_ONCE: usize = 20;

#[test]
#[ignore = "minutes; reads the data folder"]
fn each_hole_is_a_finding_of_its_own_however_near_to_a_rim() {
    let Some(folder) = std::env::var_os("CAROM_DATA").map(PathBuf::from) else {
        println!("skipped: CAROM_DATA names no folder");
        return;
    };
    let count: usize = std::env::var("CAROM_HOLES").ok().and_then(|text| text.parse().ok()).unwrap_or(40);
    let raw = carom_formats::load(folder.join("recast_nav/nav_test.obj"), &Default::default()).unwrap();
    let data = raw.into_mesh_data();
    let corner = |i: u32| DVec3::from_array(data.vertices[i as usize].map(f64::from));
    let soup = Soup(data.triangles.iter().map(|triangle| triangle.map(corner)).collect());
    let whole = soup.level();
    let rules = Rules { jump: 0.0, ..Rules::default() };
    let spawns = [dvec3(-17.75, -1.4667, 5.25)];
    let mut explorer = carom_explore::Explorer::new(&whole, &rules, &spawns).unwrap();
    while explorer.advance() == carom_explore::Stage::Flooding {}
    explorer.finish();
    let places: Vec<DVec3> = explorer.places(0).map(|place| place.position).collect();
    // Floor in all of the square and a strip around it; nothing but the main deck, below which there is
    // nothing else.
    let holds = |x: f64, z: f64, y: f64| {
        let way = DVec3::Y * -2.0;
        let cast = carom::Cast::new(carom::shape::Mover::Point, dvec3(x, y, z), way).unwrap();
        whole.world().cast(&cast).is_some_and(|hit| hit.normal.y > 0.9)
    };
    let is_site = |at: &DVec3| {
        let edge = [-0.6, -0.3, 0.0, 0.3, 0.6];
        (*at - spawns[0]).length() > 4.0
            && edge.iter().all(|i| edge.iter().all(|j| holds(at.x + i, at.z + j, at.y)))
    };
    let sites: Vec<DVec3> = places.iter().copied().filter(is_site).collect();
    let (mut cut, mut found, mut round) = (0, 0, 0);
    while cut < count {
        let mut random = Random::scattered(round);
        round += 1;
        let mut holes: Vec<DVec3> = Vec::new();
        for _ in 0..1000 {
            let site = sites[random.below(sites.len())];
            if holes.len() < AT_ONCE.min(count - cut)
                && holes.iter().all(|hole| (*hole - site).length() > APART)
            {
                holes.push(site);
            }
        }
        let mut broken = soup.clone();
        for hole in &holes {
            let (low, high) = ([hole.x - 0.5, hole.z - 0.5], [hole.x + 0.5, hole.z + 0.5]);
            broken.cut(low, high, |_| true);
        }
        let findings = explore(&broken.level(), &rules, &spawns);
        let mut taken = vec![false; findings.len()];
        for hole in &holes {
            let own = (0..findings.len()).find(|i| {
                let finding = &findings[*i];
                !taken[*i]
                    && finding.code == Code::FallOut
                    && finding.is_listed()
                    && (finding.position - *hole).length() <= 1.6
                    && (finding.extent.max - finding.extent.min).with_y(0.0).max_element() <= 3.0
            });
            match own {
                Some(i) => (found, taken[i]) = (found + 1, true),
                None => println!("round {round}: the hole at {hole:.2} has none\n{}", said(&findings)),
            }
        }
        cut += holes.len();
    }
    println!("{cut} holes, {found} with a finding of their own");
    assert_eq!(found, cut);
}
