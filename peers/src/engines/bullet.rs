//! Bullet, of the distribution, in single precision: what it is asked for and how is in `native/bullet.cpp`.

#![expect(unsafe_code, reason = "Bullet is behind foreign functions")]

use std::ffi::c_void;

use carom_scenes::workload::CAST_RADIUS;
use carom_scenes::{SceneMesh, SphereCast};

use super::{Batch, Builder, CAPSULE_HALF_HEIGHT, CastShape, Caster, single};
use crate::memory;
use crate::rounds::timed;

const ENGINE: &str = "Bullet 3.24";

unsafe extern "C" {
    fn peers_bullet_level(
        vertices: *const f32,
        vertex_count: usize,
        triangles: *const u32,
        triangle_count: usize,
    ) -> *mut c_void;
    fn peers_bullet_free(level: *mut c_void);
    fn peers_bullet_sweep(
        level: *mut c_void,
        radius: f32,
        half_height: f32,
        paths: *const f32,
        count: usize,
        fractions: *mut f64,
    );
    fn peers_bullet_rays(level: *mut c_void, paths: *const f32, count: usize, fractions: *mut f64);
}

/// A world of one mesh.
pub struct Level {
    world: *mut c_void,
    /// Bullet keeps pointing to the lists.
    _mesh: SceneMesh,
}

impl Level {
    pub fn new(mesh: &SceneMesh) -> Self {
        let mesh = mesh.clone();
        let (vertices, triangles) = (mesh.vertices.as_flattened(), mesh.triangles.as_flattened());
        // SAFETY: the counts are those of the lists, and the lists are kept unmoved on the heap until the
        // world is freed.
        let world = unsafe {
            peers_bullet_level(
                vertices.as_ptr(),
                mesh.vertices.len(),
                triangles.as_ptr(),
                mesh.triangles.len(),
            )
        };
        Self { world, _mesh: mesh }
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        // SAFETY: made by `new`, and given back once, before the lists.
        unsafe { peers_bullet_free(self.world) }
    }
}

impl Caster for Level {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn batch<'a>(&'a self, shape: CastShape, casts: &[SphereCast]) -> Option<Batch<'a>> {
        let paths: Vec<[f32; 3]> =
            casts.iter().flat_map(|cast| [cast.from, cast.from + cast.translation].map(single)).collect();
        let half_height = if shape == CastShape::Capsule { CAPSULE_HALF_HEIGHT as f32 } else { 0.0 };
        Some(Box::new(move |fractions| {
            assert_eq!(paths.len(), 2 * fractions.len(), "one fraction for each cast");
            let (start, count) = (paths.as_flattened().as_ptr(), fractions.len());
            // SAFETY: the world is alive; there are `count` paths of six numbers and `count` fractions.
            unsafe {
                match shape {
                    CastShape::Ray => peers_bullet_rays(self.world, start, count, fractions.as_mut_ptr()),
                    _ => {
                        let radius = CAST_RADIUS as f32;
                        peers_bullet_sweep(
                            self.world,
                            radius,
                            half_height,
                            start,
                            count,
                            fractions.as_mut_ptr(),
                        );
                    }
                }
            }
        }))
    }
}

pub fn builders() -> [Builder; 1] {
    [Builder {
        engine: ENGINE,
        setup: "quantized",
        time: |mesh| timed(|| Level::new(mesh)),
        weigh: |mesh| memory::kept(|| Level::new(mesh)),
    }]
}
