//! The contacts of a character at its position.

use carom::respond::{COINCIDENT, Obstacles, SurfaceContact};
use carom::world::Part;
use glam::DVec3;

/// The surfaces within `distance`, nearest first: one contact for each direction and body, and none that lies
/// behind the tangent plane of a nearer one, as the edges of the next tiles of a floor do.
pub(crate) fn touching<O: Obstacles<Key = Part>>(
    obstacles: &O,
    at: DVec3,
    distance: f64,
) -> Vec<SurfaceContact<Part>> {
    let mut found = Vec::new();
    obstacles.contacts(at, 1.0, distance, &mut |touch| found.push(touch));
    let key = |touch: &SurfaceContact<Part>| (touch.contact.gap, touch.contact.normal.to_array(), touch.key);
    found.sort_by(|a, b| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal));
    let mut kept: Vec<SurfaceContact<Part>> = Vec::new();
    for touch in found {
        if !kept.iter().any(|nearer| hides(nearer, &touch)) {
            kept.push(touch);
        }
    }
    kept
}

/// Whether a contact adds nothing to a nearer one.
fn hides(nearer: &SurfaceContact<Part>, touch: &SurfaceContact<Part>) -> bool {
    let (a, b) = (&nearer.contact, &touch.contact);
    if (a.normal - b.normal).length_squared() <= COINCIDENT * COINCIDENT {
        return nearer.key.body == touch.key.body;
    }
    // The error of the points and the normal: 16 ulp of their coordinates.
    let rounding = 16.0 * f64::EPSILON * (a.point.abs().max_element() + b.point.abs().max_element());
    a.normal.dot(b.point - a.point) <= rounding
}

/// The contact whose normal is nearest to `up`; of equals the nearest.
pub(crate) fn most_upright(touched: &[SurfaceContact<Part>], up: DVec3) -> Option<&SurfaceContact<Part>> {
    let rise = |touch: &SurfaceContact<Part>| touch.contact.normal.dot(up);
    touched.iter().reduce(|best, touch| if rise(touch) > rise(best) { touch } else { best })
}
