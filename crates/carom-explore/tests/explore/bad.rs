//! Levels that cannot be explored say why.

use carom::mesh::MeshData;
use carom_explore::{Code, ExploreError, Explorer, Level, Rules};
use carom_scenes::MeshBuilder;
use glam::{DVec3, dvec3};

use crate::{explore, level};

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
    let nowhere = Explorer::new(&level, &Rules::default(), &[DVec3::NAN]).map(|_| ()).unwrap_err();
    assert!(nowhere.to_string().contains("spawn must be finite"));
    // A body there does not fall: its height has no digit for the fall of a tick.
    for far in [dvec3(0.0, 1e300, 0.0), dvec3(-1e12, 1.0, 0.0), dvec3(0.0, 1.0, 2e9)] {
        let refused = Explorer::new(&level, &Rules::default(), &[far]).map(|_| ()).unwrap_err();
        assert!(matches!(refused, ExploreError::SpawnTooFar(..)), "{refused}");
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
