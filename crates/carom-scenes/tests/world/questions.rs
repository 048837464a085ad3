//! Casts drawn at random, of every mover, long and short, near surfaces, in touch with them and deep in them.

use carom::mesh::Mesh;
use carom::shape::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use carom::world::{Cast, CastHit};
use carom_scenes::Random;
use glam::{DVec3, dvec3};

/// Where casts are drawn: around the triangles of a mesh.
pub(crate) struct Questions<'a> {
    mesh: &'a Mesh,
    low: DVec3,
    size: DVec3,
    diagonal: f64,
}

impl<'a> Questions<'a> {
    pub(crate) fn about(mesh: &'a Mesh) -> Self {
        let (low, high) = mesh.bounds().map_or((DVec3::ZERO, DVec3::ONE), |b| (b.min(), b.max()));
        let (low, high) = (low + mesh.origin(), high + mesh.origin());
        let diagonal = (high - low).length();
        Self { mesh, low, size: high - low, diagonal: if diagonal > 0.0 { diagonal } else { 1.0 } }
    }

    /// The corners of a triangle; of none, a point.
    fn triangle(&self, random: &mut Random) -> [DVec3; 3] {
        match self.mesh.triangle_count() {
            0 => [self.low; 3],
            count => self.mesh.corners(random.below(count as usize) as u32).map(|c| c + self.mesh.origin()),
        }
    }

    /// A place on a triangle: inside, on an edge or at a corner.
    fn place(random: &mut Random, [a, b, c]: [DVec3; 3]) -> DVec3 {
        let (mut u, mut v) = (random.unit(), random.unit());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        match random.below(6) {
            0 => return a,
            1 => v = 0.0,
            _ => {}
        }
        a + (b - a) * u + (c - a) * v
    }

    /// A length that suits a triangle or the whole, from a hundredth of its edge to a quarter of the mesh.
    fn length(&self, random: &mut Random, [a, b, c]: [DVec3; 3]) -> f64 {
        let edge = (b - a).length().max((c - b).length()).max((a - c).length());
        let octaves = |random: &mut Random, low: f64, high: f64| {
            let exponent = random.between(low, high);
            let whole = exponent.floor();
            (0..whole.abs() as u32).fold(1.0, |x, _| if whole < 0.0 { x / 2.0 } else { x * 2.0 })
                * (1.0 + exponent - whole)
        };
        let length = match random.below(3) {
            0 => self.diagonal * octaves(random, -10.0, -2.0),
            _ => edge * octaves(random, -6.0, 2.0),
        };
        length.clamp(self.diagonal / 65536.0, self.diagonal / 4.0)
    }

    /// Cast number `i` of a stream: the same for ever.
    pub(crate) fn cast(&self, seed: u64, i: usize) -> Cast {
        let random = &mut Random::scattered(seed.wrapping_mul(0x1_0000_0000).wrapping_add(i as u64));
        let corners = self.triangle(random);
        let size = self.length(random, corners);
        let mover = mover(random, i, size);
        let reach = mover.bounds().half_extents().max_element();

        let place = Self::place(random, corners);
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or(DVec3::Y);
        let side = if random.unit() < 0.5 { normal } else { -normal };
        let from = match random.below(5) {
            0 => {
                let grown = self.size + DVec3::splat(self.diagonal * 0.2);
                self.low - DVec3::splat(self.diagonal * 0.1)
                    + grown * dvec3(random.unit(), random.unit(), random.unit())
            }
            // About in touch, as far as rounding allows.
            1 => place + side * reach,
            2 => place + side * (reach + size * random.between(-0.5, 1.0)),
            3 => place + random.direction() * (reach * random.unit()),
            // Overlapping a corner of f32, to the bit.
            _ => corners[random.below(3)] + [DVec3::X, DVec3::Y, DVec3::Z][random.below(3)] * reach,
        };
        let translation = match random.below(8) {
            0 | 1 => random.direction() * (size * random.unit()),
            2 => random.direction() * (self.diagonal * random.between(0.0, 0.5)),
            3 => {
                [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z][random.below(6)]
                    * (size * 4.0)
            }
            4 => side * -(size * 4.0),
            5 if random.unit() < 0.1 => DVec3::ZERO,
            _ => {
                let target = self.triangle(random);
                (Self::place(random, target) - from) * 1.25
            }
        };
        Cast::new(mover, from, translation).unwrap()
    }
}

/// A mover of about this size; `i` says of which kind.
pub(crate) fn mover(random: &mut Random, i: usize, size: f64) -> Mover {
    let rotation = random.rotation();
    let upright = random.unit() < 0.5;
    let radii = dvec3(random.between(0.3, 1.0), random.between(0.3, 1.0), random.between(0.3, 1.0)) * size;
    match i % 6 {
        0 => Mover::Point,
        1 | 2 => Sphere::new(size).unwrap().into(),
        3 => {
            let ellipsoid = Ellipsoid::new(radii).unwrap();
            if upright { ellipsoid } else { ellipsoid.with_rotation(rotation).unwrap() }.into()
        }
        4 => {
            let cuboid = Cuboid::new(radii).unwrap();
            if upright { cuboid } else { cuboid.with_rotation(rotation).unwrap() }.into()
        }
        _ => {
            let capsule = Capsule::new(radii.x * 0.5, radii.y).unwrap();
            if upright { capsule } else { capsule.with_rotation(rotation).unwrap() }.into()
        }
    }
}

/// All of an answer, to the bit: −0 is not 0 here.
pub(crate) fn bits(hit: &CastHit) -> (u64, [u64; 3], [u64; 3], String) {
    (
        hit.fraction.to_bits(),
        hit.point.to_array().map(f64::to_bits),
        hit.normal.to_array().map(f64::to_bits),
        format!("{:?} {} {} {:?}", hit.feature, hit.start_overlap, hit.part, hit.body),
    )
}
