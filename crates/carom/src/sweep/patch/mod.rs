//! Movers against curved patches, to a stated error.
//!
//! Source: `docs/patches.md`. A patch is cut into cells, nearly flat; each is bounded by its control points,
//! polished by Newton's method, and certified by bounds of its control vectors; where it has to be cut it is
//! bounded by two triangles grown by its flatness. Error: never past contact; early by at most
//! [`TOLERANCE`] of the patch's size where nothing can be certified, to rounding elsewhere. Cost: mostly one
//! cell.

#![expect(
    clippy::neg_cmp_op_on_partial_ord,
    reason = "negated, a NaN falls on the side that stops the mover"
)]
#![expect(clippy::needless_range_loop, reason = "rows and columns of small matrices")]

mod apart;
mod approach;
mod cell_contact;
mod cells;
mod certify;
mod crossing;
mod cuboid;
mod least_form;
mod meeting;
mod polish;
mod probe;
mod round;
mod search;
mod sides;
mod sub_rectangle;
mod tilts;

pub use cells::TOLERANCE;
pub(crate) use cells::{Cell, CellForm, cells, cells_of, feature};
pub(crate) use cuboid::CuboidProbe;
pub(crate) use probe::Probe;
pub(crate) use search::{PatchFoot, PatchHit};
