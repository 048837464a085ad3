//! The crate bvh. Its rays have no end, so that its iterator which yields triangles by the distance of their
//! boxes is what serves a cast best: it is left at the first box beyond the nearest hit, or beyond the end of
//! the path.

use std::hint::black_box;

use bvh::aabb::{Aabb, Bounded};
use bvh::bounding_hierarchy::BHShape;
use bvh::bvh::Bvh;
use bvh::ray::Ray;
use carom_scenes::{SceneMesh, SphereCast};
use nalgebra::{Point3, Vector3};

use super::{Batch, Builder, CastShape, Caster, FREE, single};
use crate::memory;
use crate::rounds::timed;

const ENGINE: &str = "bvh 0.13";

/// The crate keeps in each shape which node it is in.
struct Triangle {
    corners: [Point3<f32>; 3],
    node: usize,
}

impl Bounded<f32, 3> for Triangle {
    fn aabb(&self) -> Aabb<f32, 3> {
        let [a, b, c] = &self.corners;
        Aabb::with_bounds(*a, *a).grow(b).grow(c)
    }
}

impl BHShape<f32, 3> for Triangle {
    fn set_bh_node_index(&mut self, index: usize) {
        self.node = index;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

fn triangles_of(mesh: &SceneMesh) -> Vec<Triangle> {
    let corner = |i: u32| Point3::from(mesh.vertices[i as usize]);
    mesh.triangles.iter().map(|triangle| Triangle { corners: triangle.map(corner), node: 0 }).collect()
}

/// The tree and the triangles that it was built over.
pub struct Level {
    tree: Bvh<f32, 3>,
    triangles: Vec<Triangle>,
}

impl Level {
    pub fn new(mesh: &SceneMesh) -> Self {
        let mut triangles = triangles_of(mesh);
        let tree = Bvh::build(&mut triangles);
        Self { tree, triangles }
    }
}

impl Caster for Level {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn batch<'a>(&'a self, shape: CastShape, casts: &[SphereCast]) -> Option<Batch<'a>> {
        if shape != CastShape::Ray {
            return None;
        }
        // The crate gives rays a direction of length one, and distances along it.
        let rays: Vec<(Ray<f32, 3>, f32)> = casts
            .iter()
            .map(|cast| {
                let path = Vector3::from(single(cast.translation));
                (Ray::new(Point3::from(single(cast.from)), path), path.norm())
            })
            .collect();
        Some(Box::new(move |fractions| {
            for ((ray, length), fraction) in rays.iter().zip(fractions) {
                let mut nearest = f32::INFINITY;
                for triangle in self.tree.nearest_traverse_iterator(black_box(ray), &self.triangles) {
                    let entry =
                        ray.intersection_slice_for_aabb(&triangle.aabb()).map_or(0.0, |(entry, _)| entry);
                    if entry > nearest.min(*length) {
                        break;
                    }
                    let [a, b, c] = &triangle.corners;
                    // Its own test sees triangles from the front only: so both orders of the corners.
                    let front = ray.intersects_triangle(a, b, c).distance;
                    let back = ray.intersects_triangle(a, c, b).distance;
                    nearest = nearest.min(front).min(back);
                }
                *fraction = if nearest <= *length { f64::from(nearest / length) } else { FREE };
            }
        }))
    }
}

pub fn builders() -> [Builder; 1] {
    [Builder {
        engine: ENGINE,
        setup: "Bvh",
        time: |mesh| {
            let mut triangles = triangles_of(mesh);
            timed(|| Bvh::build(&mut triangles))
        },
        weigh: |mesh| memory::kept(|| Level::new(mesh)),
    }]
}
