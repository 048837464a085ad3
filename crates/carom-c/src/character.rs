//! Characters.

use carom::Layers;
use carom::character::{
    Character, CharacterError, GravityPass, Ground, Input, Obstacle, Outcome, PlatformVelocity, Report,
    Riders, Settings,
};
use carom::world::Neighborhood;

use crate::border::{check_size, fill, guard, out, read, read_or_null, room};
use crate::handles::Objects;
use crate::status::{CaromStatus, Failure};
use crate::values::{CaromBody, CaromShape, CaromVec3};
use crate::world::{CaromWorld, WORLDS, tick_length};

/// A body on legs, moved by wanted velocities.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaromCharacter {
    /// Meaningless but for 0: no character.
    pub value: u64,
}

pub(crate) static CHARACTERS: Objects<Hero> = Objects::new(3, "character");

/// A character with what its last tick left.
pub(crate) struct Hero {
    pub(crate) character: Character,
    /// Changes no answer.
    near: Neighborhood,
    /// None before the first tick.
    pub(crate) report: Option<Report>,
}

/// What a character keeps of the velocity of the platform that it leaves.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromPlatformVelocity {
    /// All of it.
    Inherit = 0,
    /// Nothing.
    Drop = 1,
}

/// What becomes of those that stand on the head of a character when it walks.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromRiders {
    /// They go along.
    Carry = 0,
    /// It walks out from under them.
    LeaveBehind = 1,
}

/// How gravity is applied.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromGravityPass {
    /// One motion along the ground, one up or down.
    Separate = 0,
    /// One motion of both.
    Combined = 1,
}

/// How a character moves. Lengths in meters, speeds in m/s, angles in radians. docs/feel.md says what each
/// does.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromSettings {
    /// That of this structure: `carom_settings_default` sets it.
    pub size: u32,
    /// The layers that stop it. Default: all.
    pub collides_with: u32,
    /// The direction that is up; of any length, but not 0. Default: +y.
    pub up: CaromVec3,
    /// What makes it fall, in m/s². Default: (0, −9.81, 0).
    pub gravity: CaromVec3,
    /// The distance that it keeps from everything, above 0. 0, the default: a thousandth of its smallest
    /// radius, but at least 0.1 mm.
    pub skin: f64,
    /// The highest step that it climbs, at least 0. Default: 0.4.
    pub step_height: f64,
    /// The steepest ground that it walks on, 0 … π/2. Default: π/4.
    pub max_slope: f64,
    /// How far ground may fall away before it is left, at least 0. −1, the default: step height and skin.
    pub snap_distance: f64,
    /// The share of what is missing to the wanted velocity that a tick in the air makes up, 0 … 1.
    /// Default: 1.
    pub air_control: f64,
    /// The friction of surfaces that have none of their own, at least 0. Default: 0.5.
    pub friction: f64,
    /// The most that it reports as a push, in newtons, at least 0. Default: 100.
    pub push_force: f64,
    /// How fast it gets out of what has crushed it, in m/s, at least 0. −1, the default: as fast as what
    /// presses moves, but at least 1.5 m/s.
    pub escape_speed: f64,
    /// A `CaromPlatformVelocity`. Default: inherit.
    pub platform_velocity: u32,
    /// A `CaromRiders`. Default: carry.
    pub riders: u32,
    /// A `CaromGravityPass`. Default: separate.
    pub gravity_pass: u32,
}

/// What a player wants for one tick. All zeros: nothing, as `carom_idle` has it. `carom_walk` fills it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromInput {
    /// 1 if there is a wanted velocity; 0: hands off, it stands if it can and flies on if it is in the air.
    pub has_velocity: u32,
    /// 1 to jump; done only from the ground.
    pub has_jump: u32,
    /// The wanted velocity, in m/s.
    pub desired_velocity: CaromVec3,
    /// The speed of the jump, in m/s along `up`.
    pub jump: f64,
}

/// How a tick ended.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaromOutcome {
    /// As far as it wanted to, or along what was in the way.
    Moved = 0,
    /// Something left no way to go on.
    Blocked = 1,
    /// It was pressed from several sides.
    Crushed = 2,
    /// It could not get out of what it overlapped, and was put back to where it last stood free.
    Recovered = 3,
    /// The motion left the range of numbers: it stayed where it was.
    Refused = 4,
}

/// What a character touches: a part of a body, or another character of its crowd.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaromObstacle {
    /// The body; 0 if it is a character.
    pub body: CaromBody,
    /// Which part of the body.
    pub part: u32,
    /// The place of the character in the list of the crowd; `CAROM_NO_CHARACTER` if it is a body.
    pub character: u32,
}

/// The place of no character.
pub const CAROM_NO_CHARACTER: u32 = u32::MAX;

/// What a tick came to.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromReport {
    /// The center, in meters.
    pub position: CaromVec3,
    /// Where it was when the tick began: what is drawn lies between the two.
    pub previous_position: CaromVec3,
    /// In m/s, that of a platform included.
    pub velocity: CaromVec3,
    /// The most upright normal of the ground; 0 in the air.
    pub ground_normal: CaromVec3,
    /// What it stands on.
    pub ground: CaromObstacle,
    /// The own number of what it stands on; 0 in the air.
    pub ground_user_data: u64,
    /// The character's own number.
    pub user_data: u64,
    /// The tag of the surface that it stands on.
    pub ground_tag: u32,
    /// Whether it stands on anything.
    pub on_ground: bool,
    /// A `CaromOutcome`.
    pub outcome: u32,
    /// How many sweeps the tick took.
    pub sweeps: u32,
    /// By how many meters it climbed steps in this tick: what a camera should smooth.
    pub stepped: f64,
    /// By how much platforms have turned it about `up`, in radians, counted on beyond full turns.
    pub yaw: f64,
}

/// Something touched at the end of a tick.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromTouch {
    /// What.
    pub obstacle: CaromObstacle,
    /// Its own number.
    pub user_data: u64,
    /// Where, in meters.
    pub point: CaromVec3,
    /// The unit normal, towards the character.
    pub normal: CaromVec3,
    /// How far from its skin, in meters; negative where it is inside.
    pub gap: f64,
}

/// A push against a dynamic body, for the game to apply.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaromPush {
    /// Which body.
    pub body: CaromBody,
    /// The body's own number.
    pub user_data: u64,
    /// Where, in meters.
    pub point: CaromVec3,
    /// In newton seconds.
    pub impulse: CaromVec3,
}

impl From<CharacterError> for Failure {
    fn from(error: CharacterError) -> Self {
        let status = match error {
            CharacterError::DoesNotFit => CaromStatus::DoesNotFit,
            _ => CaromStatus::BadValue,
        };
        Self::new(status, error)
    }
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
    const NONE: Self = Self { body: CaromBody::NULL, part: 0, character: CAROM_NO_CHARACTER };
}

impl CaromSettings {
    fn get(&self) -> Result<Settings, Failure> {
        check_size::<Self>(self.size, "settings")?;
        let unknown = |name, value| Failure::bad_value(format!("{name} must be 0 or 1, not {value}"));
        Ok(Settings {
            up: self.up.get(),
            gravity: self.gravity.get(),
            skin: (self.skin != 0.0).then_some(self.skin),
            step_height: self.step_height,
            max_slope: self.max_slope,
            snap_distance: (self.snap_distance != -1.0).then_some(self.snap_distance),
            air_control: self.air_control,
            friction: self.friction,
            platform_velocity: match self.platform_velocity {
                0 => PlatformVelocity::Inherit,
                1 => PlatformVelocity::Drop,
                other => return Err(unknown("platform_velocity", other)),
            },
            riders: match self.riders {
                0 => Riders::Carry,
                1 => Riders::LeaveBehind,
                other => return Err(unknown("riders", other)),
            },
            gravity_pass: match self.gravity_pass {
                0 => GravityPass::Separate,
                1 => GravityPass::Combined,
                other => return Err(unknown("gravity_pass", other)),
            },
            push_force: self.push_force,
            escape_speed: (self.escape_speed != -1.0).then_some(self.escape_speed),
            collides_with: Layers::from_bits(self.collides_with),
        })
    }
}

impl From<&Settings> for CaromSettings {
    fn from(settings: &Settings) -> Self {
        Self {
            size: size_of::<Self>() as u32,
            collides_with: settings.collides_with.bits(),
            up: settings.up.into(),
            gravity: settings.gravity.into(),
            skin: settings.skin.unwrap_or(0.0),
            step_height: settings.step_height,
            max_slope: settings.max_slope,
            snap_distance: settings.snap_distance.unwrap_or(-1.0),
            air_control: settings.air_control,
            friction: settings.friction,
            push_force: settings.push_force,
            escape_speed: settings.escape_speed.unwrap_or(-1.0),
            platform_velocity: match settings.platform_velocity {
                PlatformVelocity::Inherit => CaromPlatformVelocity::Inherit as u32,
                PlatformVelocity::Drop => CaromPlatformVelocity::Drop as u32,
            },
            riders: match settings.riders {
                Riders::Carry => CaromRiders::Carry as u32,
                Riders::LeaveBehind => CaromRiders::LeaveBehind as u32,
            },
            gravity_pass: match settings.gravity_pass {
                GravityPass::Separate => CaromGravityPass::Separate as u32,
                GravityPass::Combined => CaromGravityPass::Combined as u32,
            },
        }
    }
}

impl CaromInput {
    pub(crate) fn get(&self) -> Result<Input, Failure> {
        if self.has_velocity > 1 || self.has_jump > 1 {
            return Err(Failure::bad_value("has_velocity and has_jump are 0 or 1"));
        }
        let desired_velocity = match self.has_velocity {
            0 => None,
            _ => Some(self.desired_velocity.finite("the wanted velocity")?),
        };
        let jump = (self.has_jump == 1).then_some(self.jump);
        if jump.is_some_and(|jump| !jump.is_finite()) {
            return Err(Failure::bad_value("the speed of the jump must be finite"));
        }
        Ok(Input { desired_velocity, jump })
    }
}

impl Hero {
    /// What it came to, as C has it.
    pub(crate) fn report(&self) -> CaromReport {
        let character = &self.character;
        let (outcome, stepped, sweeps, ground_user_data) = match &self.report {
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
        CaromReport {
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

    /// The lists of its last tick.
    fn told(&self) -> Result<&Report, Failure> {
        self.report.as_ref().ok_or_else(|| Failure::bad_value("the character has made no tick yet"))
    }
}

/// How long the tick of a character is, if that is a time.
pub(crate) fn character_tick(seconds: f64) -> Result<f64, Failure> {
    let seconds = tick_length(seconds)?;
    let more = (seconds > 0.0).then_some(seconds);
    more.ok_or_else(|| Failure::bad_value("the tick of a character must be longer than 0 seconds"))
}

/// Those of a person on foot.
#[unsafe(no_mangle)]
pub extern "C" fn carom_settings_default() -> CaromSettings {
    CaromSettings::from(&Settings::default())
}

/// Nothing is wanted.
#[unsafe(no_mangle)]
pub extern "C" fn carom_idle() -> CaromInput {
    CaromInput { has_velocity: 0, has_jump: 0, desired_velocity: CaromVec3::ZERO, jump: 0.0 }
}

/// A wanted velocity, in m/s.
#[unsafe(no_mangle)]
pub extern "C" fn carom_walk(desired_velocity: CaromVec3) -> CaromInput {
    CaromInput { has_velocity: 1, desired_velocity, ..carom_idle() }
}

/// The same input with a jump at this speed, in m/s.
#[unsafe(no_mangle)]
pub extern "C" fn carom_jump(input: CaromInput, speed: f64) -> CaromInput {
    CaromInput { has_jump: 1, jump: speed, ..input }
}

/// A character with its center at `position`, at rest. `settings` may be null: the default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_character_new(
    shape: CaromShape,
    settings: *const CaromSettings,
    position: CaromVec3,
    character: *mut CaromCharacter,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (character, settings) =
            unsafe { (out(character, "character")?, read_or_null(settings, "settings")?) };
        let settings = settings.map_or(Ok(Settings::default()), |settings| settings.get())?;
        let made = Character::new(shape.mover()?, settings)?.at(position.get())?;
        let hero = Hero { character: made, near: Neighborhood::new(), report: None };
        character.write(CaromCharacter { value: CHARACTERS.insert(hero)? });
        Ok(())
    })
}

/// A copy of a character as it is now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_character_clone(
    character: CaromCharacter,
    copy: *mut CaromCharacter,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let copy = unsafe { out(copy, "copy") }?;
        let (character, report) = {
            let hero = CHARACTERS.read(character.value)?;
            (hero.character, hero.report)
        };
        let hero = Hero { character, near: Neighborhood::new(), report };
        copy.write(CaromCharacter { value: CHARACTERS.insert(hero)? });
        Ok(())
    })
}

/// Makes a character what another one is, state and settings: to go back to a copy that was put aside. It
/// goes on from there to the same bits.
#[unsafe(no_mangle)]
pub extern "C" fn carom_character_restore(character: CaromCharacter, from: CaromCharacter) -> CaromStatus {
    guard(|| {
        let (copied, report) = {
            let from = CHARACTERS.read(from.value)?;
            (from.character, from.report)
        };
        let mut hero = CHARACTERS.write(character.value)?;
        (hero.character, hero.report) = (copied, report);
        Ok(())
    })
}

/// Frees a character. Null is fine.
#[unsafe(no_mangle)]
pub extern "C" fn carom_character_free(character: CaromCharacter) -> CaromStatus {
    guard(|| CHARACTERS.remove(character.value))
}

/// One tick: from the world's poses at the start of the tick to those at its end. `report` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_character_step(
    character: CaromCharacter,
    world: CaromWorld,
    input: CaromInput,
    seconds: f64,
    report: *mut CaromReport,
) -> CaromStatus {
    guard(|| {
        let (input, seconds) = (input.get()?, character_tick(seconds)?);
        let world = WORLDS.read(world.value)?;
        let mut hero = CHARACTERS.write(character.value)?;
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let report = if report.is_null() { None } else { Some(unsafe { out(report, "report") }?) };
        let Hero { character, near, report: told } = &mut *hero;
        *told = Some(character.step_with(&world, &[], (input, seconds), near, &mut ()));
        if let Some(report) = report {
            report.write(hero.report());
        }
        Ok(())
    })
}

/// What the last tick came to; before the first, where the character is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_character_report(
    character: CaromCharacter,
    report: *mut CaromReport,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let report = unsafe { out(report, "report") }?;
        report.write(CHARACTERS.read(character.value)?.report());
        Ok(())
    })
}

/// What the character touched at the end of its last tick, nearest first, at most 8. Writes as many as there
/// is room for; `count` is how many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_character_touches(
    character: CaromCharacter,
    touches: *mut CaromTouch,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (touches, count) = unsafe { (room(touches, capacity, "touches")?, out(count, "count")?) };
        let hero = CHARACTERS.read(character.value)?;
        let touch = |touched: &carom::character::Touched| CaromTouch {
            obstacle: touched.obstacle.into(),
            user_data: touched.user_data,
            point: touched.point.into(),
            normal: touched.normal.into(),
            gap: touched.gap,
        };
        fill(touches, count, &hero.told()?.touched().map(touch).collect::<Vec<_>>())
    })
}

/// What the character pushed in its last tick, at most 4 bodies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_character_pushes(
    character: CaromCharacter,
    pushes: *mut CaromPush,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (pushes, count) = unsafe { (room(pushes, capacity, "pushes")?, out(count, "count")?) };
        let hero = CHARACTERS.read(character.value)?;
        let push = |push: &carom::character::Push| CaromPush {
            body: push.body.into(),
            user_data: push.user_data,
            point: push.point.into(),
            impulse: push.impulse.into(),
        };
        fill(pushes, count, &hero.told()?.pushes().map(push).collect::<Vec<_>>())
    })
}

/// What crushed the character in its last tick, at most 8; none unless it was crushed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_character_crushed_by(
    character: CaromCharacter,
    obstacles: *mut CaromObstacle,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (obstacles, count) = unsafe { (room(obstacles, capacity, "obstacles")?, out(count, "count")?) };
        let hero = CHARACTERS.read(character.value)?;
        fill(obstacles, count, &hero.told()?.crushed_by().map(CaromObstacle::from).collect::<Vec<_>>())
    })
}

/// The settings of a character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_character_settings(
    character: CaromCharacter,
    settings: *mut CaromSettings,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let settings = unsafe { out(settings, "settings") }?;
        settings.write(CHARACTERS.read(character.value)?.character.settings().into());
        Ok(())
    })
}

/// Changes the settings: also `up` and gravity, on a planet at every tick.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_character_set_settings(
    character: CaromCharacter,
    settings: *const CaromSettings,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let settings = unsafe { read(settings, "settings") }?.get()?;
        Ok(CHARACTERS.write(character.value)?.character.set_settings(settings)?)
    })
}

/// Gives a character a number of its own, which comes with every answer that names it.
#[unsafe(no_mangle)]
pub extern "C" fn carom_character_set_user_data(character: CaromCharacter, user_data: u64) -> CaromStatus {
    guard(|| {
        let mut hero = CHARACTERS.write(character.value)?;
        hero.character = hero.character.with_user_data(user_data);
        Ok(())
    })
}

/// Puts the center elsewhere, at once and at rest.
#[unsafe(no_mangle)]
pub extern "C" fn carom_character_teleport(character: CaromCharacter, position: CaromVec3) -> CaromStatus {
    guard(|| Ok(CHARACTERS.write(character.value)?.character.teleport(position.get())?))
}

/// Sets the velocity, in m/s, and leaves the ground: jump pads, knock-back.
#[unsafe(no_mangle)]
pub extern "C" fn carom_character_launch(character: CaromCharacter, velocity: CaromVec3) -> CaromStatus {
    guard(|| Ok(CHARACTERS.write(character.value)?.character.launch(velocity.get())?))
}

/// Sets the velocity, in m/s. On the ground the next wanted velocity replaces it.
#[unsafe(no_mangle)]
pub extern "C" fn carom_character_set_velocity(
    character: CaromCharacter,
    velocity: CaromVec3,
) -> CaromStatus {
    guard(|| Ok(CHARACTERS.write(character.value)?.character.set_velocity(velocity.get())?))
}

/// Changes the shape where the character stands, feet on the same place: to crouch and to rise again.
/// `CAROM_STATUS_DOES_NOT_FIT` where there is no room; then nothing changes.
#[unsafe(no_mangle)]
pub extern "C" fn carom_character_resize(
    character: CaromCharacter,
    world: CaromWorld,
    shape: CaromShape,
) -> CaromStatus {
    guard(|| {
        let mover = shape.mover()?;
        let world = WORLDS.read(world.value)?;
        Ok(CHARACTERS.write(character.value)?.character.resize(&world, mover)?)
    })
}
