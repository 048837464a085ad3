//! What has changed lately of the bodies that are fixed.
//!
//! Who keeps what is near asks whether a change came near, not whether there was one. Cost: one comparison of boxes for each of the changes
//! since, of which the last [`KEPT`] are known.

use alloc::collections::VecDeque;

use crate::num::bound::{f32_above, f32_below};
use crate::shape::Aabb;
use crate::world::stamp::Stamp;

/// So many changes are known: who asks in every tick has heard of all before.
const KEPT: usize = 64;

/// The last changes of fixed bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    /// Each with the box in which it took place; none for one that may have been anywhere.
    last: VecDeque<(Stamp, Option<[glam::Vec3; 2]>)>,
}

#[allow(dead_code, reason = "for what is gathered near a mover")]
impl Changes {
    /// Notes a change.
    pub(super) fn note(&mut self, stamp: Stamp, bounds: Option<[glam::Vec3; 2]>) {
        if self.last.len() == KEPT {
            self.last.pop_front();
        }
        self.last.push_back((stamp, bounds));
    }

    /// The mark of the last change; the default of a world in which there was none.
    pub(crate) fn last(&self) -> Stamp {
        self.last.back().map(|(stamp, _)| *stamp).unwrap_or_default()
    }

    /// Whether no fixed body that shares a point with an area has been added, taken out or put elsewhere since the change with a mark. False
    /// if that is not known any more, or was in another world.
    pub(crate) fn is_unchanged(&self, area: &Aabb, since: Stamp) -> bool {
        let [lower, upper] = [f32_below(area.min()), f32_above(area.max())];
        for (stamp, bounds) in self.last.iter().rev() {
            if stamp.is(since) {
                return true;
            }
            let is_near = bounds.is_none_or(|[low, high]| low.cmple(upper).all() && high.cmpge(lower).all());
            if is_near {
                return false;
            }
        }
        false
    }
}
