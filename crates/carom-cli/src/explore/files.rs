//! The folder of a report.

use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use carom_explore::{Atlas, Cost, Explorer, Finding, Level, page, picture_path, report, witness_path};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::args::ExploreArgs;
use super::summary;
use crate::level::UpArg;

/// Writes report.json, report.html, maps, pictures and witnesses.
pub(crate) fn write(
    arguments: &ExploreArgs,
    folder: &Path,
    explorer: &Explorer<'_>,
    findings: &[Finding],
    cost: &Cost,
) -> Result<()> {
    let make = |path: &Path| {
        std::fs::create_dir_all(path).with_context(|| format!("cannot make the folder {}", path.display()))
    };
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
    };
    for name in ["", "witness", "picture"] {
        make(&folder.join(name))?;
    }
    let atlas = Atlas::new(explorer, findings);
    let body = match &arguments.level {
        Some(path) => {
            let up = if arguments.up == UpArg::Z { "z" } else { "y" };
            let file = path_from(&folder.join("witness"), path)?;
            json!({ "name": "level", "file": file, "up": up, "scale": arguments.scale })
        }
        None => {
            put("witness/courtyard.obj", obj(explorer.level()).as_bytes())?;
            json!({ "name": "level", "file": "courtyard.obj" })
        }
    };
    findings.par_iter().enumerate().try_for_each(|(number, finding)| {
        put(&witness_path(number), witness(finding, &body, explorer).as_bytes())?;
        put(&picture_path(number), &atlas.picture(number))
    })?;
    for map in 0..atlas.count() {
        put(&Atlas::name(map), &atlas.map(map))?;
    }
    put("report.json", report(explorer, findings, cost).as_bytes())?;
    put("report.html", page(explorer, findings, &atlas, &summary::cost(explorer, cost)).as_bytes())
}

/// Writes report.json once more, when it is known what writing the rest cost.
pub(crate) fn renew(folder: &Path, explorer: &Explorer<'_>, findings: &[Finding], cost: &Cost) -> Result<()> {
    let path = folder.join("report.json");
    std::fs::write(&path, report(explorer, findings, cost))
        .with_context(|| format!("cannot write {}", path.display()))
}

fn witness(finding: &Finding, body: &Value, explorer: &Explorer<'_>) -> String {
    finding.witness.scene(body, explorer.rules()) + "\n"
}

/// A path as seen from a folder: up and down again. Absolute where there is no such way.
fn path_from(folder: &Path, file: &Path) -> Result<PathBuf> {
    let whole = |path: &Path| path.canonicalize().with_context(|| format!("cannot find {}", path.display()));
    let (folder, file) = (whole(folder)?, whole(file)?);
    let (from, to): (Vec<Component>, Vec<Component>) =
        (folder.components().collect(), file.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return Ok(file);
    }
    let up = from[shared..].iter().map(|_| Component::ParentDir);
    Ok(up.chain(to[shared..].iter().copied()).collect())
}

/// The triangles as an OBJ, every number as it is.
fn obj(level: &Level) -> String {
    let mut text = String::new();
    for [x, y, z] in level.vertices().iter().map(|vertex| vertex.map(f64::from)) {
        let _ = writeln!(text, "v {x} {y} {z}");
    }
    for [a, b, c] in level.triangles() {
        let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
    }
    text
}
