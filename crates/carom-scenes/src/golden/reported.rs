//! Triangles and casts out of other engines' bug reports, number by number.

use glam::DVec3;

use crate::{MeshBuilder, SceneMesh, SphereCast};

/// Triangles and the cast that went wrong on them.
#[derive(Clone, Debug, PartialEq)]
pub struct Reported {
    /// The triangles.
    pub mesh: SceneMesh,
    /// The cast.
    pub cast: SphereCast,
}

/// S1, PhysX #505: a floor (y = 0, x −10 … 0) that ends in a free edge, and a wall (x = 1) a meter behind it,
/// 20 m wide.
///
/// The ball meets the floor's edge at fraction 0.1982373; without the floor, which is the first two
/// triangles, the wall at 0.3828275.
pub fn floor_edge_before_wall() -> Reported {
    let floor = MeshBuilder::grid(DVec3::new(-10.0, 0.0, -10.0), [DVec3::Z * 20.0, DVec3::X * 10.0], [1, 1]);
    let wall = MeshBuilder::grid(DVec3::new(1.0, -10.0, -10.0), [DVec3::Z * 20.0, DVec3::Y * 20.0], [1, 1]);
    Reported {
        mesh: floor.and(&wall).rounded(),
        cast: SphereCast {
            from: DVec3::new(-0.78131, 0.3092001, 0.0),
            translation: DVec3::new(4.0, -0.3, 0.0),
            radius: 0.25,
        },
    }
}

/// S4, Jolt #886: a needle that the ball passes at 2 m. No hit.
pub fn far_triangles() -> Reported {
    let corners = [
        DVec3::new(14.5536213, 10.5973721, -0.0060005188),
        DVec3::new(14.5536213, 10.5969315, -3.18638134),
        DVec3::new(14.5536213, 10.5969315, -5.18637228),
    ];
    Reported {
        mesh: MeshBuilder::triangle(corners).rounded(),
        cast: SphereCast {
            from: DVec3::new(14.831459, 8.1905508, -4.30825043),
            translation: DVec3::new(-0.0988006592, 5.96e-8, 0.000732421875),
            radius: 0.2,
        },
    }
}

/// S4: triangles without area, each of which acts as the segment (2 m along x, at z 0 … 3) or the point (z =
/// 4) that it is: collinear corners, in both orders; two corners equal, at either end; all three equal.
pub fn triangles_without_area() -> SceneMesh {
    let (a, b, c) = (DVec3::new(-1.0, 0.0, 0.0), DVec3::ZERO, DVec3::new(1.0, 0.0, 0.0));
    let rows = [[a, b, c], [a, c, b], [a, a, c], [a, c, c], [b, b, b]];
    let mut builder = MeshBuilder::new();
    for (z, corners) in rows.into_iter().enumerate() {
        builder.append(&MeshBuilder::triangle(corners).moved(DVec3::Z * z as f64));
    }
    builder.rounded()
}

/// S4: a triangle 10 m long (x 0 … 10) and 1e-7 m wide at its foot, level, facing up: its normal survives,
/// barely.
pub fn needle() -> SceneMesh {
    MeshBuilder::triangle([DVec3::ZERO, DVec3::new(0.0, 0.0, 1e-7), DVec3::new(10.0, 0.0, 0.0)]).rounded()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::Census;

    #[test]
    fn the_fraction_of_the_report_is_where_the_ball_touches() {
        let Reported { mesh, cast } = floor_edge_before_wall();
        let center = cast.from + cast.translation * 0.1982373;
        assert!((center.with_z(0.0).length() - cast.radius).abs() < 1e-6, "the floor ends on the z axis");
        let wall = cast.from + cast.translation * 0.3828275;
        assert!((mesh.corners(2)[0].x - wall.x - cast.radius).abs() < 1e-6);
        assert!(
            (mesh.corners(0)[1] - mesh.corners(0)[0]).cross(mesh.corners(0)[2] - mesh.corners(0)[0]).y > 0.0
        );
        assert!(
            (mesh.corners(2)[1] - mesh.corners(2)[0]).cross(mesh.corners(2)[2] - mesh.corners(2)[0]).x < 0.0
        );
    }

    #[test]
    fn the_far_triangle_is_far() {
        let Reported { mesh, cast } = far_triangles();
        let near = crate::workload::Proximity::new(&mesh, 1.0);
        assert!(near.within(cast.from, 2.0).is_none());
    }

    #[test]
    fn what_lacks_area_does_and_what_barely_has_it_has() {
        assert_eq!(Census::of(&triangles_without_area()).degenerate, 5);
        assert_eq!((Census::of(&needle()).degenerate, Census::of(&needle()).slivers), (0, 1));
    }
}
