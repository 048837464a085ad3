//! The floor as maps show it: its storeys, thinned where it is larger than a picture can show.

use crate::floor::{Sample, Samples};
use crate::report::storeys::Storeys;
use crate::report::view::View;

/// Pieces of floor and their storeys.
pub(crate) struct Plan {
    /// In columns of so many cells: of each such column the floors of one of its cells.
    pub(crate) samples: Samples,
    pub(crate) storeys: Storeys,
    /// How many cells a column is wide.
    pub(crate) stride: i32,
}

/// All of a floor, in columns and meters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) low: [i32; 2],
    pub(crate) high: [i32; 2],
    pub(crate) lowest: f64,
    pub(crate) highest: f64,
}

impl Span {
    pub(crate) fn of(floor: &Samples) -> Self {
        let mut span = Self {
            low: [i32::MAX; 2],
            high: [i32::MIN; 2],
            lowest: f64::INFINITY,
            highest: f64::NEG_INFINITY,
        };
        floor.visit(0..floor.len() as u32, |[x, z], height| {
            span.low = [span.low[0].min(x), span.low[1].min(z)];
            span.high = [span.high[0].max(x), span.high[1].max(z)];
            span.lowest = span.lowest.min(height);
            span.highest = span.highest.max(height);
        });
        span
    }
}

impl Plan {
    /// Of a whole floor, but for about no more than `most` samples. Those beside each other are one floor if
    /// they differ by no more than a rise in height.
    pub(crate) fn whole(floor: &Samples, rise: f64, most: usize) -> Self {
        let mut stride = 1;
        while floor.len() > most * (stride * stride) as usize {
            stride += 1;
        }
        let mut samples = Samples::default();
        thin(floor, 0..floor.len() as u32, stride, &mut samples);
        Self::of(samples, rise, stride)
    }

    /// Of what a square picture of this many pixels shows.
    pub(crate) fn near(floor: &Samples, rise: f64, cell: f64, view: View, side: usize) -> Self {
        let stride = ((1.0 / (view.scale * cell)) as i32).max(1);
        let [low, high] = view.area([side; 2]).map(|corner| corner.map(|x| (x / cell).floor() as i32));
        let mut samples = Samples::default();
        for x in (low[0]..=high[0]).filter(|x| x % stride == 0) {
            let [from, to] = [[x, low[1]], [x, high[1] + 1]].map(|column| floor.first_at(column));
            thin(floor, from..to, stride, &mut samples);
        }
        Self::of(samples, rise, stride)
    }

    fn of(samples: Samples, rise: f64, stride: i32) -> Self {
        let storeys = Storeys::of(&samples, rise * f64::from(stride));
        Self { samples, storeys, stride }
    }
}

/// Adds those samples whose column divides by a stride.
fn thin(floor: &Samples, numbers: std::ops::Range<u32>, stride: i32, thinned: &mut Samples) {
    let mut number = numbers.start;
    floor.visit(numbers, |column, height| {
        if column.iter().all(|i| i % stride == 0) {
            let is_reached = floor.is_reached(number);
            thinned.push(&Sample { column: column.map(|i| i / stride), height, is_reached });
        }
        number += 1;
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ground of 100 × 100 cells about the origin, and a deck over a quarter of it.
    fn deck() -> Samples {
        let mut samples = Samples::default();
        for x in -50..50 {
            for z in -50..50 {
                let mut push =
                    |height| samples.push(&Sample { column: [x, z], height, is_reached: height == 0.0 });
                push(0.0);
                if x >= 0 && z >= 0 {
                    push(3.0);
                }
            }
        }
        samples
    }

    #[test]
    fn a_thinned_floor_has_the_same_storeys() {
        for (most, stride) in [(12_500, 1), (12_499, 2), (1400, 3), (1000, 4)] {
            let plan = Plan::whole(&deck(), 0.5, most);
            assert_eq!((plan.stride, plan.storeys.count), (stride, 2));
            assert!(plan.samples.len() <= most + 100, "{}", plan.samples.len());
            for (sample, storey) in plan.samples.iter().zip(&plan.storeys.of) {
                assert_eq!((sample.height == 0.0, sample.is_reached), (*storey == 0, *storey == 0));
                assert!(sample.column.iter().all(|i| (-50..50).contains(&(i * stride))));
            }
        }
    }

    #[test]
    fn what_a_picture_shows_is_whole_unless_its_pixels_are_wider_than_cells() {
        let view = |scale| View { low: [-5.0, 10.0], scale, margin: 0.0 };
        let near = |scale| Plan::near(&deck(), 0.5, 0.5, view(scale), 60);
        // 60 pixels of 0.1 m: 12 × 12 cells, and the rim.
        let plan = near(10.0);
        assert_eq!((plan.stride, plan.samples.len()), (1, 13 * 13 + 3 * 13));
        let plan = near(1.0);
        assert_eq!((plan.stride, plan.storeys.count), (2, 2));
        assert!(plan.samples.iter().all(|sample| sample.column[0] >= -5 && sample.column[1] >= 10));
    }
}
