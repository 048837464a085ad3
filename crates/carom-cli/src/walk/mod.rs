//! `carom walk`: scenes run tick by tick; without a scene, a tour of the built-in courtyard.

mod lines;
mod scene;
mod setup;
mod slide;
mod touching;
mod tour;

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};

use crate::Outcome;
use crate::args::WalkArgs;
use crate::output;
use lines::{Detail, Style};
use setup::Scene;

pub(crate) fn run(arguments: &WalkArgs) -> Result<Outcome> {
    let detail = if arguments.trace { Detail::Traced } else { Detail::Plain };
    match &arguments.scene {
        None => tour::run(arguments.out.as_deref(), detail)?,
        Some(path) => {
            let mut scene = load(path)?;
            let mut out = output::open(arguments.out.as_deref(), &[path])?;
            let progress = progress_bar(scene.ticks, arguments.out.is_some());
            run_scene(&mut scene, detail, &mut out, &progress)?;
            out.flush()?;
            progress.finish_and_clear();
        }
    }
    Ok(Outcome::Fine)
}

fn load(path: &Path) -> Result<Scene> {
    let text = std::fs::read(path).with_context(|| format!("cannot read the scene {}", path.display()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    scene::parse(&text)
        .and_then(|spec| setup::build(spec, folder))
        .with_context(|| format!("cannot use the scene {}", path.display()))
}

fn run_scene(scene: &mut Scene, detail: Detail, out: &mut dyn Write, progress: &ProgressBar) -> Result<()> {
    let Scene { world, body_names, place, ticks, characters } = scene;
    let style = Style { body_names, detail };
    for tick in 1..=*ticks {
        let start = (tick - 1) as f64 * place.dt;
        for character in &mut *characters {
            let (wish, jump) = character.wish(start);
            character.walker.step(place, world, wish, jump);
        }
        let time = tick as f64 * place.dt;
        lines::write_tick(out, style, (tick, time), characters.iter().map(|character| &character.walker))?;
        progress.inc(1);
    }
    lines::write_summary(out, *ticks, characters.iter().map(|character| &character.walker))
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
