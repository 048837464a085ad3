//! Problems of the kinds that break solvers, the same ones in every run.

use carom::respond::ContactPlane;
use glam::{DVec3, dvec3};

/// A small generator of its own (splitmix64): the cases must not change with a dependency.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// −1 … 1.
    pub(crate) fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (2.0 / (1u64 << 53) as f64) - 1.0
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// A point of the unit ball's cube, by no means uniform on directions.
    pub(crate) fn vector(&mut self) -> DVec3 {
        dvec3(self.signed(), self.signed(), self.signed())
    }

    pub(crate) fn unit(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            let length = v.length();
            if length > 0.1 && length <= 1.0 {
                return v / length;
            }
        }
    }

    /// 10⁻ˡᵒʷ … 10⁻ʰⁱᵍʰ, evenly by exponent.
    pub(crate) fn small(&mut self, low: i32, high: i32) -> f64 {
        let mut x = 1.0 + 4.0 * (self.signed() + 1.0);
        for _ in 0..low + self.below((high - low) as usize + 1) as i32 {
            x *= 0.1;
        }
        x
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) wanted: DVec3,
    pub(crate) planes: Vec<ContactPlane>,
    /// A motion that satisfies all planes but for the rounding of their bounds, where the family has one.
    pub(crate) hidden: Option<DVec3>,
}

/// The subject of a family of cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Normals of small integers, bounds of eighths: many exact ties.
    Whole,
    /// Any directions, walls at rest.
    Rest,
    /// Any directions, walls that come and go: often nothing is feasible.
    Moving,
    /// Any directions, bounds that one hidden motion satisfies.
    Satisfiable,
    /// Normals 1e-3 … 1e-12 rad apart, satisfied by a hidden motion.
    NearParallel,
    /// Pairs that face each other to 1e-3 … 1e-12 rad.
    Squeeze,
    /// All normals in one plane to 1e-3 … 1e-12: a groove.
    Groove,
    /// All planes through one point, to the rounding of the bounds.
    Apex,
    /// Some of a surface's own planes twice, and again with the rounding of their normals.
    Doubled,
    /// Normals all within 1e-3 … 1e-9 of one direction, walls at rest: the tip of a needle.
    Needle,
    /// Normals in one plane but for 1e-12 … 1e-17, satisfied by a hidden motion.
    Flat,
    /// A mover that fits a moving cabin exactly: walls on all sides, every bound the cabin's own motion along
    /// the normal.
    Cabin,
}

pub(crate) const FAMILIES: [Family; 12] = [
    Family::Whole,
    Family::Rest,
    Family::Moving,
    Family::Satisfiable,
    Family::NearParallel,
    Family::Squeeze,
    Family::Groove,
    Family::Apex,
    Family::Doubled,
    Family::Needle,
    Family::Flat,
    Family::Cabin,
];

fn unit(v: DVec3) -> DVec3 {
    v / v.length()
}

fn eighths(random: &mut Random) -> f64 {
    random.below(33) as f64 / 8.0 - 3.0
}

/// A case of `family` with `count` planes.
pub(crate) fn case(family: Family, count: usize, random: &mut Random) -> Case {
    let mut planes = Vec::new();
    let plane = |normal, bound| ContactPlane { normal, bound };
    let mut wanted = random.vector() * 2.0;
    let hidden = random.vector();
    // A hidden motion that touches about half of the planes.
    let satisfied = |random: &mut Random, normal: DVec3| {
        normal.dot(hidden) - if random.below(2) == 0 { 0.0 } else { random.signed().abs() }
    };
    match family {
        Family::Whole => {
            wanted = dvec3(eighths(random), eighths(random), eighths(random));
            while planes.len() < count {
                let n = dvec3(
                    random.below(7) as f64 - 3.0,
                    random.below(7) as f64 - 3.0,
                    random.below(7) as f64 - 3.0,
                );
                if n != DVec3::ZERO {
                    planes.push(plane(unit(n), if random.below(2) == 0 { 0.0 } else { eighths(random) }));
                }
            }
        }
        Family::Rest => planes.extend((0..count).map(|_| plane(random.unit(), 0.0))),
        Family::Moving => planes.extend((0..count).map(|_| plane(random.unit(), random.signed()))),
        Family::Satisfiable => {
            for _ in 0..count {
                let n = random.unit();
                planes.push(plane(n, satisfied(random, n)));
            }
        }
        Family::NearParallel => {
            let mut n = random.unit();
            for i in 0..count {
                if i % 3 == 0 {
                    n = random.unit();
                }
                let near = unit(n + random.vector() * random.small(3, 12));
                planes.push(plane(near, satisfied(random, near)));
            }
        }
        Family::Squeeze => {
            while planes.len() < count {
                let n = random.unit();
                let angle = random.small(3, 12);
                let opposite = -unit(n + random.vector() * angle);
                let bound = random.signed();
                planes.push(plane(n, bound));
                // Bounds that meet, leave a gap or overlap, of the size of the angle.
                planes.push(plane(opposite, -bound + random.signed() * angle * random.below(3) as f64));
            }
            planes.truncate(count);
        }
        Family::Groove => {
            let along = random.unit();
            for _ in 0..count {
                let across = random.unit();
                let n = unit(across - along * (along.dot(across) + random.signed() * random.small(3, 12)));
                let bound = if random.below(2) == 0 { 0.0 } else { satisfied(random, n) };
                planes.push(plane(n, bound));
            }
        }
        Family::Apex => {
            // Mostly facing the desired motion, so that the apex is the answer.
            for _ in 0..count {
                let n = unit(random.unit() * 0.7 - unit(wanted));
                planes.push(plane(n, n.dot(hidden)));
            }
        }
        Family::Doubled => {
            while planes.len() < count {
                let n = random.unit();
                let bound = satisfied(random, n);
                planes.push(plane(n, bound));
                planes.push(plane(n, bound - if random.below(2) == 0 { 0.0 } else { 0.25 }));
                let noise = random.vector() * (4.0 * f64::EPSILON);
                planes.push(plane(unit(n + noise), bound));
            }
            planes.truncate(count);
        }
        Family::Flat => {
            let along = random.unit();
            for _ in 0..count {
                let across = random.unit();
                let flat = across - along * along.dot(across);
                let n = unit(unit(flat) + along * random.signed() * random.small(12, 17));
                let near = planes
                    .last()
                    .map_or(n, |last: &ContactPlane| unit(last.normal + n * random.small(1, 14)));
                let n = if random.below(3) == 0 { near } else { n };
                planes.push(plane(n, n.dot(hidden)));
            }
        }
        Family::Cabin => {
            while planes.len() < count {
                let n = random.unit();
                let opposite =
                    if random.below(2) == 0 { -n } else { -unit(n + random.vector() * (2.0 * f64::EPSILON)) };
                planes.extend([n, opposite].map(|n| plane(n, n.dot(hidden))));
            }
            planes.truncate(count);
        }
        Family::Needle => {
            let n = random.unit();
            let spread = random.small(3, 9);
            planes.extend((0..count).map(|_| plane(unit(n + random.vector() * spread), 0.0)));
        }
    }
    let hidden = match family {
        Family::Rest | Family::Needle => Some(DVec3::ZERO),
        Family::Satisfiable | Family::NearParallel | Family::Apex | Family::Doubled => Some(hidden),
        Family::Flat | Family::Cabin => Some(hidden),
        Family::Whole | Family::Moving | Family::Squeeze | Family::Groove => None,
    };
    Case { wanted, planes, hidden }
}
