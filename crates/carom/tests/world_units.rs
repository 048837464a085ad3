//! A world in another unit of length, a power of two: casts, contacts and distances are the same to the bit,
//! whatever the body and the mover.
#![allow(clippy::unwrap_used, reason = "a case that cannot be set up is a failure")]

mod dice;

use carom::num::ops::rotation_about;
use carom::shape::{
    BezierPatch, Capsule, Cone, ConvexHull, ConvexPolygon, Cuboid, Cylinder, Ellipsoid, Mover, Sphere,
};
use carom::sweep::Contact;
use carom::world::{Body, Cast, Collider, Layers, Pose, World};
use carom::{Hit, Mesh};
use glam::{DQuat, DVec3, dvec3};

use dice::Dice;

fn turn(dice: &mut Dice) -> DQuat {
    if dice.unit() < 0.3 { DQuat::IDENTITY } else { rotation_about(dice.point(1.0), dice.between(0.0, 3.0)) }
}

fn sizes(dice: &mut Dice) -> DVec3 {
    dvec3(dice.between(0.1, 1.2), dice.between(0.1, 1.2), dice.between(0.1, 1.2))
}

/// A mover of a kind; the thin ones are plates and needles.
fn mover(dice: &mut Dice, kind: usize, unit: f64) -> Mover {
    let thin = if dice.unit() < 0.3 { dvec3(1.0, 0.05, 1.0) } else { DVec3::ONE };
    let (size, turn) = (sizes(dice) * 0.5 * thin * unit, turn(dice));
    match kind {
        0 => Mover::Point,
        1 => Sphere::new(size.x).unwrap().into(),
        2 => Ellipsoid::new(size).unwrap().with_rotation(turn).unwrap().into(),
        3 => Capsule::new(size.y, size.x).unwrap().with_rotation(turn).unwrap().into(),
        _ => Cuboid::new(size).unwrap().with_rotation(turn).unwrap().into(),
    }
}

/// A body of a kind.
fn collider(dice: &mut Dice, kind: usize, unit: f64) -> Collider {
    let (size, turn) = (sizes(dice) * unit, turn(dice));
    let points: Vec<DVec3> = (0..16).map(|_| dice.point(1.0).as_vec3().as_dvec3() * unit).collect();
    match kind {
        0 => Sphere::new(size.x).unwrap().into(),
        1 => Ellipsoid::new(size).unwrap().with_rotation(turn).unwrap().into(),
        2 => Capsule::new(size.x, size.y).unwrap().with_rotation(turn).unwrap().into(),
        3 => Cuboid::new(size).unwrap().with_rotation(turn).unwrap().into(),
        4 => Cylinder::new(size.x, size.y).unwrap().with_rotation(turn).unwrap().into(),
        5 => Cone::new(size.x, size.y).unwrap().with_rotation(turn).unwrap().into(),
        6 => ConvexHull::new(&points[..9]).unwrap().into(),
        7 => {
            let corners: Vec<[f32; 3]> = points.iter().map(|p| p.as_vec3().to_array()).collect();
            let triangles: Vec<[u32; 3]> = (0..14).map(|i| [i, i + 1, i + 2]).collect();
            Mesh::from_triangles(corners, triangles).unwrap().into()
        }
        8 => {
            let [a, b, c] = [points[0], points[1], points[2]];
            vec![ConvexPolygon::new(vec![a, b, c]).unwrap()].into()
        }
        _ => {
            let degree = 2 + (dice.unit() * 2.0) as usize;
            let count = (degree + 1) * (degree + 1);
            vec![BezierPatch::new([degree; 2], &points[..count]).unwrap()].into()
        }
    }
}

fn in_unit(hit: Hit, unit: f64) -> Hit {
    Hit { point: hit.point / unit, ..hit }
}

fn contact_in_unit(contact: Contact, unit: f64) -> Contact {
    let Contact { gap, point, rounding, .. } = contact;
    Contact { gap: gap / unit, point: point / unit, rounding: rounding / unit, ..contact }
}

#[test]
fn a_world_in_another_unit_has_the_same_answers_to_the_bit() {
    const KINDS: usize = 10;
    let (mut hits, mut touches) = (0, 0);
    for case in 0..1500 {
        let exponent = [-20i64, 11][case % 2];
        let power = f64::from_bits(((1023 + exponent) as u64) << 52);
        let answers = [1.0, power].map(|unit| {
            let mut dice = Dice(case as u64 + 77);
            let mut world = World::new();
            let pose = Pose::from((dice.point(1.0) * unit, turn(&mut dice)));
            world.add(Body::fixed(collider(&mut dice, case / 2 % KINDS, unit)).at(pose));
            let mover = mover(&mut dice, case / 2 / KINDS % 5, unit);
            let from = dice.point(2.5) * unit;
            let way = (dice.point(1.0) * unit - from) * dice.between(0.8, 2.0);
            let hit = world.cast(&Cast::new(mover, from, way).unwrap());
            let mut contacts = Vec::new();
            let at = from + way * hit.map_or(dice.unit(), |hit| hit.fraction);
            for at in [from, at, at + dice.point(0.1) * unit] {
                world.contacts(&mover, at, 0.5 * unit, Layers::ALL, |near| {
                    contacts.push((near.part, contact_in_unit(near.contact, unit)));
                });
            }
            let closest = world.closest(mover, from, 9.0 * unit, Layers::ALL).unwrap();
            let closest = closest.map(|found| (found.distance / unit, found.point / unit, found.part));
            (hit.map(|hit| in_unit(hit.hit, unit)), contacts, closest)
        });
        let [plain, scaled] = answers;
        assert_eq!(scaled, plain, "case {case}");
        hits += usize::from(plain.0.is_some());
        touches += plain.1.len();
    }
    assert!(hits > 500 && touches > 5000, "{hits} {touches}");
}
