//! How two bodies relate in a tick if neither can be swept: for sensors.
//!
//! Idea: both are split into convex elements, and each pair of elements that may meet is tested. The first
//! touch on the reversed motion is the time when they separate. For surfaces that enclose something, the
//! centers of the elements are tested too. Error: that of elements, and of `encloses`. A turning body changes
//! its rotation in sixteen steps of the tick; at both ends its rotation is exact. Cost: all pairs of elements
//! whose boxes meet, and six casts for each element in the bounds of a closed mesh.

use alloc::vec::Vec;

use glam::DVec3;

use crate::shape::Aabb;
use crate::world::body::body_at_time::BodyAtTime;
use crate::world::body::collider::Collider;
use crate::world::body::extent::{bounds_at, origin_of};
use crate::world::body::pose::Frame;
use crate::world::query::element::Element;
use crate::world::query::enclosing::encloses;
use crate::world::{Body, BodyId, Pose};

/// The number of steps in which a turning body turns.
const TURNS: u32 = 16;

/// How one relates to the other in a tick, by shares of the tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// When it first touches the other; 0 if it starts in it.
    pub(super) entered: Option<f64>,
    /// When it last touches it, if it ends outside.
    pub(super) left: Option<f64>,
    pub(super) is_in: bool,
}

/// A body, or a piece of a compound, that cannot be a mover.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unswept<'a> {
    pub(super) body: &'a Body,
    pub(super) collider: &'a Collider,
    /// The pose in the body.
    pub(super) own: Option<&'a Pose>,
}

impl Unswept<'_> {
    /// How it relates to another.
    pub(super) fn meeting(&self, other: &Self) -> Meeting {
        let turns = [self, other].iter().any(|it| it.pose_at(0.0).rotation() != it.pose_at(1.0).rotation());
        let count = if turns { TURNS } else { 1 };
        let time = |segment: u32| f64::from(segment) / f64::from(count);
        let segments = || (0..count).map(|segment| [time(segment), time(segment + 1)]);
        let touch = |[from, to]: [f64; 2]| {
            // A body that turns into the other has no path to it.
            if turns && self.is_in(other, from) {
                return Some(from);
            }
            Some(from + (to - from) * self.first_touch(other, [from, to])?)
        };
        let is_in = self.is_in(other, 1.0);
        let first = || segments().find_map(touch);
        let last = || segments().rev().find_map(|[from, to]| touch([to, from]));
        Meeting {
            entered: if self.is_in(other, 0.0) { Some(0.0) } else { first() },
            left: if is_in { None } else { last() },
            is_in,
        }
    }

    fn pose_at(&self, time: f64) -> Pose {
        let pose = self.body.pose_at(time);
        self.own.map_or(pose, |own| pose.compose(own))
    }

    /// Both at their poses after a share of the tick, moved near the origin, and the boxes around them.
    fn placed(&self, other: &Self, time: f64) -> Option<[Placed<'_>; 2]> {
        let [own, others] = [self.pose_at(time), other.pose_at(time)];
        let origin = others.position();
        let near = |pose: Pose| {
            let near = Pose::at(pose.position() - origin).ok()?.with_rotation(pose.rotation()).ok()?;
            near.with_scale(pose.scale()).ok()
        };
        Some([Placed::new(self, near(own)?), Placed::new(other, near(others)?)])
    }

    /// Whether they overlap after a share of the tick, or one is within the other.
    fn is_in(&self, other: &Self, time: f64) -> bool {
        let Some([a, b]) = self.placed(other, time) else { return false };
        let Some(area) = common(a.bounds, b.bounds) else { return false };
        let (own, others) = (a.elements(&area), b.elements(&area));
        own.iter().any(|x| others.iter().any(|y| x.overlaps(y)))
            || others.iter().any(|element| a.encloses(element.middle()))
            || own.iter().any(|element| b.encloses(element.middle()))
            || (a.encloses(area.center()) && b.encloses(area.center()))
    }

    /// The share of the time between two shares of the tick after which they touch and overlap more.
    fn first_touch(&self, other: &Self, [from, to]: [f64; 2]) -> Option<f64> {
        let [a, b] = self.placed(other, from)?;
        let way = |it: &Self| it.pose_at(to).position() - it.pose_at(from).position();
        let way = way(self) - way(other);
        let swept = |bounds: Option<Aabb>, way: DVec3| bounds.map(|bounds| bounds.swept(way));
        let own = a.elements(&common(a.bounds, swept(b.bounds, -way))?);
        let others = b.elements(&common(swept(a.bounds, way), b.bounds)?);
        let mut first: Option<f64> = None;
        for x in &own {
            for y in &others {
                let touch = x.first_touch(way, y);
                first = [first, touch].into_iter().flatten().reduce(f64::min);
            }
        }
        first
    }
}

/// The intersection of two boxes, of which `None` is infinite; `None` if both are.
fn common(a: Option<Aabb>, b: Option<Aabb>) -> Option<Aabb> {
    match (a, b) {
        (Some(a), Some(b)) => a.intersection(&b),
        _ => a.or(b),
    }
}

/// A collider at a pose.
struct Placed<'a> {
    collider: &'a Collider,
    pose: Pose,
    /// `None` for an unbounded collider.
    bounds: Option<Aabb>,
}

impl<'a> Placed<'a> {
    fn new(it: &Unswept<'a>, pose: Pose) -> Self {
        Self { collider: it.collider, pose, bounds: bounds_at(it.collider, &pose) }
    }

    fn elements(&self, area: &Aabb) -> Vec<Element> {
        let mut elements = Vec::new();
        Element::gather(self.collider, &self.pose, area, &mut elements);
        elements
    }

    /// Whether it is made of sheets that enclose a point.
    fn encloses(&self, at: DVec3) -> bool {
        let frame = Frame::new(&self.pose, origin_of(self.collider));
        let placed = BodyAtTime { id: BodyId::from_bits(0), collider: self.collider, user_data: 0, frame };
        self.collider.is_surfaces() && encloses(&placed, at)
    }
}
