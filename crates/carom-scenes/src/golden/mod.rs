//! Small scenes that each show one law, and the ones that users of other engines reported.
//!
//! The letters are those of the character's scene table (S1 … S10 from reports, E1 … E10 from the field).
//! Scenes stand at the origin: to see one mirrored, turned or far away, pose the body, not the vertices.
//! Floors lie at y = 0.
//!
//! | | |
//! |---|---|
//! | S1 | [`floor_edge_before_wall`] |
//! | S2, S3 | [`floor`], [`floor_grid`], [`floor_slab`] |
//! | S4 | [`far_triangles`], [`triangles_without_area`], [`needle`] |
//! | S5 | [`wall_of_boxes`], [`floor_tiles`], [`t_junction_floor`] |
//! | S6, S7, E1 | [`turntable`], [`overlapping_box`], [`overlapping_slabs`], [`thin_wall`] |
//! | S8, E9 | [`Stairs`], [`ArticleStairs`] |
//! | S10 | [`HalfPipe`] |
//! | E2, E3, E4 | [`Ramp`] |
//! | E5, soak | [`crease_world`] |
//! | seams | [`tunnel`], [`room`] |

mod bodies;
mod creases;
mod floors;
mod half_pipe;
mod reported;
mod rooms;
mod slopes;

pub use bodies::{overlapping_box, overlapping_slabs, thin_wall, turntable, wall_of_boxes};
pub use creases::{CreaseKind, CreaseWorld, crease_world};
pub use floors::{floor, floor_grid, floor_slab, floor_tiles, t_junction_floor};
pub use half_pipe::HalfPipe;
pub use reported::{Reported, far_triangles, floor_edge_before_wall, needle, triangles_without_area};
pub use rooms::{room, tunnel};
pub use slopes::{ArticleStairs, Ramp, Stairs};
