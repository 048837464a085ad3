//! What a body is made of: a mesh, a set of polygons or curved patches, or a solid.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::mesh::{HeightField, Mesh};
use crate::shape::{
    BezierPatch, Capsule, Cone, ConvexHull, ConvexPolygon, Cuboid, Cylinder, Ellipsoid, PatchNet, Sphere,
};
use crate::world::surface::half_space::HalfSpace;
use crate::world::surface::hull_tree::HullTree;
use crate::world::surface::mesh_tree::MeshTree;
use crate::world::surface::patch_tree::PatchTree;
use crate::world::surface::polygon_tree::PolygonTree;

/// What a body is made of.
#[derive(Clone, Debug)]
pub enum Collider {
    /// Triangles. Their surfaces are the mesh's own.
    Mesh(Arc<MeshTree>),
    /// Convex plates.
    Polygons(Arc<PolygonTree>),
    /// Curved patches.
    Patches(Arc<PatchTree>),
    /// A solid with flat faces.
    Hull(Arc<HullTree>),
    /// Terrain.
    HeightField(Arc<HeightField>),
    /// All that is behind a plane.
    HalfSpace(HalfSpace),
    /// A solid ball.
    Sphere(Sphere),
    /// A solid ellipsoid.
    Ellipsoid(Ellipsoid),
    /// A solid capsule.
    Capsule(Capsule),
    /// A solid box.
    Cuboid(Cuboid),
    /// A solid cylinder: met by movers, moved by none.
    Cylinder(Cylinder),
    /// A solid cone: met by movers, moved by none.
    Cone(Cone),
}

impl Collider {
    /// Whether it is made of sheets, which have no inside of their own.
    pub(in crate::world) fn is_surfaces(&self) -> bool {
        matches!(self, Self::Mesh(_) | Self::Polygons(_) | Self::Patches(_))
    }
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
collider_from!(Sphere, Ellipsoid, Capsule, Cuboid, Cylinder, Cone);

impl From<Mesh> for Collider {
    fn from(mesh: Mesh) -> Self {
        Self::Mesh(Arc::new(MeshTree::new(mesh)))
    }
}

impl From<MeshTree> for Collider {
    fn from(mesh: MeshTree) -> Self {
        Self::Mesh(Arc::new(mesh))
    }
}

impl From<Arc<MeshTree>> for Collider {
    fn from(mesh: Arc<MeshTree>) -> Self {
        Self::Mesh(mesh)
    }
}

impl From<ConvexHull> for Collider {
    fn from(hull: ConvexHull) -> Self {
        Self::Hull(Arc::new(HullTree::new(hull)))
    }
}

impl From<Arc<HullTree>> for Collider {
    fn from(hull: Arc<HullTree>) -> Self {
        Self::Hull(hull)
    }
}

impl From<HeightField> for Collider {
    fn from(field: HeightField) -> Self {
        Self::HeightField(Arc::new(field))
    }
}

impl From<Arc<HeightField>> for Collider {
    fn from(field: Arc<HeightField>) -> Self {
        Self::HeightField(field)
    }
}

impl From<HalfSpace> for Collider {
    fn from(half_space: HalfSpace) -> Self {
        Self::HalfSpace(half_space)
    }
}

impl From<Vec<ConvexPolygon>> for Collider {
    fn from(polygons: Vec<ConvexPolygon>) -> Self {
        Self::Polygons(Arc::new(PolygonTree::new(polygons)))
    }
}

impl From<Vec<BezierPatch>> for Collider {
    fn from(patches: Vec<BezierPatch>) -> Self {
        Self::Patches(Arc::new(PatchTree::new(patches)))
    }
}

impl From<BezierPatch> for Collider {
    fn from(patch: BezierPatch) -> Self {
        alloc::vec![patch].into()
    }
}

impl From<PatchNet> for Collider {
    fn from(net: PatchNet) -> Self {
        Self::Patches(Arc::new(net.into()))
    }
}

impl From<Arc<PatchTree>> for Collider {
    fn from(patches: Arc<PatchTree>) -> Self {
        Self::Patches(patches)
    }
}
