//! `--rules FILE`: the body, spawns, volumes and open doors of a level.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, ensure};
use carom::shape::Mover;
use carom_explore::{OtherBody, Rules, preset, preset_names};
use carom_formats::Volume;
use glam::DVec3;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::args::ExploreArgs;
use crate::json;
use crate::query::ShapeSpec;
use crate::volume::{VolumeSpec, volumes};

/// A whole rules file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesSpec {
    preset: Option<String>,
    body: Option<BodySpec>,
    #[serde(default, deserialize_with = "in_order")]
    bodies: Vec<(String, BodySpec)>,
    #[serde(default)]
    spawns: Vec<[f64; 3]>,
    #[serde(default)]
    volumes: Vec<VolumeSpec>,
    #[serde(default)]
    open: Vec<String>,
}

/// A key that is left out has the value of the preset, or of the command.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct BodySpec {
    shape: Option<ShapeSpec>,
    speed: Option<f64>,
    jump: Option<f64>,
    step_height: Option<f64>,
    max_slope_degrees: Option<f64>,
    gravity: Option<f64>,
    air_control: Option<f64>,
    air_steps: Option<bool>,
}

/// Bodies by their names, in the order of the file.
fn in_order<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(String, BodySpec)>, D::Error> {
    struct Bodies;
    impl<'de> Visitor<'de> for Bodies {
        type Value = Vec<(String, BodySpec)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of bodies by their names")
        }

        fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
            let mut bodies: Self::Value = Vec::new();
            while let Some((name, body)) = map.next_entry::<String, BodySpec>()? {
                if bodies.iter().any(|(other, _)| *other == name) {
                    return Err(M::Error::custom(format!("two bodies are called {name:?}")));
                }
                bodies.push((name, body));
            }
            Ok(bodies)
        }
    }
    from.deserialize_map(Bodies)
}

/// The combination of flags and file.
pub(crate) struct Game {
    pub(crate) rules: Rules,
    /// Of the body, if it has one; empty otherwise.
    pub(crate) name: String,
    /// The other bodies, which are to flood the level, too.
    pub(crate) others: Vec<Arc<OtherBody>>,
    pub(crate) spawns: Vec<DVec3>,
    pub(crate) volumes: Vec<Volume>,
    /// Patterns of names: parts that match are left out of the level, like an open door.
    pub(crate) open: Vec<String>,
}

/// Flags before the file, the file before the preset, the preset before the usual.
pub(crate) fn read(arguments: &ExploreArgs) -> Result<Game> {
    let spec = match &arguments.rules {
        Some(path) => parse(path).with_context(|| format!("cannot use the rules {}", path.display()))?,
        None => RulesSpec::default(),
    };
    game(arguments, &spec).with_context(|| match &arguments.rules {
        Some(path) => format!("cannot use the rules {}", path.display()),
        None => "cannot use the arguments".to_owned(),
    })
}

fn parse(path: &Path) -> Result<RulesSpec> {
    json::read(&std::fs::read(path)?)
}

fn game(arguments: &ExploreArgs, spec: &RulesSpec) -> Result<Game> {
    ensure!(
        spec.body.is_none() || spec.bodies.is_empty(),
        "\"body\" and \"bodies\" exclude each other: put the one body into \"bodies\" and choose it with --body"
    );
    let preset = arguments.preset.as_deref().or(spec.preset.as_deref()).or_else(|| own_preset(arguments));
    let mut rules = rules_of(preset)?;
    let flags = |mut rules: Rules| {
        if let Some(radii) = arguments.radii {
            rules = Rules { radii, shape: None, ..rules };
        }
        rules.jump = arguments.jump.unwrap_or(rules.jump);
        rules.cell = arguments.cell;
        rules.min_area = arguments.min_area;
        rules
    };
    let (mut name, mut others) = (String::new(), Vec::new());
    // A preset on the command line is a body of its own.
    let chosen = if arguments.preset.is_none() { bodies(arguments, spec)? } else { Vec::new() };
    for (number, (own, body)) in chosen.into_iter().enumerate() {
        let checked = || {
            let walks = body.over(rules_of(preset)?)?;
            flags(walks).check()?;
            anyhow::Ok(walks)
        };
        let walks = checked().with_context(|| match own {
            "" => "\"body\"".to_owned(),
            name => format!("\"bodies\", {name:?}"),
        })?;
        if number == 0 {
            (rules, name) = (walks, own.to_owned());
        } else {
            others.push(OtherBody { name: own.to_owned(), rules: flags(walks) });
        }
    }
    rules = flags(rules);
    // One grid for all, fine enough for the smallest.
    let cell = others.iter().map(|other| other.rules.cell()).fold(rules.cell(), f64::min);
    if !others.is_empty() {
        rules.cell = Some(cell);
        others.iter_mut().for_each(|other| other.rules.cell = Some(cell));
    }
    let others = others.into_iter().map(Arc::new).collect();
    let spawns = if arguments.spawn.is_empty() {
        spec.spawns.iter().map(|spawn| DVec3::from_array(*spawn)).collect()
    } else {
        arguments.spawn.clone()
    };
    Ok(Game { rules, name, others, spawns, volumes: volumes(&spec.volumes)?, open: spec.open.clone() })
}

/// The preset of the level's own game. Its numbers are for levels at their usual scale.
pub(crate) fn own_preset(arguments: &ExploreArgs) -> Option<&'static str> {
    let level = arguments.level.as_deref().filter(|_| arguments.scale.is_none())?;
    super::game::preset_of(level)
}

fn rules_of(name: Option<&str>) -> Result<Rules> {
    let Some(name) = name else { return Ok(Rules::default()) };
    let names = || preset_names().collect::<Vec<_>>().join(", ");
    Ok(preset(name).ok_or_else(|| anyhow!("unknown preset {name:?}: use one of {}", names()))??)
}

/// The one body, or the one that is chosen; else all of them.
fn bodies<'a>(arguments: &ExploreArgs, spec: &'a RulesSpec) -> Result<Vec<(&'a str, &'a BodySpec)>> {
    let named = spec.bodies.iter().map(|(name, body)| (name.as_str(), body));
    let Some(name) = &arguments.body else {
        return Ok(spec.body.iter().map(|body| ("", body)).chain(named).collect());
    };
    let one: Vec<_> = named.filter(|(of, _)| of == name).collect();
    let names: Vec<&str> = spec.bodies.iter().map(|(name, _)| name.as_str()).collect();
    ensure!(
        !names.is_empty(),
        "--body {name} chooses one of the \"bodies\" of --rules, and there are none: pass --rules with \"bodies\""
    );
    ensure!(!one.is_empty(), "there is no body {name:?} in \"bodies\": use one of {}", names.join(", "));
    Ok(one)
}

impl BodySpec {
    fn over(&self, rules: Rules) -> Result<Rules> {
        let mut rules = rules;
        if let Some(shape) = &self.shape {
            let shape = shape.mover().context("body.shape")?;
            ensure!(shape != Mover::Point, "body.shape: \"point\" is only for casts: a body needs a size");
            rules = rules.with_shape(shape);
        }
        for (key, number) in [("step_height", self.step_height), ("gravity", self.gravity)] {
            ensure!(number.is_none_or(|number| number >= 0.0), "body.{key} must be at least 0");
        }
        let between =
            |number: Option<f64>, most: f64| number.is_none_or(|number| (0.0..=most).contains(&number));
        ensure!(between(self.max_slope_degrees, 90.0), "body.max_slope_degrees must be from 0 to 90");
        ensure!(between(self.air_control, 1.0), "body.air_control must be from 0 to 1");
        rules.speed = self.speed.unwrap_or(rules.speed);
        rules.jump = self.jump.unwrap_or(rules.jump);
        let settings = &mut rules.settings;
        settings.step_height = self.step_height.unwrap_or(settings.step_height);
        if let Some(degrees) = self.max_slope_degrees {
            // 90° in radians may round to more than a right angle.
            settings.max_slope = degrees.to_radians().min(std::f64::consts::FRAC_PI_2);
        }
        settings.air_control = self.air_control.unwrap_or(settings.air_control);
        settings.air_steps = self.air_steps.unwrap_or(settings.air_steps);
        if let Some(gravity) = self.gravity {
            settings.gravity = DVec3::new(0.0, -gravity, 0.0);
        }
        Ok(rules)
    }
}
