//! Laws of cylinders and cones: movers stop where fine hulls inside and outside of them say, and where the
//! distance becomes nothing.

#![allow(clippy::unwrap_used, reason = "tests")]

use carom::character::{Character, Input, Settings};
use carom::num::ops::{self, rotation_about};
use carom::shape::{
    Capsule, Cone, Convex, ConvexHull, Cuboid, Cylinder, Ellipsoid, Mover, ShapeError, Sphere,
    convex_distance, convex_overlap,
};
use carom::sweep::{Path, mover_cone, mover_cylinder};
use carom::world::{Body, Cast, Collider, Layers, Pose, World};
use glam::{DQuat, DVec3, dvec3};

use dice::Dice;

mod dice;

#[derive(Clone, Copy)]
enum Solid {
    Cylinder(Cylinder),
    Cone(Cone),
}

impl Solid {
    fn thrown(dice: &mut Dice) -> Self {
        let (radius, half) = (dice.between(0.3, 1.5), dice.between(0.2, 1.5));
        let turn = rotation_about(dice.point(1.0).normalize(), dice.between(0.0, 3.0));
        let is_turned = dice.unit() < 0.5;
        if dice.unit() < 0.5 {
            let it = Cylinder::new(radius, half).unwrap();
            Self::Cylinder(if is_turned { it.with_rotation(turn).unwrap() } else { it })
        } else {
            let it = Cone::new(radius, half).unwrap();
            Self::Cone(if is_turned { it.with_rotation(turn).unwrap() } else { it })
        }
    }

    /// Its radius below, half its height, its radius above, and its rotation.
    fn measures(&self) -> (f64, f64, f64, DQuat) {
        match self {
            Self::Cylinder(it) => (it.radius(), it.half_height(), it.radius(), it.rotation()),
            Self::Cone(it) => (it.radius(), it.half_height(), 0.0, it.rotation()),
        }
    }

    fn collider(self) -> Collider {
        match self {
            Self::Cylinder(it) => it.into(),
            Self::Cone(it) => it.into(),
        }
    }

    fn signed_distance(&self, p: DVec3) -> f64 {
        match self {
            Self::Cylinder(it) => it.signed_distance(p),
            Self::Cone(it) => it.signed_distance(p),
        }
    }

    fn ray(&self, from: DVec3, way: DVec3) -> Option<f64> {
        match self {
            Self::Cylinder(it) => it.ray(from, way),
            Self::Cone(it) => it.ray(from, way),
        }
    }

    /// A hull of this many sides, `factor` times as wide.
    fn hull(&self, sides: u32, factor: f64) -> ConvexHull {
        let (radius, half, top, rotation) = self.measures();
        // Vertices are rounded to f32: a cone's apex and the ends move by less than this.
        let grow = if factor > 1.0 { 1e-6 } else { -1e-6 };
        let points: Vec<DVec3> = (0..sides)
            .flat_map(|i| {
                let (sin, cos) = ops::sin_cos(f64::from(i) / f64::from(sides) * core::f64::consts::TAU);
                [(radius, -half), (top, half)].map(|(radius, height)| {
                    let wide = (radius * factor + grow).max(0.0);
                    rotation * dvec3(cos * wide, height + height.signum() * grow, sin * wide)
                })
            })
            .collect();
        ConvexHull::new(&points).unwrap()
    }
}

impl Convex for Solid {
    fn support(&self, direction: DVec3) -> DVec3 {
        match self {
            Self::Cylinder(it) => it.support(direction),
            Self::Cone(it) => it.support(direction),
        }
    }

    fn reach(&self) -> f64 {
        match self {
            Self::Cylinder(it) => it.reach(),
            Self::Cone(it) => it.reach(),
        }
    }
}

fn mover(dice: &mut Dice) -> Mover {
    let size = dice.between(0.1, 0.8);
    let turn = rotation_about(dice.point(1.0).normalize(), dice.between(0.0, 3.0));
    let mover: Mover = match (dice.unit() * 5.0) as u32 {
        0 => Mover::Point,
        1 => Sphere::new(size).unwrap().into(),
        2 => Capsule::new(0.5 * size, size).unwrap().into(),
        3 => Ellipsoid::new(dvec3(size, 1.4 * size, 0.8 * size)).unwrap().into(),
        _ => Cuboid::new(dvec3(size, 0.5 * size, 1.2 * size)).unwrap().into(),
    };
    if dice.unit() < 0.5 { mover } else { mover.turned(turn).unwrap() }
}

/// A mover stops no earlier than at the hull of 64 sides around the solid and no later than at the one within
/// it; on its path the two are apart, and where it stops they touch.
#[test]
fn a_mover_stops_between_the_hulls_around_and_within() {
    let mut dice = Dice(9);
    let (mut hits, mut misses, mut inside) = (0, 0, 0);
    for round in 0..1200 {
        let (solid, mover) = (Solid::thrown(&mut dice), mover(&mut dice));
        let turn = rotation_about(dice.point(1.0).normalize(), dice.between(0.0, 3.0));
        let pose = Pose::from((dice.point(3.0), turn)).with_scale(dice.between(0.5, 2.0)).unwrap();
        let pose = if round % 3 == 0 { Pose::IDENTITY } else { pose };
        let one = |collider: Collider| {
            let mut world = World::new();
            world.add(Body::fixed(collider).at(pose));
            world
        };
        let world = one(solid.collider());
        let outside = 1.0 / ops::cos(core::f64::consts::PI / 64.0);
        let around = one(solid.hull(64, outside).into());
        let within = one(solid.hull(64, 1.0).into());
        let from = dice.point(4.0);
        let aim = pose.position() + dice.point(if round % 4 == 0 { 2.0 } else { 0.8 });
        let way = (aim - from) * dice.between(1.0, 2.0);
        let seen = |at: DVec3| {
            let local = pose.rotation().conjugate() * (at - pose.position()) / pose.scale();
            let mover = mover.turned(pose.rotation().conjugate()).unwrap();
            (mover.scaled(1.0 / pose.scale()).unwrap(), -local)
        };
        let distance = |at: DVec3| {
            let (mover, offset) = seen(at);
            convex_distance(&mover, &solid, offset).distance * pose.scale()
        };
        let what = || format!("round {round}: {mover:?} from {from} by {way}");
        if distance(from) < 1e-6 {
            let (mover_seen, offset) = seen(from);
            if convex_overlap(&mover_seen, &solid, offset) && distance(from) == 0.0 {
                let deep = world.deepest(mover, from, Layers::ALL).unwrap();
                assert!(deep.len() == 1, "{}", what());
                // Out along its normal by its depth they are apart, or touch.
                let contact = deep[0].contact;
                let out = from - contact.normal * (contact.gap - 1e-6);
                let (mover_seen, offset) = seen(out);
                assert!(!convex_overlap(&mover_seen, &solid, offset), "{} {contact:?}", what());
                inside += 1;
            }
            continue;
        }
        assert!(world.overlaps(mover, from, Layers::ALL).unwrap().is_empty(), "{}", what());
        let closest = world.closest(mover, from, 99.0, Layers::ALL).unwrap().unwrap();
        assert!((closest.distance - distance(from)).abs() < 1e-7, "{}", what());
        let cast = Cast::new(mover, from, way).unwrap();
        let fraction = |world: &World| world.cast(&cast).map_or(2.0, |hit| hit.fraction);
        let (early, free, late) = (fraction(&around), fraction(&world), fraction(&within));
        assert!(early <= free + 1e-12 && free <= late + 1e-12, "{early} {free} {late}: {}", what());
        for i in 0..12 {
            let at = from + way * (free.min(1.0) * f64::from(i) / 12.0);
            assert!(distance(at) > 0.0, "passes at {i}: {}", what());
        }
        match world.cast(&cast) {
            Some(hit) => {
                let at = from + way * free;
                assert!(distance(at) < 1e-9, "stops {} early: {}", distance(at), what());
                assert!(hit.normal.dot(way) < 0.0 && (hit.normal.length() - 1.0).abs() < 1e-12);
                let local = pose.rotation().conjugate() * (hit.point - pose.position()) / pose.scale();
                assert!(solid.signed_distance(local).abs() < 1e-7, "{}", what());
                // A separating plane where it stops.
                let (mover_seen, offset) = seen(at);
                let normal = pose.rotation().conjugate() * hit.normal;
                let lowest = mover_seen.support(-normal).dot(normal) - mover_seen.margin();
                let gap = lowest - offset.dot(normal) - solid.support(normal).dot(normal);
                assert!(gap > -1e-12, "the normal leads in by {gap}: {}", what());
                assert_eq!(world.cast_among(&cast, |_| 0..9), Some(hit), "{}", what());
                hits += 1;
            }
            None => misses += 1,
        }
    }
    assert!(hits > 400 && misses > 30 && inside > 5, "{hits} {misses} {inside}");
}

/// Rays in closed form and by search are the same; so are the kernels without a world.
#[test]
fn rays_meet_what_the_shape_says() {
    let mut dice = Dice(4);
    let mut hits = 0;
    for _ in 0..4000 {
        let solid = Solid::thrown(&mut dice);
        let from = dice.point(4.0);
        let way = (dice.point(1.0) - from) * 1.5;
        if solid.signed_distance(from) < 1e-9 {
            continue;
        }
        let path = Path::new(from, way).unwrap();
        let hit = match solid {
            Solid::Cylinder(it) => mover_cylinder(&Mover::Point, &path, &it, DVec3::ZERO),
            Solid::Cone(it) => mover_cone(&Mover::Point, &path, &it, DVec3::ZERO),
        };
        match (hit, solid.ray(from, way)) {
            (Some(hit), Some(exact)) => {
                assert!(hit.fraction <= exact + 1e-14 && exact - hit.fraction < 1e-11, "{hit:?} {exact}");
                hits += 1;
            }
            (None, None) => {}
            // One that grazes.
            (hit, exact) => {
                let fraction = hit.map_or(2.0, |hit| hit.fraction).min(exact.unwrap_or(2.0));
                assert!(solid.signed_distance(from + way * fraction).abs() < 1e-9, "{hit:?} {exact:?}");
            }
        }
    }
    assert!(hits > 1500, "{hits}");
}

/// The normals at a contact are those of the sides on which its point lies: of one, or of both on a rim.
#[test]
fn normals_at_a_contact_are_those_of_the_sides_there() {
    let mut dice = Dice(12);
    let mut met = [0; 3];
    for round in 0..4000 {
        let solid = Solid::thrown(&mut dice);
        let turn = rotation_about(dice.point(1.0).normalize(), dice.between(0.0, 3.0));
        let pose = Pose::from((dice.point(3.0), turn)).with_scale(dice.between(0.5, 2.0)).unwrap();
        let pose = if round % 3 == 0 { Pose::IDENTITY } else { pose };
        let mut world = World::new();
        world.add(Body::fixed(solid.collider()).at(pose));
        // Now and then in a plane of two axes, and on the axis.
        let within = [DVec3::ONE, dvec3(0.0, 1.0, 1.0), dvec3(1.0, 1.0, 0.0), DVec3::Y][round % 4];
        let (radius, half, top, rotation) = solid.measures();
        let own = dice.point(2.0) * within;
        let at = pose.position() + pose.rotation() * (rotation * own) * pose.scale();
        let mut found = Vec::new();
        world.contacts(&Sphere::new(1e-3).unwrap().into(), at, 9.0, Layers::ALL, |near| {
            found.push((near.part, near.contact));
        });
        let (part, contact) = found[0];
        let mut normals = Vec::new();
        world.surface_normals_at(part, &contact, 0.0, &mut |normal| normals.push(normal));
        if contact.gap < 0.0 {
            continue;
        }
        let to_own = |v: DVec3| rotation.conjugate() * (pose.rotation().conjugate() * v);
        let point = to_own(contact.point - pose.position()) / pose.scale();
        let across = ops::sqrt(point.x * point.x + point.z * point.z);
        let outward = if across > 1e-9 { dvec3(point.x, 0.0, point.z) / across } else { DVec3::ZERO };
        let corners = [(0.0, -half), (radius, -half), (top, half), (0.0, half)];
        let (mut expected, mut is_unclear) = (Vec::new(), across <= 1e-9 && top == 0.0 && point.y > 0.0);
        for side in corners.windows(2) {
            let ((a, b), (c, d)) = (side[0], side[1]);
            let length = ops::sqrt((c - a) * (c - a) + (d - b) * (d - b));
            if length == 0.0 {
                continue;
            }
            let (x, y) = ((c - a) / length, (d - b) / length);
            let along = ((across - a) * x + (point.y - b) * y).clamp(0.0, length);
            let (off_x, off_y) = (across - a - x * along, point.y - b - y * along);
            let off = ops::sqrt(off_x * off_x + off_y * off_y);
            is_unclear |= off > 1e-12 && off < 1e-6;
            if off <= 1e-12 {
                // Turned to the side from which it is touched.
                let normal = outward * y - DVec3::Y * x;
                let facing = normal.dot(to_own(contact.normal));
                is_unclear |= facing.abs() < 1e-9;
                expected.push(normal * facing.signum());
            }
        }
        if is_unclear {
            continue;
        }
        let own: Vec<DVec3> = normals.iter().map(|normal| to_own(*normal)).collect();
        assert_eq!(own.len(), expected.len(), "{contact:?} {own:?} {expected:?}");
        for (own, expected) in own.iter().zip(&expected) {
            assert!(own.abs_diff_eq(*expected, 1e-9), "{contact:?} {own:?} {expected:?}");
        }
        met[expected.len()] += 1;
    }
    assert!(met[1] > 1000 && met[2] > 500, "{met:?}");
}

/// Movers at rest, movers that leave and movers that slide along are not held; one that moves in is, with the
/// exact normal of a flat end.
#[test]
fn touching_stops_only_what_goes_deeper() {
    let mut world = World::new();
    world.add(Body::fixed(Cylinder::new(1.0, 0.5).unwrap()));
    world.add(Body::fixed(Cone::new(1.0, 0.5).unwrap()).at(dvec3(10.0, 0.0, 0.0)));
    let movers: [Mover; 4] = [
        Sphere::new(0.5).unwrap().into(),
        Capsule::new(0.25, 0.25).unwrap().into(),
        Ellipsoid::new(dvec3(0.75, 0.5, 0.25)).unwrap().into(),
        Cuboid::new(DVec3::splat(0.5)).unwrap().into(),
    ];
    for mover in movers {
        for (at, normal) in [(dvec3(0.25, 1.0, 0.0), DVec3::Y), (dvec3(10.25, -1.0, 0.0), -DVec3::Y)] {
            let cast = |way: DVec3| world.cast(&Cast::new(mover, at, way).unwrap());
            let hit = cast(-normal).unwrap();
            assert!(hit.fraction == 0.0 && !hit.start_overlap, "{mover:?}: {hit:?}");
            assert_eq!(hit.normal, normal, "{mover:?}");
            assert_eq!(cast(normal), None, "{mover:?}");
            assert_eq!(cast(DVec3::X * 0.25), None, "{mover:?}");
            let fall = world.cast(&Cast::new(mover, at + normal * 2.0, normal * -4.0).unwrap()).unwrap();
            assert!((fall.fraction - 0.5).abs() < 1e-12, "{mover:?} {fall:?}");
            assert_eq!(fall.normal, normal, "{mover:?}");
        }
    }
    assert_eq!(Cylinder::new(0.0, 1.0), Err(ShapeError::NotPositive("radius")));
    assert_eq!(Cone::new(1.0, f64::NAN), Err(ShapeError::NotPositive("half_height")));
}

/// A scene of a power of two of the size has the same answer, to the bit.
#[test]
fn a_scene_of_any_size_has_the_same_answer() {
    let mut dice = Dice(31);
    let mut hits = 0;
    for round in 0..300 {
        let (mover, from) = (mover(&mut dice), dice.point(4.0) + DVec3::Y * 3.0);
        let (radius, half) = (dice.between(0.5, 1.0), dice.between(0.5, 1.0));
        let way = from * -2.0;
        let answer = |size: f64| {
            let mover = mover.scaled(size).unwrap();
            let path = Path::new(from * size, way * size).unwrap();
            let cone = Cone::new(radius * size, half * size).unwrap();
            mover_cone(&mover, &path, &cone, DVec3::ZERO).map(|hit| (hit.fraction, hit.normal))
        };
        let own = answer(1.0);
        for exponent in [-400i64, -90, -20, 7, 90, 400] {
            let size = f64::from_bits(((1023 + exponent) as u64) << 52);
            assert_eq!(answer(size), own, "round {round}: 2^{exponent}, {mover:?}");
        }
        hits += usize::from(own.is_some());
    }
    assert!(hits > 150, "{hits}");
}

/// A character walks over a flat drum, round a column, and up a cone as flat as a slope that it may climb.
#[test]
fn a_character_walks_on_and_around_them() {
    let mut world = World::new();
    world.add(Body::fixed(Cuboid::new(dvec3(99.0, 1.0, 99.0)).unwrap()).at(dvec3(0.0, -1.0, 0.0)));
    world.add(Body::fixed(Cylinder::new(2.0, 0.1).unwrap()).at(dvec3(5.0, 0.1, 0.0)));
    world.add(Body::fixed(Cylinder::new(0.5, 2.0).unwrap()).at(dvec3(10.0, 2.0, 0.7)));
    world.add(Body::fixed(Cone::new(4.0, 0.5).unwrap()).at(dvec3(20.0, 0.5, 0.1)));
    for shape in [
        Mover::from(Capsule::new(0.3, 0.6).unwrap()),
        Ellipsoid::new(dvec3(0.4, 0.9, 0.4)).unwrap().into(),
        Cuboid::new(dvec3(0.3, 0.9, 0.3)).unwrap().into(),
    ] {
        let start = dvec3(0.0, 0.92, 0.0);
        let mut hero = Character::new(shape, Settings::default()).unwrap().at(start).unwrap();
        let mut highest = 0.0f64;
        for _ in 0..60 * 12 {
            hero.step(&world, Input::walk(dvec3(3.0, 0.0, 0.0)), 1.0 / 60.0);
            let at = hero.position();
            assert!(world.deepest(shape, at, Layers::ALL).unwrap().is_empty(), "{shape:?} at {at}");
            if (19.0..21.0).contains(&at.x) {
                highest = highest.max(at.y);
            }
        }
        let end = hero.position();
        assert!(end.x > 26.0, "{shape:?} ends at {end}");
        assert!(highest > 1.6, "{shape:?} was no higher than {highest}");
    }
}
