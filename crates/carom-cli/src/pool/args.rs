//! The arguments of `carom pool`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Runs balls from event to event and prints a summary; without a scene, a break on a pool table.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  carom pool --out break.html     a 15-ball break, and a page that plays it
  carom pool --scene drum --out drum.html
  carom pool scene.json --events

A small scene:
  {"dimensions":2,"until":5.0,"restitution":1.0,
   "walls":[{"segment":[[0,0],[2,0]]},
            {"plane":{"point":[0,0,0],"normal":[0,1,0]}},
            {"arc":{"center":[1,0],"radius":1,
                    "from_degrees":0,"to_degrees":180}}],
   "pockets":[{"position":[2,0],"radius":0.06}],
   "balls":[{"position":[0.5,0.5,0],"velocity":[1,0,0],
             "radius":0.028575,"mass":0.17}]}
Defaults: dimensions 2, until 10 (seconds), max_events 1000000, restitution 1,
no gravity. Optional: "friction":{"sliding":0.2,"rolling":0.01} and
"periodic":[2,1,0] (lengths of periodic sides, from 0). In two dimensions z is 0
and may be left out. In three, walls may also be {"mesh":"terrain.obj"}. All
keys: docs/pool.md, and docs/pool.schema.json for editors.

"bodies" are boxes, spheres and meshes as in a walk scene, at rest or moving.

An event has a "kind": ball (two met), wall (a wall, or a body: then "body" is
its name), pocket, rest or crushed (nowhere to go). "balls" are the numbers of
its balls. Energy is kinetic and potential, on cloth also that of spin, of the
balls on the table."#)]
pub(crate) struct PoolArgs {
    /// The scene, in JSON.
    #[arg(value_name = "SCENE", conflicts_with = "scene")]
    pub(crate) scene_file: Option<PathBuf>,
    /// Plays a built-in scene.
    #[arg(long, value_enum)]
    pub(crate) scene: Option<PoolScene>,
    /// Writes a page that plays the run, as one self-contained file.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Prints a line for each event.
    #[arg(long)]
    pub(crate) events: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PoolScene {
    /// Three Newton's cradles: as many balls leave as arrive.
    Newton,
    /// 2,000 marbles down a terrain.
    Landslide,
    /// 500 marbles in a turning drum with baffles.
    Drum,
}
