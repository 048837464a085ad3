//! Meshes from files.

use std::path::Path;

use carom::Mesh;
use carom_scenes::real;

/// A mesh of the data folder; `None` where there is no folder.
pub(crate) fn mesh(name: &str) -> Option<Mesh> {
    let path = real::folder()?.join(name);
    Some(if path.extension().is_some_and(|extension| extension == "off") {
        off(&path)
    } else {
        carom_formats::load(&path, &Default::default()).unwrap().into_mesh().unwrap()
    })
}

/// The text of an OFF file: numbers of vertices, faces and edges, then the vertices, then the faces.
fn off(path: &Path) -> Mesh {
    let text = std::fs::read_to_string(path).unwrap();
    let mut words = text.split_whitespace();
    assert_eq!(words.next(), Some("OFF"));
    let mut count = || words.next().unwrap().parse::<usize>().unwrap();
    let (vertices, faces, _) = (count(), count(), count());
    let mut number = || words.next().unwrap().parse::<f32>().unwrap();
    let vertices = (0..vertices).map(|_| [number(), number(), number()]).collect();
    let mut index = || words.next().unwrap().parse::<u32>().unwrap();
    let triangles = (0..faces)
        .map(|_| {
            assert_eq!(index(), 3, "{path:?}");
            [index(), index(), index()]
        })
        .collect();
    Mesh::from_triangles(vertices, triangles).unwrap()
}
