//! A tick of the world: which bodies go where.

use glam::DVec3;

use super::stamp::Stamp;
use super::travel::Travel;
use super::{BodyId, MoveError, Pose, World};

impl World {
    /// Starts a tick of `seconds`: all bodies are where the last tick left them and stay there, but for those that `moves`
    /// sends elsewhere. Returns what `moves` returns.
    ///
    /// From then on [`World::cast`] and its like find bodies where they are at the *end* of the tick; characters and other movers
    /// that take part in the tick meet them on their way ([`World::gather`]).
    ///
    /// ```
    /// use carom::{shape::Cuboid, world::{Body, World}};
    /// use glam::{DVec3, dvec3};
    /// let mut world = World::new();
    /// let lift = world.add(Body::kinematic(Cuboid::new(dvec3(2.0, 0.1, 2.0))?));
    /// world.advance(0.5, |moves| moves.drive(lift, dvec3(0.0, 2.0, 0.0), DVec3::ZERO))?;
    /// assert_eq!(world.body(lift).unwrap().pose().position(), dvec3(0.0, 1.0, 0.0));
    /// assert_eq!(world.body(lift).unwrap().pose_at(0.25).position(), dvec3(0.0, 0.25, 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advance<R>(&mut self, seconds: f64, moves: impl FnOnce(&mut Moves<'_>) -> R) -> R {
        let moved = core::mem::take(&mut self.moving);
        if !moved.is_empty() {
            self.stamp = Stamp::new();
        }
        for number in &moved {
            if let Some(body) = self.bodies[*number as usize].as_mut() {
                body.travel = None;
                body.stamp = self.stamp;
                self.index.place(body.root(), *number, body.place(), self.stamp);
            }
        }
        self.moving = moved;
        self.moving.clear();
        moves(&mut Moves { world: self, seconds })
    }
}

/// Sends bodies on their way for one tick.
#[derive(Debug)]
pub struct Moves<'a> {
    world: &'a mut World,
    seconds: f64,
}

impl Moves<'_> {
    /// How long the tick is.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Moves a body so that it has this pose at the end of the tick, straight and turning the short way round at constant speed.
    /// A change of scale takes place at once, at the start.
    ///
    /// # Errors
    /// A body that is fixed or not of this world, a pose that is not finite, a way that leaves the range of f64; then nothing
    /// changes.
    pub fn move_to(&mut self, id: BodyId, pose: impl Into<Pose>) -> Result<(), MoveError> {
        let pose = pose.into();
        if !pose.is_finite() {
            return Err(MoveError::NotFinite);
        }
        self.send(id, |start| Travel::between(start, pose))
    }

    /// Moves a body at a velocity in m/s and turns it about its position at an angular velocity in rad/s about the world's axes.
    ///
    /// # Errors
    /// A body that is fixed or not of this world, a velocity that is not finite, a way that leaves the range of f64; then nothing
    /// changes.
    pub fn drive(&mut self, id: BodyId, linear: DVec3, angular: DVec3) -> Result<(), MoveError> {
        let seconds = self.seconds;
        self.send(id, |start| Travel::driven(start, linear * seconds, angular * seconds))
    }

    fn send(&mut self, id: BodyId, travel: impl FnOnce(Pose) -> Option<Travel>) -> Result<(), MoveError> {
        let body = self
            .world
            .bodies
            .get_mut(id.index() as usize)
            .and_then(|body| id.names_mut(body))
            .ok_or(MoveError::NoSuchBody)?;
        if !body.can_move() {
            return Err(MoveError::Fixed);
        }
        let start = body.pose_at(0.0);
        let travel = travel(start).ok_or(MoveError::NotFinite)?;
        body.put(*travel.end());
        self.world.stamp = Stamp::new();
        body.stamp = self.world.stamp;
        if !travel.is_rest() {
            if body.travel.is_none() {
                self.world.moving.push(id.index());
            }
            body.travel = Some(travel);
        }
        self.world.index.place(body.root(), id.index(), body.place(), self.world.stamp);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Cuboid, Sphere};
    use crate::world::{Body, Cast};
    use glam::dvec3;

    #[test]
    fn a_body_that_is_not_moved_again_stays_where_it_came_to() {
        let mut world = World::new();
        let lift = world.add(Body::kinematic(Cuboid::new(DVec3::ONE).unwrap()));
        world.advance(1.0, |moves| moves.drive(lift, DVec3::X, DVec3::ZERO)).unwrap();
        world.advance(1.0, |_| ());
        let body = world.body(lift).unwrap();
        assert_eq!((body.pose_at(0.0).position(), body.pose().position()), (DVec3::X, DVec3::X));
    }

    #[test]
    fn casts_find_bodies_at_the_end_of_the_tick() {
        let mut world = World::new();
        let door = world.add(Body::kinematic(Cuboid::new(DVec3::ONE).unwrap()));
        world.advance(0.5, |moves| moves.move_to(door, dvec3(10.0, 0.0, 0.0))).unwrap();
        let cast = |from: DVec3| {
            world.cast(&Cast::new(Sphere::new(0.5).unwrap(), from, dvec3(0.0, -9.0, 0.0)).unwrap())
        };
        assert!(cast(dvec3(10.0, 5.0, 0.0)).is_some());
        assert!(cast(dvec3(0.0, 5.0, 0.0)).is_none());
    }

    #[test]
    fn fixed_bodies_and_strangers_are_not_moved() {
        let mut world = World::new();
        let wall = world.add(Body::fixed(Cuboid::new(DVec3::ONE).unwrap()));
        world.advance(1.0, |moves| {
            assert_eq!(moves.drive(wall, DVec3::X, DVec3::ZERO), Err(MoveError::Fixed));
            assert_eq!(moves.drive(BodyId::new(7, 0), DVec3::X, DVec3::ZERO), Err(MoveError::NoSuchBody));
        });
        assert_eq!(world.body(wall).unwrap().pose().position(), DVec3::ZERO);
    }

    #[test]
    fn what_leaves_the_range_of_f64_stays() {
        let mut world = World::new();
        let lift = world.add(Body::kinematic(Cuboid::new(DVec3::ONE).unwrap()));
        world.advance(1.0, |moves| {
            assert_eq!(moves.drive(lift, DVec3::NAN, DVec3::ZERO), Err(MoveError::NotFinite));
            assert_eq!(moves.drive(lift, DVec3::ZERO, DVec3::INFINITY), Err(MoveError::NotFinite));
            assert_eq!(moves.move_to(lift, DVec3::NAN), Err(MoveError::NotFinite));
        });
        assert_eq!(world.body(lift).unwrap().pose().position(), DVec3::ZERO);
    }
}
