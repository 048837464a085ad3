//! Carom with worlds of bodies.

use std::hint::black_box;
use std::sync::Arc;

use carom::character::{Character, Input, Settings, TickInput};
use carom::shape::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use carom::world::{Body, BodyId, Cast, Collider, MeshTree, Neighborhood, World};
use carom::{Layers, Pose};
use carom_scenes::SphereCast;
use carom_scenes::workload::{BodyScene, CAST_RADIUS, Form, PlacedBody, WALKER_HALF_HEIGHT, WALKER_RADIUS};
use glam::DVec3;

use super::super::carom::questions;
use super::{Asked, Bodies, CLOSEST_WITHIN, CONTACTS_WITHIN, Crowd, Hero, Moving, Question};

const ENGINE: &str = "carom";
const AS_MESH: &str = "one mesh";
const TICK: f64 = 1.0 / 60.0;

/// The bodies of a scene, the first `driven` of them kinematic.
fn world(scene: &BodyScene, driven: usize) -> (World, Vec<BodyId>) {
    let meshes: Vec<Arc<MeshTree>> = scene
        .meshes
        .iter()
        .map(|mesh| Arc::new(MeshTree::new(mesh.clone().into_mesh().expect("generated meshes are finite"))))
        .collect();
    let mut world = World::new();
    let mut add = |(i, placed): (usize, &PlacedBody)| {
        let pose = Pose::at(placed.position).and_then(|pose| pose.with_rotation(placed.rotation));
        let pose = pose.expect("generated poses are finite");
        let (collider, pose): (Collider, Pose) = match placed.form {
            Form::Cuboid(half) => (Cuboid::new(half).expect("of positive size").into(), pose),
            Form::Instance { mesh, scale } => {
                (meshes[mesh].clone().into(), pose.with_scale(scale).expect("of positive size"))
            }
        };
        let body = if i < driven { Body::kinematic(collider) } else { Body::fixed(collider) };
        world.add(body.at(pose))
    };
    let ids = scene.bodies.iter().enumerate().map(&mut add).collect();
    (world, ids)
}

fn mesh_world(scene: &BodyScene) -> World {
    world(&BodyScene::of_mesh(scene.mesh()), 0).0
}

/// Bodies at rest, or all of them as one mesh.
pub struct Level {
    world: World,
    setup: &'static str,
}

impl Level {
    pub fn new(scene: &BodyScene) -> Self {
        Self { world: world(scene, 0).0, setup: "" }
    }

    pub fn as_mesh(scene: &BodyScene) -> Self {
        Self { world: mesh_world(scene), setup: AS_MESH }
    }

    fn at_places<'a>(
        &'a self,
        places: &[DVec3],
        mut ask: impl FnMut(Mover, DVec3) -> usize + 'a,
    ) -> Asked<'a> {
        let places = places.to_vec();
        let ball: Mover = Sphere::new(CAST_RADIUS).expect("of positive size").into();
        Box::new(move || places.iter().map(|at| ask(ball, black_box(*at))).sum())
    }
}

impl Bodies for Level {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn setup(&self) -> &'static str {
        self.setup
    }

    fn ask<'a>(&'a self, question: &Question) -> Option<Asked<'a>> {
        let world = &self.world;
        Some(match question {
            Question::Cast(shape, casts) => {
                let casts = questions(*shape, casts);
                Box::new(move || casts.iter().filter(|cast| world.cast(black_box(cast)).is_some()).count())
            }
            Question::CastAll(casts) => {
                let casts = questions(super::CastShape::Sphere, casts);
                Box::new(move || casts.iter().map(|cast| world.cast_all(black_box(cast)).len()).sum())
            }
            Question::Closest(places) => self.at_places(places, |ball, at| {
                let closest = world.closest(ball, at, CLOSEST_WITHIN, Layers::ALL);
                usize::from(closest.expect("places are finite").is_some())
            }),
            Question::Overlaps(places) => self.at_places(places, |ball, at| {
                world.overlaps(ball, at, Layers::ALL).expect("places are finite").len()
            }),
            Question::Contacts(places) => self.at_places(places, |ball, at| {
                let mut count = 0;
                world.contacts(&ball, at, CONTACTS_WITHIN, Layers::ALL, |_| count += 1);
                count
            }),
        })
    }
}

fn mover(hero: Hero) -> Mover {
    let tall = DVec3::new(0.4, 0.9, 0.4);
    match hero {
        Hero::Capsule => Capsule::new(WALKER_RADIUS, WALKER_HALF_HEIGHT).map(Mover::from),
        Hero::Ellipsoid => Ellipsoid::new(tall).map(Mover::from),
        Hero::Sphere => Sphere::new(0.4).map(Mover::from),
        Hero::Cuboid => Cuboid::new(tall).map(Mover::from),
    }
    .expect("of positive size")
}

fn character(hero: Hero, start: DVec3) -> Character {
    let one = Character::new(mover(hero), Settings::default()).expect("the default settings are in range");
    one.at(start).expect("starts are finite")
}

/// Characters by the default settings: ground, steps of 0.4 m, snap.
pub struct Characters {
    world: World,
    characters: Vec<(Character, Neighborhood)>,
    setup: &'static str,
}

impl Characters {
    pub fn new(scene: &BodyScene, starts: &[DVec3], hero: Hero) -> Self {
        Self::within(world(scene, 0).0, starts, hero, "ground, steps, snap")
    }

    pub fn on_mesh(scene: &BodyScene, starts: &[DVec3], hero: Hero) -> Self {
        Self::within(mesh_world(scene), starts, hero, AS_MESH)
    }

    fn within(world: World, starts: &[DVec3], hero: Hero, setup: &'static str) -> Self {
        let characters = starts.iter().map(|start| (character(hero, *start), Neighborhood::new())).collect();
        Self { world, characters, setup }
    }
}

impl Crowd for Characters {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn setup(&self) -> &'static str {
        self.setup
    }

    fn tick(&mut self, desired_velocities: &[DVec3]) {
        for ((character, near), desired_velocity) in self.characters.iter_mut().zip(desired_velocities) {
            let input = TickInput::new(Input::walk(*desired_velocity), TICK);
            black_box(character.step_with(&self.world, input, near, &mut ()));
        }
    }

    fn positions(&self) -> Vec<DVec3> {
        self.characters.iter().map(|(character, _)| character.position()).collect()
    }
}

/// `World::advance`, on one thread.
pub struct Driven {
    world: World,
    driven: Vec<BodyId>,
    hero: (Character, Neighborhood),
}

impl Driven {
    pub fn new(scene: &BodyScene, driven: usize, hero: DVec3) -> Self {
        let (world, mut ids) = world(scene, driven);
        ids.truncate(driven);
        Self { world, driven: ids, hero: (character(Hero::Capsule, hero), Neighborhood::new()) }
    }
}

impl Moving for Driven {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn setup(&self) -> &'static str {
        "advance"
    }

    fn advance(&mut self, velocity: DVec3) {
        self.world.advance(TICK, |moves| {
            for id in &self.driven {
                moves.drive(*id, velocity, DVec3::ZERO).expect("all are kinematic");
            }
        });
    }

    fn hero(&mut self, desired_velocity: DVec3) {
        let (character, near) = &mut self.hero;
        black_box(character.step_with(
            &self.world,
            TickInput::new(Input::walk(desired_velocity), TICK),
            near,
            &mut (),
        ));
    }

    fn cast(&mut self, casts: &[SphereCast]) -> usize {
        let meets = |cast: &&SphereCast| {
            let ball = Sphere::new(cast.radius).expect("of positive size");
            let cast = Cast::new(ball, cast.from, cast.translation).expect("finite");
            self.world.cast(&cast).is_some()
        };
        casts.iter().filter(meets).count()
    }
}
