//! Worlds of many bodies that come, move and go.

mod brute_force;
