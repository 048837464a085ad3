//! Convex hull as a shape.
//!
//! Source: [`convex_hull`] finds its faces with exact signs. Error: points are rounded to f32, as vertices of
//! meshes are, and the hull is that of the rounded points. Cost: that of [`convex_hull`]; meant for about
//! hundred points.

use alloc::vec::Vec;

use glam::DVec3;

use super::{Aabb, Convex, ShapeError, convex_hull};

/// A solid with flat faces: the convex hull of points.
///
/// ```
/// use carom::shape::ConvexHull;
/// use glam::{DVec3, dvec3};
/// let roof = ConvexHull::new(&[
///     dvec3(-1.0, 0.0, -2.0), dvec3(1.0, 0.0, -2.0), dvec3(0.0, 1.0, -2.0),
///     dvec3(-1.0, 0.0, 2.0), dvec3(1.0, 0.0, 2.0), dvec3(0.0, 1.0, 2.0),
///     DVec3::Y * 0.5, // inside: dropped
/// ])?;
/// assert_eq!(roof.vertices().len(), 6);
/// assert!(ConvexHull::new(&[DVec3::ZERO, DVec3::X, DVec3::Z]).is_err());
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexHull {
    vertices: Vec<DVec3>,
    faces: Vec<[u32; 3]>,
    bounds: Aabb,
}

impl ConvexHull {
    /// The hull of points, in meters, each rounded to f32. Points inside, and duplicates, are dropped.
    ///
    /// # Errors
    /// A point that is not finite or beyond the range of f32, fewer than 4 different points, all points in
    /// one plane.
    pub fn new(points: &[DVec3]) -> Result<Self, ShapeError> {
        let mut rounded: Vec<DVec3> = Vec::with_capacity(points.len());
        for point in points {
            // −0 becomes 0.
            let point = point.as_vec3().as_dvec3() + DVec3::ZERO;
            if !point.is_finite() {
                return Err(ShapeError::NotFinite("point"));
            }
            rounded.push(point);
        }
        // By value, so that the order of the points changes nothing.
        rounded
            .sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z)));
        rounded.dedup();
        if rounded.len() < 4 {
            return Err(ShapeError::TooFewPoints(rounded.len()));
        }
        let faces = convex_hull(&rounded).ok_or(ShapeError::FlatPoints)?;
        Self::of(&rounded, faces)
    }

    /// Drops what no face names.
    fn of(points: &[DVec3], mut faces: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
        let mut names: Vec<Option<u32>> = alloc::vec![None; points.len()];
        for corner in faces.iter().flatten() {
            names[*corner as usize] = Some(0);
        }
        let mut vertices = Vec::new();
        for (name, point) in names.iter_mut().zip(points) {
            if let Some(name) = name {
                *name = vertices.len() as u32;
                vertices.push(*point);
            }
        }
        for corner in faces.iter_mut().flatten() {
            *corner = names[*corner as usize].unwrap_or(0);
        }
        let bounds = Aabb::enclosing(vertices.iter().copied()).ok_or(ShapeError::FlatPoints)?;
        Ok(Self { vertices, faces, bounds })
    }

    /// The same hull stretched along its axes, about the origin: `factors` times as large. A negative factor
    /// mirrors it.
    ///
    /// # Errors
    /// A factor that is not finite or 0; points that leave the range of f32 or fall into one plane.
    pub fn scaled(&self, factors: DVec3) -> Result<Self, ShapeError> {
        if !factors.is_finite() {
            return Err(ShapeError::NotFinite("scale"));
        }
        if factors.to_array().contains(&0.0) {
            return Err(ShapeError::Zero("scale"));
        }
        let points: Vec<DVec3> = self.vertices.iter().map(|vertex| *vertex * factors).collect();
        Self::new(&points)
    }

    /// The corners, in meters; exactly f32, in the order of their values.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The triangles of the faces, as indices of corners, counter-clockwise as seen from outside.
    pub fn faces(&self) -> &[[u32; 3]] {
        &self.faces
    }

    /// The smallest box around it.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }
}

impl Convex for ConvexHull {
    fn support(&self, direction: DVec3) -> DVec3 {
        let along = |vertex: &DVec3| vertex.dot(direction);
        let farthest =
            self.vertices.iter().reduce(|best, next| if along(next) > along(best) { next } else { best });
        farthest.copied().unwrap_or_default()
    }

    fn reach(&self) -> f64 {
        let size = |vertex: &DVec3| vertex.abs().element_sum();
        self.vertices.iter().map(size).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    #[test]
    fn what_is_no_solid_is_refused_by_name() {
        assert_eq!(ConvexHull::new(&[DVec3::X; 9]), Err(ShapeError::TooFewPoints(1)));
        let flat = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y, dvec3(0.5, 0.25, 0.0)];
        assert_eq!(ConvexHull::new(&flat), Err(ShapeError::FlatPoints));
        assert_eq!(ConvexHull::new(&[DVec3::NAN; 4]), Err(ShapeError::NotFinite("point")));
        assert_eq!(ConvexHull::new(&[DVec3::splat(1e40); 4]), Err(ShapeError::NotFinite("point")));
    }

    #[test]
    fn the_order_of_points_changes_nothing_and_a_stretch_keeps_the_faces_outward() {
        let mut points = Aabb::new(-DVec3::ONE, dvec3(2.0, 1.0, 3.0)).unwrap().corners().to_vec();
        points.push(dvec3(0.5, 2.0, 0.5));
        let hull = ConvexHull::new(&points).unwrap();
        points.reverse();
        assert_eq!(ConvexHull::new(&points).unwrap(), hull);
        for factors in [dvec3(2.0, 0.5, 3.0), dvec3(-1.0, 1.0, 1.0)] {
            let other = hull.scaled(factors).unwrap();
            let middle = other.vertices().iter().sum::<DVec3>() / other.vertices().len() as f64;
            for face in other.faces() {
                let [a, b, c] = face.map(|corner| other.vertices()[corner as usize]);
                assert!((b - a).cross(c - a).dot(middle - a) < 0.0);
            }
        }
        assert_eq!(hull.scaled(DVec3::X), Err(ShapeError::Zero("scale")));
    }
}
