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

mod error;
mod explorer;
mod findings;
mod flood;
mod floor;
mod ground;
mod level;
mod report;
mod rules;
mod share;
mod spill;
mod stop;
mod task;
mod varint;
mod walk;

pub use carom_formats::{Extents, Landmark};
pub use error::ExploreError;
pub use explorer::{Alarm, Explorer, Progress, Stage, fingerprint};
pub use findings::finding::{Code, Confirmed, Extent, Finding, OtherBody, Severity};
pub use findings::rank::rank;
pub use findings::warnings::Warning;
pub use findings::witness::{Span, Witness};
pub use flood::places::Place;
pub use floor::spawn::{Origin, Spawn};
pub use floor::{Sample, Samples, about_places};
pub use level::movers::Moving;
pub use level::volumes::{Entered, Volumes};
pub use level::{FileFrame, LeftOut, Level};
pub use report::files::Files;
pub use report::glb::glb;
pub use report::page::MOTION_SCRIPT;
pub use report::sarif::{junit, sarif};
pub use report::solids::{collider_triangles, mover_triangles};
pub use report::{Cost, Past, Phase, VERSION as REPORT_VERSION, Walked, picture_path, report, witness_path};
pub use rules::Rules;
pub use rules::preset::{preset, preset_names};
pub use share::{End, Message, Watch, Worker};
pub use spill::Spill;
pub use stop::Stop;
pub use task::{Task, WorkerNumber};
