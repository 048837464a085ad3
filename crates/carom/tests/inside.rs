//! Starts inside solids: what goes deeper is a hit where it starts, what leaves by the least way out is none,
//! and contacts have that way. Judged by a search in all directions.
//!
//! Two convex solids, A about x and B about the origin, part soonest along the unit direction n for which
//! B's reach along n, and A's along −n, less n·x is least.

#![allow(clippy::unwrap_used, reason = "tests")]

use carom::num::ops::{rotation_about, sin_cos, sqrt};
use carom::shape::{Capsule, Cone, Convex, ConvexHull, Cuboid, Cylinder, Ellipsoid, Mover, Sphere};
use carom::world::{Body, Cast, Collider, Layers, Pose, World};
use glam::{DQuat, DVec3, dvec3};

use dice::Dice;

mod dice;

/// Point, sphere, capsule, ellipsoid, cuboid.
const MOVERS: usize = 5;

/// Sphere, capsule, ellipsoid, cuboid, cylinder, cone, hull.
const SOLIDS: usize = 7;

/// Of the depth, by how much a way out may be longer than the least: what is promised.
const TOLERANCE: f64 = 1.0 / (1u64 << 14) as f64;

impl Dice {
    fn turn(&mut self) -> DQuat {
        if self.unit() < 0.3 {
            return DQuat::IDENTITY;
        }
        rotation_about(self.heading(), self.between(0.0, 3.1))
    }

    fn heading(&mut self) -> DVec3 {
        loop {
            let at = self.point(1.0);
            if at.length_squared() < 1.0 && at.length_squared() > 0.01 {
                return at.normalize();
            }
        }
    }

    /// Around 0.5, the largest at most `aspect` times the smallest.
    fn length(&mut self, aspect: f64) -> f64 {
        let share = self.between(1.0, sqrt(aspect));
        if self.unit() < 0.5 { 0.5 * share } else { 0.5 / share }
    }

    fn mover(&mut self, kind: usize, aspect: f64) -> Mover {
        let lengths = dvec3(self.length(aspect), self.length(aspect), self.length(aspect));
        let mover = match kind {
            0 => Mover::Point,
            1 => Sphere::new(lengths.x).unwrap().into(),
            2 => Capsule::new(lengths.x, lengths.y).unwrap().into(),
            3 => Ellipsoid::new(lengths).unwrap().into(),
            _ => Cuboid::new(lengths).unwrap().into(),
        };
        mover.turned(self.turn()).unwrap()
    }

    fn solid(&mut self, kind: usize, aspect: f64) -> Solid {
        let (turn, lengths) = (self.turn(), [self.length(aspect), self.length(aspect)]);
        match kind {
            0..4 => Solid::Mover(self.mover(kind + 1, aspect)),
            4 => Solid::Cylinder(Cylinder::new(lengths[0], lengths[1]).unwrap().with_rotation(turn).unwrap()),
            5 => Solid::Cone(Cone::new(lengths[0], lengths[1]).unwrap().with_rotation(turn).unwrap()),
            _ => {
                let stretch = dvec3(self.length(aspect), self.length(aspect), self.length(aspect));
                let count = 4 + (self.unit() * 12.0) as usize;
                let points: Vec<DVec3> = (0..count).map(|_| turn * (self.heading() * stretch)).collect();
                Solid::Hull(ConvexHull::new(&points).unwrap())
            }
        }
    }
}

#[derive(Debug)]
enum Solid {
    Mover(Mover),
    Cylinder(Cylinder),
    Cone(Cone),
    Hull(ConvexHull),
}

impl Solid {
    fn collider(&self) -> Collider {
        match self {
            Self::Mover(Mover::Sphere(it)) => (*it).into(),
            Self::Mover(Mover::Capsule(it)) => (*it).into(),
            Self::Mover(Mover::Ellipsoid(it)) => (*it).into(),
            Self::Mover(Mover::Cuboid(it)) => (*it).into(),
            Self::Mover(Mover::Point) => unreachable!("no solid"),
            Self::Cylinder(it) => (*it).into(),
            Self::Cone(it) => (*it).into(),
            Self::Hull(it) => it.clone().into(),
        }
    }

    fn reach(&self, n: DVec3) -> f64 {
        match self {
            Self::Mover(it) => reach(it, n),
            Self::Cylinder(it) => reach(it, n),
            Self::Cone(it) => reach(it, n),
            Self::Hull(it) => reach(it, n),
        }
    }
}

fn reach(shape: &impl Convex, n: DVec3) -> f64 {
    shape.support(n).dot(n) + shape.margin()
}

/// How far the mover about `x` has to go along n until the two are apart.
fn depth(mover: &Mover, x: DVec3, solid: &Solid, n: DVec3) -> f64 {
    solid.reach(n) + reach(mover, -n) - n.dot(x)
}

/// The least of these of all directions, and the least of those that are 20° and more from that.
fn least(mover: &Mover, x: DVec3, solid: &Solid, fine: usize) -> [(f64, DVec3); 2] {
    let depth = |n: DVec3| depth(mover, x, solid, n);
    let extent = |reach: &dyn Fn(DVec3) -> f64| dvec3(reach(DVec3::X), reach(DVec3::Y), reach(DVec3::Z));
    let mut starts = Vec::new();
    // Thin shapes turn their normals quickly: seen as if they were round, too.
    let own = |mover: &Mover| match mover {
        Mover::Ellipsoid(e) => Some((e.rotation(), e.radii())),
        Mover::Cuboid(c) => Some((c.rotation(), c.half_extents())),
        _ => None,
    };
    let mut seen = vec![(DQuat::IDENTITY, DVec3::ONE)];
    seen.extend(own(mover));
    if let Solid::Mover(other) = solid {
        seen.extend(own(other));
    }
    seen.push((DQuat::IDENTITY, extent(&|n| solid.reach(n))));
    for (turn, lengths) in &seen {
        for i in 0..fine {
            let y = 1.0 - (2 * i + 1) as f64 / fine as f64;
            let (sin, cos) = sin_cos(2.399_963_229_728_653 * i as f64);
            let around = sqrt(1.0 - y * y);
            let n = (*turn * (dvec3(around * cos, y, around * sin) / *lengths)).normalize();
            starts.push((depth(n), n));
        }
    }
    for (turn, _) in &seen {
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            for n in [*turn * axis, *turn * -axis] {
                starts.push((depth(n), n));
            }
        }
    }
    if let Solid::Hull(hull) = solid {
        for face in hull.faces() {
            let [a, b, c] = face.map(|corner| hull.vertices()[corner as usize]);
            let n = (b - a).cross(c - a).normalize();
            starts.push((depth(n), n));
        }
    }
    starts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best: Vec<(f64, DVec3)> = Vec::new();
    for start in starts {
        if best.iter().all(|(_, n)| n.dot(start.1) < 0.97) {
            best.push(start);
        }
        if best.len() == 8 {
            break;
        }
    }
    for (least, n) in &mut best {
        let mut step = 0.1;
        let mut turn = 0.0f64;
        while step > 1e-10 {
            let (u, v) = n.any_orthonormal_pair();
            let mut is_better = false;
            for k in 0..8 {
                let (sin, cos) = sin_cos(turn + k as f64 * core::f64::consts::FRAC_PI_4);
                let other = (*n + (u * cos + v * sin) * step).normalize();
                let found = depth(other);
                if found < *least {
                    (*least, *n, is_better) = (found, other, true);
                    break;
                }
            }
            turn += 0.3;
            step *= if is_better { 1.2 } else { 0.6 };
        }
    }
    best.sort_by(|a, b| a.0.total_cmp(&b.0));
    let second = best.iter().find(|(_, n)| n.dot(best[0].1) < 0.94).copied();
    [best[0], second.unwrap_or((f64::INFINITY, -best[0].1))]
}

/// Random deep starts of one pair; what is wrong.
fn hunt(mover_kind: usize, solid_kind: usize, seed: u64, count: usize, fine: usize) -> (usize, Vec<String>) {
    let mut dice = Dice(seed);
    let (mut asked, mut wrong) = (0, Vec::new());
    for _ in 0..count {
        let aspect = [1.0, 3.0, 10.0, 100.0][(dice.unit() * 4.0) as usize];
        let mover = dice.mover(mover_kind, aspect);
        let solid = dice.solid(solid_kind, aspect);
        // On the way from anywhere inside to where the two are apart.
        let heading = dice.heading();
        let apart = solid.reach(heading) + reach(&mover, -heading);
        let x = heading * apart * dice.between(0.0, 0.98);
        let [mut best, (second, _)] = least(&mover, x, &solid, fine);
        if best.0 < 1e-6 * apart {
            continue;
        }
        asked += 1;
        let at = dice.point(3.0);
        let mut world = World::new();
        world.add(Body::fixed(solid.collider()).at(Pose::at(at).unwrap()));
        let place = at + x;
        let what = format!("{mover:?} in {solid:?} at {x}");
        let mut contacts = Vec::new();
        world.contacts(&mover, place, 0.0, Layers::ALL, |near| contacts.push(near.contact));
        contacts.sort_by(|a, b| a.gap.total_cmp(&b.gap));
        let slack = 1e-9 * best.0 + 1e-12;
        match contacts.first() {
            None => wrong.push(format!("no contact: {what}: {best:?}")),
            Some(contact) => {
                let along = depth(&mover, x, &solid, contact.normal);
                if (contact.gap + along).abs() > slack {
                    wrong.push(format!("normal {contact:?}, along that {along}: {what}"));
                } else if along * (1.0 - TOLERANCE) > best.0 + slack {
                    wrong.push(format!("gap by {:e}, not {best:?}: {contact:?}, {what}", along - best.0));
                } else if along < best.0 {
                    best = (along, contact.normal);
                }
            }
        }
        let (least, n) = best;
        // Where two ways out are as short, either is right.
        if second < 1.001 * least {
            continue;
        }
        for _ in 0..4 {
            let way = dice.heading() * dice.between(0.1, 3.0) * apart;
            let speed = n.dot(way) / way.length();
            let hit = world.cast(&Cast::new(mover, place, way).unwrap());
            if speed < -1e-3 {
                if !hit.is_some_and(|hit| hit.hit.fraction == 0.0 && hit.hit.start_overlap) {
                    wrong.push(format!(
                        "deeper by {speed}, {:?}: {what} by {way}: {least} {n}",
                        hit.map(|hit| hit.hit)
                    ));
                }
            } else if speed > 1e-3 && hit.is_some() {
                wrong.push(format!(
                    "leaves by {speed}, {:?}: {what} by {way}: {least} {n}",
                    hit.map(|hit| hit.hit)
                ));
            }
        }
    }
    (asked, wrong)
}

/// All pairs, `count` starts of each.
fn all_pairs(first_seed: u64, count: usize, fine: usize) {
    let (mut asked, mut wrong) = (0, Vec::new());
    for solid in 0..SOLIDS {
        for mover in 0..MOVERS {
            let (of_pair, wrong_of_pair) = hunt(mover, solid, first_seed, count, fine);
            asked += of_pair;
            wrong.extend(wrong_of_pair);
        }
    }
    println!("{asked} starts inside, four ways of each, {} wrong", wrong.len());
    assert!(asked > 25 * count, "{asked}");
    assert!(wrong.is_empty(), "{:#?}", &wrong[..wrong.len().min(9)]);
}

#[test]
fn from_inside_what_goes_deeper_stops_and_what_leaves_by_the_least_way_does_not() {
    all_pairs(1, 30, 600);
}

/// From the seed `CAROM_FIRST_SEED` (2) on, `CAROM_STARTS` (1,000) of each pair.
#[test]
#[ignore = "a minute"]
fn the_same_of_many() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("is a whole number"))
    };
    all_pairs(number("CAROM_FIRST_SEED", 2), number("CAROM_STARTS", 1_000) as usize, 2_000);
}
