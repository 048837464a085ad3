//! Faults that other engines were reported to have, asked of a whole world. (The pair kernels by themselves:
//! `carom`'s tests.)

use std::sync::Arc;

use carom::num::ops;
use carom::respond::{Slide, SlideEnd, WorldObstacles, collide_and_slide};
use carom::shape::{Capsule, Cuboid, Mover, Sphere};
use carom::world::{Body, Cast, Layers, MeshTree, Pose, World};
use carom_scenes::golden::{
    Reported, far_triangles, floor, floor_edge_before_wall, floor_slab, floor_tiles, needle,
    t_junction_floor, triangles_without_area, wall_of_boxes,
};
use carom_scenes::{MeshBuilder, Random, SceneMesh};
use glam::{DVec3, dvec3};

const TICK: f64 = 1.0 / 60.0;
const SKIN: f64 = 4e-4;

fn world_of(scene: SceneMesh) -> World {
    let mut world = World::new();
    world.add(Body::fixed(scene.into_mesh().unwrap()));
    world
}

/// S1, PhysX issue 505: a fast ball grazes the edge of a floor, and the wall behind it is forgotten. In no
/// order of the triangles is it: the ball stops at the edge, and a flying one that slides on stops at the
/// wall.
#[test]
fn physx_505_neither_the_edge_nor_the_wall_is_missed_in_any_order() {
    let Reported { mesh, cast } = floor_edge_before_wall();
    let ball = Sphere::new(cast.radius).unwrap();
    let question = Cast::new(ball, cast.from, cast.translation).unwrap();
    let wall_only = SceneMesh { triangles: mesh.triangles[2..].to_vec(), ..mesh.clone() };
    let hit = world_of(wall_only).cast(&question).unwrap();
    assert!((hit.fraction - 0.3828275).abs() < 1e-9, "{hit:?}");

    for seed in 0..100 {
        let world = world_of(mesh.shuffled(seed));
        let hit = world.cast(&question).unwrap();
        let center = cast.from + cast.translation * hit.fraction;
        assert!((hit.fraction - 0.198_237_3).abs() < 5e-8, "{hit:?}");
        assert!((center - dvec3(0.011_639_2, 0.249_728_9, 0.0)).length() < 1e-6, "{center}");

        let grown = Sphere::new(cast.radius + SKIN).unwrap();
        let slid = collide_and_slide(
            &WorldObstacles::new(&world, grown, Layers::ALL),
            &Slide::new(cast.from, cast.translation).with_contact_distance(SKIN / 4.0),
        );
        assert!((slid.position.x - (0.75 - SKIN)).abs() < 1e-4, "{slid:?}");
        assert!(slid.sweeps <= 4 && slid.end != SlideEnd::TooManySweeps, "{slid:?}");
    }
}

/// S2, parry issue 429: the larger the floor, the earlier a cast stops short of it.
#[test]
fn parry_429_casts_end_at_the_floor_however_large_it_is() {
    let movers = [
        (Mover::from(Sphere::new(0.5166).unwrap()), 0.5166),
        (Mover::from(Capsule::new(0.35, 0.6).unwrap()), 0.95),
        (Mover::from(Cuboid::new(dvec3(0.3, 0.9, 0.4)).unwrap()), 0.9),
    ];
    for half_extent in [5.0, 50.0, 500.0, 5000.0] {
        let slab = floor_slab(half_extent);
        let mut solid = World::new();
        let pose = Pose::at(slab.position).unwrap();
        solid.add(Body::fixed(Cuboid::new(slab.half_extents).unwrap()).at(pose));
        let worlds = [world_of(floor(half_extent)), solid];
        let mut random = Random::scattered(91);
        let mut worst = 0.0f64;
        for i in 0..2400 {
            let inside = |random: &mut Random| random.between(-1.0, 1.0) * (half_extent - 1.0);
            let (x, z) = (inside(&mut random), inside(&mut random));
            // One in eight over the seam of the two triangles.
            let from = dvec3(x, 3.0, if i % 8 == 0 { x } else { z });
            for (mover, height) in movers {
                let cast = Cast::new(mover, from, DVec3::NEG_Y * 6.0).unwrap();
                for world in &worlds {
                    let hit = world.cast(&cast).expect("the floor is there");
                    let gap = 3.0 - 6.0 * hit.fraction - height;
                    assert!((0.0..=1e-9).contains(&gap), "half extent {half_extent}, {from}: {gap:e}");
                    assert_eq!(hit.normal, DVec3::Y);
                    worst = worst.max(gap);
                }
            }
        }
        println!("half extent {half_extent}: 14400 casts, stopped at most {worst:e} m short");
    }
}

/// S4, Jolt issue 886: a needle is hit from meters away.
#[test]
fn jolt_886_needles_are_met_where_they_are_only() {
    let Reported { mesh, cast } = far_triangles();
    let question = Cast::new(Sphere::new(cast.radius).unwrap(), cast.from, cast.translation).unwrap();
    for seed in 0..6 {
        assert_eq!(world_of(mesh.shuffled(seed)).cast(&question), None);
    }

    let ball = Sphere::new(0.25).unwrap();
    let drop = |world: &World, x: f64, z: f64| {
        let hit = world.cast(&Cast::new(ball, dvec3(x, 2.0, z), DVec3::NEG_Y * 4.0).unwrap())?;
        assert!(hit.point.is_finite() && (hit.normal.length() - 1.0).abs() < 1e-12, "{hit:?}");
        Some(2.0 - 4.0 * hit.fraction)
    };
    let world = world_of(triangles_without_area());
    for i in 0..=40 {
        let x = -1.0 + f64::from(i) / 20.0;
        for z in 0..4 {
            let height = drop(&world, x, f64::from(z)).unwrap();
            assert!((0.25..0.25 + 1e-12).contains(&height), "{x} {z}: {height}");
            assert_eq!(drop(&world, x, f64::from(z) + 0.5), None);
        }
        // The last is a point.
        let expected = (x.abs() <= 0.25).then(|| ops::sqrt((0.0625 - x * x).max(0.0)));
        match (drop(&world, x, 4.0), expected) {
            (Some(height), Some(expected)) => assert!((height - expected).abs() < 1e-7, "{x}: {height}"),
            (None, None) => {}
            (height, expected) => assert!((x.abs() - 0.25).abs() < 1e-9, "{x}: {height:?} {expected:?}"),
        }
    }
    let world = world_of(needle());
    for i in 0..=40 {
        let height = drop(&world, f64::from(i) / 4.0, 0.0).unwrap();
        assert!((0.25 - 1e-12..0.25 + 1e-7).contains(&height), "{height}");
        assert_eq!(drop(&world, f64::from(i) / 4.0, 0.3), None);
    }
}

/// Where a mover gets in this many ticks of the same desired velocity, touching nothing but the plane with
/// this normal.
fn slides(
    name: &str,
    world: &World,
    mover: Mover,
    from: DVec3,
    velocity: DVec3,
    ticks: u32,
    plane: DVec3,
) -> DVec3 {
    let around = WorldObstacles::new(world, mover, Layers::ALL);
    let mut at = from;
    for tick in 0..ticks {
        let slide = Slide::new(at, velocity * TICK).with_contact_distance(SKIN / 4.0);
        let slid = collide_and_slide(&around, &slide);
        for touch in slid.touches() {
            let off = (touch.contact.normal - plane).length();
            assert!(
                off < 1e-9,
                "{name}, {mover:?}, tick {tick} at {at}: normal {} off by {off:e}",
                touch.contact.normal
            );
        }
        assert!(slid.sweeps <= 2 && slid.end == SlideEnd::Done, "{name}, tick {tick}: {slid:?}");
        at = slid.position;
    }
    at
}

fn grown() -> [Mover; 3] {
    [
        Sphere::new(0.3 + SKIN).unwrap().into(),
        Capsule::new(0.3 + SKIN, 0.5).unwrap().into(),
        Cuboid::new(dvec3(0.3, 0.8, 0.3) + SKIN).unwrap().into(),
    ]
}

/// S5a, godot-jolt issue 952: along a wall of abutting boxes the inner edges catch a walker. Each box is a
/// body of its own that knows nothing of its neighbors; once with its numbers in place, once posed.
#[test]
fn godot_jolt_952_a_wall_of_boxes_is_as_smooth_as_one_plane() {
    let boxes = wall_of_boxes(20);
    let mut separate = World::new();
    let mut posed = World::new();
    let unit =
        Arc::new(MeshTree::new(MeshBuilder::cuboid(boxes[0].half_extents).rounded().into_mesh().unwrap()));
    let mut merged = SceneMesh::new();
    for placed in &boxes {
        separate.add(Body::fixed(placed.mesh().into_mesh().unwrap()));
        posed.add(Body::fixed(Arc::clone(&unit)).at(Pose::at(placed.position).unwrap()));
        merged.append(&placed.mesh());
    }
    let plane =
        MeshBuilder::grid(dvec3(-50.0, -50.0, 0.0), [DVec3::Y * 100.0, DVec3::X * 100.0], [1, 1]).rounded();
    let plane = world_of(plane);
    let worlds = [("separate", separate), ("posed", posed), ("merged", world_of(merged))];
    let half = core::f64::consts::FRAC_1_SQRT_2;
    for mover in grown() {
        for start in [-4.0, -3.77, -3.5 + 1e-9] {
            let from = dvec3(start, 1.0, -0.5);
            let velocity = dvec3(half, 0.0, half) * 4.0;
            let expected = slides("plane", &plane, mover, from, velocity, 120, DVec3::NEG_Z);
            assert!((expected.x - start - 8.0 * half).abs() < 1e-9 && expected.z < -0.3);
            for (name, world) in &worlds {
                let at = slides(name, world, mover, from, velocity, 120, DVec3::NEG_Z);
                assert!((at - expected).length() < 1e-6, "{name}: {at} instead of {expected}");
            }
        }
    }
}

/// S5b and S5c, Jolt issue 1922: on a floor of tiles, and where corners lie in the middle of a longer edge, a
/// mover that is pressed down hops. It ends where it ends on one plane.
#[test]
fn jolt_1922_tiles_and_t_junctions_are_as_smooth_as_one_plane() {
    let mut tiles = World::new();
    for tile in floor_tiles(20) {
        tiles.add(Body::fixed(tile.mesh().into_mesh().unwrap()));
    }
    let plane = world_of(floor(50.0));
    let worlds = [("tiles", tiles, -4.0), ("T-junctions", world_of(t_junction_floor()), -4.5)];
    for mover in grown() {
        let height = mover.bounds().half_extents().y;
        for heading in
            [dvec3(4.0, 0.0, 0.3), dvec3(2.0, 0.0, -2.0), dvec3(0.3, 0.0, 0.9), dvec3(1.0, 0.0, 0.0)]
        {
            for (name, world, x) in &worlds {
                let from = dvec3(*x, height, 0.0);
                let velocity = heading - DVec3::Y * 2.0;
                let expected = slides("plane", &plane, mover, from, velocity, 75, DVec3::Y);
                let at = slides(name, world, mover, from, velocity, 75, DVec3::Y);
                assert!((at - expected).length() < 1e-6, "{name}, {heading}: {at} instead of {expected}");
            }
        }
    }
}
