//! Casts through BSP trees and from cell to cell, beside those by the tree of boxes; solids at rest beside
//! boxes that are known.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use carom::bsp::{Bsp, Cells, NearestWall};
use carom::glam::{DVec3, dvec3};
use carom::mesh::Mesh;
use carom::num::ops::rotation_about;
use carom::shape::ConvexPolygon;
use carom::world::{CastHit, MeshTree};
use carom::{Body, Capsule, Cast, Cuboid, Ellipsoid, Mover, Pose, Sphere, World};

struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// From −1 to 1.
    fn unit(&mut self) -> f64 {
        self.bits() as f64 / f64::from(1u32 << 30) - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        dvec3(self.unit(), self.unit(), self.unit())
    }

    /// On a grid of eighths.
    fn coarse(&mut self) -> DVec3 {
        (self.vector() * 16.0).round() / 8.0
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.bits() % bound
    }

    fn mover(&mut self) -> Mover {
        let sizes = self.vector().abs() * 0.5 + DVec3::splat(0.05);
        let turn = rotation_about(self.vector() + DVec3::splat(1e-3), 3.0 * self.unit());
        match self.below(6) {
            0 => Mover::Point,
            1 => Sphere::new(sizes.x).unwrap().into(),
            2 => Ellipsoid::new(sizes).unwrap().with_rotation(turn).unwrap().into(),
            3 => Capsule::new(sizes.x, sizes.y).unwrap().with_rotation(turn).unwrap().into(),
            4 => Cuboid::new(sizes).unwrap().into(),
            _ => Cuboid::new(sizes).unwrap().with_rotation(turn).unwrap().into(),
        }
    }
}

type Block = (DVec3, DVec3);

fn blocks(random: &mut Random, count: u64) -> Vec<Block> {
    let mut all = Vec::new();
    for _ in 0..count {
        let (a, b) = (random.coarse(), random.coarse());
        let low = a.min(b);
        all.push((low, a.max(b).max(low + DVec3::splat(0.125))));
    }
    all
}

fn mesh_of(blocks: &[Block]) -> Mesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (low, high) in blocks {
        let first = vertices.len() as u32;
        for i in 0..8usize {
            let pick = |axis: usize| if i >> axis & 1 == 0 { low[axis] } else { high[axis] };
            vertices.push([pick(0) as f32, pick(1) as f32, pick(2) as f32]);
        }
        for [a, b, c, d] in
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5u32]]
        {
            triangles.extend([[a, b, c], [a, c, d]].map(|corners| corners.map(|corner| corner + first)));
        }
    }
    Mesh::from_triangles(vertices, triangles).unwrap()
}

/// The parts of hits that do not depend on the index of the world, to the bit.
fn keys(hits: &[CastHit]) -> Vec<String> {
    hits.iter().map(|hit| format!("{} {:?}", hit.part, hit.hit)).collect()
}

#[test]
fn casts_by_a_tree_and_from_cell_to_cell_have_the_bits_of_all_triangles() {
    let mut random = Random(1);
    let mut met = 0;
    for round in 0..30 {
        let count = 1 + random.below(12);
        let mesh = mesh_of(&blocks(&mut random, count));
        let solid = Bsp::of_mesh(&mesh).unwrap();
        let pose = match round % 3 {
            0 => Pose::IDENTITY,
            1 => Pose::at(random.vector() * 100.0).unwrap(),
            _ => Pose::at(random.vector())
                .and_then(|pose| pose.with_rotation(rotation_about(dvec3(0.3, 1.0, 0.2), 2.0)))
                .and_then(|pose| pose.with_scale(3.7))
                .unwrap(),
        };
        let worlds: Vec<World> = [
            MeshTree::new(mesh.clone()),
            MeshTree::with_bsp(mesh.clone(), solid.clone()),
            MeshTree::with_cells(mesh.clone(), solid),
            MeshTree::with_bsp(mesh.clone(), Bsp::of_surface(&mesh)),
            MeshTree::with_cells(mesh.clone(), Bsp::of_surface(&mesh)),
        ]
        .into_iter()
        .map(|tree| {
            let mut world = World::new();
            world.add(Body::fixed(tree).at(pose));
            world
        })
        .collect();
        for _ in 0..100 {
            let from = pose.position() + random.vector() * 2.5 * pose.scale();
            let way = random.vector() * [8.0, 8.0, 1.0, 0.0][random.below(4) as usize] * pose.scale();
            let cast = Cast::new(random.mover(), from, way).unwrap();
            let expected = (keys(worlds[0].cast(&cast).as_slice()), keys(&worlds[0].cast_all(&cast)));
            met += expected.0.len();
            for (number, world) in worlds.iter().enumerate().skip(1) {
                let found = keys(world.cast(&cast).as_slice());
                assert_eq!(found, expected.0, "world {number}: {cast:?}");
                assert_eq!(keys(&world.cast_all(&cast)), expected.1, "all of world {number}: {cast:?}");
            }
        }
    }
    assert!(met > 300, "{met}");
}

/// Steps whose vertical edges are in one line: rounding has a box stop first at the edge of a step that is
/// buried in the others, or in another cell, as often as at one that it can reach.
#[test]
fn the_tree_of_a_few_triangles_takes_200_bytes_for_each_of_its_pieces() {
    let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.3, 0.4, -2.0]];
    let triangles: [&[[u32; 3]]; 4] = [
        &[[0, 1, 2]],
        &[[0, 1, 2], [0, 2, 1]],
        &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        &[[0, 2, 4], [2, 1, 4], [1, 0, 4], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    ];
    for triangles in triangles {
        let mesh = Mesh::from_triangles(corners.clone(), triangles.to_vec()).unwrap();
        let bsp = Bsp::of_mesh(&mesh).unwrap_or_else(|_| Bsp::of_surface(&mesh));
        let tree = MeshTree::with_bsp(mesh.clone(), bsp);
        let bytes = tree.memory() - MeshTree::new(mesh).memory();
        assert!(tree.bsp_pieces() >= triangles.len());
        assert!(bytes <= 200 * tree.bsp_pieces(), "{bytes} for {} pieces", tree.bsp_pieces());
    }
}

#[test]
fn edges_in_one_line_are_met_in_the_order_of_rounding() {
    let mut random = Random(3);
    let mut met = 0;
    for _ in 0..40 {
        let edge = random.vector() * 31.7;
        let steps: Vec<Block> = (0..6)
            .map(|_| {
                let low = edge - random.vector().abs() * 5.0 - DVec3::splat(0.1);
                (low, dvec3(edge.x, edge.y + random.unit() * 3.0 + 3.1, edge.z))
            })
            .collect();
        let mesh = mesh_of(&steps);
        let solid = Bsp::of_mesh(&mesh).unwrap();
        let worlds = [
            MeshTree::new(mesh.clone()),
            MeshTree::with_bsp(mesh.clone(), solid.clone()),
            MeshTree::with_cells(mesh.clone(), solid),
        ]
        .map(|tree| {
            let mut world = World::new();
            world.add(Body::fixed(tree));
            world
        });
        for _ in 0..300 {
            let half = random.vector().abs() + DVec3::splat(0.05);
            let away = dvec3(random.unit().abs() * 4.0, random.unit() * 4.0, random.unit().abs() * 4.0);
            let from = edge + away + dvec3(half.x, 0.0, half.z);
            let way = -away * (1.0 + random.unit().abs()) - random.vector().abs();
            let cast = Cast::new(Cuboid::new(half).unwrap(), from, way).unwrap();
            let expected = keys(worlds[0].cast(&cast).as_slice());
            met += expected.len();
            for world in &worlds[1..] {
                assert_eq!(keys(world.cast(&cast).as_slice()), expected, "{cast:?}");
            }
        }
    }
    assert!(met > 3000, "{met}");
}

#[test]
fn solids_at_rest_overlap_the_solid_to_the_last_bit() {
    let mut random = Random(2);
    let mut yes = 0;
    for _ in 0..40 {
        let count = 1 + random.below(6);
        let all = blocks(&mut random, count);
        let bsp = Bsp::of_mesh(&mesh_of(&all)).unwrap();
        for round in 0..60 {
            let at = random.coarse() * 1.5;
            let half = random.coarse().abs() + DVec3::splat(0.125);
            // Touching, and a rounding deeper.
            let half = if round % 3 == 0 { half + DVec3::splat(f64::EPSILON * 16.0) } else { half };
            let (low, high) = (at - half, at + half);
            let expected = all.iter().any(|(l, h)| low.cmplt(*h).all() && high.cmpgt(*l).all());
            assert_eq!(bsp.overlaps_cuboid(&Cuboid::new(half).unwrap(), at), expected, "{low} {high}");
            let radius = half.x;
            let expected = all.iter().any(|(l, h)| {
                let nearest = at.clamp(*l, *h);
                // Exact: both are multiples of few bits.
                nearest.distance_squared(at) < radius * radius
            });
            yes += i32::from(expected);
            assert_eq!(bsp.overlaps_sphere(&Sphere::new(radius).unwrap(), at), expected, "{at} {radius}");
            // A square across an axis, in eighths.
            let axis = random.below(3) as usize;
            let (u, v) = (DVec3::AXES[(axis + 1) % 3], DVec3::AXES[(axis + 2) % 3]);
            let half = random.coarse().abs() + DVec3::splat(0.125);
            let (u, v) = (u * half.x, v * half.y);
            let corners = vec![at - u - v, at + u - v, at + u + v, at - u + v];
            let square = ConvexPolygon::new(corners.clone()).unwrap();
            let (low, high) = (corners[0].min(corners[2]), corners[0].max(corners[2]));
            let others = [(axis + 1) % 3, (axis + 2) % 3];
            let across = |strict: bool| {
                all.iter().any(|(l, h)| {
                    let inside = if strict {
                        at[axis] > l[axis] && at[axis] < h[axis]
                    } else {
                        at[axis] >= l[axis] && at[axis] <= h[axis]
                    };
                    inside && others.iter().all(|i| low[*i] < h[*i] && high[*i] > l[*i])
                })
            };
            let found = bsp.overlaps_polygon(&square);
            // In a face that two blocks share it is within both together.
            assert!(found || !across(true), "{corners:?}");
            assert!(!found || across(false), "{corners:?}");
            assert_eq!(bsp.overlaps_polygons(&[square.clone(), square]), found);
        }
    }
    assert!((400..2300).contains(&yes), "{yes}");
}

#[test]
fn a_turned_box_and_a_sphere_overlap_the_corner_of_a_block_where_geometry_says_so() {
    let bsp = Bsp::of_mesh(&mesh_of(&[(DVec3::ZERO, DVec3::ONE)])).unwrap();
    let turned = Cuboid::new(DVec3::splat(0.5)).unwrap();
    let turned = turned.with_rotation(rotation_about(DVec3::Z, core::f64::consts::FRAC_PI_4)).unwrap();
    let reach = core::f64::consts::SQRT_2 / 2.0;
    assert!(bsp.overlaps_cuboid(&turned, dvec3(1.0 + reach - 1e-9, 0.5, 0.5)));
    assert!(!bsp.overlaps_cuboid(&turned, dvec3(1.0 + reach + 1e-9, 0.5, 0.5)));
    // Wholly inside, and wholly around.
    assert!(bsp.overlaps_cuboid(&Cuboid::new(DVec3::splat(0.1)).unwrap(), DVec3::splat(0.5)));
    assert!(bsp.overlaps_cuboid(&Cuboid::new(DVec3::splat(9.0)).unwrap(), DVec3::splat(0.5)));
    let sphere = Sphere::new(0.75).unwrap();
    // 3² + 4² = 5² in units of 0.15: it touches an edge, and by a rounding it does not.
    assert!(!bsp.overlaps_sphere(&Sphere::new(1.25).unwrap(), dvec3(1.75, 2.0, 0.5)));
    assert!(bsp.overlaps_sphere(&Sphere::new(1.25 + 1e-15).unwrap(), dvec3(1.75, 2.0, 0.5)));
    assert!(bsp.overlaps_sphere(&sphere, DVec3::splat(0.5)));
    // A corner: 1² + 2² + 2² = 3².
    assert!(!bsp.overlaps_sphere(&sphere, dvec3(1.25, 1.5, 1.5)));
    assert!(bsp.overlaps_sphere(&sphere, dvec3(1.25, 1.5, 1.5 - f64::EPSILON)));
    assert!(bsp.overlaps_sphere(&sphere, DVec3::splat(f64::MAX)));
}

#[test]
fn a_way_out_leads_to_the_nearest_wall() {
    let bsp = Bsp::of_mesh(&mesh_of(&[(DVec3::ZERO, dvec3(4.0, 4.0, 4.0))])).unwrap();
    let cells = Cells::of(&bsp);
    let NearestWall { point, distance } = cells.way_out(&bsp, dvec3(2.0, 3.25, 2.5)).unwrap();
    assert_eq!((point, distance), (dvec3(2.0, 4.0, 2.5), 0.75));
    assert_eq!(cells.way_out(&bsp, dvec3(5.0, 0.0, 0.0)), None);
}
