//! A scene in motion: tick by tick, first the bodies, then all characters at once, then what they pushed.

use std::io::Write;

use anyhow::Result;
use carom::character::{Character, Crowd, Input};
use carom::world::{Body, Collider, World};
use glam::DVec3;
use indicatif::ProgressBar;

use super::lines::{self, CharacterLine, Final, Names};
use super::motion::{self, Moving};
use super::slide::{Place, Walker};
use super::trace::{Detail, Listener};

/// A scene, ready to run.
pub(crate) struct Scene {
    pub(crate) world: World,
    /// By the index of the body.
    pub(crate) body_names: Vec<String>,
    pub(crate) moving: Vec<Moving>,
    pub(crate) place: Place,
    pub(crate) ticks: u64,
    pub(crate) actors: Vec<Actor>,
    /// Those of the rule `character`, which all move together.
    pub(crate) characters: Vec<Character>,
}

/// One of the scene's characters, of either rule.
pub(crate) struct Actor {
    pub(crate) name: String,
    pub(crate) script: Script,
    pub(crate) role: Role,
}

/// By which rule an actor moves.
pub(crate) enum Role {
    /// The number among the characters.
    Character(usize),
    Slide(Box<Walker>),
}

/// What an actor is told to do.
pub(crate) struct Script(pub(crate) Vec<Entry>);

/// From `from` until before `until`, in seconds.
pub(crate) struct Entry {
    pub(crate) from: f64,
    pub(crate) until: f64,
    pub(crate) wish: Option<DVec3>,
    /// An upward speed, until it is used up.
    pub(crate) jump: Option<f64>,
}

impl Script {
    /// The last listed entry of this time.
    fn active(&mut self, time: f64) -> Option<&mut Entry> {
        self.0.iter_mut().rev().find(|entry| entry.from <= time && time < entry.until)
    }

    fn input(&mut self, time: f64) -> Input {
        self.active(time).map_or(Input::IDLE, |entry| Input { wish: entry.wish, jump: entry.jump })
    }

    /// The jump of this time was taken: it is not taken again.
    fn use_jump(&mut self, time: f64) {
        if let Some(entry) = self.active(time) {
            entry.jump = None;
        }
    }
}

/// Runs the scene to its end.
pub(crate) fn run(
    mut scene: Scene,
    detail: Detail,
    out: &mut dyn Write,
    progress: &ProgressBar,
) -> Result<()> {
    let body_names = std::mem::take(&mut scene.body_names);
    let is_mesh = |body: &Body| matches!(body.collider(), Collider::Mesh(_));
    let meshes: Vec<bool> = scene.world.bodies().map(|(_, body)| is_mesh(body)).collect();
    let is_character = |actor: &&Actor| matches!(actor.role, Role::Character(_));
    let character_names: Vec<String> =
        scene.actors.iter().filter(is_character).map(|actor| actor.name.clone()).collect();
    let names = Names { bodies: &body_names, characters: &character_names, meshes: &meshes };
    let mut stage = Stage::new(scene, detail);
    let (ticks, dt) = (stage.scene.ticks, stage.scene.place.dt);
    for tick in 1..=ticks {
        let end = tick as f64 * dt;
        stage.tick((tick - 1) as f64 * dt, end);
        lines::write_tick(out, (tick, end), stage.lines(&names))?;
        progress.inc(1);
    }
    lines::write_summary(out, ticks, &stage.state())
}

/// A scene and what its last tick came to.
struct Stage {
    scene: Scene,
    /// By the number of the character.
    inputs: Vec<Input>,
    crowd: Crowd,
    heard: Vec<Listener>,
    /// By the index of the actor; unused for characters.
    heard_sliding: Vec<Listener>,
}

impl Stage {
    fn new(scene: Scene, detail: Detail) -> Self {
        let listeners = |count: usize| (0..count).map(|_| Listener::new(detail)).collect();
        Self {
            inputs: vec![Input::IDLE; scene.characters.len()],
            crowd: Crowd::new(),
            heard: listeners(scene.characters.len()),
            heard_sliding: listeners(scene.actors.len()),
            scene,
        }
    }

    /// One tick, between two times.
    fn tick(&mut self, start: f64, end: f64) {
        let Self { scene, inputs, crowd, heard, heard_sliding } = self;
        let Scene { world, moving, place, actors, characters, .. } = scene;
        motion::advance(world, moving, end, place.dt);
        for (actor, heard) in actors.iter_mut().zip(heard_sliding) {
            let input = actor.script.input(start);
            match &mut actor.role {
                Role::Character(number) => inputs[*number] = input,
                Role::Slide(walker) => {
                    heard.clear();
                    walker.step(place, world, input, heard);
                    if heard.jumped {
                        actor.script.use_jump(start);
                    }
                }
            }
        }
        heard.iter_mut().for_each(Listener::clear);
        let reports = crowd.step_all_traced(world, characters, (inputs, place.dt), heard);
        for (report, heard) in reports.iter().zip(&mut *heard) {
            heard.end(report);
            for pushed in report.pushes() {
                motion::push(moving, pushed.body, pushed.impulse);
            }
        }
        for actor in actors {
            if let Role::Character(number) = actor.role
                && heard[number].jumped
            {
                actor.script.use_jump(start);
            }
        }
    }

    fn lines<'a>(&'a self, names: &Names<'a>) -> Vec<CharacterLine<'a>> {
        let line = |(actor, heard): (&'a Actor, &Listener)| match &actor.role {
            Role::Character(number) => {
                let both = (&self.scene.characters[*number], &self.crowd.reports()[*number]);
                CharacterLine::of_character(names, &actor.name, both, &self.heard[*number])
            }
            Role::Slide(walker) => CharacterLine::of_walker(names, &actor.name, walker, heard),
        };
        self.scene.actors.iter().zip(&self.heard_sliding).map(line).collect()
    }

    /// What the hash covers.
    fn state(&self) -> Final {
        let mut state = Final::default();
        for actor in &self.scene.actors {
            match &actor.role {
                Role::Character(number) => {
                    let character = &self.scene.characters[*number];
                    state.add_character(character.position(), character.velocity(), character.yaw());
                }
                Role::Slide(walker) => state.add_character(walker.position, walker.velocity, 0.0),
            }
        }
        for moving in self.scene.moving.iter().filter(|moving| moving.motion.is_pushed()) {
            if let Some(body) = self.scene.world.body(moving.id) {
                state.add_body(body.pose().position());
            }
        }
        state
    }
}
