//! FCL, of the distribution, in double precision: what it is asked for and how is in `native/fcl.cpp`.

#![expect(unsafe_code, reason = "FCL is behind foreign functions")]

use std::ffi::c_void;

use carom_scenes::SceneMesh;
use carom_scenes::workload::BlobPose;

use super::Pair;

unsafe extern "C" {
    fn peers_fcl_mesh(
        vertices: *const f64,
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
            let vertices: Vec<_> = mesh.vertices.iter().map(|vertex| vertex.map(f64::from)).collect();
            of(&vertices, &mesh.triangles)
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

fn of(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> *mut c_void {
    let (places, corners) = (vertices.as_flattened().as_ptr(), triangles.as_flattened().as_ptr());
    // SAFETY: the counts are those of the lists, which are copied before the call returns.
    unsafe { peers_fcl_mesh(places, vertices.len(), corners, triangles.len()) }
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

#[cfg(test)]
mod tests {
    use super::*;
    use carom_scenes::real;
    use glam::{DQuat, DVec3};

    type Triangles = (Vec<[f64; 3]>, Vec<[u32; 3]>);

    /// An OBJ file of plain triangles, as f64 has its decimals; `None` where there is no data folder.
    fn read(name: &str) -> Option<Triangles> {
        let text = std::fs::read_to_string(real::folder()?.join(name)).expect("the data folder has it");
        let words = |of: &'static str| {
            text.lines().filter_map(move |line| line.strip_prefix(of)).map(str::split_whitespace)
        };
        let three = |numbers: Vec<f64>| [numbers[0], numbers[1], numbers[2]];
        let number = |word: &str| word.parse().expect("a number");
        let index = |word: &str| number(word.split('/').next().unwrap_or(word)) - 1.0;
        let vertices = words("v ").map(|words| three(words.map(number).collect())).collect();
        let triangles =
            words("f ").map(|words| three(words.map(index).collect()).map(|x| x as u32)).collect();
        Some((vertices, triangles))
    }

    /// The published count for these two sheets, 1,570 pairs, is that of FCL with its rounding; it differs if
    /// the sheets are swapped. Carom's count is exact in either order
    /// (`crates/carom-scenes/tests/mesh_pair/counts.rs`).
    #[test]
    fn the_pairs_of_two_hulls_depend_on_which_comes_first() {
        let files = ["manifold_pairs/hull-body.obj", "manifold_pairs/hull-mask.obj"].map(read);
        let [Some(body), Some(mask)] = files else { return };
        let rest = BlobPose { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };
        let count = |(first, second): (&Triangles, &Triangles), round: fn(f64) -> f64| {
            let meshes = Meshes([first, second].map(|(vertices, triangles)| {
                let vertices: Vec<_> = vertices.iter().map(|vertex| vertex.map(round)).collect();
                of(&vertices, triangles)
            }));
            meshes.count(&[rest], usize::MAX)[0]
        };
        let [as_is, to_f32]: [fn(f64) -> f64; 2] = [|x| x, |x| f64::from(x as f32)];
        assert_eq!([count((&body, &mask), as_is), count((&mask, &body), as_is)], [1570, 1566]);
        assert_eq!([count((&body, &mask), to_f32), count((&mask, &body), to_f32)], [1601, 1591]);
    }
}
