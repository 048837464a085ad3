//! Rolling hills on a grid of one meter: the load of many small triangles.

use carom::num::ops::{cos, sin};
use glam::DVec3;

use crate::scene_mesh::rounded;
use crate::{Random, SceneMesh};

const SEED: u64 = 0x7E_22A1;

/// Hills of a few meters over a square of `quads` × `quads` meters, from the origin towards +x and +z.
#[derive(Clone, Debug)]
pub struct Terrain {
    quads: usize,
    mesh: SceneMesh,
}

impl Terrain {
    /// The hills, 2 `quads`² triangles. 512 and 1024 are the sizes that are compared.
    ///
    /// One draw per vertex, row by row, x fastest. Quad a (i, j), b (i+1, j), c (i, j+1), d (i+1, j+1): (a,
    /// c, d), (a, d, b).
    ///
    /// # Panics
    /// More than 2³² vertices.
    pub fn new(quads: usize) -> Self {
        let rows = TerrainRows::new(quads);
        let row = quads + 1;
        let mut mesh = SceneMesh::new();
        mesh.vertices.reserve_exact(row * row);
        mesh.triangles.reserve_exact(2 * quads * quads);
        mesh.vertices.extend(rows.flatten());
        for j in 0..quads {
            mesh.triangles.extend((0..quads).flat_map(|i| quad(quads, [i, j])));
        }
        Self { quads, mesh }
    }

    /// How many meters the square measures, and quads.
    pub fn quads(&self) -> usize {
        self.quads
    }

    /// The triangles.
    pub fn mesh(&self) -> &SceneMesh {
        &self.mesh
    }

    /// The height of the triangles at a place, in meters; a place outside counts as the nearest on the rim.
    pub fn surface(&self, x: f64, z: f64) -> f64 {
        let clamp = |x: f64| x.clamp(0.0, self.quads as f64);
        let (x, z) = (clamp(x), clamp(z));
        let cell = |x: f64| (x as usize).min(self.quads.saturating_sub(1));
        let (i, j) = (cell(x), cell(z));
        let (u, v) = (x - i as f64, z - j as f64);
        let height = |i: usize, j: usize| {
            let (i, j) = (i.min(self.quads), j.min(self.quads));
            f64::from(self.mesh.vertices[j * (self.quads + 1) + i][1])
        };
        let (a, d) = (height(i, j), height(i + 1, j + 1));
        // On which side of the diagonal a–d: the triangle with c, or the one with b.
        if v >= u {
            let c = height(i, j + 1);
            a + v * (c - a) + u * (d - c)
        } else {
            let b = height(i + 1, j);
            a + u * (b - a) + v * (d - b)
        }
    }
}

/// The two triangles of quad (i, j).
fn quad(quads: usize, [i, j]: [usize; 2]) -> [[u32; 3]; 2] {
    let row = quads + 1;
    let a = (j * row + i) as u32;
    let (b, c, d) = (a + 1, a + row as u32, a + row as u32 + 1);
    [[a, c, d], [a, d, b]]
}

/// The vertices of a [`Terrain`], row by row, of any size in the memory of one row.
#[derive(Clone, Debug)]
pub struct TerrainRows {
    quads: usize,
    next: usize,
    random: Random,
}

impl TerrainRows {
    /// From the first row on.
    ///
    /// # Panics
    /// More than 2³² vertices.
    pub fn new(quads: usize) -> Self {
        let row = quads + 1;
        assert!(row.checked_mul(row).is_some_and(|count| count <= u32::MAX as usize), "indices are 32 bits");
        Self { quads, next: 0, random: Random::new(SEED) }
    }

    /// How many meters the square measures, and quads.
    pub fn quads(&self) -> usize {
        self.quads
    }

    /// The two triangles of quad (i, j); their numbers are 2 (j `quads` + i) and the next.
    pub fn quad(&self, at: [usize; 2]) -> [[u32; 3]; 2] {
        quad(self.quads, at)
    }
}

impl Iterator for TerrainRows {
    type Item = Vec<[f32; 3]>;

    fn next(&mut self) -> Option<Vec<[f32; 3]>> {
        if self.next > self.quads {
            return None;
        }
        let z = self.next as f64;
        self.next += 1;
        let mut vertex = |i: usize| {
            let x = i as f64;
            let height = 3.0 * sin(0.021 * x + 0.3) * cos(0.017 * z)
                + 2.0 * sin(0.053 * x + 0.047 * z + 1.1)
                + 1.5 * sin(0.11 * x - 0.09 * z + 2.0)
                + 0.8 * sin(0.31 * x + 0.2) * sin(0.27 * z + 0.7)
                + 0.25 * (2.0 * self.random.unit() - 1.0);
            rounded(DVec3::new(x, height, z))
        };
        Some((0..=self.quads).map(&mut vertex).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_to_the_bit_what_the_others_are_measured_with() {
        assert_eq!(Terrain::new(512).mesh().checksum(), 0x7CC5_F46D_29C1_4A96);
        let large = Terrain::new(1024);
        assert_eq!(large.mesh().triangles.len(), 2_097_152);
        assert_eq!(large.mesh().checksum(), 0x3204_28A0_34A1_CAEA);
    }

    #[test]
    fn the_surface_is_that_of_the_triangles() {
        let terrain = Terrain::new(8);
        for [a, b, c] in terrain.mesh().iter_corners() {
            assert!((b - a).cross(c - a).y > 0.0);
            for p in [a, b, c, (a + b + c) / 3.0, (a + b) / 2.0] {
                assert!((terrain.surface(p.x, p.z) - p.y).abs() < 1e-12);
            }
        }
        assert_eq!(terrain.surface(-1.0, 9.0), terrain.surface(0.0, 8.0));
        assert_eq!(Terrain::new(0).surface(3.0, 3.0), f64::from(Terrain::new(0).mesh().vertices[0][1]));
    }
}
