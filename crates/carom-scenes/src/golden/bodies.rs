//! Scenes made of boxes that are bodies of their own.

use carom::num::ops;
use glam::DVec3;

use crate::PlacedBox;

/// S5a: boxes 1 m wide and 2 m high in a row along x, each touching the next, their front faces in the plane
/// z = 0 that a walker from −z slides along. Centered on x = 0, standing on y = 0.
pub fn wall_of_boxes(count: u32) -> Vec<PlacedBox> {
    let center = |i: u32| DVec3::new(f64::from(i) + 0.5 - f64::from(count) / 2.0, 1.0, 0.5);
    (0..count).map(|i| PlacedBox::upright(DVec3::new(0.5, 1.0, 0.5), center(i))).collect()
}

/// S6a: a table 20 m square and 2 m thick whose top lies at y = 0, to be turned about y.
pub fn turntable() -> PlacedBox {
    PlacedBox::upright(DVec3::new(10.0, 1.0, 10.0), DVec3::new(0.0, -1.0, 0.0))
}

/// S7a: a unit box whose face, in the plane x = 0, cuts a character at the origin in two.
pub fn overlapping_box() -> PlacedBox {
    PlacedBox::upright(DVec3::splat(0.5), DVec3::new(-0.5, 0.5, 0.0))
}

/// S7b: two slabs that lean over the origin at 75°, a pit for a character.
pub fn overlapping_slabs() -> [PlacedBox; 2] {
    [75f64, -75.0].map(|degrees| {
        PlacedBox::upright(DVec3::new(1.0, 0.1, 1.0), DVec3::ZERO)
            .turned(ops::rotation_about(DVec3::Z, degrees.to_radians()))
    })
}

/// E1: a wall 0.05 m thick, 10 m wide and high, that faces a mover that comes from −z, its near face in the
/// plane z = 0.
pub fn thin_wall() -> PlacedBox {
    PlacedBox::upright(DVec3::new(5.0, 5.0, 0.025), DVec3::new(0.0, 5.0, 0.025))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boxes_of_the_wall_touch_to_the_bit_and_share_their_front() {
        let wall: Vec<_> = wall_of_boxes(20).iter().map(|b| b.mesh().extents().unwrap()).collect();
        assert!(wall.windows(2).all(|pair| pair[0].1.x == pair[1].0.x));
        assert!(wall.iter().all(|(low, _)| low.z == 0.0 && low.y == 0.0));
        assert_eq!((wall[0].0.x, wall[19].1.x), (-10.0, 10.0));
    }

    #[test]
    fn faces_lie_where_the_scenes_say() {
        assert_eq!(turntable().mesh().extents().unwrap().1.y, 0.0);
        assert_eq!(overlapping_box().mesh().extents().unwrap().1, DVec3::new(0.0, 1.0, 0.5));
        assert_eq!(thin_wall().mesh().extents().unwrap().0.z, 0.0);
        assert!(overlapping_slabs().iter().all(|slab| slab.contains(DVec3::ZERO)));
    }
}
