//! Touching balls, their other contacts, and the nearest motion that separates all of them.
//!
//! Source: `docs/balls.md`, "Contacts at the same time". Among touching balls, ever more contacts can happen
//! in ever less time. When they follow each other too soon, all balls of a cluster move at once. They get the
//! velocities nearest to their own (by kinetic energy) with which every touching pair separates: Gauss's
//! principle of least constraint. Error: that of the least distance, a few roundings of the largest speed.
//! Cost: the cube of the number of touching balls, of which at most [`MOST`] move at once. Gives up if no
//! velocities work: then the rows that contradict each other are the answer.

use alloc::vec::Vec;

use glam::DVec3;

use crate::balls::events::least_distance::{Nearest, Row, nearest_point};
use crate::balls::rules::BallMotion;
use crate::balls::table::Table;
use crate::num::bound::{APPROACH, UNIT_ROUNDOFF, length_and_direction, reach};
use crate::num::ops::sqrt;
use crate::world::BodyId;

/// More balls than these are not moved at once; those that touch farther out are met by their own contacts.
const MOST: usize = 24;
/// The answer is refined at most this often: with masses of 1 to 10¹² the first is accurate to about 10⁻⁴.
const REFINEMENTS: usize = 4;
/// The remaining error, as a share of the largest speed, must be less than this: the next motion of the
/// cluster corrects it.
const GOOD_ENOUGH: f64 = 1e-6;
/// Unit normals that differ by no more than this are the same up to rounding.
const SAME: f64 = 16.0 * UNIT_ROUNDOFF;

/// A contact of a ball of the cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Partner {
    /// Another one of the cluster, by its place in the list.
    Ball(usize),
    /// A ball that rests and supports others as the ground does.
    Resting(usize),
    /// A wall, or a body at rest.
    Still(Option<BodyId>),
    /// A body that moves, by its number.
    Running(u32),
}

/// A contact of a ball with another ball, a wall or a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfaceContact {
    /// The place of the ball in the list.
    pub(crate) ball: usize,
    pub(crate) partner: Partner,
    /// The unit normal, towards the ball.
    pub(crate) normal: DVec3,
    /// The gap.
    pub(crate) gap: f64,
    /// The speed of the surface along the normal.
    pub(crate) comes: f64,
    /// The acceleration at which the gap closes, in m/s².
    pub(crate) pull: f64,
}

/// Balls that touch each other, directly or through others.
#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    pub(crate) balls: Vec<usize>,
    pub(crate) touches: Vec<SurfaceContact>,
}

impl Cluster {
    /// The part of the balls' vectors, one for each, along the normal of a contact.
    pub(crate) fn along(&self, touch: &SurfaceContact, vectors: &[DVec3]) -> f64 {
        let other = match touch.partner {
            Partner::Ball(other) => vectors[other],
            _ => DVec3::ZERO,
        };
        (vectors[touch.ball] - other).dot(touch.normal)
    }

    /// Some of the balls, and their contacts; other balls that count as resting support them.
    pub(crate) fn of(&self, places: &[usize], others_hold: bool) -> Self {
        let new = |old: usize| places.iter().position(|&place| place == old);
        let touch = |touch: &SurfaceContact| {
            let Partner::Ball(other) = touch.partner else {
                return new(touch.ball).map(|ball| SurfaceContact { ball, ..*touch });
            };
            let holds = |by: usize| others_hold.then(|| Partner::Resting(self.balls[by]));
            match (new(touch.ball), new(other)) {
                (Some(ball), Some(other)) => {
                    Some(SurfaceContact { ball, partner: Partner::Ball(other), ..*touch })
                }
                (Some(ball), None) => holds(other).map(|partner| SurfaceContact { ball, partner, ..*touch }),
                (None, Some(ball)) => holds(touch.ball).map(|partner| SurfaceContact {
                    ball,
                    partner,
                    normal: -touch.normal,
                    ..*touch
                }),
                (None, None) => None,
            }
        };
        Self {
            balls: places.iter().map(|&place| self.balls[place]).collect(),
            touches: self.touches.iter().filter_map(touch).collect(),
        }
    }

    /// Whether a body that moves touches any of them.
    pub(crate) fn is_pressed(&self) -> bool {
        self.touches.iter().any(|touch| matches!(touch.partner, Partner::Running(_)))
    }
}

/// Whether balls that rest belong to a cluster or hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resting {
    Wakes,
    Holds,
}

impl Table {
    /// The ball, and all balls that it touches directly or through others.
    pub(crate) fn cluster(&mut self, i: usize, resting: Resting) -> Cluster {
        let balls = self.touching_balls(i, resting);
        let mut touches = Vec::new();
        for (ball, &k) in balls.iter().enumerate() {
            for (other, &j) in balls.iter().enumerate().take(ball) {
                touches.extend(self.touch(ball, k, j, Partner::Ball(other)));
            }
            if resting == Resting::Holds {
                for j in self.balls_beside(k) {
                    if self.own[j].motion == BallMotion::Resting {
                        touches.extend(self.touch(ball, k, j, Partner::Resting(j)));
                    }
                }
            }
            self.surfaces(ball, k, &mut touches);
        }
        Cluster { balls, touches }
    }

    fn touching_balls(&mut self, i: usize, resting: Resting) -> Vec<usize> {
        let mut balls = alloc::vec![i];
        self.sync_to_now(i);
        let mut next = 0;
        while next < balls.len() && balls.len() < MOST {
            let k = balls[next];
            next += 1;
            for j in self.balls_beside(k) {
                let rests = self.own[j].motion == BallMotion::Resting;
                if balls.contains(&j) || balls.len() == MOST || (rests && resting == Resting::Holds) {
                    continue;
                }
                self.sync_to_now(j);
                if self.gap(k, j) <= self.nearness(k, j) {
                    if rests {
                        self.wake(j);
                    }
                    balls.push(j);
                }
            }
        }
        balls
    }

    /// The other balls in the cells around a ball, by rank: lists have no order of their own.
    fn balls_beside(&self, k: usize) -> Vec<usize> {
        let mut near = Vec::new();
        self.cells.visit_beside(self.cell(k), |j, _| {
            if j != k && self.own[j].motion != BallMotion::Pocketed {
                near.push(j);
            }
        });
        near.sort_unstable_by_key(|&j| self.queue.rank(j));
        near.dedup();
        near
    }

    fn gap(&self, i: usize, j: usize) -> f64 {
        sqrt(self.offset(i, j).length_squared()) - self.radii.of(i) - self.radii.of(j)
    }

    /// Nearer than this counts as touching: the height of the lowest bounce.
    pub(crate) fn nearness(&self, i: usize, j: usize) -> f64 {
        self.rules.rest_share * self.radii.of(i).min(self.radii.of(j))
    }

    fn touch(&self, ball: usize, k: usize, j: usize, partner: Partner) -> Option<SurfaceContact> {
        let gap = self.gap(k, j);
        let (length, normal) = length_and_direction(self.offset(k, j));
        let touches = gap <= self.nearness(k, j) && length > 0.0;
        let pull = (self.flight(j).acceleration - self.flight(k).acceleration).dot(normal);
        touches.then_some(SurfaceContact { ball, partner, normal, gap, comes: 0.0, pull })
    }

    /// The walls, facets and bodies that a ball touches.
    pub(crate) fn surfaces(&self, ball: usize, k: usize, touches: &mut Vec<SurfaceContact>) {
        let (center, radius, near) = (self.hot[k].position, self.radii.of(k), self.nearness(k, k));
        let flight = self.flight(k);
        let from = touches.len();
        let mut take = |gap: f64, normal: DVec3, comes: f64, pull: f64, partner: Partner| {
            if gap > near || normal == DVec3::ZERO {
                return;
            }
            // The triangles of a face give the same contact, to rounding. Beside the edge between two of them
            // one differs a little: a ball that moves along fast enough leaves one and hits the other.
            let is_same =
                |touch: &SurfaceContact| touch.partner == partner && reach(touch.normal - normal) <= SAME;
            if !touches[from..].iter().any(is_same) {
                touches.push(SurfaceContact { ball, partner, normal, gap, comes, pull });
            }
        };
        let falls = |normal: DVec3| -flight.acceleration.dot(normal);
        for wall in &self.walls {
            wall.distances(center, |distance, normal| {
                // Along the inside of an arc its own speed presses it against the arc.
                let aside = flight.velocity - normal * flight.velocity.dot(normal);
                let bends = wall.bend(center, normal, radius) * aside.length_squared();
                take(distance - radius, normal, 0.0, falls(normal) + bends, Partner::Still(None));
            });
        }
        for &number in self.facets.near(self.cells.number(self.cell(k))) {
            let facet = self.facets.get(number);
            let (gap, normal) = facet.gap(center, radius);
            if let Some(normal) = self.in_the_plane(normal) {
                take(gap, normal, 0.0, falls(normal), Partner::Still(Some(facet.body)));
            }
        }
        if self.now < self.settling[k].crushed_until {
            return;
        }
        for (number, body) in self.moving.0.iter().enumerate() {
            body.gaps(center, radius, near, self.now, |gap, normal| {
                let Some(normal) = self.in_the_plane(normal) else { return };
                if !body.moves() {
                    take(gap, normal, 0.0, falls(normal), Partner::Still(Some(body.id)));
                    return;
                }
                let comes = body.velocity_at(self.now, center, normal, radius).dot(normal);
                let pull = body.pull(self.now, &flight, normal, radius);
                take(gap, normal, comes, pull, Partner::Running(number as u32));
            });
        }
    }

    /// The largest speed of a cluster and of its contacts, in m/s.
    pub(crate) fn speed_scale(&self, cluster: &Cluster) -> f64 {
        let speed = cluster.balls.iter().map(|&k| reach(self.hot[k].velocity)).fold(0.0, f64::max);
        cluster.touches.iter().map(|touch| touch.comes.abs()).fold(speed, f64::max)
    }

    /// A difference of speeds that rounding hides; contacts that separate faster than this do separate.
    pub(crate) fn least_parting(scale: f64) -> f64 {
        16.0 * APPROACH * scale
    }

    pub(crate) fn velocities(&self, cluster: &Cluster) -> Vec<DVec3> {
        cluster.balls.iter().map(|&k| self.hot[k].velocity).collect()
    }

    /// The change of these vectors (velocities, say, one for each ball), nearest by kinetic energy, with
    /// which each touch has `parts` of it along its normal. The error that is corrected has the size of
    /// `scale`.
    pub(crate) fn nearest_parting(
        &self,
        cluster: &Cluster,
        vectors: &[DVec3],
        scale: f64,
        parts: impl Fn(&SurfaceContact) -> f64,
    ) -> Option<Parting> {
        let mut changes = alloc::vec![DVec3::ZERO; vectors.len()];
        let (mut scale, size) = (scale, scale);
        for round in 0..=REFINEMENTS {
            let changed: Vec<DVec3> = vectors.iter().zip(&changes).map(|(&v, &by)| v + by).collect();
            let missing = |touch: &SurfaceContact| parts(touch) - cluster.along(touch, &changed);
            let worst = cluster.touches.iter().map(missing).fold(0.0, f64::max);
            if worst <= 16.0 * UNIT_ROUNDOFF * size {
                break;
            }
            scale = if worst < scale { worst } else { scale };
            let more = if round < REFINEMENTS { self.nearest_change(cluster, scale, missing) } else { None };
            match more {
                Some(Parting::Changes(more)) => {
                    changes.iter_mut().zip(more).for_each(|(by, more)| *by += more);
                }
                Some(contradiction) if round == 0 => return Some(contradiction),
                _ if worst <= GOOD_ENOUGH * size => break,
                _ => return None,
            }
        }
        Some(Parting::Changes(changes))
    }

    /// The least change that gives each contact its missing part.
    fn nearest_change(
        &self,
        cluster: &Cluster,
        scale: f64,
        missing: impl Fn(&SurfaceContact) -> f64,
    ) -> Option<Parting> {
        let balls = &cluster.balls;
        let heaviest = balls.iter().map(|&k| self.masses.of(k)).fold(0.0, f64::max);
        let share = |place: usize| sqrt(heaviest / self.masses.of(balls[place]));
        let row = |touch: &SurfaceContact| {
            let mut direction = alloc::vec![0.0; 3 * balls.len()];
            let mut put = |place: usize, normal: DVec3| {
                let share = share(place);
                for axis in 0..3 {
                    direction[3 * place + axis] = normal[axis] * share;
                }
                share * share
            };
            let mut length = put(touch.ball, touch.normal);
            if let Partner::Ball(other) = touch.partner {
                length += put(other, -touch.normal);
            }
            let length = sqrt(length);
            direction.iter_mut().for_each(|x| *x /= length);
            Row { direction, bound: missing(touch) / (scale * length) }
        };
        let rows: Vec<Row> = cluster.touches.iter().map(row).collect();
        Some(match nearest_point(&rows, 3 * balls.len())? {
            Nearest::Infeasible(which) => Parting::Contradiction(which),
            Nearest::Point(point) => {
                let change = |place: usize| {
                    let by = DVec3::new(point[3 * place], point[3 * place + 1], point[3 * place + 2]);
                    by * (scale * share(place))
                };
                Parting::Changes((0..balls.len()).map(change).collect())
            }
        })
    }
}

/// The result for a cluster.
pub(crate) enum Parting {
    /// With these changes, one for each ball.
    Changes(Vec<DVec3>),
    /// There is no solution: these contacts contradict each other.
    Contradiction(Vec<usize>),
}
