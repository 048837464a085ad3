//! How far the path of a mover bends, seen from a turning body, and how much the mover is shrunk for that.
//!
//! Source: `docs/movers.md`, the error. It is the sagitta of the arc, a term of the mover's own translation,
//! and one of movers that are not round about the axis. Cost: two roots.

use glam::{DQuat, DVec3, dvec3};

use crate::num::bound::reach;
use crate::num::ops;
use crate::shape::{Mover, ShapeError};
use crate::world::body::Body;
use crate::world::body::rigid_motion::RigidMotion;

impl Body {
    /// The largest deviation of a mover at `at` that goes `way` from the straight path, seen from the body.
    pub(crate) fn bend(&self, mover: &Mover, at: DVec3, way: DVec3, times: [f64; 2]) -> f64 {
        let Some(motion) = self.motion.as_ref().filter(|motion| motion.angle() != 0.0) else { return 0.0 };
        let [from, until] = times;
        motion.bend(mover, at - motion.at(from).position(), way - motion.moved(times), until - from)
    }

    /// An upper bound of the way in this tick of any point of the body within `radius` of `at`, in meters.
    pub(crate) fn farthest_way(&self, at: DVec3, radius: f64) -> f64 {
        let Some(motion) = &self.motion else { return 0.0 };
        reach(motion.translation()) + motion.angle().abs() * (reach(at - motion.start().position()) + radius)
    }
}

impl RigidMotion {
    /// Its translation between two times, without the turn.
    pub(crate) fn moved(&self, [from, until]: [f64; 2]) -> DVec3 {
        self.translation() * (until - from)
    }

    /// The largest deviation of the true path of a mover, seen from the body, from the straight one, in
    /// meters. `arm` leads from the body to the mover, and `own` is the translation of the mover relative to
    /// the body, in a share of the tick.
    pub(crate) fn bend(&self, mover: &Mover, arm: DVec3, own: DVec3, share: f64) -> f64 {
        let angle = self.angle() * share;
        if angle == 0.0 {
            return 0.0;
        }
        let length = |v: DVec3| ops::sqrt(v.length_squared());
        let radius = length(arm) + length(own);
        // The sagitta of the arc, the term of the translation, and the term of a mover that is not round
        // about the axis.
        let sagitta = radius * angle * angle / 8.0;
        sagitta + length(own) * angle / 4.0 + mover.uneven_about(self.axis()) * angle / 2.0
    }
}

impl Mover {
    /// The mover shrunk by four times the deviation of the path. A chord and its arc lean towards each other
    /// by four sagittas at either end, and a mover that only touches at the start must not be stopped for
    /// that. It shrinks by no more than a quarter of the smallest radius, so it keeps a middle that nothing
    /// passes.
    pub(super) fn drawn_in(&self, bend: f64) -> Result<Self, ShapeError> {
        if bend == 0.0 || *self == Self::Point {
            return Ok(*self);
        }
        self.grown(-(4.0 * bend).min(0.25 * self.smallest_radius()))
    }

    /// The largest change of its extent in any direction, in meters for each radian that it turns about an
    /// axis through its center: 0 if it is round about that axis.
    fn uneven_about(&self, axis: DVec3) -> f64 {
        // Two unit vectors are along each other but for rounding.
        let along = |own: DVec3| 1.0 - own.dot(axis).abs() <= 8.0 * f64::EPSILON;
        let turned = |rotation: DQuat, own: DVec3| rotation * own;
        match self {
            Self::Point | Self::Sphere(_) => 0.0,
            Self::Ellipsoid(e) => {
                let r = e.radii();
                let round = |a: f64, b: f64, own: DVec3| a == b && along(turned(e.rotation(), own));
                if round(r.x, r.y, DVec3::Z) || round(r.y, r.z, DVec3::X) || round(r.x, r.z, DVec3::Y) {
                    return 0.0;
                }
                r.max_element() - r.min_element()
            }
            Self::Capsule(capsule) => {
                let half = capsule.half_height();
                if half == 0.0 || along(capsule.half_axis() / half) {
                    return 0.0;
                }
                ops::sqrt(capsule.half_axis().cross(axis).length_squared())
            }
            // The corner that is farthest from the axis.
            Self::Cuboid(cuboid) => {
                let axis = cuboid.rotation().conjugate() * axis;
                let half = cuboid.half_extents();
                let sides = [DVec3::ONE, dvec3(-1.0, 1.0, 1.0), dvec3(1.0, -1.0, 1.0), dvec3(1.0, 1.0, -1.0)];
                let far = |side: DVec3| (half * side).cross(axis).length_squared();
                ops::sqrt(sides.into_iter().map(far).fold(0.0, f64::max))
            }
        }
    }
}
