//! The game character: ground, slopes, steps, snapping, ledges, platforms, pushing, crushing.
//!
//! A [`Character`] is plain data. [`Character::step`] is a function of it, the input, the world and the other
//! characters. To save it, copy it; a restored copy continues with the same bits. `docs/steps.md` and
//! `docs/movers.md` explain how it works, and `docs/feel.md` what each setting does.

mod above;
mod bounded_list;
mod character_obstacles;
mod crowd;
mod input;
mod nearby;
mod neighbor;
mod report;
mod settings;
mod squeeze;
mod stack;
mod support;
mod targets;
mod tick;

use glam::DVec3;

pub use crowd::Crowd;
pub use input::{CrowdInput, Input, TickInput};
pub use neighbor::Neighbor;
pub use report::{Crusher, Ground, Obstacle, Outcome, Push, Report, Rider, Touched};
pub use settings::{CharacterError, GravityPass, PlatformVelocity, Riders, Settings};
pub use stack::link;
pub use targets::{CharacterContact, CharacterHit, CharacterOverlap, ClosestCharacter, Targets};

use self::neighbor::StackLink;
use self::squeeze::Squeeze;
use self::stack::Flags;
use crate::prefetch::prefetch;
use crate::shape::{Mover, finite};
use crate::trace::Trace;
use crate::world::{Layers, Neighborhood, World};

/// The changing part of a character. Copy it to save it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State {
    pub(super) shape: Mover,
    pub(super) position: DVec3,
    /// Where the last tick began.
    pub(super) previous: DVec3,
    pub(super) velocity: DVec3,
    /// On the ground, the velocity of the ground; in the air, the part of it that is left.
    pub(super) inherited: DVec3,
    /// Where it last stood free, if that is known.
    pub(super) safe_place: DVec3,
    pub(super) ground: Option<Ground>,
    pub(super) yaw: f64,
    /// Whether the ground is known: not before the first step, and not after a teleport.
    pub(super) is_ground_known: bool,
    /// Whether the next tick must leave the ground.
    pub(super) is_launched: bool,
    /// The squeeze, while it is crushed.
    squeeze: Squeeze,
    /// Whether it is crushed, whether the safe place is known, and its relation in the last tick to the
    /// characters below and above it.
    pub(super) flags: Flags,
}

impl State {
    /// The squeeze, while it is crushed.
    pub(super) fn squeeze(&self) -> Option<Squeeze> {
        self.flags.has(Flags::SQUEEZED).then_some(self.squeeze)
    }

    pub(super) fn set_squeeze(&mut self, squeeze: Option<Squeeze>) {
        self.flags.set(Flags::SQUEEZED, squeeze.is_some());
        self.squeeze = squeeze.unwrap_or(Squeeze::NONE);
    }
}

/// A body that desired velocities move: a player, an enemy, a guest in a crowd.
///
/// Call [`Character::step`] once per tick with a [`World`], and read the [`Report`]. Use [`Crowd`] for many
/// characters that collide with each other, and [`WorldObstacles`](crate::respond::WorldObstacles) with
/// [`collide_and_slide`](fn@crate::respond::collide_and_slide) for movers without legs. The shape can be any
/// [`Mover`] but a point. A capsule or an ellipsoid rolls over small edges; a cuboid behaves like a player in
/// Quake. Any tick rate works: 60 per second is usual. [`Settings`] decides the feel.
///
/// ```
/// use carom::character::{Character, Input, Settings};
/// use carom::{Body, Cuboid, Ellipsoid, Pose, World, glam::dvec3};
///
/// let mut world = World::new();
/// world.add(Body::fixed(Cuboid::new(dvec3(9.0, 1.0, 9.0))?).at(Pose::at(dvec3(0.0, -1.0, 0.0))?));
/// let body = Ellipsoid::new(dvec3(0.4, 0.9, 0.4))?;
/// let mut hero = Character::new(body, Settings::default())?.at(dvec3(0.0, 0.95, 0.0))?;
/// for _ in 0..60 {
///     let report = hero.step(&world, Input::walk(dvec3(3.0, 0.0, 0.0)), 1.0 / 60.0);
///     assert!(!report.crushed());
/// }
/// assert!((hero.position().x - 3.0).abs() < 1e-6);
/// assert!(hero.ground().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Character {
    state: State,
    settings: Settings,
    /// The layers on which casts find it.
    #[cfg_attr(feature = "serde", serde(default))]
    layers: Layers,
    /// The user number.
    #[cfg_attr(feature = "serde", serde(default))]
    user_data: u64,
}

impl Character {
    /// A character at the origin.
    ///
    /// # Errors
    /// The shape is a point, or settings are outside their ranges.
    pub fn new(shape: impl Into<Mover>, settings: Settings) -> Result<Self, CharacterError> {
        let shape = shape.into();
        let settings = settings.checked(&shape)?;
        let state = State {
            shape,
            position: DVec3::ZERO,
            previous: DVec3::ZERO,
            velocity: DVec3::ZERO,
            inherited: DVec3::ZERO,
            safe_place: DVec3::ZERO,
            ground: None,
            yaw: 0.0,
            is_ground_known: false,
            is_launched: false,
            squeeze: Squeeze::NONE,
            flags: Flags::default(),
        };
        Ok(Self { state, settings, layers: Layers::SOLID, user_data: 0 })
    }

    /// The same character with a user number, which every answer about it carries: an entity, a player, a set
    /// of flags. The default is 0.
    #[must_use]
    pub fn with_user_data(self, user_data: u64) -> Self {
        Self { user_data, ..self }
    }

    /// The same character on other layers: those on which casts and sensors find it. Its [`Settings`] decide
    /// what it collides with.
    #[must_use]
    pub fn on(self, layers: Layers) -> Self {
        Self { layers, ..self }
    }

    /// The same character with its center at `position`, in meters, at rest.
    ///
    /// # Errors
    /// The position is not finite.
    pub fn at(mut self, position: DVec3) -> Result<Self, CharacterError> {
        self.teleport(position)?;
        Ok(self)
    }

    /// Moves the center at once, at rest. The next step finds the ground there.
    ///
    /// # Errors
    /// The position is not finite.
    pub fn teleport(&mut self, position: DVec3) -> Result<(), CharacterError> {
        let position = finite(position, "position")? + DVec3::ZERO;
        self.state = State {
            position,
            previous: position,
            velocity: DVec3::ZERO,
            inherited: DVec3::ZERO,
            safe_place: DVec3::ZERO,
            ground: None,
            is_ground_known: false,
            is_launched: false,
            squeeze: Squeeze::NONE,
            flags: Flags::default(),
            ..self.state
        };
        Ok(())
    }

    /// Sets the velocity, in m/s in the world, and leaves the ground: for jump pads and knock-back.
    ///
    /// # Errors
    /// The velocity is not finite.
    pub fn launch(&mut self, velocity: DVec3) -> Result<(), CharacterError> {
        self.set_velocity(velocity)?;
        self.state.is_launched = true;
        Ok(())
    }

    /// Sets the velocity, in m/s in the world. On the ground the next desired velocity replaces it.
    ///
    /// # Errors
    /// The velocity is not finite.
    pub fn set_velocity(&mut self, velocity: DVec3) -> Result<(), CharacterError> {
        self.state.velocity = finite(velocity, "velocity")? + DVec3::ZERO;
        Ok(())
    }

    /// Changes the shape in place, with the feet at the same height: to crouch and to rise again. Only the
    /// world is searched for room: it pushes away other characters that it grows into, or that stand on it.
    ///
    /// # Errors
    /// The shape is invalid, or does not fit. Then nothing changes.
    pub fn resize(&mut self, world: &World, shape: impl Into<Mover>) -> Result<(), CharacterError> {
        let shape = shape.into();
        self.settings.checked(&shape)?;
        let grown = |shape: &Mover| shape.grown(self.settings.skin_of(shape));
        let (old, new) = (grown(&self.state.shape)?, grown(&shape)?);
        let up = self.settings.up;
        let position = self.state.position + up * (support::feet(&new, up) - support::feet(&old, up));
        if support::overlaps(world, &new, position, self.settings.collides_with) {
            return Err(CharacterError::DoesNotFit);
        }
        self.state.shape = shape;
        self.state.position = position;
        Ok(())
    }

    /// Changes the settings. On a planet, set `up` and gravity at every tick.
    ///
    /// # Errors
    /// Settings are outside their ranges. Then nothing changes.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), CharacterError> {
        self.settings = settings.checked(&self.state.shape)?;
        Ok(())
    }

    /// Makes one tick of `dt` seconds: from the world's poses at the start of the tick to those at its end.
    pub fn step(&mut self, world: &World, input: Input, dt: f64) -> Report {
        self.step_among(world, &[], input, dt)
    }

    /// Like [`Character::step`], among other characters that all move in the same tick.
    /// [`Character::neighbor`] describes each of them, and [`link`] connects those in stacks. Each keeps to
    /// its side, so you can step them in any order, from the same start.
    pub fn step_among(&mut self, world: &World, neighbors: &[Neighbor], input: Input, dt: f64) -> Report {
        let given = TickInput::new(input, dt).among(neighbors);
        self.step_with(world, given, &mut Neighborhood::new(), &mut ())
    }

    /// Like [`Character::step_among`], with a reusable [`Neighborhood`], and a [`Trace`] that receives every
    /// event.
    ///
    /// ```
    /// use carom::character::{Character, Input, Settings, TickInput};
    /// use carom::world::{Neighborhood, World};
    /// use carom::Sphere;
    /// let world = World::new();
    /// let mut hero = Character::new(Sphere::new(0.5)?, Settings::default())?;
    /// let mut near = Neighborhood::new();
    /// for _ in 0..60 {
    ///     hero.step_with(&world, TickInput::new(Input::IDLE, 1.0 / 60.0), &mut near, &mut ());
    /// }
    /// assert!(hero.position().y < -4.0, "nothing holds it");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step_with(
        &mut self,
        world: &World,
        given: TickInput<'_>,
        near: &mut Neighborhood,
        trace: &mut impl Trace<Obstacle>,
    ) -> Report {
        let mut report = Report::new(self.state.position, self.state.velocity);
        let outputs = tick::Outputs { trace, report: &mut report };
        tick::step(self, tick::TickWorld { world, near }, given, outputs);
        report
    }

    /// Finds the ground under a character that was just placed, as its next tick would do first, and keeps
    /// the contacts in the [`Neighborhood`]. Later ticks that begin there skip the search, as long as the
    /// world stays the same and this is not called for another place. Use it to try many things from one
    /// place, away from other characters. Answers are the same.
    pub fn find_ground(&mut self, world: &World, dt: f64, near: &mut Neighborhood) {
        tick::find_ground(self, tick::TickWorld { world, near }, dt);
    }

    /// Prefetches its memory for a tick that comes soon.
    fn prefetch(&self) {
        let Self { state, settings, .. } = self;
        prefetch(&state.shape);
        prefetch(&state.position);
        prefetch(&state.inherited);
        prefetch(&state.safe_place);
        prefetch(&state.ground);
        prefetch(&settings.up);
        prefetch(&settings.gravity);
        prefetch(&settings.step_height);
    }

    /// Describes this character to the others, for a tick with this input.
    pub fn neighbor(&self, number: u32, world: &World, input: Input, dt: f64) -> Neighbor {
        let skin = self.settings.skin_of(&self.state.shape);
        let carrier = self.state.ground.and_then(|ground| ground.obstacle.body());
        Neighbor {
            number,
            user_data: self.user_data,
            mover: self.state.shape.grown(skin).unwrap_or(self.state.shape),
            position: self.state.position,
            translation: tick::wanted(self, input, dt),
            carried: carrier
                .and_then(|id| world.body(id))
                .map_or(DVec3::ZERO, |body| body.displacement(self.state.position, [0.0, 1.0])),
            carrier,
            stack: self.stack_link(world, input, dt),
        }
    }

    /// Its data for the characters that it stands on, and for those that stand on it.
    fn stack_link(&self, world: &World, input: Input, dt: f64) -> StackLink {
        let Self { state, settings, .. } = self;
        let stands_on = match state.ground.map(|ground| ground.obstacle) {
            Some(Obstacle::Character(number)) => Some(number),
            _ => None,
        };
        StackLink {
            up: settings.up,
            least_upright: settings.least_upright(),
            layers: settings.collides_with,
            slack: 0.25 * settings.skin_of(&state.shape),
            stands_on,
            rests: state.flags.has(Flags::RESTS) || !state.is_ground_known,
            riders: settings.riders,
            ahead: tick::expected(self, world, input, dt),
            drift: if state.ground.is_none() { state.inherited * dt } else { DVec3::ZERO },
            borne: DVec3::ZERO,
            raised: 0.0,
            room: f64::INFINITY,
        }
    }

    /// The center, in meters.
    pub fn position(&self) -> DVec3 {
        self.state.position
    }

    /// The center at the start of the last tick, in meters. Draw the character between this and
    /// [`Character::position`].
    pub fn previous_position(&self) -> DVec3 {
        self.state.previous
    }

    /// The velocity in m/s in the world, including that of a platform.
    pub fn velocity(&self) -> DVec3 {
        self.state.velocity
    }

    /// The angle in radians by which platforms have turned it about `up`, including full turns.
    pub fn yaw(&self) -> f64 {
        self.state.yaw
    }

    /// The ground; `None` in the air.
    pub fn ground(&self) -> Option<&Ground> {
        self.state.ground.as_ref()
    }

    /// Its shape, without the skin.
    pub fn shape(&self) -> &Mover {
        &self.state.shape
    }

    /// Its settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Its user number.
    pub fn user_data(&self) -> u64 {
        self.user_data
    }

    /// The layers on which casts and sensors find it.
    pub fn layers(&self) -> Layers {
        self.layers
    }

    /// The distance that it keeps from everything, in meters.
    pub fn skin(&self) -> f64 {
        self.settings.skin_of(&self.state.shape)
    }

    /// The changing part, to save it.
    pub fn state(&self) -> State {
        self.state
    }

    /// Returns to a saved state.
    pub fn restore(&mut self, state: State) {
        self.state = state;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_is_small() {
        assert!(size_of::<State>() <= 256, "{}", size_of::<State>());
    }
}
