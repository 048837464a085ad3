//! One tile, or a few, as a world.

use carom::mesh::{Mesh, MeshData, Surface};
use carom::{Body, Cast, World};
use carom_formats::Tile;
use glam::DVec3;

use super::soup::{Met, Soup};
use crate::error::ExploreError;

/// Bytes for each triangle and vertex, of corners, tree and packed triangles together. Tiles of 800 to 80,000
/// triangles took 66 to 51.
const BYTES: usize = 64;

/// The level over a part of the ground plan.
#[derive(Debug)]
pub(crate) struct LoadedTile {
    pub(crate) world: World,
    pub(crate) soup: Soup,
    /// The number in the level of each triangle, ascending.
    pub(crate) numbers: Vec<u32>,
    /// Where all triangles are known: x and z, in meters.
    low: [f64; 2],
    high: [f64; 2],
}

impl LoadedTile {
    /// A tile that knows all triangles between two corners of the ground plan.
    pub(crate) fn new(tile: Tile, [low, high]: [[f64; 2]; 2]) -> Result<Self, ExploreError> {
        let Tile { vertices, triangles, surface_ids, triangle_numbers: numbers, .. } = tile;
        let soup = Soup { vertices, triangles, surface_ids };
        let mut world = World::new();
        if !soup.triangles.is_empty() {
            world.add(Body::fixed(Mesh::new(mesh_of(&soup))?));
        }
        Ok(Self { world, soup, numbers, low, high })
    }

    /// Nothing.
    pub(crate) fn empty([low, high]: [[f64; 2]; 2]) -> Self {
        Self { world: World::new(), soup: Soup::default(), numbers: Vec::new(), low, high }
    }

    /// Whether it has every triangle that reaches to within a distance of a center, seen from above.
    pub(crate) fn knows(&self, center: DVec3, reach: f64) -> bool {
        self.knows_all([[center.x - reach, center.z - reach], [center.x + reach, center.z + reach]])
    }

    /// Whether it has every triangle between two corners of the ground plan.
    pub(crate) fn knows_all(&self, [low, high]: [[f64; 2]; 2]) -> bool {
        (0..2).all(|axis| low[axis] >= self.low[axis] && high[axis] <= self.high[axis])
    }

    /// The first hit of a cast among its triangles.
    pub(crate) fn meet(&self, cast: &Cast) -> Option<Met> {
        let mut hit = self.world.cast(cast)?;
        let triangle = hit.part as usize;
        hit.part = self.numbers[triangle];
        Some(Met { hit, corners: self.soup.corners(triangle), surface_id: self.soup.surface_id(triangle) })
    }

    pub(crate) fn memory(&self) -> usize {
        size_of::<Self>() + BYTES * (self.soup.triangles.len() + self.soup.vertices.len())
    }
}

/// The same triangles, with only those surfaces of the level that they have; the tag is the level's number.
fn mesh_of(soup: &Soup) -> MeshData {
    let mut used = soup.surface_ids.clone();
    used.sort_unstable();
    used.dedup();
    let number = |id: &u16| used.binary_search(id).unwrap_or_default() as u16;
    MeshData {
        vertices: soup.vertices.clone(),
        triangles: soup.triangles.clone(),
        surface_ids: soup.surface_ids.iter().map(number).collect(),
        surfaces: used.iter().map(|id| Surface { tag: (*id).into(), ..Surface::default() }).collect(),
        ..MeshData::default()
    }
}
