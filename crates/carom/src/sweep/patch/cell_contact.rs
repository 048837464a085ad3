//! Any mover beside a cell of a patch: the distance, the nearest point and the normal there.

use glam::DVec3;

use super::apart::apart;
use super::cells::{Cell, CellForm};
use crate::shape::Mover;
use crate::sweep::mover::{SurfaceSweep, WithSweep, with_sweep};
use crate::sweep::parts::flat::RoundMover;
use crate::sweep::parts::round::RoundSweep;
use crate::sweep::parts::space::WorldSpace;
use crate::sweep::{Contact, Path};

impl Cell {
    /// The unit normal of the surface where it is nearest to a place; `None` where it has no area.
    pub(crate) fn normal_near(&self, place: DVec3) -> Option<DVec3> {
        let at = Path::new(place, DVec3::ZERO).ok()?;
        let sweep = RoundSweep::new(WorldSpace { radius: 0.0 }, &at, 0.0);
        match &self.form {
            CellForm::Quadratic(grid) => {
                let [u, v] = sweep.cell_foot(grid, self)?.place;
                grid.normal(u, v)
            }
            CellForm::Cubic(grid) => {
                let [u, v] = sweep.cell_foot(grid, self)?.place;
                grid.normal(u, v)
            }
        }
    }

    /// The distance of a mover with its center at `center`, and the nearest point of the cell relative to
    /// that.
    pub(crate) fn nearest(&self, mover: &Mover, center: DVec3) -> Option<(f64, DVec3)> {
        if let Mover::Ellipsoid(_) | Mover::Cuboid(_) = mover {
            // Gaps of these are no distances.
            return match &self.form {
                CellForm::Quadratic(grid) => apart(mover, &grid.map(|p| p - center), self.flat),
                CellForm::Cubic(grid) => apart(mover, &grid.map(|p| p - center), self.flat),
            };
        }
        let at = Path::new(center, DVec3::ZERO).ok()?;
        let contact = with_sweep(mover, &at, 0.0, ContactOf { cell: self })?;
        Some((contact.gap.max(0.0), contact.point - center))
    }
}

/// The contact of a mover with a cell.
struct ContactOf<'a> {
    cell: &'a Cell,
}

impl WithSweep for ContactOf<'_> {
    type Output = Option<Contact>;

    fn run(self, sweep: &impl SurfaceSweep) -> Option<Contact> {
        sweep.as_any().patch_contact(self.cell, f64::INFINITY)
    }
}
