//! Triangle meshes: validated, welded, with neighbors, surfaces and a report of their defects.
//!
//! A [`Mesh`] stores f32 vertices about an f64 origin. All its answers are exact for those vertices: its f64
//! corners are relative to the origin, which is never added here. Triangle `i` stays triangle `i`: nothing is
//! dropped or reordered, and triangles without area are legal.
//!
//! ```
//! use carom::mesh::{EdgeClass, Mesh, inspect};
//!
//! // A square of two triangles, as a file of loose triangles gives it.
//! let corner = |x, y| [x, y, 0.0];
//! let vertices = vec![
//!     corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0),
//!     corner(0.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0),
//! ];
//! let triangles = vec![[0, 1, 2], [3, 4, 5]];
//!
//! let report = inspect(&vertices, &triangles, None)?;
//! assert_eq!((report.vertices, report.defects.open_edges), (4, 4));
//!
//! let mesh = Mesh::from_triangles(vertices, triangles)?;
//! assert_eq!(mesh.neighbor(0, 2), Some(1));
//! assert_eq!(mesh.edge_class(0, 2), EdgeClass::Flat);
//! assert_eq!(mesh.active_edges(0), 0b011);
//! # Ok::<(), carom::mesh::MeshError>(())
//! ```

mod adjacency;
mod check;
mod data;
mod edges;
mod error;
mod fold;
mod guess;
mod height_field;
mod inspect;
mod normals;
mod points;
mod seams;
mod weld;

use alloc::vec::Vec;

use glam::DVec3;

use crate::shape::Aabb;
use crate::sweep::Feature;

use adjacency::Adjacency;
use check::{check_corner, check_count, check_surface_ids, renumber, used_vertices};
use data::position;

pub use adjacency::EdgeClass;
pub(crate) use check::check_surfaces;
pub use data::{MeshData, Surface, Weld};
pub use error::MeshError;
pub use guess::{Unit, UpAxis};
pub use height_field::{HeightField, HeightFieldError, Heights};
pub use inspect::{Defects, Report, inspect};
pub use normals::FeatureNormals;

/// A checked and welded triangle mesh: the level, or a detailed prop.
///
/// Make it once with [`Mesh::new`] or [`Mesh::from_triangles`], and pass it to
/// [`Body::fixed`](crate::world::Body::fixed), which builds its tree. Several bodies may share one tree (an
/// `Arc` of a [`MeshTree`](crate::world::MeshTree)). A mesh is a surface, not a solid: for moving convex
/// props a [`ConvexHull`](crate::shape::ConvexHull) or a [`Compound`](crate::world::Compound) has an inside.
#[derive(Clone, Debug)]
pub struct Mesh {
    origin: DVec3,
    vertices: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    surfaces: Vec<Surface>,
    /// Empty if all are 0.
    surface_ids: Vec<u16>,
    adjacency: Adjacency,
    bounds: Option<Aabb>,
}

impl Mesh {
    /// Checks, welds and connects.
    ///
    /// Vertices that no triangle uses are checked and dropped. Of merged vertices, the first gives the
    /// position in the list. So a list without either stays as it is, except that −0 becomes 0.
    ///
    /// # Errors
    /// Numbers are not finite, indices are out of range, or a list has the wrong length. The error has name
    /// and index.
    pub fn new(data: MeshData) -> Result<Self, MeshError> {
        let MeshData { origin, vertices, mut triangles, mut surfaces, mut surface_ids, weld } = data;
        if surfaces.is_empty() {
            surfaces.push(Surface::default());
        }
        check_count(triangles.len())?;
        if !origin.is_finite() {
            return Err(MeshError::OriginNotFinite);
        }
        if let Some(vertex) = vertices.iter().position(|position| !position.iter().all(|x| x.is_finite())) {
            return Err(MeshError::VertexNotFinite { vertex });
        }
        let used = used_vertices(vertices.len(), &triangles)?;
        check_surfaces(&surfaces)?;
        check_surface_ids(&surface_ids, surfaces.len(), triangles.len())?;

        let leader = match weld {
            Weld::Exact => weld::exact(&vertices, &used),
            Weld::Tolerance(meters) if meters >= 0.0 && meters.is_finite() => {
                weld::within(&vertices, &used, meters)
            }
            Weld::Tolerance(meters) => return Err(MeshError::Tolerance(meters)),
        };
        let vertices = renumber(&vertices, &used, &leader, &mut triangles);
        if surface_ids.iter().all(|&id| id == 0) {
            surface_ids = Vec::new();
        }
        let one_sided = |triangle: u32| surface_of(&surfaces, &surface_ids, triangle).one_sided;
        let adjacency = Adjacency::new(&vertices, &triangles, one_sided);
        let bounds = bounds(&vertices);
        Ok(Self { origin, vertices, triangles, surfaces, surface_ids, adjacency, bounds })
    }

    /// The mesh of these lists: origin 0, one default surface, equal positions welded.
    ///
    /// # Errors
    /// Like [`Mesh::new`].
    pub fn from_triangles(vertices: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        Self::new(MeshData { vertices, triangles, ..MeshData::default() })
    }

    /// The same mesh stretched along its axes by `factors`, about the point from which its origin and its
    /// vertices are measured. A negative factor mirrors it and keeps front sides in front. Vertices are
    /// rounded to f32 once, and triangles keep their numbers.
    ///
    /// # Errors
    /// A factor is 0 or not finite, or a vertex leaves the range of f32.
    pub fn scaled(&self, factors: DVec3) -> Result<Self, MeshError> {
        if !factors.is_finite() || factors.to_array().contains(&0.0) {
            return Err(MeshError::Scale);
        }
        let is_mirrored = factors.to_array().iter().filter(|factor| **factor < 0.0).count() % 2 == 1;
        let stretched = |vertex: &[f32; 3]| (position(*vertex) * factors).as_vec3().to_array();
        let wound = |[a, b, c]: [u32; 3]| if is_mirrored { [a, c, b] } else { [a, b, c] };
        Self::new(MeshData {
            origin: self.origin * factors,
            vertices: self.vertices.iter().map(stretched).collect(),
            triangles: self.triangles.iter().copied().map(wound).collect(),
            surfaces: self.surfaces.clone(),
            surface_ids: self.surface_ids.clone(),
            weld: Weld::Exact,
        })
    }

    /// The point from which the vertices are measured, in meters.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// The welded positions about the origin, in meters.
    pub fn vertices(&self) -> &[[f32; 3]] {
        &self.vertices
    }

    /// Three indices into [`Mesh::vertices`] for each triangle, in the caller's order.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The number of triangles.
    pub fn triangle_count(&self) -> u32 {
        self.triangles.len() as u32
    }

    /// The corners of a triangle about the origin (the origin is not added), in meters; exactly the vertices.
    ///
    /// # Panics
    /// There is no such triangle.
    pub fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|vertex| position(self.vertices[vertex as usize]))
    }

    /// The box of all vertices about the origin; `None` if there are no triangles.
    pub fn bounds(&self) -> Option<Aabb> {
        self.bounds
    }

    /// The bytes that it uses on the heap, without its table of surfaces.
    pub fn memory(&self) -> usize {
        self.vertices.capacity() * size_of::<[f32; 3]>()
            + self.triangles.capacity() * size_of::<[u32; 3]>()
            + self.surface_ids.capacity() * size_of::<u16>()
            + self.adjacency.bytes()
    }

    /// The largest absolute coordinate about the origin, in meters; 0 if there are no triangles.
    pub fn largest_coordinate(&self) -> f64 {
        self.bounds.map_or(0.0, |bounds| bounds.min().abs().max(bounds.max().abs()).max_element())
    }

    /// The material of a triangle.
    ///
    /// # Panics
    /// There is no such triangle.
    pub fn surface(&self, triangle: u32) -> &Surface {
        assert!(triangle < self.triangle_count(), "no triangle {triangle}");
        surface_of(&self.surfaces, &self.surface_ids, triangle)
    }

    /// All surfaces; at least one.
    pub fn surfaces(&self) -> &[Surface] {
        &self.surfaces
    }

    /// The number of the surface of each triangle; empty: all have surface 0.
    pub fn surface_ids(&self) -> &[u16] {
        &self.surface_ids
    }

    /// Whether the corners are not on one line. Exact.
    ///
    /// # Panics
    /// There is no such triangle.
    pub fn has_area(&self, triangle: u32) -> bool {
        self.adjacency.has_area(triangle)
    }

    /// The unit normal on the side from which the corners run counterclockwise; `None` without area.
    ///
    /// # Panics
    /// There is no such triangle.
    pub fn normal(&self, triangle: u32) -> Option<DVec3> {
        if self.has_area(triangle) { normals::unit_normal(self.corners(triangle)) } else { None }
    }

    /// The one other triangle at edge `edge`, from corner `edge` to the next, in either winding. `None` if no
    /// other triangle has this edge or several have it, and for triangles without area.
    ///
    /// # Panics
    /// There is no such triangle, or the edge is above 2.
    pub fn neighbor(&self, triangle: u32, edge: u32) -> Option<u32> {
        check_corner(edge);
        self.adjacency.neighbor(&self.triangles, triangle, edge)
    }

    /// How edge `edge`, from corner `edge` to the next, looks from the triangle's front.
    ///
    /// # Panics
    /// There is no such triangle, or the edge is above 2.
    pub fn edge_class(&self, triangle: u32, edge: u32) -> EdgeClass {
        check_corner(edge);
        self.adjacency.class(&self.triangles, triangle, edge)
    }

    /// The active edges (not [`EdgeClass::Flat`]): bit `i` for edge `i`, from corner `i` to the next.
    ///
    /// # Panics
    /// There is no such triangle.
    pub fn active_edges(&self, triangle: u32) -> u8 {
        self.adjacency.active_edges(triangle)
    }

    /// The triangles with area that share a feature of a triangle, in ascending order. This includes the
    /// triangle itself, if it has area. An edge between two equal corners counts as that corner.
    ///
    /// # Panics
    /// There is no such triangle, or the edge or vertex is above 2.
    pub fn triangles_at(&self, triangle: u32, feature: Feature) -> impl Iterator<Item = u32> + Clone + '_ {
        let face = (feature == Feature::Face && self.has_area(triangle)).then_some(triangle);
        let [a, b] = self.shared_vertices(triangle, feature);
        let around = (feature != Feature::Face).then(|| self.adjacency.with_both(&self.triangles, a, b));
        face.into_iter().chain(around.into_iter().flatten())
    }

    /// The different unit normals of [`Mesh::triangles_at`]: the surfaces on which a mover at this feature
    /// stands. They are in ascending order of their values, whatever the order of the triangles.
    ///
    /// # Panics
    /// There is no such triangle, or the edge or vertex is above 2.
    pub fn feature_normals(&self, triangle: u32, feature: Feature) -> FeatureNormals {
        FeatureNormals::new(self.triangles_at(triangle, feature).filter_map(|triangle| self.normal(triangle)))
    }

    /// The normals of [`Self::feature_normals`] of an edge or a corner that face a contact from a direction.
    pub(crate) fn normals_in_sight(&self, triangle: u32, feature: Feature, from: DVec3) -> FeatureNormals {
        let shared = self.shared_vertices(triangle, feature);
        let shared = shared.map(|vertex| position(self.vertices[vertex as usize]));
        let triangles = self.triangles_at(triangle, feature).map(|triangle| self.corners(triangle));
        FeatureNormals::in_sight(triangles, shared, from)
    }

    /// The ends of an edge, a corner twice.
    fn shared_vertices(&self, triangle: u32, feature: Feature) -> [u32; 2] {
        let corners = self.triangles[triangle as usize];
        match feature {
            Feature::Face => [corners[0]; 2],
            Feature::Edge(edge) => edges::ends(corners, check_corner(edge)),
            Feature::Vertex(vertex) => [corners[check_corner(vertex) as usize]; 2],
        }
    }
}

fn surface_of<'a>(surfaces: &'a [Surface], ids: &[u16], triangle: u32) -> &'a Surface {
    &surfaces[ids.get(triangle as usize).map_or(0, |&id| usize::from(id))]
}

fn bounds(vertices: &[[f32; 3]]) -> Option<Aabb> {
    let mut positions = vertices.iter().map(|&vertex| position(vertex));
    let first = positions.next()?;
    let (min, max) = positions.fold((first, first), |(min, max), p| (min.min(p), max.max(p)));
    Aabb::new(min, max).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use check::MOST_TRIANGLES;

    fn one_triangle() -> MeshData {
        MeshData {
            vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            triangles: vec![[0, 1, 2]],
            ..MeshData::default()
        }
    }

    fn refusal(change: impl FnOnce(&mut MeshData)) -> MeshError {
        let mut data = one_triangle();
        change(&mut data);
        Mesh::new(data).unwrap_err()
    }

    #[test]
    fn what_is_no_mesh_is_refused_by_name_and_index() {
        let nan = f32::NAN;
        assert_eq!(refusal(|data| data.origin.y = f64::INFINITY), MeshError::OriginNotFinite);
        assert_eq!(refusal(|data| data.vertices[2][1] = nan), MeshError::VertexNotFinite { vertex: 2 });
        assert_eq!(refusal(|data| data.vertices.push([nan; 3])), MeshError::VertexNotFinite { vertex: 3 });
        assert_eq!(
            refusal(|data| data.triangles.push([2, 3, 4])),
            MeshError::IndexOutOfRange { triangle: 1, index: 3, vertices: 3 }
        );
        assert_eq!(
            refusal(|data| data.surface_ids = vec![0, 0]),
            MeshError::SurfaceIdCount { ids: 2, triangles: 1 }
        );
        assert_eq!(
            refusal(|data| data.surface_ids = vec![1]),
            MeshError::SurfaceOutOfRange { triangle: 0, surface: 1, surfaces: 1 }
        );
        let surface = |friction, restitution| {
            vec![Surface::default(), Surface { friction, restitution, ..Surface::default() }]
        };
        for friction in [-0.5, f64::NAN, f64::INFINITY] {
            assert_eq!(
                refusal(|data| data.surfaces = surface(Some(friction), 0.0)),
                MeshError::SurfaceNumber { surface: 1, what: "friction" }
            );
            assert_eq!(
                refusal(|data| data.surfaces = surface(None, friction)),
                MeshError::SurfaceNumber { surface: 1, what: "restitution" }
            );
        }
        assert_eq!(refusal(|data| data.weld = Weld::Tolerance(-1.0)), MeshError::Tolerance(-1.0));
        assert!(matches!(refusal(|data| data.weld = Weld::Tolerance(f64::NAN)), MeshError::Tolerance(_)));
    }

    #[test]
    fn more_triangles_than_corners_can_be_numbered_are_refused() {
        assert_eq!(check_count(MOST_TRIANGLES), Ok(()));
        let triangles = MOST_TRIANGLES + 1;
        assert_eq!(
            check_count(triangles),
            Err(MeshError::TooManyTriangles { triangles, most: MOST_TRIANGLES })
        );
    }

    #[test]
    fn nothing_is_a_mesh_too() {
        let mesh = Mesh::from_triangles(vec![[1.0; 3]], vec![]).unwrap();
        assert_eq!((mesh.triangle_count(), mesh.vertices().len()), (0, 0));
        assert_eq!((mesh.bounds(), mesh.largest_coordinate()), (None, 0.0));
        assert_eq!(mesh.surfaces(), [Surface::default()]);
    }

    #[test]
    fn triangles_keep_their_place_and_equal_vertices_become_the_first() {
        let mesh = Mesh::from_triangles(
            vec![[9.0; 3], [1.0, -0.0, 0.0], [0.0; 3], [1.0, 0.0, 0.0], [-0.0, 2.0, 0.0], [0.0, -3.0, 0.5]],
            vec![[2, 3, 4], [1, 2, 5], [3, 3, 1], [1, 2, 4]],
        )
        .unwrap();
        let vertices = [[1.0, 0.0, 0.0], [0.0; 3], [0.0, 2.0, 0.0], [0.0, -3.0, 0.5]];
        assert_eq!(mesh.vertices(), vertices);
        assert!(mesh.vertices().as_flattened().iter().all(|x| *x != 0.0 || x.is_sign_positive()));
        assert_eq!(mesh.triangles(), [[1, 0, 2], [0, 1, 3], [0, 0, 0], [0, 1, 2]]);
        assert_eq!(mesh.corners(1), [DVec3::X, DVec3::ZERO, DVec3::new(0.0, -3.0, 0.5)]);
        let bounds = mesh.bounds().unwrap();
        assert_eq!((bounds.min(), bounds.max()), (DVec3::new(0.0, -3.0, 0.0), DVec3::new(1.0, 2.0, 0.5)));
        assert_eq!(mesh.largest_coordinate(), 3.0);
    }

    #[test]
    fn welding_by_tolerance_closes_a_crack() {
        let data = |weld| MeshData {
            vertices: vec![
                [0.0; 3],
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [1.001, 0.0, 0.0],
                [0.0, 1.001, 0.0],
                [1.0; 3],
            ],
            triangles: vec![[0, 1, 2], [3, 5, 4]],
            weld,
            ..MeshData::default()
        };
        assert_eq!(Mesh::new(data(Weld::Exact)).unwrap().neighbor(0, 1), None);
        let welded = Mesh::new(data(Weld::Tolerance(0.01))).unwrap();
        assert_eq!(welded.neighbor(0, 1), Some(1));
        assert_eq!(welded.vertices(), [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0; 3]]);
    }

    #[test]
    fn a_large_mesh_takes_at_most_34_bytes_a_triangle() {
        let [side, per_row] = [100, 101];
        let vertices =
            (0..per_row * per_row).map(|i| [(i % per_row) as f32, (i / per_row) as f32, 0.0]).collect();
        let squares = (0..side).flat_map(|y| (0..side).map(move |x| y * per_row + x));
        let mut triangles: Vec<[u32; 3]> =
            squares.flat_map(|i| [[i, i + 1, i + per_row], [i + per_row, i + 1, i + per_row + 1]]).collect();
        triangles.shrink_to_fit();
        let count = triangles.len();
        let mesh = Mesh::from_triangles(vertices, triangles).unwrap();
        let bytes = mesh.memory();
        assert!((24 * count..=34 * count).contains(&bytes), "{bytes} for {count}");
    }

    #[test]
    fn surfaces_follow_their_triangles_and_the_origin_stays_apart() {
        let ice = Surface { friction: Some(0.0), restitution: 0.25, one_sided: true, tag: 7 };
        let mesh = Mesh::new(MeshData {
            origin: DVec3::new(1e7, 0.1, 0.0),
            triangles: vec![[0, 1, 2], [2, 1, 0]],
            surfaces: vec![Surface::default(), ice],
            surface_ids: vec![1, 0],
            ..one_triangle()
        })
        .unwrap();
        assert_eq!((mesh.surface(0), mesh.surface(1)), (&ice, &Surface::default()));
        assert_eq!(mesh.origin(), DVec3::new(1e7, 0.1, 0.0));
        assert_eq!(mesh.corners(0), [DVec3::ZERO, DVec3::X, DVec3::Y]);
        assert_eq!((mesh.normal(0), mesh.normal(1)), (Some(DVec3::Z), Some(-DVec3::Z)));
    }
}
