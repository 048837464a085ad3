//! The defects of real levels, in the folder that `CAROM_DATA` names, counted twice: by the report, and edge
//! by edge and triangle by triangle from the mesh.

use std::collections::BTreeSet;
use std::time::Instant;

use carom::mesh::{EdgeClass, Mesh, Unit, UpAxis, inspect};
use carom_formats::{Format, LoadOptions, load};
use carom_scenes::real;

/// Open edges, and edges of more than two triangles.
fn borders(mesh: &Mesh) -> (usize, usize) {
    let mut open = 0;
    let mut crowded = BTreeSet::new();
    for triangle in (0..mesh.triangle_count()).filter(|&triangle| mesh.has_area(triangle)) {
        let corners = mesh.triangles()[triangle as usize];
        for edge in 0..3 {
            let class = mesh.edge_class(triangle, edge);
            if class == EdgeClass::Open {
                open += 1;
            } else if mesh.neighbor(triangle, edge).is_none() {
                let [a, b] = [corners[edge as usize], corners[(edge as usize + 1) % 3]];
                crowded.insert((a.min(b), a.max(b)));
            }
        }
    }
    (open, crowded.len())
}

#[test]
fn what_the_sources_state_is_found() {
    let Some(data) = real::folder() else { return };
    let report = |file: &str| {
        let level = load(data.join(file), &LoadOptions::default()).unwrap();
        inspect(&level.vertices, &level.triangles, None).unwrap()
    };
    assert!(report("recast_nav/nav_test.obj").watertight);
    assert_eq!(report("godot_truck_town/town_model.gltf").defects.degenerate, 136);
    assert_eq!(report("koroibot_stairs/staircases_koroibot_hr.obj").up, UpAxis::Z);
    assert_eq!(report("holodeck/holodeck.obj").unit, Unit::Centimeter);
    assert_eq!(report("redeclipse_auster/auster.obj").unit, Unit::Inch);
    // A part that was sewn to nothing: each open edge has its like on the other side of the crack.
    let cracked = report("trimesh_parts/featuretype.STL").defects;
    assert_eq!((cracked.open_edges, cracked.seams), (576, 288));
}

#[test]
fn reports_agree_with_meshes() {
    let Some(data) = real::folder() else { return };
    let files = real::files_below(&data, |path| Format::from_path(path).is_some()).unwrap();
    for path in files {
        let Ok(level) = load(&path, &LoadOptions::default()) else { continue };
        let start = Instant::now();
        let report = inspect(&level.vertices, &level.triangles, None).expect("indices in range");
        let inspected = start.elapsed();
        let defects = report.defects;
        let start = Instant::now();
        let mesh = level.into_mesh();
        println!(
            "{}: {} triangles, inspect {inspected:.1?}, mesh {:.1?}, {defects:?}",
            path.display(),
            report.triangles,
            start.elapsed(),
        );
        assert_eq!(mesh.is_err(), defects.non_finite > 0, "{}", path.display());
        let Ok(mesh) = mesh else { continue };
        assert_eq!(mesh.triangle_count() as usize, report.triangles);
        assert_eq!(mesh.vertices().len(), report.vertices);
        assert_eq!(mesh.bounds(), report.bounds);
        let without_area = (0..mesh.triangle_count()).filter(|&triangle| !mesh.has_area(triangle)).count();
        assert_eq!(without_area, defects.degenerate, "{}", path.display());
        assert_eq!(borders(&mesh), (defects.open_edges, defects.non_manifold_edges), "{}", path.display());
    }
}
