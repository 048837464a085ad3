//! One exploration by many workers: threads of one process, processes of one host, or many hosts.
//!
//! A [timely dataflow](timely) carries the messages of [`carom_explore::Worker`]. Each round of the flood is
//! a timestamp. Messages are exchanged by the number of the receiving worker, and a worker continues when the
//! frontier says that no more come. Before the flood, a [`Meeting`] checks that all processes are the
//! expected ones, run the same version, and explore the same world with the same rules.
//!
//! Traffic is neither encrypted nor authenticated: see `docs/cluster.md`.
#![forbid(unsafe_code)]

mod alarm;
mod control;
mod crew;
mod error;
mod flood;
mod frame;
mod link;
mod meeting;
mod watch;

pub use crew::{Crew, hosts};
pub use error::ClusterError;
pub use flood::{Flooded, flood, flood_alone};
pub use meeting::{Meeting, Ready};
