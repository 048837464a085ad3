//! Corners and triangles, edges and edges that move: answers held to boxes of integers, which prove that
//! nothing meets, and to meetings made on purpose.
#![allow(clippy::unwrap_used, reason = "a case that cannot be set up is a failure")]

mod dice;

use carom::glam::{DVec3, dvec3};
use carom::sweep::deforming::{Meeting, edge_edge, vertex_triangle};
use dice::Dice;

type Points = [DVec3; 4];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    VertexTriangle,
    EdgeEdge,
}

impl Kind {
    fn ask(self, start: &Points, end: &Points) -> Option<Meeting> {
        match self {
            Self::VertexTriangle => vertex_triangle(start, end),
            Self::EdgeEdge => edge_edge(start, end),
        }
    }
}

/// Whether parts whose coordinates are small integers stay apart from one time to another, in units of 2⁻¹²:
/// proven by boxes of (t, u, v) at whose corners the difference of the two places has one sign along an axis,
/// in integers. None where that takes too many boxes, as where they touch or nearly do.
struct Boxes {
    kind: Kind,
    start: [[i64; 3]; 4],
    way: [[i64; 3]; 4],
}

const FINEST: u32 = 26;

/// 2⁻⁵⁰⁰.
const SMALL: f64 = f64::from_bits((1023 - 500) << 52);

/// 2⁻²⁰⁰.
const LESS: f64 = f64::from_bits((1023 - 200) << 52);

impl Boxes {
    fn new(kind: Kind, start: &Points, end: &Points) -> Self {
        let whole = |p: DVec3| p.to_array().map(|x| x as i64);
        let start = start.map(whole);
        let way = core::array::from_fn(|i| {
            let end = whole(end[i]);
            core::array::from_fn(|k| end[k] - start[i][k])
        });
        Self { kind, start, way }
    }

    /// The difference times 2 to the depths of t and of the places; t, u and v by what is above.
    fn difference(&self, [t, u, v]: [i64; 3], [deep, deeper]: [u32; 2]) -> [i64; 3] {
        core::array::from_fn(|k| {
            let [p, a, b, c] = core::array::from_fn(|i| (self.start[i][k] << deep) + self.way[i][k] * t);
            match self.kind {
                Kind::VertexTriangle => ((p - a) << deeper) - (b - a) * u - (c - a) * v,
                // The ends of the edges are p and a, b and c.
                Kind::EdgeEdge => ((p - b) << deeper) + (a - p) * u - (c - b) * v,
            }
        })
    }

    fn apart(&self, first: i64, last: i64) -> Option<bool> {
        let mut waiting = vec![([0i64; 3], [0u32; 2])];
        let mut taken = 0;
        while let Some((at, depths)) = waiting.pop() {
            taken += 1;
            if taken > 200_000 || depths[0] > FINEST || depths[1] > FINEST {
                return None;
            }
            if self.kind == Kind::VertexTriangle && at[1] + at[2] > 1 << depths[1] {
                continue;
            }
            let corners = (0..8).map(|i| [0, 1, 2].map(|k| at[k] + (i >> k & 1)));
            let values: Vec<_> = corners.map(|corner| self.difference(corner, depths)).collect();
            let beyond =
                |k: usize| values.iter().all(|value| value[k] > 0) || values.iter().all(|value| value[k] < 0);
            if (0..3).any(beyond) {
                continue;
            }
            let later = [0, 1].map(|i| ([2 * at[0] + i, at[1], at[2]], [depths[0] + 1, depths[1]]));
            // Coarse cells reach beyond the times asked for.
            let coarse = 12u32.saturating_sub(depths[0]);
            let fine = depths[0].saturating_sub(12);
            let times = [at[0] << coarse >> fine, (((at[0] + 1) << coarse) - 1) >> fine];
            if times[1] < first || times[0] >= last {
                continue;
            }
            if times[0] < first || times[1] >= last {
                waiting.extend(later);
                continue;
            }
            // The coordinate along which the difference changes more is halved: time, or both places.
            let change = |step: usize| {
                let pairs = (0..8).filter(|i| i & step == 0).map(|i| (values[i], values[i + step]));
                pairs.map(|(a, b)| (0..3).map(|k| (a[k] - b[k]).abs()).max().unwrap()).max().unwrap()
            };
            let [t, u, v] = at;
            let [deep, deeper] = depths;
            if change(1) > change(2).max(change(4)) {
                waiting.extend(later);
            } else {
                let halves = [(0, 0), (0, 1), (1, 0), (1, 1)];
                waiting.extend(halves.map(|(i, j)| ([t, 2 * u + i, 2 * v + j], [deep, deeper + 1])));
            }
        }
        Some(true)
    }
}

/// Points with whole coordinates, often in one plane, on one line or in one place.
fn lattice(dice: &mut Dice) -> [Points; 2] {
    let size = if dice.unit() < 0.5 { 1.0 } else { 3.0 };
    let mut points = core::array::from_fn(|_| {
        core::array::from_fn(|_| (dice.point(size + 0.5)).to_array().map(f64::round).into())
    });
    let flat: [Points; 2] = points;
    match (dice.unit() * 8.0) as u32 {
        // All in one plane all the way.
        0 => points = flat.map(|set| set.map(|p| dvec3(p.x, p.y, 0.0))),
        1 => points = flat.map(|set| set.map(|p| dvec3(p.x, p.x + p.y, p.y))),
        // On one line.
        2 => points = flat.map(|set| set.map(|p| dvec3(p.x, 2.0 * p.x, 0.0))),
        // Two corners in one place.
        3 => points = flat.map(|[a, b, c, _]| [a, b, c, c]),
        // All go the same way.
        4 => points[1] = flat[0].map(|p| p + flat[1][0]),
        _ => {}
    }
    points
}

#[test]
fn parts_that_meet_are_those_that_boxes_cannot_part() {
    let mut dice = Dice(7);
    let (mut meet, mut apart, mut open) = (0, 0, 0);
    for case in 0..12_000 {
        let [start, end] = lattice(&mut dice);
        let kind = [Kind::VertexTriangle, Kind::EdgeEdge][case % 2];
        let boxes = Boxes::new(kind, &start, &end);
        let Some(meeting) = kind.ask(&start, &end) else {
            assert_eq!(boxes.apart(0, 1 << 12), Some(true), "missed: {kind:?} {start:?} {end:?}");
            apart += 1;
            continue;
        };
        meet += 1;
        let step = ((meeting.fraction * 4096.0) as i64).min(4095);
        // They meet within the step, or where it ends.
        assert_eq!(boxes.apart(step, step + 1), None, "too early: {kind:?} {start:?} {end:?}");
        open += u32::from(boxes.apart(0, step - 1).is_none());
    }
    println!("{meet} meet, {apart} stay apart; of {open} the time before is not proven free");
    assert!(meet > 4000 && apart > 4000 && open * 200 < meet);
}

#[test]
fn a_meeting_made_on_purpose_is_found_no_later() {
    let mut dice = Dice(11);
    let mut first = 0;
    for case in 0..40_000 {
        // Few enough digits that all of this is exact.
        let fine = [1.0, 1024.0, 1_048_576.0][case % 3];
        let mut point = || DVec3::from((dice.point(1.0) * fine).to_array().map(f64::round)) / fine;
        let [mut start, mut end]: [Points; 2] = core::array::from_fn(|_| core::array::from_fn(|_| point()));
        let halvings = (dice.unit() * 4.0) as i32;
        let whole = f64::from(1 << halvings);
        let [u, v] = [dice.unit(), dice.unit()].map(|share| (share * 4.0).round() / 8.0);
        let then: Points = core::array::from_fn(|i| start[i] + (end[i] - start[i]) / whole);
        // The point, or the first edge's start, is led to the place.
        let (kind, place) = if case % 2 == 0 {
            (Kind::VertexTriangle, then[1] + (then[2] - then[1]) * u + (then[3] - then[1]) * v)
        } else {
            (Kind::EdgeEdge, (then[2] + (then[3] - then[2]) * v) * 2.0 - then[1])
        };
        end[0] = start[0] + (place - start[0]) * whole;
        if dice.unit() < 0.2 {
            // Far away as a whole: f64 still holds it.
            let far = dvec3(4096.0, -512.0, 64.0);
            [start, end] = [start, end].map(|set| set.map(|p| p + far));
        }
        let meeting = kind.ask(&start, &end);
        let Some(meeting) = meeting else { panic!("missed: {kind:?} {start:?} {end:?}") };
        assert!(meeting.fraction <= 1.0 / whole, "late: {kind:?} {start:?} {end:?}");
        first += u32::from(meeting.fraction == 1.0 / whole);
    }
    println!("{first} of 40,000 are the first meeting");
    assert!(first > 20_000);
}

#[test]
fn order_and_unit_change_nothing() {
    let mut dice = Dice(13);
    for _ in 0..3000 {
        let ways = if dice.unit() < 0.5 {
            lattice(&mut dice)
        } else {
            core::array::from_fn(|_| core::array::from_fn(|_| dice.point(1.0)))
        };
        let fraction = |kind: Kind, order: [usize; 4], unit: DVec3| {
            let [start, end] = ways.map(|set| order.map(|i| set[i] * unit));
            kind.ask(&start, &end).map(|meeting| meeting.fraction)
        };
        for (kind, order) in [
            (Kind::VertexTriangle, [0, 2, 3, 1]),
            (Kind::VertexTriangle, [0, 1, 3, 2]),
            (Kind::EdgeEdge, [1, 0, 2, 3]),
            (Kind::EdgeEdge, [2, 3, 0, 1]),
        ] {
            let expected = fraction(kind, [0, 1, 2, 3], DVec3::ONE);
            assert_eq!(fraction(kind, order, DVec3::ONE), expected, "{kind:?} {order:?} {ways:?}");
            let meeting = |unit: f64| kind.ask(&ways[0].map(|p| p * unit), &ways[1].map(|p| p * unit));
            for unit in [SMALL, LESS, 1.0 / LESS, 1.0 / SMALL] {
                assert_eq!(meeting(unit), meeting(1.0), "{kind:?} {unit:e} {ways:?}");
            }
            // Where f64 overflows or vanishes integers decide: the same times, to the bit.
            for unit in [
                DVec3::splat(SMALL),
                DVec3::splat(1.0 / SMALL),
                DVec3::NEG_ONE,
                dvec3(SMALL, 1.0 / SMALL, 1.0 / SMALL),
                dvec3(1.0 / SMALL, SMALL, SMALL),
                // Along each axis of its own: for f64 still.
                dvec3(LESS, 1.0, 1.0 / LESS),
                dvec3(LESS, 1.0 / LESS, LESS),
            ] {
                assert_eq!(fraction(kind, order, unit), expected, "{kind:?} {unit} {ways:?}");
            }
        }
    }
}

#[test]
fn coordinates_of_any_size_are_exact() {
    // A point goes through the plane of a triangle by the least that f64 has, beside its edge or on it.
    let least = f64::from_bits(1);
    let corners = [DVec3::ZERO, dvec3(1e300, 0.0, 0.0), dvec3(0.0, 1e-300, 0.0)];
    for (y, meets) in [(0.0, true), (least, true), (-least, false), (1e-300, false)] {
        let through = |z: f64| [dvec3(1e299, y, z), corners[0], corners[1], corners[2]];
        let meeting = vertex_triangle(&through(least), &through(-least));
        assert_eq!(meeting.map(|meeting| meeting.fraction), meets.then_some(0.5), "{y}");
        let meeting = vertex_triangle(&through(f64::MAX), &through(-f64::MAX));
        assert_eq!(meeting.map(|meeting| meeting.fraction), meets.then_some(0.5), "{y}");
    }
}

#[test]
fn what_is_not_a_number_meets_at_once() {
    let start = [DVec3::X, DVec3::ZERO, DVec3::Y, DVec3::Z];
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for i in 0..4 {
            let mut end = start.map(|p| p + DVec3::X);
            end[i].y = bad;
            for kind in [Kind::VertexTriangle, Kind::EdgeEdge] {
                let meeting = kind.ask(&start, &end);
                assert_eq!(meeting.map(|meeting| meeting.fraction), Some(0.0), "{kind:?} {i} {bad}");
            }
        }
    }
}

#[test]
fn places_are_where_the_parts_meet() {
    let mut dice = Dice(17);
    let mut met = 0;
    for case in 0..20_000 {
        let [start, end]: [Points; 2] = core::array::from_fn(|_| core::array::from_fn(|_| dice.point(1.0)));
        let kind = [Kind::VertexTriangle, Kind::EdgeEdge][case % 2];
        let Some(Meeting { fraction, parameters: [u, v] }) = kind.ask(&start, &end) else { continue };
        met += 1;
        let [p, a, b, c] = core::array::from_fn(|i| start[i].lerp(end[i], fraction));
        let gap = match kind {
            Kind::VertexTriangle => p - (a + (b - a) * u + (c - a) * v),
            Kind::EdgeEdge => p.lerp(a, u) - b.lerp(c, v),
        };
        assert!(gap.abs().max_element() < 1e-11, "{gap} {kind:?} {start:?} {end:?}");
    }
    assert!(met > 500, "{met}");
}

#[test]
fn places_on_a_triangle_without_area_are_where_the_parts_meet() {
    let mut dice = Dice(19);
    let mut met = 0;
    for _ in 0..3000 {
        // Three corners in line that drift, and a point that is on one of their edges half way.
        let mut whole = || dice.point(8.0).round();
        let (from, way, at, drift) = (whole(), whole(), whole(), whole());
        let along = [dice.between(-4.0, 4.0).round(), 0.0, dice.between(-4.0, 4.0).round()];
        let start = along.map(|along| at + way * along);
        let end = start.map(|corner| corner + drift);
        let middle = [0, 1, 2].map(|i| start[i].lerp(end[i], 0.5));
        let edge = (dice.unit() * 3.0) as usize;
        let target = middle[edge].lerp(middle[(edge + 1) % 3], (dice.unit() * 8.0).floor() / 8.0);
        let (start, end) =
            ([from, start[0], start[1], start[2]], [2.0 * target - from, end[0], end[1], end[2]]);
        let Some(Meeting { fraction, parameters: [u, v] }) = vertex_triangle(&start, &end) else {
            panic!("missed: {start:?} {end:?}");
        };
        met += u32::from(fraction == 0.5);
        let [p, a, b, c] = core::array::from_fn(|i| start[i].lerp(end[i], fraction));
        let gap = p - (a + (b - a) * u + (c - a) * v);
        assert!(gap.abs().max_element() < 1e-9, "{gap} at {fraction} {start:?} {end:?}");
        assert!(u >= 0.0 && v >= 0.0 && u + v <= 1.0, "{u} {v}");
    }
    assert!(met > 1000, "{met}");
}
