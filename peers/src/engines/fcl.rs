//! FCL, of the distribution, in double precision: what it is asked for and how is in `native/fcl.cpp`.

#![expect(unsafe_code, reason = "FCL is behind foreign functions")]

use std::ffi::c_void;

use carom_scenes::SceneMesh;
use carom_scenes::workload::BlobPose;

use super::Pair;

unsafe extern "C" {
    fn peers_fcl_mesh(
        vertices: *const f32,
        vertex_count: usize,
        triangles: *const u32,
        triangle_count: usize,
    ) -> *mut c_void;
    fn peers_fcl_free(mesh: *mut c_void);
    fn peers_fcl_count(
        first: *const c_void,
        second: *const c_void,
        poses: *const f64,
        count: usize,
        most: usize,
        pairs: *mut usize,
    );
}

/// Two meshes under oriented boxes and swept spheres.
pub struct Meshes([*mut c_void; 2]);

impl Meshes {
    pub fn new(meshes: [&SceneMesh; 2]) -> Self {
        Self(meshes.map(|mesh| {
            let (vertices, triangles) = (mesh.vertices.as_flattened(), mesh.triangles.as_flattened());
            // SAFETY: the counts are those of the lists, which are copied before the call returns.
            unsafe {
                peers_fcl_mesh(
                    vertices.as_ptr(),
                    mesh.vertices.len(),
                    triangles.as_ptr(),
                    mesh.triangles.len(),
                )
            }
        }))
    }

    fn count(&self, poses: &[BlobPose], most: usize) -> Vec<usize> {
        let numbers: Vec<f64> = poses
            .iter()
            .flat_map(|pose| pose.rotation.to_array().into_iter().chain(pose.translation.to_array()))
            .collect();
        let mut pairs = vec![0; poses.len()];
        let [first, second] = self.0;
        // SAFETY: both meshes are alive; there are seven numbers and one count for each pose.
        unsafe {
            peers_fcl_count(first, second, numbers.as_ptr(), poses.len(), most, pairs.as_mut_ptr());
        }
        pairs
    }
}

impl Drop for Meshes {
    fn drop(&mut self) {
        for mesh in self.0 {
            // SAFETY: made by `new`, and given back once.
            unsafe { peers_fcl_free(mesh) }
        }
    }
}

impl Pair for Meshes {
    fn engine(&self) -> &'static str {
        "FCL 0.7"
    }

    fn setup(&self) -> &'static str {
        "OBBRSS"
    }

    fn overlaps(&self, poses: &[BlobPose]) -> Vec<bool> {
        self.count(poses, 1).into_iter().map(|pairs| pairs > 0).collect()
    }

    fn pairs(&self, poses: &[BlobPose]) -> Option<Vec<usize>> {
        Some(self.count(poses, usize::MAX))
    }
}
