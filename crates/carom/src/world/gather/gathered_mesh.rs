//! The triangles of a mesh near a mover, as a surface. Queries give the same answers, to the bit, as on the
//! whole mesh.

use arrayvec::ArrayVec;
use glam::DVec3;

use crate::num::bound::{f32_above, f32_below};
use crate::shape::Mover;
use crate::sweep::mover::SurfaceSweep;
use crate::sweep::parts::form::Form;
use crate::sweep::{Contact, Hit};
use crate::tree::ClippedSweep;
use crate::world::gather::gathered_triangles::Triangles;
use crate::world::query::tie_bound::TieBound;
use crate::world::surface::Surfaces;
use crate::world::surface::local::Local;
use crate::world::surface::mesh_tree::{MeshTree, all_near, lanes_by};
use crate::world::surface::packed_triangle::PackedTriangle;
use crate::world::surface::triangle_culler::TriangleCuller;

/// A mesh, and its triangles that are near a mover.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GatheredMesh<'a> {
    pub(crate) mesh: &'a MeshTree,
    pub(crate) triangles: Triangles<'a>,
}

/// At most this many candidates wait, sorted by entry, before the kernel sees the first.
const WAITING: usize = 32;

/// This few triangles go to the kernel directly, which is as fast as culling them.
const FEW: usize = 2;

impl GatheredMesh<'_> {
    /// An ellipsoid at rest, grown until it contains every triangle with a gap up to a distance.
    fn clipped_at_rest(&self, local: &Local<'_>, distance: f64) -> Option<(ClippedSweep, f64)> {
        let Mover::Ellipsoid(ellipsoid) = local.mover() else { return None };
        // In the space where it is a ball, a gap is longer by up to one over the smallest radius, and back in
        // the world longer by up to the largest radius. Twice that, because all of this rounds.
        let radii = ellipsoid.radii();
        let longest = 2.0 * distance * radii.max_element() / radii.min_element();
        let near = local.margin(self.largest()) + longest;
        let half_extents = local.half_extents() + DVec3::splat(near);
        let clipped =
            ClippedSweep::near(local.path().from(), DVec3::ZERO, half_extents, self.triangles.bounds)?;
        Some((clipped, near))
    }
}

impl Surfaces for GatheredMesh<'_> {
    fn count(&self) -> u32 {
        self.mesh.count()
    }

    fn largest(&self) -> f64 {
        self.mesh.largest()
    }

    fn hit(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Hit> {
        self.mesh.hit(sweep, local, part)
    }

    fn contact(&self, sweep: &impl SurfaceSweep, local: &Local<'_>, part: u32) -> Option<Contact> {
        self.mesh.contact(sweep, local, part)
    }

    #[inline(always)]
    fn hits(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        _: Option<TieBound<'_>>,
        mut best: f64,
        mut take: impl FnMut(Hit, u32, f64) -> f64,
    ) {
        let mut ask =
            |packed: &PackedTriangle, best: f64| self.mesh.ask(packed, sweep, local, best, &mut take);
        let (path, margin) = (local.path(), local.margin(self.largest()));
        let half_extents = local.half_extents() + DVec3::splat(margin);
        match ClippedSweep::near(path.from(), path.translation(), half_extents, self.triangles.bounds) {
            Some(clipped) => {
                let culler = TriangleCuller::of(sweep, &clipped, local.mover(), margin, None);
                // All are culled before the first goes to the kernel: its hit may exclude the others.
                let mut waiting = ArrayVec::<(f32, &PackedTriangle), WAITING>::new();
                self.triangles.in_batches(&clipped, |batch| {
                    let limit = culler.limit(best);
                    let entries = culler.entries(batch, limit);
                    for lane in lanes_by(&entries, limit, batch.count) {
                        let (entry, packed) = (entries[lane], batch.triangles[lane]);
                        if waiting.is_full() {
                            best = ask(packed, best);
                        } else {
                            let place = waiting.iter().take_while(|(other, _)| *other <= entry).count();
                            waiting.insert(place, (entry, packed));
                        }
                    }
                });
                for &(entry, packed) in &waiting {
                    let is_late = entry > culler.limit(best);
                    if !is_late {
                        best = ask(packed, best);
                    }
                }
            }
            // Numbers too large for a box in f32.
            None => {
                self.triangles.iter().fold(best, |best, packed| ask(packed, best));
            }
        }
    }

    #[inline(always)]
    fn contacts(
        &self,
        sweep: &impl SurfaceSweep,
        local: &Local<'_>,
        distance: f64,
        take: impl FnMut(Contact, u32),
    ) {
        let mut ask = self.mesh.asked_for_contact(sweep, local, distance, take);
        // Decided by the form first, which is known where this is compiled: not each needs a culler.
        if sweep.form().is_thick_segment() && local.mover().is_thick_segment() {
            let near = local.margin(self.largest()) + distance;
            let half_extents = local.half_extents() + DVec3::splat(near);
            if let Some(clipped) =
                ClippedSweep::near(local.path().from(), DVec3::ZERO, half_extents, self.triangles.bounds)
            {
                let culler = TriangleCuller::of(sweep, &clipped, local.mover(), near, None);
                return self.triangles.in_batches(&clipped, |batch| all_near(&culler, batch, &mut ask));
            }
        }
        match local.area(self.largest(), distance) {
            Some(area) => {
                let is_ellipsoid = sweep.form() == Form::Ellipsoid;
                let clipped = if is_ellipsoid { self.clipped_at_rest(local, distance) } else { None };
                let mut culler = None;
                self.triangles.meeting(
                    [f32_above(area.min()), f32_below(area.max())],
                    |batch| match &clipped {
                        Some((clipped, near)) if batch.count > FEW => {
                            let of = || TriangleCuller::of(sweep, clipped, local.mover(), *near, None);
                            all_near(culler.get_or_insert_with(of), batch, &mut ask);
                        }
                        _ => batch.triangles[..batch.count].iter().for_each(|packed| ask(packed)),
                    },
                );
            }
            // Bounds beyond the range of f64 exclude nothing.
            None => self.triangles.iter().for_each(ask),
        }
    }
}
