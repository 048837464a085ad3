//! Neighbors, edge classes and what shares a feature, against every other triangle looked at in integers.

use carom::mesh::{EdgeClass, Mesh, MeshData, Surface};
use carom::sweep::Feature;
use proptest::prelude::*;

type Position = [i64; 3];

#[derive(Clone, Debug)]
struct Level {
    positions: Vec<Position>,
    triangles: Vec<[u32; 3]>,
    one_sided: Vec<bool>,
}

/// Few corners, so that most edges are shared, and many faces in common planes.
fn level() -> impl Strategy<Value = Level> {
    let positions = prop::collection::vec([0..3i64, 0..3i64, 0..2i64], 3..14);
    positions.prop_flat_map(|positions| {
        let vertex = 0..positions.len() as u32;
        let triangles = prop::collection::vec([vertex.clone(), vertex.clone(), vertex], 1..16);
        let sided = prop::collection::vec(prop::bool::weighted(0.3), 16);
        (Just(positions), triangles, sided).prop_map(|(positions, triangles, one_sided)| Level {
            positions,
            one_sided: one_sided[..triangles.len()].to_vec(),
            triangles,
        })
    })
}

impl Level {
    fn mesh(&self) -> Mesh {
        let surface = |one_sided| Surface { one_sided, ..Surface::default() };
        Mesh::new(MeshData {
            vertices: self.positions.iter().map(|p| p.map(|x| x as f32)).collect(),
            triangles: self.triangles.clone(),
            surfaces: vec![surface(false), surface(true)],
            surface_ids: self.one_sided.iter().map(|&one_sided| one_sided.into()).collect(),
            ..MeshData::default()
        })
        .expect("whole numbers and indices in range")
    }

    fn corners(&self, triangle: usize) -> [Position; 3] {
        self.triangles[triangle].map(|vertex| self.positions[vertex as usize])
    }

    fn has_area(&self, triangle: usize) -> bool {
        let [a, b, c] = self.corners(triangle);
        cross(minus(b, a), minus(c, a)) != [0; 3]
    }

    /// Triangles with area that have all of these corners.
    fn with(&self, corners: &[Position]) -> Vec<usize> {
        let has = |&t: &usize| corners.iter().all(|corner| self.corners(t).contains(corner));
        (0..self.triangles.len()).filter(|&t| self.has_area(t)).filter(has).collect()
    }

    fn class(&self, triangle: usize, edge: usize) -> EdgeClass {
        let corners = self.corners(triangle);
        let [a, b, c] = [0, 1, 2].map(|i| corners[(edge + i) % 3]);
        let others: Vec<usize> = self.with(&[a, b]).into_iter().filter(|&other| other != triangle).collect();
        if !self.has_area(triangle) || others.is_empty() {
            return EdgeClass::Open;
        }
        let pair = |&other: &usize| {
            let theirs = self.corners(other);
            let same_way = (0..3).any(|i| [theirs[i], theirs[(i + 1) % 3]] == [a, b]);
            let d = *theirs.iter().find(|corner| **corner != a && **corner != b).expect("an area");
            let normal = cross(minus(b, a), minus(c, a));
            let height = dot(normal, minus(d, a));
            let continues = height == 0 && dot(normal, cross(minus(b, a), minus(d, a))) < 0;
            if self.one_sided[other] && same_way {
                EdgeClass::Convex
            } else if continues && (self.one_sided[triangle] || !self.one_sided[other]) {
                EdgeClass::Flat
            } else if height > 0 {
                EdgeClass::Concave
            } else {
                EdgeClass::Convex
            }
        };
        match others[..] {
            [other] => pair(&other),
            _ if others.iter().any(|other| pair(other) == EdgeClass::Flat) => EdgeClass::Flat,
            _ => EdgeClass::NonManifold,
        }
    }
}

fn minus(a: Position, b: Position) -> Position {
    [0, 1, 2].map(|i| a[i] - b[i])
}

fn dot(a: Position, b: Position) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Position, b: Position) -> Position {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn features() -> impl Iterator<Item = Feature> {
    (0..3).flat_map(|i| [Feature::Edge(i), Feature::Vertex(i)]).chain([Feature::Face])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_edge_is_what_all_triangles_say_it_is(level in level()) {
        let mesh = level.mesh();
        for triangle in 0..level.triangles.len() {
            let id = triangle as u32;
            prop_assert_eq!(mesh.has_area(id), level.has_area(triangle));
            let corners = level.corners(triangle);
            let mut active = 0;
            for edge in 0..3 {
                let class = level.class(triangle, edge);
                prop_assert_eq!(mesh.edge_class(id, edge as u32), class, "triangle {} edge {}", id, edge);
                active |= u8::from(class != EdgeClass::Flat) << edge;
                let mut others = level.with(&[corners[edge], corners[(edge + 1) % 3]]);
                others.retain(|&other| other != triangle);
                let alone = level.has_area(triangle) && others.len() == 1;
                prop_assert_eq!(mesh.neighbor(id, edge as u32), alone.then(|| others[0] as u32));
            }
            prop_assert_eq!(mesh.active_edges(id), active);
        }
    }

    #[test]
    fn all_that_shares_a_feature_is_found(level in level()) {
        let mesh = level.mesh();
        for triangle in 0..level.triangles.len() {
            let corners = level.corners(triangle);
            for feature in features() {
                let expected = match feature {
                    Feature::Face => (0..level.triangles.len())
                        .filter(|&other| other == triangle && level.has_area(other))
                        .collect(),
                    Feature::Edge(i) => level.with(&[corners[i as usize], corners[(i as usize + 1) % 3]]),
                    Feature::Vertex(i) => level.with(&[corners[i as usize]]),
                };
                let found: Vec<usize> = mesh.triangles_at(triangle as u32, feature).map(|t| t as usize).collect();
                prop_assert_eq!(&found, &expected);
                let normals = mesh.feature_normals(triangle as u32, feature);
                for other in found {
                    let normal = mesh.normal(other as u32).unwrap();
                    prop_assert!(normals.contains(&normal));
                    prop_assert!((normal.length() - 1.0).abs() <= 4.0 * f64::EPSILON);
                }
                prop_assert!(normals.len() <= expected.len());
            }
        }
    }

    #[test]
    fn the_order_of_triangles_corners_and_vertices_does_not_matter(
        level in level(), turns in prop::collection::vec(0..3usize, 16), shift in 0..16usize,
    ) {
        let mut other = level.clone();
        let vertices = level.positions.len();
        other.positions.rotate_left(shift % vertices);
        let count = level.triangles.len();
        for (triangle, turn) in other.triangles.iter_mut().zip(&turns) {
            *triangle = triangle.map(|vertex| ((vertex as usize + vertices - shift % vertices) % vertices) as u32);
            triangle.rotate_left(*turn);
        }
        other.triangles.rotate_left(shift % count);
        other.one_sided.rotate_left(shift % count);
        let [mesh, other] = [level.mesh(), other.mesh()];
        for (triangle, &turn) in turns.iter().enumerate().take(count) {
            let [id, turn] = [triangle, turn].map(|index| index as u32);
            let theirs = ((triangle + count - shift % count) % count) as u32;
            prop_assert_eq!(mesh.normal(id), other.normal(theirs));
            for i in 0..3 {
                let j = (i + 3 - turn) % 3;
                prop_assert_eq!(mesh.edge_class(id, i), other.edge_class(theirs, j));
                let normals = |mesh: &Mesh, id, feature| mesh.feature_normals(id, feature).to_vec();
                prop_assert_eq!(normals(&mesh, id, Feature::Edge(i)), normals(&other, theirs, Feature::Edge(j)));
                prop_assert_eq!(normals(&mesh, id, Feature::Vertex(i)), normals(&other, theirs, Feature::Vertex(j)));
            }
        }
    }
}
