//! The player's box swept against the brushes of Quake III levels, beside exact Minkowski sums in rationals:
//! levels in the folder that `CAROM_DATA` names. `CAROM_CASTS` says how many casts (2,000 by default).
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod random;

use std::collections::BTreeMap;

use carom::bsp::{Cut, PlaneId, PlaneSet, Polygon};
use carom::shape::ConvexPolygon;
use carom::{Body, Cast, Cuboid, World};
use carom_scenes::real;
use dashu_ratio::RBig;
use glam::{DVec3, dvec3};
use random::Random;

/// Half of 30 × 30 × 56 units.
const HALF: DVec3 = dvec3(15.0, 15.0, 28.0);

type Vector = [RBig; 3];

fn exact(x: f64) -> RBig {
    RBig::try_from(x).unwrap()
}

fn vector(v: DVec3) -> Vector {
    v.to_array().map(exact)
}

fn dot(a: &Vector, b: &Vector) -> RBig {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]]
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|i| &a[i] - &b[i])
}

/// Where three planes n · x = d meet.
fn meet([a, b, c]: [&(Vector, RBig); 3]) -> Vector {
    let (bc, ca, ab) = (cross(&b.0, &c.0), cross(&c.0, &a.0), cross(&a.0, &b.0));
    let below = dot(&a.0, &bc);
    [0, 1, 2].map(|i| (&a.1 * &bc[i] + &b.1 * &ca[i] + &c.1 * &ab[i]) / &below)
}

struct Brush {
    /// Its faces, with corners that are rounded once.
    faces: Vec<ConvexPolygon>,
    /// The center of the box is in the sum where n · x is less than the distance, for all of these.
    sum: Vec<(Vector, RBig)>,
    low: DVec3,
    high: DVec3,
}

impl Brush {
    /// `None` if its planes enclose nothing, or a face is as thin as rounding.
    fn new(planes: &[(DVec3, f64)]) -> Option<Self> {
        let mut set = PlaneSet::new();
        let mut known: BTreeMap<PlaneId, (Vector, RBig)> = BTreeMap::new();
        let mut sides = Vec::new();
        for (normal, distance) in planes {
            let id = set.insert(*normal, *distance)?;
            if !sides.contains(&id) {
                sides.push(id);
            }
            known.insert(id.unoriented(), (vector(*normal), exact(*distance)));
        }
        let mut polygons = Vec::new();
        for side in &sides {
            let mut polygon = Polygon::square(&mut set, *side, 131_072.0)?;
            let mut is_there = true;
            for other in sides.iter().filter(|other| *other != side) {
                match polygon.cut(&set, *other) {
                    Cut::Back => {}
                    Cut::Both(_, back) => polygon = back,
                    Cut::Front | Cut::On => is_there = false,
                }
            }
            if is_there {
                polygons.push(polygon);
            }
        }
        if polygons.len() < 4 {
            return None;
        }
        let mut corners: Vec<Vector> = Vec::new();
        let mut normals: Vec<Vector> = Vec::new();
        for polygon in &polygons {
            let own: Vec<Vector> = polygon
                .corners()
                .iter()
                .map(|corner| {
                    let planes = corner.planes().map(|plane| known.get(&plane.unoriented()));
                    let [Some(a), Some(b), Some(c)] = planes else { panic!("a brush that is open") };
                    meet([a, b, c])
                })
                .collect();
            let normal = known[&polygon.plane().unoriented()].0.clone();
            normals.push(normal);
            for (i, corner) in own.iter().enumerate() {
                let along = minus(&own[(i + 1) % own.len()], corner);
                normals.extend(DVec3::AXES.map(|axis| cross(&along, &vector(axis))));
            }
            corners.extend(own);
        }
        normals.extend(DVec3::AXES.map(vector));
        let half = vector(HALF);
        let mut sum = Vec::new();
        for normal in normals {
            if normal.iter().all(|x| *x == RBig::ZERO) {
                continue;
            }
            for sign in [RBig::ONE, -RBig::ONE] {
                let normal = normal.each_ref().map(|x| x * &sign);
                let own = corners.iter().map(|corner| dot(&normal, corner)).max()?;
                let size = |x: &RBig| if *x < RBig::ZERO { -x.clone() } else { x.clone() };
                let box_size: RBig =
                    (0..3).map(|i| size(&normal[i]) * &half[i]).fold(RBig::ZERO, |a, b| a + b);
                sum.push((normal, own + box_size));
            }
        }
        let faces: Option<Vec<ConvexPolygon>> = polygons
            .iter()
            .map(|polygon| {
                ConvexPolygon::new(polygon.corners().iter().map(carom::bsp::Corner::position).collect()).ok()
            })
            .collect();
        let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        let bounds = polygons.iter().map(Polygon::bounds);
        let [low, high] = bounds.fold(none, |[low, high], [least, most]| [low.min(least), high.max(most)]);
        Some(Self { faces: faces?, sum, low, high })
    }

    /// When the center enters the sum, through which plane, and when it leaves; `None` if it starts within.
    fn entry(&self, from: DVec3, way: DVec3) -> Option<Option<(RBig, RBig, usize)>> {
        let (from, way) = (vector(from), vector(way));
        let mut enters: Option<(RBig, usize)> = None;
        let mut leaves: Option<RBig> = None;
        let mut is_apart = false;
        let mut is_beside = false;
        for (number, (normal, distance)) in self.sum.iter().enumerate() {
            let height = dot(normal, &from) - distance;
            let slope = dot(normal, &way);
            is_apart |= height >= RBig::ZERO;
            if slope == RBig::ZERO {
                is_beside |= height >= RBig::ZERO;
                continue;
            }
            let time = -height / &slope;
            if slope < RBig::ZERO {
                if enters.as_ref().is_none_or(|(latest, _)| time > *latest) {
                    enters = Some((time, number));
                }
            } else if leaves.as_ref().is_none_or(|earliest| time < *earliest) {
                leaves = Some(time);
            }
        }
        if !is_apart {
            return None;
        }
        let (Some((enters, plane)), Some(leaves), false) = (enters, leaves, is_beside) else {
            return Some(None);
        };
        Some((enters < leaves && leaves > RBig::ZERO).then_some((enters, leaves, plane)))
    }
}

/// The brushes of a level, as planes that face out.
fn brushes(bytes: &[u8]) -> Vec<Vec<(DVec3, f64)>> {
    let int = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let float = |at: usize| f64::from(f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()));
    let lump = |number: usize| int(8 + 8 * number);
    let (planes, all, sides) = (lump(2), lump(8), lump(9));
    let count = int(12 + 8 * 8) / 12;
    let plane = |side: usize| {
        let at = planes + 16 * int(sides + 8 * side);
        (dvec3(float(at), float(at + 4), float(at + 8)), float(at + 12))
    };
    (0..count).map(|i| (0..int(all + 12 * i + 4)).map(|j| plane(int(all + 12 * i) + j)).collect()).collect()
}

#[test]
fn a_box_swept_against_brushes_stops_where_it_enters_the_exact_sum() {
    let Some(data) = real::folder() else { return };
    let casts: usize = std::env::var("CAROM_CASTS").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000);
    let files = real::files_below(&data, |path| {
        path.parent().is_some_and(|folder| {
            folder.ends_with("q3_openarena_dev")
                && path.extension().is_some_and(|extension| extension == "bsp")
        })
    })
    .unwrap();
    let mut random = Random(7);
    let (mut asked, mut hits, mut touches, mut thin, mut farthest) = (0, 0, 0, 0, 0.0f64);
    for (number, path) in files.iter().enumerate() {
        let all = brushes(&std::fs::read(path).unwrap());
        let share = casts * (number + 1) / files.len();
        while asked < share {
            let brush = &all[random.bits() as usize % all.len()];
            let Some(brush) = Brush::new(brush) else {
                thin += 1;
                continue;
            };
            let mut world = World::new();
            world.add(Body::fixed(brush.faces.clone()));
            for round in 0..40 {
                let size = (brush.high - brush.low) * 0.5 + HALF + DVec3::splat(40.0);
                let middle = (brush.high + brush.low) * 0.5;
                let mut from = middle + size * random.vector();
                let mut way = middle + size * random.vector() * 0.7 - from;
                if round % 3 == 0 {
                    // Boxes of players mostly stand flush on integers, and go along an axis.
                    from = from.round();
                    way = DVec3::AXES[random.bits() as usize % 3] * (200.0 * random.unit()).round();
                }
                let Some(expected) = brush.entry(from, way) else { continue };
                asked += 1;
                let found = world.cast(&Cast::new(Cuboid::new(HALF).unwrap(), from, way).unwrap());
                let found = found.map(|hit| hit.hit.fraction);
                let length = way.length();
                match (expected, found) {
                    (Some((enters, leaves, plane)), found) => {
                        let normal = &brush.sum[plane].0;
                        let [x, y, z] = normal.each_ref().map(|x| x.to_f64().value());
                        let steep = (dvec3(x, y, z).normalize_or_zero().dot(way)).abs();
                        let depth = (&leaves - &enters).to_f64().value() * length;
                        let enters = enters.to_f64().value();
                        match found {
                            // How far in front of the plane that it enters through it stops.
                            Some(at) => {
                                hits += 1;
                                let gap = (enters.max(0.0) - at) * steep;
                                assert!(gap.abs() <= 1e-9, "{gap} units, {from} {way}, {}", path.display());
                                farthest = farthest.max(gap.abs());
                            }
                            None if enters > 1.0 => {}
                            None => {
                                assert!(
                                    depth < 1e-9 || (1.0 - enters) * steep < 1e-9,
                                    "missed: {from} {way}"
                                );
                                touches += 1;
                            }
                        }
                    }
                    (None, None) => {}
                    (None, Some(at)) => {
                        // As near as rounding to one that it enters.
                        let grown = Cuboid::new(HALF - DVec3::splat(1e-9)).unwrap();
                        let again = world.cast(&Cast::new(grown, from, way).unwrap());
                        assert!(again.is_none(), "invented at {at}: {from} {way}, {}", path.display());
                        touches += 1;
                    }
                }
            }
        }
    }
    println!(
        "{asked} casts, {hits} hits, none wrong, at most {farthest:.1e} units early; {touches} only touch; {thin} brushes left out"
    );
    assert!(hits > asked / 10, "{hits}");
}
