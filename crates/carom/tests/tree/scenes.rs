//! Sets of boxes of every kind that is hard on a tree.

use carom::shape::Aabb;
use carom::tree::{BoundingSphere, PackedAabb, Volume};
use glam::{DVec3, dvec3};

/// xorshift64*.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// 0 … 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub(crate) fn vector(&mut self, low: f64, high: f64) -> DVec3 {
        dvec3(self.between(low, high), self.between(low, high), self.between(low, high))
    }

    pub(crate) fn coin(&mut self) -> bool {
        self.bits().is_multiple_of(2)
    }

    /// An integer from −`most` to `most`.
    pub(crate) fn whole(&mut self, most: i64) -> i64 {
        (self.bits() % (2 * most as u64 + 1)) as i64 - most
    }
}

/// A whole power.
pub(crate) fn power(base: f64, exponent: u32) -> f64 {
    (0..exponent).fold(1.0, |power, _| power * base)
}

fn about(center: DVec3, half: DVec3) -> Aabb {
    Aabb::new(center - half, center + half).unwrap()
}

/// Name and boxes; about `count` of them.
pub(crate) fn scenes(count: usize) -> Vec<(&'static str, Vec<Aabb>)> {
    let mut random = Random::new(0x7EEE ^ count as u64);
    let mut fill = |make: &dyn Fn(&mut Random, usize) -> Aabb| -> Vec<Aabb> {
        (0..count).map(|i| make(&mut random, i)).collect()
    };
    vec![
        ("uniform", fill(&|r, _| about(r.vector(-90.0, 90.0), r.vector(0.0, 4.0)))),
        (
            "clustered",
            fill(&|r, i| {
                let cluster = dvec3((i % 7) as f64, (i % 3) as f64, (i % 5) as f64) * 20.0;
                about(cluster + r.vector(-0.1, 0.1), r.vector(0.0, 0.05))
            }),
        ),
        (
            "flat",
            fill(&|r, _| {
                let (a, b) = (r.vector(-90.0, 90.0), r.vector(0.0, 3.0));
                about(dvec3(a.x, 7.0, a.z), dvec3(b.x, 0.0, b.z))
            }),
        ),
        ("on a line", fill(&|_, i| about(dvec3(i as f64, 0.0, 0.0), dvec3(0.5, 0.0, 0.0)))),
        ("points", fill(&|r, _| about(r.vector(-90.0, 90.0), DVec3::ZERO))),
        ("identical", fill(&|_, _| about(dvec3(3.0, -4.0, 5.0), dvec3(1.0, 2.0, 3.0)))),
        ("identical points", fill(&|_, _| about(DVec3::ZERO, DVec3::ZERO))),
        (
            "exponentially spaced",
            fill(&|_, i| {
                let place = 100.0 / (1u128 << (i % 110)) as f64;
                about(DVec3::splat(place), DVec3::splat(place / 4.0))
            }),
        ),
        (
            "nested",
            fill(&|_, i| {
                let size = 100.0 * power(0.97, i as u32 % 700);
                about(dvec3(size / 3.0, 0.0, 0.0), DVec3::splat(size))
            }),
        ),
        (
            "giant and tiny",
            fill(&|r, i| {
                let half = if i % 10 == 0 { r.vector(50.0, 100.0) } else { r.vector(0.0, 1e-3) };
                about(r.vector(-90.0, 90.0), half)
            }),
        ),
        ("far away", fill(&|r, _| about(dvec3(4e6, -3e6, 5e6) + r.vector(-90.0, 90.0), r.vector(0.0, 4.0)))),
    ]
}

/// The kinds of volumes under test, each from the same boxes.
pub(crate) trait Kind: Volume + std::fmt::Debug + PartialEq {
    fn of(aabb: &Aabb) -> Self;
}

impl Kind for Aabb {
    fn of(aabb: &Aabb) -> Self {
        *aabb
    }
}

impl Kind for PackedAabb {
    fn of(aabb: &Aabb) -> Self {
        aabb.into()
    }
}

impl Kind for BoundingSphere {
    fn of(aabb: &Aabb) -> Self {
        let (center, half) = ((aabb.min() + aabb.max()) * 0.5, (aabb.max() - aabb.min()) * 0.5);
        Self::new(center.as_vec3(), half.length() as f32).unwrap()
    }
}

pub(crate) fn volumes<V: Kind>(boxes: &[Aabb]) -> Vec<V> {
    boxes.iter().map(V::of).collect()
}
