//! Any mover against a curved patch, which has two sides.
//!
//! Source: `docs/patches.md`. Cost: the patch is cut into cells at each call; a body keeps them.

use glam::DVec3;

use crate::shape::{BezierPatch, Capsule, Cuboid, Ellipsoid, Mover, ShapeError, Sphere, finite};
use crate::sweep::mover::{SurfaceSweep, WithSweep, with_sweep};
use crate::sweep::parts::scaled::{Scalable, in_range};
use crate::sweep::patch::{Cell, cells};
use crate::sweep::{Contact, Hit, Path};

/// The first contact of a moving point with a patch, which has two sides: a ray.
pub fn point_patch(path: &Path, patch: &BezierPatch) -> Option<Hit> {
    in_range(&(), path, patch, |(), path, patch| first_of_cells(&Mover::Point, path, patch))
}

/// The first contact of a moving sphere with a patch, which has two sides.
///
/// ```
/// use carom::{shape::{BezierPatch, Sphere}, sweep::{Path, sphere_patch}};
/// use glam::dvec3;
/// let arc = |z: f64| [dvec3(-2.0, 1.0, z), dvec3(0.0, -1.0, z), dvec3(2.0, 1.0, z)];
/// let trough = BezierPatch::quadratic([arc(-1.0), arc(0.0), arc(1.0)])?;
/// let path = Path::new(dvec3(0.0, 3.0, 0.0), dvec3(0.0, -4.0, 0.0))?;
/// let hit = sphere_patch(&Sphere::new(0.5)?, &path, &trough).unwrap();
/// assert!((hit.fraction - 2.5 / 4.0).abs() < 1e-9);
/// # Ok::<(), carom::shape::ShapeError>(())
/// ```
pub fn sphere_patch(sphere: &Sphere, path: &Path, patch: &BezierPatch) -> Option<Hit> {
    in_range(sphere, path, patch, |sphere, path, patch| first_of_cells(&Mover::Sphere(*sphere), path, patch))
}

/// The first contact of a moving ellipsoid with a patch, which has two sides.
pub fn ellipsoid_patch(ellipsoid: &Ellipsoid, path: &Path, patch: &BezierPatch) -> Option<Hit> {
    in_range(ellipsoid, path, patch, |ellipsoid, path, patch| {
        first_of_cells(&Mover::Ellipsoid(*ellipsoid), path, patch)
    })
}

/// The first contact of a moving capsule with a patch, which has two sides.
pub fn capsule_patch(capsule: &Capsule, path: &Path, patch: &BezierPatch) -> Option<Hit> {
    in_range(capsule, path, patch, |capsule, path, patch| {
        first_of_cells(&Mover::Capsule(*capsule), path, patch)
    })
}

/// The first contact of a moving cuboid with a patch, which has two sides.
pub fn cuboid_patch(cuboid: &Cuboid, path: &Path, patch: &BezierPatch) -> Option<Hit> {
    in_range(cuboid, path, patch, |cuboid, path, patch| first_of_cells(&Mover::Cuboid(*cuboid), path, patch))
}

fn first_of_cells(mover: &Mover, path: &Path, patch: &BezierPatch) -> Option<Hit> {
    let cells = cells(patch, 0);
    with_sweep(mover, path, 0.0, FirstOfCells { cells: &cells })
}

/// The first contact over all cells.
struct FirstOfCells<'a> {
    cells: &'a [Cell],
}

impl WithSweep for FirstOfCells<'_> {
    type Output = Option<Hit>;

    fn run(self, sweep: &impl SurfaceSweep) -> Option<Hit> {
        let mut first: Option<Hit> = None;
        for cell in self.cells {
            let within = first.as_ref().map_or(1.0, |first| first.fraction);
            if let Some(hit) = sweep.as_any().patch(cell, within)
                && first.as_ref().is_none_or(|first| hit.fraction < first.fraction)
            {
                first = Some(hit);
            }
        }
        first
    }
}

/// The nearest over all cells.
struct NearestOfCells<'a> {
    cells: &'a [Cell],
}

impl WithSweep for NearestOfCells<'_> {
    type Output = Option<Contact>;

    fn run(self, sweep: &impl SurfaceSweep) -> Option<Contact> {
        let mut nearest: Option<Contact> = None;
        for cell in self.cells {
            let within = nearest.as_ref().map_or(f64::INFINITY, |nearest| nearest.gap);
            if let Some(contact) = sweep.as_any().patch_contact(cell, within)
                && nearest.as_ref().is_none_or(|nearest| contact.gap < nearest.gap)
            {
                nearest = Some(contact);
            }
        }
        nearest
    }
}

impl BezierPatch {
    /// The contact of a mover with its center at `at`: gap, normal and nearest point. `None` if numbers leave
    /// the range of f64.
    ///
    /// # Errors
    /// A place that is not finite.
    pub fn contact(&self, mover: &Mover, at: DVec3) -> Result<Option<Contact>, ShapeError> {
        let at = Path::new(finite(at, "at")?, DVec3::ZERO)?;
        Ok(with_sweep(mover, &at, 0.0, NearestOfCells { cells: &cells(self, 0) }))
    }

    /// The point of the patch nearest to a place, within [`TOLERANCE`](crate::sweep::TOLERANCE) of the
    /// patch's size.
    ///
    /// # Errors
    /// A place that is not finite.
    pub fn closest_point(&self, place: DVec3) -> Result<DVec3, ShapeError> {
        Ok(self.contact(&Mover::Point, place)?.map_or_else(|| self.point(0.5, 0.5), |contact| contact.point))
    }
}

impl Scalable for BezierPatch {
    fn largest(&self) -> f64 {
        let bounds = self.bounds();
        bounds.min().abs().max(bounds.max().abs()).max_element()
    }

    fn scaled(&self, factor: f64) -> Self {
        self.scaled_by(factor)
    }
}
