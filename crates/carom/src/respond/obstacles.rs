//! The surroundings of a response: sweeps and contacts, from a world or from any other source.

use glam::DVec3;

use crate::shape::Mover;
use crate::sweep::Contact;
use crate::trace::SweepHit;
use crate::world::{
    BodyId, Collider, ContactQuery, Layers, Moment, Neighborhood, Part, SweepExtent, SweepSegment, World,
};

/// A contact, and the properties of its surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceContact<K> {
    /// The obstacle.
    pub key: K,
    /// Gap, normal and point.
    pub contact: Contact,
    /// The displacement of the touched point of the body in the time of the whole motion, at its present
    /// rate, in meters.
    pub motion: DVec3,
    /// The displacement of the surface along itself in that time, as on a conveyor belt, in meters.
    pub run: DVec3,
    /// The coefficient of friction; `None`: the caller's default.
    pub friction: Option<f64>,
    /// The share of the speed into the surface that returns.
    pub restitution: f64,
}

impl<K> SurfaceContact<K> {
    /// The translation of bodies on the surface in the time of the whole motion.
    pub fn surface_motion(&self) -> DVec3 {
        let normal = self.contact.normal;
        self.motion + self.run - normal * normal.dot(self.run)
    }

    /// The same contact with another key.
    pub fn named<L>(self, name: impl FnOnce(K) -> L) -> SurfaceContact<L> {
        let Self { key, contact, motion, run, friction, restitution } = self;
        SurfaceContact { key: name(key), contact, motion, run, friction, restitution }
    }
}

/// The obstacles of a mover. Implement it to slide and walk in your own world.
///
/// It knows the mover (grown by its skin). Times are shares of the whole motion, 0 … 1.
pub trait Obstacles {
    /// The name of a part that can be touched. Contacts that are equal otherwise are sorted by key.
    type Key: Copy + Ord;

    /// The first contact on the path of the center between two times.
    fn sweep(&self, from: DVec3, translation: DVec3, times: [f64; 2]) -> Option<SweepHit<Self::Key>>;

    /// Every contact within `distance` of the mover with its center at `at` at a time.
    fn contacts(&self, at: DVec3, time: f64, distance: f64, visit: &mut dyn FnMut(SurfaceContact<Self::Key>));

    /// The contact of the mover, with its center at `at`, with one part at a time, at any distance; `None` if
    /// that part cannot be touched from there.
    fn contact(&self, key: Self::Key, at: DVec3, time: f64) -> Option<SurfaceContact<Self::Key>>;

    /// Whether a part is a solid that contains the mover's center at `at` at a time, by more than rounding:
    /// then the mover overlaps it by at least its own smallest radius. It is cheaper to answer than
    /// [`contact`](Self::contact), and may be false if unsure.
    fn holds_center(&self, _key: Self::Key, _at: DVec3, _time: f64) -> bool {
        false
    }

    /// Whether faces of this obstacle that are too steep to walk on are walls for a walker, which stop it
    /// however round it is.
    fn is_wall(&self, _key: Self::Key) -> bool {
        true
    }

    /// Whether a part is curved: then its plane changes from place to place.
    fn is_curved(&self, key: Self::Key) -> bool {
        let _ = key;
        false
    }

    /// The unit direction in which a mover at `at` leaves a contact that meets no more than the last `width`
    /// meters of one of its flat sides; `None` if it meets more, or the mover has no flat sides.
    fn aside(&self, at: DVec3, contact: &Contact, width: f64) -> Option<DVec3> {
        let _ = (at, contact, width);
        None
    }

    /// Whether obstacles may move: then even a mover at rest can be hit.
    fn may_move(&self) -> bool {
        true
    }
}

/// A center this deep in a solid, in smallest radii of the mover, and this many roundings deeper, is surely
/// in it.
const SURELY: f64 = 1e-6;
const ROUNDINGS: f64 = 64.0;

/// A side of a box is along a contact if the cosine between the two normals is at most this.
const ALONG: f64 = 1e-6;

/// A mover among the bodies of a world, on some of its layers, in a part of the tick.
#[derive(Clone, Copy, Debug)]
pub struct WorldObstacles<'a> {
    world: &'a World,
    mover: Mover,
    layers: Layers,
    near: Option<&'a Neighborhood>,
    /// Shares of the tick.
    span: [f64; 2],
    /// The length of the span.
    seconds: f64,
    carrier: Option<BodyId>,
    extent: SweepExtent,
    /// Bodies that sweeps ignore.
    excluded: &'a [BodyId],
}

impl<'a> WorldObstacles<'a> {
    /// The obstacles of `mover` in `world` on `layers`, with all bodies at rest at their poses at the end of
    /// the tick.
    pub fn new(world: &'a World, mover: impl Into<Mover>, layers: Layers) -> Self {
        Self {
            world,
            mover: mover.into(),
            layers,
            near: None,
            span: [1.0, 1.0],
            seconds: 0.0,
            carrier: None,
            extent: SweepExtent::Usual,
            excluded: &[],
        }
    }

    /// The same, using the neighborhood gathered for this mover as long as it covers the queries.
    #[must_use]
    pub fn within(self, near: &'a Neighborhood) -> Self {
        let serves = near.serves(&self.mover, self.layers);
        Self { near: serves.then_some(near), ..self }
    }

    /// The same during a tick: bodies move from the first share of it to the second, which takes `seconds`.
    #[must_use]
    pub fn during(self, span: [f64; 2], seconds: f64) -> Self {
        Self { span, seconds, ..self }
    }

    /// The same for a mover that this body carries, if any.
    #[must_use]
    pub fn carried_by(self, carrier: Option<BodyId>) -> Self {
        Self { carrier, ..self }
    }

    /// The same, where moving bodies hit this much of the mover. The middle is three quarters of its smallest
    /// radius. Nothing passes through the middle; the caller checks the overlaps of the rest.
    #[must_use]
    pub(crate) fn with_extent(self, extent: SweepExtent) -> Self {
        Self { extent, ..self }
    }

    /// The same, where sweeps ignore some bodies: the mover's own, if it is one. The caller must leave out
    /// contacts with them.
    #[must_use]
    pub(crate) fn past(self, excluded: &'a [BodyId]) -> Self {
        Self { excluded, near: None, ..self }
    }

    /// The mover.
    pub fn mover(&self) -> &Mover {
        &self.mover
    }

    /// The world.
    pub(crate) fn world(&self) -> &'a World {
        self.world
    }

    /// Visits the unit normals of all surfaces that meet at the feature touched by the mover with its center
    /// at `at`, after a share of the tick, as [`World::surface_normals_at`] does.
    pub(crate) fn surface_normals_at(
        &self,
        part: Part,
        contact: &Contact,
        moment: Moment,
        visit: &mut dyn FnMut(DVec3),
    ) {
        self.world.surface_normals_within(self.near, part, contact, moment, visit);
    }

    fn in_tick(&self, time: f64) -> f64 {
        let [from, until] = self.span;
        if time >= 1.0 { until } else { from + (until - from) * time }
    }

    fn touch(&self, part: Part, contact: Contact, time: f64) -> SurfaceContact<Part> {
        let surface = self.world.surface(part.body, part.part).copied().unwrap_or_default();
        let (mut motion, mut run) = (DVec3::ZERO, DVec3::ZERO);
        if let Some(body) = self.world.body(part.body) {
            run = body.surface_velocity() * self.seconds;
            let [from, until] = self.span;
            if body.is_moving() && from < until {
                // The rate until the end; at the end itself, that of the whole tick.
                let (times, left) =
                    if time < 1.0 { ([self.in_tick(time), until], 1.0 - time) } else { (self.span, 1.0) };
                motion = body.displacement(contact.point, times) / left;
            }
        }
        SurfaceContact {
            key: part,
            contact,
            motion,
            run,
            friction: surface.friction,
            restitution: surface.restitution,
        }
    }
}

impl Obstacles for WorldObstacles<'_> {
    type Key = Part;

    fn sweep(&self, from: DVec3, translation: DVec3, times: [f64; 2]) -> Option<SweepHit<Part>> {
        // On a path that is not finite the mover stays.
        if !(from.is_finite() && translation.is_finite()) {
            return Some(SweepHit { fraction: 0.0, key: Part { body: BodyId::NOWHERE, part: 0 } });
        }
        let segment = SweepSegment {
            mover: &self.mover,
            from,
            translation,
            times: times.map(|time| self.in_tick(time)),
            carrier: self.carrier,
            extent: self.extent,
            excluded: self.excluded,
        };
        let hit = self.world.sweep_segment(&segment, self.layers, self.near)?;
        Some(SweepHit { fraction: hit.hit.fraction, key: Part { body: hit.body, part: hit.part } })
    }

    fn contacts(&self, at: DVec3, time: f64, distance: f64, visit: &mut dyn FnMut(SurfaceContact<Part>)) {
        let Self { mover, layers, .. } = self;
        let query = ContactQuery { mover, layers: *layers, at, time: self.in_tick(time), distance };
        self.world.contacts_at(&query, self.near, &mut |contact, part| {
            visit(self.touch(part, contact, time));
        });
    }

    fn contact(&self, part: Part, at: DVec3, time: f64) -> Option<SurfaceContact<Part>> {
        let contact =
            self.world.contact_at(&self.mover, Moment { at, time: self.in_tick(time) }, part, self.near)?;
        Some(self.touch(part, contact, time))
    }

    fn holds_center(&self, part: Part, at: DVec3, time: f64) -> bool {
        let body = self.world.body(part.body);
        if !body.is_some_and(|body| body.piece_of(part.part, 1.0).0.collider().is_solid()) {
            return false;
        }
        let moment = Moment { at, time: self.in_tick(time) };
        let center = self.world.contact_at(&Mover::Point, moment, part, self.near);
        let least = SURELY * self.mover.smallest_radius();
        center.is_some_and(|contact| contact.gap < -least - ROUNDINGS * contact.rounding)
    }

    fn is_curved(&self, part: Part) -> bool {
        let body = self.world.body(part.body);
        body.is_some_and(|body| matches!(body.piece_of(part.part, 1.0).0.collider(), Collider::Patches(_)))
    }

    fn aside(&self, at: DVec3, contact: &Contact, width: f64) -> Option<DVec3> {
        let Mover::Cuboid(cuboid) = &self.mover else { return None };
        let (axes, half_extents, offset) = (cuboid.axes(), cuboid.half_extents(), contact.point - at);
        (0..3).find_map(|i| {
            let axis = axes.col(i);
            let (place, lean) = (axis.dot(offset), axis.dot(contact.normal));
            let is_narrow = half_extents[i] - place.abs() <= width && lean.abs() <= ALONG;
            is_narrow.then(|| axis * -place.signum())
        })
    }

    fn may_move(&self) -> bool {
        let [from, until] = self.span;
        from < until && self.near.is_none_or(Neighborhood::has_moving_bodies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{HeightField, Heights};
    use crate::num::ops::rotation_about;
    use crate::num::random::Random;
    use crate::shape::{Capsule, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, Sphere};
    use crate::world::{Body, Pose};

    fn collider(random: &mut Random, size: DVec3) -> Collider {
        let points: [DVec3; 12] = core::array::from_fn(|_| random.vector() * size);
        match random.pick(&[0, 1, 2, 3, 4, 5, 6]) {
            0 => Sphere::new(size.x).unwrap().into(),
            1 => Capsule::new(size.x, size.y).unwrap().into(),
            2 => Cuboid::new(size).unwrap().into(),
            3 => Ellipsoid::new(size).unwrap().into(),
            4 => Cylinder::new(size.x, size.y).unwrap().into(),
            5 => Cone::new(size.x, size.y).unwrap().into(),
            _ => ConvexHull::new(&points).unwrap().into(),
        }
    }

    fn mover(random: &mut Random, size: DVec3) -> Mover {
        match random.pick(&[0, 1, 2, 3]) {
            0 => Sphere::new(size.x).unwrap().into(),
            1 => Capsule::new(size.x, size.y).unwrap().into(),
            2 => Cuboid::new(size).unwrap().into(),
            _ => Ellipsoid::new(size).unwrap().into(),
        }
    }

    #[test]
    fn a_mover_with_its_center_in_a_solid_overlaps_it_by_its_smallest_radius() {
        let mut random = Random(0xCE17E5);
        let (mut held, mut not) = (0, 0);
        for _ in 0..4_000 {
            let mut size = || random.vector().abs() + DVec3::splat(0.05);
            let (own, other) = (size(), size());
            let turn =
                |random: &mut Random| rotation_about(random.vector().normalize(), 3.0 * random.number());
            let turns = [turn(&mut random), turn(&mut random)];
            let mover = mover(&mut random, own).turned(turns[0]).unwrap();
            let mut world = World::new();
            let pose = Pose::from_translation(random.vector()).with_rotation(turns[1]).unwrap();
            let body = world.add(Body::fixed(collider(&mut random, other)).at(pose));
            let at = pose.position() + random.vector() * other;
            let obstacles = WorldObstacles::new(&world, mover, Layers::ALL);
            let part = Part { body, part: 0 };
            if !obstacles.holds_center(part, at, 1.0) {
                not += 1;
                continue;
            }
            held += 1;
            let gap = obstacles.contact(part, at, 1.0).unwrap().contact.gap;
            assert!(-gap >= mover.smallest_radius(), "{gap} {mover:?} at {at} in {:?}", world.body(body));
        }
        assert!(held > 500 && not > 500, "{held} {not}");
    }

    #[test]
    fn a_sheet_holds_no_center() {
        let mut world = World::new();
        let field = HeightField::new([2, 2], [1.0; 2], Heights::F32(alloc::vec![0.0; 4])).unwrap();
        let body = world.add(Body::fixed(field));
        let ball = Sphere::new(0.5).unwrap();
        let obstacles = WorldObstacles::new(&world, ball, Layers::ALL);
        for part in [0, 1] {
            let part = Part { body, part };
            assert!(obstacles.contact(part, DVec3::new(0.5, -0.1, 0.5), 1.0).is_some());
            assert!(!obstacles.holds_center(part, DVec3::new(0.5, -0.1, 0.5), 1.0));
        }
    }
}
