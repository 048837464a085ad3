//! The culler compared with the kernels.

use glam::{DQuat, dvec3};

use super::*;
use crate::mesh::Mesh;
use crate::num::ops::rotation_about;
use crate::num::random::Random;
use crate::shape::{Aabb, Capsule, Cuboid, Ellipsoid, Sphere};
use crate::sweep::mover::{WithSweep, margin, with_sweep};
use crate::sweep::{Path, cuboid_triangle, point_triangle};
use crate::sweep::{capsule_triangle, ellipsoid_triangle, sphere_triangle};
use crate::tree::{PackedAabb, Plan, WideTree};
use crate::world::surface::triangle_store::TriangleStore;
use crate::world::{Body, ContactQuery, Layers, Moment, Neighborhood, Part, World};

fn mover(random: &mut Random, kind: usize, size: f64) -> Mover {
    let mut length = || size * (0.2 + 0.8 * random.number().abs());
    let [a, b, c] = [length(), length(), length()];
    let turn = |random: &mut Random| match random.number() {
        x if x < 0.0 => DQuat::IDENTITY,
        angle => rotation_about(random.vector() + DVec3::Z * 3.0, angle * 6.0),
    };
    match kind {
        0 => Mover::Point,
        1 => Sphere::new(a).unwrap().into(),
        2 => Capsule::new(a, b).unwrap().with_rotation(turn(random)).unwrap().into(),
        3 => Ellipsoid::new(dvec3(a, b, c)).unwrap().with_rotation(turn(random)).unwrap().into(),
        _ => Cuboid::new(dvec3(a, b, c)).unwrap().with_rotation(turn(random)).unwrap().into(),
    }
}

/// Tests the only triangle of some leaves with the culler, and about a box seen from the start of the sweep.
struct Asked<'a> {
    clipped: &'a ClippedSweep,
    mover: &'a Mover,
    margin: f64,
    leaves: &'a TriangleStore,
    limit: f32,
    sides: [Vec3; 2],
}

impl WithSweep for Asked<'_> {
    type Output = ([f32; WIDTH], f32);

    fn run(self, sweep: &impl SurfaceSweep) -> Self::Output {
        let culler = TriangleCuller::of(sweep, self.clipped, self.mover, self.margin, None);
        let entries = culler.entries(&self.leaves.leaf(0..1), self.limit);
        let sides = self.sides.map(|side| side.to_array().map(f32x4::splat));
        let [entry, ..] = culler.look(sides, f32x4::splat(0.0)).to_array();
        (entries, entry)
    }
}

/// Slivers, needles, specks and decent triangles, near the origin and far from it; ways that hit, graze and
/// miss.
#[test]
fn what_a_kernel_hits_is_kept_up_to_that_very_fraction() {
    let mut random = Random(0x5C2EE);
    let (mut hits, mut dismissed, mut boxes_dismissed, mut asked) = (0, 0, 0, 0);
    let mut near_dismissed = 0;
    for round in 0..150_000 {
        let place = random.vector() * [0.0, 1.0, 300.0, 3e5][round / 5 % 4];
        let flat = [1.0, 1.0, 1e-3, 1e-7, 0.0][round / 7 % 5];
        let long = random.size(100.0);
        let (ab, along) = (random.vector() * long, random.number());
        let corners =
            [place, place + ab, place + ab * along + random.vector() * long * flat].map(DVec3::as_vec3);
        let triangle = {
            let [a, b, c] = corners.map(Vec3::as_dvec3);
            crate::shape::Triangle::new(a, b, c).unwrap()
        };
        let size = random.size(100.0);
        let mover = mover(&mut random, round % 5, size);
        let (u, v) = (random.number().abs(), random.number().abs());
        let [a, b, c] = triangle.corners();
        // Past a place of the triangle, as near as the mover is large.
        let target = a + (b - a) * u + (c - a) * (v * (1.0 - u)) + random.vector() * size * 1.2;
        let from = target - random.vector() * (size + long) * random.size(10.0);
        let path = Path::new(from, (target - from) * (1.0 + random.number())).unwrap();
        let hit = match &mover {
            Mover::Point => point_triangle(&path, &triangle),
            Mover::Sphere(sphere) => sphere_triangle(sphere, &path, &triangle),
            Mover::Capsule(capsule) => capsule_triangle(capsule, &path, &triangle),
            Mover::Ellipsoid(ellipsoid) => ellipsoid_triangle(ellipsoid, &path, &triangle),
            Mover::Cuboid(cuboid) => cuboid_triangle(cuboid, &path, &triangle),
        };
        let volume = |_| {
            let [a, b, c] = corners;
            PackedAabb::new(a.min(b).min(c), a.max(b).max(c)).unwrap()
        };
        let (tree, _) = WideTree::build(1, volume);
        let mesh = Mesh::from_triangles(corners.map(Into::into).to_vec(), vec![[0, 1, 2]]).unwrap();
        let margin = margin(&mover, &path, mesh.largest_coordinate(), 0.0);
        let half_extents = mover.half_extents() + margin;
        let fraction = hit.as_ref().map_or(1.0, |hit| hit.fraction);
        asked += 1;
        hits += u32::from(hit.is_some());
        let leaves = TriangleStore::new(&mesh, &tree, &[0]);
        // As what is known to lie near, of which f32 knows more.
        let [low, high] = {
            let [a, b, c] = corners;
            [a.min(b).min(c), a.max(b).max(c)]
        };
        if let Some(clipped) = ClippedSweep::near(path.from(), path.translation(), half_extents, [low, high])
        {
            let limit = clipped.limit(fraction);
            let (mover, leaves) = (&mover, &leaves);
            let asked = Asked { clipped: &clipped, mover, margin, leaves, limit, sides: [low, high] };
            let ([entry, ..], _) = with_sweep(mover, &path, 0.0, asked);
            assert!(hit.is_none() || entry <= limit, "{mover:?} {path:?} {corners:?} {hit:?}");
            let [lower, upper] = clipped.bounds();
            let is_met = lower.cmple(high).all() && upper.cmpge(low).all();
            assert!(hit.is_none() || is_met, "{mover:?} {path:?} {corners:?} {hit:?}");
            near_dismissed += u32::from(entry > limit);
        }
        match tree.plan(path.from(), path.translation(), half_extents, fraction) {
            Plan::Exact => {}
            Plan::Nothing => {
                assert!(hit.is_none(), "{mover:?} {path:?} {corners:?}");
                dismissed += 1;
            }
            Plan::ClippedSweep(clipped) => {
                let limit = clipped.limit(fraction);
                // The box around it, too, met no later than itself.
                let [a, b, c] = corners.map(|corner| corner - clipped.from);
                let sides = [a.min(b).min(c), a.max(b).max(c)];
                let (mover, leaves) = (&mover, &leaves);
                let asked = Asked { clipped: &clipped, mover, margin, leaves, limit, sides };
                let (entries, entry) = with_sweep(mover, &path, 0.0, asked);
                assert!(entries.iter().all(|entry| entry.to_bits() == entries[0].to_bits()));
                assert!(hit.is_none() || entries[0] <= limit, "{mover:?} {path:?} {corners:?} {hit:?}");
                dismissed += u32::from(entries[0] > limit);
                assert!(hit.is_none() || entry <= limit, "{mover:?} {path:?} {corners:?} {hit:?}");
                boxes_dismissed += u32::from(entry > limit);
            }
        }
    }
    println!("{asked} asked, {hits} hit, {dismissed} dismissed, {boxes_dismissed} of their boxes");
    // It must be of use as well.
    assert!(hits > asked / 8 && dismissed > (asked - hits) / 2, "{asked} {hits} {dismissed}");
    assert!(boxes_dismissed > asked / 50, "{asked} {hits} {boxes_dismissed}");
    assert!(near_dismissed > (asked - hits) / 2, "{asked} {hits} {near_dismissed}");
}

/// The same triangles at rest: touched to within a distance, asked through the tree, and among what was
/// gathered.
#[test]
fn what_a_mover_at_rest_touches_is_kept() {
    let mut random = Random(0x7E57);
    let (mut touched, mut apart) = (0, 0);
    for round in 0..60_000 {
        let place = random.vector() * [0.0, 1.0, 300.0, 3e5][round / 5 % 4];
        let flat = [1.0, 1.0, 1e-3, 1e-7, 0.0][round / 7 % 5];
        let long = random.size(100.0);
        let (ab, along) = (random.vector() * long, random.number());
        let corners =
            [place, place + ab, place + ab * along + random.vector() * long * flat].map(DVec3::as_vec3);
        let size = random.size(100.0);
        let mover = mover(&mut random, round % 5, size);
        let distance = [0.0, 1e-6, 0.01, 0.3][round / 11 % 4] * size;
        let (u, v) = (random.number().abs(), random.number().abs());
        let [a, b, c] = corners.map(Vec3::as_dvec3);
        let at = a + (b - a) * u + (c - a) * (v * (1.0 - u)) + random.vector() * size * 1.5;

        let mut world = World::new();
        let mesh = Mesh::from_triangles(corners.map(Into::into).to_vec(), vec![[0, 1, 2]]).unwrap();
        let body = world.add(Body::fixed(mesh));
        let exact = world.contact_at(&mover, Moment::at_end(at), Part { body, part: 0 }, None);
        let exact = exact.filter(|contact| contact.gap <= distance);
        let mut near = Neighborhood::new();
        let centers = Aabb::new(at, at).unwrap().grown(2.0 * distance + size);
        world.gather(&mover, &centers, Layers::ALL, &mut near);
        let [found, among] = [None, Some(&near)].map(|near| {
            let mut found = None;
            let query = ContactQuery { mover: &mover, layers: Layers::ALL, at, time: 1.0, distance };
            world.contacts_at(&query, near, &mut |contact, _| {
                found = Some(contact);
            });
            found
        });
        assert_eq!(found, among, "{mover:?} at {at} {corners:?}, within {distance}");
        // The gap of the others may be less than the distance: then they may be reported or not.
        let is_exact = matches!(mover, Mover::Point | Mover::Sphere(_) | Mover::Capsule(_));
        if is_exact || found.is_some() {
            assert_eq!(found, exact, "{mover:?} at {at} {corners:?}, within {distance}");
        }
        touched += u32::from(exact.is_some());
        apart += u32::from(exact.is_none());
    }
    assert!(touched > 10_000 && apart > 10_000, "{touched} {apart}");
}
