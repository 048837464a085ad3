//! The grid of cells for finding neighbors, and its layout in memory.

pub(in crate::balls) mod brick;
pub(in crate::balls) mod brick_grid;
pub(in crate::balls) mod cell;
pub(in crate::balls) mod cells;
pub(in crate::balls) mod neighbor_list;
