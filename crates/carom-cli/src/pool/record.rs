//! The recording for a page: the path of each ball as straight pieces, and the events.
//!
//! Between events all balls are sampled at regular intervals; at events, those that take part. A point is
//! kept only if the straight line from the last kept point would miss a point between by more than a share of
//! the radius. Each point narrows the cone of slopes that would not (Reumann, Witkam 1974, in each axis
//! against time).

use carom::balls::Table;
use carom::world::BodyId;
use glam::DVec3;

use super::bodies::NamedBody;
use super::lines::EventLine;

/// In radii: errors too small to see.
const TOLERANCE: f64 = 0.03;
/// Snapshots of the balls a second.
const RATE: f64 = 60.0;
/// The most snapshots, and the most positions of balls in all of them: a long run gets fewer a second.
const MOST_SAMPLES: f64 = 30_000.0;
const MOST_LOOKS: f64 = 8e6;
/// Of more events than these, the later ones leave no mark in the picture, only on the line of time.
const MOST_MARKS: usize = 5000;
/// The intervals of the time line.
pub(crate) const BINS: usize = 500;
/// The kinds that are distinguished there.
pub(crate) const KINDS: [&str; 5] = ["ball", "wall", "pocket", "rest", "crushed"];

/// A position of a ball.
#[derive(Clone, Copy)]
struct Point {
    time: f64,
    position: DVec3,
}

/// The path of a ball: the points that are kept, and the cone of the unfinished piece.
pub(crate) struct Track {
    pub(crate) knots: Vec<[f32; 4]>,
    anchor: Point,
    last: Point,
    low: DVec3,
    high: DVec3,
    tolerance: f64,
    /// The shift of its position by periodic sides so far, and its velocity.
    turns: DVec3,
    velocity: DVec3,
}

/// An event and its position.
pub(crate) struct Mark {
    pub(crate) time: f64,
    pub(crate) kind: usize,
    pub(crate) position: DVec3,
}

pub(crate) struct Record {
    until: f64,
    interval: f64,
    samples: u64,
    pub(crate) tracks: Vec<Track>,
    pub(crate) marks: Vec<Mark>,
    /// How many of each kind in each part of the time.
    pub(crate) bins: Vec<[u32; KINDS.len()]>,
    /// When each ball fell into a pocket.
    pub(crate) gone: Vec<Option<f64>>,
    /// The bodies that move: time, position and rotation at each look.
    pub(crate) paths: Vec<(BodyId, Vec<[f32; 8]>)>,
}

impl Record {
    pub(crate) fn new(table: &Table, bodies: &[NamedBody], until: f64) -> Self {
        let count = table.len().max(1) as f64;
        let interval = (1.0 / RATE).max(until / MOST_SAMPLES).max(until * count / MOST_LOOKS);
        let track = |i: usize| Track::new(table.ball(i).position, TOLERANCE * table.radius(i));
        let moving = bodies.iter().filter(|body| table.body_pose(body.id).is_some());
        let mut record = Self {
            until,
            interval,
            samples: 0,
            paths: moving.map(|body| (body.id, Vec::new())).collect(),
            tracks: (0..table.len()).map(track).collect(),
            marks: Vec::new(),
            bins: vec![[0; KINDS.len()]; BINS],
            gone: vec![None; table.len()],
        };
        record.look_at_bodies(table);
        record
    }

    fn look_at_bodies(&mut self, table: &Table) {
        for (body, path) in &mut self.paths {
            let Some((position, rotation)) = table.body_pose(*body) else { continue };
            let [x, y, z] = position.to_array();
            let [i, j, k, w] = rotation.to_array();
            path.push([table.time(), x, y, z, i, j, k, w].map(|x| x as f32));
        }
    }

    /// When the balls are to be looked at next.
    pub(crate) fn next_sample(&self) -> f64 {
        ((self.samples + 1) as f64 * self.interval).min(self.until)
    }

    /// Looks at all balls.
    pub(crate) fn sample(&mut self, table: &Table) {
        self.samples += 1;
        self.look_at_bodies(table);
        for ball in 0..self.tracks.len() {
            self.look(table, ball);
        }
    }

    pub(crate) fn event(&mut self, table: &Table, line: &EventLine) {
        for &ball in &line.balls {
            self.look(table, ball);
        }
        let kind = KINDS.iter().position(|kind| *kind == line.kind).unwrap_or(0);
        let share = if self.until > 0.0 { line.time / self.until } else { 0.0 };
        let bin = ((share * BINS as f64) as usize).min(BINS - 1);
        self.bins[bin][kind] += 1;
        if kind == 2 {
            self.gone[line.balls[0]] = Some(line.time);
        }
        if self.marks.len() < MOST_MARKS {
            let place = |ball: usize| self.tracks[ball].last.position;
            let position = match line.balls[..] {
                [a, b] => {
                    let share = table.radius(a) / (table.radius(a) + table.radius(b));
                    place(a).lerp(place(b), share)
                }
                _ => place(line.balls[0]),
            };
            self.marks.push(Mark { time: line.time, kind, position });
        }
    }

    /// Ends the recording.
    pub(crate) fn end(&mut self, table: &Table) {
        self.look_at_bodies(table);
        for ball in 0..self.tracks.len() {
            self.look(table, ball);
            self.tracks[ball].finish();
        }
    }

    fn look(&mut self, table: &Table, ball: usize) {
        let state = table.ball(ball);
        self.tracks[ball].add(table.time(), state.position, state.velocity, table.rules().periodic);
    }
}

impl Track {
    fn new(position: DVec3, tolerance: f64) -> Self {
        let anchor = Point { time: 0.0, position };
        let mut track = Self {
            knots: Vec::new(),
            anchor,
            last: anchor,
            low: DVec3::NEG_INFINITY,
            high: DVec3::INFINITY,
            tolerance,
            turns: DVec3::ZERO,
            velocity: DVec3::ZERO,
        };
        track.keep(anchor);
        track
    }

    fn add(&mut self, time: f64, position: DVec3, velocity: DVec3, sides: DVec3) {
        // Where it would be if sides did not come round: as near as can be to where it was going.
        let going = self.last.position + self.velocity * (time - self.last.time);
        for axis in 0..3 {
            if sides[axis] > 0.0 {
                let off = going[axis] - (position[axis] + self.turns[axis]);
                self.turns[axis] += sides[axis] * (off / sides[axis]).round();
            }
        }
        self.velocity = velocity;
        let point = Point { time, position: position + self.turns };
        let slope = |from: &Point| (point.position - from.position) / (time - from.time);
        let is_within = |slope: DVec3| slope.cmpge(self.low).all() && slope.cmple(self.high).all();
        if time > self.anchor.time && !is_within(slope(&self.anchor)) {
            self.keep(self.last);
        }
        let passed = time - self.anchor.time;
        if passed > 0.0 {
            let middle = slope(&self.anchor);
            let around = DVec3::splat(self.tolerance / passed);
            self.low = self.low.max(middle - around);
            self.high = self.high.min(middle + around);
        }
        self.last = point;
    }

    fn keep(&mut self, point: Point) {
        let [x, y, z] = point.position.to_array().map(|x| x as f32);
        self.knots.push([point.time as f32, x, y, z]);
        self.anchor = point;
        self.low = DVec3::NEG_INFINITY;
        self.high = DVec3::INFINITY;
    }

    fn finish(&mut self) {
        if self.last.time > self.anchor.time {
            self.keep(self.last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_way_needs_its_ends_only_and_a_corner_is_kept() {
        let mut track = Track::new(DVec3::ZERO, 0.01);
        for i in 1..=20 {
            let x = f64::from(i);
            let position = DVec3::new(x, (x - 10.0).max(0.0), 0.0);
            track.add(x, position, DVec3::X, DVec3::ZERO);
        }
        track.finish();
        assert_eq!(track.knots, [[0.0; 4], [10.0, 10.0, 0.0, 0.0], [20.0, 20.0, 10.0, 0.0]]);
    }

    #[test]
    fn a_curve_is_followed_as_closely_as_the_tolerance_says() {
        let mut track = Track::new(DVec3::ZERO, 0.1);
        let height = |t: f64| 10.0 * t - t * t;
        for i in 1..=1000 {
            let t = f64::from(i) * 0.01;
            track.add(t, DVec3::new(0.0, height(t), 0.0), DVec3::ZERO, DVec3::ZERO);
        }
        track.finish();
        assert!((5..30).contains(&track.knots.len()), "{}", track.knots.len());
        for pair in track.knots.windows(2) {
            let ([t, _, y, _], [u, _, z, _]) = (pair[0], pair[1]);
            let middle = 0.5 * f64::from(y + z);
            assert!((middle - height(0.5 * f64::from(t + u))).abs() < 0.11);
        }
    }

    #[test]
    fn a_side_that_comes_round_is_unrolled() {
        let mut track = Track::new(DVec3::ZERO, 0.01);
        let sides = DVec3::new(2.0, 0.0, 0.0);
        for i in 0..=50 {
            let t = f64::from(i) * 0.1;
            track.add(t, DVec3::new((3.0 * t) % 2.0, 0.0, 0.0), DVec3::X * 3.0, sides);
        }
        track.finish();
        assert_eq!(track.knots.len(), 2);
        assert!((track.knots[1][1] - 15.0).abs() < 1e-5);
    }
}
