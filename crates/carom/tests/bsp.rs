//! Planes, polygons, trees and cells with exact signs, beside exact rationals and points.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use carom::bsp::{
    Bsp, BspError, Cells, Child, Cut, Node, PlaneId, PlaneSet, Polygon, PolygonSides, Side, leaks,
};
use carom::glam::{DVec3, dvec3};
use carom::mesh::Mesh;
use dashu_ratio::RBig;

struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// From −1 to 1, in f32.
    fn unit(&mut self) -> f64 {
        f64::from((self.bits() as f64 / f64::from(1u32 << 30) - 1.0) as f32)
    }

    fn point(&mut self) -> DVec3 {
        dvec3(self.unit(), self.unit(), self.unit())
    }
}

fn exact(x: f64) -> RBig {
    RBig::try_from(x).unwrap()
}

/// Normal and distance of the plane through three points.
fn plane_of([a, b, c]: [DVec3; 3]) -> [RBig; 4] {
    let [a, b, c] = [a, b, c].map(|p| p.to_array().map(exact));
    let minus = |p: &[RBig; 3], q: &[RBig; 3]| [0, 1, 2].map(|i| &p[i] - &q[i]);
    let (u, v) = (minus(&b, &a), minus(&c, &a));
    let n = [&u[1] * &v[2] - &u[2] * &v[1], &u[2] * &v[0] - &u[0] * &v[2], &u[0] * &v[1] - &u[1] * &v[0]];
    let d = &n[0] * &a[0] + &n[1] * &a[1] + &n[2] * &a[2];
    let [x, y, z] = n;
    [x, y, z, d]
}

/// Where three planes meet, by Cramer's rule.
fn meet(planes: [&[RBig; 4]; 3]) -> Option<[RBig; 3]> {
    let det = |columns: [usize; 3]| {
        let m = |row: usize, column: usize| &planes[row][columns[column]];
        m(0, 0) * (m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1)) - m(0, 1) * (m(1, 0) * m(2, 2) - m(1, 2) * m(2, 0))
            + m(0, 2) * (m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0))
    };
    let below = det([0, 1, 2]);
    (below != RBig::ZERO).then(|| [det([3, 1, 2]) / &below, det([0, 3, 2]) / &below, det([0, 1, 3]) / &below])
}

fn side(point: &[RBig; 3], plane: &[RBig; 4]) -> Side {
    let value = &plane[0] * &point[0] + &plane[1] * &point[1] + &plane[2] * &point[2] - &plane[3];
    match value.cmp(&RBig::ZERO) {
        core::cmp::Ordering::Less => Side::Back,
        core::cmp::Ordering::Equal => Side::On,
        core::cmp::Ordering::Greater => Side::Front,
    }
}

#[test]
fn equal_planes_are_one_whichever_numbers_they_come_from() {
    let mut planes = PlaneSet::new();
    let up = planes.insert(dvec3(0.0, 0.0, 2.0), 6.0).unwrap();
    assert_eq!(planes.insert_axial(2, 3.0), Some(up));
    assert_eq!(planes.insert(dvec3(0.0, 0.0, -0.25), -0.75), Some(up.opposite()));
    let through = [dvec3(0.0, 0.0, 3.0), dvec3(1.0, 0.0, 3.0), dvec3(0.0, 1.0, 3.0)];
    assert_eq!(planes.insert_through(through), Some(up));
    assert_eq!((planes.len(), planes.axis(up), planes.plane(up)), (1, Some(2), (DVec3::Z, 3.0)));
    assert_eq!(planes.insert(DVec3::ZERO, 1.0), None);
    assert_eq!(planes.insert(dvec3(f64::NAN, 0.0, 1.0), 1.0), None);
    assert_eq!(planes.insert_through([DVec3::ZERO, DVec3::ONE, DVec3::splat(2.0)]), None);
}

/// Not stored, but named, compared and counted as if they were.
#[test]
fn the_planes_at_the_reach_of_a_tree_are_those_with_the_same_numbers() {
    let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mesh = Mesh::from_triangles(corners, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
    let bsp = Bsp::of_mesh(&mesh).unwrap();
    let reach = bsp.reach();
    let cells = Cells::of(&bsp);
    let mut planes = bsp.planes().clone();
    let stored = planes.len();
    let ends = [0, 1, 2].map(|axis| [reach, -reach].map(|at| planes.insert_axial(axis, at).unwrap()));
    assert_eq!(planes.len(), stored);
    let mut at_the_reach = 0;
    for portal in cells.portals() {
        let polygon = cells.polygon(&bsp, portal).unwrap();
        let is_end = |edge: &PlaneId| ends.iter().flatten().any(|end| end.unoriented() == edge.unoriented());
        assert_eq!(portal.is_open_end(), cells.edges(portal).iter().any(is_end));
        for (corner, next) in polygon.edges().iter().zip(polygon.corners()) {
            assert_eq!(planes.side(next, *corner), Side::On);
        }
        for (axis, ends) in ends.iter().enumerate() {
            for (end, at) in ends.iter().zip([reach, -reach]) {
                assert_eq!(planes.plane(*end), (DVec3::AXES[axis], at));
                for corner in polygon.corners() {
                    let beyond = corner.position()[axis].partial_cmp(&at).unwrap();
                    let sides = [Side::Back, Side::On, Side::Front];
                    assert_eq!(planes.side(corner, *end), sides[(beyond as i8 + 1) as usize]);
                    at_the_reach += usize::from(beyond.is_eq());
                }
            }
        }
    }
    assert!(at_the_reach > 0);
    // A node at the reach keeps its name, and a tree with another reach leaves that of the planes.
    let mut planes = PlaneSet::new();
    let wall = planes.insert_axial(0, 16.0).unwrap();
    let node = Node { plane: wall, front: Child::Leaf(0), back: Child::Leaf(1) };
    let wide = Bsp::from_nodes(planes, vec![node], vec![false, true], 8.0).unwrap();
    assert_eq!((wide.reach(), wide.planes().clone().insert_axial(0, 16.0)), (16.0, Some(wall)));
    let mut planes = wide.planes().clone();
    let floor = planes.insert_axial(1, -16.0).unwrap();
    let node = Node { plane: floor, ..node };
    let wider = Bsp::from_nodes(planes, vec![node], vec![false, true], 1000.0).unwrap();
    assert_eq!(wider.planes().plane(floor), (DVec3::Y, -16.0));
    assert!(wider.contains(dvec3(0.0, -17.0, 0.0)) && !wider.contains(dvec3(0.0, -15.0, 0.0)));
    assert!(Cells::of(&wider).portals().is_empty());
    assert!(Cells::of(&wider).walls().iter().all(carom::bsp::Piece::is_open_end));
}

#[test]
fn signs_are_those_of_exact_rationals_where_planes_nearly_meet() {
    let mut random = Random(1);
    let mut on = 0;
    for round in 0..3000 {
        let mut planes = PlaneSet::new();
        // Coarse coordinates make many planes through one point, fine ones none.
        let coarse = [1.0, 2.0, 1e30, 64.0][round % 4];
        let mut point = || {
            let p = random.point();
            if round % 4 == 2 { p } else { (p * coarse).round() / coarse }
        };
        let points: [[DVec3; 3]; 4] = core::array::from_fn(|_| core::array::from_fn(|_| point()));
        let ids: Vec<_> = points.iter().filter_map(|three| planes.insert_through(*three)).collect();
        let [a, b, c, d] = ids[..] else { continue };
        let known = points.map(plane_of);
        let met = meet([&known[0], &known[1], &known[2]]);
        let corner = planes.corner([a, b, c]);
        assert_eq!(met.is_some(), corner.is_some());
        let (Some(met), Some(corner)) = (met, corner) else { continue };
        let expected = side(&met, &known[3]);
        on += i32::from(expected == Side::On);
        assert_eq!(planes.side(&corner, d), expected);
        assert_eq!(planes.side(&corner, d.opposite()), expected.opposite());
        for (axis, exact) in met.iter().enumerate() {
            let near = corner.position()[axis];
            assert_eq!(near, exact.to_f64().value(), "the nearest f64");
        }
        let p = points[3][0];
        assert_eq!(planes.side_of_point(p, d), Side::On);
        assert_eq!(planes.side_of_point(p, a), side(&p.to_array().map(exact), &known[0]));
    }
    assert!(on > 20, "{on}");
}

#[test]
fn the_pieces_of_a_polygon_are_all_of_it_and_lie_on_their_sides() {
    let mut random = Random(2);
    for _ in 0..300 {
        let mut planes = PlaneSet::new();
        let own = planes.insert_through([random.point(), random.point(), random.point()]).unwrap();
        let whole = Polygon::square(&mut planes, own, 2.0).unwrap();
        let area = |polygon: &Polygon| polygon.double_area().length() / 2.0;
        let mut parts = vec![whole.clone()];
        for _ in 0..6 {
            let by = planes.insert_through([random.point(), random.point(), random.point()]).unwrap();
            let mut next = Vec::new();
            for part in parts {
                match part.cut(&planes, by) {
                    Cut::Both(front, back) => {
                        assert_eq!(
                            front.sides(&planes, by),
                            PolygonSides { is_behind: false, is_in_front: true }
                        );
                        assert_eq!(
                            back.sides(&planes, by),
                            PolygonSides { is_behind: true, is_in_front: false }
                        );
                        next.extend([front, back]);
                    }
                    Cut::Front | Cut::Back | Cut::On => next.push(part),
                }
            }
            parts = next;
        }
        let sum: f64 = parts.iter().map(area).sum();
        assert!((sum - area(&whole)).abs() < 1e-9 * area(&whole), "{sum}");
        for part in &parts {
            assert_eq!(part.flipped().flipped(), *part);
            // Each edge ends where the next begins: all corners are behind all edges.
            for (corner, edge) in part.corners().iter().flat_map(|c| part.edges().iter().map(move |e| (c, e)))
            {
                assert_ne!(planes.side(corner, *edge), Side::Front);
            }
        }
    }
}

/// A box as 12 triangles that face out, or in.
fn cuboid(low: DVec3, high: DVec3, faces_in: bool) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let corner = |i: usize| {
        [0, 1, 2].map(|axis| if i >> axis & 1 == 0 { low[axis] as f32 } else { high[axis] as f32 })
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]);
    let turned = triangles.map(|[a, b, c]: [u32; 3]| if faces_in { [a, c, b] } else { [a, b, c] });
    ((0..8).map(corner).collect(), turned.collect())
}

fn mesh(boxes: &[(DVec3, DVec3, bool)]) -> Mesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (low, high, faces_in) in boxes {
        let (own, faces) = cuboid(*low, *high, *faces_in);
        let first = vertices.len() as u32;
        vertices.extend(own);
        triangles.extend(faces.iter().map(|face| face.map(|corner| corner + first)));
    }
    Mesh::from_triangles(vertices, triangles).unwrap()
}

#[test]
fn a_tree_of_boxes_holds_the_points_that_the_boxes_hold() {
    let mut random = Random(3);
    for round in 0..60 {
        let coarse = if round % 2 == 0 { 8.0 } else { 1e6 };
        let side = |a: f64, b: f64| if a < b { (a, b) } else { (b, a + 0.125) };
        let boxes: Vec<(DVec3, DVec3, bool)> = (0..1 + round % 7)
            .map(|_| {
                let mut at = || (random.unit() * coarse).round() / coarse;
                let (x, u) = side(at(), at());
                let (y, v) = side(at(), at());
                let (z, w) = side(at(), at());
                let single = |p: DVec3| DVec3::from_array(p.to_array().map(|x| f64::from(x as f32)));
                (single(dvec3(x, y, z)), single(dvec3(u, v, w)), false)
            })
            .collect();
        let bsp = Bsp::of_mesh(&mesh(&boxes)).unwrap();
        for _ in 0..300 {
            let p = (random.point() * 16.0).round() / 16.0
                + random.point() * if round % 3 == 0 { 0.0 } else { 0.1 };
            let within = boxes.iter().any(|(low, high, _)| p.cmpgt(*low).all() && p.cmplt(*high).all());
            let touches = boxes.iter().any(|(low, high, _)| p.cmpge(*low).all() && p.cmple(*high).all());
            // On a face that two boxes share it is within both together.
            assert!(bsp.contains(p) || !within, "{p}");
            assert!(!bsp.contains(p) || touches, "{p}");
        }
        let cells = Cells::of(&bsp);
        let surface: f64 = cells.walls().iter().map(carom::bsp::Piece::area).sum();
        if boxes.len() == 1 {
            let size = boxes[0].1 - boxes[0].0;
            let expected = 2.0 * (size.x * size.y + size.y * size.z + size.z * size.x);
            assert!((surface - expected).abs() < 1e-12 * expected, "{surface} {expected}");
        }
    }
}

/// Triangles about a ball: an octahedron of which each triangle is separated in four, three times.
fn ball(middle: DVec3, radius: f64) -> Vec<[[f32; 3]; 3]> {
    let signs = [1.0, -1.0];
    let mut faces: Vec<[DVec3; 3]> = Vec::new();
    for (x, y, z) in signs.iter().flat_map(|x| signs.iter().flat_map(move |y| signs.map(|z| (*x, *y, z)))) {
        let face = [DVec3::X * x, DVec3::Y * y, DVec3::Z * z];
        faces.push(if x * y * z > 0.0 { face } else { [face[0], face[2], face[1]] });
    }
    for _ in 0..3 {
        let part = |[a, b, c]: [DVec3; 3]| {
            let [d, e, f] = [b + c, c + a, a + b].map(DVec3::normalize);
            [[a, f, e], [f, b, d], [e, d, c], [d, e, f]]
        };
        faces = faces.into_iter().flat_map(part).collect();
    }
    let place = |p: DVec3| (middle + p * radius).to_array().map(|x| x as f32);
    faces.into_iter().map(|face| face.map(place)).collect()
}

#[test]
fn a_tree_of_round_solids_holds_the_points_that_they_hold() {
    let mut random = Random(11);
    for count in [1, 2, 5] {
        // Each of 512 triangles: enough for planes across the axes between them.
        let balls: Vec<Vec<[[f32; 3]; 3]>> =
            (0..count).map(|_| ball(random.point(), 0.6 + 0.3 * random.unit())).collect();
        let corners = balls.concat().concat();
        let triangles = (0..corners.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let bsp = Bsp::of_mesh(&Mesh::from_triangles(corners, triangles).unwrap()).unwrap();
        let balls: Vec<Vec<[DVec3; 3]>> = balls
            .iter()
            .map(|ball| ball.iter().map(|face| face.map(|p| DVec3::from_array(p.map(f64::from)))).collect())
            .collect();
        // A level of the tree for each of the triangles would be 512 deep.
        assert!(bsp.depth() < 100, "{}", bsp.depth());
        let is_behind = |point: DVec3, ball: &[[DVec3; 3]], within: f64| {
            ball.iter().all(|[a, b, c]| (*b - *a).cross(*c - *a).normalize().dot(point - *a) < within)
        };
        for _ in 0..2000 {
            let point = random.point() * 2.0;
            let [least, most] =
                [-1e-9, 1e-9].map(|within| balls.iter().any(|ball| is_behind(point, ball, within)));
            let is_in = bsp.contains(point);
            assert!(is_in || !least, "{point}");
            assert!(!is_in || most, "{point}");
        }
        let surface: f64 = Cells::of(&bsp).walls().iter().map(carom::bsp::Piece::area).sum();
        let area = |[a, b, c]: &[DVec3; 3]| 0.5 * (*b - *a).cross(*c - *a).length();
        let all: f64 = balls.iter().flatten().map(area).sum();
        let is_whole = (surface - all).abs() < 1e-9 * all;
        assert!(if count == 1 { is_whole } else { surface < all }, "{surface} of {all}");
    }
}

/// A room in a block, with a pillar in the room.
fn room() -> Mesh {
    mesh(&[
        (DVec3::splat(-4.0), DVec3::splat(4.0), false),
        (DVec3::splat(-3.0), DVec3::splat(3.0), true),
        (dvec3(-1.0, -3.0, -1.0), dvec3(1.0, 3.0, 1.0), false),
    ])
}

#[test]
fn cavities_are_cut_out_and_what_stands_in_them_is_not() {
    let bsp = Bsp::of_mesh(&room()).unwrap();
    for (point, is_solid) in [
        (DVec3::ZERO, true),
        (dvec3(2.0, 0.0, 0.0), false),
        (dvec3(3.5, 0.0, 0.0), true),
        (dvec3(9.0, 0.0, 0.0), false),
        (dvec3(0.0, 3.5, 0.0), true),
    ] {
        assert_eq!(bsp.contains(point), is_solid, "{point}");
    }
    let cells = Cells::of(&bsp);
    let inside = cells.flood(&[bsp.leaf_at(dvec3(2.0, 0.0, 0.0))]);
    let volume: f64 =
        cells.cells().filter(|leaf| inside.reaches(*leaf)).map(|leaf| cells.volume(leaf).unwrap()).sum();
    assert!((volume - (216.0 - 24.0)).abs() < 1e-9, "{volume}");
    assert!(cells.cells().all(|leaf| !(inside.reaches(leaf) && cells.is_outside(leaf))));
    assert!(leaks(&bsp, &[dvec3(2.0, 0.0, 0.0)], 0.0).leaks.is_empty());
}

#[test]
fn doors_close_and_a_wide_body_does_not_pass_narrow_portals() {
    let bsp = Bsp::of_mesh(&room()).unwrap();
    let mut cells = Cells::of(&bsp);
    let (from, to) = (bsp.leaf_at(dvec3(2.0, 0.0, 0.0)), bsp.leaf_at(dvec3(-2.0, 0.0, 0.0)));
    assert!(cells.flood(&[from]).reaches(to));
    // The passages beside the pillar are 2 wide.
    assert!(cells.flood_of_width(&[from], 1.9).reaches(to));
    assert!(!cells.flood_of_width(&[from], 2.1).reaches(to));
    let way = cells.flood(&[from]).way_to(&cells, to).unwrap();
    assert!(!way.is_empty());
    let all: Vec<u32> = cells.portals_of(to).to_vec();
    all.iter().for_each(|portal| cells.close(*portal));
    assert!(!cells.flood(&[from]).reaches(to));
    assert_eq!(cells.flood(&[from]).way_to(&cells, to), None);
    cells.open(all[0]);
    assert!(cells.flood(&[from]).reaches(to));
}

#[test]
fn what_is_no_solid_is_refused_by_name() {
    let (vertices, mut triangles) = cuboid(DVec3::ZERO, DVec3::ONE, false);
    triangles.pop();
    let open = Mesh::from_triangles(vertices, triangles).unwrap();
    assert!(matches!(Bsp::of_mesh(&open), Err(BspError::NotClosed { edges: 3, .. })));
    let mut planes = PlaneSet::new();
    let plane = planes.insert_axial(0, 0.0).unwrap();
    let circle = vec![Node { plane, front: Child::Node(0), back: Child::Leaf(0) }];
    let refused = Bsp::from_nodes(planes.clone(), circle, vec![true], 1.0);
    assert!(matches!(refused, Err(BspError::NotATree { node: 0 })));
    let beyond = vec![Node { plane, front: Child::Leaf(1), back: Child::Leaf(0) }];
    assert!(Bsp::from_nodes(planes.clone(), beyond, vec![true], 1.0).is_err());
    assert!(Bsp::from_nodes(planes, Vec::new(), vec![true], f64::NAN).is_err());
}

#[test]
fn a_segment_meets_a_box_to_the_last_bit() {
    let bsp = Bsp::of_mesh(&mesh(&[(DVec3::ZERO, DVec3::ONE, false)])).unwrap();
    let beyond = 1.0 + f64::EPSILON;
    for (from, to, meets) in [
        (dvec3(-1.0, 0.5, 0.5), dvec3(2.0, 0.5, 0.5), true),
        (dvec3(-1.0, 1.0, 0.5), dvec3(2.0, 1.0, 0.5), true),
        (dvec3(-1.0, beyond, 0.5), dvec3(2.0, beyond, 0.5), false),
        (dvec3(-1.0, 0.5, 0.5), dvec3(0.0, 0.5, 0.5), true),
        (dvec3(-1.0, 0.5, 0.5), dvec3(-f64::MIN_POSITIVE, 0.5, 0.5), false),
        // Through an edge, and past it by a rounding.
        (dvec3(0.0, 2.0, 0.5), dvec3(2.0, 0.0, 0.5), true),
        (dvec3(f64::EPSILON, 2.0, 0.5), dvec3(2.0 + 2.0 * f64::EPSILON, f64::EPSILON, 0.5), false),
        (DVec3::splat(0.5), DVec3::splat(0.5), true),
        (DVec3::splat(1.5), DVec3::splat(1.5), false),
        (DVec3::splat(1.5), DVec3::NAN, true),
    ] {
        assert_eq!(bsp.meets_segment(from, to), meets, "{from} {to}");
        assert_eq!(bsp.meets_segment(to, from), meets, "{to} {from}");
    }
    let mut random = Random(4);
    let room = Bsp::of_mesh(&room()).unwrap();
    let mut met = 0;
    for _ in 0..2000 {
        let (from, to) = (random.point() * 6.0, random.point() * 6.0);
        let sampled = (0..=200).any(|i| room.contains(from.lerp(to, f64::from(i) / 200.0)));
        let meets = room.meets_segment(from, to);
        assert!(meets || !sampled, "{from} {to}");
        met += i32::from(meets);
    }
    assert!((200..1900).contains(&met), "{met}");
}

#[test]
fn nothing_is_empty_space() {
    let bsp = Bsp::build(PlaneSet::new(), Vec::new()).unwrap();
    assert!(!bsp.contains(DVec3::ZERO));
    let cells = Cells::of(&bsp);
    assert!(cells.is_outside(0) && cells.portals().is_empty());
    assert_eq!(leaks(&bsp, &[DVec3::ZERO], 0.0).outside, [0]);
}
