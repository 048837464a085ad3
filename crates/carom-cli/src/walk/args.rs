//! The arguments of `carom walk`.

use std::path::PathBuf;

use clap::Args;

use crate::level::PatchArgs;

/// Runs a scene and prints one line per tick and a summary. Default: a tour of the built-in courtyard.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  carom walk                          a character tours the built-in courtyard
  carom walk scene.json
  carom walk scene.json --trace --out ticks.jsonl
  carom walk scene.json --out page.html     a page that plays the scene

A small scene (more are in crates/carom-cli/scenes: fall.json, groove.json and
walls.json with plain sliding; ride.json with lifts, a turntable, a conveyor
belt, a door and a crate):
  {"ticks":120,
   "bodies":[{"name":"floor","box":{"half_extents":[9,1,9]},
              "position":[0,-1,0]},
             {"name":"lift","box":{"half_extents":[1,0.1,1]},
              "position":[3,0,0],"linear":[0,0.5,0]}],
   "characters":[{"name":"hero","position":[0,1,0],
                  "shape":{"ellipsoid":{"radii":[0.4,0.9,0.4]}},
                  "input":[{"from":0.5,"until":1.2,"move":[4,0,0]}]}]}
Defaults: up [0,1,0], gravity 9.81 against up, dt 1/60, ticks 300. All keys with
units and defaults: docs/scene.md, and docs/scene.schema.json for editors.

"rule" is "character" (walks, climbs steps, rides and pushes) or "slide" (plain
collide and slide: bodies push it, nothing carries it, and it passes through
characters). "dynamic" bodies are crates: characters push them, and they fall,
slide with friction and ride, without turning.

The summary's state_hash is FNV-1a (64 bits) over the little-endian bytes of
each character's position, velocity and yaw after the last tick, then of each
dynamic body's position. Runs with the same hash ended in the same state, to
the bit."#)]
pub(crate) struct WalkArgs {
    /// The scene, in JSON.
    pub(crate) scene: Option<PathBuf>,
    /// Reads the body called "level" from this file, to replay a report from another machine.
    #[arg(long, value_name = "FILE")]
    pub(crate) level: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) patches: PatchArgs,
    /// Writes the lines here, or a page that plays the scene if the name ends in .html. Default: standard
    /// output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Adds the events of the tick to each character: sweeps, the planes that stopped it, decisions,
    /// contacts.
    #[arg(long)]
    pub(crate) trace: bool,
}

impl WalkArgs {
    /// Whether a page is wanted.
    pub(crate) fn is_page(&self) -> bool {
        let extension = self.out.as_deref().and_then(|out| out.extension());
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case("html"))
    }
}
