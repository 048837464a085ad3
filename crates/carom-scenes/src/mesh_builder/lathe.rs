//! Solids of revolution: columns, roofs, balls of many faces.

use core::f64::consts::TAU;

use carom::num::ops;
use glam::{DVec2, DVec3};

use super::MeshBuilder;

/// The points of one height, from a first on; a tip is a ring of one.
#[derive(Clone, Copy)]
struct Ring {
    first: u32,
    is_tip: bool,
}

impl Ring {
    fn point(self, number: u32) -> u32 {
        if self.is_tip { self.first } else { self.first + number }
    }
}

impl MeshBuilder {
    /// The closed solid about the y axis whose profile, from bottom to top, has these radii (x) and heights
    /// (y), with `sides` flat sides. A radius of 0 is a tip and stands only at an end; other ends are closed
    /// by a flat lid.
    ///
    /// The first side starts half a side away from +x, so that a lathe of four sides is a square along the
    /// axes.
    pub fn lathe(profile: &[DVec2], sides: u32) -> Self {
        let mut builder = Self::new();
        let directions: Vec<DVec2> = (0..sides)
            .map(|i| {
                let (sin, cos) = ops::sin_cos(TAU * (f64::from(i) + 0.5) / f64::from(sides));
                DVec2::new(cos, sin)
            })
            .collect();
        let rings: Vec<Ring> = profile
            .iter()
            .map(|p| {
                let first = builder.points.len() as u32;
                if p.x == 0.0 {
                    builder.points.push(DVec3::new(0.0, p.y, 0.0));
                } else {
                    builder.points.extend(directions.iter().map(|d| DVec3::new(p.x * d.x, p.y, p.x * d.y)));
                }
                Ring { first, is_tip: p.x == 0.0 }
            })
            .collect();
        let next = |i: u32| (i + 1) % sides;
        for pair in rings.windows(2) {
            let (low, high) = (pair[0], pair[1]);
            for i in 0..sides {
                if !high.is_tip {
                    builder.triangles.push([low.point(i), high.point(i), high.point(next(i))]);
                }
                if !low.is_tip {
                    builder.triangles.push([low.point(i), high.point(next(i)), low.point(next(i))]);
                }
            }
        }
        if let (Some(&bottom), Some(&top)) = (rings.first(), rings.last()) {
            builder.lid(bottom, sides, false);
            builder.lid(top, sides, true);
        }
        builder
    }

    /// A fan over an open end; the corners of a regular polygon need no point in the middle.
    fn lid(&mut self, Ring { first, is_tip }: Ring, sides: u32, faces_up: bool) {
        if is_tip {
            return;
        }
        for i in 1..sides - 1 {
            let (b, c) = if faces_up { (i + 1, i) } else { (i, i + 1) };
            self.triangles.push([first, first + b, first + c]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::Census;

    #[test]
    fn is_closed_and_faces_outward_with_lids_and_with_tips() {
        for profile in [
            &[[1.0, 0.0], [1.0, 2.0]][..],
            &[[0.0, 0.0], [1.0, 1.0], [0.0, 2.0]],
            &[[1.0, 0.0], [0.5, 1.0], [0.0, 2.0]],
            &[[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [0.0, 2.0]],
        ] {
            let profile: Vec<DVec2> = profile.iter().copied().map(DVec2::from_array).collect();
            let census = Census::of(&MeshBuilder::lathe(&profile, 16).rounded());
            assert!(census.is_closed(), "{profile:?}");
            assert!(census.volume > 0.0, "{profile:?}");
            assert_eq!(census.degenerate, 0);
        }
    }

    #[test]
    fn four_sides_make_a_box_along_the_axes() {
        let half_diagonal = ops::sqrt(2.0);
        let profile = [DVec2::new(half_diagonal, -1.0), DVec2::new(half_diagonal, 1.0)];
        let census = Census::of(&MeshBuilder::lathe(&profile, 4).rounded());
        assert!((census.volume - 8.0).abs() < 1e-12, "{}", census.volume);
    }
}
