//! Whether the surfaces of a body enclose a point, and whether a path leads into a solid.
//!
//! Source: the Jordan curve theorem by casts, as in Shimrat, *Algorithm 112* (1962). Every ray from a point
//! inside a closed surface hits it an odd number of times. Three lines are cast in both directions and all
//! six must agree: one sheet, or a bowl that is open to one side, encloses nothing. Error: a ray through an
//! edge between two triangles may count one hit too many, and then the answer is no. Cost: six casts for each
//! body whose bounds contain the point. It never gives up.

use alloc::vec::Vec;

use glam::DVec3;

use crate::num::ops;
use crate::shape::Mover;
use crate::sweep::Path;
use crate::world::body::body_at_time::{BodyAtTime, Wanted};
use crate::world::body::collider::Collider;
use crate::world::body::extent::bounds_at;
use crate::world::{Body, BodyId, Layers, World};

/// Not along an axis or a diagonal, in which levels have many edges.
const LINES: [DVec3; 3] =
    [DVec3::new(0.618, 0.717, 0.323), DVec3::new(-0.539, 0.371, 0.756), DVec3::new(0.281, -0.829, 0.484)];

impl World {
    /// The bodies that may move and whose surfaces enclose a point after a share of the tick, in the order in
    /// which they were added. Solids are not among them: a mover in one overlaps it.
    pub(crate) fn enclosing(&self, at: DVec3, time: f64, layers: Layers) -> Vec<BodyId> {
        let Ok(here) = Path::new(at, DVec3::ZERO) else { return Vec::new() };
        let mut found = Vec::new();
        self.index.sweep(&Mover::Point, &here, |number, best| {
            let body = self.numbered(number).filter(|(_, body)| body.can_move() && body.layers.meets(layers));
            let is_within = |(id, body): &(BodyId, &Body)| {
                let mut is_within = false;
                BodyAtTime::at(*id, body, time).each_piece(|piece, _| {
                    is_within |= is_sheets(piece.collider) && encloses(piece, at);
                });
                is_within
            };
            found.extend(body.filter(is_within).map(|(id, _)| id));
            best
        });
        found.sort_unstable();
        found
    }
}

impl World {
    /// The meshes that enclose a point after a share of the tick and whose faces look outwards, in the order
    /// in which they were added: each is the surface of a solid. The walls of a room look inwards.
    pub(crate) fn filled_around(&self, at: DVec3, time: f64, layers: Layers) -> Vec<BodyId> {
        let Ok(here) = Path::new(at, DVec3::ZERO) else { return Vec::new() };
        let mut found = Vec::new();
        self.index.sweep(&Mover::Point, &here, |number, best| {
            let body = self.numbered(number).filter(|(_, body)| body.layers.meets(layers));
            let is_within = |(id, body): &(BodyId, &Body)| {
                let mut is_within = false;
                BodyAtTime::at(*id, body, time).each_piece(|piece, _| is_within |= is_filled(piece, at));
                is_within
            };
            found.extend(body.filter(is_within).map(|(id, _)| id));
            best
        });
        found.sort_unstable();
        found
    }

    /// The share of a straight path at which a point, after a share of the tick, enters a solid that it does
    /// not start in, or passes through a surface of a body other than those that it may leave; `None` if it
    /// does neither.
    pub(crate) fn leads_into(
        &self,
        path: &Path,
        time: f64,
        layers: Layers,
        leaves: &[BodyId],
    ) -> Option<f64> {
        let Ok(here) = Path::new(path.from(), DVec3::ZERO) else { return Some(0.0) };
        let mut first: Option<f64> = None;
        self.index.sweep(&Mover::Point, path, |number, best| {
            let Some((id, body)) = self.numbered(number).filter(|(_, body)| body.layers.meets(layers)) else {
                return best;
            };
            if leaves.contains(&id) {
                return best;
            }
            BodyAtTime::at(id, body, time).each_piece(|placed, _| {
                let mut is_in = false;
                if !is_sheets(placed.collider) {
                    placed.contacts(&Mover::Point, &here, 0.0, &mut |contact, _| is_in |= contact.gap < 0.0);
                }
                if !is_in {
                    let wanted = Wanted::until(first.unwrap_or(1.0));
                    placed.sweep(&Mover::Point, path, wanted, &mut |found| {
                        let fraction = found.hit.fraction;
                        let nearest = first.map_or(fraction, |first| first.min(fraction));
                        *first.insert(nearest)
                    });
                }
            });
            first.unwrap_or(best)
        });
        first
    }
}

/// Whether it is made of triangles or polygons.
fn is_sheets(collider: &Collider) -> bool {
    matches!(collider, Collider::Mesh(_) | Collider::Polygons(_))
}

/// Whether the surfaces of a body, or of a piece of one, enclose a point.
pub(in crate::world) fn encloses(placed: &BodyAtTime<'_>, at: DVec3) -> bool {
    let Some(bounds) = bounds_at(placed.collider, &placed.frame.pose()) else { return false };
    if at.cmplt(bounds.min()).any() || at.cmpgt(bounds.max()).any() {
        return false;
    }
    let far = 4.0 * ops::sqrt(bounds.half_extents().length_squared());
    LINES.iter().flat_map(|line| [*line, -*line]).all(|line| {
        let mut met = 0u32;
        if let Ok(path) = Path::new(at, line * far) {
            placed.sweep(&Mover::Point, &path, Wanted::until(1.0), &mut |_| {
                met += 1;
                1.0
            });
        }
        met % 2 == 1
    })
}

/// Whether a body, or a piece of one, is a mesh that encloses a point, and its faces look away from the point
/// at the last hit of every ray from there.
fn is_filled(placed: &BodyAtTime<'_>, at: DVec3) -> bool {
    let Collider::Mesh(tree) = placed.collider else { return false };
    if !encloses(placed, at) {
        return false;
    }
    let pose = placed.frame.pose();
    let (Some(bounds), rotation) = (bounds_at(placed.collider, &pose), pose.rotation()) else { return false };
    let far = 4.0 * ops::sqrt(bounds.half_extents().length_squared());
    LINES.iter().flat_map(|line| [*line, -*line]).all(|line| {
        let mut last: Option<(f64, u32)> = None;
        if let Ok(path) = Path::new(at, line * far) {
            placed.sweep(&Mover::Point, &path, Wanted::until(1.0), &mut |hit| {
                if last.is_none_or(|(fraction, _)| hit.fraction > fraction) {
                    last = Some((hit.fraction, hit.part));
                }
                1.0
            });
        }
        let normal = last.and_then(|(_, triangle)| tree.mesh().normal(triangle));
        normal.is_some_and(|normal| (rotation * normal).dot(line) > 0.0)
    })
}
