//! Random and adversarial encounters of a cuboid with something.

use carom::num::ops::rotation_about;
use carom::shape::{Cuboid, Plane};
use carom::sweep::Path;
use glam::{DQuat, DVec3};

/// A small reproducible generator (xorshift64*).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.bits() >> 33) as usize % count
    }

    /// −1 … 1
    pub(crate) fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    /// Multiples of 1/8, −2 … 2: many of them touch, line up and coincide.
    pub(crate) fn coarse(&mut self) -> DVec3 {
        let mut part = || self.below(33) as f64 / 8.0 - 2.0;
        DVec3::new(part(), part(), part())
    }

    pub(crate) fn power(&mut self, lowest: i32, highest: i32) -> f64 {
        let exponent = lowest + self.below((highest - lowest + 1) as usize) as i32;
        f64::from_bits(((1023 + exponent) as u64) << 52)
    }

    pub(crate) fn rotation(&mut self) -> DQuat {
        match self.below(6) {
            0 | 1 => DQuat::IDENTITY,
            2 => rotation_about(self.vector(), self.power(-52, -20)),
            3 => rotation_about(DVec3::AXES[self.below(3)], self.signed() * 3.0),
            _ => rotation_about(self.vector(), self.signed() * 3.0),
        }
    }

    pub(crate) fn cuboid(&mut self) -> Cuboid {
        let half = match self.below(4) {
            0 => DVec3::new(0.5, 0.25, 0.5),
            1 => self.coarse().abs().max(DVec3::splat(0.125)),
            2 => DVec3::new(1.0, self.power(-30, 0), 0.7),
            _ => self.vector().abs().max(DVec3::splat(0.01)),
        };
        Cuboid::new(half).unwrap().with_rotation(self.rotation()).unwrap()
    }
}

/// The moving part of an encounter.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) cuboid: Cuboid,
    pub(crate) path: Path,
}

impl Scene {
    pub(crate) fn against_triangle(random: &mut Random, round: usize) -> (Self, [DVec3; 3]) {
        let cuboid = random.cuboid();
        let axes = cuboid.axes();
        let half = cuboid.half_extents();
        let mut corners = match random.below(9) {
            0 | 1 => [random.vector() * 2.0, random.vector() * 2.0, random.vector() * 2.0],
            2 | 3 => [random.coarse(), random.coarse(), random.coarse()],
            // In a plane of the cuboid's own axes: faces and edges parallel to within rounding.
            4 => {
                let (x, y) = (axes.x_axis, axes.z_axis);
                let base = random.vector();
                [base, base + x * random.signed(), base + y * random.signed()]
            }
            // A cap: the third corner near the line of the other two.
            5 => {
                let (a, b) = (random.vector() * 2.0, random.vector() * 2.0);
                [a, b, a + (b - a) * random.signed().abs() + random.vector() * random.power(-60, -3)]
            }
            // A needle.
            6 => {
                let (a, b) = (random.vector() * 2.0, random.vector() * 2.0);
                [a, b, b + random.vector() * random.power(-60, -3)]
            }
            // No area: a segment with a corner on it, or a doubled corner, or a point.
            7 => {
                let (a, b) = (random.coarse(), random.coarse());
                [[a, b, (a + b) * 0.5], [a, b, b], [a, a, a]][random.below(3)]
            }
            _ => [random.vector(), random.vector(), random.vector()].map(|v| v * random.power(-12, 12)),
        };
        let aim = {
            let (u, v) = (random.signed().abs(), random.signed().abs());
            let inside = corners[0] * u + (corners[1] * v + corners[2] * (1.0 - v)) * (1.0 - u);
            [inside, corners[0], (corners[0] + corners[1]) * 0.5][random.below(3)]
        };
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or(DVec3::Y);
        let path =
            Self::path(random, (cuboid.axes() * half, half.length()), aim, normal, corners[1] - corners[0]);
        let (path, shift) = Self::moved(random, round, path);
        corners = corners.map(|corner| corner + shift);
        (Self { cuboid, path }, corners)
    }

    pub(crate) fn against_polygon(random: &mut Random, round: usize) -> (Self, Vec<DVec3>) {
        const OUTLINE: [(f64, f64); 12] = [
            (2.0, -1.0),
            (2.0, 0.0),
            (2.0, 1.0),
            (1.0, 2.0),
            (0.0, 2.25),
            (-1.0, 2.0),
            (-2.0, 1.0),
            (-2.25, 0.0),
            (-2.0, -1.0),
            (-1.0, -2.0),
            (0.0, -2.0),
            (1.0, -2.0),
        ];
        let cuboid = random.cuboid();
        let half = cuboid.half_extents();
        let (base, u) = (random.coarse(), random.coarse() * 0.5 + DVec3::X * 2.125);
        let mut v = random.coarse() * 0.5;
        if u.cross(v) == DVec3::ZERO {
            v += DVec3::Y;
        }
        // Some corners are left out; what is left is convex, and flat exactly: small numbers do not round.
        let keep = loop {
            let keep = random.bits();
            if (0..12).filter(|k| keep >> k & 1 == 1).count() >= 4 {
                break keep;
            }
        };
        let mut corners: Vec<DVec3> = (0..12)
            .filter(|k| keep >> k & 1 == 1)
            .map(|k| base + u * OUTLINE[k].0 + v * OUTLINE[k].1)
            .collect();
        let aim =
            [corners[0], (corners[0] + corners[2]) * 0.5, (corners[0] + corners[1]) * 0.5][random.below(3)];
        let along = corners[1] - corners[0];
        let path =
            Self::path(random, (cuboid.axes() * half, half.length()), aim, u.cross(v).normalize(), along);
        let shift = DVec3::splat(if round.is_multiple_of(3) { 1024.0 } else { 0.0 });
        let path = Path::new(path.from() + shift, path.translation()).unwrap();
        corners.iter_mut().for_each(|corner| *corner += shift);
        (Self { cuboid, path }, corners)
    }

    pub(crate) fn against_cuboid(random: &mut Random, round: usize) -> (Self, Cuboid, DVec3) {
        let cuboid = random.cuboid();
        let half = cuboid.half_extents();
        let mut other = random.cuboid();
        if random.below(3) == 0 {
            other = other.with_rotation(cuboid.rotation()).unwrap();
        }
        let center = if random.below(2) == 0 { random.coarse() } else { random.vector() * 3.0 };
        let axes = other.axes();
        let side = DVec3::new(
            random.below(3) as f64 - 1.0,
            random.below(3) as f64 - 1.0,
            random.below(3) as f64 - 1.0,
        );
        let facing = axes.col(random.below(3));
        let aim = center + axes * (other.half_extents() * side);
        let path = Self::path(random, (cuboid.axes() * half, half.length()), aim, facing, axes.x_axis);
        let (path, shift) = Self::moved(random, round, path);
        (Self { cuboid, path }, other, center + shift)
    }

    pub(crate) fn against_plane(random: &mut Random, round: usize) -> (Self, Plane) {
        let cuboid = random.cuboid();
        let half = cuboid.half_extents();
        let normal = match random.below(4) {
            0 => DVec3::AXES[random.below(3)],
            1 => cuboid.axes().col(random.below(3)),
            _ => random.vector(),
        };
        let aim = random.coarse();
        let edge = normal.cross(random.vector());
        let path = Self::path(random, (cuboid.axes() * half, half.length()), aim, normal.normalize(), edge);
        let (path, shift) = Self::moved(random, round, path);
        (Self { cuboid, path }, Plane::new(aim + shift, normal).unwrap())
    }

    /// `corner`: from the mover's center to one of its corners; `size`: how long that is.
    fn path(
        random: &mut Random,
        (corner, size): (DVec3, f64),
        aim: DVec3,
        normal: DVec3,
        edge: DVec3,
    ) -> Path {
        let (from, translation) = match random.below(9) {
            // Towards the aim from anywhere near, some too short.
            0 | 1 => {
                let from = aim + random.vector() * (size + 2.0);
                (from, (aim - from) * random.signed().abs() * 2.0)
            }
            2 => (random.coarse(), random.coarse()),
            // A corner of the mover straight at the aim.
            3 => {
                let way = random.vector() * 2.0;
                (aim - way - corner, way * 2.0)
            }
            // Past the aim, corner to aim to within rounding.
            4 => {
                let way = random.vector();
                (aim - corner - way * random.signed(), way)
            }
            // Along the plane, touching it or a little off.
            5 => {
                let way = normal.cross(random.vector());
                (aim - corner + normal * (random.signed() * random.power(-60, -1)) - way * 0.5, way)
            }
            // Along an edge.
            6 => (aim - corner - edge * random.signed(), edge),
            // From inside.
            7 => (aim + random.vector() * (0.3 * size), random.vector() * random.power(-20, 2)),
            // From a touching place, nearly along the plane.
            _ => {
                let from = aim - corner;
                (from, normal.cross(random.vector()) + normal * (random.signed() * random.power(-60, 0)))
            }
        };
        if translation == DVec3::ZERO {
            Path::new(from, DVec3::X).unwrap()
        } else {
            Path::new(from, translation).unwrap()
        }
    }

    /// A third at the origin, a third far away, a third at another scale.
    fn moved(random: &mut Random, round: usize, path: Path) -> (Path, DVec3) {
        let shift = match round % 3 {
            0 => DVec3::ZERO,
            1 => random.vector() * random.power(0, 20),
            _ => random.coarse() * random.power(-20, 10),
        };
        (Path::new(path.from() + shift, path.translation()).unwrap(), shift)
    }
}
