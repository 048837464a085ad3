//! Characters: one is a crowd of one.

use carom::character::{
    Character, CharacterError, Crowd, CrowdInput, GravityPass, Input, Outcome, PlatformVelocity, Report,
    Settings, State,
};
use carom::glam::{DVec3, dvec3};
use carom::{Layers, World};
use wasm_bindgen::prelude::*;

use crate::answer::Answer;
use crate::error::{bad_value, gone};
use crate::shape::RawShape;
use crate::trace::{Notes, pair};
use crate::world::RawWorld;

/// How many numbers settings have.
const SETTINGS: usize = 18;

/// The most states that are kept, 3 hours at 60 a second.
const SLOTS: usize = 1 << 20;

/// Characters that see each other.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct RawCrowd {
    crowd: Crowd,
    characters: Vec<Character>,
    inputs: Vec<Input>,
    notes: Vec<Notes>,
    saved: Vec<State>,
    /// The centers, three numbers a character.
    positions: Vec<f64>,
    answer: Answer,
}

#[wasm_bindgen]
impl RawCrowd {
    /// An empty crowd.
    #[wasm_bindgen(constructor)]
    pub fn new() -> RawCrowd {
        RawCrowd::default()
    }

    /// Where the answers are, in bytes.
    pub fn answers(&self) -> usize {
        self.answer.address()
    }

    /// Where the centers are, in bytes: three numbers a character, renewed by every step. Moves when
    /// characters are added.
    #[wasm_bindgen(js_name = positionsAddress)]
    pub fn positions_address(&self) -> usize {
        self.positions.as_ptr().addr()
    }

    /// Adds a character, and returns its number. `settings`: up, gravity, skin, step height, greatest slope
    /// in degrees, snap distance, air control, friction, 1 to keep a platform's velocity, 1 for one motion
    /// with gravity, push force, escape speed, layers; NaN: as the library has it.
    ///
    /// # Errors
    /// A point, settings out of range, a position that is not finite.
    pub fn add(
        &mut self,
        shape: &RawShape,
        settings: &[f64],
        x: f64,
        y: f64,
        z: f64,
    ) -> Result<u32, JsValue> {
        let character = Character::new(shape.0, self::settings(Settings::default(), settings)?)
            .and_then(|character| character.at(dvec3(x, y, z)))
            .map_err(bad_value)?;
        self.characters.push(character);
        self.inputs.push(Input::IDLE);
        self.notes.push(Notes::default());
        self.positions.extend([x, y, z]);
        Ok(self.characters.len() as u32 - 1)
    }

    /// Changes settings: as in [`Self::add`], NaN: as it is.
    ///
    /// # Errors
    /// Settings out of range; then nothing changes.
    #[wasm_bindgen(js_name = setSettings)]
    pub fn set_settings(&mut self, number: u32, settings: &[f64]) -> Result<(), JsValue> {
        let character = self.one(number)?;
        let changed = self::settings(*character.settings(), settings)?;
        character.set_settings(changed).map_err(bad_value)
    }

    /// The input of a character in the next ticks: a velocity (NaN: hands off), a jump speed (NaN: none).
    ///
    /// # Errors
    /// A character that is not there.
    #[wasm_bindgen(js_name = setInput)]
    pub fn set_input(&mut self, number: u32, x: f64, y: f64, z: f64, jump: f64) -> Result<(), JsValue> {
        let input = self.inputs.get_mut(number as usize).ok_or_else(|| gone("there is no such character"))?;
        let mut wanted = if x.is_nan() { Input::IDLE } else { Input::walk(dvec3(x, y, z)) };
        if !jump.is_nan() {
            wanted = wanted.jump(jump);
        }
        *input = wanted;
        Ok(())
    }

    /// The inputs of all characters: four numbers each, as in [`Self::set_input`].
    ///
    /// # Errors
    /// A list of another length.
    #[wasm_bindgen(js_name = setInputs)]
    pub fn set_inputs(&mut self, numbers: &[f64]) -> Result<(), JsValue> {
        if numbers.len() != 4 * self.inputs.len() {
            return Err(bad_value("inputs are four numbers a character: velocity and jump speed"));
        }
        for (number, &[x, y, z, jump]) in (0..).zip(numbers.as_chunks::<4>().0) {
            self.set_input(number, x, y, z, jump)?;
        }
        Ok(())
    }

    /// Whether the next ticks of a character are traced.
    ///
    /// # Errors
    /// A character that is not there.
    #[wasm_bindgen(js_name = setTraced)]
    pub fn set_traced(&mut self, number: u32, is_traced: bool) -> Result<(), JsValue> {
        let notes = self.notes.get_mut(number as usize);
        notes.ok_or_else(|| gone("there is no such character"))?.are_wanted = is_traced;
        Ok(())
    }

    /// One tick of all.
    pub fn step(&mut self, world: &RawWorld, seconds: f64) {
        let Self { crowd, characters, inputs, notes, positions, .. } = self;
        if notes.iter().any(|notes| notes.are_wanted) {
            notes.iter_mut().for_each(|notes| notes.numbers.clear());
            crowd.step_all_traced(&world.world, characters, CrowdInput { inputs, dt: seconds }, notes);
        } else {
            crowd.step_all(&world.world, characters, inputs, seconds);
        }
        for (place, character) in positions.as_chunks_mut::<3>().0.iter_mut().zip(characters) {
            *place = character.position().to_array();
        }
    }

    /// Writes what the last tick of a character came to: position, velocity, 1 on ground, its normal, the
    /// ground's body (−1: none), meters stepped, outcome (0 moved, 1 blocked, 2 crushed, 3 recovered, 4
    /// refused), yaw, sweeps, contacts: 16 numbers.
    ///
    /// # Errors
    /// A character that is not there.
    pub fn report(&mut self, number: u32) -> Result<(), JsValue> {
        let character =
            self.characters.get(number as usize).ok_or_else(|| gone("there is no such character"))?;
        let report = self.crowd.reports().get(number as usize);
        let ground = character.ground();
        let body = ground.and_then(|ground| ground.obstacle.body());
        let outcome = match report.map(|report| report.outcome) {
            None | Some(Outcome::Moved) => 0.0,
            Some(Outcome::Blocked) => 1.0,
            Some(Outcome::Crushed) => 2.0,
            Some(Outcome::Recovered) => 3.0,
            Some(Outcome::Refused) => 4.0,
        };
        self.answer
            .begin()
            .vector(character.position())
            .vector(character.velocity())
            .number(f64::from(u8::from(ground.is_some())))
            .vector(ground.map_or(DVec3::ZERO, |ground| ground.normal))
            .number(body.map_or(-1.0, |body| body.index().into()))
            .number(report.map_or(0.0, |report| report.stepped))
            .number(outcome)
            .number(character.yaw())
            .number(report.map_or(0.0, |report| report.sweeps.into()))
            .number(report.map_or(0.0, |report| report.touched().count() as f64));
        Ok(())
    }

    /// The contacts of a character: nine numbers each, point, normal, gap, body and part.
    ///
    /// # Errors
    /// A character that is not there, or has not made a tick.
    pub fn contacts(&self, number: u32) -> Result<Vec<f64>, JsValue> {
        let numbers = |touched: &carom::character::Touched| {
            let ([px, py, pz], [nx, ny, nz]) = (touched.point.to_array(), touched.normal.to_array());
            let [body, part] = pair(touched.obstacle);
            [px, py, pz, nx, ny, nz, touched.gap, body, part]
        };
        Ok(self.last_report(number)?.touched().flat_map(numbers).collect())
    }

    /// The pushes of a character in the last tick: seven numbers each, body, point, impulse.
    ///
    /// # Errors
    /// A character that is not there, or has not made a tick.
    pub fn pushes(&self, number: u32) -> Result<Vec<f64>, JsValue> {
        let numbers = |push: &carom::character::Push| {
            let ([px, py, pz], [ix, iy, iz]) = (push.point.to_array(), push.impulse.to_array());
            [push.body.index().into(), px, py, pz, ix, iy, iz]
        };
        Ok(self.last_report(number)?.pushes().flat_map(numbers).collect())
    }

    /// The events of the last tick of a character that is traced, as `trace.rs` writes it.
    ///
    /// # Errors
    /// A character that is not there.
    pub fn trace(&self, number: u32) -> Result<Vec<f64>, JsValue> {
        let notes = self.notes.get(number as usize).ok_or_else(|| gone("there is no such character"))?;
        Ok(notes.numbers.clone())
    }

    /// Puts a character elsewhere, at rest.
    ///
    /// # Errors
    /// A character that is not there, a position that is not finite.
    pub fn teleport(&mut self, number: u32, x: f64, y: f64, z: f64) -> Result<(), JsValue> {
        self.one(number)?.teleport(dvec3(x, y, z)).map_err(bad_value)?;
        self.renew(number);
        Ok(())
    }

    /// Gives a character a velocity, off the ground.
    ///
    /// # Errors
    /// A character that is not there, a velocity that is not finite.
    pub fn launch(&mut self, number: u32, x: f64, y: f64, z: f64) -> Result<(), JsValue> {
        self.one(number)?.launch(dvec3(x, y, z)).map_err(bad_value)
    }

    /// Changes the shape where a character stands; false where it does not fit.
    ///
    /// # Errors
    /// A character that is not there, a point.
    pub fn resize(&mut self, world: &RawWorld, number: u32, shape: &RawShape) -> Result<bool, JsValue> {
        let fits = fits(self.one(number)?, &world.world, shape)?;
        self.renew(number);
        Ok(fits)
    }

    /// Keeps a character's state under a number; [`Self::restore`] brings it back.
    ///
    /// # Errors
    /// A character that is not there.
    pub fn save(&mut self, number: u32, slot: u32) -> Result<(), JsValue> {
        let state = self.one(number)?.state();
        let slot = slot as usize;
        if slot >= SLOTS {
            return Err(bad_value(format!("a slot is less than {SLOTS}")));
        }
        if self.saved.len() <= slot {
            self.saved.resize(slot + 1, state);
        }
        self.saved[slot] = state;
        Ok(())
    }

    /// Brings a state back.
    ///
    /// # Errors
    /// A character or a state that is not there.
    pub fn restore(&mut self, number: u32, slot: u32) -> Result<(), JsValue> {
        let state = *self.saved.get(slot as usize).ok_or_else(|| gone("there is no such state"))?;
        self.one(number)?.restore(state);
        self.renew(number);
        Ok(())
    }
}

impl RawCrowd {
    fn one(&mut self, number: u32) -> Result<&mut Character, JsValue> {
        self.characters.get_mut(number as usize).ok_or_else(|| gone("there is no such character"))
    }

    fn last_report(&self, number: u32) -> Result<&Report, JsValue> {
        self.crowd.reports().get(number as usize).ok_or_else(|| gone("this character has made no tick"))
    }

    /// Its center, after it was put elsewhere.
    fn renew(&mut self, number: u32) {
        let place = self.positions.as_chunks_mut::<3>().0.get_mut(number as usize);
        if let (Some(place), Some(character)) = (place, self.characters.get(number as usize)) {
            *place = character.position().to_array();
        }
    }
}

fn fits(character: &mut Character, world: &World, shape: &RawShape) -> Result<bool, JsValue> {
    match character.resize(world, shape.0) {
        Ok(()) => Ok(true),
        Err(CharacterError::DoesNotFit) => Ok(false),
        Err(error) => Err(bad_value(error)),
    }
}

/// Settings with the numbers that are not NaN in place of their own.
fn settings(base: Settings, numbers: &[f64]) -> Result<Settings, JsValue> {
    let Ok(
        &[
            ux,
            uy,
            uz,
            gx,
            gy,
            gz,
            skin,
            step,
            slope,
            snap,
            air,
            friction,
            inherit,
            combined,
            air_steps,
            push,
            escape,
            layers,
        ],
    ) = <&[f64; SETTINGS]>::try_from(numbers)
    else {
        return Err(bad_value(format!("settings are {SETTINGS} numbers")));
    };
    let or = |number: f64, base: f64| if number.is_nan() { base } else { number };
    let some = |number: f64, base: Option<f64>| if number.is_nan() { base } else { Some(number) };
    Ok(Settings {
        up: if ux.is_nan() { base.up } else { dvec3(ux, uy, uz) },
        gravity: if gx.is_nan() { base.gravity } else { dvec3(gx, gy, gz) },
        skin: some(skin, base.skin),
        step_height: or(step, base.step_height),
        // 90° in radians may round to more than a right angle.
        max_slope: if (0.0..=90.0).contains(&slope) {
            slope.to_radians().min(std::f64::consts::FRAC_PI_2)
        } else {
            or(slope.to_radians(), base.max_slope)
        },
        snap_distance: some(snap, base.snap_distance),
        air_control: or(air, base.air_control),
        air_steps: if air_steps.is_nan() { base.air_steps } else { air_steps != 0.0 },
        friction: or(friction, base.friction),
        platform_velocity: match inherit {
            1.0 => PlatformVelocity::Inherit,
            0.0 => PlatformVelocity::Drop,
            _ => base.platform_velocity,
        },
        riders: base.riders,
        gravity_pass: match combined {
            1.0 => GravityPass::Combined,
            0.0 => GravityPass::Separate,
            _ => base.gravity_pass,
        },
        push_force: or(push, base.push_force),
        escape_speed: some(escape, base.escape_speed),
        collides_with: if layers.is_nan() { base.collides_with } else { Layers::from_bits(layers as u32) },
    })
}
