//! Which sensors a mover enters and leaves on its path.
//!
//! A sensor is queried like any other body: the first contact on the path is when a visitor enters, and the
//! first contact on the reversed path is when it leaves. Two bodies of which neither can be swept, such as
//! two meshes, are a `body_pair`. Error: that of sweeps. Cost: one walk of the index of bodies for each
//! visitor, and two sweeps and two tests at rest for each sensor that its bounds meet.

use glam::DVec3;

use crate::shape::{Aabb, Mover};
use crate::sweep::Path;
use crate::world::body::Body;
use crate::world::body::body_at_time::{BodyAtTime, Wanted};
use crate::world::body::collider::Collider;
use crate::world::body::solid::placed;
use crate::world::body::sweep_segment::{SweepExtent, SweepSegment};
use crate::world::index::IndexedBounds;
use crate::world::query::body_pair::{Meeting, Unswept};
use crate::world::query::enclosing::encloses;
use crate::world::{BodyId, Layers, Pose, World};

/// How a visitor relates to a sensor in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Visit {
    pub(crate) sensor: BodyId,
    pub(crate) user_data: u64,
    /// The share of the tick at which it first touches the sensor, or starts in it.
    pub(crate) entered: Option<f64>,
    /// The share of the tick at which it last touches the sensor, if it ends outside.
    pub(crate) left: Option<f64>,
    /// Whether it is in the sensor at the end.
    pub(crate) is_in: bool,
}

/// A corner of the path of a mover through a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimedCorner {
    pub(crate) position: DVec3,
    /// The share of the tick at which it is there.
    pub(crate) time: f64,
}

impl World {
    /// Whether there is any sensor.
    pub(crate) fn has_sensors(&self) -> bool {
        self.sensors > 0
    }

    /// Visits the relation of a mover on a path to each sensor near it on one of these layers, in no
    /// particular order.
    pub(crate) fn visits(
        &self,
        mover: &Mover,
        path: &[TimedCorner],
        layers: Layers,
        mut visit: impl FnMut(Visit),
    ) {
        let Some(area) = Aabb::enclosing(path.iter().map(|corner| corner.position)) else { return };
        let half = mover.half_extents();
        let Ok(area) = Aabb::new(area.min() - half, area.max() + half) else { return };
        self.sensors_within(&area, layers, |id, sensor| visit(sensor.visited(id, mover, path)));
    }

    fn sensors_within(&self, area: &Aabb, layers: Layers, mut visit: impl FnMut(BodyId, &Body)) {
        self.index.within(area, |number| {
            if let Some((id, sensor)) = self.numbered(number).filter(|(_, body)| body.senses(layers)) {
                visit(id, sensor);
            }
        });
    }

    /// The same for a movable body of this world, and each sensor that it shares a layer with. If one of the
    /// two can be swept, it is swept against the other; otherwise each pair of elements is tested.
    pub(crate) fn visits_of_body(&self, id: BodyId, body: &Body, mut visit: impl FnMut(Visit)) {
        let IndexedBounds::Within(area) = body.indexed_bounds() else { return };
        self.sensors_within(&area, body.layers, |sensor, found| {
            let of_sensor = |visit: Visit| Visit { sensor, user_data: found.user_data, ..visit };
            let mut seen: Option<Visit> = None;
            let mut add = |visit: Visit| seen = Some(seen.map_or(visit, |seen| seen.together(&visit)));
            let is_all = body.each_swept(|swept| add(swept.visit(sensor, found)))
                // In the frame of the body the sensor moves towards it.
                || found.each_swept(|swept| add(of_sensor(swept.visit(id, body))));
            if !is_all {
                body.each_unswept(|own| {
                    found.each_unswept(|other| {
                        let Meeting { entered, left, is_in } = own.meeting(&other);
                        add(Visit { sensor, user_data: found.user_data, entered, left, is_in });
                    });
                });
            }
            seen.into_iter().for_each(&mut visit);
        });
    }
}

impl Visit {
    /// Combines two parts of one visitor.
    fn together(&self, other: &Self) -> Self {
        let either = |a: Option<f64>, b: Option<f64>, of: fn(f64, f64) -> f64| match (a, b) {
            (Some(a), Some(b)) => Some(of(a, b)),
            _ => a.or(b),
        };
        let is_in = self.is_in || other.is_in;
        let left = if is_in { None } else { either(self.left, other.left, f64::max) };
        Self { entered: either(self.entered, other.entered, f64::min), left, is_in, ..*self }
    }
}

/// The part of a body that can be swept in a tick.
struct Swept {
    mover: Mover,
    /// The mover with its rotation at the end, if that differs.
    turned: Option<Mover>,
    path: [TimedCorner; 2],
}

impl Swept {
    fn of(collider: &Collider, [from, to]: [&Pose; 2]) -> Option<Self> {
        let mover = placed(collider, from)?;
        let turned = placed(collider, to).filter(|turned| *turned != mover);
        let corner = |pose: &Pose, time| TimedCorner { position: pose.position(), time };
        Some(Self { mover, turned, path: [corner(from, 0.0), corner(to, 1.0)] })
    }

    /// Its relation to a sensor.
    fn visit(&self, id: BodyId, sensor: &Body) -> Visit {
        let mut seen = sensor.visited(id, &self.mover, &self.path);
        if let Some(turned) = &self.turned {
            let was_in = seen.is_in;
            seen.is_in = sensor.holds(id, turned, self.path[1].position, 1.0);
            // It turned out of the sensor as the tick ended, or into it.
            seen.left = if seen.is_in { None } else { seen.left.or(was_in.then_some(1.0)) };
        }
        seen
    }
}

impl Body {
    fn senses(&self, layers: Layers) -> bool {
        self.is_sensor() && self.layers().meets(layers)
    }

    /// Visits the parts of this body that can be swept: itself, or pieces of a compound. Returns whether they
    /// are all of it.
    fn each_swept(&self, mut visit: impl FnMut(Swept)) -> bool {
        let (from, to) = (self.pose_at(0.0), *self.pose());
        let mut offer = |swept: Option<Swept>| swept.map(&mut visit).is_some();
        let Collider::Compound(compound) = &self.collider else {
            return offer(Swept::of(&self.collider, [&from, &to]));
        };
        let mut is_all = true;
        for piece in compound.pieces() {
            let poses = [from.compose(&piece.pose), to.compose(&piece.pose)];
            is_all &= offer(Swept::of(&piece.collider, [&poses[0], &poses[1]]));
        }
        is_all
    }

    /// Visits the parts that cannot be swept.
    fn each_unswept<'a>(&'a self, mut visit: impl FnMut(Unswept<'a>)) {
        let is_unswept = |collider| placed(collider, self.pose()).is_none();
        match &self.collider {
            Collider::Compound(compound) => {
                for piece in compound.pieces().iter().filter(|piece| is_unswept(&piece.collider)) {
                    visit(Unswept { body: self, collider: &piece.collider, own: Some(&piece.pose) });
                }
            }
            collider if is_unswept(collider) => visit(Unswept { body: self, collider, own: None }),
            _ => {}
        }
    }

    /// The relation of a moving mover to this body.
    fn visited(&self, id: BodyId, mover: &Mover, path: &[TimedCorner]) -> Visit {
        let segment = |[from, to]: [TimedCorner; 2]| SweepSegment {
            mover,
            from: from.position,
            translation: to.position - from.position,
            times: [from.time, to.time],
            carrier: None,
            extent: SweepExtent::Usual,
            excluded: &[],
        };
        let pairs = || path.windows(2).map(|pair| [pair[0], pair[1]]);
        let at_share = |[from, to]: [TimedCorner; 2], share: f64| from.time + (to.time - from.time) * share;
        let holds = |corner: &TimedCorner| self.holds(id, mover, corner.position, corner.time);
        let is_in = path.last().is_some_and(holds);
        // A visitor that begins the tick inside and goes out is stopped by nothing on its path.
        let began_in = || path.first().is_some_and(holds);
        let first = || pairs().find_map(|pair| Some(at_share(pair, self.first_touch(id, &segment(pair))?)));
        let entered = if began_in() { path.first().map(|corner| corner.time) } else { first() };
        let back = || pairs().rev().map(|[from, to]| [to, from]);
        let left = || back().find_map(|pair| Some(at_share(pair, self.first_touch(id, &segment(pair))?)));
        let left = if is_in { None } else { left() };
        Visit { sensor: id, user_data: self.user_data, entered, left, is_in }
    }

    /// The share of a segment that a mover goes before it touches this body and goes deeper.
    fn first_touch(&self, id: BodyId, segment: &SweepSegment<'_>) -> Option<f64> {
        let (seen, mover, path) = BodyAtTime::seen_from(id, self, segment)?;
        let mut first: Option<f64> = None;
        seen.sweep(&mover, &path, Wanted::until(1.0), &mut |hit| {
            let fraction = first.map_or(hit.fraction, |first| first.min(hit.fraction));
            first = Some(fraction);
            fraction
        });
        first
    }

    /// Whether a mover is in this body after a share of the tick: it overlaps it, or is enclosed by its
    /// surfaces.
    fn holds(&self, id: BodyId, mover: &Mover, at: DVec3, time: f64) -> bool {
        let Ok(place) = Path::new(at, DVec3::ZERO) else { return false };
        let mut overlaps = false;
        let placed = BodyAtTime::at(id, self, time);
        placed.contacts(mover, &place, 0.0, &mut |contact, _| overlaps |= contact.gap < 0.0);
        let mut encloses_it = |piece: &BodyAtTime<'_>| {
            overlaps |= piece.collider.is_surfaces() && encloses(piece, at);
        };
        placed.each_piece(|piece, _| encloses_it(piece));
        overlaps
    }
}
