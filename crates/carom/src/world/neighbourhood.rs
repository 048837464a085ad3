//! Everything that a mover can meet in a tick, gathered in one walk.
//!
//! A tick asks many questions about one small place: sweeps, contacts, probes. The trees are walked once for all of them, and the
//! questions are put to what was found. Answers are those of the world itself, to the bit: what was left out could not matter, and
//! a question that leads out of the gathered place is put to the world.

use alloc::vec::Vec;
use core::ops::Range;

use arrayvec::ArrayVec;
use glam::DVec3;

use super::body::{Body, Collider};
use super::kept::{self, Kept};
use super::pose::Frame;
use super::stamp::Stamp;
use super::still::{Leg, Parts, Still, Wanted};
use super::surfaces::{Boxed, Surfaces};
use super::{BodyId, CastHit, Layers, Part, World};
use crate::mesh::FeatureNormals;
use crate::num::bound::reach;
use crate::num::ops;
use crate::prefetch::prefetch_far;
use crate::shape::{Aabb, Mover};
use crate::sweep::mover::margin;
use crate::sweep::{Contact, Feature, Path};

/// By how many metres more than a tick needs is looked at for the ticks to come: on all sides, and besides that where the mover is going.
struct Room {
    around: f64,
    ahead: f64,
}

impl Room {
    /// What is gathered: who walks at 5 m/s is gathered for three times a second. With less it would be more often, with more there is more
    /// to be kept and to be looked at for nothing.
    const LATER: Self = Self { around: 0.7, ahead: 1.5 };
    /// What of it is put close together: for some ticks of a walk.
    const SOON: Self = Self { around: 0.3, ahead: 0.5 };

    fn about(&self, area: &Aabb, heading: DVec3) -> Aabb {
        area.grown(self.around).swept(heading * self.ahead)
    }
}

/// What a mover can meet while its centre stays within a box, in one tick. Kept from tick to tick, it allocates nothing once it has
/// grown, and what was gathered for a mover serves it in later ticks as long as nothing near it has changed.
#[derive(Clone, Debug, Default)]
pub struct Neighbourhood {
    /// Where the mover's centre may be.
    centers: Option<Aabb>,
    /// The bounds of the mover it was gathered for.
    half_extents: DVec3,
    layers: Option<Layers>,
    /// By how many metres more than is asked for is gathered, to be asked again in later ticks: only while nothing in the world changes.
    room: Option<f64>,
    bodies: Vec<Gathered>,
    /// Of meshes.
    triangles: Kept,
    /// Of sets of polygons.
    polygons: Vec<Boxed>,
    /// What was gathered for later ticks as well, and nothing but meshes at rest, was so in the world of this stamp.
    lasting: Option<Stamp>,
    /// All bodies that were looked at for that, and in which state.
    looked_at: Vec<(BodyId, Stamp)>,
    /// Where what is mostly asked about has been put close together.
    narrowed: Option<Aabb>,
    /// How many parts the tick in hand is about.
    candidates: usize,
    /// What was touched where the last tick ended, which is where the next begins.
    memory: Option<Memory>,
}

/// All contacts of a mover at a place out to a distance, in the world of a stamp, where nothing moves.
#[derive(Clone, Debug)]
struct Memory {
    stamp: Stamp,
    mover: Mover,
    layers: Layers,
    at: DVec3,
    distance: f64,
    contacts: ArrayVec<(Contact, Part), 4>,
}

/// Two lines of memory, asked for together.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Gathered {
    body: BodyId,
    parts: Stretch,
    moves: bool,
}

/// Where the parts of a body stand.
#[derive(Clone, Debug)]
enum Stretch {
    /// It is one whole.
    Solid,
    Triangles(kept::Stretch),
    Polygons(Range<usize>),
}

/// Where a mover is going to be in a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stay {
    /// Its centre stays in here if nothing unusual happens.
    pub(crate) centers: Aabb,
    /// Most of what it asks about lies here, all around it.
    pub(crate) mostly: Aabb,
    /// A unit vector to where it is going, or zero.
    pub(crate) heading: DVec3,
}

impl Neighbourhood {
    /// One that holds nothing yet, and covers no place.
    pub fn new() -> Self {
        Self::default()
    }

    /// One for many ticks in a world in which nothing moves and nothing changes: so many metres more than a tick needs are gathered,
    /// and anew only where those are left. Answers are the same; make another as soon as the world is changed or left.
    pub fn in_still_world(room: f64) -> Self {
        Self { room: Some(room), ..Self::default() }
    }

    /// Gathers for a tick, unless what was gathered for an earlier one will do.
    pub(crate) fn prepare(&mut self, world: &World, mover: &Mover, stay: &Stay, layers: Layers) {
        self.gather_for(world, mover, stay, layers);
        self.narrow(world, stay);
    }

    /// Answers for no place any more.
    pub(crate) fn forget(&mut self) {
        (self.centers, self.lasting, self.memory) = (None, None, None);
    }

    /// Gathers, but for what it will mostly ask.
    fn gather_for(&mut self, world: &World, mover: &Mover, stay: &Stay, layers: Layers) {
        let centers = &stay.centers;
        let (low, high) = (centers.min(), centers.max());
        let same = self.serves(mover, layers);
        if let Some(room) = self.room {
            if !(same && self.covers(low, high - low, 0.0)) {
                world.gather(mover, &centers.grown(room), layers, self);
            }
            return;
        }
        let holds = |kept: &Aabb| kept.min().cmple(low).all() && kept.max().cmpge(high).all();
        if same && self.centers.as_ref().is_some_and(holds) && self.is_up_to_date(world, mover) {
            return;
        }
        // Who comes again, a little farther on, will come once more.
        if same
            && self.centers.is_some_and(|kept| kept.overlaps_aabb(centers))
            && world.gather_for_long(mover, &Room::LATER.about(centers, stay.heading), layers, self)
        {
            return;
        }
        world.gather(mover, centers, layers, self);
    }

    /// Whether what was gathered for later ticks is still what there is.
    fn is_up_to_date(&mut self, world: &World, mover: &Mover) -> bool {
        let (Some(stamp), Some(centers), Some(layers)) = (self.lasting, &self.centers, self.layers) else {
            return false;
        };
        if stamp.is(world.stamp) {
            return true;
        }
        let mut looked_at = 0;
        let mut is_same = true;
        world.bodies_about(mover, centers, layers, |id, body| {
            looked_at += 1;
            let known = self.looked_at.iter().find(|(other, _)| *other == id);
            is_same &= known.is_some_and(|(_, stamp)| stamp.is(body.stamp));
        });
        let is_same = is_same && looked_at == self.looked_at.len();
        if let Some(memory) = self.memory.as_mut().filter(|memory| is_same && memory.stamp.is(stamp)) {
            memory.stamp = world.stamp;
        }
        self.lasting = is_same.then_some(world.stamp);
        is_same
    }

    /// Counts what a tick mostly asks about: of a mesh that stays where it is what lies there, else all. Where that is not close together
    /// yet, it is put so for some ticks.
    fn narrow(&mut self, world: &World, stay: &Stay) {
        let mostly = &stay.mostly;
        let Self { bodies, triangles, polygons, candidates, narrowed, .. } = self;
        let area = |gathered: &Gathered, area: &Aabb| {
            let body = world.body(gathered.body).filter(|_| !gathered.moves);
            body.and_then(|body| body.frame().area_to_local(area))
        };
        let holds =
            |kept: &Aabb| kept.min().cmple(mostly.min()).all() && kept.max().cmpge(mostly.max()).all();
        if !narrowed.as_ref().is_some_and(holds) {
            let wider = Room::SOON.about(mostly, stay.heading);
            triangles.widen();
            for gathered in bodies.iter_mut() {
                let area = area(gathered, &wider);
                if let (Stretch::Triangles(stretch), Some(area)) = (&mut gathered.parts, area) {
                    triangles.narrow(stretch, &area);
                }
            }
            *narrowed = Some(wider);
        }
        let counts = bodies.iter().map(|gathered| match &gathered.parts {
            Stretch::Solid => 1,
            Stretch::Polygons(_) => 0,
            Stretch::Triangles(stretch) => match area(gathered, mostly) {
                Some(area) => triangles.count(stretch, &area),
                None => stretch.len(),
            },
        });
        *candidates = polygons.len() + counts.sum::<usize>();
    }

    /// Asks for itself, for a tick that is to come soon.
    pub(crate) fn prefetch(&self) {
        prefetch_far(&self.centers);
        prefetch_far(&self.lasting);
        prefetch_far(&self.narrowed);
        prefetch_far(&self.bodies);
        self.triangles.prefetch();
        prefetch_far(&self.layers);
        prefetch_far(&self.candidates);
        prefetch_far(&self.memory);
    }

    /// And for what it names, once that is at hand: first the lists, then the triangles on them.
    pub(crate) fn prefetch_lists(&self) {
        self.triangles.prefetch_active();
        if let Some(Gathered { body, parts, .. }) = self.bodies.first() {
            prefetch_far(body);
            prefetch_far(parts);
        }
        if let Some(Memory { stamp, mover, at, contacts, .. }) = &self.memory {
            prefetch_far(stamp);
            prefetch_far(mover);
            prefetch_far(at);
            for (contact, part) in contacts {
                prefetch_far(contact);
                prefetch_far(part);
            }
        }
    }

    /// The last of it.
    pub(crate) fn prefetch_triangles(&self) {
        self.triangles.prefetch_triangles();
    }

    /// Keeps all contacts of a mover at a place out to a distance for the next tick, if they are few, and nothing near moves.
    pub(crate) fn remember(
        &mut self,
        world: &World,
        (mover, layers): (&Mover, Layers),
        (at, distance): (DVec3, f64),
        mut contacts: impl Iterator<Item = (Contact, Part)>,
    ) {
        let is_kept = self.lasting.is_some() || self.room.is_some();
        if !is_kept || !self.serves(mover, layers) || !self.is_still_at(at, distance) {
            self.memory = None;
            return;
        }
        let stamp = world.stamp;
        let empty = || Memory { stamp, mover: *mover, layers, at, distance, contacts: ArrayVec::new_const() };
        // In place: this is too large to be moved about in every tick.
        let memory = self.memory.get_or_insert_with(empty);
        (memory.stamp, memory.mover, memory.layers) = (stamp, *mover, layers);
        (memory.at, memory.distance) = (at, distance);
        memory.contacts.clear();
        if !contacts.all(|contact| memory.contacts.try_push(contact).is_ok()) {
            self.memory = None;
        }
    }

    /// The contacts of a mover at a place out to a distance, if they were kept.
    fn recall(
        &self,
        world: &World,
        (mover, layers): (&Mover, Layers),
        (at, distance): (DVec3, f64),
    ) -> Option<&[(Contact, Part)]> {
        let memory = self.memory.as_ref()?;
        let bits = |v: DVec3| v.to_array().map(f64::to_bits);
        let is_known = memory.stamp.is(world.stamp)
            && bits(memory.at) == bits(at)
            && memory.distance == distance
            && memory.layers == layers
            && memory.mover == *mover;
        is_known.then_some(&memory.contacts)
    }

    /// How many parts the tick in hand is about.
    pub(crate) fn candidates(&self) -> usize {
        self.candidates
    }

    /// The bodies that are near.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.bodies.iter().map(|gathered| gathered.body)
    }

    /// How many triangles, polygons and solids are near.
    pub fn part_count(&self) -> usize {
        let solids = self.bodies.iter().filter(|gathered| matches!(gathered.parts, Stretch::Solid)).count();
        self.triangles.len() + self.polygons.len() + solids
    }

    /// The normals of the surfaces that meet at a feature of a triangle, some place of which lies in a box in the frame of its body,
    /// if everything there was gathered.
    pub(super) fn feature_normals(
        &self,
        part: Part,
        feature: Feature,
        place: &Aabb,
    ) -> Option<FeatureNormals> {
        match &self.gathered(part.body)?.parts {
            Stretch::Triangles(stretch) => {
                self.triangles.stretch(stretch).feature_normals(part.part, feature, place)
            }
            _ => None,
        }
    }

    /// Whether any body near is on its way in this tick.
    pub fn has_moving_bodies(&self) -> bool {
        self.bodies.iter().any(|gathered| gathered.moves)
    }

    /// Whether nothing that is on its way comes within a distance of a mover that it serves with its centre at `at`.
    pub(crate) fn is_still_at(&self, at: DVec3, distance: f64) -> bool {
        !self.has_moving_bodies() && self.covers(at, DVec3::ZERO, distance)
    }

    /// Whether it was gathered for a mover no smaller, on these layers.
    pub(crate) fn serves(&self, mover: &Mover, layers: Layers) -> bool {
        self.layers == Some(layers) && mover.half_extents().cmple(self.half_extents).all()
    }

    /// Whether it answers for a mover that it serves whose centre goes from `from` by `translation`, out to a distance.
    pub(crate) fn covers(&self, from: DVec3, translation: DVec3, distance: f64) -> bool {
        let Some(centers) = &self.centers else { return false };
        let to = from + translation;
        let (low, high) = (from.min(to) - DVec3::splat(distance), from.max(to) + DVec3::splat(distance));
        low.cmpge(centers.min()).all() && high.cmple(centers.max()).all()
    }

    /// Holds nothing, but is about to.
    fn begin(&mut self, mover: &Mover, centers: &Aabb, layers: Layers) {
        self.bodies.clear();
        self.triangles.clear();
        self.polygons.clear();
        self.lasting = None;
        self.narrowed = None;
        self.centers = Some(*centers);
        self.half_extents = mover.half_extents();
        self.layers = Some(layers);
    }

    fn gathered(&self, body: BodyId) -> Option<&Gathered> {
        self.bodies.iter().find(|gathered| gathered.body == body)
    }

    fn parts(&self, gathered: &Gathered) -> Parts<'_> {
        match &gathered.parts {
            Stretch::Solid => Parts::All,
            Stretch::Triangles(stretch) => Parts::Triangles(self.triangles.stretch(stretch)),
            Stretch::Polygons(stretch) => Parts::Polygons(&self.polygons[stretch.clone()]),
        }
    }
}

impl World {
    /// Gathers what a mover can meet in this tick while its centre stays in a box: parts of bodies on these layers, at rest or on
    /// their way. To be told of contacts out to a distance, make the box larger by that.
    pub fn gather(&self, mover: &Mover, centers: &Aabb, layers: Layers, into: &mut Neighbourhood) {
        into.begin(mover, centers, layers);
        let (center, half) = (centers.center(), centers.half_extents());
        let Ok(way) = Path::new(center, half) else { return };
        let size = half + mover.half_extents();
        self.bodies_about(mover, centers, layers, |id, body| {
            let parts = match &body.collider {
                // Bounds beyond the range of f64 exclude nothing.
                Collider::Mesh(mesh) => {
                    let area = body.area_in_tick(mover, &way, size, mesh.largest());
                    mesh.gather(area.as_ref(), &mut into.triangles).map(Stretch::Triangles)
                }
                Collider::Polygons(set) => {
                    let area = body.area_in_tick(mover, &way, size, set.largest());
                    set.gather(area.as_ref(), &mut into.polygons).map(Stretch::Polygons)
                }
                _ => Some(Stretch::Solid),
            };
            if let Some(parts) = parts {
                into.bodies.push(Gathered { body: id, parts, moves: body.is_moving() });
            }
        });
        // In the order of the world, whatever that of the index is.
        into.bodies.sort_unstable_by_key(|gathered| gathered.body);
    }

    /// The same for later ticks as well. False, and nothing is gathered, where something may move, or is no mesh: of that a tick is
    /// to know no more than what it can reach.
    fn gather_for_long(
        &self,
        mover: &Mover,
        centers: &Aabb,
        layers: Layers,
        into: &mut Neighbourhood,
    ) -> bool {
        let looked_at = &mut into.looked_at;
        looked_at.clear();
        let mut is_lasting = true;
        self.bodies_about(mover, centers, layers, |id, body| {
            looked_at.push((id, body.stamp));
            is_lasting &= matches!(body.collider, Collider::Mesh(_)) && !body.is_moving();
        });
        if is_lasting {
            self.gather(mover, centers, layers, into);
            into.lasting = Some(self.stamp);
        }
        is_lasting
    }

    /// Visits the bodies on these layers that may be near a mover while its centre stays in a box, and perhaps some that are not.
    fn bodies_about(
        &self,
        mover: &Mover,
        centers: &Aabb,
        layers: Layers,
        mut visit: impl FnMut(BodyId, &Body),
    ) {
        let (center, half) = (centers.center(), centers.half_extents());
        let Ok(way) = Path::new(center, half) else { return };
        self.index.around(mover, &way, reach(half), |number| {
            if let Some((id, body)) = self.numbered(number).filter(|(_, body)| body.layers.meets(layers)) {
                visit(id, body);
            }
        });
    }

    /// The first contact in a part of a tick: the fraction of its translation, and with what. What is near serves the mover.
    pub(crate) fn sweep_leg(
        &self,
        leg: &Leg<'_>,
        layers: Layers,
        near: Option<&Neighbourhood>,
    ) -> Option<(f64, Part)> {
        let mut best: Option<CastHit> = None;
        let mut offer = |id: BodyId, body: &Body, parts: Parts<'_>, limit: f64| {
            let Some((still, mover, path)) = Still::seen_from(id, body, leg) else {
                // Numbers beyond the range of f64 stop the mover.
                best = Some(CastHit::stop(leg.from, id));
                return 0.0;
            };
            still.sweep(&mover, &path, parts, Wanted::until(limit), &mut |hit| {
                if best.as_ref().is_none_or(|best| self.compare(&hit, best).is_lt()) {
                    best = Some(hit);
                }
                best.as_ref().map_or(1.0, |best| best.hit.fraction)
            });
            best.as_ref().map_or(1.0, |best| best.hit.fraction)
        };
        match near.filter(|near| near.covers(leg.from, leg.translation, 0.0)) {
            Some(near) => {
                let mut limit = 1.0;
                for gathered in &near.bodies {
                    if let Some(body) = self.body(gathered.body) {
                        limit = offer(gathered.body, body, near.parts(gathered), limit);
                    }
                }
            }
            None => {
                let path = Path::new(leg.from, leg.translation).ok()?;
                self.index.sweep(leg.mover, &path, |number, limit| match self.numbered(number) {
                    Some((id, body)) if body.layers.meets(layers) => offer(id, body, Parts::All, limit),
                    _ => limit,
                });
            }
        }
        best.map(|hit| (hit.hit.fraction, Part { body: hit.body, part: hit.part }))
    }

    /// Every part within a distance of a mover after a share of the tick. What is near serves the mover.
    pub(crate) fn contacts_at(
        &self,
        mover: &Mover,
        (at, time): (DVec3, f64),
        distance: f64,
        (layers, near): (Layers, Option<&Neighbourhood>),
        visit: &mut dyn FnMut(Contact, Part),
    ) {
        if let Some(known) = near.and_then(|near| near.recall(self, (mover, layers), (at, distance))) {
            return known.iter().for_each(|(contact, part)| visit(*contact, *part));
        }
        let Ok(at) = Path::new(at, DVec3::ZERO) else { return };
        let mut offer = |id: BodyId, body: &Body, parts: Parts<'_>| {
            Still::at(id, body, time).contacts(mover, &at, distance, parts, &mut |contact, part| {
                visit(contact, Part { body: id, part });
            });
        };
        match near.filter(|near| near.covers(at.from(), DVec3::ZERO, distance)) {
            Some(near) => {
                for gathered in &near.bodies {
                    if let Some(body) = self.body(gathered.body) {
                        offer(gathered.body, body, near.parts(gathered));
                    }
                }
            }
            None => self.index.around(mover, &at, distance, |number| {
                if let Some((id, body)) = self.numbered(number).filter(|(_, body)| body.layers.meets(layers))
                {
                    offer(id, body, Parts::All);
                }
            }),
        }
    }

    /// How a mover stands to one part after a share of the tick, however far away; none if there is no such part, or from behind a
    /// one-sided triangle.
    pub(crate) fn contact_at(
        &self,
        mover: &Mover,
        (at, time): (DVec3, f64),
        part: Part,
        near: Option<&Neighbourhood>,
    ) -> Option<Contact> {
        let at = Path::new(at, DVec3::ZERO).ok()?;
        let gathered = near.and_then(|near| Some(near.parts(near.gathered(part.body)?)));
        let parts = gathered.unwrap_or(Parts::All);
        Still::at(part.body, self.body(part.body)?, time).contact(mover, &at, parts, part.part)
    }
}

impl Body {
    /// In the body's own lengths and axes, the box in which a mover stays all through the tick whose centre stays within
    /// `way.from() ± way.translation()`; `size` is that and the mover.
    fn area_in_tick(&self, mover: &Mover, way: &Path, size: DVec3, largest: f64) -> Option<Aabb> {
        let seen = |frame: &Frame, grown: f64| {
            let size = size + DVec3::splat(grown);
            let world = Aabb::new(way.from() - size, way.from() + size).ok()?;
            let local = frame.path_to_local(way)?;
            let room = margin(mover, &local, largest, frame.rounding(way));
            Some(frame.area_to_local(&world)?.grown(room))
        };
        let Some(travel) = &self.travel else { return seen(self.frame(), 0.0) };
        let (start, end) = (travel.at(0.0), travel.at(1.0));
        let translation = travel.translation();
        let grown = if travel.angle() == 0.0 {
            0.0
        } else {
            // How far the arc goes out beyond its ends, at most, and what a turning mover is grown by.
            let arm = reach(way.from() - start.position()) + reach(size) + reach(translation);
            let half = 0.5 * travel.angle().min(core::f64::consts::PI);
            let bulge = if travel.angle() < 3.0 { arm * (1.0 - ops::cos(half)) } else { 2.0 * arm };
            bulge + travel.bend(mover, DVec3::X * arm, size + translation.abs(), 1.0)
        };
        let first = seen(&self.frame_at(&start), grown)?;
        let last = seen(&self.frame_at(&end), grown)?;
        Some(first.union(&last))
    }
}
