//! Parts for the scenes of the character's laws: shapes, turned and distant frames, blocks, rates.

use carom::character::{Character, Settings};
use carom::num::ops;
use carom::{Body, Capsule, Cuboid, Ellipsoid, Mover, Pose, Sphere, World};
use glam::{DVec3, dvec3};

use crate::random::Random;

/// The shapes of the scenes.
pub(crate) fn shapes() -> [Shape; 5] {
    let round = |mover: Mover, radius, half_height| Shape { mover, radius, half_height };
    [
        round(Capsule::new(0.3, 0.675).unwrap().into(), 0.3, 0.975),
        round(Capsule::new(0.4, 0.5).unwrap().into(), 0.4, 0.9),
        round(Ellipsoid::new(dvec3(0.4, 0.9, 0.4)).unwrap().into(), 0.4, 0.9),
        round(Ellipsoid::new(dvec3(0.3, 0.975, 0.3)).unwrap().into(), 0.3, 0.975),
        round(Sphere::new(0.5).unwrap().into(), 0.5, 0.5),
    ]
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) mover: Mover,
    pub(crate) radius: f64,
    pub(crate) half_height: f64,
}

impl Shape {
    pub(crate) fn hero(self) -> Character {
        Character::new(self.mover, Settings::default()).unwrap()
    }

    /// From the center to the feet, with the skin.
    pub(crate) fn feet(self) -> f64 {
        self.half_height + self.hero().skin()
    }
}

/// A scene turned about y and moved away from the origin.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) angle: f64,
    pub(crate) origin: DVec3,
}

impl Frame {
    pub(crate) fn any(random: &mut Random) -> Self {
        if random.below(2) == 0 {
            return Self { angle: 0.0, origin: DVec3::ZERO };
        }
        let origin =
            dvec3(random.between(-1.0, 1.0), random.between(-0.1, 0.1), random.between(-1.0, 1.0)) * 1e3;
        Self { angle: random.between(0.0, core::f64::consts::TAU), origin }
    }

    pub(crate) fn way(&self, way: DVec3) -> DVec3 {
        ops::rotation_about(DVec3::Y, self.angle) * way
    }

    pub(crate) fn place(&self, place: DVec3) -> DVec3 {
        self.origin + self.way(place)
    }

    /// Back to where the scene was made.
    pub(crate) fn own(&self, place: DVec3) -> DVec3 {
        ops::rotation_about(DVec3::Y, -self.angle) * (place - self.origin)
    }

    /// A box from `low` to `high`.
    pub(crate) fn block(&self, world: &mut World, low: DVec3, high: DVec3) {
        let pose = Pose::at(self.place((low + high) * 0.5))
            .and_then(|pose| pose.with_rotation(ops::rotation_about(DVec3::Y, self.angle)))
            .unwrap();
        world.add(Body::fixed(Cuboid::new((high - low) * 0.5).unwrap()).at(pose));
    }
}

pub(crate) const RATES: [f64; 6] = [20.0, 30.0, 60.0, 144.0, 240.0, 1000.0];
