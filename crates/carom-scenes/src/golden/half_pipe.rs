//! A trough of very many very thin faces.

use core::f64::consts::PI;

use carom::num::ops;
use glam::DVec3;

use crate::{MeshBuilder, SceneMesh};

/// S10: a half-pipe along x, open at the top, its lowest line on the x axis, closed by a cap at each end.
///
/// The trouble with it: the mover touches dozens of faces at once that differ by a quarter of a degree, and
/// must still run freely along them to the very end. Lengths in meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfPipe {
    /// Of the round; the rims are this high.
    pub radius: f64,
    /// From cap to cap: they stand at x = ± half of it.
    pub length: f64,
    /// Flat faces from rim to rim.
    pub segments: u32,
    /// How high the caps are, at least `radius`.
    pub cap_height: f64,
}

impl HalfPipe {
    /// S10's: 2 m long, 768 segments, with caps 2.5 m high. `radius` is the mover's, its skin and a
    /// hundredth.
    pub fn with_radius(radius: f64) -> Self {
        Self { radius, length: 2.0, segments: 768, cap_height: 2.5 }
    }

    /// The triangles, facing the inside; open along the rims.
    pub fn mesh(&self) -> SceneMesh {
        let end = self.length / 2.0;
        let points: Vec<DVec3> = (0..=self.segments)
            .map(|i| {
                // The numerator is exact and odd about the middle: the two sides are mirror images to the
                // bit.
                let share = f64::from(2 * i) - f64::from(self.segments);
                let (sin, cos) = ops::sin_cos(PI * (share / f64::from(2 * self.segments)));
                let z = match i {
                    0 => -1.0,
                    i if i == self.segments => 1.0,
                    _ => sin,
                };
                let y = if z.abs() == 1.0 { 1.0 } else { 1.0 - cos };
                DVec3::new(0.0, y * self.radius, z * self.radius)
            })
            .collect();
        let along = DVec3::X * end;
        let mut builder = MeshBuilder::new();
        for pair in points.windows(2) {
            builder.append(&MeshBuilder::quad([
                pair[0] - along,
                pair[1] - along,
                pair[1] + along,
                pair[0] + along,
            ]));
        }
        // A cap is a fan about the middle between the rims, and what stands above them.
        let middle = DVec3::Y * self.radius;
        let mut cap = MeshBuilder::new();
        for pair in points.windows(2) {
            cap.append(&MeshBuilder::triangle([middle, pair[1], pair[0]]));
        }
        if self.cap_height > self.radius {
            for (from, to) in [(-self.radius, 0.0), (0.0, self.radius)] {
                let corner = |z: f64, y: f64| DVec3::new(0.0, y, z);
                cap.append(&MeshBuilder::quad([
                    corner(from, self.radius),
                    corner(from, self.cap_height),
                    corner(to, self.cap_height),
                    corner(to, self.radius),
                ]));
            }
        }
        builder.append(&cap.clone().moved(-along));
        builder.append(&cap.flipped().moved(along));
        builder.rounded()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::Census;

    #[test]
    fn is_open_only_along_the_rims_and_over_the_caps() {
        let pipe = HalfPipe::with_radius(0.3103);
        let census = Census::of(&pipe.mesh());
        // Two rims; each cap has two sides and two halves of its top.
        assert_eq!((census.open_edges, census.crowded_edges, census.degenerate), (2 + 2 * 4, 0, 0));
        assert_eq!(pipe.mesh().triangles.len(), 768 * 2 + 2 * (768 + 4));
    }

    #[test]
    fn every_face_looks_at_the_axis() {
        let pipe = HalfPipe::with_radius(1.5);
        let axis = DVec3::Y * pipe.radius;
        for [a, b, c] in pipe.mesh().iter_corners() {
            let normal = (b - a).cross(c - a);
            assert!(normal.dot(axis - a) > 0.0, "{a} {b} {c}");
        }
    }

    #[test]
    fn is_its_own_mirror_image_to_the_bit() {
        let mesh = HalfPipe::with_radius(0.7).mesh();
        let mut vertices: Vec<_> = mesh.vertices.iter().map(|v| v.map(f32::to_bits)).collect();
        let mut mirrored: Vec<_> =
            mesh.vertices.iter().map(|v| [v[0], v[1], 0.0 - v[2]].map(f32::to_bits)).collect();
        vertices.sort_unstable();
        mirrored.sort_unstable();
        assert_eq!(vertices, mirrored);
    }
}
