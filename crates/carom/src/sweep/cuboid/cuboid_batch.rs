//! Many cuboids against one: which of them overlap it, and when the one on its path first touches them.
//!
//! Source and error: those of one pair (`cuboid_cuboid`, and `separating_axis` of `shape`). The part that
//! depends on the one alone (its frame, its bounds, its unit of length) is set up once, and pairs whose
//! bounding spheres are apart are skipped.

use alloc::vec::Vec;

use glam::DVec3;

use crate::num::bound::{UNIT_ROUNDOFF, reach};
use crate::num::ops::sqrt;
use crate::shape::{Cuboid, Mover};
use crate::sweep::cuboid::cuboid_cuboid::Turn;
use crate::sweep::cuboid::moving_cuboid::MovingCuboid;
use crate::sweep::mover::margin;
use crate::sweep::{Hit, Path};

/// The numbers of those cuboids that share a point with `cuboid` about `center`, in ascending order. Each of
/// the others is given with its own center, in meters.
///
/// ```
/// use carom::shape::Cuboid;
/// use carom::sweep::cuboids_overlapped;
/// use glam::DVec3;
/// let cube = Cuboid::new(DVec3::ONE)?;
/// let row: Vec<_> = (0..5).map(|i| (cube, DVec3::X * 3.0 * f64::from(i))).collect();
/// assert_eq!(cuboids_overlapped(&cube, DVec3::X * 4.5, &row), [1, 2]);
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
pub fn cuboids_overlapped(cuboid: &Cuboid, center: DVec3, others: &[(Cuboid, DVec3)]) -> Vec<u32> {
    let radius = |cuboid: &Cuboid| sqrt(cuboid.half_extents().length_squared());
    let own = radius(cuboid);
    let numbered = others.iter().enumerate();
    let near = numbered.filter(|(_, (other, at))| {
        let offset = *at - center;
        let radii = own + radius(other);
        // 32 roundings of all terms; written so that a NaN is tested.
        let apart = sqrt(offset.length_squared()) - radii > 32.0 * UNIT_ROUNDOFF * (reach(offset) + radii);
        !apart && cuboid.overlaps_cuboid(other, offset)
    });
    near.map(|(i, _)| i as u32).collect()
}

/// The first contact of a moving cuboid with each of many that rest, with the bits of
/// [`cuboid_cuboid`](crate::sweep::cuboid_cuboid()); `None` for those that it does not hit.
pub fn cuboid_cuboids(cuboid: &Cuboid, path: &Path, others: &[(Cuboid, DVec3)]) -> Vec<Option<Hit>> {
    let Some(moving) = MovingCuboid::new(cuboid, path, 0.0) else { return alloc::vec![None; others.len()] };
    let mover = Mover::Cuboid(*cuboid);
    let way = cuboid.bounds().translated(path.from()).swept(path.translation());
    others
        .iter()
        .map(|(other, at)| {
            let bounds = other.bounds().translated(*at);
            let size = bounds.min().abs().max(bounds.max().abs()).max_element();
            // Written so that a NaN is tested.
            let apart = !way.grown(margin(&mover, path, size, 0.0)).overlaps_aabb(&bounds);
            if apart && size < f64::MAX {
                return None;
            }
            moving.cuboid(&Turn::new(&moving, other.rotation()), other.half_extents(), *at)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use glam::dvec3;
    use proptest::prelude::*;

    use super::*;
    use crate::num::ops::rotation_about;
    use crate::sweep::cuboid_cuboid;

    fn cuboid(n: &[f64]) -> Cuboid {
        let half = dvec3(n[0], n[1], n[2]).abs() + DVec3::splat(0.01);
        let turn = rotation_about(dvec3(n[3], n[4], n[5] + 1e-3), 3.0 * n[0]);
        Cuboid::new(half).and_then(|cuboid| cuboid.with_rotation(turn)).unwrap()
    }

    proptest! {
        #[test]
        fn a_batch_answers_as_each_pair_does_to_the_bit(
            own in prop::array::uniform6(-1.0..1.0f64),
            others in prop::collection::vec(prop::array::uniform9(-1.0..1.0f64), 0..30),
            way in prop::array::uniform3(-9.0..9.0f64), from in prop::array::uniform3(-5.0..5.0f64),
        ) {
            let (own, from) = (cuboid(&own), DVec3::from(from));
            let path = Path::new(from, way.into()).unwrap();
            let others: Vec<_> =
                others.iter().map(|n| (cuboid(n), dvec3(n[6], n[7], n[8]) * 5.0)).collect();
            let hits: Vec<_> =
                others.iter().map(|(other, at)| cuboid_cuboid(&own, &path, other, *at)).collect();
            prop_assert_eq!(cuboid_cuboids(&own, &path, &others), hits);
            let overlapped: Vec<u32> = (0..others.len() as u32)
                .filter(|&i| own.overlaps_cuboid(&others[i as usize].0, others[i as usize].1 - from))
                .collect();
            prop_assert_eq!(cuboids_overlapped(&own, from, &others), overlapped);
        }
    }
}
