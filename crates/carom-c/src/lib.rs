//! Carom for C and C++: a C interface.
//!
//! ```text
//! carom.hpp (owners, exceptions) ──▶ carom.h ──▶ these functions ──▶ carom
//!    handles ──Objects──▶ the object, or a status      pointers ──border──▶ references, or a status
//! ```
//!
//! Structures cross by value, and objects by handles (`handles.rs`). Answers go through pointers to the
//! caller's memory (`border.rs`: the rules of pointers). Every function returns a status (`status.rs`).
//! cbindgen makes `include/carom.h` from this crate, including the comments; `.ci/c` checks that it is up to
//! date.
#![expect(
    clippy::missing_safety_doc,
    reason = "what is safe is the same for all: the rules of pointers, at the top of carom.h"
)]

mod border;
mod character;
mod collider;
mod controls;
mod crowd;
mod explore;
mod handles;
mod manifold;
mod mesh;
mod pushed;
mod query;
mod report;
mod sensors;
mod status;
mod table;
mod table_setup;
mod targets;
mod values;
mod world;

pub use character::*;
pub use collider::*;
pub use controls::*;
pub use crowd::*;
pub use explore::*;
pub use manifold::*;
pub use mesh::*;
pub use pushed::*;
pub use query::*;
pub use report::*;
pub use sensors::*;
pub use status::{CaromStatus, carom_last_error, carom_status_name};
pub use table::*;
pub use table_setup::*;
pub use targets::*;
pub use values::*;
pub use world::*;

/// The version of the interface in carom.h. It changes with every change of a structure or of a function's
/// parameters.
pub const CAROM_ABI_VERSION: u32 = 2;

/// The version of the interface in the library: compare it with `CAROM_ABI_VERSION`.
#[unsafe(no_mangle)]
pub extern "C" fn carom_abi_version() -> u32 {
    CAROM_ABI_VERSION
}
