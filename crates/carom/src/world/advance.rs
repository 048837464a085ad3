//! A tick of the world: the motions of its bodies.

use alloc::boxed::Box;
use alloc::vec::Vec;

use glam::DVec3;

use super::{Body, BodyId, MoveError, Pose, World};
use crate::tree::Root;
use crate::world::body::rigid_motion::RigidMotion;
use crate::world::body::stamp::Stamp;
use crate::world::index::IndexedBounds;

impl World {
    /// Starts a tick of `seconds`. All bodies stay where the last tick left them, except those that `moves`
    /// drives or moves. Returns the result of `moves`.
    ///
    /// From then on [`World::cast`] and other queries find bodies at their poses at the *end* of the tick.
    /// Characters and other movers that take part in the tick meet them on their way ([`World::gather`]).
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
        let Self { bodies, moving, stamp, spare, unindexed, .. } = self;
        if !moving.is_empty() {
            *stamp = Stamp::new();
        }
        for number in moving.drain(..) {
            let Some(body) = bodies[number as usize].as_mut() else { continue };
            spare.extend(body.motion.take());
            body.stamp = *stamp;
            mark_unindexed(body, number, unindexed);
        }
        moves(&mut Moves { world: self, seconds, is_stamped: false })
    }

    /// Moves more bodies in the tick that has begun.
    pub(crate) fn advance_further<R>(&mut self, seconds: f64, moves: impl FnOnce(&mut Moves<'_>) -> R) -> R {
        moves(&mut Moves { world: self, seconds, is_stamped: false })
    }

    /// Updates the index with the bodies that have moved.
    fn settle(&mut self) {
        let Self { bodies, index, unindexed, places, .. } = self;
        if unindexed.is_empty() {
            return;
        }
        let place_of = |number: &u32| {
            bodies[*number as usize].as_ref().map_or(IndexedBounds::Nowhere, Body::indexed_bounds)
        };
        #[cfg(feature = "parallel")]
        if unindexed.len() >= SHARED {
            use rayon::prelude::*;
            unindexed.par_iter().with_min_len(SHARED / 4).map(place_of).collect_into_vec(places);
        } else {
            places.clear();
            places.extend(unindexed.iter().map(place_of));
        }
        #[cfg(not(feature = "parallel"))]
        {
            places.clear();
            places.extend(unindexed.iter().map(place_of));
        }
        for (number, place) in unindexed.drain(..).zip(places) {
            index.place_stale(Root::Moving, number, *place);
            if let Some(body) = bodies[number as usize].as_mut() {
                body.is_unindexed = false;
            }
        }
        index.settle();
    }
}

/// From this many bodies on, the work is shared among threads.
#[cfg(feature = "parallel")]
const SHARED: usize = 1024;

/// Marks a body for the next update of the index.
fn mark_unindexed(body: &mut Body, number: u32, unindexed: &mut Vec<u32>) {
    if !core::mem::replace(&mut body.is_unindexed, true) {
        unindexed.push(number);
    }
}

/// Sets the motions of bodies for one tick.
#[derive(Debug)]
pub struct Moves<'a> {
    world: &'a mut World,
    seconds: f64,
    /// Whether the world has a new stamp already.
    is_stamped: bool,
}

impl Drop for Moves<'_> {
    fn drop(&mut self) {
        self.world.settle();
    }
}

impl Moves<'_> {
    /// The duration of the tick.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Moves a body so that it has this pose at the end of the tick: straight, and turning the short way at
    /// constant speed. A change of scale takes place at once, at the start.
    ///
    /// # Errors
    /// The body is fixed or not of this world, the pose is not finite, or the motion leaves the range of f64.
    /// Then nothing changes.
    pub fn move_to(&mut self, id: BodyId, pose: impl Into<Pose>) -> Result<(), MoveError> {
        let pose = pose.into();
        if !pose.is_finite() {
            return Err(MoveError::NotFinite);
        }
        self.send(id, |start| RigidMotion::between(start, pose))
    }

    /// Drives a body at a velocity in m/s, and turns it about its position at an angular velocity in rad/s
    /// about the world's axes.
    ///
    /// # Errors
    /// The body is fixed or not of this world, a velocity is not finite, or the motion leaves the range of
    /// f64. Then nothing changes.
    pub fn drive(&mut self, id: BodyId, linear: DVec3, angular: DVec3) -> Result<(), MoveError> {
        let seconds = self.seconds;
        self.send(id, |start| RigidMotion::driven(start, linear * seconds, angular * seconds))
    }

    fn send(
        &mut self,
        id: BodyId,
        motion: impl FnOnce(Pose) -> Option<RigidMotion>,
    ) -> Result<(), MoveError> {
        let World { bodies, moving, stamp, spare, unindexed, .. } = &mut *self.world;
        let body = bodies
            .get_mut(id.index() as usize)
            .and_then(|body| id.names_mut(body))
            .ok_or(MoveError::NoSuchBody)?;
        if !body.can_move() {
            return Err(MoveError::Fixed);
        }
        let start = body.pose_at(0.0);
        let motion = motion(start).ok_or(MoveError::NotFinite)?;
        body.put(*motion.end());
        // No query runs between two of these.
        if !core::mem::replace(&mut self.is_stamped, true) {
            *stamp = Stamp::new();
        }
        body.stamp = *stamp;
        if motion.is_rest() {
            spare.extend(body.motion.take());
        } else if let Some(own) = &mut body.motion {
            **own = motion;
        } else {
            let mut own = spare.pop().unwrap_or_else(|| Box::new(motion));
            *own = motion;
            body.motion = Some(own);
            moving.push(id.index());
        }
        mark_unindexed(body, id.index(), unindexed);
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
