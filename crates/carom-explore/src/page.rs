//! report.html: one file that needs nothing else. Its script draws the level with WebGL from numbers that are in the page.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::explorer::Explorer;
use crate::findings::{Code, Finding};
use crate::map::{Atlas, color};

const TEMPLATE: &str = include_str!("page.html");

/// Levels of more triangles are not drawn.
const MOST_TRIANGLES: usize = 1_500_000;
/// Of more floor than this an even part is drawn.
const MOST_FLOOR: usize = 400_000;

/// The page; `cost` is what it says of what the exploration took.
pub fn page(explorer: &Explorer<'_>, findings: &[Finding], atlas: &Atlas<'_>, cost: &str) -> String {
    let level = explorer.level();
    let floats = |values: &mut dyn Iterator<Item = f32>| {
        STANDARD.encode(values.flat_map(f32::to_le_bytes).collect::<Vec<u8>>())
    };
    let points = |points: &mut dyn Iterator<Item = glam::DVec3>| {
        floats(&mut points.flat_map(|p| p.to_array().map(|x| x as f32)))
    };
    let is_drawn = level.triangles().len() <= MOST_TRIANGLES;
    let corners = if is_drawn { level.triangles() } else { &[] };
    let soup = floats(&mut corners.iter().flatten().flat_map(|i| level.vertices()[*i as usize]));
    let stride = explorer.floor().len().div_ceil(MOST_FLOOR).max(1);
    let cell = explorer.rules().cell();
    let floor = floats(&mut explorer.floor().iter().step_by(stride).flat_map(|sample| {
        let [x, z] = sample.column.map(|i| ((f64::from(i) + 0.5) * cell) as f32);
        [x, sample.height as f32, z, if sample.is_reached { 1.0 } else { 0.0 }]
    }));
    let picture = |png: Vec<u8>| format!("data:image/png;base64,{}", STANDARD.encode(png));
    let hex = |code: Code| {
        let [r, g, b] = color(code);
        format!("#{r:02x}{g:02x}{b:02x}")
    };
    let entries: Vec<_> = findings
        .iter()
        .enumerate()
        .map(|(number, finding)| {
            json!({
                "code": finding.code.name(),
                "severity": finding.code.severity().name(),
                "meaning": finding.code.meaning(),
                "color": hex(finding.code),
                "position": finding.position.to_array(),
                "places": finding.places,
                "area": finding.area,
                "seconds": f64::from(finding.witness.ticks) * explorer.rules().dt,
                "witness": crate::report::witness_path(number),
                "picture": picture(atlas.picture(number)),
                "path": points(&mut finding.witness.path.iter().copied()),
            })
        })
        .collect();
    let [reached, walkable] = explorer.coverage();
    let (low, high) = level.bounds();
    let data = json!({
        "level": level.name,
        "complete": explorer.is_complete(),
        "triangles": level.triangles().len(),
        "drawn": is_drawn,
        "reached": reached,
        "walkable": walkable,
        "cost": cost,
        "low": low.to_array(),
        "high": high.to_array(),
        "cell": cell,
        "rise": explorer.rise(),
        "thinned": stride > 1,
        "radii": explorer.rules().radii.to_array(),
        "jump": explorer.rules().jump,
        "speed": explorer.rules().speed,
        "spawns": explorer.spawns().iter().map(|spawn| spawn.position.to_array()).collect::<Vec<_>>(),
        "soup": soup,
        "floor": floor,
        "maps": (0..atlas.count()).map(|map| picture(atlas.map(map))).collect::<Vec<_>>(),
        "findings": entries,
    });
    // Within a script nothing may look like its end.
    TEMPLATE.replace("\"DATA\"", &data.to_string().replace('<', "\\u003c"))
}
