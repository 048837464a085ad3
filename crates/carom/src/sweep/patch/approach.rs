//! Whether a mover that comes to a place of a piece, or leaves it, meets nothing else of the piece on its
//! way.
//!
//! Source: derived in `docs/patches.md`, "with the approach". With x how far a point of the piece lies along
//! the way from the place, and s how far the center goes, the squared distance less that of the place is at
//! least x²/k + 2s(p − x) + s²m. Where the surface bends towards the mover, k > m, this is a saddle: least
//! on the border of its range, which is where the mover starts and ends, and where the piece ends. Error:
//! none is certified wrongly but for rounding. Cost: a pass over control points and control vectors.

use glam::DVec3;

use super::least_form::{LeastForm, Place};
use super::probe::{Metric, Stand};
use crate::num::ops::{larger, smaller};

/// The range of times in which no other contact may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// All up to it.
    Before,
    /// All from it on.
    After,
    /// All.
    Always,
    /// It alone.
    Now,
}

/// The way of a center in the times in which no other contact may be.
pub(super) struct Way {
    /// As seen from the place: backward if the way ends there.
    direction: DVec3,
    /// Whether it leads both ways from the place.
    is_double: bool,
    /// How far it goes from the place, as a share of the translation.
    end: f64,
    /// How fast half the squared distance grows at the place; of both ways the slower.
    pub(super) rate: f64,
    /// The square of its length, in the metric of the mover.
    pub(super) squared: f64,
}

impl Way {
    pub(super) fn of(stand: &Stand, translation: DVec3, when: When) -> Self {
        let (direction, end) = match when {
            When::Before => (-translation, stand.time),
            When::After | When::Now => (translation, 1.0 - stand.time),
            When::Always => (translation, larger(stand.time, 1.0 - stand.time)),
        };
        let is_double = when == When::Always;
        let rate = stand.arm.dot(direction);
        let rate = if is_double { -rate.abs() } else { rate };
        Self { direction, is_double, end, rate, squared: stand.metric.of(translation, translation) }
    }

    /// Whether the squared distance of no point of the piece falls below that of the place by more than
    /// `room`. The form bounds the squared distances at the time of the place.
    pub(super) fn is_clear<const N: usize>(
        &self,
        place: &Place<'_, N>,
        metric: Metric,
        form: &LeastForm,
        room: f64,
    ) -> bool {
        let Self { direction, is_double, end, rate: p, squared: m } = *self;
        let here = place.jet.point;
        let mut farthest = 0.0f64;
        place.grid.visit(|point| {
            let along = metric.of(point - here, direction);
            farthest = larger(farthest, if is_double { along.abs() } else { along });
        });
        if farthest <= p {
            return true;
        }
        if !(m > 1e-12 * direction.length_squared()) {
            return false;
        }
        let mut along = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        let widen = |range: &mut [f64; 2], x: f64| *range = [smaller(range[0], x), larger(range[1], x)];
        place.grid.secants_u(place.u, |a| widen(&mut along[0], metric.of(a, direction)));
        place.grid.secants_v(place.u, place.v, |b| widen(&mut along[1], metric.of(b, direction)));
        let mut k = form.most_along(along);
        if is_double {
            k = larger(k, form.most_along(along.map(|[low, high]| [-high, -low])));
        }
        let left = |x: f64, s: f64| x * x / k + room + 2.0 * s * (p - x) + s * s * m;
        // The least over all x, at the worst time.
        let bend = m - k;
        let worst = if bend > 0.0 { (-p / bend).clamp(0.0, end) } else { end };
        if room + worst * (2.0 * p + worst * bend) >= 0.0 {
            return true;
        }
        // The least up to the farthest x, on the border of the saddle.
        let least = |x: f64| left(x, ((x - p) / m).clamp(0.0, end));
        k > m && least(0.0) >= 0.0 && least(farthest) >= 0.0 && left((k * end).min(farthest), end) >= 0.0
    }
}
