//! The first contact of a sweep in a tick, over all bodies that it is tested against.

use crate::sweep::Path;
use crate::world::body::Body;
use crate::world::body::body_at_time::{BodyAtTime, Wanted};
use crate::world::body::sweep_segment::SweepSegment;
use crate::world::{BodyId, CastHit, Layers, World};

/// The first contact so far.
#[derive(Default)]
pub(crate) struct First(Option<CastHit>);

impl First {
    /// The fraction after which a contact is not the first.
    pub(crate) fn limit(&self) -> f64 {
        self.0.as_ref().map_or(1.0, |best| best.hit.fraction)
    }

    pub(crate) fn into_hit(self) -> Option<CastHit> {
        self.0
    }

    pub(super) fn offer(&mut self, world: &World, hit: CastHit) -> f64 {
        if self.0.as_ref().is_none_or(|best| world.compare(&hit, best).is_lt()) {
            self.0 = Some(hit);
        }
        self.limit()
    }

    /// Numbers beyond the range of f64 stop the mover.
    pub(super) fn stop(&mut self, segment: &SweepSegment<'_>, body: BodyId) {
        self.0 = Some(CastHit::stop(segment.from, body));
    }

    /// Tests all parts of a body.
    pub(super) fn ask(&mut self, world: &World, segment: &SweepSegment<'_>, id: BodyId, body: &Body) {
        if !body.may_meet(segment) {
            return;
        }
        match BodyAtTime::seen_from(id, body, segment) {
            Some((placed, mover, path)) => {
                placed.sweep(&mover, &path, Wanted::until(self.limit()), &mut |hit| self.offer(world, hit));
            }
            None => self.stop(segment, id),
        }
    }
}

impl World {
    /// Offers the first contact on a part of a tick with any body on these layers.
    pub(crate) fn sweep_all(&self, segment: &SweepSegment<'_>, layers: Layers, first: &mut First) {
        let Ok(path) = Path::new(segment.from, segment.translation) else { return };
        self.index.sweep(segment.mover, &path, |number, _| {
            let met =
                |(id, body): &(BodyId, &Body)| body.layers.meets(layers) && !segment.excluded.contains(id);
            if let Some((id, body)) = self.numbered(number).filter(met) {
                first.ask(self, segment, id, body);
            }
            first.limit()
        });
    }
}
