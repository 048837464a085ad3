//! Commands of a game to a table: strokes, and bodies that are driven.

use glam::{DQuat, DVec3};

use super::rules::{BallMotion, Dimensions};
use super::table::Table;
use crate::world::BodyId;

impl Table {
    /// Gives a ball another velocity, in m/s: a stroke. The ball does not spin, and wakes if it rested.
    /// Returns false and does nothing if there is no such ball on the table, or if the velocity is not finite
    /// or leaves the plane.
    pub fn strike(&mut self, ball: usize, velocity: DVec3) -> bool {
        let Some(&i) = self.inner.get(ball) else { return false };
        let i = i as usize;
        let flat = self.rules.dimensions == Dimensions::Three || velocity.z == 0.0;
        if !velocity.is_finite() || !flat || self.own[i].motion == BallMotion::Pocketed {
            return false;
        }
        self.now = self.clock;
        self.sync_to_now(i);
        self.wake(i);
        self.hot[i].velocity = velocity;
        self.rolls[i] = DVec3::ZERO;
        self.changed(i);
        self.predict(i);
        true
    }

    /// Drives a body of the obstacles that can move (kinematic or dynamic). From now on it moves with the
    /// velocity `linear`, in m/s, and turns about its own position with `angular`, in rad/s. Nothing stops
    /// it. Balls bounce off it as off a moving wall, and resting balls wake. Returns false and does nothing
    /// if there is no such body or a number is not finite.
    ///
    /// ```
    /// use carom::balls::{Ball, EventKind, Rules, Setup, Table};
    /// use carom::{Body, Cuboid, Pose, World};
    /// use glam::{DVec3, dvec3};
    /// // A door comes at 1 m/s; its front is 2 m from a ball that lies there. A perfect bounce: the ball
    /// // goes off with 2 m/s.
    /// let mut obstacles = World::new();
    /// let door = Body::kinematic(Cuboid::new(dvec3(0.5, 2.0, 2.0))?).at(Pose::at(dvec3(-3.0, 0.0, 0.0))?);
    /// let door = obstacles.add(door);
    /// let balls = vec![Ball::new(DVec3::ZERO, DVec3::ZERO, 0.5, 1.0)?];
    /// let mut table = Table::new(Setup { balls, obstacles, ..Setup::default() })?;
    /// assert!(table.drive(door, DVec3::X, DVec3::ZERO));
    /// let event = table.next_event(9.0).unwrap();
    /// assert_eq!((event.time, matches!(event.kind, EventKind::Obstacle { .. })), (2.0, true));
    /// assert_eq!(table.ball(0).velocity, dvec3(2.0, 0.0, 0.0));
    /// assert_eq!(table.body_pose(door).unwrap().0, dvec3(-1.0, 0.0, 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drive(&mut self, body: BodyId, linear: DVec3, angular: DVec3) -> bool {
        if !linear.is_finite() || !angular.is_finite() {
            return false;
        }
        self.now = self.clock;
        if !self.moving.drive(body, linear, angular, self.now) {
            return false;
        }
        for i in 0..self.hot.len() {
            self.sync_to_now(i);
            if self.own[i].motion == BallMotion::Resting && self.rules.gravity != DVec3::ZERO {
                self.wake_one(i);
            }
        }
        self.predict_all();
        true
    }

    /// Teleports a body of the obstacles that can move, at rest, as at the restart of keyframes. It passes
    /// through balls that it then overlaps until they are free. Returns false and does nothing if there is no
    /// such body or a number is not finite.
    pub fn place_body(&mut self, body: BodyId, position: DVec3, rotation: DQuat) -> bool {
        let length = rotation.length_squared();
        if !(position.is_finite() && length.is_finite() && length > 0.0) {
            return false;
        }
        self.now = self.clock;
        if !self.moving.place(body, position, rotation.normalize(), self.now) {
            return false;
        }
        for i in 0..self.hot.len() {
            self.sync_to_now(i);
            if self.own[i].motion != BallMotion::Pocketed && self.is_inside_a_body(i) {
                self.settling[i].crushed_until = self.now;
            }
        }
        self.drive(body, DVec3::ZERO, DVec3::ZERO)
    }

    /// The position and rotation of a body of the obstacles that can move, at the time of the table. `None`
    /// for any other.
    pub fn body_pose(&self, body: BodyId) -> Option<(DVec3, DQuat)> {
        self.moving.0.iter().find(|moving| body.is(moving.id)).map(|moving| moving.pose(self.clock))
    }

    /// Reverses all velocities, also those of moving bodies. Without friction and loss, everything goes back
    /// the way it came.
    pub fn reverse(&mut self) {
        self.now = self.clock;
        for i in 0..self.hot.len() {
            self.sync_to_now(i);
            self.hot[i].velocity = -self.hot[i].velocity;
            self.rolls[i] = -self.rolls[i];
            self.changed(i);
        }
        self.moving.reverse(self.now);
        self.predict_all();
    }
}
