//! Convex polygons: the same promises, and the same answers as for the triangles that they are made of.

use carom::num::ops;
use carom::shape::{Capsule, Ellipsoid, Mover, Sphere};
use glam::{DVec2, DVec3, dvec2};

use super::case::Case;
use super::dice::Dice;
use super::generate::{Kind, exact_rotation, random_frame, random_rotation, whole_plane};

/// Whole convex outlines, some with a corner on the line of its neighbors.
const OUTLINES: [&[(i64, i64)]; 6] = [
    &[(0, 0), (4, 0), (4, 3), (0, 3)],
    &[(0, 0), (3, -1), (5, 1), (4, 4), (1, 5)],
    &[(2, 0), (4, 0), (6, 2), (6, 4), (4, 6), (2, 6), (0, 4), (0, 2)],
    &[(0, 0), (2, 0), (4, 0), (4, 4), (0, 4)],
    &[(0, 0), (60, -1), (61, 0), (1, 1)],
    &[(0, 0), (5, 0), (0, 5)],
];

/// A polygon case, always the same one for a seed.
pub(crate) fn polygon_case(kind: Kind, seed: u64) -> Case {
    let mut dice = Dice::new(seed.wrapping_mul(0x9e6c_63d0_876a_68e5) ^ ((kind as u64) << 32));
    let whole = dice.one_in(2);
    let outline: Vec<DVec2> = if whole || dice.one_in(2) {
        dice.pick(&OUTLINES).iter().map(|&(x, y)| dvec2(x as f64, y as f64)).collect()
    } else {
        // Corners of a circle: any angles, in order.
        let count = dice.whole(3, 9);
        let step = core::f64::consts::TAU / count as f64;
        (0..count)
            .map(|i| {
                let (sin, cos) = ops::sin_cos(step * (i as f64 + dice.between(0.1, 0.9)));
                dvec2(cos, sin) * 4.0
            })
            .collect()
    };
    let (u, v) = if whole { whole_plane(&mut dice) } else { random_frame(&mut dice) };
    let at = if whole { dice.lattice(9) } else { dice.within(9.0) };
    let mut corners: Vec<DVec3> = outline.iter().map(|c| at + u * c.x + v * c.y).collect();
    let turn = dice.whole(0, corners.len() as i64 - 1) as usize;
    corners.rotate_left(turn);
    if dice.one_in(2) {
        corners.reverse();
    }
    let radius = dice.pick(&[0.5, 1.0, 2.0, 0.37, 1e-3, 40.0]);
    // Aimed at a place of the outline or inside it.
    let i = dice.whole(0, corners.len() as i64 - 1) as usize;
    let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
    let center = corners.iter().sum::<DVec3>() / corners.len() as f64;
    let inwards = dice.pick(&[0.0, 0.0, 0.5, 1.0]);
    let along = dice.pick(&[0.0, 0.5, 0.25]);
    let on = (a + (b - a) * along) * (1.0 - inwards) + center * inwards;
    let off = if dice.one_in(3) { u.cross(v).normalize() } else { dice.direction() };
    let contact = on + off * (radius * dice.pick(&[0.0, 0.9, 1.0, 1.0, 1.02]));
    let translation = if dice.one_in(3) {
        u * dice.whole(-3, 3) as f64 + v * dice.whole(-3, 3) as f64
    } else {
        dice.direction() * dice.magnitude(-1, 2)
    };
    let mut from = contact - translation * dice.pick(&[0.0, 0.5, 0.9, 1.0]);
    if whole && dice.one_in(3) {
        from = dice.lattice(12);
    }
    let mover = match kind {
        Kind::Point => Mover::Point,
        Kind::Sphere => Sphere::new(radius).unwrap().into(),
        Kind::Ellipsoid => {
            let radii = DVec3::new(dice.between(0.3, 3.0), dice.between(0.3, 3.0), dice.between(0.3, 3.0));
            Ellipsoid::new(radii * radius).unwrap().with_rotation(random_rotation(&mut dice)).unwrap().into()
        }
        Kind::Capsule => {
            let capsule = Capsule::new(radius, dice.pick(&[0.5, 1.0, 3.0])).unwrap();
            let rotation =
                if dice.one_in(2) { exact_rotation(&mut dice) } else { random_rotation(&mut dice) };
            let capsule = capsule.with_rotation(rotation).unwrap();
            from += capsule.half_axis() * dice.pick(&[1.0, -1.0, 0.0]);
            capsule.into()
        }
    };
    Case { mover, from, translation, corners }
}
