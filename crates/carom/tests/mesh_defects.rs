//! The defects report against the letter of its rules: every pair and every triangle looked at, in integers.

use std::collections::{BTreeMap, BTreeSet};

use carom::mesh::{Defects, inspect};
use proptest::prelude::*;

/// A position in units of 2⁻¹⁰: exact in f32 and in every product below.
type Position = [i64; 3];

const UNIT: f32 = 1.0 / (1 << 10) as f32;

/// Corners of a lattice so coarse that lines, planes and common edges abound, shifted a little so that seams
/// do too.
fn level() -> impl Strategy<Value = (Vec<Position>, Vec<[u32; 3]>)> {
    prop_oneof![lattice([3, 3, 3], 1, 30), lattice([2, 2, 1], 6, 8), lattice([5, 2, 1], 3, 12)]
}

/// Steps along each axis, and how many of 12 coordinates are shifted.
fn lattice(
    steps: [i64; 3],
    shifted: u32,
    triangles: usize,
) -> impl Strategy<Value = (Vec<Position>, Vec<[u32; 3]>)> {
    let coordinate = move |axis: usize| {
        let shift = prop_oneof![12 - shifted => Just(0i64), shifted => -5..6i64];
        (0..steps[axis], shift).prop_map(|(step, shift)| 1024 * step + shift)
    };
    let positions = prop::collection::vec([coordinate(0), coordinate(1), coordinate(2)], 1..20);
    positions.prop_flat_map(move |positions| {
        let vertex = 0..positions.len() as u32;
        (Just(positions), prop::collection::vec([vertex.clone(), vertex.clone(), vertex], 0..triangles))
    })
}

fn to_f32(positions: &[Position]) -> Vec<[f32; 3]> {
    positions.iter().map(|p| p.map(|x| x as f32 * UNIT)).collect()
}

fn minus(a: Position, b: Position) -> [i128; 3] {
    [0, 1, 2].map(|i| i128::from(a[i] - b[i]))
}

fn dot(a: [i128; 3], b: [i128; 3]) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross_squared(a: [i128; 3], b: [i128; 3]) -> i128 {
    dot(a, a) * dot(b, b) - dot(a, b) * dot(a, b)
}

type Segment = (Position, Position);

/// Whether a point is nearer to a segment than half of `twice_width`.
fn is_near(p: Position, (a, b): Segment, twice_width: i128) -> bool {
    let [along, to_p, from_b] = [minus(b, a), minus(p, a), minus(p, b)];
    let width_squared_by_4 = twice_width * twice_width;
    if dot(to_p, along) <= 0 {
        4 * dot(to_p, to_p) < width_squared_by_4
    } else if dot(from_b, along) >= 0 {
        4 * dot(from_b, from_b) < width_squared_by_4
    } else {
        4 * cross_squared(to_p, along) < width_squared_by_4 * dot(along, along)
    }
}

fn is_on(p: Position, (a, b): Segment) -> bool {
    let [along, to_p, from_b] = [minus(b, a), minus(p, a), minus(p, b)];
    cross_squared(to_p, along) == 0 && dot(to_p, along) >= 0 && dot(from_b, along) <= 0
}

fn is_seam(e: Segment, f: Segment, twice_width: i128) -> bool {
    let [u, v] = [minus(e.1, e.0), minus(f.1, f.0)];
    let (longer, shorter) = if dot(u, u) >= dot(v, v) { (e, f) } else { (f, e) };
    let along = minus(longer.1, longer.0);
    let length_squared = dot(along, along);
    let shadow = |p: Position| dot(minus(p, longer.0), along).clamp(0, length_squared);
    let overlap = shadow(shorter.0) - shadow(shorter.1);
    let near = is_near(e.0, f, twice_width)
        || is_near(e.1, f, twice_width)
        || is_near(f.0, e, twice_width)
        || is_near(f.1, e, twice_width);
    let meet = is_on(e.0, f) || is_on(e.1, f) || is_on(f.0, e) || is_on(f.1, e);
    let along_each_other = 16 * cross_squared(u, v) <= dot(u, u) * dot(v, v)
        && 4 * overlap * overlap > twice_width * twice_width * length_squared;
    near && along_each_other && !meet
}

/// All counts that do not need numbers that are not finite, and whether the whole is watertight.
fn by_the_letter(
    positions: &[Position],
    triangles: &[[u32; 3]],
    twice_width: i128,
) -> (Defects, usize, bool) {
    let mut defects = Defects::default();
    let mut seen = BTreeSet::new();
    let mut edges: BTreeMap<Segment, Vec<bool>> = BTreeMap::new();
    let mut used = BTreeSet::new();
    for corners in triangles {
        let corners = corners.map(|vertex| positions[vertex as usize]);
        used.extend(corners);
        let mut sorted = corners;
        sorted.sort_unstable();
        defects.duplicate += usize::from(!seen.insert(sorted));
        let [a, b, c] = corners;
        let area_squared = cross_squared(minus(b, a), minus(c, a));
        if area_squared == 0 {
            defects.degenerate += 1;
            continue;
        }
        let sides = [(a, b), (b, c), (c, a)];
        let longest = sides.iter().map(|&(p, q)| dot(minus(p, q), minus(p, q))).max().expect("three sides");
        defects.sliver += usize::from(1_000_000 * area_squared < longest * longest);
        for (p, q) in sides {
            edges.entry((p.min(q), p.max(q))).or_default().push(p < q);
        }
    }
    let open: Vec<Segment> =
        edges.iter().filter(|(_, uses)| uses.len() == 1).map(|(&edge, _)| edge).collect();
    defects.open_edges = open.len();
    defects.non_manifold_edges = edges.values().filter(|uses| uses.len() > 2).count();
    for (i, &e) in open.iter().enumerate() {
        defects.seams += open[..i].iter().filter(|&&f| is_seam(e, f, twice_width)).count();
    }
    let watertight = !edges.is_empty() && edges.values().all(|uses| uses.len() == 2 && uses[0] != uses[1]);
    (defects, used.len(), watertight)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn counts_by_the_letter((positions, triangles) in level(), width in 0..12u8) {
        // Half units: no distance between lattice points is one of these.
        let twice_width = 2 * i128::from(width) + 1;
        let seam = 0.5 * twice_width as f64 * f64::from(UNIT);
        let report = inspect(&to_f32(&positions), &triangles, Some(seam)).unwrap();
        let (defects, used, watertight) = by_the_letter(&positions, &triangles, twice_width);
        prop_assert_eq!(report.defects, defects);
        prop_assert_eq!((report.triangles, report.vertices), (triangles.len(), used));
        prop_assert_eq!(report.watertight, watertight);
    }

    #[test]
    fn neither_order_nor_repeated_vertices_change_the_report(
        (positions, triangles) in level(),
        seed in prop::collection::vec(any::<u32>(), 64),
        seam in prop::option::of(0.0..0.01f64),
    ) {
        let vertices = to_f32(&positions);
        let report = inspect(&vertices, &triangles, seam).unwrap();
        // Each vertex twice, the second with the other zero, shuffled; and triangles turned and shuffled.
        let mut places: Vec<usize> = (0..2 * vertices.len()).collect();
        places.sort_by_key(|&i| seed[i % seed.len()].wrapping_mul(i as u32 + 1));
        let twin = |i: usize| {
 let zero = if i < vertices.len() { 0.0 } else { -0.0 };
 vertices[i % vertices.len()].map(|x| if x == 0.0 { zero } else { x })
 };
        let shuffled: Vec<[f32; 3]> = places.iter().map(|&i| twin(i)).collect();
        let place_of = |i: usize| places.iter().position(|&place| place == i).unwrap() as u32;
        let mut turned: Vec<[u32; 3]> = triangles.iter().enumerate().map(|(t, corners)| {
            let mut corners = [0, 1, 2].map(|i| {
                let twin = (seed[(t + i) % seed.len()] & 1) as usize * vertices.len();
                place_of(corners[i] as usize + twin)
            });
            corners.rotate_left(seed[t % seed.len()] as usize % 3);
            corners
        }).collect();
        turned.reverse();
        prop_assert_eq!(inspect(&shuffled, &turned, seam).unwrap(), report);
    }

    #[test]
    fn scaling_by_a_power_of_two_changes_no_count((positions, triangles) in level(), power in -60..60i8) {
        let vertices = to_f32(&positions);
        let factor = f32::from_bits(((127 + i32::from(power)) as u32) << 23);
        let scaled: Vec<[f32; 3]> = vertices.iter().map(|p| p.map(|x| x * factor)).collect();
        let [report, other] = [&vertices, &scaled].map(|vertices| inspect(vertices, &triangles, None).unwrap());
        prop_assert_eq!(report.defects, other.defects);
        prop_assert_eq!((report.vertices, report.watertight, report.up), (other.vertices, other.watertight, other.up));
    }

    #[test]
    fn triangles_that_are_not_finite_leave_no_trace_but_one(
        (positions, triangles) in level(),
        wrong in prop::collection::vec((prop::sample::select(vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY]), 0..3usize), 1..4),
    ) {
        let mut vertices = to_f32(&positions);
        let clean = inspect(&vertices, &triangles, None).unwrap();
        let mut triangles = triangles;
        for &(x, axis) in &wrong {
            triangles.push([vertices.len() as u32, 0, 0]);
            let mut vertex = vertices[0];
            vertex[axis] = x;
            vertices.push(vertex);
        }
        let report = inspect(&vertices, &triangles, None).unwrap();
        let mut expected = clean.defects;
        expected.non_finite = wrong.len();
        prop_assert_eq!(report.defects, expected);
        prop_assert_eq!((report.vertices, report.bounds, report.watertight), (clean.vertices, clean.bounds, clean.watertight));
    }
}
