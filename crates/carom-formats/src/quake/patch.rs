//! Nets of curved patches: of degree 2, with odd sizes.

use carom::shape::PatchNet;
use glam::DVec3;

/// The most control points along a side of a net, as in the engine.
pub(super) const LONGEST_SIDE: usize = 129;
/// The input of [`net`], in the words of an error.
pub(super) const WANTED: &str = "a patch of finite points with odd sides from 3 to 129";

/// A net of control points, row by row; `None` if they make no patches of 3 × 3, or are not finite.
pub(super) fn net(width: usize, height: usize, points: &[DVec3]) -> Option<PatchNet> {
    let fits = |side: usize| (3..=LONGEST_SIDE).contains(&side);
    (fits(width) && fits(height) && points.len() == width * height)
        .then(|| PatchNet::new(2, width, points).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_net_has_odd_sides() {
        let points = |n: usize| vec![DVec3::ZERO; n];
        assert!(net(3, 5, &points(15)).is_some());
        for (width, height, count) in [(2, 3, 6), (3, 4, 12), (1, 3, 3), (3, 3, 8), (131, 3, 393)] {
            assert!(net(width, height, &points(count)).is_none());
        }
        assert!(net(3, 3, &[points(8), vec![DVec3::NAN]].concat()).is_none());
    }
}
