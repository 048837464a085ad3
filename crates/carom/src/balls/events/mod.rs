//! Events: the next one of each ball, its time, and its effect.

pub(in crate::balls) mod cluster;
pub(in crate::balls) mod collide;
pub(in crate::balls) mod least_distance;
pub(in crate::balls) mod near;
pub(in crate::balls) mod order;
pub(in crate::balls) mod pending;
pub(in crate::balls) mod predict;
pub(in crate::balls) mod press;
pub(in crate::balls) mod queue;
pub(in crate::balls) mod rebound;
pub(in crate::balls) mod rest;
pub(in crate::balls) mod round;
pub(in crate::balls) mod settle;
