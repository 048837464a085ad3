//! Pushed bodies: crates, barrels, furniture. They have mass, gravity, friction and bounce, and do not turn.
//!
//! Idea: a pushed body slides like a character, with its own solid as the mover, among bodies that move
//! through the tick. The lowest goes first, and each sees the paths of those before it. So no two end in
//! each other, and a body on a crate moves with the crate. Other pushed bodies stop it, and it does not
//! push them on: no momentum passes from one to the next. Only a body that a driven one would end in goes
//! before its turn, and the bodies in its way make way: a lift raises a stack, and a wall pushes a row. If
//! they have no room, the driven body, which nothing stops, ends in the first (`jam.rs`). Gravity uses the
//! trapezoid rule, which is exact for a parabola; for sliding bodies the error is a tick's worth of it.
//! Cost: a slide for each body and tick, two where bodies make way, and the contacts at its end.
//!
//! A body gains energy only from what drives it: pushes, bodies that the game moves, the support that it
//! stands on, and surfaces of a restitution above 1.

mod budget;
mod jam;
mod others;
mod turns;

use alloc::vec::Vec;

use glam::DVec3;
use thiserror::Error;

use self::budget::Step;
use self::jam::Jam;
use self::others::{Others, Press, is_deep};
use self::turns::Turns;
use crate::character::Push;
use crate::num::ops;
use crate::respond::{Obstacles, Slide};
use crate::shape::{ShapeError, finite};
use crate::world::{Body, BodyId, Moves, Part, Pose, World};

/// The cosine of the steepest slope that carries bodies on it: 60°.
const LEAST_UPRIGHT: f64 = 0.5;

/// Why a body cannot be pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PushedError {
    /// The body was removed, or is of another world.
    #[error("there is no such body in this world")]
    NoSuchBody,
    /// The body is fixed or kinematic, or a sensor.
    #[error("the body has no mass: make it with Body::dynamic")]
    NotDynamic,
    /// The body is not a solid that can be swept.
    #[error("only spheres, ellipsoids, capsules and boxes can be pushed")]
    NotSolid,
    /// The body was added before.
    #[error("the body is already among the pushed bodies")]
    Twice,
}

/// A body and its part of the state.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pushed {
    body: BodyId,
    /// In m/s, relative to its support.
    velocity: DVec3,
    /// The velocity of its support in the last tick, in m/s.
    carried: DVec3,
    /// The body that it stood on in the last tick.
    support: Option<BodyId>,
    /// The velocity of what drove it when it last touched something, in m/s.
    drive: DVec3,
    /// The energy that it has been raised by and not paid for yet: twice that of a kilogram, in m²/s².
    owed: f64,
    /// Whether it touched something at the end of the last tick, and did not leave it.
    touches: bool,
    /// The body that it ended the last tick in.
    press: Option<Press>,
}

/// A pushed body that has no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PressedBody {
    /// The pushed body.
    pub body: BodyId,
    /// The moving body that it is in.
    pub by: BodyId,
}

/// The changing part of pushed bodies: velocities and poses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PushedState {
    bodies: Vec<(Pushed, Pose)>,
}

/// Moves crates and other dynamic bodies by pushes, gravity, and the motion of their support.
///
/// Use it for props that a player pushes. For bodies that topple or push each other, use a physics engine.
/// Call [`PushedBodies::advance`] in place of [`World::advance`], step the characters, and pass their pushes
/// to [`PushedBodies::push_all`].
///
/// ```
/// use carom::pushed::PushedBodies;
/// use carom::{Body, Cuboid, World, glam::{DVec3, dvec3}};
/// let mut world = World::new();
/// world.add(Body::fixed(Cuboid::new(dvec3(9.0, 1.0, 9.0))?).at(dvec3(0.0, -1.0, 0.0)));
/// let cube = Cuboid::new(DVec3::splat(0.5))?;
/// let crate_ = world.add(Body::dynamic(cube, 20.0)?.at(dvec3(0.0, 3.0, 0.0)));
/// let mut pushed = PushedBodies::new(dvec3(0.0, -9.81, 0.0))?.with_friction(0.5)?;
/// pushed.add(&world, crate_)?;
/// for tick in 0..120 {
///     if tick == 100 {
///         pushed.push(&world, crate_, dvec3(60.0, 0.0, 0.0)); // newton seconds: 3 m/s
///     }
///     pushed.advance(&mut world, 1.0 / 60.0, |_| ());
/// }
/// let at = world.body(crate_).unwrap().pose().position();
/// assert!((at.y - 0.5).abs() < 1e-3 && at.x > 0.5, "{at}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PushedBodies {
    gravity: DVec3,
    friction: f64,
    /// In the order in which they were added.
    bodies: Vec<Pushed>,
}

impl PushedBodies {
    /// No bodies yet, under this gravity, in m/s². With 0 they slide on a floor without falling.
    ///
    /// # Errors
    /// The gravity is not finite.
    pub fn new(gravity: DVec3) -> Result<Self, ShapeError> {
        Ok(Self { gravity: finite(gravity, "gravity")?, friction: 0.0, bodies: Vec::new() })
    }

    /// The same with a coefficient of friction for surfaces that set none. Default: 0.
    ///
    /// # Errors
    /// The coefficient is negative or not finite.
    pub fn with_friction(self, friction: f64) -> Result<Self, ShapeError> {
        if friction >= 0.0 && friction.is_finite() {
            Ok(Self { friction, ..self })
        } else {
            Err(ShapeError::Negative("friction"))
        }
    }

    /// Adds a body of a world, at rest.
    ///
    /// # Errors
    /// The body is not of this world, has no mass, is not a solid, or was added before.
    pub fn add(&mut self, world: &World, id: BodyId) -> Result<(), PushedError> {
        let body = world.body(id).ok_or(PushedError::NoSuchBody)?;
        if body.mass().is_none() || body.is_sensor() {
            return Err(PushedError::NotDynamic);
        }
        body.placed_solid().ok_or(PushedError::NotSolid)?;
        if self.bodies.iter().any(|pushed| pushed.body.is(id)) {
            return Err(PushedError::Twice);
        }
        self.bodies.push(Pushed {
            body: id,
            velocity: DVec3::ZERO,
            carried: DVec3::ZERO,
            support: None,
            drive: DVec3::ZERO,
            owed: 0.0,
            touches: false,
            press: None,
        });
        Ok(())
    }

    /// Removes a body from this list; `false` if it is not in it.
    pub fn remove(&mut self, id: BodyId) -> bool {
        let before = self.bodies.len();
        self.bodies.retain(|pushed| pushed.body != id);
        self.bodies.len() < before
    }

    /// Adds an impulse, in newton seconds, to a body, from the next tick on. If the body is not in this list,
    /// or the impulse is not finite, nothing changes.
    pub fn push(&mut self, world: &World, id: BodyId, impulse: DVec3) {
        let Some(mass) = world.body(id).and_then(Body::mass) else { return };
        if let Some(pushed) = self.bodies.iter_mut().find(|pushed| pushed.body == id) {
            let velocity = pushed.velocity + impulse / mass;
            if velocity.is_finite() {
                pushed.velocity = velocity;
            }
        }
    }

    /// Adds the pushes of a character in its tick: [`Report::pushes`](crate::character::Report::pushes).
    pub fn push_all<'a>(&mut self, world: &World, pushes: impl IntoIterator<Item = &'a Push>) {
        for push in pushes {
            self.push(world, push.body, push.impulse);
        }
    }

    /// The velocity of a body, in m/s in the world; `None` if it is not in this list.
    pub fn velocity(&self, id: BodyId) -> Option<DVec3> {
        let pushed = self.bodies.iter().find(|pushed| pushed.body == id)?;
        Some(pushed.velocity + pushed.carried)
    }

    /// The bodies that had no room in the last tick. Each gets out where there is room, at the speed of the
    /// body that presses it or of a fall by its own smallest radius: so it does not leap. Break it, or send
    /// the lift back.
    pub fn pressed(&self) -> impl Iterator<Item = PressedBody> {
        self.bodies.iter().filter_map(|pushed| Some(PressedBody { body: pushed.body, by: pushed.press?.by }))
    }

    /// The changing part, to save it. If you restore it in the same world, or in one that was built alike,
    /// the continuation has the same bits.
    pub fn state(&self, world: &World) -> PushedState {
        let pose = |pushed: &Pushed| Some((*pushed, *world.body(pushed.body)?.pose()));
        PushedState { bodies: self.bodies.iter().filter_map(pose).collect() }
    }

    /// Returns to a saved state, and puts the bodies where they were.
    pub fn restore(&mut self, world: &mut World, state: &PushedState) {
        self.bodies.clear();
        for (pushed, pose) in &state.bodies {
            if world.set_pose(pushed.body, *pose).is_ok() {
                self.bodies.push(*pushed);
            }
        }
    }

    /// Makes a tick of the world, in place of [`World::advance`]: first the bodies that `moves` drives, then
    /// the pushed ones, from the lowest up. Returns the result of `moves`.
    pub fn advance<R>(
        &mut self,
        world: &mut World,
        seconds: f64,
        moves: impl FnOnce(&mut Moves<'_>) -> R,
    ) -> R {
        let answer = world.advance(seconds, moves);
        if !(seconds > 0.0 && seconds.is_finite()) {
            return answer;
        }
        let Self { gravity, friction, bodies } = self;
        bodies.retain(|pushed| world.contains(pushed.body));
        let height = |pushed: &Pushed| {
            let at = world.body(pushed.body).map_or(DVec3::ZERO, |body| body.pose().position());
            -gravity.dot(at)
        };
        let mut order: Vec<(f64, usize)> =
            bodies.iter().enumerate().map(|(place, pushed)| (height(pushed), place)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let tick = Tick { gravity: *gravity, friction: *friction, seconds };
        let mut turns = Turns::new(order.into_iter().map(|(_, place)| (bodies[place].body, place)));
        for driven in world.moving_bodies() {
            turns.mark_overrun(world, driven, |id| tick.overruns(world, id));
        }
        while let Some(place) = turns.take_next() {
            tick.step(place, bodies, world, &turns);
            if let Some(body) = world.body(bodies[place].body).filter(|body| body.is_moving()) {
                turns.mark_overrun(world, body, |id| tick.overruns(world, id));
            }
        }
        answer
    }
}

/// The parameters of a tick for all bodies.
struct Tick {
    gravity: DVec3,
    friction: f64,
    seconds: f64,
}

impl Tick {
    fn step(&self, place: usize, bodies: &mut [Pushed], world: &mut World, turns: &Turns) {
        let mut pushed = bodies[place];
        let Some(body) = world.body(pushed.body) else { return };
        let start = body.pose_at(0.0);
        let Some(mover) = body.placed_solid() else { return };
        let seconds = self.seconds;
        let length = |v: DVec3| ops::sqrt(v.length_squared());
        // A quarter of the skin of a character of its size.
        let contact_distance = 0.25e-3 * mover.smallest_radius();
        let own = [pushed.body];
        let others = Others::new(world, mover, seconds, &own);
        let Surroundings { carry, pressing } =
            self.surroundings(&others, world, start.position(), 4.0 * contact_distance);
        let carried = carry.map_or(DVec3::ZERO, |(_, carry)| carry / seconds);
        let support = carry.map(|(body, _)| body);
        if support != pushed.support {
            // It keeps its velocity in the world where it leaves a body, or lands on one.
            pushed.velocity += pushed.carried - carried;
        }
        let before = pushed.velocity + carried;
        let half = self.gravity * (0.5 * seconds);
        // In free flight the velocity has half of the last tick's gravity in it already. A touching body gets
        // all of it at once, so that at rest it has no velocity.
        let fall = if pushed.touches { half * 2.0 } else { half };
        let translation = (pushed.velocity + fall + carried) * seconds;
        let slide = Slide {
            from: start.position(),
            translation,
            contact_distance,
            friction: self.friction,
            // A speed of at most two ticks of falling counts as rest.
            bounce_above: 2.0 * length(self.gravity) * seconds * seconds,
            climbing: None,
        };
        let mut slid = others.slide(&slide);
        if turns.is_any_left() && others.overrun(slid.position) {
            // Held by bodies that wait, in the way of one that has moved: they make way if they have room.
            let left_out: Vec<BodyId> = own.into_iter().chain(turns.waiting()).collect();
            let rest = Others::new(world, mover, seconds, &left_out);
            let forced = rest.slide(&Slide { translation: carried * seconds, ..slide });
            let motion = forced.position - start.position();
            if !rest.overrun(forced.position)
                && self.make_way(&others, forced.position, motion, &left_out, &mut Vec::new())
            {
                slid = forced;
            }
        }
        let mut press = others.press(slid.position, pushed.press);
        if let Some(speed) = pressing {
            // As fast as the press, or as a fall by its own size.
            let falls = ops::sqrt(2.0 * length(self.gravity) * mover.smallest_radius());
            let way_out = speed.max(falls) * seconds;
            let motion = slid.position - start.position();
            let jam =
                Jam { began: pushed.press, ends: press, motion, translation, way_out, contact_distance };
            if let Some(by) = jam.press() {
                // A press that it stands on carries it nowhere.
                let carry = if support == Some(by.by) { DVec3::ZERO } else { carried * seconds };
                let at = jam.end(&others, start.position(), carry, by);
                press = others.press(at, Some(by));
                let stopped = Pushed {
                    velocity: DVec3::ZERO,
                    carried: DVec3::ZERO,
                    support: None,
                    touches: true,
                    press,
                    ..pushed
                };
                if let Some(goal) = moved(&start, at) {
                    bodies[place] = stopped;
                    self.move_to(world, pushed.body, start, goal);
                }
                return;
            }
        }
        let touches = slid.touches().any(|touch| {
            let leaving = slid.motion - touch.motion + half * (2.0 * seconds);
            // Written so that a NaN touches.
            let leaves = touch.contact.normal.dot(leaving) > 0.0;
            !leaves
        });
        let after = slid.motion / seconds + if touches { DVec3::ZERO } else { half };
        let motion = slid.position - start.position();
        let step = Step { before, after, motion, gravity: self.gravity, seconds };
        let (mut frame, mut is_bumped) = (None, false);
        for touch in slid.touches() {
            is_bumped |= touch.restitution > 1.0;
            let drives = match turns.place_of(touch.key.body) {
                Some(place) => bodies[place].drive,
                None => touch.surface_motion() / seconds,
            };
            frame = Some(frame.map_or(drives, |frame| step.freer(frame, drives)));
        }
        let is_in_flight = frame.is_none() && !pushed.touches && pushed.owed == 0.0;
        let is_free = is_bumped || is_in_flight;
        let drive = frame.unwrap_or(pushed.drive);
        let (after, owed) = if is_free { (after, pushed.owed) } else { step.pay(drive, pushed.owed) };
        let velocity = after - carried;
        let (Some(goal), true) = (moved(&start, slid.position), velocity.is_finite() && owed.is_finite())
        else {
            // Beyond the range of f64 it stays.
            (bodies[place].velocity, bodies[place].carried) = (DVec3::ZERO, DVec3::ZERO);
            return;
        };
        let velocity = velocity + DVec3::ZERO;
        bodies[place] = Pushed { velocity, carried, support, drive, owed, touches, press, ..pushed };
        self.move_to(world, pushed.body, start, goal);
    }

    fn move_to(&self, world: &mut World, id: BodyId, start: Pose, goal: Pose) {
        if goal != start {
            world.advance_further(self.seconds, |moves| {
                // It is dynamic and of this world.
                let _ = moves.move_to(id, goal);
            });
        }
    }

    /// Whether bodies that have moved end the tick in one that has not.
    fn overruns(&self, world: &World, id: BodyId) -> bool {
        let Some(body) = world.body(id) else { return false };
        let Some(mover) = body.placed_solid() else { return false };
        Others::new(world, mover, self.seconds, &[id]).overrun(body.pose().position())
    }

    /// Whether the waiting bodies that a mover would end in at `at` have room to go the same way, and those
    /// in their way too. `left_out` has the mover and all that wait; `asked` those that have room already.
    fn make_way(
        &self,
        mover: &Others<'_>,
        at: DVec3,
        motion: DVec3,
        left_out: &[BodyId],
        asked: &mut Vec<BodyId>,
    ) -> bool {
        let mut met = Vec::new();
        mover.contacts(at, 1.0, 0.0, &mut |touch| {
            let id = touch.key.body;
            if is_deep(&touch) && left_out.contains(&id) && !asked.contains(&id) && !met.contains(&id) {
                met.push(id);
            }
        });
        let world = mover.world();
        met.into_iter().all(|id| {
            asked.push(id);
            let Some((body, solid)) = world.body(id).and_then(|body| Some((body, body.placed_solid()?)))
            else {
                return true;
            };
            let from = body.pose().position();
            let rest = Others::new(world, solid, self.seconds, left_out);
            rest.sweep(from, motion, [0.0, 1.0]).is_none() && {
                let own = [id];
                let others = Others::new(world, solid, self.seconds, &own);
                self.make_way(&others, from + motion, motion, left_out, asked)
            }
        })
    }

    /// The support of a body, and the speed of what presses it, at the start of the tick.
    fn surroundings(&self, others: &Others<'_>, world: &World, at: DVec3, distance: f64) -> Surroundings {
        let size = ops::sqrt(self.gravity.length_squared());
        let up = if size > 0.0 { -self.gravity / size } else { DVec3::ZERO };
        let mut best: Option<(f64, Part)> = None;
        let mut pressing: Option<f64> = None;
        others.contacts(at, 0.0, distance, &mut |touch| {
            let upright = touch.contact.normal.dot(up);
            let better =
                |(other, part): (f64, Part)| upright > other || (upright == other && touch.key < part);
            if upright >= LEAST_UPRIGHT && best.is_none_or(better) {
                best = Some((upright, touch.key));
            }
            if is_deep(&touch) && touch.motion != DVec3::ZERO {
                let speed = ops::sqrt(touch.motion.length_squared()) / self.seconds;
                pressing = Some(pressing.map_or(speed, |other| other.max(speed)));
            }
        });
        let carry = best.and_then(|(_, part)| {
            world.body(part.body).map(|body| (part.body, body.displacement(at, [0.0, 1.0])))
        });
        Surroundings { carry, pressing }
    }
}

/// The bodies around a pushed one at the start of a tick.
struct Surroundings {
    /// Its support, and the translation of that in this tick; `None` in the air.
    carry: Option<(BodyId, DVec3)>,
    /// The speed of the fastest moving body that it is in, in m/s.
    pressing: Option<f64>,
}

/// A pose at another place; `None` beyond the range of f64.
fn moved(pose: &Pose, to: DVec3) -> Option<Pose> {
    let at = Pose::at(to).and_then(|at| at.with_rotation(pose.rotation()));
    at.and_then(|at| at.with_scale(pose.scale())).ok()
}
