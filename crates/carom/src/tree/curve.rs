//! A curve that fills space: what is near in space is mostly near along it, so that who works along it finds what he reads in the cache.
//!
//! Source: Morton, *A computer oriented geodetic data base* (1966). Cost: some 40 operations a place.

use glam::DVec3;

/// A curve through a box.
pub(crate) struct Curve {
    lowest: DVec3,
    /// Cells in a metre.
    scale: f64,
}

impl Curve {
    /// The cells along each side: three times 21 bits make a number.
    const CELLS: f64 = 2_097_151.0;

    /// Through the box around these places.
    pub(crate) fn through(places: impl Iterator<Item = DVec3>) -> Self {
        let (mut lowest, mut highest) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for place in places {
            (lowest, highest) = (lowest.min(place), highest.max(place));
        }
        // Where there is nothing, or all is in one place, or too far apart for numbers: any curve is as good.
        let scale = Self::CELLS / (highest - lowest).max_element();
        Self { lowest, scale: if scale.is_finite() { scale } else { 0.0 } }
    }

    /// How far along it a place is.
    pub(crate) fn along(&self, place: DVec3) -> u64 {
        let cell = (place - self.lowest) * self.scale;
        // What is no number, or before the box, is in cell 0; what is beyond it in the last.
        let [x, y, z] = cell.to_array().map(|x| spread((x as u64).min(0x1f_ffff)));
        x | y << 1 | z << 2
    }
}

/// The 21 lowest bits, each three places from the next.
fn spread(bits: u64) -> u64 {
    const STEPS: [(u32, u64); 5] = [
        (32, 0x001f_0000_0000_ffff),
        (16, 0x001f_0000_ff00_00ff),
        (8, 0x100f_00f0_0f00_f00f),
        (4, 0x10c3_0c30_c30c_30c3),
        (2, 0x1249_2492_4924_9249),
    ];
    STEPS.iter().fold(bits, |bits, (by, kept)| (bits | bits << by) & kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    #[test]
    fn the_bits_of_the_cells_are_interleaved() {
        assert_eq!(spread(0b1011), 0b001_000_001_001);
        assert_eq!(spread(0x1f_ffff), 0x1249_2492_4924_9249);
        let places = [DVec3::ZERO, dvec3(2_097_151.0, 0.0, 0.0)];
        let curve = Curve::through(places.into_iter());
        assert_eq!(curve.along(dvec3(3.0, 1.0, 0.0)), 0b001_011);
        assert_eq!(curve.along(dvec3(0.0, 0.0, 2.0)), 0b100_000);
        assert_eq!(curve.along(dvec3(3e6, -1.0, f64::NAN)), 0x1249_2492_4924_9249);
        // One place, or none.
        assert_eq!(Curve::through(core::iter::once(DVec3::ZERO)).along(DVec3::ZERO), 0);
        assert_eq!(Curve::through(core::iter::empty()).along(DVec3::ZERO), 0);
    }
}
