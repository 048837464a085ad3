//! The arguments of `carom walk`.

use std::path::PathBuf;

use clap::Args;

use crate::level::PatchArgs;

/// Runs a scene and prints one line per tick and a summary; without a scene, a tour of the built-in
/// courtyard.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  carom walk                          a character tours the built-in courtyard
  carom walk scene.json
  carom walk scene.json --trace --out ticks.jsonl
  carom walk scene.json --out page.html     plays it, and says why it stopped

A small scene; more are in crates/carom-cli/scenes: fall.json, groove.json,
walls.json (bare sliding) and ride.json (lifts, a turntable, a conveyor belt,
a door, a crate):
  {"ticks":120,
   "bodies":[{"name":"floor","box":{"half_extents":[9,1,9]},
              "position":[0,-1,0]},
             {"name":"lift","box":{"half_extents":[1,0.1,1]},
              "position":[3,0,0],"linear":[0,0.5,0]}],
   "characters":[{"name":"hero","position":[0,1,0],
                  "shape":{"ellipsoid":{"radii":[0.4,0.9,0.4]}},
                  "input":[{"from":0.5,"until":1.2,"move":[4,0,0]}]}]}
Unless given: up [0,1,0], gravity 9.81 against up, dt 1/60, ticks 300. All keys,
their units and defaults: docs/scene.md, and docs/scene.schema.json for editors.

"rule" is "character" (walks, climbs steps, rides and pushes) or "slide" (bare
collide and slide, which bodies push but nothing carries; it passes through
characters). "dynamic" bodies are crates: they are pushed, fall, slide, rub and
ride, without turning.

The summary's state_hash is FNV-1a (64 bits) over the little-endian bytes of
each character's position, velocity and yaw after the last tick, then of each
dynamic body's position: runs with the same hash ended in the same state, to
the bit."#)]
pub(crate) struct WalkArgs {
    /// The scene, in JSON.
    pub(crate) scene: Option<PathBuf>,
    /// Takes this level in place of the file of the body called "level": to replay a report from elsewhere.
    #[arg(long, value_name = "FILE")]
    pub(crate) level: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) patches: PatchArgs,
    /// Writes the lines here, or a page that plays the scene if the name ends in .html; to standard output
    /// unless given.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Adds to each character what happened in the tick and why: sweeps, what held it, decisions, what it
    /// touches.
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
