//! Levels that cannot be explored say why.

use carom::character::Settings;
use carom::mesh::MeshData;
use carom_explore::{Code, ExploreError, Explorer, Level, Rules, Stage};
use carom_scenes::MeshBuilder;
use glam::{DVec3, dvec3};

use crate::{explore, level, said};

fn refused(mesh: &MeshBuilder) -> String {
    let level = level(mesh.rounded());
    Explorer::new(&level, &Rules::default(), &[]).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn no_triangles_no_floor_and_too_much_of_it_are_named() {
    let none = Level::new("none", MeshData::default()).unwrap_err();
    assert_eq!(none, ExploreError::NoTriangles);
    let wall = MeshBuilder::quad(
        [[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [9.0, 9.0, 0.0], [0.0, 9.0, 0.0]].map(DVec3::from_array),
    );
    assert!(refused(&wall).contains("no floor"), "{}", refused(&wall));
    let crawl = MeshBuilder::cuboid_between(dvec3(0.0, 0.0, 0.0), dvec3(9.0, 1.0, 9.0)).flipped();
    let tunnel = MeshBuilder::cuboid_between(dvec3(0.0, 2.0, 0.0), dvec3(9.0, 3.0, 9.0));
    // Open above: there is floor on the upper box.
    let level = level(crawl.and(&tunnel).rounded());
    assert!(Explorer::new(&level, &Rules::default(), &[]).is_ok());
    let far = 1e6;
    let plain = MeshBuilder::quad(
        [[-far, 0.0, -far], [-far, 0.0, far], [far, 0.0, far], [far, 0.0, -far]].map(DVec3::from_array),
    );
    assert!(refused(&plain).contains("check --scale"), "{}", refused(&plain));
    let vast = f64::from(f32::MAX);
    let plain = MeshBuilder::quad(
        [[-vast, 0.0, -vast], [-vast, 0.0, vast], [vast, 0.0, vast], [vast, 0.0, -vast]]
            .map(DVec3::from_array),
    );
    assert!(refused(&plain).contains("check --scale"), "{}", refused(&plain));
}

#[test]
fn rules_that_are_none_are_named() {
    let level = level(MeshBuilder::cuboid(DVec3::splat(9.0)).rounded());
    let refused = |rules: Rules| Explorer::new(&level, &rules, &[]).map(|_| ()).unwrap_err().to_string();
    assert!(refused(Rules { cell: Some(0.0), ..Rules::default() }).contains("cell must be"));
    assert!(refused(Rules { jump: f64::NAN, ..Rules::default() }).contains("jump must be"));
    assert!(refused(Rules { radii: DVec3::ZERO, ..Rules::default() }).contains("must be"));
    for radii in [dvec3(1e300, 1.0, 1.0), dvec3(0.4, 1.0, 26.0)] {
        assert!(refused(Rules { radii, ..Rules::default() }).contains("radii must be horizontally at most"));
    }
    let nowhere = Explorer::new(&level, &Rules::default(), &[DVec3::NAN]).map(|_| ()).unwrap_err();
    assert!(nowhere.to_string().contains("spawn must be finite"));
    // A body there does not fall: its height has no digit for the fall of a tick.
    for far in [dvec3(0.0, 1e300, 0.0), dvec3(-1e12, 1.0, 0.0), dvec3(0.0, 1.0, 2e9)] {
        let refused = Explorer::new(&level, &Rules::default(), &[far]).map(|_| ()).unwrap_err();
        assert!(matches!(refused, ExploreError::SpawnTooFar(..)), "{refused}");
    }
}

#[test]
fn numbers_with_which_a_flood_would_not_end_are_refused() {
    let small = level(MeshBuilder::cuboid(DVec3::splat(9.0)).rounded());
    let refused = |level: &Level, rules: Rules| {
        Explorer::new(level, &rules, &[])
            .map(|_| ())
            .err()
            .map_or_else(String::new, |error| error.to_string())
    };
    let falls = |gravity: f64| {
        let settings = Settings { gravity: DVec3::NEG_Y * gravity, ..Settings::default() };
        Rules { settings, jump: 0.0, ..Rules::default() }
    };
    let steps = Settings { step_height: 1e9, ..Settings::default() };
    for (rules, words) in [
        (Rules { jump: 1e9, ..Rules::default() }, "jump takes the body"),
        (Rules { jump: 100.0, ..Rules::default() }, "a jump at 100 m/s"),
        (Rules { speed: 1e9, ..Rules::default() }, "speed takes the body"),
        (Rules { speed: 1e-9, ..Rules::default() }, "ticks to cross a cell"),
        (Rules { cell: Some(1e9), ..Rules::default() }, "ticks to cross a cell"),
        (Rules { settings: steps, ..Rules::default() }, "step_height takes the body"),
        (falls(1e9), "gravity takes the body"),
        (falls(0.0), "gravity must be"),
        (falls(-9.81), "gravity must be"),
        (falls(1e-9), "falls through it"),
    ] {
        let refused = refused(&small, rules);
        assert!(refused.contains(words), "{words}: {refused}");
    }
    // Fast, slow, and light bodies that games have.
    for rules in [
        Rules { jump: 90.0, ..Rules::default() },
        Rules { speed: 50.0, ..Rules::default() },
        Rules { speed: 0.2, ..Rules::default() },
        falls(0.3),
        falls(100.0),
    ] {
        assert_eq!(refused(&small, rules), "");
    }
    let tower = level(MeshBuilder::cuboid(dvec3(9.0, 1e6, 9.0)).rounded());
    assert!(refused(&tower, Rules::default()).contains("check --scale"));
}

#[test]
fn a_body_that_is_let_down_far_above_the_level_lands_there_and_the_spawn_is_warned_of() {
    let level = level(MeshBuilder::cuboid_between(dvec3(-5.0, -1.0, -5.0), dvec3(5.0, 0.0, 5.0)).rounded());
    for height in [5.0, 1e3, 1e6, 1e8] {
        let rules = Rules::default();
        let mut explorer = Explorer::new(&level, &rules, &[dvec3(0.0, height, 0.0)]).unwrap();
        while explorer.advance() == Stage::Flooding {}
        let findings = explorer.finish();
        assert!(findings.iter().all(|finding| finding.folded.is_some()), "{height}: {}", said(&findings));
        let place = explorer.places(0).next().unwrap().position;
        assert!((place.y - 0.9).abs() < 0.01, "{height}: {place}");
        let warned = explorer.warnings().iter().map(|warning| warning.code).collect::<Vec<_>>();
        assert_eq!(warned == ["SPAWN_OUTSIDE"], height > 10.0, "{height}: {warned:?}");
    }
}

#[test]
fn a_level_so_far_from_the_origin_that_its_vertices_are_rounded_is_warned_of() {
    for (far, is_far) in [(0.0, false), (1e5, false), (1e6, true), (1e7, true)] {
        let at = dvec3(far, 0.0, 0.0);
        let slab = MeshBuilder::cuboid_between(at - DVec3::splat(32.0), at + dvec3(32.0, 0.0, 32.0));
        let level = level(slab.rounded());
        let rules = Rules::default();
        let explorer = Explorer::new(&level, &rules, &[]).unwrap();
        let codes: Vec<&str> = explorer.warnings().iter().map(|warning| warning.code).collect();
        assert_eq!(codes.contains(&"FAR"), is_far, "{far}: {codes:?}");
    }
}

#[test]
fn a_spawn_in_a_wall_and_one_over_nothing_are_findings() {
    let level = level(MeshBuilder::cuboid_between(dvec3(-5.0, -1.0, -5.0), dvec3(5.0, 0.0, 5.0)).rounded());
    let codes = |spawn: DVec3| -> Vec<Code> {
        explore(&level, &Rules::default(), &[spawn]).iter().map(|finding| finding.code).collect()
    };
    assert_eq!(codes(dvec3(0.0, 0.5, 0.0)), [Code::StartOverlap, Code::Unreached]);
    assert_eq!(codes(dvec3(50.0, 0.5, 0.0)), [Code::FallOut, Code::Unreached]);
}
