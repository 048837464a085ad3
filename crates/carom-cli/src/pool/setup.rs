//! From a scene file to balls, walls and pockets: everything is checked, and refused by name and number.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use carom::balls::{Ball, Cloth, Dimensions, Pocket, Rules, Setup, Wall};
use carom::world::{Body, World};
use carom_formats::LoadOptions;
use glam::DVec3;

use super::bodies;
use super::run::Run;
use super::scene::{FrictionSpec, SceneSpec, Vector, WallSpec};

/// How strongly a table holds balls down unless the scene says so, in m/s².
const WEIGHT: f64 = 9.81;

/// Builds the scene; `folder` is where paths of files start.
pub(crate) fn build(mut spec: SceneSpec, folder: &Path) -> Result<Run> {
    let dimensions = match spec.dimensions {
        2 => Dimensions::Two,
        3 => Dimensions::Three,
        other => bail!("dimensions must be 2 or 3, not {other}"),
    };
    ensure!(spec.until >= 0.0, "until must be at least 0, not {}", spec.until);
    let read = |vector: &Vector, what: &str| {
        ensure!(
            !vector.is_flat || dimensions == Dimensions::Two,
            "{what} needs three numbers: z may be left out in two dimensions only"
        );
        Ok(DVec3::from_array(vector.numbers))
    };
    let mut rules = Rules {
        dimensions,
        gravity: read(&spec.gravity, "gravity")?,
        restitution: spec.restitution,
        wall_restitution: spec.restitution,
        periodic: read(&spec.periodic, "periodic")?,
        ..Rules::default()
    };
    if let Some(friction) = &spec.friction {
        lay_cloth(&mut rules, friction)?;
    }
    let mut balls = Vec::with_capacity(spec.balls.len());
    for (i, ball) in spec.balls.iter().enumerate() {
        let read = |vector: &Vector, what: &str| read(vector, what).with_context(|| format!("ball {i}"));
        balls.push(Ball {
            position: read(&ball.position, "position")?,
            velocity: read(&ball.velocity, "velocity")?,
            radius: ball.radius,
            mass: ball.mass,
        });
    }
    let mut pockets = Vec::with_capacity(spec.pockets.len());
    for (i, pocket) in spec.pockets.iter().enumerate() {
        let position = read(&pocket.position, "position").with_context(|| format!("pocket {i}"))?;
        pockets.push(Pocket { position, radius: pocket.radius });
    }
    let mut made = Made { walls: Vec::new(), obstacles: World::new(), inputs: Vec::new() };
    for (i, wall) in spec.walls.iter().enumerate() {
        made.add(wall, folder, &read).with_context(|| format!("wall {i}"))?;
    }
    made.inputs
        .extend(spec.bodies.iter().filter_map(|body| body.file.as_ref()).map(|file| folder.join(file)));
    let bodies = std::mem::take(&mut spec.bodies);
    let bodies = bodies::build(bodies, folder, spec.until, &read, &mut made.obstacles)?;
    let Made { walls, obstacles, inputs } = made;
    let setup = Setup { balls, walls, pockets, obstacles, rules };
    Ok(Run { setup, name: String::new(), until: spec.until, max_events: spec.max_events, bodies, inputs })
}

/// Gravity into a level table presses balls onto its cloth. Default: that of the earth.
fn lay_cloth(rules: &mut Rules, friction: &FrictionSpec) -> Result<()> {
    ensure!(rules.dimensions == Dimensions::Two, "friction needs a level table: use two dimensions");
    let DVec3 { x, y, z } = rules.gravity;
    ensure!(
        x == 0.0 && y == 0.0,
        "friction needs a level table: gravity must be [0, 0, 0], or along z, into the table"
    );
    for (key, share) in [("sliding", friction.sliding), ("rolling", friction.rolling)] {
        ensure!(share >= 0.0, "friction: {key} must be at least 0, not {share}");
    }
    let weight = if z == 0.0 { WEIGHT } else { z.abs() };
    rules.gravity = DVec3::ZERO;
    rules.cloth = Some(Cloth { sliding: friction.sliding, rolling: friction.rolling, weight });
    Ok(())
}

struct Made {
    walls: Vec<Wall>,
    obstacles: World,
    inputs: Vec<PathBuf>,
}

impl Made {
    fn add(
        &mut self,
        spec: &WallSpec,
        folder: &Path,
        read: &impl Fn(&Vector, &str) -> Result<DVec3>,
    ) -> Result<()> {
        let WallSpec { segment, plane, arc, mesh } = spec;
        let given = [segment.is_some(), plane.is_some(), arc.is_some(), mesh.is_some()];
        let kinds = given.iter().filter(|given| **given).count();
        ensure!(kinds == 1, "needs exactly one of segment, plane, arc and mesh, and has {kinds}");
        if let Some([a, b]) = segment {
            self.walls.push(Wall::Segment { a: read(a, "segment")?, b: read(b, "segment")? });
        }
        if let Some(plane) = plane {
            let (point, normal) = (read(&plane.point, "point")?, read(&plane.normal, "normal")?);
            ensure!(normal != DVec3::ZERO, "the normal must not be zero");
            self.walls.push(Wall::Plane { point, normal });
        }
        if let Some(arc) = arc {
            let center = read(&arc.center, "center")?;
            ensure!(arc.radius > 0.0, "the radius must be finite and greater than 0");
            let (from, mut to) = (arc.from_degrees, arc.to_degrees);
            // Counter-clockwise always: from 270 to 90 is by way of 360.
            if to < from {
                to += 360.0 * ((from - to) / 360.0).ceil();
            }
            let (from, to) = (from.to_radians(), to.to_radians());
            self.walls.push(Wall::Arc { center, radius: arc.radius, from, to });
        }
        if let Some(file) = mesh {
            let path = folder.join(file);
            let mesh = carom_formats::load(&path, &LoadOptions::default())
                .context("cannot load a file")?
                .into_mesh()
                .with_context(|| format!("cannot use {}", path.display()))?;
            self.obstacles.add(Body::fixed(mesh));
            self.inputs.push(path);
        }
        Ok(())
    }
}
