//! The collider of a body: a mesh, a set of polygons or curved patches, a solid, or several of these.

use alloc::sync::Arc;
use alloc::vec::Vec;

use glam::DVec3;

use crate::mesh::{HeightField, Mesh, Surface};
use crate::shape::{
    BezierPatch, Capsule, Cone, ConvexHull, ConvexPolygon, Cuboid, Cylinder, Ellipsoid, PatchNet, Sphere,
};
use crate::world::Pose;
use crate::world::surface::half_space::HalfSpace;
use crate::world::surface::hull_tree::HullTree;
use crate::world::surface::mesh_tree::MeshTree;
use crate::world::surface::part_set::PartSet;
use crate::world::surface::patch_tree::PatchTree;
use crate::world::surface::polygon_tree::PolygonTree;

/// The shape of a body.
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
    /// Everything behind a plane.
    HalfSpace(HalfSpace),
    /// A solid ball.
    Sphere(Sphere),
    /// A solid ellipsoid.
    Ellipsoid(Ellipsoid),
    /// A solid capsule.
    Capsule(Capsule),
    /// A solid box.
    Cuboid(Cuboid),
    /// A solid cylinder. Movers hit it, but it cannot be a mover.
    Cylinder(Cylinder),
    /// A solid cone. Movers hit it, but it cannot be a mover.
    Cone(Cone),
    /// Several of these, each at its own pose.
    Compound(Arc<Compound>),
}

/// A piece of a [`Compound`]: a collider, its pose in the body, and its material.
#[derive(Clone, Debug)]
pub struct CompoundPiece {
    pub(super) collider: Collider,
    pub(super) pose: Pose,
    pub(super) surface: Option<Surface>,
}

/// Several colliders that form one body: a table, a dumbbell, a car.
///
/// Its parts are those of its pieces, numbered on from piece to piece: [`Compound::piece`] tells which piece
/// a part belongs to. A compound moves like any body, but cannot be pushed.
///
/// ```
/// use carom::world::{Compound, CompoundPiece};
/// use carom::{Body, Cuboid, Sphere, World, glam::dvec3};
/// let bar = CompoundPiece::new(Cuboid::new(dvec3(2.0, 0.1, 0.1))?);
/// let ends = [-2.0, 2.0].map(|x| Ok(CompoundPiece::new(Sphere::new(0.5)?).at(dvec3(x, 0.0, 0.0))));
/// let [left, right] = ends.map(|end: Result<_, carom::shape::ShapeError>| end);
/// let dumbbell = Compound::new(vec![bar, left?, right?])?;
/// let mut world = World::new();
/// let dumbbell = world.add(Body::kinematic(dumbbell).at(dvec3(0.0, 3.0, 0.0)));
/// let hit = world.raycast(dvec3(2.0, 9.0, 0.0), dvec3(0.0, -10.0, 0.0))?.unwrap();
/// assert_eq!((hit.body, hit.part), (dumbbell, 2));
/// assert!((hit.fraction - 0.55).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Compound {
    pub(super) pieces: Vec<Piece>,
    pub(super) parts: u32,
    /// The lengths in the rounding bounds, of the piece with the largest.
    pub(super) lengths: f64,
}

/// A piece, prepared for queries.
#[derive(Clone, Debug)]
pub(in crate::world) struct Piece {
    pub(in crate::world) collider: Collider,
    /// In the frame of the compound.
    pub(in crate::world) pose: Pose,
    /// If it differs from that of the body.
    pub(super) surface: Option<Surface>,
    /// The number of its first part.
    pub(in crate::world) first: u32,
    /// A ball around it, in the frame of the compound; of infinite radius for an unbounded piece.
    pub(super) center: DVec3,
    pub(super) radius: f64,
}

impl Collider {
    /// Whether it is made of sheets, which have no inside.
    pub(in crate::world) fn is_surfaces(&self) -> bool {
        matches!(self, Self::Mesh(_) | Self::Polygons(_) | Self::Patches(_))
    }

    /// Whether it is one solid with an inside. A height field has none.
    pub(crate) fn is_solid(&self) -> bool {
        !self.is_surfaces() && !matches!(self, Self::HeightField(_) | Self::Compound(_))
    }

    /// Its parts, if it is a set of polygons or patches.
    pub(in crate::world) fn part_set(&self) -> Option<&dyn PartSet> {
        match self {
            Self::Polygons(set) => Some(set.as_parts()),
            Self::Patches(set) => Some(set.as_parts()),
            _ => None,
        }
    }

    /// The material of a part, if it has its own, as a triangle may.
    pub(in crate::world) fn own_surface(&self, part: u32) -> Option<&Surface> {
        match self {
            Self::Mesh(mesh) if part < mesh.mesh().triangle_count() => Some(mesh.mesh().surface(part)),
            Self::HeightField(field) => Some(field.surface(part)),
            Self::Compound(compound) => compound.surface(part),
            _ => None,
        }
    }

    /// How many parts it has: triangles, polygons, cells; one of a solid.
    pub(in crate::world) fn part_count(&self) -> u32 {
        match self {
            Self::Mesh(mesh) => mesh.mesh().triangle_count(),
            Self::Polygons(set) => set.polygons().len() as u32,
            Self::Patches(set) => set.cell_count(),
            Self::Hull(hull) => hull.boundary().mesh().triangle_count(),
            Self::HeightField(field) => field.triangle_count(),
            Self::Compound(compound) => compound.part_count(),
            Self::HalfSpace(_)
            | Self::Sphere(_)
            | Self::Ellipsoid(_)
            | Self::Capsule(_)
            | Self::Cuboid(_)
            | Self::Cylinder(_)
            | Self::Cone(_) => 1,
        }
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

impl From<Compound> for Collider {
    fn from(compound: Compound) -> Self {
        Self::Compound(Arc::new(compound))
    }
}

impl From<Arc<Compound>> for Collider {
    fn from(compound: Arc<Compound>) -> Self {
        Self::Compound(compound)
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
