//! One exploration, a slice at a time: a Worker runs it and listens between slices.

use std::f64::consts::FRAC_PI_2;
use std::time::Duration;

use carom::glam::{DVec3, dvec3};
use carom_explore::{
    Cost, Explorer, FileFrame, Files, Finding, Level, Past, Rules, Stage, Stop, Volumes, preset,
    preset_names, rank, report,
};
use carom_formats::{Source, Up};
use js_sys::Date;
use serde_json::json;
use wasm_bindgen::prelude::*;

use crate::error::{bad_value, coded};
use crate::level::RawLevel;
use crate::shape::RawShape;

/// An exploration from its spawns to its report.
///
/// The explorer borrows level and rules. They are leaked on purpose: a Worker makes one exploration and ends,
/// and all its memory goes with it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RawExploration {
    explorer: Explorer<'static>,
    stop: Stop,
    findings: Vec<Finding>,
    files: Vec<(String, Vec<u8>)>,
    /// The number of the first event that was not reported.
    alarms_read: usize,
}

#[wasm_bindgen]
impl RawExploration {
    /// Finds floor and spawns. `preset`: the name of one, or empty. `shape`: the body, else that of the
    /// preset or the usual. `numbers`: speed, jump, step height, greatest slope in degrees, gravity, air
    /// control, cell, least area; NaN: as the preset has it. `spawns`: three numbers each; none: those of the
    /// level.
    ///
    /// # Errors
    /// A level without floor, rules out of range.
    #[wasm_bindgen(constructor)]
    pub fn new(
        read: &RawLevel,
        preset: &str,
        shape: Option<RawShape>,
        numbers: &[f64],
        spawns: &[f64],
    ) -> Result<RawExploration, JsValue> {
        let mut level = Level::new(read.name.clone(), read.data.clone())
            .map_err(refused)?
            .with_landmarks(read.landmarks.clone())
            .with_surfaces(read.surfaces.clone())
            .with_skies(read.skies.clone())
            .with_interior(read.source.as_ref().and_then(Source::interior));
        level.volumes = Volumes::new(read.volumes.clone());
        level.frame = FileFrame { is_z_up: read.up == Up::Z, scale: read.scale };
        let (spawns, rest) = spawns.as_chunks::<3>();
        if !rest.is_empty() {
            return Err(bad_value("a spawn is three numbers"));
        }
        let spawns: Vec<DVec3> = if spawns.is_empty() {
            read.spawns.clone()
        } else {
            spawns.iter().map(|&[x, y, z]| dvec3(x, y, z)).collect()
        };
        let rules = self::rules(preset, shape, numbers)?;
        let (level, rules) = (&*Box::leak(Box::new(level)), &*Box::leak(Box::new(rules)));
        let stop = Stop::with_clock(|| Duration::from_secs_f64(Date::now() / 1000.0));
        let explorer = Explorer::stoppable(level, rules, &spawns, stop.clone()).map_err(refused)?;
        Ok(RawExploration { explorer, stop, findings: Vec::new(), files: Vec::new(), alarms_read: 0 })
    }

    /// Works on the next places: true while some are left.
    pub fn advance(&mut self) -> bool {
        self.explorer.advance() == Stage::Flooding
    }

    /// Ends the flood: [`Self::finish`] then judges what was walked until now.
    pub fn stop(&self) {
        self.stop.set();
    }

    /// Places found, places done, places expected, m² done, ticks.
    pub fn progress(&self) -> Vec<f64> {
        let progress = self.explorer.progress();
        vec![
            progress.places as f64,
            progress.done as f64,
            progress.expected as f64,
            progress.area,
            progress.ticks as f64,
        ]
    }

    /// The side of a cell and half of the body's height, in meters.
    pub fn measures(&self) -> Vec<f64> {
        vec![self.explorer.rules().cell(), self.explorer.rules().radii.y]
    }

    /// Where the places from number `first` on are: three f32 each, at most `most`.
    pub fn places(&self, first: usize, most: usize) -> Vec<f32> {
        let places = self.explorer.places(first).take(most);
        places.flat_map(|place| place.position.as_vec3().to_array()).collect()
    }

    /// Places seen since the last call that may become findings: four f32 each, 0 for a fall and 1 for a
    /// snag, and the position.
    pub fn alarms(&mut self) -> Vec<f32> {
        let (alarms, next) = self.explorer.alarms(self.alarms_read);
        let number = |code| f32::from(u8::from(code != carom_explore::Code::FallOut));
        let numbers = alarms
            .flat_map(|alarm| {
                let [x, y, z] = alarm.position.as_vec3().to_array();
                [number(alarm.code), x, y, z]
            })
            .collect();
        self.alarms_read = next;
        numbers
    }

    /// Looks at what was found, draws the files of the report, and returns report.json; `seconds` is what it
    /// took.
    pub fn finish(&mut self, seconds: f64) -> String {
        self.findings = self.explorer.finish();
        let volumes = &self.explorer.level().volumes;
        self.findings.retain(|finding| !volumes.ignores(finding.position));
        rank(&mut self.findings);
        let progress = self.explorer.progress();
        let m2_per_s = if seconds > 0.0 { progress.area / seconds } else { 0.0 };
        let cost = Cost { seconds, phases: Vec::new(), ticks: progress.ticks, m2_per_s };
        let line = format!("{} places, {} ticks, {seconds:.1} s", progress.places, progress.ticks);
        let files = Files {
            explorer: &self.explorer,
            findings: &self.findings,
            known: None,
            body: None,
            cost: &line,
        };
        self.files = files.make();
        let mut names = vec!["report.json".to_owned()];
        names.extend(self.files.iter().map(|(name, _)| name.clone()));
        let past = Past { files: &names, known: None, gone: &[], bodies: &[] };
        report(&self.explorer, &self.findings, &cost, past)
    }

    /// The bytes of a file of the report, by its name in report.json; nothing for report.json itself.
    pub fn file(&self, name: &str) -> Option<Vec<u8>> {
        let found = self.files.iter().find(|(known, _)| known == name);
        found.map(|(_, bytes)| bytes.clone())
    }

    /// The way to a finding: the centers from tick to tick, three numbers each.
    pub fn way(&self, finding: usize) -> Vec<f64> {
        let path = self.findings.get(finding).map(|finding| finding.witness.path.as_slice());
        path.unwrap_or_default().iter().flat_map(DVec3::to_array).collect()
    }
}

/// The names of the presets, and their numbers as JSON: shape, speed, jump, gravity, step height, slope, air
/// control.
#[wasm_bindgen(js_name = rawPresets)]
pub fn presets() -> String {
    let all: Vec<_> = preset_names()
        .filter_map(|name| {
            let rules = preset(name)?.ok()?;
            let settings = rules.settings;
            let (kind, size) = match rules.shape {
                Some(carom::Mover::Capsule(it)) => ("capsule", vec![it.radius(), it.half_height()]),
                Some(carom::Mover::Cuboid(it)) => ("cuboid", it.half_extents().to_array().to_vec()),
                _ => ("ellipsoid", rules.radii.to_array().to_vec()),
            };
            Some(json!({
                "name": name,
                "kind": kind,
                "size": size,
                "speed": rules.speed,
                "jump": rules.jump,
                "gravity": settings.gravity.length(),
                "stepHeight": settings.step_height,
                "maxSlope": settings.max_slope.to_degrees(),
                "airControl": settings.air_control,
                "airSteps": settings.air_steps,
            }))
        })
        .collect();
    serde_json::Value::from(all).to_string()
}

fn refused(error: impl core::fmt::Display) -> JsValue {
    coded("CANNOT_EXPLORE", error)
}

fn rules(name: &str, shape: Option<RawShape>, numbers: &[f64]) -> Result<Rules, JsValue> {
    let mut rules = match name {
        "" => Rules::default(),
        name => preset(name)
            .ok_or_else(|| {
                let known: Vec<_> = preset_names().collect();
                bad_value(format!("there is no preset {name}: use {}", known.join(", ")))
            })?
            .map_err(bad_value)?,
    };
    match shape.map(|shape| shape.0) {
        // As the command has it: an upright ellipsoid is known by its radii.
        Some(carom::Mover::Ellipsoid(body)) if body.rotation() == carom::glam::DQuat::IDENTITY => {
            rules = Rules { radii: body.radii(), shape: None, ..rules };
        }
        Some(shape) => rules = rules.with_shape(shape),
        None => {}
    }
    let &[speed, jump, step_height, max_slope, gravity, air_control, air_steps, cell, min_area] = numbers
    else {
        return Err(bad_value("rules are nine numbers"));
    };
    let set = |place: &mut f64, number: f64| {
        if !number.is_nan() {
            *place = number;
        }
    };
    // 90° in radians may round to more than a right angle; `min` would lose a NaN.
    let max_slope = if max_slope.is_nan() { max_slope } else { max_slope.to_radians().min(FRAC_PI_2) };
    set(&mut rules.speed, speed);
    set(&mut rules.jump, jump);
    set(&mut rules.min_area, min_area);
    set(&mut rules.settings.step_height, step_height);
    set(&mut rules.settings.max_slope, max_slope);
    set(&mut rules.settings.air_control, air_control);
    if !air_steps.is_nan() {
        rules.settings.air_steps = air_steps != 0.0;
    }
    if !gravity.is_nan() {
        rules.settings.gravity = dvec3(0.0, -gravity, 0.0);
    }
    if !cell.is_nan() {
        rules.cell = Some(cell);
    }
    Ok(rules)
}
