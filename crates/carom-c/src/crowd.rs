//! Characters that collide with each other.

use carom::character::{Crowd, CrowdInput};
use carom::sensor::TickPath;
use carom::{Character, Input};

use crate::border::{guard, list, out, room};
use crate::character::{CHARACTERS, CaromCharacter, Hero, character_tick};
use crate::controls::CaromInput;
use crate::handles::{Exclusive, Objects};
use crate::report::CaromReport;
use crate::status::{CaromStatus, Failure};
use crate::world::{CaromWorld, WORLDS};

/// Moves many characters at once. It holds nothing that changes an answer.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaromCrowd {
    /// Opaque, except that 0 is no crowd.
    pub value: u64,
}

static CROWDS: Objects<Together> = Objects::new(4, "crowd");

/// Kept from tick to tick.
#[derive(Default)]
struct Together {
    crowd: Crowd,
    characters: Vec<Character>,
    inputs: Vec<Input>,
    paths: Vec<TickPath>,
}

/// An empty crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_crowd_new(crowd: *mut CaromCrowd) -> CaromStatus {
    guard(|| {
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let crowd = unsafe { out(crowd, "crowd") }?;
        crowd.write(CaromCrowd { value: CROWDS.insert(Together::default())? });
        Ok(())
    })
}

/// Frees a crowd; its characters stay. Null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn carom_crowd_free(crowd: CaromCrowd) -> CaromStatus {
    guard(|| CROWDS.remove(crowd.value))
}

/// Makes one tick of many characters at once, each by its own input, on all cores. Each keeps to its side. In
/// reports they name each other by their index in this list. `reports` has room for `count`, or is null. If a
/// character is named twice, the call returns `CAROM_STATUS_BUSY`, and none has moved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_crowd_step(
    crowd: CaromCrowd,
    world: CaromWorld,
    characters: *const CaromCharacter,
    inputs: *const CaromInput,
    count: usize,
    seconds: f64,
    reports: *mut CaromReport,
) -> CaromStatus {
    guard(|| {
        let room_for = if reports.is_null() { 0 } else { count };
        // SAFETY: the caller keeps the rules of pointers (border.rs).
        let (handles, wanted, reports) = unsafe {
            (
                list(characters, count, "characters")?,
                list(inputs, count, "inputs")?,
                room(reports, room_for, "reports")?,
            )
        };
        let seconds = character_tick(seconds)?;
        let world = WORLDS.read(world.value)?;
        let mut together = CROWDS.write(crowd.value)?;
        let of = |i: usize| move |failure: Failure| failure.within(format!("character {i}"));
        let Together { crowd, characters, inputs, paths } = &mut *together;
        inputs.clear();
        for (i, input) in wanted.iter().enumerate() {
            inputs.push(input.get().map_err(of(i))?);
        }
        let mut heroes: Vec<Exclusive<Hero>> = Vec::with_capacity(count);
        for (i, handle) in handles.iter().enumerate() {
            heroes.push(CHARACTERS.write(handle.value).map_err(of(i))?);
        }
        characters.clear();
        characters.extend(heroes.iter().map(|hero| hero.character));
        paths.clear();
        paths.extend(heroes.iter_mut().map(|hero| core::mem::take(&mut hero.path)));
        paths.iter_mut().for_each(TickPath::clear);
        let all = crowd.step_all_traced(&world, characters, CrowdInput { inputs, dt: seconds }, paths);
        for ((hero, character), report) in heroes.iter_mut().zip(&*characters).zip(all) {
            hero.character = *character;
            hero.report = Some(*report);
        }
        for (hero, path) in heroes.iter_mut().zip(paths.drain(..)) {
            hero.path = path;
        }
        for (place, hero) in reports.iter_mut().zip(&heroes) {
            place.write(hero.report());
        }
        Ok(())
    })
}
