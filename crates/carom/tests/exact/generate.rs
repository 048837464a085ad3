//! Cases in which kernels have failed: exact coincidences, slivers, grazing paths, and scales far apart.

use carom::num::ops;
use carom::shape::{Capsule, Ellipsoid, Mover, Sphere};
use glam::{DQuat, DVec3, dvec3};

use super::case::Case;
use super::dice::{Dice, to_f32};

/// A kind of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Small integers everywhere: grazing, edge-on, corner-on, in the plane, parallel, touching at either
    /// end.
    Lattice,
    /// Starts at exactly one radius from a corner, an edge or the face.
    Touching,
    /// Passes at exactly one radius from a corner or an edge: the quadratic's double root.
    Tangent,
    /// Ordinary triangles with f32 corners.
    Ordinary,
    /// Two corners nearly together: 1e-7 to 1e-12 of the length.
    Sliver,
    /// Three corners nearly on one line.
    Needle,
    /// No area at all: collinear, doubled corners, a point.
    NoArea,
    /// The way is a million to a billion times the triangle.
    LongWay,
    /// The radius is a millionth of the triangle.
    TinyRadius,
    /// The radius is ten thousand times the triangle.
    HugeRadius,
    /// Nearly along the face, or nearly along its normal.
    Leaning,
    /// Within a few ulp of touching at the start.
    Resting,
    /// Starts inside.
    Inside,
    /// Starts with the center on the triangle.
    Centered,
    /// No way to go.
    BodyAtTime,
    /// Every length of another size.
    Mixed,
}

pub(crate) const FAMILIES: [Family; 16] = [
    Family::Lattice,
    Family::Touching,
    Family::Tangent,
    Family::Ordinary,
    Family::Sliver,
    Family::Needle,
    Family::NoArea,
    Family::LongWay,
    Family::TinyRadius,
    Family::HugeRadius,
    Family::Leaning,
    Family::Resting,
    Family::Inside,
    Family::Centered,
    Family::BodyAtTime,
    Family::Mixed,
];

/// Where the whole case stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    AsDrawn,
    /// By a power of two from 2⁻²⁰ to 2²⁰.
    Scaled,
    /// Ten kilometers from the origin.
    Away,
    /// A thousand kilometers from the origin.
    FarAway,
}

pub(crate) const SETTINGS: [Setting; 4] =
    [Setting::AsDrawn, Setting::Scaled, Setting::Away, Setting::FarAway];

/// Which mover is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Point,
    Sphere,
    Ellipsoid,
    Capsule,
}

#[derive(Clone, Copy)]
struct Setup {
    corners: [DVec3; 3],
    radius: f64,
    from: DVec3,
    translation: DVec3,
}

/// The case of this kind, family, setting and seed; always the same one.
pub(crate) fn case(kind: Kind, family: Family, setting: Setting, seed: u64) -> Case {
    let mut dice = Dice::new(
        seed.wrapping_mul(0x2545_f491_4f6c_dd1d)
            ^ ((family as u64) << 8)
            ^ ((setting as u64) << 16)
            ^ ((kind as u64) << 24),
    );
    let setup = setup(family, &mut dice);
    let case = dressed(kind, setup, &mut dice);
    match setting {
        Setting::AsDrawn => case,
        Setting::Scaled => case.scaled(power_of_two(dice.whole(-20, 20))),
        Setting::Away => case.moved(offset(10_000.0, &mut dice)),
        Setting::FarAway => case.moved(offset(1_000_000.0, &mut dice)),
    }
}

fn offset(size: f64, dice: &mut Dice) -> DVec3 {
    // Half of them whole, so that lattice cases stay exact coincidences.
    if dice.one_in(2) { DVec3::splat(size) } else { dice.direction() * size }
}

pub(crate) fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

fn setup(family: Family, dice: &mut Dice) -> Setup {
    match family {
        Family::Lattice => {
            let corners = [dice.lattice(3), dice.lattice(3), dice.lattice(3)];
            let radius = dice.pick(&[0.5, 1.0, 1.0, 2.0, 3.0, 5.0]);
            Setup { corners, radius, from: dice.lattice(6), translation: dice.lattice(9) }
        }
        Family::Touching => touching(dice),
        Family::Tangent => tangent(dice),
        Family::Ordinary => {
            let corners = ordinary(dice);
            let radius = dice.magnitude(-2, 0) * 0.3;
            aimed(corners, radius, dice)
        }
        Family::Sliver => {
            let width = dice.magnitude(-12, -7);
            let mut corners = ordinary(dice);
            corners[1] = corners[0] + dice.direction() * width;
            shuffle(&mut corners, dice);
            let radius = dice.magnitude(-3, 0);
            aimed(corners, radius, dice)
        }
        Family::Needle => {
            let (a, b) = (to_f32(dice.within(5.0)), to_f32(dice.within(5.0)));
            let mut along = dice.between(-0.2, 1.2);
            if dice.one_in(3) {
                along = dice.pick(&[0.0, 0.25, 0.5, 1.0]);
            }
            let mut corners = [a, b, a + (b - a) * along + dice.direction() * dice.magnitude(-15, -6)];
            shuffle(&mut corners, dice);
            let radius = dice.magnitude(-3, 0);
            aimed(corners, radius, dice)
        }
        Family::NoArea => {
            let corners = no_area(dice);
            let radius = dice.pick(&[1.0, 2.0, dice_radius(0.3)]);
            let mut setup = aimed(corners, radius, dice);
            if dice.one_in(2) {
                (setup.from, setup.translation) = (dice.lattice(5), dice.lattice(9));
            }
            setup
        }
        Family::LongWay => {
            let corners = ordinary(dice);
            let radius = dice.magnitude(-2, 0) * 0.3;
            let mut setup = aimed(corners, radius, dice);
            let longer = dice.magnitude(6, 9);
            // Far before it, or far past it.
            if dice.one_in(2) {
                setup.from -= setup.translation * longer;
            }
            setup.translation *= longer * 2.0;
            setup
        }
        Family::TinyRadius => {
            let corners = ordinary(dice);
            let radius = dice.magnitude(-7, -5);
            aimed(corners, radius, dice)
        }
        Family::HugeRadius => {
            let corners = ordinary(dice);
            let radius = dice.magnitude(4, 5);
            aimed(corners, radius, dice)
        }
        Family::Leaning => leaning(dice),
        Family::Resting => {
            let corners = ordinary(dice);
            let radius = dice.magnitude(-2, 0) * 0.3;
            let mut setup = aimed(corners, radius, dice);
            let (on, normal) = spot(&corners, dice);
            let ulps = dice.whole(-8, 8) as f64 * f64::EPSILON;
            setup.from = on + normal * (radius * (1.0 + ulps));
            if dice.one_in(2) {
                // Sliding along, or nearly so.
                let across = setup.translation - normal * normal.dot(setup.translation);
                setup.translation = across + normal * (dice.whole(-1, 1) as f64 * dice.magnitude(-18, -9));
            }
            setup
        }
        Family::Inside => {
            let corners = ordinary(dice);
            let radius = dice.magnitude(-1, 0);
            let mut setup = aimed(corners, radius, dice);
            let (on, normal) = spot(&corners, dice);
            setup.from = on + normal * (radius * dice.between(0.0, 1.0));
            setup
        }
        Family::Centered => {
            let lattice = dice.one_in(2);
            let corners =
                if lattice { [dice.lattice(4), dice.lattice(4), dice.lattice(4)] } else { ordinary(dice) };
            let (a, b) = (dice.pick(&[0.0, 0.25, 0.5]), dice.pick(&[0.0, 0.25, 0.5]));
            let from = corners[0] * (1.0 - a - b) + corners[1] * a + corners[2] * b;
            Setup { corners, radius: dice.magnitude(-2, 0), from, translation: dice.lattice(5) }
        }
        Family::BodyAtTime => {
            let corners = ordinary(dice);
            let radius = dice.magnitude(-2, 0);
            Setup { translation: DVec3::ZERO, ..aimed(corners, radius, dice) }
        }
        Family::Mixed => {
            let corners = core::array::from_fn(|_| {
                dvec3(1.0, 1.0, 1.0).map(|_| dice.between(-1.0, 1.0) * dice.magnitude(-8, 3))
            });
            let radius = dice.magnitude(-6, 3);
            aimed(corners, radius, dice)
        }
    }
}

fn dice_radius(x: f64) -> f64 {
    f64::from(x as f32)
}

fn shuffle(corners: &mut [DVec3; 3], dice: &mut Dice) {
    corners.rotate_left(dice.whole(0, 2) as usize);
    if dice.one_in(2) {
        corners.swap(0, 1);
    }
}

fn ordinary(dice: &mut Dice) -> [DVec3; 3] {
    let size = dice.magnitude(-1, 1);
    core::array::from_fn(|_| to_f32(dice.within(size)))
}

fn no_area(dice: &mut Dice) -> [DVec3; 3] {
    let a = dice.lattice(4);
    let mut corners = match dice.whole(0, 4) {
        0 => [a, a, a],
        1 => [a, a, dice.lattice(4)],
        2 => {
            let step = dice.lattice(2);
            [a, a + step * dice.whole(-3, 3) as f64, a + step * dice.whole(-3, 3) as f64]
        }
        3 => {
            let (a, b) = (to_f32(dice.within(5.0)), to_f32(dice.within(5.0)));
            // Halving is exact for f32 corners: truly collinear.
            [a, b, (a + b) * 0.5]
        }
        _ => {
            let a = to_f32(dice.within(5.0));
            [a, to_f32(dice.within(5.0)), a]
        }
    };
    shuffle(&mut corners, dice);
    corners
}

/// A place on the triangle, often on its outline, and a unit vector that points off it there.
fn spot(corners: &[DVec3; 3], dice: &mut Dice) -> (DVec3, DVec3) {
    let [a, b, c] = *corners;
    let face = (b - a).cross(c - a).try_normalize().unwrap_or(DVec3::Y);
    let face = if dice.one_in(2) { face } else { -face };
    match dice.whole(0, 3) {
        0 => {
            let corner = dice.pick(corners);
            let out = (corner - (a + b + c) / 3.0).normalize_or(DVec3::X);
            let normal = dice.direction() + out;
            (corner, normal.normalize_or(out))
        }
        1 => {
            let i = dice.whole(0, 2) as usize;
            let (a, b) = (corners[i], corners[(i + 1) % 3]);
            let on = a + (b - a) * dice.between(0.0, 1.0);
            let edge = (b - a).normalize_or(DVec3::X);
            let across = dice.direction();
            (on, (across - edge * edge.dot(across)).normalize_or(face))
        }
        _ => {
            let (mut s, mut t) = (dice.between(0.0, 1.0), dice.between(0.0, 1.0));
            if s + t > 1.0 {
                (s, t) = (1.0 - s, 1.0 - t);
            }
            (a + (b - a) * s + (c - a) * t, face)
        }
    }
}

/// A way that passes near touching the triangle somewhere, from any direction.
fn aimed(corners: [DVec3; 3], radius: f64, dice: &mut Dice) -> Setup {
    let (on, normal) = spot(&corners, dice);
    let nearness = match dice.whole(0, 4) {
        0 => 1.0,
        1 => 1.0 + dice.between(-1.0, 1.0) * dice.magnitude(-16, -6),
        2 => dice.between(0.0, 1.0),
        _ => dice.between(0.9, 1.1),
    };
    let contact = on + normal * (radius * nearness);
    let mut heading = dice.direction();
    if dice.one_in(3) {
        // Grazing: along the tangent plane of the contact.
        heading = (heading - normal * normal.dot(heading)).normalize_or(heading);
    }
    let size = (corners[1] - corners[0]).length().max((corners[2] - corners[0]).length());
    let length = if dice.one_in(2) { radius.max(size) } else { radius.min(size) } * dice.magnitude(-1, 1);
    let translation = heading * length;
    let along = match dice.whole(0, 5) {
        0 => 0.0,
        1 => 1.0,
        _ => dice.between(-0.2, 1.2),
    };
    Setup { corners, radius, from: contact - translation * along, translation }
}

/// Whole vectors of whole length.
const PYTHAGOREAN: [[i64; 4]; 12] = [
    [3, 4, 0, 5],
    [1, 2, 2, 3],
    [2, 3, 6, 7],
    [1, 4, 8, 9],
    [4, 4, 7, 9],
    [2, 6, 9, 11],
    [6, 6, 7, 11],
    [5, 12, 0, 13],
    [3, 4, 12, 13],
    [2, 5, 14, 15],
    [8, 9, 12, 17],
    [1, 0, 0, 1],
];

/// A whole vector and its whole length.
fn pythagorean(dice: &mut Dice) -> (DVec3, f64) {
    let [x, y, z, length] = dice.pick(&PYTHAGOREAN);
    let mut v = [x as f64, y as f64, z as f64];
    v.rotate_left(dice.whole(0, 2) as usize);
    if dice.one_in(2) {
        v.swap(0, 1);
    }
    (DVec3::from_array(v.map(|x| if dice.one_in(2) { -x } else { x })), length as f64)
}

/// Two whole vectors that span the plane across `w`.
fn across(w: DVec3) -> (DVec3, DVec3) {
    let helper = if w.x == 0.0 { DVec3::X } else { dvec3(-w.y, w.x, 0.0) };
    let u = if w.x == 0.0 { helper } else { helper / gcd3(helper) };
    let v = w.cross(u);
    (u, v / gcd3(v))
}

/// Two whole vectors that span a plane in which lattice outlines are exactly flat.
pub(crate) fn whole_plane(dice: &mut Dice) -> (DVec3, DVec3) {
    let (w, _) = pythagorean(dice);
    across(w)
}

/// Two unit vectors across each other, to within rounding.
pub(crate) fn random_frame(dice: &mut Dice) -> (DVec3, DVec3) {
    let rotation = random_rotation(dice);
    (rotation * DVec3::X, rotation * DVec3::Y)
}

fn gcd3(v: DVec3) -> f64 {
    let gcd = |mut a: i64, mut b: i64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a.abs()
    };
    gcd(gcd(v.x as i64, v.y as i64), v.z as i64).max(1) as f64
}

fn touching(dice: &mut Dice) -> Setup {
    let (w, radius) = pythagorean(dice);
    let (u, v) = across(w);
    let a = dice.lattice(20);
    let tangent = |dice: &mut Dice| u * dice.whole(-3, 3) as f64 + v * dice.whole(-3, 3) as f64;
    // A face across w, an edge across w with the face falling away, or a corner likewise: all below the
    // tangent plane.
    let mut corners = match dice.whole(0, 2) {
        0 => [a, a + tangent(dice), a + tangent(dice)],
        1 => [a, a + tangent(dice), a + tangent(dice) - w],
        _ => [a, a + tangent(dice) - w, a + tangent(dice) - w * 2.0],
    };
    let mut on = a;
    if dice.one_in(2) {
        // Even sums halve exactly: the middle of an edge instead of a corner.
        on = (corners[0] + corners[1]) * 0.5;
    }
    shuffle(&mut corners, dice);
    let translation = match dice.whole(0, 3) {
        0 => tangent(dice),
        1 => tangent(dice) + w * dice.whole(-2, 2) as f64,
        2 => tangent(dice) * 1e3 + w * (dice.whole(-1, 1) as f64 / 1024.0),
        _ => dice.lattice(9),
    };
    Setup { corners, radius, from: on + w, translation }
}

fn tangent(dice: &mut Dice) -> Setup {
    let (w, radius) = pythagorean(dice);
    let (u, v) = across(w);
    let a = dice.lattice(20);
    let in_plane = |dice: &mut Dice| u * dice.whole(-3, 3) as f64 + v * dice.whole(-3, 3) as f64;
    let heading = in_plane(dice);
    let mut corners = match dice.whole(0, 3) {
        // Touched along the face, along an edge, at a corner from outside; and a corner with the face rising
        // past the way.
        0 => [a, a + in_plane(dice), a + in_plane(dice)],
        1 => [a, a + in_plane(dice), a + in_plane(dice) - w],
        2 => [a, a + in_plane(dice) - w, a + in_plane(dice) - w],
        _ => [a, a + in_plane(dice) + w, a + in_plane(dice) - w],
    };
    shuffle(&mut corners, dice);
    let before = dice.whole(0, 4) as f64;
    let longer = dice.whole(1, 8) as f64;
    Setup { corners, radius, from: a + w - heading * before, translation: heading * longer }
}

/// A heading that makes a tiny angle with the face, or with its normal.
fn leaning(dice: &mut Dice) -> Setup {
    let corners = ordinary(dice);
    let radius = dice.magnitude(-2, 0) * 0.3;
    let mut setup = aimed(corners, radius, dice);
    let [a, b, c] = corners;
    let face = (b - a).cross(c - a).normalize_or(DVec3::Y);
    let tilt = dice.magnitude(-16, -3) * dice.whole(-1, 1) as f64;
    let (on, _) = spot(&corners, dice);
    let side = if dice.one_in(2) { 1.0 } else { -1.0 };
    let along = (dice.direction().cross(face)).normalize_or(DVec3::X);
    let heading = if dice.one_in(2) { along + face * tilt } else { face + along * tilt };
    let length = dice.magnitude(-1, 2);
    setup.translation = heading * length;
    let contact = on + face * (side * radius * dice.between(0.99, 1.01));
    setup.from = contact - setup.translation * dice.between(0.0, 1.0);
    setup
}

/// Rotations whose matrices are exact: thirds and half turns that permute the axes.
pub(crate) fn exact_rotation(dice: &mut Dice) -> DQuat {
    dice.pick(&[
        DQuat::IDENTITY,
        DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5),
        DQuat::from_xyzw(-0.5, 0.5, 0.5, 0.5),
        DQuat::from_xyzw(0.5, 0.5, 0.5, -0.5),
        DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0),
    ])
}

pub(crate) fn random_rotation(dice: &mut Dice) -> DQuat {
    ops::rotation_about(dice.direction(), dice.between(0.0, core::f64::consts::PI))
}

/// The mover of this kind for a setup drawn for a ball.
fn dressed(kind: Kind, setup: Setup, dice: &mut Dice) -> Case {
    let Setup { corners, radius, from, translation } = setup;
    let mut case = Case { mover: Mover::Point, from, translation, corners: corners.to_vec() };
    match kind {
        Kind::Point => {
            // Drawn for a ball the way passes beside the triangle: half of them are led through it, or
            // through its rim.
            if dice.one_in(2) {
                let Setup { from, translation, .. } = aimed(corners, 0.0, dice);
                (case.from, case.translation) = (from, translation);
            }
        }
        Kind::Sphere => case.mover = Sphere::new(radius).unwrap().into(),
        Kind::Ellipsoid => {
            if dice.one_in(2) {
                // The ball's case stretched along the axes by powers of two: what was exact stays so.
                let rotation = exact_rotation(dice);
                let stretch = DVec3::splat(1.0).map(|_| power_of_two(dice.whole(-3, 3)));
                let ellipsoid = Ellipsoid::new(stretch * radius).unwrap().with_rotation(rotation).unwrap();
                let axes = ellipsoid.axes();
                let map = |v: DVec3| axes * (stretch * v);
                case.from = map(from);
                case.translation = map(translation);
                case.corners = corners.iter().map(|&c| map(c)).collect();
                case.mover = ellipsoid.into();
            } else {
                // Any: the touching place is lost, but not the scales. Up to 100 : 1.
                let stretch = DVec3::splat(1.0).map(|_| dice.between(1.0, 10.0));
                let stretch = if dice.one_in(2) { stretch } else { 1.0 / stretch };
                let rotation = random_rotation(dice);
                let ellipsoid = Ellipsoid::new(stretch * radius).unwrap().with_rotation(rotation).unwrap();
                case.mover = ellipsoid.into();
                if dice.one_in(2) {
                    let axes = ellipsoid.axes();
                    let map = |v: DVec3| axes * (stretch * v);
                    case.from = map(from);
                    case.translation = map(translation);
                    case.corners = corners.iter().map(|&c| map(c)).collect();
                }
            }
        }
        Kind::Capsule => {
            let half_height = match dice.whole(0, 4) {
                0 => radius * 0.5,
                1 => radius * 4.0,
                2 => radius * dice.between(0.0, 3.0),
                3 => dice.whole(0, 6) as f64,
                _ => dice.magnitude(-3, 1),
            };
            let capsule = Capsule::new(radius, half_height).unwrap();
            let [a, b, c] = corners;
            let rotation = match dice.whole(0, 3) {
                0 | 1 => exact_rotation(dice),
                2 => random_rotation(dice),
                // Along the face, across it, or along an edge, to within rounding.
                _ => {
                    let normal = (b - a).cross(c - a);
                    let axis = match dice.whole(0, 2) {
                        0 => normal,
                        1 => b - a,
                        _ => normal.cross(dice.direction()),
                    };
                    DQuat::from_rotation_arc(DVec3::Y, axis.normalize_or(DVec3::Y))
                }
            };
            let capsule = capsule.with_rotation(rotation).unwrap();
            // The ball's contact goes to an end, the middle, or any place of the axis.
            let shift = match dice.whole(0, 3) {
                0 => 1.0,
                1 => -1.0,
                2 => 0.5,
                _ => dice.between(-1.2, 1.2),
            };
            case.from = from + capsule.half_axis() * shift;
            case.mover = capsule.into();
        }
    }
    case
}
