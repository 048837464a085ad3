//! The libraries with worlds that are made of bodies (W9 to W13).

mod carom;
#[cfg(feature = "physx")]
mod physx;
mod rapier;

use carom_scenes::SphereCast;
use carom_scenes::workload::BodyScene;
use glam::DVec3;

use super::{CastShape, Crowd};

/// How far the closest is looked for, beyond the surface of the ball, in meters.
const CLOSEST_WITHIN: f64 = 10.0;
/// How far contacts are looked for.
const CONTACTS_WITHIN: f64 = 0.1;

/// A question to a world of bodies, asked many times at once.
pub enum Question<'a> {
    /// The first hit.
    Cast(CastShape, &'a [SphereCast]),
    /// All that balls meet.
    CastAll(&'a [SphereCast]),
    /// The bodies closest to balls at these places.
    Closest(&'a [DVec3]),
    /// The bodies that they overlap.
    Overlaps(&'a [DVec3]),
    /// The bodies that they touch or nearly touch.
    Contacts(&'a [DVec3]),
}

impl Question<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Question::Cast(_, casts) | Question::CastAll(casts) => casts.len(),
            Question::Closest(places) | Question::Overlaps(places) | Question::Contacts(places) => {
                places.len()
            }
        }
    }
}

/// Answers a query, and says how much it found.
pub type Asked<'a> = Box<dyn FnMut() -> usize + 'a>;

/// A world of bodies at rest.
pub trait Bodies {
    /// The library.
    fn engine(&self) -> &'static str;
    /// How it was set up, where there is more than one setup; else empty.
    fn setup(&self) -> &'static str {
        ""
    }
    /// The question in its own words; `None` if the library knows no such question.
    fn ask<'a>(&'a self, question: &Question) -> Option<Asked<'a>>;
}

/// Everyone with bodies, Carom first; with the same as one mesh if that is wanted.
pub fn worlds(scene: &BodyScene, as_mesh: bool) -> Vec<Box<dyn Bodies>> {
    let mut all: Vec<Box<dyn Bodies>> = vec![Box::new(carom::Level::new(scene))];
    if as_mesh && scene.bodies.len() > 1 {
        all.push(Box::new(carom::Level::as_mesh(scene)));
    }
    if rapier::can_hold(scene) {
        all.push(Box::new(rapier::Level::new(scene)));
    }
    #[cfg(feature = "physx")]
    all.push(Box::new(physx::Level::new(scene)));
    all
}

/// The body of a hero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hero {
    /// Of a walker's size.
    Capsule,
    /// 0.4, 0.9, 0.4.
    Ellipsoid,
    /// Of 0.4 m.
    Sphere,
    /// Half its sides: 0.4, 0.9, 0.4.
    Cuboid,
}

/// The libraries with characters of this shape, Carom first, and then in the same world as one mesh.
pub fn crowds(scene: &BodyScene, starts: &[DVec3], hero: Hero) -> Vec<Box<dyn Crowd>> {
    let mut all: Vec<Box<dyn Crowd>> = vec![
        Box::new(carom::Characters::new(scene, starts, hero)),
        Box::new(carom::Characters::on_mesh(scene, starts, hero)),
    ];
    if rapier::can_hold(scene) && hero != Hero::Ellipsoid {
        all.push(Box::new(rapier::Characters::new(scene, starts, hero)));
    }
    #[cfg(feature = "physx")]
    if hero == Hero::Capsule {
        all.push(Box::new(physx::Characters::new(scene, starts)));
    }
    all
}

/// A world of which the first bodies are driven.
pub trait Moving {
    /// The library.
    fn engine(&self) -> &'static str;
    /// How it was set up.
    fn setup(&self) -> &'static str;
    /// A tick of a sixtieth of a second: all that is driven goes at this velocity, in m/s.
    fn advance(&mut self, velocity: DVec3);
    /// Whether it has a character.
    fn has_hero(&self) -> bool {
        true
    }
    /// The tick of the one character.
    fn hero(&mut self, desired_velocity: DVec3);
    /// How many of these balls meet something.
    fn cast(&mut self, casts: &[SphereCast]) -> usize;
}

/// Everyone with bodies that move, Carom first.
pub fn moving(scene: &BodyScene, driven: usize, hero: DVec3) -> Vec<Box<dyn Moving>> {
    let mut all: Vec<Box<dyn Moving>> = vec![
        Box::new(carom::Driven::new(scene, driven, hero)),
        Box::new(rapier::Driven::new(scene, driven, hero)),
    ];
    #[cfg(feature = "physx")]
    all.push(Box::new(physx::Driven::new(scene, driven, hero)));
    all.shrink_to_fit();
    all
}
