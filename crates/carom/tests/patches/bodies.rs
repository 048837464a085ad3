//! Patches as bodies of a world: contacts beside dense points, trees beside all cells, and rays.

use carom::glam::{DVec3, dvec3};
use carom::shape::{BezierPatch, Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use carom::sweep::Contact;
use carom::world::{Body, Cast, Layers, Pose, World};

use crate::dice::Dice;

fn movers(dice: &mut Dice) -> Vec<Mover> {
    let r = dice.between(0.05, 0.5);
    let turned = dice.rotation();
    vec![
        Mover::Point,
        Sphere::new(r).unwrap().into(),
        Ellipsoid::new(dvec3(r, 1.7 * r, 0.8 * r)).unwrap().with_rotation(turned).unwrap().into(),
        Capsule::new(r, 0.9 * r).unwrap().with_rotation(turned).unwrap().into(),
        Cuboid::new(dvec3(r, 1.3 * r, 0.7 * r)).unwrap().with_rotation(turned).unwrap().into(),
    ]
}

/// A grid of points of a patch.
fn points(patch: &BezierPatch, side: usize) -> impl Iterator<Item = DVec3> + '_ {
    let share = move |i: usize| i as f64 / side as f64;
    (0..=side).flat_map(move |i| (0..=side).map(move |j| patch.point(share(i), share(j))))
}

#[test]
fn a_gap_is_the_distance_to_the_nearest_of_many_points() {
    let mut dice = Dice::new(5);
    for _ in 0..60 {
        let patch = dice.patch();
        let at = patch.bounds().center() + dice.vector() * 1.5;
        let closest = patch.closest_point(at).unwrap();
        let own = (closest - at).length();
        let dense = points(&patch, 160).map(|p| (p - at).length()).fold(f64::INFINITY, f64::min);
        assert!(own <= dense + 1e-12, "{own} {dense} {at} {patch:?}");
        // A step of the grid apart at most.
        assert!(dense - own < 0.02, "{own} {dense} {at} {patch:?}");
        for mover in [Sphere::new(0.2).unwrap().into(), Mover::from(Capsule::new(0.2, 0.0).unwrap())] {
            let contact = patch.contact(&mover, at).unwrap().unwrap();
            assert!((contact.gap - (own - 0.2)).abs() < 1e-9, "{contact:?} {own}");
        }
    }
}

/// The gap is how far out the sides have to move, times the sum of the normal's components along them: that
/// is from 1 to √3.
#[test]
fn a_gap_of_a_cuboid_is_that_of_its_sides_to_many_points() {
    let mut dice = Dice::new(6);
    let (mut apart, mut inside) = (0, 0);
    for _ in 0..120 {
        let patch = dice.patch();
        let half = dvec3(dice.between(0.05, 0.5), dice.between(0.05, 0.5), dice.between(0.05, 0.5));
        let cuboid = Cuboid::new(half).unwrap().with_rotation(dice.rotation()).unwrap();
        let at = patch.bounds().center() + dice.vector() * 1.2;
        let out = |p: DVec3| ((cuboid.axes().transpose() * (p - at)).abs() - half).max_element();
        let dense = points(&patch, 160).map(out).fold(f64::INFINITY, f64::min);
        let Contact { gap, normal, point, .. } = patch.contact(&cuboid.into(), at).unwrap().unwrap();
        // A step of the grid apart at most.
        let ends = [dense, dense - 0.02].map(|out| [out, out * carom::num::ops::sqrt(3.0)]);
        let most = ends[0][0].max(ends[0][1]) + 1e-9;
        let least = ends[1][0].min(ends[1][1]) - 1e-9;
        assert!((least..=most).contains(&gap), "{gap} {dense} {cuboid:?} {at} {patch:?}");
        let along = (cuboid.axes().transpose() * normal).abs().element_sum();
        // Inside, opposite sides may touch: then bounds answer, and the point is one near by.
        let off = (out(point) * along - gap).abs();
        assert!(gap < 0.0 || off < 1e-8, "{off} {gap} {point} {normal} {cuboid:?} {at} {patch:?}");
        (apart, inside) = (apart + u32::from(gap > 0.0), inside + u32::from(gap < 0.0));
    }
    assert!(apart > 40 && inside > 20, "{apart} {inside}");
}

/// A fold stands still along its lines; the surface is that of even steps, and so is each answer.
#[test]
fn lines_that_are_run_along_unevenly_are_the_same_lines() {
    let mut dice = Dice::new(11);
    let mut hits = 0;
    for round in 0..60 {
        // On a grid, so that the middle of each line is exact.
        let ends = [(); 3].map(|()| [(); 2].map(|()| (dice.vector() * 64.0).round() / 32.0));
        let even = ends.map(|[from, to]| [from, (from + to) * 0.5, to]);
        let uneven = if round % 2 == 0 { [0, 0, 1] } else { [0, 1, 1] };
        let uneven = ends.map(|ends| uneven.map(|end| ends[end]));
        let turned = |rows: [[DVec3; 3]; 3]| {
            [0, 1, 2].map(|i| if round % 4 < 2 { rows[i] } else { rows.map(|row| row[i]) })
        };
        let bodies = [even, uneven].map(|rows| Body::fixed(BezierPatch::quadratic(turned(rows)).unwrap()));
        let bounds = bodies[0].bounds().unwrap();
        let worlds = bodies.map(|body| {
            let mut world = World::new();
            world.add(body);
            world
        });
        for mover in movers(&mut dice) {
            let from = bounds.center() + bounds.half_extents() * 3.0 * dice.vector();
            let way = (bounds.center() + bounds.half_extents() * dice.vector() - from) * 1.2;
            let cast = Cast::new(mover, from, way).unwrap();
            let [one, other] = [0, 1].map(|i| worlds[i].cast(&cast).map(|hit| (hit.part, hit.hit)));
            assert_eq!(one, other, "{cast:?}");
            hits += usize::from(one.is_some());
        }
    }
    assert!(hits > 100, "{hits}");
}

#[test]
fn trees_only_skip_what_cannot_matter() {
    let mut dice = Dice::new(7);
    for round in 0..40 {
        let mut world = World::new();
        let patches: Vec<BezierPatch> = (0..3).map(|_| dice.patch()).collect();
        let scale = [1.0, 0.5, 3.0][round % 3];
        let pose = Pose::at(dice.vector()).unwrap().with_rotation(dice.rotation()).unwrap();
        let body = Body::fixed(patches.clone()).at(pose.with_scale(scale).unwrap());
        let bounds = body.bounds().unwrap();
        let id = world.add(body);
        for mover in movers(&mut dice) {
            let (center, half) = (bounds.center(), bounds.half_extents() + DVec3::ONE);
            let from = center + half * dice.vector();
            let way = center + half * dice.vector() * 0.7 - from;
            let cast = Cast::new(mover, from, way).unwrap();
            let all = world.cast_among(&cast, |_| 0..4096);
            assert_eq!(world.cast(&cast), all, "{cast:?}");
            if let Some(hit) = all {
                assert_eq!(hit.body, id);
                // The point is on a patch, and the normal against the way.
                let local = pose.rotation().inverse() * (hit.point - pose.position()) / scale;
                let off = patches
                    .iter()
                    .map(|patch| (patch.closest_point(local).unwrap() - local).length())
                    .fold(f64::INFINITY, f64::min);
                assert!(off < 1e-7, "{off} {hit:?}");
                assert!(hit.normal.dot(way) <= 1e-9, "{hit:?}");
            }
            let near = world.closest(mover, from, f64::INFINITY, Layers::ALL).unwrap().unwrap();
            let among = world.closest_among_all(mover, from, f64::INFINITY, Layers::ALL).unwrap().unwrap();
            assert!((near.distance - among.distance).abs() < 1e-9, "{near:?} {among:?}");
        }
    }
}

#[test]
fn a_ray_meets_a_quarter_pipe_where_algebra_says() {
    // Control points (1, 0), (1, 1), (0, 1): x = 1 − t², y = 2t − t²… so √(1 − x) + √(1 − y) = 1.
    let row = |z: f64| [dvec3(1.0, 0.0, z), dvec3(1.0, 1.0, z), dvec3(0.0, 1.0, z)];
    let patch = BezierPatch::quadratic([row(0.0), row(1.0), row(2.0)]).unwrap();
    let mut world = World::new();
    world.add(Body::fixed(patch));
    let mut dice = Dice::new(11);
    for _ in 0..2000 {
        let angle = dice.between(0.05, 1.5);
        let z = dice.between(0.1, 1.9);
        let way = dvec3(carom::num::ops::cos(angle), carom::num::ops::sin(angle), 0.0) * 2.0;
        let hit = world.raycast(dvec3(0.0, 0.0, z), way).unwrap().expect("inside the pipe");
        // On the curve x = 1 − t², y = 1 − (1 − t)².
        // By the root that keeps its digits.
        let t = if hit.point.x < hit.point.y {
            carom::num::ops::sqrt(1.0 - hit.point.x)
        } else {
            1.0 - carom::num::ops::sqrt(1.0 - hit.point.y)
        };
        let on = dvec3(1.0 - t * t, 1.0 - (1.0 - t) * (1.0 - t), z);
        assert!((hit.point - on).length() < 1e-13, "{hit:?}");
        assert!((way * hit.fraction - (hit.point - dvec3(0.0, 0.0, z))).length() < 1e-12);
    }
    // Beside it, and along its axis outside: nothing.
    assert_eq!(world.raycast(dvec3(0.0, 0.0, 2.1), dvec3(2.0, 2.0, 0.0)).unwrap(), None);
}

#[test]
fn touching_is_legal_and_a_hollow_is_met_all_the_same() {
    // A trough: y = x²/4 from −2 to 2, along z.
    let row = |z: f64| [dvec3(-2.0, 1.0, z), dvec3(0.0, -1.0, z), dvec3(2.0, 1.0, z)];
    let patch = BezierPatch::quadratic([row(-5.0), row(0.0), row(5.0)]).unwrap();
    let mut world = World::new();
    world.add(Body::fixed(patch));
    let ball = Sphere::new(0.5).unwrap();
    let rest = dvec3(0.0, 0.5 + 1e-12, 0.0);
    let cast = |from, way| world.cast(&Cast::new(ball, from, way).unwrap());
    assert_eq!(cast(rest, dvec3(0.0, 0.0, 3.0)), None, "along the trough");
    assert_eq!(cast(rest, DVec3::Y), None, "off it");
    assert!(cast(rest, -DVec3::Y).is_some_and(|hit| hit.fraction < 1e-11), "into it");
    let hit = cast(rest, dvec3(1.0, 0.0, 0.0)).expect("up its side");
    assert!(hit.fraction < 1e-3 && hit.normal.y > 0.999, "{hit:?}");
    // Neither is any of this so with a gap as small as the bounds.
    for gap in [0.0, 1e-13, 1e-11, 1e-10, 1e-9, 1e-8] {
        let rest = dvec3(0.0, 0.5 + gap, 0.0);
        assert_eq!(cast(rest, dvec3(0.0, 0.0, 3.0)), None, "along the trough, {gap:e} above");
        assert_eq!(cast(rest, DVec3::Y), None, "off it, {gap:e} above");
    }
    let hit = cast(rest - DVec3::Y * 0.1, -DVec3::Y).unwrap();
    assert!(hit.start_overlap && hit.fraction == 0.0);
    assert_eq!(cast(rest - DVec3::Y * 0.1, DVec3::Y), None);
}

#[test]
fn a_patch_without_area_is_the_curve_or_the_point_that_it_is() {
    let curve = [dvec3(-1.0, 0.0, 0.0), dvec3(0.0, 1.0, 0.0), dvec3(1.0, 0.0, 0.0)];
    for patch in [
        BezierPatch::quadratic([curve; 3]).unwrap(),
        BezierPatch::quadratic([[dvec3(0.0, 0.5, 0.0); 3]; 3]).unwrap(),
    ] {
        let mut world = World::new();
        world.add(Body::fixed(patch));
        for mover in [Sphere::new(0.25).unwrap().into(), Mover::from(Capsule::new(0.25, 0.5).unwrap())] {
            let cast = Cast::new(mover, dvec3(0.0, 3.0, 0.0), dvec3(0.0, -4.0, 0.0)).unwrap();
            let hit = world.cast(&cast).unwrap();
            let low = match mover {
                Mover::Sphere(_) => 0.25,
                _ => 0.75,
            };
            assert!((hit.fraction - (2.5 - low) / 4.0).abs() < 1e-9, "{hit:?}");
        }
    }
}
