//! Games that change everything while it runs: entities come and go, grow, become sensors and lifts, and the
//! origin moves.

use std::collections::BTreeSet;

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_carom::prelude::*;
use carom_scenes::Random;

use crate::{app_at, messages};

/// A number of eighths: exact about every origin of whole meters.
fn eighths(random: &mut Random, size: f32) -> f32 {
    (random.between(-1.0, 1.0) as f32 * size * 8.0).round() / 8.0
}

/// An app and the entities of a script, which names them by number.
struct Game {
    app: App,
    moves_origin: bool,
    /// The origin from the next tick on: what is spawned before it still has coordinates about the old one.
    next_origin: DVec3,
    entities: Vec<Option<Entity>>,
    inside: BTreeSet<(Entity, Entity)>,
}

impl Game {
    fn new(moves_origin: bool) -> Self {
        let mut app = app_at(WorldOrigin::default());
        app.world_mut().spawn((Collider::cuboid(20.0, 0.5, 20.0), Transform::from_xyz(0.0, -0.5, 0.0)));
        Self { app, moves_origin, next_origin: DVec3::ZERO, entities: Vec::new(), inside: BTreeSet::new() }
    }

    fn place(&self, at: Vec3) -> Vec3 {
        (at.as_dvec3() - self.app.world().resource::<WorldOrigin>().0).as_vec3()
    }

    /// One change, the same in every game that has the same random numbers.
    fn change(&mut self, random: &mut Random) {
        let at = Vec3::new(eighths(random, 8.0), 1.0 + eighths(random, 0.5).abs(), eighths(random, 8.0));
        let way = Vec3::new(eighths(random, 3.0), 0.0, eighths(random, 3.0));
        let transform = Transform::from_translation(self.place(at));
        let kind = (random.unit() * 12.0) as u32;
        let number = (random.unit() * self.entities.len() as f64) as usize;
        let origin = DVec3::new(way.x.round().into(), 0.0, way.z.round().into()) * 64.0;
        let scale = [0.5, 1.0, 2.0][(random.unit() * 3.0) as usize];
        let world = self.app.world_mut();
        let new = match kind {
            0 | 1 => {
                let input = CharacterInput { desired_velocity: Some(way), ..default() };
                let hero = (Collider::capsule(0.35, 0.55), CharacterController::default(), input);
                Some(world.spawn((hero, transform)).id())
            }
            2 => Some(
                world.spawn((Collider::cuboid(0.5, 0.25, 0.5), RigidMotion::pushed(20.0), transform)).id(),
            ),
            3 => {
                let top = transform.translation + Vec3::Y * 2.0;
                let lift = RigidMotion::shuttle(transform.translation, top, 2.0, 0.5);
                Some(world.spawn((Collider::cuboid(1.0, 0.125, 1.0), lift, transform)).id())
            }
            4 => Some(world.spawn((Collider::cuboid(0.5, 0.5, 0.5), Sensor, transform)).id()),
            5 => Some(world.spawn((Collider::sphere(0.5), transform)).id()),
            _ => None,
        };
        if new.is_some() {
            self.entities.push(new);
            return;
        }
        let Some(entity) = self.entities.get(number).copied().flatten() else { return };
        let is_hero = world.get::<CharacterController>(entity).is_some();
        let is_fixed = !is_hero && world.get::<RigidMotion>(entity).is_none();
        match kind {
            6 => {
                world.despawn(entity);
                self.entities[number] = None;
            }
            7 if is_fixed => world.get_mut::<Transform>(entity).unwrap().scale = Vec3::splat(scale),
            7 if is_hero => {
                let height = if scale < 1.0 { 0.25 } else { 0.55 };
                *world.get_mut::<Collider>(entity).unwrap() = Collider::capsule(0.35, height);
            }
            8 if is_fixed && world.get::<Sensor>(entity).is_some() => {
                world.entity_mut(entity).remove::<Sensor>();
            }
            8 if is_fixed => {
                world.entity_mut(entity).insert(Sensor);
            }
            9 if is_hero || is_fixed => {
                world.get_mut::<Transform>(entity).unwrap().translation = transform.translation;
            }
            10 if is_hero => {
                let mut input = world.get_mut::<CharacterInput>(entity).unwrap();
                (input.desired_velocity, input.jump) = (Some(way), Some(4.0));
            }
            11 if self.moves_origin => self.next_origin += origin,
            _ => {}
        }
    }

    /// The places in Carom's world, to the bit, and the touches of sensors, by number.
    fn tick(&mut self) -> (Vec<Option<[u64; 3]>>, Vec<(usize, usize, bool)>) {
        self.app.world_mut().resource_mut::<WorldOrigin>().0 = self.next_origin;
        self.app.update();
        let refused: Vec<EntityRefused> = messages(&self.app);
        assert!(refused.is_empty(), "{refused:?}");
        let carom = self.app.world().resource::<CaromWorld>();
        let place = |entity: Entity| {
            let at = match carom.character(entity) {
                Some(hero) => hero.position(),
                None => carom.body(entity).unwrap().pose().position(),
            };
            at.to_array().map(f64::to_bits)
        };
        let places = self.entities.iter().map(|entity| entity.map(place)).collect();
        let mut touches = Vec::new();
        let number = |entity| self.entities.iter().position(|one| *one == Some(entity)).unwrap_or(usize::MAX);
        for touch in messages::<SensorTouch>(&self.app) {
            let (pair, starts) = ((touch.sensor, touch.visitor), touch.phase == TouchPhase::Started);
            let changes = if starts { self.inside.insert(pair) } else { self.inside.remove(&pair) };
            assert!(changes, "{touch:?} comes twice");
            touches.push((number(touch.sensor), number(touch.visitor), starts));
        }
        for sensor in self.entities.iter().flatten() {
            if self.app.world().get::<Sensor>(*sensor).is_some() {
                let listed = self.app.world().get::<SensorVisitors>(*sensor).unwrap();
                let own = self.inside.iter().filter(|pair| pair.0 == *sensor);
                let inside: Vec<Entity> = own.map(|pair| pair.1).collect();
                assert_eq!(listed.0, inside, "the visitors of {sensor}");
            }
        }
        touches.sort_unstable();
        (places, touches)
    }
}

#[test]
fn a_game_that_changes_everything_is_the_same_about_an_origin_that_moves() {
    let (mut touched, mut moved) = (0, 0);
    for seed in 0..6 {
        let mut games = [Game::new(false), Game::new(true)];
        for tick in 0..300 {
            let [one, other] = &mut games;
            let changes = |game: &mut Game| {
                let mut random = Random::scattered(1000 * seed + tick);
                (0..2).for_each(|_| game.change(&mut random));
                game.tick()
            };
            let (places, touches) = changes(one);
            let (others, other_touches) = changes(other);
            assert_eq!(places, others, "in tick {tick} of game {seed}");
            assert_eq!(touches, other_touches, "in tick {tick} of game {seed}");
            touched += touches.len();
            // Drawn where it is.
            let carom = other.app.world().resource::<CaromWorld>();
            for entity in other.entities.iter().flatten() {
                let Some(hero) = carom.character(*entity) else { continue };
                let origin = other.app.world().resource::<WorldOrigin>().0;
                let at = DVec3::from_array(hero.position().to_array()) - origin;
                let drawn = other.app.world().get::<Transform>(*entity).unwrap().translation;
                assert!((at.as_vec3() - drawn).length() < 1e-3, "{at} is drawn at {drawn}");
            }
        }
        moved += usize::from(games[1].app.world().resource::<WorldOrigin>().0 != DVec3::ZERO);
    }
    assert!(touched > 100 && moved > 3, "{touched} {moved}");
}
