//! Platforms: level slabs over reached floor, but no roofs on posts and no awnings.

use std::collections::BTreeSet;

use carom::shape::{Cuboid, Mover};
use glam::DVec3;

use crate::findings::unreached::judge::{Judge, SLAB, STOREY, axes};

/// Railings and walls are met this far above and below the middle of a body, as a share of its half height.
const RAILING: f64 = 0.6;
/// A roof has posts below at least this many of its quarters.
const POSTS: usize = 3;
/// A small one is carried by posts or by the wall that it hangs on at this many of its quarters,
const CARRIED: usize = 2;
/// and is no deeper and no thicker than this, in meters: an awning, a shelter.
const DEEP: f64 = 3.0;
const THIN: f64 = 0.25;

impl Judge<'_, '_> {
    /// A level slab with room and reached floor below; open at its sides below, or walled above.
    pub(super) fn is_platform(&self, part: &[u32], few: &[u32]) -> bool {
        // Without a view out it is a room, a storey, or an attic; or a loft in a hall.
        let is_shut = self.is_shut(few);
        if is_shut && !self.is_loft(part) {
            return false;
        }
        let Some(level) = self.level(part) else { return false };
        let columns: BTreeSet<[i32; 2]> = part.iter().map(|at| self.floor.samples.get(*at).column).collect();
        let (mut slabs, mut open, mut sides, mut lowest, mut thickest) = (0, 0, 0, f64::INFINITY, 0.0_f64);
        for at in &level {
            let Some(below) = self.floor.below(*at) else { continue };
            let drop = self.height(*at) - self.height(below);
            if drop > STOREY || !self.floor.samples.is_reached(below) {
                continue;
            }
            // The under side, from the floor below.
            let foot = self.above(below, 0.5);
            let Some((up, _)) = self.ray(foot, DVec3::Y * drop) else { continue };
            let thick = self.height(*at) - (foot.y + up);
            if thick > SLAB {
                continue;
            }
            slabs += 1;
            lowest = lowest.min(drop);
            thickest = thickest.max(thick);
            // From below, out to where nothing is above.
            for [x, z] in axes() {
                let [i, j] = self.floor.samples.get(*at).column;
                let cells =
                    (1..10_000).find(|k| !columns.contains(&[i + x * k, j + z * k])).unwrap_or(10_000);
                let translation =
                    DVec3::new(f64::from(x), 0.0, f64::from(z)) * (self.floor.cell() * f64::from(cells));
                sides += 1;
                open += usize::from(self.ray(foot, translation).is_none());
            }
        }
        if 10 * slabs < 7 * level.len() {
            return false;
        }
        let rim: Vec<u32> = part.iter().filter(|at| self.floor.sides(**at) < 4).copied().collect();
        let reach = 2.0 * self.floor.cell();
        let is_walled = |at: &u32| {
            let from = self.above(*at, 0.75);
            axes()
                .into_iter()
                .any(|[x, z]| self.ray(from, DVec3::new(f64::from(x), 0.0, f64::from(z)) * reach).is_some())
        };
        let walled = rim.iter().filter(|at| is_walled(at)).count();
        if 10 * open >= 6 * sides && self.is_roof(part, &rim, lowest, thickest) {
            return false;
        }
        // Bales and crates may stand along its walls.
        let is_open = 2 * open >= sides;
        if is_shut { is_open && 3 * walled >= rim.len() } else { is_open || 2 * walled >= rim.len() }
    }

    /// Whether a slab of this thickness that is open below has nothing above it, no wall and no railing along
    /// its rim, and posts below at least three of its quarters at half of this drop: a canopy, a carport, a
    /// stall's roof. A small one may hang on a wall without doors: an awning.
    fn is_roof(&self, part: &[u32], rim: &[u32], drop: f64, thick: f64) -> bool {
        let (level, rules) = (self.evidence.walker.level, self.evidence.walker.rules);
        let cell = self.floor.cell();
        let around = |side: f64, half: f64| Cuboid::new(DVec3::new(side, half, side)).map(Mover::from);
        let (Ok(railing), Ok(post)) = (around(2.0 * cell, RAILING * rules.radii.y), around(0.9 * cell, 0.05))
        else {
            return false;
        };
        let is_free =
            |mover: &Mover, at: DVec3| level.ground().has_room(mover, at, rules.settings.collides_with);
        let is_under_the_sky = |at: &u32| self.ray(self.above(*at, 0.5), DVec3::Y * self.far()).is_none();
        let is_bare = |at: &u32| is_free(&railing, self.above(*at, 0.5));
        // From above the foot to above the head.
        let is_at_a_wall = |at: &u32| {
            axes().into_iter().any(|[x, z]| {
                let translation = DVec3::new(f64::from(x), 0.0, f64::from(z)) * (2.0 * cell);
                [0.25, 0.75, 1.1]
                    .into_iter()
                    .all(|share| self.ray(self.above(*at, share), translation).is_some())
            })
        };
        // Right beside a post there is no room for the body, so no sample of the floor below.
        let meets_post = |at: &u32| {
            let middle = self.floor.point(&self.floor.samples.get(*at)) - DVec3::Y * (0.5 * drop);
            !is_free(&post, middle)
        };
        if !rim.iter().all(|at| is_under_the_sky(at) && (is_bare(at) || is_at_a_wall(at))) {
            return false;
        }
        let columns = rim.iter().map(|at| self.floor.samples.get(*at).column);
        let [low, high] = columns.fold([[i32::MAX; 2], [i32::MIN; 2]], |[low, high], [x, z]| {
            [[low[0].min(x), low[1].min(z)], [high[0].max(x), high[1].max(z)]]
        });
        let quarter = |at: &u32| {
            let [x, z] = self.floor.samples.get(*at).column;
            [2 * x > low[0] + high[0], 2 * z > low[1] + high[1]]
        };
        let quarters = |samples: &[u32], is_carried: &dyn Fn(&u32) -> bool| {
            samples.iter().filter(|at| is_carried(at)).map(quarter).collect::<BTreeSet<_>>().len()
        };
        let [wide, long] = self.floor.size(rim.iter());
        let is_small = wide.min(long) <= DEEP && thick <= THIN;
        quarters(part, &meets_post) >= POSTS && rim.iter().all(is_bare)
            || is_small && quarters(rim, &|at| meets_post(at) || is_at_a_wall(at)) >= CARRIED
    }
}
