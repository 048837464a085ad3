//! The feature of a patch that a hit names is the one that its point lies on.

use carom::glam::{DVec3, dvec3};
use carom::shape::{BezierPatch, Sphere};
use carom::sweep::{Feature, Path, sphere_patch};

use crate::dice::Dice;

/// A patch over the rectangle from 0 to 4 along x and from 0 to 2 along z, with hills.
fn hills(dice: &mut Dice, height: f64) -> BezierPatch {
    let degree = 2 + dice.one_of(2);
    let side = degree + 1;
    let points: Vec<DVec3> = (0..side * side)
        .map(|i| {
            let (x, z) = ((i % side) as f64 / degree as f64, (i / side) as f64 / degree as f64);
            dvec3(4.0 * x, height * dice.signed(), 2.0 * z)
        })
        .collect();
    BezierPatch::new([degree; 2], &points).unwrap()
}

/// Which edges and corners of the rectangle a place is on, or almost.
fn on(place: DVec3, off: f64) -> [bool; 4] {
    [place.z.abs() <= off, (place.x - 4.0).abs() <= off, (place.z - 2.0).abs() <= off, place.x.abs() <= off]
}

#[test]
fn the_named_feature_is_the_one_that_is_touched() {
    let mut dice = Dice::new(21);
    let mut met = [0; 3];
    for round in 0..1200 {
        let patch = hills(&mut dice, [0.0, 0.1, 0.8][round % 3]);
        // Over the whole, the borders and the middle, where cells meet.
        let mut place = dvec3(dice.between(-0.4, 4.4), 3.0, dice.between(-0.4, 2.4));
        match dice.one_of(6) {
            0 => place.x = [-0.1, 1.0, 2.0, 3.0, 4.1][dice.one_of(5)],
            1 => place.z = [-0.1, 0.5, 1.0, 1.5, 2.1][dice.one_of(5)],
            2 => (place.x, place.z) = ([-0.1, 4.1][dice.one_of(2)], [-0.1, 2.1][dice.one_of(2)]),
            _ => {}
        }
        let path = Path::new(place, dvec3(0.0, -8.0, 0.0)).unwrap();
        let Some(hit) = sphere_patch(&Sphere::new(0.5).unwrap(), &path, &patch) else { continue };
        let (exactly, nearly) = (on(hit.point, 1e-9), on(hit.point, 1e-4));
        if exactly != nearly {
            continue;
        }
        let edges: Vec<u32> = (0..4).filter(|edge| exactly[*edge as usize]).collect();
        let expected = match edges[..] {
            [] => Feature::Face,
            [edge] => Feature::Edge(edge),
            [0, 3] => Feature::Vertex(0),
            [_, next] => Feature::Vertex(next),
            _ => unreachable!("no place is on three edges"),
        };
        assert_eq!(hit.feature, expected, "{hit:?} {patch:?}");
        met[edges.len()] += 1;
    }
    assert!(met[0] > 300 && met[1] > 100 && met[2] > 30, "{met:?}");
}
