//! Hollow containers: one closed surface without an opening that stands free on reached floor. A room that
//! was meant to be entered has a doorway, even if another object fills it.

use std::collections::HashMap;

use carom::shape::{Cuboid, Mover};
use carom_formats::Extents;
use glam::DVec3;

use crate::findings::unreached::judge::Judge;
use crate::findings::unreached::rooms::{THIN, around};

/// A container covers no more than this, in m².
const LARGEST: f64 = 40.0;
/// In a row, one stands with its ends at others; it is no wider than this, in meters.
const NARROW: f64 = 3.0;
/// A triangle that touches a box larger by this on each side, in meters, may be part of the surface within.
const MARGIN: f64 = 0.05;

impl Judge<'_, '_> {
    /// Whether all that is seen from these samples is one closed surface that nothing else belongs to, and it
    /// stands free.
    pub(super) fn is_container(&self, few: &[u32]) -> bool {
        let level = self.evidence.walker.level;
        let far = self.far();
        let looks = few.iter().map(|at| self.above(*at, 0.6)).flat_map(|from| {
            around().chain([DVec3::Y, DVec3::NEG_Y]).map(move |way| level.ray(from, way * far))
        });
        let seen: Option<Vec<[DVec3; 3]>> = looks.map(|met| met.map(|met| met.corners)).collect();
        let Some(seen) = seen else { return false };
        let bounds = Extents::of(seen.iter().flatten().copied());
        let size = bounds.size();
        if size.x * size.z > LARGEST || !self.stands_free(&bounds) {
            return false;
        }
        let middle = 0.5 * (bounds.low + bounds.high);
        let Ok(about) = Cuboid::new(0.5 * size + MARGIN).map(Mover::from) else { return false };
        let layers = self.evidence.walker.rules.settings.collides_with;
        let triangles = level.ground().touching(&about, middle, layers);
        // Triangles that share a corner are of one surface.
        let mut at_corner: HashMap<[u64; 3], Vec<usize>> = HashMap::new();
        let bits = |corner: DVec3| corner.to_array().map(|x| (x + 0.0).to_bits());
        for (i, corners) in triangles.iter().enumerate() {
            corners.iter().for_each(|corner| at_corner.entry(bits(*corner)).or_default().push(i));
        }
        let Some(first) = triangles.iter().position(|corners| Some(corners) == seen.first()) else {
            return false;
        };
        let mut is_own = vec![false; triangles.len()];
        is_own[first] = true;
        let mut list = vec![first];
        while let Some(i) = list.pop() {
            for other in triangles[i].iter().flat_map(|corner| &at_corner[&bits(*corner)]) {
                if !std::mem::replace(&mut is_own[*other], true) {
                    list.push(*other);
                }
            }
        }
        let own = || triangles.iter().zip(&is_own).filter(|(_, is_own)| **is_own).map(|(corners, _)| corners);
        let is_within = |corner: &DVec3| {
            corner.cmpge(bounds.low - 0.5 * MARGIN).all() && corner.cmple(bounds.high + 0.5 * MARGIN).all()
        };
        own().flatten().all(is_within) && seen.iter().all(|corners| own().any(|own| own == corners))
    }

    /// Whether reached floor is beside a box on at least three of its four sides, or beside both long sides
    /// of a narrow one, as in a row: at its foot, or lower if it stands on another.
    fn stands_free(&self, bounds: &Extents) -> bool {
        let cell = self.floor.cell();
        let middle = 0.5 * (bounds.low + bounds.high);
        let is_free = |beside: DVec3| {
            self.evidence.walker.level.below(beside).is_some_and(|met| {
                let foot = beside.y + met.hit.fraction * (self.evidence.walker.level.abyss() - beside.y);
                self.floor.is_reached_at(beside.with_y(foot))
            })
        };
        let reach = ((THIN + 2.0 * cell) / cell).ceil() as i32;
        let sides = |axis: DVec3| {
            let far = |k: i32| 0.5 * bounds.size().dot(axis) + cell * f64::from(k);
            let is_beside = |out: &DVec3| (1..=reach).any(|k| is_free(middle + *out * far(k)));
            [axis, -axis].into_iter().filter(is_beside).count()
        };
        let (along_x, along_z) = (sides(DVec3::X), sides(DVec3::Z));
        let size = bounds.size();
        let across = if size.x < size.z { along_x } else { along_z };
        along_x + along_z >= 3 || size.x.min(size.z) <= NARROW && across == 2
    }
}
