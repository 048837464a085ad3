//! Level ground at y = 0, cut up in different ways: no answer may depend on the cut.

use glam::DVec3;

use crate::{MeshBuilder, PlacedBox, SceneMesh};

fn square(half_extent: f64, quads: u32) -> MeshBuilder {
    let corner = DVec3::new(-half_extent, 0.0, -half_extent);
    MeshBuilder::grid(
        corner,
        [DVec3::Z * (2.0 * half_extent), DVec3::X * (2.0 * half_extent)],
        [quads, quads],
    )
}

/// A square of two triangles about the origin, `half_extent` meters to each side. S2 falls on it, S3 walks on
/// it.
pub fn floor(half_extent: f64) -> SceneMesh {
    square(half_extent, 1).rounded()
}

/// The same square as `quads` × `quads` pairs of triangles. S3 walks on 30 × 30: every seam is a chance to
/// stumble.
pub fn floor_grid(half_extent: f64, quads: u32) -> SceneMesh {
    square(half_extent, quads).rounded()
}

/// The same square as the top of a box, 1 m thick.
pub fn floor_slab(half_extent: f64) -> PlacedBox {
    PlacedBox::upright(DVec3::new(half_extent, 0.5, half_extent), DVec3::new(0.0, -0.5, 0.0))
}

/// S5b: `side` × `side` bodies of 1 m about the origin, their tops level at y = 0, each touching the next.
pub fn floor_tiles(side: u32) -> Vec<PlacedBox> {
    let center = |i: u32| f64::from(i) + 0.5 - f64::from(side) / 2.0;
    let tile = |x, z| PlacedBox::upright(DVec3::splat(0.5), DVec3::new(center(x), -0.5, center(z)));
    (0..side).flat_map(|z| (0..side).map(move |x| tile(x, z))).collect()
}

/// S5c: one pair of triangles of 10 m (x −10 … 0, z −5 … 5) beside ten pairs of 1 m (x 0 … 1): nine corners
/// lie in the middle of an edge that knows nothing of them.
pub fn t_junction_floor() -> SceneMesh {
    let strip = |x: f64, width: f64, pairs: u32| {
        MeshBuilder::grid(DVec3::new(x, 0.0, -5.0), [DVec3::Z * 10.0, DVec3::X * width], [pairs, 1])
    };
    strip(-10.0, 10.0, 1).and(&strip(0.0, 1.0, 10)).rounded()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area_facing_up(mesh: &SceneMesh) -> f64 {
        let double = |[a, b, c]: [DVec3; 3]| {
            let normal = (b - a).cross(c - a);
            assert_eq!(normal, DVec3::Y * normal.y);
            assert!(normal.y > 0.0);
            normal.y
        };
        mesh.iter_corners().map(double).sum::<f64>() / 2.0
    }

    #[test]
    fn every_cut_covers_the_same_ground() {
        assert_eq!(area_facing_up(&floor(15.0)), 900.0);
        assert!((area_facing_up(&floor_grid(15.0, 30)) - 900.0).abs() < 1e-12);
        assert_eq!(area_facing_up(&t_junction_floor()), 110.0);
        assert_eq!(t_junction_floor().triangles.len(), 22);
        let top: f64 =
            floor_tiles(20).iter().map(|tile| 4.0 * tile.half_extents.x * tile.half_extents.z).sum();
        assert_eq!(top, 400.0);
    }

    #[test]
    fn tiles_touch_and_do_not_overlap() {
        let tiles = floor_tiles(3);
        assert_eq!(tiles[0].position, DVec3::new(-1.0, -0.5, -1.0));
        assert!(
            tiles.windows(2).all(|pair| (pair[1].position - pair[0].position).abs().max_element() >= 1.0)
        );
        assert_eq!(floor_slab(5.0).mesh().extents().unwrap().1.y, 0.0);
    }
}
