//! Counts defects of triangles: for the tests that check that a scene is closed.

use std::collections::BTreeMap;

use crate::SceneMesh;

/// Counts of the topology of a mesh in which vertices with the same bits are one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Census {
    /// Edges with a triangle on one side only.
    pub open_edges: usize,
    /// Edges that more than two triangles share, or that two triangles run along in the same direction.
    pub crowded_edges: usize,
    /// Triangles without area: two corners equal, or all on one line.
    pub degenerate: usize,
    /// Triangles with area whose height is below a thousandth of their longest edge.
    pub slivers: usize,
    /// The signed volume inside, in cubic meters: positive if a closed mesh faces outward.
    pub volume: f64,
}

impl Census {
    /// Counts the edges of all triangles that have area, and the triangles that have none.
    pub fn of(mesh: &SceneMesh) -> Self {
        let mut census = Self::default();
        let mut edges: BTreeMap<_, [usize; 2]> = BTreeMap::new();
        for (corners, triangle) in mesh.iter_corners().zip(&mesh.triangles) {
            let [a, b, c] = corners;
            census.volume += a.dot(b.cross(c));
            let normal_squared = (b - a).cross(c - a).length_squared();
            if normal_squared == 0.0 {
                census.degenerate += 1;
                continue;
            }
            let longest_squared =
                (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
            // height = |normal| / longest, against longest / 1000, squared.
            census.slivers += usize::from(normal_squared < 1e-6 * longest_squared * longest_squared);
            let keys = triangle.map(|i| mesh.vertices[i as usize].map(|x| (x + 0.0).to_bits()));
            for (from, to) in [(keys[0], keys[1]), (keys[1], keys[2]), (keys[2], keys[0])] {
                let forward = from < to;
                edges.entry(if forward { (from, to) } else { (to, from) }).or_default()
                    [usize::from(forward)] += 1;
            }
        }
        // Divided once: exact for the corners on a grid that most scenes have.
        census.volume /= 6.0;
        for [back, forth] in edges.into_values() {
            census.open_edges += usize::from(back + forth == 1);
            census.crowded_edges += usize::from(back > 1 || forth > 1);
        }
        census
    }

    /// Whether every edge has exactly two triangles, one on each side, and none lacks area.
    pub fn is_closed(&self) -> bool {
        self.open_edges == 0 && self.crowded_edges == 0 && self.degenerate == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MeshBuilder;
    use glam::DVec3;

    #[test]
    fn finds_the_hole_the_turned_face_and_the_needle() {
        let mut mesh = MeshBuilder::cuboid(DVec3::ONE).rounded();
        assert_eq!(Census::of(&mesh), Census { volume: 8.0, ..Census::default() });

        let face = mesh.triangles.pop().unwrap();
        assert_eq!(Census::of(&mesh).open_edges, 3);

        mesh.triangles.push([face[0], face[2], face[1]]);
        assert_eq!(Census::of(&mesh).crowded_edges, 3);

        let needle = MeshBuilder::triangle([DVec3::ZERO, DVec3::X, DVec3::new(2.0, 0.001, 0.0)]).rounded();
        assert_eq!(Census::of(&needle).slivers, 1);
        let line = MeshBuilder::triangle([DVec3::ZERO, DVec3::X, DVec3::X * 2.0]).rounded();
        assert_eq!(Census::of(&line).degenerate, 1);
    }
}
