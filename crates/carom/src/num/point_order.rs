//! The lexicographic order of points. Corners are sorted by it before any arithmetic, so that no answer
//! depends on the order in which the caller gave them.

use glam::DVec3;

/// Whether `a` comes before `b`: by x, then y, then z.
#[inline(always)]
pub(crate) fn lower(a: DVec3, b: DVec3) -> bool {
    if a.x != b.x {
        a.x < b.x
    } else if a.y != b.y {
        a.y < b.y
    } else {
        a.z < b.z
    }
}
