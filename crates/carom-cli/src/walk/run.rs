//! A running scene: tick by tick, first the bodies, then all characters at once, then their pushes.

use std::io::Write;

use anyhow::Result;
use carom::character::{Character, Crowd, CrowdInput, Input};
use carom::pushed::PushedBodies;
use carom::world::{Body, BodyId, Collider, World};
use carom_explore::Volumes;
use glam::DVec3;
use indicatif::ProgressBar;

use super::film::{Film, Player};
use super::lines::{self, CharacterLine, Final, TickLine};
use super::motion::{self, Moving};
use super::names::Names;
use super::sensing::Sensing;
use super::slide::{Environment, Walker};
use super::trace::{Detail, Listener};

/// A scene, ready to run.
pub(crate) struct Scene {
    pub(crate) world: World,
    /// By the index of the body.
    pub(crate) body_names: Vec<String>,
    pub(crate) moving: Vec<Moving>,
    pub(crate) pushed: PushedBodies,
    /// Those, in the order of the scene.
    pub(crate) crates: Vec<BodyId>,
    pub(crate) volumes: Volumes,
    /// In volumes, in m/s.
    pub(crate) swim_speed: f64,
    pub(crate) environment: Environment,
    /// Moving bodies start as at this tick.
    pub(crate) start_tick: u32,
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

/// The rule by which an actor moves.
pub(crate) enum Role {
    /// The number among the characters.
    Character(usize),
    Slide(Box<Walker>),
}

/// The script of an actor.
pub(crate) struct Script(pub(crate) Vec<Entry>);

/// From `from` until before `until`, in seconds.
pub(crate) struct Entry {
    pub(crate) from: f64,
    pub(crate) until: f64,
    pub(crate) desired_velocity: Option<DVec3>,
    /// An upward speed, until it is used up.
    pub(crate) jump: Option<f64>,
}

impl Script {
    /// The last listed entry of this time.
    fn active(&mut self, time: f64) -> Option<&mut Entry> {
        self.0.iter_mut().rev().find(|entry| entry.from <= time && time < entry.until)
    }

    fn input(&mut self, time: f64) -> Input {
        self.active(time)
            .map_or(Input::IDLE, |entry| Input { desired_velocity: entry.desired_velocity, jump: entry.jump })
    }

    /// Marks the jump of this time as used.
    fn use_jump(&mut self, time: f64) {
        if let Some(entry) = self.active(time) {
            entry.jump = None;
        }
    }
}

/// Where the lines of the ticks go.
pub(crate) enum Output<'a> {
    /// A line for each, and a summary.
    Lines(&'a mut dyn Write),
    /// A page that plays them; the summary goes to standard output.
    Page { title: &'a str, page: &'a mut dyn Write, summary: &'a mut dyn Write },
}

/// Runs the scene to its end.
pub(crate) fn run(mut scene: Scene, detail: Detail, out: Output<'_>, progress: &ProgressBar) -> Result<()> {
    let body_names = std::mem::take(&mut scene.body_names);
    let is_mesh = |body: &Body| matches!(body.collider(), Collider::Mesh(_));
    let meshes: Vec<bool> = scene.world.bodies().map(|(_, body)| is_mesh(body)).collect();
    let is_character = |actor: &&Actor| matches!(actor.role, Role::Character(_));
    let character_names: Vec<String> =
        scene.actors.iter().filter(is_character).map(|actor| actor.name.clone()).collect();
    let names = Names { bodies: &body_names, characters: &character_names, meshes: &meshes };
    let detail = if matches!(out, Output::Page { .. }) { Detail::Traced } else { detail };
    let mut stage = Stage::new(scene, detail);
    let (ticks, dt) = (stage.scene.ticks, stage.scene.environment.dt);
    let mut film = match &out {
        Output::Lines(_) => None,
        Output::Page { .. } => Some(stage.film(&body_names)?),
    };
    let mut out = out;
    for tick in 1..=ticks {
        let end = tick as f64 * dt;
        stage.tick((tick - 1) as f64 * dt, (u64::from(stage.scene.start_tick) + tick) as f64 * dt);
        match (&mut out, &mut film) {
            (Output::Lines(out), _) => {
                let sensors = stage.sensing.lines(&names);
                lines::write_tick(
                    *out,
                    &TickLine { tick, time: end, characters: stage.lines(&names), sensors },
                )?;
            }
            (_, Some(film)) => film.tick(&stage.scene.world, &stage.lines(&names))?,
            (Output::Page { .. }, None) => {}
        }
        progress.inc(1);
    }
    match (out, film) {
        (Output::Lines(out), _) => lines::write_summary(out, ticks, &stage.state()),
        (Output::Page { title, page, summary }, film) => {
            if let Some(film) = film {
                page.write_all(film.page(title).as_bytes())?;
            }
            lines::write_summary(summary, ticks, &stage.state())
        }
    }
}

/// A scene and the results of its last tick.
struct Stage {
    scene: Scene,
    /// By the number of the character.
    inputs: Vec<Input>,
    crowd: Crowd,
    heard: Vec<Listener>,
    /// By the index of the actor; unused for characters.
    heard_sliding: Vec<Listener>,
    sensing: Sensing,
}

impl Stage {
    fn new(scene: Scene, detail: Detail) -> Self {
        let listeners = |count: usize| (0..count).map(|_| Listener::new(detail)).collect();
        let sensing = Sensing::new(&scene.characters);
        Self {
            sensing,
            inputs: vec![Input::IDLE; scene.characters.len()],
            crowd: Crowd::new(),
            heard: listeners(scene.characters.len()),
            heard_sliding: listeners(scene.actors.len()),
            scene,
        }
    }

    /// A film of the scene, before its first tick.
    fn film(&self, names: &[String]) -> Result<Film> {
        let scene = &self.scene;
        let player = |actor: &Actor| {
            let (shape, position) = match &actor.role {
                Role::Character(number) => {
                    (*scene.characters[*number].shape(), scene.characters[*number].position())
                }
                Role::Slide(walker) => (*walker.mover(), walker.position),
            };
            Player { name: actor.name.clone(), shape, position }
        };
        let players: Vec<Player> = scene.actors.iter().map(player).collect();
        Film::new(&scene.world, names, &players, scene.environment.dt, scene.ticks)
    }

    /// One tick: its start by the clock of the inputs, and its end by that of what moves.
    fn tick(&mut self, start: f64, end: f64) {
        let Self { scene, inputs, crowd, heard, heard_sliding, sensing } = self;
        let Scene { world, moving, pushed, environment, actors, characters, volumes, swim_speed, .. } = scene;
        pushed.advance(world, environment.dt, |moves| motion::send(moves, moving, end));
        for (actor, heard) in actors.iter_mut().zip(heard_sliding) {
            let input = actor.script.input(start);
            match &mut actor.role {
                Role::Character(number) => inputs[*number] = input,
                Role::Slide(walker) => {
                    heard.clear();
                    walker.step(environment, world, input, heard);
                    if heard.jumped {
                        actor.script.use_jump(start);
                    }
                }
            }
        }
        heard.iter_mut().for_each(Listener::clear);
        for (character, input) in characters.iter_mut().zip(&mut *inputs) {
            volumes.before(character, input, *swim_speed);
        }
        let starts: Vec<DVec3> = characters.iter().map(Character::position).collect();
        let reports =
            crowd.step_all_traced(world, characters, CrowdInput { inputs, dt: environment.dt }, heard);
        for (character, start) in characters.iter_mut().zip(starts) {
            volumes.after(character, start);
        }
        for (report, heard) in reports.iter().zip(&mut *heard) {
            heard.end(report);
            pushed.push_all(world, report.pushes());
        }
        sensing.update(world, characters, heard);
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
                let (hero, report) = (&self.scene.characters[*number], &self.crowd.reports()[*number]);
                CharacterLine::of_character(names, &actor.name, hero, report, &self.heard[*number])
            }
            Role::Slide(walker) => CharacterLine::of_walker(names, &actor.name, walker, heard),
        };
        self.scene.actors.iter().zip(&self.heard_sliding).map(line).collect()
    }

    /// The data under the hash.
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
        for id in &self.scene.crates {
            if let Some(body) = self.scene.world.body(*id) {
                state.add_body(body.pose().position());
            }
        }
        state
    }
}
