//! obvhs: the trees of a ray tracer, the compressed one with eight children and the binary one. Triangles
//! lie beside them in the order of the tree, as its documentation advises. The preset is `medium_build`.

use std::hint::black_box;
use std::time::Duration;

use carom_scenes::{SceneMesh, SphereCast};
use glam::Vec3A;
use obvhs::BvhBuildParams;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::builder::build_bvh2_from_tris;
use obvhs::cwbvh::CwBvh;
use obvhs::cwbvh::builder::build_cwbvh_from_tris;
use obvhs::ray::{Ray, RayHit};
use obvhs::triangle::Triangle;

use super::{Batch, Builder, CastShape, Caster, FREE, single};
use crate::memory;
use crate::rounds::timed;

const ENGINE: &str = "obvhs 0.4";

fn triangles_of(mesh: &SceneMesh) -> Vec<Triangle> {
    let corner = |i: u32| Vec3A::from(mesh.vertices[i as usize]);
    mesh.triangles.iter().map(|&[a, b, c]| Triangle { v0: corner(a), v1: corner(b), v2: corner(c) }).collect()
}

fn in_order(triangles: &[Triangle], order: &[u32]) -> Vec<Triangle> {
    order.iter().map(|&i| triangles[i as usize]).collect()
}

/// A cast of a ray whose direction has the length of the path, so that the answer is a fraction.
fn rays(casts: &[SphereCast]) -> Vec<Ray> {
    casts
        .iter()
        .map(|cast| Ray::new(single(cast.from).into(), single(cast.translation).into(), 0.0, 1.0))
        .collect()
}

/// Both trees are walked alike. Whether something was hit is what the walk returns: the binary tree leaves
/// the end of the path in the hit.
fn batch<'a>(
    shape: CastShape,
    casts: &[SphereCast],
    walk: impl Fn(Ray, &mut RayHit) -> bool + 'a,
) -> Option<Batch<'a>> {
    let rays = (shape == CastShape::Ray).then(|| rays(casts))?;
    Some(Box::new(move |fractions| {
        for (ray, fraction) in rays.iter().zip(fractions) {
            let mut hit = RayHit::none();
            *fraction = if walk(*black_box(ray), &mut hit) { hit.t.into() } else { FREE };
        }
    }))
}

/// The compressed tree of eight children.
pub struct Wide {
    tree: CwBvh,
    triangles: Vec<Triangle>,
}

impl Wide {
    pub fn new(mesh: &SceneMesh) -> Self {
        Self::of(&triangles_of(mesh), BvhBuildParams::medium_build())
    }

    fn of(triangles: &[Triangle], preset: BvhBuildParams) -> Self {
        let tree = build_cwbvh_from_tris(triangles, preset, &mut Duration::default());
        let triangles = in_order(triangles, &tree.primitive_indices);
        Self { tree, triangles }
    }
}

impl Caster for Wide {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn setup(&self) -> &'static str {
        "CwBvh"
    }

    fn batch<'a>(&'a self, shape: CastShape, casts: &[SphereCast]) -> Option<Batch<'a>> {
        batch(shape, casts, |ray, hit| {
            self.tree.ray_traverse(ray, hit, |ray, id| self.triangles[id].intersect(ray))
        })
    }
}

/// The binary tree.
pub struct Binary {
    tree: Bvh2,
    triangles: Vec<Triangle>,
}

impl Binary {
    pub fn new(mesh: &SceneMesh) -> Self {
        Self::of(&triangles_of(mesh), BvhBuildParams::medium_build())
    }

    fn of(triangles: &[Triangle], preset: BvhBuildParams) -> Self {
        let tree = build_bvh2_from_tris(triangles, preset, &mut Duration::default());
        let triangles = in_order(triangles, &tree.primitive_indices);
        Self { tree, triangles }
    }
}

impl Caster for Binary {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn setup(&self) -> &'static str {
        "Bvh2"
    }

    fn batch<'a>(&'a self, shape: CastShape, casts: &[SphereCast]) -> Option<Batch<'a>> {
        batch(shape, casts, |ray, hit| {
            self.tree.ray_traverse(ray, hit, |ray, id| self.triangles[id].intersect(ray))
        })
    }
}

/// Building alone: putting the triangles in the order of the tree, which one may do without, is not counted;
/// what is kept is weighed with it.
pub fn builders() -> [Builder; 3] {
    const FASTEST: BvhBuildParams = BvhBuildParams::fastest_build();
    const MEDIUM: BvhBuildParams = BvhBuildParams::medium_build();
    [
        Builder {
            engine: ENGINE,
            setup: "Bvh2, fastest",
            time: |mesh| {
                time(mesh, |triangles| build_bvh2_from_tris(triangles, FASTEST, &mut Duration::default()))
            },
            weigh: |mesh| memory::kept(|| Binary::of(&triangles_of(mesh), FASTEST)),
        },
        Builder {
            engine: ENGINE,
            setup: "Bvh2, medium",
            time: |mesh| {
                time(mesh, |triangles| build_bvh2_from_tris(triangles, MEDIUM, &mut Duration::default()))
            },
            weigh: |mesh| memory::kept(|| Binary::new(mesh)),
        },
        Builder {
            engine: ENGINE,
            setup: "CwBvh, medium",
            time: |mesh| {
                time(mesh, |triangles| build_cwbvh_from_tris(triangles, MEDIUM, &mut Duration::default()))
            },
            weigh: |mesh| memory::kept(|| Wide::new(mesh)),
        },
    ]
}

fn time<T>(mesh: &SceneMesh, build: impl FnOnce(&[Triangle]) -> T) -> Duration {
    let triangles = triangles_of(mesh);
    timed(|| build(&triangles))
}
