//! The report of a character's tick.

use carom::character::{Character, Ground, Obstacle, Outcome, Report};

use crate::values::{CaromBody, CaromVec3};

/// How a tick ended.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromOutcome {
    /// It went as far as desired, or along obstacles.
    Moved = 0,
    /// Obstacles left no way to continue.
    Blocked = 1,
    /// It was pressed from several sides.
    Crushed = 2,
    /// It could not get out of an overlap, and returned to the last place where it stood free.
    Recovered = 3,
    /// The motion left the range of numbers, and it did not move.
    Refused = 4,
}

/// An obstacle of a character: a part of a body, or another character of its crowd.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaromObstacle {
    /// The body; 0 if it is a character.
    pub body: CaromBody,
    /// The part of the body.
    pub part: u32,
    /// The index of the character in the list of the crowd; `CAROM_NO_CHARACTER` if it is a body.
    pub character: u32,
}

/// The index of no character.
pub const CAROM_NO_CHARACTER: u32 = u32::MAX;

/// The report of a tick.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromReport {
    /// The center, in meters.
    pub position: CaromVec3,
    /// The center at the start of the tick. Draw the character between this and `position`.
    pub previous_position: CaromVec3,
    /// The velocity in m/s, including that of a platform.
    pub velocity: CaromVec3,
    /// The most upright normal of the ground; 0 in the air.
    pub ground_normal: CaromVec3,
    /// Its ground.
    pub ground: CaromObstacle,
    /// The user number of the ground; 0 in the air.
    pub ground_user_data: u64,
    /// The character's user number.
    pub user_data: u64,
    /// The tag of the surface that it stands on.
    pub ground_tag: u32,
    /// Whether it stands on something.
    pub on_ground: bool,
    /// A `CaromOutcome`.
    pub outcome: u32,
    /// The number of sweeps of the tick.
    pub sweeps: u32,
    /// The height in meters that it gained by steps in this tick. Smooth the camera by it.
    pub stepped: f64,
    /// The angle in radians by which platforms have turned it about `up`, including full turns.
    pub yaw: f64,
}

/// A contact at the end of a tick.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromTouch {
    /// The obstacle.
    pub obstacle: CaromObstacle,
    /// Its user number.
    pub user_data: u64,
    /// The point, in meters.
    pub point: CaromVec3,
    /// The unit normal, towards the character.
    pub normal: CaromVec3,
    /// The distance from its skin, in meters; negative inside.
    pub gap: f64,
}

/// A push against a dynamic body, for the game to apply.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromPush {
    /// The body.
    pub body: CaromBody,
    /// The body's user number.
    pub user_data: u64,
    /// The point, in meters.
    pub point: CaromVec3,
    /// The impulse, in newton seconds.
    pub impulse: CaromVec3,
}

/// An obstacle that crushed a character.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaromCrusher {
    /// The obstacle.
    pub obstacle: CaromObstacle,
    /// The user number of the body or the character.
    pub user_data: u64,
}

/// A character that stands on another one.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaromRider {
    /// Its place in the crowd.
    pub character: u32,
    /// Its user number.
    pub user_data: u64,
}

impl From<Obstacle> for CaromObstacle {
    fn from(obstacle: Obstacle) -> Self {
        match obstacle {
            Obstacle::Body(part) => {
                Self { body: part.body.into(), part: part.part, character: CAROM_NO_CHARACTER }
            }
            Obstacle::Character(character) => Self { body: CaromBody::NULL, part: 0, character },
        }
    }
}

impl CaromObstacle {
    pub(crate) const NONE: Self = Self { body: CaromBody::NULL, part: 0, character: CAROM_NO_CHARACTER };
}

impl CaromReport {
    /// The state of a character, and the result of its last tick, if it made one.
    pub(crate) fn new(character: &Character, last: Option<&Report>) -> Self {
        let (outcome, stepped, sweeps, ground_user_data) = match last {
            None => (CaromOutcome::Moved, 0.0, 0, 0),
            Some(report) => {
                let outcome = match report.outcome {
                    Outcome::Moved => CaromOutcome::Moved,
                    Outcome::Blocked => CaromOutcome::Blocked,
                    Outcome::Crushed => CaromOutcome::Crushed,
                    Outcome::Recovered => CaromOutcome::Recovered,
                    Outcome::Refused => CaromOutcome::Refused,
                };
                (outcome, report.stepped, report.sweeps, report.ground_user_data)
            }
        };
        let ground: Option<&Ground> = character.ground();
        Self {
            position: character.position().into(),
            previous_position: character.previous_position().into(),
            velocity: character.velocity().into(),
            ground_normal: ground.map_or(CaromVec3::ZERO, |ground| ground.normal.into()),
            ground: ground.map_or(CaromObstacle::NONE, |ground| ground.obstacle.into()),
            ground_user_data: if ground.is_some() { ground_user_data } else { 0 },
            user_data: character.user_data(),
            ground_tag: ground.map_or(0, |ground| ground.tag),
            on_ground: ground.is_some(),
            outcome: outcome as u32,
            sweeps,
            stepped,
            yaw: character.yaw(),
        }
    }
}
