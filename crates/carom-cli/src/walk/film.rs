//! A page that plays a scene: `carom walk SCENE.json --out page.html`. One file, with the events of each tick
//! and the reasons.

use anyhow::{Result, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carom::shape::Mover;
use carom::world::World;
use carom_explore::{MOTION_SCRIPT, collider_triangles, mover_triangles};
use glam::DVec3;
use serde_json::{Value, json};

use super::lines::CharacterLine;

const TEMPLATE: &str = include_str!("page.html");

/// A tick of a character, with its trace, takes about a kilobyte in the page.
const MOST_LINES: u64 = 60_000;

/// The data of a page, collected tick by tick.
pub(crate) struct Film {
    dt: f64,
    bodies: Vec<Value>,
    /// By the number of the body: time, position and rotation from the start on.
    paths: Vec<Vec<[f64; 8]>>,
    characters: Vec<Value>,
    ticks: Vec<Value>,
}

/// A character as the page draws it.
pub(crate) struct Player {
    pub(crate) name: String,
    pub(crate) shape: Mover,
    pub(crate) position: DVec3,
}

impl Film {
    /// Of a scene before its first tick.
    pub(crate) fn new(
        world: &World,
        names: &[String],
        players: &[Player],
        dt: f64,
        ticks: u64,
    ) -> Result<Self> {
        let lines = ticks.saturating_mul(players.len() as u64);
        ensure!(
            lines <= MOST_LINES,
            "a page plays at most {MOST_LINES} ticks of characters, but the scene has {lines}: write .jsonl, or fewer ticks"
        );
        let bodies = world.bodies().zip(names).map(|((_, body), name)| {
            let corners = collider_triangles(body.collider()).into_iter().flatten();
            json!({ "name": name, "soup": points(corners.map(|corner| corner * body.pose().scale())) })
        });
        let characters = players.iter().map(|player| {
            let corners = mover_triangles(&player.shape).into_iter().flatten();
            json!({ "name": player.name, "soup": points(corners), "start": player.position.to_array() })
        });
        let mut film = Self {
            dt,
            bodies: bodies.collect(),
            paths: vec![Vec::new(); names.len()],
            characters: characters.collect(),
            ticks: Vec::new(),
        };
        film.pose(world);
        Ok(film)
    }

    fn pose(&mut self, world: &World) {
        let time = self.ticks.len() as f64 * self.dt;
        for ((_, body), path) in world.bodies().zip(&mut self.paths) {
            let (p, q) = (body.pose().position(), body.pose().rotation());
            path.push([time, p.x, p.y, p.z, q.x, q.y, q.z, q.w]);
        }
    }

    /// Takes a tick that has ended.
    pub(crate) fn tick(&mut self, world: &World, lines: &[CharacterLine<'_>]) -> Result<()> {
        self.ticks.push(serde_json::to_value(lines)?);
        self.pose(world);
        Ok(())
    }

    /// The page.
    pub(crate) fn page(mut self, title: &str) -> String {
        for (body, path) in self.bodies.iter_mut().zip(&self.paths) {
            let moves = path.iter().any(|pose| pose[1..] != path[0][1..]);
            let kept = if moves { &path[..] } else { &path[..1] };
            body["way"] = json!(floats(kept.as_flattened().iter().copied()));
            body["moves"] = json!(moves);
        }
        let data = json!({
            "title": title, "dt": self.dt, "bodies": self.bodies, "characters": self.characters, "ticks": self.ticks });
        // Within a script nothing may look like its end.
        let data = data.to_string().replace('<', "\\u003c");
        TEMPLATE.replace("\"MOTION\";", MOTION_SCRIPT).replace("\"DATA\"", &data)
    }
}

fn points(points: impl Iterator<Item = DVec3>) -> String {
    floats(points.flat_map(|point| point.to_array()))
}

/// As f32, in base64.
fn floats(values: impl Iterator<Item = f64>) -> String {
    STANDARD.encode(values.flat_map(|x| (x as f32).to_le_bytes()).collect::<Vec<u8>>())
}
