//! Balls that a moving body presses: one motion for all that touch.
//!
//! Source: `docs/balls.md`, "Bodies that move". Between a body that comes and balls that give way there can
//! be ever more contacts in ever less time: restitution 0, rows of balls, masses that differ. When contacts
//! follow each other too soon, all balls that touch, directly or through others, get the velocities nearest
//! to those they have (by kinetic energy) with which every touching pair parts: Gauss's principle of least
//! constraint. Where no velocities do, the balls of the contradiction are crushed between what presses them.
//! Error: that of the least distance, some roundings of the largest speed. Cost: the cube of the balls that
//! touch, of which at most [`MOST`] are moved at once. Gives up never: what is not solved counts as crushed.

use alloc::vec::Vec;

use glam::DVec3;

use super::least_distance::{Nearest, Row, nearest_point};
use super::rules::{EventKind, Motion};
use super::table::Table;
use crate::num::bound::{APPROACH, length_and_direction, reach};
use crate::num::ops::sqrt;

/// More balls than these are not moved at once; those that touch farther out are met by their own contacts.
const MOST: usize = 24;

/// Two things that touch.
struct SurfaceContact {
    /// Places in the list of balls.
    ball: usize,
    other: Option<usize>,
    /// From what is touched towards the ball.
    normal: DVec3,
    /// How fast the surface comes along the normal.
    comes: f64,
    /// How fast a ball must part from it, so that it does not return at once.
    parts: f64,
    /// The number of a body that may move.
    body: Option<u32>,
}

impl Table {
    /// Moves a ball and those that it touches out of the way of what presses them: the body, or any that one
    /// of them touches. Says whether there is one.
    pub(crate) fn press(&mut self, i: usize, body: Option<u32>) -> bool {
        let balls = self.touching_balls(i);
        let touches = self.touches(&balls);
        if body.is_none() && touches.iter().all(|touch| touch.body.is_none()) {
            return false;
        }
        let is_free = self.move_apart(&balls, touches) || self.now < self.settling[i].crushed_until;
        if let Some(body) = body
            && !is_free
        {
            self.crush_ball(i, body);
        }
        balls.iter().for_each(|&k| self.changed(k));
        balls.iter().for_each(|&k| self.predict(k));
        true
    }

    /// Gives the balls velocities with which all that touch part. False if there are none, even without those
    /// that are crushed.
    fn move_apart(&mut self, balls: &[usize], mut touches: Vec<SurfaceContact>) -> bool {
        let speed = balls.iter().map(|&k| reach(self.hot[k].velocity)).fold(0.0, f64::max);
        let scale = touches.iter().map(|touch| touch.comes.abs()).fold(speed, f64::max);
        let rest_speed = touches.iter().map(|touch| touch.parts).fold(0.0, f64::max);
        let least = 16.0 * APPROACH * scale;
        let mut solved = None;
        while scale > 0.0 && solved.is_none() && touches.iter().any(|touch| touch.body.is_some()) {
            for parts in [rest_speed.max(least), least] {
                match self.part(balls, &touches, scale, parts) {
                    Some(Nearest::Point(point)) => solved = Some(point),
                    Some(Nearest::Infeasible(which)) if parts == least => {
                        self.crush(balls, &mut touches, &which);
                    }
                    Some(Nearest::Infeasible(_)) => continue,
                    None => touches.clear(),
                }
                break;
            }
        }
        let Some(point) = solved else { return false };
        for (place, &k) in balls.iter().enumerate() {
            let share = scale / sqrt(self.masses.of(k));
            let by = DVec3::new(point[3 * place], point[3 * place + 1], point[3 * place + 2]);
            self.hot[k].velocity += by * share;
        }
        true
    }

    /// The ball, and all that it touches through others.
    fn touching_balls(&mut self, i: usize) -> Vec<usize> {
        let mut balls = alloc::vec![i];
        let mut next = 0;
        while next < balls.len() && balls.len() < MOST {
            let k = balls[next];
            next += 1;
            let mut near = Vec::new();
            self.cells.visit_beside(self.cell(k), |j, _| {
                if j != k && self.own[j].motion != Motion::Pocketed && !balls.contains(&j) {
                    near.push(j);
                }
            });
            // Lists have no order of their own.
            near.sort_unstable_by_key(|&j| self.queue.rank(j));
            near.dedup();
            self.sync_to_now(k);
            for j in near {
                self.sync_to_now(j);
                if self.gap(k, j) <= self.nearness(k, j) && balls.len() < MOST {
                    self.wake(j);
                    balls.push(j);
                }
            }
        }
        balls.iter().for_each(|&k| self.sync_to_now(k));
        balls
    }

    fn gap(&self, i: usize, j: usize) -> f64 {
        sqrt(self.offset(i, j).length_squared()) - self.radii.of(i) - self.radii.of(j)
    }

    /// Nearer than this is touching: as high as a bounce that counts as none.
    fn nearness(&self, i: usize, j: usize) -> f64 {
        self.rules.rest_share * self.radii.of(i).min(self.radii.of(j))
    }

    fn touches(&self, balls: &[usize]) -> Vec<SurfaceContact> {
        let mut touches = Vec::new();
        for (ball, &k) in balls.iter().enumerate() {
            for (other, &j) in balls.iter().enumerate().take(ball) {
                if self.gap(k, j) <= self.nearness(k, j) {
                    let (length, normal) = length_and_direction(self.offset(k, j));
                    if length > 0.0 {
                        touches.push(SurfaceContact {
                            ball,
                            other: Some(other),
                            normal,
                            comes: 0.0,
                            parts: 0.0,
                            body: None,
                        });
                    }
                }
            }
            self.surfaces(ball, k, &mut touches);
        }
        touches
    }

    /// The walls, facets and bodies that a ball touches.
    fn surfaces(&self, ball: usize, k: usize, touches: &mut Vec<SurfaceContact>) {
        let (center, radius, near) = (self.hot[k].position, self.radii.of(k), self.nearness(k, k));
        let from = touches.len();
        let mut take = |gap: f64, normal: DVec3, comes: f64, parts: f64, body: Option<u32>| {
            let Some(normal) = self.in_the_plane(normal) else { return };
            if gap > near || normal == DVec3::ZERO {
                return;
            }
            // The triangles of a face say the same.
            let is_same =
                |touch: &SurfaceContact| touch.body == body && touch.normal.dot(normal) > 1.0 - 1e-12;
            if !touches[from..].iter().any(is_same) {
                touches.push(SurfaceContact { ball, other: None, normal, comes, parts, body });
            }
        };
        for wall in &self.walls {
            if let Some((distance, normal)) = wall.nearest(center) {
                take(distance - radius, normal, 0.0, 0.0, None);
            }
        }
        for &number in self.facets.near(self.cells.number(self.cell(k))) {
            let (gap, normal) = self.facets.get(number).gap(center, radius);
            take(gap, normal, 0.0, 0.0, None);
        }
        if self.now < self.settling[k].crushed_until {
            return;
        }
        let flight = self.flight(k);
        for (number, body) in self.moving.0.iter().enumerate() {
            body.gaps(center, radius, near, self.now, |gap, normal| {
                let Some(normal) = self.in_the_plane(normal) else { return };
                let surface = body.velocity_at(self.now, center, normal, radius);
                let pull = body.pull(self.now, &flight, normal, radius);
                take(gap, normal, surface.dot(normal), self.rest_speed(radius, pull), Some(number as u32));
            });
        }
    }

    /// The change of velocities, in units of the scale and weighted by the roots of the masses, with which
    /// all that touch part.
    fn part(&self, balls: &[usize], touches: &[SurfaceContact], scale: f64, parts: f64) -> Option<Nearest> {
        let dimensions = 3 * balls.len();
        let rows: Vec<Row> = touches
            .iter()
            .map(|touch| {
                let mut direction = alloc::vec![0.0; dimensions];
                let mut put = |place: usize, normal: DVec3| {
                    let share = 1.0 / sqrt(self.masses.of(balls[place]));
                    for axis in 0..3 {
                        direction[3 * place + axis] = normal[axis] * share;
                    }
                    share * share
                };
                let mut length = put(touch.ball, touch.normal);
                let mut velocity = self.hot[balls[touch.ball]].velocity;
                if let Some(other) = touch.other {
                    length += put(other, -touch.normal);
                    velocity -= self.hot[balls[other]].velocity;
                }
                let length = sqrt(length);
                direction.iter_mut().for_each(|x| *x /= length);
                let wanted = touch.comes + parts - velocity.dot(touch.normal);
                Row { direction, bound: wanted / (scale * length) }
            })
            .collect();
        nearest_point(&rows, dimensions)
    }

    /// Those of the contradiction that a body presses are crushed, and no longer touch bodies that may move.
    fn crush(&mut self, balls: &[usize], touches: &mut Vec<SurfaceContact>, which: &[usize]) {
        let pressed: Vec<(usize, u32)> =
            which.iter().filter_map(|&number| Some((touches[number].ball, touches[number].body?))).collect();
        if pressed.is_empty() {
            touches.clear();
        }
        for &(ball, body) in &pressed {
            if self.now >= self.settling[balls[ball]].crushed_until {
                self.crush_ball(balls[ball], body);
            }
        }
        touches.retain(|touch| touch.body.is_none() || pressed.iter().all(|(ball, _)| *ball != touch.ball));
    }

    /// The ball has nowhere to go: it stops, and bodies that move go through it until none of them overlaps
    /// it.
    fn crush_ball(&mut self, i: usize, body: u32) {
        self.hot[i].velocity = DVec3::ZERO;
        self.settling[i].squeezed = 0;
        self.settling[i].crushed_until = self.free_not_before(i);
        let (ball, body) = (self.own[i].outer as usize, self.moving.0[body as usize].id);
        self.reports.push(EventKind::Crushed { ball, body });
    }

    /// When to look again whether a crushed ball is free: not before it or a body near it has gone a quarter
    /// of its radius.
    pub(crate) fn free_not_before(&self, i: usize) -> f64 {
        let (center, radius) = (self.hot[i].position, self.radii.of(i));
        let own = self.flight(i);
        let speed = self.moving.0.iter().map(|body| body.speed_at(self.now, center)).fold(0.0, f64::max);
        let speed = speed + reach(own.velocity);
        // A ball that falls from rest is that far after this time.
        let pull = reach(own.acceleration);
        let wait = 0.25 * radius / (speed + sqrt(0.25 * radius * pull));
        self.now + wait.max(1e-9 * (1.0 + self.now))
    }

    /// Whether a body that may move overlaps the ball where it is now.
    pub(crate) fn is_inside_a_body(&self, i: usize) -> bool {
        let center = self.flight_now(i).position;
        self.moving.0.iter().any(|body| body.overlaps(self.now, center, self.radii.of(i)))
    }
}
