//! What a response asks of the place it happens in: sweeps and contacts, from a world or from anything else that can answer.

use glam::DVec3;

use crate::shape::Mover;
use crate::sweep::{Contact, Path};
use crate::world::{BodyId, Cast, Layers, Part, World};

/// A contact, and what the surface does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch<K> {
    /// Names what is touched.
    pub key: K,
    /// Gap, normal and point.
    pub contact: Contact,
    /// How far the surface itself moves in the time of the whole motion, in metres.
    pub motion: DVec3,
    /// The coefficient of friction; none: whatever the caller's default is.
    pub friction: Option<f64>,
    /// The share of the speed into the surface that comes back.
    pub restitution: f64,
}

/// Whatever can stop a mover. The mover itself (grown by its skin) is known to it.
pub trait Obstacles {
    /// Names a part that can be touched.
    type Key: Copy + Eq;

    /// The first contact on the way of the centre: the fraction, and what is met.
    fn sweep(&self, from: DVec3, translation: DVec3) -> Option<(f64, Self::Key)>;

    /// Every contact within `distance` of the mover with its centre at `at`.
    fn contacts(&self, at: DVec3, distance: f64, visit: &mut dyn FnMut(Touch<Self::Key>));

    /// How the mover with its centre at `at` stands to one part, however far; none if that part can't be touched from there.
    fn contact(&self, key: Self::Key, at: DVec3) -> Option<Touch<Self::Key>>;
}

/// A mover among the bodies of a world, on some of its layers.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    world: &'a World,
    mover: Mover,
    layers: Layers,
}

impl<'a> Surroundings<'a> {
    /// What stops `mover` in `world` on `layers`.
    pub fn new(world: &'a World, mover: impl Into<Mover>, layers: Layers) -> Self {
        Self { world, mover: mover.into(), layers }
    }

    fn touch(&self, part: Part, contact: Contact) -> Touch<Part> {
        let surface = self.world.surface(part.body, part.part).copied().unwrap_or_default();
        Touch {
            key: part,
            contact,
            motion: DVec3::ZERO,
            friction: surface.friction,
            restitution: surface.restitution,
        }
    }
}

impl Obstacles for Surroundings<'_> {
    type Key = Part;

    fn sweep(&self, from: DVec3, translation: DVec3) -> Option<(f64, Part)> {
        // A way that is not finite is no way: the mover stays where it is.
        let Ok(cast) = Cast::new(self.mover, from, translation) else {
            return Some((0.0, Part { body: BodyId::NOWHERE, part: 0 }));
        };
        let hit = self.world.cast(&cast.filter(self.layers))?;
        Some((hit.fraction, Part { body: hit.body, part: hit.part }))
    }

    fn contacts(&self, at: DVec3, distance: f64, visit: &mut dyn FnMut(Touch<Part>)) {
        self.world.contacts(&self.mover, at, distance, self.layers, |near| {
            visit(self.touch(near.part, near.contact));
        });
    }

    fn contact(&self, part: Part, at: DVec3) -> Option<Touch<Part>> {
        let at = Path::new(at, DVec3::ZERO).ok()?;
        Some(self.touch(part, self.world.contact(&self.mover, &at, part)?))
    }
}
