//! The files of a report.

use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use carom_explore::{Cost, Explorer, Files, Finding, Level, Past, Walked, report};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::args::ExploreArgs;
use super::folder::Folder;
use super::summary;

/// Levels of no more triangles are copied into the report, so that its witnesses replay anywhere.
const SMALL: usize = 20_000;

/// The files of one exploration.
pub(crate) struct Written<'a> {
    pub(crate) arguments: &'a ExploreArgs,
    pub(crate) explorer: &'a Explorer<'a>,
    pub(crate) findings: &'a [Finding],
    /// The findings that a baseline knows, if there is one.
    pub(crate) known: Option<&'a [bool]>,
    /// Ids of what the baseline has and this report has not.
    pub(crate) gone: &'a [String],
    /// How far each body got, if there are several.
    pub(crate) bodies: &'a [Walked],
    /// Whether the level is the whole file: no door was removed.
    pub(crate) is_whole: bool,
}

/// Writes report.json first, then the witnesses, pictures, maps, the scene and the page. `cost` is called
/// when everything is drawn.
pub(crate) fn write(written: &Written<'_>, folder: &Folder, cost: impl Fn() -> Cost) -> Result<()> {
    let Written { arguments, explorer, findings, known, gone, bodies, is_whole } = *written;
    let body = body(arguments.level.as_deref().filter(|_| is_whole), explorer.level(), folder.path())?;
    let cost_line = summary::cost(explorer, &cost());
    let files = Files { explorer, findings, known, body: body.as_ref(), cost: &cost_line }.make();
    let mut names = vec!["report.json".to_owned()];
    names.extend(files.iter().map(|(name, _)| name.clone()));
    let past = Past { files: &names, known, gone, bodies };
    folder.put("report.json", report(explorer, findings, &cost(), past).as_bytes())?;
    folder.remove_stale(&names);
    files.par_iter().try_for_each(|(name, bytes)| folder.put(name, bytes))
}

/// The level as scenes name it; `None` for a copy, if it is small or its path cannot be said in JSON.
fn body(file: Option<&Path>, level: &Level, folder: &Path) -> Result<Option<Value>> {
    let Some(path) = file.filter(|_| level.triangle_count() > SMALL) else { return Ok(None) };
    let hash = format!("{:016x}", level.checksum());
    let up = if level.frame.is_z_up { "z" } else { "y" };
    let named = path_from(&folder.join("witness"), path)?;
    Ok(named.map(
        |file| json!({ "name": "level", "file": file, "up": up, "scale": level.frame.scale, "hash": hash }),
    ))
}

/// A path as seen from a folder: up and down again. Absolute where there is no such way; `None` if it is not
/// Unicode.
fn path_from(folder: &Path, file: &Path) -> Result<Option<String>> {
    let whole = |path: &Path| path.canonicalize().with_context(|| format!("cannot find {}", path.display()));
    let (folder, file) = (whole(folder)?, whole(file)?);
    let (from, to): (Vec<Component>, Vec<Component>) =
        (folder.components().collect(), file.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[shared..].iter().map(|_| Component::ParentDir);
    let way: PathBuf = if shared == 0 { file } else { up.chain(to[shared..].iter().copied()).collect() };
    Ok(way.to_str().map(str::to_owned))
}
