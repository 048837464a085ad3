//! Triangles in the order of a tree, and the walks to those that come into question.

use alloc::vec::Vec;
use core::ops::Range;

use glam::{DVec3, Vec3};

use super::local::Local;
use super::rival::Rival;
use super::screen::Screen;
use super::surfaces::Surfaces;
use crate::mesh::Mesh;
use crate::shape::Aabb;
use crate::sweep::mover::SurfaceSweep;
use crate::sweep::{Contact, Hit};
use crate::tree::{PackedAabb, Plan, SweptBox, Volume, WIDTH, WideBox, WideTree};

/// A mesh and the tree over its triangles, built once and shared by every body that is made of it.
#[derive(Clone, Debug)]
pub struct MeshTree {
    mesh: Mesh,
    tree: WideTree,
    slots: Vec<Slot>,
}

/// A triangle where the walk through the tree finds it: neighbours in space are neighbours in memory.
#[derive(Clone, Copy, Debug)]
struct Slot {
    corners: [[f32; 3]; 3],
    triangle: u32,
}

impl MeshTree {
    /// Builds the tree; on all cores with the feature `parallel`, the same to the bit.
    pub fn new(mesh: Mesh) -> Self {
        let corners =
            |triangle: u32| mesh.triangles()[triangle as usize].map(|i| mesh.vertices()[i as usize]);
        let bounds = |triangle: u32| {
            let [a, b, c] = corners(triangle).map(glam::Vec3::from);
            PackedAabb::new(a.min(b).min(c), a.max(b).max(c))
                .expect("a mesh has finite vertices, and min is below max")
        };
        let (tree, order) = WideTree::build(mesh.triangle_count(), bounds);
        let slots = order.into_iter().map(|triangle| Slot { corners: corners(triangle), triangle }).collect();
        Self { mesh, tree, slots }
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The tree over its triangles.
    pub fn tree(&self) -> &WideTree {
        &self.tree
    }

    /// The bytes that the tree and the triangles in its order hold on the heap, besides the mesh.
    pub fn memory(&self) -> usize {
        self.tree.memory() + self.slots.capacity() * size_of::<Slot>()
    }

    /// A run of the triangles in the order of the tree.
    #[inline(always)]
    fn slots(&self, run: Range<u32>) -> &[Slot] {
        &self.slots[run.start as usize..run.end as usize]
    }

    /// Visits the triangles whose own boxes overlap an area: not those that the tree has put together with them, so that what is
    /// found does not depend on the tree.
    #[inline(always)]
    fn slots_in(&self, area: &Aabb, mut visit: impl FnMut(&Slot)) {
        let mut visit_all =
            |slots: &[Slot]| slots.iter().filter(|slot| slot.overlaps(area)).for_each(&mut visit);
        match SweptBox::moving(area, DVec3::ZERO) {
            Ok(at_rest) => {
                self.tree.sweep(&at_rest, 1.0, |run, best| {
                    visit_all(self.slots(run));
                    best
                });
            }
            Err(_) => visit_all(&self.slots),
        }
    }
}

impl Slot {
    #[inline(always)]
    fn corners(&self) -> [DVec3; 3] {
        self.corners.map(|corner| Vec3::from(corner).as_dvec3())
    }

    fn overlaps(&self, area: &Aabb) -> bool {
        let [a, b, c] = self.corners();
        a.min(b).min(c).cmple(area.max()).all() && a.max(b).max(c).cmpge(area.min()).all()
    }
}

impl Surfaces for MeshTree {
    type Bounds = WideBox;

    fn count(&self) -> u32 {
        self.mesh.triangle_count()
    }

    fn largest(&self) -> f64 {
        self.mesh.largest_coordinate()
    }

    fn hit(&self, sweep: &impl SurfaceSweep, local: &Local, part: u32) -> Option<Hit> {
        sweep.triangle(&local.facet(&self.mesh, part, self.mesh.corners(part)))
    }

    fn contact(&self, sweep: &impl SurfaceSweep, local: &Local, part: u32) -> Option<Contact> {
        sweep.triangle_contact(&local.facet(&self.mesh, part, self.mesh.corners(part)))
    }

    #[inline(always)]
    fn hits(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local,
        rival: Option<Rival<'_>>,
        best: f64,
        mut take: impl FnMut(Hit, u32, f64) -> f64,
    ) {
        let mut ask = |slot: &Slot, best: f64| match sweep.triangle(&local.facet(
            &self.mesh,
            slot.triangle,
            slot.corners(),
        )) {
            Some(hit) => take(hit, slot.triangle, best),
            None => best,
        };
        let (path, margin) = (local.path(), local.margin(self.largest()));
        let half_extents = local.half_extents() + DVec3::splat(margin);
        match self.tree.plan(path.from(), path.translation(), half_extents, best) {
            Plan::Nothing => {}
            Plan::Course(course) => {
                let from = course.from.as_dvec3();
                let size = self.largest() + from.abs().max_element();
                let bar = rival.map(|rival| rival.seen_from(from, 2.0 * course.growth, size));
                let screen = Screen::new(&course, local.mover(), margin).before(bar);
                self.tree.follow(&course, &screen, best, |run, mut best| {
                    let slots = self.slots(run);
                    let last = slots.len() - 1;
                    let corners: [_; WIDTH] = core::array::from_fn(|lane| &slots[lane.min(last)].corners);
                    let entries = screen.entries(corners, course.limit(best));
                    let mut left = (1 << slots.len()) - 1;
                    // The earliest first: what it stops, the others need not be asked for.
                    while let Some(lane) = earliest(&entries, left) {
                        if entries[lane] > course.limit(best) {
                            break;
                        }
                        left &= !(1 << lane);
                        if !screen.is_behind(&slots[lane].corners, course.limit(best)) {
                            best = ask(&slots[lane], best);
                        }
                    }
                    best
                });
            }
            Plan::Exact => {
                let mut ask_all =
                    |slots: &[Slot], best| slots.iter().fold(best, |best, slot| ask(slot, best));
                match SweptBox::new(path, half_extents) {
                    Ok(swept) => self.tree.in_order(
                        |volume| volume.entry(&swept),
                        best,
                        |run, best| ask_all(self.slots(run), best),
                    ),
                    // Bounds beyond the range of f64 exclude nothing.
                    Err(_) => ask_all(&self.slots, best),
                };
            }
        }
    }

    fn around(&self, area: &Aabb, mut visit: impl FnMut(u32)) {
        self.slots_in(area, |slot| visit(slot.triangle));
    }

    fn contacts(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local,
        area: &Aabb,
        mut take: impl FnMut(Contact, u32),
    ) {
        self.slots_in(area, |slot| {
            let facet = local.facet(&self.mesh, slot.triangle, slot.corners());
            if let Some(contact) = sweep.triangle_contact(&facet) {
                take(contact, slot.triangle);
            }
        });
    }

    fn in_order(&self, bound: impl Fn(&WideBox) -> f64, best: f64, mut visit: impl FnMut(u32, f64) -> f64) {
        self.tree.in_order(bound, best, |run, best| {
            self.slots(run).iter().fold(best, |best, slot| visit(slot.triangle, best))
        });
    }
}

/// The lane of the lowest of the entries that are left; one that is no number is as low as any.
#[expect(clippy::neg_cmp_op_on_partial_ord, reason = "what cannot be compared is not skipped")]
#[inline(always)]
fn earliest(entries: &[f32; WIDTH], left: u32) -> Option<usize> {
    let mut earliest = None;
    let mut lowest = f32::INFINITY;
    for (lane, &entry) in entries.iter().enumerate() {
        if left >> lane & 1 == 1 && !(entry >= lowest) {
            (earliest, lowest) = (Some(lane), entry);
        }
    }
    earliest
}
