//! How wrong an answer is.
//!
//! A stop is judged by where the thing then stands: how far from the surface (it stopped short), or how deep
//! in it, both from the exact distance of its axis to the triangles, not from Carom's casts. Only for casts
//! that continue, to say how far they may, the reference is Carom's answer, and that is itself compared with
//! a second one: for balls by walking, each step as long as the ball is free by a plain grid of all
//! triangles.
//!
//! Rays have no distance to be judged by: they are compared with Carom's.

use carom_scenes::SphereCast;
use carom_scenes::workload::{CAST_RADIUS, Proximity};
use glam::DVec3;

use crate::engines::carom::Level;
use crate::engines::{CastShape, FREE};

/// A contact no deeper than this, in meters, only grazes: it may be reported or not.
const GRAZE: f64 = 1e-3;
/// A cast that starts nearer than this to a triangle is not judged: libraries mean different things by
/// touching.
pub const STARTS_FREE: f64 = 1e-4;
/// Between the place where it should stop and the one where it does, a thing is tested this many times.
const LOOKS: u32 = 16;

/// The faults in the answers of one library. Lengths in meters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// How many casts were judged.
    pub judged: usize,
    /// How many of them hit something, by this library.
    pub hits: usize,
    /// Stopped although nothing is on the whole path, nor within [`GRAZE`] of where it stopped.
    pub wrong_hits: usize,
    /// Not stopped, and deeper than [`GRAZE`] in something on the path.
    pub misses: usize,
    /// The widest gap at a stop.
    pub short: f64,
    /// The deepest that a thing is in something on its way up to where it stopped.
    pub deep: f64,
}

/// A set of casts with their reference.
pub struct Judge<'a> {
    level: &'a Level,
    shape: CastShape,
    casts: &'a [SphereCast],
    reference: &'a [f64],
    starts_free: Vec<bool>,
}

impl<'a> Judge<'a> {
    /// The reference holds Carom's answers.
    pub fn new(level: &'a Level, shape: CastShape, casts: &'a [SphereCast], reference: &'a [f64]) -> Self {
        let starts_free = casts
            .iter()
            .map(|cast| shape == CastShape::Ray || level.clearance(shape, cast.from) > STARTS_FREE)
            .collect();
        Self { level, shape, casts, reference, starts_free }
    }

    /// Judges the answers of one library: one fraction for each cast.
    pub fn verdict(&self, answers: &[f64]) -> Verdict {
        let mut verdict = Verdict::default();
        for (i, cast) in self.casts.iter().enumerate().filter(|(i, _)| self.starts_free[*i]) {
            verdict.judged += 1;
            verdict.hits += usize::from(answers[i] != FREE);
            match self.shape {
                CastShape::Ray => compare(&mut verdict, cast, self.reference[i], answers[i]),
                _ => self.look(&mut verdict, cast, self.reference[i], answers[i]),
            }
        }
        verdict
    }

    fn look(&self, verdict: &mut Verdict, cast: &SphereCast, expected: f64, answer: f64) {
        let clearance =
            |fraction: f64| self.level.clearance(self.shape, cast.from + cast.translation * fraction);
        if answer != FREE {
            let gap = clearance(answer);
            if expected == FREE && gap > GRAZE {
                verdict.wrong_hits += 1;
            } else {
                verdict.short = verdict.short.max(gap);
                verdict.deep = verdict.deep.max(-gap);
            }
        }
        let end = answer.min(1.0);
        if end > expected {
            let deepest = (1..=LOOKS)
                .map(|look| -clearance(expected + (end - expected) * f64::from(look) / f64::from(LOOKS)))
                .fold(0.0, f64::max);
            if answer == FREE && deepest > GRAZE {
                verdict.misses += 1;
            } else {
                verdict.deep = verdict.deep.max(deepest);
            }
        }
    }

    /// How many of the first `count` answers for balls a plain walk contradicts: the reference on trial.
    pub fn contradicted(&self, near: &Proximity, count: usize) -> usize {
        let judged = self.casts.iter().zip(self.reference).zip(&self.starts_free);
        judged
            .filter(|(_, free)| **free)
            .take(count)
            .filter(|((cast, answer), _)| contradicts(cast, **answer, near))
            .count()
    }
}

fn compare(verdict: &mut Verdict, cast: &SphereCast, expected: f64, answer: f64) {
    match (expected == FREE, answer == FREE) {
        (true, true) => {}
        (true, false) => verdict.wrong_hits += 1,
        (false, true) => verdict.misses += 1,
        (false, false) => {
            let late = (answer - expected) * cast.translation.length();
            verdict.short = verdict.short.max(-late);
            verdict.deep = verdict.deep.max(late);
        }
    }
}

/// Whether a walk by the grid finds the ball blocked where the answer lets it pass, or free where the answer
/// stops it.
fn contradicts(cast: &SphereCast, answer: f64, near: &Proximity) -> bool {
    /// Meters; the walk ends here, and what is below is rounding and grazing.
    const CLOSE: f64 = 1e-7;
    // The reach of the grid: steps are no longer than half of it.
    let clearance = |at: DVec3| near.within(at, 2.0 * CAST_RADIUS).unwrap_or(2.0 * CAST_RADIUS) - cast.radius;
    let length = cast.translation.length();
    let place = |way: f64| cast.from + cast.translation * (way / length);
    let end = answer.min(1.0) * length;
    if answer != FREE && clearance(place(end)).abs() > CLOSE {
        return true;
    }
    let mut way = 0.0;
    while way < end {
        let gap = clearance(place(way));
        if gap < -CLOSE {
            return true;
        }
        // In a graze the steps would vanish: what lies within one of these is no deeper than a millionth of a
        // millimeter.
        way += gap.max(CLOSE * 10.0);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_scenes::SceneMesh;
    use glam::dvec3;

    fn floor() -> SceneMesh {
        SceneMesh {
            vertices: vec![[-9.0, 0.0, -9.0], [-9.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, -9.0]],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            parts: Vec::new(),
        }
    }

    #[test]
    fn stops_are_judged_by_where_the_ball_stands() {
        let mesh = floor();
        let level = Level::new(&mesh);
        let down = SphereCast { from: dvec3(0.0, 1.5, 0.0), translation: dvec3(0.0, -2.0, 0.0), radius: 0.5 };
        let along = SphereCast { translation: dvec3(2.0, 0.0, 0.0), ..down };
        let inside = SphereCast { from: dvec3(0.0, 0.25, 0.0), ..down };
        let (casts, reference) = ([down, along, inside], [0.5, FREE, 0.0]);
        let judge = Judge::new(&level, CastShape::Sphere, &casts, &reference);
        let verdict = judge.verdict(&reference);
        assert_eq!((verdict.judged, verdict.hits, verdict.wrong_hits, verdict.misses), (2, 1, 0, 0));
        assert!(verdict.short.max(verdict.deep) < 1e-12);
        let verdict = judge.verdict(&[FREE, 0.5, FREE]);
        assert_eq!((verdict.wrong_hits, verdict.misses), (1, 1));
        let verdict = judge.verdict(&[0.45, FREE, FREE]);
        assert!((verdict.short - 0.1).abs() < 1e-12 && verdict.deep == 0.0, "{verdict:?}");
        let verdict = judge.verdict(&[0.55, FREE, FREE]);
        assert!((verdict.deep - 0.1).abs() < 1e-12 && verdict.short == 0.0, "{verdict:?}");
    }

    #[test]
    fn a_walk_finds_what_an_answer_got_wrong() {
        let near = Proximity::new(&floor(), 2.0);
        let down = SphereCast { from: dvec3(0.0, 1.5, 0.0), translation: dvec3(0.0, -2.0, 0.0), radius: 0.5 };
        assert!(!contradicts(&down, 0.5, &near));
        for wrong in [0.49, 0.51, FREE] {
            assert!(contradicts(&down, wrong, &near), "{wrong}");
        }
    }

    #[test]
    fn a_capsule_is_as_free_as_its_lower_end() {
        let mesh = floor();
        let level = Level::new(&mesh);
        assert!((level.clearance(CastShape::Capsule, dvec3(0.0, 1.25, 0.0)) - 0.25).abs() < 1e-12);
        assert!((level.clearance(CastShape::Capsule, dvec3(0.0, 0.75, 0.0)) + 0.25).abs() < 1e-12);
        assert!((level.walker_clearance(dvec3(0.0, 0.8, 0.0)) + 0.1).abs() < 1e-12);
    }
}
