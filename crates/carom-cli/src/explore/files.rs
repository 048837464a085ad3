//! The files of a report.

use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use carom_explore::{
    Atlas, Cost, Explorer, Finding, Level, Past, glb, page, picture_path, report, witness_path,
};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::args::ExploreArgs;
use super::folder::Folder;
use super::summary;

/// Levels of no more triangles are copied into the report, so that its witnesses replay anywhere.
const SMALL: usize = 20_000;

/// The copy of a small level.
const COPY: &str = "witness/level.obj";

/// What is written.
pub(crate) struct Written<'a> {
    pub(crate) arguments: &'a ExploreArgs,
    pub(crate) explorer: &'a Explorer<'a>,
    pub(crate) findings: &'a [Finding],
    /// Which findings a baseline knows, if there is one.
    pub(crate) known: Option<&'a [bool]>,
    /// Ids of what the baseline has and this report has not.
    pub(crate) gone: &'a [String],
    /// Whether the level is all of its file: no door was opened.
    pub(crate) is_whole: bool,
}

/// Writes report.json first, then the witnesses, pictures, maps, the scene and the page. `cost` is asked when
/// all is drawn.
pub(crate) fn write(written: &Written<'_>, folder: &Folder, cost: impl Fn() -> Cost) -> Result<()> {
    let Written { arguments, explorer, findings, known, gone, is_whole } = *written;
    let atlas = Atlas::new(explorer, findings);
    let (body, copy) =
        body(arguments.level.as_deref().filter(|_| is_whole), explorer.level(), folder.path())?;
    let mut files: Vec<(String, Vec<u8>)> = findings
        .par_iter()
        .enumerate()
        .flat_map_iter(|(number, finding)| {
            let scene = finding.witness.scene(&body, explorer.level(), explorer.rules()) + "\n";
            [(witness_path(number), scene.into_bytes()), (picture_path(number), atlas.picture(number))]
        })
        .collect();
    files.extend((0..atlas.count()).map(|map| (Atlas::name(map), atlas.map(map))));
    files.push(("findings.glb".to_owned(), glb(explorer, findings)));
    files.extend(copy.map(|text| (COPY.to_owned(), text.into_bytes())));
    let drawn = page(explorer, findings, &atlas, (&summary::cost(explorer, &cost()), known));
    files.push(("report.html".to_owned(), drawn.into_bytes()));
    let mut names = vec!["report.json".to_owned()];
    names.extend(files.iter().map(|(name, _)| name.clone()));
    let past = Past { files: &names, known, gone };
    folder.put("report.json", report(explorer, findings, &cost(), past).as_bytes())?;
    folder.remove_stale(&names);
    files.par_iter().try_for_each(|(name, bytes)| folder.put(name, bytes))
}

/// The level as scenes name it; and its copy, if it is small or its path cannot be said in JSON.
fn body(file: Option<&Path>, level: &Level, folder: &Path) -> Result<(Value, Option<String>)> {
    let hash = format!("{:016x}", level.checksum());
    let named = match file {
        Some(path) if level.triangles().len() > SMALL => path_from(&folder.join("witness"), path)?,
        _ => None,
    };
    Ok(match named {
        Some(file) => {
            let up = if level.frame.is_z_up { "z" } else { "y" };
            (
                json!({ "name": "level", "file": file, "up": up, "scale": level.frame.scale, "hash": hash }),
                None,
            )
        }
        None => (json!({ "name": "level", "file": "level.obj", "hash": hash }), Some(obj(level))),
    })
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
