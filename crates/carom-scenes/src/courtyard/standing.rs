//! Where a body stands: for the courtyard's way-points, before there is anything to walk with.

use carom::num::ops;
use glam::DVec3;

use crate::SceneMesh;
use crate::workload::distance_squared;

/// The triangles of a mesh whose boxes meet a box.
pub(super) struct Nearby(Vec<[DVec3; 3]>);

impl Nearby {
    pub(super) fn of(mesh: &SceneMesh, low: DVec3, high: DVec3) -> Self {
        let meets =
            |&[a, b, c]: &[DVec3; 3]| a.min(b).min(c).cmple(high).all() && a.max(b).max(c).cmpge(low).all();
        Self(mesh.iter_corners().filter(meets).collect())
    }

    /// How far an upright ellipsoid is from the triangles, as a share of its size: 1 touches, less overlaps.
    ///
    /// Squeezed so that the ellipsoid is the ball of radius 1, in which touching is a distance of 1.
    pub(super) fn clearance(&self, radii: DVec3, center: DVec3) -> f64 {
        let squeezed = |[a, b, c]: [DVec3; 3]| [a, b, c].map(|p| (p - center) / radii);
        let nearest = self.0.iter().map(|&t| distance_squared(DVec3::ZERO, squeezed(t)));
        ops::sqrt(nearest.fold(f64::INFINITY, f64::min))
    }
}

/// The center of an upright ellipsoid let down until it is `gap` meters above what it meets; `None` if it has
/// no room.
///
/// `feet` is a place on the ground, give or take a fifth of the body's half height: it is let down from that
/// far above.
pub(super) fn above(mesh: &SceneMesh, radii: DVec3, feet: DVec3, gap: f64) -> Option<DVec3> {
    let play = 0.2 * radii.y;
    let lowest = feet + DVec3::Y * (radii.y - play);
    let highest = feet + DVec3::Y * (radii.y + play);
    // Only what the fall can meet.
    let near = Nearby::of(mesh, lowest - radii, highest + radii);
    if near.clearance(radii, highest) <= 1.0 {
        return None;
    }
    // Free above, in touch below: halved until f64 has no more between.
    let (mut free, mut touching) = (2.0 * play, 0.0);
    for _ in 0..60 {
        let middle = (free + touching) / 2.0;
        let is_free = near.clearance(radii, lowest + DVec3::Y * middle) > 1.0;
        *(if is_free { &mut free } else { &mut touching }) = middle;
    }
    Some(lowest + DVec3::Y * (free + gap))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MeshBuilder;
    use crate::golden::{Ramp, floor};

    const RADII: DVec3 = DVec3::new(0.4, 0.9, 0.4);

    #[test]
    fn on_the_level_it_stands_at_its_half_height_and_the_gap() {
        let center = above(&floor(5.0), RADII, DVec3::new(0.3, 0.0, 0.7), 0.001).unwrap();
        assert!((center - DVec3::new(0.3, 0.901, 0.7)).length() < 1e-12);
    }

    #[test]
    fn where_there_is_no_room_it_does_not_stand() {
        let roof = MeshBuilder::quad(
            [[-5.0, 1.9, -5.0], [5.0, 1.9, -5.0], [5.0, 1.9, 5.0], [-5.0, 1.9, 5.0]].map(DVec3::from_array),
        );
        let mut mesh = floor(5.0);
        mesh.append(&roof.rounded());
        assert_eq!(above(&mesh, RADII, DVec3::ZERO, 0.0), None);
    }

    #[test]
    fn on_a_slope_it_stands_where_its_support_touches_the_plane() {
        let ramp = Ramp::default();
        let foot = DVec3::new(0.0, ramp.crest().y / 2.0, ramp.crest().x / 2.0);
        let center = above(&ramp.mesh(), RADII, foot, 0.0).unwrap();
        // The plane through `foot` touches the ellipsoid if the distance of its center is the support
        // √Σ(rᵢnᵢ)².
        let support = ((RADII * ramp.normal()).length_squared(), (center - foot).dot(ramp.normal()));
        assert!((ops::sqrt(support.0) - support.1).abs() < 1e-6);
    }
}
