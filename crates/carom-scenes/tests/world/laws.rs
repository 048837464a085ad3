//! Laws of worlds: what an answer must have in common with the answer to the same question put another way.

use std::sync::Arc;

use carom::mesh::Mesh;
use carom::num::bound::{STANDOFF, UNIT_ROUNDOFF, reach};
use carom::num::ops;
use carom::shape::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use carom::sweep::Hit;
use carom::world::{Body, BodyId, Cast, CastHit, Collider, Layers, MeshTree, MoveError, Pose, World};
use carom_scenes::courtyard::courtyard;
use carom_scenes::workload::{City, Terrain};
use carom_scenes::{Random, SceneMesh};
use glam::{DVec3, dvec3};

use crate::questions::{Questions, bits, mover};

fn scenes() -> [(&'static str, SceneMesh); 3] {
    [
        ("terrain", Terrain::new(32).mesh().clone()),
        ("city", City::new(300).mesh().clone()),
        ("courtyard", courtyard().mesh),
    ]
}

fn mesh(scene: &SceneMesh) -> Mesh {
    Mesh::from_triangles(scene.vertices.clone(), scene.triangles.clone()).unwrap()
}

fn world_of(scene: &SceneMesh) -> World {
    let mut world = World::new();
    world.add(Body::fixed(mesh(scene)));
    world
}

/// Fraction, point and normal to the bit: what does not name a triangle.
fn place(hit: &CastHit) -> [u64; 7] {
    let [p, n] = [hit.point, hit.normal].map(|v| v.to_array().map(f64::to_bits));
    [hit.fraction.to_bits(), p[0], p[1], p[2], n[0], n[1], n[2]]
}

fn sorted_corners(scene: &SceneMesh, part: u32) -> [[f32; 3]; 3] {
    let mut corners = scene.triangles[part as usize].map(|i| scene.vertices[i as usize]);
    corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
    corners
}

/// Vertices in another order, and triangles that name them so.
fn renumbered(scene: &SceneMesh, seed: u64) -> SceneMesh {
    let mut random = Random::scattered(seed);
    let mut order: Vec<u32> = (0..scene.vertices.len() as u32).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last + 1));
    }
    let mut vertices = scene.vertices.clone();
    for (old, new) in order.iter().enumerate() {
        vertices[*new as usize] = scene.vertices[old];
    }
    let triangles = scene.triangles.iter().map(|t| t.map(|i| order[i as usize])).collect();
    SceneMesh { vertices, triangles, sections: Vec::new() }
}

#[test]
fn the_order_of_triangles_corners_and_vertices_does_not_matter() {
    for (name, scene) in scenes() {
        let plain = world_of(&scene);
        let original = mesh(&scene);
        let questions = Questions::about(&original);
        for seed in 0..3 {
            let other = renumbered(&scene.shuffled(seed), seed);
            let shuffled = world_of(&other);
            let mut hits = 0;
            for i in 0..4000 {
                let cast = questions.cast(31 + seed, i);
                let (a, b) = (plain.cast(&cast), shuffled.cast(&cast));
                assert_eq!(a.as_ref().map(place), b.as_ref().map(place), "{name}: {cast:?}\n{a:?}\n{b:?}");
                assert_eq!(a.map(|h| h.start_overlap), b.map(|h| h.start_overlap), "{name}: {cast:?}");
                if let (Some(a), Some(b)) = (a, b) {
                    assert_eq!(
                        sorted_corners(&scene, a.part),
                        sorted_corners(&other, b.part),
                        "{name}: {cast:?}"
                    );
                    hits += 1;
                }
            }
            assert!(hits > 1000, "{name}: {hits}");
        }
    }
}

#[test]
fn the_order_of_bodies_does_not_matter() {
    let city = City::new(300);
    let whole = mesh(city.mesh());
    let questions = Questions::about(&whole);
    let add = |order: &[usize]| {
        let mut world = World::new();
        for &i in order {
            world.add(Body::fixed(mesh(&city.boxes()[i].mesh())));
        }
        world
    };
    let forward: Vec<usize> = (0..300).collect();
    let mut mixed = forward.clone();
    let mut random = Random::scattered(5);
    for last in (1..mixed.len()).rev() {
        mixed.swap(last, random.below(last + 1));
    }
    let (plain, shuffled) = (add(&forward), add(&mixed));
    for i in 0..4000 {
        let cast = questions.cast(41, i);
        let (a, b) = (plain.cast(&cast), shuffled.cast(&cast));
        assert_eq!(a.as_ref().map(place), b.as_ref().map(place), "{cast:?}");
        if let (Some(a), Some(b)) = (a, b) {
            let (a, b) = ((a.body.index() as usize, a.part), (mixed[b.body.index() as usize], b.part));
            assert_eq!(a, b, "{cast:?}");
        }
    }
}

/// A world scaled by 2ᵏ scales every answer by exactly 2ᵏ. By its pose as well, where a posed world is what
/// it is compared with: a pose allows for a rounding of its own.
#[test]
fn a_world_of_another_size_answers_the_same_to_the_bit() {
    for (name, scene) in scenes() {
        let original = mesh(&scene);
        let plain = world_of(&scene);
        let questions = Questions::about(&original);
        let posed = |scale: f64| {
            let mut world = World::new();
            world.add(Body::fixed(original.clone()).at(Pose::IDENTITY.with_scale(scale).unwrap()));
            world
        };
        let base = power_of_two(20);
        let reference = posed(base);
        for k in [-40, -7, -1, 3, 30] {
            let factor = power_of_two(k);
            let vertices = scene.vertices.iter().map(|v| v.map(|x| (f64::from(x) * factor) as f32)).collect();
            let scaled = world_of(&SceneMesh { vertices, ..scene.clone() });
            let posed = posed(base * factor);
            for i in 0..1000 {
                let cast = questions.cast(51, i);
                let answer = |world: &World, size: f64| {
                    world.cast(&grown_cast(&cast, size)).map(|hit| grown_hit(&hit, 1.0 / size))
                };
                let (a, b) = (answer(&scaled, factor), answer(&plain, 1.0));
                assert_eq!(a.as_ref().map(bits), b.as_ref().map(bits), "{name}, 2^{k}: {cast:?}");
                let (a, b) = (answer(&posed, base * factor), answer(&reference, base));
                assert_eq!(a.as_ref().map(bits), b.as_ref().map(bits), "{name}, posed, 2^{k}: {cast:?}");
            }
        }
    }
}

fn grown_cast(cast: &Cast, factor: f64) -> Cast {
    let path = cast.path();
    Cast::new(scaled_mover(cast.mover(), factor), path.from() * factor, path.translation() * factor).unwrap()
}

fn grown_hit(hit: &CastHit, factor: f64) -> CastHit {
    CastHit { hit: Hit { point: hit.point * factor, ..hit.hit }, ..*hit }
}

fn power_of_two(k: i32) -> f64 {
    (0..k.abs()).fold(1.0, |x, _| if k < 0 { x / 2.0 } else { x * 2.0 })
}

fn scaled_mover(mover: &Mover, factor: f64) -> Mover {
    match mover {
        Mover::Point => Mover::Point,
        Mover::Sphere(s) => Sphere::new(s.radius() * factor).unwrap().into(),
        Mover::Ellipsoid(e) => {
            let scaled = Ellipsoid::new(e.radii() * factor).unwrap();
            scaled.with_rotation(e.rotation()).unwrap().into()
        }
        Mover::Capsule(c) => {
            let scaled = Capsule::new(c.radius() * factor, c.half_height() * factor).unwrap();
            scaled.with_rotation(c.rotation()).unwrap().into()
        }
        Mover::Cuboid(c) => {
            let scaled = Cuboid::new(c.half_extents() * factor).unwrap();
            scaled.with_rotation(c.rotation()).unwrap().into()
        }
    }
}

/// A body turned by 37° about y and put 10 km away answers within the rounding of these lengths.
#[test]
fn a_posed_body_answers_within_rounding() {
    let rotation = ops::rotation_about(DVec3::Y, 37f64.to_radians());
    let offset = DVec3::splat(10_000.0);
    let pose = Pose::at(offset).unwrap().with_rotation(rotation).unwrap();
    for (name, scene) in scenes() {
        let original = mesh(&scene);
        let plain = world_of(&scene);
        let mut posed = World::new();
        posed.add(Body::fixed(original.clone()).at(pose));
        let questions = Questions::about(&original);
        let (mut compared, mut worst) = (0, 0.0f64);
        for i in 0..6000 {
            let cast = questions.cast(61, i);
            let (from, translation) = (cast.path().from(), cast.path().translation());
            let turned = match *cast.mover() {
                Mover::Ellipsoid(e) => Mover::from(e.with_rotation(rotation * e.rotation()).unwrap()),
                Mover::Capsule(c) => c.with_rotation(rotation * c.rotation()).unwrap().into(),
                Mover::Cuboid(c) => c.with_rotation(rotation * c.rotation()).unwrap().into(),
                other => other,
            };
            let moved = Cast::new(turned, rotation * from + offset, rotation * translation).unwrap();
            // The bound of the kernels in both worlds, and of the start, which is rounded here; see
            // `sweep::mover::margin`.
            let ratio = match cast.mover() {
                Mover::Ellipsoid(e) => e.radii().max_element() / e.radii().min_element(),
                _ => 1.0,
            };
            let lengths = 4.0 * original.largest_coordinate()
                + 2.0 * reach(moved.path().from())
                + 2.0 * reach(translation);
            let bound = 2.0 * STANDOFF * 24.0 * UNIT_ROUNDOFF * lengths * ratio;
            // Starts in touch and deeper are decided by that rounding, and so are ways that only graze.
            let near = plain.closest(*cast.mover(), from, bound * 4.0, Layers::ALL).unwrap();
            let (a, b) = (plain.cast(&cast), posed.cast(&moved));
            let direct = |hit: &CastHit, way: DVec3| -hit.normal.dot(way) / way.length() > 0.1;
            if near.is_some() || translation.length() < 1e6 * bound {
                continue;
            }
            match (a, b) {
                (Some(a), Some(b)) if direct(&a, translation) && direct(&b, moved.path().translation()) => {
                    let apart = (a.fraction - b.fraction).abs() * -a.normal.dot(translation);
                    assert!(apart <= bound, "{name}: {apart:e} > {bound:e}: {cast:?}\n{a:?}\n{b:?}");
                    worst = worst.max(apart / bound);
                    compared += 1;
                }
                (Some(hit), None) => {
                    assert!(
                        !direct(&hit, translation)
                            || hit.fraction > 1.0 - 1e-6
                            || *cast.mover() == Mover::Point,
                        "{name}: {cast:?}\n{hit:?}"
                    );
                }
                (None, Some(hit)) => {
                    assert!(
                        !direct(&hit, moved.path().translation())
                            || hit.fraction > 1.0 - 1e-6
                            || *cast.mover() == Mover::Point,
                        "{name}: {cast:?}\n{hit:?}"
                    );
                }
                _ => {}
            }
        }
        println!("{name}: {compared} compared, worst {worst:.3} of the bound");
        assert!(compared > 500, "{name}: {compared}");
    }
}

#[test]
fn only_the_layers_asked_for_are_met_and_removed_bodies_are_not() {
    let ball = |x: f64| Body::fixed(Sphere::new(0.5).unwrap()).at(Pose::at(DVec3::X * x).unwrap());
    let cast = Cast::new(Mover::Point, DVec3::ZERO, DVec3::X * 100.0).unwrap();
    let mut world = World::new();
    let bodies: Vec<BodyId> =
        (0u32..40).map(|i| world.add(ball(f64::from(i) * 2.0 + 2.0).on(Layers::one(i % 4)))).collect();
    for layer in 0..4 {
        let filtered = cast.filter(Layers::one(layer));
        assert_eq!(world.cast(&filtered).unwrap().body, bodies[layer as usize]);
        assert_eq!(world.cast_all(&filtered).len(), 10);
    }
    assert_eq!(world.cast(&cast.filter(Layers::NONE)), None);
    assert_eq!(world.cast(&cast.filter(Layers::one(9))), None);
    for (i, &body) in bodies.iter().enumerate() {
        assert_eq!(world.cast(&cast).unwrap().body, body);
        assert_eq!(world.cast_all(&cast).len(), 40 - i);
        assert!(world.remove(body).is_some() && world.remove(body).is_none());
        assert_eq!(world.set_pose(body, Pose::IDENTITY), Err(MoveError::NoSuchBody));
    }
    assert_eq!(world.cast(&cast), None);
    // A name is never given twice.
    assert!(!bodies.contains(&world.add(ball(2.0))));
}

/// Bodies that come, go and move: the index is rebuilt many times over, and never has a say in the answer.
#[test]
fn a_world_that_changes_answers_as_if_every_body_were_asked() {
    let mut random = Random::scattered(71);
    let mut world = World::new();
    let pyramid = Arc::new(MeshTree::new(mesh(&SceneMesh {
        vertices: vec![[-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [0.0, 0.0, 1.0], [0.0, 2.0, 0.0]],
        triangles: vec![[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]],
        sections: Vec::new(),
    })));
    let mut bodies = Vec::new();
    let (mut hits, mut asked) = (0, 0);
    for step in 0..2000 {
        let place = |random: &mut Random| dvec3(random.unit(), random.unit(), random.unit()) * 30.0;
        let pose = Pose::at(place(&mut random)).unwrap().with_rotation(random.rotation()).unwrap();
        match random.below(5) {
            0 | 1 if bodies.len() < 300 => {
                let collider: Collider = match random.below(5) {
                    0 => Sphere::new(random.between(0.1, 2.0)).unwrap().into(),
                    1 => Ellipsoid::new(dvec3(0.5, 1.5, 0.7)).unwrap().into(),
                    3 => Cuboid::new(dvec3(0.8, 0.3, 1.1)).unwrap().into(),
                    2 => Capsule::new(0.4, random.between(0.1, 2.0)).unwrap().into(),
                    _ => Arc::clone(&pyramid).into(),
                };
                bodies.push(world.add(Body::fixed(collider).at(pose)));
            }
            2 if bodies.len() > 50 => {
                let gone = bodies.swap_remove(random.below(bodies.len()));
                assert!(world.remove(gone).is_some());
            }
            _ if !bodies.is_empty() => {
                world.set_pose(bodies[random.below(bodies.len())], pose).unwrap();
            }
            _ => {}
        }
        if step % 2 == 0 {
            let size = random.between(0.05, 2.0);
            let mover = mover(&mut random, step / 2, size);
            let from = place(&mut random);
            let length = random.between(0.1, 20.0);
            let cast = Cast::new(mover, from, random.direction() * length).unwrap();
            let exhaustive = world.cast_all_among(&cast, |_| 0..4);
            assert_eq!(world.cast(&cast).as_ref().map(bits), exhaustive.first().map(bits), "{cast:?}");
            assert!(world.cast_all(&cast).iter().map(bits).eq(exhaustive.iter().map(bits)), "{cast:?}");
            asked += 1;
            hits += u32::from(!exhaustive.is_empty());
        }
    }
    println!("{asked} casts, {hits} hits, {} bodies at the end", bodies.len());
    assert!(hits > asked / 4);
}

#[test]
fn of_equals_the_lower_body_and_the_lower_triangle_is_met() {
    let twice = SceneMesh {
        vertices: vec![[-1.0, 0.0, -1.0], [0.0, 0.0, 1.0], [1.0, 0.0, -1.0]],
        triangles: vec![[0, 1, 2], [1, 2, 0], [0, 1, 2]],
        sections: Vec::new(),
    };
    let tree = Arc::new(MeshTree::new(mesh(&twice)));
    let mut world = World::new();
    let bodies = [0; 20].map(|_| world.add(Body::fixed(Arc::clone(&tree))));
    for i in 0..6 {
        let mover = mover(&mut Random::scattered(3), i, 0.25);
        let cast = Cast::new(mover, dvec3(0.1, 2.0, 0.1), DVec3::NEG_Y * 4.0).unwrap();
        let hit = world.cast(&cast).unwrap();
        assert_eq!((hit.body, hit.part), (bodies[0], 0));
        let all: Vec<(BodyId, u32)> = world.cast_all(&cast).iter().map(|hit| (hit.body, hit.part)).collect();
        let expected: Vec<_> = bodies.iter().flat_map(|&b| (0..3).map(move |part| (b, part))).collect();
        assert_eq!(all, expected);
    }
}

/// Two triangles of a quad and the seam between them: of contacts at the same fraction the lower corners
/// count, in any order.
#[test]
fn a_seam_belongs_to_the_triangle_with_the_lower_corners() {
    let vertices = vec![[-1.0, 0.0, -1.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, -1.0]];
    for triangles in [vec![[0, 1, 2], [0, 2, 3]], vec![[0, 2, 3], [0, 1, 2]], vec![[2, 3, 0], [1, 2, 0]]] {
        let scene = SceneMesh { vertices: vertices.clone(), triangles, sections: Vec::new() };
        let world = world_of(&scene);
        let cast = Cast::new(Sphere::new(0.25).unwrap(), dvec3(0.5, 1.0, 0.5), DVec3::NEG_Y * 2.0).unwrap();
        let hit = world.cast(&cast).unwrap();
        assert_eq!(sorted_corners(&scene, hit.part)[1], [-1.0, 0.0, 1.0]);
    }
}

#[test]
fn any_number_of_threads_builds_the_same_tree() {
    for (name, scene) in scenes() {
        let build = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| MeshTree::new(mesh(&scene)))
        };
        let one = build(1);
        for threads in [2, 3, 8] {
            assert_eq!(build(threads).tree(), one.tree(), "{name}, {threads} threads");
        }
    }
}
