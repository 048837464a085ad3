//! parry3d in single precision.
//!
//! Casts: `cast_shapes` with default options but for the end of the path, so target distance 0: it stops at
//! the surface, as Carom does. Rays: `cast_local_ray`, not solid. Meshes: `intersection_test` of two
//! `TriMesh`es, and the path that parry's own mesh intersection takes, `leaf_pairs` of the two trees and GJK
//! of the triangles.

use std::hint::black_box;

use carom_scenes::workload::{BlobPose, CAST_RADIUS};
use carom_scenes::{SceneMesh, SphereCast};
use glam::DVec3;
use parry3d::bounding_volume::BoundingVolume;
use parry3d::math::{Pose, Rotation, Vector};
use parry3d::partitioning::BvhNode;
use parry3d::query::details::intersection_test_support_map_support_map;
use parry3d::query::{Ray, RayCast, ShapeCastOptions, cast_shapes, intersection_test};
use parry3d::shape::{Ball, Capsule, Shape, TriMesh};

use super::{Batch, Builder, CAPSULE_HALF_HEIGHT, CastShape, Caster, FREE, Pair, single};
use crate::memory;
use crate::rounds::timed;

const ENGINE: &str = "parry3d 0.31";

pub(super) fn vector(v: DVec3) -> Vector {
    Vector::from(single(v))
}

fn mesh_of(mesh: &SceneMesh) -> TriMesh {
    let vertices = mesh.vertices.iter().map(|&v| Vector::from(v)).collect();
    TriMesh::new(vertices, mesh.triangles.clone()).expect("generated meshes have triangles")
}

/// A mesh with its tree.
pub struct Level(TriMesh);

impl Level {
    pub fn new(mesh: &SceneMesh) -> Self {
        Self(mesh_of(mesh))
    }
}

impl Caster for Level {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn batch<'a>(&'a self, shape: CastShape, casts: &[SphereCast]) -> Option<Batch<'a>> {
        let paths: Vec<(Vector, Vector)> =
            casts.iter().map(|cast| (vector(cast.from), vector(cast.translation))).collect();
        let shape: Box<dyn Shape> = match shape {
            CastShape::Sphere => Box::new(Ball::new(CAST_RADIUS as f32)),
            CastShape::Capsule => Box::new(Capsule::new_y(CAPSULE_HALF_HEIGHT as f32, CAST_RADIUS as f32)),
            CastShape::Ray => {
                return Some(Box::new(move |fractions| {
                    for (&(from, path), fraction) in paths.iter().zip(fractions) {
                        let hit = self.0.cast_local_ray(&black_box(Ray::new(from, path)), 1.0, false);
                        *fraction = hit.map_or(FREE, f64::from);
                    }
                }));
            }
        };
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let rest = Pose::from_translation(Vector::ZERO);
        Some(Box::new(move |fractions| {
            for (&(from, path), fraction) in paths.iter().zip(fractions) {
                let at = Pose::from_translation(black_box(from));
                let hit = cast_shapes(&at, path, &*shape, &rest, Vector::ZERO, &self.0, options);
                *fraction =
                    hit.expect("these shapes are supported").map_or(FREE, |hit| hit.time_of_impact.into());
            }
        }))
    }
}

fn pose_of(pose: &BlobPose) -> Pose {
    let [x, y, z, w] = pose.rotation.to_array().map(|part| part as f32);
    Pose::from_parts(vector(pose.translation), Rotation::from_xyzw(x, y, z, w))
}

/// Two meshes, asked as whole shapes.
pub struct Meshes([TriMesh; 2]);

impl Meshes {
    pub fn new(meshes: [&SceneMesh; 2]) -> Self {
        Self(meshes.map(mesh_of))
    }
}

impl Pair for Meshes {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn setup(&self) -> &'static str {
        "intersection_test"
    }

    fn overlaps(&self, poses: &[BlobPose]) -> Vec<bool> {
        let [first, second] = &self.0;
        let rest = Pose::from_translation(Vector::ZERO);
        poses
            .iter()
            .map(|pose| {
                intersection_test(&rest, first, &pose_of(pose), second)
                    .expect("two meshes are supported")
                    .intersecting
            })
            .collect()
    }

    fn pairs(&self, _: &[BlobPose]) -> Option<Vec<usize>> {
        None
    }
}

/// Two meshes, both trees walked together.
pub struct LeafPairs([TriMesh; 2]);

impl LeafPairs {
    pub fn new(meshes: [&SceneMesh; 2]) -> Self {
        Self(meshes.map(mesh_of))
    }

    fn count(&self, pose: &BlobPose, most: usize) -> usize {
        let [first, second] = &self.0;
        let pose = pose_of(pose);
        let meet = |a: &BvhNode, b: &BvhNode| a.aabb().intersects(&b.aabb().transform_by(&pose));
        first
            .bvh()
            .leaf_pairs(second.bvh(), meet)
            .filter(|&(a, b)| {
                let (a, b) = (first.triangle(a), second.triangle(b));
                intersection_test_support_map_support_map(&pose, &a, &b)
            })
            .take(most)
            .count()
    }
}

impl Pair for LeafPairs {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn setup(&self) -> &'static str {
        "leaf pairs"
    }

    fn overlaps(&self, poses: &[BlobPose]) -> Vec<bool> {
        poses.iter().map(|pose| self.count(pose, 1) > 0).collect()
    }

    fn pairs(&self, poses: &[BlobPose]) -> Option<Vec<usize>> {
        Some(poses.iter().map(|pose| self.count(pose, usize::MAX)).collect())
    }
}

pub fn builders() -> [Builder; 1] {
    [Builder {
        engine: ENGINE,
        setup: "TriMesh",
        time: |mesh| {
            let vertices: Vec<Vector> = mesh.vertices.iter().map(|&v| Vector::from(v)).collect();
            let triangles = mesh.triangles.clone();
            timed(|| TriMesh::new(vertices, triangles))
        },
        weigh: |mesh| memory::kept(|| mesh_of(mesh)),
    }]
}
