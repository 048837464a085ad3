//! Triangles in the order of a tree, packed small: the data that a cast reads of a leaf lies in few lines of
//! memory.
//!
//! Corners are stored once per group of leaves, in the order in which its triangles first use them. A
//! triangle names each corner by a byte, from low to high, as the kernels need them, and stores their
//! original order. So a query needs neither sorting nor the mesh. Corners are exact. Cost: 8 bytes per
//! triangle and 12 per corner: about 17 in total where neighbors share corners, 44 where none do.

use alloc::vec::Vec;
use core::ops::Range;

use glam::DVec3;
use wide::f32x4;

use crate::mesh::Mesh;
use crate::prefetch::prefetch_all;
use crate::sweep::parts::flat::Facet;
use crate::tree::{WIDTH, WideTree};
use crate::world::surface::lanes::Lanes;
use crate::world::surface::packed_triangle::{PackedTriangle, Traits};
use crate::world::surface::triangle_batch::TriangleBatch;

/// Slots per group. The group of the first slot of a leaf has all corners of the leaf. A byte can number
/// them, however few are shared.
const GROUP: usize = 64;

/// Slots in a cache line.
const SLOTS_TO_A_LINE: usize = 8;

/// Corners in a cache line and a little more.
const PLACES_TO_A_LINE: usize = 6;

/// The triangles of a mesh by slot.
#[derive(Clone, Debug)]
pub(crate) struct TriangleStore {
    slots: Vec<Slot>,
    /// The corners of all groups, one after the other.
    places: Vec<[f32; 3]>,
    /// The number of the first corner of each group.
    groups: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    triangle: u32,
    /// Its corners among those of the group, from low to high.
    corners: [u8; 3],
    traits: Traits,
}

impl TriangleStore {
    /// The triangles of a mesh in the order of a tree.
    pub(crate) fn new(mesh: &Mesh, tree: &WideTree, order: &[u32]) -> Self {
        let mut slots = Vec::with_capacity(order.len());
        let mut groups = Vec::with_capacity(order.len().div_ceil(GROUP));
        let mut places = Vec::new();
        // The vertices of the mesh that the corners of the group are.
        let mut vertices: Vec<u32> = Vec::with_capacity(3 * GROUP);
        let mut close = |vertices: &mut Vec<u32>| {
            places.extend(vertices.drain(..).map(|vertex| mesh.vertices()[vertex as usize]));
            places.len() as u32
        };
        tree.for_each_leaf(|leaf| {
            let group = leaf.start as usize / GROUP;
            while groups.len() <= group {
                let next = close(&mut vertices);
                groups.push(next);
            }
            for (slot, &triangle) in leaf.clone().zip(&order[leaf.start as usize..leaf.end as usize]) {
                let facet = facet(mesh, triangle, 1.0);
                let given = mesh.triangles()[triangle as usize];
                let corners = facet.order.map(|i| {
                    let vertex = given[usize::from(i)];
                    let known = vertices.iter().rposition(|known| *known == vertex);
                    known.unwrap_or_else(|| {
                        vertices.push(vertex);
                        vertices.len() - 1
                    }) as u8
                });
                slots.push(Slot {
                    triangle,
                    corners,
                    traits: Traits::of(&facet, slot as usize / GROUP != group),
                });
            }
        });
        close(&mut vertices);
        places.shrink_to_fit();
        Self { slots, places, groups }
    }

    /// The number of triangles.
    pub(crate) fn len(&self) -> u32 {
        self.slots.len() as u32
    }

    /// The bytes that it uses on the heap.
    pub(crate) fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
            + self.places.capacity() * size_of::<[f32; 3]>()
            + self.groups.capacity() * size_of::<u32>()
    }

    /// The triangle in a slot.
    #[inline(always)]
    pub(crate) fn fetch(&self, slot: u32) -> PackedTriangle {
        let slot_there = &self.slots[slot as usize];
        let group = slot as usize / GROUP - usize::from(slot_there.traits.begins_before());
        slot_there.fetch(self.group(group))
    }

    /// The corners of a group, and the corners after them.
    #[inline(always)]
    fn group(&self, number: usize) -> &[[f32; 3]] {
        &self.places[self.groups[number] as usize..]
    }

    /// Prefetches a slot, and the region of its corners and the next ones. The slots name the corners, and
    /// all may be far away in memory: so both are requested at once, before it is known which slots are
    /// needed.
    #[inline(always)]
    pub(crate) fn expect(&self, slot: u32) {
        let (slot, group) = (slot as usize, slot as usize / GROUP);
        // The slots of a leaf and its neighbors are seldom in one cache line.
        prefetch_all([slot, slot + SLOTS_TO_A_LINE].into_iter().filter_map(|slot| self.slots.get(slot)));
        let Some([first, next]) = self.groups.get(group..group + 2) else { return };
        // Corners are in the order in which the slots first use them.
        let place = *first as usize + (next - first) as usize * (slot % GROUP) / GROUP;
        for line in 0..3 {
            prefetch_all(self.places.get(place + line * PLACES_TO_A_LINE));
        }
    }

    /// The triangles of a leaf.
    #[inline(always)]
    pub(crate) fn leaf(&self, run: Range<u32>) -> Leaf<'_> {
        let places = self.group(run.start as usize / GROUP);
        Leaf { slots: &self.slots[run.start as usize..run.end as usize], places }
    }

    /// The triangles in a run of slots.
    #[inline(always)]
    pub(crate) fn fetch_all(&self, run: Range<u32>) -> impl Iterator<Item = PackedTriangle> {
        run.map(|slot| self.fetch(slot))
    }
}

impl Slot {
    /// Its triangle, of the corners of its group.
    #[inline(always)]
    fn fetch(&self, places: &[[f32; 3]]) -> PackedTriangle {
        let Self { triangle, corners: [a, b, c], traits } = *self;
        PackedTriangle {
            corners: [corner(places, a), corner(places, b), corner(places, c)],
            triangle,
            traits,
        }
    }
}

/// The triangles of a leaf.
pub(crate) struct Leaf<'a> {
    slots: &'a [Slot],
    /// The corners of their group, and the corners after them.
    places: &'a [[f32; 3]],
}

impl TriangleBatch for Leaf<'_> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.slots.len()
    }

    #[inline(always)]
    fn fetch(&self, lane: usize) -> PackedTriangle {
        self.slots[lane].fetch(self.places)
    }

    #[inline(always)]
    fn corners(&self) -> [Lanes; 3] {
        let (places, slots) = (self.places, self.slots);
        let last = slots.len() - 1;
        let batch = [slots[0], slots[last.min(1)], slots[last.min(2)], slots[last]];
        [corners(places, &batch, 0), corners(places, &batch, 1), corners(places, &batch, 2)]
    }
}

/// One of the corners of each of four triangles.
#[inline(always)]
fn corners(places: &[[f32; 3]], [p, q, r, s]: &[Slot; WIDTH], number: usize) -> Lanes {
    lanes([
        corner(places, p.corners[number]),
        corner(places, q.corners[number]),
        corner(places, r.corners[number]),
        corner(places, s.corners[number]),
    ])
}

/// A corner of a group.
#[inline(always)]
fn corner(places: &[[f32; 3]], number: u8) -> f32x4 {
    let [x, y, z] = places[usize::from(number)];
    f32x4::new([x, y, z, 0.0])
}

/// Four rows as lanes: one vector for each axis.
#[inline(always)]
pub(crate) fn lanes(rows: [f32x4; WIDTH]) -> Lanes {
    let [x, y, z, _] = f32x4::transpose(rows);
    [x, y, z]
}

/// A triangle of a mesh, its corners the mesh's own times a factor.
pub(crate) fn facet(mesh: &Mesh, triangle: u32, factor: f64) -> Facet {
    let corners: [DVec3; 3] = mesh.corners(triangle).map(|corner| corner * factor);
    let flat = u32::from(!mesh.active_edges(triangle) & 0b111);
    Facet::new(corners, flat, mesh.surface(triangle).one_sided)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::mesh::{MeshData, Surface};
    use crate::world::MeshTree;

    /// Hills of side × side squares, the triangles turned this way and that, every third one-sided, and some
    /// without neighbors.
    fn hills(side: u32) -> Mesh {
        let place = |i: u32| [(i % (side + 1)) as f32, (i * i % 7 / 3) as f32, (i / (side + 1)) as f32];
        let mut vertices: Vec<[f32; 3]> = (0..(side + 1) * (side + 1)).map(place).collect();
        let corner = |i: u32| i / side * (side + 1) + i % side;
        let mut triangles: Vec<[u32; 3]> = (0..side * side)
            .map(corner)
            .flat_map(|a| [[a, a + side + 1, a + side + 2], [a + 1, a, a + side + 2]])
            .collect();
        for (i, triangle) in triangles.iter_mut().enumerate() {
            triangle.rotate_left(i / 2 % 3);
            if i % 5 == 0 {
                triangle.swap(0, 1);
            }
        }
        for i in 0..100 {
            let [x, y, z] = [7 * i % 31, 11 * i % 13, 5 * i % 29].map(|x| x as f32 + 0.5);
            let first = vertices.len() as u32;
            vertices.extend([[x, y, z], [x - 1.0, y + 0.25, z], [x, y, z - 2.0]]);
            triangles.push([first, first + 1, first + 2]);
        }
        let surface_ids = (0..triangles.len()).map(|i| u16::from(i % 3 == 0)).collect();
        let surfaces = alloc::vec![Surface::default(), Surface { one_sided: true, ..Surface::default() }];
        Mesh::new(MeshData { vertices, triangles, surfaces, surface_ids, ..MeshData::default() }).unwrap()
    }

    fn tree(mesh: &Mesh) -> (WideTree, Vec<u32>) {
        WideTree::build(mesh.triangle_count(), |triangle| {
            let [a, b, c] = mesh.corners(triangle).map(DVec3::as_vec3);
            crate::tree::PackedAabb::new(a.min(b).min(c), a.max(b).max(c)).unwrap()
        })
    }

    #[test]
    fn every_triangle_comes_back_as_the_mesh_has_it() {
        let mesh = hills(32);
        let (tree, order) = tree(&mesh);
        let leaves = TriangleStore::new(&mesh, &tree, &order);
        assert_eq!(leaves.len(), mesh.triangle_count());
        assert!(leaves.fetch_all(0..leaves.len()).map(|packed| packed.triangle()).eq(order.iter().copied()));
        let mut across_groups = 0;
        tree.for_each_leaf(|run| {
            let leaf = leaves.leaf(run.clone());
            let lanes = leaf.corners();
            across_groups += u32::from(run.start as usize / GROUP != (run.end - 1) as usize / GROUP);
            for (lane, slot) in run.enumerate() {
                let packed = leaf.fetch(lane);
                let known = facet(&mesh, order[slot as usize], 1.0);
                let own = packed.facet();
                assert_eq!(packed.triangle(), order[slot as usize]);
                assert_eq!(
                    (own.corners, own.order, own.flat, own.one_sided),
                    (known.corners, known.order, known.flat, known.one_sided)
                );
                assert_eq!(own.given(), mesh.corners(packed.triangle()));
                for (corner, place) in packed.corners().into_iter().enumerate() {
                    let in_lane = lanes[corner].map(|axis| axis.to_array()[lane]);
                    assert_eq!(Vec3::from(in_lane), place);
                }
            }
        });
        assert!(across_groups > 0);
    }

    #[test]
    fn a_mesh_with_its_tree_takes_at_most_64_bytes_a_triangle() {
        let side = 128;
        let vertices = (0..=side * side + 2 * side)
            .map(|i| [(i % (side + 1)) as f32, (i % 5) as f32, (i / (side + 1)) as f32])
            .collect();
        let mut triangles: Vec<[u32; 3]> = (0..side * side)
            .map(|i| i / side * (side + 1) + i % side)
            .flat_map(|a| [[a, a + side + 1, a + side + 2], [a, a + side + 2, a + 1]])
            .collect();
        triangles.shrink_to_fit();
        let tree = MeshTree::new(Mesh::from_triangles(vertices, triangles).unwrap());
        let each = (tree.mesh().memory() + tree.memory()) as f64 / f64::from(tree.mesh().triangle_count());
        assert!((50.0..=64.0).contains(&each), "{each}");
    }
}
