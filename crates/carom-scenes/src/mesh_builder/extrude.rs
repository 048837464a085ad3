//! Solids of one outline: walls, stairs, arches.

use glam::{DVec2, DVec3};

use super::{MeshBuilder, outline};

impl MeshBuilder {
    /// The closed solid between z = `from` and z = `to` (`from` < `to`) with `outline`, in x and y, for a
    /// cross-section.
    ///
    /// The outline runs counter-clockwise as seen from +z and does not cross itself. Each of its sides
    /// becomes a quad.
    ///
    /// # Panics
    /// An outline that crosses itself or runs clockwise.
    pub fn extruded(outline: &[DVec2], from: f64, to: f64) -> Self {
        let sections = [from, to].map(|z| outline.iter().map(|p| p.extend(z)).collect::<Vec<_>>());
        Self::lofted(outline, &sections)
    }

    /// The closed solid that runs through a row of cross-sections, each with one point for each of `outline`,
    /// which says how the two ends are filled and runs counter-clockwise as seen from beyond the last
    /// section.
    ///
    /// # Panics
    /// An outline that crosses itself or runs clockwise, or a section of another number of points.
    pub fn lofted(outline: &[DVec2], sections: &[Vec<DVec3>]) -> Self {
        let cap = outline::triangulate(outline).expect("a simple, counter-clockwise outline");
        let count = outline.len() as u32;
        let mut builder = Self::new();
        for section in sections {
            assert_eq!(section.len(), outline.len(), "one point for each of the outline");
            builder.points.extend_from_slice(section);
        }
        let last = (sections.len() as u32).saturating_sub(1) * count;
        builder.triangles.extend(cap.iter().map(|&[a, b, c]| [a, c, b]));
        builder.triangles.extend(cap.iter().map(|triangle| triangle.map(|i| i + last)));
        for start in (0..last).step_by(count as usize) {
            for i in 0..count {
                let (a, b) = (start + i, start + (i + 1) % count);
                builder.triangles.push([a, b, b + count]);
                builder.triangles.push([a, b + count, a + count]);
            }
        }
        builder
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::Census;

    #[test]
    fn is_closed_and_has_the_volume_of_outline_times_length() {
        let outline =
            [[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [2.0, 1.0], [1.0, 2.0], [0.0, 2.0]].map(DVec2::from_array);
        let census = Census::of(&MeshBuilder::extruded(&outline, -1.0, 3.0).rounded());
        assert!(census.is_closed());
        assert!((census.volume - 4.0 * 5.0).abs() < 1e-12);
    }
}
