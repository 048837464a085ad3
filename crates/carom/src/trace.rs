//! The events of a motion and the reasons for them, for a viewer, a test or a person: "why did I stop?" has
//! an answer.
//!
//! Moving code reports each sweep, projection and decision to a [`Trace`]. `()` listens to nothing and costs
//! nothing.

use glam::DVec3;

/// A step of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<'a, K> {
    /// A new stage of a tick begins.
    Stage(Stage),
    /// A sweep was made: its first hit, and the fraction before it.
    Sweep {
        /// The center at the start, in meters.
        from: DVec3,
        /// The translation, in meters.
        translation: DVec3,
        /// The first hit.
        hit: Option<SweepHit<K>>,
    },
    /// The nearest motion that all contacts allow was computed.
    Solved {
        /// The motion that was wanted, in meters in the whole time.
        wanted: DVec3,
        /// The motion that was found.
        motion: DVec3,
        /// The contacts that hold it: at most four.
        held: &'a [Option<Holding<K>>],
    },
    /// The contacts leave no motion at all.
    Crushed,
    /// A decision, with its details.
    Decided(Decision),
}

/// The first hit of a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepHit<K> {
    /// The fraction of the translation that is free, 0 … 1.
    pub fraction: f64,
    /// The obstacle.
    pub key: K,
}

/// A contact that limits a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Holding<K> {
    /// The obstacle.
    pub key: K,
    /// Its plane's normal, towards the mover.
    pub normal: DVec3,
    /// The least motion along the normal that it requires, in meters in the whole time.
    pub bound: f64,
}

/// The stages of a character's tick, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Finding the ground, before anything moves.
    Probe,
    /// Moving out of overlaps.
    Depenetrate,
    /// Its own motion and that of the bodies around it, at once.
    Walk,
    /// Up, forward and down again, where the path is blocked.
    Step,
    /// Down to falling ground.
    Snap,
    /// Gravity and the rest of a jump.
    Fall,
}

/// A decision of a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decision {
    /// It stands on ground with this normal.
    Stands(DVec3),
    /// It stands still: there is no input, and friction holds it.
    Holds,
    /// It jumps at this speed, in m/s.
    Jumps(f64),
    /// It has left the ground.
    LeavesGround,
    /// It climbed a step of this height, in meters; 0 over a lip that leads no higher.
    Steps(f64),
    /// There was no step to climb: nothing to stand on, or no room.
    CannotStep,
    /// It snapped down to the ground, by this many meters.
    Snaps(f64),
    /// It returned to the last free position.
    Recovers,
    /// It is pressed from several sides and stays.
    IsCrushed,
    /// The input was not finite: it does not move.
    Refuses,
}

/// A listener to a motion.
pub trait Trace<K> {
    /// Receives an event.
    fn event(&mut self, event: &Event<'_, K>) {
        let _ = event;
    }
}

impl<K> Trace<K> for () {}
