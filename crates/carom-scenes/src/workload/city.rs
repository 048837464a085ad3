//! Turned boxes in a heap: the load of overlapping solids and large triangles.

use core::f64::consts::TAU;

use carom::num::ops;
use glam::{DQuat, DVec3};

use crate::{MeshBuilder, PlacedBox, Random, SceneMesh};

const SEED: u64 = 0x00C1_7C17;

/// Side of the squares by which boxes are found again, in meters: about the size of the largest box.
const BLOCK: f64 = 10.0;
/// Boxes reach beyond 400 m by at most √75 m; a place further out is in the outermost blocks, which lose
/// nothing by it.
const BLOCKS: usize = 42;

/// Twenty thousand boxes, turned every way, within 400 × 30 × 400 m: 240,000 triangles.
#[derive(Clone, Debug)]
pub struct City {
    boxes: Vec<PlacedBox>,
    mesh: SceneMesh,
    /// For each square of the plan, x fastest, the boxes that could hold a place in it.
    blocks: Vec<Vec<u32>>,
}

impl City {
    /// How many boxes the city has that is compared.
    pub const BOXES: usize = 20_000;
    /// How far it reaches from the origin, in meters, by the centers of its boxes.
    pub const EXTENT: DVec3 = DVec3::new(400.0, 30.0, 400.0);

    /// The first `count` boxes of the city, of which [`Self::BOXES`] are compared.
    ///
    /// Draws per box: center x, y, z; half-extents x, y, z in [0.5, 5); axis (a direction); angle in [0, 2π).
    /// Corners and faces as [`MeshBuilder::cuboid`] has them: 8 vertices and 12 triangles each.
    pub fn new(count: usize) -> Self {
        let mut random = Random::new(SEED);
        let mut city = Self {
            boxes: Vec::with_capacity(count),
            mesh: SceneMesh::new(),
            blocks: vec![Vec::new(); BLOCKS * BLOCKS],
        };
        for index in 0..count {
            let position = within(&mut random, DVec3::ZERO, Self::EXTENT);
            let half_extents = within(&mut random, DVec3::splat(0.5), DVec3::splat(5.0));
            let axis = random.direction();
            let rotation: DQuat = ops::rotation_about(axis, random.between(0.0, TAU));
            city.place(index as u32, PlacedBox { half_extents, position, rotation });
        }
        city
    }

    fn place(&mut self, index: u32, placed: PlacedBox) {
        self.mesh.append(&placed.mesh());
        let reach = DVec3::splat(ops::sqrt(placed.half_extents.length_squared()));
        let (low, high) = (block(placed.position - reach), block(placed.position + reach));
        for z in low[1]..=high[1] {
            for x in low[0]..=high[0] {
                self.blocks[z * BLOCKS + x].push(index);
            }
        }
        self.boxes.push(placed);
    }

    /// The boxes, before rounding.
    pub fn boxes(&self) -> &[PlacedBox] {
        &self.boxes
    }

    /// The triangles, twelve a box, in the order of the boxes.
    pub fn mesh(&self) -> &SceneMesh {
        &self.mesh
    }

    /// The ground that W5's walkers fall on: two triangles at y = 0, wide enough for the last of their ways.
    pub fn ground() -> SceneMesh {
        MeshBuilder::grid(DVec3::new(-50.0, 0.0, -50.0), [DVec3::Z * 500.0, DVec3::X * 500.0], [1, 1])
            .rounded()
    }

    /// Whether a place is inside a box.
    pub fn is_inside(&self, place: DVec3) -> bool {
        let [x, z] = block(place);
        self.blocks[z * BLOCKS + x].iter().any(|&i| self.boxes[i as usize].contains(place))
    }
}

/// One draw a coordinate, x first.
pub(super) fn within(random: &mut Random, low: DVec3, high: DVec3) -> DVec3 {
    let x = random.between(low.x, high.x);
    let y = random.between(low.y, high.y);
    let z = random.between(low.z, high.z);
    DVec3::new(x, y, z)
}

/// The square of the plan that a place is in, one block left free in front of the origin.
fn block(place: DVec3) -> [usize; 2] {
    // The cast takes what is below 0 to 0.
    [place.x, place.z].map(|x| ((x / BLOCK + 1.0) as usize).min(BLOCKS - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_to_the_bit_what_the_others_are_measured_with() {
        let city = City::new(City::BOXES);
        assert_eq!(city.mesh().triangles.len(), 240_000);
        assert_eq!(city.mesh().checksum(), 0x5BFE_5717_4C6F_5109);
    }

    #[test]
    fn the_blocks_lose_no_box() {
        let city = City::new(2000);
        let mut random = Random::new(3);
        let mut inside = 0;
        for _ in 0..2000 {
            let place = within(&mut random, DVec3::splat(-10.0), City::EXTENT + 10.0);
            let slow = city.boxes().iter().any(|b| b.contains(place));
            assert_eq!(city.is_inside(place), slow);
            inside += usize::from(slow);
        }
        assert!(inside > 50, "{inside}");
    }
}
