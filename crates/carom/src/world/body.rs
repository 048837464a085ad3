//! What stands in a world: meshes and solids, each with a pose, a surface and layers.

use alloc::sync::Arc;
use alloc::vec::Vec;

use glam::DVec3;

use super::index::Place;
use super::pose::Frame;
use super::{Layers, Pose};
use crate::mesh::{Mesh, Surface};
use crate::shape::{Aabb, Capsule, ConvexPolygon, Cuboid, Ellipsoid, Sphere};
use crate::tree::{PackedAabb, Settings, Tree};

/// A mesh and the tree over its triangles, built once and shared by every body that is made of it.
#[derive(Clone, Debug)]
pub struct MeshTree {
    mesh: Mesh,
    tree: Tree<PackedAabb>,
}

impl MeshTree {
    /// Builds the tree; on all cores with the feature `parallel`, the same to the bit.
    pub fn new(mesh: Mesh) -> Self {
        let bounds = |triangle: u32| {
            let [a, b, c] =
                mesh.triangles()[triangle as usize].map(|i| glam::Vec3::from(mesh.vertices()[i as usize]));
            PackedAabb::new(a.min(b).min(c), a.max(b).max(c))
                .expect("a mesh has finite vertices, and min is below max")
        };
        let tree = Tree::build(mesh.triangle_count(), bounds, &Settings::default());
        Self { mesh, tree }
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The tree over its triangles.
    pub fn tree(&self) -> &Tree<PackedAabb> {
        &self.tree
    }
}

/// A set of convex polygons and the tree over them. They are plates, not a solid: a mover inside a closed set is free.
#[derive(Clone, Debug)]
pub struct PolygonTree {
    polygons: Vec<ConvexPolygon>,
    tree: Tree<Aabb>,
    largest: f64,
}

impl PolygonTree {
    /// Builds the tree.
    pub fn new(polygons: Vec<ConvexPolygon>) -> Self {
        let bounds = |polygon: u32| polygons[polygon as usize].bounds();
        let tree = Tree::build(polygons.len() as u32, bounds, &Settings::default());
        let largest =
            tree.bounds().map_or(0.0, |bounds| bounds.min().abs().max(bounds.max().abs()).max_element());
        Self { polygons, tree, largest }
    }

    /// The polygons.
    pub fn polygons(&self) -> &[ConvexPolygon] {
        &self.polygons
    }

    /// The largest absolute coordinate, in metres; 0 if there are no polygons.
    pub fn largest_coordinate(&self) -> f64 {
        self.largest
    }

    /// The tree over them.
    pub fn tree(&self) -> &Tree<Aabb> {
        &self.tree
    }
}

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

/// One thing in a world.
#[derive(Clone, Debug)]
pub struct Body {
    pub(crate) collider: Collider,
    pub(crate) pose: Pose,
    pub(crate) surface: Surface,
    pub(crate) layers: Layers,
}

impl Body {
    /// A body that stays where it is: at the origin until [`Body::at`] says otherwise.
    pub fn fixed(collider: impl Into<Collider>) -> Self {
        Self {
            collider: collider.into(),
            pose: Pose::IDENTITY,
            surface: Surface::default(),
            layers: Layers::SOLID,
        }
    }

    /// The same body elsewhere.
    #[must_use]
    pub fn at(self, pose: Pose) -> Self {
        Self { pose, ..self }
    }

    /// The same body on other layers.
    #[must_use]
    pub fn on(self, layers: Layers) -> Self {
        Self { layers, ..self }
    }

    /// The same body of another material. A mesh has its own per triangle and keeps it.
    #[must_use]
    pub fn with_surface(self, surface: Surface) -> Self {
        Self { surface, ..self }
    }

    /// What it is made of.
    pub fn collider(&self) -> &Collider {
        &self.collider
    }

    /// Where it is.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Which layers it is on.
    pub fn layers(&self) -> Layers {
        self.layers
    }

    /// The material of a part: of a triangle of a mesh, else of the whole body.
    pub fn surface(&self, part: u32) -> &Surface {
        match &self.collider {
            Collider::Mesh(mesh) if part < mesh.mesh().triangle_count() => mesh.mesh().surface(part),
            _ => &self.surface,
        }
    }

    /// Where it is, for the index.
    pub(crate) fn place(&self) -> Place {
        self.bounds().map_or(Place::Anywhere, Place::Within)
    }

    /// A box that it lies in, in the world, in metres; none where that leaves the range of f64.
    pub fn bounds(&self) -> Option<Aabb> {
        let own = match &self.collider {
            Collider::Mesh(mesh) => mesh.mesh().bounds(),
            Collider::Polygons(set) => set.tree().bounds(),
            solid => {
                let center = self.pose.position();
                let bounds = super::solid::placed(solid, &self.pose)?.bounds();
                return Aabb::new(bounds.min() + center, bounds.max() + center).ok();
            }
        };
        // Nothing to be met is a point at the body's place.
        let Some(own) = own else { return Aabb::new(self.pose.position(), self.pose.position()).ok() };
        let frame = self.frame();
        Aabb::enclosing(own.corners().map(|corner| frame.point_to_world(corner)))
    }

    /// The frame of what it is made of.
    pub(crate) fn frame(&self) -> Frame {
        let origin = match &self.collider {
            Collider::Mesh(mesh) => mesh.mesh().origin(),
            _ => DVec3::ZERO,
        };
        Frame::new(&self.pose, origin)
    }
}
