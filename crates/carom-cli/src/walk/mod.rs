//! `carom walk`: scenes run tick by tick; without a scene, a tour of the built-in courtyard.

mod args;
pub(crate) mod bodies;
pub(crate) mod film;
pub(crate) mod layers;
mod lines;
pub(crate) mod motion;
mod names;
mod run;
pub(crate) mod scene;
mod sensing;
pub(crate) mod setup;
mod slide;
pub(crate) mod terrain;
mod touching;
mod tour;
mod trace;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use carom_formats::LoadOptions;
use indicatif::{ProgressBar, ProgressStyle};

use crate::json;
use crate::outcome::Outcome;
use crate::output;
pub(crate) use args::WalkArgs;
use bodies::Source;
use run::{Output, Scene};
use scene::SceneSpec;
use trace::Detail;

pub(crate) fn run(arguments: &WalkArgs) -> Result<Outcome> {
    let detail = if arguments.trace { Detail::Traced } else { Detail::Plain };
    match &arguments.scene {
        None if arguments.is_page() => bail!("a page plays a scene: name one"),
        None if arguments.level.is_some() => bail!("--level is for scenes: name one"),
        None => tour::run(arguments.out.as_deref(), detail)?,
        Some(path) => {
            let (scene, files) = load(path, arguments)?;
            let inputs: Vec<&Path> = files.iter().map(PathBuf::as_path).chain([path.as_path()]).collect();
            let mut out = output::open(arguments.out.as_deref(), &inputs)?;
            let progress = progress_bar(scene.ticks, arguments.out.is_some());
            if arguments.is_page() {
                let title = path.file_name().unwrap_or_default().to_string_lossy();
                let mut summary = output::open(None, &[])?;
                let page = Output::Page { title: &title, page: &mut out, summary: &mut summary };
                run::run(scene, detail, page, &progress)?;
                summary.flush()?;
            } else {
                run::run(scene, detail, Output::Lines(&mut out), &progress)?;
            }
            out.flush()?;
            progress.finish_and_clear();
        }
    }
    Ok(Outcome::Fine)
}

/// A scene and the files that it names.
fn load(path: &Path, arguments: &WalkArgs) -> Result<(Scene, Vec<PathBuf>)> {
    let text = std::fs::read(path).with_context(|| format!("cannot read the scene {}", path.display()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    json::read::<SceneSpec>(&text)
        .and_then(|mut spec| {
            if let Some(level) = &arguments.level {
                spec.replace_level(level)?;
            }
            let files = spec.files().map(|file| folder.join(file)).collect();
            let patches = arguments.patches.options(LoadOptions::default());
            Ok((setup::build(spec, &Source { folder, patches })?, files))
        })
        .with_context(|| format!("cannot use the scene {}", path.display()))
}

/// Shown on a terminal that is not busy with the lines themselves.
fn progress_bar(ticks: u64, to_a_file: bool) -> ProgressBar {
    if !io::stderr().is_terminal() || (!to_a_file && io::stdout().is_terminal()) {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} ticks, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(ticks).with_style(style)
}
