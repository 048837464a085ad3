//! Meshes from files.

use std::path::Path;

use carom::Mesh;
use carom::glam::DVec3;
use carom::shape::Triangle;
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

/// The triangles of an OBJ file of plain triangles, as f64 has its decimals.
pub(crate) fn triangles(name: &str) -> Option<Vec<Triangle>> {
    let text = std::fs::read_to_string(real::folder()?.join(name)).unwrap();
    let lines = |of: &'static str| {
        text.lines().filter_map(move |line| line.strip_prefix(of)).map(str::split_whitespace)
    };
    let vertices: Vec<DVec3> = lines("v ")
        .map(|words| DVec3::from_slice(&words.map(|word| word.parse().unwrap()).collect::<Vec<f64>>()))
        .collect();
    let corner = |word: &str| vertices[word.split('/').next().unwrap().parse::<usize>().unwrap() - 1];
    let triangle =
        |words: Vec<&str>| Triangle::new(corner(words[0]), corner(words[1]), corner(words[2])).unwrap();
    Some(lines("f ").map(|words| triangle(words.collect())).collect())
}
