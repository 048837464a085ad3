//! What a body is made of: a mesh, a set of polygons, or a solid.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::mesh::Mesh;
use crate::shape::{Capsule, ConvexPolygon, Cuboid, Ellipsoid, Sphere};
use crate::world::surface::mesh_tree::MeshTree;
use crate::world::surface::polygon_tree::PolygonTree;

/// What a body is made of.
#[derive(Clone, Debug)]
pub enum Collider {
    /// Triangles. Their surfaces are the mesh's own.
    Mesh(Arc<MeshTree>),
    /// Convex plates.
    Polygons(Arc<PolygonTree>),
    /// A solid ball.
    Sphere(Sphere),
    /// A solid ellipsoid.
    Ellipsoid(Ellipsoid),
    /// A solid capsule.
    Capsule(Capsule),
    /// A solid box.
    Cuboid(Cuboid),
}

macro_rules! collider_from {
    ($($shape:ident),*) => {$(
        impl From<$shape> for Collider {
            fn from(shape: $shape) -> Self {
                Self::$shape(shape)
            }
        }
    )*};
}
collider_from!(Sphere, Ellipsoid, Capsule, Cuboid);

impl From<Mesh> for Collider {
    fn from(mesh: Mesh) -> Self {
        Self::Mesh(Arc::new(MeshTree::new(mesh)))
    }
}

impl From<Arc<MeshTree>> for Collider {
    fn from(mesh: Arc<MeshTree>) -> Self {
        Self::Mesh(mesh)
    }
}

impl From<Vec<ConvexPolygon>> for Collider {
    fn from(polygons: Vec<ConvexPolygon>) -> Self {
        Self::Polygons(Arc::new(PolygonTree::new(polygons)))
    }
}
