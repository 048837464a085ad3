//! Curved patches with a tree over their cells.

use alloc::vec::Vec;

use glam::DVec3;

use crate::shape::{Aabb, BezierPatch, Mover, PatchNet};
use crate::sweep::mover::AnySweep;
use crate::sweep::patch::{Cell, cells_of};
use crate::sweep::{Contact, Hit};
use crate::tree::{Settings, Tree};
use crate::world::surface::local::Local;
use crate::world::surface::part_set::{AsParts, PartSet};

/// Curved patches, cut into nearly flat cells, and the tree over these. They are sheets, not a solid. The
/// parts of such a body are the cells: [`PatchTree::patch_of`] names the patch of each.
#[derive(Clone, Debug)]
pub struct PatchTree {
    patches: Vec<BezierPatch>,
    cells: Vec<Cell>,
    tree: Tree<Aabb>,
    largest: f64,
    as_parts: AsParts<Self>,
}

impl PatchTree {
    /// Cuts the patches and builds the tree.
    pub fn new(patches: Vec<BezierPatch>) -> Self {
        let cells = cells_of(&patches);
        let tree = Tree::build(cells.len() as u32, |cell| reach(&cells[cell as usize]), &Settings::default());
        let largest =
            tree.bounds().map_or(0.0, |bounds| bounds.min().abs().max(bounds.max().abs()).max_element());
        Self { patches, cells, tree, largest, as_parts: |set| set }
    }

    /// The patches.
    pub fn patches(&self) -> &[BezierPatch] {
        &self.patches
    }

    /// The number of cells, which are the parts of a body.
    pub fn cell_count(&self) -> u32 {
        self.cells.len() as u32
    }

    /// The number of the patch that a part belongs to; `None` if there is no such part.
    pub fn patch_of(&self, part: u32) -> Option<u32> {
        self.cells.get(part as usize).map(|cell| cell.patch)
    }

    /// The largest absolute coordinate, in meters; 0 if there are no patches.
    pub fn largest_coordinate(&self) -> f64 {
        self.largest
    }

    /// The tree over the cells.
    pub fn tree(&self) -> &Tree<Aabb> {
        &self.tree
    }

    /// The bytes that cells and tree use.
    pub fn memory(&self) -> usize {
        self.cells.len() * size_of::<Cell>()
            + self.patches.len() * size_of::<BezierPatch>()
            + self.tree.memory()
    }

    /// Three corners of a cell, which represent it in the order of contacts.
    pub(in crate::world) fn corners(&self, part: u32) -> [DVec3; 3] {
        self.cells[part as usize].corners()
    }

    pub(in crate::world) fn as_parts(&self) -> &dyn PartSet {
        (self.as_parts)(self)
    }
}

impl From<PatchNet> for PatchTree {
    fn from(net: PatchNet) -> Self {
        Self::new(net.patches().to_vec())
    }
}

/// A mover may be stopped ahead of a cell by the error of its triangles and their margin.
fn reach(cell: &Cell) -> Aabb {
    cell.bounds().grown(4.0 * cell.flat)
}

impl PartSet for PatchTree {
    fn parts(&self) -> u32 {
        self.cell_count()
    }

    fn largest_of_all(&self) -> f64 {
        self.largest
    }

    fn boxes(&self) -> &Tree<Aabb> {
        &self.tree
    }

    fn box_of(&self, part: u32) -> Aabb {
        reach(&self.cells[part as usize])
    }

    fn hit_part(&self, sweep: AnySweep<'_>, local: &Local<'_>, part: u32, within: f64) -> Option<Hit> {
        local.cell(&self.cells[part as usize], |cell| sweep.patch(cell, within))
    }

    fn contact_part(
        &self,
        sweep: AnySweep<'_>,
        local: &Local<'_>,
        part: u32,
        within: f64,
    ) -> Option<Contact> {
        local.cell(&self.cells[part as usize], |cell| sweep.patch_contact(cell, within))
    }

    fn normal_near(&self, part: u32, place: DVec3) -> Option<DVec3> {
        self.cells.get(part as usize)?.normal_near(place)
    }

    fn nearest_to(&self, part: u32, mover: &Mover, center: DVec3) -> Option<(f64, DVec3)> {
        self.cells[part as usize].nearest(mover, center)
    }
}
