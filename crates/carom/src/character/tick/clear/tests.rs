//! Ticks on clear floor beside the whole tick: on floors of squares, of one box and of many, with steps,
//! holes and crates on them, and bodies that move far away and near.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use glam::{DVec3, dvec3};

use super::super::context::TickContext;
use crate::character::{Character, Input, Obstacle, Report, Settings, State, TickInput};
use crate::mesh::Mesh;
use crate::num::ops;
use crate::num::random::Random;
use crate::shape::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use crate::trace::{Event, Trace};
use crate::world::{Body, BodyId, Neighborhood, Pose, World};

/// Records every event.
#[derive(Default)]
struct Recorder(Vec<String>);

impl Trace<Obstacle> for Recorder {
    fn event(&mut self, event: &Event<'_, Obstacle>) {
        self.0.push(format!("{event:?}"));
    }
}

/// A scene with an axis of the world for up.
struct Scene {
    world: World,
    up: DVec3,
    /// Perpendicular to that.
    side: DVec3,
    front: DVec3,
    /// The position of its middle.
    middle: DVec3,
    moving: Vec<BodyId>,
}

const SIDE: i32 = 12;

impl Scene {
    fn new(random: &mut Random) -> Self {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let axis = random.pick(&[1, 1, 1, 1, 0, 2]);
        let up = axes[axis] * random.pick(&[1.0, 1.0, 1.0, -1.0]);
        let (side, front) = (axes[(axis + 1) % 3], axes[(axis + 2) % 3]);
        let middle = side * random.pick(&[0.0, 0.0, 37.25, -512.5]) + up * random.pick(&[0.0, 0.0, 3.0]);
        let mut scene = Self { world: World::new(), up, side, front, middle, moving: Vec::new() };
        match random.pick(&[0, 0, 1, 2, 2, 3]) {
            0 => scene.add_squares(0.0, false),
            1 => scene.add_box(DVec3::ZERO, 1.0 + f64::from(SIDE) / 2.0, 0.0),
            2 => scene.add_boxes(random),
            _ => scene.add_squares(random.pick(&[0.05, 0.3]), true),
        }
        for _ in 0..random.pick(&[0, 0, 1, 3]) {
            let at = scene.place(random, 4.0);
            scene.add_box(at, 0.2, random.pick(&[0.4, 0.1]));
        }
        for _ in 0..random.pick(&[0, 0, 2, 6]) {
            let (size, height) = (random.pick(&[9.0, 4.0]), random.pick(&[1.0, 0.35]));
            let at = scene.place(random, size) + scene.up * height;
            let half = Cuboid::new(DVec3::splat(0.3)).expect("a shape");
            let id = scene.world.add(Body::kinematic(half).at(Pose::at(scene.middle + at).expect("finite")));
            scene.moving.push(id);
        }
        scene
    }

    /// A random place on the floor, relative to the middle.
    fn place(&self, random: &mut Random, size: f64) -> DVec3 {
        self.side * (size * random.number()) + self.front * (size * random.number())
    }

    /// A mesh of squares of a meter in two triangles each: higher in some places, and with holes.
    fn add_squares(&mut self, step: f64, has_holes: bool) {
        let corner = |i: i32, j: i32, height: f64| {
            let (a, b) = (f64::from(i - SIDE / 2), f64::from(j - SIDE / 2));
            (self.middle + self.side * a + self.front * b + self.up * height).as_vec3().to_array()
        };
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for i in 0..SIDE {
            for j in 0..SIDE {
                if has_holes && (i * 7 + j * 3) % 17 == 0 {
                    continue;
                }
                let height = if (i * 5 + j) % 11 == 0 { step } else { 0.0 };
                let first = vertices.len() as u32;
                vertices.extend([
                    corner(i, j, height),
                    corner(i + 1, j, height),
                    corner(i + 1, j + 1, height),
                    corner(i, j + 1, height),
                ]);
                triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
            }
        }
        self.world.add(Body::fixed(Mesh::from_triangles(vertices, triangles).expect("finite")));
    }

    /// A box with its top at this height.
    fn add_box(&mut self, at: DVec3, half: f64, top: f64) {
        let low = 0.5;
        let size = (self.side + self.front) * half + self.up.abs() * low;
        let center = self.middle + at + self.up * (top - low);
        let solid = Cuboid::new(size.abs()).expect("a shape");
        self.world.add(Body::fixed(solid).at(Pose::at(center).expect("finite")));
    }

    fn add_boxes(&mut self, random: &mut Random) {
        let tops = random.pick(&[[0.0; 4], [0.0, 0.0, -0.01, -0.4], [0.0, 0.0, 0.0, 0.2]]);
        for i in 0..SIDE {
            for j in 0..SIDE {
                let (a, b) = (f64::from(i - SIDE / 2), f64::from(j - SIDE / 2));
                let top = random.pick(&tops);
                self.add_box(self.side * a + self.front * b, 0.5, top);
            }
        }
    }

    fn settings(&self, random: &mut Random) -> Settings {
        let strength = random.pick(&[9.81, 9.81, 1.6, 30.0]);
        let lean = self.side * random.pick(&[0.0, 0.0, 0.0, 1.0]);
        Settings {
            up: self.up,
            gravity: self.up * -strength + lean,
            friction: random.pick(&[1.0, 1.0, 0.0, 0.4]),
            skin: random.pick(&[None, None, Some(0.01), Some(1e-6)]),
            snap_distance: random.pick(&[None, None, Some(0.0), Some(0.02)]),
            ..Settings::default()
        }
    }

    fn input(&self, random: &mut Random) -> Input {
        let (sin, cos) = ops::sin_cos(random.number() * 6.3);
        let speed = random.pick(&[0.0, 1e-9, 0.5, 3.0, 5.0, 8.0]);
        let direction = random.pick(&[self.side * cos + self.front * sin, self.side, -self.front]);
        let climb = self.up * random.pick(&[0.0, 0.0, 0.0, 2.0]);
        match random.pick(&[0, 1, 2, 3, 4, 5, 6, 7]) {
            0 => Input::IDLE,
            1 => Input::walk(direction * speed + climb).jump(random.pick(&[0.5, 4.0])),
            _ => Input::walk(direction * speed + climb),
        }
    }
}

fn mover(random: &mut Random, up: DVec3) -> Mover {
    let capsule = Capsule::new(0.3, 0.6).expect("a shape");
    let about = if up.y == 0.0 { up.cross(DVec3::Y) } else { DVec3::X };
    let quarter = ops::rotation_about(about, core::f64::consts::FRAC_PI_2);
    let lying = capsule.with_rotation(quarter).expect("a turn");
    let (flat, upright) = (dvec3(0.4, 0.9, 0.4), dvec3(0.3, 0.9, 0.3));
    random.pick(&[
        capsule.into(),
        capsule.into(),
        Capsule::new(0.25, 0.0).expect("a shape").into(),
        lying.into(),
        Sphere::new(0.4).expect("a shape").into(),
        Ellipsoid::new(flat).expect("a shape").into(),
        Cuboid::new(upright).expect("a shape").into(),
    ])
}

#[test]
fn a_tick_on_clear_floor_is_the_whole_tick() {
    let mut random = Random(0x25);
    let (mut clear, mut stood, mut among, mut beside) = (0, 0, 0, 0);
    for scene_number in 0..300 {
        let mut scene = Scene::new(&mut random);
        let mover = mover(&mut random, scene.up);
        let settings = scene.settings(&mut random);
        let dt = 1.0 / random.pick(&[20.0, 30.0, 60.0, 60.0, 144.0, 240.0]);
        let at = scene.middle + scene.place(&mut random, 4.0) + scene.up * 1.5;
        let hero = Character::new(mover, settings).and_then(|hero| hero.at(at));
        let mut hero = hero.expect("a character");
        let mut near = Neighborhood::new();
        let mut input = Input::IDLE;
        for tick in 0..240 {
            if tick % 24 == 0 {
                input = scene.input(&mut random);
            } else if random.number() > 0.95 {
                input.desired_velocity = input.desired_velocity.map(|wanted| wanted * 0.7);
            }
            if !scene.moving.is_empty() {
                let (way, turn) = (random.number() * 3.0, random.number() * random.pick(&[0.0, 4.0]));
                let (linear, angular) = (scene.side * way, scene.up * turn);
                let moving = &scene.moving;
                scene.world.advance(dt, |moves| {
                    for (number, id) in moving.iter().enumerate() {
                        // Some rest.
                        let is_driven = number % 3 != 2;
                        let _ = is_driven.then(|| moves.drive(*id, linear, angular));
                    }
                });
            }
            let given = TickInput::new(input, dt);
            let is_clear = is_clear(&hero, &scene.world, given, &near);
            clear += u32::from(is_clear);
            among += u32::from(is_clear && !scene.moving.is_empty());
            let mut alone = hero;
            let (mut recorded, mut recorded_whole) = (Recorder::default(), Recorder::default());
            // Without data kept from tick to tick there is no clear floor.
            let whole = alone.step_with(&scene.world, given, &mut Neighborhood::new(), &mut recorded_whole);
            let report = hero.step_with(&scene.world, given, &mut near, &mut recorded);
            let bits = |hero: &Character, report: &Report| format!("{:?}", (hero, report));
            let (found, expected) = (bits(&hero, &report), bits(&alone, &whole));
            assert_eq!(found, expected, "scene {scene_number}, tick {tick}, {mover:?}");
            assert_eq!(recorded.0, recorded_whole.0, "scene {scene_number}, tick {tick}, {mover:?}");
            stood += u32::from(report.ground.is_some());
            beside += u32::from(is_clear && near.movable_bodies().next().is_some());
            input.jump = None;
        }
    }
    assert!(clear > 12_000 && stood > 30_000, "{clear} {stood}");
    assert!(among > 5_000 && beside > 600, "{among} {beside}");
}

/// Falls, jumps and throws above the same floors, some beside obstacles and some in open air.
#[test]
fn a_tick_in_open_air_is_the_whole_tick() {
    let mut random = Random(0xA1);
    let mut open = 0;
    for scene_number in 0..200 {
        let scene = Scene::new(&mut random);
        let mover = mover(&mut random, scene.up);
        let settings = scene.settings(&mut random);
        let dt = 1.0 / random.pick(&[20.0, 30.0, 60.0, 144.0]);
        let at =
            scene.middle + scene.place(&mut random, 9.0) + scene.up * random.pick(&[1.5, 3.0, 20.0, -4.0]);
        let hero = Character::new(mover, settings).and_then(|hero| hero.at(at));
        let mut hero = hero.expect("a character");
        let mut near = Neighborhood::new();
        let mut input = Input::IDLE;
        for tick in 0..80 {
            if tick % 16 == 0 {
                input = scene.input(&mut random);
                let thrown = scene.place(&mut random, 6.0) + scene.up * (6.0 * random.number());
                hero.set_velocity(thrown * random.pick(&[0.0, 1.0])).expect("finite");
            }
            let given = TickInput::new(input, dt);
            open += u32::from(is_done(&hero, &scene.world, given, &near, super::super::open_air::step));
            let mut alone = hero;
            let (mut recorded, mut recorded_whole) = (Recorder::default(), Recorder::default());
            // If only the region of this tick was gathered, no other test can show that it is open air.
            let whole = whole_step(&mut alone, &scene.world, given, &mut recorded_whole);
            let report = hero.step_with(&scene.world, given, &mut near, &mut recorded);
            let bits = |hero: &Character, report: &Report| format!("{:?}", (hero, report));
            assert_eq!(bits(&hero, &report), bits(&alone, &whole), "scene {scene_number}, tick {tick}");
            assert_eq!(recorded.0, recorded_whole.0, "scene {scene_number}, tick {tick}, {mover:?}");
        }
    }
    assert!(open > 5000, "{open}");
}

/// The full tick, in any surroundings.
fn whole_step(hero: &mut Character, world: &World, given: TickInput<'_>, recorded: &mut Recorder) -> Report {
    let Character { state, settings, user_data, .. } = hero;
    let mut near = Neighborhood::new();
    let mover = state.shape.grown(settings.skin_of(&state.shape)).expect("a shape");
    let mut context = TickContext { world, settings, mover: &mover, given, near: &mut near, stay: None };
    context.gather(state);
    assert!(context.stay.is_some(), "finite");
    let mut report = Report::new(state.position, state.velocity);
    assert!(super::super::whole(state, context, recorded, &mut report));
    report.user_data = *user_data;
    report
}

/// A character that has found its ground before continues as one that finds it in its next tick.
#[test]
fn ground_that_was_found_before_is_that_of_the_next_tick() {
    let mut random = Random(0xF0);
    let mut stood = 0;
    for scene_number in 0..200 {
        let scene = Scene::new(&mut random);
        let settings = scene.settings(&mut random);
        let hero = Character::new(mover(&mut random, scene.up), settings).expect("a character");
        let dt = 1.0 / 30.0;
        let mut near = Neighborhood::in_still_world(0.5);
        for _ in 0..4 {
            let at = scene.middle + scene.place(&mut random, 6.0) + scene.up * random.pick(&[1.5, 0.9, 0.6]);
            let mut settled = hero.at(at).expect("finite");
            for _ in 0..40 {
                settled.step(&scene.world, Input::IDLE, dt);
            }
            let mut put = hero.at(settled.position()).expect("finite");
            put.set_velocity(scene.up * random.pick(&[0.0, 0.0, 2.0])).expect("finite");
            let mut found = put;
            found.find_ground(&scene.world, dt, &mut near);
            stood += u32::from(found.ground().is_some());
            for _ in 0..6 {
                let given = TickInput::new(scene.input(&mut random), dt);
                let (mut later, mut before) = (put, found);
                for tick in 0..3 {
                    let alone = later.step(&scene.world, given.input, dt);
                    let report = before.step_with(&scene.world, given, &mut near, &mut ());
                    let bits = |hero: &Character, report: &Report| format!("{:?}", (hero, report));
                    let (found, expected) = (bits(&before, &report), bits(&later, &alone));
                    assert_eq!(found, expected, "scene {scene_number}, tick {tick}");
                }
            }
        }
    }
    assert!(stood > 400, "{stood}");
}

/// Whether the next tick is one on clear floor.
fn is_clear(hero: &Character, world: &World, given: TickInput<'_>, near: &Neighborhood) -> bool {
    is_done(hero, world, given, near, super::step)
}

/// A function that computes some ticks without the full procedure.
type Shortcut = fn(&mut State, &mut TickContext<'_>, &mut (), &mut Report) -> bool;

/// Whether this shortcut computes the next tick.
fn is_done(
    hero: &Character,
    world: &World,
    given: TickInput<'_>,
    near: &Neighborhood,
    step: Shortcut,
) -> bool {
    let mut near = near.clone();
    let Character { mut state, settings, .. } = *hero;
    let Ok(mover) = state.shape.grown(settings.skin_of(&state.shape)) else { return false };
    let settings = &settings;
    let mut context = TickContext { world, settings, mover: &mover, given, near: &mut near, stay: None };
    context.gather(&state);
    let mut report = Report::new(state.position, state.velocity);
    context.stay.is_some() && step(&mut state, &mut context, &mut (), &mut report)
}
