//! Everything that a mover can hit in a tick, gathered in one walk.
//!
//! A tick makes many queries about one small region: sweeps, contacts, probes. The trees are walked once for
//! all of them, and the queries use what was found. Answers are those of the world itself, to the bit,
//! because what was left out could not matter. A query that leads out of the gathered region goes to the
//! world.

use alloc::boxed::Box;
use alloc::vec::Vec;

use glam::DVec3;

use crate::mesh::FeatureNormals;
use crate::num::bound::reach;
use crate::prefetch::prefetch_far;
use crate::shape::{Aabb, Mover};
use crate::sweep::{Feature, Path};
use crate::world::body::Body;
use crate::world::body::stamp::Stamp;
use crate::world::gather::Gathering;
use crate::world::gather::clear_floor::ClearFloor;
use crate::world::gather::memory::Memory;
use crate::world::{BodyId, ContactQuery, Layers, Part, PartContact, World};

/// How much farther than needed bodies are looked for, as a share of the size of the region.
const SPARE: f64 = 1.0 / 16.0;

/// How much more than a tick needs is gathered for the next ticks, in meters: on all sides, and further in
/// the direction of the mover.
struct Room {
    around: f64,
    ahead: f64,
}

impl Room {
    /// The reach of a gather: a walker at 5 m/s gathers three times a second. With less it would gather more
    /// often; with more it would keep and test more for nothing.
    const LATER: Self = Self { around: 0.7, ahead: 1.5 };
    /// The part of it that is packed for locality: for some ticks of a walk.
    const SOON: Self = Self { around: 0.3, ahead: 0.5 };

    fn about(&self, area: &Aabb, heading: DVec3) -> Aabb {
        area.grown(self.around).swept(heading * self.ahead)
    }
}

/// Everything that a mover can hit while its center stays within a box, in one tick.
///
/// Keep it from tick to tick: it allocates nothing once it has grown. Gathered fixed bodies serve later ticks
/// as long as nothing near changes; movable bodies are gathered again when one of them moves.
#[derive(Clone, Debug, Default)]
pub struct Neighborhood {
    /// Where the mover's center may be.
    centers: Option<Aabb>,
    /// The bounds of the mover it was gathered for.
    half_extents: DVec3,
    layers: Option<Layers>,
    /// How much more than a tick needs is gathered, in meters, for later ticks: only while nothing in the
    /// world changes.
    room: Option<f64>,
    /// The fixed bodies near the possible positions of the center, in this tick or a later one.
    pub(super) fixed: Gathering,
    fixed_centers: Option<Aabb>,
    /// The fixed bodies that were tested for that, each with its version, and the version of all fixed
    /// bodies.
    fixed_seen: Vec<(BodyId, Stamp)>,
    fixed_stamp: Stamp,
    /// The movable bodies near the possible positions of the center.
    pub(super) movable: Gathering,
    /// The movable bodies that were tested for that, each with its version.
    movable_seen: Vec<(BodyId, Stamp)>,
    /// The version of the world for which all of this holds.
    stamp: Stamp,
    /// The region whose triangles are packed together, as most queries are about it.
    narrowed: Option<Aabb>,
    /// The contacts at the end of the last tick, which is where the next begins.
    memory: Option<Memory>,
    /// The contacts at a place where many ticks begin.
    home: Option<Box<Memory>>,
    /// Whether all gathered fixed bodies are clear floor, for the last up direction that was tested.
    pub(super) floor: Option<(DVec3, Option<ClearFloor>)>,
}

/// Where a mover is going to be in a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stay {
    /// Its center stays in here if nothing unusual happens.
    pub(crate) centers: Aabb,
    /// Most of its queries are about this region.
    pub(crate) mostly: Aabb,
    /// In m/s.
    pub(crate) velocity: DVec3,
}

impl Stay {
    /// A unit vector to where it is going, or zero.
    fn heading(&self) -> DVec3 {
        self.velocity.normalize_or_zero()
    }
}

impl Neighborhood {
    /// An empty neighborhood, which covers no place.
    pub fn new() -> Self {
        Self::default()
    }

    /// A neighborhood for many ticks in a world in which nothing moves or changes. It gathers `room` meters
    /// more than a tick needs, and gathers again only when the mover leaves that region. Answers are the
    /// same. Make another as soon as the world changes.
    pub fn in_still_world(room: f64) -> Self {
        Self { room: Some(room), ..Self::default() }
    }

    /// Gathers for a tick, unless the data of an earlier tick covers it.
    pub(crate) fn prepare(&mut self, world: &World, mover: &Mover, stay: &Stay, layers: Layers) {
        self.gather_for(world, mover, stay, layers);
        self.narrow(world, stay);
    }

    /// Drops all data, so that it covers no place.
    pub(crate) fn forget(&mut self) {
        (self.centers, self.fixed_centers) = (None, None);
        (self.memory, self.home) = (None, None);
        self.floor = None;
    }

    /// Gathers, without packing the region of most queries.
    fn gather_for(&mut self, world: &World, mover: &Mover, stay: &Stay, layers: Layers) {
        let centers = &stay.centers;
        let same = self.serves(mover, layers);
        if let Some(room) = self.room {
            if !(same && self.centers.is_some_and(|kept| kept.contains_aabb(centers))) {
                world.gather(mover, &centers.grown(room), layers, self);
            }
            return;
        }
        let kept = self.fixed_centers.filter(|_| same);
        let serves = kept.filter(|kept| kept.contains_aabb(centers));
        if let Some(kept) = serves.filter(|kept| self.are_fixed_up_to_date(world, mover, kept)) {
            if self.are_movable_up_to_date(world, mover, &kept, centers) {
                if let Some(memory) = self.memory.as_mut().filter(|memory| memory.stamp.is(self.stamp)) {
                    memory.stamp = world.stamp;
                }
            } else {
                let is_known = self.memory.as_ref().is_some_and(|memory| memory.stamp.is(self.stamp));
                world.gather_movable(mover, centers, self);
                if is_known && self.remembers_fixed_only(world) {
                    self.memory.iter_mut().for_each(|memory| memory.stamp = world.stamp);
                }
            }
        } else {
            // A mover that has come back, a little farther on, is likely to come back again.
            let comes_again = kept.is_some_and(|kept| kept.overlaps_aabb(centers));
            let area = if comes_again { Room::LATER.about(centers, stay.heading()) } else { *centers };
            self.begin(mover, layers);
            world.gather_fixed(mover, &area, self);
            world.gather_movable(mover, centers, self);
        }
        self.stamp = world.stamp;
    }

    /// Whether the gathered data of fixed bodies is still up to date.
    fn are_fixed_up_to_date(&mut self, world: &World, mover: &Mover, centers: &Aabb) -> bool {
        let Some(layers) = self.layers else { return false };
        if self.fixed_stamp.is(world.fixed_stamp) {
            return true;
        }
        let mut count = 0;
        let mut is_same = true;
        world.bodies_about(mover, centers, layers, |id, body| {
            if !body.can_move() {
                count += 1;
                let known = self.fixed_seen.iter().find(|(other, _)| *other == id);
                is_same &= known.is_some_and(|(_, stamp)| stamp.is(body.stamp));
            }
        });
        let is_same = is_same && count == self.fixed_seen.len();
        if is_same {
            self.fixed_stamp = world.fixed_stamp;
        }
        is_same
    }

    /// Whether the gathered data of movable bodies is still up to date for a mover with its center in
    /// `centers`, which is within `kept`.
    fn are_movable_up_to_date(&self, world: &World, mover: &Mover, kept: &Aabb, centers: &Aabb) -> bool {
        let covers = self.centers.is_some_and(|own| own.contains_aabb(centers));
        if !covers || self.movable.has_moving() {
            return false;
        }
        if self.stamp.is(world.stamp) || self.movable_seen.is_empty() && !world.has_movable() {
            return true;
        }
        let Some(layers) = self.layers else { return false };
        let mut count = 0;
        let mut is_same = true;
        world.bodies_about(mover, kept, layers, |id, body| {
            if body.can_move() {
                count += 1;
                let known = self.movable_seen.iter().find(|(other, _)| *other == id);
                is_same &= known.is_some_and(|(_, stamp)| stamp.is(body.stamp));
            }
        });
        is_same && count == self.movable_seen.len()
    }

    /// Packs the region of most queries for some ticks, unless it is packed already.
    fn narrow(&mut self, world: &World, stay: &Stay) {
        let mostly = &stay.mostly;
        if !self.narrowed.is_some_and(|kept| kept.contains_aabb(mostly)) {
            let wider = Room::SOON.about(mostly, stay.heading());
            self.fixed.narrow(world, &wider);
            self.narrowed = Some(wider);
        }
    }

    /// Whether there are any parts in an area: of bodies at rest those that lie there, of moving ones all.
    pub(crate) fn has_parts_in(&self, world: &World, area: &Aabb) -> bool {
        self.fixed.has_parts_in(world, area) || self.movable.has_parts_in(world, area)
    }

    /// Prefetches its fields, for a tick that comes soon.
    pub(crate) fn prefetch(&self) {
        prefetch_far(&self.centers);
        prefetch_far(&self.fixed_centers);
        prefetch_far(&self.narrowed);
        self.fixed.prefetch();
        prefetch_far(&self.layers);
        prefetch_far(&self.memory);
    }

    /// Then the lists that the fields point to,
    pub(crate) fn prefetch_lists(&self) {
        self.fixed.prefetch_lists();
        if let Some(memory) = &self.memory {
            memory.prefetch();
        }
    }

    /// and last the triangles on these lists.
    pub(crate) fn prefetch_triangles(&self) {
        self.fixed.prefetch_triangles();
    }

    /// Keeps all contacts of a mover at a place out to a distance for the next tick, if they are few, and
    /// nothing on its path comes near the place.
    pub(crate) fn remember(
        &mut self,
        world: &World,
        query: &ContactQuery<'_>,
        contacts: impl Iterator<Item = PartContact>,
    ) {
        if !self.may_remember(world, query) {
            self.memory = None;
            return;
        }
        let memory = self.memory.get_or_insert_with(|| Memory::new(world.stamp, query));
        if !memory.hold(world.stamp, query, contacts) {
            self.memory = None;
        }
    }

    /// The same for all ticks that begin there, until another place is kept.
    pub(crate) fn keep_place(
        &mut self,
        world: &World,
        query: &ContactQuery<'_>,
        contacts: impl Iterator<Item = PartContact>,
    ) {
        if !self.may_remember(world, query) {
            self.home = None;
            return;
        }
        let new = || Box::new(Memory::new(world.stamp, query));
        if !self.home.get_or_insert_with(new).hold(world.stamp, query, contacts) {
            self.home = None;
        }
    }

    /// Whether the contacts of a mover at a place stay the same as long as the world does.
    #[inline]
    fn may_remember(&self, world: &World, query: &ContactQuery<'_>) -> bool {
        let ContactQuery { mover, layers, at, distance, .. } = *query;
        self.serves(mover, layers) && self.is_still_at(world, mover, at, distance)
    }

    /// The contacts of a mover at a place out to a distance, if they were kept.
    #[inline]
    pub(crate) fn recall(&self, world: &World, query: &ContactQuery<'_>) -> Option<&[PartContact]> {
        if let Some(memory) = &self.memory
            && memory.is_of(world.stamp, query)
        {
            return Some(&memory.contacts);
        }
        let home = self.home.as_deref()?;
        home.is_of(world.stamp, query).then_some(&home.contacts)
    }

    /// Whether the contacts kept of a place are still complete in this tick, although movable bodies have
    /// changed: they are of fixed bodies alone, and no other body comes near the place.
    fn remembers_fixed_only(&self, world: &World) -> bool {
        let Some(Memory { mover, at, distance, contacts, .. }) = &self.memory else { return false };
        let is_fixed = |part: &Part| world.body(part.body).is_some_and(|body| !body.can_move());
        let is_alone =
            |place: Path| !self.movable.has_any_within(world, mover, &place, DVec3::splat(*distance));
        self.covers(*at, DVec3::ZERO, *distance)
            && contacts.iter().all(|touch| is_fixed(&touch.part))
            && Path::new(*at, DVec3::ZERO).is_ok_and(is_alone)
    }

    /// The bodies nearby.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.fixed.bodies().chain(self.movable.bodies())
    }

    /// The number of triangles, polygons and solids nearby.
    pub fn part_count(&self) -> usize {
        self.fixed.part_count() + self.movable.part_count()
    }

    /// The normals of the surfaces that meet at a feature of a triangle and face a contact from a direction,
    /// if everything there was gathered. All in the frame of the body; some point of the feature lies in the
    /// box `place`.
    pub(in crate::world) fn normals_in_sight(
        &self,
        part: Part,
        feature: Feature,
        place: &Aabb,
        from: DVec3,
    ) -> Option<FeatureNormals> {
        let triangles = self.fixed.triangles_of(part.body).or_else(|| self.movable.triangles_of(part.body));
        triangles?.normals_in_sight(part.part, feature, place, from)
    }

    /// Whether any body nearby is moving in this tick.
    pub fn has_moving_bodies(&self) -> bool {
        self.movable.has_moving()
    }

    /// The movable bodies nearby.
    pub(crate) fn movable_bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.movable.bodies()
    }

    /// Whether a mover, no larger than the one gathered for, can meet any fixed body in this tick while its
    /// center stays in a box.
    pub(crate) fn has_fixed_within(&self, world: &World, mover: &Mover, centers: &Aabb) -> bool {
        Path::new(centers.center(), centers.half_extents())
            .is_ok_and(|path| self.fixed.any_within_reach(world, mover, &path))
    }

    /// Whether a mover, no larger than the one gathered for, may meet a body in this tick while its center
    /// stays in a box, by the box that the body does not leave.
    pub(crate) fn may_meet(world: &World, mover: &Mover, body: BodyId, centers: &Aabb) -> bool {
        let Some(body) = world.body(body) else { return false };
        let path = Path::new(centers.center(), centers.half_extents());
        path.map_or(true, |path| {
            body.indexed_bounds().is_within_reach(mover, &path, [centers.min(), centers.max()])
        })
    }

    /// Whether a mover that it serves can meet nothing in this tick while its center stays in a box. False if
    /// unsure.
    pub(crate) fn is_open_air(&self, world: &World, mover: &Mover, centers: &Aabb) -> bool {
        self.movable.bodies().next().is_none()
            && self.centers.is_some_and(|own| own.contains_aabb(centers))
            && Path::new(centers.center(), centers.half_extents())
                .is_ok_and(|path| !self.fixed.any_touching_reach(world, mover, &path))
    }

    /// Whether nothing that is moving comes within a distance of a mover that it serves with its center at
    /// `at`.
    pub(crate) fn is_still_at(&self, world: &World, mover: &Mover, at: DVec3, distance: f64) -> bool {
        let moves = |at: &Path| self.movable.has_moving_within(world, mover, at, distance);
        let is_still = || Path::new(at, DVec3::ZERO).is_ok_and(|at| !moves(&at));
        self.covers(at, DVec3::ZERO, distance) && (!self.has_moving_bodies() || is_still())
    }

    /// Whether it was gathered for a mover at least as large, on these layers.
    pub(crate) fn serves(&self, mover: &Mover, layers: Layers) -> bool {
        self.layers == Some(layers) && mover.half_extents().cmple(self.half_extents).all()
    }

    /// Whether it answers for a mover that it serves whose center goes from `from` by `translation`, out to a
    /// distance.
    pub(crate) fn covers(&self, from: DVec3, translation: DVec3, distance: f64) -> bool {
        let Some(centers) = &self.centers else { return false };
        let to = from + translation;
        let (low, high) = (from.min(to) - DVec3::splat(distance), from.max(to) + DVec3::splat(distance));
        low.cmpge(centers.min()).all() && high.cmple(centers.max()).all()
    }

    /// Prepares for gathering.
    fn begin(&mut self, mover: &Mover, layers: Layers) {
        self.half_extents = mover.half_extents();
        self.layers = Some(layers);
    }

    /// The gathered fixed bodies, and the movable ones.
    pub(super) fn gatherings(&self) -> [&Gathering; 2] {
        [&self.fixed, &self.movable]
    }
}

impl World {
    /// Gathers everything that a mover can hit in this tick while its center stays in a box: parts of bodies
    /// on these layers, at rest or moving. For contacts within a distance, enlarge the box by that.
    pub fn gather(&self, mover: &Mover, centers: &Aabb, layers: Layers, into: &mut Neighborhood) {
        into.begin(mover, layers);
        self.gather_fixed(mover, centers, into);
        self.gather_movable(mover, centers, into);
        into.stamp = self.stamp;
    }

    /// Gathers fixed bodies.
    fn gather_fixed(&self, mover: &Mover, centers: &Aabb, into: &mut Neighborhood) {
        let Neighborhood { fixed, fixed_seen, layers, .. } = into;
        fixed.clear();
        fixed_seen.clear();
        if let (Some(layers), Ok(path)) = (layers, Path::new(centers.center(), centers.half_extents())) {
            self.bodies_about(mover, centers, *layers, |id, body| {
                if !body.can_move() {
                    fixed_seen.push((id, body.stamp));
                    fixed.add(id, body, mover, &path);
                }
            });
        }
        fixed.finish();
        (into.fixed_centers, into.fixed_stamp) = (Some(*centers), self.fixed_stamp);
        (into.narrowed, into.floor) = (None, None);
    }

    /// Gathers movable bodies, and sets the box of the center: the whole box of the fixed bodies if none is
    /// moving.
    fn gather_movable(&self, mover: &Mover, centers: &Aabb, into: &mut Neighborhood) {
        let Neighborhood { movable, movable_seen, layers, .. } = into;
        movable.clear();
        movable_seen.clear();
        let mut centers = *centers;
        if let Some(layers) = layers.filter(|_| self.has_movable()) {
            let kept = into.fixed_centers.unwrap_or(centers);
            let mut is_moving = false;
            self.bodies_about(mover, &kept, layers, |id, body| {
                if body.can_move() {
                    is_moving |= body.is_moving();
                    movable_seen.push((id, body.stamp));
                }
            });
            // Moving bodies are gathered only within the reach of this tick.
            centers = if is_moving { centers } else { kept };
            if let Ok(path) = Path::new(centers.center(), centers.half_extents()) {
                for &(id, _) in &*movable_seen {
                    if let Some(body) = self.body(id) {
                        movable.add(id, body, mover, &path);
                    }
                }
            }
        } else if let Some(kept) = into.fixed_centers {
            centers = kept;
        }
        movable.finish();
        into.centers = Some(centers);
    }

    /// Visits the bodies on these layers that may be near a mover while its center stays in a box, and
    /// perhaps some that are not.
    fn bodies_about(
        &self,
        mover: &Mover,
        centers: &Aabb,
        layers: Layers,
        mut visit: impl FnMut(BodyId, &Body),
    ) {
        let (center, half) = (centers.center(), centers.half_extents());
        let Ok(path) = Path::new(center, half) else { return };
        // A little more than needed: so bodies are left out by their exact bounds, not by those in the index.
        let distance = half + DVec3::splat(SPARE * reach(half));
        let expect = |number| self.prefetch_body(number);
        self.index.around(mover, &path, distance, expect, |number| {
            if let Some((id, body)) = self.numbered(number).filter(|(_, body)| body.layers.meets(layers)) {
                visit(id, body);
            }
        });
    }
}
