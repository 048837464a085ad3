//! Floor that is no level: the outside of one under ceilings, the country beyond a fence, and tops of outer
//! walls.

use glam::DVec3;

use crate::findings::unreached::judge::{Judge, few};
use crate::findings::unreached::rooms::THIN;
use crate::flood::event::{Event, EventKind};

impl Judge<'_, '_> {
    /// Whether it is under the open sky and what is reached is under ceilings, with more than a thin wall
    /// between the two.
    pub(super) fn is_outside(&self, part: &[u32]) -> bool {
        let sees_sky = |at: &u32| self.ray(self.above(*at, 0.5), DVec3::Y * self.far()).is_none();
        let is_open = |samples: &[u32]| {
            let few = few(samples);
            2 * few.iter().filter(|at| sees_sky(at)).count() > few.len()
        };
        is_open(part)
            && !self.reached.is_empty()
            && !is_open(&self.reached)
            && !self.is_behind_a_wall(part, THIN, true)
    }

    /// Whether a body that is put there can walk out over nothing, and bodies in the level cannot: the tops
    /// of its outer walls.
    pub(super) fn is_rim(&self, part: &[u32]) -> bool {
        let falls = |event: &Event| event.kind == EventKind::FellOut;
        !self.evidence.flood.events.iter().any(falls) && self.leaks(part)
    }

    /// Whether it lies around all that is reached, farther out on each side: the country beyond a fence.
    pub(super) fn is_all_around(&self, part: &[u32]) -> bool {
        let extent = |samples: &[u32]| {
            let columns = samples.iter().map(|at| self.floor.samples.get(*at).column);
            columns.fold([[i32::MAX; 2], [i32::MIN; 2]], |[low, high], [x, z]| {
                [[low[0].min(x), low[1].min(z)], [high[0].max(x), high[1].max(z)]]
            })
        };
        let ([low, high], [least, most]) = (extent(part), extent(&self.reached));
        !self.reached.is_empty() && (0..2).all(|axis| low[axis] < least[axis] && high[axis] > most[axis])
    }
}
