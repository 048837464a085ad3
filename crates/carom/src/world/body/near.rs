//! Queries with lengths of very different sizes, cut down to the part near a body.
//!
//! A rounding bound grows with the longest length of a query: a ray of 10³⁰ m, or a sphere of that radius,
//! leaves no digit for walls of a meter. But what lies beyond a body cannot matter to it. So a path is cut
//! where it has passed the body, and a box or a capsule is cut if it is longer than everything that it meets.
//! A sphere that contains the whole body goes deeper if and only if a smaller one does, and so do all round
//! movers. Ellipsoids flatter than 2⁴⁰ keep 2²⁰ of it: that bends their faces by less than the bound of the
//! whole one. Boxes and ellipsoids thinner than roundings are made as thick as a few roundings.
//!
//! Paths are cut by powers of two, so fractions stay exact. Cost: a dozen operations for a body, and a second
//! query if something was cut and nothing hit.

use glam::DVec3;

use crate::shape::{Capsule, Cuboid, Ellipsoid, Mover, Sphere};
use crate::sweep::{Hit, Path};

/// 2¹⁶: how many times as long as the others the longest length may be before it is cut.
const LONG: f64 = (1u64 << 16) as f64;
/// Paths are cut to about this many times the other lengths: half of that leads past all of them.
const WAY: f64 = 32.0;
/// 2¹²: the length that a mover is cut to, longer than any path that is cut.
const SIZE: f64 = 4096.0;
/// 2²⁰: the ratio that the large radii of a flat ellipsoid are cut to.
const FLAT: f64 = (1u64 << 20) as f64;
/// 2⁴⁰: flatter ellipsoids are cut.
const FLATTEST: f64 = (1u64 << 40) as f64;

/// 2⁻⁴⁴, about a hundred roundings: boxes and ellipsoids thinner than this share of all lengths are made as
/// thick. A box thinner than roundings would fit between two triangles.
const THIN: f64 = 1.0 / (1u64 << 44) as f64;

/// The part of a query that is near a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub(crate) mover: Mover,
    pub(crate) path: Path,
    /// The share of the path that is left, a power of two.
    share: f64,
    /// Whether the rest of the path is free.
    pub(crate) is_all: bool,
}

impl Near {
    /// The part of a query near a body whose middle is at `center` and that reaches no farther from there
    /// than `reach` in any coordinate; `None` where there is nothing to change, as nearly always.
    #[inline]
    pub(crate) fn of(mover: &Mover, path: &Path, center: DVec3, reach: impl FnOnce() -> f64) -> Option<Self> {
        let longest = path.translation().abs().max_element().max(size(mover));
        let offset = (path.from() - center).abs().max_element();
        // Usually this much of the extent is enough.
        if longest <= LONG * offset && is_never_thin(mover) {
            return None;
        }
        let extent = offset + reach();
        let is_ordinary = longest <= LONG * extent && !is_thin(mover, extent);
        // Infinite or NaN values stay as they are.
        if is_ordinary || !extent.is_finite() || !longest.is_finite() {
            None
        } else {
            Self::cut(mover, path, extent)
        }
    }

    #[cold]
    fn cut(mover: &Mover, path: &Path, extent: f64) -> Option<Self> {
        let (way, size) = (path.translation().abs().max_element(), size(mover));
        let smallest = if *mover == Mover::Point { 0.0 } else { mover.smallest_radius() };
        // A mover that contains the whole body hits it at once or never.
        let holds_all = smallest > LONG * extent;
        let base = if holds_all { extent } else { extent.max(smallest) };
        if base == 0.0 {
            return None;
        }
        let mut share = 1.0;
        while way > LONG * base && way * share > WAY * base {
            share *= 0.5;
        }
        let path = Path::new(path.from(), path.translation() * share).ok()?;
        let mover = if size > SIZE * base { cut_to(mover, base, holds_all)? } else { *mover };
        let is_all = holds_all || share == 1.0 || size <= 4.0 * base;
        let mover = thickened(&mover, extent.max(way * share)).unwrap_or(mover);
        Some(Self { mover, path, share, is_all })
    }

    /// A hit of the part of the query, as a hit of the whole query.
    pub(crate) fn hit(&self, hit: Hit) -> Hit {
        Hit { fraction: hit.fraction * self.share, ..hit }
    }
}

/// The longest of its radii and half extents; of a capsule the sum.
pub(crate) fn size(mover: &Mover) -> f64 {
    match mover {
        Mover::Point => 0.0,
        Mover::Sphere(sphere) => sphere.radius(),
        Mover::Capsule(capsule) => capsule.radius() + capsule.half_height(),
        Mover::Ellipsoid(ellipsoid) => ellipsoid.radii().max_element(),
        Mover::Cuboid(cuboid) => cuboid.half_extents().max_element(),
    }
}

/// Whether its shape is never changed for being thin.
fn is_never_thin(mover: &Mover) -> bool {
    matches!(mover, Mover::Point | Mover::Sphere(_) | Mover::Capsule(_))
}

/// Whether it is a box or an ellipsoid and thinner than can be hit among these lengths.
fn is_thin(mover: &Mover, lengths: f64) -> bool {
    match mover {
        Mover::Point | Mover::Sphere(_) | Mover::Capsule(_) => false,
        Mover::Ellipsoid(ellipsoid) => ellipsoid.radii().min_element() < THIN * lengths,
        Mover::Cuboid(cuboid) => cuboid.half_extents().min_element() < THIN * lengths,
    }
}

/// The solid as thick as can be hit among these lengths; `None` if it is thick enough, as nearly always.
#[inline]
pub(crate) fn thickened(solid: &Mover, lengths: f64) -> Option<Mover> {
    if is_thin(solid, lengths) { thick(solid, DVec3::splat(THIN * lengths)) } else { None }
}

#[cold]
fn thick(solid: &Mover, least: DVec3) -> Option<Mover> {
    let thick = match solid {
        // It differs from a ball only by rounding, and a ball is hit in the lengths of the scene.
        Mover::Ellipsoid(ellipsoid) if ellipsoid.radii().cmple(least).all() => {
            Sphere::new(ellipsoid.radii().max_element()).map(Mover::Sphere)
        }
        Mover::Ellipsoid(ellipsoid) => Ellipsoid::new(ellipsoid.radii().max(least))
            .and_then(|thick| thick.with_rotation(ellipsoid.rotation()))
            .map(Mover::Ellipsoid),
        Mover::Cuboid(cuboid) => Cuboid::new(cuboid.half_extents().max(least))
            .and_then(|thick| thick.with_rotation(cuboid.rotation()))
            .map(Mover::Cuboid),
        Mover::Point | Mover::Sphere(_) | Mover::Capsule(_) => return None,
    };
    thick.ok()
}

/// The mover without what is farther from its center than a body can be.
fn cut_to(mover: &Mover, base: f64, holds_all: bool) -> Option<Mover> {
    let most = SIZE * base;
    let cut = match mover {
        Mover::Point => Mover::Point,
        Mover::Sphere(sphere) => Mover::Sphere(Sphere::new(sphere.radius().min(most)).ok()?),
        Mover::Capsule(capsule) => {
            let cut = Capsule::new(capsule.radius().min(most), capsule.half_height().min(most)).ok()?;
            Mover::Capsule(cut.with_rotation(capsule.rotation()).ok()?)
        }
        Mover::Cuboid(cuboid) => {
            let cut = Cuboid::new(cuboid.half_extents().min(DVec3::splat(most))).ok()?;
            Mover::Cuboid(cut.with_rotation(cuboid.rotation()).ok()?)
        }
        Mover::Ellipsoid(ellipsoid) => {
            let radii = ellipsoid.radii();
            let smallest = radii.min_element();
            let radii = if holds_all { radii * (most / smallest) } else { radii };
            let smallest = radii.min_element();
            let is_flat = radii.max_element() > FLATTEST * smallest.max(base);
            let radii = if is_flat { radii.min(DVec3::splat(FLAT * smallest.max(base))) } else { radii };
            Mover::Ellipsoid(Ellipsoid::new(radii).ok()?.with_rotation(ellipsoid.rotation()).ok()?)
        }
    };
    Some(cut)
}
