//! Places to be inside of.

use glam::DVec3;

use crate::{MeshBuilder, SceneMesh};

/// A closed room about the y axis, facing inward: twelve triangles. `size` in meters; the floor at y = 0.
pub fn room(size: DVec3) -> SceneMesh {
    let half = size / 2.0;
    MeshBuilder::cuboid(half).flipped().moved(DVec3::Y * half.y).rounded()
}

/// A tunnel 20 m long (z −10 … 10), 3 m wide and 3 m high, facing inward, closed, the floor at y = 0. No two
/// of its six sides are cut alike, so that along every edge corners of one side lie in the middle of edges of
/// the next.
pub fn tunnel() -> SceneMesh {
    let (x, y, z) = (DVec3::X * 3.0, DVec3::Y * 3.0, DVec3::Z * 20.0);
    let near = DVec3::new(-1.5, 0.0, -10.0);
    // Each side faces its first direction × its second.
    MeshBuilder::grid(near, [z, x], [1, 1])
        .and(&MeshBuilder::grid(near + y, [x, z], [2, 7]))
        .and(&MeshBuilder::grid(near, [y, z], [3, 5]))
        .and(&MeshBuilder::grid(near + x, [z, y], [12, 4]))
        .and(&MeshBuilder::grid(near, [x, y], [5, 7]))
        .and(&MeshBuilder::grid(near + z, [y, x], [11, 3]))
        .rounded()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::Census;

    #[test]
    fn a_room_is_closed_and_faces_inward() {
        let mesh = room(DVec3::new(4.0, 3.0, 5.0));
        let census = Census::of(&mesh);
        assert!(census.is_closed());
        assert_eq!(census.volume, -60.0);
        assert_eq!(mesh.extents().unwrap().0, DVec3::new(-2.0, 0.0, -2.5));
    }

    #[test]
    fn a_tunnel_has_t_junctions_but_no_gap_and_faces_inward() {
        let mesh = tunnel();
        let census = Census::of(&mesh);
        assert!(census.open_edges > 50 && census.crowded_edges == 0 && census.degenerate == 0);
        // Without a gap: flat sides whose surface is that of the box, and whose volume is too.
        assert!((census.volume + 180.0).abs() < 1e-4, "{}", census.volume);
        let area: f64 = mesh.iter_corners().map(|[a, b, c]| (b - a).cross(c - a).length() / 2.0).sum();
        assert!((area - (4.0 * 60.0 + 2.0 * 9.0)).abs() < 1e-4);
        for v in &mesh.vertices {
            let sides = [v[0].abs() == 1.5, v[1] == 0.0 || v[1] == 3.0, v[2].abs() == 10.0];
            assert!(sides.contains(&true), "{v:?} lies on a side exactly");
        }
    }
}
