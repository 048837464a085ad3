//! Morton order, for cache locality: points that are near in space are mostly near along the curve.
//!
//! Source: Morton, *A computer oriented geodetic data base* (1966). Cost: about 40 operations per point.

use alloc::vec::Vec;

use glam::DVec3;

/// A curve through a box.
pub(crate) struct Curve {
    lowest: DVec3,
    /// Cells in a meter.
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

    /// The position of a place along it.
    pub(crate) fn along(&self, place: DVec3) -> u64 {
        let cell = (place - self.lowest) * self.scale;
        // NaN and points before the box are in cell 0, points beyond it in the last.
        let [x, y, z] = cell.to_array().map(|x| spread(u64::from((x as u32).min(0x1f_ffff))));
        x | y << 1 | z << 2
    }

    /// Fills a list with the numbers of some places, at most 2³², in their order along it.
    pub(crate) fn sort(&self, places: impl ExactSizeIterator<Item = DVec3>, order: &mut Vec<u64>) {
        // They stand in the lowest bits, and above them as much of the way along the curve as there is room
        // for.
        let numbers = (places.len() as u64).next_power_of_two() - 1;
        order.clear();
        order.extend((0..).zip(places).map(|(number, place)| self.along(place) << 1 & !numbers | number));
        order.sort_unstable();
        order.iter_mut().for_each(|place| *place &= numbers);
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

    #[test]
    fn what_is_sorted_goes_along_the_curve_with_each_number_once() {
        let at = |i: u32| dvec3(f64::from(i * 7919 % 101), f64::from(i * 31 % 17), f64::from(i % 7));
        let mut order = Vec::new();
        for count in [0, 1, 2, 3, 64, 65, 500] {
            let places: Vec<DVec3> = (0..count).map(at).collect();
            let curve = Curve::through(places.iter().copied());
            curve.sort(places.iter().copied(), &mut order);
            let along = |number: &u64| curve.along(places[*number as usize]);
            // Of 63 bits there is room for 55 and more.
            assert!(order.is_sorted_by_key(|number| along(number) >> 8), "{count}");
            order.sort_unstable();
            assert!(order.iter().copied().eq(0..u64::from(count)), "{order:?}");
        }
    }
}
