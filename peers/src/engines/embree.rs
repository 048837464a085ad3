//! Embree, of the distribution: rays only, with the settings that `native/embree.cpp` has in its first lines.

#![expect(unsafe_code, reason = "Embree is behind foreign functions")]

use std::ffi::c_void;
use std::rc::Rc;

use carom_scenes::{SceneMesh, SphereCast};

use super::{Batch, CastShape, Caster, single};

const ENGINE: &str = "Embree 3.13";

unsafe extern "C" {
    fn peers_embree_level(
        vertices: *const f32,
        vertex_count: usize,
        triangles: *const u32,
        triangle_count: usize,
    ) -> *mut c_void;
    fn peers_embree_free(level: *mut c_void);
    fn peers_embree_rays(level: *mut c_void, paths: *const f32, count: usize, fractions: *mut f64);
    fn peers_embree_stream(level: *mut c_void, paths: *const f32, count: usize, fractions: *mut f64);
}

/// A scene of one mesh.
struct Scene(*mut c_void);

impl Scene {
    fn new(mesh: &SceneMesh) -> Self {
        let (vertices, triangles) = (mesh.vertices.as_flattened(), mesh.triangles.as_flattened());
        // SAFETY: the counts are those of the lists, which Embree copies.
        let scene = unsafe {
            peers_embree_level(
                vertices.as_ptr(),
                mesh.vertices.len(),
                triangles.as_ptr(),
                mesh.triangles.len(),
            )
        };
        assert!(!scene.is_null(), "Embree did not build its scene");
        Self(scene)
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        // SAFETY: made by `new`, and given back once.
        unsafe { peers_embree_free(self.0) }
    }
}

/// How rays are handed over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    OneByOne,
    Stream,
}

/// A scene, asked in one of the two forms.
pub struct Level {
    scene: Rc<Scene>,
    form: Form,
}

impl Level {
    /// One scene, asked in both forms.
    pub fn both(mesh: &SceneMesh) -> [Self; 2] {
        let scene = Rc::new(Scene::new(mesh));
        [Form::OneByOne, Form::Stream].map(|form| Self { scene: Rc::clone(&scene), form })
    }
}

impl Caster for Level {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn setup(&self) -> &'static str {
        match self.form {
            Form::OneByOne => "rtcIntersect1",
            Form::Stream => "rtcIntersect1M",
        }
    }

    fn is_tried_sorted(&self) -> bool {
        self.form == Form::Stream
    }

    fn batch<'a>(&'a self, shape: CastShape, casts: &[SphereCast]) -> Option<Batch<'a>> {
        if shape != CastShape::Ray {
            return None;
        }
        let paths: Vec<[f32; 3]> =
            casts.iter().flat_map(|cast| [cast.from, cast.translation].map(single)).collect();
        Some(Box::new(move |fractions| {
            assert_eq!(paths.len(), 2 * fractions.len(), "one fraction for each cast");
            let (start, count) = (paths.as_flattened().as_ptr(), fractions.len());
            let found = fractions.as_mut_ptr();
            // SAFETY: the scene is alive; there are `count` paths of six numbers and `count` fractions.
            unsafe {
                match self.form {
                    Form::OneByOne => peers_embree_rays(self.scene.0, start, count, found),
                    Form::Stream => peers_embree_stream(self.scene.0, start, count, found),
                }
            }
        }))
    }
}
