//! The result of a cast: the hit, and the body.

use core::ops::Deref;

use glam::DVec3;

use crate::sweep::{Feature, Hit};
use crate::world::body::body_id::BodyId;

/// A hit of a cast with a body of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// Fraction, point, normal and feature. Also reached by dereferencing.
    pub hit: Hit,
    /// The body that was hit.
    pub body: BodyId,
    /// The triangle of a mesh, or the polygon of a set; 0 for a solid.
    pub part: u32,
    /// The body's user number ([`Body::with_user_data`](crate::world::Body::with_user_data)).
    pub user_data: u64,
}

impl CastHit {
    /// A contact at the start, with any part of a body.
    pub(crate) fn stop(at: DVec3, body: BodyId) -> Self {
        let hit =
            Hit { fraction: 0.0, point: at, normal: DVec3::Y, feature: Feature::Face, start_overlap: false };
        Self { hit, body, part: 0, user_data: 0 }
    }
}

impl Deref for CastHit {
    type Target = Hit;

    fn deref(&self) -> &Hit {
        &self.hit
    }
}
