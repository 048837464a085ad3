//! Bodies of well-known engines and games.
//!
//! One unit is 1/32 m, the scale at which .bsp and .map files are loaded, so a body fits its levels. Sources:
//! docs/explore.md, "Presets".

use carom::character::Settings;
use carom::shape::{Capsule, Cuboid, Mover, ShapeError};
use glam::DVec3;

use crate::rules::Rules;

/// Meters in a unit of Quake and its kin.
const UNIT: f64 = 1.0 / 32.0;

/// The contents of a preset; lengths in meters, speeds in m/s.
struct Body {
    name: &'static str,
    shape: Shape,
    speed: f64,
    jump: f64,
    gravity: f64,
    step_height: f64,
    max_slope_degrees: f64,
    air_control: f64,
    air_steps: bool,
}

enum Shape {
    /// Half of its sides.
    Box(f64, f64, f64),
    /// Radius, and half of the whole height.
    Capsule(f64, f64),
}

/// A slope of which the normal's height is 0.7, as in Quake and its kin.
const SLOPE_OF_QUAKE: f64 = 45.572_995_999_194_32;

const BODIES: [Body; 9] = [
    Body {
        name: "quake",
        shape: Shape::Box(16.0 * UNIT, 28.0 * UNIT, 16.0 * UNIT),
        speed: 320.0 * UNIT,
        jump: 270.0 * UNIT,
        gravity: 800.0 * UNIT,
        step_height: 18.0 * UNIT,
        max_slope_degrees: SLOPE_OF_QUAKE,
        air_control: 1.0,
        air_steps: false,
    },
    Body {
        name: "quake2",
        shape: Shape::Box(16.0 * UNIT, 28.0 * UNIT, 16.0 * UNIT),
        speed: 300.0 * UNIT,
        jump: 270.0 * UNIT,
        gravity: 800.0 * UNIT,
        step_height: 18.0 * UNIT,
        max_slope_degrees: SLOPE_OF_QUAKE,
        air_control: 1.0,
        air_steps: true,
    },
    Body {
        name: "quake3",
        shape: Shape::Box(15.0 * UNIT, 28.0 * UNIT, 15.0 * UNIT),
        speed: 320.0 * UNIT,
        jump: 270.0 * UNIT,
        gravity: 800.0 * UNIT,
        step_height: 18.0 * UNIT,
        max_slope_degrees: SLOPE_OF_QUAKE,
        air_control: 1.0,
        air_steps: true,
    },
    Body {
        name: "goldsrc",
        shape: Shape::Box(16.0 * UNIT, 36.0 * UNIT, 16.0 * UNIT),
        speed: 320.0 * UNIT,
        // A jump of 45 units: √(2 · 800 · 45).
        jump: 268.328_157_299_974_76 * UNIT,
        gravity: 800.0 * UNIT,
        step_height: 18.0 * UNIT,
        max_slope_degrees: SLOPE_OF_QUAKE,
        air_control: 1.0,
        air_steps: false,
    },
    Body {
        name: "source",
        shape: Shape::Box(16.0 * UNIT, 36.0 * UNIT, 16.0 * UNIT),
        speed: 190.0 * UNIT,
        // A jump of 21 units: √(2 · 600 · 21).
        jump: 158.745_078_663_875_42 * UNIT,
        gravity: 600.0 * UNIT,
        step_height: 18.0 * UNIT,
        max_slope_degrees: SLOPE_OF_QUAKE,
        air_control: 1.0,
        air_steps: false,
    },
    Body {
        name: "unreal",
        shape: Shape::Capsule(0.34, 0.88),
        speed: 6.0,
        jump: 4.2,
        gravity: 9.8,
        step_height: 0.45,
        max_slope_degrees: 44.765,
        air_control: 0.05,
        air_steps: false,
    },
    Body {
        name: "unity",
        shape: Shape::Capsule(0.5, 1.0),
        speed: 5.0,
        // A jump of 1.5 m: √(2 · 9.81 · 1.5).
        jump: 5.424_942_396_007_538,
        gravity: 9.81,
        step_height: 0.3,
        max_slope_degrees: 45.0,
        air_control: 1.0,
        air_steps: true,
    },
    Body {
        name: "godot",
        shape: Shape::Capsule(0.5, 1.0),
        speed: 5.0,
        jump: 4.5,
        gravity: 9.8,
        step_height: 0.0,
        max_slope_degrees: 45.0,
        air_control: 1.0,
        air_steps: false,
    },
    Body {
        name: "minecraft",
        shape: Shape::Box(0.3, 0.9, 0.3),
        speed: 4.317,
        // 0.42 blocks a tick with drag leads 1.2522 blocks up; without drag as high: √(2 · 32 · 1.2522).
        jump: 8.952_162_867_000_004,
        gravity: 32.0,
        step_height: 0.6,
        max_slope_degrees: 45.0,
        air_control: 1.0,
        air_steps: false,
    },
];

/// The names of all presets.
pub fn preset_names() -> impl Iterator<Item = &'static str> {
    BODIES.iter().map(|body| body.name)
}

/// The rules of a preset; `None` for an unknown name.
///
/// # Errors
/// None with the presets there are; shapes are checked like any other.
pub fn preset(name: &str) -> Option<Result<Rules, ShapeError>> {
    let body = BODIES.iter().find(|body| body.name.eq_ignore_ascii_case(name))?;
    Some(body.rules())
}

impl Body {
    fn rules(&self) -> Result<Rules, ShapeError> {
        let shape: Mover = match self.shape {
            Shape::Box(x, y, z) => Cuboid::new(DVec3::new(x, y, z))?.into(),
            Shape::Capsule(radius, half) => Capsule::new(radius, half - radius)?.into(),
        };
        let settings = Settings {
            gravity: DVec3::new(0.0, -self.gravity, 0.0),
            step_height: self.step_height,
            max_slope: self.max_slope_degrees.to_radians(),
            air_control: self.air_control,
            air_steps: self.air_steps,
            ..Settings::default()
        };
        Ok(Rules { speed: self.speed, jump: self.jump, settings, ..Rules::default() }.with_shape(shape))
    }
}

#[cfg(test)]
mod tests {
    use carom::num::ops;

    use super::*;

    #[test]
    fn every_preset_is_a_body_that_can_walk() {
        assert_eq!(preset_names().count(), BODIES.len());
        for name in preset_names() {
            let rules = preset(name).expect("it is in the list").expect("its shape is one");
            rules.check().expect("its numbers are in their ranges");
            assert!(
                rules.jump_height() > 0.5 && rules.jump_height() < 1.6,
                "{name}: {}",
                rules.jump_height()
            );
        }
        assert!(preset("QUAKE3").is_some() && preset("doom").is_none());
    }

    #[test]
    fn slopes_and_jumps_are_what_their_comments_say() {
        assert!((ops::cos(SLOPE_OF_QUAKE.to_radians()) - 0.7).abs() < 1e-12);
        let heights =
            [("goldsrc", 45.0 * UNIT), ("source", 21.0 * UNIT), ("unity", 1.5), ("minecraft", 1.2522)];
        for (name, height) in heights {
            let rules = preset(name).expect("it is in the list").expect("its shape is one");
            assert!((rules.jump_height() - height).abs() < 1e-3, "{name}: {}", rules.jump_height());
        }
    }
}
