//! A mesh and the bounding volumes over its triangles.

use alloc::vec::Vec;

use glam::{DVec3, Vec3};

use super::MeshVolume;
use crate::mesh::Mesh;
use crate::tree::{Obb, PackedAabb, Settings, Tree};

/// Leaves of two: the test of a pair of triangles costs little more than that of two boxes.
const SETTINGS: Settings = Settings { max_leaf_items: 2, ..Settings::DEFAULT };

/// A mesh prepared for comparison with another; built once, for any pose.
#[derive(Clone, Debug)]
pub struct TriangleTree<V = Obb> {
    mesh: Mesh,
    tree: Tree<V>,
    /// The corners of the triangles in the order of the tree: neighbors in space are neighbors in memory.
    corners: Vec<[[f32; 3]; 3]>,
    /// A hash of the corners and of the shape of the tree.
    mark: u64,
}

impl TriangleTree<Obb> {
    /// The mesh under oriented boxes. With the feature `parallel` they are fitted on all cores; the same to
    /// the bit.
    pub fn new(mesh: Mesh) -> Self {
        Self::of(mesh, &SETTINGS)
    }
}

impl<V: MeshVolume> TriangleTree<V> {
    /// The mesh under volumes of any kind, by rules of your own.
    pub fn of(mesh: Mesh, settings: &Settings) -> Self {
        Self::fitted(mesh, settings, V::around_triangles)
    }

    /// The same, fitted by a function of your own: it gets the triangles of a node, at least one, and its
    /// volume must hold them all.
    pub fn fitted(mesh: Mesh, settings: &Settings, fit: impl Fn(&[[Vec3; 3]]) -> V + Sync) -> Self {
        let corners =
            |triangle: u32| mesh.triangles()[triangle as usize].map(|i| mesh.vertices()[i as usize]);
        let bounds = |triangle: u32| {
            let [a, b, c] = corners(triangle).map(Vec3::from);
            PackedAabb::new(a.min(b).min(c), a.max(b).max(c))
                .expect("a mesh has finite vertices, and min is below max")
        };
        let fit = |items: &[u32]| {
            let triangles: Vec<[Vec3; 3]> = items.iter().map(|&item| corners(item).map(Vec3::from)).collect();
            fit(&triangles)
        };
        let tree = Tree::build_fitted(mesh.triangle_count(), bounds, fit, settings);
        let corners: Vec<_> = tree.order().iter().map(|&triangle| corners(triangle)).collect();
        // FNV-1a, by words.
        let hash = |hash: u64, word: u32| (hash ^ u64::from(word)).wrapping_mul(0x100_0000_01b3);
        let mark = corners
            .as_flattened()
            .as_flattened()
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |mark, x| hash(mark, x.to_bits()));
        let mark = tree.links().fold(mark, hash);
        Self { mesh, tree, corners, mark }
    }

    /// A number that is the same for the same triangles in the same tree.
    pub(super) fn mark(&self) -> u64 {
        self.mark
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The tree over its triangles.
    pub fn tree(&self) -> &Tree<V> {
        &self.tree
    }

    /// The bytes that the tree and the triangles in its order use on the heap, besides the mesh.
    pub fn memory(&self) -> usize {
        self.tree.memory() + self.corners.capacity() * size_of::<[[f32; 3]; 3]>()
    }

    /// The corners of the triangle at a place in the order of the tree.
    #[inline(always)]
    pub(super) fn corners_at(&self, place: u32) -> [DVec3; 3] {
        self.corners[place as usize].map(|corner| Vec3::from(corner).as_dvec3())
    }

    /// The number of that triangle.
    pub(super) fn triangle_at(&self, place: u32) -> u32 {
        self.tree.order()[place as usize]
    }
}
