//! Parts of bodies near a mover, and the queries on them.
//!
//! Answers are those of the bodies themselves, to the bit, because parts that were left out could not matter.

pub(in crate::world) mod clear_floor;
mod clear_place;
pub(in crate::world) mod first;
pub(in crate::world) mod gathered_mesh;
pub(in crate::world) mod gathered_solids;
pub(in crate::world) mod gathered_triangles;
pub(in crate::world) mod memory;
pub(in crate::world) mod neighborhood;
pub(in crate::world) mod place_boxes;
mod separation;
mod tick_queries;

use alloc::vec::Vec;
use core::ops::Range;

use glam::DVec3;

use crate::num::bound::reach;
use crate::num::ops;
use crate::prefetch::prefetch_far;
use crate::shape::{Aabb, Mover};
use crate::sweep::mover::margin;
use crate::sweep::{Contact, Path, Placed};
use crate::world::body::Body;
use crate::world::body::body_at_time::{BodyAtTime, Wanted};
use crate::world::body::collider::Collider;
use crate::world::body::pose::Frame;
use crate::world::body::solid::{near_contact, placed_hit, solids_contact};
use crate::world::body::sweep_segment::SweepSegment;
use crate::world::gather::first::First;
use crate::world::gather::gathered_mesh::GatheredMesh;
use crate::world::gather::gathered_solids::GatheredSolids;
use crate::world::gather::gathered_triangles::{GatheredTriangles, Triangles};
use crate::world::gather::place_boxes::PlaceBoxes;
use crate::world::gather::separation::Reach;
use crate::world::index::IndexedBounds;
use crate::world::surface::part_set::{Boxed, GatheredParts, PartSet};
use crate::world::{BodyId, CastHit, ContactQuery, Part, World};

/// For this few bodies made of surfaces, testing their boxes first would not be faster.
const FEW: usize = 2;

/// The parts of some bodies near a mover.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathering {
    bodies: Vec<Gathered>,
    /// Of those.
    boxes: PlaceBoxes,
    /// Of meshes.
    triangles: GatheredTriangles,
    /// Of sets of polygons and patches.
    boxed: Vec<Boxed>,
    solids: GatheredSolids,
    /// Whether any of the bodies moves in this tick.
    has_moving: bool,
}

/// A body made of surfaces. Two cache lines, prefetched together.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Gathered {
    body: BodyId,
    parts: Stretch,
    moves: bool,
}

/// The ranges of the parts of a body.
#[derive(Clone, Debug)]
enum Stretch {
    Triangles(gathered_triangles::Stretch),
    Boxed(Range<usize>),
}

impl Gathering {
    pub(crate) fn clear(&mut self) {
        self.bodies.clear();
        self.boxes.clear();
        self.triangles.clear();
        self.boxed.clear();
        self.solids.clear();
        self.has_moving = false;
    }

    /// Adds the parts of a body that a mover can hit in this tick while its center stays within `way.from() ±
    /// way.translation()`. The choice depends on the two alone, not on the index of bodies.
    pub(crate) fn add(&mut self, id: BodyId, body: &Body, mover: &Mover, path: &Path) {
        // For surfaces at rest at the origin, not turned, the box of the body excludes no more than their own
        // boxes, which are tested.
        let is_known = body.is_surface_in_world_axes();
        let place = if is_known { IndexedBounds::Anywhere } else { body.indexed_bounds() };
        let centers = [path.from() - path.translation(), path.from() + path.translation()];
        if !place.is_within_reach(mover, path, centers) {
            return;
        }
        let parts = match &body.collider {
            // Bounds beyond the range of f64 exclude nothing.
            Collider::Mesh(mesh) => {
                let area = body.area_in_tick(mover, path, mesh.mesh().largest_coordinate());
                mesh.gather(area.as_ref(), &mut self.triangles).map(Stretch::Triangles)
            }
            collider => match collider.part_set() {
                Some(set) => {
                    let area = body.area_in_tick(mover, path, set.largest_of_all());
                    set.gather(area.as_ref(), &mut self.boxed).map(Stretch::Boxed)
                }
                None => {
                    self.has_moving |= body.is_moving();
                    self.solids.add(id, body, &place);
                    None
                }
            },
        };
        if let Some(parts) = parts {
            self.has_moving |= body.is_moving();
            self.bodies.push(Gathered { body: id, parts, moves: body.is_moving() });
            self.boxes.add(id, &place);
        }
    }

    /// Sorts everything into the order of the world, which does not depend on the index.
    pub(crate) fn finish(&mut self) {
        self.bodies.sort_unstable_by_key(|gathered| gathered.body);
        self.boxes.finish();
        self.solids.finish();
    }

    /// Whether any of the bodies moves in this tick.
    pub(crate) fn has_moving(&self) -> bool {
        self.has_moving
    }

    /// Whether any moving body may come within a distance of a mover at the start of `at`, by the boxes that
    /// bodies do not leave in the tick.
    pub(crate) fn has_moving_within(&self, world: &World, mover: &Mover, at: &Path, distance: f64) -> bool {
        self.has_moving && self.has_within(world, mover, at, DVec3::splat(distance), |moves| moves)
    }

    /// The same for any body, moving or at rest, and another distance along each axis.
    pub(crate) fn has_any_within(&self, world: &World, mover: &Mover, at: &Path, reach: DVec3) -> bool {
        self.has_within(world, mover, at, reach, |_| true)
    }

    /// The same for the bodies that `counts` selects, given whether each is moving.
    fn has_within(
        &self,
        world: &World,
        mover: &Mover,
        at: &Path,
        reach: DVec3,
        counts: impl Fn(bool) -> bool,
    ) -> bool {
        let centers = [at.from() - reach, at.from() + reach];
        let is_near = |id: BodyId| {
            world.body(id).is_some_and(|body| body.indexed_bounds().is_within_reach(mover, at, centers))
        };
        let mut found = false;
        self.solids.around(mover, at, reach, |solid| found |= counts(solid.moves));
        found || self.bodies.iter().any(|gathered| counts(gathered.moves) && is_near(gathered.body))
    }

    pub(crate) fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.bodies.iter().map(|gathered| gathered.body).chain(self.solids.bodies())
    }

    pub(crate) fn part_count(&self) -> usize {
        self.triangles.len() + self.boxed.len() + self.solids.len()
    }

    /// Whether a mover can hit any part in this tick while its center stays within `way.from() ±
    /// way.translation()`, by the test of [`Gathering::add`]. Only for bodies at rest that were gathered for
    /// a region at least as large.
    pub(crate) fn any_within_reach(&self, world: &World, mover: &Mover, path: &Path) -> bool {
        self.any_near(world, mover, path, |_, triangles, area| triangles.any_in(area))
    }

    /// The same, but a triangle from which a direction shows the mover apart is out of reach, even if its box
    /// is not.
    pub(crate) fn any_touching_reach(&self, world: &World, mover: &Mover, path: &Path) -> bool {
        self.any_near(world, mover, path, |body, triangles, area| {
            let reach = Reach::new(area, Some(mover).filter(|_| body.is_surface_in_world_axes()));
            triangles.any_in_but(area, |corners| reach.is_apart_from(corners))
        })
    }

    fn any_near(
        &self,
        world: &World,
        mover: &Mover,
        path: &Path,
        any_in: impl Fn(&Body, Triangles<'_>, &Aabb) -> bool,
    ) -> bool {
        let centers = [path.from() - path.translation(), path.from() + path.translation()];
        let is_near = |body: &&Body| {
            body.is_surface_in_world_axes() || body.indexed_bounds().is_within_reach(mover, path, centers)
        };
        let meets = |gathered: &Gathered| {
            let Some(body) = world.body(gathered.body).filter(is_near) else { return false };
            match (&gathered.parts, &body.collider) {
                (Stretch::Triangles(stretch), Collider::Mesh(mesh)) => {
                    let area = body.area_in_tick(mover, path, mesh.mesh().largest_coordinate());
                    let triangles = self.triangles.stretch(stretch);
                    area.is_none_or(|area| any_in(body, triangles, &area))
                }
                (Stretch::Boxed(stretch), collider) => {
                    self.boxed_parts(stretch, collider).is_some_and(|near| {
                        let area = body.area_in_tick(mover, path, near.set.largest_of_all());
                        area.is_none_or(|area| near.any_in(&area))
                    })
                }
                _ => false,
            }
        };
        let mut found = false;
        self.solids.around(mover, path, path.translation(), |solid| {
            found = found || world.body(solid.body).as_ref().is_some_and(is_near);
        });
        found || self.bodies.iter().any(meets)
    }

    /// The parts of a set near the mover; `None` if the body is not made of one.
    fn boxed_parts<'a>(
        &'a self,
        stretch: &Range<usize>,
        collider: &'a Collider,
    ) -> Option<GatheredParts<'a>> {
        Some(GatheredParts { set: collider.part_set()?, parts: &self.boxed[stretch.clone()] })
    }

    /// Copies the triangles in an area close together.
    pub(crate) fn narrow(&mut self, world: &World, area: &Aabb) {
        self.triangles.widen();
        for gathered in &mut self.bodies {
            let area = gathered.local_area(world, area);
            if let (Stretch::Triangles(stretch), Some(area)) = (&mut gathered.parts, area) {
                self.triangles.narrow(stretch, &area);
            }
        }
    }

    /// Whether there are any parts in an area: of a body at rest those that lie there, of a moving one all
    /// that were gathered.
    pub(crate) fn has_parts_in(&self, world: &World, area: &Aabb) -> bool {
        let mut found = false;
        self.solids.within(area, |_| found = true);
        self.boxes.within(area, |number| {
            let Gathered { parts, .. } = &self.bodies[number];
            let local = self.bodies[number].local_area(world, area);
            found = found
                || local.is_none_or(|area| match parts {
                    Stretch::Triangles(stretch) => self.triangles.stretch(stretch).any_in(&area),
                    Stretch::Boxed(stretch) => {
                        self.boxed[stretch.clone()].iter().any(|boxed| boxed.meets(&area))
                    }
                });
        });
        found
    }

    /// Prefetches the lists,
    pub(crate) fn prefetch(&self) {
        prefetch_far(&self.bodies);
        self.triangles.prefetch();
    }

    /// then their entries,
    pub(crate) fn prefetch_lists(&self) {
        self.triangles.prefetch_active();
        if let Some(Gathered { body, parts, .. }) = self.bodies.first() {
            prefetch_far(body);
            prefetch_far(parts);
        }
    }

    /// and last the triangles.
    pub(crate) fn prefetch_triangles(&self) {
        self.triangles.prefetch_triangles();
    }

    /// The triangles of a body that is a mesh.
    pub(crate) fn triangles_of(&self, body: BodyId) -> Option<Triangles<'_>> {
        match &self.of(body)?.parts {
            Stretch::Triangles(stretch) => Some(self.triangles.stretch(stretch)),
            Stretch::Boxed(_) => None,
        }
    }

    fn of(&self, body: BodyId) -> Option<&Gathered> {
        self.bodies.iter().find(|gathered| gathered.body == body)
    }

    /// Offers the first contact on a part of a tick, and perhaps others.
    pub(crate) fn sweep(&self, world: &World, segment: &SweepSegment<'_>, first: &mut First) {
        // A mover that stays is hit only by moving bodies.
        let stays = segment.translation == DVec3::ZERO;
        let asks = |gathered: &&Gathered| gathered.moves || !stays;
        let path = Path::new(segment.from, segment.translation);
        match &path {
            Ok(path) if self.bodies.len() > FEW => {
                let moves = |number: usize| self.bodies[number].moves;
                self.boxes.sweep(segment.mover, path, first.limit(), moves, |number, _| {
                    if let Some(gathered) = Some(&self.bodies[number]).filter(asks) {
                        self.sweep_one(world, segment, gathered, first);
                    }
                    first.limit()
                });
            }
            _ => {
                self.bodies.iter().filter(asks).for_each(|near| self.sweep_one(world, segment, near, first));
            }
        }
        let Ok(path) = path else { return };
        self.solids.sweep(segment.mover, &path, first.limit(), |solid, _| {
            match &solid.at_rest {
                _ if stays && !solid.moves => {}
                Some((shape, center)) => {
                    let placed = Placed { shape, center: *center };
                    if let Some(hit) = placed_hit(segment.mover, &path, placed, first.limit()) {
                        // Only the fraction and the part are needed.
                        first.offer(world, CastHit { hit, body: solid.body, part: 0, user_data: 0 });
                    }
                }
                None => {
                    if let Some(body) = world.body(solid.body) {
                        first.ask(world, segment, solid.body, body);
                    }
                }
            }
            first.limit()
        });
    }

    /// The same for one body.
    #[inline]
    fn sweep_one(&self, world: &World, segment: &SweepSegment<'_>, gathered: &Gathered, first: &mut First) {
        let Some(body) = world.body(gathered.body).filter(|body| body.may_meet(segment)) else { return };
        let Some((placed, mover, path)) = BodyAtTime::seen_from(gathered.body, body, segment) else {
            return first.stop(segment, gathered.body);
        };
        let wanted = Wanted::until(first.limit());
        let mut take = |hit| first.offer(world, hit);
        match (&gathered.parts, &body.collider) {
            (Stretch::Triangles(stretch), Collider::Mesh(mesh)) => {
                let near = GatheredMesh { mesh, triangles: self.triangles.stretch(stretch) };
                placed.sweep_surfaces(&near, &mover, &path, wanted, &mut take);
            }
            (Stretch::Boxed(stretch), collider) if let Some(near) = self.boxed_parts(stretch, collider) => {
                let near: &dyn PartSet = &near;
                placed.sweep_surfaces(&near, &mover, &path, wanted, &mut take);
            }
            _ => placed.sweep(&mover, &path, wanted, &mut take),
        }
    }

    /// Visits every contact of the query, for a mover at rest at the start of `at`.
    pub(crate) fn contacts(
        &self,
        world: &World,
        query: &ContactQuery<'_>,
        at: &Path,
        visit: &mut dyn FnMut(Contact, Part),
    ) {
        let ContactQuery { mover, time, distance, .. } = *query;
        let mut ask = |gathered: &Gathered| {
            let id = gathered.body;
            let Some(body) = world.body(id) else { return };
            let placed = BodyAtTime::at(id, body, time);
            let mut visit = |contact, part| visit(contact, Part { body: id, part });
            match (&gathered.parts, &body.collider) {
                (Stretch::Triangles(stretch), Collider::Mesh(mesh)) => {
                    let near = GatheredMesh { mesh, triangles: self.triangles.stretch(stretch) };
                    placed.surface_contacts(&near, mover, at, distance, &mut visit);
                }
                (Stretch::Boxed(stretch), collider)
                    if let Some(near) = self.boxed_parts(stretch, collider) =>
                {
                    let near: &dyn PartSet = &near;
                    placed.surface_contacts(&near, mover, at, distance, &mut visit);
                }
                _ => placed.contacts(mover, at, distance, &mut visit),
            }
        };
        let reach = DVec3::splat(distance);
        if self.bodies.len() > FEW {
            self.boxes.around(mover, at, reach, |number| ask(&self.bodies[number]));
        } else {
            self.bodies.iter().for_each(&mut ask);
        }
        self.solids.around(mover, at, reach, |solid| {
            let id = solid.body;
            let mut visit = |contact, part| visit(contact, Part { body: id, part });
            match (&solid.at_rest, world.body(id)) {
                (Some((shape, center)), _) => {
                    if let Some(contact) = near_contact(mover, at, distance, shape, *center) {
                        visit(contact, 0);
                    }
                }
                (None, Some(body)) => {
                    BodyAtTime::at(id, body, time).contacts(mover, at, distance, &mut visit);
                }
                (None, None) => {}
            }
        });
    }

    /// The contact of a mover with a solid at rest, if that is here.
    pub(crate) fn contact(&self, mover: &Mover, at: &Path, body: BodyId) -> Option<Option<Contact>> {
        let (shape, center) = self.solids.of(body)?.at_rest.as_ref()?;
        Some(solids_contact(mover, at, shape, *center))
    }
}

impl Gathered {
    /// An area in the frame of the body; `None` if that moves.
    fn local_area(&self, world: &World, area: &Aabb) -> Option<Aabb> {
        let body = world.body(self.body).filter(|_| !self.moves);
        body.and_then(|body| body.frame().area_to_local(area))
    }
}

impl IndexedBounds {
    /// Whether a mover whose center stays in a box on its path may hit anything there.
    pub(in crate::world) fn is_within_reach(
        &self,
        mover: &Mover,
        path: &Path,
        [low, high]: [DVec3; 2],
    ) -> bool {
        let bounds = match self {
            Self::Nowhere => return false,
            Self::Anywhere => return true,
            Self::Within(bounds) => bounds,
        };
        let largest = bounds.min().abs().max(bounds.max().abs()).max_element();
        let reach = mover.half_extents() + DVec3::splat(margin(mover, path, largest, 0.0));
        // If the numbers cannot be compared, it may be hit.
        !(bounds.min() - reach).cmpgt(high).any() && !(bounds.max() + reach).cmplt(low).any()
    }
}

impl Body {
    /// Whether it is made of surfaces and rests at the origin, not turned, in its own size.
    fn is_surface_in_world_axes(&self) -> bool {
        self.collider.is_surfaces() && self.motion.is_none() && self.frame().is_at_rest()
    }

    /// Whether it may be hit on a part of a tick. A mover is grown for a turning body, and could hit it
    /// beyond the bounds in the index: the choice of bodies must not depend on these.
    fn may_meet(&self, segment: &SweepSegment<'_>) -> bool {
        if self.motion.as_ref().is_none_or(|motion| motion.angle() == 0.0) {
            return true;
        }
        let Ok(path) = Path::new(segment.from, segment.translation) else { return true };
        let to = segment.from + segment.translation;
        self.indexed_bounds().is_within_reach(
            segment.mover,
            &path,
            [segment.from.min(to), segment.from.max(to)],
        )
    }

    /// In the frame of the body, the box of a mover during the whole tick, while its center stays within
    /// `way.from() ± way.translation()`.
    fn area_in_tick(&self, mover: &Mover, path: &Path, largest: f64) -> Option<Aabb> {
        let size = path.translation() + mover.half_extents();
        let seen = |frame: &Frame, grown: f64| {
            let size = size + DVec3::splat(grown);
            let world = Aabb::new(path.from() - size, path.from() + size).ok()?;
            let local = frame.path_to_local(path)?;
            let room = margin(mover, &local, largest, frame.rounding(path));
            Some(frame.area_to_local(&world)?.grown(room))
        };
        let Some(motion) = &self.motion else { return seen(&self.frame(), 0.0) };
        let (start, end) = (motion.at(0.0), motion.at(1.0));
        let translation = motion.translation();
        let grown = if motion.angle() == 0.0 {
            0.0
        } else {
            // The largest extent of the arc beyond its ends, and the growth of a mover for a turning body.
            let arm = reach(path.from() - start.position()) + reach(size) + reach(translation);
            let half = 0.5 * motion.angle().min(core::f64::consts::PI);
            let bulge = if motion.angle() < 3.0 { arm * (1.0 - ops::cos(half)) } else { 2.0 * arm };
            bulge + motion.bend(mover, DVec3::X * arm, size + translation.abs(), 1.0)
        };
        let first = seen(&self.frame_at(&start), grown)?;
        let last = seen(&self.frame_at(&end), grown)?;
        Some(first.union(&last))
    }
}
