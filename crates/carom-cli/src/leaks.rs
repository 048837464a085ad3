//! `carom inspect LEVEL --leaks`: every opening between the inside and the outside.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use carom::bsp::{Leak, leaks};
use carom_formats::{Landmark, NARROW, Structure};
use clap::Args;
use glam::DVec3;
use serde::Serialize;

use crate::level::{LevelArgs, point};
use crate::outcome::Outcome;
use crate::output::{self, numbers};

/// Points of a line are no farther apart, in units of the file: engines draw points, not lines.
const STEP: f64 = 4.0;
/// The most points of a line that engines take.
const MOST_POINTS: f64 = 30_000.0;
/// Points outside that are named for people.
const MOST_OUTSIDE: usize = 6;

/// The flags of a search for leaks.
#[derive(Debug, Args)]
pub(crate) struct LeakArgs {
    /// Finds leaks instead: paths from the entities of a .map or .bsp, or from --from, to the outside. Exit
    /// code 1 if there is one.
    #[arg(long)]
    pub(crate) leaks: bool,
    /// A point inside, in meters and with y up, to use instead of the level's entities. May be repeated.
    #[arg(long, value_name = "X,Y,Z", value_parser = point, requires = "leaks", allow_hyphen_values = true)]
    from: Vec<DVec3>,
    /// Openings narrower than this are cracks, not leaks, in meters. Default: 0.2 units for .map and .bsp,
    /// else 0.
    #[arg(long, value_name = "M", requires = "leaks", allow_negative_numbers = true)]
    narrow: Option<f64>,
    /// Writes the path through each leak as a point file for level editors: FILE, FILE-2, and so on.
    #[arg(long, value_name = "FILE", requires = "leaks")]
    pts: Option<PathBuf>,
}

/// The line of `--json`.
#[derive(Serialize)]
struct Line {
    format: &'static str,
    starts: usize,
    leaks: Vec<LeakLine>,
    cracks: Vec<LeakLine>,
    /// Starts that are outside themselves, and starts within the solid.
    outside: Vec<PlaceLine>,
    buried: Vec<PlaceLine>,
    leaves: usize,
    nodes: usize,
    depth: usize,
}

#[derive(Serialize)]
struct LeakLine {
    /// In square meters.
    area: f64,
    center: [f64; 3],
    min: [f64; 3],
    max: [f64; 3],
    from: PlaceLine,
    /// Of the chain, in meters.
    length: f64,
    portals: usize,
    narrowest: Narrowest,
    chain: Vec<[f64; 3]>,
    opening: Vec<Vec<[f64; 3]>>,
}

#[derive(Serialize)]
struct Narrowest {
    /// In meters.
    width: f64,
    at: [f64; 3],
}

#[derive(Clone, Serialize)]
struct PlaceLine {
    name: String,
    position: [f64; 3],
}

pub(crate) fn run(level: &LevelArgs, arguments: &LeakArgs, json: bool) -> Result<Outcome> {
    let mut structure = level.load_structure()?;
    if !arguments.from.is_empty() {
        structure.starts = (1..)
            .zip(&arguments.from)
            .map(|(number, at)| Landmark {
                name: format!("--from {number}"),
                position: structure.from_level(*at),
            })
            .collect();
    }
    ensure!(
        !structure.starts.is_empty(),
        "{} has no entity or spawn to look out from: pass a point inside, as in --from 0,1.5,-3",
        level.level.display()
    );
    let width = match arguments.narrow {
        Some(narrow) => {
            ensure!(
                narrow.is_finite() && narrow >= 0.0,
                "--narrow {narrow}: it must be finite and at least 0"
            );
            narrow / structure.scale()
        }
        None if structure.scale() == 1.0 => 0.0,
        None => NARROW,
    };
    let points: Vec<DVec3> = structure.starts.iter().map(|start| start.position).collect();
    let found = leaks(&structure.bsp, &points, width);
    ensure!(
        found.buried.len() < points.len(),
        "every point to look out from is within the solid, as {} is: pass one that is not, as in --from 0,1.5,-3",
        structure.starts[0].name
    );
    let places = |numbers: &[usize]| numbers.iter().map(|number| place(&structure, *number)).collect();
    let line = Line {
        format: structure.format.extension(),
        starts: points.len(),
        leaks: found.leaks.iter().map(|leak| leak_line(&structure, leak)).collect(),
        cracks: found.cracks.iter().map(|leak| leak_line(&structure, leak)).collect(),
        outside: places(&found.outside),
        buried: places(&found.buried),
        leaves: structure.bsp.leaf_count(),
        nodes: structure.bsp.nodes().len(),
        depth: structure.bsp.depth(),
    };
    let mut files = Vec::new();
    if let Some(path) = &arguments.pts {
        output::spare("--pts", path, &[&level.level])?;
        for (number, leak) in (1..).zip(&found.leaks) {
            let path = numbered(path, number);
            fs::write(&path, points_of(&structure, leak))
                .with_context(|| format!("cannot write {}", path.display()))?;
            files.push(path);
        }
    }
    let mut out = output::open(None, &[])?;
    if json {
        serde_json::to_writer(&mut out, &line)?;
        writeln!(out)?;
    } else {
        print(&mut out, &level.level.display().to_string(), &line, &files)?;
    }
    out.flush()?;
    Ok(if line.leaks.is_empty() && line.outside.is_empty() { Outcome::Fine } else { Outcome::FoundWrong })
}

fn place(structure: &Structure, number: usize) -> PlaceLine {
    let start = &structure.starts[number];
    PlaceLine { name: start.name.clone(), position: numbers(structure.to_level(start.position)) }
}

fn leak_line(structure: &Structure, leak: &Leak) -> LeakLine {
    let scale = structure.scale();
    let to_level = |point: &DVec3| structure.to_level(*point);
    let chain: Vec<DVec3> = leak.chain.iter().map(to_level).collect();
    let corners = leak.opening.iter().flatten().map(to_level);
    let (low, high) = corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), corner| {
        (low.min(corner), high.max(corner))
    });
    let outline = |polygon: &Vec<DVec3>| polygon.iter().map(|corner| numbers(to_level(corner))).collect();
    LeakLine {
        area: leak.area * scale * scale,
        center: numbers((low + high) * 0.5),
        min: numbers(low),
        max: numbers(high),
        from: place(structure, leak.from),
        length: chain.windows(2).map(|pair| pair[0].distance(pair[1])).sum(),
        portals: chain.len().saturating_sub(2),
        narrowest: Narrowest { width: leak.narrowest * scale, at: numbers(to_level(&leak.narrowest_at)) },
        chain: chain.into_iter().map(numbers).collect(),
        opening: leak.opening.iter().map(outline).collect(),
    }
}

/// `level.pts`, `level-2.pts`, …
fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_path_buf();
    }
    let mut name = path.file_stem().unwrap_or_default().to_os_string();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// The chain in the frame of the file: a point a line, close to each other.
fn points_of(structure: &Structure, leak: &Leak) -> String {
    let chain: Vec<DVec3> = leak.chain.iter().map(|point| structure.to_file(*point)).collect();
    let length: f64 = chain.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let unit = structure.to_file(DVec3::X * 1.0).distance(structure.to_file(DVec3::ZERO));
    let step = (STEP * unit).max(length / MOST_POINTS);
    let mut lines = String::new();
    let mut write = |point: DVec3| lines += &format!("{:.3} {:.3} {:.3}\n", point.x, point.y, point.z);
    for pair in chain.windows(2) {
        let steps = (pair[0].distance(pair[1]) / step).ceil().max(1.0);
        for i in 0..steps as usize {
            write(pair[0].lerp(pair[1], i as f64 / steps));
        }
    }
    chain.last().into_iter().for_each(|last| write(*last));
    lines
}

fn at([x, y, z]: [f64; 3]) -> String {
    format!("{x:.3} {y:.3} {z:.3}")
}

fn print(out: &mut dyn Write, name: &str, line: &Line, files: &[PathBuf]) -> Result<()> {
    writeln!(out, "{name} ({})", line.format)?;
    writeln!(out, "  {:<20}{} nodes, {} deep", "tree", line.nodes, line.depth)?;
    let buried = match line.buried.len() {
        0 => String::new(),
        count => format!(", {count} of them within the solid"),
    };
    writeln!(out, "  {:<20}{}{buried}", "looked out from", line.starts)?;
    for start in line.outside.iter().take(MOST_OUTSIDE) {
        writeln!(out, "  {:<20}{} at {}", "outside", start.name, at(start.position))?;
    }
    if line.outside.len() > MOST_OUTSIDE {
        writeln!(out, "  {:<20}and {} more", "", line.outside.len() - MOST_OUTSIDE)?;
    }
    writeln!(out, "  {:<20}{}", "leaks", line.leaks.len())?;
    for (number, leak) in (1..).zip(&line.leaks) {
        print_leak(out, &format!("leak {number}"), leak)?;
    }
    if !line.cracks.is_empty() {
        writeln!(out, "  {:<20}{}, which compilers look past", "narrow cracks", line.cracks.len())?;
        for (number, leak) in (1..).zip(&line.cracks) {
            print_leak(out, &format!("crack {number}"), leak)?;
        }
    }
    for file in files {
        writeln!(out, "wrote {}", file.display())?;
    }
    Ok(())
}

fn print_leak(out: &mut dyn Write, title: &str, leak: &LeakLine) -> Result<()> {
    writeln!(out, "{title}: {:.3} m² about {}", leak.area, at(leak.center))?;
    let (portals, length) = (leak.portals, leak.length);
    let plural = if portals == 1 { "" } else { "s" };
    writeln!(out, "  from {} at {}", leak.from.name, at(leak.from.position))?;
    writeln!(
        out,
        "  {portals} portal{plural} and {length:.2} m to the outside, the narrowest {:.4} m wide at {}",
        leak.narrowest.width,
        at(leak.narrowest.at)
    )?;
    Ok(())
}
