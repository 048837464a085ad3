//! report.html: one self-contained file. Its script draws the level with WebGL from numbers in the page.

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carom::world::AfterLast;
use carom_formats::Extents;
use glam::DVec3;
use serde_json::json;

use crate::explorer::Explorer;
use crate::findings::finding::{Code, Finding};
use crate::ground::Soup;
use crate::level::Level;
use crate::report::map::{Missed, color};
use crate::report::solids::collider_triangles;

const TEMPLATE: &str = include_str!("page.html");
/// The part of a page's script that says where moving bodies are: `poseAt`, `movedTo`, `STAYS`. It takes the
/// place of `"MOTION";`.
pub const MOTION_SCRIPT: &str = include_str!("motion.js");

/// Levels of more triangles are not drawn.
const MOST_TRIANGLES: usize = 1_500_000;
/// Of more floor than this an even part is drawn.
const MOST_FLOOR: usize = 400_000;

/// The color of each triangle as an index into a palette made of the names of surfaces.
fn surfaces(level: &Level, soup: Option<&Soup>) -> serde_json::Value {
    let mut names: Vec<&str> = Vec::new();
    let mut colors: Vec<Option<[f32; 3]>> = Vec::new();
    let mut of: Vec<u8> = Vec::new();
    if let Some(soup) = soup {
        for triangle in drawn_triangles(level, soup) {
            let id = soup.surface_id(triangle);
            let name = level.surface_name(id).unwrap_or_default();
            let number = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                if names.len() < 255 {
                    names.push(name);
                    colors.push(level.surface_color(id));
                }
                names.len() - 1
            });
            of.push(number as u8);
        }
    }
    json!({ "names": names, "colors": colors, "of": STANDARD.encode(of) })
}

/// The triangles that are drawn: the sky would hide the level.
fn drawn_triangles<'a>(level: &'a Level, soup: &'a Soup) -> impl Iterator<Item = usize> + 'a {
    (0..soup.triangles.len()).filter(|triangle| !level.is_sky(soup.surface_id(*triangle)))
}

/// The parts of a page besides the exploration and its findings. Pictures are PNG files.
#[derive(Clone, Copy)]
pub(crate) struct PageParts<'a> {
    /// Of each finding.
    pub(crate) pictures: &'a [Vec<u8>],
    /// Of each storey.
    pub(crate) maps: &'a [Vec<u8>],
    /// The text about the cost of the exploration.
    pub(crate) cost: &'a str,
    /// Which findings an earlier report knows, if there is one.
    pub(crate) known: Option<&'a [bool]>,
}

/// The page.
pub(crate) fn page(explorer: &Explorer<'_>, findings: &[Finding], parts: PageParts<'_>) -> Vec<u8> {
    let PageParts { pictures, maps, cost, known } = parts;
    let level = explorer.level();
    let floats = |values: &mut dyn Iterator<Item = f32>| {
        STANDARD.encode(values.flat_map(f32::to_le_bytes).collect::<Vec<u8>>())
    };
    let points = |points: &mut dyn Iterator<Item = DVec3>| {
        floats(&mut points.flat_map(|p| p.to_array().map(|x| x as f32)))
    };
    let is_drawn = level.triangle_count() <= MOST_TRIANGLES;
    let whole = is_drawn.then(|| level.soup());
    let surfaces = surfaces(level, whole.as_deref());
    let soup = floats(&mut whole.iter().flat_map(|soup| {
        let corners = drawn_triangles(level, soup).flat_map(|triangle| soup.triangles[triangle]);
        corners.flat_map(|corner| soup.vertices[corner as usize])
    }));
    // Of what is drawn, which the view begins with.
    let box_around = |soup: &Soup| {
        let corners = drawn_triangles(level, soup).flat_map(|triangle| soup.triangles[triangle]);
        Extents::of(corners.map(|corner| DVec3::from_array(soup.vertices[corner as usize].map(f64::from))))
    };
    let drawn_bounds = whole.as_deref().map(box_around).filter(|extents| !extents.is_empty());
    drop(whole);
    let stride = explorer.floor().len().div_ceil(MOST_FLOOR).max(1);
    let cell = explorer.rules().cell();
    let missed = Missed::of(explorer, findings);
    let numbers = (0..explorer.floor().len() as u32).step_by(stride);
    let floor = floats(&mut numbers.flat_map(|number| {
        let sample = explorer.floor().get(number);
        let is_missed = missed.has(&sample);
        let [x, z] = sample.column.map(|i| ((f64::from(i) + 0.5) * cell) as f32);
        // Below 0: never; −2 where that is a listed finding.
        let time = explorer.time_to(&sample);
        [x, sample.height as f32, z, time.map_or(if is_missed { -2.0 } else { -1.0 }, |time| time as f32)]
    }));
    let picture = |png: &Vec<u8>| format!("data:image/png;base64,{}", STANDARD.encode(png));
    let hex = |code: Code| {
        let [r, g, b] = color(code);
        format!("#{r:02x}{g:02x}{b:02x}")
    };
    let entries: Vec<_> = findings
        .iter()
        .enumerate()
        .map(|(number, finding)| {
            json!({
                "id": finding.id,
                "status": known.map(|known| if known[number] { "known" } else { "new" }),
                "folded": finding.folded,
                "object": crate::report::object(level, finding.rules(explorer.rules()).radii.y, finding),
                "file": level.frame.to_file(finding.position).to_array(),
                "code": finding.code.name(),
                "severity": finding.code.severity().name(),
                "meaning": crate::report::meaning(finding),
                "color": hex(finding.code),
                "position": finding.position.to_array(),
                "places": finding.places,
                "area": finding.area,
                "length": finding.length,
                "seconds": crate::report::seconds(finding, explorer.rules().dt),
                "witness": crate::report::witness_path(number),
                "picture": picture(&pictures[number]),
                "path": points(&mut finding.witness.path.iter().copied()),
            })
        })
        .collect();
    let [reached, walkable] = explorer.coverage();
    let moving: Vec<_> = level
        .moving()
        .iter()
        .map(|body| {
            let corners = collider_triangles(body.body.collider()).into_iter().flatten();
            json!({
                "soup": points(&mut corners.map(|corner| corner * body.body.pose().scale())),
                "way": floats(&mut body.way().as_flattened().iter().map(|x| *x as f32)),
                "repeats": body.plan.as_ref().is_some_and(|plan| plan.after_last() == AfterLast::Repeat),
            })
        })
        .collect();
    let Extents { low, high } = level.movers().bounds(drawn_bounds.unwrap_or(level.bounds()));
    let data = json!({
        "level": level.name,
        "complete": explorer.is_complete(),
        "triangles": level.triangle_count(),
        "drawn": is_drawn,
        "reached": reached,
        "walkable": walkable,
        "cost": cost,
        "low": low.to_array(),
        "high": high.to_array(),
        "warnings": explorer.warnings().iter().map(|warning| json!({ "code": warning.code, "message": warning.message })).collect::<Vec<_>>(),
        "cell": cell,
        "dt": explorer.rules().dt,
        "zUp": level.frame.is_z_up,
        "half": explorer.rules().radii.y,
        "surfaces": surfaces,
        "rise": explorer.rise(),
        "thinned": stride > 1,
        "radii": explorer.rules().radii.to_array(),
        "jump": explorer.rules().jump,
        "speed": explorer.rules().speed,
        "spawns": explorer.spawns().iter().map(|spawn| spawn.position.to_array()).collect::<Vec<_>>(),
        "soup": soup,
        "moving": moving,
        "floor": floor,
        "maps": maps.iter().map(picture).collect::<Vec<_>>(),
        "findings": entries,
    });
    let template = TEMPLATE.replace("\"MOTION\";", MOTION_SCRIPT);
    let (before, after) = template.split_once("\"DATA\"").unwrap_or_default();
    let mut page = before.as_bytes().to_vec();
    // Writing to memory does not fail.
    let _ = serde_json::to_writer(InScript(&mut page), &data);
    page.extend_from_slice(after.as_bytes());
    page
}

/// Writes JSON into a script, where nothing may look like the script's end.
struct InScript<'a>(&'a mut Vec<u8>);

impl Write for InScript<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for (number, part) in bytes.split(|byte| *byte == b'<').enumerate() {
            if number > 0 {
                self.0.extend_from_slice(b"\\u003c");
            }
            self.0.extend_from_slice(part);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
