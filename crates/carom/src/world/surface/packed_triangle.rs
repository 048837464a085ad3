//! A triangle in the form that the culler and the kernels read: its corners in four lanes, and their original
//! order.

use glam::Vec3;
use wide::f32x4;

use crate::sweep::parts::flat::Facet;
use crate::sweep::parts::outline::ORDERS;

/// The bits of a triangle: its order among [`ORDERS`] (3 bits), the edges of the sorted triangle that a
/// coplanar neighbor continues (3 bits), whether it is one-sided (1 bit), and whether its leaf begins in the
/// group before (1 bit).
#[derive(Clone, Copy, Debug)]
pub(super) struct Traits(u8);

/// A triangle with its corners.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedTriangle {
    /// From low to high; the fourth lane has no meaning.
    pub(super) corners: [f32x4; 3],
    pub(super) triangle: u32,
    pub(super) traits: Traits,
}

impl PackedTriangle {
    /// In the form that the kernels take.
    #[inline(always)]
    pub(crate) fn facet(&self) -> Facet {
        let Traits(traits) = self.traits;
        Facet {
            corners: self.corners().map(Vec3::as_dvec3),
            order: ORDERS[usize::from(traits & 7) % ORDERS.len()],
            flat: u32::from(traits >> 3 & 7),
            one_sided: traits >> 6 & 1 == 1,
        }
    }

    /// Its corners.
    #[inline(always)]
    pub(crate) fn corners(&self) -> [Vec3; 3] {
        self.corners.map(|corner| {
            let [x, y, z, _] = corner.to_array();
            Vec3::new(x, y, z)
        })
    }

    /// Its number in the mesh.
    #[inline(always)]
    pub(crate) fn triangle(&self) -> u32 {
        self.triangle
    }

    /// The lower and the upper corner of the box around it.
    #[inline(always)]
    pub(crate) fn bounds(&self) -> [Vec3; 2] {
        let [a, b, c] = self.corners();
        [a.min(b).min(c), a.max(b).max(c)]
    }

    /// Its corners, the numbers of each in a row; the fourth has no meaning.
    #[inline(always)]
    pub(crate) fn rows(&self) -> &[f32x4; 3] {
        &self.corners
    }

    /// Whether its box overlaps a box.
    #[inline(always)]
    pub(crate) fn meets(&self, bounds: &Bounds) -> bool {
        let [a, b, c] = self.corners;
        let lower = a.fast_min(b).fast_min(c).simd_le(bounds.upper);
        let upper = a.fast_max(b).fast_max(c).simd_ge(bounds.lower);
        (lower & upper).to_bitmask() & 0b111 == 0b111
    }
}

impl Traits {
    pub(super) fn of(facet: &Facet, begins_before: bool) -> Self {
        let order = ORDERS.iter().position(|order| *order == facet.order).unwrap_or_default() as u8;
        let flags = u8::from(facet.one_sided) << 6 | u8::from(begins_before) << 7;
        Self(order | (facet.flat as u8) << 3 | flags)
    }

    /// Whether the leaf begins in the group before.
    #[inline(always)]
    pub(super) fn begins_before(self) -> bool {
        self.0 >> 7 == 1
    }
}

/// A box that many triangles are compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    lower: f32x4,
    upper: f32x4,
}

impl From<[Vec3; 2]> for Bounds {
    fn from(corners: [Vec3; 2]) -> Self {
        let [lower, upper] = corners.map(|corner| f32x4::new([corner.x, corner.y, corner.z, 0.0]));
        Self { lower, upper }
    }
}
