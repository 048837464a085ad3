//! Which triangles of two meshes share a point.

use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use glam::DVec3;

use super::{Between, MeshVolume, TriangleTree};
use crate::num::bound::reach;
use crate::shape::triangles_meet;
use crate::tree::Obb;
use crate::world::Pose;

/// Two meshes, each at a pose.
///
/// ```
/// use carom::mesh_pair::{MeshPair, TriangleTree};
/// use carom::{Mesh, Pose, glam::dvec3};
/// let floor = Mesh::from_triangles(vec![[-9.0, 0.0, -9.0], [0.0, 0.0, 9.0], [9.0, 0.0, -9.0]], vec![[0, 1, 2]])?;
/// let thorn = Mesh::from_triangles(vec![[0.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]], vec![[0, 1, 2]])?;
/// let (floor, thorn) = (TriangleTree::new(floor), TriangleTree::new(thorn));
/// let held_at = |y| MeshPair::new(&floor, Pose::IDENTITY, &thorn, Pose::at(dvec3(0.0, y, 0.0)).unwrap());
/// assert_eq!(held_at(1.0).pairs(), [[0, 0]]);
/// assert!(!held_at(1.0 + 1e-12).overlaps());
/// assert!((held_at(1.5).distance(f64::INFINITY).unwrap().distance - 0.5).abs() < 1e-12);
/// # Ok::<(), carom::mesh::MeshError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MeshPair<'a, V = Obb> {
    pub(super) first: &'a TriangleTree<V>,
    pub(super) second: &'a TriangleTree<V>,
    pub(super) poses: [Pose; 2],
    pub(super) between: Between,
}

/// The cost of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Pairs of volumes that were compared.
    pub volume_tests: u64,
    /// Pairs of triangles that were compared.
    pub triangle_tests: u64,
}

impl<'a, V: MeshVolume> MeshPair<'a, V> {
    /// Two meshes in their poses.
    pub fn new(
        first: &'a TriangleTree<V>,
        first_pose: Pose,
        second: &'a TriangleTree<V>,
        second_pose: Pose,
    ) -> Self {
        let poses = [first_pose, second_pose];
        let meshes = [first.mesh(), second.mesh()];
        let between = Between::new(
            [&poses[0], &poses[1]],
            meshes.map(crate::Mesh::origin),
            meshes.map(|mesh| reach(DVec3::splat(mesh.largest_coordinate()))),
        );
        Self { first, second, poses, between }
    }

    /// Whether any two triangles share a point.
    pub fn overlaps(&self) -> bool {
        self.first_pair().is_some()
    }

    /// A pair of triangles that share a point, the first mesh's first: the one that the walk finds first. The
    /// same each time, but which it is depends on the trees.
    pub fn first_pair(&self) -> Option<[u32; 2]> {
        match self.visit(&mut Counters::default(), ControlFlow::Break) {
            ControlFlow::Break(pair) => Some(pair),
            ControlFlow::Continue(()) => None,
        }
    }

    /// All pairs of triangles that share a point, the first mesh's first, in ascending order.
    pub fn pairs(&self) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        let _ = self.visit(&mut Counters::default(), |pair| {
            pairs.push(pair);
            ControlFlow::<()>::Continue(())
        });
        pairs.sort_unstable();
        pairs
    }

    /// Visits the pairs of triangles that share a point until the visitor breaks off; always in the same
    /// order, which depends on the trees. The cost is added to the counters.
    #[inline]
    pub fn visit<B>(
        &self,
        counters: &mut Counters,
        mut visit: impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Counters { mut volume_tests, mut triangle_tests } = *counters;
        let flow = self.first.tree().leaf_pairs(
            self.second.tree(),
            self.factor(),
            |first, second| {
                volume_tests += 1;
                first.may_meet(second, &self.between)
            },
            |first, second| self.visit_leaves(first, second, &mut triangle_tests, &mut visit),
        );
        *counters = Counters { volume_tests, triangle_tests };
        flow
    }

    /// The size of one of the second's square meters, in the first's.
    pub(super) fn factor(&self) -> f32 {
        let factor = (self.between.scale * self.between.scale) as f32;
        if factor > 0.0 { factor } else { f32::MIN_POSITIVE }
    }

    /// The pairs of two leaves.
    #[inline(always)]
    pub(super) fn visit_leaves<B>(
        &self,
        first: Range<u32>,
        second: Range<u32>,
        triangle_tests: &mut u64,
        visit: &mut impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for b in second {
            let other = self.second_at(b);
            for a in first.clone() {
                *triangle_tests += 1;
                if triangles_meet(&self.first.corners_at(a), &other) {
                    visit([self.first.triangle_at(a), self.second.triangle_at(b)])?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The triangle at a place in the order of the second tree, in the frame of the first.
    #[inline(always)]
    pub(super) fn second_at(&self, place: u32) -> [DVec3; 3] {
        self.second.corners_at(place).map(|corner| self.between.place(corner))
    }

    /// A place in the frame of the first, in the world.
    pub(super) fn place_in_world(&self, p: DVec3) -> DVec3 {
        let pose = &self.poses[0];
        if *pose == Pose::IDENTITY && self.first.mesh().origin() == DVec3::ZERO {
            return p;
        }
        pose.position() + pose.rotation() * ((p + self.first.mesh().origin()) * pose.scale())
    }

    /// A direction of the world in the frame of the first, not scaled.
    pub(super) fn direction_in_first(&self, v: DVec3) -> DVec3 {
        if *self.poses[0].rotation().as_ref() == *glam::DQuat::IDENTITY.as_ref() {
            return v;
        }
        self.poses[0].rotation().conjugate() * v
    }
}
