//! Walks a whole level with the real character, and reports where it breaks.
//!
//! From the spawns on, [`carom::Character`] itself, with the settings of the game, leaves every reachable
//! place in every direction. If it cannot do something there, no player can; if something goes wrong for it
//! there, it will for every player.
//!
//! ```text
//! Level ──floor──▶ walkable samples ──spawn──▶ spawns ──flood──▶ places and ways between them
//!                         │                                            │
//!                         └───────────────▶ findings ◀─────────────────┘ ──witness──▶ scenes ──▶ report, maps, page
//! ```
//!
//! The same level and rules give the same findings, to the bit, at any number of threads, and after a stop
//! and a resumption: places are processed in parallel, but their results are merged in order. y is up,
//! lengths are meters.
#![forbid(unsafe_code)]

mod action;
mod agents;
mod analysis;
mod canvas;
mod checkpoint;
mod error;
mod event;
mod evidence;
mod explorer;
mod falls;
mod files;
mod finding;
mod findings;
mod flight;
mod flood;
mod floor;
mod font;
mod glb;
mod ground;
mod leave;
mod level;
mod map;
mod mind;
mod movers;
mod page;
mod places;
mod preset;
mod rank;
mod relief;
mod report;
mod rules;
mod sarif;
mod share;
mod skyline;
mod snags;
mod spawn;
mod stop;
mod stopped;
mod storeys;
mod task;
mod unreached;
mod volumes;
mod walk;
mod warnings;
mod witness;

pub use error::ExploreError;
pub use explorer::{Alarm, Explorer, Progress, Stage, fingerprint};
pub use files::Files;
pub use finding::{Code, Confirmed, Extent, Finding, OtherBody, Severity};
pub use floor::Sample;
pub use glb::glb;
pub use level::{Frame, Landmark, Level};
pub use movers::Moving;
pub use places::Place;
pub use preset::{preset, preset_names};
pub use rank::rank;
pub use report::{Cost, Past, Phase, VERSION as REPORT_VERSION, Walked, picture_path, report, witness_path};
pub use rules::Rules;
pub use sarif::{junit, sarif};
pub use share::{End, Message, Watch, Worker};
pub use spawn::{Origin, Spawn};
pub use stop::Stop;
pub use task::{Task, WorkerNumber};
pub use volumes::{Entered, Volumes};
pub use warnings::Warning;
pub use witness::{Span, Witness};
