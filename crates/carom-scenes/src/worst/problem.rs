//! A case, brought to the point where its question is asked.

use core::f64::consts::TAU;
use core::fmt;

use carom::character::{Character, GravityPass, Input, Settings, TickInput};
use carom::num::ops;
use carom::respond::{Climbing, Slide, WorldObstacles};
use carom::world::{Cast, Neighborhood, World};
use carom::{Capsule, Cuboid, Ellipsoid, Layers, Mover, Sphere};
use glam::DVec3;

use super::answer::Answer;
use super::genes::{Reader, Section};
use super::level::Levels;
use super::place::{Level, Spot};
use super::{Case, Family, Query};

/// A question to a world.
pub struct Problem {
    pub(super) world: World,
    pub(super) question: Question,
    /// Whether the world is small enough to ask every part.
    pub(super) is_small: bool,
}

/// The question, with all that it depends on.
pub(super) enum Question {
    Tick { character: Box<Character>, near: Box<Neighborhood>, input: Input, dt: f64 },
    Cast(Cast),
    Slide { mover: Mover, slide: Slide },
    Contacts { mover: Mover, at: DVec3, distance: f64 },
    Overlaps { mover: Mover, at: DVec3 },
    Closest { mover: Mover, at: DVec3, distance: f64 },
}

impl Problem {
    /// Makes the world of a case, and whatever happens before its question.
    pub fn new(levels: &Levels, case: &Case) -> Self {
        let level = levels.level(case.family, &case.genes);
        let section = |section| case.genes.section(section);
        let mover = mover(case.family, &mut section(Section::Mover));
        let mut place = section(Section::Place);
        let spot = levels.spot(&level, &mut place);
        let at = beside(&level, &mover, spot, &mut place);
        let mut reader = section(Section::Way);
        let question = match case.query {
            Query::Tick => return Self::tick(level, at, mover, case),
            Query::Cast => {
                let way = direction(&mut reader, spot, level.middle - at) * reader.octaves(1e-3, 20);
                Question::Cast(Cast::new(mover, at, way).expect("is finite"))
            }
            Query::Slide => Question::Slide { mover, slide: slide(&mut reader, at, spot, &level) },
            Query::Contacts => {
                let size = mover.bounds().half_extents().max_element();
                let distance = reader.octaves(1e-4, 13).min(size) * reader.pick(&[0.0, 1.0, 1.0]);
                Question::Contacts { mover, at, distance }
            }
            Query::Overlaps => Question::Overlaps { mover, at },
            Query::Closest => {
                let distance = reader.octaves(0.01, 17);
                let distance = reader.pick(&[distance, distance, f64::INFINITY]);
                Question::Closest { mover, at, distance }
            }
        };
        Self { world: level.world, question, is_small: !case.family.is_terrain() }
    }

    /// A tick after up to seven others.
    fn tick(mut level: Level, at: DVec3, mover: Mover, case: &Case) -> Self {
        let mut reader = case.genes.section(Section::Tick);
        let settings = settings(&mut reader, &mover);
        let dt = reader.octaves(1.0 / 4096.0, 9);
        let dt = reader.pick(&[1.0 / 60.0, 1.0 / 60.0, 1.0 / 30.0, 1.0 / 240.0, 0.1, dt]);
        let before = reader.below(8);
        let launched = [reader.below(3) == 0, reader.below(2) == 0];
        let mut way = case.genes.section(Section::Way);
        let heading = match way.below(3) {
            0 => DVec3::ZERO,
            1 => level_direction(&mut way),
            _ => way.direction(),
        };
        let speed = way.octaves(0.01, 13);
        let jump = (way.below(4) == 0).then(|| way.between(0.0, 10.0));
        let velocity = way.direction() * way.octaves(0.01, 13);
        let desired = (heading != DVec3::ZERO).then_some(heading * speed);
        let input = Input { desired_velocity: desired, jump };
        let mut character = Character::new(mover, settings)
            .and_then(|character| character.at(at))
            .expect("settings are in their ranges");
        match launched {
            [true, true] => character.launch(velocity).expect("is finite"),
            [true, false] => character.set_velocity(velocity).expect("is finite"),
            _ => {}
        }
        let mut near = Box::new(Neighborhood::new());
        let Level { world, driven, .. } = &mut level;
        for tick in 0..=before {
            world.advance(dt, |moves| {
                for (id, linear, angular) in driven.iter() {
                    moves.drive(*id, *linear, *angular).expect("it can move");
                }
            });
            if tick < before {
                character.step_with(world, TickInput::new(input, dt), &mut near, &mut ());
            }
        }
        let question = Question::Tick { character: Box::new(character), near, input, dt };
        Self { world: level.world, question, is_small: !case.family.is_terrain() }
    }

    /// Calls `around` with a closure that asks once: all that a tick changes is copied before that.
    pub fn ask<R>(&self, around: impl FnOnce(&mut dyn FnMut() -> Answer) -> R) -> R {
        let world = &self.world;
        match &self.question {
            Question::Tick { character, near, input, dt } => {
                let (mut character, mut near) = (**character, (**near).clone());
                around(&mut || {
                    let given = TickInput::new(*input, *dt);
                    Answer::Tick(Box::new(character.step_with(world, given, &mut near, &mut ())))
                })
            }
            Question::Cast(cast) => around(&mut || Answer::Cast(world.cast(cast))),
            Question::Slide { mover, slide } => around(&mut || {
                let obstacles = WorldObstacles::new(world, *mover, Layers::ALL);
                Answer::Slide(Box::new(carom::collide_and_slide(&obstacles, slide)))
            }),
            Question::Contacts { mover, at, distance } => around(&mut || {
                let mut found = Vec::new();
                world.contacts(mover, *at, *distance, Layers::ALL, |near| found.push(near));
                Answer::Contacts(found)
            }),
            Question::Overlaps { mover, at } => {
                around(&mut || Answer::Overlaps(world.overlaps(*mover, *at, Layers::ALL).expect("is finite")))
            }
            Question::Closest { mover, at, distance } => around(&mut || {
                Answer::Closest(world.closest(*mover, *at, *distance, Layers::ALL).expect("is finite"))
            }),
        }
    }
}

/// All numbers of the question.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.question {
            Question::Tick { character, input, dt, .. } => {
                let (at, velocity) = (character.position(), character.velocity());
                write!(f, "{:?} at {at}, velocity {velocity}, {input:?}, dt {dt}, ", character.shape())?;
                write!(f, "ground {:?}, {:?}", character.ground(), character.settings())
            }
            Question::Cast(cast) => write!(f, "{:?}, {:?}", cast.mover(), cast.path()),
            Question::Slide { mover, slide } => write!(f, "{mover:?}, {slide:?}"),
            Question::Contacts { mover, at, distance } => write!(f, "{mover:?} at {at}, within {distance} m"),
            Question::Overlaps { mover, at } => write!(f, "{mover:?} at {at}"),
            Question::Closest { mover, at, distance } => write!(f, "{mover:?} at {at}, within {distance} m"),
        }
    }
}

/// A shape of a size that its family allows.
fn mover(family: Family, reader: &mut Reader<'_>) -> Mover {
    let kind = reader.below(4);
    let [x, y, z] = [(); 3].map(|()| match family {
        Family::Hills | Family::HeightField => reader.octaves(0.1, 3),
        Family::LargeOnHills => reader.octaves(0.01, 13).min(50.0),
        _ => reader.octaves(0.02, 6),
    });
    let turn = reader.between(0.0, TAU);
    let rotation = match reader.below(3) {
        0 => ops::rotation_about(DVec3::Y, 0.0),
        1 => ops::rotation_about(DVec3::Y, turn),
        _ => ops::rotation_about(reader.direction(), turn),
    };
    let shape: Option<Mover> = match kind {
        0 => Sphere::new(x).ok().map(Into::into),
        1 => Capsule::new(x, y).and_then(|capsule| capsule.with_rotation(rotation)).ok().map(Into::into),
        2 => Ellipsoid::new(DVec3::new(x, y, z))
            .and_then(|ellipsoid| ellipsoid.with_rotation(rotation))
            .ok()
            .map(Into::into),
        _ => Cuboid::new(DVec3::new(x, y, z))
            .and_then(|cuboid| cuboid.with_rotation(rotation))
            .ok()
            .map(Into::into),
    };
    shape.expect("lengths are above 0")
}

/// A place for a mover: touching a surface, near it, in it, far above it, or anywhere.
fn beside(level: &Level, mover: &Mover, spot: Spot, reader: &mut Reader<'_>) -> DVec3 {
    let normal = spot.normal * reader.pick(&[1.0, 1.0, -1.0]);
    let support = mover.support_point(-normal);
    let out = -support.dot(normal);
    let amount = reader.octaves(1e-9, 34);
    // The corner of a turned cuboid that is lowest touches the spot itself.
    let touching = if reader.below(2) == 0 { spot.at - support } else { spot.at + normal * out };
    match reader.below(6) {
        0 => touching,
        1 => touching + normal * amount,
        2 => touching - normal * (2.0 * out * (amount / 17.0)),
        3 => spot.at + DVec3::Y * amount * 40.0,
        4 => level.middle + spot.normal * amount.min(level.half),
        _ => level.middle + (spot.at - level.middle) * (amount / 8.0),
    }
}

fn level_direction(reader: &mut Reader<'_>) -> DVec3 {
    let (sin, cos) = ops::sin_cos(TAU * reader.unit());
    DVec3::new(cos, 0.0, sin)
}

/// A direction in space, level, along an axis, into the spot, along its surface, or to the middle.
fn direction(reader: &mut Reader<'_>, spot: Spot, to_middle: DVec3) -> DVec3 {
    let kind = reader.below(6);
    let any = reader.direction();
    let along = any - spot.normal * any.dot(spot.normal);
    let chosen = match kind {
        0 => any,
        1 => any * DVec3::new(1.0, 0.0, 1.0),
        2 => DVec3::AXES[(any.x.abs() * 2.999) as usize] * any.z.signum(),
        3 => -spot.normal,
        4 => along,
        _ => to_middle,
    };
    chosen.normalize_or(any)
}

fn slide(reader: &mut Reader<'_>, at: DVec3, spot: Spot, level: &Level) -> Slide {
    let way = direction(reader, spot, level.middle - at) * reader.octaves(1e-3, 17);
    let slide = Slide::new(at, way)
        .with_contact_distance(reader.pick(&[0.0, 1e-4, 1e-3]))
        .with_friction(reader.pick(&[0.0, 0.5]));
    let climbing = Climbing { up: DVec3::Y, least_upright: reader.between(0.0, 1.0) };
    if reader.below(2) == 0 { slide.with_climbing(climbing) } else { slide }
}

fn settings(reader: &mut Reader<'_>, mover: &Mover) -> Settings {
    let pull = reader.octaves(0.5, 6) * reader.pick(&[1.0, 1.0, 1.0, 0.0]);
    let down = if reader.below(4) == 0 { reader.direction() } else { DVec3::NEG_Y };
    let skin = reader.octaves(1e-4, 8).min(0.5 * mover.bounds().half_extents().min_element());
    let (step, snap) = (reader.octaves(0.01, 7), reader.octaves(0.01, 7));
    Settings {
        up: -down,
        gravity: down * pull,
        skin: reader.pick(&[None, None, Some(skin)]),
        step_height: reader.pick(&[0.4, step, 0.0]),
        max_slope: reader.between(0.0, 0.25 * TAU),
        snap_distance: reader.pick(&[None, Some(snap), Some(0.0)]),
        friction: reader.pick(&[0.5, 0.0, 1.0]),
        gravity_pass: reader.pick(&[GravityPass::Separate, GravityPass::Separate, GravityPass::Combined]),
        ..Settings::default()
    }
}
