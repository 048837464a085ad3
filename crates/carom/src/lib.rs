//! Carom moves things through game worlds: exact continuous collision detection and response.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

pub mod mesh;
pub mod num;
pub mod respond;
pub mod shape;
pub mod sweep;
pub mod tree;
pub mod world;
