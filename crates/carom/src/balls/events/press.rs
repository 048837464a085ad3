//! Balls that a moving body presses: one motion for all that touch.
//!
//! Source: `docs/balls.md`, "Contacts at the same time". When contacts follow each other too soon and a
//! moving body touches any ball of the [cluster](crate::balls::events::cluster), all of it moves out of the
//! way at once. If no velocities do that, the balls that contradict each other are crushed. It never gives
//! up: an unsolved case counts as crushed.

use alloc::vec::Vec;

use glam::DVec3;

use crate::balls::events::cluster::{Cluster, Parting, Partner, Resting, SurfaceContact};
use crate::balls::rules::EventKind;
use crate::balls::table::Table;
use crate::num::bound::reach;
use crate::num::ops::sqrt;

impl Table {
    /// Moves a ball and those that it touches at once: out of the way of the body that presses them, or to
    /// rest. Returns whether that was done.
    pub(crate) fn move_together(&mut self, i: usize, body: Option<u32>) -> bool {
        let mut cluster = self.cluster(i, Resting::Holds);
        if body.is_none() && !cluster.is_pressed() {
            return self.settle_together(&cluster);
        }
        cluster = self.cluster(i, Resting::Wakes);
        let balls = cluster.balls.clone();
        let is_free = self.move_apart(cluster) || self.now < self.settling[i].crushed_until;
        if let Some(body) = body
            && !is_free
        {
            self.crush_ball(i, body);
        }
        balls.iter().for_each(|&k| self.changed(k));
        balls.iter().for_each(|&k| self.predict(k));
        true
    }

    /// Gives the balls velocities with which all contacts separate. False if there are none, even without the
    /// crushed balls.
    fn move_apart(&mut self, mut cluster: Cluster) -> bool {
        let scale = self.speed_scale(&cluster);
        let rest_speed = |table: &Self, cluster: &Cluster| {
            let of = |touch: &SurfaceContact| {
                table.rest_speed(table.radii.of(cluster.balls[touch.ball]), touch.pull)
            };
            let pressed = cluster.touches.iter().filter(|touch| matches!(touch.partner, Partner::Running(_)));
            pressed.map(of).fold(0.0, f64::max)
        };
        let (rest_speed, least) = (rest_speed(self, &cluster), Self::least_parting(scale));
        let mut solved = None;
        while scale > 0.0 && solved.is_none() && cluster.is_pressed() {
            let velocities = self.velocities(&cluster);
            for parts in [rest_speed.max(least), least] {
                match self.nearest_parting(&cluster, &velocities, scale, |touch| touch.comes + parts) {
                    Some(Parting::Changes(changes)) => solved = Some(changes),
                    Some(Parting::Contradiction(which)) if parts == least => {
                        self.crush(&mut cluster, &which);
                    }
                    Some(Parting::Contradiction(_)) => continue,
                    None => cluster.touches.clear(),
                }
                break;
            }
        }
        let Some(changes) = solved else { return false };
        for (&k, change) in cluster.balls.iter().zip(changes) {
            self.hot[k].velocity += change;
        }
        true
    }

    /// The contradicting balls that a body presses are crushed, and no longer touch moving bodies.
    fn crush(&mut self, cluster: &mut Cluster, which: &[usize]) {
        let Cluster { balls, touches } = cluster;
        let pressed: Vec<(usize, u32)> = which
            .iter()
            .filter_map(|&number| match touches[number].partner {
                Partner::Running(body) => Some((touches[number].ball, body)),
                _ => None,
            })
            .collect();
        if pressed.is_empty() {
            touches.clear();
        }
        for &(ball, body) in &pressed {
            if self.now >= self.settling[balls[ball]].crushed_until {
                self.crush_ball(balls[ball], body);
            }
        }
        touches.retain(|touch| {
            !matches!(touch.partner, Partner::Running(_))
                || pressed.iter().all(|(ball, _)| *ball != touch.ball)
        });
    }

    /// The ball has nowhere to go: it stops, and moving bodies pass through it until none of them overlaps
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
        // A share of the time: a shorter wait than the clock resolves would never end.
        self.now + wait.max(1e-9 * self.now)
    }

    /// Whether a movable body overlaps the ball at its present position.
    pub(crate) fn is_inside_a_body(&self, i: usize) -> bool {
        let center = self.flight_now(i).position;
        self.moving.0.iter().any(|body| body.overlaps(self.now, center, self.radii.of(i)))
    }
}
