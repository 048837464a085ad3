//! The point of a hit lies on both surfaces, for every mover and every solid: on faces that lie flat on each
//! other, on lids and along cylinders, on edges, corners and smooth sides.

#![allow(clippy::unwrap_used, reason = "tests")]

use carom::mesh::{HeightField, Heights, Mesh};
use carom::num::ops::{rotation_about, sqrt};
use carom::shape::{Capsule, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, Mover, Plane, Sphere};
use carom::world::{Body, Cast, Collider, HalfSpace, Layers, Pose, World};
use glam::{DQuat, DVec3, dvec3};

use dice::Dice;

mod dice;

/// A quaternion that turns axes into axes, or one of any direction.
fn turn(dice: &mut Dice) -> DQuat {
    let quarter = |dice: &mut Dice| (dice.unit() * 4.0).floor() * core::f64::consts::FRAC_PI_2;
    match (dice.unit() * 4.0) as u32 {
        0 => DQuat::IDENTITY,
        1 => rotation_about(DVec3::X, quarter(dice)) * rotation_about(DVec3::Y, quarter(dice)),
        2 => rotation_about(
            [DVec3::X, DVec3::Y, DVec3::Z][(dice.unit() * 3.0) as usize],
            dice.between(0.0, 6.0),
        ),
        _ => rotation_about(dice.point(1.0).normalize(), dice.between(0.0, 3.0)),
    }
}

const SMALLEST: f64 = 0.2;
const LARGEST: f64 = 1.5;

fn size(dice: &mut Dice) -> f64 {
    let size = dice.between(SMALLEST, LARGEST);
    if dice.unit() < 0.5 { (size * 8.0).ceil() / 8.0 } else { size }
}

fn mover(dice: &mut Dice) -> Mover {
    let [a, b, c] = [size(dice), size(dice), size(dice)];
    let mover: Mover = match (dice.unit() * 5.0) as u32 {
        0 => Mover::Point,
        1 => Sphere::new(a).unwrap().into(),
        2 => Capsule::new(a, b).unwrap().into(),
        3 => Ellipsoid::new(dvec3(a, b, c)).unwrap().into(),
        _ => Cuboid::new(dvec3(a, b, c)).unwrap().into(),
    };
    mover.turned(turn(dice)).unwrap()
}

const KINDS: [&str; 10] =
    ["sphere", "ellipsoid", "capsule", "cuboid", "cylinder", "cone", "hull", "mesh", "half-space", "terrain"];

/// A collider and the distance of a point from its surface.
fn solid(dice: &mut Dice, kind: &str) -> (Collider, Box<dyn Fn(DVec3) -> f64>) {
    let [a, b, c] = [size(dice), size(dice), size(dice)];
    // Corners of f32.
    let half = dvec3(f64::from(a as f32), f64::from(b as f32), f64::from(c as f32));
    match kind {
        "sphere" => {
            let it = Sphere::new(a).unwrap();
            (it.into(), Box::new(move |p| it.signed_distance(p)))
        }
        "ellipsoid" => {
            let it = Ellipsoid::new(dvec3(a, b, c)).unwrap();
            (it.into(), Box::new(move |p| it.signed_distance(p)))
        }
        "capsule" => {
            let it = Capsule::new(a, b).unwrap();
            (it.into(), Box::new(move |p| it.signed_distance(p)))
        }
        "cylinder" => {
            let it = Cylinder::new(a, b).unwrap();
            (it.into(), Box::new(move |p| it.signed_distance(p)))
        }
        "cone" => {
            let it = Cone::new(a, b).unwrap();
            (it.into(), Box::new(move |p| it.signed_distance(p)))
        }
        "half-space" => {
            let plane = Plane::new(DVec3::ZERO, DVec3::Y).unwrap();
            (Collider::HalfSpace(HalfSpace::behind(plane)), Box::new(|p| p.y))
        }
        "terrain" => {
            let field = HeightField::new([3, 3], [2.0, 2.0], Heights::F32(vec![0.0; 9])).unwrap();
            (field.into(), Box::new(|p| p.distance(dvec3(p.x.clamp(0.0, 4.0), 0.0, p.z.clamp(0.0, 4.0)))))
        }
        _ => {
            let it = Cuboid::new(half).unwrap();
            let collider = match kind {
                "cuboid" => it.into(),
                "hull" => ConvexHull::new(&it.corners()).unwrap().into(),
                _ => {
                    let corners = it.corners().map(|corner| corner.as_vec3().to_array()).to_vec();
                    let quads =
                        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
                    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
                    Mesh::from_triangles(corners, triangles).unwrap().into()
                }
            };
            (collider, Box::new(move |p| it.signed_distance(p)))
        }
    }
}

/// A solid of a kind in a world, and a mover near it.
struct Pair {
    world: World,
    pose: Pose,
    distance: Box<dyn Fn(DVec3) -> f64>,
    mover: Mover,
}

impl Pair {
    fn thrown(dice: &mut Dice, kind: &str) -> Self {
        let ((collider, distance), mover) = (solid(dice, kind), mover(dice));
        let scale = if dice.unit() < 0.5 { 1.0 } else { dice.between(0.5, 2.0) };
        let pose = Pose::from((dice.point(2.0), turn(dice))).with_scale(scale).unwrap();
        let mut world = World::new();
        world.add(Body::fixed(collider).at(pose));
        Self { world, pose, distance, mover }
    }

    /// The distance of a point from the surface of the solid; negative inside.
    fn off(&self, p: DVec3) -> f64 {
        let local = self.pose.rotation().conjugate() * (p - self.pose.position()) / self.pose.scale();
        (self.distance)(local) * self.pose.scale()
    }

    /// A path from outside, half of the time along an axis of the world.
    fn path(&self, dice: &mut Dice) -> (DVec3, DVec3) {
        let place = self.pose.position();
        if dice.unit() < 0.5 {
            let axis = [DVec3::X, DVec3::Y, DVec3::Z][(dice.unit() * 3.0) as usize];
            let way = if dice.unit() < 0.5 { axis * 8.0 } else { axis * -8.0 };
            let beside = if dice.unit() < 0.2 { 0.0 } else { 1.5 };
            return (place - way + dice.point(beside), way * 2.0);
        }
        let from = dice.point(5.0);
        (from, (place + dice.point(1.0) - from) * 2.0)
    }
}

#[test]
fn the_point_of_a_hit_lies_on_both_surfaces() {
    let mut dice = Dice(77);
    let mut hits = [0; KINDS.len()];
    for round in 0..60_000 {
        let kind = round % KINDS.len();
        let pair = Pair::thrown(&mut dice, KINDS[kind]);
        let (from, way) = pair.path(&mut dice);
        let Some(hit) = pair.world.cast(&Cast::new(pair.mover, from, way).unwrap()) else { continue };
        let what = || format!("round {round}: {:?} from {from} by {way}: {hit:?}", pair.mover);
        let off = pair.off(hit.point);
        if hit.start_overlap {
            assert!(off < 1e-10, "off the {} by {off}: {}", KINDS[kind], what());
            continue;
        }
        assert!(off.abs() < 1e-10, "off the {} by {off}: {}", KINDS[kind], what());
        let off = pair.mover.signed_distance(hit.point - (from + way * hit.fraction));
        assert!(off.abs() < 1e-10, "off the mover by {off} at the {}: {}", KINDS[kind], what());
        hits[kind] += 1;
    }
    assert!(hits.iter().all(|hits| *hits > 1500), "{hits:?}");
}

/// How far the point of a contact may be from the mover. The gap of two boxes is that of the axis on which
/// they are farthest apart, and their distance up to √3 times as large. Of an ellipsoid it is the point that
/// is nearest where the ellipsoid is a unit sphere.
fn most_away(mover: &Mover, other: &str, gap: f64) -> f64 {
    let share = match mover {
        Mover::Ellipsoid(ellipsoid) => ellipsoid.radii().max_element() / ellipsoid.radii().min_element(),
        _ => 1.0,
    };
    let share = if other == "ellipsoid" { share * LARGEST / SMALLEST } else { share };
    sqrt(3.0) * share * gap.abs() + 1e-9
}

#[test]
fn the_point_of_a_contact_lies_on_the_other_surface() {
    let mut dice = Dice(78);
    let (mut apart, mut deep) = ([0; KINDS.len()], [0; KINDS.len()]);
    for round in 0..60_000 {
        let kind = round % KINDS.len();
        let pair = Pair::thrown(&mut dice, KINDS[kind]);
        let at = pair.pose.position() + dice.point(2.0);
        pair.world.contacts(&pair.mover, at, 1.0, Layers::ALL, |near| {
            let what = || format!("round {round}: {:?} at {at}: {near:?}", pair.mover);
            let (off, is_deep) = (pair.off(near.contact.point), near.contact.gap < 0.0);
            let bound = if is_deep && matches!(pair.mover, Mover::Ellipsoid(_)) { 1e-3 } else { 1e-9 };
            assert!(off.abs() < bound, "off the {} by {off}: {}", KINDS[kind], what());
            let away = pair.mover.signed_distance(near.contact.point - at);
            let is_near = away < most_away(&pair.mover, KINDS[kind], near.contact.gap);
            assert!(is_near, "{away} from the mover: {}", what());
            *(if is_deep { &mut deep[kind] } else { &mut apart[kind] }) += 1;
        });
    }
    assert!(apart.iter().chain(&deep).all(|count| *count > 500), "{apart:?} {deep:?}");
}

/// Floors that nearly lie in a side of the mover: 80 m of them, level but for 10⁻¹³ … 0.3.
#[test]
fn the_point_of_a_contact_is_near_the_mover_on_wide_floors() {
    let mut dice = Dice(79);
    let mut seen = [0; 4];
    for round in 0..40_000 {
        let kind = round % seen.len();
        let mover = match (dice.unit() * 6.0) as u32 {
            0 => Capsule::new(size(&mut dice), size(&mut dice)).unwrap().into(),
            1 => Ellipsoid::new(dvec3(size(&mut dice), size(&mut dice), size(&mut dice))).unwrap().into(),
            _ => mover(&mut dice),
        };
        let half = 40.0 * dice.between(0.2, 1.0);
        let tilt = [0.3, 1e-2, 1e-4, 1e-6, 5e-8, 1e-9, 1e-11, 1e-13][(dice.unit() * 8.0) as usize];
        let rise = dvec3(dice.between(-tilt, tilt), 0.0, if dice.unit() < 0.5 { 0.0 } else { tilt });
        let yaw = rotation_about(DVec3::Y, dice.between(0.0, 6.3));
        let floor: Collider = match kind {
            0 => {
                let corner = |x: f64, z: f64| dvec3(x, rise.dot(dvec3(x, 0.0, z)), z).as_vec3().to_array();
                let corners =
                    [corner(-half, -half), corner(half, -half), corner(half, half), corner(-half, half)];
                Mesh::from_triangles(corners.to_vec(), vec![[0, 2, 1], [0, 3, 2]]).unwrap().into()
            }
            1 => Cuboid::new(dvec3(half, 1.0, half))
                .unwrap()
                .with_rotation(rotation_about(dvec3(rise.z, 0.0, -rise.x), rise.length()))
                .unwrap()
                .into(),
            2 => {
                let corners = Cuboid::new(dvec3(half, 1.0, half)).unwrap().corners();
                ConvexHull::new(&corners.map(|c| c + DVec3::Y * rise.dot(c))).unwrap().into()
            }
            _ => {
                let heights =
                    [0, 1, 2, 3].map(|k| rise.dot(dvec3(f64::from(k % 2), 0.0, f64::from(k / 2))) * half);
                HeightField::new(
                    [2, 2],
                    [half, half],
                    Heights::F32(heights.map(|height| height as f32).to_vec()),
                )
                .unwrap()
                .into()
            }
        };
        let middle = if kind == 3 { dvec3(half, 0.0, half) * 0.5 } else { DVec3::ZERO };
        let mut world = World::new();
        world.add(Body::fixed(floor).at(Pose::from((DVec3::ZERO, yaw))));
        let over = yaw * (middle + dice.point(half) * dvec3(0.5, 0.0, 0.5));
        let mover = if dice.unit() < 0.5 { mover.turned(yaw).unwrap() } else { mover };
        let down = Cast::new(mover, over + DVec3::Y * 200.0, DVec3::NEG_Y * 400.0).unwrap();
        let hit = world.cast(&down).unwrap();
        let gap = [0.0, 1e-12, 1e-9, 1e-6, 1e-3, 1e-2, 0.3][(dice.unit() * 7.0) as usize];
        let at = over + DVec3::Y * (200.0 - 400.0 * hit.fraction + gap);
        world.contacts(&mover, at, 0.5, Layers::ALL, |near| {
            let away = mover.signed_distance(near.contact.point - at);
            let is_near = away < most_away(&mover, "floor", near.contact.gap);
            let floor = format!("round {round}, rise {rise} of {half}, yaw {yaw}");
            assert!(is_near, "{away} from the mover: {floor}: {mover:?} at {at}: {near:?}");
            seen[kind] += 1;
        });
    }
    assert!(seen.iter().all(|count| *count > 5_000), "{seen:?}");
}
