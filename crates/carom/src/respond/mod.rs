//! Response: the motion that contacts allow. Pure functions of planes and velocities.

mod bounce;
mod collide_and_slide;
mod constraint;
mod contact_list;
mod crossing;
mod depenetrate;
mod escape;
mod held;
mod obstacles;
mod planes;
mod slide;

pub use bounce::{bounce, friction};
pub use collide_and_slide::{collide_and_slide, collide_and_slide_traced};
pub use constraint::COINCIDENT;
pub(crate) use contact_list::ContactList;
pub(crate) use depenetrate::depenetrate_across;
pub use depenetrate::{Depenetrated, depenetrate};
pub(crate) use escape::{Blockers, Way, way_along};
pub use obstacles::{Obstacles, SurfaceContact, WorldObstacles};
pub(crate) use planes::FLING;
pub use planes::{ContactPlane, Crush, NearestMotion, PlaneIndices, PlanesError, nearest_feasible};
pub use slide::{Bend, Climbing, Slide, SlideEnd, SlideResult};

pub use crate::trace::SweepHit;

use glam::DVec3;

use crate::num::ops;

/// The motion, shortened just enough to be no longer than `limit`: for motions that exceed it only by
/// rounding.
fn not_faster(motion: DVec3, limit: DVec3) -> DVec3 {
    let (length_squared, most) = (motion.length_squared(), limit.length_squared());
    if length_squared <= most {
        return motion;
    }
    // Two ulp less than the quotient, for its rounding and that of the three products.
    motion * (ops::sqrt(most / length_squared) * (1.0 - 2.0 * f64::EPSILON))
}
