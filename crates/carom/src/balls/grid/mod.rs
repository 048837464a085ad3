//! The grid of cells in which balls find their neighbors, and how it lies in memory.

pub(in crate::balls) mod brick;
pub(in crate::balls) mod brick_grid;
pub(in crate::balls) mod cell;
pub(in crate::balls) mod cells;
pub(in crate::balls) mod neighbor_list;
