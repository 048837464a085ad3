//! Moving bodies of a scene: driven at a speed or by keyframes. Pushes and gravity move the library's
//! [`PushedBodies`](carom::pushed::PushedBodies).

use carom::world::{BodyId, Keyframes, Moves};
use glam::DVec3;

/// A body that may move, and how.
#[derive(Debug)]
pub(crate) struct Moving {
    pub(crate) id: BodyId,
    pub(crate) motion: BodyMotion,
}

#[derive(Clone, Debug)]
pub(crate) enum BodyMotion {
    /// In m/s and rad/s, in world axes, about the body's position.
    Driven { linear: DVec3, angular: DVec3 },
    /// The scale is not planned: it stays.
    Planned { plan: Keyframes, scale: f64 },
    /// By pushes, gravity and what it stands on, with this mass in kilograms.
    Pushed { mass: f64 },
}

/// Starts the motions of bodies for the tick that ends at the time `end`. A body whose motion leaves the
/// range of f64 stays.
pub(crate) fn send(moves: &mut Moves<'_>, moving: &[Moving], end: f64) {
    for Moving { id, motion } in moving {
        match motion {
            BodyMotion::Driven { linear, angular } => {
                let _ = moves.drive(*id, *linear, *angular);
            }
            BodyMotion::Planned { plan, scale } => {
                if let Ok(pose) = plan.pose_at(end).with_scale(*scale) {
                    let _ = moves.move_to(*id, pose);
                }
            }
            BodyMotion::Pushed { .. } => {}
        }
    }
}
