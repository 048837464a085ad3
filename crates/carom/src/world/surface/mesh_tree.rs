//! Triangles in the order of a tree, and the walks to the candidates.

use alloc::sync::Arc;
use core::ops::Range;

use glam::{DVec3, Vec3};
use wide::f32x4;

use crate::bsp::Bsp;
use crate::mesh::Mesh;
use crate::num::bound::{f32_above, f32_below};
use crate::shape::Aabb;
use crate::sweep::mover::SurfaceSweep;
use crate::sweep::{Contact, Hit};
use crate::tree::{PackedAabb, Plan, SweptBox, Volume, WIDTH, WideTree, lanes_of};
use crate::world::gather::gathered_triangles::{GatheredTriangles, Stretch};
use crate::world::query::tie_bound::TieBound;
use crate::world::surface::Surfaces;
use crate::world::surface::bsp_index::{BspIndex, CastIndex};
use crate::world::surface::local::Local;
use crate::world::surface::packed_triangle::{Bounds, PackedTriangle};
use crate::world::surface::triangle_batch::TriangleBatch;
use crate::world::surface::triangle_culler::{TriangleCuller, TrianglesTieBound};
use crate::world::surface::triangle_store::TriangleStore;

/// A mesh and the tree over its triangles, built once and shared by every body that is made of it.
#[derive(Clone, Debug)]
pub struct MeshTree {
    mesh: Mesh,
    pub(super) tree: WideTree,
    pub(super) leaves: TriangleStore,
    /// An index that casts use instead of the tree.
    bsp: Option<Arc<dyn CastIndex>>,
}

impl MeshTree {
    /// Builds the tree; on all cores with the feature `parallel`, the same to the bit.
    pub fn new(mesh: Mesh) -> Self {
        let vertices = |triangle: u32| mesh.triangles()[triangle as usize];
        let bounds = |triangle: u32| {
            let [a, b, c] = vertices(triangle).map(|vertex| Vec3::from(mesh.vertices()[vertex as usize]));
            PackedAabb::new(a.min(b).min(c), a.max(b).max(c))
                .expect("a mesh has finite vertices, and min is below max")
        };
        let (tree, order) = WideTree::build(mesh.triangle_count(), bounds);
        let leaves = TriangleStore::new(&mesh, &tree, &order);
        Self { mesh, tree, leaves, bsp: None }
    }

    /// A mesh whose casts use a BSP tree, with coordinates relative to the mesh's origin: that of the
    /// enclosed solid ([`Bsp::of_mesh`]), a single leaf ([`Bsp::of_surface`]), or any other. Answers are the
    /// same to the bit; queries of movers at rest use the usual tree. Leaves with many triangles are cut
    /// further.
    pub fn with_bsp(mesh: Mesh, bsp: Bsp) -> Self {
        let index = Arc::new(BspIndex::new(&mesh, bsp));
        Self { bsp: Some(index), ..Self::new(mesh) }
    }

    /// The same, but casts go from cell to cell through the portals that the mover reaches, and walk the rest
    /// of the tree only up to the contact found there.
    pub fn with_cells(mesh: Mesh, bsp: Bsp) -> Self {
        let index = Arc::new(BspIndex::with_cells(&mesh, bsp));
        Self { bsp: Some(index), ..Self::new(mesh) }
    }

    /// The BSP tree that casts use.
    pub fn bsp(&self) -> Option<&Bsp> {
        self.bsp.as_deref().map(CastIndex::bsp)
    }

    /// The number of pieces into which the BSP tree cuts the triangles: one for each leaf that a triangle is
    /// in.
    pub fn bsp_pieces(&self) -> usize {
        self.bsp.as_deref().map_or(0, CastIndex::pieces)
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The tree over its triangles.
    pub fn tree(&self) -> &WideTree {
        &self.tree
    }

    /// The bytes that the tree and the triangles in its order use on the heap, besides the mesh.
    pub fn memory(&self) -> usize {
        self.tree.memory() + self.leaves.memory() + self.bsp.as_deref().map_or(0, CastIndex::memory)
    }

    /// All slots.
    pub(super) fn all(&self) -> Range<u32> {
        0..self.leaves.len()
    }

    /// Visits the triangles whose own boxes overlap an area, not the others in their leaves: so the result
    /// does not depend on the tree. All of them without an area: bounds beyond the range of f64 exclude
    /// nothing.
    fn triangles_in(&self, area: Option<&Aabb>, visit: &mut dyn FnMut(&PackedTriangle)) {
        let Some(area) = area else {
            return self.leaves.fetch_all(self.all()).for_each(|packed| visit(&packed));
        };
        // For f32 numbers these bounds select the same as the area itself.
        let bounds = Bounds::from([f32_above(area.min()), f32_below(area.max())]);
        let mut visit_all = |run: Range<u32>| {
            let near = self.leaves.fetch_all(run).filter(|packed| packed.meets(&bounds));
            near.for_each(|packed| visit(&packed));
        };
        match SweptBox::moving(area, DVec3::ZERO) {
            Ok(at_rest) => {
                let expect = |slot| self.leaves.expect(slot);
                self.tree.sweep_expecting(&at_rest, 1.0, expect, |run, best| {
                    visit_all(run);
                    best
                });
            }
            Err(_) => visit_all(self.all()),
        }
    }
}

impl Surfaces for MeshTree {
    fn count(&self) -> u32 {
        self.mesh.triangle_count()
    }

    fn largest(&self) -> f64 {
        self.mesh.largest_coordinate()
    }

    fn hit(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Hit> {
        sweep.triangle(&local.facet(&self.mesh, part), f64::INFINITY)
    }

    fn contact(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Contact> {
        sweep.triangle_contact(&local.facet(&self.mesh, part), f64::INFINITY)
    }

    fn hits(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        tie_bound: Option<TieBound<'_>>,
        best: f64,
        mut take: impl FnMut(Hit, u32, f64) -> f64,
    ) {
        self.triangle_hits(sweep, local, tie_bound, best, &mut take);
    }

    fn contacts(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        distance: f64,
        mut take: impl FnMut(Contact, u32),
    ) {
        self.triangle_contacts(sweep, local, distance, &mut take);
    }
}

/// [`Surfaces::hits`] and [`Surfaces::contacts`], compiled once for each kind of mover, not for each caller.
impl MeshTree {
    fn triangle_hits(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        tie_bound: Option<TieBound<'_>>,
        best: f64,
        take: &mut dyn FnMut(Hit, u32, f64) -> f64,
    ) {
        if let Some(bsp) = &self.bsp {
            return bsp.hits(&self.mesh, sweep.as_any(), local, best, take);
        }
        let mut ask = |packed: &PackedTriangle, best: f64| self.ask(packed, sweep, local, best, take);
        let (path, margin) = (local.path(), local.margin(self.largest()));
        let half_extents = local.half_extents() + DVec3::splat(margin);
        match self.tree.plan(path.from(), path.translation(), half_extents, best) {
            Plan::Nothing => {}
            Plan::ClippedSweep(clipped) => {
                let culler = TriangleCuller::of(
                    sweep,
                    &clipped,
                    local.mover(),
                    margin,
                    tie_bound.map(|tie_bound| TrianglesTieBound { tie_bound, largest: self.largest() }),
                );
                let expect = |slot| self.leaves.expect(slot);
                self.tree.follow(&clipped, &culler, best, expect, |run, best, limit| {
                    earliest_first(&culler, &self.leaves.leaf(run), best, limit, &mut ask)
                });
            }
            Plan::Exact => {
                let mut ask_all = |run: Range<u32>, best| {
                    self.leaves.fetch_all(run).fold(best, |best, packed| ask(&packed, best))
                };
                match SweptBox::new(path, half_extents) {
                    Ok(swept) => self.tree.in_order(|volume| volume.entry(&swept), best, &mut ask_all),
                    // Bounds beyond the range of f64 exclude nothing.
                    Err(_) => ask_all(self.all(), best),
                };
            }
        }
    }

    fn triangle_contacts(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        distance: f64,
        take: &mut dyn FnMut(Contact, u32),
    ) {
        let mut ask = self.asked_for_contact(sweep, local, distance, take);
        // Decided by the form first, which is known where this is compiled: others need no culler.
        if sweep.form().is_thick_segment() && local.mover().is_thick_segment() {
            let near = local.margin(self.largest()) + distance;
            let half_extents = local.half_extents() + DVec3::splat(near);
            match self.tree.plan(local.path().from(), DVec3::ZERO, half_extents, 1.0) {
                Plan::Nothing => return,
                Plan::ClippedSweep(clipped) => {
                    let culler = TriangleCuller::of(sweep, &clipped, local.mover(), near, None);
                    let expect = |slot| self.leaves.expect(slot);
                    self.tree.follow(&clipped, &culler, 1.0, expect, |run, best, _| {
                        all_near(&culler, &self.leaves.leaf(run), &mut ask);
                        best
                    });
                    return;
                }
                Plan::Exact => {}
            }
        }
        self.triangles_in(local.area(self.largest(), distance).as_ref(), &mut ask);
    }
}

impl MeshTree {
    /// Keeps those whose boxes overlap an area, or all without one. Returns their ranges; `None` if there are
    /// none.
    pub(in crate::world) fn gather(
        &self,
        area: Option<&Aabb>,
        into: &mut GatheredTriangles,
    ) -> Option<Stretch> {
        into.add(|add| self.triangles_in(area, add))
    }

    /// Tests a triangle with the kernel. Returns the new best fraction.
    #[inline(always)]
    pub(in crate::world) fn ask(
        &self,
        packed: &PackedTriangle,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        best: f64,
        take: &mut (impl FnMut(Hit, u32, f64) -> f64 + ?Sized),
    ) -> f64 {
        match sweep.triangle(&local.packed_facet(&self.mesh, packed), local.fraction_asked(best)) {
            Some(hit) => take(hit, packed.triangle(), best),
            None => best,
        }
    }

    /// A closure that computes the contact of the mover with a triangle, for gaps up to a distance.
    #[inline(always)]
    pub(in crate::world) fn asked_for_contact<'a>(
        &'a self,
        sweep: &'a impl SurfaceSweep,
        local: &'a Local<'a>,
        distance: f64,
        mut take: impl FnMut(Contact, u32) + 'a,
    ) -> impl FnMut(&PackedTriangle) + 'a {
        let within = local.largest_gap(distance);
        move |packed| {
            let facet = local.packed_facet(&self.mesh, packed);
            if let Some(contact) = sweep.triangle_contact(&facet, within) {
                take(contact, packed.triangle());
            }
        }
    }
}

/// Tests those of up to four triangles that may be hit by the best fraction, the earliest first: its hit may
/// exclude the others. Returns the new best fraction. The limit is that fraction on the clipped sweep.
#[inline(always)]
fn earliest_first<S: SurfaceSweep>(
    culler: &TriangleCuller<'_, S>,
    batch: &impl TriangleBatch,
    mut best: f64,
    mut limit: f32,
    ask: &mut impl FnMut(&PackedTriangle, f64) -> f64,
) -> f64 {
    let mut order = LaneOrder::new(&culler.entries(batch, limit), batch.count());
    while let Some(lane) = order.next(limit) {
        let packed = batch.fetch(lane);
        if culler.is_behind(&packed, limit) {
            continue;
        }
        let improved = ask(&packed, best);
        // A NaN counts as an improvement too, because of the limit.
        if improved != best {
            best = improved;
            limit = culler.limit(best);
        }
    }
    best
}

/// Tests those of up to four triangles that a mover at rest may touch.
#[inline(always)]
pub(in crate::world) fn all_near<S: SurfaceSweep>(
    culler: &TriangleCuller<'_, S>,
    batch: &impl TriangleBatch,
    ask: &mut impl FnMut(&PackedTriangle),
) {
    let limit = culler.limit(1.0);
    lanes_by(&culler.entries(batch, limit), limit, batch.count()).for_each(|lane| ask(&batch.fetch(lane)));
}

/// The first `count` lanes whose entries are not above a limit. A NaN is not above.
#[inline(always)]
pub(in crate::world) fn lanes_by(
    entries: &[f32; WIDTH],
    limit: f32,
    count: usize,
) -> impl Iterator<Item = usize> {
    let late = f32x4::new(*entries).simd_gt(f32x4::splat(limit)).to_bitmask();
    lanes_of(!late & ((1 << count) - 1))
}

/// Non-negative entries with their lanes, sorted without branches: floats that are not negative are ordered
/// like their bits, and the lowest two bits hold the lane.
pub(super) struct LaneOrder([i32; WIDTH]);

impl LaneOrder {
    const LANES: i32 = WIDTH as i32 - 1;

    #[inline(always)]
    pub(super) fn new(entries: &[f32; WIDTH], count: usize) -> Self {
        let mut order = [0; WIDTH];
        for (lane, entry) in entries.iter().enumerate() {
            // A NaN counts as 0.
            let known = if lane >= count {
                f32::INFINITY
            } else if entry.is_nan() {
                0.0
            } else {
                *entry
            };
            order[lane] = known.to_bits() as i32 & !Self::LANES | lane as i32;
        }
        Self(order)
    }

    /// The lane of the lowest of the entries that are left, unless it is above the limit.
    #[inline(always)]
    pub(super) fn next(&mut self, limit: f32) -> Option<usize> {
        let [a, b, c, d] = self.0;
        let lowest = a.min(b).min(c.min(d));
        if f32::from_bits((lowest & !Self::LANES) as u32) > limit {
            return None;
        }
        let lane = (lowest & Self::LANES) as usize;
        self.0[lane] = f32::INFINITY.to_bits() as i32;
        Some(lane)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrayvec::ArrayVec;

    #[test]
    fn lanes_come_from_low_to_high_up_to_a_limit() {
        let lanes = |entries, count, limit| {
            let mut order = LaneOrder::new(&entries, count);
            let lanes: ArrayVec<usize, WIDTH> = core::iter::from_fn(|| order.next(limit)).collect();
            lanes
        };
        let least = f32::from_bits(1);
        assert_eq!(lanes([0.5, 0.0, 0.75, 0.25], 4, 1.0)[..], [1, 3, 0, 2]);
        assert_eq!(lanes([0.5, 0.0, 0.75, 0.25], 4, 0.5)[..], [1, 3, 0]);
        assert_eq!(lanes([0.5, 0.0, 0.75, 0.25], 3, 1.0)[..], [1, 0, 2]);
        assert_eq!(lanes([0.5, f32::NAN, f32::INFINITY, -0.0], 4, 1.0)[..], [3, 1, 0]);
        assert_eq!(lanes([f32::NAN, f32::INFINITY, 1e-40, least], 4, least)[..], [0, 3]);
        assert_eq!(lanes([0.0, 0.0, 0.0, 0.0], 2, -least), [0usize; 0][..]);
        // Equal to the limit is within it.
        for entry in [0.1, 0.3, 1.0, least, 3e-39] {
            assert_eq!(lanes([f32::INFINITY, f32::INFINITY, entry, 1.5], 4, entry)[..], [2]);
        }
    }
}
