//! A mover in the frame of a body, for queries of the surfaces there.

use alloc::borrow::Cow;

use glam::DVec3;

use crate::mesh::Mesh;
use crate::shape::{Aabb, ConvexPolygon, Mover};
use crate::sweep::mover::{WithSweep, margin, with_sweep};
use crate::sweep::parts::flat::Facet;
use crate::sweep::parts::scaled::Range;
use crate::sweep::patch::Cell;
use crate::sweep::{Contact, Hit, Path};
use crate::tree::SweptBox;
use crate::world::body::pose::Frame;
use crate::world::surface::packed_triangle::PackedTriangle;
use crate::world::surface::triangle_store::facet;

/// The mover and its path in the frame of the body.
pub(crate) struct Local<'a> {
    mover: Cow<'a, Mover>,
    path: Path,
    rounding: f64,
    range: Range,
    half_extents: DVec3,
}

impl<'a> Local<'a> {
    /// For surfaces whose coordinates are at most `largest`; `None` if the path leaves the range of f64.
    #[inline(always)]
    pub(crate) fn new(frame: &Frame, mover: &'a Mover, path: &Path, largest: f64) -> Option<Self> {
        let rounding = frame.rounding(path);
        let path = frame.path_to_local(path)?;
        let mover = frame.mover_to_local(mover)?;
        let half_extents = mover.half_extents();
        let size = DVec3::splat(largest)
            .max(half_extents)
            .max(path.from().abs())
            .max(path.translation().abs())
            .max_element();
        Some(Self { mover, path, rounding, range: Range::of(&path, size), half_extents })
    }

    /// Sets up the mover's sweep and passes it to the task.
    #[inline]
    pub(crate) fn sweep<W: WithSweep>(&self, task: W) -> W::Output {
        let scaled;
        let (mover, path, rounding) = if self.range.is_kept() {
            (&*self.mover, &self.path, self.rounding)
        } else {
            scaled = self.in_range();
            (&scaled.0, &scaled.1, scaled.2)
        };
        // One call, because it contains the code of the task for each kind of mover.
        with_sweep(mover, path, rounding, task)
    }

    /// The mover, its path and the error of its coordinates, in the lengths of the kernels.
    pub(crate) fn in_range(&self) -> (Mover, Path, f64) {
        let factor = self.range.factor();
        let mover = if factor == 1.0 { Ok(*self.mover) } else { self.mover.scaled(factor) };
        // The factor that brings the largest length near 1 takes it out of the range of f64: it is so small
        // that it counts as a point.
        (mover.unwrap_or(Mover::Point), self.range.path(&self.path), self.rounding * factor)
    }

    /// The bounds of the moving mover, as far out as it may report a contact with surfaces whose coordinates
    /// are at most `largest`; `None` beyond the range of f64.
    pub(crate) fn swept_box(&self, largest: f64) -> Option<SweptBox> {
        SweptBox::new(&self.path, self.half_extents() + DVec3::splat(self.margin(largest))).ok()
    }

    /// The extent of the mover from its center along each axis.
    pub(crate) fn half_extents(&self) -> DVec3 {
        self.half_extents
    }

    /// How far ahead of the mover it may report a contact with surfaces whose coordinates are at most
    /// `largest`.
    #[inline]
    pub(crate) fn margin(&self, largest: f64) -> f64 {
        margin(&self.mover, &self.path, largest, self.rounding)
    }

    /// The box within `distance` of the mover at its start; `None` beyond the range of f64.
    pub(crate) fn area(&self, largest: f64, distance: f64) -> Option<Aabb> {
        let reach = self.margin(largest) + distance;
        let half_extents = self.half_extents() + DVec3::splat(reach);
        Aabb::new(self.path.from() - half_extents, self.path.from() + half_extents).ok()
    }

    /// The mover in the frame of the body.
    pub(crate) fn mover(&self) -> &Mover {
        &self.mover
    }

    /// Its path in the frame of the body.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A triangle of a mesh, in the form that the sweep takes.
    pub(crate) fn facet(&self, mesh: &Mesh, triangle: u32) -> Facet {
        facet(mesh, triangle, self.range.factor())
    }

    /// The same from packed data. The corners are the mesh's own.
    #[inline(always)]
    pub(crate) fn packed_facet(&self, mesh: &Mesh, packed: &PackedTriangle) -> Facet {
        // Scaling may change the order of the corners.
        if self.range.factor() == 1.0 { packed.facet() } else { self.facet(mesh, packed.triangle()) }
    }

    /// Passes a polygon to `answer`, in the form that the sweep takes.
    pub(crate) fn polygon<T>(&self, polygon: &ConvexPolygon, answer: impl FnOnce(&ConvexPolygon) -> T) -> T {
        let factor = self.range.factor();
        if factor == 1.0 { answer(polygon) } else { answer(&polygon.scaled_by(factor)) }
    }

    /// Passes a cell of a patch to `answer`, in the form that the sweep takes.
    pub(crate) fn cell<T>(&self, cell: &Cell, answer: impl FnOnce(&Cell) -> T) -> T {
        let factor = self.range.factor();
        if factor == 1.0 { answer(cell) } else { answer(&cell.scaled_by(factor)) }
    }

    /// The factor from the lengths of the body to those of the kernels: a power of two.
    pub(crate) fn factor(&self) -> f64 {
        self.range.factor()
    }

    /// The error of the coordinates, in the lengths of the body.
    pub(crate) fn rounding(&self) -> f64 {
        self.rounding
    }

    /// The distance to pass to a kernel where gaps beyond a distance are not needed.
    pub(crate) fn gap_asked(&self, distance: f64) -> f64 {
        distance * self.range.factor()
    }

    /// A little more than that: larger gaps are beyond the distance in the world, too, in spite of rounding.
    pub(crate) fn largest_gap(&self, distance: f64) -> f64 {
        self.gap_asked(distance) * (1.0 + 8.0 * f64::EPSILON) + f64::MIN_POSITIVE
    }

    /// The fraction to pass to a kernel where hits beyond a fraction of the way are not needed.
    #[inline(always)]
    pub(crate) fn fraction_asked(&self, best: f64) -> f64 {
        // A path that was lengthened has other fractions.
        if self.range.is_kept() { best } else { f64::INFINITY }
    }

    /// The answer of a kernel, in the lengths of the body; a stop at the start if its numbers are out of
    /// range.
    #[inline(always)]
    pub(crate) fn hit(&self, hit: Hit) -> Hit {
        self.range.hit(hit).or_stop(&self.path)
    }

    /// The answer of a kernel, in the lengths of the body.
    pub(crate) fn contact(&self, contact: Contact) -> Contact {
        let down = 1.0 / self.range.factor();
        Contact {
            gap: contact.gap * down,
            point: contact.point * down,
            rounding: contact.rounding * down,
            ..contact
        }
    }
}
