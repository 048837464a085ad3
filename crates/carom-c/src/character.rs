//! Characters.

use carom::character::{Character, CharacterError, Report, Settings, TickInput};
use carom::sensor::TickPath;
use carom::world::Neighborhood;

use crate::border::{fill, guard, out, read, read_or_null, room};
use crate::controls::{CaromInput, CaromSettings};
use crate::handles::{Objects, Shared};
use crate::report::{CaromCrusher, CaromPush, CaromReport, CaromRider, CaromTouch};
use crate::status::{CaromStatus, Failure};
use crate::values::{CaromShape, CaromVec3, layers};
use crate::world::{CaromWorld, WORLDS, tick_length};

/// A body on legs, moved by desired velocities.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaromCharacter {
    /// Opaque, except that 0 is no character.
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
    /// That of the last tick, for sensors.
    pub(crate) path: TickPath,
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

impl Hero {
    pub(crate) fn report(&self) -> CaromReport {
        CaromReport::new(&self.character, self.report.as_ref())
    }

    /// The lists of its last tick.
    fn last_report(&self) -> Result<&Report, Failure> {
        self.report.as_ref().ok_or_else(|| Failure::bad_value("the character has made no tick yet"))
    }
}

/// The characters of a list, to be read.
pub(crate) fn heroes(handles: &[CaromCharacter]) -> Result<Vec<Shared<Hero>>, Failure> {
    let hero = |(i, handle): (usize, &CaromCharacter)| {
        CHARACTERS.read(handle.value).map_err(|failure| failure.within(format!("character {i}")))
    };
    handles.iter().enumerate().map(hero).collect()
}

/// How long the tick of a character is, if that is a time.
pub(crate) fn character_tick(seconds: f64) -> Result<f64, Failure> {
    let seconds = tick_length(seconds)?;
    let more = (seconds > 0.0).then_some(seconds);
    more.ok_or_else(|| Failure::bad_value("the tick of a character must be longer than 0 seconds"))
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
        let hero = Hero { character: made, near: Neighborhood::new(), report: None, path: TickPath::new() };
        character.write(CaromCharacter { value: CHARACTERS.insert(hero)? });
        Ok(())
    })
}

/// A copy of the present character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_character_clone(
    character: CaromCharacter,
    copy: *mut CaromCharacter,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let copy = unsafe { out(copy, "copy") }?;
        let hero = {
            let hero = CHARACTERS.read(character.value)?;
            let Hero { character, report, .. } = *hero;
            Hero { character, near: Neighborhood::new(), report, path: hero.path.clone() }
        };
        copy.write(CaromCharacter { value: CHARACTERS.insert(hero)? });
        Ok(())
    })
}

/// Gives a character the state and the settings of another one, for rollback to a saved copy. It continues
/// from there with the same bits.
#[unsafe(no_mangle)]
pub extern "C" fn carom_character_restore(character: CaromCharacter, from: CaromCharacter) -> CaromStatus {
    guard(|| {
        let (copied, report, path) = {
            let from = CHARACTERS.read(from.value)?;
            (from.character, from.report, from.path.clone())
        };
        let mut hero = CHARACTERS.write(character.value)?;
        (hero.character, hero.report, hero.path) = (copied, report, path);
        Ok(())
    })
}

/// Frees a character. Null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn carom_character_free(character: CaromCharacter) -> CaromStatus {
    guard(|| CHARACTERS.remove(character.value))
}

/// Makes one tick: from the world's poses at the start of the tick to those at its end. `report` may be null.
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
        let Hero { character, near, report: last, path } = &mut *hero;
        path.clear();
        *last = Some(character.step_with(&world, TickInput::new(input, seconds), near, path));
        if let Some(report) = report {
            report.write(hero.report());
        }
        Ok(())
    })
}

/// The report of the last tick; before the first, the character's position.
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

/// The contacts of the character at the end of its last tick, nearest first, at most 8. Writes as many as
/// fit; `count` is the full number.
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
        fill(touches, count, &hero.last_report()?.touched().map(touch).collect::<Vec<_>>())
    })
}

/// The pushes of the character in its last tick, at most 4 bodies.
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
        fill(pushes, count, &hero.last_report()?.pushes().map(push).collect::<Vec<_>>())
    })
}

/// The obstacles that crushed the character in its last tick, at most 8; nothing unless it was crushed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_character_crushed_by(
    character: CaromCharacter,
    crushers: *mut CaromCrusher,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (crushers, count) = unsafe { (room(crushers, capacity, "crushers")?, out(count, "count")?) };
        let hero = CHARACTERS.read(character.value)?;
        let crusher = |by: carom::character::Crusher| CaromCrusher {
            obstacle: by.obstacle.into(),
            user_data: by.user_data,
        };
        fill(crushers, count, &hero.last_report()?.crushed_by().map(crusher).collect::<Vec<_>>())
    })
}

/// The characters that stood on this one at the start of its last tick, at most 4. Writes as many as fit;
/// `count` is the full number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_character_riders(
    character: CaromCharacter,
    riders: *mut CaromRider,
    capacity: usize,
    count: *mut usize,
) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (riders, count) = unsafe { (room(riders, capacity, "riders")?, out(count, "count")?) };
        let hero = CHARACTERS.read(character.value)?;
        let rider = |rider: carom::character::Rider| CaromRider {
            character: rider.character,
            user_data: rider.user_data,
        };
        fill(riders, count, &hero.last_report()?.riders().map(rider).collect::<Vec<_>>())
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

/// Changes the settings. On a planet, set `up` and gravity at every tick.
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

/// Sets the user number of a character, which every answer about it contains.
#[unsafe(no_mangle)]
pub extern "C" fn carom_character_set_user_data(character: CaromCharacter, user_data: u64) -> CaromStatus {
    guard(|| {
        let mut hero = CHARACTERS.write(character.value)?;
        hero.character = hero.character.with_user_data(user_data);
        Ok(())
    })
}

/// Puts a character on other layers, for casts at targets and for sensors. Which bodies stop it is a setting,
/// `collides_with`.
#[unsafe(no_mangle)]
pub extern "C" fn carom_character_set_layers(character: CaromCharacter, layer_bits: u32) -> CaromStatus {
    guard(|| {
        let mut hero = CHARACTERS.write(character.value)?;
        hero.character = hero.character.on(layers(layer_bits));
        Ok(())
    })
}

/// Moves the center at once, at rest.
#[unsafe(no_mangle)]
pub extern "C" fn carom_character_teleport(character: CaromCharacter, position: CaromVec3) -> CaromStatus {
    guard(|| {
        let mut hero = CHARACTERS.write(character.value)?;
        hero.character.teleport(position.get())?;
        // It took no path to there.
        hero.path.clear();
        Ok(())
    })
}

/// Sets the velocity, in m/s, and leaves the ground: for jump pads and knock-back.
#[unsafe(no_mangle)]
pub extern "C" fn carom_character_launch(character: CaromCharacter, velocity: CaromVec3) -> CaromStatus {
    guard(|| Ok(CHARACTERS.write(character.value)?.character.launch(velocity.get())?))
}

/// Sets the velocity, in m/s. On the ground the next desired velocity replaces it.
#[unsafe(no_mangle)]
pub extern "C" fn carom_character_set_velocity(
    character: CaromCharacter,
    velocity: CaromVec3,
) -> CaromStatus {
    guard(|| Ok(CHARACTERS.write(character.value)?.character.set_velocity(velocity.get())?))
}

/// Changes the shape in place, with the feet at the same height: to crouch and to rise again. If there is no
/// room, it returns `CAROM_STATUS_DOES_NOT_FIT` and changes nothing.
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
